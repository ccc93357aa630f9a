# SPDX-License-Identifier: MIT
"""CSV: a table, or the weights of a prior, with the labels that it has."""

from __future__ import annotations

from exactdp.errors import InputError, ShapeError
from exactdp.exact import Letters
from exactdp.limits import row_by_row
from exactdp.readers.cells import decimal_points, is_word, lines_of, may_label, plain_number, points, told_apart, with_header, with_labels
from exactdp.readers.grids import Cell, Grid, names_of, require_text


def csv_grid(text: str, labels: bool = False, letters: Letters | None = None, header: bool | None = None) -> Grid:
    """The entries and labels of a text; without ``labels`` only those labels that can be nothing else."""
    refuse_both(labels, header)
    require_text(text)
    lines = lines_of(text, names_of(letters))
    if header:
        found = with_header(lines)
    else:
        found = (with_labels if labels else told_apart)(lines, names_of(letters))
        if header is False and found.outputs is not None:
            raise InputError(f"line {lines[0][0]} is labels, and no row: leave header=False (--no-header) out", line=lines[0][0])
    if not found.lines:
        raise InputError("the table has labels but no rows", line=2)
    body, notes = decimal_points(found.lines)
    inputs, outputs = found.inputs, found.outputs
    width = len(body[0][1]) if outputs is None else len(outputs)
    if width == 0:
        raise InputError(f"line {lines[0][0]}: labels but no numbers", line=lines[0][0])
    for i, (number, cells) in enumerate(body):
        if len(cells) != width:
            above = "the first row has" if outputs is None else "there are output labels for"
            raise ShapeError(
                f"row {i} (line {number}) has {len(cells)} entries, {above} {width}; all need as many", expected=width, got=len(cells)
            )
    each = row_by_row(body, "the lines of a file", (len(body), width))
    rows: list[list[Cell]] = [list(map(plain_number, cells)) for _, cells in each]
    return Grid(rows, [number for number, _ in body], inputs, outputs, "csv", notes=(*found.notes, *notes), letters=letters)


def labelled_weights(text: str, letters: tuple[str, ...]) -> Grid:
    """Lines ``label,weight``, or a point and its weight; a first line without a weight is a heading."""
    lines = lines_of(text, letters)
    notes: tuple[str, ...] = ()
    if len(lines) > 1 and is_word(lines[0][1][-1], letters):
        notes = (f"line {lines[0][0]} ({', '.join(lines[0][1])}) is read as a heading",)
        lines = lines[1:]
    for number, cells in lines:
        if len(cells) != max(2, len(lines[0][1])) or not (len(cells) == 2 or all(may_label(x, letters) for x in cells[:-1])):
            raise ShapeError(
                f"a prior with labels is a line 'label,weight' for each input; line {number} has {len(cells)} cells",
                expected=2,
                got=len(cells),
            )
    inputs = points([",".join(cells[:-1]) for _, cells in lines])
    body, commas = decimal_points([(number, cells[-1:]) for number, cells in lines])
    return Grid(
        [list(map(plain_number, cells)) for _, cells in body], [number for number, _ in body], inputs, None, "csv", notes=notes + commas
    )


def refuse_both(labels: bool, header: bool | None) -> None:
    """Refuse a first line that is labels above a first column of labels, and is not."""
    if labels and header is not None:
        raise InputError(
            "with labels the first line and the first column are labels, with a header the first line only; give one of them", value=header
        )
