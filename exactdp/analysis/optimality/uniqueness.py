# SPDX-License-Identifier: MIT
"""Is the optimum the only one?

Yes is shown by a dual so positive that the constraints it forces to be tight, together with the row sums,
leave no freedom (SPEC.md §4.5); no by two different optima. Both for optimal mechanisms and for a consumer's
best remaps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from exactdp.analysis.arguments import Arguments, ConsumerLike, MechanismLike
from exactdp.analysis.optimality.dual import dual_bound, edge_slacks
from exactdp.analysis.optimality.letters_at_point import region_of
from exactdp.analysis.optimality.optimum import one_optimum
from exactdp.analysis.optimality.remap_optimality import best_remap, remap_bound
from exactdp.analysis.verdict import Decision, Verdict, scope_of
from exactdp.analysis.wording import StatedValue, problem_text, whose
from exactdp.errors import DefectiveAnswerError, InputError
from exactdp.exact import ExactMatrix, RationalFunction, RationalFunctionField, common_field, smallest
from exactdp.model import (
    BayesianConsumer,
    Consumer,
    Dual,
    LevelLike,
    Mechanism,
    MinimaxConsumer,
    Neighbours,
    NeighboursLike,
    PrivacyLevel,
    Remap,
)
from exactdp.model.consumer import guess_costs
from exactdp.model.level_argument import takes_epsilon
from exactdp.runtime.progress import Listener
from exactdp.search.best_remap import propose_second_remap
from exactdp.search.optimal_mechanism import propose_second_optimum

_SYMBOLIC = " at every level of the interval was not decided: it may fail at single levels; ask at a rational level"


@dataclass(frozen=True, slots=True, kw_only=True)
class Uniqueness(StatedValue):
    """The optimal mechanism ``first``, a ``second`` if there is one, and the dual that proves either.

    ``value`` is what the sentence says; with a gain ``least_loss`` is minus the largest utility.
    """

    neighbours: Neighbours
    level: PrivacyLevel
    consumer: Consumer
    least_loss: Any
    first: Mechanism
    second: Mechanism | None
    dual: Dual


@dataclass(frozen=True, slots=True, kw_only=True)
class RemapUniqueness(StatedValue):
    """The best remap ``first``, a ``second`` if there is one, and the weights that prove either.

    ``value`` is what the sentence says; with a gain ``least_loss`` is minus the largest utility.
    """

    mechanism: Mechanism
    consumer: Consumer
    least_loss: Any
    first: Remap
    second: Remap | None
    weights: tuple[Any, ...]


@takes_epsilon
def is_optimum_unique(
    neighbours: NeighboursLike, level: LevelLike, consumer: ConsumerLike, *, progress: Listener | None = None
) -> Verdict[Uniqueness]:
    """Is there only one optimal α-private mechanism for this consumer?

    Parameters and errors as in :func:`exactdp.optimum`.

    Returns
    -------
    Verdict[Uniqueness]
        Proved with a strictly positive dual, refuted with two optimal mechanisms.

    Examples
    --------
    >>> from exactdp import Loss, MinimaxConsumer, PrivacyLevel, neighbours
    >>> path = neighbours("path:2")
    >>> bool(is_optimum_unique(path, PrivacyLevel("1/2"), MinimaxConsumer(Loss.zero_one(path.vertices))))
    True
    """
    problem = Arguments(neighbours=neighbours, level=level, consumer=consumer).problem
    neighbours, level, consumer = problem
    _require_numbers(level, consumer)
    best = one_optimum(neighbours, level, consumer, progress=progress)
    first = best.best
    second, dual = propose_second_optimum(problem, first, best.least_loss, progress=progress)
    if dual_bound(neighbours, level, consumer, dual).value != best.least_loss:
        raise DefectiveAnswerError("the dual found for uniqueness proves another value; please report this", dual=dual)
    evidence = Uniqueness(**problem._asdict(), least_loss=best.least_loss, first=first, second=second, dual=dual)
    what = problem_text(problem)
    scope, measure = scope_of(level, consumer), consumer.measure
    if isinstance(level.alpha, RationalFunction):
        return Verdict(Decision.UNDECIDED, f"Whether the optimal {what} is unique{_SYMBOLIC}", evidence, scope)
    if second is not None:
        if second == first or consumer.loss_of(second) != best.least_loss:
            raise DefectiveAnswerError("the second optimum is none; please report this", mechanism=second)
        return Verdict(Decision.REFUTED, f"The optimal {what} is not unique: two of {measure.word} {best.value} are given", evidence, scope)
    size = first.n_inputs * first.n_outputs
    if _forced(neighbours, level, consumer, dual).rank() < size:
        return Verdict(Decision.UNDECIDED, f"Whether the optimal {what} is unique was not decided", evidence, scope)
    return Verdict(Decision.PROVED, f"The optimal {what} is unique; its {measure.word} is {best.value}", evidence, scope)


def is_remap_unique(mechanism: MechanismLike, consumer: ConsumerLike, *, progress: Listener | None = None) -> Verdict[RemapUniqueness]:
    """Is there only one best remap of this mechanism for this consumer?

    Parameters and errors as in :func:`exactdp.best_remap`.

    Returns
    -------
    Verdict[RemapUniqueness]
        Proved with weights that force it, refuted with two best remaps.

    Examples
    --------
    >>> from exactdp import Loss, MinimaxConsumer, geometric
    >>> G = geometric(3, "1/4")
    >>> v = is_remap_unique(G, MinimaxConsumer(Loss.absolute(G.inputs)))
    >>> v.proved, v.evidence.first.matrix.row(0)
    (True, (Rational('68/83'), Rational('15/83'), Rational('0'), Rational('0')))
    """
    asked = Arguments(mechanism=mechanism, consumer=consumer)
    mechanism, consumer = asked.mechanism, asked.consumer
    _require_numbers(mechanism, consumer)
    best = best_remap(mechanism, consumer, progress=progress).evidence
    second, weights = propose_second_remap(mechanism, consumer, best.remap, best.least_loss, progress=progress)
    if remap_bound(mechanism, consumer, weights) != best.least_loss:
        message = "the weights found for uniqueness prove another value; please report this"
        raise DefectiveAnswerError(message, weights=weights)
    evidence = RemapUniqueness(
        mechanism=mechanism, consumer=consumer, least_loss=best.least_loss, first=best.remap, second=second, weights=weights
    )
    scope, measure, what = scope_of(mechanism, consumer), consumer.measure, f"best remap {whose(consumer)}"
    if isinstance(common_field(mechanism, consumer.loss), RationalFunctionField):
        return Verdict(Decision.UNDECIDED, f"Whether the {what} is unique{_SYMBOLIC}", evidence, scope)
    if second is not None:
        if second == best.remap or consumer.loss_of(mechanism.post_process(second)) != best.least_loss:
            raise DefectiveAnswerError("the second best remap is none; please report this", remap=second)
        return Verdict(Decision.REFUTED, f"The {what} is not unique: two of {measure.word} {best.value} are given", evidence, scope)
    size = best.remap.matrix.shape[0] * best.remap.matrix.shape[1]
    if _forced_remap(mechanism, consumer, weights).rank() < size:
        return Verdict(Decision.UNDECIDED, f"Whether the {what} is unique was not decided", evidence, scope)
    return Verdict(Decision.PROVED, f"The {what} is unique; its {measure.word} is {best.value}", evidence, scope)


def _require_numbers(*things: Any) -> None:
    """Refuse letters: where a multiplier vanishes at some point, uniqueness may end."""
    region = region_of(*things)
    if region is not None:
        names = ", ".join(region.names)
        message = f"whether an optimum is unique is asked about numbers, and {names} are letters; give values"
        raise InputError(message, region=region)


def _forced(neighbours: Neighbours, level: PrivacyLevel, consumer: Consumer, dual: Dual) -> ExactMatrix:
    """The equations that the difference of two optima satisfies, one row each, unknowns δ_ir at i·k + r."""
    loss = consumer.loss.matrix
    n, k = loss.shape
    assert dual.potentials is not None
    assert dual.edges is not None
    costs = [[w * x - u for x in loss.row(i)] for i, (w, u) in enumerate(zip(dual.weights, dual.potentials, strict=True))]
    slack = edge_slacks(neighbours, level, costs, dual.edges)
    equations: list[dict[int, Any]] = [{i * k + r: 1 for r in range(k)} for i in range(n)]
    equations += [{i * k + r: 1} for i in range(n) for r in range(k) if slack[i][r]]
    for (i, j, distance), row in zip(neighbours.pairs(), dual.edges, strict=True):
        a = level.power(distance)
        for r, u in enumerate(row):
            if u:
                low, high = (i, j) if u > 0 else (j, i)
                equations.append({low * k + r: 1, high * k + r: -a})
    if isinstance(consumer, MinimaxConsumer):
        equations += [{i * k + r: loss[i, r] for r in range(k)} for i, w in enumerate(dual.weights) if w]
    return _dense(equations, n * k, loss)


def _forced_remap(mechanism: Mechanism, consumer: Consumer, weights: tuple[Any, ...]) -> ExactMatrix:
    """The same for remaps, unknowns δ_yr at y·k + r."""
    loss = consumer.loss.matrix
    m, k = mechanism.n_outputs, loss.shape[1]
    costs = guess_costs(weights, mechanism.matrix, loss)
    equations: list[dict[int, Any]] = [{y * k + r: 1 for r in range(k)} for y in range(m)]
    for y in range(m):
        least = smallest(costs.row(y))
        equations += [{y * k + r: 1} for r in range(k) if costs[y, r] > least]
    if not isinstance(consumer, BayesianConsumer):
        equations += [
            {y * k + r: mechanism.matrix[i, y] * loss[i, r] for y in range(m) for r in range(k)} for i, w in enumerate(weights) if w
        ]
    return _dense(equations, m * k, loss)


def _dense(equations: list[dict[int, Any]], width: int, like: ExactMatrix) -> ExactMatrix:
    return ExactMatrix([[e.get(v, 0) for v in range(width)] for e in equations], like.field)
