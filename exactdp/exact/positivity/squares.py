# SPDX-License-Identifier: MIT
"""Squares: quadratic polynomials as sums of them (Lagrange, LDLᵀ), and the square in one letter completed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from math import lcm

from flint import fmpq, fmpz_mpoly

from exactdp.exact.positivity.cones import Inequality, Row, linear, primitive
from exactdp.exact.positivity.proof import Product, Sum, terms_of
from exactdp.exact.rational import Rational, _wrap

MOST_LETTERS = 4
"""With more letters, only one order of completing squares is tried."""


def sum_of_squares(p: fmpz_mpoly, facts: Sequence[Inequality], strict: bool) -> Sum | None:
    """A quadratic polynomial as Σ d_i·ℓ_i² with d_i > 0, if it is one; a positive one if asked.

    A linear form ℓ_i that is a multiple of a fact is written as that fact's second power.
    """
    if p.total_degree() != 2:
        return None
    count = len(p.degrees())
    letters = [k for k, d in enumerate(p.degrees()) if d]
    known = {primitive(f.row): f for f in reversed(facts) if f.row is not None}
    best: Sum | None = None
    for order in permutations(letters) if len(letters) <= MOST_LETTERS else [tuple(letters)]:
        squares = _completed(p, (*order, count))
        if squares is None:
            continue
        terms, sure = [], False
        for times, row in squares:
            term, positive = _term(p, times, row, known)
            terms.append(term)
            sure |= positive
        if (sure or not strict) and (best is None or len(terms) < len(best.products)):
            best = Sum(tuple(terms), sure)
    return best


def _completed(p: fmpz_mpoly, order: Sequence[int]) -> list[tuple[fmpq, list[fmpq]]] | None:
    """(d, ℓ) with p = Σ d·ℓ², completing the square of one letter after the other, the constant last."""
    count = len(p.degrees())
    matrix = [[fmpq(0)] * (count + 1) for _ in range(count + 1)]
    for powers, c in p.terms():
        places = [k for k, e in enumerate(powers) for _ in range(int(e))]
        i, j = (*places, count, count)[:2]
        matrix[i][j] += fmpq(c) / 2
        matrix[j][i] += fmpq(c) / 2
    found: list[tuple[fmpq, list[fmpq]]] = []
    for k in order:
        pivot = matrix[k][k]
        if pivot < 0 or (pivot == 0 and any(matrix[k])):
            return None
        if pivot == 0:
            continue
        row = [x / pivot for x in matrix[k]]
        found.append((pivot, row))
        matrix = [[x - pivot * row[i] * row[j] for j, x in enumerate(line)] for i, line in enumerate(matrix)]
    return found


def _term(p: fmpz_mpoly, times: fmpq, row: Sequence[fmpq], known: dict[Row, Inequality]) -> tuple[Product, bool]:
    below = lcm(*(int(x.q) for x in row))
    whole = [int(x.p) * (below // int(x.q)) for x in row]
    form = primitive(whole)
    scale = next(fmpq(x) / y for x, y in zip(row, form, strict=True) if y)
    times = times * scale * scale
    if not any(form[:-1]):
        times *= form[-1] ** 2
        return Product(_wrap(times)), True
    for sign in (1, -1):
        fact = known.get(tuple(sign * x for x in form))
        if fact is not None and fact.row is not None:
            ratio = next(fmpq(x) / y for x, y in zip(form, fact.row, strict=True) if y)
            return Product(_wrap(times * ratio * ratio), ((terms_of(fact.polynomial), 2),)), fact.strict
    return Product(_wrap(times), (), terms_of(linear(p.context(), form))), False


def completed(
    p: fmpz_mpoly, shown: Callable[[fmpz_mpoly], tuple[int, Sum | None]]
) -> Iterator[tuple[Rational, tuple[Product, ...], fmpz_mpoly]]:
    """A polynomial as share·(Σ c·∏f^e·s² + rest), for each letter in which that is possible.

    It is A·y² + B·y + C for a power y of the letter and A = c·g·a², where g is a sum of products of facts.
    If a·g divides B, s is 2·c·a·y + B/(a·g); the letter is not in the rest.

    * ``shown``: from a polynomial g to 1 or −1 and to a sum of products that is g or −g; or to None.
    """
    context = p.context()
    for letter, degree in enumerate(p.degrees()):
        step, used = int(degree) // 2, {int(powers[letter]) for powers, _ in p.terms()}
        if step == 0 or not used <= {0, step, 2 * step}:
            continue
        parts: dict[int, dict[tuple[int, ...], int]] = {0: {}, 1: {}, 2: {}}
        for powers, c in p.terms():
            rest = tuple(0 if k == letter else int(e) for k, e in enumerate(powers))
            parts[int(powers[letter]) // step][rest] = int(c)
        last, middle, first = (context.from_dict(parts[k]) for k in range(3))
        number, guard, root = _square_part(first)
        sign, summed = shown(guard)
        number, guard = sign * number, sign * guard
        half, remainder = divmod(middle, root * guard)
        if number < 0 or summed is None or not remainder.is_zero():
            continue
        # 4·c·p = guard·(2·c·root·y + half)² + 4·c·last − guard·half²
        square = terms_of(2 * number * root * context.gens()[letter] ** step + half)
        share = Rational(1, 4 * number)
        products = tuple(Product(share * t.times, t.powers, square) for t in summed.products)
        yield share, products, 4 * number * last - guard * half**2


def _square_part(p: fmpz_mpoly) -> tuple[int, fmpz_mpoly, fmpz_mpoly]:
    """(c, g, a) with p = c·g·a², as much as possible in a."""
    one = p.context().constant(1)
    constant, factors = p.factor()
    guard = root = one
    for factor, exponent in factors:
        root, guard = root * factor ** (int(exponent) // 2), guard * factor ** (int(exponent) % 2)
    return int(constant), guard, root
