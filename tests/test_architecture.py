# SPDX-License-Identifier: MIT
"""The one direction: runtime → exact → lp → model → readers → mechanisms → search → analysis → certificate →
sweeps → report → cli → arguments.

The checker stands alone beside them. The rules are in support/architecture.py; each is broken once, in a
copy.
"""

from __future__ import annotations

import shutil

import pytest
from architecture import LAYERS, circles, faults, imports
from places import ROOT, TESTS

from exactdp.checker.kernel import BESIDE, CORE

PACKAGE = ROOT / "exactdp"


def test_the_house_keeps_its_rules():
    assert faults(PACKAGE, TESTS) == []


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """The package's Python files, to be copied and broken."""
    copy = tmp_path_factory.mktemp("house") / "exactdp"
    shutil.copytree(
        PACKAGE, copy, ignore=lambda _, names: [n for n in names if n.startswith("__pycache__") or n.endswith((".json", ".md"))]
    )
    return copy


@pytest.fixture(scope="module")
def usual(original):
    """What is said of the copy as it is."""
    return faults(original)


def upwards(layer: str) -> tuple[str, str, str]:
    """A layer that imports the next higher one."""
    above = LAYERS[LAYERS.index(layer) + 1]
    return f"{layer}/new.py", f"import exactdp.{above}", f"{layer} may not import {above}"


BREAKS = [
    *(upwards(layer) for layer in LAYERS[:-1]),
    ("analysis/new.py", "import exactdp.checker.kernel", "analysis may not import checker"),
    ("model/new.py", "def f():\n    from exactdp.cli.program import main", "model may not import cli"),
    ("report/new.py", "import exactdp", "imports the package itself"),
    ("cli/new.py", "def f():\n    from proofs.record import papers", "imports proofs.record, which is not installed"),
    ("model/new.py", "import flint", "imports flint, which only exact and lp and search may"),
    ("search/path/new.py", "import highspy", "imports highspy, which only lp may"),
    ("analysis/new.py", "import click", "imports click, which only arguments and cli may"),
    ("checker/new.py", "import numpy", "the checker needs the standard library only"),
    ("checker/new.py", "import exactdp.arguments.reading", "checker may not import arguments"),
    ("certificate/new.py", "from exactdp.arguments import argument", "certificate may not import arguments"),
    ("arguments/terms.py", "import exactdp.checker.kernel", "what replays arguments needs the standard library"),
    ("arguments/argument.py", "import numpy", "what replays arguments needs the standard library"),
    ("report/new.py", "from exactdp.analysis.privacy import is_private", "a report tells what was found, and asks nothing"),
    ("report/new.py", "import exactdp.lp.solve", "a report tells what was found, and searches nothing"),
    ("cellar/new.py", "import json", "the folder cellar is in no layer"),
    ("cli/new.py", "from exactdp.cli import newer", "in a circle: exactdp.cli.new, exactdp.cli.newer"),
]


@pytest.mark.mostly_slow(8)
@pytest.mark.parametrize(("file", "line", "fault"), BREAKS, ids=[f"{file}: {line}" for file, line, _ in BREAKS])
def test_a_broken_rule_is_reported(original, usual, tmp_path, file, line, fault):
    copy = shutil.copytree(original, tmp_path / "exactdp")
    (copy / file).parent.mkdir(exist_ok=True)
    (copy / file).write_text(f'"""New."""\n{line}\n')
    if "newer" in line:
        (copy / file).with_name("newer.py").write_text('"""Newer."""\n\n\ndef late():\n    import exactdp.cli.new\n')
    found = [said for said in faults(copy) if said not in usual]
    assert found
    assert all(fault in said for said in found), found


def test_kernel_imports_are_judged_one_by_one(original, tmp_path):
    copy = shutil.copytree(original, tmp_path / "exactdp")
    kernel = copy / "checker" / "kernel.py"
    kernel.write_text(kernel.read_text() + "\nimport exactdp.checker.fields\n")
    assert any("it must run without the files that only some claims need" in said for said in faults(copy))


def test_a_module_without_a_purpose_and_tests_without_a_room_are_reported(original, tmp_path):
    copy = shutil.copytree(original, tmp_path / "exactdp")
    (copy / "model" / "new.py").write_text("x = 1\n")
    (copy / "model" / "long.py").write_text(f'"""{"very " * 30}long."""\n')
    (tmp_path / "tests" / "attic").mkdir(parents=True)
    (tmp_path / "tests" / "attic" / "test_nothing.py").write_text("")
    found = faults(copy, tmp_path / "tests")
    assert "model/new.py does not say what it is for" in found
    assert "model/long.py: what it is for does not fit on one line of 110 columns" in found
    assert "tests/attic tests a folder that exactdp has not" in found
    assert "exactdp/model has no tests in tests/model" in found


def test_circles_are_found_whatever_their_length():
    ring = {str(i): {str((i + 1) % 5)} for i in range(5)} | {"5": {"0"}}
    assert circles(ring) == [["0", "1", "2", "3", "4"]]
    assert circles({"a": {"b"}, "b": set()}) == []


@pytest.mark.parametrize("name", sorted(p.name for p in (PACKAGE / "checker").glob("*.py") if p.name not in {"kernel.py", "__init__.py"}))
def test_a_file_beside_the_kernel_needs_only_it_and_the_files_before(name):
    module = name.removesuffix(".py")
    order = (*CORE, "kernel", *BESIDE)
    known = {f"exactdp.checker.{other}" for other in order[: order.index(module)]}
    for target, inside in imports(PACKAGE / "checker" / name, PACKAGE):
        if target.startswith("exactdp"):
            assert target in known or f"{target}.{inside}" in known
