# SPDX-License-Identifier: MIT
"""The privacy-constraints matrix Φ, φ_ih = α^d(i,h) [elsalamouny_tight_constraints, Definition 4].

Distances are kept as numbers of classes, so that Φ can be evaluated at any level of any field, and so that
all distances of a graph of a thousand vertices take a second. An infinite distance gives φ_ih = 0.

The *cells* of an equitable partition of Φ are found by colour refinement of these classes: the number of
vertices of each cell at each distance from i depends only on i's cell. Averaging over cells commutes with Φ,
so existence questions are decided on the quotient.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from exactdp.errors import InputError
from exactdp.exact import ExactMatrix
from exactdp.exact.cached import cached_property
from exactdp.lp.symmetry import refined
from exactdp.model.graph import Graph, Neighbours, require_all_pairs
from exactdp.model.level import PrivacyLevel
from exactdp.model.metric import ONE, Distance
from exactdp.runtime.budget import require_budget
from exactdp.runtime.progress import row_by_row

FAR = -1
"""The class of an infinite distance."""

COUNT = 120
"""Bytes for the distances between two cells, while they are counted (measured)."""


@dataclass(frozen=True)
class ConstraintMatrix:
    """The distances of a graph or metric by class: Φ before its level is known.

    * ``neighbours``: of a graph the shortest paths are meant.
    * ``distances``: the distance of each class; class 0 is the distance 0, written ``None``.
    * ``classes``: ``classes[i][h]`` is the class of d(i, h), or −1 where it is infinite.

    >>> from exactdp.model import neighbours
    >>> phi = ConstraintMatrix.of(neighbours("path:3"))
    >>> phi.classes[0]
    (0, 1, 2)
    >>> phi.at(PrivacyLevel("1/2"))
    ExactMatrix([['1', '1/2', '1/4'], ['1/2', '1', '1/2'], ['1/4', '1/2', '1']])
    """

    neighbours: Neighbours
    distances: tuple[Distance | None, ...]
    classes: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, neighbours: Neighbours) -> ConstraintMatrix:
        """All distances of a graph (by breadth-first search) or of a metric.

        Raises ResourceLimitError if there are more vertices than the budget has distances for.
        """
        size = len(neighbours.vertices)
        require_all_pairs(str(neighbours), size)
        if isinstance(neighbours, Graph):
            rows = tuple(tuple(FAR if d is None else d for d in row) for row in neighbours.hops())
            longest = max(map(max, rows))
            return cls(neighbours, (None, *(ONE if k == 1 else Distance.of(k) for k in range(1, longest + 1))), rows)
        found = sorted({d for _, _, d in neighbours.pairs()})
        number = {d: k for k, d in enumerate(found, start=1)}
        table = [[0 if i == h else FAR for h in range(size)] for i in range(size)]
        for i, h, d in neighbours.pairs():
            table[i][h] = table[h][i] = number[d]
        return cls(neighbours, (None, *found), tuple(map(tuple, table)))

    def __len__(self) -> int:
        return len(self.classes)

    def powers(self, level: PrivacyLevel) -> list[Any]:
        """α^d for each class, with 0 for the infinite distance at the end, so that index −1 finds it.

        Raises DomainError if some α^d is not in the field of α (a distance √2, or 1/2 at a level that is no
        square).
        """
        one = level.field.one
        return [*(one if d is None else level.power(d) for d in self.distances), level.field.zero]

    def at(self, level: PrivacyLevel) -> ExactMatrix:
        """Φ at a level, dense."""
        powers = self.powers(level)
        return ExactMatrix([[powers[k] for k in row] for row in self.classes], level.alpha.field)

    def row_sums(self, level: PrivacyLevel) -> list[Any]:
        """Σ_h φ_ih for each i."""
        powers = self.powers(level)
        return [sum((powers[k] * n for k, n in sorted(Counter(row).items())), powers[-1]) for row in self.classes]

    def spread(self, vector: Sequence[Any], level: PrivacyLevel) -> list[Any]:
        """Φ·v, which is also vᵀ·Φ: equal rows of equal numbers are computed once."""
        powers = self.powers(level)
        number: dict[Any, int] = {}
        colour = [number.setdefault(x, len(number)) for x in vector]
        values, known, result = list(number), dict[Hashable, Any](), []
        for row in self.classes:
            counts = Counter(zip(row, colour, strict=True))
            key = frozenset(counts.items())
            if key not in known:
                known[key] = sum((powers[k] * (values[c] * n) for (k, c), n in counts.items()), powers[-1])
            result.append(known[key])
        return result

    def cells(self, colours: Sequence[Hashable] | None = None) -> Cells:
        """The coarsest equitable partition of Φ that refines the given colours.

        >>> from exactdp.model import neighbours
        >>> ConstraintMatrix.of(neighbours("path:4")).cells().members
        ((0, 3), (1, 2))
        """

        def profile(colour: list[int]) -> Iterator[bytes]:
            several = max(colour) + 1
            found = f"cells of equal rows, {several} until now"
            same: dict[bytes, bytes] = {}  # equal profiles are stored once, and each in eight bytes a number
            for row in row_by_row(self.classes, found, (len(self), len(self))):
                seen = array("q", sorted([k * several + c for k, c in zip(row, colour, strict=True)])).tobytes()
                yield same.setdefault(seen, seen)

        return Cells(self, tuple(refined([0] * len(self) if colours is None else colours, profile)))


@dataclass(frozen=True)
class Cells:
    """An equitable partition of Φ: ``colour[i]`` is the cell of vertex i, numbered as they occur."""

    matrix: ConstraintMatrix
    colour: tuple[int, ...]

    @cached_property
    def members(self) -> tuple[tuple[int, ...], ...]:
        """The vertices of each cell."""
        result: list[list[int]] = [[] for _ in range(max(self.colour) + 1)]
        for i, c in enumerate(self.colour):
            result[c].append(i)
        return tuple(map(tuple, result))

    @cached_property
    def counts(self) -> tuple[tuple[tuple[tuple[int, int], ...], ...], ...]:
        """``counts[c][b]``: for a vertex of cell c, pairs (finite class k, number of vertices of b)."""
        size = len(self.members)
        require_budget(f"the system of {size} cells of equal rows of {self.matrix.neighbours}", memory=COUNT * size * size)
        result = []
        for cell in row_by_row(self.members, "cells and their distances", (size, size)):
            found: list[dict[int, int]] = [{} for _ in self.members]
            for k, b in zip(self.matrix.classes[cell[0]], self.colour, strict=True):
                if k != FAR:
                    found[b][k] = found[b].get(k, 0) + 1
            result.append(tuple(tuple(sorted(row.items())) for row in found))
        return tuple(result)

    def quotient(self, level: PrivacyLevel) -> list[list[Any]]:
        """B_cb = Σ of φ_ih over the h of cell b, for any i of cell c."""
        powers = self.matrix.powers(level)
        zero = powers[-1]
        return [[sum((powers[k] * n for k, n in entry[1:]), powers[entry[0][0]] * entry[0][1]) if entry else zero for entry in row]
                for row in self.counts]  # fmt: skip

    def lift(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """The vector on vertices that is constant on cells."""
        return tuple(values[c] for c in self.colour)

    def total(self, values: Sequence[Any]) -> Any:
        """The sum over all vertices of the vector that is constant on cells."""
        terms = [x * len(cell) for x, cell in zip(values, self.members, strict=True)]
        return sum(terms[1:], terms[0])

    def restrict(self, vector: Sequence[Any]) -> list[Any]:
        """The values on cells of a vector that is constant on them.

        Raises InputError if it is not constant on some cell.
        """
        if any(vector[i] != vector[cell[0]] for cell in self.members for i in cell):
            raise InputError("the vector is not constant on the cells", value=vector)
        return [vector[cell[0]] for cell in self.members]
