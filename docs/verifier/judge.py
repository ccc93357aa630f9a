# SPDX-License-Identifier: MIT
"""What the page's worker asks its Python: judge the bytes of a file as ``exactdp verify`` does.

Like there, the trusted files are compiled from their bytes, run on the standard library alone, and decide
by themselves; nothing is checked here. Of the rest of exactdp one file is here, which makes text printable.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from exactdp.errors import printable

CHECKER = Path("/checker")
"""Where the worker puts the trusted files."""

MOST_BYTES_OF_ARGUMENTS = 2**20


def load(*names: str) -> None:
    """Run trusted files, each once."""
    for name in names:
        full = f"exactdp.checker.{name}"
        if full in sys.modules:
            continue
        path, module = CHECKER / f"{name}.py", ModuleType(full)
        source = path.read_bytes()
        vars(module).update(__file__=str(path), __source_digest__=f"sha256:{hashlib.sha256(source).hexdigest()}")
        sys.modules[full] = module
        exec(compile(source, str(path), "exec", dont_inherit=True), vars(module))


def is_argument(data: bytes) -> bool:
    """Whether the file says at its top that it is a replayed argument.

    >>> is_argument(b'{"format": "exactdp-argument"}'), is_argument(b"{")
    (True, False)
    """
    try:
        value = json.loads(data) if len(data) <= MOST_BYTES_OF_ARGUMENTS else None
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and value.get("format") == "exactdp-argument"


def judge(data: bytes, folder: str | None) -> dict[str, Any]:
    """The checker's answer, its sentences in one printable line, and the digests of the files that it used.

    Parameters
    ----------
    data : bytes
        A certificate, or a replayed argument.
    folder : str or None
        Where the files are that an argument needs; None for a certificate.
    """
    load("kernel")
    if folder is None:
        answer = sys.modules["exactdp.checker.kernel"].check_bytes(data)
    else:
        load("terms", "evaluation", "argument")
        answer = sys.modules["exactdp.checker.argument"].check_bytes(data, Path(folder))
    trusted = {
        Path(str(module.__file__)).name: vars(module)["__source_digest__"]
        for name, module in sorted(sys.modules.items())
        if name.startswith("exactdp.checker.")
    }
    said = {name: printable(text) if isinstance(text, str) else text for name, text in vars(answer).items()}
    return {**said, "exit_code": answer.exit_code, "trusted": trusted}
