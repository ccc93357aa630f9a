# SPDX-License-Identifier: MIT
"""Divergences and least quotients of rows b^|i−r|·z_r, such as a geometric mechanism's, without its table.

The quotient b^(|i−r|−|j−r|) of two entries of a column depends on b, i, j and r alone, and for i < j it does
not fall as r grows. So what counts for such a pair are the outputs up to one of them. The sums over these
follow from two sweeps::

    left_i  = Σ_{r ≤ i} b^(i−r) z_r = b·left_(i−1) + z_i
    right_i = Σ_{r ≥ i} b^(r−i) z_r = b·right_(i+1) + z_i

For i > j all is mirrored.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Sequence
from itertools import accumulate
from typing import Any, TypeGuard

from exactdp.exact.ranking import BITS, Around, integers_around
from exactdp.exact.structured import ScaledPowers
from exactdp.runtime.values import dataclass

Canonical = Callable[[Any], Any]
"""Of equal numbers the same object."""


class PowerSums:
    """The sums over the first outputs of two rows of powers, from the sweeps.

    * ``matrix``: one that :meth:`PowerDivergences.fits`.

    >>> from exactdp.exact import Rational
    >>> matrix = ScaledPowers(Rational("1/4"), [Rational(x) for x in ("4/5", "3/5", "4/5")])
    >>> found = PowerSums(matrix)
    >>> side, p, q = found.place(1, 0)
    >>> found.outputs(side, p), found.probabilities(side, p, q, p)
    ((1, 2), (Rational('4/5'), Rational('1/5')))
    """

    def __init__(self, matrix: ScaledPowers) -> None:
        known: dict[Any, Any] = {}

        def canonical(x: Any) -> Any:
            return known.setdefault(x, x)

        self._before, self._powers = matrix.before, matrix.powers
        self._forward = _Side.of(matrix.base, matrix.scales, canonical)
        self._mirrored = _Side.of(matrix.base, matrix.scales[::-1], canonical)

    def place(self, i: int, j: int) -> tuple[_Side, int, int]:
        """A side, and the places p < q of two rows on it.

        The quotient x_jr/x_ir is b^(q−p) up to p, and b^(p+q−2r) between p and q.
        """
        p, q = i + self._before, j + self._before
        if p < q:
            return self._forward, p, q
        last = len(self._mirrored.scales) - 1
        return self._mirrored, last - p, last - q

    def outputs(self, side: _Side, c: int) -> tuple[int, ...]:
        """The outputs that are possible among the first ones of a side, up to c."""
        chosen = [r for r in range(c + 1) if side.scales[r]]
        if side is self._forward:
            return tuple(chosen)
        last = len(side.scales) - 1
        return tuple(last - r for r in reversed(chosen))

    def probabilities(self, side: _Side, p: int, q: int, c: int) -> tuple[Any, Any]:
        """The sums of the two rows over the outputs up to c, where p ≤ c < q."""
        powers, likely = self._powers, side.left[p]
        if c > p:
            likely = likely + side.right[p] - side.scales[p] - powers[c + 1 - p] * side.right[c + 1]
        return likely, powers[q - c] * side.left[c]

    def terms(self, side: _Side, p: int, q: int, c: int) -> Hashable:
        """What the sums up to c are made of: where it is equal, they are equal."""
        more = (id(side.right[p]), id(side.scales[p]), id(side.right[c + 1])) if c > p else ()
        return q - p, c - p, id(side.left[p]), id(side.left[c]), more


class PowerDivergences:
    """The same as :class:`~exactdp.analysis.row_pairs.Divergences`, for rows of powers.

    Parameters
    ----------
    matrix : ScaledPowers
        For which :meth:`fits` is true.
    alpha
        0 < α ≤ 1, rational or of its field.
    furthest : int
        No pair of rows that is asked about is further apart.

    Examples
    --------
    >>> from exactdp.exact import Rational
    >>> matrix = ScaledPowers(Rational("1/4"), [Rational(x) for x in ("4/5", "3/5", "4/5")])
    >>> found = PowerDivergences(matrix, Rational("1/2"), 1)
    >>> found.outputs(1, 0), found.probabilities(1, 0)
    ((1, 2), (Rational('4/5'), Rational('1/5')))
    >>> found.is_above(1, 0), found.raised(Rational("2/5"), 1, 0), found.is_above(1, 0)
    (True, None, False)
    """

    def __init__(self, matrix: ScaledPowers, alpha: Any, furthest: int) -> None:
        self._sums, self._zero, self._powers = PowerSums(matrix), matrix.field.zero, matrix.powers
        self._least_distance = _first_below(alpha, self._powers, furthest)
        self._factor, _ = integers_around(1 / alpha)
        self._known_around: dict[int, tuple[Any, Around]] = {}  # with the object, so that no identity is used again
        self._largest = 0
        self._attained: set[Hashable] = set()

    @staticmethod
    def fits(matrix: Any) -> TypeGuard[ScaledPowers]:
        """Whether a matrix of numbers is of powers of a number between 0 and 1, times numbers ≥ 0."""
        return isinstance(matrix, ScaledPowers) and 0 < matrix.base < 1 and not any(z < 0 for z in matrix.scales)

    def _place(self, i: int, j: int) -> tuple[_Side, int, int, int]:
        """A side, the places p < q of two rows on it, and the last output that counts; −1 if none does."""
        side, p, q = self._sums.place(i, j)
        k = self._least_distance
        return side, p, q, ((p + q - k) // 2 if q - p >= k else -1)

    def outputs(self, i: int, j: int) -> tuple[int, ...]:
        """The outputs r with α·x_ir > x_jr."""
        side, _, _, c = self._place(i, j)
        return self._sums.outputs(side, c)

    def probabilities(self, i: int, j: int) -> tuple[Any, Any]:
        """The sums of x_ir and of x_jr over these outputs."""
        side, p, q, c = self._place(i, j)
        return (self._zero, self._zero) if c < 0 else self._sums.probabilities(side, p, q, c)

    def _at_most(self, i: int, j: int) -> int:
        """An integer that is at least 2^BITS times the divergence."""
        side, p, q, c = self._place(i, j)
        if c < 0:
            return 0
        around = self._around
        likely = around(side.left[p])[1]
        if c > p:
            beyond = around(self._powers[c + 1 - p])[0] * around(side.right[c + 1])[0] >> BITS
            likely += around(side.right[p])[1] - around(side.scales[p])[0] - beyond
        unlikely = around(self._powers[q - c])[0] * around(side.left[c])[0] >> BITS
        return likely - (unlikely * self._factor >> BITS)

    def _around(self, x: Any) -> Around:
        found = self._known_around.get(id(x))
        if found is None:
            low, high = integers_around(x)
            found = self._known_around[id(x)] = x, (max(0, low), high)
        return found[1]

    def is_above(self, i: int, j: int) -> bool:
        """Whether the divergence may be above 0 and all that :meth:`raised` was told."""
        return self._at_most(i, j) > self._largest and self.terms(i, j) not in self._attained

    def terms(self, i: int, j: int) -> Hashable:
        """What the sums are made of: where it is equal, they are equal."""
        side, p, q, c = self._place(i, j)
        return () if c < 0 else self._sums.terms(side, p, q, c)

    def raised(self, divergence: Any, i: int, j: int) -> None:
        """Note the divergence of a pair, which is not above the largest one, or is the largest one now."""
        self._attained.add(self.terms(i, j))
        self._largest = max(self._largest, integers_around(divergence)[0])


class PowerQuotients:
    """The least x_jr/x_ir with x_ir > 0, for pairs of rows of powers b^|i−r|·z_r.

    It is b^k with the largest k = |j−r| − |i−r|. From the output i on, away from j, k is |i−j|; on the way
    to j it falls by 2 with each output.

    * ``matrix``: one that :meth:`PowerDivergences.fits`.

    >>> from exactdp.exact import Rational
    >>> matrix = ScaledPowers(Rational("1/4"), [Rational(x) for x in ("4/5", "3/5", "4/5")])
    >>> found = PowerQuotients(matrix)
    >>> found.least(1, 0), found.least(0, 2)
    ((1, 1), (2, 0))
    """

    def __init__(self, matrix: ScaledPowers) -> None:
        self._before = matrix.before
        self._positive = [r for r, z in enumerate(matrix.scales) if z]

    def least(self, i: int, j: int) -> tuple[int, int] | None:
        """For different rows the k of the least quotient, and the first output that has it."""
        positive = self._positive
        if not positive:
            return None
        p, q = i + self._before, j + self._before
        r = positive[0]  # for i < j, k never rises with the output
        if p > q:
            beyond = bisect_left(positive, p)
            nearest = positive[beyond if beyond < len(positive) else -1]
            r = nearest if nearest > q else r  # up to j, k is the same for all
        return abs(q - r) - abs(p - r), r


class PowerLevels:
    """The same as :class:`~exactdp.analysis.row_pairs.PairLevels`, for neighbouring rows of powers.

    For rows next to each other x_jr/x_ir is b up to i, seen from the end away from j, and 1/b beyond. So the
    event with the least P(E|j)/(P(E|i) − δ), if that is below 1, is all outputs up to i.

    * ``matrix``: one that :meth:`PowerDivergences.fits`.
    * ``delta``: 0 < δ ≤ 1, rational or of its field.

    >>> from exactdp.exact import Rational
    >>> matrix = ScaledPowers(Rational("1/4"), [Rational(x) for x in ("4/5", "3/5", "4/5")])
    >>> found = PowerLevels(matrix, Rational("1/5"))
    >>> found.below_the_least(1, 0), found.below_the_least(0, 1)
    ((Rational('1/3'), (1, 2)), None)
    """

    def __init__(self, matrix: ScaledPowers, delta: Any) -> None:
        self._sums, self._delta = PowerSums(matrix), delta
        self._least: Any = None
        self._seen: set[Hashable] = set()

    def below_the_least(self, i: int, j: int) -> tuple[Any, tuple[int, ...]] | None:
        """The level and the outputs of its event, if it is less than 1 and all that were found before."""
        side, p, q = self._sums.place(i, j)
        terms = self._sums.terms(side, p, q, p)
        if terms in self._seen:
            return None
        self._seen.add(terms)
        likely, unlikely = self._sums.probabilities(side, p, q, p)
        room = likely - self._delta
        if not room > 0:
            return None
        level = unlikely / room
        if level >= 1 or (self._least is not None and level >= self._least):
            return None
        self._least = level
        return level, self._sums.outputs(side, p)


@dataclass(frozen=True, slots=True)
class _Side:
    """The scales z in one of the two orders, with their sweeps."""

    scales: Sequence[Any]
    left: Sequence[Any]
    right: Sequence[Any]

    @classmethod
    def of(cls, base: Any, scales: Sequence[Any], canonical: Canonical) -> _Side:
        """That of some scales."""

        def sweep(values: Sequence[Any]) -> list[Any]:
            return list(map(canonical, accumulate(values, lambda carry, z: base * carry + z)))

        return cls(list(map(canonical, scales)), sweep(scales), sweep(scales[::-1])[::-1])


def _first_below(alpha: Any, powers: Sequence[Any], furthest: int) -> int:
    """The least k ≥ 1 with b^k < α; one more than the furthest if no k up to it will do."""
    low, high = 1, furthest + 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if powers[middle] < alpha else (middle + 1, high)
    return low
