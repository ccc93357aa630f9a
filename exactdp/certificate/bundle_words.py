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

BESIDE = "what it is beside "
"""How the question of another table begins, of which nothing is judged by a law."""

_OF_LAWS = re.compile(rf"which level δ = [0-9/]{{1,400}} buys|{BESIDE}(?:the second table|[\w.()+~@:,=/\\-]{{1,200}})")
"""What else is asked of a law, and not judged: a δ, and another table, which no sentence names."""

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
        if not question.startswith(GAP_OF) and not (quality == "law" and _OF_LAWS.fullmatch(question)):
            yield f"it has a question that no audit answers: {question}"


# ── Pages ───────────────────────────────────────────────────────────────────────────────────────
PAGE_STYLE = """
:root{color-scheme:light}
*{box-sizing:border-box}
body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;padding:1rem;max-width:72rem;color:#111;background:#fff;overflow-wrap:anywhere}
h1{font-size:1.4rem;line-height:1.25}h2{font-size:1.1rem;margin:1.6rem 0 .4rem;border-bottom:1px solid #777}
dl{margin:0}dt{font-weight:600;margin-top:.45rem}dd{margin:0 0 0 1rem}ul{margin:.2rem 0 .2rem 1.2rem;padding:0}
.answer{border:2px solid #111;border-radius:.4rem;padding:.6rem .9rem}.answer b{text-transform:uppercase;letter-spacing:.04em}
.scroll{overflow-x:auto;max-width:100%}table{border-collapse:collapse;font-size:.82rem;font-variant-numeric:tabular-nums}
td,th{padding:.15rem .5rem;text-align:right;border:1px solid
#bbb;white-space:nowrap}caption{text-align:left;font-style:italic;padding:.2rem 0}
svg{display:block;max-width:100%;height:auto}figure{margin:.5rem 0}figcaption{font-size:.85rem} .wrap td,.wrap
th{white-space:normal;text-align:left;vertical-align:top}code{font-size:.85em}
@media(min-width:60rem){.two{display:grid;grid-template-columns:1fr 1fr;gap:1.5rem}.two>*{min-width:0}}
"""
"""Of the page for a browser; none stands in its body."""


def start_of_text(verdict: str, name: str, sentence: str) -> str:
    """How the page of Markdown begins."""
    return f"# Audit of {named(name)}\n\n{WORDS[verdict]}. {sentence}\n\n{APPENDIX}\n\n"


def start_of_page(verdict: str, name: str, sentence: str) -> str:
    """How the HTML page begins: its head, and the verdict."""
    title = html.escape(f"Audit of {named(name)}")
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>{title}</title>'
    first = f"<body>\n<p><b>{WORDS[verdict]}.</b> {html.escape(sentence)}</p>\n<p>{APPENDIX}</p>\n"
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}<style>{PAGE_STYLE}</style></head>\n{first}'


END_OF_PAGE = "</body></html>\n"
"""How it ends."""


def with_start_of_page(page: str, verdict: str, name: str, sentence: str) -> str:
    """The body of an HTML page, without styles of its own, after our head and our first sentence."""
    _, _, rest = page.partition("<body>")
    return start_of_page(verdict, name, sentence) + re.sub(r"<style>[^<]*</style>", "", rest.lstrip("\n"))


_HIDDEN_SIGNS = r"[/*^() ]{0,4}"
"""What a formula has for who copies it, and the eye does not need."""

_NUMBER, _FILL = r"-?[0-9]{0,9}(?:\.[0-9]{1,20})?", r"(?:#[0-9a-f]{3,6}|none|currentColor)"
_COLOUR = "#(?:1a7f37|b3261e|0b5cad|8a6d00|57606a)"
_STYLES = (
    *(f"border-color:{_COLOUR}", f"color:{_COLOUR}", r"font-size:1\.3em", "overflow-x:auto", "min-width:0"),
    *(rf"color:#fff;background:{_COLOUR};padding:\.1em \.5em;border-radius:\.3em", "display:flex;flex-wrap:wrap;gap:0 2em"),
)
_ATTRIBUTES: Mapping[str, str] = {
    "class": "answer|scroll|wrap|two|exactdp|mathjax_ignore tex2jax_ignore",
    "style": "|".join(_STYLES),
    "title": '[^<>"]*',
    "colspan": "[1-9][0-9]{0,3}",
    "viewBox": f"{_NUMBER} {_NUMBER} {_NUMBER} {_NUMBER}",
    "role": "img",
    "aria-label": '[^<>"]*',
    "fill": _FILL,
    "stroke": _FILL,
    "d": "[-0-9. a-zA-Z,]*",
    "font-family": "sans-serif",
    "text-anchor": "middle|end",
    "displaystyle": "true",
    "form": "prefix",
    "stretchy": "false",
    **dict.fromkeys(("width", "height", "x", "y", "font-size", "stroke-width"), _NUMBER),
}
"""How each attribute of a page is written: none hides, moves or covers anything."""

_ELEMENTS = (
    *("p", "b", "i", "br", "span", "div", "code", "h1", "h2", "h3", "dl", "dt", "dd", "ul", "li", "table", "caption", "thead", "tbody"),
    *("tr", "th", "td", "figure", "figcaption", "svg", "rect", "path", "g", "text", "math", "mrow", "mfrac", "mn", "mi", "mo", "msub"),
    *("msup", "sup", "details", "summary"),
)
_ATTRIBUTE = "|".join(f'{name}="(?:{form})"' for name, form in _ATTRIBUTES.items())
_TAG = re.compile(
    rf"</(?:{'|'.join(_ELEMENTS)})>|<(?:{'|'.join(_ELEMENTS)})(?: (?:{_ATTRIBUTE}))*/?>"
    rf'|<(?P<hidden>mo|span) style="font-size:0">{_HIDDEN_SIGNS}</(?P=hidden)>',
    re.ASCII,
)
_NEVER = re.compile(
    r"<(?:!|/?(?:style|script|meta|link|base|iframe|object|embed|template|title|head|body|html|form|input|textarea|plaintext)\b)"
    r"|<[^>]*\s(?:hidden|on[a-z]+|src|href|style)\b",
    re.IGNORECASE,
)
"""What no page of ours has in its body."""


def faults_of_body(body: str) -> Iterator[tuple[str, str]]:
    """Of a body: the status and the sentence of the first mark that is none of ours.

    >>> bodies = ("<p>a &lt; b</p>", "<p hidden>a</p>", "<u>")
    >>> [[status for status, _ in faults_of_body(body)] for body in bodies]
    [[], ['rejected'], ['limit']]
    """
    place = 0
    while (place := body.find("<", place)) >= 0:
        known = _TAG.match(body, place)
        if known is None:
            mark = body[place : place + 60].partition(">")[0]
            if _NEVER.match(body, place) is not None:
                yield "rejected", f"below its head it has {mark}>, and no page of an audit has that"
            else:
                yield "limit", f"it has {mark}>, which this program does not know"
            return
        place = known.end()


# ── Parts without a certificate ─────────────────────────────────────────────────────────────────
PART_NAMES = re.compile(
    r"not-stochastic|level|level-as-it-stands|level-after-renormalising|privacy|delta|claim|level-for-delta-[1-9][0-9]{0,5}"
    r"|(?:largest|smallest)-(?:epsilon|delta)|some-table|not-all-tables|required-[1-9][0-9]{0,5}|consumer-[1-9][0-9]{0,5}-(?:deployed|after-remap|optimum)"
)
"""What a part of an audit is called, of which there is a certificate or none."""

OPTIMUM = re.compile("consumer-[1-9][0-9]{0,5}-optimum")
"""What the part with the best possible for a consumer of printed tables is called: no table occurs in it."""

REASONS = (
    "there is not enough memory",
    "an undecided verdict has no certificate",
    "the certificate exceeds a limit of the checker",
    "the tightest level, which would imply the claim, was not found in time",
    "the level that this δ buys, which would imply the claim, was not found in time",
    "no multipliers are known that show this end of ε, so that it has no certificate",
    "this end of ε is a bound without a linear program, which has no certificate",
    "certificates have no numbers of this field",
    "certificates have no numbers of this size",
    "no certificate is defined for it",
)
"""Why a part has no certificate: one of these, word for word."""


def reason_of(message: str) -> str:
    """The reason of a message why no certificate was made; the last of REASONS for one that is none of them.

    >>> reason_of("an undecided verdict has no certificate: it is private"), reason_of("the claim is true")
    ('an undecided verdict has no certificate', 'no certificate is defined for it')
    """
    starts = {"certificates have no numbers of the field": REASONS[7], "certificates have sizes up to": REASONS[8]}
    known = next((reason for reason in REASONS if message.startswith(reason)), None)
    return known or next((reason for start, reason in starts.items() if message.startswith(start)), REASONS[-1])
