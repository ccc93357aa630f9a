# SPDX-License-Identifier: MIT
"""Files as people have them: what stands around a table, tables in other forms, and what is no table."""

from __future__ import annotations

import io
import json
import re
import zipfile
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from cli_runner import run
from hypothesis import given
from hypothesis import strategies as st

import exactdp as xdp
from exactdp.errors import DomainError, InputError
from exactdp.readers.tables import read_grid, read_prior, read_table

ROWS = [[Fraction(1, 2), Fraction(3, 10), Fraction(1, 5)], [Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)]]
DOUBLES = [[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.125, 0.375, 0.5]]


def entries(table):
    return [[Fraction(str(x)) for x in row] for row in table.matrix.rows()]


def plain(text):
    table = read_table(text)
    assert entries(table) == [[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]]
    return table


# --- Around a table ---


@pytest.mark.parametrize(
    "text",
    [
        "0.75\t0.25\t\t\r\n0.25\t0.75\t\t\r\n\t\t\t\r\n",
        "\t0.75\t0.25\n\t0.25\t0.75\n",
        ",,\n0.75,0.25,\n0.25,0.75,\n,,\n",
        "sep=;\n0,75;0,25\n0,25;0,75\n",
        "% by hand\n0.75 0.25\n0.25 0.75\n",
        "// by hand\n0.75,0.25\n0.25,0.75\n",
        "\ufeff# a survey\r\n0,75;0,25;\r\n0,25;0,75;\r\n",
        "75,0 %;25,0 %\n25,0 %;75,0 %\n",
        ">>> P\narray([[0.75, 0.25],\n       [0.25, 0.75]])\n>>> ",
        "Out[3]: \narray([[0.75, 0.25],\n       [0.25, 0.75]])",
        "P = np.array([[0.75, 0.25], [0.25, 0.75]])",
        "tensor([[0.7500, 0.2500],\n        [0.2500, 0.7500]], dtype=torch.float64)",
        "> P\n     [,1] [,2]\n[1,] 0.75 0.25\n[2,] 0.25 0.75\n> \n",
    ],
)
def test_what_stands_around_a_table_is_no_part_of_it(text):
    table = plain(text)
    assert (list(table.inputs), list(table.outputs)) == (["0", "1"], ["0", "1"])


def test_a_separator_that_ends_the_rows_and_not_the_header():
    assert plain("no,yes\n0.75,0.25,\n0.25,0.75,\n").outputs == ("no", "yes")
    assert plain(",no,yes,\nno,0.75,0.25,\nyes,0.25,0.75,\n").inputs == ("no", "yes")
    with pytest.raises(InputError):
        read_table("no,yes\n0.75,\n0.25,\n")  # what is missing is no separator


def test_an_empty_corner_is_no_empty_column():
    assert read_grid(",a,b\nx,1,0", labels=True).inputs == ["x"]
    with pytest.raises(InputError, match="empty text"):
        read_table(",a,b\n,1,0\n", labels=True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "Transition matrix\t\t\n\tno\tyes\nno\t0.75\t0.25\nyes\t0.25\t0.75\n",
            "line 1 has one cell, 'Transition matrix'; if it is a title",
        ),
        ("Table 1: a survey\n0.75,0.25\n0.25,0.75\n", "if line 1 is a title, leave it out, or begin it with '#'"),
        (",no,yes\nno,0.75,0.25\nyes,0.25,0.75\n\nSource: survey 2024\n", "if line 5 is a note, leave it out, or begin it with '#'"),
        ("0.75,0.25\n0.25,0.75\nSource: survey 2024,\n", "line 3 has one cell, 'Source: survey 2024'; if it is a note"),
        ("a: 0.75, 0.25\nb: 0.25, 0.75\n", "'b: 0.25' is a label and a number; put a comma between them"),
        ("Hello world, this is\na letter to you.\n", "no number stands in it: it is no table"),
    ],
)
def test_a_title_or_a_note_is_told_by_its_line_and_the_remedy_works(text, said):
    with pytest.raises(InputError, match=re.escape(said)):
        read_table(text)
    lines = text.splitlines(keepends=True)
    if "title" in said:
        plain(f"# {text}")
    elif "note" in said:
        plain("".join([*lines[:-1], f"# {lines[-1]}"]))


# --- An index without a header ---


@given(st.integers(0, 1), st.lists(st.integers(0, 100), min_size=2, max_size=5), st.sampled_from([",", " ", "\t"]))
def test_an_index_without_a_header(start, numbers, separator):
    """As data frames write it (from 0), and R numbers its rows (from 1)."""
    cells = [[f"{x}/100", f"{100 - x}/100"] for x in numbers]
    text = "\n".join(separator.join([str(start + place), *row]) for place, row in enumerate(cells))
    if all(x in (0, 100) for x in numbers):
        return  # fractions of it are 0 and 1: it is asked about
    table = read_table(text)
    assert entries(table) == [list(map(Fraction, row)) for row in cells]
    assert list(table.inputs) == [str(start + place) for place in range(len(cells))]
    assert any(note.startswith(f"the first column, {start}, {start + 1}, …, is read as the index") for note in table.notes)
    assert read_table(text, header=False).matrix.shape == (len(cells), 3)


def test_other_first_columns_of_numbers_are_asked_about():
    for text in ("10,0.75,0.25\n20,0.25,0.75\n", "0,1,0\n1,0,1\n"):
        with pytest.raises(InputError, match="without the first column all rows sum to 1"):
            read_table(text)
    assert read_table("0,0.5,0.5\n1,0,0\n").matrix.shape == (2, 3)  # its rows sum to 1 with it


def test_the_commands_read_an_index_and_say_so(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("# truth, no, yes\n0,0.75,0.25\n1,0.25,0.75\n")
    told = run("privacy t.csv --graph path")
    assert told.first.startswith("PROVED")
    assert "ln(3)" in told.first
    assert "is read as the index of the rows" in told.out
    assert run("privacy t.csv --graph path --digits auto").code in (0, 4)
    assert "ln(3)" in run("audit t.csv --graph path --claims-epsilon 2 --bundle b").out
    assert run("verify b").code == 0
    assert xdp.load("t.csv") == xdp.read_table("t.csv").as_mechanism()
    assert run("privacy t.csv --graph path --no-header").code == 1


# --- Long forms ---


def long_lines(head, turned=False):
    labels = ["a", "b"], ["x", "y", "z"]
    body = [(i, j, str(ROWS[k][m])) for k, i in enumerate(labels[0]) for m, j in enumerate(labels[1])]
    return "\n".join(",".join(line) for line in [head, *((j, i, p) if turned else (i, j, p) for i, j, p in body)]) + "\n"


@pytest.mark.parametrize("head", [("", "", "0"), ("index", "variable", "value"), ("truth", "answer", "share"), ("i", "j", "p")])
def test_lines_of_input_output_and_probability(head):
    table = read_table(long_lines(head))
    assert (entries(table), table.inputs, table.outputs) == (ROWS, ("a", "b"), ("x", "y", "z"))


def test_the_input_is_the_column_whose_probabilities_sum_to_1():
    table = read_table(long_lines(("answer", "truth", "share"), turned=True))
    assert (entries(table), table.inputs) == (ROWS, ("a", "b"))
    both = "truth,answer,share\na,x,1/2\na,y,1/2\nb,x,1/2\nb,y,1/2\n"
    with pytest.raises(InputError, match="write 'i,j,p' in its place"):
        read_table(both)
    assert read_table(both.replace("truth,answer,share", "i,j,p")).inputs == ("a", "b")
    numbers = "true value,released value,probability\n0,0,1\n1,0,0.5\n1,1,0.5\n"
    with pytest.raises(InputError, match="write 'i,j,p' in its place"):
        read_table(numbers)
    assert entries(read_table(f"i,j,p\n{numbers.partition(chr(10))[2]}")) == [[1, 0], [Fraction(1, 2)] * 2]


def test_a_table_of_three_columns_is_no_long_form():
    assert read_table("one,two,three\n1/2,1/4,1/4\n0,0,1\n").outputs == ("one", "two", "three")
    assert read_table("truth,no,yes\nno,0,1\nyes,1,0\n").inputs == ("no", "yes")
    assert read_table("a,b,c\nx,y,1\nx,z,1\n", labels=True).matrix.shape == (2, 1)


def test_pandas_stacks_and_melts():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(DOUBLES, index=["a", "b", "c"], columns=["x", "y", "z"])
    exact = [[Fraction(x) for x in row] for row in DOUBLES]
    melted = frame.reset_index().melt(id_vars="index")
    for text in (frame.stack().to_csv(), melted.to_csv(index=False), melted.to_json(orient="records")):
        table = read_table(text).aligned(("a", "b", "c"), ("x", "y", "z"))
        assert entries(table) == exact


@pytest.mark.parametrize("names", [(None, None), ("truth", None), ("truth", "answer")])
def test_frames_as_pandas_prints_them(names):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(DOUBLES, index=["a", "b", "c"], columns=["x", "y", "z"])
    table = read_table(str(frame.rename_axis(names[0]).rename_axis(names[1], axis=1)))
    assert (entries(table), table.inputs, table.outputs) == (
        [[Fraction(x) for x in row] for row in DOUBLES],
        ("a", "b", "c"),
        ("x", "y", "z"),
    )


# --- Data frames' JSON ---


def test_the_orient_is_told_by_the_sums():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(DOUBLES, index=["a", "b", "c"], columns=["x", "y", "z"])
    same = {orient: read_table(frame.to_json(orient=orient)) for orient in ("columns", "index", "split", "table")}
    assert {table.inputs for table in same.values()} == {("a", "b", "c")}
    assert len({tuple(table.matrix.rows()) for table in same.values()}) == 1
    assert any("read as rows (orient='index')" in note for note in same["index"].notes)
    # who knows it, and says so, gets the same
    assert read_table(frame.to_json(orient="index"), transpose=True) == same["index"]


# --- R ---


def test_the_matrix_of_a_list_that_r_prints():
    listed = "$sex\n$sex$Rs\n     1    2\n1 0.75 0.25\n2 0.25 0.75\n\n$sex$pd\n[1] 0.8\n\n$sex$alpha\n[1] 0.5\n\n\n"
    for text in (listed, f'attr(,"pram_params")\n{listed}', f"> attr(x, 'pram_params')\n{listed}> "):
        table = plain(text)
        assert table.inputs == ("1", "2")
        assert any(note == "the matrix $sex$Rs of the list is read, and $sex$pd, $sex$alpha are not" for note in table.notes)
    with pytest.raises(InputError, match=r"2 matrices \(\$sex\$Rs, \$age\$Rs\); print the one"):
        read_table(listed + listed.replace("sex", "age"))
    with pytest.raises(InputError, match="has no matrix"):
        read_table("$a\n[1] 0.5\n\n$b\n[1] 1\n\n")


def test_sparse_matrices_that_r_prints_are_refused():
    with pytest.raises(InputError, match=r"print as.matrix\(x\)"):
        read_table('2 x 2 sparse Matrix of class "dgCMatrix"\n              \n[1,] 1.00 .   \n[2,] 0.25 0.75\n')


# --- Sparse matrices of SciPy ---


@given(st.integers(1, 3), st.integers(1, 3), st.integers(1, 2), st.integers(1, 2), st.data())
def test_sparse_matrices_of_each_kind(height, width, tall, wide, data):
    sparse = pytest.importorskip("scipy.sparse")
    shape = (height * tall, width * wide)
    dense = np.array(
        data.draw(
            st.lists(st.lists(st.sampled_from([0, 0, 1, 2]), min_size=shape[1], max_size=shape[1]), min_size=shape[0], max_size=shape[0])
        )
    )
    made = {kind: getattr(sparse, f"{kind}_array")(dense) for kind in ("csr", "csc", "coo", "dia")}
    made["bsr"] = sparse.bsr_array(dense, blocksize=(tall, wide))
    for matrix in made.values():
        file = io.BytesIO()
        sparse.save_npz(file, matrix)
        assert entries(read_table(file.getvalue(), header=None)) == dense.tolist()


def test_sparse_matrices_that_contradict_themselves():
    sparse = pytest.importorskip("scipy.sparse")

    def changed(matrix, **parts):
        file = io.BytesIO()
        sparse.save_npz(file, matrix)
        there = dict(np.load(io.BytesIO(file.getvalue())))
        file = io.BytesIO()
        np.savez(file, **(there | parts))
        return file.getvalue()

    blocks, diagonals = sparse.bsr_array(np.eye(4, dtype=int), blocksize=(2, 2)), sparse.dia_array(np.eye(4, dtype=int))
    for content in (
        changed(blocks, shape=np.array([3, 4])),
        changed(blocks, indptr=np.array([0, 1, 9])),
        changed(blocks, indices=np.array([0, 7])),
        changed(blocks, data=np.zeros((2, 0, 2), dtype=int)),
        changed(diagonals, offsets=np.array([0, 1])),
        changed(diagonals, offsets=np.array([0, 0]), data=np.ones((2, 4), dtype=int)),
    ):
        with pytest.raises(InputError):
            read_table(content)


# --- No tables ---


def archive():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as opened:
        opened.writestr("table.csv", "1,0\n")
    return file.getvalue()


WRONG = {
    "picture.gif": (b"GIF87a" + bytes(30), "this is a picture (GIF)"),
    "picture.bmp": (b"BM\x9a\0\0\0\0\0\0\0" + bytes(30), "this is a picture (BMP)"),
    "picture.tiff": (b"II*\0" + bytes(30), "this is a picture (TIFF)"),
    "picture.webp": (b"RIFF\x20\0\0\0WEBPVP8 " + bytes(30), "this is a picture, a sound or a film"),
    "archive.rar": (b"Rar!\x1a\x07\0" + bytes(30), "this is an archive (RAR)"),
    "archive.7z": (b"7z\xbc\xaf\x27\x1c" + bytes(30), "this is an archive (7z)"),
    "archive.tar": (b"t.csv".ljust(257, b"\0") + b"ustar\0" + bytes(250), "this is an archive (tar)"),
    "archive.zip": (archive(), "this is a ZIP archive; unpack it first, and give table.csv"),
    "nothing.zip": (b"PK\x05\x06" + bytes(18), "a ZIP archive with nothing in it"),
    "program": (b"\x7fELF" + bytes(60), "this is a program"),
    "sparse.txt": (b"<Compressed Sparse Row sparse matrix of dtype 'float64'\n", "a sparse matrix as SciPy prints it"),
    "sparse.mtx": (b"%%MatrixMarket matrix coordinate real general\n", "a file of Matrix Market"),
    "empty.csv": (b"", "the table is empty"),
    "blank.csv": (b"\n\n  \n", "the table is empty"),
    "commas.csv": (b",,\n,,\n", "the table is empty"),
    "dict.txt": (b"{'x': {0: 0.5}, 'y': {0: 0.5}}", "it is a dict as Python prints it: write df.to_json("),
    "list.m": (b"{{1/2, 1/2}, {1/4, 3/4}}", "it is a list of Mathematica"),
    "matrix.m": (b"[0.5 0.5;0.25 0.75]", "it is a matrix of Matlab: write writematrix"),
    "column.csv": (b"0.75\n0.25\n0.25\n0.75\n", "the table has one column only"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_file_gets_one_clear_sentence(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    content, said = WRONG[name]
    Path(name).write_bytes(content)
    told = run(["privacy", f"./{name}", "--graph", "path"])
    assert (told.code, told.out) == (3, "")
    assert told.err.startswith(f"Error: {name}: ")
    assert said in told.err
    assert told.err.count("\n") == 1
    with pytest.raises(InputError, match=re.escape(said)):
        xdp.read_table(Path(name))


def test_a_directory_and_a_book_with_nothing_in_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    assert "can't read 'folder'" in run("privacy folder --graph path").err
    with pytest.raises(InputError, match="can't read 'folder'"):
        xdp.read_table(Path("folder"))
    openpyxl = pytest.importorskip("openpyxl")
    openpyxl.Workbook().save("book.xlsx")
    with pytest.raises(InputError, match="no cell with something in it"):
        xdp.read_table("book.xlsx")


def test_one_column_of_a_mechanism_a_prior_and_a_labelled_table_are_read():
    assert read_table("1\n1\n").matrix.shape == (2, 1)
    assert list(read_prior("1/2\n1/2\n").inputs) == ["0", "1"]
    assert read_table("out\n0.5\n0.5\n", header=True).matrix.shape == (2, 1)


# --- A letter ---


def test_an_audit_of_a_table_in_a_letter_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("letter.csv").write_text("1-a,a\na,1-a\n")
    with pytest.raises(DomainError, match=r"letters=\{'a': '1/4'\}"):
        xdp.audit("letter.csv", "path")
    number = xdp.read_table("letter.csv", letters={"a": "1/4"})
    assert xdp.audit(number, "path").evidence.own.evidence.tightest.alpha == xdp.Rational(1, 3)
    assert "ln(3)" in run("audit letter.csv --graph path --alpha 1/4").first
    assert json.loads(run("convert letter.csv --alpha 1/4 --to json").out)["rows"][0] == ["3/4", "1/4"]
