# SPDX-License-Identifier: MIT
"""What a remap of the geometric mechanism costs on a path, and what weights prove, without a dense matrix.

The loss of G(n,a)·T comes from the sparse rows of T and the bound Σ_j s_j min_r f_r(j), f_r(j) = Σ_i a^|i−j|
w_i l(i,r), from the weights (docs/mathematics.md §1). Over ℚ, with a = p/q, all numbers are integers over one
denominator times a power of q: O(n) big-integer operations for |i−r|, (i−r)² and [i≠r], O(n·guesses) for a
table. Over another field p is a and q is 1; the loss is a table, and the numbers have no denominators.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import ge
from typing import Any

from exactdp.analysis.optimality.dual import crossing
from exactdp.exact import ExponentialNumber, Rational, common_field, integer_vector, largest, smallest
from exactdp.exact.power_sums import Pair, TwoSided, power_sums, powers
from exactdp.model import BayesianConsumer, Consumer
from exactdp.model.named_losses import Kind, named_loss, path_sums
from exactdp.runtime.values import dataclass
from exactdp.search.path.path_problem import PathProposal, loss_kind


@dataclass(frozen=True, slots=True)
class PathValue:
    """What a proposal is worth.

    Attributes
    ----------
    loss : scalar
        The loss of G·T to the consumer.
    bound : scalar
        Σ_j s_j min_r f_r(j): no remap of G does better, and no private mechanism when ``crossing`` holds.
    crossing : bool
        Whether the conditions of the path rule hold (SPEC.md §4.2); for losses with path sums over ℚ they
        follow from docs/mathematics.md §1.
    valid : bool
        T is row-stochastic, and the weights are ≥ 0, sum to 1 and vanish outside S (are the prior).
    """

    loss: Any
    bound: Any
    crossing: bool
    valid: bool

    @property
    def proves_optimality(self) -> bool:
        """Whether the proposal is optimal among all private mechanisms, and this proves it."""
        return self.valid and self.crossing and bool(self.loss == self.bound)


def path_value(n: int, alpha: Any, consumer: Consumer, proposal: PathProposal, *, kind: Kind = None) -> PathValue:
    """The exact loss of G(n,α)·T and the exact bound of the weights.

    * ``n``: the inputs are 0..n, in the path's order.
    * ``alpha``: 0 < α < 1; rational, of ℚ(e^(−ε)), or of ℚ(α) on an interval.
    * ``consumer``: any loss with n + 1 inputs.
    * ``proposal``: weights and a sparse remap.
    * ``kind``: over ℚ: the loss is the named one on inputs and guesses 0..n, so that its matrix is not looked
      at. It is one that has :class:`~exactdp.model.named_losses.PathSums`.

    >>> from exactdp import Loss, MinimaxConsumer
    >>> from exactdp.search.path.path_optimum import propose_over_field, propose_path_optimum
    >>> consumer = MinimaxConsumer(Loss.absolute(range(4)))
    >>> found = path_value(3, Rational("1/4"), consumer, propose_path_optimum(3, Rational("1/4"), consumer))
    >>> found.loss, found.proves_optimality
    (Rational('168/415'), True)
    >>> from exactdp.exact import ExponentialField
    >>> t = ExponentialField(1).gen
    >>> found = path_value(3, t, consumer, propose_over_field(3, t, consumer))
    >>> str(found.loss), found.proves_optimality
    ('(2*t^3 + 2*t^2 + 2*t)/(-t^4 + 2*t^2 + 2*t + 1)', True)
    """
    numbers = _Numbers.over_the_rationals(alpha) if isinstance(alpha, Rational) else _Numbers.over_a_field(alpha, consumer)
    kind = (kind or loss_kind(n, consumer.loss)) if isinstance(alpha, Rational | ExponentialNumber) else None
    table = _Table(consumer, numbers) if kind is None else None
    dens = [1] * (n + 1) if table is None else table.dens
    p, q, scale = numbers.p, numbers.q, powers(numbers.q, n)
    t_den, pairs, valid = _pairs(n, numbers, n + 1 if table is None else len(table.columns), proposal)
    below = scale[n] * (p + q) * t_den
    if table is None:
        assert kind is not None
        losses = _named_losses(numbers, pairs, kind, t_den, scale)
    else:
        losses = _table_losses(n, p, q, pairs, table, scale)
    del pairs  # before more long numbers are made
    if isinstance(consumer, BayesianConsumer):
        prior = consumer.prior.weights
        valid = valid and tuple(proposal.weights) == tuple(prior)
        loss = sum((w * numbers.divide(x, d) for w, x, d in zip(prior, losses, dens, strict=True) if w), numbers.zero) / below
    else:
        known = consumer.side_information.indices
        valid = valid and _valid_weights(n, known, numbers, proposal.weights)
        loss = numbers.largest([numbers.divide(losses[i], dens[i]) for i in known]) / below
    # each weight over the denominator of its row
    w_den, weights = numbers.whole([w / d if d != 1 else w for w, d in zip(proposal.weights, dens, strict=True)])
    least: Iterable[Any]
    if table is None:
        assert kind is not None
        least = _named_least(p, q, weights, kind, scale)
        crossing = named_loss(kind).is_monotone(n + 1)
    else:
        least, crossing = _table_least(numbers, weights, table, scale)
    total = sum(s * x for s, x in zip(_scales(n, p, q), least, strict=True))
    return PathValue(loss, numbers.divide(total, scale[n] * (p + q) * w_den), crossing, valid)


@dataclass(frozen=True, slots=True)
class _Numbers:
    """α = p/q, and numbers over a common denominator: their numerators are integers, or of the field."""

    p: Any
    q: int
    zero: Any
    whole: Callable[[Sequence[Any]], tuple[Any, list[Any]]]
    divide: Callable[[Any, Any], Any]
    largest: Callable[[list[Any]], Any]
    smallest: Callable[[list[Any]], Any]

    @classmethod
    def over_the_rationals(cls, alpha: Rational) -> _Numbers:
        def whole(values: Sequence[Any]) -> tuple[int, list[int]]:
            return integer_vector(list(values))

        return cls(alpha.numerator, alpha.denominator, Rational(0), whole, Rational, max, min)

    @classmethod
    def over_a_field(cls, alpha: Any, consumer: Consumer) -> _Numbers:
        field: Any = common_field(alpha, consumer.loss)

        def whole(values: Sequence[Any]) -> tuple[Any, list[Any]]:
            den, numerators = field.numerators(values)
            return den, numerators

        def divide(x: Any, d: Any) -> Any:
            return field(x) if d == 1 else field(x) / d

        return cls(field(alpha), 1, field.zero, whole, divide, largest, smallest)


def _valid_weights(n: int, known: Sequence[int], numbers: _Numbers, weights: Sequence[Any]) -> bool:
    """Whether the weights are ≥ 0, sum to 1 and vanish outside S."""
    inside = set(known)
    den, numerators = numbers.whole(weights)
    return (
        len(numerators) == n + 1
        and bool(sum(numerators) == den)
        and all(w >= 0 and (not w or i in inside) for i, w in enumerate(numerators))
    )


def _scales(n: int, p: Any, q: int) -> list[Any]:
    """The column scales s of G, times p + q."""
    return [q] + [q - p] * (n - 1) + [q] if n else [p + q]


def _pairs(n: int, numbers: _Numbers, guesses: int, proposal: PathProposal) -> tuple[Any, list[Pair], bool]:
    """The denominator of T, its entries times the scales of G and p + q, and whether T is row-stochastic."""
    flat = [(j, r, t) for j, row in enumerate(proposal.remap) for r, t in row.items()]
    den, numerators = numbers.whole([t for _, _, t in flat])
    sums: list[Any] = [0] * (n + 1)
    well = len(proposal.remap) == n + 1
    scales, masses = _scales(n, numbers.p, numbers.q), dict[tuple[int, int], Any]()
    pairs = []
    for (j, r, t), x in zip(flat, numerators, strict=True):
        sums[j] += x
        well = well and bool(x >= 0) and 0 <= r < guesses
        if x:  # of an output and its mirror image it is one object: the numbers are long
            same = id(t), id(scales[j])
            if same not in masses:
                masses[same] = scales[j] * x
            pairs.append((j, r, masses[same]))
    return den, pairs, well and all(x == den for x in sums)


# The loss of G·T at every input, times q^n (p+q) and the denominators of T and of the input


def _named_losses(numbers: _Numbers, pairs: list[Pair], kind: str, den: Any, scale: list[int]) -> list[Any]:
    p, q = numbers.p, numbers.q
    if isinstance(p, ExponentialNumber):
        below, (p_raw, den_raw, *masses) = p.field.polynomials([p, den, *(t for _, _, t in pairs)])
        if below == 1:
            raw = [(j, r, t) for (j, r, _), t in zip(pairs, masses, strict=True)]
            return list(map(p.field.from_polynomial, path_sums(kind).losses(p_raw, q, raw, scale, den_raw * (p_raw + q))))
    # the rows of T sum to den, and those of G, times p + q and the power of q, to (p + q)·q^n
    total = den * (p + q) * scale[-1]
    return path_sums(kind).losses(p, q, pairs, scale, total)


class _Table:
    """The columns of a loss; over ℚ as integers, over one denominator for each input."""

    def __init__(self, consumer: Consumer, numbers: _Numbers) -> None:
        rows = consumer.loss.matrix.rows()
        split = [(1, row) for row in rows] if numbers.q == 1 else [numbers.whole(row) for row in rows]
        self.dens = [den for den, _ in split]
        self.columns = list(zip(*(row for _, row in split), strict=True))


def _table_losses(n: int, p: Any, q: int, pairs: list[Pair], table: _Table, scale: list[int]) -> list[Any]:
    columns: dict[int, list[Any]] = {}
    for j, r, t in pairs:
        columns.setdefault(r, [0] * (n + 1))[j] += t
    left: list[Any] = [0] * (n + 1)
    right: list[Any] = [0] * (n + 1)
    for r, column in columns.items():
        sums = TwoSided(p, q, column, 0, scale)
        for i, x in enumerate(table.columns[r]):
            if x:
                left[i] += x * sums.left[0][i]
                right[i] += x * sums.right(0, i)
    return [scale[n - i] * left[i] + scale[i] * right[i] for i in range(n + 1)]


# min_r f_r(j) for every j, times q^n and the denominators of the weights


def _named_least(p: int, q: int, weights: list[int], kind: str, scale: list[int]) -> Iterator[int]:
    """One after the other: the numbers are long."""
    of_loss = path_sums(kind)
    sums = TwoSided(p, q, weights, of_loss.order_of_costs, scale)
    return (of_loss.cost(sums, j, r) for j, r in enumerate(of_loss.guesses(sums)))


def _table_least(numbers: _Numbers, weights: list[Any], table: _Table, scale: list[int]) -> tuple[list[Any], bool]:
    """The least, and whether the conditions of the path rule hold."""
    p, q = numbers.p, numbers.q
    f = [power_sums(p, [w * x for w, x in zip(weights, column, strict=True)], q, scale) for column in table.columns]
    least = [numbers.smallest(list(costs)) for costs in zip(*f, strict=True)]
    return least, all(crossing(p, q, [x - b for x, b in zip(row, least, strict=True)], at_least=ge)[1] is None for row in f)
