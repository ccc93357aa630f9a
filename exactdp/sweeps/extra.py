# SPDX-License-Identifier: MIT
"""The libraries of the extra ``sweep``, imported where they are needed; one clear sentence without them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from exactdp.errors import InputError

INSTALL = "pip install 'exactdp[sweep]'"
"""What to type where they are missing."""


def needed(module: str) -> Any:
    """A module of distributed, pyarrow or DuckDB.

    * raises InputError: it is not installed; the message says what to type.

    >>> needed("no_such_module")
    Traceback (most recent call last):
    exactdp.errors.InputError: many questions need the extra 'sweep', and no_such_module is missing: pip
    install 'exactdp[sweep]'
    """
    try:
        return import_module(module)
    except ImportError as error:
        name = (error.name or module).partition(".")[0]
        raise InputError(f"many questions need the extra 'sweep', and {name} is missing: {INSTALL}", module=module) from None
