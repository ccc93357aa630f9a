# SPDX-License-Identifier: MIT
"""How files are written: whole or not at all, by one function for the whole project.

The content goes to a temporary file in the same folder, which is given the name at the end. Whoever reads
the name finds the old content or the new one, whatever happens: a full disk, an interrupt, a power failure. A
link is followed, and a file that was there keeps its mode. What is no regular file (``/dev/stdout``, a pipe)
can't be replaced and is written to directly.

This module loads no numbers: programs that only check files may use it too.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import time
from typing import TYPE_CHECKING

from exactdp.errors import InputError, WriteError, wrong_kind

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

PREFIX, SUFFIX = ".exactdp-", ".part"
"""How the names of temporary files begin and end."""

ABANDONED = 3600.0
"""Seconds after which a temporary file that nobody writes to is what a killed process left behind."""


def write_file(path: str | os.PathLike[str], content: str | bytes) -> Path:
    r"""Write a file whole or not at all.

    * ``path``: the file's name, at most 255 bytes long. A link is followed. A file that is there keeps its
      mode, and its owner and group where that is allowed; a new one has the usual mode. Other hard links of
      the file keep the old content.
    * ``content``: all of the content; text is written as UTF-8.

    Returns: the path that was given.

    * raises WriteError: it could not be written. A regular file is then as it was before, and nothing is left
      behind.
    * raises InputError: the path is empty or none.

    >>> import tempfile
    >>> from pathlib import Path
    >>> folder = Path(tempfile.mkdtemp())
    >>> write_file(folder / "table.csv", "1/2,1/2\n").read_text()
    '1/2,1/2\n'
    >>> write_file("/no/such/folder/table.csv", "1/2,1/2")
    Traceback (most recent call last):
    exactdp.errors.WriteError: no file was written: there is no directory '/no/such/folder'
    """
    from pathlib import Path

    if not isinstance(path, (str, os.PathLike)) or not isinstance(os.fspath(path), str):
        raise wrong_kind("name of a file", path, "text or a Path")
    if not os.fspath(path) or "\0" in os.fspath(path):
        raise InputError(f"the name of a file is {os.fspath(path)!r}; give a name that is not empty and has no NUL", path=path)
    place = Path(path)
    data = content.encode() if isinstance(content, str) else content
    reason = obstacle(place)
    if reason is not None:
        raise WriteError(f"no file was written: {reason}", path=place)
    try:
        found = _found(place)
        if found is not None and _is_direct(found):
            _write_into(place, found, data)
        else:
            _replace(os.path.realpath(place), found, data)
    except OSError as error:
        reason = error.strerror or str(error)
        raise WriteError(f"the file {str(place)!r} was not written: {reason}", path=place, errno=error.errno) from error
    return place


def obstacle(path: Path, *, folder: bool = False) -> str | None:
    """Why a file (or a folder of files) of this name can't be written, as far as that is known before it is
    tried.

    * ``folder``: it is a folder, which is made where there is none, with those above it.

    Returns: the reason; None if nothing is in the way.

    >>> from pathlib import Path
    >>> obstacle(Path("/"))
    "'/' is a directory; give the name of a file"
    >>> obstacle(Path("table.csv")) is None
    True
    """
    try:
        found = _found(path)
        above = os.path.dirname(os.path.realpath(path))
        if folder:
            while found is None and above != os.path.dirname(above) and not os.path.lexists(above):
                above = os.path.dirname(above)
    except (OSError, ValueError) as error:
        return f"{str(path)!r}: {getattr(error, 'strerror', None) or error}"
    if found is not None and stat.S_ISDIR(found.st_mode) != folder:
        return f"{str(path)!r} is {'a file; give the name of a directory' if folder else 'a directory; give the name of a file'}"
    if found is not None and not os.access(path, os.W_OK):
        return f"{str(path)!r} may not be written to"
    if found is not None and (folder or _is_direct(found)):
        return None
    if not os.path.isdir(above):
        return f"there is no directory {above if os.path.islink(path) else os.path.dirname(path) or '.'!r}"
    return None if os.access(above, os.W_OK | os.X_OK) else f"the directory {above!r} can't be written to"


def make_folder(path: Path) -> Path:
    """Make a folder where there is none.

    * raises WriteError: it can't be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WriteError(f"the directory {str(path)!r} was not made: {error.strerror or error}", path=path, errno=error.errno) from error
    return path


def write_folder(path: str | os.PathLike[str], files: Mapping[str, bytes]) -> Path:
    """Write a folder of files whole or not at all: under another name, which is changed at the end.

    * ``path``: the folder. It is not there yet, or empty.
    * ``files``: the contents, by names from the folder on, with ``/`` between folders.

    Returns: the path that was given.

    * raises WriteError: there is something of that name that is no empty folder, or it can't be written.
      Nothing is left behind.

    >>> import tempfile
    >>> from pathlib import Path
    >>> place = write_folder(Path(tempfile.mkdtemp()) / "new", {"a/b.txt": b"one"})
    >>> (place / "a" / "b.txt").read_text()
    'one'
    """
    from pathlib import Path

    place = Path(path)
    reason = occupied(place) or obstacle(place, folder=True)
    if reason is not None:
        raise WriteError(f"no folder was written: {reason}", path=place)
    target = os.path.realpath(place)
    temporary = os.path.join(os.path.dirname(target), f"{PREFIX}{os.urandom(8).hex()}{SUFFIX}")
    try:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        _remove_abandoned(os.path.dirname(target))
        os.mkdir(temporary)
        for name, data in files.items():
            inside = os.path.join(temporary, *name.split("/"))
            os.makedirs(os.path.dirname(inside), exist_ok=True)
            _write_new(inside, data)
        for folder in sorted({os.path.dirname(os.path.join(temporary, *name.split("/"))) for name in files}):
            sync_folder(folder)
        sync_folder(temporary)
        os.rename(temporary, target)
    except OSError as error:
        _remove_folder(temporary)
        raise WriteError(f"the folder {str(place)!r} was not written: {error.strerror or error}", path=place, errno=error.errno) from error
    except BaseException:
        _remove_folder(temporary)
        raise
    sync_folder(os.path.dirname(target))
    return place


def occupied(path: Path) -> str | None:
    """Why a folder can't be written whole under this name: something is in it; None if nothing is."""
    try:
        with os.scandir(path) as entries:
            first = next(iter(entries), None)
    except (FileNotFoundError, NotADirectoryError):  # the latter is told by `obstacle`
        return None
    except (OSError, ValueError) as error:
        return f"{str(path)!r}: {getattr(error, 'strerror', None) or error}"
    return None if first is None else f"there is something in {str(path)!r} ({first.name!r}); give a new folder, or an empty one"


def _write_new(path: str, data: bytes) -> None:
    """Write a file that is not there yet."""
    # an object, which closes itself should an interrupt come before the block
    with open(path, "xb", buffering=0) as file:
        write_all(file.fileno(), data)
        os.fsync(file.fileno())


def _remove_folder(path: str) -> None:
    import shutil  # only after a failure

    shutil.rmtree(path, ignore_errors=True)


def _found(path: Path) -> os.stat_result | None:
    """What is there, links followed; None if nothing is."""
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _is_direct(found: os.stat_result) -> bool:
    """Whether this is written to as it is: it is no regular file, or it is open as a standard stream, whose
    own output would be lost if another file took the name.
    """
    return not stat.S_ISREG(found.st_mode) or bool(_streams(found))


def _streams(found: os.stat_result) -> list[int]:
    """Those of standard output and standard error that write to this; a device can be opened by anyone."""
    open_ones = []
    for number in (1, 2) if not stat.S_ISCHR(found.st_mode) else ():
        with contextlib.suppress(OSError):
            open_ones += [number] if os.path.samestat(os.fstat(number), found) else []
    return open_ones


def _write_into(path: Path, found: os.stat_result, data: bytes) -> None:
    streams = _streams(found)
    handle = os.dup(streams[0]) if streams else os.open(path, os.O_WRONLY | _flag("O_NOCTTY"))
    try:
        write_all(handle, data)
    finally:
        os.close(handle)


def _replace(target: str, found: os.stat_result | None, data: bytes) -> None:
    """Write another file in the same folder, and give it the name."""
    folder = os.path.dirname(target)
    _remove_abandoned(folder)
    temporary = os.path.join(folder, f"{PREFIX}{os.urandom(8).hex()}{SUFFIX}")  # known before it is there: an interrupt leaves nothing
    mode = 0o666 if found is None else found.st_mode & 0o777  # never more open than the file that is there
    handle = None
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _flag("O_BINARY"), mode)
        if found is not None:
            _take_after(handle, found)
        write_all(handle, data)
        os.fsync(handle)
        written, handle = handle, None
        os.close(written)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    finally:
        if handle is not None:
            os.close(handle)
    sync_folder(folder)


def _take_after(handle: int, found: os.stat_result) -> None:
    """Give a file the owner, group and mode of another, as far as that is allowed."""
    if not hasattr(os, "fchown"):
        return
    for owner, group in ((-1, found.st_gid), (found.st_uid, -1)):
        with contextlib.suppress(OSError):
            os.fchown(handle, owner, group)
    with contextlib.suppress(OSError):
        os.fchmod(handle, stat.S_IMODE(found.st_mode))


def write_all(handle: int, data: bytes) -> None:
    """Write all of the data, in as many parts as the system takes."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


def sync_folder(folder: str) -> None:
    """Have the disk remember the names in a folder, as far as the system can."""
    with contextlib.suppress(PermissionError):  # a folder that may be written and not read; Windows
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # a file system that has no such thing
                raise
        finally:
            os.close(handle)


def _remove_abandoned(folder: str) -> None:
    """Remove the temporary files of killed processes: nobody has written to them for an hour."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(PREFIX) and entry.name.endswith(SUFFIX):
                with contextlib.suppress(OSError):
                    if entry.stat(follow_symlinks=False).st_mtime >= time.time() - ABANDONED:
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        _remove_folder(entry.path)
                    else:
                        os.unlink(entry.path)


def _flag(name: str) -> int:
    """A flag of :func:`os.open` that not every system has."""
    return getattr(os, name, 0)
