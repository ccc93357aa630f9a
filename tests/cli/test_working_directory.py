# SPDX-License-Identifier: MIT
"""Files of the working directory that have the names of modules are no part of the program."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OURS = ("click", "flint", "highspy", "lazy_loader", "numpy", "pyarrow")


def python(place, *words):
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONSAFEPATH"}
    environment["PYTHONPATH"] = str(ROOT)  # where exactdp is not installed
    done = subprocess.run([sys.executable, *words], cwd=place, env=environment, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def hostile(tmp_path):
    """A directory with a module of every name but those that Python loads before it runs any module."""
    (tmp_path / "probe").mkdir()
    (tmp_path / "probe/__init__.py").write_text("import sys\nprint(*sys.modules)\n")
    (tmp_path / "probe/__main__.py").touch()
    before = python(tmp_path, "-m", "probe")[1].split()
    assert {"os", "runpy"} <= set(before)
    place = tmp_path / "place"
    place.mkdir()
    for name in {*sys.stdlib_module_names, *OURS} - {*before, "__main__"}:
        (place / f"{name}.py").write_text(f"print('hostile', {name!r}, flush=True)\nraise SystemExit(99)\n")
    assert {"json.py", "typing.py", "__future__.py", "threading.py"} <= {path.name for path in place.iterdir()}
    return place


@pytest.mark.mostly_slow(1)
@pytest.mark.parametrize("module", [("-m", "exactdp"), ("-mexactdp",), ("-P", "-m", "exactdp")])
def test_modules_of_the_working_directory_are_not_loaded(hostile, module):
    code, out, err = python(hostile, *module, "audit", "geometric:n=2,alpha=1/2")
    assert (code, "hostile" in out, err) == (0, False, "")
    assert out.startswith("NO CLAIM")
    code, out, _ = python(hostile, *module, "optimal", "--graph", "path:3", "--alpha", "1/2", "--loss", "abs", "-o", "c.json")
    assert code == 0
    code, out, _ = python(hostile, *module, "verify", "c.json")
    assert (code, "c.json: accepted: " in out) == (0, True)


def test_other_programs_keep_their_path(tmp_path):
    """A library that is imported by python -m another changes nothing."""
    (tmp_path / "another.py").write_text("import sys, exactdp, here\nprint(sys.path[0] == here.__file__.rpartition('/')[0])\n")
    (tmp_path / "here.py").touch()
    (tmp_path / "exactdp_user").mkdir()
    (tmp_path / "exactdp_user/__init__.py").write_text("import sys, exactdp, here\nprint(sys.path[0])\n")
    (tmp_path / "exactdp_user/__main__.py").touch()
    assert python(tmp_path, "-m", "another")[:2] == (0, "True\n")
    assert python(tmp_path, "-m", "exactdp_user")[:2] == (0, f"{tmp_path}\n")


def test_exactdp_may_be_in_the_working_directory():
    assert python(ROOT, "-m", "exactdp", "--version")[0] == 0
