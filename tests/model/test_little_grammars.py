"""What is typed has one value, whoever reads it: each of our little grammars against that of formulas."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from math import log
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from exactdp.errors import ExactDPError, InputError
from exactdp.exact import Interval, Rational, letters_of, parse_expression
from exactdp.exact.formula import evaluate
from exactdp.exact.symbols import SymbolField
from exactdp.mechanisms import mechanism_from_spec
from exactdp.model import PrivacyLevel, SideInformation
from exactdp.model.epsilon import Epsilon
from exactdp.model.faults import as_rounding
from exactdp.model.metric import Distance
from exactdp.readers.cells import plain_number
from exactdp.readers.tables import read_prior, read_table


def fraction(number: Any) -> Fraction:
    """A rational number as Python has it; InputError for what is none."""
    if not isinstance(number, Rational):
        raise InputError(f"{number} is no rational number", value=number)
    return Fraction(int(number.numerator), int(number.denominator))


def formula(text: str) -> Fraction:
    """The value of the grammar of formulas."""
    return fraction(evaluate(parse_expression(text), {}))


def level_of_e(text: str) -> Fraction:
    """T of e^(−T), which a level is typed as."""
    return fraction(PrivacyLevel(f"e^(-{text})").epsilon.rational)


def interval_end(text: str) -> Fraction:
    """The lower end that an interval of a letter has, as text: the point where the region begins."""
    region = letters_of({"p": f"({text}, 1000000)"}).region
    if region is None:
        raise InputError("no region", value=text)
    end = formula(text)
    small = Fraction(1, 10**40)
    inside = [region.contains({"p": Rational(end + step)}) for step in (-small, 0, small)]
    if inside != [False, False, True]:
        raise RuntimeError(f"the region of ({text}, 1000000) does not begin at {end}")
    return end


def word_parameter(text: str) -> Fraction:
    """A parameter of a word for a mechanism: the probability that is kept."""
    return fraction(mechanism_from_spec(f"randomized-response:n=1,keep={text}").matrix[0, 0])


def word_epsilon(text: str) -> Fraction:
    """The ε of a word, from the mechanism that it makes."""
    table = mechanism_from_spec(f"randomized-response:n=1,epsilon={text}").matrix
    return fraction(Epsilon.of_level(table[0, 1] / table[0, 0]).rational)


def letter_number(text: str) -> Fraction:
    """What a letter is that is said to be a number."""
    return fraction(letters_of(f"n = {text}").numbers["n"])


def exact(read: Callable[[str], Any]) -> Callable[[str], Fraction]:
    return lambda text: fraction(read(text))


READERS: dict[str, Callable[[str], Fraction]] = {
    "formula": formula,
    "number": exact(Rational),
    "cell": exact(lambda text: Rational(plain_number(text))),
    "table": exact(lambda text: read_table(f'[["{text}"]]').matrix[0, 0]),
    "level": exact(lambda text: PrivacyLevel(text).alpha),
    "alpha =": exact(lambda text: PrivacyLevel(f"alpha={text}").alpha),
    "epsilon": exact(lambda text: Epsilon(text).rational),
    "epsilon =": exact(lambda text: PrivacyLevel(f"epsilon={text}").epsilon.rational),
    "e^(-T)": level_of_e,
    "distance": exact(lambda text: Distance.parse(text).rational),
    "rounding": exact(as_rounding),
    "end of an interval": exact(lambda text: Interval(text, 10**6).lower),
    "end of a letter's interval": interval_end,
    "a letter's number": letter_number,
    "word": word_parameter,
    "word's epsilon": word_epsilon,
    "weight": exact(lambda text: read_prior(f"{text},0").weights[0]),
}


def read_by_all(text: str) -> dict[str, Fraction]:
    """The value of each reader that takes the text."""
    found = {}
    for name, read in READERS.items():
        try:
            found[name] = read(text)
        except ExactDPError:
            continue
    return found


PIECES = ["1", "2", "3", "10", "0", "0.5", "1e2", "1E-1", ".5", "4.", "/", "/", "*", "·", "^", "**", "-", "−", "+", "(", ")", " ", "%"]
PIECES += ["−", "2^-3", "1/2", "1/3", "01", ",", "e", "\u2009"]


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=7).map("".join))
@example("1/2/3")
@example("1/2*3")
@example("2^-3")
@example("2^-3/2")
@example("1e2/3")
@example("- 1/2")
@example("−1/2")
@example("50%")
@example("1/2%")
def test_a_text_is_one_number_or_is_refused(text):
    found = read_by_all(text)
    found.pop("weight", None) if found.get("weight") != 1 else None
    assert len(set(found.values())) <= 1, (text, found)


@pytest.mark.parametrize(("text", "value"), [("1/2", "1/2"), ("0.25", "1/4"), ("1e-2", "1/100"), ("3/4", "3/4")])
def test_what_a_number_is_typed_as_is_read_by_all(text, value):
    """The property above is about something: everybody reads these, except what has another domain."""
    found = read_by_all(text)
    assert set(found.values()) == {Fraction(value)}
    assert set(READERS) - set(found) <= {"weight", *(["e^(-T)", "a letter's number"] if "e" in text else ["rounding"])}


# ── ε: products and quotients with a logarithm ──


def by_formula(text: str) -> tuple[Fraction, Fraction] | None:
    """(c, q) with the text's value c·ln(q), by the grammar of formulas in a letter for the logarithm.

    None where that grammar refuses it: a factor without a sign, or no multiple of one logarithm.
    """
    found = re.findall(r"(?:ln|log)\(([^()]*)\)", text)
    if len(found) != 1:
        return None
    plain = re.sub(r"(?:ln|log)\([^()]*\)", "x", text).replace("−", "-").replace("·", "*")
    field = SymbolField(["x"])
    try:
        value = evaluate(parse_expression(plain, ["x"]), {"x": field.symbol("x")}, field)
        at = [fraction(value.value({"x": Rational(k)})) for k in (1, 2)]
        of = formula(found[0])
    except ExactDPError:
        return None
    return (at[0], of) if at[1] == 2 * at[0] else None


def by_evaluation(text: str) -> float:
    """What arithmetic makes of the text: a number before a logarithm or a bracket multiplies it."""
    plain = text.replace("−", "-").replace("·", "*").replace("^", "**")
    signed = re.sub(r"(?<=[0-9.)])\s*(?=ln|log|\()", "*", plain)
    return float(eval(signed.strip(), {"ln": log, "log": log}))


OF_LOGARITHMS = ["ln(9)", "log(4)", "ln(1/2)", "ln(3)", "ln(1/2/2)", "1", "2", "3", "1/2", "0.5", "(1/2)", "(3/2)"]
OF_LOGARITHMS += ["/", "/", "/", "*", "·", "-", "−", "(", ")", " ", "^2", "+"]


@given(st.lists(st.sampled_from(OF_LOGARITHMS), min_size=1, max_size=6).map("".join).filter(lambda text: "l" in text))
@example("ln(9)/1/2")
@example("ln(9)/(1/2)")
@example("1/2*ln(9)")
@example("1/2*ln(9)/2")
@example("-ln(1/2)")
@example("- 2*ln(1/2)/(3/2)")
@example("ln(9)/2*3")
@example("2ln(3)")
@example("1/2ln(9)")
@example("(1/2)ln(9)")
@example("ln(9)-ln(9)")
@example("ln(9)+ln(1/2)")
def test_an_epsilon_is_the_formula_or_is_refused(text):
    meant = by_formula(text)
    try:
        found = Epsilon(text)
    except ExactDPError:
        return
    if meant is None:  # a sum, or a factor without a sign, as in 2ln(3)
        assert by_evaluation(text) == pytest.approx(float(found), abs=1e-9)
        return
    factor, of = meant
    assert float(factor) * log(of) == pytest.approx(float(found.enclosure(12)[0]), abs=1e-9)
    assert (found.scaled(factor.denominator) if factor.denominator > 1 else found) == expected(abs(factor.numerator), of)


def expected(times: int, of: Fraction) -> Epsilon:
    """The ε whose level is the power of a rational number: ln(max(q, 1/q)^times)."""
    above = max(of, 1 / of) ** times
    return Epsilon.of_level(Rational(above.denominator, above.numerator))


SECOND = ["ln(9)/1/2", "ln(9) / 1 / 2", "log(9)/1/2", "2*ln(9)/1/2", "ln(9)/2/3", "ln(9)/1/2/3"]


@pytest.mark.parametrize("text", SECOND)
def test_a_second_slash_is_refused_everywhere(text):
    readers: list[Callable[[str], Any]] = [
        Epsilon,
        lambda text: PrivacyLevel(epsilon=text),
        lambda text: PrivacyLevel(f"epsilon={text}"),
        lambda text: mechanism_from_spec(f"randomized-response:n=1,epsilon={text}"),
        lambda text: mechanism_from_spec("geometric:n=2", PrivacyLevel(f"ε={text}")),
    ]
    for read in readers:
        with pytest.raises(ExactDPError, match="a second '/' after the logarithm"):
            read(text)


@pytest.mark.parametrize("remedy", ["ln(9)/(1/2)", "1/2*ln(9)"])
def test_the_remedies_that_it_names_are_read(remedy):
    assert Epsilon(remedy) == Epsilon("ln(81)" if "(1/2)" in remedy else "ln(3)")


# ── Sets and intervals ──


@given(st.lists(st.sampled_from(["0", "1", "2", "3", "..", ",", " ", "-", ";", "1/2", ".", "[", ")"]), min_size=1, max_size=6).map("".join))
def test_side_information_is_a_range_or_a_list_of_labels(text):
    """The range is of whole numbers, and a list names each label as it is: by Python's own reading."""
    try:
        found = SideInformation.parse(text, range(4)).labels
    except ExactDPError:
        return
    low, dots, high = text.partition("..")
    meant = range(int(low), int(high) + 1) if dots else [part.strip() for part in text.split(",")]
    assert set(found) == {str(label) for label in meant}


@pytest.mark.parametrize("text", ["(0 < q, 1)", "(0, p < 1)", "[0 <= q, 1]"])
def test_an_end_of_an_interval_is_no_inequality(text):
    with pytest.raises(ExactDPError, match="is an inequality; ends are numbers"):
        letters_of({"p": text, "q": "(0, 1)"})
