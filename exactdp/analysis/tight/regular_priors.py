# SPDX-License-Identifier: MIT
"""Is a prior ε-regular: π = y·Φ with y ≥ 0? [elsalamouny_tight_constraints, Definition 5]

*Yes* comes with y, hence with the coordinates γ_i = y_i Σ_k φ_ik of π among the corner priors (Proposition 4)
and with the bound Σ y of every private mechanism's utility (Theorem 1). *No* comes with Farkas' w: Φ·w ≥ 0
and Σ π_i w_i < 0, while every regular prior π′ has Σ π′_i w_i ≥ 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from exactdp.analysis.arguments import Arguments
from exactdp.analysis.letters.constraints import regular_on_region
from exactdp.analysis.letters.statement import letters_in
from exactdp.analysis.verdict import Verdict, decided, scope_of
from exactdp.analysis.wording import at_level
from exactdp.errors import DefectiveAnswerError, LabelError
from exactdp.exact import Rational, as_count, integer_vector
from exactdp.exact.cached import cached_property
from exactdp.model import LevelLike, Neighbours, NeighboursLike, Prior, PriorLike, PrivacyLevel
from exactdp.model.constraint_matrix import Cells, ConstraintMatrix
from exactdp.model.level_argument import takes_epsilon
from exactdp.search.tight_solutions import nonnegative_solution


@dataclass(frozen=True, kw_only=True)
class RegularEvidence:
    """Why a prior is ε-regular or is not.

    Attributes
    ----------
    prior, neighbours, level
        What was asked.
    cells : Cells
        The partition on which the witness is constant.
    weights : tuple or None
        y on cells, if the prior is regular.
    farkas : tuple or None
        w on cells, if it is not.
    """

    prior: Prior
    neighbours: Neighbours
    level: PrivacyLevel
    cells: Cells
    weights: tuple[Any, ...] | None = None
    farkas: tuple[Any, ...] | None = None

    @property
    def y(self) -> tuple[Any, ...] | None:
        """The non-negative y with π = y·Φ, or None."""
        return None if self.weights is None else self.cells.lift(self.weights)

    @cached_property
    def coordinates(self) -> tuple[Any, ...] | None:
        """γ with π = Σ γ_i c^i, γ ≥ 0, Σ γ = 1, or None."""
        if self.y is None:
            return None
        return tuple(y * s for y, s in zip(self.y, self.cells.matrix.row_sums(self.level), strict=True))

    @property
    def bound(self) -> Any:
        """Σ y, which bounds every private mechanism's utility for this prior; None if it is not regular."""
        return None if self.weights is None else self.cells.total(self.weights)

    @cached_property
    def separation(self) -> Any:
        """Σ π_i w_i < 0, which is at least 0 for every regular prior; None if it is regular."""
        if self.farkas is None:
            return None
        return sum((p * w for p, w in zip(self.prior.weights, self.cells.lift(self.farkas), strict=True)), self.level.field.zero)


@takes_epsilon
def is_regular(neighbours: NeighboursLike, level: LevelLike, prior: PriorLike) -> Verdict[RegularEvidence | Any]:
    """Is π = y·Φ for some y ≥ 0, where φ_ih = α^d(i,h)?

    Parameters
    ----------
    neighbours : Graph, Metric or text
        The graph of the query's answers, or a metric on them.
    level : PrivacyLevel or number or text
        α.
    prior : Prior, text, list or mapping
        π, exact, on the vertices.

    Returns
    -------
    Verdict[RegularEvidence]
        Proved with y, or refuted with w, Φ·w ≥ 0 and Σ π_i w_i < 0. Decided whether or not Φ is singular.
        With letters, whether it is regular at every point of their region
        (:class:`~exactdp.analysis.letters.constraints.RegularOnRegion`).

    Raises
    ------
    LabelError
        The prior is on other inputs.

    References
    ----------
    ElSalamouny, Chatzikokolakis, Palamidessi (2013), Definition 5.

    Examples
    --------
    >>> from exactdp.model import neighbours
    >>> answer = is_regular(neighbours("path:3"), "1/2", Prior(["2/5", "1/5", "2/5"]))
    >>> print(answer)
    REFUTED  not a regular prior: Σ π·w = -1/5 = -0.2, for regular ones at least 0
    for      path:3 · α = 1/2 (ε = ln(2) ≈ 0.6931472) · prior (0: 2/5, 1: 1/5, 2: 2/5)
    >>> [str(w) for w in answer.evidence.cells.lift(answer.evidence.farkas)]
    ['-2/3', '5/3', '-2/3']
    """
    asked = Arguments(neighbours=neighbours, level=level, prior=prior)
    neighbours, alpha, prior = asked.neighbours, asked.level, asked.prior
    if letters_in(alpha, *prior.weights):
        return regular_on_region(neighbours, alpha, prior, is_regular)
    cells = ConstraintMatrix.of(neighbours).cells(prior.weights)
    yes, found = checked_solution(cells, alpha, cells.restrict(prior.weights))
    claim = f"the prior {prior} is {'' if yes else 'not '}regular for {at_level(neighbours, alpha)}"
    witness = {"weights" if yes else "farkas": tuple(found)}
    evidence = RegularEvidence(prior=prior, neighbours=neighbours, level=alpha, cells=cells, **witness)
    _ = evidence.coordinates  # computed here, not by who tells the answer
    return Verdict(decided(yes), claim, evidence, scope_of(alpha, *prior.weights))


def checked_solution(cells: Cells, level: PrivacyLevel, right: Sequence[Any]) -> tuple[bool, list[Any]]:
    """(True, z) with Φ·z = b, z ≥ 0, or (False, w) with Φ·w ≥ 0, Σ b_i w_i < 0; on cells, and checked."""
    yes, found = nonnegative_solution(cells, level, right)
    fault = (solution_fails if yes else farkas_fails)(cells, level, found, right)
    if fault is not None:
        raise DefectiveAnswerError(f"the search returned a wrong vector: {fault}", condition=fault)
    return yes, found


def solution_fails(cells: Cells, level: PrivacyLevel, z: Iterable[Any], right: Iterable[Any]) -> str | None:
    """The condition among z ≥ 0 and Φ·z = b (all given on cells) that fails, or None."""
    values = list(z)
    if any(x.sign() < 0 for x in values):
        return "z ≥ 0"
    return None if all(x == b for x, b in zip(spread_on_cells(cells, level, values), right, strict=True)) else "Φ·z = b"


def farkas_fails(cells: Cells, level: PrivacyLevel, w: Iterable[Any], right: Iterable[Any]) -> str | None:
    """The condition among Φ·w ≥ 0 and Σ b_i w_i < 0 (all given on cells) that fails, or None."""
    values = list(w)
    if cells.total([x * b for x, b in zip(values, right, strict=True)]).sign() >= 0:
        return "Σ b·w < 0"
    return None if all(x.sign() >= 0 for x in spread_on_cells(cells, level, values)) else "Φ·w ≥ 0"


def spread_on_cells(cells: Cells, level: PrivacyLevel, values: list[Any]) -> list[Any]:
    """Φ·v on cells for v on cells; rational v over a common denominator, and summed before products."""
    powers = cells.matrix.powers(level)
    if not all(isinstance(x, Rational) for x in values):
        zero = powers[-1]
        return [sum((powers[k] * values[b] * n for b, entry in enumerate(row) for k, n in entry), zero) for row in cells.counts]
    den, num = integer_vector(values)
    known = all(isinstance(x, Rational) for x in powers)
    base, scaled = integer_vector(powers) if known else (1, powers)
    result = []
    for row in cells.counts:
        sums = [0] * len(scaled)  # of the numerators at each distance
        for x, entry in zip(num, row, strict=True):
            for k, n in entry:
                sums[k] += n * x
        if known:
            result.append(Rational(sum(p * s for p, s in zip(scaled, sums, strict=True)), den * base))
        else:
            result.append(sum((p * s for p, s in zip(scaled, sums, strict=True) if s), powers[-1]) / den)
    return result


@takes_epsilon
def corner_prior(neighbours: NeighboursLike, level: LevelLike, i: int) -> Prior:
    """The corner prior c^i: row i of Φ divided by its sum, the largest π_i of regular priors [Definition 6].

    >>> from exactdp.model import neighbours
    >>> [str(x) for x in corner_prior(neighbours("path:3"), "1/2", 0).weights]
    ['4/7', '2/7', '1/7']
    """
    asked = Arguments(neighbours=neighbours, level=level)
    neighbours, alpha = asked.neighbours, asked.level
    if as_count(i, "number of the input") >= len(neighbours.vertices):
        raise LabelError(f"input number {i}: the {len(neighbours.vertices)} inputs are numbered from 0", label=i)
    matrix = ConstraintMatrix.of(neighbours)
    powers = matrix.powers(alpha)
    row = [powers[k] for k in matrix.classes[i]]
    total = sum(row[1:], row[0])
    return Prior([x / total for x in row], neighbours.vertices)
