# SPDX-License-Identifier: MIT
"""Tables from files: CSV, JSON and .npy, with nothing rounded on the way.

Decimals are exact decimals. A file of floats is refused, unless ``dyadic=True`` says that exactly those doubles are meant; then a decimal
text is rounded to the nearest double first, as the program that computed with it did.
"""

from __future__ import annotations

from exactdp.exact import Rational
from exactdp.model.cells import number_in
from exactdp.model.grid import Grid, csv_grid, json_grid, prior_grid, read_grid
from exactdp.model.npy import table_from_npy
from exactdp.model.prior import Prior
from exactdp.model.stochastic import Table

__all__ = ["numbers_of", "prior_of", "read_prior", "read_table", "table_from_csv", "table_from_json", "table_from_npy", "vector_from_csv"]


def read_table(content: str | bytes, *, labels: bool = False, dyadic: bool = False) -> Table:
    """The table in the content of a file, whichever of the three formats it has.

    Parameters
    ----------
    content : str or bytes
        Text that begins with ``[`` or ``{`` is JSON, bytes that begin as .npy files do are that, everything else is CSV.
    labels : bool
        Whether the first line and the first column of a CSV are labels.
    dyadic : bool
        Read decimals and floats as the doubles that they are.

    Returns
    -------
    Table

    Examples
    --------
    >>> read_table('[["1/2", 0.5]]') == read_table("0.5,1/2")
    True
    """
    return numbers_of(read_grid(content, labels=labels, dyadic=dyadic), dyadic=dyadic)


def numbers_of(grid: Grid, *, dyadic: bool = False) -> Table:
    """The table of numbers that a file holds, with its labels."""
    return Table(grid.entries(lambda cell: number_in(cell, dyadic=dyadic)), grid.inputs, grid.outputs)


def table_from_csv(text: str, labels: bool = False, *, dyadic: bool = False) -> Table:
    r"""A table from comma-separated exact numbers, a row a line.

    Parameters
    ----------
    text : str
        Fractions, integers or decimals; blank lines are skipped.
    labels : bool
        Whether the first line holds the output labels and the first column the input labels (the corner is ignored).
    dyadic : bool
        Read decimals as doubles.

    Raises
    ------
    RationalSyntaxError
        A cell is not a number; names row, column, line and position.
    ShapeError
        Lines of different lengths.

    Examples
    --------
    >>> print(table_from_csv(",lo,hi\na,0.25,0.75\n", labels=True))
        lo   hi
    a  1/4  3/4
    """
    return numbers_of(csv_grid(text, labels), dyadic=dyadic)


def vector_from_csv(text: str, *, dyadic: bool = False) -> tuple[Rational, ...]:
    r"""A vector, such as a prior, from one line or one column of exact numbers.

    >>> vector_from_csv("1/2, 0.25, 0.25") == vector_from_csv("1/2\n0.25\n0.25\n")
    True
    """
    return _weights(prior_grid(text), dyadic)


def read_prior(content: str | bytes, *, labels: bool = False, dyadic: bool = False) -> Prior:
    """The prior in the content of a file, with its labels if it has some.

    Parameters
    ----------
    content : str or bytes
        JSON: an object from label to weight, or a list of weights. CSV: one line or one column of weights.
    labels : bool
        Whether a CSV has a line ``label,weight`` for each input instead.
    dyadic : bool
        Read decimals as doubles.

    Examples
    --------
    >>> read_prior('{"no": "1/3", "yes": "2/3"}').inputs, read_prior("1/3,2/3").inputs
    (('no', 'yes'), ('0', '1'))
    """
    return prior_of(prior_grid(content, labels=labels), dyadic=dyadic)


def prior_of(grid: Grid, *, dyadic: bool = False) -> Prior:
    """The prior that a file holds."""
    return Prior(_weights(grid, dyadic), grid.inputs)


def _weights(grid: Grid, dyadic: bool) -> tuple[Rational, ...]:
    return tuple(x for row in grid.entries(lambda cell: number_in(cell, dyadic=dyadic)) for x in row)


def table_from_json(text: str, *, dyadic: bool = False) -> Table:
    """A table from JSON: a list of rows, or an object with ``rows`` and optionally ``inputs`` and ``outputs``.

    Numbers are strings (``"1/3"``), integers, or decimals; the decimals are read from their *text*, exactly.

    Examples
    --------
    >>> print(table_from_json('{"inputs": ["a"], "outputs": [0, 1], "rows": [["1/3", "2/3"]]}'))
         0    1
    a  1/3  2/3
    >>> table_from_json("[[0.1, 0.9]]").matrix
    ExactMatrix([['1/10', '9/10']])
    """
    return numbers_of(json_grid(text), dyadic=dyadic)
