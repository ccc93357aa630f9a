# SPDX-License-Identifier: MIT
"""Weights of a graph: z ≥ 0 with Σ_y z_y α^d(x,y) = 1 for every input x, or with α^(−d(x,y)).

Their sum bounds what any private mechanism can have in Σ_y max_x M_xy (in Σ_y min_x M_xy from below), and
M_xy = z_y α^±d(x,y) attains it: the multiplicative capacity of the type is the *magnitude* of the graph as a
metric space whenever its weights are not negative. Complete graphs, cycles, cubes, grids, lines have such
weights; trees where (degree − 1)·α ≤ 1.

Source: SPEC §4.14, with a proof; in Coq proofs/coq/Capacities.v, with the closed forms of the line, the
discrete metric and the cube (Fernandes, McIver, Palamidessi, Ding, Section 8).

Φ·z = 1 at a level e^(−ε) with many cells: the signs of z without z.

Balls enclose the solution of the quotient B·z = 1. If all of its entries are positive, z ≥ 0 exists. If one
seems to be negative, a Farkas vector is guessed and checked exactly. What goes on record are rational numbers
that anyone can check: for *no* the Farkas vector, moved a little into the inside so that it can be rounded;
for *yes* a rounded z̃ and a rounded inverse R: if κ = ‖I − R·B‖ < 1, the true z differs from z̃ by at most
‖R·(1 − B·z̃)‖/(1 − κ).

Does a tight-constraints mechanism exist: x_ik = α^d(i,k) x_kk for all i, k? [elsalamouny_tight_constraints,
Definition 7]

It exists iff Φ·z = 1 for some z ≥ 0, φ_ih = α^d(i,h); then X = Φ·diag(z). Otherwise Farkas gives y with yΦ ≥
0 and Σ y < 0. Averaging over the cells of an equitable partition commutes with Φ, so existence is decided on
the quotient. Uniqueness is not: it asks whether Φ·v = 0 has a solution with which z can be moved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from exactdp.analysis.tight.regular import farkas_fails, level_text, solution_fails
from exactdp.analysis.verdict import Decision, Verdict, decided, scope_of
from exactdp.errors import DefectiveAnswerError, DomainError, ResourceLimitError, UndecidedSignError
from exactdp.exact import ExactMatrix, ExponentialNumber, Rational
from exactdp.exact.balls import BallSystem
from exactdp.lp.sparse import SparseLU
from exactdp.model import AdjacencyGraph, Mechanism, Neighbours, PrivacyLevel
from exactdp.model.constraint_matrix import Cells, ConstraintMatrix
from exactdp.model.level import LevelLike, as_level
from exactdp.search.tight import band_combination, band_width, nonnegative_solution

MOST_CELLS = 150
"""With more cells of inputs that look alike no weights are sought."""


def weighting(neighbours: Neighbours, base: Any) -> tuple[Any, ...] | None:
    """The weights z ≥ 0 with Σ_y z_y b^d(x,y) = 1 for every input x of a connected graph, if they exist and
    are found.

    Parameters
    ----------
    neighbours : AdjacencyGraph or Metric
        All constrained distances 1; otherwise there is no answer.
    base : exact number
        b = α for the multiplicative capacity, 1/α for the additive one.

    Returns
    -------
    tuple or None
        Exact; the same for inputs that the distances cannot tell apart.

    Examples
    --------
    >>> from exactdp import Rational
    >>> from exactdp.model import neighbours
    >>> [str(z) for z in weighting(neighbours("path:4"), Rational("1/2"))]
    ['2/3', '1/3', '1/3', '2/3']
    """
    pairs = list(neighbours.pairs())
    if any(d.rational != 1 for _, _, d in pairs):
        return None
    graph = neighbours if isinstance(neighbours, AdjacencyGraph) else AdjacencyGraph(neighbours.vertices, [(i, j) for i, j, _ in pairs])
    if 0 < len(pairs) == len(graph.vertices) - 1 and graph.is_forest:
        z: tuple[Any, ...] | None = (
            tuple((1 - (len(around) - 1) * base) / (1 + base) for around in graph.adjacency()) if pairs else (base**0,)
        )
    else:
        z = _by_cells(graph.hops(), base)
    try:
        return None if z is None or any(x < 0 for x in z) else z
    except UndecidedSignError:
        return None


def _by_cells(hops: Sequence[Sequence[int | None]], base: Any) -> tuple[Any, ...] | None:
    if any(d is None for d in hops[0]):
        return None
    cell = [0] * len(hops)
    while True:
        profiles = [(cell[x], tuple(sorted(Counter(zip(row, cell, strict=True)).items()))) for x, row in enumerate(hops)]
        numbers = {profile: k for k, profile in enumerate(dict.fromkeys(profiles))}
        before, cell = len(set(cell)), [numbers[profile] for profile in profiles]
        if len(numbers) > MOST_CELLS:
            return None
        if len(numbers) == before:
            break
    powers = [base**d for d in range(1 + max(d for row in hops for d in row if d is not None))]
    rows = []
    for k in range(len(numbers)):
        row = [0 * base] * len(numbers)
        for y, d in enumerate(hops[cell.index(k)]):
            assert d is not None
            row[cell[y]] = row[cell[y]] + powers[d]
        rows.append(row)
    try:
        found = ExactMatrix(rows).solve(ExactMatrix([[base**0]] * len(rows)))
    except ZeroDivisionError:
        return None
    return tuple(found[k, 0] for k in cell)


def mechanism_of_weights(neighbours: Neighbours, base: Any, z: Sequence[Any]) -> Mechanism:
    """M_xy = z_y b^d(x,y)."""
    pairs = list(neighbours.pairs())
    graph = neighbours if isinstance(neighbours, AdjacencyGraph) else AdjacencyGraph(neighbours.vertices, [(i, j) for i, j, _ in pairs])
    hops = graph.hops()
    powers = [base**d for d in range(1 + max((d for row in hops for d in row if d is not None), default=0))]
    rows = [[z[y] * powers[d] for y, d in enumerate(row) if d is not None] for row in hops]
    return Mechanism(rows, neighbours.vertices, neighbours.vertices)


PRECISIONS = (128, 512, 2048)
BITS = 40
"""Of the rounded numbers that go on record (twice as many for the solution)."""


@dataclass(frozen=True)
class NearSolution:
    """A rounded solution and a rounded inverse (over 2^bits), both on cells."""

    diagonal: tuple[Rational, ...]
    inverse: tuple[tuple[int, ...], ...]
    bits: int


def enclosure_of(level: PrivacyLevel, bits: int) -> tuple[Rational, Rational]:
    """Rationals below and above α."""
    alpha: Any = level.alpha
    if isinstance(alpha, Rational):
        return alpha, alpha
    if not isinstance(alpha, ExponentialNumber):
        raise DomainError(f"the level {level} is no single number", level=level)
    low, high = alpha.enclosure(bits * 3 // 10 + 1)
    return low, high


def solution_within_balls(cells: Cells, level: PrivacyLevel) -> tuple[bool, NearSolution | tuple[Rational, ...]]:
    """(True, what shows it) if Φ·z = 1 for some z ≥ 0, or (False, w) with Φ·w ≥ 0, Σ w < 0, all on cells.

    Raises
    ------
    ResourceLimitError
        2048 bits don't show the signs (an entry of z would be zero, which at e^(−ε) means an identity).
    """
    ones: list[int | Rational] = [1] * len(cells.members)
    for precision in PRECISIONS:
        system = BallSystem(_exponents(cells), *enclosure_of(level, precision), precision)
        guess = system.rounded(ones, 2 * BITS)
        if guess is not None and min(guess) < 0:
            found = _farkas(cells, system, guess)
            if found is not None and farkas_fails(cells, level, found, [level.alpha / level.alpha] * len(found)) is None:
                return False, found
            continue
        if set(system.signs(ones) or [None]) != {1}:
            continue
        inverse, diagonal = system.inverse(BITS), system.rounded(ones, 2 * BITS)
        if inverse is not None and diagonal is not None:
            return True, NearSolution(diagonal, tuple(map(tuple, inverse)), BITS)
    raise ResourceLimitError(f"{PRECISIONS[-1]} bits don't show the signs of the solution", limit=PRECISIONS[-1], got=PRECISIONS[-1])


def middle_of_least(cells: Cells, alpha: Rational) -> Rational | None:
    """About the least entry of the solution of B·z = 1, for guesses; None if B is near a singular matrix."""
    found = BallSystem(_exponents(cells), alpha, alpha, PRECISIONS[0]).rounded([1] * len(cells.members), 100)
    return None if found is None else min(found)


def _exponents(cells: Cells) -> list[list[list[tuple[int, int]]]]:
    """The counts of the quotient with the distances themselves for their classes."""
    steps = [0]
    for d in cells.matrix.distances[1:]:
        if d is None or d.rational is None or d.rational.denominator != 1:
            raise DomainError("only integer distances are decided within balls", distance=d)
        steps.append(int(d.rational.numerator))
    return [[[(steps[k], n) for k, n in entry] for entry in row] for row in cells.counts]


def _farkas(cells: Cells, system: BallSystem, z: tuple[Rational, ...]) -> tuple[Rational, ...] | None:
    """About B⁻¹(e_c + δ·1), where z_c < 0 is least and δ is half of what keeps Σ w negative."""
    size = len(cells.members)
    c = min(range(size), key=lambda b: z[b])
    total = sum((x * len(cell) for x, cell in zip(z, cells.members, strict=True)), Rational(0))
    margin = -z[c] * len(cells.members[c]) / (2 * total) if total.sign() > 0 else Rational(1)
    fine = margin * 2 ** (2 * BITS)
    delta = Rational(fine.numerator // fine.denominator, 2 ** (2 * BITS))
    return system.rounded([delta + int(b == c) for b in range(size)], 2 * BITS)


MOST_SYMBOLIC = 30
"""Up to so many cells a system over ℚ(e^(−ε)) is solved; beyond, balls decide."""

MOST_DIGITS = 6_000
"""The same for the number of cells times the bits of a rational level's denominator."""


@dataclass(frozen=True)
class TightEvidence:
    """Why a tight-constraints mechanism exists, or why none does.

    Attributes
    ----------
    neighbours, level
        What was asked.
    cells : Cells
        The partition on which the witness is constant.
    diagonal : tuple or None
        z on cells with Φ·z = 1, z ≥ 0: the diagonal of the mechanism, if there is one.
    farkas : tuple or None
        y on cells with yΦ ≥ 0 and Σ y < 0, if there is none.
    near : NearSolution or None
        Instead of the diagonal, where that is known within balls only: rational numbers that show that it is
        ≥ 0.
    """

    neighbours: Neighbours
    level: PrivacyLevel
    cells: Cells
    diagonal: tuple[Any, ...] | None = None
    farkas: tuple[Any, ...] | None = None
    near: NearSolution | None = None

    @property
    def z(self) -> tuple[Any, ...] | None:
        """The diagonal on all vertices."""
        return None if self.diagonal is None else self.cells.lift(self.diagonal)

    @property
    def y(self) -> tuple[Any, ...] | None:
        """Farkas' vector on all vertices."""
        return None if self.farkas is None else self.cells.lift(self.farkas)

    @cached_property
    def mechanism(self) -> Mechanism | None:
        """X = Φ·diag(z), a tight-constraints mechanism."""
        if self.z is None:
            return None
        powers, z, labels = self.cells.matrix.powers(self.level), self.z, self.neighbours.vertices
        rows = [[powers[k] * x for k, x in zip(row, z, strict=True)] for row in self.cells.matrix.classes]
        return Mechanism(ExactMatrix(rows, self.level.alpha.field), labels, labels)

    @property
    def utility(self) -> Any:
        """Its utility for the uniform prior, Σ z / n: the largest of all private mechanisms; None if there is
        none.
        """
        if self.diagonal is None:
            return None
        zero = self.level.alpha - self.level.alpha
        return sum((z * len(cell) for z, cell in zip(self.diagonal, self.cells.members, strict=True)), zero) / len(self.cells.colour)


@dataclass(frozen=True)
class TightUniqueness:
    """Whether the tight-constraints mechanism is the only one.

    Attributes
    ----------
    first : TightEvidence
        One mechanism.
    second : tuple or None
        Another diagonal, on all vertices, if there is one.
    combination : tuple of dict, or None
        Rows P for which P·Φ is a band (for band graphs), so that its rank is easily checked.
    """

    first: TightEvidence
    second: tuple[Any, ...] | None = None
    combination: tuple[dict[int, Any], ...] | None = None


def tight_mechanism(neighbours: Neighbours, level: LevelLike) -> Verdict[TightEvidence]:
    """Is there a tight-constraints mechanism at this level: z ≥ 0 with Φ·z = 1?

    Parameters
    ----------
    neighbours : AdjacencyGraph or Metric
        The graph of the query's answers, or a metric on them.
    level : PrivacyLevel or number or text
        α.

    Returns
    -------
    Verdict[TightEvidence]
        Proved with the mechanism's diagonal z, or refuted with Farkas' y, yΦ ≥ 0 and Σ y < 0. Decided whether
        or not Φ is singular.

    References
    ----------
    ElSalamouny, Chatzikokolakis, Palamidessi (2013), Definition 7, Lemmas 3 and 4.

    Examples
    --------
    >>> from exactdp.model import neighbours
    >>> answer = tight_mechanism(neighbours("path:3"), "1/2")
    >>> [str(z) for z in answer.evidence.z]
    ['2/3', '1/3', '2/3']
    >>> print(tight_mechanism(neighbours("star:4"), "3/5"))
    refuted: there is no tight-constraints mechanism for star:4 at level 3/5
    """
    alpha = as_level(level)
    cells = ConstraintMatrix.of(neighbours).cells()
    if _is_large(cells, alpha.alpha):
        return _within_balls(neighbours, alpha, cells)
    ones = [alpha.alpha / alpha.alpha for _ in cells.members]
    yes, found = nonnegative_solution(cells, alpha, ones)
    fault = solution_fails(cells, alpha, found, ones) if yes else farkas_fails(cells, alpha, found, ones)
    if fault is not None:
        raise DefectiveAnswerError(f"the search returned a wrong vector: {fault}", condition=fault)
    claim = f"there is {'a' if yes else 'no'} tight-constraints mechanism for {neighbours} at level {level_text(alpha)}"
    evidence = TightEvidence(neighbours, alpha, cells, tuple(found) if yes else None, None if yes else tuple(found))
    return Verdict(decided(yes), claim, evidence, scope_of(alpha))


def _is_large(cells: Cells, alpha: Any) -> bool:
    """Whether an exact solution would be too long to be worth having."""
    if any(d is not None and (d.rational is None or d.rational.denominator != 1) for d in cells.matrix.distances):
        return False
    if isinstance(alpha, ExponentialNumber):
        return len(cells.members) > MOST_SYMBOLIC
    return isinstance(alpha, Rational) and len(cells.members) * alpha.denominator.bit_length() > MOST_DIGITS


def _within_balls(neighbours: Neighbours, level: PrivacyLevel, cells: Cells) -> Verdict[TightEvidence]:
    """The same where a solution would be too long, but its signs are not."""
    yes, found = solution_within_balls(cells, level)
    if isinstance(found, NearSolution):
        evidence = TightEvidence(neighbours, level, cells, near=found)
    else:
        evidence = TightEvidence(neighbours, level, cells, farkas=found)
    claim = f"there is {'a' if yes else 'no'} tight-constraints mechanism for {neighbours} at level {level_text(level)}"
    return Verdict(decided(yes), claim, evidence, scope_of(level))


def is_tight_unique(neighbours: Neighbours, level: LevelLike) -> Verdict[TightUniqueness | TightEvidence]:
    """Is there exactly one tight-constraints mechanism?

    Returns
    -------
    Verdict
        Proved: Φ is non-singular (or no solution of Φ·v = 0 moves z within z ≥ 0). Refuted: with a second one, or with Farkas' vector if
        there is none at all. Undecided only where Φ is singular and the LP gives no second one although z has zeros (not met so far).

    Examples
    --------
    >>> from exactdp.model import neighbours
    >>> print(is_tight_unique(neighbours("cycle:4"), "1/2"))
    proved: there is exactly one tight-constraints mechanism for cycle:4 at level 1/2
    """
    answer = tight_mechanism(neighbours, level)
    if not answer.proved:
        return Verdict(answer.decision, answer.claim, answer.evidence, answer.scope)
    first = answer.evidence
    where, scope = f"for {neighbours} at level {level_text(first.level)}", scope_of(first.level)
    if first.near is not None:
        claim = f"a tight-constraints mechanism exists {where}; whether it is the only one is not decided for so many cells"
        return Verdict(Decision.UNDECIDED, claim, first, scope)
    combination = _combination(first)
    if combination is not None or first.cells.matrix.at(first.level).det().sign():  # at every level of an interval, or at none
        return Verdict(
            Decision.PROVED, f"there is exactly one tight-constraints mechanism {where}", TightUniqueness(first, None, combination), scope
        )
    second = _second(first)
    if second is None:
        return Verdict(Decision.UNDECIDED, f"Φ is singular {where}, but no second tight-constraints mechanism was found", first, scope)
    return Verdict(Decision.REFUTED, f"there is more than one tight-constraints mechanism {where}", TightUniqueness(first, second), scope)


def _combination(e: TightEvidence) -> tuple[dict[int, Any], ...] | None:
    """P with P·Φ a band of full rank, if the graph is a band graph."""
    v, n = band_width(e.neighbours), len(e.neighbours.vertices)
    if v is None or not isinstance(e.level.alpha, Rational):
        return None
    powers, classes = e.cells.matrix.powers(e.level), e.cells.matrix.classes
    combination = tuple(band_combination(i, n, v, e.level.alpha) for i in range(n))
    rows = []
    for i, mixed in enumerate(combination):
        near = range(max(0, i - 2 * v), min(n, i + 2 * v + 1))
        rows.append({h: sum((c * powers[classes[j][h]] for j, c in mixed.items()), powers[-1]) for h in near})
    return combination if SparseLU.of_rows(rows, n).rank == n else None


def _second(e: TightEvidence) -> tuple[Any, ...] | None:
    """Another z ≥ 0 with Φ·z = 1: the one that maximises or minimises some z_h."""
    from exactdp.lp.problem import LinearProgram, Optimal, Row
    from exactdp.lp.solve import solve

    phi, z = e.cells.matrix.at(e.level), e.z
    assert z is not None
    n = len(z)
    one = z[0] - z[0] + 1
    rows = [Row({h: phi[i, h] for h in range(n) if phi[i, h]}, "==", one) for i in range(n)]
    for h in range(n):
        for cost in (one, -one):
            answer = solve(LinearProgram(n, {h: cost}, rows))
            if isinstance(answer, Optimal) and tuple(answer.x) != z:
                return tuple(answer.x)
    return None
