# SPDX-License-Identifier: MIT
"""Lines of page one on consumers of printed tables: the ends of what they lose, beside the best possible.

Standard library only: this file lies in every bundle beside check_bundle.py, which runs it. The best possible
has a certificate, in which no table occurs. The ends of the loss follow from the intervals of the numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction

from exactdp.certificate.bundle_tables import NotComparedError, Number, combined, constant, sign_of
from exactdp.certificate.bundle_words import GAP_OF, OPTIMUM
from exactdp.certificate.compare_claim import pairs_with_distances
from exactdp.certificate.compare_consumers import MOST_SOLVED, described, has_gain, is_gap, is_same, signed
from exactdp.certificate.compare_numbers import Values, as_number, plain_numbers
from exactdp.certificate.page_one import Page
from exactdp.certificate.page_one_sources import TIGHT, Compared, Differs, decimal

Ends = tuple[Number, Number]
"""The smaller one first."""


def faults_of_printed_rows(page: Page, b: Compared) -> Iterator[str]:
    """What is wrong with which consumers of printed tables have rows, and of which kind.

    Notes
    -----
    Each has one beside a claimed ε > 0, with a gap if every table keeps the claim and δ is 0. Where some lose
    less than is possible with this ε, it is said that those do not keep it.
    """
    rows = [line for line in page.lines() if line.says in ("row-printed", "row-open")]
    optima = [part for part in b.certificates if OPTIMUM.fullmatch(part)]
    if not b.is_printed:
        if rows or optima:
            yield "it tells of a consumer as of tables that print so, and one table was judged"
        return
    count = sum(question.startswith(GAP_OF) for question in b.predicate["questions"])
    is_claimed = b.claimed is not None and sign_of(combined(b.level(), as_number(b, Fraction(1)), -1)) < 0
    has_gaps = is_claimed and b.predicate["verdicts"][0]["verdict"] == "proved" and b.claimed["delta"] == "0"
    says = "row-printed" if has_gaps else "row-open"
    numbers = [line.values["number"] for line in rows]
    if any(line.says != says for line in rows):
        yield "its rows of consumers have gaps, and not every table that prints so keeps the claim, or the reverse"
    if len(set(numbers)) < len(numbers) or (rows and not is_claimed):
        yield "it has two rows of a consumer, or one at an ε that is not claimed"
    if is_claimed and set(numbers) != {str(k) for k in range(1, count + 1)}:
        if len(b.inputs) * len(b.read.outputs) > MOST_SOLVED:
            raise NotComparedError("some consumers are not compared with the best possible")
        yield "it does not say of each consumer how far from optimal what was printed is"
    beyond = Counter(line.of for line in page.lines() if line.says == "row-beyond")
    for line in rows:
        if f"{line.of}-optimum" in b.certificates and beyond[line.of] != _is_beyond(b, line.of):
            yield f"it does not say whether some table that prints so loses less than is possible for {line.of}"


def optimum_of(b: Compared, of: str) -> Number:
    """The least loss of a mechanism with the claimed ε, for the consumer of a certificate."""
    part = f"{of}-optimum"
    if not is_same(b.number(part, "level"), b.level()):
        raise Differs(f"the certificate of {part} is about another ε than the claimed one")
    value: Number = b.number(part, "value")
    return value


def _ends_of_loss(b: Compared, of: str) -> tuple[Fraction, Fraction]:
    """The least and the largest loss of a table that prints so, for the consumer of a certificate.

    Notes
    -----
    The rows of a table are chosen one by one, and each loss increases with the expected losses of the rows.
    So each end is that of rows which all have their least, or all their largest expected loss.
    """
    part = f"{of}-optimum"
    certificate = b.part(part)
    claim, definitions = certificate["claim"], certificate["definitions"]
    inputs, _ = pairs_with_distances(definitions[claim["neighbours"]])
    guesses, losses = b.loss(part)
    if sorted(inputs) != sorted(b.inputs) or sorted(guesses) != sorted(b.read.outputs):
        raise Differs(f"the certificate of {part} is about other inputs or outputs than those of the table")
    numbers = plain_numbers(b)
    columns = [b.read.outputs.index(guess) for guess in guesses]
    ends = []
    for is_largest in (False, True):
        expected = []
        for label, costs in zip(inputs, losses, strict=True):
            place = b.inputs.index(label)
            lower, upper = numbers[place], numbers[place + len(b.inputs)]
            intervals = [(lower[c], upper[c]) for c in columns]
            expected.append(extreme_expectation(costs, intervals, is_largest=is_largest))
        ends.append(_loss_of(b, part, expected))
    return ends[0], ends[1]


def extreme_expectation(costs: Sequence[Fraction], intervals: Sequence[tuple[Fraction, Fraction]], *, is_largest: bool) -> Fraction:
    """The least or the largest Σ_r costs_r·p_r of a distribution with p_r in closed intervals.

    Notes
    -----
    From the lower ends on, what is lacking to 1 is given to the outputs in the order of their costs: to give
    it to another one instead makes no such sum less, or larger.

    >>> intervals = [(Fraction(1, 4), Fraction(3, 4))] * 2
    >>> costs = [Fraction(0), Fraction(1)]
    >>> [str(extreme_expectation(costs, intervals, is_largest=end)) for end in (False, True)]
    ['1/4', '3/4']
    """
    lacking = 1 - sum(low for low, _ in intervals)
    if lacking < 0 or any(low > high for low, high in intervals):
        raise Differs("no distribution has its numbers in the intervals of a row")
    total = sum((cost * low for cost, (low, _) in zip(costs, intervals, strict=True)), Fraction(0))
    for cost, (low, high) in sorted(zip(costs, intervals, strict=True), key=lambda pair: pair[0], reverse=is_largest):
        step = min(high - low, lacking)
        total += cost * step
        lacking -= step
    if lacking != 0:
        raise Differs("no distribution has its numbers in the intervals of a row")
    return total


def _loss_of(b: Compared, part: str, expected: Sequence[Fraction]) -> Fraction:
    """The loss of a consumer from the expected losses of all inputs, in the order of its certificate."""
    certificate = b.part(part)
    consumer = certificate["claim"]["consumer"]
    if consumer["type"] == "minimax":
        worst: Fraction = max(expected[i] for i in consumer.get("side_information", range(len(expected))))
        return worst
    if consumer["type"] != "bayesian":
        raise NotComparedError(f"a consumer is {consumer['type']!r}, which this program does not know")
    prior = b.powers(certificate).vector(consumer["prior"], len(expected))
    if any(den != constant(Fraction(1)) or set(num) - {()} for num, den in prior):
        raise NotComparedError("a weight of the prior is irrational")
    return sum((num.get((), Fraction(0)) * x for (num, _), x in zip(prior, expected, strict=True)), Fraction(0))


def _is_beyond(b: Compared, of: str) -> bool:
    """Whether some table that prints so loses less than is possible with the claimed ε."""
    least, _ = _ends_of_loss(b, of)
    return b.compare(least, optimum_of(b, of)) < 0


def _row(b: Compared, v: Values, of: str) -> bool:
    """The numbers of a consumer: the ends of the loss or minus them, the best possible, both gaps."""
    optimum, losses = optimum_of(b, of), [as_number(b, x) for x in _ends_of_loss(b, of)]
    sign = -1 if has_gain(described(b, v["number"])) else 1
    shown = losses if sign == 1 else [signed(b, x, sign) for x in reversed(losses)]
    epsilon, _, which = v["epsilon"].partition(" ")
    right = b.epsilon_above(epsilon, b.level()) and which == "(claimed)"
    right = right and _is_between(b, v["deployed"], (shown[0], shown[1])) and b.near(v["optimum"], signed(b, optimum, sign))
    if "gap" in v:
        right = right and _is_gap_between(b, v["gap"], ends_of_gap(b, of), signed(b, optimum, sign))
    return right


def ends_of_gap(b: Compared, of: str) -> Ends:
    """The losses of tables that print so, the least and the largest, minus the best possible."""
    optimum, (least, largest) = optimum_of(b, of), _ends_of_loss(b, of)
    return combined(as_number(b, least), optimum, -1), combined(as_number(b, largest), optimum, -1)


def _is_between(b: Compared, shown: str, ends: Ends) -> bool:
    """Whether two numbers are shown as the decimals nearest to them, those that are the same once."""
    low, apart, high = shown.partition(" to ")
    if not apart:
        return b.near(shown, ends[0]) and b.near(shown, ends[1])
    return low != high and b.near(low, ends[0]) and b.near(high, ends[1])


def _is_gap_between(b: Compared, shown: str, ends: Ends, optimum: Number) -> bool:
    """Whether two gaps are shown, in percent or as they are: the larger rounded up, the smaller one down."""
    if is_same(*ends):
        return is_gap(b, shown, ends[0], optimum)
    low, apart, high = shown.partition(" to ")
    if not apart or not is_gap(b, high, ends[1], optimum):
        return False
    scale = as_number(b, Fraction(1))
    if sign_of(optimum) != 0:
        size = optimum if sign_of(optimum) > 0 else signed(b, optimum, -1)
        scale = b.times(size, as_number(b, Fraction(1, 100)))
    number = decimal(low)
    if number == 0:
        return sign_of(ends[0]) == 0
    bounds = [combined(b.times(scale, as_number(b, x)), ends[0], -1) for x in (number, number * (1 + TIGHT))]
    return bool(number > 0 and sign_of(bounds[0]) <= 0 <= sign_of(bounds[1]))


def _row_beyond(b: Compared, v: Values, of: str) -> bool:
    """That losses below the best possible, or utilities above it, are those of tables that fail the claim."""
    is_utility = has_gain(described(b, v["number"]))
    words = ("utility", "above") if is_utility else ("loss", "below")
    right = _is_beyond(b, of) and (v["measure"], v["side"]) == words
    return right and b.near(v["optimum"], signed(b, optimum_of(b, of), -1 if is_utility else 1))


LINES_OF_PRINTED: Mapping[str, Callable[[Compared, Values, str], bool]] = {
    "row-printed": _row,
    "row-open": _row,
    "row-beyond": _row_beyond,
}
"""How the values of these sentences are compared."""
