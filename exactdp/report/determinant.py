# SPDX-License-Identifier: MIT
"""Determinants as functions of the level, and formulas compared with them."""

from __future__ import annotations

from typing import Any

from exactdp.analysis.determinant import DeterminantEvidence
from exactdp.exact import AlgebraicNumber
from exactdp.report.items import Fact, Item, Told, listing
from exactdp.report.values import number_json


def _determinant_facts(e: DeterminantEvidence) -> list[Item]:
    items: list[Item] = [Fact("determinant", str(e.determinant))]
    if e.published is not None:
        same = "the same" if e.published_agrees else f"NOT the same: {e.published}"
        items.append(Fact("published closed form", f"{e.source}: {same}"))
    if e.formula is not None:
        items.append(Fact("formula in lowest terms", str(e.formula)))
    if e.difference is not None:
        items += [] if e.quotient is None else [Fact("formula / determinant", str(e.quotient))]
        items.append(Fact("they differ at", ", ".join(f"{name} = {x}" for name, x in e.difference.point.items())))
        items += [Fact("determinant there", e.difference.determinant), Fact("formula there", e.difference.formula)]
    lines = [f"{zero.divisor} is zero {'for some x' if zero.level is None else f'at a = {zero.level}'}" for zero in e.undefined]
    return items + listing("not defined where", lines, len(lines))


def _determinant_json(e: DeterminantEvidence) -> dict[str, Any]:
    found: dict[str, Any] = {"value": number_json(e.determinant), "column": e.column}
    if e.published is not None:
        found["published"] = {"source": e.source, "value": str(e.published), "agrees": e.published_agrees}
    if e.formula is not None:
        found |= {"formula": str(e.formula), "quotient": None if e.quotient is None else str(e.quotient)}
    if e.difference is not None:
        point = {name: str(x) for name, x in e.difference.point.items()}
        found["difference"] = {"point": point, "determinant": str(e.difference.determinant), "formula": str(e.difference.formula)}
    found["undefined"] = [{"divisor": zero.divisor, "at": _point_json(zero.level)} for zero in e.undefined]
    return found


def _point_json(x: Any) -> Any:
    if isinstance(x, AlgebraicNumber):
        return x.to_json()
    return None if x is None else str(x)


EVIDENCE = {DeterminantEvidence: Told(_determinant_facts, _determinant_json)}
