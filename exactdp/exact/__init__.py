# SPDX-License-Identifier: MIT
"""Exact numbers: the only package that imports FLINT or sympy's polynomials.

Everything above works over :class:`Scalar`, :class:`OrderedField` and :class:`ExactMatrix`. Today there is one field, ℚ;
ℚ(α) and ℚ(e^(−ε)) enter as further subclasses of :class:`OrderedField`.
"""

from exactdp.exact.algebraic import AlgebraicNumber, Point
from exactdp.exact.combination import combine, products, residuals
from exactdp.exact.common import common_field, field_of, largest, least_index, smallest
from exactdp.exact.entries import entries_of, index_labels, is_frame, is_mapping, is_series, members_of, number_of_place
from exactdp.exact.exponential import ExponentialField, ExponentialNumber
from exactdp.exact.exponential_powers import compare_exponential_power, exponential_power, field_for_exponents, power_within, root_parts
from exactdp.exact.expression import parse_expression
from exactdp.exact.factors import Factors
from exactdp.exact.field import OrderedField, Scalar
from exactdp.exact.formula import Expression, divisors, evaluate
from exactdp.exact.interval import Interval
from exactdp.exact.matrix import ExactMatrix
from exactdp.exact.powers import compare_power, rational_root
from exactdp.exact.rational import QQ, Rational, RationalField, from_float, integer_vector
from exactdp.exact.rational_functions import RationalFunction, RationalFunctionField
from exactdp.exact.revised import RevisedTableau
from exactdp.exact.roots import SignPattern, real_roots
from exactdp.exact.symbols import SymbolField, SymbolicFunction, nonzero_point
from exactdp.exact.tableau import CONSTANT, Kind, Tableau

__all__ = [
    "CONSTANT",
    "QQ",
    "AlgebraicNumber",
    "ExactMatrix",
    "ExponentialField",
    "ExponentialNumber",
    "Expression",
    "Factors",
    "Interval",
    "Kind",
    "OrderedField",
    "Point",
    "Rational",
    "RationalField",
    "RationalFunction",
    "RationalFunctionField",
    "RevisedTableau",
    "Scalar",
    "SignPattern",
    "SymbolField",
    "SymbolicFunction",
    "Tableau",
    "combine",
    "common_field",
    "compare_exponential_power",
    "compare_power",
    "divisors",
    "entries_of",
    "evaluate",
    "exponential_power",
    "field_for_exponents",
    "field_of",
    "from_float",
    "index_labels",
    "integer_vector",
    "is_frame",
    "is_mapping",
    "is_series",
    "largest",
    "least_index",
    "members_of",
    "nonzero_point",
    "number_of_place",
    "parse_expression",
    "power_within",
    "products",
    "rational_root",
    "real_roots",
    "residuals",
    "root_parts",
    "smallest",
]
