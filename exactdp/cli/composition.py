# SPDX-License-Identifier: MIT
"""``exactdp compose``: how private are several releases together?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import click

from exactdp.analysis import Verdict, tightest_level
from exactdp.analysis.composition import collection_level, in_notation, parallel_level, sequential_level
from exactdp.analysis.faulty_tables import level_as_it_stands
from exactdp.analysis.privacy import PrivacyEvidence
from exactdp.analysis.rounded_tables import zeroed, zeroed_text
from exactdp.analysis.stochastic import unrounded_text
from exactdp.cli.inputs import Given, in_one_order, level_of, meant_neighbours, neighbours_of, on_inputs, read_given, sized
from exactdp.cli.judged import not_stochastic, note_rounding, subject_of
from exactdp.cli.output import Output, answering
from exactdp.cli.program import command
from exactdp.cli.reading import (
    Reading,
    Unsized,
    complete_mechanism,
    leave_out,
    level_options,
    neighbour_options,
    reading_options,
    rounding_of,
    rounding_option,
)
from exactdp.errors import DomainError
from exactdp.exact import Rational, RationalFunction
from exactdp.model import Graph, Neighbours, PrivacyLevel
from exactdp.model.mechanism import over_one_field
from exactdp.report.headline import epsilon_first
from exactdp.report.items import Fact, Item
from exactdp.report.privacy import change_by_division
from exactdp.report.values import level_json


@command(
    "exactdp compose geometric:n=3,alpha=1/2 geometric:n=3,alpha=1/3",
    "exactdp compose geometric:n=3 table.csv --alpha 1/2 --graph path:4 -o together.edp.json",
    "exactdp compose --parallel geometric:n=3,alpha=1/2 randomized-response:n=2,keep=3/4",
    "exactdp compose --collection two-coin:truth=1/2,yes=1/2 two-coin:truth=1/2,yes=1/2 --json",
)
@click.argument("mechanisms", nargs=-1, required=True, metavar="MECHANISM...", shell_complete=complete_mechanism)
@click.option("--parallel", is_flag=True, help="The mechanisms are about separate parts of the data; neighbours differ in one part.")
@click.option("--collection", is_flag=True, help="Each mechanism is one person's report; neighbours differ in one person's value.")
@level_options
@rounding_option
@neighbour_options
@reading_options
@answering
def compose(
    out: Output,
    mechanisms: tuple[str, ...],
    parallel: bool,
    collection: bool,
    alpha: str | None,
    epsilon: str | None,
    rounding: str | None,
    graph: str | Unsized | None,
    metric: str | None,
    reading: Reading,
) -> int:
    """How private are several releases together, exactly?

    All MECHANISMs run independently on one input, so that they have the same inputs and neighbours: the level
    is at least the product of their levels (the sum of their ε), and it is larger when no pair of neighbours
    is the worst for all. With --parallel, or with --collection for reports of single people, each runs on
    data of its own, and the level is the least of theirs. Of a rounded table (--rounding) the mechanism that
    it stands for is judged.

    'exactdp mechanisms' lists the words for MECHANISM; --alpha or --epsilon is the level of words without
    one. A mechanism that is released five times is named five times.
    """
    if parallel and collection:
        raise click.UsageError("give --parallel or --collection, not both")
    if collection:
        leave_out("in a collection all values of a person are neighbours", "graph", "local", "metric")
    level = level_of(alpha, epsilon, reading=reading)
    if level is not None and isinstance(level.alpha, RationalFunction):
        raise click.UsageError("compose is about one level; give a number instead of --alpha symbolic")
    found = [read_given(text, reading, level=level, notes=out.notes) for text in mechanisms]
    if not any(given.levelled for given in found):
        leave_out("none of the mechanisms needs a level beside it", "alpha", "epsilon")
    near = _neighbours_of_each(found, out, reading, graph, metric, parallel=parallel, collection=collection)
    found = [on_inputs(given, one.vertices) for given, one in zip(found, near, strict=True)]
    out.require_used()
    bound = rounding_of(rounding)
    qualities = [given.table.quality(bound) for given in found]
    if "wrong" in qualities:
        place = qualities.index("wrong")
        return not_stochastic(out, found[place], near[place], bound)
    rounded = {given.named: given for given, quality in zip(found, qualities, strict=True) if quality == "rounded"}
    if rounded:
        out.subject = "; ".join(map(subject_of, rounded))
    else:
        note_rounding(out, words=all(given.word is not None for given in found))
    subjects = _over_one_field([given.table.unrounded(bound) for given in found])
    own = [tightest_level(subject, one, progress=out.progress).evidence for subject, one in zip(subjects, near, strict=True)]
    alone: list[Item] = [
        Fact(f"{k}. {given.named}", _told(e, level) + zeroed_text(zeroed(e, given.table.faults())))
        for k, (given, e) in enumerate(zip(found, own, strict=True), 1)
    ]
    verdict: Verdict[Any]
    if collection:
        verdict = collection_level(subjects, progress=out.progress)
    elif parallel:
        verdict = parallel_level(list(zip(subjects, near, strict=True)), progress=out.progress)
    else:
        verdict = sequential_level(subjects, near[0], progress=out.progress)
    costs = [
        (f"What dividing {given.named} by its row sums changes", change_by_division(level_as_it_stands(given.table, one), e.tightest))
        for given, one, e in zip(found, near, own, strict=True)
        if rounded.get(given.named) is given
    ]
    extra: dict[str, Any] = {
        "each_alone": [
            {"mechanism": given.title, "quality": quality, "level": level_json(e.tightest)}
            for given, quality, e in zip(found, qualities, own, strict=True)
        ]
    }
    keys = {"rounding": str(bound)} if rounded else {}
    asked = _asked(level)
    return out.answer(
        _of_unrounded(verdict if asked is None else in_notation(verdict, asked), rounded, bound),
        also=[("Each alone", alone), *costs],
        extra=extra | keys,
    )


def _neighbours_of_each(
    found: Sequence[Given],
    out: Output,
    reading: Reading,
    graph: str | Unsized | None,
    metric: str | None,
    *,
    parallel: bool,
    collection: bool,
) -> list[Neighbours]:
    """The neighbours of each release, in the order of its inputs."""
    if collection:
        near: list[Neighbours] = [Graph.complete(given.table.inputs) for given in found]
        for one in near:
            out.about(one, "the collection's own", told="all values of one person")
        return near
    chosen = neighbours_of(graph, metric, reading)
    if parallel:
        near = [meant_neighbours(chosen, given, out) for given in found]
        return [in_one_order(reading, out.notes, one, given) for one, given in zip(near, found, strict=True)]
    chosen = None if chosen is None else sized(chosen, found[0])  # a path in the order of the first table, for all
    meant = [meant_neighbours(chosen, given, out) for given in found]
    return [in_one_order(reading, out.notes, _common(meant, found), *found)] * len(found)


def _over_one_field(subjects: Sequence[Any]) -> list[Any]:
    """The tables over one field; an error says that their levels are of several kinds."""
    try:
        return list(over_one_field(*subjects))
    except DomainError as error:
        raise DomainError(f"the mechanisms have no numbers in common: {error.message}", **error.facts) from None


def _of_unrounded(verdict: Verdict[Any], rounded: Mapping[str, Given], bound: Rational) -> Verdict[Any]:
    """The verdict, whose sentence says which tables are rounded and what is judged in their place."""
    if not rounded:
        return verdict
    said = "; ".join(unrounded_text(given.table.faults(), bound, name) for name, given in rounded.items())
    return replace(verdict, claim=f"{said}: {verdict.claim[0].lower()}{verdict.claim[1:]}", assumed=(*verdict.assumed, said))


def _common(near: Sequence[Neighbours], found: Sequence[Given]) -> Neighbours:
    """The neighbours of releases about one input, which all of them must mean unless some are asked for."""
    for one, given in zip(near, found, strict=True):
        sizes = len(found[0].table.inputs), len(given.table.inputs)
        if sizes[0] != sizes[1]:
            raise click.UsageError(
                f"{found[0].title} has {sizes[0]} inputs and {given.title} has {sizes[1]}, but releases about one input have the same; "
                "give --parallel if they are about separate parts of the data"
            )
        if one.pairs() != near[0].pairs():
            raise click.UsageError(
                f"{found[0].title} means the neighbours {near[0]}, {given.title} means {one}; say which are meant with --graph"
            )
    return near[0]


def _told(e: PrivacyEvidence, level: PrivacyLevel | None) -> str:
    """The tightest level of one mechanism, as the level of the command or its own was given; else ε first."""
    given = e.mechanism.by_epsilon if level is None else level.by_epsilon
    return e.tightest.told(epsilon_first(e.tightest, given))


def _asked(level: PrivacyLevel | None) -> bool | None:
    """Whether the level was given as an ε; None if it was not: then its numbers say how levels are told."""
    return True if level is not None and level.by_epsilon else None
