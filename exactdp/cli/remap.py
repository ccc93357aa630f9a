# SPDX-License-Identifier: MIT
"""``exactdp remap``: the best a consumer can make of a mechanism."""

from __future__ import annotations

from typing import Any

import click

from exactdp.analysis import Verdict, best_remap, best_remap_by_level, is_best_remap, is_remap_unique, stochastic_levels
from exactdp.analysis.optimality.letters_at_point import region_of
from exactdp.analysis.optimality.remap_optimality import GivenRemapEvidence, RemapEvidence
from exactdp.analysis.optimality.uniqueness import RemapUniqueness
from exactdp.cli.inputs import (
    Given,
    Wanted,
    in_one_order,
    leave_level_out,
    level_of,
    loss_by_law,
    matched_remap,
    meant_neighbours,
    neighbours_of,
    on_inputs,
    read_given,
    read_remap,
    read_wanted,
    sized,
)
from exactdp.cli.judged import judged as judged_table
from exactdp.cli.output import Output, answering
from exactdp.cli.program import command
from exactdp.cli.reading import (
    ConsumerWords,
    Reading,
    Unsized,
    complete_mechanism,
    consumer_options,
    leave_out,
    level_options,
    neighbour_options,
    reading_options,
    rounding_of,
    rounding_option,
    title_of,
)
from exactdp.exact import RationalFunction
from exactdp.model import Graph, Neighbours, Remap
from exactdp.report.items import Fact
from exactdp.report.privacy import DIVIDED
from exactdp.runtime.progress import seconds_left

EASY = 256
"""Up to so many entries of the remap, if they are numbers, its uniqueness is decided without being asked."""


@command(
    "exactdp remap geometric:n=3,alpha=1/4 --loss abs",
    "exactdp remap geometric:n=3 --alpha 1/4 --loss abs --unique -o u.edp.json",
    "exactdp remap geometric:n=3,alpha=1/4 --loss abs --remap remap.csv",
    "exactdp remap table.csv --loss squared --prior uniform --json",
    "exactdp remap geometric:n=2 --alpha symbolic --loss squared",
)
@click.argument("mechanism", shell_complete=complete_mechanism)
@click.option("--remap", "judged", metavar="FILE", help="Judge this remap (a table: rows outputs, columns guesses).")
@click.option("--unique/--no-unique", default=None, help="Make uniqueness the question, or leave it out (default: told for small ones).")
@consumer_options
@level_options
@rounding_option
@neighbour_options
@reading_options
@answering
def remap(
    out: Output,
    mechanism: str,
    judged: str | None,
    unique: bool | None,
    alpha: str | None,
    epsilon: str | None,
    rounding: str | None,
    graph: str | Unsized | None,
    metric: str | None,
    reading: Reading,
    consumer: ConsumerWords,
) -> int:
    """What is the consumer's best remap of MECHANISM? Is it unique; is a given one best?

    A remap turns each output into a guess, perhaps at random. The answer says whether the one that it gives
    is deterministic or randomised; where that is not the only best one, others may be of the other kind. It
    carries the least favourable prior, which proves that no remap does better. Privacy plays no part:
    post-processing keeps it. With --alpha symbolic: as a function of the level a, in pieces. Of a rounded
    table (--rounding) the mechanism that it stands for is remapped.

    'exactdp mechanisms' lists the words for MECHANISM. A consumer is minimax unless --prior is given.
    """
    level = level_of(alpha, epsilon, reading=reading)
    known = None if judged or unique or rounding else loss_by_law("BEST_REMAP", mechanism, consumer, reading, level=level)
    if known is not None:
        return out.answer(known)
    given = read_given(mechanism, reading, level=level, notes=out.notes)
    if not given.levelled:
        leave_level_out(given.title)
    wanted = read_wanted(consumer, reading)
    wanted.note_on_certificate(out)
    proposal = None if judged is None else read_remap(judged, reading, out.notes)
    if proposal is not None:
        leave_out("with --remap the question is whether that remap is best", "unique")
    inputs = given.table.inputs
    near = in_one_order(reading, out.notes, _neighbours(given, graph, metric, wanted, out), given, wanted)
    if not wanted.by_distance and set(near.vertices) == set(inputs):
        leave_out("neighbours enter a remap by the loss 'distance' only", "graph", "local", "metric")
    given, who = on_inputs(given, near.vertices), wanted.consumer(near)
    if proposal is not None:
        proposal = matched_remap(reading, out.notes, title_of(str(judged)), proposal, given.table.outputs, who.loss.guesses)
    out.require_used()
    bound = rounding_of(rounding)
    if level is not None and isinstance(level.alpha, RationalFunction):
        leave_out("a table of formulas is exact or wrong, never rounded", "rounding")
        if (fault := stochastic_levels(given.table)).refuted:
            return out.answer(fault)
        if proposal is not None or unique:
            raise click.UsageError("--remap and --unique are about one level; leave them out with --alpha symbolic")
        return out.answer(best_remap_by_level(given.mechanism(), who, progress=out.progress))
    judging = judged_table(out, given, bound)
    subject = given.mechanism() if judging is None else judging.given.mechanism()  # of a wrong table an error
    extra: dict[str, Any] = {} if judging is None else judging.keys
    facts: list[Any] = []
    verdict: Verdict[Any]
    if proposal is not None:
        verdict = is_best_remap(subject, who, proposal, progress=out.progress)
    elif unique:
        verdict = is_remap_unique(subject, who, progress=out.progress)
        extra["unique"] = _truth(verdict)
    else:
        verdict = best_remap(subject, who, progress=out.progress, time_limit=seconds_left())
        numbers = region_of(subject, who) is None
        if unique is None and verdict.proved and numbers and subject.n_outputs * len(who.loss.guesses) <= EASY:
            extra["unique"] = _truth(is_remap_unique(subject, who, progress=out.progress))
            out.uncertified.append("the certificate does not say whether it is the only best remap; that of --unique does")
            facts = [("Is it the only best remap?", [Fact("unique", {True: "yes", False: "no", None: "not decided"}[extra["unique"]])])]
    if judging is None or judging.stands is None or verdict.evidence.value is None:
        return out.answer(verdict, also=facts, extra=extra)
    which, used, loss = _remapped(verdict.evidence)
    items, standing = judging.loss_cost(f"{who.measure.word} after the {which} remap", who, used, loss)
    return out.answer(judging.said(verdict), also=[*facts, (DIVIDED, items)], extra=extra | {"as_it_stands": standing})


def _neighbours(given: Given, graph: str | Unsized | None, metric: str | None, wanted: Wanted, out: Output) -> Neighbours:
    """The graph is needed for the loss ``distance`` only, or to name the inputs of what is unlabelled."""
    reading = out.reading or Reading()
    chosen = neighbours_of(graph, metric, reading)
    if wanted.by_distance:
        return meant_neighbours(chosen, given, out)
    return sized(chosen, given) if chosen is not None else Graph(given.table.inputs, [], name="the mechanism")


def _remapped(e: RemapEvidence | RemapUniqueness) -> tuple[str, Remap, Any]:
    """Which remap an answer is about, that remap, and the loss after it."""
    if isinstance(e, RemapUniqueness):
        return "best", e.first, e.least_loss
    return ("given", e.given, e.loss) if isinstance(e, GivenRemapEvidence) else ("best", e.remap, e.least_loss)


def _truth(verdict: Verdict[Any]) -> bool | None:
    return verdict.proved if verdict.proved or verdict.refuted else None
