# SPDX-License-Identifier: MIT
"""Tight-constraints mechanisms, regular priors, the constraint matrix Φ, and leakage."""

from __future__ import annotations

from functools import partial
from typing import Any

from exactdp.analysis.leakage import BoundEvidence, LeakageEvidence
from exactdp.analysis.tight.optimality_on_region import OnRegionEvidence
from exactdp.analysis.tight.regular_priors import RegularEvidence
from exactdp.analysis.tight.tight_levels import SingularEvidence, SolvableLevels, ThresholdEvidence
from exactdp.analysis.tight.tight_mechanism import WRITTEN, TightEvidence, TightUniqueness
from exactdp.analysis.verdict import Verdict
from exactdp.analysis.wording import counted, digits_of, union_text
from exactdp.exact import Rational
from exactdp.exact.balls import log2_enclosure
from exactdp.exact.decimals import fixed_text, nearest_text
from exactdp.report.headline import LONGEST, Headline, Shown, compared, headline, number
from exactdp.report.items import TRUNCATE, Fact, Grid, Item, Told, grid_of, listing, row_grid
from exactdp.report.values import interval_json, mechanism_json, number_json, numbers_json, remap_json, rows_json


def bits_fact(name: str, factor: Any) -> Item:
    """A multiplicative leakage, with its logarithm for people."""
    if not isinstance(factor, Rational):
        return Fact(name, factor)
    return Fact(name, f"{factor} (log2 ≈ {nearest_text(partial(log2_enclosure, factor))})")


def _tight_facts(e: TightEvidence) -> list[Item]:
    items: list[Item] = [Fact("cells of Φ", len(e.cells.members))]
    labels = e.neighbours.vertices
    if e.z is not None:
        items.append(Fact("utility for the uniform prior", e.utility))
        if len(labels) <= TRUNCATE and e.mechanism is not None:  # a large one takes long to write out
            return [*items, grid_of("the mechanism X = Φ·diag(z)", e.mechanism)]
        return [*items, row_grid("its diagonal z, Φ·z = 1", e.z, labels)]
    if e.near is not None:
        about = "its diagonal z, rounded (the certificate shows that the exact one is positive)"
        return [*items, row_grid(about, e.cells.lift(e.near.diagonal), labels)]
    assert e.y is not None
    return [*items, row_grid("y with yΦ ≥ 0 and Σ y < 0", e.y, labels)]


def _tight_json(e: TightEvidence) -> dict[str, Any]:
    if e.near is not None and e.z is None:
        return {"rounded_diagonal": numbers_json(e.cells.lift(e.near.diagonal))}
    if e.z is None:
        assert e.y is not None
        return {"farkas": numbers_json(e.y)}
    found: dict[str, Any] = {"value": number_json(e.utility), "diagonal": numbers_json(e.z)}
    small = e.mechanism if len(e.z) <= WRITTEN else None
    return found if small is None else found | {"mechanism": mechanism_json(small)}


def _unique_facts(e: TightUniqueness) -> list[Item]:
    items = _tight_facts(e.first)
    return items if e.second is None else [*items, row_grid("the diagonal of another one", e.second, e.first.neighbours.vertices)]


def _unique_json(e: TightUniqueness) -> dict[str, Any]:
    return _tight_json(e.first) | ({} if e.second is None else {"second": numbers_json(e.second)})


def _regular_facts(e: RegularEvidence) -> list[Item]:
    labels = e.prior.inputs
    if e.y is None or e.coordinates is None:
        assert e.farkas is not None
        return [row_grid("w with Φ·w ≥ 0 and Σ π·w < 0", e.cells.lift(e.farkas), labels)]
    grids: list[Item] = [row_grid("y with π = y·Φ", e.y, labels), row_grid("γ: coordinates among the corner priors", e.coordinates, labels)]
    return [Fact("largest utility at most (Σ y)", e.bound), bits_fact("leakage at most (factor)", e.bound / max(e.prior.weights)), *grids]


def _regular_json(e: RegularEvidence) -> dict[str, Any]:
    if e.y is None or e.coordinates is None:
        assert e.farkas is not None
        return {"farkas": numbers_json(e.cells.lift(e.farkas))}
    return {"value": number_json(e.bound), "weights": numbers_json(e.y), "coordinates": numbers_json(e.coordinates)}


def _levels_facts(e: SolvableLevels) -> list[Item]:
    items: list[Item] = [Fact("cells of Φ", len(e.cells.members)), Fact("determinant of the quotient of Φ", e.determinant)]
    digits = digits_of(e.intervals)
    items += listing("levels", (interval.text(digits) for interval in e.intervals), len(e.intervals), few=50)
    name = "z" if e.prior is None else "y"
    places = digits_of(part for part, _ in e.pieces)
    lines = [
        f"{part.text(places)}: {name if holds else 'Farkas'} on cells = ({', '.join(map(str, witness))})"
        for part, (holds, witness) in e.pieces
    ]
    return items + listing("witnesses", lines, len(lines), few=20)


def _levels_json(e: SolvableLevels) -> dict[str, Any]:
    key = "diagonal" if e.prior is None else "weights"
    pieces = [
        {"interval": interval_json(part), "value": holds, key if holds else "farkas": numbers_json(e.cells.lift(witness))}
        for part, (holds, witness) in e.pieces
    ]
    return {"pieces": pieces, "levels": [interval_json(part) for part in e.intervals], "determinant": number_json(e.determinant)}


def _leakage_facts(e: LeakageEvidence) -> list[Item]:
    return [Fact("prior vulnerability", e.before), Fact("posterior vulnerability", e.after), bits_fact("leakage (factor)", e.factor)]


def _leakage_json(e: LeakageEvidence) -> dict[str, Any]:
    return {"value": number_json(e.factor)}


def _bound_facts(e: BoundEvidence) -> list[Item]:
    return [bits_fact("leakage at most (factor)", e.value) if e.of == "leakage" else Fact("utility at most", e.value)]


def _bound_json(e: BoundEvidence) -> dict[str, Any]:
    return {"value": number_json(e.value)}


def _on_region_facts(e: OnRegionEvidence) -> list[Item]:
    if e.remap is not None:
        return [grid_of("R, with M·R a tight-constraints mechanism", e.remap)]
    if e.better is None or e.utilities is None or e.weights is None:
        return []
    facts: list[Item] = [Fact("its utility", e.utilities[0]), Fact("utility of the better one", e.utilities[1])]
    return [*facts, row_grid("y of the prior π = y·Φ", e.weights, e.neighbours.vertices), grid_of("a better mechanism", e.better)]


def _on_region_json(e: OnRegionEvidence) -> dict[str, Any]:
    if e.remap is not None:
        return {"remap": remap_json(e.remap)}
    if e.better is None or e.utilities is None or e.weights is None:
        return {}
    utilities = {"loss": number_json(e.utilities[0]), "value": number_json(e.utilities[1])}
    return {**utilities, "weights": numbers_json(e.weights), "mechanism": mechanism_json(e.better)}


def _threshold_facts(e: ThresholdEvidence) -> list[Item]:
    low, high = e.low.level.alpha, e.high.level.alpha
    digits = len(str((high - low).denominator)) - 1  # they are 10^−digits apart
    return [Fact("there is one at level", fixed_text(low, digits)), Fact("there is none at level", fixed_text(high, digits))]


def _threshold_json(e: ThresholdEvidence) -> dict[str, Any]:
    return {"between": [number_json(e.low.level.alpha), number_json(e.high.level.alpha)]}


def _singular_facts(e: SingularEvidence) -> list[Item]:
    items: list[Item] = [Fact("determinant of Φ", e.determinant)]
    if e.null_vector is not None:
        return [*items, row_grid("v ≠ 0 with Φ·v = 0", e.null_vector, e.neighbours.vertices)]
    assert e.inverse is not None
    labels = e.neighbours.vertices
    return [*items, Grid("inverse of Φ", e.inverse, labels, labels)]


def _singular_json(e: SingularEvidence) -> dict[str, Any]:
    if e.null_vector is not None:
        return {"value": number_json(e.determinant), "null_vector": numbers_json(e.null_vector)}
    assert e.inverse is not None
    return {"value": number_json(e.determinant), "inverse": rows_json(e.inverse)}


def _tight_headline(verdict: Verdict[TightEvidence]) -> Headline:
    """Whether there is a tight-constraints mechanism, and its utility."""
    e = verdict.evidence
    if verdict.refuted:
        return headline("no tight-constraints mechanism", what="tight-constraints mechanism", value="none")
    exists = "one" if verdict.proved else "not decided; there is one"
    if e.z is None:
        there = "a tight-constraints mechanism exists" if verdict.proved else f"{exists}: a tight-constraints mechanism"
        return headline(there, what="tight-constraints mechanism")
    there = "a tight-constraints mechanism exists; its utility for the uniform prior is"
    there = there if verdict.proved else "not decided; one tight-constraints mechanism has the utility"
    return headline(there, number(e.utility), what="utility")


def _unique_headline(verdict: Verdict[TightUniqueness]) -> Headline:
    many = "exactly one" if verdict.proved else "more than one"
    at = (verdict.evidence.first.level.text,)
    return headline(f"{many} tight-constraints mechanism", what="tight-constraints mechanisms", value=many, assumed=at)


def _regular_headline(verdict: Verdict[RegularEvidence]) -> Headline:
    e = verdict.evidence
    if verdict.proved:
        return headline("regular prior: every utility is at most", number(e.bound), what="largest utility at most")
    assert e.separation is not None
    told = "not a regular prior: Σ π·w =", number(e.separation), ", for regular ones at least 0"
    return headline(*told, what="regular prior", value="not regular")


def _levels_headline(verdict: Verdict[SolvableLevels]) -> Headline:
    """At which levels there is one."""
    e = verdict.evidence
    what = "tight-constraints mechanism" if e.prior is None else "regular prior"
    if not e.intervals:
        return headline(f"{what} at no level", what=what, value="none")
    if e.always:
        return headline(f"{what} at every level in (0, 1)", what=what, value="(0, 1)")
    where = union_text(e.intervals)
    if len(where) > LONGEST - len(what) - 16:
        return headline(f"{what} only on {counted(len(e.intervals), 'part')} of the levels", what=what, value=where)
    return headline(f"{what} exactly for a in {where}", what=what, value=where)


def _leakage_headline(verdict: Verdict[LeakageEvidence]) -> Headline:
    return headline("min-entropy leakage: factor", number(verdict.evidence.factor), what="leakage")


def _bound_headline(verdict: Verdict[BoundEvidence]) -> Headline:
    e = verdict.evidence
    what = "leakage of every private mechanism at most: factor" if e.of == "leakage" else "utility of every private mechanism at most"
    whom = "every prior" if e.prior is None else f"prior {e.prior}"
    return headline(what, number(e.value), what=f"{e.of} at most", assumed=(whom,) if e.prior is None else ())


def _on_region_headline(verdict: Verdict[OnRegionEvidence]) -> Headline:
    e = verdict.evidence
    if verdict.proved:
        return headline("optimal for every regular prior", what="optimal", value="optimal")
    if e.utilities is None:
        return headline("not decided: is it optimal for every regular prior?", what="optimal")
    own, better = compared(*e.utilities)
    return headline("not optimal for some regular prior: utility", own, ", a private one has", better, what="utility")


def _threshold_headline(verdict: Verdict[ThresholdEvidence]) -> Headline:
    e = verdict.evidence
    low, high = e.low.level.alpha, e.high.level.alpha
    digits = len(str((high - low).denominator)) - 1
    ends = (Shown(x, (fixed_text(x, digits), fixed_text(x, 12))) for x in (low, high))
    first, second = ends
    return headline("tight-constraints mechanism at α =", first, ", none at α =", second, what="threshold", value=None)


def _singular_headline(verdict: Verdict[SingularEvidence]) -> Headline:
    return headline("singular: det Φ =" if verdict.proved else "not singular: det Φ =", number(verdict.evidence.determinant), what="det Φ")


EVIDENCE = {
    TightEvidence: Told(_tight_facts, _tight_json, _tight_headline),
    TightUniqueness: Told(_unique_facts, _unique_json, _unique_headline),
    ThresholdEvidence: Told(_threshold_facts, _threshold_json, _threshold_headline),
    RegularEvidence: Told(_regular_facts, _regular_json, _regular_headline),
    SolvableLevels: Told(_levels_facts, _levels_json, _levels_headline),
    LeakageEvidence: Told(_leakage_facts, _leakage_json, _leakage_headline),
    BoundEvidence: Told(_bound_facts, _bound_json, _bound_headline),
    OnRegionEvidence: Told(_on_region_facts, _on_region_json, _on_region_headline),
    SingularEvidence: Told(_singular_facts, _singular_json, _singular_headline),
}
