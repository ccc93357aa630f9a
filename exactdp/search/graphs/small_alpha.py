# SPDX-License-Identifier: MIT
"""An interior point for small α: directions in doubles, everything else in long fixed-point numbers.

At α = 1/1000 probabilities, potentials and weights differ by α^10 and more, and the gap must be far below the
least of their products before it is clear which slacks go to zero.
:mod:`~exactdp.search.graphs.interior_point` cannot go there, because its residuals are differences of
doubles. Here the method goes on from one of its points:

* x, z, μ, λ and d are integers divided by 2^BITS. Slacks of pairs and all residuals are computed from them
  exactly, and then rounded.
* A direction needs few digits, but all of them must be right. The matrices H_r are eliminated as flows and
  what is left (:mod:`~exactdp.search.graphs.stieltjes`).
* Where a slack is far below its x, changes of x on both sides are nearly the same, and their difference says
  nothing. Such rows form trees and cycles (:mod:`~exactdp.search.graphs.small_alpha_trees`), which say more.
* Losses are taken without the least loss of each input, l(i, r) − l_i. What a tight loss and the sum of its
  row have in common then disappears: d − l_i is small, and μ_i − λ_i l_i.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from exactdp.exact import Rational
from exactdp.search.graphs.interior_point import Direction, InteriorPoint, Iterate, OneThread, Sums
from exactdp.search.graphs.small_alpha_trees import TightTrees
from exactdp.search.graphs.stieltjes import FlowMatrices

BITS = 480
"""Numbers are multiples of 2^−BITS."""

LOSS_BITS = 128
"""Losses, which are at most 1, are multiples of 2^−LOSS_BITS."""

STEPS = 160
"""At most so many Newton steps."""

PATIENCE = 20
"""So many steps may go by while the least gap so far is not halved."""

SHARE = 0.995
"""How far to go, at first, towards the first number that would become zero."""

MOST = 1 - 1e-6
"""How far to go at last."""

HALVINGS = 20
"""So often a step is halved until all slacks are positive."""

UNCLEAR = 0.1
"""A slack that changes by a share of itself that is further from 0 and from −1 is not decided yet."""


PROXIMAL = 1e-15
"""Added to a diagonal of 1: where potentials are not unique they stay near those that are known."""

REFINEMENTS = 2
"""So often a direction is corrected by what its equations lack."""


class LongInteriorPoint:
    """Newton steps from a point of :class:`~exactdp.search.graphs.interior_point.InteriorPoint`.

    Attributes
    ----------
    unclear : int
        Of how many rows and losses the last step could not tell whether they are tight.
    tight, tight_losses, unused : arrays of bool
        Which rows of pairs (guess, row) and which known losses are tight, and which guesses are not used.
    doubts : array of float
        How clear it is for each row of a pair whether it is tight: the closer to 0, the less.
    """

    def __init__(self, method: InteriorPoint, point: Iterate, alpha: Rational) -> None:
        self.np = np = method.np
        self.question, self.alpha, self.p, self.q = method.question, alpha, int(alpha.numerator), int(alpha.denominator)
        self.guesses, self.size, self.minimax = method.guesses, method.size, method.minimax
        self.tails, self.heads, self.known = method.tails, method.heads, method.known
        self.peaks, self.every, self.shares = method.peaks, method.every, method.shares
        self.by_tail, self.by_head = Sums(self.tails, self.size), Sums(self.heads, self.size)
        self.least = method.loss.min(0)
        self.loss = method.loss - self.least
        self.seen = self.loss[:, self.known]
        self._whole_loss = fixed(np, self.loss, LOSS_BITS)
        self._least = fixed(np, self.least[self.known])
        self._prior = None if self.minimax else fixed(np, np.asarray(self.question.prior))
        self.matrices = FlowMatrices(self.question.tails[::2], self.question.heads[::2], self.size)
        self._one_thread = OneThread()
        self.t, weights, greatest = point.losses
        self._x, self._z, self._w = fixed(np, point.x), fixed(np, point.multipliers), fixed(np, weights)
        self._mu = fixed(np, point.potentials - self.on_inputs(weights) * self.least)
        self._d = int(fixed(np, np.array([greatest]))[0])
        self.s = self._slacks(self._x)

    def points(self) -> Iterator[Iterate]:
        """The points on the way, each with ``unclear`` and what is tight there; until doubles fail."""
        np, least, since = self.np, float("inf"), 0
        for number in range(STEPS):
            if self.s.min() <= 0 or number - since > PATIENCE:
                break
            self._read()
            here = self._point()
            if here.gap < least / 2:
                least, since = here.gap, number
            try:
                with np.errstate(all="raise", under="ignore"):
                    self._one_thread.run(self._step)
            except (np.linalg.LinAlgError, FloatingPointError):
                break
            yield here

    def other_readings(self, most: int) -> Iterator[Any]:
        """What is tight if one row was read wrongly: each of the most doubtful ones the other way."""
        for place in self.np.argsort(self.doubts, axis=None)[:most]:
            tight = self.tight.copy()
            tight.ravel()[place] ^= True
            yield tight

    def on_inputs(self, known: Any) -> Any:
        """Weights on all inputs."""
        if not self.minimax:
            return self.np.asarray(self.question.prior)
        weights = self.np.zeros(self.size, dtype=known.dtype)
        weights[self.known] = known
        return weights

    def at_ends(self, tails: Any, heads: Any, own: Any) -> Any:
        """Sums over the rows at each input: one array where it is the tail, one where it is the head."""
        sums = self.by_tail(tails) + self.by_head(heads)
        sums[self.every, self.peaks] += own
        return sums

    def _slacks(self, x: Any) -> Any:
        """M x, exactly and then rounded."""
        large, small = self.q * x, self.p * x  # long products, once for each input and not for each row
        pairs = (large[:, self.tails] - small[:, self.heads]).astype(float) / self.q
        return self.np.column_stack([pairs, x[self.every, self.peaks].astype(float)]) / 2.0**BITS

    def _read(self) -> None:
        """Round the numbers, and compute what the equations lack."""
        np, one = self.np, 2.0**BITS
        self.x, self.z, self.w, self.mu = (v.astype(float) / one for v in (self._x, self._z, self._w, self._mu))
        weights = self.on_inputs(self._w) if self._prior is None else self._prior
        paid = self.q * (self.by_tail(self._z) + self._mu) - self.p * self.by_head(self._z)
        paid[self.every, self.peaks] += self.q * self._z[:, -1]
        costs = self.q * (self._whole_loss * weights) - (paid << LOSS_BITS)
        self.costs = costs.astype(float) / self.q / one / 2.0**LOSS_BITS
        self.sums = ((1 << BITS) - self._x.sum(0)).astype(float) / one
        self.losses, self.total = np.zeros(0), 0.0
        if self.minimax:
            over = (self._d - self._least - fixed(np, self.t)) << LOSS_BITS
            lost = (self._whole_loss * self._x)[:, self.known].sum(0)
            self.losses = (over - lost).astype(float) / one / 2.0**LOSS_BITS
            self.total = float((1 << BITS) - self._w.sum()) / one
        self.gap = float((self.s * self.z).sum() + self.t @ self.w)
        alpha, paid = self.question.alpha, self.loss * self.on_inputs(self.w) + abs(self.mu)
        busy = self.at_ends(self.z, alpha * self.z, self.z[:, -1]) + paid
        self.trees = TightTrees(self.question.tails, self.question.heads, self.alpha, self.x, self.s, self.z, busy)

    def _point(self) -> Iterate:
        """The numbers, rounded."""
        weights = self.on_inputs(self.w)
        worst = max(float(abs(part).max(initial=0.0)) for part in (self.costs, self.sums, self.losses))
        losses = (self.t, self.w, self._d / (1 << BITS))
        return Iterate(self.x, self.s, self.z, self.mu + weights * self.least, weights, self.gap, self.size * worst, losses)

    def moved(self, x: Any, s: Any, length: float = 1.0) -> tuple[Any, Any]:
        """The probabilities after a step, and their slacks, given a direction of both."""
        after = self.trees.placed(self._x + fixed(self.np, length * x), fixed(self.np, self.s + length * s))
        return after, self._slacks(after)

    def _step(self) -> None:
        """One predictor and one corrector."""
        np, s, z, t, w = self.np, self.s, self.z, self.t, self.w
        mean = self.gap / (float(self.shares.sum()) + t.size)
        system = _LongSystem(self)
        ahead = system.direction(-s * z, -t * w, exact=False)
        changes = np.concatenate([(ahead.s / s).ravel(), ahead.t / t])
        self.unclear = int((np.minimum(abs(changes), abs(changes + 1)) > UNCLEAR).sum())
        vanishing = ahead.s < -s / 2
        self.doubts = abs(ahead.s / s + 0.5)[:, :-1]
        self.tight, self.unused, self.tight_losses = vanishing[:, :-1], vanishing[:, -1], ahead.t < -t / 2
        primal, dual = self._lengths(ahead, 1.0)
        left = float(((s + primal * ahead.s) * (z + dual * ahead.z)).sum() + (t + primal * ahead.t) @ (w + dual * ahead.w)) / self.gap
        centre = min(1.0, max(1e-6, left**3)) * mean
        step = system.direction(centre * self.shares - s * z - ahead.s * ahead.z, centre - t * w - ahead.t * ahead.w)
        primal, dual = self._lengths(step, min(max(SHARE, 1 - left), MOST))
        for _ in range(HALVINGS):
            x, s = self.moved(step.x, step.s, primal)
            if s.min() > 0:
                break
            primal /= 2
        else:
            raise FloatingPointError("no step keeps slacks positive")
        self._x, self.s, self.t = x, s, t + primal * step.t
        self._d += int(fixed(np, np.array([primal * step.d]))[0])
        self._z, self._w, self._mu = (
            old + fixed(np, dual * new) for old, new in ((self._z, step.z), (self._w, step.w), (self._mu, step.mu))
        )

    def _lengths(self, step: Direction, share: float) -> tuple[float, float]:
        """How far to go, at most 1, and at most so much of the way to the first number that becomes zero."""

        def until_zero(*pairs: tuple[Any, Any]) -> float:
            most = max(float((-change / value).max(initial=0.0)) for value, change in pairs)
            return share / max(most, share)

        return until_zero((self.s, step.s), (self.t, step.t)), until_zero((self.z, step.z), (self.w, step.w))


class _LongSystem:
    """The matrices of one Newton step."""

    def __init__(self, at: LongInteriorPoint) -> None:
        self.at, np, x = at, at.np, at.x
        size, known, order, alpha = at.size, at.known, at.matrices.order, at.question.alpha
        stiffness = at.z / at.s
        one, other = at.tails[::2], at.heads[::2]
        beside = alpha * (stiffness[:, 0:-1:2] + stiffness[:, 1:-1:2]) * x[:, one] * x[:, other]
        flows, own = self._flows(at.z), self._own(at.z * at.s)
        at.matrices.eliminate_flows(beside.T, flows.T, own.T[order])
        scaled = at.matrices.inverse * x.T[order][:, None] * x.T[order]
        end = size + len(known)
        whole = np.zeros((end + at.minimax,) * 2)
        whole[np.ix_(order, order)] = scaled.sum(2)
        if at.minimax:
            loss, back = at.loss.T[order], np.argsort(order)
            once = np.einsum("ijr,jr->ij", scaled, loss)[np.ix_(back, back[known])]
            twice = np.einsum("ijr,ir,jr->ij", scaled, loss, loss)[np.ix_(back[known], back[known])]
            whole[:size, size:end], whole[size:end, :size], whole[size:end, size:end] = -once, -once.T, twice
            whole[range(size, end), range(size, end)] += at.t / at.w
            whole[end, size:end] = whole[size:end, end] = 1
        self.scale = np.sqrt(np.abs(np.diag(whole)))
        if at.minimax:
            self.scale[end] = np.sqrt((1 / self.scale[size:end] ** 2).sum())
        self.scale[self.scale == 0] = 1
        self.whole = whole / self.scale[:, None] / self.scale
        self.whole[range(size), range(size)] += PROXIMAL

    def direction(self, products: Any, known_products: Any, *, exact: bool = True) -> Direction:
        """The direction that changes the products s·z and t·w by so much, and meets the equations.

        Slacks beside the trees are those of the probabilities after the step, in long numbers if ``exact``.
        """
        at, np = self.at, self.at.np
        flows = self._flows(products / at.s)
        own = self._own(products) - at.x * at.costs
        lacking = known_products / at.w - at.losses
        free = at.x * self._unknowns(flows, own)
        mu, w, d = self._solve(at.sums - free.sum(0), lacking + (at.seen * free[:, at.known]).sum(0), at.total)
        q = self._unknowns(flows, own + self._by_node(mu, w))
        for _ in range(REFINEMENTS):
            x = at.x * q
            short = lacking + (at.seen * x[:, at.known]).sum(0) - d - at.t / at.w * w
            more = self._solve(at.sums - x.sum(0), short, at.total - float(w.sum()))
            q = q + self._from_nodes(self._by_node(more[0], more[1]))
            mu, w, d = mu + more[0], w + more[1], d + more[2]
        one, other = q[:, at.tails], q[:, at.heads]
        pairs = at.question.alpha * at.x[:, at.heads] * (one - other) + at.s[:, :-1] * one
        s = np.column_stack([pairs, at.s[:, -1] * q[at.every, at.peaks]])
        z = (products - at.z * s) / at.s
        costs = at.costs - mu + (at.loss * at.on_inputs(w) if at.minimax else 0.0)

        def lacks(z: Any) -> Any:
            return costs - at.at_ends(z, -at.question.alpha * z, z[:, -1])

        z, s = at.trees.changes(lacks, products, z, s)
        if exact:
            s = np.where(at.trees.follows, s, at.moved(at.x * q, s)[1] - at.s)
            z, s = at.trees.changes(lacks, products, (products - at.z * s) / at.s, s)
        return Direction(at.x * q, s, z, mu, w, d, (known_products - at.t * w) / at.w)

    def _flows(self, values: Any) -> Any:
        """What rows with such multipliers, times x, give to a pair's first end and take from the second."""
        at = self.at
        one, other = at.x[:, at.tails[::2]], at.x[:, at.heads[::2]]
        return at.question.alpha * (values[:, 0:-1:2] * other - values[:, 1:-1:2] * one)

    def _own(self, products: Any) -> Any:
        """What they leave at the inputs: products of slacks and multipliers."""
        at = self.at
        sums = at.by_tail(products)
        sums[at.every, at.peaks] += products[:, -1]
        return sums

    def _by_node(self, mu: Any, w: Any) -> Any:
        return self.at.x * (mu - self.at.loss * self.at.on_inputs(w) if self.at.minimax else mu)

    def _unknowns(self, flows: Any, own: Any) -> Any:
        """Relative changes of x, for every guess."""
        order, q = self.at.matrices.order, self.at.np.empty(own.shape)
        q[:, order] = self.at.matrices.solve_flows(flows.T, own.T[order]).T
        return q

    def _from_nodes(self, own: Any) -> Any:
        order, q = self.at.matrices.order, self.at.np.empty(own.shape)
        q[:, order] = self.at.matrices.solve(own.T[order]).T
        return q

    def _solve(self, sums: Any, losses: Any, total: float) -> tuple[Any, Any, float]:
        """Changes of μ, λ and d, without those of x."""
        at, np = self.at, self.at.np
        right = np.concatenate([sums, losses, [total]] if at.minimax else [sums]) / self.scale
        found = np.linalg.solve(self.whole, right)
        found = (found + np.linalg.solve(self.whole, right - self.whole @ found)) / self.scale
        if not at.minimax:
            return found, np.zeros(0), 0.0
        return found[: at.size], found[at.size : -1], float(found[-1])


def fixed(np: Any, values: Any, bits: int = BITS) -> Any:
    """Doubles as integers divided by 2^bits; what is below that is cut off.

    >>> import numpy
    >>> fixed(numpy, numpy.array([0.75, -2.0]), 60).tolist() == [3 * 2**58, -(2**61)]
    True
    """
    mantissa, exponent = np.frexp(values)
    whole, shift = np.rint(mantissa * 2.0**53).astype(np.int64), exponent.astype(int) + (bits - 53)
    whole[shift < 0] = 0
    return whole.astype(object) << np.maximum(shift, 0).astype(object)
