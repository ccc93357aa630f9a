# SPDX-License-Identifier: MIT
"""Is this the determinant? det M, and det M(i, x) with column i replaced by x, as functions of the level.

The determinant is computed by fraction-free elimination over ℚ(α) and compared with exact rational
determinants at more levels than its degree allows two different functions to share. That of numbers is
computed over ℚ, and that of G and G′ from the tridiagonal K with K·G′ = (1−α²)·I. A closed form, the user's
or the paper's, equals it as a rational function, or differs from it at a rational level in (0, 1) that is
named, with both values.

The paper's closed forms are those of G and G′ [gs2010, Lemmas 1 and 2]. It numbers columns from 1 and calls
the order n; here columns are 0..n and the order is m = n + 1:

* det G′ = (1−α²)^(m−1);
* det G′(0, x) = (1−α²)^(m−2) (x_0 − α x_1), and its mirror image for the last column;
* between them det G′(i, x) = (1−α²)^(m−2) ((1+α²) x_i − α (x_(i−1) + x_(i+1))).

G is G′ with its columns multiplied by s_j = 1/(1+α) at both ends and (1−α)/(1+α) between, which gives
det G = (1−α)^(2m−3)/(1+α).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from math import gcd
from typing import Any

from exactdp.analysis.arguments import MechanismLike, as_level, as_table
from exactdp.analysis.letters.determinants import determinant_on_region
from exactdp.analysis.letters.statement import letters_in
from exactdp.analysis.verdict import Decision, Scope, Verdict, decided
from exactdp.errors import DefectiveAnswerError, DomainError, InputError, ParameterRangeError, ResourceLimitError, ShapeError, wrong_kind
from exactdp.exact import (
    QQ,
    ExactMatrix,
    Expression,
    Interval,
    Rational,
    RationalFunction,
    RationalFunctionField,
    SymbolField,
    SymbolicFunction,
    as_count,
    divisors,
    evaluate,
    nonzero_point,
    parse_expression,
    real_roots,
)
from exactdp.exact.identity import same_formula
from exactdp.mechanisms import geometric_prime
from exactdp.mechanisms.geometric import geometric_matrix
from exactdp.model.level import LevelLike
from exactdp.model.level_argument import takes_epsilon
from exactdp.runtime.budget import require_budget
from exactdp.runtime.progress import Listener, counted_off, report_phase

MAX_DEGREE, MAX_TERMS = 400, 4_000
"""Largest degree, and most terms, of the parts of a formula and of its divisors, in lowest terms."""


@dataclass(frozen=True, slots=True)
class GeometricMatrix:
    """G(n, α), or G′(n, α) if ``prime``; n ≥ 1."""

    n: int
    prime: bool

    @property
    def letter(self) -> str:
        """``G`` or ``G'``."""
        return "G'" if self.prime else "G"

    def closed_form(self, column: int | None, field: SymbolField, a: Any) -> SymbolicFunction:
        """The paper's closed form at the level a, an element of the field.

        >>> field = SymbolField(["a"])
        >>> print(GeometricMatrix(5, False).closed_form(None, field, field.symbol("a")))
        (1 - a)^9/(1 + a)
        """
        m = self.n + 1
        result = (1 - a * a) ** (m - 1 if column is None else m - 2)
        if column is not None:
            x = [field.symbol(f"x{j}") for j in range(m)]
            beside = [x[j] for j in (column - 1, column + 1) if 0 <= j < m]
            inside = 1 + a * a if len(beside) == 2 else field(1)
            result = result * (inside * x[column] - a * sum(beside, field(0)))
        if not self.prime:
            for j in range(m):
                if j != column:
                    result = result / (1 + a) if j in {0, m - 1} else result * (1 - a) / (1 + a)
        return result  # type: ignore[no-any-return]


def family_of(matrix: ExactMatrix) -> GeometricMatrix | None:
    """The matrix as G(n, α) or G′(n, α) over ℚ(α), n ≥ 1; None if it is neither.

    >>> from exactdp.exact import RationalFunctionField
    >>> family_of(geometric_prime(3, RationalFunctionField().gen))
    GeometricMatrix(n=3, prime=True)
    """
    n = matrix.shape[0] - 1
    if not isinstance(matrix.field, RationalFunctionField) or n < 1 or matrix.shape[1] != n + 1:
        return None
    gen = matrix.field.gen
    if same_formula(matrix[0, 0], 1) and matrix.same_formulas(geometric_prime(n, gen)):
        return GeometricMatrix(n, prime=True)
    return GeometricMatrix(n, prime=False) if matrix.same_formulas(geometric_matrix(n, as_level(gen))) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Where a formula and the determinant differ: values of the symbols, and of both there."""

    point: dict[str, Rational]
    determinant: Rational
    formula: Rational


@dataclass(frozen=True, slots=True, kw_only=True)
class Undefined:
    """A level in (0, 1) at which something that is divided by is zero (None: it depends on x)."""

    divisor: str
    level: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class DeterminantEvidence:
    """A determinant, and what a formula has to do with it.

    Attributes
    ----------
    matrix : ExactMatrix
        Over ℚ(α), or ℚ at one level.
    column : int or None
        The column that was replaced by x = (x0, …, xn).
    level : Rational or None
        The level at which the question was asked; None for all levels.
    family : GeometricMatrix or None
        What the matrix is, if it is G(n, α) or G′(n, α).
    determinant : SymbolicFunction
        As a function of a (and x); it prints factored.
    published : SymbolicFunction or None
        The paper's closed form, if it has one; ``published_agrees`` says whether it is the determinant.
    formula : SymbolicFunction or None
        The formula asked about, in lowest terms; ``text`` is what was given.
    quotient : SymbolicFunction or None
        formula / determinant, when the determinant is not zero.
    difference : Difference or None
        Where the two differ, when they do.
    undefined : tuple of Undefined
        Where in (0, 1) the formula, as written, or the matrix is not defined.
    """

    matrix: ExactMatrix
    column: int | None
    level: Rational | None
    family: GeometricMatrix | None
    determinant: SymbolicFunction
    published: SymbolicFunction | None = None
    formula: SymbolicFunction | None = None
    text: str | None = None
    quotient: SymbolicFunction | None = None
    difference: Difference | None = None
    undefined: tuple[Undefined, ...] = ()

    def in_sympy(self) -> Any:
        """The determinant, if no formula was asked about."""
        return self.determinant.to_sympy() if self.formula is None else None

    @property
    def published_agrees(self) -> bool:
        """Whether the paper's closed form is the determinant."""
        return self.published == self.determinant

    @property
    def source(self) -> str:
        """Where the published closed form is stated."""
        return f"Gupte and Sundararajan, Lemma {1 if self.column is None else 2}"

    @property
    def title(self) -> str:
        """The determinant in words, such as ``det G(5, a)``."""
        base = "M" if self.family is None else self.family.letter
        size = "" if self.family is None else f"({self.family.n}, a)"
        return f"det {base}{size}" if self.column is None else f"det {base}{size} with column {self.column} replaced by x"


@takes_epsilon
def determinant(
    matrix: MechanismLike,
    *,
    formula: str | Expression | None = None,
    column: int | None = None,
    level: LevelLike | None = None,
    progress: Listener | None = None,
) -> Verdict[DeterminantEvidence | Any]:
    """What is det M, for all levels, and is it what this formula says?

    Parameters
    ----------
    matrix : ExactMatrix, Mechanism, Table, text or rows
        (m, m) over ℚ(α) (:class:`~exactdp.exact.functions.RationalFunctionField`) or ℚ.
    formula : str or Expression, optional
        A closed form in ``a`` (``alpha``, ``α``), and ``x0``, …, ``x(m−1)`` if a column is replaced.
    column : int, optional
        Replace this column (0, …, m−1) by the symbolic vector x: det M(i, x) = Σ_j x_j · (cofactor of (j,
        i)).
    level : rational, optional
        Ask at this level only; otherwise for all levels, as an identity of rational functions.
    progress : callable, optional
        Told how far it is.

    Returns
    -------
    Verdict[DeterminantEvidence]
        Without a formula: proved, the determinant. With one: proved, or refuted with the quotient of the two
        and a point where they differ. With letters, also its sign on their region and where it is zero
        (:class:`~exactdp.analysis.letters.determinants.DeterminantOnRegion`).

    Raises
    ------
    ExpressionSyntaxError
        The text is no formula; carries ``position``.
    InputError
        The formula divides by something that is zero everywhere; a level is given, and nothing depends on it.
    ShapeError, ParameterRangeError
        The matrix is not square; the column is not one of it.
    ResourceLimitError
        The matrix is too large.

    Examples
    --------
    >>> from exactdp.exact import RationalFunctionField
    >>> from exactdp.mechanisms import geometric
    >>> G = geometric(5, RationalFunctionField().gen).matrix
    >>> verdict = determinant(G, formula="(1-a)^(2*6-3)/(1+a)")
    >>> print(verdict)
    PROVED  det G(5, a) = (1 - a)^9/(1 + a), the formula given
    for     all α in (0, 1), as an identity of rational functions
    >>> verdict = determinant(G, formula="(1-a)^(2*5-3)/(1+a)")
    >>> print(verdict.decision.value, verdict.evidence.quotient, verdict.evidence.difference.point["a"])
    refuted 1/(1 - a)^2 1/2
    """
    idle = level is not None and not depends_on_level(matrix, formula)
    matrix = matrix if isinstance(matrix, ExactMatrix) else as_table(matrix, level, name="matrix").matrix
    if formula is not None and not isinstance(formula, (str, Expression)):
        raise wrong_kind("formula", formula, "text such as '(1-a)^9/(1+a)'")
    size = _order(matrix, None if column is None else as_count(column, "column", least=-1))
    if letters_in(matrix):
        if level is not None:
            raise InputError("the matrix has letters of a region; give them numbers instead of a level", value=level)
        return determinant_on_region(matrix, column, formula)
    at = None if level is None else as_level(level).alpha
    if at is not None and not isinstance(at, Rational):
        raise InputError(f"the level {at} is not rational; without a level the answer is for all levels", value=at)
    if idle:
        message = f"the level {at} has no effect: neither the matrix nor a formula depends on it; leave it out"
        raise InputError(message, value=at)
    family, asked = family_of(matrix), _at_level(matrix, at)
    field = SymbolField(["a"] + ([] if column is None else [f"x{j}" for j in range(size)]))
    a = field.symbol("a") if at is None else field(at)
    if family is None:
        found = computed(asked, column, field, progress=progress)
    else:
        report_phase(progress, "tridiagonal inverse")
        found = _by_inverse(family, column, field, a)
    published = None if family is None else family.closed_form(column, field, a)
    evidence = DeterminantEvidence(
        matrix=asked, column=column, level=at, family=family, determinant=found, published=published, undefined=_poles(asked, column)
    )
    where = "" if at is None else f" at a = {at}"
    if formula is None:
        return Verdict(Decision.PROVED, f"{evidence.title} = {found}{where}", evidence, _scope(evidence))
    tree = parse_expression(formula, field.names[1:]) if isinstance(formula, str) else formula
    stated = _stated(tree, field, at)
    evidence = replace(
        evidence,
        formula=stated,
        text=formula if isinstance(formula, str) else str(tree),
        quotient=stated / found if found else None,
        difference=None if stated == found else _difference(asked, column, found, stated, at),
        undefined=evidence.undefined + (_zero_divisors(tree, field) if at is None else ()),
    )
    claim, difference = f"{evidence.title} = {evidence.text}{where}", evidence.difference
    if difference is not None:
        point = ", ".join(f"{name} = {x}" for name, x in difference.point.items() if at is None or name != "a")
        values = f"it is {difference.determinant}, and the formula {difference.formula}"
        claim = f"{evidence.title} is not {evidence.text}{where}: {f'at {point} ' if point else ''}{values}"
    return Verdict(decided(difference is None), claim, evidence, _scope(evidence))


def depends_on_level(matrix: MechanismLike, formula: str | Expression | None = None) -> bool:
    """Whether an entry of the matrix, or the formula beside it, is a function of the level.

    >>> depends_on_level("geometric:n=2"), depends_on_level("geometric:n=2,alpha=1/2")
    (True, False)
    """
    if formula is not None and re.search("[aα]", str(formula)):
        return True
    try:
        entries = matrix if isinstance(matrix, ExactMatrix) else as_table(matrix).matrix
    except InputError:
        return True  # a word that needs a level, or no matrix at all
    return any(isinstance(x, RationalFunction) and x.rational is None for row in entries.rows() for x in row)


def _scope(e: DeterminantEvidence) -> Scope:
    over = "" if e.column is None else " and all vectors x"
    if e.level is not None:
        return Scope(f"α = {e.level}", note=over)
    levels = ", ".join(sorted({str(one.level) for one in e.undefined if one.level is not None}))
    note = f"{f' except {levels}' if levels else ''}{over}, as an identity of rational functions"
    return Scope("all", letter="α", interval=Interval(0, 1), note=note)


def _order(matrix: ExactMatrix, column: int | None) -> int:
    size, width = matrix.shape
    if size != width:
        message = f"a determinant needs a square matrix, this one is {size}×{width}"
        raise ShapeError(message, expected="square", got=matrix.shape)
    if column is not None and not 0 <= column < size:
        allowed = f"0..{size - 1}"
        message = f"there is no column {column}; the columns are {allowed}"
        raise ParameterRangeError(message, name="column", value=column, allowed=allowed)
    return size


def _at_level(matrix: ExactMatrix, at: Rational | None) -> ExactMatrix:
    """The matrix itself, or its value at a level."""
    if isinstance(matrix.field, RationalFunctionField):
        if at is None:
            return matrix
        known: dict[int, Rational] = {}  # of the entries, of which many are one object
        rows = list(matrix.rows())
        for x in (x for row in rows for x in row):
            if id(x) not in known:
                known[id(x)] = x.evaluate(at)
        return ExactMatrix([[known[id(x)] for x in row] for row in rows])
    if matrix.field != QQ:
        raise InputError(f"a determinant is computed over ℚ(α) or ℚ, not over {matrix.field.name}", field=matrix.field)
    return matrix


def _stated(tree: Expression, field: SymbolField, at: Rational | None) -> SymbolicFunction:
    values = {name: field.symbol(name) for name in field.names}
    if at is not None:
        values["a"] = field(at)
    result: SymbolicFunction = evaluate(tree, values, field)
    return _bounded(result)


def _bounded(function: SymbolicFunction) -> SymbolicFunction:
    """A function small enough to be factored."""
    for part in (function.numerator, function.denominator):
        degree = max((sum(powers) for powers, _ in part), default=0)
        if degree > MAX_DEGREE or len(part) > MAX_TERMS:
            got = f"a polynomial of degree {degree} with {len(part)} terms"
            limits = f"the limits are {MAX_DEGREE} and {MAX_TERMS}"
            message = f"the formula has {got}; {limits}"
            raise ResourceLimitError(message, limit=(MAX_DEGREE, MAX_TERMS), got=(degree, len(part)))
    return function


def computed(matrix: ExactMatrix, column: int | None, field: SymbolField, *, progress: Listener | None = None) -> SymbolicFunction:
    """The determinant, with the column (if any) replaced by x0, x1, …: by elimination, confirmed by values.

    That of numbers is FLINT's, of a matrix of integers, and once.

    >>> from exactdp.exact import RationalFunctionField
    >>> a = RationalFunctionField().gen
    >>> print(computed(ExactMatrix([[1, a], [a, 1]], a.field), 0, SymbolField(["a", "x0", "x1"])))
    x0 - a*x1
    """
    size = matrix.shape[0]
    require_budget(f"the determinant of order {size}", steps=size**3)
    degrees = _degrees(matrix)
    what = f"the determinant of order {size} and degree up to {sum(degrees)}" + (" for all levels (ask at one)" if any(degrees) else "")
    require_budget(what, steps=size**3 * (1 + sum(degrees)) * (1 if column is None else size))
    report_phase(progress, "elimination")
    if column is None:
        found: SymbolicFunction = field(matrix.det())
        if matrix.field == QQ:
            return found  # a second computation would be the same one
    else:
        kept = [j for j in range(size) if j != column]
        rows = [[*(field(row[j]) for j in kept), field.symbol(f"x{i}")] for i, row in enumerate(matrix.rows())]
        found = ExactMatrix(rows, field).det() * (-1) ** (size - 1 - column)
    _confirm(matrix, column, found, sum(degrees), progress)
    return found


def _by_inverse(family: GeometricMatrix, column: int | None, field: SymbolField, a: SymbolicFunction) -> SymbolicFunction:
    """The determinant of G or G′ from that of K, where K·G′ = (1−a²)·I, of order m = n + 1.

    det G′ = (1−a²)^m/det K, and det K is a continuant: D_k = K_kk·D_(k−1) − a²·D_(k−2). By Cramer's rule
    det G′(i, x) = det G′·(K x)_i/(1−a²).

    >>> field = SymbolField(["a"])
    >>> print(_by_inverse(GeometricMatrix(5, False), None, field, field.symbol("a")))
    (1 - a)^9/(1 + a)
    """
    m, one = family.n + 1, field(1)
    before, continuant = field(0), one
    diagonal = [one, *[1 + a * a] * (m - 2), one]
    for k in diagonal:
        before, continuant = continuant, k * continuant - a * a * before
    result = (1 - a * a) ** m / continuant
    if column is not None:
        x = [field.symbol(f"x{j}") for j in range(m)]
        beside = [x[j] for j in (column - 1, column + 1) if 0 <= j < m]
        result = result * (diagonal[column] * x[column] - a * sum(beside, field(0))) / (1 - a * a)
    if not family.prime:
        ends = sum(1 for j in (0, m - 1) if j != column)
        inside = m - ends - (column is not None)
        result = result * (1 - a) ** inside / (1 + a) ** (ends + inside)
    return result  # type: ignore[no-any-return]


def _degrees(matrix: ExactMatrix) -> list[int]:
    """For each row, a bound of the degrees of its entries and its denominator over a common denominator."""
    if matrix.field == QQ:
        return [0] * matrix.shape[0]
    bounds = []
    for row in matrix.rows():
        below, above = matrix.field.over_common_denominator(row)  # type: ignore[attr-defined]
        bounds.append(max(len(p) - 1 for p in (below, *above)))
    return bounds


def _confirm(matrix: ExactMatrix, column: int | None, found: SymbolicFunction, degree: int, progress: Listener | None) -> None:
    """Compare with rational determinants at so many levels that a polynomial identity of this degree
    follows.
    """
    degree += max(powers[0] for part in (found.numerator, found.denominator) for powers, _ in part or [((0,), 0)])
    places: dict[Any, int] = {}
    layout = [[places.setdefault(x, len(places)) for x in row] for row in matrix.rows()]
    level = Rational(1)
    for _ in counted_off(range(degree + 1), progress, "second computation", "values"):
        values: list[Rational] | None = None
        while values is None:
            level = level + 1
            try:
                values = [x if isinstance(x, Rational) else x.evaluate(level) for x in places]
            except DomainError:  # a pole
                continue
        _compare([[values[k] for k in row] for row in layout], column, found, level)


def _compare(rows: list[list[Rational]], column: int | None, found: SymbolicFunction, level: Rational) -> None:
    """At one level, for every unit vector in place of the column."""
    symbols = found.field.names[1:]
    for j in range(max(1, len(symbols))):
        point = {name: Rational(int(i == j)) for i, name in enumerate(symbols)}
        for name, row in zip(symbols, rows, strict=False):
            row[column or 0] = point[name]
        if ExactMatrix(rows).det() != found.value({"a": level, **point}):
            message = f"two computations of a determinant differ at a = {level}; please report this"
            raise DefectiveAnswerError(message, function=found)


def _levels() -> Iterator[Rational]:
    """1/2, 1/3, 2/3, 1/4, 3/4, …"""
    return (Rational(p, q) for q in count(2) for p in range(1, q) if gcd(p, q) == 1)


def _difference(
    matrix: ExactMatrix, column: int | None, found: SymbolicFunction, stated: SymbolicFunction, at: Rational | None
) -> Difference:
    field = found.field
    entries = {x for row in matrix.rows() for j, x in enumerate(row) if j != column}
    defined = [found, stated, *(field(x) for x in entries if not isinstance(x, Rational))]
    point = nonzero_point([found - stated], defined, _levels() if at is None else iter([at]))
    if point is None:
        message = "no point was found at which two different functions differ; please report this"
        raise DefectiveAnswerError(message, formula=stated)
    return Difference(point=point, determinant=found.value(point), formula=stated.value(point))


def _poles(matrix: ExactMatrix, column: int | None) -> tuple[Undefined, ...]:
    """The levels at which an entry that stays is not defined."""
    each = {id(x): x for row in matrix.rows() for j, x in enumerate(row) if j != column}  # many are one object
    entries = {x for x in each.values() if not isinstance(x, Rational)}
    field = SymbolField(["a"])
    functions = [field(matrix.field.quotient(d)) for d in sorted({x.denominator for x in entries})]  # type: ignore[attr-defined]
    return tuple(zero for f in functions for zero in _zeros(f, f"an entry's denominator {f}"))


def _zero_divisors(tree: Expression, field: SymbolField) -> tuple[Undefined, ...]:
    """The levels at which the formula divides by zero, each divisor and level once."""
    found: dict[Undefined, None] = {}
    for divisor in divisors(tree):
        function, words = _bounded(field.read(divisor)), f"the formula's divisor {divisor}"
        depends = any(any(powers[1:]) for powers, _ in function.numerator)
        found |= dict.fromkeys([Undefined(divisor=words, level=None)] if depends else _zeros(function, words))
    return tuple(found)


def _zeros(function: SymbolicFunction, words: str) -> list[Undefined]:
    """The zeros of a function of the level in (0, 1)."""
    return [Undefined(divisor=words, level=x) for x, _ in real_roots(function.coefficients(), Interval(0, 1))]
