"""The first line of an answer: short, with the value, and with no number cut in it."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from html import unescape

import pytest
from cli_runner import example_files, run
from hypothesis import assume, given
from hypothesis import strategies as st
from public_calls import FUNCTIONS, arguments_of, public

from exactdp import (
    Mechanism,
    MinimaxConsumer,
    PrivacyLevel,
    TightestLevel,
    Verdict,
    audit,
    certify,
    collection_level,
    geometric,
    is_optimal_by_level,
    is_private,
    is_regular,
    level_for_delta,
    parallel_level,
    sequential_level,
    tightest_level,
)
from exactdp.certificate.certificate import TOPICS as CERTIFIED
from exactdp.cli.program import COMMANDS, main
from exactdp.errors import ExactDPError
from exactdp.exact import Rational
from exactdp.report.headline import LONGEST, LONGEST_LINE, Headline, asked, compared, found_level, headline, level, number, shortened
from exactdp.report.latex import text_latex
from exactdp.report.registry import TOPICS as TOLD
from exactdp.report.registry import headline_of, verdict_json
from exactdp.report.text import verdict_text

FRACTION = re.compile(r"(?<![\w./*^(])-?\d+/\d+(?![\w./*^])")
DECIMAL = re.compile(r"(=|≈) (-?\d+(?:\.\d+)?(?:e-?\d+)?)(?![\w./])")
CUT = re.compile(r"\d…|…\d|/…|…/|/ |/$")

rationals = st.builds(Fraction, st.integers(-(10**60), 10**60), st.integers(1, 10**60))
words = st.text("abcdefgh ", min_size=1, max_size=120).map(str.strip).filter(bool)


def exact(x: Fraction) -> Rational:
    return Rational(f"{x.numerator}/{x.denominator}")


def fraction_of(decimal: str) -> Fraction:
    """What a decimal is, and from it how far off a nearest one may be."""
    return Fraction(decimal)


def last_place(decimal: str) -> Fraction:
    """The unit of the last digit that is shown."""
    digits, _, power = decimal.partition("e")
    return Fraction(10) ** (int(power or 0) - len(digits.partition(".")[2]))


def test_every_class_that_has_certificates_has_a_headline():
    entries = TOLD.entries()
    missing = [kind.__qualname__ for kind in CERTIFIED.entries() if TOLD.find(kind) is None]
    assert missing == []
    assert [kind.__qualname__ for kind, told in entries.items() if not callable(told.headline)] == []
    with pytest.raises(TypeError, match=re.escape("exactdp.report.registry.TOPICS")):
        TOLD.entry(int)


@given(words, rationals)
def test_a_number_is_never_cut(text, x):
    found = headline(text, exact(x)).text
    assert len(found) <= LONGEST
    assert not CUT.search(found)
    assert all(Fraction(shown) == x for shown in FRACTION.findall(found))


@given(rationals)
def test_the_decimal_of_a_headline_is_near_and_says_whether_it_is_the_number(x):
    found = headline("value", exact(x))
    for sign, decimal in DECIMAL.findall(found.text):
        near = fraction_of(decimal)
        assert abs(near - x) <= last_place(decimal) / 2
        assert (near == x) == (sign == "=")
    if x.denominator > 1:
        assert abs(fraction_of(found.decimal) - x) <= last_place(found.decimal) / 2


@given(st.lists(st.fractions(-50, 50, max_denominator=10**6), min_size=2, max_size=3, unique=True))
def test_numbers_that_are_compared_have_decimals_at_equal_places_that_differ(numbers):
    shown = compared(*map(exact, numbers))
    places = {len(one.decimal.partition(".")[2]) for one, x in zip(shown, numbers, strict=True) if x.denominator > 1}
    assert len(places) <= 1
    assert len({fraction_of(one.decimal) for one in shown}) == len(numbers)
    for one, x in zip(shown, numbers, strict=True):
        assert abs(fraction_of(one.decimal) - x) <= last_place(one.decimal) / 2


@given(words, st.lists(st.fractions(-50, 50, max_denominator=10**9), min_size=3, max_size=3, unique=True))
def test_what_is_compared_keeps_its_decimals_in_a_line_that_is_full(text, numbers):
    gap, loss, least = compared(*map(exact, numbers))
    found = headline(text[:40], gap, ", loss", loss, ", least", least).text
    assert len(found) <= LONGEST
    assert all(Fraction(shown) in numbers for shown in FRACTION.findall(found))
    told = [one for one, x in zip((gap, loss, least), numbers, strict=True) if x.denominator > 1]
    clauses = found.count(", l") + 1
    assert all(one.decimal in found for one in told[:1] if clauses == 3)


@given(st.fractions(0, 1, max_denominator=10**30).filter(lambda x: 0 < x < 1), st.booleans())
def test_a_level_is_short_in_either_notation(x, by_epsilon):
    for shown in level(TightestLevel(exact(x)), by_epsilon), asked(PrivacyLevel(exact(x))):
        found = headline("tightest level", shown).text
        assert len(found) <= LONGEST
        assert all(Fraction(told) == x for told in re.findall(r"α = (\d+/\d+)", found))


@given(st.fractions(1, 1000, max_denominator=10**6), st.fractions(1, 1000, max_denominator=10**6))
def test_an_epsilon_found_and_one_asked_have_decimals_at_equal_places(found, wanted):
    assume(min(found, wanted) > 1)
    rows = [[exact(found / (1 + found)), exact(1 / (1 + found))], [exact(1 / (1 + found)), exact(found / (1 + found))]]
    text = headline_of(is_private(Mechanism(rows), "path", epsilon=f"ln({wanted})")).text
    decimals = re.findall(r"≈ ([0-9.]+)", text)
    assert len(decimals) == 2, text
    assert len({len(decimal.partition(".")[2]) for decimal in decimals}) == 1, text
    for decimal, exactly in zip(decimals, (found, wanted), strict=True):
        assert abs(float(decimal) - math.log(exactly)) <= float(last_place(decimal))


@given(st.text("0123456789/+-*^() abc", max_size=150), st.integers(20, 90))
def test_a_text_is_shortened_between_words_only(text, most):
    found = shortened(text, most)
    assert len(found) <= most
    assert text.startswith(found.removesuffix("…"))
    assert not CUT.search(found) or found == text


def test_numbers_of_more_digits_than_python_writes_have_headlines():
    huge = Rational(10**5000 + 1, 3)
    assert headline("value", huge).text == "value ≈ 3.33333e4999 (exact: 5002 digits)"
    assert len(headline("gap", *compared(huge, Rational(1, 3))).text) <= LONGEST


def test_formulas_are_whole_or_told_by_their_shape():
    formula = "(1 + a - 2*a^(h + 1))/(1 + a + a^2 + a^3 + a^4 + a^5 + a^6 + a^7 + a^8 + a^9 + a^10 + a^11)"
    assert headline("least loss", number("1/(1 + a)")).text == "least loss 1/(1 + a)"
    assert headline("least loss", number(formula)).text == f"least loss a formula in a, h of {len(formula)} characters"


NO_ANSWER = {"convert", "demo", "index", "mechanisms", "register", "show", "sweep", "verify"}
"""Commands that ask nothing."""

EXAMPLES = [
    line.partition(" > ")[0]
    for name in COMMANDS
    if name not in NO_ANSWER
    for line in main.get_command(None, name).examples
    if "--dual-template" not in line
]


@pytest.mark.mostly_slow(12)
@pytest.mark.parametrize("line", EXAMPLES)
def test_the_first_line_of_an_example_has_the_value(tmp_path, monkeypatch, line):
    """What JSON has as the value stands in the line, or its decimal."""
    example_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    line = re.sub(r" (--json|-o \S+|--html \S+|--repaired \S+|--bundle \S+)", "", line)
    lines, body = run(line).out.splitlines(), run(f"{line} --json").json
    first, told = lines[0], body["headline"]
    assert len(first) <= LONGEST_LINE
    if "--compare" in line:  # the comparison comes first, and below it the verdict on the first table
        assert first == f"COMPARED  {body['comparison']['text']}"
        assert not CUT.search(first)
        first = next(below for below in lines[1:] if not below.startswith("better "))
    word, _, text = first.partition("  ")
    assert text.strip() == told["text"]
    assert word in {"PROVED", "REFUTED", "UNDECIDED", "REPLAYED", "NO CLAIM"}
    assert not CUT.search(text)
    value = told["value"]
    if isinstance(value, dict):  # a level
        value = value.get("alpha")
    shown = [str(x) for x in (value, told["decimal"]) if x is not None]
    asks_yes_or_no = told["value"] is None or told["decimal"] is None
    assert any(x in text for x in shown) or asks_yes_or_no
    assert told["assumed"], "nothing is said of what the answer is about"


def test_a_headline_without_evidence_is_the_claim_between_two_words():
    assert isinstance(headline("yes"), Headline)
    assert headline("x " * 80).text.endswith("…")


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("privacy identity.csv --graph path", "PROVED  no finite ε (tightest level α = 0)"),
        ("privacy identity.csv --graph path --alpha 1/2", "REFUTED  no finite ε (tightest level α = 0), so not private at α = 1/2"),
        ("privacy identity.csv --graph path --epsilon 2", "REFUTED  no finite ε (tightest level α = 0), so not private at ε = 2"),
        ("audit identity.csv --graph path", "NO CLAIM  no finite ε (tightest level α = 0)"),
        (
            "audit identity.csv --graph path --claims-epsilon 1",
            "REFUTED  no finite ε (tightest level α = 0), so the claim (ε = 1)-private is false",
        ),
        (
            "optimal identity.csv --graph path --alpha 1/2 --loss abs",
            "REFUTED  no finite ε (tightest level α = 0), so not private at α = 1/2",
        ),
        ("compose identity.csv identity.csv --graph path", "PROVED  level of 2 releases together: no finite ε (α = 0)"),
        ("delta identity.csv --graph path --delta 1/2", "PROVED  largest level for δ = 1/2: no finite ε (α = 0)"),
    ],
)
def test_a_level_0_is_said_to_keep_no_finite_epsilon_first(tmp_path, monkeypatch, command, line):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "identity.csv").write_text("1,0\n0,1\n", encoding="utf-8")
    assert run(command).first == line


ROWS = [["3/4", "1/4"], ["1/4", "3/4"]]
COIN = Mechanism(ROWS)
UNASKED = {
    "level": lambda m: tightest_level(m, "path"),
    "level for δ": lambda m: level_for_delta(m, "path", "1/100"),
    "releases": lambda m: sequential_level([m, m], "path"),
    "parts": lambda m: parallel_level([(m, "path"), (m, "path")]),
    "people": lambda m: collection_level([m, m]),
    "audit": lambda m: audit(m, "path"),
    "law": lambda m: tightest_level("two-coin:truth=1/2,yes=1/2", "path"),
}


@pytest.mark.parametrize("question", UNASKED)
def test_where_nobody_gave_a_level_epsilon_is_first_everywhere(question):
    answer = UNASKED[question](COIN)
    said = re.compile(r"[εα] (?:=|≈)")
    told = headline_of(answer).text
    texts = {
        "first line": verdict_text(answer).splitlines()[0],
        "below it": next((line for line in verdict_text(answer).splitlines() if re.match(r"(tightest|largest) level ", line)), "ε ="),
        "repr": repr(answer),
        "json": verdict_json(answer)["headline"]["text"],
        "html": re.sub(r"<[^>]*>", "", answer._repr_html_()).partition("level")[0] or "ε =",
    }
    assert " (α = " in told
    for where, text in texts.items():
        found = said.search(text.partition("δ = 1/100")[2] or text)
        assert found is None or found[0].startswith("ε"), (where, text)
    assert told in texts["first line"]
    assert told in texts["repr"]
    assert told == texts["json"]
    assert "varepsilon" in answer._repr_latex_() or "ε" in answer._repr_latex_()


@pytest.mark.parametrize("question", sorted(set(UNASKED) - {"law"}))
def test_where_somebody_spoke_alpha_it_is_first(question):
    answer = UNASKED[question](COIN.told_by(False))
    told = headline_of(answer).text
    assert re.search(r"[εα] =", told.partition("δ = 1/100")[2] or told)[0].startswith("α"), told


@given(st.fractions("1/100", "99/100", max_denominator=10**4))
def test_the_sentence_is_the_same_whoever_spoke(alpha):
    """The claim, and with it the certificate, does not depend on what is first in the headline."""
    number = exact(alpha)
    rows = [[1 / (1 + number), number / (1 + number)], [number / (1 + number), 1 / (1 + number)]]
    mine, other = (tightest_level(Mechanism(rows).told_by(by_epsilon), "path") for by_epsilon in (None, False))
    assert mine.claim == other.claim
    assert certify(mine).to_json() == certify(other).to_json()
    assert headline_of(mine).text != headline_of(other).text


def answer_of(name):
    """The answer of a public function to its valid arguments; None if it gives none."""
    try:
        found = public(name)(**arguments_of(name))
    except ExactDPError:
        return None
    return found if isinstance(found, Verdict) else None


FORMULA_ONLY = {"best_remap_by_level", "optimum_by_level"}
"""Whose LaTeX is the formula that is the answer."""


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_answer_of_python_has_the_same_first_line_in_every_form(name):
    answer = answer_of(name)
    if answer is None:
        return
    told = headline_of(answer)
    assert len(told.text) <= LONGEST
    assert not CUT.search(told.text)
    assert str(answer).splitlines()[0] == f"{answer.head.upper()}  {told.text}"
    assert repr(answer).startswith(f"<Verdict {answer.head.upper()}: {told.text}")
    assert len(repr(answer)) <= 2 * LONGEST_LINE
    assert verdict_json(answer)["headline"]["text"] == told.text
    shown = unescape(re.sub(r"<[^>]*>", "", re.sub(r"<math.*?</math>", " ", answer._repr_html_(), flags=re.DOTALL)))
    # Formulas are typeset there, in factors, and the level is α.
    typeset = re.search(r"[*^]|\ba\b", told.text) is not None
    words = [word for word in told.text.split() if (word.isalpha() and word != "a") or not typeset]
    assert re.search(r".*?".join(map(re.escape, words)), " ".join(shown.split())), shown
    latex = answer._repr_latex_()
    assert name in FORMULA_ONLY or latex.startswith(rf"\noindent\textbf{{{answer.head.capitalize()}:}} {text_latex(told.text)}.\par")
    if told.decimal:
        assert told.decimal in told.text or "only one" in told.text


def test_an_answer_by_level_whose_gap_is_zero_at_one_level_only_is_shown():
    """The formula of the gap is not 0, though it has a zero: a table is shown where it is not optimal."""
    answer = is_optimal_by_level(geometric(3, "1/4"), "path", MinimaxConsumer("abs"))
    assert answer.refuted
    assert "not optimal" in answer._repr_html_()
    assert "an optimal mechanism for" in verdict_text(answer)


ALGEBRAIC = "exponential:n=3,epsilon=ln 3"
"""Its tightest level is α = 2r − 2/3 with r = √(1/3), and ε = 0.71737046…"""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["privacy", ALGEBRAIC], "smallest ε = −ln(2*r + (-2/3)) ≈ 0.7173705 (α = "),
        (["privacy", ALGEBRAIC, "--epsilon", "ln 3"], "smallest ε = −ln(2*r + (-2/3)) ≈ 0.7173705, so private at ε = ln(3) ≈ 1.0986123"),
        (["privacy", ALGEBRAIC, "--alpha", "1/3"], "tightest level α = (2*r + (-2/3)) ≈ 0.488034 (ε ≈ 0.7173705), so private at α = 1/3"),
        (["audit", ALGEBRAIC], "smallest ε = −ln(2*r + (-2/3)) ≈ 0.7173705 (α = "),
        (["delta", ALGEBRAIC, "--delta", "1/100"], "largest level for δ = 1/100: ε ≈ 0.6961148 "),
    ],
)
def test_the_smallest_epsilon_of_an_algebraic_level_is_told(words, said):
    line = run(words).out.partition("\n")[0]
    assert said in line
    assert "smallest α" not in line
    assert len(line) <= LONGEST_LINE


def test_two_algebraic_levels_beside_each_other_have_their_epsilon():
    lines = run(["audit", ALGEBRAIC, "--compare", "noisy-max:n=3,epsilon=ln 3"]).out.splitlines()
    assert "0.717" in lines[0]
    assert not any("smallest α" in line for line in lines)


def test_a_level_in_a_letter_has_no_smallest_epsilon():
    assert headline_of(tightest_level(geometric(2, "symbolic"), "path")).text == "tightest level α = a"
    assert found_level(tightest_level(geometric(2, "symbolic"), "path").evidence.tightest, True).text == "tightest level α = a"


def test_a_prior_that_is_not_regular_says_a_number():
    told = headline_of(is_regular("path:3", "1/2", ["2/5", "1/5", "2/5"]))  # w = (-2/3, 5/3, -2/3)
    assert told.text == "not a regular prior: Σ π·w = -1/5 = -0.2, for regular ones at least 0"


def test_a_number_with_its_own_sign_is_no_second_equation():
    assert " = ≈" not in headline("det =", number(Rational(10**30 + 1, 3**70))).text


def test_two_closed_forms_too_long_for_a_line_begin_with_the_first():
    done = run("generalise minimax zero-one path")
    assert done.first == "REPLAYED  for every n ≥ 1: (2*a - 2*a^(h+1))/(1 + a - 2*a^(h+1)) for n = 2*h, another for n = 2*h+1"
    assert len(done.first) <= LONGEST_LINE


def test_a_least_delta_and_the_one_asked_have_equal_places():
    """At ε = 0 it is the distance of the rows (2/3, 1/3) and (1/3, 2/3), 1/3."""
    told = run("delta randomized-response:n=1,keep=2/3 --epsilon 0 --delta 1/5").first
    assert told == "REFUTED  least δ 1/3 ≈ 0.333333, so not private with δ = 1/5 = 0.200000"


def test_a_whole_number_beside_decimals_has_their_places():
    shown = compared(Rational("37/20"), Rational(2))
    assert [one.forms[-1] for one in shown] == ["1.85", "2.00"]
    assert [one.forms for one in compared(Rational(1), Rational(2))] == [("1",), ("2",)]


def test_an_answer_has_the_headline_that_json_has():
    answer = is_private(geometric(3, epsilon=1), "path", epsilon=1)
    assert answer.headline == verdict_json(answer)["headline"]["text"]
    assert str(answer).splitlines()[0] == f"PROVED  {answer.headline}"
    assert Verdict(answer.decision, "1 + 1 = 2", None).headline == "1 + 1 = 2"


def test_the_repr_of_numbers_over_an_epsilon_says_what_the_letter_is():
    assert "t = e^(−1)" in repr(geometric(3, epsilon=1))
