# SPDX-License-Identifier: MIT
"""Between which two decimals does the tight-constraints mechanism stop to exist?

For graphs too large for all levels at once. Balls guess where the least entry of z crosses zero (secants, then the decimals around the
guess); then the two decimals are decided as any other level is. The answer is about these two levels and claims nothing between them.
"""

from __future__ import annotations

from dataclasses import dataclass

from exactdp.analysis.near_solution import middle_of_least
from exactdp.analysis.tight import TightEvidence, tight_mechanism
from exactdp.analysis.verdict import Decision, Verdict
from exactdp.exact import Rational
from exactdp.model import Neighbours
from exactdp.model.constraint_matrix import Cells, ConstraintMatrix

__all__ = ["ThresholdEvidence", "tight_threshold"]

STEPS = 12
"""How many levels are looked at to find where the sign changes first."""

TRIES = 60


@dataclass(frozen=True)
class ThresholdEvidence:
    """A level ``low`` with a tight-constraints mechanism and a level ``high`` just above it with none."""

    low: TightEvidence
    high: TightEvidence


def tight_threshold(neighbours: Neighbours, digits: int = 15) -> Verdict[ThresholdEvidence | TightEvidence]:
    """Two levels 10^−digits apart: at the lower there is a tight-constraints mechanism, at the higher there is none.

    Parameters
    ----------
    neighbours : AdjacencyGraph or Metric
        Integer distances.
    digits : int
        Decimals.

    Returns
    -------
    Verdict[ThresholdEvidence]
        Proved with both; undecided if no level was found with none.

    Examples
    --------
    >>> from exactdp.model import neighbours
    >>> answer = tight_threshold(neighbours("counts:u=2,k=2"), 6)
    >>> str(answer.evidence.low.level), str(answer.evidence.high.level)
    ('236067/1000000', '59017/250000')
    """
    cells = ConstraintMatrix.of(neighbours).cells()
    guess = _crossing(cells, digits)
    unit = Rational(1, 10**digits)
    if guess is not None:
        at = (guess / unit).numerator // (guess / unit).denominator
        for shift in (0, -1, 1, -2, 2):
            low = tight_mechanism(neighbours, unit * (at + shift))
            high = tight_mechanism(neighbours, unit * (at + shift + 1))
            if low.proved and high.refuted:
                claim = (
                    f"there is a tight-constraints mechanism for {neighbours} at level {low.evidence.level} "
                    f"and none at level {high.evidence.level}"
                )
                return Verdict(Decision.PROVED, claim, ThresholdEvidence(low.evidence, high.evidence), "these two levels")
    some = tight_mechanism(neighbours, "1/2")
    return Verdict(Decision.UNDECIDED, f"no level was found at which the mechanism stops to exist for {neighbours}", some.evidence)


def _crossing(cells: Cells, digits: int) -> Rational | None:
    """About the first level at which the least entry of z becomes negative."""
    low, low_value = Rational(0), Rational(1)
    high, high_value = None, Rational(0)
    for k in range(1, STEPS):
        at = Rational(k, STEPS)
        value = middle_of_least(cells, at)
        if value is None or value.sign() < 0:
            high, high_value = at, value if value is not None else Rational(-1)
            break
        low, low_value = at, value
    if high is None:
        return None
    goal, scale = Rational(1, 100 * 10**digits), 1 << (4 * digits + 16)
    last = 0
    for _ in range(TRIES):
        if high - low < goal:
            break
        at = low + (high - low) * low_value / (low_value - high_value)  # regula falsi, Illinois variant
        at = Rational((at * scale).numerator // (at * scale).denominator, scale)
        at = min(max(at, low + goal / 4), high - goal / 4)
        value = middle_of_least(cells, at)
        if value is None:
            return None
        if value.sign() >= 0:
            low, low_value = at, value
            high_value = high_value / 2 if last == 1 else high_value
            last = 1
        else:
            high, high_value = at, value
            low_value = low_value / 2 if last == -1 else low_value
            last = -1
    return low
