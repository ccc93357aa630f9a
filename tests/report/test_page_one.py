# SPDX-License-Identifier: MIT
"""Page one of an audit: its states and numbers, the same facts in three formats, and hostile words."""

from __future__ import annotations

import html
import json
import re
from decimal import Decimal, localcontext
from fractions import Fraction
from math import e, exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import ROOT

import exactdp as xdp
from exactdp.analysis.audit_summary import audit_summary
from exactdp.analysis.digits_shown import stored_as
from exactdp.certificate.page_one import NEIGHBOURS, ROWS, SAYS, SECTIONS, TOPICS, Line, Page, page_of
from exactdp.certificate.page_one_formats import WRITTEN
from exactdp.errors import InputError
from exactdp.exact import Rational
from exactdp.report.page_decimals import rounded, share
from exactdp.report.page_one import exact_facts, page_one
from exactdp.report.page_run import Run, as_statements, statements_of

SWAP = [["2/3", "1/3"], ["1/3", "2/3"]]
COUNT = [["2/3", "1/6", "1/6"], ["1/3", "1/3", "1/3"], ["1/6", "1/6", "2/3"]]
ZERO_ONE = xdp.MinimaxConsumer("zero-one")


def response(k, epsilon=e):
    """Randomised response with k answers, in doubles, as a program makes it for ε = 1."""
    truth, other = epsilon / (epsilon + k - 1), 1 / (epsilon + k - 1)
    return [[Fraction(truth if i == r else other) for r in range(k)] for i in range(k)]


def said(verdict, precision=None, **run):
    """The lines of page one by their sentences."""
    page = page_one(audit_summary(verdict, precision), Run(**run))
    found = {}
    for line in page.lines():
        found.setdefault(line.says, []).append(line)
    return found


def claim(epsilon, delta=0):
    return xdp.PrivacyClaim(epsilon=epsilon, delta=delta)


# --- The four states ---


def test_it_holds():
    found = said(xdp.audit(SWAP, "path", claim=claim(1), consumers=[ZERO_ONE]))
    assert [str(x) for x in found["holds"]] == ["The claim holds."]
    assert "no answer becomes more than 2.719 times as likely" in str(found["claimed"][0])
    assert found["own"][0].values == {"epsilon": "0.693148", "factor": "2"}
    assert "less" in found
    assert not {"fails", "more", "repair-epsilon", "repair-delta", "not-kept"} & set(found)
    at = [(line.values["epsilon"], line.values["gap"], line.values["optimum"]) for line in found["row"]]
    assert at == [("0.693148 (own)", "0: optimal", "0.33333"), ("1 (claimed)", "23.95 %", "0.26894")]  # 1/(1 + e) and (1 + e)/3 − 1


def test_it_fails_with_the_event_and_what_repairs_it():
    found = said(xdp.audit(SWAP, "path", claim=claim("1/2")))
    assert str(found["fails"][0]) == "The claim fails."
    assert found["more"][0].values == {"difference": "0.1932"}  # ln 2 − 1/2
    assert found["event"][0].values == {
        "first": "0", "second": "1", "outputs": "0", "likely": "0.66667", "unlikely": "0.33333", "ratio": "2",
    }  # fmt: skip
    assert found["repair-epsilon"][0].values == {"epsilon": "0.693148"}
    assert found["or-delta"][0].values == {"delta": rounded(Rational("2/3") - Rational(str(exp(0.5))) / 3, 4, up=True)}


def test_digits_do_not_decide():
    v = xdp.audit(xdp.printed_table([["0.6", "0.4"], ["0.4", "0.6"]], digits=1), "path", claim=claim("2/5"))
    found = said(v)
    assert str(found["undecided"][0]) == "Undecided."
    ends = {key: float(x) for key, x in found["between"][0].values.items()}
    assert ends == pytest.approx({"low": log(0.55 / 0.45), "high": log(0.65 / 0.35)}, abs=1e-5)
    assert found["scope"][0].values["status"] == "not decided"


def test_nothing_was_claimed():
    found = said(xdp.audit(SWAP, "path"))
    assert str(found["no claim"][0]) == "No claim was judged."
    assert "no-claim" in found
    assert "nobody" in found
    assert "holds" not in found


def test_what_is_no_mechanism_fails():
    found = said(xdp.audit([["1/2", "1/3"], ["1/3", "2/3"]], "path", claim=claim(1)))
    assert found["sums-wrong"][0].values == {"deviation": "0.1667"}
    assert {"fails", "wrong"} <= set(found)
    assert "own" not in found


def test_decimals_whose_rows_miss_1_by_rounding_say_what_judges_them():
    others = [f"{x:.12f}" for x in (e / (e + 5), 1 / (e + 5))]  # a row sums to 1 + 2e-12
    rows = [[others[i != j] for j in range(6)] for i in range(6)]
    v = xdp.audit(rows, "complete", claim=claim(1))
    found = said(v, "decimals")
    assert found["rows-off"][0].values == {"count": "6", "row": "0", "excess": "2e-12", "side": "more"}
    assert found["looks-rounded"][0].values == {"places": "12"}
    assert float(found["as-stands"][0].values["epsilon"]) == pytest.approx(1, abs=1e-10)
    assert "no rounding" not in str(v)
    assert "--digits 12" in str(v)
    assert xdp.audit(rows, "complete", rounding="2e-12").evidence.quality == "rounded"
    assert "looks-rounded" not in said(xdp.audit([["1/2", "1/3"], ["1/3", "2/3"]], "path", claim=claim(1)))


def test_fewer_neighbours_never_show_a_larger_epsilon():
    truth = Fraction(exp(2) / (exp(2) + 3)) + Fraction(1, 10**11)
    rows = [[truth if i == j else (1 - truth) / 3 for j in range(4)] for i in range(4)]
    found = said(xdp.audit(rows, "complete", claim=claim(2)))
    assert found["other-fails"][0].values["epsilon"] == found["own"][0].values["epsilon"]  # the two are equal
    assert found["own"][0].values["factor"] != found["claimed"][0].values["factor"]


def test_numbers_that_are_no_fractions_are_not_called_so():
    found = said(xdp.audit(xdp.geometric(3, xdp.PrivacyLevel.from_epsilon(1)), "path", claim=claim(1)))
    assert "numbers-powers" in found
    assert "numbers-exact" not in found


def test_digits_rows_and_repairs_of_printed_tables_are_told():
    rows = [["0.85", "0.10", "0.05"], ["0.08", "0.84", "0.08"], ["0.04", "0.11", "0.85"]]
    found = said(xdp.audit(xdp.printed_table(rows, digits=2), "complete", claim=claim(2)))
    assert "2 decimal places" in str(found["numbers-digits"][0])
    assert "rows sum to 1" in str(found["numbers-digits"][0])
    assert len(found.get("repair-epsilon-printed", [])) + len(found.get("repair-delta", [])) == 1
    assert "for every table that prints so" in str(found["repair-epsilon-printed"][0])


def test_a_loss_that_differs_beyond_its_figures_is_one_number():
    rows = [["0.131034400000", "0.868965600000"], ["0.868965600000", "0.131034400000"]]
    row = said(xdp.audit(xdp.printed_table(rows, digits=12), "path", claim=claim(2), consumers=[ZERO_ONE]))["row-printed"][0]
    assert row.values["deployed"] == "0.86897"


def test_an_undecided_claim_says_in_bold_what_holds():
    verdict = xdp.audit(xdp.printed_table([["0.6", "0.4"], ["0.4", "0.6"]], digits=1), "path", claim=claim("2/5"))
    lines = next(lines for title, lines in page_one(audit_summary(verdict), Run()).sections if title == "Verdict")
    assert [line.says for line in lines[:2]] == ["undecided", "instead"]
    assert float(lines[1].values["epsilon"]) == pytest.approx(log(0.65 / 0.35), abs=1e-5)
    assert "rounded to the nearest with 1 decimal place." in str(lines[1])
    assert f"**{lines[1]}**" in verdict.page_one("md")
    with_delta = said(xdp.audit(xdp.printed_table([["0.6", "0.4"], ["0.4", "0.6"]], digits=1), "path", claim=claim("2/5", "1/1000")))
    assert "undecided" in with_delta
    assert "instead" not in with_delta


@pytest.mark.parametrize(("epsilon", "says"), [("1", "holds-digits"), ("1/5", "fails-digits")])
def test_a_verdict_of_digits_is_said_and_signed_of_all_that_print_so(epsilon, says):
    found = said(xdp.audit(xdp.printed_table([["0.6", "0.4"], ["0.4", "0.6"]], digits=1), "path", claim=claim(epsilon)))
    for line in (found[says][0], found["sign-for"][0]):
        assert re.search("for every table that prints so, .*rounded to the nearest with 1 decimal place", str(line))


def test_a_step_on_a_grid_is_a_cell():
    found = said(xdp.audit(location_grid(), "grid:2x2", claim=claim("0.7")), statements={"unit": "one location report"})
    assert "One step between neighbours is one cell of the grid." in str(found["unit-grid"][0])
    assert "stands for" not in str(found["unit-grid"][0])
    assert "unit" in said(xdp.audit(SWAP, "path", claim=claim(1)), statements={"unit": "one person"})


def test_words_for_neighbours_stand_without_their_name_unless_it_says_more():
    assert "path:2" not in str(said(xdp.audit(SWAP, "path"))["neighbours"][0])
    assert "(grid:2x2)" in str(said(xdp.audit(location_grid(), "grid:2x2"))["neighbours-named"][0])


def test_consumers_are_named_without_digests():
    labels = [f"v{k}" for k in range(16)]
    rows = [[Fraction(1 + (i == r), 17) for r in range(16)] for i in range(16)]
    table = xdp.Table(rows, labels, labels)
    verdict = xdp.audit(table, "complete", claim=claim(1), consumers=[xdp.MinimaxConsumer("zero-one", labels)])
    assert "sha256" in str(audit_summary(verdict).consumers[0].consumer.describe())
    assert "sha256" not in str(said(verdict)["consumer"][0])


def test_a_program_that_rounds_is_told_in_one_sentence():
    told = str(said(xdp.audit(response(50), "complete", claim=claim(1)), "doubles")["within-holds"][0])
    assert "A program that computes with others, which round to the same doubles, may exceed ε" in told
    assert "break" not in told


def test_the_mixture_with_uniform_answers_is_a_repair():
    share = said(xdp.audit([["3/4", "1/4"], ["1/4", "3/4"]], "path", claim=xdp.PrivacyClaim(alpha="1/2")))["repair-uniform"]
    assert share[0].values == {"share": "0.3334"}  # 2/3·(3/4, 1/4) + 1/3·(1/2, 1/2) = (2/3, 1/3)


def test_points_have_parentheses():
    table = xdp.Table(location_grid(), ["0,0", "0,1", "1,0", "1,1"], ["0,0", "0,1", "1,0", "1,1"])
    found = said(xdp.audit(table, "grid:2x2", claim=claim("0.7")))
    assert found["size"][0].values["inputs"] == "(0, 0), (0, 1), (1, 0), (1, 1)"
    assert found["event"][0].values["first"] == "(0, 0)"


def test_an_answer_that_is_impossible():
    found = said(xdp.audit([[1, 0], ["1/2", "1/2"]], "path", claim=claim(1)))
    assert "own-infinite" in found
    assert "repair-epsilon" not in found
    assert "event-never" in found


def test_with_delta_the_smallest_epsilon_is_told_apart():
    found = said(xdp.audit(SWAP, "path", claim=claim("1/2", "1/5")))
    assert "holds" in found
    assert found["claimed-delta"][0].values == {"delta": "0.2"}
    assert "own-pure" in found
    assert not {"own", "more", "less", "equal"} & set(found)


# --- By less than the digits can show ---


@pytest.mark.parametrize("k", [5, 6, 19])
def test_doubles_made_for_the_claim_fail_by_less_than_they_can_show(k):
    verdict = xdp.audit(response(k), "complete", claim=claim(1))
    found = said(verdict, "doubles")
    assert verdict.refuted
    assert Fraction(found["fails-rounding"][0].values["epsilon"]) > 1
    assert int(found["fails-rounding"][0].values["digits"]) >= 15
    assert "fails" not in found
    assert 1 < Fraction(found["own"][0].values["epsilon"]) < 1 + Fraction(1, 10**15)
    assert Fraction(found["more"][0].values["difference"]) < Fraction(1, 10**15)


def test_a_claim_that_fails_by_more_is_not_excused():
    found = said(xdp.audit(response(5, exp(1 + 1e-12)), "complete", claim=claim(1)), "doubles")
    assert found["fails-barely"][0].values["digits"] in ("11", "12")  # 1 + 10^−12, up to what doubles can show
    assert "within-fails" not in found
    found = said(xdp.audit(response(5, exp(1 + 1e-10)), "complete", claim=claim(1)), "doubles")
    assert "less than a billionth" in str(found["fails-barely"][0])
    found = said(xdp.audit(response(5, exp(1 + 1e-8)), "complete", claim=claim(1)), "doubles")
    assert str(found["fails"][0]) == "The claim fails."


def test_an_exact_table_has_no_digits():
    found = said(xdp.audit(SWAP, "path", claim=claim("6931471/10000000")), "exact")
    assert "fails" in found
    assert "within-fails" not in found


def test_decimals_have_the_digits_that_they_show():
    table = [["0.67", "0.33"], ["0.33", "0.67"]]
    found = said(xdp.audit(table, "path", claim=claim("ln(2)")), "decimals")
    assert found["within-fails"][0].values == {"numbers": "decimals"}
    found = said(xdp.audit(table, "path", claim=claim("ln(19/10)")), "decimals")  # at best 665/335 = 1.98…
    assert "fails" in found
    assert "within-fails" not in found


def test_a_claim_that_holds_by_less_says_so():
    found = said(xdp.audit(response(50), "complete", claim=claim(1)), "doubles")
    assert {"holds", "within-holds"} <= set(found)


@given(st.floats(min_value=2**-1000, max_value=1, exclude_min=True))
def test_what_is_stored_as_a_double(x):
    """Python rounds a fraction to the nearest double."""
    exact = Fraction(x)
    low, high = (Fraction(int(end.numerator), int(end.denominator)) for end in stored_as(Rational(str(exact)), "doubles", 0))
    step = (high - low) / 1000
    assert float(low + step) == float(high - step) == x
    assert float(low - step) != x
    assert float(high + step) != x


# --- Neighbours, consumers, who bears the loss ---


def test_the_number_of_a_requirement_is_on_its_side_of_the_bound():
    """The gap is 1/3 of the least loss; 33.34 % would be above the bound, which it keeps."""
    found = said(xdp.audit(COUNT, "path", consumers=[ZERO_ONE], require=["gap <= 33.3334%", "epsilon <= 0.6931472"]))
    told = {line.values["text"]: line.values for line in found["required"]}
    assert told["gap <= 33.3334%"]["status"] == told["epsilon <= 0.6931472"]["status"] == "holds"
    assert Fraction(100, 3) < Fraction(told["gap <= 33.3334%"]["figure"].removesuffix(" %")) < Fraction("33.3334")
    assert log(2) < float(told["epsilon <= 0.6931472"]["figure"]) < 0.6931472


def test_numbers_are_written_for_a_reader_in_each_format_and_for_programs_in_json():
    """ln(2) − ln(2 − 10^−17) is a little more than 5·10^−18."""
    answer = xdp.audit(SWAP, "path", claim=claim(f"ln({2 * 10**17 - 1}/{10**17})"), require=["delta <= 1e-6"])
    page = page_one(audit_summary(answer), Run())
    told = next(line for line in page.lines() if line.says == "more")
    assert told.values == {"difference": "5.001e-18"}
    assert "by at most 5.001 × 10⁻¹⁸." in WRITTEN["html"](page)
    assert "by at most 5.001 × 10⁻¹⁸." in WRITTEN["md"](page)
    assert r"by at most 5.001 $\times$ 10$^{-}$$^{1}$$^{8}$." in WRITTEN["tex"](page)
    assert '"difference": "5.001e-18"' in WRITTEN["json"](page)
    assert "delta ≤ 0.000001" in WRITTEN["md"](page)
    assert "&lt;=" not in WRITTEN["md"](page)


def test_the_other_usual_choice():
    found = said(xdp.audit(COUNT, "path", claim=claim(1)))
    assert found["other-fails"][0].values == {"words": NEIGHBOURS["complete"], "epsilon": "1.3863"}  # ln 4
    found = said(xdp.audit(COUNT, "complete", claim=claim("3/2")))
    assert found["other-holds"][0].values == {"words": NEIGHBOURS["path"], "epsilon": "0.693148"}


def location_grid():
    """Reports of a point of a 2×2 grid, each coordinate by randomised response with odds 2."""
    coordinate = [[Fraction(2, 3), Fraction(1, 3)], [Fraction(1, 3), Fraction(2, 3)]]
    points = [(i, j) for i in range(2) for j in range(2)]
    return [[coordinate[i][k] * coordinate[j][m] for k, m in points] for i, j in points]


@pytest.mark.parametrize(("epsilon", "says"), [("0.7", "other-fails"), ("1", "other-holds")])
def test_a_grid_says_that_distances_as_the_crow_flies_are_another_claim(epsilon, says):
    found = said(xdp.audit(location_grid(), "grid:2x2", claim=claim(epsilon)))
    assert "holds-for" in found or epsilon == "1"
    assert "--graph euclid:2x2" in str(found["grid-steps"][0])
    shown = {line.values["words"]: line.values["epsilon"] for line in found[says]}
    assert float(shown[NEIGHBOURS["euclid"]]) == pytest.approx(log(4) / 2**0.5, abs=1e-5)  # a diagonal step of √2
    assert "grid-steps" not in said(xdp.audit(SWAP, "path"))


def test_two_inputs_have_no_other_choice():
    assert not {"other", "other-holds", "other-fails"} & set(said(xdp.audit(SWAP, "path", claim=claim(1))))


def test_who_bears_the_loss():
    found = said(xdp.audit(COUNT, "path", consumers=[xdp.MinimaxConsumer("zero-one")]))
    line = found["bears"][0].values
    assert (line["most"], line["worst"], line["least"], line["best"]) == ("0.66667", "1", "0.33333", "0")


def test_a_remap_is_shown():
    table = [["1/4", "3/4"], ["3/4", "1/4"]]
    found = said(xdp.audit(table, "path", consumers=[ZERO_ONE]))
    assert str(found["remap"][0]) == "Best remap for consumer 1: 0 is read as 1, 1 is read as 0; other answers as they are."
    assert found["row"][0].values["gap"] == "200 %"  # 3/4 beside 1/4
    assert found["row"][0].values["gap_after"] == "0: optimal"


def test_a_random_remap_is_shown_as_a_table():
    """Of x in place of 1 at both ends 1 − 2x/3 = 1 − (1/3 + 2(1 − x)/3) gives x = 3/4."""
    verdict = xdp.audit(COUNT, "path", consumers=[ZERO_ONE])
    found = said(verdict)
    assert "remap-random" not in found
    assert [line.cells() for line in found["remap-row"]] == [
        ("1", "0", "as 0 in 75 % of cases, as 1 in 25 %"),
        ("1", "2", "as 1 in 25 % of cases, as 2 in 75 %"),
    ]
    assert [line.values["exact"] for line in found["remap-row"]] == ['[["0", "3/4"], ["1", "1/4"]]', '[["1", "1/4"], ["2", "3/4"]]']
    assert "3/4" not in WRITTEN["md"](page_one(audit_summary(verdict), Run()))  # fractions are in the file of JSON


def test_a_random_remap_of_many_answers_is_in_the_appendix():
    """Thirteen answers, of which the middle one is as likely with both inputs: a draw makes losses equal."""
    rows = [[Fraction(13 - k, 91) for k in range(13)], [Fraction(k + 1, 91) for k in range(13)]]
    mechanism = xdp.Mechanism(rows, outputs=[f"answer {k}" for k in range(13)])
    verdict = xdp.audit(mechanism, "path", consumers=[ZERO_ONE])
    found = said(verdict)
    assert "remap-random" in found
    assert not {"remap-row", "remap-drawn"} & set(found)
    exact = [number for what, number in exact_facts(audit_summary(verdict)) if what.startswith("best remap") and what.endswith("answer 6")]
    assert exact == ["0 with probability 1/2, 1 with probability 1/2"]


@pytest.mark.parametrize(
    ("probability", "shown"),
    [
        ("1/8", "12.5"),
        ("1/3", "33.33"),
        ("1/32", "3.13"),  # in the middle of two: the larger one
        ("1/20000", "0.01"),
        ("1/20001", "less than 0.01"),
        ("19999/20000", "more than 99.99"),
        ("99994/100000", "99.99"),
        ("1/10000", "0.01"),
    ],
)
def test_a_share_is_the_nearest_percentage_and_never_0_or_100(probability, shown):
    assert share(Rational(probability)) == shown


def test_a_gap_of_a_gain_and_an_optimum_of_0():
    gain = xdp.BayesianConsumer(xdp.Gain.zero_one(range(2)), "uniform")
    found = said(xdp.audit(SWAP, "path", claim=claim(1), consumers=[gain]))
    assert [line.values["optimum"] for line in found["row"]] == ["0.66667", "0.73106"]  # e/(1 + e)
    none = xdp.MinimaxConsumer("zero-one", ["0"])
    found = said(xdp.audit(SWAP, "path", consumers=[none]))
    assert found["row"][0].values["optimum"] == "0"
    assert found["row"][0].values["gap"] == "0.3334"


# --- What is stated ---


def test_statements_and_what_nobody_judged():
    v = xdp.audit(SWAP, "path", claim=claim(1))
    found = said(v, statements=as_statements({"unit": "one report of one person", "neighbours": "the office", "name": "survey 7"}))
    assert "one report of one person (stated by the auditor)" in str(found["unit"][0])
    assert "the office (stated by the auditor)" in str(found["chosen"][0])
    assert "survey 7 (stated by the auditor)" in str(found["called"][0])
    rows = {line.values["topic"]: line.values for line in found["scope"]}
    assert set(rows) == set(TOPICS.values())
    assert rows[TOPICS["unit"]]["status"] == "stated by the auditor"
    assert rows[TOPICS["sampler"]] == {"topic": TOPICS["sampler"], "status": "not judged", "text": ""}
    assert "unit-open" in said(v)


@pytest.mark.parametrize("given_", [{"epsilon": "1"}, {"unit": ""}, {"unit": 3}, {"unit": "x" * 301}, ["unit"]])
def test_statements_that_are_none(given_):
    with pytest.raises((InputError, TypeError)):
        as_statements(given_)


def test_a_file_of_statements():
    assert statements_of('unit = "one person"\nsampler = "tested"') == {"unit": "one person", "sampler": "tested"}
    with pytest.raises(InputError, match="no TOML"):
        statements_of("unit")


# --- Formats ---


def words(text):
    """Letters and digits, without marks."""
    return re.sub(r"[^0-9A-Za-z.]+", "", text)


def shown_words(kind, text):
    """What a format shows, in such words."""
    if kind == "html":
        body = text[text.index("<h1>") :]
        return words(html.unescape(re.sub(r"<[^>]*>", " ", body)))
    if kind == "md":
        return words(html.unescape(re.sub(r"\]\([^)]*\)", " ", text).replace("\\", "")))
    text = text[text.index("\\sloppy") :]
    text = re.sub(r"\\href\{[^}]*\}", "", text)
    return words(re.sub(r"\\[A-Za-z]+\*?|-\{\}", " ", text))


@pytest.mark.parametrize("kind", ["html", "md", "tex"])
def test_all_formats_say_the_same(kind):
    v = xdp.audit(COUNT, "path", claim=claim("1/2"), consumers=[ZERO_ONE], title="counts")
    page = page_one(audit_summary(v), Run(command=("exactdp", "audit"), date="2026-01-31T12:00:00Z"))
    text = shown_words(kind, WRITTEN[kind](page))
    place = 0
    for title, lines in page.sections:
        place = text.index(words(title), place)
        for line in lines:
            for cell in line.cells() if line.says in ROWS else [str(line)]:
                place = text.index(words(cell), place)
    assert [title for title, _ in page.sections] == list(SECTIONS)
    assert v.page_one(kind).count("0.5") == WRITTEN[kind](page).count("0.5")


def test_the_lines_are_read_back():
    page = page_one(audit_summary(xdp.audit(SWAP, "path", claim=claim(1))), Run())
    assert page_of(json.loads(page.to_json())) == page
    with pytest.raises(ValueError, match="version"):
        page_of(json.loads(page.to_json().replace('"version": 1', '"version": 2')))


HOSTILE = ["<script>alert(1)</script>", r"\input{x}%$&", "a|b`c*", "\x1b[2J\u202e"]


@pytest.mark.parametrize("kind", ["html", "md", "tex"])
def test_hostile_labels_and_statements_are_words(kind):
    table = xdp.Table([["1/2", "1/2"], ["1/4", "3/4"]], HOSTILE[:2], HOSTILE[2:])
    v = xdp.audit(table, xdp.Graph.path(HOSTILE[:2]), claim=claim("1/2"), title="<i>t</i>", consumers=[])
    text = v.page_one(kind, statements={"unit": r"<b>x</b> \end{document} [a](b)", "sampler": "| a | b |"})
    assert "\x1b" not in text
    assert "\u202e" not in text
    if kind != "tex":
        assert not re.search(r"<script|<i>|<b>x", text)
    if kind == "tex":
        assert text.count(r"\end{document}") == 1
        assert r"\input" not in text
        assert not re.search(r"(?<!\\)[%&](?! )", text[text.index("\\sloppy") :])
    if kind == "md":
        assert "\n| a | b |" not in text
        assert "[a](b)" not in text


def test_every_explained_word_is_in_the_glossary():
    headings = re.findall(r"^### (.*)$", (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"), re.MULTILINE)
    places = {place.partition("|")[0] for text in SAYS.values() for place in re.findall(r"\[\[([^\]]*)\]\]", text)}
    assert places <= {heading.lower().replace(" ", "-") for heading in headings}


def test_a_notebook_shows_page_one_first():
    shown = xdp.audit(SWAP, "path", claim=claim(1))._repr_html_()
    assert shown.index("The claim holds.") < shown.index("<details>")
    assert "page-one" not in xdp.is_private(SWAP, "path", "1/2")._repr_html_()


def test_page_one_is_of_an_audit():
    with pytest.raises(InputError, match="answer of another question"):
        xdp.is_private(SWAP, "path", "1/2").page_one()
    with pytest.raises((InputError, TypeError)):
        xdp.audit(SWAP, "path").page_one("pdf")


def test_letters_are_explained_where_an_exact_number_has_them():
    fails = audit_summary(xdp.audit(SWAP, "path", claim=claim("1/2")))
    assert exact_facts(fails)[0] == ("t", "e^(−1/2)")
    assert exact_facts(audit_summary(xdp.audit(SWAP, "path", claim=claim(1))))[0][0] == "claimed ε"


# --- Decimals ---


@given(st.fractions(min_value=-100, max_value=100), st.integers(2, 12), st.booleans())
def test_a_rounded_decimal_is_on_its_side_and_near(x, figures, up):
    """Beside decimals of 60 digits."""
    text = Fraction(rounded(Rational(str(x)), figures, up=up))
    assert text >= x if up else text <= x
    with localcontext() as context:
        context.prec = 60
        size = abs(Decimal(x.numerator) / Decimal(x.denominator))
    assert abs(text - x) <= Fraction(size) * Fraction(11, 10**figures)


def test_a_line_without_a_certificate_says_so():
    assert str(Line("own", {"epsilon": "1", "factor": "2.719"}, "level", shown=False)).endswith("(No certificate shows this.)")
    assert Page("x", ()).to_json()


def test_two_losses_of_one_name_are_two_consumers():
    costs = [xdp.MinimaxConsumer(xdp.Loss([["0", x], ["1", "0"]], name="cost")) for x in ("1", "3")]
    found = said(xdp.audit(SWAP, "path", consumers=costs, claim=claim("ln 2"), require=["gap <= 1"]))
    assert len({line.values["consumer"] for line in found["consumer"]}) == 2
    assert [(line.values["number"], line.values["deployed"]) for line in found["row"]] == [("1", "0.33333"), ("2", "1")]
    assert [line.values["number"] for line in (*found["remap-none"], *found["remap-drawn"])] == ["1", "2"]
    assert [line.values["number"] for line in (*found["bears-equal"], *found["bears"])] == ["1", "2"]
    assert [line.values["about"].partition(" at ")[0][-1] for line in found["required"]] == ["1", "2"]


def test_two_losses_without_a_name_have_their_digests():
    costs = [xdp.MinimaxConsumer(xdp.Loss([["0", x], ["1", "0"]])) for x in ("1", "3")]
    shown = [line.values["consumer"] for line in said(xdp.audit(SWAP, "path", consumers=costs))["consumer"]]
    assert len(set(shown)) == 2
    assert "sha256" not in str(said(xdp.audit(SWAP, "path", consumers=costs[:1]))["consumer"][0])


def test_two_losses_of_one_name_are_two_consumers_of_a_printed_table():
    costs = [xdp.MinimaxConsumer(xdp.Loss([["0", x], ["1", "0"]], name="cost")) for x in ("1", "3")]
    table = xdp.model.printed_table([["0.67", "0.33"], ["0.33", "0.67"]], digits=2)
    found = said(xdp.audit(table, "path", consumers=costs, claim=claim(1)))
    assert len({line.values["consumer"] for line in found["consumer"]}) == 2


def test_an_algebraic_level_is_a_number():
    """Its ε is 0.71737046…: α = 2r − 2/3 with r = √(1/3). It is finite, and no time limit had passed."""
    for epsilon, state in (("1", "holds"), ("7/10", "fails")):
        found = said(xdp.audit("exponential:n=3,epsilon=ln 3", "path", claim=claim(epsilon)))
        assert found["own"][0].values["epsilon"] == "0.717371"
        assert state in found
        assert not {"own-infinite", "late"} & found.keys()
