"""Every command printed in the documentation runs and prints what the page says (``...`` stands for
anything).
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT
from proved_checker import EDPCHECK

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
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


@pytest.mark.slow
@pytest.mark.parametrize("page", [p for p in PAGES if session(p) and p.name != ATLAS], ids=lambda p: p.name)
def test_console_sessions(page, tmp_path):
    if EDPCHECK is None and any("--proved" in command for command, _ in session(page)):
        pytest.skip("oracle missing: edpcheck")
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "exactdp"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m exactdp "$@"\n')
    program.chmod(0o755)
    work = tmp_path / "work"
    work.mkdir()
    env = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT), "EXACTDP_EDPCHECK": str(EDPCHECK)}
    same = doctest.OutputChecker().check_output
    for command, expected in session(page):
        done = subprocess.run(["sh", "-c", command], cwd=work, env=env, capture_output=True, text=True, check=False, timeout=120)
        got = done.stdout or done.stderr
        assert same(expected, got, doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE), f"$ {command}\n{got}"
        assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(page):
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_code_blocks_are_of_known_kinds():
    for page in PAGES:
        kinds = set(re.findall(r"^```([a-z]+)", page.read_text(encoding="utf-8"), re.MULTILINE))
        assert kinds <= {"python", "sh", "console", "json", "text"}, page.name


@pytest.mark.skipif(shutil.which("sh") is None, reason="no shell")
def test_readme_has_the_two_commands():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "pip install . && exactdp demo" in text
    assert "pip install '.[test]' && pytest" in text


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_commands_without_printed_output_run_too(page, tmp_path):
    """The plain ``sh`` blocks: every exactdp command ends with proved (0) or refuted (1), given a table of
    the reader's own.
    """
    (tmp_path / "table.csv").write_text("4/5,3/20,3/80,1/80\n1/5,3/5,3/20,1/20\n1/20,3/20,3/5,1/5\n1/80,3/80,3/20,4/5\n")
    (tmp_path / "letters.csv").write_text("1-p,p\nq,1-q\n")
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    for block in re.findall(r"^```sh\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if line.startswith("exactdp "):
                words = shlex.split(line, comments=True)
                command = [sys.executable, "-m", *words]
                done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False, timeout=120)
                assert done.returncode in {0, 1}, f"{line}\n{done.stderr}"
                assert "Traceback" not in done.stdout + done.stderr
