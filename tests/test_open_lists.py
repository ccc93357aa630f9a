# SPDX-License-Identifier: MIT
"""Lists are open, or say that they are closed: a toy loss and a toy mechanism, added in the files that
CONTRIBUTING names, work on every floor; and no kind is taken for another.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from fnmatch import fnmatch

import pytest
import toys
from naive_checker import decide
from open_lists import taken_for_another
from places import ROOT, TESTS

import exactdp as xdp
from exactdp.certificate.coq import to_coq
from exactdp.certificate.decode import Decoder
from exactdp.errors import DefectiveAnswerError
from exactdp.report.certificates import certificate_items

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## What a change touches")[1]
ROWS = dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", PAGE, re.MULTILINE))
"""What is added, and the files for it, as CONTRIBUTING has them."""


def named(what: str) -> list[str]:
    """The files that CONTRIBUTING names for an addition."""
    return re.findall(r"`([^`]+/[^`]+)`", ROWS[what])


@pytest.fixture
def house(tmp_path):
    """A copy of what the package needs, and of the pages."""
    for folder in ("exactdp", "docs"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "out").mkdir()
    return tmp_path


def runs(house, what: str) -> None:
    """Whether a toy works in a patched copy, in a process of its own."""
    env = {**os.environ, "PYTHONPATH": str(house)}
    command = [sys.executable, "-P", str(TESTS / "support" / "toys.py"), what, str(house / "out")]
    done = subprocess.run(command, env=env, cwd=house, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.parametrize(
    ("what", "added", "patches"),
    [("loss", "a loss with a word", toys.CUBED), ("mechanism", "a constructor of mechanisms, with its word", toys.HALF_TRUTH)],
)
def test_a_toy_works_on_every_floor(house, what, added, patches):
    pytest.importorskip("pyarrow")  # one of the floors is a sweep
    pytest.importorskip("distributed")
    files = {file for file, _, _ in patches}
    assert len(files) <= 2
    assert all(any(fnmatch(file, pattern) for pattern in named(added)) for file in files), (files, named(added))
    toys.patched(house, patches)
    runs(house, what)
    made = sorted((house / "out").rglob("*.edp.json"))
    assert len(made) >= 3
    for file in made:
        assert xdp.verify(file).status == "accepted", file
        # a second checker, which shares no code
        assert decide(json.loads(file.read_text(encoding="utf-8"))), file


def test_a_toy_fails_without_its_entry(house):
    with pytest.raises(AssertionError, match="cubed"):
        runs(house, "loss")


def with_definitions(**definitions):
    """A certificate with other definitions, as no checker would accept it."""
    made = xdp.certify(xdp.optimum("path:3", "1/4", xdp.MinimaxConsumer("abs")))
    return replace(made, definitions={**made.definitions, **definitions})


def with_rule(rule: str, make):
    """The evidence of a verdict by a rule that nobody knows."""
    verdict = make()
    return replace(verdict, evidence=replace(verdict.evidence, rule=rule))


UNKNOWN = {
    "decode.py": lambda: Decoder(with_definitions(l={"type": "cubed-loss", "n": 2})).definition("l"),
    "coq.py": lambda: to_coq(with_definitions(l={"type": "cubed-loss", "n": 2})),
    "certificates.py": lambda: certificate_items(json.loads(with_definitions(l={"type": "cubed-loss", "n": 2}).to_json())),
    "types.py": lambda: xdp.certify(
        with_rule("moon", lambda: xdp.is_universally_optimal(xdp.geometric(2, "1/2"), "path:3", "1/2", "zero-one"))
    ),
}


@pytest.mark.parametrize("file", UNKNOWN)
def test_what_nobody_knows_is_an_error_that_names_the_file(file):
    with pytest.raises(DefectiveAnswerError, match=file):
        UNKNOWN[file]()


def test_no_kind_is_taken_for_another():
    assert taken_for_another(ROOT / "exactdp") == []


BREAKS = {
    "a table of kinds": "def f(kind):\n    return {'abs': 1, 'squared': 2}.get(kind, 0)\n",
    "a text of a kind": "def f(x):\n    return known.get(str(x.kind), 0)\n",
    "a constant": "def f(x):\n    return POWERS.get(x, 0)\n",
    "an entry of a file": "def f(d):\n    return built.get(d['type'], None)\n",
    "a last case": "def f(x):\n    match x:\n        case 'abs':\n            return 1\n        case other:\n            return 2\n",
    "a last branch": (
        "def f(kind):\n    if kind == 'abs':\n        x = 1\n    elif kind == 'squared':\n        x = 2\n    else:\n        x = 3\n"
    ),
    "a last value": "def f(rule):\n    return 1 if rule == 'path' else 2 if rule in ('tree', 'star') else 3\n",
}

FINE = {
    "the key itself": "def f(kind):\n    return {'>=': '>'}.get(kind, kind)\n",
    "a sparse row": "def f(row, i):\n    return row.get(i, 0)\n",
    "a last case that raises": (
        "def f(x):\n    match x:\n        case 'abs':\n            return 1\n        case other:\n            raise E(other)\n"
    ),
    "a last branch that raises": (
        "def f(kind):\n    if kind == 'abs':\n        x = 1\n    elif kind == 'squared':\n        x = 2\n    else:\n        raise E\n"
    ),
}


CASES = [*((source, 1) for source in BREAKS.values()), *((source, 0) for source in FINE.values())]


@pytest.mark.parametrize(("source", "count"), CASES, ids=[*BREAKS, *FINE])
def test_what_takes_a_kind_for_another(tmp_path, source, count):
    (tmp_path / "search").mkdir()
    (tmp_path / "search" / "new.py").write_text(source, encoding="utf-8")
    assert len(taken_for_another(tmp_path)) == count
