# SPDX-License-Identifier: MIT
"""The vertex of a pattern for |i−r| and (i−r)² on a path, exactly, over ℚ or over any other field.

In the coordinates u_j = Σ_i a^|i−j| λ_i (and m_j = Σ_i a^|i−j| (i−j) λ_i for squares) every condition has a
few terms (docs/mathematics.md §6)::

    λ_i = 0               (K u)_i = 0,   K tridiagonal, and (K m)_j = a (u_{j+1} − u_{j−1})
    |i−r|:  r, r+1 tie    (1−a²) u_j = 2 a^(r+1−j) (u_{r+1} − a u_r) for r ≥ j, and its mirror image
    (i−r)²: r, r+1 tie    (2(r−j) + 1) u_j = 2 m_j

A vector of the null space of these equations gives the weights, the transposed system the remap. With a =
p/q, over ℚ the sums that follow are done with integers, over other fields p is a and q is 1. Over ℚ all signs
are checked, so that what is returned is optimal for the remap problem; over other fields no sign is looked
at. Whoever asked verifies either.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from exactdp.exact import ExponentialNumber, Rational, integer_vector
from exactdp.exact.power_sums import Pair, TwoSided, powers
from exactdp.lp.sparse import SparseLU
from exactdp.model.named_losses import path_sums
from exactdp.search.path.path_problem import PathProposal, Pattern

Form = dict[int, Any]


def solve_pattern(n: int, alpha: Any, kind: str, known: Sequence[bool] | None, pattern: Pattern) -> PathProposal | None:
    """The weights and the remap with this pattern; None if it does not determine them.

    * ``n``: at least 1.
    * ``alpha``: 0 < α < 1, of any field.
    * ``kind``: the loss, one of :data:`SYSTEMS`.
    * ``known``: which inputs are in S, over ℚ: then None is returned also if this is not the pattern of an
      optimum. Without it no sign is looked at.
    * ``pattern``: on 0..n.

    >>> ties = ((0, 1), (1,), (2,), (2, 3))
    >>> solve_pattern(3, Rational("1/4"), "abs", [True] * 4, Pattern((True,) * 4, ties)) is None
    True
    >>> ties = ((0, 1), (1,), (1, 2), (2, 3))
    >>> solve_pattern(3, Rational("1/4"), "abs", [True] * 4, Pattern((True,) * 4, ties)).remap[0]
    {0: Rational('68/83'), 1: Rational('15/83')}
    """
    system = SYSTEMS[kind](n, alpha, pattern)
    u = system.coordinates()
    if u is None:
        return None
    weights = system.tridiagonal(u[: n + 1])
    total = sum(weights)
    if not total or (known is not None and not (_are_weights(weights, known) and system.guesses_are_best(u))):
        return None
    remap = system.remap(u, known)
    if remap is None:
        return None
    den = alpha.field(total)
    shares = [w / den for w in weights[: n // 2 + 1]]
    for i, w in enumerate(weights[n // 2 + 1 :], n // 2 + 1):  # equal ones are one object
        shares.append(shares[n - i] if w == weights[n - i] else w / den)
    return PathProposal(tuple(shares), remap)


def _are_weights(weights: Sequence[int], known: Sequence[bool]) -> bool:
    return all(w >= 0 and (k or not w) for w, k in zip(weights, known, strict=True))


class _System(ABC):
    """The equations of a pattern over u_0..u_n (and m_0..m_n), homogeneous, over the field of α."""

    word: str
    """The loss, which is convex in the guess."""

    blocks: int
    """How many coordinates an output has."""

    def __init__(self, n: int, alpha: Any, pattern: Pattern) -> None:
        self.n, self.a, self.pattern = n, alpha, pattern
        self.p, self.q = _parts(alpha)
        self.one, self.zero = alpha.field.one, alpha.field.zero
        self.gap = self.one - alpha * alpha
        self.powers = powers(alpha, n)
        self.size = (n + 1) * self.blocks
        self.silent = [i for i in range(n + 1) if not pattern.support[i]]
        self.ties = [(j, r, t) for j, guesses in enumerate(pattern.guesses) for r, t in pairwise(guesses)]
        rows = [self._weight(i) for i in self.silent]
        rows += [self._tie(j, r, t) for j, r, t in self.ties]
        rows += self._more_rows()
        self.factors = SparseLU.of_rows(rows, self.size, alpha.field)

    def _weight(self, i: int) -> Form:
        """(K u)_i."""
        form = {i: self.one + self.a * self.a * (int(i > 0) + int(i < self.n) - 1)}
        return form | {k: -self.a for k in (i - 1, i + 1) if 0 <= k <= self.n}

    @abstractmethod
    def _more_rows(self) -> list[Form]:
        """The equations of the coordinates beside u."""

    @abstractmethod
    def _tie(self, j: int, r: int, t: int) -> Form:
        """f_t(j) − f_r(j) for r < t, times :meth:`_tie_factor`."""

    @abstractmethod
    def _tie_factor(self) -> Any:
        """What the equation of a tie is multiplied by."""

    @abstractmethod
    def _rises(self, u: list[int], j: int, r: int) -> int:
        """The sign of f_{r+1}(j) − f_r(j), times something positive."""

    def tridiagonal(self, values: Sequence[Any]) -> list[Any]:
        """q²·K·values: of u, the weights."""
        p, q, n, padded = self.p, self.q, self.n, [0, *values, 0]
        end, inner, beside = q * q, q * q + p * p, p * q
        return [(inner if 0 < i < n else end) * padded[i + 1] - beside * (padded[i] + padded[i + 2]) for i in range(n + 1)]

    def coordinates(self) -> list[Any] | None:
        """The vector u (and m) up to scale, if the equations determine it; over ℚ integers with Σ u ≥ 0."""
        if len(self.factors.free) != 1:
            return None
        found = self.factors.kernel(self.factors.free[0])
        values = [found.get(k, self.zero) for k in range(self.size)]
        if isinstance(self.a, ExponentialNumber):
            return list(self.a.field.numerators(values)[1])
        if not isinstance(self.a, Rational):
            return values
        _, values = integer_vector(values)
        return [-x for x in values] if sum(values[: self.n + 1]) < 0 else values

    def _over_one_denominator(self, values: list[Any]) -> tuple[Any, list[Any]]:
        """A denominator of some numbers, and these times it: over ℚ(e^(−ε)) polynomials, elsewhere it is 1.

        What is solved for with such numbers has small denominators, and its quotients are reduced sooner.
        """
        if isinstance(self.a, ExponentialNumber):
            below, above = self.a.field.numerators(values)
            return below, above
        return self.one, values

    def guesses_are_best(self, u: list[int]) -> bool:
        """Whether no neighbour of an output's first guess is better; the losses are convex in the guess."""
        for j, (r, *_) in enumerate(self.pattern.guesses):
            if r > 0 and self._rises(u, j, r - 1) > 0:
                return False
            if r < self.n and self._rises(u, j, r) < 0:
                return False
        return True

    def remap(self, u: list[Any], known: Sequence[bool] | None) -> tuple[dict[int, Any], ...] | None:
        """The remap; None if, over ℚ, it has a negative entry or an input of S loses more than the value.

        With y the multipliers of the rows, Σ_i λ_i loss_i(G·T) = c(u) + y·rows(u) for all u, where c belongs
        to the first guess of every output: it is v·Σλ less the slacks' share when yᵀ·rows = v·s − c.
        """
        n, p, q = self.n, self.p, self.q
        scales = [q] + [q - p] * (n - 1) + [q]  # (p+q)·s
        pairs = [(j, guesses[0], scales[j]) for j, guesses in enumerate(self.pattern.guesses)]
        losses = _spread(self.word, p, q, pairs, powers(q, n))  # (p+q)·q^n·loss_i
        form = self.tridiagonal(losses)
        below = self.a.field((q * q - p * p) * q**n)
        total = sum(s * x for s, x in zip(scales, u, strict=False))
        value = sum(x * y for x, y in zip(form, u, strict=False)) / (total * below)
        times, (of_scales, of_form) = self._over_one_denominator([value, self.one / below])
        y = self.factors.solve_transposed({k: of_scales * s - x * of_form for k, (s, x) in enumerate(zip(scales, form, strict=True))})
        if known is not None and any(known[i] and y.get(k, self.zero) < 0 for k, i in enumerate(self.silent)):
            return None
        units = {s: self._tie_factor() / (s * times) for s in {scales[0], scales[n // 2]}}
        rows: list[Form] = [{} for _ in range(n + 1)]
        tails = [self.one] * (n + 1)
        halves = _Halves(n, {s: 1 / unit for s, unit in units.items()})
        for k, (j, r, t) in enumerate(self.ties, len(self.silent)):
            multiple, scale = y.pop(k, self.zero), scales[j]
            tail, head = halves.of_mirror_image(j, r, t, multiple, scale)
            if tail is None:
                tail = multiple * units[scale]
                head = 1 - tail
                halves.add(j, r, t, multiple, tail, head)
            rows[j][r], tails[j] = (head if tails[j] is self.one else tails[j] - tail), tail
        for j, guesses in enumerate(self.pattern.guesses):
            rows[j][guesses[-1]] = tails[j]
        if known is not None and any(t < 0 for row in rows for t in row.values()):
            return None
        return tuple({r: t for r, t in row.items() if t} for row in rows)


class _Halves:
    """Masses beyond ties, found once for two outputs that are mirror images: to reduce a fraction takes long.

    What an output gives beyond r is what its mirror image does not give beyond n − r.

    * ``n``: the largest output.
    * ``whole``: by the scale of an output the multiple whose mass would be 1.
    """

    def __init__(self, n: int, whole: dict[Any, Any]) -> None:
        self._n, self._whole = n, whole
        self._known: dict[tuple[int, int, int], tuple[Any, Any, Any]] = {}

    def add(self, j: int, r: int, t: int, multiple: Any, tail: Any, head: Any) -> None:
        """A tie of the guesses r < t at j, its multiple, the mass beyond it and what is left of 1."""
        self._known[j, r, t] = multiple, tail, head

    def of_mirror_image(self, j: int, r: int, t: int, multiple: Any, scale: Any) -> tuple[Any, Any]:
        """The mass beyond a tie and what is left of 1, if its mirror image says them; else None twice."""
        n = self._n
        known = self._known.get((n - j, n - t, n - r))
        if known is None or known[0] + multiple != self._whole[scale]:
            return None, None
        return known[2], known[1]


class _Absolute(_System):
    """|i−r|, in u alone."""

    word, blocks = "abs", 1

    def _more_rows(self) -> list[Form]:
        return []

    def _tie(self, j: int, r: int, t: int) -> Form:
        form: Form = {}
        for s in range(r, t):
            near, far, sign = (s, s + 1, 1) if s >= j else (s + 1, s, -1)
            step = self.powers[abs(far - j)] * (2 * sign)
            for k, v in ((j, self.gap * sign), (far, -step), (near, step * self.a)):
                form[k] = form[k] + v if k in form else v
        return form

    def _tie_factor(self) -> Any:
        return self.gap

    def _rises(self, u: list[int], j: int, r: int) -> int:
        p, q = self.p, self.q
        own = (q * q - p * p) * u[j]
        if r >= j:
            return int(own * q ** (r - j) - 2 * p ** (r + 1 - j) * (q * u[r + 1] - p * u[r]))
        return int(2 * p ** (j - r) * (q * u[r] - p * u[r + 1]) - own * q ** (j - r - 1))


class _Squared(_System):
    """(i−r)², in u and m."""

    word, blocks = "squared", 2

    def _more_rows(self) -> list[Form]:
        return [self._moment(j) for j in range(self.n + 1)]

    def _moment(self, j: int) -> Form:
        """(K m)_j − a (u_{j+1} − u_{j−1})."""
        form = {self.n + 1 + k: v for k, v in self._weight(j).items()}
        return form | {k: v for k, v in ((j - 1, self.a), (j + 1, -self.a)) if 0 <= k <= self.n}

    def _tie(self, j: int, r: int, t: int) -> Form:
        return {j: self.one * ((t - j) ** 2 - (r - j) ** 2), self.n + 1 + j: self.one * (-2 * (t - r))}

    def _tie_factor(self) -> Any:
        return self.one

    def _rises(self, u: list[int], j: int, r: int) -> int:
        return (2 * (r - j) + 1) * u[j] - 2 * u[self.n + 1 + j]


SYSTEMS: dict[str, type[_System]] = {system.word: system for system in (_Absolute, _Squared)}
"""The losses of which a pattern determines the weights and the remap; others are solved as tables."""


def _spread(kind: str, p: Any, q: int, pairs: Sequence[Pair], scale: Sequence[int]) -> list[Any]:
    """The losses of a remap with rows that sum to 1; the pairs have its entries times (p + q)·s."""
    return path_sums(kind).losses(p, q, pairs, scale, (p + q) * scale[-1])


def pattern_in_use(optimum: PathProposal, known: set[int]) -> Pattern | None:
    """:func:`positive_pattern` of an optimum all of whose weights on S are positive; None of any other.

    An input with a positive weight loses as much as any.
    """
    if any(not optimum.weights[i] for i in known):
        return None
    return Pattern(tuple(i in known for i in range(len(optimum.weights))), tuple(tuple(sorted(row)) for row in optimum.remap))


def positive_pattern(n: int, alpha: Rational, kind: str, optimum: PathProposal, known: set[int]) -> Pattern:
    """What needs a multiplier as a pattern: inputs in S that lose as much as any, and guesses in use."""
    p, q = _parts(alpha)
    scales = [q] + [q - p] * (n - 1) + [q]
    cells = [(j, r) for j, row in enumerate(optimum.remap) for r in row]
    den, entries = integer_vector([t for row in optimum.remap for t in row.values()])  # long fractions add slowly
    pairs = [(j, r, t * scales[j]) for (j, r), t in zip(cells, entries, strict=True)]
    losses = path_sums(kind).losses(p, q, pairs, powers(q, n), den * (p + q) * q**n)
    most = max(losses[i] for i in known)
    return Pattern(tuple(i in known and x == most for i, x in enumerate(losses)), tuple(tuple(sorted(row)) for row in optimum.remap))


def pattern_of(n: int, alpha: Rational, kind: str, optimum: PathProposal) -> Pattern:
    """Which weights of an optimum are positive, and all best guesses of every output, the unused ones too.

    >>> from exactdp.model import Loss, MinimaxConsumer
    >>> from exactdp.search.path.path_optimum import propose_path_optimum
    >>> consumer = MinimaxConsumer(Loss.absolute(range(4)))
    >>> pattern_of(3, Rational("1/4"), "abs", propose_path_optimum(3, Rational("1/4"), consumer)).guesses[0]
    (0, 1)
    """
    _, weights = integer_vector(list(optimum.weights))
    of_loss = path_sums(kind)
    sums = TwoSided(*_parts(alpha), weights, of_loss.order_of_costs)
    cost = partial(of_loss.cost, sums)
    tied = []
    for j, row in enumerate(optimum.remap):
        low, high = min(row), max(row)
        least = cost(j, low)
        # the losses are convex in the guess
        while low > 0 and cost(j, low - 1) == least:
            low -= 1
        while high < n and cost(j, high + 1) == least:
            high += 1
        tied.append(tuple(range(low, high + 1)))
    return Pattern(tuple(bool(w) for w in optimum.weights), tuple(tied))


def _parts(alpha: Any) -> tuple[Any, int]:
    """The p and q of α = p/q."""
    return (alpha.numerator, alpha.denominator) if isinstance(alpha, Rational) else (alpha, 1)
