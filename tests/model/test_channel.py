# SPDX-License-Identifier: MIT
"""Channels, hyper-distributions, losses made of losses, refinement among several."""

from __future__ import annotations

import random
from fractions import Fraction as F

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp import geometric, identity, uniform
from exactdp.analysis.leakage import (
    additive_leakage,
    joint,
    multiplicative_leakage,
    posteriors,
    prior_uncertainty,
    uncertainty,
    vulnerability,
)
from exactdp.analysis.refinement import earth_move, is_derivable, is_refined_by, refinement_order
from exactdp.errors import InputError, LabelError, NotStochasticError
from exactdp.exact import Rational
from exactdp.model import Gain, Loss, Mechanism, Prior, Remap
from exactdp.model.channel import Hyper

rows3 = st.lists(st.integers(0, 4), min_size=3, max_size=3).filter(any)
channels = st.lists(rows3, min_size=3, max_size=3).map(lambda rows: Mechanism([[Rational(x, sum(row)) for x in row] for row in rows]))
weights = rows3.map(lambda row: Prior([Rational(x, sum(row)) for x in row]))
tables = st.lists(st.lists(st.integers(-3, 3), min_size=2, max_size=2), min_size=3, max_size=3).map(Loss)


@pytest.mark.parametrize("name", ["external_choice", "parallel", "reduced", "restricted", "is_equivalent_to"])
def test_what_is_made_of_mechanisms_has_an_example(name):
    assert ">>>" in getattr(Mechanism, name).__doc__


@pytest.mark.parametrize(
    "name", ["plus", "times", "weighted", "shifted", "trivial", "is_trivial", "restricted", "lifted", "for_uniform_prior"]
)
def test_what_is_made_of_losses_has_an_example(name):
    assert ">>>" in getattr(Loss, name).__doc__


@given(channels, weights)
@settings(max_examples=40)
def test_hypers_come_back(C, prior):
    hyper = Hyper.of(C, prior)
    assert hyper.prior() == prior
    assert sum(F(str(x)) for x in hyper.outer) == 1
    assert len(posteriors(C, prior)) >= len(hyper.inners)
    if all(prior.weights):
        assert hyper.channel().is_equivalent_to(C)
    total = sum((F(str(x)) for row in joint(C, prior).rows() for x in row), F(0))
    assert total == 1


@given(channels, channels, weights, tables, st.integers(1, 4))
@settings(max_examples=40)
def test_external_choice_mixes_uncertainty(A, B, prior, loss, k):
    p = Rational(k, 5)
    mixed = Mechanism.external_choice([A, B], [p, 1 - p])
    assert uncertainty(mixed, prior, loss) == p * uncertainty(A, prior, loss) + (1 - p) * uncertainty(B, prior, loss)
    assert Hyper.of(mixed, prior) == Hyper.mixture([Hyper.of(A, prior), Hyper.of(B, prior)], [p, 1 - p])


@given(channels, weights, tables, tables, st.lists(st.integers(0, 3), min_size=3, max_size=3), st.integers(0, 3))
@settings(max_examples=40)
def test_the_algebra_of_losses(C, prior, first, second, values, c):
    for U in (prior_uncertainty, lambda *asked: uncertainty(C, *asked)):
        assert U(prior, first.plus(second)) == U(prior, first) + U(prior, second)
        assert U(prior, first.times(c)) == c * U(prior, first)
        moved = sum((p * x for p, x in zip(prior.weights, values, strict=True)), Rational(0))
        assert U(prior, first.shifted(values)) == U(prior, first) + moved
        if moved:
            other = Prior([p * x / moved for p, x in zip(prior.weights, values, strict=True)])
            assert U(prior, first.weighted(values)) == moved * U(other, first)
    assert uncertainty(C, prior, first) == uncertainty(C, Prior.uniform(range(3)), first.for_uniform_prior(prior))
    assert uncertainty(C, prior, first) <= prior_uncertainty(prior, first)
    assert uncertainty(C, prior, Loss.trivial(values, range(3))) == prior_uncertainty(prior, Loss.trivial(values, range(3)))
    gain = Gain(-first.matrix)
    assert vulnerability(C, prior, gain) == -uncertainty(C, prior, first)


@given(tables)
@settings(max_examples=60)
def test_trivial_losses_are_those_no_mechanism_helps(loss):
    """A loss is trivial iff its entropy is linear, iff seeing everything does not help at any prior with full
    support.
    """
    everything = identity(range(3))
    even = Prior.uniform(range(3))
    assert loss.is_trivial() == (uncertainty(everything, even, loss) == prior_uncertainty(even, loss))


@given(channels)
@settings(max_examples=40)
def test_reduction_is_an_equivalence(C):
    small = C.reduced()
    assert small.reduced().matrix == small.matrix
    assert is_refined_by(C, small).proved
    assert is_refined_by(small, C).proved


@given(channels, channels)
@settings(max_examples=30)
def test_equivalent_means_refining_each_other(A, B):
    both = is_refined_by(A, B).proved and is_refined_by(B, A).proved
    assert both == A.is_equivalent_to(B)


@given(channels, channels)
@settings(max_examples=40)
def test_earth_moves_decide_refinement(A, B):
    move = earth_move(A, B)
    if move is not None:
        assert move.inside == is_refined_by(A, B).proved
        assert all(sum(row) == 1 for row in ([F(str(x)) for x in row] for row in move.shares.rows()))


def test_parallel_and_restricted():
    coin = Mechanism([["2/3", "1/3"], ["1/3", "2/3"]], ["a", "b"])
    twice = coin.parallel(coin)
    assert is_refined_by(twice, coin).proved
    assert [sum(row) for row in ([F(str(x)) for x in row] for row in twice.rows())] == [1, 1]
    part = geometric(3, "1/2").restricted([1, 3])
    assert part.inputs == ("1", "3")
    assert part.matrix.row(0) == geometric(3, "1/2").matrix.row(1)


def test_lifting_pads_with_zeros():
    loss = Loss([[0, 1], [2, 0]], ["a", "c"])
    up = loss.lifted(["a", "b", "c"])
    assert [list(map(str, row)) for row in up.matrix.rows()] == [["0", "1"], ["0", "0"], ["2", "0"]]
    assert up.restricted(["a", "c"]).matrix == loss.matrix


def test_the_order_of_several_mechanisms():
    copies = {
        "all": identity(range(3)),
        "G": geometric(2, "1/4"),
        "same": geometric(2, "1/4").post_process(Remap([["1/2", "1/2", 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])),
        "H": geometric(2, "1/2"),
        "none": uniform(range(3)),
        "aside": Mechanism([[1, 0], [1, 0], [0, 1]]),
    }
    order = refinement_order(copies).evidence
    names = order.names
    below = {(names[i], names[j]) for i, j in order.pairs}
    assert below == {(a, b) for a in copies for b in copies if a != b and is_derivable(copies[b], source=copies[a]).proved}
    assert ("all", "aside") in below
    assert ("G", "aside") not in below
    assert any(len(part) == 2 for part in order.classes)
    # the covers generate the order and no cover follows from others
    reach = {(a, a) for a in range(len(order.classes))} | set(order.covers)
    for _ in order.classes:
        reach |= {(a, d) for a, b in reach for c, d in reach if b == c}
    heads = [part[0] for part in order.classes]
    assert {(a, b) for a, b in reach if a != b} == {
        (a, b) for a in range(len(heads)) for b in range(len(heads)) if a != b and (heads[a], heads[b]) in set(order.pairs)
    }
    for cover in order.covers:
        rest = set(order.covers) - {cover}
        reached = {cover[0]}
        for _ in order.classes:
            reached |= {b for a, b in rest if a in reached}
        assert cover[1] not in reached


@pytest.mark.parametrize(("inputs", "outputs", "rank"), [(8, 14, 8), (10, 10, 4), (12, 18, 6)])
def test_wide_and_rank_deficient_channels(inputs, outputs, rank):
    rnd = random.Random(rank)

    def channel(n, m):
        table = []
        for _ in range(n):
            row = [rnd.randint(0, 5) for _ in range(m)]
            row[rnd.randrange(m)] += 1
            table.append([Rational(x, sum(row)) for x in row])
        return Mechanism(table)

    A = Mechanism(channel(inputs, rank).matrix @ channel(rank, outputs).matrix)
    B = Mechanism(A.matrix @ channel(outputs, 6).matrix)
    yes = is_refined_by(A, B)
    assert yes.proved
    assert A.matrix @ yes.evidence.remap.matrix == B.matrix
    no = is_refined_by(A, channel(inputs, 6))
    assert no.refuted
    assert no.evidence.target_loss < no.evidence.source_loss


def test_leakage_and_its_limits():
    coin = Mechanism([["2/3", "1/3"], ["1/3", "2/3"]])
    even, gain = Prior.uniform(range(2)), Gain([[1, 0], [0, 1]])
    assert multiplicative_leakage(coin, even, gain) == Rational("4/3")
    assert additive_leakage(coin, even, gain) == Rational("1/6")
    with pytest.raises(InputError, match="divides"):
        multiplicative_leakage(coin, even, Gain([[0], [0]]))
    with pytest.raises(InputError, match="gains"):
        multiplicative_leakage(coin, even, Gain([[-1], [0]]))


def test_wrong_inputs():
    coin = Mechanism([["2/3", "1/3"], ["1/3", "2/3"]])
    with pytest.raises(LabelError):
        Mechanism.external_choice([coin, uniform(range(3))], ["1/2", "1/2"])
    with pytest.raises(NotStochasticError):
        Mechanism.external_choice([coin, coin], ["1/2", "1/3"])
    with pytest.raises(InputError, match="weights"):
        Mechanism.external_choice([coin], ["1/2", "1/2"])
    with pytest.raises(InputError, match="twice"):
        Hyper(((Rational(1),), (Rational(1),)), (Rational("1/2"), Rational("1/2")), ("0",))
    with pytest.raises(InputError, match="probability 0"):
        Hyper.of(coin, Prior([1, 0])).channel()
    with pytest.raises(InputError, match="two mechanisms"):
        refinement_order({"one": coin})
    with pytest.raises(InputError, match="≥ 0"):
        Loss.zero_one(range(2)).times(-1)


def test_refinement_agrees_with_libqif():
    """An exact answer of another program: libqif over its rationals."""
    qif = pytest.importorskip("qif")
    numpy = pytest.importorskip("numpy")
    rnd = random.Random(11)

    def channel(n, m):
        table = []
        for _ in range(n):
            row = [rnd.randint(0, 3) for _ in range(m)]
            row[rnd.randrange(m)] += 1
            table.append([F(x, sum(row)) for x in row])
        return table

    def product_of(a, b):
        return [[sum(x * y for x, y in zip(row, column, strict=True)) for column in zip(*b, strict=True)] for row in a]

    seen = set()
    for _ in range(25):
        A = channel(3, 3)
        B = product_of(A, channel(3, 3)) if rnd.random() < 0.5 else channel(3, 3)
        ours = is_refined_by(*(Mechanism([[Rational(x.numerator, x.denominator) for x in row] for row in M]) for M in (A, B))).proved
        exact = [numpy.array([[qif.rat(x.numerator, x.denominator) for x in row] for row in M]) for M in (A, B)]
        theirs = qif.refinement.refined_by(*exact)
        assert ours == bool(theirs)
        seen.add(ours)
    assert seen == {True, False}
