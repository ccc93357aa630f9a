# SPDX-License-Identifier: MIT
"""Lecture slides on the Laplace and the exponential mechanism: their statements, replayed.

One module a theme; each function returns the status it finds.
"""
