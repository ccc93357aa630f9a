# SPDX-License-Identifier: MIT
"""An interior-point method in doubles for the program of all private mechanisms (untrusted; a proposal).

Column x_r of a mechanism, the probabilities of guess r, lies in the cone of the graph's pairs,
x_i − α x_j ≥ 0 both ways; the columns meet only in Σ_r x_r = 1 and in the loss. With z the multipliers of the
pairs, s their slacks and M their rows, a Newton step needs for every guess the inverse of the small matrix

    H_r = Mᵀ diag(z_r/s_r) M,                      as sparse as the graph, one row for each input

and then one system for the steps of potentials μ and weights λ, whose blocks are sums over the guesses of
H_r⁻¹ scaled by losses. (The plain program has 2·n·|pairs| rows.) Steps are Mehrotra's predictor and
corrector.

Near the optimum slacks are far below the probabilities whose difference they are. Four things keep digits:

* Unknowns are relative, x_i = (1 + q_i)·x_i. Then H_r is a Stieltjes matrix whose excess is x_i·(Mᵀz)_i
  (:mod:`~exactdp.search.graphs.stieltjes`).
* Slacks are kept and changed by themselves, by α·x_j·(q_i − q_j) + s·q_i, which does not cancel.
* Far from the optimum the inverses answer every right-hand side. From :data:`FINE` on the factors do it
  again, so that differences of neighbours have their digits, and what is lacking is corrected once.
* Which slacks go to zero is read from the change that Newton's method proposes at the last point: those
  that would lose more than half of themselves (Tapia's indicators). No scale is needed.

One entry of each column has a sign condition of its own. It follows from the pairs, but its multiplier is the
slack of guesses that are not used, which :mod:`~exactdp.search.graphs.restricted_program` wants to see.

References
----------
S. Mehrotra (1992), *On the implementation of a primal-dual interior point method*, SIAM Journal on
Optimization 2, 575–601; A. S. El-Bakry, R. A. Tapia and Y. Zhang (1994), *A study of indicators for
identifying zero variables in interior-point methods*, SIAM Review 36, 45–72.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from threading import RLock, get_ident
from typing import Any, TypeVar

from exactdp.runtime.values import dataclass
from exactdp.search.graphs.guess_orbits import GuessOrbits
from exactdp.search.graphs.stieltjes import StieltjesMatrices

T = TypeVar("T")

STEPS = 80
"""At most so many Newton steps."""

GAP = 1e-13
"""With a smaller gap, as a share of the optimum, rounding decides what is left."""

FAR = 1e-4
"""With a larger gap multipliers are compared with slacks as they are."""

SHARE = 0.995
"""How far to go towards the first number that would become zero."""

FINE = 1e-3
"""From such a gap on, as a share of the optimum, slacks need more digits than an inverse matrix gives."""

PROXIMAL = 1e-14
"""Added to a diagonal of 1: where potentials are not unique they stay near those that are known."""

WORSE = 10.0
"""Rounding has won when the gap and the residuals are so many times what they were."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, as arrays; losses of at most 1, one row for each guess.

    Attributes
    ----------
    tails, heads : sequence of int
        Row e says x_tail ≥ α·x_head; rows 2p and 2p + 1 are the two of a pair.
    alpha : float
        0 < α < 1.
    loss : array of shape (guesses, inputs)
        The losses.
    known : sequence of int
        Where a minimax consumer's loss counts; nobody asks for a Bayesian one.
    prior : array, optional
        Of a Bayesian consumer.
    start : array of shape (guesses, inputs), optional
        About how large probabilities are beside the others of their guess. Products of slacks with
        multipliers are kept in the same proportions. All alike unless given.
    """

    tails: Sequence[int]
    heads: Sequence[int]
    alpha: float
    loss: Any
    known: Sequence[int]
    prior: Any = None
    start: Any = None


@dataclass(frozen=True, slots=True)
class Iterate:
    """Where the method is: arrays x (guess, input), slacks and multipliers (guess, row), potentials, weights.

    ``gap`` is the sum of all products of a slack with its multiplier, ``error`` what the equations lack.
    ``losses`` are the slacks of the losses, their weights, and the greatest loss.
    """

    x: Any
    slacks: Any
    multipliers: Any
    potentials: Any
    weights: Any
    gap: float
    error: float
    losses: tuple[Any, Any, float]

    @property
    def bound(self) -> float:
        """What the potentials would prove if the equations held."""
        return float(self.potentials.sum())

    @property
    def share(self) -> float:
        """The gap as a share of the optimum."""
        return self.gap / max(abs(self.bound), 1e-9)


class InteriorPoint:
    """Newton steps for a :class:`Question`, from the uniform mechanism unless it says otherwise.

    With ``orbits`` all iterates have one column for each orbit of guesses; :meth:`whole` has all of them.
    Every guess is best for one input then, so that its sign condition is mapped to that of another guess, and
    there is no ``start``.

    Examples
    --------
    >>> import numpy as np
    >>> question = Question([0, 1], [1, 0], 0.5, np.array([[0.0, 1.0], [1.0, 0.0]]), [0, 1])
    >>> *_, last = InteriorPoint(question).points()
    >>> round(last.bound, 4)                                   # randomized response: α/(1 + α)
    0.3333
    """

    def __init__(self, question: Question, orbits: GuessOrbits | None = None) -> None:
        import numpy

        self.np = np = numpy
        self.question, self.orbits = question, orbits
        self.loss = question.loss if orbits is None else question.loss[orbits.chosen]
        self.guesses, self.size = guesses, size = self.loss.shape
        self.tails, self.heads, self.known = np.array(question.tails), np.array(question.heads), np.array(question.known, dtype=int)
        self.minimax = question.prior is None
        if not self.minimax:
            self.known = self.known[:0]
        count = len(self.tails)
        self._by_tail, self._by_head = Sums(self.tails, size), Sums(self.heads, size)
        self.peaks = self.loss.argmin(1)
        self.every = np.arange(guesses)
        # minimax: losses d − Σ l x = t ≥ 0 on the known inputs, with weights λ ≥ 0
        self.seen = self.loss[:, self.known]
        start = np.ones((guesses, size)) if question.start is None else question.start
        self.x = start / self.over_guesses(start).max()
        self.shares = np.concatenate([start[:, self.tails], np.ones((guesses, 1))], axis=1)
        self.s, self.z = self._rows(self.x), np.full((guesses, count + 1), 0.5 / size)
        if self.minimax:
            uniform = self.losses_of(self.x)
            self.d = float(uniform.max()) + 0.1
            self.t, self.w = self.d - uniform, np.full(len(self.known), 1 / len(self.known))
        else:
            self.d, self.t, self.w = 0.0, np.zeros(0), np.zeros(0)
        self.mu = (question.loss * self._weights(self.w)).min(0)
        self._one_thread = OneThread()
        self._ahead: tuple[Iterate, _NewtonSystem, Direction] | None = None
        self.stiff = StieltjesMatrices(question.tails[::2], question.heads[::2], size)

    def over_guesses(self, table: Any) -> Any:
        """For every input the sum over all guesses."""
        return table.sum(0) if self.orbits is None else self.orbits.sum(table)

    def losses_of(self, x: Any) -> Any:
        """The losses of a table where they count."""
        if self.orbits is None:
            return (self.seen * x[:, self.known]).sum(0)
        return self.orbits.sum(self.loss * x)[self.known]

    def total(self, table: Any) -> float:
        """The sum of a table over everything, all guesses included."""
        return float(table.sum()) if self.orbits is None else self.orbits.total(table)

    def whole(self, point: Iterate) -> Iterate:
        """The point with the columns of all guesses."""
        orbits = self.orbits
        if orbits is None:
            return point
        slacks, multipliers = orbits.rows(point.slacks), orbits.rows(point.multipliers)
        return replace(point, x=orbits.columns(point.x), slacks=slacks, multipliers=multipliers)

    def points(self) -> Iterator[Iterate]:
        """The points on the way; the last one is the best that doubles gave."""
        np = self.np
        best: Iterate | None = None
        for _ in range(STEPS):
            here, residuals = self._here()
            if best is None or here.gap + here.error < best.gap + best.error:
                best = here
            yield here
            if here.share < GAP or here.gap + here.error > WORSE * (best.gap + best.error):
                break
            try:
                with np.errstate(all="raise", under="ignore"):
                    self._one_thread.run(partial(self._step, here, residuals))
            except (np.linalg.LinAlgError, FloatingPointError):
                break
        assert best is not None
        yield best

    def tight(self, point: Iterate) -> Any:
        """Which rows of pairs are tight at the optimum near a point: of shape (guess, row)."""
        ahead = self._ahead_of(point) if point.gap <= FAR * abs(point.bound) else None
        if ahead is None:
            return point.multipliers[:, :-1] > point.slacks[:, :-1]
        return (ahead.s < -point.slacks / 2)[:, :-1]

    def ahead(self, point: Iterate) -> tuple[Iterate, float]:
        """Where the predictor leads from a point, and how much of its way can be gone."""
        step = self._ahead_of(point)
        if step is None:
            return point, 0.0
        length = self._move(step)
        there, _ = self._here()
        self._go(point)
        return there, length

    def _go(self, point: Iterate) -> None:
        self.x, self.s, self.z, self.mu = point.x, point.slacks, point.multipliers, point.potentials
        self.t, self.w, self.d = point.losses

    def _ahead_of(self, point: Iterate) -> Direction | None:
        """The direction towards products of 0 from a point; None where doubles fail."""
        self._go(point)
        try:
            with self.np.errstate(all="raise", under="ignore"):
                return self._one_thread.run(lambda: self._predicted(point, self._here()[1])[1])
        except (self.np.linalg.LinAlgError, FloatingPointError):
            return None

    def _predicted(self, here: Iterate, residuals: tuple[Any, Any, Any, float]) -> tuple[_NewtonSystem, Direction]:
        """The matrices at a point, and the direction towards products of 0; the latest ones are kept."""
        if self._ahead is None or self._ahead[0] is not here:
            system = _NewtonSystem(self, fine=here.share < FINE)
            self._ahead = here, system, system.direction(residuals, -self.s * self.z, -self.t * self.w, corrected=False)
        return self._ahead[1:]

    def _rows(self, x: Any) -> Any:
        """M x for every guess, and the entry with a sign of its own."""
        own = x[self.every, self.peaks][:, None]
        return self.np.concatenate([x[:, self.tails] - self.question.alpha * x[:, self.heads], own], axis=1)

    def _columns(self, z: Any) -> Any:
        """Mᵀ z for every guess."""
        return self.weighted_columns(z, -self.question.alpha, 1.0)

    def weighted_columns(self, z: Any, head: float, own: float) -> Any:
        """The same with other numbers instead of −α and of the 1 of the entry with a sign of its own."""
        sums = self._by_tail(z) + head * self._by_head(z)
        sums[self.every, self.peaks] += own * z[:, -1]
        return sums

    def _weights(self, known: Any) -> Any:
        """Weights on all inputs."""
        if not self.minimax:
            return self.np.asarray(self.question.prior)
        weights = self.np.zeros(self.size)
        weights[self.known] = known
        return weights

    def _here(self) -> tuple[Iterate, tuple[Any, Any, Any, float]]:
        """The point, and what its equations lack: costs, sums of rows, losses, the sum of weights."""
        weights = self._weights(self.w)
        costs = self.loss * weights - self.mu - self._columns(self.z)
        sums = 1 - self.over_guesses(self.x)
        losses = self.d - self.losses_of(self.x) - self.t
        total = 1 - float(self.w.sum()) if self.minimax else 0.0
        worst = max(float(abs(part).max(initial=0.0)) for part in (costs, sums, losses if self.minimax else sums))
        gap = float(self.total(self.s * self.z) + self.t @ self.w)
        point = Iterate(self.x, self.s, self.z, self.mu, weights, gap, self.size * worst, (self.t, self.w, self.d))
        return point, (costs, sums, losses, total)

    def _step(self, here: Iterate, residuals: tuple[Any, Any, Any, float]) -> None:
        """One predictor and one corrector."""
        s, z, t, w = self.s, self.z, self.t, self.w
        mean = here.gap / (self.total(self.shares) + t.size)
        system, ahead = self._predicted(here, residuals)
        primal, dual = self._lengths(ahead)
        left = self.total((s + primal * ahead.s) * (z + dual * ahead.z))
        left += float((t + primal * ahead.t) @ (w + dual * ahead.w))
        centre = max(1e-6, (left / here.gap) ** 3) * mean
        step = system.direction(residuals, centre * self.shares - s * z - ahead.s * ahead.z, centre - t * w - ahead.t * ahead.w)
        self._move(step)

    def _move(self, step: Direction) -> float:
        """Go nearly as far as slacks and multipliers stay positive; how much of the step that is."""
        lengths = self._lengths(step)
        primal, dual = (min(1.0, SHARE * length) for length in lengths)
        self.x, self.s, self.t = self.x + primal * step.x, self.s + primal * step.s, self.t + primal * step.t
        self.d += primal * step.d
        self.z, self.w, self.mu = self.z + dual * step.z, self.w + dual * step.w, self.mu + dual * step.mu
        return min(lengths)

    def _lengths(self, step: Direction) -> tuple[float, float]:
        """How far slacks and multipliers stay positive, at most 1 (times a little more)."""

        def until_zero(*pairs: tuple[Any, Any]) -> float:
            most = max(float((-change / value).max(initial=0.0)) for value, change in pairs)
            return 1 / max(most, SHARE)

        return until_zero((self.s, step.s), (self.t, step.t)), until_zero((self.z, step.z), (self.w, step.w))


class OneThread:
    """Let numpy's own OpenBLAS use one thread: for small matrices others only wait, at full speed.

    The number belongs to the process. Threads of the program may compute so at the same time: the first
    one that begins keeps the number, and the last one that ends sets it back. Where numpy was built
    otherwise nothing is changed.
    """

    _set: Callable[[int], object] | None
    _get: Callable[[], int] | None

    def __init__(self) -> None:
        import ctypes  # only where numpy computes
        from pathlib import Path

        import numpy

        self._set = self._get = None
        for library in Path(numpy.__file__).parent.parent.glob("numpy.libs/*openblas*"):
            names = ctypes.CDLL(str(library))
            for pattern in ("scipy_openblas_{}_num_threads64_", "openblas_{}_num_threads64_", "openblas_{}_num_threads"):
                if hasattr(names, pattern.format("set")) and hasattr(names, pattern.format("get")):
                    self._set, self._get = (getattr(names, pattern.format(word)) for word in ("set", "get"))
                    return

    def run(self, work: Callable[[], T]) -> T:
        """The work's result, computed so."""
        if self._set is None or self._get is None:
            return work()
        call = object()
        try:
            _CALLS.begin(call, self._get, self._set)
            return work()
        finally:
            try:
                _CALLS.end(call)
            finally:  # an interrupt may have come before it began
                _CALLS.end(call)


class _Calls:
    """The calls that want one thread at this moment, and the number that the host had before the first.

    An interrupt may come after any step. A call is noted before the number is changed, and the number is
    forgotten after it is set back; to end a call once more changes nothing.
    """

    def __init__(self) -> None:
        self.lock = RLock()  # a handler of a signal may compute, too
        self._threads: dict[object, int] = {}
        self._usual: int | None = None
        self._set: Callable[[int], object] = int

    def begin(self, call: object, get: Callable[[], int], put: Callable[[int], object]) -> None:
        """One thread from now on."""
        with self.lock:
            self._threads[call] = get_ident()
            if self._usual is None:
                self._set = put
                self._usual = get()
            put(1)

    def end(self, call: object) -> None:
        """The host's number, if this was the last call."""
        with self.lock:
            self._threads.pop(call, None)
            self._set_back()

    def keep_own(self) -> None:
        """In a new process: the calls of the other threads are not there."""
        for call, thread in list(self._threads.items()):
            if thread != get_ident():
                del self._threads[call]
        self._set_back()
        self.lock.release()

    def _set_back(self) -> None:
        if not self._threads and self._usual is not None:
            self._set(self._usual)
            self._usual = None


_CALLS = _Calls()
"""Of this process, to which the number of threads belongs."""
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_CALLS.lock.acquire, after_in_parent=_CALLS.lock.release, after_in_child=_CALLS.keep_own)


class Sums:
    """Sums of a table's columns by place."""

    def __init__(self, places: Any, size: int) -> None:
        import numpy

        self._add = numpy.add
        self._order = numpy.argsort(places, kind="stable")
        self._starts = numpy.searchsorted(places[self._order], range(size))

    def __call__(self, table: Any) -> Any:
        """The sums, for every row of a table."""
        return self._add.reduceat(table[:, self._order], self._starts, axis=1)


@dataclass(frozen=True, slots=True)
class Direction:
    """Changes of the unknowns."""

    x: Any
    s: Any
    z: Any
    mu: Any
    w: Any
    d: float
    t: Any


class _NewtonSystem:
    """The matrices of one Newton step."""

    def __init__(self, at: InteriorPoint, *, fine: bool) -> None:
        self.at, np, self.fine = at, at.np, fine
        size, known, order = at.size, at.known, at.stiff.order
        self.stiffness = at.z / at.s
        one, other = at.tails[::2], at.heads[::2]
        beside = at.question.alpha * (self.stiffness[:, 0:-1:2] + self.stiffness[:, 1:-1:2]) * at.x[:, one] * at.x[:, other]
        excess = at.x * at.weighted_columns(at.z, -at.question.alpha, 0.0)
        excess[at.every, at.peaks] += self.stiffness[:, -1] * at.x[at.every, at.peaks] ** 2
        at.stiff.eliminate(beside.T, excess.T[order])
        self.x, back = at.x.T[order], np.argsort(order)
        factors = np.stack([self.x, self.x * at.loss.T[order]] if at.minimax else [self.x])
        if at.orbits is not None:
            factors *= np.sqrt(at.orbits.sizes)
        sums = at.stiff.sums(factors)[:, back][..., back]
        whole = np.zeros((size + len(known) + at.minimax,) * 2)
        whole[:size, :size] = sums[0, :, 0]
        if at.minimax:
            end, once = size + len(known), sums[1, known, 0]
            whole[size:end, :size], whole[:size, size:end] = -once, -once.T
            whole[size:end, size:end] = sums[1, known, 1][:, known]
            whole[range(size, end), range(size, end)] += at.t / at.w
            whole[end, size:end] = whole[size:end, end] = 1
        self.alike = None if at.orbits is None else self._alike(at.orbits.indicators)
        if self.alike is not None and at.orbits is not None:
            whole, size = self.alike.T @ whole @ self.alike, len(at.orbits.chosen)
        self.scale = np.sqrt(np.abs(np.diag(whole)))
        self.scale[self.scale == 0] = 1
        self.whole = whole / self.scale[:, None] / self.scale
        self.whole[range(size), range(size)] += PROXIMAL

    def _alike(self, indicators: Any) -> Any:
        """Which potentials, weights and the loss are the same number."""
        at, np = self.at, self.at.np
        if not at.minimax:
            return indicators
        seen = indicators[at.known]
        seen = seen[:, seen.any(0)]
        (size, orbits), (known, others) = indicators.shape, seen.shape
        alike = np.zeros((size + known + 1, orbits + others + 1))
        alike[:size, :orbits], alike[size:-1, orbits:-1], alike[-1, -1] = indicators, seen, 1
        return alike

    def direction(self, residuals: tuple[Any, Any, Any, float], products: Any, known_products: Any, *, corrected: bool = True) -> Direction:
        """The direction that changes the products s·z and t·w by so much, and meets the equations."""
        at = self.at
        costs, sums, losses, total = residuals
        right = at._columns(products / at.s) - costs
        losses = known_products / at.w - losses
        x, mu, w, d = self._solve(right, sums, losses, total)
        if corrected and self.fine:  # once more with what is lacking: most of the rounding errors go
            weights = at._weights(w) if at.minimax else 0.0
            right = right - at._columns(self.stiffness * self._slacks(x)) - at.loss * weights + mu
            losses = losses - (d - at.losses_of(x) + at.t / at.w * w)
            more = self._solve(right, sums - at.over_guesses(x), losses, total - float(w.sum()))
            x, mu, w, d = x + more[0], mu + more[1], w + more[2], d + more[3]
        s = self._slacks(x)
        return Direction(x, s, (products - at.z * s) / at.s, mu, w, d, (known_products - at.t * w) / at.w)

    def _solve(self, right: Any, sums: Any, losses: Any, total: float) -> tuple[Any, Any, Any, float]:
        """H dx + l dw − dμ = right, Σ dx = sums, dd − Σ l dx + t/w dw = losses, Σ dw = total."""
        at, np, size = self.at, self.at.np, self.at.size
        free = self._times(right)
        asked = [sums - at.over_guesses(free)]
        if at.minimax:
            asked += [losses + at.losses_of(free), [total]]
        needed = np.concatenate(asked)
        if self.alike is None:
            found = np.linalg.solve(self.whole, needed / self.scale) / self.scale
        else:
            found = self.alike @ (np.linalg.solve(self.whole, self.alike.T @ needed / self.scale) / self.scale)
        mu = found[:size]
        if not at.minimax:
            return self._times(right + mu), mu, np.zeros(0), 0.0
        w, d = found[size:-1], float(found[-1])
        return self._times(right + mu - at.loss * at._weights(w)), mu, w, d

    def _slacks(self, x: Any) -> Any:
        """M x for changes x, without cancellation."""
        at, q = self.at, x / self.at.x
        one, other = q[:, at.tails], q[:, at.heads]
        own = at.s[:, -1] * q[at.every, at.peaks]
        return at.np.column_stack([at.question.alpha * at.x[:, at.heads] * (one - other) + at.s[:, :-1] * one, own])

    def _times(self, right: Any) -> Any:
        """H⁻¹ for every guess."""
        order, result = self.at.stiff.order, self.at.np.empty(right.shape)
        result[:, order] = (self.x * self.at.stiff.solve(self.x * right.T[order])).T
        return result
