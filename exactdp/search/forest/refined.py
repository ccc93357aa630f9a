# SPDX-License-Identifier: MIT
"""Column generation on a forest beyond doubles: HiGHS again and again, with magnified reduced costs.

At an optimum the weights λ and the potentials μ of inputs far from the ones that decide the loss can be
smaller than any double's error: on a path of a hundred inputs 2^(−90). So can the prices of columns that are
missing there. Each *level* has the multipliers of the last basis as integers over 2^bits; all prices are
computed with them. HiGHS then looks for the corrections to the multipliers: its costs are the reduced costs,
multiplied so that the most negative one is near −1. One level gains about 27 bits (iterative refinement).
While it lasts the corrections are doubles, and so is what they add to prices
(:mod:`~exactdp.search.forest.pricing`).

The multipliers of a basis come from the inverse of its matrix in doubles: what is left of its equations is
computed with integers, and gives the next correction. Everything here is a proposal.

References
----------
A. M. Gleixner, D. E. Steffy and K. Wolter (2016), *Iterative refinement for linear programming*, INFORMS
Journal on Computing 28, 449–464.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from math import log2
from operator import mul
from typing import Any

import numpy as np

from exactdp.exact import Rational, integer_vector
from exactdp.lp.highs import FloatAnswer, FloatProgram, GrowingProgram
from exactdp.lp.problem import Basis
from exactdp.runtime.progress import Listener, Progress
from exactdp.search.forest.doubles import DoubleMaster
from exactdp.search.forest.pricing import LevelPricing, cheapest_rays
from exactdp.search.forest.rays import Column, Forest

GUARD = 64
"""So many bits are computed below the prices of a level."""

FIRST = 40
"""The first prices are assumed to be about 2^(−40)."""

LEVELS = 200
"""At most so many levels."""

ROUNDS = 100
"""At most so many rounds of pricing in a level."""

RESOLVED = 27
"""A level ends when no price is below −2^(−27) of its first."""

FAR = 27
"""Reduced costs beyond 2^27 are clipped there."""

KEPT = 2.0**16
"""At the start of a level, columns that are not in use and cost more than this are forgotten."""

STEPS = 60
"""At most so many corrections to the multipliers of a basis."""

TINY = 1e-12
"""Smaller coefficients are left out, as HiGHS would."""

SURE = 1e-7
"""A vertex whose basic variables are all larger is taken to be feasible."""


class RefinedMaster:
    """The master problem in doubles, its multipliers as long integers.

    * ``doubles``: the columns so far.
    * ``basis``: of the variable d (basic for a minimax consumer), the columns, and the rows, as doubles found
      it.
    * ``forest``: where the rays live.
    * ``loss``: l(i, r), inputs × guesses.
    * ``known``: the inputs with a row for their loss; none for a Bayesian consumer.
    * ``prior``: of a Bayesian consumer, else empty.
    * raises ArithmeticError: the basis is not one of columns and inputs whose loss may be below d.

    >>> from exactdp.model import Graph
    >>> forest, loss = Forest(Graph.path(2)), [[0.0, 1.0], [1.0, 0.0]]
    >>> doubles = DoubleMaster(forest, 0.5, loss, [0, 1], [])
    >>> doubles.add([(r, ray) for r in (0, 1) for ray in (((0, 0), (1, 1)), ((0, 1), (1, 0)))])
    4
    >>> basis = doubles.rounds()
    >>> exact = [[Rational(int(x)) for x in row] for row in loss]
    >>> basis is None or RefinedMaster(doubles, basis, forest, Rational("1/2"), exact, [0, 1], []).optimise()
    True
    """

    def __init__(
        self,
        doubles: DoubleMaster,
        basis: Basis,
        forest: Forest,
        alpha: Rational,
        loss: Sequence[Sequence[Rational]],
        known: Sequence[int],
        prior: Sequence[Rational],
    ) -> None:
        self._doubles, self._forest, self._known = doubles, forest, list(known)
        self._size, self._p, self._q = forest.size, alpha.numerator, alpha.denominator
        self._minimax = not prior
        _, flat = integer_vector([x for row in loss for x in row])
        wide = len(loss[0])
        self._loss = [[int(flat[i * wide + r]) for i in range(self._size)] for r in range(wide)]  # by guesses
        self._unit: int = max((abs(x) for column in self._loss for x in column), default=0) or 1
        self._shares = np.array([[x / self._unit for x in column] for column in self._loss]).T  # inputs by guesses
        self._prior = list(prior)
        self._degree = [len(near) for near in forest.near]
        self._noise = GUARD // 4 + self._unit.bit_length()
        spread = math.ceil(self._size * (log2(self._q) - log2(self._p)))
        self._most_bits = 3 * spread + 128 + GUARD + self._noise
        self._heights, self._guesses = doubles.heights, doubles.guesses
        self._basic = np.array(basis.columns[1:], dtype=bool)
        self._slack = np.array(basis.rows[self._size :], dtype=bool)
        if any(basis.rows[: self._size]) or basis.columns[0] != self._minimax or not self._is_square():
            raise ArithmeticError("not a basis of columns and slacks")
        self._smallest = 0.0
        self._bits = 0
        self._powers: list[int] = []
        self._y = [0] * (self._size + len(self._known))
        self._set_bits(FIRST + GUARD + self._noise)

    def _is_square(self) -> bool:
        return int(self._basic.sum()) + int(self._slack.sum()) + self._minimax == self._size + len(self._known)

    @property
    def basic(self) -> list[Column | int]:
        """The basic columns, and the numbers of the inputs whose loss may be below d."""
        used = np.nonzero(self._basic)[0]
        pairs = zip(self._guesses[used].tolist(), self._heights[:, used].T.tolist(), strict=True)
        columns: list[Column | int] = [(r, tuple((v, k) for v, k in enumerate(heights) if k >= 0)) for r, heights in pairs]
        return columns + [int(place) for place in np.nonzero(self._slack)[0]]

    @property
    def is_sure(self) -> bool:
        """Whether no basic variable is so small that doubles may be wrong about its sign."""
        return self._smallest > SURE

    def optimise(self, report: Listener | None = None) -> bool:
        """Go through levels until no column is missing; whether that was reached."""
        for level in range(LEVELS):
            if not self._refine():
                return False
            found, worst = self._missing(1 << self._noise)
            if not worst:
                if self._bits >= self._most_bits:
                    return True
                self._set_bits(self._most_bits)
                continue
            exponent = worst.bit_length()
            if self._bits < self._most_bits and exponent < GUARD - 24 + self._noise:
                self._set_bits(min(self._most_bits, 2 * self._bits))
                continue
            if not self._level(level, found, exponent, report):
                return False
            self._set_bits(min(self._most_bits, self._bits - exponent + RESOLVED + GUARD + self._noise))
        return False

    def _set_bits(self, bits: int) -> None:
        """Another precision of the multipliers and of the powers of α."""
        moved = bits - self._bits
        self._y = [y << moved if moved >= 0 else y >> -moved for y in self._y]
        self._bits = bits
        power, self._powers = 1 << bits, []
        for _ in range(2 * self._size + 2):
            self._powers.append(power)
            power = power * self._p // self._q
        self._powers.append(0)  # powers[−1], for inputs where a ray is 0
        self._weights = [(x.numerator << bits) // (x.denominator * self._unit) for x in self._prior]

    # Multipliers

    def _costs(self) -> list[list[int]]:
        """For each guess the costs λ_i l(i, r) − μ_i, in units of 2^(−bits)."""
        size, p, q, y, near = self._size, self._p, self._q, self._y, self._forest.near
        norm = q * q - p * p
        potentials = [((q * q + (self._degree[i] - 1) * p * p) * y[i] - p * q * sum(y[j] for j in near[i])) // norm for i in range(size)]
        if not self._minimax:
            weights = self._weights
        else:
            weights = [0] * size
            for place, i in enumerate(self._known):
                weights[i] = y[size + place] // self._unit
        return [[w * l - u for w, l, u in zip(weights, column, potentials, strict=True)] for column in self._loss]

    def _prices(self, costs: list[list[int]], places: Any) -> list[int]:
        """The prices of columns."""
        power, bits = self._powers.__getitem__, self._bits
        columns = zip(self._guesses[places].tolist(), self._heights[:, places].T.tolist(), strict=True)
        return [sum(map(mul, costs[r], map(power, heights))) >> bits for r, heights in columns]

    def _refine(self) -> bool:
        """Compute the multipliers of the basis; whether they fit its equations."""
        size, free, used = self._size, np.nonzero(self._slack)[0], np.nonzero(self._basic)[0]
        rows = size + len(self._known)
        matrix, _ = self._doubles.coefficients(self._guesses[used], self._heights[:, used])
        slacks = np.zeros((rows, len(free)))
        slacks[size + free, np.arange(len(free))] = -1
        parts = [matrix, slacks]
        if self._minimax:
            parts.append(np.concatenate([np.zeros(size), np.ones(len(self._known))])[:, None])
        try:
            inverse = np.linalg.inv(np.hstack(parts).T)
        except np.linalg.LinAlgError:
            return False
        values = inverse.T @ np.concatenate([self._doubles.scales, np.zeros(len(self._known))])
        self._smallest = float(values[: len(used) + len(free)].min())
        last: int | None = None
        for _ in range(STEPS):
            left = self._prices(self._costs(), used) + [self._y[size + int(place)] for place in free]
            if self._minimax:
                left.append((1 << self._bits) - sum(self._y[size:]))
            error = max(map(abs, left))
            if last is not None and 2 * error > last:
                break
            last = error
            if error < len(left):
                break
            shift = error.bit_length() - 60
            step = inverse @ np.array([float(_shifted(x, -shift)) for x in left])
            if not np.isfinite(step).all():
                return False
            self._y = [y + _shifted(int(x), shift) for y, x in zip(self._y, step.tolist(), strict=True)]
        return last is not None and last.bit_length() < self._noise

    # A level

    def _level(self, number: int, found: tuple[Any, Any], exponent: int, report: Listener | None) -> bool:
        """Add columns while prices are below −2^(exponent − 27); whether HiGHS came to an end."""
        origin, origin_costs = list(self._y), self._costs()
        pricing: LevelPricing | None = None
        with suppress(OverflowError):
            pricing = LevelPricing(self._forest, self._p, self._q, origin_costs, exponent)

        def priced(places: Any) -> Any:
            """The prices at the origin of some of the columns."""
            if pricing is not None:
                return pricing.prices(self._guesses[places], self._heights[:, places])
            return np.array([_double(x, exponent) for x in self._prices(origin_costs, places)])

        costs = self._forget(priced(slice(None)))
        costs[self._basic] = 0.0
        weights = [0.0 if free else _double(y, exponent) for y, free in zip(self._y[self._size :], self._slack.tolist(), strict=True)]
        present = {(int(r), heights.tobytes()) for r, heights in zip(self._guesses, self._heights.T.astype(int), strict=True)}
        solver: GrowingProgram | None = None
        for rounds in range(ROUNDS):
            fresh = []
            for place, (r, heights) in enumerate(zip(found[0].tolist(), found[1].T, strict=True)):
                key = (r, heights.tobytes())
                if key not in present:
                    present.add(key)
                    fresh.append(place)
            if not fresh and rounds:
                break
            start = len(self._guesses)
            self._guesses = np.concatenate([self._guesses, found[0][fresh]])
            self._heights = np.hstack([self._heights, found[1][:, fresh]])
            self._basic = np.concatenate([self._basic, np.zeros(len(fresh), dtype=bool)])
            added = np.clip(priced(slice(start, None)), -(2.0**FAR), 2.0**FAR)
            if solver is None:
                solver = self._program([*np.clip(costs, -(2.0**FAR), 2.0**FAR).tolist(), *added.tolist()], weights)
            else:
                solver.add_columns(added.tolist(), *self._compressed(slice(start, None)))
            if report is not None:
                detail = f"level {number + 1}, {len(self._guesses)} columns"
                report(Progress("columns in refined doubles", rounds, unit="rounds", detail=detail))
            answer = solver.answer()
            if answer is None or not answer.optimal or not self._take(answer):
                return False
            moved = [_shifted(int(math.ldexp(dy, 50)), exponent - 50) for dy in answer.multipliers]
            self._y = [y + dy for y, dy in zip(origin, moved, strict=True)]
            if pricing is None:
                found, worst = self._missing(max(1, 1 << max(0, exponent - RESOLVED - 3)))
                done = worst.bit_length() < exponent - RESOLVED
            else:
                guesses, heights, prices = pricing.missing(self._changes(np.array(answer.multipliers)), 2.0 ** (-RESOLVED - 3))
                least = min([_double(y, exponent) for y in self._y[self._size :]], default=0.0)
                found, done = (guesses, heights), min(prices.min(initial=0.0), least) > -(2.0 ** (-RESOLVED - 1))
            if done:
                break
        return True

    def _changes(self, y: Any) -> Any:
        """What changes of the multipliers add to the costs λ_i l(i, r) − μ_i: inputs by guesses."""
        u, a = y[: self._size], self._p / self._q
        beside = np.array([sum(u[j] for j in near) for near in self._forest.near])
        potentials = ((1 + (np.array(self._degree) - 1) * a * a) * u - a * beside) / (1 - a * a)
        weights = np.zeros(self._size)
        weights[self._known] = y[self._size :]
        return weights[:, None] * self._shares - potentials[:, None]

    def _forget(self, prices: Any) -> Any:
        """Leave columns out that are not in use and cost much more than a level; what the rest cost."""
        kept = self._basic | (prices < KEPT)
        self._heights, self._guesses, self._basic = self._heights[:, kept], self._guesses[kept], self._basic[kept]
        return prices[kept]

    def _take(self, answer: FloatAnswer) -> bool:
        """Take the basis, if it is one of columns and slacks; whether it is."""
        first, slacks = int(self._minimax), len(self._known)
        flags = np.array(answer.basis.columns, dtype=bool)
        if any(answer.basis.rows) or not flags[:first].all():
            return False
        if flags.sum() != len(answer.basis.rows):
            return False
        self._slack, self._basic = flags[first : first + slacks], flags[first + slacks :]
        return True

    def _compressed(self, places: Any) -> tuple[list[int], list[int], list[float]]:
        """The coefficients of columns, one column after the other."""
        matrix, _ = self._doubles.coefficients(self._guesses[places], self._heights[:, places])
        matrix = np.where(np.abs(matrix) > TINY, matrix, 0.0).T
        lines, index = np.nonzero(matrix)
        starts = np.concatenate([[0], np.cumsum(np.bincount(lines, minlength=len(matrix)))])
        return starts.tolist(), index.tolist(), matrix[lines, index].tolist()

    def _program(self, costs: list[float], weights: list[float]) -> GrowingProgram:
        """The problem of the corrections: d, the slacks of losses, the columns; all rows are equations."""
        size, slacks = self._size, len(self._known)
        starts, index, values = self._compressed(slice(None))
        first = slacks * self._minimax + slacks
        own = list(range(size, size + slacks))
        head = [0, slacks] if self._minimax else [0]
        head += [head[-1] + k for k in range(1, slacks + 1)]
        total = int(self._minimax) + slacks + len(costs)
        right = [*self._doubles.scales.tolist(), *[0.0] * slacks]
        program = FloatProgram(
            cost=[*([0.0] if self._minimax else []), *weights, *costs],
            lower=[*([-math.inf] if self._minimax else []), *[0.0] * (slacks + len(costs))],
            upper=[math.inf] * total,
            row_lower=right,
            row_upper=right,
            starts=[*head[:-1], *(first + s for s in starts)],
            index=[*(own if self._minimax else []), *own, *index],
            values=[*([1.0] * slacks if self._minimax else []), *[-1.0] * slacks, *values],
            by_columns=True,
        )
        flags = [*([True] if self._minimax else []), *self._slack.tolist(), *self._basic.tolist()]
        return GrowingProgram(program, 2, Basis(tuple(flags), (False,) * len(right)), scaled=False)

    # Pricing

    def _missing(self, least: int) -> tuple[tuple[Any, Any], int]:
        """Columns with a mean cost below −``least``: guesses and heights; and the size of the worst price.

        Weights of losses that are negative count as prices, too.
        """
        worst = max([-y for y in self._y[self._size :] if y < -least], default=0)
        guesses, found = [], []
        for r, costs in enumerate(self._costs()):
            for price, heights in cheapest_rays(self._forest, self._p, self._q, costs, least, self._powers):
                guesses.append(r)
                found.append(heights)
                worst = max(worst, -(price >> self._bits))
        columns = np.array(found, dtype=int).reshape(len(found), self._size).T
        return (np.array(guesses, dtype=int), columns), worst


def _shifted(x: int, bits: int) -> int:
    return x << bits if bits >= 0 else x >> -bits


def _double(x: int, exponent: int) -> float:
    """x/2^exponent, clipped."""
    size = x.bit_length()
    if size - exponent > FAR:
        return math.copysign(2.0**FAR, x)
    shift = max(0, size - 60)
    return math.ldexp(float(x >> shift), shift - exponent)
