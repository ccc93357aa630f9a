# SPDX-License-Identifier: MIT
"""The least or the largest of several formulas in letters: which of them it is, and where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from exactdp.analysis.letters.conditions import Conditions, reduced
from exactdp.analysis.letters.requirements import Fault, Requirement, sampled, small_points
from exactdp.exact import Rational, Region, RegionField, is_zero

SAMPLES = 60
"""Points at which the extreme formula is looked up before anything is proved."""


@dataclass(frozen=True)
class Candidate:
    """The formula (above/below)^power, which counts where below > 0, and where it comes from."""

    above: Any
    below: Any
    power: int
    places: tuple[Any, ...]

    def value(self, point: Mapping[str, Rational]) -> Rational | None:
        """The number at a point; None where it does not count."""
        below = self.below.value(point)
        return (self.above.value(point) / below) ** self.power if below > 0 else None


@dataclass(frozen=True)
class Piece:
    """A formula, where in the region it is the extreme one, and where it comes from.

    Attributes
    ----------
    value : scalar
        The formula.
    places : tuple
        What has this value.
    where : Conditions
        The part of the region.
    """

    value: Any
    places: tuple[Any, ...]
    where: Conditions


def pieces_in_sympy(pieces: Sequence[Piece], region: Region) -> Any:
    """The formulas as a ``Piecewise`` of sympy, each where it holds in the region; not defined outside."""
    from sympy import And, Piecewise

    assumed = region.to_sympy()
    whole = [piece for piece in pieces if piece.where.always][:1]
    if whole:  # one formula, where no condition is added
        return Piecewise((whole[0].value.to_sympy(), assumed))
    return Piecewise(*((piece.value.to_sympy(), And(assumed, piece.where.as_sympy())) for piece in pieces))


def extremes(field: RegionField, candidates: Sequence[Candidate], side: int, claim: str) -> tuple[tuple[Candidate, Conditions], ...]:
    """Which candidates can be the least (side −1) or the largest (side 1), each with the exact conditions.

    A candidate is left out only if another one is proved to be at least as extreme at every point, and to
    count there. Together the parts are the whole region: at each point some candidate is the extreme one.

    Parameters
    ----------
    field : RegionField
        Of the formulas.
    candidates : sequence of Candidate
        At every point of the region at least one counts.
    side : int
        −1 or 1.
    claim : str
        What is said where a candidate is extreme.

    Examples
    --------
    >>> field = RegionField(Region({"p": "(0, 1)"}))
    >>> one, p = field.one, field.gen
    >>> given = [Candidate(x, one, 1, ()) for x in (p, 1 - p, p / 2)]
    >>> [f"{c.above} {where.words()}" for c, where in extremes(field, given, 1, "")]
    ['p exactly where 2*p >= 1', '-p + 1 exactly where 2*p <= 1']
    """
    best = _best_at_samples(field.region, candidates, side)
    kept = [c for k, c in enumerate(candidates) if k in best]
    for k, candidate in enumerate(candidates):
        if k not in best and not any(_dominates(field, c, candidate, side) for c in kept):
            kept.append(candidate)
    kept = [c for c in candidates if any(c is x for x in kept)]
    while True:
        found = [(candidate, _where(field, candidate, kept, side, claim)) for candidate in kept]
        possible = [(candidate, where) for candidate, where in found if where.never is None and not where.empty]
        if len(possible) == len(kept):
            return tuple(found)
        kept = [candidate for candidate, _ in possible]  # the others are the extreme one nowhere, so need not be compared


def _where(field: RegionField, candidate: Candidate, others: Sequence[Candidate], side: int, claim: str) -> Conditions:
    """Where a candidate counts and is at least as extreme as all others."""
    counts = Requirement(candidate.below, False, Fault("below", 0), strict=True)
    beside = [c for c in others if c is not candidate]
    ahead = [Requirement(_ahead(candidate, c, side), False, Fault("beside", k)) for k, c in enumerate(beside)]
    return reduced(field, [counts, *ahead], claim)


def _ahead(first: Candidate, second: Candidate, side: int) -> Any:
    """At least 0 where the first candidate is at least as extreme as the second, both of which count."""
    left = first.above**first.power * second.below**second.power
    right = second.above**second.power * first.below**first.power
    return left - right if side > 0 else right - left


def _best_at_samples(region: Region, candidates: Sequence[Candidate], side: int) -> set[int]:
    best = set[int]()
    points = [point for point, _ in zip(small_points(region), range(SAMPLES), strict=False)]
    for point in [*points, *region.points(SAMPLES)]:
        values = [(k, x) for k, c in enumerate(candidates) if (x := c.value(point)) is not None]
        extreme = max(x * side for _, x in values)
        best |= {k for k, x in values if x * side == extreme}
    return best


def _dominates(field: RegionField, first: Candidate, second: Candidate, side: int) -> bool:
    """Whether it is proved that the first counts everywhere and is at least as extreme as the second."""
    below = field(first.below).sign_on_region()
    if below.sign != 1 or not below.strict:
        return False
    difference = field(_ahead(first, second, side))
    return is_zero(difference) or (-1 not in sampled(difference) and difference.sign_on_region().sign == 1)
