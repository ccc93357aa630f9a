"""Every public name of the package, shown by ``dir`` or not: those of its table, the stub."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import exactdp
from exactdp.stubs import names_of

HOMES = {name: module for module, names in names_of(exactdp.__file__).items() for name in names} | {"leakage": "analysis.leakage"}
"""Each name and where it lives; the topic leakage is a function, too."""

PUBLIC = sorted(HOMES)


def thing(name: str) -> Any:
    """What has a public name."""
    return getattr(import_module(f"exactdp.{HOMES[name]}"), name)
