# SPDX-License-Identifier: MIT
"""Utility sets: which of these losses does a mechanism serve universally?

The utility set U(M) of a mechanism M of a privacy type is the set of losses for which M, after the best remap, is optimal under every
prior among the mechanisms of the type.

Source: Fernandes, McIver, Palamidessi, Ding (Definition 10, Theorem 15).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from exactdp.analysis.scope import scope_of
from exactdp.analysis.universal import TRIES, is_universally_optimal
from exactdp.analysis.universal_arguments import UniversalEvidence
from exactdp.analysis.verdict import Decision, Verdict
from exactdp.errors import InputError
from exactdp.model import LevelLike, Loss, Mechanism, Neighbours, PrivacyLevel, as_level

__all__ = ["UtilitySet", "utility_set"]


@dataclass(frozen=True)
class UtilitySet:
    """The losses asked about, each with its own verdict.

    Attributes
    ----------
    mechanism, neighbours, level
        What was asked about.
    answers : tuple of (str, Verdict[UniversalEvidence])
        The name of each loss and whether the mechanism serves it; ``certify`` makes a certificate of each decided one.
    """

    mechanism: Mechanism
    neighbours: Neighbours
    level: PrivacyLevel
    answers: tuple[tuple[str, Verdict[UniversalEvidence]], ...]

    def named(self, decision: Decision) -> tuple[str, ...]:
        """The names of the losses with this decision: proved (served), refuted (not served), undecided."""
        return tuple(name for name, verdict in self.answers if verdict.decision is decision)


def utility_set(
    mechanism: Mechanism,
    neighbours: Neighbours,
    level: LevelLike,
    losses: Mapping[str, Loss],
    *,
    theorems: bool = True,
    tries: int = TRIES,
    progress: Callable[[str], None] | None = None,
    seconds: float | None = None,
) -> Verdict[UtilitySet]:
    """Which of these losses are in the utility set of this mechanism: is it optimal for them, after the best remap, under every prior?

    Parameters
    ----------
    mechanism : Mechanism
        Private at the level.
    neighbours, level, theorems, tries, progress
        As for :func:`~exactdp.analysis.universal.is_universally_optimal`.
    losses : mapping of str to Loss
        Names and losses, at least one; their inputs are the vertices.
    seconds : float, optional
        Most time for each loss.

    Returns
    -------
    Verdict[UtilitySet]
        Proved if each loss is decided, one way or the other: the claim lists both kinds. Undecided if one is not; the rest are still
        answered.

    Raises
    ------
    InputError
        There is no loss, or the mechanism is not private at the level.

    Examples
    --------
    >>> from exactdp import geometric, neighbours
    >>> near = neighbours("path:3")
    >>> ends = Loss([[0, 1], [0, 0], [1, 0]], near.vertices)
    >>> parity = Loss([[0, 1], [1, 0], [0, 1]], near.vertices)
    >>> losses = {"zero-one": Loss.zero_one(near.vertices), "ends": ends, "parity": parity}
    >>> found = utility_set(geometric(2, "1/2"), near, "1/2", losses)
    >>> found.evidence.named(Decision.PROVED), found.evidence.named(Decision.REFUTED)
    (('zero-one', 'ends'), ('parity',))
    """
    if not losses:
        raise InputError("there is no loss to ask about", losses=())
    exact, mechanism = as_level(level), mechanism.aligned(neighbours.vertices)
    answers = []
    for number, (name, loss) in enumerate(losses.items(), 1):

        def told(text: str, title: str = f"loss {number} of {len(losses)}, {name}") -> None:
            if progress is not None:
                progress(f"{title}: {text}")

        answers.append(
            (
                name,
                is_universally_optimal(mechanism, neighbours, exact, loss, theorems=theorems, tries=tries, progress=told, seconds=seconds),
            )
        )
    evidence = UtilitySet(mechanism, neighbours, exact, tuple(answers))
    served, lost, left = (evidence.named(decision) for decision in (Decision.PROVED, Decision.REFUTED, Decision.UNDECIDED))
    claim = (
        f"Of {len(answers)} losses the mechanism serves universally, on {neighbours} at level {exact}: {', '.join(served) or 'none'}; "
        f"not: {', '.join(lost) or 'none'}"
    )
    if left:
        claim += f"; not decided ({len(left)}): {', '.join(left)}"
    return Verdict(Decision.UNDECIDED if left else Decision.PROVED, claim, evidence, scope_of(exact))
