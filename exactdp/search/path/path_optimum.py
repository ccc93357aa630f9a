# SPDX-License-Identifier: MIT
"""The optimum of a single-crossing loss on a path: weights and a sparse remap of the geometric mechanism.

Nothing here is believed, but every finder checks the signs of its exact answer, and there is always a next
one: a closed form; a pattern found in floats for the whole path or for a shorter one, solved exactly; the
simplex method in long floating point, solved exactly; exact linear programming, which always ends. A path of
few inputs begins with long floating point: that takes less time than to load a float solver. Over other
fields than ℚ the pattern of a rational problem nearby is solved over the field.

The pattern of a long path follows from a shorter one for |i−r| and (i−r)² and S without holes: between the
ends and the centre all sites are alike. The weights grow by a factor x from site to site towards the centre,
so a double resolves all of them only while x^(n/2) is moderate. A shorter path that a double resolves has the
same ends, centre and sites between; these are repeated.

These optima need no linear program:

* Minimax, [i≠r], S = {0..n}: λ_i is proportional to a^(−min(i, n−i)). Every inner output stays as it is;
  output 0 spreads over the nearer half with weights κ a^(−i), and 1 − a more on 0 itself; output n is its
  mirror image, and a middle guess is shared.
* Bayesian: the best guess of every output by itself, O(n) for losses with sums on paths
  (:class:`~exactdp.exact.power_sums.TwoSided`); a table takes a pass for each guess.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice, product
from math import log2, log10
from typing import TYPE_CHECKING, Any

from exactdp.exact import ExponentialNumber, Rational, integer_vector
from exactdp.exact.number_field import NumberField
from exactdp.exact.power_sums import TwoSided, power_sums, powers
from exactdp.model import BayesianConsumer, Consumer, MinimaxConsumer
from exactdp.model.named_losses import Kind, named_loss, path_sums
from exactdp.runtime.progress import Listener, part_of, report_phase
from exactdp.search.path.exact_patterns import SYSTEMS, pattern_in_use, pattern_of, positive_pattern, solve_pattern
from exactdp.search.path.path_problem import PathProposal, Pattern, loss_kind
from exactdp.search.path.remap_simplex import RemapSimplex

if TYPE_CHECKING:
    from exactdp.search.path.path_tables import TableProblem


def zero_one_optimum(n: int, alpha: Any) -> PathProposal:
    """The proposal for n ≥ 1, over the field of α.

    >>> from exactdp.exact import Rational
    >>> zero_one_optimum(2, Rational("1/2")).remap[0]
    {0: Rational('3/4'), 1: Rational('1/4')}
    """
    one, zero = alpha.field.one, alpha.field.zero
    shares = [one]
    for _ in range(n // 2):
        shares.append(shares[-1] / alpha)
    weights = [shares[min(i, n - i)] for i in range(n + 1)]
    total = sum(weights, zero)
    if n % 2 == 0:
        shares[n // 2] = shares[n // 2] / 2
    else:
        shares = shares[: (n + 1) // 2]
    unit = alpha / sum(shares, zero)
    first = {i: unit * share for i, share in enumerate(shares)}
    first[0] = first[0] + one - alpha
    last = {n - i: share for i, share in first.items()}
    remap = (first, *({j: one} for j in range(1, n)), last)
    return PathProposal(tuple(w / total for w in weights), remap)


MINIMAX: dict[str, Callable[[int, Any], PathProposal]] = {"zero-one": zero_one_optimum}
"""The closed forms where all of 0..n is possible, by the words of the losses that have one."""


def bayesian_optimum(
    n: int, alpha: Rational, prior: Sequence[Rational], kind: Kind, table: Sequence[Sequence[Rational]] | None
) -> PathProposal:
    """The deterministic remap j ↦ argmin_r Σ_i π_i a^|i−j| l(i,r), with the prior as weights.

    * ``n``: the largest input and output.
    * ``alpha``: 0 < α < 1.
    * ``prior``: n + 1 weights.
    * ``kind``: the loss, which has sums on paths; None means ``table``.
    * ``table``: l(i, r).

    >>> third = Rational(1, 3)
    >>> [list(row) for row in bayesian_optimum(2, Rational("1/2"), [third] * 3, "abs", None).remap]
    [[0], [1], [2]]
    """
    p, q = alpha.numerator, alpha.denominator
    if kind is None:
        assert table is not None
        best = _best_in_table(n, p, q, prior, table)
    else:
        _, weights = integer_vector(list(prior))
        of_loss = path_sums(kind)
        best = of_loss.guesses(TwoSided(p, q, weights, of_loss.order_of_guesses))
    one = Rational(1)
    return PathProposal(tuple(prior), tuple({r: one} for r in best))


def _best_in_table(n: int, p: int, q: int, prior: Sequence[Rational], table: Sequence[Sequence[Rational]]) -> list[int]:
    """The first of the best guesses, for every output."""
    rows = [integer_vector(list(row)) for row in table]
    _, weights = integer_vector([w / den for w, (den, _) in zip(prior, rows, strict=True)])
    q_powers = powers(q, n)
    columns = zip(*([w * x for x in row] for w, (_, row) in zip(weights, rows, strict=True)), strict=True)
    costs = [power_sums(p, column, q, q_powers) for column in columns]
    return [min(range(len(costs)), key=of_guess.__getitem__) for of_guess in zip(*costs, strict=True)]


DIGITS = (7.5, 6.5, 8.5, 5.5, 9.5)
"""How many decimal digits the weights of the shorter path may span, in the order in which they are tried.

A longer path is surer to show the sites that repeat, but HiGHS resolves no more than its tolerance, 1e−10. On
31 problems (both losses, 60 to 1000 inputs, levels from 1/10 to 19/20) the pattern was right for 29 of 29 at
5.5 digits, 27 of 28 at 6.5, 24 of 26 at 7.5, 21 of 26 at 8.5, 6 of 24 at 9.5 and none of 22 at 10.5.
"""

ATTEMPTS = 3
"""How many ways of the float solver through degenerate vertices are tried (``propose_pattern``)."""

SMALLEST = 0.02
"""Below this level the pattern no longer changes, while the weights grow faster; it is asked for here."""

PRECISIONS = (1, 2, 4)
"""The long floating point gets enough bits for weights that fall by a at every step, times these."""

FEW = 10
"""On 0..FEW and shorter paths the simplex method in long floating point takes less time (2 ms at n = 4, 18 ms
here) than loading a float solver (80 ms).
"""

LONG, NEAR = 40, (32, 64)
"""On paths longer than 0..LONG a rational number near a level, to so many bits, proposes the pattern."""

QUICK, SHORT = (10, 20), (40, 80)
"""Lengths of the paths whose pattern is found in long floating point and repeated: those that take less time
than loading a float solver, and those that are tried when that has failed.
"""

RISE = 2.0
"""A path is long enough to repeat its pattern if the weights grow by this factor to the centre."""

PIVOTS = 80
"""How many pivots an input may cost in long floating point before the next precision is tried."""


def growth(a: float, kind: str) -> float:
    """The factor by which the weights grow from site to site between end and centre, at a or SMALLEST.

    * ``kind``: the loss, one of those of which patterns are proposed.

    >>> growth(0.5, "abs"), round(growth(0.5, "squared"), 3)
    (1.25, 1.129)
    """
    return GROWTH[kind](max(a, SMALLEST))


def _growth_of_absolute(a: float) -> float:
    """(1+a²)/(2a)."""
    return (1 + a * a) / (2 * a)


def _growth_of_squared(a: float) -> float:
    """The x > 1 with ax/(1−ax) − a/(x−a) = 1/2."""
    low, high = 1.0, 1 / a
    for _ in range(80):
        x = (low + high) / 2
        if 2 * a * (x * (x - a) - (1 - a * x)) < (1 - a * x) * (x - a):
            low = x
        else:
            high = x
    return low


GROWTH = {"abs": _growth_of_absolute, "squared": _growth_of_squared}
"""How the weights grow, by the words of the losses of which patterns are proposed."""


def propose_patterns(n: int, a: float, kind: str) -> Iterator[Pattern]:
    """Patterns for S = {0..n}, the likeliest first; none without HiGHS."""
    from exactdp.search.path.float_patterns import propose_pattern

    a = max(a, SMALLEST)
    rate = log10(growth(a, kind))
    seen = set()
    for attempt, digits in product(range(ATTEMPTS), DIGITS):
        short = n if rate * n < digits else max(8, int(2 * digits / rate))
        short += (n - short) % 2
        short = min(short, n)
        if (attempt, short) in seen:
            continue
        seen.add((attempt, short))
        pattern = propose_pattern(short, a, kind, [True] * (short + 1), attempt)
        longer = pattern if pattern is None or short == n else pattern.lengthened(n)
        if longer is not None:
            yield longer


def propose_path_optimum(
    n: int,
    alpha: Rational,
    consumer: Consumer,
    *,
    kind: Kind = None,
    plain: bool = False,
    progress: Listener | None = None,
) -> PathProposal:
    """Weights and a remap of G(n,α) that should be optimal; whoever asks verifies them.

    * ``n``: the inputs are 0..n, in the path's order.
    * ``alpha``: 0 < α < 1.
    * ``consumer``: its loss has single crossings (monotone losses have).
    * ``kind``: says that the loss is the named one on inputs and guesses 0..n, so that its matrix is not
      looked at. It is one that has :class:`~exactdp.model.named_losses.PathSums`.
    * ``plain``: whether the loss is taken as a table, whatever it is called, and exact pivots alone find the
      weights.
    * ``progress``: is told about the steps of a long search.

    >>> from exactdp.model import Loss, MinimaxConsumer
    >>> found = propose_path_optimum(3, Rational("1/4"), MinimaxConsumer(Loss.absolute(range(4))))
    >>> found.remap[0]
    {0: Rational('68/83'), 1: Rational('15/83')}
    """
    kind = None if plain else kind or loss_kind(n, consumer.loss)
    table = None if kind else list(consumer.loss.matrix.rows())
    if isinstance(consumer, BayesianConsumer):
        return bayesian_optimum(n, alpha, consumer.prior.weights, kind, table)
    known = consumer.side_information.indices
    low, high = known[0], known[-1]
    rows = None if table is None else table[low : high + 1]
    trimmed = _Trimmed(high - low, alpha, [i - low for i in known], kind, rows, progress)
    inner = trimmed.solve_exactly() if plain else trimmed.solve()
    return _untrimmed(n, low, 0 if kind is None else low, inner)


def _untrimmed(n: int, low: int, shift: int, inner: PathProposal) -> PathProposal:
    """The proposal on 0..n of one that begins at ``low``, and whose guesses do at ``shift``.

    Outputs beyond its ends are used like those at the ends; their inputs carry no weight.
    """
    zero, size = inner.weights[0].field.zero, len(inner.weights)
    weights = (*[zero] * low, *inner.weights, *[zero] * (n + 1 - low - size))
    rows = [{r + shift: t for r, t in row.items()} for row in inner.remap]
    return PathProposal(weights, tuple(dict(rows[min(max(j - low, 0), size - 1)]) for j in range(n + 1)))


def _trimmed(proposal: PathProposal, low: int, high: int) -> PathProposal:
    """The part between two inputs, counted from the first."""
    rows = tuple({r - low: t for r, t in row.items() if t} for row in proposal.remap[low : high + 1])
    return PathProposal(proposal.weights[low : high + 1], rows)


class _Trimmed:
    """A minimax problem whose S reaches from 0 to n (a table keeps all its guesses)."""

    def __init__(
        self, n: int, alpha: Rational, known: list[int], kind: Kind, table: list[tuple[Rational, ...]] | None, progress: Listener | None
    ) -> None:
        self.n, self.alpha, self.known, self.kind, self.progress = n, alpha, known, kind, progress
        inside = set(known)
        self.mask = [i in inside for i in range(n + 1)]
        self.given = table
        self._table: TableProblem | None = None

    def solve(self) -> PathProposal:
        if self.n == 0:
            row = self.table[0]
            return PathProposal((Rational(1),), ({min(range(len(row)), key=row.__getitem__): Rational(1)},))
        floats = [("patterns", self._sparse), ("rows", self._rows)]
        last = ("long floating point", self._long)
        for phase, attempt in [("closed form", self._closed), *([last, *floats] if self.n <= FEW else [*floats, last])]:
            report_phase(self.progress, phase)
            found = attempt()
            if found is not None:
                return found
        from exactdp.search.path.path_tables import solve_by_rows

        return solve_by_rows(self.n, self.alpha, self.known, self.table, progress=self.progress)

    def solve_exactly(self) -> PathProposal:
        """The linear program's answer, by exact pivots from the start."""
        from exactdp.search.path.path_tables import solve_by_rows

        return solve_by_rows(self.n, self.alpha, self.known, self.table, proposer=None, progress=self.progress)

    @property
    def table(self) -> list[tuple[Rational, ...]]:
        """The loss as a table, made when it is needed."""
        if self.given is None:
            self.given = self._named(self.n)
        return self.given

    def _named(self, n: int) -> list[tuple[Rational, ...]]:
        assert self.kind is not None
        values = [Rational(x) for x in named_loss(self.kind).values(n + 1)]
        return [tuple(values[abs(i - r)] for r in range(n + 1)) for i in range(n + 1)]

    def _closed(self) -> PathProposal | None:
        return MINIMAX[self.kind](self.n, self.alpha) if self.kind in MINIMAX and all(self.mask) else None

    def _sparse(self) -> PathProposal | None:
        if self.kind not in SYSTEMS:
            return None
        risen = tuple(length for length in QUICK if growth(float(self.alpha), self.kind) ** (length / 2) >= RISE)
        for pattern in chain(self._repeated(risen), self._patterns(self.kind), self._repeated(SHORT)):
            found = solve_pattern(self.n, self.alpha, self.kind, self.mask, pattern)
            if found is not None:
                return found
        return None

    def _patterns(self, kind: str) -> Iterator[Pattern]:
        a = float(self.alpha)
        if all(self.mask):
            yield from propose_patterns(self.n, a, kind)
        else:
            from exactdp.search.path.float_patterns import propose_pattern

            for attempt in range(ATTEMPTS):
                pattern = propose_pattern(self.n, a, kind, self.mask, attempt)
                if pattern is not None:
                    yield pattern

    def _repeated(self, lengths: tuple[int, ...]) -> Iterator[Pattern]:
        """Shorter paths' patterns from long floating point: also without HiGHS, and where doubles mislead."""
        for short in lengths if all(self.mask) else ():
            n = short + (self.n - short) % 2
            if n < self.n:
                found = self._float_pattern(list(range(n + 1)), self._named(n), 1)
                longer = None if found is None else found.lengthened(self.n)
                if longer is not None:
                    yield longer

    def _rows(self) -> PathProposal | None:
        """Only worth trying where a double may see all weights."""
        from exactdp.search.path.float_patterns import propose_from_rows

        top = max((abs(x) for row in self.table for x in row), default=Rational(1)) or Rational(1)
        losses = [[float(x / top) for x in self.table[i]] for i in self.known]
        pattern = propose_from_rows(self.n, float(self.alpha), self.known, losses)
        return None if pattern is None else self._exact(pattern)

    def _exact(self, pattern: Pattern) -> PathProposal | None:
        if self.kind in SYSTEMS:
            return solve_pattern(self.n, self.alpha, self.kind, self.mask, pattern)
        if self._table is None:
            from exactdp.search.path.path_tables import TableProblem

            self._table = TableProblem(self.n, self.alpha, self.mask, self.table)
        return self._table.solve(pattern)

    def _long(self) -> PathProposal | None:
        losses = [self.table[i] for i in self.known]
        for times in PRECISIONS:
            pattern = self._float_pattern(self.known, losses, times)
            found = None if pattern is None else self._exact(pattern)
            if found is not None:
                return found
        return None

    def _float_pattern(self, known: list[int], losses: list[tuple[Rational, ...]], times: int) -> Pattern | None:
        """The pattern that the simplex method in long floating point finds on 0..known[-1]."""
        n = known[-1]
        bits = 256 + int(times * n * (log2(self.alpha.denominator) - log2(self.alpha.numerator)))
        run = RemapSimplex(self.alpha, known, losses, len(known) // 2, bits)
        found = run.run(PIVOTS * (n + 1), part_of(self.progress, f"0..{n} in {bits} bits"))
        if found is None:
            return None
        support = [False] * (n + 1)
        for i, carries in zip(known, found[0], strict=True):
            support[i] = carries
        return Pattern(tuple(support), tuple(tuple(tied) for tied in found[1]))


def propose_over_field(n: int, alpha: Any, consumer: Consumer, *, progress: Listener | None = None) -> PathProposal | None:
    """Weights and a remap over the field of α; None if this loss has no route here (the linear program has).

    * ``n``: the inputs are 0..n, in the path's order.
    * ``alpha``: 0 < α < 1, of any field.
    * ``consumer``: with a rational loss that has single crossings.
    * ``progress``: is told about the steps of the rational search.

    >>> from exactdp.exact import ExponentialField
    >>> from exactdp.model import Loss, MinimaxConsumer
    >>> found = propose_over_field(3, ExponentialField("1/10").gen, MinimaxConsumer(Loss.absolute(range(4))))
    >>> str(found.remap[0][0])
    '(t^2 + 1)/(-t^3 + t^2 + t + 1)'
    """
    from exactdp.lp.problem import substitution

    if isinstance(alpha.field, NumberField):
        return None  # nothing tells a rational number near its elements here
    kind, one = loss_kind(n, consumer.loss), alpha.field.one
    if not isinstance(consumer, BayesianConsumer) and (kind is None or len(consumer.side_information.indices) == 1):
        return None
    if isinstance(consumer, BayesianConsumer) and kind is not None and isinstance(alpha, ExponentialNumber):
        of_loss, (_, weights) = path_sums(kind), integer_vector(list(consumer.prior.weights))
        best = of_loss.guesses(TwoSided(alpha, 1, weights, of_loss.order_of_guesses))
        return PathProposal(consumer.prior.weights, tuple({r: one} for r in best))
    near = substitution(alpha.field)(alpha)
    nearby = None
    if n > LONG and kind in SYSTEMS and isinstance(alpha, ExponentialNumber) and isinstance(consumer, MinimaxConsumer):
        near, nearby = _near_by(n, near, consumer, kind, progress)
    if nearby is None:
        nearby = propose_path_optimum(n, near, consumer, kind=kind, progress=progress)
    if isinstance(consumer, BayesianConsumer):
        return PathProposal(nearby.weights, tuple({r: one for r, t in row.items() if t} for row in nearby.remap))
    known = consumer.side_information.indices
    low, high = known[0], known[-1]
    size = high - low
    if kind in MINIMAX:
        return _untrimmed(n, low, low, MINIMAX[kind](size, alpha)) if len(known) == size + 1 else None
    if kind not in SYSTEMS:
        return None
    inner = _over_field(size, alpha, near, kind, _trimmed(nearby, low, high), {i - low for i in known})
    return None if inner is None else _untrimmed(n, low, low, inner)


def _near_by(n: int, alpha: Rational, consumer: MinimaxConsumer, kind: Kind, progress: Listener | None) -> tuple[Rational, PathProposal]:
    """A short number near a level, and an optimum there.

    A level to few bits will do where the optimum is the only one: where all weights of S and all guesses in
    use are positive, and as many as their equations determine.
    """
    for bits in NEAR:
        near = _shortened(alpha, bits)
        found = propose_path_optimum(n, near, consumer, kind=kind, progress=progress)
        needed = pattern_in_use(found, set(consumer.side_information.indices))
        if needed is not None and needed.has_one_vertex:
            break
    return near, found


def _shortened(near: Rational, bits: int) -> Rational:
    """A number between 0 and 1 to so many bits of it and of 1 less it: powers of long fractions take long."""
    bits += max(x.denominator.bit_length() - x.numerator.bit_length() for x in (near, 1 - near))
    return Rational((near.numerator << bits) // near.denominator, 1 << bits)


def _over_field(n: int, alpha: Any, near: Rational, kind: str, optimum: PathProposal, known: set[int]) -> PathProposal | None:
    """The pattern of an optimum at a rational number near α, solved over the field of α.

    An even number of inputs has many optimal weights. What needs a multiplier does not determine them then.
    One more tie does, if it is the right one, which the rational number tells.
    """
    needed = pattern_in_use(optimum, known)
    if needed is not None and needed.has_one_vertex:
        found = solve_pattern(n, alpha, kind, None, needed)
        if found is not None:
            return found
    needed, inside = positive_pattern(n, near, kind, optimum, known), [i in known for i in range(n + 1)]
    if solve_pattern(n, near, kind, inside, needed) is not None:
        return solve_pattern(n, alpha, kind, None, needed)
    tied = pattern_of(n, near, kind, optimum)
    for pattern in islice(needed.with_one_of(tied), 1, None):
        if solve_pattern(n, near, kind, inside, pattern) is not None:
            return solve_pattern(n, alpha, kind, None, pattern)
    return solve_pattern(n, alpha, kind, None, needed) or solve_pattern(n, alpha, kind, None, tied)
