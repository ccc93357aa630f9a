# SPDX-License-Identifier: MIT
"""Symbolic levels and levels as ε: mechanisms that are private at some levels only, poles, double zeros, two
values of ε at once.
"""

from __future__ import annotations

import json

import pytest
from cli_runner import run
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp import (
    BayesianConsumer,
    ExactMatrix,
    Loss,
    Mechanism,
    MinimaxConsumer,
    Prior,
    PrivacyLevel,
    Rational,
    RationalFunctionField,
    Table,
    certify,
    geometric,
    identity,
    is_derivable,
    is_optimal,
    is_optimal_after_remap,
    is_optimal_by_level,
    is_private,
    neighbours,
)
from exactdp.analysis import best_remap, best_remap_by_level, derivable_levels, private_levels
from exactdp.errors import CertificateError, ResourceLimitError
from exactdp.exact import ExponentialField, common_field
from exactdp.mechanisms import mechanism_from_spec

FIELD = RationalFunctionField()
a = FIELD.gen
ENTRIES = [FIELD.one, FIELD.zero, a, 1 - a, a * a, (1 - 2 * a) ** 2, a / (1 + a), FIELD("1/2")]


def at(mechanism, x):
    return Mechanism([[v.evaluate(x) for v in row] for row in mechanism.rows()], mechanism.inputs, mechanism.outputs)


@st.composite
def mechanisms(draw):
    """Rows of weights over their sums, with double zeros at 1/2; a row of zeros becomes certain."""
    rows = []
    for _ in range(3):
        weights = [draw(st.sampled_from(ENTRIES)) for _ in range(3)]
        total = sum(weights, FIELD.zero)
        rows.append([w / (total if total else 1) for w in weights] if total and not total.sign_on_interval().zeros else [1, 0, 0])
    return Mechanism(ExactMatrix(rows, FIELD))


@pytest.mark.slow
@settings(max_examples=15, derandomize=True)
@given(mechanisms(), st.sampled_from(["abs", "squared", "zero-one"]), st.booleans(), st.booleans(), st.data())
def test_any_mechanism_at_any_level(mechanism, loss, after_remap, bayesian, data):
    """Private or not, optimal or not, and by how much: as at each level alone; and the kernel accepts it for
    all of them.
    """
    path = neighbours("path:3")
    kind = {"abs": Loss.absolute, "squared": Loss.squared, "zero-one": Loss.zero_one}[loss](path.vertices)
    consumer = BayesianConsumer(kind, Prior.uniform(path.vertices)) if bayesian else MinimaxConsumer(kind)
    verdict = is_optimal_by_level(mechanism, path, consumer, after_remap=after_remap)
    certify(verdict)
    judge = is_optimal_after_remap if after_remap else is_optimal
    for x in [data.draw(st.fractions(0, 1, max_denominator=50).filter(lambda x: 0 < x < 1)), Rational("1/2"), Rational("1/3")]:
        alone = judge(at(mechanism, x), path, PrivacyLevel(x), consumer)
        pieces = [found for interval, found in verdict.evidence.pieces if interval.contains(Rational(x))]
        assert pieces
        for piece in pieces:
            assert piece.optimal == alone.proved
            assert bool(piece.violated) == bool(alone.evidence.privacy.violated)
            gap = piece.gap
            assert (gap.evaluate(x) if hasattr(gap, "evaluate") else gap) == alone.evidence.gap


@pytest.mark.slow
@settings(max_examples=10)
@given(mechanisms(), st.fractions(0, 1, max_denominator=50).filter(lambda x: 0 < x < 1))
def test_the_best_remap_of_any_mechanism(mechanism, x):
    consumer = MinimaxConsumer(Loss.absolute(mechanism.inputs))
    verdict = best_remap_by_level(mechanism, consumer)
    assert verdict.evidence.value_at(x) == best_remap(at(mechanism, x), consumer).evidence.value


def test_an_entry_with_a_double_zero_parts_the_levels():
    """(1 − 2a)² ≥ 0 touches 0 at 1/2: the pieces meet there, as the checker asks for."""
    square = (1 - 2 * a) ** 2
    mechanism = Mechanism(ExactMatrix([[square / (square + a), a / (square + a)], ["1/2", "1/2"]], FIELD))
    prior = BayesianConsumer(Loss([[1, 0], [0, 1]], mechanism.inputs, mechanism.outputs), Prior.uniform(mechanism.inputs))
    verdict = best_remap_by_level(mechanism, prior)
    assert any(piece.interval.upper == Rational("1/2") for piece in verdict.evidence.pieces)
    assert certify(verdict).kind == "on-pieces"


@pytest.mark.parametrize("after_remap", [False, True])
def test_a_mechanism_that_is_nowhere_private_is_refuted_for_that(after_remap):
    path = neighbours("path:3")
    verdict = is_optimal_by_level(identity(range(3)), path, MinimaxConsumer(Loss.absolute(path.vertices)), after_remap=after_remap)
    assert verdict.refuted
    assert "not private at level α = a on (0, 1)" in verdict.claim
    claim = json.loads(certify(verdict).to_json())["claim"]
    assert {piece["claim"]["kind"] for piece in claim["pieces"]} == {"not-private"}


def test_a_fixed_mechanism_is_optimal_at_its_own_level_alone():
    path = neighbours("path:3")
    consumer = MinimaxConsumer(Loss.squared(path.vertices))
    pieces = is_optimal_by_level(geometric(2, "1/2"), path, consumer, after_remap=True).evidence.pieces
    assert [str(part) for part in pieces.where(lambda found: found.optimal)] == ["[1/2, 1/2]"]
    assert all(not part.contains(Rational("2/5")) for part in pieces.where(lambda found: found.violated))
    assert pieces.at("3/5").violated


def test_poles_inside_the_levels():
    """1/(1 − 2a) is no number at 1/2 and negative beyond: no mechanism there, and no certificate for such
    entries.
    """
    table = Table(ExactMatrix([[1 / (1 + a), a / (1 + a)], [1 - a / (2 - 4 * a), a / (2 - 4 * a)]], FIELD))
    verdict = private_levels(table, neighbours("path:2"), PrivacyLevel(a))
    for k in range(1, 40):
        x = Rational(k, 40)
        try:
            mechanism = Mechanism([[v.evaluate(x) for v in row] for row in table.matrix.rows()])
            expected = is_private(mechanism, neighbours("path:2"), PrivacyLevel(x)).proved
        except Exception:
            expected = False
        assert any(part.contains(x) for part in verdict.evidence.holds_on) == expected
    with pytest.raises(CertificateError, match="not defined at a = 1/2"):
        certify(verdict)


def test_derivability_of_what_is_no_mechanism_everywhere():
    target = Table(ExactMatrix([[1 - 2 * a, 2 * a], [2 * a, 1 - 2 * a]], FIELD))
    verdict = derivable_levels(target, source=geometric(1, a).as_table())
    assert [str(part) for part in verdict.evidence.holds_on] == ["(0, root of 2*a^2 + 2*a - 1 near 0.366025]"]
    assert certify(verdict).kind == "on-pieces"


# Two values of ε
# --------------------------------------------------------------------------------------------------


@pytest.mark.slow
@settings(max_examples=20)
@given(st.fractions("1/12", 3, max_denominator=12), st.fractions("1/12", 3, max_denominator=12))
def test_one_geometric_mechanism_is_derivable_from_another_exactly_when_it_is_more_private(x, y):
    """Gupte and Sundararajan, Lemma 3: G(n, α) from G(n, β) if and only if β ≤ α."""
    first, second = (geometric(2, PrivacyLevel.from_epsilon(e)) for e in (x, y))
    verdict = is_derivable(first, source=second)
    assert verdict.proved == (x <= y)
    certify(verdict)
    path = neighbours("path:3")
    private = is_private(first, path, PrivacyLevel.from_epsilon(y))
    assert private.proved == (x <= y)
    certify(private)
    assert (PrivacyLevel.from_epsilon(x) < PrivacyLevel.from_epsilon(y)) == (x > y)


def test_the_common_field():
    fields = [ExponentialField("1/10"), ExponentialField("1/15", roots=(1, 2)), ExponentialField(2)]
    common = common_field(*fields)
    assert common == ExponentialField("1/30", roots=(1, 2))
    assert all(common(f.gen) == common.gen ** (f.rate / common.rate).numerator for f in fields)
    with pytest.raises(ResourceLimitError):
        common_field(ExponentialField("1/999983"), ExponentialField("1/1000003"))


def test_epsilon_inside_a_word():
    assert mechanism_from_spec("geometric:n=3,epsilon=1/10") == geometric(3, PrivacyLevel.from_epsilon("1/10"))
    for word, part in {
        "geometric:n=3,alpha=1/2,epsilon=1": "one determines the other",
        "geometric:n=3,epsilon=0": "ε = 0",
        "randomized-response:n=2,keep=3/4,epsilon=1": "one determines the other",
    }.items():
        answer = run(["privacy", word])
        assert (answer.code, part in answer.err) == (3, True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("optimal geometric:n=3,epsilon=1/2 --loss abs --after-remap", 0),
        ("optimal geometric:n=3,epsilon=1/3 --epsilon 1/2 --loss abs --own-level", 1),
        ("optimal geometric:n=3,epsilon=1/2 --epsilon 1/3 --loss abs --own-level", 1),
        ("derive geometric:n=2,epsilon=1/10 --source geometric:n=2,epsilon=1/5", 0),
        ("refine geometric:n=2,epsilon=1/3 geometric:n=2,epsilon=1/2 geometric:n=2,alpha=1/3", 0),
        ("release --n 2 --epsilon 1,1/2", 0),
        ("optimal identity:n=2 --alpha symbolic --loss abs", 1),
        ("privacy uniform:n=2 --alpha symbolic", 0),
    ],
)
def test_two_levels_on_the_command_line(words, code, tmp_path):
    path = tmp_path / "c.json"
    answer = run([*words.split(), "--json", "-o", str(path)])
    assert answer.code == code, answer.err
    assert answer.json["certificate"] == str(path)
    assert run(["verify", str(path)]).code == 0


def test_formulas_at_one_level(tmp_path):
    """A table of formulas means the same at ε, at a rational level and as a function."""
    table = tmp_path / "t.csv"
    table.write_text("1/(1+a),a/(1+a)\na/(1+a),1/(1+a)\n")
    for level in (["--epsilon", "1/10"], ["--alpha", "1/10"], ["--alpha", "symbolic"]):
        assert run(["privacy", str(table), "--graph", "path", *level]).code == 0
    table.write_text("1/(1-2*a),-2*a/(1-2*a)\n0,1\n")
    assert run(["privacy", str(table), "--graph", "path", "--alpha", "symbolic"]).code == 1
    assert run(["optimal", str(table), "--graph", "path", "--alpha", "symbolic", "--loss", "zero-one"]).code == 1
    answer = run(["privacy", str(table), "--graph", "path", "--alpha", "1/2"])
    assert (answer.code, "divides by" in answer.err) == (3, True)


@pytest.mark.parametrize("epsilon", ["1e400", "10001"])
def test_too_large_an_epsilon_is_refused_at_once(epsilon):
    answer = run(["privacy", "geometric:n=2", "--epsilon", epsilon])
    assert (answer.code, "--epsilon" in answer.err) == (4, True)


def test_an_end_that_two_pieces_share_is_written_alike() -> None:
    """The root of α² + 4α − 2 is found twice, with different isolating intervals; the kernel compares the
    texts of ends.
    """
    near = neighbours("path:4")
    consumer = BayesianConsumer(
        Loss([[2, 1], [1, 2], [3, 4], [2, 0]], near.vertices, ("0", "1")), Prior([Rational(w, 5) for w in (1, 0, 2, 2)], near.vertices)
    )
    verdict = is_optimal_by_level(geometric(3, a), near, consumer, after_remap=True)
    assert any(piece.interval.is_point for piece in verdict.evidence.pieces)
    assert certify(verdict).claim["kind"] == "on-pieces"
