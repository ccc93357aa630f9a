# SPDX-License-Identifier: MIT
"""Matrices with letters: one matrix by every route, round trips, and what is said of bad input on each."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

import exactdp as xdp
from exactdp.cli.convert import _csv, _json
from exactdp.errors import (
    DomainError,
    ExactDPError,
    InexactInputError,
    InputError,
    NegativeEntryError,
    NotStochasticError,
    ParameterRangeError,
    RationalSyntaxError,
    UndecidedSignError,
)
from exactdp.exact import QQ, Rational, Region, RegionField

LETTERS = {"p": "(0, 1/2)", "q": "(0, 1/2)"}
ROWS = [["1-p", "p"], ["q", "1-q"]]
EXPECTED = xdp.ExactMatrix([[RegionField(LETTERS)(x) for x in row] for row in ROWS])
p, q = sympy.symbols("p q")

WAYS = {
    "rows": ROWS,
    "tuples": tuple(map(tuple, ROWS)),
    "csv": "1-p,p\nq,1-q\n",
    "csv with blanks": "1 - p , p\n q , 1 - q",
    "semicolons": "1-p;p\nq;1-q",
    "tabs": "1-p\tp\nq\t1-q",
    "blanks": "1-p p\nq 1-q",
    "markdown": "| 1-p | p |\n|---|---|\n| q | 1-q |",
    "quoted": '"1-p","p"\n"q","1-q"',
    "bytes": b"1-p,p\nq,1-q\n",
    "minus": "1−p,p\nq,1−q",
    "json": json.dumps(ROWS),
    "json object": json.dumps({"rows": ROWS}),
    "json with letters": json.dumps({"letters": LETTERS, "rows": ROWS}),
    "json with text": json.dumps({"letters": "0 < p < 1/2, 0 < q < 1/2", "rows": ROWS}),
    "pmatrix": r"\begin{pmatrix} 1-p & p \\ q & 1-q \end{pmatrix}",
    "left right": r"\left( \begin{matrix} 1-p & p \\ q & 1-q \end{matrix} \right)",
    "named": r"$$M = \begin{bmatrix} 1 - p & p \\ q & 1 - q \\ \end{bmatrix}.$$",
    "array": "\\begin{array}{cc}\n 1-p & p \\\\\n q & 1-q\n\\end{array}",
    "rows of LaTeX": r"1-p & p \\ q & 1-q",
    "sympy": sympy.Matrix([[1 - p, p], [q, 1 - q]]),
    "rows of sympy": [[1 - p, p], [q, 1 - q]],
    "array of sympy": numpy.array([[1 - p, p], [q, 1 - q]]),
    "array of texts": numpy.array(ROWS),
    "exact": EXPECTED,
    "table": xdp.Table(EXPECTED),
}


@pytest.mark.parametrize("way", WAYS)
def test_every_way_gives_the_same_matrix(way):
    found = xdp.matrix(WAYS[way], letters=LETTERS)
    assert found == EXPECTED
    assert found.field == EXPECTED.field


def test_a_frame_gives_the_same_matrix():
    found = xdp.matrix(pytest.importorskip("pandas").DataFrame(ROWS), letters=LETTERS)
    assert (found, found.field) == (EXPECTED, EXPECTED.field)


def test_makers_take_letters():
    assert xdp.Mechanism(ROWS, letters=LETTERS).matrix == EXPECTED
    assert xdp.Table(ROWS, letters=LETTERS).matrix == EXPECTED
    assert xdp.Remap(ROWS, letters=LETTERS).matrix == EXPECTED
    assert xdp.Loss(ROWS, letters=LETTERS).matrix == xdp.Gain(ROWS, letters=LETTERS).matrix == EXPECTED
    assert xdp.Mechanism(WAYS["sympy"], letters=LETTERS).matrix == EXPECTED
    assert xdp.read_table(",x,y\nu,1-p,p\nv,q,1-q", letters=LETTERS).outputs == ("x", "y")
    assert xdp.table_of(ROWS, letters=LETTERS, inputs=["u", "v"]).matrix == EXPECTED
    prior = xdp.Prior({"u": "p", "v": "1-p"}, letters=LETTERS)
    assert prior.inputs == ("u", "v")
    assert sum(prior.weights) == 1
    assert xdp.Prior.over("p,1-p", ["u", "v"], LETTERS) == prior
    level = xdp.PrivacyLevel("p/(1-p)", letters=LETTERS)
    assert level.alpha.value({"p": "1/3", "q": "1/4"}) == Rational("1/2")
    assert xdp.PrivacyLevel("alpha=p", letters=LETTERS).alpha == EXPECTED[0, 1]
    assert xdp.PrivacyLevel("1/3", letters=LETTERS) == xdp.PrivacyLevel("1/3")
    assert xdp.PrivacyLevel("epsilon=ln(3)", letters=LETTERS) == xdp.PrivacyLevel("1/3")
    assert str(xdp.PrivacyLevel("symbolic", letters="0 < a < 1/2").field) == "QQ(a) for 0 < a < 1/2"


def test_a_prior_and_a_level_beside_letters_are_read_with_them():
    loss = xdp.Loss([[0, "c"], [1, 0]], letters="c > 0, 0 < w < 1")
    consumer = xdp.BayesianConsumer(loss, "w,1-w")
    assert consumer.prior.weights[0] == RegionField("c > 0, 0 < w < 1")("w")
    mechanism = xdp.Mechanism([["1-p", "p"], ["p", "1-p"]], letters="0 < p < 1/2")
    assert xdp.is_private(mechanism, "path", "p/(1-p)").proved
    with pytest.raises(InputError, match="'r' has the letter r"):
        xdp.is_private(mechanism, "path", "r")


WORDS = [
    ("randomized-response:n=1,keep=1-p", "0 < p < 1/2", {"p": "1/3"}, "randomized-response:n=1,keep=2/3"),
    ("geometric:n=2,alpha=p/(1-p)", "0 < p < 1/2", {"p": "1/3"}, "geometric:n=2,alpha=1/2"),
    ("two-coin:truth=1/k,yes=1/2", "k = 3", {}, "two-coin:truth=1/3,yes=1/2"),
    ("two-coin:truth=1/2,yes=p", "0 < p < 1", {"p": "1/5"}, "two-coin:truth=1/2,yes=1/5"),
    ("randomized-response:n=k,keep=1/k", "k = 3", {}, "randomized-response:n=3,keep=1/3"),
    ("geometric:n=m,alpha=p", "0 < p < 1/2, m = 2", {"p": "1/3"}, "geometric:n=2,alpha=1/3"),
    ("two-coin:truth=p,yes=q", "0 < p < 1, 0 < q < 1", {"p": "1/3", "q": "1/5"}, "two-coin:truth=1/3,yes=1/5"),
    ("rappor:bits=2,f=f,p=p,q=1-p", "0 < p < 1/2, 0 <= f <= 1", {"p": "1/3", "f": "1/2"}, "rappor:bits=2,f=1/2,p=1/3,q=2/3"),
    ("flat:t=t,n=2", "0 < t < 1", {"t": "2/5"}, "flat:t=2/5,n=2"),
    ("staircase:t=t,n=2,sensitivity=2,step=1", "0 < t < 1", {"t": "2/5"}, "staircase:t=2/5,n=2,sensitivity=2,step=1"),
]


@pytest.mark.parametrize(("word", "letters", "point", "number"), WORDS, ids=[word for word, _, _, _ in WORDS])
def test_a_word_with_letters_is_at_a_point_the_word_with_numbers(word, letters, point, number):
    found, expected = xdp.mechanism_from_spec(word, letters=letters), xdp.mechanism_from_spec(number)
    at = [[x.value(point) if hasattr(x, "value") else x for x in row] for row in found.rows()]
    assert at == [list(row) for row in expected.rows()]


# --- Round trips ---

ENTRY = st.sampled_from(
    ["p", "1-p", "p/(1+q_1)", "q_1^2*p/3", "-p+1/2", "0", "1/7", "(p-q_1)/(2*p+1)", "beta*p", "beta^2/(1+beta)", "3*p*q_1*beta - 1/9"]
)
SHAPED = st.integers(1, 3).flatmap(lambda k: st.lists(st.lists(ENTRY, min_size=k, max_size=k), min_size=1, max_size=3))
REGION = Region({"p": "(0, 1)", "q_1": "[0, 2)", "beta": "beta > 0"}, ["p + q_1 < 5/2"])


@given(SHAPED, st.booleans())
def test_what_is_written_is_read_back(rows, labelled):
    table = xdp.Table(rows, [f"in{i}" for i in range(len(rows))] if labelled else None, letters=REGION)
    matrix = table.matrix
    assert xdp.matrix(matrix.to_latex(), REGION) == matrix
    assert xdp.ExactMatrix.from_latex(matrix.to_latex(), RegionField(REGION)) == matrix
    assert xdp.matrix(matrix.to_sympy(), REGION) == matrix
    again = xdp.read_table(_json(table, False))
    assert again == table
    if any(x.rational is None for row in matrix.rows() for x in row):
        assert again.matrix.field.region == REGION
    plain = _csv(xdp.Table(matrix), False)
    if len(rows) > 1 and len(rows[0]) == 1 and all(x.rational is not None for row in matrix.rows() for x in row):
        # No entry here is 1, and numbers one below the other are no mechanism.
        with pytest.raises(InputError, match="one column only"):
            xdp.read_table(plain, letters=REGION)
    else:
        assert xdp.read_table(plain, letters=REGION) == xdp.Table(matrix)
    assert xdp.read_table(_csv(table, True), labels=True, letters=REGION).matrix == matrix


def test_the_source_for_sympy_runs():
    from exactdp.cli.convert import _sympy

    source = _sympy(xdp.Table(ROWS, letters=LETTERS), False)
    code = source + "\nimport exactdp as xdp\nprint(xdp.matrix(M, '0 < p < 1/2, 0 < q < 1/2'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(EXPECTED)


# --- What is a label, and what a letter ---


def test_a_letter_is_no_label_unless_labels_are_said():
    assert xdp.matrix("p,q\nq,p", LETTERS) == xdp.matrix([["p", "q"], ["q", "p"]], LETTERS)
    assert xdp.matrix("p\nq", LETTERS).shape == (2, 1)
    with pytest.raises(InputError, match="'r' has the letter r"):
        xdp.matrix("p,r\nr,p", LETTERS)
    table = xdp.read_table(",p,q\np,1-p,p\nq,q,1-q", letters=LETTERS)
    assert (table.inputs, table.outputs, table.matrix) == (("p", "q"), ("p", "q"), EXPECTED)
    assert xdp.read_table("x,p,q\np,1-p,p\nq,q,1-q", labels=True, letters=LETTERS).matrix == EXPECTED
    assert xdp.read_table("no,yes\n1-p,p\nq,1-q", letters=LETTERS).outputs == ("no", "yes")


# --- LaTeX ---

LATEX = [
    (r"1-2pq & 2p q \\ \frac{p}{1-p} & \frac{1-2p}{1-p}", [["1-2*p*q", "2*p*q"], ["p/(1-p)", "(1-2*p)/(1-p)"]]),
    (r"p(1-q) & p \cdot q \\ (1-p)(1-q) & p\,q^{2}", [["p*(1-q)", "p*q"], ["(1-p)*(1-q)", "p*q^2"]]),
    (r"\tfrac12 p & \frac p q \\ p^2q & pq^2", [["p/2", "p/q"], ["p^2*q", "p*q^2"]]),
    (r"q_1 & q_{1}^3 \\ \beta & 2\beta p", [["q_1", "q_1^3"], ["beta", "2*beta*p"]]),
    (r"\alpha p & e^{-\varepsilon} \\ \mathrm{keep} & p\mathrm{keep}", [["a*p", "a"], ["keep", "p*keep"]]),
    (r"\left(1-p\right)^{n-1} & p^{n} \\ 2^n & n", [["(1-p)^2", "p^3"], ["8", "3"]]),
    (r"x_1 & x_{2} \\ 1 & 0", [["x1", "x2"], ["1", "0"]]),
]
ALL = "0 < p < 1/2, 0 < q < 1/2, 0 < q_1 < 1, 0 < beta < 1, 0 < a < 1, 0 < keep < 1"


@pytest.mark.parametrize(("text", "rows"), LATEX, ids=[text for text, _ in LATEX])
def test_latex_as_it_is_typeset(text, rows):
    letters = "0 < x1 < 1, 0 < x2 < 1" if "x_" in text else f"{ALL}, n = 3"
    assert xdp.matrix(text, letters) == xdp.matrix(rows, letters)


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        (r"\varepsilon", r"\\varepsilon, which is −ln\(\\alpha\) and no letter here"),
        (r"e^{\varepsilon}", "no letter here"),
        (r"\gamma", "letter gamma, about which nothing is assumed"),
        (r"\pi", "no letter but the number π"),
        (r"\hat{p}", r"unknown command \\hat"),
        ("p_2", "letter p_2, about which nothing is assumed"),
        ("p_{i,j}", "the subscript 'i,j' of p"),
        (r"\sqrt{p}", "a root, which has no common field with"),
        ("2 3 p", "2 directly before 3"),
        ("p'", "unexpected"),
        (r"\frac{1}{1-3p}", r"its denominator is 0 at p = 1/3, q"),
    ],
)
def test_latex_that_is_refused(cell, message):
    with pytest.raises(ExactDPError, match=message) as caught:
        xdp.matrix(rf"\begin{{pmatrix}} {cell} & 1 \\ p & q \end{{pmatrix}}", ALL)
    assert "line 1" in caught.value.message or "row 0, column 0" in caught.value.message


# --- Bad input, on every route ---


def routes(cell: str):
    """The matrix [[cell, p]] by every route."""
    return {
        "rows": [[cell, "p"]],
        "csv": f"{cell},p",
        "json": json.dumps([[cell, "p"]]),
        "latex": rf"\begin{{pmatrix}} {cell.replace('*', ' ')} & p \end{{pmatrix}}",
        "sympy": sympy.Matrix([[sympy.sympify(cell), p]]),
        "array": numpy.array([[cell, "p"]]),
    }


CANCELLED = [
    ("p*(1-3*p)/(1-3*p)", InputError, ["divides by 1 - 3*p, which is zero at p = 1/3", "where p is meant there too, write that"]),
    ("p+0/(p-q)", InputError, ["divides by p - q, which is zero at p = "]),
]


@pytest.mark.parametrize("route", routes("1"))
def test_what_is_bad_is_named_with_its_place_on_every_route(route):
    for cell, kind, words in [
        ("1-r", InputError, ["letter r", "nothing is assumed", "letters={'r': '(0, 1)'}", "--letters '0 < r < 1'"]),
        ("1/(1-3*p)", DomainError, ["is not defined for all 0 < p < 1/2, 0 < q < 1/2", "0 at p = 1/3"]),
        ("1/(p-q)", DomainError, ["is not defined for all 0 < p < 1/2, 0 < q < 1/2", "0 at p ="]),
        *([] if route == "sympy" else CANCELLED),  # sympy has cancelled it
    ]:
        with pytest.raises(kind) as caught:
            xdp.matrix(routes(cell)[route], LETTERS)
        for word in ["row 0, column 0", *words]:
            assert word in caught.value.message, (word, caught.value.message)
        with pytest.raises(kind):
            xdp.Mechanism(xdp.matrix(routes(cell)[route], LETTERS))
    for letters, word in (("0 < p < 1, p > 2", "contradict"), ({"p": "(1, 0)"}, "reversed"), ({"p": 0.5}, "is a float")):
        with pytest.raises(InputError, match=word):
            xdp.matrix(routes("p")[route], letters)
    if route != "sympy":
        with pytest.raises(InputError, match=r"if [pr] is a letter, say what it may be"):
            xdp.matrix(routes("1-r")[route])


def test_a_table_that_is_no_mechanism_somewhere_is_refused_with_the_point():
    with pytest.raises(NegativeEntryError, match=r"row 0, column 0 is -3\*p \+ 1, which is negative at p = ") as caught:
        xdp.Mechanism([["1-3*p", "3*p"]], letters=LETTERS)
    assert caught.value.facts["position"] == (0, 0)
    with pytest.raises(NotStochasticError, match=r"row 0 sums to p \+ 1, not 1 \(excess p\)"):
        xdp.Mechanism([["1-p", "2*p"]], letters=LETTERS)
    with pytest.raises(NegativeEntryError, match=r"weight of input 1 is .*, which is negative at p = "):
        xdp.Prior(["3*p", "1-3*p"], letters=LETTERS)
    assert xdp.Table([["1-3*p", "3*p"]], letters=LETTERS).quality() == "wrong"
    for text, where in (("3*p", r"at p = .*it is"), ("2+p", r"at p = .*it is"), ("p-q", "at p = .*it is")):
        with pytest.raises(ParameterRangeError, match=where) as level:
            xdp.PrivacyLevel(text, letters=LETTERS)
        assert "for all 0 < p < 1/2, 0 < q < 1/2" in level.value.message
    for word in ("randomized-response:n=1,keep=1-3*p", "two-coin:truth=3*p", "rappor-permanent:bits=1,f=3*p"):
        with pytest.raises(ParameterRangeError, match=r"(negative|above 1) at p = "):
            xdp.mechanism_from_spec(word, letters=LETTERS)


def test_floats_are_refused_inside_letters():
    for table in ([[1 - p, 0.5]], [[1 - p * 0.5, p]], sympy.Matrix([[1 - p * 0.5, p]])):
        with pytest.raises(InexactInputError, match=r"row 0, column \d: .*0\.5"):
            xdp.matrix(table, LETTERS)


def test_the_letters_of_json():
    for text, message in [
        ({"letters": ["p"], "rows": ROWS}, "'letters' must give each letter its assumption"),
        ({"letters": {"p": None}, "rows": ROWS}, "'letters' must give"),
        ({"where": ["p < 1"], "rows": ROWS}, "'letters' must give"),
        ({"letters": {"p": "(0, 1)"}, "where": [1], "rows": ROWS}, "1"),
        ({"letters": {"p": "(1, 0)"}, "rows": ROWS}, "reversed"),
        ({"letters": {"p": "(0, 1)"}, "rows": ROWS}, "letter q"),
        ({"letters": {"p": "(0, 1)"}, "letter": 1, "rows": ROWS}, "the key 'letter' is unknown"),
    ]:
        with pytest.raises(ExactDPError, match=message):
            xdp.read_table(json.dumps(text))
    mine = json.dumps({"letters": {"p": "(0, 1)"}, "where": ["p < 3/4"], "rows": [["p", "1-p"]]})
    assert str(xdp.read_table(mine, letters="p > 1/3").matrix.field.region) == "p > 1/3, 0 < p < 1, p < 3/4"
    with pytest.raises(InputError, match="contradict"):
        xdp.read_table(mine, letters="p > 2")
    assert xdp.read_table(json.dumps({"letters": {"p": "(0, 1)"}, "rows": [["1/2", "1/2"]]})).matrix.field is QQ


def test_without_letters_the_message_says_what_to_give():
    for text in ("1-p", "p", "2*q_1", "(1-p)^2"):
        with pytest.raises(RationalSyntaxError, match=r"is a letter, say what it may be, as in letters=\{'[pq](_1)?': '\(0, 1\)'\}"):
            xdp.Mechanism([[text, "1"]])
    for text in ("yes", "l/2", "1e-", "12/13/14", "O.5"):
        with pytest.raises(RationalSyntaxError) as caught:
            xdp.ExactMatrix([[text]])
        assert "is a letter" not in caught.value.message or text == "l/2"


def test_unknown_signs_are_not_guessed():
    with pytest.raises(UndecidedSignError, match="has not the same sign"):
        assert xdp.matrix([["p-q"]], LETTERS)[0, 0] > 0


# --- sympy's own assumptions ---


def test_assumptions_of_sympy():
    half = sympy.Rational(1, 2)
    assert xdp.matrix(WAYS["sympy"], {"p": sympy.Interval.open(0, half), "q": "(0, 1/2)"}) == EXPECTED
    assert Region({"p": p > 0, "q": sympy.Interval(0, sympy.oo)}) == Region("p > 0, q >= 0")
    assert Region({"p": sympy.Interval.Lopen(-sympy.oo, half)}) == Region("p <= 1/2")
    for assumed, kind, message in [
        (sympy.Interval(0, 0.5), InexactInputError, "has the Float 0.5"),
        (p < 0.5, InexactInputError, "has the Float 0.5"),
        (sympy.Interval(0, sympy.sqrt(2)), InputError, "irrational"),
        (sympy.And(p > 0, p < 1), InputError, "is several"),
        (sympy.Eq(p, 1), InputError, "no assumption about p"),
    ]:
        with pytest.raises(kind, match=message):
            Region({"p": assumed})


def test_symbols_with_assumptions_say_their_region():
    x, y = sympy.Symbol("x", positive=True), sympy.Symbol("y", nonnegative=True)
    found = xdp.matrix(sympy.Matrix([[x, y]]))
    assert found.field.region == Region("x > 0, y >= 0")
    with pytest.raises(DomainError, match="0 at x = 1"):
        xdp.matrix(sympy.Matrix([[1 / (x - 1), y]]))
    assert xdp.matrix(sympy.Matrix([[1 - x, x]]), "0 < x < 1/2") == xdp.matrix([["1-x", "x"]], "0 < x < 1/2")
    with pytest.raises(InputError, match="assumed positive=True, which need not hold"):
        xdp.matrix(sympy.Matrix([[1 - x, x]]), "x > -1")
    with pytest.raises(InputError, match=r"the symbol n is assumed positive=True, and .* -1"):
        xdp.matrix(sympy.Matrix([[sympy.Symbol("n", positive=True)]]), "n = -1")
    with pytest.raises(InputError, match="contains symbols; say what they may be"):
        xdp.matrix(sympy.Matrix([[x, p]]))
