# SPDX-License-Identifier: MIT
"""Universal optimality on every connected graph with a few vertices, for the zero-one loss and the distance.

``python -m proofs.fernandes_metric_privacy.table FOLDER`` writes levels.md: every level at once,
up to six vertices, by what is proved for all graphs; and every certificate. With ``priors`` after FOLDER it
writes table.md: five levels, by a search for priors that no mechanism serves, which uses none of these
theorems (some minutes); certificates of up to four vertices are files, the others are made, accepted and
given by their digest.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from exactdp.analysis.types.universal import universally_optimal_mechanism
from exactdp.analysis.types.universal_arguments import UniversalEvidence
from exactdp.analysis.types.universal_levels import UniversalLevels, universal_by_level
from exactdp.analysis.verdict import Verdict
from exactdp.certificate import certify
from exactdp.exact import Rational
from exactdp.model import Graph, Loss
from exactdp.model.small_graphs import connected_graphs
from exactdp.runtime.files import write_file
from proofs.fernandes_metric_privacy.common import LEVELS

LARGEST = {"zero-one": 6, "distance": 4}
"""Up to how many vertices priors are sought for each loss."""

WRITTEN = 4
"""Certificates with priors are written as files up to so many vertices."""

EVERY_LEVEL = 6
"""Up to so many vertices both losses are asked about at every level."""


@dataclass(frozen=True)
class Row:
    """One graph, loss and level, with the answer."""

    graph: Graph
    loss: str
    level: str
    verdict: Verdict[UniversalEvidence]


def predicted(graph: Graph, loss: str) -> Rational:
    """Up to which level there is a universally optimal mechanism: 0 for none, 1 for every level.

    >>> str(predicted(Graph(range(4), [(0, 1), (0, 2), (0, 3)]), "zero-one"))
    '1/2'
    """
    most = max(map(len, graph.adjacency()))
    if len(graph.edges) >= len(graph.vertices) or (loss == "distance" and most > 2):
        return Rational(0)
    return Rational(1) if most <= 2 else Rational(1, most - 1)


def loss_named(name: str, graph: Graph) -> Loss:
    """zero-one, or the distance in the graph."""
    return Loss.zero_one(graph.vertices) if name == "zero-one" else Loss.from_distance(graph)


def rows(loss: str, largest: int, smallest: int = 2) -> Iterator[Row]:
    """All rows of one loss."""
    for n in range(smallest, largest + 1):
        for graph in connected_graphs(n):
            table = loss_named(loss, graph)
            for level in LEVELS:
                found = universally_optimal_mechanism(graph, level, table, theorems=False)
                yield Row(graph, loss, level, found if found.refuted else universally_optimal_mechanism(graph, level, table))


def _line(row: Row, number: int, folder: Path) -> str:
    e = row.verdict.evidence
    certificate = certify(row.verdict)
    if len(row.graph.vertices) <= WRITTEN:
        certificate.write(folder / "table" / f"{row.loss}-{len(row.graph.vertices)}-{number}-{row.level.replace('/', '-')}.edp.json")
    edges = " ".join(f"{i}{j}" for i, j in row.graph.edges)
    answer = f"yes ({e.rule})" if row.verdict.proved else f"no ({len(e.priors)} priors)"
    return f"| {len(row.graph.vertices)} | {edges} | {row.level} | {answer} | {certificate.digest.removeprefix('sha256:')[:16]} |"


def by_priors(folder: Path) -> None:
    """Write table.md and the small certificates."""
    parts = ["# Priors that no mechanism serves\n"]
    parts.append("A second route to five levels of [levels.md](levels.md): where there is no universally optimal mechanism,")
    parts.append("a few priors that no single one serves.\n")
    for loss, largest in LARGEST.items():
        lines, number, last, agree = [], 0, None, True
        for row in rows(loss, largest):
            number = number + 1 if row.graph is not last else number
            last = row.graph
            lines.append(_line(row, number, folder))
            agree = agree and row.verdict.proved == (Rational(row.level) <= predicted(row.graph, loss))
        parts.append(f"## {loss} loss, up to {largest} vertices\n")
        parts.append(f"The answers of levels.md hold in {'every' if agree else 'NOT every'} row.\n")
        parts.append("| vertices | edges | α | universally optimal mechanism | certificate (digest begins) |\n|---|---|---|---|---|")
        parts.append("\n".join(lines) + "\n")
    write_file(folder / "table.md", "\n".join(parts))


def at_every_level(graph: Graph, loss: str) -> tuple[Verdict[UniversalLevels], bool]:
    """The answer at every level, and whether it is the predicted one."""
    verdict = universal_by_level(graph, loss_named(loss, graph))
    last = predicted(graph, loss)
    return verdict, all(yes == (piece.upper <= last) for piece, (yes, _) in verdict.evidence.pieces)


def levels(folder: Path) -> None:
    """Write levels.md and all its certificates."""
    lines, every = [], True
    for n in range(2, EVERY_LEVEL + 1):
        for number, graph in enumerate(connected_graphs(n), 1):
            cells = [str(n), " ".join(f"{i}{j}" for i, j in graph.edges)]
            for loss in LARGEST:
                verdict, agree = at_every_level(graph, loss)
                every = every and agree
                name = f"{loss}-{n}-{number}-every-level.edp.json"
                certify(verdict).write(folder / "table" / name)
                last = predicted(graph, loss)
                where = "no level" if not last else "every level" if last == 1 else f"(0, {last}]"
                rules = sorted({found.rule for _, found in verdict.evidence.pieces.values if found is not None})
                cells.append(f"[{where}](table/{name}) ({', '.join(rules)})")
            lines.append(f"| {' | '.join(cells)} |")
    text = f"""# At which levels is there a universally optimal mechanism?

Every connected graph with up to {EVERY_LEVEL} vertices, every level in (0, 1) at once, a certificate for each. Zero-one loss: yes exactly
for trees with (degree − 1)·α ≤ 1 at every vertex. Distance as loss: exactly for paths. Both are proved for all graphs
([arguments.md](arguments.md), [Coq](../coq/README.md)) and hold in {"every" if every else "NOT every"} row.

| vertices | edges | zero-one loss | distance |
|---|---|---|---|
"""
    write_file(folder / "levels.md", text + "\n".join(lines) + "\n")


if __name__ == "__main__":
    (by_priors if "priors" in sys.argv[2:] else levels)(Path(sys.argv[1]))
