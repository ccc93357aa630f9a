# SPDX-License-Identifier: MIT
"""What a library could change for the program that calls it, to be compared before and after."""

from __future__ import annotations

import ctypes
import decimal
import gc
import locale
import os
import pickle
import random
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import copy_context
from pathlib import Path
from typing import Any

import flint
import numpy as np

OURS = {"watch", "budget", "extobj_contextvar"}
"""Variables of a context that the library, and numpy, set."""


def blas_threads() -> list[int]:
    """How many threads numpy's own OpenBLAS has; empty where it has none."""
    found = []
    for library in Path(np.__file__).parent.parent.glob("numpy.libs/*openblas*"):
        names = ctypes.CDLL(str(library))
        found += [getattr(names, name)() for name in ("scipy_openblas_get_num_threads64_",) if hasattr(names, name)]
    return found


def native_threads() -> frozenset[str]:
    """The threads that the system counts, where it tells: with those in which no Python code runs."""
    return frozenset(task.name for task in Path("/proc/self/task").glob("*"))


def open_files() -> frozenset[str]:
    """The file descriptors and what they are of, where the system tells."""
    found = set()
    with suppress(FileNotFoundError):
        for descriptor in os.listdir("/proc/self/fd"):
            with suppress(FileNotFoundError):  # the one by which the list was read
                found.add(f"{descriptor} -> {os.readlink(f'/proc/self/fd/{descriptor}')}")
    return frozenset(found)


def child_processes() -> frozenset[str]:
    """The processes that were started and are not waited for yet, where the system tells."""
    found: set[str] = set()
    for task in Path("/proc/self/task").glob("*"):
        with suppress(FileNotFoundError):  # the thread has ended, or the system does not tell
            found.update((task / "children").read_text(encoding="ascii").split())
    return frozenset(found)


def of_this_thread() -> dict[str, object]:
    """What each thread has for itself."""
    return {
        "flint": [getattr(flint.ctx, name) for name in ("cap", "dps", "prec", "pretty", "threads", "unicode")],
        "decimal": repr(decimal.getcontext()),
        "errors of numpy": np.geterr(),
        "printing of numpy": np.get_printoptions(),
        "variables of the context": {v.name: x for v, x in copy_context().items() if v.name in OURS and x is not None},
        "tracing": (sys.gettrace(), sys.getprofile()),
    }


def everything_global() -> dict[str, Any]:
    """What a library could change for the program that calls it."""
    return {
        **of_this_thread(),
        "limits of Python": (sys.getrecursionlimit(), sys.get_int_max_str_digits(), sys.getswitchinterval()),
        "hooks": (sys.excepthook, sys.displayhook, threading.excepthook, sys.unraisablehook),
        "streams": (sys.stdin, sys.stdout, sys.stderr),
        "warnings": list(warnings.filters),
        "locale": locale.setlocale(locale.LC_ALL),
        "signals": [signal.getsignal(number) for number in sorted(signal.valid_signals()) if number != signal.SIGALRM],
        "wake-up": signal.set_wakeup_fd(-1),
        "environment": dict(os.environ),
        "folder": os.getcwd(),
        "mask": os.umask(os.umask(0o22)),
        "random numbers": random.getstate(),
        "random numbers of numpy": pickle.dumps(np.random.get_state()),
        "garbage": (gc.isenabled(), gc.get_threshold(), gc.get_debug(), gc.get_freeze_count()),
        "path": list(sys.path),
        "threads": threading.enumerate(),
        "threads of the system": native_threads(),
        "threads of OpenBLAS": blas_threads(),
        "open files": open_files(),
        "processes": child_processes(),
        "calls at garbage": list(gc.callbacks),
    }


def changed(before: dict[str, Any]) -> dict[str, Any]:
    """What is no longer as it was: before and now. Of the system's threads, files and processes: what came.

    It waits for threads to end. One that Python has waited for is there for a moment longer. And HiGHS can't
    be stopped: after an interrupt its thread runs on until it has its answer, with nobody to take it.
    """
    deadline = time.monotonic() + 60
    while True:
        found = {}
        for name, now in everything_global().items():
            same = now <= before[name] if isinstance(now, frozenset) else now == before[name]
            if not same:
                found[name] = (before[name], now)
        if "threads of the system" not in found or time.monotonic() > deadline:
            return found
        time.sleep(0.002)


@contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    """Ctrl-C after so many seconds, as a terminal sends it."""
    handler = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)


def interrupted_at(count: int, work: Callable[[], object]) -> bool:
    """Run it with an interrupt where the interpreter looks for one the count-th time; whether one came.

    It looks when a function of Python begins, and after each call of C.
    """
    left = count

    def look(_frame: object, event: str, _argument: object) -> None:
        nonlocal left
        if event in ("call", "c_return"):
            left -= 1
            if left == 0:
                sys.setprofile(None)
                raise KeyboardInterrupt

    try:
        sys.setprofile(look)
        work()
    except KeyboardInterrupt:
        return True
    finally:
        sys.setprofile(None)
    return False
