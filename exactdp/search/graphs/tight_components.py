# SPDX-License-Identifier: MIT
"""Components of inputs that tight privacy constraints join, for every guess, each with a spanning tree.

A pair's two constraints are *rows*: row e says x_tail ≥ α·x_head. Along a tree of tight rows x_i = α^(k_i)·θ
with whole numbers k_i ≥ 0, the *steps*, scaled so that the least is 0. A component is cut where a row of its
tree is given up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any


class Components:
    """For every guess a partition of the inputs, all of them alone at first.

    Parameters
    ----------
    tails, heads : sequence of int
        The rows, two for each pair of inputs.
    size, guesses : int
        How many inputs and guesses.

    Attributes
    ----------
    place, parent, tree_row, steps : arrays of shape (guesses, inputs)
        An input's component, its parent in the tree (−1: the root), the tight row between them, its k.
    members : list of lists of int
        The inputs of each component, parents before children.
    guess : list of int
        To which guess a component belongs.

    Examples
    --------
    >>> parts = Components([0, 1, 1, 2], [1, 0, 2, 1], 3, 1)
    >>> parts.grow(0, [1, 3])                                  # x_1 = α·x_0, x_2 = α·x_1
    >>> parts.members, parts.steps.tolist()
    ([[0, 1, 2]], [[0, 1, 2]])
    >>> parts.cut(0, {2}), parts.members, parts.steps.tolist()
    ([3], [[0, 1], [2]], [[0, 1, 0]])
    """

    def __init__(self, tails: Sequence[int], heads: Sequence[int], size: int, guesses: int) -> None:
        import numpy

        self._np = np = numpy
        self.size, self.guesses = size, guesses
        self._rows = list(zip(tails, heads, strict=True))
        self.place, self.parent = np.zeros((guesses, size), dtype=int), np.full((guesses, size), -1)
        self.tree_row = np.zeros((guesses, size), dtype=int)
        self.steps, self._depth = np.zeros((guesses, size), dtype=int), np.zeros((guesses, size), dtype=int)
        self.members: list[list[int]] = []
        self.guess: list[int] = []

    def grow(self, guess: int, rows: Iterable[int], first: int | None = None) -> None:
        """Make the components of a guess: the trees of these tight rows, the first ones first.

        An input ``first`` is the root of its tree; in others the root has the least k, where what is rounded
        elsewhere comes multiplied by α.
        """
        above = list(range(self.size))

        def root(v: int) -> int:
            while above[v] != v:
                above[v] = v = above[above[v]]
            return v

        # neighbour in the tree: its k minus one's own, and the row
        beside: list[dict[int, tuple[int, int]]] = [{} for _ in range(self.size)]
        for e in rows:
            tail, head = self._rows[e]
            one, other = root(tail), root(head)
            if one != other:
                above[one] = other
                beside[tail][head], beside[head][tail] = (-1, e), (1, e)
        parent, tree_row, steps, depth = [-1] * self.size, [0] * self.size, [0] * self.size, [0] * self.size

        def reached(root: int) -> list[int]:
            parent[root], steps[root], depth[root] = -1, 0, 0
            members = [root]
            for u in members:
                for v, (more, row) in beside[u].items():
                    if v != parent[u]:
                        parent[v], tree_row[v], steps[v], depth[v] = u, row, steps[u] + more, depth[u] + 1
                        members.append(v)
            return members

        place = [-1] * self.size
        for v in range(self.size) if first is None else (first, *range(self.size)):
            if place[v] < 0:
                members = reached(v)
                least = min(members, key=steps.__getitem__)
                if least != v != first:
                    members = reached(least)
                down = steps[least]
                for u in members:
                    place[u] = len(self.members)
                    steps[u] -= down
                self.members.append(members)
                self.guess.append(guess)
        self.place[guess], self.steps[guess] = place, steps
        self.parent[guess], self.tree_row[guess], self._depth[guess] = parent, tree_row, depth

    def _add(self, guess: int, members: list[int], steps: Sequence[int]) -> None:
        least = min(steps[v] for v in members)
        self.place[guess, members], self.steps[guess, members] = len(self.members), [steps[v] - least for v in members]
        self.members.append(members)
        self.guess.append(guess)

    def above(self, guess: int, v: int) -> set[int]:
        """An input and those above it in its tree, without the root."""
        found, parent = set[int](), self.parent[guess]
        while parent[v] >= 0:
            found.add(v)
            v = int(parent[v])
        return found

    def cut(self, component: int, roots: Collection[int]) -> list[int]:
        """Make these inputs roots of components of their own, the last ones; the rows that are given up."""
        guess, members = self.guess[component], self.members[component]
        rows = [int(self.tree_row[guess, v]) for v in roots]
        parent, steps, depth = self.parent[guess].tolist(), self.steps[guess].tolist(), self._depth[guess].tolist()
        pieces: dict[int, list[int]] = {}
        top: dict[int, int] = {}
        for v in members:
            if v in roots or parent[v] < 0:
                top[v], depth[v], self.parent[guess, v] = v, 0, -1
            else:
                top[v], depth[v] = top[parent[v]], depth[parent[v]] + 1
            pieces.setdefault(top[v], []).append(v)
        self._depth[guess] = depth
        first, *others = pieces.values()
        least = min(steps[v] for v in first)
        self.members[component], self.steps[guess, first] = first, [steps[v] - least for v in first]
        for piece in others:
            self._add(guess, piece, steps)
        return rows

    def subtree_sums(self, values: Any) -> Any:
        """Σ of an array's values over each input's subtree."""
        np, sums = self._np, values.ravel().copy()
        flat = (self.parent + np.arange(self.guesses)[:, None] * self.size).ravel()
        depth = self._depth.ravel()
        for level in range(int(depth.max(initial=0)), 0, -1):
            (here,) = np.nonzero(depth == level)
            np.add.at(sums, flat[here], sums[here])
        return sums.reshape(values.shape)

    def inner(self) -> tuple[Any, Any, Any]:
        """Which inputs are not roots, whether their k is larger than the parent's, and the parents (or 0)."""
        np, inner = self._np, self.parent >= 0
        above = np.where(inner, self.parent, 0)
        return inner, self.steps > np.take_along_axis(self.steps, above, axis=1), above
