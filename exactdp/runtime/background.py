# SPDX-License-Identifier: MIT
"""Threads and processes that are begun so that an interrupt at any moment leaves nothing behind."""

from __future__ import annotations

import contextlib
import errno
from _thread import start_new_thread
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess


class Background:
    """A thread that does some work.

    It is begun, and waited for, by single calls of C, which no interrupt divides. Those of
    :class:`threading.Thread` are Python code: an interrupt inside ``start`` leaves a thread not begun
    in :func:`threading.enumerate`, and one inside ``join`` marks a thread that runs on as stopped.

    Parameters
    ----------
    work : callable
        What is done. An interrupt of the program does not reach it.

    Examples
    --------
    >>> found = []
    >>> thread = Background(lambda: found.append(6 * 7))
    >>> thread.start()
    >>> thread.wait()
    >>> thread.over, found
    (True, [42])
    """

    def __init__(self, work: Callable[[], object]) -> None:
        self.over = True
        self._work = work
        self._ended: SimpleQueue[None] = SimpleQueue()

    def start(self) -> None:
        """Begin, once.

        Raises
        ------
        RuntimeError
            The system has no room for a thread.
        """
        self.over = False
        try:
            start_new_thread(self._run, ())
        except RuntimeError:
            self.over = True
            raise

    def _run(self) -> None:
        try:
            self._work()
        finally:
            self.over = True
            self._ended.put(None)

    def wait(self, seconds: float | None = None) -> None:
        """Until the work is over, or so many seconds have passed."""
        if not self.over:  # what says so is taken once: afterwards nothing comes
            with contextlib.suppress(Empty):
                self._ended.get(timeout=seconds)


def start_process(command: Sequence[str]) -> subprocess.Popen[bytes]:
    """A child process with pipes to its standard input and output.

    An interrupt inside :class:`subprocess.Popen` leaves a process that nobody knows. So it is started in a
    thread, where none comes; and after one that comes meanwhile the process is ended.

    Raises
    ------
    OSError
        It can't be started.
    """
    from subprocess import DEVNULL, PIPE, Popen  # only where a process is started

    started: list[subprocess.Popen[bytes]] = []
    failed: list[Exception] = []

    def start() -> None:
        try:
            started.append(Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL))
        except Exception as error:
            failed.append(error)

    thread = Background(start)
    try:
        thread.start()
        thread.wait()
    except RuntimeError as error:
        raise OSError(errno.ENOMEM, str(error)) from None  # there is no room for a thread
    except BaseException:
        thread.wait()
        for process in started:
            end_process(process)
        raise
    if failed:
        raise failed[0]
    return started[0]


def end_process(process: subprocess.Popen[bytes]) -> int:
    """Kill a process, and close its pipes; its code. What an interrupt cuts short is done again."""
    try:
        return _killed(process)
    except BaseException:
        _killed(process)
        raise


def _killed(process: subprocess.Popen[bytes]) -> int:
    process.kill()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(OSError):  # what it did not read
                stream.close()
    return process.wait()
