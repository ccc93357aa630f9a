"""The public surface: every name is there, is documented, and loading it lazily hides nothing."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import exactdp

STUB = Path(exactdp.__file__).with_name("__init__.pyi")


def test_every_public_name_resolves_and_is_documented():
    for name in exactdp.__all__:
        thing = getattr(exactdp, name)
        assert thing.__doc__, name
    assert set(dir(exactdp)) == set(exactdp.__all__)


def test_the_names_are_those_of_the_stub_as_python_reads_it():
    named = {}
    for node in ast.parse(STUB.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                assert alias.name == alias.asname  # otherwise type checkers hide it
                assert alias.name not in named
                named[alias.name] = node.module
    assert sorted(named) == sorted(exactdp.__all__)
    for name, module in named.items():
        assert getattr(exactdp, name) is getattr(import_module(f"exactdp.{module}"), name)


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
