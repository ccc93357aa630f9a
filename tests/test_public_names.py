"""The public surface: every name is there, is documented, and loading it lazily hides nothing."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import exactdp
from exactdp.stubs import names_of

STUB = Path(exactdp.__file__).with_name("__init__.pyi")


def test_every_public_name_resolves_and_is_documented():
    for name in exactdp.__all__:
        thing = getattr(exactdp, name)
        assert thing.__doc__, name
    assert set(dir(exactdp)) == set(exactdp.__all__)


PACKAGES = sorted(path.parent.relative_to(STUB.parent).as_posix() for path in STUB.parent.rglob("__init__.pyi"))


def as_python_reads_it(package: str) -> dict[str, str]:
    """The names of a stub with their modules, its ``*`` by what the module itself says."""
    base = "exactdp" if package == "." else f"exactdp.{package.replace('/', '.')}"
    named: dict[str, str] = {}
    for node in ast.parse((STUB.parent / package / "__init__.pyi").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            module = f"{base}.{node.module}"
            assert node.level == 1
            for alias in node.names:
                names = import_module(module).__all__ if alias.name == "*" else [alias.name]
                assert alias.name == "*" or alias.name == alias.asname  # otherwise type checkers hide it
                assert not named.keys() & set(names)
                named |= dict.fromkeys(names, module)
    return named


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_has_the_names_of_its_stub(package):
    """Those that Python reads in it, what exactdp/stubs.py makes of it, and what is there, are the same."""
    found = import_module("exactdp" if package == "." else f"exactdp.{package.replace('/', '.')}")
    named = as_python_reads_it(package)
    assert {name for names in names_of(found.__file__).values() for name in names} == set(named)
    assert set(dir(found)) >= set(named)
    assert sorted(found.__all__) == sorted(named)
    for name, module in named.items():
        assert getattr(found, name) is getattr(import_module(module), name)


def test_all_lines_of_a_stub_are_read(tmp_path):
    (tmp_path / "__init__.pyi").write_text("# names\nfrom .a import x as x\nfrom .b.c import *\n\n__version__: str\n")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c.py").write_text('__all__ = [\n    "y",\n    "z",\n]\n')
    assert names_of(str(tmp_path / "__init__.py")) == {"a": ["x"], "b.c": ["y", "z"]}
    (tmp_path / "b" / "c.py").write_text("def y(): ...\n")
    with pytest.raises(ImportError, match=r"b\.c, which has no __all__"):
        names_of(str(tmp_path / "__init__.py"))


@pytest.mark.parametrize(
    "name",
    [
        "joint",
        "posteriors",
        "Hyper",
        "earth_move",
        "uncertainty",
        "vulnerability",
        "additive_leakage",
        "multiplicative_leakage",
        "is_refined_by",
        "refinement_order",
    ],
)
def test_channels_and_losses_are_public_and_have_an_example(name):
    thing = getattr(exactdp, name)
    assert ">>>" in thing.__doc__
    assert "Parameters" in thing.__doc__


def test_unknown_names_are_refused():
    assert not hasattr(exactdp, "nonsense")
    with pytest.raises(AttributeError, match="nonsense"):
        exactdp.nonsense  # noqa: B018


def test_help_loads_no_numbers():
    code = "import sys, exactdp.cli; print([m for m in ('flint', 'sympy', 'highspy', 'matplotlib') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
