# SPDX-License-Identifier: MIT
"""Mechanisms as mixtures of kernel mechanisms.

Every mechanism of a privacy type is a post-processing of a convex sum of kernel mechanisms (Fernandes et al.,
Theorem 5): each column is a sum of vertices of the posterior polytope, the weights w of all vertices satisfy
Σ_v w_v v = 1, and such w is a convex sum of vertices of {w ≥ 0 : Σ_v w_v v = 1}. It is not unique (Section
3.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from exactdp.analysis.arguments import Arguments, MechanismLike, ask
from exactdp.analysis.privacy import require_private
from exactdp.analysis.types.kernels import KernelMechanism
from exactdp.analysis.types.vertices import PosteriorPolytope, posterior_polytope
from exactdp.analysis.verdict import Decision, Verdict, decided, scope_of
from exactdp.analysis.wording import at_level, counted
from exactdp.errors import DefectiveAnswerError, InputError
from exactdp.exact import ExactMatrix
from exactdp.lp.problem import Infeasible, LinearProgram, Optimal, Row
from exactdp.lp.solve import solve
from exactdp.model import LevelLike, Mechanism, Neighbours, NeighboursLike, Prior, Remap
from exactdp.model.channel import Hyper
from exactdp.model.level_argument import takes_epsilon
from exactdp.runtime.progress import Listener, Progress, counted_off, part_of


@dataclass(frozen=True)
class Mixture:
    """A convex sum of kernel mechanisms: weights > 0 that sum to 1, and the parts."""

    parts: tuple[tuple[Any, KernelMechanism], ...]

    def mechanism(self) -> Mechanism:
        """The external choice: part k is run with its weight, and the output says which."""
        return Mechanism.external_choice([kernel.mechanism for _, kernel in self.parts], [weight for weight, _ in self.parts])


@dataclass(frozen=True, kw_only=True)
class MixtureEvidence:
    """A mechanism and mixtures that are it; or one mixture, and the remap of it that gives the mechanism."""

    polytope: PosteriorPolytope
    mechanism: Mechanism
    mixtures: tuple[Mixture, ...]
    remap: Remap | None = None

    @property
    def neighbours(self) -> Neighbours:
        """Those of the privacy type."""
        return self.polytope.neighbours


@dataclass(frozen=True, kw_only=True)
class KernelEvidence:
    """Which vertex each posterior of a mechanism is (None: no vertex), and whether they are independent."""

    polytope: PosteriorPolytope
    mechanism: Mechanism
    vertices: tuple[int | None, ...]
    independent: bool

    @property
    def neighbours(self) -> Neighbours:
        """Those of the privacy type."""
        return self.polytope.neighbours


@takes_epsilon
def is_kernel_mechanism(
    mechanism: MechanismLike, neighbours: NeighboursLike, level: LevelLike, *, progress: Listener | None = None
) -> Verdict[KernelEvidence]:
    """Are the posteriors of this private mechanism, under the uniform prior, linearly independent vertices?

    Raises
    ------
    InputError
        The mechanism is not private at the level.

    Examples
    --------
    >>> from exactdp import geometric, neighbours, uniform
    >>> near = neighbours("path:4")
    >>> [bool(is_kernel_mechanism(M, near, "1/2")) for M in (geometric(3, "1/2"), uniform(near.vertices))]
    [True, False]
    """
    asked = Arguments(progress, mechanism=mechanism, neighbours=neighbours, level=level)
    mechanism, neighbours, polytope = asked.mechanism, asked.neighbours, _polytope_of(asked)
    hyper, numbers = _posteriors(mechanism, polytope)
    independent = hyper.is_independent()
    yes = independent and None not in numbers
    if yes:
        reason = "its posteriors are linearly independent vertices"
    elif None in numbers:
        wrong = sum(k is None for k in numbers)
        of = "its only posterior is" if len(numbers) == 1 else f"{wrong} of its {len(numbers)} posteriors {'is' if wrong == 1 else 'are'}"
        reason = f"{of} no vertex"
    else:
        reason = f"its {len(numbers)} posteriors are vertices and linearly dependent"
    claim = f"The mechanism is {'' if yes else 'not '}a kernel mechanism of {at_level(neighbours, polytope.level)}: {reason}"
    evidence = KernelEvidence(polytope=polytope, mechanism=mechanism, vertices=numbers, independent=independent)
    return Verdict(decided(yes), claim, evidence, scope_of(polytope.level))


@takes_epsilon
def kernel_mixture(
    mechanism: MechanismLike,
    neighbours: NeighboursLike,
    level: LevelLike,
    *,
    progress: Listener | None = None,
    time_limit: float | None = None,
) -> Verdict[MixtureEvidence]:
    """A convex sum of kernel mechanisms of which this mechanism is a post-processing.

    Parameters
    ----------
    mechanism : Mechanism, Table, text or rows
        Private at the level.
    neighbours, level
        The type.
    progress : callable, optional
        Told how far it is.
    time_limit : float, optional
        Stop about so late.

    Raises
    ------
    InputError
        The mechanism is not private at the level.
    ResourceLimitError
        The time was up.

    Examples
    --------
    >>> from exactdp import neighbours, uniform
    >>> verdict = kernel_mixture(uniform(range(3)), neighbours("path:3"), "1/2")
    >>> verdict.proved, len(verdict.evidence.mixtures[0].parts)
    (True, 1)
    """
    return ask(_kernel_mixture, progress, time_limit, mechanism=mechanism, neighbours=neighbours, level=level)


def _kernel_mixture(asked: Arguments) -> Verdict[MixtureEvidence]:
    """The columns of the mechanism as sums of vertices, and these as sums of kernel mechanisms."""
    mechanism, progress, polytope = asked.mechanism, asked.progress, _polytope_of(asked)
    columns = list(zip(*mechanism.rows(), strict=True))
    shares = []
    for column in counted_off(columns, progress, f"sums of {len(polytope)} vertices", "columns"):
        shares.append(_combination(polytope, column, told=progress))
    weights = [sum((share[v] for share in shares), polytope.field.zero) for v in range(len(polytope))]
    mixture = _split(polytope, weights, told=progress)
    rows = [[share[v] / weights[v] for share in shares] for _, kernel in mixture.parts for v in kernel.support]
    mixed = mixture.mechanism()
    remap = Remap(ExactMatrix(rows), mixed.outputs, mechanism.outputs)
    if mixed.matrix @ remap.matrix != mechanism.matrix:
        raise DefectiveAnswerError("the mixture found does not give the mechanism; please report this", remap=remap)
    parts = counted(len(mixture.parts), "kernel mechanism")
    claim = f"The mechanism is derivable from a convex sum of {parts} of {at_level(asked.neighbours, polytope.level)}"
    evidence = MixtureEvidence(polytope=polytope, mechanism=mechanism, mixtures=(mixture,), remap=remap)
    return Verdict(Decision.PROVED, claim, evidence, scope_of(polytope.level))


@takes_epsilon
def kernel_mixtures(
    mechanism: MechanismLike, neighbours: NeighboursLike, level: LevelLike, *, progress: Listener | None = None
) -> Verdict[MixtureEvidence]:
    """Different convex sums of kernel mechanisms with the same hyper-distribution as this vertex mechanism.

    Returns
    -------
    Verdict[MixtureEvidence]
        Proved with two different sums; refuted with the only one.

    Raises
    ------
    InputError
        Some posterior of the mechanism is no vertex: it is no such sum.

    Examples
    --------
    >>> from exactdp import geometric, kernel_mixtures
    >>> print(kernel_mixtures(geometric(2, "1/2"), "path", "1/2"))
    REFUTED  only one convex sum: it is one kernel mechanism
    for      path:3 · α = 1/2 (ε = ln(2) ≈ 0.6931472)
    """
    asked = Arguments(progress, mechanism=mechanism, neighbours=neighbours, level=level)
    mechanism, neighbours, polytope = asked.mechanism, asked.neighbours, _polytope_of(asked)
    zero = polytope.field.zero
    weights = [zero] * len(polytope)
    hyper, numbers = _posteriors(mechanism, polytope)
    for k, p in zip(numbers, hyper.outer, strict=True):
        if k is None:
            message = "a posterior is no vertex of the posterior polytope, so the mechanism is no convex sum of kernel mechanisms"
            raise InputError(message)
        weights[k] = p * mechanism.n_inputs / sum(polytope.rays[k], zero)
    found: dict[frozenset[tuple[tuple[int, ...], Any]], Mixture] = {}
    favourites = [None, *(v for v, w in enumerate(weights) if w)]
    for favourite in counted_off(favourites, progress, "sums", "favoured vertices"):
        for sign in (1, -1):
            mixture = _split(polytope, weights, favourite, sign, part_of(progress, "one sum"))
            found.setdefault(frozenset((kernel.support, weight) for weight, kernel in mixture.parts), mixture)
    mixtures = tuple(found.values())[:2]
    for mixture in mixtures:
        if mixture.mechanism().reduced().matrix != mechanism.reduced().matrix:
            raise DefectiveAnswerError("a mixture found is not the mechanism; please report this", mixture=mixture)
    evidence = MixtureEvidence(polytope=polytope, mechanism=mechanism, mixtures=mixtures)
    if len(mixtures) > 1:
        return Verdict(Decision.PROVED, "The mechanism is a convex sum of kernel mechanisms in two different ways", evidence)
    if len(mixtures[0].parts) > 1:
        return Verdict(Decision.UNDECIDED, "No second convex sum of kernel mechanisms was found", evidence)
    return Verdict(Decision.REFUTED, "The mechanism is one kernel mechanism", evidence)


def _polytope_of(asked: Arguments) -> PosteriorPolytope:
    """The posterior polytope of a mechanism's type; InputError unless the mechanism is of that type."""
    require_private(asked.mechanism, asked.neighbours, asked.level)
    return posterior_polytope(asked.neighbours, asked.level, progress=asked.progress)


def _posteriors(mechanism: Mechanism, polytope: PosteriorPolytope) -> tuple[Hyper, tuple[int | None, ...]]:
    """The hyper-distribution under the uniform prior, and which vertex each inner is, if any."""
    place = {polytope.vertex(k): k for k in range(len(polytope))}
    hyper = Hyper.of(mechanism, Prior.uniform(mechanism.inputs))
    return hyper, tuple(place.get(inner) for inner in hyper.inners)


def _combination(
    polytope: PosteriorPolytope,
    column: Sequence[Any],
    among: Sequence[int] | None = None,
    costs: Any = None,
    told: Listener | None = None,
) -> list[Any]:
    """Weights t ≥ 0 of some vertices (all unless given) with Σ_v t_v v = column: a basic solution."""
    numbers = range(len(polytope)) if among is None else among
    rows = [Row({k: polytope.rays[v][x] for k, v in enumerate(numbers)}, "==", value) for x, value in enumerate(column)]
    answer = solve(LinearProgram(len(numbers), costs or {}, rows), progress=part_of(told, "sum"))
    assert not isinstance(answer, Infeasible)
    assert isinstance(answer, Optimal)
    weights = [polytope.field.zero] * len(polytope)
    for k, v in enumerate(numbers):
        weights[v] = answer.x[k]
    return weights


def _split(
    polytope: PosteriorPolytope,
    weights: Sequence[Any],
    favourite: int | None = None,
    sign: int = 1,
    told: Listener | None = None,
) -> Mixture:
    """The weights as a convex sum of vertices of {w ≥ 0 : Σ w_v v = 1}.

    Vertices in the support are taken in turn, each as much of it as possible. Each has the largest (``sign``
    1) or least (−1) weight of the posterior vertex ``favourite`` that it can have.
    """
    rest, one = list(weights), polytope.field.one
    ones = [one] * len(polytope.neighbours.vertices)
    parts: list[tuple[Any, KernelMechanism]] = []
    while any(rest):
        support = [v for v, w in enumerate(rest) if w]
        if told is not None:
            told(Progress("parts", len(parts), unit="parts", detail=f"{len(support)} vertices left"))
        costs = {k: -one * sign for k, v in enumerate(support) if v == favourite}
        part = _combination(polytope, ones, support, costs, told)
        chosen = tuple(v for v, u in enumerate(part) if u)
        share = min(rest[v] / part[v] for v in chosen)
        parts.append((share, KernelMechanism(polytope=polytope, support=chosen, weights=tuple(part[v] for v in chosen))))
        rest = [w - share * u for w, u in zip(rest, part, strict=True)]
    return Mixture(tuple(parts))
