# SPDX-License-Identifier: MIT
"""What the checker knows about G(n, α), against the definition, entry by entry in Fractions."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction as F

import pytest
from certificate_pool import bayes, certificate, geo, path, vec
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_checker import geometric

from exactdp.checker import check_bytes, determinant, rules
from exactdp.checker.fields import field_of
from exactdp.checker.limits import FIELD, WORK, Stop
from exactdp.checker.matrices import Dense, Geometric, Matrix
from exactdp.checker.polynomials import Quotient
from exactdp.checker.reader import Node
from exactdp.checker.rules import Consumer, Definition

LEVELS = st.sampled_from([F(1, 2), F(1, 3), F(9, 10), F(2, 7), F(10**25 - 1, 10**25)])
ENTRIES = st.sampled_from([0, 0, 1, 2, -3, 7**45])


@pytest.fixture(autouse=True)
def one_check():
    token = WORK.set([0, 0])
    yield
    WORK.reset(token)


def one_check_more():
    WORK.set([0, 0])  # hypothesis runs many examples in one test


def sparse(rows, den=1):
    return Matrix(len(rows[0]), den, [{j: x for j, x in enumerate(row) if x} for row in rows])


@settings(max_examples=25)
@given(st.integers(0, 9), LEVELS, st.booleans(), st.booleans(), st.data())
def test_the_loss_after_a_remap(n, alpha, dense, bayesian, data):
    """The loss of the columns of G·R against Σ_r l(i,r) Σ_j G_ij R_jr."""
    one_check_more()
    width = data.draw(st.integers(1, 4))
    l = data.draw(st.lists(st.lists(ENTRIES, min_size=width, max_size=width), min_size=n + 1, max_size=n + 1))
    r = data.draw(st.lists(st.lists(ENTRIES.map(abs), min_size=width, max_size=width), min_size=n + 1, max_size=n + 1))
    G, R = Geometric(n, alpha), sparse(r, den=5)
    loss = Matrix(width, 3, [Dense(row) for row in l]) if dense else sparse(l, den=3)
    rows = geometric(n, alpha)
    expected = [sum(F(l[i][k], 3) * sum(rows[i][j] * F(r[j][k], 5) for j in range(n + 1)) for k in range(width)) for i in range(n + 1)]
    prior = Matrix(n + 1, n + 1, [dict.fromkeys(range(n + 1), 1)]) if bayesian else None
    consumer = Consumer("", (), loss, list(range(n + 1)), prior)
    found = rules.loss_of(consumer, G.times(R), G.den * R.den)
    assert found == (sum(expected) / (n + 1) if bayesian else max(expected))


@settings(max_examples=40)
@given(st.integers(0, 6), LEVELS, st.data())
def test_the_nearest_output_decides_about_privacy(n, alpha, data):
    """The same verdict, word for word, as for the same entries in a file, where all outputs are tried."""
    one_check_more()
    level = data.draw(st.sampled_from([alpha, alpha**2, alpha * F(9, 10), F(1, 2), F(1, 3), F(3, 4)]))
    unit = data.draw(st.sampled_from([F(1), F(4), F(2)]))
    squares = st.sampled_from([F(1), F(4), F(9), F(2), F(9, 4)])
    every = [(i, j) for i in range(n + 1) for j in range(i + 1, n + 1)]
    pairs = [(i, j, data.draw(st.just(F(j - i) ** 2) | squares)) for i, j in every if data.draw(st.booleans())]
    near = Definition("neighbours", "", (), (), Matrix(0, 1, []), pairs)
    G = Geometric(n, alpha)

    def answer(m):
        try:
            return rules.check_private(m, near, level, "$", unit)
        except Stop as stop:
            return stop.args[0]

    assert answer(G) == answer(Matrix(n + 1, G.den, [dict(enumerate(row)) for row in G.rows]))


@pytest.mark.parametrize("by", [F(1), F(99, 100), F(101, 100)])
@pytest.mark.parametrize("pair", [(0, 1), (1, 4), (0, 5)])
def test_it_is_as_private_as_the_distance_of_the_inputs(by, pair):
    """At the level α on one pair at distance |i − j|, and at no level above."""
    i, j = pair
    near = Definition("neighbours", "", (), (), Matrix(0, 1, []), [(i, j, F(j - i) ** 2)])
    ask = [Geometric(5, F(1, 2)), near, F(1, 2) * by, "$"]
    if by <= 1:
        rules.check_private(*ask)
    else:
        with pytest.raises(Stop):
            rules.check_private(*ask)


@settings(max_examples=25)
@given(st.integers(0, 9), LEVELS, st.sampled_from([1, -5, 3**300, -(7**200)]), st.data())
def test_products_with_a_vector(n, alpha, x, data):
    """`left`, for one entry, short or long, and for several, is v·G; `bits` bounds the numbers."""
    one_check_more()
    G, rows = Geometric(n, alpha), geometric(n, alpha)
    assert [[F(y, G.den) for y in row] for row in G.rows] == rows
    assert G.bits == 1 + max(y.bit_length() for row in [[G.den], *G.rows] for y in row)
    one = [0] * (n + 1)
    one[data.draw(st.integers(0, n))] = x
    for v in (one, [abs(i - 2) * x for i in range(n + 1)]):
        assert [F(y, G.den) for y in G.left(v)] == [sum(w * row[j] for w, row in zip(v, rows, strict=True)) for j in range(n + 1)]


@pytest.mark.parametrize("kind", sorted(rules.LOSSES))
@pytest.mark.parametrize("n", [0, 1, 6])
def test_bits_of_a_named_loss(kind, n):
    loss = rules.define("l", Node({"type": kind, "n": n}, "$")).matrix
    assert loss.bits == 1 + max(y.bit_length() for row in [[1], *loss.rows] for y in row)
    assert [list(row) for row in loss.rows] == [
        [abs(i - r) ** rules.LOSSES[kind] if i != r else 0 for r in range(n + 1)] for i in range(n + 1)
    ]


@pytest.mark.parametrize("n", [1, 2])
def test_with_letters_every_output_is_tried(n):
    """The nearest output needs b ≥ a only, the others 1 ≥ a·b, which the witness does not show."""
    a, b = ["0", "1"], [["0", "1"]]
    facts = [a, ["1", "-1"], b, [["1", "-1"]], [["0", "1"], "-1"]]
    region = {"type": "region", "letters": ["a", "b"], "positive": facts, "nonnegative": [], "inside": ["1/4", "1/2"]}
    claim = {"kind": "private", "mechanism": "M", "neighbours": "N", "level": {"num": a, "den": "1"}}
    file = certificate(claim, {"R": region, "M": geo(n, {"num": b, "den": "1"}), "N": path(n + 1)}, {})
    answer = check_bytes(json.dumps(file).encode())
    assert (answer.status, answer.path) == ("rejected", "$.witness.signs")
    assert "the sign of a*b - 1" in answer.sentence


def test_in_an_interval_the_first_output_stops_first():
    """Of the comparisons without one answer, the one of the least output is told."""
    a = {"num": ["0", "1"], "den": "1"}
    interval = {"type": "parameter", "interval": {"above": "1/4", "below": "3/4"}}
    claim = {"kind": "private", "mechanism": "M", "neighbours": "N", "level": "1/2"}
    answer = check_bytes(json.dumps(certificate(claim, {"a": interval, "M": geo(4, a), "N": path(5)}, {})).encode())
    assert answer.status == "rejected"
    assert "the coefficients 1, -2 is not the same" in answer.sentence


SIZES = [(1, 30000), (20, 1000), (100, 140), (300, 30)]


@pytest.mark.mostly_slow(3)
@pytest.mark.parametrize(("n", "digits", "columns"), [*((*size, c) for size in SIZES for c in (1, 20)), (100, 400, 1)])
def test_a_level_of_many_digits_is_decided(n, digits, columns):
    """What the sweeps do is announced once, and few columns are spread: the limit of work stays far away."""
    level = f"{'3' * digits}/1{'0' * digits}"
    claim = {"kind": "optimal-remap", "mechanism": "M", "value": "0", "consumer": bayes(1, *[0] * n)}
    labels, nothing = [str(i) for i in range(n + 1)], vec([0] * (n + 1), sparse=True)
    loss = {"type": "loss", "inputs": labels, "guesses": labels, "rows": [nothing] * (n + 1)}
    remap = [vec([int(r == i % columns) for r in range(n + 1)], sparse=True) for i in range(n + 1)]
    file = certificate(claim, {"M": geo(n, level), "L": {"type": "zero-one-loss", "n": n} if columns == 1 else loss}, {"remap": remap})
    assert check_bytes(json.dumps(file).encode()).status == "accepted"


EXPONENTIAL = Node({"type": "exponential", "rate": "1/2", "roots": [1]}, "$")


@pytest.mark.parametrize("power", [1, 2, 3])
@pytest.mark.parametrize("n", [1, 2, 5])
def test_privacy_of_exponentials_by_the_nearest_output(n, power):
    """The same answer as for the same entries in a file, of G(n, e^(−1)) at three levels."""
    field = field_of("t", EXPONENTIAL, 4)
    token = FIELD.set(field)
    try:
        G = Geometric(n, Quotient(field.symbol(0, 2), 1))
        plain = Matrix(n + 1, G.den, [dict(enumerate(row)) for row in G.rows])
        near = Definition("neighbours", "", (), (), Matrix(0, 1, []), [(i, i + 1, F(1)) for i in range(n)])
        level = Quotient(field.symbol(0, power), 1)

        def answer(m):
            try:
                return rules.check_private(m, near, level, "$")
            except Stop as stop:
                return stop.args[0]

        assert answer(G) == answer(plain)
        assert (answer(G) is None) == (power >= 2)
    finally:
        FIELD.reset(token)


@given(
    st.integers(0, 6), st.sampled_from([(2, 1), (1, 2), (3, 7), (-2, 5), (0, 1), (1, 1)]), st.sampled_from(["geometric", "geometric-prime"])
)
def test_the_determinants_of_the_named_matrices(n, point, kind):
    """By their theorem, and by elimination."""
    one_check_more()
    claim = {"matrix": Node({"type": kind, "n": n}, "$")}
    named = determinant.matrix(rules.Case("determinant", claim, {}, {}, {}))
    assert named.known is not None
    assert determinant.integral(named, *point, []) == determinant.integral(replace(named, known=None), *point, [])
