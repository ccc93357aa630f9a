# SPDX-License-Identifier: MIT
"""What runs is the source: no compiled copy, no other file beside a link. Needed files are looked at before
they are read.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys

# writes a .pyc that is believed without a look at its source
from importlib._bootstrap_external import _code_to_hash_pyc
from pathlib import Path

import pytest

from exactdp.arguments import argument

CHECKER = Path(argument.__file__).parent
THEOREM = {"name": "T", "for": "int n", "then": "n = n", "example": {"n": "0"}, "proof": []}
FILE = {"format": "exactdp-argument", "version": "0.2", "theorems": [THEOREM]}


@pytest.fixture
def folder(tmp_path):
    for name in ("argument.py", "evaluation.py", "reading.py", "scope.py", "proof_steps.py", "terms.py"):
        shutil.copy(CHECKER / name, tmp_path / name)
    (tmp_path / "good.json").write_text(json.dumps(FILE), encoding="utf-8")
    return tmp_path


def run(checker, *files):
    command = [sys.executable, "-I", str(checker), *map(str, files)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False, timeout=60)


def test_a_planted_compiled_reading_has_no_say(folder):
    source = (folder / "reading.py").read_bytes()
    code = compile(source + b"\nraise SystemExit(99)\n", "reading.py", "exec")
    planted = Path(importlib.util.cache_from_source(str(folder / "reading.py")))
    planted.parent.mkdir()
    planted.write_bytes(_code_to_hash_pyc(code, importlib.util.source_hash(source), checked=False))
    ordinary = [sys.executable, "-c", "import reading"]  # an ordinary import believes it
    assert subprocess.run(ordinary, cwd=folder, check=False).returncode == 99
    found = run(folder / "argument.py", folder / "good.json")
    assert found.returncode == 0, found
    assert "replayed: T: for all int n: n = n." in found.stdout


def test_a_link_does_not_bring_another_reading(folder, tmp_path):
    other = tmp_path / "elsewhere"
    other.mkdir()
    (other / "argument.py").symlink_to(folder / "argument.py")
    (other / "reading.py").write_text("raise SystemExit(99)\n", encoding="utf-8")
    assert run(other / "argument.py", folder / "good.json").returncode == 0


@pytest.mark.parametrize("name", ["reading", "terms", "evaluation", "scope", "proof_steps"])
def test_without_a_file_that_it_needs_nothing_is_decided(folder, name):
    (folder / f"{name}.py").unlink()
    assert run(folder / "argument.py", folder / "good.json").returncode == 70


@pytest.mark.parametrize("name", ["reading.py", "terms.py", "evaluation.py", "scope.py", "proof_steps.py"])
@pytest.mark.parametrize("text", ["def", "1 / 0"], ids=["no Python", "raises"])
def test_a_broken_file_that_it_needs_is_no_rejection(folder, name, text):
    (folder / name).write_text(text)
    assert run(folder / "argument.py", folder / "good.json").returncode == 70


def test_the_digest_is_of_what_was_compiled(folder):
    code = (
        "import runpy, sys\nsys.argv = sys.argv[1:]\ntry:\n    runpy.run_path(sys.argv[0], run_name='__main__')\n"
        "finally:\n    print(sys.modules['exactdp.arguments.reading'].__source_digest__)\n"
    )
    command = [sys.executable, "-I", "-c", code, str(folder / "argument.py"), str(folder / "good.json")]
    found = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()[-1]
    assert found == "sha256:" + hashlib.sha256((folder / "reading.py").read_bytes()).hexdigest()


def needing(*names):
    return json.dumps({**FILE, "needs": list(names)}).encode()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["fifo", "device", "directory", "missing", "loop"])
def test_a_needed_file_is_a_regular_file(tmp_path, kind):
    place = tmp_path / "need.json"
    if kind == "fifo":
        os.mkfifo(place)
    elif kind == "device":
        place.symlink_to("/dev/zero")
    elif kind == "directory":
        place.mkdir()
    elif kind == "loop":
        place.symlink_to(place)
    (tmp_path / "a.json").write_bytes(needing("need"))
    found = run(CHECKER / "argument.py", tmp_path / "a.json")
    assert found.returncode == 1, found
    assert "there is no file need.json in this folder" in found.stdout


@pytest.mark.parametrize("error", [PermissionError(13, "Permission denied"), OSError(5, "Input/output error"), TimeoutError("too late")])
def test_a_needed_file_that_can_not_be_read_decides_nothing(tmp_path, monkeypatch, error):
    """The argument may hold: 1 would say that it was rejected."""
    (tmp_path / "need.json").write_text(json.dumps(FILE))

    def fails(*_):
        raise error

    monkeypatch.setattr(argument.os, "open", fails)
    found = argument.check_bytes(needing("need"), tmp_path)
    assert (found.status, found.exit_code, found.path) == ("unreadable", 2, "$.needs[0]")


def test_all_needed_files_count_together(tmp_path):
    padded = json.dumps({**FILE, "says": "x" * 400_000}).encode()
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.json").write_bytes(padded)
    assert argument.check_bytes(needing("a", "b"), tmp_path).status == "replayed"
    found = argument.check_bytes(needing("a", "b", "c"), tmp_path)
    assert (found.status, found.rule) == ("limit", "bytes")
    with (tmp_path / "huge.json").open("wb") as stream:
        stream.truncate(2**40)  # a hole: its size is asked, nothing is read
    assert argument.check_bytes(needing("huge"), tmp_path).status == "limit"
    assert run(CHECKER / "argument.py", tmp_path / "huge.json").returncode == 4
