# SPDX-License-Identifier: MIT
"""Does a tight-constraints mechanism exist: x_ik = α^d(i,k) x_kk for all i, k? [elsalamouny-tight-constraints, Definition 7]

It exists iff Φ·z = 1 for some z ≥ 0, φ_ih = α^d(i,h); then X = Φ·diag(z). Otherwise Farkas gives y with yΦ ≥ 0 and Σ y < 0.
Averaging over the cells of an equitable partition commutes with Φ, so existence is decided on the quotient. Uniqueness is not: it asks
whether Φ·v = 0 has a solution with which z can be moved.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from exactdp.analysis.near_solution import NearSolution, solution_within_balls
from exactdp.analysis.regular import farkas_fails, level_text, solution_fails
from exactdp.analysis.scope import scope_of
from exactdp.analysis.verdict import Decision, Verdict, decided
from exactdp.errors import DefectiveAnswerError
from exactdp.exact import ExactMatrix, ExponentialNumber, Rational
from exactdp.exact.sparse import SparseFactors
from exactdp.model import Mechanism, Neighbours, PrivacyLevel
from exactdp.model.constraint_matrix import Cells, ConstraintMatrix
from exactdp.model.level import LevelLike, as_level
from exactdp.search.constraint_system import band_combination, band_width, nonnegative_solution

__all__ = ["TightEvidence", "TightUniqueness", "is_tight_unique", "tight_mechanism"]

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
        Instead of the diagonal, where that is known within balls only: rational numbers that show that it is ≥ 0.
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
        """Its utility for the uniform prior, Σ z / n: the largest of all private mechanisms; None if there is none."""
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
        Proved with the mechanism's diagonal z, or refuted with Farkas' y, yΦ ≥ 0 and Σ y < 0. Decided whether or not Φ is singular.

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
    return combination if SparseFactors(rows, n).rank == n else None


def _second(e: TightEvidence) -> tuple[Any, ...] | None:
    """Another z ≥ 0 with Φ·z = 1: the one that maximises or minimises some z_h."""
    from exactdp.search.lp import LinearProgram, Optimal, Row, solve

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
