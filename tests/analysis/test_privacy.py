"""Privacy and the tightest level: against the definition read off literally, and at the edges."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest
import sympy
from hypothesis import given
from strategies import levels, mechanisms

from exactdp import (
    ExactMatrix,
    Graph,
    Mechanism,
    Metric,
    PrivacyLevel,
    Rational,
    Table,
    TightestLevel,
    certify,
    geometric,
    identity,
    is_private,
    is_stochastic,
    neighbours,
    tightest_level,
    uniform,
)
from exactdp.errors import LabelError
from exactdp.exact import ExponentialField, ScaledPowers
from exactdp.mechanisms import mechanism_from_spec
from exactdp.report.text import verdict_text


def literally_private(m: Mechanism, edges, alpha: Fraction) -> bool:
    """[gs2010, Definition 2] in Fractions."""
    x = [[Fraction(str(v)) for v in row] for row in m.matrix.rows()]
    both = [pair for edge in edges for pair in permutations(edge)]
    return all(x[i][r] >= alpha * x[j][r] for i, j in both for r in range(len(x[0])))


@pytest.mark.slow
@given(mechanisms(), levels())
def test_private_agrees_with_the_definition(m, level):
    graph = neighbours(f"path:{m.n_inputs}")
    graph = Graph(m.inputs, graph.edges)
    verdict = is_private(m, graph, level)
    assert verdict.proved == literally_private(m, graph.edges, Fraction(str(level.alpha)))
    assert verdict.proved == (not verdict.evidence.violated)
    certify(verdict)


@pytest.mark.slow
@given(mechanisms())
def test_the_tightest_level_is_private_and_nothing_above_is(m):
    graph = Graph(m.inputs, neighbours(f"path:{m.n_inputs}").edges)
    verdict = tightest_level(m, graph)
    t = Fraction(str(verdict.evidence.tightest.ratio))
    assert verdict.evidence.tightest.distance.rational == 1
    if 0 < t < 1:
        assert literally_private(m, graph.edges, t)
        assert verdict.evidence.tight
    if t < 1:
        above = t + (1 - t) / 1000
        assert not literally_private(m, graph.edges, above)
    certify(verdict)


def test_extremes():
    path = neighbours("path:3")
    assert tightest_level(uniform(path.vertices), path).evidence.tightest.ratio == 1
    assert tightest_level(identity(path.vertices), path).evidence.tightest.ratio == 0
    lonely = Graph(range(3), ())
    assert tightest_level(identity(path.vertices), lonely).evidence.tightest.ratio == 1
    certify(tightest_level(identity(path.vertices), lonely))


def test_geometric_is_tight_everywhere():
    verdict = is_private(geometric(4, "1/3"), neighbours("path:5"), PrivacyLevel("1/3"))
    assert verdict.proved
    assert len(verdict.evidence.tight) == 4 * 5


def test_a_metric_asks_for_powers():
    """G(2, 1/2) has ratio 1/4 at distance 2: on the cycle of three that is too little, with the right metric
    just enough.
    """
    G = geometric(2, "1/2")
    assert is_private(G, neighbours("path:3").metric(), PrivacyLevel("1/2")).proved
    assert is_private(G, neighbours("cycle:3"), PrivacyLevel("1/2")).refuted
    assert is_private(G, neighbours("cycle:3"), PrivacyLevel("1/4")).proved
    certify(is_private(G, neighbours("path:3").metric(), PrivacyLevel("1/2")))


def test_irrational_distances_are_decided():
    """On the 2×2 Euclidean grid the diagonal has distance sqrt(2)."""
    euclid = neighbours("euclid:2x2")
    labels = euclid.vertices
    a = Rational("1/2")
    # rows proportional to 1, a, a, b: the diagonal ratio b must be at least a^sqrt(2) = 0.3752…
    for b, private in [("376/1000", True), ("375/1000", False)]:
        mass = Rational(b)
        entry = {0: Rational(1), 1: a, 2: mass}
        total = 1 + 2 * a + mass
        far = {(i, j): bin(i ^ j).count("1") for i in range(4) for j in range(4)}
        m = Mechanism(ExactMatrix.build(4, 4, lambda i, j, e=entry, t=total, f=far: e[f[i, j]] / t), labels)
        verdict = is_private(m, euclid, PrivacyLevel(a))
        assert verdict.proved is private
        certify(verdict)
        certify(tightest_level(m, euclid))


def test_other_inputs_are_refused():
    with pytest.raises(LabelError, match="the mechanism's inputs"):
        is_private(geometric(2, "1/2"), neighbours("path:4"), PrivacyLevel("1/2"))


def test_printed_rows_that_do_not_sum_to_one():
    table = Table(ExactMatrix([["2/3", "5/17", "1/25", "1/98"], ["1/6", "7/11", "7/44", "2/49"]]))
    verdict = is_stochastic(table)
    assert verdict.refuted
    assert verdict.evidence.row == 0
    total = Fraction(2, 3) + Fraction(5, 17) + Fraction(1, 25) + Fraction(1, 98)
    assert str(total) in verdict.claim
    assert certify(verdict).kind == "not-stochastic"
    negative = Table(ExactMatrix([["3/2", "-1/2"]]))
    assert certify(is_stochastic(negative)).witness == {"row": 0, "column": 1}


def test_formulas_in_sentences_can_be_read_in_one_way():
    coin = Mechanism([["2/3", "1/3"], ["1/3", "2/3"]])
    near = {d: Metric(range(2), [(0, 1, d)]) for d in ("1/2", "2", "sqrt(2)")}
    for distance, power in [("1/2", "(9/10)^(1/2)"), ("2", "(9/10)^2"), ("sqrt(2)", "(9/10)^(sqrt(2))")]:
        verdict = is_private(coin, near[distance], "9/10")
        said = verdict_text(verdict)
        assert f" < {power} · x[0][0]" in verdict.claim
        assert f"x[1][0] / x[0][0] = 1/2 < {power}\n" in said
    below = 1 - ExponentialField(1).gen
    claim = is_private(coin, "path", below).claim
    assert "not (α = -t + 1)-private" in claim
    assert " < (-t + 1) · x[0][0]" in claim
    names = [PrivacyLevel(x).name for x in ("1/2", sympy.sqrt(2) / 2, sympy.sqrt(2) - 1)]
    assert names == ["(α = 1/2)", "(α = (1/2)^(1/2))", "(α = (r + (-1)))"]
    lettered = PrivacyLevel("1-p", letters="0 < p < 1/2")
    assert "(α = -p + 1)-private" in is_private(coin, "path", lettered).claim


@given(mechanisms(), levels())
def test_few_comparisons_with_the_level_find_what_all_of_them_find(m, level):
    """At rational distances p/q: x_i^q ≥ α^p·x_j^q, cell by cell, in Fractions."""
    n, alpha = m.n_inputs, Fraction(str(level.alpha))
    distances = {(i, j): Fraction(10 + (i * j) % 3, 10) for i in range(n) for j in range(i + 1, n)}
    near = Metric(m.inputs, [(i, j, f"{d.numerator}/{d.denominator}") for (i, j), d in distances.items()])
    x = [[Fraction(str(v)) for v in row] for row in m.matrix.rows()]
    violated, tight = set(), set()
    for (i, j), d in distances.items():
        for r in range(m.n_outputs):
            low, high = (i, j) if x[i][r] <= x[j][r] else (j, i)
            if x[high][r] == 0:
                continue
            left, right = x[low][r] ** d.denominator, alpha**d.numerator * x[high][r] ** d.denominator
            if left < right:
                violated.add((low, high, r))
            if left == right:
                tight.add((low, high, r))
    found = is_private(m, near, level)
    assert found.proved == (not violated)
    assert {(c.low, c.high, c.output) for c in found.evidence.violated} == violated
    assert {(c.low, c.high, c.output) for c in found.evidence.tight} == tight
    own = tightest_level(m, near).evidence
    assert found.evidence.tightest == own.tightest
    assert bool(own.tight) == (own.tightest != TightestLevel(1))


def test_few_ratios_are_compared_with_the_level(monkeypatch):
    """Powers with large exponents are compared about as often as there are distances, not for every cell."""
    size = 12
    rows = [[Rational(1000 + (7 * i * i + 13 * j * j * i) % 97, 10**6) for j in range(size)] for i in range(size)]
    m = Mechanism([[x / sum(row, Rational(0)) for x in row] for row in rows])
    near = Metric(range(size), [(i, j, "11/10" if (i + j) % 2 else "13/10") for i in range(size) for j in range(i + 1, size)])
    asked = []
    at_least = PrivacyLevel.at_least
    monkeypatch.setattr(PrivacyLevel, "at_least", lambda *given: asked.append(1) or at_least(*given))
    for level in ("9/10", "1/2"):
        asked.clear()
        is_private(m, near, level)
        assert 0 < len(asked) < 60  # of 792 cells


WORDS = [
    "geometric:n=4,epsilon=1",
    "geometric:n=1,epsilon=1/3",
    "lumped-geometric:n=3,epsilon=1/2",
    "opendp-geometric:scale=2,lower=-2,upper=3",
    "opendp-laplace:alpha=1/3,n=3",
    "diffprivlib-geometric-truncated:epsilon=1,lower=0,upper=4",
]
ASKED = [None, PrivacyLevel("1/2"), *(PrivacyLevel(epsilon=epsilon) for epsilon in ("1", "1/2", "2/3", "3", "0.49999", "ln(3)"))]


@pytest.mark.parametrize("word", WORDS)
def test_what_is_known_by_powers_is_as_private_as_its_table(word):
    """By its formula, and constraint by constraint from the entries: the same evidence."""
    known = mechanism_from_spec(word)
    assert isinstance(known.matrix, ScaledPowers)
    plain = Mechanism(ExactMatrix(list(known.matrix.rows()), known.field), known.inputs, known.outputs)
    for level in ASKED:
        ask = (lambda m: tightest_level(m, "path")) if level is None else (lambda m, at=level: is_private(m, "path", at))
        mine, its = ask(known), ask(plain)
        assert (mine.decision, mine.claim, str(mine.scope)) == (its.decision, its.claim, str(its.scope))
        for name in ("tightest", "tight", "violated", "attained", "unfinished", "apart"):
            assert getattr(mine.evidence, name) == getattr(its.evidence, name), name


def test_a_thousand_inputs_at_an_epsilon_have_their_certificate():
    verdict = tightest_level(geometric(300, epsilon=1), "path")
    assert (len(verdict.evidence.tight), str(verdict.evidence.tightest.epsilon)) == (300 * 301, "1")
    assert certify(verdict).kind == "level"


def test_a_table_that_is_private_at_no_level_is_told_so_as_the_checker_says_it():
    verdict = tightest_level([["1/2", "1/2"], [0, 1]], "path")
    assert verdict.claim.endswith("is α = 0 (ε = ∞): it is private at no level, and for no finite ε")
    assert "private at no level" in certify(verdict).sentence
