# SPDX-License-Identifier: MIT
"""Cells of text tables: splitting comma-separated lines, and exact numbers that remember where they stood."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from exactdp.errors import InputError, ResourceLimitError
from exactdp.exact import Rational, from_float

__all__ = ["MAX_CHARACTERS", "csv_lines", "number_in", "within"]

MAX_CHARACTERS = 256_000_000
"""Longest text of a table."""

_QUOTED = re.compile(r'[ \t]*"((?:[^"]|"")*)"[ \t]*|([^",]*)')

S = TypeVar("S")
T = TypeVar("T")


def csv_lines(text: str) -> list[tuple[int, list[str]]]:
    r"""The lines of a CSV text that are not blank, each with its number and its cells without surrounding blanks.

    A cell may stand in double quotes (for labels with commas); a quoted cell ends on its line.

    >>> csv_lines('1/2, 1/2\n\n"a,b",0\n')
    [(1, ['1/2', '1/2']), (3, ['a,b', '0'])]
    """
    if len(text) > MAX_CHARACTERS:
        raise ResourceLimitError(f"a table of {len(text)} characters; the limit is {MAX_CHARACTERS}", limit=MAX_CHARACTERS, got=len(text))
    lines = enumerate(re.split(r"\r\n|\n|\r", text.removeprefix("\ufeff")), 1)
    result = [(number, _cells(line, number)) for number, line in lines if line.strip(" \t")]
    if not result:
        raise InputError("the table is empty", line=1)
    return result


def _cells(line: str, number: int) -> list[str]:
    if '"' not in line:
        return [cell.strip(" \t") for cell in line.split(",")]
    cells, position = [], 0
    while True:
        match = _QUOTED.match(line, position)
        end = position if match is None else match.end()
        if match is None or (end < len(line) and line[end] != ","):
            raise InputError(
                f"line {number}, character {end + 1}: a quotation mark inside a cell, or one that is not closed", line=number, position=end
            )
        quoted, plain = match.groups()
        cells.append(plain.strip(" \t") if quoted is None else quoted.replace('""', '"'))
        if end == len(line):
            return cells
        position = end + 1


def number_in(text: str, *, dyadic: bool = False) -> Rational:
    """The exact number of a cell; with ``dyadic`` a decimal is rounded to a double first, and that double is taken exactly.

    >>> number_in("0.1"), number_in("0.1", dyadic=True)
    (Rational('1/10'), Rational('3602879701896397/36028797018963968'))
    """
    exact = Rational(text)
    if dyadic and not text.lstrip("-").replace("/", "").isdigit():
        return from_float(float(text))
    return exact


def within(read: Callable[[S], T], source: S, *, row: int, column: int, line: int | None = None) -> T:
    """What ``read(source)`` returns; an InputError is raised again with the place in the table before its message."""
    try:
        return read(source)
    except InputError as error:
        where = f"row {row}, column {column}" + ("" if line is None else f" (line {line})")
        facts = {**error.facts, "row": row, "column": column, "line": line}
        raise type(error)(f"{where}: {error.message}", **facts) from None
