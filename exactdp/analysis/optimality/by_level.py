# SPDX-License-Identifier: MIT
"""The optimum, the best remap, and whether a mechanism is optimal, as functions of the privacy level.

At each level the optimum is that of a linear program. Between finitely many algebraic levels the value, the
mechanism and the dual are rational functions of α; each such piece is checked here as identities and signs of
rational functions on its interval.

Whether a given mechanism is optimal is decided on the common parts of the pieces of the optimum, of those of
its own loss, and of the levels where it is private, cut again where the gap vanishes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from exactdp.analysis.arguments import (
    Arguments,
    ConsumerLike,
    IntervalLike,
    MechanismLike,
    as_interval,
)
from exactdp.analysis.optimality.dual import dual_bound
from exactdp.analysis.optimality.mechanism_optimality import OptimalityAfterRemapEvidence, OptimalityEvidence
from exactdp.analysis.optimality.optimum import OptimumEvidence, keeps_constraints
from exactdp.analysis.optimality.remap_optimality import RemapEvidence, as_deployed, remap_bound
from exactdp.analysis.privacy_cells import Cell
from exactdp.analysis.table_levels import LevelFault, private_levels
from exactdp.analysis.verdict import Decision, Scope, Verdict
from exactdp.analysis.wording import among, union_text, values_text, whose
from exactdp.display import Displayed
from exactdp.errors import DefectiveAnswerError, InputError, UndecidedSignError, wrong_kind
from exactdp.exact import ExactMatrix, Interval, OrderedField, Rational, RationalFunctionField, as_flag, is_nonzero, same_formula
from exactdp.exact.intervals import set_to_sympy
from exactdp.exact.piecewise import Piecewise, common_parts, one_formula
from exactdp.lp.parametric import optimal_pieces
from exactdp.lp.problem import Optimal
from exactdp.model import BayesianConsumer, Consumer, Dual, Mechanism, Neighbours, NeighboursLike, PrivacyLevel, Remap
from exactdp.model.consumer import Problem
from exactdp.runtime.progress import Listener, counted_off, part_of
from exactdp.search.best_remap import remap_program
from exactdp.search.optimal_mechanism import MechanismProgram, mechanism_program

T = TypeVar("T")
B = TypeVar("B", bound="ByLevel")


@dataclass(frozen=True, slots=True, kw_only=True)
class ByLevel(Displayed):
    """An answer with a value for each level of an interval.

    Attributes
    ----------
    consumer : Consumer
        Who loses.
    letter : str
        For the level.
    pieces : Piecewise of (evidence or None)
        The evidence on each piece has rational functions on it; None where nothing was decided.
    """

    consumer: Consumer
    letter: str
    pieces: Piecewise[Any]

    @property
    def interval(self) -> Interval:
        """Of all levels asked about."""
        return self.pieces.interval

    @property
    def values(self) -> Piecewise[Any]:
        """The least loss as a function of the level: neighbouring pieces with the same formula are one.

        With a gain it is the largest utility, as the sentence says. A value is a rational function on its
        piece, or None where nothing was decided.
        """
        return self.pieces.map(lambda evidence: None if evidence is None else evidence.value).joined(one_formula)

    def in_sympy(self) -> Any:
        """The least loss, or the most gain, as a function of the level; undefined where none was found."""
        return None if all(value is None for _, value in self.values) else self.values.to_sympy(self.letter)

    def value_at(self, level: object) -> Any:
        """The least loss or largest utility at one rational level, from its piece; None where there is none.

        >>> from exactdp import Loss, MinimaxConsumer, neighbours
        >>> path = neighbours("path:2")
        >>> optimum_by_level(path, MinimaxConsumer(Loss.absolute(path.vertices))).evidence.value_at("1/2")
        Rational('1/3')
        """
        asked = PrivacyLevel(level)  # type: ignore[arg-type]
        alpha = asked.alpha
        if not isinstance(alpha, Rational):
            raise InputError(f"the level {asked.text} is not rational; ask for the optimum at this level alone", level=asked)
        value: Any = next((value for interval, value in self.values if value is not None and interval.contains(alpha)), None)
        return value.evaluate(alpha) if hasattr(value, "evaluate") else value


@dataclass(frozen=True, slots=True, kw_only=True)
class OptimumByLevel(ByLevel):
    """The least loss of a private mechanism, with a mechanism and a dual on each piece."""

    neighbours: Neighbours
    pieces: Piecewise[OptimumEvidence | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class RemapByLevel(ByLevel):
    """The least loss of a remap of a mechanism, with the remap and its weights on each piece."""

    pieces: Piecewise[RemapEvidence | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class OptimalityOnPiece:
    """The mechanism asked about, at every level of a piece.

    Attributes
    ----------
    optimality : OptimalityEvidence
        The optimum, the mechanism's loss, and the gap between them.
    violated : Cell or None
        A privacy constraint that the mechanism breaks at every level of the piece; the gap says nothing then.
    """

    optimality: OptimalityEvidence
    violated: Cell | None = None

    @property
    def value(self) -> Any:
        """The optimum: the least loss, or the largest utility."""
        return self.optimality.value

    @property
    def gap(self) -> Any:
        """The mechanism's loss minus the optimum."""
        return self.optimality.gap

    @property
    def optimal(self) -> bool:
        """Whether the mechanism is private and optimal on the whole piece."""
        return self.violated is None and not self.gap


@dataclass(frozen=True, slots=True, kw_only=True)
class OptimalityByLevel(ByLevel):
    """Whether a mechanism is optimal, on each piece."""

    neighbours: Neighbours
    pieces: Piecewise[OptimalityOnPiece | None]

    def in_sympy(self) -> Any:
        """The set of levels at which the mechanism is optimal; UndecidedSignError if some are undecided."""
        left = self.pieces.where(lambda found: found is None)
        if left:
            raise UndecidedSignError(f"undecided for {self.letter} in {union_text(left)}: no set can be written in sympy", evidence=self)
        return set_to_sympy(self.pieces.where(lambda found: found is not None and found.optimal))


def optimum_by_level(
    neighbours: NeighboursLike,
    consumer: ConsumerLike,
    interval: IntervalLike | None = None,
    *,
    name: str = "a",
    progress: Listener | None = None,
) -> Verdict[OptimumByLevel]:
    """What is the least loss of an α-private mechanism, as a function of α?

    Parameters
    ----------
    neighbours : Graph, Metric or text
        On the consumer's inputs; distances must be integers.
    consumer : MinimaxConsumer or BayesianConsumer
        With rational losses and prior.
    interval : Interval or pair, optional
        Of levels, inside (0, 1), which it is unless given; open or closed.
    name : str
        The letter for the level.
    progress : callable, optional
        Called with events of the search.

    Returns
    -------
    Verdict[OptimumByLevel]
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
    asked = Arguments(neighbours=neighbours, consumer=consumer)
    neighbours, consumer = asked.neighbours, asked.consumer
    whole = levels_asked(interval)
    if not isinstance(name, str) or not name.isidentifier():
        raise wrong_kind("name of the level", name, "a letter such as 'a'")
    program = mechanism_program(Problem(neighbours, PrivacyLevel.symbolic(whole, name), consumer))

    def multipliers(answer: Optimal) -> Iterator[Any]:
        """Whose signs may not change inside a piece: they say which of two constraints the dual uses."""
        return (u for row in program.dual(answer.y).edges or () for u in row)

    answers = optimal_pieces(program.lp, whole, functions=multipliers, progress=progress)
    checked = counted_off(answers, progress, "checking the answer", "pieces")
    found = Piecewise((part, None if answer is None else _optimum_on(part, program, answer)) for part, answer in checked)
    evidence = OptimumByLevel(neighbours=neighbours, consumer=consumer, letter=name, pieces=found)
    claim = f"The {consumer.measure.best} of an (α = {name})-private mechanism on {neighbours} {whose(consumer)} is"
    claim = f"{claim} {_values_text(evidence)}"
    lost = [str(part) for part, answer in found if answer is None]
    return _answer(f"{claim}; nothing was decided on {', '.join(lost)}" if lost else claim, evidence)


def levels_asked(interval: IntervalLike | None) -> Interval:
    """The interval of levels that is meant: (0, 1) unless one is given.

    * raises ParameterRangeError: it has numbers outside (0, 1).
    * raises InputError: it is a single level.
    """
    whole = as_interval(interval) or Interval(0, 1)
    PrivacyLevel.symbolic(whole)
    if whole.is_point:
        message = f"{whole} is a single level; ask about it without an interval (optimum, is_optimal, best_remap)"
        raise InputError(message, interval=whole)
    return whole


def _answer(claim: str, evidence: B) -> Verdict[B]:
    """Proved on all of the interval, unless nothing was decided on some piece."""
    if None in evidence.pieces.values:
        return Verdict(Decision.UNDECIDED, claim, evidence, Scope("part of the levels"))
    return Verdict(Decision.PROVED, claim, evidence, _scope(evidence))


def _scope(evidence: ByLevel) -> Scope:
    return Scope("all levels", letter=evidence.letter, interval=evidence.interval)


def _values_text(evidence: ByLevel) -> str:
    return "; ".join(f"{value} on {part}" for part, value in evidence.values if value is not None)


def _optimum_on(part: Interval, program: MechanismProgram, answer: Optimal) -> OptimumEvidence:
    """The evidence on one piece, checked from the definitions."""
    field = RationalFunctionField(part, _letter(program.lp.field))
    problem = program.problem._replace(level=PrivacyLevel(field.gen))
    consumer, (n, k) = problem.consumer, problem.consumer.loss.matrix.shape
    x = [field(v) for v in answer.x[: n * k]]
    found = Mechanism(ExactMatrix([x[i * k : (i + 1) * k] for i in range(n)], field), consumer.inputs, consumer.loss.guesses)
    dual, value = _dual_over(field, program.dual(answer.y)), field(answer.value)
    losses = consumer_losses(consumer, found)
    _check(
        "optimum",
        lambda: dual_bound(*problem, dual).value == value and keeps_constraints(problem, found) and all(loss <= value for loss in losses),
    )
    return OptimumEvidence(**problem._asdict(), least_loss=value, found=found, dual=dual)


def _check(what: str, holds: Callable[[], bool]) -> None:
    """Every condition at all levels of a piece; DefectiveAnswerError if one fails."""
    try:
        if holds():
            return
        why = "a condition does not hold"
    except UndecidedSignError as error:
        why = error.message
    raise DefectiveAnswerError(f"a piece of the {what} fails its check ({why}); please report this")


def _over(field: RationalFunctionField, mechanism: Mechanism) -> Mechanism:
    """The same mechanism on another interval."""
    return Mechanism(mechanism.matrix.map(field), mechanism.inputs, mechanism.outputs)


def _dual_over(field: RationalFunctionField, dual: Dual) -> Dual:
    """The same dual on another interval."""
    edges = tuple(tuple(map(field, row)) for row in dual.edges or ())
    return Dual(tuple(map(field, dual.weights)), tuple(map(field, dual.potentials or ())), edges)


def consumer_losses(consumer: Consumer, mechanism: Mechanism) -> list[Any]:
    """The losses whose largest counts: of the inputs in S, or the expected one alone."""
    if isinstance(consumer, BayesianConsumer):
        return [consumer.loss_of(mechanism)]
    losses = consumer.row_losses(mechanism)
    return [losses[i] for i in consumer.side_information.indices]


def is_optimal_by_level(
    mechanism: MechanismLike,
    neighbours: NeighboursLike,
    consumer: ConsumerLike,
    interval: IntervalLike | None = None,
    *,
    after_remap: bool = False,
    progress: Listener | None = None,
) -> Verdict[OptimalityByLevel]:
    """For which levels is this mechanism, a matrix of rational functions of the level, optimal?

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
    Verdict[OptimalityByLevel]
        Proved if it is private and optimal at every level; refuted otherwise, with loss and gap on each
        piece, or the constraint that it breaks there (``violated``; the gap may then be negative).

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
    >>> [is_optimal_by_level(G, path, consumer, after_remap=after).proved for after in (True, False)]
    [True, False]
    """
    asked = Arguments(mechanism=mechanism, neighbours=neighbours, consumer=consumer)
    mechanism, neighbours, consumer = asked.mechanism, asked.neighbours, asked.consumer
    mechanism = mechanism.aligned(consumer.inputs) if as_flag(after_remap, "flag after_remap") else as_deployed(mechanism, consumer)
    name = _letter(mechanism.matrix.field)
    best = optimum_by_level(neighbours, consumer, interval, name=name, progress=progress).evidence
    whole = RationalFunctionField(best.interval, name)
    given = _over(whole, mechanism)
    own = (
        _best_remaps(given, consumer, progress=part_of(progress, "best remap"))
        if after_remap
        else _largest(consumer_losses(consumer, given), whole)
    )
    private = private_levels(given.as_table(), neighbours, PrivacyLevel(whole.gen), progress=part_of(progress, "privacy")).evidence.pieces
    parts = counted_off(common_parts(best.pieces, own, private), progress, "comparing the losses", "pieces")
    pieces = Piecewise(piece for part, (optimum, loss, fault) in parts for piece in _judged(part, optimum, given, loss, fault, name))
    evidence = OptimalityByLevel(neighbours=neighbours, consumer=consumer, letter=name, pieces=pieces)
    after = " after the best remap" if after_remap else ""
    who = f"on {neighbours} {whose(consumer)}"
    every = f"at every level{among(best.interval)}"
    worse = [(part, found) for part, found in pieces if found is not None and not found.optimal]
    if None in pieces.values:
        return Verdict(Decision.UNDECIDED, f"Whether the mechanism{after} is optimal {who} was not decided {every}", evidence)
    if not worse:
        return _answer(f"The mechanism{after} is optimal {who} {every}", evidence)
    texts = []
    if broken := pieces.where(lambda found: found is not None and bool(found.violated)):
        texts.append(f"it is not private at level α = {name} on {union_text(broken)}")
    if gaps := [(part, found.gap) for part, found in worse if not found.violated]:
        texts.append(f"the gap is {values_text(gaps, name)}")
    claim = f"The mechanism{after} is not optimal {who} {every}: {'; '.join(texts)}"
    return Verdict(Decision.REFUTED, claim, evidence, _scope(evidence))


def best_remap_by_level(
    mechanism: MechanismLike, consumer: ConsumerLike, interval: IntervalLike | None = None, *, progress: Listener | None = None
) -> Verdict[RemapByLevel]:
    """What is the least loss of a remap of this mechanism over ℚ(α), as a function of the level?

    Parameters
    ----------
    mechanism : Mechanism
        A matrix of rational functions of the level.
    consumer, interval, progress
        As in :func:`optimum_by_level`.

    Returns
    -------
    Verdict[RemapByLevel]
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
    asked = Arguments(mechanism=mechanism, consumer=consumer)
    mechanism, consumer = asked.mechanism, asked.consumer
    name = _letter(mechanism.matrix.field)
    given = _over(RationalFunctionField(levels_asked(interval), name), mechanism)
    found = _best_remaps(given, consumer, checked=True, progress=progress)
    evidence = RemapByLevel(consumer=consumer, letter=name, pieces=found)
    claim = f"The {consumer.measure.best} of a remap of the mechanism {whose(consumer)} is {_values_text(evidence)}"
    return _answer(claim, evidence)


def _letter(field: OrderedField) -> str:
    return field.name_of_level if isinstance(field, RationalFunctionField) else "a"


def _best_remaps(
    given: Mechanism, consumer: Consumer, *, checked: bool = False, progress: Listener | None = None
) -> Piecewise[RemapEvidence | None]:
    """The best remap on each piece of the interval of the mechanism's field.

    With ``checked`` it is checked from the definitions, and no entry of the mechanism changes its sign inside
    a piece, so that a certificate can show on each that it is a mechanism.
    """
    whole: RationalFunctionField = given.matrix.field  # type: ignore[assignment]
    lp, known = remap_program(given, consumer)
    entries = [x for row in given.matrix.rows() for x in row] if checked else []
    answers = optimal_pieces(lp, whole.interval, functions=lambda answer: entries, progress=progress)
    found = Piecewise((part, None if answer is None else _remap_on(part, given, consumer, answer, known)) for part, answer in answers)
    for e in counted_off(found.values, progress, "checking the answer", "pieces") if checked else ():
        if e is not None:
            _check_remap(e)
    return found


def _remap_on(part: Interval, given: Mechanism, consumer: Consumer, answer: Optimal, known: Sequence[int]) -> RemapEvidence:
    """The evidence on one piece from the linear program's answer; ``known`` are the inputs with weights."""
    field, m, k = RationalFunctionField(part, _letter(given.matrix.field)), given.n_outputs, consumer.loss.matrix.shape[1]
    table = ExactMatrix([[field(t) for t in answer.x[y * k : (y + 1) * k]] for y in range(m)], field)
    weights = list(consumer.prior.weights) if isinstance(consumer, BayesianConsumer) else [field.zero] * given.n_inputs
    for i, w in zip(known, answer.y[m:], strict=False):
        weights[i] = field(w)
    remap = Remap(table, given.outputs, consumer.loss.guesses)
    return RemapEvidence(
        mechanism=_over(field, given), consumer=consumer, least_loss=field(answer.value), remap=remap, weights=tuple(weights)
    )


def _check_remap(e: RemapEvidence) -> None:
    losses = consumer_losses(e.consumer, e.mechanism.post_process(e.remap))
    _check(
        "best remap",
        lambda: (
            all(loss <= e.least_loss for loss in losses)
            and remap_bound(e.mechanism, e.consumer, e.weights) == e.least_loss
            and same_formula(sum(e.weights, e.mechanism.matrix.field.zero), 1)
            and all(w >= 0 for w in e.weights)
        ),
    )


def _largest(functions: Sequence[Any], field: RationalFunctionField) -> Piecewise[Any]:
    """Pieces of the field's interval on which one of the functions is the largest, with that function."""
    differences = [f - g for k, f in enumerate(functions) for g in functions[:k] if not same_formula(f, g)]

    def largest(part: Interval) -> Any:
        x, here = part.sample(), RationalFunctionField(part, field.name_of_level)
        return max((here(f) for f in functions), key=lambda f: f.evaluate(x))

    points = (point for f in differences for point in f.sign_on_interval().points)
    return Piecewise.cut(field.interval, points, largest, shared=True)


def _judged(
    part: Interval, optimum: OptimumEvidence | None, given: Mechanism, own: Any, fault: LevelFault | None, name: str
) -> Iterator[tuple[Interval, OptimalityOnPiece | None]]:
    """The mechanism beside the optimum, on a part where each has one formula.

    Where the mechanism is private the gap is zero on all of the part, or positive but for points, which are
    pieces of their own. ``own`` is the mechanism's loss, or its best remap.
    """
    if optimum is None or own is None:
        yield part, None
        return
    best_known = own if isinstance(own, RemapEvidence) else None
    loss = own if best_known is None else best_known.least_loss
    whole = RationalFunctionField(part, name)
    gap = whole(loss) - whole(optimum.least_loss)
    zeros = [point for point, _ in gap.sign_on_interval().zeros] if is_nonzero(gap) and fault is None else []
    for interval in part.split(zeros):
        field = RationalFunctionField(interval, name)
        here = _over(field, given)
        assert isinstance(optimum.found, Mechanism)
        beside = {
            "neighbours": optimum.neighbours,
            "level": PrivacyLevel(field.gen),
            "consumer": optimum.consumer,
            "least_loss": field(optimum.least_loss),
            "found": _over(field, optimum.found),
            "dual": _dual_over(field, optimum.dual),
            "mechanism": here,
            "loss": field(loss),
            "gap": field.zero if interval.is_point and zeros else field(loss) - field(optimum.least_loss),
        }
        if best_known is None:
            optimality = OptimalityEvidence(**beside)
        else:
            table = Remap(best_known.remap.matrix.map(field), best_known.remap.outputs, best_known.remap.guesses)
            weights = tuple(map(field, best_known.weights))
            remap = RemapEvidence(mechanism=here, consumer=optimum.consumer, least_loss=field(loss), remap=table, weights=weights)
            optimality = OptimalityAfterRemapEvidence(**beside, remap=remap)
        violated = None if fault is None else _broken(here, optimum.neighbours, fault)
        yield interval, OptimalityOnPiece(optimality=optimality, violated=violated)


def _broken(here: Mechanism, neighbours: Neighbours, fault: LevelFault) -> Cell:
    """The constraint that a piece without privacy breaks."""
    i, j, r = fault.row, fault.beside, fault.column
    assert j is not None
    assert r is not None
    distance = next(d for s, t, d in neighbours.pairs() if {s, t} == {i, j})
    return Cell(i, j, r, here.matrix[i, r] / here.matrix[j, r], distance)
