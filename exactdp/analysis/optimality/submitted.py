# SPDX-License-Identifier: MIT
"""Answers from elsewhere: a claimed optimum, and a dual whose numbers a floating-point solver rounded.

A solver's numbers break the conditions of a dual by its rounding errors: weights do not add up to 1, a slack
is −10⁻¹⁷. Every dual here is exact and is judged by :func:`~exactdp.analysis.optimality.dual.dual_bound`;
nothing is trusted because it is near.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from exactdp.analysis.arguments import ConsumerLike, as_kind, as_problem
from exactdp.analysis.optimality.by_level import OptimumByLevel, optimum_by_level
from exactdp.analysis.optimality.dual import DualFault, dual_bound
from exactdp.analysis.optimality.mechanism import DualEvidence
from exactdp.analysis.optimality.optimum import OptimumEvidence, article, optimum
from exactdp.analysis.verdict import Decision, Verdict, decided, scope_of
from exactdp.errors import InputError, ShapeError, UndecidedSignError
from exactdp.exact import Rational, RationalFunction, Scalar, common_field, divisors, evaluate, parse_expression, reader_of_exponentials
from exactdp.limits import Listener
from exactdp.model import BayesianConsumer, Consumer, Dual, LevelLike, NeighboursLike
from exactdp.model.consumer import Problem
from exactdp.search.mechanism import repaired_dual

DENOMINATORS = (100, 10_000, 1_000_000, 1_000_000_000)
"""The largest denominators of the fractions that numbers are rounded to, one after another."""


@dataclass(frozen=True, slots=True)
class NearestDual:
    """An exact dual near the one given, and what was done to it.

    Attributes
    ----------
    dual : Dual
        Proves ``value``.
    value : scalar
        No private mechanism has a smaller loss.
    fault : DualFault, str or None
        The condition that the dual as given breaks, or why its rule does not apply. If None, ``dual`` is the
        given one unless another proves more.
    changes : str
        What was done, in words; empty if nothing.
    """

    dual: Dual
    value: Any
    fault: DualFault | str | None
    changes: str


def nearest_dual(neighbours: NeighboursLike, level: LevelLike, consumer: ConsumerLike, dual: Dual) -> NearestDual:
    """An exact dual near given numbers that proves as much as any that was tried.

    Tried are the numbers as given, and rounded to fractions with small denominators; each also with weights
    divided by their sum, and with the largest potentials that the weights and privacy multipliers allow,
    μ_i = min_r (what is left of w_i l(i,r)). The last always proves something.

    Parameters
    ----------
    neighbours, level, consumer
        As in :func:`exactdp.dual_bound`.
    dual : Dual
        From anywhere; potentials may be missing.

    Returns
    -------
    NearestDual
        The exact dual and the bound that it proves.

    Examples
    --------
    >>> from exactdp import Dual, Loss, MinimaxConsumer, neighbours
    >>> zero_one, path = MinimaxConsumer(Loss.zero_one(range(2))), neighbours("path:2")
    >>> found = nearest_dual(path, "1/2", zero_one, Dual(weights=("0.4999999999", "0.5")))
    >>> found.value, str(found.fault)
    (Rational('1/3'), 'weights sum to 1 at all inputs: 9999999999/10000000000 against 1')
    """
    problem = Problem(*as_problem(neighbours, level, consumer))
    as_kind(dual, Dual, "dual", "a Dual, such as Dual(weights=('1/2', '1/2'))")
    dual = _exact(problem, dual)
    best: NearestDual | None = None
    fault: DualFault | str | None = None
    for number, (candidate, changes) in enumerate(_near(problem, dual)):
        try:
            bound = dual_bound(*problem, candidate)
        except ShapeError:
            raise
        except InputError as error:  # its rule is not for these neighbours
            fault = error.message if number == 0 else fault
            continue
        if number == 0:
            fault = bound.fault
        if bound.value is not None and (best is None or bound.value > best.value):
            best = NearestDual(candidate, bound.value, fault, changes)
    assert best is not None  # the last candidate always proves something
    return best


def is_optimum_value(
    neighbours: NeighboursLike,
    level: LevelLike,
    consumer: ConsumerLike,
    claimed_value: object,
    *,
    progress: Listener | None = None,
    time_limit: float | None = None,
) -> Verdict[OptimumEvidence | OptimumByLevel]:
    """Is this the least loss of a private mechanism for the consumer (or the largest gain)?

    Parameters
    ----------
    neighbours, level, consumer
        As in :func:`exactdp.optimum`; the level may be a letter.
    claimed_value : number or text
        The least loss (or the largest gain, if the consumer has a gain). A text may be a formula in the level
        ``a``, such as ``"2*a/(1 + 2*a - a^2)"``, or have ``exp(…)``.
    progress : callable, optional
        Told how far it is.
    time_limit : float, optional
        Stop about so many seconds after the call (at one level).

    Returns
    -------
    Verdict[OptimumEvidence or OptimumByLevel]
        Proved; refuted, with the optimum; or undecided where the optimum is.

    Examples
    --------
    >>> from exactdp import MinimaxConsumer, PrivacyLevel
    >>> print(is_optimum_value("path:4", "1/4", MinimaxConsumer("abs"), "168/415").claim)
    168/415 is the least loss of a 1/4-private mechanism on path:4 for the minimax consumer ...
    >>> all_levels, formula = PrivacyLevel.symbolic(), "2*a/(1 + 2*a - a^2)"
    >>> bool(is_optimum_value("path:3", all_levels, MinimaxConsumer("abs"), formula))
    True
    """
    problem = Problem(*as_problem(neighbours, level, consumer))
    if isinstance(problem.level.alpha, RationalFunction):
        return _is_function(claimed_value, problem, progress)
    found = optimum(*problem, progress=progress, time_limit=time_limit)
    return compared(claimed_value, found.evidence) if found.proved else found


def compared(claimed_value: object, best: OptimumEvidence | DualEvidence) -> Verdict[OptimumEvidence]:
    """Whether the claimed value is the optimum, when what is known proves it.

    Examples
    --------
    >>> from exactdp import MinimaxConsumer
    >>> compared("1/3", optimum("path:2", "1/2", MinimaxConsumer("abs")).evidence).proved
    True
    """
    attained = best.mechanism if isinstance(best, DualEvidence) else best.found
    e = OptimumEvidence(
        neighbours=best.neighbours, level=best.level, consumer=best.consumer, value=best.value, found=attained, dual=best.dual
    )
    measure = e.consumer.measure
    true, value = measure.of(e.value), _at(claimed_value, e.level.alpha)
    field = common_field(value, true)
    right = bool(field(value) == field(true))
    what = f"the {measure.best} of {article(e.level)} {e.level.name}-private mechanism on {e.neighbours} for {e.consumer.describe()}"
    claim = f"{claimed_value} is {what}" if right else f"{claimed_value} is not {what}: that is {true}"
    return Verdict(decided(right), claim, e, scope_of(e.level, e.consumer))


def _is_function(claimed: object, problem: Problem, progress: Listener | None) -> Verdict[OptimumByLevel]:
    """The same for every level of an interval: on each piece two rational functions are compared."""
    neighbours, level, consumer = problem
    found = optimum_by_level(neighbours, consumer, level.alpha.field.interval, progress=progress)
    measure, unknown = consumer.measure, False
    what = f"the {measure.best} of {article(level)} {level.name}-private mechanism on {neighbours} for {consumer.describe()}"
    for interval, e in found.evidence.pieces:
        if e is None:
            unknown = True
            continue
        true = measure.of(e.value)
        if _at(claimed, e.level.alpha) != true:
            claim = f"{claimed} is not {what}: for a in {interval} that is {true}"
            return Verdict(Decision.REFUTED, claim, found.evidence, found.scope)
    if unknown:
        return Verdict(Decision.UNDECIDED, f"Whether {claimed} is {what} is not known at all levels", found.evidence, found.scope)
    return Verdict(Decision.PROVED, f"{claimed} is {what}", found.evidence, found.scope)


def _at(claimed: object, alpha: Any) -> Any:
    """A claimed value as a number, or as a function of the level's letter."""
    if isinstance(claimed, Scalar) and not isinstance(alpha, RationalFunction):
        return claimed
    text = str(claimed)
    if "exp(" in text:
        return reader_of_exponentials([text])(text)
    tree, field = parse_expression(text), common_field(alpha)
    for divisor in divisors(tree):
        try:
            known = evaluate(divisor, {"a": alpha}, field).sign()
        except UndecidedSignError:
            known = 0
        if not known:
            raise InputError(f"the claimed value divides by {divisor}, which is zero at some level asked about", divisor=divisor)
    return evaluate(tree, {"a": alpha}, field)


def _exact(problem: Problem, dual: Dual) -> Dual:
    """The dual with numbers of the problem's field for texts and integers."""
    rows = [*(dual.edges or ()), dual.weights, dual.potentials or ()]
    field = common_field(problem.consumer.loss, problem.level.alpha, *(x for row in rows for x in row))

    def exact(row: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(map(field, row))

    edges = None if dual.edges is None else tuple(map(exact, dual.edges))
    return Dual(exact(dual.weights), None if dual.potentials is None else exact(dual.potentials), edges)


def _near(problem: Problem, dual: Dual) -> Iterator[tuple[Dual, str]]:
    """Duals to try, each with what was done; the first is the one given."""
    yield dual, ""
    yield from _mended(problem, dual, "")
    for largest in DENOMINATORS:
        rounded = _rounded(dual, largest)
        if rounded != dual:
            yield from _mended(problem, rounded, f"numbers rounded to fractions with denominators up to {largest}")


def _mended(problem: Problem, dual: Dual, done: str) -> Iterator[tuple[Dual, str]]:
    """The dual as it is, with weights that sum to 1, and with the largest potentials."""
    if done:
        yield dual, done
    normal = Dual(_weights(problem.consumer, dual.weights), dual.potentials, dual.edges)
    steps = [done] if done else []
    if normal.weights != dual.weights:
        steps.append("weights made a distribution")
        yield normal, "; ".join(steps)
    yield repaired_dual(problem, normal), "; ".join([*steps, "potentials as large as they can be"])


def _weights(consumer: Consumer, weights: tuple[Any, ...]) -> tuple[Any, ...]:
    """The weights without what is negative or outside the side information, divided by their sum."""
    if isinstance(consumer, BayesianConsumer):
        return tuple(consumer.prior.weights)
    known = set(consumer.side_information.indices)
    kept = [w if i in known and w > 0 else w - w for i, w in enumerate(weights)]
    total = sum(kept[1:], kept[0])
    return tuple(w / total for w in kept) if total else weights


def _rounded(dual: Dual, largest: int) -> Dual:
    """Each rational number as the nearest fraction with a denominator of at most ``largest``."""

    def near(x: Any) -> Any:
        if not isinstance(x, Rational):
            return x
        return Rational(Fraction(int(x.numerator), int(x.denominator)).limit_denominator(largest))

    potentials = None if dual.potentials is None else tuple(map(near, dual.potentials))
    edges = None if dual.edges is None else tuple(tuple(map(near, row)) for row in dual.edges)
    return Dual(tuple(map(near, dual.weights)), potentials, edges)
