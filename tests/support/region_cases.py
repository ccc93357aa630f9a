# SPDX-License-Identifier: MIT
"""Regions, and polynomials on them: random ones, and known inequalities."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import assume
from hypothesis import strategies as st

from exactdp.errors import InputError
from exactdp.exact import Region, SymbolField


def polynomial(text, region):
    """The terms of a formula in the letters of a region."""
    return SymbolField(region.names)(text).numerator


# --- Random polynomials on random regions ---

ENDS = [Fraction(k, 4) for k in range(-4, 9)]


@st.composite
def regions(draw, letters=3, curved=True):
    """A box, some of it closed or without an end, perhaps cut by a line or, if ``curved``, a curve."""
    names = "pqr"[: draw(st.integers(1, letters))]
    assumed = {}
    for name in names:
        low, high = sorted(draw(st.lists(st.sampled_from(ENDS), min_size=2, max_size=2, unique=True)))
        shape = draw(st.sampled_from(["({},{})", "[{},{})", "({},{}]", "[{},{}]", "({},oo)", "[{},oo)", "(-oo,{})", "(-oo,oo)"]))
        assumed[name] = shape.format(low, high)
    where = []
    for _ in range(draw(st.integers(0, 2))):
        slopes = draw(st.lists(st.integers(-2, 2), min_size=len(names), max_size=len(names)).filter(any))
        terms = " ".join(f"{slope:+d}*{name}" for slope, name in zip(slopes, names, strict=True))
        where.append(f"{terms.removeprefix('+')} {draw(st.sampled_from(['<', '<=']))} {draw(st.integers(-1, 3))}")
    if curved and draw(st.integers(0, 5)) == 0:
        where.append(draw(st.sampled_from([f"{names[0]}^2 < 2", f"{names[0]}*{names[-1]} <= 1", f"{names[-1]}^2 > {names[0]}"])))
    try:
        return Region(assumed, where)
    except InputError:
        assume(False)


@st.composite
def questions(draw, letters=3):
    region = draw(regions(letters))
    powers = st.tuples(*(st.integers(0, 2) for _ in region.names))
    terms = draw(st.dictionaries(powers, st.integers(-6, 6).filter(bool), min_size=1, max_size=5))
    if draw(st.booleans()):  # likelier to have a sign: squares and constraints with positive numbers
        symbols = SymbolField(region.names)
        square = symbols.quotient(tuple(terms.items()))
        total = square * square * draw(st.integers(0, 2)) + draw(st.integers(0, 2))
        for c in region.constraints[:3]:
            total = total + draw(st.integers(0, 3)) * symbols.quotient(c.terms) ** draw(st.integers(1, 2))
        return region, total.numerator
    return region, tuple(terms.items())


# --- Known inequalities ---

UNIT = {"p": "(0,1)", "q": "(0,1)"}
REAL = {"x": "(-oo,oo)", "y": "(-oo,oo)"}

POSITIVE = [
    ("1 - p*q", UNIT, ()),
    ("p^2 - p + 1/4 + q", UNIT, ()),  # zero at (1/2, 0), on the boundary
    ("q + (p - 1/3)^2", UNIT, ()),  # the same at (1/3, 0), which halving never meets
    ("p^2 - p*q + q^2", UNIT, ()),
    ("1 - p - p*q", UNIT, ("p + q < 1",)),
    ("28/27 - 1 - p*q*(1 - p - q)", {"p": "(0,1/4)", "q": "(0,1)"}, ("p + q < 1",)),
    ("2 - p - q - r", {"p": "(0,1)", "q": "(0,1)", "r": "(0,1)"}, ("p + q + r < 2", "p + q < 1")),
    ("1 - p^2", {"p": "(0,1)"}, ("p^2 < 1/2",)),
    ("1 - 2*p^2", {"p": "(0,1)"}, ("p^2 < 1/2",)),
    ("q", {"p": "(0,1)", "q": "[0,1)"}, ("q > p",)),
    ("x^4 + y^4 - x^2 - y^2 + 1", REAL, ()),
    ("(1-p)*(1-q) - p*q", {"p": "(0,1/2)", "q": "(0,1/2)"}, ()),
]

NONNEGATIVE = [
    ("(p - q)^2", UNIT, (), (None, None)),
    ("p^2 - p*q + q^2", {"p": "[0,1)", "q": "[0,1)"}, (), (0, 0)),
    ("q + (p - 1/3)^2", {"p": "(0,1)", "q": "[0,1)"}, (), (Fraction(1, 3), 0)),
    ("q + (p - 1/3)^2*(2 - p*q)", {"p": "(0,1)", "q": "[0,1)", "r": "(5,6)"}, (), (Fraction(1, 3), 0, None)),
    ("1/27 - p*q*(1 - p - q)", UNIT, ("p + q < 1",), (Fraction(1, 3), Fraction(1, 3))),  # the means
    ("p^2*q + p*q^2 + 1 - 3*p*q", {"p": "(0,oo)", "q": "(0,oo)"}, (), (1, 1)),
    ("x^4*y^2 + x^2*y^4 + 1 - 3*x^2*y^2", REAL, (), (None, None)),  # Motzkin: no sum of squares
    ("1 - 2*p", {"p": "(0,1/2]"}, (), (Fraction(1, 2),)),
]
