# SPDX-License-Identifier: MIT
"""Many files of one folder, each written whole or not at all, and given to the disk together.

:func:`~exactdp.runtime.files.write_file` writes one file, and looks through its folder each time. Here a
folder may have a million files, and one process alone writes to it. So the name of a file that is being
written is no secret, and what is left under such a name is removed by the next run.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Self

from exactdp.errors import WriteError
from exactdp.sweeps.threads import Threads

TEMPORARY = ".unfinished-"
"""How the names of files begin that are being written."""

AT_A_TIME = 128
"""Files that are open at a time; some systems allow a process 256."""

THREADS = 8
"""Files that the disk is asked for at a time: it flushes many in little more time than one."""


class Disk:
    """Writes files; to be closed after use.

    Examples
    --------
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

        Parameters
        ----------
        folder : Path
            It is there already.
        files : mapping of str to bytes
            The content of each, by its name. A file that has it already is left alone.

        Raises
        ------
        WriteError
            The disk is full, or the like. Each name then has its old content or all of its new one, and
            nothing is left under another name.
        """
        place = os.fspath(folder)
        new = [(os.path.join(place, name), data) for name, data in files.items()]
        new = [(path, data) for path, data in new if not _has(path, data)]
        for first in range(0, len(new), AT_A_TIME):
            self._some(new[first : first + AT_A_TIME])
        try:
            _settle(place)
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
                    _write(handles[-1], data)
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


def _write(handle: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


def _flushed(handles: Sequence[int]) -> OSError | None:
    """Flush each of these files; what went wrong with the first that could not be."""
    try:
        for handle in handles:
            os.fsync(handle)
    except OSError as error:
        return error
    return None


def _settle(folder: str) -> None:
    """Have the disk remember the names in a folder, as far as the system can."""
    with contextlib.suppress(PermissionError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.ENOTSUP):
                raise
        finally:
            os.close(handle)
