# SPDX-License-Identifier: MIT
"""What was guessed when a table was read is told once, and from which file it is; a column or a line that
counts is asked about.
"""

from __future__ import annotations

import pickle
import re
from dataclasses import FrozenInstanceError
from hashlib import sha256

import pytest
from cli_runner import run
from hypothesis import given
from hypothesis import strategies as st

import exactdp as xdp
from exactdp.errors import InputError
from exactdp.report.registry import verdict_json

OF_R = '"","no","yes"\n"1",3/4,1/4\n"2",1/4,3/4\n'
GUESSED = "line 1 and the first column are read as labels: rows (1, 2), columns (no, yes)"
ABS = xdp.MinimaxConsumer("abs")


def test_a_table_keeps_what_was_guessed(tmp_path):
    (tmp_path / "of_r.csv").write_text(OF_R)
    table = xdp.read_table(OF_R)
    assert table.notes == (GUESSED,)
    for same in (pickle.loads(pickle.dumps(table)), table.aligned(("1", "2")), table.as_mechanism(), xdp.load(tmp_path / "of_r.csv")):
        assert same.notes == (GUESSED,)
    assert xdp.Table(table.matrix, table.inputs, table.outputs).notes == ()
    assert xdp.Table(table.matrix, table.inputs, table.outputs) == table
    assert hash(xdp.Table(table.matrix, table.inputs, table.outputs)) == hash(table)
    assert "notes" not in repr(table)


def test_a_table_of_a_file_has_it_as_its_source(tmp_path):
    file = tmp_path / "of_r.csv"
    file.write_text(OF_R)
    table, digest = xdp.read_table(file), sha256(OF_R.encode()).hexdigest()
    mechanism = table.as_mechanism()
    assert (table.source.name, table.source.digest) == ("of_r.csv", digest)
    for same in (pickle.loads(pickle.dumps(table)), table.aligned(("2", "1")), mechanism, mechanism.as_table(), xdp.load(file)):
        assert same.source == table.source
    (tmp_path / "printed.csv").write_text("0.7,0.3\n0.3,0.7\n")
    assert xdp.read_table(tmp_path / "printed.csv", digits=1).source.name == "printed.csv"
    with pytest.raises(FrozenInstanceError):
        table.source.name = "other.csv"
    same_numbers = xdp.read_table(OF_R)
    assert same_numbers.source is None
    assert same_numbers == table
    assert hash(same_numbers) == hash(table)
    assert "source" not in repr(table)


def test_what_is_computed_from_a_table_has_no_source(tmp_path):
    file = tmp_path / "of_r.csv"
    file.write_text(OF_R)
    table = xdp.read_table(file)
    mechanism, remap = table.as_mechanism(), xdp.Remap([[1], [1]], ["no", "yes"])
    made = (mechanism.post_process(remap), mechanism.parallel(mechanism), mechanism.restricted(["1"]), mechanism.reduced())
    for computed in (*made, table.T, table.clipped(), table.renormalise(), table.relabelled(["2", "1"])):
        assert computed.source is None


def test_an_answer_names_the_file_as_the_command_line_does(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "of_r.csv").write_text(OF_R)
    name = f"of_r.csv (sha256 {sha256(OF_R.encode()).hexdigest()[:8]}…)"
    table = xdp.read_table("of_r.csv")
    for told in (xdp.is_private("of_r.csv", "path", "1/3"), xdp.is_private(table, "path", "1/3")):
        assert (told.assumed, told.notes) == ((name,), (f"of_r.csv: {GUESSED}",))
        assert str(told) == run("privacy of_r.csv --graph path --alpha 1/3").out.partition("\n\n")[0]
        assert verdict_json(told)["notes"] == list(told.notes)
        assert name in repr(told)
        assert told._repr_latex_().count(GUESSED) == told._repr_html_().count(GUESSED) == 1
        same = xdp.is_private(OF_R, "path", "1/3")
        assert (same, same.assumed) == (told, ())
        assert xdp.certify(same).to_json() == xdp.certify(told).to_json()
    source = f"source of_r.csv (sha256 {sha256(OF_R.encode()).hexdigest()[:8]}…)"
    derived = xdp.is_derivable(table, source=table)
    assert derived.assumed == (source, source.replace("source", "target", 1))
    compared = xdp.audit(xdp.Table([[1, 0], [0, 1]], ["1", "2"], ["no", "yes"]), "path", compare=table)
    assert compared.assumed == (f"compared with {name}",)


@pytest.mark.parametrize(
    "ask",
    [
        lambda given: xdp.tightest_level(given, "path"),
        lambda given: xdp.is_private(given, "path", "1/3"),
        lambda given: xdp.audit(given, "path"),
        lambda given: xdp.least_delta(given, "path", "1/2"),
        xdp.is_stochastic,
        lambda given: xdp.best_remap(given, ABS),
        lambda given: xdp.is_optimal_after_remap(given, "path", "1/3", ABS),
    ],
)
def test_the_verdict_says_it_once(tmp_path, ask):
    (tmp_path / "of_r.csv").write_text(OF_R)
    named = [row.split(",") for row in OF_R.splitlines()]
    plain = xdp.Table([row[1:] for row in named[1:]], ["1", "2"], ["no", "yes"])
    for given_as in (xdp.read_table(OF_R), tmp_path / "of_r.csv"):
        told = ask(given_as)
        for shown in (str(told), told._repr_html_()):
            assert shown.count(GUESSED) == 1
    assert GUESSED not in str(ask(plain))


def test_the_command_line_has_its_notes_as_before(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "of_r.csv").write_text(OF_R)
    (tmp_path / "first.csv").write_text("0,1\n1,0\n0,1\n")
    assert run("privacy of_r.csv --graph path").out.count("are read as labels") == 1
    assert run("privacy first.csv --graph path").out.count("line 1 is read as a row of probabilities") == 1


INDEXED = {"two": "0,1,0\n1,0,1\n", "three columns": "0,0,1,0\n1,1,0,0\n", "one output": "0,1\n1,1\n"}


@pytest.mark.parametrize("name", INDEXED)
def test_a_table_of_zeros_and_ones_with_an_index_is_asked_about(tmp_path, monkeypatch, name):
    """Its rows do not sum to 1, and do so without the first column, which counts the rows."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(INDEXED[name])
    for read in (xdp.read_table, xdp.load, lambda file: xdp.tightest_level(file, "path")):
        with pytest.raises(InputError, match="without the first column all rows sum to 1"):
            read(tmp_path / "t.csv")
    for command in ("privacy t.csv --graph path", "audit t.csv --graph path", "show t.csv"):
        assert "without the first column all rows sum to 1" in run(command).err
    assert run("privacy t.csv --graph path --no-header").out.startswith("REFUTED  wrong")
    assert xdp.read_table(INDEXED[name], header=False).faults()


@given(st.lists(st.integers(0, 2), min_size=1, max_size=6))
def test_every_mechanism_of_zeros_and_ones_is_read_as_it_stands(places):
    rows = [[int(j == place) for j in range(3)] for place in places]
    table = xdp.read_table("\n".join(",".join(map(str, row)) for row in rows))
    assert table == xdp.Table(rows)
    assert table.notes == ()


def test_a_first_line_that_may_be_a_heading_is_noted():
    assert [re.search("header=True", note) is not None for note in xdp.read_table("0,1\n1,0\n0,1\n").notes] == [True]
    assert xdp.read_table("1,0\n0,1\n0,1\n").notes == ()


def test_a_frame_whose_first_column_numbers_the_rows():
    """As pandas reads what R writes, unless told which column is the index."""
    pandas = pytest.importorskip("pandas")
    for rows in ([[1, 1, 0], [2, 0, 1]], [[0, "3/4", "1/4"], [1, "1/4", "3/4"]]):
        frame = pandas.DataFrame(rows, columns=["Unnamed: 0", "no", "yes"])
        with pytest.raises(InputError, match=re.escape("df.set_index('Unnamed: 0')")):
            xdp.tightest_level(frame, "path")
        indexed = frame.set_index("Unnamed: 0")
        assert xdp.tightest_level(indexed, "path").evidence.mechanism.outputs == ("no", "yes")
    with pytest.raises(InputError, match="without the first column"):
        xdp.from_floats(pandas.DataFrame([[1, 0.1, 0.9], [2, 0.9, 0.1]]))
    whole = pandas.DataFrame([[1, 0, 0], [0, 1, 0]])
    assert xdp.table_of(whole).matrix == xdp.ExactMatrix([[1, 0, 0], [0, 1, 0]])
