# SPDX-License-Identifier: MIT
"""How private are several results together: independent releases, many reports, one result at several levels?

*Sequential*: mechanisms run independently on one input. For inputs i, j the quotients of the joint law are
products of quotients, so their least is the product of the least ones, pair by pair. The level is the least
of these products. It is at least the product of the levels (the composition theorem), and larger when no pair
is worst for all.

*Parallel*: mechanisms run on separate parts of a database, and neighbours differ in one part. The factors of
the other parts cancel: the level is the least of the levels. A **collection** of local reports is the case of
one record a part: with ε_k-local privacy for person k, the whole collection is max ε_k-private for neighbours
that differ in one record, and so is everything computed from it, for any query.

*Multi-level release* ([gs2010], Algorithm 1, Lemmas 3 and 4): r_1 is drawn from G(n, α_1), and r_{i+1} from
row r_i of T_{i+1}, where G(n, α_{i+1}) = G(n, α_i)·T_{i+1}. The joint law is built in full, so the level of
every coalition of consumers is found by exhaustion and not assumed from Lemma 4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise, product
from math import prod
from typing import Any, TypeVar

from exactdp.analysis.arguments import MechanismLike, as_level, as_mechanism, as_mechanisms, as_neighbours
from exactdp.analysis.privacy import tightest_level
from exactdp.analysis.privacy_cells import Cell
from exactdp.analysis.row_pairs import LeastQuotients, are_numbers
from exactdp.analysis.verdict import Decision, Scope, Verdict, scope_of
from exactdp.analysis.wording import level_text
from exactdp.errors import DomainError, InputError, ParameterRangeError, UndecidedSignError, printable, wrong_kind
from exactdp.exact import QQ, ExactMatrix, Rational, as_count, common_field, entries_of
from exactdp.mechanisms import geometric
from exactdp.model import Graph, LevelLike, Mechanism, Neighbours, NeighboursLike, PrivacyLevel, Remap, TightestLevel
from exactdp.model.graph import require_graph
from exactdp.model.mechanism import over_one_field
from exactdp.runtime.budget import largest_side, require_budget
from exactdp.runtime.progress import Listener, counted_off, part_of
from exactdp.runtime.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SequentialEvidence:
    """The level of independent releases; ``low``, ``high`` and ``outputs`` (one a mechanism) attain it.

    ``by_epsilon`` says whether it is told as ε first; None: as its numbers are.
    """

    mechanisms: tuple[Mechanism, ...]
    neighbours: Neighbours
    ratio: Any
    low: int | None = None
    high: int | None = None
    outputs: tuple[int, ...] = ()
    by_epsilon: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ParallelEvidence:
    """The level of releases about separate parts; ``part`` and ``cell`` attain it.

    ``by_epsilon`` is as in :class:`SequentialEvidence`.
    """

    parts: tuple[tuple[Mechanism, Neighbours], ...]
    ratio: Any
    part: int | None = None
    cell: Cell | None = None
    by_epsilon: bool | None = None


def sequential_level(
    mechanisms: Sequence[MechanismLike], neighbours: NeighboursLike, *, progress: Listener | None = None
) -> Verdict[SequentialEvidence]:
    """Which level do independent releases about the same input have together?

    Parameters
    ----------
    mechanisms : sequence of Mechanism
        On the same inputs.
    neighbours : Graph or Metric
        All distances 1.
    progress : callable, optional
        Told how far it is.

    Returns
    -------
    Verdict[SequentialEvidence]
        Always proved; ``evidence.ratio`` is the least Π_k min_r x^k_ir/x^k_jr of adjacent ordered pairs (i,
        j).

    Examples
    --------
    >>> from exactdp import geometric, neighbours
    >>> sequential_level([geometric(2, "1/2"), geometric(2, "1/3")], neighbours("path:3")).evidence.ratio
    Rational('1/6')
    """
    chosen = tuple(as_mechanisms(mechanisms))
    if not chosen:
        raise InputError("a composition needs at least one mechanism", mechanisms=chosen)
    neighbours = as_neighbours(neighbours, chosen[0])
    chosen = over_one_field(*(m.aligned(neighbours.vertices) for m in chosen))
    _require_distance_one(neighbours)
    one = chosen[0].field.one
    found = SequentialEvidence(mechanisms=chosen, neighbours=neighbours, ratio=one)
    pairs = neighbours.pairs()
    quotients = [LeastQuotients(m.matrix, 2 * len(pairs)) if are_numbers(m.matrix) else None for m in chosen]
    if all(known is not None and m.field is QQ for m, known in zip(chosen, quotients, strict=True)):
        quotients_of_integers: Any = quotients
        found = _of_rationals(found, quotients_of_integers, counted_off(pairs, progress, "constraints", "pairs"))
        return _sequential_said(found)
    for a, b, _ in counted_off(pairs, progress, "constraints", "pairs"):
        for i, j in ((a, b), (b, a)):
            least = [_least_ratio(m, i, j) if known is None else known.of(i, j) for m, known in zip(chosen, quotients, strict=True)]
            total = prod((ratio for ratio, _ in least), start=one)
            if total < found.ratio:
                outputs = tuple(r for _, r in least)
                found = SequentialEvidence(mechanisms=chosen, neighbours=neighbours, ratio=total, low=i, high=j, outputs=outputs)
    return _sequential_said(found)


def _of_rationals(
    found: SequentialEvidence, quotients: Sequence[LeastQuotients], pairs: Iterable[tuple[int, int, object]]
) -> SequentialEvidence:
    """The evidence for rational mechanisms: products of quotients are compared as integers."""
    above, below, at = 1, 1, None
    for a, b, _ in pairs:
        for i, j in ((a, b), (b, a)):
            x, y = 1, 1
            for known in quotients:
                factor, divisor, _ = known.entries(i, j)
                x, y = x * factor, y * divisor
            if x * below < above * y:
                above, below, at = x, y, (i, j, tuple(known.output(i, j) for known in quotients))
    if at is None:
        return found
    low, high, outputs = at
    return replace(found, ratio=Rational(above, below), low=low, high=high, outputs=outputs)


def _sequential_said(found: SequentialEvidence) -> Verdict[SequentialEvidence]:
    """The verdict in words."""
    chosen, neighbours = found.mechanisms, found.neighbours
    what = "release is private" if len(chosen) == 1 else f"{len(chosen)} independent releases are private together"
    claim = f"The largest level at which the {what} on {neighbours} is {level_text(found.ratio)}"
    return _as_given(Verdict(Decision.PROVED, claim, found, _scope(chosen, "releases")), chosen)


def in_notation(
    answer: Verdict[SequentialEvidence] | Verdict[ParallelEvidence], by_epsilon: bool | None
) -> Verdict[SequentialEvidence] | Verdict[ParallelEvidence]:
    """The same answer, whose level is told as ε or as α first; None: as its numbers are.

    >>> from exactdp import geometric, neighbours
    >>> answer = sequential_level([geometric(2, "1/3")], neighbours("path:3"))
    >>> print(in_notation(answer, True))
    PROVED  level of the release: ε = ln(3) ≈ 1.098612 (α = 1/3)
    for     path:3
    """
    found: Any = answer.evidence
    said, asked = level_text(found.ratio, found.by_epsilon), level_text(found.ratio, by_epsilon)
    return replace(answer, claim=answer.claim.removesuffix(said) + asked, evidence=replace(found, by_epsilon=by_epsilon))


A = TypeVar("A", Verdict[SequentialEvidence], Verdict[ParallelEvidence])


def _as_given(answer: A, chosen: Sequence[Mechanism]) -> A:
    """The answer with ε first if all levels were given as ε."""
    found: Any = in_notation(answer, True) if all(m.by_epsilon for m in chosen) else answer
    told: A = found
    return told


def _scope(mechanisms: Sequence[Mechanism], what: str) -> Scope:
    """That of the mechanisms' numbers; of several ones the joint law is a product, which is an assumption."""
    scope = scope_of(*mechanisms)
    return scope if len(mechanisms) == 1 else replace(scope, note=f"{scope.note}, if the {what} are independent")


def _require_distance_one(neighbours: Neighbours) -> None:
    for i, j, distance in neighbours.pairs():
        if distance.rational != 1:
            pair = f"{printable(neighbours.vertices[i])} and {printable(neighbours.vertices[j])}"
            raise DomainError(
                f"compositions are judged for neighbours at distance 1, and {pair} are at distance {distance}; give a graph, whose edges "
                "all have the distance 1, or ask for the level of each mechanism (tightest_level, exactdp privacy)",
                neighbours=neighbours,
                pair=(i, j),
                distance=distance,
            )


def _least_ratio(m: Mechanism, i: int, j: int) -> tuple[Any, int]:
    """The least x_ir/x_jr with x_jr > 0, and the first output r that has it."""
    rows = zip(m.matrix.row(i), m.matrix.row(j), strict=True)
    return min(((x / y, r) for r, (x, y) in enumerate(rows) if y > 0), key=lambda pair: pair[0])


def parallel_level(parts: Sequence[tuple[MechanismLike, NeighboursLike]], *, progress: Listener | None = None) -> Verdict[ParallelEvidence]:
    """Which level do mechanisms on separate parts of a database have together?

    Neighbours differ in one part.

    Examples
    --------
    >>> from exactdp import geometric, neighbours, randomized_response
    >>> parts = [(geometric(2, "1/2"), neighbours("path:3"))]
    >>> parts.append((randomized_response(range(2), "3/4"), neighbours("path:2")))
    >>> v = parallel_level(parts)
    >>> v.evidence.ratio, v.evidence.part
    (Rational('1/3'), 1)
    """
    chosen = tuple(_part(k, part) for k, part in enumerate(entries_of(parts, "parts")))
    if not chosen:
        raise InputError("a composition needs at least one part", parts=chosen)
    chosen = tuple(zip(over_one_field(*(m for m, _ in chosen)), (near for _, near in chosen), strict=True))
    found = ParallelEvidence(parts=chosen, ratio=chosen[0][0].field.one)
    for k, (m, near) in enumerate(chosen):
        _require_distance_one(near)
        own = tightest_level(m, near, progress=part_of(progress, f"part {k + 1} of {len(chosen)}")).evidence
        if own.tightest.ratio < found.ratio:
            found = ParallelEvidence(parts=chosen, ratio=own.tightest.ratio, part=k, cell=own.attained)
    names = list(dict.fromkeys(str(near) for _, near in chosen))
    where = ", ".join(names if len(names) <= 4 else [*names[:3], "…"])
    level = level_text(found.ratio)
    what = f"{len(chosen)} independent mechanisms on separate parts ({where}) are private together"
    what = f"mechanism on its part ({where}) is private" if len(chosen) == 1 else what
    claim = f"The largest level at which the {what} is {level}"
    mechanisms = [m for m, _ in chosen]
    return _as_given(Verdict(Decision.PROVED, claim, found, _scope(mechanisms, "mechanisms")), mechanisms)


def _part(k: int, part: object) -> tuple[Mechanism, Neighbours]:
    """A mechanism and the neighbours of its part."""
    if not isinstance(part, (tuple, list)) or len(part) != 2:
        raise wrong_kind(f"part {k}", part, "a pair of a mechanism and its neighbours")
    mechanism = as_mechanism(part[0], name=f"mechanism of part {k}")
    near = as_neighbours(part[1], mechanism)
    return mechanism.aligned(near.vertices), near


def collection_level(mechanisms: Sequence[MechanismLike], *, progress: Listener | None = None) -> Verdict[ParallelEvidence]:
    """Which central level has a collection of local reports, one mechanism a person?

    Neighbours differ in one record, and every two values of a record are neighbouring. The answer holds for
    the collection itself, hence for every query computed from it.

    Examples
    --------
    >>> from exactdp import randomized_response
    >>> collection_level([randomized_response(["yes", "no"], "3/4")] * 5).evidence.ratio
    Rational('1/3')
    """
    return parallel_level([(m, Graph.complete(m.inputs)) for m in as_mechanisms(mechanisms)], progress=progress)


def joint(mechanisms: Sequence[Mechanism]) -> Mechanism:
    """Independent releases about one input as one mechanism with tuples as outputs (small ones only).

    >>> from exactdp import randomized_response
    >>> joint([randomized_response(range(2), "3/4")] * 2).outputs
    ('0,0', '0,1', '1,0', '1,1')
    """
    inputs = mechanisms[0].inputs
    mechanisms = over_one_field(*(m.aligned(inputs) for m in mechanisms))
    return _independent([[(m, i) for m in mechanisms] for i in range(len(inputs))], inputs)


def databases(values: Sequence[str], people: int) -> Graph:
    """All databases of so many records, adjacent when one record differs; labelled ``a,b,…``.

    >>> databases(["0", "1"], 2).vertices, len(databases(["0", "1"], 2).edges)
    (('0,0', '0,1', '1,0', '1,1'), 4)
    """
    count = len(values) ** min(people, 64)
    require_graph(f"the graph of the {len(values)}^{people} databases", count * people, count * people * len(values))
    records = list(product(values, repeat=people))
    place = {record: k for k, record in enumerate(records)}
    edges = [
        (place[record], place[other])
        for record in records
        for k in range(people)
        for value in values
        if place[other := (*record[:k], value, *record[k + 1 :])] > place[record]
    ]
    return Graph([",".join(record) for record in records], edges, name=f"databases({len(values)}^{people})")


def collected(local: Mechanism, people: int) -> tuple[Mechanism, Graph]:
    """A local mechanism applied to every record: a mechanism on all databases, and their adjacency.

    >>> from exactdp import randomized_response
    >>> central, graph = collected(randomized_response(["0", "1"], "3/4"), 2)
    >>> tightest_level(central, graph).evidence.tightest.ratio
    Rational('1/3')
    """
    graph = databases(local.inputs, people)
    reports = [[(local, i) for i in record] for record in product(range(local.n_inputs), repeat=people)]
    return _independent(reports, graph.vertices), graph


def _independent(runs: Sequence[Sequence[tuple[Mechanism, int]]], inputs: Sequence[str]) -> Mechanism:
    """The law of all outputs of some runs together: for every input, which row of each mechanism is run."""
    _limit(len(runs) * prod(m.n_outputs for m, _ in runs[0]))
    rows = [[prod(xs) for xs in product(*(m.matrix.row(i) for m, i in run))] for run in runs]
    return Mechanism(ExactMatrix(rows), inputs, [",".join(labels) for labels in product(*(m.outputs for m, _ in runs[0]))])


def _limit(entries: int) -> None:
    require_budget("the table of all outputs together", numbers=entries)


def oblivious_average(mechanism: MechanismLike, graph: NeighboursLike, query: Callable[[str], object]) -> tuple[Mechanism, Graph]:
    """A mechanism averaged over the databases with one answer [gs2010, Lemma 6], and the answers' graph.

    Parameters
    ----------
    mechanism : Mechanism
        On databases.
    graph : Graph
        Their adjacency.
    query : callable
        From a database's label to its answer.

    Returns
    -------
    (Mechanism, Graph)
        The average is oblivious: it depends on the answer only. Answers are neighbours when some adjacent
        databases have them. For a counting query over all databases of n records the average is private
        whenever the mechanism is; for other queries it need not be, so ask.

    Examples
    --------
    >>> from exactdp import randomized_response
    >>> central, graph = collected(randomized_response(["0", "1"], "3/4"), 2)
    >>> average, answers = oblivious_average(central, graph, lambda database: database.count("1"))
    >>> average.inputs, answers.edges, tightest_level(average, answers).evidence.tightest.ratio
    (('0', '1', '2'), ((0, 1), (1, 2)), Rational('1/3'))
    """
    mechanism = as_mechanism(mechanism)
    graph = as_neighbours(graph, mechanism)
    if not isinstance(graph, Graph):
        raise wrong_kind("graph", graph, "a Graph, whose edges are the databases that differ in one record")
    if not callable(query):
        raise wrong_kind("query", query, "a function from a database's label to its answer")
    mechanism = mechanism.aligned(graph.vertices)
    answers: dict[str, list[int]] = {}
    for k, label in enumerate(mechanism.inputs):
        answers.setdefault(str(query(label)), []).append(k)
    labels = sorted(answers, key=lambda name: (len(name), name))  # numbers in increasing order
    zero = mechanism.field.zero
    rows = [
        [sum((mechanism.matrix[k, r] for k in answers[name]), zero) / len(answers[name]) for r in range(mechanism.n_outputs)]
        for name in labels
    ]
    place = {k: where for where, name in enumerate(labels) for k in answers[name]}
    edges = {(min(a, b), max(a, b)) for i, j in graph.edges if (a := place[i]) != (b := place[j])}
    return Mechanism(ExactMatrix(rows), labels, mechanism.outputs), Graph(labels, edges, name="answers")


@dataclass(frozen=True, slots=True)
class Coalition:
    """Some consumers (numbers from 0, increasing), the mechanism that they see, and its tightest level."""

    members: tuple[int, ...]
    mechanism: Mechanism
    level: TightestLevel


@dataclass(frozen=True, slots=True, kw_only=True)
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

    @property
    def neighbours(self) -> Graph:
        """The path on 0..n: counts that differ by one."""
        return Graph.path(self.n + 1)


def multi_level_release(n: int, levels: Sequence[LevelLike], *, progress: Listener | None = None) -> Verdict[ReleaseEvidence]:
    """Does every coalition of a multi-level release learn no more than its least private member?

    Parameters
    ----------
    n : int
        n ≥ 1; inputs and results are 0..n.
    levels : sequence of levels
        Strictly increasing: the first consumer gets the least private result.
    progress : callable, optional
        Told how far it is.

    Returns
    -------
    Verdict[ReleaseEvidence]
        With the release. Proved, with all coalitions, when the tightest level of each is that of its first
        member.

    Raises
    ------
    ParameterRangeError
        n < 1, no levels, or levels not strictly increasing.
    ResourceLimitError
        The joint law would be larger than the budget.

    Examples
    --------
    >>> from exactdp import PrivacyLevel
    >>> v = multi_level_release(2, [PrivacyLevel("1/4"), PrivacyLevel("1/2")])
    >>> v.proved, [(c.members, str(c.level)) for c in v.evidence.coalitions]
    (True, [((0,), '1/4'), ((1,), '1/2'), ((0, 1), '1/4')])
    """
    as_count(n, "number n of the release")
    levels = over_one_field(*map(as_level, entries_of(levels, "levels")))
    _check(n, levels)
    mechanisms = [geometric(n, level.alpha) for level in levels]
    stages = []
    from exactdp.analysis.refinement import is_derivable  # linear programs, which levels need not

    for finer, coarser in pairwise(mechanisms):
        stage = is_derivable(coarser, source=finer).evidence.remap
        if stage is None:  # with letters: by Lemma 3 a more private geometric mechanism is derivable
            raise UndecidedSignError(
                f"the post-processing from level {finer.matrix[1, 0] / finer.matrix[0, 0]} was not found to be one; ask with numbers"
            )
        stages.append(stage)
    tables = [mechanisms[0].matrix, *(stage.matrix for stage in stages)]
    k, graph = len(levels), Graph.path(n + 1)
    coalitions = []
    for mask in counted_off(range(1, 2**k), progress, "coalitions", "coalitions"):
        members = tuple(i for i in range(k) if mask >> i & 1)
        seen = _joint_law(tables, members)
        coalitions.append(
            Coalition(members, seen, tightest_level(seen, graph, progress=part_of(progress, f"coalition {mask}")).evidence.tightest)
        )
    evidence = ReleaseEvidence(
        n=n, levels=tuple(levels), stages=tuple(stages), joint=coalitions[-1].mechanism, coalitions=tuple(coalitions)
    )
    for c in coalitions:
        if c.level != levels[c.members[0]]:
            names = ", ".join(str(m + 1) for m in c.members)
            by = any(level.by_epsilon for level in levels)
            own, meant = level_text(c.level, by), level_text(levels[c.members[0]], by)
            claim = f"The coalition {{{names}}} sees a mechanism on path:{n + 1} of level {own}, not {meant}"
            return Verdict(Decision.REFUTED, claim, evidence, scope_of(*levels))
    those = f"Every one of the {2**k - 1} coalitions sees a mechanism on path:{n + 1}"
    claim = f"{those} whose tightest level is that of its least private member (n = {n})"
    return Verdict(Decision.PROVED, claim, evidence, scope_of(*levels))


def _check(n: int, levels: Sequence[PrivacyLevel]) -> None:
    if n < 1:
        raise ParameterRangeError(f"n = {n}: a release needs at least two inputs, n >= 1", name="n", value=n, allowed=">= 1")
    if not levels:
        raise ParameterRangeError("a release needs at least one level", name="levels", value=(), allowed="non-empty")
    for low, high in pairwise(levels):
        if not low.alpha < high.alpha:
            wanted = "ε must decrease" if low.by_epsilon and high.by_epsilon else "levels must increase"
            raise ParameterRangeError(
                f"the {wanted} strictly (the least private first), but {low.said} comes before {high.said}",
                name="levels",
                value=tuple(levels),
                allowed="strictly increasing",
            )
    dimension = len(levels) + 1
    fits = f"use fewer levels, or n up to {largest_side(dimension) - 1:,}"
    require_budget(f"the joint law of {len(levels)} results", fits, numbers=(n + 1) ** dimension)


def _joint_law(tables: Sequence[ExactMatrix], members: Sequence[int]) -> Mechanism:
    """The law of the members' results given the input, the results of the others summed out.

    ``tables[0]`` is the first mechanism, (n+1, n+1), and the rest are the stages.
    """
    size, zero = tables[0].shape[0], common_field(*tables).zero
    # mass[i][results of members so far, current result] for each input i
    mass: list[dict[tuple[tuple[int, ...], int], Any]] = [{((), i): zero + 1} for i in range(size)]
    for stage, table in enumerate(tables[: members[-1] + 1]):
        for i, before in enumerate(mass):
            after: dict[tuple[tuple[int, ...], int], Any] = {}
            for (past, current), weight in before.items():
                for r, step in enumerate(table.row(current)):
                    if step:
                        key = ((*past, r) if stage in members else past, r)
                        after[key] = after.get(key, zero) + weight * step
            mass[i] = after
    results = list(product(range(size), repeat=len(members)))
    law = [[found.get((past, past[-1]), zero) for past in results] for found in mass]
    return Mechanism(ExactMatrix(law), range(size), [",".join(map(str, past)) for past in results])
