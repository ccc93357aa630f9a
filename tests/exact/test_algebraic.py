# SPDX-License-Identifier: MIT
"""Algebraic points, intervals and real roots, against sympy's CRootOf and rational samples."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from exactdp.errors import InputError
from exactdp.exact import AlgebraicNumber, Interval, Rational, real_roots

X = sympy.Symbol("x")
polynomials = st.lists(st.integers(-6, 6), min_size=2, max_size=6).filter(lambda c: any(c[1:]))
points = st.fractions(min_value=-3, max_value=3, max_denominator=12)


def sympy_roots(coefficients):
    """Distinct real roots with multiplicities, by sympy."""
    found = sympy.Poly(coefficients[::-1], X).real_roots()
    return [(r, found.count(r)) for i, r in enumerate(found) if r not in found[:i]]


def as_sympy(x):
    if isinstance(x, Rational):
        return sympy.Rational(x.numerator, x.denominator)
    lo, hi = (sympy.Rational(e.numerator, e.denominator) for e in x.interval)
    candidates = [r for r in sympy.Poly(x.coefficients[::-1], X).real_roots() if lo <= r <= hi]
    assert len(candidates) == 1
    return candidates[0]


@pytest.mark.slow
@given(polynomials)
def test_roots_and_multiplicities_are_those_of_sympy(coefficients):
    ours = real_roots(coefficients)
    theirs = sympy_roots(coefficients)
    assert [k for _, k in ours] == [k for _, k in theirs]
    for (x, _), (r, _) in zip(ours, theirs, strict=True):
        assert as_sympy(x) == r


@given(polynomials, polynomials)
def test_products_add_multiplicities(p, q):
    product = [int(c) for c in sympy.Poly(p[::-1], X).mul(sympy.Poly(q[::-1], X)).all_coeffs()[::-1]]
    counted: dict = {}
    for coefficients in (p, q):
        for x, k in real_roots(coefficients):
            counted[x] = counted.get(x, 0) + k
    assert dict(real_roots(product)) == counted


@pytest.mark.slow
@given(polynomials, points)
def test_comparison_with_rationals(coefficients, r):
    for x, _ in real_roots(coefficients):
        theirs = as_sympy(x) - sympy.Rational(r.numerator, r.denominator)
        expected = 0 if theirs.equals(0) else (1 if theirs > 0 else -1)
        ours = (x > Rational(r)) - (x < Rational(r))
        assert ours == expected
        assert (x == Rational(r)) == (expected == 0)


@pytest.mark.slow
@given(polynomials, polynomials)
def test_comparison_of_algebraic_numbers(p, q):
    for x, _ in real_roots(p):
        for y, _ in real_roots(q):
            a, b = as_sympy(x), as_sympy(y)
            expected = 0 if a == b else (1 if a > b else -1)
            assert (x > y) - (x < y) == expected
            assert (x == y) == (expected == 0)
            if expected == 0:
                assert hash(x) == hash(y)


@pytest.mark.slow
@given(polynomials, polynomials)
def test_sign_of_a_polynomial_at_a_root(p, q):
    for x, _ in real_roots(p):
        if not isinstance(x, AlgebraicNumber):
            continue
        minimal = sympy.Poly(x.coefficients[::-1], X)
        other = sympy.Poly(q[::-1], X)
        if other.rem(minimal).is_zero:
            assert x.sign_of(q) == 0
        else:
            value = other.as_expr().subs(X, as_sympy(x)).evalf(60)
            assert x.sign_of(q) == (1 if value > 0 else -1)


def test_equality_does_not_depend_on_the_polynomial_or_the_interval():
    x = AlgebraicNumber([-2, 0, 1], 1, 2)
    y = AlgebraicNumber([4, 0, -4, 0, 1], "7/5", "3/2")  # (x² − 2)²
    z = AlgebraicNumber([-2, 0, 1], -2, -1)
    assert x == y
    assert hash(x) == hash(y)
    assert x != z
    assert z < x
    assert pickle.loads(pickle.dumps(x)) == x
    assert {x, y, z} == {x, z}


def test_a_rational_root_is_the_rational():
    x = AlgebraicNumber([-1, 2], 0, 1)
    assert x == Rational("1/2")
    assert Rational("1/2") == x
    assert hash(x) == hash(Fraction(1, 2))
    assert x.rational == Rational("1/2")
    assert real_roots([0, 0, 1]) == ((Rational(0), 2),)


def test_close_roots_are_separated():
    # (x − 1/3)(10^40·x − (10^40/3 rounded up)): rational roots 10^-40 apart, and √2 against a convergent
    big = 10**40
    x = AlgebraicNumber([-2, 0, 1], 1, 2)
    below = Rational(sympy.floor(sympy.sqrt(2) * big), big)
    assert below < x < below + Rational(1, big)
    mignotte = [-2, 2 * 30, -2 * 225, 0, 0, 0, 0, 1]  # x^7 − 2(15x − 1)²: two roots very near 1/15
    ours = real_roots(mignotte)
    assert len(ours) == len(sympy_roots(mignotte)) == 3
    assert ours[0][0] < Rational("1/15") < ours[1][0]


@pytest.mark.parametrize(
    ("coefficients", "lo", "hi"),
    [([1, 0, 1], 0, 1), ([-2, 0, 1], -2, 2), ([0], 0, 1), ([5], 0, 1), ([-2, 0, 1], 2, 3)],
)
def test_no_root_or_several_are_refused(coefficients, lo, hi):
    with pytest.raises(InputError, match="not exactly one"):
        AlgebraicNumber(coefficients, lo, hi)


@pytest.mark.parametrize("value", [0.5, "0,5", True, None])
def test_wrong_ends(value):
    with pytest.raises(InputError):
        Interval(0, value)


def test_wrong_polynomials():
    with pytest.raises(InputError):
        real_roots("x^2")
    with pytest.raises(InputError):
        real_roots([0, 0])
    with pytest.raises(InputError):
        real_roots([0.5, 1])
    with pytest.raises(AttributeError, match="immutable"):
        AlgebraicNumber([-2, 0, 1], 1, 2)._lo = 0
    with pytest.raises(InputError, match="not positive"):
        AlgebraicNumber([-2, 0, 1], 1, 2).refine(0)


@given(polynomials, st.integers(0, 12))
def test_enclosures_are_the_decimals_around(coefficients, digits):
    for x, _ in real_roots(coefficients):
        if not isinstance(x, AlgebraicNumber):
            continue
        lo, hi = x.enclosure(digits)
        assert lo < x < hi
        assert hi - lo == Rational(1, 10**digits)
        assert (lo * 10**digits).denominator == 1


@given(polynomials, st.fractions(min_value=Fraction(1, 1000), max_value=1))
def test_refined_intervals(coefficients, width):
    for x, _ in real_roots(coefficients):
        if isinstance(x, AlgebraicNumber):
            y = x.refine(width)
            lo, hi = y.interval
            assert hi - lo <= Rational(width)
            assert x.interval[0] <= lo < y < hi <= x.interval[1]
            assert y == x


ends = st.one_of(points.map(Rational), st.sampled_from([x for c in ([-2, 0, 1], [-1, 0, 2], [1, -3, 1]) for x, _ in real_roots(c)]))
intervals = st.tuples(ends, ends, st.booleans(), st.booleans()).filter(lambda t: t[0] < t[1]).map(lambda t: Interval(*t))


@pytest.mark.slow
@given(intervals, st.lists(ends, max_size=4), points)
def test_pieces_cover_the_interval_once(interval, cuts, x):
    pieces = interval.split(cuts)
    x = Rational(x)
    assert sum(piece.contains(x) for piece in pieces) == int(interval.contains(x))
    for cut in cuts:
        if interval.contains(cut):
            assert [piece for piece in pieces if piece.contains(cut)] == [Interval.point(cut)]
    assert all(interval.contains(piece) for piece in pieces)
    assert interval.contains(interval.sample()) or interval.is_point


@pytest.mark.slow
@given(intervals, intervals, points)
def test_intersections(one, two, x):
    both = one.intersection(two)
    x = Rational(x)
    assert (both is not None and both.contains(x)) == (one.contains(x) and two.contains(x))
    assert both is None or (one.contains(both) and two.contains(both))
    assert one.contains(two) == (both == two)


def test_intervals_are_values():
    x = AlgebraicNumber([-1, 0, 2], 0, 1)
    assert Interval(0, x) == Interval(0, x.refine("1/1000"))
    assert hash(Interval(0, x)) == hash(Interval(0, x.refine("1/1000")))
    assert pickle.loads(pickle.dumps(Interval(0, x, True))) == Interval(0, x, True)
    assert Interval(0, 1) != Interval(0, 1, True)
    with pytest.raises(InputError, match="empty"):
        Interval(1, 0)
    with pytest.raises(InputError, match="empty"):
        Interval(x, x, True, False)
    with pytest.raises(InputError, match="no rational point"):
        Interval.point(x).sample()
    assert Interval(0, x).to_json() == {
        "lower": "0",
        "upper": {"poly": ["-1", "0", "2"], "in": ["353553/500000", "707107/1000000"]},
        "lower_closed": False,
        "upper_closed": False,
    }


@pytest.mark.parametrize("poly", [[-2, 0, 1], [-1, 0, 2], [2, -2000003, 1000000000000], [1, 0, -20000, 0, 100000001], [-2, 0, 0, 0, 0, 1]])
def test_equal_numbers_are_written_alike(poly: list[int]) -> None:
    """However far they were refined; the interval isolates the root and encloses it strictly."""
    for root, _ in real_roots(poly):
        if isinstance(root, Rational):
            continue
        written = root.to_json()
        low, high = written["in"]
        assert root.refine(Rational(1, 10**30)).to_json() == written
        assert AlgebraicNumber([Rational(c) for c in written["poly"]], low, high) == root
        assert Rational(low) < root < Rational(high)
