# SPDX-License-Identifier: MIT
"""Trees of tight rows, and the tight rows that close cycles with them, for every guess at a small α.

Where a slack is far below its x, changes of x at both ends are nearly the same, and their difference says
nothing. Such rows form trees. Along one of them, from an input v to the next one u::

    x_u = α x_v + s_e   where u is the tail of row e,        x_u = (x_v − s_e)/α   where it is the head

Multipliers change by what the costs of the subtree say, slacks by what the product of slack and multiplier
says, and x by what the slacks say.

A tight row c whose ends are in the same tree has a slack that is a combination of those between its ends,
s_c = Σ_e b_ce s_e, and its multiplier takes b_ce·z_c from theirs. If z° are changes of the multipliers in the
trees without it, and p the changes of products, then those of the others solve

    (diag(s_c/z_c) + B diag(s_e/z_e) Bᵀ) z_c = p_c/z_c − B (p_e − s_e z°_e)/z_e

where nothing is a difference of numbers that are nearly the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from exactdp.exact import Rational

TIGHT = 1e-3
"""Rows whose slack is less than this share of x may belong to trees."""

CLOSED = 1e-6
"""Rows whose slack is less than this share of x close cycles."""


class _Cycles(NamedTuple):
    """A guess, rows that close cycles, rows of trees between their ends, B, the inverse of the matrix."""

    guess: int
    rows: Any
    edges: Any
    shares: Any
    inverse: Any


class TightTrees:
    """The trees and cycles of some slacks and multipliers.

    Parameters
    ----------
    tails, heads : sequence of int
        The rows of pairs: x_tail ≥ α·x_head.
    alpha : Rational
        α.
    x, slacks, multipliers : arrays of shape (guesses, inputs) and (guesses, rows)
        Where the method is.
    busy : array of shape (guesses, inputs)
        What is paid at each input, all signs taken as positive. A row that pays little beside it would be
        told nothing by the costs.

    Attributes
    ----------
    within, follows : arrays of bool, of shape (guesses, rows)
        Which rows are in trees, and which are in trees or close cycles.

    Examples
    --------
    >>> import numpy as np
    >>> x, s, z = np.array([[1.0, 0.5]]), np.array([[0.75, 1e-9, 1.0]]), np.array([[1e-9, 1.0, 1e-9]])
    >>> trees = TightTrees([0, 1], [1, 0], Rational("1/2"), x, s, z, np.ones((1, 2)))
    >>> trees.within.tolist()                                     # x_1 = x_0/2
    [[False, True, False]]
    >>> place = trees.placed(np.array([[8, 0]], dtype=object), np.array([[0, 1, 0]], dtype=object))
    >>> place.tolist()
    [[8, 5]]
    """

    def __init__(
        self, tails: Sequence[int], heads: Sequence[int], alpha: Rational, x: Any, slacks: Any, multipliers: Any, busy: Any
    ) -> None:
        import numpy

        self._np = np = numpy
        self._tails, self._heads, self._alpha = tails, heads, float(alpha)
        self._p, self._q = int(alpha.numerator), int(alpha.denominator)
        self._s, self._z = slacks, multipliers
        guesses, size = x.shape
        small = slacks[:, : len(tails)] / x[:, tails]
        down, up = multipliers[:, : len(tails)] / busy[:, tails], self._alpha * multipliers[:, : len(tails)] / busy[:, heads]
        allowed, told = (small < TIGHT) & (small < down), small < up
        order = np.argsort(small, axis=1, kind="stable")
        largest_first = np.argsort(-x, axis=1, kind="stable").tolist()  # rounding errors grow from a small x to a large one
        ends = list(zip(range(len(tails)), tails, heads, strict=True))
        self._trees = []
        for r in range(guesses):
            forest = _forest([ends[e] for e in order[r, allowed[r, order[r]]].tolist()], size)
            self._trees.append(self._grown(forest, told[r].tolist(), largest_first[r]))
        self._levels = self._by_depth(size)
        self.within = np.zeros(slacks.shape, dtype=bool)
        for r, tree in enumerate(self._trees):
            self.within[r, [e for _, _, e, _ in tree]] = True
        self.follows = self.within.copy()
        closing = (small < CLOSED) & ~self.within[:, : len(tails)]
        found = (self._cycles_of(r, closing[r], size) for r in np.flatnonzero(closing.any(1)).tolist())
        self._cycles = [cycles for cycles in found if len(cycles.rows)]
        for cycles in self._cycles:
            self.follows[cycles.guess, cycles.rows] = True

    def _grown(self, beside: list[list[tuple[int, int]]], told: list[bool], roots: list[int]) -> list[tuple[int, int, int, int]]:
        """The trees of one guess: (input, parent, row, depth), parents first."""
        tree: list[tuple[int, int, int, int]] = []
        depth = [-1] * len(beside)
        for root in roots:
            if depth[root] >= 0:
                continue
            depth[root], todo = 0, [root]
            while todo:
                v = todo.pop()
                for u, e in beside[v]:
                    if depth[u] < 0 and (self._tails[e] == u or told[e]):
                        depth[u] = depth[v] + 1
                        todo.append(u)
                        tree.append((u, v, e, depth[u]))
        return tree

    def _by_depth(self, size: int) -> list[tuple[tuple[Any, Any, Any], tuple[Any, Any, Any]]]:
        """By depth places of inputs, parents and rows: of inputs that are tails of the rows, and of heads."""
        np, width = self._np, self._s.shape[1]
        table = np.array([(r, *entry) for r, tree in enumerate(self._trees) for entry in tree], dtype=int).reshape(-1, 5)
        table = table[np.argsort(table[:, 4], kind="stable")]
        guess, child, parent, row, depth = table.T
        places = np.stack([guess * size + child, guess * size + parent, guess * width + row])
        below = np.asarray(self._tails)[row] == child
        starts = np.searchsorted(depth, range(1, int(depth.max(initial=0)) + 2))
        levels = []
        for k, start in enumerate(starts[:-1]):
            here, tail = places[:, start : starts[k + 1]], below[start : starts[k + 1]]
            levels.append((tuple(here[:, tail]), tuple(here[:, ~tail])))
        return levels

    def placed(self, x: Any, slacks: Any) -> Any:
        """The x (guesses, inputs) that slacks give along the trees; integers over one denominator."""
        flat, s = x.ravel().copy(), slacks.ravel()
        for (child, parent, row), (above, below, edge) in self._levels:
            flat[child] = self._p * flat[parent] // self._q + s[row]
            flat[above] = (flat[below] - s[edge]) * self._q // self._p
        return flat.reshape(x.shape)

    def changes(self, lacks: Any, products: Any, multipliers: Any, slacks: Any) -> tuple[Any, Any]:
        """Changes of multipliers and slacks, where those of rows that follow are told by trees and cycles.

        Parameters
        ----------
        lacks : function
            From changes of multipliers to what costs lack at each input, of shape (guesses, inputs).
        products : array of shape (guesses, rows)
            How products of slacks and multipliers are to change.
        multipliers, slacks : arrays of shape (guesses, rows)
            Changes of all other rows.
        """
        np, alpha = self._np, self._alpha
        z = np.where(self.follows, 0.0, multipliers)
        lack, flat = lacks(z).ravel(), z.ravel()
        for (child, parent, row), (above, below, edge) in reversed(self._levels):
            flat[row] = lack[child]
            np.add.at(lack, parent, alpha * lack[child])
            up = lack[above] / alpha
            flat[edge] = -up
            np.add.at(lack, below, up)
        for r, rows, edges, shares, inverse in self._cycles:
            s, told = self._s[r, edges] / self._z[r, edges], products[r] / self._z[r]
            z[r, rows] = found = inverse @ (told[rows] - shares @ (told[edges] - s * z[r, edges]))
            z[r, edges] -= found @ shares
        return z, np.where(self.follows, (products - self._s * z) / self._z, slacks)

    def _cycles_of(self, r: int, closing: Any, size: int) -> _Cycles:
        """Those of the rows of a guess that do close a cycle."""
        np, tails, heads, alpha = self._np, self._tails, self._heads, self._alpha
        above, root, depth, steps = [(0, 0)] * size, list(range(size)), [0] * size, [0] * size
        for u, v, e, level in self._trees[r]:
            above[u], root[u], depth[u], steps[u] = (v, e), root[v], level, steps[v] + (1 if tails[e] == u else -1)
        rows, entries = list[int](), list[dict[int, float]]()
        for c in np.flatnonzero(closing).tolist():
            ends, factors = [tails[c], heads[c]], [1.0, -alpha]
            if root[ends[0]] != root[ends[1]] or steps[ends[0]] != steps[ends[1]] + 1:
                continue
            between: dict[int, float] = {}
            while ends[0] != ends[1]:
                k = int(depth[ends[1]] > depth[ends[0]])
                v, e = above[ends[k]]
                below = tails[e] == ends[k]
                between[e] = factors[k] if below else -factors[k] / alpha
                ends[k], factors[k] = v, factors[k] * alpha if below else factors[k] / alpha
            rows.append(c)
            entries.append(between)
        edges = sorted({e for between in entries for e in between})
        place = {e: k for k, e in enumerate(edges)}
        shares = np.zeros((len(rows), len(edges)))
        for line, between in zip(shares, entries, strict=True):
            line[[place[e] for e in between]] = list(between.values())
        compliance = self._s[r] / self._z[r]
        whole = (shares * compliance[edges]) @ shares.T
        whole[range(len(rows)), range(len(rows))] += compliance[rows]
        scale = np.sqrt(np.diag(whole))
        inverse = np.linalg.inv(whole / scale[:, None] / scale) / scale[:, None] / scale
        return _Cycles(r, np.array(rows, dtype=int), np.array(edges, dtype=int), shares, inverse)


def _forest(rows: Sequence[tuple[int, int, int]], size: int) -> list[list[tuple[int, int]]]:
    """At every input its neighbours in the forest of the first rows (row, tail, head), with the rows."""
    above: list[int] = list(range(size))
    beside: list[list[tuple[int, int]]] = [[] for _ in above]
    for e, tail, head in rows:
        one, other = tail, head
        while above[one] != one:
            above[one] = one = above[above[one]]
        while above[other] != other:
            above[other] = other = above[above[other]]
        if one != other:
            above[one] = other
            beside[tail].append((head, e))
            beside[head].append((tail, e))
    return beside
