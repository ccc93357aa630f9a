"""Rich display in notebooks: registered by type, so that the model need not know about it."""

from __future__ import annotations

import subprocess
import sys
import types
from pathlib import Path

import pytest

from exactdp import Loss, Table, geometric, neighbours, tightest_level
from exactdp.report import notebook


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
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(__file__).parent.parent, capture_output=True, text=True, check=False, timeout=60
    )
    assert "Mechanism" in done.stdout, done.stderr


def test_heat_map():
    pytest.importorskip("matplotlib")
    from exactdp.report.plot import heat_map

    ax = heat_map(geometric(2, "1/2"))
    assert [t.get_text() for t in ax.texts][:3] == ["2/3", "1/6", "1/6"]
    assert ax.get_xlabel() == "output"
    assert list(heat_map(geometric(20, "1/2"), ax=ax.figure.add_subplot()).texts) == []
