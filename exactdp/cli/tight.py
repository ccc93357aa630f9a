# SPDX-License-Identifier: MIT
"""``exactdp tight``: is there a tight-constraints mechanism?"""

from __future__ import annotations

import click

import exactdp.report.regions  # noqa: F401 - what is told about the answers
from exactdp.analysis.on_region import is_optimal_on_region
from exactdp.analysis.region_levels import tight_levels
from exactdp.analysis.tight import is_tight_unique, tight_mechanism
from exactdp.analysis.tight_threshold import tight_threshold
from exactdp.cli.command import ExampleCommand
from exactdp.cli.options import level_options, reading_options
from exactdp.cli.output import Output, answering
from exactdp.cli.specs import Reading, level_of, neighbours_of, on_vertices, read_given
from exactdp.model import Neighbours, PrivacyLevel

__all__ = ["graph_of", "is_symbolic", "region_level", "tight"]


@click.command(
    cls=ExampleCommand,
    examples=(
        "exactdp tight sum:u=150,v=5 --alpha 3/8",
        "exactdp tight star:4 --alpha symbolic",
        "exactdp tight cycle:5 --epsilon 1/2 -o t.edp.json",
        "exactdp tight sum:u=4,v=2 --alpha 1/2 --unique",
        "exactdp tight path:4 --alpha 1/4 --optimal geometric:n=3",
        "exactdp tight counts:u=6,k=2 --threshold 15",
    ),
)
@click.argument("graph", metavar="GRAPH", required=False)
@click.option("--metric", metavar="FILE", help="Instead of GRAPH: a square CSV of distances (rationals, inf).")
@level_options
@click.option("--unique", is_flag=True, help="Is there exactly one?")
@click.option("--optimal", "given", metavar="MECHANISM", help="Is this mechanism optimal for every prior that is regular for GRAPH?")
@click.option("--threshold", type=click.IntRange(1, 60), metavar="DIGITS", help="Between which two decimals of α does it stop to exist?")
@reading_options
@answering
def tight(
    out: Output,
    graph: str | None,
    metric: str | None,
    alpha: str | None,
    epsilon: str | None,
    unique: bool,
    given: str | None,
    threshold: int | None,
    reading: Reading,
) -> int:
    """Is there a tight-constraints mechanism for GRAPH: z ≥ 0 with Φ·z = 1, where φ_ih = α^d(i,h)?

    Yes comes with the mechanism X = Φ·diag(z), which is optimal for every regular prior (binary gain). No comes with y, yΦ ≥ 0 and
    Σ y < 0. With --alpha symbolic: at exactly which levels is there one? With --threshold 15, also for large graphs: two levels 10^−15
    apart, one with and one without.

    GRAPH is path:4 (vertices), cycle:5, complete:4, hypercube:3, grid:3x3, star:4, sum:u=150,v=5, counts:u=30,k=2, or a file with one
    edge (two labels) a line.
    """
    near = graph_of(graph, metric, reading)
    if threshold is not None:
        if alpha is not None or epsilon is not None or unique or given is not None:
            raise click.UsageError("--threshold looks for the level; give it alone")
        return out.answer(tight_threshold(near, threshold))
    if is_symbolic(alpha):
        if unique or given is not None:
            raise click.UsageError("--unique and --optimal need one level, not --alpha symbolic")
        return out.answer(tight_levels(near))
    level = region_level(alpha, epsilon, near)
    if given is not None:
        table = on_vertices(read_given(given, reading, level=level, notes=out.notes), near, out.notes)
        return out.answer(is_optimal_on_region(table.mechanism(), near, level))
    return out.answer(is_tight_unique(near, level) if unique else tight_mechanism(near, level))


def graph_of(graph: str | None, metric: str | None, reading: Reading) -> Neighbours:
    """The graph or metric asked for."""
    if (graph is None) == (metric is None):
        raise click.UsageError("give a GRAPH, such as cycle:5, or --metric FILE")
    return neighbours_of(graph, metric, None, reading)


def is_symbolic(alpha: str | None) -> bool:
    """Whether all levels are asked for."""
    return alpha is not None and alpha.strip().lower() in {"symbolic", "alpha", "a", "α"}


def region_level(alpha: str | None, epsilon: str | None, near: Neighbours) -> PrivacyLevel:
    """The level of ``--alpha``, or e^(−ε) exactly for ``--epsilon``, in a field that has every α^d."""
    level = level_of(alpha, epsilon, near)
    if level is None:
        raise click.UsageError("give the level: --alpha 1/4, --epsilon 1/2, or --alpha symbolic for all of them")
    return level
