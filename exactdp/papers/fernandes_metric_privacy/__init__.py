# SPDX-License-Identifier: MIT
"""Fernandes, McIver, Palamidessi, Ding, *Universal optimality and robust utility bounds for metric
differential privacy*: replayed.

One module a theme; the formulas are missing from the paper's text and are those of the statements on record.
"""
