# SPDX-License-Identifier: MIT
r"""Rational functions as they are written by hand: a sign, and factors above and below a line.

Only for display. The factors are those of FLINT's exact factorisation, and multiply out to the function. A
sum begins with its terms of lowest degree, as in 1 − α, and its first term is positive.
A product that is a binomial when multiplied out stays one: 1 − α², not (1 − α)(1 + α).

>>> from exactdp.exact import RationalFunctionField
>>> a = RationalFunctionField().gen
>>> print(factored_latex(((a**2 - a**3) / (1 + a))))
\frac{\alpha^{2} (1 - \alpha)}{1 + \alpha}
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpz_mpoly

from exactdp.exact.polynomial import Poly, terms, total_degree

Term = tuple[tuple[int, ...], int]
"""The exponents of the letters, and the coefficient."""

LARGEST_DEGREE = 64
"""A polynomial in one letter of a larger degree is shown as it is, not in factors."""

LARGEST_DEGREE_OF_LETTERS = 16
"""The same for several letters."""

MOST_TERMS = 64
"""A polynomial of more terms is shown as it is."""

MOST_BITS = 512
"""A polynomial with a longer coefficient is shown as it is."""


@dataclass(frozen=True, slots=True)
class Factor:
    """A power of a sum: its terms in the order in which they are written, and the exponent."""

    terms: tuple[Term, ...]
    power: int = 1

    @property
    def is_sum(self) -> bool:
        """Whether it needs brackets in a product."""
        return len(self.terms) > 1


@dataclass(frozen=True, slots=True)
class Factored:
    """A quotient of two products, with a sign before it; an empty product is 1."""

    negative: bool
    above: tuple[Factor, ...]
    below: tuple[Factor, ...]


def factored(x: Any) -> Factored:
    """The factors of a rational function, in the order in which they are written.

    * ``x``: a function of letters, or a number over powers of e.

    >>> from exactdp.exact import RationalFunctionField
    >>> a = RationalFunctionField().gen
    >>> found = factored((a - 1) / 2)
    >>> found.negative, [factor.terms for factor in found.above], [factor.terms for factor in found.below]
    (False, [(((1,), 1), ((0,), -1))], [(((0,), 2),)])
    """
    sign, above = _product(x._n)
    sign_below, below = _product(x._d)
    sign *= sign_below
    if sign < 0 and len(above) == 1 and above[0].power == 1:
        turned = tuple((powers, -c) for powers, c in reversed(above[0].terms))
        if turned[0][1] > 0:
            return Factored(negative=False, above=(Factor(turned),), below=below)
    return Factored(negative=sign < 0, above=above, below=below)


def _product(p: Poly) -> tuple[int, tuple[Factor, ...]]:
    """The sign of a polynomial, and its factors: a number, powers of letters, sums."""
    if p == 0 or not _is_small(p):
        sign, own = _written(p)
        return sign, (Factor(own),)
    number, found = p.factor()
    sign = -1 if number < 0 else 1
    letters: list[Factor] = []
    sums: dict[int, list[Poly]] = {}
    for factor, power in found:
        if len(terms(factor)) == 1:
            own_sign, own = _written(factor)
            sign *= own_sign ** int(power)
            letters.append(Factor(own, int(power)))
        else:
            sums.setdefault(int(power), []).append(factor)
    brackets: list[Factor] = []
    for power, factors in sums.items():
        for factor in _binomial(factors):
            own_sign, own = _written(factor)
            sign *= own_sign**power
            brackets.append(Factor(own, power))
    nothing = (0,) * _letters(p)
    size = abs(int(number))
    constant = [] if size == 1 and found else [Factor(((nothing, size),))]
    letters.sort(key=lambda factor: factor.terms[0][0], reverse=True)
    brackets.sort(key=_order)
    return sign, (*constant, *letters, *brackets)


def _letters(p: Poly) -> int:
    return int(p.context().nvars()) if isinstance(p, fmpz_mpoly) else 1


def _is_small(p: Poly) -> bool:
    """Whether it is factored at once, and its factors can be read."""
    found = terms(p)
    largest = LARGEST_DEGREE_OF_LETTERS if isinstance(p, fmpz_mpoly) else LARGEST_DEGREE
    return len(found) <= MOST_TERMS and total_degree(p) <= largest and all(abs(c).bit_length() <= MOST_BITS for _, c in found)


def _binomial(factors: list[Poly]) -> list[Poly]:
    """The factors, or their product if that has two terms only."""
    if len(factors) == 1:
        return factors
    product = factors[0]
    for factor in factors[1:]:
        product = product * factor
    return [product] if len(terms(product)) == 2 else factors


def _written(p: Poly) -> tuple[int, tuple[Term, ...]]:
    """The sign of the first term, and the terms with that sign taken out, the lowest degree first."""
    shown = sorted(terms(p), key=lambda term: sum(term[0]))  # stable: within a degree as the ring has them
    if not shown:
        return 1, (((0,) * _letters(p), 0),)
    sign = 1 if shown[0][1] > 0 else -1
    return sign, tuple((powers, sign * c) for powers, c in shown)


def _order(factor: Factor) -> tuple[Any, ...]:
    """Low degrees and few terms first, then 1 − α before 1 + α."""
    degree = max(sum(powers) for powers, _ in factor.terms)
    return degree, len(factor.terms), [c for _, c in factor.terms], [powers for powers, _ in factor.terms]


def factored_latex(x: Any) -> str:
    r"""The quotient in math mode, in factors.

    >>> from exactdp.exact import RationalFunctionField
    >>> a = RationalFunctionField().gen
    >>> print(factored_latex((1 - a) ** 2), factored_latex(-a * (1 + a)), factored_latex(1 - a**2))
    (1 - \alpha)^{2} -\alpha (1 + \alpha) 1 - \alpha^{2}
    """
    found, names = factored(x), x.field.latex_names
    above = _latex_product(found.above, names)
    if _is_one(found.below):
        shown = above
        if found.negative and len(found.above) == 1 and found.above[0].is_sum and found.above[0].power == 1:
            shown = f"({above})"
    else:
        shown = rf"\frac{{{above}}}{{{_latex_product(found.below, names)}}}"
    return f"-{shown}" if found.negative else shown


def _is_one(factors: Sequence[Factor]) -> bool:
    return all(len(factor.terms) == 1 and factor.terms[0][1] == 1 and not any(factor.terms[0][0]) for factor in factors)


def _latex_product(factors: Sequence[Factor], names: Sequence[str]) -> str:
    alone = len(factors) == 1
    return " ".join(_latex_factor(factor, names, alone) for factor in factors)


def _latex_factor(factor: Factor, names: Sequence[str], alone: bool) -> str:
    inner = _latex_sum(factor.terms, names)
    power = f"^{{{factor.power}}}" if factor.power > 1 else ""
    bare = not factor.is_sum or (alone and not power)
    return inner + power if bare else f"({inner}){power}"


def _latex_sum(shown: Iterable[Term], names: Sequence[str]) -> str:
    text = ""
    for number, (powers, c) in enumerate(shown):
        letters = [name + (f"^{{{e}}}" if e > 1 else "") for name, e in zip(names, powers, strict=True) if e]
        size = [str(abs(c))] if abs(c) != 1 or not letters else []
        if number:
            text += " - " if c < 0 else " + "
        elif c < 0:
            text += "-"
        text += " ".join([*size, *letters])
    return text
