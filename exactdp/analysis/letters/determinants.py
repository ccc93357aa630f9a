# SPDX-License-Identifier: MIT
"""The determinant of a matrix with letters: what it is, its sign on the region, and where it is zero."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from exactdp.analysis.letters.conditions import Conditions, reduced
from exactdp.analysis.letters.requirements import Fault, Requirement, small_points
from exactdp.analysis.letters.statement import at_point, region_field
from exactdp.analysis.verdict import Decision, Scope, Verdict, decided, scope_of
from exactdp.errors import DefectiveAnswerError, DomainError, InputError
from exactdp.exact import (
    ExactMatrix,
    Expression,
    Rational,
    Region,
    RegionField,
    RegionFunction,
    SymbolField,
    SymbolicFunction,
    divisors,
    evaluate,
    parse_expression,
)
from exactdp.exact.formula import LEVEL
from exactdp.exact.identity import is_zero
from exactdp.exact.region_functions import place

CONFIRMED = 12
"""At so many points the determinant is computed a second time, of numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PointOfDifference:
    """Where a formula and the determinant differ: values of the letters, and of both there."""

    point: dict[str, Rational]
    determinant: Rational
    formula: Rational


@dataclass(frozen=True, kw_only=True)
class DeterminantOnRegion:
    """A determinant with letters, and what a formula has to do with it.

    Attributes
    ----------
    matrix, column
        What was asked about; column ``column`` is replaced by x0, x1, ….
    region : Region
        Of the letters.
    determinant : SymbolicFunction
        As a function of the letters (and x0, x1, …); it prints factored.
    zero : Conditions or None
        Where it is 0; None with a column.
    sign : int or None
        1 or −1: at no point it has the other sign; 0: it is 0 everywhere; None: that is not so, or not known.
    formula, text
        The formula asked about in lowest terms, and as it was given.
    quotient : SymbolicFunction or None
        formula / determinant, when the determinant is not zero.
    difference : PointOfDifference or None
        Where the two differ, when they do.
    undefined : tuple of str
        Where in the region the formula, as written, divides by zero.
    """

    matrix: ExactMatrix
    column: int | None
    region: Region
    determinant: SymbolicFunction
    zero: Conditions | None = None
    sign: int | None = None
    formula: SymbolicFunction | None = None
    text: str | None = None
    quotient: SymbolicFunction | None = None
    difference: PointOfDifference | None = None
    undefined: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The determinant in words."""
        return "det M" if self.column is None else f"det M with column {self.column} replaced by x"

    def in_sympy(self) -> Any:
        """The determinant, if no formula was asked about."""
        return self.determinant.to_sympy() if self.formula is None else None

    @property
    def sign_text(self) -> str:
        """Its sign, and where it is 0."""
        if self.zero is None:
            return ""
        words = {1: "positive", -1: "negative"}
        if self.sign == 0:
            return "0 at every point"
        if self.zero.never is not None:
            return f"{words[self.sign]} at every point" if self.sign else "zero at no point"
        where = f"zero {self.zero.words()}"
        return f"{words[self.sign]} elsewhere, {where}" if self.sign else where


def determinant_on_region(matrix: ExactMatrix, column: int | None, formula: str | Expression | None) -> Verdict[DeterminantOnRegion]:
    """What is the determinant of a square matrix with letters, and is it what this formula says?

    * ``matrix``: (m, m) over a field of functions on a region.
    * ``column``: this column is replaced by the symbols x0, …, x(m−1), which must not be letters.
    * ``formula``: in the letters, and the symbols.

    >>> from exactdp.exact import RegionField
    >>> F = RegionField(Region({"p": "(0, 1/2)", "q": "(0, 1/2)"}))
    >>> M = ExactMatrix([[F("1-p"), F("p")], [F("q"), F("1-q")]])
    >>> verdict = determinant_on_region(M, None, "1 - p - q")
    >>> print(verdict)
    PROVED  det M = 1 - q - p, the formula given
    for     every p, q with 0 < p < 1/2, 0 < q < 1/2
    >>> print(verdict.evidence.sign_text)
    positive at every point
    """
    field = region_field(matrix)
    size = matrix.shape[0]
    extra = [] if column is None else [f"x{i}" for i in range(size)]
    clash = set(extra) & set(field.names)
    if clash:
        raise DomainError(f"the letter {min(clash)} is also the name of an entry of x; give the letter another name")
    symbols = SymbolField([*field.names, *extra])
    rows = [[_symbolic(field(x), symbols) for x in row] for row in matrix.rows()]
    if column is not None:
        for i, row in enumerate(rows):
            row[column] = symbols.symbol(f"x{i}")
    found: SymbolicFunction = symbols(ExactMatrix(rows, symbols).det())
    _confirm(matrix, column, found, field.region)
    facts: dict[str, Any] = {"matrix": matrix, "column": column, "region": field.region, "determinant": found}
    if column is None:
        value = field.quotient(found.numerator, found.denominator)
        facts |= {"zero": reduced(field, [Requirement(value, True, Fault("determinant", 0))], "det M = 0"), "sign": _sign(value)}
    if formula is None:
        evidence = DeterminantOnRegion(**facts)
        told = f", {evidence.sign_text}," if evidence.zero is not None else ""
        return Verdict(Decision.PROVED, f"{evidence.title} = {found}{told} for all {field.region}", evidence, _scope(evidence))
    tree = parse_expression(formula, symbols.names) if isinstance(formula, str) else formula
    stated = _read(tree, symbols)
    difference = None if stated == found else _difference(found, stated, field.region, extra)
    text = formula if isinstance(formula, str) else str(tree)
    undefined = tuple(dict.fromkeys(words for divisor in divisors(tree) if (words := _zeros(divisor, symbols, field))))
    quotient = stated / found if found else None
    evidence = DeterminantOnRegion(**facts, formula=stated, text=text, quotient=quotient, difference=difference, undefined=undefined)
    claim = f"{evidence.title} = {text} for all {field.region}{', wherever the formula is defined' if undefined else ''}"
    if difference is not None:
        values = f"it is {difference.determinant}, and the formula {difference.formula}"
        claim = f"{evidence.title} is not {text}: at {place(difference.point)}, in {field.region}, {values}"
    return Verdict(decided(difference is None), claim, evidence, _scope(evidence))


def _scope(e: DeterminantOnRegion) -> Scope:
    words = scope_of(region_field(e.matrix)).words
    note = "" if e.column is None else " and all vectors x"
    if e.undefined:
        note += f", as an identity of rational functions: the formula is not defined where {' or where '.join(e.undefined)}"
    return Scope(words, note=note)


def _read(tree: Expression, symbols: SymbolField) -> SymbolicFunction:
    """The function that a formula denotes; InputError if it has other letters."""
    letters = {LEVEL[0] if name in LEVEL else name: symbols.symbol(name) for name in symbols.names}
    try:
        result: SymbolicFunction = symbols(evaluate(tree, letters, symbols))
    except KeyError as unknown:
        raise InputError(
            f"the formula has the letter {unknown.args[0]}, and the matrix {', '.join(symbols.names)}", value=str(tree)
        ) from None
    return result


def _zeros(divisor: Expression, symbols: SymbolField, field: RegionField) -> str:
    """Where a divisor of a formula is zero; empty if that is nowhere."""
    function = _read(divisor, symbols)
    if any(any(powers[len(field.names) :]) for powers, _ in function.numerator):
        return f"{function} = 0"
    above = field.quotient(tuple((powers[: len(field.names)], c) for powers, c in function.numerator))
    where = reduced(field, [Requirement(above, True, Fault("determinant", 0))], "")
    return "" if where.never is not None else " and ".join(map(str, where.conditions))


def _symbolic(x: RegionFunction, symbols: SymbolField) -> SymbolicFunction:
    """The same function of the letters without an order, among more symbols."""
    more = (0,) * (len(symbols.names) - len(x.field.names))
    above, below = (tuple(((*powers, *more), c) for powers, c in part) for part in (x.numerator, x.denominator))
    result: SymbolicFunction = symbols.quotient(above, below)
    return result


def _sign(value: RegionFunction) -> int | None:
    return 0 if is_zero(value) else value.sign_on_region().sign


def _confirm(matrix: ExactMatrix, column: int | None, found: SymbolicFunction, region: Region) -> None:
    """The determinant at some points, where it is that of numbers."""
    for point, _ in zip(small_points(region), range(CONFIRMED), strict=False):
        rows = [list(row) for row in at_point(matrix, point).rows()]
        units = range(matrix.shape[0]) if column is not None else [0]
        for j in units:
            x = {} if column is None else {f"x{i}": Rational(int(i == j)) for i in range(len(rows))}
            if column is not None:
                for row, value in zip(rows, x.values(), strict=True):
                    row[column] = value
            if ExactMatrix(rows).det() != found.value({**point, **x}):
                raise DefectiveAnswerError(
                    f"two computations of a determinant differ at {place(point)}; please report this", function=found
                )


def _difference(found: SymbolicFunction, stated: SymbolicFunction, region: Region, extra: list[str]) -> PointOfDifference:
    """A point of the region at which two different functions differ."""
    for point in _points(region, extra):
        try:
            x, y = found.value(point), stated.value(point)
        except ZeroDivisionError:
            continue
        if x != y:
            return PointOfDifference(point=point, determinant=x, formula=y)
    message = "no point was found at which the formula and the determinant differ, though they are different functions"
    raise DomainError(message)


def _points(region: Region, extra: list[str]) -> Iterator[dict[str, Rational]]:
    values = [{}] if not extra else [dict(zip(extra, map(Rational, xs), strict=True)) for xs in product((0, 1), repeat=min(len(extra), 8))]
    if len(extra) > 8:
        values = [{name: Rational(int(name == one)) for name in extra} for one in extra]
    for points in (small_points(region), region.points(2000)):
        for point in points:
            for x in values:
                yield {**point, **x}
