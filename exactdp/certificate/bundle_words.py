# SPDX-License-Identifier: MIT
"""What a bundle says in words beside page one: its verdict, its questions, what is assumed, how pages begin.

Standard library only: this file lies in every bundle beside check_bundle.py, which runs it. Each sentence is
made from names and numbers, by who writes a bundle and by who checks it: a sentence that says more is another
one. Names stand in quotation marks, in one line, and are shortened, so that none reads as a verdict.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from exactdp.certificate.bundle_files import WORDS, shown

ASSUMED = (
    "the table is the law of the deployed mechanism: whether a program samples from it is another question",
    "each row is about one input, and one answer is released for it",
)
"""What every audit of a table takes for granted."""

ASSUMED_OF_A_LAW = (
    "the law is that of the deployed mechanism: whether a program samples from it is another question; no table was built or judged",
    "one answer is released for each input",
)
"""What an audit by a law takes for granted."""

NEIGHBOURS = "neighbours: "
"""How the first of what is assumed begins."""

GAP_OF = "how far from optimal it is for "
"""How the question of a consumer begins."""

LONGEST_NAME = 160
"""Characters of a name inside of a sentence."""

APPENDIX = (
    "Compared with the certificates are this sentence, and below it what the checker says; all else on this page is the report as it was "
    "made, and is compared with nothing. Page one is compared line by line."
)
"""What a page says of itself below its first sentence."""


def named(name: str) -> str:
    """A name in quotation marks: in one line, without such marks of its own, a long one without its middle.

    >>> named('t.csv'), named('a“ is private. ”b'), len(named('x' * 1000))
    ('“t.csv”', '“a" is private. "b”', 162)
    """
    plain = shown(re.sub("[“”„‟″]", '"', name))
    half = LONGEST_NAME // 2
    return f"“{plain if len(plain) <= LONGEST_NAME else f'{plain[:half]}…{plain[1 - half :]}'}”"


def verdict_sentence(verdict: str, name: str, claimed: Mapping[str, Any] | None, neighbours: str) -> str:
    """The verdict of a bundle in a sentence.

    >>> claimed = {"text": "(ε = 1)-private", "quality": "exact"}
    >>> verdict_sentence("proved", "t.csv", claimed, "path:2")
    'The claim that “t.csv” is (ε = 1)-private for the neighbours “path:2” is true.'
    >>> verdict_sentence("no claim", "t.csv", None, "path:2")
    'No claim about “t.csv” was judged.'
    """
    who, where = named(name), f"for the neighbours {named(neighbours)}"
    if claimed is None:
        without = {
            "refuted": f"{who} is no mechanism.",
            "undecided": f"It was not decided how private {who} is {where}.",
            "no claim": f"No claim about {who} was judged.",
        }
        if verdict not in without:
            raise ValueError("it has a verdict on a claim, and none was made")
        return without[verdict]
    qualified = {
        "exact": "",
        "rounded": " of the table with each row divided by its sum",
        "printed": " of every table that prints so",
        "wrong": " of its numbers as they stand, which are no mechanism",
        "law": " of its law",
    }
    decided = {"proved": "is true", "refuted": "is false", "undecided": "is not decided"}
    if verdict not in decided or claimed["quality"] not in qualified:
        raise ValueError("it has a claim, and no verdict on it, or the claim is about nothing that is known")
    return f"The claim that {who} is {claimed['text']} {where} {decided[verdict]}{qualified[claimed['quality']]}."


def assumed(neighbours: str, *, law: bool) -> list[str]:
    """What the manifest says is assumed."""
    return [NEIGHBOURS + neighbours, *(ASSUMED_OF_A_LAW if law else ASSUMED)]


def questions_about(quality: str, neighbours: str, claimed: Mapping[str, Any] | None, deltas: Sequence[str]) -> list[str]:
    """What was asked of privacy, in words; questions about consumers follow.

    >>> questions_about("printed", "path:2", None, [])
    ['how private it is on path:2']
    """
    where = f"between {neighbours}" if quality == "law" and not neighbours.startswith("path:") else f"on {neighbours}"
    asked = [f"how private it is {where}"]
    if quality not in ("law", "printed"):
        asked = ["whether it is a mechanism", *asked, *(f"which level δ = {delta} buys" for delta in deltas)]
    return asked if claimed is None else [*asked, f"whether it is {claimed['text']} {where}"]


def faults_of_questions(quality: str, neighbours: str, claimed: Mapping[str, Any] | None, asked: Sequence[str]) -> Iterator[str]:
    """What is wrong with the questions of a manifest, but for those about consumers, which page one has."""
    matches = (re.fullmatch(r"which level δ = ([0-9/]{1,400}) buys", question, re.ASCII) for question in asked)
    deltas = [] if quality in ("law", "printed") else [found[1] for found in matches if found is not None]
    expected = questions_about(quality, neighbours, claimed, deltas)
    if list(asked[: len(expected)]) != expected:
        yield "its questions are not those about its claim and its neighbours"
    for question in asked[len(expected) :]:
        if not question.startswith(GAP_OF) and quality != "law":
            yield f"it has a question that no audit answers: {question}"


# ── Pages ───────────────────────────────────────────────────────────────────────────────────────
def start_of_text(verdict: str, name: str, sentence: str) -> str:
    """How the page of Markdown begins."""
    return f"# Audit of {named(name)}\n\n{WORDS[verdict]}. {sentence}\n\n{APPENDIX}\n\n"


def start_of_body(verdict: str, sentence: str) -> str:
    """How the body of the HTML page begins."""
    return f"<body>\n<p><b>{WORDS[verdict]}.</b> {html.escape(sentence)}</p>\n<p>{APPENDIX}</p>\n"


def with_start_of_body(page: str, verdict: str, sentence: str) -> str:
    """An HTML page whose body begins so."""
    head, _, rest = page.partition("<body>")
    return head + start_of_body(verdict, sentence) + rest.lstrip("\n")
