# SPDX-License-Identifier: MIT
"""Large witnesses of optima on graphs in few numbers, which the checker expands (SPEC.md §4.1, §4.2).

Most probabilities of an optimal mechanism follow from a few: where the constraint x_ir ≥ α·x_jr is tight,
x_ir = α·x_jr. So a column consists of *components*, with x_ir = α^h·v for a height h of each input and one
*value* v of the component. In the same way most multipliers follow from the weights and the potentials: along
a forest of pairs each is determined by what is left of the costs, from the leaves to the roots (*folds*).

A small witness is written out, since a reader can then see the mechanism and the multipliers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from exactdp.certificate.encode import matrix_json, scalar_json, without_divisor
from exactdp.exact import ExactMatrix, OverOneDenominator, Rational, integer_vector
from exactdp.model import Graph
from exactdp.model.graph import adjacency, spanning_forest, traversed

LARGE = 2**18
"""A table with more binary digits in all is written by its components, or its folds."""

FEW = 400
"""A table of so many numbers or fewer is not looked at."""


def primal_json(graph: Graph, alpha: Rational, matrix: ExactMatrix) -> dict[str, Any]:
    """A mechanism's matrix over ℚ: its rows, or if they are large its components.

    >>> G = ExactMatrix([["2/3", "1/3"], ["1/3", "2/3"]])
    >>> primal_json(Graph.path(2), Rational("1/2"), G)
    {'rows': [{'den': '3', 'num': ['2', '1']}, {'den': '3', 'num': ['1', '2']}]}
    """
    if matrix.shape[0] * matrix.shape[1] <= FEW:
        return {"rows": matrix_json(matrix)}
    columns = _columns(matrix)
    if sum(x.bit_length() for column in columns for x in column) < LARGE:
        return {"rows": matrix_json(matrix)}
    components = list[dict[str, Any]]()
    for r, column in enumerate(columns):
        for heights in components_of(graph, alpha, column):
            at = sorted(heights)
            value = matrix[min(at, key=heights.__getitem__), r]
            components.append({"guess": r, "at": at, "heights": [heights[i] for i in at], "value": scalar_json(value)})
    return {"components": components}


def _columns(matrix: ExactMatrix) -> list[Sequence[int]]:
    """Each column's integers over its least denominator."""
    if isinstance(matrix, OverOneDenominator):
        return [without_divisor(column, matrix.denominator)[1] for column in zip(*matrix.numerators, strict=True)]
    return [integer_vector(list(column))[1] for column in zip(*matrix.rows(), strict=True)]


def components_of(graph: Graph, alpha: Rational, column: Sequence[int]) -> Iterator[dict[int, int]]:
    """The components of a column's positive entries: inputs, each with its height, of which the least is 0.

    >>> list(components_of(Graph.path(4), Rational("1/2"), [4, 2, 3, 0]))
    [{0: 0, 1: 1}, {2: 0}]
    """
    p, q, neighbours, seen = alpha.numerator, alpha.denominator, graph.adjacency(), set[int]()

    def tight(i: int) -> list[int]:
        return [j for j in neighbours[i] if _step(column[i], column[j], p, q)]

    for root, x in enumerate(column):
        if not x or root in seen:
            continue
        heights = dict[int, int]()
        for i, above in traversed(tight, root):
            heights[i] = 0 if above is None else heights[above] + _step(column[above], column[i], p, q)
        seen |= heights.keys()
        least = min(heights.values())
        yield {i: h - least for i, h in heights.items()}


def _step(x: int, y: int, p: int, q: int) -> int:
    """1 if y = (p/q)·x, −1 if x = (p/q)·y, else 0."""
    if q * y == p * x:
        return 1
    return -1 if q * x == p * y else 0


def multipliers_json(graph: Graph, edges: Sequence[Sequence[Rational]]) -> dict[str, Any]:
    """The multipliers of a dual over ℚ: all of them, or if they are large as folds and the few that remain.

    >>> multipliers_json(Graph.path(2), [[Rational("1/3"), Rational("-1/3")]])
    {'edges': [{'den': '3', 'num': ['1', '-1']}]}
    """
    if sum(map(len, edges)) <= FEW:
        return {"edges": matrix_json(edges)}
    sizes = [[x.bits if x else 0 for x in row] for row in edges]
    if sum(map(sum, sizes)) < LARGE:
        return {"edges": matrix_json(edges)}
    left, folds, zero = [list(row) for row in edges], list[dict[str, list[int]]](), Rational(0)
    for r in range(len(edges[0])):
        used = sorted((e for e, row in enumerate(sizes) if row[r]), key=lambda e: -sizes[e][r])
        forest = forest_of(graph, used)
        folds.append({"from": [i for _, (i, _) in forest], "into": [j for _, (_, j) in forest]})
        for e, _ in forest:
            left[e][r] = zero
    remaining = {"edges": matrix_json(left)} if any(any(row) for row in left) else {}
    return remaining | {"folds": folds}


def forest_of(graph: Graph, pairs: Iterable[int]) -> list[tuple[int, tuple[int, int]]]:
    """A forest of the first of these pairs that have no cycle: each with its ends, from leaves to roots.

    >>> forest_of(Graph.cycle(3), [2, 0, 1])                       # the pairs are {0, 1}, {0, 2}, {1, 2}
    [(2, (2, 1)), (0, (1, 0))]
    """
    group, chosen = list(range(len(graph.vertices))), dict[tuple[int, int], int]()

    def of(i: int) -> int:
        while group[i] != i:
            group[i] = i = group[group[i]]
        return i

    for e in pairs:
        one, other = map(of, graph.edges[e])
        if one != other:
            group[one] = other
            chosen[graph.edges[e]] = e
    order = reversed(spanning_forest(adjacency(len(group), chosen)))
    return [(chosen[min(i, above), max(i, above)], (i, above)) for i, above in order if above is not None]


def rows_of(components: Iterable[dict[str, Any]], inputs: int, guesses: int, alpha: Rational) -> list[list[Rational]]:
    """The rows that components stand for.

    >>> rows_of([{"guess": 0, "at": [0, 1], "heights": [1, 0], "value": "2/3"}], 2, 1, Rational("1/2"))
    [[Rational('1/3')], [Rational('2/3')]]
    """
    rows = [[Rational(0)] * guesses for _ in range(inputs)]
    for c in components:
        for i, h in zip(c["at"], c["heights"], strict=True):
            rows[i][c["guess"]] = Rational(c["value"]) * alpha**h
    return rows


def multipliers_of(
    folds: Sequence[dict[str, list[int]]],
    given: Sequence[Sequence[Rational]],
    pairs: Sequence[tuple[int, int, Rational]],
    costs: Sequence[Sequence[Rational]],
) -> list[list[Rational]]:
    """The multipliers that are given, and those of folds: of pairs (i, j, α^d), for costs w_i l(i,r) − μ_i.

    >>> pairs, costs = [(0, 1, Rational("1/2"))], [[Rational(-1)], [Rational(2)]]
    >>> multipliers_of([{"from": [0], "into": [1]}], [[Rational(0)]], pairs, costs)
    [[Rational('-2')]]
    """
    edges, place, zero = [list(row) for row in given], {(i, j): e for e, (i, j, _) in enumerate(pairs)}, Rational(0)
    for r, lists in enumerate(folds):
        slack = [row[r] for row in costs]
        for (i, j, a), row in zip(pairs, edges, strict=True):
            put, back = max(row[r], zero), max(-row[r], zero)  # on x_i − α^d·x_j, and the other way
            slack[i] += a * back - put
            slack[j] += a * put - back
        for i, j in zip(lists["from"], lists["into"], strict=True):
            e = place[min(i, j), max(i, j)]
            c, a = slack[i], pairs[e][2]
            x = c if c >= 0 else c / a
            edges[e][r] = x if i < j else -x
            slack[i], slack[j] = zero, slack[j] + (a * c if c >= 0 else x)
    return edges
