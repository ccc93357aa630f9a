# SPDX-License-Identifier: MIT
"""All certificates of a folder re-checked in parallel by the independent checker, and compared with the rows.

Each checker is a process of its own that runs the trusted files with the standard library alone
(:mod:`exactdp.certificate.verification`). A file that is accepted under a name with another digest is not the
certificate that a row names, and counts as rejected. So does one that a row names which says something else
(:mod:`exactdp.sweeps.agreement`).
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from exactdp.certificate.verification import Checked, answers
from exactdp.errors import InputError
from exactdp.sweeps.agreement import Row, disagreement, rows_by_certificate
from exactdp.sweeps.extra import needed
from exactdp.sweeps.index import read_index
from exactdp.sweeps.store import CERTIFICATES, ENDING, INDEX, PARTS, certificate_name, whole_parts

SHARE = 200
"""Files that one checker is given at a time."""

REJECTED = 1
"""The exit code of what is not what it says."""


@dataclass(frozen=True, slots=True)
class FolderChecked:
    """What the checker says of all certificates of a folder.

    Attributes
    ----------
    folder : str
        Its name.
    files : int
        How many certificates were checked.
    accepted : int
        How many of them the checker accepts, under their right names.
    others : tuple of Checked
        Those that it does not, those that have the name of another, and those that prove something else
        than a row that names them says.
    rows : int or None
        How many rows name a certificate; None where there are none, or they can't be read without the extra.
    missing : tuple of str
        Names of certificates that a row names and that are not there.
    extra : tuple of str
        Names of certificates that no row names; they are harmless.
    without : int
        How many rows are proved or refuted and name no certificate: nobody can check them.
    """

    folder: str
    files: int
    accepted: int
    others: tuple[Checked, ...]
    rows: int | None
    missing: tuple[str, ...]
    extra: tuple[str, ...]
    without: int = 0

    @property
    def exit_codes(self) -> list[int]:
        """That of each thing that is wrong; empty if all is well."""
        return [checked.exit_code for checked in self.others] + [REJECTED] * bool(self.missing)

    def __str__(self) -> str:
        counts = Counter(checked.status for checked in self.others)
        words = [f"{self.accepted} accepted", *(f"{count} {status}" for status, count in sorted(counts.items()))]
        told = f"{self.folder}: {self.files} certificates: {', '.join(words)}"
        if self.rows is None:
            return f"{told}; not compared with rows: there are none that can be read"
        more = [f"{len(self.missing)} missing"] if self.missing else []
        more += [f"{len(self.extra)} that no row names"] if self.extra else []
        more += [f"{self.without} proved or refuted without one"] if self.without else []
        return f"{told}; {self.rows} rows name one" + "".join(f", {word}" for word in more)


def verify_folder(
    folder: str | Path, *, workers: int | None = None, told: Callable[[int, int], object] = lambda done, total: None
) -> FolderChecked:
    """Re-check all certificates of a folder, in parallel.

    Parameters
    ----------
    folder : str or Path
        Of a sweep, or any folder with files ``*.edp.json``.
    workers : int, optional
        Checkers at a time; as many as there are cores unless given.
    told : callable
        Called with how many files are checked and how many there are; what it raises ends it.

    Raises
    ------
    InputError
        There is no such folder, or no certificate in it.
    """
    place = Path(folder)
    inside = place / CERTIFICATES if (place / CERTIFICATES).is_dir() else place
    if not inside.is_dir():
        raise InputError(f"there is no directory {str(folder)!r}", folder=folder)
    files = sorted(path for path in inside.glob(f"*{ENDING}") if not path.name.startswith("."))
    read = _named(place)
    named, without = read or (None, 0)
    if not files and not named:
        raise InputError(f"there is no certificate (*{ENDING}) in {str(inside)!r}", folder=folder)
    names = {path.name for path in files}
    others, done = list[Checked](), 0
    told(0, len(files))
    for found in _in_parallel(files, workers or os.cpu_count() or 1):
        for checked in found:
            done += 1
            said = _as_its_rows_say(_under_its_name(checked), named or {}) if inside != place else checked
            others += [] if said.accepted else [said]
            told(done, len(files))
        told(done, len(files))
    others.sort(key=lambda checked: checked.file)
    missing = () if named is None else tuple(sorted(named.keys() - names))
    extra = () if named is None else tuple(sorted(names - named.keys()))
    rows = None if named is None else sum(map(len, named.values()))
    return FolderChecked(str(folder), len(files), len(files) - len(others), tuple(others), rows, missing, extra, without)


def _in_parallel(files: Sequence[Path], workers: int) -> Iterator[list[Checked]]:
    """The answers, share by share: each thread talks to a checker's process of its own."""
    shares = [files[k : k + SHARE] for k in range(0, len(files), SHARE)]
    with ThreadPoolExecutor(workers) as pool:
        pending = {pool.submit(lambda share: [checked for checked, _ in answers(share)], share) for share in shares}
        try:
            while pending:
                done, pending = wait(pending, timeout=0.5, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
                if not done:
                    yield []
        finally:
            for future in pending:
                future.cancel()


def _under_its_name(checked: Checked) -> Checked:
    """The answer; rejected if the file has the name of another certificate."""
    if not checked.accepted or checked.digest is None or Path(checked.file).name == certificate_name(checked.digest):
        return checked
    sentence = f"its digest is {checked.digest}, and its name says another one"
    return replace(checked, status="rejected", sentence=sentence, exit_code=REJECTED)


def _as_its_rows_say(checked: Checked, named: Mapping[str, Sequence[Row]]) -> Checked:
    """The answer; rejected if a row that names the file says something else."""
    rows = named.get(Path(checked.file).name, ())
    if not checked.accepted or not rows:
        return checked
    certificate = json.loads(Path(checked.file).read_bytes())
    for row in rows:
        other = disagreement(row, certificate)
        if other is not None:
            return replace(checked, status="rejected", sentence=f"row {row.question}: {other}", exit_code=REJECTED)
    return checked


def _named(folder: Path) -> tuple[dict[str, list[Row]], int] | None:
    """The rows that name each certificate, in the index and in the parts; how many decided rows name none.

    None where no rows can be read.
    """
    with_parts, with_index = (folder / PARTS).is_dir(), (folder / INDEX).is_file()
    try:
        needed("pyarrow")
    except InputError:
        return None
    tables: list[Any] = [*(whole_parts(folder) if with_parts else ()), *([read_index(folder / INDEX)] if with_index else ())]
    if not tables:
        return None
    found: dict[str, list[Row]] = {}
    bare: set[Row] = set()
    for table in tables:
        named, without = rows_by_certificate(table)
        bare.update(without)
        for digest, rows in named.items():
            seen = found.setdefault(certificate_name(digest), [])
            seen += [row for row in rows if row not in seen]
    return found, len(bare)
