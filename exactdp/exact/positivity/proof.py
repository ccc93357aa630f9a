# SPDX-License-Identifier: MIT
"""What shows the sign of a polynomial on a region: sums of products of facts, and splits; or a point.

While a proof is made it is a tree of sums of products, whose facts are polynomials (:data:`Tree`);
:func:`steps_of` gives its final form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from flint import Ordering, fmpq, fmpz_mpoly, fmpz_mpoly_ctx

from exactdp.exact.polynomial import terms, value_at
from exactdp.exact.rational import Rational, _wrap

Terms = tuple[tuple[tuple[int, ...], int], ...]
"""A polynomial: its terms (exponents, coefficient), highest first."""

Assignment = dict[str, Rational]
"""A number for each letter."""


class RegionLike(Protocol):
    """What a proof needs of a region (:class:`exactdp.exact.Region`)."""

    @property
    def names(self) -> tuple[str, ...]:
        """The letters."""

    @property
    def constraints(self) -> Sequence[Any]:
        """What holds: each has ``terms``, and is ``strict`` (> 0) or not (≥ 0)."""

    @property
    def inside(self) -> Assignment:
        """A point where every constraint holds strictly."""

    def contains(self, point: Mapping[str, object]) -> bool:
        """Whether every constraint holds at the point."""

    def points(self, number: int) -> Iterator[Assignment]:
        """Up to so many points of the region."""


class Fact(NamedTuple):
    """A constraint of the region by its place, or a split by its place on the way to a leaf."""

    split: bool
    place: int


@dataclass(frozen=True, slots=True)
class Term:
    """c·s²·∏ f^e: the number c > 0, the facts f with their exponents, and s, or None for 1."""

    times: Rational
    powers: tuple[tuple[Fact, int], ...] = ()
    square: Terms | None = None


@dataclass(frozen=True, slots=True)
class Split:
    """The polynomial H of a split; the part where H ≥ 0 follows, then that where −H ≥ 0."""

    terms: Terms


Step = tuple[Term, ...] | Split


@dataclass(frozen=True, slots=True)
class Lemma:
    """A polynomial that is > 0 (strict) or ≥ 0 on a region, with its proof: leaves and splits in preorder."""

    terms: Terms
    strict: bool
    proof: tuple[Step, ...]

    @property
    def size(self) -> int:
        """How many terms its leaves have."""
        return sum(len(step) for step in self.proof if not isinstance(step, Split))

    def holds(self, region: RegionLike) -> bool:
        """Whether the proof is one, by multiplying it out."""
        context = ring(region)
        facts = [(poly_in(context, c.terms), bool(c.strict)) for c in region.constraints]
        steps = iter(self.proof)
        goal = poly_in(context, self.terms)
        return self._follows(goal, steps, facts, ()) and next(steps, None) is None

    def _follows(
        self, goal: fmpz_mpoly, steps: Iterator[Step], facts: Sequence[tuple[fmpz_mpoly, bool]], path: tuple[fmpz_mpoly, ...]
    ) -> bool:
        step = next(steps, None)
        if isinstance(step, Split):
            form = poly_in(goal.context(), step.terms)
            return self._follows(goal, steps, facts, (*path, form)) and self._follows(goal, steps, facts, (*path, -form))
        if step is None:
            return False
        total, below, positive = goal.context().constant(0), 1, not self.strict
        for term in step:
            if term.times.sign() <= 0 or any(e < 1 for _, e in term.powers) or len({f for f, _ in term.powers}) < len(term.powers):
                return False
            product, sure = goal.context().constant(term.times.numerator), term.square is None
            if term.square is not None:
                product *= poly_in(goal.context(), term.square) ** 2
            for (split, place), exponent in term.powers:
                if not 0 <= place < len(path if split else facts):
                    return False
                fact, strict = (path[place], False) if split else facts[place]
                product *= fact**exponent
                sure = sure and strict
            total, below = total * term.times.denominator + product * below, below * term.times.denominator
            positive = positive or sure
        return positive and bool(total == goal * below)


@dataclass(frozen=True, slots=True)
class Proof:
    """A polynomial is > 0 (``strict``) or ≥ 0 on a region.

    It is a positive number times a product of constraints and of the lemmas' polynomials.

    * ``strict``: whether it is positive everywhere; otherwise it is nowhere negative.
    * ``lemmas``: what has to be known beside the constraints.
    """

    terms: Terms
    strict: bool
    lemmas: tuple[Lemma, ...] = ()

    def holds(self, region: RegionLike) -> bool:
        """Whether the proof is one, by multiplying and dividing."""
        context = ring(region)
        rest = poly_in(context, self.terms)
        if rest.is_zero():
            return not self.strict
        facts = [(poly_in(context, x.terms), bool(x.strict)) for x in (*region.constraints, *self.lemmas)]
        for fact, strict in reversed(facts):
            while not fact.is_constant() and (strict or not self.strict):
                quotient, remainder = divmod(rest, fact)
                if not remainder.is_zero():
                    break
                rest = quotient
        return bool(rest.is_constant() and rest.leading_coefficient() > 0) and all(lemma.holds(region) for lemma in self.lemmas)


@dataclass(frozen=True, slots=True)
class Sign:
    """What is known about the sign of a polynomial on a region.

    * ``sign``: 1 or −1: it is ≥ 0, or ≤ 0, everywhere; 0: it is zero; None: neither is known.
    * ``strict``: whether it is proved to be never zero.
    * ``lemmas``: what shows it: with the constraints, the facts that divide it.
    * ``positive``, ``negative``, ``zero``: points of the region where it is.
    """

    sign: int | None
    strict: bool
    lemmas: tuple[Lemma, ...] = ()
    positive: Assignment | None = None
    negative: Assignment | None = None
    zero: Assignment | None = None


def ring(region: RegionLike) -> Any:
    """The polynomials in the letters of a region."""
    return fmpz_mpoly_ctx.get(tuple(region.names), Ordering.lex)


def poly_in(context: Any, value: Any) -> fmpz_mpoly:
    """A polynomial in this ring: its terms, or itself."""
    if isinstance(value, fmpz_mpoly) and value.context() == context:
        return value
    pairs = terms(value) if isinstance(value, fmpz_mpoly) else value
    result: fmpz_mpoly = context.from_dict({tuple(powers): c for powers, c in pairs if c})
    return result


def terms_of(p: fmpz_mpoly) -> Terms:
    """The terms of a polynomial, as a constraint has them."""
    return tuple(terms(p))


def value_of(p: fmpz_mpoly, names: Sequence[str], point: Mapping[str, Rational]) -> Rational:
    """The value of a polynomial at a point."""
    return _wrap(value_at(p, [point[name]._q for name in names], fmpq))


@dataclass(frozen=True, slots=True)
class Product:
    """times · square² · ∏ fact^exponent."""

    times: Rational
    powers: tuple[tuple[Terms, int], ...] = ()
    square: Terms | None = None


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum of products that is the polynomial; ``strict`` if one of them is positive for sure."""

    products: tuple[Product, ...]
    strict: bool


@dataclass(frozen=True, slots=True)
class Cases:
    """Two cases: a form is a fact in the one, its negative in the other."""

    form: Terms
    nonnegative: Tree
    nonpositive: Tree


Tree = Sum | Cases


def is_strict(tree: Tree) -> bool:
    """Whether every sum shows that the polynomial is positive."""
    return tree.strict if isinstance(tree, Sum) else is_strict(tree.nonnegative) and is_strict(tree.nonpositive)


def times_and_plus(tree: Tree, times: Product, sure: bool, context: Any, plus: tuple[Product, ...] = ()) -> Tree:
    """A proof of times · polynomial + plus from one of the polynomial; ``sure``: times is positive."""
    if isinstance(tree, Cases):
        first, second = (times_and_plus(part, times, sure, context, plus) for part in (tree.nonnegative, tree.nonpositive))
        return Cases(tree.form, first, second)
    return Sum((*(_times(t, times, context) for t in tree.products), *plus), tree.strict and sure)


def _times(t: Product, other: Product, context: Any) -> Product:
    powers = dict(t.powers)
    for fact, e in other.powers:
        powers[fact] = powers.get(fact, 0) + e
    square = t.square or other.square
    if t.square is not None and other.square is not None:
        square = terms_of(poly_in(context, t.square) * poly_in(context, other.square))
    return Product(t.times * other.times, tuple(powers.items()), square)


def size_of(tree: Tree) -> int:
    """How many products and cuts there are."""
    return len(tree.products) if isinstance(tree, Sum) else 1 + size_of(tree.nonnegative) + size_of(tree.nonpositive)


def steps_of(tree: Tree, region: RegionLike) -> tuple[Step, ...]:
    """The proof in its final form: a split before its two parts, and a place for each fact."""
    context = ring(region)
    known: dict[Terms, int] = {}
    for strict in (False, True):  # of equal polynomials the strict constraint counts
        for place, c in enumerate(region.constraints):
            if bool(c.strict) is strict:
                known[terms_of(poly_in(context, c.terms))] = place
    return tuple(_steps(tree, known, ()))


def _steps(tree: Tree, known: dict[Terms, int], path: tuple[Terms, ...]) -> Iterator[Step]:
    if isinstance(tree, Cases):
        yield Split(tree.form)
        yield from _steps(tree.nonnegative, known, (*path, tree.form))
        yield from _steps(tree.nonpositive, known, (*path, negated(tree.form)))
        return
    yield tuple(Term(t.times, _powers(t.powers, known, path), t.square) for t in tree.products)


def _powers(powers: Sequence[tuple[Terms, int]], known: dict[Terms, int], path: Sequence[Terms]) -> tuple[tuple[Fact, int], ...]:
    found: dict[Fact, int] = {}
    for base, exponent in powers:
        fact = Fact(False, known[base]) if base in known else Fact(True, path.index(base))
        found[fact] = found.get(fact, 0) + exponent
    return tuple(sorted(found.items()))


def negated(terms: Terms) -> Terms:
    """The polynomial with the other sign."""
    return tuple((powers, -c) for powers, c in terms)
