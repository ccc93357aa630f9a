# SPDX-License-Identifier: MIT
"""Tables that are read with the digits that they show, in every format and notation."""

from __future__ import annotations

import io

import pytest

from exactdp import load, printed_table, read_table
from exactdp.errors import InputError, NotStochasticError, RationalSyntaxError

TWO = printed_table([["0.30", "0.70"], ["0.50", "0.50"]], digits=2)


@pytest.mark.parametrize(
    "text",
    [
        "0.30,0.70\n0.50,0.50",
        ".30;.70\n.50;.50",
        "0,30;0,70\n0,50;0,50",
        "30%,70%\n50%,50%",
        "0.3,0.7\n0.5,0.5",
        '[["0.30", 0.70], [0.50, 0.50]]',
        "| 0.30 | 0.70 |\n| 0.50 | 0.50 |",
        "3e-1,7e-1\n5e-1,5e-1",
    ],
)
def test_two_digits_in_many_notations(text):
    assert read_table(text, digits=2) == TWO


@pytest.mark.parametrize(
    ("cell", "half"),
    [("0.3000", "1/20000"), ("30.00%", "1/20000"), ("30%", "1/200"), ("3.000e-1", "1/20000"), ("3e-1", "1/20"), ("0.123 4", "1/20000")],
)
def test_auto_takes_what_each_cell_shows(cell, half):
    cell = cell.replace(" ", "\u2009")
    table = read_table(f"{cell};0.9\n0.9;0.1", digits="auto") if "0.123" in cell else read_table(f"{cell};0.7\n0.9;0.1", digits="auto")
    assert str(table.upper[0, 0] - table.printed[0, 0]) == half


@pytest.mark.parametrize("one", ["1", "1."])
def test_a_one_without_decimals_shows_none(one):
    table = read_table(f"{one};0\n0.5;0.5", digits="auto")
    assert [str(x) for x in table.lower.row(0)] == ["1/2", "0"]
    assert [str(x) for x in table.upper.row(0)] == ["1", "1/2"]


def test_labels_stay_with_the_rows():
    table = read_table(",no,yes\na,0.3,0.7\nb,0.5,0.5", labels=True, digits=1)
    assert (table.inputs, table.outputs, table.digits) == (("a", "b"), ("no", "yes"), 1)


def test_a_file_is_loaded_with_its_digits(tmp_path):
    (tmp_path / "t.csv").write_text("0.30,0.70\n0.50,0.50\n")
    assert load(tmp_path / "t.csv", digits=2) == TWO
    (tmp_path / "t.csv").write_text("0.35,0.65\n0.50,0.50\n")
    with pytest.raises(InputError, match=r"^t\.csv: row 0, column 0 \(line 1\): 0\.35 is not a number of 1 digit "):
        load(tmp_path / "t.csv", digits=1)


@pytest.mark.parametrize(
    ("text", "given", "told"),
    [
        ("0.3,0.7", {"dyadic": True}, "give one of them"),
        ("p,1-p", {"letters": "0 < p < 1"}, "a table with letters has formulas"),
        ("1 - exp(-1),exp(-1)", {}, "is not an exact number"),
        ("0.25,0.75", {}, r"row 0, column 0 \(line 1\): 0\.25 is not a number of 1 digit .*; give digits 2, or auto"),
        ("0.3,0.4", {}, "no distribution prints as row 0: its entries sum to at most 4/5, less than 1"),
    ],
)
def test_what_has_no_digits_is_refused(text, given, told):
    with pytest.raises((InputError, NotStochasticError, RationalSyntaxError), match=told):
        read_table(text, digits=1, **given)


def test_an_array_of_numbers_shows_no_digits():
    numpy = pytest.importorskip("numpy")
    for array, fine in ((numpy.array([["0.3", "0.7"], ["0.5", "0.5"]]), True), (numpy.array([[1, 0]]), False)):
        stream = io.BytesIO()
        numpy.save(stream, array)
        if fine:
            assert read_table(stream.getvalue(), digits=2) == TWO
        else:
            with pytest.raises(InputError, match="does not show digits"):
                read_table(stream.getvalue(), digits=2)
