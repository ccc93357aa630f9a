"""What is typed does not depend on the working directory: a word of ours wins over a file of its name."""

from __future__ import annotations

import os
from itertools import chain
from pathlib import Path

import pytest
from cli_runner import run
from places import in_folder

from exactdp.mechanisms import FAMILIES
from exactdp.model import FORMS, LOSSES, SIZED_BY_INPUTS

TABLE = "1/2,1/2\n1/4,3/4\n"
"""A table of two inputs."""

HOSTILE = ("0 1\n", "1/2,1/2\n1/2,1/2\n", "9/10,1/10\n", "1,0\n0,1\n", '{"rows": [["1", "0"], ["0", "1"]]}', "no such thing\n")
"""Contents of files, each of which is something somewhere: edges, a table, a prior, a loss."""

GRAPHS = [*FORMS, *SIZED_BY_INPUTS, "path:3", "complete:2", *(form.partition(":")[0] for form in FORMS)]
MECHANISMS = [*(family.example for family in FAMILIES.values()), *FAMILIES]
PRIORS = ["uniform", "1/2,1/2", "2/3,1/3", "1/2,1/3", '{"0": "1/2", "1": "1/2"}', "0.5,0.5"]

COMMANDS = [
    *((f"privacy t.csv --alpha 1/2 --graph {word}", word) for word in GRAPHS),
    ("privacy t.csv --alpha 2/3 --local", "local"),
    ("audit t.csv --local --claims-alpha 1/2", "local"),
    ("audit t.csv --graph path --claims-alpha 1/2", "path"),
    ("delta t.csv --local --alpha 1/2", "local"),
    ("compose t.csv t.csv --graph cycle", "cycle"),
    ("optimal t.csv --local --alpha 1/4 --loss zero-one", "local"),
    ("remap t.csv --loss distance --local", "local"),
    *((f"privacy {word} --alpha 1/2", word) for word in MECHANISMS if "n=" not in word or len(word) < 60),
    *((f"privacy {word} --graph path", word) for word in GRAPHS),
    *((f"remap t.csv --loss {word}", word) for word in (*LOSSES, "uniform", "path")),
    *((f"remap t.csv --gain {word}", word) for word in ("zero-one", "abs")),
    *((f"audit t.csv --graph path --for {word}", word) for word in LOSSES),
    *((f"type complete:2 --alpha 1/2 --universal {word}", word) for word in ("abs", "zero-one")),
    *((["remap", "t.csv", "--loss", "abs", "--prior", word], word) for word in PRIORS),
    *((["regular", "complete:2", "--alpha", "1/2", "--prior", word], word) for word in (*PRIORS, "corner:1", "corner:7")),
    *((["tight", "complete:2", "--alpha", "1/2", "--prior", word], word) for word in PRIORS),
    ("audit t.csv --graph path --for 'abs prior=uniform'", "uniform"),
    ("audit t.csv --graph path --for 'abs prior=1/2,1/2'", "1/2,1/2"),
    ("audit t.csv --graph path --compare uniform:n=1", "uniform:n=1"),
    ("tight path:3 --alpha 1/4", "path:3"),
    ("tight path --alpha 1/4", "path"),
    ("type path:3 --alpha 1/4 --vertices", "path:3"),
    ("type star --alpha 1/4 --vertices", "star"),
    ("tight path:2 --alpha 1/4 --mechanism geometric:n=1", "geometric:n=1"),
    ("derive identity:n=1 --source identity:n=1", "identity:n=1"),
    ("refine identity:n=1 uniform:n=1", "uniform:n=1"),
    ("determinant --matrix geometric:n=2", "geometric:n=2"),
    ("determinant --matrix geometric-prime:n=2", "geometric-prime:n=2"),
    ("determinant --matrix geometric-prime", "geometric-prime"),
    ("determinant --matrix geometric", "geometric"),
    ("convert uniform:n=1 --to csv", "uniform:n=1"),
    ("show uniform", "uniform"),
    ("show uniform:n=1", "uniform:n=1"),
    ("mechanisms geometric", "geometric"),
]
"""Command lines, each with a word in it."""


here = in_folder({"t.csv": TABLE})


def placed(word: str) -> Path:
    """The path of a file of this name, with the folders that it needs."""
    path = Path(word)
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


@pytest.mark.mostly_slow(15)
@pytest.mark.parametrize(("command", "word"), COMMANDS, ids=lambda given: given if isinstance(given, str) else " ".join(given))
def test_a_file_of_the_name_of_a_word_changes_nothing(here, command, word):
    without = run(command)
    path = placed(word)
    for content in HOSTILE:
        path.write_text(content, encoding="utf-8")
        assert run(command) == without, content
    path.unlink(missing_ok=True)
    path.mkdir()
    assert run(command) == without


def test_every_word_without_a_size_is_among_them():
    asked = {word for _, word in COMMANDS}
    assert asked >= {*FORMS, *SIZED_BY_INPUTS, *LOSSES, *FAMILIES, "uniform"}


@pytest.mark.mostly_slow(24)
@pytest.mark.parametrize("word", sorted({*FORMS, *SIZED_BY_INPUTS, *LOSSES, *FAMILIES, "uniform", "geometric-prime"}))
@pytest.mark.parametrize("option", ["--graph", "--loss", "--prior", "TABLE"])
def test_with_a_folder_before_it_it_is_the_file(here, option, word):
    """``./path`` is the file, whatever it is called."""
    contents = {"--graph": "0 1\n", "--loss": "0,1\n1,0\n", "--prior": "1/3,2/3\n", "TABLE": "1/3,2/3\n2/3,1/3\n"}
    Path(word).write_text(contents[option], encoding="utf-8")
    mechanism = f"./{word}" if option == "TABLE" else "t.csv"
    beside = {"--loss": "zero-one", "--graph": "path"}
    if option != "TABLE":
        beside[option] = f"./{word}"
    words = ["optimal", mechanism, "--alpha", "1/4", "--json", *chain(*beside.items())]
    plain = {"--graph": "e.txt", "--loss": "l.csv", "--prior": "p.csv", "TABLE": "u.csv"}[option]
    Path(plain).write_text(contents[option], encoding="utf-8")
    found, meant = run(words).json, run([plain if x == f"./{word}" else x for x in words]).json
    assert found["verdict"] == meant["verdict"]
    assert found["value"] == meant["value"] if "value" in meant else found.keys() == meant.keys()


def test_local_is_refuted_though_a_file_of_this_name_has_fewer_edges(here):
    """The case that was found: an edge list named ``local`` proved what is false."""
    Path("l.csv").write_text(",x,y\na,2/3,1/3\nb,1/2,1/2\nc,1/4,3/4\n", encoding="utf-8")
    Path("local").write_text("a b\nb c\n", encoding="utf-8")
    for words in ("--local", "--graph local", "--graph complete"):
        assert run(f"privacy l.csv --labels {words} --alpha 1/2").code == 1
    assert run("privacy l.csv --labels --graph ./local --alpha 1/2").code == 0


def test_a_plan_has_the_same_words(here):
    from exactdp.errors import InputError
    from exactdp.sweeps.plan import graph_words

    for word in (*SIZED_BY_INPUTS, "connected", *(form.partition(":")[0] for form in FORMS)):
        Path(word).write_text("0 1\n", encoding="utf-8")
        with pytest.raises(InputError, match="without a size"):
            list(graph_words(word))
        assert len(list(graph_words(f"./{word}"))) == 1


@pytest.mark.parametrize("factor", [1, 100, 1_000_000])
@pytest.mark.parametrize("source", ["t.csv", "-"])
def test_a_large_budget_asks_for_no_buffer(here, factor, source):
    """``read(n)`` makes a buffer of n bytes, and a budget is not the size of a file."""
    assert run(f"privacy {source} --graph path --alpha 1/2 --budget {factor}", stdin=TABLE).code == 0


def test_a_file_is_read_in_pieces():
    from exactdp.readers.grids import PIECE, read_at_most

    class Stream:
        """Remembers how much was asked for at once."""

        def __init__(self) -> None:
            self.asked: list[int] = []

        def read(self, size: int) -> bytes:
            self.asked.append(size)
            return os.urandom(min(size, 1000)) if len(self.asked) < 5 else b""

    stream = Stream()
    assert len(read_at_most(stream, 2**60)) == 4000
    assert max(stream.asked) <= PIECE
    assert len(read_at_most(Stream(), 0)) == 0


@pytest.mark.parametrize("word", sorted({*SIZED_BY_INPUTS, *LOSSES, "uniform", "geometric", "1"}))
def test_what_is_written_to_the_name_of_a_word_changes_no_later_answer(here, word):
    """Certificates, pages and folders may have the names of words, and the words stay words."""
    question = ["optimal", "t.csv", "--alpha", "1/4", "--graph", "path", "--loss", "abs", "--prior", "1/2,1/2", "--json"]
    plain = run(question).json
    written = run([*question, "-o", word]).json
    assert written["certificate"] == word
    assert run(["verify", word]).code == 0
    assert run(question).json == plain
    Path(word).unlink()
    assert run(["audit", "t.csv", "--local", "--html", word]).code == 0
    assert run(question).json == plain
    Path(word).unlink()
    assert run(["audit", "t.csv", "--local", "--certificates", word]).code == 0
    assert run(question).json == plain
