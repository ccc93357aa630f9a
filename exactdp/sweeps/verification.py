# SPDX-License-Identifier: MIT
"""All certificates of a folder re-checked in parallel by the independent checker, and compared.

Each checker is a process of its own that runs the trusted files with the standard library alone
(:mod:`exactdp.certificate.verification`). Each file is read once: the bytes that were checked are those that
are compared. A file that is accepted under a name with another digest is not the certificate that a row
names, and counts as rejected. So does one that a row names which says something else
(:mod:`exactdp.sweeps.agreement`), and one that is not what the folder's manifest expects
(:mod:`exactdp.certificate.manifest`). Arguments are replayed, and counted by themselves. Whatever else is in
the folder is named: it was not looked at.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from exactdp.certificate.bundle_files import sha256
from exactdp.certificate.laws import digest_of_claim
from exactdp.certificate.manifest import ENDING, MANIFEST, Manifest, table_digest, table_of
from exactdp.certificate.verification import MOST_BYTES, MOST_BYTES_OF_ARGUMENTS, Checked, answers, is_argument
from exactdp.errors import ExactDPError, InputError
from exactdp.sweeps.agreement import DECIDED, Row, disagreement, fault_without, rows_by_certificate
from exactdp.sweeps.extra import needed
from exactdp.sweeps.index import newest_rows, read_index
from exactdp.sweeps.store import CERTIFICATES, INDEX, LOCK, PARTS, PLANS, certificate_name, whole_parts
from exactdp.sweeps.threads import Threads

SHARE, SHARE_BYTES = 200, 2**26
"""Files that one checker is given at a time, and their bytes, which are kept until they are compared."""

REJECTED, LIMIT = 1, 4
"""The exit codes of what is not what it says, and of what nobody has looked at."""

NAMED = 10
"""So many things are named in the sentence; all are in JSON."""

HOW = ("message", "seconds", "memory", "versions")
"""The columns that tell how an answer was made."""

_NAMED_BY_DIGEST = re.compile(f"[0-9a-f]{{64}}{re.escape(ENDING)}")


@dataclass(frozen=True, slots=True)
class FolderChecked:
    """What the checker says of all certificates of a folder, and what became of its arguments.

    * ``folder``: its name.
    * ``files``: how many certificates were checked.
    * ``accepted``: how many of them the checker accepts, under their right names.
    * ``others``: those that it does not, those that have the name of another, those that prove something else
      than a row that names them says, and those that the manifest does not expect; and arguments that are not
      replayed, or that stand where a certificate is expected.
    * ``rows``: how many rows name a certificate; None where there are none, or they can't be read without the
      extra.
    * ``missing``: names of certificates that a row or the manifest names and that are not there.
    * ``extra``: names of certificates that no row names; they are harmless.
    * ``without``: how many rows are proved or refuted and name no certificate: nobody can check them.
    * ``not_seen``: what is in the folder and was not looked at, each with the reason.
    * ``not_compared``: the columns of which no certificate says anything, and in how many rows there is
      something.
    * ``open_rows``: how many rows have no verdict, and claim nothing but bounds.
    * ``manifest``: what is expected in the folder, if that is written there.
    * ``about``: how many certificates are about the manifest's table.
    * ``arguments``, ``replayed``: how many files are arguments, and how many of these were replayed.
    """

    folder: str
    files: int
    accepted: int
    others: tuple[Checked, ...]
    rows: int | None
    missing: tuple[str, ...]
    extra: tuple[str, ...]
    without: int = 0
    not_seen: tuple[str, ...] = ()
    not_compared: Mapping[str, int] = field(default_factory=dict)
    open_rows: int = 0
    manifest: Manifest | None = None
    about: int = 0
    arguments: int = 0
    replayed: int = 0

    @property
    def exit_codes(self) -> list[int]:
        """That of each thing that is wrong; if nothing is, that of what was not looked at; else none."""
        wrong = [checked.exit_code for checked in self.others] + [REJECTED] * bool(self.missing)
        return wrong or [LIMIT] * (bool(self.not_seen) or self.without > 0)

    def __str__(self) -> str:
        counts = Counter(checked.status for checked in self.others)
        kinds = f"{self.files} certificates" + (f" and {self.arguments} arguments" if self.arguments else "")
        held = [f"{self.accepted} accepted", *([f"{self.replayed} replayed"] if self.arguments else [])]
        words = [*held, *(f"{count} {status}" for status, count in sorted(counts.items()))]
        told = f"{self.folder}: {kinds}: {', '.join(words)}"
        missing = [f"{len(self.missing)} missing"] if self.missing else []
        return "; ".join([told, *self._of_rows(missing), *self._of_manifest(missing), *self._nothing(), *self._left_out()])

    def _of_rows(self, missing: list[str]) -> list[str]:
        """What the rows say."""
        if self.rows is None:
            return []
        more = [*missing, *([f"{len(self.extra)} that no row names"] if self.extra else [])]
        more += [f"{self.without} proved or refuted without one"] if self.without else []
        more += [f"{self.open_rows} without a verdict, not compared"] if self.open_rows else []
        columns = [*(f"{name} ({count})" for name, count in self.not_compared.items()), *HOW]
        return [", ".join([f"{self.rows} rows name one", *more]), f"no certificate says, so not compared: {', '.join(columns)}"]

    def _of_manifest(self, missing: list[str]) -> list[str]:
        """What the manifest says."""
        if self.manifest is None:
            return []
        known = self.manifest
        what = [f"{len(known.certificates)} expected by {MANIFEST} ({known.digest})", *missing]
        found = [", ".join(what), f"{self.about} about {known.name}, whose table is {known.table}"]
        return [*found, f"parts without a certificate: {', '.join(known.without)}"] if known.without else found

    def _nothing(self) -> list[str]:
        """That nothing says what is expected."""
        nothing = self.rows is None and self.manifest is None
        return ["compared with nothing: no rows that can be read and no manifest say what is expected here"] if nothing else []

    def _left_out(self) -> list[str]:
        """What was not looked at."""
        if not self.not_seen:
            return []
        more = len(self.not_seen) - NAMED
        named = [*self.not_seen[:NAMED], *([f"and {more} more"] if more > 0 else [])]
        return [f"{len(self.not_seen)} not looked at: {', '.join(named)}"]


def verify_folder(
    folder: str | Path, *, workers: int | None = None, told: Callable[[int, int], object] = lambda done, total: None
) -> FolderChecked:
    """Re-check all certificates of a folder, and replay its arguments, in parallel.

    * ``folder``: of a sweep or an audit, or any folder with files ``*.edp.json``, or arguments.
    * ``workers``: checkers at a time; as many as there are cores unless given.
    * ``told``: called with how many files are checked and how many there are; what it raises ends it.
    * raises InputError: there is no such folder, or no certificate and no argument in it, or its manifest is
      none.
    """
    place = Path(folder)
    inside = place / CERTIFICATES if (place / CERTIFICATES).is_dir() else place
    if not inside.is_dir():
        raise InputError(f"there is no directory {str(folder)!r}", folder=folder)
    certificates = sorted(path for path in inside.glob(f"*{ENDING}") if not path.name.startswith(".") and not path.is_dir())
    files = sorted([*certificates, *_arguments(inside)])
    rows, manifest = _Rows(place), _manifest(inside)
    expected = {} if manifest is None else manifest.certificates
    if not files and not rows.named and not expected:
        raise InputError(f"there is no certificate (*{ENDING}) in {str(inside)!r}", folder=folder)
    names = {path.name for path in certificates}
    others, done, about = list[Checked](), 0, 0
    arguments = accepted = replayed = 0
    told(0, len(files))
    for found in _in_parallel(files, workers or os.cpu_count() or 1):
        for checked, data in found:
            done += 1
            arguments += is_argument(data)
            said = _as_its_rows_say(_under_its_name(checked), data, rows.named)
            if manifest is not None:
                said = _as_expected(said, data, manifest)
                about += said.accepted and _is_about(data, manifest)
            accepted += said.accepted
            replayed += said.replayed
            others += [] if said.accepted or said.replayed else [said]
            told(done, len(files))
        told(done, len(files))
    others.sort(key=lambda checked: checked.file)
    others += [Checked(str(path), "rejected", said, None, None, None, None, REJECTED) for path, said in rows.faults]
    if manifest is not None and expected and not about:
        reason = f"no certificate that is expected and accepted is about {manifest.name}, whose table is {manifest.table}"
        others.append(Checked(str(inside / MANIFEST), "rejected", reason, None, None, None, None, REJECTED))
    seen = {*files, *rows.files, *([] if manifest is None else [inside / MANIFEST])}
    return FolderChecked(
        str(folder),
        files=len(files) - arguments,
        accepted=accepted,
        others=tuple(others),
        rows=rows.count,
        missing=tuple(sorted((rows.named.keys() | expected.keys()) - names)),
        extra=() if rows.count is None else tuple(sorted(names - rows.named.keys())),
        without=rows.without,
        not_seen=tuple(_not_seen(place, inside, seen, rows.unread)),
        not_compared=rows.not_compared,
        open_rows=rows.undecided,
        manifest=manifest,
        about=about,
        arguments=arguments,
        replayed=replayed,
    )


def _arguments(folder: Path) -> Iterator[Path]:
    """The files of a folder that are arguments, under any name of JSON but that of a certificate."""
    for path in folder.glob("*.json"):
        if path.name.startswith(".") or path.name.endswith(ENDING) or not path.is_file():
            continue
        try:
            with path.open("rb") as stream:
                data = stream.read(MOST_BYTES_OF_ARGUMENTS + 1)
        except OSError:  # it is named among what was not looked at
            continue
        if is_argument(data):
            yield path


def _in_parallel(files: Sequence[Path], workers: int) -> Iterator[list[tuple[Checked, bytes]]]:
    """The answers with the bytes they are about, share by share: each thread has a checker's process."""
    with Threads(workers) as threads:
        pending = {threads.submit(partial(_answered, share)) for share in _shares(files)}
        while pending:
            done = threads.wait(pending, 0.5)
            pending -= done
            for task in done:
                yield task.result()
            if not done:
                yield []


def _answered(share: Sequence[Path]) -> list[tuple[Checked, bytes]]:
    return list(answers(share))


def _shares(files: Sequence[Path]) -> Iterator[list[Path]]:
    """The files in shares of a bounded number, and of bounded size if they are as large as they say."""
    share, size = list[Path](), 0
    for path in files:
        try:
            more = path.stat().st_size
        except OSError:  # which is told when it is read
            more = 0
        if share and (len(share) == SHARE or size + more > SHARE_BYTES):
            yield share
            share, size = [], 0
        share.append(path)
        size += more
    if share:
        yield share


def _rejected(checked: Checked, sentence: str) -> Checked:
    return replace(checked, status="rejected", sentence=sentence, exit_code=REJECTED)


def _under_its_name(checked: Checked) -> Checked:
    """The answer; rejected if the file has a digest for a name, and it is another certificate's."""
    name = Path(checked.file).name
    by_digest = _NAMED_BY_DIGEST.fullmatch(name) is not None
    if not (checked.accepted or checked.replayed) or not by_digest or (checked.digest and name == certificate_name(checked.digest)):
        return checked
    return _rejected(checked, f"its digest is {checked.digest}, and its name says another one")


def _as_its_rows_say(checked: Checked, data: bytes, named: Mapping[str, Sequence[Row]]) -> Checked:
    """The answer; rejected if a row that names the file says something else than these bytes."""
    rows = named.get(Path(checked.file).name, ())
    if not (checked.accepted or checked.replayed) or not rows:
        return checked
    if is_argument(data):
        return _rejected(checked, "a row names it, and it is an argument, no certificate")
    certificate = json.loads(data.decode())
    for row in rows:
        other = disagreement(row, certificate)
        if other is None and row.digest != checked.digest:
            other = f"the row has the digest {row.digest}, the certificate {checked.digest}"
        if other is None and row.size != str(len(data)):
            other = f"the row has {row.size or 'no'} bytes, the certificate {len(data)}"
        if other is None and row.claim != checked.sentence:
            other = "its sentence (claim) is not the one that the checker says of the certificate"
        if other is not None:
            return _rejected(checked, f"row {row.question}: {other}")
    return checked


def _manifest(folder: Path) -> Manifest | None:
    """What is expected in a folder; None where that is not written there."""
    path = folder / MANIFEST
    if not path.is_file():
        return None
    with path.open("rb") as stream:
        return Manifest.read(stream.read(MOST_BYTES))


def _as_expected(checked: Checked, data: bytes, manifest: Manifest) -> Checked:
    """The answer; rejected if the manifest expects another certificate under this name, or none."""
    expected = manifest.certificates.get(Path(checked.file).name)
    if checked.replayed:
        return _rejected(checked, f"{MANIFEST} expects certificates alone, and it is an argument")
    if not checked.accepted:
        return checked
    if checked.digest == expected and sha256(data) not in manifest.contents:
        return _rejected(checked, f"{MANIFEST} expects other bytes; what differs is not in its digest, such as its provenance")
    if checked.digest == expected:
        return checked
    if expected is None:
        return _rejected(checked, f"{MANIFEST} expects no certificate of this name")
    return _rejected(checked, f"its digest is {checked.digest}, and {MANIFEST} expects {expected}")


def _is_about(data: bytes, manifest: Manifest) -> bool:
    """Whether the claim of these bytes, an accepted certificate, is about the manifest's table."""
    if is_argument(data):
        return False
    try:
        certificate = json.loads(data.decode())
        table = table_of(certificate)
        digest = digest_of_claim(certificate) if table is None else table_digest(table)
        return digest == manifest.table
    except ExactDPError:  # several tables, or one that is too large to be read again
        return False


class _Rows:
    """The rows of a sweep, in the index and in the parts.

    Attributes
    ----------
    named : dict of str to list of Row
        Those that name a certificate, by the name of its file.
    count : int or None
        How many these are; None where no rows can be read.
    without, undecided : int
        How many decided rows name none, and how many rows have no verdict.
    not_compared : dict of str to int
        In how many rows there is something in a column of which no certificate says anything.
    faults : list of (Path, str)
        What is wrong with rows that name none, and where they are.
    files : set of Path
        Those that were read.
    unread : dict of Path to str
        Those that were not, each with the reason.
    """

    def __init__(self, folder: Path) -> None:
        self.named: dict[str, list[Row]] = {}
        self.count: int | None = None
        self.without = self.undecided = 0
        self.not_compared: Counter[str] = Counter()
        self.faults: list[tuple[Path, str]] = []
        self.unread: dict[Path, str] = {}
        parts, index = sorted((folder / PARTS).glob("[0-9]*.parquet")), folder / INDEX
        self.files = {*parts, *([index] if index.is_file() else [])}
        try:
            needed("pyarrow")
        except InputError as error:
            self.unread, self.files = dict.fromkeys(self.files, error.message), set()
            return
        lost: list[Path] = []
        tables: list[tuple[Path, Any]] = [(folder / PARTS, table) for table in whole_parts(folder, lost=lost)]
        self.unread = dict.fromkeys(lost, "it is no whole Parquet file")
        if index in self.files:
            try:
                listed = read_index(index)
            except InputError:
                self.unread[index] = "it is damaged, or no index: exactdp index makes it anew from the parts"
            else:
                if tables and not lost and not listed.equals(newest_rows([table for _, table in tables])):
                    self.unread[index] = "it has not the newest rows of the parts: exactdp index makes it anew from them"
                tables.append((index, listed))
        self.files -= self.unread.keys()
        if not tables:
            return
        bare: dict[Row, Path] = {}
        for path, table in tables:
            named, without = rows_by_certificate(table)
            bare |= dict.fromkeys(without, path)
            for digest, rows in named.items():
                seen = self.named.setdefault(certificate_name(digest), [])
                seen += [row for row in rows if row not in seen]
        naming = [row for rows in self.named.values() for row in rows]
        self.count = len(naming)
        said = ((path, row, fault_without(row)) for row, path in bare.items())
        self.faults = [(path, f"row {row.question}: {fault}") for path, row, fault in said if fault is not None]
        self.without = sum(row.verdict in DECIDED for row in bare)
        self.undecided = len(bare) - self.without
        self.not_compared.update(name for row in naming for name in row.not_compared)


OWN = (LOCK, PLANS)
"""Files of a sweep that claim nothing: what locks it, and which plans were asked."""


def _not_seen(place: Path, inside: Path, seen: set[Path], unread: Mapping[Path, str]) -> Iterator[str]:
    """All files of a folder but those that were looked at, with the reasons where there is one to tell."""
    unlisted: list[str] = []
    sweep = any((place / name).exists() for name in (PARTS, INDEX, PLANS))
    passed = seen | ({place / name for name in OWN} if sweep else set())
    linked = [path for path in (inside, place / PARTS) if path.is_dir() and path.is_symlink()]
    for top in (place, *linked):
        for above, folders, names in os.walk(top, onerror=lambda error: unlisted.append(str(error.filename))):
            folders.sort()
            links = [name for name in folders if os.path.islink(os.path.join(above, name))]  # not followed
            for name in sorted([*names, *links]):
                path = Path(above, name)
                if path not in passed and path not in linked:
                    reason = unread.get(path)
                    yield str(path.relative_to(place)) + (f" ({reason})" if reason else "")
    yield from (f"{os.path.relpath(name, place)} (it can't be listed)" for name in unlisted)
