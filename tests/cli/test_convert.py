# SPDX-License-Identifier: MIT
"""``exactdp convert``: every format, for every kind of number, is read back to the same table or refused."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from unicodedata import normalize

import click
import numpy as np
import pytest
import sympy
from cli_runner import run
from hypothesis import assume, given
from hypothesis import strategies as st

from exactdp.cli.convert import _csv, _json, _sympy, _texts
from exactdp.errors import InputError, printable
from exactdp.exact import ExactMatrix, ExponentialField, Interval, Rational, RationalFunctionField, common_field
from exactdp.model import Loss, MinimaxConsumer, Table
from exactdp.readers.formulas import read_formula_table
from exactdp.readers.tables import read_prior, read_table

A = RationalFunctionField().gen
T = ExponentialField("1/2").gen
T1, T2 = ExponentialField(1, roots=(1, 2)).gens

# what is written down, and how `convert` is told to read it
KINDS = {
    "rational": ("geometric:n=2 --alpha 1/4", lambda: geometric(Rational("1/4"))),
    "integers": ("identity:n=2", lambda: ExactMatrix.identity(3)),
    "functions": ("geometric:n=2 --alpha symbolic", lambda: geometric(A)),
    "exponential": ("geometric:n=2 --epsilon 1/2", lambda: geometric(T)),
    "roots": ("roots.json", lambda: ExactMatrix([[T1 / (1 + T2), 1 - T1 / (1 + T2)], [T2**3, 1 - T2**3]])),
    "functions in a file": ("functions.csv", lambda: ExactMatrix([[1 - A, A], ["1/2", "1/2"]])),
    "dyadic": ("doubles.csv --dyadic", lambda: ExactMatrix([[Rational(3602879701896397, 36028797018963968), "1/2"], [1, 0]])),
    "huge": ("huge.csv", lambda: ExactMatrix([[Rational(1) / Rational(3) ** 10000, 1 - Rational(1) / Rational(3) ** 10000], [0, 1]])),
    "long": ("long.csv", lambda: ExactMatrix([[Rational(1, 3**400), 1 - Rational(1, 3**400)], [0, 1]])),
}
FORMATS = ["csv", "json", "npy", "sympy"]
ROWS = [[["1/2", "1/2"], ["1/3", "2/3"]], [["1-a", "a"], ["a", "1-a"]], [["exp(-1)", "1-exp(-1)"], ["0", "1"]]]
LABELS = {"inputs": ["no, never", 'a "yes"'], "outputs": ["ja", "0"]}


def geometric(a):
    """The geometric mechanism on 0, 1, 2, by its formula."""
    inner = a * (1 - a)
    return ExactMatrix([[1, inner, a * a], [a, 1 - a, a], [a * a, inner, 1]]).map(lambda x: x / (1 + a))


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    rows = [["exp(-1)/(1 + exp(-1*sqrt(2)))", "1 - exp(-1)/(1 + exp(-1*sqrt(2)))"], ["exp(-1*sqrt(2))^3", "1 - exp(-1*sqrt(2))^3"]]
    (tmp_path / "roots.json").write_text(json.dumps({"rows": rows}))
    (tmp_path / "functions.csv").write_text("1 - a,a\n1/2,1/2\n")
    (tmp_path / "doubles.csv").write_text("0.1,0.5\n1,0\n")
    huge = Rational(3) ** 10000  # more digits than Python's own integers are read from
    (tmp_path / "huge.csv").write_text(f"{1 / huge},{1 - 1 / huge}\n0,1\n")
    (tmp_path / "long.csv").write_text(f"1/{3**400},{3**400 - 1}/{3**400}\n0,1\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read_back(path, form, labels=False):
    """The table in a file that was written, read by the library."""
    content = path.read_bytes()
    if form == "sympy":
        scope = {}
        exec(content, scope)  # our own output
        assert not scope["M"].atoms(sympy.Float)
        return Table(ExactMatrix.from_sympy(scope["M"]), scope.get("inputs"), scope.get("outputs"))
    try:
        return read_table(content, labels=labels)
    except InputError:
        return read_formula_table(content, labels=labels)


def assert_same(found, expected):
    """Equal, entry by entry, over the least field that has the numbers of both."""
    field = common_field(found, expected)
    assert found.over(field) == expected.over(field)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_format_of_every_kind_goes_round(here, kind, form):
    command, expected = KINDS[kind]
    done = run(f"convert {command} --to {form} -o there.{form}")
    assert (done.code, done.err) == (0, "")
    assert_same(read_back(here / f"there.{form}", form).matrix, expected())
    if form != "sympy":  # and by the command itself, in every format
        for other in FORMATS:
            assert run(f"convert there.{form} --to {other} -o again.{other}").code == 0
            assert_same(read_back(here / f"again.{other}", other).matrix, expected())


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("rows", ROWS)
def test_labels_go_round_too(here, rows, form):
    (here / "labelled.json").write_text(json.dumps({**LABELS, "rows": rows}))
    done = run(f"convert labelled.json --to {form} -o there.{form}")
    if form == "npy":
        assert done.code == 2
        assert "has labels, and a .npy file has no place for them" in done.err
        assert not (here / "there.npy").exists()
        return
    assert done.code == 0
    back = read_back(here / f"there.{form}", form, labels=True)
    assert (list(back.inputs), list(back.outputs)) == (LABELS["inputs"], LABELS["outputs"])
    assert_same(back.matrix, read_back(here / "labelled.json", "json").matrix)
    if form == "csv":
        assert "read the file with --labels" in done.err
        assert run("convert there.csv --labels --to json").out == run("convert labelled.json --to json").out


@given(st.lists(st.text(st.characters(codec="utf-8"), min_size=1, max_size=6), min_size=2, max_size=2, unique=True))
def test_any_labels_go_round(labels):
    assume(len({normalize("NFC", printable(label)) for label in labels}) == 2)  # two that look alike are refused
    table = Table([[1, 0], [0, 1]], labels, labels[::-1])
    assert read_table(_json(table, False)) == table
    scope = {}
    exec(_sympy(table, False), scope)  # our own output
    assert (scope["inputs"], scope["outputs"]) == (labels, labels[::-1])
    if any(set(label) & set("\r\n\0\ufeff") for label in labels):
        with pytest.raises(click.UsageError, match="line break"):
            _csv(table, True)
    else:
        assert read_table(_csv(table, True), labels=True) == table


def test_the_lines_of_the_issue(here):
    source = run("convert geometric:n=2 --alpha symbolic --to sympy").out
    assert source.startswith("from sympy import Matrix, Rational, Symbol\n\na = Symbol('a')\nM = Matrix([\n")
    assert run("convert geometric:n=2 --epsilon 1 --to npy -o g.npy").code == 0
    assert np.load("g.npy")[0, 0] == "1/(exp(-1) + 1)"
    assert (
        run("convert geometric:n=1 --epsilon 1 --to csv").out
        == "1/(exp(-1) + 1),exp(-1)/(exp(-1) + 1)\nexp(-1)/(exp(-1) + 1),1/(exp(-1) + 1)\n"
    )


def test_a_file_with_exponentials_is_a_table_like_any_other(here):
    assert run("convert geometric:n=3 --epsilon 1/2 --to csv -o g.csv").code == 0
    assert run("privacy g.csv --graph path:4 --epsilon 1/2").code == 0
    assert run("privacy g.csv --graph path:4 --epsilon 1/3 --json").code == 1
    assert run("show g.csv --latex").code == 0
    (here / "coin.csv").write_text("1/(1 + exp(-1)), exp(-1)/(1 + exp(-1))\nexp(-1)/(1 + exp(-1)), 1/(1 + exp(-1))\n")
    assert run("privacy coin.csv --graph path:2 --epsilon 1").code == 0
    assert run("privacy coin.csv --graph path:2 --epsilon 99/100").code == 1


def test_a_prior_and_a_loss_may_have_exponentials_where_the_level_has_none(here):
    done = run('optimal --graph path:2 --alpha 1/2 --loss abs --prior "exp(-1),1-exp(-1)"')
    assert done.code == 0
    assert done.about.endswith(" · t = e^(−1)")
    (here / "loss.csv").write_text("0,exp(-1)\n1,0\n")
    for graph in ("path:2", "complete:2"):
        assert run(f"optimal --graph {graph} --epsilon 1/2 --loss loss.csv").code == 3  # two values of ε
        for level in ("--alpha 1/2", "--epsilon 1"):
            done = run(f"optimal --graph {graph} {level} --loss loss.csv -o c.json")
            assert done.code == 0
            assert run("verify c.json").code == 0
            assert run(f"optimal --graph {graph} {level} --loss loss.csv --prior uniform").code == 0
    (here / "long.csv").write_text("".join(",".join(f"{abs(i - r)}*exp(-1)" for r in range(8)) + "\n" for i in range(8)))
    half = run("optimal --graph path:8 --alpha 1/2 --loss abs --json").json["value"]
    done = run("optimal --graph path:8 --alpha 1/2 --loss long.csv --json").json["value"]
    assert ExponentialField(1)(done["expr"]) == Rational(half) * ExponentialField(1).gen
    assert run("remap geometric:n=1,alpha=1/2 --loss loss.csv").code == 0


def test_two_values_of_epsilon_in_one_table_have_one_field():
    found = read_table("exp(-1/2),1 - exp(-1/2)\nexp(-1/3),1 - exp(-1/3)\n")
    t = ExponentialField("1/6").gen
    assert found.matrix == ExactMatrix([[t**3, 1 - t**3], [t**2, 1 - t**2]])
    assert read_prior("exp(-1),1 - exp(-1)").weights[0] == ExponentialField(1).gen


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("exp(-1/2),a", "line 1"),
        ("1/2,exp(-1/2)*a", "the letter a beside exp"),
        ("1/2,exp(a)", "exp takes a rational number, as in exp(-1/2)"),
        ("1/2,exp(-1/0)", "zero"),
        ("1/2,exp(-1/2", "exp takes a rational number"),
        ("1/2,exp(-1)^0.5", "not an integer"),
        ("exp(-1),exp(-1/30000)", "degree 30,000"),
        ("exp(-20000),1", "too large"),
        ("1/2,1/(exp(-1) - exp(-1))", "which is zero"),
        ("1/2,exp(-1)^99999", "degree 99,999"),
    ],
)
def test_formulas_with_exponentials_that_are_none(here, text, words):
    (here / "wrong.csv").write_text(text + "\n")
    done = run("convert wrong.csv --to json")
    assert done.code in {2, 3, 4}
    assert words in done.err
    assert run("privacy wrong.csv --graph path:1").code in {2, 3, 4}


def test_doubles_and_exponentials_do_not_mix(here):
    (here / "mixed.csv").write_text("0.5,exp(-0.5)\n")
    assert "no meaning with --dyadic" in run("convert mixed.csv --dyadic --to json").err
    assert read_table("0.5,exp(-0.5)").matrix[0, 1] == T


@pytest.mark.parametrize("kind", KINDS)
def test_latex_is_read_back_too_where_one_letter_is_explained(kind):
    matrix = KINDS[kind][1]()
    if kind != "roots":
        assert ExactMatrix.from_latex(matrix.to_latex()) == matrix
    if kind == "exponential":
        assert read_table(matrix.to_latex()).matrix == matrix
    elif isinstance(matrix.field, ExponentialField):  # several letters
        with pytest.raises(InputError, match="beside the matrix"):
            read_table(matrix.to_latex())
    else:
        assert read_formula_table(matrix.to_latex(), alpha=A).matrix == matrix


def test_functions_on_another_interval_are_refused():
    matrix = ExactMatrix([[RationalFunctionField(Interval("1/2", 1)).gen, 1]])
    with pytest.raises(InputError, match=r"functions of a on \(1/2, 1\), and those of a file are functions of a on \(0, 1\)"):
        _texts(Table(matrix), "csv")


# --- Certificates ---


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("level", ["--alpha 1/4", "--epsilon 1/2", "--alpha symbolic"])
def test_the_mechanism_of_a_certificate(here, level, form):
    assert run(f"privacy geometric:n=2 {level} -o c.json").code == 0
    done = run(f"convert c.json --to {form} -o there.{form}")
    assert (done.code, done.err) == (0, "")
    expected = geometric({"--alpha 1/4": Rational("1/4"), "--epsilon 1/2": T, "--alpha symbolic": A}[level])
    assert_same(read_back(here / f"there.{form}", form).matrix, expected)


def test_the_optimum_of_a_certificate(here):
    assert run("optimal --graph path:3 --alpha 1/2 --loss abs -o c.json").code == 0
    assert run("convert c.json --to csv -o best.csv").code == 0
    best = read_table((here / "best.csv").read_text()).as_mechanism()
    least = run("optimal --graph path:3 --alpha 1/2 --loss abs --json").json["value"]
    assert str(MinimaxConsumer(Loss.absolute(range(3))).loss_of(best)) == least
    assert run("privacy best.csv --graph path:3 --alpha 1/2").code == 0


def test_labels_of_a_certificate_go_along(here):
    (here / "t.json").write_text(json.dumps({"inputs": ["no", "yes"], "outputs": ["u", "v"], "rows": [["1/2", "1/2"], ["1/3", "2/3"]]}))
    (here / "g.edges").write_text("no yes\n")
    assert run("privacy t.json --graph g.edges -o c.json").code == 0
    assert run("convert c.json --to json").json == run("convert t.json --to json").json


def test_certificates_without_one_table_are_refused(here):
    assert run("derive geometric:n=2,alpha=1/2 --source geometric:n=2,alpha=1/4 -o d.json").code in {0, 1}
    done = run("convert d.json --to csv")
    assert done.code in {2, 3}
    assert "the tables A, B, and a file has room for one" in done.err
    body = json.loads((here / "d.json").read_text())
    body["claim"]["nonsense"] = 1
    (here / "bad.json").write_text(json.dumps(body))
    assert run("convert bad.json --to csv").code not in {0, 70}


@pytest.mark.parametrize(("form", "meaning"), [("", "t = e^(−1/2)"), ("--html", "t = e^(−1/2)"), ("--latex", "t = $e^{-1/2}$")])
def test_the_letter_of_a_level_is_explained_where_a_table_is_shown(form, meaning, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert meaning in re.sub(r"<[^>]*>", "", run(f"show geometric:n=1 --epsilon 1/2 {form}").out)
    assert run("convert geometric:n=1 --epsilon 1/2 --to csv -o g.csv").code == 0
    assert meaning in re.sub(r"<[^>]*>", "", run(f"show g.csv {form}").out)


def test_a_latex_table_of_decimals_has_labels(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.csv").write_text(",no_1,yes\n50%,1/3,2/3\nb,2/3,1/3\n", encoding="utf-8")
    done = run("convert m.csv --labels --to latex --decimals 4")
    assert done.code == 0
    head, *rows, end = done.out.splitlines()[1:]
    assert head == r" & no\_1 & yes \\ \hline"
    assert end == r"\end{tabular}"
    cells = [row.removesuffix(r" \\").split(" & ") for row in rows]
    assert [row[0] for row in cells] == [r"50\%", "b"]
    exact = [[Fraction(1, 3), Fraction(2, 3)], [Fraction(2, 3), Fraction(1, 3)]]
    for row, numbers in zip(cells, exact, strict=True):
        assert all(abs(Fraction(cell) - x) <= Fraction(1, 20000) for cell, x in zip(row[1:], numbers, strict=True))


@pytest.mark.parametrize("words", [["--to", "csv", "--decimals", "4"], ["--to", "latex", "--decimals", "31"]])
def test_decimals_are_for_latex(words):
    done = run(["convert", "geometric:n=2,alpha=1/3", *words])
    assert done.code == 2
    assert "--decimals" in done.err
