# SPDX-License-Identifier: MIT
"""An audit in sections and as JSON; the page is :mod:`exactdp.report.audit_page`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from exactdp.analysis.approximate import DeltaEvidence, LevelForDeltaEvidence, at_least_text
from exactdp.analysis.epsilon import bounds_of
from exactdp.analysis.events import Judged, event_text
from exactdp.analysis.privacy_claim import Event, PrivacyClaim
from exactdp.analysis.requirement import Required, why_text
from exactdp.analysis.rounded_tables import zeroed_text
from exactdp.analysis.stochastic import bound_text, faults_text, unrounded_text
from exactdp.analysis.verdict import Decision, Scope, Verdict
from exactdp.analysis.wording import level_text, private_text, short_number
from exactdp.errors import DomainError, LabelError
from exactdp.exact import ExactMatrix, Rational
from exactdp.exact.decimals import decimal_text, plain_text
from exactdp.model import Epsilon, Labels, Mechanism, PrivacyLevel, Table, TightestLevel
from exactdp.model.epsilon import LONGEST
from exactdp.model.labels import Positions, integer_labels, is_integer_label
from exactdp.report.headline import LONGEST as LONGEST_HEADLINE
from exactdp.report.headline import (
    Headline,
    Shown,
    asked,
    compared,
    epsilon_first,
    found_level,
    has_epsilon,
    headline,
    label,
    level,
    named_level,
    number,
    smallest_epsilon,
)
from exactdp.report.items import Fact, Grid, Item, Section, Told, grid_of, listing, row_grid
from exactdp.report.optimality import loss_json, stated_json
from exactdp.report.privacy import DIVIDED, cell_text, change_by_division
from exactdp.report.side_by_side import comparison_json, lines_above
from exactdp.report.values import cells_json, epsilon_json, level_json, neighbours_json, number_json, numbers_json, remap_json

if TYPE_CHECKING:  # whoever has found one kind of evidence needs no module of the others
    from exactdp.analysis.audit_evidence import Audit, ConsumerAudit
    from exactdp.analysis.composition import ParallelEvidence, ReleaseEvidence, SequentialEvidence
    from exactdp.analysis.inference import LikelihoodEvidence
    from exactdp.analysis.optimality.mechanism_optimality import OptimalityEvidence

MOST_DIGITS = 60
"""No decimal has more digits, however near two numbers are."""


def decimal(x: Any, digits: int = 6) -> str:
    """A decimal near the number, for people; ``≈`` unless it is the number itself.

    >>> decimal(Rational("1/3")), decimal(Rational("1/4"))
    ('≈ 0.333333', '0.25')
    """
    low, high = bounds_of(x, digits + 2)
    if not isinstance(low, Rational):  # a function of a symbolic level has no decimal
        return str(x)
    text, exact = decimal_text((low + high) / 2, digits)
    return text if exact and low == high else f"≈ {text}"


def decimals(x: Any, y: Any) -> tuple[str, str]:
    """Decimals near two different numbers, with as many digits as tell them apart.

    >>> decimals(Rational("1/3"), Rational("3333333/10000000"))
    ('≈ 0.33333333', '0.3333333')
    """
    digits = 6
    while x != y and decimal(x, digits).removeprefix("≈ ") == decimal(y, digits).removeprefix("≈ ") and digits < MOST_DIGITS:
        digits += 1
    return decimal(x, digits), decimal(y, digits)


def event_sentence(audit: Audit) -> str | None:
    """The worst pair and output of what is judged as an event: which neighbours are told apart by what."""
    event = audit.worst
    if event is None:
        return None
    likelier = f"{decimal(event.likely / event.unlikely)} times as likely" if event.unlikely > 0 else "seeing it rules the neighbour out"
    return f"{_short_event(audit, event)}: {likelier}"


def _short_event(audit: Audit, event: Event) -> str:
    """An event of what is judged; its labels are those of the table."""
    names = [audit.table.outputs[r] for r in event.outputs]
    shown = ", ".join(names) if len(names) <= 6 or not _count_up(names) else f"{names[0]}..{names[-1]}"
    first, second = audit.table.inputs[event.high], audit.table.inputs[event.low]
    return (
        f"With input {first} the output is in {{{shown}}} with probability {_with_decimal(event.likely)}, "
        f"with the neighbouring input {second} with probability {_with_decimal(event.unlikely)}"
    )


def _count_up(labels: Sequence[str]) -> bool:
    """Whether the labels are integers, each one more than the one before."""
    if not all(map(is_integer_label, labels)):
        return False
    values = integer_labels(labels, purpose="a span")
    return all(b - a == 1 for a, b in pairwise(values))


def audit_sections(audit: Audit) -> list[Item]:
    """The parts of a report under their headings, in reading order."""
    parts: list[tuple[str, list[Item]]] = [
        ("Is it a mechanism?", _quality(audit)),
        (f"How private is it on {audit.neighbours}?", _privacy(audit)),
    ]
    if audit.claim is not None:
        parts.append((f"The claim: {audit.claim} on {audit.neighbours}", _claim(audit)))
    if audit.requirements:
        parts.append(required_section(audit.requirements))
    if audit.quality == "rounded" and audit.ratio is not None:
        parts.append((DIVIDED, _cost(audit)))
    divided = " (after dividing rows by their sums)" if audit.quality == "wrong" else ""
    for entry in audit.consumers:
        among = "" if entry.level is None else f", among {private_text(entry.level, 'mechanisms')}{divided}"
        heading = f"For {entry.consumer.describe()}{among}"
        parts.append((heading, about_consumer(entry)))
    if audit.undecided:
        parts.append(("Not decided: the time limit has passed", [Fact(part, "time limit") for part in audit.undecided]))
    if audit.repairs:
        parts.append(("What would repair it", [Fact(repair.action, repair.result) for repair in audit.repairs]))
    if audit.compared is not None:
        other = audit.compared.other.evidence
        rows = comparison(audit, other, by_position=audit.compared.by_position)
        pairs: list[Item] = [Fact(what, f"{first}   |   {second}") for what, first, second in rows]
        parts.append((f"Side by side: {audit.title} | {other.title}", pairs))
    return [Section(title, tuple(items)) for title, items in parts]


def _quality(audit: Audit) -> list[Item]:
    faults = audit.faults
    if not faults:
        return [Fact("row sums", "every row sums to 1, and no entry is negative")]
    lines = [f"row {f.label}: sum − 1 = {_with_decimal(_rational(f.excess))}" for f in faults.rows]
    negative = [str(f) for f in faults.negative]
    said = faults_text(faults, audit.rounding) if audit.quality == "rounded" else f"a fault is above {bound_text(audit.rounding)}"
    return [
        Fact(audit.quality, said),
        *listing("negative entries", negative, len(negative)),
        *listing("rows that do not sum to 1", lines, len(lines), few=12),
    ]


def _cost(audit: Audit) -> list[Item]:
    """The level and each loss of a rounded table as it stands, against those of the mechanism judged."""
    items: list[Item] = change_by_division(
        None if audit.stands is None else TightestLevel(audit.stands.evidence.ratio), TightestLevel(audit.ratio)
    )
    told = []
    for entry in audit.consumers:
        if entry.consumer not in told:
            told.append(entry.consumer)
            losses: list[Item] = []
            measure = entry.consumer.measure
            for how, loss, judged in (
                ("as deployed", entry.stands, entry.deployed),
                ("after the best remap", entry.stands_remapped, entry.remapped),
            ):
                if loss is not None and judged is not None and judged.evidence.loss is not None:
                    stands, own = measure.of(loss), measure.of(judged.evidence.loss)
                    losses.append(Fact(f"{measure.word} {how}, as it stands", _with_decimal(stands)))
                    losses += [Fact("of the mechanism judged", _with_decimal(own)), Fact("difference", _with_decimal(own - stands))]
            items += [Section(f"for {entry.consumer.describe()}", tuple(losses))] if losses else []
    return items


def _rational(x: Any) -> Any:
    """The number in ℚ if it lies there."""
    rational = x if isinstance(x, Rational) else getattr(x, "rational", None)
    return x if rational is None else rational


def _privacy(audit: Audit) -> list[Item]:
    items: list[Item] = []
    if audit.quality == "wrong":
        items.append(Fact("tightest level", "none: it is not a mechanism"))
        if audit.stands is not None:
            items.append(Fact("the ratio as it stands", _level_text(audit, audit.stands.evidence.ratio)))
    elif audit.ratio is None:
        items.append(Fact("tightest level", "not found: time limit"))
    else:
        items.append(Fact("tightest level", _level_text(audit, audit.ratio)))
        sentence = event_sentence(audit)
        items += [] if sentence is None else [Fact("shown by", sentence)]
    if audit.own is not None:
        e = audit.own.evidence
        if audit.quality == "wrong":
            items.append(Fact("after dividing rows by their sums", _level_text(audit, e.tightest)))
        else:
            m, tight = e.mechanism, e.tight
            lines = (f"output {m.outputs[cell.output]}: input {m.inputs[cell.low]} against {m.inputs[cell.high]}" for cell in tight)
            items += listing("tight constraints", lines, len(tight))
    found = (verdict.evidence for verdict in audit.for_delta)
    whose = " (the table as it stands)" if audit.quality == "wrong" else ""
    return [*items, *(Fact(f"level that δ = {short_number(e.delta)} buys{whose}", _level_text(audit, e.ratio)) for e in found)]


def _level_text(audit: Audit, found: Any) -> str:
    """A level as the claim speaks; without one as the table was given, or ε first."""
    by_epsilon = epsilon_first(found, audit.given.by_epsilon) if audit.claim is None else None
    return audit.level_text(found) if by_epsilon is None else level_text(found, by_epsilon)


def _claim(audit: Audit) -> list[Item]:
    holds = audit.claim_holds
    why = ": it is not a mechanism" if audit.quality == "wrong" else ""
    items: list[Item] = [Fact("true", {True: "yes", False: f"no{why}", None: "not decided"}[holds])]
    if audit.claim is None:
        return items
    if audit.bought is not None and audit.bought.evidence.bought is not None:
        items.append(Fact("level that the claimed δ buys", audit.level_text(audit.bought.evidence.bought.ratio)))
    if audit.delta is not None:
        e = audit.delta.evidence
        items.append(Fact("least δ at the claimed level", _with_decimal(e.delta)))
        if e.event is not None:
            items.append(Fact("attained by", _short_event(audit, e.event)))
    if audit.claim.delta > 0:
        lines = (_short_event(audit, event) for event in audit.broken)
        return [*items, *listing("ordered pairs that break the claim", lines, len(audit.broken))]
    if audit.privacy is None or audit.delta is None:
        return items
    mechanism, violated = audit.privacy.evidence.mechanism, audit.privacy.evidence.violated
    lines = (cell_text(cell, mechanism, audit.delta.evidence.level, "<") for cell in violated)
    return items if not violated else [*items, *listing("broken constraints", lines, len(violated))]


def about_consumer(entry: ConsumerAudit) -> list[Item]:
    """Loss (or utility), optimum and gap, as deployed and after the best remap."""
    items: list[Item] = []
    measure = entry.consumer.measure
    word = measure.word
    if entry.optimum is not None:
        items.append(Fact(measure.best, _with_decimal(entry.optimum)))
    for name, verdict in (("as deployed", entry.deployed), ("after the best remap", entry.remapped)):
        if verdict is not None:
            bounds = verdict.evidence.loss_bounds
            if bounds is not None:
                low, high = measure.between(bounds)
                items += [Fact(f"{word} {name}, at least", _with_decimal(low)), Fact(f"{word} {name}, at most", _with_decimal(high))]
            else:
                items.append(Fact(f"{word} {name}", _with_decimal(measure.of(verdict.evidence.loss))))
            gap = verdict.evidence.gap
            items.append(Fact(f"gap {name}", _gap_told(gap)))
    if entry.reason is not None:
        items.append(Fact("not decided", entry.reason))
    return items


def _gap_told(gap: Any) -> str:
    """A gap, which was perhaps not decided."""
    if gap is None:
        return "not decided"
    return "0: it is optimal" if gap == 0 else _with_decimal(gap)


def _with_decimal(x: Any) -> str:
    """A number and its decimal in brackets, unless it is one; of a long number the decimal first."""
    if str(x) == decimal(x):
        return str(x)
    return f"{x} ({decimal(x)})" if len(str(x)) <= LONGEST else f"{decimal(x)} (exactly {x})"


def audit_json(audit: Audit) -> dict[str, Any]:
    """The keys of an audit in the command line's JSON; exact numbers as strings."""
    faults = audit.faults
    found: dict[str, Any] = {
        "neighbours": neighbours_json(audit.neighbours),
        "is_mechanism": not faults,
        "quality": audit.quality,
        "rounding": str(audit.rounding),
        "faults": {
            "rows": [{"row": f.label, "sum": number_json(f.total), "excess": number_json(f.excess)} for f in faults.rows],
            "negative": [{"row": f.row_label, "column": f.column_label, "value": number_json(f.value)} for f in faults.negative],
            "largest": number_json(faults.largest),
        },
    }
    if audit.tightest is not None:
        found |= {"level": level_json(audit.ratio), "event": event_json(audit.table, audit.worst)}
    if audit.stands is not None:
        found["as_it_stands"] = {"level": level_json(audit.stands.evidence.ratio)}
    bought = (verdict.evidence for verdict in audit.for_delta)
    found["level_for_delta"] = [{"delta": number_json(e.delta), "level": level_json(e.ratio)} for e in bought]
    if audit.own is not None:
        e = audit.own.evidence
        found["tight"] = [{key: x for key, x in cell.items() if key != "distance"} for cell in cells_json(e.tight, e.mechanism)]
        found |= {"renormalised": {"level": level_json(e.tightest)}} if audit.repaired else {}
    if audit.claim is not None:
        delta = audit.delta
        found["claim_holds"] = audit.claim_holds
        if audit.claim_holds and audit.divided is not None and audit.divided.is_another:
            found["claim_holds_of"] = audit.divided.told.strip().removeprefix("of ")
        found["claimed"] = {"text": str(audit.claim), "level": None if audit.level is None else level_json(audit.level)}
        found["delta"] = None if delta is None else number_json(delta.evidence.delta)
        if audit.bought is not None and audit.bought.evidence.bought is not None:
            found["bought"] = _level_for_delta_json(audit.bought.evidence.bought)
        if delta is not None and delta.evidence.event is not None:
            found["delta_event"] = event_json(audit.table, delta.evidence.event)
        found["broken"] = [event_json(audit.table, event) for event in audit.broken]
    found["consumers"] = [_consumer_json(entry) for entry in audit.consumers]
    if audit.requirements:
        found["requirements"] = [required_json(one) for one in audit.requirements]
    if audit.undecided:
        found["undecided"] = [{"part": part, "reason": "time limit"} for part in audit.undecided]
    found["repairs"] = [{"action": repair.action, "result": repair.result} for repair in audit.repairs]
    if audit.compared is not None:
        other = audit.compared.other
        told = {"verdict": other.head, "claim": other.claim, "scope": str(other.scope), **audit_json(other.evidence)}
        found |= {"comparison": comparison_json(audit), "compared": told}
    return found


def required_section(requirements: Sequence[Required]) -> tuple[str, list[Item]]:
    """What became of the requirements, under their heading."""
    return "What is required", [Fact(f"{one.status}: {one.text}", why_text(one)) for one in requirements]


def required_json(one: Required) -> dict[str, Any]:
    """What became of a requirement: exact numbers as elsewhere, an ε with its decimals."""
    found: dict[str, Any] = {"text": one.text, "about": one.about, "status": one.status, "why": why_text(one)}
    found |= {"exact": _required_number(one.exact), "compared": _required_number(one.compared)}
    return found if one.bounds is None else found | {"bounds": [_required_number(x) for x in one.bounds]}


def _required_number(x: Any) -> Any:
    if x is None:
        return None
    return epsilon_json(x) if isinstance(x, Epsilon) else number_json(x)


def event_json(table: Judged, event: Event | None) -> dict[str, Any] | None:
    """An event with its probabilities, by labels."""
    if event is None:
        return None
    return {
        "input": table.inputs[event.high],
        "neighbour": table.inputs[event.low],
        "outputs": [table.outputs[r] for r in event.outputs],
        "likely": number_json(event.likely),
        "unlikely": number_json(event.unlikely),
        "text": event_text(table, event),
    }


def _consumer_json(entry: ConsumerAudit) -> dict[str, Any]:
    level = None if entry.level is None else level_json(entry.level)
    found: dict[str, Any] = {"consumer": entry.consumer.describe(), "level": level, "reason": entry.reason}
    for name, verdict in (("deployed", entry.deployed), ("after_remap", entry.remapped)):
        if verdict is not None:
            found[name] = loss_json(verdict.evidence)
    standing = {"deployed": entry.stands, "after_remap": entry.stands_remapped}
    if any(loss is not None for loss in standing.values()):
        measure = entry.consumer.measure
        found["as_it_stands"] = {name: number_json(measure.of(loss)) for name, loss in standing.items() if loss is not None}
    return found | stated_json(entry.consumer.measure, entry.optimum)


def _axes(table: Table) -> tuple[Labels, Labels]:
    return table.inputs, table.outputs


def comparison(first: Audit, second: Audit, *, by_position: bool = False) -> Sequence[tuple[str, str, str]]:
    """Two audits side by side: (what, of the first, of the second), where at least one says something.

    ``by_position`` matches what has labels with what has none. What t stands for in the second is said with
    it where it is another number in the first.
    """
    by_epsilon = any(audit.given.by_epsilon for audit in (first, second))
    sides = [_summary(audit, by_epsilon=by_epsilon) for audit in (first, second)]
    fields, level = [audit.table.matrix.field for audit in (first, second)], sides[1].get("tightest level")
    if level is not None and fields[1] != fields[0]:
        sides[1]["tightest level"] = ", ".join([level, *Scope(meanings=tuple(fields[1].legend.items())).legend(level)])
    keys = list(dict.fromkeys([*sides[0], *sides[1]]))
    rows = [(key, sides[0].get(key, "—"), sides[1].get(key, "—")) for key in keys]
    table, other = first.table, first.beside(second) if by_position else second.table
    why = "their labels differ"
    if table.matrix.shape != other.matrix.shape:
        why = "their sizes differ"
    elif any(isinstance(x, Positions) != isinstance(y, Positions) for x, y in zip(_axes(table), _axes(other), strict=True)):
        why = "only one has labels (--by-position matches them in their order)"
    differ = [*rows, ("largest difference", f"not told: {why}", "—")]
    if (set(table.inputs), set(table.outputs)) != (set(other.inputs), set(other.outputs)):
        return differ
    try:
        d = first.difference(second, by_position=by_position)
    except LabelError:
        return differ
    except DomainError:  # numbers with different symbols, or a difference whose sign depends on the level
        return [*rows, ("largest difference", "not told: their numbers are not comparable", "—")]
    if d is None:
        return [*rows, ("largest difference", "none: the tables are equal", "—")]
    where = f"largest difference: input {table.inputs[d.input]}, output {table.outputs[d.output]}"
    return [*rows, (where, *decimals(d.first, d.second))]


def _summary(audit: Audit, *, by_epsilon: bool) -> dict[str, str]:
    facts = {"inputs × outputs": "{} × {}".format(*audit.table.matrix.shape)}
    facts["neighbours"] = str(audit.neighbours)
    counted = f": {len(audit.faults.rows)} rows, {len(audit.faults.negative)} negative entries"
    facts["is a mechanism"] = {"exact": "yes", "rounded": f"rounded{counted}", "wrong": f"no{counted}"}[audit.quality]
    if audit.tightest is not None:
        by = by_epsilon and audit.claim is None
        facts["tightest level"] = level_text(audit.ratio, True) if by else _level_text(audit, audit.ratio)
    if audit.own is not None and audit.quality != "wrong":
        facts["tight constraints"] = str(len(audit.own.evidence.tight))
    if audit.claim is not None:
        facts["claim"] = f"{audit.claim}: {({True: 'true', False: 'false', None: 'not decided'})[audit.claim_holds]}"
        if audit.delta is not None:
            facts["least δ there"] = decimal(audit.delta.evidence.delta)
    for entry in audit.consumers:
        for name, verdict in (("as deployed", entry.deployed), ("after the best remap", entry.remapped)):
            what = f"{entry.consumer.describe()}, {entry.consumer.measure.word} {name}"
            if verdict is not None and (what not in facts or verdict.evidence.loss_bounds is None):
                facts[what] = _summed_up(audit, verdict.evidence)
    return facts


def _summed_up(audit: Audit, e: OptimalityEvidence) -> str:
    """A loss as a decimal, or what is known of it; that of a wrong table is one after division."""
    measure, divided = e.consumer.measure, " (after dividing rows by their sums)" if audit.quality == "wrong" else ""
    if e.loss_bounds is None:
        return decimal(measure.of(e.loss)) + divided
    low, high = measure.between(e.loss_bounds)
    return f"not decided: from {decimal(low)} to {decimal(high)}{divided}"


def _delta_facts(e: DeltaEvidence) -> list[Item]:
    asked = [] if e.asked is None else [Fact("δ asked", e.asked)]
    level = e.level.text if isinstance(e.level, PrivacyLevel) else e.level.told(True)  # ε = 0
    least = [] if e.delta is None else [Fact("least δ", e.delta)]
    least += [Fact("least δ, at least", at_least_text(e))] if e.unfinished else []
    if e.bounds is not None:
        lower, upper = map(plain_text, e.bounds)
        least = [Fact("least δ, at least", lower), Fact("least δ, at most", upper)]
    found = []
    if e.bought is not None:
        bought = level_text(e.bought.ratio, _speaks_epsilon(e), *e.landmarks)
        found = [Fact(f"largest level for δ = {short_number(e.bought.delta)}", bought)]
    return [Fact("level", level), *asked, *least, *found, *_attained(e.subject, e.event), *_unfinished(e)]


def _delta_json(e: DeltaEvidence) -> dict[str, Any]:
    asked = {} if e.asked is None else {"asked": number_json(e.asked)}
    found: dict[str, Any] = {} if e.bought is None else {"bought": _level_for_delta_json(e.bought)}
    found |= {} if e.bounds is None else {"bounds": [plain_text(x) for x in e.bounds]}
    delta = None if e.delta is None else number_json(e.delta)
    found |= {"delta_at_least": number_json(e.at_least), "unfinished": list(e.unfinished)} if e.unfinished else {}
    return {"level": level_json(e.level), "delta": delta, **asked, "event": event_json(e.subject, e.event), **found}


def _speaks_epsilon(e: DeltaEvidence) -> bool:
    """Whether the level that was asked about is an ε."""
    return e.level.by_epsilon if isinstance(e.level, PrivacyLevel) else True


def _unfinished(e: DeltaEvidence | LevelForDeltaEvidence) -> list[Item]:
    """What a time limit kept from being known."""
    return [Fact("not known in time", ", ".join(e.unfinished))] if e.unfinished else []


def _level_for_delta_facts(e: LevelForDeltaEvidence) -> list[Item]:
    name = "largest level, at most" if e.unfinished else "largest level"
    found = level_text(e.ratio, epsilon_first(e.ratio, e.subject.by_epsilon))
    return [Fact("δ", e.delta), Fact(name, found), *_attained(e.subject, e.event), *_unfinished(e)]


def _level_for_delta_json(e: LevelForDeltaEvidence) -> dict[str, Any]:
    level = level_json(e.ratio)
    found = {"level": None, "level_at_most": level, "unfinished": list(e.unfinished)} if e.unfinished else {"level": level}
    return {**found, "delta": number_json(e.delta), "event": event_json(e.subject, e.event)}


def _attained(subject: Judged, event: Event | None) -> list[Item]:
    return [] if event is None else [Fact("attained by", event_text(subject, event))]


def _first(e: SequentialEvidence | ParallelEvidence, mechanisms: Sequence[Mechanism]) -> bool | None:
    """Whether ε is told first: as was asked, or as the levels of the mechanisms were given; else it is."""
    given = {m.by_epsilon for m in mechanisms if m.by_epsilon is not None}
    by_epsilon = False if e.by_epsilon is None and given == {False} else e.by_epsilon
    return epsilon_first(e.ratio, by_epsilon)


def _sequential_facts(e: SequentialEvidence) -> list[Item]:
    items: list[Item] = [Fact("mechanisms", len(e.mechanisms)), Fact("largest level", level_text(e.ratio, _first(e, e.mechanisms)))]
    if e.low is None or e.high is None:
        return items
    low, high = (e.neighbours.vertices[i] for i in (e.low, e.high))
    outputs = ", ".join(m.outputs[r] for m, r in zip(e.mechanisms, e.outputs, strict=True))
    return [*items, Fact("attained by", f"input {low} against {high}, outputs {outputs}")]


def _sequential_json(e: SequentialEvidence) -> dict[str, Any]:
    found: dict[str, Any] = {"level": level_json(e.ratio)}
    if e.low is None or e.high is None:
        return found
    inputs = {"low": e.neighbours.vertices[e.low], "high": e.neighbours.vertices[e.high]}
    return found | {"attained": {**inputs, "outputs": [m.outputs[r] for m, r in zip(e.mechanisms, e.outputs, strict=True)]}}


def _parallel_facts(e: ParallelEvidence) -> list[Item]:
    items: list[Item] = [Fact("parts", len(e.parts)), Fact("largest level", level_text(e.ratio, _first(e, [m for m, _ in e.parts])))]
    if e.part is None or e.cell is None:
        return items
    mechanism, _ = e.parts[e.part]
    return [*items, Fact("attained by", f"part {e.part + 1}: {cell_text(e.cell, mechanism, TightestLevel(e.ratio), '=')}")]


def _parallel_json(e: ParallelEvidence) -> dict[str, Any]:
    distinct = dict.fromkeys(near for _, near in e.parts)
    found: dict[str, Any] = {"level": level_json(e.ratio), "neighbours": [neighbours_json(near) for near in distinct]}
    if e.part is None or e.cell is None:
        return found
    return found | {"attained": {"part": e.part + 1, **cells_json((e.cell,), e.parts[e.part][0])[0]}}


def _release_facts(e: ReleaseEvidence) -> list[Item]:
    by = any(level.by_epsilon for level in e.levels)
    items: list[Item] = [Fact("inputs", f"0..{e.n}"), Fact("levels", ", ".join(level.text for level in e.levels))]
    lines = ["{" + ", ".join(str(m + 1) for m in c.members) + f"}}: {level_text(c.level, by)}" for c in e.coalitions]
    items += listing("coalition levels (tightest)", lines, len(lines), few=64)
    return items + [grid_of(f"T_{i}: result {i} from result {i - 1}", stage) for i, stage in enumerate(e.stages, 2)]


def _release_json(e: ReleaseEvidence) -> dict[str, Any]:
    coalitions = [{"members": [m + 1 for m in c.members], "level": level_json(c.level)} for c in e.coalitions]
    return {"coalitions": coalitions, "stages": [remap_json(stage) for stage in e.stages]}


def _likelihood_facts(e: LikelihoodEvidence) -> list[Item]:
    labels = e.mechanism.inputs
    items: list[Item] = [Fact("gap", e.gap), Fact("updates", e.steps), row_grid("estimate", e.estimate, labels)]
    if e.box is None:
        return items
    lower, upper = zip(*e.box, strict=True)
    return [*items, Grid("the maximum-likelihood distribution lies between", ExactMatrix([lower, upper]), ("at least", "at most"), labels)]


def _likelihood_json(e: LikelihoodEvidence) -> dict[str, Any]:
    found = {"gap": number_json(e.gap), "updates": e.steps, "estimate": numbers_json(e.estimate)}
    return found if e.box is None else found | {"bounds": [numbers_json(pair) for pair in e.box]}


def _audit_headline(verdict: Verdict[Audit]) -> Headline:
    """The tightest level, and whether the claim is true; of a wrong table, what is wrong."""
    e = verdict.evidence
    told = _audited(e)
    claimed = () if e.claim is None or claim_words(e.claim) in told.text else (f"the claim: {e.claim}",)
    asked = e.compared is None or e.consumers
    whom = () if asked else (("note", "which is better for whom is told with consumers, as in consumers=['zero-one']"),)
    return with_required(replace(told, assumed=(*claimed, *_rounding(e)), alone=(*told.alone, *whom)), e.requirements)


def with_required(told: Headline, requirements: Sequence[Required]) -> Headline:
    """What is required before all else where it is not kept; else what the answer assumes."""
    if not requirements:
        return told
    missed = [one for one in requirements if one.status != "holds"]
    missed.sort(key=lambda one: one.status != "fails")
    if not missed:
        kept = ", ".join(dict.fromkeys(one.text for one in requirements))
        return replace(told, assumed=(f"required, and kept: {kept}", *told.assumed))
    more = f", and {len(missed) - 1} more" if len(missed) > 1 else ""
    first = f"required: {missed[0].text} {'fails' if missed[0].status == 'fails' else 'is not decided'}{more}"
    whole = f"{first}; {told.text}"
    if len(whole) <= LONGEST_HEADLINE:
        return replace(told, text=whole)
    return replace(
        told,
        text=first if len(first) <= LONGEST_HEADLINE else f"{len(missed)} requirements are not kept",
        assumed=(told.text, *told.assumed),
    )


def _audited(e: Audit) -> Headline:
    if e.quality == "wrong":
        return _largest_fault(e)
    if e.claim is None:
        if e.ratio is None:
            return headline("tightest level not found in time", what="tightest level", value=None)
        return found_level(e.ratio, e.given.by_epsilon)
    by_epsilon = e.claim.epsilon is not None
    said = {True: ", so the claim{} is true", False: ", so the claim{} is false", None: "; not decided: the claim{}"}[e.claim_holds]
    follows = what_follows(e.claim, said)
    if e.claim_holds and e.divided is not None and e.divided.is_another:
        words = _words_of(claim_words(e.claim))[0]
        hint = f" (--digits {e.divided.places} judges the file)" if e.divided.places else ""
        whose = "holds only with rows divided by their sums"
        follows = Shown(None, (f", so the claim{words} {whose}{hint}", f", so the claim {whose}{hint}", f", so the claim {whose}"))
    if e.claim.delta > 0 and e.delta is not None:
        found = number(e.delta.evidence.delta)
        return headline("least δ", found, follows, what="least δ", value=found)
    if e.bought is not None and e.bought.evidence.bought is not None:
        bought = level(e.bought.evidence.bought.ratio, by_epsilon)
        return headline("level for the claimed δ:", bought, follows, what="level for the claimed δ")
    if e.ratio is None:
        told = what_follows(e.claim, "not decided in time: the claim{}")
        return headline(told, what="claim", value=None)
    landmarks = [] if e.claim.epsilon is None or e.claim.epsilon.rational is None else [e.claim.epsilon.rational]
    if by_epsilon and has_epsilon(e.ratio):
        found = smallest_epsilon(TightestLevel(e.ratio), *landmarks)
        return named_level("smallest", found, follows, what="smallest ε")
    return named_level("tightest level", level(e.ratio, False), follows)


def claim_words(claim: PrivacyClaim) -> str:
    """The claim in the notation in which it was made."""
    return str(claim).partition(" (ε")[0]


def _words_of(claim: str) -> list[str]:
    """The claim twice, so that a number beside it is shortened before it is left out; not if it is long."""
    return [f" {claim}", f" {claim}", ""] if len(claim) <= LONGEST_CLAIMED else [""]


def what_follows(claim: PrivacyClaim, said: str) -> Shown:
    """A clause about a claim, in place of ``{}``, as a part of a headline."""
    return Shown(None, tuple(map(said.format, _words_of(claim_words(claim)))))


def _largest_fault(e: Audit) -> Headline:
    """Why a table is no mechanism: the row, or the entry, with the largest fault."""
    rows = [found for found in e.faults.rows if abs(found.excess) == e.faults.largest]
    if rows:
        return headline(f"not a mechanism: row {label(rows[0].label)} sums to", number(rows[0].total), ", not 1", what="quality")
    entries = [found for found in e.faults.negative if -found.value == e.faults.largest]
    if entries:
        place = f"({label(entries[0].row_label)}, {label(entries[0].column_label)})"
        return headline(f"not a mechanism: entry {place} is", number(entries[0].value), "< 0", what="quality")
    return headline("not a mechanism: its largest fault is", number(e.faults.largest), what="quality")


LONGEST_CLAIMED = 44
"""A longer claim is called that in a headline, and written out beside it."""


def _rounding(e: Audit) -> tuple[str, ...]:
    """What was done to a rounded table."""
    places = e.rounded_to
    wrong = f"a fault above {bound_text(e.rounding)} is no rounding"
    if places:
        wrong = f"rounding to {places} decimal places can explain its faults: --digits {places} judges every table that prints so"
    told = {
        "exact": (),
        "rounded": (unrounded_text(e.faults, e.rounding, e.title), *([f"the level is 0{zeroed_text(e.zeroed)}"] if e.zeroed else [])),
        "wrong": (*e.faults.looks, wrong),
    }
    return told[e.quality]


def _delta_headline(verdict: Verdict[DeltaEvidence]) -> Headline:
    e = verdict.evidence
    follows = {Decision.PROVED: ", so private with", Decision.REFUTED: ", so not private with", Decision.UNDECIDED: "; not decided for"}
    found = e.at_least if e.unfinished else e.delta
    numbers = [x for x in (found, e.asked) if x is not None]
    shown = compared(*numbers) if len(numbers) > 1 else tuple(map(number, numbers))
    wanted = [] if e.asked is None else [follows[verdict.decision], "δ =", shown[-1]]
    if e.unfinished:
        return headline("least δ at least", shown[0], *wanted, what="least δ", value=None)
    if e.bounds is not None:
        lower, upper = (Shown(x, (plain_text(x), decimal(x))) for x in e.bounds)
        return headline("least δ between", lower, "and", upper, what="least δ", value=None)
    if e.bought is not None and e.asked is not None:
        bought = level(e.bought.ratio, _speaks_epsilon(e), *e.landmarks)
        follows = {Decision.PROVED: ", so private with it at", Decision.REFUTED: ", so not private with it at"}
        name = ["level for δ =", number(e.bought.delta)]
        return headline(*name, ":", bought, follows[verdict.decision], asked(e.level), what="level for δ", value=bought)
    return headline("least δ", shown[0], *wanted, what="least δ")


def _level_for_delta_headline(verdict: Verdict[LevelForDeltaEvidence]) -> Headline:
    e = verdict.evidence
    most = " (at most)" if e.unfinished else ""
    wanted = number(e.delta)
    found = level(e.ratio, e.subject.by_epsilon)
    told = Shown(e.delta, wanted.forms[1:] or wanted.forms)
    return headline(f"largest level{most} for δ =", told, ":", found, what="largest level", value=found)


def _sequential_headline(verdict: Verdict[SequentialEvidence]) -> Headline:
    e = verdict.evidence
    many = f"{len(e.mechanisms)} releases together" if len(e.mechanisms) > 1 else "the release"
    return headline(f"level of {many}:", level(e.ratio, _first(e, e.mechanisms)), what="largest level")


def _parallel_headline(verdict: Verdict[ParallelEvidence]) -> Headline:
    e = verdict.evidence
    many = f"{len(e.parts)} mechanisms on separate parts" if len(e.parts) > 1 else "the mechanism on its part"
    names = list(dict.fromkeys(str(near) for _, near in e.parts))
    where = ", ".join(names if len(names) <= 4 else [*names[:3], f"… ({len(names)} kinds)"])
    return headline(f"level of {many}:", level(e.ratio, _first(e, [m for m, _ in e.parts])), what="largest level", assumed=(where,))


def _release_headline(verdict: Verdict[ReleaseEvidence]) -> Headline:
    e = verdict.evidence
    levels = ("levels " + ", ".join(x.text for x in e.levels),)
    if verdict.proved:
        found = level(e.levels[0])
        told = "no coalition learns more than from its first result; all together:"
        return headline(told, found, what="level of all together", value=found, assumed=levels)
    worst = next(c for c in e.coalitions if c.level != e.levels[c.members[0]])
    names = "{" + ", ".join(str(m + 1) for m in worst.members) + "}"
    by_epsilon = e.levels[worst.members[0]].by_epsilon
    found = level(worst.level, by_epsilon)
    return headline(f"coalition {names} learns more than from its first result:", found, what="coalition", assumed=levels)


def _likelihood_headline(verdict: Verdict[LikelihoodEvidence]) -> Headline:
    e = verdict.evidence
    return headline("estimate within ln(1 + g) of the maximum likelihood, g =", number(e.gap), what="gap", value=number(e.gap))


EVIDENCE: dict[type | str, Told] = {
    "exactdp.analysis.audit_evidence.Audit": Told(audit_sections, audit_json, _audit_headline, lines_above),
    DeltaEvidence: Told(_delta_facts, _delta_json, _delta_headline),
    LevelForDeltaEvidence: Told(_level_for_delta_facts, _level_for_delta_json, _level_for_delta_headline),
    "exactdp.analysis.composition.SequentialEvidence": Told(_sequential_facts, _sequential_json, _sequential_headline),
    "exactdp.analysis.composition.ParallelEvidence": Told(_parallel_facts, _parallel_json, _parallel_headline),
    "exactdp.analysis.composition.ReleaseEvidence": Told(_release_facts, _release_json, _release_headline),
    "exactdp.analysis.inference.LikelihoodEvidence": Told(_likelihood_facts, _likelihood_json, _likelihood_headline),
}
