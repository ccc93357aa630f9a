# SPDX-License-Identifier: MIT
"""Φ at all levels: when is there a tight-constraints mechanism, when is a prior regular, when is Φ singular?

*Exactly.* On the cells of Φ the system B(α)·z = b is solved over ℚ(α). Signs can change only at the roots in
(0, 1) of det B and of the entries of z. Between two of them one rational level decides; at each of them the
question is asked in the field of that algebraic number. The answer is a finite union of intervals with
algebraic ends, and on every piece a witness that is valid on all of it: z(α) ≥ 0, or Farkas' w(α).

*Between two decimals,* for graphs too large for all levels at once. Balls propose where the least entry of z
crosses zero; then two neighbouring decimals are decided as any other level is. Nothing is claimed between
them.

*For all small graphs.* Every connected graph of a size is classified by its exact set of levels, and the
smallest graph of each class is kept as a witness.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from exactdp.analysis.arguments import Arguments, as_neighbours
from exactdp.analysis.letters.constraints import singular_on_region
from exactdp.analysis.letters.statement import letters_in
from exactdp.analysis.tight.regular_priors import farkas_fails, solution_fails
from exactdp.analysis.tight.tight_mechanism import TightEvidence, middle_of_least, tight_mechanism
from exactdp.analysis.verdict import Decision, Scope, Verdict, decided, scope_of
from exactdp.analysis.wording import at_level, union_text
from exactdp.errors import DefectiveAnswerError, DomainError, ResourceLimitError
from exactdp.exact import AlgebraicNumber, ExactMatrix, Interval, Point, Rational, RationalFunctionField, as_count, real_roots
from exactdp.exact.cached import cached_property
from exactdp.exact.decimals import fixed_text
from exactdp.exact.elimination import row_echelon
from exactdp.exact.identity import is_nonzero
from exactdp.exact.intervals import set_to_sympy
from exactdp.exact.number_field import NumberField
from exactdp.exact.piecewise import Piece, Piecewise
from exactdp.model import Epsilon, LevelLike, Neighbours, NeighboursLike, Prior, PriorLike, PrivacyLevel
from exactdp.model.constraint_matrix import Cells, ConstraintMatrix
from exactdp.model.level_argument import takes_epsilon
from exactdp.model.small_graphs import connected_graphs
from exactdp.runtime.progress import Listener, counted_off, part_of, report_phase
from exactdp.search.tight_solutions import nonnegative_solution

MAX_CELLS = 60
"""Most cells for which a system over ℚ(α) is solved."""


@dataclass(frozen=True, kw_only=True)
class SingularEvidence:
    """Φ at a level, its determinant, and a vector v ≠ 0 of its null space (Φ·v = 0) or its inverse."""

    neighbours: Neighbours
    level: PrivacyLevel
    determinant: Any
    null_vector: tuple[Any, ...] | None = None
    inverse: ExactMatrix | None = None


@takes_epsilon
def is_singular(neighbours: NeighboursLike, level: LevelLike) -> Verdict[SingularEvidence | Any]:
    """Is det Φ = 0 at this level? For a letter: at every level of its interval, or at none.

    With letters on a region, whether it is so at every point
    (:class:`~exactdp.analysis.letters.constraints.SingularOnRegion`).

    Raises
    ------
    UndecidedSignError
        The determinant vanishes at some levels of the interval; names them.

    Examples
    --------
    >>> from exactdp.model import Graph
    >>> halves = Graph(range(8), [(i, j) for i in range(4) for j in range(4, 8)])
    >>> answer = is_singular(halves, "1/3")
    >>> answer.proved, len(set(answer.evidence.null_vector))
    (True, 2)
    """
    asked = Arguments(neighbours=neighbours, level=level)
    neighbours, alpha = asked.neighbours, asked.level
    if letters_in(alpha):
        return singular_on_region(neighbours, alpha, is_singular)
    matrix = ConstraintMatrix.of(neighbours)
    phi = matrix.at(alpha)
    determinant = phi.det()
    singular = not determinant.sign()
    evidence = SingularEvidence(
        neighbours=neighbours,
        level=alpha,
        determinant=determinant,
        null_vector=_null_vector(phi) if singular else None,
        inverse=None if singular else phi.inverse(),
    )
    claim = f"Φ is {'' if singular else 'non-'}singular for {at_level(neighbours, alpha)}"
    return Verdict(decided(singular), claim, evidence, scope_of(alpha))


def _null_vector(matrix: ExactMatrix) -> tuple[Any, ...]:
    """The v with matrix·v = 0 that is 1 in the first column without a pivot, and 0 in all later ones."""
    rows, field = [list(row) for row in matrix.rows()], matrix.field
    pivots, _ = row_echelon(rows, nonzero=lambda x: x.sign() != 0)
    free = next(c for c in range(len(rows)) if c not in pivots)
    return (*(-rows[c][free] for c in range(free)), field.one, *[field.zero] * (len(rows) - free - 1))


class LevelAnswer(NamedTuple):
    """The answer on a piece: whether there is a solution z ≥ 0, and z or Farkas' w on the cells.

    The witness has rational functions on an interval; at a point numbers of its field.
    """

    holds: bool
    witness: tuple[Any, ...]


@dataclass(frozen=True, kw_only=True)
class SolvableLevels:
    """The levels in (0, 1) for which Φ·z = b has a solution z ≥ 0.

    Attributes
    ----------
    neighbours : Graph or Metric
        What was asked about.
    prior : Prior or None
        b; None for b = 1, that is, for tight-constraints mechanisms.
    cells : Cells
        On which the witnesses are constant.
    pieces : Piecewise of LevelAnswer
        On (0, 1).
    determinant : RationalFunction
        det B, whose roots are singular levels of Φ (there may be more).
    """

    neighbours: Neighbours
    prior: Prior | None
    cells: Cells
    pieces: Piecewise[LevelAnswer]
    determinant: Any

    @cached_property
    def intervals(self) -> tuple[Interval, ...]:
        """The levels at which there is a solution, as few intervals as possible."""
        return self.pieces.where(lambda answer: answer.holds)

    def in_sympy(self) -> Any:
        """The set of levels at which there is a solution."""
        return set_to_sympy(self.intervals)

    @property
    def always(self) -> bool:
        """Whether there is a solution at every level."""
        return all(answer.holds for answer in self.pieces.values)

    @property
    def monotone(self) -> bool:
        """Whether a solution at a level implies one at every smaller level (every larger ε)."""
        return not self.intervals or (len(self.intervals) == 1 and self.intervals[0].lower == 0)

    def at(self, level: Point) -> bool:
        """Whether there is a solution at this level."""
        return self.pieces.at(level).holds


def tight_levels(neighbours: NeighboursLike, *, progress: Listener | None = None) -> Verdict[SolvableLevels]:
    """For exactly which levels is there a tight-constraints mechanism?

    Parameters
    ----------
    neighbours : Graph or Metric
        Integer distances; at most 60 cells.
    progress : callable, optional
        Told how far it is.

    Returns
    -------
    Verdict[SolvableLevels]
        Proved, for every level in (0, 1): the set, with a witness on every piece of (0, 1).

    Raises
    ------
    ResourceLimitError
        More than 60 cells.
    DomainError
        A distance is not an integer.

    Examples
    --------
    >>> from exactdp.model import neighbours
    >>> [str(i) for i in tight_levels(neighbours("star:4")).evidence.intervals]
    ['(0, 1/2]']
    """
    return _solvable_levels(as_neighbours(neighbours), None, progress)


def regular_levels(neighbours: NeighboursLike, prior: PriorLike, *, progress: Listener | None = None) -> Verdict[SolvableLevels]:
    """For exactly which levels is this prior regular?

    Examples
    --------
    >>> from exactdp.model import neighbours
    >>> answer = regular_levels(neighbours("complete:4"), Prior(["1/5", "1/5", "1/5", "2/5"]))
    >>> print(answer.claim)
    the prior (0: 1/5, 1: 1/5, 2: 1/5, 3: 2/5) is regular for complete:4 exactly at the levels in (0, 1/2]
    """
    asked = Arguments(neighbours=neighbours, prior=prior)
    return _solvable_levels(asked.neighbours, asked.prior, progress)


def determinant_of(neighbours: Neighbours) -> Any:
    """The determinant of Φ as a polynomial in the level, over ℚ(α).

    >>> from exactdp.model import neighbours
    >>> print(determinant_of(neighbours("path:3")))
    a^4 - 2*a^2 + 1
    """
    matrix = ConstraintMatrix.of(neighbours)
    _check(matrix.neighbours, len(matrix))
    return matrix.at(PrivacyLevel(RationalFunctionField().gen)).det()


def singular_levels(neighbours: NeighboursLike) -> tuple[Point, ...]:
    """Every level in (0, 1) at which Φ is singular.

    >>> from exactdp.model import Graph, neighbours
    >>> singular_levels(neighbours("path:5"))
    ()
    >>> halves = Graph(range(8), [(i, j) for i in range(4) for j in range(4, 8)])
    >>> singular_levels(halves)
    (Rational('1/3'),)
    """
    return tuple(x for x, _ in real_roots(determinant_of(as_neighbours(neighbours)).numerator, Interval(0, 1)))


def _check(neighbours: Neighbours, size: int) -> None:
    if size > MAX_CELLS:
        raise ResourceLimitError(f"a system of {size} cells over Q(a); the limit is {MAX_CELLS}", limit=MAX_CELLS, got=size)
    for _, _, d in neighbours.pairs():
        if d.rational is None or d.rational.denominator != 1:
            raise DomainError(f"the distance {d} is not an integer: a^d is no rational function of the level", distance=d)


def _solvable_levels(neighbours: Neighbours, prior: Prior | None, progress: Listener | None) -> Verdict[SolvableLevels]:
    matrix = ConstraintMatrix.of(neighbours)
    cells = matrix.cells(None if prior is None else prior.weights)
    _check(neighbours, len(cells.members))
    right = [Rational(1)] * len(cells.members) if prior is None else cells.restrict(prior.weights)
    report_phase(progress, f"a system of {len(cells.members)} equations for all levels")
    system = _System(cells, right)
    pieces = system.pieces(progress)
    found = SolvableLevels(neighbours=neighbours, prior=prior, cells=cells, pieces=pieces, determinant=system.determinant)
    what = "there is a tight-constraints mechanism" if prior is None else f"the prior {prior} is regular"
    where = f"exactly at the levels in {union_text(found.intervals)}" if found.intervals else "at no level"
    claim = f"{what} for {neighbours} {'at every level in (0, 1)' if found.always else where}"
    return Verdict(Decision.PROVED, claim, found, Scope("every level", letter="a", interval=Interval(0, 1)))


class _Signs(NamedTuple):
    """The signs of z on a piece: ``negative`` are the cells c with z_c < 0 on all of it.

    ``witness`` is set where neither z(α) nor a row of B⁻¹ serves.
    """

    negative: frozenset[int]
    holds: bool
    witness: tuple[Any, ...] | None = None


class _System:
    """B(α)·z = b over ℚ(α)."""

    def __init__(self, cells: Cells, right: Sequence[Rational]) -> None:
        self.cells, self.right = cells, list(right)
        self.field = RationalFunctionField(Interval(0, 1))
        self.matrix = ExactMatrix(cells.quotient(PrivacyLevel(self.field.gen)), self.field)
        self.determinant = self.matrix.det()
        self.z = self._solve([self.field(x) for x in self.right])
        self.den, _ = self.field.over_common_denominator(self.z)
        self.rows: dict[int, list[Any]] = {}

    def _solve(self, right: Sequence[Any]) -> list[Any]:
        return list(self.matrix.generic_solve(ExactMatrix([[x] for x in right], self.field)).column(0))

    def row(self, c: int) -> list[Any]:
        """B⁻¹e_c."""
        if c not in self.rows:
            self.rows[c] = self._solve([self.field(int(b == c)) for b in range(len(self.z))])
        return self.rows[c]

    def pieces(self, progress: Listener | None) -> Piecewise[LevelAnswer]:
        """The answers, neighbours as one piece where the same formula serves."""
        polynomials = [self.determinant.numerator, self.den, *(x.numerator for x in self.z if is_nonzero(x))]
        found = counted_off(polynomials, progress, "roots", "polynomials")
        critical = {x for p in found if len(p) > 1 for x, _ in real_roots(p, Interval(0, 1))}
        cut = counted_off(Interval(0, 1).split(critical), progress, "pieces", "pieces")
        parts = Piecewise((part, self._signs(part)) for part in cut)
        joined = parts.joined(_one_formula, lambda left, right: _Signs(left.negative & right.negative, left.holds))
        told = counted_off(list(joined), progress, "witnesses", "pieces")
        return Piecewise((interval, LevelAnswer(signs.holds, self._witness(interval, signs))) for interval, signs in told)

    def _signs(self, interval: Interval) -> _Signs:
        if not interval.is_point:
            at = interval.sample()
            return _with_signs(c for c, x in enumerate(self.z) if x.evaluate(at).sign() < 0)
        point = interval.lower
        if _sign_at(self.den, point):
            signs = _with_signs(c for c, x in enumerate(self.z) if x.sign_at(point) < 0)
            if signs.holds or self.determinant.sign_at(point):
                return signs
        level = PrivacyLevel(point if isinstance(point, Rational) else NumberField(point).gen)
        right = [level.alpha.field.one * x for x in self.right]
        holds, found = nonnegative_solution(self.cells, level, right)
        fault = (solution_fails if holds else farkas_fails)(self.cells, level, found, right)
        if fault is not None:
            raise DefectiveAnswerError(f"the search returned a wrong vector at level {point}: {fault}", condition=fault)
        return _Signs(frozenset(), holds, tuple(found))

    def _witness(self, interval: Interval, signs: _Signs) -> tuple[Any, ...]:
        if signs.witness is not None:
            return signs.witness
        formula = self.z if signs.holds else self.row(min(signs.negative, key=lambda c: (self._size(c), c)))
        if not interval.is_point:
            return tuple(x.restrict(interval) for x in formula)
        if isinstance(point := interval.lower, AlgebraicNumber):
            field = NumberField(point)
            return tuple(field.element(x.numerator) / field.element(x.denominator) for x in formula)
        return tuple(x.evaluate(point) for x in formula)

    def _size(self, c: int) -> int:
        return sum(sum(x.degrees()) for x in self.row(c))


def _with_signs(negative: Iterable[int]) -> _Signs:
    cells = frozenset(negative)
    return _Signs(cells, not cells)


def _one_formula(left: Piece[_Signs], right: Piece[_Signs]) -> bool:
    """Whether z, or else one row of B⁻¹, is a witness on both pieces."""
    (x, y) = left.value, right.value
    if x.witness is not None or y.witness is not None:
        return False
    return (x.holds and y.holds) or bool(x.negative & y.negative)


def _sign_at(polynomial: Sequence[int], point: Point) -> int:
    if isinstance(point, AlgebraicNumber):
        return point.sign_of(polynomial)
    return sum((Rational(c) * point**k for k, c in enumerate(polynomial)), Rational(0)).sign()


@dataclass(frozen=True, kw_only=True)
class ThresholdEvidence:
    """A level ``low`` with a tight-constraints mechanism and a level ``high`` just above it with none."""

    low: TightEvidence
    high: TightEvidence

    @property
    def neighbours(self) -> Neighbours:
        """Those of both."""
        return self.low.neighbours


def tight_threshold(
    neighbours: NeighboursLike, digits: int = 15, *, progress: Listener | None = None
) -> Verdict[ThresholdEvidence | TightEvidence]:
    """Two levels 10^−digits apart: at the lower there is a tight-constraints mechanism, at the higher none.

    Parameters
    ----------
    neighbours : Graph or Metric
        Integer distances.
    digits : int
        Decimals.
    progress : callable, optional
        Told how far it is.

    Returns
    -------
    Verdict[ThresholdEvidence]
        Proved with both; undecided if no level was found with none.

    Examples
    --------
    >>> from exactdp.model import neighbours
    >>> answer = tight_threshold(neighbours("counts:u=2,k=2"), 6)
    >>> str(answer.evidence.low.level), str(answer.evidence.high.level)
    ('236067/1000000', '59017/250000')
    """
    neighbours = as_neighbours(neighbours)
    cells = ConstraintMatrix.of(neighbours).cells()
    as_count(digits, "number of digits", least=1)
    guess = _crossing(cells, digits, progress)
    unit = Rational(1, 10**digits)
    if guess is not None:
        at = (guess / unit).numerator // (guess / unit).denominator
        for shift in (0, -1, 1, -2, 2):
            low = tight_mechanism(neighbours, unit * (at + shift), progress=part_of(progress, "below"))
            high = tight_mechanism(neighbours, unit * (at + shift + 1), progress=part_of(progress, "above"))
            if low.proved and high.refuted:
                ends = [_end_text(unit * (at + shift + step), digits) for step in (0, 1)]
                claim = f"there is a tight-constraints mechanism for {neighbours} at level {ends[0]} and none at level {ends[1]}"
                return Verdict(Decision.PROVED, claim, ThresholdEvidence(low=low.evidence, high=high.evidence), Scope("these two levels"))
    some = tight_mechanism(neighbours, "1/2")
    return Verdict(Decision.UNDECIDED, f"no level was found at which the mechanism stops to exist for {neighbours}", some.evidence)


def _end_text(level: Rational, digits: int) -> str:
    """A level with so many digits after the point, and its ε with as many figures."""
    return f"α = {fixed_text(level, digits)} (ε ≈ {Epsilon.of_level(level).decimal(figures=digits + 1)})"


STEPS, TRIES = 12, 60


def _crossing(cells: Cells, digits: int, progress: Listener | None) -> Rational | None:
    """About the first level at which the least entry of z becomes negative, to two digits more.

    Twelfths of (0, 1) are looked at first; then regula falsi in its Illinois variant: where one end stays
    twice, its value is halved. 60 steps are more than it needs; without an answer the proposal is only less
    exact.
    """
    low, low_value = Rational(0), Rational(1)
    high, high_value = None, Rational(0)
    for k in counted_off(range(1, STEPS), progress, "twelfths", "levels"):
        at = Rational(k, STEPS)
        value = middle_of_least(cells, at)
        if value is None or value.sign() < 0:
            high, high_value = at, value if value is not None else Rational(-1)
            break
        low, low_value = at, value
    if high is None:
        return None
    goal, scale = Rational(1, 100 * 10**digits), 1 << (4 * digits + 16)
    last = 0  # the sign found in the step before
    for _ in counted_off(iter(range(TRIES)), progress, "nearer levels", "levels tried"):
        if high - low < goal:
            break
        at = low + (high - low) * low_value / (low_value - high_value)
        at = Rational((at * scale).numerator // (at * scale).denominator, scale)
        at = min(max(at, low + goal / 4), high - goal / 4)
        value = middle_of_least(cells, at)
        if value is None:
            return None
        if value.sign() >= 0:
            low, low_value = at, value
            high_value = high_value / 2 if last == 1 else high_value
            last = 1
        else:
            high, high_value = at, value
            low_value = low_value / 2 if last == -1 else low_value
            last = -1
    return low


class Existence(StrEnum):
    """For which levels there is a tight-constraints mechanism."""

    ALWAYS = "at every level"
    BELOW = "exactly up to some level (from some ε on)"
    OTHER = "in a more complicated set"


@dataclass(frozen=True, kw_only=True)
class Census:
    """All connected graphs with so many vertices, by class.

    Attributes
    ----------
    size : int
        Vertices.
    counts : dict
        How many graphs of each class.
    witnesses : dict
        For each class the verdict of its first graph (fewest edges).
    """

    size: int
    counts: dict[Existence, int]
    witnesses: dict[Existence, Verdict[SolvableLevels]]

    @property
    def monotone(self) -> bool:
        """Whether on all of these graphs existence at an ε implies existence at every larger ε."""
        return not self.counts[Existence.OTHER]


def classified(answer: Verdict[SolvableLevels]) -> Existence:
    """The class of one graph's answer.

    >>> from exactdp.model import neighbours
    >>> [classified(tight_levels(neighbours(g))).name for g in ("path:4", "star:4")]
    ['ALWAYS', 'BELOW']
    """
    found = answer.evidence
    if found.always:
        return Existence.ALWAYS
    return Existence.BELOW if found.monotone else Existence.OTHER


def graph_census(size: int, *, progress: Listener | None = None) -> Census:
    """Classify all connected graphs with this many vertices, 1 to 7 (the 853 with 7 take some 20 seconds).

    >>> {kind.name: count for kind, count in graph_census(4).counts.items()}
    {'ALWAYS': 4, 'BELOW': 2, 'OTHER': 0}
    """
    counts, witnesses = dict.fromkeys(Existence, 0), dict[Existence, Verdict[SolvableLevels]]()
    report_phase(progress, "connected graphs")
    graphs = list(connected_graphs(as_count(size, "number of vertices")))
    for graph in counted_off(graphs, progress, "connected graphs", "graphs"):
        answer = tight_levels(graph)
        kind = classified(answer)
        counts[kind] += 1
        witnesses.setdefault(kind, answer)
    return Census(size=size, counts=counts, witnesses=witnesses)
