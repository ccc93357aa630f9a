"""A table is a file, a text or an object: which of them a text is follows from its form alone."""

from __future__ import annotations

import os
import pathlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactdp as xdp
from exactdp.errors import ExactDPError, InputError, LabelError
from exactdp.readers.entrance import file_of

ROWS = [["1/2", "1/2"], ["1/4", "3/4"]]
TEXT = "1/2,1/2\n1/4,3/4\n"
TABLE = xdp.Table(ROWS)


class Place:
    """Another library's path."""

    def __init__(self, name):
        self.name = name

    def __fspath__(self):
        return self.name

    def __repr__(self):
        return f"Place({self.name!r})"


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("survey.csv", "survey", "1,2", "geometric:n=1,alpha=1"):
        pathlib.Path(name).write_text(TEXT, encoding="utf-8")
    pathlib.Path("survey.json").write_text('[["1/2", "1/2"], ["1/4", "3/4"]]', encoding="utf-8")
    np.save("survey.npy", np.array(ROWS))
    pathlib.Path("level.csv").write_text("1-a,a\na,1-a\n", encoding="utf-8")


NAMES = ["survey.csv", "survey", "./survey.csv", "survey.json", "survey.npy"]
SOURCES = [*NAMES, *map(pathlib.Path, NAMES), Place("survey.csv"), pathlib.Path("1,2"), pathlib.Path("geometric:n=1,alpha=1")]


@pytest.mark.parametrize("source", SOURCES, ids=repr)
def test_a_file_is_read_wherever_a_table_is(source):
    assert xdp.read_table(source) == TABLE
    assert xdp.is_private(source, "path", "1/2").proved
    assert xdp.tightest_level(source, "path").evidence.tightest.ratio == xdp.Rational("1/2")
    assert xdp.audit(source, "path").evidence.mechanism == TABLE.as_mechanism()
    assert xdp.is_derivable(source, source=source).proved
    assert xdp.capacity(source).evidence.value == xdp.Rational("5/4")
    assert xdp.matrix(source) == TABLE.matrix
    assert xdp.load(source) == TABLE.as_mechanism()


@pytest.mark.parametrize("source", [TEXT, TEXT.encode(), ROWS, TABLE, TABLE.as_mechanism(), TABLE.matrix, np.array(ROWS, dtype=object)])
def test_a_text_and_an_object_are_read_by_the_same_function(source):
    assert xdp.read_table(source) == TABLE


def test_the_full_path_in_every_form():
    whole = os.path.abspath("survey.csv")
    assert xdp.read_table(whole) == xdp.read_table(pathlib.Path(whole)) == TABLE


def test_a_table_in_the_level_takes_the_level_that_is_asked_about():
    assert xdp.is_private("level.csv", "path", "1/4").evidence.tightest == xdp.PrivacyLevel("1/3")


def test_what_is_in_the_folder_does_not_change_what_a_text_means():
    """There are files of these names: a line of numbers is a row, and a word is a mechanism."""
    assert xdp.read_table("1,2").matrix == xdp.ExactMatrix([[1, 2]])
    with pytest.raises(InputError, match="alpha"):
        xdp.is_private("geometric:n=1,alpha=1", "path", "1/2")


@given(st.lists(st.fractions(0, 1), min_size=1, max_size=4), st.sampled_from([",", ";", "\t", " ; "]))
def test_rows_of_numbers_are_never_names(row, mark):
    assert file_of(mark.join(map(str, row))) is None


@given(st.text("abcXYZ_-", min_size=1).filter(lambda x: x[0].isalpha()), st.sampled_from([".csv", ".json", ".npy", ".txt", ""]))
def test_names_are_never_rows(stem, suffix):
    assert file_of(stem + suffix) == pathlib.Path(stem + suffix)
    assert file_of(f"{stem}{suffix}\n") is None
    assert file_of(f"[{stem}{suffix}") is None


@pytest.mark.parametrize("read", [xdp.read_table, lambda x: xdp.is_private(x, "path", "1/2"), xdp.load, xdp.matrix])
@pytest.mark.parametrize("name", ["typo.csv", "typo", pathlib.Path("typo.csv")], ids=repr)
def test_a_file_that_is_not_there_is_named(read, name):
    with pytest.raises(InputError, match="can't read 'typo") as caught:
        read(name)
    assert "no such file" in str(caught.value).lower()


@pytest.mark.parametrize(
    ("read", "meant"), [(xdp.read_table, "several lines"), (lambda x: xdp.is_private(x, "path", "1/2"), "geometric:n=3")]
)
def test_a_text_that_names_no_file_is_told_what_else_it_could_have_been(read, meant):
    with pytest.raises(InputError, match=meant):
        read("typo.csv")


def test_a_misspelt_word_is_no_missing_file():
    for word in ("geometrc:n=3,alpha=1/2", "geometrc"):
        with pytest.raises(InputError, match="did you mean geometric"):
            xdp.is_private(word, "path", "1/2")


def test_faults_of_a_file_begin_with_its_name():
    pathlib.Path("bad.csv").write_text("1/2,O.7\n", encoding="utf-8")
    for read in (xdp.read_table, xdp.load, lambda x: xdp.is_private(x, "path", "1/2")):
        with pytest.raises(ExactDPError, match=r"^bad\.csv: row 0, column 1"):
            read("bad.csv")


def test_a_certificate_is_no_table():
    xdp.certify(xdp.tightest_level(TABLE, "path")).write("level.edp.json")
    with pytest.raises(InputError, match=r"level\.edp\.json: it is a certificate.*load"):
        xdp.is_private("level.edp.json", "path", "1/2")


def test_options_of_a_text_are_refused_beside_an_object():
    for option in ({"labels": True}, {"header": False}, {"digits": 2}):
        (name,) = option
        with pytest.raises(InputError, match=name):
            xdp.read_table(ROWS, **option)
    assert xdp.read_table([["1/2", "1/4"], ["1/2", "3/4"]], transpose=True) == TABLE


def test_objects_keep_their_own_reader():
    with pytest.raises(InputError, match="read_table"):
        xdp.table_of("survey.csv")
    with pytest.raises(LabelError):
        xdp.table_of(xdp.Table(ROWS, ["a", "b"]), inputs=["c", "d"])


def test_a_remap_and_a_dual_are_files_too():
    pathlib.Path("remap.csv").write_text("1,0\n0,1\n", encoding="utf-8")
    consumer = xdp.MinimaxConsumer("abs")
    assert xdp.is_best_remap(ROWS, consumer, "remap.csv") == xdp.is_best_remap(ROWS, consumer, [[1, 0], [0, 1]])
    pathlib.Path("dual.csv").write_text("weight,0,,,1/2\nweight,1,,,1/2\n", encoding="utf-8")
    assert xdp.read_dual("dual.csv", "path:2", xdp.MinimaxConsumer("zero-one")).weights == (xdp.Rational("1/2"),) * 2
