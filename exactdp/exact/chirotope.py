# SPDX-License-Identifier: MIT
"""Positive circuits of a configuration of vectors that depend on a parameter, for all its values in an interval.

With vectors c_j(a) of rank r, the signs of all r × r minors (the chirotope) determine the positive circuits: r + 1 vectors of rank r have
one dependency, whose coefficients are the minors without one of them, with alternating signs; its support is a circuit, and every circuit
arises so. Minors are polynomials in a: between the roots of their irreducible factors all signs are constant, and at a root exactly the
minors divisible by its minimal polynomial vanish, the others keep their signs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from flint import fmpz_poly

from exactdp.exact.algebraic import AlgebraicNumber, Point
from exactdp.exact.interval import Interval
from exactdp.exact.rational import Rational
from exactdp.exact.roots import real_roots

__all__ = ["circuit_counts", "count_positive_circuits"]

OFTEN = 1024
"""After so many sets the listener is told."""


def circuit_counts(
    columns: Sequence[Sequence[Sequence[int]]], interval: Interval, progress: Callable[[str], None] | None = None
) -> Iterator[tuple[Interval, int]]:
    """How many positive circuits there are, on every piece of an interval and at every point between two pieces.

    Parameters
    ----------
    columns : sequence of vectors of polynomials
        Coefficients, constant first. The height of the vectors is their rank for almost all values.
    interval : Interval
        Open.
    progress : callable, optional
        Told how far it is; may raise to stop.

    Yields
    ------
    (Interval, int)
        In increasing order: open pieces and single points, each as soon as it is counted.

    Examples
    --------
    >>> from exactdp.exact.interval import Interval
    >>> for piece, count in circuit_counts([[[1]], [[-1, 2]], [[-1]]], Interval(0, 1)):
    ...     print(piece, count)
    (0, 1/2) 2
    [1/2, 1/2] 2
    (1/2, 1) 2
    """
    rank = len(columns[0])
    subsets = list(combinations(range(len(columns)), rank))
    vectors = [[fmpz_poly(list(entry)) for entry in column] for column in columns]
    known: dict[tuple[int, ...], int] = {}
    table: list[tuple[int, int]] = []  # for each subset: the number of its polynomial, and the sign in front
    polynomials: list[fmpz_poly] = []
    for number, chosen in enumerate(subsets):
        if progress is not None and number % OFTEN == 0:
            progress(f"{number} of {len(subsets)} minors")
        minor = _determinant([vectors[j] for j in chosen])
        if not minor:
            table.append((-1, 0))
            continue
        sign = 1 if minor[minor.degree()] > 0 else -1
        minor = minor * sign
        key = tuple(int(c) for c in minor.coeffs())
        if key not in known:
            known[key] = len(polynomials)
            polynomials.append(minor)
        table.append((known[key], sign))
    factors: dict[tuple[int, ...], list[int]] = {}
    for number, polynomial in enumerate(polynomials):
        for factor, _ in polynomial.factor()[1]:
            factors.setdefault(tuple(int(c) for c in factor.coeffs()), []).append(number)
    roots: list[tuple[Point, tuple[int, ...]]] = []
    for key in factors:
        if len(key) > 1:
            roots += [(root, key) for root, _ in real_roots(list(key), interval)]
    roots.sort(key=lambda pair: _Ordered(pair[0]))
    if progress is not None:
        progress(f"{len(subsets)} minors, {len(polynomials)} polynomials, {len(roots)} roots")
    points = [root for root, _ in roots]
    pieces = interval.split(points)
    order = {subset: k for k, subset in enumerate(subsets)}
    at = 0
    signs: list[int] = []
    for done, piece in enumerate(pieces):
        if piece.is_point:
            vanishing = set(factors[roots[at][1]])
            at += 1
            here = [0 if number in vanishing else sign for number, sign in enumerate(signs)]
        else:
            x = piece.sample()
            signs = here = [_sign(polynomial, x) for polynomial in polynomials]
        where = f"{done} of {len(pieces)} pieces"
        tell = None if progress is None else lambda where=where: progress(where)
        yield piece, count_positive_circuits(len(columns), rank, lambda s, here=here: _signed(table[order[s]], here), tell)  # type: ignore[misc]


def count_positive_circuits(
    size: int, rank: int, chirotope: Callable[[tuple[int, ...]], int], tell: Callable[[], None] | None = None
) -> int:
    """The number of positive circuits of an oriented matroid, from the signs of its bases; ``tell`` is called now and then.

    >>> count_positive_circuits(3, 1, lambda s: (1, -1, -1)[s[0]])
    2
    """
    found: set[int] = set()
    for number, chosen in enumerate(combinations(range(size), rank + 1)):
        if tell is not None and number % OFTEN == 0:
            tell()
        support = positive = negative = 0
        for k, j in enumerate(chosen):
            sign = chirotope(chosen[:k] + chosen[k + 1 :])
            if sign:
                support |= 1 << j
                if (sign > 0) == (k % 2 == 0):
                    positive = 1
                else:
                    negative = 1
                if positive and negative:
                    break
        else:
            if support:
                found.add(support)
    return len(found)


def _signed(entry: tuple[int, int], signs: Sequence[int]) -> int:
    number, sign = entry
    return sign * signs[number] if sign else 0


def _sign(polynomial: fmpz_poly, x: Rational) -> int:
    p, q = x.numerator, x.denominator
    value, power = 0, 1
    for c in reversed([int(c) for c in polynomial.coeffs()]):
        value = value * p + c * power
        power *= q
    return (value > 0) - (value < 0)


def _determinant(columns: list[list[fmpz_poly]]) -> fmpz_poly:
    """By minors of the first rows, each computed once."""
    size = len(columns)
    minors: dict[tuple[int, ...], fmpz_poly] = {(): fmpz_poly([1])}
    for row in range(size):
        larger: dict[tuple[int, ...], fmpz_poly] = {}
        for chosen in combinations(range(size), row + 1):
            total = fmpz_poly([0])
            for k, j in enumerate(chosen):
                entry = columns[j][row]
                if entry:
                    term = entry * minors[chosen[:k] + chosen[k + 1 :]]
                    total = total - term if (row + k) % 2 else total + term
            larger[chosen] = total
        minors = larger
    return minors[tuple(range(size))]


class _Ordered:
    """Points compared exactly."""

    def __init__(self, point: Point) -> None:
        self.point = point

    def __lt__(self, other: _Ordered) -> bool:
        a, b = self.point, other.point
        if isinstance(a, AlgebraicNumber):
            return a.compare(b) < 0
        return b.compare(a) > 0 if isinstance(b, AlgebraicNumber) else a < b
