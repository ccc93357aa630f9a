# SPDX-License-Identifier: MIT
"""What the digits of a printed table say: both ends of ε, δ and losses, each with a table that prints so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from exactdp.analysis.events import event_text
from exactdp.analysis.printed.epsilon_ends import LargestEpsilonEvidence, PrintedCell, PrintedPrivacyEvidence, SmallestEpsilonEvidence
from exactdp.analysis.verdict import Decision, Verdict
from exactdp.exact import Rational
from exactdp.exact.decimals import fixed_text
from exactdp.model import PrivacyLevel, TightestLevel
from exactdp.model.epsilon import power_text
from exactdp.model.printed import PrintedTable
from exactdp.report.deployed import event_json, required_json, required_section, with_required
from exactdp.report.headline import Headline, Shown, asked, compared, compared_epsilons, epsilon_of, headline, number
from exactdp.report.items import Fact, Item, Section, Told, grid_of, listing
from exactdp.report.privacy import level_facts
from exactdp.report.values import level_json, mechanism_json, number_json

if TYPE_CHECKING:  # whoever has found one kind of evidence needs no module of the others
    from exactdp.analysis.printed.delta_ends import LargestDeltaEvidence, PrintedDeltaEvidence, SmallestDeltaEvidence
    from exactdp.analysis.printed.loss_ends import PrintedLossEvidence, PrintedOptimalityEvidence
    from exactdp.analysis.printed.printed_audit import PrintedAudit, PrintedConsumerAudit, PrintedHalf

PLACES = 15
"""Decimals of the two ends of a number that is not known exactly."""


def _digits(printed: PrintedTable) -> Fact:
    how = "as each cell shows" if printed.digits == "auto" else str(printed.digits)
    return Fact("digits", how)


# --- ε ---


def _largest_epsilon(e: LargestEpsilonEvidence) -> list[Item]:
    items: list[Item] = [Fact("largest ε", e.tightest.epsilon.told()), Fact("  its level", _alpha(e.tightest))]
    return items if e.cell is None else [*items, Fact("  attained by", _cell_text(e.cell, e.printed))]


def _smallest_epsilon(e: SmallestEpsilonEvidence) -> list[Item]:
    if e.exact:
        return [Fact("smallest ε", e.tightest.epsilon.told()), Fact("  its level", _alpha(e.tightest))]
    low, high = _decimal(e.tightest.enclosure(PLACES)[0]), _decimal(e.bound.enclosure(PLACES)[1], up=True)
    items: list[Item] = [Fact("smallest ε", f"that of a level between {low} and {high}")]
    items.append(Fact("  private at no level above", _alpha(e.bound)))
    return items


def _tables(e: PrintedPrivacyEvidence) -> list[Item]:
    """A table with each end."""
    found = "" if e.smallest.exact else " found"
    return [
        grid_of("a table that prints so with the largest ε", e.largest.table),
        grid_of(f"a table that prints so with the smallest ε{found}", e.smallest.table),
    ]


def _alpha(level: TightestLevel) -> Any:
    return str(level) if level.value is None else level.value


def _decimal(x: Any, *, up: bool = False) -> str:
    """A decimal that is at most x; with ``up`` at least x.

    >>> _decimal(Rational("2/3")), _decimal(Rational("2/3"), up=True)
    ('0.666666666666666', '0.666666666666667')
    """
    scale = 10**PLACES
    whole = -(-x.numerator * scale // x.denominator) if up else x.numerator * scale // x.denominator
    return fixed_text(Rational(whole, scale), PLACES)


def _cell_text(cell: PrintedCell, printed: PrintedTable) -> str:
    low, high, out = printed.inputs[cell.low], printed.inputs[cell.high], printed.outputs[cell.output]
    return f"x[{low}][{out}] / x[{high}][{out}] ≥ {cell.least}"


def _range_text(cell: PrintedCell, printed: PrintedTable, level: PrivacyLevel) -> str:
    """One constraint with the ends of its ratio, beside the power of the level."""
    low, high, out = printed.inputs[cell.low], printed.inputs[cell.high], printed.outputs[cell.output]
    upper = "∞" if cell.largest is None else cell.largest
    bound = level if cell.distance.rational == 1 else power_text(level, cell.distance)
    return f"x[{low}][{out}] / x[{high}][{out}] between {cell.least} and {upper}, level {bound}"


def privacy_facts(e: PrintedPrivacyEvidence) -> list[Item]:
    """Both ends, and the constraints that are tight or broken in all tables or in some."""
    items: list[Item] = [_digits(e.printed)]
    if e.level is not None:
        items += level_facts("level asked", e.level)
    items += [*_largest_epsilon(e.largest), *_smallest_epsilon(e.smallest)]
    if e.level is not None:
        for title, cells in (
            ("violated by every table that prints so", e.violated),
            ("violated by some", e.violable),
            ("tight in every table that prints so", e.tight),
            ("tight in some", e.tightenable),
        ):
            items += listing(title, (_range_text(cell, e.printed, e.level) for cell in cells), len(cells))
    return items + _tables(e)


def _largest_epsilon_facts(e: LargestEpsilonEvidence) -> list[Item]:
    return [_digits(e.printed), *_largest_epsilon(e), grid_of("a table that prints so with the largest ε", e.table)]


def _smallest_epsilon_facts(e: SmallestEpsilonEvidence) -> list[Item]:
    found = "" if e.exact else " found"
    return [_digits(e.printed), *_smallest_epsilon(e), grid_of(f"a table that prints so with the smallest ε{found}", e.table)]


def _cells_json(cells: tuple[PrintedCell, ...], printed: PrintedTable) -> list[dict[str, Any]]:
    return [
        {
            "low": printed.inputs[c.low],
            "high": printed.inputs[c.high],
            "output": printed.outputs[c.output],
            "ratio": {"smallest": str(c.least), "largest": "inf" if c.largest is None else str(c.largest)},
            "distance": str(c.distance),
        }
        for c in cells
    ]


def _largest_epsilon_json(e: LargestEpsilonEvidence) -> dict[str, Any]:
    return {"level": level_json(e.tightest), "mechanism": mechanism_json(e.table)}


def _smallest_epsilon_json(e: SmallestEpsilonEvidence) -> dict[str, Any]:
    return {"level": level_json(e.tightest), "exact": e.exact, "bound": level_json(e.bound), "mechanism": mechanism_json(e.table)}


def _ends_json(e: PrintedPrivacyEvidence) -> dict[str, Any]:
    return {"smallest": _smallest_epsilon_json(e.smallest), "largest": _largest_epsilon_json(e.largest)}


def privacy_json(e: PrintedPrivacyEvidence) -> dict[str, Any]:
    """Both ends, and the constraints."""
    found: dict[str, Any] = {"digits": e.printed.digits, **_ends_json(e)}
    if e.level is None:
        return found
    cells = {"violated": e.violated, "violated_by_some": e.violable, "tight": e.tight, "tight_in_some": e.tightenable}
    return found | {"level_asked": level_json(e.level)} | {name: _cells_json(some, e.printed) for name, some in cells.items()}


# --- δ ---


def _level_fact(level: PrivacyLevel | None) -> Fact:
    return Fact("level", "ε = 0" if level is None else level.text)


def _level_json(level: PrivacyLevel | None) -> dict[str, Any]:
    """The level as the other answers have it; ε = 0 is no level."""
    return {"epsilon": "0", "alpha": "1"} if level is None else level_json(level)


def _largest_facts(e: LargestDeltaEvidence) -> list[Item]:
    return [_level_fact(e.level), *_largest_items(e)]


def _largest_items(e: LargestDeltaEvidence) -> list[Item]:
    attained = [] if e.event is None else [Fact("attained by", event_text(e.table, e.event))]
    return [
        *_end_facts("largest δ", e, "at most"),
        *attained,
        grid_of("a table that prints so with the largest δ" + ("" if e.exact else " found"), e.table),
    ]


def _smallest_facts(e: SmallestDeltaEvidence) -> list[Item]:
    return [_level_fact(e.level), *_smallest_items(e)]


def _smallest_items(e: SmallestDeltaEvidence) -> list[Item]:
    return [
        *_end_facts("smallest δ", e, "at least"),
        grid_of("a table that prints so with the smallest δ" + ("" if e.exact else " found"), e.table),
    ]


def _end_facts(end: str, e: LargestDeltaEvidence | SmallestDeltaEvidence, word: str) -> list[Item]:
    """An end of δ; what bounds it, and the δ of the table found, where it is not known exactly."""
    return [Fact(end, e.delta)] if e.exact else [Fact(f"{end}, {word}", e.bound), Fact("  δ of a table found", e.delta)]


def _end_json(e: LargestDeltaEvidence | SmallestDeltaEvidence) -> dict[str, Any]:
    known = {"delta": number_json(e.delta), "exact": e.exact, "bound": number_json(e.bound)}
    return {**known, "mechanism": mechanism_json(e.table)}


def _largest_json(e: LargestDeltaEvidence) -> dict[str, Any]:
    return {"level": _level_json(e.level), **_largest_end_json(e)}


def _largest_end_json(e: LargestDeltaEvidence) -> dict[str, Any]:
    return {**_end_json(e), "event": event_json(e.table, e.event)}


def _smallest_json(e: SmallestDeltaEvidence) -> dict[str, Any]:
    return {"level": _level_json(e.level), **_end_json(e)}


def delta_facts(e: PrintedDeltaEvidence) -> list[Item]:
    """Both ends of δ."""
    asked = [] if e.asked is None else [Fact("δ asked", e.asked)]
    late = [Fact("not known in time", ", ".join(e.unfinished))] if e.unfinished else []
    return [_digits(e.printed), _level_fact(e.level), *asked, *_largest_items(e.largest), *_smallest_items(e.smallest), *late]


def delta_json(e: PrintedDeltaEvidence) -> dict[str, Any]:
    """Both ends of δ."""
    asked = {} if e.asked is None else {"asked": number_json(e.asked)}
    ends = {"smallest": _end_json(e.smallest), "largest": _largest_end_json(e.largest)}
    late = {"unfinished": list(e.unfinished)} if e.unfinished else {}
    return {"digits": e.printed.digits, "level": _level_json(e.level), **asked, **ends, **late}


# --- Halves of an undecided claim ---


def _half_facts(e: PrintedHalf) -> list[Item]:
    return [_digits(e.evidence.printed)]


def _half_json(e: PrintedHalf) -> dict[str, Any]:
    return {"digits": e.evidence.printed.digits, "kept": e.kept}


# --- Losses ---


def loss_facts(e: PrintedLossEvidence, *, tables: bool = True) -> list[Item]:
    """Both ends of a loss, or of a utility."""
    measure = e.consumer.measure
    items: list[Item] = [
        Fact(f"worst {measure.word}", measure.of(e.largest)),
        Fact(f"best {measure.word}", measure.of(e.smallest)),
    ]
    if not tables:
        return items
    worst = grid_of(f"a table that prints so with the worst {measure.word}", e.worst)
    return [_digits(e.printed), *items, worst, grid_of(f"a table that prints so with the best {measure.word}", e.best)]


def loss_json(e: PrintedLossEvidence) -> dict[str, Any]:
    """Both ends of a loss."""
    word, of = e.consumer.measure.word, e.consumer.measure.of
    return {
        "digits": e.printed.digits,
        f"worst_{word}": {word: number_json(of(e.largest)), "mechanism": mechanism_json(e.worst)},
        f"best_{word}": {word: number_json(of(e.smallest)), "mechanism": mechanism_json(e.best)},
    }


def _gap_facts(e: PrintedOptimalityEvidence) -> list[Item]:
    measure = e.consumer.measure
    items: list[Item] = [Fact(measure.best, "not found in time" if e.best.least_loss is None else measure.of(e.best.least_loss))]
    items += loss_facts(e.losses, tables=False)
    if e.gaps is not None:
        items += [Fact("largest gap", e.gaps[1]), Fact("smallest gap", e.gaps[0])]
    if e.private_loss is not None:
        items.append(Fact(f"best {measure.word} if private", measure.of(e.private_loss)))
    return items


def optimality_facts(e: PrintedOptimalityEvidence) -> list[Item]:
    """Losses and gaps, and how private the tables are."""
    items: list[Item] = [_digits(e.printed), *_gap_facts(e)]
    items += [*_largest_epsilon(e.privacy.largest), *_smallest_epsilon(e.privacy.smallest)]
    return items + loss_facts(e.losses)[-2:]


def optimality_json(e: PrintedOptimalityEvidence) -> dict[str, Any]:
    """Losses and gaps, and how private the tables are."""
    of = e.consumer.measure.of
    found = {"value": None if e.best.least_loss is None else number_json(of(e.best.least_loss)), **loss_json(e.losses)}
    found |= {} if e.gaps is None else {"largest_gap": number_json(e.gaps[1]), "smallest_gap": number_json(e.gaps[0])}
    return found | {"level_asked": level_json(e.level), "epsilon": _ends_json(e.privacy)}


# --- Audits ---


def audit_sections(audit: PrintedAudit) -> list[Item]:
    """The parts of a report under their headings."""
    near = audit.neighbours
    sections: list[tuple[str, list[Item]]] = [(f"How private on {near} is what was printed?", privacy_facts(audit.tightest.evidence))]
    if audit.claimed is not None:
        items: list[Item] = [Fact(audit.claimed.decision.value, audit.claimed.claim)]
        items += [] if audit.delta is None else delta_facts(audit.delta.evidence)
        sections.append((f"The claim: {audit.claim} on {near}", items))
    sections += [required_section(audit.requirements)] if audit.requirements else []
    sections += [(f"For {entry.consumer.describe()}", _consumer_facts(entry)) for entry in audit.consumers]
    return [Section(title, tuple(items)) for title, items in sections]


def _consumer_facts(entry: PrintedConsumerAudit) -> list[Item]:
    if entry.optimal is None:
        return loss_facts(entry.loss.evidence, tables=False)
    return [Fact(entry.optimal.decision.value, entry.optimal.claim), *_gap_facts(entry.optimal.evidence)]


def audit_json(audit: PrintedAudit) -> dict[str, Any]:
    """The same as JSON."""
    found: dict[str, Any] = {"title": audit.title, "digits": audit.printed.digits, "epsilon": _ends_json(audit.tightest.evidence)}
    if audit.claimed is not None:
        found["claimed"] = {"claim": str(audit.claim), "verdict": audit.claimed.decision.value, "sentence": audit.claimed.claim}
    if audit.delta is not None:
        found["delta"] = delta_json(audit.delta.evidence)
    found["consumers"] = [_consumer_json(entry) for entry in audit.consumers]
    found |= {"requirements": [required_json(one) for one in audit.requirements]} if audit.requirements else {}
    return found


def _consumer_json(entry: PrintedConsumerAudit) -> dict[str, Any]:
    found: dict[str, Any] = {"consumer": entry.consumer.describe()}
    if entry.optimal is None:
        return found | loss_json(entry.loss.evidence)
    return found | {"verdict": entry.optimal.decision.value} | optimality_json(entry.optimal.evidence)


def _epsilon_ends(e: PrintedPrivacyEvidence, beside: tuple[Any, ...] = ()) -> tuple[Shown, Shown]:
    """Both ends of ε; the smallest one is a bound where it is not known exactly."""
    low = e.smallest.tightest if e.smallest.exact else e.smallest.bound
    first, second = compared_epsilons(low, e.largest.tightest, beside=beside)
    return first, second


def _same_epsilon(e: PrintedPrivacyEvidence) -> bool:
    return e.smallest.exact and e.smallest.tightest == e.largest.tightest


def printed_privacy_headline(verdict: Verdict[PrintedPrivacyEvidence]) -> Headline:
    """Between which ε all tables are that print so; what follows for a level that was asked about."""
    return _printed_headline(verdict.evidence, verdict.decision)


def _printed_headline(e: PrintedPrivacyEvidence, decision: Decision) -> Headline:
    wanted = e.level
    low, high = _epsilon_ends(e, () if wanted is None else wanted.landmarks)
    ends: list[Any] = ["ε", high] if _same_epsilon(e) else ["ε between", low, "and", high]
    value = high if _same_epsilon(e) else None
    if wanted is None:
        return headline(*ends, what="ε", value=value)
    said = {
        Decision.PROVED: "; every such table is private at",
        Decision.REFUTED: "; no such table is private at",
        Decision.UNDECIDED: "; not decided for",
    }
    return headline(*ends, said[decision], asked(wanted), what="ε", value=value)


def _largest_epsilon_headline(verdict: Verdict[LargestEpsilonEvidence]) -> Headline:
    return headline("largest ε", epsilon_of(verdict.evidence.tightest))


def _smallest_epsilon_headline(verdict: Verdict[SmallestEpsilonEvidence]) -> Headline:
    e = verdict.evidence
    if e.exact:
        return headline("smallest ε", epsilon_of(e.tightest))
    ends = compared_epsilons(e.bound, e.tightest)
    return headline("smallest ε between", *_and(*ends), what="smallest ε", value=None)


def _delta_level(level: PrivacyLevel | None) -> tuple[str, ...]:
    return ("ε = 0",) if level is None else ()


def _delta_end_headline(verdict: Verdict[LargestDeltaEvidence | SmallestDeltaEvidence]) -> Headline:
    e = verdict.evidence
    which = "largest δ" if hasattr(e, "event") else "smallest δ"
    if e.exact:
        return headline(which, number(e.delta), assumed=_delta_level(e.level))
    low, high = sorted((e.delta, e.bound))
    return headline(f"{which} between", *_and(*compared(low, high)), what=which, value=None, assumed=_delta_level(e.level))


def _and(low: Shown, high: Shown) -> tuple[Any, ...]:
    return low, "and", high


def _delta_headline(verdict: Verdict[PrintedDeltaEvidence]) -> Headline:
    e = verdict.evidence
    same = bool(e.largest.bound == e.smallest.bound)
    low, high = compared(e.smallest.bound, e.largest.bound)
    ends: list[Any] = ["least δ", number(e.largest.bound)] if same else ["least δ between", low, "and", high]
    value = high if same else None
    if e.asked is None:
        return headline(*ends, what="least δ", value=value, assumed=_delta_level(e.level))
    said = {
        Decision.PROVED: "; every such table has at most δ =",
        Decision.REFUTED: "; no such table has at most δ =",
        Decision.UNDECIDED: "; not decided for δ =",
    }
    wanted = number(e.asked)
    return headline(*ends, said[verdict.decision], wanted, what="least δ", value=value, assumed=_delta_level(e.level))


def _half_headline(verdict: Verdict[PrintedHalf]) -> Headline:
    told = "some table that prints so keeps the claim" if verdict.evidence.kept else "not every table that prints so keeps the claim"
    inner = verdict.evidence.evidence
    levels = () if inner.level is None else (f"level {inner.level.text}",)
    asked_delta = getattr(inner, "asked", None)
    return headline(told, what="claim", assumed=(*levels, *(() if asked_delta is None else (f"δ = {asked_delta}",))))


def _loss_headline(verdict: Verdict[PrintedLossEvidence]) -> Headline:
    e = verdict.evidence
    measure = e.consumer.measure
    low, high = measure.between((e.smallest, e.largest))
    if low == high:
        return headline(measure.word, number(low))
    return headline(f"{measure.word} between", *_and(*compared(low, high)), what=measure.word, value=None)


def _optimality_headline(verdict: Verdict[PrintedOptimalityEvidence]) -> Headline:
    e = verdict.evidence
    ends = ["gap not found"] if e.gaps is None else ["gap", number(e.gaps[0])]
    if e.gaps is not None and e.gaps[0] != e.gaps[1]:
        ends = ["gap between", *_and(*compared(*e.gaps))]
    said = {
        Decision.PROVED: "; every table that prints so is optimal",
        Decision.REFUTED: "; no table that prints so is optimal",
        Decision.UNDECIDED: "; not decided: is every such table optimal?",
    }
    if verdict.refuted and e.privacy.level is not None and not e.privacy.largest.tightest >= e.privacy.level:
        private = e.privacy.multipliers is not None or (e.privacy.private is None and e.privacy.smallest.bound < e.privacy.level)
        if private:  # no table is private, whatever the gap
            return _printed_headline(e.privacy, Decision.REFUTED)
    return headline(*ends, said[verdict.decision], what="gap")


def _audit_headline(verdict: Verdict[PrintedAudit]) -> Headline:
    e = verdict.evidence
    decision = e.tightest.decision if e.claimed is None else e.claimed.decision
    return with_required(_claim_headline(e, decision), e.requirements)


def _claim_headline(e: PrintedAudit, decision: Decision) -> Headline:
    """The ends, and whether the claim is true."""
    if e.claim is None:
        return printed_privacy_headline(e.tightest)
    said = {
        Decision.PROVED: "; the claim is true of every such table",
        Decision.REFUTED: "; the claim is false of every such table",
        Decision.UNDECIDED: "; the claim is not decided by the digits",
    }
    claimed = (f"the claim: {e.claim}",)
    if e.delta is not None:
        d = e.delta.evidence
        same = bool(d.largest.bound == d.smallest.bound)
        ends = ["least δ", number(d.largest.bound)] if same else ["least δ between", *_and(*compared(d.smallest.bound, d.largest.bound))]
        return headline(*ends, said[decision], what="least δ", value=number(d.largest.bound) if same else None, assumed=claimed)
    p = e.tightest.evidence
    beside = e.claim.level.landmarks if isinstance(e.claim.level, PrivacyLevel) else ()
    low, high = _epsilon_ends(p, beside)
    ends = ["ε", high] if _same_epsilon(p) else ["ε between", low, "and", high]
    return headline(*ends, said[decision], what="ε", value=high if _same_epsilon(p) else None, assumed=claimed)


ANALYSIS = "exactdp.analysis"

EVIDENCE: dict[type | str, Told] = {
    PrintedPrivacyEvidence: Told(privacy_facts, privacy_json, printed_privacy_headline),
    LargestEpsilonEvidence: Told(_largest_epsilon_facts, _largest_epsilon_json, _largest_epsilon_headline),
    SmallestEpsilonEvidence: Told(_smallest_epsilon_facts, _smallest_epsilon_json, _smallest_epsilon_headline),
    f"{ANALYSIS}.printed.delta_ends.LargestDeltaEvidence": Told(_largest_facts, _largest_json, _delta_end_headline),
    f"{ANALYSIS}.printed.delta_ends.SmallestDeltaEvidence": Told(_smallest_facts, _smallest_json, _delta_end_headline),
    f"{ANALYSIS}.printed.delta_ends.PrintedDeltaEvidence": Told(delta_facts, delta_json, _delta_headline),
    f"{ANALYSIS}.printed.printed_audit.PrintedHalf": Told(_half_facts, _half_json, _half_headline),
    f"{ANALYSIS}.printed.loss_ends.PrintedLossEvidence": Told(loss_facts, loss_json, _loss_headline),
    f"{ANALYSIS}.printed.loss_ends.PrintedOptimalityEvidence": Told(optimality_facts, optimality_json, _optimality_headline),
    f"{ANALYSIS}.printed.printed_audit.PrintedAudit": Told(audit_sections, audit_json, _audit_headline),
}
