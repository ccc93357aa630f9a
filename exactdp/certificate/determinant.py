# SPDX-License-Identifier: MIT
"""Certificates about determinants (SPEC.md §4.12)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from exactdp.analysis.determinant import DeterminantEvidence
from exactdp.certificate.encode import Definitions, Parts
from exactdp.exact import QQ, Rational, SymbolicFunction, integer_vector


def polynomial_json(coefficients: Sequence[int]) -> list[str]:
    """The coefficients, constant first, without zeros at the end.

    >>> polynomial_json((1, -2, 0))
    ['1', '-2']
    """
    size = max((k + 1 for k, c in enumerate(coefficients) if c), default=0)
    return [str(Rational(c)) for c in coefficients[:size]]  # unlike str(int) without a digit limit


def form_json(terms: Iterable[tuple[tuple[int, ...], int]]) -> list[dict[str, Any]]:
    """A polynomial in a and x0, x1, …, given as terms (exponents, coefficient).

    >>> form_json((((1, 1, 0), 2), ((0, 0, 1), -1)))
    [{'x': [0], 'a': ['0', '2']}, {'x': [1], 'a': ['-1']}]
    """
    found: dict[tuple[int, ...], dict[int, int]] = {}
    for (power, *others), c in terms:
        symbols = tuple(j for j, times in enumerate(others) for _ in range(times))
        found.setdefault(symbols, {})[power] = c
    ordered = sorted(found, key=lambda x: (len(x), x))
    return [{"x": list(x), "a": polynomial_json([found[x].get(k, 0) for k in range(max(found[x]) + 1)])} for x in ordered]


def _function_json(function: SymbolicFunction) -> dict[str, Any]:
    return {"num": form_json(function.numerator), "den": form_json(function.denominator)}


def _matrix_json(e: DeterminantEvidence) -> dict[str, Any]:
    if e.family is not None and e.level is None:
        return {"type": "geometric-prime" if e.family.prime else "geometric", "n": e.family.n}
    rows = []
    for given in e.matrix.rows():
        row = [e.matrix.field.zero if j == e.column else x for j, x in enumerate(given)]  # what is replaced does not matter
        if e.matrix.field == QQ:
            below, above = integer_vector(row)
            den, nums = (below,), [(p,) for p in above]
        else:
            den, nums = e.matrix.field.over_common_denominator(row)  # type: ignore[attr-defined]
        rows.append({"den": polynomial_json(den), "num": [polynomial_json(p) for p in nums]})
    return {"type": "rows", "rows": rows}


def _determinant(e: DeterminantEvidence, proved: bool) -> Parts:
    claim: dict[str, Any] = {"kind": "determinant" if proved else "not-determinant", "matrix": _matrix_json(e)}
    if e.column is not None:
        claim["column"] = e.column
    if proved:
        return {**claim, "formula": _function_json(e.determinant)}, Definitions(), {}
    assert e.formula is not None
    assert e.difference is not None
    a, *x = (str(value) for value in e.difference.point.values())
    claim |= {"formula": _function_json(e.formula), "point": {"a": a, "x": x} if x else {"a": a}}
    values = {"determinant": str(e.difference.determinant), "value": str(e.difference.formula)}
    return {**claim, **values}, Definitions(), {}


EVIDENCE = {DeterminantEvidence: _determinant}
