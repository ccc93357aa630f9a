# SPDX-License-Identifier: MIT
"""For which levels is a mechanism, a matrix of rational functions of the level, optimal? Decided piece by piece.

The pieces are those of the optimum (:mod:`~exactdp.analysis.by_level`) cut with those of the mechanism's own loss, where it is private or
not, and at the levels where the gap vanishes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from exactdp.analysis.by_level import LevelPieces, Piece, consumer_losses, dual_over, levels_asked, matrix_over, optimum_by_level
from exactdp.analysis.least_loss import OptimalityEvidence
from exactdp.analysis.levels_where import Stay, private_levels
from exactdp.analysis.privacy import Cell
from exactdp.analysis.remap import RemapEvidence, as_deployed, weighted_costs
from exactdp.analysis.verdict import Decision, Verdict
from exactdp.analysis.wording import piece_text
from exactdp.errors import DefectiveAnswerError
from exactdp.exact import ExactMatrix, Interval, Point, RationalFunctionField
from exactdp.exact.algebraic import compare_points
from exactdp.model import BayesianConsumer, Consumer, Mechanism, Neighbours, PrivacyLevel, Remap
from exactdp.search.best_remap import remap_program
from exactdp.search.walk import Stretch, walk

__all__ = ["best_remap_by_level", "is_optimal_by_level"]

Progress = Callable[[Any], None] | None


def is_optimal_by_level(
    mechanism: Mechanism,
    neighbours: Neighbours,
    consumer: Consumer,
    interval: Interval | None = None,
    *,
    after_remap: bool = False,
    progress: Progress = None,
) -> Verdict[LevelPieces]:
    """For which levels is this mechanism, a matrix of rational functions of the level, optimal for the consumer?

    Parameters
    ----------
    mechanism : Mechanism
        Over ℚ(α), for example ``geometric(3, a)``; row-stochastic at every level of the interval.
    neighbours, consumer, interval, progress
        As in :func:`optimum_by_level`.
    after_remap : bool
        Judge it after the consumer's best remap of its outputs.

    Returns
    -------
    Verdict[LevelPieces]
        Proved if it is private and optimal at every level; refuted otherwise, with loss and gap on each piece, or the constraint that it
        breaks there (``piece.violated``; the gap may then be negative).

    Raises
    ------
    LabelError
        Inputs, or outputs and guesses, differ.
    UndecidedSignError
        The mechanism is not row-stochastic at some of the levels; carries where.

    Examples
    --------
    >>> from exactdp import Loss, MinimaxConsumer, geometric, neighbours
    >>> from exactdp.exact import RationalFunctionField
    >>> G, path = geometric(2, RationalFunctionField().gen), neighbours("path:3")
    >>> consumer = MinimaxConsumer(Loss.absolute(path.vertices))
    >>> is_optimal_by_level(G, path, consumer, after_remap=True).proved, is_optimal_by_level(G, path, consumer).proved
    (True, False)
    """
    consumer = consumer.aligned(neighbours.vertices)
    mechanism = mechanism.aligned(consumer.inputs) if after_remap else as_deployed(mechanism, consumer)
    field = mechanism.matrix.field
    name = field.names[0] if isinstance(field, RationalFunctionField) else "a"
    best = optimum_by_level(neighbours, consumer, interval, name=name, progress=progress).evidence
    whole = RationalFunctionField(best.interval, name)
    given = Mechanism(matrix_over(whole, mechanism.matrix), mechanism.inputs, mechanism.outputs)
    if after_remap:
        lp, known = remap_program(given, consumer)
        own: list[Stretch] = walk(lp, best.interval, progress=progress)
        judged = [_remapped(given, consumer, s, known, name) for s in own]
    else:
        judged = [(piece, None, value) for piece, value in _largest(consumer_losses(consumer, given), best.interval)]
    stays = private_levels(given.as_table(), neighbours, PrivacyLevel(whole.gen)).evidence.pieces
    pieces = tuple(_refined(best, given, judged, stays, name))
    evidence = replace(best, pieces=pieces)
    after = " after the best remap" if after_remap else ""
    assert best.neighbours is not None
    who = f"on {best.neighbours.name or 'this graph'} for {consumer.describe()}"
    scope = f"all levels {name} in {best.interval}"
    if any(piece.evidence is None for piece in pieces):
        return Verdict(Decision.UNDECIDED, f"Whether the mechanism{after} is optimal {who} was not decided at every level", evidence)
    worse = [piece for piece in pieces if not piece.optimal]
    if not worse:
        return Verdict(Decision.PROVED, f"The mechanism{after} is optimal {who} at every level", evidence, scope)
    texts = []
    if any(p.violated for p in worse):
        texts.append(f"it is not private at level {name} on {' and '.join(piece_text(p.interval, name) for p in worse if p.violated)}")
    gaps = "; ".join(
        f"{p.evidence.gap} {'at' if p.interval.is_point else 'on'} {piece_text(p.interval, name)}"
        for p in worse
        if p.evidence is not None and not p.violated
    )
    texts += [f"the gap is {gaps}"] if gaps else []
    claim = f"The mechanism{after} is not optimal {who} at every level: {'; '.join(texts)}"
    return Verdict(Decision.REFUTED, claim, evidence, scope)


def best_remap_by_level(
    mechanism: Mechanism, consumer: Consumer, interval: Interval | None = None, *, progress: Progress = None
) -> Verdict[LevelPieces]:
    """What is the least loss of a remap of this mechanism, a matrix of rational functions of the level, as a function of the level?

    Parameters
    ----------
    mechanism : Mechanism
        Over ℚ(α).
    consumer, interval, progress
        As in :func:`optimum_by_level`.

    Returns
    -------
    Verdict[LevelPieces]
        Proved, each piece with its remap and weights; undecided if some point had no answer.

    Examples
    --------
    >>> from exactdp import BayesianConsumer, Loss, Prior, geometric
    >>> from exactdp.exact import RationalFunctionField
    >>> G = geometric(1, RationalFunctionField().gen)
    >>> skewed = BayesianConsumer(Loss.zero_one(G.inputs), Prior(["1/3", "2/3"], G.inputs))
    >>> [(str(interval), str(value)) for interval, value in best_remap_by_level(G, skewed).evidence.values]
    [('(0, 1/2]', 'a/(a + 1)'), ('[1/2, 1)', '1/3')]
    """
    consumer = consumer.aligned(mechanism.inputs)
    field = mechanism.matrix.field
    name = field.names[0] if isinstance(field, RationalFunctionField) else "a"
    whole = levels_asked(interval)
    over = RationalFunctionField(whole, name)
    given = Mechanism(matrix_over(over, mechanism.matrix), mechanism.inputs, mechanism.outputs)
    lp, known = remap_program(given, consumer)
    pieces = []
    entries = [x for row in given.matrix.rows() for x in row]  # the kernel wants their signs, too
    for stretch in walk(lp, whole, functions=lambda answer: entries, progress=progress):
        _, remap, _ = _remapped(given, consumer, stretch, known, name)
        if remap is not None:
            check_remap(remap)
        pieces.append(Piece(stretch.interval, remap))
    evidence = LevelPieces(None, consumer, whole, tuple(pieces), name)
    texts = "; ".join(f"{value} on {part}" for part, value in evidence.values if value is not None)
    claim = f"The least loss of a remap of the mechanism for {consumer.describe()} is {texts}"
    if any(piece.evidence is None for piece in pieces):
        return Verdict(Decision.UNDECIDED, claim, evidence, "part of the levels")
    return Verdict(Decision.PROVED, claim, evidence, f"all levels {name} in {whole}")


def check_remap(e: RemapEvidence) -> None:
    """The remap attains the value and the weights prove it, at every level of the interval; DefectiveAnswerError if not."""
    costs, zero = weighted_costs(e.mechanism, e.consumer, e.weights), e.mechanism.matrix.field.zero
    losses = consumer_losses(e.consumer, e.mechanism.post_process(e.remap))
    attained = all(loss <= e.value for loss in losses)
    least = []
    for y in range(e.mechanism.n_outputs):
        used = next(r for r in range(len(e.remap.guesses)) if e.remap[y, r])
        attained = attained and all(costs[y, used] <= costs[y, r] for r in range(len(e.remap.guesses)))
        least.append(costs[y, used])
    if not attained or sum(least, zero) != e.value or sum(e.weights, zero) != 1 or any(w < 0 for w in e.weights):
        raise DefectiveAnswerError("a piece of the best remap fails its check; please report this", remap=e.remap)


Judged = tuple[Interval, RemapEvidence | None, Any]


def _remapped(given: Mechanism, consumer: Consumer, stretch: Stretch, known: Sequence[int], name: str) -> Judged:
    """The best remap on one stretch, and its loss."""
    answer = stretch.answer
    if answer is None:
        return stretch.interval, None, None
    field = RationalFunctionField(stretch.interval, name)
    m, k = given.n_outputs, consumer.loss.matrix.shape[1]
    table = ExactMatrix([[field(t) for t in answer.x[y * k : (y + 1) * k]] for y in range(m)], field)
    remap = Remap(table, given.outputs, consumer.loss.guesses)
    weights = list(consumer.prior.weights) if isinstance(consumer, BayesianConsumer) else [field.zero] * given.n_inputs
    for i, w in zip(known, answer.y[m:], strict=False):
        weights[i] = field(w)
    value = field(answer.value)
    here = Mechanism(matrix_over(field, given.matrix), given.inputs, given.outputs)
    return stretch.interval, RemapEvidence(here, consumer, value, remap, tuple(weights)), value


def _largest(functions: Sequence[Any], interval: Interval) -> Iterator[tuple[Interval, Any]]:
    """Pieces of the interval on which one of the functions is the largest."""
    differences = [f - g for k, f in enumerate(functions) for g in functions[:k] if f != g]
    for part in _constant_signs(differences, interval):
        x = part.sample()
        field = RationalFunctionField(part, functions[0].field.names[0])
        yield part, max((field(f) for f in functions), key=lambda f: f.evaluate(x))


def _constant_signs(functions: Iterable[Any], interval: Interval) -> list[Interval]:
    """The interval cut where one of the functions has a zero; the ends of the parts are closed, but for open ends of the interval."""
    inside = interval.interior()
    points = sorted_points(p for f in functions for p in f.sign_on_interval().points if inside.contains(p))
    ends: list[Point] = [interval.lower, *points, interval.upper]
    last = len(ends) - 2
    return [Interval(ends[k], ends[k + 1], k > 0 or interval.lower_closed, k < last or interval.upper_closed) for k in range(last + 1)]


def sorted_points(points: Iterable[Point]) -> list[Point]:
    """Distinct points, increasing."""
    result: list[Point] = []
    for point in points:
        place = sum(compare_points(other, point) < 0 for other in result)
        if place == len(result) or compare_points(result[place], point) != 0:
            result.insert(place, point)
    return result


def _refined(best: LevelPieces, given: Mechanism, judged: Sequence[Judged], stays: Sequence[Stay], name: str) -> Iterator[Piece]:
    """The common refinement of the optimum's pieces, the mechanism's and those where it is private, with the gap on each."""
    parts = [
        (joint, piece, remap, loss, stay)
        for piece in best.pieces
        for own, remap, loss in judged
        for stay in stays
        if (joint := _common(piece.interval, own, stay.interval)) is not None
    ]
    kept: list[Interval] = []
    for joint, piece, remap, loss, stay in parts:
        if joint.is_point and any(other.contains(joint) for other in (*kept, *(part[0] for part in parts if not part[0].is_point))):
            continue  # the common end of two pieces
        kept.append(joint)
        if not isinstance(piece.evidence, OptimalityEvidence) or loss is None:
            yield Piece(joint, None)
        else:
            yield from _parts_of(joint, piece.evidence, given, remap, loss, stay, name)


def _common(*intervals: Interval) -> Interval | None:
    result: Interval | None = intervals[0]
    for interval in intervals[1:]:
        result = None if result is None else result.intersection(interval)
    return result


def _parts_of(
    joint: Interval, evidence: OptimalityEvidence, given: Mechanism, remap: RemapEvidence | None, loss: Any, stay: Stay, name: str
) -> Iterator[Piece]:
    """Where the mechanism is private the gap is zero on all of the interval, or positive but for points, which are pieces of their own."""
    whole = RationalFunctionField(joint, name)
    gap = whole(loss) - whole(evidence.value)
    points = sorted_points(p for p, _ in gap.sign_on_interval().zeros) if gap and stay.holds else []
    intervals = joint.split(points) if points else (joint,)
    for interval in intervals:
        field = RationalFunctionField(interval, name)

        found, dual = evidence.found, evidence.dual
        assert isinstance(found, Mechanism)
        assert dual is not None
        here = Mechanism(matrix_over(field, given.matrix), given.inputs, given.outputs)
        moved = dual_over(field, dual)
        remapped = None
        if remap is not None:
            table = Remap(matrix_over(field, remap.remap.matrix), remap.remap.outputs, remap.remap.guesses)
            remapped = RemapEvidence(here, remap.consumer, field(loss), table, tuple(map(field, remap.weights)))
        yield Piece(
            interval,
            OptimalityEvidence(
                evidence.neighbours,
                PrivacyLevel(field.gen),
                evidence.consumer,
                field(evidence.value),
                Mechanism(matrix_over(field, found.matrix), found.inputs, found.outputs),
                moved,
                here,
                field(loss),
                field.zero if interval.is_point and points else field(loss) - field(evidence.value),
                remapped,
            ),
            None if stay.holds else _broken(here, evidence.neighbours, stay),
        )


def _broken(here: Mechanism, neighbours: Neighbours, stay: Stay) -> Cell:
    """The constraint that a piece without privacy breaks."""
    i, j, r = stay.witness
    distance = next(d for s, t, d in neighbours.pairs() if {s, t} == {i, j})
    return Cell(i, j, r, here[i, r] / here[j, r], distance)
