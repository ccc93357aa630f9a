# SPDX-License-Identifier: MIT
"""Answers for all levels of an interval: the pieces of an optimum, and where a table has a property."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from exactdp.analysis.optimality.by_level import ByLevel, OptimalityByLevel, OptimumByLevel, RemapByLevel
from exactdp.analysis.optimality.mechanism_optimality import OptimalityAfterRemapEvidence
from exactdp.analysis.optimality.optimum import OptimumEvidence
from exactdp.analysis.table_levels import DerivableLevels, LevelFault, PrivateLevels, StochasticLevels, TableLevels
from exactdp.analysis.verdict import Verdict
from exactdp.analysis.wording import counted, digits_of, piece_text, union_text
from exactdp.exact import Interval
from exactdp.exact.identity import is_zero
from exactdp.model import BayesianConsumer, Table
from exactdp.model.measure import LOSS
from exactdp.report.headline import AS_CLAIMED, LONGEST, Headline, claimed_of, headline, number
from exactdp.report.items import Fact, Item, Told, grid_of, listing, row_grid
from exactdp.report.optimality import best_remap_json, optimality_json, optimum_json
from exactdp.report.privacy import cell_text
from exactdp.report.values import cells_json, interval_json, number_json


def value_facts(e: ByLevel) -> list[Item]:
    """The pieces of the levels, each with its formula."""
    items: list[Item] = []
    digits = digits_of(interval for interval, _ in e.values)
    for k, (interval, value) in enumerate(e.values, 1):
        items += [
            Fact(f"piece {k}: {e.letter} in", interval.text(digits)),
            Fact("  optimum", "not decided" if value is None else value),
        ]
    return items


def _optimum_facts(e: OptimumByLevel) -> list[Item]:
    items = value_facts(e)
    for interval, found in e.pieces:
        if found is not None:
            items.append(grid_of(f"an optimal mechanism{_for(e, interval)}", found.best))
            items += _weights_on(found, _for(e, interval))
    return items


def _remap_facts(e: RemapByLevel) -> list[Item]:
    found = [grid_of(f"best remap{_for(e, interval)}", best.remap) for interval, best in e.pieces if best is not None]
    return [*value_facts(e), *found]


def _optimality_facts(e: OptimalityByLevel) -> list[Item]:
    items = value_facts(e)
    for interval, found in e.pieces:
        if found is None:
            continue
        where, inside = _for(e, interval), found.optimality
        measure = e.consumer.measure
        items += [Fact(f"{measure.word}{where}", measure.of(inside.loss)), Fact("  gap", inside.gap)]
        if found.violated is not None:
            items.append(Fact("  not private", cell_text(found.violated, inside.mechanism, inside.level, "<")))
        if isinstance(inside, OptimalityAfterRemapEvidence):
            items.append(grid_of(f"best remap of the mechanism{where}", inside.remap.remap))
        elif not is_zero(inside.gap):
            items.append(grid_of(f"an optimal mechanism{where}", inside.best))
        items += _weights_on(inside, where)
    return items


def _for(e: ByLevel, interval: Interval) -> str:
    digits = digits_of(part for part, _ in e.pieces)
    return f" for {piece_text(interval, e.letter, digits) if interval.is_point else f'{e.letter} in {interval.text(digits)}'}"


def _weights_on(e: OptimumEvidence, where: str) -> list[Item]:
    if isinstance(e.consumer, BayesianConsumer):
        return []
    return [row_grid(f"least favourable prior{where}", e.dual.weights, e.consumer.inputs)]


def _values_json(e: ByLevel, details: list[dict[str, Any]]) -> dict[str, Any]:
    measure = e.consumer.measure
    values = [(part, None if value is None else number_json(value)) for part, value in e.values]
    pieces = [{"interval": interval_json(part), "value": value} for part, value in values]
    only = pieces[0]["value"] if len(pieces) == 1 else None
    whole = [{"interval": interval_json(part), **detail} for (part, _), detail in zip(e.pieces, details, strict=True)]
    found: dict[str, Any] = {} if measure == LOSS else {"measure": measure.word}
    return found | {"value": only, "parameter": e.letter, "pieces": pieces, "details": whole}


def _optimum_json(e: OptimumByLevel) -> dict[str, Any]:
    return _values_json(e, [{} if found is None else optimum_json(found) for _, found in e.pieces])


def _remap_json(e: RemapByLevel) -> dict[str, Any]:
    return _values_json(e, [{} if found is None else best_remap_json(found) for _, found in e.pieces])


def _optimality_json(e: OptimalityByLevel) -> dict[str, Any]:
    details: list[dict[str, Any]] = []
    for _, found in e.pieces:
        if found is None:
            details.append({})
        else:
            violated = {} if found.violated is None else {"violated": cells_json((found.violated,), found.optimality.mechanism)}
            details.append(violated | optimality_json(found.optimality))
    return _values_json(e, details)


def _table_facts(e: TableLevels) -> list[Item]:
    digits = digits_of(part for part, _ in e.pieces)
    lines = [f"{piece_text(part, e.letter, digits)}: {'yes' if fault is None else f'no: {_refusal(e, fault)}'}" for part, fault in e.pieces]
    return listing("levels", lines, len(lines), few=64)


def _derivable_facts(e: DerivableLevels) -> list[Item]:
    return [*_table_facts(e), grid_of("the only possible R, with table = source · R", Table(e.remap, e.source.outputs, e.table.outputs))]


def _refusal(e: TableLevels, fault: LevelFault) -> str:
    """Why a statement fails on a piece."""
    row, column = fault.row, fault.column
    if fault.matrix == "remap":
        source, to = e.source.outputs, e.table.outputs  # type: ignore[attr-defined]
        return f"row {source[row]} of R does not sum to 1" if column is None else f"R[{source[row]}][{to[column]}] < 0"
    table = e.source if fault.matrix == "source" else e.table  # type: ignore[attr-defined]
    of = f" of the {'target' if fault.matrix == 'table' else 'source'}" if isinstance(e, DerivableLevels) else ""
    if column is None:
        return f"row {table.inputs[row]}{of} does not sum to 1"
    if fault.beside is not None:
        out = table.outputs[column]
        return f"x[{table.inputs[row]}][{out}] is too small beside x[{table.inputs[fault.beside]}][{out}]"
    return f"x[{table.inputs[row]}][{table.outputs[column]}]{of} is negative or not defined"


def _table_json(e: TableLevels) -> dict[str, Any]:
    pieces = [{"interval": interval_json(part), "holds": fault is None} for part, fault in e.pieces]
    return {"levels": [interval_json(part) for part in e.holds_on], "pieces": pieces}


def pieces_headline(name: str, values: Any, letter: str) -> Headline:
    """One formula for all levels, or how many there are."""
    parts = list(values)
    known = [value for _, value in parts if value is not None]
    if len(parts) == 1 and known:
        words = f"{name}:" if name.endswith(" remap") else name  # no remap is called what follows
        return headline(words, number(known[0]), f"for {letter} in {piece_text(parts[0][0], letter)}", what=name, value=known[0])
    missing = len(parts) - len(known)
    lacking = f", {missing} not decided" if missing else ""
    if not known:
        return headline(f"{name}: not decided", what=name)
    first = f"{name}: {counted(len(parts), 'formula')} in {letter}{lacking}; the first is"
    return headline(first, number(known[0]), what=name, value=None)


def _by_level_headline(verdict: Verdict[ByLevel]) -> Headline:
    e = verdict.evidence
    name = e.consumer.measure.best + (" after a remap" if isinstance(e, RemapByLevel) else "")
    found = pieces_headline(name, e.values, e.letter)
    if not verdict.refuted:
        as_claimed = found.text + AS_CLAIMED
        return replace(found, text=as_claimed) if claimed_of(verdict) and verdict.proved and len(as_claimed) <= LONGEST else found
    digits = digits_of(part for part, _ in e.values)
    wrong = f"{name} is not what was claimed: {counted(len(list(e.values)), 'formula')} for {e.letter} in {e.interval.text(digits)}"
    only = list(e.values)
    return headline(f"{name}", number(only[0][1]), ", not the claimed value", what=name) if len(only) == 1 else headline(wrong, what=name)


def _optimality_headline(verdict: Verdict[OptimalityByLevel]) -> Headline:
    e = verdict.evidence
    whole = e.interval.text(digits_of([e.interval]))
    if verdict.proved:
        return headline(f"optimal: gap 0 at every {e.letter} in {whole}", what="gap", value=0)
    if any(found is None for _, found in e.pieces):
        return headline(f"not decided: is the gap 0 at every {e.letter} in {whole}?", what="gap")
    where, found = next((part, found) for part, found in e.pieces if found is not None and not found.optimal)
    piece = piece_text(where, e.letter, digits_of(part for part, _ in e.pieces))
    piece = piece if where.is_point else f"{e.letter} in {piece}"
    if found.violated is not None:
        return headline(f"not optimal: not private for {piece}", what="gap")
    gap = number(found.gap)
    return headline("not optimal: gap", gap, f"for {piece}", what="gap", value=gap)


def _table_headline(verdict: Verdict[TableLevels]) -> Headline:
    e = verdict.evidence
    private = f"private at α = {e.letter}"
    name = {StochasticLevels: "row-stochastic", PrivateLevels: private, DerivableLevels: "derivable"}[type(e)]
    letter = e.letter
    every = f"every {letter} in {e.interval.text(digits_of([e.interval]))}"
    if verdict.proved:
        return headline(f"{name} for {every}", what=name, value=union_text(e.holds_on))
    if not e.holds_on:
        return headline(f"not {name} for any {letter} in {e.interval.text(digits_of([e.interval]))}", what=name, value="none")
    where = union_text(e.holds_on)
    wide = f"{name} only for {letter} in {where}, not for {every}"
    short = f"{name} only for {letter} in {where}, not for all"
    told = next((words for words in (wide, short) if len(words) <= LONGEST), None)
    parts = counted(len(e.holds_on), "part")
    return headline(told or f"{name} only on {parts} of the levels, not for {every}", what=name, value=where)


EVIDENCE = {
    OptimumByLevel: Told(_optimum_facts, _optimum_json, _by_level_headline),
    OptimalityByLevel: Told(_optimality_facts, _optimality_json, _optimality_headline),
    RemapByLevel: Told(_remap_facts, _remap_json, _by_level_headline),
    StochasticLevels: Told(_table_facts, _table_json, _table_headline),
    PrivateLevels: Told(_table_facts, _table_json, _table_headline),
    DerivableLevels: Told(_derivable_facts, _table_json, _table_headline),
}
