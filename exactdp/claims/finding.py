# SPDX-License-Identifier: MIT
"""What a replay function returns, and what it is given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from exactdp.analysis import Verdict
from exactdp.claims.record import Status
from exactdp.errors import InputError
from exactdp.exact import ExactMatrix, Rational

__all__ = ["Finding", "Printed"]


@dataclass(frozen=True, slots=True)
class Finding:
    """The status that a computation found, the sentence that says why, and the verdicts to certify (by certificate name).

    A statement for all n is never found true here. The most a computation of instances finds is
    :attr:`Status.HOLDS`, which agrees with a record that names a Coq theorem, a replayed argument or prose.
    """

    status: Status
    detail: str
    verdicts: Mapping[str, Verdict[Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Printed:
    """A paper's tables, exactly as printed: ``tables/NAME.csv`` in its folder."""

    folder: Path

    def table(self, name: str) -> ExactMatrix:
        """The entries of one table, without any check."""
        file = self.folder / "tables" / f"{name}.csv"
        if not file.is_file():
            raise InputError(f"the table {name!r} is missing from {self.folder.name}/tables", table=name)
        lines = file.read_text(encoding="utf-8").split()
        return ExactMatrix([[Rational(cell) for cell in line.split(",")] for line in lines])
