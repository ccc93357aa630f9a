# SPDX-License-Identifier: MIT
"""Closed forms in n and α: guessed from exact answers for small n, with arguments that may be replayed."""
