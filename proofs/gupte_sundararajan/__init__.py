# SPDX-License-Identifier: MIT
"""Gupte and Sundararajan, *Universally Optimal Privacy Mechanisms for Minimax Agents* (2010), recomputed.

One module a theme; each function takes the tables as printed and returns the status it finds.
"""
