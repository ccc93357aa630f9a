# SPDX-License-Identifier: MIT
"""Signs of polynomials on regions: every proof multiplied out by sympy, every point by fractions, and z3."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from oracles import as_fraction, available
from region_cases import NONNEGATIVE, POSITIVE, REAL, UNIT, polynomial, questions, regions
from sympy import QQ, ring

from exactdp.exact import Interval, Rational, RationalFunctionField, Region, SymbolField
from exactdp.exact.positivity import Fact, Lemma, Split, Term, sign_on
from exactdp.runtime.progress import monitored

SMALL = 60  # cells: enough for most, and quick where it is not


def sign(text, letters, where=(), **options):
    region = Region(letters, where)
    found = sign_on(polynomial(text, region), region, **options)
    verify(polynomial(text, region), region, found)
    return found


# --- A judge of its own: sympy multiplies, fractions are compared ---


def in_sympy(terms, letters):
    """The polynomial in a ring of sympy."""
    return letters.from_dict({tuple(powers): QQ(int(c)) for powers, c in terms})


def value(terms, point):
    total = Fraction(0)
    for powers, c in terms:
        product = Fraction(c)
        for x, e in zip(point.values(), powers, strict=True):
            product *= as_fraction(x) ** e
        total += product
    return total


def inside(region, point):
    return all((v := value(c.terms, point)) > 0 or (v == 0 and not c.strict) for c in region.constraints)


def replay(lemma, region):
    """Whether a lemma's proof is one: SPEC §2.2, with sympy's arithmetic."""
    letters = ring(region.names, QQ)[0]
    goal = in_sympy(lemma.terms, letters)
    facts = [(in_sympy(c.terms, letters), c.strict) for c in region.constraints]
    steps = list(lemma.proof)

    def part(path):
        step = steps.pop(0)
        if isinstance(step, Split):
            form = in_sympy(step.terms, letters)
            return part([*path, form]) and part([*path, -form])
        total, positive = letters.zero, False
        for term in step:
            assert term.times > 0
            product, strict = letters(QQ(int(term.times.numerator), int(term.times.denominator))), term.square is None
            if term.square is not None:
                product *= in_sympy(term.square, letters) ** 2
            for (split, place), e in term.powers:
                assert e > 0
                fact, sure = (path[place], False) if split else facts[place]
                product *= fact**e
                strict &= sure
            total += product
            positive |= strict
        return total == goal and (positive or not lemma.strict)

    return part([]) and not steps


def verify(terms, region, found):
    """What is said is true: points by their values, lemmas by sympy, the polynomial by division."""
    for expected, point in ((1, found.positive), (-1, found.negative), (0, found.zero)):
        if point is not None:
            assert list(point) == list(region.names)
            assert inside(region, point)
            v = value(terms, point)
            assert (v > 0) - (v < 0) == expected
    if found.sign in (1, -1):
        assert all(replay(lemma, region) for lemma in found.lemmas)
        assert all(lemma.holds(region) for lemma in found.lemmas)
        opposite = found.negative if found.sign == 1 else found.positive
        assert opposite is None
        assert not (found.strict and found.zero)
        letters = ring(region.names, QQ)[0]
        rest, strict = in_sympy(terms, letters), True
        for fact in sorted((*found.lemmas, *region.constraints), key=lambda x: not x.strict):
            divisor = in_sympy(fact.terms, letters)
            while not rest.is_ground:
                quotient, remainder = rest.div(divisor)
                if remainder:
                    break
                rest, strict = quotient, strict and fact.strict
        assert rest.is_ground
        assert rest.LC * found.sign > 0
        assert strict or not found.strict


@pytest.mark.slow
@settings(max_examples=60)
@given(questions())
def test_what_is_said_is_true(question):
    region, terms = question
    found = sign_on(terms, region, cells=SMALL)
    verify(terms, region, found)
    for point in region.points(20):
        v = value(terms, point)
        if found.sign is not None:
            assert v * found.sign >= 0 if found.sign else v == 0
            assert v != 0 or not found.strict
    negative = sign_on(tuple((powers, -c) for powers, c in terms), region, cells=SMALL)
    if found.sign is not None and negative.sign is not None:
        assert negative.sign == -found.sign


@settings(max_examples=150)
@given(regions(letters=1, curved=False), st.lists(st.integers(-6, 6), min_size=1, max_size=6).filter(any))
@example(Region("-1 < p < 7/4"), [6, -4, -5, 1, 0, 2])  # two factors change their signs, at 1 and soon after
def test_one_letter_is_decided_as_by_its_roots(region, coefficients):
    terms = tuple(((k,), c) for k, c in enumerate(coefficients) if c)
    found = sign_on(terms, region)
    low, high = bounds(region)
    pattern = RationalFunctionField(Interval(*low[:1], *high[:1], low[1], high[1])).quotient(coefficients).sign_on_interval()
    verify(terms, region, found)
    if pattern.minimum < 0 < pattern.maximum:
        assert found.sign is None
        assert found.positive is not None
        assert found.negative is not None
    else:
        assert found.sign == (pattern.maximum or pattern.minimum)
        assert found.strict == (0 not in pattern.signs)
        rational = [x for x, _ in pattern.zeros if isinstance(x, Rational)]
        assert (found.zero is not None) == bool(rational)


def bounds(region):
    """The ends of an interval; for one without an end, one beyond all roots in these tests."""
    low, high = (Fraction(-100), False), (Fraction(100), False)
    for c in region.constraints:
        slope, constant = (dict(c.terms).get(power, 0) for power in ((1,), (0,)))
        end = Fraction(-constant, slope)
        if slope > 0:
            low = max(low, (end, not c.strict), key=lambda x: (x[0], not x[1]))
        else:
            high = min(high, (end, not c.strict), key=lambda x: (x[0], x[1]))
    return low, high


@pytest.mark.slow
@pytest.mark.skipif(not available("z3"), reason="oracle missing: z3")
@settings(max_examples=150)
@given(questions(letters=2))
def test_z3_agrees(question):
    import z3

    region, terms = question
    letters = [z3.Real(name) for name in region.names]

    def formula(pairs):
        total = z3.RealVal(0)
        for powers, c in pairs:
            product = z3.RealVal(int(c))
            for x, e in zip(letters, powers, strict=True):
                for _ in range(e):
                    product = product * x
            total = total + product
        return total

    held = [formula(c.terms) > 0 if c.strict else formula(c.terms) >= 0 for c in region.constraints]

    def possible(condition):
        solver = z3.Solver()
        solver.set("timeout", 2000)
        solver.add(*held, condition)
        return {"sat": True, "unsat": False}.get(str(solver.check()))

    found = sign_on(terms, region, cells=SMALL)
    above, below, none = possible(formula(terms) > 0), possible(formula(terms) < 0), possible(formula(terms) == 0)
    if found.sign is not None:
        assert {1: below, -1: above}.get(found.sign, above or below) in (False, None)
        assert none in (False, None) or not found.strict
    if found.positive:
        assert above in (True, None)
    if found.negative:
        assert below in (True, None)
    if found.zero:
        assert none in (True, None)


# --- Known inequalities ---


@pytest.mark.parametrize(("text", "letters", "where"), POSITIVE, ids=[case[0] for case in POSITIVE])
def test_positive_on_the_whole_region(text, letters, where):
    found = sign(text, letters, where)
    assert (found.sign, found.strict) == (1, True)
    assert sign(f"0 - ({text})", letters, where).sign == -1


@pytest.mark.parametrize(("text", "letters", "where", "zero"), NONNEGATIVE, ids=[case[0] for case in NONNEGATIVE])
def test_zero_at_a_point_is_stated(text, letters, where, zero):
    found = sign(text, letters, where)
    assert (found.sign, found.strict) == (1, False)
    assert found.zero is not None
    for x, expected in zip(found.zero.values(), zero, strict=True):
        assert expected is None or as_fraction(x) == expected


@pytest.mark.parametrize(
    ("text", "letters", "where"),
    [
        ("p - q", UNIT, ()),
        ("p*(1-p) - 1/4 + q/1000000", UNIT, ()),
        ("(p - 1/3)^2 + (q - 1/5)^2 - 1/1000000", UNIT, ()),
        ("1 + p + q - r^3", {"p": "(0,1)", "q": "(0,1)", "r": "(0,2)"}, ("p + q > r",)),
        ("x^4*y^2 + x^2*y^4 + 1 - 3*x^2*y^2 - 1/10000", REAL, ()),
    ],
)
def test_both_signs_have_a_point(text, letters, where):
    found = sign(text, letters, where)
    assert found.sign is None
    assert found.positive is not None
    assert found.negative is not None


@pytest.mark.parametrize("n", [2, 3])
def test_two_steps_of_a_private_mechanism_are_private(n):
    """M·M is a-private where M is: the proof has products of the conditions of M with its entries."""
    symbols = SymbolField(("p", "q", "a"))
    p, q, a = symbols.gens
    rows = [[1 - p, p], [q, 1 - q]] if n == 2 else [[1 - p - q, p, q], [q, 1 - p - q, p], [p, q, 1 - p - q]]
    entries = sorted({x for row in rows for x in row}, key=str)
    columns = zip(*rows, strict=True) if n == 2 else [entries]
    pairs = [(x, y) for column in columns for x in column for y in column if x != y]
    where = [f"a*({y}) <= {x}" for x, y in pairs]
    region = Region({"p": f"(0, 1/{n})", "q": f"(0, 1/{n})", "a": "(0, 1)"}, where)
    twice = [[sum((rows[i][k] * rows[k][r] for k in range(n)), symbols.zero) for r in range(n)] for i in range(n)]
    for i, j in ((0, 1), (1, 0)):
        for r in range(n):
            terms = (twice[i][r] - a * twice[j][r]).numerator
            found = sign_on(terms, region)
            verify(terms, region, found)
            assert found.sign == 1


def test_the_zero_polynomial():
    found = sign("p - p", UNIT)
    assert (found.sign, found.strict) == (0, False)


def test_a_polynomial_that_is_zero_at_the_first_points():
    region = Region({"p": "(0,1)", "q": "(0,1)", "r": "(0,1)"})
    p, q, r = SymbolField(region.names).gens
    product = (q - r) * (p - r)
    for point in region.points(20):
        product = product * (p - point["p"])
    terms = (product**2).numerator
    found = sign_on(terms, region)
    verify(terms, region, found)
    assert (found.sign, found.strict) == (1, False)


def test_a_point_is_short():
    found = sign("(p - 1/3)^2 + (q - 1/5)^2 - 1/1000", UNIT)
    assert found.negative is not None
    assert max(x.denominator for x in found.negative.values()) < 100


def test_what_is_not_found_is_left_open():
    """A double zero at an irrational point of the closed boundary: no rational cut meets it."""
    found = sign("q + (p^2 - 1/2)^2", {"p": "(0,1)", "q": "[0,1)"}, cells=40)
    assert found.sign in (None, 1)
    assert not found.strict


def test_a_listener_hears_every_cell_and_may_stop_the_search():
    events = []
    region = Region(REAL)
    motzkin = polynomial("x^4*y^2 + x^2*y^4 + 1 - 3*x^2*y^2", region)
    with monitored(events.append):
        sign_on(motzkin, region)
    assert [event.done for event in events] == list(range(1, len(events) + 1))

    def stop(event):
        if event.done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), monitored(stop):
        sign_on(motzkin, region)


@pytest.mark.parametrize("change", ["times", "exponent", "term", "strict", "split", "goal"])
def test_a_changed_proof_does_not_hold(change):
    region = Region(UNIT)
    [lemma] = sign("p^2 - p + 1/4 + q", UNIT).lemmas
    assert lemma.holds(region)
    place, leaf = next((k, step) for k, step in enumerate(lemma.proof) if not isinstance(step, Split))
    first = next(t for t in leaf if t.powers)
    fact, e = first.powers[0]
    changed = {
        "times": replace(first, times=first.times * 2),
        "exponent": replace(first, powers=((fact, e + 1), *first.powers[1:])),
    }.get(change)
    steps = list(lemma.proof)
    if changed is not None:
        steps[place] = tuple(changed if t is first else t for t in leaf)
    elif change == "term":
        steps[place] = leaf[1:]
    elif change == "split":
        steps = [step for step in steps if not isinstance(step, Split)]
    wrong = replace(lemma, proof=tuple(steps))
    if change == "strict":
        wrong = Lemma(polynomial("q^2", region), True, ((Term(Rational(1), (), polynomial("q", region)),),))
    elif change == "goal":
        wrong = replace(lemma, terms=polynomial("p^2 - p + 1/5 + q", region))
    assert not wrong.holds(region)
    try:
        judged = replay(wrong, region)
    except (AssertionError, IndexError):
        judged = False
    assert not judged


def test_a_negative_number_of_times_is_no_proof():
    region = Region({"p": "(0,1)"})
    wrong = Lemma(polynomial("0 - p", region), True, ((Term(Rational(-1), ((Fact(False, 0), 1),)),),))
    assert not wrong.holds(region)
