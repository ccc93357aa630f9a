"""Every message is one sentence on one line, of at most 300 characters, and names what is wrong: a battery
of wrong and hostile values for every argument and option of every command, and for functions of Python.
"""

from __future__ import annotations

import ast
import json
import re
import shlex

import click
import numpy as np
import pytest
from cli_runner import example_files, run
from hypothesis import given
from hypothesis import strategies as st
from places import ROOT

import exactdp as xdp
from exactdp.cli.program import COMMANDS, main
from exactdp.errors import LONGEST_MESSAGE, ExactDPError, bounded
from exactdp.readers.formulas import read_formula_table
from exactdp.readers.graphs import read_edges, read_metric
from exactdp.readers.tables import read_prior, read_table

LONG_NAME = "n" * 200 + ".csv"
DIGITS = "7" * 400

FILES = {
    "many.csv": "1/2,1/3\n" * 1000,
    "negative.csv": "3/2,-1/2\n" * 1000,
    "labels.csv": "\n".join(
        [",".join(["", *(f"{'x' * 500}{i}" for i in range(30))]), *(f"{'y' * 500}{i}" + ",1/30" * 30 for i in range(30))]
    ),
    "digits.csv": f"1/{DIGITS},0\n1,0\n",
    "deep.csv": "(" * 60 + "a" + ")" * 60 + ",0\n1,1\n",
    "word.csv": "1/2," + "z" * 5000 + "\n1,0\n",
    "words.csv": "1/2," + "z z. Z " * 500 + "\n1,0\n",
    "ragged.csv": "1/2,1/2\n1\n",
    "headed.csv": "no,yes\n1,0\n0,1\n",
    "long.edges": "a" * 400 + " " + "b" * 400 + "\nc d e\n",
    "certificate.json": '{"exactdp-certificate": 1}',
    "list.json": '[{"a": [1, 2, 3, 4, 5, 6, 7, 8, 9]}]',
    LONG_NAME: "1/2,1/3\n" * 1000,
}
VALUES = [
    *FILES,
    "binary.csv",
    "x" * 300,
    "word word. Word " * 40,
    f"1/{DIGITS}",
    DIGITS,
    "",
    "-1",
    "0",
    "1_0/3",
    "a\nb",
    "\x1b[31mred",
    "geometric:n=" + DIGITS,
    "geometric:m=3",
    "moebius:n=3",
    "path:" + DIGITS,
    "tree:4",
    "(" * 80,
    "nonsense",
    "no/such/file.csv",
    "1/2," * 300,
    '{"a": 1}',
    "[1",
]
BASES = {
    "privacy": "geometric:n=3 --alpha 1/4",
    "derive": "table.csv --source table.csv",
    "refine": "table.csv table.csv",
    "remap": "geometric:n=3 --alpha 1/4 --loss abs",
    "release": "--n 3",
    "optimal": "--graph path:3 --alpha 1/2 --loss abs",
    "determinant": "--matrix geometric:n=2",
    "generalise": "capacity discrete",
    "tight": "path:3 --alpha 1/2",
    "regular": "path:3 --alpha 1/2 --prior uniform",
    "audit": "table.csv",
    "type": "path:3 --alpha 1/2",
    "compose": "geometric:n=3,alpha=1/2 geometric:n=3,alpha=1/2",
    "delta": "geometric:n=3,alpha=1/2 --epsilon 1",
    "show": "table.csv",
    "convert": "table.csv --to csv",
}
"""A right beginning of each command; ``verify`` and ``demo`` have their own tests."""
WRITES = {"-o", "--output", "--html", "--certificates", "--bundle", "--arguments", "--time-limit", "--to"}


@pytest.fixture
def here(tmp_path, monkeypatch):
    example_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "binary.csv").write_bytes(bytes(range(256)))
    return tmp_path


def require_readable(message):
    """One line, one sentence, not long."""
    assert message
    assert len(message) <= LONGEST_MESSAGE, message
    assert message.isprintable(), message
    quoted = re.sub(r"'[^']*'|\"[^\"]*\"|\(.*\)", "", message)
    assert not re.search(r"[a-z)]\. +[A-Z](?!ord)", quoted.replace("z. Z", "")), message


def battery(name):
    """The command with each wrong value in the place of each argument and option."""
    command = main.get_command(click.Context(main), name)
    words = shlex.split(BASES.get(name, ""))
    for parameter in command.params:
        if isinstance(parameter, click.Argument):
            yield from ([value, *words[1:]] if words[:1] and not words[0].startswith("-") else [value, *words] for value in VALUES)
        elif not parameter.is_flag:
            values = [value for value in VALUES if value not in FILES and value != "binary.csv"] if WRITES & set(parameter.opts) else VALUES
            yield from ([*words, parameter.opts[-1], value] for value in values)


@pytest.mark.mostly_slow(2)
@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in ("verify", "demo")])
def test_every_message_of_a_command_is_readable(here, name):
    refused = 0
    for words in battery(name):
        done = run([name, *words], stdin="")
        unwritten = done.code == 5 and "--arguments" in words  # a folder that can't be made: the answer stands
        assert done.code in (0, 1, 2, 3, 4) or unwritten, (words, done)
        if done.code in (2, 3, 4) and done.err:
            message = done.err.rpartition("Error: ")[2].removesuffix("\n")
            require_readable(message)
            refused += 1
    assert refused > 10


def test_a_message_is_the_same_in_json(here):
    for words in (["many.csv", "--alpha", "1/2", "--graph", "x" * 999], ["word.csv"], ["digits.csv", "--graph", "long.edges"]):
        plain, as_json = run(["privacy", *words]), run(["privacy", *words, "--json"])
        assert plain.code == as_json.code
        assert plain.err.rpartition("Error: ")[2].strip() == as_json.json["error"]
        require_readable(as_json.json["error"])


BIG = 10**400
MANY = ["1/2"] * 999
CALLS = {
    "a thousand faulty rows": lambda: xdp.Mechanism([["1/2", "1/3"]] * 1000),
    "a thousand negative entries": lambda: xdp.Mechanism([["3/2", "-1/2"]] * 1000),
    "rows that can't be repaired": lambda: xdp.Table([["3/2", "-1/2"]] * 1000).renormalise(),
    "a long number": lambda: xdp.Mechanism([[f"1/{DIGITS}", 0]]),
    "a long text": lambda: xdp.Rational("x" * 1000),
    "a long float": lambda: xdp.Rational(5e-324),
    "a float": lambda: xdp.Rational(0.1),
    "a level": lambda: xdp.PrivacyLevel(BIG),
    "a long label": lambda: xdp.Mechanism([[1], [1]], ["x" * 999, "x" * 999]),
    "labels": lambda: xdp.Mechanism([[1], [1]], [f"{'x' * 99}{i}" for i in range(99)]),
    "a text for labels": lambda: xdp.Mechanism([[1], [1]], "y" * 999),
    "a text for a matrix": lambda: xdp.Mechanism("z" * 999),
    "a prior": lambda: xdp.Prior(MANY),
    "a graph's word": lambda: xdp.neighbours("path:" + "9" * 999),
    "a graph's family": lambda: xdp.neighbours("tree" * 99),
    "an edge": lambda: xdp.Graph(["a" * 999, "b"], [(0, 7)]),
    "a mechanism's word": lambda: xdp.mechanism_from_spec("geometric:" + "n" * 999),
    "a mechanism's family": lambda: xdp.mechanism_from_spec("nothing:n=3"),
    "a formula": lambda: read_formula_table("(" * 200 + "a"),
    "a long formula": lambda: read_formula_table("+".join(["b"] * 999)),
    "a cell": lambda: read_table("1," + "x" * 9999),
    "a heading": lambda: read_table("a,b\n1,0"),
    "a ragged table": lambda: read_table("1/2,1/2\n1"),
    "a key": lambda: read_table(json.dumps({"rows": [[1]], "k" * 999: 1})),
    "a list in JSON": lambda: read_table(json.dumps([[1, list(range(999))]])),
    "weights in JSON": lambda: read_prior(json.dumps([{"k": list(range(999))}])),
    "weights": lambda: read_prior("1/2,1/2\n1/2,1/2"),
    "distances": lambda: read_metric("0," + "y" * 999 + "\n1,0"),
    "a triangle": lambda: read_metric(f"0,1,{DIGITS}\n1,0,1\n{DIGITS},1,0"),
    "edges": lambda: read_edges("a b\n" + "c" * 999 + " d e"),
    "a loop": lambda: read_edges("c" * 999 + " " + "c" * 999),
    "an array": lambda: xdp.table_of(np.array([[0.1, 0.9]])),
    "an object": lambda: xdp.table_of([[object(), 1]]),
    "different labels": lambda: xdp.Mechanism([[1]] * 40, [f"{'x' * 50}{i}" for i in range(40)]).aligned(
        tuple(f"{'y' * 50}{i}" for i in range(40))
    ),
    "a large graph": lambda: xdp.neighbours(f"sum:u={'9' * 12},v={'9' * 12}"),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_every_message_of_python_is_readable(call):
    with pytest.raises(ExactDPError) as caught:
        call()
    require_readable(caught.value.message)
    assert str(caught.value) == caught.value.message


def written_messages():
    """Every text written where an exception is made, with its place; what is filled in is left out."""
    for path in sorted((ROOT / "exactdp").rglob("*.py")):
        if "checker" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            made = isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)) and node.args
            name = (node.func.id if isinstance(node.func, ast.Name) else node.func.attr) if made else ""
            if name.endswith("Error") and isinstance(node.args[0], (ast.Constant, ast.JoinedStr)):
                parts = node.args[0].values if isinstance(node.args[0], ast.JoinedStr) else [node.args[0]]
                text = "".join(str(part.value) if isinstance(part, ast.Constant) else "" for part in parts)
                yield pytest.param(text, id=f"{path.name}:{node.lineno}")


def test_every_message_is_written_as_one_short_sentence():
    places = list(written_messages())
    assert len(places) > 300
    for place in places:
        (text,) = place.values
        assert len(text) <= 220, place.id
        assert "\n" not in text, place.id
        assert not re.search(r"[^ .…]\. +[A-Z]", text), place.id
        assert not re.search(r"(^|[^.])[.!]$", text), place.id


def test_what_is_cut_is_whole_in_the_facts():
    with pytest.raises(xdp_errors().NotStochasticError) as caught:
        xdp.Mechanism([["1/2", "1/3"]] * 1000)
    assert len(caught.value.rows) == 1000
    assert "998 more faults" in caught.value.message


def xdp_errors():
    from exactdp import errors

    return errors


@given(st.text(max_size=2000))
def test_any_text_is_bounded(text):
    shown = bounded(text)
    assert len(shown) <= LONGEST_MESSAGE
    assert shown.isprintable()
    assert bounded(shown) == shown


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=60))
def test_a_short_message_is_as_it_was_written(text):
    assert bounded(text) == text or re.search("[0-9]{41}", text)


@given(st.integers(41, 4000), st.integers(1, 9))
def test_a_long_number_keeps_its_ends_and_tells_its_length(size, digit):
    shown = bounded(f"the level {str(digit) * size} is too large; give another")
    assert shown == f"the level {str(digit) * 12}…{str(digit) * 12}[{size} digits] is too large; give another"


def test_the_remedy_at_the_end_is_kept():
    remedy = "give --graph FILE with one edge a line"
    assert bounded("word " * 500 + remedy).endswith(remedy)


@pytest.mark.parametrize("command", ["convert {} --to csv --epsilon 1", "remap {} --loss abs --alpha 1/2"])
def test_a_level_beside_a_word_that_has_its_own_is_told_which_word_takes_it(command):
    refused = run(command.format("geometric:n=1,alpha=a"))
    assert refused.code == 2
    assert "geometric:n=1,alpha=a has its own level, alpha=a, and geometric:n=1 takes another one; leave it out" in refused.err
    assert run(command.format("geometric:n=1")).code == 0
    assert "uniform:n=1 does not depend on a level" in run(command.format("uniform:n=1")).err
