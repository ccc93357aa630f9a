# SPDX-License-Identifier: MIT
"""``exactdp privacy`` and ``exactdp release``: how private is a mechanism, or a result at several levels?"""

from __future__ import annotations

from typing import Any

import click

from exactdp.analysis import is_private, is_stochastic, multi_level_release, private_levels, tightest_level
from exactdp.cli.inputs import Given, in_one_order, level_of, levels_of, meant_neighbours, neighbours_of, on_inputs, read_given
from exactdp.cli.output import Output, answering
from exactdp.cli.program import command
from exactdp.cli.reading import Reading, level_options, neighbour_options, reading_options
from exactdp.errors import InputError
from exactdp.exact import RationalFunction
from exactdp.model import Graph, Neighbours
from exactdp.report.items import Fact, Item
from exactdp.report.privacy import level_facts
from exactdp.report.values import level_json


@command(
    "exactdp privacy geometric:n=3 --alpha 1/4",
    "exactdp privacy randomized-response:n=2,keep=3/4 --graph complete:3",
    "exactdp privacy table.csv --graph path:4 --alpha 1/4 -o private.edp.json",
    "exactdp privacy printed.csv --renormalise --json",
    "exactdp privacy geometric:n=3 --epsilon 1/10",
    "exactdp privacy formulas.csv --alpha symbolic",
)
@click.argument("mechanism")
@level_options
@neighbour_options
@reading_options
@answering
def privacy(
    out: Output, mechanism: str, alpha: str | None, epsilon: str | None, graph: str | None, metric: str | None, reading: Reading
) -> int:
    """How private is MECHANISM, exactly?

    With --alpha: is it private at this level, and which constraints are tight or violated? Always: the
    tightest level, the largest α at which it is private. A table that is not row-stochastic is refuted, every
    faulty row listed; --renormalise repairs it. With --alpha symbolic, entries may be formulas in the level
    a: for which levels is the table a private mechanism?

    MECHANISM is a word such as geometric:n=3 ('exactdp mechanisms' lists them; the level inside, as in
    geometric:n=3,alpha=1/2, or from --alpha or --epsilon), or a table: CSV, JSON, .npy, '-' for standard
    input.
    """
    chosen = neighbours_of(graph, metric, reading)
    level = level_of(alpha, epsilon, chosen)
    given = read_given(mechanism, reading, level=level, notes=out.notes)
    near = in_one_order(reading, out.notes, meant_neighbours(chosen, given, out), given)
    given = on_inputs(given, near.vertices)
    out.require_used()
    if level is not None and isinstance(level.alpha, RationalFunction):
        return out.answer(private_levels(given.table, near, level, progress=out.progress))
    if given.table.faults():
        return not_stochastic(out, given, near)
    subject = given.mechanism()
    if level is None:
        return out.answer(tightest_level(subject, near, progress=out.progress))
    return out.answer(is_private(subject, near, level, progress=out.progress))


def not_stochastic(out: Output, given: Given, near: Neighbours) -> int:
    """Answer that the table is no mechanism, with its faults, and what dividing by row sums gives."""
    items: list[Item] = []
    extra: dict[str, Any] = {}
    try:
        mended = given.table.renormalise()
    except InputError as error:
        items.append(Fact("after --renormalise", f"not possible: {error.message}"))
    else:
        level = tightest_level(mended, near, progress=out.progress).evidence.tightest
        items += level_facts("tightest level", level)
        extra["renormalised"] = {"level": level_json(level)}
    return out.answer(is_stochastic(given.table), also=[("With --renormalise (each row divided by its sum)", items)], extra=extra)


@command(
    "exactdp release --n 3 --alpha 1/4,1/2,3/4",
    "exactdp release --n 2 --alpha 1/3,1/2 -o release.edp.json",
    "exactdp release --n 2 --epsilon 1,1/2",
)
@click.option("--n", "n", type=int, required=True, help="Inputs and results are 0..n.")
@click.option("--alpha", metavar="LEVELS", help="Increasing levels, such as 1/4,1/2,3/4: the least private first.")
@click.option("--epsilon", metavar="EPS", help="Instead of --alpha: decreasing ε, such as 1,1/2 or ln(3),ln(2): the least private first.")
@answering
def release(out: Output, n: int, alpha: str | None, epsilon: str | None) -> int:
    """Release a count at several levels so that no coalition learns more than its least private member.

    Builds the stages (each result is computed from the one before) and finds, for every coalition of
    consumers, the exact level of what it sees.
    """
    verdict = multi_level_release(n, levels_of(alpha, epsilon), progress=out.progress)
    out.about(Graph.path(n + 1), "a result of 0..n and the next ones")
    return out.answer(verdict)
