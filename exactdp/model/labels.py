# SPDX-License-Identifier: MIT
"""Labels: the names of inputs, outputs and guesses.

A label is a non-empty string; where a label is asked for an int is turned into its decimal text. An *integer label* matches
``-?(0|[1-9][0-9]*)``; losses such as |i − r| need those.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from exactdp.errors import InputError, LabelError, ShapeError
from exactdp.exact import ExactMatrix, Rational, entries_of, field_of

__all__ = [
    "Label",
    "Labels",
    "as_labels",
    "as_matrix",
    "field_of",
    "grid_text",
    "integer_labels",
    "is_integer_label",
    "position_of",
    "require_same_labels",
]

Label = str | int
Labels = tuple[str, ...]

_INTEGER = re.compile(r"-?(0|[1-9][0-9]*)", re.ASCII)


def as_label(label: Label, *, what: str = "label") -> str:
    """One label as text; anything but a non-empty str or an int is refused."""
    if isinstance(label, str):
        if not label:
            raise LabelError(f"a {what} is the empty text; every label needs at least one character", label=label)
        return label
    if isinstance(label, int) and not isinstance(label, bool):
        return str(Rational(label))
    raise LabelError(f"{label!r} (a {type(label).__name__}) is not a {what}; labels are text or ints", label=label)


def as_labels(labels: Iterable[Label] | None, size: int | None = None, *, what: str = "label") -> Labels:
    """Distinct non-empty labels as a tuple of text; ``None`` means 0, 1, …, size−1.

    Parameters
    ----------
    labels : iterable of str or int, or None
        The names, in order.
    size : int, optional
        How many there must be.
    what : str
        What they name, for the error.

    Raises
    ------
    LabelError
        A label is empty, of another type, or repeated.
    ShapeError
        Their number is not ``size``.

    Examples
    --------
    >>> as_labels(None, 3), as_labels([0, "a"])
    (('0', '1', '2'), ('0', 'a'))
    """
    if labels is None:
        return tuple(str(i) for i in range(size or 0))
    if isinstance(labels, str):
        raise LabelError(f"{labels!r} is one text, not a list of {what}s; write [{labels!r}] or a tuple", label=labels)
    result = tuple(
        as_label(label, what=what) for label in (labels if isinstance(labels, (tuple, range)) else entries_of(labels, f"{what}s"))
    )
    if size is not None and len(result) != size:
        raise ShapeError(f"{len(result)} {what}s given, {size} needed", expected=size, got=len(result))
    if not result:
        raise ShapeError(f"at least one {what} is needed", expected=1, got=0)
    if len(set(result)) != len(result):
        first: dict[str, int] = {}
        for place, label in enumerate(result):
            if label in first:
                raise LabelError(f"the {what} {label!r} occurs at places {first[label]} and {place}; {what}s are distinct", label=label)
            first[label] = place
    return result


def is_integer_label(label: str) -> bool:
    """Whether the label is an integer in plain decimal notation.

    >>> [is_integer_label(x) for x in ("12", "-3", "007", "1/2", "a")]
    [True, True, False, False, False]
    """
    return _INTEGER.fullmatch(label) is not None


def integer_labels(labels: Sequence[str], *, purpose: str) -> tuple[int, ...]:
    """The integers that the labels spell; LabelError naming the first that is none.

    >>> integer_labels(("0", "10"), purpose="the loss abs")
    (0, 10)
    """
    for label in labels:
        if not is_integer_label(label):
            raise LabelError(
                f"{purpose} needs integer labels, and {label!r} is none; on a graph use the loss 'distance' instead", label=label
            )
    return tuple(Rational(label).numerator for label in labels)


def position_of(label: Label, labels: Labels, *, what: str = "label") -> int:
    """Where a label stands in a list of labels; LabelError if it does not.

    >>> position_of(2, ("1", "2"))
    1
    """
    text = as_label(label, what=what)
    try:
        return labels.index(text)
    except ValueError:
        raise LabelError(f"unknown {what} {text!r}; the labels are {brief(labels)}", label=text, labels=labels) from None


def require_same_labels(got: Labels, expected: Labels, *, got_what: str, expected_what: str) -> None:
    """LabelError, naming the first difference, unless two lists of labels are the same in the same order."""
    if got == expected:
        return
    place = next((k for k, (a, b) in enumerate(zip(got, expected, strict=False)) if a != b), min(len(got), len(expected)))
    if len(got) != len(expected):
        difference = f"there are {len(got)} and {len(expected)} of them"
    else:
        difference = f"they first differ at place {place}: {got[place]!r} and {expected[place]!r}"
    raise LabelError(
        f"{got_what} are {brief(got)}, but {expected_what} are {brief(expected)}; {difference}. Both must be the same, in the same order",
        got=got,
        expected=expected,
        position=place,
    )


def brief(labels: Sequence[str]) -> str:
    """A list of labels in at most about sixty characters."""
    if len(labels) <= 8:
        return "(" + ", ".join(labels) + ")"
    return "(" + ", ".join(labels[:4]) + f", …, {labels[-1]}; {len(labels)} labels)"


def as_matrix(matrix: ExactMatrix | Sequence[Sequence[object]]) -> ExactMatrix:
    """The exact matrix given, or one made of rows of text, ints and scalars (over the field of its scalars, else ℚ)."""
    if isinstance(matrix, ExactMatrix):
        return matrix
    if isinstance(matrix, str) or not hasattr(matrix, "__iter__"):
        raise InputError(f"{matrix!r} is not a matrix; give rows of exact numbers, or read a table first", value=matrix)
    rows = []
    for i, row in enumerate(entries_of(matrix, "rows of the matrix")):
        if isinstance(row, str) or not hasattr(row, "__iter__"):
            raise InputError(f"row {i} of the matrix is {row!r}, not a sequence of numbers", row=i, value=row)
        rows.append(entries_of(row, f"entries of row {i}"))
    return ExactMatrix(rows)


def grid_text(matrix: ExactMatrix, row_labels: Labels, column_labels: Labels) -> str:
    """The matrix as aligned text with its labels.

    >>> print(grid_text(ExactMatrix([["1/2", "1/2"], [0, 1]]), ("0", "1"), ("no", "yes")))
        no  yes
    0  1/2  1/2
    1    0    1
    """
    lines: list[list[Any]] = [["", *column_labels]]
    lines += [[label, *(str(x) for x in row)] for label, row in zip(row_labels, matrix.rows(), strict=True)]
    widths = [max(len(line[j]) for line in lines) for j in range(len(lines[0]))]
    return "\n".join(
        "  ".join([line[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True))])
        for line in lines
    )
