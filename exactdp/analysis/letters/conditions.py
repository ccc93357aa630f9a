# SPDX-License-Identifier: MIT
"""The exact conditions under which a statement over letters holds: polynomial inequalities, irredundant.

Every requirement f ≥ 0 is written with the polynomial of least degree that has its sign everywhere
(:func:`~exactdp.exact.essential.essential`). One that holds wherever the others do is left out if that is
proved. Each that remains is needed if there is a point where it alone fails, which is looked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import signature
from operator import eq, ge, gt
from typing import Any

from exactdp.analysis.letters.requirements import Requirement, found_on, sampled, samples
from exactdp.analysis.letters.statement import OnRegion, inside, open_text
from exactdp.analysis.verdict import Decision, Verdict, scope_of
from exactdp.display import Displayed
from exactdp.errors import DomainError, InputError, wrong_kind
from exactdp.exact import Rational, Region, RegionField, RegionFunction, is_mapping, is_zero
from exactdp.exact.essential import essential
from exactdp.exact.region_functions import place

_HOLDS: dict[str, Callable[[Any, int], Any]] = {">=": ge, ">": gt, "=": eq}
"""When a condition on the sign of a number holds, by its relation to 0."""

_OPPOSITE = {">=": ">", ">": ">="}
"""The relation of −f where that of f fails."""

_IN_LATEX = {">=": r"\ge", "<=": r"\le", ">": ">", "<": "<", "=": "="}


@dataclass(frozen=True, slots=True)
class Condition:
    """A polynomial that must be ≥ 0, > 0 or 0.

    Attributes
    ----------
    polynomial : RegionFunction
        With integer coefficients.
    relation : str
        ``>=``, ``>`` or ``=``.
    alone : dict or None
        A point of the region at which this condition fails and all others hold.
    """

    polynomial: RegionFunction
    relation: str
    alone: dict[str, Rational] | None = None

    def holds(self, point: Mapping[str, object]) -> bool:
        """Whether it holds at a point."""
        return bool(_HOLDS[self.relation](self.polynomial.value(point), 0))

    def opposites(self) -> list[Condition]:
        """Where it fails: the conditions one of which holds there. Of ``f >= 0`` this is ``f < 0``."""
        if self.relation == "=":
            return [Condition(self.polynomial, ">"), Condition(-self.polynomial, ">")]
        return [Condition(-self.polynomial, _OPPOSITE[self.relation])]

    def sides(self) -> tuple[RegionFunction, str, RegionFunction]:
        """Two polynomials with positive coefficients, a number on the right, and what is between them."""
        field = self.polynomial.field
        above = field.quotient(tuple((powers, c) for powers, c in self.polynomial.numerator if c > 0))
        below = field.quotient(tuple((powers, -c) for powers, c in self.polynomial.numerator if c < 0))
        if above.rational is not None and below.rational is None:
            return below, {">=": "<=", ">": "<", "=": "="}[self.relation], above
        return above, self.relation, below

    def __str__(self) -> str:
        left, relation, right = self.sides()
        return f"{left} {relation} {right}"

    def latex(self) -> str:
        """In LaTeX, without dollar signs."""
        left, relation, right = self.sides()
        return f"{left.latex()} {_IN_LATEX[relation]} {right.latex()}"

    def as_sympy(self) -> Any:
        """A relation of sympy."""
        from sympy import Eq, Ge, Gt

        return {">=": Ge, ">": Gt, "=": Eq}[self.relation](self.polynomial._sympy_(), 0)


@dataclass(frozen=True, repr=False)
class Conditions(Displayed):
    """Where in a region a statement holds: exactly at the points at which all of these conditions do.

    Attributes
    ----------
    asked : Region
        The letters and what is assumed of them.
    conditions : tuple of Condition
        None of them if the statement holds at every point.
    never : Condition or None
        One that holds at no point of the region, if there is one; then it is the only condition.
    claim : str
        The statement, as it begins a sentence.
    why : str
        What fails at every point.
    statement : OnRegion or None
        The statement itself.
    basic : tuple of Condition
        Under which the given tables are mechanisms.
    empty : bool
        Whether it was shown that no point of the region satisfies all of several conditions.

    Examples
    --------
    >>> from exactdp import Table, is_stochastic
    >>> region = Region({"p": "(0, 1)", "q": "(0, 1)"})
    >>> F = RegionField(region)
    >>> found = conditions(is_stochastic, Table([[F("1 - p - q"), F("p + q")]]))
    >>> print(found)
    The table is row-stochastic exactly where p + q <= 1, for 0 < p < 1, 0 < q < 1
    >>> found.holds({"p": "1/2", "q": "1/2"}), found.holds({"p": "1/2", "q": "2/3"})
    (True, False)
    """

    asked: Region
    conditions: tuple[Condition, ...]
    claim: str
    never: Condition | None = None
    why: str = ""
    statement: OnRegion | None = None
    basic: tuple[Condition, ...] = ()
    empty: bool = False

    @property
    def always(self) -> bool:
        """Whether the statement holds at every point of the region."""
        return not self.conditions

    @property
    def irredundant(self) -> bool:
        """Whether each condition was shown to be needed: at a point it alone fails."""
        return self.never is not None or (not self.empty and all(c.alone is not None for c in self.conditions))

    def holds(self, point: Mapping[str, object]) -> bool:
        """Whether the statement holds at a point of the region, which has a rational number for every letter.

        Raises
        ------
        InputError
            The point is not in the region, or has no number for a letter.
        """
        missing = [name for name in self.asked.names if not is_mapping(point) or name not in point]
        if missing:
            message = f"the point has no number for {missing[0]}; give one for each of {', '.join(self.asked.names)}"
            raise InputError(message, point=point)
        if not self.asked.contains(point):
            where = place({name: Rational(point[name]) for name in self.asked.names})
            raise InputError(f"{where} is no point of {self.asked}, which is assumed; ask at a point of it", point=point)
        return all(c.holds(point) for c in self.conditions)

    @property
    def region(self) -> Region:
        """The part of the region where the statement holds: assume it, and ask again.

        Raises
        ------
        DomainError
            It has no open part: a condition is an equation, or fails at every point.
        """
        if self.always:
            return self.asked
        if self.empty:
            raise DomainError(f"no point of {self.asked} satisfies {' and '.join(map(str, self.conditions))}")
        if self.never is not None:
            raise DomainError(f"{self.why} holds at no point of {self.asked}, so there is no part where all conditions hold")
        equation = next((c for c in self.conditions if c.relation == "="), None)
        if equation is not None:
            message = f"{equation} leaves no open part of {self.asked}; solve it for a letter, and ask with one letter less"
            raise DomainError(message)
        return self.asked.with_conditions(map(str, self.conditions))

    @property
    def part(self) -> Region | None:
        """The part of the region where the statement holds; None if no open set of points of it was found."""
        if self.never is not None or self.empty or any(c.relation == "=" for c in self.conditions):
            return None
        return _part(self.asked, self.conditions)

    def verdicts(self) -> tuple[Verdict[Any], ...]:
        """What the conditions say, a verdict a part: proved where all hold, refuted where one of them fails.

        Each has a certificate (:func:`exactdp.certify`), in which the conditions are assumed. A part on which
        a given table is no mechanism is refuted for that; other parts lie where it is one. Where a condition
        is an equation, the parts are where its polynomial is positive, and where it is negative.

        Raises
        ------
        DomainError
            These conditions belong to a part of an answer, which has its own verdicts.
        """
        if self.statement is None:
            raise DomainError("these conditions say where a formula holds; ask the question again on their region")
        found = []
        if self.part is not None:
            found.append(_told(self.statement.over(self.part)))
        known = {(c.polynomial, c.relation) for c in self.basic}
        others = [c for c in self.conditions if (c.polynomial, c.relation) not in known]
        equation = any(c.relation == "=" for c in self.basic)
        cuts = [(c, ()) for c in self.basic] + [(c, self.basic) for c in others if not equation]
        for condition, assumed in cuts:
            for opposite in condition.opposites():
                part = _part(self.asked, [*assumed, opposite])
                if part is not None:
                    found.append(_told(self.statement.over(part)))
        return tuple(found)

    def __str__(self) -> str:
        return f"{self.claim} {self.words()}, for {self.asked}"

    def words(self) -> str:
        """Where: ``exactly where p + q <= 1 and …``, ``everywhere`` or ``nowhere``."""
        if self.always:
            return "everywhere"
        if self.never is not None:
            return f"nowhere: {self.why} fails at every point"
        if self.empty:
            return f"nowhere: no point satisfies {' and '.join(map(str, self.conditions))}"
        return f"exactly where {' and '.join(map(str, self.conditions))}"

    def __repr__(self) -> str:
        return f"<Conditions: {self}>"

    def as_sympy(self) -> Any:
        """The conditions in sympy: ``And`` of relations, or true or false; the region is assumed.

        >>> from exactdp import Table, is_stochastic
        >>> p = RegionField(Region({"p": "(0, 1)"})).gen
        >>> conditions(is_stochastic, Table([[2 * p, 1 - 2 * p]])).as_sympy()
        1 - 2*p >= 0
        """
        from sympy import And, false

        return false if self.never is not None or self.empty else And(*(c.as_sympy() for c in self.conditions))

    def _repr_latex_(self) -> str:
        if self.always or self.empty or self.never is not None:
            return r"$\text{everywhere}$" if self.always else r"$\text{nowhere}$"
        joined = r" \wedge ".join(c.latex() for c in self.conditions)
        return f"${joined}$"


def conditions(question: Callable[..., Verdict[Any]], *arguments: Any, **options: Any) -> Conditions:
    """Where in the region of the letters is the answer to a question yes: the exact conditions.

    Parameters
    ----------
    question : function
        Such as :func:`exactdp.is_private`.
    *arguments, **options
        Of the question; some have letters.

    Returns
    -------
    Conditions
        Polynomial inequalities and equations in the letters, equivalent to the statement on the region.

    Raises
    ------
    DomainError
        There are no letters; or the statement is not known to be equivalent to such conditions, as where a
        matrix is singular somewhere in the region.

    Examples
    --------
    >>> from exactdp import is_private
    >>> F = RegionField(Region({"p": "(0, 1/2)", "q": "(0, 1/2)"}))
    >>> print(conditions(is_private, [[F("1-p"), F("p")], [F("q"), F("1-q")]], "path:2", "1/2").words())
    exactly where p + 2*q >= 1 and 2*p + q >= 1
    """
    if not callable(question):
        raise wrong_kind("question", question, "a function such as is_private, and after it its arguments")
    name = getattr(question, "__name__", "the question")
    try:
        bound = signature(question)
        if options.get("epsilon") is None:
            bound.bind(*arguments, **options)
        else:  # it may stand for the level
            bound.bind_partial(*arguments, **options)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} can't be asked with these arguments: {error}", question=name) from None
    verdict = question(*arguments, **options)
    if not isinstance(verdict, Verdict) or not isinstance(verdict.evidence, OnRegion):
        message = f"{name} has no conditions here: it is asked without letters (xdp.matrix(…, letters=…)), or is no question of yes or no"
        raise DomainError(message)
    return conditions_of(verdict.evidence)


def conditions_of(statement: OnRegion) -> Conditions:
    """The conditions under which a statement holds.

    * raises DomainError: its requirements are not known to be equivalent to it.
    """
    why = statement.without_conditions
    if why:
        raise DomainError(f"no exact conditions are known: {why}", region=statement.region)
    return reduced(statement.field, statement.requirements, statement.words, statement)


def reduced(field: RegionField, requirements: Sequence[Requirement], claim: str, statement: OnRegion | None = None) -> Conditions:
    """Requirements as conditions in simplest form, without those that the others imply."""
    found, basic = dict[Condition, None](), dict[Condition, None]()
    for one in requirements:
        polynomial = essential(field(one.function))
        signs = sampled(polynomial)
        known = None if -1 in signs and 1 in signs else polynomial.sign_on_region()
        sign, strict = (None, False) if known is None else (known.sign, known.strict)
        if one.zero:
            if is_zero(polynomial):
                continue
            if polynomial.numerator[0][1] < 0:
                polynomial = -polynomial
            condition = Condition(polynomial, "=")
            never = sign is not None and strict
        else:
            if (is_zero(polynomial) and not one.strict) or (sign == 1 and (strict or not one.strict)):
                continue
            condition = Condition(polynomial, ">" if one.strict else ">=")
            never = is_zero(polynomial) or (sign == -1 and (strict or one.strict))
        if never:
            why = str(condition) if statement is None else statement.says(one.fault)
            never_basic = (condition,) if one.fault.of_table else tuple(basic)
            return Conditions(field.region, (condition,), claim, condition, why, statement, never_basic)
        found[condition] = None
        if one.fault.of_table:
            basic[condition] = None
    given = tuple(found)
    empty = _contradict(field.region, given)
    needed = given if empty is not None else _irredundant(field.region, given)
    return Conditions(field.region, needed, claim, statement=statement, basic=tuple(basic), empty=bool(empty))


def _size(condition: Condition) -> tuple[int, int]:
    terms = condition.polynomial.numerator
    return max(sum(powers) for powers, _ in terms), len(terms)


def _contradict(region: Region, given: tuple[Condition, ...]) -> bool | None:
    """Whether it is proved that some conditions hold together nowhere; None if a point of all was found."""
    if len(given) < 2 or any(c.relation == "=" for c in given):
        return None
    if any(all(c.holds(point) for c in given) for point in samples(region)) or _part(region, given) is not None:
        return None
    part, kept = region, list[Condition]()
    for condition in sorted(given, key=_size):
        smaller = _part(region, [*kept, condition])
        if smaller is not None:
            part = smaller
            kept.append(condition)
            continue
        sign = RegionField(part)(condition.polynomial).sign_on_region()
        if sign.sign == -1 and (sign.strict or condition.relation == ">"):
            return True
    return False


def _irredundant(region: Region, given: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """Without the conditions that are proved to follow from others, the largest first; each with a point."""
    if len(given) == 1:
        return (replace(given[0], alone=_alone(region, [], given[0])),)
    failing = [(point, frozenset(c for c in given if not c.holds(point))) for point in samples(region)]
    kept, needed = list(given), dict[Condition, dict[str, Rational]]()
    for condition in sorted(given, key=_size, reverse=True):
        others = [c for c in kept if c is not condition]
        alone = next((point for point, fails in failing if fails.intersection(kept) == {condition}), None)
        alone = alone or _alone(region, others, condition)
        if alone is not None:
            needed[condition] = alone
        elif _implied(region, others, condition):
            kept = others
    found = []
    for c in kept:  # where fewer others must hold, a point may be found that was not before
        others = [x for x in kept if x is not c]
        alone = needed.get(c)
        if alone is None and len(kept) < len(given):
            alone = _alone(region, others, c)
        found.append(replace(c, alone=alone))
    return tuple(found)


def _implied(region: Region, others: Sequence[Condition], condition: Condition) -> bool:
    """Whether a condition is proved to hold wherever some others do."""
    if condition.relation == "=":
        return any(c.relation == "=" and _divides(c.polynomial, condition.polynomial) for c in others)
    if any(c.relation == "=" and _divides(c.polynomial, condition.polynomial) for c in others):
        return True
    part = _part(region, [c for c in others if c.relation != "="])
    if part is None:
        return False
    polynomial = RegionField(part)(condition.polynomial)
    if -1 in sampled(polynomial):
        return False
    sign = polynomial.sign_on_region()
    return sign.sign == 1 and (sign.strict or condition.relation == ">=")


def _divides(first: RegionFunction, second: RegionFunction) -> bool:
    return len((second / first).denominator) == 1 and not any((second / first).denominator[0][0])


def _part(region: Region, more: Sequence[Condition]) -> Region | None:
    """The part of a region where more holds; None if no point of it was found."""
    try:
        return region.with_conditions(map(str, more))
    except InputError:
        return None


def _alone(region: Region, others: Sequence[Condition], condition: Condition) -> dict[str, Rational] | None:
    """A point where a condition fails and others hold, if one is found."""
    if any(c.relation == "=" for c in others):
        return None
    parts = (_part(region, [*others, opposite]) for opposite in condition.opposites())
    return next((part.inside for part in parts if part is not None), None)


def _told(part: OnRegion) -> Verdict[Any]:
    """The answer on a part of a region where the statement is known to hold, or to fail, at every point."""
    found = found_on(part.region, part.requirements)
    evidence, scope = replace(part, found=found), scope_of(part.field)
    if found.holds:
        return Verdict(Decision.PROVED, f"{part.words} for all {part.region}", evidence, scope)
    if found.everywhere is not None:
        fails = part.says(found.everywhere.fault)
        claim = f"At no point of {part.region} is it true that {inside(part.words)}: {fails} fails everywhere"
        return Verdict(Decision.REFUTED, claim, evidence, scope)
    return Verdict(Decision.UNDECIDED, open_text(part, found), evidence, scope)
