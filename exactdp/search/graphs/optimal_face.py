# SPDX-License-Identifier: MIT
"""An exact optimum on the face of all optima that an interior point shows.

An interior point converges to the middle of the face of all optima. There complementary slackness is strict:
a pair is tight, or its multiplier is 0, and never both. So the components of tight pairs
(:class:`~exactdp.search.graphs.restricted_program.Components`), the guesses in use and the inputs whose loss
is the greatest give the equations of the face::

    Σ_c θ_c α^(k_ci) = 1                              for every input i                      (dual μ_i)
    d − Σ_c θ_c l(i, r_c) α^(k_ci) = 0                where the loss is the greatest         (dual λ_i)

All other conditions are inequalities with room to spare. Usually there are fewer equations than unknowns.
Independent columns are chosen where unknowns are large: the columns, each times its unknown, are made
orthogonal one after the other, the longest one first. The other unknowns are the interior point's, rounded.
Then the equations give the chosen unknowns, and the transposed equations the dual. No simplex method is
needed, and no vertex.

Doubles only choose, and turn away points at which the face is not clear yet. Equations, signs, losses and the
equality of both values are decided exactly.
"""

from __future__ import annotations

import math
from typing import Any

from exactdp.exact import QQ, Rational
from exactdp.lp.problem import Optimal
from exactdp.lp.sparse import SparseLU, combine, products, residuals
from exactdp.model import BayesianConsumer
from exactdp.search.graphs.interior_point import Iterate, OneThread
from exactdp.search.graphs.restricted_program import UNUSED, RestrictedProgram

DEPENDENT = 1e-9
"""A column depends on the chosen ones if what is left of it is shorter than this share of the first one."""

SOLVED = 1e-9
"""In doubles equations hold if they lack no more than this."""

MANY = 5000
"""Of more unknowns only different ones are compared."""

STALE = 1e-4
"""Squared lengths that became smaller by this factor are computed anew."""

WRONG = 1e-6
"""What fails by a larger share than this in doubles is not only rounded."""

DIGITS = 30
"""What is rounded keeps so many binary digits."""


class OptimalFace:
    """The equations near an interior point, after :meth:`RestrictedProgram.place`.

    Unknown c is component c, and the last one d. Equations 0, …, n − 1 are the sums, and n + k belongs to the
    k-th known input.
    """

    digits = DIGITS
    """How many binary digits of what is not chosen are kept."""

    def __init__(self, program: RestrictedProgram, point: Iterate) -> None:
        self.program, self.point = program, point
        np, parts, n = program.np, program.parts, program.size
        slacks, weights, greatest = point.losses
        self.tight = [*range(n), *(n + np.flatnonzero(weights > slacks)).tolist()]
        self.asked = self.tight  # of these the equations to solve are taken
        self.used = [r for r, x in enumerate(point.x.max(1).tolist()) if x >= UNUSED]
        self.last = len(parts.members)
        self.height = program.question.alpha**parts.steps
        sums, heights = (np.bincount(parts.place.ravel(), values.ravel(), self.last) for values in (point.x, self.height))
        self.near = np.append(sums / heights, greatest)

    def solve(self) -> Optimal | None:
        """All unknowns, and a multiplier for every equation; None where the point shows no optimum.

        Privacy between components and the signs of the pairs' multipliers are left to be decided.
        """
        program, n, zero = self.program, self.program.size, Rational(0)
        rows = self.equations()
        costs = self._costs(rows)
        chosen = OneThread().run(self.independent)
        if chosen is None:
            return None
        factors = SparseLU(QQ, {i: rows[i] for i in self.asked}, chosen)
        if factors.columns != chosen:
            return None
        theta = self._unknowns(rows, factors, chosen)
        if theta is None:
            return None
        multipliers = self._multipliers(rows, costs, factors, chosen)
        value = sum((cost * theta.get(c, zero) for c, cost in costs.items()), zero)
        # the dual proves the value: sums, signs, and a distribution of a minimax consumer's weights
        weights = multipliers[n:]
        if sum(multipliers[:n], zero) != value or any(w < 0 for w in weights):
            return None
        if not program.bayesian and sum(weights, zero) != 1:
            return None
        x = [theta.get(c, zero) for c in range(self.last)]
        return Optimal(tuple(x if program.bayesian else [value, *x]), tuple(multipliers), value)

    def _unknowns(self, rows: Any, factors: SparseLU, chosen: set[int]) -> dict[int, Any] | None:
        """A solution of the equations near the point; None where one is negative, or a row fails.

        What is not ``chosen`` is rounded from the point, and the equations give the rest.
        """
        program, n = self.program, self.program.size
        others = {c for i in self.tight for c in rows[i]} - chosen
        theta = {c: _rounded(float(self.near[c]), program.unit if c == self.last else Rational(1), self.digits) for c in others}
        sums = products(QQ, [rows[i] for i in self.tight], theta)
        theta |= factors.solve({i: int(i < n) - total for i, total in zip(self.tight, sums, strict=True)})
        if any(v < 0 for c, v in theta.items() if c != self.last):
            return None
        tight = set(self.tight)
        lacks = residuals(QQ, [(row, Rational(int(i < n))) for i, row in enumerate(rows)], theta)
        fails = any(lack if i in tight else lack < 0 for i, lack in enumerate(lacks))
        return None if fails else theta

    def _multipliers(self, rows: Any, costs: dict[int, Any], factors: SparseLU, chosen: set[int]) -> list[Any]:
        """A multiplier for every equation: near the point's where it is free, the others by the costs."""
        zero = Rational(0)
        y = {i: self._near_multiplier(i) for i in self.tight if i not in factors.rows}
        paid = combine(QQ, [(w, rows[i]) for i, w in y.items()])
        y |= factors.solve_transposed({c: costs.get(c, zero) - paid.get(c, zero) for c in chosen})
        return [y.get(i, zero) for i in range(len(rows))]

    def independent(self) -> set[int] | None:
        """Independent columns, as many as there are; None where rounded equations have no solution near."""
        np, n = self.program.np, self.program.size
        unknowns = np.array(self._different())
        matrix, sums = self._near_equations(unknowns)
        if not np.isfinite(matrix).all() or not matrix.any():
            return None
        chosen = self.longest(matrix, DEPENDENT)
        lacks = (np.array(self.tight) < n) - sums
        # the least change that meets the equations, as shares of the unknowns
        span, upper = np.linalg.qr(matrix[:, chosen])
        shares, lower = np.linalg.qr((span.T @ matrix).T)
        change = shares @ np.linalg.solve(lower.T, span.T @ lacks)
        if float(abs(matrix @ change - lacks).max()) >= SOLVED or float(change.min()) <= -1:
            return None
        costs = (self._near_costs() * self.near)[unknowns[chosen]]
        self.near = self.near.copy()
        self.near[unknowns] *= 1 + change
        multipliers = np.concatenate([self.point.potentials, self.point.losses[1]])[self.tight]
        multipliers += span @ np.linalg.solve(upper.T, costs - matrix[:, chosen].T @ multipliers)
        return set(unknowns[chosen].tolist()) if self._private() and self._optimal(multipliers) else None

    def _different(self) -> list[int]:
        """The unknowns; of many one of those with parallel columns, and all that are no single entry.

        A component of one entry has a column of 1 in the sum of its input, and minus the loss in the loss.
        Of those with the same two numbers the largest one is enough.
        """
        parts, whole, known = self.program.parts, self.program.whole, set(self.program.known)
        if self.last <= MANY:
            return list(range(self.last + 1))
        largest: dict[tuple[int, Any], int] = {}
        found = [self.last]
        for r in self.used:
            for i, c in enumerate(parts.place[r].tolist()):
                if len(parts.members[c]) > 1:
                    found.append(c)
                    continue
                kind = i, whole[i][r] if i in known else 0
                best = largest.get(kind)
                if best is None or self.near[c] > self.near[best]:
                    largest[kind] = c
        return sorted({*found, *largest.values()})

    def _near_equations(self, unknowns: Any) -> tuple[Any, Any]:
        """Columns of the tight equations, each times about its unknown, and the sums of all columns."""
        program, np, n = self.program, self.program.np, self.program.size
        place, known, loss = program.parts.place, list(program.known), program.question.loss
        column = np.full(self.last + 1, -1)
        column[unknowns] = range(len(unknowns))
        matrix, sums = np.zeros((n + len(known), len(unknowns))), np.zeros(n + len(known))
        inputs = np.array([*range(n), *known])
        for r in self.used:
            values = self.height[r] * self.near[place[r]]
            parts = np.concatenate([values, -(loss[r] * values)[known]])
            sums += parts
            here = column[place[r]][inputs]
            rows = np.flatnonzero(here >= 0)
            matrix[rows, here[rows]] = parts[rows]
        matrix[n:, column[self.last]] = self.near[-1]
        sums[n:] += self.near[-1]
        return matrix[self.tight], sums[self.tight]

    def _near_costs(self) -> Any:
        """What a unit of each unknown costs, in doubles."""
        np, question, parts = self.program.np, self.program.question, self.program.parts
        costs = np.zeros(self.last + 1)
        if self.program.bayesian:
            np.add.at(costs, parts.place, question.prior * question.loss * self.height)
        else:
            costs[-1] = 1
        return costs

    def _private(self) -> bool:
        """Whether no pair's constraint fails by more than rounding explains."""
        program = self.program
        x = (self.height * self.near[program.parts.place])[self.used]
        over = program.question.alpha * x[:, program.heads] - x[:, program.tails]
        return bool((over <= WRONG * x[:, program.tails]).all())

    def _optimal(self, multipliers: Any) -> bool:
        """Whether no multiplier is negative by more than that."""
        program, np, n = self.program, self.program.np, self.program.size
        weights = np.asarray(program.question.prior) if program.bayesian else np.zeros(n)
        weights[[program.known[i - n] for i in self.tight[n:]]] = multipliers[n:]
        earned, paid = program.question.loss * weights, program.paid(program.kept / 2.0**program.bits)
        sums = program.parts.subtree_sums((earned - multipliers[:n] - paid) * self.height)
        summed = program.parts.subtree_sums((abs(earned) + abs(multipliers[:n]) + abs(paid)) * self.height)
        inner, up, _ = program.parts.inner()
        return bool((weights >= -WRONG).all() and (np.where(up, sums, -sums) >= -WRONG * summed)[inner].all())

    def longest(self, matrix: Any, dependent: float) -> list[int]:
        """Independent columns, always the one of which most is left; as long as that is not too short."""
        np, chosen = self.program.np, list[int]()
        left, directions, fresh = matrix.T.copy(), np.empty(matrix.shape[:1] * 2), 0
        lengths = (left**2).sum(1)
        first = longest = float(lengths.max())
        while len(chosen) < len(matrix):
            c, latest = int(lengths.argmax()), directions[fresh : len(chosen)]
            if len(latest) and lengths[c] <= STALE * longest:
                left -= (left @ latest.T) @ latest
                lengths, fresh = (left**2).sum(1), len(chosen)
                c, latest, longest = int(lengths.argmax()), latest[:0], float(lengths.max())
            if lengths[c] <= dependent**2 * first:
                break
            direction = left[c] - (latest @ left[c]) @ latest
            directions[len(chosen)] = direction = direction / np.sqrt(direction @ direction)
            chosen.append(c)
            lengths -= (left @ direction) ** 2
        return chosen

    def equations(self) -> list[dict[int, Any]]:
        """All equations, those of losses that may be less than the greatest included."""
        program, parts, n = self.program, self.program.parts, self.program.size
        known = program.known
        losses = [program.losses[i] for i in known]
        rows: list[dict[int, Any]] = [{} for _ in range(n)] + [{self.last: Rational(1)} for _ in known]
        powers = [Rational(1)]
        while len(powers) <= parts.steps.max():
            powers.append(powers[-1] * program.alpha)
        for r in self.used:
            places, heights = parts.place[r].tolist(), [powers[k] for k in parts.steps[r].tolist()]
            for i, (c, height) in enumerate(zip(places, heights, strict=True)):
                rows[i][c] = height
            for row, i, loss in zip(rows[n:], known, losses, strict=True):
                if loss[r]:
                    row[places[i]] = -loss[r] * heights[i]
        return rows

    def _costs(self, rows: list[dict[int, Any]]) -> dict[int, Any]:
        """What a unit of each unknown costs."""
        consumer, parts = self.program.consumer, self.program.parts
        if not isinstance(consumer, BayesianConsumer):
            return {self.last: Rational(1)}
        costs: dict[int, Any] = {}
        for i, row in enumerate(rows):
            prior = consumer.prior.weights[i]
            for c, height in row.items():
                cost = prior * self.program.losses[i][parts.guess[c]] * height
                costs[c] = costs[c] + cost if c in costs else cost
        return costs

    def _near_multiplier(self, i: int) -> Rational:
        """Of an equation that follows from others: about the interior point's multiplier."""
        n = self.program.size
        if i < n:
            return _rounded(float(self.point.potentials[i]), self.program.unit, self.digits)
        return _rounded(float(self.point.losses[1][i - n]), Rational(1), self.digits)


def _rounded(value: float, unit: Rational, digits: int = DIGITS) -> Rational:
    """A few binary digits of a double, times a unit.

    >>> _rounded(0.75, Rational(2))
    Rational('3/2')
    """
    fraction, exponent = math.frexp(value)
    whole, shift = round(fraction * 2**digits), exponent - digits
    return Rational(whole << shift if shift >= 0 else Rational(whole, 1 << -shift)) * unit
