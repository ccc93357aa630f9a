# SPDX-License-Identifier: MIT
"""The standard streams of the program, which may be full, gone or closed from the start.

A write that fails is remembered and raises nothing, wherever it happens: in a command, in the help, in the
line of progress, at the end of the interpreter. The program tells it at its end, once.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import select
import sys
from collections.abc import Iterator
from typing import Any


class Remembering(io.RawIOBase):
    """The bytes of a stream. What fails is remembered; what comes after it goes nowhere.

    Attributes
    ----------
    failure : OSError or None
        Why not everything was written.
    begun : bool
        Whether anything was.
    """

    def __init__(self, raw: Any) -> None:
        super().__init__()
        self.failure: OSError | None = None
        self.begun = False
        self._raw = raw

    def fileno(self) -> int:
        """The number of the stream."""
        return int(self._raw.fileno())

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        return bool(self._raw.isatty())

    def writable(self) -> bool:
        """Yes."""
        return True

    def write(self, data: Any) -> int:
        """Write some of the bytes, and say how many."""
        while self.failure is None:
            try:
                count = self._raw.write(data)
                if count is not None:
                    self.begun = True
                    return int(count)
                select.select([], [self], [])  # the other end made the stream one that does not wait
            except OSError as error:
                self.failure = error
        return len(data)


class Streams:
    """What became of the answer on standard output."""

    def __init__(self, out: Remembering | None, err: Remembering | None) -> None:
        self._out, self._err = out, err

    @property
    def begun(self) -> bool:
        """Whether some of the answer has been written."""
        return self._out is not None and self._out.begun

    def give_up(self, *, errors: bool = False) -> None:
        """Write no more of an answer that was interrupted, or of errors: the reader may be slow."""
        for raw in (self._out, self._err if errors else None):
            if raw is not None and raw.failure is None:
                raw.failure = BrokenPipeError()

    def loss(self) -> str | None:
        """Why the answer was not written; None if it was, or if its reader did not want all of it."""
        if self._out is None:
            return None
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
        if self._out.failure is None and self._out.begun:
            try:
                os.close(os.dup(self._out.fileno()))  # when a network's file system tells that it is full
            except OSError as error:
                if error.errno != errno.EMFILE:  # with no file left it is not known, and all was taken
                    self._out.failure = error
        failure = self._out.failure
        if failure is None or isinstance(failure, BrokenPipeError):
            return None
        return "it is closed" if failure.errno == errno.EBADF else failure.strerror or str(failure)


@contextlib.contextmanager
def standard_streams() -> Iterator[Streams]:
    """Inside ``with``: standard input, output and error that can be used whatever they are.

    What is closed is opened on the null device, the wrong way round for input and output, so that using it
    fails as it does when it is closed. Otherwise the next file that is opened would get its number, and what
    is printed would be written into that file. A stream that somebody has put in the place of a standard one
    is left as it is.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(_nothing(number), True)  # it has the least free number: this one
    before = sys.stdin, sys.stdout, sys.stderr
    raw: dict[str, Remembering] = {}
    for number, name in ((1, "stdout"), (2, "stderr")):
        stream = getattr(sys, name)
        if stream is getattr(sys, f"__{name}__"):
            raw[name] = Remembering(io.FileIO(_nothing(number), "w") if stream is None else _raw(stream))
            by_line = name == "stderr" or raw[name].isatty()
            encoding = getattr(stream, "encoding", None) or "utf-8"
            setattr(sys, name, io.TextIOWrapper(io.BufferedWriter(raw[name]), encoding, errors="replace", line_buffering=by_line))
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    if sys.stdin is None:
        sys.stdin = open(_nothing(0), encoding="utf-8")  # noqa: SIM115 - whoever reads finds that it is closed
    try:
        yield Streams(raw.get("stdout"), raw.get("stderr"))
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        sys.stdin, sys.stdout, sys.stderr = before


def _nothing(number: int) -> int:
    """The null device, opened in place of a closed stream: only to write for input, only to read for output.

    What standard error is told goes nowhere, also from other programs that inherit it.
    """
    return os.open(os.devnull, (os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)[number])


def _raw(stream: Any) -> Any:
    """The unbuffered stream below a standard one, after what was printed before has been written."""
    with contextlib.suppress(OSError):
        stream.flush()
    return getattr(stream.buffer, "raw", stream.buffer)
