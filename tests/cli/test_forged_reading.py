# SPDX-License-Identifier: MIT
"""A bundle whose table is not what exactdp reads from its file with its command is rejected."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest
from cli_runner import run
from forged_bundle import Forged
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.certificate import bundle_files
from exactdp.certificate.bundle_reading import Asked, kind_of
from exactdp.certificate.bundle_tables import Grid, grid_of, read_again
from exactdp.certificate.compare_claim import own_labels
from exactdp.certificate.page_one import quoted, seen
from exactdp.cli.reading import Reading
from exactdp.errors import ExactDPError
from exactdp.model import neighbours
from exactdp.readers import require_rows
from exactdp.readers.table_labels import is_word
from exactdp.report.bundle import table_json

OTHER_NUMBERS = "it has other numbers than the table as read of table.json, or is no file that Python is told of"


def forged(tmp_path, monkeypatch, words, **texts):
    """A forger with the bundle of an audit of files."""
    monkeypatch.chdir(tmp_path)
    for name, text in texts.items():
        Path(f"{name}.csv").write_text(text)
    assert run(f"audit {words} --bundle b").code in (0, 1)
    files = {path.relative_to("b").as_posix(): path.read_bytes() for path in Path("b").rglob("*") if path.is_file()}
    assert Forged(files).judged(tmp_path) == ("accepted", [])
    return Forged(files)


def without_option(b, option):
    b.told["command"].remove(option)
    b.line("command")["values"]["command"] = seen(quoted(b.told["command"]))
    key = option.removeprefix("--")
    b.told["reading"].pop(key)
    b.drop(f"{key}-read")


def test_numbers_of_the_first_line_are_a_row_without_header(tmp_path, monkeypatch):
    b = forged(tmp_path, monkeypatch, "t.csv --header --graph path --claims-epsilon 1", t="0.97,0.02,0.01\n0.4,0.4,0.2\n0.2,0.4,0.4\n")
    without_option(b, "--header")
    status, faults = b.judged(tmp_path)
    assert status == "rejected"
    assert OTHER_NUMBERS in faults


def test_numbers_of_the_first_column_are_entries_without_labels(tmp_path, monkeypatch):
    b = forged(tmp_path, monkeypatch, "t.csv --labels --graph path --claims-epsilon 1", t="0.5,0.3,0.2\n0.1,0.5,0.5\n0.3,0.6,0.4\n")
    without_option(b, "--labels")
    status, faults = b.judged(tmp_path)
    assert status == "rejected"
    assert OTHER_NUMBERS in faults


def test_rows_are_in_the_order_of_the_file(tmp_path, monkeypatch):
    rows = {"a": "a,0.8,0.2\n", "b": "b,0.2,0.8\n", "c": "c,0.5,0.5\n"}
    b = forged(tmp_path, monkeypatch, "o.csv --labels --graph path --claims-epsilon 1", o='"",u,v\n' + rows["a"] + rows["c"] + rows["b"])
    b.file("o.csv", ('"",u,v\n' + "".join(rows.values())).encode())
    assert OTHER_NUMBERS in b.judged(tmp_path)[1]


def test_rows_without_labels_are_numbered_in_their_order(tmp_path, monkeypatch):
    b = forged(tmp_path, monkeypatch, "n.csv --graph path --claims-epsilon 1", n='"",0,1\n0,0.8,0.2\n2,0.2,0.8\n1,0.5,0.5\n')
    b.file("n.csv", b"0.8,0.2\n0.2,0.8\n0.5,0.5\n")
    tables = json.loads(b.files["table.json"])
    for key in ("inputs", "entries"):
        tables["tables"][0][key] = [tables["tables"][0][key][k] for k in (0, 2, 1)]
    before = bundle_files.sha256(b.files["table.json"])
    b.files["table.json"] = (json.dumps(tables, indent=1) + "\n").encode()
    b.replace(before, bundle_files.sha256(b.files["table.json"]))
    b.line("size")["values"]["inputs"] = "0, 2, 1"
    assert OTHER_NUMBERS in b.judged(tmp_path)[1]


def test_rows_in_the_order_of_the_neighbours_are_accepted(tmp_path, monkeypatch):
    path = tmp_path / "edges.csv"
    path.write_text("b,c\nc,a\n")
    text = '"",u,v\na,0.6,0.4\nb,0.4,0.6\nc,0.5,0.5\n'
    b = forged(tmp_path, monkeypatch, "o.csv --graph edges.csv --claims-epsilon 1", o=text)
    assert json.loads(b.files["table.json"])["tables"][0]["inputs"] == ["b", "c", "a"]
    points = '"",u,v\n"0,1",0.6,0.4\n"0,0",0.4,0.6\n"1,0",0.5,0.5\n"1,1",0.5,0.5\n'
    (tmp_path / "c").mkdir()
    forged(tmp_path / "c", monkeypatch, "o.csv --labels --graph grid:2x2 --claims-epsilon 1", o=points)
    (tmp_path / "d").mkdir()
    forged(tmp_path / "d", monkeypatch, "o.csv --graph path --claims-epsilon 1", o='"",u,v\n10,0.6,0.4\n0,0.4,0.6\n20,0.5,0.5\n')
    (tmp_path / "e").mkdir()
    forged(tmp_path / "e", monkeypatch, "o.csv --graph path --claims-epsilon 1", o="1,0.6,0.4\n2,0.4,0.6\n3,0.5,0.5\n")


CELLS = st.sampled_from(["0", "1", "1/2", "0.5", "0.25", "3/4", "2", "10"])
HEADS = st.sampled_from(
    ["", "0", "1", "2", "a", "b", "alpha", "yes", "no", "i", "j", "p", "age 20", "0.5", "1/2", "a-a", "50%", "x", "<18", "l"]
)
# --header and --no-header are one option
OPTIONS = st.builds(
    dict.__or__,
    st.fixed_dictionaries({}, optional={"labels": st.just(True), "transpose": st.just(True)}),
    st.sampled_from([{}, {"header": True}, {"no_header": True}]),
)


@st.composite
def lines_of_cells(draw):
    height, width = draw(st.integers(2, 4)), draw(st.integers(2, 4))
    rows = [[draw(CELLS) for _ in range(width)] for _ in range(height)]
    form = draw(st.sampled_from(["plain", "index", "above", "before", "both", "empty", "words"]))
    if form == "index":
        start = draw(st.integers(0, 1))
        rows = [[str(start + k), "0.25", "3/4"] for k in range(height)]
    if form in ("above", "both", "empty"):
        rows[0] = [draw(HEADS) for _ in range(width)]
    if form in ("before", "both", "empty"):
        for row in rows:
            row[0] = draw(HEADS)
    if form == "empty":
        rows[0][0] = ""
    if form == "words":
        rows[0] = ["", *draw(st.permutations(["0", "1", "2"]))][:width]
        for row, name in zip(rows[1:], draw(st.permutations(["0", "1", "2"])), strict=False):
            row[0] = name
    return rows


def table_read(text, options, family):
    """What exactdp reads: the table in the order of the neighbours, or None where it refuses."""
    header = False if options.get("no_header") else options.get("header")
    try:
        reading = Reading(options.get("labels", False), header=header, transpose=options.get("transpose", False))
        grid = reading.mechanism_grid(text.encode(), "t.csv")
        table = reading.numbers(grid, "t.csv")
        if header is None or reading.transpose:
            require_rows(grid, table, transposed=reading.transpose)
        return table.aligned(neighbours(family, table.inputs).vertices)
    except (ExactDPError, click.UsageError):
        return None


@given(lines_of_cells(), OPTIONS, st.sampled_from(["path", "complete"]))
@settings(max_examples=600, deadline=None)
def test_a_file_is_read_as_exactdp_reads_it(rows, options, family):
    text = "\n".join(",".join(row) for row in rows) + "\n"
    told = {key: True for key in options if key != "no_header"}
    table = table_read(text, options, family)
    true = None if table is None else grid_of(table_json("t", table))
    for grid in [*taken_otherwise(rows, told.get("transpose", False)), *([] if true is None else [true])]:
        asked = Asked(own_labels(f"{family}:{len(grid.inputs)}", len(grid.inputs)), "no_header" not in options)
        answer = read_again(text.encode(), grid, told, asked)
        if true is not None and answer:
            assert grid == true
        if grid == true:
            assert answer is not False


def taken_otherwise(rows, turned):
    """The tables that a file may be taken for, with its labels or the places, in two orders."""
    for above in (0, 1):
        for before in (0, 1):
            for labels in (0, 1):
                cells = [row[before:] for row in rows[above:]]
                inputs = [row[0] for row in rows[above:]] if before and labels else list(map(str, range(len(cells))))
                outputs = rows[0][before:] if above and labels else list(map(str, range(len(cells[0]))))
                if turned:
                    cells, inputs, outputs = [list(column) for column in zip(*cells, strict=True)], outputs, inputs
                for order in (range(len(cells)), [*range(1, len(cells)), 0]):
                    value = {"inputs": [inputs[k] for k in order], "outputs": outputs, "entries": [cells[k] for k in order]}
                    if not all(x.strip() and (x[0].isdigit()) and "%" not in x for row in cells for x in row):
                        continue
                    if len(set(inputs)) == len(inputs) and len(set(outputs)) == len(outputs):
                        yield exact(value)


def exact(value):
    from fractions import Fraction

    return grid_of(value | {"entries": [[str(Fraction(x)) for x in row] for row in value["entries"]]})


@given(st.text("aαlpe1O.-_ +²½<≥é(/)^*%", min_size=1, max_size=6))
def test_a_word_of_the_program_is_one_of_the_readers(cell):
    if kind_of(cell) == "word":
        assert is_word(cell)


def test_a_table_without_numbers_is_not_known():
    assert read_again(b"1/2,1/2\n", Grid((), (), ()), {}, Asked()) is None


@pytest.mark.parametrize("text", ["0,1/2,1/2\n1,1/4,3/4\n", "1,1/2,1/2\n2,1/4,3/4\n"])
def test_a_first_column_that_counts_rows_is_no_output(text):
    rows = [line.split(",") for line in text.split()]
    whole = exact({"inputs": ["0", "1"], "outputs": ["0", "1", "2"], "entries": rows})
    inner = exact({"inputs": [row[0] for row in rows], "outputs": ["0", "1"], "entries": [row[1:] for row in rows]})
    answers = [read_again(text.encode(), grid, {}, Asked((), is_index)) for grid in (whole, inner) for is_index in (True, False)]
    assert answers == [False, True, True, False]


def test_two_empty_cells_above_are_two_columns_of_labels():
    rows = [["", "", "0", "1"], ["a", "0", "1/2", "1/2"], ["b", "0", "1/4", "3/4"]]
    whole = exact({"inputs": ["a", "b"], "outputs": ["", "0", "1"], "entries": [row[1:] for row in rows[1:]]})
    text = "\n".join(map(",".join, rows)).encode()
    assert table_read(text.decode(), {"labels": True}, "path").inputs == ("a,0", "b,0")
    assert read_again(text, whole, {"labels": True}, Asked()) is None
