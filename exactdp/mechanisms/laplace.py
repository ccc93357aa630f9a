# SPDX-License-Identifier: MIT
"""Laplace noise rounded to integers, exactly, as a deployed "Laplace mechanism" on counts is.

The density of Lap(b) is e^(−|x|/b)/(2b). With t = e^(−1/(2b)) the value rounded to the nearest integer (ties
have probability 0) has the law

    P(Z = 0) = 1 − t,        P(Z = z) = (t^(2|z|−1) − t^(2|z|+1))/2 for z ≠ 0.

It is *not* the two-sided geometric law with α = t²: its mass at 0 is 1 − t (0.393 at b = 1), not (1−α)/(1+α)
(0.462).
"""

from __future__ import annotations

from typing import Any

from exactdp.errors import ParameterRangeError
from exactdp.exact import Rational
from exactdp.mechanisms.noise import SymmetricNoise
from exactdp.model.level import EpsilonLike, LevelLike, PrivacyLevel, base_level
from exactdp.runtime.values import dataclass

__all__ = ["RoundedLaplaceNoise"]


@dataclass(frozen=True, slots=True, init=False)
class RoundedLaplaceNoise(SymmetricNoise):
    """Laplace noise rounded to the nearest integer.

    Parameters
    ----------
    root : level
        t = e^(−1/(2b)) for the scale b, so t² = e^(−ε) for b = 1/ε; 0 < t < 1.
    epsilon : text, rational or Epsilon
        Instead of the root: the ε of the scale b = 1/ε.

    Notes
    -----
    The neighbouring ratios are t² for |z| ≥ 1 and t(1+t)/2 > t² between 0 and 1: the rounded mechanism is
    e^(−1/b)-private (rounding is a post-processing of the Laplace mechanism), and exactly that wherever two
    outputs on one side of two neighbours are seen.

    Examples
    --------
    >>> z = RoundedLaplaceNoise("1/2")
    >>> z.mass(0), z.mass(1), z.lower_tail(-1), z.upper_tail(1)
    (Rational('1/2'), Rational('3/16'), Rational('1/4'), Rational('1/4'))
    >>> RoundedLaplaceNoise(epsilon=1).root
    PrivacyLevel(epsilon='1/2')
    """

    root: PrivacyLevel

    def __init__(self, root: LevelLike | None = None, *, epsilon: EpsilonLike | None = None) -> None:
        object.__setattr__(self, "root", base_level(root, epsilon, Rational("1/2"), "root"))

    def mass(self, z: int) -> Any:
        """P(Z = z)."""
        t = self.root.alpha
        return 1 - t if z == 0 else t ** (2 * abs(z) - 1) * (1 - t * t) / 2

    def lower_tail(self, z: int) -> Any:
        """P(Z ≤ z) = P(Lap < z + 1/2)."""
        t = self.root.alpha
        return t ** (-2 * z - 1) / 2 if z < 0 else 1 - t ** (2 * z + 1) / 2


@dataclass(frozen=True, slots=True, init=False)
class GranularGeometricNoise(SymmetricNoise):
    """Two-sided geometric noise on multiples of 1/N, rounded to integers, as Google's library makes it.

    Its addition of noise to an integer draws a two-sided geometric S with P(S = s) ∝ t^|s|, and adds S/N
    rounded to the nearest integer, halves away from zero; N is a power of two, and t = e^(−ε/(N·Δ + 1)) (the
    documented λ = g·ε/(Δ + g) with the granularity g = 1/N).

    Parameters
    ----------
    root : level
        t, 0 < t < 1.
    resolution : int
        N ≥ 2, even. Powers t^(N/2) are written out, so N is for small studies. The library's N is about
        2^40·ε/Δ, so small only for a tiny ε.
    epsilon : text, rational or Epsilon
        Instead of the root: ε, for Δ = 1.

    Notes
    -----
    The output 0 collects N − 1 fine values and the output 1 collects N, so P(0)/P(1) tends to (N−1)/N as
    t → 1: for an ε so small that N is small the rounded noise is *not* e^(−ε)-private (at N = 2 its level
    tends to 1/2). The quotients far out are t^N ≥ e^(−ε), as documented.

    Examples
    --------
    >>> z = GranularGeometricNoise("1/2", 2)
    >>> z.mass(0), z.mass(1), z.lower_tail(-1)
    (Rational('1/3'), Rational('1/4'), Rational('1/3'))
    """

    root: PrivacyLevel
    resolution: int

    def __init__(self, root: LevelLike | None = None, resolution: int = 0, *, epsilon: EpsilonLike | None = None) -> None:
        if not isinstance(resolution, int) or resolution < 2 or resolution % 2:
            raise ParameterRangeError(
                f"resolution = {resolution!r} is not an even integer ≥ 2", name="resolution", value=resolution, allowed="2, 4, 6, …"
            )
        object.__setattr__(self, "root", base_level(root, epsilon, Rational(1, resolution + 1), "root"))
        object.__setattr__(self, "resolution", resolution)

    def mass(self, z: int) -> Any:
        """P(Z = z) = Σ P(S = s) over the s that round to z: N·z − N/2 ≤ s < N·z + N/2 for z > 0."""
        t, N = self.root.alpha, self.resolution
        if z == 0:
            return 1 - 2 * t ** (N // 2) / (1 + t)
        first = N * abs(z) - N // 2
        return t**first * (1 - t**N) / (1 + t)

    def lower_tail(self, z: int) -> Any:
        """P(Z ≤ z)."""
        t, N = self.root.alpha, self.resolution
        if z < 0:
            return t ** (-N * z - N // 2) / (1 + t)
        return 1 - t ** (N * (z + 1) - N // 2) / (1 + t)
