# SPDX-License-Identifier: MIT
"""Universal optimality: theorems against the search, witnesses from first principles, capacities against a
second route.
"""

from __future__ import annotations

import random
from fractions import Fraction as F
from itertools import product

import pytest

from exactdp import geometric, neighbours, uniform
from exactdp.analysis.leakage import CAPACITIES, capacity, type_capacity
from exactdp.analysis.types import universal
from exactdp.analysis.types.kernels import kernel_mechanisms
from exactdp.analysis.types.universal import is_universally_optimal, universally_optimal_mechanism, utility_set
from exactdp.analysis.types.universal_levels import universal_by_level
from exactdp.analysis.types.universal_priors import kinks
from exactdp.analysis.types.vertices import posterior_polytope
from exactdp.analysis.verdict import Decision
from exactdp.certificate import certify
from exactdp.checker import check_bytes
from exactdp.errors import CertificateError, InputError, LabelError, ResourceLimitError
from exactdp.exact import Rational, RationalFunctionField
from exactdp.model import Graph, Loss, Mechanism, PrivacyLevel
from exactdp.search.tight_solutions import best_mixture
from proofs.fernandes_metric_privacy.table import predicted, rows


def least(columns, loss, prior):
    """Σ_y min_g Σ_x π_x l(x,g) M_xy with fractions."""
    return sum(min(sum(p * row[g] * x for p, row, x in zip(prior, loss, c, strict=True)) for g in range(len(loss[0]))) for c in columns)


def as_fractions(matrix):
    return [[F(str(x)) for x in row] for row in matrix.rows()]


def best(near, level, loss, prior):
    """The least loss of a mechanism of the type, by the linear program over vertices."""
    rays = posterior_polytope(near, level).rays
    table = as_fractions(loss.matrix)
    costs = [Rational(str(least([[F(str(x)) for x in ray]], table, prior))) for ray in rays]
    return F(str(best_mixture(rays, costs)[2]))


@pytest.mark.slow
@pytest.mark.parametrize(("loss", "n"), [("zero-one", 2), ("zero-one", 3), ("zero-one", 4), ("distance", 3)])
def test_priors_are_found_exactly_where_predicted(loss, n):
    for row in rows(loss, n, n):
        assert row.verdict.proved == (Rational(row.level) <= predicted(row.graph, loss)), (row.graph.edges, row.level)
        assert row.verdict.proved or row.verdict.evidence.rule == "priors"


@pytest.mark.parametrize(("spec", "level"), [("star:4", "1/2"), ("star:4", "1/3"), ("star:5", "1/4"), ("path:4", "3/5")])
def test_proved_mechanisms_are_best_for_random_priors(spec, level):
    near = neighbours(spec)
    loss = Loss.zero_one(near.vertices)
    M = universally_optimal_mechanism(near, level, loss).evidence.mechanism
    columns = [list(c) for c in zip(*as_fractions(M.matrix), strict=True)]
    rnd = random.Random(7)
    for _ in range(15):
        prior = [F(rnd.randint(0, 6)) for _ in near.vertices]
        if any(prior):
            assert least(columns, as_fractions(loss.matrix), prior) == best(near, level, loss, prior)


def test_the_tree_theorem_needs_its_condition():
    """Without the theorems the search finds the same answers, by kinks."""
    near = neighbours("star:4")
    loss = Loss.zero_one(near.vertices)
    verdict = universally_optimal_mechanism(near, "1/2", loss, theorems=False, tries=60)
    assert verdict.proved
    assert verdict.evidence.rule == "kinks"
    assert universally_optimal_mechanism(near, "51/100", loss, theorems=False, tries=200).refuted


def test_refuted_priors_really_conflict():
    near = neighbours("cycle:4")
    loss = Loss.zero_one(near.vertices)
    e = universally_optimal_mechanism(near, "1/2", loss, theorems=False).evidence
    table = as_fractions(loss.matrix)
    priors = [[F(str(p)) for p in prior] for prior in e.priors]
    optima = [best(near, "1/2", loss, prior) for prior in priors]
    rays = posterior_polytope(near, "1/2").rays
    together = [sum(least([[F(str(x)) for x in ray]], table, prior) for prior in priors) for ray in rays]
    combined = F(str(best_mixture(rays, [Rational(str(c)) for c in together])[2]))
    assert combined > sum(optima)
    for mechanism, prior, value in zip(e.better, priors, optima, strict=True):
        loss_there = sum(
            p * x
            for p, row, mine in zip(prior, table, as_fractions(mechanism.matrix), strict=True)
            for x in [sum(a * b for a, b in zip(row, mine, strict=True))]
        )
        assert loss_there == value


def test_kinks_split_the_simplex_where_the_loss_bends():
    """U is linear on segments inside one cone: at any midpoint of two kinks of a common cone U is the mean,
    and U is concave elsewhere.
    """
    M = geometric(2, "1/2")
    loss = Loss.zero_one(range(3))
    points = list(kinks(M, loss))
    assert len(points) > 5
    columns = [list(c) for c in zip(*as_fractions(M.matrix), strict=True)]
    table = as_fractions(loss.matrix)
    bends = 0
    for p, q in product(points, points):
        a, b = least(columns, table, p), least(columns, table, q)
        middle = least(columns, table, [x + y for x, y in zip(p, q, strict=True)])
        assert middle >= a + b
        bends += middle > a + b
    assert bends > 0
    with pytest.raises(ResourceLimitError):
        list(kinks(M, loss, limit=3))


def test_undecided_is_an_answer(monkeypatch):
    monkeypatch.setattr(universal, "kinks", lambda m, loss, **told: kinks(m, loss, limit=1))
    near = neighbours("path:3")
    verdict = universally_optimal_mechanism(near, "1/2", Loss.zero_one(near.vertices), theorems=False, tries=3)
    assert verdict.decision.value == "undecided"


def test_wrong_questions():
    near = neighbours("path:3")
    with pytest.raises(LabelError):
        universally_optimal_mechanism(near, "1/2", Loss.zero_one(range(4)))
    with pytest.raises(InputError, match=r"not \(α = 1/2\)-private"):
        is_universally_optimal(Mechanism([[1, 0], [0, 1], [0, 1]]), near, "1/2", Loss.zero_one(near.vertices))
    with pytest.raises(InputError, match="no capacity"):
        capacity(uniform(range(2)), "other")


@pytest.mark.parametrize("spec", ["path:3", "complete:4", "cycle:4", "star:4", "grid:2x3"])
@pytest.mark.parametrize("kind", CAPACITIES)
def test_type_capacities_by_the_vertices(spec, kind):
    """Σ w_v max v (or min) is linear in the weights: the same value by another linear program."""
    near = neighbours(spec)
    rays = posterior_polytope(near, "1/3").rays
    sign = -1 if kind == "multiplicative" else 1
    extreme = max if kind == "multiplicative" else min
    _, _, value = best_mixture(rays, [sign * extreme(ray) for ray in rays])
    found = type_capacity(near, "1/3", kind).evidence
    assert found.value == (-value if kind == "multiplicative" else 1 - value)
    assert capacity(found.mechanism, kind).evidence.value == found.value


def test_closed_forms_for_every_level():
    a = RationalFunctionField().gen
    for n in (2, 3, 4, 5):
        assert type_capacity(Graph.path(n), a).evidence.value == (n - (n - 2) * a) / (1 + a)
        assert type_capacity(neighbours(f"complete:{n}"), a, "additive").evidence.value == (n - 1) * (1 - a) / (n - 1 + a)
    assert type_capacity(neighbours("hypercube:3"), a).evidence.value == 8 / (1 + a) ** 3


def test_the_star_at_every_level():
    """Yes up to 1/2, no above; each piece's priors again have no common optimum at a level of the piece, by
    the program at that level.
    """
    star = neighbours("star:4")
    loss = Loss.zero_one(star.vertices)
    verdict = universal_by_level(star, loss)
    assert verdict.refuted
    assert all(yes is (piece.upper <= Rational(1, 2)) for piece, (yes, _) in verdict.evidence.pieces)
    for piece, (yes, _) in verdict.evidence.pieces:
        if not piece.is_point:
            assert universally_optimal_mechanism(star, piece.sample(), loss).proved is yes
    assert check_bytes(certify(verdict).to_json().encode()).status == "accepted"


def test_a_prior_that_was_served_is_asked_again():
    """With ``only``, the three priors that exclude one another do so in any order, even if the first mixture
    serves the third.
    """
    star = neighbours("star:4")
    loss = Loss.zero_one(star.vertices)
    first = universally_optimal_mechanism(star, "7/10", loss)
    again = universally_optimal_mechanism(star, "7/10", loss, only=first.evidence.numbers)
    assert first.refuted
    assert again.refuted
    assert set(again.evidence.numbers) <= set(first.evidence.numbers)


def test_time_limits_leave_the_question_open():
    star = neighbours("star:5")
    loss = trivial_or_not(star)
    verdict = universally_optimal_mechanism(star, "3/5", loss, time_limit=0)
    assert verdict.decision.value == "undecided"
    assert "time limit" in verdict.claim
    assert is_universally_optimal(uniform(star.vertices), star, "3/5", trivial_or_not(star), time_limit=0).decision.value == "undecided"
    every = universal_by_level(star, loss, time_limit=0)
    assert every.decision.value == "undecided"
    assert [yes for yes, _ in every.evidence.pieces.values] == [None]
    with pytest.raises(CertificateError, match="undecided"):
        certify(every)


def trivial_or_not(near):
    """A loss with three guesses along no path."""
    return Loss([[x % 3, (x + 1) % 3, (x * x) % 3] for x in range(len(near.vertices))], near.vertices)


@pytest.mark.slow
def test_utility_sets_against_single_answers():
    near, rnd = neighbours("path:3"), random.Random(3)
    losses = {f"l{k}": Loss([[rnd.randrange(4) for _ in range(3)] for _ in range(3)], near.vertices) for k in range(12)}
    G = geometric(2, "1/2")
    found = utility_set(G, near, "1/2", losses)
    assert found.refuted
    assert utility_set(G, near, "1/2", {"zero-one": "zero-one", "abs": "abs"}).proved
    assert [name for name, _ in found.evidence.answers] == list(losses)
    served = found.evidence.named(Decision.PROVED)
    assert 0 < len(served) < len(losses)
    for name, loss in losses.items():
        rivals = [k.mechanism for k in kernel_mechanisms(near, "1/2")]
        grid = [(i, j, 6 - i - j) for i in range(7) for j in range(7 - i)]
        table = as_fractions(loss.matrix)
        beaten = any(
            least(list(zip(*as_fractions(M.matrix), strict=True)), table, prior)
            < least(list(zip(*as_fractions(G.matrix), strict=True)), table, prior)
            for M in rivals
            for prior in grid
        )
        assert not (beaten and name in served)
    for name, verdict in found.evidence.answers:
        assert certify(verdict).kind == ("universally-optimal" if name in served else "not-universally-optimal")
    with pytest.raises(CertificateError, match="one loss"):
        certify(found)
    with pytest.raises(InputError, match="no loss"):
        utility_set(G, near, "1/2", {})


def test_an_undecided_loss_is_counted(monkeypatch):
    near = neighbours("path:3")
    odd = Loss([[0, 1], [0, 1], [0, 1]], near.vertices)
    monkeypatch.setattr(universal, "kinks", lambda m, loss, **told: kinks(m, loss, limit=0))
    found = utility_set(geometric(2, "1/2"), near, "1/2", {"odd": odd}, theorems=False, tries=2)
    assert found.decision is Decision.UNDECIDED
    assert found.evidence.named(Decision.UNDECIDED) == ("odd",)
    assert "not decided (1): odd" in found.claim
    parity = Loss([[0, 1], [1, 0], [0, 1]], near.vertices)
    found = utility_set(uniform(near.vertices), near, "1/2", {"odd": odd, "parity": parity}, theorems=False, tries=20)
    assert found.refuted
    assert "not: parity; not decided (1): odd" in found.claim


@pytest.mark.parametrize("level", [PrivacyLevel(epsilon="1"), PrivacyLevel.symbolic()])
def test_a_rational_mechanism_at_another_level_is_not_judged_by_kinks(level):
    """The checker's rule needs a rational level, too: an answer without a certificate is none."""
    near = neighbours("cycle:3")
    loss = Loss([[0, 1], [0, 1], [0, 2]], near.vertices)
    answer = is_universally_optimal(uniform(near.vertices), near, level, loss)
    assert answer.decision is Decision.UNDECIDED
    assert "rational" in answer.claim
    certify(is_universally_optimal(uniform(near.vertices), near, "1/2", loss))
