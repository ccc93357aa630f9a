# SPDX-License-Identifier: MIT
"""Optimal mechanisms and remaps, whether there are others, and gaps."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import exactdp.analysis as found_by
from exactdp.analysis.verdict import Decision, Verdict
from exactdp.analysis.wording import counted
from exactdp.display import LARGEST
from exactdp.errors import printable
from exactdp.exact import ExactMatrix, is_zero
from exactdp.exact.region_functions import place
from exactdp.model import BayesianConsumer, Consumer, Dual, FactoredMechanism, PrivacyLevel, Remap
from exactdp.model.measure import LOSS, Measure
from exactdp.report.headline import AS_CLAIMED, Headline, Shown, at_of, claimed_of, compared, headline, number, point_of
from exactdp.report.items import LARGEST_PRODUCT, Fact, Grid, Item, Listing, Told, grid_of, row_grid
from exactdp.report.values import mechanism_json, number_json, numbers_json, remap_json

if TYPE_CHECKING:  # whoever has found one kind of evidence needs no module of the others
    from exactdp.analysis.optimality.law_optimum import LawOptimum
    from exactdp.analysis.optimality.mechanism_optimality import (
        DualEvidence,
        GapEvidence,
        OptimalityAfterRemapEvidence,
        OptimalityAtPoint,
        OptimalityEvidence,
    )
    from exactdp.analysis.optimality.optimum import OptimumAtPoint, OptimumEvidence
    from exactdp.analysis.optimality.remap_optimality import GivenRemapEvidence, RemapEvidence
    from exactdp.analysis.optimality.uniqueness import RemapUniqueness, Uniqueness
    from exactdp.analysis.privacy import PrivacyEvidence


LONGEST_REMAP = 240
"""A remap that takes more characters is not told in a line."""


def optimum_facts(e: OptimumEvidence) -> list[Item]:
    """The optimum, a mechanism that attains it, and the dual."""
    return [*_value_facts(e), *_found_facts(e), *_dual_facts(e.dual, e.consumer, attained=e.bounds is None)]


def optimality_facts(e: OptimalityEvidence) -> list[Item]:
    """The optimum, the loss, the gap and the privacy of a mechanism, and a better one if there is one."""
    measure = e.consumer.measure
    items = [*_value_facts(e), Fact(measure.word, measure.of(e.loss)), *_gap_fact(e.gap), *_privacy_facts(e.privacy)]
    return items + _found_facts(e, shown=e.gap != 0) + _dual_facts(e.dual, e.consumer, attained=e.bounds is None)


def after_remap_facts(e: OptimalityAfterRemapEvidence) -> list[Item]:
    """The same after the best remap, with that remap."""
    items, quality = _value_facts(e), "best remap" if e.remap.bounds is None else "best known remap"
    measure = e.consumer.measure
    after = f"{measure.word} after the best remap"
    if e.remap.bounds is None:
        items.append(Fact(after, measure.of(e.loss)))
    else:
        lower, upper = e.remap.bounds
        items += [Fact(f"{after} at least", lower), Fact(f"{after} at most", upper)]
    remap = grid_of(f"{quality} of the mechanism ({_kind(e.remap.remap.is_deterministic())})", e.remap.remap)
    dual = _dual_facts(e.dual, e.consumer, attained=e.bounds is None)
    return [*items, *_gap_fact(e.gap), *_privacy_facts(e.privacy), remap, *_found_facts(e), *dual]


def dual_facts(e: DualEvidence) -> list[Item]:
    """The bound; the loss, the gap and the privacy of the mechanism; the condition that the dual breaks."""
    measure = e.consumer.measure
    attained = e.attained
    title = "optimum" if attained else f"no {measure.word} {measure.below}"
    items: list[Item] = [] if e.value is None else [Fact(title, e.value)]
    items += [] if e.loss is None else [Fact(measure.word, measure.of(e.loss))]
    items += _gap_fact(e.gap) if attained or e.gap is None else [Fact("gap at most", e.gap)]
    items += _privacy_facts(e.privacy)
    items += [] if e.fault is None else [Fact("condition broken by the dual", str(e.fault))]
    return items + _dual_facts(e.dual, e.consumer, attained=attained)


def _optimum_at_point(e: OptimumAtPoint) -> list[Item]:
    return [Fact("at the point", place(e.point)), *optimum_facts(e)]


def _optimality_at_point(e: OptimalityAtPoint) -> list[Item]:
    return [Fact("at the point", place(e.point)), *optimality_facts(e)]


def _point_json(e: OptimumAtPoint | OptimalityAtPoint) -> dict[str, Any]:
    found = optimality_json(e) if isinstance(e, found_by.OptimalityAtPoint) else optimum_json(e)
    parts = e.parts if isinstance(e, found_by.OptimumAtPoint) else ()
    told = [{"scope": str(part.scope), "value": number_json(part.evidence.value)} for part in parts]
    return {"point": {name: str(x) for name, x in e.point.items()}, **({"parts": told} if told else {}), **found}


def _value_facts(e: OptimumEvidence) -> list[Item]:
    if e.bounds is None:
        return [Fact("optimum", e.value)]
    lower, upper = e.bounds
    return [Fact("optimum at least", lower), Fact("optimum at most", upper)]


def _gap_fact(gap: Any) -> list[Item]:
    return [] if gap is None else [Fact("gap", gap)]


def _privacy_facts(e: PrivacyEvidence | None) -> list[Item]:
    if e is None:
        return []
    from exactdp.report.privacy import privacy_facts

    items = privacy_facts(e)
    return [item for item in items if not (isinstance(item, Listing) and item.title == "tight")]


def _privacy_json(e: PrivacyEvidence | None) -> dict[str, Any]:
    if e is None:
        return {}
    from exactdp.report.privacy import privacy_json

    return privacy_json(e)


def _found_facts(e: OptimumEvidence, *, shown: bool = True) -> list[Item]:
    """The optimal mechanism; unless ``shown`` only in words where it is large."""
    title = "an optimal mechanism" if e.bounds is None else "the best mechanism found"
    if isinstance(e.found, FactoredMechanism) and len(e.found.inputs) > LARGEST_PRODUCT:
        return [_factored(title, e.found, e.level)]
    return [grid_of(title, e.best)] if shown else []


def optimum_json(e: OptimumEvidence) -> dict[str, Any]:
    """The optimum, a mechanism that attains it, and the dual."""
    return _value_json(e) | _found_json(e) | {"dual": _dual_json(e.dual)}


def optimality_json(e: OptimalityEvidence) -> dict[str, Any]:
    """The optimum, the loss, the gap, the privacy, the mechanism that attains the optimum, and the dual."""
    found = _value_json(e) | loss_json(e)
    found |= _privacy_json(e.privacy)
    found |= _found_json(e)
    if isinstance(e, found_by.OptimalityAfterRemapEvidence):
        found["remap"] = remap_json(e.remap.remap)
    return found | {"dual": _dual_json(e.dual)}


def dual_json(e: DualEvidence) -> dict[str, Any]:
    """The bound, the loss, the gap, the privacy, the dual, and the condition that it breaks."""
    measure = e.consumer.measure
    attained = e.attained
    loss = None if e.loss is None else number_json(measure.of(e.loss))
    found = stated_json(measure, e.value if attained else None) | {measure.word: loss}
    if not attained:
        found |= {"bound": None if e.value is None else number_json(e.value)}
    found |= {"gap" if attained else "gap_at_most": None if e.gap is None else number_json(e.gap)}
    found |= _privacy_json(e.privacy) | {"dual": _dual_json(e.dual)}
    return found if e.fault is None else found | {"fault": str(e.fault)}


def _value_json(e: OptimumEvidence) -> dict[str, Any]:
    measure = e.consumer.measure
    value = stated_json(measure, e.value)
    return value if e.bounds is None else value | {"bounds": numbers_json(e.bounds)}


def stated_json(measure: Measure, value: Any) -> dict[str, Any]:
    """The optimum, in the gain's own numbers (which ``measure`` says) where a gain was given."""
    stated = {"value": None if value is None else number_json(value)}
    return stated if measure == LOSS else {"measure": measure.word, **stated}


def _found_json(e: OptimumEvidence) -> dict[str, Any]:
    """The mechanism, and its remap if it is one of the geometric mechanism; no large ones."""
    if not isinstance(e.found, FactoredMechanism):
        return {"mechanism": mechanism_json(e.found)}
    if len(e.found.inputs) > LARGEST_PRODUCT:
        return {"mechanism": None}
    return {"mechanism": mechanism_json(e.best), "remap": remap_json(e.found.remap())}


def loss_json(e: OptimalityEvidence) -> dict[str, Any]:
    """The loss of a mechanism, or bounds of its loss after a remap, and the gap."""
    measure = e.consumer.measure
    word = measure.word
    found = {word: number_json(measure.of(e.loss)), "gap": None if e.gap is None else number_json(e.gap)}
    bounds = e.loss_bounds
    return found if bounds is None else {**found, word: None, f"{word}_bounds": numbers_json(measure.between(bounds))}


def remap_facts(e: RemapEvidence) -> list[Item]:
    """The least loss of a remap, and a remap that has it."""
    measure = e.consumer.measure
    if e.bounds is not None:
        lower, upper = e.bounds
        items: list[Item] = [Fact(f"{measure.best} after a remap at least", lower), Fact("at most", upper)]
        return [*items, grid_of("the best remap found", e.remap), *_weights(e.weights, e.consumer, attained=False)]
    best = grid_of(f"best remap ({_kind(e.remap.is_deterministic())})", e.remap)
    return [Fact(f"{measure.best} after a remap", e.value), best, *_weights(e.weights, e.consumer)]


def given_remap_facts(e: GivenRemapEvidence) -> list[Item]:
    """The least loss of a remap, the given one's loss and gap, and a better remap if there is one."""
    measure = e.consumer.measure
    items = [Fact(f"{measure.best} after a remap", e.value), Fact(f"{measure.word} of the given remap", measure.of(e.loss))]
    items.append(Fact("gap", e.gap))
    best = [grid_of(f"best remap ({_kind(e.remap.is_deterministic())})", e.remap)] if e.gap else []
    return [*items, *best, *_weights(e.weights, e.consumer)]


def best_remap_json(e: RemapEvidence) -> dict[str, Any]:
    """The least loss of a remap, and a remap that has it."""
    measure = e.consumer.measure
    found = stated_json(measure, e.value) | {"remap": remap_json(e.remap), "deterministic": e.remap.is_deterministic()}
    if e.bounds is not None:
        found["bounds"] = numbers_json(e.bounds)
    if isinstance(e, found_by.GivenRemapEvidence):
        found |= {measure.word: number_json(measure.of(e.loss)), "gap": number_json(e.gap)}
    return found | _weights_json(e.weights, e.consumer)


def _uniqueness_facts(e: Uniqueness) -> list[Item]:
    value = e.value
    items: list[Item] = [Fact("optimum", value), grid_of("an optimal mechanism" if e.second else "the optimal mechanism", e.first)]
    return items + ([] if e.second is None else [grid_of("another one", e.second)])


def _uniqueness_json(e: Uniqueness) -> dict[str, Any]:
    second = {} if e.second is None else {"second": mechanism_json(e.second)}
    stated = stated_json(e.consumer.measure, e.value)
    return {**stated, "mechanism": mechanism_json(e.first), **second, "dual": _dual_json(e.dual)}


def _remap_uniqueness_facts(e: RemapUniqueness) -> list[Item]:
    kind, measure = _kind(e.first.is_deterministic()), e.consumer.measure
    items: list[Item] = [
        Fact(f"{measure.best} after a remap", e.value),
        grid_of(f"{'a' if e.second else 'the'} best remap ({kind})", e.first),
    ]
    if e.second is not None:
        items.append(grid_of(f"another one ({_kind(e.second.is_deterministic())})", e.second))
    return items + _weights(e.weights, e.consumer)


def _remap_uniqueness_json(e: RemapUniqueness) -> dict[str, Any]:
    second = {} if e.second is None else {"second": remap_json(e.second)}
    found = {"remap": remap_json(e.first), "deterministic": e.first.is_deterministic(), **second}
    found = stated_json(e.consumer.measure, e.value) | found
    return found | _weights_json(e.weights, e.consumer)


def _dual_facts(dual: Dual, consumer: Consumer, *, attained: bool) -> list[Item]:
    items = _weights(dual.weights, consumer, attained=attained)
    if dual.potentials is not None:
        measure = consumer.measure
        name = f"dual potentials {'μ' if measure == LOSS else '−μ'} (their sum is the bound)"
        items.append(row_grid(name, tuple(map(measure.of, dual.potentials)), consumer.inputs))
    return items


def _weights(weights: tuple[Any, ...], consumer: Consumer, *, attained: bool = True) -> list[Item]:
    """The prior of a bound; least favourable if the bound is ``attained``, and so the largest one."""
    if isinstance(consumer, BayesianConsumer):
        return []
    title = "least favourable prior" if attained else "prior of the bound, not shown to be least favourable"
    return [row_grid(title, weights, consumer.inputs)]


def _factored(name: str, found: FactoredMechanism, level: PrivacyLevel) -> Item:
    """A mechanism that is too large to be written out, in words."""
    how = _kind(found.is_deterministic)
    return Fact(name, f"G({len(found.inputs) - 1}, {level})·T, T {how} and sparse: see the certificate (-o)")


def _kind(deterministic: bool) -> str:
    return "deterministic" if deterministic else "randomised"


def _dual_json(dual: Dual) -> dict[str, Any]:
    found: dict[str, Any] = {"rule": dual.rule, "weights": numbers_json(dual.weights)}
    if dual.potentials is not None:
        found["potentials"] = numbers_json(dual.potentials)
    if dual.edges is not None:
        found["edges"] = [numbers_json(row) for row in dual.edges]
    return found


def _weights_json(weights: tuple[Any, ...], consumer: Consumer) -> dict[str, Any]:
    return {} if isinstance(consumer, BayesianConsumer) else {"dual": {"weights": numbers_json(weights)}}


def _gap_facts(e: GapEvidence) -> list[Item]:
    measure = e.consumer.measure
    items: list[Item] = [Fact(measure.word, measure.of(e.loss)), Fact("gap at least", e.least), Fact("gap at most", e.most)]
    title = "a mechanism that is better by the lower bound"
    if e.least:
        items.append(_factored(title, e.found, e.level) if isinstance(e.found, FactoredMechanism) else grid_of(title, e.found))
    return items + _dual_facts(e.dual, e.consumer, attained=e.least == e.most)


def _gap_json(e: GapEvidence) -> dict[str, Any]:
    gap = number_json(e.least) if e.least == e.most else None
    measure = e.consumer.measure
    found: dict[str, Any] = {} if measure == LOSS else {"measure": measure.word}
    found |= {measure.word: number_json(measure.of(e.loss)), "gap": gap, "gap_bounds": numbers_json([e.least, e.most])}
    better = {"remap": remap_json(e.found.remap())} if isinstance(e.found, FactoredMechanism) else {"mechanism": mechanism_json(e.found)}
    return found | better | {"dual": _dual_json(e.dual)}


def _at(verdict: Verdict[Any]) -> str:
    """The point of the letters that the numbers belong to, before a headline; empty without one."""
    point = getattr(verdict.evidence, "point", None)
    told = f"at {point_of(point)}" if point is not None else at_of(verdict)
    return f"{told}: " if told else ""


def optimum_headline(verdict: Verdict[OptimumEvidence]) -> Headline:
    """The optimum, or what it lies between; beside a claimed value, that it is not this."""
    e = verdict.evidence
    best, at = e.consumer.measure.best, _at(verdict)
    if e.bounds is not None:
        lower, upper = compared(*e.bounds)
        return headline(f"{at}{best} between", lower, "and", upper, what=best, value=None)
    if verdict.refuted:
        claimed = claimed_of(verdict)
        shown = number(claimed).forms if claimed else ()
        wrong = Shown(claimed, (*shown, "the claimed value")) if claimed else Shown("", ("the claimed value",))
        return headline(f"{at}{best}", e.value, ", not", wrong, what=best)
    if verdict.proved:
        return headline(f"{at}{best}", e.value, *([AS_CLAIMED] if claimed_of(verdict) else []), what=best)
    return headline(f"not decided for all letters; {at}{best}", e.value, what=best, value=None)


def optimality_headline(verdict: Verdict[OptimalityEvidence]) -> Headline:
    """The loss beside the optimum, and whether they are the same; of what is not private, its level."""
    e = verdict.evidence
    measure, at = e.consumer.measure, _at(verdict)
    after = " after the best remap" if isinstance(e, found_by.OptimalityAfterRemapEvidence) else ""
    if verdict.refuted and e.privacy is not None and e.privacy.violated:
        from exactdp.report.privacy import level_compared

        told = level_compared(e.privacy.tightest, e.level, verdict, bounded="the tightest level" in e.privacy.unfinished)
        return headline(at + told.text, what=told.what, value=told.value) if at else told
    if e.gap is None:
        own = e.loss_bounds
        lower, upper = (e.value, e.value) if e.bounds is None else e.bounds
        low, high = (measure.of(e.loss),) * 2 if own is None else measure.between(own)
        numbers = compared(lower, upper, low, high)
        optimum = [numbers[0]] if e.bounds is None else [numbers[0], "to", numbers[1]]
        reached = [numbers[2]] if own is None else [numbers[2], "to", numbers[3]]
        words = f"not decided{after}: {measure.word}"
        return headline(words, *reached, f", {measure.extreme}", *optimum, what="gap", value=None)
    if verdict.proved:
        return headline(f"optimal{after}: {measure.word}", measure.of(e.loss), f"is the {measure.extreme}", what=measure.best)
    loss, best, gap = compared(measure.of(e.loss), e.value, e.gap)
    if verdict.refuted:
        words = f"{at}not optimal{after}: gap"
        return headline(words, gap, f", {measure.word}", loss, f", {measure.extreme}", best, what="gap")
    return headline(f"not decided for all letters; {at}gap{after}", gap, what="gap", value=None)


def dual_headline(verdict: Verdict[DualEvidence]) -> Headline:
    """The bound that a dual proves, and the loss beside it."""
    e = verdict.evidence
    measure = e.consumer.measure
    if verdict.proved:
        return headline(f"optimal: {measure.word}", e.value, f"is the {measure.extreme}", what=measure.best)
    if verdict.refuted and e.privacy is not None:
        from exactdp.report.privacy import level_compared

        return level_compared(e.privacy.tightest, e.level, verdict, bounded="the tightest level" in e.privacy.unfinished)
    if e.value is None or e.loss is None or e.gap is None:
        return headline("not decided: the dual proves no bound", what="bound", value=None)
    bound, loss, gap = compared(e.value, measure.of(e.loss), e.gap)
    relation = "at least" if measure == LOSS else "at most"
    return headline(f"every {measure.word} is {relation}", bound, ", this one is", loss, ", gap at most", gap, what="bound")


def remap_headline(verdict: Verdict[RemapEvidence]) -> Headline:
    """The optimum of all remaps, or what it lies between."""
    e = verdict.evidence
    best = e.consumer.measure.best
    alone = (("remap", remap_text(e.remap)),)
    if e.bounds is not None:
        lower, upper = compared(*e.bounds)
        return replace(headline(f"{best} after a remap between", lower, "and", upper, what=best, value=None), alone=alone)
    return replace(headline(f"{best} after a remap:", e.value, what=f"{best} after a remap"), alone=alone)


def remap_text(remap: Remap) -> str:
    """A remap in a line: of each output the guess, or guesses with their weights; its size where it is long.

    >>> from exactdp.model import Remap
    >>> remap_text(Remap([[1, 0], ["1/2", "1/2"]], ["a", "b"])), remap_text(Remap([[1]] * 400))
    ('a → 0; b → 0 (1/2) or 1 (1/2)', '400 outputs to 1 guess: .evidence.remap')
    """
    outputs, size = remap.outputs, len(remap.outputs)
    told = []
    for output, row in zip(outputs, remap.matrix.rows(), strict=True) if size <= LARGEST else ():
        drawn = [(printable(str(guess)), x) for guess, x in zip(remap.guesses, row, strict=True) if not is_zero(x)]
        chosen = drawn[0][0] if len(drawn) == 1 else " or ".join(f"{guess} ({x})" for guess, x in drawn)
        told.append(f"{printable(str(output))} → {chosen}")
    text = "; ".join(told)
    if told and len(text) <= LONGEST_REMAP:
        return text
    return f"{counted(size, 'output')} to {counted(len(remap.guesses), 'guess', 'guesses')}: .evidence.remap"


def given_remap_headline(verdict: Verdict[GivenRemapEvidence]) -> Headline:
    """The gap of a remap that was given."""
    e = verdict.evidence
    measure = e.consumer.measure
    if verdict.proved:
        return headline(f"optimal: {measure.word}", e.value, f"is the {measure.extreme} after a remap", what=measure.best)
    gap, loss, best = compared(e.gap, measure.of(e.loss), e.value)
    return headline("not the best remap: gap", gap, f", {measure.word}", loss, f", {measure.extreme}", best, what="gap")


def unique_headline(verdict: Verdict[Uniqueness | RemapUniqueness]) -> Headline:
    """Whether there is another optimum, and its value."""
    e = verdict.evidence
    what = "best remap" if isinstance(e, found_by.RemapUniqueness) else "optimal mechanism"
    word = e.consumer.measure.word
    said = {
        Decision.PROVED: f"unique {what}: {word}",
        Decision.REFUTED: f"more than one {what}: {word}",
        Decision.UNDECIDED: f"not decided whether there is another {what}: {word}",
    }
    return headline(said[verdict.decision], e.value, what=word)


def gap_headline(verdict: Verdict[GapEvidence]) -> Headline:
    """The gap, or what it lies between."""
    e = verdict.evidence
    if e.least == e.most:
        return headline("gap", e.most)
    least, most = compared(e.least, e.most)
    return headline("gap between", least, "and", most, what="gap", value=None)


def _law_facts(e: LawOptimum) -> list[Item]:
    """The optimum, and the probabilities of an optimal mechanism by the distance of input and guess."""
    law = list(e.law())
    rows = tuple(str(d) for d, _, _ in law)
    entries = ExactMatrix([[count, share] for _, count, share in law])
    title = "an optimal mechanism, by the distance of the guess from the input"
    prior = [] if isinstance(e.consumer, BayesianConsumer) else [Fact("least favourable prior", "uniform")]
    return [Fact("optimum", e.value), *prior, Grid(title, entries, rows, ("guesses", "probability of each"))]


def _law_json(e: LawOptimum) -> dict[str, Any]:
    law = [{"distance": d, "guesses": str(count), "probability": number_json(share)} for d, count, share in e.law()]
    table = mechanism_json(e.best) if e.graph.inputs <= LARGEST_PRODUCT else None
    return {"value": number_json(e.value), "by_law": e.word, "law": law, "mechanism": table}


def _law_headline(verdict: Verdict[LawOptimum]) -> Headline:
    return headline("least loss", verdict.evidence.value)


_HOME = "exactdp.analysis.optimality"

EVIDENCE = {
    f"{_HOME}.law_optimum.LawOptimum": Told(_law_facts, _law_json, _law_headline),
    f"{_HOME}.optimum.OptimumEvidence": Told(optimum_facts, optimum_json, optimum_headline),
    f"{_HOME}.optimum.OptimumAtPoint": Told(_optimum_at_point, _point_json, optimum_headline),
    f"{_HOME}.mechanism_optimality.OptimalityEvidence": Told(optimality_facts, optimality_json, optimality_headline),
    f"{_HOME}.mechanism_optimality.OptimalityAtPoint": Told(_optimality_at_point, _point_json, optimality_headline),
    f"{_HOME}.mechanism_optimality.OptimalityAfterRemapEvidence": Told(after_remap_facts, optimality_json, optimality_headline),
    f"{_HOME}.mechanism_optimality.DualEvidence": Told(dual_facts, dual_json, dual_headline),
    f"{_HOME}.remap_optimality.RemapEvidence": Told(remap_facts, best_remap_json, remap_headline),
    f"{_HOME}.remap_optimality.GivenRemapEvidence": Told(given_remap_facts, best_remap_json, given_remap_headline),
    f"{_HOME}.uniqueness.Uniqueness": Told(_uniqueness_facts, _uniqueness_json, unique_headline),
    f"{_HOME}.uniqueness.RemapUniqueness": Told(_remap_uniqueness_facts, _remap_uniqueness_json, unique_headline),
    f"{_HOME}.mechanism_optimality.GapEvidence": Told(_gap_facts, _gap_json, gap_headline),
}
