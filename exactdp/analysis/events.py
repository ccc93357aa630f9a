# SPDX-License-Identifier: MIT
"""Events, sets of outputs with their probabilities for two inputs; and δ as somebody gives it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from exactdp.errors import ParameterRangeError
from exactdp.exact import QQ, Scalar


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
