# SPDX-License-Identifier: MIT
"""Page one in LaTeX: its environments and braces are balanced, whatever labels say; and LaTeX reads it."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from cli_runner import run

TABLES = {
    "plain.csv": "2/3,1/3\n1/3,2/3\n",
    "doubles.csv": "0.333333,0.666667\n0.5,0.5\n",
    "hostile.csv": ',a_1,b%%,#c\n"x^2 & y",1/2,1/4,1/4\nz~{}\\,1/4,1/2,1/4\n',
    "printed.csv": "0.7,0.3\n0.3,0.7\n",
    "wrong.csv": "1/2,1/2\n1/3,1/3\n",
}
PAGES = {
    "plain": "plain.csv --graph path --claims-epsilon 1 --for zero-one --require 'gap <= 5%'",
    "doubles": "doubles.csv --graph path --dyadic --claims-epsilon 1 --for squared",
    "hostile": r"hostile.csv --labels --local --claims-epsilon 1/2 --for zero-one --unit '100% \ ^ ~ $5 {} <a> #_&'",
    "printed": "printed.csv --graph path --digits 1 --claims-epsilon 1/2 --require 'epsilon < 1/2'",
    "wrong": "wrong.csv --graph path --claims-epsilon 1",
}


@pytest.fixture(params=PAGES)
def page(request, tmp_path, monkeypatch):
    """A page with its appendix."""
    monkeypatch.chdir(tmp_path)
    for name, text in TABLES.items():
        (tmp_path / name).write_text(text)
    assert run(f"audit {PAGES[request.param]} --page page.tex").code in (0, 1, 4)
    return tmp_path / "page.tex"


def test_environments_and_braces_are_balanced(page):
    text = page.read_text(encoding="utf-8")
    opened: list[str] = []
    for what, name in re.findall(r"\\(begin|end)\{(\w+)\}", text):
        if what == "begin":
            opened.append(name)
        else:
            assert opened.pop() == name
    assert opened == []
    bare = re.sub(r"\\[\\{}$&#%_]", "", text)
    depth = 0
    for char in bare:
        depth += {"{": 1, "}": -1}.get(char, 0)
        assert depth >= 0
    assert depth == 0
    assert bare.count("$") % 2 == 0
    assert "%" not in bare
    assert "#" not in bare


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX")
def test_latex_reads_it_and_no_line_is_too_wide(page):
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", page.name], cwd=page.parent, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull" not in done.stdout
    assert re.search(r"Output written on page.pdf \(2 pages", done.stdout)  # page one, and the appendix
