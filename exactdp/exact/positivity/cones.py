# SPDX-License-Identifier: MIT
"""Polyhedra of a few letters as cones: facets, vertices and rays, and cuts into simplices.

A point x is the vector (x, 1), a ray r the vector (r, 0); a polyhedron is the cone that they span, and a
linear form f(x) = f₁x₁ + … + f₀ is the row (f₁, …, f₀). All are primitive integer vectors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, gcd
from typing import Any

from flint import fmpz_mat, fmpz_mpoly

Row = tuple[int, ...]

MOST_COMBINATIONS = 5_000
"""A polyhedron with more ways to choose the facets of a vertex is left alone."""


@dataclass(frozen=True, slots=True)
class Inequality:
    """A polynomial that is ≥ 0, or > 0 (``strict``); its row over all letters if it is linear.

    The constant 1 is one, too: of a polyhedron without bounds it is one of the cone's facets.
    """

    polynomial: fmpz_mpoly
    strict: bool
    row: Row | None

    @property
    def letters(self) -> frozenset[int]:
        """The places of the letters in it."""
        return frozenset(k for k, d in enumerate(self.polynomial.degrees()) if d)


def primitive(row: Iterable[int]) -> Row:
    """The vector without common factor, in the same direction."""
    values = tuple(row)
    common = gcd(*values)
    return tuple(x // common for x in values) if common > 1 else values


def row_of(p: fmpz_mpoly, count: int) -> Row | None:
    """The row of a linear polynomial; None for another."""
    row = [0] * (count + 1)
    for powers, c in p.terms():
        if sum(map(int, powers)) > 1:
            return None
        place = next((k for k, e in enumerate(powers) if e), count)
        row[place] = int(c)
    return tuple(row)


def linear(context: Any, row: Row) -> fmpz_mpoly:
    """The polynomial with this row."""
    count = len(row) - 1
    result: fmpz_mpoly = context.from_dict({tuple(int(k == place) for k in range(count)): c for place, c in enumerate(row) if c})
    return result


def times(row: Sequence[int], vector: Sequence[int]) -> int:
    """The scalar product."""
    return sum(x * y for x, y in zip(row, vector, strict=True) if x and y)


def normal_of(vectors: Sequence[Row], dimension: int) -> Row | None:
    """The vector orthogonal to all of these, one less than the dimension; None if they are dependent."""
    if not vectors:
        return (1,)
    kernel, rank = fmpz_mat([list(v) for v in vectors]).nullspace()
    return primitive(int(kernel[i, 0]) for i in range(dimension)) if rank == 1 else None


def rank_of(vectors: Sequence[Row]) -> int:
    """The dimension that they span."""
    return int(fmpz_mat([list(v) for v in vectors]).rank()) if vectors else 0


@dataclass(frozen=True, slots=True)
class Polyhedron:
    """A polyhedron in some of the letters, with inner points.

    * ``letters``: the places of its letters.
    * ``facts``: its facets. In a simplex, fact k is positive at generator k and zero at the others.
    * ``generators``: its vertices and rays, over its letters; empty if it contains a line.
    """

    letters: tuple[int, ...]
    facts: tuple[Inequality, ...]
    generators: tuple[Row, ...]

    @classmethod
    def of(cls, letters: tuple[int, ...], facts: Iterable[Inequality]) -> Polyhedron | None:
        """The polyhedron of these facts about these letters; None if there are too many."""
        dimension = len(letters) + 1
        chosen: dict[Row, Inequality] = {}
        for fact in facts:
            row = _part(fact, letters)
            if row not in chosen or (fact.strict and not chosen[row].strict):
                chosen[row] = fact
        rows = list(chosen)
        if comb(len(rows), dimension - 1) > MOST_COMBINATIONS:
            return None
        if rank_of(rows) < dimension:
            return cls(letters, tuple(chosen.values()), ())
        found: dict[Row, None] = {}
        for few in combinations(rows, dimension - 1):
            vector = normal_of(few, dimension)
            if vector is not None:
                signs = [times(row, vector) for row in rows]
                if min(signs) >= 0:
                    found[vector] = None
                elif max(signs) <= 0:
                    found[tuple(-x for x in vector)] = None
        generators = sorted(found)
        facets = [row for row in rows if rank_of([g for g in generators if times(row, g) == 0]) == dimension - 1]
        if len(generators) == dimension:
            facets = [next(row for row in facets if times(row, g)) for g in generators]
        return cls(letters, tuple(chosen[row] for row in facets), tuple(generators))

    @property
    def is_simplex(self) -> bool:
        """Whether it has as few generators as can be."""
        return len(self.generators) == len(self.letters) + 1

    def part(self, fact: Inequality) -> Row:
        """A fact's row over these letters."""
        return _part(fact, self.letters)

    def widened(self, row: Row, count: int) -> Row:
        """A row over these letters as one over all of them."""
        whole = [0] * (count + 1)
        for place, c in zip((*self.letters, count), row, strict=True):
            whole[place] = c
        return tuple(whole)

    def cut(self, form: Inequality, opposite: Inequality) -> tuple[Polyhedron | None, Polyhedron | None]:
        """The two parts where a form is ≥ 0, and ≤ 0."""
        return Polyhedron.of(self.letters, (*self.facts, form)), Polyhedron.of(self.letters, (*self.facts, opposite))

    def cuts(self) -> Iterator[Row]:
        """Forms that cut a polyhedron that is no simplex, on the way to simplices: the best ones first.

        A cut goes through vertices, so that few new ones arise.
        """
        if not self.generators:
            rows = [self.part(fact) for fact in self.facts]
            for k in range(len(self.letters)):
                unit = tuple(int(k == i) for i in range(len(self.letters) + 1))
                if rank_of([*rows, unit]) > rank_of(rows):
                    yield unit
            return
        dimension, found = len(self.letters) + 1, dict[Row, tuple[int, int, Row]]()
        if comb(len(self.generators), dimension - 1) > MOST_COMBINATIONS:
            return
        for few in combinations(self.generators, dimension - 1):
            row = normal_of(few, dimension)
            if row is None or row in found or tuple(-x for x in row) in found:
                continue
            signs = [times(row, g) for g in self.generators]
            above, below = sum(s > 0 for s in signs), sum(s < 0 for s in signs)
            if above and below:
                crossed = sum(1 for g, h in combinations(self.generators, 2) if times(row, g) * times(row, h) < 0 and self._adjacent(g, h))
                found[row] = (max(above, below) + crossed, sum(map(abs, row)), row)
        yield from sorted(found, key=found.__getitem__)

    def _adjacent(self, g: Row, h: Row) -> bool:
        tight = [row for row in map(self.part, self.facts) if times(row, g) == 0 == times(row, h)]
        return rank_of(tight) == len(self.letters) - 1


def _part(fact: Inequality, letters: Sequence[int]) -> Row:
    row = fact.row
    assert row is not None
    return primitive((*(row[k] for k in letters), row[-1]))
