# SPDX-License-Identifier: MIT
"""Values of formulas in letters: the tightest level of a mechanism, and its loss to a consumer.

Both can be the least or the largest of several formulas: which of them it is, and where (:class:`Piece`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import lcm
from typing import Any

from exactdp.analysis.arguments import Arguments, ConsumerLike, MechanismLike, recorded
from exactdp.analysis.letters.conditions import Condition, Conditions, reduced
from exactdp.analysis.letters.requirements import Fault, Requirement, as_fraction, sampled, small_points
from exactdp.analysis.letters.statement import letters_in, region_field
from exactdp.analysis.letters.tables import moved
from exactdp.analysis.verdict import Decision, Verdict, scope_of
from exactdp.errors import InputError, UndecidedSignError
from exactdp.exact import Rational, Region, RegionField, generic_quotient, is_nonzero, is_zero, same_formula
from exactdp.exact.essential import essential
from exactdp.model import BayesianConsumer, Consumer, Mechanism, MinimaxConsumer, Neighbours, TightestLevel
from exactdp.model.metric import ONE, Distance
from exactdp.model.printed import PrintedTable

SAMPLES = 60
"""Points at which the extreme formula is looked up before anything is proved."""


@dataclass(frozen=True)
class Candidate:
    """The formula (above/below)^power, which counts where below > 0, and where it comes from."""

    above: Any
    below: Any
    power: int
    places: tuple[Any, ...]

    def value(self, point: Mapping[str, Rational]) -> Rational | None:
        """The number at a point; None where it does not count."""
        below = self.below.value(point)
        return (self.above.value(point) / below) ** self.power if below > 0 else None


@dataclass(frozen=True)
class Piece:
    """A formula, where in the region it is the extreme one, and where it comes from.

    Attributes
    ----------
    value : scalar
        The formula.
    places : tuple
        What has this value.
    where : Conditions
        The part of the region.
    """

    value: Any
    places: tuple[Any, ...]
    where: Conditions


def pieces_in_sympy(pieces: Sequence[Piece], region: Region) -> Any:
    """The formulas as a ``Piecewise`` of sympy, each where it holds in the region; not defined outside."""
    from sympy import And, Piecewise

    assumed = region.to_sympy()
    whole = [piece for piece in pieces if piece.where.always][:1]
    if whole:  # one formula, where no condition is added
        return Piecewise((whole[0].value.to_sympy(), assumed))
    return Piecewise(*((piece.value.to_sympy(), And(assumed, piece.where.as_sympy())) for piece in pieces))


def extremes(field: RegionField, candidates: Sequence[Candidate], side: int, claim: str) -> tuple[tuple[Candidate, Conditions], ...]:
    """Which candidates can be the least (side −1) or the largest (side 1), each with the exact conditions.

    A candidate is left out only if another one is proved to be at least as extreme at every point, and to
    count there. Together the parts are the whole region: at each point some candidate is the extreme one.

    * ``field``: of the formulas.
    * ``candidates``: at every point of the region at least one counts.
    * ``side``: −1 or 1.
    * ``claim``: what is said where a candidate is extreme.

    >>> field = RegionField(Region({"p": "(0, 1)"}))
    >>> one, p = field.one, field.gen
    >>> given = [Candidate(x, one, 1, ()) for x in (p, 1 - p, p / 2)]
    >>> [f"{c.above} {where.words()}" for c, where in extremes(field, given, 1, "")]
    ['p exactly where 2*p >= 1', '-p + 1 exactly where 2*p <= 1']
    """
    best = _best_at_samples(field.region, candidates, side)
    kept = [c for k, c in enumerate(candidates) if k in best]
    for k, candidate in enumerate(candidates):
        if k not in best and not any(_dominates(field, c, candidate, side) for c in kept):
            kept.append(candidate)
    kept = [c for c in candidates if any(c is x for x in kept)]
    while True:
        found = [(candidate, _where(field, candidate, kept, side, claim)) for candidate in kept]
        possible = [(candidate, where) for candidate, where in found if where.never is None and not where.empty]
        if len(possible) == len(kept):
            return tuple(found)
        kept = [candidate for candidate, _ in possible]  # the others are the extreme one nowhere, so need not be compared


def _where(field: RegionField, candidate: Candidate, others: Sequence[Candidate], side: int, claim: str) -> Conditions:
    """Where a candidate counts and is at least as extreme as all others."""
    counts = Requirement(candidate.below, False, Fault("below", 0), strict=True)
    beside = [c for c in others if c is not candidate]
    ahead = [Requirement(_ahead(candidate, c, side), False, Fault("beside", k)) for k, c in enumerate(beside)]
    return reduced(field, [counts, *ahead], claim)


def _ahead(first: Candidate, second: Candidate, side: int) -> Any:
    """At least 0 where the first candidate is at least as extreme as the second, both of which count."""
    left = first.above**first.power * second.below**second.power
    right = second.above**second.power * first.below**first.power
    return left - right if side > 0 else right - left


def _best_at_samples(region: Region, candidates: Sequence[Candidate], side: int) -> set[int]:
    best = set[int]()
    points = [point for point, _ in zip(small_points(region), range(SAMPLES), strict=False)]
    for point in [*points, *region.points(SAMPLES)]:
        values = [(k, x) for k, c in enumerate(candidates) if (x := c.value(point)) is not None]
        extreme = max(x * side for _, x in values)
        best |= {k for k, x in values if x * side == extreme}
    return best


def _dominates(field: RegionField, first: Candidate, second: Candidate, side: int) -> bool:
    """Whether it is proved that the first counts everywhere and is at least as extreme as the second."""
    below = field(first.below).sign_on_region()
    if below.sign != 1 or not below.strict:
        return False
    difference = field(_ahead(first, second, side))
    return is_zero(difference) or (-1 not in sampled(difference) and difference.sign_on_region().sign == 1)


FEW = 3
"""Up to so many formulas are listed in a claim."""


@dataclass(frozen=True, slots=True)
class Tight:
    """A privacy constraint, x_low,r against x_high,r (indices), and the ratio of the two."""

    low: int
    high: int
    output: int
    ratio: Any
    distance: Distance


@dataclass(frozen=True, slots=True)
class LevelFormula:
    """The level ratio^(1/distance), where that is the tightest one."""

    ratio: Any
    distance: Distance

    def to_sympy(self) -> Any:
        """The formula in sympy."""
        from sympy import Integer

        return self.ratio.to_sympy() ** (Integer(1) / self.distance.to_sympy())

    def at(self, point: Mapping[str, object]) -> TightestLevel:
        """The level at a point."""
        return TightestLevel(self.ratio.value(point), self.distance)

    def __str__(self) -> str:
        if self.distance.rational == 1:
            return str(self.ratio)
        d = self.distance.rational
        return f"({self.ratio})^({1 / d if d is not None else f'1/{self.distance}'})"


@dataclass(frozen=True, kw_only=True)
class LevelOnRegion:
    """The tightest level of a mechanism with letters.

    Attributes
    ----------
    mechanism, neighbours
        What was asked about.
    pieces : tuple of Piece
        A :class:`LevelFormula` each, with the constraints that are tight (``places``) and where (``where``);
        together they cover the region. There are none if no two constrained rows differ.
    """

    mechanism: Mechanism
    neighbours: Neighbours
    region: Region
    pieces: tuple[Piece, ...]
    level = None
    violated = ()

    @property
    def tightest(self) -> TightestLevel:
        """The level as one formula.

        Raises
        ------
        UndecidedSignError
            It is different formulas on different parts of the region.
        """
        if not self.pieces:
            return TightestLevel(1)
        whole = next((piece for piece in self.pieces if piece.where.always), None)
        if whole is None:
            parts = "; ".join(f"{piece.value} {piece.where.words()}" for piece in self.pieces)
            message = f"the tightest level is no single formula on {self.region}: {parts}; ask on one of the parts"
            raise UndecidedSignError(message)
        return TightestLevel(whole.value.ratio, whole.value.distance)

    @property
    def attained(self) -> Tight | None:
        """A constraint that is tight at every point, if one is known."""
        cell: Tight | None = next((piece.places[0] for piece in self.pieces if piece.where.always), None)
        return cell

    def in_sympy(self) -> Any:
        """The level as a function of the letters; 1 if no two constrained rows differ."""
        return pieces_in_sympy(self.pieces, self.region) if self.pieces else TightestLevel(1).to_sympy()

    def verdicts(self) -> tuple[Verdict[LevelOnRegion], ...]:
        """The answer on each part that has an open set of points, for a certificate of each.

        A certificate states a level that is 0 at every point or at none, and likewise 1: of a part on which
        it may vanish or be 1 somewhere, these points are left out.
        """
        found = []
        for piece in self.pieces:
            part = _between(piece.where, piece.value.ratio)
            if part is not None:
                field = RegionField(part)
                there = moved(self.mechanism.as_table(), field).as_mechanism()
                value = LevelFormula(field(piece.value.ratio), piece.value.distance)
                whole = (Piece(value, piece.places, Conditions(part, (), piece.where.claim)),)
                found.append(_level_verdict(LevelOnRegion(mechanism=there, neighbours=self.neighbours, region=part, pieces=whole)))
        return tuple(found)


@dataclass(frozen=True, kw_only=True)
class LossEvidence:
    """What a mechanism costs a consumer.

    Attributes
    ----------
    mechanism, consumer
        What was asked about.
    value : scalar or None
        The loss, or the utility for a gain; None if it is different formulas on parts of the region.
    row_losses : tuple
        What it is at every input.
    pieces : tuple of Piece
        With letters: a formula each, with the inputs that have it (``places``) and where (``where``).
    region : Region or None
        Of the letters.
    """

    mechanism: Mechanism
    consumer: Consumer
    value: Any
    row_losses: tuple[Any, ...]
    pieces: tuple[Piece, ...] = ()
    region: Region | None = None

    def in_sympy(self) -> Any:
        """The loss or the utility, with letters as a function of them."""
        if self.region is None:
            return self.value.to_sympy()
        if self.pieces:
            return pieces_in_sympy(self.pieces, self.region)
        from sympy import Piecewise

        return Piecewise((self.value.to_sympy(), self.region.to_sympy()))


def _distance_of(c: Candidate) -> Distance:
    """The distance of the pairs with the ratio; of the constants 0 and 1 it does not matter."""
    constant = is_zero(c.above) or same_formula(c.above, c.below)
    return ONE if constant else c.places[0].distance


def level_on_region(mechanism: Mechanism, near: Neighbours) -> Verdict[LevelOnRegion]:
    """What is the largest level at which a mechanism with letters is private: formulas, and where each holds?

    * raises DomainError: a distance is irrational.
    """
    mechanism = mechanism.aligned(near.vertices)
    field = region_field(mechanism)
    found = dict[tuple[Any, Distance], list[Tight]]()
    x = mechanism.matrix
    exponents = lcm(1, *(as_fraction(d)[0] for _, _, d in near.pairs()))
    for i, j, distance in near.pairs():
        for r in range(x.shape[1]):
            for low, high in ((i, j), (j, i)):
                if is_nonzero(x[high, r]) and not same_formula(x[low, r], x[high, r]):
                    ratio = generic_quotient(field(x[low, r]), field(x[high, r]))
                    found.setdefault((ratio, distance), []).append(Tight(low, high, r, ratio, distance))
    if not found:
        return _level_verdict(LevelOnRegion(mechanism=mechanism, neighbours=near, region=field.region, pieces=()))
    candidates = []
    for (_, distance), cells in found.items():
        p, q = as_fraction(distance)
        one = next((c for c in cells if positive_everywhere(field(x[c.high, c.output]))), None)
        counted = cells if one is None else [one]  # entries are ≥ 0, so a sum is > 0 where one of them is
        above = sum((field(x[c.low, c.output]) for c in counted), field.zero)
        below = sum((field(x[c.high, c.output]) for c in counted), field.zero)
        candidates.append(Candidate(above, below, q * exponents // p, tuple(cells)))
    if not positive_everywhere(sum((c.below for c in candidates), field.zero)):
        candidates.append(Candidate(field.one, field.one, exponents, ()))  # where all rows are equal; no level is larger
    name = f"the tightest level on {near}"
    pieces = tuple(
        Piece(LevelFormula(generic_quotient(c.above, c.below), _distance_of(c)), c.places, where)
        for c, where in extremes(field, candidates, -1, name)
    )
    return _level_verdict(LevelOnRegion(mechanism=mechanism, neighbours=near, region=field.region, pieces=pieces))


def _level_verdict(e: LevelOnRegion) -> Verdict[LevelOnRegion]:
    scope = scope_of(RegionField(e.region))
    if not e.pieces:
        claim = f"No two constrained rows differ on {e.neighbours}, for {e.region}: the mechanism is private at every level"
        return Verdict(Decision.PROVED, claim, e, scope)
    return Verdict(
        Decision.PROVED, f"The tightest level of the mechanism on {e.neighbours} is {_parts(e.pieces)}, for {e.region}", e, scope
    )


def _between(where: Conditions, ratio: Any) -> Region | None:
    """The part where conditions hold and a ratio is 0, or 1, at every point or at none; None if not found."""
    part = where.part
    conditions = {c.polynomial: c for c in where.conditions}
    for one in (ratio, 1 - ratio):
        if part is None or is_zero(one):
            continue
        if not positive_everywhere(RegionField(part)(one)):
            strict = Condition(essential(RegionField(where.asked)(one)), ">")
            conditions[strict.polynomial] = strict  # in place of the same one with >=
            try:
                part = where.asked.with_conditions(map(str, conditions.values()))
            except InputError:
                part = None
    return part


def positive_everywhere(x: Any) -> bool:
    """Whether a function of letters is known to be > 0 at every point."""
    sign = x.sign_on_region()
    return bool(sign.sign == 1 and sign.strict)


def _parts(pieces: tuple[Piece, ...]) -> str:
    """What a value is, and where."""
    if len(pieces) == 1 or any(piece.where.always for piece in pieces):
        return str(next((piece for piece in pieces if piece.where.always), pieces[0]).value)
    if len(pieces) > FEW:
        return f"one of {len(pieces)} formulas, depending on the letters: evidence.pieces says where each is"
    return ", or ".join(f"{piece.value} where {' and '.join(map(str, piece.where.conditions))}" for piece in pieces)


def mechanism_loss(mechanism: MechanismLike | PrintedTable, consumer: ConsumerLike) -> Verdict[LossEvidence | Any]:
    """What does a mechanism, as it is, cost a consumer?

    Parameters
    ----------
    mechanism : Mechanism, Table, PrintedTable, text or rows
        Row-stochastic, exact; its outputs are the guesses.
    consumer : MinimaxConsumer or BayesianConsumer
        Who uses the output.

    Returns
    -------
    Verdict[LossEvidence]
        Proved: the expected loss, for a minimax consumer the largest over the side information. With letters
        a formula, or several with the conditions under which each is the largest. Of a printed table the two
        ends (:class:`~exactdp.analysis.printed.loss_ends.PrintedLossEvidence`), undecided if they differ.

    Raises
    ------
    LabelError
        The mechanism's inputs or outputs are not those of the loss.

    Examples
    --------
    >>> from exactdp import geometric
    >>> print(mechanism_loss(geometric(2, "1/2"), MinimaxConsumer("abs")))
    PROVED  loss 2/3 ≈ 0.666667
    for     minimax consumer with loss abs and side information {0..2}
    """
    if isinstance(mechanism, PrintedTable):
        from exactdp.analysis.printed.loss_ends import loss_as_printed  # loaded for printed tables only

        return loss_as_printed(recorded(mechanism), consumer)
    asked = Arguments(mechanism=mechanism, consumer=consumer)
    found, who = asked.mechanism, asked.consumer
    prior = who.prior.weights if isinstance(who, BayesianConsumer) else ()
    measure, rows = who.measure, who.row_losses(found)
    facts: dict[str, Any] = {"mechanism": found, "consumer": who, "row_losses": tuple(map(measure.of, rows))}
    start = f"The mechanism {'costs' if measure.word == 'loss' else 'gives'} {who.describe()}"
    if not letters_in(found, who, *prior):
        value = measure.of(who.loss_of(found))
        return Verdict(Decision.PROVED, f"{start}: {value}", LossEvidence(value=value, **facts), scope_of(found, who))
    field = region_field(found, who, *prior)
    if isinstance(who, BayesianConsumer):
        value = measure.of(field(who.loss_of(found)))
        evidence = LossEvidence(value=value, region=field.region, **facts)
        return Verdict(Decision.PROVED, f"{start}: {value}, for {field.region}", evidence, scope_of(field))
    assert isinstance(who, MinimaxConsumer)
    groups = dict[Any, list[int]]()
    for i in who.side_information.indices:
        groups.setdefault(field(rows[i]), []).append(i)
    candidates = [Candidate(value, field.one, 1, tuple(places)) for value, places in groups.items()]
    pieces = tuple(Piece(measure.of(c.above), c.places, where) for c, where in extremes(field, candidates, 1, f"the {measure.word}"))
    whole = next((piece for piece in pieces if piece.where.always), None)
    evidence = LossEvidence(value=None if whole is None else whole.value, pieces=pieces, region=field.region, **facts)
    return Verdict(Decision.PROVED, f"{start}: {_parts(pieces)}, for {field.region}", evidence, scope_of(field))
