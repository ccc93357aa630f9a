# SPDX-License-Identifier: MIT
"""Tables from objects of other libraries: NumPy arrays, sympy matrices, pandas and polars frames, libqif and qiflib channels.

None of them is imported: an object is recognised by what it offers. Exact entries (int, Fraction, sympy Rational, text) come in as they
are; floats only with ``dyadic=True``, each as the exact dyadic rational that it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from exactdp.errors import InexactInputError, InputError, ShapeError
from exactdp.exact import QQ, Rational, Scalar, from_float
from exactdp.model.labels import Label
from exactdp.model.stochastic import Table

__all__ = ["from_floats", "table_of"]


def table_of(thing: Any, *, dyadic: bool = False, inputs: Iterable[Label] | None = None, outputs: Iterable[Label] | None = None) -> Table:
    """The table that an object of another library holds.

    Parameters
    ----------
    thing : array, matrix, frame, channel or rows
        Two-dimensional: a NumPy array (also of objects, as libqif's exact matrices are), a sympy matrix of rationals, a pandas or
        polars frame, an object with a ``matrix`` (a qiflib channel), or nested sequences.
    dyadic : bool
        Accept floats, each exactly as the double that it is.
    inputs, outputs : labels, optional
        0, 1, … unless given. A frame's column names become output labels, and a pandas index input labels, unless they are just numbered.

    Returns
    -------
    Table
        Not necessarily a mechanism: ask ``.faults()``, or :func:`exactdp.analysis.audit.audit`.

    Raises
    ------
    InexactInputError
        A float without ``dyadic=True``; names row and column.
    InputError, ShapeError
        An entry that is no number (a symbol), or not a table.

    Examples
    --------
    >>> from sympy import Matrix, Rational as R
    >>> print(table_of(Matrix([[R(1, 3), R(2, 3)]]), outputs=["no", "yes"]))
        no  yes
    0  1/3  2/3
    >>> table_of([[0.5, 0.5]], dyadic=True).matrix
    ExactMatrix([['1/2', '1/2']])
    """
    if isinstance(thing, Table):
        return thing
    rows, found_inputs, found_outputs = _read(thing)
    if not rows or not rows[0]:
        raise ShapeError("the table is empty", expected=">= 1", got=0)
    exact = [[_number(x, i, j, dyadic) for j, x in enumerate(row)] for i, row in enumerate(rows)]
    return Table(exact, found_inputs if inputs is None else inputs, found_outputs if outputs is None else outputs)


def from_floats(rows: Any, *, inputs: Iterable[Label] | None = None, outputs: Iterable[Label] | None = None) -> Table:
    """The table of exactly these doubles; its rows usually do not sum to 1, and ``faults()`` says by how much.

    >>> print(from_floats([[0.1, 0.9]]).faults())
    row 0 sums to 36028797018963969/36028797018963968, not 1 (excess 1/36028797018963968)
    """
    return table_of(rows, dyadic=True, inputs=inputs, outputs=outputs)


def _read(thing: Any) -> tuple[list[list[Any]], list[Label] | None, list[Label] | None]:
    """Rows of Python objects, and labels where the object has names."""
    if hasattr(thing, "columns") and hasattr(thing, "to_numpy"):
        names = [str(name) for name in thing.columns]
        index = None if not hasattr(thing, "index") or callable(thing.index) else [str(label) for label in thing.index]
        rows = [list(row) for row in thing.rows()] if callable(getattr(thing, "rows", None)) else thing.to_numpy().tolist()
        return rows, None if index is None else _named(index), _named(names)
    if hasattr(thing, "matrix") and not hasattr(thing, "tolist"):
        rows, _, _ = _read(thing.matrix)
        labels = getattr(thing, "outputs", None)
        secrets = getattr(getattr(thing, "secrets", None), "labels", None)
        return rows, _strings(secrets), _strings(labels)
    if hasattr(thing, "tolist"):
        thing = thing.tolist()
    if (
        isinstance(thing, str)
        or not isinstance(thing, Sequence)
        or any(isinstance(row, str) or not isinstance(row, Sequence) for row in thing)
    ):
        raise InputError(
            "the object is not a table: two dimensions are needed, rows are inputs and columns outputs", value=type(thing).__name__
        )
    return [list(row) for row in thing], None, None


def _named(labels: list[str]) -> list[Label] | None:
    """The labels, unless they only number the entries."""
    return None if labels == [str(i) for i in range(len(labels))] else list(labels)


def _strings(labels: Any) -> list[Label] | None:
    return None if labels is None else _named([str(label) for label in labels])


def _number(x: Any, row: int, column: int, dyadic: bool) -> Any:
    """One entry, exactly."""
    where = f"row {row}, column {column}"
    if isinstance(x, Scalar):
        return x
    if hasattr(x, "item") and hasattr(x, "dtype"):  # a NumPy scalar among objects
        x = x.item()
    if isinstance(x, bool):
        raise InputError(f"{where}: a truth value, not a number", row=row, column=column, value=x)
    if isinstance(x, (int, Fraction, str)):
        return QQ(x)
    if getattr(x, "is_Rational", False):  # sympy
        return Rational(int(x.p), int(x.q))
    if isinstance(x, float):
        if dyadic:
            return from_float(x)
        raise InexactInputError(
            f"{where}: {x!r} is a float; say dyadic=True (from_floats) if exactly this double is meant, or give fractions",
            row=row,
            column=column,
            value=x,
        )
    if getattr(x, "is_Float", False):
        raise InexactInputError(
            f"{where}: {x} is sympy's Float; give sympy Rationals, or Python floats with dyadic=True", row=row, column=column, value=x
        )
    if getattr(x, "free_symbols", None):
        raise InputError(f"{where}: {x} contains symbols; write it as text of an exact field instead", row=row, column=column, value=x)
    try:  # Decimal and other exact numbers that know their fraction
        top, bottom = x.as_integer_ratio()
    except (AttributeError, ValueError, OverflowError, TypeError):
        raise InputError(f"{where}: {x!r} (a {type(x).__name__}) is not an exact number", row=row, column=column, value=x) from None
    return Rational(int(top), int(bottom))
