"""Rich display in notebooks: registered by type, so that the model need not know about it."""

from __future__ import annotations

import subprocess
import sys
import types

import pytest
from places import ROOT

from exactdp import (
    Hyper,
    Loss,
    Prior,
    Table,
    geometric,
    kernel_count,
    kernel_counts,
    kernel_mechanisms,
    kernel_mixture,
    neighbours,
    refinement_order,
    tightest_level,
    type_capacity,
    uniform,
    universal_by_level,
    universally_optimal_mechanism,
    vertex_count,
)
from exactdp.report import html as notebook


class Formatter(dict):
    def for_type(self, kind, function):
        self[kind] = function


@pytest.fixture
def shell():
    formatters = {"text/html": Formatter(), "text/latex": Formatter()}
    return types.SimpleNamespace(display_formatter=types.SimpleNamespace(formatters=formatters))


def test_the_extension_shows_tables_and_verdicts(shell):
    notebook.load_ipython_extension(shell)
    html, latex = shell.display_formatter.formatters["text/html"], shell.display_formatter.formatters["text/latex"]
    G = geometric(1, "1/2")
    verdict = tightest_level(G, neighbours("path:2"))
    for thing in (G, G.matrix, Table(G.matrix), Loss.absolute(range(2))):
        assert html[type(thing)](thing).startswith("<table")
        assert latex[type(thing)](thing).startswith("$$\\begin{array}")
    assert "proved" in html[type(verdict)](verdict)


@pytest.mark.parametrize(
    ("ask", "cells"),
    [
        (lambda path: vertex_count(path, "1/2"), ("<th>0</th><th>1</th><th>2</th>", "<td>4/7</td><td>2/7</td><td>1/7</td>")),
        (lambda path: kernel_count(path, "1/2"), ("<th>posteriors</th>", "<td>{v0, v2}</td>")),
        (lambda path: kernel_counts(neighbours("path:5")), ("<td>a = 1/2</td><td>187</td>",)),
        (lambda path: type_capacity(path, "1/2"), ("<td>2/3</td>",)),
        (lambda path: universal_by_level(neighbours("star:4"), Loss.zero_one(range(4))), ("<td>(0, 1/2)</td><td>yes</td><td>tree</td>",)),
        (lambda path: universally_optimal_mechanism(path, "1/2", Loss.zero_one(path.vertices)), ("<td>2/3</td>",)),
        (lambda path: kernel_mixture(uniform(path.vertices), path, "1/2"), ("<th>weight</th>", "<td>1/5</td>")),
        (lambda path: refinement_order({"G": geometric(2, "1/2"), "U": uniform(path.vertices)}), ("<td>G</td><td>U</td>",)),
        (lambda path: next(iter(kernel_mechanisms(path, "1/2"))), ("<table", "kernel mechanism")),
        (lambda path: Hyper.of(geometric(1, "1/2"), Prior.uniform(range(2))), ("<th>outer</th>", "<td>1/2</td><td>1/3</td><td>2/3</td>")),
    ],
)
def test_privacy_types_have_tables(shell, ask, cells):
    notebook.load_ipython_extension(shell)
    thing = ask(neighbours("path:3"))
    shown = shell.display_formatter.formatters["text/html"][type(thing)](thing)
    assert "<table" in shown
    assert shown.count("<table") == shown.count("</table>")
    for cell in cells:
        assert cell in shown


def test_nothing_happens_outside_a_shell(monkeypatch, shell):
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    assert notebook.register_if_running() is False
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: None))
    assert notebook.register_if_running() is False
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
    assert notebook.register_if_running() is True
    assert shell.display_formatter.formatters["text/html"]


def test_importing_the_package_in_a_notebook_registers(tmp_path):
    (tmp_path / "IPython.py").write_text(
        "class F(dict):\n    def for_type(self, kind, f): self[kind.__name__] = f\n"
        "class S: pass\n"
        "shell = S(); shell.display_formatter = S()\n"
        "shell.display_formatter.formatters = {'text/html': F(), 'text/latex': F()}\n"
        "def get_ipython(): return shell\n",
        encoding="utf-8",
    )
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import IPython, exactdp; "
        "print(sorted(IPython.shell.display_formatter.formatters['text/html']))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert "Mechanism" in done.stdout, done.stderr


def test_heat_map():
    pytest.importorskip("matplotlib")
    from exactdp.report.plot import heat_map

    ax = heat_map(geometric(2, "1/2"))
    assert [t.get_text() for t in ax.texts][:3] == ["2/3", "1/6", "1/6"]
    assert ax.get_xlabel() == "output"
    assert list(heat_map(geometric(20, "1/2"), ax=ax.figure.add_subplot()).texts) == []
