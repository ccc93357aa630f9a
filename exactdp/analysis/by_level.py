# SPDX-License-Identifier: MIT
"""The optimum as a function of the privacy level, on all of (0, 1): finitely many pieces, each proved for every level in it.

At each level the optimum is that of a linear program, so on pieces between finitely many algebraic levels the value, the mechanism and
the dual are rational functions of α. Each piece is checked here as identities and signs of rational functions on its interval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from exactdp.analysis.least_loss import OptimalityEvidence
from exactdp.analysis.privacy import Cell
from exactdp.analysis.remap import RemapEvidence
from exactdp.analysis.verdict import Decision, Verdict
from exactdp.errors import DefectiveAnswerError, InputError, UndecidedSignError
from exactdp.exact import ExactMatrix, Interval, RationalFunctionField
from exactdp.model import BayesianConsumer, Consumer, Dual, Mechanism, Neighbours, PrivacyLevel
from exactdp.search.answers import Optimal
from exactdp.search.optimal_mechanism import MechanismProgram, mechanism_program
from exactdp.search.walk import Stretch, walk

__all__ = ["LevelPieces", "Piece", "check_piece", "consumer_losses", "dual_over", "levels_asked", "matrix_over", "optimum_by_level"]

Progress = Callable[[Any], None] | None


@dataclass(frozen=True, slots=True)
class Piece:
    """What holds for every level in an interval; ``evidence`` has rational functions on it, or is None where nothing was decided.

    ``violated`` is a privacy constraint that the mechanism asked about breaks at every level of the interval; its gap says nothing there.
    """

    interval: Interval
    evidence: OptimalityEvidence | RemapEvidence | None
    violated: Cell | None = None

    @property
    def optimal(self) -> bool | None:
        """Whether the mechanism asked about is optimal on the whole piece; None if none was, or nothing was decided."""
        if self.evidence is None or self.evidence.gap is None:
            return None
        return self.violated is None and not self.evidence.gap


@dataclass(frozen=True, slots=True)
class LevelPieces:
    """The pieces of an interval of levels, in order and without gaps; two neighbours may share their common end.

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
    stretches = walk(program.lp, whole, functions=lambda answer: _kernel_signs(program, answer), progress=progress)
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


def _piece(program: MechanismProgram, stretch: Stretch, name: str) -> OptimalityEvidence | None:
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
    """Every condition of optimality, for all levels in the interval of the level's field; DefectiveAnswerError if one fails."""
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
