# SPDX-License-Identifier: MIT
"""Questions about all small graphs: where does the tight-constraints mechanism exist, and does the region of regular priors grow?

Every connected graph of a size is classified by its exact set of levels (:mod:`~exactdp.analysis.region_levels`); each of these answers is
a verdict with its own certificate. The smallest graph of each class is kept as a witness.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from exactdp.analysis.region_levels import LevelSet, regular_levels, tight_levels
from exactdp.analysis.regular import corner_prior
from exactdp.analysis.verdict import Verdict
from exactdp.exact import Rational
from exactdp.model import AdjacencyGraph, Prior
from exactdp.model.connected_graphs import connected_graphs

__all__ = ["Census", "Existence", "classified", "graph_census", "shrinking_corner"]


class Existence(StrEnum):
    """For which levels there is a tight-constraints mechanism."""

    ALWAYS = "at every level"
    BELOW = "exactly up to some level (from some ε on)"
    OTHER = "in a more complicated set"


@dataclass(frozen=True)
class Census:
    """All connected graphs with so many vertices, by class.

    Attributes
    ----------
    size : int
        Vertices.
    counts : dict
        How many graphs of each class.
    witnesses : dict
        For each class the verdict of its first graph (fewest edges).
    """

    size: int
    counts: dict[Existence, int]
    witnesses: dict[Existence, Verdict[LevelSet]]

    @property
    def monotone(self) -> bool:
        """Whether on all of these graphs existence at an ε implies existence at every larger ε."""
        return not self.counts[Existence.OTHER]


def classified(answer: Verdict[LevelSet]) -> Existence:
    """The class of one graph's answer.

    >>> from exactdp.model import neighbours
    >>> [classified(tight_levels(neighbours(g))).name for g in ("path:4", "star:4")]
    ['ALWAYS', 'BELOW']
    """
    found = answer.evidence
    return Existence.ALWAYS if found.always else Existence.BELOW if found.monotone else Existence.OTHER


def graph_census(size: int) -> Census:
    """Classify all connected graphs with this number of vertices, 1 to 7 (853 graphs with 7 take some 20 seconds).

    >>> {kind.name: count for kind, count in graph_census(4).counts.items()}
    {'ALWAYS': 4, 'BELOW': 2, 'OTHER': 0}
    """
    counts, witnesses = dict.fromkeys(Existence, 0), dict[Existence, Verdict[LevelSet]]()
    for graph in connected_graphs(size):
        answer = tight_levels(graph)
        kind = classified(answer)
        counts[kind] += 1
        witnesses.setdefault(kind, answer)
    return Census(size, counts, witnesses)


def shrinking_corner(
    graph: AdjacencyGraph, levels: Iterable[str] = ("1/10", "1/4", "1/2", "3/4", "9/10")
) -> Iterator[tuple[Rational, int, Verdict[LevelSet]]]:
    """Corner priors, at levels α tried, that are not regular at some level below α: the region does not grow with ε.

    Each comes with the exact set of the levels at which it is regular. Finding none proves nothing.

    >>> from exactdp.model import neighbours
    >>> level, corner, answer = next(shrinking_corner(neighbours("star:4")))
    >>> print(level, corner, *answer.evidence.intervals)
    3/4 1 (0, 2/3] [3/4, 3/4]
    """
    for text in levels:
        level = Rational(text)
        for i in range(len(graph.vertices)):
            answer = regular_levels(Prior(corner_prior(graph, level, i).weights, graph.vertices), graph)
            found = answer.evidence.intervals
            if not (found and found[0].lower == 0 and found[0].contains(level)):
                yield level, i, answer
