# SPDX-License-Identifier: MIT
"""Privacy types in words and as JSON: vertices, kernel mechanisms, mixtures, capacities, universal optimality, refinement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exactdp.analysis.capacity import CapacityEvidence, TypeCapacityEvidence
from exactdp.analysis.kernel_levels import KernelLevels
from exactdp.analysis.kernels import KernelCount, KernelMechanism, VertexCount
from exactdp.analysis.mixtures import KernelEvidence, MixtureEvidence
from exactdp.analysis.refinement import RefinementOrder
from exactdp.analysis.universal import UniversalEvidence
from exactdp.analysis.universal_levels import UniversalLevels
from exactdp.analysis.utility_set import UtilitySet
from exactdp.analysis.verdict import Decision
from exactdp.analysis.vertices import PosteriorPolytope
from exactdp.exact import Scalar
from exactdp.report.facts import _facts
from exactdp.report.items import Fact, Item, Listing, grid_of
from exactdp.report.json import _json, mechanism_json
from exactdp.report.numbers import interval_json, number_json

__all__ = ["kernel_json"]

SHOWN = 12
"""So many vertices or classes are listed for people."""

LISTED = 10_000
"""So many are listed in JSON."""


def kernel_json(kernel: KernelMechanism) -> dict[str, Any]:
    """A class of kernel mechanisms: its size, its vertices, their weights, and the mechanism."""
    return {
        "size": kernel.size,
        "support": list(kernel.support),
        "outer": [number_json(x) for x in kernel.outer],
        "mechanism": mechanism_json(kernel.mechanism),
    }


def _vertex_lines(polytope: PosteriorPolytope, numbers: Sequence[int]) -> tuple[str, ...]:
    return tuple(f"v{k} = ({', '.join(str(x) for x in polytope.vertex(k))})" for k in numbers)


def _listing(title: str, lines: Sequence[str], total: int) -> list[Item]:
    return [Listing(title, tuple(lines), total)] if lines else []


@_facts.register
def _vertices(e: VertexCount) -> list[Item]:
    items: list[Item] = [Fact("vertices", e.count), Fact("symmetries", len(e.polytope.automorphisms))]
    return items + _listing("posteriors", _vertex_lines(e.polytope, range(min(SHOWN, e.count))), e.count)


@_facts.register
def _kernels(e: KernelCount) -> list[Item]:
    items: list[Item] = [
        Fact("kernel mechanisms", e.count),
        Fact("classes", len(e.classes)),
        Fact("symmetries", len(e.polytope.automorphisms)),
        Fact("vertices", len(e.polytope)),
        Fact("complete", e.complete),
    ]
    items += _listing("by number of posteriors", [f"{k}: {count}" for k, count in e.by_size.items()], len(e.by_size))
    lines = [f"{circuit.size} × {{{', '.join(f'v{k}' for k in circuit.support)}}}" for circuit in e.classes[:SHOWN]]
    return items + _listing("classes (size × posteriors)", lines, len(e.classes))


@_facts.register
def _kernel_levels(e: KernelLevels) -> list[Item]:
    return _listing("kernel mechanisms at each level a", [f"{piece}: {count}" for piece, count in e.pieces], len(e.pieces))


@_facts.register
def _kernel(e: KernelEvidence) -> list[Item]:
    known = [k for k in e.vertices if k is not None]
    items: list[Item] = [
        Fact("posteriors", len(e.vertices)),
        Fact("of them vertices", len(known)),
        Fact("linearly independent", "yes" if e.independent else "no"),
    ]
    return items + _listing("vertices", _vertex_lines(e.polytope, known), len(known))


@_facts.register
def _mixture(e: MixtureEvidence) -> list[Item]:
    items: list[Item] = []
    for number, mixture in enumerate(e.mixtures, 1):
        lines = [f"{weight} × {{{', '.join(f'v{k}' for k in kernel.support)}}}" for weight, kernel in mixture.parts]
        items += _listing(f"mixture {number} (weight × kernel mechanism)", lines, len(lines))
        used = sorted({k for _, kernel in mixture.parts for k in kernel.support})
        items += _listing("vertices", _vertex_lines(e.polytope, used), len(used))
    return items + ([] if e.remap is None else [grid_of("post-processing of the mixture", e.remap)])


@_facts.register
def _universal(e: UniversalEvidence) -> list[Item]:
    items: list[Item] = [] if not e.rule else [Fact("argument", e.rule)]
    if e.mechanism is not None:
        items.append(grid_of("mechanism", e.mechanism))
    if e.rule in {"priors", "prior"}:
        shown = [f"({', '.join(str(p / sum(prior[1:], prior[0])) for p in prior)})" for prior in e.priors]
        items += _listing("priors", shown, len(shown))
        items += [grid_of(f"optimal for prior {k}", m) for k, m in enumerate(e.better, 1)]
    elif e.rule in {"path", "cycle"}:
        items.append(Fact(e.rule, " – ".join(e.loss.inputs[x] for x in e.inputs)))
    elif e.rule == "star":
        items += [Fact("input", e.loss.inputs[e.inputs[0]]), Fact("its neighbours", ", ".join(e.loss.inputs[x] for x in e.inputs[1:]))]
    elif e.rule == "kinks":
        items += _listing("kinks", [f"({', '.join(map(str, prior))})" for prior in e.priors[:SHOWN]], len(e.priors))
    return items


@_facts.register
def _universal_levels(e: UniversalLevels) -> list[Item]:
    words = {True: "yes", False: "no", None: "not decided"}
    lines = [f"{piece}: {words[yes]}{f' ({found.rule})' if found is not None else ''}" for piece, yes, found in e.pieces]
    return _listing("universally optimal mechanism at each level a", lines, len(lines))


@_facts.register
def _utility_set(e: UtilitySet) -> list[Item]:
    words = {Decision.PROVED: "served", Decision.REFUTED: "not served", Decision.UNDECIDED: "not decided"}
    lines = [
        f"{name}: {words[verdict.decision]}{f' ({verdict.evidence.rule})' if verdict.evidence.rule else ''}" for name, verdict in e.answers
    ]
    return [*(Fact(word, len(e.named(decision))) for decision, word in words.items()), *_listing("losses", lines, len(lines))]


@_facts.register
def _capacity(e: CapacityEvidence) -> list[Item]:
    return [Fact(f"{e.kind} capacity", e.value)]


@_facts.register
def _type_capacity(e: TypeCapacityEvidence) -> list[Item]:
    return [Fact(f"{e.kind} capacity", e.value), grid_of("attained by", e.mechanism)]


@_facts.register
def _order(e: RefinementOrder) -> list[Item]:
    classes = [" ≡ ".join(e.names[i] for i in part) for part in e.classes]
    edges = [f"{classes[a]} ⊑ {classes[b]}" for a, b in e.covers]
    return [*_listing("equivalent channels", classes, len(classes)), *_listing("Hasse diagram", edges, len(edges))]


@_json.register
def _vertices_json(e: VertexCount) -> dict[str, Any]:
    vertices = [[number_json(x) for x in e.polytope.vertex(k)] for k in range(min(LISTED, e.count))]
    inputs = list(e.polytope.neighbours.vertices)
    return {"count": e.count, "inputs": inputs, "vertices": vertices, "symmetries": len(e.polytope.automorphisms)}


@_json.register
def _kernels_json(e: KernelCount) -> dict[str, Any]:
    classes = [{"size": c.size, "support": list(c.support)} for c in e.classes[:LISTED]]
    return {
        "count": e.count,
        "classes": len(e.classes),
        "by_posteriors": {str(k): count for k, count in e.by_size.items()},
        "vertices": len(e.polytope),
        "symmetries": len(e.polytope.automorphisms),
        "complete": e.complete,
        "kernels": classes,
    }


@_json.register
def _kernel_levels_json(e: KernelLevels) -> dict[str, Any]:
    counts = {count for _, count in e.pieces}
    pieces = [{"interval": interval_json(piece), "count": count} for piece, count in e.pieces]
    return {"count": counts.pop() if len(counts) == 1 else None, "pieces": pieces}


@_json.register
def _kernel_json(e: KernelEvidence) -> dict[str, Any]:
    return {"vertices": list(e.vertices), "independent": e.independent}


@_json.register
def _mixture_json(e: MixtureEvidence) -> dict[str, Any]:
    return {
        "mixtures": [[{"weight": number_json(w), "kernel": kernel_json(kernel)} for w, kernel in mixture.parts] for mixture in e.mixtures]
    }


@_json.register
def _universal_json(e: UniversalEvidence) -> dict[str, Any]:
    found: dict[str, Any] = {"argument": e.rule or None}
    if e.mechanism is not None:
        found["mechanism"] = mechanism_json(e.mechanism)
    if e.inputs:
        found["inputs"] = [e.loss.inputs[x] for x in e.inputs]
    if e.priors:
        found["priors"] = [[number_json(p) if isinstance(p, Scalar) else str(p) for p in prior] for prior in e.priors]
    if e.better:
        found["better"] = [mechanism_json(m) for m in e.better]
    return found


@_json.register
def _universal_levels_json(e: UniversalLevels) -> dict[str, Any]:
    pieces = [{"interval": interval_json(p), "value": yes, "argument": None if found is None else found.rule} for p, yes, found in e.pieces]
    return {"pieces": pieces}


@_json.register
def _utility_set_json(e: UtilitySet) -> dict[str, Any]:
    losses = [{"loss": name, "verdict": str(verdict.decision.value), **_universal_json(verdict.evidence)} for name, verdict in e.answers]
    return {"losses": losses, "undecided": len(e.named(Decision.UNDECIDED))}


@_json.register
def _capacity_json(e: CapacityEvidence) -> dict[str, Any]:
    return {"capacity": e.kind, "value": number_json(e.value)}


@_json.register
def _type_capacity_json(e: TypeCapacityEvidence) -> dict[str, Any]:
    return {"capacity": e.kind, "value": number_json(e.value), "mechanism": mechanism_json(e.mechanism)}


@_json.register
def _order_json(e: RefinementOrder) -> dict[str, Any]:
    names = [[e.names[i] for i in part] for part in e.classes]
    return {
        "pairs": [[e.names[i], e.names[j]] for i, j in e.pairs],
        "classes": names,
        "hasse": [[names[a][0], names[b][0]] for a, b in e.covers],
    }
