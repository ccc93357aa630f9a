# SPDX-License-Identifier: MIT
"""A line on the terminal that says what takes so long: only on a terminal, and only after two seconds."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["PATIENCE", "progress_line"]

PATIENCE = 2.0
"""Seconds of silence."""


@contextlib.contextmanager
def progress_line() -> Iterator[Callable[[Any], None] | None]:
    """Give a listener for the search's events while a line on standard error follows them; None when that is no terminal.

    Events are texts, objects with ``phase``, ``pivots`` and ``digits`` (the search), or with ``done``, ``total`` and ``what`` (claims).
    """
    if not sys.stderr.isatty():
        yield None
        return
    latest: list[Any] = [""]
    done = threading.Event()
    thread = threading.Thread(target=_draw, args=(latest, done), daemon=True)
    thread.start()
    try:
        yield lambda event: latest.__setitem__(0, event)
    finally:
        done.set()
        thread.join()


def _draw(latest: list[Any], done: threading.Event) -> None:
    start = time.monotonic()
    drawn = False
    waited = done.wait(PATIENCE)
    while not waited:
        line = f"{time.monotonic() - start:.0f} s  {event_text(latest[0])}"
        sys.stderr.write(f"\r\x1b[K{line[:76]}")
        sys.stderr.flush()
        drawn = True
        waited = done.wait(0.2)
    if drawn:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


def event_text(event: Any) -> str:
    """One event in words.

    >>> event_text("stage 2")
    'stage 2'
    """
    if hasattr(event, "pivots"):
        return f"{event.phase}: {event.pivots} pivots, numbers of {event.digits} digits"
    if hasattr(event, "total"):
        return f"{event.done} of {event.total}: {event.what}"
    return str(event) or "working"
