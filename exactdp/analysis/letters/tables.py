# SPDX-License-Identifier: MIT
"""Tables with letters: stochastic, private, derivable, at every point of a region?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from exactdp.analysis.letters.requirements import Fault, Place, Requirement, private, stochastic
from exactdp.analysis.letters.statement import OnRegion, answered, at_point, determined, level_at, level_over, region_field
from exactdp.analysis.verdict import Verdict
from exactdp.analysis.wording import begun, private_on
from exactdp.errors import DomainError, ExactDPError
from exactdp.exact import ExactMatrix, Region, RegionField
from exactdp.model import Mechanism, Neighbours, PrivacyLevel, Remap, Table

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
    """Whether a table is a private mechanism at every point."""

    table: Table
    neighbours: Neighbours
    level: PrivacyLevel

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
        return private_statement(moved(self.table, field), self.neighbours, level_over(self.level, field))

    def says(self, fault: Fault) -> str:
        """The requirement with this fault."""
        if fault.beside is None:
            return entry_text(self.table, fault)
        low, high, out = self.table.inputs[fault.row], self.table.inputs[fault.beside], self.table.outputs[fault.column or 0]
        distance = next(d for i, j, d in self.neighbours.pairs() if {i, j} == {fault.row, fault.beside})
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
    statement = private_statement(table.aligned(near.vertices), near, level)

    def there(point: Place) -> Verdict[Any]:  # all of it in the letters of both
        numbers = table_at(statement.table, point)
        return stochastic(numbers) if numbers.faults() else ask(numbers, near, level_at(statement.level, point))

    return answered(statement, there)


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
