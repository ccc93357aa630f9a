# SPDX-License-Identifier: MIT
"""Tables with letters: stochastic, private, derivable, at every point of a region?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from exactdp.analysis.letters.requirements import Fault, Place, Requirement, private, stochastic
from exactdp.analysis.letters.statement import (
    OnRegion,
    answered,
    at_point,
    determined,
    level_at,
    level_over,
    open_text,
    refused,
    region_field,
)
from exactdp.analysis.verdict import Decision, Verdict
from exactdp.analysis.wording import begun, private_on
from exactdp.errors import DefectiveAnswerError, DomainError, ExactDPError
from exactdp.exact import ExactMatrix, ExponentialNumber, Region, RegionField
from exactdp.exact.number_field import NumberFieldElement
from exactdp.model import Graph, Mechanism, Metric, Neighbours, PrivacyLevel, Remap, Table
from exactdp.model.epsilon import power_text
from exactdp.model.metric import ONE, Distance
from exactdp.model.tightest_level import is_radical

Ask = Callable[..., Verdict[Any]]
"""The same question about numbers."""


@dataclass(frozen=True, kw_only=True)
class StochasticOnRegion(OnRegion):
    """Whether a table is row-stochastic at every point."""

    table: Table

    @property
    def words(self) -> str:
        """The statement."""
        return "The table is row-stochastic"

    def over(self, region: Region) -> StochasticOnRegion:
        """On a part of the region."""
        return stochastic_statement(moved(self.table, RegionField(region)))

    def says(self, fault: Fault) -> str:
        """The requirement with this fault."""
        return entry_text(self.table, fault)


@dataclass(frozen=True, kw_only=True)
class PrivateOnRegion(OnRegion):
    """Whether a table is a private mechanism at every point.

    ``shown_at`` are the neighbours and the level at which it was decided, where α itself is no number beside
    letters: a rational α that implies the answer, or with ε = ln(3)/2 the level 1/3 at half the distances.
    """

    table: Table
    neighbours: Neighbours
    level: PrivacyLevel
    shown_at: tuple[Neighbours, PrivacyLevel] | None = None

    @property
    def asked_at(self) -> tuple[Neighbours, PrivacyLevel]:
        """The neighbours and the level that the requirements are about."""
        return (self.neighbours, self.level) if self.shown_at is None else self.shown_at

    @property
    def shown_text(self) -> str:
        """The level at which the answer was shown, and why that is enough; empty if it is the one asked."""
        if self.shown_at is None:
            return ""
        shown = self.shown_at[1]
        if not is_transcendental(self.level):
            return f"α = {shown} with all distances divided by {self.level.epsilon.distance}, which is the same"
        return f"α = {shown}, which is {'above' if shown > self.level else 'below'} {self.level}"

    @property
    def without_conditions(self) -> str:
        """At another level than the one that was asked about the conditions are other ones."""
        if not is_transcendental(self.level) or self.everywhere:
            return super().without_conditions
        low, high = (str(one) for one in next(rationals_beside(self.level)))
        return (
            f"{self.level.said} is α = {self.level}, and conditions on the letters have rational numbers; the conditions for α = {high} "
            f"are enough for it, those for α = {low} are needed"
        )

    @property
    def words(self) -> str:
        """The statement."""
        return f"The mechanism is {private_on(self.level, self.neighbours)}"

    @property
    def mechanism(self) -> Mechanism | None:
        """The table as a mechanism; None if it is not shown to be one at every point."""
        try:
            return self.table.as_mechanism()
        except ExactDPError:
            return None

    @property
    def violated(self) -> tuple[Fault, ...]:
        """The requirements that fail at the point that refutes the statement."""
        point = self.point
        return () if point is None else tuple(one.fault for one in self.requirements if one.fails(point))

    def over(self, region: Region) -> PrivateOnRegion:
        """On a part of the region."""
        field = RegionField(region)
        near, level = self.asked_at
        part = private_statement(moved(self.table, field), near, level_over(level, field))
        return part if self.shown_at is None else replace(part, neighbours=self.neighbours, level=self.level, shown_at=self.shown_at)

    def says(self, fault: Fault) -> str:
        """The requirement with this fault."""
        if fault.beside is None:
            return entry_text(self.table, fault)
        low, high, out = self.table.inputs[fault.row], self.table.inputs[fault.beside], self.table.outputs[fault.column or 0]
        distance = next(d for i, j, d in self.asked_at[0].pairs() if {i, j} == {fault.row, fault.beside})
        if self.shown_at is not None and is_radical(self.level.alpha):  # of the level itself
            distance = Distance(distance.square * self.level.epsilon.distance.square)
        power = "α" if distance.rational == 1 else f"α^({distance})"
        return f"x[{low}][{out}] ≥ {power}·x[{high}][{out}]"


@dataclass(frozen=True, kw_only=True)
class DerivableOnRegion(OnRegion):
    """Whether target = source·R, R row-stochastic, at every point; ``remap_matrix`` is R, if it is known.

    ``names`` are what sentences call source and target.
    """

    source: Table
    target: Table
    remap_matrix: ExactMatrix | None = None
    names: tuple[str, str] = ("the source", "the mechanism")
    separator = consumer = None
    triples = ()

    @property
    def remap(self) -> Remap | None:
        """R, if it was shown to be row-stochastic at every point."""
        if not self.everywhere or self.remap_matrix is None:
            return None
        return Remap(self.remap_matrix, self.source.outputs, self.target.outputs)

    @property
    def words(self) -> str:
        """The statement."""
        source, target = self.names
        return f"{begun(target)} is derivable from {source}"

    def over(self, region: Region) -> DerivableOnRegion:
        """On a part of the region."""
        field = RegionField(region)
        return derivable_statement(moved(self.target, field), moved(self.source, field), self.names)

    def says(self, fault: Fault) -> str:
        """The requirement with this fault."""
        if fault.what == "remap":
            row = self.source.outputs[fault.row]
            return f"row {row} of R sums to 1" if fault.column is None else f"R[{row}][{self.target.outputs[fault.column]}] ≥ 0"
        return entry_text(self.source if fault.what == "source" else self.target, fault)


def entry_text(table: Table, fault: Fault) -> str:
    """The requirement on an entry or a row of a table."""
    row = table.inputs[fault.row]
    return f"the sum of row {row} = 1" if fault.column is None else f"x[{row}][{table.outputs[fault.column]}] ≥ 0"


def moved(table: Table, field: RegionField) -> Table:
    """A table with its entries in another field."""
    return Table(ExactMatrix([[field(x) for x in row] for row in table.matrix.rows()], field), table.inputs, table.outputs)


def table_at(table: Table, point: Place) -> Table:
    """The table of numbers at a point."""
    return Table(at_point(table.matrix, point), table.inputs, table.outputs)


# ── Stochastic ──
def stochastic_statement(table: Table) -> StochasticOnRegion:
    """That a table with letters is row-stochastic."""
    field = region_field(table)
    return StochasticOnRegion(region=field.region, table=table, requirements=tuple(stochastic("table", table.matrix)))


def stochastic_on_region(table: Table, ask: Ask) -> Verdict[StochasticOnRegion]:
    """Is a table with letters row-stochastic at every point of its region?"""
    return answered(stochastic_statement(table), lambda point: ask(table_at(table, point)))


# ── Private ──
def private_statement(table: Table, near: Neighbours, level: PrivacyLevel) -> PrivateOnRegion:
    """That a table, with its inputs as the neighbours have them, is a private mechanism."""
    field = region_field(table, level.alpha)
    table, level = moved(table, field), level_over(level, field)
    requirements = (*stochastic("table", table.matrix), *private(table.matrix, near, PrivacyLevel(field(level.alpha))))
    return PrivateOnRegion(region=field.region, table=table, neighbours=near, level=level, requirements=requirements)


def private_on_region(table: Table, near: Neighbours, level: PrivacyLevel, ask: Ask, stochastic: Ask) -> Verdict[PrivateOnRegion]:
    """Is a table with letters a private mechanism at every point of its region?

    * ``table``, ``near``, ``level``: not of different inputs.
    * ``ask``, ``stochastic``: is a mechanism of numbers private; is a table of numbers one?
    """
    table = table.aligned(near.vertices)
    if not isinstance(level.alpha, ExponentialNumber | NumberFieldElement):
        return _private_at(table, near, level, ask, stochastic)

    def told(answer: Verdict[PrivateOnRegion], shown: tuple[Neighbours, PrivacyLevel]) -> Verdict[PrivateOnRegion]:
        return _as_asked(answer, near, level, shown, ask, stochastic)

    if is_radical(level.alpha):
        shown = powers_of(near, level)
        return told(_private_at(table, *shown, ask, stochastic), shown)
    return _between(table, near, level, ask, stochastic, told)


def _private_at(table: Table, near: Neighbours, level: PrivacyLevel, ask: Ask, stochastic: Ask) -> Verdict[PrivateOnRegion]:
    """The same at a level that has a place beside the letters."""
    statement = private_statement(table, near, level)

    def there(point: Place) -> Verdict[Any]:  # all of it in the letters of both
        numbers = table_at(statement.table, point)
        return stochastic(numbers) if numbers.faults() else ask(numbers, near, level_at(statement.level, point))

    return answered(statement, there)


# ── Private at a level that is no number beside the letters ──
FIRST_PLACES, TRIES = 3, 5
"""A level is enclosed between decimals with so many digits first, and so often with twice as many."""

Told = Callable[[Verdict[PrivateOnRegion], tuple[Neighbours, PrivacyLevel]], Verdict[PrivateOnRegion]]


def is_transcendental(level: PrivacyLevel) -> bool:
    """Whether a level is a number such as e^(−1), which no function of letters has beside it.

    >>> [is_transcendental(PrivacyLevel(epsilon=e)) for e in ("1", "ln(3)", "ln(3)/2")]
    [True, False, False]
    """
    number = isinstance(level.alpha, ExponentialNumber | NumberFieldElement)
    return number and not is_radical(level.alpha)


def rationals_beside(level: PrivacyLevel) -> Iterator[tuple[PrivacyLevel, PrivacyLevel]]:
    """Rational levels just below and above an irrational one, ever nearer.

    >>> [str(x) for x in next(rationals_beside(PrivacyLevel(epsilon=1)))]
    ['367/1000', '46/125']
    """
    places = FIRST_PLACES
    while True:
        low, high = level.as_tightest().enclosure(places)
        if 0 < low < high < 1:
            yield PrivacyLevel(low), PrivacyLevel(high)
        places *= 2


def powers_of(near: Neighbours, level: PrivacyLevel) -> tuple[Neighbours, PrivacyLevel]:
    """Of a level q^(1/d) with a rational q: q, with all distances divided by d, which is the same privacy.

    >>> from exactdp import neighbours
    >>> found, power = powers_of(neighbours("path:2"), PrivacyLevel(epsilon="ln(3)/2"))
    >>> str(power), found.pairs()
    ('1/3', ((0, 1, Distance.parse('1/2')),))
    """
    epsilon = level.epsilon
    metric = near.metric() if isinstance(near, Graph) else near
    distances = [(i, j, Distance(d.square / epsilon.distance.square)) for i, j, d in metric.pairs()]
    name = f"{near} with its distances divided by {epsilon.distance}"
    return Metric(metric.vertices, distances, name=name), PrivacyLevel(epsilon.ratio)


def _between(table: Table, near: Neighbours, level: PrivacyLevel, ask: Ask, stochastic: Ask, told: Told) -> Verdict[PrivateOnRegion]:
    """The answer at a rational level: above α it is private at α, too; below it is no more so at α.

    The least ratio on the region is an algebraic number, and e^(−ε) is none (Lindemann). So one of the two
    is shown at levels that are near enough, where the signs are.
    """
    for _, (low, high) in zip(range(TRIES), rationals_beside(level), strict=False):
        above = _private_at(table, near, high, ask, stochastic)
        if above.proved or (above.refuted and _is_no_mechanism(above.evidence)):
            return told(above, (near, high))
        below = _private_at(table, near, low, ask, stochastic)
        if below.refuted:
            return told(below, (near, low))
    return told(above, (near, high))


def _is_no_mechanism(e: PrivateOnRegion) -> bool:
    """Whether what refutes the statement has nothing to do with the level."""
    fault = e.certain
    if fault is not None:
        return fault.of_table
    return e.there is not None and not hasattr(e.there.evidence, "mechanism")


def _as_asked(
    answer: Verdict[PrivateOnRegion],
    near: Neighbours,
    level: PrivacyLevel,
    shown: tuple[Neighbours, PrivacyLevel],
    ask: Ask,
    stochastic: Ask,
) -> Verdict[PrivateOnRegion]:
    """The answer at the level that was asked about, which one at another level implies."""
    evidence = replace(answer.evidence, neighbours=near, level=level, shown_at=shown)
    region = evidence.region
    if answer.proved:
        return replace(answer, claim=f"{evidence.words} for all {region}", evidence=evidence)
    if answer.refuted:
        assert evidence.point is not None
        numbers = table_at(evidence.table, evidence.point)
        return replace(answer, claim=refused(evidence, _refusal_at(numbers, near, level, ask, stochastic)), evidence=evidence)
    assert evidence.found is not None
    return Verdict(Decision.UNDECIDED, open_text(evidence, evidence.found), evidence, answer.scope)


def _refusal_at(numbers: Table, near: Neighbours, level: PrivacyLevel, ask: Ask, stochastic: Ask) -> str:
    """What is wrong with a table of numbers, without a letter for e^(−ε), which the table may have, too."""
    if numbers.faults():
        return stochastic(numbers).claim
    found = ask(numbers, near, level)
    if not found.refuted:
        message = f"at a point the mechanism is {private_on(level, near)}, though it should not be; please report this"
        raise DefectiveAnswerError(message)
    cell = found.evidence.violated[0]
    low, high, out = numbers.inputs[cell.low], numbers.inputs[cell.high], numbers.outputs[cell.output]
    bound = str(level) if cell.distance == ONE else power_text(level, cell.distance)
    ratio = f"x[{low}][{out}] / x[{high}][{out}] = {cell.ratio} < {bound}"
    return f"the mechanism is not {private_on(level, near)}: {ratio}; its tightest level is {level.compared(found.evidence.tightest)}"


# ── Derivable ──
def derivable_statement(target: Table, source: Table, names: tuple[str, str]) -> DerivableOnRegion:
    """That a target is derivable; its requirements are exact where the source is square and regular."""
    field = region_field(target, source)
    target, source = moved(target, field), moved(source, field)
    known = stochastic("target", target.matrix) + stochastic("source", source.matrix)
    facts: dict[str, Any] = {"region": field.region, "source": source, "target": target, "names": names}
    n, m = source.matrix.shape
    if n != m:
        why = f"the source has {n} inputs and {m} outputs, so R is not determined by it"
        return DerivableOnRegion(**facts, requirements=(), exact=False, why=why)
    exact, why = determined(source.matrix, "the source")
    try:
        remap = source.matrix.generic_solve(target.matrix)
        for row in remap.rows():
            for x in row:
                field(x).require_defined()
    except (ZeroDivisionError, DomainError):
        return DerivableOnRegion(**facts, requirements=(), exact=False, why=why)
    return DerivableOnRegion(**facts, requirements=(*known, *stochastic("remap", remap)), exact=exact, why=why, remap_matrix=remap)


def derivable_on_region(target: Table, source: Table, names: tuple[str, str], ask: Ask, stochastic: Ask) -> Verdict[DerivableOnRegion]:
    """Is a table derivable from another at every point of their region?"""
    seen = list[Any]()
    statement = derivable_statement(target, source, names)

    def there(point: Place) -> Verdict[Any]:  # all of it in the letters of both
        first, second = table_at(statement.target, point), table_at(statement.source, point)
        for numbers in (first, second):
            if numbers.faults():
                return stochastic(numbers)
        answer = ask(first, second)
        if answer.proved:
            seen.append(answer.evidence.remap.matrix)
        return answer

    verdict = answered(statement, there)
    if verdict.proved or verdict.refuted:
        return verdict
    for remap in dict.fromkeys(seen):  # one R may do everywhere
        if (statement.source.matrix @ remap).same_formulas(statement.target.matrix):
            return answered(with_remap(statement, remap), there)
    return verdict


def with_remap(statement: DerivableOnRegion, remap: ExactMatrix) -> DerivableOnRegion:
    """The same statement, with an R for which target = source·R."""
    field = statement.field
    exact = ExactMatrix([[field(x) for x in row] for row in remap.rows()], field)
    requirements: tuple[Requirement, ...] = (
        *stochastic("target", statement.target.matrix), *stochastic("source", statement.source.matrix), *stochastic("remap", exact)
    )  # fmt: skip
    return DerivableOnRegion(
        region=statement.region, source=statement.source, target=statement.target, requirements=requirements, exact=False,
        why=statement.why, remap_matrix=exact, names=statement.names,
    )  # fmt: skip
