# SPDX-License-Identifier: MIT
"""Answers about every point of a region of letters, and the conditions for them."""

from __future__ import annotations

from typing import Any

from exactdp.analysis.letters.conditions import Conditions
from exactdp.analysis.letters.constraints import RegularOnRegion, SingularOnRegion, TightOnRegion
from exactdp.analysis.letters.determinants import DeterminantOnRegion
from exactdp.analysis.letters.statement import OnRegion
from exactdp.analysis.letters.tables import DerivableOnRegion, PrivateOnRegion, StochasticOnRegion
from exactdp.analysis.letters.values import LevelOnRegion, LossEvidence, Piece
from exactdp.analysis.verdict import Verdict
from exactdp.exact.region_functions import place
from exactdp.model import Table
from exactdp.report.determinant import determinant_headline, difference_facts, formula_json
from exactdp.report.headline import Headline, asked, headline, number, point_of
from exactdp.report.items import Fact, Item, Told, columns, grid_of, listing, row_grid
from exactdp.report.values import number_json, numbers_json, rows_json


def _facts(e: OnRegion) -> list[Item]:
    """The region, the point at which the statement fails, and what was not shown."""
    items: list[Item] = [Fact("letters", str(e.region))]
    if e.point is not None:
        items += [Fact("fails at", ", ".join(f"{name} = {x}" for name, x in e.point.items()))]
    if e.nowhere is not None:
        items.append(Fact("fails everywhere", e.says(e.nowhere)))
    if e.found is not None and not e.found.holds:
        lines = [f"{e.says(one.fault)}: {one.function} {'= 0' if one.zero else '≥ 0'}" for one in e.found.open]
        items += listing("fails, or is not shown", lines, len(lines))
    return items


def _json(e: OnRegion) -> dict[str, Any]:
    found: dict[str, Any] = {"letters": list(e.region.names), "region": str(e.region)}
    found["point"] = None if e.point is None else {name: str(x) for name, x in e.point.items()}
    found["everywhere"] = e.nowhere is not None
    lines = () if e.found is None else e.found.open
    found["open"] = [{"requirement": e.says(one.fault), "function": str(one.function), "zero": one.zero} for one in lines]
    return found


def _table_facts(e: StochasticOnRegion) -> list[Item]:
    return [*_facts(e), grid_of("table", e.table)]


def _private_facts(e: PrivateOnRegion) -> list[Item]:
    shown = [Fact("shown at", e.shown_text)] if e.shown_text else []
    return [*_facts(e), *shown, grid_of("table", e.table)]


def _private_json(e: PrivateOnRegion) -> dict[str, Any]:
    return {**_json(e), "shown_at": e.shown_text} if e.shown_text else _json(e)


def _derivable_facts(e: DerivableOnRegion) -> list[Item]:
    items = _facts(e)
    if e.remap_matrix is not None:
        items.append(grid_of("R, with target = source · R", Table(e.remap_matrix, e.source.outputs, e.target.outputs)))
    return items


def _derivable_json(e: DerivableOnRegion) -> dict[str, Any]:
    return {**_json(e), "remap": None if e.remap_matrix is None else rows_json(e.remap_matrix)}


def _solution(title: str, e: TightOnRegion | RegularOnRegion) -> list[Item]:
    return [] if e.solution is None else [row_grid(title, e.cells.lift(e.solution), e.neighbours.vertices)]


def _solution_json(e: TightOnRegion | RegularOnRegion) -> list[Any] | None:
    return None if e.solution is None else numbers_json(e.cells.lift(e.solution))


def _tight_facts(e: TightOnRegion) -> list[Item]:
    return [*_facts(e), *_solution("z with Φ·z = 1", e)]


def _tight_json(e: TightOnRegion) -> dict[str, Any]:
    return {**_json(e), "solution": _solution_json(e)}


def _regular_facts(e: RegularOnRegion) -> list[Item]:
    return [*_facts(e), *_solution("y with y·Φ = π", e)]


def _regular_json(e: RegularOnRegion) -> dict[str, Any]:
    return {**_json(e), "solution": _solution_json(e)}


def _singular_facts(e: SingularOnRegion) -> list[Item]:
    return [*_facts(e), Fact("det Φ", str(e.determinant))]


def _singular_json(e: SingularOnRegion) -> dict[str, Any]:
    return {**_json(e), "determinant": str(e.determinant)}


def _pieces(pieces: tuple[Piece, ...]) -> list[Item]:
    """A formula a line, with where it holds."""
    lines = [(str(piece.value), piece.where.words()) for piece in pieces]
    return columns("formulas", ("formula", "where"), lines, "{} {}".format, len(lines)) if len(lines) > 1 else []


def _pieces_json(pieces: tuple[Piece, ...]) -> list[dict[str, Any]]:
    return [{"value": str(piece.value), **conditions_json(piece.where)} for piece in pieces]


def conditions_json(found: Conditions) -> dict[str, Any]:
    """The conditions, and whether each was shown to be needed."""
    return {
        "conditions": [str(c) for c in found.conditions],
        "nowhere": found.never is not None or found.empty,
        "irredundant": found.irredundant,
    }


def conditions_items(found: Conditions) -> list[Item]:
    """The statement, where it holds, and for each condition a point where it alone fails."""
    items: list[Item] = [Fact("letters", str(found.asked)), Fact("statement", found.claim), Fact("holds", found.words())]
    lines = [(str(c), "not shown to be needed" if c.alone is None else f"alone fails at {place(c.alone)}") for c in found.conditions]
    return items + (columns("conditions", ("condition", "needed"), lines, "{}: {}".format, len(lines)) if found.never is None else [])


def _level_facts(e: LevelOnRegion) -> list[Item]:
    x, y = e.mechanism.inputs, e.mechanism.outputs
    items: list[Item] = [Fact("letters", str(e.region))]
    if len(e.pieces) == 1 and e.pieces[0].where.always:
        items.append(Fact("tightest level", str(e.pieces[0].value)))
    for piece in e.pieces:
        cells = [f"x[{x[c.low]}][{y[c.output]}] / x[{x[c.high]}][{y[c.output]}]" for c in piece.places]
        items += listing(f"tight: {piece.value} {piece.where.words()}", cells, len(cells))
        items += [] if cells else [Fact("all rows are equal", piece.where.words())]
    return [*items, grid_of("mechanism", e.mechanism)]


def _level_json(e: LevelOnRegion) -> dict[str, Any]:
    x, y = e.mechanism.inputs, e.mechanism.outputs
    found = []
    for piece, told in zip(e.pieces, _pieces_json(e.pieces), strict=True):
        cells = [{"low": x[c.low], "high": x[c.high], "output": y[c.output], "distance": str(c.distance)} for c in piece.places]
        found.append({**told, "tight": cells})
    return {"letters": list(e.region.names), "region": str(e.region), "pieces": found}


def _loss_facts(e: LossEvidence) -> list[Item]:
    word = e.consumer.measure.word
    items: list[Item] = [] if e.region is None else [Fact("letters", str(e.region))]
    items += [] if e.value is None else [Fact(word, e.value if e.region is None else str(e.value))]
    items += _pieces(e.pieces)
    return [*items, row_grid(f"{word} at each input", e.row_losses, e.consumer.inputs)]


def _loss_json(e: LossEvidence) -> dict[str, Any]:
    found: dict[str, Any] = {} if e.region is None else {"letters": list(e.region.names), "region": str(e.region)}
    value = None if e.value is None else number_json(e.value)
    return {**found, "value": value, "rows": numbers_json(e.row_losses), "pieces": _pieces_json(e.pieces)}


def _determinant_facts(e: DeterminantOnRegion) -> list[Item]:
    items: list[Item] = [Fact("letters", str(e.region)), Fact("determinant", str(e.determinant))]
    items += [Fact("it is", e.sign_text)] if e.sign_text else []
    if e.formula is not None:
        items.append(Fact("formula in lowest terms", str(e.formula)))
    items += listing("formula not defined where", e.undefined, len(e.undefined))
    return items + difference_facts(e)


def _determinant_json(e: DeterminantOnRegion) -> dict[str, Any]:
    found: dict[str, Any] = {"letters": list(e.region.names), "region": str(e.region), "value": str(e.determinant), "column": e.column}
    if e.zero is not None:
        found |= {"sign": e.sign, "zero": conditions_json(e.zero)}
    return found | formula_json(e)


def _statement(e: OnRegion) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """What was asked at every point, and its contrary, as parts of a headline."""
    if isinstance(e, PrivateOnRegion):
        return ("private at", asked(e.level)), ("not private at", asked(e.level))
    words = {
        StochasticOnRegion: ("row-stochastic", "not row-stochastic"),
        DerivableOnRegion: ("derivable", "not derivable"),
        TightOnRegion: ("a tight-constraints mechanism", "no tight-constraints mechanism"),
        RegularOnRegion: ("a regular prior", "not a regular prior"),
        SingularOnRegion: ("Φ is singular", "Φ is not singular"),
    }
    yes, no = words[type(e)]
    return (yes,), (no,)


def _on_region_headline(verdict: Verdict[OnRegion]) -> Headline:
    """Whether a statement holds at every point, or a point where it fails."""
    e = verdict.evidence
    yes, no = _statement(e)
    is_told = isinstance(e, (PrivateOnRegion, StochasticOnRegion, DerivableOnRegion))  # the headline has it all
    words: tuple[str, ...] = () if is_told else (e.words,)
    about: dict[str, Any] = {"what": "statement", "assumed": words}
    if verdict.proved:
        return headline(*yes, "at every point of the letters", value="every point", **about)
    if verdict.refuted and e.point is not None:
        where = place(e.point)
        beside = words if where == point_of(e.point) else (*words, f"fails at {where}")
        return headline(*no, f"for {point_of(e.point)}", what="statement", value=place(e.point), assumed=beside)
    if verdict.refuted:
        return headline(*no, "at any point of the letters", value="no point", **about)
    return headline("not decided at every point of the letters:", *yes, value=None, **about)


def _pieces_headline(what: str, pieces: tuple[Piece, ...], letter: str = "") -> Headline:
    """One formula, or how many there are."""
    whole = next((piece for piece in pieces if piece.where.always), pieces[0] if len(pieces) == 1 else None)
    if whole is not None:
        return headline(f"{what} {letter}".rstrip(), number(str(whole.value)), what=what)
    first = f"{what}: {len(pieces)} formulas, the first is {letter}".rstrip()
    return headline(first, number(str(pieces[0].value)), what=what, value=None)


def _level_headline(verdict: Verdict[LevelOnRegion]) -> Headline:
    e = verdict.evidence
    if not e.pieces:
        return headline("private at every level: no two constrained rows differ", what="tightest level", value=1)
    return _pieces_headline("tightest level", e.pieces, "α =")


def _loss_headline(verdict: Verdict[LossEvidence]) -> Headline:
    e = verdict.evidence
    word = e.consumer.measure.word
    if e.value is not None:
        return headline(word, number(e.value))
    return _pieces_headline(word, e.pieces)


EVIDENCE = {
    StochasticOnRegion: Told(_table_facts, _json, _on_region_headline),
    PrivateOnRegion: Told(_private_facts, _private_json, _on_region_headline),
    DerivableOnRegion: Told(_derivable_facts, _derivable_json, _on_region_headline),
    TightOnRegion: Told(_tight_facts, _tight_json, _on_region_headline),
    RegularOnRegion: Told(_regular_facts, _regular_json, _on_region_headline),
    SingularOnRegion: Told(_singular_facts, _singular_json, _on_region_headline),
    LevelOnRegion: Told(_level_facts, _level_json, _level_headline),
    LossEvidence: Told(_loss_facts, _loss_json, _loss_headline),
    DeterminantOnRegion: Told(_determinant_facts, _determinant_json, determinant_headline),
}
