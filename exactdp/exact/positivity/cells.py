# SPDX-License-Identifier: MIT
"""A polynomial on a product of simplices: its Bernstein form, in products of the facets' forms.

On a simplex (also one with rays) with generators g₀ … g_d every point (x, 1) is Σ μ_k(x)·g_k, where μ_k is a
positive multiple of facet k's form. A polynomial of degree D becomes a form of degree D in the μ_k, and if no
coefficient is negative, this form shows that the polynomial is ≥ 0. An interval is a simplex; on a box the
form is the tensor Bernstein form.

How much of each product with a condition a polynomial contains, numbers λ ≥ 0 with A·λ ≤ b say
(:func:`multipliers`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product
from math import comb, gcd, prod
from typing import Any

from flint import Ordering, fmpq, fmpz, fmpz_mpoly, fmpz_mpoly_ctx

from exactdp.exact.cached import cached_property
from exactdp.exact.positivity.cones import Inequality, Polyhedron, Row, linear, primitive, times
from exactdp.exact.positivity.proof import Product, Sum, Terms, terms_of
from exactdp.exact.rational import _wrap

MOST_PIVOTS = 400
"""So many exchanges are made before a system is left open."""

MOST_NUMBERS = 40_000
"""A system with more numbers is left open."""


def multipliers(columns: Sequence[Mapping[Any, fmpq]], bound: Mapping[Any, fmpq]) -> list[fmpq] | None:
    """Numbers λ_j ≥ 0 with Σ_j λ_j·columns[j] ≤ bound in every row; None if none were found.

    A row that a mapping does not have is 0. A column takes the place of a violated row, always the first that
    can (Bland's rule, for the dual simplex method without costs).

    >>> one, two = fmpq(1), fmpq(2)
    >>> multipliers([{"x": -one, "y": one}], {"x": -one, "y": two})
    [1]
    >>> multipliers([{"x": -one, "y": one}], {"x": -two, "y": one}) is None
    True
    """
    rows = list(dict.fromkeys(row for part in (bound, *columns) for row in part))
    rows = [row for row in rows if bound.get(row, 0) < 0 or any(column.get(row, 0) > 0 for column in columns)]
    if len(rows) * len(columns) > MOST_NUMBERS:
        return None
    zero = fmpq(0)
    table = [[*(column.get(row, zero) for column in columns), bound.get(row, zero)] for row in rows]
    inside, outside = list(range(len(columns), len(columns) + len(rows))), list(range(len(columns)))
    for _ in range(MOST_PIVOTS):
        violated = [i for i, line in enumerate(table) if line[-1] < 0]
        if not violated:
            values = dict(zip(inside, (line[-1] for line in table), strict=True))
            return [values.get(j, zero) for j in range(len(columns))]
        i = min(violated, key=inside.__getitem__)
        usable = [j for j in range(len(outside)) if table[i][j] < 0]
        if not usable:
            return None
        j = min(usable, key=outside.__getitem__)
        _exchange(table, i, j)
        inside[i], outside[j] = outside[j], inside[i]
    return None


def _exchange(table: list[list[fmpq]], i: int, j: int) -> None:
    """The variable of column j takes the place of that of row i."""
    pivot = table[i][j]
    line = [x / pivot for x in table[i]]
    line[j] = 1 / pivot
    for k, other in enumerate(table):
        share = other[j]
        if k != i and share:
            changed = [x - share * y if y else x for x, y in zip(other, line, strict=True)]
            changed[j] = -share * line[j]
            table[k] = changed
    table[i] = line


Exponents = tuple[int, ...]
Coefficients = dict[Exponents, fmpq]

MOST_COEFFICIENTS = 20_000
"""A polynomial with more is not brought into this form."""

FEW = 300
"""So many coefficients are searched for a shorter sum, and for the best cut."""


class Homogeneous:
    """A polynomial made homogeneous in each block of letters, for all cells with the same blocks.

    ``others`` are further facts, which are brought to the same degrees: the polynomial may contain them.
    """

    def __init__(
        self, p: fmpz_mpoly, blocks: Sequence[tuple[int, ...]], others: Sequence[Inequality] = (), least: Sequence[int] = ()
    ) -> None:
        names = p.context().names()
        self.polynomial = p
        self.blocks = tuple(blocks)
        self.degrees = tuple(least) or tuple(
            max((sum(int(powers[k]) for k in b) for q in (p, *(f.polynomial for f in others)) for powers, _ in q.terms()), default=0)
            for b in blocks
        )
        self.others = tuple((f, Homogeneous(f.polynomial, blocks, (), self.degrees)) for f in others)
        below = tuple(f"_w{i}" for i in range(len(blocks)))
        context = fmpz_mpoly_ctx.get((*names, *below), Ordering.lex)
        lifted = {}
        for powers, c in p.terms():
            rest = [d - sum(int(powers[k]) for k in b) for b, d in zip(blocks, self.degrees, strict=True)]
            lifted[(*map(int, powers), *rest)] = c
        self.lifted = context.from_dict(lifted)
        self.count = len(names)

    @property
    def size(self) -> int:
        """How many coefficients a cell may have."""
        return prod(comb(len(b) + d, d) for b, d in zip(self.blocks, self.degrees, strict=True))

    def on(self, blocks: Sequence[Polyhedron]) -> Cell:
        """The form on a product of simplices."""
        return Cell(self, tuple(blocks))


@dataclass(frozen=True, eq=False)
class Cell:
    """A polynomial on a product of simplices."""

    form: Homogeneous
    blocks: tuple[Polyhedron, ...]

    @cached_property
    def generators(self) -> list[tuple[int, Row]]:
        """All generators, with the number of their block."""
        return [(b, g) for b, block in enumerate(self.blocks) for g in block.generators]

    @cached_property
    def facts(self) -> list[Inequality]:
        """The facets' forms, one for each generator."""
        return [fact for block in self.blocks for fact in block.facts]

    @cached_property
    def _ring(self) -> Any:
        return fmpz_mpoly_ctx.get(tuple(f"_u{k}" for k in range(len(self.generators))), Ordering.lex)

    @cached_property
    def _weights(self) -> list[fmpz_mpoly]:
        """For each block the form that is 1 at points: Σ (last entry of g_k)·μ_k."""
        sums = [self._ring.constant(0) for _ in self.blocks]
        for (b, g), u in zip(self.generators, self._ring.gens(), strict=True):
            sums[b] += g[-1] * u
        return sums

    @cached_property
    def coefficients(self) -> Coefficients:
        """The Bernstein form: exponents of the μ_k, and coefficients that are not 0."""
        zero = self._ring.constant(0)
        letters = [zero for _ in range(self.form.count)]
        for (b, g), u in zip(self.generators, self._ring.gens(), strict=True):
            for place, x in zip(self.blocks[b].letters, g[:-1], strict=True):
                letters[place] = letters[place] + x * u
        whole = self.form.lifted.compose(*letters, *self._weights, ctx=self._ring)
        return {tuple(map(int, powers)): fmpq(c) for powers, c in whole.terms()}

    @cached_property
    def negative(self) -> int:
        """How many coefficients are negative."""
        return sum(c < 0 for c in self.coefficients.values())

    @property
    def corners(self) -> Iterator[tuple[tuple[int, ...], fmpq]]:
        """One generator of each block, by its number, and the polynomial there (times a positive number)."""
        numbers = [[k for k, (b, _) in enumerate(self.generators) if b == block] for block in range(len(self.blocks))]
        for chosen in product(*numbers):
            powers = [0] * len(self.generators)
            for k, degree in zip(chosen, self.form.degrees, strict=True):
                powers[k] = degree
            yield chosen, self.coefficients.get(tuple(powers), fmpq(0))

    # --- A sum of products ---

    def products(self, strict: bool) -> Sum | None:
        """The polynomial as a short sum of products, one of them positive if asked; None if none is seen."""
        if self.negative:
            return self._with_others(strict)
        left, found = dict(self.coefficients), list[tuple[Exponents, fmpq]]()
        sure = [fact.strict for fact in self.facts]
        if left and not any(all(sure[k] for k, e in enumerate(powers) if e) for powers in left):
            first = self._strict_product(left, sure)
            if first is not None:
                found.append(first)
            elif strict:
                return None
        if not left and strict and not found:
            return None
        if len(left) <= FEW:
            found += self._shortened(left, sure, not found)
        found += left.items()
        positive = any(all(sure[k] for k, e in enumerate(powers) if e) for powers, _ in found)
        return Sum(self._terms(found), positive)

    def _with_others(self, strict: bool) -> Sum | None:
        """Σ λ·h·∏f^e plus a sum of products, for numbers λ ≥ 0 and the facts h that are not linear."""
        for products in (self._other_facts(), self._other_products()):
            found = multipliers([c for _, _, c in products], self.coefficients) if products else None
            if found is None:
                continue
            left = dict(self.coefficients)
            for share, (_, _, column) in zip(found, products, strict=True):
                for e, c in column.items() if share else ():
                    left[e] = left.get(e, fmpq(0)) - share * c
            used = [(share, fact, powers) for share, (fact, powers, _) in zip(found, products, strict=True) if share]
            rest = {e: c for e, c in left.items() if c}
            sure = any(self._sure(e) for e in rest) or any(fact.strict and self._sure(powers) for _, fact, powers in used)
            if sure or not strict:
                times_facts = []
                for share, fact, powers in used:
                    term = self._term(powers, share)
                    times_facts.append(Product(term.times, (*term.powers, (terms_of(fact.polynomial), 1))))
                return Sum((*self._terms(sorted(rest.items())), *times_facts), sure)
        return None

    def _sure(self, powers: Exponents) -> bool:
        """Whether a product has facts > 0 only."""
        return all(fact.strict for fact, e in zip(self.facts, powers, strict=True) if e)

    def _other_facts(self) -> list[tuple[Inequality, Exponents, Coefficients]]:
        """The facts that are not linear, in the full degree."""
        none = (0,) * len(self.generators)
        return [(fact, none, Cell(form, self.blocks).coefficients) for fact, form in self.form.others]

    def _other_products(self) -> list[tuple[Inequality, Exponents, Coefficients]]:
        """Their products with the facets' forms, in the full degree."""
        found = []
        for fact, form in self.form.others:
            own = Homogeneous(form.polynomial, self.form.blocks)
            factor = Cell(own, self.blocks).coefficients
            rest = [d - e for d, e in zip(self.form.degrees, own.degrees, strict=True)]
            parts = [self._powers_of(b, degree) for b, degree in enumerate(rest)]
            if prod(map(len, parts)) * len(factor) > MOST_COEFFICIENTS:
                continue
            for chosen in product(*parts):
                powers = tuple(sum(column) for column in zip(*chosen, strict=True))
                column = {tuple(x + y for x, y in zip(e, powers, strict=True)): c for e, c in factor.items()}
                found.append((fact, powers, column))
        return found

    def _powers_of(self, b: int, degree: int) -> list[Exponents]:
        """The exponents of this degree in the forms of one block."""
        places = [k for k, (block, _) in enumerate(self.generators) if block == b]
        found = []
        for chosen in combinations_with_replacement(places, degree):
            found.append(tuple(chosen.count(k) for k in range(len(self.generators))))
        return found

    def _terms(self, found: Iterable[tuple[Exponents, fmpq]]) -> tuple[Product, ...]:
        """The products with these exponents; where two have the same facts, one."""
        merged: dict[tuple[tuple[Terms, int], ...], Product] = {}
        for powers, c in found:
            term = self._term(powers, c)
            known = merged.get(term.powers)
            merged[term.powers] = term if known is None else Product(known.times + term.times, term.powers)
        return tuple(merged.values())

    @cached_property
    def _scales(self) -> list[tuple[Terms | None, fmpq]]:
        """For each μ_k its fact, None for a number, and by what it has to be multiplied."""
        found: list[tuple[Terms | None, fmpq]] = []
        for (b, g), fact in zip(self.generators, self.facts, strict=True):
            row, letters = fact.row, self.blocks[b].letters
            assert row is not None
            scale = fmpq(1, times((*(row[k] for k in letters), row[-1]), g))
            found.append((terms_of(fact.polynomial), scale) if any(row[:-1]) else (None, scale * row[-1]))
        return found

    def _term(self, powers: Exponents, c: fmpq) -> Product:
        facts: list[tuple[Terms, int]] = []
        for (fact, scale), e in zip(self._scales, powers, strict=True):
            if e:
                c *= scale**e
                if fact is not None:
                    facts.append((fact, e))
        return Product(_wrap(c), tuple(facts))

    def _spread(self, powers: Exponents) -> Coefficients | None:
        """The product with these exponents, in the full degree; None if its degree is too high."""
        rest = list(self.form.degrees)
        for (b, _), e in zip(self.generators, powers, strict=True):
            rest[b] -= e
        if min(rest) < 0:
            return None
        whole = prod((w**e for w, e in zip(self._weights, rest, strict=True)), start=self._ring.constant(1))
        return {tuple(x + y for x, y in zip(map(int, p), powers, strict=True)): fmpq(c) for p, c in whole.terms()}

    def _taken(self, left: Coefficients, powers: Exponents) -> tuple[fmpq, Coefficients] | None:
        """How much of a product the sum contains, and the product in the full degree."""
        spread = self._spread(powers)
        if spread is None or any(e not in left for e in spread):
            return None
        return min(left[e] / c for e, c in spread.items()), spread

    def _strict_product(self, left: Coefficients, sure: Sequence[bool]) -> tuple[Exponents, fmpq] | None:
        """A product of facts > 0 only that the sum contains, taken out of it."""
        tried = {tuple(e if s else 0 for e, s in zip(powers, sure, strict=True)) for powers in left}
        for powers in sorted(tried, key=lambda e: (sum(e), e)):
            taken = self._taken(left, powers)
            if taken is not None:
                share, spread = taken
                _subtract(left, spread, share)
                return powers, share
        return None

    def _shortened(self, left: Coefficients, sure: Sequence[bool], strict: bool) -> list[tuple[Exponents, fmpq]]:
        """Products of lower degree, each instead of at least one term, taken out of the sum."""
        found: list[tuple[Exponents, fmpq]] = []
        positive = strict

        def keeps() -> bool:
            return not positive or any(all(s for s, e in zip(sure, powers, strict=True) if e) for powers in (*left, *(p for p, _ in found)))

        tried: set[Exponents] = {tuple(0 for _ in sure)}
        for powers in left:
            for e in product(*(range(k + 1) for k in powers)):
                tried.add(e)
                if len(tried) > FEW // (1 + len(left) // 20):
                    break
        for powers in sorted(tried, key=lambda e: (sum(e), e)):
            taken = self._taken(left, powers)
            if taken is None or len(taken[1]) < 2:
                continue
            share, spread = taken
            before = dict(left)
            _subtract(left, spread, share)
            found.append((powers, share))
            if not keeps():
                found.pop()
                left.clear()
                left.update(before)
        return found

    # --- Cuts ---

    def cut(self, b: int, i: int, j: int, alpha: int, beta: int) -> tuple[Inequality, Inequality, Cell, Cell]:
        """The two parts at the generator α·g_i + β·g_j of a block; the form that is ≥ 0 on the first."""
        block = self.blocks[b]
        new = primitive(alpha * x + beta * y for x, y in zip(block.generators[i], block.generators[j], strict=True))
        upper, lower = (block.part(block.facts[k]) for k in (i, j))
        first, second = beta * times(lower, block.generators[j]), alpha * times(upper, block.generators[i])
        row = block.widened(primitive(first * x - second * y for x, y in zip(upper, lower, strict=True)), self.form.count)
        context = self.form.polynomial.context()
        form = Inequality(linear(context, row), False, row)
        opposite = Inequality(-form.polynomial, False, tuple(-x for x in row))
        return form, opposite, self._half(b, i, form, j, new), self._half(b, j, opposite, i, new)

    def _half(self, b: int, kept: int, fact: Inequality, place: int, new: Row) -> Cell:
        block = self.blocks[b]
        generators = tuple(new if k == place else g for k, g in enumerate(block.generators))
        facts = tuple(fact if k == kept else f for k, f in enumerate(block.facts))
        return self.with_block(b, Polyhedron(block.letters, facts, generators))

    def with_block(self, b: int, block: Polyhedron) -> Cell:
        """The cell with another block in this place."""
        return self.form.on((*self.blocks[:b], block, *self.blocks[b + 1 :]))

    def edges(self) -> Iterator[tuple[int, int, int, int, int]]:
        """Where a cut in the middle of an edge is: block, two generators, and their weights."""
        for b, block in enumerate(self.blocks):
            if self.form.degrees[b]:
                for i, j in combinations(range(len(block.generators)), 2):
                    x, y = block.generators[i][-1], block.generators[j][-1]
                    common = gcd(x, y)
                    yield (b, i, j, y // common, x // common) if x and y else (b, i, j, 1, 1)

    def weights_of(self, b: int, point: Sequence[int]) -> list[fmpq] | None:
        """The μ_k of a vector over all letters, in one block; None if it is outside."""
        block = self.blocks[b]
        found = []
        for fact, g in zip(block.facts, block.generators, strict=True):
            row = block.part(fact)
            share = fmpq(times(row, (*(point[k] for k in block.letters), point[-1])), times(row, g))
            if share < 0:
                return None
            found.append(share)
        return found

    def towards(self, points: Sequence[Sequence[int]]) -> tuple[int, int, int, int, int] | None:
        """A cut that brings one of these vectors nearer to being a corner; None if none is left to be one."""
        for point in points:
            weights = [self.weights_of(b, point) for b in range(len(self.blocks))]
            if any(w is None for w in weights):
                continue
            for b, shares in enumerate(weights):
                support = [k for k, share in enumerate(shares or ()) if share]
                if len(support) > 1:
                    i, j = support[:2]
                    ratio = shares[i] / shares[j]  # type: ignore[index]
                    return b, i, j, int(ratio.p), int(ratio.q)
        return None


def _subtract(left: Coefficients, spread: Coefficients, share: fmpq) -> None:
    for e, c in spread.items():
        rest = left[e] - share * c
        if rest:
            left[e] = rest
        else:
            del left[e]


def integer_vector(point: Sequence[fmpq]) -> Row:
    """A point as the primitive vector (x, 1) times a positive integer."""
    below = fmpz(1)
    for x in point:
        below = below.lcm(x.q)
    return primitive((*(int(x.p * (below // x.q)) for x in point), int(below)))
