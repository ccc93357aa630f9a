# SPDX-License-Identifier: MIT
"""Is a polynomial positive, or nowhere negative, on a region? A proof, a point that refutes it, or none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain, islice, product
from math import lcm
from typing import Any

from flint import fmpq, fmpz_mpoly, fmpz_poly

from exactdp.errors import DefectiveAnswerError
from exactdp.exact.intervals import Interval, real_roots
from exactdp.exact.positivity.cones import Inequality, Polyhedron, Row, linear, row_of, times
from exactdp.exact.positivity.proof import (
    Assignment,
    Lemma,
    Product,
    Proof,
    RegionLike,
    Sign,
    Sum,
    Terms,
    Tree,
    is_strict,
    poly_in,
    ring,
    size_of,
    steps_of,
    terms_of,
    times_and_plus,
    value_of,
)
from exactdp.exact.positivity.search import NegativeError, Search
from exactdp.exact.positivity.squares import completed, sum_of_squares
from exactdp.exact.positivity.zeros import touching_points
from exactdp.exact.rational import Rational, _wrap
from exactdp.runtime.progress import Progress, listener_of

CELLS = 400
"""So many cells are looked at in one search before a question is left open."""

POINTS = 48
"""Rational points at which a sign is looked for first."""

MANY = 500
"""Points at which a polynomial that is not zero is looked at before it is looked at along a curve."""

FEW = 8
"""Points on lines through which a zero is looked for."""

FEW_CELLS = 24
"""Cells of the search that comes before harder attempts."""


def sign_on(polynomial: Any, region: RegionLike, *, cells: int = CELLS) -> Sign:
    """The sign of a polynomial on a region, as far as it is found.

    It is factored over ℚ, and each factor is looked at alone: it may be a constraint, or a sum of squares.
    Otherwise it is brought into Bernstein form on a product of simplices, which are cut until no coefficient
    is negative. Cuts go through rational points where the factor is zero without changing its sign.

    * ``polynomial``: in the letters of the region.
    * ``region``: what the letters may be.
    * ``cells``: how many cells one search may look at.

    Returns: the sign with lemmas that show it, or points with different signs, or neither.

    >>> from exactdp.exact.region import Region
    >>> unit = Region({"p": "(0, 1)", "q": "(0, 1)"})
    >>> found = sign_on((((2, 0), 1), ((1, 1), -2), ((0, 2), 1)), unit)      # (p − q)²
    >>> found.sign, found.strict, found.zero == {"p": Rational("1/2"), "q": Rational("1/2")}
    (1, False, True)
    """
    question = Question(region, cells)
    return question.sign(poly_in(question.context, polynomial))


@dataclass(frozen=True, slots=True)
class _Factor:
    """What is known about a factor that is positive somewhere: a tree, or a negative point; a zero."""

    tree: Tree | None = None
    negative: Assignment | None = None
    zero: Assignment | None = None


@dataclass
class _Shown:
    """What the factors looked at so far show together: a zero, lemmas, and how much they prove."""

    zero: Assignment | None
    lemmas: dict[Lemma, None] = field(default_factory=dict)
    strict: bool = True
    complete: bool = True


@dataclass
class Question:
    """A region prepared for questions about the signs of polynomials."""

    region: RegionLike
    cells: int = CELLS
    context: Any = field(init=False)
    _done: int = field(init=False, default=0)
    _known: list[Assignment] = field(init=False, default_factory=list)
    _source: Iterator[Assignment] | None = field(init=False, default=None)
    _polyhedra: dict[tuple[int, ...], Polyhedron | None] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.context, self.names = ring(self.region), tuple(self.region.names)
        count = len(self.names)
        self.listener = listener_of(None)
        polynomials = [(poly_in(self.context, c.terms), bool(c.strict)) for c in self.region.constraints]
        self.facts = [Inequality(p, strict, row_of(p, count)) for p, strict in polynomials]
        one = (0,) * count + (1,)
        self.linear = [f for f in self.facts if f.row is not None]
        self.curved = [f for f in self.facts if f.row is None]
        self.one = Inequality(linear(self.context, one), True, one)
        self.blocks = _components([f.letters for f in self.linear], count)

    def contains(self, point: Assignment) -> bool:
        """Whether a point is in the region."""
        values = ((value_of(fact.polynomial, self.names, point).sign(), fact.strict) for fact in self.facts)
        return all(sign > 0 or (sign == 0 and not strict) for sign, strict in values)

    def heard(self) -> None:
        """One more cell."""
        self._done += 1
        if self.listener is not None:
            self.listener(Progress("signs of polynomials", self._done, None, "cells"))

    def points(self, number: int = POINTS) -> list[Assignment]:
        """A few points of the region."""
        if self._source is None:
            self._source = self.region.points(POINTS)
        self._known.extend(islice(self._source, max(0, number - len(self._known))))
        return self._known[:number]

    # --- The polynomial ---

    def sign(self, p: fmpz_mpoly) -> Sign:
        """See :func:`sign_on`."""
        if p.is_zero():
            return Sign(0, False, zero=dict(self.region.inside))
        # one point where p is not zero says which sign it can have
        sample = self.sample(p)
        whole = value_of(p, self.names, sample).sign()
        factors = self._factors_positive_at(sample, p)
        # factors that are constraints or single sums of products need no search
        simple = self._simple_lemmas([factor for factor, _ in factors])
        if simple is not None:
            positive, negative = (sample, None) if whole > 0 else (None, sample)
            return self._shown_sign(p, Sign(whole, True, simple, positive, negative))
        # a few points may show both signs
        points = {whole: sample, -whole: None, 0: None}
        if any(self._constraint(factor) is None for factor, _ in factors):
            points = self._points(p)
        if points[-1] is not None and points[1] is not None:
            return Sign(None, False, (), points[1], points[-1], points[0])
        # otherwise every factor is shown to be positive, or becomes negative somewhere
        shown = _Shown(points[0])
        for factor, exponent in factors:
            falls = self._show_factor(factor, exponent, sample, shown)
            if falls is None:
                continue
            other = self._changed(p, whole, sample, falls)
            if other is not None:
                here, there = (sample, other) if whole > 0 else (other, sample)
                return Sign(None, False, (), here, there, shown.zero)
            shown.complete = False
        if not shown.complete:
            return Sign(None, False, (), points[1], points[-1], shown.zero)
        zero = None if shown.strict else shown.zero
        return self._shown_sign(p, Sign(whole, shown.strict, tuple(shown.lemmas), points[1], points[-1], zero))

    def _factors_positive_at(self, sample: Assignment, p: fmpz_mpoly) -> list[tuple[fmpz_mpoly, int]]:
        """The factors with their exponents, each turned to be positive at a point, in an order of our own.

        FLINT's order depends on its version.
        """
        turned = ((f if value_of(f, self.names, sample).sign() > 0 else -f, int(k)) for f, k in p.factor()[1])
        return sorted(turned, key=lambda pair: (len(pair[0]), terms_of(pair[0])))

    def _show_factor(self, factor: fmpz_mpoly, exponent: int, sample: Assignment, shown: _Shown) -> Assignment | None:
        """Take down what shows that a power of a factor is nowhere negative; or a point where it is."""
        fact = self._constraint(factor)
        if fact is not None and fact.strict:  # the constraint says all that is asked
            return None
        even = exponent % 2 == 0
        shown.zero = shown.zero or (self._zero_of(factor) if fact is None else self._on_boundary(fact))
        is_answered = fact is not None and shown.zero is not None
        found = _Factor() if is_answered else self.factor(factor, known=fact is not None)
        shown.zero = shown.zero or found.zero or (found.negative and self._between(factor, sample, found.negative))
        if found.negative is not None and not even:
            return found.negative
        if fact is not None and (found.tree is None or not is_strict(found.tree)):
            shown.strict = False
        elif found.tree is not None:
            lemma = Lemma(terms_of(factor), is_strict(found.tree), steps_of(found.tree, self.region))
            shown.lemmas[lemma] = None
            shown.strict = shown.strict and lemma.strict
        elif even:
            square = Sum((Product(Rational(1), (), terms_of(factor ** (exponent // 2))),), False)
            shown.lemmas[Lemma(terms_of(factor**exponent), False, steps_of(square, self.region))] = None
            shown.strict = False
        else:
            shown.complete = False
        return None

    def _shown_sign(self, p: fmpz_mpoly, found: Sign) -> Sign:
        """The sign, after its proof was multiplied out."""
        if not Proof(terms_of(p if found.sign == 1 else -p), found.strict, found.lemmas).holds(self.region):
            message = f"the proof of the sign of {p} does not multiply out; please report this"
            raise DefectiveAnswerError(message, polynomial=terms_of(p))
        return found

    def _simple_lemmas(self, factors: Sequence[fmpz_mpoly]) -> tuple[Lemma, ...] | None:
        """Lemmas that all factors are positive, if each is a constraint or one sum of products."""
        lemmas = dict[Lemma, None]()
        for factor in factors:
            fact = self._constraint(factor)
            if fact is None or not fact.strict:
                _, tree = self._shown(factor)
                if tree is None or not tree.strict:
                    return None
                lemmas[Lemma(terms_of(factor), True, steps_of(tree, self.region))] = None
        return tuple(lemmas)

    def _points(self, p: fmpz_mpoly) -> dict[int, Assignment | None]:
        """A point for each sign that a few points show."""
        found: dict[int, Assignment | None] = {-1: None, 0: None, 1: None}
        for point in self.points():
            sign = value_of(p, self.names, point).sign()
            found[sign] = found[sign] or point
        return found

    def sample(self, p: fmpz_mpoly) -> Assignment:
        """A point of the region where the polynomial is not zero."""
        inside = dict(self.region.inside)
        if value_of(p, self.names, inside):
            return inside
        for point in chain(self.points(), self.region.points(MANY)):
            if value_of(p, self.names, point):
                return point
        base, step = int(p.total_degree()) + 1, Rational(1, 2)
        while True:  # along this curve no polynomial of its degree vanishes
            point = {name: x + step**base**k for k, (name, x) in enumerate(inside.items())}
            if self.contains(point) and value_of(p, self.names, point):
                return point
            step = step / 2

    def _constraint(self, p: fmpz_mpoly) -> Inequality | None:
        """The constraint that it is, up to a positive number; a strict one if there is one."""
        same = [fact for fact in self.facts if _proportional(p, fact.polynomial)]
        return next((fact for fact in same if fact.strict), same[0] if same else None)

    def _changed(self, p: fmpz_mpoly, sign: int, sample: Assignment, near: Assignment) -> Assignment | None:
        """A point where the polynomial has the other sign than at the sample.

        It is near one where a factor has another sign; or on the way there, where several factors change.
        """
        moved = (_moved(near, step, places) for step in (3, 6, 12, 24) for places in product((-1, 0, 1), repeat=len(near)))
        for point in chain((near,), moved, self._parted(p, sample, near)):
            if self.contains(point) and value_of(p, self.names, point).sign() == -sign:
                return self._short(point, p, -sign)
        return None

    def _parted(self, p: fmpz_mpoly, above: Assignment, below: Assignment) -> Iterator[Assignment]:
        """A point in each part of the way between two, which the zeros of the polynomial cut."""
        way, whole = self._along(p, above, below), Interval(0, 1)
        for part in whole.split(root for root, _ in real_roots(way, whole)) if way else ():
            if not part.is_point:
                yield _on_the_way(above, below, part.sample())

    def _along(self, p: fmpz_mpoly, above: Assignment, below: Assignment) -> fmpz_poly:
        """A positive multiple of the polynomial on a line, whose points 0 and 1 are these two."""
        degree, total = int(p.total_degree()), fmpz_poly([0])
        scale = lcm(*(x.denominator for point in (above, below) for x in point.values()))
        path = [
            fmpz_poly([(x * scale).numerator, ((y - x) * scale).numerator]) for x, y in zip(above.values(), below.values(), strict=True)
        ]
        for powers, c in p.terms():
            term = fmpz_poly([c * scale ** (degree - sum(map(int, powers)))])
            for step, e in zip(path, powers, strict=True):
                term *= step ** int(e)
            total += term
        return total

    def _short(self, point: Assignment, p: fmpz_mpoly, sign: int) -> Assignment:
        """A point with shorter numbers that shows the same."""
        for bits in range(1, 40):
            near = {name: _near(x, 1 << bits) for name, x in point.items()}
            if near == point:
                break
            if self.contains(near) and value_of(p, self.names, near).sign() == sign:
                return near
        return point

    def _between(self, p: fmpz_mpoly, above: Assignment, below: Assignment) -> Assignment | None:
        """A rational zero of a polynomial between two points, if there is one in the region."""
        total = self._along(p, above, below)
        linear_factors = [f for f, _ in (total.factor()[1] if total else ()) if f.degree() == 1]
        for root in sorted(Rational(-int(f[0]), int(f[1])) for f in linear_factors):
            point = _on_the_way(above, below, root)
            if self.contains(point):
                return point
        return None

    def _zero_of(self, p: fmpz_mpoly) -> Assignment | None:
        """A zero on the lines through a few points of the region, parallel to the axes."""
        for point in self.points(FEW):
            for name, degree in zip(self.names, p.degrees(), strict=True):
                found = self._between(p, point, {**point, name: point[name] + 1}) if degree else None
                if found is not None:
                    return found
        return None

    def _on_boundary(self, fact: Inequality) -> Assignment | None:
        """A point of the region where a linear constraint is 0; None if none is seen."""
        if fact.row is None:
            return self._zero_of(fact.polynomial)
        block = next(b for b in self.blocks if fact.letters <= set(b))
        polyhedron = self._polyhedron(block)
        tight = [g for g in (polyhedron.generators if polyhedron else ()) if polyhedron and times(polyhedron.part(fact), g) == 0]
        total = [sum(column) for column in zip(*tight, strict=True)]
        if not total or not total[-1]:
            return None
        point = dict(self.region.inside)
        for place, k in enumerate(block):
            point[self.names[k]] = Rational(total[place], total[-1])
        return point if self.contains(point) else None

    # --- One factor ---

    def factor(self, p: fmpz_mpoly, *, known: bool = False) -> _Factor:
        """What is known about a polynomial that is positive somewhere: simple forms first.

        Of one that is ``known`` to be nowhere negative, no others.
        """
        best: Tree | None = None
        zero: Assignment | None = None
        try:
            for tree, found in self._trees(p, known):
                zero = zero or found
                if tree is not None and (best is None or (is_strict(tree), -size_of(tree)) > (is_strict(best), -size_of(best))):
                    best = tree
                if best is not None and (is_strict(best) or zero is not None):
                    break
        except NegativeError as error:
            return _Factor(negative=error.point)
        return _Factor(best, None, zero)

    def _trees(self, p: fmpz_mpoly, nonnegative: bool) -> Iterator[tuple[Tree | None, Assignment | None]]:
        """One attempt after the other, quick ones first: (a tree or None, a zero in the region or None)."""
        curved = [f for f in self.curved if not _proportional(p, f.polynomial)]
        letters = {k for k, d in enumerate(p.degrees()) if d}
        blocks = [block for block in self.blocks if letters & set(block)]
        known = [x for x in map(self._polyhedron, blocks) if x is not None]
        has_cells = len(known) == len(blocks)
        # one Bernstein form
        if has_cells:
            yield self._searched(p, known, 1)
        # a sum of squares
        squares = sum_of_squares(p, self.facts, False)
        if squares is not None:
            yield sum_of_squares(p, self.facts, True) or squares, None
        # a few cells
        bounded = all(g[-1] for block in known for g in block.generators)
        if has_cells and (bounded or len(known) == 1):
            yield self._searched(p, known, FEW_CELLS)
        # a square in one letter, and a rest
        yield from self._completed(p)
        # one Bernstein form with the facts that are not linear
        wide = self._with_conditions(letters, curved)
        if wide:
            yield self._searched(p, wide, 1, True, (), curved)
        # as many cells as may be looked at
        if has_cells and not nonnegative:
            yield from self._by_cells(p, known, bounded, wide, curved)

    def _by_cells(
        self,
        p: fmpz_mpoly,
        known: Sequence[Polyhedron],
        bounded: bool,
        wide: Sequence[Polyhedron],
        curved: Sequence[Inequality],
    ) -> Iterator[tuple[Tree | None, Assignment | None]]:
        """Attempts on many cells, which are cut through the points where the polynomial could touch zero."""
        merged = self._polyhedron(tuple(sorted(k for block in known for k in block.letters)))
        touching = touching_points(p, merged) if merged is not None and merged.generators else []
        zero = next((point for point in (self._point_of(z, merged) for z in touching) if self.contains(point)), None)
        if zero is not None:
            yield None, zero
        ways: list[Sequence[Polyhedron]] = [known]
        if merged is not None and len(known) > 1:
            ways.append([merged])
        if not bounded:
            ways.reverse()
        for positive in (False, True):
            found = False
            for way in ways:
                tree, zero = self._searched(p, way, self.cells, positive, touching)
                found = found or tree is not None
                yield tree, zero
            if not found:
                break
        if wide:
            yield self._searched(p, wide, self.cells, True, touching, curved)

    def _with_conditions(self, letters: set[int], curved: Sequence[Inequality]) -> list[Polyhedron]:
        """Where these letters and those of the facts that are not linear live; empty without such facts."""
        more = letters.union(*(f.letters for f in curved))
        wide = [self._polyhedron(block) for block in self.blocks if more & set(block)] if curved else []
        return [] if None in wide else [x for x in wide if x is not None]

    def _searched(
        self,
        p: fmpz_mpoly,
        blocks: Sequence[Polyhedron],
        cells: int,
        strict: bool = False,
        touching: Sequence[Row] = (),
        others: Sequence[Inequality] = (),
    ) -> tuple[Tree | None, Assignment | None]:
        search = Search(self.region, p, strict, touching, self.heard, self.contains, min(cells, self.cells), others=others)
        tree = search.tree(blocks)
        return tree, search.zero

    def _completed(self, p: fmpz_mpoly) -> Iterator[tuple[Tree | None, Assignment | None]]:
        """Trees of the polynomial as a square and a rest in fewer letters."""
        for share, squares, rest in completed(p, self._shown):
            if rest.is_zero():
                yield Sum(squares, False), None
            elif all(value_of(rest, self.names, point).sign() >= 0 for point in self.points()):
                tree = self._divided(rest)
                if tree is not None:
                    yield times_and_plus(tree, Product(share), True, self.context, squares), None

    def _shown(self, p: fmpz_mpoly) -> tuple[int, Sum | None]:
        """The sign of a polynomial, and the sum of products that shows it, if one is enough."""
        if p.is_constant():
            return 1, Sum((Product(Rational(1)),), True)
        sign = value_of(p, self.names, self.sample(p)).sign()
        letters = {k for k, d in enumerate(p.degrees()) if d}
        known = [self._polyhedron(block) for block in self.blocks if letters & set(block)]
        try:
            tree, _ = self._searched(sign * p, [x for x in known if x is not None], 1)
        except NegativeError:
            tree = None
        return sign, tree if isinstance(tree, Sum) and None not in known else None

    def _divided(self, p: fmpz_mpoly) -> Tree | None:
        """A tree of any polynomial: facts and squares are divided out first."""
        constant, factors = p.factor()
        number, sure, root, core = fmpq(int(constant)), True, self.context.constant(1), self.context.constant(1)
        powers: list[tuple[Terms, int]] = []
        for factor, exponent in factors:
            fact = self._constraint(factor) or self._constraint(-factor)
            if fact is not None:
                scale = fmpq(factor.leading_coefficient(), fact.polynomial.leading_coefficient())
                powers.append((terms_of(fact.polynomial), int(exponent)))
                number, sure = number * scale ** int(exponent), sure and fact.strict
            else:
                root, core = root * factor ** (int(exponent) // 2), core * factor ** (int(exponent) % 2)
        core, number = (core, number) if number > 0 else (-core, -number)
        times = Product(_wrap(number), tuple(powers), None if root.is_one() else terms_of(root))
        sure = sure and times.square is None
        if core.is_constant():
            one = Sum((Product(Rational(1)),), True)
            return times_and_plus(one, times, sure, self.context) if core.leading_coefficient() > 0 else None
        found = self.factor(core).tree
        return None if found is None else times_and_plus(found, times, sure, self.context)

    def _polyhedron(self, letters: tuple[int, ...]) -> Polyhedron | None:
        if letters not in self._polyhedra:
            self._polyhedra[letters] = Polyhedron.of(letters, [*(f for f in self.linear if f.letters <= set(letters)), self.one])
        return self._polyhedra[letters]

    def _point_of(self, vector: Row, polyhedron: Polyhedron | None) -> Assignment:
        """The point with these coordinates in the letters of a polyhedron."""
        places = () if polyhedron is None else polyhedron.letters
        return {**self.region.inside, **{self.names[k]: Rational(vector[k], vector[-1]) for k in places}}


def _components(sets: Sequence[frozenset[int]], count: int) -> list[tuple[int, ...]]:
    """The letters that constraints connect."""
    groups = [{k} for k in range(count)]
    for letters in sets:
        joined = [g for g in groups if g & letters]
        if len(joined) > 1:
            groups = [g for g in groups if not g & letters] + [set[int]().union(*joined)]
    return sorted(tuple(sorted(g)) for g in groups)


def _proportional(p: fmpz_mpoly, q: fmpz_mpoly) -> bool:
    """Whether one is a positive number times the other."""
    if len(p) != len(q):
        return False
    first, second = p.leading_coefficient(), q.leading_coefficient()
    return bool(first * second > 0 and p * second == q * first)


def _on_the_way(first: Assignment, second: Assignment, share: Rational) -> Assignment:
    return {name: x + share * (second[name] - x) for name, x in first.items()}


def _moved(point: Assignment, bits: int, places: Sequence[int]) -> Assignment:
    return {name: x + Rational(k, 1 << bits) for (name, x), k in zip(point.items(), places, strict=True)}


def _near(x: Rational, most: int) -> Rational:
    short = Fraction(x.numerator, x.denominator).limit_denominator(most)
    return Rational(short.numerator, short.denominator)
