"""Tables as people have them: separators, ways to write numbers, and labels that can be nothing else.

What is expected here was written down by hand, from what the text means to its author.
"""

from __future__ import annotations

import csv
import io
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exactdp as xdp
from exactdp.errors import InputError, LabelError, RationalSyntaxError, ShapeError
from exactdp.exact import Rational
from exactdp.model.labels import Positions
from exactdp.readers.cells import plain_number
from exactdp.readers.tables import prior_grid, read_grid, read_prior, read_table

HALVES = [[Fraction(1, 2), Fraction(1, 2)], [Fraction(1, 4), Fraction(3, 4)]]


def fractions(table):
    return [[x.as_fraction() for x in row] for row in table.matrix.rows()]


WRITTEN = {
    ".25": Fraction(1, 4),
    "-.5": Fraction(-1, 2),
    "1.": Fraction(1),
    "50%": Fraction(1, 2),
    "12.5 %": Fraction(1, 8),
    ".5%": Fraction(1, 200),
    "100%": Fraction(1),
    "1e1%": Fraction(1, 10),
    "1 / 3": Fraction(1, 3),
    "−1/3": Fraction(-1, 3),
    "–2": Fraction(-2),
    "+0.5": Fraction(1, 2),
    "1e−3": Fraction(1, 1000),
    "0.333\u2009333": Fraction(333333, 1000000),
    "1\u202f000": Fraction(1000),
    "12\u2009345\u2009678.123\u20094": Fraction(123456781234, 10000),
    "1\u2009000/3\u2009000": Fraction(1, 3),
    "−\u20091\u2009/\u20092": Fraction(-1, 2),
    "50\u2009%": Fraction(1, 2),
}


@pytest.mark.parametrize("text", WRITTEN, ids=ascii)
def test_numbers_as_people_write_them(text):
    assert read_table(f"{text};0").matrix[0, 0] == WRITTEN[text]
    assert read_table(f'[["{text}"]]').matrix[0, 0] == WRITTEN[text]
    assert Rational(plain_number(text)) == WRITTEN[text]


@pytest.mark.parametrize(
    "text",
    [
        "1_000",
        "1 0",
        "1 000",
        "1\u20092",  # thin blanks make groups of three digits only: these were 12,
        "1\u20091/2",  # 11/2, which its author means as 3/2,
        "1/2\u20091",
        "1234\u2009567",
        "0.12\u2009345",
        "0x1",
        "1/2/3",
        "1/3%",
        "50%%",
        "%",
        ".",
        "-",
        "e5",
        "..5",
        "1.2.3",
        "٣",
        "1/2.5",
        "--1",
        "½",
        "1e9999",
        "nan",
    ],
)
def test_what_is_no_number_stays_none(text):
    with pytest.raises(RationalSyntaxError):
        read_table(f"{text};1")


@given(st.fractions(), st.booleans())
def test_a_number_in_the_strict_grammar_is_left_alone(x, integer):
    text = str(int(x) if integer else x)
    assert plain_number(text) == text


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-1000, max_value=1000, places=6))
def test_percent_is_a_hundredth(x):
    assert Rational(plain_number(f"{x}%")) == Fraction(x) / 100
    assert Rational(plain_number(str(x).replace(".", ","), comma=True)) == Fraction(x)
    assert plain_number(str(x).replace(".", ",")).count(",") == 1


LAYOUTS = [
    "1/2,1/2\n1/4,3/4",
    "1/2, 1/2\r\n 1/4 ,3/4\r\n",
    "\ufeff.5;.5\n.25;.75\n",
    "0,5;0,5\n0,25;0,75",
    "0,5\t0,5\n0,25\t0,75",
    '"0,5","0,5"\n"0,25","0,75"',
    "50%;50%\n25%;75%",
    "1/2\t1/2\n1/4\t3/4\n\n\n",
    "1/2   1/2\n  1/4 3/4  ",
    "0.500\u2009000 0.5\u202f%  0.495\n".replace("0.5\u202f%  0.495", "50\u202f%") + "1/4\u00a0 3/4",
    "1/2\u20091/2\n1/4\u00a03/4",
    "1/2,1/2,\n1/4,3/4,\n",
    "1/2,1/2\n1/4,3/4\n,\n,\n",
    "1/2\u00a0,\u20091/2\r1/4,3/4",
    '"1/2","1/2"\n"1/4","3/4"',
    "|1/2|1/2|\n|1/4|3/4|",
    r"\begin{bmatrix} \frac{1}{2} & \tfrac12 \\ 1/4 & 0.75 \end{bmatrix}",
    r"1/2 & 1/2 \\ 1/4 & 3/4",
    "1/2 & 1/2 \\\\%\n1/4 & 3/4 \\\\% 1/8 & 7/8 \\\\",
    r"5\,/\,10 & 50\,\% \\ \frac{1\,000}{4\,000} & 0.75\,",
    "|---|---|\n|1/2|1/2|\n|1/4|3/4|",
    "$$ G = \\left[\\begin{array}{cc}\n\\frac12 & \\frac12 \\\\[2pt] \\hline\n25\\% & 0{,}75 \\\\\n\\end{array}\\right]. $$",
]


@pytest.mark.parametrize("text", LAYOUTS)
def test_every_layout_is_the_same_table(text):
    table = xdp.read_table(text)
    assert fractions(table) == HALVES
    assert table.inputs == table.outputs == Positions(2)


LABELLED = [
    # text, labels of the rows, labels of the columns (None: there are none)
    ("no,yes\n1/2,1/2\n1/4,3/4", None, ("no", "yes")),
    ("a,b\n1/2,1/2\n1/4,3/4", None, ("a", "b")),
    ("new york,<5\n1/2,1/2\n1/4,3/4", None, ("new york", "<5")),
    ("x,1/2,1/2\ny,1/4,3/4", ("x", "y"), None),
    ("a,1/2,1/2\nb,1/4,3/4", ("a", "b"), None),
    (",no,yes\nx,1/2,1/2\ny,1/4,3/4", ("x", "y"), ("no", "yes")),
    ("city,no,yes\nx,1/2,1/2\ny,1/4,3/4", ("x", "y"), ("no", "yes")),
    ('"","no","yes"\n"x",0.5,0.5\n"y",0.25,0.75', ("x", "y"), ("no", "yes")),
    ("no,yes\nx,1/2,1/2\ny,1/4,3/4", ("x", "y"), ("no", "yes")),  # R leaves the corner out
    ("0,1\nx,1/2,1/2\ny,1/4,3/4", ("x", "y"), None),
    ("    no  yes\nx  0.5  0.5\ny .25 .75", ("x", "y"), ("no", "yes")),  # a printed data frame
    (",0,1\n0,1/2,1/2\n1,1/4,3/4", None, None),  # pandas' default index
    (",1,2\n3,1/2,1/2\n5,1/4,3/4", ("3", "5"), ("1", "2")),
    (",1,0\n1,1/2,1/2\n0,1/4,3/4", ("1", "0"), ("1", "0")),
    (";no;yes\nx;0,5;0,5\ny;0,25;0,75", ("x", "y"), ("no", "yes")),
    ("|   | no | yes |\n|---|---:|:---:|\n| x | 1/2 | 1/2 |\n| y | 1/4 | 3/4 |", ("x", "y"), ("no", "yes")),
    (r"x\,y & z \\ 1/2 & 1/2 \\ 1/4 & 3/4", None, ("xy", "z")),
    ("e1,log(x)\n1/2,1/2\n1/4,3/4", None, ("e1", "log(x)")),
    ("pi,E-1\n1/2,1/2\n1/4,3/4", None, ("pi", "E-1")),
    (r"\begin{tabular}{l|cc} & no & yes \\ \hline x & 1/2 & 1/2 \\ y & 1/4 & 3/4 \\ \end{tabular}", ("x", "y"), ("no", "yes")),
    ("\tno, never\tyes\nx\t0,5\t0,5\ny\t0,25\t0,75", ("x", "y"), ("no, never", "yes")),
    (",no,yes\nx,\t1/2,\t1/2\ny,\t1/4,\t3/4", ("x", "y"), ("no", "yes")),
    (",,no,yes\n0,0,1/2,1/2\n0,1,1/4,3/4", ("0,0", "0,1"), ("no", "yes")),  # pandas' index of two levels
    ("city,age,no,yes\nx,old,1/2,1/2\nx,young,1/4,3/4", ("x,old", "x,young"), ("no", "yes")),
    ('"(0, 0)",1/2,1/2\n"(0, 1)",1/4,3/4', ("0,0", "0,1"), None),
]


@pytest.mark.parametrize(("text", "inputs", "outputs"), LABELLED)
def test_labels_that_can_be_nothing_else_are_told_apart_and_said(text, inputs, outputs):
    grid, table = read_grid(text), read_table(text)
    assert fractions(table) == HALVES
    assert table.inputs == (Positions(2) if inputs is None else inputs)
    assert table.outputs == (Positions(2) if outputs is None else outputs)
    said = " ".join(grid.notes)
    assert "read as" in said
    for label in (*(inputs or ()), *(outputs or ())):
        assert label in said


KEPT = [
    "exp(-1/2),1 - exp(-1/2)\nexp(-1/3),1 - exp(-1/3)",
    "0,sqrt(2)\nsqrt(2),0",
    "0,1\n1/2,1/2",  # a deterministic row, or labels: nobody knows
    "0,1,2\n1/2,1/4,1/4",
    "0,1/2,1/2\n1,1/4,3/4",
    "1,2\n3,4",
    "2020,2021\n1/2,1/2",
]


@pytest.mark.parametrize("text", KEPT)
def test_lines_of_numbers_are_never_dropped(text):
    grid = read_grid(text)
    assert (grid.inputs, grid.outputs, grid.notes) == (None, None, ())
    assert len(grid.rows) == len(text.splitlines())


REFUSED = [
    # a misprint in the first line is no heading, and no line is dropped for it
    ("l/2,1/2\n1,0", RationalSyntaxError, "row 0, column 0"),
    ("0..5,0.5\n1,0", RationalSyntaxError, "row 0, column 0"),
    ("l/2\n1/2\n1/2", RationalSyntaxError, "row 0, column 0"),
    ("O\n1/2\n1/2", RationalSyntaxError, "row 0, column 0"),
    ("l,O\n1/2,1/2", RationalSyntaxError, "row 0, column 0"),
    ("O.5,0.5\n1,0", RationalSyntaxError, "row 0, column 0"),
    ("nan,nan\n1,0", RationalSyntaxError, "row 0, column 0"),
    # nor are numbers in one character: this line was taken for labels, and the rest proved to be private
    ("⅛,⅞\n1/2,1/2\n1/2,1/2", RationalSyntaxError, "row 0, column 0"),
    ("½,1/2\n¼,3/4", RationalSyntaxError, "row 0, column 0"),
    ("²,³\n1/2,1/2", RationalSyntaxError, "row 0, column 0"),
    ("①,②\n1/2,1/2", RationalSyntaxError, "row 0, column 0"),
    ("Ⅰ,Ⅱ\n1/2,1/2", RationalSyntaxError, "row 0, column 0"),
    # nor are those with functions that no reader knows
    ("e^-1,e^-2\n1/2,1/2\n1/2,1/2", RationalSyntaxError, "row 0, column 0"),
    ("EXP(-1)/2,EXP(-2)\n1/2,1/2", RationalSyntaxError, "row 0, column 0"),
    ("exp (-1),exp (-2)\n1/2,1/2", RationalSyntaxError, "row 0, column 0"),
    ("ln(2),log (2)\n1/2,1/2", RationalSyntaxError, "row 0, column 0"),
    ("pi/4,e**-1\n1/2,1/2", RationalSyntaxError, "row 0, column 0"),
    (r"e^{-1} & e^{-2} \\ \frac12 & \frac12 \\ \frac12 & \frac12", RationalSyntaxError, "row 0, column 0"),
    ("1-a,a\na,1-a", RationalSyntaxError, "row 0, column 0"),
    ("sqrt(2,1/2\nsqrt(3),1/2", RationalSyntaxError, "row 0, column 0"),
    ("x,1/2\n1,0", RationalSyntaxError, "give --labels"),
    (",1/2,1/2\n0,1/2,1/2", RationalSyntaxError, "give --labels"),  # a missing number
    ("x,1,0\ny,1/2,1/2", RationalSyntaxError, "give --labels"),  # a row of 0 and 1, or numbers for columns
    ("x,1,0\ny,1/2,1/2", RationalSyntaxError, "if only the first column is, begin with a line of labels"),
    ("|1/2|1/2|\n|---|---|\n|--|--|\n|1/4|3/4|", RationalSyntaxError, "line 3"),  # numbers that are missing
    ("0,x\nx,0", RationalSyntaxError, "row 0, column 1"),
    ("input,no,yes\n0,1/2,1/2\n1,1/4,3/4", InputError, "give --labels"),
    ("i,j,no,yes\n0,0,1/2,1/2\n0,1,1/4,3/4", InputError, "give --labels"),
    ("no,yes\n1,0\n0,1", InputError, "give --labels"),
    ("no,no\n1/2,1/2", RationalSyntaxError, "give --labels"),
    (",no,yes\nx,1,0\nx,0,1", RationalSyntaxError, "give --labels"),
    ("1/2,1/2\n1", ShapeError, "row 1"),
    ("0,5;1/2", InputError, "write decimals with a point"),
    ("0,5;0.5", InputError, "write decimals with a point"),
    ("1,234;2,000", InputError, "may be a decimal or thousands"),
    ("0.5, 0.5; 0.25, 0.75", InputError, "one row a line"),
    (r"\frac12\begin{bmatrix} 1 & 1 \\ 0 & 2 \end{bmatrix}", InputError, "beside the matrix"),
    (r"\begin{bmatrix} 1 & 0 \end{bmatrix}\begin{bmatrix} 1 & 0 \end{bmatrix}", InputError, "one matrix"),
    (r"\begin{bmatrix} 1 & 0 \end{bmatrix}^2", InputError, "beside the matrix"),
    (r"\begin{bmatrix} 3\frac12 & 0 \end{bmatrix}", InputError, "may be a sum or a product"),
    (r"\begin{bmatrix} 1\,\tfrac12 & 0 \end{bmatrix}", InputError, "may be a sum or a product"),
    (r"\begin{bmatrix} 1\,1/2 & 0 \end{bmatrix}", RationalSyntaxError, "row 0, column 0"),  # 3/2 to its author; was 11/2
    (r"\begin{bmatrix} 1\,2\alpha & 0 \end{bmatrix}", InputError, "may be a sum or a product"),
    (r"\begin{bmatrix} 2^12 & 0 \end{bmatrix}", InputError, "exponent is 1 only"),  # was 4
    (r"\begin{bmatrix} \foo & 0 \end{bmatrix}", InputError, r"unknown command \\foo"),
    (r"\begin{bmatrix} 1 & 0 \\ 0", InputError, "one matrix"),
    (r"\begin{bmatrix} \frac{1}{ & 0 \end{bmatrix}", InputError, "brace"),
]


@pytest.mark.parametrize(("text", "kind", "words"), REFUSED)
def test_what_may_mean_two_things_is_refused(text, kind, words):
    with pytest.raises(kind, match=words):
        read_table(text)


def test_formulas_of_latex():
    from exactdp.readers.formulas import read_formula_table

    text = r"""\begin{pmatrix}
      \frac{1}{1+\alpha} & \frac{\alpha}{1+\alpha} \\
      \alpha^{2}(1-\alpha) & 1 - \alpha^2\left(1-\alpha\right)
    \end{pmatrix}"""
    assert read_formula_table(text) == read_formula_table("1/(1+a),a/(1+a)\na^2*(1-a),1-a^2*(1-a)")
    with pytest.raises(InputError, match="directly before"):
        read_formula_table(r"\begin{bmatrix} 1 2\alpha & 0 \end{bmatrix}")


@settings(max_examples=25)
@given(st.integers(0, 4), st.fractions(0, 1, max_denominator=50).filter(lambda x: 0 < x < 1))
def test_latex_that_is_shown_is_read_back(n, alpha):
    """Numbers, and functions of the level, as the report and a matrix write them."""
    from exactdp.readers.formulas import read_formula_table
    from exactdp.report.items import grid_of
    from exactdp.report.latex import items_latex

    numbers, functions = xdp.geometric(n, Rational(str(alpha))), xdp.geometric(n, xdp.PrivacyLevel.symbolic())
    assert read_table(numbers.matrix.to_latex()).matrix == numbers.matrix
    assert read_table(items_latex([grid_of("the table", numbers.as_table())])).matrix == numbers.matrix
    assert read_formula_table(items_latex([grid_of("the table", functions.as_table())])).matrix == functions.matrix


@pytest.mark.parametrize(
    ("text", "inputs", "given"),
    [
        ("1/3 2/3", None, False),
        ("0,25;0,75".replace("25", "2").replace("75", "8"), None, False),
        ("no,yes\n1/3,2/3", ("no", "yes"), False),
        ("no,1/3\nyes,2/3", ("no", "yes"), False),
        (",0\nno,1/3\nyes,2/3", ("no", "yes"), False),
        ("answer,weight\nno,1/3\nyes,2/3", ("no", "yes"), False),
        ("answer,weight\nno,1/3\nyes,2/3", ("no", "yes"), True),
        ("0,0,1/3\n0,1,2/3", ("0,0", "0,1"), True),
        ("i,j,p\n0,0,1/3\n0,1,2/3", ("0,0", "0,1"), True),
    ],
)
def test_priors(text, inputs, given):
    prior = read_prior(text, labels=given)
    assert prior.inputs == (Positions(2) if inputs is None else inputs)
    assert sum(prior.weights) == 1
    assert prior.weights[0] < prior.weights[1]


def test_a_comma_in_a_heading_of_tabs_separates_nothing():
    """The weights were 25 and 75, of the inputs 'no' with a tab and 0."""
    prior = read_prior("input\tweight, of 1\nno\t0,25\nyes\t0,75", labels=True)
    assert prior == read_prior("no,1/4\nyes,3/4")


def test_a_prior_with_numbers_for_labels_needs_the_option():
    with pytest.raises(ShapeError, match="give --labels"):
        prior_grid("0,1/3\n1,2/3")


def test_labels_that_repeat_need_further_columns():
    table = read_table("i,j,no,yes\n0,0,1/2,1/2\n0,1,1/4,3/4", labels=True)
    assert table.inputs == ("0,0", "0,1")
    with pytest.raises(LabelError, match="occurs at places"):
        read_table(",no,yes\nx,1/2,1/2\nx,1/4,3/4", labels=True)


names = st.text(st.characters(codec="utf-8", categories=["L"]), min_size=1, max_size=6).filter(
    lambda s: s.lower() not in {"nan", "inf", "infinity", "a", "alpha", "α"}
)


@given(
    st.lists(names, min_size=2, max_size=4, unique=True),
    st.lists(names, min_size=1, max_size=4, unique=True),
    st.data(),
    st.sampled_from([",", ";", "\t"]),
    st.sampled_from(["", "corner"]),
)
def test_what_csv_writes_is_read_back(inputs, outputs, data, separator, corner):
    """What Python's csv module writes is read with its labels of letters, asked for or not."""
    cells = data.draw(
        st.lists(st.lists(st.fractions(), min_size=len(outputs), max_size=len(outputs)), min_size=len(inputs), max_size=len(inputs))
    )
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=separator)
    writer.writerow([corner, *outputs])
    writer.writerows([[label, *row] for label, row in zip(inputs, cells, strict=True)])
    for given_labels in (True, False):
        table = read_table(stream.getvalue(), labels=given_labels)
        assert (table.inputs, table.outputs, fractions(table)) == (tuple(inputs), tuple(outputs), cells)


@given(st.text(st.sampled_from('01/2.,;\t |"ab%&\\{}\n-(^'), max_size=40))
def test_any_text_is_a_table_or_an_input_error(text):
    """No row is lost: each line that is not blank is a row or is told of as labels."""
    try:
        grid = read_grid(text)
    except InputError:
        return
    if "\\" in text or "|" in text:
        return
    lines = [line for line in text.splitlines() if line.strip(' \t,;"')]
    if grid.outputs is None and not grid.notes and len(grid.rows) < len(lines):
        pytest.fail(f"{text!r} has {len(lines)} lines, and {len(grid.rows)} rows were read")


def test_points_have_the_names_of_a_grid():
    from exactdp.readers.graphs import read_edges

    table = read_table('"(0, 0)",1/2,1/2\n"(0, 1)",1/3,2/3\n"(1, 0)",1/3,2/3\n"(1, 1)",1/4,3/4')
    assert set(table.inputs) == set(xdp.neighbours("grid:2x2").vertices)
    assert read_edges("(0,0) (0,1)\n(0,1) (1,1)").vertices == ("0,0", "0,1", "1,1")
    assert read_table('{"inputs": ["(0, 0)", "(0, 1)"], "rows": [[1], [1]]}').inputs == ("0,0", "0,1")
    assert read_table('{"inputs": ["(0, 0)", "all"], "rows": [[1], [1]]}').inputs == ("(0, 0)", "all")
    assert read_table("histogram,x\n[0,5),1\n[5,9),1".replace(",5", "-5").replace(",9", "-9")).inputs == ("[0-5)", "[5-9)")


def test_points_are_labels_in_python_and_in_pandas():
    pandas = pytest.importorskip("pandas")
    corners = [(0, 0), (0, 1), (1, 0), (1, 1)]
    rows = [["1/2", "1/2"], ["1/3", "2/3"], ["1/3", "2/3"], ["1/4", "3/4"]]
    mechanism = xdp.Mechanism(rows, corners)
    assert mechanism.inputs == ("0,0", "0,1", "1,0", "1,1")
    assert str(xdp.tightest_level(mechanism, xdp.neighbours("grid:2x2")).evidence.tightest) == "2/3"
    frame = pandas.DataFrame(rows, index=pandas.MultiIndex.from_tuples(corners), columns=["no", "yes"])
    assert xdp.table_of(frame).inputs == mechanism.inputs
    assert xdp.read_table(frame.to_csv()) == xdp.table_of(frame)
    assert xdp.read_table(frame.to_csv(sep=";")) == xdp.table_of(frame)
    named = frame.rename_axis(["i", "j"])
    assert xdp.read_table(named.to_csv(), labels=True) == xdp.table_of(frame)
    with pytest.raises(InputError, match="give --labels"):
        xdp.read_table(named.to_csv())
    with pytest.raises(LabelError, match="points such as"):
        xdp.Mechanism(rows[:2], [("a,b", "c"), ("a", "b,c")])


@pytest.mark.parametrize("index", [None, ["a", "b"], [3, 5], ["x y", 'say "hi", twice']], ids=repr)
@pytest.mark.parametrize("columns", [None, ["no", "yes"], [1, 2]], ids=repr)
@pytest.mark.parametrize("name", [None, "city"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_what_pandas_writes_is_read_back(index, columns, name, separator):
    """With its corner cell empty, or its index named; if that leaves two meanings, with --labels only."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([["1/2", "1/2"], ["1/4", "3/4"]], index=index, columns=columns).rename_axis(name)
    text, expected = frame.to_csv(sep=separator), xdp.table_of(frame)
    asked = xdp.read_table(text, labels=True)
    assert (tuple(asked.inputs), tuple(asked.outputs)) == (tuple(expected.inputs), tuple(expected.outputs))
    assert asked.matrix == expected.matrix
    words = index in (["a", "b"], ["x y", 'say "hi", twice'])
    if name is None or (words and columns == ["no", "yes"]):
        assert xdp.read_table(text) == expected
    else:
        with pytest.raises(InputError, match="give --labels"):
            xdp.Mechanism(xdp.read_table(text).matrix)


def test_numbers_that_labels_displace_are_told_of():
    """--labels on a table without a line of labels takes numbers for labels, and says so."""
    grid = read_grid("0,1/3,2/3\n1,1/2,1/2", labels=True)
    assert grid.outputs == ["1/3", "2/3"]
    assert grid.notes == ("line 1 is read as the labels (1/3, 2/3) of the columns",)
    # the line may be a row of the input x, and was dropped without a word
    grid = read_grid("x,0,1\ny,1/2,1/2\nz,1/2,1/2", labels=True)
    assert (grid.inputs, grid.outputs) == (["y", "z"], ["0", "1"])
    assert grid.notes == ("line 1 is read as the labels (0, 1) of the columns",)
    # only the columns have labels, and numbers are taken for those of the rows
    grid = read_grid("no,yes\n1/2,1/2\n1/3,2/3", labels=True)
    assert grid.notes == ("the first column is read as the labels (1/2, 1/3) of the rows",)
    assert read_grid(",0,1\nx,1/2,1/2", labels=True).notes == read_grid("x,no,yes\n1,1/2,1/2", labels=True).notes == ()


@pytest.mark.parametrize("epsilon", ["1/2", "1", "7/5"])
def test_latex_of_a_level_in_epsilon_is_read_back(epsilon):
    """The meaning of t stands behind the matrix, or in the title above it."""
    from exactdp import geometric
    from exactdp.report.items import explained, grid_of
    from exactdp.report.latex import items_latex

    deployed = geometric(2, epsilon=epsilon)
    for matrix in (deployed.matrix, deployed.matrix * deployed.matrix, deployed.matrix[0, :]):
        assert read_table(matrix.to_latex()).matrix == matrix
    shown = items_latex([grid_of(explained("G", deployed), deployed)])
    assert read_table(shown).matrix == deployed.matrix


@pytest.mark.parametrize(
    "text",
    [
        r"\begin{bmatrix} 1-t & t \end{bmatrix}",  # nobody says what t is
        r"\begin{bmatrix} 1-t & t \end{bmatrix},\quad t = e^{2}",
        r"\begin{bmatrix} 1-t_{2} & t_{2} \end{bmatrix},\quad t = e^{-1}",
        r"\begin{bmatrix} 1-t & \alpha \end{bmatrix},\quad t = e^{-1}",
        r"\begin{bmatrix} 1-t & t \end{bmatrix},\quad t = e^{-1},\quad t_{2} = e^{-1 \sqrt{2}}",
    ],
)
def test_a_letter_without_one_meaning_is_refused(text):
    with pytest.raises(InputError):
        read_table(text)


def test_a_label_t_stays_a_label():
    text = r"\begin{array}{c|cc} & \text{t} & \text{u} \\ 0 & t & 1-t \end{array},\quad t = e^{-1}"
    assert read_table(text, labels=True).outputs == ("t", "u")


@given(st.from_regex(r"-?[0-9]{1,3}\.[0-9]{1,19}[eE][-+]?[0-9]{1,3}", fullmatch=True))
def test_a_decimal_with_an_exponent_is_its_number(cell):
    """As numpy.savetxt writes all of a table."""
    mantissa, exponent = cell.lower().split("e")
    assert plain_number(cell) == f"{mantissa}e{int(exponent)}"
    if not mantissa.lstrip("-").startswith("0") or mantissa.lstrip("-").startswith("0."):
        assert Rational(plain_number(cell)) == Fraction(mantissa) * Fraction(10) ** int(exponent)
