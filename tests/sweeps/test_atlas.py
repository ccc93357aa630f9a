# SPDX-License-Identifier: MIT
"""The atlas: rows of its index are computed again, and its page prints what its commands do."""

from __future__ import annotations

import re
import shlex
from hashlib import sha256

import pytest
from cli_runner import run
from places import ROOT

from exactdp.model.graph import automorphisms
from exactdp.model.small_graphs import connected_graphs
from exactdp.sweeps.asking import answered
from exactdp.sweeps.plan import Plan
from exactdp.sweeps.question import Question

pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

from exactdp.sweeps.index import rows

FOLDER = ROOT / "benchmarks" / "atlas"
INDEX = FOLDER / "index.parquet"
PAGE = (ROOT / "docs" / "atlas.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\$ (.*)\n((?:(?!\$ |```).*\n)*)", PAGE, re.MULTILINE)


def sample(count: int, where: str) -> list[tuple]:
    """Rows that depend on nothing but the questions' texts."""
    found = rows(INDEX, select="question, verdict, value, lower, upper", where=where)[1]
    return sorted(found, key=lambda row: sha256(row[0].encode()).digest())[:count]


def assert_the_same(row: tuple) -> None:
    text, verdict, value, lower, upper = row
    answer = answered(text, 600)
    assert (answer.verdict, answer.value) == (verdict, value or "")
    assert [answer.lower, answer.upper] == ["" if x is None else f"{x:.18f}" for x in (lower, upper)]
    assert answer.certificate


def test_some_rows_are_computed_again():
    for row in sample(20, "inputs <= 5 AND level <> 'symbolic' AND digest IS NOT NULL"):
        assert_the_same(row)


@pytest.mark.slow
@pytest.mark.parametrize("where", ["level = 'symbolic' AND inputs < 6", "level <> 'symbolic'"])
def test_more_rows_are_computed_again(where):
    for row in sample(60, f"{where} AND digest IS NOT NULL"):
        assert_the_same(row)


@pytest.mark.parametrize("size", [*range(1, 7), pytest.param(7, marks=pytest.mark.slow)])
def test_minimax_is_uniform_on_vertex_transitive_graphs_and_one_more(size):
    """By averaging over the automorphisms it must be so there; the page says where else it is."""
    same = "u.graph = answers.graph AND u.level = answers.level AND u.loss = answers.loss AND u.value = answers.value"
    alike = f"EXISTS (SELECT 1 FROM answers u WHERE u.ask = 'optimum' AND u.consumer = 'uniform' AND {same})"
    where = f"ask = 'optimum' AND consumer = 'minimax' AND level <> 'symbolic' AND inputs = {size} AND {alike}"
    found = rows(INDEX, select="loss, graph, count(*)", where=where, group="loss, graph")[1]
    transitive = {graph.name for graph in connected_graphs(size) if {p[0] for p in automorphisms(graph)} == set(range(size))}
    assert len(transitive) == (1, 1, 1, 2, 2, 5, 3)[size - 1]  # OEIS A006800
    for loss in ("zero-one", "distance", "squared-distance"):
        more = {"graph6:F}oxw"} if (size, loss) == (7, "zero-one") else set()
        assert {graph for name, graph, levels in found if name == loss and levels == 7} == transitive | more


def test_its_graphs_are_all_of_their_sizes():
    assert rows(INDEX, select="max(inputs)")[1] == [(7,)]
    for size in range(1, 7):
        names = rows(INDEX, select="DISTINCT graph", where=f"inputs = {size}")[1]
        assert {name for (name,) in names} == {graph.name for graph in connected_graphs(size)}


@pytest.mark.slow
def test_it_answers_the_plan():
    planned = [question.text for question in Plan.read(FOLDER / "plan.toml").questions]
    assert [text for (text,) in rows(INDEX, select="question", order="question")[1]] == sorted(planned)


def test_it_is_small_and_without_certificates():
    assert {path.name for path in FOLDER.iterdir()} <= {"plan.toml", "index.parquet", "renew.py", "__pycache__"}
    assert INDEX.stat().st_size <= 5_000_000


def test_a_row_that_decides_has_a_certificate():
    assert rows(INDEX, select="count(*)", where="(digest IS NULL) = (verdict IN ('proved', 'refuted'))")[1] == [(0,)]
    [(texts,)] = rows(INDEX, select="list(question)", where="inputs = 4")[1]
    assert all(Question.parse(text).text == text for text in texts)


# ── The page ───────────────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(("command", "shown"), COMMANDS, ids=range(len(COMMANDS)))
def test_a_command_prints_what_the_page_says(command, shown, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert shlex.split(command)[:3] == ["exactdp", "index", "benchmarks/atlas"]
    assert run(command).out == shown


def test_each_number_on_the_page_is_printed_below_it():
    """A section's numbers are in what its commands print, or say; without commands, those of any section."""
    consoles = re.compile(r"^```console\n.*?^```\n", re.MULTILINE | re.DOTALL)
    formulas = {"1", "2"}  # of n/(1 + (n−1)α) and the like
    for section in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]:
        said = " ".join(consoles.findall(section) or consoles.findall(PAGE)).replace(",", "")
        known = set(re.findall(r"\d+(?:/\d+)?", said)) | formulas
        plain = re.sub(r"`[^`]*`|\]\([^)]*\)|(?:§|Corollary )[\d.]+", "", consoles.sub("", section))
        for number in re.findall(r"(?<![\w/])\d[\d,]*(?:/\d+)?", plain):
            assert number.replace(",", "") in known, (section.splitlines()[0], number)


def test_every_section_has_commands():
    for section in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]:
        assert "$ exactdp index benchmarks/atlas" in section or "](#" in section
