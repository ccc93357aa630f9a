# SPDX-License-Identifier: MIT
"""Whether a consumer is the one that a bundle describes: loss or gain, prior or side information.

Standard library only: this file lies in every bundle beside check_bundle.py, which runs it. The description
is taken apart without rest. Its loss, its prior and its set are those of the certificate. A file that it
names is one of the bundle, by its digest, and has these numbers.
"""

from __future__ import annotations

import csv
import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, groupby, pairwise
from typing import Any

from exactdp.certificate.bundle_files import is_of_law
from exactdp.certificate.bundle_files import shown as printable
from exactdp.certificate.bundle_tables import (
    ZERO,
    Grid,
    NotComparedError,
    OnlyNamedError,
    cell,
    constant,
    numbers_of_file,
    pairs_of,
)
from exactdp.certificate.bundle_words import GAP_OF, OPTIMUM
from exactdp.certificate.compare_claim import listed, pairs_with_distances
from exactdp.certificate.compare_numbers import inputs_of, named_table
from exactdp.certificate.page_one import LOSSES
from exactdp.certificate.page_one_sources import Compared, Differs

_FORM = re.compile(r"the (minimax|Bayesian) consumer with (loss|gain) (.+?) and (side information \{.*\}|prior .+)")
_FILE = re.compile(r"(.+) \(sha256 ([0-9a-f]{8})…\)")

LOSSES_OF_PLACES = ("abs-loss", "squared-loss", "zero-one-loss")
"""Definitions of losses whose guesses are the inputs, in their order."""

MOST_OF_A_NAME = 40
"""Characters of the name that a loss has in Python."""

FEW_WEIGHTS = 8
"""More weights of a prior are not written out."""


def require_described(b: Compared, part: str, described: str) -> None:
    """Raise Differs unless a certificate is about the consumer of a description, which has its digests."""
    found = _FORM.fullmatch(described)
    if found is None:
        raise Differs("it describes no consumer")
    kind, measure, title, beside = found.groups()
    consumer = b.part(part)["claim"]["consumer"]
    if kind.lower() != consumer["type"] or beside.startswith("prior") != (kind == "Bayesian"):
        raise Differs(f"the consumer of {part} is of another kind")
    only_named: OnlyNamedError | None = None
    try:
        _require_loss(b, part, title, -1 if measure == "gain" else 1)
    except OnlyNamedError as error:  # the name alone is not compared: all else is
        only_named = error
    if kind == "Bayesian":
        _require_prior(b, part, beside.removeprefix("prior "))
    else:
        _require_set(b, part, beside.removeprefix("side information "))
    if only_named is not None:
        raise only_named


_WITHOUT_INPUTS = re.compile(r"the (minimax|Bayesian) consumer with (?:loss|gain) (.+?)(?: and (?:side information|prior) (.+?))?")
"""How a consumer is described whose inputs are not known: with neither of both, all inputs are meant."""

_NUMBERED = re.compile(r" \(consumer [1-9][0-9]{0,3}\)")
"""What tells consumers apart that are described alike."""

_MARKS_OF_SETS = re.compile(
    r"(?:[-0-9., /:;(){}…]|\bsha256 [0-9a-f]{8}…|\b[0-9]{1,6} labels\b|\buniform(?: on [0-9]{1,6} inputs)?)+", re.ASCII
)
"""A set of integers or weights, in which no sentence stands."""

MOST_SPANS = 200
"""Of more inputs a set that is not written out is not taken apart."""


def require_plain(b: Compared, described: str) -> None:
    """Raise Differs unless a description is in our words, with the labels and the files of the bundle.

    No certificate is about this consumer, so that only the form can be compared.
    """
    found = _FORM.fullmatch(described)
    if found is None:
        raise Differs("it describes no consumer")
    kind, _, title, beside = found.groups()
    if beside.startswith("prior") != (kind == "Bayesian"):
        raise Differs("it describes no consumer")
    if kind == "minimax":
        if not _is_set(beside.removeprefix("side information "), b.inputs):
            raise Differs("its side information is no set of the inputs")
    else:
        _require_plain_prior(b, beside.removeprefix("prior "))
    own = re.sub(r" \((?:sha256 [0-9a-f]{8}…|consumer [1-9][0-9]{0,3})\)$", "", title, flags=re.ASCII)
    if title in LOSSES or re.fullmatch(r"given by a table \(sha256 [0-9a-f]{8}…\)", title, re.ASCII):
        return
    if not b.predicate["command"] and _is_own_name(own):
        raise _only_named(own, "its loss")
    _require_file(b, title, "its loss", lambda _: True)


def _require_plain_prior(b: Compared, told: str) -> None:
    """Raise Differs unless a prior is uniform, or weights of the inputs, or a name or a file beside them."""
    labels = b.inputs
    if told == f"uniform on {len(labels)} inputs":
        return
    shown = [f"{re.escape(printable(label))}: [0-9]{{1,4000}}(?:/[0-9]{{1,4000}})?" for label in labels]
    if len(shown) > FEW_WEIGHTS:
        weights = rf"\({', '.join([*shown[:4], '…', *shown[-2:]])}; sha256 [0-9a-f]{{8}}…\)"
        found = re.fullmatch(rf"{weights}|(.+)", told, re.ASCII)
    else:
        found = re.fullmatch(rf"\({', '.join(shown)}\)(?: of (.+))?", told, re.ASCII)
    if found is None:
        raise Differs("its prior is none of the inputs")
    if found[1] is not None:
        _require_file(b, found[1], "its prior", lambda _: True)


def _is_set(told: str, labels: Sequence[str]) -> bool:
    """Whether a text in braces is a set of these labels, as :func:`set_text` writes it."""
    if told == set_text(labels, labels):
        return True
    found = re.fullmatch(r"\{(.*?)(?:; sha256 [0-9a-f]{8}…)?\}", told, re.ASCII)
    if found is None or len(labels) > MOST_SPANS:
        return False
    places = combinations(range(len(labels) + 1), 2)
    spans = [(start, stop, span) for start, stop in places if (span := _span(labels[start:stop])) in found[1]]
    return any(_are_spans(found[1], spans, apart) for apart in (", ", "; "))


def _are_spans(text: str, spans: Sequence[tuple[int, int, str]], apart: str) -> bool:
    """Whether a text is spans of labels in their order, with a mark between each two of them."""
    ends = {(0, 0)}  # places in the text and in the labels up to which it was read
    reached = set(ends)
    while ends:
        place, first = ends.pop()
        for start, stop, span in spans:
            after = place + len(span) + len(apart), stop
            if start < first or after in reached or not text.startswith(span, place):
                continue
            if place + len(span) == len(text):
                return True
            if text.startswith(apart, place + len(span)):
                reached.add(after)
                ends.add(after)
    return False


def require_plain_without_inputs(described: str) -> None:
    """Raise Differs unless a consumer of a law, of which nothing is judged, is described in our words.

    >>> require_plain_without_inputs("the minimax consumer with loss abs and side information 1..2")
    """
    found = _WITHOUT_INPUTS.fullmatch(_NUMBERED.sub("", described))
    if found is None or (" and prior " in described) != (found[1] == "Bayesian"):
        raise Differs("it describes no consumer")
    own = re.sub(r" \(sha256 [0-9a-f]{8}…\)$", "", found[2], flags=re.ASCII)
    beside = re.sub(r" of ([^()]+)$", lambda name: "" if _is_own_name(name[1]) else name[0], found[3] or "")
    if not (found[2] in LOSSES or own == "given by a table" or _is_own_name(own)) or not _MARKS_OF_SETS.fullmatch(beside or "{}"):
        raise Differs("its consumer is not described in words of ours")


def _labels(b: Compared, part: str) -> Sequence[str]:
    certificate = b.part(part)
    if OPTIMUM.fullmatch(part):  # in which no table occurs
        labels, _ = pairs_with_distances(certificate["definitions"][certificate["claim"]["neighbours"]])
        return labels
    return inputs_of(named_table(certificate), is_printed="printed" in certificate["claim"])


def _orders(b: Compared, labels: Sequence[str]) -> Iterator[list[str]]:
    """The labels in the order of a certificate, and in that of the table as it was read."""
    yield list(labels)
    if sorted(b.inputs) == sorted(labels):
        yield list(b.inputs)


def _digest(lines: Sequence[str]) -> str:
    """What tells long lists apart in a description: of each text the escaped form."""
    text = "\n".join(ascii(line) for line in lines)
    return f"sha256 {hashlib.sha256(text.encode()).hexdigest()[:8]}…"


# ── What was asked ──────────────────────────────────────────────────────────────────────────────
@dataclass(frozen=True)
class Wanted:
    """A consumer as a command line or a policy asks about it: words and files."""

    loss: str
    prior: str | None = None
    side: str | None = None


def faults_of_asked(
    predicate: Mapping[str, Any], there: Mapping[str, bytes], wanted: Sequence[Wanted], options: Mapping[str, Any]
) -> Iterator[str]:
    """Each consumer that is asked about has its question, in their order, and there are no others.

    Two that are described in one way have one question.
    """
    asked = [question.removeprefix(GAP_OF) for question in predicate["questions"] if question.startswith(GAP_OF)]
    if is_of_law(predicate):
        if list(dict.fromkeys(map(_described_by_law, wanted))) != asked:
            yield "the consumers that it tells of are not those of its command line"
        return
    orders = _orders_of(Compared(there, predicate))
    answered = 0
    for one in wanted:
        files = _files_asked(one, predicate, there)
        if any(_is_asked(question, one, orders, files, options) for question in asked[:answered]):
            continue
        if answered == len(asked) or not _is_asked(asked[answered], one, orders, files, options):
            yield f"its command line asks about a consumer, {one.loss[:60]!r}, of whom nothing is said, or in another order"
            return
        answered += 1
    if answered < len(asked):
        yield "it tells of more consumers than its command line asks about"


@dataclass(frozen=True)
class _FilesAsked:
    """What the files of a consumer are called, and whether that of the prior may be uniform."""

    loss: Sequence[str]
    prior: Sequence[str]
    is_uniform: bool


def _files_asked(one: Wanted, predicate: Mapping[str, Any], there: Mapping[str, bytes]) -> _FilesAsked:
    """The files of a consumer; a prior that this program does not read may be uniform."""
    loss, prior = ([] if word is None else file_names(word, predicate, there) for word in (one.loss, one.prior))
    b = Compared(there, predicate)
    named = [] if one.prior is None else _inputs_named(one.prior, predicate, there)
    read = [list(_priors_of(there[each["file"]], b, list(b.inputs))) for each in named]
    is_uniform = any(not priors or any(len(set(weights.values())) == 1 for weights in priors) for priors in read)
    return _FilesAsked(loss, prior, is_uniform)


def _described_by_law(one: Wanted) -> str:
    """What a law says of a consumer: the words, and no file is read."""
    prior = "" if one.prior is None else f" and prior {one.prior}"
    side = "" if one.side is None else f" and side information {one.side}"
    return f"the {'minimax' if one.prior is None else 'Bayesian'} consumer with loss {one.loss}{prior}{side}"


def _orders_of(b: Compared) -> list[list[str]]:
    """The labels as the table has them, and as the certificates of consumers have them."""
    found = [list(b.inputs)]
    for part in b.certificates:
        if part.startswith("consumer-") and list(_labels(b, part)) not in found:
            found.append(list(_labels(b, part)))
    return found


def file_names(given: str, predicate: Mapping[str, Any], there: Mapping[str, bytes]) -> list[str]:
    """What a file of the bundle is called in sentences; a policy names it from its own folder."""
    title = "standard input" if given == "-" else given.rpartition("/")[2]
    inputs = _inputs_named(given, predicate, there)
    return [f"{title} (sha256 {hashlib.sha256(there[one['file']]).hexdigest()[:8]}…)" for one in inputs]


def _inputs_named(given: str, predicate: Mapping[str, Any], there: Mapping[str, bytes]) -> Sequence[Mapping[str, str]]:
    """The inputs of a name: those that were given so, else those whose names end so."""
    word = given.rpartition("/")[2]
    kept = [one for one in predicate["inputs"] if one["file"] in there]
    named = [one for one in kept if printable(one["given"]) == printable(given)]
    return named or [one for one in kept if one["given"].rpartition("/")[2] == word]


def _is_asked(question: str, one: Wanted, orders: Sequence[list[str]], files: _FilesAsked, options: Mapping[str, Any]) -> bool:
    """Whether a description is that of a consumer who was asked about."""
    found = _FORM.fullmatch(question)
    if found is None:
        return False
    kind, measure, title, beside = found.groups()
    is_loss = title == one.loss if one.loss in LOSSES else title in files.loss
    if measure != "loss" or not is_loss or (kind == "Bayesian") != (one.prior is not None):
        return False
    if one.prior is None:
        return any(beside == f"side information {told}" for told in _sets(one.side, orders))
    told = beside.removeprefix("prior ")
    if one.prior == "uniform":
        return told == f"uniform on {len(orders[0])} inputs"
    if any(told == name or told.endswith(f" of {name}") for name in files.prior):
        return True
    if not re.search(r"[,{\[]", one.prior):  # a file, whose weights are those of the certificate
        return files.is_uniform and told == f"uniform on {len(orders[0])} inputs"
    return told in _priors(one.prior, orders, options)


def _sets(side: str | None, orders: Sequence[list[str]]) -> Iterator[str]:
    """How a set of inputs that was asked about is described."""
    for labels in orders:
        chosen = set(labels) if side is None else _chosen(side, labels)
        yield set_text([label for label in labels if label in chosen], labels)


def _chosen(side: str, labels: Sequence[str]) -> set[str]:
    """The inputs that a text means: one, those from one integer to another, or a list."""
    span = re.fullmatch(r"(-?[0-9]{1,18})\.\.(-?[0-9]{1,18})", side, re.ASCII)
    if side in labels:
        return {side}
    if span is not None:
        return {label for label in labels if int(span[1]) <= int(label) <= int(span[2])}
    apart = ";" if any("," in label for label in labels) else ","
    return {word.strip() for word in side.split(apart)}


def _priors(written: str, orders: Sequence[list[str]], options: Mapping[str, Any]) -> Iterator[str]:
    """How weights that were written out are described."""
    is_dyadic, is_divided = "--dyadic" in options, bool({"--renormalise-prior", "--renormalise"} & set(options))
    try:
        given = json.loads(written, parse_float=str, parse_int=str) if written.lstrip()[:1] in ("{", "[") else written.split(",")
    except ValueError:
        raise NotComparedError(f"the prior {written[:60]!r} is none that this program compares") from None
    for labels in orders:
        texts = [given.get(label) for label in labels] if isinstance(given, dict) else given
        weights = [cell(str(text), is_dyadic) for text in texts]
        known = [x for x in weights if x is not None]
        if len(known) < len(labels) or len(weights) != len(labels):
            raise NotComparedError(f"the prior {written[:60]!r} is none that this program compares")
        total = sum(known) if is_divided else Fraction(1)
        divided = [x / total for x in known]
        yield (
            f"uniform on {len(labels)} inputs" if len(set(divided)) == 1 else weights_text(labels, dict(zip(labels, divided, strict=True)))
        )


# ── Losses ──────────────────────────────────────────────────────────────────────────────────────
def _require_loss(b: Compared, part: str, title: str, sign: int) -> None:
    """Raise Differs unless a certificate has the loss of a title: a word, a file, or a digest."""
    certificate, inputs = b.part(part), _labels(b, part)
    guesses, loss = b.loss(part)
    values = [[sign * x for x in row] for row in loss]  # as they were given: of a gain they are minus the loss
    if title in LOSSES:
        is_of_places = certificate["definitions"][certificate["claim"]["consumer"]["loss"]]["type"] in LOSSES_OF_PLACES
        expected = _loss_named(title, inputs, inputs if is_of_places else guesses, certificate)
        if sign == -1 and title == "zero-one":
            expected = [[1 - x for x in row] for row in expected]
        if values != expected:
            raise Differs(f"the loss of {part} is not {title!r}")
        return
    digest = _digest_of_loss(inputs, guesses, values)
    if title == f"given by a table ({digest})":
        return
    own = title.removesuffix(f" ({digest})")
    if own != title and not b.predicate["command"]:  # two losses of one name in Python have their digests
        raise _only_named(own, f"the loss of {part}")
    if not b.predicate["command"] and _FILE.fullmatch(title) is None:
        if any(x < 0 for row in values for x in row):  # a loss told as a gain has minus signs
            raise NotComparedError(f"of {part} it is not known whether negative numbers are losses or gains")
        raise _only_named(title, f"the loss of {part}")
    _require_file(b, title, f"the loss of {part}", lambda content: _file_has_loss(content, b, inputs, guesses, values))


def _digest_of_loss(inputs: Sequence[str], guesses: Sequence[str], values: Sequence[Sequence[Fraction]]) -> str:
    lines = sorted(f"{i!r} {r!r} {x}" for i, row in zip(inputs, values, strict=True) for r, x in zip(guesses, row, strict=True))
    return _digest(lines)


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


def _file_has_loss(
    content: bytes, b: Compared, inputs: Sequence[str], guesses: Sequence[str], values: Sequence[Sequence[Fraction]]
) -> bool | None:
    """Whether a file has the numbers of a loss; None where this program does not read it."""
    empty = Grid(tuple(inputs), tuple(guesses), tuple((ZERO,) * len(guesses) for _ in inputs))
    read = numbers_of_file(content, empty, {"dyadic": b.reading.get("dyadic")})
    return None if read is None else read[0] == [list(row) for row in values]


_NEAR = ("abs", "square", "zeroone", "01", "distance")
"""What the names of losses that have words of ours begin with or contain, without signs."""


_OF_VERDICTS = frozenset(
    [
        "is",
        "are",
        "was",
        "holds",
        "hold",
        "held",
        "fails",
        "fail",
        "claim",
        "claims",
        "claimed",
        "private",
        "privacy",
        "true",
        "false",
        "proved",
        "refuted",
        "certified",
        "epsilon",
        "delta",
    ]
)
"""Words of sentences, which no name of a loss has."""


def _is_own_name(title: str) -> bool:
    """Whether the name of a loss in Python is plain, and not near to that of a loss which has words of ours.

    >>> _is_own_name("hit"), _is_own_name("zero-one loss"), _is_own_name("cost. It holds")
    (True, False, False)
    """
    if any(word in _OF_VERDICTS for word in re.split("[^a-z]+", title.lower())):
        return False
    plain = re.sub("[^a-z0-9]", "", title.lower())
    written = re.fullmatch(r"[A-Za-z0-9_-]+(?: [A-Za-z0-9_-]+){0,3}", title) is not None
    return written and len(title) <= MOST_OF_A_NAME and not any(word in plain for word in _NEAR)


def _only_named(title: str, what: str) -> NotComparedError:
    """What is said of a name that somebody gave in Python; less of one that is not plain."""
    if _is_own_name(title):
        return OnlyNamedError(f"{what} is called {title!r} by who asked in Python")
    return _without_file(title, what)


def _without_file(title: str, what: str) -> NotComparedError:
    return NotComparedError(f"{what} is called {title[:60]!r}, and no file of the bundle has it")


def _require_file(b: Compared, title: str, what: str, has: Any) -> None:
    """Raise Differs unless a file of the bundle has this name, this digest and these numbers."""
    named = _FILE.fullmatch(title)
    if named is None and not b.predicate["command"]:
        raise _only_named(title, what)
    if named is None:
        raise _without_file(title, what)
    for given, content in b.files.items():
        is_name = given.rpartition("/")[2] == named[1] or (given == "-" and named[1] == "standard input")
        if is_name and hashlib.sha256(content).hexdigest()[:8] == named[2]:
            found = has(content)
            if found is None:
                raise NotComparedError(f"this program does not read {given}")
            if not found:
                raise Differs(f"{what} is not that of {given}")
            return
    raise Differs(f"{what} is said to be that of {title[:60]!r}, which is no file of the bundle")


# ── Side information ────────────────────────────────────────────────────────────────────────────
def _require_set(b: Compared, part: str, told: str) -> None:
    """Raise Differs unless the inputs that a consumer holds possible are those of a set in braces."""
    labels = _labels(b, part)
    possible = b.part(part)["claim"]["consumer"].get("side_information", range(len(labels)))
    chosen = {labels[i] for i in possible}
    if not any(told == set_text([label for label in order if label in chosen], order) for order in _orders(b, labels)):
        raise Differs(f"the side information of {part} is another one")


def set_text(chosen: Sequence[str], labels: Sequence[str]) -> str:
    """A set of inputs in words: from three integers on that count up as their ends.

    >>> set_text(["0", "1", "2", "4"], list("01234")), set_text(["a", "b"], ["a", "b"])
    ('{0..2, 4}', '{a, b}')
    """
    places = [labels.index(label) for label in chosen]
    runs = groupby(enumerate(places), key=lambda pair: pair[1] - pair[0])
    spans = [_span([labels[place] for _, place in run]) for _, run in runs]
    digest = f"; {_digest(sorted(chosen))}" if any("…" in span for span in spans) else ""
    apart = "; " if any("," in label for label in chosen) else ", "
    return "{" + apart.join(spans) + digest + "}"


def _span(labels: Sequence[str]) -> str:
    are_integers = all(re.fullmatch(r"-?(?:0|[1-9][0-9]{0,17})", label, re.ASCII) for label in labels)
    if len(labels) > 2 and are_integers and all(int(y) - int(x) == 1 for x, y in pairwise(labels)):
        return f"{labels[0]}..{labels[-1]}"
    return listed(labels)[1:-1]


# ── Priors ──────────────────────────────────────────────────────────────────────────────────────
def _require_prior(b: Compared, part: str, told: str) -> None:
    """Raise Differs unless a certificate has the weights of a prior: written out, or of a file."""
    labels, certificate = _labels(b, part), b.part(part)
    numbers = b.powers(certificate).vector(certificate["claim"]["consumer"]["prior"], len(labels))
    if any(den != constant(Fraction(1)) or set(num) - {()} for num, den in numbers):
        raise NotComparedError("a weight of the prior is irrational")
    weights = dict(zip(labels, (num.get((), Fraction(0)) for num, _ in numbers), strict=True))
    if len(set(weights.values())) == 1:
        if told != f"uniform on {len(labels)} inputs":
            raise Differs(f"the prior of {part} is uniform")
        return
    if told in (weights_text(order, weights) for order in _orders(b, labels)):
        return
    file = told
    if len(labels) > FEW_WEIGHTS and not b.predicate["command"] and _FILE.fullmatch(told) is None:
        raise _without_file(told, f"the prior of {part}")  # a name alone has no weights
    if len(labels) <= FEW_WEIGHTS:
        starts = [f"{weights_text(order, weights)} of " for order in _orders(b, labels)]
        start = next((start for start in starts if told.startswith(start)), None)
        if start is None:
            raise Differs(f"the prior of {part} is another one")
        file = told.removeprefix(start)
    _require_file(b, file, f"the prior of {part}", lambda content: _file_has_prior(content, b, weights))


def weights_text(labels: Sequence[str], weights: Mapping[str, Fraction]) -> str:
    """The weights of a prior in words, many of them with their digest.

    >>> weights_text(["a", "b"], {"a": Fraction(1, 3), "b": Fraction(2, 3)})
    '(a: 1/3, b: 2/3)'
    """
    shown = [f"{printable(label)}: {weights[label]}" for label in labels]
    if len(shown) <= FEW_WEIGHTS:
        return f"({', '.join(shown)})"
    digest = _digest(sorted(f"{label!r} {weights[label]}" for label in labels))
    return f"({', '.join([*shown[:4], '…', *shown[-2:]])}; {digest})"


def _file_has_prior(content: bytes, b: Compared, weights: Mapping[str, Fraction]) -> bool | None:
    """Whether a file has these weights, in one of the ways to write them; None if it is not read."""
    found = [_undivided(one, b) for one in _priors_of(content, b, list(weights))]
    return dict(weights) in found if found else None


def _undivided(weights: Mapping[str, Fraction], b: Compared) -> dict[str, Fraction]:
    total = sum(weights.values()) if b.reading.get("renormalise") else Fraction(1)
    return {label: x / total for label, x in weights.items()} if total else dict(weights)


def _priors_of(content: bytes, b: Compared, labels: Sequence[str]) -> Iterator[dict[str, Fraction]]:
    """The priors that a file may be meant as: a line, a column, or two columns or lines, one with labels."""
    try:
        text = content.decode("utf-8-sig")
        if text.lstrip()[:1] in ("{", "["):
            yield from _prior_of_json(json.loads(text, parse_float=str, parse_int=str), b, labels)
            return
        lines = [line for line in text.splitlines() if line.strip()]
        delimiter = next((d for d in (";", "\t", ",") if lines and d in lines[0]), ",")
        cells = [[one.strip() for one in row] for row in csv.reader(lines, delimiter=delimiter)]
    except (ValueError, csv.Error):
        return
    turned = [list(column) for column in zip(*cells, strict=False)]
    for grid in (cells, turned):
        for rows in (grid, grid[1:]):
            if rows and all(len(row) == 2 for row in rows):
                yield from _weighed([row[0] for row in rows], [row[1] for row in rows], b, labels)
            if rows and all(len(row) == 1 for row in rows):
                yield from _weighed(None, [row[0] for row in rows], b, labels)


def _prior_of_json(value: Any, b: Compared, labels: Sequence[str]) -> Iterator[dict[str, Fraction]]:
    if isinstance(value, dict) and all(isinstance(x, str) for x in value.values()):
        yield from _weighed(list(value), list(value.values()), b, labels)
    if isinstance(value, list) and all(isinstance(x, str) for x in value):
        yield from _weighed(None, value, b, labels)


def _weighed(names: Sequence[str] | None, written: Sequence[str], b: Compared, labels: Sequence[str]) -> Iterator[dict[str, Fraction]]:
    """The weights by their labels, if they are numbers, one for each label."""
    numbers = [cell(text, bool(b.reading.get("dyadic"))) for text in written]
    kept = [x for x in numbers if x is not None]
    if len(kept) != len(labels) or len(numbers) != len(labels):
        return
    if names is None:
        for order in _orders(b, labels):
            yield dict(zip(order, kept, strict=True))
    elif sorted(names) == sorted(labels):
        yield dict(zip(names, kept, strict=True))
