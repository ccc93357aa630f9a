# SPDX-License-Identifier: MIT
"""Guesses that automorphisms map to each other: what holds of one column of an orbit holds of the others.

An automorphism g of the neighbours that keeps the costs maps the column of guess r of a symmetric mechanism
to that of g(r): x_{g(r)}(g(i)) = x_r(i). So one column of each orbit has all numbers. A sum over guesses is

    Σ_r f_r(i) = Σ_o |o| · (the mean of f_o over the orbit of i)

where o goes through the orbits of guesses, each with one column f_o.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Permutation = tuple[int, ...]
"""The image of each input, and of the guess with its number."""


class GuessOrbits:
    """Orbits of guesses, and of the inputs with their numbers, under permutations.

    Parameters
    ----------
    generators : sequence of Permutation
        Automorphisms that keep the costs.
    tails, heads : sequence of int
        The rows of :class:`~exactdp.search.graphs.interior_point.Question`.
    size : int
        How many inputs, and guesses.

    Attributes
    ----------
    chosen : list of int
        One guess of each orbit.
    sizes : array
        How many guesses these stand for.
    indicators : array of shape (inputs, orbits)
        1 where an input is in an orbit.

    Examples
    --------
    >>> import numpy as np
    >>> orbits = GuessOrbits([(2, 1, 0)], [0, 1, 1, 2], [1, 0, 2, 1], 3)
    >>> orbits.chosen, orbits.sizes.tolist()
    ([0, 1], [2.0, 1.0])
    >>> orbits.sum(np.array([[3.0, 2.0, 1.0], [0.0, 1.0, 0.0]])).tolist()
    [4.0, 5.0, 4.0]
    >>> orbits.columns(np.array([[3.0, 2.0, 1.0], [0.0, 1.0, 0.0]])).tolist()
    [[3.0, 2.0, 1.0], [0.0, 1.0, 0.0], [1.0, 2.0, 3.0]]
    >>> orbits.rows(np.array([[1, 2, 3, 4, 0], [5, 6, 6, 5, 0]])).tolist()
    [[1, 2, 3, 4, 0], [5, 6, 6, 5, 0], [4, 3, 2, 1, 0]]
    """

    def __init__(self, generators: Sequence[Permutation], tails: Sequence[int], heads: Sequence[int], size: int) -> None:
        import numpy

        self._np = np = numpy
        self.chosen: list[int] = []
        place = [-1] * size
        maps: list[Any] = [None] * size  # of each guess, what maps the chosen one of its orbit here
        arrays = [np.array(image) for image in generators]
        for first in range(size):
            if place[first] >= 0:
                continue
            waiting = [first]
            place[first], maps[first] = len(self.chosen), np.arange(size)
            for r in waiting:
                for image in arrays:
                    there = int(image[r])
                    if place[there] < 0:
                        place[there], maps[there] = len(self.chosen), image[maps[r]]
                        waiting.append(there)
            self.chosen.append(first)
        self._place = np.array(place)
        self.sizes = np.bincount(self._place).astype(float)
        self.indicators = (self._place[:, None] == np.arange(len(self.chosen))).astype(float)
        # where the entries of the chosen columns go
        self._inverse = np.argsort(np.array(maps), axis=1)
        # from which row of the chosen guess a row of constraints comes
        keys = np.array(tails) * size + np.array(heads)
        order = np.argsort(keys)
        sources = self._inverse[:, tails] * size + self._inverse[:, heads]
        self._sources = order[np.searchsorted(keys, sources, sorter=order)]

    def sum(self, table: Any) -> Any:
        """The sum over all guesses, of a table with one row for each chosen guess."""
        return self.mean(self.sizes @ table)

    def mean(self, values: Any) -> Any:
        """For each input the mean over its orbit."""
        return (self.indicators.T @ values / self.sizes)[self._place]

    def total(self, table: Any) -> float:
        """The sum of everything in such a table, over all guesses."""
        return float(self.sizes @ table.sum(1))

    def columns(self, table: Any) -> Any:
        """The rows of all guesses, from one row over the inputs for each chosen guess."""
        return self._np.take_along_axis(table[self._place], self._inverse, axis=1)

    def rows(self, table: Any) -> Any:
        """The same of a row over constraints; further columns are the guess's own, and stay."""
        found, (_, count) = table[self._place], self._sources.shape
        found[:, :count] = self._np.take_along_axis(found, self._sources, axis=1)
        return found
