# SPDX-License-Identifier: MIT
"""The checker's numbers beyond ℚ against other arithmetic: polynomials as dicts, FLINT's balls, SymPy's real
roots.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fractions import Fraction as F
from functools import cache
from itertools import product

import pytest
import sympy
from certificate_pool import certificate
from flint import arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st
from places import ROOT

from exactdp.checker import check_bytes, fields, kernel, limits, sparse
from exactdp.checker.arithmetic import products_at_least, ratio
from exactdp.checker.kernel import FIELD, WORK, Larger, Node, Stop
from exactdp.checker.polynomials import Quotient
from exactdp.checker.powers import at_least, places

X = sympy.Symbol("x")
CORPUS = ROOT / "tests" / "corpus"
GRIDS = sorted((ROOT / "proofs" / "fernandes_metric_privacy" / "certificates").glob("grid-2x3-*.edp.json"))


@pytest.fixture(autouse=True)
def one_check():
    token = WORK.set([0, 0])
    yield
    WORK.reset(token)
    FIELD.set(None)


def exponential(rate="1/10", roots=(1,), doublings=2):
    return fields.field_of("t", Node({"type": "exponential", "rate": rate, "roots": list(roots)}, "$"), doublings)


def parameter(doublings=2, **interval):
    return fields.field_of("a", Node({"type": "parameter", "interval": interval}, "$"), doublings)


def build(field, terms):
    """Σ c·x^e from a dict."""
    total = field.constant(0)
    for powers, c in terms.items():
        monomial = field.constant(c)
        for i, e in enumerate(powers):
            monomial = monomial * field.symbol(i, e)
        total = total + monomial
    return total


def terms_of(field, p):
    """The dict of a polynomial."""
    base = sparse.BASE if field.sparse else field.stride
    return {tuple(e // base**i % base for i in range(field.symbols)): c for e, c in p.found()}


def dict_times(p, q):
    result = {}
    for (a, x), (b, y) in product(p.items(), q.items()):
        key = tuple(i + j for i, j in zip(a, b, strict=True))
        result[key] = result.get(key, 0) + x * y
    return {key: c for key, c in result.items() if c}


def dict_plus(p, q, sign=1):
    result = {key: p.get(key, 0) + sign * q.get(key, 0) for key in p | q}
    return {key: c for key, c in result.items() if c}


def polynomials(symbols, bits=40, degree=4):
    return st.dictionaries(st.tuples(*[st.integers(0, degree)] * symbols), st.integers(-(2**bits), 2**bits), max_size=6)


@settings(max_examples=80)
@given(st.data(), st.sampled_from([(1,), (1,), (1, 2), (1, 2), (2, 3, 5)]), st.integers(0, 2), st.integers(1, 70))
def test_arithmetic(data, roots, doublings, bits):
    """Slots that are too small are reported; no coefficient is ever wrong."""
    WORK.set([0, 0])
    field = exponential(roots=roots, doublings=doublings if len(roots) < 3 else doublings % 2)
    p, q = ({k: c for k, c in data.draw(polynomials(len(roots), bits, 7 - 2 * len(roots))).items() if c} for _ in range(2))
    try:
        x, y = build(field, p), build(field, q)
        results = [(x + y, dict_plus(p, q)), (x - y, dict_plus(p, q, -1)), (x * y, dict_times(p, q)), (-x, dict_plus({}, p, -1))]
        results += [(x * 3 - 2, dict_plus({k: 3 * c for k, c in p.items()}, {(0,) * len(roots): -2}))]
        results += [(x * x * x, dict_times(dict_times(p, p), p)), (x**3, dict_times(dict_times(p, p), p))]
    except Larger:
        return
    for found, expected in results:
        assert terms_of(field, found) == expected
        assert bool(found) == bool(expected)
    assert (x == y) == (p == q)
    assert ((x * y) // 1) == x * y
    assert terms_of(field, (x * 35) // 7) == {k: 5 * c for k, c in p.items()}


def test_slots_that_overflow_are_reported():
    field = exponential(doublings=0)
    for attempt in (
        lambda: field.constant(2**64),
        lambda: field.symbol(0, 1) * 2**64,
        lambda: field.symbol(0, 1) + 2**64,
        lambda: field.symbol(0, 1) * 2**40 * (field.symbol(0, 1) * 2**40),
        lambda: (field.symbol(0, 1) + 1) ** 70,
        lambda: field.polynomial(Node(["0", str(2**64)], "$")),
    ):
        with pytest.raises(Larger):
            attempt()


def test_slots_grow_with_coefficients_and_not_with_the_number_of_sums():
    """A bound of sizes grows by a bit with each sum; a thousand sums of small numbers stay small."""
    field = exponential(doublings=0)
    total, product = field.constant(0), field.constant(1)
    for _ in range(1000):
        total = total + (field.symbol(0, 1) + 3)
        product = (product + field.symbol(0, 1)) * 1 - field.symbol(0, 1)
    assert terms_of(field, total) == {(1,): 1000, (0,): 3000}
    assert terms_of(field, total * total) == {(2,): 10**6, (1,): 6 * 10**6, (0,): 9 * 10**6}
    assert terms_of(field, product) == {(0,): 1}
    large = field.symbol(0, 1) * 2**60
    with pytest.raises(Larger):
        sum([large] * 9)


@settings(max_examples=60)
@given(st.data(), st.sampled_from([(1,), (1, 2)]), st.integers(0, 3))
def test_products_are_compared_as_they_are(data, roots, kind):
    """By enclosures or not: x·a ≥ y·b, also where they are equal, nearly equal, or integers."""
    field = exponential("1/3", roots=roots, doublings=5)
    kernel.FIELD.set(field)
    x, a, y, b = (build(field, data.draw(polynomials(len(roots), 20, 3))) for _ in range(4))
    if kind == 1:
        y, b = a, x
    if kind == 2:
        power = field.symbol(len(roots) - 1, 40)
        y, b = x * a + data.draw(st.integers(-1, 1)) * power * power * power, 1
    if kind == 3:
        a, b = data.draw(st.integers(-5, 5)), data.draw(st.integers(-5, 5))
    assert products_at_least(x, a, y, b) == (not (y * b - x * a) > 0)


@pytest.mark.parametrize("roots", [(1,), (1, 2)])
def test_products_of_long_numbers_that_differ_are_compared_without_multiplying(monkeypatch, roots):
    """Nor is a product made of those whose enclosures are apart; it is where they meet."""
    field = exponential("1/3", roots=roots, doublings=2)
    kernel.FIELD.set(field)
    x = build(field, {(e, *[1] * (len(roots) - 1)): e + 1 for e in range(60)})

    def multiplied(self, other):
        raise AssertionError("multiplied")

    monkeypatch.setattr(type(x), "__mul__", multiplied)
    assert products_at_least(x, 3, x, 2)
    assert not products_at_least(x, 2, x, 3)
    assert products_at_least(x, -2, x, -3)
    with pytest.raises(AssertionError, match="multiplied"):
        products_at_least(x, 3, x, 3)


def test_products_of_polynomials_count_once():
    """A denominator of many terms is not counted as an integer of as many bits would be."""
    field = exponential(roots=(1, 2, 3), doublings=0)
    kernel.FIELD.set(field)
    many = [[[str(1 + (i * j * k) % 7) for k in range(8)] for j in range(8)] for i in range(8)]
    rows = [{"den": many, "num": [many, "2"]}, {"den": "3", "num": ["1", "2"]}]
    WORK.set([0, 0])
    table = Node(rows, "$").matrix(2, 2)
    assert WORK.get()[0] < 3 * 10**6
    kernel.FIELD.set(field)
    big = field.polynomial(Node(many, "$"))
    assert table.den == 3 * big
    assert table.rows == [{0: 3 * big, 1: 6}, {0: big, 1: 2 * big}]


def test_exponents_of_several_symbols_have_places():
    """The largest one of one symbol is none of the next."""
    field = exponential(roots=(1, 2), doublings=0)
    largest = field.symbol(0, sparse.PLACES - 2)
    assert terms_of(field, largest * field.symbol(1, 1) + 2) == {(sparse.PLACES - 2, 1): 1, (0, 0): 2}
    for attempt in (lambda: largest * field.symbol(0, 2), lambda: field.symbol(1, sparse.PLACES), lambda: largest**2):
        with pytest.raises(Stop):
            attempt()


@given(st.dictionaries(st.integers(0, 60), st.integers(1, sparse.PLACES - 1), max_size=5))
def test_the_factors_of_a_monomial_are_read_from_its_place(powers):
    place = sum(k * sparse.BASE**i for i, k in powers.items())
    assert list(sparse.factors_at(place)) == sorted(powers.items())
    roots = [q for q in range(1, 120) if all(q % d**2 for d in (2, 3, 5, 7))][:61]
    assert exponential(roots=roots).exponents(place) == [powers.get(i, 0) for i in range(61)]


@given(st.integers(0, 3), polynomials(3, 20, 2))
def test_a_power_has_no_more_bits_than_are_announced(k, terms):
    p = build(exponential(roots=(1, 2, 3)), terms)
    assert (p**k).bit_length() <= p.bits_of_power(k)


def test_no_many_places_have_one_hash():
    """2^61 − 1 divides 2^60·2 − 1: with places of 30 bits x_3² and x_1 had one hash."""
    field = exponential(roots=(1, 2, 3))
    p = sum((field.symbol(0, k) for k in range(1, 40)), field.constant(1))
    q = sum((field.symbol(2, k) for k in range(1, 40)), field.constant(1))
    places = [e for e, _ in (p * q).found()]
    assert len(places) == 1600
    assert len(set(map(hash, places))) > 1590


def test_symbols_that_do_not_occur_make_no_power_longer():
    alone, among = (exponential(roots=roots) for roots in ((1, 2), (1, 2, 3, 5, 6, 7)))
    few, many = ((field.symbol(0, 2) + field.symbol(0, 1)).bits_of_power(50) for field in (alone, among))
    assert many < 2 * few


def test_roots_that_do_not_occur_cost_little():
    """A constant among a thousand roots is enclosed as one among two."""
    steps = []
    for count in (2, 1000):
        field = exponential(roots=[q for q in range(1, 2000) if all(q % d**2 for d in range(2, 45))][:count])
        seen = 0

        def count_lines(frame, event, _):
            nonlocal seen
            seen += event == "line"
            return count_lines

        before = sys.gettrace()
        sys.settrace(count_lines)
        field.constant(7)
        sys.settrace(before)
        steps.append(seen)
    assert steps[1] == steps[0]


@given(st.sampled_from([(1, 2), (2, 3, 5)]), st.integers(0, 2), st.integers(1, 40), st.sampled_from([64, 320, 1000]))
def test_powers_of_symbols_are_enclosed(roots, i, k, precision):
    """Against FLINT's exponential of −k·√q."""
    field, i = exponential("1", roots=roots), i % len(roots)
    WORK.set([0, 0])
    low, high = field.power_ball(i, k, precision)
    with ctx.workprec(precision + 200):
        value = (-k * arb(roots[i]).sqrt()).exp() * arb(2) ** precision
    assert arb(low) <= value <= arb(high)
    assert high - low <= 200 * k


def test_division_is_exact_or_refused():
    field = parameter(above="0", below="1")
    x = field.symbol(0, 1)
    assert (x * x * 6 + x * 4) // x == x * 6 + 4
    assert (x * 6 + 4) // 2 == x * 3 + 2
    assert 0 // x == 0
    for p, q in ((x + 1, x), (x * 3, 2), (x * x, x + 1), (x, field.constant(0))):
        with pytest.raises((Stop, ValueError)):
            p // q


@settings(max_examples=80)
@given(
    st.fractions(F(1, 10**6), 60, max_denominator=10**6) | st.sampled_from([F(1, 10**30), F(1000), F(7, 10**9)]),
    st.sampled_from([1, 2, 3, 5, 999_997]),
    st.sampled_from([64, 320, 1000, 3000]),
)
def test_enclosures(rate, q, precision):
    """2^precision·e^(−rate·√q) is between the two integers, which are close."""
    WORK.set([0, 0])
    field = exponential(str(rate), (q,))
    low, high = field.enclosure(0, precision)
    old, ctx.prec = ctx.prec, precision + 4000
    try:
        exact = (-arb(fmpq(rate.numerator, rate.denominator)) * arb(q).sqrt()).exp() * arb(2) ** precision
        assert arb(low) <= exact
        assert exact <= arb(high)
    finally:
        ctx.prec = old
    assert 0 <= low <= high <= low + 3


def convergents(count):
    """Of e^(−1) = [0; 2, 1, 2, 1, 1, 4, 1, 1, 6, …]."""
    quotients = [0, 2, *(x for k in range(1, count) for x in (1, 2 * k, 1))]
    p, q, p_, q_ = 1, 0, 0, 1
    for a in quotients:
        p, q, p_, q_ = a * p + p_, a * q + q_, p, q
        yield p, q


def test_signs_close_to_zero():
    """Linear factors with the continued fraction of 1/e: alternately below and above it, by less than
    10^(−100) in the end.
    """
    field = exponential("1", doublings=5)
    t, listed = field.symbol(0, 1), list(convergents(45))
    assert listed[-1][1] > 10**50
    signs = [(t * q - p > 0, t * q - p < 0) for p, q in listed]
    assert all(a != b for a, b in signs)
    assert signs == [(k % 2 == 0, k % 2 == 1) for k in range(len(signs))]
    (p, q), (r, s) = listed[-1], listed[-2]
    assert (t * q - p) * (t * s - r) < 0
    assert (t * q - p) * (t * s - r) * (t * s - r) * ((t * q - p) * t) >= 0
    assert (t * q - p) * (t * s - r) != 0


@settings(max_examples=60)
@given(polynomials(2, 20, 3), st.sampled_from(["1/10", "1", "5/2"]))
def test_signs_of_two_symbols(p, rate):
    WORK.set([0, 0])
    field = exponential(rate, (1, 2))
    x = build(field, p)
    old, ctx.prec = ctx.prec, 2000
    try:
        r = arb(fmpq(F(rate).numerator, F(rate).denominator))
        t = [(-r).exp(), (-r * arb(2).sqrt()).exp()]
        exact = sum((arb(c) * t[0] ** a * t[1] ** b for (a, b), c in p.items()), arb(0))
        assert (x > 0, x < 0) == (bool(exact > 0), bool(exact < 0))
    finally:
        ctx.prec = old
    assert (x == 0) == (not any(p.values()))


ENDS = [("1/3", F(1, 3)), ("1/2", F(1, 2)), ("2/3", F(2, 3)), ({"poly": ["-1", "0", "5"], "in": ["0", "1"]}, sympy.sqrt(5) / 5)]
ENDS += [({"poly": ["-1", "0", "2"], "in": ["0", "1"]}, sympy.sqrt(2) / 2)]
ENDS += [({"poly": ["1", "-3", "1"], "in": ["0", "1"]}, (3 - sympy.sqrt(5)) / 2)]
FACTORS = [[-1, 3], [-1, 2], [-2, 3], [-1, 0, 5], [-1, 0, 2], [1, -3, 1], [1, 0, 1], [-3, 4], [-7, 20], [-1]]


@cache
def real_roots(f):
    return set(sympy.roots(sympy.Poly(f[::-1], X), filter="R")) if len(f) > 1 else set()


def number(x):
    return sympy.Rational(x.numerator, x.denominator) if isinstance(x, F) else x


@pytest.mark.slow
@settings(max_examples=120)
@given(st.data())
def test_signs_on_intervals(data):
    """Products of factors that vanish at ends, inside and outside: the answer of the real roots, or none."""
    WORK.set([0, 0])
    ends = sorted(ENDS, key=lambda end: float(number(end[1])))
    i, j = sorted(data.draw(st.lists(st.integers(0, len(ends) - 1), min_size=2, max_size=2, unique=True)))
    keys = data.draw(st.sampled_from(["above", "at_least"])), data.draw(st.sampled_from(["below", "at_most"]))
    field = parameter(**{keys[0]: ends[i][0], keys[1]: ends[j][0]})
    chosen = data.draw(st.lists(st.sampled_from(FACTORS), min_size=1, max_size=4))
    p, low, high = field.constant(1), number(ends[i][1]), number(ends[j][1])
    for f in chosen:
        p = p * sum((field.symbol(0, k) * c for k, c in enumerate(f)), field.constant(0))
    expression = sympy.prod(sum(c * X**k for k, c in enumerate(f)) for f in chosen)
    roots = {r for f in chosen for r in real_roots(tuple(f))}
    inside = any(bool(low < r) and bool(r < high) for r in roots)
    at_end = (keys[0] == "at_least" and low in roots) or (keys[1] == "at_most" and high in roots)
    positive = bool(expression.subs(X, (low + high) / 2) > 0)
    if inside:
        for question in (lambda: p > 0, lambda: p < 0, lambda: p >= 0, lambda: p == 0):
            with pytest.raises(Stop):
                question()
        return
    strict, other = (lambda: p > 0, lambda: p < 0) if positive else (lambda: p < 0, lambda: p > 0)
    assert other() is False
    if at_end:
        for question in (strict, lambda: p == 0):
            with pytest.raises(Stop):
                question()
    else:
        assert strict() is True
        assert p != 0
    assert field.upwards(p) == positive


@pytest.mark.slow
@pytest.mark.parametrize(("end", "x"), ENDS, ids=lambda e: str(e)[:20])
def test_one_point(end, x):
    field = parameter(at=end)
    for f in FACTORS:
        p = sum((field.symbol(0, k) * c for k, c in enumerate(f)), field.constant(0))
        value = sum(c * number(x) ** k for k, c in enumerate(f))
        assert (p > 0, p < 0, p == 0, bool(p)) == (bool(value > 0), bool(value < 0), sympy.simplify(value) == 0, sympy.simplify(value) != 0)


def test_both_ends_are_roots_of_one_polynomial():
    """8x² − 8x + 1 vanishes at both; whichever of them belongs to the interval, the sign there is another
    one.
    """
    for above, below in product(("above", "at_least"), ("below", "at_most")):
        lower, upper = ({"poly": ["1", "-8", "8"], "in": part} for part in (["0", "1/2"], ["1/2", "1"]))
        field = parameter(**{above: lower, below: upper})
        x = field.symbol(0, 1)
        p = x * x * 8 - x * 8 + 1
        assert not p > 0
        if (above, below) == ("above", "below"):
            assert p < 0
        else:
            with pytest.raises(Stop):
                p < 0  # noqa: B015


def test_lowest_is_the_lowest_everywhere():
    field = parameter(at_least="1/4", below="1")
    x = field.symbol(0, 1)
    assert field.lowest([x, x * x, 1]) == x * x
    assert field.lowest([5, 3, 4]) == 3
    with pytest.raises(Stop):
        field.lowest([x * 2, field.constant(1)])
    touching = parameter(at_least="1/2", below="1")
    y = touching.symbol(0, 1)
    assert touching.lowest([y * 2, 1]) == 1  # equal at the end


def test_quotients_have_positive_denominators():
    field = exponential()
    FIELD.set(field)
    t = field.symbol(0, 1)
    assert ratio(1, t + 1) < 1
    for den in (t - 1, -t, field.constant(0)):
        with pytest.raises(ValueError, match="divides"):
            ratio(1, den)


def test_powers_of_the_level_are_those_of_its_symbol():
    field = exponential("1", (1, 2))
    FIELD.set(field)
    t, u = field.symbol(0, 1), field.symbol(1, 1)
    level = Quotient
    assert field.power(level(t, 1), F(2)).numerator == u
    assert field.power(level(t * t, 1), F(1, 4)).numerator == t
    assert field.power(level(t * t, 1), F(1, 2)).numerator == u
    for num, den, square in ((u, 1, F(1, 4)), (u, 1, F(1, 2)), (t, 1, F(3)), (t, 1, F(1, 4)), (t, 2, F(4)), (t * u, 1, F(4))):
        assert field.power(level(num, den), square) is None
    negative = parameter(at_least="-1/2", at_most="-1/4")
    x = negative.symbol(0, 1)
    assert negative.power(level(x * x, 1), F(1, 4)) is None


def test_products_of_long_enclosures_are_announced():
    """8 is four bits long, but as (5 + t) + (3 − t) its enclosure has as many as a slot."""
    announced = []
    for doublings in (0, 10):
        field = exponential("1", doublings=doublings)
        eight = field.polynomial(Node(["5", "1"], "$")) + field.polynomial(Node(["3", "-1"], "$"))
        WORK.set([0, 0])
        assert (eight * eight).packed == 64
        announced.append(WORK.get()[0])
    WORK.set([0, 0])
    limits.charge(0, 2**16, products=2)
    assert announced[1] - announced[0] > WORK.get()[0]
    WORK.set([0, 0])
    assert (eight * field.constant(0)).packed == 0
    assert WORK.get()[0] < 10_000  # the commonest product of a table with zeros


def test_a_long_rate_is_announced():
    """Its square root is taken for every symbol, however short the enclosures are."""
    rate = "7" * 40_000
    field = exponential(f"{rate}/1{rate}", roots=(1, 2), doublings=0)
    WORK.set([0, 0])
    assert field.symbol(1, 1) > 0
    announced = WORK.get()[0]
    WORK.set([0, 0])
    limits.charge(8 * limits.quadratic(132_000, 132_000))  # for each of two symbols two roots and two divisions
    assert announced > WORK.get()[0]


def test_limits_are_announced(monkeypatch):
    """Before the work: a sign that needs very many digits, powers of enormous degree, a long polynomial on an
    interval.
    """
    monkeypatch.setitem(kernel.LIMITS, "work", 10**7)
    tiny = exponential("1" + "0" * 30)
    with pytest.raises(Stop, match="limit of"):
        assert tiny.symbol(0, 1) > 0
    WORK.set([0, 0])
    field = exponential(doublings=0)
    with pytest.raises(Stop, match="limit of"):
        field.symbol(0, 10**12)
    WORK.set([0, 0])
    kernel.FIELD.set(field)
    with pytest.raises(Stop, match="limit of"):
        at_least(field.symbol(0, 1), 1, F(1, 2), F(10**24))
    kernel.FIELD.set(None)
    WORK.set([0, 0])
    wide = parameter(above="0", below="1")
    long = wide.polynomial(Node(["1", "-1", *["0"] * 3000, "1"], "$"))
    with pytest.raises(Stop, match="limit of"):
        assert long > 0


def test_a_quotient_with_a_long_integer_is_written_down():
    """In the reason of a rejection. Python's own conversion stops at 4300 digits: that was a defect."""
    rows = [{"den": "2", "num": [["1", "1"], ["1", "-1"]]}, {"den": "2", "num": [["1", "-1"], ["1", "1"]]}]
    definitions = {
        "a": {"type": "parameter", "interval": {"above": "0", "below": "1/2"}},
        "M": {"type": "mechanism", "inputs": ["0", "1"], "outputs": ["0", "1"], "rows": rows},
        "N": {"type": "path", "vertices": 2},
    }
    claim = {"kind": "level", "mechanism": "M", "neighbours": "N", "ratio": "1/1" + "0" * 5000, "distance": "1"}
    made = certificate(claim, definitions, {"pair": [1, 0], "output": 0})
    found = check_bytes(json.dumps(made).encode())
    assert (found.status, found.rule) == ("rejected", "x_ir = ratio · x_jr"), found.sentence


@given(
    st.fractions("1/100", 20, max_denominator=100),
    st.fractions("1/50", 10**4, max_denominator=50),
    st.integers(1, 3),
    st.sampled_from([(1,), (1, 2), (1, 3, 5)]),
)
def test_enclosures_of_powers_at_any_distance(rate, square, k, roots):
    """FLINT's balls lie between the ends, which are few units apart."""
    field = exponential(str(rate), roots)
    low, high = field.power_between(Quotient(field.symbol(0, k), 1), square)
    with ctx.workprec(4 * field.precision):
        exponent = arb(fmpq(rate.numerator * k, rate.denominator)) * arb(fmpq(square.numerator, square.denominator)).sqrt()
        scaled = (-exponent).exp() * arb(2) ** field.precision
        assert scaled >= low
        assert scaled <= high
    assert 0 <= high - low < 64


def test_powers_at_any_distance_are_those_of_a_power_of_the_first_symbol():
    field = exponential("1", (1, 2))
    t, t2 = field.symbol(0, 1), field.symbol(1, 1)
    assert field.power_between(F(1, 2), F(2)) is None
    for alpha in (t2, t + 1, 2 * t, t * t2, -t, field.constant(1)):
        assert field.power_between(Quotient(alpha, 1), F(2)) is None
    assert field.power_between(Quotient(t, 2), F(2)) is None
    assert exponential("1", (2,)).power_between(Quotient(exponential("1", (2,)).symbol(0, 1), 1), F(2)) is None
    letter = parameter(above="1/4", below="1/2")
    assert letter.power_between(Quotient(letter.symbol(0, 1), 1), F(2)) is None


@given(st.lists(st.fractions("1/9", 9, max_denominator=9)))
def test_places_of_squares(squares):
    found, place = places(squares)
    assert found == sorted(set(squares))
    assert [found[k] for k in place] == squares


def test_a_long_distance_is_counted_before_it_is_computed():
    field = exponential()
    with pytest.raises(Stop):
        field.power_between(Quotient(field.symbol(0, 1), 1), F(10 ** (10**5)))


@settings(max_examples=60)
@given(st.lists(st.integers(-(10**6), 10**6), min_size=1, max_size=5), st.integers(0, 6), st.sampled_from([1, -1, 2, 10**5]))
def test_a_product_with_a_monomial_has_room_for_its_coefficients(coefficients, exponent, factor):
    """Times x^k the coefficients stay, and so does the bound of their size; times a number they do not."""
    field = exponential()
    FIELD.set(field)
    p = build(field, {(e,): c for e, c in enumerate(coefficients)})
    monomial = field.symbol(0, exponent)
    assert monomial.is_monomial()
    assert not (monomial + 1).is_monomial()
    assert not field.constant(0).is_monomial()
    for moved in (p * monomial, monomial * p):
        assert terms_of(field, moved) == {(e + exponent,): c for e, c in enumerate(coefficients) if c}
        assert all(abs(c) < 2**moved.size for c in moved.coefficients())
    scaled = p * (monomial * factor)
    assert all(abs(c) < 2**scaled.size for c in scaled.coefficients())
    for k in range(4):
        assert (p**k).bit_length() <= p.bits_of_power(k) + p.field.slot * (k == 0)
    assert p // 1 == p


@pytest.mark.parametrize("k", [1, 1000])
def test_the_exponent_of_a_long_power_is_counted(k):
    """Whether α is x^k is asked for every distance: a pass over all bits of x^k."""
    field = exponential(doublings=0)
    alpha = Quotient(field.symbol(0, 100 * k), 1)
    before = WORK.get()[0]
    assert field.exponent(alpha) == 100 * k
    assert WORK.get()[0] - before >= 2 * (100 * k * field.slot // 250)


FIGURES = """
import glob, json, sys
from exactdp.checker import check_bytes, limits
seen, within = [0, 0], limits.within
def recorded(limit, figure):
    k = ("work", "memory").index(limit) if limit in ("work", "memory") else None
    if k is not None:
        seen[k] = max(seen[k], figure)
    within(limit, figure)
limits.within = recorded
for name in sys.argv[1:]:
    seen[:] = 0, 0
    answer = check_bytes(open(name, "rb").read())
    print(name, answer.status, *seen)
"""


def test_no_figure_depends_on_the_base_of_the_places():
    """The base is another one in each process, and what is counted is the same."""
    names = [str(name) for name in (*CORPUS.glob("accept/*plane*.json"), *GRIDS)]
    assert len(names) > 3
    printed = set()
    for seed in ("1", "2", "3"):
        env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed}
        done = subprocess.run([sys.executable, "-c", FIGURES, *names], env=env, capture_output=True, text=True, check=True)
        printed.add(done.stdout)
    assert len(printed) == 1
    assert printed.pop().count(" accepted ") == len(names)
