# SPDX-License-Identifier: MIT
"""Whether a row of a sweep says what its certificate proves: the same question, verdict and value.

The checker says that a certificate is true, not what a row takes it for. Here the neighbours, the level,
the loss, the consumer and the mechanism are made again from the words of the question, and compared with the
claim and with the definitions that it names. Nothing is searched or solved again.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from exactdp.analysis.verdict import Scope
from exactdp.certificate.encode import Definitions, Numbers
from exactdp.errors import ExactDPError, InputError
from exactdp.exact import Rational
from exactdp.model import TightestLevel
from exactdp.sweeps.asking import Subject, enclosed
from exactdp.sweeps.question import FIELDS, FORMS, SYMBOLIC, Question
from exactdp.sweeps.store import sizes_of

Kinds = Mapping[str, str]
"""The verdict that a kind of claim stands for."""

PIECES = "on-pieces"
"""The kind of claim about all levels at once: claims about intervals of them."""

_PRIVATE: Kinds = {"private": "proved", "not-private": "refuted"}
_UNIVERSAL: Kinds = {"universally-optimal": "proved", "not-universally-optimal": "refuted", "no-universally-optimal": "refuted"}
KINDS: Mapping[str, Kinds] = {
    "optimum": {"optimal": "proved"},
    "unique": {"unique": "proved", "not-unique": "refuted"},
    "optimal": {"optimal": "proved", "not-optimal": "refuted", "not-private": "refuted"},
    "optimal-after-remap": {"optimal-after-remap": "proved", "not-optimal-after-remap": "refuted", "not-private": "refuted"},
    "remap": {"optimal-remap": "proved"},
    "privacy": _PRIVATE,
    "tightest-level": {"level": "proved"},
    "derivable": {"derivable": "proved", "not-derivable": "refuted"},
    "tight": {"tight": "proved", "not-tight": "refuted"},
    "tight-unique": {"unique-tight": "proved", "not-unique-tight": "refuted", "not-tight": "refuted"},
    "universal": _UNIVERSAL,
    "capacity-multiplicative": {"type-capacity": "proved"},
    "capacity-additive": {"type-capacity": "proved"},
    "vertices": {"vertices": "proved"},
    "kernels": {"kernel-count": "proved"},
}
"""The kinds of claims that answer each question."""

WITHOUT: Mapping[str, tuple[str, ...]] = {
    "not-private": ("consumer",),  # so it is optimal for nobody
    "no-universally-optimal": ("mechanism",),
    "optimal-remap": ("neighbours", "level"),
}
"""What a kind of claim does not name, since it holds for all."""

VALUES = ("value", "count")
"""Where a claim has the number that was asked for."""

LEVEL = {"num": ["0", "1"], "den": "1"}
"""The level of a claim about a letter."""

LEVELS = {"type": "parameter", "interval": {"above": "0", "below": "1"}}
"""The definition of a letter that stands for all levels."""

AT_EVERY_LEVEL = ("universal",)
"""What is asked at every level: with no level where it holds not, the answer is proved. All else that may be
asked about all levels is asked at which of them, and a list of these is always proved.
"""

NO_NUMBER = ("tight", "private", "not-private")
"""Kinds of claims without the number that the row has."""

DECIDED = ("proved", "refuted")
"""The verdicts that have a certificate, mostly."""

_FRACTION = re.compile("-?[0-9]+(/[0-9]+)?")

ABOUT = ("ask", *FIELDS, "inputs", "edges")
"""The columns that say of what a row is."""


class Row(NamedTuple):
    """What a row says.

    Attributes
    ----------
    question, verdict, value, kind : str
        The columns of these names; an empty value for none.
    lower, upper : str
        The two decimals, as text; empty for none.
    about : tuple of str, optional
        The columns :data:`ABOUT`, empty where there is nothing.
    """

    question: str
    verdict: str
    value: str
    kind: str
    lower: str = ""
    upper: str = ""
    about: tuple[str, ...] | None = None


def disagreement(row: Row, certificate: Mapping[str, Any]) -> str | None:
    """Where a row says something else than its certificate; None if they agree.

    Parameters
    ----------
    row : Row
        It names this certificate.
    certificate : mapping
        A JSON object that the checker accepts.

    Examples
    --------
    >>> import json
    >>> from exactdp import certify, optimum, MinimaxConsumer
    >>> text = json.loads(certify(optimum("path:2", "1/2", MinimaxConsumer("abs"))).to_json())
    >>> question = Question("optimum", "path:2", "1/2", "abs", "minimax").text
    >>> row = Row(question, "proved", "1/3", "optimal", "0.333333333333333333", "0.333333333333333334")
    >>> disagreement(row, text)
    >>> disagreement(row._replace(value="1/4"), text)
    'the row has the value 1/4, the certificate 1/3'
    >>> disagreement(row._replace(question=question.replace("1/2", "1/4")), text)
    'the certificate is about another level'
    """
    try:
        question = Question.parse(row.question)
        expected = Definitions()
        fields = _fields(question, expected)
    except ExactDPError as error:
        return f"its question can't be read: {error.message}"
    if row.about is not None and row.about != (meant := _about(row.question)):
        name, said, truth = next(column for column in zip(ABOUT, row.about, meant, strict=True) if column[1] != column[2])
        return f"its column {name} is {said or 'empty'}, and its question says {truth or 'nothing'}"
    claim, definitions = certificate["claim"], certificate["definitions"]
    if claim["kind"] != row.kind:
        return f"the row has the kind {row.kind}, the certificate {claim['kind']}"
    claims = [piece["claim"] for piece in claim["pieces"]] if row.kind == PIECES else [claim]
    verdicts = [KINDS[question.ask].get(part["kind"], "") for part in claims]
    decided = "refuted" if "refuted" in verdicts and (row.kind != PIECES or question.ask in AT_EVERY_LEVEL) else "proved"
    if "" in verdicts or row.verdict != decided:
        return f"the row says {row.verdict}, and the certificate answers {question.ask} otherwise"
    for part in claims:
        for key, value in fields.items():
            if key in part and part[key] != value:
                return f"the certificate is about another {key}"
            if key not in part and key not in WITHOUT.get(part["kind"], ()):
                return f"the certificate is about no {key}"
    for name, definition in expected.objects.items():
        said = definitions.get(name, definition)
        if said != definition and not (name == "M" and said == _among_guesses(Subject(question))):
            return f"the certificate defines another {_MEANT.get(name, name)}"
    if question.level == SYMBOLIC and [d for d in definitions.values() if d.get("type") == LEVELS["type"]] != [LEVELS]:
        return "the certificate is not about all levels"
    return _other_value(row, question, claim, Numbers(definitions))


_MEANT = {"N": "graph", "l": "loss", "M": "mechanism", "A": "source", "B": "mechanism", "t": "ε"}


def _fields(question: Question, expected: Definitions) -> dict[str, Any]:
    """What a claim about this question says of its subject; what it names is defined."""
    subject, has = Subject(question), FORMS[question.ask]
    found: dict[str, Any] = {}
    if question.ask.startswith("capacity-"):
        found["capacity"] = question.ask.removeprefix("capacity-")
    if question.ask == "derivable":
        target, source = subject.compared
        return {"source": expected.mechanism("A", source), "target": expected.mechanism("B", target)}
    if "graph" in has.needs:
        found["neighbours"] = expected.neighbours("N", subject.near)
    if "level" in has.needs:
        found |= {"level": LEVEL} if subject.symbolic else expected.at(subject.near, subject.level)
    if "consumer" in has.needs:
        found["consumer"] = expected.consumer(subject.consumer)
    elif "loss" in has.needs:
        found["loss"] = expected.loss("l", subject.loss)
    if question.mechanism:
        found["mechanism"] = expected.mechanism("M", subject.mechanism)
    return found


def _among_guesses(subject: Subject) -> Any:
    """The definition of the mechanism with its outputs matched with guesses; None if they can't be."""
    found, inputs = Definitions(), subject.near.vertices
    with contextlib.suppress(ExactDPError):
        found.mechanism("M", subject.mechanism.aligned(inputs, inputs))
    return found.objects.get("M")


def _about(text: str) -> tuple[str, ...]:
    """What the columns :data:`ABOUT` of the row of a question are; a level may be spelled as before."""
    words = json.loads(text)
    words |= sizes_of(words.get("graph", ""))
    return tuple(_text(words.get(name)) for name in ABOUT)


def _other_value(row: Row, question: Question, claim: Mapping[str, Any], numbers: Numbers) -> str | None:
    """Another value or other decimals than the claim's."""
    if row.kind in NO_NUMBER and question.level != SYMBOLIC:
        return _other_decimals(row, Rational(row.value)) if _FRACTION.fullmatch(row.value) else None
    value: Any = _number(claim, numbers)
    if row.kind == PIECES:
        value = "; ".join(_on(question, piece["claim"], numbers, piece["interval"]) for piece in claim["pieces"])
    elif question.level == SYMBOLIC and not question.ask.startswith("capacity-"):
        value = _on(question, claim, numbers, LEVELS["interval"])
    text = "" if value is None else ", ".join([str(value), *Scope(meanings=tuple(numbers.field.legend.items())).legend(str(value))])
    if row.value != text:
        return f"the row has the value {row.value or 'none'}, the certificate {text or 'none'}"
    return _other_decimals(row, value)


def _other_decimals(row: Row, value: Any) -> str | None:
    """Other decimals than those around a value."""
    if (row.lower, row.upper) == enclosed(value):
        return None
    lower, upper, meant = row.lower or "none", row.upper or "none", "nothing" if value is None else value
    return f"the row's decimals {lower} and {upper} are not those around {meant}"


def _number(claim: Mapping[str, Any], numbers: Numbers) -> Any:
    """The number that a claim states; None without."""
    if claim["kind"] == "level":
        return TightestLevel(numbers.scalar(claim["ratio"]), claim["distance"])
    found = next((claim[key] for key in VALUES if key in claim), None)
    return found if found is None or isinstance(found, int) else numbers.scalar(found)


def _on(question: Question, claim: Mapping[str, Any], numbers: Numbers, interval: Any) -> str:
    """What a claim says on some levels."""
    value = _number(claim, numbers.on(interval))
    holds = {"proved": "yes", "refuted": "no"}[KINDS[question.ask][claim["kind"]]]
    return f"{holds if value is None else value} on {numbers.interval(interval)}"


def rows_by_certificate(table: Any) -> tuple[dict[str, list[Row]], list[Row]]:
    """The rows of a table of pyarrow that name a certificate, by its digest; the decided ones that name none.

    Raises
    ------
    InputError
        It has not the columns of an index.
    """
    names = (*Row._fields[:-1], *ABOUT, "digest")
    try:
        columns = [table.column(name).to_pylist() for name in names]
    except KeyError as error:
        raise InputError(f"the index has no column {error}") from None
    found: dict[str, list[Row]] = {}
    without: list[Row] = []
    for cells in zip(*columns, strict=True):
        question, verdict, value, kind, lower, upper, *about, digest = map(_text, cells)
        row = Row(question, verdict, value, kind, lower, upper, tuple(about))
        if digest:
            found.setdefault(digest, []).append(row)
        elif row.verdict in DECIDED:
            without.append(row)
    return found, without


def _text(value: Any) -> str:
    """A cell as text; a decimal without an exponent."""
    return "" if value is None else f"{value:f}" if isinstance(value, Decimal) else str(value)
