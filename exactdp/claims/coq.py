# SPDX-License-Identifier: MIT
"""The Coq theorems that records name: stated in a file of ``proofs/coq``, put into words in ``theorems.toml``.

The words are for readers who compare a claim with a theorem without reading Coq. Whether Coq accepts the
files is for Coq to say.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from exactdp.errors import InputError

__all__ = ["CoqTheorem", "coq_theorems_in_words"]


@dataclass(frozen=True, slots=True)
class CoqTheorem:
    """A theorem of ``proofs/coq/FILE.v`` and what it says, in words."""

    name: str
    file: str
    says: str


def coq_theorems_in_words(folder: Path) -> Mapping[str, CoqTheorem]:
    """The theorems that ``folder/theorems.toml`` puts into words, by name.

    Parameters
    ----------
    folder : Path
        Has the Coq files and ``theorems.toml``: a table for each file, in it the words for each theorem.

    Returns
    -------
    mapping of str to CoqTheorem
        In the order of the file.

    Raises
    ------
    InputError
        A table names no Coq file, a theorem is not stated in its file, is without words, or has the name of another.

    Examples
    --------
    >>> from exactdp.claims import proofs_root
    >>> theorem = coq_theorems_in_words(proofs_root() / "coq")["geometric_private"]
    >>> print(f"{theorem.file}: {theorem.says}")
    Geometric: For all n ≥ 0 and 0 < a < 1, G(n, a) is a-private.
    """
    try:
        tables = tomllib.loads((folder / "theorems.toml").read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"coq/theorems.toml cannot be read: {error}") from None
    found: dict[str, CoqTheorem] = {}
    for file, words in tables.items():
        if not isinstance(words, dict) or not (folder / f"{file}.v").is_file():
            raise InputError(f"coq/theorems.toml: {file!r} is not a table for a Coq file coq/{file}.v", rule=file)
        stated = _stated((folder / f"{file}.v").read_text(encoding="utf-8"))
        for name, says in words.items():
            if name not in stated:
                raise InputError(f"coq/theorems.toml: coq/{file}.v states no theorem {name!r}", rule=name)
            if not isinstance(says, str) or not says.strip():
                raise InputError(f"coq/theorems.toml: {file}.{name} needs a text that says what the theorem states", rule=name)
            if name in found:
                raise InputError(f"coq/theorems.toml: {name!r} is a theorem of both {found[name].file} and {file}", rule=name)
            found[name] = CoqTheorem(name, file, " ".join(says.split()))
    return MappingProxyType(found)


def _stated(source: str) -> frozenset[str]:
    """The names that a Coq file states as theorems, outside its comments."""
    kept, depth = [], 0
    for part in re.split(r"(\(\*|\*\))", source):  # comments nest
        depth += {"(*": 1, "*)": -1}.get(part, 0)
        if depth == 0 and part != "*)":
            kept.append(part)
    pattern = r"^\s*(?:Theorem|Lemma|Corollary|Proposition|Fact|Remark)\s+([A-Za-z][A-Za-z0-9_']*)"
    return frozenset(re.findall(pattern, "".join(kept), re.MULTILINE))
