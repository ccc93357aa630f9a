# SPDX-License-Identifier: MIT
"""Which lines page one has: each under its heading, once, with its part, and none left out.

Standard library only: this file lies in every bundle beside check_bundle.py, which runs it. What a line says
is compared elsewhere; a line that is missing says nothing wrong, and may have hidden a limit.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from exactdp.certificate.bundle_tables import Differs, sign_of
from exactdp.certificate.bundle_words import GAP_OF
from exactdp.certificate.page_one import BESIDE, HEADS, REMAPS, ROWS_OF_CONSUMERS, SAYS, TOPICS, Line, Page, brief, point, section_of
from exactdp.certificate.page_one_sources import Compared

_LEVEL, _CONSUMER = "level", r"consumer-[0-9]{1,6}"

PARTS: Mapping[str, str] = {
    **dict.fromkeys(("own", "own-pure", "own-infinite", "more", "equal", "less", "as-stands", "repair-uniform"), _LEVEL),
    **dict.fromkeys(("fails-printed", "fails-rounding", "fails-barely"), _LEVEL),
    **dict.fromkeys(("law-event-response", "law-event-never", "law-event-bits", "law-event-counts", "law-delta"), _LEVEL),
    **dict.fromkeys(("between", "between-infinite", "event-printed", "instead"), "largest-epsilon"),
    **dict.fromkeys(("repair-epsilon-printed", "repair-uniform-printed"), "largest-epsilon"),
    **dict.fromkeys(("event", "event-never"), "level|delta"),
    **dict.fromkeys(("repair-delta", "or-delta"), "delta|largest-delta"),
    **dict.fromkeys(("beside-holds", "beside-fails", "beside-fails-too"), "|other neighbours"),
    **dict.fromkeys((*ROWS_OF_CONSUMERS, "row-beyond", "bears", "bears-equal"), _CONSUMER),
    **dict.fromkeys((*REMAPS, "remap-row"), _CONSUMER),
    "repair-epsilon": _LEVEL,
    "least-delta": "delta",
    "least-delta-between": "largest-delta",
    "between-none": "smallest-epsilon",
    "other-between": "other neighbours",
    "required": "[a-z0-9-]*",
}
"""Of which part of the audit a line is; the others are of none."""

_NUMBER = r"-?(?:0|[1-9][0-9]{0,399})(?:\.[0-9]{1,400})?(?:e-?[0-9]{1,4})?"
_RANGE = rf"(?:–|infinity|{_NUMBER}(?: %)?(?: to (?:infinity|{_NUMBER}(?: %)?))?|0: optimal|none to [0-9]{{1,3}} digits)"

FORMS: Mapping[str, str] = {
    **dict.fromkeys(("factor", "delta", "low", "high", "difference", "likely", "unlikely", "ratio", "share", "divided"), _RANGE),
    **dict.fromkeys(("deployed", "remapped", "optimum", "gap", "gap_after", "most", "least"), _RANGE),
    "epsilon": rf"{_RANGE}(?: \((?:claimed|own|own and claimed)\))?",
    **dict.fromkeys(("number", "count", "rows", "columns", "places"), "[1-9][0-9]{0,5}"),
    **dict.fromkeys(("excess", "deviation", "farthest"), _NUMBER),
    "digest": "[0-9a-f]{64}",
    "measure": "loss|utility",
}
"""How these values are written, whole: a number is a number, and no sentence."""

ORDER: tuple[tuple[str, ...], ...] = (
    ("subject",),
    ("called",),
    ("law",),
    ("law-word",),
    ("law-response", "law-bits", "law-counts"),
    ("law-file",),
    ("file", "word", "no-file"),
    ("other-file",),
    ("table",),
    ("size",),
    ("renormalised",),
    tuple(says for says in SAYS if says.startswith("numbers-")),
    ("transposed",),
    ("header-read",),
    ("labels-read",),
    ("sums-exact", "sums-rounded", "sums-wrong"),
    ("rows-off",),
    ("looks-rounded",),
    ("no-claim", "claimed"),
    ("claimed-delta",),
    ("neighbours", "neighbours-named", "law-any", "law-near"),
    ("grid-steps", "grid-labels"),
    ("grid-order",),
    ("grid-unit", "grid-unit-open"),
    ("chosen", "chosen-open"),
    ("other", "other-holds", "other-fails", "other-between", "law-other", "law-other-same"),
    ("unit", "unit-grid", "unit-open"),
    tuple(HEADS),
    ("required-fails",),
    ("required-open",),
    ("required-holds",),
    ("instead",),
    BESIDE,
    ("within-fails", "within-holds"),
    ("divided",),
    ("wrong", "wrong-rounded"),
    ("as-stands",),
    ("late", "law-delta"),
    ("own", "own-pure", "own-infinite", "between", "between-infinite", "between-none"),
    ("more", "equal", "less", "no-more"),
    ("least-delta", "least-delta-between"),
    ("event", "event-never", "event-printed", *(says for says in SAYS if says.startswith("law-event-"))),
    ("repair-epsilon", "repair-epsilon-printed"),
    ("repair-delta", "or-delta"),
    ("repair-uniform", "repair-uniform-printed"),
    ("required-words",),
    ("required",),
    ("nobody", "words"),
    ("words-side",),
    ("words-best",),
    ("words-gap",),
    ("words-remap",),
    ("divided-losses",),
    ("consumer",),
    ROWS_OF_CONSUMERS,
    ("row-beyond",),
    ("not-kept",),
    ("row-none",),
    (*REMAPS, "bears", "bears-equal"),
    ("remap-row",),
    ("law-open",),
    ("scope",),
    ("check-bundle", "check-command", "check-python"),
    ("made", "version"),
    ("rounding",),
    ("command",),
    ("sign-for", "sign-own"),
    ("sign",),
)
"""The sentences in the order of every page; those of a group are in place of each other, or of one kind.

Of remaps and who bears a loss those about one consumer stand together.
"""

_RANKS = {says: rank for rank, group in enumerate(ORDER) for says in group}


def _faults_of_order(page: Page) -> Iterator[str]:
    """What is wrong with the order of lines: a sentence may say another thing below another one."""
    lines = list(page.lines())
    ranks = [(_RANKS[line.says], line) for line in lines]
    for (before, _), (after, line) in pairwise(ranks):
        if after < before:
            yield f"a line stands below one that it stands above: {line}"
    if [line.values["topic"] for line in lines if line.says == "scope"] != list(TOPICS.values()):
        yield "it does not say of each topic who judged it, in their order"
    rows = list(dict.fromkeys(line.values["number"] for line in lines if line.says in ROWS_OF_CONSUMERS))
    told = [line for line in lines if line.says in ORDER[_RANKS["remap"]]]
    places = [(rows.index(line.values["number"]), line.says.startswith("bears")) for line in told if line.values["number"] in rows]
    if len(places) != len(told) or any(before >= after for before, after in pairwise(places)):
        yield "what it says of remaps, and of who bears a loss, is not one of each for each consumer, in their order"


MAY_STAND_TWICE = ("required", "other-file")
"""A requirement can be asked twice, and a file can be the prior of two consumers."""


def _is_of_its_part(line: Line) -> bool:
    """Whether a line is about a part of its kind; about none, if its kind has none."""
    if line.says in PARTS:
        return re.fullmatch(PARTS[line.says], line.of) is not None
    return not line.of


def faults_of_lines(page: Page, b: Compared) -> Iterator[str]:
    """What is wrong with where the lines of page one are, how often, and of which part."""
    yield from _faults_of_order(page)
    seen_lines: Counter[str] = Counter()
    for title, lines in page.sections:
        for line in lines:
            if section_of(line.says) != title:
                yield f"a line is under another heading than its own: {line}"
            if not _is_of_its_part(line):
                yield f"a line is about {line.of!r}, which is not its part: {line}"
            yield from _faults_of_values(line, b)
            seen_lines[f"{line.says} {line}"] += line.says not in MAY_STAND_TWICE
    yield from (f"it says twice: {text.partition(' ')[2]}" for text, times in seen_lines.items() if times > 1)


def _faults_of_values(line: Line, b: Compared) -> Iterator[str]:
    """What is wrong with how the values of a line are written: they are numbers and labels."""
    for key, value in line.values.items():
        if key in FORMS and not re.fullmatch(FORMS[key], value, re.ASCII):
            yield f"a value of a line is written in another way ({key}): {line}"
        if not line.shown and key in ("first", "second", "worst", "best") and value not in map(point, b.inputs):
            yield f"a label of a line is none of an input ({key}): {line}"
        if key == "number" and value not in _numbers_of_consumers(b):
            yield f"a line is about a consumer of whom nothing was asked: {line}"


def _numbers_of_consumers(b: Compared) -> list[str]:
    asked = [question for question in b.predicate["questions"] if question.startswith(GAP_OF)]
    return [str(k) for k in range(1, len(asked) + 1)]


# ── Lines that may not be left out ──────────────────────────────────────────────────────────────
def faults_of_choice(page: Page, b: Compared) -> Iterator[str]:
    """Lines that tell where the table is from, what is open and how it is checked: one of each kind."""
    said = Counter(line.says for line in page.lines())
    grid = said["grid-steps"] + said["grid-labels"] + said["grid-order"] > 0
    kinds = [says for says in SAYS if says.startswith("numbers-")]
    exactly: list[tuple[Sequence[str], int]] = [
        (("table",), 1),
        ((*kinds, "renormalised"), 1),
        (("transposed",), bool(b.reading.get("transpose"))),
        (("header-read",), bool(b.reading.get("header"))),
        (("labels-read",), bool(b.reading.get("labels"))),
        (("grid-unit", "grid-unit-open"), grid),
    ]
    yield from _counted(said, exactly)
    yield from faults_of_statements(said, b)
    yield from _faults_of_files(page, b)
    yield from _faults_of_levels(said, b)
    yield from _faults_of_words(page, said, b)


def faults_of_statements(said: Mapping[str, int], b: Compared) -> Iterator[str]:
    """Lines that every page has: what the auditor states, or that it is open, and how all is checked."""
    exactly: list[tuple[Sequence[str], int]] = [
        (("chosen", "chosen-open"), 1),
        (("unit", "unit-grid", "unit-open"), 1),
        (("check-bundle",), 1),
        (("check-command", "check-python", "version"), 0),
        (("made",), 1),
        (("rounding",), 1),
        (("command",), bool(b.predicate["command"])),
        (("required-words",), said["required"] > 0),
    ]
    yield from _counted(said, exactly)


def _counted(said: Mapping[str, int], exactly: Sequence[tuple[Sequence[str], int]]) -> Iterator[str]:
    for names, times in exactly:
        if sum(said[says] for says in names) != times:
            first = next((says for says in names if said[says]), names[0])
            yield f"it has {sum(said[says] for says in names)} lines in place of {int(times)} that say {SAYS[first][:40]!r}, or the like"


def _faults_of_files(page: Page, b: Compared) -> Iterator[str]:
    """The files that were read are told, each once, in their order."""
    names = "file", "other-file"
    told = [(line.says, line.values["given"], line.values["digest"]) for line in page.lines() if line.says in names]
    digests = {part["name"]: part["digest"]["sha256"] for part in b.predicate["parts"]}
    listed = []
    for one in b.predicate["inputs"]:
        says = "file" if one["what"] == "table" else "other-file"
        listed.append((says, brief(one["given"]), digests[one["file"]]))
    expected = [one for one in listed if one[0] == "file"] + [one for one in listed if one[0] == "other-file"]
    if told != expected:
        yield "the files that it names are not those that were read, in their order"
    said = Counter(line.says for line in page.lines())
    is_file = any(one[0] == "file" for one in expected)
    yield from _counted(said, [(("word", "no-file"), not is_file)])


def _faults_of_levels(said: Mapping[str, int], b: Compared) -> Iterator[str]:
    """The smallest ε, how far it is from the claimed one, and where it shows, as far as it is certified."""
    verdict, claimed = b.predicate["verdicts"][0]["verdict"], b.claimed
    if b.quality == "wrong":
        return
    has_level = not b.is_printed and "level" in b.certificates
    is_pure = claimed is not None and claimed["delta"] == "0"
    own = ("own", "own-pure", "own-infinite")
    exactly: list[tuple[Sequence[str], int]] = []
    if has_level:
        exactly.append((own, 1))
        is_finite = sign_of(b.own()) != 0
        exactly.append((("more", "equal", "less"), is_pure and is_finite))
        if verdict == "refuted":
            exactly.append((("event", "event-never"), 1))
    if b.is_printed and "largest-epsilon" in b.certificates:
        exactly.append((("between", "between-infinite", "between-none"), 1))
    if verdict == "undecided":
        exactly.append((("no-more", "late"), 1))
    yield from _counted(said, exactly)


def _faults_of_words(page: Page, said: Mapping[str, int], b: Compared) -> Iterator[str]:
    """What words of the table of consumers mean is said where they occur, and each consumer has one row."""
    rows = [line for line in page.lines() if line.says in ROWS_OF_CONSUMERS]
    asked = any(question.startswith("how far") for question in b.predicate["questions"])
    has_gap = any(line.says != "row-open" and line.values["gap"] != "–" for line in rows)
    exactly: list[tuple[Sequence[str], int]] = [
        (("words", "nobody"), 1),
        (("nobody",), not asked),
        (("words-side",), any("side information {" in line.values["consumer"] for line in page.lines() if line.says == "consumer")),
        (("words-best",), bool(rows)),
        (("words-gap",), has_gap),
        (("words-remap",), bool(rows) and not b.is_printed),
        (("divided-losses",), bool(rows) and b.quality == "wrong"),
    ]
    fails = b.predicate["verdicts"][0]["verdict"] == "refuted" and b.claimed is not None and not b.is_printed
    exactly.append((("not-kept",), asked and fails))
    yield from _counted(said, exactly)
    for of, times in Counter(line.of for line in rows).items():
        if times > 1:
            yield f"it has {times} rows of {of}"


def require_which(shown: str, own: bool, claimed: bool) -> None:
    """Raise Differs unless the ε of a row says whether it is the mechanism's own, or the claimed one.

    >>> require_which("0.4055 (own)", True, False)
    """
    which = {(True, True): "own and claimed", (True, False): "own", (False, True): "claimed"}.get((own, claimed))
    if which is None or shown.partition(" ")[2] != f"({which})":
        raise Differs("its ε is not the one that it is said to be")
