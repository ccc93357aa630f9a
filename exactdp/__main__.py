# SPDX-License-Identifier: MIT
"""The command line as a program: ``exactdp``, and ``python -m exactdp``."""

from __future__ import annotations

import contextlib
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run it; also an interrupt or a broken installation ends it with the code that says so.

    An exception that nobody catches would end it with 1, which means refuted.
    """
    try:
        from exactdp.cli import main as program
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:  # a library that is missing, or too old for us
        with contextlib.suppress(OSError, AttributeError):
            sys.stderr.write(f"Error: {type(error).__name__}: {error}; the installation of exactdp is incomplete, install it again\n")
        sys.exit(70)
    program.main(prog_name="exactdp")


if __name__ == "__main__":
    main()
