# SPDX-License-Identifier: MIT
"""A linear program with its symmetric variables and rows merged, and the way back.

Variables and rows are partitioned until the partition is *equitable*: for every cell P of rows and Q of
variables, the sum Σ_{j∈Q} a_ij is the same for all i ∈ P, and Σ_{i∈P} a_ij the same for all j ∈ Q; costs,
signs and right-hand sides are constant on cells. Averaging over cells then maps feasible points to feasible
points of the same cost, so one variable X_Q a cell is enough. A solution of the smaller problem lifts by x_j
= X_Q and y_i = Y_P/|P| [Grohe, Kersting, Mladenov, Selman: Dimension reduction via colour refinement, 2014].
Orbits of automorphisms are such cells; colour refinement finds the coarsest partition without looking for
automorphisms.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable
from typing import Any

from exactdp.exact import Rational
from exactdp.lp.problem import Answer, ByIdentity, Infeasible, LinearProgram, Optimal, Row, Unbounded
from exactdp.runtime.progress import Progress, listener_of

_PRIME = 2**61 - 1
"""Weights are compared modulo this prime."""
_WORTHWHILE = 0.9
"""A problem with more than this part of its variables and rows left is not reduced."""


class ReducedProgram:
    """The smaller problem ``lp``, or None where there is next to no symmetry; :meth:`lift` leads back.

    >>> from exactdp.exact import QQ
    >>> one = QQ(1)
    >>> symmetric = LinearProgram(2, {0: one, 1: one}, [Row({0: one, 1: one}, ">=", one)])
    >>> reduced = ReducedProgram(symmetric)
    >>> reduced.lp.n_variables, str(reduced.lp.rows[0])
    (1, '2·x0 >= 1')
    >>> reduced.lift(Optimal((QQ("1/2"),), (one,), one))
    Optimal(x=(Rational('1/2'), Rational('1/2')), y=(Rational('1'),), value=Rational('1'))
    """

    def __init__(self, full: LinearProgram) -> None:
        n = full.n_variables
        most = _WORTHWHILE * (n + len(full.rows))
        cells = equitable_cells(_colours(full), _neighbours(full), most=most)
        self._variables = [cell for cell in cells if cell[0] < n]
        self._rows = [[i - n for i in cell] for cell in cells if cell[0] >= n]
        self._sizes = n, len(full.rows)
        self.lp = self._reduced(full) if len(cells) <= most else None

    def _reduced(self, full: LinearProgram) -> LinearProgram:
        cell_of = {j: q for q, cell in enumerate(self._variables) for j in cell}
        objective = {q: full.objective[cell[0]] * len(cell) for q, cell in enumerate(self._variables) if cell[0] in full.objective}
        rows = []
        for cell in self._rows:
            example = full.rows[cell[0]]
            summed: dict[int, Any] = {}
            for j, a in example.coefficients.items():
                q = cell_of[j]
                summed[q] = summed[q] + a if q in summed else a
            rows.append(Row(summed, example.sense, example.rhs))
        free = {q for q, cell in enumerate(self._variables) if cell[0] in full.free}
        return LinearProgram(len(self._variables), objective, rows, free)

    def lift(self, answer: Answer) -> Answer:
        """The answer of the full problem that an answer of the reduced one stands for."""
        if isinstance(answer, Optimal):
            return Optimal(self._spread(answer.x), self._share(answer.y), answer.value)
        if isinstance(answer, Infeasible):
            return Infeasible(self._share(answer.farkas))
        return Unbounded(self._spread(answer.point), self._spread(answer.ray))

    def _spread(self, x: tuple[Any, ...]) -> tuple[Any, ...]:
        values: list[Any] = [None] * self._sizes[0]
        for cell, value in zip(self._variables, x, strict=True):
            for j in cell:
                values[j] = value
        return tuple(values)

    def _share(self, y: tuple[Any, ...]) -> tuple[Any, ...]:
        values: list[Any] = [None] * self._sizes[1]
        for cell, value in zip(self._rows, y, strict=True):
            share = value / len(cell)
            for i in cell:
                values[i] = share
        return tuple(values)


def numbered(colours: Iterable[Hashable]) -> list[int]:
    """The colours as 0, 1, …, in the order of their first occurrence.

    >>> numbered("abcab")
    [0, 1, 2, 0, 1]
    """
    number: dict[Hashable, int] = {}
    return [number.setdefault(c, len(number)) for c in colours]


def refined(
    colours: Iterable[Hashable],
    profile: Callable[[list[int]], Iterable[Any]],
    number: Callable[[list[Any]], list[int]] = numbered,
) -> list[int]:
    """The coarsest refinement of a colouring in which nodes of one colour have the same profile; exact.

    * ``colours``: the colour of each node.
    * ``profile``: from the colours, as numbers, to what each node sees of them, such as the colours of its
      neighbours.
    * ``number``: numbers the pairs (colour, profile) of all nodes.

    >>> path = [[1], [0, 2], [1, 3], [2]]
    >>> refined("aaaa", lambda colour: [tuple(sorted(colour[j] for j in near)) for near in path])
    [0, 1, 1, 0]
    """
    colour = number(list(colours))
    while True:
        finer = number(list(zip(colour, profile(colour), strict=True)))
        if finer == colour:
            return colour
        colour = finer


def equitable_cells(colours: Iterable[Hashable], neighbours: list[list[tuple[int, int]]], *, most: float = math.inf) -> list[list[int]]:
    """The coarsest refinement in which nodes of one cell have equal sums of weights to every cell.

    It is :func:`refined` for sparse weights, with work only where a cell was split. With more than ``most``
    cells it ends early, and the partition is not yet equitable. Weights are taken modulo a prime, so that in
    principle cells could be too coarse: check what comes of it.

    >>> path = [[(1, 1)], [(0, 1), (2, 1)], [(1, 1)]]
    >>> equitable_cells("aaa", path)
    [[0, 2], [1]]
    """
    groups: dict[Hashable, set[int]] = {}
    for node, colour in enumerate(colours):
        groups.setdefault(colour, set()).add(node)
    cells = list(groups.values())
    cell_of = [0] * len(neighbours)
    for c, cell in enumerate(cells):
        for node in cell:
            cell_of[node] = c
    waiting, listener = list(range(len(cells))), listener_of(None) if len(neighbours) > 1_000 else None
    while waiting and len(cells) <= most:
        if listener is not None:
            listener(Progress("symmetries", len(cells), unit="cells"))
        splitter = waiting.pop()
        sums: dict[int, int] = {}
        for node in cells[splitter]:
            for other, weight in neighbours[node]:
                sums[other] = sums.get(other, 0) + weight
        touched: dict[int, dict[int, list[int]]] = {}
        for node, total in sums.items():
            touched.setdefault(cell_of[node], {}).setdefault(total % _PRIME, []).append(node)
        for c, by_sum in touched.items():
            by_sum.pop(0, None)  # like those that were not touched
            rest = len(cells[c]) - sum(map(len, by_sum.values()))
            parts = sorted(by_sum.values(), key=len)
            if not parts or (not rest and len(parts) == 1):
                continue
            largest_stays = rest < len(parts[-1])  # the largest part keeps the number of the cell
            moved = parts[:-1] if largest_stays else parts
            if largest_stays and rest:
                moved = [*moved, list(cells[c].difference(*parts))]
            for part in moved:
                cells[c].difference_update(part)
                for node in part:
                    cell_of[node] = len(cells)
                cells.append(set(part))
                waiting.append(len(cells) - 1)
    return sorted(sorted(cell) for cell in cells)


def _colours(lp: LinearProgram) -> list[Hashable]:
    residue = ByIdentity(_residue)
    variables = [("variable", j in lp.free, residue(lp.objective[j]) if j in lp.objective else 0) for j in range(lp.n_variables)]
    return [*variables, *(("row", row.sense, residue(row.rhs)) for row in lp.rows)]


def _neighbours(lp: LinearProgram) -> list[list[tuple[int, int]]]:
    """The non-zero entries as weighted edges between variables and rows."""
    n = lp.n_variables
    return weighted_edges(n + len(lp.rows), ((j, i, a) for i, row in enumerate(lp.rows, start=n) for j, a in row.coefficients.items()))


def weighted_edges(size: int, edges: Iterable[tuple[int, int, Any]]) -> list[list[tuple[int, int]]]:
    """The neighbours of the nodes 0..size−1 with their weights modulo the prime, from edges (i, j, weight).

    >>> weighted_edges(3, [(0, 1, Rational(5)), (1, 2, Rational(1))])
    [[(1, 5)], [(0, 5), (2, 1)], [(1, 1)]]
    """
    near: list[list[tuple[int, int]]] = [[] for _ in range(size)]
    residue = ByIdentity(_residue)
    for i, j, a in edges:
        weight = residue(a)
        near[i].append((j, weight))
        near[j].append((i, weight))
    return near


def _residue(a: Any) -> int:
    """The number modulo a prime, symbols being given values, so that equal sums have equal residues."""
    if isinstance(a, int):
        return a % _PRIME
    if not isinstance(a, Rational):
        letters = getattr(a.field, "names", ())
        a = a.substitute(*(Rational(3 ** (37 + k)) for k in range(len(letters))))
    if not a.denominator % _PRIME:
        return hash(a) % _PRIME
    return int(a.numerator * pow(a.denominator, -1, _PRIME) % _PRIME)
