# SPDX-License-Identifier: MIT
"""What is said about a deployed mechanism: that it is private at a level, or (ε, δ)-private.

δ as somebody gives it, and the events, sets of outputs, that refute such a claim.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from exactdp.analysis.epsilon import at_epsilon, together
from exactdp.errors import DomainError, InputError, ParameterRangeError
from exactdp.exact import QQ, ExponentialField, Scalar, common_field
from exactdp.model import Epsilon, PrivacyLevel, Table, TightestLevel
from exactdp.model.level import EpsilonLike, LevelLike, level_or_one
from exactdp.runtime.values import dataclass

MOST_OF_TWO_FIELDS = 400
"""So many numbers of a table are moved to a field that has the claimed level, too, if neither has both."""


@dataclass(frozen=True, slots=True)
class Event:
    """A set of outputs: its probability is ``likely`` for the input ``high``, ``unlikely`` for ``low``."""

    high: int
    low: int
    outputs: tuple[int, ...]
    likely: Any
    unlikely: Any


def as_delta(delta: object) -> Any:
    """δ as a scalar; ParameterRangeError unless 0 ≤ δ ≤ 1."""
    value: Any = delta if isinstance(delta, Scalar) else QQ(delta)
    if value < 0 or value > 1:
        raise ParameterRangeError(f"δ = {value} is not in [0, 1]", name="delta", value=value, allowed="0 <= delta <= 1")
    return value


@dataclass(frozen=True, slots=True, init=False)
class PrivacyClaim:
    """What is said about a deployed mechanism: ε (or a level α), and perhaps δ.

    Parameters
    ----------
    epsilon : rational, text or Epsilon, optional
        ε ≥ 0, such as 1/2 or ``ln(3)``; the level is e^(−ε), exactly.
    alpha : PrivacyLevel or what makes one, optional
        The level α, instead of ε.
    delta : exact number
        0 unless given.

    Examples
    --------
    >>> print(PrivacyClaim(epsilon="1/2", delta="1/1000"))
    (ε = 1/2, δ = 1/1000)-private
    """

    epsilon: Any
    alpha: PrivacyLevel | None
    delta: Any

    def __init__(self, *, epsilon: EpsilonLike | None = None, alpha: LevelLike | None = None, delta: object = 0) -> None:
        if (epsilon is None) == (alpha is None):
            given = "neither is given" if epsilon is None else "both are given"
            message = f"a claim is an ε or a level α (epsilon= or alpha=), one of them; {given}"
            raise InputError(message, epsilon=epsilon, alpha=alpha)
        level = None if alpha is None else level_or_one(alpha)
        if isinstance(level, TightestLevel):  # 1
            epsilon, level = 0, None
        object.__setattr__(self, "epsilon", None if epsilon is None else Epsilon(epsilon))
        object.__setattr__(self, "alpha", level)
        object.__setattr__(self, "delta", as_delta(delta))

    @property
    def level(self) -> PrivacyLevel | TightestLevel:
        """The level that is claimed; 1 where ε = 0."""
        if self.alpha is not None:
            return self.alpha
        return TightestLevel(1) if self.epsilon == 0 else PrivacyLevel(epsilon=self.epsilon)

    def over(self, table: Table) -> tuple[Table, PrivacyLevel | TightestLevel | None]:
        """The table and the level in one field; no level where e^(−ε) is in none with the table's numbers."""
        if self.alpha is not None:
            return table, self.alpha
        if self.epsilon == 0:
            return table, TightestLevel(1)
        found: tuple[Table, PrivacyLevel | None] = table, None
        with suppress(DomainError):
            over, level = at_epsilon(table, self.epsilon)
            common_field(level.alpha, over.matrix[0, 0])  # √(1/2) is in none with e^(−1)
            found = over, level
        return self._joined(*found)

    def _joined(self, table: Table, level: PrivacyLevel | None) -> tuple[Table, PrivacyLevel | None]:
        """The same in one field where there are two of e^(−x), such as those of e^(−1) and e^(−√2)."""
        known = PrivacyLevel(epsilon=self.epsilon) if level is None else level
        are_exponential = isinstance(table.field, ExponentialField) and isinstance(known.field, ExponentialField)
        if not are_exponential or table.field == known.field or len(table.inputs) * len(table.outputs) > MOST_OF_TWO_FIELDS:
            return table, level
        joined = together(table, known)
        return (table, level) if joined is None else joined

    def __str__(self) -> str:
        level, beside = f"ε = {self.epsilon}", ""
        if self.alpha is not None:
            level, beside = self.alpha.said, self.alpha.beside
        delta = "" if self.delta == 0 else f", δ = {self.delta}"
        return f"({level}{delta})-private{f' ({beside})' if beside else ''}"
