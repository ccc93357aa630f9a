# SPDX-License-Identifier: MIT
"""``exactdp tight`` and ``exactdp regular``: tight-constraints mechanisms, and regular priors, of a graph."""

from __future__ import annotations

import click

from exactdp.analysis.tight.optimality_on_region import is_optimal_on_region, tight_gap
from exactdp.analysis.tight.regular_priors import corner_prior, is_regular
from exactdp.analysis.tight.tight_levels import regular_levels, tight_levels, tight_threshold
from exactdp.analysis.tight.tight_mechanism import is_tight_unique, tight_mechanism
from exactdp.cli.inputs import (
    in_one_order,
    level_of,
    meant_neighbours,
    neighbours_of,
    on_inputs,
    placed,
    read_given,
    read_prior,
    sized,
)
from exactdp.cli.output import Output, answering
from exactdp.cli.program import command
from exactdp.cli.reading import Reading, leave_out, level_options, reading_options
from exactdp.model import Neighbours, Prior, PrivacyLevel
from exactdp.model.labels import brief
from exactdp.model.level import is_symbolic


@command(
    "exactdp tight sum:u=150,v=5 --alpha 3/8",
    "exactdp tight star:4 --alpha symbolic",
    "exactdp tight cycle:5 --epsilon 1/2 -o t.edp.json",
    "exactdp tight sum:u=4,v=2 --alpha 1/2 --unique",
    "exactdp tight path:4 --alpha 1/4 --mechanism geometric:n=3",
    "exactdp tight cycle:4 --alpha 1/2 --prior 1/2,0,1/2,0",
    "exactdp tight counts:u=6,k=2 --threshold 15",
)
@click.argument("graph", metavar="GRAPH", required=False)
@click.option("--metric", metavar="FILE", help="Instead of GRAPH: a square CSV of distances (rationals, inf).")
@level_options
@click.option("--unique", is_flag=True, help="Is there exactly one?")
@click.option("--mechanism", metavar="MECHANISM", help="Is this mechanism optimal for every prior that is regular for GRAPH?")
@click.option("--prior", metavar="PRIOR", help="For this prior, regular or not: the gap to the largest utility.")
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
    mechanism: str | None,
    prior: str | None,
    threshold: int | None,
    reading: Reading,
) -> int:
    """Is there a tight-constraints mechanism for GRAPH: z ≥ 0 with Φ·z = 1, where φ_ih = α^d(i,h)?

    Yes comes with the mechanism X = Φ·diag(z), which is optimal for every regular prior (binary gain). No
    comes with y, yΦ ≥ 0 and Σ y < 0. With --alpha symbolic: at exactly which levels is there one? With
    --threshold 15, also for large graphs: two levels 10^−15 apart, one with and one without. With --prior:
    how much utility does the mechanism lose for a prior outside the region?

    GRAPH is path:4 (vertices), cycle:5, complete:4, hypercube:3, grid:3x3, star:4 (the centre first),
    sum:u=150,v=5, counts:u=30,k=2, or a file with one edge (two labels) a line.
    """
    near = graph_of(graph, metric, reading)
    if threshold is not None:
        if alpha is not None or epsilon is not None or unique or mechanism is not None or prior is not None:
            raise click.UsageError("--threshold looks for the level; give it alone")
        out.about(near)
        return out.answer(tight_threshold(near, threshold, progress=out.progress))
    if is_symbolic(alpha) and not reading.has_level:
        leave_out("--alpha symbolic is about all levels", "epsilon")
        if unique or mechanism is not None or prior is not None:
            raise click.UsageError("--unique, --mechanism and --prior need one level, not --alpha symbolic")
        out.about(near)
        return out.answer(tight_levels(near, progress=out.progress))
    level = region_level(alpha, epsilon, near, reading)
    if unique + (mechanism is not None) + (prior is not None) > 1:
        raise click.UsageError("--unique, --mechanism and --prior are different questions; ask one")
    if prior is not None:
        known, near = prior_on(prior, near, reading, out)
        return out.answer(tight_gap(near, level, known, progress=out.progress))
    if mechanism is not None:
        table = read_given(mechanism, reading, level=level, notes=out.notes)
        near = in_one_order(reading, out.notes, meant_neighbours(near, table, out), table)
        subject = on_inputs(table, near.vertices).mechanism()
        return out.answer(is_optimal_on_region(subject, near, level, progress=out.progress))
    out.about(near)
    ask = is_tight_unique if unique else tight_mechanism
    return out.answer(ask(near, level, progress=out.progress))


def graph_of(graph: str | None, metric: str | None, reading: Reading) -> Neighbours:
    """The graph or metric asked for."""
    if (graph is None) == (metric is None):
        raise click.UsageError("give a GRAPH, such as cycle:5, or --metric FILE")
    near = neighbours_of(graph, metric, reading, option="GRAPH")
    assert near is not None
    return sized(near, option="GRAPH")


def prior_on(text: str, near: Neighbours, reading: Reading, out: Output) -> tuple[Prior, Neighbours]:
    """'uniform', weights, or a file with them; and the neighbours, both with their inputs in one order."""
    out.about(near)
    if text == "uniform":
        return Prior.uniform(near.vertices), near
    prior = read_prior(text, reading, more="'corner:LABEL', ")
    near = in_one_order(reading, out.notes, near, prior)
    out.require_used()
    return placed("the prior", prior, prior.inputs, near.vertices), near


def region_level(alpha: str | None, epsilon: str | None, near: Neighbours, reading: Reading) -> PrivacyLevel:
    """The level of ``--alpha``, or e^(−ε) exactly for ``--epsilon``, in a field that has every α^d."""
    level = level_of(alpha, epsilon, near, reading=reading)
    if level is None:
        raise click.UsageError("give the level: --alpha 1/4, --epsilon 1/2, or --alpha symbolic for all of them")
    return level


@command(
    "exactdp regular complete:4 --alpha 1/2 --prior 3/10,27/100,23/100,1/5",
    "exactdp regular complete:4 --epsilon 1/2 --prior 3/10,27/100,23/100,1/5",
    "exactdp regular complete:4 --alpha symbolic --prior 3/10,27/100,23/100,1/5 -o levels.edp.json",
    "exactdp regular star:4 --alpha 3/5 --prior uniform",
)
@click.argument("graph", metavar="GRAPH", required=False)
@click.option("--metric", metavar="FILE", help="Instead of GRAPH: a square CSV of distances (rationals, inf).")
@level_options
@click.option(
    "--prior",
    required=True,
    metavar="PRIOR",
    help="uniform, corner:2 (the corner prior of the vertex with this label), 1/2,1/4,1/4, or a file (CSV or JSON).",
)
@reading_options
@answering
def regular(
    out: Output, graph: str | None, metric: str | None, alpha: str | None, epsilon: str | None, prior: str, reading: Reading
) -> int:
    """Is the prior regular for GRAPH: π = y·Φ with y ≥ 0, where φ_ih = α^d(i,h)?

    Yes comes with y, the coordinates γ of π among the corner priors, and the bounds that follow for the
    utility and the leakage of every private mechanism. No comes with w, Φ·w ≥ 0 and Σ π·w < 0. With --alpha
    symbolic: at exactly which levels is it regular?

    GRAPH is as in 'exactdp tight --help'.
    """
    near = graph_of(graph, metric, reading)
    corner = prior.removeprefix("corner:") if prior.startswith("corner:") else None
    if is_symbolic(alpha) and not reading.has_region:
        leave_out("--alpha symbolic is about all levels", "epsilon")
        if corner is not None:
            raise click.UsageError("a corner prior depends on the level; give its weights")
        given, near = prior_on(prior, near, reading, out)
        return out.answer(regular_levels(near, given, progress=out.progress))
    level = region_level(alpha, epsilon, near, reading)
    if corner is not None and corner in near.vertices:
        out.about(near)
        return out.answer(is_regular(near, level, corner_prior(near, level, near.vertices.index(corner))))
    if corner is not None:
        raise click.UsageError(f"--prior {prior}: {near} has no vertex {corner!r}; its vertices are {brief(near.vertices)}")
    given, near = prior_on(prior, near, reading, out)
    return out.answer(is_regular(near, level, given))
