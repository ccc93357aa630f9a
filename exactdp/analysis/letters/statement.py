# SPDX-License-Identifier: MIT
"""A statement about every point of a region, and the answer: proved, refuted at a point, or undecided."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Self, TypeVar

from exactdp.analysis.letters.requirements import Fault, Found, Place, Requirement, found_on, small_points
from exactdp.analysis.verdict import Decision, Verdict, scope_of
from exactdp.errors import DefectiveAnswerError, DomainError
from exactdp.exact import ExactMatrix, Rational, Region, RegionField, RegionFunction, common_field, is_zero
from exactdp.exact.region_functions import place
from exactdp.model import PrivacyLevel
from exactdp.runtime.values import dataclass

SAMPLES = 24
"""At so many points a statement is asked whose requirements are not known to be all of it."""


@dataclass(frozen=True, kw_only=True)
class OnRegion:
    """A statement about every point of a region.

    Attributes
    ----------
    region : Region
        The points.
    requirements : tuple of Requirement
        The statement holds at a point if all of them do.
    exact : bool
        And only if. (Where a matrix is singular, more than one solution may be one.)
    why : str
        Why not, if not.
    found : Found or None
        Whether they hold.
    there : Verdict or None
        The refuted answer at ``point``, with numbers for the letters.
    """

    region: Region
    requirements: tuple[Requirement, ...]
    exact: bool = True
    why: str = ""
    found: Found | None = None
    there: Verdict[Any] | None = None

    @property
    def point(self) -> dict[str, Rational] | None:
        """The point at which the statement fails."""
        return None if self.found is None or self.there is None else self.found.point

    @property
    def everywhere(self) -> bool:
        """Whether the statement was shown to hold at every point."""
        return self.found is not None and bool(self.requirements) and self.found.holds

    @property
    def nowhere(self) -> Fault | None:
        """What is at fault at every point, if one thing is."""
        everywhere = None if self.found is None or not self.exact else self.found.everywhere
        return None if everywhere is None else everywhere.fault

    @property
    def certain(self) -> Fault | None:
        """What is at fault at every point, if the given tables are mechanisms there or are at fault."""
        fault = self.nowhere
        if fault is None or self.found is None or fault.of_table:
            return fault
        return None if any(one.fault.of_table for one in self.found.open) else fault

    @property
    def field(self) -> RegionField:
        """The functions of the letters."""
        return RegionField(self.region)

    @property
    def without_conditions(self) -> str:
        """Why the requirements are no conditions for the statement; empty where they are."""
        return "" if self.exact else f"{self.why}; ask on a region without such points"

    @property
    @abstractmethod
    def words(self) -> str:
        """The statement, as it begins a sentence."""

    @abstractmethod
    def over(self, region: Region) -> Self:
        """The same statement about a part of the region, not yet answered."""

    @abstractmethod
    def says(self, fault: Fault) -> str:
        """The requirement with this fault, such as ``x[1][0] ≥ 1/2·x[0][0]``."""


S = TypeVar("S", bound=OnRegion)


def letters_in(*things: Any) -> bool:
    """Whether some numbers, or things with a ``field``, are functions of letters on a region.

    >>> letters_in(Rational(1)), letters_in(RegionField(Region({"p": "(0, 1)"})).gen, None)
    (False, True)
    """
    return any(isinstance(thing if isinstance(thing, RegionField) else getattr(thing, "field", None), RegionField) for thing in things)


def region_field(*things: Any) -> RegionField:
    """The field that all of these have in common, which has letters."""
    field = common_field(*things)
    assert isinstance(field, RegionField)
    return field


def at_point(x: Any, point: Place) -> Any:
    """The value of a function of letters, or of the entries of a matrix, at a point; numbers stay.

    >>> p = RegionField(Region({"p": "(0, 1)"})).gen
    >>> at_point(1 - p, {"p": Rational("1/3")}), at_point(Rational(1), {})
    (Rational('2/3'), Rational('1'))
    """
    if isinstance(x, ExactMatrix):
        return ExactMatrix([[at_point(y, point) for y in row] for row in x.rows()])
    return x.value(point) if isinstance(x, RegionFunction) else x


def level_at(level: PrivacyLevel, point: Place) -> PrivacyLevel:
    """A level at a point; one without letters stays in the notation that it was given in.

    >>> level_at(PrivacyLevel(epsilon="ln 2"), {}).said
    'ε = ln(2)'
    """
    return PrivacyLevel(level.alpha.value(point)) if isinstance(level.alpha, RegionFunction) else level


def level_over(level: PrivacyLevel, field: RegionField) -> PrivacyLevel:
    """A level over the letters of a field; a number stays in the notation that it was given in."""
    return level if isinstance(level.alpha, Rational) else PrivacyLevel(field(level.alpha))


def answered(statement: S, ask: Callable[[Place], Verdict[Any]]) -> Verdict[S]:
    """The answer to a statement about every point of a region.

    * ``ask``: the answer at one point, where all letters are numbers.

    Returns: proved for every point; refuted with a point, or at every point; or undecided.

    * raises DefectiveAnswerError: the answer at a point is not the one that the requirements give.
    """
    found = found_on(statement.region, statement.requirements)
    yes, region, scope = statement.words, statement.region, scope_of(statement.field)
    if statement.requirements and found.holds:
        return Verdict(Decision.PROVED, f"{yes} for all {region}", replace(statement, found=found), scope)
    for point in _candidates(statement, found):
        there = ask(point)
        if there.refuted:
            evidence = replace(statement, found=replace(found, point=point), there=there)
            return Verdict(Decision.REFUTED, refused(evidence, there.claim), evidence, scope)
        if statement.exact:
            message = f"at {place(point)} the statement holds, though it should not; please report this"
            raise DefectiveAnswerError(message, point=point)
    return Verdict(Decision.UNDECIDED, open_text(statement, found), replace(statement, found=found), scope)


def refused(statement: OnRegion, claim: str) -> str:
    """That a statement fails at a point, or at every point."""
    assert statement.point is not None
    there, region = place(statement.point), statement.region
    if statement.nowhere is None:
        return f"At {there}, a point of {region}, {inside(claim)}"
    fails = statement.says(statement.nowhere)
    return f"At no point of {region} is it true that {inside(statement.words)}: {fails} fails everywhere; at {there}, {inside(claim)}"


def inside(sentence: str) -> str:
    """A sentence as it stands inside of another one."""
    return sentence[0].lower() + sentence[1:] if sentence.startswith(("The ", "There ")) else sentence


def _candidates(statement: OnRegion, found: Found) -> Iterator[dict[str, Rational]]:
    """The points at which the statement is asked, for a refutation."""
    if found.point is not None:
        yield found.point
    if not statement.exact:
        yield from (point for point, _ in zip(small_points(statement.region), range(SAMPLES), strict=False))
        yield from statement.region.points(SAMPLES)


def open_text(statement: OnRegion, found: Found) -> str:
    """That a statement was not decided, and why."""
    text = f"Whether it is true for all {statement.region} that {inside(statement.words)} is not decided"
    if statement.why:
        return f"{text}: {statement.why}"
    first = statement.says(found.open[0].fault)
    more = f" and {len(found.open) - 1} more" if len(found.open) > 1 else ""
    return f"{text}: neither a proof nor a point was found for {first}{more}"


def determined(matrix: ExactMatrix, what: str) -> tuple[bool, str]:
    """Whether a square matrix is regular at every point of its region, and if not, where that fails."""
    field = matrix.field
    assert isinstance(field, RegionField)
    determinant = field(matrix.det())
    if is_zero(determinant):
        return False, f"{what} is singular at every point, so the solution is not determined by it"
    try:
        found = determinant.sign_on_region()
    except DomainError as error:
        return False, error.message
    if found.sign is not None and found.strict:
        return True, ""
    if found.zero is not None:
        return False, f"{what} is singular at {place(found.zero)}, so the solution is not determined there"
    if found.positive is not None and found.negative is not None:
        return False, f"{what} is singular somewhere between {place(found.positive)} and {place(found.negative)}"
    return False, f"whether {what} is regular at every point was not found"
