# SPDX-License-Identifier: MIT
"""Optimal mechanisms with letters: what is shown for every point of the letters' region.

A mechanism is optimal at every point if it is private at every point and its loss, a rational function of the
letters, is the bound that a dual proves. An optimum with letters is found from a point: the optimal basis
there, solved with letters, is a mechanism and a dual; whether they are one for the whole region is checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from exactdp.analysis.optimality.dual import dual_bound, exact_dual
from exactdp.analysis.optimality.letters_at_point import at_point, negative_point, problem_over, some_points
from exactdp.errors import DomainError, ExactDPError, InputError, ResourceLimitError, UndecidedSignError
from exactdp.exact import Rational, Region, RegionField, RegionFunction, common_field
from exactdp.exact.essential import essential
from exactdp.model import Consumer, Dual, Mechanism
from exactdp.model.consumer import Problem
from exactdp.model.epsilon import SUM, bracketed
from exactdp.runtime.progress import Listener, report_phase
from exactdp.runtime.values import dataclass
from exactdp.search.optimal_mechanism import ProposalNear, propose_near

BASES = 6
"""Points of a region whose optimal basis is tried on all of it."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A privacy constraint that was not shown for every point, and a point, if known, where it is broken."""

    where: str
    at: dict[str, Rational] | None


def broken_constraint(problem: Problem, mechanism: Mechanism) -> Broken | None:
    """A privacy constraint that a mechanism with letters breaks at some point; None if it keeps them all.

    >>> from exactdp.exact import ExactMatrix, Region, RegionField
    >>> from exactdp.model import Graph, MinimaxConsumer, PrivacyLevel
    >>> p = RegionField(Region({"p": "(0, 1/2)"})).gens[0]
    >>> near, M = Graph.path(2), Mechanism(ExactMatrix([[1 - p, p], [p, 1 - p]]))
    >>> print(broken_constraint(Problem(near, PrivacyLevel("1/3"), MinimaxConsumer("abs").on(near)), M))
    Broken(where='x[0][1] >= 1/3 * x[1][1]', at={'p': Rational('1/8')})
    """
    neighbours, level, _ = problem
    rows, unknown = list(mechanism.matrix.rows()), None
    powers = {distance: level.power(distance) for _, _, distance in neighbours.pairs()}
    for i, j, distance in neighbours.pairs():
        for low, high in ((i, j), (j, i)):
            for r, (x, y) in enumerate(zip(rows[low], rows[high], strict=True)):
                difference = x - powers[distance] * y
                try:
                    if difference >= 0:
                        continue
                except UndecidedSignError:
                    pass
                left, right, out = mechanism.inputs[low], mechanism.inputs[high], mechanism.outputs[r]
                found = Broken(f"x[{left}][{out}] >= {bracketed(powers[distance], SUM)} * x[{right}][{out}]", negative_point(difference))
                if found.at is not None:
                    return found
                unknown = unknown or found
    return unknown


def one_loss(consumer: Consumer, mechanism: Mechanism) -> Any:
    """The loss as one function of the letters; None if no input is the worst at every point."""
    try:
        return consumer.loss_of(mechanism)
    except UndecidedSignError:
        return None


@dataclass(frozen=True, slots=True)
class OptimumWithLetters:
    """The least loss, a mechanism and a dual with letters, checked for every point of a region."""

    problem: Problem
    value: Any
    found: Mechanism
    dual: Dual


def optimum_everywhere(problem: Problem, region: Region, progress: Listener | None) -> OptimumWithLetters | None:
    """The optimum with letters, if a basis that is optimal at a point is so everywhere; None if not found."""
    points = list(some_points(region, BASES))
    for point in points:
        report_phase(progress, "an optimum with letters")
        proposed = _proposed(problem, point)
        if proposed is not None and all(_holds(proposed, other) for other in points):
            found = _checked(problem, proposed)
            if found is not None:
                return found
    return None


def optimum_on_parts(problem: Problem, region: Region, progress: Listener | None) -> Iterator[OptimumWithLetters]:
    """The optimum with letters on parts of the region: about a point, where its basis stays optimal."""
    parts = list[Region]()
    for point in some_points(region, BASES):
        if any(part.contains(point) for part in parts):
            continue
        report_phase(progress, "an optimum on a part")
        proposed = _proposed(problem, point)
        part = None if proposed is None or not _holds(proposed, point) else _part(region, proposed.conditions)
        if proposed is None or part is None:
            continue
        found = _checked(problem_over(problem, RegionField(part)), proposed)
        if found is not None:
            parts.append(part)
            yield found


def _holds(proposed: ProposalNear, point: dict[str, Rational]) -> bool:
    """Whether the conditions hold at a point; what shows that they do not everywhere, cheaply."""
    try:
        return all(at_point(f, point) >= 0 for f in proposed.conditions)
    except DomainError:  # a pole
        return False


def _proposed(problem: Problem, point: dict[str, Rational]) -> ProposalNear | None:
    try:
        return propose_near(problem, point)
    except DomainError:  # a pole
        return None


def _part(region: Region, functions: Sequence[Any]) -> Region | None:
    """The part of a region where functions are ≥ 0, by as few conditions as are found; None if flat."""
    needed = dict[Any, None]()
    try:
        for f in functions:
            least = essential(f) if isinstance(f, RegionFunction) else f
            if isinstance(least, RegionFunction) and least.rational is None:
                if least.sign_on_region().sign != 1:
                    needed[least] = None
            elif least < 0:
                return None
        kept = list(needed)
        for g in tuple(kept):
            others = [h for h in kept if h is not g]
            rest = region.with_conditions([(h, False) for h in others])
            if RegionField(rest)(g).sign_on_region().sign == 1:
                kept = others
        return region.with_conditions([(h, False) for h in kept])
    except (DomainError, InputError):  # a pole, or no open set of points
        return None


def _checked(problem: Problem, proposed: ProposalNear) -> OptimumWithLetters | None:
    """The optimum, if mechanism and dual prove it for every point; a path's weights alone may be the dual."""
    field = common_field(problem.level, problem.consumer)
    weights = [Dual(proposed.dual.weights)] if getattr(problem.neighbours, "is_path", False) else []
    for dual in (exact_dual(proposed.dual, field), *(exact_dual(w, field) for w in weights)):
        try:
            found = Mechanism(proposed.table.over(field), problem.consumer.inputs, problem.consumer.loss.guesses)
            value = one_loss(problem.consumer, found)
            proved = None if value is None else dual_bound(*problem, dual).value
            if proved is not None and not field(proved - value) and broken_constraint(problem, found) is None:
                return OptimumWithLetters(problem, field(value), found, dual)
        except ResourceLimitError:
            raise
        except ExactDPError:  # somewhere an entry is negative, a denominator 0, or a sign is not known
            continue
    return None
