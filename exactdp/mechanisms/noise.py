# SPDX-License-Identifier: MIT
"""Integer noise laws, and mechanisms made by adding noise and clamping the result to 0..n.

A law is known by its mass P(Z = z) and its two tails P(Z ≤ z), P(Z ≥ z), all exact.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from exactdp.errors import InputError, NegativeEntryError, NotStochasticError
from exactdp.exact import ExactMatrix, Scalar
from exactdp.mechanisms.geometric import _size
from exactdp.model.labels import field_of
from exactdp.model.level import LevelLike, PrivacyLevel, as_level
from exactdp.model.stochastic import Mechanism

__all__ = ["FiniteNoise", "GeometricNoise", "IntegerNoise", "truncate"]


@runtime_checkable
class IntegerNoise(Protocol):
    """What :func:`truncate` asks of a law of an integer Z."""

    def mass(self, z: int) -> Any:
        """P(Z = z)."""

    def lower_tail(self, z: int) -> Any:
        """P(Z ≤ z)."""

    def upper_tail(self, z: int) -> Any:
        """P(Z ≥ z)."""


@dataclass(frozen=True, slots=True, init=False)
class GeometricNoise:
    """The two-sided geometric law P(Z = z) = (1−α)/(1+α) · α^|z|.

    Parameters
    ----------
    alpha : text, scalar or PrivacyLevel
        0 < α < 1.

    Examples
    --------
    >>> z = GeometricNoise("1/2")
    >>> z.mass(0), z.mass(-2), z.lower_tail(0), z.upper_tail(1)
    (Rational('1/3'), Rational('1/12'), Rational('2/3'), Rational('1/3'))
    """

    level: PrivacyLevel

    def __init__(self, alpha: LevelLike) -> None:
        object.__setattr__(self, "level", as_level(alpha))

    def mass(self, z: int) -> Any:
        """(1−α)/(1+α) · α^|z|."""
        a = self.level.alpha
        return (1 - a) / (1 + a) * a ** abs(z)

    def lower_tail(self, z: int) -> Any:
        """P(Z ≤ z): α^(−z)/(1+α) for z ≤ 0, 1 − α^(z+1)/(1+α) for z ≥ 0."""
        a = self.level.alpha
        return a**-z / (1 + a) if z <= 0 else 1 - a ** (z + 1) / (1 + a)

    def upper_tail(self, z: int) -> Any:
        """P(Z ≥ z), which is P(Z ≤ −z)."""
        return self.lower_tail(-z)


@dataclass(frozen=True, slots=True, init=False)
class FiniteNoise:
    """A law with finitely many values, given by its masses.

    Parameters
    ----------
    masses : mapping of int to exact number
        Entries ≥ 0 that sum to 1.

    Raises
    ------
    NotStochasticError, NegativeEntryError
        With the exact sum and excess, or the mass.

    Examples
    --------
    >>> z = FiniteNoise({-1: "1/4", 0: "1/2", 1: "1/4"})
    >>> z.mass(5), z.lower_tail(0), z.upper_tail(1)
    (Rational('0'), Rational('3/4'), Rational('1/4'))
    """

    masses: tuple[tuple[int, Any], ...]

    def __init__(self, masses: Mapping[int, object]) -> None:
        if not isinstance(masses, Mapping):
            raise InputError(f"a law is a mapping from integers to masses, not a {type(masses).__name__}", value=masses)
        field = field_of(masses.values())
        pairs = []
        for z, p in masses.items():
            if not isinstance(z, int) or isinstance(z, bool):
                raise InputError(f"the value {z!r} of the noise is not an int", value=z)
            pairs.append((z, p if isinstance(p, Scalar) and p.field is field else field(p)))
        object.__setattr__(self, "masses", tuple(sorted(pairs, key=lambda pair: pair[0])))
        self.__post_init__()

    def __post_init__(self) -> None:
        if not self.masses:
            raise InputError("a law needs at least one value", value={})
        for z, p in self.masses:
            if p.sign() < 0:
                raise NegativeEntryError(f"the mass of {z} is {p}, which is negative", position=z, value=p)
        total = self._total(lambda z: True)
        if total != 1:
            raise NotStochasticError(f"the masses sum to {total}, not 1 (excess {total - 1})", rows=(("noise", total, total - 1),))

    def mass(self, z: int) -> Any:
        """P(Z = z)."""
        return self._total(lambda value: value == z)

    def lower_tail(self, z: int) -> Any:
        """P(Z ≤ z)."""
        return self._total(lambda value: value <= z)

    def upper_tail(self, z: int) -> Any:
        """P(Z ≥ z)."""
        return self._total(lambda value: value >= z)

    def _total(self, chosen: Any) -> Any:
        return sum((p for z, p in self.masses if chosen(z)), self.masses[0][1].field.zero)


def truncate(noise: IntegerNoise, n: int) -> Mechanism:
    """The mechanism that adds noise to the input and clamps the result to 0..n.

    Parameters
    ----------
    noise : IntegerNoise
        The law of what is added.
    n : int
        At least 0.

    Returns
    -------
    Mechanism
        Entry (i, 0) is P(Z ≤ −i), entry (i, n) is P(Z ≥ n−i), entry (i, r) between is P(Z = r−i).

    Examples
    --------
    >>> from exactdp.mechanisms.geometric import geometric
    >>> truncate(GeometricNoise("1/3"), 4) == geometric(4, "1/3")
    True
    """
    if _size(n) == 0:
        return Mechanism([[1]])
    masses = {z: noise.mass(z) for z in range(2 - n - 1, n)}
    rows = [[noise.lower_tail(-i), *(masses[r - i] for r in range(1, n)), noise.upper_tail(n - i)] for i in range(n + 1)]
    return Mechanism(ExactMatrix(rows, rows[0][0].field))
