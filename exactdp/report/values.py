# SPDX-License-Identifier: MIT
"""Numbers, intervals, levels and tables as JSON, in the forms of the command line's contract.

>>> from exactdp.exact import ExponentialField, RationalFunctionField
>>> number_json(Rational(2, 4)), number_json(RationalFunctionField().gen)
('1/2', 'a')
>>> number_json(ExponentialField("1/10").gen)["t"]
'exp(-1/10)'
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from exactdp.exact import AlgebraicNumber, ExactMatrix, ExponentialNumber, Interval, Point, Rational, RationalFunction, RegionFunction
from exactdp.model import Epsilon, Graph, Mechanism, Neighbours, PrivacyLevel, Remap, Table, TightestLevel

if TYPE_CHECKING:
    from exactdp.analysis.privacy import Cell

DIGITS = 20
"""Digits after the point of an enclosure."""


def number_json(x: Any) -> Any:
    """A rational or a function of the level as text; a number over ε as ``{expr, t, enclosure}``.

    Parameters
    ----------
    x : Scalar
        Of any field.

    Returns
    -------
    str or dict
        ``t`` says what the letter in ``expr`` is (all letters, when there are several); the enclosure is two
        decimals around the number.
    """
    if isinstance(x, Rational) or not isinstance(x, ExponentialNumber) or x.rational is not None:
        return str(x)
    meanings = x.field.meanings
    low, high = x.enclosure(DIGITS)
    letters = next(iter(meanings.values())) if len(meanings) == 1 else meanings
    return {"expr": str(x), "t": letters, "enclosure": [_decimal(low), _decimal(high)]}


def _decimal(x: Rational) -> str:
    """A number with at most ``DIGITS`` decimals, written out.

    >>> _decimal(Rational("-1/8"))
    '-0.12500000000000000000'
    """
    scaled = abs(x.numerator) * 10**DIGITS // x.denominator
    return f"{'-' if x < 0 else ''}{scaled // 10**DIGITS}.{scaled % 10**DIGITS:0{DIGITS}d}"


def neighbours_json(near: Neighbours, why: str = "asked") -> dict[str, Any]:
    """Neighbours by name, kind and size, and why they were chosen.

    >>> neighbours_json(Graph.path(3))
    {'name': 'path:3', 'kind': 'graph', 'inputs': 3, 'edges': 2, 'why': 'asked'}
    """
    kind = "graph" if isinstance(near, Graph) else "metric"
    return {"name": str(near), "kind": kind, "inputs": len(near.vertices), "edges": len(near.pairs()), "why": why}


def point_json(x: Point) -> Any:
    """An end of an interval: a rational as text, another algebraic number as ``{poly, in}``."""
    rational = x.rational if isinstance(x, AlgebraicNumber) else x
    return str(rational) if rational is not None else x.to_json(DIGITS)  # type: ignore[union-attr]


def interval_json(interval: Interval) -> dict[str, Any]:
    """Both ends, and whether each is open or closed.

    >>> interval_json(Interval(0, "1/2", upper_closed=True))
    {'lower': '0', 'lower_end': 'open', 'upper': '1/2', 'upper_end': 'closed'}
    """
    return {
        "lower": point_json(interval.lower),
        "lower_end": "closed" if interval.lower_closed else "open",
        "upper": point_json(interval.upper),
        "upper_end": "closed" if interval.upper_closed else "open",
    }


def level_json(level: Any) -> dict[str, Any]:
    """A level, or the number α: ``alpha`` and ``epsilon``, each exact and, where it is irrational, enclosed.

    >>> level_json(TightestLevel("1/4"))["epsilon"]["expr"], level_json(TightestLevel("1/4"))["alpha"]
    ('ln(4)', '1/4')
    """
    if isinstance(level, (PrivacyLevel, TightestLevel)):
        found = level.as_tightest()
    elif isinstance(level, RationalFunction | RegionFunction):
        return {"alpha": str(level)}
    else:
        found = TightestLevel(level)
    if isinstance(found.ratio, RationalFunction | RegionFunction):
        return {"alpha": str(found)}
    return {"alpha": _alpha_json(found), "epsilon": epsilon_json(found.epsilon)}


def _alpha_json(level: TightestLevel) -> Any:
    """α as a number, or ratio^(1/distance) when it is irrational."""
    if level.value is not None:
        return number_json(level.value)
    low, high = level.enclosure(DIGITS)
    root = {"ratio": number_json(level.ratio), "distance": str(level.distance)}
    return {"expr": str(level), **root, "lower": _decimal(low), "upper": _decimal(high)}


def epsilon_json(epsilon: Epsilon) -> Any:
    """ε as text if it is rational or ∞ ("inf"), else its exact form and two decimals around it.

    >>> epsilon_json(Epsilon("1/2")), epsilon_json(Epsilon("ln(3)"))["upper"]
    ('1/2', '1.09861228866810969140')
    """
    if epsilon.rational is not None:
        return str(epsilon)
    if not epsilon.is_enclosed:
        return "inf"
    low, high = epsilon.enclosure(DIGITS)
    return {"expr": str(epsilon), "lower": _decimal(low), "upper": _decimal(high)}


def numbers_json(values: Iterable[Any]) -> list[Any]:
    """Some numbers, one after the other."""
    return [number_json(x) for x in values]


def rows_json(matrix: ExactMatrix) -> list[list[Any]]:
    """A matrix row by row."""
    return [numbers_json(row) for row in matrix.rows()]


def mechanism_json(mechanism: Mechanism | Table) -> dict[str, Any]:
    """Labels and rows, as JSON tables are read."""
    return {"inputs": list(mechanism.inputs), "outputs": list(mechanism.outputs), "rows": rows_json(mechanism.matrix)}


def remap_json(remap: Remap) -> dict[str, Any]:
    """Outputs, guesses and rows."""
    return {"outputs": list(remap.outputs), "guesses": list(remap.guesses), "rows": rows_json(remap.matrix)}


def cells_json(cells: Sequence[Cell], mechanism: Mechanism) -> list[dict[str, Any]]:
    """Privacy constraints by the labels of their inputs and output."""
    return [
        {
            "low": mechanism.inputs[c.low],
            "high": mechanism.inputs[c.high],
            "output": mechanism.outputs[c.output],
            "ratio": number_json(c.ratio),
            "distance": str(c.distance),
        }
        for c in cells
    ]
