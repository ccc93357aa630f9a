# SPDX-License-Identifier: MIT
"""Which lines and columns of a file of plain numbers are labels, and in which order its rows are taken.

Standard library only: this file lies in every bundle beside check_bundle.py, which runs it. The rules are
those of the readers of exactdp: a number is no label, unless an option says so, the corner above is empty, or
the first column counts the rows. Where a cell may be read otherwise nothing is decided.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

MOST_ROUNDING = Fraction(1, 100)
"""So much does a row of probabilities miss 1 at most, below which a first column counts the rows."""

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,999})", re.ASCII)
_NUMBER = re.compile(r"[+-]?[0-9.][0-9.eE+/ -]*", re.ASCII)
_LEVEL = {"a", "alpha", "α"}
_NO_NUMBERS = {"nan", "inf", "infinity"}
_NO_WORD_ALONE = {"l", "I", "O", "o"}
_LONG_FORM = (
    {"i", "input", "index", "row", "from", "true", "x", "orig", "source", "var1", "level_0"},
    {"j", "output", "col", "column", "to", "y", "target", "var2", "level_1", "variable"},
    {"p", "prob", "probability", "pij", "p_ij", "pr", "value", "freq"},
)
"""Names of columns of a file with a line for each input and output."""


@dataclass(frozen=True)
class Asked:
    """What decides of a file beside its options of reading.

    * ``own``: the labels of the family of neighbours, in its order; None for neighbours that are listed by
      their labels, whose order is that of their list.
    * ``is_index``: whether a first column may count the rows: not beside ``--no-header``; None if unknown.
    """

    own: Sequence[str] | None = ()
    is_index: bool | None = True


def kind_of(cell: str) -> str:
    """What a cell that stands for a label can be: an integer, the level, a word, another number, or unsure.

    >>> [kind_of(cell) for cell in ("12", "0.5", "no", "a", "age 20", "a-a", "50%", "1/2", "O.5", "≥ 65")]
    ['integer', 'number', 'word', 'level', 'word', 'unsure', 'unsure', 'number', 'unsure', 'word']
    """
    if _INTEGER.fullmatch(cell):
        return "integer"
    if _NUMBER.fullmatch(cell):
        return "number"
    if cell in _LEVEL:
        return "level"
    bare = cell.lstrip("<>≤≥")
    plain = all(x.isalpha() or (x.isascii() and (x.isdigit() or x in "_ -")) for x in bare)
    names = [name for name in re.split(r"[ -]+", bare) if name and not name.isdigit()]
    is_formula = bare == cell and set(names) <= _LEVEL
    begins = bare != cell or cell[:1].isalpha()
    return "word" if plain and begins and not is_formula and cell.lower() not in _NO_NUMBERS else "unsure"


def _are_words(cells: Sequence[str]) -> bool:
    """Whether all cells are words, beside the letter of a level plain names."""
    kinds = [kind_of(cell) for cell in cells]
    fit = all(re.fullmatch(r"[^\W\d_]\w*", cell) for cell in cells) if "level" in kinds else set(kinds) <= {"word"}
    return fit and any(kind == "word" and cell not in _NO_WORD_ALONE for kind, cell in zip(kinds, cells, strict=True))


def are_labels(cells: Sequence[Sequence[str]], above: int, before: int, reading: Mapping[str, Any], asked: Asked) -> bool | None:
    """Whether the first line is labels if ``above`` is 1, the first column if ``before`` is, and no others.

    None where this program can't tell.

    >>> are_labels([["0.9", "0.1"], ["1/2", "1/2"]], 1, 0, {}, Asked())
    False
    >>> are_labels([["10", "20"], ["1/2", "1/2"]], 1, 0, {"header": True}, Asked())
    True
    """
    if reading.get("labels") and above and not any(cells[0][:2]):  # two columns of labels, or more
        return None
    if reading.get("labels") or reading.get("header"):
        return (above, before) == (1, 1 if reading.get("labels") else 0)
    head, column = cells[0], [row[0] for row in cells[above:]]
    named = [*(head[before:] if above else ()), *(column if before else ())]
    kinds = {kind_of(cell) for cell in named} | ({"word"} if above and before and not head[0] else set())
    corner = kind_of(head[0]) if above and before and head[0] else "word"
    if "unsure" in kinds | {corner} or all({cell.lower() for cell in head} & names for names in _LONG_FORM):
        return None
    if "number" in kinds | {corner}:
        return False
    if above and before:
        is_named = corner in ("word", "level") and any(kind_of(cell) == "word" for cell in head[1:])
        return not head[0] or (_are_words(column) and is_named)
    if above:
        return _are_words(head) and not (len(head) > 1 and all(map(_INTEGER.fullmatch, column)))
    if before and _are_words(column):
        return len(cells) > 1 and any(kind_of(cell) == "number" for cell in head[1:])
    index = False if reading.get("transpose") else _is_index(cells, asked)
    return index if index is None else index is bool(before)


def _is_index(cells: Sequence[Sequence[str]], asked: Asked) -> bool | None:
    """Whether a first column counts the rows, which are probabilities that sum to 1 without it."""
    first = [row[0] for row in cells]
    if len(cells) < 2 or len(cells[0]) < 3 or asked.is_index is False:
        return False
    if not any(first == [str(start + place) for place in range(len(first))] for start in (0, 1)):
        return False
    try:
        rows = [[Fraction(x.replace(" ", "")) for x in row[1:]] for row in cells]
    except (ValueError, ZeroDivisionError):
        return None
    is_near = all(abs(sum(row, Fraction(-1))) <= MOST_ROUNDING and all(x + MOST_ROUNDING >= 0 for x in row) for row in rows)
    if not is_near or all(x in (0, 1) for row in rows for x in row):
        return False
    return asked.is_index


def are_rows_in_order(written: Sequence[str] | None, labels: Sequence[str], by_position: bool, asked: Asked) -> bool | None:
    """Whether rows that a file writes so, or without labels, are read in this order; None: not known.

    Integers are in the order of their numbers; the points of a family, and labels of a list of neighbours, in
    the order of these; all others in that of the file.

    >>> written = None, ["b", "a"], ["10", "0"], ["b", "a"]
    >>> labels = ["0", "2", "1"], ["a", "b"], ["0", "10"], ["b", "a"]
    >>> [are_rows_in_order(*both, False, Asked()) for both in zip(written, labels, strict=True)]
    [False, False, True, True]
    """
    own = asked.own
    if by_position:  # the order may be that of a file that is labelled
        is_known = written is not None and list(written) == list(labels) and (own is None or not _is_moved(labels))
        return True if is_known else None
    if written is None:
        if list(labels) in ([str(k) for k in range(len(labels))], list(own or ())):
            return True
        return None if own is None else False
    if own is None:
        return True
    if sorted(own) == sorted(written):
        return list(labels) == list(own)
    return list(labels) == (sorted(written, key=int) if _is_moved(written) else list(written))


def _is_moved(labels: Sequence[str]) -> bool:
    """Whether labels are integers, and not in the order of their numbers."""
    return all(map(_INTEGER.fullmatch, labels)) and sorted(labels, key=int) != list(labels)


def are_columns_in_order(written: Sequence[str] | None, labels: Sequence[str], by_position: bool) -> bool | None:
    """The same of columns: they are in the order of the file, or may have the labels of guesses."""
    if written is None and by_position:
        return None
    return list(labels) == ([str(k) for k in range(len(labels))] if written is None else list(written))


def all_of(*answers: Callable[[], bool | None]) -> bool | None:
    """False if an answer is, else None if one is unknown.

    >>> all_of(lambda: None, lambda: False), all_of(lambda: True, lambda: None), all_of(lambda: True)
    (False, None, True)
    """
    found = [answer() for answer in answers]
    return False if False in found else None if None in found else True
