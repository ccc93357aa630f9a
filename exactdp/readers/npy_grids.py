# SPDX-License-Identifier: MIT
"""Arrays in .npy files: integers, exact texts, or floats that are meant exactly."""

from __future__ import annotations

import ast
import io
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from exactdp.errors import InexactInputError, InputError, ShapeError
from exactdp.exact import Rational, from_float
from exactdp.readers.cells import plain_number
from exactdp.readers.grids import Grid, require_file, within
from exactdp.runtime.budget import require_budget
from exactdp.runtime.progress import row_by_row

if TYPE_CHECKING:
    import numpy


MAGIC = b"\x93NUMPY"
"""How a .npy file begins."""

MOST_HEADER = 10_000
"""Bytes of a header, as numpy has it: longer ones could stop the parser of Python."""


def is_npy(content: bytes) -> bool:
    """Whether a content begins as .npy files do."""
    return content.startswith(MAGIC)


def npy_array(content: bytes, *, dimensions: int, kinds: str) -> Any:
    """An array of so many dimensions, of one of these kinds of numpy, whose header tells the truth.

    It is for the parts of a sparse matrix; :func:`npy_grid` is for a table.
    """
    import numpy

    shape, dtype, start = _npy_header(content)
    if dtype.hasobject or dtype.kind not in kinds or (dtype.kind == "f" and dtype.itemsize > 8):
        raise InputError(f"a part of type {dtype.str!r}; save it again with scipy.sparse.save_npz", value=dtype.str)
    needed, got = math.prod(shape) * dtype.itemsize, len(content) - start
    if len(shape) != dimensions or got != needed:
        raise ShapeError(f"a part of {len(shape)} dimensions and {got} bytes; {needed} needed", expected=needed, got=got)
    require_budget("the array", numbers=math.prod(shape))
    return numpy.load(io.BytesIO(content), allow_pickle=False)


def npy_grid(content: bytes, dyadic: bool = False) -> Grid:
    """The entries of a .npy file of two dimensions: integers, exact texts, or floats if ``dyadic``.

    The header is read by numpy, and the size that it announces must be that of the data, so that nothing is
    allocated for a false one. Arrays of Python objects are pickles, which could run anything: they are
    refused.
    """
    require_file("the array, of", len(content))
    import numpy

    shape, dtype, start = _npy_header(content)
    if dtype.hasobject:
        raise InputError(
            "an array of Python objects, which only an unsafe reader opens; save their text instead (array.astype(str)), "
            "or give the array itself to exactdp.table_of",
            value=dtype.str,
        )
    if dtype.kind not in "iufU" or (dtype.kind == "f" and dtype.itemsize > 8):
        raise InputError(
            f"an array of type {dtype.str!r}; exact tables are of an integer or a text type, as array.astype(int) and .astype(str) make",
            value=dtype.str,
        )
    if dtype.kind == "f" and not dyadic:
        raise InexactInputError(
            f"an array of floats ({dtype.str}); use dyadic=True (--dyadic) if exactly those doubles are meant, or save text",
            value=dtype.str,
        )
    needed, got = math.prod(shape) * dtype.itemsize, len(content) - start
    if got != needed:
        raise ShapeError(f"{got} bytes of data, {needed} needed", expected=needed, got=got)
    if len(shape) != 2:
        raise ShapeError(f"an array of {len(shape)} dimensions; a table has two", expected=2, got=len(shape))
    require_budget("the array", numbers=math.prod(shape))  # texts of length 0 take no bytes
    if min(shape) < 1:
        raise ShapeError(f"0 entries do not make a {shape[0]}×{shape[1]} table", expected=">= 1", got=0)
    rows: list[list[Any]] = numpy.load(io.BytesIO(content), allow_pickle=False).tolist()
    if dtype.kind == "U":
        rows = [list(map(plain_number, row)) for row in rows]
    else:
        read: Callable[[Any], Rational] = from_float if dtype.kind == "f" else Rational
        rows = [
            [within(read, x, row=i, column=j) for j, x in enumerate(row)]
            for i, row in enumerate(row_by_row(rows, "the rows of a file", shape))
        ]
    return Grid(rows, [None] * len(rows), None, None, "npy", dtype.kind == "f")


def _npy_header(content: bytes) -> tuple[tuple[int, ...], numpy.dtype[Any], int]:
    """Shape, type of the entries, and where the data begins."""
    from numpy.lib import format as npy

    if not content.startswith(MAGIC) or len(content) < 12:
        raise InputError("not a .npy file: it does not begin with the bytes \\x93NUMPY and a header", position=0)
    file, length = io.BytesIO(content), 0
    try:
        version = npy.read_magic(file)
        size = 2 if version == (1, 0) else 4
        length = int.from_bytes(content[file.tell() : file.tell() + size], "little")
        if length > MOST_HEADER:
            raise ValueError(f"it has {length} bytes")
        # numpy reads headers of Python 2, too, and warns; filters of warnings belong to all threads
        ast.literal_eval(content[file.tell() + size : file.tell() + size + length].decode("latin-1"))
        shape, _, dtype = (npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0)(file)
    except Exception as error:  # whatever a hostile header makes its parser do
        why = "the file ends inside of it" if length > len(content) else str(error)[:100]
        raise InputError(f"the .npy header can't be read: {why}; save the array again", position=8) from None
    return shape, dtype, file.tell()
