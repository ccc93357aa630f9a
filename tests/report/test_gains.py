"""A gain's answers say utilities, in the gain's own numbers: text, JSON, HTML, LaTeX, pictures, sentences.

The oracle is the shift: 1 − (zero-one loss) is the zero-one gain, so that under a prior every utility is 1
minus the loss that is told without a gain, and every gap is the same.
"""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from cli_runner import run, write_rows

import exactdp as xdp
from exactdp.report.html import verdict_html
from exactdp.report.latex import pieces_latex
from exactdp.report.text import verdict_text

GAIN = [["2", "1", "0"], ["1", "2", "1"], ["0", "1", "2"]]
WORDS = [
    "optimal geometric:n=2,alpha=1/2",
    "optimal geometric:n=2,alpha=1/2 --after-remap",
    "optimal geometric:n=2,alpha=1/2 --alpha 2/3 --own-level",
    "optimal --graph path:3 --alpha 1/2 --unique",
    "optimal --graph cycle:4 --alpha 1/2",
    "remap geometric:n=2,alpha=1/2",
    "remap geometric:n=2,alpha=1/2 --unique",
    "remap geometric:n=2,alpha=1/2 --remap merged.csv",
]


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "merged.csv", [[1, 0, 0], [1, 0, 0], [0, 0, 1]])
    write_rows(tmp_path / "g.csv", GAIN)
    return tmp_path


GAIN_OF_TWO = [[2, -1], [0, 3]]


def by_hand(mechanism, gain, weights=None):
    """The expected gain of a deployed mechanism: under weights, or for the least favourable input."""
    x = [[Fraction(str(entry)) for entry in row] for row in mechanism.rows()]
    rows = [sum(Fraction(g) * p for g, p in zip(gains, row, strict=True)) for gains, row in zip(gain, x, strict=True)]
    return min(rows) if weights is None else sum(Fraction(w) * row for w, row in zip(weights, rows, strict=True))


def test_the_value_of_the_evidence_is_what_the_sentence_says():
    """Each evidence that has a value of a gain, against the expected gain of what it gives, by hand."""
    consumer = xdp.MinimaxConsumer(xdp.Gain(GAIN_OF_TWO))
    verdict = xdp.optimum("path:2", "1/2", consumer)
    best = by_hand(verdict.evidence.best, GAIN_OF_TWO)
    assert Fraction(str(verdict.evidence.value)) == best > 0
    assert str(verdict.evidence.least_loss) == f"-{best}"
    assert verdict.claim.endswith(f"is {best}")
    assert xdp.is_optimum_value("path:2", "1/2", consumer, verdict.evidence.value).evidence.value == verdict.evidence.value
    remap = xdp.best_remap("geometric:n=1,alpha=1/2", consumer)
    after = xdp.mechanism_from_spec("geometric:n=1,alpha=1/2").post_process(remap.evidence.remap)
    assert Fraction(str(remap.evidence.value)) == by_hand(after, GAIN_OF_TWO)
    assert f" is {remap.evidence.value}, attained by a " in remap.claim
    for alone in (xdp.is_optimum_unique("path:2", "1/2", consumer), xdp.is_remap_unique("geometric:n=1,alpha=1/2", consumer)):
        assert alone.evidence.value == -alone.evidence.least_loss > 0
        assert str(alone.evidence.value) in str(alone)
    found = xdp.optimum_by_level("path:2", consumer)
    assert str(found.evidence.values.at("1/3")) in found.claim
    assert found.evidence.value_at("1/2") == found.evidence.values.at("1/2").evaluate(xdp.Rational("1/2")) == verdict.evidence.value
    by_level = xdp.is_optimal_by_level("geometric:n=1,alpha=1/2", "path:2", consumer)
    assert by_level.evidence.values.at("1/2").evaluate(xdp.Rational("1/2")) == verdict.evidence.value


def test_optimum_and_mechanism_loss_have_one_sign():
    """The case that was found: the one was minus the sentence, the other was the sentence."""
    for consumer in (
        xdp.MinimaxConsumer(xdp.Gain(GAIN_OF_TWO)),
        xdp.BayesianConsumer(xdp.Gain(GAIN_OF_TWO), ["1/3", "2/3"]),
        xdp.MinimaxConsumer([[0, 2], [1, 0]]),
    ):
        best = xdp.optimum("path:2", "1/2", consumer).evidence
        assert xdp.mechanism_loss(best.best, consumer).evidence.value == best.value


@pytest.mark.parametrize("weights", [None, ["1/3", "2/3"]])
@pytest.mark.parametrize("mechanism", ["geometric:n=1,alpha=1/2", "identity:n=1", "uniform:n=1"])
def test_a_judged_mechanism_of_a_gain_has_a_utility(weights, mechanism):
    gain = xdp.Gain(GAIN_OF_TWO)
    consumer = xdp.MinimaxConsumer(gain) if weights is None else xdp.BayesianConsumer(gain, weights)
    own = by_hand(xdp.mechanism_from_spec(mechanism), GAIN_OF_TWO, weights)
    judged = xdp.is_optimal(mechanism, "path:2", "1/2", consumer).evidence
    remap = xdp.is_best_remap(mechanism, consumer, xdp.Remap([[1, 0], [0, 1]])).evidence
    dual = xdp.verify_optimal(mechanism, "path:2", "1/2", consumer, judged.dual).evidence
    for evidence in (judged, remap, dual):
        assert Fraction(str(evidence.utility)) == own == -Fraction(str(evidence.loss))
    assert judged.gap == judged.value - judged.utility
    assert remap.gap == remap.value - remap.utility
    assert dual.value == judged.value
    if mechanism != "identity:n=1":
        gap = xdp.gap_between(mechanism, "path:2", "1/2", consumer).evidence
        assert Fraction(str(gap.utility)) == own
    assert xdp.is_optimal(mechanism, "path:2", "1/2", xdp.MinimaxConsumer("abs")).evidence.utility is None


def test_bounds_of_a_gain_are_what_the_sentence_says():
    """A search that is stopped: bounds and sentence are utilities, the smaller first."""
    consumer = xdp.BayesianConsumer(xdp.Gain.zero_one(xdp.neighbours("hypercube:4").vertices))
    verdict = xdp.optimum("hypercube:4", "1/2", consumer, time_limit=0)
    if verdict.evidence.bounds is not None:
        low, high = verdict.evidence.bounds
        assert 0 <= low <= high <= 1
        assert verdict.evidence.value is None
        assert f"{low}" in verdict.claim
        assert f"{high}" in verdict.claim


def test_certificates_of_a_gain_are_about_the_loss_as_before():
    consumer = xdp.MinimaxConsumer(xdp.Gain(GAIN_OF_TWO))
    verdict = xdp.optimum("path:2", "1/2", consumer)
    claim = json.loads(xdp.certify(verdict).to_json())["claim"]
    assert claim["value"] == str(-verdict.evidence.value)


def numbers(body, word):
    """What an answer in JSON states, as (value, loss or utility, gap), recursively for its own levels."""
    found = [tuple(None if body.get(key) is None else Fraction(body[key]) for key in ("value", word, "gap"))]
    for key in ("asked_level", "own_level", "after_remap"):
        found += numbers(body[key], word) if key in body else []
    return found


@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize("prior", ["uniform", "skewed"])
def test_utilities_of_the_zero_one_gain_are_one_minus_the_losses(here, words, prior):
    size = 4 if "cycle" in words else 3
    weights = "uniform" if prior == "uniform" else ",".join(["1/2", *(f"1/{2 * (size - 1)}" for _ in range(size - 1))])
    with_loss = run(f"{words} --loss zero-one --prior {weights} --json")
    with_gain = run(f"{words} --gain zero-one --prior {weights} --json")
    assert with_loss.code == with_gain.code
    assert with_gain.json["measure"] == "utility"
    assert "measure" not in with_loss.json
    assert "loss" not in with_gain.json
    told = zip(numbers(with_loss.json, "loss"), numbers(with_gain.json, "utility"), strict=True)
    for (value, loss, gap), (best, utility, same) in told:
        assert (best, utility, same) == (value and 1 - value, None if loss is None else 1 - loss, gap)
    text = run(f"{words} --gain zero-one --prior {weights}").out
    assert "utility" in text
    assert "loss" not in text
    assert "is -" not in text
    assert not any(line.split()[-1].startswith("-") for line in text.splitlines() if line.startswith(("optimum", "utility", "largest")))


def test_bounds_of_a_search_that_was_stopped_are_of_the_utility(here):
    body = run("optimal --graph hypercube:4 --alpha 1/2 --gain zero-one --time-limit 0 --json").json
    if body["verdict"] == "undecided":
        low, high = map(Fraction, body["bounds"])
        assert 0 <= low <= high <= 1
        assert "largest utility" in body["claim"]


def test_a_table_of_gains_against_the_definition(here):
    """Under the uniform prior the deployed utility is Σ_i π_i Σ_r g(i, r) x_ir, by hand."""
    rows = [[Fraction(2, 3), Fraction(1, 6), Fraction(1, 6)], [Fraction(1, 3)] * 3, [Fraction(1, 6), Fraction(1, 6), Fraction(2, 3)]]
    by_hand = sum(Fraction(g) * x for gains, row in zip(GAIN, rows, strict=True) for g, x in zip(gains, row, strict=True)) / 3
    body = run("optimal geometric:n=2,alpha=1/2 --gain g.csv --prior uniform --json").json
    assert Fraction(body["utility"]) == by_hand


def test_by_level_in_text_json_and_latex():
    near = xdp.neighbours("path:3")
    gain = xdp.Gain([[int(i == r) for r in range(3)] for i in range(3)], near.vertices, near.vertices, "right").as_loss()
    verdict = xdp.optimum_by_level(near, xdp.BayesianConsumer(gain))
    assert "The largest utility of an (α = a)-private mechanism" in verdict.claim
    assert "gain right" in verdict.claim
    body = run("optimal --graph path:3 --alpha symbolic --gain zero-one --prior uniform --json").json
    assert (body["measure"], body["value"], body["pieces"][0]["value"]) == ("utility", *["(-a + 3)/(3*a + 3)"] * 2)
    loss = pieces_latex(xdp.optimum_by_level(near, xdp.BayesianConsumer(xdp.Loss.zero_one(near.vertices))).evidence)
    shown = pieces_latex(verdict.evidence)
    assert shown != loss
    assert shown.count("-") == 1
    for text in (verdict_text(verdict), verdict_html(verdict)):
        assert "least loss" not in text
        assert "utility" in text


def test_a_picture_is_of_the_utility():
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    from exactdp.report.plot import value_by_level

    near = xdp.neighbours("path:3")
    gain = xdp.Gain([[int(i == r) for r in range(3)] for i in range(3)], near.vertices, near.vertices, "right").as_loss()
    axes = Figure().add_subplot()
    value_by_level(xdp.optimum_by_level(near, xdp.BayesianConsumer(gain)).evidence, ax=axes)
    assert axes.get_ylabel() == "largest utility"
    assert all(0 < y <= 1 for y in axes.lines[0].get_ydata())


def test_a_consumer_knows_that_it_is_a_gain_s():
    gain = xdp.Gain([[1, 0], [0, 1]], ["a", "b"], ["a", "b"], "hit")
    for consumer in (xdp.BayesianConsumer(gain.as_loss()), xdp.MinimaxConsumer(gain.as_loss())):
        assert consumer.measure.best == "largest utility"
        assert "with gain hit and" in consumer.describe()
        moved = consumer.aligned(("b", "a"), ("b", "a"))
        assert moved.measure == consumer.measure
        assert moved.describe().startswith(consumer.describe().split(" and ")[0])
    assert gain.as_loss().relabelled(["c", "d"]).measure.word == "utility"
    assert xdp.BayesianConsumer(xdp.Loss.zero_one(range(2))).measure.best == "least loss"


def test_audits_of_a_gain_s_consumer():
    near = xdp.neighbours("path:3")
    gain = xdp.Gain([[int(i == r) for r in range(3)] for i in range(3)], near.vertices, near.vertices, "right")
    verdict = xdp.audit(xdp.geometric(2, "1/2"), near, consumers=[xdp.BayesianConsumer(gain.as_loss())])
    from exactdp.report.audit_page import audit_page
    from exactdp.report.deployed import about_consumer, audit_json

    facts = {fact.name: fact.value for fact in about_consumer(verdict.evidence.consumers[0])}
    assert facts["largest utility"].startswith("5/9")
    assert facts["utility as deployed"].startswith("5/9")
    entry = audit_json(verdict.evidence)["consumers"][0]
    assert (entry["value"], entry["measure"], entry["deployed"]["utility"]) == ("5/9", "utility", "5/9")
    assert "least loss" not in audit_page(verdict)


def test_the_certificate_s_numbers_are_explained(here):
    done = run("optimal geometric:n=2,alpha=1/2 --gain zero-one --prior uniform -o c.json")
    assert "minus the utilities here" in done.out
    assert "-5/9" in run("verify c.json").out


def test_a_notebook_shows_the_gain_itself():
    gain = xdp.Gain([[3, 0], [0, 2]], ["a", "b"], ["a", "b"], "hit")
    shown = xdp.BayesianConsumer(gain.as_loss())._repr_html_()
    assert "gain hit" in shown
    assert "<td>3</td>" in shown
    assert "-3" not in shown
    assert gain.as_loss().as_gain() == gain
