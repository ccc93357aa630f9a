# SPDX-License-Identifier: MIT
"""The table of universal optimality: every connected graph with up to six vertices, two losses, five levels.

``python -m exactdp.claims.fernandes_metric_privacy.table FOLDER`` writes table.md and the certificates of graphs with up to four vertices;
every row of the table carries the digest of its certificate, which is made anew and accepted by the checker. With ``levels`` after FOLDER
it writes levels.md: every level at once, for graphs with up to five vertices (some minutes).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations
from pathlib import Path

from exactdp.analysis.universal import UniversalEvidence, universally_optimal_mechanism
from exactdp.analysis.universal_levels import UniversalLevels, universal_by_level
from exactdp.analysis.verdict import Verdict
from exactdp.certificate import certify
from exactdp.claims.fernandes_metric_privacy.common import LEVELS
from exactdp.exact import Rational
from exactdp.model import AdjacencyGraph, Loss

__all__ = ["Row", "at_every_level", "connected_graphs", "predicted", "rows"]

LARGEST = {"zero-one": 6, "distance": 4}
"""Up to how many vertices each loss is asked about."""

WRITTEN = 4
"""Certificates are written as files up to so many vertices."""


EVERY_LEVEL = 5
"""Up to so many vertices the zero-one loss is asked about at every level."""


@dataclass(frozen=True)
class Row:
    """One graph, loss and level, with the answer."""

    graph: AdjacencyGraph
    loss: str
    level: str
    verdict: Verdict[UniversalEvidence]


def connected_graphs(n: int) -> list[AdjacencyGraph]:
    """The connected graphs on n vertices, one of each class of isomorphism: 1, 1, 2, 6, 21, 112 for n = 1, …, 6.

    >>> [len(connected_graphs(n)) for n in (1, 2, 3, 4)]
    [1, 1, 2, 6]
    """
    level: set[tuple[tuple[int, int], ...]] = {()}
    for m in range(2, n + 1):
        orders = list(permutations(range(m)))
        larger = set()
        for edges in level:
            for k in range(1, m):
                for near in combinations(range(m - 1), k):
                    new = [*edges, *((i, m - 1) for i in near)]
                    larger.add(min(tuple(sorted((min(p[i], p[j]), max(p[i], p[j])) for i, j in new)) for p in orders))
        level = larger
    return [AdjacencyGraph(range(n), edges) for edges in sorted(level, key=lambda e: (len(e), e))]


def predicted(graph: AdjacencyGraph, level: str) -> bool:
    """For the zero-one loss: a tree with (degree − 1)·α ≤ 1 at every vertex."""
    top, below = map(int, level.split("/"))
    most = max(map(len, graph.adjacency()))
    return len(graph.edges) == len(graph.vertices) - 1 and (most - 1) * top <= below


def rows(loss: str, largest: int, smallest: int = 2) -> Iterator[Row]:
    """All rows of one loss."""
    for n in range(smallest, largest + 1):
        for graph in connected_graphs(n):
            table = Loss.zero_one(graph.vertices) if loss == "zero-one" else Loss.from_distance(graph)
            for level in LEVELS:
                yield Row(graph, loss, level, universally_optimal_mechanism(graph, level, table))


def _line(row: Row, number: int, folder: Path) -> str:
    e = row.verdict.evidence
    certificate = certify(row.verdict)
    if len(row.graph.vertices) <= WRITTEN:
        certificate.write(folder / "table" / f"{row.loss}-{len(row.graph.vertices)}-{number}-{row.level.replace('/', '-')}.edp.json")
    edges = " ".join(f"{i}{j}" for i, j in row.graph.edges)
    answer = f"yes ({e.rule})" if row.verdict.proved else f"no ({len(e.priors)} priors)"
    return f"| {len(row.graph.vertices)} | {edges} | {row.level} | {answer} | {certificate.digest.removeprefix('sha256:')[:16]} |"


def main(folder: Path) -> None:
    """Write the table and the small certificates."""
    (folder / "table").mkdir(parents=True, exist_ok=True)
    parts = ["# Which graphs have a universally optimal mechanism?\n"]
    for loss, largest in LARGEST.items():
        lines, number, last, agree = [], 0, None, True
        for row in rows(loss, largest):
            number = number + 1 if row.graph is not last else number
            last = row.graph
            lines.append(_line(row, number, folder))
            agree = agree and (loss != "zero-one" or row.verdict.proved == predicted(row.graph, row.level))
        parts.append(f"## {loss} loss, up to {largest} vertices\n")
        if loss == "zero-one":
            parts.append(
                f"Yes exactly for trees with (degree − 1)·α ≤ 1 at every vertex: this holds in {'every' if agree else 'NOT every'} row.\n"
            )
        parts.append("| vertices | edges | α | universally optimal mechanism | certificate (digest begins) |\n|---|---|---|---|---|")
        parts.append("\n".join(lines) + "\n")
    (folder / "table.md").write_text("\n".join(parts), encoding="utf-8")


def at_every_level(graph: AdjacencyGraph) -> tuple[Verdict[UniversalLevels], bool]:
    """The answer for the zero-one loss at every level, and whether it is what the trees predict: yes up to the level 1/(degree − 1)."""
    verdict = universal_by_level(graph, Loss.zero_one(graph.vertices))
    most = max(map(len, graph.adjacency())) - 1
    tree = len(graph.edges) == len(graph.vertices) - 1
    agree = all(yes == (tree and (most <= 1 or piece.upper <= Rational(1, most))) for piece, yes, _ in verdict.evidence.pieces)
    return verdict, agree


def levels(folder: Path) -> None:
    """Write levels.md, and certificates of the small graphs."""
    lines, every = [], True
    for n in range(2, EVERY_LEVEL + 1):
        for number, graph in enumerate(connected_graphs(n), 1):
            verdict, agree = at_every_level(graph)
            every = every and agree
            certificate = certify(verdict)
            if n <= WRITTEN:
                certificate.write(folder / "table" / f"zero-one-{n}-{number}-every-level.edp.json")
            pieces = verdict.evidence.pieces
            yes = [piece for piece, answer, _ in pieces if answer]
            where = "every level" if len(yes) == len(pieces) else f"(0, {yes[-1].upper}]" if yes else "no level"
            edges = " ".join(f"{i}{j}" for i, j in graph.edges)
            digest = certificate.digest.removeprefix("sha256:")[:16]
            lines.append(f"| {n} | {edges} | {where} | {len(pieces)} | {digest} |")
    text = f"""# At which levels is there a universally optimal mechanism for the zero-one loss?

Every connected graph with up to {EVERY_LEVEL} vertices, every level in (0, 1) at once: each piece has an argument or
priors as functions of α, and one certificate for all pieces. Yes exactly for trees with (degree − 1)·α ≤ 1 at every vertex: this holds in
{"every" if every else "NOT every"} row.

| vertices | edges | universally optimal mechanism at | pieces | certificate (digest begins) |
|---|---|---|---|---|
"""
    (folder / "levels.md").write_text(text + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    (levels if "levels" in sys.argv[2:] else main)(Path(sys.argv[1]))
