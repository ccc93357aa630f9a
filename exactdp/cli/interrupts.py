# SPDX-License-Identifier: MIT
"""Ctrl-C and SIGTERM end the program soon, also while a library computes without looking up.

Python delivers a signal when its main thread next runs Python code, which a long call into a solver may put off for minutes. A thread
is told of the signal at once; it gives the main thread a moment to clean up, and then ends the process. Nothing is half-written then:
files are written under another name and renamed, and that happens in Python code, which an interrupt stops in time.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import threading
from collections.abc import Iterator
from typing import NoReturn

__all__ = ["GRACE", "interruptible"]

GRACE = 1.0
"""Seconds for a clean end."""


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Watch for the two signals while the body runs (in the main thread; elsewhere there is nothing to do)."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _stop)
    reading, writing = socket.socketpair()
    writing.setblocking(False)
    fd = signal.set_wakeup_fd(writing.fileno(), warn_on_full_buffer=False)
    done = threading.Event()
    watcher = threading.Thread(target=_watch, args=(reading, done), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        signal.set_wakeup_fd(fd)
        signal.signal(signal.SIGTERM, before)
        writing.close()
        watcher.join()
        reading.close()


def _stop(number: int, frame: object) -> NoReturn:
    raise SystemExit(128 + number)


def _watch(reading: socket.socket, done: threading.Event) -> None:
    """Wait for a signal's number, or for the end of the body."""
    numbers = reading.recv(16)
    while numbers:
        number = next((n for n in numbers if n in (signal.SIGINT, signal.SIGTERM)), None)
        if number is not None and not done.wait(GRACE):
            if number == signal.SIGINT:
                os.write(2, b"\nInterrupted.\n")
            os._exit(128 + number)
        numbers = reading.recv(16)
