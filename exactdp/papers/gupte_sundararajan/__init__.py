# SPDX-License-Identifier: MIT
"""Gupte and Sundararajan, *Universally Optimal Privacy Mechanisms for Minimax Agents* (2010): its statements,
replayed.

One module a theme; each function takes the tables as printed and returns the status it finds.
"""
