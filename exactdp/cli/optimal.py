# SPDX-License-Identifier: MIT
"""``exactdp optimal``: the optimum for a consumer, and how far a mechanism is from it."""

from __future__ import annotations

import re
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from exactdp import analysis
from exactdp.analysis.optimality.letters_at_point import region_of
from exactdp.cli.inputs import (
    Chosen,
    Given,
    LawQuestion,
    in_one_order,
    level_of,
    loss_by_law,
    matched_guesses,
    meant_neighbours,
    neighbours_of,
    numbered_word,
    on_inputs,
    read_given,
    read_wanted,
)
from exactdp.cli.judged import Judged, judged, not_stochastic
from exactdp.cli.output import Output, answering
from exactdp.cli.program import command, tell
from exactdp.cli.reading import (
    ConsumerWords,
    Reading,
    Unsized,
    about_printed,
    complete_mechanism,
    consumer_options,
    leave_out,
    level_options,
    neighbour_options,
    reading_options,
    rounding_of,
    rounding_option,
    typed,
)
from exactdp.cli.submitted import Submitted, print_template
from exactdp.errors import LabelError, ResourceLimitError
from exactdp.exact import RationalFunction
from exactdp.model import BayesianConsumer, Consumer, MinimaxConsumer, Neighbours, PrivacyLevel
from exactdp.model.consumer import Problem
from exactdp.report.items import Fact, Item
from exactdp.report.values import level_json, number_json
from exactdp.runtime.progress import seconds_left
from exactdp.runtime.values import dataclass

if TYPE_CHECKING:
    from exactdp.analysis import OptimalityEvidence, OptimumEvidence, Verdict


@command(
    "exactdp optimal geometric:n=3 --alpha 1/4 --loss abs",
    "exactdp optimal geometric:n=3 --alpha 1/4 --loss abs --after-remap -o c.json",
    "exactdp optimal --graph cycle:5 --alpha 1/2 --loss zero-one",
    "exactdp optimal geometric:n=3 --alpha symbolic --loss abs --after-remap",
    "exactdp optimal geometric:n=3 --epsilon 1/10 --loss abs --after-remap",
    "exactdp optimal --graph euclid:2x2 --epsilon 1 --loss zero-one --prior uniform",
    "exactdp optimal --graph star:4 --alpha 1/2 --loss distance --prior uniform",
    "exactdp optimal --graph g.edges --alpha 1/2 --loss loss.csv --by-position --side-information 0,2,5",
    "exactdp optimal printed.csv --graph path --renormalise --alpha 1/2 --loss abs",
    "exactdp optimal --graph path:4 --alpha 1/4 --loss abs --claimed-value 168/415",
    "exactdp optimal --graph cycle:4 --loss zero-one --dual-template",
    "exactdp optimal --graph cycle:4 --alpha 1/2 --loss zero-one --dual dual.csv",
    "exactdp optimal --graph path:3 --alpha a --loss abs --claimed-value '2*a/(1+2*a-a^2)' --letters '0 < a < 1'",
)
@click.argument("mechanism", required=False, shell_complete=complete_mechanism)
@click.option("--mechanism", "submitted", metavar="FILE", help="MECHANISM, as an option beside --dual and --claimed-value.")
@click.option("--dual", metavar="FILE", help="A dual from a solver or a paper, as a CSV: what it proves, about MECHANISM or the optimum.")
@click.option("--dual-template", "template", is_flag=True, help="Print the lines of such a CSV, to be filled in, and end.")
@click.option(
    "--claimed-value",
    metavar="F",
    help="Is this the optimum? A number, or a formula in the level a or in letters, such as 168/415 or 2*a/(1+a).",
)
@click.option("--after-remap", "after_remap", is_flag=True, help="Judge MECHANISM after the consumer's best remap of it.")
@click.option(
    "--unique",
    is_flag=True,
    help="Decide also whether the optimal mechanism is unique (at one level); without MECHANISM and --claimed-value that is the answer.",
)
@click.option(
    "--own-level",
    is_flag=True,
    help="Report the gaps at the mechanism's own tightest level too (done for small tables that are not private).",
)
@rounding_option
@consumer_options
@level_options
@neighbour_options
@about_printed
@reading_options
@answering
def optimal(out: Output, reading: Reading, **given: Any) -> int:
    """What is the least loss of a private mechanism; is MECHANISM optimal, and if not, by how much?

    Without MECHANISM: the optimum, a mechanism that attains it and the dual that proves it. With MECHANISM:
    is it private at the level, and optimal as deployed (or after the consumer's best remap)? No comes with a
    better mechanism and the exact gap.

    With --alpha symbolic: the optimum as a function of the level a, in pieces, each proved for all its
    levels; and where MECHANISM is private and optimal. Distances must then be integers.

    With --dual: nothing is solved, and the answer says what the dual proves. A solver's numbers are made an
    exact dual that proves something; what was done to them is said.

    With --letters: the answer is for every point of what is assumed, or no at one of its points.

    'exactdp mechanisms' lists the words for MECHANISM. A consumer is minimax unless --prior is given.
    """
    asked = Asked.of(given)
    if asked.template:
        leave_out("--dual-template prints the lines of a dual, and nothing is asked; save it with >", *_NOT_OF_A_TEMPLATE)
    if reading.digits is not None and asked.mechanism is not None:
        from exactdp.cli.printed import printed_optimality  # loaded for printed tables only

        alpha, epsilon, graph, metric = asked.alpha, asked.epsilon, asked.graph, asked.metric
        return printed_optimality(out, asked.mechanism, alpha, epsilon, graph, metric, reading, asked.consumer)
    known = _by_law(asked, reading)
    if known is not None:
        out.require_used()
        return out.answer(known)
    try:
        return _answer(out, reading, asked)
    except ResourceLimitError as error:
        told = None if "seconds" in error.facts else _by_noise(asked)
        if told is None:
            raise
        raise type(error)(f"{error.message}; {told}", **error.facts) from None


def _by_noise(asked: Asked) -> str | None:
    """What a law answers about a path that is too large for a table; None where none does."""
    from exactdp.analysis.laws import LOSSES_OF_LAWS, noise_on  # loaded where something is too large

    words, level = asked.consumer, f"alpha={asked.alpha}" if asked.epsilon is None else f"epsilon={asked.epsilon}"
    plain = words.side_information is None and words.gain is None and words.prior in (None, "uniform")
    if asked.mechanism is not None or not plain or words.loss not in LOSSES_OF_LAWS:
        return None
    word = noise_on(asked.graph, level, MinimaxConsumer(words.loss))
    prior = "" if words.prior is None else f" --prior {words.prior}"
    return None if word is None else f"'exactdp remap {quote(word)} --loss {words.loss}{prior}' tells how good geometric noise is there"


def _answer(out: Output, reading: Reading, asked: Asked) -> int:
    """The answer to a question about a table."""
    problem, table = _read_problem(out, reading, asked)
    answers = Submitted.of(asked.dual, asked.claimed_value, reading)
    out.require_used()
    if asked.template:
        for note in reading.notes():  # what is printed is the file
            tell(f"note: {note}")
        return print_template(problem.near, problem.consumer)
    judged_too = [] if table is None else [table.table]
    answers.require_alone(problem.at_all_levels, region_of(problem.level, problem.consumer, *judged_too))
    bound, subject = rounding_of(asked.rounding), None
    if table is None or problem.at_all_levels:
        leave_out("no table of numbers is judged at one level", "rounding")
    if table is not None:
        if problem.at_all_levels and analysis.stochastic_levels(table.table).refuted:
            return out.answer(analysis.private_levels(table.table, problem.near, problem.level, progress=out.progress))
        subject = judged(out, table, bound)
        if subject is None:
            out.notes.append(f"not asked, as the table is not a mechanism: {', '.join(typed(*_ASKED))}")
            return not_stochastic(out, table, problem.near, bound, problem.level)
        table = subject.given
    if problem.at_all_levels:
        at_one = asked.unique or asked.own_level
        return _at_all_levels(out, problem, table, answers.value, after_remap=asked.after_remap, at_one=at_one)
    return _at_one_level(out, problem, table, subject, answers, asked)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the words of the command are, by their names."""

    mechanism: str | None
    dual: str | None
    template: bool
    claimed_value: str | None
    after_remap: bool
    unique: bool
    own_level: bool
    rounding: str | None
    alpha: str | None
    epsilon: str | None
    graph: str | Unsized | None
    metric: str | None
    consumer: ConsumerWords

    @classmethod
    def of(cls, given: dict[str, Any]) -> Asked:
        """The words, where MECHANISM and ``--mechanism`` are one."""
        about_mechanism = given["after_remap"] or given["own_level"]
        mechanism = _named(given.pop("mechanism"), given.pop("submitted"), about_mechanism=about_mechanism)
        return cls(mechanism=mechanism, **given)


def _by_law(asked: Asked, reading: Reading) -> Verdict[Any] | None:
    """The least zero-one loss on a large graph that has a law, where nothing else was asked."""
    if asked.mechanism is not None:
        return _loss_by_law(asked, reading)
    words, more = asked.consumer, (asked.mechanism, asked.dual, asked.claimed_value, asked.metric, asked.consumer.gain)
    plain = words.loss == "zero-one" and words.side_information is None and words.prior in (None, "uniform")
    if not plain or any(more) or asked.unique or asked.template or not isinstance(asked.graph, str):
        return None
    from exactdp.analysis.optimality.law_optimum import large_graph, optimum_by_law  # loaded for words only

    if large_graph(asked.graph) is None:
        return None
    level = level_of(asked.alpha, asked.epsilon, None, reading=reading)
    who = MinimaxConsumer("zero-one") if words.prior is None else BayesianConsumer("zero-one")
    return None if level is None else optimum_by_law(asked.graph, level, who)


def _loss_by_law(asked: Asked, reading: Reading) -> Verdict[Any] | None:
    """The loss of noise too large for a table, where nothing more was asked than whether it is the least."""
    more = (asked.dual, asked.claimed_value, asked.metric, asked.unique, asked.own_level, asked.template, asked.rounding)
    word, near = asked.mechanism, "path" if asked.graph is None else asked.graph
    if word is None or any(more) or not isinstance(near, str | Unsized):
        return None
    from exactdp.mechanisms import is_mechanism_spec, law_of_word  # loaded for words only

    if not is_mechanism_spec(word):
        return None
    word = numbered_word(word, reading)
    level = level_of(asked.alpha, asked.epsilon, None, reading=reading)
    if level is None and law_of_word(word) is None:
        return None
    level = level or _level_inside(word, None)
    question: LawQuestion = "OPTIMAL_AFTER_REMAP" if asked.after_remap else "OPTIMAL"
    near = near.family if isinstance(near, Unsized) else near
    return loss_by_law(question, word, asked.consumer, reading, near=near, level=level)


def _read_problem(out: Output, reading: Reading, asked: Asked) -> tuple[_Problem, Given | None]:
    """The problem, and the mechanism to be judged, in one order of the inputs."""
    # neighbours, level and mechanism: each may say what another one leaves out
    chosen = neighbours_of(asked.graph, asked.metric, reading)
    level = level_of(asked.alpha, asked.epsilon, chosen, reading=reading)
    given = None if asked.mechanism is None else read_given(asked.mechanism, reading, level=level, notes=out.notes)
    level = PrivacyLevel("1/2") if asked.template else level or _level_inside(asked.mechanism, chosen)
    near = meant_neighbours(chosen, given, out)
    # the consumer, and the inputs of all in one order
    wanted = read_wanted(asked.consumer, reading)
    wanted.note_on_certificate(out)
    near = in_one_order(reading, out.notes, near, given, wanted)
    who = wanted.consumer(near)
    if given is not None:
        given = on_inputs(given, near.vertices)
        if not asked.after_remap:
            given, who = matched_guesses(reading, out.notes, given, who, wanted.title)
    return _Problem(near, level, who), given


def _at_one_level(out: Output, problem: _Problem, given: Given | None, subject: Judged | None, answers: Submitted, asked: Asked) -> int:
    """The answer at one level, with what is reported beside it."""
    verdict = answers.verdict(out, problem.posed, given)
    if verdict is None:
        verdict = problem.verdict(given, asked.after_remap, out.progress)
        verdict = verdict if given is None else answers.with_value(out, verdict, problem.posed)
    verdict = verdict if subject is None else subject.said(verdict)
    evidence = verdict.evidence
    also, extra = _cost(subject, evidence)
    extra = ({} if subject is None else subject.keys) | extra
    if given is None:
        proved, told = answers.sections(out, problem.posed, verdict)
    else:
        proved, told = problem.own_levels(out, evidence, asked=asked.own_level)
    also, extra = also + proved, extra | told
    if asked.unique:
        judging = asked.mechanism is not None or asked.claimed_value is not None
        return _alone(out, problem, verdict, also, extra, judging=judging)
    return out.answer(verdict, also=also, extra=extra)


def _named(mechanism: str | None, submitted: str | None, *, about_mechanism: bool) -> str | None:
    """The mechanism that was named, in one of two ways."""
    if mechanism is not None and submitted is not None:
        raise click.UsageError("MECHANISM and --mechanism are one thing; give one of them")
    if mechanism is None and submitted is None and about_mechanism:
        raise click.UsageError("--after-remap and --own-level are about a given mechanism; name one, such as geometric:n=3")
    return mechanism or submitted


Sections = list[tuple[str, list[Item]]]


def _at_all_levels(out: Output, problem: _Problem, given: Given | None, claimed: str | None, *, after_remap: bool, at_one: bool) -> int:
    """The answer for every level."""
    if at_one:
        raise click.UsageError("--unique and --own-level are about one level; leave them out with --alpha symbolic")
    if claimed is None:
        return out.answer(problem.by_level(given, after_remap, out.progress))
    if given is not None:
        raise click.UsageError("--claimed-value is judged for all levels without MECHANISM; leave one of the two out")
    return out.answer(analysis.is_optimum_value(*problem.posed, claimed, progress=out.progress))


def _alone(out: Output, problem: _Problem, verdict: Verdict[Any], also: Sections, extra: dict[str, Any], *, judging: bool) -> int:
    """The answer, and whether the optimum is the only one; that is the answer if nothing was judged."""
    if verdict.proved or verdict.refuted:
        alone = analysis.is_optimum_unique(problem.near, problem.level, problem.consumer, progress=out.progress)
        extra["unique"] = None if not (alone.proved or alone.refuted) else alone.proved
        if verdict.proved and not judging:
            out.notes.append(verdict.claim)
            return out.answer(alone, also=also, extra=extra)
        also.append(("Is the optimum the only one?", [Fact(alone.decision.value, alone.claim)]))
        instead = "that of --unique without MECHANISM and --claimed-value does"
        out.uncertified.append(f"the certificate does not say whether the optimum is the only one; {instead}")
    else:
        out.notes.append("whether the optimum is unique was not asked: it was not found in time")
    return out.answer(verdict, also=also, extra=extra)


_JUDGED = ("mechanism", "submitted", "dual", "claimed_value", "after_remap", "unique", "own_level", "rounding", "alpha", "epsilon")
_NOT_OF_A_TEMPLATE = (*_JUDGED, "path", "as_json", "approx", "full")
"""What has no effect beside ``--dual-template``."""

SMALL = 1000
"""Up to so many entries what a mechanism that is not private loses at its own level is told unasked."""

_ASKED = ("dual", "claimed_value", "after_remap", "unique", "own_level", "loss", "gain", "prior", "side_information")
"""What is asked about a mechanism only."""


def _level_inside(mechanism: str | None, near: Chosen | None) -> PrivacyLevel:
    """The level that a word such as ``geometric:n=3,alpha=1/4`` was made with, when no other is given."""
    inside = re.fullmatch(r"[a-z-]+:(?:.*,)?(alpha|epsilon)=([^,]+)(?:,.*)?", mechanism or "")
    level = None
    if inside is not None:
        word, value = inside.groups()
        level = level_of(None, value, near) if word == "epsilon" else level_of(value, None, near)
    if level is None:
        hint = "give --alpha, such as --alpha 1/4, or --epsilon, such as --epsilon 1/10 ('exactdp privacy TABLE' tells the table's own)"
        raise click.UsageError(f"the level is missing: {hint}")
    return level


@dataclass(frozen=True, slots=True)
class _Problem:
    """The optimisation problem asked about."""

    near: Neighbours
    level: PrivacyLevel
    consumer: Consumer

    def verdict(self, given: Given | None, after_remap: bool, progress: Any) -> Verdict[OptimumEvidence]:
        if given is None:
            return analysis.optimum(self.near, self.level, self.consumer, progress=progress, time_limit=seconds_left())
        judge = analysis.is_optimal_after_remap if after_remap else analysis.is_optimal
        return judge(given.mechanism(), self.near, self.level, self.consumer, progress=progress, time_limit=seconds_left())

    def by_level(self, given: Given | None, after_remap: bool, progress: Any) -> Verdict[Any]:
        """The same question for all levels."""
        interval = self.level.alpha.field.interval
        if given is None:
            return analysis.optimum_by_level(self.near, self.consumer, interval, progress=progress)
        return analysis.is_optimal_by_level(
            given.mechanism(), self.near, self.consumer, interval, after_remap=after_remap, progress=progress
        )

    @property
    def at_all_levels(self) -> bool:
        """Whether the level is a letter."""
        return isinstance(self.level.alpha, RationalFunction)

    @property
    def posed(self) -> Problem:
        """The problem as the searches take it."""
        return Problem(self.near, self.level, self.consumer)

    def own_levels(self, out: Output, e: Any, *, asked: bool) -> tuple[list[tuple[str, list[Item]]], dict[str, Any]]:
        """What :meth:`own_level` says if it was asked for, or the mechanism is not private; else nothing."""
        judged = isinstance(e, analysis.OptimalityEvidence) and not isinstance(e, analysis.OptimalityAtPoint)
        if judged and e.privacy is not None:
            out.uncertified.append("the certificate is about the level asked, not about the mechanism's own tightest level")
        private = e.privacy if judged and e.gap is not None else None
        if private is None or not (asked or private.violated):
            return [], {}
        if not asked and e.mechanism.n_inputs * e.mechanism.n_outputs > SMALL:
            out.notes.append("what it loses at its own tightest level, and after a best remap, is told with --own-level")
            return [], {}
        try:
            found = self.own_level(e, out.progress)
        except ResourceLimitError as error:
            out.notes.append(f"what it loses at its own level is not told: {error.message}")
            return [], {}
        return found

    def own_level(self, e: OptimalityEvidence, progress: Any) -> tuple[list[tuple[str, list[Item]]], dict[str, Any]]:
        """The mechanism's loss and gaps at the level asked and its own, deployed and after a best remap."""
        assert e.privacy is not None
        known = (
            e.remap
            if isinstance(e, analysis.OptimalityAfterRemapEvidence)
            else analysis.best_remap(e.mechanism, self.consumer, progress=progress).evidence
        )
        remap = known.least_loss
        if remap is None:
            raise ResourceLimitError("the best remap was not found in time")
        try:
            deployed = self.consumer.loss_of(e.mechanism)
        except LabelError:  # its outputs are no guesses
            deployed = None
        items, extra = _gaps(self.consumer, e.least_loss, deployed, remap)
        sections = [(f"Against the optimum at the level asked, {self.level.text}", items)]
        found: dict[str, Any] = {"asked_level": {"level": level_json(self.level), **extra}}
        own = e.privacy.tightest
        if own == self.level:
            return sections, found | {"own_level": found["asked_level"]}
        title = f"Against the optimum at the mechanism's own tightest level, {self.level.compared(own)}"
        if own.value is None or own.value in (0, 1):
            irrational = "an irrational root, and optima are not computed at such levels"
            reason = irrational if own.value is None else "not strictly between 0 and 1"
            return [*sections, (title, [Fact("optimum", f"not available: this level is {reason}")])], found
        best = analysis.optimum(self.near, PrivacyLevel(own.value), self.consumer, progress=progress).evidence.least_loss
        if best is None:
            raise ResourceLimitError("the optimum there was not found in time")
        items, extra = _gaps(self.consumer, best, deployed, remap)
        return [*sections, (title, items)], found | {"own_level": {"level": level_json(own), **extra}}


def _cost(judging: Judged | None, e: OptimumEvidence) -> tuple[list[tuple[str, list[Item]]], dict[str, Any]]:
    """What the rounding of a table costs in level and loss, as a section and as JSON; nothing without one."""
    if judging is None or judging.stands is None or not isinstance(e, analysis.OptimalityEvidence):
        return [], {}
    level = analysis.level_as_it_stands(judging.stands, e.neighbours)
    found: dict[str, Any] = {"level": None if level is None else level_json(level)}
    from exactdp.report.privacy import DIVIDED, change_by_division

    items = [] if e.privacy is None else change_by_division(level, e.privacy.tightest)
    remapped = isinstance(e, analysis.OptimalityAfterRemapEvidence)
    remap = e.remap.remap if isinstance(e, analysis.OptimalityAfterRemapEvidence) else None
    if e.gap is not None and (remap is not None or not remapped):  # else the search was stopped
        how = "after the best remap" if remapped else "as deployed"
        more, loss = judging.loss_cost(f"{e.consumer.measure.word} {how}", e.consumer, remap, e.loss)
        items, found = [*items, *more], found | loss
    return [(DIVIDED, items)], {"as_it_stands": found}


def _gaps(consumer: Consumer, best: Any, deployed: Any, remapped: Any) -> tuple[list[Item], dict[str, Any]]:
    measure = consumer.measure
    word, stated = measure.word, measure.of
    items: list[Item] = [Fact("optimum", stated(best))]
    extra: dict[str, Any] = {"value": number_json(stated(best))}
    if deployed is not None:
        items += [Fact(f"{word} as deployed", stated(deployed)), Fact("gap as deployed", deployed - best)]
        extra |= {word: number_json(stated(deployed)), "gap": number_json(deployed - best)}
    items += [Fact(f"{word} after the best remap", stated(remapped)), Fact("gap after the best remap", remapped - best)]
    return items, extra | {"after_remap": {word: number_json(stated(remapped)), "gap": number_json(remapped - best)}}
