"""ε as an exact value: what is typed, what is printed, enclosures and comparisons, against mpmath."""

from __future__ import annotations

import pickle
from fractions import Fraction

import mpmath
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from exactdp import MinimaxConsumer, PrivacyLevel, Rational, TightestLevel, geometric, is_private, neighbours, optimum
from exactdp.errors import DomainError, InexactInputError, InputError, ParameterRangeError, RationalSyntaxError
from exactdp.exact import AlgebraicNumber, ExponentialField, Interval
from exactdp.exact.algebraic import digits_apart
from exactdp.exact.piecewise import Piecewise
from exactdp.model.epsilon import Epsilon
from exactdp.model.level import as_level, level_for
from exactdp.model.metric import Distance

proper = st.fractions(min_value="1/1000", max_value="999/1000", max_denominator=1000).map(lambda x: Rational(x.numerator, x.denominator))
positive = st.fractions(min_value="1/50", max_value=20, max_denominator=50).map(lambda x: Rational(x.numerator, x.denominator))
squares = st.sampled_from(["1", "4", "2", "1/2", "9/4", "3"]).map(Rational)


def mp(x):
    return mpmath.mpf(int(x.numerator)) / int(x.denominator)


def real(ratio, square):
    """−ln(ratio)/√square to 60 digits."""
    with mpmath.workdps(60):
        return -mpmath.log(mp(ratio)) / mpmath.sqrt(mp(square))


@given(proper, squares, st.integers(0, 30))
def test_an_enclosure_holds_the_logarithm(ratio, square, digits):
    low, high = Epsilon.of_level(ratio, Distance(square)).enclosure(digits)
    with mpmath.workdps(60):
        assert mp(low) < real(ratio, square) < mp(high)
    assert high - low == Rational(1, 10**digits)


@given(proper, squares, st.integers(1, 20))
def test_the_level_is_enclosed_as_well(ratio, square, digits):
    level = TightestLevel(ratio, Distance(square))
    low, high = level.enclosure(digits)
    with mpmath.workdps(60):
        root = mp(ratio) ** (1 / mpmath.sqrt(mp(square)))
        assert mp(low) - mpmath.mpf(10) ** -50 <= root <= mp(high) + mpmath.mpf(10) ** -50
    assert high - low in (0, Rational(1, 10**digits))
    assert (level.alpha == low) == (high == low)


def test_a_rational_level_of_an_exponential_field_is_written_as_one():
    third = ExponentialField("1/2")("1/3")
    assert [str(Epsilon.of_level(third, d)) for d in (1, 2)] == ["ln(3)", "ln(3)/2"]


@given(proper, squares, positive)
def test_an_epsilon_compares_as_logarithms_do(ratio, square, number):
    epsilon = Epsilon.of_level(ratio, Distance(square))
    with mpmath.workdps(60):
        assert (epsilon < number) == (real(ratio, square) < mp(number))
    assert epsilon != number  # e^(−ε) is transcendental
    assert (epsilon < Epsilon(number)) == (TightestLevel(ratio, Distance(square)) > PrivacyLevel(epsilon=number))


@given(proper, proper)
def test_equal_exactly_where_the_levels_are(x, y):
    assert (Epsilon.of_level(x) == Epsilon.of_level(y)) == (x == y)
    assert Epsilon.of_level(x * x, 2) == Epsilon.of_level(x)
    assert hash(Epsilon.of_level(x * x, 2)) == hash(Epsilon.of_level(x))
    assert Epsilon.of_level(x * x) == Epsilon.of_level(x).scaled(2)


@given(positive)
def test_a_rational_epsilon_is_itself(number):
    for text in (number, str(number), f"{number}"):
        epsilon = Epsilon(text)
        assert epsilon.rational == number == epsilon.lower == epsilon.upper
    level = PrivacyLevel(epsilon=number)
    assert level.epsilon == number == level.as_tightest().epsilon
    assert hash(level.epsilon) == hash(Epsilon(number))
    assert level == PrivacyLevel.from_epsilon(number)
    assert pickle.loads(pickle.dumps(level)).by_epsilon
    assert f"ε = {level.epsilon}" == level.said


fractions = st.fractions(min_value="1/8", max_value=6, max_denominator=8)
parts = st.one_of(
    fractions.map(Epsilon),
    st.builds(lambda q, c: Epsilon(f"ln({1 + q})").scaled(c), fractions, fractions),
    st.builds(lambda q, c: Epsilon(f"{c}*sqrt({q})"), st.integers(2, 12), fractions),
)


@settings(max_examples=80)
@given(st.lists(parts, min_size=1, max_size=4), st.integers(0, 15))
def test_each_printed_form_of_a_sum_or_difference_is_read_back(terms, signs):
    added = [x for place, x in enumerate(terms) if not signs >> place & 1]
    subtracted = [x for place, x in enumerate(terms) if signs >> place & 1]
    more, less = sum(added, Epsilon(0)), sum(subtracted, Epsilon(0))
    epsilon = more - less if more >= less else less - more
    text = str(epsilon)
    for form in (text, epsilon.text, epsilon.equation(), text.replace("−", "-"), text.replace("·", "*"), text.replace(" ", "")):
        assert Epsilon(form) == epsilon
    if epsilon > 0 and epsilon.level is not None:
        assert PrivacyLevel(f"ε = {epsilon.text}").epsilon == epsilon


def test_the_decimal_beside_an_exact_form_is_of_it():
    assert Epsilon("ln(3) ≈ 1.1") == Epsilon("≈ 1.0986 (ln(3))") == Epsilon("ln(3)")
    for wrong in ("ln(3) ≈ 1.2", "≈ 1.098 (ln(3))", "∞ ≈ 3", "1/3 ≈ 0.34"):
        with pytest.raises(InputError, match="not the decimal of"):
            Epsilon(wrong)


@pytest.mark.parametrize("level", ["1/4", "epsilon=1/10", "ε = ln(3)/2", "1/3", "(1/3)^(2/3)", "(1/27)^(1/2)"])
def test_a_level_is_read_as_it_is_told(level):
    known = PrivacyLevel(level)
    for form in (known.text, known.said, str(known)):
        assert PrivacyLevel(form) == known
    assert PrivacyLevel(known.text).by_epsilon == PrivacyLevel(known.said).by_epsilon == known.by_epsilon
    with pytest.raises(InputError, match="two levels"):
        PrivacyLevel("α = 1/4 (ε = ln(5))")


def test_a_difference_says_what_is_wrong_of_all_of_it():
    for text, message in (
        ("2 - x", "'2 - x' is not understood"),
        ("1--2", "'1--2' is not understood"),
        ("1 − ln(3)", "1 − ln\\(3\\) is not positive"),
    ):
        with pytest.raises(InputError, match=message):
            Epsilon(text)
    assert Epsilon("1 - ln(2/3)") == Epsilon("1 + ln(3/2)")
    assert str(Epsilon("-1 + ln 9")) == "ln(9) − 1"


@given(st.integers(2, 60), st.integers(1, 5), st.integers(1, 5))
def test_what_is_printed_is_read_back(q, times, over):
    for epsilon in (Epsilon(f"ln({q})"), Epsilon(f"{times}*ln({q})"), Epsilon(f"ln({q})/{over}"), Epsilon(f"{times}/{over}")):
        assert Epsilon(str(epsilon)) == epsilon


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("ln(3)", "ln(3)"),
        (" ln( 3 ) ", "ln(3)"),
        ("log(3)", "ln(3)"),
        ("-ln(1/3)", "ln(3)"),
        ("2*ln(3)", "ln(9)"),
        ("ln(9)/2", "ln(3)"),
        ("ln(3)/2", "ln(3)/2"),
        ("1/2 ln 3", "ln(3)/2"),
        ("1/2 ln(3)", "ln(3)/2"),
        ("(1/2) ln 3", "ln(3)/2"),
        ("0.5 log 3", "ln(3)/2"),
        ("(ln 3)/2", "ln(3)/2"),
        ("( ln( 3 ) ) / 2", "ln(3)/2"),
        ("ε = 1/2 ln 3", "ln(3)/2"),
        ("-1/2 ln(1/3)", "ln(3)/2"),
        ("ln(3)*2", "ln(9)"),
        ("2ln3", "ln(9)"),
        ("3 (ln 2)/2", "3·ln(2)/2"),
        ("1/10", "1/10"),
        ("0.1", "1/10"),
        ("1.098612288668", "1.098612288668"),
        (3, "3"),
    ],
)
def test_what_a_person_types(typed, printed):
    assert str(Epsilon(typed)) == printed


def test_epsilon_of_ln_3_is_the_level_one_third():
    level = PrivacyLevel(epsilon="ln(3)")
    assert level == PrivacyLevel("1/3")
    assert level.alpha == Rational("1/3")
    assert (level.text, level.said, repr(level)) == ("ε = ln(3) ≈ 1.098612 (α = 1/3)", "ε = ln(3)", "PrivacyLevel(epsilon='ln(3)')")
    assert PrivacyLevel("1/3").text == "α = 1/3 (ε = ln(3) ≈ 1.098612)"
    assert level_for(neighbours("path:3"), "ln(3)") == PrivacyLevel("1/3")
    assert repr(PrivacyLevel(epsilon="1/10")) == "PrivacyLevel(epsilon='1/10')"


@pytest.mark.parametrize("text", ["epsilon=1/10", "ε=1/10", "ε = 0.1", "eps=1/10"])
def test_the_text_of_a_level_may_be_an_epsilon(text):
    assert as_level(text) == PrivacyLevel(epsilon="1/10")
    assert as_level(text).by_epsilon


def test_the_text_of_a_level_may_be_an_alpha_or_all_levels():
    assert as_level("alpha=1/4") == as_level("α = 0.25") == PrivacyLevel("1/4")
    assert as_level("symbolic") == PrivacyLevel.symbolic()
    plane = neighbours("euclid:2x2")
    assert as_level("epsilon=1", plane).field == ExponentialField(1, roots=(1, 2))


@pytest.mark.parametrize(
    ("wrong", "kind", "words"),
    [
        ({}, InputError, "either α or ε, but neither"),
        ({"alpha": "1/2", "epsilon": 1}, InputError, "alpha = 1/2 and epsilon = 1"),
        ({"epsilon": 0.1}, InexactInputError, "0.1"),
        ({"epsilon": 0}, ParameterRangeError, "ε = 0"),
        ({"epsilon": "ln(1)"}, ParameterRangeError, "ε = 0"),
        ({"epsilon": "ln(1/3)"}, ParameterRangeError, "above 1"),
        ({"epsilon": "-1"}, ParameterRangeError, "above 1"),
        ({"epsilon": "ln(3)/1000"}, InputError, "irrational root"),
        ({"epsilon": "1/2ln(3)"}, RationalSyntaxError, "is not understood"),
        ({"epsilon": "ln 3 / 2"}, InputError, "ln(3)/2 or ln(3/2)"),
        ({"epsilon": "ln three"}, RationalSyntaxError, "ln(3)"),
        ({"epsilon": "ln(0)"}, InputError, "a number > 0"),
        ({"alpha": "alpha=ln(3)"}, InputError, "epsilon=ln(3)"),
        ({"epsilon": "alpha=1/2"}, InputError, "an α where an ε is meant"),
        ({"epsilon": "ln 3/2"}, InputError, "ln(3)/2 or ln(3/2)"),
        ({"alpha": 2}, ParameterRangeError, "epsilon=2"),
        ({"alpha": "2"}, ParameterRangeError, "between 0 and 1"),
    ],
)
def test_levels_that_are_none_say_what_to_type(wrong, kind, words):
    with pytest.raises(kind, match=words.replace("(", r"\(").replace(")", r"\)")):
        PrivacyLevel(**wrong)


@given(st.fractions(min_value="1/20", max_value="19/20", max_denominator=20), st.integers(2, 9), st.integers(2, 5))
def test_a_root_is_a_level(ratio, q, k):
    """G(2, β) is α-private exactly if β ≥ α, and β ≥ q^(−1/k) exactly if β^k ≥ 1/q."""
    level = PrivacyLevel(epsilon=f"ln({q})/{k}")
    assert level.by_epsilon
    assert level.as_tightest() == TightestLevel(Rational(1, q), k)
    assert level.epsilon == Epsilon(f"1/{k} ln {q}") == Epsilon.of_level(level.alpha)
    assert Epsilon(str(level.epsilon)) == level.epsilon
    assert f"ε = {level.epsilon}" == level.said
    found = is_private(geometric(2, Rational(ratio)), "path:3", level)
    assert found.proved == (ratio**k >= Fraction(1, q))
    assert f"(ε = {level.epsilon})-private" in found.claim


def test_what_a_root_asks_is_what_its_number_of_sympy_asks():
    import sympy

    level, number = PrivacyLevel(epsilon="ln(3)/2"), 1 / sympy.sqrt(3)
    assert level == PrivacyLevel(number)
    consumer = MinimaxConsumer("abs")
    for graph in ("path:3", "cycle:4", "complete:3"):
        one, other = (optimum(graph, x, consumer).evidence.value for x in (level, number))
        difference = one.to_sympy() - other.to_sympy()
        in_radicals = {root: sympy.rootof(root.expr, root.index, radicals=True) for root in difference.atoms(sympy.CRootOf)}
        assert sympy.simplify(difference.subs(in_radicals)) == 0
    assert is_private(geometric(3, epsilon="ln(3)/2"), "path", epsilon="1/2 ln 3").proved
    assert is_private(geometric(3, "1/2"), "euclid:2x2", level).refuted  # (1/3)^(√2/2), compared as a power of 1/3


def test_comparison_with_other_things():
    half = Epsilon("1/2")
    assert half == Rational("1/2") == half
    assert half != "1/2"
    assert half != None  # noqa: E711
    assert half > -1
    assert half > Rational("-1/2")
    assert not half == -1  # noqa: SIM201
    assert PrivacyLevel.symbolic().epsilon == PrivacyLevel.symbolic().epsilon
    assert PrivacyLevel.symbolic().epsilon != half
    t = ExponentialField("1/10").gen
    assert Epsilon.of_level(t, 2) == Epsilon("1/20")  # its level is not in the field of t
    assert hash(Epsilon.of_level(t, 2)) == hash(Epsilon("1/20"))
    with pytest.raises(TypeError):
        half < "1"  # noqa: B015


def test_no_privacy_and_perfect_privacy():
    assert str(TightestLevel(0).epsilon) == "∞"
    assert str(TightestLevel(1).epsilon) == "0"
    assert TightestLevel(1).epsilon < Epsilon("1/1000000") < TightestLevel(0).epsilon
    with pytest.raises(DomainError, match="∞"):
        TightestLevel(0).epsilon.enclosure()
    with pytest.raises(DomainError, match="depends on the level"):
        PrivacyLevel.symbolic().epsilon.enclosure()


def test_numbers_of_an_epsilon_speak_epsilon_first():
    t = ExponentialField("1/10").gen
    assert TightestLevel(t**2).text == "ε = 1/5 (α = e^(−1/5))"
    assert TightestLevel(t, 2).text == "ε = 1/20 (α = (t)^(1/2))"
    assert TightestLevel("1/3").told(True) == "ε = ln(3) ≈ 1.098612 (α = 1/3)"
    assert "t = e^(−1/10)" in repr(TightestLevel((1 + t) / 2))
    assert "t = e^(−1/10)" in repr(PrivacyLevel((1 + t) / 2))


def test_a_number_near_a_round_one_does_not_look_like_it():
    """A doubles table of ε = 1 has an ε that is not 1, and its decimal shows it."""
    low, _ = ExponentialField(1).gen.enclosure(18)
    shown = Epsilon.of_level(low).decimal()
    assert shown.startswith("1.00000000000")
    assert shown != "1"
    assert Epsilon("ln(3)").told(Rational("1.098612")) == "ln(3) ≈ 1.0986123"


# --- Thresholds and lists of levels ---


@given(st.integers(2, 10**9), st.integers(1, 10**6))
def test_two_numbers_never_print_as_one_decimal(first, step):
    assume(all(int(mpmath.sqrt(n)) ** 2 != n for n in (first, first + step)))
    roots = [AlgebraicNumber([-n, 0, 10**18], 0, 1) for n in (first, first + step)]
    digits = digits_apart(roots)
    shown = [x.text(digits).rpartition(" ")[2] for x in roots]
    assert shown[0] != shown[1]
    assert all("near 0." in str(x) and float(str(x).rpartition(" ")[2]) > 0 for x in roots)


def test_the_ends_of_pieces_are_told_apart():
    near = [AlgebraicNumber([-n, 0, 10**18], 0, 1) for n in (2 * 10**17, 2 * 10**17 + 1)]
    pieces = Piecewise.cut(Interval(0, 1), near, lambda part: str(part.lower == 0))
    shown = [word for word in str(pieces).replace(",", " ").replace(")", " ").replace("]", " ").split() if word.startswith("0.")]
    assert len(set(shown)) == 2
    assert str(Interval(*near)).count("0.4472135") == 2
    low, high = (word.strip(",)") for word in str(Interval(*near)).split() if word.startswith("0."))
    assert low != high


@pytest.mark.parametrize(("first", "second"), [("1/2", "0.49999"), ("0.50001", "0.5000100000000001"), ("1/3", "1/30011")])
def test_epsilons_without_a_common_field_are_compared_as_numbers(first, second):
    one, other = Epsilon(first), Epsilon(second)
    order = (Fraction(first) > Fraction(second)) - (Fraction(first) < Fraction(second))
    assert one.compare(other) == order
    assert other.compare(one) == -order
    assert PrivacyLevel(epsilon=first).as_tightest().compare(PrivacyLevel(epsilon=second)) == -order
    for distance in ("3/2", "sqrt(2)"):  # the roots of both are in the same order
        roots = [TightestLevel(level.alpha, distance) for level in (PrivacyLevel(epsilon=e) for e in (first, second))]
        assert roots[0].compare(roots[1]) == -order


def test_a_number_that_is_no_power_is_told_apart_from_powers_of_other_fields():
    """(1 + e^(−1/2))/2 = e^(−ε) for no algebraic ε; the nearest decimals of its own ε enclose it."""
    half = PrivacyLevel(epsilon="1/2").alpha
    level = TightestLevel((1 + half) / 2)
    low, high = level.epsilon.enclosure(12)
    assert level.compare(PrivacyLevel(epsilon=low)) == -1
    assert level.compare(PrivacyLevel(epsilon=high)) == 1
    assert TightestLevel(0 * half).compare(PrivacyLevel(epsilon=low)) == -1
    assert TightestLevel(half / half).compare(PrivacyLevel(epsilon=low)) == 1
