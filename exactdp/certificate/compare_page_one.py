# SPDX-License-Identifier: MIT
"""Page one of an audit is compared with its bundle: each value with a certificate, the table or the manifest.

Standard library only: this file lies in every bundle beside check_bundle.py, which runs it, and page_one.py,
which has the sentences. What the auditor states says so itself, and is compared with nothing.

Decimals of ε, δ, factors and percentages are never below the number, all others are the nearest ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from exactdp.certificate.bundle_files import strict_json
from exactdp.certificate.bundle_tables import NotComparedError, OnlyNamedError
from exactdp.certificate.compare_consumers import LINES_OF_CONSUMERS, faults_of_numbers
from exactdp.certificate.compare_lines import faults_of_choice, faults_of_lines
from exactdp.certificate.compare_neighbours import LINES_OF_NEIGHBOURS, compare_beside_printed, holds_for, other_choices
from exactdp.certificate.compare_numbers import Values
from exactdp.certificate.compare_parts import faults_of_parts, faults_of_undecided
from exactdp.certificate.compare_printed import LINES_OF_PRINTED, faults_of_printed_rows
from exactdp.certificate.compare_privacy import LINES_OF_PRIVACY, is_barely
from exactdp.certificate.compare_reading import (
    LINES_OF_READING,
    all_that_print_so_keep,
    are_rows_named,
    file_numbers,
    is_another,
    is_explained,
    is_plain_decimals,
    is_within,
    judged_numbers,
    precision_of_file,
)
from exactdp.certificate.compare_remaps import LINES_OF_REMAPS, faults_of_remaps, readings_of
from exactdp.certificate.compare_requirements import (
    decided_elsewhere,
    faults_of_gaps,
    heads_of_requirements,
    is_head_of_requirements,
    requirement_is_right,
    requirements_of_manifest,
)
from exactdp.certificate.page_one import (
    BESIDE,
    BOLD,
    DECIDED,
    HEADS,
    NAMES,
    NEIGHBOURS,
    NOT_JUDGED,
    OF_LAWS,
    OPEN,
    REMAPS,
    REQUIRED_HEADS,
    ROWS_OF_CONSUMERS,
    SAYS,
    STATED,
    STATEMENTS,
    STATES,
    TOPICS,
    UNDECIDED,
    WHERE,
    Line,
    Page,
    grid_of_labels,
    is_sized_by_rows,
    limits,
    metric_of_grid,
    open_topics,
    page_of,
    quoted,
    seen,
    signed_own,
    signed_verdict,
    title_shown,
)
from exactdp.certificate.page_one_formats import WRITTEN
from exactdp.certificate.page_one_sources import Compared, Differs


@dataclass(frozen=True)
class Rules:
    """How page one is compared: what with, which lines it needs, and each line by itself."""

    compared: Callable[[Mapping[str, bytes], Mapping[str, Any]], Compared]
    whole: Callable[[Page, Any], Iterator[str]]
    line: Callable[[Line, Any], None]


Judged = tuple[list[tuple[str, str]], list[str], list[str]]
"""Of page one: what is wrong, as files and sentences; what was not compared; what must be, and was not."""


MUST_BE_COMPARED = frozenset(
    (*BOLD, "claimed", "claimed-delta", "sign-for", "sign-own", "required", "neighbours", "neighbours-named", "consumer", "repair-uniform")
)
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
        compared.numbers_of_consumers = {line.of: line.values["number"] for line in page.lines() if line.says in ROWS_OF_CONSUMERS}
        compared.numbers_with_rows = frozenset(compared.numbers_of_consumers.values())
        compared.readings = readings_of(page)
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
            (limits if line.says in MUST_BE_COMPARED and not isinstance(error, OnlyNamedError) else told).append(sentence)
        except (Differs, ValueError, LookupError, TypeError, AttributeError, ZeroDivisionError) as error:
            wrong.append((file, f"a line is not what its source says ({error}): {line}"))
    return wrong, told, limits


def of_every_page(page: Page, b: Compared) -> Iterator[str]:
    """What is wrong with its title, or with who judged each topic."""
    if page.title != title_shown(b.predicate["table"]["name"]):
        yield "its title is not the name of the table"
    yield from faults_of_lines(page, b)
    for topic, says in (("neighbours", ("chosen",)), ("unit", ("unit", "unit-grid"))):
        told = [line.values["text"] for line in page.lines() if line.says in says]
        scope = [line.values for line in page.lines() if line.says == "scope" and line.values["topic"] == TOPICS[topic]]
        if told != [one["text"] for one in scope if one["status"] == STATED]:
            yield f"what the auditor states of {TOPICS[topic]} is not told in both places"


def of_requirements(page: Page, b: Compared) -> Iterator[str]:
    """What is wrong with the requirements: the verdict says which of them fail, or are not decided."""
    lines = list(page.lines())
    required = [line for line in lines if line.says == "required"]
    if [(line.values["text"], line.values["status"], line.of) for line in required] != requirements_of_manifest(b):
        yield "its requirements are not those of the manifest, in their order"
    if [line for line in lines if line.says in REQUIRED_HEADS] != heads_of_requirements(b):
        yield "its verdict does not say which requirements fail, are not decided or hold"


def of_signature(page: Page, b: Compared) -> Iterator[str]:
    """What is wrong with what is signed: the verdict, all that limits it, and all that it does not cover."""
    lines = list(page.lines())
    head = next((line for line in lines if line.says in HEADS), None)
    signed = [line for line in lines if line.says in ("sign-for", "sign-own")]
    if [line.says for line in signed] != ["sign-own" if b.claimed is None else "sign-for"] or head is None:
        yield f"it does not say {SAYS['sign-own' if b.claimed is None else 'sign-for'][:40]!r}, or twice"
        return
    right = {"limits": limits(lines), "open": open_topics(lines)}
    if b.claimed is None:
        right["own"] = signed_own(lines)
    else:
        right["verdict"] = signed_verdict(head, wrong=b.claimed["quality"] == "wrong")
    if any(signed[0].values[key] != value for key, value in right.items()):
        yield "what is signed is not its verdict, or covers more"


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
    needed += ["neighbours" if is_sized_by_rows(b.neighbours) else "neighbours-named"]
    needed += ["claimed-delta"] if b.claimed is not None and b.claimed["delta"] != "0" else []
    wrong = "wrong-rounded" if heads[0] == "fails-sums" else "wrong"
    needed += [wrong] if b.claimed is not None and b.claimed["quality"] == "wrong" else []
    if {"wrong", "wrong-rounded"} - {wrong} & set(said):
        yield "it says of a table that is no mechanism that rounding explains it, and that it does not"
    if b.claimed is None and any(says in OF_A_CLAIM for says in said):
        yield "it says something of a claim, and nothing was claimed"
    if b.quality == "wrong" and any(says in (*OF_THE_NUMBERS, *OF_REPAIRS, *OF_A_MECHANISM) for says in said):
        yield "it says how private a table is that is no mechanism, or what would repair its claim"
    is_open = state == "undecided" and b.is_printed
    if state != "fails" and not is_open and any(says in OF_REPAIRS for says in said):
        yield "it says what would repair a claim that does not fail"
    needed += _needed_of_grid(b)
    sums = {"exact": "sums-exact", "rounded": "sums-rounded", "wrong": "sums-wrong"}
    needed += [] if b.is_printed else [sums[b.quality]]
    yield from (f"it says {SAYS[says][:40]!r}" for says in sums.values() if says in said and says not in needed)
    yield from b.faults_of_quality()
    yield from faults_of_parts(b)
    yield from faults_of_undecided(b)
    yield from faults_of_choice(page, b)
    yield from _of_limits(page, heads[0], b)
    yield from _of_others(page, b)
    for says in needed:
        if said.count(says) != 1:
            yield f"it does not say {SAYS[says][:40]!r}, or twice"
    for part in b.certificates:
        named = re.match(r"consumer-[0-9]+", part)
        if named and named[0] not in b.numbers_of_consumers:
            yield f"it says nothing of {named[0]}"
    yield from _of_parts_without(page, b)
    yield from of_signature(page, b)
    yield from of_requirements(page, b)
    yield from faults_of_gaps(b, sum(line.says in ROWS_OF_CONSUMERS for line in page.lines()))
    yield from (f"a certificate, or the numbers, decides {text!r}, and it does not say so" for text in decided_elsewhere(b))
    yield from faults_of_numbers(page, b)
    yield from faults_of_remaps(page, b)
    yield from faults_of_printed_rows(page, b)
    for line in page.lines():
        if not line.shown and any(part == line.of or part.startswith(f"{line.of}-") for part in b.certificates):
            yield f"there is a certificate of {line.of}, and it says that there is none"


def _of_parts_without(page: Page, b: Compared) -> Iterator[str]:
    """A consumer's part that has no certificate has its row all the same, which says so."""
    told = {line.of for line in page.lines() if line.says in ROWS_OF_CONSUMERS}
    of_consumers = (re.match("consumer-[0-9]+", part) for part in b.predicate["without"])
    for of in sorted({found[0] for found in of_consumers if found is not None} - told):
        yield f"it says nothing of {of}, of which there is no certificate"


def _needed_of_grid(b: Compared) -> list[str]:
    """What a page says whose inputs are the points of a grid."""
    name, sides = b.neighbours, grid_of_labels(b.inputs)
    metric = metric_of_grid(name)
    found = ["grid-steps"] if metric else ["grid-labels"] if sides and not name.startswith("euclid:") else []
    if not metric and not sides:
        return found
    return [*found, *(["grid-order"] if are_rows_named(b) is False else [])]


def _of_head(page: Page, head: str, b: Compared) -> Iterator[str]:
    """What is wrong with how the verdict begins: it is qualified where it must be, and signed so."""
    lines = list(page.lines())
    beside = [line.values["where"] for line in lines if line.says in BESIDE]
    state, wanted = HEADS[head], {"holds": ("other-fails",), "fails": ("other-holds", "other-fails")}
    told = [WHERE[_family(line.values["words"])] for line in lines if line.says in wanted.get(state, ())]
    if b.quality != "wrong" and told != [place for place in beside if place in told]:
        yield "it does not say below its verdict which one other neighbours have"
    if any(line.says == {"holds": "beside-fails-too", "fails": "beside-fails"}.get(state) for line in lines):
        yield "it says of other neighbours that they have the other verdict, or the same one, and the reverse is true"
    opposite = {"holds": "beside-fails", "fails": "beside-holds"}
    if head in ("holds", "fails") and any(line.says == opposite[head] for line in lines) and b.quality != "wrong":
        yield "its verdict does not say for which neighbours it is"
    if head in ("holds", "holds-for", "holds-printed", "holds-printed-infinite", "holds-printed-delta") and is_another(b):
        yield "its verdict is of a table with rows divided by their sums, and does not say so"
    if head in ("holds", "holds-for") and is_plain_decimals(b, page) and all_that_print_so_keep(b) is False:
        yield "its verdict holds only for the numbers as printed, and does not say so"
    if head in ("holds", "holds-for", "fails", "fails-for") and b.is_printed:
        yield "its verdict is of every table that prints so, and does not say so"
    said = {line.says for line in lines}
    if ("unit" if metric_of_grid(b.neighbours) else "unit-grid") in said:
        yield "a step on a grid is a cell, and one of other neighbours is none, and it says another thing"
    file, judged = file_numbers(b), judged_numbers(b)
    if file is not None and judged is not None:
        if ("divided" in said) != (judged != file) and b.quality != "wrong":
            yield "it does not say whether what was judged is the table of the file"
        as_read = "renormalised" not in said or any(says.startswith("numbers-") for says in said)
        if b.reading.get("renormalise") and judged != file and as_read:
            yield "it says of its numbers that they are those of the file, and its rows were divided"
    if (head == "fails-unclaimed") != (state == "fails" and b.claimed is None):
        yield "its verdict is about a claim, and nothing was claimed, or the reverse"


def _family(words: str) -> str:
    return {said: word for word, said in NEIGHBOURS.items()}[words]


def _of_limits(page: Page, head: str, b: Compared) -> Iterator[str]:
    """What is wrong with how far the numbers reach: what they are, and what their digits can show."""
    said = {line.says for line in page.lines()}
    of_rounding = [(line.says, line.values["numbers"]) for line in page.lines() if line.says in ("within-fails", "within-holds")]
    if b.is_printed:
        if of_rounding:
            yield "it says how far numbers reach that are stored, and all tables that print so were judged"
        return
    precision, state = precision_of_file(b, said), HEADS[head]
    if head.startswith(("holds-printed", "fails-printed")) and precision != "decimals":
        yield "its verdict is of the digits of its numbers, and these are no decimals"
    if any(one != (f"within-{state}", precision.removeprefix("printed ")) for one in of_rounding):
        yield "it says that its verdict is within a rounding that its numbers do not have, or of another verdict"
    told = [says for says in said if says.startswith("numbers-")]
    own = f"numbers-{precision.replace(' ', '-')}"
    if b.read.plain is not None and told and told != [own]:
        yield f"it does not say {SAYS[own][:40]!r}"
    if b.claimed is None or b.quality == "wrong" or state not in ("holds", "fails"):
        return
    if state == "fails" and is_barely(page, b):
        if head not in ("fails-rounding", "fails-barely"):
            yield "its claim fails by less than a billionth, and it does not say so"
        return
    within = is_within(b, precision, state == "fails")
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


def _of_others(page: Page, b: Compared) -> Iterator[str]:
    """What is wrong with what is said of the other usual neighbours, and what is not said of them."""
    state = STATES[b.predicate["verdicts"][0]["verdict"]]
    if b.claimed is None or b.quality == "wrong" or state not in ("holds", "fails"):
        return
    lines = list(page.lines())
    said = {line.values["words"]: line.says for line in lines if line.says in ("other", "other-holds", "other-fails")}
    beside = {line.values["where"]: line.says for line in lines if line.says in BESIDE}
    told = {line.values["words"] for line in lines if line.says in ("other", "other-holds", "other-fails", "other-between")}
    for family in other_choices(b):
        if b.is_printed and b.claimed["delta"] == "0" and NEIGHBOURS[family] not in told:
            yield f"it does not say which smallest ε {family} neighbours have"
        holds = holds_for(b, family)
        if holds is None:
            continue
        if not b.is_printed and said.get(NEIGHBOURS[family]) != ("other-holds" if holds else "other-fails"):
            yield f"it does not say what {family} neighbours have"
        if holds != (state == "holds") and beside.get(WHERE[family]) != ("beside-holds" if holds else "beside-fails"):
            yield f"it does not say below its verdict that {family} neighbours have another one"


OF_A_CLAIM = (
    *("claimed", "claimed-delta", "sign-for", "more", "less", "equal", "least-delta", "least-delta-between", "wrong"),
    *("other-holds", "other-fails", "instead", "wrong-rounded", *BESIDE),
)
"""Lines about what is claimed."""


OF_A_MECHANISM = ("other", "other-holds", "other-fails", "other-between", "within-fails", "within-holds", "divided", *BESIDE)
"""Lines about other neighbours, and about numbers that were judged: a table that is no mechanism has none."""


OF_REPAIRS = ("repair-epsilon", "repair-epsilon-printed", "repair-delta", "or-delta", "repair-uniform", "repair-uniform-printed")
"""Lines about what would make a claim true."""


OF_THE_AUDITOR = ("called", "chosen", "unit", "unit-grid", "grid-unit")
"""Lines with a text that the auditor states, which say so, and are compared with nothing."""


UNCERTIFIED = (
    *("own", "own-pure", "between", "between-infinite", "least-delta", "least-delta-between", "row", "bears", "bears-equal"),
    *(*REMAPS, "remap-row", "other-between", "between-none", "event", "event-never", "event-printed"),
    *("instead", "repair-epsilon-printed", "beside-fails-too"),
    *("repair-epsilon", "repair-delta", "or-delta", "repair-uniform", "repair-uniform-printed", "as-stands", "more", "less", "equal"),
    *("row-printed", "row-open", "row-beyond", "beside-holds", "beside-fails", "fails-rounding", "fails-barely", "fails-printed"),
)
"""What may stand on page one without a certificate, and then says so."""


OF_THE_NUMBERS = ("own", "own-pure", "own-infinite", "more", "equal", "less", "event", "event-never", "repair-epsilon", "repair-uniform")
"""Lines on the smallest ε, which follows from rational numbers where it has no certificate."""


OF_PRINTED_NUMBERS = ("other-between", "between-none")
"""Lines on printed tables that follow from their digits, also without a certificate."""


OF_CONSUMERS = (*ROWS_OF_CONSUMERS, "row-beyond", "bears", "bears-equal", *REMAPS, "remap-row")
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
        if line.says not in OF_PRINTED_NUMBERS and not (line.says in OF_THE_NUMBERS and b.has_own_of_numbers):
            return
    if line.says in COMPARED:
        if not COMPARED[line.says](b, line.values, line.of):
            raise Differs("it has other values")
    elif line.values and line.says not in OF_THE_AUDITOR:
        raise Differs("nothing is known that it could be compared with")


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
        compare_beside_printed(line, b)
    elif line.says in BOLD:
        raise NotComparedError("no certificate shows it")


def _is_of_consumer(line: Line, b: Compared) -> bool:
    """Whether a line is about a consumer of whom something was asked, if not all of it has a certificate."""
    found = re.fullmatch(r"(consumer-[0-9]+)(?:-[a-z-]+)?", line.of)
    if found is None or line.says not in OF_CONSUMERS:
        return False
    return any(part.startswith(f"{found[1]}-") for part in (*b.certificates, *b.predicate["without"]))


def _scope(b: Compared, v: Values, _: str) -> bool:
    """Decided here are the guarantee, and the usefulness for who was named; all else is stated or open."""
    topic = {words: key for key, words in TOPICS.items()}[v["topic"]]
    verdict = b.predicate["verdicts"][0]["verdict"]
    told = v["status"], v["text"]
    if topic == "guarantee" and b.quality == "wrong":
        return told == (OPEN, NOT_JUDGED[is_explained(b)])
    if topic == "guarantee":
        return told == ((UNDECIDED, "") if verdict == "undecided" else (DECIDED, "see above"))
    if topic == "utility" and b.numbers_with_rows:
        return told == ((UNDECIDED, "") if b.is_printed and verdict != "proved" else (DECIDED, "see above"))
    if v["status"] == STATED:
        return topic in STATEMENTS and bool(v["text"])
    return told == (OPEN, "")


def _made(b: Compared, v: Values, _: str) -> bool:
    return bool(v["date"] == b.predicate["date"] and v["release"] == b.predicate["exactdp"])


def _version(b: Compared, v: Values, _: str) -> bool:
    return bool(v["release"] == b.predicate["exactdp"])


def _command(b: Compared, v: Values, _: str) -> bool:
    return v["command"] == seen(quoted(b.predicate["command"]))


COMPARED: Mapping[str, Callable[[Compared, Values, str], bool]] = {
    **LINES_OF_READING,
    **LINES_OF_NEIGHBOURS,
    **LINES_OF_PRIVACY,
    **LINES_OF_CONSUMERS,
    **LINES_OF_REMAPS,
    **LINES_OF_PRINTED,
    **{says: is_head_of_requirements(says) for says in REQUIRED_HEADS},
    "required": requirement_is_right,
    "scope": _scope,
    "made": _made,
    "version": _version,
    "command": _command,
}
"""How the values of a sentence are compared; the other sentences have none, or are the auditor's own."""
