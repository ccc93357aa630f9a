"""The public surface: every name is there, is documented, and loading it lazily hides nothing."""

from __future__ import annotations

import subprocess
import sys

import exactdp


def test_every_public_name_resolves_and_is_documented():
    for name in exactdp.__all__:
        thing = getattr(exactdp, name)
        assert thing.__doc__, name
    assert set(dir(exactdp)) == set(exactdp.__all__)


def test_homes_are_exactly_the_public_names():
    homes = [name for names in exactdp._HOMES.values() for name in names]
    assert sorted(homes) == sorted(exactdp.__all__)


def test_unknown_names_are_refused():
    assert not hasattr(exactdp, "nonsense")


def test_help_loads_no_numbers():
    code = "import sys, exactdp.cli; print([m for m in ('flint', 'sympy', 'highspy', 'matplotlib') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
