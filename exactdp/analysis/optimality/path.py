# SPDX-License-Identifier: MIT
"""What a remap of the geometric mechanism costs, and what weights prove, on a path: exactly, without a dense
matrix.

With a = p/q everything is an integer over one denominator times a power of q. The loss of G(n,a)·T comes from
the sparse rows of T and the bound Σ_j s_j min_r f_r(j), f_r(j) = Σ_i a^|i−j| w_i l(i,r), from the weights
(docs/mathematics.md §1); O(n) big-integer operations for |i−r|, (i−r)² and [i≠r], O(n·guesses) for a table.

What a remap of the geometric mechanism costs on a path, and what weights prove, over a field beyond ℚ.

The same two numbers as :mod:`~exactdp.analysis.optimality.path`, by sweeps with polynomials over one
denominator.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from exactdp.exact import Rational, common_field, integer_vector, largest, smallest
from exactdp.exact.power_sums import Pair, TwoSided, hits, powers, spread_absolute, spread_squared
from exactdp.model import BayesianConsumer, Consumer
from exactdp.model.loss import Kind
from exactdp.search.path.problem import PathProposal, loss_kind


@dataclass(frozen=True, slots=True)
class PathValue:
    """What a proposal is worth.

    Attributes
    ----------
    loss : Rational
        The loss of G·T to the consumer.
    bound : Rational
        Σ_j s_j min_r f_r(j): no remap of G does better, and no private mechanism when ``crossing`` holds.
    crossing : bool
        Whether the conditions of the path rule hold (SPEC.md §4.2); for the three named losses they follow
        from docs/mathematics.md §1.
    valid : bool
        T is row-stochastic, and the weights are ≥ 0, sum to 1 and vanish outside S (are the prior).
    """

    loss: Rational
    bound: Rational
    crossing: bool
    valid: bool

    @property
    def proves_optimality(self) -> bool:
        """Whether the proposal is optimal among all private mechanisms, and this proves it."""
        return self.valid and self.crossing and self.loss == self.bound


def path_value(n: int, alpha: Rational, consumer: Consumer, proposal: PathProposal, *, kind: Kind = None) -> PathValue:
    """The exact loss of G(n,α)·T and the exact bound of the weights.

    Parameters
    ----------
    n : int
        The inputs are 0..n, in the path's order.
    alpha : Rational
        0 < α < 1.
    consumer : MinimaxConsumer or BayesianConsumer
        Any loss with n + 1 inputs.
    proposal : PathProposal
        Weights and a sparse remap.
    kind : "abs", "squared", "zero-one" or None
        Says that the loss is this one on inputs and guesses 0..n, so that its matrix is not looked at.

    Returns
    -------
    PathValue

    Examples
    --------
    >>> from exactdp import Loss, MinimaxConsumer
    >>> from exactdp.search.path.optimum import propose_path_optimum
    >>> consumer = MinimaxConsumer(Loss.absolute(range(4)))
    >>> found = path_value(3, Rational("1/4"), consumer, propose_path_optimum(3, Rational("1/4"), consumer))
    >>> found.loss, found.proves_optimality
    (Rational('168/415'), True)
    """
    p, q = alpha.numerator, alpha.denominator
    kind = kind or loss_kind(n, consumer.loss)
    table = None if kind else _Table(consumer)
    guesses = n + 1 if table is None else table.guesses
    t_den, pairs, stochastic = _pairs(n, p, q, guesses, proposal)
    scale = powers(q, n)
    below = scale[n] * (p + q)
    losses = _named_losses(p, q, pairs, kind, t_den, scale) if table is None else _table_losses(n, p, q, pairs, table, scale)
    dens = [1] * (n + 1) if table is None else table.dens
    if isinstance(consumer, BayesianConsumer):
        valid = tuple(proposal.weights) == tuple(consumer.prior.weights)
        shares = zip(consumer.prior.weights, losses, dens, strict=True)
        loss = sum((w * Rational(x, d) for w, x, d in shares if w), Rational(0)) / (below * t_den)
    else:
        valid = _valid_weights(n, consumer.side_information.indices, proposal.weights)
        loss = max(Rational(losses[i], dens[i]) for i in consumer.side_information.indices) / (below * t_den)
    # each weight over the denominator of its row
    w_den, shares_of = integer_vector([w / d if d != 1 else w for w, d in zip(proposal.weights, dens, strict=True)])
    if table is None:
        total, crossing = _named_bound(n, p, q, shares_of, kind, scale), True
    else:
        total, crossing = _table_bound(n, p, q, shares_of, table, scale)
    return PathValue(loss, Rational(total, below * w_den), crossing, valid and stochastic)


def _valid_weights(n: int, known: Sequence[int], weights: Sequence[Rational]) -> bool:
    """Whether the weights are ≥ 0, sum to 1 and vanish outside S."""
    inside = set(known)
    den, numbers = integer_vector(list(weights))
    return len(numbers) == n + 1 and sum(numbers) == den and all(w >= 0 and (not w or i in inside) for i, w in enumerate(numbers))


def _scales(n: int, p: int, q: int) -> list[int]:
    """The column scales of G times 1 + a times q."""
    return [q] + [q - p] * (n - 1) + [q] if n else [p + q]


def _pairs(n: int, p: int, q: int, guesses: int, proposal: PathProposal) -> tuple[int, list[Pair], bool]:
    """The entries of T times the scales of G, as integers over (p+q)·(the returned denominator), and whether
    T is row-stochastic.
    """
    flat = [(j, r, t) for j, row in enumerate(proposal.remap) for r, t in row.items()]
    den, numbers = integer_vector([t for _, _, t in flat])
    sums = [0] * (n + 1)
    well = len(proposal.remap) == n + 1
    scales = _scales(n, p, q)
    pairs = []
    for (j, r, _), x in zip(flat, numbers, strict=True):
        sums[j] += x
        well = well and x >= 0 and 0 <= r < guesses
        if x:
            pairs.append((j, r, scales[j] * x))
    return den, pairs, well and all(x == den for x in sums)


# The loss of G·T at every input, times q^n (p+q) and the denominators of T and of the input
# -----------------------------


def _named_losses(p: int, q: int, pairs: list[Pair], kind: Kind, den: int, scale: list[int]) -> list[int]:
    if kind == "zero-one":
        return [den * (p + q) * scale[-1] - hit for hit in hits(p, pairs, scale)]
    return (spread_squared if kind == "squared" else spread_absolute)(p, q, pairs, scale)


class _Table:
    """A loss as integers, over one denominator for each input."""

    def __init__(self, consumer: Consumer) -> None:
        rows = [integer_vector(list(row)) for row in consumer.loss.matrix.rows()]
        self.guesses = len(rows[0][1])
        self.dens = [den for den, _ in rows]
        self.columns = [[row[r] for _, row in rows] for r in range(self.guesses)]


def _table_losses(n: int, p: int, q: int, pairs: list[Pair], table: _Table, scale: list[int]) -> list[int]:
    columns: dict[int, list[int]] = {}
    for j, r, t in pairs:
        columns.setdefault(r, [0] * (n + 1))[j] += t
    left, right = [0] * (n + 1), [0] * (n + 1)
    for r, column in columns.items():
        sums = TwoSided(p, q, column, 0, scale)
        for i, x in enumerate(table.columns[r]):
            if x:
                left[i] += x * sums.left[0][i]
                right[i] += x * sums.right[0][i]
    return [scale[n - i] * left[i] + scale[i] * right[i] for i in range(n + 1)]


# The bound of the weights, times q^n (p+q) and the denominators
# -----------------------------------------------------------


def _named_bound(n: int, p: int, q: int, weights: list[int], kind: Kind, scale: list[int]) -> int:
    scales = _scales(n, p, q)
    if kind == "squared":
        sums = TwoSided(p, q, weights, 2, scale)
        least = [_least_squared(n, j, sums) for j in range(n + 1)]
    elif kind == "zero-one":
        sums = TwoSided(p, q, weights, 0, scale)
        hit = [_reach(p, q, weights), _reach(p, q, weights[::-1])[::-1]]
        least = [sums.at(j) - max(scale[n - j] * hit[0][j], scale[j] * hit[1][j]) for j in range(n + 1)]
    else:
        least = _least_absolute(n, p, q, weights, scale)
    return sum(s * x for s, x in zip(scales, least, strict=True))


def _least_squared(n: int, j: int, sums: TwoSided) -> int:
    """min_r Σ_i a^|i−j| w_i (i−r)²: r is the mean, rounded."""
    mass, slope = sums.at(j), sums.slope(j)
    step = (2 * slope + mass) // (2 * mass) if mass else 0
    step = min(max(step, -j), n - j)
    return sums.curvature(j) - 2 * step * slope + step * step * mass


def _reach(p: int, q: int, weights: Sequence[int]) -> list[int]:
    """max_{i ≤ j} a^(j−i) w_i, times q^j."""
    result, best, power = [], 0, 1
    for w in weights:
        best = max(p * best, power * w)
        result.append(best)
        power *= q
    return result


def _least_absolute(n: int, p: int, q: int, weights: list[int], scale: list[int]) -> list[int]:
    """min_r Σ_i a^|i−j| w_i |i−r|: r is a median, which never falls as j grows."""
    sums = TwoSided(p, q, weights, 1, scale)
    p_powers = powers(p, n)
    least, r = [], 0
    for j in range(n + 1):
        mass = sums.at(j)
        while r < n:
            if r >= j:
                down = mass < 2 * scale[j] * p_powers[r + 1 - j] * sums.closed[0][r + 1]
            else:
                down = 2 * scale[n - j] * p_powers[j - r] * sums.left[0][r] < mass
            if not down:
                break
            r += 1
        slope = sums.slope(j)
        if r >= j:
            least.append((r - j) * mass - slope + 2 * scale[j] * p_powers[r - j] * sums.right[1][r])
        else:
            least.append((j - r) * mass + slope + 2 * scale[n - j] * p_powers[j - r] * sums.left[1][r])
    return least


def _table_bound(n: int, p: int, q: int, weights: list[int], table: _Table, scale: list[int]) -> tuple[int, bool]:
    f = []
    for column in table.columns:
        sums = TwoSided(p, q, [w * x for w, x in zip(weights, column, strict=True)], 0, scale)
        f.append([sums.at(j) for j in range(n + 1)])
    least = [min(row[j] for row in f) for j in range(n + 1)]
    crossing = all(_crosses_once(n, p, q, [x - b for x, b in zip(row, least, strict=True)]) for row in f)
    return sum(s * x for s, x in zip(_scales(n, p, q), least, strict=True)), crossing


def _crosses_once(n: int, p: int, q: int, h: list[int]) -> bool:
    """Whether h_i ≥ a·h_(i+1) up to some k and h_i ≥ a·h_(i−1) from k + 2 on."""
    falls = next((i for i in range(n) if q * h[i] < p * h[i + 1]), n)
    return all(q * h[i] >= p * h[i - 1] for i in range(falls + 2, n + 1))


def path_value_over(n: int, alpha: Any, consumer: Consumer, proposal: PathProposal) -> PathValue:
    """The exact loss of G(n,α)·T and the exact bound of the weights, with every condition of the path rule
    checked.

    Parameters and result as in :func:`~exactdp.analysis.optimality.path.path_value`; α is of ℚ(e^(−ε)) or of
    ℚ(α) on an interval.

    Examples
    --------
    >>> from exactdp import Loss, MinimaxConsumer
    >>> from exactdp.exact import ExponentialField
    >>> from exactdp.search.path.optimum import propose_over_field
    >>> t, consumer = ExponentialField(1).gen, MinimaxConsumer(Loss.absolute(range(4)))
    >>> found = path_value_over(3, t, consumer, propose_over_field(3, t, consumer))
    >>> str(found.loss), found.proves_optimality
    ('(2*t^3 + 2*t^2 + 2*t)/(-t^4 + 2*t^2 + 2*t + 1)', True)
    """
    field = common_field(alpha, consumer.loss)
    loss, guesses = consumer.loss.matrix, consumer.loss.matrix.shape[1]
    flat = [(j, r, t) for j, row in enumerate(proposal.remap) for r, t in row.items()]
    t_den, shares = _whole(field, [t for _, _, t in flat])
    w_den, weights = _whole(field, proposal.weights)
    rows = [field.zero] * (n + 1)
    columns: dict[int, list[Any]] = {}
    scales = [field.one] * (n + 1) if n == 0 else [field.one, *[field.one - alpha] * (n - 1), field.one]
    valid = len(proposal.remap) == n + 1 and len(weights) == n + 1
    for (j, r, _), share in zip(flat, shares, strict=True):
        valid = valid and share >= 0 and 0 <= r < guesses
        rows[j] = rows[j] + share
        columns.setdefault(r, [field.zero] * (n + 1))[j] = share * scales[j]
    valid = valid and all(x == t_den for x in rows) and sum(weights, field.zero) == w_den and all(not w < 0 for w in weights)
    losses = [field.zero] * (n + 1)
    for r, column in columns.items():
        for i, x in enumerate(_spread(alpha, column)):
            if loss[i, r]:
                losses[i] = losses[i] + x * loss[i, r]
    below = t_den * (field.one if n == 0 else field.one + alpha)
    if isinstance(consumer, BayesianConsumer):
        valid = valid and tuple(proposal.weights) == tuple(consumer.prior.weights)
        total = sum((x * w for x, w in zip(losses, consumer.prior.weights, strict=True) if w), field.zero)
    else:
        known = consumer.side_information.indices
        valid = valid and not any(w for i, w in enumerate(weights) if i not in set(known))
        total = largest([losses[i] for i in known])
    f = [_spread(alpha, [w * loss[i, r] for i, w in enumerate(weights)]) for r in range(guesses)]
    least = [smallest([row[j] for row in f]) for j in range(n + 1)]
    crossing = all(_crosses_once_over(alpha, [x - b for x, b in zip(row, least, strict=True)]) for row in f)
    bound = sum((b * s for b, s in zip(least, scales, strict=True)), field.zero) / (w_den * below / t_den)
    return PathValue(total / below, bound, crossing, bool(valid))


def _whole(field: Any, values: Sequence[Any]) -> tuple[Any, list[Any]]:
    """A common denominator and the numerators, as elements of the field without denominators."""
    den, numerators = field.over_common_denominator([field(x) for x in values])
    return field.quotient(den), [field.quotient(p) for p in numerators]


def _spread(alpha: Any, values: Sequence[Any]) -> list[Any]:
    """Σ_i α^|i−j| v_i for all j."""

    def step(carry: Any, x: Any) -> Any:
        return carry * alpha + x

    backwards = [*accumulate(reversed(values), step)][::-1]
    return [before + after - x for before, after, x in zip(accumulate(values, step), backwards, values, strict=True)]


def _crosses_once_over(alpha: Any, h: list[Any]) -> bool:
    """Whether h_i ≥ α·h_(i+1) up to some k and h_i ≥ α·h_(i−1) from k + 2 on."""
    n = len(h) - 1
    falls = next((i for i in range(n) if h[i] < alpha * h[i + 1]), n)
    return all(not h[i] < alpha * h[i - 1] for i in range(falls + 2, n + 1))
