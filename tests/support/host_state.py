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
import warnings
from contextvars import copy_context
from pathlib import Path

import flint
import numpy as np


def blas_threads() -> list[int]:
    """How many threads numpy's own OpenBLAS has; empty where it has none."""
    found = []
    for library in Path(np.__file__).parent.parent.glob("numpy.libs/*openblas*"):
        names = ctypes.CDLL(str(library))
        found += [getattr(names, name)() for name in ("scipy_openblas_get_num_threads64_",) if hasattr(names, name)]
    return found


def everything_global() -> dict[str, object]:
    """What a library could change for the program that calls it."""
    context = decimal.getcontext()
    return {
        "flint": [getattr(flint.ctx, name) for name in ("cap", "dps", "prec", "pretty", "threads", "unicode")],
        "limits of Python": (sys.getrecursionlimit(), sys.get_int_max_str_digits(), sys.getswitchinterval()),
        "hooks": (sys.excepthook, sys.displayhook, threading.excepthook, sys.gettrace(), sys.getprofile()),
        "streams": (sys.stdin, sys.stdout, sys.stderr),
        "decimal": repr(context),
        "warnings": list(warnings.filters),
        "locale": locale.setlocale(locale.LC_ALL),
        "signals": [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)],
        "wake-up": signal.set_wakeup_fd(-1),
        "environment": dict(os.environ),
        "folder": os.getcwd(),
        "mask": os.umask(os.umask(0o22)),
        "random numbers": random.getstate(),
        "random numbers of numpy": pickle.dumps(np.random.get_state()),
        "printing of numpy": np.get_printoptions(),
        "errors of numpy": np.geterr(),
        "garbage": (gc.isenabled(), gc.get_threshold(), gc.get_debug()),
        "path": list(sys.path),
        "threads": threading.active_count(),
        "threads of OpenBLAS": blas_threads(),
        "variables of the context": {v.name: x for v, x in copy_context().items() if v.name in ("watch", "budget", "extobj_contextvar")},
        "calls at garbage": list(gc.callbacks),
    }
