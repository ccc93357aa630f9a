# SPDX-License-Identifier: MIT
"""What verdicts are in sympy: sets of levels, functions of the level, numbers, or true and false."""

from __future__ import annotations

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import levels, rationals

import exactdp as xdp
from exactdp.analysis.verdict import Decision, Verdict
from exactdp.errors import UndecidedSignError
from exactdp.exact import ExactMatrix, Interval, Rational, RationalFunctionField
from exactdp.exact.piecewise import Piecewise

a = RationalFunctionField().gen
LETTER = sympy.Symbol("a")
ABS, ZERO_ONE = xdp.MinimaxConsumer("abs"), xdp.MinimaxConsumer("zero-one")
RR = xdp.Table(ExactMatrix([[1 - a * a, a * a], [a * a, 1 - a * a]]))
SKEW = xdp.Table(ExactMatrix([[2 * a, 1 - 2 * a], ["1/2", "1/2"]]))


def at(table, level):
    return ExactMatrix([[x.evaluate(level.alpha) if hasattr(x, "evaluate") else x for x in row] for row in table.matrix.rows()])


@given(levels())
def test_a_level_is_in_the_set_exactly_where_the_statement_holds_there(level):
    inside = level.to_sympy()
    stochastic = xdp.stochastic_levels(SKEW).as_sympy()
    assert (inside in stochastic) == xdp.is_stochastic(xdp.Table(at(SKEW, level)), rounding=0).proved
    private = xdp.private_levels(RR, "path", "a").as_sympy()
    assert (inside in private) == xdp.is_private(at(RR, level), "path", level).proved


@settings(max_examples=10)
@given(levels(), st.sampled_from(["star:4", "cycle:4", "grid:2x2"]))
def test_tight_levels_are_those_with_a_tight_mechanism(level, graph):
    assert (level.to_sympy() in xdp.tight_levels(graph).as_sympy()) == xdp.tight_mechanism(graph, level).proved


@settings(max_examples=10)
@given(levels(), st.sampled_from([ABS, ZERO_ONE]))
def test_the_function_of_the_level_has_the_optimum_at_each(level, consumer):
    by_level = xdp.optimum_by_level("path:3", consumer).as_sympy()
    assert isinstance(by_level, sympy.Piecewise)
    assert not by_level.atoms(sympy.Float)
    assert sympy.nsimplify(by_level.subs(LETTER, level.to_sympy())) == xdp.optimum("path:3", level, consumer).as_sympy()


def test_the_sets_are_what_is_said():
    union = sympy.Union
    root = lambda *c: sympy.CRootOf(sympy.Poly(c[::-1], sympy.Symbol("x")), 0)  # noqa: E731
    assert xdp.tight_levels("star:4").as_sympy() == sympy.Interval.Lopen(0, sympy.S.Half)
    assert xdp.universal_by_level("star:4", "zero-one").as_sympy() == sympy.Interval.Lopen(0, sympy.S.Half)
    assert xdp.private_levels(RR, "path", "a").as_sympy() == sympy.Interval((sympy.sqrt(5) - 1) / 2, root(-1, 0, 1, 1))
    never = xdp.stochastic_levels(xdp.Table(ExactMatrix([[a, a]]) * Rational(2)))
    assert never.as_sympy() == {sympy.Rational(1, 4)}
    assert xdp.stochastic_levels(xdp.Table(ExactMatrix([[a + 1, -a]]))).as_sympy() == sympy.S.EmptySet
    bow = (a - Rational("1/3")) * (a - Rational("2/3"))
    lines = xdp.stochastic_levels(xdp.Table(ExactMatrix([[bow, 1 - bow]])))
    third = sympy.Rational(1, 3)
    assert lines.as_sympy() == union(sympy.Interval.Lopen(0, third), sympy.Interval.Ropen(2 * third, 1))


def test_a_mechanism_is_optimal_on_a_set_of_levels():
    assert xdp.is_optimal_by_level(xdp.geometric(1, a), "path:2", ABS).as_sympy() == sympy.Interval.open(0, 1)
    sometimes = xdp.is_optimal_by_level(xdp.Mechanism([["3/4", "1/4"], ["1/4", "3/4"]]), "path:2", ABS)
    assert sometimes.as_sympy() == {sympy.Rational(1, 3)}


def test_gains_are_stated_as_gains():
    binary = xdp.BayesianConsumer(xdp.Gain([[1, 0], [0, 1]]), "uniform")
    assert xdp.optimum("path:2", "1/3", binary).as_sympy() == sympy.Rational(3, 4)
    assert sympy.simplify(xdp.optimum_by_level("path:2", binary).as_sympy().subs(LETTER, sympy.Rational(1, 3)) - sympy.Rational(3, 4)) == 0
    assert xdp.best_remap(xdp.geometric(1, "1/3"), binary).as_sympy() == sympy.Rational(3, 4)


def test_values_are_numbers():
    G = xdp.geometric(2, "1/3")
    assert xdp.optimum("path:4", "1/4", ABS).as_sympy() == sympy.Rational(168, 415)
    by_epsilon = xdp.optimum("path:2", xdp.PrivacyLevel(epsilon="1/2"), ABS)
    t = sympy.exp(-sympy.S.Half)
    assert sympy.simplify(by_epsilon.as_sympy() - t / (1 + t)) == 0
    assert xdp.best_remap(G, ABS).as_sympy() == xdp.best_remap(G, ABS).evidence.value.to_sympy()
    assert xdp.tightest_level(G, "path").as_sympy() == sympy.Rational(1, 3)
    assert sympy.factor(xdp.determinant(xdp.geometric_prime(3, a)).as_sympy()) == sympy.factor((1 - LETTER**2) ** 3)
    assert xdp.capacity(G).as_sympy() == xdp.capacity(G).evidence.value.to_sympy()


LETTERS = "0 < p < 1/2, 0 < q < 1/2"
COIN = xdp.Mechanism(xdp.matrix([["1-p", "p"], ["q", "1-q"]], LETTERS))
TIGHT, DEARER = xdp.tightest_level(COIN, "path"), xdp.mechanism_loss(COIN, ABS)
WHERE = xdp.conditions(xdp.is_private, COIN, "path", "1/4")


@given(rationals(low=0, high=1), rationals(low=0, high=1))
def test_answers_with_letters_are_those_at_each_point(p, q):
    at = {sympy.Symbol("p"): p.to_sympy(), sympy.Symbol("q"): q.to_sympy()}
    if not (0 < p < Rational("1/2") and 0 < q < Rational("1/2")):
        assert TIGHT.as_sympy().subs(at) is sympy.nan
        return
    there = xdp.Mechanism([[1 - p, p], [q, 1 - q]])
    assert TIGHT.as_sympy().subs(at) == xdp.tightest_level(there, "path").as_sympy()
    assert DEARER.as_sympy().subs(at) == xdp.mechanism_loss(there, ABS).as_sympy() == max(p, q).to_sympy()
    assert bool(WHERE.as_sympy().subs(at)) == xdp.is_private(there, "path", "1/4").proved
    assert xdp.determinant(COIN.matrix).as_sympy().subs(at) == (1 - p - q).to_sympy()


def test_the_region_stands_in_the_answer():
    p, q = sympy.symbols("p q")
    for answer in (TIGHT, DEARER, xdp.mechanism_loss(COIN, xdp.BayesianConsumer("abs", "uniform"))):
        assert answer.as_sympy().subs({p: 2, q: 3}) is sympy.nan
    assert xdp.is_stochastic(COIN).as_sympy() is sympy.true
    assert xdp.is_private(COIN, "path", "1/4").as_sympy() is sympy.false
    assert xdp.from_sympy(WHERE.as_sympy()).contains({"p": "1/3", "q": "1/3"})


def test_yes_and_no_are_true_and_false():
    G = xdp.geometric(2, "1/3")
    assert xdp.is_private(G, "path", "1/3").as_sympy() is sympy.true
    assert xdp.is_private(G, "path", "1/2").as_sympy() is sympy.false
    assert xdp.is_stochastic([["1/2", "1/3"]]).as_sympy() is sympy.false
    assert xdp.determinant(xdp.geometric_prime(3, a), formula="(1-a^2)^3").as_sympy() is sympy.true
    assert xdp.determinant(xdp.geometric_prime(3, a), formula="(1-a^2)^2").as_sympy() is sympy.false
    assert xdp.is_optimal("geometric:n=3,alpha=1/4", "path", "1/4", ABS).as_sympy() is sympy.false
    assert xdp.is_derivable(xdp.geometric(1, "1/2"), source=xdp.geometric(1, "1/4")).as_sympy() is sympy.true


def test_what_is_undecided_has_no_answer_in_sympy():
    with pytest.raises(UndecidedSignError, match="no answer to write in sympy"):
        Verdict(Decision.UNDECIDED, "who knows", None).as_sympy()
    two = xdp.neighbours("path:2")
    weak = xdp.verify_optimal(xdp.geometric(1, "1/3"), two, "1/3", ZERO_ONE, xdp.Dual(weights=("4/5", "1/5")))
    with pytest.raises(UndecidedSignError):
        weak.as_sympy()
    found = xdp.universal_by_level("star:4", "zero-one")
    unknown = Piecewise([(Interval(0, "1/2"), found.evidence.pieces[0].value._replace(yes=None, why=None))])
    with pytest.raises(UndecidedSignError, match=r"undecided for a in \(0, 1/2\)"):
        type(found.evidence)(neighbours=found.evidence.neighbours, loss=found.evidence.loss, pieces=unknown).in_sympy()
