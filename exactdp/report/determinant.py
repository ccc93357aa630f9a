# SPDX-License-Identifier: MIT
"""Determinants as functions of the level, and formulas compared with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from exactdp.analysis.determinant import DeterminantEvidence
from exactdp.analysis.verdict import Verdict
from exactdp.exact import AlgebraicNumber
from exactdp.exact.region_functions import place
from exactdp.report.headline import LONGEST, Headline, Shown, headline, number
from exactdp.report.items import Fact, Item, Told, listing
from exactdp.report.values import number_json

if TYPE_CHECKING:  # whoever asks about numbers needs no letters
    from exactdp.analysis.letters.determinants import DeterminantOnRegion


def _determinant_facts(e: DeterminantEvidence) -> list[Item]:
    items: list[Item] = [Fact("determinant", str(e.determinant))]
    if e.published is not None:
        same = "the same" if e.published_agrees else f"NOT the same: {e.published}"
        items.append(Fact("published closed form", f"{e.source}: {same}"))
    if e.formula is not None:
        items.append(Fact("formula in lowest terms", str(e.formula)))
    items += difference_facts(e)
    lines = [f"{zero.divisor} is zero {'for some x' if zero.level is None else f'at a = {zero.level}'}" for zero in e.undefined]
    return items + listing("not defined where", lines, len(lines))


def difference_facts(e: DeterminantEvidence | DeterminantOnRegion) -> list[Item]:
    """Where a formula differs from the determinant."""
    if e.difference is None:
        return []
    items: list[Item] = [] if e.quotient is None else [Fact("formula / determinant", str(e.quotient))]
    items.append(Fact("they differ at", place(e.difference.point)))
    return [*items, Fact("determinant there", e.difference.determinant), Fact("formula there", e.difference.formula)]


def formula_json(e: DeterminantEvidence | DeterminantOnRegion) -> dict[str, Any]:
    """The formula, if one was given, and where it differs from the determinant."""
    found: dict[str, Any] = {}
    if e.formula is not None:
        found = {"formula": str(e.formula), "quotient": None if e.quotient is None else str(e.quotient)}
    if e.difference is not None:
        point = {name: str(x) for name, x in e.difference.point.items()}
        found["difference"] = {"point": point, "determinant": str(e.difference.determinant), "formula": str(e.difference.formula)}
    return found


def _determinant_json(e: DeterminantEvidence) -> dict[str, Any]:
    found: dict[str, Any] = {"value": number_json(e.determinant), "column": e.column}
    if e.published is not None:
        found["published"] = {"source": e.source, "value": str(e.published), "agrees": e.published_agrees}
    found |= formula_json(e)
    found["undefined"] = [{"divisor": zero.divisor, "at": _point_json(zero.level)} for zero in e.undefined]
    return found


def _point_json(x: Any) -> Any:
    if isinstance(x, AlgebraicNumber):
        return x.to_json()
    return None if x is None else str(x)


def determinant_headline(verdict: Verdict[DeterminantEvidence | DeterminantOnRegion]) -> Headline:
    """The determinant; if another formula was given, that it is not this."""
    e = verdict.evidence
    told = number(e.determinant)
    title = e.title
    if len(f"{title} = {told.forms[0]}") > LONGEST:
        title = title.replace(" with column ", " (column ").replace(" replaced by x", " is x)")
    agrees = "the formula given" if e.formula is not None else ""
    given = "not the formula given" if verdict.refuted else agrees
    follows = Shown(None, (f", {given}", "") if given else ("",))
    return headline(f"{title} =", told, follows, what="determinant")


EVIDENCE = {DeterminantEvidence: Told(_determinant_facts, _determinant_json, determinant_headline)}
