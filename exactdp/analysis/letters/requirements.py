# SPDX-License-Identifier: MIT
"""What a statement over letters requires: functions that must be ≥ 0, or 0, at every point of a region."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import product
from math import gcd
from typing import Any

from exactdp.errors import DomainError
from exactdp.exact import ExactMatrix, Rational, Region, RegionFunction, is_zero
from exactdp.model import Neighbours, PrivacyLevel
from exactdp.model.metric import Distance
from exactdp.runtime.values import dataclass

Place = Mapping[str, Rational]
"""A point of a region: a number for every letter."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What fails where a requirement does: an entry of a matrix or vector, a row's sum, or a pair's ratio.

    Attributes
    ----------
    what : str
        Of which matrix: "table", "source", "remap", "diagonal", "weights" or "determinant".
    row : int
    column : int or None
        The entry is negative; without a column the row does not sum to 1.
    beside : int or None
        With a row x′ here the entry is too small for privacy: less than α^d(x, x′) times that of x′.
    """

    what: str
    row: int
    column: int | None = None
    beside: int | None = None

    @property
    def of_table(self) -> bool:
        """Whether a given table is no mechanism because of it."""
        return self.what in {"table", "source", "target"} and self.beside is None


@dataclass(frozen=True, slots=True)
class Requirement:
    """A function that must be ≥ 0 (or 0: ``zero``; or > 0: ``strict``), and what is at fault if not."""

    function: Any
    zero: bool
    fault: Fault
    strict: bool = False

    def fails(self, at: Place) -> bool:
        """Whether it fails at a point."""
        x = self.function.value(at)
        if self.zero:
            return bool(x != 0)
        return bool(x <= 0) if self.strict else bool(x < 0)


def stochastic(what: str, matrix: ExactMatrix) -> list[Requirement]:
    """Entries ≥ 0, rows summing to 1."""
    field = matrix.field
    entries = [Requirement(field(x), False, Fault(what, i, j)) for i, row in enumerate(matrix.rows()) for j, x in enumerate(row)]
    return entries + [Requirement(sum(row, field.zero) - 1, True, Fault(what, i)) for i, row in enumerate(matrix.rows())]


def private(matrix: ExactMatrix, near: Neighbours, level: PrivacyLevel) -> list[Requirement]:
    """x_ir ≥ α^d x_jr for every constrained pair, in both orders; for a distance p/q the q-th powers of both.

    * raises DomainError: a distance is irrational.
    """
    field, found = matrix.field, list[Requirement]()
    for i, j, distance in near.pairs():
        p, q = as_fraction(distance)
        power = field(level.alpha) ** p
        for r in range(matrix.shape[1]):
            for s, t in ((i, j), (j, i)):
                difference = field(matrix[s, r]) ** q - power * field(matrix[t, r]) ** q
                found.append(Requirement(difference, False, Fault("table", s, r, t)))
    return found


def as_fraction(distance: Distance) -> tuple[int, int]:
    """A rational distance as p, q; DomainError for an irrational one.

    >>> as_fraction(Distance.of("3/2"))
    (3, 2)
    """
    if distance.rational is None:
        raise DomainError(
            f"the distance {distance} is irrational, so α^d is no function of letters; give every letter a number", distance=distance
        )
    return int(distance.rational.numerator), int(distance.rational.denominator)


@dataclass(frozen=True, slots=True)
class Found:
    """Whether requirements hold on a region.

    Attributes
    ----------
    everywhere : Requirement or None
        One that fails at every point.
    point : dict or None
        A point at which one fails, as small as was found.
    open : tuple of Requirement
        Those that were not shown to hold at every point.
    """

    everywhere: Requirement | None
    point: dict[str, Rational] | None
    open: tuple[Requirement, ...]

    @property
    def holds(self) -> bool:
        """Whether all hold at every point."""
        return not self.open


def found_on(region: Region, requirements: Sequence[Requirement]) -> Found:
    """Whether requirements hold at every point of a region, at none, or fail at a point that is known.

    >>> from exactdp.exact import RegionField
    >>> region = Region({"p": "(0, 1)"})
    >>> matrix = ExactMatrix([[RegionField(region)("2*p"), RegionField(region)("1-2*p")]])
    >>> found = found_on(region, stochastic("table", matrix))
    >>> found.holds, str(found.point["p"])
    (False, '2/3')
    """
    everywhere, unknown, points = None, list[Requirement](), list[dict[str, Rational]]()
    for requirement in requirements:
        holds, known = _judged(region, requirement)
        if holds is True:
            continue
        unknown.append(requirement)
        if holds is False:
            everywhere = everywhere or requirement
        points += known
    point = _smallest(region, unknown, points) if points else None
    return Found(everywhere, point, tuple(unknown))


def _judged(region: Region, one: Requirement) -> tuple[bool | None, list[dict[str, Rational]]]:
    """Whether a requirement holds everywhere (True) or nowhere (False), and a point where it fails."""
    f: RegionFunction = one.function
    if is_zero(f):
        return True, []
    f.require_defined()
    signs = sampled(f)
    if -1 in signs and 1 in signs and not one.zero:
        return None, [signs[-1]]
    found = f.sign_on_region()
    if one.zero:
        return (False if found.strict else None), [next(x for x in region.points(10**6) if f.value(x) != 0)]
    if found.sign == 1:
        return True, []
    sign, strict = (found.sign, found.strict) if found.sign is not None else _beside_a_constraint(f)
    if sign == 1:
        return True, []
    if sign == -1:
        return (False if strict else None), [next(x for x in region.points(10**6) if f.value(x) < 0)]
    return None, [] if found.negative is None else [found.negative]


def _beside_a_constraint(f: RegionFunction) -> tuple[int | None, bool]:
    """The sign of a product of a constraint and a function of known sign, and whether it is never zero."""
    for constraint in f.field.region.constraints:
        if constraint.linear:
            continue  # a factor, whose sign is known
        try:
            rest = f / f.field.quotient(constraint.terms)
            rest.require_defined()
        except DomainError:
            continue
        found = rest.sign_on_region()
        if found.sign is not None:
            return found.sign, found.strict and constraint.strict
    return None, False


# ── Points ──
SAMPLES = 200
QUICK = 48
"""Points of a region that are remembered, and those at which the sign of a function is looked up."""


@lru_cache(maxsize=64)
def samples(region: Region) -> tuple[dict[str, Rational], ...]:
    """Some points of a region."""
    return tuple(region.points(SAMPLES))


def sampled(function: RegionFunction) -> dict[int, dict[str, Rational]]:
    """The signs of a function at some points of its region, each with a point.

    >>> from exactdp.exact import RegionField
    >>> sorted(sampled(RegionField(Region({"p": "(0, 1)"}))("1/3 - p")))
    [-1, 1]
    """
    found = dict[int, dict[str, Rational]]()
    for point in samples(function.field.region)[:QUICK]:
        found.setdefault(function.value(point).sign(), point)
    return found


LARGEST_DENOMINATOR = 24
CHOICES = (90, 40, 14, 8, 6, 5)
"""How many numbers are tried for each letter, by how many letters there are."""


def _smallest(region: Region, requirements: Sequence[Requirement], known: Sequence[dict[str, Rational]]) -> dict[str, Rational]:
    """A point with small numbers at which a requirement fails."""
    for point in small_points(region):
        if any(_fails(one, point) for one in requirements):
            return point
    return min(known, key=lambda point: sum(_size(x) for x in point.values()))


def _fails(one: Requirement, point: Place) -> bool:
    try:
        return one.fails(point)
    except DomainError:
        return False


def small_points(region: Region) -> Iterator[dict[str, Rational]]:
    """Points of a region, those with small numerators and denominators first.

    >>> [str(point["p"]) for point, _ in zip(small_points(Region({"p": "(0, 1/2)"})), range(3))]
    ['1/3', '1/4', '1/5']
    """
    number = CHOICES[len(region.names) - 1]
    alone = [
        [c for c in region.constraints if {j for powers, _ in c.terms for j, e in enumerate(powers) if e} == {i}]
        for i in range(len(region.names))
    ]
    choices = []
    for i, constraints in enumerate(alone):
        fitting = (x for x in _small_numbers() if all(_holds(c, i, x) for c in constraints))
        choices.append([x for x, _ in zip(fitting, range(number), strict=False)])
    for point in sorted(product(*choices), key=lambda point: (sum(map(_size, point)), point)):
        place = dict(zip(region.names, point, strict=True))
        if region.contains(place):
            yield place


def _holds(constraint: Any, i: int, x: Rational) -> bool:
    value = sum((x ** powers[i] * c for powers, c in constraint.terms), Rational(0))
    return bool(value > 0 or (value == 0 and not constraint.strict))


@cache
def _small_numbers() -> tuple[Rational, ...]:
    pairs = {(s * p, q) for q in range(1, LARGEST_DENOMINATOR + 1) for p in range(min(4 * q, 48) + 1) for s in (1, -1) if gcd(p, q) == 1}
    return tuple(sorted((Rational(p, q) for p, q in pairs), key=lambda x: (_size(x), x)))


def _size(x: Rational) -> int:
    return int(abs(x.numerator) + x.denominator)
