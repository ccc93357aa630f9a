# SPDX-License-Identifier: MIT
"""Exact numbers: fields, their scalars and matrices, points and intervals, formulas.

Everything above works over :class:`Scalar`, :class:`OrderedField` and :class:`ExactMatrix`; no FLINT object
leaves this package and :mod:`exactdp.lp`, unless ``to_flint`` is asked for one. The fields are ℚ, ℚ(α) on an
interval, ℚ(letters) on a region, ℚ(e^(−ε)), ℚ(x₀) for an algebraic number x₀, and ℚ(symbols) without an
order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

from exactdp.exact.sympy_operators import SympyOperand

if TYPE_CHECKING:
    from exactdp.exact.comparison import common_field, field_of, largest, least_index, smallest, where_negative
    from exactdp.exact.entries import (
        as_count,
        as_flag,
        entries_of,
        frame_rows,
        index_labels,
        is_frame,
        is_mapping,
        is_series,
        members_of,
        number_of_place,
    )
    from exactdp.exact.exponential import ExponentialField, ExponentialNumber, reader_of_exponentials
    from exactdp.exact.field import OrderedField, Scalar
    from exactdp.exact.formula import Expression, divisors, evaluate, parse_expression
    from exactdp.exact.functions import RationalFunction, RationalFunctionField
    from exactdp.exact.identity import formula_of, generic_quotient, is_nonzero, is_zero, judged, same_formula
    from exactdp.exact.letters import Letters, LettersLike, letters_of
    from exactdp.exact.matrix import ExactMatrix, library
    from exactdp.exact.points import AlgebraicNumber, Interval, Point, SignPattern, real_roots
    from exactdp.exact.powers import (
        compare_exponential_power,
        compare_power,
        exponential_power,
        field_for_exponents,
        power_within,
        rational_root,
        require_powers,
        root_parts,
    )
    from exactdp.exact.rational import QQ, Rational, RationalField, from_float, integer_vector, long_integers
    from exactdp.exact.region import Constraint, Region
    from exactdp.exact.region_functions import RegionField, RegionFunction
    from exactdp.exact.structured import OverOneDenominator, ScaledPowers, SparseProduct, SparseRows, StructuredMatrix
    from exactdp.exact.symbols import SymbolField, SymbolicFunction, nonzero_point

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "comparison": ["common_field", "field_of", "judged", "largest", "least_index", "smallest", "where_negative"],
        "entries": [
            "as_count",
            "as_flag",
            "entries_of",
            "frame_rows",
            "index_labels",
            "is_frame",
            "is_mapping",
            "is_series",
            "members_of",
            "number_of_place",
        ],
        "exponential": ["ExponentialField", "ExponentialNumber", "reader_of_exponentials"],
        "field": ["OrderedField", "Scalar"],
        "formula": ["Expression", "divisors", "evaluate", "parse_expression"],
        "functions": ["RationalFunction", "RationalFunctionField"],
        "identity": ["formula_of", "generic_quotient", "is_nonzero", "is_zero", "judged", "same_formula"],
        "letters": ["Letters", "LettersLike", "letters_of"],
        "matrix": ["ExactMatrix", "library"],
        "points": ["AlgebraicNumber", "Interval", "Point", "SignPattern", "real_roots"],
        "powers": [
            "compare_exponential_power",
            "compare_power",
            "exponential_power",
            "field_for_exponents",
            "power_within",
            "rational_root",
            "require_powers",
            "root_parts",
        ],
        "rational": ["QQ", "Rational", "RationalField", "from_float", "integer_vector", "long_integers"],
        "region": ["Constraint", "Region"],
        "region_functions": ["RegionField", "RegionFunction"],
        "structured": ["OverOneDenominator", "ScaledPowers", "SparseProduct", "SparseRows", "StructuredMatrix"],
        "symbols": ["SymbolField", "SymbolicFunction", "nonzero_point"],
    },
)

SympyOperand._reader = "exactdp.exact.sympy_numbers"  # loaded when an expression is read: it knows all fields

__all__ = [
    "QQ", "AlgebraicNumber", "Constraint", "ExactMatrix", "ExponentialField", "ExponentialNumber", "Expression", "Interval",
    "Letters", "LettersLike", "OrderedField", "OverOneDenominator", "Point", "Rational", "RationalField", "RationalFunction",
    "RationalFunctionField", "Region", "RegionField", "RegionFunction", "Scalar", "ScaledPowers", "SignPattern", "SparseProduct",
    "SparseRows", "StructuredMatrix",
    "SymbolField", "SymbolicFunction", "as_count", "as_flag", "common_field", "compare_exponential_power",
    "compare_power", "divisors", "entries_of", "evaluate", "exponential_power", "field_for_exponents",
    "field_of", "formula_of", "frame_rows", "from_float", "generic_quotient", "index_labels", "integer_vector", "is_frame", "is_mapping",
    "is_nonzero", "is_series", "is_zero",
    "judged", "largest", "least_index", "letters_of", "library", "long_integers", "members_of", "nonzero_point", "number_of_place",
    "parse_expression", "power_within", "rational_root", "reader_of_exponentials", "real_roots", "require_powers",
    "root_parts", "same_formula",
    "smallest",
    "where_negative",
]  # fmt: skip
