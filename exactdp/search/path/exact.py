# SPDX-License-Identifier: MIT
"""The exact vertex of a pattern, for |i−r| and (i−r)² on a path.

In the coordinates u_j = Σ_i a^|i−j| λ_i (and m_j = Σ_i a^|i−j| (i−j) λ_i for squares) every condition has a
few terms (docs/mathematics.md §6)::

    λ_i = 0               (K u)_i = 0,   K tridiagonal, and (K m)_j = a (u_{j+1} − u_{j−1})
    |i−r|:  r, r+1 tie    (1−a²) u_j = 2 a^(r+1−j) (u_{r+1} − a u_r) for r ≥ j, and its mirror image
    (i−r)²: r, r+1 tie    (2(r−j) + 1) u_j = 2 m_j

A kernel vector of these gives the weights, the transposed system the remap. Every sign is then checked, so
that what is returned is optimal for the remap problem (and is verified once more by whoever asked).

The optimum on a path over any field: the pattern of a rational problem beside it, solved over the field.

The coordinates are those of :mod:`~exactdp.search.path.exact`, in which every condition has a few terms. No
sign is looked at: whoever asks for the optimum checks it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from exactdp.exact import Rational, integer_vector
from exactdp.exact.power_sums import powers, spread_absolute, spread_squared
from exactdp.lp.sparse import SparseLU
from exactdp.model.loss import Kind
from exactdp.search.path.problem import PathProposal, Pattern

Form = dict[int, Rational]


def solve_pattern(n: int, alpha: Rational, kind: Kind, known: Sequence[bool], pattern: Pattern) -> PathProposal | None:
    """The optimal weights and remap with this pattern, or None if it is not the pattern of an optimum.

    Parameters
    ----------
    n : int
        At least 1.
    alpha : Rational
        0 < α < 1.
    kind : "abs" or "squared"
        The loss.
    known : sequence of bool
        Which inputs are in S.
    pattern : Pattern
        On 0..n.

    Examples
    --------
    >>> ties = ((0, 1), (1,), (2,), (2, 3))
    >>> solve_pattern(3, Rational("1/4"), "abs", [True] * 4, Pattern((True,) * 4, ties)) is None
    True
    >>> ties = ((0, 1), (1,), (1, 2), (2, 3))
    >>> solve_pattern(3, Rational("1/4"), "abs", [True] * 4, Pattern((True,) * 4, ties)).remap[0]
    {0: Rational('68/83'), 1: Rational('15/83')}
    """
    system = _System(n, alpha, kind, pattern)
    weights = system.weights()
    if weights is None or any(w < 0 or (w and not k) for w, k in zip(weights, known, strict=True)):
        return None
    remap = system.remap(known)
    if remap is None:
        return None
    den = Rational(sum(weights))
    return PathProposal(tuple(Rational(w) / den for w in weights), remap)


class _System:
    """The equations of a pattern: ``rows`` over u_0..u_n (and m_0..m_n), homogeneous."""

    def __init__(self, n: int, alpha: Rational, kind: Kind, pattern: Pattern) -> None:
        self.n, self.a, self.kind, self.pattern = n, alpha, kind, pattern
        self.one = Rational(1)
        self.gap = self.one - alpha * alpha
        self.powers = [self.one]
        for _ in range(n):
            self.powers.append(self.powers[-1] * alpha)
        self.silent = [i for i in range(n + 1) if not pattern.support[i]]
        self.ties = [(j, r, t) for j, guesses in enumerate(pattern.guesses) for r, t in pairwise(guesses)]
        rows = [self._weight(i) for i in self.silent]
        rows += [self._tie(j, r, t) for j, r, t in self.ties]
        if kind == "squared":
            rows += [self._moment(j) for j in range(n + 1)]
        self.factors = SparseLU.of_rows(rows, (n + 1) * (2 if kind == "squared" else 1))

    def _weight(self, i: int) -> Form:
        """(K u)_i."""
        form = {i: self.one + self.a * self.a * (int(i > 0) + int(i < self.n) - 1)}
        if i > 0:
            form[i - 1] = -self.a
        if i < self.n:
            form[i + 1] = -self.a
        return form

    def _moment(self, j: int) -> Form:
        """(K m)_j − a (u_{j+1} − u_{j−1})."""
        form = {self.n + 1 + k: v for k, v in self._weight(j).items()}
        if j > 0:
            form[j - 1] = self.a
        if j < self.n:
            form[j + 1] = -self.a
        return form

    def _tie(self, j: int, r: int, t: int) -> Form:
        """f_t(j) − f_r(j) for r < t, times 1 − a² for |i−r|."""
        if self.kind == "squared":
            return {j: Rational((t - j) ** 2 - (r - j) ** 2), self.n + 1 + j: Rational(-2 * (t - r))}
        form: Form = {}
        for s in range(r, t):
            near, far, sign = (s, s + 1, 1) if s >= j else (s + 1, s, -1)
            step = self.powers[abs(far - j)] * (2 * sign)
            for k, v in ((j, self.gap * sign), (far, -step), (near, step * self.a)):
                form[k] = form[k] + v if k in form else v
        return form

    def weights(self) -> list[int] | None:
        """Integers proportional to the weights, if the equations determine them and every guess of the
        pattern is best.
        """
        n = self.n
        if len(self.factors.free) != 1:
            return None
        u = self.factors.kernel(self.factors.free[0])
        zero = Rational(0)
        size = (n + 1) * (2 if self.kind == "squared" else 1)
        _, values = integer_vector([u.get(k, zero) for k in range(size)])
        p, q = self.a.numerator, self.a.denominator
        if sum(values[: n + 1]) < 0:
            values = [-x for x in values]
        self.u = values
        padded = [0, *values[: n + 1], 0]
        both = [q * q + p * p * (int(i > 0) + int(i < n) - 1) for i in range(n + 1)]
        weights = [both[i] * padded[i + 1] - p * q * (padded[i] + padded[i + 2]) for i in range(n + 1)]
        return weights if any(weights) and self._best(values, p, q) else None

    def _best(self, u: list[int], p: int, q: int) -> bool:
        """Whether at every output the first guess is best: neither of its neighbours is better, and both
        losses are convex in the guess.
        """
        n = self.n

        def rises(j: int, r: int) -> int:
            """The sign of f_{r+1}(j) − f_r(j), times something positive."""
            if self.kind == "squared":
                return (2 * (r - j) + 1) * u[j] - 2 * u[n + 1 + j]
            if r >= j:
                return int((q * q - p * p) * u[j] * q ** (r - j) - 2 * p ** (r + 1 - j) * (q * u[r + 1] - p * u[r]))
            return int(2 * p ** (j - r) * (q * u[r] - p * u[r + 1]) - (q * q - p * p) * u[j] * q ** (j - r - 1))

        for j, guesses in enumerate(self.pattern.guesses):
            r = guesses[0]
            if (r > 0 and rises(j, r - 1) > 0) or (r < n and rises(j, r) < 0):
                return False
        return True

    def remap(self, known: Sequence[bool]) -> tuple[dict[int, Rational], ...] | None:
        """The remap, if it is non-negative and no input of S loses more than the value.

        With y the multipliers of the rows, Σ_i λ_i loss_i(G·T) = c(u) + y·rows(u) for all u, where c belongs to the first guess of
        every output: it is v·Σλ less the slacks' share when yᵀ·rows = v·s − c.
        """
        n, zero = self.n, Rational(0)
        p, q = self.a.numerator, self.a.denominator
        scales = [q] + [q - p] * (n - 1) + [q]  # (p+q)·s
        pairs = [(j, guesses[0], scales[j]) for j, guesses in enumerate(self.pattern.guesses)]
        spread = spread_squared if self.kind == "squared" else spread_absolute
        c = [0, *spread(p, q, pairs, powers(q, n)), 0]  # (p+q)·q^n·loss_i
        both = [q * q + p * p * (int(i > 0) + int(i < n) - 1) for i in range(n + 1)]
        form = [both[i] * c[i + 1] - p * q * (c[i] + c[i + 2]) for i in range(n + 1)]
        below = (q * q - p * p) * q**n
        total = sum(s * x for s, x in zip(scales, self.u, strict=False))
        value = Rational(sum(x * y for x, y in zip(form, self.u, strict=False)), total * below)
        right = {k: value * s - Rational(x, below) for k, (s, x) in enumerate(zip(scales, form, strict=True))}
        y = self.factors.solve_transposed(right)
        known_silent = enumerate(self.silent)
        if any(known[i] and y.get(k, zero) < 0 for k, i in known_silent):
            return None
        unit = self.gap if self.kind != "squared" else self.one
        rows: list[dict[int, Rational]] = [{} for _ in range(n + 1)]
        tails = [self.one] * (n + 1)
        for k, (j, r, _) in enumerate(self.ties, len(self.silent)):
            tail = y.get(k, zero) * unit / scales[j]
            rows[j][r] = tails[j] - tail
            tails[j] = tail
        for j, guesses in enumerate(self.pattern.guesses):
            rows[j][guesses[-1]] = tails[j]
        if any(t < 0 for row in rows for t in row.values()):
            return None
        return tuple({r: t for r, t in row.items() if t} for row in rows)


FieldForm = dict[int, Any]


def positive_pattern(n: int, alpha: Any, kind: Kind, optimum: PathProposal, known: set[int]) -> Pattern:
    """Only the conditions that need a multiplier: inputs outside S, or in S with less loss than the value,
    and guesses in use.
    """
    one = alpha.field.one
    power, exponent = [one], 2 if kind == "squared" else 1
    for _ in range(n):
        power.append(power[-1] * alpha)
    scales = [one if j in (0, n) else one - alpha for j in range(n + 1)]
    shares = [(j, r, t * s) for j, (row, s) in enumerate(zip(optimum.remap, scales, strict=True)) for r, t in row.items()]
    losses = [sum((power[abs(i - j)] * abs(i - r) ** exponent * x for j, r, x in shares), one - one) for i in range(n + 1)]
    most = max(losses[i] for i in known)
    return Pattern(tuple(i in known and x == most for i, x in enumerate(losses)), tuple(tuple(sorted(row)) for row in optimum.remap))


def pattern_of(n: int, alpha: Any, kind: Kind, optimum: PathProposal) -> Pattern:
    """Which weights of an optimum are positive, and all best guesses of every output, the unused ones too
    (the losses are convex).

    >>> from exactdp.exact import Rational
    >>> from exactdp.model import Loss, MinimaxConsumer
    >>> consumer = MinimaxConsumer(Loss.absolute(range(4)))
    >>> pattern_of(3, Rational("1/4"), "abs", propose_path_optimum(3, Rational("1/4"), consumer)).guesses[0]
    (0, 1)
    """
    power = [alpha.field.one]
    for _ in range(n):
        power.append(power[-1] * alpha)
    exponent = 2 if kind == "squared" else 1

    def cost(j: int, r: int) -> Any:
        return sum((power[abs(i - j)] * w * abs(i - r) ** exponent for i, w in enumerate(optimum.weights) if w), power[0] - power[0])

    tied = []
    for j, row in enumerate(optimum.remap):
        low, high = min(row), max(row)
        least = cost(j, low)
        while low > 0 and cost(j, low - 1) == least:
            low -= 1
        while high < n and cost(j, high + 1) == least:
            high += 1
        tied.append(tuple(range(low, high + 1)))
    return Pattern(tuple(bool(w) for w in optimum.weights), tuple(tied))


def solve_pattern_over(n: int, alpha: Any, kind: Kind, pattern: Pattern) -> PathProposal | None:
    """The weights and the remap of a pattern for |i−r| or (i−r)², over the field of α; None if the pattern
    doesn't determine them.
    """
    field = alpha.field
    one, zero = field.one, field.zero
    gap, square = one - alpha * alpha, alpha * alpha
    power = [one]
    for _ in range(n + 1):
        power.append(power[-1] * alpha)

    def tridiagonal(values: Sequence[Any]) -> list[Any]:
        """K·values, with zeros beyond the ends."""
        padded = [zero, *values, zero]
        both = [one + square * (int(i > 0) + int(i < n) - 1) for i in range(n + 1)]
        return [both[i] * padded[i + 1] - alpha * (padded[i] + padded[i + 2]) for i in range(n + 1)]

    def row_of_k(i: int, shift: int) -> FieldForm:
        form = {shift + i: one + square * (int(i > 0) + int(i < n) - 1)}
        return form | {shift + k: -alpha for k in (i - 1, i + 1) if 0 <= k <= n}

    def tie(j: int, r: int, t: int) -> FieldForm:
        if kind == "squared":
            return {j: one * ((t - j) ** 2 - (r - j) ** 2), n + 1 + j: one * (-2 * (t - r))}
        form: FieldForm = {}
        for s in range(r, t):
            near, far, sign = (s, s + 1, 1) if s >= j else (s + 1, s, -1)
            step = power[abs(far - j)] * (2 * sign)
            for k, v in ((j, gap * sign), (far, -step), (near, step * alpha)):
                form[k] = form[k] + v if k in form else v
        return form

    silent = [i for i in range(n + 1) if not pattern.support[i]]
    ties = [(j, r, t) for j, guesses in enumerate(pattern.guesses) for r, t in pairwise(guesses)]
    rows = [row_of_k(i, 0) for i in silent] + [tie(*at) for at in ties]
    if kind == "squared":
        rows += [row_of_k(j, n + 1) | {k: v for k, v in ((j - 1, alpha), (j + 1, -alpha)) if 0 <= k <= n} for j in range(n + 1)]
    factors = SparseLU.of_rows(rows, (n + 1) * (2 if kind == "squared" else 1), field)
    if len(factors.free) != 1:
        return None
    u = factors.kernel(factors.free[0])
    flat = [u.get(k, zero) for k in range(n + 1)]
    shares = tridiagonal(flat)
    total = sum(shares, zero)
    if not total:
        return None
    scales = [one if j in (0, n) else one - alpha for j in range(n + 1)]  # (1 + α)·s
    first = [guesses[0] for guesses in pattern.guesses]
    distance = {d: one * (d * d if kind == "squared" else d) for d in range(n + 1)}

    def loss(i: int) -> Any:
        """Of the first guesses, times 1 + α."""
        return sum((power[abs(i - j)] * distance[abs(i - first[j])] * scales[j] for j in range(n + 1)), zero)

    losses = [loss(i) for i in range(n + 1)]
    form = [x / gap for x in tridiagonal(losses)]
    value = sum((f * x for f, x in zip(form, flat, strict=True)), zero) / sum((s * x for s, x in zip(scales, flat, strict=True)), zero)
    y = factors.solve_transposed({k: value * s - f for k, (s, f) in enumerate(zip(scales, form, strict=True))})
    unit = one if kind == "squared" else gap
    table: list[FieldForm] = [{} for _ in range(n + 1)]
    tails = [one] * (n + 1)
    for k, (j, r, _) in enumerate(ties, len(silent)):
        tail = y.get(k, zero) * unit / scales[j]
        table[j][r], tails[j] = tails[j] - tail, tail
    for j, guesses in enumerate(pattern.guesses):
        table[j][guesses[-1]] = tails[j]
    return PathProposal(tuple(x / total for x in shares), tuple({r: t for r, t in row.items() if t} for row in table))
