# SPDX-License-Identifier: MIT
"""The bundle of an audit by a law: law.json, certificate, manifest and page one say the same.

Standard library only: this file lies in every bundle beside check_bundle.py, which runs it. A mechanism whose
table is too large is judged by its law. Its certificate has the law and the largest level between neighbours
(SPEC.md §4.16). Nothing else is decided of it, and page one says so.

What is said beyond a number of the certificate rests on these theorems of proofs/coq:

* responses: every column has both probabilities, so that any two inputs, and those next to each other in any
  order, have the same level, and the answer that is one of them shows it (``column_extremes``);
* bits: the answer that is one of two inputs shows the level (``bits_attained``);
* counts: the level of counts that differ by at most r is α^min(r, n), so that ε is n times as large between
  any two as it is between neighbours (``geometric_within``, ``lumped_within``, ``unbounded_within``).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from exactdp.certificate.bundle_files import LAW, LAW_FORMAT, MANIFEST, VERSION, sha256, strict_json
from exactdp.certificate.bundle_tables import NotComparedError, combined, constant, equal, multiplied, number_of, reduced, sign_of
from exactdp.certificate.bundle_words import GAP_OF
from exactdp.certificate.compare_described import require_plain_without_inputs
from exactdp.certificate.compare_lines import faults_of_statements
from exactdp.certificate.compare_numbers import Values, is_factor
from exactdp.certificate.compare_page_one import COMPARED, Judged, Rules, faults_by_rules, of_every_page, of_requirements, of_signature
from exactdp.certificate.compare_requirements import (
    Bound,
    beside_delta,
    bound_of,
    exact,
    has_no_number,
    is_about,
    is_epsilon,
    is_head_of_requirements,
    level_of_bound,
    level_of_delta,
)
from exactdp.certificate.page_one import (
    DECIDED,
    HEADS,
    OPEN,
    REQUIRED_HEADS,
    SAYS,
    STATED,
    STATEMENTS,
    STATES,
    TOPICS,
    UNDECIDED,
    Line,
    Page,
    seen,
    title_shown,
    where_of_law,
)
from exactdp.certificate.page_one_sources import TIGHT, Compared, Differs, decimal

FORMS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "response-level": (("size",), ("keep",)),
    "bitwise-level": (("bits", "ones"), ("set", "clear")),
    "geometric-level": (("n", "reach"), ("level",)),
}
"""For each kind of law its sizes and its numbers, as the claim of a certificate has them."""

LAW_KINDS = tuple(FORMS)
"""Claims about laws: ``ratio`` is the largest level (SPEC.md §4.16)."""

LAW_LINES = {"response-level": "law-response", "bitwise-level": "law-bits", "geometric-level": "law-counts"}
"""The line that says each kind of law."""

VERDICTS = {True: "proved", False: "refuted", None: "undecided"}
"""The verdict on a claim, by whether it is kept."""

LEAST_TOLD = Fraction(1, 10**60)
"""A probability that is nearer to 1 is shown as 1."""

ANY_TWO = "any two inputs"
"""What the neighbours of responses and of bits are called."""


@dataclass(frozen=True)
class Law:
    """A law, and the words that name it.

    * ``kind``: of the claim of its certificate.
    * ``sizes``, ``numbers``: by their names in that claim.
    * ``digest``: of all of these.
    """

    word: str
    kind: str
    sizes: Mapping[str, int]
    numbers: Mapping[str, Any]
    digest: str


def law_of(data: bytes) -> Law:
    """The law of law.json; ValueError for anything else."""
    body = strict_json(data)
    if not isinstance(body, dict) or set(body) != {"format", "version", "word", "law"}:
        raise ValueError("it has other keys than the format")
    if (body["format"], body["version"]) != (LAW_FORMAT, VERSION) or not isinstance(body["word"], str):
        raise ValueError("it is of another format, or of another version of it")
    told = body["law"]
    if not isinstance(told, dict) or told.get("kind") not in FORMS:
        raise ValueError("its law is of no known kind")
    sizes, values = FORMS[told["kind"]]
    if set(told) != {"kind", *sizes, *values} or any(type(told[name]) is not int for name in sizes):
        raise ValueError("its law has other keys than its kind")
    if (json.dumps(body, indent=1) + "\n").encode("ascii") != data:
        raise ValueError("it is written in another way")
    digest = sha256(json.dumps(told, sort_keys=True, separators=(",", ":")).encode("ascii"))
    found = {name: number_of(told[name]) for name in values}
    return Law(body["word"], told["kind"], {name: told[name] for name in sizes}, found, f"sha256:{digest}")


class ComparedLaw(Compared):
    """What the lines of page one are compared with: the bundle of an audit by a law."""

    def __init__(self, there: Mapping[str, bytes], predicate: Mapping[str, Any]) -> None:
        self.there, self.predicate = there, predicate
        self.reading, self.claimed = predicate["reading"], predicate["claimed"]
        self.law = law_of(there[LAW])
        self.numbers_of_consumers = {}
        self.certificates = {}
        for one in predicate["certificates"]:
            if one["file"] in there:
                self.certificates[one["part"]] = strict_json(there[one["file"]])

    def own(self) -> Any:
        """The largest level, from the certificate."""
        if self.part("level")["claim"]["kind"] != self.law.kind:
            raise Differs("the certificate of level is of another kind")
        return self.number("level", "ratio")

    def difference(self, x: Any, y: Any) -> Any:
        """The first number minus the second."""
        return reduced(*combined(x, y, -1))

    def quotient(self, x: Any, y: Any) -> Any:
        """The first number over the second."""
        return reduced(multiplied(x[0], y[1]), multiplied(x[1], y[0]))

    def sign(self, x: Any) -> int:
        """The sign of a number."""
        return int(sign_of(x))

    def rational(self, x: int) -> Any:
        """An integer as a number."""
        return constant(Fraction(x)), constant(Fraction(1))

    def is_probability(self, shown: str, x: Any) -> bool:
        """Whether a decimal is the nearest one to a probability, and below 1 if that is, and can be told."""
        is_below = self.compare(1 - LEAST_TOLD, x) > 0
        return self.near(shown, x) and not (is_below and decimal(shown) >= 1)

    def both(self) -> tuple[Any, Any]:
        """Of responses the probability of the true label, and of each other one."""
        keep = self.numbers_of("response-level")["keep"]
        others = self.difference(self.rational(1), keep)
        return keep, self.quotient(others, self.rational(self.law.sizes["size"] - 1))

    def numbers_of(self, kind: str) -> Mapping[str, Any]:
        """The numbers of a law of this kind."""
        if self.law.kind != kind:
            raise Differs("the law is of another kind")
        return self.law.numbers

    def sizes_of(self, kind: str) -> Mapping[str, int]:
        """The sizes of a law of this kind."""
        if self.law.kind != kind:
            raise Differs("the law is of another kind")
        return self.law.sizes

    @property
    def asked(self) -> list[str]:
        """What was asked beyond the level and the claim."""
        beside = ("how private it is ", "whether it is ")
        return [question for question in self.predicate["questions"] if not question.startswith(beside)]


# ── The bundle ──────────────────────────────────────────────────────────────────────────────────
def law_faults(there: Mapping[str, bytes], predicate: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What is wrong with law.json, its certificate and what the manifest says of them."""
    try:
        b = ComparedLaw(there, predicate)
    except (ValueError, LookupError, TypeError, AttributeError, ZeroDivisionError) as error:
        yield LAW, f"it has no law: {error}"
        return
    if predicate["table"]["digest"] != b.law.digest:
        yield LAW, f"its digest is {b.law.digest}, and {MANIFEST} expects {predicate['table']['digest']}"
    if [one["part"] for one in predicate["certificates"]] != ["level"] or predicate["without"]:
        yield MANIFEST, "it lists another certificate than that of the level, or none; a law has that one"
    if any(one["what"] == "table" for one in predicate["inputs"]):
        yield MANIFEST, "it has the file of a table, and a law was judged"
    if "letters" not in b.reading and b.reading.get("table") != b.law.word:
        yield LAW, f"its words are not those that {MANIFEST} says were read"
    for one in predicate["certificates"]:
        if one["file"] in there:
            yield from _other_law(one["file"], one["part"], b)
    yield from _other_neighbours(b)
    yield from _other_verdict(b)


def _other_law(file: str, part: str, b: ComparedLaw) -> Iterator[tuple[str, str]]:
    """Whether a certificate is about another law."""
    try:
        certificate = b.part(part)
        claim, powers = certificate["claim"], b.powers(certificate)
        same = claim["kind"] == b.law.kind and all(claim[name] == size for name, size in b.law.sizes.items())
        same = same and all(equal(powers.scalar(claim[name]), x) for name, x in b.law.numbers.items())
    except (Differs, ValueError, LookupError, TypeError, AttributeError, ZeroDivisionError) as error:
        yield file, f"its law can't be compared: {error}"
        return
    if not same:
        yield file, f"it is about another law than that of {LAW}"


def _other_neighbours(b: ComparedLaw) -> Iterator[tuple[str, str]]:
    """Whether the neighbours that the manifest names are not those of the law."""
    name = b.predicate["assumptions"][0].removeprefix("neighbours: ") if b.predicate["assumptions"] else ""
    if not _are_neighbours(name, b.law):
        yield MANIFEST, f"its neighbours are not those of {LAW}"
    if b.claimed is not None and (b.claimed["neighbours"] != name or b.claimed["quality"] != "law"):
        yield MANIFEST, "its claim is about other neighbours, or not about a law"


def _are_neighbours(name: str, law: Law) -> bool:
    """Whether a name is that of the neighbours of a law."""
    if law.kind != "geometric-level":
        return name == ANY_TWO
    n, reach = law.sizes["n"], law.sizes["reach"]
    if reach == 1:
        return name == f"path:{n + 1}"
    named = re.fullmatch(r"inputs (-?[0-9]{1,30})\.\.(-?[0-9]{1,30}) that differ by at most ([0-9]{1,30})", name, re.ASCII)
    return named is not None and int(named[2]) - int(named[1]) == n and int(named[3]) == reach


def _other_verdict(b: ComparedLaw) -> Iterator[tuple[str, str]]:
    """Whether the verdict is another one than that of the certificate: nothing else decides."""
    verdict = b.predicate["verdicts"][0]["verdict"]
    try:
        expected = "no claim" if b.claimed is None else VERDICTS[_is_kept(b)]
    except NotComparedError:  # check_bundle says that nothing was decided
        return
    except (Differs, ValueError, LookupError, TypeError, AttributeError, ZeroDivisionError) as error:
        yield MANIFEST, f"its verdict can't be compared: {error}"
        return
    if verdict != expected:
        yield MANIFEST, f"its verdict is {verdict}, and its certificate shows: {expected}"


def _is_kept(b: ComparedLaw) -> bool | None:
    """Whether the claim is kept; None where only its δ could keep it, which no certificate is about."""
    kept = b.sign(b.difference(b.own(), b.level())) >= 0
    return True if kept else False if b.claimed["delta"] == "0" else None


# ── Page one ────────────────────────────────────────────────────────────────────────────────────
def faults_of_law_page(there: Mapping[str, bytes], predicate: Mapping[str, Any]) -> Judged:
    """What is wrong with page one of a bundle of a law, and what was not compared."""
    return faults_by_rules(there, predicate, Rules(ComparedLaw, _of_whole, _compare))


def _of_whole(page: Page, b: ComparedLaw) -> Iterator[str]:
    """What is wrong with the choice of lines."""
    said = [line.says for line in page.lines()]
    yield from of_every_page(page, b)
    state, verdict = STATES[b.predicate["verdicts"][0]["verdict"]], [line.says for line in dict(page.sections)["Verdict"]]
    if [says for says in said if says in HEADS] != [state] or verdict[:1] != [state]:
        yield f"it does not begin its verdict with {SAYS[state]!r}"
    needed = ["subject", "law", "law-word", "law-file", LAW_LINES[b.law.kind], "sign"]
    needed.append("law-near" if b.law.kind == "geometric-level" else "law-any")
    needed.append("no-claim" if b.claimed is None else "claimed")
    exactly = b.claimed is None or b.claimed["delta"] == "0"
    needed += [] if exactly else ["claimed-delta"]
    needed += ["law-delta"] if b.predicate["verdicts"][0]["verdict"] == "undecided" else []
    needed.append("own-infinite" if b.sign(b.own()) == 0 else "own" if exactly else "own-pure")
    for says in needed:
        if said.count(says) != 1:
            yield f"it does not say {SAYS[says][:40]!r}, or twice"
    yield from faults_of_statements(Counter(said), b)
    yield from _counted_of_law(said, b)
    if not b.predicate["command"]:  # that of a command line is compared with its words
        for question in b.asked:
            if question.startswith(GAP_OF):
                require_plain_without_inputs(question.removeprefix(GAP_OF))
    opened = [line.values["question"] for line in page.lines() if line.says == "law-open"]
    if opened != list(map(seen, b.asked)):
        yield "it does not say of each other question that it is not judged"
    yield from of_signature(page, b)
    yield from of_requirements(page, b)


def _counted_of_law(said: list[str], b: ComparedLaw) -> Iterator[str]:
    """Whether it says how far the smallest ε is from the claimed one, and that nobody was named."""
    is_pure = b.claimed is not None and b.claimed["delta"] == "0"
    beside = sum(said.count(says) for says in ("more", "equal", "less"))
    if beside != (is_pure and b.sign(b.own()) != 0):
        yield "it does not say how far its smallest ε is from the claimed one, or twice"
    if said.count("nobody") != all(not question.startswith(GAP_OF) for question in b.asked):
        yield "it does not say whether somebody who uses the answers was named"


def _compare(line: Line, b: ComparedLaw) -> None:
    """Raise Differs unless a line is one of a law, and says what its certificate or the manifest says."""
    if not line.shown:
        raise Differs("a law has its certificate")
    if line.says not in LINES:
        raise Differs("it is no line about a law")
    compare = LINES[line.says]
    if compare is not None and not compare(b, line.values, line.of):
        raise Differs("it has other values")


def _response(b: ComparedLaw, v: Values, _: str) -> bool:
    keep, other = b.both()
    size = b.law.sizes["size"]
    return v["size"] == f"{size:,}" and b.is_probability(v["keep"], keep) and b.is_probability(v["other"], other)


def _bits(b: ComparedLaw, v: Values, _: str) -> bool:
    sizes, numbers = b.sizes_of("bitwise-level"), b.numbers_of("bitwise-level")
    same = all(v[name] == f"{size:,}" for name, size in sizes.items())
    return same and all(b.is_probability(v[name], x) for name, x in numbers.items())


def _counts(b: ComparedLaw, v: Values, _: str) -> bool:
    n, level = b.sizes_of("geometric-level")["n"], b.numbers_of("geometric-level")["level"]
    return v["counts"] == f"{n + 1:,}" and b.is_probability(v["level"], level)


def _near(b: ComparedLaw, v: Values, _: str) -> bool:
    return v["reach"] == f"{b.sizes_of('geometric-level')['reach']:,}"


def _other(b: ComparedLaw, v: Values, _: str) -> bool:
    sizes = b.sizes_of("geometric-level")
    return sizes["reach"] == 1 < sizes["n"] and v["times"] == f"{sizes['n']:,}"


def _is_signed(b: ComparedLaw, v: Values, _: str) -> bool:
    """Whether what is signed is about this law and its neighbours, and about the claim if there is one."""
    reach = f"{b.law.sizes['reach']:,}" if b.law.kind == "geometric-level" else ""
    right = v["name"] == title_shown(b.predicate["table"]["name"]) and v["where"] == where_of_law(reach)
    if b.claimed is None:
        return right and "epsilon" not in v
    exactly = Fraction(b.claimed["delta"])
    return right and exactly <= decimal(v["delta"]) <= exactly / (1 - TIGHT) and b.epsilon_above(v["epsilon"], b.level())


def _inverse_is(b: ComparedLaw, shown: str) -> bool:
    """Whether a decimal is 1 over the level, rounded up."""
    return is_factor(b, shown, b.own())


def _in_order(b: ComparedLaw) -> tuple[Any, Any]:
    """The smaller and the larger probability of responses."""
    keep, other = b.both()
    return (other, keep) if b.sign(b.difference(keep, other)) >= 0 else (keep, other)


def _event_response(b: ComparedLaw, v: Values, _: str) -> bool:
    unlikely, likely = _in_order(b)
    return b.is_probability(v["likely"], likely) and b.is_probability(v["unlikely"], unlikely) and _inverse_is(b, v["ratio"])


def _event_never(b: ComparedLaw, v: Values, _: str) -> bool:
    unlikely, likely = _in_order(b)
    return b.sign(unlikely) == 0 and b.is_probability(v["likely"], likely)


def _event_bits(b: ComparedLaw, v: Values, _: str) -> bool:
    numbers = b.numbers_of("bitwise-level")
    return b.sign(b.difference(numbers["set"], numbers["clear"])) > 0 and _inverse_is(b, v["ratio"])


def _event_counts(b: ComparedLaw, v: Values, _: str) -> bool:
    sizes = b.sizes_of("geometric-level")
    return v["steps"] == f"{min(sizes['reach'], sizes['n']):,}" and _inverse_is(b, v["ratio"])


def _scope(b: ComparedLaw, v: Values, _: str) -> bool:
    """Only the guarantee is decided here: no law says how useful the answers are."""
    topic = {words: key for key, words in TOPICS.items()}[v["topic"]]
    told = v["status"], v["text"]
    if topic == "guarantee":
        is_open = b.predicate["verdicts"][0]["verdict"] == "undecided"
        return told == ((UNDECIDED, "") if is_open else (DECIDED, "see above"))
    if v["status"] == STATED:
        return topic in STATEMENTS and topic != "utility" and bool(v["text"])
    return told == (OPEN, "")


# ── Requirements ────────────────────────────────────────────────────────────────────────────────
def _required(b: ComparedLaw, v: Values, of: str) -> bool:
    """Whether a requirement has the status that follows from the level, and the number of its certificate."""
    bound = bound_of(v["text"])
    status, has_number = _status(b, bound)
    right = v["status"] == status and of == ("" if status == "undecided" else "level")
    if bound.quantity in _GAPS:
        asked = [question.removeprefix(GAP_OF) for question in b.asked if question.startswith(GAP_OF)]
        right = right and v["about"] in [seen(f"for {who}") for who in asked]
    else:
        right = right and is_about(b, bound, v)
    if not has_number:
        return right and has_no_number(v)
    if bound.quantity == "delta":
        return right and b.above(v["figure"], b.rational(0))
    return right and is_epsilon(b, v, b.own())


def _status(b: ComparedLaw, bound: Bound) -> tuple[str, bool]:
    """What follows of a requirement from the level alone, and whether its number does.

    Beside a δ the smallest ε is not larger than with δ = 0. At an ε the least δ is 0 if and only if the level
    of that ε is kept. Of a gap nothing follows.
    """
    if bound.quantity in ("epsilon", "alpha"):
        order = b.sign(b.difference(b.own(), level_of_bound(bound)))
        kept = order > 0 if bound.strict else order >= 0
        if beside_delta(b) == 0:
            return ("holds" if kept else "fails"), True
        return ("holds" if kept else "undecided"), False
    if bound.quantity == "delta":
        is_zero = exact(bound.number) == 0
        if b.sign(b.difference(b.own(), level_of_delta(b))) >= 0:
            return ("fails" if bound.strict and is_zero else "holds"), True
        return ("fails" if is_zero else "undecided"), False
    if bound.quantity in _GAPS:
        return "undecided", False
    raise Differs(f"{bound.quantity} is no quantity that is required of a law")


_GAPS = ("gap", "gap after remap")
Compare = Callable[[Any, Values, str], bool]

_AS_OF_TABLES = (
    *("subject", "no-claim", "claimed", "claimed-delta", "own", "own-pure", "own-infinite", "more", "equal", "less"),
    *("repair-epsilon", "nobody", "made", "version", "command"),
)
"""Lines that are compared as those of a table are."""

_OF_THE_AUDITOR = ("called", "chosen", "chosen-open", "unit", "unit-open")
_WITHOUT_VALUES = ("law", "holds", "fails", "undecided", "no claim", "check-bundle", "rounding", "sign", "required-words")
"""Lines without a number: what the auditor states, and what is true of every law. That of the verdict is
compared with the manifest, beside all others.
"""

LINES: dict[str, Compare | None] = {
    **{says: COMPARED[says] for says in _AS_OF_TABLES},
    **dict.fromkeys((*_OF_THE_AUDITOR, *_WITHOUT_VALUES)),
    **{says: is_head_of_requirements(says) for says in REQUIRED_HEADS},
    **dict.fromkeys(("sign-for", "sign-own"), _is_signed),
    "required": _required,
    "law-word": lambda b, v, _: v["word"] == seen(b.law.word),
    "law-file": lambda b, v, _: v["digest"] == sha256(b.there[LAW]),
    "law-response": _response,
    "law-bits": _bits,
    "law-counts": _counts,
    "law-any": lambda b, _v, _: b.law.kind != "geometric-level",
    "law-near": _near,
    "law-other": _other,
    "law-other-same": lambda b, _v, _: b.law.kind == "response-level",
    "law-delta": lambda b, _v, _: b.predicate["verdicts"][0]["verdict"] == "undecided",
    "law-event-response": _event_response,
    "law-event-never": _event_never,
    "law-event-bits": _event_bits,
    "law-event-counts": _event_counts,
    "law-open": lambda b, v, _: v["question"] in map(seen, b.asked),
    "scope": _scope,
}
"""How each line about a law is compared; None: with nothing."""
