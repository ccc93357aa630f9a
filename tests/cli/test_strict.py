# SPDX-License-Identifier: MIT
"""Files are read strictly: what may mean two things, or is no text, is malformed input; numbers may be
written out where a file could be named.
"""

from __future__ import annotations

import json

import pytest
from cli_runner import run

from exactdp.errors import InputError
from exactdp.readers.graphs import read_edges
from exactdp.readers.grids import text_in
from exactdp.readers.tables import read_prior, read_table

ROWS = '[["2/3", "1/3"], ["1/3", "2/3"]]'
FORMULAS = '[["1/(1+a)", "a/(1+a)"], ["a/(1+a)", "1/(1+a)"]]'
DIGITS = "9" * 5000

READERS = {
    "table": "show f",
    "formulas": "privacy f --graph path --alpha 1/2",
    "matrix": "determinant --matrix f",
    "loss": "optimal --graph path:2 --alpha 1/2 --loss f",
    "gain": "optimal --graph path:2 --alpha 1/2 --gain f",
    "metric": "privacy geometric:n=1,alpha=1/2 --metric f",
    "remap": "remap geometric:n=1,alpha=1/2 --loss abs --remap f",
    "mixture": "type path:2 --alpha 1/2 --mixture --mechanism f",
    "tight": "tight path:2 --alpha 1/4 --mechanism f",
    "audit": "audit f --graph path",
    "convert": "convert f --to json",
}
"""A command for each reader of tables."""

NO_TABLES = [
    (f'{{"rows": {ROWS}, "rows": {ROWS}}}', "the key 'rows' occurs twice"),
    (f'{{"rows": {FORMULAS}, "rows": {FORMULAS}}}', "the key 'rows' occurs twice"),
    (f'{{"rows": {ROWS}, "note": "x"}}', "the key 'note' is unknown"),
    (f'{{"rows": {FORMULAS}, "note": "x"}}', "the key 'note' is unknown"),
    (f'{{"rows": {ROWS}, "inputs": ["a", "b"], "inputs": ["b", "a"]}}', "the key 'inputs' occurs twice"),
    (f'{{"rows": {ROWS}, "inputs": ["\\ud800", "b"]}}', r"\ud800 is half of a character"),
    (f'{{"rows": {ROWS}, "inputs": ["\\uDFFFx", "b"]}}', r"\udfff is half of a character"),
    ("[[NaN, 1], [1, 0]]", "NaN is not a rational number"),
    ("[[1, Infinity], [1, 0]]", "Infinity is not a rational number"),
    ("[[1, -Infinity], [1, 0]]", "-Infinity is not a rational number"),
    ("[[1,]]", "not JSON"),
    ("{", "not JSON"),
    ("[" * 100_000, "nested too deeply"),
    ('{"rows":' + "[" * 100_000 + "]" * 100_000 + "}", "nested too deeply"),
    (b"\xef\xbb\xbf\xef\xbb\xbf2/3,1/3\n1/3,2/3\n", "line 1 has a byte-order mark"),
    (b"\xef\xbb\xbf\xef\xbb\xbf" + ROWS.encode(), "line 1 has a byte-order mark"),
    (b"\xef\xbb\xbf2/3,1/3\n\xef\xbb\xbf1/3,2/3\n", "line 2 has a byte-order mark"),
    ("2/3,1/3\n1/3,2/3\n".encode("utf-16-le"), "line 1 has the character NUL"),
    ("2/3,1/3\n1/3,2/3\n".encode("utf-16"), "it may be UTF-16"),
    ("2/3,1/3\n1/3,2/3\n".encode("utf-16-be"), "line 1 has the character NUL"),
    (b"2/3,1/3\n1/3\0,2/3\n", "line 2 has the character NUL"),
    (b",x,y\nu\0,2/3,1/3\nv,1/3,2/3\n", "line 2 has the character NUL"),
    ("é,1/3\n1/3,2/3\n".encode("latin-1"), "not UTF-8 text (byte 1)"),
]


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("reader", READERS)
def test_what_is_no_table_is_malformed_for_every_reader(here, reader):
    for content, words in NO_TABLES:
        (here / "f").write_bytes(content if isinstance(content, bytes) else content.encode())
        done = run(READERS[reader])
        assert done.code == 3, (content[:80], done)
        assert words in done.err, (content[:80], done)
        assert "Usage" not in done.err


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"0": "1/2", "0": "1/2"}', "the key '0' occurs twice"),
        ('{"0": "1/2", "1": NaN}', "NaN is not a rational number"),
        ('{"\\ud83d": "1/2", "1": "1/2"}', r"\ud83d is half of a character"),
        ("[1/2,]", "not JSON"),
        (b"\xef\xbb\xbf\xef\xbb\xbf1/2,1/2", "line 1 has a byte-order mark"),
        ("1/2,1/2".encode("utf-16-le"), "line 1 has the character NUL"),
    ],
)
def test_what_is_no_prior_is_malformed(here, content, words):
    (here / "f").write_bytes(content if isinstance(content, bytes) else content.encode())
    for given in ["f", *([] if isinstance(content, bytes) else [content])]:
        for command in (["regular", "path:2", "--alpha", "1/4"], ["optimal", "--graph", "path:2", "--alpha", "1/4", "--loss", "abs"]):
            done = run([*command, "--prior", given])
            assert (done.code, words in done.err) == (3, True), (command, given, done)


@pytest.mark.parametrize(
    "content",
    ["[[1,]]", "{", "[[1,2],]", "[1,2]", "[1 2]", '["a","b"]', '{"a":"b"}', "[[1, 2], [2, 3]]", "[[1,2],\n[2,3]]", '{"a b"}', "[1,\n2]"],
)
def test_json_is_no_edge_list(here, content):
    (here / "f").write_text(content, encoding="utf-8")
    done = run("optimal --graph f --alpha 1/2 --loss zero-one")
    assert done.code == 3, done
    assert "an edge is two labels a line" in done.err
    with pytest.raises(InputError):
        read_edges(content)


@pytest.mark.parametrize(
    "content", [b"\xef\xbb\xbf\xef\xbb\xbf0 1\n1 2\n", "0 1\n".encode("utf-16-le"), "0 1\n".encode("utf-16"), b"0 1\0\n", b"0 \xff\n"]
)
def test_what_is_no_text_is_no_edge_list(here, content):
    (here / "f").write_bytes(content)
    done = run("optimal --graph f --alpha 1/2 --loss zero-one")
    assert done.code == 3, done
    assert "UTF-8" in done.err or "byte-order mark" in done.err


def test_intervals_are_labels_of_edges():
    assert read_edges("[0,10) [10,20)\n[10,20) [20,30]").vertices == ("[0,10)", "[10,20)", "[20,30]")
    assert read_edges(b"\xef\xbb\xbfa b\n").vertices == ("a", "b")


def test_text_in_python_is_read_as_strictly():
    assert text_in("\ufeff1,2") == text_in(b"\xef\xbb\xbf1,2") == "1,2"
    for text in ("\ufeff\ufeff1", "1\0", "a,\ud800\n1,2"):
        for read in (read_table, read_prior, read_edges, text_in):
            with pytest.raises(InputError, match=r"has (a byte-order mark|the character NUL|half of a character)"):
                read(text)
    assert read_table(r'{"inputs": ["\ud83d\ude00", "\\ud800"], "rows": [[1], [1]]}').inputs == ("😀", "\\ud800")


@pytest.mark.parametrize("weight", ["1/100", "0.01", "1e-2"])
@pytest.mark.parametrize("form", [", ", ",", "json"])
def test_a_prior_of_a_hundred_numbers_is_no_name_of_a_file(here, weight, form):
    weights = json.dumps([weight] * 100) if form == "json" else form.join([weight] * 100)
    done = run(["optimal", "--graph", "path:100", "--alpha", "1/2", "--loss", "zero-one", "--prior", weights])
    assert done.code == 0, done
    assert "uniform on 100 inputs" in done.out


LONG = "0.01," * 100

FILES_OR_TEXT = [
    (["privacy", LONG, "--graph", "path"], 2, "there is no file"),
    (["optimal", "--graph", LONG, "--alpha", "1/2", "--loss", "abs"], 2, "there is no file"),
    (["optimal", "--graph", "path:3", "--alpha", "1/2", "--loss", LONG], 2, "there is no file"),
    (["optimal", "--graph", "path:3", "--alpha", "1/2", "--loss", "abs", "--side-information", LONG], 3, "unknown input"),
    (["optimal", "--graph", "path:3", "--alpha", "1/2", "--loss", "abs", "--prior", "x" * 500], 2, "there is no file"),
    (["audit", "geometric:n=2,alpha=1/2", "--for", LONG], 2, "there is no file"),
    (["tight", LONG, "--alpha", "1/2"], 2, "there is no file"),
    (["type", LONG, "--alpha", "1/2", "--vertices"], 2, "there is no file"),
    (["determinant", "--matrix", LONG], 2, "there is no file"),
    (["show", LONG], 2, "there is no file"),
    (["convert", LONG, "--to", "csv"], 2, "there is no file"),
    (["audit", "geometric:n=2,alpha=1/2", "--for", ""], 2, "there is no file"),
    (["privacy", "", "--graph", "path"], 2, "there is no file"),
]


@pytest.mark.parametrize(("words", "code", "message"), FILES_OR_TEXT, ids=[" ".join(words)[:40] for words, _, _ in FILES_OR_TEXT])
def test_a_long_text_is_told_as_what_was_expected(here, words, code, message):
    done = run(words)
    assert (done.code, message in done.err) == (code, True), done
    assert "too long" not in done.err


@pytest.mark.parametrize("limit", ["nan", "NaN", "-nan", "inf", "1e400", "", "x", "-1", "-inf"])
def test_a_time_limit_is_a_number_of_seconds(here, limit):
    for command in (
        "optimal --graph path:3 --alpha 1/2 --loss abs",
        "type path:3 --alpha 1/2 --vertices",
        "audit geometric:n=2,alpha=1/2 --for abs",
    ):
        done = run([*command.split(), "--time-limit", limit])
        assert done.code == 2, done
        assert "--time-limit" in done.err


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (f"release --n 2 --epsilon 1,1/{DIGITS}", 4),
        (f"release --n 2 --epsilon 1,1/{DIGITS} --json", 4),
        (f"release --n 2 --epsilon {DIGITS},1", 4),
        (f"release --n 2 --epsilon 1,0.{DIGITS}", 4),
        (f"release --n {DIGITS} --alpha 1/4,1/2", 2),
        (f"determinant --matrix geometric-prime:n={DIGITS}", 3),
        (f"optimal --graph path:3 --alpha 1/2 --loss abs --side-information 0..{DIGITS}", 3),
        (f"optimal --graph path:{DIGITS} --alpha 1/2 --loss abs", 3),
        (f"privacy geometric:n=2,alpha=1/2 --rounding 2^-{DIGITS}", 3),
    ],
    ids=lambda x: x[:40] if isinstance(x, str) else "",
)
def test_five_thousand_digits(here, command, code):
    done = run(command)
    assert done.code == code, done
    assert "defect" not in done.err + done.out


def test_labels_of_five_thousand_digits(here):
    (here / "f.csv").write_text(f",0,{DIGITS}\n0,2/3,1/3\n{DIGITS},1/3,2/3\n", encoding="utf-8")
    (here / "f.edges").write_text(f"0 {DIGITS}\n", encoding="utf-8")
    for command in (
        "optimal f.csv --labels --alpha 1/2 --loss squared --graph path",
        "optimal --graph f.edges --alpha 1/2 --loss abs",
        f"optimal f.csv --labels --alpha 1/2 --loss squared --graph path --side-information 0,{DIGITS}",
        "convert f.csv --labels --to sympy",
    ):
        done = run(command)
        assert done.code in {0, 1}, (command, done)
