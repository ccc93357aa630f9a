# SPDX-License-Identifier: MIT
"""The additive capacity of a privacy type in closed form, on graphs with a centre and on grids.

*A path* of D + 1 vertices 0, …, D: with c = ⌈(D + 1)/2⌉ let u_k = α^(c−k)/(1+α) for k < c and 1 −
α^(k−c+1)/(1+α) for k ≥ c. A mechanism that says "first" with probability u_k and else "last" is private. Its
Σ_y min_x M_xy = u_0 + 1 − u_D is t = 2α^c/(1+α) for D odd and t = α^(D/2) for D even.

*No mechanism has less* than Σ_s λ_s, if λ ≥ 0 and Σ_s λ_s α^(−d(x,s)) ≤ 1 at every vertex x: a column v ≥ 0
of a mechanism has v_s ≤ α^(−d(x,s)) v_x, so Σ_s λ_s v_s ≤ v_x at every x, and the columns sum to 1. These
steps are the multipliers of :func:`centre_dual`, which the checker goes through.

*A connected graph* of diameter D. With k = d(p, x) for one of two vertices p, q at the distance D the
mechanism above is private, because k changes by at most 1 along an edge. If D is even and a vertex s is
within D/2 of every vertex, λ_s = α^(D/2) shows that none is better. If D is odd and every vertex is within
(D − 1)/2 of s or s', which are adjacent, λ_s = λ_s' = α^c/(1+α) does. Trees have such a centre: the middle of
a longest path. So have many other graphs, among them grids with an odd side.

*A grid* with two even sides: k and l are its coordinates, the outputs pairs, with the probabilities of one
path times those of the other, and so are λ and t.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import inf
from typing import Any

from exactdp.model.consumer import Dual
from exactdp.model.graph import Adjacent, Graph, steps_from, traversed

CORNERS = 4
"""So many vertices of a grid have two neighbours."""


@dataclass(frozen=True)
class LeastOverlap:
    """A mechanism with the least Σ_y min_x M_xy, which is 1 minus the capacity, and why none has less.

    * ``columns``: the columns of its outputs; the number of an output is that of an input at which it is
      least likely.
    * ``centre``: λ_s where it is positive.
    """

    columns: dict[int, tuple[Any, ...]]
    centre: dict[int, Any]

    @property
    def total(self) -> Any:
        """The least Σ_y min_x M_xy."""
        first, *more = self.centre.values()
        return sum(more, first)


def least_overlap(graph: Graph, alpha: Any) -> LeastOverlap | None:
    """A mechanism with the least overlap, for a graph with a centre or a grid; None for others.

    * ``graph``: with two vertices or more.
    * ``alpha``: of any field, everywhere between 0 and 1.

    >>> from exactdp.exact import Rational
    >>> half = Rational("1/2")
    >>> found = least_overlap(Graph.path(4), half)
    >>> [str(x) for x in found.columns[0]], str(found.total)
    (['1/6', '1/3', '2/3', '5/6'], '1/3')
    >>> least_overlap(Graph(range(3), [(0, 1), (0, 2), (1, 2)]), half) is None
    True
    """
    near = graph.adjacency()
    if not graph.is_tree:
        return _on_a_grid(near, alpha) or _with_a_centre(near, alpha)
    ends = [0]  # in a tree a vertex farthest from any one is an end of a longest path
    for _ in range(2):
        away: list[Any] = steps_from(near, ends[-1])
        ends.append(away.index(max(away)))
    first, last = sorted(ends[1:])
    before, path = dict(traversed(near.__getitem__, first)), [last]
    while (x := before[path[-1]]) is not None:
        path.append(x)
    return _between(near, first, last, path[(len(path) - 1) // 2 : len(path) // 2 + 1], alpha)


def centre_dual(graph: Graph, found: LeastOverlap, alpha: Any) -> Dual:
    """Why no mechanism has less: a dual for the uniform prior and the loss [x = n − 1 − r] of guess r.

    On a path the prior is a dual, on a tree with potentials λ/n, otherwise with multipliers along shortest
    paths from the centre to each vertex.

    >>> from exactdp.exact import Rational
    >>> star, half = Graph(range(4), [(0, 1), (0, 2), (0, 3)]), Rational("1/2")
    >>> dual = centre_dual(star, least_overlap(star, half), half)
    >>> dual.rule, [str(u) for u in dual.potentials]
    ('forest', ['1/8', '0', '0', '0'])
    """
    n, zero, one = len(graph.vertices), 0 * alpha, alpha**0
    prior = (one / n,) * n
    if graph.is_path:
        return Dual(prior)
    potentials = tuple(found.centre.get(x, zero) / n for x in range(n))
    if graph.is_tree:
        return Dual(prior, potentials)
    near, place = graph.adjacency(), {edge: k for k, edge in enumerate(graph.edges)}
    edges = [[zero] * n for _ in place]
    powers = _powers(1 / alpha, one, n)
    for target in range(n):
        before = dict(traversed(near.__getitem__, target))
        for s in found.centre:  # λ_s v_s ≤ λ_s v_x/α ≤ …, to the target
            x, steps = s, 0
            while (y := before[x]) is not None:
                steps += 1
                amount = potentials[s] * powers[steps]  # times v_y − α v_x ≥ 0
                edges[place[min(x, y), max(x, y)]][n - 1 - target] += amount if y < x else -amount
                x = y
    return Dual(prior, potentials, edges)


def _powers(base: Any, first: Any, most: int) -> list[Any]:
    powers = [first]
    for _ in range(most):
        powers.append(powers[-1] * base)
    return powers


def _along(length: int, alpha: Any) -> tuple[list[Any], tuple[Any, ...]]:
    """The u of a path of so many vertices, and λ on its centre, one vertex or two."""
    middle = (length + 1) // 2
    powers = _powers(alpha, 1 / (1 + alpha), middle + 1)
    u = [powers[middle - k] if k < middle else 1 - powers[k - middle + 1] for k in range(length)]
    return u, (powers[middle],) * 2 if length % 2 == 0 else (powers[middle - 1] + powers[middle],)


def _between(near: Adjacent, first: int, last: int, centre: list[int], alpha: Any) -> LeastOverlap:
    """The mechanism that tells two vertices apart whose distance is the diameter."""
    away: list[Any] = steps_from(near, first)
    u, bounds = _along(away[last] + 1, alpha)
    column = tuple(u[k] for k in away)
    return LeastOverlap({first: column, last: tuple(1 - x for x in column)}, dict(zip(centre, bounds, strict=True)))


def _with_a_centre(near: Adjacent, alpha: Any) -> LeastOverlap | None:
    """By the distances of all pairs."""
    rows = [[inf if d is None else d for d in steps_from(near, x)] for x in range(len(near))]
    farthest = [max(row) for row in rows]
    diameter = max(farthest)
    if diameter == inf:
        return None
    first = farthest.index(diameter)
    last, radius = rows[first].index(diameter), diameter // 2
    pairs = [(x,) if diameter % 2 == 0 else (x, y) for x, others in enumerate(near) for y in others]
    possible = (pair for pair in pairs if farthest[pair[0]] <= radius + len(pair) - 1)
    centre = next((list(pair) for pair in possible if all(min(d) <= radius for d in zip(*(rows[s] for s in pair), strict=True))), None)
    return _between(near, first, last, centre, alpha) if centre else None


def _on_a_grid(near: Adjacent, alpha: Any) -> LeastOverlap | None:
    """For a grid with two even sides; its coordinates are read off the distances from two corners."""
    corners = [x for x, others in enumerate(near) if len(others) == 2]
    if len(corners) != CORNERS:
        return None
    from_corner: dict[int, list[Any]] = {x: steps_from(near, x) for x in corners}
    if None in from_corner[corners[0]]:
        return None
    origin = from_corner[corners[0]]
    right, below, _ = sorted(corners[1:], key=lambda x: origin[x])  # the third one is opposite
    sides = origin[right] + 1, origin[below] + 1
    places = dict[tuple[int, int], int]()
    for x, d in enumerate(origin):
        places[(d - from_corner[right][x] + origin[right]) // 2, (d - from_corner[below][x] + origin[below]) // 2] = x
    if any(side % 2 for side in sides) or sorted(places) != list(product(*map(range, sides))) or len(places) != len(near):
        return None
    beside = ((places.get((i + 1, j)), places.get((i, j + 1)), x) for (i, j), x in places.items())
    if sum(map(len, near)) != 4 * len(near) - 2 * sum(sides) or any(y is not None and y not in near[x] for *ys, x in beside for y in ys):
        return None
    (u, bounds), (w, others) = (_along(side, alpha) for side in sides)
    columns, centre = dict[int, tuple[Any, ...]](), dict[int, Any]()
    for far_right, far_below in product((False, True), repeat=2):
        at = (sides[0] - 1) * far_right, (sides[1] - 1) * far_below
        mine, theirs = ([1 - x for x in side] if far else side for far, side in ((far_right, u), (far_below, w)))
        column = {x: mine[i] * theirs[j] for (i, j), x in places.items()}
        columns[places[at]] = tuple(column[x] for x in range(len(near)))
        centre[places[sides[0] // 2 - far_right, sides[1] // 2 - far_below]] = bounds[0] * others[0]
    return LeastOverlap(columns, centre)
