# SPDX-License-Identifier: MIT
"""Whether a table is a mechanism, and how private it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from exactdp.analysis.privacy import LEVEL, PrivacyEvidence
from exactdp.analysis.privacy_cells import Cell
from exactdp.analysis.stochastic import StochasticEvidence, bound_text, faults_text
from exactdp.analysis.verdict import Decision, Verdict
from exactdp.analysis.wording import epsilon_change, level_text, short_number
from exactdp.exact import ExponentialNumber, Rational
from exactdp.model import Mechanism, PrivacyLevel, TightestLevel
from exactdp.model.epsilon import power_text
from exactdp.model.tightest_level import is_radical
from exactdp.report.headline import (
    LONGEST_EXACT,
    Headline,
    Shown,
    asked,
    compared,
    compared_epsilons,
    epsilon_first,
    epsilon_of,
    equation_of_epsilon,
    found_level,
    has_epsilon,
    headline,
    label,
    level,
    named_level,
    number,
    smallest_epsilon,
)
from exactdp.report.items import Fact, Item, Told, listing
from exactdp.report.values import cells_json, level_json

DIVIDED = "What dividing by the row sums changes"
"""The heading of a section about a rounded table: what was rounded away is not in it."""


def level_facts(
    name: str, level: PrivacyLevel | TightestLevel, asked: PrivacyLevel | None = None, by_epsilon: bool | None = None
) -> list[Item]:
    """The level and its ε, first as the level asked about or the mechanism was given, then the other one.

    >>> [fact.value for fact in level_facts("tightest level", TightestLevel("1/4"))]
    ['ε = ln(4) ≈ 1.386294', Rational('1/4')]
    >>> [fact.value for fact in level_facts("tightest level", TightestLevel("1/4"), by_epsilon=False)]
    [Rational('1/4'), 'ln(4) ≈ 1.386294']
    """
    asked = level if isinstance(level, PrivacyLevel) else asked
    found = level.as_tightest()
    alpha = str(found) if found.value is None or is_radical(found.value) else found.value
    if not has_epsilon(found.ratio):
        return [Fact(name, alpha)]
    beside = () if asked is None else asked.landmarks
    if epsilon_first(found, by_epsilon if asked is None else asked.by_epsilon):
        return [Fact(name, found.epsilon.equation(*beside)), Fact("  its α", alpha)]
    return [Fact(name, alpha), Fact("  its ε", found.epsilon.told(*beside))]


def cell_text(cell: Cell, mechanism: Mechanism, level: PrivacyLevel | TightestLevel, relation: str) -> str:
    """One privacy constraint in words, such as ``x[1][0] / x[0][0] = 1/4 < 1/2``."""
    low, high, out = mechanism.inputs[cell.low], mechanism.inputs[cell.high], mechanism.outputs[cell.output]
    plain = cell.distance.rational == 1
    right = f" {relation} {level}" if plain else f" {relation} {power_text(level, cell.distance)}"
    if relation == "=" and (plain or isinstance(level, TightestLevel)):
        right = ""
    return f"x[{low}][{out}] / x[{high}][{out}] = {cell.ratio}{right}"


def change_by_division(stands: TightestLevel | None, judged: TightestLevel, *, what: str = "tightest level") -> list[Item]:
    """The level of a rounded table as it stands (None with negative entries), and that of what is judged."""
    said = "not defined: entries are negative" if stands is None else level_text(stands, epsilon_first(stands))
    judged_text = level_text(judged, epsilon_first(judged))
    items: list[Item] = [Fact(f"{what} as it stands", said), Fact("of the mechanism judged", judged_text)]
    if stands is None or stands.value is None or judged.value is None:
        return items
    change = epsilon_change(stands.value, judged.value)
    return [*items, Fact("difference", f"{short_number(judged.value - stands.value)}; {change}")]


def stochastic_facts(e: StochasticEvidence) -> list[Item]:
    """The faulty rows and entries."""
    faults = e.faults
    lines = [str(fault) for fault in (*faults.negative, *faults.rows)]
    how = {"exact": "", "rounded": f": {faults_text(faults, e.rounding)}", "wrong": f": a fault is above {bound_text(e.rounding)}"}
    return [Fact("the table is", e.quality + how[e.quality]), *listing("faults", lines, len(lines), few=1000)]


def stochastic_json(e: StochasticEvidence) -> dict[str, Any]:
    """The faulty rows and entries."""
    faults = e.faults
    rows = [{"row": f.label, "sum": str(f.total), "excess": str(f.excess)} for f in faults.rows]
    negative = [{"row": f.row_label, "column": f.column_label, "value": str(f.value)} for f in faults.negative]
    return {"quality": e.quality, "rounding": str(e.rounding), "violated": negative + rows}


def asked_facts(level: PrivacyLevel, tightest: TightestLevel) -> list[Item]:
    """The level asked about. Where its number is in another field than the table's, t stands for one of them
    only: the level is written out.
    """
    asked = level.as_tightest().ratio
    if not isinstance(asked, ExponentialNumber) or not isinstance(tightest.ratio, ExponentialNumber) or asked.field == tightest.ratio.field:
        return level_facts("level asked", level)
    return [Fact("level asked", level.as_tightest().epsilon.equation(*level.landmarks)), Fact("  its α", str(level))]


def privacy_facts(e: PrivacyEvidence) -> list[Item]:
    """The tightest level, and the constraints that are tight or broken."""
    items: list[Item] = [] if e.level is None else asked_facts(e.level, e.tightest)
    name = "tightest level, at most" if LEVEL in e.unfinished else "tightest level"
    items += level_facts(name, e.tightest, e.level, e.mechanism.by_epsilon)
    at: PrivacyLevel | TightestLevel = e.tightest if e.level is None else e.level
    items += listing("violated", (cell_text(c, e.mechanism, at, "<") for c in e.violated), len(e.violated))
    items += listing("tight", (cell_text(c, e.mechanism, at, "=") for c in e.tight), len(e.tight))
    return [*items, Fact("not known in time", ", ".join(e.unfinished))] if e.unfinished else items


def privacy_json(e: PrivacyEvidence) -> dict[str, Any]:
    """The tightest level, and the constraints that are tight or broken."""
    known = LEVEL not in e.unfinished
    return {
        **({"level": level_json(e.tightest)} if known else {"level": None, "level_at_most": level_json(e.tightest)}),
        **({"unfinished": list(e.unfinished)} if e.unfinished else {}),
        "tight": cells_json(e.tight, e.mechanism),
        "violated": cells_json(e.violated, e.mechanism),
    }


def _asked_json(e: PrivacyEvidence) -> dict[str, Any]:
    return ({} if e.level is None else {"level_asked": level_json(e.level)}) | privacy_json(e)


def _fault_headline(e: StochasticEvidence) -> Headline:
    """What is wrong with a table, by the fault that is named first."""
    label_of_row = e.table.inputs[e.row] if e.row is not None else ""
    if e.column is not None:
        found = next(f for f in e.faults.negative if (f.row, f.column) == (e.row, e.column))
        place = f"({label(found.row_label)}, {label(found.column_label)})"
        return headline(f"{e.quality}: entry {place} is", found.value, "< 0", what=e.quality)
    row = next(f for f in e.faults.rows if f.index == e.row)
    words = f"{e.quality}: row {label(label_of_row)} sums to"
    total = number(row.total)
    if total.decimal != "1":
        return headline(words, total, ", not 1", what=e.quality)
    beside = "more" if row.excess > 0 else "less"  # its decimal would say that it is 1
    exact = str(row.total) if len(str(row.total)) <= LONGEST_EXACT else "nearly 1"
    near = abs(row.excess)
    off = Shown(near, tuple(f"{size.lstrip('≈= ')} {beside} than 1" for size in number(near).forms[-2:]))
    return headline(words, Shown(row.total, (exact,), total.decimal), ", which is", off, what=e.quality)


def stochastic_headline(verdict: Verdict[StochasticEvidence]) -> Headline:
    """Exact, or rounded or wrong with the sum of a row, or an entry, that shows it."""
    e = verdict.evidence
    if e.row is None:
        return headline("row-stochastic: every row sums to 1, and no entry is negative", what="quality", value="exact")
    return replace(_fault_headline(e), assumed=(*e.faults.looks, f"a fault of at most {bound_text(e.rounding)} counts as rounding"))


def level_headline(verdict: Verdict[PrivacyEvidence]) -> Headline:
    """The tightest level; beside a level that was asked about, what follows for it."""
    e = verdict.evidence
    bounded = LEVEL in e.unfinished
    if e.level is None and bounded:
        by_epsilon = epsilon_first(e.tightest, e.mechanism.by_epsilon)
        least = headline("smallest ε at least", epsilon_of(e.tightest), what="smallest ε")
        return least if by_epsilon else named_level("tightest level at most", level(e.tightest, by_epsilon))
    if e.level is None:
        return found_level(e.tightest, e.mechanism.by_epsilon)
    return level_compared(e.tightest, e.level, verdict, bounded=bounded)


def level_compared(tightest: TightestLevel, wanted: PrivacyLevel, verdict: Verdict[Any], *, bounded: bool = False) -> Headline:
    """The level found, in the notation of the one that was asked about, and what follows for that."""
    by_epsilon = wanted.by_epsilon and has_epsilon(tightest.ratio)
    if by_epsilon and bounded:
        found = epsilon_of(tightest, *wanted.landmarks)
    else:
        found = smallest_epsilon(tightest, *wanted.landmarks) if by_epsilon else level(tightest, False, *wanted.landmarks)
    stated = asked(wanted)
    if by_epsilon and not bounded and "≈" in found.forms[0] and "≈" in stated.forms[0]:
        found, stated = map(equation_of_epsilon, compared_epsilons(tightest, wanted, beside=wanted.landmarks))
    if not by_epsilon and not bounded and len(str(tightest)) > SIMPLE:
        found, stated = _compared_alphas(tightest, wanted, found, stated)
    name = "smallest" if by_epsilon else "tightest level"
    if bounded:
        name += " ε at least" if by_epsilon else " at most"
    follows = {
        Decision.PROVED: ", so private at",
        Decision.REFUTED: ", so not private at",
        Decision.UNDECIDED: "; not decided: is it private at",
    }
    what = "smallest ε" if by_epsilon else "tightest level"
    return named_level(name, found, follows[verdict.decision], stated, what=what)


SIMPLE = 7
"""A level with a longer fraction is compared with another one by decimals."""


def _compared_alphas(tightest: TightestLevel, wanted: PrivacyLevel, found: Shown, stated: Shown) -> tuple[Shown, Shown]:
    """Two levels α with decimals that tell them apart."""
    if tightest.value is None or not isinstance(wanted.alpha, Rational):
        return found, stated
    own, other = compared(tightest.value, wanted.alpha)
    if not own.decimal:
        return found, stated
    near = f"(ε ≈ {found.decimal})"
    alphas = [f"α = {form}" if form[0] not in "=≈" else f"α {form}" for form in own.forms]
    forms = (f"{alphas[0]} {near}", *alphas)
    told = other.forms[0] if len(str(wanted.alpha)) > SIMPLE else str(wanted.alpha)
    return Shown(found.value, forms, found.decimal), Shown(stated.value, (f"α = {told}",), stated.decimal)


EVIDENCE = {
    StochasticEvidence: Told(stochastic_facts, stochastic_json, stochastic_headline),
    PrivacyEvidence: Told(privacy_facts, _asked_json, level_headline),
}
