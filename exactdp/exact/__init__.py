# SPDX-License-Identifier: MIT
"""Exact numbers: the only package that imports FLINT or sympy's polynomials.

Everything above works over :class:`Scalar`, :class:`OrderedField` and :class:`ExactMatrix`. Today there is one field, ℚ;
ℚ(α) and ℚ(e^(−ε)) enter as further subclasses of :class:`OrderedField`.
"""

from exactdp.exact.combination import combine, products
from exactdp.exact.factors import Factors
from exactdp.exact.field import OrderedField, Scalar
from exactdp.exact.matrix import ExactMatrix
from exactdp.exact.powers import compare_power, rational_root
from exactdp.exact.rational import QQ, Rational, RationalField, from_float, integer_vector
from exactdp.exact.revised import RevisedTableau
from exactdp.exact.tableau import CONSTANT, Kind, Tableau

__all__ = [
    "CONSTANT",
    "QQ",
    "ExactMatrix",
    "Factors",
    "Kind",
    "OrderedField",
    "Rational",
    "RationalField",
    "RevisedTableau",
    "Scalar",
    "Tableau",
    "combine",
    "compare_power",
    "from_float",
    "integer_vector",
    "products",
    "rational_root",
]
