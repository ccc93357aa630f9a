# SPDX-License-Identifier: MIT
"""How good geometric noise on the counts 0..n is, for every n, in decimals: what a message tells.

The result at the count i is i + z moved to the nearest of 0..n, with P(z) = (1 − α)/(1 + α)·α^|z|. So
P(|result − i| ≥ k on one side) is α^k/(1 + α) where that side has k counts, and a loss l(|i − r|) is at i

    (D(i) + D(n − i))/(1 + α),    D(m) = Σ_{k=1}^{m} (l(k) − l(k − 1))·α^k.

The least mean loss of all α-private mechanisms on the path, for the uniform prior, is that of the best remap
of the noise (``universal_optimality_monotone`` in proofs/coq). A remap changes results near the ends only.
The cost of the guess g at the result r is convex in g, so that a guess is best where both steps from it cost.

All sums have closed forms. They are computed in balls, which keep their rounding errors.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flint import arb, fmpz

from exactdp.exact import Rational
from exactdp.exact.balls import PRECISION, workprec

LOSSES = ("abs", "squared", "zero-one")
"""The losses whose sums are known."""

FORMULAS = {
    "abs": "(α(1 − α^i) + α(1 − α^(n−i)))/((1 + α)(1 − α))",
    "squared": "(D(i) + D(n−i))/(1 + α), D(m) = α(1 + α − (2m + 1)α^m + (2m − 1)α^(m+1))/(1 − α)²",
    "zero-one": "2α/(1 + α) for 0 < i < n, α/(1 + α) for i = 0 and i = n",
}
"""The loss of the noise at the input i, exactly."""

BITS = 512
MOST_ENDS = 20_000
"""Up to so many results at an end are remapped."""

DIGITS = 40
"""Decimals of the bounds."""

Bounds = tuple[Rational, Rational]


@dataclass(frozen=True, slots=True)
class CountLosses:
    """Bounds of the losses of geometric noise on 0..n, which are decimals a little below and above.

    Attributes
    ----------
    worst : pair of Rational or None
        The largest loss at an input; None where it is not the one in the middle.
    mean : pair of Rational
        The mean over all inputs.
    least : pair of Rational or None
        The least mean of all private mechanisms on the path; None where many results are remapped.
    """

    worst: Bounds | None
    mean: Bounds
    least: Bounds | None


def count_losses(n: int, alpha: Any, loss: str) -> CountLosses:
    """The losses of geometric noise of level α on 0..n, n ≥ 1.

    Parameters
    ----------
    n : int
        At least 1.
    alpha : Rational or ExponentialNumber
        0 < α < 1.
    loss : str
        One of :data:`LOSSES`.

    Examples
    --------
    >>> found = count_losses(10**6, Rational("1/2"), "abs")
    >>> [str(float(bounds[0]))[:10] for bounds in (found.worst, found.mean, found.least)]
    ['1.33333333', '1.33333066', '1.33333066']
    """
    with PRECISION, workprec(BITS):
        noise = _Noise(n, arb(alpha._q) if isinstance(alpha, Rational) else alpha.ball(BITS), loss)
        worst, mean, least = noise.worst(), noise.mean(), noise.least()
        return CountLosses(None if worst is None else _bounds(worst), _bounds(mean), None if least is None else _bounds(least))


def _bounds(ball: arb) -> Bounds:
    """The decimals around a ball."""
    scale = fmpz(10) ** DIGITS
    low, high = (ball * scale).lower().floor().unique_fmpz(), (ball * scale).upper().ceil().unique_fmpz()
    assert low is not None
    assert high is not None
    return Rational(int(low), int(scale)), Rational(int(high), int(scale))


@dataclass(frozen=True, slots=True)
class _Noise:
    """The noise, its level as a ball."""

    n: int
    a: arb
    loss: str

    def sum0(self, m: int) -> arb:
        """Σ_{k=0}^{m} α^k."""
        return (1 - self.a ** (m + 1)) / (1 - self.a)

    def sum1(self, m: int) -> arb:
        """Σ_{k=0}^{m} k·α^k."""
        a = self.a
        return a * (1 - (m + 1) * a**m + m * a ** (m + 1)) / (1 - a) ** 2

    def sum2(self, m: int) -> arb:
        """Σ_{k=0}^{m} k²·α^k."""
        a, power = self.a, self.a**m
        return a * (1 + a - power * ((m + 1) ** 2 - (2 * m * m + 2 * m - 1) * a + m * m * a * a)) / (1 - a) ** 3

    def one_side(self, m: int) -> arb:
        """D(m)."""
        if self.loss == "zero-one":
            return self.a if m else arb(0)
        ones = self.sum0(m) - 1
        return ones if self.loss == "abs" else 2 * self.sum1(m) - ones

    def worst(self) -> arb | None:
        """The loss in the middle, if it is the largest.

        For (i − r)² the steps u_k = (2k − 1)·α^k of D need not fall. log(u_k/u_(n+1−k)) is concave in k up to
        the middle, where it is 0: so u_k ≥ u_(n+1−k) there if it holds for k = 1.
        """
        n, a = self.n, self.a
        if self.loss == "squared" and n > 1 and not a > (2 * n - 1) * a**n:
            return None
        return (self.one_side(n // 2) + self.one_side(n - n // 2)) / (1 + a)

    def mean(self) -> arb:
        """2·Σ_i D(i)/((n + 1)(1 + α)), where the step of D at k counts n + 1 − k times."""
        n, a = self.n, self.a
        if self.loss == "zero-one":
            total = n * a
        elif self.loss == "abs":
            total = (n + 1) * (self.sum0(n) - 1) - self.sum1(n)
        else:
            total = (n + 1) * (2 * self.sum1(n) - self.sum0(n) + 1) - 2 * self.sum2(n) + self.sum1(n)
        return 2 * total / ((n + 1) * (1 + a))

    def least(self) -> arb | None:
        """The mean, less what remapping results near both ends gains.

        The largest entry of each column is the diagonal one: for the loss [i ≠ r] nothing is gained.
        """
        if self.loss == "zero-one":
            return self.mean()
        costs = _of_abs if self.loss == "abs" else _of_squares
        gained, steps, r = arb(0), 0, 0
        while True:
            cost, step = costs(self, r)
            if step(0) > 0:  # so it is for all r up to the middle, and from there on by symmetry
                break
            if r == min(MOST_ENDS, self.n // 2):
                return None
            # the first guess r + d from which a step does not gain; near r where the one of r − 1 was
            while step(steps) < 0:
                steps += 1
            while steps and not step(steps - 1) < 0:
                steps -= 1
            if not step(steps + 1) > 0:
                return None
            # what one more step gains, if that is too little to be seen
            unseen = arb(0) if step(steps) > 0 else arb(0, step(steps).abs_upper())
            gained += (cost(0) - cost(steps) + unseen) * (1 if r == 0 else 1 - self.a) / (1 + self.a)
            r += 1
        return self.mean() - 2 * gained / (self.n + 1)


Costs = tuple[Callable[[int], arb], Callable[[int], arb]]
"""From d to the cost of the guess r + d at the result r, and to what one more step costs, without scale."""


def _of_abs(noise: _Noise, r: int) -> Costs:
    right = noise.n - r
    low0, low1, high0, high1 = noise.sum0(r), noise.sum1(r), noise.sum0(right), noise.sum1(right)

    def cost(d: int) -> arb:
        between0, between1 = noise.sum0(d), noise.sum1(d)
        left = d * low0 + low1
        near = d * (between0 - 1) - between1
        return left + near + high1 - between1 - d * (high0 - between0)

    def step(d: int) -> arb:
        return 2 * (low0 + noise.sum0(d) - 1) - (low0 + high0 - 1)

    return cost, step


def _of_squares(noise: _Noise, r: int) -> Costs:
    right = noise.n - r
    mass = noise.sum0(r) + noise.sum0(right) - 1
    shift = noise.sum1(right) - noise.sum1(r)
    squares = noise.sum2(r) + noise.sum2(right)

    def cost(d: int) -> arb:
        return d * d * mass - 2 * d * shift + squares

    def step(d: int) -> arb:
        return (2 * d + 1) * mass - 2 * shift

    return cost, step
