# SPDX-License-Identifier: MIT
"""The search for a tree of cases that shows the sign of one polynomial on a polyhedron."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from flint import fmpq, fmpz_mpoly

from exactdp.exact.positivity.cells import MOST_COEFFICIENTS, Cell, Homogeneous
from exactdp.exact.positivity.cones import Inequality, Polyhedron, Row, linear
from exactdp.exact.positivity.proof import Assignment, Cases, RegionLike, Sum, Terms, Tree, terms_of, value_of
from exactdp.exact.rational import Rational, _wrap

DEEPEST = 60
"""So many cuts may lie around a cell."""

STEPS = (0, 1, 2, 3, 5, 8, 13, 21, 34, 55)
"""A point near to a corner has 2^step times the corner's weight."""

LARGE = 200
"""A cell with more coefficients counts as several."""

MANY = 2_000
"""With more coefficients, the longest edge is cut, and no other is tried."""


class OpenError(Exception):
    """The search ended without an answer."""


class NegativeError(Exception):
    """The polynomial is negative at a point of the region."""

    def __init__(self, point: Assignment) -> None:
        super().__init__()
        self.point = point


@dataclass
class Search:
    """The search for a tree that shows that a polynomial is > 0 (``strict``) or ≥ 0.

    * ``touching``: zeros of the polynomial; the cells are cut there first.
    * ``heard``: called for every cell.
    * ``contains``: whether a point is in the region.
    * ``cells``: how many cells may still be looked at.
    * ``others``: facts that are not linear.
    * ``zero``: a point of the region where the polynomial is zero, if one was seen.
    """

    region: RegionLike
    polynomial: fmpz_mpoly
    strict: bool
    touching: Sequence[Row]
    heard: Callable[[], None]
    contains: Callable[[Assignment], bool]
    cells: int
    zero: Assignment | None = field(default=None)
    others: Sequence[Inequality] = ()

    def tree(self, blocks: Sequence[Polyhedron]) -> Tree | None:
        """The tree on a product of polyhedra, or None; NegativeError if a point shows that there is none."""
        form = Homogeneous(self.polynomial, [b.letters for b in blocks], self.others)
        if form.size > MOST_COEFFICIENTS:
            return None
        try:
            return _finished(self._on(form, list(blocks), 0))
        except OpenError:
            return None

    def _on(self, form: Homogeneous, blocks: list[Polyhedron], depth: int) -> _Node:
        if depth > DEEPEST:
            raise OpenError
        for b, block in enumerate(blocks):
            if not block.is_simplex:
                return self._first_cut(form, blocks, b, depth)
        return self._cell(form.on(blocks), depth)

    def _first_cut(self, form: Homogeneous, blocks: list[Polyhedron], b: int, depth: int) -> _Node:
        """A polyhedron that is no simplex is cut."""
        row = next(blocks[b].cuts(), None)
        if row is None or not self.cells:
            raise OpenError
        whole = blocks[b].widened(row, form.count)
        fact = Inequality(linear(self.polynomial.context(), whole), False, whole)
        opposite = Inequality(-fact.polynomial, False, tuple(-x for x in whole))
        parts = [part for part in blocks[b].cut(fact, opposite) if part is not None]
        if len(parts) < 2:
            raise OpenError
        first, second = (self._on(form, [*blocks[:b], part, *blocks[b + 1 :]], depth + 1) for part in parts)
        return terms_of(fact.polynomial), first, second

    def _cell(self, cell: Cell, depth: int) -> _Node:
        if self.cells < 1:
            raise OpenError
        self.cells -= 1 + len(cell.coefficients) // LARGE
        self.heard()
        for chosen, value in cell.corners:
            if value < 0:
                self._below(cell, chosen)
            elif value == 0 and self.zero is None:
                point = self._corner(cell, chosen)
                if point is not None and self.contains(point):
                    self.zero = point
        if not cell.negative and not self.strict:
            return cell  # its sum is written when all others are there
        found = cell.products(self.strict)
        if found is not None:
            return found
        if self.cells < 2 or depth >= DEEPEST or (self.strict and self.zero is not None):
            raise OpenError
        place = cell.towards(self.touching) or self._best_edge(cell, depth)
        if place is None:
            raise OpenError
        form, _, first, second = cell.cut(*place)
        if second.negative > first.negative:  # the harder one first
            other = self._cell(second, depth + 1)
            return terms_of(form.polynomial), self._cell(first, depth + 1), other
        one = self._cell(first, depth + 1)
        return terms_of(form.polynomial), one, self._cell(second, depth + 1)

    def _best_edge(self, cell: Cell, depth: int) -> tuple[int, int, int, int, int] | None:
        """The cut that leaves least below zero; each third one halves the longest edge."""
        edges = list(cell.edges())
        if not edges:
            return None
        if len(edges) == 1 or len(cell.coefficients) > MANY or depth % 3 == 2:
            return max(edges, key=lambda e: _length(cell, e))
        scores = {}
        for edge in edges:
            parts = cell.cut(*edge)[2:]
            scores[edge] = (sum(part.negative > 0 for part in parts), sum((_below(part) for part in parts), fmpq(0)))
        return min(edges, key=scores.__getitem__)

    # --- Points ---

    def _corner(self, cell: Cell, chosen: Sequence[int]) -> Assignment | None:
        """The corner with these generators; None if it is at infinity."""
        point = dict(self.region.inside)
        for k in chosen:
            b, g = cell.generators[k]
            if not g[-1]:
                return None
            for place, letter in enumerate(cell.blocks[b].letters):
                point[self.region.names[letter]] = _wrap(fmpq(g[place], g[-1]))
        return point

    def _below(self, cell: Cell, chosen: Sequence[int]) -> None:
        """The polynomial is negative at a corner; so it is at a point of the region near to it."""
        names = self.region.names
        corner = self._corner(cell, chosen)
        if corner is not None and self.contains(corner):
            raise NegativeError(corner)
        for step in STEPS if not self.others else STEPS[::3]:
            point = dict(self.region.inside)
            for b, block in enumerate(cell.blocks):
                total = [x << step for x in cell.generators[chosen[b]][1]]
                for g in block.generators:
                    total = [x + y for x, y in zip(total, g, strict=True)]
                for place, k in enumerate(block.letters):
                    point[names[k]] = Rational(total[place], total[-1])
            if value_of(self.polynomial, names, point).sign() < 0 and self.contains(point):
                raise NegativeError(point)
        if not self.others:
            raise OpenError


_Node = Cell | Sum | tuple[Terms, "_Node", "_Node"]
"""A tree, some of whose sums are not written yet."""


def _finished(node: _Node) -> Tree:
    if isinstance(node, tuple):
        form, first, second = node
        return Cases(form, _finished(first), _finished(second))
    if isinstance(node, Sum):
        return node
    found = node.products(strict=False)
    assert found is not None
    return found


def _below(cell: Cell) -> fmpq:
    """How much of a Bernstein form is negative."""
    values = cell.coefficients.values()
    below = sum((-c for c in values if c < 0), fmpq(0))
    return below / sum((abs(c) for c in values), fmpq(0)) if below else below


def _length(cell: Cell, edge: tuple[int, int, int, int, int]) -> fmpq:
    """How long an edge is, in the letter in which it is longest; a ray is longer than all."""
    b, i, j, _, _ = edge
    g, h = cell.blocks[b].generators[i], cell.blocks[b].generators[j]
    if not (g[-1] and h[-1]):
        return fmpq(10**9)
    return max(abs(fmpq(x, g[-1]) - fmpq(y, h[-1])) for x, y in zip(g[:-1], h[:-1], strict=True))
