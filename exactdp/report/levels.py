# SPDX-License-Identifier: MIT
"""Answers for all levels of an interval: the pieces of an optimum, and where a table has a property."""

from __future__ import annotations

from typing import Any

from exactdp.analysis.levels import LevelSet, Stay
from exactdp.analysis.optimality.by_level import LevelPieces, Piece
from exactdp.analysis.optimality.optimum import OptimalityEvidence
from exactdp.analysis.optimality.remap import RemapEvidence
from exactdp.analysis.wording import piece_text
from exactdp.model import BayesianConsumer, Table
from exactdp.report.items import Fact, Item, Told, grid_of, listing, row_grid
from exactdp.report.optimality import best_remap_json, optimality_json
from exactdp.report.privacy import cell_text
from exactdp.report.values import cells_json, interval_json, number_json


def _by_level_facts(e: LevelPieces) -> list[Item]:
    items: list[Item] = []
    for k, (interval, value) in enumerate(e.values, 1):
        items.append(Fact(f"piece {k}: {e.name} in", str(interval)))
        items.append(Fact("  optimum", "not decided" if value is None else value))
    for piece in e.pieces:
        inside = piece.evidence
        if inside is None:
            continue
        where = f" for {piece_text(piece.interval, e.name) if piece.interval.is_point else f'{e.name} in {piece.interval}'}"
        if isinstance(inside, RemapEvidence):
            items.append(grid_of(f"best remap{where}", inside.remap))
            continue
        if inside.mechanism is not None:
            items += [Fact(f"loss{where}", inside.loss), Fact("  gap", inside.gap)]
        if piece.violated is not None and inside.mechanism is not None:
            items.append(Fact("  not private", cell_text(piece.violated, inside.mechanism, inside.level, "<")))
        if inside.remap is not None:
            items.append(grid_of(f"best remap of the mechanism{where}", inside.remap.remap))
        elif inside.best is not None and (inside.mechanism is None or inside.gap):
            items.append(grid_of(f"an optimal mechanism{where}", inside.best))
        items += _weights_on(inside, where)
    return items


def _weights_on(e: OptimalityEvidence, where: str) -> list[Item]:
    if e.dual is None or isinstance(e.consumer, BayesianConsumer):
        return []
    return [row_grid(f"least favourable prior{where}", e.dual.weights, e.consumer.inputs)]


def _by_level_json(e: LevelPieces) -> dict[str, Any]:
    pieces = [{"interval": interval_json(part), "value": None if value is None else number_json(value)} for part, value in e.values]
    only = pieces[0]["value"] if len(pieces) == 1 else None
    return {"value": only, "parameter": e.name, "pieces": pieces, "details": [_piece_json(piece) for piece in e.pieces]}


def _piece_json(piece: Piece) -> dict[str, Any]:
    found: dict[str, Any] = {"interval": interval_json(piece.interval)}
    if piece.violated is not None and piece.evidence is not None and piece.evidence.mechanism is not None:
        found["violated"] = cells_json((piece.violated,), piece.evidence.mechanism)
    inside = piece.evidence
    if inside is None:
        return found
    return found | (best_remap_json(inside) if isinstance(inside, RemapEvidence) else optimality_json(inside))


def _level_set_facts(e: LevelSet) -> list[Item]:
    lines = [f"{piece_text(stay.interval, e.letter)}: {'yes' if stay.holds else _refusal(e, stay)}" for stay in e.pieces]
    items = listing("levels", lines, len(lines), few=64)
    if e.remap is None or e.source is None:
        return items
    return [*items, grid_of("the only possible R, with table = source · R", Table(e.remap, e.source.outputs, e.table.outputs))]


def _refusal(e: LevelSet, stay: Stay) -> str:
    """Why a statement fails on a piece."""
    if e.question == "private" and len(stay.witness) == 3:
        i, j, r = stay.witness
        return f"no: x[{e.table.inputs[i]}][{e.table.outputs[r]}] is too small beside x[{e.table.inputs[j]}][{e.table.outputs[r]}]"
    *which, row, column = stay.witness
    if e.question == "derivable" and not which:
        source, to = (e.source or e.table).outputs, e.table.outputs
        return f"no: R[{source[row]}][{to[column]}] < 0" if column is not None else f"no: row {source[row]} of R does not sum to 1"
    table = e.source if which == ["source"] and e.source is not None else e.table
    where, of = table.inputs[row], f" of the {which[0]}" if which else ""
    if column is None:
        return f"no: row {where}{of} does not sum to 1"
    return f"no: x[{where}][{table.outputs[column]}]{of} is negative or not defined"


def _level_set_json(e: LevelSet) -> dict[str, Any]:
    pieces = [{"interval": interval_json(stay.interval), "holds": stay.holds} for stay in e.pieces]
    return {"levels": [interval_json(part) for part in e.holds_on], "pieces": pieces}


EVIDENCE = {LevelPieces: Told(_by_level_facts, _by_level_json), LevelSet: Told(_level_set_facts, _level_set_json)}
