"""What a command may load: libraries and rooms that it does not need would make everybody wait.

Nothing is timed here; benchmarks/door.py does that.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys

import pytest
from places import ROOT

import exactdp

SCRIPT = """
import sys
import exactdp
from exactdp.cli import main
try:
    main(sys.argv[1:])
except SystemExit as end:
    code = end.code
stub = ["exactdp/__init__.pyi"] if exactdp._public.cache_info().currsize else []
sys.stderr.write(" ".join([str(code), *stub, *sys.modules]))
"""

HEAVY = {"numpy", "highspy", "scipy", "sympy", "pandas", "networkx", "matplotlib", "jinja2", "tqdm", "IPython", "attr"}
"""What no small question needs."""

ROOMS = {
    "exactdp/__init__.pyi",
    "exactdp.checker.kernel",
    "exactdp.lp.highs",
    "exactdp.search.optimal_mechanism",
    "exactdp.exact.positivity",
}
"""The list of public names; the kernel, for certificates; linear programs; letters."""

FILES = {
    "exactdp.readers.cells",
    "exactdp.readers.csv_grids",
    "exactdp.readers.grids",
    "exactdp.readers.tables",
    "exactdp.readers.graphs",
    "exactdp.exact.latex",
    "exactdp.model.small_graphs",
}
"""The readers, where no file is named."""

WORDS = {"exactdp.mechanisms.words", "exactdp.mechanisms.noise", "exactdp.mechanisms.libraries"}
"""The families of mechanisms, where none is named."""

OTHER_ROUTES = {"exactdp.search.path.path_optimum", "exactdp.search.forest.forest_optimum", "exactdp.lp.parametric"}
"""Of an optimum on a graph with cycles: paths, forests, and where an optimum stays one."""

SELDOM = {"json", "socket", "fractions", "decimal", "exactdp.cli.privacy", "exactdp.exact.sympy_numbers"}
"""What files, JSON and clusters need of the standard library; another command; the reader of sympy."""

LIGHT = {
    "--version": {"flint", "pathlib", "traceback", "exactdp.exact.rational", *ROOMS},
    "optimal --graph path:4 --alpha 1/2 --loss abs": ROOMS | FILES | WORDS | SELDOM | {"exactdp.lp.problem", "pathlib"},
    "privacy geometric:n=3 --alpha 1/4": ROOMS | FILES | {"exactdp.analysis.optimality.optimum", "exactdp.analysis.letters.tables"},
    "verify c.json": {"flint", "shutil", "hashlib", "exactdp.exact.rational", "exactdp.certificate.certificate"},
}
"""Commands of every day, and the rooms that each leaves alone."""

SLOWER = {
    "delta geometric:n=3,alpha=1/2 --alpha 3/4": {
        "exactdp.analysis.audit",
        "exactdp.lp.highs",
        "exactdp.search.optimal_mechanism",
        *SELDOM,
    },
    "audit geometric:n=2,alpha=1/4 --claims-epsilon 1": {
        "exactdp.checker.kernel",
        "exactdp.report.html",
        "exactdp.cli.convert",
        "exactdp.analysis.optimality.mechanism_optimality",
        *SELDOM - {"decimal"},
    },
    "optimal --graph cycle:5 --alpha 1/2 --loss zero-one": {"exactdp.checker.kernel", "ctypes", "pathlib", *SELDOM, *OTHER_ROUTES},
    "optimal --graph edges.csv --alpha 1/2 --loss distance": {"exactdp.exact.latex", *OTHER_ROUTES},
    "optimal geometric:n=3 --alpha 1/4 --loss abs --after-remap": {"exactdp.checker.kernel"},
    "derive geometric:n=3,alpha=1/2 --source geometric:n=3,alpha=1/4": {"exactdp.checker.kernel", "exactdp.report.types"},
    "tight star:4 --alpha symbolic": {"exactdp.checker.kernel"},
    "type path:4 --alpha 1/2 --kernels": {"exactdp.checker.kernel"},
    "compose geometric:n=3,alpha=1/2 geometric:n=3,alpha=1/3": {"exactdp.checker.kernel", "exactdp.analysis.refinement"},
    "privacy geometric:n=3,alpha=1/4 -o made.json": {"exactdp.lp.highs", "exactdp.search.optimal_mechanism"},
    "show c.json": set(),
}

CERTIFICATE = ROOT / "proofs" / "gupte_sundararajan" / "certificates"


def loaded(words: str, folder) -> set[str]:
    """The modules that a fresh program has at its end."""
    (folder / "c.json").write_bytes(min(CERTIFICATE.iterdir(), key=lambda file: file.stat().st_size).read_bytes())
    (folder / "edges.csv").write_text("a,b\nb,c\na,c\n", encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", SCRIPT, *shlex.split(words)]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=True, timeout=120)
    code, *modules = done.stderr.split()
    assert code in {"0", "1"}, done.stderr
    return set(modules)


@pytest.mark.parametrize("words", LIGHT)
def test_what_a_small_question_leaves_alone(words, tmp_path):
    assert loaded(words, tmp_path) & (HEAVY | LIGHT[words]) == set()


@pytest.mark.slow
@pytest.mark.parametrize("words", SLOWER)
def test_what_other_questions_leave_alone(words, tmp_path):
    assert loaded(words, tmp_path) & (HEAVY | SLOWER[words]) == set()


def test_the_package_alone_loads_nothing():
    code = "import sys, exactdp; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True
    )
    modules = set(done.stdout.split())
    assert modules & (HEAVY | {"flint", "attr", "ast", "lazy_loader", "click", "dataclasses"}) == set()
    assert {name for name in modules if name.startswith("exactdp")} == {"exactdp", "exactdp.display", "exactdp.elsewhere"}


def test_star_and_all_are_those_of_the_stub():
    names = {}
    exec("from exactdp import *", names)
    assert set(exactdp.__all__) == set(names) - {"__builtins__"}
