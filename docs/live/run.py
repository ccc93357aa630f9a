# SPDX-License-Identifier: MIT
"""Run a text as Python does with what one types: after each statement its value is printed, if it has one."""

from __future__ import annotations

import ast
import contextlib
import io
import traceback
from typing import Any

PLACE = "<the code above>"
MOST = 100_000
"""Characters of output that are shown."""


def run(text: str) -> str:
    r"""What the text prints, and the errors. After one the next statement is run, as when one types.

    >>> run("x = 1\nx + 1\nfor k in range(2):\n    print(k)\n1 / 0\nprint('on')")
    '2\n0\n1\nline 5: ZeroDivisionError: division by zero\non\n'
    >>> run("x = (")
    "line 1: SyntaxError: '(' was never closed\n"
    """
    names: dict[str, Any] = {"__name__": "__main__"}
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            statements = ast.parse(text, PLACE).body
        except (SyntaxError, ValueError) as error:
            return f"line {getattr(error, 'lineno', 1)}: {type(error).__name__}: {getattr(error, 'msg', error)}\n"
        for statement in statements:
            try:
                exec(compile(ast.Interactive([statement]), PLACE, "single"), names)
            except BaseException as error:
                print(f"line {statement.lineno}: {traceback.format_exception_only(error)[-1]}", end="")
    shown = said.getvalue()
    return shown if len(shown) <= MOST else f"{shown[:MOST]}\n… ({len(shown) - MOST} characters more)\n"
