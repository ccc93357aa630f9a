# SPDX-License-Identifier: MIT
"""What is given where a table is read: the name of a file, the text of a table, or an object.

The form of a text decides, never what is in the working directory:

* an object of :class:`os.PathLike` is a file, bytes are what a file holds, and an open file is read;
* a text of several lines, of JSON (``[`` or ``{`` begins it) or of LaTeX is a table;
* a text of one line is a file if it ends as names of files do (``survey.csv``) or begins as paths do (``./``,
  ``../``, ``/``, ``~``), or if it is one word that is neither a number nor one of the letters;
* every other line is a table of one row, such as ``1/2,1/2``.

Where a mechanism is asked for, a word such as ``geometric:n=3,alpha=1/2`` comes before these rules. A file
whose name has another form is given as ``pathlib.Path(…)``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection
from pathlib import Path
from typing import IO, Any, TypeGuard, TypeVar, cast

from exactdp.errors import ExactDPError, InputError
from exactdp.model import Mechanism, PrintedTable, Table
from exactdp.model.source import Source
from exactdp.readers.grids import PIECE, most_bytes, read_at_most, require_file

T = TypeVar("T")

_SUFFIX = re.compile(r"[^\s,;.]\.[A-Za-z][A-Za-z0-9_]{0,9}\Z")
"""How the name of a file ends."""

_WORD = re.compile(r"[^\W\d][\w-]*")
"""A text of one word."""


def file_of(given: object, letters: Collection[str] = ()) -> Path | None:
    r"""The file that is named; None for a text that is a table, for bytes, and for objects.

    >>> [str(file_of(text)) for text in ("survey.csv", "./1", "survey", "1/2,1/2", "a.csv\n1", "[[1]]", "p")]
    ['survey.csv', '1', 'survey', 'None', 'None', 'None', 'p']
    >>> file_of("p", ["p"]) is None
    True
    """
    if isinstance(given, os.PathLike):
        return Path(os.fsdecode(given))
    return Path(given) if isinstance(given, str) and _names_file(given, letters) else None


def _names_file(text: str, letters: Collection[str]) -> bool:
    """Whether a text has the form of the name of a file."""
    if any(mark in text for mark in "\n\r\0") or text.lstrip().startswith(("[", "{")) or "\\begin" in text or "\\\\" in text:
        return False
    if text.startswith(("./", "../", "/", "~")) or _SUFFIX.search(text) is not None:
        return True
    names = re.findall(r"[^\W\d]\w*", text)
    return _WORD.fullmatch(text) is not None and not set(names) <= set(letters)


def content_of(file: Path) -> bytes:
    """What a file holds.

    * raises InputError: there is no such file, or it can't be read; the message says what else a text may be.
    * raises ResourceLimitError: it is too large.
    """
    try:
        with file.expanduser().open("rb") as stream:
            content = read_at_most(stream, most_bytes() + 1)
    except (OSError, ValueError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"can't read {str(file)!r}: {reason}", path=file) from None
    require_file(f"{file.name}, a file of at least", len(content))
    return content


def is_open_file(given: object) -> TypeGuard[IO[Any]]:
    """Whether it is an open file, of text or of bytes, and no array.

    >>> import io
    >>> is_open_file(io.StringIO("1/2,1/2")), is_open_file("1/2,1/2"), is_open_file(io.StringIO)
    (True, False, False)
    """
    return callable(getattr(given, "read", None)) and not isinstance(given, type) and not hasattr(given, "shape")


def rest_of(stream: IO[Any]) -> bytes:
    """What is left of an open file, of text or of bytes.

    * raises InputError: it can't be read, as one that is closed.
    * raises ResourceLimitError: it is too large.

    >>> import io
    >>> rest_of(io.StringIO("1/2,1/2"))
    b'1/2,1/2'
    """
    pieces: list[bytes] = []
    left = most_bytes() + 1
    try:
        while left > 0 and (piece := stream.read(min(left, PIECE))):
            pieces.append(piece.encode() if isinstance(piece, str) else bytes(piece))
            left -= len(pieces[-1])
    except (OSError, ValueError) as error:
        raise InputError(f"can't read the open file {_name_of(stream)}: {error}; give the name of the file") from None
    content = b"".join(pieces)
    require_file(f"{_name_of(stream)}, a file of at least", len(content))
    return content


def _name_of(stream: Any) -> str:
    """What an open file is called."""
    name = getattr(stream, "name", None)
    return repr(name) if isinstance(name, str) else f"of the class {type(stream).__name__}"


def within_file(file: Path, read: Callable[[bytes], T]) -> T:
    """What ``read`` makes of a file: errors begin with its name, and a table has it as its source."""
    content = content_of(file)
    try:
        found = read(content)
    except ExactDPError as error:
        raise type(error)(f"{file.name}: {error.message}", **error.facts) from None
    if isinstance(found, Table | Mechanism | PrintedTable):
        return cast("T", found.read_from(Source.of(file.name, content)))
    return found


def read_source(given: Any, read: Callable[[Any], T], letters: Collection[str] = ()) -> T:
    """What ``read`` makes of a text or of bytes; of the content, where a file is named."""
    file = file_of(given, letters)
    if file is None:
        return read(given)
    try:
        return within_file(file, read)
    except InputError as error:
        if "path" not in error.facts or isinstance(given, os.PathLike):
            raise
        raise InputError(f"{error.message}; {ELSE}", **error.facts) from None


ELSE = "a text is a table if it has several lines, or numbers with commas between them ('1/2,1/2')"
"""What a text that names a missing file could have been."""
