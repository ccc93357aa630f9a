# SPDX-License-Identifier: MIT
"""``exactdp delta``: (ε, δ)-privacy: the least δ at a level, the smallest ε of a δ, or whether both hold."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import click

from exactdp.analysis.approximate import is_approximately_private, least_delta, level_for_delta
from exactdp.analysis.verdict import Verdict
from exactdp.cli.inputs import in_one_order, level_or_one_of, meant_neighbours, neighbours_of, on_inputs, read_given
from exactdp.cli.judged import judged, not_stochastic
from exactdp.cli.output import Output, answering
from exactdp.cli.program import command
from exactdp.cli.reading import (
    Reading,
    Unsized,
    about_printed,
    adjacency_options,
    complete_mechanism,
    level_options,
    reading_options,
    rounding_of,
    rounding_option,
)
from exactdp.errors import InputError
from exactdp.exact import RationalFunction
from exactdp.model import Neighbours, PrivacyLevel, Table, TightestLevel
from exactdp.report.items import Fact, Item
from exactdp.report.privacy import DIVIDED, change_by_division
from exactdp.report.values import level_json, number_json
from exactdp.runtime.progress import seconds_left

T = TypeVar("T")

Cost = list[tuple[str, list[Item]]]
"""A section that tells what dividing by row sums changes, or none."""

CHANGES = "what dividing by the row sums changes"
"""What a time limit can keep from being known of a rounded table."""


@command(
    "exactdp delta geometric:n=3,alpha=1/2 --epsilon 1/2",
    "exactdp delta geometric:n=3,alpha=1/2 --epsilon 1/2 --delta 1/5",
    "exactdp delta geometric:n=3,alpha=1/2 --delta 1/10",
    "exactdp delta table.csv --graph path:4 --alpha 1/2 -o delta.edp.json",
)
@click.argument("mechanism", shell_complete=complete_mechanism)
@click.option("--delta", metavar="DELTA", help="With a level: is MECHANISM (ε, δ)-private? Alone: the smallest ε for this δ.")
@level_options
@rounding_option
@adjacency_options
@about_printed
@reading_options
@answering
def delta(
    out: Output,
    mechanism: str,
    delta: str | None,
    alpha: str | None,
    epsilon: str | None,
    rounding: str | None,
    graph: str | Unsized | None,
    metric: str | None,
    reading: Reading,
) -> int:
    """What is the least δ for which MECHANISM is (ε, δ)-private, exactly?

    With --epsilon or --alpha: the least δ there, with the event that attains it; with --epsilon 0 it is the
    largest distance in total variation of two neighbours. With --delta as well: is
    MECHANISM (ε, δ)-private? With --delta alone: the smallest ε (the largest level) for this δ.

    'exactdp mechanisms' lists the words for MECHANISM. The mechanism's own level stands inside the word; a
    word without one is made for the level asked about.
    """
    if delta is None and alpha is None and epsilon is None:
        raise click.UsageError("say what is known: --epsilon or --alpha (for the least δ), --delta (for the smallest ε), or both")
    if reading.digits is not None:
        from exactdp.cli.printed import printed_delta  # loaded for printed tables only

        return printed_delta(out, mechanism, delta, alpha, epsilon, graph, metric, reading)
    level = level_or_one_of(alpha, epsilon, reading=reading)
    own = level if isinstance(level, PrivacyLevel) else None
    if own is not None and isinstance(own.alpha, RationalFunction):
        raise click.UsageError("delta is about one level; give a number instead of --alpha symbolic")
    given = read_given(mechanism, reading, level=own, notes=out.notes)
    near = meant_neighbours(neighbours_of(graph, metric, reading), given, out)
    near = in_one_order(reading, out.notes, near, given)
    given = on_inputs(given, near.vertices)
    out.require_used()
    bound = rounding_of(rounding)
    judging = judged(out, given, bound)
    if judging is None:
        out.notes += ["not asked, as the table is not a mechanism: --delta"] if delta is not None else []
        return not_stochastic(out, given, near, bound, own)
    given = judging.given
    if level is None:
        bought = partial(level_for_delta, given.mechanism(), near, delta, progress=out.progress, time_limit=seconds_left())
        verdict: Verdict[Any] = out.or_certain(lambda: _told(bought))
        if out.leaves(verdict):
            return out.answer(judging.said(verdict), extra=judging.keys)
        changed = out.in_time(CHANGES, lambda: _level_cost(judging.stands, near, delta, verdict.evidence.ratio))
        cost, standing = changed or ([], {})
        return out.answer(judging.said(verdict), also=cost, extra=judging.keys | standing)
    subject = given.mechanism()
    if delta is None:
        ask = partial(least_delta, subject, near, level, progress=out.progress, time_limit=seconds_left())
    else:
        ask = partial(is_approximately_private, subject, near, level, delta, progress=out.progress, time_limit=seconds_left())
    verdict = out.or_certain(lambda: _told(ask))
    if out.leaves(verdict):
        return out.answer(judging.said(verdict), extra=judging.keys)
    if verdict.evidence.bought is not None:
        out.uncertified.append(
            f"the certificate says which level δ = {verdict.evidence.bought.delta} buys; ε = {level.epsilon}, which has no field with it, "
            "was compared with that as a number"
        )
    judged_delta = None if verdict.evidence.bought is not None else verdict.evidence.delta
    changed = out.in_time(CHANGES, lambda: _delta_cost(judging.stands, near, level, judged_delta))
    cost, standing = changed or ([], {})
    return out.answer(judging.said(verdict), also=cost, extra=judging.keys | standing)


def _level_cost(stands: Table | None, near: Neighbours, delta: str | None, judged: Any) -> tuple[Cost, dict[str, Any]]:
    """The level that δ buys of a rounded table as it stands, against that of what is judged."""
    if stands is None:
        return [], {}
    own = None if stands.faults().negative else TightestLevel(level_for_delta(stands, near, delta).evidence.ratio)
    items = change_by_division(own, TightestLevel(judged), what=f"level that δ = {delta} buys")
    return [(DIVIDED, items)], {"as_it_stands": {"level": None if own is None else level_json(own)}}


def _delta_cost(stands: Table | None, near: Neighbours, level: PrivacyLevel | TightestLevel, judged: Any) -> tuple[Cost, dict[str, Any]]:
    """The least δ of a rounded table as it stands, against that of what is judged."""
    if stands is None:
        return [], {}
    if stands.faults().negative:
        return [(DIVIDED, [Fact("least δ as it stands", "not defined: entries are negative")])], {}
    if judged is None:
        return [], {}
    own = least_delta(stands, near, level).evidence.delta
    items: list[Item] = [Fact("least δ as it stands", own), Fact("of the mechanism judged", judged), Fact("difference", judged - own)]
    return [(DIVIDED, items)], {"as_it_stands": {"delta": number_json(own)}}


def _told(ask: Callable[[], T]) -> T:
    """What ``ask()`` returns; its error names the option."""
    try:
        return ask()
    except InputError as error:
        raise type(error)(f"--delta: {error.message}", **error.facts) from None
