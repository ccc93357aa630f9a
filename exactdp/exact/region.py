# SPDX-License-Identifier: MIT
"""What letters stand for: the points of a region, given by polynomial inequalities.

An assumption such as ``0 < p < 1/2`` or ``p + q <= 1`` is one or two *constraints*: a polynomial in the
letters that is positive, or non-negative. A region is the set of points where all its constraints hold. It
has an open part: a point where each of them holds strictly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, islice, product
from typing import Any, Self

from flint import Ordering, fmpq, fmpz, fmpz_mpoly, fmpz_mpoly_ctx

from exactdp.errors import InexactInputError, InputError, brief_value, wrong_kind
from exactdp.exact.assumptions import MEMBER, RELATION, read_assumptions, require_letter
from exactdp.exact.coerce import entries_of, is_mapping
from exactdp.exact.formula import LEVEL, names_in, shortened
from exactdp.exact.intervals import Interval
from exactdp.exact.polynomial import poly_text, value_at
from exactdp.exact.rational import QQ, Rational, _wrap
from exactdp.exact.symbols import SymbolField, SymbolicFunction
from exactdp.exact.sympy_operators import Symbols, symbols_for
from exactdp.runtime.budget import require_budget
from exactdp.runtime.values import dataclass

MOST_LETTERS = 6
"""The checker's limit: each letter is one more dimension."""
TRIES = 4000
"""How many points are tried before a region with a curved constraint counts as empty, for all we know."""

Terms = tuple[tuple[tuple[int, ...], int], ...]


@dataclass(frozen=True, slots=True)
class Constraint:
    """One inequality: a polynomial in the letters of a region is positive, or non-negative.

    * ``terms``: the polynomial: pairs of exponents, one for each letter, and a coefficient. The coefficients
      have no common divisor.
    * ``strict``: whether it is > 0, rather than ≥ 0.
    """

    terms: Terms
    strict: bool

    @property
    def linear(self) -> bool:
        """Whether its degree is 1."""
        return all(sum(powers) <= 1 for powers, _ in self.terms)


class Region:
    """The points at which some inequalities hold: immutable, hashable, picklable, equal by its constraints.

    Parameters
    ----------
    letters : mapping of names to assumptions, or text
        For each letter an interval, such as ``"(0, 1/2)"``, ``"[0, 1)"``, ``"(0, oo)"``; a pair of numbers
        or an :class:`~exactdp.exact.intervals.Interval`; or inequalities such as ``"0 < p <= 1/2"``. A text
        holds all of them: ``"0 < p < 1/2, q in (0, 1], p + q <= 1"``.
    where : iterable of str
        Further inequalities between polynomials in the letters: ``"p + q < 1"``, ``"0 <= p*q <= c"``.

    Attributes
    ----------
    names : tuple of str
        The letters.
    constraints : tuple of Constraint
        The inequalities.
    inside : dict of str to Rational
        A point where all of them hold strictly.

    Raises
    ------
    InputError
        A name is none; a letter has no assumption; an assumption can't be read; or no point satisfies all of
        them strictly.

    Examples
    --------
    >>> region = Region({"p": "(0, 1/2)", "q": "(0, 1]"}, where=["p + q <= 1"])
    >>> print(region)
    0 < p < 1/2, 0 < q <= 1, p + q <= 1
    >>> region.contains({"p": "1/4", "q": "3/4"}), region.contains({"p": "1/4", "q": "4/5"})
    (True, False)
    >>> Region({"p": "(0, 1/2)"}, where=["p > 2/3"])
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: no p satisfies 0 < p < 1/2, p > 2/3; the assumptions contradict each other or
    leave no open set of points
    >>> Region("0 < p < 1/2, p + q <= 1").names
    ('p', 'q')
    """

    __slots__ = ("_inside", "_polys", "_texts", "constraints", "names")
    names: tuple[str, ...]
    constraints: tuple[Constraint, ...]
    _texts: tuple[str, ...]
    _polys: tuple[tuple[fmpz_mpoly, bool], ...]
    _inside: tuple[Rational, ...]

    def __init__(self, letters: Mapping[str, object] | str, where: Iterable[str] = ()) -> None:
        extra: list[object] = [where] if isinstance(where, str) else entries_of(where, "inequalities")
        if isinstance(letters, str):
            letters, between = read_assumptions(letters)
            extra = [*between, *extra]
        if not is_mapping(letters) or not letters:
            message = f"the letters are {brief_value(letters)}; give each with its assumption, such as {{'p': '(0, 1/2)'}}"
            raise InputError(message, value=letters)
        for name in letters:
            require_letter(name)
        if len({*letters} & {*LEVEL}) > 1:
            both = " and ".join(sorted({*letters} & {*LEVEL}))
            raise InputError(f"{both} are one letter, the level's; give one of them", value=tuple(letters))
        if len(letters) > MOST_LETTERS:
            raise InputError(
                f"{len(letters)} letters ({', '.join(letters)}) are more than {MOST_LETTERS}; give some of them as numbers",
                value=tuple(letters),
            )
        names = tuple(letters)
        texts, found = list[str](), list[Constraint]()
        for name, assumed in letters.items():
            text = _inequality_of(name, assumed)
            if text:
                texts.append(_tidy(text))
                found += _constraints(text, names)
        for condition in extra:
            member = re.fullmatch(MEMBER, condition) if isinstance(condition, str) else None
            if member is not None and member["name"].strip() in names:  # a second interval
                text = _inequality_of(member["name"].strip(), member["interval"])
                if not text:
                    continue
                found += _constraints(text, names)
                texts.append(_tidy(text))
                continue
            found += _constraints(condition, names)
            texts.append(_tidy(str(condition)))
        self._fill(names, tuple(dict.fromkeys(found)), tuple(texts))

    def _fill(self, names: tuple[str, ...], constraints: tuple[Constraint, ...], texts: tuple[str, ...]) -> None:
        put = object.__setattr__
        strict = {c.terms for c in constraints if c.strict}  # p > 0 says more than p >= 0
        constraints = tuple(c for c in constraints if c.strict or c.terms not in strict)
        put(self, "names", names)
        put(self, "constraints", constraints)
        put(self, "_texts", tuple(dict.fromkeys(texts)))
        put(self, "_polys", tuple((self._poly(c), c.strict) for c in constraints))
        point = next(self._points(), None)
        if point is None:
            curved = "" if all(c.linear for c in constraints) else ", or none was found"
            raise InputError(
                f"no {', '.join(names)} {'satisfies' if len(names) == 1 else 'satisfy'} {', '.join(texts)}; the assumptions contradict "
                f"each other or leave no open set of points{curved}",
                region=texts,
            )
        put(self, "_inside", point)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Region is immutable; cannot set {name!r}")

    @classmethod
    def of(cls, names: Sequence[str], constraints: Iterable[tuple[Terms, bool]]) -> Self:
        """The region of some letters with these constraints (terms of a polynomial, strict).

        >>> print(Region.of(["p"], [((((1,), 1),), True), ((((0,), 1), ((1,), -2)), False)]))
        p > 0, -2*p + 1 >= 0
        """
        known = tuple(entries_of(names, "letters"))
        if not all(isinstance(name, str) for name in known):
            raise wrong_kind("letters", names, "a list of names")
        constraints = entries_of(constraints, "constraints")
        if not known or not all(_is_constraint(c, len(known)) for c in constraints):
            message = "a constraint is a pair of terms, ((exponents, coefficient), …), and of whether it is strict"
            raise InputError(message, value=constraints)
        found = tuple(dict.fromkeys(_primitive(terms_, strict) for terms_, strict in constraints))
        result = object.__new__(cls)
        result._fill(known, found, tuple(_text(c, known) for c in found))
        return result

    @property
    def inside(self) -> dict[str, Rational]:
        """A point where every constraint holds strictly."""
        return dict(zip(self.names, self._inside, strict=True))

    def contains(self, point: Mapping[str, object]) -> bool:
        """Whether all constraints hold at a point, which has a rational number for every letter."""
        at = numbers_at(self.names, point)
        return all((x := value_at(p, at, fmpq)) > 0 or (x == 0 and not strict) for p, strict in self._polys)

    def with_conditions(self, conditions: Iterable[object]) -> Region:
        """The part of the region where more holds.

        Parameters
        ----------
        conditions : iterable of str or (SymbolicFunction or RegionFunction, strict)
            Inequalities as text, or polynomials with whether they are > 0 rather than ≥ 0.

        >>> print(Region({"p": "(0, 1)"}).with_conditions(["p^2 < 1/2"]))
        0 < p < 1, p^2 < 1/2
        """
        found, texts = list(self.constraints), list(self._texts)
        for condition in conditions:
            if isinstance(condition, str):
                new = _constraints(condition, self.names)
                texts.append(_tidy(condition))
            else:
                assert isinstance(condition, tuple)
                function, strict = condition
                own = SymbolField(function.field.names).quotient(function.numerator, function.denominator)
                polynomial = SymbolField(self.names)(own)  # its letters may stand in another order
                if len(polynomial.denominator) != 1 or any(polynomial.denominator[0][0]):
                    raise InputError(f"the condition {function} has a denominator; give a polynomial", value=function)
                new = [_primitive(tuple(polynomial.numerator), bool(strict))]
                texts.append(_text(new[0], self.names))
            found += new
        result = object.__new__(Region)
        result._fill(self.names, tuple(dict.fromkeys(found)), tuple(dict.fromkeys(texts)))
        return result

    def to_sympy(self, letters: Iterable[Any] | Symbols = ()) -> Any:
        """The constraints in sympy: ``And`` of relations, or one relation.

        Parameters
        ----------
        letters : symbols of sympy, or mapping of str to symbol
            What the letters are to be; symbols without assumptions unless given. (sympy drops a relation that
            follows from an assumption.)

        Examples
        --------
        >>> Region({"p": "(0, 1/2)", "q": "[0, oo)"}, where=["p + q <= 1"]).to_sympy()
        (q >= 0) & (p > 0) & (p < 1/2) & (p + q - 1 <= 0)
        """
        from sympy import And, Symbol

        chosen = symbols_for(self, letters)
        symbols = [chosen.get(name) or Symbol(name) for name in self.names]
        return And(*(_sympy_relation(c, symbols) for c in self.constraints))

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters, as a field has them."""
        return self.names

    def _sympy_(self) -> Any:
        """What sympy asks for."""
        return self.to_sympy()

    def _repr_latex_(self) -> str:
        """What a notebook shows."""
        from sympy import latex

        return f"${latex(self.to_sympy())}$"

    def told(self) -> tuple[dict[str, str], list[str]]:
        """The letters with an assumption about each, and further inequalities: they make the region again.

        >>> Region("0 < p < 1/2, p + q <= 1").told()
        ({'p': '0 < p < 1/2', 'q': '(-oo, oo)'}, ['p + q <= 1'])
        """
        alone = {text: names_in(text) for text in self._texts}
        found = {name: next((text for text, names in alone.items() if names == [name]), "(-oo, oo)") for name in self.names}
        return found, [text for text in self._texts if text not in found.values()]

    def _by_text(self) -> list[tuple[str, list[Constraint]]]:
        """The assumptions as they were typed, each with its constraints.

        >>> [text for text, _ in Region("0 < p < 1/2, p + q <= 1")._by_text()]
        ['0 < p < 1/2', 'p + q <= 1']
        """
        return [(text, _constraints(text, self.names)) for text in self._texts]

    @classmethod
    def _made(cls, names: Sequence[str], constraints: Iterable[Constraint], texts: Iterable[str]) -> Self:
        """The region of constraints that are known, with the texts that say them."""
        result = object.__new__(cls)
        result._fill(tuple(names), tuple(dict.fromkeys(constraints)), tuple(dict.fromkeys(texts)))
        return result

    def points(self, number: int) -> Iterator[dict[str, Rational]]:
        """Up to so many different rational points of the region, the same every time.

        >>> [str(point["p"]) for point in Region({"p": "(0, 1)"}).points(3)]
        ['1/2', '1/4', '3/4']
        """
        return (dict(zip(self.names, point, strict=True)) for point in islice(self._points(), number))

    def _poly(self, c: Constraint) -> fmpz_mpoly:
        context = fmpz_mpoly_ctx.get(self.names, Ordering.lex)
        return context.from_dict({tuple(powers): fmpz(k) for powers, k in c.terms})

    def _points(self) -> Iterator[tuple[Rational, ...]]:
        """Points of the interior: of the linear constraints by elimination, tried in the others."""
        size = len(self.names)
        linear = [_linear_form(c, size) for c in self.constraints if c.linear]
        curved = [self._poly(c) for c in self.constraints if not c.linear]
        stages = _eliminated(linear, size)
        if stages is None:
            return
        misses = 0
        seen = set[tuple[Any, ...]]()
        for fractions in _spread(size):
            point = _placed(stages, fractions)
            if point in seen:
                continue
            seen.add(point)
            at = list(point)
            if all(value_at(p, at, fmpq) > 0 for p in curved):
                misses = 0
                yield tuple(_wrap(x) for x in point)
            else:
                misses += 1
                if misses > TRIES:
                    return

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Region) and self.names == other.names and set(self.constraints) == set(other.constraints)

    def __hash__(self) -> int:
        return hash((self.names, frozenset(self.constraints)))

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (self.names, self.constraints, self._texts)

    def __str__(self) -> str:
        return ", ".join(self._texts) or f"all real {', '.join(self.names)}"

    def __repr__(self) -> str:
        return f"Region({', '.join(self.names)}: {self})"


def _rebuilt(names: tuple[str, ...], constraints: tuple[Constraint, ...], texts: tuple[str, ...]) -> Region:
    result = object.__new__(Region)
    result._fill(names, constraints, texts)
    return result


def _sympy_relation(c: Constraint, symbols: Sequence[Any]) -> Any:
    """A constraint in sympy: a bound of its letter if it is linear in one, else a polynomial beside 0."""
    from sympy import Add, Integer, Mul
    from sympy import Rational as SympyRational

    used = [i for i, _ in enumerate(symbols) if any(powers[i] for powers, _ in c.terms)]
    below = False
    if c.linear and len(used) == 1:
        slope = next(k for powers, k in c.terms if powers[used[0]])
        constant = next((k for powers, k in c.terms if not powers[used[0]]), 0)
        left, right, below = symbols[used[0]], SympyRational(-constant, slope), slope < 0
    else:
        below = c.terms[0][1] < 0
        sign = -1 if below else 1
        left = Add(*(Mul(Integer(sign * k), *(x**e for x, e in zip(symbols, powers, strict=True))) for powers, k in c.terms))
        right = Integer(0)
    if below:
        return left < right if c.strict else left <= right
    return left > right if c.strict else left >= right


def numbers_at(names: Sequence[str], point: Mapping[str, object]) -> list[Any]:
    """The numbers that a point has for some letters; InputError if one is missing.

    >>> numbers_at(["p", "q"], {"p": "1/2"})
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: the point {'p': '1/2'} ... has no number for q; give one for each letter
    """
    if not is_mapping(point):
        raise wrong_kind("point", point, f"a mapping with a number for each of {', '.join(names)}")
    missing = next((name for name in names if name not in point), None)
    if missing is not None:
        message = f"the point {brief_value(point)} has no number for {missing}; give one for each letter"
        raise InputError(message, value=point)
    return [Rational(point[name])._q for name in names]


# ── Reading ──
BOUNDS = r"\s*([(\[])\s*([^,]+?)\s*,\s*([^,]+?)\s*([)\]])\s*"
INFINITE = {"oo", "inf", "∞", "+oo", "+inf", "+∞"}


def _inequality_of(name: str, assumed: object) -> str:
    """An assumption about one letter as an inequality; empty for all real numbers."""
    if isinstance(assumed, (tuple, list)) and len(assumed) == 2:
        assumed = Interval(*assumed)
    if hasattr(assumed, "free_symbols"):
        assumed = _of_sympy(assumed)
    if isinstance(assumed, Interval):
        return _of_interval(name, assumed)
    if not isinstance(assumed, str):
        message = f"the assumption about {name} is {brief_value(assumed)}; give an interval such as '(0, 1/2)' or an inequality"
        raise InputError(message, value=assumed)
    shape = re.fullmatch(BOUNDS, assumed)
    return _of_relation(name, assumed) if shape is None else _of_bounds(name, assumed, *shape.groups())


def _of_interval(name: str, assumed: Interval) -> str:
    """An interval with rational ends as an inequality."""
    for end in (assumed.lower, assumed.upper):
        if not isinstance(end, Rational):
            raise InputError(f"the interval of {name} ends at the irrational {end}; {RATIONAL_ENDS}", value=assumed)
    if assumed.is_point:
        raise InputError(f"{name} is the number {assumed.lower} only; write the number in its place", value=assumed)
    left, right = ("<=" if closed else "<" for closed in (assumed.lower_closed, assumed.upper_closed))
    return f"{assumed.lower} {left} {name} {right} {assumed.upper}"


def _of_relation(name: str, assumed: str) -> str:
    """A text that must be an inequality about the letter."""
    if re.search(RELATION, assumed) is None:
        shown = shortened(assumed)
        message = f"{shown!r} is no assumption about {name}; give an interval such as '(0, 1/2)' or '[0, oo)'"
        raise InputError(message, value=assumed)
    if name not in names_in(assumed):
        raise InputError(f"the assumption about {name}, {shortened(assumed)!r}, does not speak of {name}", value=assumed)
    return assumed


def _of_bounds(name: str, assumed: str, opening: str, low: str, high: str, closing: str) -> str:
    """An interval that was written, ``(low, high]``, as an inequality."""
    inside = next((end for end in (low, high) if re.search(RELATION, end)), None)
    if inside is not None:
        message = f"the end {shortened(inside)!r} of {shortened(assumed)!r} is an inequality; ends are numbers"
        raise InputError(message, value=assumed)
    free_below, free_above = low.lstrip("-−") in INFINITE and low[0] in "-−", high in INFINITE
    if (free_below and opening == "[") or (free_above and closing == "]"):
        raise InputError(f"in {assumed!r} an infinite end is included; write ( or ) there", value=assumed)
    if not (free_below or free_above):
        _require_room(low, high, assumed, name)
    below, above = "<=" if opening == "[" else "<", "<=" if closing == "]" else "<"
    left = "" if free_below else f"{low} {below} "
    right = "" if free_above else f" {above} {high}"
    if left and not right:
        return f"{name} {'>=' if opening == '[' else '>'} {low}"
    return f"{left}{name}{right}" if left or right else ""


def _of_sympy(assumed: Any) -> str:
    """An interval or inequality of sympy, as text."""
    floats = [x for x in assumed.atoms() if x.is_Float]
    if floats:
        message = f"the assumption {assumed} has the Float {floats[0]}; write it with sympy Rationals"
        raise InexactInputError(message, value=assumed)
    if getattr(assumed, "is_Boolean", False) and not getattr(assumed, "is_Relational", False):
        message = f"the assumption {assumed} is several; give an Interval or one inequality, the others as where="
        raise InputError(message, value=assumed)
    if not hasattr(assumed, "left_open"):
        return str(assumed)
    return f"{'(' if assumed.left_open else '['}{assumed.start}, {assumed.end}{')' if assumed.right_open else ']'}"


def _require_room(low: str, high: str, assumed: str, name: str) -> None:
    """Refuse an interval whose ends are numbers that leave no number between them."""
    try:
        ends = QQ(low.replace("−", "-")), QQ(high.replace("−", "-"))
    except InputError:
        return  # a formula, or no number, which is said when it is read
    if ends[0] > ends[1]:
        message = f"the ends of {assumed!r} are reversed, so that it has no {name}; the smaller one comes first"
        raise InputError(message, value=assumed)
    if ends[0] == ends[1]:
        message = f"{assumed!r} leaves {name} no room; where {name} is one number, write {ends[0]} in its place"
        raise InputError(message, value=assumed)


RATIONAL_ENDS = "ends are rational numbers: give one near it, or a condition between polynomials, such as p^2 < 1/2"


def _tidy(text: str) -> str:
    """An assumption with one way to write its signs and blanks."""
    plain = text.replace("≤", "<=").replace("≥", ">=").replace("−", "-")
    return " ".join(re.sub(RELATION, " \\g<0> ", plain).split())


def _constraints(text: object, names: tuple[str, ...]) -> list[Constraint]:
    """The constraints of a chain of inequalities."""
    if not isinstance(text, str):
        raise InputError(f"{brief_value(text)} is no inequality; give text such as 'p + q < 1'", value=text)
    signs, sides = re.findall(RELATION, text), re.split(RELATION, text)
    if not signs:
        raise InputError(f"{text!r} is no inequality; it needs one of <, <=, >, >=", value=text)
    field = SymbolField(names)
    values = [_side(field, side, text) for side in sides]
    found = []
    for sign, left, right in zip(signs, values, values[1:], strict=False):
        difference = right - left if sign[0] in "<≤" else left - right
        if difference.rational is not None:
            message = f"in {text!r} both sides of {sign} differ by a number, {difference}; no letter is left"
            raise InputError(message, value=text)
        if len(difference.denominator) != 1 or any(difference.denominator[0][0]):
            raise InputError(f"in {text!r} a letter is in a denominator; multiply by it, if its sign is known", value=text)
        found.append(_primitive(tuple(difference.numerator), sign in {"<", ">"}))
    return found


def _side(field: SymbolField, text: str, whole: str) -> SymbolicFunction:
    plain = text.strip().replace("−", "-")
    unknown = [name for name in names_in(plain) if name not in field.names and not (name in LEVEL and {*field.names} & {*LEVEL})]
    if "sqrt(" in plain or "pi" in unknown or "e" in unknown or "exp(" in plain or "√" in plain:
        message = f"in the assumption {shortened(whole)!r}: {shortened(plain)} is irrational; {RATIONAL_ENDS}"
        raise InputError(message, text=whole)
    if not plain:
        raise InputError(f"{shortened(whole)!r} is no inequality; a side of it is empty", text=whole)
    if plain.strip("+-") in INFINITE:
        message = f"in the assumption {shortened(whole)!r} infinity is on the wrong side; write (-oo, 1) or (0, oo)"
        raise InputError(message, text=whole)
    if unknown:
        raise InputError(
            f"the assumption {shortened(whole)!r} speaks of {unknown[0]}, which is none of the letters {', '.join(field.names)}; give "
            f"{unknown[0]} an assumption of its own, such as {{{unknown[0]!r}: '(0, 1)'}}",
            text=whole,
        )
    try:
        value: SymbolicFunction = field(plain)
    except InputError as error:
        raise type(error)(f"in the assumption {shortened(whole)!r}: {error.message}", **error.facts) from None
    return value


def _is_constraint(c: object, letters: int) -> bool:
    """Whether something is a pair of terms in so many letters and a truth value."""
    if not isinstance(c, tuple) or len(c) != 2 or not isinstance(c[0], tuple) or not isinstance(c[1], bool):
        return False
    pairs = [t for t in c[0] if isinstance(t, tuple) and len(t) == 2 and isinstance(t[0], tuple) and len(t[0]) == letters]
    return len(pairs) == len(c[0]) > 0


def _primitive(terms_: Terms, strict: bool) -> Constraint:
    """A constraint without a common divisor of its coefficients."""
    divisor = fmpz(0)
    for _, c in terms_:
        divisor = divisor.gcd(c)
    if not any(any(powers) for powers, c in terms_ if c):
        raise InputError("a condition without a letter is no constraint", terms=terms_)
    primitive = ((tuple(map(int, powers)), int(c) // int(divisor)) for powers, c in terms_ if c)
    return Constraint(tuple(sorted(primitive, reverse=True)), strict)  # in the order of FLINT's terms


def _text(c: Constraint, names: Sequence[str]) -> str:
    context = fmpz_mpoly_ctx.get(tuple(names), Ordering.lex)
    p = context.from_dict({tuple(powers): fmpz(k) for powers, k in c.terms})
    return f"{poly_text(p, names)} {'>' if c.strict else '>='} 0"


# ── Points of a polyhedron, by the elimination of Fourier and Motzkin ──
Form = tuple[tuple[Any, ...], Any]  # the coefficients of the letters, and the constant: the form is > 0


def _linear_form(c: Constraint, size: int) -> Form:
    coefficients, constant = [fmpq(0)] * size, fmpq(0)
    for powers, k in c.terms:
        place = next((i for i, e in enumerate(powers) if e), None)
        if place is None:
            constant = fmpq(k)
        else:
            coefficients[place] = fmpq(k)
    return tuple(coefficients), constant


def _eliminated(forms: Sequence[Form], size: int) -> list[list[Form]] | None:
    """For each letter the forms in it and the letters before it, whose positivity leaves room for the rest.

    None if no point makes all forms positive.
    """
    stages: list[list[Form]] = [[] for _ in range(size)]
    left = list(dict.fromkeys(_scaled(f) for f in forms))
    for i in reversed(range(size)):
        stages[i] = [f for f in left if f[0][i] != 0]
        above = [f for f in stages[i] if f[0][i] > 0]
        below = [f for f in stages[i] if f[0][i] < 0]
        rest = [f for f in left if f[0][i] == 0]
        require_budget("the elimination of letters from the assumptions", numbers=size * len(above) * len(below))
        for f, g in product(above, below):
            p, q = -g[0][i], f[0][i]
            rest.append(_scaled((tuple(p * x + q * y for x, y in zip(f[0], g[0], strict=True)), p * f[1] + q * g[1])))
        left = list(dict.fromkeys(rest))
    return None if any(constant <= 0 for _, constant in left) else stages


def _scaled(f: Form) -> Form:
    """A positive multiple of a form, the same for all of its multiples."""
    size = next((abs(x) for x in f[0] if x != 0), fmpq(1))
    return tuple(x / size for x in f[0]), f[1] / size


def _placed(stages: Sequence[Sequence[Form]], fractions: Sequence[Any]) -> tuple[Any, ...]:
    """The point whose letters lie at these fractions of the room that the letters before them leave."""
    point: list[Any] = []
    for i, (forms, f) in enumerate(zip(stages, fractions, strict=True)):
        low = high = None
        for coefficients, constant in forms:
            bound = -(constant + sum((x * y for x, y in zip(coefficients, point, strict=False)), fmpq(0))) / coefficients[i]
            if coefficients[i] > 0:
                low = bound if low is None else max(low, bound)
            else:
                high = bound if high is None else min(high, bound)
        if low is not None and high is not None:
            point.append(low + f * (high - low))
        elif low is not None:
            point.append(low + f / (1 - f))
        elif high is not None:
            point.append(high - f / (1 - f))
        else:
            point.append((2 * f - 1) / (f * (1 - f)))
    return tuple(point)


PRIMES = (2, 3, 5, 7, 11, 13)


def _spread(size: int) -> Iterator[tuple[Any, ...]]:
    """Points that fill the open unit cube evenly (Halton), after its middle."""
    yield (fmpq(1, 2),) * size
    for k in count(2 if size == 1 else 1):
        yield tuple(_reversed_digits(k, base) for base in PRIMES[:size])


def _reversed_digits(k: int, base: int) -> fmpq:
    total, scale = fmpq(0), fmpq(1, base)
    while k:
        k, digit = divmod(k, base)
        total += digit * scale
        scale /= base
    return total
