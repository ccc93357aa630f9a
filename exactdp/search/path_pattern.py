# SPDX-License-Identifier: MIT
"""Which weights are positive and which guesses tie: the pattern of a vertex of a minimax problem on a path.

A pattern is all that a float solver is asked for. Far from the ends and from the centre it repeats itself, so that the pattern of
a long path can be guessed from that of a shorter one.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Pattern"]


@dataclass(frozen=True, slots=True)
class Pattern:
    """For each input whether its weight may be positive; for each output its best guesses, increasing."""

    support: tuple[bool, ...]
    guesses: tuple[tuple[int, ...], ...]

    def lengthened(self, n: int) -> Pattern | None:
        """The pattern on 0..n, the sites a quarter from either end repeated; None if they don't repeat here.

        >>> short = Pattern((True,) * 9, ((0, 1), (1, 2), (2, 3), (3, 4), (4,), (4, 5), (5, 6), (6, 7), (7, 8)))
        >>> short.lengthened(11) is None                        # an odd number of new sites
        True
        >>> short.lengthened(12).guesses[5:8]
        ((5, 6), (6,), (6, 7))
        """
        old = len(self.support) - 1
        extra, odd = divmod(n - old, 2)
        if odd or extra < 0:
            return None
        left, right = old // 4, old - old // 4
        if any(self._site(j) != self._site(left) for j in (left - 1, left + 1)) or any(
            self._site(j) != self._site(right) for j in (right - 1, right + 1)
        ):
            return None
        sites = [self._site(j) for j in range(old + 1)]
        longer = [*sites[:left], *[sites[left]] * extra, *sites[left:right], *[sites[right]] * extra, *sites[right:]]
        return Pattern(tuple(s for s, _ in longer), tuple(tuple(j + d for d in ds) for j, (_, ds) in enumerate(longer)))

    def _site(self, j: int) -> tuple[bool, tuple[int, ...]]:
        return self.support[j], tuple(r - j for r in self.guesses[j])
