# SPDX-License-Identifier: MIT
"""Lines of page one on consumers: who they are, what they lose, and who bears the loss.

Standard library only: this file lies in every bundle beside check_bundle.py, which runs it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from exactdp.certificate.bundle_tables import ZERO, NotComparedError, OnlyNamedError, combined, sign_of
from exactdp.certificate.bundle_words import GAP_OF
from exactdp.certificate.compare_described import require_described, require_plain
from exactdp.certificate.compare_lines import require_which
from exactdp.certificate.compare_numbers import Values, as_number, named_table, sum_of
from exactdp.certificate.page_one import ROWS_OF_CONSUMERS, Page, consumer_words, consumers_shown, point
from exactdp.certificate.page_one_sources import TIGHT, Compared, Differs, percentage, whole


def faults_of_numbers(page: Page, b: Compared) -> Iterator[str]:
    """What is wrong with the numbers of consumers: those of the questions, and for each certificate one."""
    asked = [question for question in b.predicate["questions"] if question.startswith("how far")]
    named = [(line.values["number"], line.values["consumer"]) for line in page.lines() if line.says == "consumer"]
    if named != [(str(k), shown) for k, shown in enumerate(consumers_shown([text.removeprefix(GAP_OF) for text in asked]), 1)]:
        yield "its consumers are not those of the questions, in their order"
    if len(set(asked)) < len(asked):
        yield "it describes two consumers alike"
    identities: dict[str, str] = {}  # by the number: whom its first certificate is about
    parts = [part for part in b.certificates if re.fullmatch(r"consumer-[0-9]+-[a-z-]+", part)]
    for part in sorted(parts, key=lambda name: int(name.split("-")[1])):
        certificate = b.certificates[part]
        consumer = certificate["claim"]["consumer"]
        identity = json.dumps([consumer, certificate["definitions"][consumer["loss"]]], sort_keys=True)
        of = "-".join(part.split("-")[:2])
        numbers = {line.values["number"] for line in page.lines() if line.of == of and "number" in line.values}
        if len(numbers) != 1 or identities.setdefault(min(numbers), identity) != identity:
            yield f"the certificates of {of} are told of another consumer, or of several"
    if len(identities) == len(asked) and list(identities) != [str(k) for k in range(1, len(asked) + 1)]:
        yield "the certificates of its consumers are in another order"
    rows = [(whole(line.values["number"]), "own" not in line.values["epsilon"]) for line in page.lines() if line.says in ROWS_OF_CONSUMERS]
    if rows != sorted(rows):
        yield "the rows of its consumers are not in their order, at the own ε first"
    if asked and not b.is_printed and b.quality != "wrong":
        yield from _faults_of_levels(page, b, len(asked))


def _faults_of_levels(page: Page, b: Compared, count: int) -> Iterator[str]:
    """Each consumer is compared at the table's own ε, and at the claimed one if it is another and kept.

    In place of a certificate stands the reason why there is none. Where a table has many numbers a limit may
    have stopped the search.
    """
    levels = list(_levels(b))
    told = [line.values["number"] for line in page.lines() if line.says == "row-none"]
    places: dict[int, list[tuple[str, Any]]] = {}
    for part, certificate in b.certificates.items():
        found = re.fullmatch(r"consumer-([0-9]+)-(deployed|after-remap)", part)
        if found is not None:
            level = b.powers(certificate).scalar(certificate["claim"]["level"])
            places.setdefault(int(found[1]), []).append((found[2], level))
            yield from _faults_of_pair(b, part, f"consumer-{found[1]}")
    excused = {part.split("-")[1] for part in b.predicate["without"] if re.fullmatch(r"consumer-[0-9]+-[a-z-]+", part)}
    for number in map(str, range(1, count + 1)):
        at = [places[k][0][1] for k in places if b.numbers_of_consumers.get(f"consumer-{k}") == number]
        missing = [level for level in levels if not any(is_same(level, other) for other in at)]
        is_irrational = b.judged.plain is None or len(set(b.chosen().values()) - {1}) > 0  # no program has such a level
        is_open = not at and number in told and is_irrational
        own = [k for k in excused - set(map(str, places)) if b.numbers_of_consumers.get(f"consumer-{k}") == number]
        if not missing or is_open or len(missing) <= len(own):
            continue
        if len(b.judged.inputs) * len(b.judged.outputs) > MOST_SOLVED:
            raise NotComparedError(f"consumer {number} is not compared at each ε")
        yield f"it does not say how far from optimal it is for consumer {number}, at its own ε or at the claimed one"


MOST_SOLVED = 400
"""Of so many numbers of a table no search for an optimum stops at a limit."""


def _levels(b: Compared) -> Iterator[Any]:
    """The levels at which consumers are compared: the own one between 0 and 1, and a smaller claimed one."""
    if "level" not in b.certificates and not b.has_own_of_numbers:
        return
    own = b.own()
    is_less = sign_of(combined(own, as_number(b, Fraction(1)), -1)) < 0
    if is_less and sign_of(own) > 0:
        yield own
    if b.claimed is not None and sign_of(combined(own, b.level(), -1)) > 0:
        yield b.level()


def _faults_of_pair(b: Compared, part: str, of: str) -> Iterator[str]:
    """A consumer has both certificates, but that as deployed where outputs are no guesses, or the reason."""
    other = f"{of}-{'after-remap' if part.endswith('-deployed') else 'deployed'}"
    if other in b.certificates or other in b.predicate["without"]:
        return
    guesses, _ = b.loss(part)
    if part.endswith("-deployed") or set(named_table(b.part(part)).outputs) == set(guesses):
        yield f"there is a certificate of {part}, none of {other}, and nothing says why"


def _asked(b: Compared) -> list[str]:
    """Whom the questions are about, with the digests of files."""
    return [str(question).removeprefix(GAP_OF) for question in b.predicate["questions"] if question.startswith(GAP_OF)]


def _of_number(listed: Sequence[str], number: str) -> str:
    """That of a number on page one."""
    place = whole(number)
    if not 1 <= place <= len(listed):
        raise Differs(f"there is no consumer {number}")
    return listed[place - 1]


def _question(b: Compared, number: str) -> str:
    """Whom the question of a number is about, with the digests of files."""
    return _of_number(_asked(b), number)


def described(b: Compared, number: str) -> str:
    """Whom the question of a number is about, as page one shows it."""
    return _of_number(consumers_shown(_asked(b)), number)


def has_gain(consumer: str) -> bool:
    """Whether a consumer has a gain, so that minus its losses are told."""
    return re.match(r"the (?:minimax|Bayesian) consumer with gain ", consumer) is not None


def _consumer(b: Compared, v: Values, _: str) -> bool:
    right = described(b, v["number"]) == v["consumer"] and v["words"] == consumer_words(v["consumer"])
    only_named: OnlyNamedError | None = None
    question = _question(b, v["number"])
    ofs = [(part, re.fullmatch(r"(consumer-[0-9]+)-(?:deployed|after-remap|optimum)", part)) for part in b.certificates]
    parts = [part for part, of in ofs if of is not None and b.numbers_of_consumers.get(of[1]) == v["number"]]
    for compare in [partial(require_described, b, part) for part in parts] or [partial(require_plain, b)]:
        try:
            compare(question)
        except OnlyNamedError as error:  # the words, and the other certificates, are compared all the same
            only_named = error
    if right and only_named is not None:
        raise only_named
    return right


def _row(b: Compared, v: Values, of: str) -> bool:
    """The numbers of a consumer: as its certificates say them, losses or minus them."""
    deployed, remapped = b.certificates.get(f"{of}-deployed"), b.certificates.get(f"{of}-after-remap")
    known = deployed or remapped
    if known is None:
        raise Differs(f"there is no certificate of {of}")
    if (deployed is None) != (v["deployed"] == "–") or (remapped is None) != (v["remapped"] == "–"):
        return False
    value = b.powers(known).scalar(known["claim"]["value"])
    sign = -1 if has_gain(described(b, v["number"])) else 1
    if not b.near(v["optimum"], signed(b, value, sign)):
        return False
    level = v["epsilon"].split(" ")[0]
    at = b.powers(known).scalar(known["claim"]["level"])
    if remapped is not None and not is_same(at, b.powers(remapped).scalar(remapped["claim"]["level"])):
        raise Differs(f"the certificates of {of} are at two levels")
    right = b.epsilon_above(level, at)
    require_which(v["epsilon"], _is_own(b, at), b.claimed is not None and is_same(at, b.level()))
    for certificate, loss, gap in ((deployed, "deployed", "gap"), (remapped, "remapped", "gap_after")):
        if certificate is None:
            right = right and v[gap] == "–"
            continue
        powers, claim = b.powers(certificate), certificate["claim"]
        right = right and b.near(v[loss], signed(b, powers.scalar(claim.get("loss", claim["value"])), sign))
        right = right and is_gap(b, v[gap], powers.scalar(claim["gap"]) if "gap" in claim else ZERO, signed(b, value, sign))
    return right


def _row_none(b: Compared, v: Values, _: str) -> bool:
    """Whether somebody was asked about who has no row; the certificates of consumers have one each."""
    _question(b, v["number"])
    return v["number"] not in b.numbers_with_rows


def _is_own(b: Compared, level: Any) -> bool:
    """Whether a level is the largest one of what was judged."""
    part = "level" if b.quality != "wrong" else "level-after-renormalising"
    return part in b.certificates and is_same(level, b.number(part, "ratio"))


def is_same(x: Any, y: Any) -> bool:
    """Whether two numbers are equal."""
    return sign_of(combined(x, y, -1)) == 0


def signed(b: Compared, x: Any, sign: int) -> Any:
    """A number, or minus it."""
    return x if sign == 1 else combined(ZERO, x, -1)


def is_gap(b: Compared, shown: str, gap: Any, optimum: Any) -> bool:
    """Whether a gap is shown in percent of the optimum, or as it is where that is 0; 0 is said as optimal."""
    if sign_of(gap) == 0:
        return shown == "0: optimal"
    if sign_of(optimum) == 0:
        return b.above(shown, gap)
    size = optimum if sign_of(optimum) > 0 else combined(ZERO, optimum, -1)
    if shown.startswith("none to "):
        return _is_none(b, shown, gap, size)
    d = percentage(shown) / 100
    bounds = [combined(b.times(size, as_number(b, x)), gap, -1) for x in (d, d * (1 - TIGHT))]
    return bool(sign_of(bounds[0]) >= 0 and sign_of(bounds[1]) <= 0)


def _is_none(b: Compared, shown: str, gap: Any, size: Any) -> bool:
    """Whether a gap is less than a unit of so many digits of the optimum, and not of one more."""
    digits = whole(shown.removeprefix("none to ").removesuffix(" digits"))
    if digits < 9 or shown != f"none to {digits} digits":
        return False
    small, smaller = (Fraction(1, 10**k) for k in (digits, digits + 1))
    bounds = [combined(b.times(size, as_number(b, x)), gap, -1) for x in (small, smaller * (1 - TIGHT))]
    return bool(sign_of(bounds[0]) >= 0 and sign_of(bounds[1]) <= 0)


def _bears(b: Compared, v: Values, of: str) -> bool:
    """The first inputs with the largest and the smallest expected loss as deployed; or all have the same."""
    guesses, loss = b.loss(f"{of}-deployed")
    certificate = b.part(f"{of}-deployed")
    table = named_table(certificate)
    columns = [table.outputs.index(guess) for guess in guesses]
    consumer = certificate["claim"]["consumer"]
    possible = consumer.get("side_information", range(len(table.inputs)))
    if (v["measure"] == "utility") != has_gain(described(b, v["number"])):
        return False
    sign = {"loss": 1, "utility": -1}[v["measure"]]
    most: tuple[str, Any] | None = None
    least: tuple[str, Any] | None = None
    for i in possible:
        scaled = [b.times(table.rows[i][c], as_number(b, x)) for c, x in zip(columns, loss[i], strict=True) if x]
        expected = point(table.inputs[i]), signed(b, sum_of(b, scaled), sign)
        most = expected if most is None or _exceeds(expected[1], most[1]) else most
        least = expected if least is None or _exceeds(least[1], expected[1]) else least
    if most is None or least is None or not b.near(v["most"], most[1]):
        return False
    if "worst" not in v:
        return not _exceeds(most[1], least[1])
    return (v["worst"], v["best"]) == (most[0], least[0]) and _exceeds(most[1], least[1]) and b.near(v["least"], least[1])


def _exceeds(x: Any, y: Any) -> bool:
    return int(sign_of(combined(x, y, -1))) > 0


LINES_OF_CONSUMERS: Mapping[str, Callable[[Compared, Values, str], bool]] = {
    "divided-losses": lambda b, _v, _: b.quality == "wrong",
    "nobody": lambda b, _v, _: not any(question.startswith("how far") for question in b.predicate["questions"]),
    "consumer": _consumer,
    "row": _row,
    "row-none": _row_none,
    "not-kept": lambda b, _v, _: b.claimed is not None and b.predicate["verdicts"][0]["verdict"] == "refuted",
    "bears": _bears,
    "bears-equal": _bears,
}
"""How the values of these sentences are compared."""
