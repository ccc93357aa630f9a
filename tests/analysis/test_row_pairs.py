# SPDX-License-Identifier: MIT
"""δ, compositions and levels of pairs of rows by integers: the same as from the definition."""

from fractions import Fraction
from itertools import combinations, product

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from exactdp import Graph, Mechanism, PrivacyLevel, Table, TightestLevel
from exactdp.analysis.approximate import breaking_events, least_delta, level_for_delta
from exactdp.analysis.composition import sequential_level
from exactdp.analysis.epsilon import at_epsilon, together
from exactdp.analysis.events import level_of_pair
from exactdp.analysis.row_pairs import EnclosedPairLevels, LeastQuotients
from exactdp.exact import ExactMatrix, ExponentialField, Rational
from exactdp.exact.ranking import Ranking, integers_around
from exactdp.model.mechanism import mixing_weight


@st.composite
def rows(draw):
    """Rows of small numbers, many of them equal or zero, each with a sum of 1."""
    n, m = draw(st.integers(2, 5)), draw(st.integers(1, 4))
    counts = [draw(st.lists(st.integers(0, 4), min_size=m, max_size=m).filter(any)) for _ in range(n)]
    return [[Fraction(x, sum(row)) for x in row] for row in counts]


@st.composite
def graphs(draw, size):
    every = [(i, j) for i in range(size) for j in range(i + 1, size)]
    chosen = draw(st.lists(st.sampled_from(every), min_size=1, unique=True))
    return draw(st.sampled_from([Graph.complete(size), Graph(range(size), chosen)]))


def ordered(graph):
    return [pair for i, j in graph.edges for pair in ((i, j), (j, i))]


@settings(max_examples=60)
@given(st.data(), rows(), st.fractions(Fraction(1, 10), 1, max_denominator=10))
def test_delta_is_the_first_largest_divergence(data, x, alpha):
    graph = data.draw(graphs(len(x)))
    found = least_delta(Mechanism(x), graph, str(alpha) if alpha < 1 else "epsilon=0").evidence
    worst, at = Fraction(0), None
    for i, j in ordered(graph):
        delta = sum((max(0, a - b / alpha) for a, b in zip(x[i], x[j], strict=True)), Fraction(0))
        if delta > worst:
            worst, at = delta, (i, j)
    assert found.delta == Rational(worst)
    assert (None if found.event is None else (found.event.high, found.event.low)) == at


@settings(max_examples=40)
@given(st.data(), rows(), st.sampled_from(["1", "1/2", "3"]))
def test_delta_at_an_epsilon(data, x, epsilon):
    """Against decimals of fifty digits around e^ε: only ties come nearer, and these are ties exactly."""
    graph = data.draw(graphs(len(x)))
    found = least_delta(Mechanism(x), graph, PrivacyLevel(epsilon=epsilon)).evidence
    low, high = (Fraction(str(end)) for end in (1 / PrivacyLevel(epsilon=epsilon).alpha).enclosure(50))

    def between(i, j):
        return [sum((max(0, a - b * e) for a, b in zip(x[i], x[j], strict=True)), Fraction(0)) for e in (high, low)]

    bounds = {pair: between(*pair) for pair in ordered(graph)}
    least = max(ends[0] for ends in bounds.values())
    if found.event is None:
        assert least == 0
        return
    assert bounds[found.event.high, found.event.low][1] >= least
    first = next(pair for pair in ordered(graph) if bounds[pair][1] >= least)
    assert (found.event.high, found.event.low) == first


@settings(max_examples=40)
@given(st.data(), rows(), st.integers(1, 9))
def test_events_that_break_a_delta(data, x, tenths):
    graph, alpha = data.draw(graphs(len(x))), Fraction(1, 2)
    found = breaking_events(Mechanism(x), graph, "1/2", Fraction(tenths, 10))
    expected = []
    for i, j in ordered(graph):
        chosen = tuple(r for r, (a, b) in enumerate(zip(x[i], x[j], strict=True)) if alpha * a > b)
        if sum(x[i][r] - x[j][r] / alpha for r in chosen) > Fraction(tenths, 10):
            expected.append((i, j, chosen))
    assert [(event.high, event.low, event.outputs) for event in found] == expected


@settings(max_examples=60)
@given(st.data(), rows(), st.booleans())
def test_levels_of_pairs(data, x, exponential):
    """The level without a δ, and of a composition, by all quotients; also beside powers of e^(−1)."""
    graph = data.draw(graphs(len(x)))
    mechanism = Mechanism(x)
    if exponential:  # one more output, told with probability 1 − t whatever the input
        t = ExponentialField(1).gen
        scaled = [[Rational(a) * t for a in row] + [1 - t] for row in x]
        mechanism = Mechanism(ExactMatrix(scaled))
    best, at = Fraction(1), None
    for i, j in ordered(graph):
        for r, (a, b) in enumerate(zip(x[i], x[j], strict=True)):
            if a and b / a < best:
                best, at = b / a, (i, j, (r,))
    found = level_for_delta(mechanism, graph, 0).evidence
    assert found.ratio == Rational(best)
    event = found.event
    assert (None if event is None else (event.high, event.low)) == (None if at is None else at[:2])
    together = sequential_level([mechanism, mechanism], graph).evidence
    assert together.ratio == Rational(best) ** 2


@given(rows(), st.fractions(Fraction(1, 10), 1, max_denominator=10), st.booleans())
def test_entries_within_a_level(x, alpha, exponential):
    """Of each entry u the largest v with α·v ≤ u, whatever the integers are."""
    t = ExponentialField("1/3").gen
    matrix = ExactMatrix([[Rational(a) * t if exponential else Rational(a) for a in row] for row in x])
    found = Ranking.of(matrix)
    within = found.within(Rational(alpha))
    for row, keys in zip(x, found.rows, strict=True):
        for u, key in zip(row, keys, strict=True):
            largest, equal = within(key)
            for other, others in zip(x, found.rows, strict=True):
                for v, its in zip(other, others, strict=True):
                    assert (its <= largest) == (alpha * v <= u)
                    if u and equal and its == largest:
                        assert alpha * v == u
                    if u and alpha * v == u:
                        assert equal
                        assert its == largest


@settings(max_examples=60)
@given(st.data(), rows(), st.fractions(Fraction(1, 20), 1, max_denominator=20), st.booleans())
def test_the_level_of_a_delta(data, x, delta, doubled):
    """By all events, each pair of inputs in both orders."""
    x = x * 5 if doubled else x  # few values
    graph = data.draw(graphs(len(x)))
    least, at = Fraction(1), None
    for i, j in ordered(graph):
        for chosen in product((0, 1), repeat=len(x[0])):
            likely, unlikely = (sum((a for a, c in zip(row, chosen, strict=True) if c), Fraction(0)) for row in (x[i], x[j]))
            if likely > delta and unlikely / (likely - delta) < least:
                least, at = unlikely / (likely - delta), (i, j)
    found = level_for_delta(Mechanism(x), graph, delta).evidence
    assert found.ratio == Rational(least)
    assert (None if found.event is None else (found.event.high, found.event.low)) == at
    if found.event is not None:
        assert Rational(least) * (found.event.likely - Rational(delta)) == found.event.unlikely


T = ExponentialField("1/2").gen


@st.composite
def tables_of_powers(draw):
    """Rows of 0, 1, t and t², t = e^(−1/2), divided by their sums; many are one row in another order."""
    m = draw(st.integers(1, 4))
    counts = st.lists(st.sampled_from([0, 1, T, T * T]), min_size=m, max_size=m).filter(any)
    weights = draw(st.lists(counts, min_size=1, max_size=2))
    chosen = draw(st.lists(st.sampled_from(weights).flatmap(st.permutations), min_size=2, max_size=5))
    repeated = draw(st.sampled_from([1, 1, 3]))
    return [[x / sum(row, 0 * T) for x in row] for row in chosen for _ in range(repeated)]


def least_of_events(row, other, delta):
    """The least P(E|j)/(P(E|i) − δ) of all events with P(E|i) > δ, by the exact numbers; None without one."""
    least = None
    for size in range(1, len(row) + 1):
        for chosen in combinations(range(len(row)), size):
            room = sum((row[r] for r in chosen), -delta)
            if room > 0:
                level = sum((other[r] for r in chosen), 0 * T) / room
                least = level if least is None or level < least else least
    return least


deltas = st.one_of(
    st.fractions(Fraction(1, 20), 1, max_denominator=20).map(Rational),
    st.sampled_from([T, 1 - T, T / (1 + T), 1 / (1 + T)]),
)


@settings(max_examples=60, deadline=None)
@given(st.data(), tables_of_powers(), deltas)
def test_the_level_of_a_delta_beside_exponentials(data, x, delta):
    """By all events; ties are frequent, and a δ can be the probability of an event."""
    graph = data.draw(graphs(len(x)))
    least, at = 1 + 0 * T, None
    for i, j in ordered(graph):
        level = least_of_events(x[i], x[j], delta)
        if level is not None and level < least:
            least, at = level, (i, j)
    found = level_for_delta(Mechanism(ExactMatrix(x)), graph, delta).evidence
    assert found.ratio == least
    event = found.event
    assert (None if event is None else (event.high, event.low)) == at
    if event is not None:
        assert event.likely == sum((x[event.high][r] for r in event.outputs), 0 * T)
        assert event.unlikely == sum((x[event.low][r] for r in event.outputs), 0 * T)
        assert least * (event.likely - delta) == event.unlikely


@settings(max_examples=40, deadline=None)
@given(st.data(), tables_of_powers(), st.sampled_from(["1/2", "1", "1/4", "0.4999999"]), deltas)
def test_events_that_break_a_delta_beside_exponentials(data, x, epsilon, delta):
    """At a level with a common field, and at one that is compared as a number."""
    assume(epsilon != "1/4" or isinstance(delta, Rational))  # a δ of another field than the level is refused
    graph, level = data.draw(graphs(len(x))), PrivacyLevel(epsilon=epsilon)
    found = breaking_events(Mechanism(ExactMatrix(x)), graph, level, delta)
    expected = []
    for i, j in ordered(graph):
        least = least_of_events(x[i], x[j], delta)
        if least is not None and least < 1 and TightestLevel(least).compare(level) < 0:
            expected.append((i, j))
    assert [(event.high, event.low) for event in found] == expected
    for event in found:
        room = event.likely - delta
        assert event.outputs == tuple(sorted(event.outputs))
        assert TightestLevel(event.unlikely / room).compare(level) < 0
        for i, probability in ((event.high, event.likely), (event.low, event.unlikely)):
            total = sum((x[i][r] for r in event.outputs), 0 * T)
            assert TightestLevel(probability).compare(TightestLevel(total)) == 0


@settings(max_examples=40, deadline=None)
@given(tables_of_powers(), deltas)
def test_levels_by_enclosures_are_those_gone_through_one_by_one(x, delta):
    """Level and event of each pair: as the exact numbers of one event after the other say."""
    mechanism = Mechanism(ExactMatrix(x))
    levels = EnclosedPairLevels(mechanism.matrix, delta)
    for i, j in product(range(len(x)), repeat=2):
        ratio, event = level_of_pair(mechanism, i, j, delta)
        found = levels.of(i, j)
        if event is None:
            assert found is None
            continue
        least, outputs = found
        assert (least.level, outputs, least.likely, least.unlikely) == (ratio, event.outputs, event.likely, event.unlikely)


def test_outputs_of_equal_quotients_enter_in_their_order():
    """Where j never has a set of probability δ, a further output of the least quotient attains the level."""
    for first, second in ((T, T * T), (T * T, T)):
        matrix = ExactMatrix([["1/4", first, second], [0, first, second]], T.field)
        found = EnclosedPairLevels(matrix, Rational("1/4")).of(0, 1)
        assert found is not None
        assert (found[0].level, found[1]) == (1, (0, 1))


def test_entries_that_are_one_object_stay_one():
    """Beside another ε each number of a table is moved once, and pairs of rows are compared by objects."""
    table = Table(ExactMatrix.of_two_values(4, 1 / (1 + 3 * T), T / (1 + 3 * T)))
    joined, _ = together(table, PrivacyLevel(epsilon="1/3"))
    moved, _ = at_epsilon(table, "1/3")
    for matrix in (joined.matrix, moved.matrix):
        assert len({id(x) for row in matrix.rows() for x in row}) == 2
        assert all(x == y for a, b in zip(matrix.rows(), table.matrix.rows(), strict=True) for x, y in zip(a, b, strict=True))


@settings(max_examples=40)
@given(rows(), st.fractions(Fraction(1, 10), Fraction(9, 10), max_denominator=10))
def test_how_much_of_the_uniform_mechanism_makes_private(x, alpha):
    lacks = [alpha * b - a for i, row in enumerate(x) for j, other in enumerate(x) if i != j for a, b in zip(row, other, strict=True)]
    room = (1 - alpha) / len(x[0])
    expected = max(Fraction(0), *(lack / (lack + room) for lack in lacks if lack > 0), Fraction(0))
    assert mixing_weight(Mechanism(x), Graph.complete(len(x)), str(alpha)) == Rational(expected)


@given(rows())
def test_quotients_of_all_pairs_at_once(x):
    matrix = ExactMatrix(x)
    one_by_one, together = LeastQuotients(matrix), LeastQuotients(matrix, 10**9)
    for i, j in product(range(len(x)), repeat=2):
        assert one_by_one.of(i, j) == together.of(i, j)
        quotients = [(a / b, r) for r, (a, b) in enumerate(zip(x[i], x[j], strict=True)) if b]
        least, output = min(quotients)
        assert together.of(i, j) == (Rational(least), output)


def test_integers_around_numbers_that_cancel():
    t = ExponentialField("1/1000000000000000000000000000000").gen
    x = (1 - t) / (1 - t * t)
    low, high = integers_around(x)
    assert low <= x * Rational(2**128) <= high
    assert high - low < 2**100
