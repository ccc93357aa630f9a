"""Every command printed in the documentation runs and prints what the page says (``...`` stands for
anything); links lead somewhere; every public name and every option has an example that runs.
"""

from __future__ import annotations

import doctest
import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from collections import Counter
from pathlib import Path

import click
import pytest
from places import ROOT
from proved_checker import EDPCHECK
from public_names import PUBLIC

import exactdp
from exactdp.cli import program
from exactdp.report.headline import LONGEST_LINE

DOCS = ROOT / "docs"
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
TASKS = sorted(page for page in (DOCS / "how-to").glob("*.md") if page.name != "index.md")
ATLAS = "atlas.md"  # its commands read the index in the repository: tests/sweeps/test_atlas.py
BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def session(page: Path) -> list[tuple[str, str]]:
    """The (command, expected output) pairs of a page, in order."""
    pairs: list[tuple[str, str]] = []
    for block in BLOCK.findall(page.read_text(encoding="utf-8")):
        for line in block.splitlines(keepends=True):
            if line.startswith("$ "):
                pairs.append((line[2:].strip(), ""))
            else:
                pairs[-1] = (pairs[-1][0], pairs[-1][1] + line)
    return pairs


def plain_commands(page: Path) -> list[str]:
    """The commands of a page that are printed without their output."""
    blocks = re.findall(r"^```sh\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line.startswith("exactdp ")]


def script(page: Path) -> str:
    """The indented block of a page that imports exactdp, as a program; empty if there is none. (What begins
    with ``>>>`` runs as a doctest.)
    """
    block = re.search(r"^    import exactdp as xdp\n(?:(?:    .*)?\n)*", page.read_text(encoding="utf-8"), re.MULTILINE)
    return "" if block is None else textwrap.dedent(block[0])


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.slow
@pytest.mark.parametrize("page", [p for p in PAGES if session(p) and p.name != ATLAS], ids=name_of)
def test_console_sessions(page, tmp_path):
    if importlib.util.find_spec("distributed") is None and any("exactdp sweep" in command for command, _ in session(page)):
        pytest.skip("oracle missing: distributed")
    if EDPCHECK is None and any("--proved" in command for command, _ in session(page)):
        pytest.skip("oracle missing: edpcheck")
    if shutil.which("openssl") is None and any(command.startswith("openssl") for command, _ in session(page)):
        pytest.skip("oracle missing: openssl")
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "exactdp"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m exactdp "$@"\n')
    program.chmod(0o755)
    work = tmp_path / "work"
    work.mkdir()
    if any("proofs/" in command for command, _ in session(page)):
        (work / "proofs").symlink_to(ROOT / "proofs")  # as in a clone
    env = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT), "EXACTDP_EDPCHECK": str(EDPCHECK)}
    same = doctest.OutputChecker().check_output
    for command, expected in session(page):
        done = subprocess.run(["sh", "-c", command], cwd=work, env=env, capture_output=True, text=True, check=False, timeout=120)
        got = done.stdout or done.stderr
        seen = (got, done.stderr + done.stdout)  # a page may show the notes, which a terminal shows, too
        assert any(same(expected, text, doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE) for text in seen), f"$ {command}\n{got}"
        assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("page", [p for p in PAGES if script(p)], ids=name_of)
def test_a_script_prints_what_its_comments_say(page, tmp_path):
    if importlib.util.find_spec("distributed") is None and "xdp.sweep(" in script(page):
        pytest.skip("oracle missing: distributed")
    (tmp_path / "script.py").write_text(script(page))
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "script.py"]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    said = re.findall(r"^ *print\(.*\)  # (.*)$", script(page), re.MULTILINE)
    assert said
    assert done.stdout.splitlines() == said


def anchors(text: str) -> set[str]:
    """The names of the headings of a page, as code hosts and the site make them."""
    headings = re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page):
    text = page.read_text(encoding="utf-8")
    for target, _, anchor in re.findall(r"\]\(([^)#:]*)(#([^)]+))?\)", text):
        place = page.parent / target if target else page
        assert place.exists(), f"{page.name} links to {target}"
        if anchor and place.suffix == ".md":
            assert anchor in anchors(place.read_text(encoding="utf-8")), f"{page.name} links to {target}#{anchor}"


SECTION = re.compile(r"mathematics(?:\.md)?\)?,?\s+(?:#\s+)?§(\d+)(?:\s*(?:–|to|and|,(?=\s*§))\s*§?(\d+))?")
THEOREM = re.compile(r"mathematics(?:\.md)?\)?,?\s+Theorem (\d+\.\d+)")


def test_what_is_cited_of_the_mathematics_exists():
    """Its sections and theorems, in the code, in the pages and in the format."""
    page = (DOCS / "mathematics.md").read_text(encoding="utf-8")
    sections = set(re.findall(r"^## (\d+)\. ", page, re.MULTILINE))
    theorems = set(re.findall(r"^\*\*Theorem (\d+\.\d+)", page, re.MULTILINE))
    files = [*PAGES, *sorted((ROOT / "exactdp").rglob("*.py")), *sorted((ROOT / "exactdp" / "certificate").glob("*.md"))]
    texts = {name_of(path): path.read_text(encoding="utf-8") for path in files}
    cited = [(name, number) for name, text in texts.items() for found in SECTION.findall(text) for number in found if number]
    assert len(cited) > 12
    assert [(name, number) for name, number in cited if number not in sections] == []
    named = [(name, number) for name, text in texts.items() for number in THEOREM.findall(text)]
    assert len(named) >= 2
    assert [(name, number) for name, number in named if number not in theorems] == []


def test_code_blocks_are_of_known_kinds():
    for page in PAGES:
        kinds = set(re.findall(r"^```([a-z]+)", page.read_text(encoding="utf-8"), re.MULTILINE))
        assert kinds <= {"python", "sh", "console", "json", "text"}, page.name


@pytest.mark.skipif(shutil.which("sh") is None, reason="no shell")
def test_readme_has_the_two_commands():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "pip install . && exactdp demo" in text
    assert "pip install '.[test]' && pytest" in text


@pytest.mark.parametrize("page", TASKS, ids=name_of)
def test_a_how_to_is_one_task_with_a_command_and_a_cell(page):
    text = page.read_text(encoding="utf-8")
    prose = re.sub(r"\]\([^)]*\)", "]", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL))
    assert len(re.findall(r"^# ", prose, re.MULTILINE)) == 1
    assert "\n#" not in prose.removeprefix("#")
    assert 80 <= len(re.findall(r"\w+", prose)) <= 250
    assert any(command.startswith("exactdp ") and output for command, output in session(page))
    assert ">>> import exactdp as xdp" in text
    assert any(example.want for example in doctest.DocTestParser().get_examples(text))


def test_every_task_is_in_the_index_of_tasks_and_in_that_of_questions():
    listed = (DOCS / "how-to" / "index.md").read_text(encoding="utf-8").splitlines()
    asked = re.findall(r"\]\(how-to/([\w-]+)\.md\)", (DOCS / "questions.md").read_text(encoding="utf-8"))
    names = {page.stem for page in TASKS}
    assert len(names) >= 20
    assert names <= set(listed)
    assert names == set(asked)


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_has_an_example_that_runs(name):
    examples = doctest.DocTestParser().get_examples(getattr(exactdp, name).__doc__ or "")
    runs = [example.source for example in examples if not example.options.get(doctest.SKIP)]
    assert any(name in source or not isinstance(getattr(exactdp, name), type) for source in runs), name


def options_of(command: click.Command) -> list[click.Option]:
    return [p for p in command.params if isinstance(p, click.Option) and not p.hidden]


def shown(option: click.Option, lines: list[str]) -> bool:
    """Whether a command line has the option."""
    return any(word in {*option.opts, *option.secondary_opts} for line in lines for word in line.replace("=", " ").split())


def test_every_option_of_every_command_has_an_example_that_runs():
    """An option that three commands share needs one, on the page of options. Another one needs one of its
    command, there or in the help text (tests/cli/test_examples.py runs these).
    """
    context = click.Context(program.main)
    commands = {name: program.main.get_command(context, name) for name in program.main.list_commands(context)}
    shared = Counter(tuple(option.opts) for command in commands.values() for option in options_of(command))
    lines = [command for page in PAGES for command, _ in session(page)]
    common = [command for command, _ in session(DOCS / "reference" / "options.md")]
    missing = []
    for name, command in commands.items():
        own = [*command.examples, *(line for line in lines if f"exactdp {name} " in line)]
        for option in options_of(command):
            if not shown(option, own) and not (shared[tuple(option.opts)] >= 3 and shown(option, common)):
                missing.append((name, option.opts))
    assert missing == []
    assert not shown(click.Option(["--local"]), ["exactdp privacy table.csv --locally"])


@pytest.mark.slow
@pytest.mark.parametrize("page", [p for p in PAGES if plain_commands(p)], ids=name_of)
def test_commands_without_printed_output_run_too(page, tmp_path):
    """The plain ``sh`` blocks: every exactdp command ends with proved (0) or refuted (1), given a table of
    the reader's own.
    """
    (tmp_path / "table.csv").write_text("4/5,3/20,3/80,1/80\n1/5,3/5,3/20,1/20\n1/20,3/20,3/5,1/5\n1/80,3/80,3/20,4/5\n")
    (tmp_path / "letters.csv").write_text("1-p,p\nq,1-q\n")
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    for line in plain_commands(page):
        command = [sys.executable, "-m", *shlex.split(line, comments=True)]
        done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False, timeout=120)
        assert done.returncode in {0, 1}, f"{line}\n{done.stderr}"
        assert "Traceback" not in done.stdout + done.stderr


ANSWERED = re.compile(r"^(PROVED|REFUTED|UNDECIDED|REPLAYED|NO CLAIM)  +(.*)$", re.MULTILINE)
SHOWN = re.compile(r"^<Verdict (PROVED|REFUTED|UNDECIDED|REPLAYED|NO CLAIM): (.*)>$", re.MULTILINE)
CUT = re.compile(r"\d…|…\d|/…|…/|/ |/$")
YES_OR_NO = (
    "derivable",
    "universally optimal",
    "tight-constraints mechanism",
    "regular prior",
    "kernel mechanism",
    "row-stochastic",
    "optimal for every regular prior",
)
"""What the word of the verdict answers, without a number."""

NUMBER = r"(?:-?\d+(?:\.\d+)?(?:e-?\d+)?(?:/\d+)?|\(*[-−]?[(\w*^/+ ]*\b[a-z]\b[\w()*^/+ −-]*)"
VALUE = re.compile(
    rf"[=≈] ?[-−]?(?:[\d(a-z]|∞)|no finite ε|: {NUMBER}|\b\d+ (?:of|formulas)\b"
    rf"|\b(?:loss|gap|least|δ|gain|capacity|value|utility|leakage|between|and|at most|at least|from|sums to) {NUMBER}"
)
"""A number or a formula where one says what it is: not the size of a graph, and not a place in a table."""


def first_lines(page: Path) -> list[str]:
    """The first lines of the answers that a page shows, without the word; not those of questions for JSON.

    Of a command this is the first line of what it prints, and of a cell of Python, which may print several
    answers, each that begins one.
    """
    found = [ANSWERED.match(output.split("\n")[0]) for _, output in session(page)]
    lines = [line[2] for line in found if line is not None]
    printed = [example.want for example in doctest.DocTestParser().get_examples(page.read_text(encoding="utf-8"))]
    return [*lines, *answers_in(printed)]


def answers_in(printed: list[str]) -> list[str]:
    """The first lines of the answers in what cells of Python print, or show as their ``repr``."""
    first = [line[2] for text in printed for line in ANSWERED.finditer(text)]
    shown = [line[2].partition(" · ")[0] for text in printed for line in SHOWN.finditer(text)]
    return [*first, *shown]


def notebook_lines(notebook: Path) -> list[str]:
    """The same of the cells of a notebook: what they printed, and the text of what they show."""
    outputs = [out for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"] for out in cell.get("outputs", [])]
    texts = ["".join(out.get("text") or out.get("data", {}).get("text/plain", "")) for out in outputs]
    return answers_in(texts)


def test_the_first_line_of_each_example_is_the_answer():
    """It is short, cuts no number, and has the value, or says what the word of the verdict is about."""
    shown = {page: first_lines(page) for page in PAGES} | {book: notebook_lines(book) for book in NOTEBOOKS}
    assert sum(len(lines) for page, lines in shown.items() if page.suffix == ".md") > 160
    assert sum(len(lines) for page, lines in shown.items() if page.suffix == ".ipynb") > 40
    for page, lines in shown.items():
        for line in lines:
            assert len(f"UNDECIDED  {line}") <= LONGEST_LINE, f"{page.name}: {line}"
            assert not CUT.search(line), f"{page.name}: {line}"
            assert has_answer(line), f"{page.name}: {line}"


def has_answer(line: str) -> bool:
    """Whether a value stands in it, or what the word of the verdict is about."""
    return VALUE.search(line) is not None or any(word in line for word in YES_OR_NO)


@pytest.mark.parametrize(
    "line",
    [
        "the least loss is the one of the table below",
        "private on path:4",
        "tightest level of 3 inputs",
        "not private: row 0, column 2",
        "private, as claimed",
        "the optimum has been found on the 4 inputs",
        "least loss in the table",
    ],
)
def test_a_first_line_without_its_answer_is_found(line):
    """The test above can fail."""
    assert not has_answer(line)


@pytest.mark.parametrize(
    "line",
    [
        "least loss 168/415 ≈ 0.404819",
        "largest additive capacity (-4*a + 4)/(a + 4)",
        "optimal: loss a*c/(a + c) is the least",
        "smallest ε = ln(4) ≈ 1.386294 (α = 1/4)",
        "kernel mechanisms: 29213",
        "no finite ε (tightest level α = 0)",
        "not the best remap: gap 63/73040 ≈ 0.000863",
    ],
)
def test_a_first_line_with_its_answer_passes(line):
    assert has_answer(line)


def test_answers_are_found_on_pages_and_in_cells(tmp_path):
    assert CUT.search("least loss 168/… ≈ 0.404")
    page = tmp_path / "page.md"
    console = "```console\n$ exactdp privacy t.csv\nPROVED  private, as claimed\n```\n"
    printed = "PROVED  the first\nfor     path:2\nREFUTED  the second\n"
    cell = f"```python\n>>> print(one, two)\n{printed}>>> three\n<Verdict PROVED: third · witness: x>\n\n```\n"
    page.write_text(console + cell, encoding="utf-8")
    assert first_lines(page) == ["private, as claimed", "the first", "the second", "third"]
    book = tmp_path / "book.ipynb"
    outputs = [{"text": "PROVED  printed\n"}, {"data": {"text/plain": ["<Verdict REFUTED: shown>"]}}]
    book.write_text(json.dumps({"cells": [{"outputs": outputs}, {}]}), encoding="utf-8")
    assert notebook_lines(book) == ["printed", "shown"]


JUDGED = re.compile(r"^(?:refuted: |proved: |REFUTED +|PROVED +)?[^\n]*?\bis (rounded|wrong)\b", re.MULTILINE)
CONCLUDED = re.compile(r"\btable is\b[^.:]*?\b(rounded|wrong)\b")


def contradictions(text: str) -> list[tuple[str, str]]:
    """Where the words after a block call a table otherwise than the last verdict in the block does.

    What is said of a table is its paragraph that begins below the block, if there is one.
    """
    found = []
    for block in re.finditer(r"^```\w+\n(.*?)^```\n\s*([^\n`#].*?)(?=\n\n|\Z)", text, re.MULTILINE | re.DOTALL):
        judged = JUDGED.findall(block[1])
        said = CONCLUDED.search(" ".join(block[2].split()))
        if judged and said and said[1] != judged[-1]:
            found.append((judged[-1], said[1]))
    return found


def test_pages_call_a_table_what_the_verdict_above_calls_it():
    block = "```python\n>>> ask\nrefuted: The table is wrong, not row-stochastic: row 0\n```\n\nSo the table is {}, and no mechanism.\n"
    assert contradictions(block.format("rounded")) == [("wrong", "rounded")]
    assert contradictions(block.format("[*wrong*](auditing.md)")) == []
    assert {page.name: found for page in PAGES if (found := contradictions(page.read_text(encoding="utf-8")))} == {}
