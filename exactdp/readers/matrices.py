# SPDX-License-Identifier: MIT
"""Matrices as somebody writes them, with letters: rows, text, files, and matrices of other libraries."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import Any

from exactdp.exact import ExactMatrix, LettersLike, common_field, letters_of
from exactdp.model.mechanism import Table
from exactdp.readers.entrance import read_source
from exactdp.readers.estimates import refuse_aside
from exactdp.readers.objects import table_of
from exactdp.readers.tables import read_grid, read_table


def matrix(table: Any, letters: LettersLike | None = None, where: Iterable[str] = ()) -> ExactMatrix:
    r"""The matrix that is written, its letters standing for every point of a region.

    Parameters
    ----------
    table : rows, text, or matrix of another library
        Rows of exact numbers and formulas; the text of LaTeX, CSV or JSON, as it is pasted, or the name of a
        file (:func:`~exactdp.read_table` tells them apart); a matrix of
        sympy, an array of texts or exact objects, a frame. Labels are dropped: :func:`~exactdp.read_table`
        and :func:`~exactdp.table_of` keep them.
    letters : mapping, text or Region, optional
        What each letter may be: an interval such as ``"(0, 1/2)"``, ``"[0, 1)"``, ``"(0, oo)"``, an
        inequality, or the number that it is; or all of it as text, ``"0 < p < 1/2, n = 3"``
        (:class:`~exactdp.Region`).
    where : iterable of str
        Further inequalities between the letters, such as ``"p + q < 1"``.

    Returns
    -------
    ExactMatrix
        Over the rational functions of the letters on their region; over ℚ, or what else has the entries,
        without letters.

    Raises
    ------
    InputError
        A letter has no assumption, the assumptions contradict each other, or an entry is no formula.
    DomainError
        An entry has a pole in the region; the message names the point.

    Examples
    --------
    >>> M = matrix([["1-p", "p"], ["q", "1-q"]], letters={"p": "(0, 1/2)", "q": "(0, 1/2)"})
    >>> M.det(), M.det() > 0
    (RegionFunction('-p - q + 1'), True)
    >>> matrix(r"\begin{pmatrix} 1-p & p \\ q & 1-q \end{pmatrix}", "0 < p < 1/2, 0 < q < 1/2") == M
    True
    >>> matrix([["1-r", "r"]], letters={"p": "(0, 1)"})
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: row 0, column 0: '1-r' has the letter r, about which nothing is assumed ...
    """
    known = None if letters is None else letters_of(letters, where)
    written = isinstance(table, str | bytes | PathLike)

    def read(content: Any) -> Table:
        grid = read_grid(content, letters=known)
        refuse_aside(grid.aside)
        return read_table(grid)

    found = (read_source(table, read, () if known is None else known.names) if written else table_of(table, letters=known)).matrix
    return found if known is None else found.over(common_field(found, known.field))
