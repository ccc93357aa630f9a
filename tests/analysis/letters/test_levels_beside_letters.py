# SPDX-License-Identifier: MIT
"""A level given as ε beside letters: e^(−1) and the root of 1/3 are no numbers of a field of formulas."""

import re
from fractions import Fraction
from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactdp as xdp
from exactdp.errors import CertificateError, DomainError, MixedDomainError
from exactdp.exact import RegionField

COIN = [["p", "1-p"], ["1-p", "p"]]


def coin(where: str) -> xdp.Table:
    """Randomised response that keeps the answer with probability p."""
    return xdp.Table(xdp.matrix(COIN, letters=where))


@pytest.mark.parametrize(
    ("where", "epsilon", "private"),
    [
        ("1/3 <= p <= 2/3", "1", True),  # the worst ratio is 1/2 > e^(−1)
        ("1/3 <= p <= 2/3", "1/2", False),
        ("1/3 <= p <= 2/3", "0.5", False),
        ("1/3 <= p <= 2/3", "ln 2", True),  # attained
        ("1/3 <= p <= 2/3", "ln(3)/2", False),
        ("1/4 <= p <= 3/4", "ln(9)/2", True),  # which is ln(3), attained
        ("1/4 <= p <= 3/4", "ln(10)/2", True),
        ("1/4 <= p <= 3/4", "ln(8)/2", False),
        ("0 < p < 1", "10", False),
        ("1/100000 < p < 1/2", "12", True),
    ],
)
def test_privacy_beside_letters_is_decided_and_certified(where, epsilon, private):
    v = xdp.is_private(coin(where), "path", epsilon=epsilon)
    assert v.proved is private
    assert v.refuted is not private
    assert f"ε = {xdp.PrivacyLevel(epsilon=epsilon).epsilon}" in str(v).splitlines()[0]
    assert xdp.verify(xdp.certify(v))
    if not private:  # the point that refutes it does so with numbers
        p = v.evidence.point["p"]
        numbers = xdp.Table([[p, 1 - p], [1 - p, p]])
        assert xdp.is_private(numbers, "path", epsilon=epsilon).refuted


@given(st.fractions(Fraction(1, 50), Fraction(1, 2)), st.sampled_from([Fraction(1, 4), Fraction(1), Fraction(3, 2), Fraction(3)]))
def test_the_threshold_is_that_of_numbers(least, epsilon):
    """The worst ratio of p in [least, 1/2] is least/(1 − least); e^(−ε) is no rational number."""
    if least == Fraction(1, 2):
        return
    v = xdp.is_private(coin(f"{least} <= p <= 1/2"), "path", epsilon=epsilon)
    ratio = least / (1 - least)
    assert abs(float(ratio) - exp(-epsilon)) > 1e-9
    assert v.proved is (float(ratio) > exp(-epsilon))
    assert not v.proved or xdp.verify(xdp.certify(v))


def test_a_root_that_is_attained_at_an_irrational_p():
    """p² against 1/4 with 4p² ≥ … : the worst ratio is (1/4)/p², which is 1/√3 at an irrational p only."""
    rows = [["p^2", "1-p^2"], ["1/4", "3/4"]]
    inside = xdp.Table(xdp.matrix(rows, letters="1/2 <= p < 1, p^4 <= 3/16"))  # where (1/4)/p² ≥ 3^(−1/2)
    assert xdp.is_private(inside, "path", epsilon="ln(3)/2").proved
    assert not xdp.is_private(inside, "path", epsilon="0.5493").proved  # ln(3)/2 is 0.549306…
    assert not xdp.is_private(inside, "path", epsilon="0.5494").refuted


def test_distances_other_than_one():
    # the worst is 2p ≥ α^(1/2) at p = 1/3: ε ≥ ln(9/4) ≈ 0.811
    table = xdp.Table(xdp.matrix([["p", "1-p"], ["1/2", "1/2"], ["1-p", "p"]], letters="1/3 <= p <= 1/2"))
    metric = xdp.Metric(range(3), [(0, 1, "1/2"), (1, 2, "1/2"), (0, 2, 1)])
    for epsilon, private in (("1", True), ("1/2", False), ("ln(4)/2", False), ("ln(16/9)", False), ("ln(9/4)", True), ("ln(5)/2", False)):
        v = xdp.is_private(table, metric, epsilon=epsilon)
        assert v.proved is private, epsilon
        assert xdp.verify(xdp.certify(v))


def test_a_letter_named_t_is_not_taken_for_the_exponential():
    v = xdp.is_private(xdp.Table(xdp.matrix([["t", "1-t"], ["1-t", "t"]], letters="0 < t < 1")), "path", epsilon=1)
    assert v.refuted
    assert "t = e" not in str(v) + v.claim
    assert re.search(r"= 1/3 < e\^\(−1\)", v.claim)


def test_conditions_at_a_transcendental_level_are_refused_with_levels_that_have_some():
    table = coin("0 < p < 1")
    with pytest.raises(DomainError, match="α = 46/125 are enough for it, those for α = 367/1000 are needed"):
        xdp.conditions(xdp.is_private, table, "path", epsilon=1)
    enough = xdp.conditions(xdp.is_private, table, "path", "46/125")
    assert xdp.is_private(coin("46/171 <= p <= 125/171"), "path", epsilon=1).proved  # where these hold
    assert enough.holds({"p": Fraction(46, 171)})
    assert not enough.holds({"p": Fraction(1, 4)})
    root = xdp.conditions(xdp.is_private, table, "path", epsilon="ln(4)/2")  # of roots they are the exact ones
    assert root.holds({"p": "1/3"})
    assert not root.holds({"p": "3333/10000"})
    ln3 = xdp.conditions(xdp.is_private, table, "path", epsilon="ln(3)/2")
    assert ln3.holds({"p": "366026/1000000"})  # p/(1−p) ≥ 3^(−1/2) is p ≥ 0.3660254…
    assert not ln3.holds({"p": "366025/1000000"})


def test_a_mechanism_with_the_letter_of_the_level():
    for epsilon in ("1", "ln(3)/2"):
        assert xdp.is_private("geometric:n=2,alpha=a", "path", epsilon=epsilon).refuted
    half = xdp.geometric(2, xdp.PrivacyLevel.symbolic(("1/2", 1)))
    assert xdp.is_private(half, "path", epsilon=1).proved
    assert xdp.is_private(half, "path", epsilon="1/2").refuted


def test_a_table_that_is_no_mechanism_is_refuted_as_that():
    table = xdp.Table(xdp.matrix([["p", "1-p"], ["1-p", "p"]], letters="0 < p < 2"))
    v = xdp.is_private(table, "path", epsilon=1)
    assert v.refuted
    assert xdp.verify(xdp.certify(v))


# ── Numbers of two kinds ──
@pytest.mark.parametrize(
    ("own", "asked", "private"),
    [
        ("ln(3)/2", "1", True),
        ("ln(3)/2", "1/2", False),
        ("1/2", "ln(3)/2", True),
        ("ln(3)/2", "ln(5)/2", True),
        ("ln(5)/2", "ln(3)/2", False),
    ],
)
def test_roots_and_exponentials_are_compared(own, asked, private):
    for word in ("geometric:n=2", "randomized-response:n=1"):
        v = xdp.is_private(f"{word},epsilon={own}", "path", epsilon=asked)
        assert v.proved is private
        assert v.evidence.tightest.epsilon == xdp.Epsilon(own)


def test_numbers_of_neither_kind_alone_are_compared():
    """1/(1+√(1/3)) beside e^(−1): neither is a power of the other."""
    from exactdp.model.level_roots import compare_roots
    from exactdp.model.metric import ONE, Distance

    r, t = xdp.PrivacyLevel(epsilon="ln(3)/2").alpha, xdp.PrivacyLevel(epsilon=1).alpha
    assert compare_roots(1 / (1 + r), ONE, 1 / (1 + t), ONE) == -1  # 0.634 < 0.731
    assert compare_roots(1 / (1 + r), ONE, t, Distance.of(3)) == -1  # 0.634 < 0.717
    assert compare_roots(t, ONE, r / 2, ONE) == 1  # 0.368 > 0.289
    assert compare_roots(1 / (1 + t), ONE, 1 / (1 + r), Distance.of(2)) == -1  # 0.731 < 0.796


# ── What is refused has a remedy that works ──
REFUSED = [
    lambda level: xdp.is_derivable(coin("0 < p < 1"), source=xdp.geometric(1, level)),
    lambda level: xdp.least_delta(coin("4/5 < p < 1"), "path", level),
    lambda level: xdp.optimum("path:2", level, xdp.BayesianConsumer("zero-one", xdp.matrix([["p", "1-p"]], letters="0 < p < 1/8").row(0))),
]


@pytest.mark.parametrize("ask", REFUSED)
@pytest.mark.parametrize("epsilon", ["1", "1/2", "ln(3)/2"])
def test_the_letter_that_stands_for_the_level_gives_the_answer(ask, epsilon):
    with pytest.raises(MixedDomainError) as caught:
        ask(xdp.PrivacyLevel(epsilon=epsilon))
    told = re.search(r"--alpha (\w) --letters '([^']*)'", caught.value.message)
    assert told
    assert len(caught.value.message) < 300  # the command line cuts what is longer
    low, high = re.search(r"(\S+) < b < ([^\s;,]+)", caught.value.message).groups()
    assert Fraction(low) < Fraction(float(xdp.PrivacyLevel(epsilon=epsilon).alpha)) < Fraction(high)
    field = RegionField(told[2])
    answer = ask(xdp.PrivacyLevel(field(told[1])))
    assert answer.decision.value != "undecided"


def test_two_kinds_of_numbers_are_told_apart_from_one():
    """Of two ε that are rational there is a field with both; of ε = 1 beside ln(3)/2 there is none."""
    with pytest.raises(MixedDomainError, match=r"e\^\(−1\) and √\(1/3\) have no field in common here: give a rational number"):
        xdp.is_derivable(xdp.geometric(1, epsilon="ln(3)/2"), source=xdp.geometric(1, epsilon=1))
    one, half = xdp.PrivacyLevel(epsilon=1).alpha, xdp.PrivacyLevel(epsilon="1/2").alpha
    with pytest.raises(MixedDomainError, match=r"write both over QQ\(exp\(-1/2\)\)"):
        one + half


def test_no_certificate_has_a_root_without_letters():
    with pytest.raises(CertificateError):
        xdp.certify(xdp.is_private([["1/2", "1/2"], ["1/4", "3/4"]], "path", epsilon="ln(3)/2"))
