# SPDX-License-Identifier: MIT
"""The program of private mechanisms on a graph, restricted to components of tight pairs; in doubles.

Guess by guess tight pairs join inputs to components, each with a spanning tree (:class:`Components`) and x_i
= α^(k_i)·θ. The restricted program has only one unknown θ_c ≥ 0 for each component c, of guess r_c::

    minimise d   with   Σ_c θ_c α^(k_ci) = 1                  for every input i                 (dual μ_i)
                        d − Σ_c θ_c l(i, r_c) α^(k_ci) ≥ 0    for i ∈ S                         (dual λ_i)
                        x_i − α x_j ≥ 0                       where it failed, between components

(a Bayesian consumer pays Σ_i π_i l(i, r_c) α^(k_ci) instead). An interior point
(:mod:`~exactdp.search.graphs.interior_point`) says which pairs are tight; the greatest multipliers make the
trees. Tight pairs beside the trees, and all pairs of a guess that is not used, keep the multipliers of the
interior point. Those of the trees follow from λ and μ by sums over subtrees, for the end v of a row that is
nearer the peak::

    w_i = (λ_i l(i,r) − μ_i − what other multipliers pay)·α^(k_i),      z = ± Σ_{subtree} w / α^(k)

Where one is negative the component is cut there, and a constraint that fails becomes a row. λ and μ are held
near the interior point, where multipliers are positive: what a row lacks, or has too much, may be bought at
prices near it.

A pair's two constraints are *rows*: row e says x_tail ≥ α·x_head. Along a tree of tight rows x_i = α^(k_i)·θ
with whole numbers k_i ≥ 0, the *steps*, scaled so that the least is 0. A component is cut where a row of its
tree is given up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from exactdp.exact import Rational
from exactdp.lp.highs import FloatAnswer, FloatProgram, ask_highs
from exactdp.lp.problem import Basis
from exactdp.model import BayesianConsumer, Consumer, Graph
from exactdp.model.graph import traversed
from exactdp.search.graphs.interior_point import Iterate, Question


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


NEAR = 1e-4
"""So far λ and μ may first be from the interior point, as a share of the losses."""

WIDER = 10
"""How many times further where that is not enough."""

WIDENINGS = 5
"""How often all of them may be taken from further away, where the program has no optimum otherwise."""

SMALL = 1e-8
"""In doubles what is above −SMALL is not negative."""

UNUSED = 1e-4
"""A guess with smaller probabilities at the interior point is not used."""

STEEP = Rational(1, 50)
"""Below this α a Bayesian consumer's interior point decays from where losses are least."""

LEAST = 1e-100
"""No probability of that point is less."""

BITS = 44
"""Prices and multipliers that are kept are multiples of the unit of losses divided by 2^44."""


class RestrictedProgram:
    """The components so far, the rows between them, and the numbers that are kept near the interior point.

    Columns of the program: what may be bought (for every row of the first two kinds a lack and a surplus), d
    for a minimax consumer, and the components.
    """

    def __init__(self, graph: Graph, alpha: Rational, consumer: Consumer) -> None:
        import numpy

        self.np = np = numpy
        self.graph, self.alpha, self.consumer = graph, alpha, consumer
        self.size, self.guesses = consumer.loss.matrix.shape
        self.bayesian = isinstance(consumer, BayesianConsumer)
        self.known: Sequence[int] = () if isinstance(consumer, BayesianConsumer) else consumer.side_information.indices
        self.prior: Sequence[Any] = consumer.prior.weights if isinstance(consumer, BayesianConsumer) else ()
        self.losses = list(consumer.loss.matrix.rows())
        self.common, self.whole = common, whole = consumer.loss.matrix.integer_rows()
        largest = Rational(max(abs(x) for row in whole for x in row), common)
        self.unit = Rational(2) ** (largest.numerator.bit_length() - largest.denominator.bit_length() + 1)
        up, down = self.unit.denominator, self.unit.numerator * common
        loss = np.array([[x * up / down for x in row] for row in whole]).T.copy()
        self.tails = [v for i, j, _ in graph.pairs() for v in (i, j)]
        self.heads = [v for i, j, _ in graph.pairs() for v in (j, i)]
        prior = np.array([float(p) for p in self.prior]) if self.bayesian else None
        self.question = Question(
            self.tails, self.heads, float(alpha), loss, self.known, prior, self._decaying(loss) if self.bayesian and alpha < STEEP else None
        )
        self.parts = Components(self.tails, self.heads, self.size, self.guesses)
        self.rows: list[tuple[int, int]] = []
        self.present: set[tuple[int, int]] = set()
        self.bits = BITS  # of the multipliers that are kept
        self.fixed = 2 * (self.size + len(self.known)) + (not self.bayesian)

    def _decaying(self, loss: Any) -> Any:
        """For every guess powers of 2α, by the distance from where it is best or its loss is least."""
        np, guesses, inputs = self.np, range(self.guesses), range(self.size)
        powers = np.zeros((self.guesses, self.size))
        powers[guesses, loss.argmin(1)] = powers[loss.argmin(0), inputs] = 1
        while not powers.all():
            decayed = np.where(powers > 0, np.maximum(2 * float(self.alpha) * powers, LEAST), 0)
            np.maximum.at(powers.T, self.heads, decayed.T[self.tails])
        return powers

    def place(self, point: Iterate, tight: Any, unused: Any = None, carried: Any = None) -> None:
        """Take components of tight pairs (an array of shape (guess, row)) and what is kept from a point.

        Unused guesses are those with small probabilities unless they are given. Trees are of the rows that
        carry most: of those with the largest multipliers, unless other numbers are given.
        """
        np, z = self.np, point.multipliers[:, :-1]
        self.parts = Components(self.tails, self.heads, self.size, self.guesses)
        unused = point.x.max(1) < UNUSED if unused is None else unused
        peaks = self.question.loss.argmin(1).tolist()  # where a guess that is not used has a multiplier of its own
        for r, order in enumerate(np.argsort(-(z if carried is None else carried), axis=1, kind="stable").tolist()):
            allowed = (tight[r] | unused[r]).tolist()
            self.parts.grow(r, [e for e in order if allowed[e]], peaks[r] if unused[r] else None)
        parts = self.parts
        same = parts.place[:, self.tails] == parts.place[:, self.heads]
        own = np.zeros(same.shape, dtype=bool)
        guesses, inputs = np.nonzero(parts.parent >= 0)
        own[guesses, parts.tree_row[guesses, inputs]] = True
        kept = same & ~own & (self.balanced() | unused[:, None])
        self.keeping = kept
        self.kept = np.where(kept, np.rint(np.minimum(z, 2.0 ** (62 - BITS)) * 2**BITS), 0).astype(np.int64)
        centre = np.concatenate([point.potentials, point.weights[list(self.known)]])
        self.centre, self.width = centre, np.full(len(centre), NEAR)
        self.columns = [False] * (self.fixed + len(parts.members))
        self.basic: list[bool] | None = None

    def place_trees(self) -> bool:
        """Take as components trees of shortest paths, one for each guess, from where its loss is least.

        False unless there are as many guesses as inputs, each with a root of its own: then they are a basis.
        """
        roots = self.question.loss.argmin(1).tolist()
        if not len(set(roots)) == self.guesses == self.size:
            return False
        self.parts = parts = Components(self.tails, self.heads, self.size, self.guesses)
        beside: list[list[int]] = [[] for _ in range(self.size)]
        row = {}
        for e, ends in enumerate(zip(self.tails, self.heads, strict=True)):
            beside[ends[1]].append(ends[0])
            row[ends] = e
        for r, root in enumerate(roots):
            parts.grow(r, [row[v, above] for v, above in traversed(beside.__getitem__, root) if above is not None], root)
        self.kept = self.np.zeros((self.guesses, len(self.tails)), dtype=self.np.int64)
        self.centre = self.width = self.np.zeros(self.size)
        self.columns, self.basic = [False] * self.fixed + [True] * self.size, [False] * self.size
        return True

    def balanced(self) -> Any:
        """The rows that are tight between inputs of one component."""
        steps = self.parts.steps
        return steps[:, self.tails] == steps[:, self.heads] + 1

    def prices(self) -> list[int]:
        """What one lack of each row, then what one surplus costs, times 2^BITS."""
        np, scale = self.np, 2.0**BITS
        low = np.floor((self.centre - self.width) * scale)
        low[self.size :] = np.maximum(low[self.size :], 0)
        high = np.ceil((self.centre + self.width) * scale)
        return [int(x) for x in high] + [-int(x) for x in low]

    # In doubles

    def float_program(self) -> FloatProgram:
        """The restricted program in doubles, losses divided by the unit."""
        np, parts, a, n = self.np, self.parts, self.question.alpha, self.size
        base, fixed, width = n + len(self.known), self.fixed, self.fixed + len(parts.members)
        height, loss = a**parts.steps, self.question.loss
        column = parts.place + fixed
        entries = [(column, np.broadcast_to(np.arange(n), column.shape), height)]
        cost = np.zeros(width)
        cost[: 2 * base] = np.array(self.prices(), dtype=float) / 2.0**BITS
        upper = np.full(width, np.inf)
        upper[base + n : 2 * base][cost[base + n : 2 * base] == 0] = 0  # a surplus for nothing is the row's own slack
        every = np.arange(base)
        entries += [(every, every, np.ones(base)), (base + every, every, -np.ones(base))]
        if self.bayesian:
            np.add.at(cost, column, self.question.prior * loss * height)
        else:
            known, count = list(self.known), len(self.known)
            cost[fixed - 1] = 1
            below = np.arange(n, base)
            entries.append((column[:, known], np.broadcast_to(below, (self.guesses, count)), -(loss * height)[:, known]))
            entries.append((np.full(count, fixed - 1), below, np.ones(count)))
        if self.rows:
            r, t, h = self._ends()
            scale = self._row_scales(height)
            one, other = height[r, t] / scale, -a * height[r, h] / scale
            same, place = column[r, t] == column[r, h], base + np.arange(len(r))
            entries += [(column[r, t], place, np.where(same, one + other, one))]
            entries += [(column[r, h][~same], place[~same], other[~same])]
        columns, rows, values = (np.concatenate([entry[k].ravel() for entry in entries]) for k in range(3))
        order = np.lexsort((rows, columns))
        starts = np.concatenate([[0], np.cumsum(np.bincount(columns, minlength=width))])
        lower = np.zeros(width)
        if not self.bayesian:
            lower[fixed - 1] = -np.inf
        bottom = np.zeros(base + len(self.rows))
        bottom[:n] = 1
        top = np.where(np.arange(len(bottom)) < n, 1.0, np.inf)
        return FloatProgram(
            cost.tolist(),
            lower.tolist(),
            upper.tolist(),
            bottom.tolist(),
            top.tolist(),
            starts.tolist(),
            rows[order].tolist(),
            values[order].tolist(),
            by_columns=True,
        )

    def _ends(self) -> tuple[Any, Any, Any]:
        """Guess, tail and head of every row between components."""
        np = self.np
        guesses, rows = np.array(self.rows).T
        return guesses, np.array(self.tails)[rows], np.array(self.heads)[rows]

    def _row_scales(self, height: Any) -> Any:
        r, t, h = self._ends()
        return self.np.maximum(height[r, t], self.question.alpha * height[r, h])

    def float_round(self) -> bool | None:
        """Solve the program in doubles and mend it: whether that was needed; None without an answer."""
        start = None if self.basic is None else Basis(tuple(self.columns), tuple(self.basic))
        for _ in range(WIDENINGS):
            found = ask_highs(self.float_program(), start, primal=False)
            if found is None or len(found.values) != len(self.columns):
                return None
            if found.optimal:
                self.columns, self.basic = list(found.basis.columns), list(found.basis.rows)
                return self._mended(found)
            self.width *= WIDER  # no prices so near the interior point
        return None

    def _mended(self, found: FloatAnswer) -> bool:
        np, parts, a, n = self.np, self.parts, self.question.alpha, self.size
        base, height = n + len(self.known), a**parts.steps
        values, y = np.array(found.values), np.array(found.multipliers)
        x = values[self.fixed :][parts.place] * height
        bought = (values[:base] > SMALL) | (values[base : 2 * base] > SMALL)
        self.width[bought] *= WIDER
        over = a * x[:, self.heads]
        failing = over - x[:, self.tails] > SMALL * over + 1e-11
        weights = self.question.prior if self.bayesian else np.zeros(n)
        weights[list(self.known)] = y[n:base]
        self.kept[(x.max(1) > SMALL)[:, None] & ~self.balanced()] = 0
        costs = self.question.loss * weights - y[:n] - self.paid(self.kept / 2.0**BITS)
        if self.rows:
            r, t, h = self._ends()
            paid = y[base:] / self._row_scales(height)
            np.subtract.at(costs, (r, t), paid)
            np.add.at(costs, (r, h), a * paid)
        sums = parts.subtree_sums(costs * height)
        inner, up, above = parts.inner()
        multipliers = np.where(up, sums / height, -sums / np.take_along_axis(height, above, axis=1))
        wrong = inner & (multipliers < -SMALL)
        lacking = (~inner & (sums < -10 * SMALL)).any(1)
        freed = lacking[:, None] & (self.kept > 0) & ~self.balanced()
        self.kept[freed] = 0
        new = [q for q in zip(*(k.tolist() for k in np.nonzero(failing)), strict=True) if q not in self.present]
        self.mend(new, list(zip(*(k.tolist() for k in np.nonzero(wrong)), strict=True)))
        return bool(new or wrong.any() or freed.any() or bought.any())

    def paid(self, multipliers: Any) -> Any:
        """Mᵀ z for every guess."""
        np, paid = self.np, self.np.zeros((self.size, self.guesses))
        np.add.at(paid, self.tails, multipliers.T)
        np.subtract.at(paid, self.heads, self.question.alpha * multipliers.T)
        return paid.T

    def mend(self, rows: Sequence[tuple[int, int]], cuts: Sequence[tuple[int, int]]) -> None:
        """Add rows (guess, row) that fail, and cut components above inputs (guess, input)."""
        assert self.basic is not None
        np, parts = self.np, self.parts
        for q in rows:
            self._add(q, basic=True)
        roots: dict[int, set[int]] = {}
        for r, v in cuts:
            roots.setdefault(int(parts.place[r, v]), set()).add(v)
        for component, inputs in roots.items():
            for e in parts.cut(component, inputs):
                self._add((parts.guess[component], e), basic=False)
        self.columns += [True] * (self.fixed + len(parts.members) - len(self.columns))
        crossing = (self.kept > 0) & (parts.place[:, self.tails] != parts.place[:, self.heads])
        for r, e in zip(*(k.tolist() for k in np.nonzero(crossing)), strict=True):
            self._add((r, e), basic=True)
        self.kept[crossing] = 0

    def _add(self, row: tuple[int, int], *, basic: bool) -> None:
        if row not in self.present:
            assert self.basic is not None
            self.present.add(row)
            self.rows.append(row)
            self.basic.append(basic)
