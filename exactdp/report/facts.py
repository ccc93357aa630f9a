# SPDX-License-Identifier: MIT
"""What people want to know beside the verdict, for each kind of evidence: said once, printed by every
renderer.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch
from typing import Any

from exactdp.analysis import (
    Cell,
    DerivabilityEvidence,
    DeterminantEvidence,
    LevelPieces,
    LevelSet,
    OptimalityEvidence,
    PrivacyEvidence,
    ReleaseEvidence,
    RemapEvidence,
    RemapUniqueness,
    Stay,
    StochasticEvidence,
    Triple,
    Uniqueness,
    Verdict,
)
from exactdp.analysis.wording import piece_text
from exactdp.model import BayesianConsumer, Consumer, Dual, FactoredMechanism, Mechanism, PrivacyLevel, Table, TightestLevel
from exactdp.report.items import LARGEST_PRODUCT, Fact, Grid, Item, Listing, grid_of, row_grid

FEW = 6
"""How many tight or violated cells a listing shows."""


def facts(verdict: Verdict[Any]) -> list[Item]:
    """The facts, lists and tables that belong to a verdict, in reading order."""
    return _facts(verdict.evidence)


def level_value(level: TightestLevel) -> Any:
    """The level as a number if it is rational, else as text such as ``(1/3)^(1/2)``."""
    return str(level) if level.value is None else level.value


def cell_text(cell: Cell, mechanism: Mechanism, level: PrivacyLevel | TightestLevel, relation: str) -> str:
    """One privacy constraint in words, such as ``x[1][0] / x[0][0] = 1/4 < 1/2``."""
    low, high, out = mechanism.inputs[cell.low], mechanism.inputs[cell.high], mechanism.outputs[cell.output]
    plain = cell.distance.rational == 1
    right = f" {relation} {level}" if plain else f" {relation} ({level})^{cell.distance}"
    if relation == "=" and (plain or isinstance(level, TightestLevel)):
        right = ""
    return f"x[{low}][{out}] / x[{high}][{out}] = {cell.ratio}{right}"


def triple_text(triple: Triple, mechanism: Mechanism) -> str:
    """A violated condition of the line in words."""
    rows = ", ".join(mechanism.inputs[i] for i in triple.rows(mechanism.n_inputs - 1))
    return f"column {mechanism.outputs[triple.output]}, rows {rows}: {triple.value} < 0"


def listing(title: str, lines: Iterable[str], total: int, few: int = FEW) -> list[Item]:
    """A listing of the first few lines, or nothing when there are none."""
    shown = tuple(line for line, _ in zip(lines, range(few), strict=False))
    return [Listing(title, shown, total)] if total else []


@singledispatch
def _facts(evidence: Any) -> list[Item]:
    return []


@_facts.register
def _stochastic(e: StochasticEvidence) -> list[Item]:
    faults = e.table.faults()
    lines = [str(fault) for fault in (*faults.negative, *faults.rows)]
    return listing("faults", lines, len(lines), few=1000)


@_facts.register
def _privacy(e: PrivacyEvidence) -> list[Item]:
    items: list[Item] = [] if e.level is None else [Fact("level asked", e.level.alpha)]
    items.append(Fact("tightest level", level_value(e.tightest)))
    at: PrivacyLevel | TightestLevel = e.tightest if e.level is None else e.level
    items += listing("violated", (cell_text(c, e.mechanism, at, "<") for c in e.violated), len(e.violated))
    items += listing("tight", (cell_text(c, e.mechanism, at, "=") for c in e.tight), len(e.tight))
    return items


@_facts.register
def _derivability(e: DerivabilityEvidence) -> list[Item]:
    if e.remap is not None:
        return [grid_of("R, with target = source · R", e.remap)]
    items = listing("violated three-term conditions", (triple_text(t, e.target) for t in e.triples), len(e.triples))
    items += [Fact("loss of the target", e.target_loss), Fact("least loss from the source", e.source_loss)]
    if e.consumer is not None:
        items.append(grid_of("loss of the separating consumer (prior: uniform)", e.consumer.loss))
    return items


@_facts.register
def _optimality(e: OptimalityEvidence) -> list[Item]:
    items: list[Item] = [Fact("optimum", e.value)] if e.value is not None else []
    if e.bounds is not None:
        items += [Fact("optimum at least", e.bounds[0]), Fact("optimum at most", e.bounds[1])]
    if e.mechanism is not None:
        if e.remap is not None and e.remap.bounds is not None:
            lower, upper = e.remap.bounds
            items += [Fact("loss after the best remap at least", lower), Fact("loss after the best remap at most", upper)]
        else:
            items += [Fact("loss after the best remap" if e.remap else "loss", e.loss)]
        items += [] if e.gap is None else [Fact("gap", e.gap)]
    if e.privacy is not None:
        items += [item for item in _privacy(e.privacy) if not (isinstance(item, Listing) and item.title == "tight")]
    if e.fault is not None:
        items.append(Fact("condition broken by the dual", str(e.fault)))
    if e.remap is not None:
        quality = "best remap" if e.remap.bounds is None else "best known remap"
        items.append(grid_of(f"{quality} of the mechanism ({_kind(e.remap.remap.is_deterministic())})", e.remap.remap))
    if isinstance(e.found, FactoredMechanism) and len(e.found.inputs) > LARGEST_PRODUCT:
        how = _kind(e.found.is_deterministic)
        items.append(
            Fact("an optimal mechanism", f"G({len(e.found.inputs) - 1}, {e.level})·T, T {how} and sparse: see the certificate (-o)")
        )
    elif (best := e.best) is not None and not (e.mechanism is not None and e.remap is None and e.gap == 0):
        items.append(grid_of("an optimal mechanism" if e.bounds is None else "the best mechanism found", best))
    return items + _dual(e.dual, e.consumer)


@_facts.register
def _by_level(e: LevelPieces) -> list[Item]:
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


@_facts.register
def _level_set(e: LevelSet) -> list[Item]:
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


def _weights_on(e: OptimalityEvidence, where: str) -> list[Item]:
    if e.dual is None or isinstance(e.consumer, BayesianConsumer):
        return []
    return [row_grid(f"least favourable prior{where}", e.dual.weights, e.consumer.inputs)]


@_facts.register
def _remap(e: RemapEvidence) -> list[Item]:
    if e.bounds is not None:
        items: list[Item] = [Fact("least loss of a remap at least", e.bounds[0]), Fact("at most", e.bounds[1])]
        return [*items, grid_of("the best remap found", e.remap), *_weights(e.weights, e.consumer)]
    items = [Fact("least loss of a remap", e.value)]
    if e.given is not None:
        items += [Fact("loss of the given remap", e.loss), Fact("gap", e.gap)]
    if e.given is None or e.gap:
        items.append(grid_of(f"best remap ({_kind(e.remap.is_deterministic())})", e.remap))
    return items + _weights(e.weights, e.consumer)


@_facts.register
def _uniqueness(e: Uniqueness) -> list[Item]:
    items: list[Item] = [Fact("optimum", e.value), grid_of("an optimal mechanism" if e.second else "the optimal mechanism", e.first)]
    return items + ([] if e.second is None else [grid_of("another one", e.second)])


@_facts.register
def _remap_uniqueness(e: RemapUniqueness) -> list[Item]:
    kind = _kind(e.first.is_deterministic())
    items: list[Item] = [Fact("least loss of a remap", e.value), grid_of(f"{'a' if e.second else 'the'} best remap ({kind})", e.first)]
    if e.second is not None:
        items.append(grid_of(f"another one ({_kind(e.second.is_deterministic())})", e.second))
    return items + _weights(e.weights, e.consumer)


@_facts.register
def _release(e: ReleaseEvidence) -> list[Item]:
    items: list[Item] = [Fact("inputs", f"0..{e.n}"), Fact("levels", ", ".join(str(level) for level in e.levels))]
    lines = ["{" + ", ".join(str(m + 1) for m in c.members) + f"}}: {c.level}" for c in e.coalitions]
    items += listing("coalition levels (tightest)", lines, len(lines), few=64)
    return items + [grid_of(f"T_{i}: result {i} from result {i - 1}", stage) for i, stage in enumerate(e.stages, 2)]


@_facts.register
def _determinant(e: DeterminantEvidence) -> list[Item]:
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
    lines = [f"{gap.divisor} is zero " + ("for some x" if gap.level is None else f"at a = {gap.level}") for gap in e.gaps]
    return items + listing("not defined where", lines, len(lines))


def _dual(dual: Dual | None, consumer: Consumer) -> list[Item]:
    if dual is None:
        return []
    items = _weights(dual.weights, consumer)
    if dual.potentials is not None:
        items.append(row_grid("dual potentials μ (their sum is the bound)", dual.potentials, consumer.inputs))
    return items


def _weights(weights: tuple[Any, ...], consumer: Consumer) -> list[Item]:
    if isinstance(consumer, BayesianConsumer):
        return []
    grid: Grid = row_grid("least favourable prior", weights, consumer.inputs)
    return [grid]


def _kind(deterministic: bool) -> str:
    return "deterministic" if deterministic else "randomised"
