# SPDX-License-Identifier: MIT
"""What is printed of a level is read back as this level, wherever a level is given."""

from __future__ import annotations

import re

import pytest
from cli_runner import run
from hypothesis import given
from hypothesis import strategies as st

import exactdp as xdp
from exactdp.errors import ExactDPError, InputError
from exactdp.exact import ExponentialField, Rational
from exactdp.model import Distance, Epsilon, PrivacyLevel, TightestLevel
from exactdp.report.headline import asked, level, smallest_epsilon

T = ExponentialField("1/2").gen
TWO = ExponentialField(1, roots=(1, 2))
LEVELS = {
    "rational": TightestLevel("1/4"),
    "long rational": TightestLevel(Rational(3**100, 2**160)),
    "decimal": TightestLevel("0.999"),
    "root": TightestLevel("1/3", 2),
    "power of a root": TightestLevel("2/5", "3/2"),
    "rational ε": TightestLevel(T**2),
    "half of it": TightestLevel(T, 2),
    "times a number below 1": TightestLevel(2 * T / 3),
    "times a number above 1": TightestLevel(3 * T / 2),
    "times a number, of a power": TightestLevel(5 * T**3 / 4),
    "formula": TightestLevel(T / (1 + T)),
    "another": TightestLevel(2 * T / (1 + T**2)),
    "root of a formula": TightestLevel(T / (1 + T), 3),
    "two exponentials": TightestLevel(TWO.exponential(1) * TWO.exponential(1, 2)),
    "formula in two": TightestLevel((TWO.exponential(1) + TWO.exponential(1, 2)) / 2),
}


def printed(found: TightestLevel) -> set[str]:
    """What sentences, first lines and facts say of a level; a rounded number alone is none."""
    epsilon = found.epsilon
    texts = {str(found), found.text, found.told(True), found.told(False), str(epsilon), epsilon.text, epsilon.equation()}
    for by_epsilon in (True, False, None):
        texts |= set(level(found, by_epsilon).forms)
    texts |= {f"ε = {epsilon}", f"α = {found}", *asked(found).forms, *smallest_epsilon(found).forms}
    return {text for text in texts if not text.startswith("≈") and re.search(r"=|^[^≈]*$|≈.*\(ln", text) and "(exact:" not in text}


def meanings(found: TightestLevel) -> str:
    """What is printed beside it of its letters."""
    return "".join(f", {name} = {said}" for name, said in found.ratio.field.legend.items())


@pytest.mark.parametrize("kind", LEVELS)
def test_a_printed_level_is_read_back(kind):
    found = LEVELS[kind]
    texts = printed(found)
    assert len(texts) >= 4
    for text in texts:
        told = text + meanings(found)
        as_epsilon = Epsilon(told) if re.match(r"\s*(ε|ln|−ln|[0-9/]*·?ln)", told) else None
        assert as_epsilon is None or as_epsilon == found.epsilon, told
        if text != str(found.epsilon) or "ln" in text:  # an ε alone, without its name, is no level
            assert Epsilon.of_level(*_parts(told)) == found.epsilon, told


def _parts(told: str):
    """The ratio and distance of a level that is read; a root that is no PrivacyLevel is read as its ε."""
    if "(α" in told or "(ε" in told:
        read = Epsilon(told)
        return read.ratio, read.distance
    if told in ROOTS:  # no number of a field: no mechanism can be asked at it
        with pytest.raises(InputError, match="irrational root"):
            PrivacyLevel(told)
        return ROOTS[told]
    read = PrivacyLevel(told).as_tightest()
    return read.ratio, read.distance


ROOTS = {text + meanings(found): (found.ratio, found.distance) for found in [LEVELS["root of a formula"]] for text in printed(found)}


@pytest.mark.parametrize("sign", [" · ", ", ", "; "])
def test_what_t_is_stands_after_any_separator(sign):
    assert PrivacyLevel(f"3*t/2{sign}t = e^(−1/2)").alpha == 3 * T / 2
    assert PrivacyLevel(f"3*t/2{sign}t = exp(-1/2)").alpha == 3 * T / 2
    assert PrivacyLevel("3*e^(-1/2)/2").alpha == PrivacyLevel("3*exp(-1/2)/2").alpha == 3 * T / 2


def test_a_letter_beside_its_epsilon_needs_no_meaning():
    for text in ("α = 3*t/2 (ε = 1/2 − ln(3/2) ≈ 0.09453489)", "ε = 1/2 − ln(3/2) ≈ 0.09453489 (α = 3*t/2)"):
        assert PrivacyLevel(text).alpha == 3 * T / 2
        assert PrivacyLevel(epsilon=text).alpha == 3 * T / 2
    assert PrivacyLevel("α = 5*t^2/4 (ε = 1 − ln(5/4))").alpha == 5 * T**2 / 4


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("3*t/2", "say which one, as in '3*t/2, t = e^(−1/2)'"),
        ("α = t/(t + 1)", "has the letter t, a power of e"),
        ("−ln(t/(t + 1))", "has the letter t, a power of e"),
        ("ε ≈ 1.386294", "has only rounded numbers"),
        ("α ≈ 0.25", "has only rounded numbers"),
        ("α ≈ 0.57735 (ε ≈ 0.5493061)", "has only rounded numbers"),
        ("ε ≈ 0.45 (exact: 38 characters)", "has only rounded numbers"),
        ("α = 1/4 (ε ≈ 1.386395)", "is not the decimal"),
        ("ε = 1 (α ≈ 0.37)", None),
        ("ε = 1 (α ≈ 0.38)", "is not the decimal"),
        ("α = 1/4 (ε = ln(5))", "has two levels"),
        ("ε = 1 − ln(3/2) (α = 5*t/4)", "has two levels"),
        ("α = 5*t/4 (ε = 1/2 − ln(3/2))", "has two levels"),
        ("3*t/2, t = e^(−1/10)", "not between 0 and 1"),
    ],
)
def test_what_says_no_level_is_refused(text, said):
    if said is None:
        assert PrivacyLevel(text) == PrivacyLevel(epsilon=1)
        return
    with pytest.raises(InputError, match=re.escape(said)):
        PrivacyLevel(text)


@pytest.mark.parametrize("text", ["e^(−1)", "3*t/2", "(1/3)^(1/2)"])
def test_an_alpha_where_an_epsilon_is_meant_says_so(text):
    with pytest.raises(InputError, match=r"it is a level α: give it as the level \(--alpha\)"):
        Epsilon(text)


def test_both_may_be_typed_as_one_of_them_is():
    for text in ("1/3 (ε = ln 3)", "α=1/3 (eps = ln 3)", "ln 3 (α = 1/3)", "epsilon = ln(3) (alpha = 1/3)", "α = 1/9 (ε = 2 ln 3)"):
        level = PrivacyLevel(text)
        assert level.alpha == Rational("1/9" if "9" in text else "1/3")
        assert level.by_epsilon == text.startswith(("ln", "eps"))
        assert Epsilon(text) == level.epsilon


@pytest.mark.parametrize(
    "text",
    [
        "(e^(-1))^(1/2)*(e^(-2))^(1/2)",
        "−ln(t/(t + 1)) − ln(t), t = e^(−1)",
        "−ln(e^(−1)/2)/3/2",
        "−ln(2 + e^(−1))",
        "ln(e^(−1)/2)",
        "(1/3)^(1/2)*(1/5)^(1/2)",
        "3*t/2, t = e^(1/2)",
        "3*u/2, u = e^(−1/2)",
        "t/(t - t), t = e^(−1)",
    ],
)
def test_what_is_no_printed_level_is_no_level(text):
    with pytest.raises((ExactDPError, ZeroDivisionError)):
        PrivacyLevel(text)


def test_a_letter_t_of_ones_own_is_no_exponential():
    assert str(PrivacyLevel("t/2", letters="0 < t < 1")) == "t/2"
    assert str(PrivacyLevel("t", letters={"t": "1/3"}).alpha) == "1/3"


@given(st.fractions("1/50", "49/50", max_denominator=60), st.fractions("1/9", 3, max_denominator=9))
def test_products_are_read_back(factor, rate):
    number = Rational(factor.numerator, factor.denominator) * ExponentialField(Rational(rate.numerator, rate.denominator)).gen
    found = TightestLevel(number)
    for text in (found.told(True), found.told(False), found.epsilon.text):
        assert PrivacyLevel(text).as_tightest() == found, text


TABLES = {
    "numbers": "3/4,1/4\n1/4,3/4\n",
    "a long one": "12345/54321,41976/54321\n1/2,1/2\n",
    "exponentials": "1/(1+exp(-1/2)),exp(-1/2)/(1+exp(-1/2))\nexp(-1/2)/(1+exp(-1/2)),1/(1+exp(-1/2))\n",
    "a product": "2*exp(-1/2)/3,1-2*exp(-1/2)/3\n1/2,1/2\n",
    "a formula": "1/(2+exp(-1/2)),1-1/(2+exp(-1/2))\n1/2,1/2\n",
}


@pytest.mark.parametrize("kind", TABLES)
def test_the_first_line_of_privacy_is_a_level_of_the_command(tmp_path, kind):
    (tmp_path / "t.csv").write_text(TABLES[kind], encoding="utf-8")
    asked_of = f"exactdp privacy {tmp_path / 't.csv'} --graph path"
    answer = run(asked_of)
    told = re.fullmatch(r"PROVED +(?:smallest|tightest level) (.*)", answer.first)[1]
    legend = "".join(f", {found}" for found in re.findall(r"t[0-9]* = e\^\([^·]*\)", answer.about))
    for option in ("--epsilon", "--alpha"):
        again = run([*asked_of.split()[1:], option, told + legend])
        assert again.first.startswith("PROVED "), (again.first, again.err)
    table = xdp.load(tmp_path / "t.csv")
    same = xdp.is_private(table, "path", told + legend)
    assert same.proved
    assert same.evidence.tightest == same.evidence.level.as_tightest()


def test_a_distance_of_two_squares():
    root = TightestLevel("1/3", Distance.parse("sqrt(2)"))
    assert Epsilon(root.text) == Epsilon(root.told(True)) == root.epsilon
