# SPDX-License-Identifier: MIT
"""The program of private mechanisms on a graph, restricted to components of tight pairs; in doubles.

Guess by guess tight pairs join inputs to components (:mod:`~exactdp.search.graphs.tight_components`) with x_i
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
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exactdp.exact import Rational
from exactdp.lp.highs import FloatAnswer, FloatProgram, ask_highs
from exactdp.lp.problem import Basis
from exactdp.model import BayesianConsumer, Consumer, Graph
from exactdp.model.graph import traversed
from exactdp.search.graphs.interior_point import Point, Question
from exactdp.search.graphs.tight_components import Components

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

    def place(self, point: Point, tight: Any, unused: Any = None, carried: Any = None) -> None:
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
