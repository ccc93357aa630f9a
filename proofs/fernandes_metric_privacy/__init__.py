# SPDX-License-Identifier: MIT
"""*Universal optimality and robust utility bounds for metric differential privacy*, recomputed.

The paper is by Fernandes, McIver, Palamidessi and Ding. One module a theme; the formulas are missing from the
paper's text and are those of the statements on record.
"""
