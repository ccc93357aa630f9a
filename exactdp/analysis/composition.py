# SPDX-License-Identifier: MIT
"""The exact level of several releases together, and of local reports collected from many people.

*Sequential*: mechanisms run independently on one input. For inputs i, j the quotients of the joint law are
products of quotients, so their least is the product of the least ones, pair by pair. The level is the least
of these products; it is at least the product of the levels (the composition theorem) and can be better, when
no pair is worst for all.

*Parallel*: mechanisms run on separate parts of a database, and neighbours differ in one part. The factors of
the other parts cancel: the level is the least of the levels. A **collection** of local reports is the case of
one record a part: with ε_k-local privacy for person k, the whole collection is max ε_k-private for neighbours
that differ in one record, and so is everything computed from it, for any query.

Releasing one query result at several privacy levels: what does each coalition learn? ([gs2010], Algorithm 1,
Lemmas 3, 4.)

r_1 is drawn from G(n, α_1), and r_{i+1} from row r_i of T_{i+1}, where G(n, α_{i+1}) = G(n, α_i)·T_{i+1}. The
joint law is built in full, so the level of every coalition is found by exhaustion and not assumed from Lemma
4.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

from exactdp.analysis.privacy import Cell, tightest_level
from exactdp.analysis.refinement import is_derivable
from exactdp.analysis.verdict import Decision, Verdict, decided, scope_of
from exactdp.errors import DomainError, InputError, ParameterRangeError, ResourceLimitError
from exactdp.exact import ExactMatrix, common_field, entries_of
from exactdp.mechanisms import geometric
from exactdp.model import AdjacencyGraph, Mechanism, Neighbours, PrivacyLevel, Remap, TightestLevel, neighbours
from exactdp.model.mechanism import over_one_field

LARGEST_JOINT = 20_000
"""Most entries of a mechanism that is written out as a product."""


@dataclass(frozen=True, slots=True)
class SequentialEvidence:
    """The level of independent releases about one input; ``low``, ``high`` and ``outputs`` (one a mechanism)
    attain it.
    """

    mechanisms: tuple[Mechanism, ...]
    neighbours: Neighbours
    ratio: Any
    low: int | None
    high: int | None
    outputs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ParallelEvidence:
    """The level of releases about separate parts; ``part`` and ``cell`` attain it."""

    parts: tuple[tuple[Mechanism, Neighbours], ...]
    ratio: Any
    part: int | None
    cell: Cell | None


def sequential_level(mechanisms: Sequence[Mechanism], neighbours: Neighbours) -> Verdict[SequentialEvidence]:
    """Which level do independent releases about the same input have together?

    Parameters
    ----------
    mechanisms : sequence of Mechanism
        On the same inputs.
    neighbours : AdjacencyGraph or Metric
        All distances 1.

    Returns
    -------
    Verdict[SequentialEvidence]
        Always proved; ``evidence.ratio`` is min over adjacent ordered pairs (i, j) of Π_k min_r x^k_ir /
        x^k_jr.

    Examples
    --------
    >>> from exactdp import geometric, neighbours
    >>> sequential_level([geometric(2, "1/2"), geometric(2, "1/3")], neighbours("path:3")).evidence.ratio
    Rational('1/6')
    """
    chosen = tuple(entries_of(mechanisms, "mechanisms"))
    if not chosen:
        raise InputError("a composition needs at least one mechanism", mechanisms=chosen)
    chosen = tuple(m.aligned(neighbours.vertices) for m in chosen)
    best: Any = chosen[0].field.one
    where: tuple[int, int, tuple[int, ...]] | None = None
    for a, b, distance in neighbours.pairs():
        if distance.rational != 1:
            raise DomainError("compositions are judged for neighbours at distance 1", neighbours=neighbours)
        for i, j in ((a, b), (b, a)):
            total = chosen[0].field.one
            places = []
            for m in chosen:
                ratio, r = _least(m, i, j)
                total = total * ratio
                places.append(r)
            if total < best:
                best, where = total, (i, j, tuple(places))
    name = neighbours.name or "this graph"
    claim = f"The largest level at which the {len(chosen)} releases are private together on {name} is {best}"
    return Verdict(Decision.PROVED, claim, SequentialEvidence(chosen, neighbours, best, *(where or (None, None, ()))), scope_of(*chosen))


def _least(m: Mechanism, i: int, j: int) -> tuple[Any, int]:
    """The least x_ir/x_jr with x_jr > 0, and an output r that has it."""
    best: Any = None
    place = 0
    for r, (x, y) in enumerate(zip(m.matrix.row(i), m.matrix.row(j), strict=True)):
        if y > 0:
            ratio = x / y
            if best is None or ratio < best:
                best, place = ratio, r
    return best, place


def parallel_level(parts: Sequence[tuple[Mechanism, Neighbours]]) -> Verdict[ParallelEvidence]:
    """Which level do mechanisms on separate parts of a database have together, when neighbours differ in one
    part?

    Examples
    --------
    >>> from exactdp import geometric, neighbours, randomized_response
    >>> parts = [(geometric(2, "1/2"), neighbours("path:3")), (randomized_response(range(2), "3/4"), neighbours("path:2"))]
    >>> v = parallel_level(parts)
    >>> v.evidence.ratio, v.evidence.part
    (Rational('1/3'), 1)
    """
    chosen = tuple((m.aligned(near.vertices), near) for m, near in entries_of(parts, "parts"))
    if not chosen:
        raise InputError("a composition needs at least one part", parts=chosen)
    best: Any = chosen[0][0].field.one
    part, cell = None, None
    for k, (m, near) in enumerate(chosen):
        if any(d.rational != 1 for _, _, d in near.pairs()):
            raise DomainError("compositions are judged for neighbours at distance 1", neighbours=near)
        found = tightest_level(m, near).evidence
        if found.tightest.ratio < best:
            best, part, cell = found.tightest.ratio, k, found.attained
    claim = f"The largest level at which the {len(chosen)} mechanisms on separate parts are private together is {best}"
    return Verdict(Decision.PROVED, claim, ParallelEvidence(chosen, best, part, cell), scope_of(*(m for m, _ in chosen)))


def collection_level(locals_: Sequence[Mechanism]) -> Verdict[ParallelEvidence]:
    """Which central level has a collection of local reports, one mechanism a person, for neighbours that
    differ in one record?

    Every pair of values of a record is neighbouring. The answer holds for the collection itself, hence for
    every query computed from it.

    Examples
    --------
    >>> from exactdp import randomized_response
    >>> collection_level([randomized_response(["yes", "no"], "3/4")] * 5).evidence.ratio
    Rational('1/3')
    """
    return parallel_level([(m, complete_graph(m.inputs)) for m in entries_of(locals_, "mechanisms")])


def complete_graph(labels: Sequence[str]) -> AdjacencyGraph:
    """All pairs of these labels are neighbours.

    >>> complete_graph(["a", "b", "c"]).edges
    ((0, 1), (0, 2), (1, 2))
    """
    size = len(labels)
    return AdjacencyGraph(labels, [(i, j) for i in range(size) for j in range(i + 1, size)], name=f"complete:{size}")


def joint(mechanisms: Sequence[Mechanism]) -> Mechanism:
    """Independent releases about one input as one mechanism with tuples as outputs (small ones only).

    >>> from exactdp import randomized_response
    >>> joint([randomized_response(range(2), "3/4")] * 2).outputs
    ('0,0', '0,1', '1,0', '1,1')
    """
    outputs = list(product(*(range(m.n_outputs) for m in mechanisms)))
    first = mechanisms[0]
    mechanisms = [m.aligned(first.inputs) for m in mechanisms]
    _limit(first.n_inputs * len(outputs))
    rows = []
    for i in range(first.n_inputs):
        row = []
        for places in outputs:
            value = first.field.one
            for m, r in zip(mechanisms, places, strict=True):
                value = value * m[i, r]
            row.append(value)
        rows.append(row)
    names = [",".join(m.outputs[r] for m, r in zip(mechanisms, places, strict=True)) for places in outputs]
    return Mechanism(ExactMatrix(rows), first.inputs, names)


def databases(values: Sequence[str], people: int) -> AdjacencyGraph:
    """All databases of so many records, adjacent when one record differs; labelled ``a,b,…``.

    >>> databases(["0", "1"], 2).vertices, len(databases(["0", "1"], 2).edges)
    (('0,0', '0,1', '1,0', '1,1'), 4)
    """
    _limit(len(values) ** people)
    records = list(product(values, repeat=people))
    place = {record: k for k, record in enumerate(records)}
    edges = [
        (place[record], place[other])
        for record in records
        for k in range(people)
        for value in values
        if place[other := (*record[:k], value, *record[k + 1 :])] > place[record]
    ]
    return AdjacencyGraph([",".join(record) for record in records], edges, name=f"databases({len(values)}^{people})")


def collected(local: Mechanism, people: int) -> tuple[Mechanism, AdjacencyGraph]:
    """A local mechanism applied to every record: one central (non-oblivious) mechanism on all databases, and
    their adjacency.

    Examples
    --------
    >>> from exactdp import randomized_response
    >>> central, graph = collected(randomized_response(["0", "1"], "3/4"), 2)
    >>> tightest_level(central, graph).evidence.tightest.ratio
    Rational('1/3')
    """
    graph = databases(local.inputs, people)
    outputs = list(product(range(local.n_outputs), repeat=people))
    _limit(len(graph.vertices) * len(outputs))
    rows = []
    for record in product(range(local.n_inputs), repeat=people):
        row = []
        for places in outputs:
            value = local.field.one
            for i, r in zip(record, places, strict=True):
                value = value * local[i, r]
            row.append(value)
        rows.append(row)
    names = [",".join(local.outputs[r] for r in places) for places in outputs]
    return Mechanism(ExactMatrix(rows), graph.vertices, names), graph


def oblivious_average(mechanism: Mechanism, graph: AdjacencyGraph, query: Callable[[str], object]) -> tuple[Mechanism, AdjacencyGraph]:
    """The oblivious mechanism that averages a mechanism over the databases with one answer [gs2010, Lemma 6],
    and the answers' graph.

    Parameters
    ----------
    mechanism : Mechanism
        On databases.
    graph : AdjacencyGraph
        Their adjacency.
    query : callable
        From a database's label to its answer.

    Returns
    -------
    (Mechanism, AdjacencyGraph)
        Answers are neighbours when some adjacent databases have them. For a counting query over all databases of n records the average
        is private whenever the mechanism is; for other queries it need not be, so ask.

    Examples
    --------
    >>> from exactdp import randomized_response
    >>> central, graph = collected(randomized_response(["0", "1"], "3/4"), 2)
    >>> average, answers = oblivious_average(central, graph, lambda database: database.count("1"))
    >>> average.inputs, answers.edges, tightest_level(average, answers).evidence.tightest.ratio
    (('0', '1', '2'), ((0, 1), (1, 2)), Rational('1/3'))
    """
    mechanism = mechanism.aligned(graph.vertices)
    answers: dict[str, list[int]] = {}
    for k, label in enumerate(mechanism.inputs):
        answers.setdefault(str(query(label)), []).append(k)
    rows = []
    for members in answers.values():
        share = mechanism.field.one / len(members)
        rows.append([share * sum((mechanism[k, r] for k in members[1:]), mechanism[members[0], r]) for r in range(mechanism.n_outputs)])
    names = list(answers)
    order = sorted(range(len(names)), key=lambda k: (len(names[k]), names[k]))
    place = {names[k]: where for where, k in enumerate(order)}
    edges = {
        (min(a, b), max(a, b))
        for i, j in graph.edges
        if (a := place[str(query(graph.vertices[i]))]) != (b := place[str(query(graph.vertices[j]))])
    }
    labels = [names[k] for k in order]
    return Mechanism(ExactMatrix([rows[k] for k in order]), labels, mechanism.outputs), AdjacencyGraph(labels, edges, name="answers")


def _limit(entries: int) -> None:
    if entries > LARGEST_JOINT:
        raise ResourceLimitError(f"the product has {entries} entries; the limit is {LARGEST_JOINT}", limit=LARGEST_JOINT, got=entries)


MAX_JOINT_CELLS = 2_000_000
"""Largest joint law (inputs × joint results) that is built; a larger one is refused before work."""


@dataclass(frozen=True, slots=True)
class Coalition:
    """Some consumers (indices from 0, increasing), the mechanism they see together, and its tightest
    level.
    """

    members: tuple[int, ...]
    mechanism: Mechanism
    level: TightestLevel


@dataclass(frozen=True, slots=True)
class ReleaseEvidence:
    """A multi-level release.

    Attributes
    ----------
    n, levels
        Inputs 0..n; α_1 < … < α_k.
    stages : tuple of Remap
        T_2, …, T_k.
    joint : Mechanism
        The joint law of (r_1, …, r_k); outputs are labelled "r_1,…,r_k".
    coalitions : tuple of Coalition
        All 2^k − 1 non-empty ones, ordered by Σ 2^i.
    """

    n: int
    levels: tuple[PrivacyLevel, ...]
    stages: tuple[Remap, ...]
    joint: Mechanism
    coalitions: tuple[Coalition, ...]


def multi_level_release(n: int, levels: Sequence[PrivacyLevel]) -> Verdict[ReleaseEvidence]:
    """Build the release and decide, for every coalition, whether it learns no more than its least private
    member.

    Parameters
    ----------
    n : int
        n ≥ 1; inputs and results are 0..n.
    levels : sequence of PrivacyLevel
        Strictly increasing: the first consumer gets the least private result.

    Returns
    -------
    Verdict[ReleaseEvidence]
        Proved when every coalition's tightest level is the level of its first member, with all of them by
        exhaustion.

    Raises
    ------
    ParameterRangeError
        n < 1, no levels, or levels not strictly increasing.
    ResourceLimitError
        The joint law would have more than MAX_JOINT_CELLS cells.

    Examples
    --------
    >>> from exactdp import PrivacyLevel
    >>> v = multi_level_release(2, [PrivacyLevel("1/4"), PrivacyLevel("1/2")])
    >>> v.proved, [(c.members, str(c.level)) for c in v.evidence.coalitions]
    (True, [((0,), '1/4'), ((1,), '1/2'), ((0, 1), '1/4')])
    """
    levels = over_one_field(*entries_of(levels, "levels"))
    _check(n, levels)
    mechanisms = [geometric(n, level.alpha) for level in levels]
    stages = []
    for finer, coarser in pairwise(mechanisms):
        stage = is_derivable(coarser, source=finer).evidence.remap
        assert stage is not None, "Lemma 3: a more private geometric mechanism is derivable"
        stages.append(stage)
    tables = [m.matrix for m in mechanisms[:1]] + [stage.matrix for stage in stages]
    k, size = len(levels), n + 1
    graph = neighbours(f"path:{size}")
    coalitions = []
    joint: Mechanism | None = None
    for mask in range(1, 2**k):
        members = tuple(i for i in range(k) if mask >> i & 1)
        seen = _joint_law(tables, members, size)
        coalitions.append(Coalition(members, seen, tightest_level(seen, graph).evidence.tightest))
        joint = seen
    assert joint is not None
    evidence = ReleaseEvidence(n, tuple(levels), tuple(stages), joint, tuple(coalitions))
    broken = [c for c in coalitions if c.level != levels[c.members[0]]]
    if broken:
        c = broken[0]
        claim = f"The coalition {_names(c.members)} sees a mechanism of level {c.level}, not {levels[c.members[0]]}"
        return Verdict(Decision.REFUTED, claim, evidence, scope_of(*levels))
    claim = f"Every one of the {2**k - 1} coalitions sees a mechanism whose tightest level is that of its least private member (n = {n})"
    return Verdict(decided(True), claim, evidence, scope_of(*levels))


def _check(n: int, levels: Sequence[PrivacyLevel]) -> None:
    if n < 1:
        raise ParameterRangeError(f"n = {n}: a release needs at least two inputs, n >= 1", name="n", value=n, allowed=">= 1")
    if not levels:
        raise ParameterRangeError("a release needs at least one level", name="levels", value=(), allowed="non-empty")
    for low, high in pairwise(levels):
        if not low.alpha < high.alpha:
            raise ParameterRangeError(
                f"the levels must increase strictly (the least private first), but {low} comes before {high}",
                name="levels",
                value=tuple(levels),
                allowed="strictly increasing",
            )
    cells = (n + 1) ** (len(levels) + 1)
    if cells > MAX_JOINT_CELLS:
        raise ResourceLimitError(
            f"the joint law of {len(levels)} results has {cells} cells, more than {MAX_JOINT_CELLS}; use fewer levels or a smaller n",
            cells=cells,
            limit=MAX_JOINT_CELLS,
        )


def _joint_law(tables: list[ExactMatrix], members: tuple[int, ...], size: int) -> Mechanism:
    """The law of the members' results given the input, the others summed out."""
    # state: rows (input), columns (results seen so far, current result)
    zero = common_field(*tables).zero
    state: dict[tuple[int, tuple[int, ...], int], Any] = {(i, (), i): zero + 1 for i in range(size)}
    for stage, table in enumerate(tables):
        following: dict[tuple[int, tuple[int, ...], int], Any] = {}
        seen = stage in members
        for (i, past, current), mass in state.items():
            for r in range(size):
                step = table[current, r]
                if step:
                    key = (i, (*past, r) if seen else past, r)
                    following[key] = following[key] + mass * step if key in following else mass * step
        state = following
        if stage == members[-1]:
            break
    results = list(product(range(size), repeat=len(members)))
    column = {past: c for c, past in enumerate(results)}
    law = [[zero] * len(results) for _ in range(size)]
    for (i, past, _), mass in state.items():
        law[i][column[past]] += mass
    outputs = tuple(",".join(map(str, past)) for past in results)
    return Mechanism(ExactMatrix(law), range(size), outputs)


def _names(members: tuple[int, ...]) -> str:
    return "{" + ", ".join(str(m + 1) for m in members) + "}"
