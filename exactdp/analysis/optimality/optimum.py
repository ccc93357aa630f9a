# SPDX-License-Identifier: MIT
"""The least loss of a private mechanism, one that attains it, and a dual that proves it [gs2010, 2.5]."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from exactdp.analysis.arguments import Arguments, ConsumerLike, ask, require_consumer
from exactdp.analysis.optimality.dual import dual_bound
from exactdp.analysis.optimality.letters_at_point import problem_at, problem_over
from exactdp.analysis.verdict import Decision, Verdict, scope_of
from exactdp.analysis.wording import StatedOptimum, optimum_text
from exactdp.errors import DefectiveAnswerError, ResourceLimitError, UndecidedSignError
from exactdp.exact import QQ, ExactMatrix, ExponentialField, OverOneDenominator, Rational, Region, RegionField, integer_vector, least_index
from exactdp.exact.region_functions import place
from exactdp.exact.repeated import numbered_objects, numbered_values
from exactdp.mechanisms import geometric
from exactdp.model import (
    BayesianConsumer,
    Consumer,
    Dual,
    FactoredMechanism,
    Graph,
    LevelLike,
    Mechanism,
    Neighbours,
    NeighboursLike,
    PrivacyLevel,
    as_level,
)
from exactdp.model.consumer import Problem
from exactdp.model.level_argument import takes_epsilon
from exactdp.model.metric import Distance
from exactdp.runtime.budget import largest_side, require_budget
from exactdp.runtime.progress import Listener, raise_unless_own_limit
from exactdp.runtime.values import dataclass

if TYPE_CHECKING:
    from exactdp.analysis.optimality.optimality_with_letters import OptimumWithLetters
    from exactdp.search.optimal_mechanism import Proposal


T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class OptimumEvidence(StatedOptimum):
    """The least loss, or the largest utility, of a private mechanism.

    ``value`` and ``bounds`` are what the sentence says: losses, or with a gain utilities. What is called a
    loss is one: with a gain the loss −gain, minus the utility, which certificates are about.

    Attributes
    ----------
    neighbours, level, consumer
        The problem: the least loss of a mechanism that is private at this level.
    least_loss : scalar or None
        The least loss; None if a limit stopped the search.
    found : Mechanism or FactoredMechanism
        A private mechanism that attains it; on a path usually as a remap of the geometric one. :attr:`best`
        is it, written out.
    dual : Dual
        Proves that no private mechanism has less loss.
    least_loss_bounds : (lower, upper) or None
        When a limit stopped the search: ``dual`` proves that the least loss is at least ``lower``, ``found``
        attains ``upper``.
    """

    neighbours: Neighbours
    level: PrivacyLevel
    consumer: Consumer
    least_loss: Any
    found: Mechanism | FactoredMechanism
    dual: Dual
    least_loss_bounds: tuple[Any, Any] | None = None

    @property
    def best(self) -> Mechanism:
        """The optimal mechanism; as a remap of the geometric one its entries are computed when asked for."""
        if isinstance(self.found, FactoredMechanism):
            return self.found.multiplied_by(geometric(len(self.found.inputs) - 1, self.level).matrix)
        return self.found


@dataclass(frozen=True, slots=True, kw_only=True)
class OptimumAtPoint(OptimumEvidence):
    """The optimum at one point of a region of letters; all its numbers are those at the point.

    Attributes
    ----------
    point : dict of str to Rational
        The letters' values.
    asked : Problem
        The problem with letters.
    parts : tuple of Verdict
        The optimum as a formula, each proved on a part of the region that its scope states. They need not
        cover the region.
    """

    point: dict[str, Rational]
    asked: Problem
    parts: tuple[Verdict[OptimumEvidence], ...] = ()

    def in_sympy(self) -> None:
        """None: the value at the point is not the optimum that was asked for."""


@takes_epsilon
def optimum(
    neighbours: NeighboursLike,
    level: LevelLike,
    consumer: ConsumerLike,
    *,
    progress: Listener | None = None,
    time_limit: float | None = None,
) -> Verdict[OptimumEvidence]:
    """Find the consumer's least loss from an α-private mechanism, a mechanism that attains it, and the dual.

    Parameters
    ----------
    neighbours : Graph, Metric or text
        On the consumer's inputs; every α^d must be rational.
    level : level
        0 < α < 1.
    consumer : MinimaxConsumer or BayesianConsumer
        Any exact loss; the mechanism's outputs are its guesses. Its words are meant on the vertices.
    progress : callable, optional
        Called with events of the search.
    time_limit : float, optional
        Stop about so many seconds after the call.

    Returns
    -------
    Verdict[OptimumEvidence]
        Proved, with ``value``, ``best`` and ``dual``; or, when the time was up, undecided with certain
        ``bounds``. With letters: proved for every point of their region, or undecided with the optimum at one
        point, and formulas that are proved on parts (:class:`OptimumAtPoint`). The zero-one loss on a large
        complete graph or cube that a word names: its ``value`` and the law of an optimal mechanism; ``best``
        and ``dual`` are made when asked for (:mod:`~exactdp.analysis.optimality.law_optimum`).

    Raises
    ------
    LabelError
        The consumer's inputs are not the vertices.
    DomainError
        Some α^d is irrational.

    Examples
    --------
    >>> from exactdp import Loss, MinimaxConsumer, PrivacyLevel, neighbours
    >>> path = neighbours("path:4")
    >>> optimum(path, PrivacyLevel("1/4"), MinimaxConsumer(Loss.absolute(path.vertices))).evidence.value
    Rational('168/415')
    >>> optimum("path:4", "1/4", MinimaxConsumer("abs")).evidence.value
    Rational('168/415')
    """
    if isinstance(neighbours, str) and neighbours.startswith(("complete:", "hypercube:")):
        from exactdp.analysis.optimality.law_optimum import optimum_by_law  # loaded for words only

        known: Any = optimum_by_law(neighbours, level, consumer)
        if known is not None:
            return known  # type: ignore[no-any-return]
    try:
        return ask(_optimum, progress, time_limit, neighbours=neighbours, level=level, consumer=consumer)
    except ResourceLimitError as error:
        told = None if "seconds" in error.facts else _by_noise(neighbours, level, consumer)
        if told is None:
            raise
        raise type(error)(f"{error.message}; {told}", **error.facts) from None


def _by_noise(neighbours: object, level: LevelLike, consumer: ConsumerLike) -> str | None:
    """What a law answers about a path that is too large for a table; None where none does."""
    from exactdp.analysis.laws import noise_on  # loaded where something is too large

    meant, who = as_level(level), require_consumer(consumer)
    word = noise_on(neighbours, f"epsilon={meant.epsilon}" if meant.by_epsilon else f"alpha={meant}", who)
    if word is None:
        return None
    words = f"{who.loss_word}{' prior=uniform' if isinstance(who, BayesianConsumer) else ''}"
    return f"best_remap({word!r}, {words!r}) tells how good geometric noise is there, by its law"


QUICK = 500
"""Graphs of so many vertices are recommended in the place of one that is too large."""


def _optimum(asked: Arguments) -> Verdict[OptimumEvidence]:
    """The optimum at one level, or as a function of letters."""
    problem, region = asked.problem, asked.region
    if region is not None:
        return _with_letters(problem, region, asked.progress, asked.time_limit)
    neighbours, level, consumer = problem
    size, guesses = len(neighbours.vertices), len(consumer.loss.guesses)
    family, _, number = str(neighbours).partition(":")
    such = f", such as {family}:{min(largest_side(), QUICK)}" if number.isdigit() and size == int(number) else ""
    instead = f"with as many guesses as inputs, at most {largest_side():,} inputs fit{such}"
    require_budget(f"the table of an optimal mechanism on {neighbours}", instead, numbers=size * guesses)
    evidence = None
    rational = consumer.field == QQ  # as the proposals need
    if isinstance(neighbours, Graph) and neighbours.is_path and rational and consumer.loss.has_single_crossing():
        evidence = _on_a_path(problem, asked.progress)
    if evidence is None:
        evidence = _on_a_graph(problem, asked.progress)
    claim, scope = f"The {optimum_text(problem)} is", scope_of(level, consumer)
    if evidence.bounds is not None:
        lower, upper = evidence.bounds
        return Verdict(Decision.UNDECIDED, f"{claim} at least {lower} and at most {upper}; the time was up", evidence, scope)
    return Verdict(Decision.PROVED, f"{claim} {evidence.value}", evidence, scope)


def _with_letters(problem: Problem, region: Region, progress: Listener | None, time_limit: float | None) -> Verdict[OptimumEvidence]:
    """The least loss as one function of the letters, if a basis optimal at a point is so everywhere."""
    from exactdp.analysis.optimality.optimality_with_letters import optimum_everywhere, optimum_on_parts

    problem = problem_over(problem, RegionField(region))
    known = _in_time(lambda: optimum_everywhere(problem, region, progress))
    if known is not None:
        return _formula(known)
    at = optimum_at(problem, region.inside, progress, time_limit).evidence
    found: list[OptimumWithLetters] = []
    _in_time(lambda: _collect(optimum_on_parts(problem, region, progress), found))
    parts = tuple(map(_formula, found))
    one = "" if at.value is None else f"; at {place(at.point)} it is {at.value}"
    some = "".join(f"; it is {part.evidence.value} for {part.scope}" for part in parts)
    claim = f"No one formula was found for the {optimum_text(problem)}, for all {region}{one}{some}"
    return Verdict(Decision.UNDECIDED, claim, replace(at, parts=parts), scope_of(problem.level, problem.consumer))


def _in_time(ask: Callable[[], T]) -> T | None:
    """What ``ask()`` returns; None when the time is up, for a question that goes on to what is certain."""
    try:
        return ask()
    except ResourceLimitError as error:
        if "seconds" not in error.facts:
            raise
        raise_unless_own_limit(error)
        return None


def _collect(items: Iterable[T], found: list[T]) -> None:
    """Append the items one by one, so that those that came in time are there."""
    for item in items:
        found.append(item)


def _formula(known: OptimumWithLetters) -> Verdict[OptimumEvidence]:
    """The verdict about an optimum that was checked for every point of its region."""
    _, level, consumer = known.problem
    evidence = OptimumEvidence(**known.problem._asdict(), least_loss=known.value, found=known.found, dual=known.dual)
    claim = f"The {optimum_text(known.problem)} is {evidence.value}"
    return Verdict(Decision.PROVED, claim, evidence, scope_of(level, consumer, known.value))


def one_optimum(
    neighbours: NeighboursLike,
    level: LevelLike,
    consumer: ConsumerLike,
    *,
    progress: Listener | None = None,
    time_limit: float | None = None,
) -> OptimumEvidence:
    """The evidence of :func:`optimum`; UndecidedSignError where, with letters, no one formula was found."""
    found = optimum(neighbours, level, consumer, progress=progress, time_limit=time_limit)
    if isinstance(found.evidence, OptimumAtPoint):
        raise UndecidedSignError(f"{found.claim}; ask on a part of the region", verdict=found)
    return found.evidence


def optimum_at(
    problem: Problem, point: dict[str, Rational], progress: Listener | None = None, time_limit: float | None = None
) -> Verdict[OptimumAtPoint]:
    """The optimum at one point of the region of the letters."""
    found = optimum(*problem_at(problem, point), progress=progress, time_limit=time_limit)
    known = {f.name: getattr(found.evidence, f.name) for f in fields(OptimumEvidence)}
    return Verdict(found.decision, found.claim, OptimumAtPoint(**known, point=point, asked=problem), found.scope)


def _on_a_path(problem: Problem, progress: Listener | None) -> OptimumEvidence | None:
    """The best remap of the geometric mechanism, its weights the whole dual; None where this has no route."""
    from exactdp.analysis.optimality.path_optimality import path_value  # other graphs need none of these
    from exactdp.search.path.path_optimum import propose_over_field, propose_path_optimum

    path, level, consumer = problem
    n = len(path.vertices) - 1
    try:
        if isinstance(level.alpha, Rational):
            proposal = propose_path_optimum(n, level.alpha, consumer, progress=progress)
            worth = path_value(n, level.alpha, consumer, proposal)
        else:
            over_field = propose_over_field(n, level.alpha, consumer, progress=progress)
            if over_field is None:
                return None
            proposal, worth = over_field, path_value(n, level.alpha, consumer, over_field)
            if not worth.proves_optimality:
                return None
    except ResourceLimitError as error:
        raise_unless_own_limit(error)
        bounded = _bounds_on_a_path(problem)
        if "reason" not in error.facts:
            raise
        return _bounds_on_a_graph(problem) if bounded is None else bounded
    if not worth.proves_optimality:
        raise DefectiveAnswerError(f"the optimum found fails its check ({worth}); please report this", proposal=proposal)
    found = FactoredMechanism(level, path.vertices, consumer.loss.guesses, proposal.remap)
    return OptimumEvidence(**problem._asdict(), least_loss=worth.loss, found=found, dual=Dual(proposal.weights))


def _bounds_on_a_path(problem: Problem) -> OptimumEvidence | None:
    """What the best guess for each result costs, and what equal weights prove, without a search."""
    from exactdp.analysis.optimality.path_optimality import path_value
    from exactdp.search.path.path_problem import PathProposal

    path, level, consumer = problem
    if isinstance(consumer, BayesianConsumer):
        weights = consumer.prior.weights
    else:
        known = consumer.side_information.indices
        weights = tuple(Rational(int(i in known), len(known)) for i in range(len(path.vertices)))
    proposal = PathProposal(weights, tuple({least_index(row): Rational(1)} for row in consumer.loss.matrix.rows()))
    worth = path_value(len(weights) - 1, level.alpha, consumer, proposal)
    if not (worth.valid and worth.crossing):
        return None
    found = FactoredMechanism(level, path.vertices, consumer.loss.guesses, proposal.remap)
    if worth.proves_optimality:
        return OptimumEvidence(**problem._asdict(), least_loss=worth.loss, found=found, dual=Dual(proposal.weights))
    return OptimumEvidence(
        **problem._asdict(), least_loss=None, found=found, dual=Dual(proposal.weights), least_loss_bounds=(worth.bound, worth.loss)
    )


def _on_a_graph(problem: Problem, progress: Listener | None) -> OptimumEvidence:
    """A mechanism and a dual from the linear program of all mechanisms; bounds, if the limit was reached."""
    from exactdp.search.optimal_mechanism import Proposal, propose_optimum  # a path needs no linear program

    try:
        found = propose_optimum(problem, progress=progress)
    except ResourceLimitError as error:
        best = error.facts.get("best")
        if not isinstance(best, Proposal) and "seconds" not in error.facts:
            raise
        raise_unless_own_limit(error)
        return _proposed(problem, best, stopped=True) if isinstance(best, Proposal) else _bounds_on_a_graph(problem)
    return _proposed(problem, found, stopped=False)


def _bounds_on_a_graph(problem: Problem) -> OptimumEvidence:
    """What is certain where a search had no time to find anything."""
    from exactdp.search.optimal_mechanism import certain_proposal

    return _proposed(problem, certain_proposal(problem), stopped=True)


def _proposed(problem: Problem, found: Proposal, *, stopped: bool) -> OptimumEvidence:
    """The optimum that a mechanism and a dual prove; bounds, if the search was stopped."""
    value = problem.consumer.loss_of(found.mechanism)
    bound = dual_bound(*problem, found.dual)
    if bound.value is None or bound.value > value or (bound.value < value and not stopped):
        raise DefectiveAnswerError(
            f"the optimum found ({value}) is not what its dual proves ({bound.value or bound.fault}); please report this",
            mechanism=found.mechanism,
            dual=found.dual,
        )
    if not keeps_constraints(problem, found.mechanism):
        raise DefectiveAnswerError("the mechanism found is not private; please report this", mechanism=found.mechanism)
    bounds = (bound.value, value) if bound.value < value else None
    least = value if bounds is None else None
    return OptimumEvidence(**problem._asdict(), least_loss=least, found=found.mechanism, dual=found.dual, least_loss_bounds=bounds)


def keeps_constraints(problem: Problem, mechanism: Mechanism) -> bool:
    """Whether x_i ≥ α^d·x_j and x_j ≥ α^d·x_i hold throughout; is_private would also say how tightly."""
    neighbours, level, _ = problem
    # of a symmetric mechanism few pairs of entries are different ones
    if mechanism.field == QQ:
        numbers, values = numbered_values(_without_denominators(mechanism.matrix))
    else:
        numbers, values = numbered_objects(list(mechanism.matrix.rows()))
    powers = {distance: level.power(distance) for distance in dict.fromkeys(d for _, _, d in neighbours.pairs())}
    parts = {d: (a.numerator, a.denominator) if isinstance(a, Rational) else (a, 1) for d, a in powers.items()}
    keeps = mechanism.field.keeps_products if isinstance(mechanism.field, ExponentialField) else _keeps_products
    kept: dict[Distance, set[tuple[int, int]]] = {distance: set() for distance in powers}
    for i, j, distance in neighbours.pairs():
        (p, q), known = parts[distance], kept[distance]
        for pair in set(zip(numbers[i], numbers[j], strict=True)).difference(known):
            x, y = values[pair[0]], values[pair[1]]
            if not keeps(x, y, p, q):
                return False
            known.add(pair)
    return True


def _keeps_products(x: Any, y: Any, p: Any, q: Any) -> bool:
    """Whether x ≥ (p/q)·y and y ≥ (p/q)·x."""
    return bool(q * x >= p * y and q * y >= p * x)


def _without_denominators(matrix: ExactMatrix) -> Sequence[Sequence[Any]]:
    """The rows, each column times a positive number: integers, as long fractions compare slowly."""
    if isinstance(matrix, OverOneDenominator):
        return matrix.numerators
    return list(zip(*(integer_vector(list(column))[1] for column in zip(*matrix.rows(), strict=True)), strict=True))
