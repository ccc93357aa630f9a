# SPDX-License-Identifier: MIT
"""What a terminal shows, and who heeds its interrupts."""

from __future__ import annotations

import signal


def heeding_interrupts() -> None:
    """Run in a new process: whoever starts the tests in the background of a shell makes all of them ignore
    SIGINT.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def screen(text: str) -> list[str]:
    """What a terminal shows after this text: carriage returns go back, new lines go down."""
    lines, at = [""], 0
    for x in text.replace("\x1b[K", ""):
        if x == "\r":
            at = 0
        elif x == "\n":
            lines.append("")
            at = 0
        elif x != "\x1b":
            lines[-1] = lines[-1][:at].ljust(at) + x + lines[-1][at + 1 :]
            at += 1
    return [line.rstrip() for line in lines]
