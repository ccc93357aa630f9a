"""What is required of a table is decided exactly: at the bound, beside it, and where nothing is known."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactdp as xdp
from exactdp.analysis.policy import Policy
from exactdp.analysis.required import decided_requirements
from exactdp.analysis.requirement import Requirement, requirements_of
from exactdp.errors import ExactDPError, InputError
from exactdp.exact import Rational

CLAIM = xdp.PrivacyClaim(epsilon=2)


def statuses(table, *require, near="path", **more):
    verdict = xdp.audit(table, near, require=list(require), **more)
    found = verdict.evidence.requirements
    expected = "refuted" if any(one.status == "fails" for one in found) else "proved"
    if all(one.status != "undecided" for one in found):
        assert verdict.decision == expected
    return [one.status for one in found]


QUARTER = xdp.geometric(3, "1/4")  # its smallest ε is ln 4 = 1.386294361119890618834464…


@pytest.mark.parametrize(
    ("require", "status"),
    [
        ("epsilon <= ln(4)", "holds"),
        ("epsilon < ln(4)", "fails"),
        ("epsilon <= ln(16)/2", "holds"),
        ("epsilon < 2 ln 2", "fails"),
        ("ε ≤ ln(400000001/100000000)", "holds"),
        ("epsilon <= ln(399999999/100000000)", "fails"),
        ("alpha >= 1/4", "holds"),
        ("alpha > 1/4", "fails"),
        ("alpha > 0.2499999999999999999999", "holds"),
        ("epsilon <= 1.386294361119890618834465", "holds"),
        ("epsilon <= 1.386294361119890618834464", "fails"),
    ],
)
def test_an_epsilon_is_compared_exactly(require, status):
    assert statuses(QUARTER, require) == [status]


@pytest.mark.parametrize(("sign", "status"), [("<=", "holds"), ("<", "fails")])
def test_a_rational_epsilon_is_met_exactly(sign, status):
    """The table that is made for ε = 1 has the level e^(−1), which no fraction is."""
    table = xdp.geometric(2, xdp.PrivacyLevel(epsilon=1))
    assert statuses(table, f"epsilon {sign} 1") == [status]
    assert statuses(table, "epsilon <= 0.9999999999999999999999") == ["fails"]
    assert statuses(table, "epsilon < 1.0000000000000000000001") == ["holds"]


def test_a_table_of_doubles_for_one_fails_by_its_last_digit():
    """ε is 1.0000000000000002 as doubles: the pure bound fails, with a δ it holds."""
    floats = [[0.7310585786300049, 0.2689414213699951], [0.26894142136999505, 0.7310585786300049]]
    table = xdp.from_floats(floats)
    assert statuses(table, "epsilon <= 1") == ["fails"]
    assert statuses(table, "epsilon <= 1", "delta <= 1e-15") == ["holds", "holds"]


def test_an_epsilon_and_a_delta_are_one_statement():
    """(ε, δ)-private: the least δ of {3/4, 1/4} against {1/4, 3/4} at ε = ln 2 is 3/4 − 2·1/4 = 1/4."""
    table = [["3/4", "1/4"], ["1/4", "3/4"]]
    assert statuses(table, "epsilon <= ln(2)", "delta <= 1/4") == ["holds", "holds"]
    assert statuses(table, "epsilon <= ln(2)", "delta < 1/4") == ["holds", "fails"]
    assert statuses(table, "epsilon < ln(2)", "delta <= 1/4") == ["fails", "holds"]
    assert statuses(table, "epsilon <= ln(2)", "delta <= 0.24999") == ["fails", "fails"]
    found = xdp.audit(table, "path", require=["epsilon <= ln(2)", "delta <= 1/4"]).evidence.requirements
    assert [str(one.exact) for one in found] == ["ln(2)", "1/4"]
    assert found[1].compared == Rational("1/4")


def test_without_a_delta_it_is_pure_whatever_is_claimed():
    table = [["3/4", "1/4"], ["1/4", "3/4"]]
    claim = xdp.PrivacyClaim(epsilon="ln 2", delta="1/4")
    verdict = xdp.audit(table, "path", claim=claim, require=["epsilon <= ln(2)"])
    assert verdict.evidence.claim_holds
    assert verdict.refuted
    assert verdict.evidence.requirements[0].about == "the smallest ε beside δ = 0"
    assert statuses(table, "delta <= 1/4", claim=claim) == ["holds"]  # at the claimed ε


@given(st.lists(st.integers(1, 30), min_size=4, max_size=4), st.fractions(Fraction(1, 50), 4), st.booleans())
def test_bounds_on_alpha_are_those_of_ratios(weights, bound, strict):
    """Against the ratios of a table of two inputs, by fractions."""
    a, b, c, d = weights
    rows = [[Fraction(a, a + b), Fraction(b, a + b)], [Fraction(c, c + d), Fraction(d, c + d)]]
    pairs = [(rows[0][k], rows[1][k]) for k in (0, 1)]
    tightest = min(min(x / y, y / x) for x, y in pairs)
    alpha = min(bound, 1 / bound)
    if alpha == 1:
        return
    kept = tightest > alpha if strict else tightest >= alpha
    table = [[str(x) for x in row] for row in rows]
    assert statuses(table, f"alpha {'>' if strict else '>='} {alpha}") == ["holds" if kept else "fails"]
    assert statuses(table, f"epsilon {'<' if strict else '<='} ln({1 / alpha})") == ["holds" if kept else "fails"]


def test_a_gap_is_compared_at_its_bound():
    """The loss as deployed is 25/224 of the least loss above it (168/415 of the optimum, 9/20 deployed)."""
    who = {"consumers": [xdp.MinimaxConsumer("abs")]}
    (found,) = xdp.audit(QUARTER, "path", require=["gap <= 5%"], **who).evidence.requirements
    share = (Fraction(9, 20) - Fraction(168, 415)) / Fraction(168, 415)
    assert Fraction(int(found.exact.numerator), int(found.exact.denominator)) == share
    assert statuses(QUARTER, f"gap <= {share * 100}%", **who) == ["holds"]
    assert statuses(QUARTER, f"gap < {share * 100}%", **who) == ["fails"]
    assert statuses(QUARTER, f"gap <= {Fraction(9, 20) - Fraction(168, 415)}", **who) == ["holds"]
    assert statuses(QUARTER, f"gap < {Fraction(9, 20) - Fraction(168, 415)}", **who) == ["fails"]
    assert statuses(QUARTER, "gap after remap <= 0", **who) == ["holds"]
    assert statuses(QUARTER, "gap after remap < 0%", **who) == ["fails"]


def test_a_gap_is_asked_of_each_consumer_at_each_level():
    who = [xdp.MinimaxConsumer("abs"), xdp.BayesianConsumer("abs")]
    found = xdp.audit(QUARTER, "path", claim=xdp.PrivacyClaim(alpha="1/5"), consumers=who, require=["gap <= 5%"]).evidence
    assert len(found.requirements) == 4
    assert len({one.about for one in found.requirements}) == 4


def test_outputs_that_are_no_guesses_leave_the_gap_undecided():
    table = xdp.Table([["2/3", "1/3"], ["1/3", "2/3"]], ["0", "1"], ["no", "yes"])
    verdict = xdp.audit(table, "path", consumers=[xdp.MinimaxConsumer("abs")], require=["gap <= 5%", "gap after remap <= 5%"])
    assert [one.status for one in verdict.evidence.requirements] == ["undecided", "holds"]
    assert verdict.decision == "undecided"
    assert "no guesses" in verdict.evidence.requirements[0].reason


def bounded(lower, upper, loss):
    """An audit whose optimum is known to lie between two numbers only."""
    made = xdp.audit(QUARTER, "path", consumers=[xdp.MinimaxConsumer("abs")]).evidence
    (entry,) = made.consumers
    evidence = replace(
        entry.deployed.evidence, least_loss=None, least_loss_bounds=(Rational(lower), Rational(upper)), loss=Rational(loss), gap=None
    )
    deployed = replace(entry.deployed, evidence=evidence, decision=xdp.Decision.UNDECIDED)
    return replace(made, consumers=(replace(entry, deployed=deployed),))


@pytest.mark.parametrize(
    ("require", "status"),
    [
        ("gap <= 1/2", "holds"),  # the gap lies in [1/4, 1/2]
        ("gap < 1/2", "undecided"),
        ("gap < 1/4", "fails"),
        ("gap <= 1/4", "undecided"),
        ("gap < 0.2499", "fails"),
        ("gap <= 100%", "holds"),  # its share in [1/3, 1]
        ("gap < 100%", "undecided"),
        ("gap <= 33%", "fails"),
    ],
)
def test_an_interval_decides_where_all_of_it_does(require, status):
    (found,) = decided_requirements(bounded("1/2", "3/4", 1), requirements_of([require]))
    assert found.status == status
    assert found.exact is None
    assert [str(x) for x in found.bounds] == (["1/3", "1"] if "%" in require else ["1/4", "1/2"])


def test_a_least_delta_in_no_field_is_decided_by_its_bounds():
    """ε = 0.49999 beside numbers of ε = 1/2 has no common field that is built."""
    table = xdp.geometric(2, xdp.PrivacyLevel(epsilon="1/2"))
    require = ["epsilon <= 0.49999", "delta <= 1/2"]
    assert statuses(table, *require) == ["holds", "holds"]
    assert statuses(table, "epsilon <= 0.49999", "delta < 1e-9") == ["fails", "fails"]


def test_a_wrong_table_keeps_nothing():
    verdict = xdp.audit([["1/2", "1/3"], ["1/2", "1/2"]], "path", require=["epsilon <= 100", "delta <= 1"])
    assert [one.status for one in verdict.evidence.requirements] == ["fails", "fails"]


def test_a_rounded_table_is_judged_as_the_mechanism_that_it_stands_for_and_says_so():
    rows = [["0.66666666666666", "0.33333333333333"], ["0.33333333333333", "0.66666666666667"]]
    verdict = xdp.audit(rows, "path", require=["epsilon <= 0.7"])
    assert verdict.proved
    assert "rounded" in verdict.claim


def test_what_the_time_limit_left_is_undecided_and_never_kept():
    verdict = xdp.audit(xdp.geometric(40, "1/4"), "path", consumers=[xdp.MinimaxConsumer("abs")], require=["gap <= 5%"], time_limit=0)
    assert verdict.decision == "undecided"
    assert {one.status for one in verdict.evidence.requirements} == {"undecided"}


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["epsilon >= 1"], "wrong side"),
        (["alpha <= 1/2"], "wrong side"),
        (["utility <= 1"], "not understood"),
        (["epsilon = 1"], "not understood"),
        (["epsilon <= 1 <= 2"], "not understood"),
        (["epsilon <= one"], "epsilon <= one"),
        (["epsilon <= -1"], "epsilon <= -1"),
        (["delta <= 2"], "not in [0, 1]"),
        (["delta <= 1%"], "only a gap"),
        (["gap <= -1%"], "never below 0"),
        (["alpha >= 2"], "alpha >= 2"),
        (["epsilon <= 1", "alpha > 1/2"], "one quantity"),
        (["gap <= 1%", "gap <= 2%"], "one quantity"),
        ("epsilon <= 1", "a list of requirements"),
        ([1], "requirement"),
    ],
)
def test_what_is_no_requirement_gets_one_sentence(texts, said):
    with pytest.raises(ExactDPError) as caught:
        requirements_of(texts)
    assert said in caught.value.message
    assert "\n" not in caught.value.message


def test_a_delta_without_an_epsilon_and_a_gap_without_a_consumer_are_refused():
    for require in (["delta <= 1e-6"], ["gap <= 5%"]):
        with pytest.raises(InputError):
            xdp.audit(QUARTER, "path", require=require)


def test_a_requirement_is_written_as_it_is_read():
    for text in ("epsilon <= ln(3)/2", "delta < 1e-6", "gap <= 5%", "gap after remap < 1/100", "alpha > 0.25"):
        assert str(Requirement.parse(text)) == text
        assert Requirement.parse(str(Requirement.parse(text))) == Requirement.parse(text)


# --- Policies ---

POLICY = """
version = 1
title = "Counts"
neighbours = "path"
require = ["epsilon <= 2", "delta <= 1e-6", "gap after remap <= 5%"]

[[consumers]]
loss = "abs"
prior = "uniform"

[[consumers]]
loss = "loss.csv"
side_information = "0..1"
"""


def test_a_policy_says_what_must_be_judged(tmp_path):
    (tmp_path / "policy.toml").write_text(POLICY)
    (tmp_path / "loss.csv").write_text("0,1,2,3\n1,0,1,2\n2,1,0,1\n3,2,1,0\n")
    verdict = xdp.audit(QUARTER, policy=tmp_path / "policy.toml")
    assert verdict.proved
    assert str(verdict.neighbours) == "path:4"
    assert [entry.consumer.measure.word for entry in verdict.evidence.consumers] == ["loss", "loss"]
    assert [one.status for one in verdict.evidence.requirements] == ["holds"] * 4
    both = xdp.audit(QUARTER, policy=str(tmp_path / "policy.toml"), require=["gap <= 1%"])
    assert both.refuted
    with pytest.raises(InputError):
        xdp.audit(QUARTER, "complete", policy=tmp_path / "policy.toml")
    with pytest.raises(InputError):
        xdp.audit(QUARTER, policy=tmp_path / "policy.toml", require=["epsilon < 1"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('require = ["epsilon <= 1"]', "has no version"),
        ('version = 2\nrequire = ["epsilon <= 1"]', "has version 2, and this program knows version 1; take the release"),
        ('version = true\nrequire = ["epsilon <= 1"]', "has version True"),
        ('version = 1\nrequires = ["epsilon <= 1"]', "'requires', which is not known"),
        ('version = 1\nrequire = ["gap <= 5%"]', "names no consumer"),
        ('version = 1\nrequire = "epsilon <= 1"', "give a list"),
        ("version = 1", "requires nothing"),
        ('version = 1\nrequire = ["epsilon <= 1"]\n[[consumers]]\nprior = "uniform"', "has no loss"),
        ('version = 1\n[[consumers]]\nloss = "abs"\nprior = "uniform"\nside_information = "0"', "leave one of them out"),
        ('version = 1\n[[consumers]]\nloss = "abs"\npriors = "uniform"', "'priors', which is not known"),
        ("version = 1\nrequire = [", "is no TOML"),
        ('version = 1\nrequire = ["epsilon > 1"]', "wrong side"),
        ("version = 1\nneighbours = 3", "give a text"),
        ("version = 1\nconsumers = 3", "a block"),
    ],
)
def test_a_policy_that_says_something_else_is_refused_in_one_sentence(tmp_path, text, said):
    (tmp_path / "policy.toml").write_text(text)
    with pytest.raises(ExactDPError) as caught:
        Policy.read(tmp_path / "policy.toml")
    assert said in caught.value.message
    assert "policy" in caught.value.message
    assert "\n" not in caught.value.message


def test_the_answer_without_requirements_is_as_before():
    assert xdp.audit(QUARTER, "path", claim=CLAIM) == xdp.audit(QUARTER, "path", claim=CLAIM, require=[])
    kept = xdp.audit(QUARTER, "path", claim=CLAIM, require=["epsilon <= 2"])
    assert kept.evidence.of_claim == xdp.audit(QUARTER, "path", claim=CLAIM)
