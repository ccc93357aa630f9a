# SPDX-License-Identifier: MIT
"""Page one of an audit: its sentences, and the values in them.

Standard library only: this file lies in every bundle beside check_bundle.py, which runs it. A page is a list
of lines under six headings. A line names a sentence of SAYS and the values in it. page_one_formats.py writes
the page from its lines. compare_page_one.py compares each value with a certificate, with the table, or with
the manifest.

Decimals of ε, δ, factors and percentages are never below the number, all others are the nearest ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from exactdp.certificate.bundle_files import sha256, shown

NAMES = {"html": "page_one.html", "md": "page_one.md", "tex": "page_one.tex", "json": "page_one.json"}
"""The files of page one in a bundle, by their formats; the others are written from that of JSON."""

FORMAT, VERSION = "exactdp-page-one", 1

GLOSSARY = "https://exactdp.github.io/exactdp/glossary.html#"
"""Where words are explained."""

SECTIONS = ("Subject", "Claim", "Verdict", "How good", "What this does not say", "Re-check")
"""The headings, in their order."""

STATES = {"proved": "holds", "refuted": "fails", "undecided": "undecided", "no claim": "no claim"}
"""The four states of page one, by the verdict."""

HEADS = {
    **{state: state for state in STATES.values()},
    **dict.fromkeys(("holds-for", "holds-divided", "holds-divided-only", "holds-digits"), "holds"),
    **dict.fromkeys(("holds-printed", "holds-printed-infinite", "holds-printed-delta"), "holds"),
    **dict.fromkeys(("fails-for", "fails-rounding", "fails-barely", "fails-digits"), "fails"),
    **dict.fromkeys(("fails-printed", "fails-printed-delta", "fails-sums", "fails-unclaimed"), "fails"),
}
"""The sentences that the verdict begins with, each with its state."""

BESIDE = ("beside-holds", "beside-fails", "beside-fails-too")
"""Sentences of the verdict's weight: which one other neighbours have."""

REQUIRED_HEADS = ("required-fails", "required-open", "required-holds")
"""Sentences that stand in one frame with the verdict: what becomes of the requirements."""

BOLD = (*HEADS, *REQUIRED_HEADS, *BESIDE, "instead")
"""All sentences of the verdict's weight."""

NEIGHBOURS = {
    "path": "inputs that are next to each other in their order, as counts that differ by one person",
    "complete": "every input and every other one, as when one person's value may be any",
    "cycle": "inputs that are next to each other in a ring",
    "grid": "points of a grid that are next to each other in one coordinate",
    "hypercube": "words of bits that differ in one bit",
    "star": "the first input and every other one",
    "hamming": "databases that differ in the record of one person",
    "sum": "sums that differ by at most the value of one person",
    "counts": "lists of counts of which none differs by more than 1",
    "average": "averages that differ by the value of one person",
    "histogram": "histograms that differ by one person who changes the group",
    "euclid": "every two points at their distance as the crow flies, with a factor e^ε for each unit of it",
}
"""Who may become whom, by the word for neighbours."""

OTHERWISE = "the pairs of inputs that the auditor's file of neighbours lists"

WHERE = {
    "path": "where inputs next to each other are neighbours",
    "complete": "where any input may become any other one",
    "cycle": "where inputs next to each other in a ring are neighbours",
    "grid": "for steps on the grid",
    "euclid": "for distances as the crow flies",
}
"""The same in a few words, for the verdict."""

CHOSEN = "for the neighbours that were chosen"


def where(name: str) -> str:
    """For which neighbours a claim holds or fails, by their name.

    >>> where("grid:2x2"), where("star:4")
    ('for steps on the grid', 'for the neighbours that were chosen')
    """
    word = name.partition(":")[0].split(" ")[0]
    known = word in WHERE
    return WHERE[word] if known else CHOSEN


def where_of_law(reach: str = "") -> str:
    """The same of a law: for any two inputs, or for whole numbers that differ by at most so much.

    >>> where_of_law("3")
    'where whole numbers that differ by at most 3 are neighbours'
    """
    if reach in ("", "1"):
        return WHERE["path" if reach else "complete"]
    return f"where whole numbers that differ by at most {reach} are neighbours"


def neighbours_words(name: str) -> str:
    """Who may become whom, by the name of the neighbours.

    >>> neighbours_words("star:4")
    'the first input and every other one'
    """
    word = name.partition(":")[0].split(" ")[0]
    known = word in NEIGHBOURS
    return NEIGHBOURS[word] if known else OTHERWISE


def is_sized_by_rows(name: str) -> bool:
    """Whether the words for neighbours say all that their name says: the number is that of the rows.

    >>> is_sized_by_rows("complete:50 (local)"), is_sized_by_rows("grid:5x5")
    (True, False)
    """
    return re.fullmatch(r"(?:path|complete|cycle):[0-9]+(?: \(local\))?", name, re.ASCII) is not None


def metric_of_grid(name: str) -> str:
    """The distances as the crow flies between the points of a grid; empty for other neighbours.

    >>> metric_of_grid("grid:5x5"), metric_of_grid("path:5")
    ('euclid:5x5', '')
    """
    named = re.fullmatch(r"grid:([0-9]{1,6}(?:x[0-9]{1,6})+)", name, re.ASCII)
    return "" if named is None else f"euclid:{named[1]}"


def grid_of_labels(labels: Sequence[str]) -> str:
    """The sides of the grid whose points the labels are, in any order; empty if they are none.

    >>> grid_of_labels(["0,0", "0,1", "1,0", "1,1"]), grid_of_labels(["0", "1"])
    ('2x2', '')
    """
    points = [re.fullmatch(r"[0-9]{1,6}(?:,[0-9]{1,6})+", label, re.ASCII) for label in labels]
    found = {tuple(map(int, one[0].split(","))) for one in points if one is not None}
    if len(found) != len(labels) or len({len(one) for one in found}) != 1:
        return ""
    sides = [max(places) + 1 for places in zip(*found, strict=True)]
    size = 1
    for side in sides:
        size *= side
    return "x".join(map(str, sides)) if size == len(found) and size > 1 else ""


def without_digest(name: str) -> str:
    """A name, or the words for a consumer, without digests: those of files stand beside them.

    >>> without_digest("t.csv (sha256 327eb8c0…) with each row divided by its sum")
    't.csv with each row divided by its sum'
    >>> without_digest("side information {0; …; 15: 16 labels; sha256 d98900bf…}")
    'side information {0; …; 15: 16 labels}'
    """
    return re.sub(r" \(sha256 [0-9a-f]+…\)|; sha256 [0-9a-f]+…", "", name)


def consumers_shown(described: Sequence[str]) -> list[str]:
    """The words for all consumers of a page: without digests, but with them where two were alike without.

    A file that is called as a loss that has a name keeps its digest, too.

    >>> consumers_shown(["cost (sha256 327eb8c0…)", "cost (sha256 d98900bf…)", "steps (sha256 5a1b2c3d…)"])
    ['cost (sha256 327eb8c0…)', 'cost (sha256 d98900bf…)', 'steps']
    """
    plain = [without_digest(seen(words)) for words in described]
    return [
        short if plain.count(short) == 1 and consumer_words(short) == consumer_words(seen(words)) else seen(words)
        for short, words in zip(plain, described, strict=True)
    ]


LONGEST_NAME = 160
"""Characters of a name on page one, which stands in quotation marks."""


def _without_marks(text: str) -> str:
    """A text without quotation marks that could close those around it."""
    return re.sub(r"[\u201c\u201d\u201e\u201f\u2033\u275d\u275e\u301d\u301e\uff02\u02ba]", '"', text)


def title_shown(name: str) -> str:
    """The name of what was audited, for quotation marks: in one line, without digests or such marks.

    >>> title_shown("t.csv (sha256 327eb8c0…)"), title_shown("t”. It holds“"), len(title_shown(300 * "x"))
    ('t.csv', 't". It holds"', 160)
    """
    plain = _without_marks(without_digest(seen(name)))
    half = LONGEST_NAME // 2
    return plain if len(plain) <= LONGEST_NAME else f"{plain[:half]}…{plain[1 - half :]}"


TOPICS = {
    "guarantee": "how strong the guarantee is (ε, δ)",
    "unit": "the unit of privacy",
    "neighbours": "who chose the neighbours",
    "utility": "how useful the answers are",
    "sampler": "the sampling program draws from this table",
    "floating-point": "floating point of the sampler",
    "side-channels": "side channels, such as time and memory",
    "composition": "composition with other releases",
    "access": "access to data and answers",
    "collection": "data collection",
}
"""What a guarantee rests on, from the top of the pyramid of NIST SP 800-226 to its base."""

DECIDED, UNDECIDED, STATED, OPEN = "decided here", "not decided", "stated by the auditor", "not judged"

STATEMENTS = (
    "name",
    "unit",
    "neighbours",
    "sampler",
    "floating-point",
    "side-channels",
    "composition",
    "access",
    "collection",
    "grid-unit",
)
"""What an auditor may state: topics of the table, a name, and how long a unit of a grid is."""

SAYS = {
    # Subject
    "subject": "What was examined: “{name}”.",
    "called": "The auditor calls it: {text} (stated by the auditor).",
    "file": "File of the table: {given}, SHA-256 {digest}.",
    "other-file": "File read beside it (a prior, a loss or neighbours): {given}, SHA-256 {digest}.",
    "word": "No file of the table was read; it was made from the words {word}.",
    "no-file": "No file of the table is named; it was given as numbers.",
    "table": "The table as it was read, number for number, is table.json of this folder, SHA-256 {digest}.",
    "size": (
        "It has {rows} rows, one for each [[input|input]], which is the true value ({inputs}), and {columns} columns, one for each "
        "[[output|output]], which is the answer that is released ({outputs}). "
        "A number is the probability of the answer, given the true value."
    ),
    "numbers-exact": "Its numbers are fractions or decimals, and were taken exactly.",
    "numbers-decimals": "Its numbers are decimals of {places} places, and were taken exactly.",
    "numbers-doubles": "Its numbers are doubles, the binary numbers that programs compute with, and were taken exactly.",
    "numbers-printed-doubles": (
        "Its numbers are doubles, the binary numbers that programs compute with, printed with up to {places} places, and were taken "
        "as these decimals. The option --dyadic takes them as the doubles."
    ),
    "numbers-powers": "Its numbers are written with powers of e, such as e^(−1), and were taken exactly.",
    "numbers-irrational": "Some of its numbers are no fractions, such as roots; all were taken exactly.",
    "numbers-digits": (
        "Its numbers were taken as rounded to {digits}, as was asked: judged are all tables that print so and whose rows sum to 1, "
        "since the true one is not known."
    ),
    "renormalised": "Each row of the file was divided by its sum before anything else: judged is that table, not the one in the file.",
    "transposed": "Rows and columns were exchanged when it was read.",
    "header-read": "The first line of the file was read as names and not as numbers, as the option --header says.",
    "labels-read": "The first line and the first column of the file were read as names and not as numbers, as the option --labels says.",
    "sums-exact": "Every row sums to 1 and no number is negative: it is a [[mechanism|mechanism]], a table of probabilities.",
    "sums-rounded": (
        "It is rounded: a row sum, or a negative number, is off by at most {deviation}. "
        "Judged is the [[mechanism|mechanism]] with each row divided by its sum, and 0 for negative numbers."
    ),
    "sums-wrong": (
        "It is no [[mechanism|mechanism]], which is a table of probabilities: a row sum, or a negative number, is off by {deviation}."
    ),
    "rows-off": "Rows that do not sum to 1: {count}; row {row} sums to {excess} {side} than 1.",
    "looks-rounded": (
        "Rounding its numbers to {places} decimal places can explain that: the option --digits {places} judges every table that prints so."
    ),
    # Subject of a law
    "law": (
        "Judged is its law, the rule by which an answer is drawn, and no table: the table of this law is too large, and none was built, "
        "read or judged."
    ),
    "law-word": "The law is that of the words {word}. No file was read.",
    "law-file": "The law, number for number, is law.json of this folder, SHA-256 {digest}.",
    "law-response": (
        "The law: one of {size} labels is the [[input|input]], the true value, and one of them is the [[output|output]], the answer "
        "that is released: the true one with probability {keep}, and each of the others with probability {other}."
    ),
    "law-bits": (
        "The law: the [[input|input]], the true value, is a row of {bits} bits, {ones} of them set. Each bit is reported by itself, as "
        "1 with probability {set} if it is set, and with probability {clear} if it is not. The [[output|output]], the answer that is "
        "released, is all of them."
    ),
    "law-counts": (
        "The law: the [[input|input]], the true value, is one of {counts} whole numbers in a row. Noise is added, a whole number z whose "
        "probability is proportional to q^|z| with q = {level}. A sum beyond an end is the [[output|output]], the answer that is released, "
        "as it is, or is moved to the end, or is released as beyond it: all that is said here is true of each."
    ),
    # Claim
    "no-claim": "Nothing was claimed about its privacy.",
    "claimed": (
        "Claimed: if the true value is replaced by a [[neighbours|neighbouring]] one, no answer becomes more than {factor} times as "
        "likely. The logarithm of this factor is called [[level|ε]]; the smaller, the more private. Claimed is ε = {epsilon}."
    ),
    "claimed-delta": (
        "An exception is allowed: the probability of any set of answers may be higher than that, by at most {delta}. "
        "This number is called [[approximate-privacy|δ]]."
    ),
    "neighbours": "Who may become whom: {words}.",
    "neighbours-named": "Who may become whom: {words} ({name}).",
    "law-any": "Who may become whom: every input and every other one, as when one person's value may be any.",
    "law-near": "Who may become whom: whole numbers that differ by at most {reach}; one person changes a count by 1.",
    "law-other": "The other usual choice, every number and every other one: the smallest ε is {times} times as large there.",
    "law-other-same": (
        "The other usual choice, inputs that are next to each other in their order: the same law has the same smallest ε there."
    ),
    "grid-steps": (
        "Points next to each other in a row or a column are neighbours; diagonal ones are two steps. Distances as the crow flies are "
        "another claim, which exactdp privacy TABLE --graph {metric} decides."
    ),
    "grid-labels": (
        "The inputs are the points of a grid. Distances as the crow flies are another claim, which exactdp privacy TABLE --graph {metric} "
        "decides."
    ),
    "grid-order": "That the rows are the points in the order {points} is assumed: the file does not name them.",
    "grid-unit": "One unit of the grid is: {text} (stated by the auditor).",
    "grid-unit-open": "How long one unit of the grid is, is not stated.",
    "chosen": "Who chose this: {text} (stated by the auditor).",
    "chosen-open": "Who chose this is not stated.",
    "unit": "One step between neighbours stands for (the [[unit-of-privacy|unit of privacy]]): {text} (stated by the auditor).",
    "unit-grid": (
        "What is protected (the [[unit-of-privacy|unit of privacy]]): {text} (stated by the auditor). "
        "One step between neighbours is one cell of the grid."
    ),
    "unit-open": (
        "The [[unit-of-privacy|unit of privacy]], that is whether a person or an event is protected, and one report or many, is not stated."
    ),
    "other": "The other usual choice, {words}: the same table has the smallest ε = {epsilon} there.",
    "other-holds": "The other usual choice, {words}: the same table has the smallest ε = {epsilon} there, and the claim would hold.",
    "other-fails": "The other usual choice, {words}: the same table has the smallest ε = {epsilon} there, and the claim would fail.",
    "other-between": "The other usual choice, {words}: the smallest ε of tables that print so is between {low} and {high} there.",
    # Verdict
    "holds": "The claim holds.",
    "fails": "The claim fails.",
    "undecided": "Undecided.",
    "no claim": "No claim was judged.",
    "fails-unclaimed": "No claim was judged, and the table is no mechanism.",
    "required-fails": "What is required of it FAILS: {texts}.",
    "required-open": "What is required of it is NOT DECIDED: {texts}.",
    "required-holds": "All that is required of it holds: {texts}.",
    "holds-for": "The claim holds {where}.",
    "holds-divided": (
        "The claim holds for the table with rows divided by their sums, which is not the one in the file; --digits {places} judges every "
        "table that prints so."
    ),
    "holds-divided-only": "The claim holds for the table with rows divided by their sums, which is not the one in the file.",
    "holds-digits": "The claim holds {where}, for every table that prints so, that is with numbers rounded to the nearest with {digits}.",
    "holds-printed": (
        "The claim holds only for the numbers as printed. Every table that prints so, that is with numbers rounded to the nearest with "
        "{digits}, keeps ε = {epsilon}; --digits {places} judges them."
    ),
    "holds-printed-infinite": (
        "The claim holds only for the numbers as printed. Some tables that print so, that is with numbers rounded to the nearest with "
        "{digits}, keep no finite ε; --digits {places} judges them."
    ),
    "holds-printed-delta": (
        "The claim holds for the numbers as printed, by less than their digits can show; --digits {places} judges every table that "
        "prints so."
    ),
    "fails-for": "The claim fails {where}.",
    "fails-digits": "The claim fails {where}, for every table that prints so, that is with numbers rounded to the nearest with {digits}.",
    "fails-sums": (
        "Not judged as it stands: its rows do not sum to 1, which rounding to {places} decimal places explains. --digits {places} judges "
        "every table that prints so."
    ),
    "instead": (
        "Claim ε = {epsilon} instead: it holds for every table that prints so, that is with numbers rounded to the nearest with {digits}."
    ),
    "fails-rounding": (
        "The claim holds to {digits} digits, and fails in the next one: the smallest ε is {epsilon}. This is the size of floating-point "
        "rounding. Claim ε = {epsilon} instead, which holds exactly."
    ),
    "fails-barely": (
        "The claim holds to {digits} digits, and fails in the next one: the smallest ε is {epsilon}. This is less than a billionth of it. "
        "Claim ε = {epsilon} instead, which holds exactly."
    ),
    "fails-printed": (
        "The claim fails for the numbers as printed, by less than their digits can show; --digits {places} judges every table that prints "
        "so. Claim ε = {epsilon} instead, which holds for the numbers as printed."
    ),
    "fails-printed-delta": (
        "The claim fails for the numbers as printed, by less than their digits can show; --digits {places} judges every table that "
        "prints so."
    ),
    "beside-holds": "It would HOLD {where} (smallest ε = {epsilon}).",
    "beside-fails": "It FAILS {where} (smallest ε = {epsilon}).",
    "beside-fails-too": "It fails, too, {where} (smallest ε = {epsilon}).",
    "divided": "Judged was the table with each row divided by its sum: its numbers differ from those of the file by up to {farthest}.",
    "within-fails": (
        "It fails by less than the {numbers} of the table can show: for each two neighbours there are numbers that round to the same "
        "{numbers} and keep it."
    ),
    "within-holds": (
        "Judged are numbers that are stored as {numbers}. A program that computes with others, which round to the same {numbers}, may "
        "exceed ε by the size of this rounding."
    ),
    "wrong": "As it stands the table is no mechanism, so that no claim about its privacy is true of it.",
    "wrong-rounded": (
        "No claim is true of exactly these numbers, since they are no probabilities. That says nothing against the table before it was "
        "rounded."
    ),
    "as-stands": (
        "Its numbers as they stand would have the smallest ε = {epsilon}, and with each row divided by its sum the smallest ε = {divided}."
    ),
    "own": (
        "The smallest ε that it keeps is {epsilon}: if the true value is replaced by a neighbouring one, no answer becomes more than "
        "{factor} times as likely."
    ),
    "own-pure": "With δ = 0 the smallest ε that it keeps is {epsilon}, and then no answer becomes more than {factor} times as likely.",
    "own-infinite": "It keeps no finite ε: some answer is possible with one input, and impossible with its neighbour.",
    "between": "Of the tables that print so the smallest ε that is kept, with δ = 0, is between {low} and {high}.",
    "between-infinite": ("Of the tables that print so the smallest ε that is kept, with δ = 0, is between {low} and infinity."),
    "between-none": (
        "No table that prints so keeps a finite ε with δ = 0: in each of them some answer is possible with one input, and impossible "
        "with its neighbour."
    ),
    "no-more": "Only more digits narrow this.",
    "more": "That is more than the claimed ε by at most {difference}.",
    "equal": "That is the claimed ε.",
    "less": "That is less than the claimed ε.",
    "least-delta": (
        "With the claimed ε the smallest [[approximate-privacy|δ]] that it keeps is {delta}: by so much the probability of a set of "
        "answers may be higher than the factor allows."
    ),
    "least-delta-between": (
        "With the claimed ε they need a [[approximate-privacy|δ]] between {low} and {high}: by so much the probability of a set of "
        "answers may be higher than the factor allows."
    ),
    "event": (
        "Where it shows: the answer is {outputs} with probability {likely} if the input is {first}, and {unlikely} if it is {second}; "
        "{ratio} times as likely."
    ),
    "event-never": (
        "Where it shows: the answer is {outputs} with probability {likely} if the input is {first}, and never if it is {second}."
    ),
    "event-printed": (
        "Where it shows, in one of the tables that print so: the answer is {outputs} with probability {likely} if the input is {first}, "
        "and {unlikely} if it is {second}."
    ),
    "repair-epsilon": "What would repair it: claim ε = {epsilon} instead.",
    "repair-epsilon-printed": "What would repair it: claim ε = {epsilon} instead, for every table that prints so.",
    "repair-delta": "What would repair it: claim δ = {delta} beside the same ε.",
    "or-delta": "Or claim δ = {delta} beside the same ε.",
    "repair-uniform": (
        "Or change the mechanism: with probability {share} answer with any of the answers, all equally likely, and else as now; "
        "then the claim holds."
    ),
    "law-delta": "A δ is not judged at this size: decided is only that the claim does not hold with δ = 0.",
    "law-event-response": (
        "Where it shows: some answer has probability {likely} with one input, and {unlikely} with another; {ratio} times as likely."
    ),
    "law-event-never": "Where it shows: some answer has probability {likely} with one input, and never occurs with another.",
    "law-event-bits": (
        "Where it shows: of two inputs that have as few set bits in common as they can, the answer that is one of them, bit for bit, is "
        "{ratio} times as likely with it as with the other."
    ),
    "law-event-counts": (
        "Where it shows: the answer that is the lowest number is {ratio} times as likely with that number as with the one that is larger "
        "by {steps}."
    ),
    "repair-uniform-printed": (
        "Or change the mechanism: with probability {share} answer with any of the answers, all equally likely, and else as now; "
        "then the claim holds, whichever of the tables that print so is the true one."
    ),
    "late": "The time limit had passed before it was decided.",
    "required-words": "This is required of it; each line is decided by itself, exactly.",
    "required": "{text} {about} {status} {figure}",
    # How good
    "nobody": "No user of the answers was named, so that nothing is said of how good they are.",
    "words": "A [[consumer|consumer]] is somebody who uses the answers, and its [[loss|loss]] is how wrong a guess is.",
    "words-side": "Its [[side-information|side information]] is the set of values in which it knows the true value to be.",
    "words-best": "Best possible is the least loss of any mechanism with this ε.",
    "words-gap": "The gap is what is lost beyond it.",
    "words-remap": "A [[remap|remap]] reads an answer as another one.",
    "divided-losses": "The losses are those of the table with each row divided by its sum.",
    "consumer": "Consumer {number} is {consumer}: {words}.",
    "row": "{number} {epsilon} {deployed} {remapped} {optimum} {gap} {gap_after}",
    "row-printed": "{number} {epsilon} {deployed} {optimum} {gap}",
    "row-open": "{number} {epsilon} {deployed} {optimum}",
    "row-beyond": (
        "A {measure} of consumer {number} {side} {optimum} is possible only for tables that print so and do not keep the claimed ε."
    ),
    "row-none": "For consumer {number} there is no comparison with the best possible; the appendix says why.",
    "not-kept": "At the claimed ε there is no comparison, since the table does not keep it.",
    "remap-none": "Best remap for consumer {number}: each answer as it is.",
    "remap": "Best remap for consumer {number}: {moves}; other answers as they are.",
    "remap-many": "Best remap for consumer {number}: {count} answers are read as others, which the appendix lists.",
    "remap-random": (
        "Best remap for consumer {number}: some answers are read as one of several values, which a random draw decides; the appendix has "
        "the probabilities."
    ),
    "remap-drawn": (
        "Best remap for consumer {number}: a random draw decides as what an answer is read, as the table below says in nearest "
        "percentages; other answers as they are."
    ),
    "remap-row": "{number} {output} {read} {exact}",
    "bears": (
        "Who bears it, as deployed: the {measure} of consumer {number} is {most} if the input is {worst}, and {least} if it is {best}."
    ),
    "bears-equal": "Who bears it, as deployed: the {measure} of consumer {number} is {most} for every input that it holds possible.",
    "law-open": "Asked, and not judged at this size: {question}.",
    # What this does not say
    "scope": "{topic} {status} {text}",
    # Re-check
    "check-bundle": (
        "To check all of this again: exactdp verify FOLDER, or python -I check_bundle.py FOLDER without exactdp, where FOLDER has this "
        "page. Its manifest.json has the digest of every file; the appendix is page.html."
    ),
    "check-command": "To check this again, run the command below on the same files; the option --bundle writes certificates.",
    "check-python": "To check this again, ask the same question of the same table; bundle() writes certificates.",
    "made": "Made on {date} by exactdp {release}.",
    "version": "Made by exactdp {release}.",
    "command": "Command: {command}",
    "rounding": (
        "Numbers of ε and δ, factors and percentages are rounded up (the lower end of a range down), others to the nearest. "
        "The appendix has the exact fractions."
    ),
    "sign-for": ("I sign that the claim of ε = {epsilon} and δ = {delta} for “{name}” {verdict}, {where}; {limits}; not covering: {open}."),
    "sign-own": "I sign that no claim was judged for “{name}”, which {own}, {where}; {limits}; not covering: {open}.",
    "sign": "Name, date and signature:",
}
"""The sentences. [[place|words]] is a word of the glossary; {…} is a value."""

_FIRST = dict(zip(("subject", "no-claim", "holds", "nobody", "scope", "check-bundle"), SECTIONS, strict=True))
"""The first sentence of each heading, in the order of SAYS."""


def section_of(says: str) -> str:
    """The heading that a sentence stands under.

    >>> section_of("holds"), section_of("unit-open")
    ('Verdict', 'Claim')
    """
    listed = list(SAYS)
    return next(_FIRST[one] for one in reversed(listed[: listed.index(says) + 1]) if one in _FIRST)


OF_LAWS = frozenset(says for says in SAYS if says == "law" or says.startswith("law-"))
"""Those that are about a law, and so on no page of a table."""

LOSSES = {
    "abs": "loses the distance of its guess from the true value",
    "squared": "loses the square of the distance of its guess from the true value",
    "zero-one": "loses 1 by a wrong guess and nothing by a right one",
    "distance": "loses the number of steps between neighbours from its guess to the true value",
}
"""What who has a loss of this name loses."""


def consumer_words(described: str) -> str:
    """What a consumer loses, and how it judges, in words.

    >>> consumer_words("the minimax consumer with loss abs")
    'it loses the distance of its guess from the true value, and looks at the worst true value'
    """
    titled = r"the (minimax|Bayesian) consumer with (loss|gain) (.+?)(?: and (?:side information \{.*\}|prior .+))?"
    named = re.fullmatch(titled, described)
    if named is None:
        return "its loss is in the appendix"
    is_named = named[2] == "loss" and named[3] in LOSSES
    loss = LOSSES[named[3]] if is_named else "has the loss that the auditor's file or word says"
    judged = "the worst true value" if named[1] == "minimax" else "the average over its beliefs, the prior"
    return f"it {loss}, and looks at {judged}"


ROWS_OF_CONSUMERS = ("row", "row-printed", "row-open")
"""The rows of the table of consumers."""

REMAPS = ("remap", "remap-none", "remap-many", "remap-random", "remap-drawn")
"""The sentences that tell the best remap of a consumer; rows of a table follow the last one."""

ROWS = {
    "row": (
        ("consumer", "ε", "loss as deployed", "after best remap", "best possible", "gap", "gap after remap"),
        ("number", "epsilon", "deployed", "remapped", "optimum", "gap", "gap_after"),
    ),
    "row-printed": (
        ("consumer", "ε", "loss as deployed", "best possible", "gap"),
        ("number", "epsilon", "deployed", "optimum", "gap"),
    ),
    "row-open": (("consumer", "ε", "loss as deployed", "best possible"), ("number", "epsilon", "deployed", "optimum")),
    "remap-row": (("consumer", "answer", "is read"), ("number", "output", "read")),
    "required": (
        ("required", "of what", "verdict", "number"),
        ("text", "about", "status", "figure"),
    ),
    "scope": (("what", "who says so", "what is said"), ("topic", "status", "text")),
}
"""The sentences that are rows of a table: its head, and the values in the cells.

The exact probabilities of a row of a remap are in no cell: the file of JSON has them.
"""

NONE = "–"
"""Stands in a cell where there is nothing to say."""

UNSHOWN = " (No certificate shows this.)"
"""Stands after a line without a certificate."""

_ABOUT = {
    "epsilon": "smallest ε beside δ = ",
    "alpha": "smallest ε beside δ = ",
    "delta": "least δ at ε = ",
    "gap": "gap as deployed, consumer ",
    "gap after remap": "gap after the best remap, consumer ",
}
"""What a requirement is about."""


NO_GAP = "whose row has none"
"""Stands for the number of a consumer whose gap is not known."""


def required_about(quantity: str, beside: str) -> str:
    """Which number a requirement is about: beside which δ, at which ε, or of which consumer.

    >>> required_about("epsilon", "0")
    'smallest ε beside δ = 0'
    """
    return _ABOUT[quantity] + beside


_NUMBERS = frozenset(
    (
        *("epsilon", "delta", "factor", "low", "high", "difference", "likely", "unlikely", "ratio", "share", "divided"),
        *("deployed", "remapped", "optimum", "gap", "gap_after", "most", "least", "figure", "excess", "deviation", "farthest"),
        *("rows", "columns", "count", "keep", "other", "set", "clear", "level"),
    )
)
"""Values that are numbers: the formats write them for a reader, and the file of JSON for a machine."""

_WRITTEN_NUMBER = re.compile(r"(?<![\w./,])([0-9]{1,400})(\.[0-9]{1,400})?(?:e(-?[0-9]{1,4}))?(?![\w/,]|\.[0-9])", re.ASCII)

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def number_for_reader(text: str) -> str:
    """A text whose decimals have no letter e, and whose long whole numbers have commas.

    >>> number_for_reader("1203000"), number_for_reader("1e-6 to 2.5e-5"), number_for_reader("1.109e-17")
    ('1,203,000', '0.000001 to 0.000025', '1.109 × 10⁻¹⁷')
    """

    def written(found: re.Match[str]) -> str:
        whole, fraction, power = found[1], found[2] or "", int(found[3] or "0")
        if -6 <= power < 0 and len(whole) == 1:
            return f"0.{'0' * (-power - 1)}{whole}{fraction[1:]}"
        return f"{int(whole):,}{fraction}" + (f" × 10{str(power).translate(_RAISED)}" if power else "")

    return _WRITTEN_NUMBER.sub(written, text)


def bound_for_reader(text: str) -> str:
    """A requirement, or several, with the signs and the numbers of a reader.

    >>> bound_for_reader("delta <= 1e-6; gap < 5%")
    'delta ≤ 0.000001; gap < 5%'
    """
    return number_for_reader(text.replace(" <= ", " ≤ ").replace(" >= ", " ≥ "))


def values_for_reader(says: str, values: Mapping[str, str]) -> dict[str, str]:
    """The values of a line as the formats write them."""
    found = {key: number_for_reader(text) if key in _NUMBERS else text for key, text in values.items()}
    if says == "required" or says in REQUIRED_HEADS:
        found |= {key: bound_for_reader(text) for key, text in values.items() if key in ("text", "texts")}
    if "about" in values:
        found["about"] = re.sub("(?<== ).*", lambda part: number_for_reader(part[0]), values["about"])
    return found


LONGEST = 40
"""Characters of a label on page one."""


def brief(text: str) -> str:
    """A label on page one: in one line, and without its middle if it is long.

    >>> brief("yes"), len(brief("x" * 100))
    ('yes', 40)
    """
    whole = seen(text)
    return whole if len(whole) <= LONGEST else f"{whole[: LONGEST // 2]}…{whole[1 - LONGEST // 2 :]}"


def seen(text: str) -> str:
    r"""A text in one line, in which what is not seen, and a flood of marks, are escaped.

    >>> print(seen(f"a{chr(0x3164)}b{chr(0x2800)}"))
    a\u3164b\u2800
    """
    return shown(text)


def point(label: str) -> str:
    """A label as :func:`brief` has it, and that of a point with parentheses.

    Behind one without its middle stands the beginning of its SHA-256: others begin and end so, too.

    >>> point("2,0"), point("a,b"), point(30 * "x" + "1" + 30 * "x") == point(30 * "x" + "2" + 30 * "x")
    ('(2, 0)', 'a,b', False)
    """
    is_point = re.fullmatch(r"-?[0-9]+(?:,-?[0-9]+)+", label, re.ASCII) is not None
    whole = f"({label.replace(',', ', ')})" if is_point else label
    found = brief(whole)
    return found if found == seen(whole) else f"{found} #{sha256(ascii(label).encode())[:8]}"


def few(labels: Sequence[str]) -> str:
    """Some labels: all of a few, else the first three and the last.

    >>> few(["a", "b"]), few(list("abcdefgh")), few(["a, b", "2,0"])
    ('a, b', 'a, b, c, … h', '“a, b”, (2, 0)')
    """
    listed = list(map(in_a_list, labels))
    return ", ".join(listed) if len(listed) <= 6 else f"{', '.join(listed[:3])}, … {listed[-1]}"


def in_a_list(label: str) -> str:
    """A label among others: in quotation marks if it could be several of them."""
    found = point(label)
    is_one = _IS_POINT.fullmatch(found) is not None or re.search(r", |[\u201c-\u201f]", found) is None
    return found if is_one else f"\u201c{_without_marks(found)}\u201d"


_IS_POINT = re.compile(r"\((?:-?[0-9]+, )+-?[0-9]+\)", re.ASCII)
"""A point as :func:`point` has it."""


AUTO = "as many decimal places as each of them shows"
"""How the digits of a printed table are told that differ."""


def digits_text(digits: str) -> str:
    """How many digits a table is printed with.

    >>> digits_text("2"), digits_text("1"), digits_text("auto") == AUTO
    ('2 decimal places', '1 decimal place', True)
    """
    return AUTO if digits == "auto" else f"{digits} decimal place{'' if digits == '1' else 's'}"


def moves_text(moves: Sequence[tuple[str, str]]) -> str:
    """Which answers are read as which.

    >>> moves_text([("0", "1"), ("3", "2")])
    '0 is read as 1, 3 is read as 2'
    """
    return ", ".join(f"{_cited(output)} is read as {_cited(guess)}" for output, guess in moves)


def _cited(label: str) -> str:
    """A label in a sentence on what is read as what: in quotation marks if it could be more of the sentence.

    >>> _cited("2,0"), _cited("age 20"), _cited("1, 2 is read as 0")
    ('(2, 0)', 'age 20', '“1, 2 is read as 0”')
    """
    shown = point(label)
    is_point = _IS_POINT.fullmatch(shown) is not None
    is_clear = re.search(r"[,;%\u201c-\u201f]| (?:as|in|is) ", label) is None
    return shown if is_point or is_clear else f"\u201c{_without_marks(shown)}\u201d"


def share_text(low: tuple[int, int], high: tuple[int, int]) -> str | None:
    """The nearest percentage, with two places, of a probability between two fractions; None if theirs differ.

    Of a probability between 0 and 1 neither 0 % nor 100 % is said.

    >>> share_text((1, 4), (1, 4)), share_text((2, 3), (2, 3)), share_text((1, 3), (2, 3)) is None
    ('25', '66.67', True)
    >>> share_text((1, 10**9), (1, 10**9)), share_text((10**9 - 1, 10**9), (10**9 - 1, 10**9))
    ('less than 0.01', 'more than 99.99')
    """
    places, others = ((20_000 * p + q) // (2 * q) for p, q in (low, high))
    if places != others:
        return None
    if places <= 0:
        return "less than 0.01"
    if places >= 10_000:
        return "more than 99.99"
    return f"{places // 100}.{places % 100:02}".rstrip("0").rstrip(".")


def reading_text(shares: Sequence[tuple[str, str]]) -> str:
    """How an answer is read: as which guesses, each with its percentage of the cases.

    >>> reading_text([("2", "25"), ("3", "75")]), reading_text([("2", "100")])
    ('as 2 in 25 % of cases, as 3 in 75 %', 'as 2, always')
    """
    if len(shares) == 1:
        return f"as {_cited(shares[0][0])}, always"
    first, *others = (f"as {_cited(guess)} in {share} %" for guess, share in shares)
    return ", ".join([f"{first} of cases", *others])


MOST_READ, LESS_READ, MOST_GUESSES = 12, 4, 3
"""Answers in the table of random remaps, how many fewer for each further consumer, guesses of an answer."""


def have_tables(sizes: Sequence[tuple[int, int]], consumers: int) -> list[bool]:
    """Which random remaps have a table on page one, by their numbers of answers and guesses: those that fit.

    It stays one page: where there are more consumers there is less room.

    >>> have_tables([(2, 4), (13, 26), (6, 12), (1, 2)], 2), have_tables([(2, 4)], 4)
    ([True, False, True, False], [False])
    """
    most = max(MOST_READ - LESS_READ * (consumers - 1), 0)
    answers = guesses = 0
    found = []
    for rows, pairs in sizes:
        fits = answers + rows <= most and guesses + pairs <= MOST_GUESSES * most
        answers, guesses = (answers + rows, guesses + pairs) if fits else (answers, guesses)
        found.append(fits)
    return found


SIGNED = {
    "holds": "holds",
    "holds-for": "holds",
    "holds-divided": "holds for the table with rows divided by their sums, not for the one in the file",
    "holds-divided-only": "holds for the table with rows divided by their sums, not for the one in the file",
    "holds-digits": "holds for every table that prints so, with numbers rounded to the nearest with {digits}",
    "holds-printed": (
        "holds for the numbers as printed, not for every table that prints so, with numbers rounded to the nearest with {digits} "
        "(these keep ε = {epsilon})"
    ),
    "holds-printed-infinite": "holds for the numbers as printed, not for every table that prints so (some keep no finite ε)",
    "holds-printed-delta": "holds for the numbers as printed, and not certainly for every table that prints so",
    "fails": "fails",
    "fails-for": "fails",
    "fails-rounding": "fails, by the size of floating-point rounding",
    "fails-barely": "fails, by less than a billionth of it",
    "fails-printed": "fails for the numbers as printed",
    "fails-printed-delta": "fails for the numbers as printed",
    "fails-digits": "fails for every table that prints so, with numbers rounded to the nearest with {digits}",
    "fails-sums": "is not judged as it stands, since its rows do not sum to 1, which rounding to {places} decimal places explains",
    "undecided": "is not decided",
}
"""What is signed of a claim, by the head of the verdict."""

NO_MECHANISM = "cannot hold, since it is no mechanism"
"""What is signed where rounding does not explain it."""

NOT_JUDGED = {True: "its rows do not sum to 1, which rounding explains", False: "it is no mechanism"}
"""Why the guarantee of a wrong table is not judged, by whether rounding explains it."""

_OWN = {
    "own": "has the smallest ε = {epsilon}",
    "own-infinite": "keeps no finite ε",
    "between": "has a smallest ε between {low} and {high}",
    "between-infinite": "has a smallest ε between {low} and infinity",
    "between-none": "keeps no finite ε",
    "fails-unclaimed": "is no mechanism",
}
"""What is signed where no claim was judged, by the line that says it."""

_LIMITS = {
    "required-fails": "what is required of it FAILS: {texts}",
    "required-open": "what is required of it is NOT DECIDED: {texts}",
    "required-holds": "all that is required of it holds: {texts}",
    "beside-fails": "not {where} (ε = {epsilon})",
    "beside-fails-too": "it fails, too, {where} (ε = {epsilon})",
    "beside-holds": "it would hold {where} (ε = {epsilon})",
    "instead": "ε = {epsilon} holds for every table that prints so, with numbers rounded to the nearest with {digits}",
    "law": "judged was its law, and no table",
    "divided": "each row divided by its sum",
    "grid-unit": "one unit of the grid is “{text}” (stated by the auditor)",
    "grid-unit-open": "how long one unit of the grid is, is not stated",
    "unit": "for one release; unit of privacy: “{text}” (stated by the auditor)",
    "unit-grid": "for one release; unit of privacy: “{text}” (stated by the auditor)",
    "unit-open": "for one release",
}
"""How what limits a verdict is repeated where it is signed, in this order."""


def limits(lines: Sequence[Line]) -> str:
    """What limits a verdict, for the sentence that is signed; texts of the auditor stand in quotation marks.

    >>> print(limits([Line("unit", {"text": "a person”; it holds: “b"})]))
    for one release; unit of privacy: “a person"; it holds: "b” (stated by the auditor)
    """
    told = ((words, line) for says, words in _LIMITS.items() for line in lines if line.says == says)
    return "; ".join(words.format(**{key: _quotable(key, text) for key, text in line.readable.items()}) for words, line in told)


def _quotable(key: str, text: str) -> str:
    """A value for the sentence that is signed: no text of the auditor closes the marks around it."""
    return _without_marks(text) if key == "text" else text


def signed_verdict(head: Line, *, wrong: bool) -> str:
    """What is signed of a claim; of a table that is no mechanism only that, unless rounding explains it."""
    return NO_MECHANISM if wrong and head.says != "fails-sums" else SIGNED[head.says].format(**head.readable)


def signed_own(lines: Sequence[Line]) -> str:
    """What is signed where no claim was judged: how private it is, as far as that was found."""
    found = next((line for line in lines if line.says in _OWN), None)
    if found is None:
        return "has a smallest ε that was not found"
    return _OWN[found.says].format(**found.readable) + ("" if found.shown else " (no certificate shows this)")


def open_topics(lines: Sequence[Line]) -> str:
    """What the sentence that is signed does not cover: what nobody judged, and what the auditor alone states.

    The unit of privacy is among the limits, where it is repeated as the auditor's.
    """
    scope = [line.values for line in lines if line.says == "scope"]
    found = [values["topic"] for values in scope if values["status"] in (OPEN, UNDECIDED)]
    alone = [values["topic"] for values in scope if values["status"] == STATED and values["topic"] != TOPICS["unit"]]
    found += [f"what the auditor alone states ({'; '.join(alone)})"] if alone else []
    return "; ".join(found) or "nothing more"


def required_heads(required: Sequence[tuple[str, str]]) -> list[Line]:
    """What the verdict says of the requirements, each with what became of it: which fail, or are not decided.

    A requirement that was decided of several consumers fails if it fails of one.

    >>> print(*required_heads([("gap <= 5%", "holds"), ("gap <= 5%", "fails"), ("delta <= 1/9", "holds")]))
    What is required of it FAILS: gap ≤ 5%.
    """
    failing = list(dict.fromkeys(text for text, status in required if status == "fails"))
    unknown = list(dict.fromkeys(text for text, status in required if status != "holds" and text not in failing))
    kept = [] if failing or unknown else list(dict.fromkeys(text for text, _ in required))
    told = zip(REQUIRED_HEADS, (failing, unknown, kept), strict=True)
    return [Line(says, {"texts": "; ".join(texts)}) for says, texts in told if texts]


def with_requirements(sentence: str, required: Sequence[Mapping[str, str]]) -> str:
    """The sentence of a verdict, and after it what becomes of the requirements, as a manifest has them.

    >>> with_requirements("No claim was judged.", [{"text": "gap <= 5%", "status": "fails", "part": ""}])
    'No claim was judged. What is required of it FAILS: gap ≤ 5%.'
    """
    return " ".join([sentence, *map(str, required_heads([(one["text"], one["status"]) for one in required]))])


FEW_MOVES = 6
"""A remap of more answers is in the appendix."""


def quoted(words: Sequence[str]) -> str:
    """A command line, as a shell reads it.

    >>> quoted(["exactdp", "audit", "a b.csv"])
    "exactdp audit 'a b.csv'"
    """
    plain = re.compile(r"[\w@%+=:,./-]+")
    return " ".join(word if plain.fullmatch(word) else "'" + word.replace("'", "'\"'\"'") + "'" for word in words)


_PLACES = {
    "minimax": "minimax-consumer",
    "Bayesian": "bayesian-consumer",
    "side information": "side-information",
    "prior": "prior",
    "zero-one": "loss",
}
"""Words of a consumer that the glossary explains, with their places there."""


def _linked(text: str) -> Iterator[tuple[str, str]]:
    """A text in pieces, each with its place in the glossary, or none; a word has it where it first occurs."""
    rest = dict(_PLACES)
    for piece in re.split(rf"\b({'|'.join(_PLACES)})\b(?![.-])", text):
        yield piece, rest.pop(piece, "")


@dataclass(frozen=True)
class Line:
    """One line of page one.

    Attributes
    ----------
    says : str
        Which sentence of SAYS.
    values : mapping of str to str
        What is put into it.
    of : str
        The part of the audit whose certificate shows it; empty where none need be.
    shown : bool
        False where the part has no certificate.
    """

    says: str
    values: Mapping[str, str] = field(default_factory=dict)
    of: str = ""
    shown: bool = True

    @property
    def readable(self) -> dict[str, str]:
        """The values as a reader sees them."""
        return values_for_reader(self.says, self.values)

    def pieces(self) -> list[tuple[str, str]]:
        """The text in pieces, each with its place in the glossary, or none."""
        found = []
        for k, piece in enumerate(re.split(r"\[\[([^\]]*)\]\]", SAYS[self.says])):
            place, _, words = piece.partition("|") if k % 2 else ("", "", piece)
            found.append((words.format(**self.readable), place))
        if self.says in ("consumer", "law-open"):
            found = [piece for words, _ in found for piece in _linked(words)]
        return found if self.shown else [*found, (UNSHOWN, "")]

    def cells(self) -> tuple[str, ...]:
        """The cells of a row."""
        cells = tuple(self.readable[key] for key in ROWS[self.says][1])
        return cells if self.shown else (*cells[:-1], cells[-1] + UNSHOWN)

    def __str__(self) -> str:
        return " | ".join(self.cells()) if self.says in ROWS else "".join(words for words, _ in self.pieces())


@dataclass(frozen=True)
class Page:
    """The lines under each heading; the title is the name of what was audited."""

    title: str
    sections: tuple[tuple[str, tuple[Line, ...]], ...]

    def lines(self) -> Iterator[Line]:
        """All lines in reading order."""
        for _, lines in self.sections:
            yield from lines

    def to_json(self) -> str:
        """The lines as the file of them has them."""
        sections = [
            {"title": title, "lines": [{"says": x.says, "values": dict(x.values), "of": x.of, "shown": x.shown} for x in lines]}
            for title, lines in self.sections
        ]
        body = {"format": FORMAT, "version": VERSION, "title": self.title, "sections": sections}
        import json  # the page's data: a question without a page does without

        return json.dumps(body, indent=1) + "\n"


MARK = "(stated by the auditor)"
"""Stands after what the auditor states, and in nothing that is stated: each paragraph has its own mark."""


def page_of(body: Any) -> Page:
    """The page of a value of JSON; ValueError for anything else."""
    try:
        if body["format"] != FORMAT or body["version"] != VERSION or set(body) != {"format", "version", "title", "sections"}:
            raise ValueError("it is of another format, or of another version of it")
        sections = []
        for section in body["sections"]:
            sections.append((section["title"], tuple(map(_line, section["lines"]))))
        page = Page(body["title"], tuple(sections))
        if not isinstance(page.title, str) or tuple(title for title, _ in sections) != SECTIONS:
            raise ValueError("it has other headings than page one")
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise ValueError(f"it is no page one: {error}") from None
    return page


def _line(value: Any) -> Line:
    line = Line(value["says"], value["values"], value["of"], value["shown"])
    if not all(isinstance(x, str) for x in (line.says, line.of, *line.values, *line.values.values())) or not isinstance(line.shown, bool):
        raise ValueError("a line of it is none")
    if any(text != seen(text) for text in line.values.values()) or MARK in line.values.get("text", ""):
        raise ValueError("a value of it has several lines, characters that are not seen, or the mark of what the auditor states")
    if line.says not in SAYS or set(re.findall(r"{(\w+)}", SAYS[line.says])) != set(line.values):
        raise ValueError(f"it says {line.says!r}, which page one does not, or with other values")
    return line
