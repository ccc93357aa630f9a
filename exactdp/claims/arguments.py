# SPDX-License-Identifier: MIT
"""The replayed arguments of a paper: every file under ``arguments/`` is found, checked, and its statements shown."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from exactdp.checker import argument
from exactdp.claims.record import Claim, Paper, proofs_root
from exactdp.errors import InputError

__all__ = ["argument_files", "coq_theorems", "statements", "theorems", "unproved"]


def argument_files(folder: Path) -> list[Path]:
    """The argument files of a paper's folder, in the order of their names.

    >>> [file.stem for file in argument_files(proofs_root() / "gupte-sundararajan")][:2]
    ['chain', 'determinants']
    """
    return sorted((folder / "arguments").glob("*.json"))


def theorems(file: Path) -> Mapping[str, str]:
    """What an argument file states, replayed now: each theorem's statement in words, by its name.

    Raises
    ------
    InputError
        The checker does not accept the file; the message names the step.
    """
    answer = argument.check_bytes(file.read_bytes(), file.parent)
    if answer.status != "accepted":
        raise InputError(f"{file.name} is {answer.status}: {answer.sentence}", argument=file.name)
    return statements(file)


def statements(file: Path) -> Mapping[str, str]:
    """The statements of an argument file as it writes them, without a check."""
    data: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return {theorem["name"]: argument.in_words(theorem) for theorem in data["theorems"]}


def unproved(record: Paper, claim: Claim, replayed: dict[Path, Mapping[str, str] | str]) -> str | None:
    """The first of a claim's theorems that is not replayed or not stated, or None; ``replayed`` remembers the files already checked."""
    for name in claim.argument:
        stem, theorem = name.split(".")
        file = record.folder / "arguments" / f"{stem}.json"
        if file not in replayed:
            try:
                replayed[file] = theorems(file)
            except InputError as error:
                replayed[file] = str(error)
        found = replayed[file]
        if isinstance(found, str):
            return found
        if theorem not in found:
            return f"{file.name} states no theorem {theorem!r}"
    stated = coq_theorems(record.folder.parent / "coq")
    for theorem in claim.coq:
        if theorem not in stated:
            return f"proofs/coq states no theorem {theorem!r}"
    return None


def coq_theorems(folder: Path) -> frozenset[str]:
    """The names of the theorems that the Coq files of a folder state (of ``proofs/coq`` if there is no such folder).

    Stated only: whether Coq accepts them is for Coq to say.
    """
    pattern = re.compile(r"^\s*(?:Theorem|Lemma|Corollary|Proposition|Fact|Remark)\s+([A-Za-z][A-Za-z0-9_']*)", re.MULTILINE)
    files = (folder if folder.is_dir() else proofs_root() / "coq").glob("*.v")
    return frozenset(name for file in files for name in pattern.findall(file.read_text(encoding="utf-8")))
