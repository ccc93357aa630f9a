# SPDX-License-Identifier: MIT
"""Formulas in factors: MathML and LaTeX give the number back that they show; decimals; pictures; sizes."""

from __future__ import annotations

import re
from fractions import Fraction
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactdp as xdp
from exactdp.errors import DomainError, InputError
from exactdp.exact import ExponentialField, Rational, RationalFunctionField, RegionField
from exactdp.exact.factored import factored_latex
from exactdp.exact.latex import latex_lines
from exactdp.report.html import items_html
from exactdp.report.items import Fact, Grid, Listing
from exactdp.report.mathml import number_mathml

FIELD = RationalFunctionField()
A = FIELD.gen
LETTERS = RegionField("0 < p < 1, 0 < q < 1, c > 0")

SIGNS = {"+": 1, "−": -1}


def walked(node, letters):
    """The number that a MathML element is at a point, by its structure alone; None for an invisible sign."""
    kind = node.tag
    if kind == "mn":
        return Fraction(node.text)
    if kind == "mi":
        return letters[node.text]
    if kind == "mfrac":
        above, below = (walked(child, letters) for child in node)
        return above / below
    if kind == "msup":
        base, exponent = (walked(child, letters) for child in node)
        return base**exponent
    assert kind in {"math", "mrow"}, kind
    total, product, sign = Fraction(0), None, 1
    for child in node:
        if child.tag != "mo":
            value = walked(child, letters)
            product = value if product is None else product * value
            continue
        text = child.text.strip()
        if text in SIGNS:
            total += 0 if product is None else sign * product
            product, sign = None, SIGNS[text]
        else:
            assert text in {"(", ")", "*", "/", "^"}
    return total + (0 if product is None else sign * product)


def on_one_line(mathml):
    """What is between the tags, as Python reads it."""
    return re.sub("<[^>]*>", "", mathml).replace("^", "**").replace("−", "-")


small = st.integers(-6, 6)
points = st.fractions(min_value=Fraction(1, 9), max_value=Fraction(8, 9), max_denominator=30)


@st.composite
def functions_of_level(draw):
    def product():
        result = FIELD(draw(small.filter(bool)))
        for _ in range(draw(st.integers(0, 4))):
            factor = A * draw(small) + draw(small)
            result = result * (factor if draw(st.booleans()) else factor * factor + 1)
        return result

    above, below = product(), product()
    return above.field.formulas(above) / below.field.formulas(below) if below.numerator != (0,) else above


@given(functions_of_level(), points)
def test_a_function_of_the_level_is_what_is_typeset(x, point):
    """By walking the tree, by the line of text in it, and by reading the LaTeX."""
    at = Rational(str(point))
    try:
        value = Fraction(str(x.evaluate(at)))
    except DomainError:
        return  # a pole
    typeset = number_mathml(x)
    if typeset is None:
        assert x.rational is not None or len(str(x)) > 200
        return
    assert walked(ElementTree.fromstring(typeset), {"α": point}) == value
    line = re.sub(r"(\*\*)?(\d+)", lambda found: f"{found[1] or 'Fraction'}({found[2]})", on_one_line(typeset))
    assert eval(line, {"α": point, "Fraction": Fraction}) == value
    [(_, [text])] = latex_lines(rf"\begin{{pmatrix}} {factored_latex(x)} \end{{pmatrix}}")
    assert Fraction(str(FIELD.formulas(text.replace("alpha", "a")).evaluate(at))) == value


@given(st.lists(st.tuples(small, *[st.integers(0, 2)] * 3), min_size=1, max_size=5), st.lists(points, min_size=3, max_size=3))
def test_a_polynomial_of_letters_is_what_is_typeset(terms, point):
    p, q, c = LETTERS.gens
    x = sum((k * p**i * q**j * c**m for k, i, j, m in terms), LETTERS.zero)
    typeset = number_mathml(x)
    if typeset is not None:
        at = dict(zip("pqc", point, strict=True))
        expected = sum(k * point[0] ** i * point[1] ** j * point[2] ** m for k, i, j, m in terms)
        assert walked(ElementTree.fromstring(typeset), at) == expected


@pytest.mark.parametrize(
    ("x", "latex"),
    [
        ((A**2 - A**3) / (1 + A), r"\frac{\alpha^{2} (1 - \alpha)}{1 + \alpha}"),
        (1 - 2 * A + A**2, r"(1 - \alpha)^{2}"),
        (1 - A**2, r"1 - \alpha^{2}"),
        (1 - 2 * A**2 + A**4, r"(1 - \alpha^{2})^{2}"),
        (A - 1, r"\alpha - 1"),
        (-A - 1, r"-(1 + \alpha)"),
        ((A - 1) / (2 + 4 * A), r"\frac{\alpha - 1}{2 (1 + 2 \alpha)}"),
        (A * (A - 1), r"-\alpha (1 - \alpha)"),
        (A - A, "0"),
        (LETTERS("q - p"), "q - p"),
        (LETTERS("2*p*q - p - q + 1"), "1 - p - q + 2 p q"),
        (LETTERS("c*p/(1+c)"), r"\frac{p c}{1 + c}"),
    ],
    ids=str,
)
def test_as_one_writes_it(x, latex):
    assert x.latex() == latex


def test_a_large_polynomial_is_shown_as_it_is():
    long = 1 + A**100
    assert long.latex() == r"1 + \alpha^{100}"
    wide = sum((k + 2) * A**k for k in range(66))
    assert wide.latex().count("+") == 65


@given(st.fractions(max_denominator=10**6), st.integers(0, 12))
def test_decimals_are_rounded_from_the_exact_number(x, places):
    shown = re.search(r"<td[^>]*>([^<]*)</td>", xdp.ExactMatrix([[str(x)]]).display(decimals=places)._repr_html_())[1]
    assert Fraction(shown) * 10**places == round(x * 10**places)  # Python's own rounding: ties to even
    assert shown == "0" if x == 0 else len(shown.partition(".")[2]) == places


def test_options_of_display():
    G = xdp.geometric(20, "1/2")
    assert "(21×21, cut)" in G._repr_html_()
    assert "cut)" not in G.display(full=True)._repr_html_()
    assert "<svg" in G._repr_html_()
    assert "<svg" not in G.display(picture=False)._repr_html_()
    assert '<td title="2/3">0.67</td>' in G.display(digits=2)._repr_html_()
    assert "rounded to 2 significant digits" in G.display(digits=2)._repr_html_()
    assert repr(G.display(decimals=2)) == repr(G)
    e = xdp.ExactMatrix([[ExponentialField(1).gen]], ExponentialField(1))
    assert '<td title="t">0.3679</td>' in e.display(decimals=4)._repr_html_()
    functions = xdp.optimum_by_level(xdp.neighbours("path:2"), xdp.MinimaxConsumer("abs"))
    assert "<mfrac>" in functions.display(decimals=2)._repr_html_()


REFUSED = [{"decimals": 2, "digits": 2}, {"decimals": -1}, {"digits": 0}, {"decimals": 2.0}, {"decimals": True}, {"digits": 1001}]


@pytest.mark.parametrize("options", REFUSED, ids=str)
def test_options_of_display_that_are_refused(options):
    with pytest.raises(InputError, match=next(iter(options))):
        xdp.geometric(1, "1/2").display(**options)


NEAR = xdp.neighbours("path:4")
G4 = xdp.geometric(3, "1/2")
DRAWN = {
    "broken": (lambda: xdp.is_private(G4, NEAR, "3/4"), "Red: 12 pairs of entries that break the level"),
    "tight": (lambda: xdp.tightest_level(G4, NEAR), "Blue: 12 pairs of entries that are tight"),
    "optimum": (lambda: xdp.optimum(NEAR, "1/3", xdp.MinimaxConsumer("abs")), "Darker"),
    "by level": (lambda: xdp.optimum_by_level(NEAR, xdp.MinimaxConsumer("abs")), "over ε"),
    "audit": (lambda: xdp.audit(G4, NEAR, claim=xdp.PrivacyClaim(epsilon="1/2")), "break the level"),
    "large mechanism": (lambda: xdp.geometric(30, "1/2"), "Darker"),
}


@pytest.mark.parametrize("name", DRAWN)
def test_there_is_a_picture_and_no_script(name):
    ask, words = DRAWN[name]
    shown = ask()._repr_html_()
    assert words in shown
    assert "<script" not in shown
    assert "http" not in shown
    [svg] = re.findall(r"<svg.*?</svg>", shown, re.DOTALL)
    assert ElementTree.fromstring(svg).tag == "svg"


@pytest.mark.parametrize("size", [100, 300])
def test_what_is_large_stays_small(size):
    long = xdp.uniform(range(size))
    assert len(long._repr_html_()) < 60_000
    assert "<svg" not in long._repr_html_()
    assert len(xdp.geometric(47, "1/3")._repr_html_()) < 60_000


def test_labels_and_words_cannot_break_out():
    label = '<script>alert("x")</script>'
    m = xdp.Mechanism(G4.matrix, [label, *"bcd"], [label, *"bcd"])
    for thing in (m, xdp.tightest_level(m, xdp.Graph([label, *"bcd"], [(0, 1), (1, 2), (2, 3)]))):
        assert "<script" not in thing._repr_html_()
    grid = Grid(label, G4.matrix, (label, *"bcd"), tuple("abcd"))
    shown = items_html([Fact(label, label), Fact("x", Rational("1/2")), Listing(label, (label,), 2, (label,), ((label,),)), grid])
    assert "<script" not in shown
    assert "<mfrac>" in shown


def test_the_picture_beside_an_optimum_is_the_mechanism_and_says_so():
    shown = xdp.is_optimal_after_remap(xdp.uniform(range(4)), NEAR, "1/2", xdp.MinimaxConsumer("abs"))._repr_html_()
    assert "best remap" in shown
    assert "An optimal mechanism. Darker is more probable." in shown
