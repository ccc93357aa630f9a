# SPDX-License-Identifier: MIT
"""The atlas: rows of its index are computed again, and each number on its page is printed by a command there."""

from __future__ import annotations

import re
import shlex
from hashlib import sha256

import pytest
from cli_runner import run
from places import ROOT

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


def test_its_graphs_are_all_of_their_sizes():
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
    """A section's numbers are in what its commands print, or say (levels, vertices)."""
    for section in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]:
        prose, blocks = (
            re.sub(r"^```console\n.*?^```\n", "", section, flags=re.MULTILINE | re.DOTALL),
            " ".join(re.findall(r"^```console\n(.*?)^```", section, re.MULTILINE | re.DOTALL)),
        )
        plain = re.sub(r"`[^`]*`|\]\([^)]*\)|\((?:[0-9.]+|implicit in [^)]*)\)|(?:Theorem|Corollary|Proposition) \d+", "", prose)
        known = set(re.findall(r"\d+(?:/\d+)?", blocks.replace(",", "")))
        formulas = {"1", "2"}  # of n/(1 + (n−1)α) and the like
        for number in re.findall(r"(?<![\w/])\d[\d,]*(?:/\d+)?", plain):
            assert number.replace(",", "") in known | formulas, (section.splitlines()[0], number)


def test_every_section_has_commands():
    for section in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]:
        assert "$ exactdp index benchmarks/atlas" in section or "](#" in section
