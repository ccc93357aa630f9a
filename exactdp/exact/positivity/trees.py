# SPDX-License-Identifier: MIT
"""Proofs while they are made: trees of sums of products, whose facts are polynomials; their final form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from exactdp.exact.positivity.proof import Fact, RegionLike, Split, Step, Term, Terms, poly_in, ring, terms_of
from exactdp.exact.rational import Rational


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
    for terms, exponent in powers:
        fact = Fact(False, known[terms]) if terms in known else Fact(True, path.index(terms))
        found[fact] = found.get(fact, 0) + exponent
    return tuple(sorted(found.items()))


def negated(terms: Terms) -> Terms:
    """The polynomial with the other sign."""
    return tuple((powers, -c) for powers, c in terms)
