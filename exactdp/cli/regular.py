# SPDX-License-Identifier: MIT
"""``exactdp regular``: is a prior regular for a graph?"""

from __future__ import annotations

import click

import exactdp.report.regions  # noqa: F401 - what is told about the answers
from exactdp.analysis.region_levels import regular_levels
from exactdp.analysis.regular import corner_prior, is_regular
from exactdp.cli.command import ExampleCommand
from exactdp.cli.options import level_options, reading_options
from exactdp.cli.output import Output, answering
from exactdp.cli.reading import Reading
from exactdp.cli.tight import graph_of, is_symbolic, prior_on, region_level

__all__ = ["regular"]


@click.command(
    cls=ExampleCommand,
    examples=(
        "exactdp regular 3/10,27/100,23/100,1/5 complete:4 --alpha 1/2",
        "exactdp regular 3/10,27/100,23/100,1/5 complete:4 --epsilon 1/2",
        "exactdp regular 3/10,27/100,23/100,1/5 complete:4 --alpha symbolic -o levels.edp.json",
        "exactdp regular uniform star:4 --alpha 3/5",
    ),
)
@click.argument("prior", metavar="PRIOR")
@click.argument("graph", metavar="GRAPH", required=False)
@click.option("--metric", metavar="FILE", help="Instead of GRAPH: a square CSV of distances (rationals, inf).")
@level_options
@reading_options
@answering
def regular(
    out: Output, prior: str, graph: str | None, metric: str | None, alpha: str | None, epsilon: str | None, reading: Reading
) -> int:
    """Is PRIOR regular for GRAPH: π = y·Φ with y ≥ 0, where φ_ih = α^d(i,h)?

    Yes comes with y, the coordinates γ of π among the corner priors, and the bounds that follow for the utility and the leakage of every
    private mechanism. No comes with w, Φ·w ≥ 0 and Σ π·w < 0. With --alpha symbolic: at exactly which levels is it regular?

    PRIOR is 'uniform', 'corner:2' (the corner prior of the vertex with this label), weights such as 1/2,1/4,1/4, or a file (CSV or JSON).
    GRAPH is as in 'exactdp tight --help'.
    """
    near = graph_of(graph, metric, reading)
    corner = prior.removeprefix("corner:") if prior.startswith("corner:") else None
    if is_symbolic(alpha):
        if corner is not None:
            raise click.UsageError("a corner prior depends on the level; give its weights")
        given, near = prior_on(prior, near, reading, out)
        return out.answer(regular_levels(given, near))
    level = region_level(alpha, epsilon, near)
    if corner is not None and corner in near.vertices:
        out.about(near)
        return out.answer(is_regular(corner_prior(near, level, near.vertices.index(corner)), near, level))
    given, near = prior_on(prior, near, reading, out)
    return out.answer(is_regular(given, near, level))
