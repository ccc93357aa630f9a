# SPDX-License-Identifier: MIT
"""The capacity of a privacy type where no one formula holds at all levels: a formula on each piece.

The capacity is the optimum of a linear program (:mod:`exactdp.analysis.leakage`), so it is a rational
function of the level between finitely many algebraic levels. With several letters the parts of their region
on which a formula was proved need not cover it; the answer is undecided then.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from exactdp.analysis.optimality.by_level import optimum_by_level
from exactdp.analysis.optimality.optimum import OptimumAtPoint, OptimumEvidence
from exactdp.analysis.verdict import Decision, Scope, Verdict
from exactdp.exact import RationalFunction
from exactdp.exact.piecewise import Piecewise, one_formula
from exactdp.model import BayesianConsumer, Neighbours, PrivacyLevel
from exactdp.runtime.progress import Listener


@dataclass(frozen=True, kw_only=True)
class CapacityLevels:
    """The capacity of a type as a function of the level.

    Attributes
    ----------
    neighbours, kind
        What was asked about.
    letter : str
        For the level.
    pieces : Piecewise of (TypeCapacityEvidence or None)
        With rational functions on each piece; None where nothing was decided.
    values : Piecewise of (scalar or None)
        The capacity: neighbouring pieces with the same formula are one.
    """

    neighbours: Neighbours
    kind: str
    letter: str
    pieces: Piecewise[Any]
    values: Piecewise[Any]

    def in_sympy(self) -> Any:
        """The capacity as a function of the level; None if nothing was decided anywhere."""
        if all(value is None for _, value in self.values):
            return None
        return self.values.to_sympy(self.letter)


@dataclass(frozen=True, kw_only=True)
class CapacityParts:
    """The capacity of a type on parts of a region of letters.

    Attributes
    ----------
    neighbours, level, kind
        What was asked about.
    parts : tuple of Verdict[TypeCapacityEvidence]
        Each proved for what its scope states. They need not cover the region.
    """

    neighbours: Neighbours
    level: PrivacyLevel
    kind: str
    parts: tuple[Verdict[Any], ...]

    def in_sympy(self) -> None:
        """None: nothing is known for the whole region."""


def capacity_levels(
    neighbours: Neighbours,
    level: PrivacyLevel,
    kind: str,
    consumer: BayesianConsumer,
    attained: Callable[[OptimumEvidence], Any],
    progress: Listener | None = None,
) -> Verdict[CapacityLevels]:
    """The capacity on the pieces of the interval of a symbolic level.

    * ``neighbours``, ``level``, ``kind``: what is asked about; the level is a letter.
    * ``consumer``: whose optimum it follows from.
    * ``attained``: from the evidence of an optimum to that of the capacity.

    Returns: proved, or undecided if nothing was decided on some piece.

    >>> from exactdp import neighbours, type_capacity
    >>> found = type_capacity(neighbours("star:4"), "a").evidence
    >>> [(str(piece), str(value)) for piece, value in found.values]
    [('(0, 1/2]', '(-2*a + 4)/(a + 1)'), ('[1/2, 1)', '1/a')]
    """
    letter, whole = level.alpha.field.name_of_level, level.alpha.field.interval
    optima = optimum_by_level(neighbours, consumer, whole, name=letter, progress=progress).evidence
    pieces = optima.pieces.map(lambda found: None if found is None else attained(found))
    values = pieces.map(lambda found: None if found is None else found.value).joined(one_formula)
    evidence = CapacityLevels(neighbours=neighbours, kind=kind, letter=letter, pieces=pieces, values=values)
    claim = f"The largest {kind} capacity in the privacy type of {neighbours} at level α = {letter} is "
    claim += "; ".join(f"{value} on {part}" for part, value in values if value is not None)
    lost = [str(part) for part, value in values if value is None]
    if lost:
        return Verdict(Decision.UNDECIDED, f"{claim}; nothing was decided on {', '.join(lost)}", evidence, Scope("part of the levels"))
    return Verdict(Decision.PROVED, claim, evidence, Scope("all levels", letter=letter, interval=whole))


def capacity_parts(
    neighbours: Neighbours,
    level: PrivacyLevel,
    kind: str,
    known: Verdict[OptimumAtPoint],
    attained: Callable[[OptimumEvidence], Any],
) -> Verdict[CapacityParts]:
    """The capacity on the parts of a region on which one formula was proved for the optimum; undecided."""
    what = f"The largest {kind} capacity in the privacy type of {neighbours}"
    parts = []
    for part in known.evidence.parts:
        found = attained(part.evidence)
        parts.append(Verdict(Decision.PROVED, f"{what} at level {found.level.text} is {found.value}", found, part.scope))
    some = "".join(f"; it is {part.evidence.value} for {part.scope}" for part in parts)
    claim = f"{what} at level {level.text} was not found as one formula for the whole region{some}"
    evidence = CapacityParts(neighbours=neighbours, level=level, kind=kind, parts=tuple(parts))
    return Verdict(Decision.UNDECIDED, claim, evidence, known.scope)


def is_letter(level: PrivacyLevel) -> bool:
    """Whether a level is the letter of ℚ(a) itself, on an interval with more than one point.

    >>> is_letter(PrivacyLevel.symbolic()), is_letter(PrivacyLevel("1/2"))
    (True, False)
    """
    alpha = level.alpha
    return isinstance(alpha, RationalFunction) and not alpha.field.interval.is_point and bool(alpha == alpha.field.gen)
