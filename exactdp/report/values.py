# SPDX-License-Identifier: MIT
"""Exact numbers, intervals, levels and tables for people and, in the forms of the contract, as JSON.

For people there are decimals beside fractions, rounded from the exact number, never by a float.

>>> from exactdp.exact import ExponentialField, RationalFunctionField
>>> number_json(Rational(2, 4)), number_json(RationalFunctionField().gen)
('1/2', 'a')
>>> number_json(ExponentialField("1/10").gen)["t"]
'exp(-1/10)'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from exactdp.exact import AlgebraicNumber, ExactMatrix, ExponentialNumber, Interval, Point, Rational, RationalFunction, RegionFunction
from exactdp.exact.decimals import decimal_text, nearest_text
from exactdp.model import Epsilon, Graph, Mechanism, Neighbours, PrivacyLevel, Remap, Table, TightestLevel
from exactdp.model.tightest_level import is_radical

if TYPE_CHECKING:
    from exactdp.analysis.privacy_cells import Cell

LONG_RUN = 40
"""A run of digits longer than this is shortened."""


LONG_SUM = 24
"""A polynomial of more terms than this is shortened."""

LONG_SET = 12
"""A set of more entries than this is shortened."""

_TERM = r"(?:[0-9]+(?:/[0-9]+)?)?(?:\*?[a-z][0-9]*(?:\^[0-9]+)?)*"


def elide(text: str) -> str:
    """The text without the middle of very long runs of digits, sums and sets; how long they are is said.

    Of a fraction each of the two is shortened, so that it stays a fraction.

    >>> elide("1/" + "7" * 50)
    '1/777777777777…777777777777[50 digits]'
    >>> elide("(" + " + ".join(f"a^{k}" for k in range(40)) + ")/2")
    '(a^0 + a^1 + …[40 terms] + a^39)/2'
    """
    text = re.sub(r"\{[^{}]*\}", lambda found: _shorter_set(found[0]), text)
    text = _shorter_sums(text) if text.count(" + ") + text.count(" - ") >= LONG_SUM else text
    return re.sub(rf"[0-9]{{{LONG_RUN + 1},}}", lambda run: f"{run[0][:12]}…{run[0][-12:]}[{len(run[0])} digits]", text)


def _shorter_set(text: str) -> str:
    """A set in braces, of many entries the first four and the last."""
    entries = text.split(", ")
    return text if len(entries) <= LONG_SET else ", ".join([*entries[:4], f"…[{len(entries)} entries]", entries[-1]])


def _shorter_sums(text: str) -> str:
    """The text, its sums of many terms with the first two and the last."""
    parts = re.split(r"( [+-] )", text)
    kept, run = parts[:1], list[str]()
    for sign, term, following in zip(parts[1::2], parts[2::2], [*parts[3::2], None], strict=True):
        inner = following is not None and term != "" and re.fullmatch(_TERM, term)
        if inner:
            run += [sign, term]
            continue
        terms = len(run) // 2 + 2  # the first and the last may have something before or after them
        kept += run if terms <= LONG_SUM else [*run[:2], f" + …[{terms} terms]"]
        kept += [sign, term]
        run = []
    return "".join(kept)


def approximation(x: Rational, digits: int = 6) -> str:
    """``= 0.25`` or ``≈ 0.333333``.

    >>> approximation(Rational("1/4")), approximation(Rational("1/3"))
    ('= 0.25', '≈ 0.333333')
    """
    shown, exact = decimal_text(x, digits)
    return f"{'=' if exact else '≈'} {shown}"


def rounded_text(x: ExponentialNumber, digits: int = 6) -> str:
    """The decimal nearest to a number over ε: both ends of a narrow enclosure round to it.

    >>> from exactdp.exact import ExponentialField
    >>> rounded_text(ExponentialField(1).gen), rounded_text(ExponentialField(30).gen, 3)
    ('0.367879', '9.36e-14')
    """
    return nearest_text(x.enclosure, digits)


def brief_number(x: object, *, approx: bool | None = None, full: bool = False) -> str:
    """A number as text: the fraction, with a decimal beside it when it is long (or as ``approx`` says).

    >>> brief_number(Rational("1/3")), brief_number(Rational("1/3"), approx=True)
    ('1/3', '1/3 (≈ 0.333333)')
    """
    text = str(x)
    shown = text if full else elide(text)
    if isinstance(x, ExponentialNumber) and approx is not False and x.rational is None:
        return f"{shown} (≈ {rounded_text(x)})"
    if isinstance(x, Rational) and x.denominator != 1 and (approx or (approx is None and len(text) > 16)):
        return f"{shown} ({approximation(x)})"
    return shown


DIGITS = 20
"""Digits after the point of an enclosure."""


def number_json(x: Any) -> Any:
    """A rational or a function of the level as text; a number over ε as ``{expr, t, enclosure}``.

    * ``x``: of any field.

    Returns: ``t`` says what the letter in ``expr`` is (all letters, when there are several); the enclosure is
    two decimals around the number.
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
    kind, edges = ("graph", len(near.edges)) if isinstance(near, Graph) else ("metric", len(near.pairs()))
    return {"name": str(near), "kind": kind, "inputs": len(near.vertices), "edges": edges, "why": why}


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
    if is_radical(level.value):
        level = TightestLevel(level.epsilon.ratio, level.epsilon.distance)
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
