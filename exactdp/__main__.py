# SPDX-License-Identifier: MIT
"""The command line as a program: ``exactdp``, and ``python -P -m exactdp``."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
from typing import NoReturn

_SELDOM = 500_000
"""New objects after which Python looks for circles among them: modules and exact numbers are in none, and it
takes two milliseconds for each 50,000 that stay."""


def main() -> NoReturn:
    """Run it; also an interrupt at its start or end, or a broken installation, has the code that says so.

    An exception that nobody catches would end it with 1, which means refuted.
    """
    prepare()
    try:
        try:
            from exactdp.cli import main as program
        except Exception as error:  # a library that is missing, or too old for us
            with contextlib.suppress(OSError, AttributeError):
                sys.stderr.write(f"Error: {type(error).__name__}: {error}; the installation of exactdp is incomplete, install it again\n")
            sys.exit(70)
        program.main(prog_name="exactdp")
    except SystemExit as ended:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, _leave)  # until the process has ended
        if isinstance(ended.code, int):
            _leave_at_once(ended.code)
        raise
    except Exception as error:  # before or after all that the program does about its errors
        memory = isinstance(error, MemoryError)
        reason = (
            "there is not enough memory" if memory else f"{type(error).__name__}: {error}; this is a defect of exactdp, please report it"
        )
        with contextlib.suppress(OSError, AttributeError):
            sys.stderr.write(f"Error: {reason}\n")
        sys.exit(4 if memory else 70)
    except KeyboardInterrupt:  # one more, when the first was told: nothing is left to be done
        _leave()


def prepare() -> None:
    """Set what saves a program a tenth of a second; a library may not, since all of a process shares it."""
    gc.set_threshold(_SELDOM)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # matrices are small here: more threads only start, and wait


def _leave_at_once(code: int) -> NoReturn:
    """End without what the interpreter does at its end: it takes a tenth of a short command, and threads of a
    cluster's client may abort it.
    """
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code)


def _leave(*_: object) -> NoReturn:
    os._exit(130)


if __name__ == "__main__":
    main()
