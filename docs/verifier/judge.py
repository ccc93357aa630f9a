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

CHECKER = ("checker", "kernel")
"""The folder of the trusted files, where the worker puts them, and those that are run first."""

ARGUMENTS = ("arguments", "reading", "terms", "evaluation", "scope", "proof_steps", "argument")
"""The folder of what replays arguments, which is not trusted, and its files in their order."""

BUNDLES = (
    "certificate",
    *("bundle_files", "bundle_reading", "bundle_tables", "bundle_words", "page_one", "page_one_formats", "compare_claim"),
    *("page_one_sources", "compare_numbers", "compare_described", "compare_lines", "compare_consumers", "compare_remaps"),
    *("compare_printed", "compare_reading", "compare_neighbours", "compare_parts", "compare_requirements", "compare_command"),
    *("compare_privacy", "compare_page_one", "compare_law", "check_bundle"),
)
"""The folder of the program that checks bundles, and its files, each after those that it imports."""

MOST_BYTES_OF_ARGUMENTS = 2**20


def load(program: tuple[str, ...]) -> ModuleType:
    """Run the files of a program, each once; the last of them answers."""
    folder, *names = program
    for name in names:
        full = f"exactdp.{folder}.{name}"
        if full in sys.modules:
            continue
        path, module = Path(f"/{folder}/{name}.py"), ModuleType(full)
        source = path.read_bytes()
        vars(module).update(__file__=str(path), __source_digest__=f"sha256:{hashlib.sha256(source).hexdigest()}")
        sys.modules[full] = module
        exec(compile(source, str(path), "exec", dont_inherit=True), vars(module))
    return sys.modules[f"exactdp.{folder}.{names[-1]}"]


def is_argument(data: bytes) -> bool:
    """Whether the file says at its top that it is an argument.

    >>> is_argument(b'{"format": "exactdp-argument"}'), is_argument(b"{")
    (True, False)
    """
    try:
        value = json.loads(data) if len(data) <= MOST_BYTES_OF_ARGUMENTS else None
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and value.get("format") == "exactdp-argument"


def is_bundle(data: bytes) -> bool:
    """Whether the file is a zip, as bundles are.

    >>> is_bundle(b"PK"), is_bundle(b"{}")
    (True, False)
    """
    return data[:2] == b"PK"


def judge_bundle(place: str) -> dict[str, Any]:
    """The answer about the bundle of an audit, a folder or a zip of the worker's files."""
    load(CHECKER)
    program = load(BUNDLES)
    found = program.answer(place)
    lines = [*(f"{fault['name']}: {fault['sentence']}" for fault in found["faults"]), found["sentence"], *found["notes"]]
    return {
        "status": found["status"],
        "sentence": printable(". ".join(lines)),
        "digest": found["manifest"] or None,
        "exit_code": found["exit_code"],
        "trusted": {**_digests("checker"), **_digests("certificate")},
        "bundle": True,
    }


def _digests(folder: str) -> dict[str, str]:
    """The digests of the files of a program that ran."""
    return {
        Path(str(module.__file__)).name: vars(module)["__source_digest__"]
        for name, module in sorted(sys.modules.items())
        if name.startswith(f"exactdp.{folder}.")
    }


def judge(data: bytes, folder: str | None) -> dict[str, Any]:
    """The answer about a file, its sentences in one printable line, and the digests of the files that ran.

    Parameters
    ----------
    data : bytes
        A certificate, or an argument.
    folder : str or None
        Where the files are that an argument needs; None for a certificate.
    """
    program = CHECKER if folder is None else ARGUMENTS
    given = () if folder is None else (Path(folder),)
    answer = load(program).check_bytes(data, *given)
    said = {name: printable(text) if isinstance(text, str) else text for name, text in vars(answer).items()}
    return {**said, "exit_code": answer.exit_code, "trusted": _digests(program[0])}
