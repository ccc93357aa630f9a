# SPDX-License-Identifier: MIT
"""Φ with letters: tight-constraints mechanisms, regular priors, a singular Φ, at every point of a region?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from exactdp.analysis.letters.requirements import Fault, Place, Requirement
from exactdp.analysis.letters.statement import OnRegion, answered, at_point, determined, level_at, level_over, region_field
from exactdp.analysis.verdict import Verdict
from exactdp.analysis.wording import at_level
from exactdp.errors import DomainError
from exactdp.exact import ExactMatrix, Region, RegionField, is_nonzero
from exactdp.exact.cached import cached_property
from exactdp.exact.elimination import row_echelon
from exactdp.model import Mechanism, Neighbours, Prior, PrivacyLevel
from exactdp.model.constraint_matrix import Cells, ConstraintMatrix

Ask = Callable[..., Verdict[Any]]
"""The same question about numbers."""


@dataclass(frozen=True, kw_only=True)
class TightOnRegion(OnRegion):
    """Whether a tight-constraints mechanism exists at every point: z ≥ 0 with Φ·z = 1.

    Attributes
    ----------
    neighbours, level
        What was asked.
    cells : Cells
        The partition on which z is constant.
    solution : tuple or None
        The z on cells with Φ·z = 1, whatever its signs, where Φ determines it.
    """

    neighbours: Neighbours
    level: PrivacyLevel
    cells: Cells
    solution: tuple[Any, ...] | None = None
    farkas = None
    near = None

    @property
    def words(self) -> str:
        """The statement."""
        return f"There is a tight-constraints mechanism for {at_level(self.neighbours, self.level)}"

    @property
    def diagonal(self) -> tuple[Any, ...] | None:
        """The diagonal on cells, if it was shown to be ≥ 0 at every point."""
        return self.solution if self.everywhere else None

    @property
    def z(self) -> tuple[Any, ...] | None:
        """The diagonal on all vertices."""
        return None if self.diagonal is None else self.cells.lift(self.diagonal)

    @cached_property
    def mechanism(self) -> Mechanism | None:
        """X = Φ·diag(z), where z ≥ 0 was shown for every point."""
        if self.z is None:
            return None
        phi, z = self.cells.matrix.at(self.level), self.z
        rows = [[x * y for x, y in zip(row, z, strict=True)] for row in phi.rows()]
        return Mechanism(ExactMatrix(rows), self.neighbours.vertices, self.neighbours.vertices)

    @property
    def total(self) -> Any:
        """Σ z, the multiplicative capacity of the privacy type."""
        return None if self.diagonal is None else self.cells.total(self.diagonal)

    @property
    def utility(self) -> Any:
        """Its utility for the uniform prior."""
        return None if self.diagonal is None else self.total / len(self.cells.colour)

    def over(self, region: Region) -> TightOnRegion:
        """On a part of the region."""
        return tight_statement(self.neighbours, PrivacyLevel(RegionField(region)(self.level.alpha)))

    def says(self, fault: Fault) -> str:
        """The requirement with this fault."""
        return f"z[{self.neighbours.vertices[self.cells.members[fault.row][0]]}] ≥ 0"


@dataclass(frozen=True, kw_only=True)
class RegularOnRegion(OnRegion):
    """Whether a prior is regular at every point: π = y·Φ with y ≥ 0; ``solution`` is y on cells."""

    prior: Prior
    neighbours: Neighbours
    level: PrivacyLevel
    cells: Cells
    solution: tuple[Any, ...] | None = None

    @property
    def words(self) -> str:
        """The statement."""
        return f"The prior {self.prior} is regular for {at_level(self.neighbours, self.level)}"

    @property
    def weights(self) -> tuple[Any, ...] | None:
        """The vector y on cells, if it was shown to be ≥ 0 at every point."""
        return self.solution if self.everywhere else None

    @property
    def y(self) -> tuple[Any, ...] | None:
        """The vector y on all vertices."""
        return None if self.weights is None else self.cells.lift(self.weights)

    @property
    def bound(self) -> Any:
        """Σ y, which bounds every private mechanism's utility for this prior where y ≥ 0."""
        return None if self.weights is None else self.cells.total(self.weights)

    def over(self, region: Region) -> RegularOnRegion:
        """On a part of the region."""
        field = RegionField(region)
        prior = Prior([field(x) for x in self.prior.weights], self.prior.inputs)
        return regular_statement(self.neighbours, PrivacyLevel(field(self.level.alpha)), prior)

    def says(self, fault: Fault) -> str:
        """The requirement with this fault."""
        return f"y[{self.neighbours.vertices[self.cells.members[fault.row][0]]}] ≥ 0"


@dataclass(frozen=True, kw_only=True)
class SingularOnRegion(OnRegion):
    """Whether Φ is singular at every point: ``determinant`` is det Φ."""

    neighbours: Neighbours
    level: PrivacyLevel
    determinant: Any

    @property
    def words(self) -> str:
        """The statement."""
        return f"Φ is singular for {at_level(self.neighbours, self.level)}"

    @property
    def phi(self) -> ExactMatrix:
        """Φ, as a matrix of functions of the letters."""
        return ConstraintMatrix.of(self.neighbours).at(self.level)

    @cached_property
    def null_vector(self) -> tuple[Any, ...] | None:
        """A v with Φ·v = 0 that is not zero at any point, if det Φ is 0 at every point."""
        if is_nonzero(self.determinant):
            return None
        field = self.field
        rows = [[field(x) for x in row] for row in self.phi.rows()]
        pivots, _ = row_echelon(rows)
        free = next(c for c in range(len(rows)) if c not in pivots)
        return (*(-rows[c][free] for c in range(free)), field.one, *[field.zero] * (len(rows) - free - 1))

    def over(self, region: Region) -> SingularOnRegion:
        """On a part of the region."""
        return singular_statement(self.neighbours, PrivacyLevel(RegionField(region)(self.level.alpha)))

    def says(self, fault: Fault) -> str:
        """The requirement."""
        return "det Φ = 0"


def _solved(cells: Cells, level: PrivacyLevel, right: Sequence[Any], what: str) -> tuple[dict[str, Any], tuple[Any, ...] | None]:
    """What a statement about B·z = b is made of, and z, where it is defined at every point."""
    field = region_field(level.alpha, *right)
    region = field.region
    matrix = ExactMatrix(cells.quotient(PrivacyLevel(field(level.alpha))), field)
    exact, why = determined(matrix, "Φ")
    try:
        z = tuple(field(x) for x in matrix.generic_solve(ExactMatrix([[field(x)] for x in right], field)).column(0))
        for x in z:
            x.require_defined()
    except (ZeroDivisionError, DomainError):
        return {"region": region, "requirements": (), "exact": False, "why": why}, None
    requirements = tuple(Requirement(x, False, Fault(what, c)) for c, x in enumerate(z))
    return {"region": region, "requirements": requirements, "exact": exact, "why": why}, z


def tight_statement(near: Neighbours, level: PrivacyLevel) -> TightOnRegion:
    """That a tight-constraints mechanism exists."""
    cells = ConstraintMatrix.of(near).cells()
    facts, z = _solved(cells, level, [1] * len(cells.members), "diagonal")
    return TightOnRegion(**facts, neighbours=near, level=level, cells=cells, solution=z)


def tight_on_region(near: Neighbours, level: PrivacyLevel, ask: Ask) -> Verdict[TightOnRegion]:
    """Is there a tight-constraints mechanism at every point of a region?"""
    return answered(tight_statement(near, level), lambda point: ask(near, level_at(level, point)))


def regular_statement(near: Neighbours, level: PrivacyLevel, prior: Prior) -> RegularOnRegion:
    """That a prior is regular."""
    cells = ConstraintMatrix.of(near).cells(prior.weights)
    facts, y = _solved(cells, level, cells.restrict(prior.weights), "weights")
    return RegularOnRegion(**facts, prior=prior, neighbours=near, level=level, cells=cells, solution=y)


def regular_on_region(near: Neighbours, level: PrivacyLevel, prior: Prior, ask: Ask) -> Verdict[RegularOnRegion]:
    """Is a prior regular at every point of a region?"""
    field = region_field(level.alpha, *prior.weights)

    def there(point: Place) -> Verdict[Any]:
        numbers = Prior([at_point(field(x), point) for x in prior.weights], prior.inputs)
        return ask(near, level_at(level_over(level, field), point), numbers)

    return answered(regular_statement(near, level, prior), there)


def singular_statement(near: Neighbours, level: PrivacyLevel) -> SingularOnRegion:
    """That Φ is singular."""
    field = region_field(level.alpha)
    determinant = field(ConstraintMatrix.of(near).at(level).det())
    requirements = (Requirement(determinant, True, Fault("determinant", 0)),)
    return SingularOnRegion(region=field.region, neighbours=near, level=level, determinant=determinant, requirements=requirements)


def singular_on_region(near: Neighbours, level: PrivacyLevel, ask: Ask) -> Verdict[SingularOnRegion]:
    """Is Φ singular at every point of a region?"""
    return answered(singular_statement(near, level), lambda point: ask(near, PrivacyLevel(at_point(level.alpha, point))))
