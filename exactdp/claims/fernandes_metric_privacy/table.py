# SPDX-License-Identifier: MIT
"""The table of universal optimality: every connected graph with up to six vertices, two losses, five levels.

``python -m exactdp.claims.fernandes_metric_privacy.table FOLDER`` writes table.md and the certificates of graphs with up to four vertices;
every row of the table carries the digest of its certificate, which is made anew and accepted by the checker.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations
from pathlib import Path

from exactdp.analysis.universal import UniversalEvidence, universally_optimal_mechanism
from exactdp.analysis.verdict import Verdict
from exactdp.certificate import certify
from exactdp.claims.fernandes_metric_privacy.common import LEVELS
from exactdp.model import AdjacencyGraph, Loss

__all__ = ["Row", "connected_graphs", "predicted", "rows"]

LARGEST = {"zero-one": 6, "distance": 4}
"""Up to how many vertices each loss is asked about."""

WRITTEN = 4
"""Certificates are written as files up to so many vertices."""


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


if __name__ == "__main__":
    main(Path(sys.argv[1]))
