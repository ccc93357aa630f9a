# SPDX-License-Identifier: MIT
"""``exactdp privacy`` and ``exactdp release``: how private is a mechanism, or a result at several levels?"""

from __future__ import annotations

from typing import Any

import click

from exactdp import analysis
from exactdp.analysis import laws
from exactdp.analysis.verdict import Verdict
from exactdp.analysis.wording import private_text
from exactdp.cli.inputs import (
    Given,
    in_one_order,
    level_of,
    levels_of,
    meant_neighbours,
    neighbours_of,
    numbered_word,
    on_inputs,
    read_given,
)
from exactdp.cli.judged import judged, not_stochastic
from exactdp.cli.output import Output, answering
from exactdp.cli.program import command
from exactdp.cli.reading import (
    Reading,
    Unsized,
    about_printed,
    complete_mechanism,
    leave_out,
    level_options,
    neighbour_options,
    reading_options,
    rounding_of,
    rounding_option,
)
from exactdp.exact import RationalFunction
from exactdp.mechanisms import has_letters
from exactdp.model import Mechanism, Neighbours, PrivacyLevel
from exactdp.report.values import level_json
from exactdp.runtime.progress import seconds_left

MOST_DECIMALS = 15
"""Decimals with more places than this are doubles, not what somebody printed."""


@command(
    "exactdp privacy geometric:n=3 --alpha 1/4",
    "exactdp privacy randomized-response:n=2,keep=3/4 --graph complete:3",
    "exactdp privacy counts.csv --graph path --alpha 1/4 -o private.edp.json",
    "exactdp privacy reports.csv --local --rounding 1e-9",
    "exactdp privacy printed.csv --graph path --digits auto --epsilon 1",
    "exactdp privacy printed.csv --graph path --renormalise --json",
    "exactdp privacy geometric:n=3 --epsilon 1/10",
    "exactdp privacy formulas.csv --graph path --alpha symbolic",
    "exactdp privacy letters.csv --graph path --letters '0 < p < 1/2, 0 < q < 1/2, p + q < 1'",
    "exactdp privacy randomized-response:n=1,keep=1-p --letters '0 < p < 1/2' --alpha 'p/(1-p)'",
)
@click.argument("mechanism", shell_complete=complete_mechanism)
@level_options
@rounding_option
@neighbour_options
@about_printed
@reading_options
@answering
def privacy(
    out: Output,
    mechanism: str,
    alpha: str | None,
    epsilon: str | None,
    rounding: str | None,
    graph: str | Unsized | None,
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
    geometric:n=3,alpha=1/2, or from --alpha or --epsilon), or a file of a table.
    """
    if reading.digits is not None:
        from exactdp.cli.printed import printed_privacy  # loaded for printed tables only

        return printed_privacy(out, mechanism, alpha, epsilon, graph, metric, reading)
    known = None
    family = graph.family if isinstance(graph, Unsized) else graph
    if metric is None and laws.may_be_by_law(mechanism, family):
        level = level_of(alpha, epsilon, reading=reading)
        known = _by_law(mechanism, family, level, reading)
    if known is not None:
        rounding_of(rounding)  # the word is exact, whatever is asked of a rounded table
        out.notes.append(f"neighbours: {known.evidence.law.neighbours}")
        if level is not None:
            said = f"that it is {'' if known.proved else 'not '}{private_text(level)}"
            stated = f"the certificate says that its tightest level is {level.compared(known.evidence.tightest)}; this implies {said}"
            out.implied |= dict.fromkeys(("response-level", "bitwise-level", "geometric-level"), stated)
        out.require_used()
        return out.answer(known)
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
    verdict = _answer(out, found, near, level)
    evidence = verdict.evidence
    _note_digits(out, given, near, level, verdict)
    unfinished = isinstance(evidence, analysis.PrivacyEvidence) and bool(evidence.unfinished)
    if unfinished:
        out.limits.append(f"the time limit has passed; not known: {', '.join(evidence.unfinished)}")
    _note_certificate(out, verdict, level)
    if subject.stands is None:
        return out.answer(verdict)
    table = subject.stands
    stands = None if unfinished else out.in_time("what the rounding costs", lambda: analysis.level_as_it_stands(table, near))
    if out.limits:
        return out.answer(subject.said(verdict), extra=subject.keys)
    extra = {"as_it_stands": {"level": None if stands is None else level_json(stands)}}
    from exactdp.report.privacy import DIVIDED, change_by_division

    cost = change_by_division(stands, verdict.evidence.tightest)
    return out.answer(subject.said(verdict), also=[(DIVIDED, cost)], extra=subject.keys | extra)


def _note_certificate(out: Output, verdict: Verdict[Any], level: PrivacyLevel | None) -> None:
    """Say what the certificate of the answer for a level is about, where that is not the whole answer."""
    if level is None:
        return
    evidence = verdict.evidence
    said = f"that it is {'' if verdict.proved else 'not '}{private_text(level)}"
    if isinstance(evidence, analysis.PrivacyEvidence):
        tightest = level.compared(evidence.tightest)
        out.uncertified.append(f"the certificate says {said}, not that its tightest level is {tightest}")
        out.implied["level"] = f"the certificate says that its tightest level is {tightest}; this implies {said}"
    shown_text = getattr(evidence, "shown_text", "")  # of an answer over letters
    if shown_text:
        stated = f"the certificate is about {shown_text}; this implies {said}"
        out.implied |= dict.fromkeys(("private", "not-private"), stated)


def _note_digits(out: Output, given: Given, near: Neighbours, level: PrivacyLevel | None, verdict: Verdict[Any]) -> None:
    """Of a table that fails at a level, say if other tables that print so do not."""
    if level is None or given.word is not None or not verdict.refuted:
        return
    from exactdp.analysis.digits_shown import decimal_places, differs_within_digits, rational_rows  # for tables that fail only

    numbers = rational_rows(given.table)
    places = None if numbers is None else decimal_places(numbers)
    if numbers is None or not places or not differs_within_digits(numbers, "decimals", places, near, level, holds=False):
        return
    digits = f"{places} digit{'' if places == 1 else 's'}"
    said = f"these numbers are not private there, others that round to the {digits} of {given.title} may be"
    if places > MOST_DECIMALS:
        out.notes.append(f"{said}: it is a matter of floating-point rounding")
    else:
        out.notes.append(f"{said}: --digits {places} judges all tables that print so")


def _answer(out: Output, found: Mechanism, near: Neighbours, level: PrivacyLevel | None) -> Verdict[Any]:
    """How private a mechanism is; of one with the level's own letter, asked at a number, for every letter."""
    if level is None:
        return analysis.tightest_level(found, near, progress=out.progress, time_limit=seconds_left())
    return analysis.is_private(found, near, level, progress=out.progress, time_limit=seconds_left())


def _by_law(mechanism: str, family: str | None, level: PrivacyLevel | None, reading: Reading) -> Verdict[laws.LawEvidence] | None:
    """The answer about a word whose table is too large; None where it has letters that are no numbers."""
    word = numbered_word(mechanism, reading)
    lettered = reading.letters is not None and has_letters(word, reading.letters)
    return None if lettered else laws.by_law(word, family, level)


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
