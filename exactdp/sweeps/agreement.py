# SPDX-License-Identifier: MIT
"""Whether a row of a sweep says what its certificate proves: the same question, verdict and value.

The checker says that a certificate is true, not what a row takes it for. Here the neighbours, the level,
the loss, the consumer and the mechanism are made again from the words of the question, and compared with the
claim and with the definitions that it names. Nothing is searched or solved again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from exactdp.certificate.encode import Definitions, Numbers
from exactdp.errors import ExactDPError, InputError
from exactdp.sweeps.asking import Subject, enclosed
from exactdp.sweeps.question import FORMS, Question

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


class Row(NamedTuple):
    """What a row says.

    Attributes
    ----------
    question, verdict, value, kind : str
        The columns of these names; an empty value for none.
    lower, upper : str
        The two decimals, as text; empty for none.
    """

    question: str
    verdict: str
    value: str
    kind: str
    lower: str = ""
    upper: str = ""


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
    >>> disagreement(Row(question, "proved", "1/3", "optimal"), text)
    >>> disagreement(Row(question, "proved", "1/4", "optimal"), text)
    'the row has the value 1/4, the certificate 1/3'
    >>> disagreement(Row(question.replace("1/2", "1/4"), "proved", "1/3", "optimal"), text)
    'the certificate is about another level'
    """
    try:
        question = Question.parse(row.question)
        expected = Definitions()
        fields = _fields(question, expected)
    except ExactDPError as error:
        return f"its question can't be read: {error.message}"
    claim, definitions = certificate["claim"], certificate["definitions"]
    if claim["kind"] != row.kind:
        return f"the row has the kind {row.kind}, the certificate {claim['kind']}"
    claims = [piece["claim"] for piece in claim["pieces"]] if row.kind == PIECES else [claim]
    verdicts = {KINDS[question.ask].get(part["kind"]) for part in claims}
    if None in verdicts or (row.kind != PIECES and row.verdict not in verdicts):
        return f"the row says {row.verdict}, and the certificate answers {question.ask} otherwise"
    for part in claims:
        for key, value in fields.items():
            if key in part and part[key] != value:
                return f"the certificate is about another {key}"
            if key not in part and key not in WITHOUT.get(part["kind"], ()):
                return f"the certificate is about no {key}"
    for name, definition in expected.objects.items():
        if definitions.get(name, definition) != definition:
            return f"the certificate defines another {_MEANT.get(name, name)}"
    numbers = Numbers(definitions)
    return _other_pieces(row, claim["pieces"], numbers) if row.kind == PIECES else _other_value(row, claim, numbers)


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
    if "level" in has.needs and not subject.symbolic:
        found |= expected.at(subject.near, subject.level)
    if "consumer" in has.needs:
        found["consumer"] = expected.consumer(subject.consumer)
    elif "loss" in has.needs:
        found["loss"] = expected.loss("l", subject.loss)
    if question.mechanism:
        found["mechanism"] = expected.mechanism("M", subject.mechanism)
    return found


def _other_value(row: Row, claim: Mapping[str, Any], numbers: Numbers) -> str | None:
    """Another number than the claim's."""
    for key in VALUES:
        if key in claim:
            value = claim[key] if isinstance(claim[key], int) else numbers.scalar(claim[key])
            if row.value.split(", ")[0] != str(value):  # what the letters stand for comes after it
                return f"the row has the value {row.value or 'none'}, the certificate {value}"
            if row.lower and (row.lower, row.upper) != enclosed(value):
                return f"the row's decimals {row.lower} and {row.upper} are not those around {value}"
    return None


def _other_pieces(row: Row, pieces: Sequence[Mapping[str, Any]], numbers: Numbers) -> str | None:
    """Another answer on some interval of levels than the claim's."""
    said = []
    for piece in pieces:
        claim, interval = piece["claim"], numbers.interval(piece["interval"])
        holds = {"proved": "yes", "refuted": "no"}[KINDS[Question.parse(row.question).ask][claim["kind"]]]
        said.append(f"{numbers.on(piece['interval']).scalar(claim['value']) if 'value' in claim else holds} on {interval}")
    text = "; ".join(said)
    return None if text == row.value else f"the row says {row.value or 'nothing'}, the certificate {text}"


def rows_by_certificate(table: Any) -> dict[str, list[Row]]:
    """The rows of a table of pyarrow that name a certificate, by its digest.

    Raises
    ------
    InputError
        It has not the columns of an index.
    """
    try:
        columns = [table.column(name).to_pylist() for name in (*Row._fields, "digest")]
    except KeyError as error:
        raise InputError(f"the index has no column {error}") from None
    found: dict[str, list[Row]] = {}
    for *texts, digest in zip(*columns, strict=True):
        if digest:
            found.setdefault(digest, []).append(Row(*map(_text, texts)))
    return found


def _text(value: Any) -> str:
    """A cell as text; a decimal without an exponent."""
    return "" if value is None else f"{value:f}" if isinstance(value, Decimal) else str(value)
