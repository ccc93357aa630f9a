# SPDX-License-Identifier: MIT
"""*Foundations of Privacy*, lecture 4: its definitions, claims and exercises, replayed.

One module a theme; each function returns the status it finds.
"""
