# SPDX-License-Identifier: MIT
"""The names of a package from its stub, ``__init__.pyi``, which type checkers and editors read.

So a name is written once. At run time lazy_loader loads it when it is first asked for (SPEC 1 of Scientific
Python). Its own reader of stubs parses them as Python, which takes longer than some commands, and knows no
``*``; these lines are simple.
"""

from __future__ import annotations

import os
import re

_LINE = re.compile(r"^from \.([\w.]+) import (?:(\w+) as \2|(\*))$", re.MULTILINE)
_ALL = re.compile(r"^__all__ = \[(.*?)\]", re.MULTILINE | re.DOTALL)


def names_of(file: str) -> dict[str, list[str]]:
    """The names that a package's stub lists, by the modules where they live.

    A line is ``from .module import name as name``, or ``from .module import *`` for what the module's own
    ``__all__`` has.

    Parameters
    ----------
    file : str
        The package's ``__init__.py``.

    Examples
    --------
    >>> import exactdp
    >>> found = names_of(exactdp.__file__)
    >>> "load" in found["certificate.loading"], "staircase" in found["mechanisms.staircase"]
    (True, True)
    """
    folder = os.path.dirname(file)
    found: dict[str, list[str]] = {}
    for module, name, star in _LINE.findall(_text(folder, "__init__.pyi")):
        found.setdefault(module, []).extend(_listed(folder, module) if star else [name])
    return found


def _listed(folder: str, module: str) -> list[str]:
    """The names in a module's ``__all__``, which is not imported for that."""
    listed = _ALL.search(_text(folder, *module.split("."), suffix=".py"))
    if listed is None:
        raise ImportError(f"the stub takes all names of .{module}, which has no __all__")
    return re.findall(r'"(\w+)"', listed[1])


def _text(folder: str, *parts: str, suffix: str = "") -> str:
    with open(os.path.join(folder, *parts) + suffix, encoding="utf-8") as stream:
        return stream.read()
