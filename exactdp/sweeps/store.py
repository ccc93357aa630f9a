# SPDX-License-Identifier: MIT
"""The folder of a sweep: certificates by digest, rows in parts, and what of it counts as answered.

::

    DIR/certificates/<digest>.edp.json    one file for each certificate, named by the 64 digits of its digest
    DIR/parts/<number>.parquet            the rows of some answers; the newest row of a question counts
    DIR/index.parquet                     all rows, made from the parts (exactdp.sweeps.index)
    DIR/plans.json                        the plans that were asked here: digest, number of questions, limits
    DIR/lock                              held by the process that writes

A file is written under another name, given to the disk, and renamed (:class:`Disk`). A part is
written after the certificates that its rows name. So whatever happens, a row in a whole part has its
certificate, and a question is answered if and only if it has such a row; what is left behind otherwise is
harmless: a temporary file (removed by the next run), or a certificate without a row (which the next run finds
there already).

Many files of one folder are given to the disk together. :func:`~exactdp.runtime.files.write_file` writes one
file, and looks through its folder each time. Here a folder may have a million files, and one process alone
writes to it. So the name of a file that is being written is no secret, and what is left under such a name is
removed by the next run.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from decimal import Decimal
from functools import cache, partial
from pathlib import Path
from typing import Any, Self

from exactdp.certificate.manifest import ENDING
from exactdp.errors import ExactDPError, InputError, WriteError
from exactdp.runtime.files import make_folder, sync_folder, write_all
from exactdp.sweeps.answer import PLACES, Answer
from exactdp.sweeps.extra import needed
from exactdp.sweeps.plan import Plan, graph_of
from exactdp.sweeps.question import FIELDS
from exactdp.sweeps.threads import Threads

TEMPORARY = ".unfinished-"
"""How the names of files begin that are being written."""

AT_A_TIME = 128
"""Files that are open at a time; some systems allow a process 256."""

THREADS = 8
"""Files that the disk is asked for at a time: it flushes many in little more time than one."""


class Disk:
    """Writes files; to be closed after use.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with Disk() as disk:
    ...     disk.write(folder, {"one": b"1", "two": b"2"})
    >>> sorted(path.name for path in folder.iterdir())
    ['one', 'two']
    """

    def __init__(self) -> None:
        self._threads = Threads(THREADS)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End its threads."""
        self._threads.close()

    def write(self, folder: Path, files: Mapping[str, bytes]) -> None:
        """Write files; when this returns, the disk has their content and their names.

        * ``folder``: it is there already.
        * ``files``: the content of each, by its name. A file that has it already is left alone.
        * raises WriteError: the disk is full, or the like. Each name then has its old content or all of its
          new one, and nothing is left under another name.
        """
        place = os.fspath(folder)
        new = [(os.path.join(place, name), data) for name, data in files.items()]
        new = [(path, data) for path, data in new if not _has(path, data)]
        for first in range(0, len(new), AT_A_TIME):
            self._some(new[first : first + AT_A_TIME])
        try:
            sync_folder(place)
        except OSError as error:
            raise unwritten(place, error) from error

    def _some(self, files: Sequence[tuple[str, bytes]]) -> None:
        """Write files that may all be open: write each, flush all, and only then name each."""
        temporary = {path: _temporary(path) for path, _ in files}
        handles: list[int] = []
        at = ""
        try:
            try:
                for at, data in files:
                    handles.append(os.open(temporary[at], _NEW, 0o666))
                    write_all(handles[-1], data)
                self._flush(handles)
            finally:
                for handle in handles:
                    os.close(handle)
            for at, _ in files:
                os.replace(temporary[at], at)
                del temporary[at]
        except OSError as error:
            raise unwritten(at, error) from error
        finally:  # what has no name by now, has none: also when something else ends this
            for path in temporary.values():
                with contextlib.suppress(OSError):
                    os.unlink(path)

    def _flush(self, handles: Sequence[int]) -> None:
        """Give open files to the disk, some at a time."""
        shares = [handles[k::THREADS] for k in range(min(THREADS, len(handles)))]
        tasks = [self._threads.submit(partial(_flushed, share)) for share in shares]
        self._threads.finish(tasks)  # all of them: no handle is closed while it is flushed
        for task in tasks:
            error: OSError | None = task.result()
            if error is not None:
                raise error


_NEW = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)


def unfinished(folder: Path) -> None:
    """Remove what a process that was killed has left in a folder."""
    for path in folder.glob(f"{TEMPORARY}*"):
        with contextlib.suppress(OSError):
            path.unlink()


def unwritten(path: str | Path, error: OSError) -> WriteError:
    """The error of a file that could not be written."""
    reason = error.strerror or str(error)
    return WriteError(f"the file {str(path)!r} was not written: {reason}", path=path, errno=error.errno)


def _temporary(path: str) -> str:
    folder, name = os.path.split(path)
    return os.path.join(folder, TEMPORARY + name)


def _has(path: str, data: bytes) -> bool:
    """Whether a file has exactly these bytes."""
    try:
        if os.stat(path).st_size != len(data):
            return False
        with open(path, "rb") as stream:
            return stream.read() == data
    except OSError:
        return False


def _flushed(handles: Sequence[int]) -> OSError | None:
    """Flush each of these files; what went wrong with the first that could not be."""
    try:
        for handle in handles:
            os.fsync(handle)
    except OSError as error:
        return error
    return None


if sys.platform != "win32":
    import fcntl

CERTIFICATES, PARTS, INDEX, PLANS, LOCK = "certificates", "parts", "index.parquet", "plans.json", "lock"
"""What is in the folder."""

_ANSWER = [field.name for field in fields(Answer) if field.name not in ("question", "certificate")]
COLUMNS = ("question", "ask", *FIELDS, "inputs", "edges", *_ANSWER, "bytes")
"""The columns of the index; each is explained in docs/plan-format.md."""


@cache
def schema() -> Any:
    """The types of the columns, for pyarrow. What is missing is null."""
    pa = needed("pyarrow")
    kinds = {"lower": pa.decimal128(38, PLACES), "upper": pa.decimal128(38, PLACES), "seconds": pa.float64()}
    kinds |= dict.fromkeys(("memory", "bytes", "inputs", "edges"), pa.int64())
    return pa.schema([(name, kinds.get(name, pa.string())) for name in COLUMNS])


class Store:
    """The folder of a sweep, opened for writing by one process at a time.

    * ``folder``: it is made where there is none.
    * raises WriteError: it can't be written to.
    * raises InputError: another process writes to it, or what is there is no folder of a sweep.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock: int | None = None
        self._disk = Disk()
        self._sizes: dict[str, dict[str, int]] = {}
        self._parts = 0

    def __enter__(self) -> Self:
        needed("pyarrow")
        if self.folder.is_dir() and not (self.folder / PLANS).exists() and not (self.folder / PARTS).exists():
            with contextlib.suppress(StopIteration):
                stranger = next(path.name for path in self.folder.iterdir() if path.name not in (LOCK, CERTIFICATES))
                raise InputError(f"{str(self.folder)!r} has other things in it ({stranger}); give a new directory", folder=self.folder)
        make_folder(self.folder)
        try:
            self._take_lock()
            self._prepare()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _prepare(self) -> None:
        """Make the folders, remove what was not finished, and count the parts."""
        for name in (CERTIFICATES, PARTS):
            make_folder(self.folder / name)
        for place in (self.folder, self.folder / CERTIFICATES, self.folder / PARTS):
            unfinished(place)
        self._parts = max((int(path.stem) for path in (self.folder / PARTS).glob("*.parquet") if path.stem.isdecimal()), default=0)

    def __exit__(self, *_: object) -> None:
        try:
            self._disk.close()
        finally:  # also where an interrupt comes while it closes
            lock, self._lock = self._lock, None
            if lock is not None:
                os.close(lock)

    def _take_lock(self) -> None:
        try:
            self._lock = os.open(self.folder / LOCK, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
            if sys.platform != "win32":
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(f"another process writes to {str(self.folder)!r}; wait for it, or end it", folder=self.folder) from None
        except OSError as error:
            raise unwritten(self.folder / LOCK, error) from error

    def answered(self, again: Sequence[str] = (), *, told: Callable[[str], object] = lambda text: None) -> dict[str, str]:
        """The verdict of each question that is answered, by its text.

        A row counts if its part is whole and its certificate, if it names one, is there with all its bytes. A
        part that is not whole is removed.

        * ``again``: verdicts that do not count: their questions are to be asked again.
        * ``told``: gets a sentence about each part that is damaged.
        """
        lost: list[Path] = []
        sizes = {entry.name: entry.stat().st_size for entry in os.scandir(self.folder / CERTIFICATES)}
        found: dict[str, str] = {}
        for table in whole_parts(self.folder, remove=True, lost=lost):
            names = ("question", "verdict", "digest", "bytes")
            for text, verdict, digest, size in zip(*(table.column(name).to_pylist() for name in names), strict=True):
                found.pop(text, None)
                if verdict not in again and (digest is None or sizes.get(certificate_name(digest)) == size):
                    found[text] = verdict
        for path in lost:
            told(f"{str(path)!r} was damaged and is removed; its questions are asked again")
        return found

    def note(self, plan: Plan) -> None:
        """Write down that this plan is asked here: another plan in the same folder extends it."""
        digest = hashlib.sha256("\n".join(question.text for question in plan.questions).encode()).hexdigest()
        entry = {"digest": f"sha256:{digest}", "questions": len(plan.questions), "seconds": plan.seconds, "memory": plan.memory}
        known: list[Any] = []
        with contextlib.suppress(OSError, ValueError, LookupError, TypeError):  # it is for people
            known = list(json.loads((self.folder / PLANS).read_bytes())["plans"])
        if entry not in known:
            text = json.dumps({"format": "exactdp-sweep", "version": 1, "plans": [*known, entry]}, indent=1)
            self._disk.write(self.folder, {PLANS: text.encode() + b"\n"})

    def keep(self, answers: Iterable[Answer]) -> None:
        """Write the certificates of some answers, and then a part with their rows.

        * raises WriteError: the disk is full, or the like. None of these answers counts then, and nothing
          half-written is left under the name of a whole file.
        """
        listed = list(answers)
        if not listed:
            return
        questions = [json.loads(answer.question) for answer in listed]
        for question in questions:
            graph = question.get("graph")
            if graph and graph not in self._sizes:
                self._sizes[graph] = sizes_of(graph)
        files = {certificate_name(answer.digest): answer.certificate.encode() for answer in listed if answer.digest}
        if files:
            self._disk.write(self.folder / CERTIFICATES, files)
        self._parts += 1
        self._disk.write(self.folder / PARTS, {f"{self._parts:08d}.parquet": _part(listed, questions, self._sizes)})


def read_parts(folder: Path) -> Iterator[tuple[Path, bytes]]:
    """The files of the parts and what is in them, in the order in which they were written."""
    for path in sorted((folder / PARTS).glob("[0-9]*.parquet")):
        try:
            yield path, path.read_bytes()
        except FileNotFoundError:  # removed in between
            continue
        except OSError as error:  # that it can't be read now does not mean that it is not whole
            raise InputError(f"the answers in {str(path)!r} can't be read: {error.strerror or error}", path=path) from error


def whole_parts(folder: Path, *, remove: bool = False, lost: list[Path] | None = None) -> Iterator[Any]:
    """The tables of the parts, in the order in which they were written, without those that are not whole.

    ``lost`` gets the files of these.
    """
    for path, data in read_parts(folder):
        found = whole_table(data)
        if found is not None:
            yield found
        else:
            if lost is not None:
                lost.append(path)
            if remove:
                with contextlib.suppress(OSError):
                    path.unlink()


def whole_table(data: bytes, *, some: bool = False) -> Any:
    """The rows of a Parquet file that this package has written, each page checked; None if it is damaged.

    With ``some`` it may have some of the columns only. Arrow starts no threads for it: it would keep them.
    """
    pa, parquet = needed("pyarrow"), needed("pyarrow.parquet")
    try:
        file = parquet.ParquetFile(pa.BufferReader(data), page_checksum_verification=True, pre_buffer=False)
        found = file.read(use_threads=False)
        ours = has_columns(found.schema)
    except (pa.ArrowException, OSError, ValueError):
        return None
    is_ours = ours if some else found.schema.equals(schema())
    return found if is_ours else None


def has_columns(found: Any) -> bool:
    """Whether all columns of a schema are of an index; UnicodeDecodeError if a name is no text any more."""
    return {(field.name, field.type) for field in found} <= {(field.name, field.type) for field in schema()}


def parquet_of(table: Any, **options: Any) -> bytes:
    """A table as a Parquet file, with a checksum for each page; without statistics, which have none."""
    sink = needed("pyarrow").BufferOutputStream()
    chosen = {"compression": "zstd", "write_statistics": False, "write_page_checksum": True, **options}
    needed("pyarrow.parquet").write_table(table, sink, **chosen)
    found: bytes = sink.getvalue().to_pybytes()
    return found


def certificate_name(digest: str) -> str:
    """The name of the file of a certificate.

    >>> certificate_name("sha256:" + 64 * "0")[-12:]
    '000.edp.json'
    """
    return f"{digest.removeprefix('sha256:')}{ENDING}"


def sizes_of(graph: str) -> dict[str, int]:
    """The numbers of vertices and edges of a graph, as columns; none if there is no such graph.

    >>> sizes_of("path:4"), sizes_of("euclid:2x2"), sizes_of("path:0")
    ({'inputs': 4, 'edges': 3}, {'inputs': 4}, {})
    """
    try:
        near = graph_of(graph)
    except ExactDPError:
        return {}
    return {"inputs": len(near.vertices), **({"edges": len(near.edges)} if hasattr(near, "edges") else {})}


def _part(answers: Sequence[Answer], questions: Sequence[Mapping[str, str]], sizes: Mapping[str, Mapping[str, int]]) -> bytes:
    """The file with the rows of some answers: fields of theirs and of their questions; what is empty is null.

    ``questions`` has the fields of each one's question, ``sizes`` the columns about the size of each graph.
    """
    graphs = [sizes.get(question.get("graph", ""), {}) for question in questions]
    columns: dict[str, list[Any]] = {name: [getattr(answer, name) or None for answer in answers] for name in ("question", *_ANSWER)}
    columns |= {name: [question.get(name) for question in questions] for name in ("ask", *FIELDS)}
    columns |= {name: [graph.get(name) for graph in graphs] for name in ("inputs", "edges")}
    columns |= {name: [Decimal(text) if text else None for text in columns[name]] for name in ("lower", "upper")}
    columns["seconds"] = [answer.seconds for answer in answers]
    columns["bytes"] = [len(answer.certificate.encode()) or None for answer in answers]
    return parquet_of(needed("pyarrow").table(columns, schema=schema()), use_dictionary=False)
