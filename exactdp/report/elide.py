# SPDX-License-Identifier: MIT
"""Very long numbers in text for people."""

from __future__ import annotations

import re

__all__ = ["LONG_RUN", "elide"]

LONG_RUN = 40
"""A run of digits longer than this is shortened."""


def elide(text: str) -> str:
    """The text with the middle of very long runs of digits left out, and their length said.

    >>> elide("1/" + "7" * 50)
    '1/777777777777…777777777777[50 digits]'
    """
    return re.sub(rf"[0-9]{{{LONG_RUN + 1},}}", lambda run: f"{run[0][:12]}…{run[0][-12:]}[{len(run[0])} digits]", text)
