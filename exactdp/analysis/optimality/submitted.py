# SPDX-License-Identifier: MIT
"""Answers from elsewhere: a claimed optimum, and a dual whose numbers a floating-point solver rounded.

A solver's numbers break the conditions of a dual by its rounding errors: weights do not add up to 1, a slack
is −10⁻¹⁷. Every dual here is exact and is judged by :func:`~exactdp.analysis.optimality.dual.dual_bound`;
nothing is trusted because it is near.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from exactdp.analysis.arguments import Arguments, ConsumerLike, MechanismLike, as_kind
from exactdp.analysis.optimality.by_level import OptimumByLevel, optimum_by_level
from exactdp.analysis.optimality.dual import DualFault, dual_bound, exact_dual, forest_sweep
from exactdp.analysis.optimality.letters_at_point import at_point, negative_point, region_of, some_points
from exactdp.analysis.optimality.mechanism_optimality import POINTS, DualEvidence, verify_optimal
from exactdp.analysis.optimality.optimum import OptimumAtPoint, OptimumEvidence, optimum, optimum_at
from exactdp.analysis.verdict import Decision, Verdict, decided, scope_of
from exactdp.analysis.wording import optimum_text
from exactdp.errors import ExactDPError, InputError, ShapeError, UndecidedSignError
from exactdp.exact import (
    QQ,
    Expression,
    Interval,
    Rational,
    RationalFunction,
    Region,
    RegionField,
    RegionFunction,
    Scalar,
    common_field,
    divisors,
    evaluate,
    parse_expression,
    reader_of_exponentials,
    smallest,
)
from exactdp.exact.identity import is_zero, same_formula
from exactdp.exact.region_functions import place
from exactdp.exact.sympy_operators import is_expression, require_exact
from exactdp.model import BayesianConsumer, Consumer, Dual, Graph, LevelLike, NeighboursLike
from exactdp.model.consumer import Problem
from exactdp.model.level_argument import takes_epsilon
from exactdp.runtime.progress import Listener
from exactdp.search.optimal_mechanism import repaired_dual

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


@takes_epsilon
def nearest_dual(neighbours: NeighboursLike, level: LevelLike, consumer: ConsumerLike, dual: Dual) -> NearestDual:
    """An exact dual near given numbers that proves as much as any that was tried.

    Tried are the numbers as given, and rounded to fractions with small denominators; each also with weights
    divided by their sum, on a forest with potentials that are lower by one number, and with the largest
    potentials that the weights and privacy multipliers allow, μ_i = min_r (what is left of w_i l(i,r)). At
    one level the last always proves something. With letters the multipliers are formulas, none of which is
    rounded.

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

    Raises
    ------
    UndecidedSignError
        With letters: none of what was tried was found to be a dual at every point of the region.

    Examples
    --------
    >>> from exactdp import Dual, Loss, MinimaxConsumer, neighbours
    >>> zero_one, path = MinimaxConsumer(Loss.zero_one(range(2))), neighbours("path:2")
    >>> found = nearest_dual(path, "1/2", zero_one, Dual(weights=("0.4999999999", "0.5")))
    >>> found.value, str(found.fault)
    (Rational('1/3'), 'weights sum to 1 at all inputs: 9999999999/10000000000 against 1')
    """
    problem = Arguments(neighbours=neighbours, level=level, consumer=consumer).problem
    as_kind(dual, Dual, "dual", "a Dual, such as Dual(weights=('1/2', '1/2'))")
    dual = exact_dual(dual, problem.level, problem.consumer)
    best: NearestDual | None = None
    fault: DualFault | str | None = None
    for number, (candidate, changes) in enumerate(_near(problem, dual)):
        try:
            bound = dual_bound(*problem, candidate)
        except ShapeError:
            raise
        except (InputError, UndecidedSignError) as error:  # its rule is not for these neighbours, or has no one answer
            fault = error.message if number == 0 else fault
            continue
        if number == 0:
            fault = bound.fault
        if bound.value is not None and (best is None or _is_more(bound.value, best.value)):
            best = NearestDual(candidate, bound.value, fault, changes)
    if best is None:  # with letters only: at one level the last candidate proves something
        message = f"no dual near the given one was found to hold wherever it is asked about: {fault}"
        raise UndecidedSignError(message, fault=fault)
    return best


def _is_more(x: Any, y: Any) -> bool:
    """Whether a bound is greater; with letters everywhere."""
    try:
        return bool(x > y)
    except UndecidedSignError:
        return False


@takes_epsilon
def is_optimum_value(
    neighbours: NeighboursLike,
    level: LevelLike,
    consumer: ConsumerLike,
    claimed_value: object,
    *,
    mechanism: MechanismLike | None = None,
    dual: Dual | None = None,
    progress: Listener | None = None,
    time_limit: float | None = None,
) -> Verdict[OptimumEvidence | OptimumByLevel]:
    """Is this the least loss of a private mechanism for the consumer (or the largest gain)?

    With letters the question is about every point of their region.

    Parameters
    ----------
    neighbours, level, consumer
        As in :func:`exactdp.optimum`; the level may be a letter.
    claimed_value : number or text
        The least loss (or the largest gain, if the consumer has a gain). A text may be a formula in the level
        ``a``, such as ``"2*a/(1 + 2*a - a^2)"``, or in the letters, or have ``exp(…)``.
    mechanism : Mechanism, text or rows, optional
        What is submitted as an optimal mechanism.
    dual : Dual, optional
        What is submitted as its proof, together with the mechanism. Where it is one, nothing is solved; where
        it is none, the answer says so.
    progress : callable, optional
        Told how far it is.
    time_limit : float, optional
        Stop about so many seconds after the call (at one level).

    Returns
    -------
    Verdict[OptimumEvidence or OptimumByLevel]
        Proved; refuted, with the optimum (with letters at a point of the region:
        :class:`~exactdp.analysis.optimality.optimum.OptimumAtPoint`, unless its formula was found); or
        undecided where the optimum is.

    Raises
    ------
    InputError
        A mechanism without a dual, or a dual without a mechanism; a claimed value that is no exact number.

    Examples
    --------
    >>> from exactdp import MinimaxConsumer, PrivacyLevel
    >>> print(is_optimum_value("path:4", "1/4", MinimaxConsumer("abs"), "168/415").claim)
    168/415 is the least loss of an (α = 1/4)-private mechanism (ε = ln(4) ≈ 1.386294) on path:4 for ...
    >>> all_levels, formula = PrivacyLevel.symbolic(), "2*a/(1 + 2*a - a^2)"
    >>> bool(is_optimum_value("path:3", all_levels, MinimaxConsumer("abs"), formula))
    True
    """
    if (mechanism is None) != (dual is None):
        given, missing = ("dual", "mechanism") if mechanism is None else ("mechanism", "dual")
        raise InputError(f"a {given} is submitted without a {missing}; give both, or neither, and the optimum is looked for")
    problem = Arguments(neighbours=neighbours, level=level, consumer=consumer).problem
    if mechanism is None or dual is None:
        return _looked_for(claimed_value, problem, progress, time_limit)
    judged = verify_optimal(mechanism, *problem, dual, progress=progress)
    if judged.proved:
        return compared(claimed_value, judged.evidence)
    found = _looked_for(claimed_value, problem, progress, time_limit)
    why = f"he submitted mechanism and dual do not show the optimum: {judged.claim}"
    return replace(found, claim=f"{found.claim}. T{why}", assumed=(*found.assumed, f"t{why}"))


def _looked_for(
    claimed_value: object, problem: Problem, progress: Listener | None, time_limit: float | None
) -> Verdict[OptimumEvidence | OptimumByLevel]:
    """The answer when nothing is submitted but a value."""
    region = region_of(problem.level, problem.consumer)
    if region is None and isinstance(problem.level.alpha, RationalFunction):
        return _is_function(claimed_value, problem, progress)
    found = optimum(*problem, progress=progress, time_limit=time_limit)
    if found.proved:
        return compared(claimed_value, found.evidence)
    return found if region is None else _at_points(claimed_value, problem, region, progress)


def _at_points(claimed: object, problem: Problem, region: Region, progress: Listener | None) -> Verdict[OptimumEvidence]:
    """Whether the claimed value is wrong at one of a few points, where the optimum has no known formula."""
    scope = scope_of(problem.level, problem.consumer)
    value = _at(claimed, problem.level.alpha, region)
    at: Verdict[OptimumAtPoint] | None = None
    tried = 0
    for point in some_points(region, POINTS):
        at = optimum_at(problem, point, progress)
        if not at.proved:
            return at
        true, here = at.evidence.value, at_point(value, point)
        if here != true:
            claim = f"{claimed} is not {_what(problem)}: at {place(point)} that is {true}, and the claimed value {here}"
            told = (f"claimed value {claimed}", f"the claimed value is {here} there")
            return Verdict(Decision.REFUTED, claim, at.evidence, scope, told)
        tried += 1
    assert at is not None
    claim = f"Whether {claimed} is {_what(problem)}, for all {region}, was not decided; at {tried} points of it it is"
    return Verdict(Decision.UNDECIDED, claim, at.evidence, scope, (f"claimed value {claimed}",))


def _what(problem: Problem) -> str:
    """What a claimed value is said to be."""
    return f"the {optimum_text(problem)}"


def compared(claimed_value: object, best: OptimumEvidence | DualEvidence) -> Verdict[OptimumEvidence]:
    """Whether the claimed value is the optimum, when what is known proves it.

    * raises InputError: the evidence has no optimum: the search stopped before, or the dual proves less.

    >>> from exactdp import MinimaxConsumer
    >>> compared("1/3", optimum("path:2", "1/2", MinimaxConsumer("abs")).evidence).proved
    True
    """
    proves = best.attained if isinstance(best, DualEvidence) else best.least_loss is not None
    if not proves:
        message = "the evidence does not prove which value is the optimum, so no claimed value is compared with it; ask is_optimum_value"
        raise InputError(message, value=claimed_value)
    attained = best.mechanism if isinstance(best, DualEvidence) else best.found
    e = OptimumEvidence(
        neighbours=best.neighbours, level=best.level, consumer=best.consumer, least_loss=best.least_loss, found=attained, dual=best.dual
    )
    true = e.value
    value = _at(claimed_value, e.level.alpha, region_of(e.level, e.consumer, true))
    field = common_field(value, true)
    difference = field(value) - field(true)
    right, what = is_zero(difference), _what(Problem(e.neighbours, e.level, e.consumer))
    claim = f"{claimed_value} is {what}" if right else f"{claimed_value} is not {what}: that is {true}"
    point = None if right else negative_point(difference) or negative_point(-difference)
    told = [f"claimed value {claimed_value}"]
    if point is not None:
        values = f"{at_point(field(true), point)}, and the claimed value {at_point(field(value), point)}"
        claim += f"; at {place(point)} that is {values}"
        told.append(f"they differ: at {place(point)} it is {values}")
    return Verdict(decided(right), claim, e, scope_of(e.level, e.consumer), tuple(told))


def _is_function(claimed: object, problem: Problem, progress: Listener | None) -> Verdict[OptimumByLevel]:
    """The same for every level of an interval: on each piece two rational functions are compared."""
    neighbours, level, consumer = problem
    found = optimum_by_level(neighbours, consumer, level.alpha.field.interval, progress=progress)
    unknown, what = False, _what(problem)
    told = (f"claimed value {claimed}",)
    for interval, e in found.evidence.pieces:
        if e is None:
            unknown = True
            continue
        true = e.value
        said = _at(claimed, e.level.alpha, None)
        if not (said == true if interval.is_point else same_formula(said, true)):
            claim = f"{claimed} is not {what}: for a in {interval} that is {true}"
            return Verdict(Decision.REFUTED, claim, found.evidence, found.scope, told)
    if unknown:
        return Verdict(Decision.UNDECIDED, f"Whether {claimed} is {what} is not known at all levels", found.evidence, found.scope, told)
    return Verdict(Decision.PROVED, f"{claimed} is {what}", found.evidence, found.scope, told)


def _at(claimed: object, alpha: Any, region: Region | None) -> Any:
    """A claimed value as a number, or as a function of the level's letter or of the letters of a region."""
    if isinstance(claimed, Scalar) and (region is not None or not isinstance(alpha, RationalFunction)):
        return _number_at(claimed, alpha, region)
    if is_expression(claimed):
        require_exact(claimed)
    elif not isinstance(claimed, str | Expression | Scalar):
        claimed = QQ(claimed)  # which says what is wrong with it
    text = str(claimed)
    if "exp(" in text:
        return reader_of_exponentials([text])(text)
    if region is not None:
        try:
            return RegionField(region)(text)  # which says what is no letter, and what is not defined where
        except ExactDPError as error:
            raise type(error)(f"the claimed value: {error.message}", **error.facts) from None
    field, letters, tree = common_field(alpha), {"a": alpha}, parse_expression(text)
    for divisor in divisors(tree):
        try:
            if evaluate(divisor, letters, field).sign():
                continue
        except UndecidedSignError:
            pass
        raise InputError(f"the claimed value divides by {divisor}, which is zero at some level asked about", divisor=divisor)
    return evaluate(tree, letters, field)


def _number_at(claimed: Scalar, alpha: Any, region: Region | None) -> Any:
    """A claimed number in the letters of a region; without any, a function of the level at this level."""
    known: Rational | None = getattr(claimed, "rational", None)
    if known is not None:
        return known
    if region is not None:
        return RegionField(region)(claimed)
    if isinstance(claimed, RegionFunction):
        message = f"the claimed value {claimed} has letters, and what is asked about has none; give a formula in the level as text"
        raise InputError(message, value=claimed)
    if not isinstance(claimed, RationalFunction):
        return claimed
    where = claimed.field.interval
    if not (where.contains(alpha) if isinstance(alpha, Rational) else where == Interval(0, 1)):
        message = f"the claimed value {claimed} is known on {where} only, and asked about at the level {alpha}"
        raise InputError(message, value=claimed)
    try:
        return claimed.substitute(alpha)
    except ZeroDivisionError:
        raise InputError(f"the claimed value {claimed} is not defined at the level {alpha}", value=claimed) from None


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
    try:
        normal = Dual(_weights(problem.consumer, dual.weights), dual.potentials, dual.edges)
    except UndecidedSignError:  # with letters: a weight that is negative at some points
        return
    steps = [done] if done else []
    if normal.weights != dual.weights:
        steps.append("weights made a distribution")
        yield normal, "; ".join(steps)
    if normal.potentials is not None and normal.edges is None and isinstance(problem.neighbours, Graph) and problem.neighbours.is_forest:
        lowered = _lowered(problem, problem.neighbours, normal)
        if lowered is not None:
            yield lowered, "; ".join([*steps, "potentials lowered until the sweep of the forest ends at 0 or more"])
    try:
        repaired = repaired_dual(problem, normal)
    except UndecidedSignError:  # with letters: which potential is the largest one changes
        return
    yield repaired, "; ".join([*steps, "potentials as large as they can be"])


def _lowered(problem: Problem, forest: Graph, dual: Dual) -> Dual | None:
    """Potentials lower by the same number; with δ less each, every root of the sweep has at least δ more."""
    _, level, consumer = problem
    potentials = dual.potentials or ()
    rows = zip(consumer.loss.matrix.rows(), dual.weights, potentials, strict=True)
    costs = [[w * x - u for x in row] for row, w, u in rows]
    try:
        least = smallest(left for _, _, left in forest_sweep(forest, level.alpha, costs))
        return None if least >= 0 else Dual(dual.weights, tuple(u + least for u in potentials))
    except UndecidedSignError:  # with letters
        return None


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
