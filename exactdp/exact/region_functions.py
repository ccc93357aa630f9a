# SPDX-License-Identifier: MIT
"""Rational functions of several letters, compared on a whole region.

A comparison, also ``==``, is a statement about *every* point of the region: it answers when it is true
everywhere or false everywhere, and raises :class:`~exactdp.errors.UndecidedSignError` otherwise, with points
of the region where the answers differ. (:func:`~exactdp.exact.identity.same_formula` compares the formulas.)
To divide by what is zero at a point of the region, or not known to be zero nowhere, is an error.

Examples
--------
>>> field = RegionField(Region({"p": "(0, 1/2)", "q": "(0, 1/2)"}))
>>> p, q = field.gens
>>> 1 - p > q, p * q < 1, p + q == q + p
(True, True, True)
>>> p < q
Traceback (most recent call last):
...
exactdp.errors.UndecidedSignError: p - q has not the same sign for all 0 < p < 1/2, 0 < q < 1/2: it is ...
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING, Any

from flint import Ordering, fmpq, fmpq_poly, fmpz_mpoly_ctx

from exactdp.errors import DomainError, ExpressionSyntaxError, InexactInputError, InputError, MixedDomainError, UndecidedSignError
from exactdp.exact.assumptions import unknown_letter
from exactdp.exact.elimination import determinant, largest_minors, rank_of
from exactdp.exact.field import OrderedField
from exactdp.exact.formula import LEVEL, Expression, names_in, parse_expression, shortened
from exactdp.exact.functions import RationalFunction, RationalFunctionField
from exactdp.exact.inexact import exactly
from exactdp.exact.polynomial import Poly, poly_key, value_at
from exactdp.exact.quotient import FormulaArithmetic, FormulaField, FunctionQuotient, Quotient, QuotientField
from exactdp.exact.rational import Rational, _wrap
from exactdp.exact.region import MOST_LETTERS, Constraint, Region, numbers_at
from exactdp.exact.symbols import SymbolField, SymbolicFunction

if TYPE_CHECKING:
    from exactdp.exact.positivity import Lemma, Sign


class RegionFunction(FunctionQuotient):
    """An element of a :class:`RegionField`; made by arithmetic with its ``gens``, or from text."""

    __slots__ = ()

    @property
    def field(self) -> RegionField:
        """The field, with its region."""
        field: RegionField = self._field
        return field

    def _denominator_sign(self) -> int:
        """Of the denominator at a point of the region where it is not zero."""
        return self.field._sign_inside(self._d)

    def sign_on_region(self) -> Sign:
        """What is known about the sign on the region: of numerator times denominator."""
        return self.field.sign_of(self._n * self._d)

    def sign(self) -> int:
        """−1, 0 or 1 when that is its sign at every point of the region; UndecidedSignError otherwise."""
        if self._n == 0:
            return 0
        found = self._defined()
        if found.sign is None or not found.strict:
            raise self._undecided(found)
        return found.sign

    def weak_sign(self) -> int:
        """0 for the zero function, ±1 if it is ≥ 0 or ≤ 0 on the region; else UndecidedSignError."""
        if self._n == 0:
            return 0
        found = self._defined()
        if found.sign is None:
            raise self._undecided(found)
        return found.sign

    def lemmas(self) -> tuple[Lemma, ...]:
        """What shows the signs of numerator and denominator, as far as they are known."""
        return tuple(dict.fromkeys(lemma for part in (self._n, self._d) for lemma in self.field.sign_of(part).lemmas))

    def _defined(self) -> Sign:
        """The sign of the quotient; DomainError where the denominator may vanish."""
        self.require_defined()
        return self.sign_on_region()

    def require_defined(self) -> None:
        """DomainError, with the point if one is known, unless the denominator vanishes nowhere."""
        if self.field.is_constant(self._d):
            return
        below = self.field.sign_of(self._d)
        if below.sign is None or not below.strict:
            raise self.field.pole(self, below)

    def _require_divisor(self, above: object) -> None:
        """DomainError unless it is zero nowhere on the region."""
        if self.field.is_constant(self._n):
            return
        found = self.field.sign_of(self._n)
        if found.sign is None or not found.strict:
            raise self.field.pole_of_quotient(above, self, found)

    def _equals_where_defined(self, other: Any) -> bool:
        """Whether it equals the other, another formula, nowhere (False); an error unless that is seen."""
        difference = self if type(other) is int and other == 0 else self - exactly(other)
        difference.require_defined()
        found = difference.sign_on_region()
        if found.sign is not None and found.strict:
            return False
        zero = found.zero or self.field._zero_of(difference._n)
        nonzero = found.positive or found.negative or self.field._nonzero_of(difference._n)
        known = [(word, point) for word, point in (("true", zero), ("false", nonzero)) if point is not None]
        where = " and ".join(f"{word} at {place(point)}" for word, point in known)
        points = tuple(point for _, point in known)
        if zero is None:
            text = f"whether {self} == {other} is true somewhere for {self.field.region} was not found: it is {where}"
        else:
            text = f"{self} == {other} has not the same answer for all {self.field.region}: it is {where}"
        raise UndecidedSignError(
            f"{text}; same_formula compares the formulas", function=difference, region=self.field.region, points=points, found=found
        )

    def _undecided(self, found: Sign) -> UndecidedSignError:
        region = self.field.region
        ways = (("positive", found.positive), ("zero", found.zero), ("negative", found.negative))
        known = [(word, point) for word, point in ways if point is not None]
        if len(known) > 1 or (found.sign is not None and known):
            where = " and ".join(f"{word} at {place(point)}" for word, point in known)
            text = f"{self} has not the same sign for all {region}: it is {where}"
        else:
            text = f"the sign of {self} for all {region} was not found"
        points = tuple(point for _, point in known)
        return UndecidedSignError(text, function=self, region=region, points=points, found=found)

    def _holds(self, other: Any, allowed: tuple[int, ...]) -> bool:
        """Whether the sign of self − other is one of these everywhere (True) or nowhere (False)."""
        difference = self if type(other) is int and other == 0 else self - exactly(other)
        if not isinstance(difference, RegionFunction) or difference._field != self._field:
            return self._holds_elsewhere(difference, other, allowed)
        if difference._n == 0:
            return 0 in allowed
        found = difference._defined()
        if found.sign is not None:
            signs = (found.sign,) if found.strict else (found.sign, 0)
            good = [s in allowed for s in signs]
            if all(good) or not any(good):
                return all(good)
        raise difference._undecided(found)

    def value(self, point: Mapping[str, object]) -> Rational:
        """The exact value at a point.

        >>> RegionField(Region({"p": "(0, 1)"}))("p/(1+p)").value({"p": "1/2"})
        Rational('1/3')
        """
        at = numbers_at(self.field.names, point)
        above, below = (value_at(part, at, fmpq) for part in (self._n, self._d))
        if below == 0:
            raise DomainError(f"{self} is not defined at {place({n: _wrap(x) for n, x in zip(self.field.names, at, strict=True)})}")
        return _wrap(above / below)

    def _inexact(self, asked: str) -> InexactInputError:
        letters = ", ".join(f"'{name}': …" for name in self.field.names)
        message = f"{self} is a function of letters and has no {asked}; take a value: value({{{letters}}})"
        return InexactInputError(message, value=self)

    def rough_float(self) -> float:
        """About the value at one point of the region; for float solvers, never for a verdict."""
        return float(self.value(self.field.region.inside))


def place(point: Mapping[str, Rational]) -> str:
    """A point in words.

    >>> place({"p": Rational("1/2"), "q": Rational(1)})
    'p = 1/2, q = 1'
    """
    return ", ".join(f"{name} = {x}" for name, x in point.items())


class RegionField(QuotientField):
    """The rational functions of some letters, compared on a region: immutable, hashable, picklable.

    Parameters
    ----------
    region : Region, mapping or text
        What the letters may be, as :class:`~exactdp.exact.region.Region` takes it.

    Examples
    --------
    >>> field = RegionField({"p": "(0, 1/2)"})
    >>> field("1/(1-p)") > 1
    True
    >>> field("1/(1-3*p)")
    Traceback (most recent call last):
    ...
    exactdp.errors.DomainError: 1/(-3*p + 1) is not defined for all 0 < p < 1/2: its denominator is 0 at ...
    """

    __slots__ = ("_formulas", "_signs", "name", "region")
    _scalar = RegionFunction
    region: Region
    _formulas: RegionField | None
    _signs: dict[Any, Sign]

    def __init__(self, region: Region | Mapping[str, object] | str) -> None:
        region = region if isinstance(region, Region) else Region(region)
        self._set(region=region, name=f"QQ({', '.join(region.names)}) for {region}", _signs={}, _formulas=None)
        self._set_ring(region.names, fmpz_mpoly_ctx.get(region.names, Ordering.lex))

    def sign_of(self, p: Poly) -> Sign:
        """The sign of a polynomial on the region, remembered."""
        key = poly_key(p)
        if key not in self._signs:
            from exactdp.exact.positivity import sign_on  # only who has letters needs proofs of signs

            self._signs[key] = sign_on(p, self.region)
        return self._signs[key]

    def pole(self, function: RegionFunction, below: Sign) -> DomainError:
        """The refusal of a function whose denominator is not known to vanish nowhere."""
        region = self.region
        if below.zero is not None:
            where = f"its denominator is 0 at {place(below.zero)}"
        elif below.positive is not None and below.negative is not None:
            where = f"its denominator changes sign between {place(below.positive)} and {place(below.negative)}"
        else:
            where = "whether its denominator vanishes somewhere was not found; ask on a smaller region"
        if below.zero is None and (exact := self._zero_of(function._d)) is not None:
            where = f"its denominator is 0 at {place(exact)}"
            below = replace(below, zero=exact)
        points = tuple(x for x in (below.zero, below.positive, below.negative) if x is not None)
        message = f"{function} is not defined for all {region}: {where}"
        return DomainError(message, function=function, region=region, points=points)

    def pole_of_quotient(self, above: object, below: RegionFunction, found: Sign) -> DomainError:
        """The refusal of a division by what is not known to be zero nowhere."""
        region = self.region
        point = found.zero or self._zero_of(below._n)
        if point is not None:
            where = f"which is zero at {place(point)}"
        elif found.positive is not None and found.negative is not None:
            where = f"which changes sign between {place(found.positive)} and {place(found.negative)}"
        else:
            where = f"and whether that is zero somewhere for {region} was not found"
        known = tuple(x for x in (point, found.positive, found.negative) if x is not None)
        message = f"{above} is divided by {below}, {where}; ask on a region without such points"
        return DomainError(message, function=below, region=region, points=known)

    def require_defined(self, matrix: Any) -> None:
        """DomainError unless all entries are defined on the whole region."""
        for x in (x for row in matrix for x in row):
            x.require_defined()

    def matmul(self, left: Any, right: Any) -> Any:
        """The product; DomainError unless both factors are defined on the whole region."""
        self.require_defined(left)
        self.require_defined(right)
        return super().matmul(left, right)

    def require_regular(self, matrix: Any) -> None:
        """DomainError unless a square matrix is singular nowhere on the region."""
        found: RegionFunction = determinant(self, matrix)
        sign = self.sign_of(found._n)
        if sign.sign is not None and sign.strict:
            return
        point = sign.zero or self._zero_of(found._n)
        where = f"for some {self.region}, or that it is not was not found" if point is None else f"at {place(point)}"
        raise DomainError(
            f"the matrix is singular {where}: its determinant is {found}; ask on a region without such points",
            determinant=found,
            region=self.region,
            points=() if point is None else (point,),
        )

    def require_one_rank(self, matrix: Any) -> None:
        """DomainError unless a matrix is seen to have one rank on the whole region."""
        rank, minors = rank_of(self, matrix), list[Poly]()
        for minor in largest_minors(self, matrix, rank):
            sign = self.sign_of(minor)
            if sign.sign is not None and sign.strict:
                return
            minors.append(minor)
        everywhere = self.sign_of(sum((p * p for p in minors), self._poly(0)))
        if everywhere.sign is not None and everywhere.strict:
            return
        common = reduce(lambda p, q: p.gcd(q), minors)
        point = self.sign_of(common).zero or self._zero_of(common)
        where = "" if point is None else f", at {place(point)}"
        said = "may be smaller" if point is None else "is smaller"
        raise DomainError(
            f"the rank {said} than {rank} at some points with {self.region}{where}; generic_rank() is the largest one",
            region=self.region,
            points=() if point is None else (point,),
        )

    def quotient(self, numerator: Any, denominator: Any = 1) -> Any:
        """The element with these coefficients, as for every field; DomainError if it has a pole."""
        found: RegionFunction = super().quotient(numerator, denominator)
        found.require_defined()
        return found

    @property
    def formulas(self) -> RegionFormulas:
        """The functions as formulas."""
        if self._formulas is None:
            found = RegionFormulas(self.region)
            found._set(_formulas=self, _signs=self._signs)
            self._set(_formulas=found)
        return self._formulas  # type: ignore[return-value]

    def signs_of_letter(self, name: str) -> tuple[int, ...]:
        """Those of −1, 0, 1 that a letter may have in the region, as far as it is known.

        >>> RegionField(Region({"p": "[0, 1)", "q": "(0, oo)"})).signs_of_letter("q")
        (1,)
        """
        found = self.sign_of(self.gens[self.names.index(name)]._n)
        if found.sign is None:
            return (-1, 0, 1)
        return (found.sign,) if found.strict else tuple(sorted((0, found.sign)))

    @property
    def where(self) -> str:
        """Where the letters may be, in words that follow a name."""
        return f"for all {self.region}"

    def _read(self, text: str) -> Any:
        return self.read(text)

    def read(self, text: str, numbers: Mapping[str, Rational] | None = None) -> RegionFunction:
        """The function that a formula denotes, where further letters are numbers.

        >>> RegionField("0 < p < 1/2").read("(1-p)^(n-1)", {"n": Rational(3)})
        RegionFunction('p^2 - 2*p + 1')
        """
        known = numbers or {}
        letters = dict(zip(self.names, self.gens, strict=True))
        level = next((name for name in LEVEL if name in letters), None)
        unknown = [name for name in names_in(text) if name not in letters and name not in known and not (name in LEVEL and level)]
        if unknown:
            raise unknown_letter(text, unknown[0], (*letters, *known))
        if "exp(" in text or "sqrt(" in text:
            raise InputError(
                f"{shortened(text)!r} has a power of e or a root, which has no common field with {', '.join(letters)}; let one more letter "
                "stand for it",
                text=text,
            )
        if level:
            letters[LEVEL[0]] = letters[level]
        try:
            tree = parse_expression(text.replace("−", "-"), letters, known)
        except ExpressionSyntaxError as error:
            if "exponent is a constant" not in str(error.facts["reason"]):
                raise
            hint = "if a letter in it is an integer, give its value, as in letters={'n': 3} (--letters 'n = 3')"
            raise ExpressionSyntaxError(f"{error.message}; {hint}", **error.facts) from None
        value: RegionFunction = self.evaluated(tree, letters)
        value.require_defined()
        self.require_as_written(tree, letters, value)
        return value

    def _require_divisor(self, divisor: Expression, below: Any, value: Any) -> None:
        sign = self.sign_of(below._n)
        if sign.sign is not None and sign.strict:
            return
        point = sign.zero or self._zero_of(below._n)
        where = f"may be zero for {self.region}" if point is None else f"is zero at {place(point)}"
        raise InputError(
            f"the formula divides by {shortened(str(divisor))}, which {where}; where {value} is meant there too, write that",
            divisor=divisor,
            point=point,
        )

    def _zero_of(self, p: Poly) -> dict[str, Rational] | None:
        """A rational point of the region where a polynomial is 0, looked for along the axes; or None."""
        for point in self.region.points(12):
            for i, name in enumerate(self.names):
                line: dict[int, fmpq] = {}
                for powers, c in p.terms():
                    rest = fmpq(c)
                    for j, other in enumerate(self.names):
                        rest *= 1 if i == j else point[other]._q ** int(powers[j])
                    line[int(powers[i])] = line.get(int(powers[i]), fmpq(0)) + rest
                found = fmpq_poly([line.get(k, fmpq(0)) for k in range(max(line) + 1)])
                for factor, _ in found.numer().factor()[1]:
                    if factor.degree() == 1:
                        zero = point | {name: _wrap(fmpq(-factor[0], factor[1]))}
                        if self.region.contains(zero):
                            return zero
        return None

    def _nonzero_of(self, p: Poly) -> dict[str, Rational] | None:
        """A point of the region where a polynomial is not 0; None if none was found."""
        for point in self.region.points(1000):
            if value_at(p, [point[name]._q for name in self.names], fmpq) != 0:
                return point
        return None

    def _convert(self, value: Quotient) -> Any:
        """A function of one or several of the letters."""
        if isinstance(value, RegionFunction) and not _is_within(self.region, value.field.region):
            message = f"{value} is known for {value.field.region} only, which may not contain all {self.region}"
            raise MixedDomainError(message, fields=(self, value.field))
        if isinstance(value, RationalFunction | SymbolicFunction | RegionFunction):
            names = self._own(value._field.names)
            if set(names) <= set(self.names):
                several = not isinstance(value, RationalFunction)
                parts = []
                for part in (value.numerator, value.denominator):
                    pairs = part if several else [((k,), c) for k, c in enumerate(part) if c]
                    parts.append(self._poly(tuple((self._moved(powers, names), c) for powers, c in pairs)))
                found: RegionFunction = self._lowest(*parts)
                if not isinstance(value, RegionFunction):  # of which a proposal may have poles, and is judged
                    found.require_defined()
                return found
        return super()._convert(value)

    def _own(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """The names of letters as this field has them: a, alpha and α are one letter."""
        level = next((name for name in self.names if name in LEVEL), None)
        return tuple(level if level and name in LEVEL else name for name in names)

    def _moved(self, powers: tuple[int, ...], names: tuple[str, ...]) -> tuple[int, ...]:
        exponents = dict(zip(names, powers, strict=True))
        return tuple(exponents.get(name, 0) for name in self.names)

    def _sign_inside(self, p: Poly) -> int:
        point = self._nonzero_of(p)
        return -1 if point is not None and value_at(p, [point[name]._q for name in self.names], fmpq) < 0 else 1

    @property
    def latex_names(self) -> tuple[str, ...]:
        r"""The letters in LaTeX: Greek ones by their commands, subscripts below.

        >>> RegionField("0 < p_12 < beta, beta < keep").latex_names
        ('p_{12}', '\\beta', '\\mathrm{keep}')
        """
        from exactdp.exact.latex import GREEK

        found = []
        for name in self.names:
            base, _, below = name.partition("_")
            if f"\\{base}" in GREEK:
                shown = f"\\{base}"
            elif len(base) == 1:
                shown = base
            else:
                shown = rf"\mathrm{{{base}}}"
            found.append(shown + (f"_{{{below}}}" if below else ""))
        return tuple(found)

    def join(self, other: OrderedField) -> OrderedField | None:
        """The field with the letters of both, on the points where what is assumed for either holds.

        >>> field = RegionField("0 < p < 1/2").join(RationalFunctionField())
        >>> field.names, str(field.region)
        (('p', 'a'), '0 < p < 1/2, 0 < a < 1')
        """
        names = self._own(getattr(other, "names", ()))
        if isinstance(other, SymbolField) and set(names) <= set(self.names):
            return self
        if isinstance(other, RegionField):
            assumed = other.region
        elif isinstance(other, RationalFunctionField) and all(
            isinstance(x, Rational) for x in (other.interval.lower, other.interval.upper)
        ):
            if other.interval.is_point:
                return None
            assumed = Region({names[0]: other.interval})
        else:
            return super().join(other)
        joint = part_of_both(self.region, assumed)
        return self if joint is self.region else RegionField(joint)

    def _key(self) -> tuple[Any, ...]:
        return (self.region,)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"RegionField({self.region!r})"


class RegionFormula(FormulaArithmetic, RegionFunction):
    """An element of :class:`RegionFormulas`."""

    __slots__ = ()


class RegionFormulas(FormulaField, RegionField):
    """A :class:`RegionField` as formulas; see :attr:`~exactdp.exact.field.OrderedField.formulas`."""

    __slots__ = ()
    _scalar = RegionFormula

    @property
    def judged(self) -> RegionField:
        """The field whose comparisons are about every point."""
        if self._formulas is None:
            self._set(_formulas=RegionField(self.region))
        return self._formulas  # type: ignore[return-value]

    def join(self, other: OrderedField) -> OrderedField | None:
        """The formulas with the letters of both."""
        if other.judged == self.judged:
            return self
        joint = self.judged.join(other.judged)
        return None if joint is None else joint.formulas

    def quotient(self, numerator: Any, denominator: Any = 1) -> Any:
        """The element with these coefficients, wherever it is defined."""
        return QuotientField.quotient(self, numerator, denominator)


def part_of_both(first: Region, second: Region) -> Region:
    """The points where what is assumed for either holds; the first region itself if it implies the second.

    >>> print(part_of_both(Region("0 < p < 1/2"), Region("q > p, p > 0")))
    0 < p < 1/2, q > p
    >>> part_of_both(Region("0 < p < 1/2"), Region("p > 1"))
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: no p satisfies 0 < p < 1/2, p > 1; the assumptions contradict each other or ...
    """
    level = next((name for name in first.names if name in LEVEL), None)
    renamed = [level if level and name in LEVEL else name for name in second.names]
    names = tuple(dict.fromkeys((*first.names, *renamed)))
    if len(names) > MOST_LETTERS:
        message = f"{len(names)} letters ({', '.join(names)}) are more than {MOST_LETTERS}; give some of them as numbers"
        raise InputError(message, value=names)

    def moved(own: Sequence[str], c: Constraint) -> Constraint:
        terms = tuple((tuple(dict(zip(own, powers, strict=True)).get(name, 0) for name in names), k) for powers, k in c.terms)
        return Constraint(terms, c.strict)

    mine = [moved(first.names, c) for c in first.constraints]
    new = [c for c in (moved(renamed, c) for c in second.constraints) if c not in mine]
    if names == first.names:
        from exactdp.exact.positivity import sign_on

        implied = [sign_on(first._poly(c), first) for c in new]
        new = [c for c, found in zip(new, implied, strict=True) if found.sign != 1 or (c.strict and not found.strict)]
        if not new:
            return first
    texts = [text for text, found in second._by_text() if any(moved(renamed, c) in new for c in found)]
    return Region._made(names, [*mine, *new], [*(text for text, _ in first._by_text()), *texts])


def _is_within(part: Region, whole: Region) -> bool:
    """Whether every point of a region is seen to be one of another."""
    try:
        return whole is part or (len(whole.names) <= len(part.names) and part_of_both(part, whole) is part)
    except InputError:
        return False
