# SPDX-License-Identifier: MIT
"""Lines of page one on the best remap of a consumer: it is that of its certificate, and loses what is said.

Standard library only: this file lies in every bundle beside check_bundle.py, which runs it. Of a random remap
the page has the exact probabilities in its file of JSON. From these the loss is computed again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from exactdp.certificate.bundle_tables import ZERO, NotComparedError, Number, combined, constant, equal, number_of, sign_of
from exactdp.certificate.compare_numbers import MOST_COMPARED, Values, as_number, between_rationals, named_table
from exactdp.certificate.page_one import REMAPS, Page, have_tables, moves_text, point, reading_text, share_text
from exactdp.certificate.page_one_sources import Compared, Differs

ONE: Number = constant(Fraction(1)), constant(Fraction(1))

Shares = Sequence[tuple[str, Number]]
"""As which guesses an answer is read, each with its probability."""


@dataclass(frozen=True)
class Remap:
    """The remap of a certificate: for each answer the guesses that are possible, with their probabilities."""

    outputs: Sequence[str]
    rows: Sequence[Shares]

    @property
    def moved(self) -> list[int]:
        """The places of the answers that are not read as they are."""
        return [k for k, row in enumerate(self.rows) if [guess for guess, _ in row] != [self.outputs[k]]]

    @property
    def is_random(self) -> bool:
        """Whether some answer is read as one of several guesses."""
        return any(len(row) != 1 for row in self.rows)

    @property
    def size(self) -> tuple[int, int]:
        """How many answers are not read as they are, and how many guesses stand beside them."""
        return len(self.moved), sum(len(self.rows[k]) for k in self.moved)


def readings_of(page: Page) -> dict[str, list[Mapping[str, str]]]:
    """The rows of random remaps on a page, by their parts."""
    found: dict[str, list[Mapping[str, str]]] = {}
    for line in page.lines():
        if line.says == "remap-row":
            found.setdefault(line.of, []).append(line.values)
    return found


def _certified(b: Compared, of: str) -> Remap:
    """The best remap of a certificate."""
    certificate = b.part(f"{of}-after-remap")
    guesses, outputs = b.guesses(f"{of}-after-remap"), named_table(certificate).outputs
    rows = []
    for _, row in zip(outputs, certificate["witness"]["remap"], strict=True):
        numbers = b.powers(certificate).vector(row, len(guesses))
        rows.append([(guess, x) for guess, x in zip(guesses, numbers, strict=True) if x[0]])
    return Remap(outputs, rows)


# ── What a page tells of remaps, as a whole ─────────────────────────────────────────────────────
def faults_of_remaps(page: Page, b: Compared) -> Iterator[str]:
    """What is wrong with the tables of random remaps, and with which consumers have one."""
    told = [line for line in page.lines() if line.says in ("remap-random", "remap-drawn")]
    drawn = {line.of: line for line in told if line.says == "remap-drawn"}
    for of, rows in b.readings.items():
        if of not in drawn or any(values["number"] != drawn[of].values["number"] for values in rows):
            yield f"it has a table of a remap of {of}, and tells of none"
        yield from (f"a row of a remap is not what its exact numbers say ({fault})" for values in rows for fault in _faults_of_row(values))
    yield from (f"it tells of a table of the remap of {of}, and there is none" for of in drawn.keys() - b.readings.keys())
    listed, order = [line.of for line in page.lines() if line.says == "remap-row"], list(drawn)
    if set(listed) <= set(drawn) and listed != sorted(listed, key=order.index):
        yield "the rows of its remaps are not in the order of their consumers"
    certified = [line for line in told if f"{line.of}-after-remap" in b.certificates]
    if len(certified) == len(told):
        fits = have_tables([_certified(b, line.of).size for line in told], len(b.numbers_with_rows))
        if fits != [line.says == "remap-drawn" for line in told]:
            yield "it does not have the table of each random remap that is small enough, or has one of another"
    lines = {line.of for line in page.lines() if line.says in REMAPS}
    first: dict[str, str] = {}  # of each consumer the part that the best remap is told of
    for of, number in b.numbers_of_consumers.items():
        first.setdefault(number, of)
    for of in first.values():
        if "remap" in b.certificates.get(f"{of}-after-remap", {"witness": {}})["witness"] and of not in lines:
            yield f"it does not tell the best remap of {of}"


def _shares(values: Values) -> Shares:
    """The exact probabilities of a row."""
    listed = json.loads(values["exact"])
    are_pairs = isinstance(listed, list) and all(isinstance(pair, list) and len(pair) == 2 for pair in listed)
    if not are_pairs or not listed or json.dumps(listed) != values["exact"]:
        raise Differs("its exact numbers are written in another way")
    if any(not isinstance(guess, str) for guess, _ in listed):
        raise Differs("a guess among its exact numbers is no text")
    return [(guess, number_of(x)) for guess, x in listed]


def _faults_of_row(values: Values) -> Iterator[str]:
    """What is wrong with a row by itself: it is no distribution, or its words are others than its numbers."""
    try:
        shares = _shares(values)
        signs = [sign_of(x) for _, x in shares]
    except NotComparedError:  # of such numbers no certificate is accepted, and no table is read
        yield "its exact numbers have no sign that can be found"
        return
    except (Differs, ValueError, LookupError, TypeError, AttributeError, ZeroDivisionError, RecursionError) as error:
        yield f"they are none: {error}"
        return
    if len({guess for guess, _ in shares}) != len(shares):
        yield "a guess stands there twice"
    if any(sign <= 0 for sign in signs):
        yield "a probability is not positive"
    elif not equal(_sum([x for _, x in shares]), ONE):
        yield "its probabilities do not sum to 1"
    elif reading_text([(guess, _share(x)) for guess, x in shares]) != values["read"]:
        yield "its percentages, or its guesses, are others"


def _share(x: Number) -> str:
    """The nearest percentage of a number."""
    low, high = (bound.as_integer_ratio() for bound in between_rationals(x))
    found = share_text(low, high)
    if found is None:
        raise NotComparedError("a percentage is too near to the middle of two")
    return found


# ── What it tells of one remap ──────────────────────────────────────────────────────────────────
MOST_PRODUCTS = 10**6
"""Of so many pairs of terms the products are found."""


def _sum(numbers: Sequence[Number]) -> Number:
    """The sum of numbers; those of one denominator are added first."""
    by_denominator: list[Number] = []
    for x in numbers:
        place = next((k for k, known in enumerate(by_denominator) if known[1] == x[1]), None)
        if place is None:
            by_denominator.append(x)
        else:
            by_denominator[place] = combined(by_denominator[place], x, 1)
    found = ZERO
    for x in by_denominator:
        _require_few(found, x)
        found = combined(found, x, 1)
    return found


def _require_few(*factors: Number) -> None:
    """Raise NotComparedError if a product of numbers has too many pairs of terms."""
    product = 1
    for x in factors:
        product *= max(len(x[0]), len(x[1]), 1)
    if product > MOST_PRODUCTS:
        raise NotComparedError("its numbers have too many terms")


def _product(b: Compared, x: Number, y: Number) -> Number:
    _require_few(x, y)
    found: Number = b.times(x, y)
    return found


def _as_told(b: Compared, of: str, remap: Remap) -> list[Shares]:
    """The remap that the page tells; Differs unless it is that of the certificate, answer by answer."""
    rows = [[(output, ONE)] for output in remap.outputs]
    values = b.readings.get(of, [])
    if [one["output"] for one in values] != [point(remap.outputs[k]) for k in remap.moved]:
        raise Differs("its answers are not those that the remap reads as others, in their order")
    for k, one in zip(remap.moved, values, strict=True):
        rows[k] = list(_shares(one))
        own = remap.rows[k]
        if [guess for guess, _ in rows[k]] != [guess for guess, _ in own]:
            raise Differs(f"answer {one['output']} is read as other guesses by its certificate")
        if not all(equal(x, y) for (_, x), (_, y) in zip(rows[k], own, strict=True)):
            raise Differs(f"answer {one['output']} has other probabilities in its certificate")
    return [list(row) for row in rows]


def _losses(b: Compared, of: str, rows: Sequence[Shares], inputs: Sequence[int]) -> list[Number]:
    """The expected loss at some inputs, after a remap, of the table in the folder."""
    guesses, loss = b.loss(f"{of}-after-remap")
    table = named_table(b.part(f"{of}-after-remap"))
    places = {guess: k for k, guess in enumerate(guesses)}
    if len(inputs) * sum(map(len, rows)) > MOST_COMPARED:
        raise NotComparedError("the table is too large for this program")
    found = []
    for numbers, costs in [(table.rows[i], loss[i]) for i in inputs]:
        of_answers = [_sum([_product(b, x, as_number(b, costs[places[guess]])) for guess, x in row]) for row in rows]
        found.append(_sum([_product(b, x, y) for x, y in zip(numbers, of_answers, strict=True) if x[0] and y[0]]))
    return found


def attains(b: Compared, of: str, rows: Sequence[Shares]) -> bool:
    """Whether a remap has the loss that its certificate states, the worst one or the mean, by the table."""
    certificate = b.part(f"{of}-after-remap")
    claim, powers = certificate["claim"], b.powers(certificate)
    consumer, stated = claim["consumer"], powers.scalar(claim.get("loss", claim["value"]))
    size = len(named_table(certificate).inputs)
    losses = _losses(b, of, rows, consumer.get("side_information", range(size)))
    for x in losses:
        _require_few(x, stated)
    if "prior" in consumer:
        weights = powers.vector(consumer["prior"], size)
        return equal(_sum([_product(b, w, x) for w, x in zip(weights, losses, strict=True) if w[0]]), stated)
    return max(sign_of(combined(x, stated, -1)) for x in losses) == 0


def _remap_drawn(b: Compared, _v: Values, of: str) -> bool:
    remap = _certified(b, of)
    rows = _as_told(b, of, remap)
    if not attains(b, of, rows):
        raise Differs("the loss after this remap, computed from the table, is another one")
    return remap.is_random


def _remap_row(b: Compared, v: Values, _: str) -> bool:
    """Whether the answer is one of the table; its numbers are compared with the whole of the remap."""
    return v["output"] in map(point, b.judged.outputs)


def _moves(b: Compared, of: str) -> list[tuple[str, str]] | None:
    """The best remap of a certificate as pairs of an output and a guess that differ; None if it is random."""
    remap = _certified(b, of)
    return None if remap.is_random else [(remap.outputs[k], remap.rows[k][0][0]) for k in remap.moved]


def _remap(b: Compared, v: Values, of: str) -> bool:
    moves = _moves(b, of)
    return bool(moves) and v["moves"] == moves_text(moves or [])


def _remap_none(b: Compared, _v: Values, of: str) -> bool:
    return _moves(b, of) == []


def _remap_many(b: Compared, v: Values, of: str) -> bool:
    moves = _moves(b, of)
    return bool(moves) and v["count"] == str(len(moves or []))


def _remap_random(b: Compared, _v: Values, of: str) -> bool:
    return _moves(b, of) is None


LINES_OF_REMAPS: Mapping[str, Callable[[Compared, Values, str], bool]] = {
    "remap": _remap,
    "remap-none": _remap_none,
    "remap-many": _remap_many,
    "remap-random": _remap_random,
    "remap-drawn": _remap_drawn,
    "remap-row": _remap_row,
}
"""How the values of these sentences are compared."""
