# SPDX-License-Identifier: MIT
"""Does a tight-constraints mechanism exist: x_ik = α^d(i,k) x_kk for all i, k? Is it the only one?

[elsalamouny_tight_constraints, Definition 7] It exists iff Φ·z = 1 for some z ≥ 0, φ_ih = α^d(i,h); then X =
Φ·diag(z). Otherwise Farkas gives y with yΦ ≥ 0 and Σ y < 0. Averaging over the cells of an equitable
partition commutes with Φ, so existence is decided on the quotient B. Uniqueness is not: it asks whether Φ·v =
0 has a solution with which z can be moved.

*Many cells*: where an exact z would be too long, balls enclose it, which shows its signs. If all of its
entries are positive, z ≥ 0 exists. If one seems to be negative, a Farkas vector is proposed and checked
exactly. What goes on record are rational numbers that anyone can check: for *no* the Farkas vector, moved a
little into the inside so that it can be rounded; for *yes* a rounded z̃ and a rounded inverse R: if κ = ‖I −
R·B‖ < 1, the true z differs from z̃ by at most ‖R·(1 − B·z̃)‖/(1 − κ).

*Weights of a graph* are the z ≥ 0 with Σ_y z_y b^d(x,y) = 1 for every input x, where b is α or 1/α. Their sum
bounds what any private mechanism can have in Σ_y max_x M_xy (for 1/α, in Σ_y min_x M_xy from below), and M_xy
= z_y b^d(x,y) attains it: the multiplicative capacity of the type is the *magnitude* of the graph as a metric
space whenever its weights are not negative. Complete graphs, cycles, cubes, grids, lines have such weights;
trees where (degree − 1)·α ≤ 1. Source: SPEC §4.14, with a proof; in Coq proofs/coq/Capacities.v, with the
closed forms of the line, the discrete metric and the cube (Fernandes, McIver, Palamidessi, Ding, Section 8).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from exactdp.analysis.arguments import Arguments
from exactdp.analysis.letters.constraints import tight_on_region
from exactdp.analysis.letters.statement import letters_in
from exactdp.analysis.tight.regular_priors import checked_solution, farkas_fails
from exactdp.analysis.verdict import Decision, Verdict, decided, scope_of
from exactdp.analysis.wording import at_level
from exactdp.errors import DomainError, ResourceLimitError, UndecidedSignError
from exactdp.exact import ExactMatrix, ExponentialNumber, Rational
from exactdp.exact.balls import BallSystem
from exactdp.exact.cached import cached_property
from exactdp.lp.problem import LinearProgram, Optimal, Row
from exactdp.lp.solve import solve
from exactdp.lp.sparse import SparseLU
from exactdp.model import Graph, LevelLike, Mechanism, Neighbours, NeighboursLike, PrivacyLevel
from exactdp.model.constraint_matrix import FAR, Cells, ConstraintMatrix
from exactdp.model.graph import unit_graph
from exactdp.model.level_argument import takes_epsilon
from exactdp.runtime.progress import Listener, counted_off, part_of, report_phase
from exactdp.search.tight_solutions import band_combination, band_width

MOST_SYMBOLIC = 30
"""Up to so many cells a system over ℚ(e^(−ε)) is solved (in about 1 s); beyond, balls decide."""

MOST_WITH_ROOTS = 4
"""The same over several exponentials, at irrational distances; beyond, solutions have thousands of terms."""

MOST_IN_ROOTS = 36
"""Up to so many cells times exponentials their sum is exact (60,000 characters); beyond it takes minutes."""

LONG = 250
"""With more terms in a solution over several exponentials, its certificate shows only that it is positive."""

MOST_DIGITS = 6_000
"""The same for the cells times the bits of a rational level's denominator: the size of a solution."""

MOST_CELLS = 150
"""With more cells no weights are sought; over ℚ a dense system of so many takes about half a second."""

WRITTEN = 64
"""Up to so many inputs the mechanism is written out, and told."""

PRECISIONS = (128, 512, 2048)
"""Bits of the balls, tried in turn."""

BITS = 40
"""Of the rounded numbers that go on record (twice as many for the solution)."""


@dataclass(frozen=True)
class NearSolution:
    """What shows that z is positive: a rounded z and a rounded inverse of B (over 2^bits), both on cells."""

    diagonal: tuple[Rational, ...]
    inverse: tuple[tuple[int, ...], ...]
    bits: int


@dataclass(frozen=True, kw_only=True)
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
        Instead of the diagonal, where that is known within balls only: it shows that the diagonal is
        positive. Beside a diagonal that is too long for a certificate.
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
        return None if self.z is None else _scaled_columns(self.cells.matrix, self.cells.matrix.powers(self.level), self.z)

    @property
    def total(self) -> Any:
        """Σ z, the multiplicative capacity of the privacy type; None if there is no such mechanism."""
        return None if self.diagonal is None else self.cells.total(self.diagonal)

    @property
    def utility(self) -> Any:
        """Its utility for the uniform prior, the largest of all private mechanisms; None if there is none."""
        return None if self.diagonal is None else self.total / len(self.cells.colour)


@dataclass(frozen=True, kw_only=True)
class TightUniqueness:
    """Whether the tight-constraints mechanism is the only one.

    Attributes
    ----------
    first : TightEvidence
        One mechanism.
    second : tuple or None
        Another diagonal, on all vertices, if there is one.
    combination : tuple of dict, or None
        For band graphs, rows P for which P·Φ is a band, so that its rank is easily checked.
    """

    first: TightEvidence
    second: tuple[Any, ...] | None = None
    combination: tuple[dict[int, Any], ...] | None = None

    @property
    def neighbours(self) -> Neighbours:
        """Those of the mechanisms."""
        return self.first.neighbours


@takes_epsilon
def tight_mechanism(neighbours: NeighboursLike, level: LevelLike, *, progress: Listener | None = None) -> Verdict[TightEvidence | Any]:
    """Is there a tight-constraints mechanism at this level: z ≥ 0 with Φ·z = 1?

    Parameters
    ----------
    neighbours : Graph, Metric or text
        The graph of the query's answers, or a metric on them.
    level : PrivacyLevel or number or text
        α.
    progress : callable, optional
        Told how far it is.

    Returns
    -------
    Verdict[TightEvidence]
        Proved with the mechanism's diagonal z, or refuted with Farkas' y, yΦ ≥ 0 and Σ y < 0. Decided whether
        or not Φ is singular. With letters, whether there is one at every point of their region
        (:class:`~exactdp.analysis.letters.constraints.TightOnRegion`).

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
    REFUTED  no tight-constraints mechanism
    for      star:4 · α = 3/5 (ε = ln(5/3) ≈ 0.5108256)
    """
    asked = Arguments(neighbours=neighbours, level=level)
    neighbours, alpha = asked.neighbours, asked.level
    if letters_in(alpha):
        return tight_on_region(neighbours, alpha, tight_mechanism)
    report_phase(progress, "cells of equal rows")
    cells = ConstraintMatrix.of(neighbours).cells()
    report_phase(progress, f"a system of {len(cells.members)} equations")
    witness: dict[str, Any]
    if _is_large(cells, alpha.alpha):
        yes, found = _solution_within_balls(cells, alpha)
        witness = {"near": found} if isinstance(found, NearSolution) else {"farkas": tuple(found)}
    else:
        yes, exact = checked_solution(cells, alpha, [alpha.field.one] * len(cells.members))
        witness = {"diagonal" if yes else "farkas": tuple(exact)}
        if yes and _is_long(exact):
            witness["near"] = _beside(cells, alpha)
    claim = f"there is {'a' if yes else 'no'} tight-constraints mechanism for {at_level(neighbours, alpha)}"
    evidence = TightEvidence(neighbours=neighbours, level=alpha, cells=cells, **witness)
    if len(neighbours.vertices) <= WRITTEN:
        _ = evidence.mechanism  # computed here, not by who tells the answer
    return Verdict(decided(yes), claim, evidence, scope_of(alpha))


def _is_large(cells: Cells, alpha: Any) -> bool:
    """Whether an exact solution would be too long to be worth having."""
    if isinstance(alpha, ExponentialNumber) and len(alpha.field.roots) > 1:
        return len(cells.members) > MOST_WITH_ROOTS
    if not _has_whole_distances(cells):
        return False
    if isinstance(alpha, ExponentialNumber):
        return len(cells.members) > MOST_SYMBOLIC
    return isinstance(alpha, Rational) and len(cells.members) * alpha.denominator.bit_length() > MOST_DIGITS


def _has_whole_distances(cells: Cells) -> bool:
    """Whether all distances are integers."""
    return all(d is None or (d.rational is not None and d.rational.denominator == 1) for d in cells.matrix.distances)


def _is_long(solution: Sequence[Any]) -> bool:
    """Whether an exact solution has too many terms for a certificate."""
    with_roots = [x for x in solution if isinstance(x, ExponentialNumber) and len(x.field.roots) > 1]
    return sum(len(x.numerator) + len(x.denominator) for x in with_roots) > LONG


def _beside(cells: Cells, level: PrivacyLevel) -> NearSolution | None:
    """What shows that an exact solution is positive; None where balls do not show it."""
    try:
        found = _solution_within_balls(cells, level)[1]
    except ResourceLimitError:
        return None
    return found if isinstance(found, NearSolution) else None


@takes_epsilon
def is_tight_unique(
    neighbours: NeighboursLike, level: LevelLike, *, progress: Listener | None = None
) -> Verdict[TightUniqueness | TightEvidence]:
    """Is there exactly one tight-constraints mechanism?

    Returns
    -------
    Verdict
        Proved: Φ is non-singular (or no solution of Φ·v = 0 moves z within z ≥ 0). Refuted: with a second
        one, or with Farkas' vector if there is none at all. Undecided only for too many cells, and where Φ is
        singular and the linear program gives no second one although z has zeros (not met so far).

    Examples
    --------
    >>> from exactdp.model import neighbours
    >>> print(is_tight_unique(neighbours("cycle:4"), "1/2"))
    PROVED  exactly one tight-constraints mechanism
    for     cycle:4 · α = 1/2 (ε = ln(2) ≈ 0.6931472)
    """
    answer = tight_mechanism(neighbours, level, progress=progress)
    if not answer.proved:
        return answer
    first, scope = answer.evidence, answer.scope
    neighbours = first.neighbours
    where = f"for {at_level(neighbours, first.level)}"
    if first.diagonal is None:
        claim = f"a tight-constraints mechanism exists {where}; whether it is the only one is not decided for so many cells"
        return Verdict(Decision.UNDECIDED, claim, first, scope)
    report_phase(progress, "is Φ singular?")
    combination = _combination(first)
    # at every level of an interval, or at none
    if combination is not None or first.cells.matrix.at(first.level).det().sign():
        evidence = TightUniqueness(first=first, combination=combination)
        return Verdict(Decision.PROVED, f"there is exactly one tight-constraints mechanism {where}", evidence, scope)
    second = _second(first, progress)
    if second is None:
        return Verdict(Decision.UNDECIDED, f"Φ is singular {where}, but no second tight-constraints mechanism was found", first, scope)
    evidence = TightUniqueness(first=first, second=second)
    return Verdict(Decision.REFUTED, f"there is more than one tight-constraints mechanism {where}", evidence, scope)


def _combination(e: TightEvidence) -> tuple[dict[int, Any], ...] | None:
    """P with P·Φ a band of full rank, if the graph is a band graph."""
    v, n = band_width(e.neighbours), len(e.neighbours.vertices)
    if v is None or not isinstance(e.level.alpha, Rational):
        return None
    powers, classes = e.cells.matrix.powers(e.level), e.cells.matrix.classes
    combination = tuple(band_combination(i, n, v, e.level.alpha) for i in range(n))
    rows = []
    for i, terms in enumerate(combination):
        near = range(max(0, i - 2 * v), min(n, i + 2 * v + 1))  # elsewhere P·Φ is 0
        rows.append({h: sum((c * powers[classes[j][h]] for j, c in terms.items()), powers[-1]) for h in near})
    return combination if SparseLU.of_rows(rows, n).rank == n else None


def _second(e: TightEvidence, progress: Listener | None) -> tuple[Any, ...] | None:
    """Another z ≥ 0 with Φ·z = 1: the one that maximises or minimises some z_h."""
    phi, n, one = e.cells.matrix.at(e.level), len(e.cells.colour), e.level.field.one
    rows = [Row({h: phi[i, h] for h in range(n) if phi[i, h]}, "==", one) for i in range(n)]
    for h in counted_off(range(n), progress, "another mechanism", "vertices"):
        for cost in (one, -one):
            answer = solve(LinearProgram(n, {h: cost}, rows), progress=part_of(progress, f"vertex {h}"))
            if isinstance(answer, Optimal) and tuple(answer.x) != e.z:
                return tuple(answer.x)
    return None


def _solution_within_balls(cells: Cells, level: PrivacyLevel) -> tuple[bool, NearSolution | tuple[Rational, ...]]:
    """(True, what shows it) if Φ·z = 1 for some z ≥ 0, or (False, w) with Φ·w ≥ 0, Σ w < 0, all on cells.

    * raises ResourceLimitError: 2048 bits don't show the signs (an entry of z is zero, which at e^(−ε) means
      an identity).
    """
    ones: list[int | Rational] = [1] * len(cells.members)
    for precision in PRECISIONS:
        system = _system(cells, level, precision)
        guess = system.rounded(ones, 2 * BITS)
        if guess is not None and min(guess) < 0:
            found = _farkas(cells, system, guess)
            if found is not None and farkas_fails(cells, level, found, [level.field.one] * len(found)) is None:
                return False, found
            continue
        if set(system.signs(ones) or [None]) != {1}:
            continue
        inverse, diagonal = system.inverse(BITS), system.rounded(ones, 2 * BITS)
        if inverse is not None and diagonal is not None:
            return True, NearSolution(diagonal, tuple(map(tuple, inverse)), BITS)
    message = f"{PRECISIONS[-1]} bits don't show the signs of the solution"
    raise ResourceLimitError(message, limit=PRECISIONS[-1], got=PRECISIONS[-1])


def total_between(neighbours: Neighbours, level: PrivacyLevel) -> tuple[Rational, Rational] | None:
    """Numbers around Σ z of the tight-constraints mechanism, where the exact one is too long; else None."""
    if not isinstance(level.alpha, ExponentialNumber):
        return None
    cells, roots = ConstraintMatrix.of(neighbours).cells(), len(level.alpha.field.roots)
    if roots == 1 or len(cells.members) * roots <= MOST_IN_ROOTS:
        return None
    ones: list[int | Rational] = [1] * len(cells.members)
    for precision in PRECISIONS:
        system = _system(cells, level, precision)
        if set(system.signs(ones) or [None]) == {1}:
            return system.enclosed_sum(ones, list(map(len, cells.members)), BITS)
    return None


def _system(cells: Cells, level: PrivacyLevel, precision: int) -> BallSystem:
    """Balls around B."""
    if _has_whole_distances(cells):
        return BallSystem(_exponents(cells), *_enclosure(level, precision), precision)
    digits = precision * 3 // 10 + 1
    powers = [level.field.one if d is None else level.power(d) for d in cells.matrix.distances]
    return BallSystem.of_enclosures(cells.counts, [x.enclosure(digits) for x in powers], precision)


def _enclosure(level: PrivacyLevel, bits: int) -> tuple[Rational, Rational]:
    """Rationals below and above α."""
    alpha: Any = level.alpha
    if isinstance(alpha, Rational):
        return alpha, alpha
    if not isinstance(alpha, ExponentialNumber):
        raise DomainError(f"the level {level} is no single number", level=level)
    low, high = alpha.enclosure(bits * 3 // 10 + 1)
    return low, high


def middle_of_least(cells: Cells, alpha: Rational) -> Rational | None:
    """About the least entry of the solution of B·z = 1, to search with; None if B is nearly singular."""
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
    total = cells.total(z)
    margin = -z[c] * len(cells.members[c]) / (2 * total) if total.sign() > 0 else Rational(1)
    fine = margin * 2 ** (2 * BITS)
    delta = Rational(fine.numerator // fine.denominator, 2 ** (2 * BITS))
    return system.rounded([delta + int(b == c) for b in range(size)], 2 * BITS)


def weighting(neighbours: Neighbours, base: Any) -> tuple[Any, ...] | None:
    """The weights z ≥ 0 with Σ_y z_y b^d(x,y) = 1 for every input x of a connected graph, if they are found.

    * ``neighbours``: all constrained distances 1; otherwise there is no answer.
    * ``base``: b = α for the multiplicative capacity, 1/α for the additive one.

    Returns: exact; the same for inputs that the distances cannot tell apart.

    >>> from exactdp.model import neighbours
    >>> [str(z) for z in weighting(neighbours("path:4"), Rational("1/2"))]
    ['2/3', '1/3', '1/3', '2/3']
    """
    graph = unit_graph(neighbours)
    if graph is None:
        return None
    z = tree_weights(graph, base) if graph.is_tree else _weights_by_cells(graph, base)
    try:
        return None if z is None or any(x < 0 for x in z) else z
    except UndecidedSignError:
        return None


def tree_weights(tree: Graph, base: Any) -> tuple[Any, ...]:
    """z_v = (1 − (degree of v − 1)·b)/(1 + b), which may be negative.

    >>> [str(z) for z in tree_weights(Graph(range(4), [(0, 1), (0, 2), (0, 3)]), Rational("3/4"))]
    ['-2/7', '4/7', '4/7', '4/7']
    """
    return tuple((1 - (len(around) - 1) * base) / (1 + base) for around in tree.adjacency())


def mechanism_of_weights(neighbours: Neighbours, base: Any, z: Sequence[Any]) -> Mechanism:
    """M_xy = z_y b^d(x,y), for weights z of these neighbours."""
    graph = unit_graph(neighbours)
    assert graph is not None
    matrix = ConstraintMatrix.of(graph)
    return _scaled_columns(matrix, [base**k for k in range(len(matrix.distances))], z)


def _scaled_columns(matrix: ConstraintMatrix, powers: Sequence[Any], z: Sequence[Any]) -> Mechanism:
    """The powers of each distance class, times z_y in column y."""
    labels = matrix.neighbours.vertices
    return Mechanism([[powers[k] * x for k, x in zip(row, z, strict=True)] for row in matrix.classes], labels, labels)


def _weights_by_cells(graph: Graph, base: Any) -> tuple[Any, ...] | None:
    """The solution on the cells of an equitable partition; None if they are too many or it is not unique."""
    matrix = ConstraintMatrix.of(graph)
    if FAR in matrix.classes[0]:
        return None
    cells = matrix.cells()
    if len(cells.members) > MOST_CELLS:
        return None
    powers = [base**k for k in range(len(matrix.distances))]
    rows = [[sum((powers[k] * n for k, n in entry), 0 * base) for entry in row] for row in cells.counts]
    try:
        return cells.lift(ExactMatrix(rows).solve(ExactMatrix([[base**0]] * len(rows))).column(0))
    except ZeroDivisionError:
        return None
