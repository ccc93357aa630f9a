# SPDX-License-Identifier: MIT
"""``exactdp type``: all mechanisms of a privacy type at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import click

import exactdp.report.types  # noqa: F401  (registers how the answers are shown)
from exactdp.analysis.leakage import CAPACITIES, type_capacity
from exactdp.analysis.types.kernels import kernel_count, kernel_counts, vertex_count
from exactdp.analysis.types.mixtures import is_kernel_mechanism, kernel_mixture
from exactdp.analysis.types.universal import is_universally_optimal, universally_optimal_mechanism, utility_set
from exactdp.analysis.types.universal_levels import universal_by_level
from exactdp.analysis.verdict import Verdict
from exactdp.cli.inputs import (
    Wanted,
    in_one_order,
    level_of,
    meant_neighbours,
    neighbours_of,
    on_inputs,
    read_given,
    read_loss,
    sized,
)
from exactdp.cli.output import Output, answering
from exactdp.cli.program import command
from exactdp.cli.reading import Reading, leave_out, level_options, reading_options
from exactdp.model import Loss, Mechanism, Neighbours, PrivacyLevel
from exactdp.model.level import is_symbolic
from exactdp.runtime.progress import seconds_left


@command(
    "exactdp type path:4 --alpha 1/2 --vertices",
    "exactdp type hypercube:3 --alpha 1/2 --kernels --json",
    "exactdp type complete:4 --alpha 1/3 --capacity additive -o capacity.edp.json",
    "exactdp type star:4 --alpha 1/2 --universal zero-one",
    "exactdp type grid:9x9 --alpha 1/2 --universal zero-one -o impossible.edp.json",
    "exactdp type complete:3 --alpha 1/2 --universal zero-one --no-theorems",
    "exactdp type path:4 --alpha 1/2 --universal abs --mechanism geometric:n=3",
    "exactdp type path:4 --alpha 1/2 --universal abs --universal zero-one --mechanism geometric:n=3",
    "exactdp type path:4 --alpha 1/2 --kernels --mechanism geometric:n=3",
    "exactdp type path:4 --alpha 1/2 --mixture --mechanism uniform:n=3",
    "exactdp type path:5 --alpha symbolic --kernels",
    "exactdp type hypercube:2 --alpha symbolic --capacity multiplicative",
    "exactdp type complete:3 --alpha symbolic --universal zero-one -o none.edp.json",
    "exactdp type euclid:2x2 --epsilon 1 --capacity additive",
)
@click.argument("graph", required=False)
@click.option("--vertices", is_flag=True, help="The vertices of the posterior polytope.")
@click.option("--kernels", is_flag=True, help="All kernel mechanisms; with --mechanism: is it one?")
@click.option("--capacity", type=click.Choice(CAPACITIES), help="The largest capacity of a mechanism, with one that attains it.")
@click.option(
    "--universal",
    metavar="LOSS",
    multiple=True,
    help="Is one mechanism optimal for this loss under every prior? abs, zero-one, distance, or a CSV. "
    "Several times, with --mechanism: which of these losses does it serve?",
)
@click.option("--mixture", is_flag=True, help="A convex sum of kernel mechanisms that --mechanism is a post-processing of.")
@click.option("--mechanism", metavar="M", help="Ask about this mechanism: geometric:n=3, uniform:n=3, a table.")
@click.option("--metric", metavar="FILE", help="A square CSV of distances instead of GRAPH.")
@click.option(
    "--theorems/--no-theorems",
    default=True,
    show_default=True,
    help="Let --universal use what is proved for paths, trees, cycles and stars; else it looks for priors and kinks only.",
)
@click.option("--tries", type=click.IntRange(min=0), default=400, show_default=True, help="Priors that --universal tries.")
@level_options
@reading_options
@answering
def type(
    out: Output,
    graph: str | None,
    alpha: str | None,
    epsilon: str | None,
    metric: str | None,
    mechanism: str | None,
    reading: Reading,
    **asked: Any,
) -> int:
    """What are all private mechanisms of GRAPH like, together?

    The posteriors that private mechanisms can leave (under the uniform prior) form a polytope. A kernel
    mechanism is one whose posteriors are linearly independent vertices of it; every private mechanism is a
    post-processing of a mixture of kernel mechanisms. --kernels enumerates them completely, modulo the
    symmetries of the graph ("complete: computed"; small cases can be certified too, with -o). Where they are
    too many it finds the first of them, and says among how many sets it searches (--budget, --time-limit).

    --universal asks for a mechanism that is optimal (after a remap) for a loss, whatever the prior. For
    zero-one and distance the shape of a graph decides, at any size. Otherwise no comes with finitely many
    priors that no mechanism serves together, and undecided (exit code 4) is possible. --mechanism asks about
    one mechanism, with several losses: which of them it serves.

    --alpha symbolic: for every level at once. With --kernels the levels at which the count changes, with
    --capacity and --universal the answer on each piece, for small graphs (seconds to minutes; --time-limit).

    GRAPH is path:4 (number of vertices), cycle:5, complete:4, hypercube:3, grid:3x3, star:4 (the centre
    first) or a file with one edge (two labels) a line.
    """
    questions = [key for key in ("vertices", "kernels", "capacity", "universal", "mixture") if asked[key]]
    if len(questions) != 1:
        raise click.UsageError("ask one question: --vertices, --kernels, --capacity KIND, --universal LOSS or --mixture")
    twice = [text for text, count in Counter(asked["universal"]).items() if count > 1]
    if twice:
        raise click.UsageError(f"--universal {twice[0]} is given twice; give each loss once")
    if len(asked["universal"]) > 1:
        if mechanism is None:
            raise click.UsageError("several losses are about one mechanism: give --mechanism, such as geometric:n=3")
        if out.path is not None:
            raise click.UsageError("a certificate is about one loss: with -o give --universal once")
    if graph is None and metric is None:
        raise click.UsageError("name a graph, such as path:4 or hypercube:3, or give --metric FILE")
    chosen = neighbours_of(graph, metric, reading, option="GRAPH")
    assert chosen is not None
    near = sized(chosen, option="GRAPH")
    if not asked["universal"]:
        leave_out("only --universal tries priors and knows theorems", "theorems", "tries")
    if mechanism is not None and questions[0] in {"vertices", "capacity"}:
        raise click.UsageError(f"--{questions[0]} is about the type; leave --mechanism out")
    if is_symbolic(alpha) and not reading.has_region and mechanism is None and (asked["kernels"] or asked["universal"]):
        leave_out("--alpha symbolic is about all levels", "epsilon")
        near, _, losses = _subjects(near, None, asked["universal"], None, reading, out)
        if asked["kernels"]:
            return out.answer(kernel_counts(near, progress=out.progress, time_limit=seconds_left()))
        [loss] = losses.values()
        return out.answer(universal_by_level(near, loss, **_told(asked, out.progress)))
    level = level_of(alpha, epsilon, near, reading=reading)
    if level is None:
        raise click.UsageError("the level is missing: give --alpha, such as --alpha 1/2")
    near, subject, losses = _subjects(near, mechanism, asked["universal"], level, reading, out)
    return out.answer(_verdict(questions[0], near, level, subject, losses, asked, out.progress))


def _verdict(
    question: str,
    near: Neighbours,
    level: PrivacyLevel,
    subject: Mechanism | None,
    losses: dict[str, Loss],
    asked: dict[str, Any],
    progress: Any,
) -> Verdict[Any]:
    if question == "vertices":
        return vertex_count(near, level, progress=progress, time_limit=seconds_left())
    if question == "kernels":
        if subject is not None:
            return is_kernel_mechanism(subject, near, level, progress=progress)
        return kernel_count(near, level, progress=progress, time_limit=seconds_left())
    if question == "capacity":
        return type_capacity(near, level, asked["capacity"], progress=progress)
    if question == "mixture":
        if subject is None:
            raise click.UsageError("--mixture is about a mechanism: give --mechanism, such as uniform:n=3")
        return kernel_mixture(subject, near, level, progress=progress, time_limit=seconds_left())
    told = _told(asked, progress)
    if subject is not None and len(losses) > 1:
        return utility_set(subject, near, level, losses, **told)
    [loss] = losses.values()
    if subject is None:
        return universally_optimal_mechanism(near, level, loss, **told)
    return is_universally_optimal(subject, near, level, loss, **told)


def _told(asked: dict[str, Any], progress: Any) -> dict[str, Any]:
    return {"theorems": asked["theorems"], "tries": asked["tries"], "progress": progress, "time_limit": seconds_left()}


def _subjects(
    near: Neighbours, mechanism: str | None, losses: Sequence[str], level: PrivacyLevel | None, reading: Reading, out: Output
) -> tuple[Neighbours, Mechanism | None, dict[str, Loss]]:
    """Neighbours, mechanism and losses with their inputs in one order."""
    given = None if mechanism is None else read_given(mechanism, reading, level=level, notes=out.notes)
    near = meant_neighbours(near, given, out)
    wanted = {found.named: found for text in losses for found in [Wanted(*read_loss(text, reading))]}
    if len(wanted) < len(losses):
        raise click.UsageError(f"--universal names one loss twice: {', '.join(losses)}; give each loss once")
    near = in_one_order(reading, out.notes, near, given, *wanted.values())
    out.require_used()
    subject = None if given is None else on_inputs(given, near.vertices).mechanism()
    return near, subject, {name: found.consumer(near).loss for name, found in wanted.items()}
