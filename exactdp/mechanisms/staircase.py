# SPDX-License-Identifier: MIT
"""The discrete staircase mechanism (Geng–Viswanath, *The optimal mechanism in differential privacy*).

For sensitivity Δ, α = e^(−ε) and a step r ∈ {1, …, Δ} the masses at 0, 1, …, Δ−1 are a (r times) and α·a (Δ−r
times); every further block of Δ is α times the one before, and P(−z) = P(z). a = (1−α)/(2r + 2α(Δ−r) −
(1−α)). For Δ = 1 it is the two-sided geometric law.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from exactdp.errors import ParameterRangeError, repr_of
from exactdp.exact import ExactMatrix, require_powers
from exactdp.mechanisms.noise import integers
from exactdp.model.labels import Positions
from exactdp.model.level import EpsilonLike, LevelLike, PrivacyLevel, chosen_level
from exactdp.model.level_argument import tells_epsilon
from exactdp.model.mechanism import Mechanism
from exactdp.runtime.progress import row_by_row
from exactdp.runtime.values import dataclass

__all__ = ["StaircaseNoise", "staircase"]


@dataclass(frozen=True, slots=True, init=False)
class StaircaseNoise:
    """The discrete staircase law.

    Parameters
    ----------
    alpha : level
        e^(−ε).
    sensitivity : int
        Δ ≥ 1.
    step : int
        r, 1 ≤ r ≤ Δ.
    epsilon : text, rational or Epsilon
        Instead of α.

    Examples
    --------
    >>> z = StaircaseNoise("1/2", 2, 1)
    >>> z.mass(0), z.mass(1), z.mass(2), z.lower_tail(0), z.upper_tail(1)
    (Rational('1/5'), Rational('1/10'), Rational('1/10'), Rational('3/5'), Rational('2/5'))
    """

    level: PrivacyLevel
    sensitivity: int
    step: int

    def __init__(self, alpha: LevelLike | None = None, sensitivity: int = 1, step: int = 1, *, epsilon: EpsilonLike | None = None) -> None:
        for name, value, top in (("sensitivity", sensitivity, None), ("step", step, sensitivity)):
            if not isinstance(value, int) or isinstance(value, bool) or value < 1 or (top is not None and value > top):
                allowed = "an integer ≥ 1" if top is None else f"1, …, {top}"
                raise ParameterRangeError(f"{name} = {repr_of(value)}; allowed is {allowed}", name=name, value=value, allowed=allowed)
        object.__setattr__(self, "level", chosen_level(alpha, epsilon))
        object.__setattr__(self, "sensitivity", sensitivity)
        object.__setattr__(self, "step", step)

    @property
    def top(self) -> Any:
        """a, the mass of 0."""
        b, wide, r = self.level.alpha, self.sensitivity, self.step
        return (1 - b) / (2 * r + 2 * b * (wide - r) - (1 - b))

    def mass(self, z: int) -> Any:
        """P(Z = z)."""
        b = self.level.alpha
        block, place = divmod(abs(z), self.sensitivity)
        return self.top * b ** (block + int(place >= self.step))

    def upper_tail(self, z: int) -> Any:
        """P(Z ≥ z): the rest of z's block, then a geometric series of blocks."""
        if z <= 0:
            return 1 - self.upper_tail(1 - z)
        b, wide, r = self.level.alpha, self.sensitivity, self.step
        block, place = divmod(z, wide)
        rest = max(0, r - place) + b * (wide - max(r, place))
        return self.top * b**block * (rest + b * (r + b * (wide - r)) / (1 - b))

    def lower_tail(self, z: int) -> Any:
        """P(Z ≤ z)."""
        return self.upper_tail(-z)


def require_staircase(rows: int, width: int, sensitivity: int, level: PrivacyLevel) -> None:
    """Refuse a table that would be larger than the budget; the inputs are so far from each other."""
    what = f"the table of a staircase of sensitivity {sensitivity} on {rows} inputs"
    require_powers(what, rows * (width + 1 + 2 * sensitivity), level.alpha, width // sensitivity + 2, each=1)


@tells_epsilon
def staircase(
    n: int | Iterable[int], alpha: LevelLike | None = None, sensitivity: int = 1, step: int = 1, *, epsilon: EpsilonLike | None = None
) -> Mechanism:
    """The unbounded staircase mechanism i + Z, outputs beyond the inputs lumped by remainder modulo Δ.

    The inputs are 0..n, or the integers given; the rest is as for :class:`StaircaseNoise`.

    Nothing is lost: above all inputs the column of r + Δ is α times that of r, so the columns of one
    remainder are multiples of one vector; likewise below. ``-1-2k`` names the outputs −1, −3, −5, … (k = 0,
    1, 2, …), ``2+2k`` the outputs 2, 4, 6, …

    Examples
    --------
    >>> print(staircase(1, "1/2", 2, 1).outputs)
    ('-1-2k', '-2-2k', '0', '1', '2+2k', '3+2k')
    """
    noise, rows = StaircaseNoise(alpha, sensitivity, step, epsilon=epsilon), integers(n)
    low, high, wide = min(rows), max(rows), sensitivity
    b = noise.level.alpha
    require_staircase(len(rows), high - low, wide, noise.level)
    below, above = [low - 1 - k for k in range(wide)], [high + 1 + k for k in range(wide)]
    table = [
        [
            *(noise.mass(r - i) / (1 - b) for r in below),
            *(noise.mass(r - i) for r in range(low, high + 1)),
            *(noise.mass(r - i) / (1 - b) for r in above),
        ]
        for i in row_by_row(rows, "the law of each input", (len(rows), 2 * wide + high + 1 - low))
    ]
    labels = Positions([*(f"{r}-{wide}k" for r in below), *map(str, range(low, high + 1)), *(f"{r}+{wide}k" for r in above)])
    return Mechanism(ExactMatrix(table, b.field), rows, labels)
