# SPDX-License-Identifier: MIT
"""FLINT's integer polynomials in one variable (``fmpz_poly``) or several (``fmpz_mpoly``), used alike.

They never leave :mod:`exactdp.exact`; what goes out is a tuple of ints (one variable, constant first) or
pairs (exponents, int).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import prod
from typing import Any

from flint import fmpz_mpoly, fmpz_poly

from exactdp.errors import InputError
from exactdp.exact.rational import Rational, integer_vector

Poly = Any
"""An ``fmpz_poly`` or an ``fmpz_mpoly``."""


def as_poly(value: Any) -> Poly:
    """A positive integer multiple of the polynomial with these (int or rational) coefficients, lowest first.

    >>> as_poly([1, "1/2"])
    x + 2
    """
    if isinstance(value, fmpz_poly):
        return value
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        raise InputError(f"{value!r} is not a polynomial; give its coefficients, the constant first", value=value)
    _, integers = integer_vector([Rational(c) for c in value])
    return fmpz_poly(integers)


def coefficients(p: fmpz_poly) -> tuple[int, ...]:
    """The coefficients, constant first; (0,) for zero.

    >>> coefficients(fmpz_poly([1, 0, 2]))
    (1, 0, 2)
    """
    return tuple(int(c) for c in p.coeffs()) or (0,)


def terms(p: Poly) -> list[tuple[tuple[int, ...], int]]:
    """The non-zero terms as (exponents, coefficient), highest first."""
    if isinstance(p, fmpz_mpoly):
        return [(tuple(int(e) for e in powers), int(c)) for powers, c in p.terms()]
    return [((k,), int(c)) for k, c in reversed(list(enumerate(p.coeffs()))) if c]


def number_of_terms(p: Poly) -> int:
    """How many terms are not zero.

    >>> number_of_terms(fmpz_poly([1, 0, 2]))
    2
    """
    return len(p) if isinstance(p, fmpz_mpoly) else sum(1 for c in p.coeffs() if c)


def poly_key(p: Poly) -> tuple[Any, ...]:
    """What the polynomial is, as a hashable value."""
    return tuple(terms(p)) if isinstance(p, fmpz_mpoly) else coefficients(p)


def leading_tail(p: Poly) -> Any:
    """The non-zero coefficient of lowest degree (of the last term); 0 for zero.

    >>> leading_tail(fmpz_poly([0, -3, 1]))
    -3
    """
    if isinstance(p, fmpz_mpoly):
        return p.coefficient(len(p) - 1) if len(p) else 0
    for k in range(len(p)):
        c = p[k]
        if c:
            return c
    return 0


def lcm(dens: Iterable[Poly], one: Poly) -> Poly:
    """The least common multiple, up to sign."""
    result = one
    for d in dens:
        if d in (result, one):
            continue
        result = d if result == one else result * (d // result.gcd(d))
    return result


def power_bits(p: Poly, k: int) -> int:
    """At least the bits that p^k takes in memory.

    >>> power_bits(fmpz_poly([0, 1]), 10), power_bits(fmpz_poly([1]), 10**9)
    (704, 64)
    """
    if isinstance(p, fmpz_mpoly):
        count = len(p)
        size = 1 if count <= 1 else prod(k * int(d) + 1 for d in p.degrees())
        height = max((abs(int(c)).bit_length() for c in p.coeffs()), default=0)
    else:
        count = sum(1 for c in p.coeffs() if c)
        size = k * max(0, int(p.degree())) + 1
        height = int(p.height_bits())
    growth = 0 if count <= 1 and height <= 1 else k * (height + count.bit_length())
    return size * (64 + growth)


def total_degree(p: Poly | int) -> int:
    """The degree, in all variables together; 0 for a constant.

    >>> total_degree(fmpz_poly([0, 0, 1])), total_degree(1)
    (2, 0)
    """
    if isinstance(p, int):
        return 0
    return int(p.total_degree()) if isinstance(p, fmpz_mpoly) else max(0, int(p.degree()))


def poly_text(p: Poly, names: Sequence[str], *, lowest_first: bool = False) -> str:
    """The polynomial, written out, highest terms first unless said otherwise.

    >>> poly_text(fmpz_poly([1, 0, -2]), ["a"]), poly_text(fmpz_poly([1, 0, -2]), ["a"], lowest_first=True)
    ('-2*a^2 + 1', '1 - 2*a^2')
    """
    return _text(terms(p)[::-1] if lowest_first else terms(p), names, "*", lambda e: f"^{e}")


def poly_latex(p: Poly, names: Sequence[str]) -> str:
    r"""The same in LaTeX.

    >>> print(poly_latex(fmpz_poly([1, 0, -2]), [r"\alpha"]))
    -2 \alpha^{2} + 1
    """
    return _text(terms(p), names, " ", lambda e: f"^{{{e}}}")


def value_at(p: Poly, points: Sequence[Any], number: Callable[[Any], Any]) -> Any:
    """The value at one point for each variable; ``number`` makes a number of their kind of a coefficient.

    >>> value_at(fmpz_poly([1, 0, -2]), [Rational("1/2")], lambda c: Rational(int(c)))
    Rational('1/2')
    """
    known: dict[tuple[int, int], Any] = {}
    total = number(0)
    for powers, c in p.terms() if isinstance(p, fmpz_mpoly) else (((k,), c) for k, c in enumerate(p.coeffs()) if c):
        product = number(c)
        for k, e in enumerate(map(int, powers)):
            if e:
                if (k, e) not in known:
                    known[k, e] = points[k] ** e
                product = product * known[k, e]
        total = total + product
    return total


def _text(powers_and_coefficients: Iterable[tuple[Sequence[int], int]], names: Sequence[str], times: str, power: Any) -> str:
    parts: list[str] = []
    for powers, c in powers_and_coefficients:
        factors = [name + (power(e) if e > 1 else "") for name, e in zip(names, powers, strict=True) if e]
        if abs(c) != 1 or not factors:
            factors.insert(0, str(Rational(abs(c))))
        sign, term = ("-" if c < 0 else "+"), times.join(factors)
        parts += [sign, term] if parts else [sign.strip("+") + term]
    return " ".join(parts) or "0"
