# SPDX-License-Identifier: MIT
"""Privacy types in words and as JSON: vertices, kernel mechanisms, mixtures, capacities, universal
optimality, refinement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from exactdp.analysis.leakage import CapacityEvidence, TypeCapacityEvidence
from exactdp.analysis.refinement import RefinementOrder
from exactdp.analysis.types.kernels import KernelCount, KernelLevels, KernelMechanism, VertexCount
from exactdp.analysis.types.mixtures import KernelEvidence, MixtureEvidence
from exactdp.analysis.types.universal import UtilitySet
from exactdp.analysis.types.universal_arguments import UniversalEvidence
from exactdp.analysis.types.universal_levels import UniversalLevels
from exactdp.analysis.types.vertices import PosteriorPolytope
from exactdp.analysis.verdict import Decision
from exactdp.analysis.wording import piece_text
from exactdp.exact import Scalar
from exactdp.report.facts import _facts
from exactdp.report.items import Fact, Grid, Item, Listing, grid_of
from exactdp.report.json import _json, mechanism_json
from exactdp.report.numbers import interval_json, number_json

SHOWN = 12
"""So many vertices or classes are listed for people."""

LISTED = 10_000
"""So many are listed in JSON."""


def kernel_grid(kernel: KernelMechanism) -> Grid:
    """The mechanism, and how many there are like it."""
    return grid_of(f"kernel mechanism, one of {kernel.size} alike" if kernel.size > 1 else "kernel mechanism", kernel.mechanism)


def kernel_json(kernel: KernelMechanism) -> dict[str, Any]:
    """A class of kernel mechanisms: its size, its vertices, their weights, and the mechanism."""
    return {
        "size": kernel.size,
        "support": list(kernel.support),
        "outer": [number_json(x) for x in kernel.outer],
        "mechanism": mechanism_json(kernel.mechanism),
    }


def _listing(title: str, head: Sequence[str], rows: Iterable[Sequence[str]], line: Callable[..., str], total: int) -> list[Item]:
    """Rows of cells, each also as a line; nothing if there are none."""
    cells = tuple(tuple(row) for row in rows)
    return [Listing(title, tuple(line(*row) for row in cells), total, tuple(head), cells)] if cells else []


def _vertex_listing(title: str, polytope: PosteriorPolytope, numbers: Sequence[int], total: int) -> list[Item]:
    rows = [(f"v{k}", *map(str, polytope.vertex(k))) for k in numbers]
    return _listing(title, ("", *polytope.neighbours.vertices), rows, lambda name, *values: f"{name} = ({', '.join(values)})", total)


def _set(support: Sequence[int]) -> str:
    return f"{{{', '.join(f'v{k}' for k in support)}}}"


@_facts.register
def _vertices(e: VertexCount) -> list[Item]:
    items: list[Item] = [Fact("vertices", e.count), Fact("symmetries", len(e.polytope.automorphisms))]
    return items + _vertex_listing("posteriors", e.polytope, range(min(SHOWN, e.count)), e.count)


@_facts.register
def _kernels(e: KernelCount) -> list[Item]:
    items: list[Item] = [
        Fact("kernel mechanisms", e.count),
        Fact("classes", len(e.classes)),
        Fact("symmetries", len(e.polytope.automorphisms)),
        Fact("vertices", len(e.polytope)),
        Fact("complete", e.complete),
    ]
    sizes = [(str(k), str(count)) for k, count in e.by_size.items()]
    items += _listing("by number of posteriors", ("posteriors", "kernel mechanisms"), sizes, "{}: {}".format, len(sizes))
    rows = [(str(circuit.size), _set(circuit.support)) for circuit in e.classes[:SHOWN]]
    return items + _listing("classes (size × posteriors)", ("size", "posteriors"), rows, "{} × {}".format, len(e.classes))


@_facts.register
def _kernel_levels(e: KernelLevels) -> list[Item]:
    rows = [(piece_text(piece), str(count)) for piece, count in e.pieces]
    return _listing("kernel mechanisms at each level a", ("levels", "kernel mechanisms"), rows, "{}: {}".format, len(rows))


@_facts.register
def _kernel(e: KernelEvidence) -> list[Item]:
    known = [k for k in e.vertices if k is not None]
    items: list[Item] = [
        Fact("posteriors", len(e.vertices)),
        Fact("of them vertices", len(known)),
        Fact("linearly independent", "yes" if e.independent else "no"),
    ]
    return items + _vertex_listing("vertices", e.polytope, known, len(known))


@_facts.register
def _mixture(e: MixtureEvidence) -> list[Item]:
    items: list[Item] = []
    for number, mixture in enumerate(e.mixtures, 1):
        rows = [(str(weight), _set(kernel.support)) for weight, kernel in mixture.parts]
        title = f"mixture {number} (weight × kernel mechanism)"
        items += _listing(title, ("weight", "kernel mechanism"), rows, "{} × {}".format, len(rows))
        used = sorted({k for _, kernel in mixture.parts for k in kernel.support})
        items += _vertex_listing("vertices", e.polytope, used, len(used))
    return items + ([] if e.remap is None else [grid_of("post-processing of the mixture", e.remap)])


@_facts.register
def _universal(e: UniversalEvidence) -> list[Item]:
    items: list[Item] = [] if not e.rule else [Fact("argument", e.rule)]
    if e.mechanism is not None:
        items.append(grid_of("mechanism", e.mechanism))
    if e.rule in {"priors", "prior"}:
        items += _prior_listing("priors", e, [tuple(p / sum(prior[1:], prior[0]) for p in prior) for prior in e.priors], len(e.priors))
        items += [grid_of(f"optimal for prior {k}", m) for k, m in enumerate(e.better, 1)]
    elif e.rule in {"path", "cycle"}:
        items.append(Fact(e.rule, " – ".join(e.loss.inputs[x] for x in e.inputs)))
    elif e.rule == "star":
        items += [Fact("input", e.loss.inputs[e.inputs[0]]), Fact("its neighbours", ", ".join(e.loss.inputs[x] for x in e.inputs[1:]))]
    elif e.rule == "kinks":
        items += _prior_listing("kinks", e, e.priors[:SHOWN], len(e.priors))
    return items


def _prior_listing(title: str, e: UniversalEvidence, priors: Iterable[Sequence[Any]], total: int) -> list[Item]:
    rows = [tuple(map(str, prior)) for prior in priors]
    return _listing(title, e.loss.inputs, rows, lambda *prior: f"({', '.join(prior)})", total)


@_facts.register
def _universal_levels(e: UniversalLevels) -> list[Item]:
    words = {True: "yes", False: "no", None: "not decided"}
    rows = [(piece_text(piece), words[yes], "" if found is None else found.rule) for piece, yes, found in e.pieces]
    title = "universally optimal mechanism at each level a"
    return _listing(title, ("levels", "is there one?", "argument"), rows, _argued, len(rows))


def _argued(what: str, answer: str, argument: str) -> str:
    return f"{what}: {answer} ({argument})" if argument else f"{what}: {answer}"


@_facts.register
def _utility_set(e: UtilitySet) -> list[Item]:
    words = {Decision.PROVED: "served", Decision.REFUTED: "not served", Decision.UNDECIDED: "not decided"}
    rows = [(name, words[verdict.decision], verdict.evidence.rule) for name, verdict in e.answers]
    facts = [Fact(word, len(e.named(decision))) for decision, word in words.items()]
    return [*facts, *_listing("losses", ("loss", "answer", "argument"), rows, _argued, len(rows))]


@_facts.register
def _capacity(e: CapacityEvidence) -> list[Item]:
    return [Fact(f"{e.kind} capacity", e.value)]


@_facts.register
def _type_capacity(e: TypeCapacityEvidence) -> list[Item]:
    return [Fact(f"{e.kind} capacity", e.value), grid_of("attained by", e.mechanism)]


@_facts.register
def _order(e: RefinementOrder) -> list[Item]:
    classes = [" ≡ ".join(e.names[i] for i in part) for part in e.classes]
    edges = [(classes[a], classes[b]) for a, b in e.covers]
    return [
        *_listing("equivalent channels", ("class",), [(text,) for text in classes], str, len(classes)),
        *_listing("Hasse diagram", ("refined", "by"), edges, "{} ⊑ {}".format, len(edges)),
    ]


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
