# SPDX-License-Identifier: MIT
"""Privacy types: vertices, kernel mechanisms, mixtures of them, capacities, universal optimality."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from exactdp.analysis.leakage import CapacityEvidence, TypeCapacityEvidence
from exactdp.analysis.types.capacity_levels import CapacityLevels, CapacityParts
from exactdp.analysis.types.kernels import KernelCount, KernelLevels, KernelMechanism, VertexCount
from exactdp.analysis.types.mixtures import KernelEvidence, MixtureEvidence
from exactdp.analysis.types.universal import UtilitySet
from exactdp.analysis.types.universal_arguments import UniversalEvidence
from exactdp.analysis.types.universal_levels import UniversalLevels
from exactdp.analysis.types.vertices import PosteriorPolytope
from exactdp.analysis.verdict import Decision, Verdict
from exactdp.analysis.wording import counted, digits_of, piece_text, union_text
from exactdp.exact import Scalar
from exactdp.report.headline import LONGEST, Headline, headline, number
from exactdp.report.items import Fact, Grid, Item, Told, columns, grid_of
from exactdp.report.levels import pieces_headline
from exactdp.report.values import interval_json, mechanism_json, number_json, numbers_json

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
        "outer": numbers_json(kernel.outer),
        "mechanism": mechanism_json(kernel.mechanism),
    }


def _vertex_listing(title: str, polytope: PosteriorPolytope, numbers: Sequence[int], *, shown: int | None = None) -> list[Item]:
    def rows(some: Iterable[int]) -> Iterable[tuple[str, ...]]:
        return ((f"v{k}", *map(str, polytope.vertex(k))) for k in some)

    few = len(numbers) if shown is None else min(shown, len(numbers))
    head = ("", *polytope.neighbours.vertices)
    line = "{} = ({})".format
    return columns(title, head, rows(numbers[:few]), lambda name, *values: line(name, ", ".join(values)), len(numbers), rows(numbers[few:]))


def _set(support: Sequence[int]) -> str:
    return f"{{{', '.join(f'v{k}' for k in support)}}}"


def _vertices_facts(e: VertexCount) -> list[Item]:
    items: list[Item] = [Fact("vertices", e.count), Fact("symmetries", len(e.polytope.automorphisms))]
    return items + _vertex_listing("posteriors", e.polytope, range(e.count), shown=SHOWN)


def _vertices_json(e: VertexCount) -> dict[str, Any]:
    vertices = [numbers_json(e.polytope.vertex(k)) for k in range(min(LISTED, e.count))]
    inputs = list(e.polytope.neighbours.vertices)
    return {"count": e.count, "inputs": inputs, "vertices": vertices, "symmetries": len(e.polytope.automorphisms)}


def _kernels_facts(e: KernelCount) -> list[Item]:
    items: list[Item] = [
        Fact("kernel mechanisms", e.count),
        Fact("classes", len(e.classes)),
        Fact("symmetries", len(e.polytope.automorphisms)),
        Fact("vertices", len(e.polytope)),
        Fact("complete", e.complete),
    ]
    sizes = [(str(k), str(count)) for k, count in e.by_size.items()]
    items += columns("by number of posteriors", ("posteriors", "kernel mechanisms"), sizes, "{}: {}".format, len(sizes))
    rows = [(str(circuit.size), _set(circuit.support)) for circuit in e.classes[:SHOWN]]
    return items + columns("classes (size × posteriors)", ("size", "posteriors"), rows, "{} × {}".format, len(e.classes))


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


def _kernel_levels_facts(e: KernelLevels) -> list[Item]:
    digits = digits_of(piece for piece, _ in e.pieces)
    rows = [(piece_text(piece, digits=digits), str(count)) for piece, count in e.pieces]
    return columns("kernel mechanisms at each level a", ("levels", "kernel mechanisms"), rows, "{}: {}".format, len(rows))


def _kernel_levels_json(e: KernelLevels) -> dict[str, Any]:
    counts = {count for _, count in e.pieces}
    pieces = [{"interval": interval_json(piece), "count": count} for piece, count in e.pieces]
    return {"count": counts.pop() if len(counts) == 1 else None, "pieces": pieces}


def _kernel_facts(e: KernelEvidence) -> list[Item]:
    known = [k for k in e.vertices if k is not None]
    items: list[Item] = [
        Fact("posteriors", len(e.vertices)),
        Fact("of them vertices", len(known)),
        Fact("linearly independent", "yes" if e.independent else "no"),
    ]
    return items + _vertex_listing("vertices", e.polytope, known)


def _kernel_json(e: KernelEvidence) -> dict[str, Any]:
    return {"vertices": list(e.vertices), "independent": e.independent}


def _mixture_facts(e: MixtureEvidence) -> list[Item]:
    items: list[Item] = []
    for place, mixture in enumerate(e.mixtures, 1):
        rows = [(str(weight), _set(kernel.support)) for weight, kernel in mixture.parts]
        title = f"mixture {place} (weight × kernel mechanism)"
        items += columns(title, ("weight", "kernel mechanism"), rows, "{} × {}".format, len(rows))
        used = sorted({k for _, kernel in mixture.parts for k in kernel.support})
        items += _vertex_listing("vertices", e.polytope, used)
    return items + ([] if e.remap is None else [grid_of("post-processing of the mixture", e.remap)])


def _mixture_json(e: MixtureEvidence) -> dict[str, Any]:
    return {
        "mixtures": [[{"weight": number_json(w), "kernel": kernel_json(kernel)} for w, kernel in mixture.parts] for mixture in e.mixtures]
    }


def _universal_facts(e: UniversalEvidence) -> list[Item]:
    items: list[Item] = [] if not e.rule else [Fact("argument", e.rule)]
    if e.mechanism is not None:
        items.append(grid_of("mechanism", e.mechanism))
    if e.rule in {"priors", "prior"}:
        items += _prior_listing("priors", e, _priors(e))
        items += [grid_of(f"optimal for prior {k}", m) for k, m in enumerate(e.better, 1)]
    elif e.rule in {"path", "cycle"}:
        items.append(Fact(e.rule, " – ".join(e.loss.inputs[x] for x in e.inputs)))
    elif e.rule == "star":
        items += [Fact("input", e.loss.inputs[e.inputs[0]]), Fact("its neighbours", ", ".join(e.loss.inputs[x] for x in e.inputs[1:]))]
    elif e.rule == "kinks":
        items += _prior_listing("kinks", e, e.priors, shown=SHOWN)
    return items


def _universal_json(e: UniversalEvidence) -> dict[str, Any]:
    found: dict[str, Any] = {"argument": e.rule or None}
    if e.mechanism is not None:
        found["mechanism"] = mechanism_json(e.mechanism)
    if e.inputs:
        found["inputs"] = [e.loss.inputs[x] for x in e.inputs]
    if e.priors:
        found["priors"] = [[number_json(p) if isinstance(p, Scalar) else str(p) for p in prior] for prior in _priors(e)]
    if e.better:
        found["better"] = [mechanism_json(m) for m in e.better]
    return found


def _priors(e: UniversalEvidence) -> Sequence[Sequence[Any]]:
    """The priors with sum 1; of kinks, which are directions, as they are."""
    return e.priors if e.rule == "kinks" else [[p / sum(prior[1:], prior[0]) for p in prior] for prior in e.priors]


def _prior_listing(title: str, e: UniversalEvidence, priors: Sequence[Sequence[Any]], *, shown: int | None = None) -> list[Item]:
    def rows(some: Iterable[Sequence[Any]]) -> Iterable[tuple[str, ...]]:
        return (tuple(map(str, prior)) for prior in some)

    def line(*prior: str) -> str:
        return f"({', '.join(map('{}: {}'.format, e.loss.inputs, prior))})"

    few = len(priors) if shown is None else shown
    return columns(title, e.loss.inputs, rows(priors[:few]), line, len(priors), rows(priors[few:]))


def _universal_levels_facts(e: UniversalLevels) -> list[Item]:
    words = {True: "yes", False: "no", None: "not decided"}
    digits = digits_of(piece for piece, _ in e.pieces)
    rows = [(piece_text(piece, digits=digits), words[yes], "" if found is None else found.rule) for piece, (yes, found) in e.pieces]
    title = "universally optimal mechanism at each level a"
    return columns(title, ("levels", "is there one?", "argument"), rows, _argued, len(rows))


def _universal_levels_json(e: UniversalLevels) -> dict[str, Any]:
    answers = ((part, yes, None if why is None else why.rule) for part, (yes, why) in e.pieces)
    return {"pieces": [{"interval": interval_json(part), "value": yes, "argument": rule} for part, yes, rule in answers]}


def _argued(what: str, answer: str, argument: str) -> str:
    return f"{what}: {answer} ({argument})" if argument else f"{what}: {answer}"


def _utility_set_facts(e: UtilitySet) -> list[Item]:
    words = {Decision.PROVED: "served", Decision.REFUTED: "not served", Decision.UNDECIDED: "not decided"}
    rows = [(name, words[verdict.decision], verdict.evidence.rule) for name, verdict in e.answers]
    facts = [Fact(word, len(e.named(decision))) for decision, word in words.items()]
    return [*facts, *columns("losses", ("loss", "answer", "argument"), rows, _argued, len(rows))]


def _utility_set_json(e: UtilitySet) -> dict[str, Any]:
    losses = [{"loss": name, "verdict": str(verdict.decision.value), **_universal_json(verdict.evidence)} for name, verdict in e.answers]
    return {"losses": losses, "undecided": len(e.named(Decision.UNDECIDED))}


def _capacity_facts(e: CapacityEvidence) -> list[Item]:
    return [Fact(f"{e.kind} capacity", e.value)]


def _capacity_json(e: CapacityEvidence) -> dict[str, Any]:
    return {"capacity": e.kind, "value": number_json(e.value)}


def _type_capacity_facts(e: TypeCapacityEvidence) -> list[Item]:
    return [Fact(f"{e.kind} capacity", e.value), grid_of("attained by", e.mechanism)]


def _type_capacity_json(e: TypeCapacityEvidence) -> dict[str, Any]:
    return {"capacity": e.kind, "value": number_json(e.value), "mechanism": mechanism_json(e.mechanism)}


def _capacity_levels_facts(e: CapacityLevels) -> list[Item]:
    digits = digits_of(piece for piece, _ in e.values)
    rows = [(piece_text(piece, e.letter, digits), "not decided" if value is None else str(value)) for piece, value in e.values]
    items = columns(f"{e.kind} capacity at each level {e.letter}", ("levels", "capacity"), rows, "{}: {}".format, len(rows))
    digits = digits_of(piece for piece, _ in e.pieces)
    found = ((piece, attained) for piece, attained in e.pieces if attained is not None)
    return items + [grid_of(f"attained by, for {e.letter} in {piece.text(digits)}", attained.mechanism) for piece, attained in found]


def _capacity_levels_json(e: CapacityLevels) -> dict[str, Any]:
    values = [{"interval": interval_json(part), "value": None if value is None else number_json(value)} for part, value in e.values]
    details = [{"interval": interval_json(part), **({} if at is None else _type_capacity_json(at))} for part, at in e.pieces]
    only = values[0]["value"] if len(values) == 1 else None
    return {"capacity": e.kind, "value": only, "parameter": e.letter, "pieces": values, "details": details}


def _capacity_parts_facts(e: CapacityParts) -> list[Item]:
    rows = [(str(part.scope), str(part.evidence.value)) for part in e.parts]
    return columns(f"{e.kind} capacity on parts", ("part", "capacity"), rows, "{}: {}".format, len(rows))


def _capacity_parts_json(e: CapacityParts) -> dict[str, Any]:
    parts = [{"scope": str(part.scope), **_type_capacity_json(part.evidence)} for part in e.parts]
    return {"capacity": e.kind, "value": None, "parts": parts}


EQUAL = "mechanisms with equal hyper-distributions count as one"
"""How kernel mechanisms are counted."""


def _at(polytope: PosteriorPolytope) -> tuple[str, ...]:
    """The level of a privacy type."""
    return (polytope.level.text,)


def _vertices_headline(verdict: Verdict[VertexCount]) -> Headline:
    e = verdict.evidence
    return headline("vertices of the posterior polytope:", number(e.count), what="vertices", assumed=_at(e.polytope))


def _kernels_headline(verdict: Verdict[KernelCount]) -> Headline:
    e = verdict.evidence
    counted_as = "kernel mechanisms:" if verdict.proved else "kernel mechanisms: at least"
    return headline(counted_as, number(e.count), what="kernel mechanisms", assumed=(*_at(e.polytope), EQUAL))


def _kernel_levels_headline(verdict: Verdict[KernelLevels]) -> Headline:
    counts = [count for _, count in verdict.evidence.pieces]
    what = "kernel mechanisms"
    if not counts:
        return headline(f"{what}: none counted in time", what=what, assumed=(EQUAL,))
    least, most = min(counts), max(counts)
    found = "" if verdict.proved else " found so far"
    if least < most:
        told = f"{what}{found}: from {least} to {most}, on {len(counts)} parts of the levels"
        return headline(told, what=what, assumed=(EQUAL,))
    where = "at every level" if verdict.proved else "on part of the levels"
    return headline(f"{what}{found}:", number(least), where, what=what, value=least if verdict.proved else None, assumed=(EQUAL,))


def _kernel_headline(verdict: Verdict[KernelEvidence]) -> Headline:
    e = verdict.evidence
    known = sum(k is not None for k in e.vertices)
    rank = "independent" if e.independent else "dependent"
    why = f"{known} of {len(e.vertices)} posteriors are vertices, linearly {rank}"
    told = "a kernel mechanism" if verdict.proved else "not a kernel mechanism"
    return headline(f"{told}: {why}", what="kernel mechanism", value=known, assumed=_at(e.polytope))


def _mixture_headline(verdict: Verdict[MixtureEvidence]) -> Headline:
    e = verdict.evidence
    at, sums = _at(e.polytope), "convex sums of kernel mechanisms"
    if verdict.refuted:
        return headline("only one convex sum: it is one kernel mechanism", what=sums, value=1, assumed=at)
    if verdict.decision is Decision.UNDECIDED:
        return headline("not decided: one convex sum of kernel mechanisms was found", what=sums, assumed=at)
    sizes = [len(mixture.parts) for mixture in e.mixtures]
    if len(sizes) > 1:
        return headline(f"{len(sizes)} different {sums}", what=sums, value=len(sizes), assumed=at)
    if sizes[0] == 1:
        return headline("derivable from 1 kernel mechanism", what="kernel mechanisms", value=1, assumed=at)
    return headline(f"derivable from a convex sum of {sizes[0]} kernel mechanisms", what="kernel mechanisms", value=sizes[0], assumed=at)


def _universal_headline(verdict: Verdict[UniversalEvidence]) -> Headline:
    """Whether a mechanism, or any, is optimal for every prior."""
    e = verdict.evidence
    why = f" (argument: {e.rule})" if e.rule else ""
    asked_of_any = "A mechanism is universally optimal" in verdict.claim  # the evidence has the one that was found
    told = {
        Decision.PROVED: f"a universally optimal mechanism exists{why}" if asked_of_any else f"universally optimal{why}",
        Decision.REFUTED: f"not universally optimal{why}" if e.mechanism is not None else f"no universally optimal mechanism{why}",
        Decision.UNDECIDED: "not decided: universally optimal for every prior?",
    }
    loss = (f"{e.loss.title}, every prior",)
    return headline(told[verdict.decision], what="universally optimal", value=verdict.decision.value, assumed=loss)


def _universal_levels_headline(verdict: Verdict[UniversalLevels]) -> Headline:
    e = verdict.evidence
    loss = (f"{e.loss.title}, every prior",)
    answers = [(piece, yes) for piece, (yes, _) in e.pieces]
    what = "universally optimal mechanism"
    if len({yes for _, yes in answers}) == 1:
        said = {True: f"a {what} at every level", False: f"no {what} at any level", None: f"not decided: {what}"}[answers[0][1]]
        return headline(said, what=what, assumed=loss)
    there = union_text(e.pieces.where(lambda answer: answer[0]))
    is_open = any(yes is None for _, yes in answers)
    nowhere = union_text(e.pieces.where(lambda answer: answer[0] is False))
    if not there and len(nowhere) <= LONGEST - 60:
        return headline(f"no {what} for a in {nowhere}, not decided on others", what=what, value="none found", assumed=loss)
    rest = ", not decided on others" if is_open else ", not at every level"
    if not there or len(there) > LONGEST - 60:
        count = sum(yes is True for _, yes in answers)
        return headline(f"{what} on {count} of {len(answers)} parts of the levels{rest}", what=what, value=there, assumed=loss)
    only = "" if is_open else "only "
    return headline(f"{what} {only}for a in {there}{rest}", what=what, value=there, assumed=loss)


def _utility_set_headline(verdict: Verdict[UtilitySet]) -> Headline:
    e = verdict.evidence
    served, lost = len(e.named(Decision.PROVED)), len(e.named(Decision.REFUTED))
    left = len(e.answers) - served - lost
    told = f"serves {served} of {len(e.answers)} losses universally"
    losses = (f"losses {', '.join(name for name, _ in e.answers)}",)
    return headline(told + (f", {left} not decided" if left else ""), what="losses served", value=served, assumed=losses)


def _capacity_headline(verdict: Verdict[CapacityEvidence | TypeCapacityEvidence]) -> Headline:
    e = verdict.evidence
    largest = "largest " if isinstance(e, TypeCapacityEvidence) else ""
    return headline(f"{largest}{e.kind} capacity", number(e.value))


def _capacity_levels_headline(verdict: Verdict[CapacityLevels]) -> Headline:
    e = verdict.evidence
    return pieces_headline(f"largest {e.kind} capacity", e.values, e.letter)


def _capacity_parts_headline(verdict: Verdict[CapacityParts]) -> Headline:
    e = verdict.evidence
    name = f"largest {e.kind} capacity"
    if not e.parts:
        return headline(f"{name}: no formula found", what=name)
    told = f"{name}: {counted(len(e.parts), 'formula')} on parts, the first is"
    return headline(told, number(str(e.parts[0].evidence.value)), what=name, value=None)


EVIDENCE = {
    VertexCount: Told(_vertices_facts, _vertices_json, _vertices_headline),
    KernelCount: Told(_kernels_facts, _kernels_json, _kernels_headline),
    KernelLevels: Told(_kernel_levels_facts, _kernel_levels_json, _kernel_levels_headline),
    KernelEvidence: Told(_kernel_facts, _kernel_json, _kernel_headline),
    MixtureEvidence: Told(_mixture_facts, _mixture_json, _mixture_headline),
    UniversalEvidence: Told(_universal_facts, _universal_json, _universal_headline),
    UniversalLevels: Told(_universal_levels_facts, _universal_levels_json, _universal_levels_headline),
    UtilitySet: Told(_utility_set_facts, _utility_set_json, _utility_set_headline),
    CapacityEvidence: Told(_capacity_facts, _capacity_json, _capacity_headline),
    TypeCapacityEvidence: Told(_type_capacity_facts, _type_capacity_json, _capacity_headline),
    CapacityLevels: Told(_capacity_levels_facts, _capacity_levels_json, _capacity_levels_headline),
    CapacityParts: Told(_capacity_parts_facts, _capacity_parts_json, _capacity_parts_headline),
}
