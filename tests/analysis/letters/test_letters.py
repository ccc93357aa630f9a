# SPDX-License-Identifier: MIT
"""What an answer over letters says and shows, and what builds on one."""

from __future__ import annotations

import json

import pytest
import sympy

import exactdp as xdp
from exactdp import ExactMatrix, Mechanism, MinimaxConsumer, Prior, PrivacyLevel, Rational, Region, RegionField, Table, certify, conditions
from exactdp.analysis.letters import statement as statements
from exactdp.analysis.letters.requirements import small_points
from exactdp.analysis.optimality.optimality_with_letters import Broken
from exactdp.analysis.verdict import Decision
from exactdp.errors import CertificateError, DomainError, InputError
from exactdp.exact.region_functions import RegionFunction
from exactdp.report.html import html_of
from exactdp.report.latex import verdict_latex
from exactdp.report.registry import verdict_json
from exactdp.report.text import verdict_text

SQUARE = Region({"p": "(0, 1/2)", "q": "(0, 1/2)"})
F = RegionField(SQUARE)
p, q = F.gens
RESPONSE = Table([[1 - p, p], [q, 1 - q]])
STAR = xdp.neighbours("star:4")


def asked():
    """A proved and a refuted answer to every question, and what fails everywhere."""
    flip = Table([[1 - p, p], [p, 1 - p]])
    yield xdp.is_stochastic(RESPONSE), True
    yield xdp.is_stochastic([[p - q, 1 - p + q]]), False
    yield xdp.is_stochastic([[p, q]]), False
    yield xdp.is_private(RESPONSE, "path", p * q), True
    yield xdp.is_private(RESPONSE, "path", "1/2"), False
    yield xdp.is_private([[1 - p, p], [p / 8, 1 - p / 8]], "path", "1/2"), False
    yield xdp.is_derivable(flip, source=flip), True
    yield xdp.is_derivable(RESPONSE, source=flip), False
    yield xdp.tight_mechanism(STAR, p), True
    yield xdp.tight_mechanism(STAR, 2 * p), False
    yield xdp.tight_mechanism(STAR, (1 + p) / 2), False
    yield xdp.is_regular("path:3", p, Prior([F("1/3")] * 3)), True
    yield xdp.is_regular("path:3", p, Prior([p, q, 1 - p - q])), False
    yield xdp.is_singular("path:3", p), False


@pytest.mark.parametrize(("verdict", "yes"), list(asked()))
def test_an_answer_says_its_region_and_is_shown_everywhere(verdict, yes):
    assert verdict.proved is yes
    assert verdict.refuted is not yes
    assert str(SQUARE) in verdict.claim
    assert str(SQUARE) in str(verdict.scope)
    assert str(SQUARE) in verdict_text(verdict)
    assert json.loads(json.dumps(verdict_json(verdict)))["region"] == str(SQUARE)
    assert "0 &lt; p &lt; 1/2" in html_of(verdict)
    assert verdict_latex(verdict)
    assert repr(verdict).startswith("<Verdict")
    certificate = certify(verdict)
    point = verdict.evidence.point
    region = certificate.definitions["region"]
    if yes:
        assert point is None
        assert "inside" in region
        return
    assert SQUARE.contains(point)
    everywhere = verdict.evidence.nowhere is not None
    assert ("at" in region) is not everywhere
    assert verdict.claim.lower().startswith("at no point" if everywhere else "at p =")
    if not everywhere:
        assert region["at"] == [str(x) for x in point.values()]


def test_a_level_that_is_a_formula_stands_in_brackets():
    flip = [[1 - p, p], [p, 1 - p]]
    assert "(α = p/(-p + 1))-private" in xdp.is_private(flip, "path", p / (1 - p)).claim
    assert "(α = p)-private" in xdp.is_private(flip, "path", PrivacyLevel(p)).claim
    assert " (α = 1/9)-private (ε = ln(9) ≈ 2.197225)" in xdp.is_private([[1 - p / 4, p / 4], [p / 4, 1 - p / 4]], "path", F("1/9")).claim


def test_the_conditions_in_sympy_and_latex():
    found = conditions(xdp.is_private, RESPONSE, "path", "1/2")
    x, y = sympy.symbols("p q")
    expected = sympy.And(x + 2 * y - 1 >= 0, 2 * x + y - 1 >= 0)
    assert found.as_sympy() == expected
    for k in range(1, 6):
        for j in range(1, 6):
            point = {"p": Rational(k, 12), "q": Rational(j, 12)}
            assert bool(expected.subs({x: sympy.Rational(k, 12), y: sympy.Rational(j, 12)})) == found.holds(point)
    assert found._repr_latex_() == r"$p + 2 q \ge 1 \wedge 2 p + q \ge 1$"
    assert "alone fails at" in html_of(found)
    assert conditions(xdp.is_stochastic, RESPONSE).as_sympy() == sympy.true
    assert conditions(xdp.is_stochastic, [[p, q]]).as_sympy() == sympy.false


def test_what_is_neither_shown_nor_refuted_is_undecided(monkeypatch):
    """Where neither a proof nor a point is found, the answer says what is open, and has no certificate."""
    from exactdp.analysis.letters import requirements

    blind = {"sign": None, "strict": False, "lemmas": (), "positive": None, "negative": None, "zero": None}
    unknown = type("Unknown", (), blind)()
    monkeypatch.setattr(RegionFunction, "sign_on_region", lambda self: unknown)
    monkeypatch.setattr(requirements, "sampled", lambda f: {})
    verdict = xdp.is_stochastic(RESPONSE)
    assert verdict.decision is Decision.UNDECIDED
    assert "x[0][0] ≥ 0" in verdict.claim
    assert str(SQUARE) in verdict.claim
    with pytest.raises(CertificateError, match="undecided"):
        certify(verdict)
    assert verdict_text(verdict)


def test_an_undecided_privacy_proves_nothing_else(monkeypatch):
    def undecided(mechanism, neighbours, level, **_):
        return xdp.Verdict(Decision.UNDECIDED, "not known", None)

    flip = Mechanism([[1 - p, p], [p, 1 - p]])
    monkeypatch.setattr("exactdp.analysis.optimality.mechanism_optimality.privacy_at", undecided)
    monkeypatch.setattr("exactdp.analysis.optimality.mechanism_optimality.broken_constraint", lambda *_: Broken("a constraint", None))
    verdict = xdp.is_optimal_after_remap(flip, "path", p / (1 - p), MinimaxConsumer("zero-one"))
    assert verdict.decision is Decision.UNDECIDED
    with pytest.raises(InputError, match="private mechanisms"):
        xdp.gap_between(flip, "path", p / (1 - p), MinimaxConsumer("zero-one"))


def test_no_bound_follows_from_a_mechanism_that_is_not_there():
    assert xdp.leakage_bound(STAR, p).proved
    for level in (2 * p, (1 + p) / 2):
        tight = xdp.tight_mechanism(STAR, level)
        assert tight.refuted
        assert tight.evidence.diagonal is None
        assert tight.evidence.mechanism is None
        assert not xdp.leakage_bound(STAR, level).proved
        assert not xdp.is_tight_unique(STAR, level).proved
    not_regular = Prior([p, q, 1 - p - q])
    assert not xdp.utility_bound("path:3", p, not_regular).proved
    assert xdp.is_regular("path:3", p, not_regular).evidence.weights is None
    assert xdp.is_derivable(RESPONSE, source=[[1 - p, p], [p, 1 - p]]).evidence.remap is None


def test_questions_about_numbers_say_so():
    with pytest.raises(DomainError, match="is_derivable"):
        xdp.refinement_order({"A": RESPONSE, "B": RESPONSE})
    with pytest.raises(DomainError, match="numbers"):
        xdp.audit(RESPONSE, "path")
    with pytest.raises(DomainError, match="without letters"):
        conditions(xdp.is_private, [["1/2", "1/2"], ["1/3", "2/3"]], "path", "1/2")
    with pytest.raises(InputError, match="missing a required argument"):
        conditions(xdp.is_private, RESPONSE)
    with pytest.raises(InputError, match="no number for q"):
        conditions(xdp.is_private, RESPONSE, "path", "1/2").holds({"p": "1/3"})
    with pytest.raises(InputError, match="question"):
        conditions("is_private", RESPONSE)
    with pytest.raises(DomainError, match="irrational"):
        xdp.is_private(Table(RESPONSE.matrix, ["a", "b"]), xdp.Metric(["a", "b"], [(0, 1, "sqrt(2)")]), "1/2")


def test_small_points_are_in_the_region_and_small_first():
    region = Region({"p": "(0, 1)", "q": "(0, 1)"}, where=["p + q > 1", "p^2 + q^2 < 1"])
    points = [point for point, _ in zip(small_points(region), range(50), strict=False)]
    assert points
    assert all(region.contains(point) for point in points)
    sizes = [sum(x.numerator + x.denominator for x in point.values()) for point in points]
    assert sizes == sorted(sizes)


def test_a_wrong_answer_at_a_point_is_noticed():
    """The two routes, requirements and the question about numbers, must agree."""
    from exactdp.analysis.letters.tables import stochastic_statement
    from exactdp.errors import DefectiveAnswerError

    statement = stochastic_statement(Table(ExactMatrix([[p - q, 1 - p + q]])))
    yes = xdp.is_stochastic([["1/2", "1/2"]])
    with pytest.raises(DefectiveAnswerError, match="should not"):
        statements.answered(statement, lambda point: yes)


def test_what_is_required_at_every_point_names_the_point_where_it_fails():
    flip = Mechanism([["1-p", "p"], ["p", "1-p"]], letters="0 < p < 1/2")
    with pytest.raises(InputError, match=r"at every point of its letters' region: At p = "):
        xdp.is_kernel_mechanism(flip, "path", "1/2")


@pytest.mark.parametrize(("given", "words"), [({"epsilon": "ln 2"}, "ε = ln(2)"), ({"level": "1/2"}, "α = 1/2")])
def test_a_level_is_told_over_letters_as_it_was_given(given, words):
    flips = xdp.matrix([["1-p", "p"], ["q", "1-q"]], letters="0 < p < 1/2, 0 < q < 1/2")
    verdict = xdp.is_private(flips, "path", **given)
    assert verdict.refuted
    assert f"not private at {words}" in str(verdict).splitlines()[0]
    assert f"not ({words})-private" in verdict.claim
