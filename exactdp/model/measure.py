# SPDX-License-Identifier: MIT
"""How answers state the numbers of a consumer: as losses, or as the utilities of a gain."""

from __future__ import annotations

from typing import Any

from exactdp.runtime.values import dataclass


@dataclass(frozen=True, slots=True)
class Measure:
    """How answers call what a consumer's losses are numbers of, and state it: a loss, or a gain's utility.

    Attributes
    ----------
    word, extreme : str
        "loss" and its "least", or "utility" and its "largest".
    below, above : str
        Which way is better, and which is worse.
    """

    word: str
    extreme: str
    below: str
    above: str

    @property
    def best(self) -> str:
        """What an optimum is.

        >>> LOSS.best, UTILITY.best
        ('least loss', 'largest utility')
        """
        return f"{self.extreme} {self.word}"

    def of(self, loss: Any) -> Any:
        """A loss as it is stated: a utility is the negative of the loss of the negated gain.

        >>> from exactdp.exact import Rational
        >>> LOSS.of(Rational("1/2")), UTILITY.of(Rational("-1/2"))
        (Rational('1/2'), Rational('1/2'))
        """
        return loss if loss is None or self.word == "loss" else -loss

    def utility_of(self, loss: Any) -> Any:
        """The utility of a gain, minus this loss; None where losses are stated, or this one is not known.

        >>> from exactdp.exact import Rational
        >>> UTILITY.utility_of(Rational(-3)), LOSS.utility_of(Rational(3))
        (Rational('3'), None)
        """
        return None if self.word == "loss" or loss is None else -loss

    def between(self, bounds: tuple[Any, Any]) -> tuple[Any, Any]:
        """Two bounds of a loss, the smaller first, as they are stated, the smaller first.

        >>> from exactdp.exact import Rational
        >>> UTILITY.between((Rational("-1/2"), Rational("-1/3")))
        (Rational('1/3'), Rational('1/2'))
        """
        low, high = bounds
        return (low, high) if self.word == "loss" else (-high, -low)


LOSS = Measure("loss", "least", "below", "above")
"""What is lost: smaller is better."""


UTILITY = Measure("utility", "largest", "above", "below")
"""What is gained: larger is better."""
