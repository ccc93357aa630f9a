# SPDX-License-Identifier: MIT
"""Kernel mechanisms of a privacy type: their posteriors under the uniform prior are independent vertices.

With the vertices v of the posterior polytope (up to scale) they are the minimal supports of {w ≥ 0 : Σ_v w_v
v = 1}, the vertices of that polytope; every mechanism of the type is a post-processing of a convex sum of
them (Fernandes et al., Theorem 5). They are enumerated completely, by pivoting modulo the automorphisms of
the neighbours (:mod:`exactdp.lp.circuits`).

Their number as a function of the level can change only where a minor of the vertices (modulo the uniform
vector) vanishes: at finitely many algebraic levels. Between them it is constant, and at each of them it has a
value of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

from exactdp.analysis.arguments import Arguments, ask
from exactdp.analysis.types.vertices import PosteriorPolytope, posterior_polytope
from exactdp.analysis.verdict import Decision, Scope, Verdict, scope_of
from exactdp.analysis.wording import at_level, counted, values_text
from exactdp.display import Drawn
from exactdp.errors import DefectiveAnswerError, DomainError, ResourceLimitError
from exactdp.exact import ExactMatrix, ExponentialField, Interval, RationalFunctionField, as_flag
from exactdp.exact.cached import cached_property
from exactdp.exact.matroid_point import NEAR, MatroidPoint
from exactdp.exact.piecewise import Piecewise
from exactdp.lp.circuits import Circuit, circuit_counts, dependency, positive_circuits
from exactdp.model import LevelLike, Mechanism, Neighbours, NeighboursLike
from exactdp.model.level_argument import takes_epsilon
from exactdp.runtime.budget import figure, require_budget
from exactdp.runtime.progress import Listener, raise_unless_own_limit, report_phase


@dataclass(frozen=True, kw_only=True)
class KernelMechanism(Drawn):
    """A kernel mechanism, and how many there are like it.

    Attributes
    ----------
    polytope : PosteriorPolytope
    support : tuple of int
        Numbers of the vertices that are its posteriors.
    weights : tuple
        w > 0 with Σ w_k ray_k = 1: the columns of the mechanism are w_k ray_k.
    size : int
        How many kernel mechanisms the automorphisms of the neighbours make of it (itself included).
    """

    polytope: PosteriorPolytope
    support: tuple[int, ...]
    weights: tuple[Any, ...]
    size: int = 1

    @cached_property
    def mechanism(self) -> Mechanism:
        """The mechanism; its outputs are the numbers of the vertices."""
        inputs = self.polytope.neighbours.vertices
        columns = [[w * x for x in self.polytope.rays[k]] for w, k in zip(self.weights, self.support, strict=True)]
        rows = ExactMatrix([list(row) for row in zip(*columns, strict=True)], self.polytope.field)
        return Mechanism(rows, inputs, [f"v{k}" for k in self.support])

    @property
    def outer(self) -> tuple[Any, ...]:
        """The probabilities of its posteriors under the uniform prior."""
        n = len(self.polytope.neighbours.vertices)
        zero = self.polytope.field.zero
        return tuple(w * sum(self.polytope.rays[k], zero) / n for w, k in zip(self.weights, self.support, strict=True))


@dataclass(frozen=True)
class VertexCount:
    """The vertices of a posterior polytope."""

    polytope: PosteriorPolytope

    @property
    def count(self) -> int:
        """How many."""
        return len(self.polytope)

    @property
    def neighbours(self) -> Neighbours:
        """Those of the privacy type."""
        return self.polytope.neighbours


@dataclass(frozen=True, kw_only=True)
class KernelCount:
    """All kernel mechanisms of a type, one of each class.

    Attributes
    ----------
    polytope : PosteriorPolytope
    classes : tuple of Circuit
        A support, the size and the degeneracy of each class; empty if only counted.
    count : int
        The number of kernel mechanisms: the sizes sum to it.
    by_size : dict
        How many have so many posteriors.
    complete : str
        "computed"; or "no", when the search was stopped and there may be more.
    """

    polytope: PosteriorPolytope
    classes: tuple[Circuit, ...]
    count: int
    by_size: dict[int, int]
    complete: str = "computed"

    @property
    def neighbours(self) -> Neighbours:
        """Those of the privacy type."""
        return self.polytope.neighbours

    def kernels(self) -> Iterator[KernelMechanism]:
        """One kernel mechanism of each class."""
        return (kernel_on(self.polytope, circuit.support, circuit.size) for circuit in self.classes)


@takes_epsilon
def vertex_count(
    neighbours: NeighboursLike, level: LevelLike, *, progress: Listener | None = None, time_limit: float | None = None
) -> Verdict[VertexCount]:
    """How many vertices has the posterior polytope of a privacy type?

    Parameters
    ----------
    neighbours, level
        As for :func:`kernel_mechanisms`.
    progress : callable, optional
        Told how far it is.
    time_limit : float, optional
        Stop about so late.

    Raises
    ------
    ResourceLimitError
        They are too many, or the time was up.

    Examples
    --------
    >>> from exactdp.model import neighbours
    >>> vertex_count(neighbours("path:4"), "1/3").evidence.count
    8
    """
    return ask(_vertex_count, progress, time_limit, neighbours=neighbours, level=level)


def _vertex_count(asked: Arguments) -> Verdict[VertexCount]:
    """The number of vertices of a polytope."""
    polytope = posterior_polytope(asked.neighbours, asked.level, progress=asked.progress)
    _ = polytope.automorphisms  # computed here, not by who tells the answer
    exactly = f"exactly {counted(len(polytope), 'vertex', 'vertices')}"
    claim = f"The posterior polytope of {at_level(polytope.neighbours, polytope.level)} has {exactly}"
    return Verdict(Decision.PROVED, claim, VertexCount(polytope), scope_of(polytope.level))


@takes_epsilon
def kernel_mechanisms(neighbours: NeighboursLike, level: LevelLike, *, progress: Listener | None = None) -> Iterator[KernelMechanism]:
    """All kernel mechanisms of a privacy type, as they are found: one of each class under the automorphisms.

    Parameters
    ----------
    neighbours : Graph, Metric or text
        On the inputs.
    level : level
        In any field; over ℚ(α) the signs met must not change on the interval.
    progress : callable, optional
        Told how far it is.

    Yields
    ------
    KernelMechanism
        The sizes of all sum to the number of kernel mechanisms.

    Raises
    ------
    UndecidedSignError
        A determinant changes its sign inside the interval of the level.

    Examples
    --------
    >>> from exactdp.model import neighbours
    >>> sorted((len(K.support), K.size) for K in kernel_mechanisms(neighbours("complete:3"), "1/2"))
    [(2, 3), (3, 1), (3, 1)]
    """
    polytope = posterior_polytope(neighbours, level, progress=progress)
    for circuit in _circuits(polytope, progress):
        yield kernel_on(polytope, circuit.support, circuit.size)


@takes_epsilon
def kernel_count(
    neighbours: NeighboursLike,
    level: LevelLike,
    *,
    keep: bool = True,
    progress: Listener | None = None,
    time_limit: float | None = None,
) -> Verdict[KernelCount]:
    """How many kernel mechanisms has a privacy type, and which, up to symmetry?

    Parameters
    ----------
    neighbours, level, progress
        As for :func:`kernel_mechanisms`.
    keep : bool
        Keep one support of each class; otherwise only the counts.
    time_limit : float, optional
        Stop about so late; the verdict is then undecided, with those found so far.

    Returns
    -------
    Verdict[KernelCount]
        Proved with all of them. Undecided, with those found and their number as a lower bound, when the time
        was up. Without a time limit also when n of the vertices can be chosen in more ways, modulo the
        symmetries, than the budget has steps: the search then ends after the first 2,000 classes
        (:func:`exactdp.budget` raises the budget).

    Examples
    --------
    >>> from exactdp.model import neighbours
    >>> [kernel_count(neighbours(f"path:{n}"), "1/2").evidence.count for n in (2, 3, 4, 5)]
    [1, 2, 11, 187]
    """

    def answer(asked: Arguments) -> Verdict[KernelCount]:
        as_flag(keep, "flag keep")
        return _kernel_count(asked, keep=keep)

    return ask(answer, progress, time_limit, neighbours=neighbours, level=level)


def _kernel_count(asked: Arguments, *, keep: bool) -> Verdict[KernelCount]:
    """The circuits of the polytope, one of each class, as long as there is time."""
    progress = asked.progress
    polytope = posterior_polytope(asked.neighbours, asked.level, progress=progress)
    too_many = _out_of_reach(polytope, progress) if asked.time_limit is None else ""
    kept, sizes, stopped = list[Circuit](), Counter[int](), ""
    try:
        for classes, circuit in enumerate(_circuits(polytope, progress)):
            if too_many and classes == FIRST_CLASSES:
                stopped = too_many
                break
            sizes[len(circuit.support)] += circuit.size
            if keep:
                kept.append(circuit)
    except ResourceLimitError as error:
        if "reason" not in error.facts:
            raise
        raise_unless_own_limit(error)
        stopped = error.message
    count = sum(sizes.values())
    complete, by_size = "no" if stopped else "computed", dict(sorted(sizes.items()))
    evidence = KernelCount(polytope=polytope, classes=tuple(kept), count=count, by_size=by_size, complete=complete)
    what = f"The privacy type of {at_level(polytope.neighbours, polytope.level)} has"
    if stopped:
        claim = f"{what} at least {counted(count, 'kernel mechanism')}; {stopped}"
        return Verdict(Decision.UNDECIDED, claim, evidence, scope_of(polytope.level))
    claim = f"{what} exactly {counted(count, 'kernel mechanism')} (up to equal hyper-distributions)"
    return Verdict(Decision.PROVED, claim, evidence, scope_of(polytope.level))


def _out_of_reach(polytope: PosteriorPolytope, progress: Listener | None) -> str:
    """Why not all kernel mechanisms are looked for, or nothing; the listener is told how many sets there are.

    No kernel mechanism has more posteriors than there are inputs, and there may be nearly as many kernel
    mechanisms as sets of so many vertices. A class has at most as many members as there are symmetries.
    """
    n, group = len(polytope.neighbours.vertices), max(1, len(polytope.symmetries))
    sets = comb(len(polytope), n)
    among = f"{figure(sets)} sets of {n} of the {len(polytope)} vertices"
    report_phase(progress, f"kernel mechanisms among {among}")
    try:
        require_budget(f"finding all, among {among} modulo {counted(group, 'symmetry', 'symmetries')},", steps=-(-sets // group))
    except ResourceLimitError as error:
        return f"{error.message}; --time-limit finds more of them, --vertices and --capacity need none"
    return ""


def kernel_on(polytope: PosteriorPolytope, support: tuple[int, ...], size: int = 1) -> KernelMechanism:
    """The kernel mechanism with these vertices as posteriors.

    * raises ValueError: they are not the posteriors of one.
    """
    rays = [polytope.rays[k] for k in support]
    weights = dependency(_modulo_uniform(rays), polytope.field)
    if weights is None:
        raise ValueError(f"the vertices {support} are not the posteriors of a kernel mechanism")
    total = sum((w * ray[0] for w, ray in zip(weights, rays, strict=True)), polytope.field.zero)
    return KernelMechanism(polytope=polytope, support=support, weights=tuple(w / total for w in weights), size=size)


def _circuits(polytope: PosteriorPolytope, progress: Listener | None) -> Iterator[Circuit]:
    columns, field = _modulo_uniform(polytope.rays), polytope.field
    if isinstance(field, ExponentialField) and columns[0]:
        return _near_by(polytope, columns, field, progress)
    return positive_circuits(columns, polytope.symmetries, field=field, spanning=True, progress=progress)


def _near_by(
    polytope: PosteriorPolytope, columns: list[list[Any]], field: ExponentialField, progress: Listener | None
) -> Iterator[Circuit]:
    """The circuits at a rational point q with the matroid of the vectors at t, each proved positive at t.

    They are complete for t. Let Q and T be the positive circuits at q and t. Both are vertices of polytopes,
    and Q ⊆ T was checked. An edge of the polytope of q at C ∈ Q leads to some C' ∈ Q, and the dependencies
    within C ∪ C' have dimension 2, at t too: it is an edge of that of t. The edges at C are the positive
    circuits of the contraction by C, at q among those at t. By induction on the number of vectors they are
    the same: there are some, wherever vectors are left, because all vectors together have a positive
    dependency (the circuits found cover them, which is checked at the end). So C has the same neighbours in
    both polytopes, and the graph of that of t is connected: T = Q.
    """
    symmetries, near, done = polytope.symmetries, NEAR, set[tuple[int, ...]]()
    while near < TOO_NEAR:  # until the point is near enough, which the first one is but for very small determinants
        point, seen = MatroidPoint(columns, field, near), set[int]()
        for circuit in positive_circuits(point.columns, symmetries, spanning=True, progress=progress):
            support = circuit.support
            if not point.positive(support):
                break
            if not seen.issuperset(support):
                seen.update(g[v] for g in symmetries for v in support)
            if near > NEAR and any(tuple(sorted(g[v] for v in support)) in done for g in symmetries):
                continue
            done.add(support)
            yield circuit
        else:
            if len(seen) == len(polytope):
                return
        near *= 4
    message = "no rational point was found near enough to the level; please report this"
    raise DefectiveAnswerError(message, level=polytope.level)


def _modulo_uniform(rays: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """The vectors modulo (1, …, 1): Σ w_v v is uniform exactly when these have Σ w_v v = 0."""
    return [[x - ray[-1] for x in ray[:-1]] for ray in rays]


TOO_NEAR = 10_000
"""With so many bits of e^(−ε) a rational point is near enough."""

FIRST_CLASSES = 2_000
"""So many classes are found where all would be too many; in seconds, over the field of an ε too."""

MOST_SETS = 60_000
"""More sets of vertices than this are not gone through at every level; the 4,368 of path:5 take 0.6 s."""


@dataclass(frozen=True, kw_only=True)
class KernelLevels:
    """How many kernel mechanisms there are at every level of (0, 1).

    Attributes
    ----------
    neighbours : Graph, Metric or text
    pieces : Piecewise of int
        Open intervals and single points with the count there; no point where a determinant vanishes without
        changing the count. They end early when the search was stopped.
    """

    neighbours: Neighbours
    pieces: Piecewise[int]

    def in_sympy(self) -> Any:
        """The count as a function of the level a."""
        return self.pieces.to_sympy()

    def count(self, piece: Interval, count: int) -> KernelCount:
        """The count on one piece, as an answer over ℚ(α) there."""
        level = RationalFunctionField(piece).gen
        return KernelCount(polytope=posterior_polytope(self.neighbours, level), classes=(), count=count, by_size={})


def kernel_counts(
    neighbours: NeighboursLike, *, progress: Listener | None = None, time_limit: float | None = None
) -> Verdict[KernelLevels]:
    """How many kernel mechanisms are there at each level?

    Parameters
    ----------
    neighbours : Graph, Metric or text
        Connected, with integer distances; small (a line of up to 5 inputs).
    progress : callable, optional
        Told how far it is.
    time_limit : float, optional
        Stop about so late; the verdict is then undecided, with the counts up to some level.

    Raises
    ------
    DomainError
        A distance is no integer, or the inputs are not connected.
    ResourceLimitError
        There are too many sets of vertices.

    Examples
    --------
    >>> from exactdp.model import neighbours
    >>> [(str(piece), count) for piece, count in kernel_counts(neighbours("path:4")).evidence.pieces]
    [('(0, 1)', 11)]
    >>> [count for _, count in kernel_counts(neighbours("path:5")).evidence.pieces]
    [195, 187, 214, 206, 218, 210, 222, 216, 230]
    """
    return ask(_kernel_counts, progress, time_limit, neighbours=neighbours)


def _kernel_counts(asked: Arguments) -> Verdict[KernelLevels]:
    """The numbers on pieces of (0, 1), as long as there is time."""
    neighbours, progress = asked.neighbours, asked.progress
    require_integer_distances(neighbours)
    heights = posterior_polytope(neighbours, "1/2", progress=progress).heights
    n = len(neighbours.vertices)
    assert heights is not None
    if any(x is None for h in heights for x in h):
        raise DomainError(f"{neighbours} is not connected; ask about each component on its own", neighbours=neighbours)
    sets = comb(len(heights), n)
    if sets > MOST_SETS:
        message = f"{sets} sets of {n} vertices at every level; the limit is {MOST_SETS}"
        raise ResourceLimitError(message, limit=MOST_SETS, got=sets)
    columns = [[_difference(x, h[-1]) for x in h[:-1]] for h in heights]
    found, stopped = list[tuple[Interval, int]](), ""
    try:
        for piece in circuit_counts(columns, Interval(0, 1), progress):
            found.append(piece)
    except ResourceLimitError as error:
        if "reason" not in error.facts:
            raise
        raise_unless_own_limit(error)
        stopped = error.message
    evidence = KernelLevels(neighbours=neighbours, pieces=Piecewise(found).without_needless_points())
    listed = values_text(evidence.pieces)
    if stopped:
        claim = f"Numbers of kernel mechanisms of {neighbours} found so far: {listed or 'none'}; {stopped}"
        return Verdict(Decision.UNDECIDED, claim, evidence, Scope("part of the levels"))
    points = sum(interval.is_point for interval, _ in evidence.pieces)
    if points:
        what = f"The number of kernel mechanisms (up to equal hyper-distributions) of {neighbours}"
        claim = f"{what} changes at {counted(points, 'level')}: {listed}"
    else:
        number = counted(evidence.pieces[0].value, "kernel mechanism")
        claim = f"The privacy type of {neighbours} has exactly {number} (up to equal hyper-distributions) at every level"
    return Verdict(Decision.PROVED, claim, evidence, Scope("every level", interval=Interval(0, 1)))


def require_integer_distances(neighbours: Neighbours) -> None:
    """DomainError unless every α^d is a power of the letter α."""
    names = neighbours.vertices
    for i, j, d in neighbours.pairs():
        if d.rational is None or d.rational.denominator != 1:
            ways = "ask about single levels, given as ε"
            if d.rational is not None:
                q = d.rational.denominator
                ways += f", or multiply all distances by {q} and read the letter as α^(1/{q})"
            raise DomainError(
                f"for all levels at once distances must be integers, and that of {names[i]} and {names[j]} is {d}; {ways}", distance=d
            )


def _difference(high: int | None, low: int | None) -> list[int]:
    """The coefficients of a^high − a^low."""
    assert high is not None
    assert low is not None
    result = [0] * (max(high, low) + 1)
    result[high] += 1
    result[low] -= 1
    return result
