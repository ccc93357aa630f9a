# SPDX-License-Identifier: MIT
"""A certificate as an object: claim, definitions, witness, and the bytes and digest of SPEC.md §6."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["FORMAT", "VERSION", "Certificate", "write_text"]

FORMAT = "exactdp-certificate"
VERSION = "0.2"


@dataclass(frozen=True, slots=True)
class Certificate:
    """One claim with its definitions and witness, ready to be written.

    Parameters
    ----------
    claim, definitions, witness : dict
        JSON objects as SPEC.md §3–4 describes them.
    provenance : dict of str to str, optional
        Who made it and how; untrusted and outside the digest.
    """

    claim: dict[str, Any]
    definitions: dict[str, Any]
    witness: dict[str, Any]
    provenance: dict[str, str] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """The kind of claim, such as ``"optimal"``."""
        return str(self.claim["kind"])

    @property
    def digest(self) -> str:
        """``sha256:`` and the hash of everything but the provenance."""
        canonical = json.dumps(self._theorem(), sort_keys=True, separators=(",", ":"))
        return "sha256:" + hashlib.sha256(canonical.encode("ascii")).hexdigest()

    def _theorem(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": VERSION,
            "claim": self.claim,
            "definitions": self.definitions,
            "witness": self.witness,
        }

    def to_json(self) -> str:
        """The text of the certificate file: one key of the top level a line, for people who look at differences."""
        body = {**self._theorem(), "provenance": self.provenance, "digest": self.digest}
        lines = [f"{json.dumps(key)}: {json.dumps(value, separators=(', ', ': '))}" for key, value in body.items()]
        return "{\n" + ",\n".join(lines) + "\n}\n"

    def write(self, path: str | Path) -> Path:
        """Write the file whole or not at all."""
        return write_text(Path(path), self.to_json())


def write_text(path: Path, text: str) -> Path:
    """Write ``text`` to ``path`` whole or not at all, whatever interrupts: a temporary file beside it is renamed at the end."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise
    return path
