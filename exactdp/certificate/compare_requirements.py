# SPDX-License-Identifier: MIT
"""Each requirement of page one is decided again from the certificate that it names.

Standard library only: this file lies in every bundle beside check_bundle.py, which runs it. A requirement is
a bound on ε, on α, on δ or on a gap, as it was written. Of a printed table one end shows that it holds, or
fails, of every table that prints so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from exactdp.certificate.bundle_tables import (
    NotComparedError,
    Number,
    combined,
    constant,
    level_of_epsilon,
    multiplied,
    pairs_of,
    reduced,
    sign_of,
    table_of,
)
from exactdp.certificate.bundle_words import OPTIMUM
from exactdp.certificate.compare_numbers import MOST_COMPARED, ends_of_epsilon
from exactdp.certificate.compare_parts import decided_by_numbers
from exactdp.certificate.compare_printed import ends_of_gap, optimum_of
from exactdp.certificate.page_one import NO_GAP, NONE, Line, required_about, required_heads
from exactdp.certificate.page_one_sources import Compared, Differs

_FORM = re.compile(r"(?:(epsilon|delta|gap|gap after remap) (<=|<)|(alpha) (>=|>)) ([ -~−·]{1,200})")
"""Each number is to be at most a bound, but α, which is larger for more privacy, at least one."""

_NUMBER = re.compile(r"[0-9]{1,400}(?:\.[0-9]{1,400})?(?:[eE][+-]?[0-9]{1,3})?|[0-9]{1,400}/[0-9]{1,400}", re.ASCII)

LEVELS = {"level-with-delta": "of one", "level-of-all-tables": "of all", "level-of-some-table": "of some"}
"""Claims that have the number on which a bound on ε or α is: of a table, or the end of all that print so."""

DELTAS = {"delta": "of one", "delta-of-all-tables": "of all", "all-tables-approximately-private": "of all"}
DELTAS |= {"delta-of-some-table": "of some"}
"""The same for bounds on δ."""

GAPS = {"deployed": ("optimal", "not-optimal"), "after-remap": ("optimal-after-remap", "not-optimal-after-remap")}
"""Claims that have a gap, or say that it is 0, by what a gap is of."""

DECIDED = {"private": True, "all-tables-private": True, "approximately-private": True}
DECIDED |= {"not-private": False, "no-table-private": False, "not-approximately-private": False, "no-table-approximately-private": False}
"""Claims that decide a bound at the level, and the δ, that they name."""


@dataclass(frozen=True)
class Bound:
    """A requirement: what it is on, whether the bound is too much itself, the number as it was written."""

    quantity: str
    strict: bool
    number: str

    @property
    def relative(self) -> bool:
        """Whether it is a share of the optimum, in percent."""
        return self.number.endswith("%")


def bound_of(text: str) -> Bound:
    """The requirement of a text of page one.

    >>> bound_of("gap after remap < 5%")
    Bound(quantity='gap after remap', strict=True, number='5%')
    """
    found = _FORM.fullmatch(text)
    if found is None:
        raise Differs(f"{text[:60]!r} is no requirement")
    return Bound(found[1] or found[3], (found[2] or found[4]) in ("<", ">"), found[5])


def exact(text: str) -> Fraction:
    """A number as it was written, a fraction or a decimal; spaces beside the stroke are none of it.

    >>> exact("0.10"), exact("1 / 10"), exact("1e-6") == Fraction(1, 10**6)
    (Fraction(1, 10), Fraction(1, 10), True)
    """
    packed = re.sub(" */ *", "/", text.strip(" "))
    if not _NUMBER.fullmatch(packed):
        raise NotComparedError(f"{text[:40]!r} is no number that this program compares")
    try:
        return Fraction(packed)
    except ZeroDivisionError:
        raise Differs(f"{text[:40]!r} is no number") from None


def requirements_of_manifest(b: Compared) -> list[tuple[str, str, str]]:
    """Of each requirement of the manifest the text, the status, and the part that shows it."""
    return [(one["text"], one["status"], one["part"]) for one in b.predicate.get("requirements", [])]


GAP_OF = {"gap": "deployed", "gap after remap": "after-remap"}
"""How the certificates end that show a gap."""

_NO_WORDS = re.compile(r"[-+−*·/().0-9 elnsqrt√^E]+%?")
"""A number of a requirement, which the verdict repeats, is no sentence."""


def heads_of_requirements(b: Compared) -> list[Line]:
    """What the verdict of page one says of the requirements: each is decided again where its own line is."""
    for bound in _bounds(b):
        if not _NO_WORDS.fullmatch(bound.number):
            raise NotComparedError(f"{bound.number[:40]!r} is no number that this program compares")
    # each quantity has one bound, for its certificate is about that level, or beside that δ; α bounds ε
    texts = {text: bound_of(text).quantity.replace("alpha", "epsilon") for text, _, _ in requirements_of_manifest(b)}
    if len({*texts.values()}) < len(texts):
        raise Differs("two of its requirements bound one quantity")
    return required_heads([(text, status) for text, status, _ in requirements_of_manifest(b)])


def faults_of_gaps(b: Compared, rows: int) -> Iterator[str]:
    """Whether each bound on a gap has a requirement for each row of a consumer, decided or not.

    * ``rows``: how many page one has.
    """
    shown: dict[str, list[str]] = {}
    for text, _, part in requirements_of_manifest(b):
        if bound_of(text).quantity in GAP_OF and b.quality != "wrong":
            shown.setdefault(text, []).append(part)
    for text, parts in shown.items():
        named = [part for part in parts if part]
        if len(parts) < rows or len({*named}) < len(named):
            yield f"it does not say of each consumer, at each level, whether {text!r} is kept"


def is_head_of_requirements(says: str) -> Callable[[Compared, Mapping[str, str], str], bool]:
    """What compares one of these sentences: it names the requirements of the manifest that it is about."""
    return lambda b, v, _: dict(v) in [dict(line.values) for line in heads_of_requirements(b) if line.says == says]


def decided_elsewhere(b: Compared) -> Iterator[str]:
    """The requirements that are told as undecided, and are decided by a certificate or by the numbers."""
    shown: dict[str, set[str]] = {}
    for text, _, part in requirements_of_manifest(b):
        shown.setdefault(text, set()).add(part)
    for text, parts in shown.items():
        bound = bound_of(text)
        if b.quality == "wrong" or parts == {"not-stochastic"}:
            if b.quality != "wrong" or parts != {"not-stochastic"}:
                yield text
            continue
        kind = GAP_OF.get(bound.quantity)
        if b.is_printed and bound.quantity == "gap":
            if all_keep_epsilon(b) and not {part for part in b.certificates if OPTIMUM.fullmatch(part)} <= parts:
                yield text
        elif kind is None:
            if "" in parts and (_is_decided_by_ends(b, bound) if b.is_printed else _is_decided_by_numbers(b, bound)):
                yield text
        elif not {part for part in b.certificates if re.fullmatch(rf"consumer-[0-9]+-{kind}", part)} <= parts:
            yield text


MARGIN = Fraction(1, 10**30)
"""A number that is less than a bound by more than this part of it is less."""


def _is_decided_by_ends(b: Compared, bound: Bound) -> bool:
    if bound.quantity != "delta" and beside_delta(b) == 0 and "largest-epsilon" in b.certificates:
        return True
    try:
        level, delta = level_of_delta(b) if bound.quantity == "delta" else level_of_bound(bound), beside_delta(b)
        found = decided_by_numbers(b, level, delta)
        if found is True and bound.strict:  # less than the bound is what keeps a little less, too
            less = delta * (1 - MARGIN) if bound.quantity == "delta" else delta
            more = level if bound.quantity == "delta" else b.times(level, (constant(1 + MARGIN), constant(Fraction(1))))
            return decided_by_numbers(b, more, less) is True
    except NotComparedError:
        return False
    return found is not None


def _is_decided_by_numbers(b: Compared, bound: Bound) -> bool:
    """Whether the numbers of the judged table decide a bound on ε, α or δ, which exact arithmetic does.

    It is (ε, δ)-private if and only if for all neighbours the sum of the positive α·x − y is at most δ·α.
    Raise NotComparedError where the level is none that is compared, or a limit may have stopped the search.
    """
    exact(bound.number if bound.quantity == "delta" else str(beside_delta(b)))
    _ = level_of_delta(b) if bound.quantity == "delta" else level_of_bound(bound)
    if len(b.pairs()) * len(b.judged.outputs) > MOST_COMPARED:
        raise NotComparedError(f"whether {bound.quantity} keeps its bound was not compared: the table has too many numbers")
    return True


def requirement_is_right(b: Compared, v: Mapping[str, str], of: str) -> bool:
    """Whether a requirement is decided as its certificate says, and the number is that of it."""
    bound = bound_of(v["text"])
    if not of:
        return v["status"] == "undecided" and has_no_number(v) and _is_about_none(b, bound, v)
    if OPTIMUM.fullmatch(of):
        return _gap_as_printed(b, bound, v, of.removesuffix("-optimum"))
    certificate = b.part(of)
    _require_judged(b, certificate)
    kind = certificate["claim"]["kind"]
    if kind == "not-stochastic":
        return v["status"] == "fails" and v["about"] == "" and has_no_number(v)
    if bound.quantity in ("gap", "gap after remap"):
        return _gap(b, bound, v, of)
    if kind in DECIDED:
        return is_about(b, bound, v) and _is_at_level(b, of, bound) and _is_beside(b, of) and _by_kind(b, bound, v, kind)
    if bound.quantity == "delta" and kind == "level-with-delta":
        return is_about(b, bound, v) and _delta_by_level(b, bound, v, of)
    if bound.quantity == "delta":
        return is_about(b, bound, v) and _is_at_level(b, of, bound) and _delta(b, bound, v, of, DELTAS[kind])
    if kind in DELTAS:  # beside a δ, of tables that print so: by the least δ at the bound
        return is_about(b, bound, v) and _is_at_level(b, of, bound) and _epsilon_by_delta(b, bound, v, of, DELTAS[kind])
    if certificate["claim"].get("distance", "1") != "1":
        raise NotComparedError("the distance is another one than 1")
    return is_about(b, bound, v) and _epsilon(b, bound, v, of, LEVELS[kind])


def _require_judged(b: Compared, certificate: Mapping[str, Any]) -> None:
    """Raise Differs unless a certificate is about the table that is judged, and its neighbours."""
    table, claim = table_of(certificate), certificate["claim"]
    if table is None or not table.same(b.judged):
        raise Differs("its certificate is about another table than is judged")
    if "neighbours" in claim:
        graph = certificate["definitions"][claim["neighbours"]]
        if sorted(map(tuple, pairs_of(graph))) != sorted(b.pairs()):
            raise Differs("its certificate is about other neighbours")


# ── What a number is about ──────────────────────────────────────────────────────────────────────
def _bounds(b: Compared) -> list[Bound]:
    return [bound_of(text) for text, _, _ in requirements_of_manifest(b)]


def beside_delta(b: Compared) -> Fraction:
    """The δ beside which ε is: the required one, else 0."""
    return next((exact(one.number) for one in _bounds(b) if one.quantity == "delta"), Fraction(0))


def level_of_bound(bound: Bound) -> Number:
    """The level of a bound on ε or α."""
    if bound.quantity == "alpha":
        return constant(exact(bound.number)), constant(Fraction(1))
    try:
        found = level_of_epsilon(bound.number)
    except ZeroDivisionError:
        raise Differs(f"{bound.number[:40]!r} is no number") from None
    if found is None:
        raise NotComparedError("the bound is none that this program compares")
    return found


def level_of_delta(b: Compared) -> Number:
    """The level at which δ is: the required one, else the claimed one."""
    own = next((one for one in _bounds(b) if one.quantity in ("epsilon", "alpha")), None)
    found: Number = b.level() if own is None else level_of_bound(own)
    return found


def _is_at_level(b: Compared, of: str, bound: Bound) -> bool:
    """Whether a certificate is at the level that the requirement bounds; of one on δ at that where δ is."""
    level = level_of_delta(b) if bound.quantity == "delta" else level_of_bound(bound)
    return sign_of(combined(b.number(of, "level"), level, -1)) == 0


def _is_beside(b: Compared, of: str) -> bool:
    """Whether a claim is one with the δ that is required; without one it is 0."""
    delta = b.number(of, "delta") if "delta" in b.part(of)["claim"] else (constant(Fraction(0)), constant(Fraction(1)))
    return b.compare(beside_delta(b), delta) == 0


def has_no_number(v: Mapping[str, str]) -> bool:
    """Whether no number is told."""
    return v["figure"] == NONE


def _is_about_none(b: Compared, bound: Bound, v: Mapping[str, str]) -> bool:
    """Whether what is said of a number that no certificate has is that of the requirement."""
    if bound.quantity in GAP_OF:
        return v["about"] == required_about(bound.quantity, NO_GAP)
    return (b.quality == "wrong" and v["about"] == "") or is_about(b, bound, v)


def is_about(b: Compared, bound: Bound, v: Mapping[str, str]) -> bool:
    """Whether what is said of the number is that of the requirement."""
    if bound.quantity != "delta":
        delta = next((one.number for one in _bounds(b) if one.quantity == "delta"), "0")
        return v["about"] == required_about(bound.quantity, delta)
    shown = v["about"].rpartition(" ")[2]
    return v["about"] == required_about("delta", shown) and b.epsilon_above(shown, level_of_delta(b))


# ── Deciding ────────────────────────────────────────────────────────────────────────────────────
def _by_kind(b: Compared, bound: Bound, v: Mapping[str, str], kind: str) -> bool:
    """Whether a claim decides the bound, which is not a strict one where it holds; it has no number."""
    kept = DECIDED[kind]
    if kept and bound.strict:  # the number may be the bound
        sentence = "its certificate decides the bound, and not whether the number is smaller"
        raise NotComparedError(sentence) if kind == "all-tables-private" else Differs(sentence)
    right = v["status"] == ("holds" if kept else "fails")
    if bound.quantity in ("epsilon", "alpha") and v["figure"] != NONE:
        return right and _is_between(b, v["figure"])
    return right and has_no_number(v)


def _is_status(v: Mapping[str, str], kept: bool, which: str) -> bool:
    """Whether the status follows: the largest end shows that all keep it, the smallest that none does."""
    shows = {"of one": ("holds", "fails"), "of all": ("holds", ""), "of some": ("", "fails")}[which]
    return v["status"] == shows[0 if kept else 1]


def _epsilon(b: Compared, bound: Bound, v: Mapping[str, str], of: str, which: str) -> bool:
    """A bound on ε or α, by the level of a certificate: ε ≤ E if and only if the level is at least e^(−E)."""
    ratio = b.number(of, "ratio")
    order = sign_of(combined(ratio, level_of_bound(bound), -1))
    right = _is_status(v, order > 0 if bound.strict else order >= 0, which)
    if which == "of one":
        of_delta = b.number(of, "delta")
        return right and b.compare(beside_delta(b), of_delta) == 0 and is_epsilon(b, v, ratio)
    if v["status"] == "undecided":
        least = sign_of(combined(ends_of_epsilon(b)[0], level_of_bound(bound), -1))  # a bound may be far below it
        right = which == "of all" and not (order > 0 if bound.strict else order >= 0)
        right = right and (least > 0 if bound.strict else least >= 0)
    return right and _is_between(b, v["figure"])


def _is_between(b: Compared, shown: str) -> bool:
    """Whether a range is that of the ends of ε."""
    (low, high), ends = ends_of_epsilon(b), shown.split(" to ")
    if sign_of(low) == 0:
        return ends == ["infinity", "infinity"]
    below = len(ends) == 2 and b.epsilon_below(ends[0], low)
    if below and sign_of(high) == 0:
        return ends[1] == "infinity"
    return below and ends[1] != "infinity" and b.epsilon_above(ends[1], high)


def is_epsilon(b: Compared, v: Mapping[str, str], ratio: Number) -> bool:
    """Whether a decimal is −ln of a number, rounded up."""
    if sign_of(ratio) == 0:
        return v["figure"] == "infinity"
    return v["figure"] != "infinity" and b.epsilon_above(v["figure"], ratio)


def _delta(b: Compared, bound: Bound, v: Mapping[str, str], of: str, which: str) -> bool:
    """A bound on δ, by the least δ of a certificate."""
    delta = b.number(of, "delta")
    order = b.compare(exact(bound.number), delta)
    right = _is_status(v, order > 0 if bound.strict else order >= 0, which)
    if which == "of one":
        return right and b.above(v["figure"], delta)
    return right and has_no_number(v)


def _delta_by_level(b: Compared, bound: Bound, v: Mapping[str, str], of: str) -> bool:
    """The least δ at ε = E is at most D where the largest level with a δ ≤ D is at least e^(−E).

    With a δ ≥ D the largest level is less than e^(−E) only if the least δ at ε = E is more than D. The
    certificate doesn't have the least δ; but where it is 0, it is told.
    """
    if b.part(of)["claim"].get("distance", "1") != "1":
        raise NotComparedError("the distance is another one than 1")
    order = sign_of(combined(b.number(of, "ratio"), level_of_delta(b), -1))
    beside = b.compare(exact(bound.number), b.number(of, "delta"))
    kept = beside > 0 if bound.strict else beside >= 0
    shown = {"holds": order >= 0 and kept, "fails": order < 0 and beside <= 0}
    is_zero = v["status"] == "holds" and b.compare(Fraction(0), b.number(of, "delta")) == 0
    return shown.get(v["status"], False) and (has_no_number(v) or (is_zero and v["figure"] == "0"))


def _epsilon_by_delta(b: Compared, bound: Bound, v: Mapping[str, str], of: str, which: str) -> bool:
    """The smallest ε beside δ = D is at most E if and only if the least δ at ε = E is at most D."""
    order = b.compare(beside_delta(b), b.number(of, "delta"))
    kept = order > 0 if bound.strict and which == "of all" else order >= 0
    return _is_status(v, kept, which) and has_no_number(v)


def _gap(b: Compared, bound: Bound, v: Mapping[str, str], of: str) -> bool:
    """A bound on a gap; in percent it is one on gap·100/|optimum|."""
    named = re.fullmatch(r"consumer-[0-9]+-(deployed|after-remap)", of)
    if named is None or (named[1] == "deployed") != (bound.quantity == "gap"):
        raise Differs(f"{of} is no gap of this kind")
    claim, powers = b.part(of)["claim"], b.powers(b.part(of))
    if claim["kind"] not in GAPS[named[1]]:
        raise NotComparedError("the optimum is known between two bounds only")
    gap = powers.scalar(claim["gap"]) if "gap" in claim else (constant(Fraction(0)), constant(Fraction(1)))
    right = _is_about_gap(b, bound, v, of)
    if bound.relative and sign_of(gap) != 0:
        optimum = powers.scalar(claim["value"])
        if sign_of(optimum) == 0:  # no share of it is enough
            return right and v["status"] == "fails" and has_no_number(v)
        gap = _percentage_of(b, gap, optimum)
    return right and _is_status(v, _is_gap_kept(b, bound, gap), "of one") and _is_gap_shown(b, bound, v, gap)


def _is_about_gap(b: Compared, bound: Bound, v: Mapping[str, str], of: str) -> bool:
    """Whether what is said of a gap names the consumer and the ε of its certificate."""
    about = re.fullmatch(r"(.*, consumer )([0-9]+) at ε = (\S+)", v["about"])
    if about is None or about[1] != required_about(bound.quantity, ""):
        return False
    return about[2] == _number(b, of) and b.epsilon_above(about[3], b.number(of, "level"))


def _is_gap_kept(b: Compared, bound: Bound, gap: Number) -> bool:
    order = b.compare(exact(bound.number.rstrip("% ")), gap)
    return order > 0 if bound.strict else order >= 0


def _is_gap_shown(b: Compared, bound: Bound, v: Mapping[str, str], gap: Number) -> bool:
    """Whether the number is a gap rounded up, or one in percent."""
    percent = " %" if bound.relative else ""
    figure = v["figure"].removesuffix(percent)
    return v["figure"] == figure + percent and b.above(figure, gap)


def _percentage_of(b: Compared, gap: Number, optimum: Number) -> Number:
    """100·gap/|optimum|."""
    size = optimum if sign_of(optimum) > 0 else combined((constant(Fraction(0)), constant(Fraction(1))), optimum, -1)
    share: Number = reduced(multiplied(gap[0], size[1]), multiplied(gap[1], size[0]))
    found: Number = b.times(share, (constant(Fraction(100)), constant(Fraction(1))))
    return found


def all_keep_epsilon(b: Compared) -> bool:
    """Whether every table that prints so has the claimed ε with δ = 0; no gap of another one is bounded."""
    if "largest-epsilon" not in b.certificates or b.claimed is None:
        return False
    claim = b.part("largest-epsilon")["claim"]
    if claim["kind"] != "level-of-all-tables" or claim.get("distance", "1") != "1":
        raise NotComparedError("the certificate of the largest ε is one of another distance than 1")
    return int(sign_of(combined(b.number("largest-epsilon", "ratio"), b.level(), -1))) >= 0


def _gap_as_printed(b: Compared, bound: Bound, v: Mapping[str, str], of: str) -> bool:
    """A bound on all gaps of tables that print so: the largest one is within it, or the least one is not."""
    if bound.quantity != "gap" or not all_keep_epsilon(b):
        raise Differs("no bound on this gap is decided of all tables that print so")
    right = _is_about_gap(b, bound, v, f"{of}-optimum")
    least, largest = ends_of_gap(b, of)
    if bound.relative and sign_of(largest) != 0:
        optimum = optimum_of(b, of)
        if sign_of(optimum) == 0:  # no share of it is enough
            return right and v["status"] == ("fails" if sign_of(least) > 0 else "undecided") and has_no_number(v)
        least, largest = (_percentage_of(b, gap, optimum) for gap in (least, largest))
    open_or_failed = "undecided" if _is_gap_kept(b, bound, least) else "fails"
    status = "holds" if _is_gap_kept(b, bound, largest) else open_or_failed
    return right and v["status"] == status and has_no_number(v)


def _number(b: Compared, of: str) -> str:
    """The number of the consumer of a certificate: that of its row."""
    number = b.numbers_of_consumers.get("-".join(of.split("-")[:2]))
    if number is None:
        raise Differs(f"no row of page one is about {of}")
    return number
