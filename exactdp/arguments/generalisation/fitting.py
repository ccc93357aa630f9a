# SPDX-License-Identifier: MIT
"""Closed forms that fit exact answers: products of powers, and quotients of sums of n^k·α^(jn).

Nothing is rounded and nothing is proved: a form that is returned equals every answer that it was shown, those
that were held out among them.

*Products.* Each answer is divided by 1−α, 1+α, α, … as often as that goes. Where the multiplicities are
linear in n, and what is left is the same function times powers of small primes, that is the form.

*Quotients.* P(n) − f(n)·Q(n) = 0, with P and Q sums of n^k·α^(jn), is linear in their coefficients. Shapes
are tried from the smallest on; those that fail at one rational level are left out. A shape is taken if the
answers determine the coefficients up to a factor, and if there is one answer more than that needs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from math import gcd
from operator import mul, truediv
from typing import Any, NamedTuple

from exactdp.arguments.generalisation.closed_form import (
    LEVEL,
    ClosedForm,
    EntryForm,
    Form,
    Formula,
    Polynomial,
    Power,
    Term,
    as_polynomial,
    holds,
)
from exactdp.exact import Rational, RationalFunctionField, formula_of, generic_quotient, is_nonzero, is_zero, same_formula
from exactdp.exact.elimination import row_echelon

Values = Mapping[int, Any]
"""Functions of the level by n."""

BASES: tuple[Polynomial, ...] = (LEVEL, (1, -1), (1, 1), (1, 0, 1), (1, 1, 1), (1, -1, 1))
"""What is looked for in products: α, 1−α, 1+α, 1+α², 1±α+α²."""
PRIMES = (2, 3, 5, 7)
DEGREES = (0, 1, -1, 2, -2)
"""Of n, as a factor of a product."""
HELD_OUT = 1
"""A form must fit at least so many answers more than determine it."""


class _Part(NamedTuple):
    """n^degree·α^(slope·n)."""

    degree: int
    slope: int


SHAPES: tuple[tuple[_Part, ...], ...] = tuple(
    tuple(_Part(*part) for part in shape)
    for shape in (
        [(0, 0)],
        [(1, 0)],
        [(0, 1)],
        [(0, 0), (1, 0)],
        [(0, 0), (0, 1)],
        [(1, 0), (0, 1)],
        [(0, 0), (1, 0), (0, 1)],
        [(0, 0), (0, 1), (1, 1)],
        [(0, 0), (1, 0), (2, 0)],
        [(0, 0), (0, 1), (0, 2)],
    )
)
"""What numerators and denominators may be sums of."""


def fit_sequence(values: Values, letter: str = "n") -> ClosedForm | None:
    """A closed form of a sequence: one formula, or one for even and one for odd n.

    * ``values``: by n.
    * ``letter``: what n is called.

    Returns: it equals every value.

    >>> a = RationalFunctionField().gen
    >>> print(fit_sequence({n: (1 - a) ** (2 * n - 1) / (1 + a) for n in range(2, 7)}))
    (1 - a)^(2*n-1)/(1 + a)
    >>> print(fit_sequence({n: n / (1 + (n - 1) * a) for n in range(2, 9)}))
    n/(1 - a + n*a)
    >>> print(fit_sequence({n: 1 - a ** (n // 2) for n in range(2, 9)}))
    1 - a^h for n = 2*h; 1 - a^h for n = 2*h+1
    """
    whole = fit(values, letter)
    if whole is not None:
        return ClosedForm(letter, (whole,))
    halves = [fit({n // 2: x for n, x in values.items() if n % 2 == parity}, "h") for parity in (0, 1)]
    return None if halves[0] is None or halves[1] is None else ClosedForm(letter, (halves[0], halves[1]))


def fit(values: Values, letter: str) -> Formula | None:
    """One formula that equals every value, or None.

    >>> a = RationalFunctionField().gen
    >>> fit({n: 1 - a ** (n * n) for n in range(6)}, "n") is None
    True
    """
    if len(values) < 2 + HELD_OUT:
        return None
    level = RationalFunctionField().gen
    found = _product(values, letter) or _quotient(values, letter) or _complement(values, letter)
    for slope in (1, -1) if found is None else ():
        turned = _quotient({n: x / level ** (slope * n) for n, x in values.items()}, letter)
        found = found or (None if turned is None else turned.times(Power(LEVEL, Form(0, ((letter, slope),)))))
    return found if found is not None and all(found.value({letter: n}, level) == x for n, x in values.items()) else None


def fit_entries(
    name: str,
    tables: Mapping[int, Mapping[tuple[int, ...], Any]],
    letter: str,
    indices: str,
    conditions: Sequence[str],
    *,
    parity: int | None = None,
    shift: int = 0,
) -> EntryForm | None:
    """A closed form of the entries of tables: by conditions, a formula in n times α^(linear in the indices).

    * ``name``: of the table.
    * ``tables``: by n, the entries by their indices.
    * ``letter``, ``indices``: the letters of n, and of the indices.
    * ``conditions``: chains of comparisons such as ``i = j-1 = 0``: an entry belongs to the first that holds
      for it. The last is empty.
    * ``parity``: the letter stands for h, where n = 2h + parity.
    * ``shift``: the letter stands for n plus this.

    Returns: without the conditions that no entry belongs to.

    >>> a = RationalFunctionField().gen
    >>> tables = {n: {(i, j): a ** abs(i - j) for i in range(n) for j in range(n)} for n in range(2, 6)}
    >>> print(fit_entries("P", tables, "n", "i j", ["j <= i", ""]))
    a^(i-j)  if j <= i; a^(j-i)  else
    """
    level = RationalFunctionField().gen
    belonging: dict[str, dict[int, dict[tuple[int, ...], Any]]] = {condition: {} for condition in conditions}
    letters = indices.split()
    for n, table in tables.items():
        h = n + shift if parity is None else n // 2
        for at, x in table.items():
            places = {letter: h, **dict(zip(letters, at, strict=True))}
            condition = next(condition for condition in conditions if holds(condition, places))
            belonging[condition].setdefault(h, {})[at] = x
    cases = list[tuple[str, Formula]]()
    for condition, cells in belonging.items():
        if not cells:
            continue
        found = next(filter(None, (_class(cells, letter, letters, slopes, level) for slopes in _slopes(len(letters)))), None)
        if found is None:
            return None
        cases.append((condition, found))
    return EntryForm(name, letter, indices, tuple(cases), parity, shift) if cases and not cases[-1][0] else None


def _slopes(number: int) -> list[tuple[int, ...]]:
    """Exponents of α for each index, the simplest first."""
    if number < 2:
        return [(x,) for x in (0, -1, 1)] if number else [()]
    return [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1), (1, -1), (-1, 1)]


def _class(
    cells: Mapping[int, Mapping[tuple[int, ...], Any]], letter: str, letters: Sequence[str], slopes: tuple[int, ...], level: Any
) -> Formula | None:
    """The formula of a class of entries, if they are α^(slopes·indices) times a function of n."""
    left: dict[int, Any] = {}
    for n, entries in cells.items():
        reduced = [x / level ** sum(s * k for s, k in zip(slopes, at, strict=True)) for at, x in entries.items()]
        if not all(same_formula(x, reduced[0]) for x in reduced[1:]):
            return None
        left[n] = reduced[0]
    found = fit(left, letter)
    if found is None or not any(slopes):
        return found
    return found.times(Power(LEVEL, Form(0, tuple((index, s) for index, s in zip(letters, slopes, strict=True) if s))))


# --- Products ---


def _product(values: Values, letter: str) -> Formula | None:
    """c·∏ b^(linear in n), if the values are that."""
    if any(map(is_zero, values.values())):
        return Formula((Term((), letter=letter),)) if all(map(is_zero, values.values())) else None
    powers, left = list[Power](), dict(values)
    for base in BASES:
        taken = {n: _multiplicity(x, base) for n, x in left.items()}
        form = _linear({n: times for n, (times, _) in taken.items()}, letter)
        if form is None:
            return None
        left = {n: rest for n, (_, rest) in taken.items()}
        powers += [Power(base, form)] * (form != Form(0))
    for degree in DEGREES if all(values) else DEGREES[:1]:
        found = _constant({n: x / Rational(n) ** degree for n, x in left.items()}, letter)
        if found is not None:
            top, bottom, more = found
            above, below = (degree, 0) if degree > 0 else (0, -degree)
            return Formula((Term(top, above, (*powers, *more), letter),), (Term(bottom, below, letter=letter),))
    return None


def _constant(values: Values, letter: str) -> tuple[Polynomial, Polynomial, list[Power]] | None:
    """Numerator, denominator and powers of primes, if the values are one function times powers of primes."""
    first, powers = next(iter(values.values())), list[Power]()
    numbers = {n: generic_quotient(x, first).rational for n, x in values.items()}
    if any(ratio is None for ratio in numbers.values()):
        return None
    top, bottom = tuple(map(int, first.numerator)), tuple(map(int, first.denominator))
    content = Rational(gcd(*top), gcd(*bottom))
    left = {n: x * content for n, x in numbers.items()}
    for prime in PRIMES:
        form = _linear({n: _prime(x, prime) for n, x in left.items()}, letter)
        if form is not None and form.slopes:
            powers.append(Power((prime,), form))
            left = {n: x / Rational(prime) ** form.at({letter: n}) for n, x in left.items()}
    rest = next(iter(left.values()))
    if any(x != rest for x in left.values()):
        return None
    return (*_scaled(top, bottom, rest / content), powers)


def _multiplicity(x: Any, base: Polynomial) -> tuple[int, Any]:
    """How often the base divides a function (negative: its denominator), and what is left."""
    divisor, degree, times = _function(x.field, base), len(base) - 1, 0
    for step, move in ((1, truediv), (-1, mul)):
        while sum((moved := move(x, divisor)).degrees()) == sum(x.degrees()) - degree:
            x, times = moved, times + step
    return times, x


def _linear(numbers: Mapping[int, int], letter: str) -> Form | None:
    """The linear form that these numbers are."""
    (n, x), (m, y) = list(numbers.items())[:2]
    slope, rest = divmod(y - x, m - n)
    form = Form(x - slope * n, ((letter, slope),) if slope else ())
    return form if rest == 0 and all(form.at({letter: k}) == z for k, z in numbers.items()) else None


def _prime(x: Rational, prime: int) -> int:
    """How often a prime divides a rational number."""
    result, above, below = 0, abs(int(x.numerator)), int(x.denominator)
    while above % prime == 0:
        above, result = above // prime, result + 1
    while below % prime == 0:
        below, result = below // prime, result - 1
    return result


def _scaled(top: Polynomial, bottom: Polynomial, by: Rational) -> tuple[Polynomial, Polynomial]:
    """top/bottom times a number, in lowest terms."""
    top, bottom = tuple(c * int(by.numerator) for c in top), tuple(c * int(by.denominator) for c in bottom)
    common = gcd(*top, *bottom)
    return tuple(c // common for c in top), tuple(c // common for c in bottom)


def _complement(values: Values, letter: str) -> Formula | None:
    """1 minus a product, if the values are that."""
    found = _product({n: 1 - x for n, x in values.items()}, letter)
    if found is None:
        return None
    (above,), (below,) = found.balanced()
    less = Term(tuple(-c for c in above.coefficient), above.degree, above.powers, letter)
    return Formula((below, less), (below,))


# --- Quotients ---


def _quotient(values: Values, letter: str) -> Formula | None:
    """The quotient of the smallest shape that fits."""
    pairs = sorted(((p, q) for p in SHAPES for q in SHAPES), key=lambda pair: len(pair[0]) + len(pair[1]))
    sample = next(x for x in (Rational(2, k) for k in count(7, 2)) if not any(_pole(f, x) for f in values.values()))
    at_sample = {n: f.evaluate(sample) for n, f in values.items()}
    for top, bottom in pairs:
        parts = [*top, *bottom]
        if len(values) < len(parts) - 1 + HELD_OUT or not _singular(_system(at_sample, top, bottom, sample)):
            continue
        level = RationalFunctionField().gen
        found = _kernel(_system(values, top, bottom, level), level.field.one)
        if found is not None:
            above, below = _normal(found, len(top), parts, max(values))
            low = min(next(k for k, c in enumerate(p) if c) for p in below)
            formula = Formula(_terms(top, above, letter), _terms(bottom, [p[low:] for p in below], letter))
            if any(formula.is_pole({letter: n}, level) for n in values):  # 0/0 there, whatever the answer is
                continue
            return formula.times(Power(LEVEL, Form(-low))) if low else formula
    return None


def _pole(function: Any, level: Rational) -> bool:
    return sum((int(c) * level**k for k, c in enumerate(function.denominator)), Rational(0)) == 0


def _system(values: Values, top: Sequence[_Part], bottom: Sequence[_Part], level: Any) -> list[list[Any]]:
    """The rows of P(n) − f(n)·Q(n) = 0."""

    def part(p: _Part, n: int) -> Any:
        return level ** (p.slope * n) * n**p.degree

    return [[*(part(p, n) for p in top), *(-x * part(q, n) for q in bottom)] for n, x in values.items()]


def _singular(rows: list[list[Any]]) -> bool:
    """Whether the rows send some vector to 0, as they do at every level if they do as functions."""
    return len(row_echelon(rows)[0]) < len(rows[0])


def _kernel(rows: list[list[Any]], one: Any) -> list[Any] | None:
    """The vector that the rows send to 0, if it is one up to a factor and has no zeros."""
    width = len(rows[0])
    pivots, _ = row_echelon(rows)
    free = [c for c in range(width) if c not in pivots]
    if len(free) != 1:
        return None
    vector = [one] * width
    for row, c in zip(rows, pivots, strict=False):
        vector[c] = -row[free[0]]
    return vector if all(map(is_nonzero, vector)) else None


def _normal(vector: Sequence[Any], split: int, parts: Sequence[_Part], n: int) -> tuple[list[Polynomial], list[Polynomial]]:
    """The coefficients as integer polynomials without a common factor; the denominator is positive at 1/2."""
    vector = [formula_of(x) for x in vector]
    field = vector[0].field
    scale = field.one
    for x in vector:
        scale = scale * _function(field, (x * scale).denominator)
    whole = [x * scale for x in vector]
    common = whole[0]
    for x in whole[1:]:
        common = x / _function(field, (x / common).numerator)
    whole = [x / common for x in whole]
    half = Rational("1/2")
    below = sum(
        (x.evaluate(half) * half ** (p.slope * n) * n**p.degree for x, p in zip(whole[split:], parts[split:], strict=True)), Rational(0)
    )
    texts = [as_polynomial(x) for x in whole]
    content = gcd(*(c for p in texts for c in p)) * (-1 if below < 0 else 1)
    texts = [tuple(c // content for c in p) for p in texts]
    return texts[:split], texts[split:]


def _function(field: Any, coefficients: Sequence[int]) -> Any:
    return sum((int(c) * field.gen**k for k, c in enumerate(coefficients)), field.zero)


def _terms(parts: Sequence[_Part], coefficients: Sequence[Polynomial], letter: str) -> tuple[Term, ...]:
    return tuple(
        Term(c, part.degree, (Power(LEVEL, Form(0, ((letter, part.slope),))),) if part.slope else (), letter)
        for part, c in zip(parts, coefficients, strict=True)
    )
