# SPDX-License-Identifier: MIT
"""Page one of an audit is compared with its bundle: each value with a certificate, the table or the manifest.

Standard library only: this file lies in every bundle beside check_bundle.py, which runs it, and page_one.py,
which has the sentences. What the auditor states says so itself, and is compared with nothing.

Decimals of ε, δ, factors and percentages are never below the number, all others are the nearest ones.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import isqrt
from typing import Any

from exactdp.certificate.bundle_files import TABLES, sha256, strict_json
from exactdp.certificate.bundle_tables import (
    ZERO,
    Grid,
    NotComparedError,
    combined,
    constant,
    enclosed,
    has_decimals,
    multiplied,
    numbers_of_file,
    pairs_of,
    reduced,
    sign_of,
    table_of,
)
from exactdp.certificate.compare_claim import require_neighbours
from exactdp.certificate.compare_requirements import decided_elsewhere, requirement_is_right, requirements_of_manifest
from exactdp.certificate.page_one import (
    AUTO,
    BESIDE,
    BOLD,
    DECIDED,
    HEADS,
    LOSSES,
    NAMES,
    NEIGHBOURS,
    NOT_JUDGED,
    OF_LAWS,
    OPEN,
    SAYS,
    STATED,
    STATEMENTS,
    STATES,
    TOPICS,
    UNDECIDED,
    WHERE,
    WRITTEN,
    Line,
    Page,
    brief,
    consumer_words,
    digits_text,
    few,
    grid_of_labels,
    is_sized_by_rows,
    limits,
    metric_of_grid,
    moves_text,
    neighbours_words,
    open_topics,
    page_of,
    point,
    quoted,
    seen,
    signed_verdict,
    where,
    without_digest,
)
from exactdp.certificate.page_one_sources import NEAR, TIGHT, Compared, Differs, decimal, percentage, whole

MOST_COMPARED = 10**6
"""Pairs of numbers."""

MOST_PLACES = 30
"""Decimals with more places are not taken for decimals."""

DOUBLE_DIGITS = 16
"""Every decimal with fewer significant digits is the shortest one of its double."""

ROUNDED_BELOW = Fraction(1, 2**40)
"""A fault of a row that is no larger is called rounding."""

BILLIONTH = Fraction(1, 10**9)


@dataclass(frozen=True)
class Rules:
    """How page one is compared: what with, which lines it needs, and each line by itself."""

    compared: Callable[[Mapping[str, bytes], Mapping[str, Any]], Compared]
    whole: Callable[[Page, Any], Iterator[str]]
    line: Callable[[Line, Any], None]


Judged = tuple[list[tuple[str, str]], list[str], list[str]]
"""Of page one: what is wrong, as files and sentences; what was not compared; what must be, and was not."""

MUST_BE_COMPARED = frozenset((*BOLD, "claimed", "claimed-delta", "sign-for", "required", "neighbours", "neighbours-named"))
"""Without these lines nothing was decided about page one."""


def faults_of_page_one(there: Mapping[str, bytes], predicate: Mapping[str, Any]) -> Judged:
    """What is wrong with page one of a table's bundle, and what was not compared."""
    return faults_by_rules(there, predicate, Rules(Compared, _of_whole, _compare))


def faults_by_rules(there: Mapping[str, bytes], predicate: Mapping[str, Any], rules: Rules) -> Judged:
    """The same of what has other rules."""
    wrong: list[tuple[str, str]] = []
    told: list[str] = []
    limits: list[str] = []
    file = NAMES["json"]
    missing = [name for name in NAMES.values() if name not in there]
    if missing:
        return [(missing[0], "missing: a bundle has page one")], [], []
    try:
        page = page_of(strict_json(there[file]))
        if page.to_json().encode() != there[file]:
            raise ValueError("it is written in another way")
    except (ValueError, KeyError, IndexError) as error:
        return [(file, f"it is no page one: {error}")], [], []
    for kind, name in NAMES.items():
        if WRITTEN[kind](page).encode() != there[name]:
            wrong.append((name, f"it does not say what {file} says"))
    try:
        compared = rules.compared(there, predicate)
        compared.numbers_of_consumers = {line.of: line.values["number"] for line in page.lines() if line.says == "row"}
        wrong += [(file, sentence) for sentence in rules.whole(page, compared)]
    except NotComparedError as error:
        limits.append(f"which lines it needs was not decided: {error}")
    except (Differs, ValueError, LookupError, TypeError, AttributeError, ZeroDivisionError) as error:
        return [*wrong, (file, f"it can't be compared: {error}")], [], []
    for line in page.lines():
        try:
            rules.line(line, compared)
        except NotComparedError as error:
            sentence = f"a line of page one was not compared ({error}): {line}"
            (limits if line.says in MUST_BE_COMPARED else told).append(sentence)
        except (Differs, ValueError, LookupError, TypeError, AttributeError, ZeroDivisionError) as error:
            wrong.append((file, f"a line is not what its source says ({error}): {line}"))
    return wrong, told, limits


def of_every_page(page: Page, b: Compared) -> Iterator[str]:
    """What is wrong with its title, or with who judged each topic."""
    if page.title != without_digest(seen(b.predicate["table"]["name"])):
        yield "its title is not the name of the table"
    topics = [line.values["topic"] for line in page.lines() if line.says == "scope"]
    if sorted(topics) != sorted(TOPICS.values()):
        yield "it does not say of each topic who judged it"


def _of_whole(page: Page, b: Compared) -> Iterator[str]:
    """What is wrong with the choice of lines; the table that is judged is chosen, too."""
    said = [line.says for line in page.lines()]
    sections = {title: [line.says for line in lines] for title, lines in page.sections}
    yield from of_every_page(page, b)
    state = STATES[b.predicate["verdicts"][0]["verdict"]]
    heads = [says for says in said if says in HEADS]
    if len(heads) != 1 or HEADS[heads[0]] != state or sections["Verdict"][:1] != heads:
        yield f"it does not begin its verdict with {SAYS[state]!r}, or the like"
        return
    yield from _of_head(page, heads[0], b)
    needed = ["subject", "size", "no-claim" if b.claimed is None else "claimed", "sign"]
    needed += ["neighbours" if is_sized_by_rows(_name_of_neighbours(b)) else "neighbours-named"]
    needed += ["claimed-delta"] if b.claimed is not None and b.claimed["delta"] != "0" else []
    wrong = "wrong-rounded" if heads[0] == "fails-sums" else "wrong"
    needed += [wrong] if b.claimed is not None and b.claimed["quality"] == "wrong" else []
    needed += ["sign-for"] if b.claimed is not None else []
    if b.claimed is None and any(says in OF_A_CLAIM for says in said):
        yield "it says something of a claim, and nothing was claimed"
    needed += _needed_of_grid(b)
    sums = {"exact": "sums-exact", "rounded": "sums-rounded", "wrong": "sums-wrong"}
    needed += [] if b.is_printed else [sums[b.quality]]
    yield from (f"it says {SAYS[says][:40]!r}" for says in sums.values() if says in said and says not in needed)
    yield from b.faults_of_quality()
    yield from _of_limits(page, heads[0], b)
    yield from _of_others(page, b)
    for says in needed:
        if said.count(says) != 1:
            yield f"it does not say {SAYS[says][:40]!r}, or twice"
    for part in b.certificates:
        named = re.match(r"consumer-[0-9]+", part)
        if named and not any(line.says == "row" and line.of == named[0] for line in page.lines()):
            yield f"it says nothing of {named[0]}"
    required = [line for line in page.lines() if line.says == "required"]
    if [(line.values["text"], line.values["status"], line.of) for line in required] != requirements_of_manifest(b):
        yield "its requirements are not those of the manifest, in their order"
    yield from (f"a certificate decides {text!r}, and it does not say so" for text in decided_elsewhere(b))
    yield from _numbered(page, b)
    for line in page.lines():
        if not line.shown and any(part == line.of or part.startswith(f"{line.of}-") for part in b.certificates):
            yield f"there is a certificate of {line.of}, and it says that there is none"


def _needed_of_grid(b: Compared) -> list[str]:
    """What a page says whose inputs are the points of a grid."""
    name, sides = _name_of_neighbours(b), grid_of_labels(_inputs(b))
    metric = metric_of_grid(name)
    found = ["grid-steps"] if metric else ["grid-labels"] if sides and not name.startswith("euclid:") else []
    if not metric and not sides:
        return found
    return [*found, *(["grid-order"] if _rows_are_named(b) is False else [])]


def _name_of_neighbours(b: Compared) -> str:
    return b.neighbours


def _of_head(page: Page, head: str, b: Compared) -> Iterator[str]:
    """What is wrong with how the verdict begins: it is qualified where it must be, and signed so."""
    lines = list(page.lines())
    beside = [line.values["where"] for line in lines if line.says in BESIDE]
    state, wanted = HEADS[head], {"holds": ("other-fails",), "fails": ("other-holds", "other-fails")}
    told = [WHERE[_family(line.values["words"])] for line in lines if line.says in wanted.get(state, ())]
    if not _is_wrong(b) and told != [place for place in beside if place in told]:
        yield "it does not say below its verdict which one other neighbours have"
    if any(line.says == {"holds": "beside-fails-too", "fails": "beside-fails"}.get(state) for line in lines):
        yield "it says of other neighbours that they have the other verdict, or the same one, and the reverse is true"
    opposite = {"holds": "beside-fails", "fails": "beside-holds"}
    if head in ("holds", "fails") and any(line.says == opposite[head] for line in lines) and not _is_wrong(b):
        yield "its verdict does not say for which neighbours it is"
    if head in ("holds", "holds-for", "holds-printed", "holds-printed-infinite", "holds-printed-delta") and _is_another(b):
        yield "its verdict is of a table with rows divided by their sums, and does not say so"
    if head in ("holds", "holds-for") and _is_plain_decimals(b, page) and _all_keep(b) is False:
        yield "its verdict holds only for the numbers as printed, and does not say so"
    if head in ("holds", "holds-for", "fails", "fails-for") and _is_printed(b):
        yield "its verdict is of every table that prints so, and does not say so"
    said = {line.says for line in lines}
    if metric_of_grid(_name_of_neighbours(b)) and "unit" in said:
        yield "a step on its grid is a cell, and it says another thing"
    file, judged = _file_numbers(b), _judged_numbers(b)
    if file is not None and judged is not None:
        if ("divided" in said) != (judged != file) and not _is_wrong(b):
            yield "it does not say whether what was judged is the table of the file"
        as_read = "renormalised" not in said or any(says.startswith("numbers-") for says in said)
        if b.reading.get("renormalise") and judged != file and as_read:
            yield "it says of its numbers that they are those of the file, and its rows were divided"
    for line in lines:
        if line.says == "sign-for":
            first = next(one for one in lines if one.says == head)
            right = signed_verdict(first, wrong=_is_wrong(b)), limits(lines), open_topics(lines)
            if (line.values["verdict"], line.values["limits"], line.values["open"]) != right:
                yield "what is signed is not its verdict, or covers more"


def _family(words: str) -> str:
    return {said: word for word, said in NEIGHBOURS.items()}[words]


def _is_wrong(b: Compared) -> bool:
    """Whether what was judged is no mechanism."""
    return b.quality == "wrong"


# ── The numbers of the file, and what was judged ────────────────────────────────────────────────
def _read_file(b: Compared) -> tuple[list[list[Fraction]], bool] | None:
    """The numbers of the file in the order of the table, and whether it names its rows; None: not known."""
    for one in b.predicate["inputs"]:
        if one["what"] == "table" and one["file"] in b.there:
            return numbers_of_file(b.there[one["file"]], b.read, b.reading)
    return None


def _rows_are_named(b: Compared) -> bool | None:
    read = _read_file(b)
    return None if read is None else read[1]


def _file_numbers(b: Compared) -> list[list[Fraction]] | None:
    """The numbers of the file, or of the table as read where no row was divided before."""
    if b.reading.get("renormalise"):
        read = _read_file(b)
        return None if read is None else read[0]
    plain = None if _is_printed(b) else b.read.plain
    return None if plain is None else [list(row) for row in plain]


def _judged_numbers(b: Compared) -> list[list[Fraction]] | None:
    plain = None if _is_printed(b) else b.judged.plain
    return None if plain is None else [list(row) for row in plain]


def _places_of(numbers: Sequence[Sequence[Fraction]]) -> int:
    """The least number of decimal places; 0 if numbers are no decimals."""
    for places in range(MOST_PLACES + 1):
        if all((x * 10**places).denominator == 1 for row in numbers for x in row):
            return places
    return 0


def _prints_double(x: Fraction) -> bool | None:
    """Whether a decimal that programs print for a double has 16 digits or more; None: it is not printed."""
    for text in (repr(float(x)), f"{float(x):.17g}"):
        if Fraction(text) == x:
            return len(text.partition("e")[0].lstrip("-0.").replace(".", "").rstrip("0")) >= DOUBLE_DIGITS
    return None


def _are_printed_doubles(numbers: Sequence[Sequence[Fraction]]) -> bool:
    found = [_prints_double(x) for row in numbers for x in row]
    return None not in found and any(found)


def _divided_places(b: Compared) -> int | None:
    """The decimal places of the file where rows were divided; 0 for doubles; None where none were."""
    file = _file_numbers(b)
    if file is None or file == _judged_numbers(b):
        return None
    return 0 if b.reading.get("dyadic") or _are_printed_doubles(file) else _places_of(file)


def _is_another(b: Compared) -> bool:
    """Whether what holds with rows divided by their sums need not hold of what the file shows."""
    places, file = _divided_places(b), _file_numbers(b)
    if places is None or file is None or _is_wrong(b):
        return False
    if not places:
        faults = [abs(sum(row, Fraction(-1))) for row in file] + [-x for row in file for x in row]
        return bool(max(faults) > ROUNDED_BELOW)
    return b.claimed is not None and _box_keeps(b, file, places) is not True


def _precision(b: Compared, said: Collection[str]) -> str:
    """How the numbers of the file were read: exact, as decimals or as doubles.

    Of a file that this program doesn't read it is what the page says; NotComparedError if that is more than
    a decimal in the file allows.
    """
    if b.reading.get("dyadic"):
        return "doubles"
    for one in b.predicate["inputs"]:
        if one["what"] == "table" and one["file"] in b.there:
            decimals = has_decimals(b.there[one["file"]], b.read, b.reading)
            read = _read_file(b)
            if decimals is not None and read is not None:
                if not decimals or not _places_of(read[0]):
                    return "exact"
                return "printed doubles" if _are_printed_doubles(read[0]) else "decimals"
    lines = {"numbers-decimals": "decimals", "numbers-doubles": "doubles", "numbers-printed-doubles": "printed doubles"}
    told = next((word for says, word in lines.items() if says in said), "exact")
    files = (b.there.get(one["file"], b"") for one in b.predicate["inputs"] if one["what"] == "table")
    if told == "exact" and any(re.search(rb"[0-9]\.[0-9]", content) for content in files):
        raise NotComparedError("the file of the table has decimals, and this program does not read it")
    return told


def _is_plain_decimals(b: Compared, page: Page) -> bool:
    """Whether a table that is judged as it was read is of decimals."""
    file = _file_numbers(b)
    is_exact = file is not None and file == _judged_numbers(b)
    return is_exact and _precision(b, {line.says for line in page.lines()}) == "decimals"


def _of_limits(page: Page, head: str, b: Compared) -> Iterator[str]:
    """What is wrong with how far the numbers reach: what they are, and what their digits can show."""
    said = {line.says for line in page.lines()}
    if b.is_printed:
        return
    precision, state = _precision(b, said), HEADS[head]
    told = [says for says in said if says.startswith("numbers-")]
    own = f"numbers-{precision.replace(' ', '-')}"
    if b.read.plain is not None and told and told != [own]:
        yield f"it does not say {SAYS[own][:40]!r}"
    if b.claimed is None or b.quality == "wrong" or state not in ("holds", "fails"):
        return
    if state == "fails" and _is_barely(page, b):
        if head not in ("fails-rounding", "fails-barely"):
            yield "its claim fails by less than a billionth, and it does not say so"
        return
    within = _is_within(b, precision, state == "fails")
    divided_heads = ("holds-divided", "holds-divided-only")
    if not within or head in divided_heads:
        return
    if precision == "decimals" and state == "holds" and b.claimed["delta"] != "0":
        if head != "holds-printed-delta":
            yield "its claim holds by less than the digits can show, and it does not say so"
    elif precision == "decimals" and state == "fails":
        if head not in ("fails-printed", "fails-printed-delta"):
            yield "its claim fails by less than the digits can show, and it does not say so"
    elif precision.endswith("doubles") and f"within-{state}" not in said:
        yield "its verdict is by less than doubles can show, and it does not say so"


def _is_barely(page: Page, b: Compared) -> bool:
    """Whether the smallest ε exceeds the claimed one by certainly less than a billionth of it.

    The claimed ε is at least the decimal that is told of it times 1 − TIGHT, which is compared elsewhere.
    """
    told = [line.values["epsilon"] for line in page.lines() if line.says == "claimed"]
    if b.claimed["delta"] != "0" or "level" not in b.certificates or len(told) != 1:
        return False
    try:
        own, level, below = b.own(), b.level(), decimal(told[0]) * (1 - TIGHT)
        if sign_of(own) == 0 or not b.epsilon_above(told[0], level):
            return False
        least = b.times(level, b.power(below * BILLIONTH))
        return int(sign_of(combined(least, own, -1))) <= 0
    except NotComparedError:
        return False


def _is_within(b: Compared, precision: str, fails: bool) -> bool:
    """Whether numbers that are stored as those of the table have the other verdict; False if unknown."""
    if precision == "exact" or b.neighbours.startswith("euclid:"):
        return False
    try:
        return _within(b, {"numbers": "decimals" if precision == "decimals" else "doubles"}, fails)
    except (NotComparedError, StopIteration):
        return False


MOST_INPUTS, MOST_ENTRIES = 64, 250_000
"""Of more inputs a claim with δ > 0, and a larger table, is not judged for other neighbours."""


def _of_others(page: Page, b: Compared) -> Iterator[str]:
    """What is wrong with what is said of the other usual neighbours, and what is not said of them."""
    state = STATES[b.predicate["verdicts"][0]["verdict"]]
    if b.claimed is None or b.quality == "wrong" or state not in ("holds", "fails"):
        return
    lines = list(page.lines())
    said = {line.values["words"]: line.says for line in lines if line.says in ("other", "other-holds", "other-fails")}
    beside = {line.values["where"]: line.says for line in lines if line.says in BESIDE}
    for family in _choices(b):
        holds = _holds_for(b, family)
        if holds is None:
            continue
        if not b.is_printed and said.get(NEIGHBOURS[family]) != ("other-holds" if holds else "other-fails"):
            yield f"it does not say what {family} neighbours have"
        if holds != (state == "holds") and beside.get(WHERE[family]) != ("beside-holds" if holds else "beside-fails"):
            yield f"it does not say below its verdict that {family} neighbours have another one"


def _choices(b: Compared) -> list[str]:
    """The usual neighbours that were not chosen."""
    labels, entries = b.inputs, len(b.inputs) * len(b.read.outputs)
    if len(labels) < 3 or entries > MOST_ENTRIES:
        return []
    chosen = b.chosen()
    path = [_pair(x, y) for x, y in pairwise(labels)]
    found = ["path"] if _count_up(labels) and chosen != dict.fromkeys(path, Fraction(1)) else []
    found += ["complete"] if len(chosen) < len(labels) * (len(labels) - 1) // 2 or set(chosen.values()) != {Fraction(1)} else []
    is_grid = metric_of_grid(b.neighbours) or (grid_of_labels(labels) and not b.neighbours.startswith("euclid:"))
    return [*found, *(["euclid"] if is_grid and len(labels) * entries <= MOST_ENTRIES and not b.is_printed else [])]


def _pair(x: str, y: str) -> tuple[str, str]:
    return (x, y) if x < y else (y, x)


def _count_up(labels: Sequence[str]) -> bool:
    """Whether labels are integers, each one more than the one before."""
    if not all(re.fullmatch(r"-?[0-9]{1,400}", label, re.ASCII) for label in labels):
        return False
    return all(int(y) - int(x) == 1 for x, y in pairwise(labels))


def _holds_for(b: Compared, family: str) -> bool | None:
    """Whether the claim holds of other neighbours; None where this is not decided."""
    try:
        if b.is_printed:
            return _holds_for_printed(b, family)
        if family == "euclid":
            return None if b.claimed["delta"] != "0" else _holds_at_distances(b)
        if b.claimed["delta"] != "0":
            return None if len(b.inputs) > MOST_INPUTS else _other_delta(b, NEIGHBOURS[family])
        worst = _other_ratio(b, NEIGHBOURS[family])
        return worst is None or sign_of(combined(worst[0], b.times(worst[1], b.level()), -1)) >= 0
    except NotComparedError:
        return None


def _holds_at_distances(b: Compared) -> bool:
    """Whether x_ir ≥ e^(−ε·d)·x_jr at Euclidean distances d, which √ of rationals are."""
    level = b.level()
    exponents = list(level[0]) if len(level[0]) == 1 and level[1] == constant(Fraction(1)) else []
    for square, ratio in _distance_ratios(b).items():
        root = isqrt(square)
        if root * root == square:
            power = constant(Fraction(1)), constant(Fraction(1))
            for _ in range(root):
                power = b.times(power, level)
        elif exponents and level[0][exponents[0]] == 1 and all(q == 1 for q, _ in exponents[0]):
            epsilon = sum((r for _, r in exponents[0]), Fraction(0))
            scale = 10**30
            below = Fraction(isqrt(square * scale**2), scale)
            ends = [_power_beside(b, epsilon * end, ratio) for end in (below, below + Fraction(1, scale))]
            if (ends[0] <= 0) != (ends[1] <= 0):
                raise NotComparedError("the claimed ε is too near to this one")
            if ends[0] > 0:
                return False
            continue
        else:
            raise NotComparedError("the distance is irrational")
        if sign_of(combined(_as_number(b, ratio), power, -1)) < 0:
            return False
    return True


def _ends_of_printed(b: Compared) -> list[list[tuple[Fraction, Fraction]]]:
    """For each entry of tables that print so the least and the largest value."""
    rows = b.read.plain
    if rows is None:
        raise NotComparedError("its numbers are irrational")
    half = len(rows) // 2
    found = []
    for lower, upper in zip(rows[:half], rows[half:], strict=True):
        room, lack = 1 - sum(lower), 1 - sum(upper)
        pairs = list(zip(lower, upper, strict=True))
        found.append([(max(low, high + lack), min(high, low + room)) for low, high in pairs])
    return found


def _quotients_of_printed(b: Compared, family: str) -> tuple[Fraction, Fraction]:
    """The least quotient of numbers of a column in other neighbours: of all tables, and of the best entries.

    No table has a larger one than the second; some table has the first.
    """
    ends = _ends_of_printed(b)
    size = len(ends)
    if size**2 * len(ends[0]) > MOST_COMPARED:
        raise NotComparedError("the table is too large for this program")
    near = [(i, i + 1) for i in range(size - 1)] if family == "path" else list(combinations(range(size), 2))
    worst = best = Fraction(1)
    for i, j in [*near, *((second, first) for first, second in near)]:
        for x, y in zip(ends[i], ends[j], strict=True):
            worst = min(worst, x[0] / y[1] if y[1] else worst)
            best = min(best, x[1] / y[0] if y[0] else best)
    return worst, best


def _holds_for_printed(b: Compared, family: str) -> bool | None:
    """Whether all tables that print so keep a claim with δ = 0 for other neighbours, or none does."""
    if b.claimed["delta"] != "0" or family not in ("path", "complete"):
        return None
    worst, best = _quotients_of_printed(b, family)
    if b.compare(worst, b.level()) >= 0:
        return True
    return False if b.compare(best, b.level()) < 0 else None


def _all_keep(b: Compared) -> bool | None:
    file = _file_numbers(b)
    return None if file is None else _box_keeps(b, file, _places_of(file))


def _box_keeps(b: Compared, numbers: Sequence[Sequence[Fraction]], places: int) -> bool | None:
    """Whether all tables that print so keep a claim with δ = 0; None if there are none, or unknown."""
    worst = _box_quotient(b, numbers, places)
    return None if worst is None else b.compare(worst, b.level()) >= 0


def _box_quotient(b: Compared, numbers: Sequence[Sequence[Fraction]], places: int) -> Fraction | None:
    """The least quotient of numbers of neighbouring rows in all tables that print so; None as above.

    Rows are independent of each other, and the least and the largest value of an entry are attained.
    """
    if b.claimed is None or b.claimed["delta"] != "0" or _name_of_neighbours(b).startswith("euclid:"):
        return None
    half, one, zero = Fraction(1, 2 * 10**places), Fraction(1), Fraction(0)
    ends = []
    for row in numbers:
        lower, upper = [max(x - half, zero) for x in row], [min(x + half, one) for x in row]
        if any(low > high for low, high in zip(lower, upper, strict=True)) or not sum(lower) <= 1 <= sum(upper):
            return None
        room, lack = 1 - sum(lower), 1 - sum(upper)
        pairs = list(zip(lower, upper, strict=True))
        ends.append([(max(low, high + lack), min(high, low + room)) for low, high in pairs])
    order = _rows_in_order(b)
    if len(b.pairs()) * len(ends[0]) > MOST_COMPARED:
        return None
    worst = Fraction(1)
    for i, j in b.pairs():
        for x, y in zip(ends[order[i]], ends[order[j]], strict=True):
            for least, largest in ((x[0], y[1]), (y[0], x[1])):
                worst = min(worst, least / largest if largest else worst)
    return worst


def _numbered(page: Page, b: Compared) -> Iterator[str]:
    """What is wrong with the numbers of consumers: those of the questions, and for each certificate one."""
    asked = [question for question in b.predicate["questions"] if question.startswith("how far")]
    named = [(line.values["number"], line.values["consumer"]) for line in page.lines() if line.says == "consumer"]
    if named != [(str(k), _consumer_shown(text)) for k, text in enumerate(asked, 1)]:
        yield "its consumers are not those of the questions, in their order"
    order: dict[str, int] = {}
    numbers: dict[str, set[str]] = {}
    parts = [part for part in b.certificates if re.fullmatch(r"consumer-[0-9]+-[a-z-]+", part)]
    for part in sorted(parts, key=lambda name: int(name.split("-")[1])):
        certificate = b.certificates[part]
        consumer = certificate["claim"]["consumer"]
        identity = json.dumps([consumer, certificate["definitions"][consumer["loss"]]], sort_keys=True)
        order.setdefault(identity, len(order) + 1)
        of = "-".join(part.split("-")[:2])
        numbers.setdefault(identity, set()).update(line.values["number"] for line in page.lines() if line.of == of)
    for identity, rank in order.items():
        if len(numbers[identity]) != 1 or (len(order) == len(asked) and numbers[identity] != {str(rank)}):
            yield f"the certificates of consumer {rank} are told of another one"


OF_A_CLAIM = ("claimed", "claimed-delta", "sign-for", "more", "less", "equal", "least-delta", "least-delta-between", "wrong")
"""Lines about what is claimed."""

UNCERTIFIED = (
    *("own", "own-pure", "between", "between-infinite", "least-delta", "least-delta-between", "row", "bears", "bears-equal"),
    *("remap", "remap-none", "remap-many", "remap-random", "other-between", "event", "event-never", "event-printed"),
    *("instead", "repair-epsilon-printed", "beside-fails-too"),
    *("repair-epsilon", "repair-delta", "or-delta", "repair-uniform", "repair-uniform-printed", "as-stands", "more", "less", "equal"),
    *("row-printed", "row-open", "row-beyond", "beside-holds", "beside-fails", "fails-rounding", "fails-barely", "fails-printed"),
)
"""What may stand on page one without a certificate, and then says so."""


OF_CONSUMERS = (
    *("row", "row-printed", "row-open", "row-beyond", "bears", "bears-equal"),
    *("remap", "remap-none", "remap-many", "remap-random"),
)
"""Lines about one consumer; of those some have no certificate."""


def _compare(line: Line, b: Compared) -> None:
    """Raise Differs unless a line says what its certificate, the table or the manifest says."""
    if line.says in OF_LAWS:
        raise Differs("it is a line about a law, and a table was judged")
    if line.says == "required":
        _require_part(line, b)
    if line.says == "other-between" and line.shown:
        raise Differs("no certificate shows it")
    if not line.shown:
        _compare_unshown(line, b)
        if line.says != "other-between":
            return
    compare = COMPARED.get(line.says)
    if compare is not None and not compare(b, line.values, line.of):
        raise Differs("it has other values")


def _require_part(line: Line, b: Compared) -> None:
    """Raise unless what is said of a requirement names a certificate, or says that it is undecided."""
    if line.of in b.predicate["without"]:
        raise NotComparedError(f"there is no certificate of {line.of}")
    if not line.shown or (line.of not in b.certificates and (line.of or line.values["status"] != "undecided")):
        raise Differs(f"no certificate of {line.of or 'it'} is listed")


def _compare_unshown(line: Line, b: Compared) -> None:
    """Raise Differs unless a line may have no certificate; one of the verdict's weight decides nothing so."""
    if line.says not in UNCERTIFIED:
        raise Differs("it needs no certificate")
    of_others = b.is_printed and line.of == "other neighbours" and line.says in (*BESIDE, "other-between")
    without = any(part == line.of or part.startswith(f"{line.of}-") for part in b.predicate["without"])
    if not of_others and not without and not _is_of_consumer(line, b):
        raise Differs(f"nothing says why {line.of} has no certificate")
    if line.says in BESIDE and of_others:
        _compare_beside_printed(line, b)
    elif line.says in BOLD:
        raise NotComparedError("no certificate shows it")


def _is_of_consumer(line: Line, b: Compared) -> bool:
    """Whether a line is about a consumer of whom something was asked, if not all of it has a certificate."""
    found = re.fullmatch(r"(consumer-[0-9]+)(?:-[a-z-]+)?", line.of)
    if found is None or line.says not in OF_CONSUMERS:
        return False
    return b.is_printed or any(part.startswith(f"{found[1]}-") for part in (*b.certificates, *b.predicate["without"]))


def _compare_beside_printed(line: Line, b: Compared) -> None:
    """Raise Differs unless tables that print so have this largest ε for other neighbours."""
    family = {said: word for word, said in WHERE.items()}[line.values["where"]]
    if family not in _choices(b):
        raise Differs("it is no other usual choice")
    worst, _ = _quotients_of_printed(b, family)
    shown = line.values["epsilon"]
    right = shown == "infinity" if worst == 0 else shown != "infinity" and b.epsilon_above(shown, _as_number(b, worst))
    holds = _holds_for_printed(b, family)
    if not right or (holds is not None and holds != (line.says == "beside-holds")):
        raise Differs("it has other values")
    if holds is None:
        raise NotComparedError("that no table keeps it for these neighbours takes another program")


Values = Mapping[str, str]


def _file(b: Compared, v: Values, what: str) -> bool:
    digests = {part["name"]: part["digest"]["sha256"] for part in b.predicate["parts"]}
    return any(
        (one["what"] == "table") == (what == "file") and brief(one["given"]) == v["given"] and digests[one["file"]] == v["digest"]
        for one in b.predicate["inputs"]
    )


def _table(b: Compared, v: Values, _: str) -> bool:
    return bool(sha256(b.there[TABLES]) == v["digest"])


def _word(b: Compared, v: Values, _: str) -> bool:
    return all(one["what"] != "table" for one in b.predicate["inputs"]) and brief(str(b.reading.get("table", ""))) == v["word"]


def _no_file(b: Compared, _v: Values, _: str) -> bool:
    return all(one["what"] != "table" for one in b.predicate["inputs"]) and "table" not in b.reading


def _inputs(b: Compared) -> list[str]:
    return b.inputs


def _size(b: Compared, v: Values, _: str) -> bool:
    labels = _inputs(b)
    rows, columns = (v["rows"], v["inputs"]), (v["columns"], v["outputs"])
    return rows == (str(len(labels)), few(labels)) and columns == (str(len(b.read.outputs)), few(b.read.outputs))


def _is_printed(b: Compared) -> bool:
    return b.is_printed


def _plain(b: Compared) -> Sequence[Sequence[Fraction]]:
    """The numbers of the table as read, which are rational."""
    found = b.read.plain
    if found is None:
        raise NotComparedError("the table has irrational numbers")
    return found


def _doubles(b: Compared, _v: Values, _: str) -> bool:
    return all(Fraction(float(x)) == x for row in _plain(b) for x in row)


def _printed_doubles(b: Compared, v: Values, of: str) -> bool:
    return not b.reading.get("dyadic") and _are_printed_doubles(_plain(b)) and _decimals(b, v, of)


def _decimals(b: Compared, v: Values, _: str) -> bool:
    return whole(v["places"]) == _places_of(_plain(b))


def _digits(b: Compared, v: Values, _: str) -> bool:
    """Whether numbers are printed so: each interval is as wide as its digits say, or cut off at 0 or 1."""
    if not _is_printed(b):
        return False
    told = str(b.reading.get("digits", AUTO if v["digits"] == AUTO else v["digits"].split(" ")[0]))
    told = "auto" if told == AUTO else told
    if digits_text(told) != v["digits"]:
        return False
    widths = list(_widths(b))
    if told == "auto":
        return all(width == 0 or _is_unit(width) or not is_whole for width, is_whole in widths)
    unit = Fraction(1, 10 ** whole(told))
    is_widest = any(width == (unit if is_whole else unit / 2) for width, is_whole in widths)
    return is_widest and all(width == unit if is_whole else width <= unit for width, is_whole in widths)


def _widths(b: Compared) -> Iterator[tuple[Fraction, bool]]:
    """How wide each interval of a printed table is, and whether it is cut off at neither end."""
    numbers = _plain(b)
    half = len(numbers) // 2
    for lower, upper in zip(numbers[:half], numbers[half:], strict=True):
        for low, high in zip(lower, upper, strict=True):
            yield high - low, low > 0 and high < 1


def _is_unit(width: Fraction) -> bool:
    """Whether a width is 1, 1/10, 1/100, and so on."""
    return width.numerator == 1 and str(width.denominator).rstrip("0") == "1"


def _irrational(b: Compared, has_powers: bool) -> bool:
    if b.read.plain is not None:
        return False
    return has_powers == any(exponents for row in b.read.rows for number in row for part in number for exponents in part)


def _row_totals(b: Compared) -> list[Any]:
    """What the sum of each row is above 1."""
    one = _as_number(b, Fraction(1))
    return [combined(_total(b, row), one, -1) for row in b.read.rows]


def _rows_off(b: Compared, v: Values, _: str) -> bool:
    excesses = _row_totals(b)
    signs = [sign_of(x) for x in excesses]
    place = _place(b.read.inputs, v["row"])
    excess, side = excesses[place], {1: "more", -1: "less", 0: ""}[signs[place]]
    size = excess if signs[place] >= 0 else combined(ZERO, excess, -1)
    return v["count"] == str(sum(map(bool, signs))) and v["side"] == side and b.near(v["excess"], size)


def _is_explained(b: Compared) -> bool:
    """Whether rounding to the places of the numbers explains what makes them no mechanism."""
    return b.read.plain is not None and _looks_rounded(b, {"places": str(_places_of(b.read.plain))}, "")


def _looks_rounded(b: Compared, v: Values, _: str) -> bool:
    """Whether numbers have so many places, and no row misses 1 by more than half a unit for each number."""
    numbers, places = _plain(b), whole(v["places"])
    off = [abs(sum(row, Fraction(-1))) for row in numbers]
    explained = all(x >= 0 for row in numbers for x in row) and max(off) <= Fraction(len(numbers[0]), 2 * 10**places)
    return _places_of(numbers) == places and explained and 0 < max(off) <= Fraction(1, 100)


def _as_stands(b: Compared, v: Values, _: str) -> bool:
    stands, divided = b.number("level-as-it-stands", "ratio"), b.number("level-after-renormalising", "ratio")
    return b.epsilon_above(v["epsilon"], stands) and b.epsilon_above(v["divided"], divided)


def _least_quotient(rows: Sequence[Sequence[Fraction]], pairs: Sequence[tuple[int, int]]) -> Fraction:
    """The least quotient of two numbers of a column in neighbouring rows."""
    ratios = (min(x, y) / max(x, y) for i, j in pairs for x, y in zip(rows[i], rows[j], strict=True) if x != y)
    return min(ratios, default=Fraction(1))


def _repair_uniform(b: Compared, v: Values, _: str) -> bool:
    """Whether a mixture with the uniform mechanism keeps the claim, and none with a smaller share."""
    share = decimal(v["share"])
    if b.judged.plain is None or b.claimed["delta"] != "0":
        raise NotComparedError("its numbers are irrational")
    order = [b.judged.inputs.index(label) for label in _labels_in_order(b)]
    rows, pairs = [b.judged.plain[i] for i in order], b.pairs()
    return 0 <= share <= 1 and _mixture_keeps(b, rows, pairs, share) and not _mixture_keeps(b, rows, pairs, share * (1 - TIGHT))


def _mixture_keeps(b: Compared, rows: Sequence[Sequence[Fraction]], pairs: Sequence[tuple[int, int]], share: Fraction) -> bool:
    mixed = [[(1 - share) * x + share / len(row) for x in row] for row in rows]
    return b.compare(_least_quotient(mixed, pairs), b.level()) >= 0


def _repair_uniform_printed(b: Compared, v: Values, of: str) -> bool:
    """The same for every table that prints so: the least number of an entry beside its neighbour's largest.

    The rows of these tables are independent of each other, so that one of them has both.
    """
    share, certificate = decimal(v["share"]), b.part(of)
    definition = certificate["definitions"][certificate["claim"]["printed"]]
    if b.claimed["delta"] != "0" or certificate["definitions"][certificate["claim"]["neighbours"]]["type"] == "distances":
        raise NotComparedError("it is beside a δ, or at several distances")
    ends = []
    for lower, upper in zip(*(_rational_rows(b, certificate, definition[key]) for key in ("lower", "upper")), strict=True):
        least = [max(x, 1 - sum(upper) + y) for x, y in zip(lower, upper, strict=True)]
        most = [min(y, 1 - sum(lower) + x) for x, y in zip(lower, upper, strict=True)]
        ends.append((least, most))
    pairs = [pair for i, j in b.pairs() for pair in ((i, j), (j, i))]

    def keeps(part: Fraction) -> bool:
        quotients = []
        for i, j in pairs:
            for x, y in zip(ends[i][0], ends[j][1], strict=True):
                low, high = ((1 - part) * z + part / len(ends[i][0]) for z in (x, y))
                quotients += [low / high] if high else []
        return b.compare(min(quotients, default=Fraction(1)), b.level()) >= 0

    return 0 <= share <= 1 and keeps(share) and not keeps(share * (1 - TIGHT))


def _rational_rows(b: Compared, certificate: Mapping[str, Any], rows: Sequence[Any]) -> list[list[Fraction]]:
    """Rows of numbers of a certificate that are rational."""
    size = len(certificate["definitions"][certificate["claim"]["printed"]]["outputs"])
    read = [b.powers(certificate).vector(row, size) for row in rows]
    if any(den != constant(Fraction(1)) or set(num) - {()} for row in read for num, den in row):
        raise NotComparedError("its numbers are irrational")
    return [[num.get((), Fraction(0)) for num, _ in row] for row in read]


def _exact(b: Compared, _v: Values, _: str) -> bool:
    return not _is_printed(b) and b.read.plain is not None


def _deviation(b: Compared) -> list[Any]:
    return b.deviation()


def _sums_exact(b: Compared, _v: Values, _: str) -> bool:
    return not b.is_printed and b.is_mechanism


def _sums_off(b: Compared, v: Values, _: str) -> bool:
    d = decimal(v["deviation"])
    off = _deviation(b)
    return d > 0 and all(b.compare(d, x) >= 0 for x in off) and any(b.compare(d * (1 - TIGHT), x) <= 0 for x in off)


def _claimed(b: Compared, v: Values, _: str) -> bool:
    return b.epsilon_above(v["epsilon"], b.level()) and _factor(b, v["factor"], b.level())


def _factor(b: Compared, shown: str, level: Any) -> bool:
    """Whether a decimal is 1 over a level, rounded up."""
    d = decimal(shown)
    if d <= 0:
        raise Differs("a factor is none")
    return b.compare(1 / d, level) <= 0 and b.compare(1 / (d * (1 - TIGHT)), level) >= 0


def _claimed_delta(b: Compared, v: Values, _: str) -> bool:
    exact = Fraction(b.claimed["delta"])
    return exact <= decimal(v["delta"]) <= exact / (1 - TIGHT)


def _neighbours(b: Compared, v: Values, _: str) -> bool:
    name = _name_of_neighbours(b)
    shown = brief(name)
    _require_pairs(b, name)
    is_claimed = b.claimed is None or b.claimed["neighbours"] == name
    return neighbours_words(shown) == v["words"] and v.get("name", shown) == shown and is_claimed


def _grid_labels(b: Compared, v: Values, _: str) -> bool:
    return v["metric"] == f"euclid:{grid_of_labels(_inputs(b))}"


def _grid_order(b: Compared, v: Values, _: str) -> bool:
    return v["points"] == few(_inputs(b)) and _rows_are_named(b) is not True


def _grid_steps(b: Compared, v: Values, _: str) -> bool:
    return v["metric"] != "" and v["metric"] == metric_of_grid(b.predicate["assumptions"][0].removeprefix("neighbours: "))


def _require_pairs(b: Compared, name: str) -> None:
    """Raise Differs if neighbours of this name are not those of the certificates."""
    for certificate in b.certificates.values():
        require_neighbours(name, certificate, b.inputs, b.files)


def _other_ratio(b: Compared, words: str) -> tuple[Any, Any] | None:
    """The largest and smallest number of which no quotient is smaller, over pairs of the other neighbours."""
    family = {said: word for word, said in NEIGHBOURS.items()}[words]
    if family not in ("path", "complete"):
        raise Differs("it is no other usual choice")
    worst: tuple[Any, Any] | None = None
    plain = b.judged.plain
    rows: Sequence[Sequence[Any]] = b.judged.rows if plain is None else plain
    if plain is None and len(rows) * len(rows[0]) > 2500:
        raise NotComparedError("its numbers are irrational, and many")
    for column in zip(*rows, strict=True):
        neighbouring = [column[k : k + 2] for k in range(len(column) - 1)] if family == "path" else [column]
        for numbers in neighbouring:
            low = high = numbers[0]
            for x in numbers[1:]:
                low, high = _ordered(b, low, x)[0], _ordered(b, high, x)[1]
            if worst is None or _less(b, low, high, *worst):
                worst = low, high
    return worst if plain is None or worst is None else (_as_number(b, worst[0]), _as_number(b, worst[1]))


def _distance_ratios(b: Compared) -> dict[int, Fraction]:
    """For each squared distance of points of the grid the least quotient of two numbers of a column."""
    named = metric_of_grid(_name_of_neighbours(b)).removeprefix("euclid:") or grid_of_labels(_inputs(b))
    sides = [int(side) for side in named.split("x")]  # ValueError for another graph
    points = [tuple(map(int, label.split(","))) for label in b.judged.inputs]
    if sorted(points) != list(product(*map(range, sides))):
        raise Differs("the inputs are not the points of the grid")
    rows = b.judged.plain
    if rows is None or len(points) ** 2 * len(rows[0]) > MOST_COMPARED:
        raise NotComparedError("its numbers are irrational, or many")
    least: dict[int, Fraction] = {}
    for (p, first), (q, second) in combinations(zip(points, rows, strict=True), 2):
        square = sum((x - y) ** 2 for x, y in zip(p, q, strict=True))
        quotients = [min(x, y) / max(x, y) for x, y in zip(first, second, strict=True) if x != y]
        least[square] = min([least.get(square, Fraction(1)), *quotients])
    return least


def _other_at_distances(b: Compared, shown: str, holds: bool | None) -> bool:
    """Whether an ε, and what it says of the claim, is that of Euclidean distances d: x_ir ≥ e^(−ε·d)·x_jr."""
    least = _distance_ratios(b)
    if shown == "infinity" or 0 in least.values():
        return shown == "infinity" and 0 in least.values() and not holds
    d = decimal(shown)
    scale = 10**20
    enough, near = True, d == 0
    for square, ratio in least.items():
        root = isqrt(square * scale**2)
        below, above = Fraction(root, scale), Fraction(root + (root**2 != square * scale**2), scale)
        enough = enough and _power_beside(b, d * below, ratio) <= 0
        near = near or _power_beside(b, d * (1 - NEAR) * above, ratio) >= 0
    if not (enough and near) or holds is None:
        return enough and near
    if b.claimed is None or b.claimed["delta"] != "0":
        return False
    level = b.level()
    keeps = sign_of(combined(level, b.power(d), -1)) <= 0
    breaks = sign_of(combined(level, b.power(d * (1 - NEAR)), -1)) > 0
    if keeps == breaks:
        raise NotComparedError("the claimed ε is too near to this one")
    return bool(keeps == holds)


def _power_beside(b: Compared, exponent: Fraction, ratio: Fraction) -> int:
    """The sign of e^(−exponent) minus a rational."""
    return int(sign_of(combined(b.power(exponent), _as_number(b, ratio), -1)))


def _as_number(b: Compared, x: Fraction) -> Any:
    return constant(x), constant(Fraction(1))


def _ordered(b: Compared, x: Any, y: Any) -> tuple[Any, Any]:
    if isinstance(x, Fraction):
        return (x, y) if x <= y else (y, x)
    return (x, y) if sign_of(combined(x, y, -1)) <= 0 else (y, x)


def _less(b: Compared, low: Any, high: Any, other_low: Any, other_high: Any) -> bool:
    """Whether low/high < other_low/other_high; 0/0 is no quotient."""
    if isinstance(low, Fraction):
        return high > 0 and bool(other_high == 0 or low * other_high < other_low * high)
    if sign_of(high) == 0:
        return False
    return bool(sign_of(other_high) == 0 or sign_of(combined(b.times(low, other_high), b.times(other_low, high), -1)) < 0)


def _other(b: Compared, v: Values, holds: bool | None) -> bool:
    if _is_printed(b):
        raise NotComparedError("it is of printed tables")
    if v["words"] == NEIGHBOURS["euclid"]:
        return _other_at_distances(b, v["epsilon"], holds)
    worst = _other_ratio(b, v["words"])
    if worst is None:
        return v["epsilon"] == "0"
    low, high = worst
    if sign_of(low) == 0:
        right = v["epsilon"] == "infinity"
    elif v["epsilon"] == "infinity":
        right = False
    else:
        ratio = reduced(multiplied(low[0], high[1]), multiplied(low[1], high[0]))
        right = b.epsilon_above(v["epsilon"], ratio)
    if holds is None or not right or b.claimed is None or b.claimed["delta"] != "0":
        if holds is not None and b.claimed is not None and b.claimed["delta"] != "0":
            return right and _other_delta(b, v["words"]) == holds
        return right
    difference = combined(low, b.times(high, b.level()), -1)
    return bool((sign_of(difference) >= 0) == holds)


def _other_between(b: Compared, v: Values, of: str) -> bool:
    """The ends of ε of all tables that print so: the larger one is attained, and the smaller one is below it.

    Rows of these tables are independent of each other, so that one of them has the least number of an entry
    beside the largest one of its neighbour.
    """
    family = {said: word for word, said in NEIGHBOURS.items()}[v["words"]]
    if family not in ("path", "complete") or not _is_printed(b):
        raise Differs("it is no other usual choice, or no table is printed")
    numbers = _plain(b)
    half = len(numbers) // 2
    ends = []
    for lower, upper in zip(numbers[:half], numbers[half:], strict=True):
        room, lack = 1 - sum(lower), 1 - sum(upper)
        pairs = list(zip(lower, upper, strict=True))
        ends.append([(max(low, high + lack), min(high, low + room)) for low, high in pairs])
    places = range(half)
    neighbouring = [(i, j) for i in places for j in places if (i != j if family == "complete" else abs(i - j) == 1)]
    if len(neighbouring) * len(numbers[0]) > MOST_COMPARED:
        raise NotComparedError("the table is too large for this program")
    worst, inside = Fraction(1), Fraction(1)
    for i, j in neighbouring:
        for x, y in zip(ends[i], ends[j], strict=True):
            worst = min(worst, x[0] / y[1] if y[1] else worst)
            inside = min(inside, x[1] / y[0] if y[0] else inside)
    if (v["high"] == "infinity") != (worst == 0) or (v["low"] == "infinity") != (inside == 0):
        return False
    right = worst == 0 or b.epsilon_above(v["high"], _as_number(b, worst))
    if inside == 0:
        return right
    # no table has a smaller ε than where each quotient is as near to 1 as it can be
    low = decimal(v["low"])
    is_enough = _power_beside(b, low * (1 + TIGHT), inside) <= 0
    return right and is_enough and _power_beside(b, low, worst) >= 0


def _other_delta(b: Compared, words: str) -> bool:
    """Whether a claim with δ > 0 holds of the other neighbours."""
    size = len(b.judged.rows)
    pairs = [(i, j) for i in range(size) for j in range(size) if (i != j if words == NEIGHBOURS["complete"] else abs(i - j) == 1)]
    if b.judged.plain is None and len(pairs) * len(b.judged.rows[0]) > MOST_COMPARED:
        raise NotComparedError("the table is too large for this program")
    plain = b.judged.plain
    between = [[_between_rationals(x) for x in row] for row in b.judged.rows] if plain is None else [[(x, x) for x in row] for row in plain]
    return _certain(_keeps(b, between, pairs, *ends) for ends in ((0, 1), (1, 0)))


def _between_rationals(x: Any) -> tuple[Fraction, Fraction]:
    """A rational below, and one above, a number ≥ 0."""
    numerator, denominator = (enclosed(part, 256) for part in x)
    if denominator[0] <= 0:
        numerator, denominator = [(-high, -low) for low, high in (numerator, denominator)]
    if denominator[0] <= 0:
        raise NotComparedError("a denominator is too near to 0")
    return max(numerator[0], Fraction(0)) / denominator[1], numerator[1] / denominator[0]


def _certain(answers: Iterator[bool]) -> bool:
    found = set(answers)
    if len(found) != 1:
        raise NotComparedError("its numbers are too near to a bound")
    return found.pop()


def _keeps(
    b: Compared, spread: Sequence[Sequence[tuple[Fraction, Fraction]]], pairs: Sequence[tuple[int, int]], end: int, at: int = 0
) -> bool:
    """Whether Σ_r max(0, x_ir − e^ε·x_jr) ≤ δ for every pair, with e^ε from below or from above."""
    level = b.level()
    if len(pairs) * len(spread[0]) > MOST_COMPARED:
        raise NotComparedError("the table is too large for this program")
    ends = [enclosed(part, 512) for part in level]
    low, high = ends[0][0] / ends[1][1], ends[0][1] / ends[1][0]
    factor = 1 / high if end == 0 else 1 / low
    delta = Fraction(b.claimed["delta"])
    for i, j in pairs:
        excess = Fraction(0)
        for x, y in zip(spread[i], spread[j], strict=True):
            excess += max(x[at] - factor * y[1 - at], Fraction(0))
        if excess > delta:
            return False
    return True


def _stored_as(x: Fraction, places: int | None) -> tuple[Fraction, Fraction]:
    """The least and the largest number that is stored as x, a double or a decimal."""
    if places is not None:
        half = Fraction(1, 2 * 10**places)
        return max(x - half, Fraction(0)), x + half
    if x <= 0:
        return x, x
    exponent = x.numerator.bit_length() - x.denominator.bit_length()
    exponent -= Fraction(2) ** exponent > x
    half = Fraction(2) ** (exponent - 53)
    return x - (half / 2 if Fraction(2) ** exponent == x else half), x + half


def _within(b: Compared, v: Values, fails: bool) -> bool:
    numbers = _plain(b)
    places: int | None = None
    if v["numbers"] == "decimals":
        places = next(k for k in range(401) if all((x * 10**k).denominator == 1 for row in numbers for x in row))
    elif v["numbers"] != "doubles":
        return False
    elif not b.reading.get("dyadic") and _are_printed_doubles(numbers):
        numbers = [[Fraction(float(x)) for x in row] for row in numbers]
    elif not _doubles(b, v, ""):
        return False
    order = _rows_in_order(b)
    spread = [[_stored_as(x, places) for x in numbers[i]] for i in order]
    pairs = [pair for i, j in b.pairs() for pair in ((i, j), (j, i))]
    return _certain(_keeps(b, spread, pairs, end, 0 if fails else 1) for end in (0, 1)) == fails


def _rows_in_order(b: Compared) -> Sequence[int]:
    """The rows of the table as read in the order of the neighbours of certificates."""
    return [b.read.inputs.index(label) for label in _labels_in_order(b)]


def _labels_in_order(b: Compared) -> Sequence[str]:
    for certificate in b.certificates.values():
        table = table_of(certificate)
        if table is not None and "neighbours" in certificate["claim"]:
            return list(table.inputs)
    raise Differs("no certificate names the neighbours")


def _own(b: Compared, v: Values, _: str) -> bool:
    return b.epsilon_above(v["epsilon"], b.own()) and _factor(b, v["factor"], b.own())


def _where(b: Compared, v: Values, _: str) -> bool:
    return v["where"] == where(_name_of_neighbours(b))


def _beside(b: Compared, v: Values, holds: bool) -> bool:
    """Whether other neighbours have that smallest ε, and the claim the other verdict there."""
    family = {said: word for word, said in WHERE.items()}[v["where"]]
    return _other(b, {"words": NEIGHBOURS[family], "epsilon": v["epsilon"]}, holds)


def _holds_divided(b: Compared, v: Values, _: str) -> bool:
    places = _divided_places(b)
    if places is None and b.reading.get("renormalise") and _file_numbers(b) is None:
        raise NotComparedError("this program does not read its file")
    return _is_another(b) and v.get("places", "0") == str(places)


def _divided(b: Compared, v: Values, _: str) -> bool:
    file, judged = _file_numbers(b), _judged_numbers(b)
    if file is None or judged is None:
        raise NotComparedError("this program does not read its file")
    pairs = zip(file, judged, strict=True)
    most = max(abs(x - y) for row, other in pairs for x, y in zip(row, other, strict=True))
    return most <= decimal(v["farthest"]) <= most / (1 - TIGHT)


def _has_places(b: Compared, v: Values) -> bool:
    file = _file_numbers(b)
    return file is not None and v["places"] == str(_places_of(file))


def _holds_printed(b: Compared, v: Values, _: str) -> bool:
    """Whether some table that prints so breaks the claim, and which ε all of them keep."""
    file = _file_numbers(b)
    if file is None or not _has_places(b, v) or v["digits"] != digits_text(v["places"]) or _all_keep(b) is not False:
        return False
    worst = _box_quotient(b, file, _places_of(file))
    if worst is None or "epsilon" not in v:
        return worst == 0
    return worst > 0 and b.epsilon_above(v["epsilon"], _as_number(b, worst))


def _digits_where(b: Compared, v: Values, of: str) -> bool:
    return _digits(b, v, of) and _where(b, v, of)


def _barely(b: Compared, v: Values, most: Fraction, least: Fraction) -> bool:
    """Whether the smallest ε exceeds the claimed one by so little, and in the digit after those told."""
    own, level, epsilon, digits = b.own(), b.level(), decimal(v["epsilon"]), whole(v["digits"])

    def exceeds(part: Fraction) -> bool:
        """Whether the smallest ε is above the claimed one by more than a part of it."""
        return int(sign_of(combined(b.times(level, b.power(epsilon * part)), own, -1))) > 0

    too_much = exceeds(most) or exceeds(Fraction(1, 10**digits))
    enough = exceeds(least * (1 - TIGHT)) and exceeds(Fraction(1, 10 ** (digits + 1)) * (1 - TIGHT))
    return enough and not too_much and b.epsilon_above(v["epsilon"], own)


def _fails_printed(b: Compared, v: Values, _: str) -> bool:
    right = _has_places(b, v) and _within(b, {"numbers": "decimals"}, True)
    return right and ("epsilon" not in v or b.epsilon_above(v["epsilon"], b.own()))


def _sign_for(b: Compared, v: Values, _: str) -> bool:
    exact = Fraction(b.claimed["delta"])
    right = exact <= decimal(v["delta"]) <= exact / (1 - TIGHT) and b.epsilon_above(v["epsilon"], b.level())
    return right and v["name"] == without_digest(seen(b.predicate["table"]["name"])) and v["where"] == where(_name_of_neighbours(b))


def _own_infinite(b: Compared, _v: Values, _: str) -> bool:
    return sign_of(b.own()) == 0


def _ends(b: Compared) -> tuple[Any, Any]:
    """The levels of the smallest and of the largest ε of tables that print so."""
    for part in ("smallest-epsilon", "largest-epsilon"):
        if b.part(part)["claim"].get("distance", "1") != "1":
            raise NotComparedError("the distance is another one than 1")
    return b.number("smallest-epsilon", "ratio"), b.number("largest-epsilon", "ratio")


def _between(b: Compared, v: Values, _: str) -> bool:
    low, high = _ends(b)
    return b.epsilon_below(v["low"], low) and b.epsilon_above(v["high"], high)


def _between_infinite(b: Compared, v: Values, _: str) -> bool:
    low, high = _ends(b)
    return b.epsilon_below(v["low"], low) and sign_of(high) == 0


def _more(b: Compared, v: Values, _: str) -> bool:
    d = decimal(v["difference"])
    own, level = b.own(), b.level()
    enough = sign_of(combined(b.times(level, b.power(d)), own, -1)) <= 0
    return bool(enough and sign_of(combined(b.times(level, b.power(d * (1 - TIGHT))), own, -1)) >= 0)


def _equal(b: Compared, _v: Values, _: str) -> bool:
    return sign_of(combined(b.own(), b.level(), -1)) == 0


def _less_than_claimed(b: Compared, _v: Values, _: str) -> bool:
    return sign_of(combined(b.own(), b.level(), -1)) > 0


def _delta_of(b: Compared, of: str) -> Any:
    """The least δ of a certificate at the claimed level."""
    if of not in ("delta", "smallest-delta", "largest-delta"):
        raise Differs(f"{of or 'nothing'} is no least δ")
    if sign_of(combined(b.number(of, "level"), b.level(), -1)) != 0:
        raise Differs(f"the certificate of {of} is about another ε than the claimed one")
    return b.number(of, "delta")


def _least_delta(b: Compared, v: Values, _: str) -> bool:
    return b.above(v["delta"], _delta_of(b, "delta"))


def _least_delta_between(b: Compared, v: Values, _: str) -> bool:
    low, high = _delta_of(b, "smallest-delta"), _delta_of(b, "largest-delta")
    d = decimal(v["low"])
    return b.compare(d, low) <= 0 and b.compare(d * (1 + TIGHT), low) >= 0 and b.above(v["high"], high)


def _event(b: Compared, v: Values, of: str) -> bool:
    """The probabilities of an event under two inputs; a long one is that of the certificate."""
    part = b.part(of)
    i, j = _place(b.judged.inputs, v["first"]), _place(b.judged.inputs, v["second"])
    _require_neighbours(part, b.judged.inputs[i], b.judged.inputs[j])
    labels = b.judged.outputs
    named = [k for k, label in enumerate(labels) if point(label) in re.split(r", (?![^(]*\))", v["outputs"])]
    if few([labels[k] for k in named]) != v["outputs"]:
        table = _table_of(part)
        named = [labels.index(table.outputs[r]) for r in part["witness"]["event"]] if of == "level" else _exceeding(b, i, j)
    if not named or few([labels[k] for k in named]) != v["outputs"]:
        return False
    likely, unlikely = (_total(b, [b.judged.rows[k][r] for r in named]) for k in (i, j))
    if not b.near(v["likely"], likely):
        return False
    if "unlikely" not in v:
        return sign_of(unlikely) == 0
    quotient = reduced(multiplied(likely[0], unlikely[1]), multiplied(likely[1], unlikely[0]))
    return b.near(v["unlikely"], unlikely) and b.above(v["ratio"], quotient)


def _require_neighbours(certificate: Mapping[str, Any], first: str, second: str) -> None:
    """Raise Differs unless two inputs are neighbours in a certificate, in whichever order."""
    graph = certificate["definitions"][certificate["claim"]["neighbours"]]
    labels = _inputs_of(_table_of(certificate), is_printed="printed" in certificate["claim"])
    pairs = {frozenset((labels[i], labels[j])) for i, j in pairs_of(graph)}
    if frozenset((first, second)) not in pairs:
        raise Differs("its two inputs are no neighbours")


def _inputs_of(table: Grid, *, is_printed: bool) -> Sequence[str]:
    """The labels of inputs; a printed table has a row for each end of each of them."""
    half = len(table.inputs) // 2
    return [label.removeprefix("lower ") for label in table.inputs[:half]] if is_printed else table.inputs


def _table_of(certificate: Mapping[str, Any]) -> Grid:
    """The table that a certificate names."""
    found = table_of(certificate)
    if found is None:
        raise Differs("a certificate names no table")
    return found


def _place(labels: Sequence[str], shown: str) -> int:
    """The number of a label, by how it is shown."""
    found = [k for k, label in enumerate(labels) if point(label) == shown]
    if len(found) != 1:
        raise Differs(f"{shown!r} is no label, or several")
    return found[0]


def _exceeding(b: Compared, i: int, j: int) -> list[int]:
    """The outputs r with x_ir > e^ε·x_jr, at the claimed ε."""
    level, found = b.level(), list[int]()
    for r, (x, y) in enumerate(zip(b.judged.rows[i], b.judged.rows[j], strict=True)):
        if sign_of(combined(b.times(x, level), y, -1)) > 0:
            found.append(r)
    return found


def _total(b: Compared, numbers: Sequence[Any]) -> Any:
    found = ZERO
    for x in numbers:
        found = reduced(*combined(found, x, 1))
    return found


def _event_printed(b: Compared, v: Values, of: str) -> bool:
    certificate = b.part(of)
    definition = certificate["definitions"][certificate["claim"]["printed"]]
    rows = [b.powers(certificate).vector(row, len(definition["outputs"])) for row in certificate["witness"]["table"]]
    i, j = _place(definition["inputs"], v["first"]), _place(definition["inputs"], v["second"])
    r = _place(definition["outputs"], v["outputs"])
    _require_neighbours(certificate, definition["inputs"][i], definition["inputs"][j])
    return b.near(v["likely"], rows[i][r]) and b.near(v["unlikely"], rows[j][r])


def _instead(b: Compared, v: Values, of: str) -> bool:
    is_open = b.predicate["verdicts"][0]["verdict"] == "undecided" and b.claimed["delta"] == "0"
    return is_open and _digits(b, v, of) and b.epsilon_above(v["epsilon"], _ends(b)[1])


def _repair_epsilon(b: Compared, v: Values, of: str) -> bool:
    if of == "largest-epsilon":
        return b.epsilon_above(v["epsilon"], _ends(b)[1])
    return b.claimed["delta"] == "0" and b.epsilon_above(v["epsilon"], b.own())


def _repair_delta(b: Compared, v: Values, of: str) -> bool:
    return b.above(v["delta"], _delta_of(b, "delta" if of == "delta" else "largest-delta"))


def _described(b: Compared, number: str) -> str:
    """What the question of the consumer of a number says of it."""
    asked = [question for question in b.predicate["questions"] if question.startswith(_OF_A_CONSUMER)]
    place = whole(number)
    if not 1 <= place <= len(asked):
        raise Differs(f"there is no consumer {number}")
    return _consumer_shown(asked[place - 1])


_OF_A_CONSUMER = "how far from optimal it is for "
"""How the question of a consumer begins."""


def _has_gain(described: str) -> bool:
    """Whether a consumer has a gain, so that minus its losses are told."""
    return re.match(r"the (?:minimax|Bayesian) consumer with gain ", described) is not None


def _consumer_shown(question: str) -> str:
    """Whom a question is about, as page one shows it."""
    return without_digest(seen(question).removeprefix(_OF_A_CONSUMER))


def _consumer(b: Compared, v: Values, _: str) -> bool:
    right = _described(b, v["number"]) == v["consumer"] and v["words"] == consumer_words(v["consumer"])
    for part in b.certificates:
        of = re.fullmatch(r"(consumer-[0-9]+)-(?:deployed|after-remap)", part)
        if of is not None and b.numbers_of_consumers.get(of[1]) == v["number"]:
            _require_loss(b, part, v["consumer"])
    return right


LOSSES_OF_PLACES = ("abs-loss", "squared-loss", "zero-one-loss")
"""Definitions of losses whose guesses are the inputs, in their order."""


def _require_loss(b: Compared, part: str, described: str) -> None:
    """Raise Differs unless a certificate has the kind of consumer, and the loss, that are named."""
    certificate = b.part(part)
    consumer = certificate["claim"]["consumer"]
    named = re.match(r"the (minimax|Bayesian) consumer with (loss|gain) ([a-z-]+)(?![^ ])", described)
    if named is None or named[3] not in LOSSES:  # page one says nothing else of it
        kind = re.match(r"the (minimax|Bayesian) consumer ", described)
        if kind is None or kind[1].lower() != consumer["type"]:
            raise Differs(f"the consumer of {part} is of another kind")
        return
    guesses, loss = b.loss(part)
    inputs = _inputs_of(_table_of(certificate), is_printed="printed" in certificate["claim"])
    uniform = re.search(r" and prior uniform on ([0-9]+) inputs", described, re.ASCII)
    if uniform is not None:
        weights = b.powers(certificate).vector(consumer["prior"], len(inputs))
        if any(b.compare(Fraction(1, len(inputs)), x) != 0 for x in weights) or uniform[1] != str(len(inputs)):
            raise Differs(f"the prior of {part} is another one")
    is_of_places = certificate["definitions"][consumer["loss"]]["type"] in LOSSES_OF_PLACES
    sign = -1 if named[2] == "gain" else 1
    expected = _loss_named(named[3], inputs, inputs if is_of_places else guesses, certificate)
    if named[1].lower() != consumer["type"] or loss != [[sign * x for x in row] for row in expected]:
        raise Differs(f"the loss of {part} is not {named[3]!r}, or its consumer is of another kind")


def _loss_named(name: str, inputs: Sequence[str], guesses: Sequence[str], certificate: Mapping[str, Any]) -> list[list[Fraction]]:
    """The loss of a name: of labels that are integers, of equal labels, or of steps between neighbours."""
    if name == "zero-one":
        return [[Fraction(guess != label) for guess in guesses] for label in inputs]
    if name == "distance":
        steps = _steps(len(inputs), certificate)
        return [[row[inputs.index(guess)] for guess in guesses] for row in steps]
    if not all(re.fullmatch(r"-?[0-9]{1,400}", label, re.ASCII) for label in (*inputs, *guesses)):
        raise Differs(f"the loss {name!r} is one of labels that are integers")
    power = {"abs": 1, "squared": 2}[name]
    return [[Fraction(abs(int(label) - int(guess)) ** power) for guess in guesses] for label in inputs]


def _steps(size: int, certificate: Mapping[str, Any]) -> list[list[Fraction]]:
    """The numbers of steps between neighbours from each input to each other one."""
    claim, definitions = certificate["claim"], certificate["definitions"]
    beside: list[set[int]] = [set() for _ in range(size)]
    for i, j in pairs_of(definitions[claim["neighbours"]]):
        beside[i].add(j)
        beside[j].add(i)
    found = []
    for start in range(size):
        steps, reached = {start: 0}, [start]
        for i in reached:
            for j in sorted(beside[i] - steps.keys()):
                steps[j] = steps[i] + 1
                reached.append(j)
        if len(steps) < size:
            raise NotComparedError("some inputs are not connected")
        found.append([Fraction(steps[j]) for j in range(size)])
    return found


def _row(b: Compared, v: Values, of: str) -> bool:
    """The numbers of a consumer: as its certificates say them, losses or minus them."""
    deployed, remapped = b.certificates.get(f"{of}-deployed"), b.certificates.get(f"{of}-after-remap")
    known = deployed or remapped
    if known is None:
        raise Differs(f"there is no certificate of {of}")
    if (deployed is None) != (v["deployed"] == "–") or (remapped is None) != (v["remapped"] == "–"):
        return False
    value = b.powers(known).scalar(known["claim"]["value"])
    sign = -1 if _has_gain(_described(b, v["number"])) else 1
    if not b.near(v["optimum"], _signed(b, value, sign)):
        return False
    level = v["epsilon"].split(" ")[0]
    right = b.epsilon_above(level, b.powers(known).scalar(known["claim"]["level"]))
    for certificate, loss, gap in ((deployed, "deployed", "gap"), (remapped, "remapped", "gap_after")):
        if certificate is None:
            right = right and v[gap] == "–"
            continue
        powers, claim = b.powers(certificate), certificate["claim"]
        right = right and b.near(v[loss], _signed(b, powers.scalar(claim.get("loss", claim["value"])), sign))
        right = right and _gap(b, v[gap], powers.scalar(claim["gap"]) if "gap" in claim else ZERO, _signed(b, value, sign))
    return right


def _signed(b: Compared, x: Any, sign: int) -> Any:
    return x if sign == 1 else combined(ZERO, x, -1)


def _gap(b: Compared, shown: str, gap: Any, optimum: Any) -> bool:
    """Whether a gap is shown in percent of the optimum, or as it is where that is 0; 0 is said as optimal."""
    if sign_of(gap) == 0:
        return shown == "0: optimal"
    if sign_of(optimum) == 0:
        return b.above(shown, gap)
    size = optimum if sign_of(optimum) > 0 else combined(ZERO, optimum, -1)
    if shown.startswith("none to "):
        return _is_none(b, shown, gap, size)
    d = percentage(shown) / 100
    bounds = [combined(b.times(size, _as_number(b, x)), gap, -1) for x in (d, d * (1 - TIGHT))]
    return bool(sign_of(bounds[0]) >= 0 and sign_of(bounds[1]) <= 0)


def _is_none(b: Compared, shown: str, gap: Any, size: Any) -> bool:
    """Whether a gap is less than a unit of so many digits of the optimum, and not of one more."""
    digits = whole(shown.removeprefix("none to ").removesuffix(" digits"))
    if digits < 9 or shown != f"none to {digits} digits":
        return False
    small, smaller = (Fraction(1, 10**k) for k in (digits, digits + 1))
    bounds = [combined(b.times(size, _as_number(b, x)), gap, -1) for x in (small, smaller * (1 - TIGHT))]
    return bool(sign_of(bounds[0]) >= 0 and sign_of(bounds[1]) <= 0)


def _bears(b: Compared, v: Values, of: str) -> bool:
    guesses, loss = b.loss(f"{of}-deployed")
    certificate = b.part(f"{of}-deployed")
    table = _table_of(certificate)
    columns = [table.outputs.index(guess) for guess in guesses]
    consumer = certificate["claim"]["consumer"]
    possible = consumer.get("side_information", range(len(table.inputs)))
    expected: dict[str, list[Any]] = {}
    for i in possible:
        scaled = [b.times(table.rows[i][c], _as_number(b, x)) for c, x in zip(columns, loss[i], strict=True) if x]
        expected.setdefault(point(table.inputs[i]), []).append(_total(b, scaled))
    sign = {"loss": 1, "utility": -1}[v["measure"]]
    everything = [_signed(b, x, sign) for values in expected.values() for x in values]
    if "worst" not in v:
        return all(b.near(v["most"], x) for x in everything)
    most = any(b.near(v["most"], _signed(b, x, sign)) for x in expected[v["worst"]])
    least = any(b.near(v["least"], _signed(b, x, sign)) for x in expected[v["best"]])
    ends = [decimal(v["most"]), decimal(v["least"])]
    far = [abs(x) * NEAR for x in ends]
    inside = all(b.compare(ends[0] + far[0], x) >= 0 and b.compare(ends[1] - far[1], x) <= 0 for x in everything)
    return most and least and inside


def _moves(b: Compared, of: str) -> list[tuple[str, str]] | None:
    """The best remap of a certificate as pairs of an output and a guess that differ; None if it is random."""
    certificate = b.part(f"{of}-after-remap")
    guesses, _ = b.loss(f"{of}-after-remap")
    table = _table_of(certificate)
    found = []
    for output, row in zip(table.outputs, certificate["witness"]["remap"], strict=True):
        numbers = b.powers(certificate).vector(row, len(guesses))
        places = [k for k, x in enumerate(numbers) if x[0]]
        if len(places) != 1:
            return None
        if guesses[places[0]] != output:
            found.append((output, guesses[places[0]]))
    return found


def _remap(b: Compared, v: Values, of: str) -> bool:
    return v["moves"] == moves_text(_moves(b, of) or [])


def _remap_none(b: Compared, _v: Values, of: str) -> bool:
    return _moves(b, of) == []


def _remap_many(b: Compared, v: Values, of: str) -> bool:
    return v["count"] == str(len(_moves(b, of) or []))


def _remap_random(b: Compared, _v: Values, of: str) -> bool:
    return _moves(b, of) is None


def _scope(b: Compared, v: Values, _: str) -> bool:
    """Only the guarantee, and the usefulness for who was named, are decided here."""
    topic = {words: key for key, words in TOPICS.items()}[v["topic"]]
    verdict = b.predicate["verdicts"][0]["verdict"]
    asked = any(question.startswith("how far") for question in b.predicate["questions"])
    is_open = _is_printed(b) and verdict in ("refuted", "undecided")
    if v["status"] == DECIDED:
        decided = {
            "guarantee": verdict in ("proved", "refuted", "no claim") and not _is_wrong(b),
            "utility": asked and not is_open,
        }
        return decided.get(topic, False) and v["text"] == "see above"
    if v["status"] == UNDECIDED:
        undecided = {"guarantee": verdict == "undecided", "utility": asked and is_open}
        return undecided.get(topic, False) and not v["text"]
    if topic == "guarantee" and _is_wrong(b):
        return v["status"] == OPEN and v["text"] == NOT_JUDGED[_is_explained(b)]
    if v["status"] == STATED:
        return topic in STATEMENTS and bool(v["text"])
    return v["status"] == OPEN and not v["text"]


def _made(b: Compared, v: Values, _: str) -> bool:
    return bool(v["date"] == b.predicate["date"] and v["release"] == b.predicate["exactdp"])


def _version(b: Compared, v: Values, _: str) -> bool:
    return bool(v["release"] == b.predicate["exactdp"])


def _command(b: Compared, v: Values, _: str) -> bool:
    return v["command"] == seen(quoted(b.predicate["command"]))


COMPARED: dict[str, Callable[[Compared, Values, str], bool]] = {
    "subject": lambda b, v, _: v["name"] == without_digest(seen(b.predicate["table"]["name"])),
    "file": lambda b, v, _: _file(b, v, "file"),
    "other-file": lambda b, v, _: _file(b, v, "other-file"),
    "word": _word,
    "no-file": _no_file,
    "table": _table,
    "size": _size,
    "numbers-exact": _exact,
    "numbers-decimals": _decimals,
    "numbers-doubles": _doubles,
    "numbers-printed-doubles": _printed_doubles,
    "numbers-digits": _digits,
    "numbers-powers": lambda b, _v, _: _irrational(b, has_powers=True),
    "numbers-irrational": lambda b, _v, _: _irrational(b, has_powers=False),
    "rows-off": _rows_off,
    "looks-rounded": _looks_rounded,
    "as-stands": _as_stands,
    "renormalised": lambda b, _v, _: bool(b.reading.get("renormalise")),
    "transposed": lambda b, _v, _: bool(b.reading.get("transpose")),
    "sums-exact": _sums_exact,
    "sums-rounded": _sums_off,
    "sums-wrong": _sums_off,
    "no-claim": lambda b, _v, _: b.claimed is None,
    "claimed": _claimed,
    "claimed-delta": _claimed_delta,
    "neighbours": _neighbours,
    "neighbours-named": _neighbours,
    "grid-steps": _grid_steps,
    "grid-labels": _grid_labels,
    "grid-order": _grid_order,
    "holds-for": _where,
    "fails-for": _where,
    "holds-divided": _holds_divided,
    "holds-divided-only": _holds_divided,
    "holds-digits": _digits_where,
    "fails-digits": _digits_where,
    "holds-printed": _holds_printed,
    "holds-printed-infinite": _holds_printed,
    "holds-printed-delta": lambda b, v, _: _has_places(b, v) and _within(b, {"numbers": "decimals"}, False),
    "fails-rounding": lambda b, v, _: _barely(b, v, ROUNDED_BELOW, Fraction(0)),
    "fails-barely": lambda b, v, _: _barely(b, v, BILLIONTH, ROUNDED_BELOW),
    "fails-printed": _fails_printed,
    "fails-sums": lambda b, v, of: _is_wrong(b) and _looks_rounded(b, v, of),
    "fails-printed-delta": _fails_printed,
    "beside-holds": lambda b, v, _: _beside(b, v, True),
    "beside-fails": lambda b, v, _: _beside(b, v, False),
    "beside-fails-too": lambda b, v, _: _beside(b, v, False),
    "instead": _instead,
    "divided": _divided,
    "divided-losses": lambda b, _v, _: _is_wrong(b),
    "no-more": lambda b, _v, _: b.predicate["verdicts"][0]["verdict"] == "undecided" and _is_printed(b),
    "row-printed": lambda _b, _v, _: False,
    "row-open": lambda _b, _v, _: False,
    "row-beyond": lambda _b, _v, _: False,
    "sign-for": _sign_for,
    "other": lambda b, v, _: _other(b, v, None),
    "other-between": _other_between,
    "other-holds": lambda b, v, _: _other(b, v, True),
    "other-fails": lambda b, v, _: _other(b, v, False),
    "within-fails": lambda b, v, _: _within(b, v, True),
    "within-holds": lambda b, v, _: _within(b, v, False),
    "wrong": lambda b, _v, _: b.claimed is not None and b.claimed["quality"] == "wrong",
    "wrong-rounded": lambda b, _v, _: b.claimed is not None and b.claimed["quality"] == "wrong",
    "own": _own,
    "own-pure": _own,
    "own-infinite": _own_infinite,
    "between": _between,
    "between-infinite": _between_infinite,
    "more": _more,
    "equal": _equal,
    "less": _less_than_claimed,
    "least-delta": _least_delta,
    "least-delta-between": _least_delta_between,
    "event": _event,
    "event-never": _event,
    "event-printed": _event_printed,
    "repair-epsilon": _repair_epsilon,
    "repair-epsilon-printed": _repair_epsilon,
    "repair-delta": _repair_delta,
    "or-delta": _repair_delta,
    "repair-uniform": _repair_uniform,
    "repair-uniform-printed": _repair_uniform_printed,
    "required": requirement_is_right,
    "late": lambda b, _v, _: b.predicate["verdicts"][0]["verdict"] == "undecided",
    "nobody": lambda b, _v, _: not any(question.startswith("how far") for question in b.predicate["questions"]),
    "consumer": _consumer,
    "row": _row,
    "not-kept": lambda b, _v, _: b.predicate["verdicts"][0]["verdict"] == "refuted",
    "bears": _bears,
    "bears-equal": _bears,
    "remap": _remap,
    "remap-none": _remap_none,
    "remap-many": _remap_many,
    "remap-random": _remap_random,
    "scope": _scope,
    "made": _made,
    "version": _version,
    "command": _command,
}
"""How the values of a sentence are compared; the other sentences have none, or are the auditor's own."""
