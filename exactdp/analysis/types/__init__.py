# SPDX-License-Identifier: MIT
"""All mechanisms of a privacy type at once: vertices, kernel mechanisms, universal optimality."""
