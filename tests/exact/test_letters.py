# SPDX-License-Identifier: MIT
"""Letters: assumptions as text and as mappings, numbers among them, and fields of several regions.

The other route to every value is Python's own: ``eval`` of the same text over Fractions, at random points.
"""

from __future__ import annotations

import pickle
import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactdp as xdp
from exactdp.errors import ExactDPError, InexactInputError, InputError, MixedDomainError, ResourceLimitError
from exactdp.exact import Interval, Rational, Region, RegionField, common_field, letters_of
from exactdp.exact.assumptions import WORDS, read_assumptions, require_letter
from exactdp.exact.region_functions import part_of_both

SAME = [
    ({"p": "(0, 1/2)", "q": "[0, 1)"}, [], "0 < p < 1/2, 0 <= q < 1"),
    ({"p": "(0, 1/2)", "q": "[0, 1)"}, ["p + q < 1"], "0<p<1/2 and 0≤q<1; p+q<1"),
    ({"p": "(0, oo)", "q": "(-oo, 3]"}, [], "p > 0\nq <= 3"),
    ({"p": (0, "1/2")}, [], "p in (0, 1/2)"),
    ({"p": Interval(0, "1/2", upper_closed=True)}, [], "p ∈ (0, 1/2]"),
    ({"p": "0 < p < 1", "q": "0 < q < 1"}, [], "p, q in (0, 1)"),
    ({"p": "(−1, 0.5)"}, [], "-1 < p < 1/2"),
    ({"p": "(0, 1)", "q": "(-oo, oo)"}, ["p*q < 1", "q > p^2"], "0 < p < 1, p*q < 1, p^2 < q"),
]


@pytest.mark.parametrize(("letters", "where", "text"), SAME, ids=[text for _, _, text in SAME])
def test_text_and_mapping_say_the_same(letters, where, text):
    assert Region(letters, where) == Region(text)
    assert letters_of(letters, where).region == letters_of(text).region


NUMBERS = st.fractions(-3, 3, max_denominator=6)


@given(
    st.lists(st.tuples(NUMBERS, st.fractions("1/6", 3, max_denominator=6), st.booleans(), st.booleans()), min_size=1, max_size=3), NUMBERS
)
def test_a_region_goes_through_its_text_and_through_what_json_has(ends, total):
    names = ["p", "q_1", "c"][: len(ends)]
    letters = {}
    ends = [(low, low + width, left, right) for low, width, left, right in ends]
    for name, (low, high, left, right) in zip(names, ends, strict=True):
        letters[name] = f"{'[' if left else '('}{low}, {high}{']' if right else ')'}"
    where = [f"{' + '.join(names)} < {total}"]
    if sum(low for low, _, _, _ in ends) >= total:
        with pytest.raises(InputError, match="contradict"):
            Region(letters, where)
        return
    region = Region(letters, where)
    assert Region(str(region)) == region
    assert Region(*region.told()) == region
    assert pickle.loads(pickle.dumps(region)) == region
    for point in region.points(5):
        values = [point[name].as_fraction() for name in names]
        assert sum(values) < total
        for x, (low, high, left, right) in zip(values, ends, strict=True):
            assert low <= x if left else low < x
            assert x <= high if right else x < high


ATOMS = st.sampled_from(["p", "q", "n", "1", "2", "1/3", "0.5"])
FORMULAS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda t: f"({t[0]}){t[1]}({t[2]})"),
        inner.map(lambda x: f"({x})^2"),
        inner.map(lambda x: f"({x})^(n-2)"),
        inner.map(lambda x: f"({x})/(1+p*q)"),
    ),
    max_leaves=6,
)


def by_python(text: str, values: dict[str, Fraction]) -> Fraction:
    """The value by Python's own parser, over Fractions."""
    exact = re.sub(r"(?<![\w.])(\d+(?:\.\d+)?)(?![\w.])", r"Fraction('\1')", text.replace("^", "**"))
    exact = re.sub(r"\*\*Fraction\('(\d+)'\)", r"**\1", exact).replace("(n-Fraction('2'))", "(n-2)").replace("**(n-2)", "**(int(n)-2)")
    return Fraction(eval(exact, {"Fraction": Fraction, "int": int, "__builtins__": {}}, dict(values)))


@given(FORMULAS, st.integers(2, 4), st.fractions("1/9", "1/2", max_denominator=40), st.fractions("1/9", 3, max_denominator=40))
def test_a_formula_has_the_value_that_python_finds(text, n, p, q):
    letters = letters_of({"p": "(0, 1/2]", "q": "q > 0", "n": n})
    function = letters.read(text)
    expected = by_python(text, {"p": p, "q": q, "n": Fraction(n)})
    assert function.value({"p": p, "q": q}) == expected
    assert letters.read(str(function)) == function


def test_n_is_a_number_where_it_is_given_as_one():
    with pytest.raises(InputError, match=r"n in an exponent, which must be a number.*'n': 3.*n = 3"):
        xdp.matrix([["(1-a^2)^(n-1)", 0]], "0 < a < 1")
    for n in (1, 2, 5):
        assert xdp.matrix([["(1-a^2)^(n-1)"]], {"a": "(0, 1)", "n": n}) == xdp.matrix([[f"(1-a^2)^{n - 1}"]], {"a": "(0, 1)"})
    assert xdp.matrix([["2^n/n"]], "n = 3")[0, 0] == Rational("8/3")
    assert xdp.matrix([["2^n/n"]], "n = 3").field is xdp.QQ
    with pytest.raises(InputError, match="not an integer"):
        xdp.matrix([["p^n"]], {"p": "(0, 1)", "n": "1/2"})


REFUSED = [
    ({"p": "(1, 0)"}, r"ends of '\(1, 0\)' are reversed"),
    ({"p": "[1, 1]"}, r"'\[1, 1\]' leaves p no room.*write 1"),
    ({"p": Interval.point(1)}, "p is the number 1 only"),
    ({"p": "[0, oo]"}, "infinite end is included"),
    ({"p": "(oo, 1)"}, "infinity is on the wrong side"),
    ({"p": "(0, sqrt(2))"}, r"sqrt\(2\) is irrational.*p\^2 < 1/2"),
    ({"p": Interval(0, xdp.AlgebraicNumber([-2, 0, 1], 1, 2))}, "irrational"),
    ("0 < p < pi", "'pi' can't be a letter, it is the number π"),
    ({"p": "(0, q)"}, r"speaks of q, which is none of the letters p; give q an assumption of its own"),
    ({"p": "0 < q < 1", "q": "(0, 1)"}, "the assumption about p, '0 < q < 1', does not speak of p"),
    ({"p": "(0, 1)", "q": "p > 1/2"}, "does not speak of q"),
    ("0 < p, q < 1", r"can be read in two ways; write 0 < p < 1, 0 < q < 1"),
    ("p", "nothing is assumed about p"),
    ("p in (0, 1), q", "nothing is assumed about q"),
    ("p in", "interval is missing"),
    ("", "no assumption"),
    ("p ~ 1", "no assumption"),
    ("p < q <", "a side of it is empty"),
    ("0 < 1 < p", "no letter is left"),
    ("1/p < 2", "a letter is in a denominator"),
    ("p in ]0, 1[", "closing bracket without"),
    ("p in (0, 1", "not closed"),
    ("p = q", "no assumption"),
    ("ε < 1", r"ε = −ln\(α\) can't be a letter.*0 < a < 1"),
    ("0 < p < 1, p > 2", r"no p satisfies 0 < p < 1, p > 2; the assumptions contradict"),
    ("p <= 1, p >= 1", "leave no open set of points"),
    ("0 < a < 1, 0 < alpha < 1", "one letter, the level's"),
    (", ".join(f"0 < x{k} < 1" for k in range(7)), r"7 letters \(x0, .*\) are more than 6; give some of them as numbers"),
    ({"p q": "(0, 1)"}, "'p q' is no letter"),
    ({"x" * 17: "(0, 1)"}, "is no letter"),
    ({1: "(0, 1)"}, "1 is no letter"),
    ({}, "give each with its assumption"),
    (3, "give each with its assumption"),
    ({"p": None}, "the assumption about p is None"),
    ({"p": True}, "the assumption about p is True"),
    ({"p": "real"}, "no assumption about p"),
]


@pytest.mark.parametrize(("letters", "message"), REFUSED, ids=[str(letters)[:50] for letters, _ in REFUSED])
def test_bad_assumptions_are_refused_in_one_sentence(letters, message):
    with pytest.raises(InputError, match=message) as caught:
        letters_of(letters)
    assert "\n" not in caught.value.message
    with pytest.raises(InputError, match=message):
        xdp.Mechanism([["p", "1-p"]], letters=letters)


@pytest.mark.parametrize("letters", [{"p": 0.5}, {"p": (0, 0.5)}, {"p": (0.0, 1)}])
def test_floats_are_refused_by_name(letters):
    with pytest.raises(InexactInputError, match=r"0\.[05] is a float"):
        letters_of(letters)


@pytest.mark.parametrize("word", sorted(WORDS))
def test_words_with_another_meaning_are_no_letters(word):
    with pytest.raises(InputError, match=f"{word!r} can't be a letter, it is"):
        require_letter(word)
    with pytest.raises(InputError, match="can't be a letter"):
        Region({word: "(0, 1)"})


@pytest.mark.parametrize("text", ["0 < p^1000000 < 1", "0 < (p+q)^15000 < 1", "0 < p < 2^(9^99999)"])
def test_huge_exponents_are_announced_by_the_budget(text):
    with pytest.raises(ResourceLimitError, match="the limit is"):
        letters_of(text)


def test_many_assumptions_are_bounded():
    pairs = [(i, j) for i in range(-30, 30) for j in range(-30, 30) if i and j]
    text = ", ".join(f"{i}*p + {j}*q + {(i * j) % 7}*r + {(i + j) % 5}*s > -1" for i, j in pairs)
    with pytest.raises(ResourceLimitError, match="the elimination of letters from the assumptions has"):
        Region(text)


def test_unused_letters_are_allowed():
    M = xdp.matrix([["p", "1-p"]], "0 < p < 1, 0 < q < 1")
    assert M.field.names == ("p", "q")
    assert letters_of("0 < p < 1, n = 3").names == ("p", "n")


def test_assumptions_keep_the_order_of_the_letters():
    assert read_assumptions("q > p, p > 0, n = 2")[0] == {"q": "(-oo, oo)", "p": "(-oo, oo)", "n": "2"}


# --- Several regions ---

SMALL = st.sampled_from(["0 < p < 1", "0 < p < 1/2", "p >= 1/4", "0 < q < p, p < 1", "p + q <= 1, p > 0", "c > 0", "0 < a < 1"])


@given(SMALL, SMALL)
def test_the_part_of_two_regions_is_where_both_hold(first, second):
    one, two = Region(first), Region(second)
    both = part_of_both(one, two)
    assert set(both.names) == {*one.names, *two.names}
    for point in both.points(12):
        assert one.contains(point)
        assert two.contains(point)
    if both is one:
        assert all(two.contains(point) for point in one.points(12))
    for point in part_of_both(one, two).points(3):
        assert both.contains(point)
    field = common_field(RegionField(one), RegionField(two))
    for own in (RegionField(one), RegionField(two)):
        for x in own.gens:
            assert str(field(x)) == str(x)


def test_a_field_is_not_widened():
    narrow = RegionField("0 < p < 1/2")
    with pytest.raises(MixedDomainError, match="known for 0 < p < 1/2 only"):
        RegionField("0 < p < 1")(narrow("1/(1-p)"))
    assert RegionField("0 < p < 1/4")(narrow("1/(1-2*p)")).value({"p": "1/8"}) == Rational("4/3")
    with pytest.raises(InputError, match=r"no p satisfies 0 < p < 1/2, 1/2 < p < 1"):
        common_field(narrow, RegionField("1/2 < p < 1"))


def test_letters_join_the_level():
    level = xdp.PrivacyLevel.symbolic((0, "1/2"))
    field = common_field(RegionField("0 < p < 1"), level)
    assert field.region == Region("0 < p < 1, 0 < a < 1/2")
    assert common_field(RegionField("0 < a < 1/3, 0 < p < a"), level).region == Region("0 < a < 1/3, 0 < p < a")
    joint = Region("0 < alpha < 1/2, p > 0").with_conditions(["alpha < 1"])
    assert common_field(RegionField("0 < alpha < 1, p > 0"), level).region == joint


def test_numbers_and_letters_of_one_name_are_told():
    for first, second in (("0 < p < 1", "p = 2"), ("p = 2", "0 < p < 1"), ("p = 2", "p = 3")):
        with pytest.raises(InputError, match="p is said to be"):
            letters_of(first).joined(letters_of(second))
    assert letters_of("p = 2").joined(letters_of("p = 2, q > 0")).names == ("q", "p")


def test_a_pole_is_named_with_a_point_where_it_is():
    for text, region in (("1/(1-3*p)", "0 < p < 1/2"), ("1/(p-q)", "0 < p < 1, 0 < q < 1"), ("p/(p*q - 1/8)", "0 < p < 1, 0 < q < 1")):
        field = RegionField(region)
        with pytest.raises(ExactDPError, match="its denominator is 0 at") as caught:
            field(text)
        point = caught.value.facts["points"][0]
        assert field.region.contains(point)
        below = text.partition("/")[2]
        assert by_python(below, {name: x.as_fraction() for name, x in point.items()}) == 0
