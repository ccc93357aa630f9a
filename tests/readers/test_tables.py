# SPDX-License-Identifier: MIT
"""Tables from files: exact numbers, named faults, and nothing executed."""

from __future__ import annotations

import io
import json
import os
import pickle
from contextlib import suppress
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import matrices

from exactdp.errors import InexactInputError, InputError, LabelError, RationalSyntaxError, ResourceLimitError, ShapeError
from exactdp.exact import Rational, from_float
from exactdp.model import Table
from exactdp.readers.csv_grids import csv_grid
from exactdp.readers.grids import text_in
from exactdp.readers.json_grids import json_grid
from exactdp.readers.npy_grids import npy_grid
from exactdp.readers.tables import prior_grid, read_grid, read_prior, read_table
from exactdp.runtime.budget import Budget

some_matrices = st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(lambda shape: matrices(*shape))
EIGHTH = Fraction(1, 8)


def table_from_csv(text, labels=False, dyadic=False):
    return read_table(csv_grid(text_in(text), labels), dyadic=dyadic)


def table_from_json(text, dyadic=False):
    return read_table(json_grid(text_in(text)), dyadic=dyadic)


def table_from_npy(content, dyadic=False):
    return read_table(npy_grid(content, dyadic), dyadic=dyadic)


def vector_from_csv(text, dyadic=False):
    return tuple(x for row in read_table(prior_grid(text), dyadic=dyadic).matrix.rows() for x in row)


def npy(array, **options):
    buffer = io.BytesIO()
    np.save(buffer, array, **options)
    return buffer.getvalue()


@given(some_matrices)
def test_all_formats_carry_the_same_table(matrix):
    texts = [[str(x) for x in row] for row in matrix.rows()]
    strings = np.array([[x.as_fraction() for x in row] for row in matrix.rows()], dtype=object).astype(str)
    expected = Table(matrix)
    assert table_from_csv("\n".join(map(",".join, texts))) == expected
    assert table_from_json(json.dumps(texts)) == expected
    assert table_from_json(json.dumps({"rows": texts})) == expected
    assert table_from_npy(npy(strings)) == expected
    assert table_from_npy(npy(np.array(texts))) == expected
    assert table_from_npy(npy(np.asfortranarray(strings))) == expected
    for content, header in (("\n".join(map(",".join, texts)).encode(), False), (json.dumps(texts), None), (npy(strings), None)):
        assert read_table(content, header=header) == expected


# CSV


def test_decimals_are_exact_unless_doubles_are_meant():
    assert table_from_csv("0.1,0.9").matrix.row(0) == (Fraction(1, 10), Fraction(9, 10))
    dyadic = table_from_csv("0.1,1/3,2,1e-05,0.5", dyadic=True)
    assert dyadic.matrix.row(0) == (Fraction(0.1), Fraction(1, 3), 2, Fraction(1e-05), Fraction(1, 2))


def test_labels_quotes_blank_lines_and_line_ends():
    table = table_from_csv('\ufeff"in \\ out","no, thanks","say ""hi"""\r\n\r\n a , 1/2, 0.5 \r\n"b",0,1\r\n', labels=True)
    assert table.inputs == ("a", "b")
    assert table.outputs == ("no, thanks", 'say "hi"')
    assert table.matrix.row(0) == (Fraction(1, 2), Fraction(1, 2))


def test_long_numbers_are_no_obstacle():
    digits = "7" * 200_000
    assert table_from_csv(f"1/{digits},0").matrix[0, 0].denominator == Rational(digits).numerator


@pytest.mark.parametrize(
    ("text", "labels", "kind", "words"),
    [
        ("", False, InputError, "empty"),
        ("\n  \n", False, InputError, "empty"),
        ("1,0\n0,1_0/3\n", False, RationalSyntaxError, r"row 1, column 1 \(line 2\): '1_0/3'.*underscores.*character 2"),
        ("1,,0\n", False, RationalSyntaxError, r"row 0, column 1 \(line 1\): '' .*give --labels"),
        ("1,nan\n", False, RationalSyntaxError, "not-a-number"),
        ("1,1 0\n", False, RationalSyntaxError, "blank"),
        ("1;0,1/2\n", False, RationalSyntaxError, "unexpected ','"),
        ("1,0\n\n1\n", False, ShapeError, r"row 1 \(line 3\) has 1 entries, the first row has 2"),
        (",a,b\nx,1\n", True, ShapeError, r"row 0 \(line 2\) has 1 entries, there are output labels for 2"),
        (",a,b\n", True, InputError, "no rows"),
        ("x\ny\n", True, InputError, "no numbers"),
        (",a,a\nx,1,0\n", True, LabelError, "'a' occurs at places 0 and 1"),
        (",a,b\n,1,0\n", True, LabelError, "empty text"),
        ('"1,0\n', False, InputError, "line 1, character 1: a quotation mark"),
        ('1"2,0\n', False, InputError, "line 1, character 2: a quotation mark"),
        ("a,b\n1,0\n", False, InputError, "line 1 is words, and the first column may be labels or numbers: give --labels"),
    ],
)
def test_bad_csv(text, labels, kind, words):
    with pytest.raises(kind, match=words):
        table_from_csv(text, labels=labels)


def test_errors_carry_the_place():
    with pytest.raises(RationalSyntaxError) as caught:
        table_from_csv("1,0\n\n0,1/x")
    error = caught.value
    assert (error.row, error.column, error.line, error.position, error.text) == (1, 1, 3, 2, "1/x")


def test_no_double_is_infinite():
    with pytest.raises(InexactInputError, match="row 0, column 0"):
        table_from_csv("1e400", dyadic=True)


@pytest.mark.parametrize("text", ["1/2,1/4,1/4", "1/2\n1/4\n1/4\n", " 0.5 , 0.25,0.25\n\n"])
def test_vectors(text):
    assert vector_from_csv(text) == read_prior(text).weights == (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))


def test_bad_vectors():
    with pytest.raises(ShapeError, match="one line or one column"):
        vector_from_csv("1,2\n3,4")
    with pytest.raises(RationalSyntaxError, match="row 1, column 0"):
        vector_from_csv("1\nx")
    assert vector_from_csv("0.1", dyadic=True) == (Fraction(0.1),)


def test_sizes_are_bounded_before_cells_are_made():
    allowed = Budget().numbers
    for text in ("0," * allowed + "1", "0\n" * (allowed + 1), " 0" * (allowed + 1), "[[" + "0," * allowed + "1]]"):
        with pytest.raises(ResourceLimitError, match=r"has 5,000,00[12] numbers; the limit is 5,000,000 \(to allow it: --budget 2,"):
            read_grid(text)


# JSON


def test_json_decimals_are_read_from_their_text():
    table = table_from_json('[[0.1, 1e-3, 3, "1/3", -0.0]]')
    assert table.matrix.row(0) == (Fraction(1, 10), Fraction(1, 1000), 3, Fraction(1, 3), 0)
    assert table_from_json("[[0.1]]", dyadic=True).matrix[0, 0] == Fraction(0.1)
    assert table_from_json("[[" + "9" * 10_000 + "]]").matrix[0, 0] == Rational("9" * 10_000)


def test_json_labels():
    table = table_from_json('{"rows": [[1, 0]], "inputs": ["a"], "outputs": [0, 1]}')
    assert (table.inputs, table.outputs) == (("a",), ("0", "1"))


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("[[1, 2]", InputError, "not JSON: .* at line 1, character 8"),
        ("[[NaN]]", InputError, "NaN is not a rational"),
        ("[[Infinity]]", InputError, "Infinity"),
        ("[[1e400000000]]", RationalSyntaxError, "row 0, column 0.*three digits"),
        ("[[true]]", InputError, "row 0, column 0: a truth value"),
        ("[[null]]", InputError, "row 0, column 0: null"),
        ("[[1, [2]]]", InputError, "row 0, column 1: a list"),
        ("[1, 2]", InputError, "list of rows"),
        ("[]", ShapeError, "at least one row"),
        ("[[1], [1, 2]]", ShapeError, "row 1 has 2 entries"),
        ('{"inputs": ["a"]}', InputError, "'rows' is missing"),
        ('{"rows": [[1]], "label": []}', InputError, "'label' is unknown"),
        ('{"rows": [[1]], "rows": [[2]]}', InputError, "'rows' occurs twice"),
        ('{"rows": [[1]], "inputs": "a"}', InputError, "'inputs' must be a list"),
        ('{"rows": [[1]], "inputs": [null]}', LabelError, "None"),
        ("[" * 100_000, InputError, "nested too deeply"),
        ("[[\"__import__('os')\"]]", RationalSyntaxError, "row 0, column 0"),
    ],
)
def test_bad_json(text, kind, words):
    with pytest.raises(kind, match=words):
        table_from_json(text)


# .npy


@pytest.mark.parametrize("dtype", ["<i1", "<i2", "<i4", "<i8", ">i2", ">i4", ">i8", "<u1", "<u2", "<u4", "<u8", ">u8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_integer_arrays(dtype, order):
    values = np.array([[0, 1, 120], [7, 5, 3]], dtype=dtype, order=order)
    assert table_from_npy(npy(values)).matrix.T == Table(values.astype(object).tolist()).matrix.T


def test_extreme_integers():
    values = np.array([[2**64 - 1]], dtype="u8")
    assert table_from_npy(npy(values)).matrix[0, 0] == 2**64 - 1
    values = np.array([[-(2**63)]], dtype="i8")
    assert table_from_npy(npy(values)).matrix[0, 0] == -(2**63)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", ">f8"])
def test_floats_need_the_explicit_door(dtype):
    values = np.array([[0.1, 0.25], [1e-5, 3]], dtype=dtype)
    with pytest.raises(InexactInputError, match="dyadic=True"):
        table_from_npy(npy(values))
    table = table_from_npy(npy(values), dyadic=True)
    assert [list(row) for row in table.matrix.rows()] == [[from_float(x) for x in row] for row in values]


@pytest.mark.parametrize("dtype", ["f16", "c16", "?", "U3", "S3", "M8[s]", "i4,i4", "V4"])
def test_other_types_are_refused(dtype):
    with pytest.raises(InputError):
        table_from_npy(npy(np.zeros((1, 1), dtype=dtype)), dyadic=True)


def test_not_finite_floats():
    with pytest.raises(InexactInputError, match="row 0, column 1"):
        table_from_npy(npy(np.array([[0.5, float("nan")]])), dyadic=True)


@pytest.mark.parametrize("value", [1, "1/2", EIGHTH, Rational("1/8"), 0.5, None, True, [1], b"1", np.int64(3)], ids=repr)
def test_objects_are_refused_with_a_remedy(value):
    array = np.empty((1, 2), dtype=object)
    array[0, 0] = 1
    array[0, 1] = value
    with pytest.raises(InputError, match=r"astype\(str\).*table_of"):
        table_from_npy(npy(array))


def test_texts_are_read_as_in_csv():
    array = np.array([["1/8", "0.125", "5", "-1e-3"]])
    assert table_from_npy(npy(array)).matrix.row(0) == (EIGHTH, EIGHTH, 5, Fraction(-1, 1000))
    assert table_from_npy(npy(np.array([["0.1"]])), dyadic=True) == table_from_csv("0.1", dyadic=True)
    for text in ("1e400000000", "1_0/3", "nan", "a"):
        with pytest.raises(RationalSyntaxError, match="row 0, column 1"):
            table_from_npy(npy(np.array([["1", text]])))


class Hostile:
    """Runs what it is given when a careless unpickler meets it."""

    def __init__(self, *call):
        self.call = call

    def __reduce__(self):
        return self.call


def hostile(*call):
    array = np.empty((1, 1), dtype=object)
    array[0, 0] = Hostile(*call)
    return npy(array)


def test_nothing_in_a_pickle_is_run(tmp_path):
    victim = tmp_path / "victim"
    for call in ((os.mkdir, (str(victim),)), (eval, (f"__import__('os').mkdir({str(victim)!r})",)), (print, ("x",))):
        with pytest.raises(InputError, match="Python objects"):
            table_from_npy(hostile(*call))
    assert not victim.exists()


def test_a_pickle_can_not_alter_our_classes():
    """BUILD with a slot state would set attributes on whatever find_class returned."""
    head = npy(np.empty((1, 1), dtype=object))[: -len(pickle.dumps(np.empty((1, 1), dtype=object), protocol=4))]
    for module, name in ((b"exactdp.exact.rational", b"Rational"), (b"fractions", b"Fraction"), (b"numpy", b"ndarray")):
        with pytest.raises(InputError):
            table_from_npy(head + b"c" + module + b"\n" + name + b"\n" + b"(N}X\x05\x00\x00\x00wreckX\x01\x00\x00\x00ystb.")
    assert not hasattr(Rational, "wreck")
    assert not hasattr(Fraction, "wreck")
    assert not hasattr(np.ndarray, "wreck")


@pytest.mark.parametrize("shape", [(), (3,), (0, 2), (2, 0), (2, 2, 1)])
def test_shapes(shape):
    for kind in ("i8", "U3"):
        with pytest.raises(ShapeError):
            table_from_npy(npy(np.zeros(shape, dtype=kind)))


GOOD = npy(np.array([[1, 0], [0, 1]], dtype="i8"))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x93NUMPY",
        GOOD[:20],
        GOOD[:-1],
        GOOD + b"\0",
        b"PK" + GOOD,
        GOOD.replace(b"(2, 2)", b"(9, 9)"),
        GOOD.replace(b"(2, 2)", b"(-2,2)"),
        GOOD.replace(b"(2, 2), }", b"(-2, -2), }"),
        GOOD.replace(b"(2, 2), }", b"(True, 4), }"),
        GOOD.replace(b"(2, 2), }", b"(2, 2L), }"),
        GOOD.replace(b"(2, 2), }", b"((" + 2_000 * b"(" + b"2, 2), }"),
        GOOD.replace(b"'<i8'", b"'<i9'"),
        GOOD.replace(b"'<i8'", b"'|V8'"),
        GOOD.replace(b"'<i8'", b"'|O8'"),
        GOOD.replace(b"False", b"1 / 0"),
        GOOD[:6] + b"\x09" + GOOD[7:],
        GOOD.replace(b"(2, 2), }", b"(999999999999, 999999999999), }"),
    ],
)
def test_damaged_arrays(content):
    with pytest.raises(InputError):
        table_from_npy(content)


@given(st.binary(max_size=40))
def test_any_bytes_are_a_table_or_an_input_error(content):
    object_head = npy(np.empty((1, 1), dtype=object))[:128]
    for attempt in (content, GOOD[:128] + content, object_head + content):
        with suppress(InputError):
            read_table(attempt)


def test_read_table_finds_the_format():
    assert read_table("1,0\n0,1") == read_table(b"1,0\n0,1") == read_table(" [[1, 0], [0, 1]]") == read_table(GOOD)
    assert read_table(",a\nx,1", labels=True).inputs == ("x",)
    with pytest.raises(InputError, match=r"not UTF-8 text \(byte 3\)"):
        read_table(b"1,\xff")
