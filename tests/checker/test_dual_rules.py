# SPDX-License-Identifier: MIT
"""The graph rule and folds against entries computed one by one: no pair, one input, inputs without mass,
parts that no pair connects, distances that are not 1.
"""

from __future__ import annotations

from fractions import Fraction as F
from math import gcd, lcm

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.checker import compact, kernel, limits, reader, rules
from exactdp.checker.matrices import Matrix

LEVELS = {F(1, 4): F(1, 2), F(4, 9): F(2, 3)}
"""With the root of each, its power at the distance 1/2."""

DISTANCES = (F(1, 2), F(1), F(2))
NUMBERS = st.fractions(-2, 3, max_denominator=4)


@pytest.fixture(autouse=True)
def counting():
    token = limits.WORK.set([0, 0])
    yield
    limits.WORK.reset(token)


def one_check_more():
    limits.WORK.set([0, 0])  # hypothesis runs many examples in one test


def matrix(rows, width):
    """Rows of fractions over one denominator."""
    den = lcm(*(x.denominator for row in rows for x in row))
    return Matrix(width, den, [{j: int(x * den) for j, x in enumerate(row) if x} for row in rows])


def vector(row):
    """A dense vector of a file."""
    den = lcm(*(x.denominator for x in row))
    numerators = [int(x * den) for x in row]
    common = gcd(den, *numerators)
    return {"den": str(den // common), "num": [str(x // common) for x in numerators]}


def power(alpha, d):
    """α^d at one of the distances."""
    return LEVELS[alpha] if d == F(1, 2) else alpha ** int(d)


def take(c, i, j, power, u):
    """Take a multiplier's constraint from what is left at one guess."""
    a, b = (i, j) if u > 0 else (j, i)
    c[a] -= abs(u)
    c[b] += power * abs(u)


@st.composite
def duals(draw):
    n, guesses = draw(st.sampled_from([1, 2, 3, 3, 4])), draw(st.integers(1, 3))
    alpha = draw(st.sampled_from(sorted(LEVELS)))
    distances = {(i, j): draw(st.sampled_from([None, *DISTANCES])) for i in range(n) for j in range(i + 1, n)}
    pairs = [(i, j, d) for (i, j), d in distances.items() if d is not None]
    loss = [[draw(st.integers(0, 3)) * F(1) for _ in range(guesses)] for _ in range(n)]
    masses = [draw(st.integers(0, 2)) for _ in range(n)]
    w = [F(x, sum(masses) or 1) for x in masses]
    # Half of the potentials are low enough where there are no multipliers.
    low = draw(st.booleans())
    mu = [min(w[i] * x for x in loss[i]) if low else draw(NUMBERS) for i in range(n)]
    u = [[draw(st.sampled_from([F(0), F(0), F(1, 4), F(-1, 5)])) for _ in range(guesses)] for _ in pairs]
    return n, guesses, alpha, pairs, loss, w, mu, u


def asked(dual):
    """What the rules are given."""
    n, guesses, alpha, pairs, loss, w, mu, _ = dual
    labels = tuple(map(str, range(n)))
    near = rules.Definition("neighbours", "graph N", labels, (), Matrix(0, 1, []), [(i, j, d**2) for i, j, d in pairs])
    return matrix(loss, guesses), near, alpha, matrix([w], n), matrix([mu], n)


def left(dual, r, u):
    """w_i l(i,r) − μ_i without what the multipliers take."""
    n, _, alpha, pairs, loss, w, mu, _ = dual
    c = [w[i] * loss[i][r] - mu[i] for i in range(n)]
    for (i, j, d), row in zip(pairs, u, strict=True):
        take(c, i, j, power(alpha, d), row[r])
    return c


@settings(max_examples=150)
@given(duals())
def test_the_graph_rule_is_that_of_each_entry(dual):
    one_check_more()
    _, guesses, alpha, pairs, *_, u = dual
    slack = {(i, r): x for r in range(guesses) for i, x in enumerate(left(dual, r, u))}
    bad = [(f"graph rule: slack_ir ≥ 0 at i = {i}, r = {r}", x) for (i, r), x in slack.items() if x < 0]
    ask = (*asked(dual), matrix(u, guesses), "$")
    if bad:
        with pytest.raises(kernel.Stop) as stop:
            rules.graph_rule(*ask)
        rule, value = bad[0]
        assert stop.value.args[0].sentence == f"$: this fails: {rule}; the left side is {value}, the right side 0"
        return

    # What holds where the bound is attained: x_ar = α^d·x_br, and x_ir = 0.
    expected = {((i, r),): F(1) for (i, r), x in slack.items() if x > 0}
    for (i, j, d), row in zip(pairs, u, strict=True):
        for r, x in enumerate(row):
            a, b = (i, j) if x > 0 else (j, i)
            if x:
                expected[(a, r), (b, r)] = -power(alpha, d)
    forced = list(rules.graph_rule(*ask))
    found = {tuple(e): F(list(e.values())[-1], next(iter(e.values()))) for e in forced}
    assert found == expected
    assert len(forced) == len(expected)


@settings(max_examples=150)
@given(duals(), st.data())
def test_folds_are_the_multipliers_that_they_say(dual, data):
    one_check_more()
    _, guesses, alpha, pairs, *_, u = dual
    place = {(i, j): e for e, (i, j, _) in enumerate(pairs)}
    expected = [list(row) for row in u]
    node = []
    for r in range(guesses):
        c = left(dual, r, u)
        free = [pair for pair, e in place.items() if u[e][r] == 0]
        folds = [pair if data.draw(st.booleans()) else pair[::-1] for pair in data.draw(st.permutations(free))]
        for i, j in folds:
            e = place[min(i, j), max(i, j)]
            p = power(alpha, pairs[e][2])
            # The one multiplier that leaves nothing at i: of x_ir − α^d·x_jr, or of x_jr − α^d·x_ir.
            size = c[i] if c[i] >= 0 else -c[i] / p
            into_j = (c[i] >= 0) == (i < j)
            expected[e][r] = size if into_j else -size
            take(c, *pairs[e][:2], p, expected[e][r])
            assert c[i] == 0
        node.append({"from": [i for i, _ in folds], "into": [j for _, j in folds]})
    given_in_file = {"folds": reader.Node(node, "$.folds")}
    if any(x for row in u for x in row):
        given_in_file["edges"] = reader.Node([vector(row) for row in u], "$.edges")
    found = compact.unfolded(given_in_file, *asked(dual))
    assert [[F(row.get(r, 0), found.den) for r in range(guesses)] for row in found.rows] == expected
