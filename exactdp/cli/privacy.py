# SPDX-License-Identifier: MIT
"""``exactdp privacy`` and ``exactdp release``: how private is a mechanism, or a result at several levels?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from exactdp import analysis
from exactdp.cli.inputs import Given, in_one_order, level_of, levels_of, meant_neighbours, neighbours_of, on_inputs, read_given
from exactdp.cli.output import Output, answering
from exactdp.cli.program import command
from exactdp.cli.reading import Reading, leave_out, level_options, neighbour_options, reading_options, rounding_of, rounding_option
from exactdp.errors import InputError
from exactdp.exact import Rational, RationalFunction, RegionField
from exactdp.frozen import frozen
from exactdp.model import Consumer, Neighbours, PrivacyLevel, Remap, Table
from exactdp.report.items import Fact, Item
from exactdp.report.values import level_json, number_json

if TYPE_CHECKING:
    from exactdp.analysis import Verdict

V = TypeVar("V")


@command(
    "exactdp privacy geometric:n=3 --alpha 1/4",
    "exactdp privacy randomized-response:n=2,keep=3/4 --graph complete:3",
    "exactdp privacy counts.csv --graph path --alpha 1/4 -o private.edp.json",
    "exactdp privacy reports.csv --local --rounding 1e-9",
    "exactdp privacy printed.csv --graph path --renormalise --json",
    "exactdp privacy geometric:n=3 --epsilon 1/10",
    "exactdp privacy formulas.csv --graph path --alpha symbolic",
    "exactdp privacy letters.csv --graph path --letters '0 < p < 1/2, 0 < q < 1/2, p + q < 1'",
    "exactdp privacy randomized-response:n=1,keep=1-p --letters '0 < p < 1/2' --alpha 'p/(1-p)'",
)
@click.argument("mechanism")
@level_options
@rounding_option
@neighbour_options
@reading_options
@answering
def privacy(
    out: Output,
    mechanism: str,
    alpha: str | None,
    epsilon: str | None,
    rounding: str | None,
    graph: str | None,
    metric: str | None,
    reading: Reading,
) -> int:
    """How private is MECHANISM, exactly?

    With --alpha: is it private at this level, and which constraints are tight or violated? Always: the
    tightest level, the largest α at which it is private. A table is exact, rounded or wrong (--rounding). Of
    a rounded one the mechanism that it stands for is judged. A wrong one is refuted, every faulty row listed;
    --renormalise repairs it. With --alpha symbolic, entries may be formulas in the level
    a: for which levels is the table a private mechanism?

    MECHANISM is a word such as geometric:n=3 ('exactdp mechanisms' lists them; the level inside, as in
    geometric:n=3,alpha=1/2, or from --alpha or --epsilon), or a table: CSV, JSON, .npy, '-' for standard
    input.
    """
    chosen = neighbours_of(graph, metric, reading)
    level = level_of(alpha, epsilon, chosen, reading=reading)
    given = read_given(mechanism, reading, level=level, notes=out.notes)
    near = in_one_order(reading, out.notes, meant_neighbours(chosen, given, out), given)
    given = on_inputs(given, near.vertices)
    out.require_used()
    bound = rounding_of(rounding)
    if level is not None and isinstance(level.alpha, RationalFunction):
        leave_out("a table of formulas is exact or wrong, never rounded", "rounding")
        return out.answer(analysis.private_levels(given.table, near, level, progress=out.progress))
    subject = judged(out, given, bound)
    if subject is None:
        return not_stochastic(out, given, near, bound, level)
    found = subject.given.mechanism()
    told = out.progress
    verdict = (
        analysis.tightest_level(found, near, progress=told) if level is None else analysis.is_private(found, near, level, progress=told)
    )
    if subject.stands is None:
        return out.answer(verdict)
    stands = analysis.level_as_it_stands(subject.stands, near)
    extra = {"as_it_stands": {"level": None if stands is None else level_json(stands)}}
    from exactdp.report.privacy import cost_of_rounding

    cost = cost_of_rounding(stands, verdict.evidence.tightest)
    return out.answer(subject.said(verdict), also=[("What the rounding costs", cost)], extra=subject.keys | extra)


@frozen
class Judged:
    """What is judged: the table given, or the mechanism that it stands for.

    Attributes
    ----------
    given : Given
        What is judged.
    bound : Rational
        The bound for the faults of a rounded table.
    stands : Table or None
        The rounded table as it stands; None for an exact one.
    """

    given: Given
    bound: Rational
    stands: Table | None = None

    def said(self, verdict: Verdict[V]) -> Verdict[V]:
        """The verdict, whose sentence says so when the table is rounded."""
        if self.stands is None:
            return verdict
        return analysis.of_unrounded(verdict, self.stands, self.given.title, self.bound)

    @property
    def keys(self) -> dict[str, Any]:
        """What JSON says of a rounded table."""
        return {} if self.stands is None else {"quality": "rounded", "rounding": str(self.bound)}

    def loss_cost(self, word: str, consumer: Consumer, remap: Remap | None, loss: Any) -> tuple[list[Item], dict[str, Any]]:
        """What the rounding costs a consumer, as deployed or after a remap: items, and the keys of JSON."""
        assert self.stands is not None
        table = analysis.as_deployed(self.stands, consumer) if remap is None else self.stands
        if remap is not None:
            table = Table(table.matrix @ remap.matrix, table.inputs, remap.guesses)
        measure = consumer.measure
        own, standing = measure.of(loss), measure.of(consumer.loss_of(table))
        items: list[Item] = [Fact(f"{word}, as it stands", standing), Fact("of the mechanism judged", own)]
        return [*items, Fact("difference", own - standing)], {measure.word: number_json(standing)}


def judged(out: Output, given: Given, bound: Rational) -> Judged | None:
    """What is judged of a table; None if it is wrong."""
    quality = given.table.quality(bound)
    if quality == "wrong":
        return None
    if quality == "exact":
        note_rounding(out)
        return Judged(given, bound)
    out.subject = subject_of(given.title)
    return Judged(replace(given, table=given.table.unrounded(bound).as_table()), bound, given.table)


def subject_of(title: str) -> str:
    """What a certificate is about when the table is rounded."""
    return f"the mechanism that {title} rounds, not the table as it stands"


def note_rounding(out: Output) -> None:
    """Say that ``--rounding`` changed nothing, if it was given."""
    if click.get_current_context().params["rounding"] is not None:
        out.notes.append("--rounding changed nothing: no row sum misses 1, and no entry is negative")


def not_stochastic(
    out: Output, given: Given, near: Neighbours, bound: Rational, asked: PrivacyLevel | None = None, *, named: bool = False
) -> int:
    """Answer that the table is no mechanism, with its faults, and what dividing by row sums gives.

    It is named where it is one of several.
    """
    items: list[Item] = []
    extra: dict[str, Any] = {}
    try:
        mended = given.table.renormalise()
    except InputError as error:
        items.append(Fact("after --renormalise", f"not possible: {error.message}"))
        mended = None
    if mended is not None and not isinstance(mended.field, RegionField):  # with letters it may not be one level
        level = analysis.tightest_level(mended, near, progress=out.progress).evidence.tightest
        from exactdp.report.privacy import level_facts

        items += level_facts(f"tightest level on {near}", level)
        extra["renormalised"] = {"level": level_json(level)}
        if asked is not None:
            holds = analysis.is_private(mended, near, asked).proved
            items.append(Fact(f"{asked}-private", "yes" if holds else "no"))
            extra["renormalised"]["private"] = holds
    verdict = analysis.is_stochastic(given.table, rounding=bound)
    verdict = replace(verdict, claim=verdict.claim.replace("The table", given.title, 1)) if named else verdict
    return out.answer(verdict, also=[("With --renormalise (each row divided by its sum)", items)], extra=extra)


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
    verdict = analysis.multi_level_release(n, levels_of(alpha, epsilon), progress=out.progress)
    out.about(verdict.evidence.neighbours, "the count's own", told="a count and the next ones")
    return out.answer(verdict)
