"""Files as people have them: what other programs write is read back as exactly what they wrote."""

from __future__ import annotations

import io
import json
import re
import struct
import tracemalloc
import zipfile
import zlib
from contextlib import suppress
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from exactdp.errors import ExactDPError, InexactInputError, InputError, ShapeError
from exactdp.exact import Rational
from exactdp.readers.formats import FORMATS, format_of
from exactdp.readers.tables import read_grid, read_table

WORDS = st.text("abcdefghkmnpqrstuvwxyz", min_size=2, max_size=6).filter(
    lambda word: word not in {"nan", "inf", "na", "alpha", "pi", "exp"}
)


@st.composite
def written(draw, digits=6):
    """Entries as decimal texts, and labels of both sides."""
    height, width = draw(st.integers(1, 5)), draw(st.integers(2, 9))
    number = st.integers(0, 10**digits).map(lambda x: f"{x / 10**digits:.{digits}f}")
    rows = draw(st.lists(st.lists(number, min_size=width, max_size=width), min_size=height, max_size=height))
    # an object with these keys is exactdp's own form, which other labels of an index are not
    labels = WORDS.filter(lambda word: word not in {"rows", "inputs", "outputs", "letters", "where"})
    inputs = draw(st.lists(labels, min_size=height, max_size=height, unique=True))
    outputs = draw(st.lists(WORDS, min_size=width, max_size=width, unique=True))
    return rows, inputs, outputs


def fractions_of(rows):
    return [[Fraction(x) for x in row] for row in rows]


def entries(table):
    return [[Fraction(str(x)) for x in row] for row in table.matrix.rows()]


def assert_read(content, rows, inputs=None, outputs=None, **how):
    table = read_table(content, header=how.pop("header", None), **how)
    assert entries(table) == rows
    grid = read_grid(content, **{key: x for key, x in how.items() if key != "transpose"})
    if inputs is not None or outputs is not None:
        assert (list(table.inputs), list(table.outputs)) == (inputs or list(map(str, range(len(rows)))), outputs)
    return grid


def frame_of(rows, inputs, outputs):
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame([[float(x) for x in row] for row in rows], index=inputs, columns=outputs)


# --- pandas ---


@pytest.mark.parametrize("orient", ["split", "records", "index", "columns", "values", "table"])
@given(written())
def test_every_orient_of_pandas(orient, table):
    rows, inputs, outputs = table
    content = frame_of(rows, inputs, outputs).to_json(orient=orient, double_precision=15)
    exact = fractions_of(rows)
    if orient == "columns":  # columns that nearly sum to 1 in the place of the rows are read as rows, which a note says
        assume(any(abs(sum(column) - 1) > Fraction(1, 50) for column in zip(*exact, strict=True)))
    if orient == "values":
        assert_read(content, exact)
    elif orient == "records":
        assert_read(content, exact, None, outputs)
    elif orient == "index":
        assert any("orient='index'" in note and "--transpose" in note for note in read_grid(content).notes)
        assert_read(content, exact, inputs, outputs, transpose=True)
    else:
        assert_read(content, exact, inputs, outputs)


def test_columns_that_nearly_sum_to_1_are_read_as_rows_and_a_note_says_so():
    """As columns the one row would sum to 1.98."""
    content = frame_of([["0.99", "0.99"]], ["x"], ["a", "b"]).to_json()
    grid = assert_read(content, [[Fraction("0.99")], [Fraction("0.99")]], ["a", "b"], ["x"])
    assert any("the outer names are read as rows (orient='index')" in note for note in grid.notes)


def test_rows_that_may_be_columns_are_refused():
    """Rows and columns of it sum to 1, and pandas writes both orients alike."""
    frame = frame_of([["0.5", "0.3", "0.2"], ["0.2", "0.5", "0.3"], ["0.3", "0.2", "0.5"]], ["a", "b", "c"], ["x", "y", "z"])
    for orient in ("columns", "index"):
        with pytest.raises(InputError, match=r"may be columns .* or rows .*give --transpose .*orient='split'"):
            read_table(frame.to_json(orient=orient))
    exact = [[Fraction(str(x)) for x in row] for row in frame.to_numpy().tolist()]
    assert_read(frame.to_json(orient="index"), exact, ["a", "b", "c"], ["x", "y", "z"], transpose=True)
    assert_read(frame.to_json(orient="split"), exact, ["a", "b", "c"], ["x", "y", "z"])
    same = frame_of([["0.75", "0.25"], ["0.25", "0.75"]], ["no", "yes"], ["no", "yes"])  # either way it is one table
    assert read_table(same.to_json(orient="index")) == read_table(same.to_json(orient="columns"))


def test_an_index_among_the_columns_is_refused():
    frame = frame_of([["0.5", "0.5"], ["0.25", "0.75"]], [2001, 2002], ["n", "y"])
    with pytest.raises(InputError, match=r"without the first column all rows sum to 1: if it is the index, .*orient='values'"):
        read_table(frame.reset_index().to_json(orient="records"))
    assert read_table(frame.reset_index().to_json(orient="values")).matrix.shape == (2, 3)
    assert read_table(frame.to_json(orient="split")).inputs == ("2001", "2002")


@given(written())
def test_what_pandas_prints_as_text(table):
    rows, inputs, outputs = table
    frame = frame_of(rows, inputs, outputs)
    assert_read(frame.to_csv(sep="\t"), fractions_of(rows), inputs, outputs)
    assert_read(frame.to_csv(sep="\t", decimal=","), fractions_of(rows), inputs, outputs, dyadic=False)


def test_numbers_of_a_data_frame_are_the_texts_that_are_written():
    assert read_grid('[{"n": 0.10, "y": 9e-1}]').rows == [["0.10", "9e-1"]]
    assert read_grid('{"n": {"0": 0.1}, "y": {"0": 0.9}}').inputs is None


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ('[{"n": 1}, {"m": 1}]', ShapeError, "other columns"),
        ('{"n": {"a": 1}, "m": {"b": 1}}', ShapeError, "other rows"),
        ('{"n": {"a": 1}, "m": 3}', InputError, "an object for each"),
        ('[{"n": null}]', InputError, "null, not a number"),
        ('[{"n": true}]', InputError, "a truth value"),
        ('[{"n": NaN}]', InputError, "NaN"),
        ('{"columns": ["n"], "data": [[1, 2]]}', ShapeError, "2 entries"),
        ('{"columns": ["n"], "index": [0, 1], "data": [[1]]}', ShapeError, "2 labels"),
        ('{"columns": [], "data": []}', InputError, "needs a list"),
        ('{"schema": {"primaryKey": ["no"]}, "data": [{"n": 1}]}', InputError, "primaryKey"),
        ('{"n": {"a": 1}, "n": {"a": 1}}', InputError, "twice"),
        ('{"lable": [[1]]}', InputError, "unknown"),
    ],
)
def test_faulty_data_frames(text, kind, words):
    with pytest.raises(kind, match=words):
        read_grid(text)


# --- numpy ---


@given(written(), st.sampled_from(["str", "repr", "texts", "objects"]))
def test_arrays_that_numpy_printed(table, how):
    rows, _, _ = table
    exact = fractions_of(rows)
    with np.printoptions(threshold=10**6, linewidth=60, floatmode="maxprec", precision=17):
        array = np.array([[float(x) for x in row] for row in rows])
        text = {
            "str": lambda: str(array),
            "repr": lambda: repr(array),
            "texts": lambda: repr(np.array(rows)),
            "objects": lambda: repr(np.array(exact, dtype=object)),
        }[how]()
    assert format_of(text).name.startswith("array") or how == "str"
    # what numpy printed, whether in e-notation or not, has the value of the decimal text
    assert entries(read_table(text, header=False) if format_of(text).name == "lines" else read_table(text)) == exact


def test_abbreviated_and_ragged_arrays_are_refused():
    with pytest.raises(InputError, match="set_printoptions"):
        read_grid(str(np.zeros((200, 200))))
    with pytest.raises(InputError, match="set_printoptions"):
        read_grid(repr(np.zeros((2000, 2))))
    for text, words in [
        ("array([[0.5, 0.5]", "does not end"),
        ("[[0.5 0.5]\n [1.]]", "1 entries"),
        ("array([0.5, 0.5])", "two dimensions"),
        ("array([[[0.5, 0.5]]])", "two dimensions"),
        ("array([[0.5, 0.5]]); import os", "does not end"),
        ("array([[__import__('os'), 1]])", "row 0"),
    ]:
        with pytest.raises(ExactDPError, match=words):
            read_table(text)


def test_savetxt_with_a_header():
    stream = io.BytesIO()
    np.savetxt(stream, [[0.5, 0.5], [0.25, 0.75]], header="no yes\nby hand")
    grid = assert_read(stream.getvalue(), [[Fraction(1, 2)] * 2, [Fraction(1, 4), Fraction(3, 4)]])
    assert grid.notes == ("2 lines are comments, and not read, the first of them line 1; if one is meant, leave its '#' out",)
    assert grid.lines == [3, 4]
    assert read_grid("#,no,yes\na,1,0").outputs is None  # a corner is no comment
    with pytest.raises(ExactDPError):
        read_table("no,yes\n#1,0.5\n0.5,0.5")  # no line of a table is dropped
    with pytest.raises(InputError, match="comments only"):
        read_grid("# nothing\n#\n")


# --- R ---


def r_print(rows, inputs, outputs, per_block, sides=None):
    """A matrix as R prints it: right-justified columns, so many in a block, the row names left-justified."""
    names = inputs or [f"[{i + 1},]" for i in range(len(rows))]
    heads = outputs or [f"[,{j + 1}]" for j in range(len(rows[0]))]
    lines = []
    first, second = sides or ("", "")
    margin = max(len(first), *(len(name) + 2 * bool(sides) for name in names))
    for start in range(0, len(heads), per_block):
        block = range(start, min(start + per_block, len(heads)))
        widths = {j: max(len(heads[j]), *(len(row[j]) for row in rows)) for j in block}
        if sides:
            lines.append(" " * margin + " " + second)
        lines.append(first.ljust(margin) + "".join(" " + heads[j].rjust(widths[j]) for j in block))
        for name, row in zip(names, rows, strict=True):
            lines.append((("  " if sides else "") + name).ljust(margin) + "".join(" " + row[j].rjust(widths[j]) for j in block))
    return "\n".join(lines) + "\n"


@given(written(), st.integers(1, 9), st.booleans(), st.booleans())
def test_matrices_that_r_printed(table, per_block, named, of_table):
    rows, inputs, outputs = table
    sides = ("truth", "answer") if of_table and named else None
    if named and len(rows) == 1 and not sides:
        per_block = len(outputs)  # a single row in blocks can't be told from labels
    text = r_print(rows, inputs if named else None, outputs if named else None, per_block, sides)
    if named and per_block == 1 and not sides:
        return  # blocks of one column; the lines of labels and of numbers look alike
    table = read_table(text)
    assert entries(table) == fractions_of(rows)
    if named:
        assert (list(table.inputs), list(table.outputs)) == (inputs, outputs)


def test_pram_matrices_have_attributes():
    text = '    1   2\n1 0.8 0.2\n2 0.3 0.7\nattr(,"class")\n[1] "pram_matrix"\n'
    grid = read_grid(text)
    assert grid.rows == [["0.8", "0.2"], ["0.3", "0.7"]]
    assert (grid.inputs, grid.outputs) == (["1", "2"], ["1", "2"])
    assert "the attributes after the matrix are not read" in grid.notes


def dput(rows, inputs, outputs, frame):
    def texts(names):
        return "NULL" if names is None else f"c({', '.join(json.dumps(name) for name in names)})"

    columns = list(zip(*rows, strict=True))
    if frame:
        body = ", ".join(f"{name} = c({', '.join(column)})" for name, column in zip(outputs, columns, strict=True))
        names = f"c(NA, -{len(rows)}L)" if inputs is None else texts(inputs)
        return f'structure(list({body}), class = "data.frame", row.names = {names})\n'
    values = ", ".join(x for column in columns for x in column)
    labels = "" if inputs is None and outputs is None else f", dimnames = list({texts(inputs)}, {texts(outputs)})"
    return f"structure(c({values}), dim = c({len(rows)}L, {len(rows[0])}L){labels})\n"


@given(written(), st.booleans(), st.booleans())
def test_dput(table, frame, named):
    rows, inputs, outputs = table
    names = inputs if named else None
    text = dput(rows, names, outputs, frame)
    assert_read(text, fractions_of(rows), names, outputs)
    assert_read(f"P <- {text}", fractions_of(rows), names, outputs)


@pytest.mark.parametrize(
    "text",
    [
        "structure(c(1, 2), dim = c(2L, 2L))",
        "structure(c(1, 2), dim = 99999999999999999999)",
        "structure(c(system('ls'), 2), dim = 1:2)",
        "structure(list(a = c(1, 2), b = 1), class = 'data.frame')",
        "structure(1:999999999, dim = 1:2)",
        "structure(" + "c(" * 5000,
        "structure(c(NA, 1), dim = 1:2)",
        "structure(list(), class = c())",
        "structure()",
        "structure(c(1), dim = c(1L, 1L), dimnames = list(c(1, 2)))",
        "structure(c(1), dim = c(1L, 1L)) + 1",
    ],
)
def test_dput_is_parsed_and_never_evaluated(text):
    with pytest.raises(ExactDPError):
        read_grid(text)


def test_tibbles_are_refused_and_data_tables_are_read():
    """A tibble prints three digits of each number, a data.table as many as a matrix."""
    tibble = "# A tibble: 2 × 2\n      x     y\n  <dbl> <dbl>\n1  0.5   0.5 \n2  0.25  0.75\n"
    with pytest.raises(InputError, match=r"three digits of each number; give write.csv"):
        read_table(tibble)
    table = "       x     y\n   <num> <num>\n1:  0.50  0.50\n2:  0.25  0.75\n"
    for text in (table, f"{table}       x     y\n", f"> P\n{table}> \n"):
        assert_read(text, [[0.5, 0.5], [0.25, 0.75]], ["1", "2"], ["x", "y"])
    with pytest.raises(InputError, match="nrows = Inf"):
        read_table("       x     y\n   <num> <num>\n  1:  0.50  0.50\n ---\n200:  0.25  0.75\n")
    written = 'structure(list(x = c(0.5, 0.25), y = c(0.5, 0.75)), row.names = c(NA, -2L), class = c("data.table", "data.frame")'
    assert_read(written + ", .internal.selfref = <pointer: 0x55f0a>)", [[0.5, 0.5], [0.25, 0.75]], None, ["x", "y"])


def test_the_prompt_above_a_matrix_is_left_out():
    for above in ("> M\n", "$Rs\n", "> attributes(x)$pram_params\n$pram_params$Rs\n"):
        assert_read(f"{above}     [,1] [,2]\n[1,] 0.50 0.50\n[2,] 0.25 0.75\n\n", [[0.5, 0.5], [0.25, 0.75]])
        assert_read(f"{above}     a    b\na 0.50 0.50\nb 0.25 0.75\n\n", [[0.5, 0.5], [0.25, 0.75]], ["a", "b"], ["a", "b"])


def test_write_table_of_numbered_rows():
    grid = read_grid('"V1" "V2"\n"1" 0.5 0.5\n"2" 0.25 0.75\n')
    assert (grid.inputs, grid.outputs, grid.rows[1]) == (["1", "2"], ["V1", "V2"], ["0.25", "0.75"])
    assert grid.notes
    with pytest.raises(ShapeError):  # the first line has lost a cell: its rows are no labels
        read_table("1,0\n0,1,0\n0,0,1")


# --- Long form ---


@given(written(), st.sampled_from([("i", "j", "p"), ("from", "to", "prob"), ("input", "output", "probability")]), st.randoms())
def test_long_form(table, head, random):
    rows, inputs, outputs = table
    pairs = [(i, j, x) for i, row in zip(inputs, rows, strict=True) for j, x in zip(outputs, row, strict=True)]
    random.shuffle(pairs)
    table = read_table("\n".join(",".join(cells) for cells in (head, *pairs)))
    assert entries(table.aligned(inputs, outputs)) == fractions_of(rows)


def test_cell_key_table():
    text = '"","i","j","p","v","p_int_ub"\n"1",0,0,1,0,1\n"2",1,0,0.5,-1,0.5\n"3",1,1,0.25,0,0.75\n"4",1,2,0.25,1,1\n'
    grid = read_grid(text)
    assert grid.rows == [["1", "0", "0"], ["0.5", "0.25", "0.25"]]
    assert "pairs without a line (2) have probability 0" in grid.notes[0]
    assert "v, p_int_ub are not read" in grid.notes[0]


def test_long_forms_of_other_names():
    """R's melt and pandas' stack name the columns so; with 'value' it was a table of one column."""
    exact = [[Fraction(1, 2), Fraction(1, 2)], [Fraction(1, 4), Fraction(3, 4)]]
    lines = "a,x,0.5\na,y,0.5\nb,x,0.25\nb,y,0.75\n"
    for names in ("Var1,Var2,value", "Var1,Var2,Freq", "row,col,value", "level_0,level_1,pr", "source,target,value"):
        assert_read(f"{names}\n{lines}", exact, ["a", "b"], ["x", "y"])
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([[0.5, 0.5], [0.25, 0.75]]).stack().rename("p").reset_index().rename(columns={"level_0": "i", "level_1": "j"})
    assert_read(frame.to_json(orient="records"), exact)
    assert_read(frame.to_csv(index=False), exact)
    assert_read(frame.to_csv(), exact)


def test_a_long_form_without_names_is_refused():
    with pytest.raises(InputError, match="begin with the line 'i,j,p'"):
        read_table("0,0,0.5\n0,1,0.5\n1,0,0.25\n1,1,0.75\n")
    assert read_table("0,1/2,1/2\n1,0,0\n").matrix.shape == (2, 3)  # rows of a table


def test_cell_key_tables_of_several_types_are_refused():
    lines = "i,j,p,v,p_int_lb,p_int_ub,type\n0,0,1,0,0,1,{}\n1,0,0.5,-1,0,0.5,{}\n1,1,0.5,0,0.5,1,{}\n"
    assert entries(read_table(lines.format("all", "all", "all"))) == [[1, 0], [Fraction(1, 2), Fraction(1, 2)]]
    with pytest.raises(InputError, match=r"'type', which has \(even, odd\).*one type"):
        read_table(lines.format("even", "odd", "odd"))


def test_a_long_form_that_may_be_a_table_is_refused():
    for text in ("i,j,p\n1,0,0\n0,1,0\n0,0,1", "i,j,p\n0,0,1"):
        with pytest.raises(InputError, match="--header"):
            read_grid(text)
    both = ",i,j,p\na,0,1,1\nb,1,0,1\nc,1,1,0"
    with pytest.raises(InputError, match="--labels"):
        read_grid(both)
    assert read_grid(both, labels=True).inputs == ["a", "b", "c"]
    assert read_grid(",i,j,p\na,1,0,0\nb,0,1,0\nc,0,0,1").inputs == ["a", "b", "c"]  # no probabilities of pairs
    assert read_grid(",i,j,p\na,0,1,2\nb,1,0,1\nc,2,1,0").outputs == ["i", "j", "p"]  # a loss
    assert read_grid("i,j,p\n1,0,0\n0,1,0", header=True).outputs == ["i", "j", "p"]
    with pytest.raises(InputError, match="twice"):
        read_grid("i,j,p\n2,0,0.5\n2,0,0.5")
    with pytest.raises(ExactDPError, match="long form"):
        read_grid("i,j,p\n" + "\n".join(f"{k},{k},1" for k in range(20_000)))


def test_json_with_blanks_in_its_texts_is_json():
    for rows in ([["1 - a", "a"]], [["1/2", "it's .5 2."]], [["\u00e9 ... 1", "0 1"]]):
        assert read_grid(json.dumps(rows)).rows == rows
    assert read_table("[[.5, .5]]").matrix[0, 1] == Rational(1, 2)  # Python's, and no JSON


def test_a_ragged_text_is_no_table_of_r():
    with pytest.raises(ExactDPError):
        read_table("  1\n0.5 0.5\n0.5 0.5")


# --- Binary files ---

DOUBLES = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(st.floats(0, 1), min_size=width, max_size=width), min_size=1, max_size=4)
)


def saved(save):
    stream = io.BytesIO()
    save(stream)
    return stream.getvalue()


@given(DOUBLES, st.sampled_from(["csr", "csc", "coo"]), st.booleans())
def test_sparse_matrices_of_scipy(rows, form, compressed):
    sparse = pytest.importorskip("scipy.sparse")
    content = saved(lambda stream: sparse.save_npz(stream, sparse.csr_array(np.array(rows)).asformat(form), compressed=compressed))
    with pytest.raises(InexactInputError, match="--dyadic"):
        read_grid(content)
    assert entries(read_table(content, dyadic=True)) == fractions_of(rows)


@given(DOUBLES, st.booleans(), st.booleans())
def test_matrices_of_matlab(rows, sparse, compressed):
    sparse_matrices, files = pytest.importorskip("scipy.sparse"), pytest.importorskip("scipy.io")
    matrix = sparse_matrices.csc_array(np.array(rows)) if sparse else np.array(rows)
    content = saved(lambda stream: files.savemat(stream, {"P": matrix}, do_compression=compressed))
    with pytest.raises(InexactInputError, match="--dyadic"):
        read_grid(content)
    assert entries(read_table(content, dyadic=True)) == fractions_of(rows)


@given(DOUBLES, st.booleans())
def test_sheets_of_excel(rows, text):
    openpyxl = pytest.importorskip("openpyxl")
    rows = [[round(x * 2**10) / 2**10 for x in row] for row in rows]  # openpyxl writes 16 digits, which are enough for these
    book = openpyxl.Workbook()
    sheet = book.active
    outputs = [f"out{j}" for j in range(len(rows[0]))]
    sheet.append(["", *outputs])
    for i, row in enumerate(rows):
        sheet.append([f"in{i}", *([str(Fraction(x)) for x in row] if text else row)])
    content = saved(book.save)
    if not text and any(x not in (0, 1) for row in rows for x in row):
        with pytest.raises(InexactInputError, match="is a double"):
            read_grid(content)
    table = read_table(content, dyadic=not text)
    assert entries(table) == fractions_of(rows)
    assert list(table.outputs) == outputs


def test_sheets_that_are_not_one_table():
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append([1, 0])
    book.create_sheet("more").append([0, 1])
    with pytest.raises(InputError, match="2 sheets have cells"):
        read_grid(saved(book.save))
    book = openpyxl.Workbook()
    with pytest.raises(InputError, match="no cell with something in it"):
        read_grid(saved(book.save))
    book.active.append([True, 0])
    with pytest.raises(InputError, match="'True' is no number"):
        read_grid(saved(book.save))


@pytest.mark.parametrize("rows", [[["=1/2", "=1/2"]], [[1, 0], [0, 1], ["=A2", "=B2"]], [[1, 0, "=0"], [0, 1, "=1-B2"]]])
def test_formulas_without_their_values_are_refused(rows):
    """Their values are known to Excel only; the row of them was left out, and the rest read as a table."""
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    with pytest.raises(InputError, match=r"the value of the formula '=.*' is not saved in the file; open it"):
        read_grid(saved(book.save))


def with_part(content, name, change):
    """An archive with one of its parts changed."""
    found = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.namelist():
            new.writestr(part, change(old.read(part)) if part == name else old.read(part))
    return found.getvalue()


SHEET = "xl/worksheets/sheet1.xml"


def test_formulas_with_their_values_are_read():
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(["=1-B1", 0])
    content = with_part(saved(book.save), SHEET, lambda part: re.sub(rb"<v ?/>|<v></v>", b"<v>1</v>", part))
    assert read_grid(content).rows == [["1", "0"]]


@pytest.mark.parametrize("coding", ["utf-8", "utf-16"])
def test_entities_of_xml_are_refused(coding):
    """One that stands for many others makes a long text of a short file."""
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append([1, 0])
    laughs = "".join(f'<!ENTITY l{k + 1} "{f"&l{k};" * 10}">' for k in range(1, 9))
    bomb = f'<?xml version="1.0" encoding="{coding}"?><!DOCTYPE x [<!ENTITY l1 "ha">{laughs}]><worksheet>&l9;</worksheet>'
    with pytest.raises(InputError, match=r"sheet1.xml' of the .xlsx file has a DOCTYPE"):
        read_grid(with_part(saved(book.save), SHEET, lambda _: bomb.encode(coding)))


def archive(**members):
    def save(stream):
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
            for name, data in members.items():
                packed.writestr(name.replace("__", "/"), data)

    return saved(save)


def npy(array):
    return saved(lambda stream: np.save(stream, array))


def sparse_archive(**other):
    parts = {
        "format": np.array(b"csr"),
        "shape": np.array([2, 2]),
        "data": np.array([1, 1]),
        "indices": np.array([0, 1]),
        "indptr": np.array([0, 1, 2]),
    }
    return archive(**{f"{name}.npy": npy(part) for name, part in (parts | other).items() if part is not None})


def test_the_sparse_archive_of_the_tests_is_one():
    assert entries(read_table(sparse_archive())) == [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    "content",
    [
        sparse_archive(shape=np.array([10**9, 10**9])),
        sparse_archive(shape=np.array([2, -2])),
        sparse_archive(shape=np.array([2, 2, 2])),
        sparse_archive(indices=np.array([0, 7])),
        sparse_archive(indices=np.array([0, -1])),
        sparse_archive(indptr=np.array([0, 2, 1])),
        sparse_archive(indptr=np.array([0, 1, 9])),
        sparse_archive(indptr=np.array([0, 2, 2]), indices=np.array([0, 0])),
        sparse_archive(indices=None),
        sparse_archive(format=np.array(b"dia")),
        sparse_archive(data=np.array([1.0j, 1])),
        sparse_archive(data=np.array([1])),
        archive(**{"a.npy": npy(np.eye(2, dtype=int)), "b.npy": npy(np.eye(2, dtype=int))}),
        archive(**{"a.npy": b"\x93NUMPY\x01\x00\xff\xff"}),
        archive(**{"a.npy": bytes(3 * 10**8)}),
        archive(**{"xl__workbook.xml": b"<no>"}),
        archive(**{"xl__workbook.xml": bytes(3 * 10**8)}),
        archive(**{"readme.txt": b"hello"}),
        sparse_archive()[:100],
        b"PK\x03\x04",
        sparse_archive(format=None)[:-30],
    ],
    ids=lambda content: f"{len(content)} bytes",  # not the bytes: an archive holds the time of day
)
def test_hostile_archives(content):
    with pytest.raises(ExactDPError):
        read_table(content, dyadic=True)


def saying(content, size, found):
    """An archive whose first file says that it unpacks to so many bytes, with the check sum of these."""
    changed = bytearray(content)
    place = changed.rfind(b"PK\x01\x02")
    changed[place + 24 : place + 28] = struct.pack("<I", size)
    changed[place + 16 : place + 20] = struct.pack("<I", zlib.crc32(found[:size]))
    return bytes(changed)


@pytest.mark.parametrize("name", ["a.npy", "xl/workbook.xml"])
def test_an_archive_that_says_less_than_it_unpacks_to_stays_small(name):
    """zipfile unpacked all that was there, and cut it to what the archive says of it."""
    if name != "a.npy":
        pytest.importorskip("openpyxl")
    data = b"0" * (1 << 26)
    content = saying(archive(**{name: data}), 1000, data)
    tracemalloc.start()
    try:
        with pytest.raises(ExactDPError):
            read_grid(content, dyadic=True)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < len(data) // 4


def test_archives_of_other_kinds_are_refused():
    for way in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", way) as stream:
            stream.writestr("a.npy", b"0" * 1000)
        with pytest.raises(InputError, match="compressed in another way"):
            read_grid(packed.getvalue())
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as stream:
        stream.writestr("a.npy", npy(np.eye(2, dtype=int)))
        with pytest.warns(UserWarning, match="Duplicate"):
            stream.writestr("a.npy", npy(np.zeros((2, 2), dtype=int)))
    with pytest.raises(InputError, match="two files of one name"):
        read_grid(packed.getvalue())


def test_objects_in_an_archive_are_never_loaded():
    class Trap:
        def __reduce__(self):
            return (pytest.fail, ("a pickle was loaded",))

    content = archive(**{"a.npy": saved(lambda stream: np.save(stream, np.array([[Trap()]], dtype=object), allow_pickle=True))})
    with pytest.raises(InputError, match="objects"):
        read_grid(content)


HEADER = b"MATLAB 5.0 MAT-file".ljust(124) + struct.pack("<H2s", 0x0100, b"IM")


def element(kind, data, size=None):
    return struct.pack("<II", kind, len(data) if size is None else size) + data + bytes(-len(data) % 8)


def matrix_element(shape=(1, 2), values=(1.0, 0.0), family=6):
    parts = element(6, struct.pack("<II", family, 0)) + element(5, struct.pack(f"<{len(shape)}i", *shape)) + element(1, b"P")
    return element(14, parts + element(9, struct.pack(f"<{len(values)}d", *values)))


def test_the_matlab_file_of_the_tests_is_one():
    assert entries(read_table(HEADER + matrix_element(), dyadic=True)) == [[1, 0]]


@pytest.mark.parametrize(
    "content",
    [
        HEADER[:50],
        HEADER,
        b"MATLAB 7.3 MAT-file".ljust(128),
        b"\x89HDF\r\n\x1a\n" + bytes(200),
        HEADER + matrix_element() + matrix_element(),
        HEADER + matrix_element()[:-8],
        HEADER + matrix_element(shape=(2**31 - 1, 2**31 - 1)),
        HEADER + matrix_element(shape=(-1, -2)),
        HEADER + matrix_element(shape=(1, 2, 1)),
        HEADER + matrix_element(values=(float("nan"), 1.0)),
        HEADER + matrix_element(family=1),
        HEADER + matrix_element(family=5),
        HEADER + element(14, b"", 2**32 - 1),
        HEADER + element(15, b"no zlib"),
        HEADER + element(15, zlib.compress(bytes(3 * 10**8))),
        HEADER + struct.pack("<II", 0xFFFF0001, 7),
    ],
)
def test_hostile_matlab_files(content):
    with pytest.raises(ExactDPError):
        read_table(content, dyadic=True)


@given(st.binary(max_size=60), st.integers(0, 300))
def test_cut_and_changed_files_never_fail_otherwise(noise, place):
    for whole in (
        HEADER + matrix_element(),
        sparse_archive(),
        b"array([[0.5, 0.5]])",
        b"structure(c(1,2), dim = 1:2)",
        b"     [,1]\n[1,] 1\n",
    ):
        changed = whole[:place] + noise + whole[place + len(noise) :]
        with suppress(ExactDPError):
            read_table(changed, dyadic=True)


# --- The list ---


def test_the_forms_are_told_apart():
    """Each sample has one form, whatever the order of the list, but for plain lines, which are last."""
    pandas = '{"columns": ["n"], "data": [[1]]}'
    samples = [
        "[[1, 0]]",
        "[[1 0]]",
        "array([[1]])",
        "structure(c(1), dim = c(1L, 1L))",
        "     [,1]\n[1,] 1",
        pandas,
        '{"rows": [[1]]}',
        '[{"n": 1}]',
    ]
    samples += [HEADER + matrix_element(), sparse_archive(), npy(np.eye(2, dtype=int))]
    for sample in samples:
        own = format_of(sample)
        knowing = [form for form in FORMATS[:-1] if form.recognises(sample)]
        general = [form for form in knowing if form.name == "JSON" and own.name != "JSON"]  # which begins as several forms do
        assert [form for form in knowing if form not in general] == [own]
        with pytest.raises(InputError, match="--header"):
            read_grid(sample, header=True)


def test_exact_numbers_stay_exact():
    assert read_table("[[0.1 0.9]]").matrix[0, 0] == Rational(1, 10)
