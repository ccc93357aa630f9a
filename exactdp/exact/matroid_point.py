# SPDX-License-Identifier: MIT
"""Rational points at which vectors over ℚ(e^(−ε), e^(−ε√2), …) have the same matroid.

The generators t_1, …, t_k of the field are algebraically independent, so a minor of a matrix of polynomials
in them is zero only if it is the zero polynomial. Let its degree in t_i be at most D_i and its coefficients
at most H in size, let p > H be a prime, and q_i = p^(e_i) u_i with units u_i of ℤ_(p) and e_i = (D_1 + 1) ⋯
(D_(i−1) + 1). At q the terms of a polynomial that is not zero have different p-adic valuations, so that their
sum is not zero. Hence exactly the same minors vanish at q and at t, and the same sets of vectors are
dependent: arithmetic with integers decides what is zero.

The q_i are chosen next to the t_i. That a minor has the same *sign* at both is then likely, not certain:
:meth:`MatroidPoint.positive` decides it at t, for one dependency.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial, prod
from typing import Any

from flint import arb_mat, fmpq_mat, fmpz

from exactdp.errors import UndecidedSignError
from exactdp.exact.balls import PRECISION, workprec
from exactdp.exact.exponential import ExponentialField
from exactdp.exact.polynomial import Poly, lcm, terms, value_at
from exactdp.exact.rational import Rational

NEAR = 24
"""So many bits of each generator are kept, beside its power of p, unless more are asked for."""

FIRST_BITS = 96
"""Of the balls that decide signs; doubled until they do."""


class MatroidPoint:
    """Multiples of vectors over a field of exponentials, at one rational point with the same matroid.

    * ``columns``: over the field, all of one length, at least one.
    * ``field``: ℚ(t_1, …, t_k).
    * ``near``: so many bits of each generator are kept.

    Attributes
    ----------
    columns : list of lists of Rational
        The vectors at q, times positive numbers.

    Examples
    --------
    >>> field = ExponentialField(1, roots=(1, 2))
    >>> t, t2 = field.gens
    >>> point = MatroidPoint([[t - t2, 0], [t**2 * t2 - t * (t * t2), 0], [(t2 - 1) / t, 0]], field)
    >>> [x.sign() for x, _ in point.columns]
    [1, 0, -1]
    >>> point.positive((0, 2)), point.positive((1,))
    (True, True)
    """

    def __init__(self, columns: Sequence[Sequence[Any]], field: ExponentialField, near: int = NEAR) -> None:
        self._field = field
        scaled = [_numerators([field(x) for x in column], field) for column in columns]
        self._polynomials = [column for column, _ in scaled]
        point = _point(self._polynomials, field, near)

        def there(p: Poly) -> Rational:
            value: Rational = value_at(p, point, lambda c: Rational(int(c)))
            return value

        if any(there(below).sign() <= 0 for _, below in scaled):
            raise UndecidedSignError("a denominator is not positive at a rational point next to the level")
        self.columns = [[there(p) for p in column] for column in self._polynomials]

    def positive(self, support: Sequence[int]) -> bool:
        """Whether the one dependency of minimally dependent vectors has positive weights only, at t.

        The balls end: no weight is zero, as the vectors are minimally dependent at t as well as at q.
        """
        *basis, last = support
        rows = self._independent_rows(basis)
        precision = FIRST_BITS
        while basis:
            with PRECISION, workprec(precision):
                left = arb_mat([[self._field._at(self._polynomials[j][i], precision) for j in basis] for i in rows])
                right = arb_mat([[-self._field._at(self._polynomials[last][i], precision)] for i in rows])
                try:
                    weights = left.solve(right).entries()
                except ZeroDivisionError:  # the balls are too wide
                    weights = []
                if weights and all(w > 0 for w in weights):
                    return True
                if any(w < 0 for w in weights):
                    return False
            precision *= 2
        return True

    def _independent_rows(self, basis: Sequence[int]) -> list[int]:
        """Rows in which independent vectors have a minor that is not zero."""
        height = len(self.columns[0])
        if len(basis) == height:
            return list(range(height))
        if not basis:
            return []
        reduced, rank = fmpq_mat([[x._q for x in self.columns[j]] for j in basis]).rref()
        return [next(i for i in range(height) if reduced[k, i] != 0) for k in range(rank)]


def _numerators(column: Sequence[Any], field: ExponentialField) -> tuple[list[Poly], Poly]:
    """The column times its common denominator, which is positive."""
    below = lcm((x._d for x in column), field._poly(1))
    below = below * field._sign_of(below)
    return [x._n * (below // x._d) for x in column], below


def _point(columns: Sequence[Sequence[Poly]], field: ExponentialField, near: int) -> list[Rational]:
    """The point q for all minors of these columns."""
    height, found = len(columns[0]), [[terms(p) for p in column] for column in columns]

    def largest(sizes: list[int]) -> list[int]:
        return sorted(sizes, reverse=True)[:height]

    norms = largest([max((sum(abs(c) for _, c in entry) for entry in column), default=0) for column in found])
    bound = factorial(height) * prod(max(1, x) for x in norms)
    prime = next(k for k in range(bound + 1, 2 * bound + 2) if fmpz(k).is_prime())
    degrees = [
        sum(largest([max((powers[i] for entry in column for powers, _ in entry), default=0) for column in found]))
        for i in range(len(field.roots))
    ]
    point, exponent = [Rational(0)] * len(degrees), 1
    for i in sorted(range(len(degrees)), key=degrees.__getitem__):
        point[i] = _near(field, i, prime**exponent, prime, near)
        exponent *= degrees[i] + 1
    return point


def _near(field: ExponentialField, i: int, power: int, prime: int, near: int) -> Rational:
    """The i-th generator, about: a power of p times a unit, over a power of 2."""
    bits = power.bit_length() + near
    with PRECISION, workprec(2 * bits):
        unit = int((field._generators(2 * bits)[i] * (fmpz(1) << bits) / power).mid().floor().unique_fmpz() or 0)
    return Rational((unit if unit % prime else unit + 1) * power, 1 << bits)
