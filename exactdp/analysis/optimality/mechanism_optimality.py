# SPDX-License-Identifier: MIT
"""Is this mechanism optimal for this consumer among all private ones, and if not, by how much?

A given mechanism is judged as deployed, or after the consumer's best remap. :func:`verify_optimal` checks
somebody's own dual and solves nothing.

When the optimum is known exactly the gap is one number, and the certificate ``not-optimal`` says it all.
Where it is known from both sides only (a search that a time limit stopped, a private mechanism and a dual
from anywhere), :func:`gap_between` bounds the gap: a private mechanism with the loss u shows that it is at
least loss − u, and a dual with the bound b that it is at most loss − b.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any, TypeVar

from exactdp.analysis.arguments import Arguments, ConsumerLike, MechanismLike, as_kind, as_mechanism, ask, in_words
from exactdp.analysis.laws import Asked as LawQuestion
from exactdp.analysis.laws import loss_by_law
from exactdp.analysis.optimality.dual import DualBound, DualFault, dual_bound, exact_dual
from exactdp.analysis.optimality.letters_at_point import mechanism_at, negative_point, problem_at, problem_over, region_of, some_points
from exactdp.analysis.optimality.optimality_with_letters import broken_constraint, one_loss
from exactdp.analysis.optimality.optimum import OptimumEvidence, one_optimum, optimum
from exactdp.analysis.optimality.remap_optimality import RemapEvidence, as_deployed, best_in_field, best_remap
from exactdp.analysis.privacy import PrivacyEvidence, privacy_at
from exactdp.analysis.verdict import Decision, Scope, Verdict, decided, scope_of
from exactdp.analysis.wording import StatedLoss, begun, none_better, private_on, whose
from exactdp.errors import DefectiveAnswerError, InputError, UndecidedSignError
from exactdp.exact import Rational, Region, RegionField, is_zero
from exactdp.exact.region_functions import place
from exactdp.mechanisms import geometric
from exactdp.mechanisms.geometric import geometric_level
from exactdp.model import Consumer, Dual, FactoredMechanism, LevelLike, Mechanism, Neighbours, NeighboursLike, PrivacyLevel, Remap
from exactdp.model.consumer import Problem
from exactdp.model.level_argument import takes_epsilon
from exactdp.model.printed import PrintedTable
from exactdp.runtime.progress import Listener, part_of
from exactdp.runtime.values import dataclass

POINTS = 4
"""Points of a region of letters at which the optimum is found, to refute what was not proved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OptimalityEvidence(StatedLoss, OptimumEvidence):
    """The optimum, and a mechanism beside it.

    Attributes
    ----------
    mechanism : Mechanism
        The one asked about.
    loss
        Its loss; with a gain minus its utility, as ``least_loss``.
    gap
        loss − least_loss; None if a limit stopped the search.
    privacy : PrivacyEvidence or None
        Its exact privacy at the level; a violation refutes optimality whatever the loss.
    """

    mechanism: Mechanism
    loss: Any
    gap: Any
    privacy: PrivacyEvidence | None = None

    def in_sympy(self) -> Any:
        """Nothing but yes or no."""
        return None

    @property
    def loss_bounds(self) -> tuple[Any, Any] | None:
        """The loss from both sides, when a limit stopped the search for the best remap."""
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class OptimalityAfterRemapEvidence(OptimalityEvidence):
    """The optimum, and a mechanism after the consumer's best remap of it (the best one known, after a limit).

    Attributes
    ----------
    remap : RemapEvidence
        The remap; ``loss`` and ``gap`` are those after it.
    """

    remap: RemapEvidence

    @property
    def loss_bounds(self) -> tuple[Any, Any] | None:
        """The loss from both sides, when a limit stopped the search for the best remap."""
        return self.remap.least_loss_bounds


@dataclass(frozen=True, slots=True, kw_only=True)
class OptimalityAtPoint(OptimalityEvidence):
    """A mechanism with letters at one point of their region; all other numbers are those at the point.

    Attributes
    ----------
    point : dict of str to Rational
        The letters' values.
    asked : Problem
        The problem with letters.
    given : Mechanism
        The mechanism with letters; ``mechanism`` is that at the point.
    """

    point: dict[str, Rational]
    asked: Problem
    given: Mechanism


@dataclass(frozen=True, slots=True, kw_only=True)
class DualEvidence(StatedLoss):
    """What a given dual proves about a mechanism.

    Attributes
    ----------
    neighbours, level, consumer, mechanism, dual
        What was asked about.
    least_loss
        No private mechanism has less loss than this; None if the dual proves nothing.
    loss
        Of the mechanism; with a gain this and ``least_loss`` are minus the utilities of the sentence.
    gap
        loss − least_loss, or None.
    privacy : PrivacyEvidence or None
        The mechanism's exact privacy at the level; None with letters, where only the constraints were asked.
    fault : DualFault or None
        The first condition that the dual breaks.
    attained : bool
        Whether the mechanism is private and has the loss ``least_loss``, which is then the optimum. A
        mechanism that is not private may have it, or less.
    """

    neighbours: Neighbours
    level: PrivacyLevel
    consumer: Consumer
    mechanism: Mechanism
    dual: Dual
    least_loss: Any
    loss: Any
    gap: Any
    privacy: PrivacyEvidence | None
    fault: DualFault | None
    attained: bool = False

    @property
    def value(self) -> Any:
        """The bound as the sentence states it: of a loss from below, or of a gain's utility from above."""
        return self.consumer.measure.of(self.least_loss)


Judged = TypeVar("Judged", bound=OptimalityEvidence)


@takes_epsilon
def is_optimal(
    mechanism: MechanismLike | PrintedTable,
    neighbours: NeighboursLike,
    level: LevelLike,
    consumer: ConsumerLike,
    *,
    progress: Listener | None = None,
    time_limit: float | None = None,
) -> Verdict[OptimalityEvidence | Any]:
    """Is the mechanism, as deployed, private at the level and optimal for the consumer?

    Parameters
    ----------
    mechanism : Mechanism, Table, PrintedTable, text or rows
        Its outputs are the consumer's guesses.
    neighbours, level, consumer, progress, time_limit
        As in :func:`optimum`.

    Returns
    -------
    Verdict[OptimalityEvidence]
        Proved, or undecided when the time was up; or refuted, because it is not private
        (``evidence.privacy.violated``) or because ``evidence.best`` is strictly better, by exactly
        ``evidence.gap``. The loss is there in every case; the gap of a mechanism that is not private may be
        negative. With letters: proved for every point of their region, refuted at one, or undecided; the last
        two with the answer at a point (:class:`OptimalityAtPoint`). Of a printed table, whether all that
        print so are optimal, or none, with the ends of loss and gap
        (:class:`~exactdp.analysis.printed.loss_ends.PrintedOptimalityEvidence`).

    Raises
    ------
    LabelError
        Outputs and guesses, or inputs, differ.

    Examples
    --------
    >>> from exactdp import Loss, MinimaxConsumer, PrivacyLevel, geometric, neighbours
    >>> G, path = geometric(3, "1/4"), neighbours("path:4")
    >>> v = is_optimal(G, path, PrivacyLevel("1/4"), MinimaxConsumer(Loss.absolute(path.vertices)))
    >>> v.decision.value, v.evidence.loss, v.evidence.gap
    ('refuted', Rational('9/20'), Rational('15/332'))
    """
    if isinstance(mechanism, PrintedTable):
        from exactdp.analysis.printed.loss_ends import optimality_as_printed  # loaded for printed tables only

        return optimality_as_printed(mechanism, neighbours, level, consumer, progress=progress, time_limit=time_limit)
    known = loss_by_law(LawQuestion.OPTIMAL, mechanism, in_words(consumer), neighbours, level)
    if known is not None:
        return known
    return ask(_is_optimal, progress, time_limit, mechanism=mechanism, neighbours=neighbours, level=level, consumer=consumer)


def _is_optimal(asked: Arguments) -> Verdict[OptimalityEvidence]:
    """The answer about a mechanism that is exact."""
    mechanism, problem, progress = as_deployed(asked.mechanism, asked.consumer), asked.problem, asked.progress
    if asked.region is not None:
        return _with_letters(mechanism, problem, asked.region, progress, asked.time_limit)
    best = optimum(*problem, progress=progress, time_limit=asked.time_limit).evidence
    privacy = privacy_at(mechanism, problem.neighbours, problem.level, progress=progress)
    loss = problem.consumer.loss_of(mechanism)
    gap = None if best.least_loss is None else loss - best.least_loss
    evidence = OptimalityEvidence(**_fields(best), mechanism=mechanism, loss=loss, gap=gap, privacy=privacy.evidence)
    return _judged(evidence, privacy, "the mechanism")


@takes_epsilon
def is_optimal_after_remap(
    mechanism: MechanismLike,
    neighbours: NeighboursLike,
    level: LevelLike,
    consumer: ConsumerLike,
    *,
    progress: Listener | None = None,
    time_limit: float | None = None,
) -> Verdict[OptimalityAfterRemapEvidence]:
    """Is the mechanism private at the level, and optimal for the consumer after the best remap of it?

    Parameters and errors as in :func:`is_optimal`; any number of outputs. With letters it is proved for every
    point of their region, or the evidence is the answer at one point, all its numbers being those there.

    Examples
    --------
    >>> from exactdp import Loss, MinimaxConsumer, PrivacyLevel, geometric, neighbours
    >>> G, path = geometric(3, "1/4"), neighbours("path:4")
    >>> consumer = MinimaxConsumer(Loss.absolute(path.vertices))
    >>> bool(is_optimal_after_remap(G, path, PrivacyLevel("1/4"), consumer))
    True
    """
    known = loss_by_law(LawQuestion.OPTIMAL_AFTER_REMAP, mechanism, in_words(consumer), neighbours, level)
    if known is not None:
        return known
    return ask(_is_optimal_after_remap, progress, time_limit, mechanism=mechanism, neighbours=neighbours, level=level, consumer=consumer)


def _is_optimal_after_remap(asked: Arguments) -> Verdict[OptimalityAfterRemapEvidence]:
    return judged_after_remap(asked.mechanism, asked.problem, "the mechanism", asked.progress, asked.time_limit)


def judged_after_remap(
    mechanism: Mechanism,
    problem: Problem,
    name: str,
    progress: Listener | None,
    time_limit: float | None = None,
    known_remap: RemapEvidence | None = None,
) -> Verdict[OptimalityAfterRemapEvidence]:
    """The answer of :func:`is_optimal_after_remap`, about a mechanism that the sentence calls so.

    ``known_remap`` is the best remap of the same numbers in a smaller field; what shows it is checked here.
    """
    neighbours, level, consumer = problem
    region = region_of(mechanism, level, consumer)
    if region is not None:
        return _after_remap_with_letters(mechanism, problem, region, name, progress, time_limit)
    best = optimum(neighbours, level, consumer, progress=progress, time_limit=time_limit).evidence
    if best.least_loss_bounds is None and isinstance(best.found, FactoredMechanism) and geometric_level(mechanism) == level:
        known = best.found.remap()
        remap = RemapEvidence(
            mechanism=mechanism,
            consumer=consumer,
            least_loss=best.least_loss,
            remap=Remap(known.matrix, mechanism.outputs, known.guesses),
            weights=best.dual.weights,
        )
    else:
        moved = None if known_remap is None else best_in_field(known_remap, mechanism, consumer)
        if moved is None:
            moved = best_remap(mechanism, consumer, progress=part_of(progress, "best remap"), time_limit=time_limit).evidence
        remap = moved
    privacy = privacy_at(mechanism, neighbours, level, progress=progress)
    loss = remap.least_loss if remap.least_loss_bounds is None else remap.least_loss_bounds[1]
    gap = None if best.least_loss is None or remap.least_loss_bounds is not None else loss - best.least_loss
    evidence = OptimalityAfterRemapEvidence(**_fields(best), mechanism=mechanism, loss=loss, gap=gap, privacy=privacy.evidence, remap=remap)
    return _judged(evidence, privacy, name)


def _fields(best: OptimumEvidence) -> dict[str, Any]:
    return {field.name: getattr(best, field.name) for field in fields(OptimumEvidence)}


def _judged(e: Judged, private: Verdict[PrivacyEvidence], name: str) -> Verdict[Judged]:
    """The verdict in words, about a mechanism of this name."""
    remap = e.remap if isinstance(e, OptimalityAfterRemapEvidence) else None
    after, scope = " after the best remap" if remap else "", scope_of(e.level, e.mechanism, e.consumer)
    this = name + after
    measure = e.consumer.measure
    word, extreme, stated = measure.word, measure.extreme, measure.of
    among = f"among {private_on(e.level, e.neighbours, 'mechanisms')}"
    if private.refuted:
        known = "" if e.gap is None else f" (Its {word}{after} is {stated(e.loss)}, the optimum {e.value}, the gap {e.gap}.)"
        return Verdict(Decision.REFUTED, f"{private.claim}.{known}", e, scope)
    if e.gap is None:
        best = e.value if e.bounds is None else "from {} to {}".format(*e.bounds)
        own = stated(e.loss) if remap is None or remap.bounds is None else "from {} to {}".format(*remap.bounds)
        claim = f"Whether {this} is optimal {among} was not decided: its {word} is {own}, the {extreme} is {best}"
        return Verdict(Decision.UNDECIDED, claim, e, scope)
    if e.gap.sign() < 0:
        message = "a private mechanism beats the optimum; please report this"
        raise DefectiveAnswerError(message, mechanism=e.mechanism, gap=e.gap)
    who = whose(e.consumer)
    if e.gap.sign() == 0:
        claim = f"{begun(this)} is optimal {among} {who}: its {word} {stated(e.loss)} is the {extreme}"
    else:
        known = f"its {word} is {stated(e.loss)}, the {extreme} {e.value}, the gap {e.gap}"
        claim = f"{begun(this)} is not optimal {among} {who}: {known}"
    return Verdict(decided(e.gap.sign() == 0), claim, e, scope)


@takes_epsilon
def verify_optimal(
    mechanism: MechanismLike,
    neighbours: NeighboursLike,
    level: LevelLike,
    consumer: ConsumerLike,
    dual: Dual,
    *,
    progress: Listener | None = None,
) -> Verdict[DualEvidence | OptimalityAtPoint]:
    """Does this dual prove this mechanism optimal? Checks what it is given and solves nothing.

    With letters the question is about every point of their region. There a mechanism that is not private at
    some point is refuted by it, and so is one that the dual does not prove optimal, if at one of a few points
    the optimum, which is found there, is better.

    Parameters
    ----------
    mechanism, neighbours, level, consumer
        As in :func:`is_optimal`.
    dual : Dual
        From anywhere; on a path the weights (the least favourable prior) are enough when the loss has single
        crossings.
    progress : callable, optional
        Told how far it is.

    Returns
    -------
    Verdict[DualEvidence]
        Proved; refuted when the mechanism is not private at the level; otherwise undecided, with the lower
        bound that the dual does prove (``value``) and the remaining ``gap``, or with the condition it breaks
        (``fault``): a bad dual refutes nothing. Refuted with letters: :class:`OptimalityAtPoint`.

    Examples
    --------
    >>> from exactdp import Dual, Loss, MinimaxConsumer, PrivacyLevel, geometric, neighbours
    >>> G, path = geometric(1, "1/2"), neighbours("path:2")
    >>> consumer = MinimaxConsumer(Loss.zero_one(path.vertices))
    >>> bool(verify_optimal(G, path, PrivacyLevel("1/2"), consumer, Dual(weights=("1/2", "1/2"))))
    True
    """
    asked = Arguments(mechanism=mechanism, neighbours=neighbours, level=level, consumer=consumer)
    mechanism, problem = as_deployed(asked.mechanism, asked.consumer), asked.problem
    neighbours, level, consumer = problem
    as_kind(dual, Dual, "dual", "a Dual, such as Dual(weights=('1/2', '1/2'))")
    dual = exact_dual(dual, mechanism, level, consumer)
    region = region_of(mechanism, level, consumer, *dual.numbers)
    if region is not None:
        return _verified_with_letters(mechanism, problem, dual, region, progress)
    privacy = privacy_at(mechanism, neighbours, level, progress=progress)
    loss = consumer.loss_of(mechanism)
    bound = dual_bound(neighbours, level, consumer, dual)
    gap = None if bound.value is None else loss - bound.value
    attained = privacy.proved and gap is not None and gap.sign() == 0
    evidence = DualEvidence(
        **problem._asdict(),
        mechanism=mechanism,
        dual=dual,
        least_loss=bound.value,
        loss=loss,
        gap=gap,
        privacy=privacy.evidence,
        fault=bound.fault,
        attained=attained,
    )
    if privacy.refuted:
        return Verdict(Decision.REFUTED, privacy.claim, evidence, privacy.scope)
    if bound.fault is not None:
        return Verdict(Decision.UNDECIDED, f"The dual proves nothing: it breaks {bound.fault}", evidence, privacy.scope)
    assert gap is not None
    if not attained:
        claim = _bound_text(problem, bound.value, loss, gap)
        return Verdict(Decision.UNDECIDED, claim, evidence, privacy.scope)
    return Verdict(Decision.PROVED, _attained_text(problem, loss), evidence, privacy.scope)


def _attained_text(problem: Problem, loss: Any) -> str:
    """That the loss is what the dual proves to be the least."""
    neighbours, level, consumer = problem
    measure = consumer.measure
    known = f"its {measure.word} {measure.of(loss)} is what the dual proves to be the {measure.extreme}"
    return f"The mechanism is optimal among {private_on(level, neighbours, 'mechanisms')} {whose(consumer)}: {known}"


def _bound_text(problem: Problem, bound: Any, loss: Any, gap: Any) -> str:
    """That the loss is above what the dual proves, and by how much."""
    measure = problem.consumer.measure
    return f"The dual proves only that {none_better(problem, bound)}; this one has {measure.of(loss)}, {gap} {measure.above}"


def _verified_with_letters(
    mechanism: Mechanism, problem: Problem, dual: Dual, region: Region, progress: Listener | None
) -> Verdict[DualEvidence | OptimalityAtPoint]:
    """The same for every point of the region of the letters."""
    mechanism, problem = _over_one(mechanism, problem, region)
    neighbours, level, consumer = problem
    measure, scope = consumer.measure, scope_of(mechanism)
    broken, loss = broken_constraint(problem, mechanism), one_loss(consumer, mechanism)
    try:
        bound, unknown = dual_bound(neighbours, level, consumer, dual), ""
    except UndecidedSignError as error:
        bound, unknown = DualBound(None), error.message
    gap = None if bound.value is None or loss is None else loss - bound.value
    attained = broken is None and gap is not None and is_zero(gap)
    evidence = DualEvidence(
        **problem._asdict(),
        mechanism=mechanism,
        dual=dual,
        least_loss=bound.value,
        loss=loss,
        gap=gap,
        privacy=None,
        fault=bound.fault,
        attained=attained,
    )
    if attained:
        return Verdict(Decision.PROVED, _attained_text(problem, loss), evidence, scope)
    wrong = None if gap is None else negative_point(-gap)
    refuted = _refuted(mechanism, problem, scope, progress, some_points(region, POINTS, None if broken is None else broken.at, wrong))
    if refuted is not None:
        return refuted
    if bound.value is None:
        nothing = f"The dual proves nothing for all {region}: it breaks {bound.fault}"
        told = f"What the dual proves for all {region} was not decided: {unknown}" if bound.fault is None else nothing
    elif broken is not None:
        told = f"Whether the mechanism is {private_on(level, neighbours)} for all {region} was not found: {broken.where}"
    elif gap is None:
        told = f"No input was found to have the mechanism's largest {measure.word} for all {region}"
    else:
        told = _bound_text(problem, bound.value, loss, gap)
    return Verdict(Decision.UNDECIDED, told, evidence, scope)


def _with_letters(
    mechanism: Mechanism, problem: Problem, region: Region, progress: Listener | None, time_limit: float | None
) -> Verdict[OptimalityEvidence]:
    """Whether a mechanism is optimal at every point of the region of its letters."""
    mechanism, problem = _over_one(mechanism, problem, region)
    neighbours, level, consumer = problem
    scope = scope_of(mechanism)
    best = optimum(*problem, progress=progress, time_limit=time_limit)
    first: tuple[dict[str, Rational] | None, ...] = ()
    if best.proved:
        broken, loss = broken_constraint(problem, mechanism), one_loss(consumer, mechanism)
        gap = None if loss is None else loss - best.evidence.least_loss
        if broken is None and gap is not None and is_zero(gap):
            fields_ = _fields(best.evidence) | {"found": mechanism}
            evidence = OptimalityEvidence(**fields_, mechanism=mechanism, loss=loss, gap=gap)
            measure = consumer.measure
            among = f"among {private_on(level, neighbours, 'mechanisms')} {whose(consumer)}"
            claim = f"The mechanism is optimal {among}: its {measure.word} {measure.of(loss)} is the {measure.extreme}"
            return Verdict(Decision.PROVED, claim, evidence, scope)
        first = (None if broken is None else broken.at, None if gap is None else negative_point(-gap))
    refuted = _refuted(mechanism, problem, scope, progress, some_points(region, POINTS, *first))
    if refuted is not None:
        return refuted
    at = _judged_at(mechanism, problem, region.inside, progress)
    claim = f"Whether the mechanism is optimal on {neighbours} for all {region} was not decided; at {place(region.inside)}: {at.claim}"
    return Verdict(Decision.UNDECIDED, claim, at.evidence, scope)


def _over_one(mechanism: Mechanism, problem: Problem, region: Region) -> tuple[Mechanism, Problem]:
    """Both with all numbers in the field of the region."""
    field = RegionField(region)
    return Mechanism(mechanism.matrix.over(field), mechanism.inputs, mechanism.outputs), problem_over(problem, field)


def _after_remap_with_letters(
    mechanism: Mechanism, problem: Problem, region: Region, name: str, progress: Listener | None, time_limit: float | None
) -> Verdict[OptimalityAfterRemapEvidence]:
    """Whether a mechanism is optimal after a remap at every point of the region of its letters."""
    this = f"{name} after the best remap"
    mechanism, problem = _over_one(mechanism, problem, region)
    neighbours, level, consumer = problem
    scope, measure = scope_of(mechanism), consumer.measure
    broken = broken_constraint(problem, mechanism)
    best = optimum(*problem, progress=progress, time_limit=time_limit)
    if best.proved and broken is None:
        try:
            remap = best_remap(mechanism, consumer, progress=part_of(progress, "best remap"), time_limit=time_limit).evidence
        except UndecidedSignError:
            remap = None
        if remap is not None and remap.least_loss is not None and not remap.least_loss - best.evidence.least_loss:
            gap, loss = mechanism.field.zero, remap.least_loss
            evidence = OptimalityAfterRemapEvidence(**_fields(best.evidence), mechanism=mechanism, loss=loss, gap=gap, remap=remap)
            among = f"among {private_on(level, neighbours, 'mechanisms')} {whose(consumer)}"
            claim = f"{begun(this)} is optimal {among}: its {measure.word} {measure.of(loss)} is the {measure.extreme}"
            return Verdict(Decision.PROVED, claim, evidence, scope)
    at: Verdict[OptimalityAfterRemapEvidence] | None = None
    for point in some_points(region, POINTS, None if broken is None else broken.at):
        at = judged_after_remap(mechanism_at(mechanism, point), problem_at(problem, point), name, progress, time_limit)
        at = Verdict(at.decision, f"At {place(point)}: {at.claim}", at.evidence, scope, (f"at {place(point)}",))
        if at.refuted:
            return at
    assert at is not None
    claim = f"Whether {this} is optimal on {neighbours} for all {region} was not decided. {at.claim}"
    return Verdict(Decision.UNDECIDED, claim, at.evidence, scope, at.assumed)


def _refuted(
    mechanism: Mechanism, problem: Problem, scope: Scope, progress: Listener | None, points: Iterable[dict[str, Rational]]
) -> Verdict[OptimalityAtPoint] | None:
    """The refutation at the first of some points where the mechanism is not private, or not optimal."""
    for point in points:
        at = _judged_at(mechanism, problem, point, progress)
        if at.refuted:
            return Verdict(Decision.REFUTED, f"At {place(point)}: {at.claim}", at.evidence, scope)
    return None


def _judged_at(mechanism: Mechanism, problem: Problem, point: dict[str, Rational], progress: Listener | None) -> Verdict[OptimalityAtPoint]:
    """Whether the mechanism is optimal at one point."""
    at = is_optimal(mechanism_at(mechanism, point), *problem_at(problem, point), progress=progress)
    known = {f.name: getattr(at.evidence, f.name) for f in fields(OptimalityEvidence)}
    return Verdict(at.decision, at.claim, OptimalityAtPoint(**known, point=point, asked=problem, given=mechanism), at.scope)


@dataclass(frozen=True, slots=True, kw_only=True)
class GapEvidence(StatedLoss):
    """The gap of a private mechanism, between two bounds.

    Attributes
    ----------
    mechanism, neighbours, level, consumer
        What was asked about.
    loss
        Of the mechanism as deployed; with a gain minus its utility.
    least, most
        The gap lies between them; equal when the optimum is known.
    found : Mechanism or FactoredMechanism
        A private mechanism with the loss ``loss − least``.
    dual : Dual
        Proves that none has less than ``loss − most``.
    """

    mechanism: Mechanism
    neighbours: Neighbours
    level: PrivacyLevel
    consumer: Consumer
    loss: Any
    least: Any
    most: Any
    found: Mechanism | FactoredMechanism
    dual: Dual


@takes_epsilon
def gap_between(
    mechanism: MechanismLike,
    neighbours: NeighboursLike,
    level: LevelLike,
    consumer: ConsumerLike,
    *,
    better: MechanismLike | None = None,
    dual: Dual | None = None,
    progress: Listener | None = None,
    time_limit: float | None = None,
) -> Verdict[GapEvidence]:
    """By how much, at least and at most, does this private mechanism miss the optimum for the consumer?

    Parameters
    ----------
    mechanism : Mechanism
        Private at the level; its outputs are the consumer's guesses.
    neighbours, level, consumer
        As in :func:`exactdp.optimum`.
    better : Mechanism, optional
        A private mechanism to compare with, from anywhere.
    dual : Dual, optional
        A dual, from anywhere. Where one of the two is missing the optimum is searched for.
    progress : callable, optional
        Told how far it is.
    time_limit : float, optional
        Stop about so many seconds after the call.

    Returns
    -------
    Verdict[GapEvidence]
        Always proved.

    Raises
    ------
    InputError
        The mechanism, or ``better``, is not private at the level; or the dual breaks a condition.
    LabelError
        The outputs are not the guesses.

    Examples
    --------
    >>> from exactdp import Loss, MinimaxConsumer, geometric, neighbours
    >>> G, path = geometric(3, "1/4"), neighbours("path:4")
    >>> e = gap_between(G, path, PrivacyLevel("1/4"), MinimaxConsumer(Loss.absolute(path.vertices))).evidence
    >>> e.least == e.most, e.most
    (True, Rational('15/332'))
    """

    def answer(asked: Arguments) -> Verdict[GapEvidence]:
        return _gap_between(asked, better, dual)

    return ask(answer, progress, time_limit, mechanism=mechanism, neighbours=neighbours, level=level, consumer=consumer)


def _gap_between(asked: Arguments, better: MechanismLike | None, dual: Dual | None) -> Verdict[GapEvidence]:
    """The gap, by a mechanism and a dual that are given or found."""
    neighbours, level, consumer = asked.problem
    mechanism = as_deployed(asked.mechanism, consumer)
    better = None if better is None else as_deployed(as_mechanism(better, level, name="better mechanism"), consumer)
    if dual is not None:
        as_kind(dual, Dual, "dual", "a Dual, such as Dual(weights=('1/2', '1/2'))")
        dual = exact_dual(dual, mechanism, level, consumer)
    for m in (mechanism, better):
        if m is None:
            continue
        verdict = privacy_at(m, neighbours, level, progress=asked.progress)
        if not verdict.proved:
            raise InputError(f"a gap is asked for private mechanisms: {verdict.claim}", verdict=verdict)
    loss = consumer.loss_of(mechanism)
    if better is None or dual is None:
        best = one_optimum(neighbours, level, consumer, progress=asked.progress, time_limit=asked.time_limit)
        found, bound = better or best.found, dual or best.dual
    else:
        found, bound = better, dual
    proved = dual_bound(neighbours, level, consumer, bound)
    if proved.value is None:
        raise InputError(f"the dual proves nothing: it breaks {proved.fault}", dual=bound)
    written = found.multiplied_by(geometric(len(found.inputs) - 1, level).matrix) if isinstance(found, FactoredMechanism) else found
    least, most = loss - consumer.loss_of(written), loss - proved.value
    among = f"{private_on(level, neighbours, 'mechanisms')}"
    measure = consumer.measure
    within = f"is within {most} of the {measure.extreme} of {among}, and no closer than {least}"
    claim = f"The mechanism's {measure.word} {measure.of(loss)} {within}"
    return Verdict(
        Decision.PROVED,
        claim,
        GapEvidence(**asked.problem._asdict(), mechanism=mechanism, loss=loss, least=least, most=most, found=found, dual=bound),
        scope_of(mechanism, level),
    )
