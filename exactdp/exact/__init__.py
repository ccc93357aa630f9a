# SPDX-License-Identifier: MIT
"""Exact numbers: fields, their scalars and matrices, points and intervals, formulas.

Everything above works over :class:`Scalar`, :class:`OrderedField` and :class:`ExactMatrix`; no FLINT object
leaves this package and :mod:`exactdp.lp`, unless ``to_flint`` is asked for one. The fields are ℚ, ℚ(α) on an
interval, ℚ(letters) on a region, ℚ(e^(−ε)), ℚ(x₀) for an algebraic number x₀, and ℚ(symbols) without an
order.
"""

from __future__ import annotations

import lazy_loader

from exactdp.exact.sympy_operators import SympyOperand
from exactdp.stubs import names_of

__getattr__, __dir__, __all__ = lazy_loader.attach(__name__, submod_attrs=names_of(__file__))

SympyOperand._reader = "exactdp.exact.sympy_numbers"  # loaded when an expression is read: it knows all fields
