# SPDX-License-Identifier: MIT
"""Page one of an audit in numbers: the state of the verdict, by how much, who loses, other neighbours.

Nothing here is rounded. The page (:mod:`exactdp.report.page_one`) shows decimals of these numbers.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

from exactdp.analysis.audit_evidence import Audit, ConsumerAudit
from exactdp.analysis.digits_shown import Precision, decimal_places, differs_within_digits, is_double, rational_rows
from exactdp.analysis.file_numbers import (
    Divided,
    all_that_print_keep,
    are_printed_doubles,
    level_that_all_keep,
    nearest_double,
)
from exactdp.analysis.law_audit import LawAudit
from exactdp.analysis.other_neighbours import OtherNeighbours
from exactdp.analysis.printed.printed_audit import PrintedAudit, PrintedConsumerAudit
from exactdp.analysis.privacy_claim import Event, PrivacyClaim
from exactdp.analysis.requirement import Required
from exactdp.analysis.verdict import Verdict
from exactdp.errors import InputError, wrong_kind
from exactdp.exact import ExponentialField, ExponentialNumber, Rational
from exactdp.exact.number_field import NumberFieldElement
from exactdp.model import Consumer, Neighbours, PrivacyLevel, Table
from exactdp.model.epsilon import Epsilon
from exactdp.model.labels import Labels
from exactdp.runtime.values import dataclass

State = Literal["holds", "fails", "undecided", "no claim"]
"""The four answers of page one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsumerSummary:
    """One consumer at one level. Losses are as the consumer states them: a loss, or a utility.

    Attributes
    ----------
    consumer : Consumer
    part : str
        The beginning of the names of the certificates.
    epsilon : Epsilon or None
        The level of the mechanisms that are compared; None if there is none.
    is_claimed : bool
        Whether it is the claimed level; else it is the mechanism's own.
    deployed, remapped, gap, gap_after : (low, high) or None
        The loss as deployed and after the best remap, and their distances to the optimum. Both ends are equal
        unless the table is a printed one.
    optimum : scalar or None
        The least loss, or the largest utility, at the level.
    remap : tuple of (str, str) or None
        The best remap as pairs of an output and the guess; None where it is random or not known.
    is_remap_random : bool
        Whether it is random.
    remap_rows : tuple of (str, tuple)
        For each output the guesses of the remap that are possible, with their probabilities.
    by_input : tuple of (str, scalar)
        For each input that the consumer holds possible the expected loss as deployed.
    reason : str
        Why there is no comparison.
    """

    consumer: Consumer
    part: str
    epsilon: Epsilon | None
    is_claimed: bool
    deployed: tuple[Any, Any] | None = None
    remapped: tuple[Any, Any] | None = None
    optimum: Any = None
    gap: tuple[Any, Any] | None = None
    gap_after: tuple[Any, Any] | None = None
    remap: tuple[tuple[str, str], ...] | None = None
    is_remap_random: bool = False
    remap_rows: tuple[tuple[str, tuple[tuple[str, Any], ...]], ...] = ()
    by_input: tuple[tuple[str, Any], ...] = ()
    reason: str = ""

    @property
    def remap_moved(self) -> tuple[tuple[str, tuple[tuple[str, Any], ...]], ...]:
        """The rows of the remap whose outputs are not read as they are."""
        return tuple((output, row) for output, row in self.remap_rows if [guess for guess, _ in row] != [output])

    @property
    def percent(self) -> tuple[Any, Any] | None:
        """The gap as deployed in percent of the optimum; None where that is 0."""
        return _percent(self.gap, self.optimum)

    @property
    def percent_after(self) -> tuple[Any, Any] | None:
        """The same after the best remap."""
        return _percent(self.gap_after, self.optimum)

    @property
    def bearers(self) -> tuple[tuple[str, Any], tuple[str, Any]] | None:
        """The inputs with the largest and the smallest expected loss as deployed."""
        if not self.by_input:
            return None
        most = least = self.by_input[0]
        for pair in self.by_input[1:]:
            most = pair if pair[1] > most[1] else most
            least = pair if pair[1] < least[1] else least
        return most, least


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditSummary:
    """Page one in numbers.

    Attributes
    ----------
    title : str
        What was audited.
    state : str
        *holds*, *fails*, *undecided* or *no claim*.
    precision : str
        How the numbers were read (:data:`Precision`).
    places : int
        The places of decimals; 0 for others.
    digits : str
        Of a printed table how many digits, or *auto*; else empty.
    written : str
        *fractions*; or *powers* of e, or *irrational* numbers, where not all are rational.
    inputs, outputs : Labels
    quality : str
        *exact*, *rounded*, *wrong* or *printed*.
    deviation : scalar
        The largest distance of a row sum to 1, or of a negative entry to 0.
    fault : str
        What makes a wrong table none; else empty.
    rows_off : tuple of (str, scalar)
        Of a wrong table the rows that do not sum to 1, with what is above 1.
    rounded_to : int
        The decimal places rounding to which can explain all faults of a wrong table; 0 if none.
    as_stands : (Epsilon, Epsilon) or None
        Of a wrong table the smallest ε of its numbers as they stand, and with each row divided by its sum.
    share : scalar
        The least probability of a uniform answer that makes the claim true; None unless it is known.
    neighbours : Neighbours
    claim : PrivacyClaim or None
    claimed : Epsilon or None
        The ε that is claimed.
    own : (smallest, largest) or None
        The smallest ε of what is judged, with δ = 0: twice the same, or both ends of a printed table.
    least_delta : (smallest, largest) or None
        The least δ at the claimed ε.
    event : Event or None
        What shows the smallest ε, or for a claimed δ > 0 the least δ.
    event_of_one : bool
        Whether the event is that of one of the tables that print so.
    within_digits : bool or None
        Of a claim that fails: whether numbers that are stored as those of the table keep it, each ordered
        pair of neighbours by itself. Of one that holds: whether such numbers break it. None if not decided.
    others : tuple of OtherNeighbours
    consumers : tuple of ConsumerSummary
    doubles_printed : bool
        Whether the numbers were read as decimals, and are those that programs print for doubles.
    divided : Divided or None
        How what was judged differs from the table of the file, where rows were divided by their sums.
    all_keep : bool or None
        Whether all tables that print as an exact table of decimals keep a claim without δ; None if it is not
        known, or of others.
    kept_by_all : Epsilon or None
        Where they do not, the smallest ε that all of them keep.
    rows_named : bool
        Whether the table came with names of its rows; else their order is assumed.
    undecided : tuple of str
        The parts that a time limit left open.
    legend : tuple of (str, str)
        What the letters of the exact numbers stand for, such as ("t", "e^(−1)").
    requirements : tuple of Required
        What is required beside the claim.
    """

    title: str
    state: State
    precision: Precision
    places: int
    inputs: Labels
    outputs: Labels
    quality: str
    deviation: Any
    fault: str
    neighbours: Neighbours
    claim: PrivacyClaim | None
    claimed: Epsilon | None
    own: tuple[Epsilon, Epsilon] | None
    least_delta: tuple[Any, Any] | None
    event: Event | None
    event_of_one: bool
    within_digits: bool | None
    others: tuple[OtherNeighbours, ...]
    consumers: tuple[ConsumerSummary, ...]
    doubles_printed: bool = False
    divided: Divided | None = None
    all_keep: bool | None = None
    kept_by_all: Epsilon | None = None
    rows_named: bool = True
    undecided: tuple[str, ...] = ()
    legend: tuple[tuple[str, str], ...] = ()
    digits: str = ""
    written: Literal["fractions", "powers", "irrational"] = "fractions"
    rows_off: tuple[tuple[str, Any], ...] = ()
    rounded_to: int = 0
    as_stands: tuple[Epsilon, Epsilon] | None = None
    share: Any = None
    requirements: tuple[Required, ...] = ()

    @property
    def delta(self) -> Any:
        """The δ that is claimed, or 0."""
        return Rational(0) if self.claim is None else self.claim.delta


def audit_summary(verdict: Verdict[Any], precision: str | None = None) -> AuditSummary | LawAudit:
    """What page one of an audit says, in exact numbers.

    Parameters
    ----------
    verdict : Verdict of Audit, PrintedAudit or LawAudit
        The answer of :func:`exactdp.audit`; a law's is its own summary.
    precision : str, optional
        How the numbers were read: *exact*, *decimals* or *doubles*. Unless given, those of a rounded table
        are doubles if all of them can be, else decimals; those of any other table are exact, and so are those
        that are no decimals or doubles.

    Raises
    ------
    InputError
        It is the answer of another question, the table has a letter, or there is no such precision.

    Examples
    --------
    >>> from exactdp.analysis.audit import audit
    >>> v = audit([["2/3", "1/3"], ["1/3", "2/3"]], "path:2", claim=PrivacyClaim(epsilon=1))
    >>> audit_summary(v).state, str(audit_summary(v).own[0])
    ('holds', 'ln(2)')
    """
    if precision is not None and precision not in get_args(Precision):
        raise wrong_kind("precision", precision, "exact, decimals or doubles")
    evidence = verdict.evidence
    if isinstance(evidence, LawAudit):
        return evidence  # it has the numbers; there is no table
    if isinstance(evidence, PrintedAudit):
        return _of_printed(verdict, evidence)
    if not isinstance(evidence, Audit):
        raise InputError(
            f"page one or a bundle is of an audit, and this is the answer of another question: {verdict.claim}", verdict=verdict
        )
    if evidence.ratio is not None and not isinstance(evidence.ratio, (Rational, ExponentialNumber, NumberFieldElement)):
        raise InputError("page one is of numbers, and the table has a letter; say which level it is (--alpha, --epsilon)", verdict=verdict)
    read: Precision = precision or _precision_of(evidence)  # type: ignore[assignment]
    read = "exact" if not _can_be(evidence.given, read) else read
    numbers = rational_rows(evidence.given) if read == "decimals" else None
    printed = numbers is not None and are_printed_doubles(numbers)
    own = None if evidence.ratio is None else Epsilon.of_level(evidence.ratio)
    delta = None if evidence.delta is None else evidence.delta.evidence
    by_delta = evidence.claim is not None and evidence.claim.delta > 0 and delta is not None
    state = _state(evidence.of_claim if evidence.requirements else verdict, evidence.claim)  # it is about the claim
    all_keep = _all_keep(evidence, state, read, printed=printed)
    return AuditSummary(
        title=evidence.title,
        state=state,
        precision=read,
        places=_places_of(evidence.given, read),
        inputs=evidence.table.inputs,
        outputs=evidence.table.outputs,
        quality=evidence.quality,
        deviation=evidence.faults.largest if evidence.faults else Rational(0),
        fault=str(evidence.faults.first(evidence.rounding)) if evidence.quality == "wrong" else "",
        neighbours=evidence.neighbours,
        claim=evidence.claim,
        claimed=_claimed(evidence.claim),
        own=None if own is None else (own, own),
        least_delta=None if delta is None else (delta.delta, delta.delta),
        event=delta.event if by_delta and delta is not None else evidence.worst,
        event_of_one=False,
        within_digits=_within_digits(evidence, state, read, printed=printed),
        doubles_printed=printed,
        divided=evidence.divided,
        all_keep=all_keep,
        kept_by_all=_kept_by_all(evidence) if all_keep is False else None,
        others=evidence.others,
        consumers=tuple(_consumer(k, entry, evidence) for k, entry in enumerate(evidence.consumers, 1)),
        undecided=evidence.undecided,
        legend=tuple((str(letter), str(meaning)) for letter, meaning in getattr(evidence.table.matrix.field, "legend", {}).items()),
        written=_written(evidence.given),
        rows_off=tuple((row.label, row.excess) for row in evidence.faults.rows) if evidence.quality == "wrong" else (),
        rounded_to=evidence.rounded_to,
        as_stands=_as_stands(evidence),
        requirements=evidence.requirements,
        share=next((repair.share for repair in evidence.repairs if repair.share is not None), None),
    )


def _written(table: Table) -> Literal["fractions", "powers", "irrational"]:
    if rational_rows(table) is not None:
        return "fractions"
    return "powers" if isinstance(table.matrix.field, ExponentialField) else "irrational"


def _as_stands(found: Audit) -> tuple[Epsilon, Epsilon] | None:
    if found.quality != "wrong" or found.faults.negative or found.stands is None or found.own is None:
        return None
    stands = Epsilon.of_level(found.stands.evidence.ratio)
    divided = found.own.evidence.tightest.epsilon
    return (stands, divided) if stands.is_enclosed and divided.is_enclosed else None


def _state(verdict: Verdict[Any], claim: PrivacyClaim | None) -> State:
    """The state of the verdict; without a claim only a wrong table fails."""
    if verdict.refuted:
        return "fails"
    if claim is None:
        return "no claim" if verdict.proved else "undecided"
    return "holds" if verdict.proved else "undecided"


def _claimed(claim: PrivacyClaim | None) -> Epsilon | None:
    """The claimed ε; of a claimed level its ε."""
    if claim is None:
        return None
    return claim.epsilon if claim.alpha is None else claim.level.as_tightest().epsilon


# ── How far the digits of a table reach ─────────────────────────────────────────────────────────
def _precision_of(found: Audit) -> Precision:
    if found.quality != "rounded":
        return "exact"
    numbers = rational_rows(found.given)
    if numbers is None:
        return "exact"
    return "doubles" if all(map(is_double, (x for row in numbers for x in row))) else "decimals"


def _can_be(table: Table, precision: Precision) -> bool:
    """Whether numbers can be decimals, or doubles, which those of a table with divided rows are not."""
    numbers = rational_rows(table) if precision == "doubles" else None
    if numbers is not None:
        return all(map(is_double, (x for row in numbers for x in row)))
    return precision != "decimals" or _places_of(table, precision) > 0


def _places_of(table: Table, precision: Precision) -> int:
    """The places of a table of decimals; 0 for others."""
    numbers = rational_rows(table) if precision == "decimals" else None
    return 0 if numbers is None else decimal_places(numbers) or 0


def _all_keep(found: Audit, state: State, precision: Precision, *, printed: bool) -> bool | None:
    """Whether all tables that print so keep the claim, of an exact table of decimals of which it holds."""
    claim, numbers = found.claim, rational_rows(found.given)
    if claim is None or claim.delta > 0 or state != "holds" or precision != "decimals" or printed or numbers is None:
        return None
    if found.quality != "exact":
        return None
    places = decimal_places(numbers) or 0
    return all_that_print_keep(numbers, places, found.given.inputs, found.given.outputs, found.neighbours, claim)


def _kept_by_all(found: Audit) -> Epsilon | None:
    """The smallest ε that all tables keep which print as an exact table of decimals."""
    numbers = rational_rows(found.given)
    assert numbers is not None  # or it were not known that some break the claim
    places = decimal_places(numbers) or 0
    level = level_that_all_keep(numbers, places, found.given.inputs, found.given.outputs, found.neighbours)
    return None if level is None else level.epsilon


def _within_digits(found: Audit, state: State, precision: Precision, *, printed: bool) -> bool | None:
    """Whether the state is another one for numbers that are stored as these, pair by pair of neighbours."""
    if found.claim is None or found.quality == "wrong" or state not in ("holds", "fails") or precision in ("exact", "digits"):
        return None
    numbers = rational_rows(found.given)
    if printed and numbers is not None:  # decimals that stand for doubles
        precision = "doubles"
        numbers = [[nearest_double(x) for x in row] for row in numbers]
    places = None
    if numbers is not None:
        places = decimal_places(numbers) if precision == "decimals" else 0
    delta = found.claim.delta if isinstance(found.claim.delta, Rational) else getattr(found.claim.delta, "rational", None)
    if numbers is None or places is None or delta is None:
        return None
    return differs_within_digits(numbers, precision, places, found.neighbours, found.claim.level, delta, holds=state == "holds")


# ── Consumers ───────────────────────────────────────────────────────────────────────────────────
def _percent(gap: tuple[Any, Any] | None, optimum: Any) -> tuple[Any, Any] | None:
    if gap is None or optimum is None or optimum == 0:
        return None
    size = optimum if optimum > 0 else -optimum
    low, high = (100 * x / size for x in gap)
    return low, high


def _twice(x: Any) -> tuple[Any, Any] | None:
    return None if x is None else (x, x)


def _consumer(number: int, entry: ConsumerAudit, found: Audit) -> ConsumerSummary:
    part = f"consumer-{number}"
    measure = entry.consumer.measure
    own = None if found.own is None else found.own.evidence.tightest
    level = None if entry.level is None else entry.level.as_tightest()
    is_claimed = level is not None and isinstance(found.level, PrivacyLevel) and entry.level == found.level and level != own
    deployed, remapped = entry.deployed, entry.remapped
    best = None if remapped is None else remapped.evidence
    remap = None if best is None or best.loss_bounds is not None else best.remap.remap
    moves = None if remap is None else _moves(remap)
    return ConsumerSummary(
        consumer=entry.consumer,
        part=part,
        epsilon=None if level is None else level.epsilon,
        is_claimed=is_claimed,
        deployed=_twice(None if deployed is None else measure.of(deployed.evidence.loss)),
        remapped=_twice(None if best is None else measure.of(best.loss)),
        optimum=entry.optimum,
        gap=_twice(None if deployed is None else deployed.evidence.gap),
        gap_after=_twice(None if best is None else best.gap),
        remap=moves,
        is_remap_random=remap is not None and moves is None,
        remap_rows=() if remap is None else _remap_rows(remap),
        by_input=entry.by_input,
        reason=entry.reason or "",
    )


def _moves(remap: Any) -> tuple[tuple[str, str], ...] | None:
    """A deterministic remap as pairs of an output and a guess that differ; None if it is random."""
    found = []
    for output, row in zip(remap.outputs, remap.matrix.rows(), strict=True):
        guesses = [guess for guess, x in zip(remap.guesses, row, strict=True) if x != 0]
        if len(guesses) != 1:
            return None
        if str(guesses[0]) != str(output):
            found.append((str(output), str(guesses[0])))
    return tuple(found)


def _remap_rows(remap: Any) -> tuple[tuple[str, tuple[tuple[str, Any], ...]], ...]:
    """For each output the guesses that are possible, with their probabilities."""
    rows = zip(remap.outputs, remap.matrix.rows(), strict=True)
    guesses = list(map(str, remap.guesses))
    return tuple((str(output), tuple((g, x) for g, x in zip(guesses, row, strict=True) if x != 0)) for output, row in rows)


# ── Printed tables ──────────────────────────────────────────────────────────────────────────────
def _of_printed(verdict: Verdict[Any], found: PrintedAudit) -> AuditSummary:
    """What page one says of all tables that print so."""
    privacy = found.tightest.evidence
    own = privacy.smallest.bound.epsilon, privacy.largest.tightest.epsilon
    delta = None if found.delta is None else found.delta.evidence
    of_claim = found.of_claim if found.requirements else verdict
    cell, table = privacy.largest.cell, privacy.largest.table
    event = None
    if cell is not None:
        likely, unlikely = table.matrix[cell.high, cell.output], table.matrix[cell.low, cell.output]
        event = Event(cell.high, cell.low, (cell.output,), likely, unlikely)
    return AuditSummary(
        title=found.title,
        state="no claim" if found.claim is None else _state(of_claim, found.claim),
        precision="digits",
        places=0,
        inputs=found.printed.inputs,
        outputs=found.printed.outputs,
        quality="printed",
        deviation=Rational(0),
        fault="",
        neighbours=found.neighbours,
        claim=found.claim,
        claimed=_claimed(found.claim),
        own=own,
        least_delta=None if delta is None else (delta.smallest.bound, delta.largest.bound),
        event=event,
        event_of_one=True,
        within_digits=None,
        others=found.others,
        consumers=tuple(_printed_consumer(k, entry) for k, entry in enumerate(found.consumers, 1)),
        digits=str(found.printed.digits),
        requirements=found.requirements,
        share=found.share,
    )


def _printed_consumer(number: int, entry: PrintedConsumerAudit) -> ConsumerSummary:
    optimal = None if entry.optimal is None else entry.optimal.evidence
    level = None if optimal is None else optimal.level.as_tightest()
    best = None if optimal is None else optimal.best
    measure = entry.consumer.measure
    return ConsumerSummary(
        consumer=entry.consumer,
        part=f"consumer-{number}",
        epsilon=None if level is None else level.epsilon,
        is_claimed=level is not None,
        deployed=entry.loss.evidence.stated,
        optimum=None if best is None else measure.of(best.least_loss),
        gap=None if optimal is None else optimal.gaps,
        reason="" if optimal is not None else "no level was claimed, so that there is none to compare at",
    )


__all__ = ["AuditSummary", "ConsumerSummary", "OtherNeighbours", "Precision", "audit_summary"]
