# SPDX-License-Identifier: MIT
"""The forms that files of tables have, in one list: how each is recognised, and what reads it.

A new form is a module and an entry of :data:`FORMATS`. The first entry that recognises a content reads it;
what is recognised by one of them is malformed for all others, so that their order does not matter but for
the last, lines of cells.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from exactdp.errors import InputError
from exactdp.exact import Letters
from exactdp.readers import arrays, csv_grids, frames, json_grids, matlab, npy_grids, numpy_text, r_text, sheets
from exactdp.readers.estimates import estimates_of
from exactdp.readers.grids import Grid, text_in
from exactdp.runtime.values import dataclass

Source = str | bytes


@dataclass(frozen=True, slots=True)
class Asked:
    """How a content is to be read; the attributes are parameters of :func:`~exactdp.readers.read_grid`."""

    labels: bool = False
    dyadic: bool = False
    letters: Letters | None = None
    header: bool | None = None


@dataclass(frozen=True, slots=True)
class Format:
    """A form of files.

    * ``name``: what it is called.
    * ``recognises``: whether a content has this form: of its bytes if ``binary``, else of its text.
    * ``read``: the grid of a content.
    * ``instead_of_header``: where the labels are, of a form that has no first line which may name the
      columns; else empty.
    """

    name: str
    recognises: Callable[[Source], bool]
    read: Callable[[Source, Asked], Grid]
    binary: bool = False
    instead_of_header: str = ""


def _of(kind: type[Any], name: str, recognises: Callable[[Any], bool], read: Callable[[Any, Asked], Grid], instead: str = "") -> Format:
    """A form whose contents are bytes, or texts."""

    def known(content: Source) -> bool:
        return isinstance(content, kind) and recognises(content)

    def grid(content: Source, asked: Asked) -> Grid:
        assert isinstance(content, kind)
        return read(content, asked)

    return Format(name, known, grid, kind is bytes, instead)


_binary, _text = partial(_of, bytes), partial(_of, str)

FORMATS: tuple[Format, ...] = (
    _binary(".npy", npy_grids.is_npy, lambda x, asked: npy_grids.npy_grid(x, asked.dyadic), ".npy has no labels"),
    _binary(".npz", arrays.is_npz, lambda x, asked: arrays.npz_grid(x, asked.dyadic), ".npz has no labels"),
    _binary(".mat", matlab.is_mat, lambda x, asked: matlab.mat_grid(x, asked.dyadic), ".mat has no labels"),
    _binary(
        "Excel",
        sheets.is_sheet,
        lambda x, asked: sheets.sheet_grid(x, asked.dyadic, asked.labels, asked.letters, asked.header),
    ),
    _text("array printed by numpy", numpy_text.is_numpy, lambda x, _: numpy_text.numpy_grid(x), "an array of numpy has no labels"),
    _text("matrix printed by R", r_text.is_r_print, lambda x, _: r_text.print_grid(x), "R prints its own labels"),
    _text("dput of R", r_text.is_dput, lambda x, _: r_text.dput_grid(x), "dput writes its own labels"),
    _text("JSON of a data frame", frames.is_frame_json, lambda x, _: frames.frame_grid(x), "its JSON has its own labels"),
    _text("JSON", json_grids.is_json, lambda x, _: json_grids.json_grid(x), "JSON has them under 'outputs'"),
    _text("lines", lambda _: True, lambda x, asked: csv_grids.csv_grid(x, asked.labels, asked.letters, asked.header)),
)


def format_of(content: Source) -> Format:
    """The form of a content.

    >>> [format_of(text).name for text in ("1/2,1/2", '[["1/2"]]', "[[0.5 0.5]]", "structure(c(1), dim = 1)")]
    ['lines', 'JSON', 'array printed by numpy', 'dput of R']
    """
    binary = next((form for form in FORMATS if form.binary and form.recognises(content)), None)
    if binary is not None:
        return binary
    text = text_in(content)
    return next(form for form in FORMATS if not form.binary and form.recognises(text))


def grid_in(content: Source, asked: Asked) -> Grid:
    """The grid of a content of any form."""
    form = format_of(content)
    if asked.header is not None and form.instead_of_header:
        raise InputError(
            f"a header is the first line of a CSV, and {form.instead_of_header}; leave header out (--header, --no-header)",
            value=asked.header,
        )
    grid = form.read(content if form.binary else text_in(content), asked)
    grid = grid if grid.form == "csv" else estimates_of(grid)
    return grid if asked.letters is None else replace(grid, letters=asked.letters.joined(grid.letters))
