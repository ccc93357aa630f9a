# SPDX-License-Identifier: MIT
"""The optimum as a function of the privacy level, on all of (0, 1): finitely many pieces, each proved for
every level in it.

At each level the optimum is that of a linear program, so on pieces between finitely many algebraic levels the
value, the mechanism and the dual are rational functions of α. Each piece is checked here as identities and
signs of rational functions on its interval.

For which levels is a mechanism, a matrix of rational functions of the level, optimal? Decided piece by piece.

The pieces are those of the optimum (:mod:`~exactdp.analysis.optimality.by_level`) cut with those of the
mechanism's own loss, where it is private or not, and at the levels where the gap vanishes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from exactdp.analysis.levels import Stay, private_levels
from exactdp.analysis.optimality.optimum import OptimalityEvidence
from exactdp.analysis.optimality.remap import RemapEvidence, as_deployed, weighted_costs
from exactdp.analysis.privacy import Cell
from exactdp.analysis.verdict import Decision, Verdict
from exactdp.analysis.wording import piece_text
from exactdp.errors import DefectiveAnswerError, InputError, UndecidedSignError
from exactdp.exact import ExactMatrix, Interval, Point, RationalFunctionField
from exactdp.exact.points import compare_points
from exactdp.lp.parametric import OptimalPiece, optimal_pieces
from exactdp.lp.problem import Optimal
from exactdp.model import BayesianConsumer, Consumer, Dual, Mechanism, Neighbours, PrivacyLevel, Remap
from exactdp.search.mechanism import MechanismProgram, mechanism_program
from exactdp.search.remap import remap_program

Progress = Callable[[Any], None] | None


@dataclass(frozen=True, slots=True)
class Piece:
    """What holds for every level in an interval; ``evidence`` has rational functions on it, or is None where
    nothing was decided.

    ``violated`` is a privacy constraint that the mechanism asked about breaks at every level of the interval;
    its gap says nothing there.
    """

    interval: Interval
    evidence: OptimalityEvidence | RemapEvidence | None
    violated: Cell | None = None

    @property
    def optimal(self) -> bool | None:
        """Whether the mechanism asked about is optimal on the whole piece; None if none was, or nothing was
        decided.
        """
        if self.evidence is None or self.evidence.gap is None:
            return None
        return self.violated is None and not self.evidence.gap


@dataclass(frozen=True, slots=True)
class LevelPieces:
    """The pieces of an interval of levels, in order and without gaps; two neighbours may share their common
    end.

    Attributes
    ----------
    neighbours, consumer
        The problem; no neighbours when the question is about remaps only.
    interval : Interval
        Of levels.
    pieces : tuple of Piece
        Each with its optimality evidence.
    name : str
        The letter for the level.
    """

    neighbours: Neighbours | None
    consumer: Consumer
    interval: Interval
    pieces: tuple[Piece, ...]
    name: str = "a"

    @property
    def values(self) -> tuple[tuple[Interval, Any], ...]:
        """The optimum as a function: neighbouring pieces with the same formula are one.

        Returns
        -------
        tuple of (Interval, RationalFunction or None)
            None on pieces that were not decided.
        """
        merged: list[tuple[Interval, Any]] = []
        for piece in self.pieces:
            value = None if piece.evidence is None else piece.evidence.value
            if merged and value is not None and _same_function(merged[-1][1], value):
                before = merged[-1][0]
                joint = Interval(before.lower, piece.interval.upper, before.lower_closed, piece.interval.upper_closed)
                merged[-1] = (joint, value)
            else:
                merged.append((piece.interval, value))
        return tuple(merged)

    def value_at(self, level: object) -> Any:
        """The optimum at one rational level, from the formula of its piece.

        >>> from exactdp import Loss, MinimaxConsumer, neighbours
        >>> path = neighbours("path:2")
        >>> optimum_by_level(path, MinimaxConsumer(Loss.absolute(path.vertices))).evidence.value_at("1/2")
        Rational('1/3')
        """
        alpha = PrivacyLevel(level).alpha  # type: ignore[arg-type]
        for interval, value in self.values:
            if interval.contains(alpha) and value is not None:
                return value.evaluate(alpha) if hasattr(value, "evaluate") else value
        return None


def _same_function(x: Any, y: Any) -> bool:
    if x is None or not hasattr(x, "numerator") or not hasattr(y, "numerator"):
        return False
    return bool((x.numerator, x.denominator) == (y.numerator, y.denominator))


def optimum_by_level(
    neighbours: Neighbours, consumer: Consumer, interval: Interval | None = None, *, name: str = "a", progress: Progress = None
) -> Verdict[LevelPieces]:
    """What is the least loss of an α-private mechanism, as a function of α?

    Parameters
    ----------
    neighbours : AdjacencyGraph or Metric
        On the consumer's inputs; distances must be integers.
    consumer : MinimaxConsumer or BayesianConsumer
        With rational losses and prior.
    interval : Interval, optional
        Of levels, inside (0, 1), which it is unless given; open or closed.
    name : str
        The letter for the level.
    progress : callable, optional
        Called with events of the search.

    Returns
    -------
    Verdict[LevelPieces]
        Proved for every level of the interval; undecided if some point had no answer.

    Raises
    ------
    LabelError
        The consumer's inputs are not the vertices.
    DomainError
        Some α^d is not a rational function of α.

    Examples
    --------
    >>> from exactdp import Loss, MinimaxConsumer, neighbours
    >>> path = neighbours("path:4")
    >>> pieces = optimum_by_level(path, MinimaxConsumer(Loss.squared(path.vertices))).evidence
    >>> for interval, value in pieces.values:
    ...     print(interval, value)
    (0, root of 5*a^2 - 1 near 0.447213] (4*a^3 + 2*a^2 + 2*a)/(-5*a^3 + 3*a^2 + a + 1)
    [root of 5*a^2 - 1 near 0.447213, root of 5*a^3 - 1 near 0.584803] (5*a^3 + 3*a^2 + a)/(a + 1)
    [root of 5*a^3 - 1 near 0.584803, 1) (3*a^2 + a + 1)/(a + 1)
    """
    consumer = consumer.aligned(neighbours.vertices)
    whole = levels_asked(interval)
    program = mechanism_program(neighbours, PrivacyLevel.symbolic(whole, name), consumer)
    stretches = optimal_pieces(program.lp, whole, functions=lambda answer: _kernel_signs(program, answer), progress=progress)
    pieces = tuple(Piece(s.interval, _piece(program, s, name)) for s in stretches)
    return _answer(LevelPieces(neighbours, consumer, whole, pieces, name))


def levels_asked(interval: Interval | None) -> Interval:
    """The interval of levels that is meant: (0, 1) unless one is given.

    Raises
    ------
    ParameterRangeError
        It has numbers outside (0, 1).
    InputError
        It is a single level.
    """
    whole = Interval(0, 1) if interval is None else interval
    PrivacyLevel.symbolic(whole)
    if whole.is_point:
        raise InputError(f"{whole} is a single level; ask about it without an interval (optimum, is_optimal, best_remap)", interval=whole)
    return whole


def _answer(evidence: LevelPieces) -> Verdict[LevelPieces]:
    where = getattr(evidence.neighbours, "name", "") or "this graph"
    texts = "; ".join(f"{value} on {interval}" for interval, value in evidence.values if value is not None)
    claim = f"The least loss of an {evidence.name}-private mechanism on {where} for {evidence.consumer.describe()} is {texts}"
    lost = [str(piece.interval) for piece in evidence.pieces if piece.evidence is None]
    if lost:
        return Verdict(Decision.UNDECIDED, f"{claim}; nothing was decided on {', '.join(lost)}", evidence, "part of the levels")
    return Verdict(Decision.PROVED, claim, evidence, f"all levels {evidence.name} in {evidence.interval}")


def _kernel_signs(program: MechanismProgram, answer: Optimal) -> Iterator[Any]:
    """The signed multipliers of the certificate, which may not change their sign inside a piece."""
    for row in program.dual(answer.y).edges or ():
        yield from row


def _piece(program: MechanismProgram, stretch: OptimalPiece, name: str) -> OptimalityEvidence | None:
    """The evidence of one stretch, checked from the definitions."""
    answer = stretch.answer
    if answer is None:
        return None
    field, (n, k) = RationalFunctionField(stretch.interval, name), program.consumer.loss.matrix.shape
    x = [field(v) for v in answer.x[: n * k]]
    found = Mechanism(
        ExactMatrix([x[i * k : (i + 1) * k] for i in range(n)], field), program.consumer.inputs, program.consumer.loss.guesses
    )
    moved = dual_over(field, program.dual(answer.y))
    level = PrivacyLevel(field.gen)
    value = field(answer.value)
    check_piece(program.neighbours, level, program.consumer, found, moved, value)
    return OptimalityEvidence(program.neighbours, level, program.consumer, value, found, moved)


def matrix_over(field: RationalFunctionField, matrix: ExactMatrix) -> ExactMatrix:
    """The same matrix with its entries on another interval."""
    return ExactMatrix([[field(x) for x in row] for row in matrix.rows()], field)


def dual_over(field: RationalFunctionField, dual: Dual) -> Dual:
    """The same dual with its numbers on another interval."""
    edges = tuple(tuple(map(field, row)) for row in dual.edges or ())
    return Dual(tuple(map(field, dual.weights)), tuple(map(field, dual.potentials or ())), edges)


def check_piece(neighbours: Neighbours, level: PrivacyLevel, consumer: Consumer, found: Mechanism, dual: Dual, value: Any) -> None:
    """Every condition of optimality, for all levels in the interval of the level's field;
    DefectiveAnswerError if one fails.
    """
    loss, field, (n, k) = consumer.loss.matrix, level.alpha.field, consumer.loss.matrix.shape
    x = found.matrix
    conditions: list[tuple[str, Any]] = []
    slack = [[dual.weights[i] * loss[i, r] - dual.potentials[i] for r in range(k)] for i in range(n)]  # type: ignore[index]
    for (i, j, d), row in zip(neighbours.pairs(), dual.edges or (), strict=True):
        power = level.power(d)
        for r, u in enumerate(row):
            conditions += [("privacy", x[i, r] - power * x[j, r]), ("privacy", x[j, r] - power * x[i, r])]
            falls = -1 in u.sign_on_interval().signs  # then u ≤ 0: it may vanish at an end
            above, below, size = (j, i, -u) if falls else (i, j, u)
            slack[above][r] = slack[above][r] - size
            slack[below][r] = slack[below][r] + size * power
    conditions += [("slack", s) for row in slack for s in row]
    losses = consumer_losses(consumer, found)
    conditions += [("loss", value - l) for l in losses]
    bayesian = isinstance(consumer, BayesianConsumer)
    conditions += [("weight", w) for w in dual.weights]
    known = range(n) if bayesian else consumer.side_information.indices  # type: ignore[union-attr]
    outside = [w for i, w in enumerate(dual.weights) if i not in set(known)]
    equal = tuple(dual.weights) == tuple(consumer.prior.weights) if isinstance(consumer, BayesianConsumer) else not any(outside)
    identities = [equal, sum(dual.weights, field.zero) == 1, sum(dual.potentials or (), field.zero) == value]
    try:
        bad = [what for what, f in conditions if not f >= 0]
    except UndecidedSignError as error:
        raise DefectiveAnswerError(f"a piece of the optimum fails its check ({error.message}); please report this") from None
    if bad or not all(identities):
        raise DefectiveAnswerError(f"a piece of the optimum fails its check ({bad[:1] or 'an identity'}); please report this")


def consumer_losses(consumer: Consumer, mechanism: Mechanism) -> list[Any]:
    """The losses whose largest counts: of the inputs in S, or the expected one alone."""
    loss, x = consumer.loss.matrix, mechanism.matrix
    zero = x.field.zero
    each = [sum((loss[i, r] * x[i, r] for r in range(loss.shape[1]) if loss[i, r]), zero) for i in range(loss.shape[0])]
    if isinstance(consumer, BayesianConsumer):
        return [sum((p * l for p, l in zip(consumer.prior.weights, each, strict=True)), zero)]
    return [each[i] for i in consumer.side_information.indices]


def is_optimal_by_level(
    mechanism: Mechanism,
    neighbours: Neighbours,
    consumer: Consumer,
    interval: Interval | None = None,
    *,
    after_remap: bool = False,
    progress: Progress = None,
) -> Verdict[LevelPieces]:
    """For which levels is this mechanism, a matrix of rational functions of the level, optimal for the
    consumer?

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
        own: list[OptimalPiece] = optimal_pieces(lp, best.interval, progress=progress)
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
    """What is the least loss of a remap of this mechanism, a matrix of rational functions of the level, as a
    function of the level?

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
    for stretch in optimal_pieces(lp, whole, functions=lambda answer: entries, progress=progress):
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
    """The remap attains the value and the weights prove it, at every level of the interval;
    DefectiveAnswerError if not.
    """
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


def _remapped(given: Mechanism, consumer: Consumer, stretch: OptimalPiece, known: Sequence[int], name: str) -> Judged:
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
    """The interval cut where one of the functions has a zero; the ends of the parts are closed, but for open
    ends of the interval.
    """
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
    """The common refinement of the optimum's pieces, the mechanism's and those where it is private, with the
    gap on each.
    """
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
    """Where the mechanism is private the gap is zero on all of the interval, or positive but for points,
    which are pieces of their own.
    """
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
