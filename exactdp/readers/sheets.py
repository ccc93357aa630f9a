# SPDX-License-Identifier: MIT
"""Sheets of Excel (.xlsx), through openpyxl, as lines of cells; labels are told apart as those of a CSV.

A number of a sheet is a double, unless it is whole: it is refused without ``dyadic``, as the floats of a .npy
file are. Cells of text, such as ``1/3``, are exact.
"""

from __future__ import annotations

import io
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from exactdp.errors import ExactDPError, InexactInputError, InputError
from exactdp.exact import Letters, from_float
from exactdp.readers.arrays import ZIP, archive_of, is_npz, member_of
from exactdp.readers.cells import Line
from exactdp.readers.csv_grids import grid_of_lines
from exactdp.readers.estimates import Aside
from exactdp.readers.foreign import members_named
from exactdp.readers.grids import Grid
from exactdp.runtime.budget import require_budget

if TYPE_CHECKING:
    import zipfile  # loaded for archives only


def is_sheet(content: bytes) -> bool:
    """Whether a content is an archive, and none of arrays."""
    return content.startswith(ZIP) and not is_npz(content)


def sheet_grid(
    content: bytes, dyadic: bool = False, labels: bool = False, letters: Letters | None = None, header: bool | None = None
) -> Grid:
    """The entries and labels of the only sheet with cells (:func:`sheet_lines`)."""
    lines = sheet_lines(content, dyadic)
    aside = Aside()
    lines = [(number, [aside.of_cell(cell, f"line {number}") for cell in cells]) for number, cells in lines]
    return aside.told(replace(grid_of_lines(lines, labels, letters, header), floats=dyadic))


def sheet_lines(content: bytes, dyadic: bool = False) -> list[Line]:
    """The lines of the only sheet with cells, from its first cell to its last.

    * raises InputError: no sheet, or more than one has cells; a formula whose value is not saved.
    * raises InexactInputError: a number that is a double, without ``dyadic``.
    """
    archive = archive_of(content, "the sheet")
    if "xl/workbook.xml" not in archive.namelist():
        known = members_named(archive.namelist())
        told = "an archive, but no .xlsx file and none of arrays; unpack it, and give the table"
        raise InputError(told if known is None else f"this is {known[0]}; {known[1]}", position=0)
    content, has_formulas = _unpacked(archive)
    try:
        import openpyxl
    except ImportError:
        raise InputError(
            "reading .xlsx needs openpyxl: pip install 'exactdp[excel]'; or save the sheet as CSV", module="openpyxl"
        ) from None
    try:
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        sheets = [(sheet.title, _cells(sheet)) for sheet in book.worksheets]
        if has_formulas:
            _require_values(content, sheets)
    except ExactDPError:
        raise
    except Exception as error:  # whatever a hostile file makes its reader do
        raise InputError(f"the .xlsx file can't be read: {str(error)[:100]}; save the sheet as CSV", position=0) from None
    filled = [(title, cells) for title, cells in sheets if cells]
    if not filled:
        raise InputError("the .xlsx file has no cell with something in it; save the table in it", value=0)
    if len(filled) != 1:
        names = ", ".join(repr(title) for title, _ in filled[:5])
        raise InputError(f"{len(filled)} sheets have cells ({names}); save the one that is the table in a file of its own", value=names)
    cells = filled[0][1]
    rows, columns = sorted({i for i, _ in cells}), sorted({j for _, j in cells})
    width = range(columns[0], columns[-1] + 1)
    require_budget("the sheet", numbers=len(rows) * len(width))
    return [(i, [_text(cells.get((i, j)), i, j, dyadic) for j in width]) for i in rows]


_ENTITIES = tuple("<!DOCTYPE".encode(coding) for coding in ("utf-8", "utf-16-le", "utf-16-be"))


def _unpacked(archive: zipfile.ZipFile) -> tuple[bytes, bool]:
    """The same archive, not compressed, so that its reader unpacks nothing, and whether sheets have formulas.

    A part that may define entities of XML, which no program writes, is refused.
    """
    import zipfile

    stream, has_formulas = io.BytesIO(), False
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as plain:
        for name in dict.fromkeys(archive.namelist()):
            part = member_of(archive, name)
            if any(mark in part for mark in _ENTITIES):
                raise InputError(
                    f"the part {name[:60]!r} of the .xlsx file has a DOCTYPE, which no sheet has; save it as CSV", value=name[:60]
                )
            has_formulas |= re.search(rb"<(?:\w+:)?f[\s/>]", part) is not None
            plain.writestr(name, part)
    return stream.getvalue(), has_formulas


def _require_values(content: bytes, sheets: list[tuple[str, dict[tuple[int, int], Any]]]) -> None:
    """Refuse a formula whose value is not saved: its cell would be taken for an empty one."""
    import openpyxl

    book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=False, keep_links=False)
    for sheet, (_, cells) in zip(book.worksheets, sheets, strict=True):
        sheet.reset_dimensions()
        for i, row in enumerate(sheet.iter_rows(), 1):
            for j, cell in enumerate(row, 1):
                if cell.data_type == "f" and (i, j) not in cells:
                    shown = repr(str(cell.value)[:40])
                    raise InputError(
                        f"line {i}, column {j}: the value of the formula {shown} is not saved in the file; open it and save it with Excel "
                        "or LibreOffice, or save the sheet as CSV",
                        line=i,
                        value=cell.value,
                    )


def _cells(sheet: Any) -> dict[tuple[int, int], Any]:
    """The cells of a sheet that are not empty, by row and column from 1; empty ones count as work, too."""
    found: dict[tuple[int, int], Any] = {}
    sheet.reset_dimensions()  # what the file says of its size is not believed
    seen = 0
    for i, row in enumerate(sheet.iter_rows(values_only=True), 1):
        seen += len(row) + 1
        if i % 100 == 0:
            require_budget("the sheet, with its empty cells,", numbers=seen)
        found.update({(i, j): x for j, x in enumerate(row, 1) if x is not None and x != ""})
    require_budget("the sheet, with its empty cells,", numbers=seen)
    return found


def _text(value: Any, row: int, column: int, dyadic: bool) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InputError(f"line {row}, column {column}: {str(value)[:40]!r} is no number and no text", line=row, value=value)
    if isinstance(value, int):
        return str(value)
    if not dyadic:
        raise InexactInputError(
            f"line {row}, column {column}: {value!r} is a double, as all numbers of Excel that are not whole; give dyadic=True (--dyadic) "
            "if exactly the doubles are meant, else save the sheet as CSV, or write the numbers as text",
            line=row,
            value=value,
        )
    return str(from_float(value))
