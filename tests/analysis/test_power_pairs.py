# SPDX-License-Identifier: MIT
"""δ of rows of powers, of pairs that are named together, and of long rows: the same as entry by entry."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp import Graph, PrivacyLevel, Table, geometric, neighbours, randomized_response
from exactdp.analysis.approximate import _excess_at_least, breaking_events, least_delta, level_for_delta
from exactdp.analysis.power_pairs import PowerDivergences, PowerQuotients
from exactdp.analysis.privacy_claim import Event
from exactdp.analysis.row_pairs import Divergences, Lanes
from exactdp.exact import ExactMatrix, ExponentialField, Rational
from exactdp.exact.structured import ScaledPowers

FRACTIONS = st.fractions(Fraction(1, 9), Fraction(8, 9), max_denominator=9)
SCALES = st.lists(st.fractions(0, 3, max_denominator=4), min_size=2, max_size=7).filter(any)


def by_entries(matrix, alpha, i, j):
    """The outputs with α·x_ir > x_jr, and the sums over them."""
    x, y, zero = matrix.row(i), matrix.row(j), matrix.field.zero
    chosen = tuple(r for r in range(len(x)) if alpha * x[r] > y[r])
    return chosen, sum((x[r] for r in chosen), zero), sum((y[r] for r in chosen), zero)


@settings(max_examples=150)
@given(st.data(), SCALES, st.sampled_from(["number", "beside an ε", "ε"]), st.booleans())
def test_two_sweeps_have_the_sums_of_the_entries(data, scales, kind, of_one):
    field = ExponentialField("1/2")
    base = field.gen ** data.draw(st.integers(1, 3)) if kind == "ε" else Rational(data.draw(FRACTIONS))
    level = Rational(data.draw(FRACTIONS)) if kind == "number" else field.gen ** data.draw(st.integers(1, 4))
    alpha = Rational(1) if of_one else level
    before = data.draw(st.integers(0, len(scales) - 1))
    lines = data.draw(st.integers(1, len(scales) - before))
    matrix = ScaledPowers(base, map(Rational, scales), rows=lines, before=before)
    assert PowerDivergences.fits(matrix)
    found = PowerDivergences(matrix, alpha, lines - 1)
    largest = 0
    for i in range(lines):
        for j in range(lines):
            if i == j:
                continue
            outputs, likely, unlikely = by_entries(matrix, alpha, i, j)
            assert (found.outputs(i, j), *found.probabilities(i, j)) == (outputs, likely, unlikely)
            excess = likely - unlikely / alpha
            above = found.is_above(i, j)
            if excess > largest:
                assert above
            if above:
                found.raised(excess, i, j)
                largest = excess if excess > largest else largest
                assert not found.is_above(i, j)


@settings(max_examples=100)
@given(st.data(), SCALES, FRACTIONS)
def test_the_least_quotient_is_that_of_the_entries(data, scales, base):
    before = data.draw(st.integers(0, len(scales) - 1))
    lines = data.draw(st.integers(1, len(scales) - before))
    matrix = ScaledPowers(Rational(base), map(Rational, scales), rows=lines, before=before)
    found = PowerQuotients(matrix)
    for i in range(lines):
        for j in range(lines):
            if i == j:
                continue
            quotients = [(y / x, r) for r, (x, y) in enumerate(zip(matrix.row(i), matrix.row(j), strict=True)) if x > 0]
            least, first = min(quotients)
            exponent, output = found.least(i, j)
            assert (Rational(base) ** exponent, output) == (least, first)


@settings(max_examples=60)
@given(SCALES, FRACTIONS, st.booleans(), st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=9))
def test_the_level_of_rows_of_powers_is_that_of_their_entries(scales, base, of_a_number, edges):
    level = Rational(base) if of_a_number else ExponentialField("1/2").gen
    matrix = ScaledPowers(level, map(Rational, scales))
    labels = [str(i) for i in range(len(scales))]
    near = Graph(labels, {(min(edge), max(edge)) for edge in edges if len(set(edge)) == 2 and max(edge) < len(scales)})
    by_entries = ExactMatrix(list(matrix.rows()), matrix.field)
    first, second = (level_for_delta(Table(one, labels), near, 0).evidence for one in (matrix, by_entries))
    assert (first.ratio, first.event) == (second.ratio, second.event)


@settings(max_examples=100)
@given(SCALES, FRACTIONS, st.booleans(), FRACTIONS, st.data())
def test_the_level_beside_a_delta_is_that_of_the_entries(scales, base, of_a_number, delta, data):
    level = Rational(base) if of_a_number else ExponentialField("1/2").gen
    before = data.draw(st.integers(0, len(scales) - 1))
    lines = data.draw(st.integers(1, len(scales) - before))
    matrix = ScaledPowers(level, map(Rational, scales), rows=lines, before=before)
    labels = [str(i) for i in range(lines)]
    edges = data.draw(st.sets(st.integers(0, max(lines - 2, 0)), max_size=lines)) if lines > 1 else set()
    near = Graph(labels, {(i, i + 1) for i in edges})
    by_entries = ExactMatrix(list(matrix.rows()), matrix.field)
    first, second = (level_for_delta(Table(one, labels), near, delta).evidence for one in (matrix, by_entries))
    assert (first.ratio, first.event) == (second.ratio, second.event)


def test_what_fits_two_sweeps():
    half = Rational("1/2")
    assert not PowerDivergences.fits(ExactMatrix([["1/2", "1/2"]]))
    assert not PowerDivergences.fits(ScaledPowers(-half, [half, half]))
    assert not PowerDivergences.fits(ScaledPowers(half, [half, -half]))
    assert not PowerDivergences.fits(ScaledPowers(Rational(2), [half, half]))


@settings(max_examples=60)
@given(st.integers(1, 6), FRACTIONS, st.booleans(), st.booleans(), FRACTIONS)
def test_delta_of_a_geometric_mechanism_is_that_of_its_entries(n, level, of_a_number, local, delta):
    mechanism = geometric(n, level) if of_a_number else geometric(n, "epsilon=1")
    table = Table(ExactMatrix(list(mechanism.matrix.rows()), mechanism.field))
    near = neighbours(f"{'complete' if local else 'path'}:{n + 1}")
    first, second = (least_delta(thing, near, "epsilon=1/2").evidence for thing in (mechanism, table))
    assert (first.delta, first.event) == (second.delta, second.event)
    both = [breaking_events(thing.as_table() if thing is mechanism else thing, near, "epsilon=1/2", delta) for thing in (mechanism, table)]
    assert both[0] == both[1]


def test_terms_in_bytes_are_those_in_pairs(monkeypatch):
    """From twenty inputs on a row is looked at with all others at once."""
    monkeypatch.setattr("exactdp.analysis.row_pairs.LARGE", 0)
    mechanism = randomized_response(21, epsilon=2)
    alpha = Rational("1/2")
    near = {i: [j for j in range(21) if j != i] for i in range(21)}
    matrix = mechanism.matrix
    found = Divergences(matrix, alpha, near)
    names = {found.terms(i, j): found._terms(i, j) for i in near for j in near[i]}
    assert len(set(names.values())) == len(names)
    assert [(i, j) for i in near for j in near[i] if found.is_above(i, j)] == [(i, j) for i in near for j in near[i]]
    _, likely, unlikely = by_entries(matrix, alpha, 0, 1)
    found.raised(likely - unlikely / alpha, 0, 1)
    assert not any(found.is_above(i, j) for i in near for j in near[i])


@given(st.data(), st.integers(1, 20))
def test_lanes_of_a_long_integer_are_summed_as_the_entries(data, width):
    row = st.lists(st.integers(0, (2**62 - 1) // width), min_size=width, max_size=width)
    above, below = data.draw(row), data.draw(row)
    assert Lanes([above], [below]).sum_of_excesses(0, 0) == sum(max(0, u - v) for u, v in zip(above, below, strict=True))


@given(st.data(), st.sampled_from([Rational("1/2"), Rational(1), ExponentialField(1).gen]))
def test_bounds_in_lanes_leave_no_larger_divergence_out(data, alpha):
    lines, columns = data.draw(st.integers(2, 5)), data.draw(st.integers(1, 5))
    numbers = data.draw(st.lists(st.integers(0, 10**6), min_size=lines * columns, max_size=lines * columns, unique=True))
    matrix = ExactMatrix([[Rational(numbers[i * columns + r], 10**6) for r in range(columns)] for i in range(lines)])
    near = {i: [j for j in range(lines) if j != i] for i in range(lines)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("exactdp.analysis.row_pairs.LARGE", 0)
        found = Divergences(matrix, alpha, near)
    assert found._lanes is not None
    largest = 0
    for i, others in near.items():
        for j in others:
            outputs, likely, unlikely = by_entries(matrix, alpha, i, j)
            assert (found.outputs(i, j), *found.probabilities(i, j)) == (outputs, likely, unlikely)
            excess = likely - unlikely / alpha
            if excess > largest:
                assert found.is_above(i, j)
                largest = excess
                found.raised(excess, i, j)


def test_powers_of_a_large_degree_are_decided_beside_another_level():
    """The least δ is P(0|0) − e^(1/2)·P(0|1) = 1/(1+α) − α/((1+α)·t) for α = e^(−1) = t²."""
    found = least_delta(geometric(1100, PrivacyLevel(epsilon=1)), "path", epsilon="1/2").evidence
    t = found.level.alpha
    assert found.delta == (1 - t) / (1 + t**2)


def test_a_level_without_a_common_root_has_decimals_around_its_delta():
    found = least_delta(geometric(300, PrivacyLevel(epsilon=1)), "path", epsilon="0.49999").evidence
    alpha, beside = math.exp(-1), math.exp(0.49999)
    near = (1 - alpha * beside) / (1 + alpha)
    low, high = found.bounds
    assert low <= high <= low * (1 + Rational("1/100000"))
    assert float(low) == pytest.approx(near, rel=1e-6)


def test_a_level_of_many_zeros_has_decimals_around_its_delta():
    """By hand 1 − δ = α·(1 + e^ε)/(1 + α) for α = e^(−1000), so that δ is 1 but for 10^(−300)."""
    table = geometric(3, PrivacyLevel(epsilon=1000))
    level = PrivacyLevel(epsilon="299.99999")
    low, high = least_delta(table, "path", epsilon=level.epsilon).evidence.bounds
    assert Rational("9999999/10000000") <= low < 1 <= high <= Rational("10000001/10000000")
    likely, unlikely = table[0, 0], table[1, 0]
    at_least = _excess_at_least(Event(0, 1, (0,), likely, unlikely), level.alpha, None)
    assert Rational("999999/1000000") <= at_least < 1
