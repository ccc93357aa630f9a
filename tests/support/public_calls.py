# SPDX-License-Identifier: MIT
"""A small valid call of every public name: the example of its documentation, without what it prints."""

from __future__ import annotations

import ast
import doctest
import inspect
import io
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

import exactdp as xdp
from exactdp.errors import ExactDPError

SPELLED = {"neighbors": "neighbours"}
"""Names whose documentation has the example with the other spelling."""


class Terminal(io.StringIO):
    """A stream on which a progress bar draws."""

    def isatty(self) -> bool:
        return True


def _sweep() -> None:
    plan = xdp.Plan([xdp.Question("tight", f"star:{m}", "2/3") for m in (3, 4, 5)])
    folder = Path(tempfile.mkdtemp())
    xdp.sweep(plan, folder / "stars", workers=2)


def _progress_bar() -> None:
    progress = xdp.progress_bar(Terminal())
    try:
        with progress:
            xdp.optimum(xdp.neighbours("grid:3x3"), "1/3", xdp.BayesianConsumer("zero-one", "uniform"), progress=progress)
    finally:
        progress.close()  # as its documentation says, for an interrupt at the end of ``with``


OWN: dict[str, Callable[[], None]] = {"sweep": _sweep, "progress_bar": _progress_bar}
"""Calls of what does nothing where its example runs: it needs a folder, or a terminal."""


@cache
def _steps(name: str) -> list[tuple[CodeType, bool]]:
    """The statements of an example, compiled, and whether each of them is refused."""
    documented = inspect.getattr_static(xdp, name, None) or getattr(xdp, name)
    examples = doctest.DocTestParser().get_examples(documented.__doc__ or "")
    steps = []
    for example in examples:
        for statement in ast.parse(example.source).body:
            steps.append((_compiled(statement, name), example.exc_msg is not None))
    return steps


def _compiled(statement: ast.stmt, name: str) -> CodeType:
    if isinstance(statement, ast.Expr):  # what is shown is written out, though nowhere
        shown = ast.Call(ast.Name("repr", ast.Load()), [statement.value], [])
        statement = ast.copy_location(ast.Expr(shown), statement)
    module = ast.fix_missing_locations(ast.Module([statement], []))
    return compile(module, f"<example of {name}>", "exec")


def calls_itself(name: str) -> bool:
    """Whether the call of a name does call it, or use it where it is no function."""
    if name in OWN:
        return True
    written = SPELLED.get(name, name)
    examples = doctest.DocTestParser().get_examples(getattr(xdp, name).__doc__ or "")
    nodes = [node for example in examples for node in ast.walk(ast.parse(example.source))]
    if inspect.isfunction(getattr(xdp, name)):
        nodes = [node.func for node in nodes if isinstance(node, ast.Call)]
    return any(written in (getattr(node, "id", None), getattr(node, "attr", None)) for node in nodes)


def call(name: str) -> None:
    """Do what the documentation of a public name shows."""
    if name in OWN:
        OWN[name]()
        return
    thing = getattr(xdp, name)
    module = sys.modules[getattr(thing, "__module__", None) or type(thing).__module__]
    variables: dict[str, Any] = {**vars(module), "print": lambda *shown, **_: [str(x) for x in shown]}
    for step, refused in _steps(name):
        try:
            exec(step, variables)
        except ExactDPError:
            if not refused:
                raise
