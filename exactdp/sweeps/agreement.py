# SPDX-License-Identifier: MIT
"""Whether a row of a sweep says what its certificate proves: the same question, verdict and value.

The checker says that a certificate is true, not what a row takes it for. Here the neighbours, the level,
the loss, the consumer and the mechanism are made again from the words of the question. Those of the claim are
read from the certificate, and compared by what they are: labels, distances and numbers, whatever the names of
the definitions. Which claims answer which question, and where every key of one comes from, is the table
:data:`~exactdp.sweeps.question.STATEMENTS`. Nothing is searched or solved again.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from itertools import combinations
from typing import Any, NamedTuple

from exactdp.analysis.verdict import Scope
from exactdp.certificate.encode import FIELDS as TYPES_OF_FIELDS
from exactdp.certificate.encode import Numbers, interval_json, scalar_json
from exactdp.errors import ExactDPError, InputError
from exactdp.exact import ExponentialField, ExponentialNumber, Rational, RationalFunctionField, common_field
from exactdp.mechanisms import geometric, randomized_response
from exactdp.model import BayesianConsumer, Distance, Loss, Metric, MinimaxConsumer, TightestLevel
from exactdp.model.named_losses import OF_CERTIFICATES
from exactdp.sweeps.asking import Subject, enclosed
from exactdp.sweeps.question import FIELDS, SYMBOLIC, WITHOUT_NUMBER, Question, Source, Statement, statement_of
from exactdp.sweeps.store import sizes_of

PIECES = "on-pieces"
"""The kind of claim about all levels at once: claims about intervals of them."""

LEVELS = {"above": "0", "below": "1"}
"""The interval of all levels."""

AT_EVERY_LEVEL = ("universal",)
"""What is asked at every level: with no level where it holds not, the answer is proved. All else that may be
asked about all levels is asked at which of them, and a list of these is always proved.
"""

DECIDED = ("proved", "refuted")
"""The verdicts that have a certificate, mostly."""

OPEN = ("undecided", "limit", "failed")
"""The verdicts that decide nothing: their rows have no certificate."""

_FRACTION = re.compile("-?[0-9]+(/[0-9]+)?")

ABOUT = ("ask", *FIELDS, "inputs", "edges")
"""The columns that say of what a row is."""


class Row(NamedTuple):
    """What a row says.

    * ``question``, ``verdict``, ``value``, ``kind``: the columns of these names; an empty value for none.
    * ``lower``, ``upper``: the two decimals, as text; empty for none.
    * ``about``: the columns :data:`ABOUT`, empty where there is nothing.
    * ``size``: the column ``bytes``.
    * ``claim``: the sentence, which must be the checker's own.
    * ``digest``: the column of this name.
    """

    question: str
    verdict: str
    value: str
    kind: str
    lower: str = ""
    upper: str = ""
    about: tuple[str, ...] | None = None
    size: str | None = None
    claim: str = ""
    digest: str = ""

    @property
    def not_compared(self) -> tuple[str, ...]:
        """The columns of which the certificate says nothing, where they have something."""
        numbers = {"value": self.value, "lower": self.lower, "upper": self.upper} if self.kind in WITHOUT_NUMBER else {}
        return tuple(name for name, said in numbers.items() if said)


def disagreement(row: Row, certificate: Mapping[str, Any]) -> str | None:
    """Where a row says something else than its certificate; None if they agree.

    * ``row``: it names this certificate.
    * ``certificate``: a JSON object that the checker accepts.

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
        said = _other_columns(row) or _other_text(row) or _other_verdict(row, question, certificate["claim"])
        return said or _other_statement(row, question, certificate)
    except ExactDPError as error:
        return f"its question can't be read: {error.message}"


def fault_without(row: Row) -> str | None:
    """What is wrong with a row that names no certificate; None if it says what such a row may say.

    Its question and its words are compared. It has one of the five verdicts, and an open one comes with
    nothing that only an answer has.

    >>> row = Row('{"ask":"tight","graph":"path:3","level":"1/4"}', "limit", "", "")
    >>> fault_without(row)
    >>> fault_without(row._replace(verdict="Proved"))
    'its verdict is Proved, which is none of proved, refuted, undecided, limit, failed'
    >>> fault_without(row._replace(value="1/3"))
    'its verdict is limit, and it has the value 1/3'
    """
    try:
        Question.parse(row.question)
    except ExactDPError as error:
        return f"its question can't be read: {error.message}"
    if row.verdict not in (*DECIDED, *OPEN):
        return f"its verdict is {row.verdict or 'empty'}, which is none of {', '.join((*DECIDED, *OPEN))}"
    if row.verdict in OPEN:
        for name, said in (("value", row.value), ("kind", row.kind), ("size", row.size)):
            if said:
                return f"its verdict is {row.verdict}, and it has the {name} {said}"
    return _other_columns(row) or _other_text(row)


def _other_text(row: Row) -> str | None:
    """A question that is not written in the one way: people might read another one in it."""
    return None if Question.is_canonical(row.question) else "its question has a key twice, or is not written in the one way"


def _other_columns(row: Row) -> str | None:
    """Another word than the question's."""
    if row.about is None:
        return None
    for name, said, truth in zip(ABOUT, row.about, _about(row.question), strict=True):
        if said != truth:
            return f"its column {name} is {said or 'empty'}, and its question says {truth or 'nothing'}"
    return None


def _other_verdict(row: Row, question: Question, claim: Mapping[str, Any]) -> str | None:
    """A kind of claim that does not answer the question, or answers it otherwise."""
    if claim["kind"] != row.kind:
        return f"the row has the kind {row.kind}, the certificate {claim['kind']}"
    statement = statement_of(question)
    kinds = [part["kind"] for part in _parts(claim)]
    known = all(statement.keys(kind) is not None for kind in kinds)
    if not known or row.verdict != _decided(question, statement, claim["kind"], kinds):
        return f"the row says {row.verdict}, and the certificate answers {question.ask} otherwise"
    if claim["kind"] == PIECES and question.level != SYMBOLIC:
        return "the certificate is about many levels"
    return None


def _parts(claim: Mapping[str, Any]) -> list[Any]:
    """The claims about one interval each, or the claim itself."""
    return [piece["claim"] for piece in claim["pieces"]] if claim["kind"] == PIECES else [claim]


def _decided(question: Question, statement: Statement, kind: str, kinds: Sequence[str]) -> str:
    """The verdict that claims of these kinds stand for together."""
    verdicts = {statement.verdict(part) for part in kinds}
    if kind == PIECES and question.ask not in AT_EVERY_LEVEL:
        return "proved"
    return "refuted" if "refuted" in verdicts else "proved"


def _other_statement(row: Row, question: Question, certificate: Mapping[str, Any]) -> str | None:
    """A key of the claim, a definition or a value that is not what the question and the row say."""
    claim, definitions, statement = certificate["claim"], certificate["definitions"], statement_of(question)
    subject, parts = Subject(question), _parts(claim)
    for part in parts:
        keys = statement.keys(part["kind"]) or {}
        for key in keys.keys() ^ (part.keys() - {"kind"}):
            return f"the certificate is about {'no' if key in keys else 'a'} {key}"
    sources = {source for part in parts for source in (statement.keys(part["kind"]) or {}).values()}
    field = common_field(*_numbers_of(subject, sources))
    other = _other_field(field, [d for d in definitions.values() if d["type"] in TYPES_OF_FIELDS])
    if other is not None:
        return other
    said = Said(definitions, field)
    for part in parts:
        for key, source in (statement.keys(part["kind"]) or {}).items():
            if source in _IS_SAME and not _IS_SAME[source](subject, said, part[key]):
                return f"the certificate is about another {_MEANT.get(key, key)}"
    return _other_value(row, question, claim, said.numbers)


_MEANT = {"neighbours": "graph", "target": "mechanism"}
"""The words of a question for keys that have other names."""


def _numbers_of(subject: Subject, sources: set[Source]) -> list[Any]:
    """All numbers that the question determines: the field of a certificate is theirs."""
    found: list[Any] = []
    if Source.LEVEL in sources:
        found.append(subject.level.alpha)
    if Source.LOSS in sources:
        found.append(subject.loss.matrix)
    if Source.CONSUMER in sources:
        consumer = subject.consumer
        found += [consumer.loss.matrix, *(consumer.prior.weights if isinstance(consumer, BayesianConsumer) else ())]
    if Source.ORIGIN in sources:
        found += [mechanism.matrix for mechanism in subject.compared]
    elif Source.MECHANISM in sources:
        found.append(subject.mechanism.matrix)
    return found


def _other_field(field: Any, said: Sequence[Mapping[str, Any]]) -> str | None:
    """Symbols that the question does not have, or that stand for something else.

    What e^(−ε) is comes with every number that is compared; a letter is what the definition says it is.
    """
    if isinstance(field, RationalFunctionField):
        meant = {"type": "parameter", "interval": interval_json(field.interval)}
        return None if list(said) == [meant] else "the certificate is not about all levels"
    allowed = {"exponential"} if isinstance(field, ExponentialField) else set()
    more = [d["type"] for d in said if d["type"] not in allowed]
    return f"the certificate has symbols ({more[0]}), and the question has none of that type" if more else None


class Said:
    """The definitions of a certificate as labels, distances and numbers: by what they are.

    * ``definitions``: of a certificate that the checker accepts.
    * ``field``: that of the question. A letter stands for the same numbers there, whatever its name.
    """

    def __init__(self, definitions: Mapping[str, Any], field: Any) -> None:
        self.definitions = definitions
        letter = isinstance(field, RationalFunctionField)
        self.numbers = Numbers({} if letter else dict(definitions))
        if letter:
            self.numbers.field = field

    def table(self, name: str) -> tuple[list[str], list[str], list[Sequence[Any]]] | None:
        """Inputs, outputs and rows of a mechanism; None for what is none."""
        d = self.definitions[name]
        if d["type"] == "geometric":
            labels = [str(i) for i in range(d["n"] + 1)]
            return labels, labels, list(geometric(d["n"], self.numbers.scalar(d["level"])).matrix.rows())
        if d["type"] == "randomized-response":
            return d["inputs"], d["inputs"], list(randomized_response(d["inputs"], alpha=self.numbers.scalar(d["level"])).rows())
        if d["type"] in ("mechanism", "table"):
            return d["inputs"], d["outputs"], [self.numbers.vector(row, len(d["outputs"])) for row in d["rows"]]
        return None

    def neighbours(self, name: str) -> tuple[str, list[str], list[tuple[int, int, Distance]]] | None:
        """Whether they are a graph or a table of distances, vertices and pairs; None for what is none.

        A graph is no table of distances 1: where there is no edge it has the length of the shortest path.
        """
        d, one = self.definitions[name], Distance.of(1)
        if d["type"] == "path":
            return "graph", [str(i) for i in range(d["vertices"])], [(i, i + 1, one) for i in range(d["vertices"] - 1)]
        if d["type"] == "complete":
            return "graph", d["vertices"], [(i, j, one) for i, j in combinations(range(len(d["vertices"])), 2)]
        if d["type"] == "graph":
            return "graph", d["vertices"], [(i, j, one) for i, j in d["edges"]]
        if d["type"] == "distances":
            return "distances", d["vertices"], [(i, j, Distance.parse(text)) for i, j, text in d["pairs"]]
        return None

    def loss(self, name: str) -> tuple[list[str], list[str], list[Sequence[Any]]] | None:
        """Inputs, guesses and rows of a loss; None for what is none."""
        d = self.definitions[name]
        if d["type"] == "loss":
            return d["inputs"], d["guesses"], [self.numbers.vector(row, len(d["guesses"])) for row in d["rows"]]
        if d["type"] not in OF_CERTIFICATES:
            return None
        size = d["n"] + 1
        labels = [str(i) for i in range(size)]
        values = [Rational(x) for x in OF_CERTIFICATES[d["type"]].values(size)]
        return labels, labels, [[values[abs(i - r)] for r in range(size)] for i in range(size)]


def _same_graph(subject: Subject, said: Said, name: str) -> bool:
    near = subject.near
    kind = "distances" if isinstance(near, Metric) else "graph"
    return said.neighbours(name) == (kind, list(near.vertices), list(near.pairs()))


def _same_level(subject: Subject, said: Said, value: Any) -> bool:
    return _same(said.numbers.scalar(value), subject.level.alpha)


def _same_loss(subject: Subject, said: Said, name: str) -> bool:
    return _is_loss(subject.loss, said, name)


def _is_loss(loss: Loss, said: Said, name: str) -> bool:
    found = said.loss(name)
    return found is not None and _same_table(found, loss.inputs, loss.guesses, loss.matrix.rows())


def _same_consumer(subject: Subject, said: Said, data: Mapping[str, Any]) -> bool:
    consumer = subject.consumer
    if not _is_loss(consumer.loss, said, data["loss"]):
        return False
    if isinstance(consumer, MinimaxConsumer):
        return bool(data["type"] == "minimax" and data["side_information"] == list(consumer.side_information.indices))
    if data["type"] != "bayesian":
        return False
    weights = consumer.prior.weights
    return _same_numbers(said.numbers.vector(data["prior"], len(weights)), weights)


def _same_mechanism(subject: Subject, said: Said, name: str) -> bool:
    """The mechanism, its outputs in their own order or, where they are guesses, in that of the guesses."""
    found = said.table(name)
    if found is None:
        return False
    if subject.question.ask == "derivable":
        return _is_mechanism(subject.compared[0], found)
    mechanism, inputs = subject.mechanism, subject.near.vertices
    if _is_mechanism(mechanism, found):
        return True
    with contextlib.suppress(ExactDPError):
        return bool(subject.question.consumer) and _is_mechanism(mechanism.aligned(inputs, inputs), found)
    return False


def _same_origin(subject: Subject, said: Said, name: str) -> bool:
    found = said.table(name)
    return found is not None and _is_mechanism(subject.compared[1], found)


def _is_mechanism(mechanism: Any, found: tuple[list[str], list[str], list[Sequence[Any]]]) -> bool:
    return _same_table(found, mechanism.inputs, mechanism.outputs, mechanism.matrix.rows())


def _same_capacity(subject: Subject, said: Said, name: str) -> bool:
    return bool(f"capacity-{name}" == subject.question.ask)


_IS_SAME: Mapping[Source, Callable[[Subject, Said, Any], bool]] = {
    Source.GRAPH: _same_graph,
    Source.LEVEL: _same_level,
    Source.LOSS: _same_loss,
    Source.CONSUMER: _same_consumer,
    Source.MECHANISM: _same_mechanism,
    Source.ORIGIN: _same_origin,
    Source.CAPACITY: _same_capacity,
}
"""Whether what a key of a claim says is what the question says, for each source that is a word of it."""


def _same_table(found: tuple[list[str], list[str], list[Sequence[Any]]], rows: Any, columns: Any, entries: Any) -> bool:
    inputs, outputs, numbers = found
    if (inputs, outputs) != (list(rows), list(columns)):
        return False
    listed = list(entries)
    return len(numbers) == len(listed) and all(map(_same_numbers, numbers, listed))


def _same_numbers(some: Sequence[Any], others: Sequence[Any]) -> bool:
    return len(some) == len(others) and all(map(_same, some, others))


def _same(x: Any, y: Any) -> bool:
    """Whether two numbers are one; with a letter, whether they are one formula."""
    if all(isinstance(number, (Rational, ExponentialNumber)) for number in (x, y)):
        return bool(x == y)
    return bool(scalar_json(x) == scalar_json(y))


def _about(text: str) -> tuple[str, ...]:
    """What the columns :data:`ABOUT` of the row of a question are; a level may be spelled as before."""
    words = json.loads(text)
    words |= sizes_of(words.get("graph", ""))
    return tuple(_text(words.get(name)) for name in ABOUT)


def _other_value(row: Row, question: Question, claim: Mapping[str, Any], numbers: Numbers) -> str | None:
    """Another value or other decimals than the claim's."""
    if row.kind in WITHOUT_NUMBER and question.level != SYMBOLIC:
        return _other_decimals(row, Rational(row.value)) if _FRACTION.fullmatch(row.value) else None
    value: Any = _number(claim, numbers)
    if row.kind == PIECES:
        value = "; ".join(_on(question, piece["claim"], numbers, piece["interval"]) for piece in claim["pieces"])
    elif question.level == SYMBOLIC and not question.ask.startswith("capacity-"):
        value = _on(question, claim, numbers, LEVELS)
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
    found = next((claim[key] for key in ("value", "count") if key in claim), None)
    return found if found is None or isinstance(found, int) else numbers.scalar(found)


def _on(question: Question, claim: Mapping[str, Any], numbers: Numbers, interval: Any) -> str:
    """What a claim says on some levels."""
    value = _number(claim, numbers.on(interval))
    holds = {"proved": "yes", "refuted": "no"}[statement_of(question).verdict(claim["kind"])]
    return f"{holds if value is None else value} on {numbers.interval(interval)}"


def rows_by_certificate(table: Any) -> tuple[dict[str, list[Row]], list[Row]]:
    """The rows of a table of pyarrow that name a certificate, by its digest; those that name none.

    * raises InputError: it has not the columns of an index.
    """
    names = ("question", "verdict", "value", "kind", "lower", "upper", "bytes", "claim", *ABOUT, "digest")
    try:
        columns = [table.column(name).to_pylist() for name in names]
    except KeyError as error:
        raise InputError(f"the index has no column {error}") from None
    found: dict[str, list[Row]] = {}
    without: list[Row] = []
    for cells in zip(*columns, strict=True):
        question, verdict, value, kind, lower, upper, size, claim, *about, digest = map(_text, cells)
        row = Row(question, verdict, value, kind, lower, upper, tuple(about), size, claim, digest)
        if digest:
            found.setdefault(digest, []).append(row)
        else:
            without.append(row)
    return found, without


def _text(value: Any) -> str:
    """A cell as text; a decimal without an exponent."""
    if value is None:
        return ""
    return f"{value:f}" if isinstance(value, Decimal) else str(value)
