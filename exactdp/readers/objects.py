# SPDX-License-Identifier: MIT
"""Tables from objects of other libraries: NumPy, sympy, pandas, polars, libqif, qiflib.

None of them is imported: an object is recognised by what it offers. Exact entries (int, Fraction, sympy
Rational, text) come in as they are; floats only with ``dyadic=True``, each as the exact dyadic rational that
it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from os import PathLike
from typing import Any

from exactdp.errors import InexactInputError, InputError, LabelError, RationalSyntaxError, ShapeError, brief_value, wrong_kind
from exactdp.exact import (
    QQ,
    ExactMatrix,
    Letters,
    LettersLike,
    Rational,
    Scalar,
    entries_of,
    from_float,
    index_labels,
    is_frame,
    letters_of,
)
from exactdp.exact.inexact import is_decimal
from exactdp.model.faults import MOST_ROUNDING
from exactdp.model.labels import Label, Labels, Positions, as_labels, as_matrix, brief
from exactdp.model.mechanism import Mechanism, Table
from exactdp.readers.cells import plain_number
from exactdp.readers.entrance import is_open_file
from exactdp.readers.grids import name_at


def table_of(
    thing: Any,
    *,
    dyadic: bool = False,
    inputs: Iterable[Label] | None = None,
    outputs: Iterable[Label] | None = None,
    letters: LettersLike | None = None,
) -> Table:
    """The table that an object of another library holds.

    Parameters
    ----------
    thing : array, matrix, frame, channel or rows
        Two-dimensional: a NumPy array (also of objects, as libqif's exact matrices are), a sympy matrix of
        rationals, a pandas or polars frame, an object with a ``matrix`` (a qiflib channel), or nested
        sequences.
    dyadic : bool
        Accept floats, each exactly as the double that it is.
    inputs, outputs : labels, optional
        Of an object without labels. A frame's column names are output labels and a pandas index holds input
        labels; the default index, and the names that polars makes up (column_0, …), are none. An object that
        has labels keeps them: others are refused.
    letters : mapping, text or Region, optional
        What the letters in texts and the symbols of sympy may be (:class:`~exactdp.Region`), or which numbers
        they are.

    Returns
    -------
    Table
        Not necessarily a mechanism: ask ``.faults()``, or :func:`exactdp.analysis.audit.audit`.

    Raises
    ------
    InexactInputError
        A float without ``dyadic=True``; names row and column.
    LabelError
        ``inputs`` or ``outputs`` are not the labels that the object has.
    InputError, ShapeError
        An entry that is no number (a symbol), or not a table; a mapping or a set.

    Examples
    --------
    >>> from sympy import Matrix, Rational as R
    >>> print(table_of(Matrix([[R(1, 3), R(2, 3)]]), outputs=["no", "yes"]))
        no  yes
    0  1/3  2/3
    >>> table_of([[0.5, 0.5]], dyadic=True).matrix
    ExactMatrix([['1/2', '1/2']])
    """
    if isinstance(thing, PathLike | str) or is_open_file(thing):
        told = f"{brief_value(thing)} is no object of a library; read_table reads the text of a table, and a file by its name"
        raise InputError(told, value=thing)
    if isinstance(thing, type):
        raise wrong_kind("table", thing, "rows of exact numbers, or an array, matrix or frame")
    known = None if letters is None else letters_of(letters)
    rows, found_inputs, found_outputs = _read(thing, known)
    if not rows or not rows[0]:
        raise ShapeError("the table is empty", expected=">= 1", got=0)
    names = (found_inputs, found_outputs) if is_frame(thing) else (None, None)
    exact = [
        [x if known and (isinstance(x, str) or _has_symbols(x)) else _number(x, i, j, dyadic, names) for j, x in enumerate(row)]
        for i, row in enumerate(rows)
    ]
    matrix = ExactMatrix(exact) if known is None else as_matrix(exact, known)
    if is_frame(thing) and found_inputs is None and inputs is None:
        _require_no_index(matrix, list(found_outputs or []))
    return Table(matrix, _agreed(found_inputs, inputs, "input label"), _agreed(found_outputs, outputs, "output label"))


def from_floats(rows: Any, *, inputs: Iterable[Label] | None = None, outputs: Iterable[Label] | None = None) -> Table:
    """The table of exactly these doubles; ``faults()`` says by how much its rows miss the sum 1.

    >>> print(from_floats([[0.1, 0.9]]).faults())
    row 0 sums to 36028797018963969/36028797018963968, not 1 (excess 1/36028797018963968)
    """
    return table_of(rows, dyadic=True, inputs=inputs, outputs=outputs)


def _is_assumed(symbol: Any) -> bool:
    """Whether a symbol of sympy says where it may be: positive, nonnegative, …."""
    return any(symbol.assumptions0.get(name) for name in ("positive", "negative", "nonnegative", "nonpositive"))


def _has_symbols(x: Any) -> bool:
    """Whether an entry is an expression of sympy with symbols."""
    return bool(getattr(x, "free_symbols", None))


def _read(thing: Any, letters: Letters | None = None) -> tuple[list[list[Any]], list[Label] | Labels | None, list[Label] | Labels | None]:
    """Rows of Python objects, and labels where the object has them."""
    if isinstance(thing, (Table, Mechanism)):
        return [list(row) for row in thing.matrix.rows()], thing.inputs, thing.outputs
    if isinstance(thing, ExactMatrix):
        return [list(row) for row in thing.rows()], None, None
    if is_frame(thing):
        return _frame(thing)
    of_sympy = hasattr(thing, "is_Matrix") and hasattr(thing, "shape")
    if of_sympy and (letters is not None or all(map(_is_assumed, thing.free_symbols))):
        return _read(as_matrix(thing, letters))
    if hasattr(thing, "nrows") or (of_sympy and not thing.free_symbols):  # FLINT, and sympy's numbers
        return _read(ExactMatrix.from_flint(thing) if hasattr(thing, "nrows") else ExactMatrix.from_sympy(thing))
    if hasattr(thing, "matrix") and not hasattr(thing, "tolist"):
        if hasattr(thing, "guesses"):
            raise InputError(f"a {type(thing).__name__} is no table of inputs and outputs; give its matrix", value=type(thing).__name__)
        rows, _, _ = _read(thing.matrix, letters)
        secrets, outputs = getattr(getattr(thing, "secrets", None), "labels", None), getattr(thing, "outputs", None)
        return rows, _strings(secrets), _strings(outputs)
    if getattr(getattr(thing, "dtype", None), "kind", "O") in "mM":
        raise InputError(f"the object holds times ({thing.dtype}), not numbers", value=type(thing).__name__)
    dimensions = getattr(thing, "ndim", None)
    if hasattr(thing, "tolist") and dimensions != 1 and not getattr(getattr(thing, "dtype", None), "names", None):
        thing = thing.tolist()
    rows = []
    for i, row in enumerate(entries_of(thing, "rows of the table")):
        if isinstance(row, str) or not hasattr(row, "__getitem__"):
            raise InputError(
                "the object is not a table: two dimensions are needed, rows are inputs and columns outputs", value=type(thing).__name__
            )
        rows.append(entries_of(row, f"entries of row {i}"))
    return rows, None, None


def _frame(frame: Any) -> tuple[list[list[Any]], list[Label] | None, list[Label] | None]:
    """A frame column by column, so that the entries of one keep their kind beside the floats of another."""
    if hasattr(frame, "iter_columns"):  # polars
        names = list(frame.columns)
        made_up = names == [f"column_{j}" for j in range(len(names))]
        columns = [column.to_list() for column in frame.iter_columns()]
        return [list(row) for row in zip(*columns, strict=True)], None, None if made_up else names
    columns = [frame.iloc[:, j].tolist() for j in range(len(frame.columns))]
    index = index_labels(getattr(frame, "index", None))
    return [list(row) for row in zip(*columns, strict=True)], index, index_labels(frame.columns)


def _require_no_index(matrix: ExactMatrix, names: list[Label]) -> None:
    """Refuse a first column of different whole numbers beside rows that sum to 1 without it: an index."""
    rows = list(matrix.rows()) if matrix.field is QQ and matrix.shape[1] > 1 else []
    first = [row[0] for row in rows]
    is_index = len(rows) > 1 and len(set(first)) == len(first) and all(x.is_integer() for x in first)
    if not is_index or all(abs(sum(row) - 1) <= MOST_ROUNDING for row in rows):
        return
    if all(abs(sum(row[1:]) - 1) <= MOST_ROUNDING for row in rows):
        name = f"{names[0]!r}" if names else "0"
        remedy = f"make it the index: df.set_index({name}), or read the file with pandas.read_csv(file, index_col=0)"
        raise InputError(f"without the first column ({name}) all rows sum to 1; if it numbers the rows, {remedy}", column=name)


def _agreed(found: Iterable[Label] | None, given: Iterable[Label] | None, what: str) -> Iterable[Label] | None:
    """The labels of an object, or those given for one without; LabelError if both are there and differ."""
    if given is None or found is None or isinstance(found, Positions):
        return found if given is None else given
    has, wanted = as_labels(found, what=what), as_labels(given, what=what)
    if has != wanted:
        raise LabelError(
            f"the object has the {what}s {brief(has)}, and {brief(wanted)} are given; leave them out, or drop the object's own first",
            got=wanted,
            expected=has,
        )
    return has


def _strings(labels: Any) -> list[Label] | None:
    return None if labels is None else [str(label) for label in labels]


def _number(x: Any, row: int, column: int, dyadic: bool, names: tuple[Any, Any]) -> Any:
    """One entry, exactly; an error names it by the labels of its frame, where there are some."""

    def refused(kind: type[InputError], text: str) -> InputError:
        where = f"row {name_at(names[0], row)}, column {name_at(names[1], column)}"
        return kind(f"{where}: {text}", row=row, column=column, value=x)

    if isinstance(x, Scalar) or type(x).__name__ in {"fmpq", "fmpz"}:
        return QQ(x) if not isinstance(x, Scalar) else x
    if hasattr(x, "item") and hasattr(x, "dtype"):  # a NumPy scalar among objects
        if x.dtype.kind in "mMcV":
            raise refused(InputError, f"{brief_value(x)} is not an exact number")
        if x.dtype.kind == "f" and not isinstance(x.item(), float):
            raise refused(InexactInputError, f"{x!r} is a float of more digits than a double; give fractions")
        x = x.item()
    if isinstance(x, bool):
        raise refused(InputError, "a truth value, not a number")
    if isinstance(x, str):
        try:
            return QQ(plain_number(x))
        except RationalSyntaxError as error:
            mistyped = "meant" in error.message  # such as O.7, whose remedy is there: no label
            labels = "; if the first column has labels, make it the index of the frame" if column == 0 and not mistyped else ""
            raise refused(RationalSyntaxError, f"{error.message}{labels}") from None
    if isinstance(x, (int, Fraction)):
        return QQ(x)
    if getattr(x, "is_Rational", False):  # sympy
        return Rational(int(x.p), int(x.q))
    if isinstance(x, float):
        if x - x != 0:  # infinite, or NaN
            raise refused(InexactInputError, f"{x!r} is no number that a table can have; an empty cell of a frame is NaN, too")
        if dyadic:
            return from_float(x)
        raise refused(
            InexactInputError, f"{x!r} is a float; say dyadic=True (from_floats) if exactly this double is meant, or give fractions"
        )
    if getattr(x, "is_Float", False):
        raise refused(InexactInputError, f"{x} is sympy's Float; give sympy Rationals, or Python floats with dyadic=True")
    if getattr(x, "free_symbols", None):
        raise refused(
            InputError, f"{x} contains symbols; say what they may be (letters={{…}}), or read the level with ExactMatrix.from_sympy"
        )
    if is_decimal(x):
        try:
            return QQ(x)
        except InexactInputError as error:
            raise refused(InexactInputError, error.message) from None
    try:  # other exact numbers that know their fraction
        top, bottom = x.as_integer_ratio()
    except (AttributeError, ValueError, OverflowError, TypeError):
        raise refused(InputError, f"{brief_value(x)} is not an exact number") from None
    return Rational(int(top), int(bottom))
