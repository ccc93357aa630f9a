# SPDX-License-Identifier: MIT
"""Matrices in .mat files of Matlab and Octave (version 5, which ``save -v6`` and ``-v7`` write; no others).

The format is read here, so that no other library is needed and what is unpacked stays bounded. Numbers of
Matlab are doubles unless told: they are refused without ``dyadic``, as those of .npy files are.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from itertools import pairwise

from exactdp.errors import InexactInputError, InputError, ShapeError
from exactdp.exact import Rational, from_float
from exactdp.readers.arrays import sparse_grid
from exactdp.readers.foreign import refuse_foreign
from exactdp.readers.grids import Cell, Grid, most_bytes, require_file
from exactdp.runtime.budget import require_budget

_BEGIN = b"MATLAB "
_HDF = b"\x89HDF\r\n\x1a\n"
_CODES = {1: "b", 2: "B", 3: "h", 4: "H", 5: "i", 6: "I", 7: "f", 9: "d", 12: "q", 13: "Q"}
"""The types of numbers, as :mod:`struct` calls them."""

_MATRIX, _COMPRESSED = 14, 15
_SPARSE, _DOUBLE, _SINGLE, _INTEGERS = 5, 6, 7, range(8, 16)

_KINDS = {1: "a cell array", 2: "a struct", 3: "an object", 4: "text"}
"""What else than matrices of numbers a file can hold."""


def is_mat(content: bytes) -> bool:
    """Whether a content begins as .mat files do."""
    return content.startswith((_BEGIN, _HDF))


def mat_grid(content: bytes, dyadic: bool = False) -> Grid:
    """The entries of the only matrix of a .mat file."""
    require_file("the file, of", len(content))
    refuse_foreign(content)
    if content.startswith(b"MATLAB 7.3"):
        refuse_foreign(_HDF)
    if len(content) < 128 or content[126:128] not in (b"IM", b"MI"):
        raise InputError("the header of the .mat file is cut off; save it again, with save('-v7', …)", position=0)
    order = "<" if content[126:128] == b"IM" else ">"
    try:
        bodies = []
        left = most_bytes()
        for kind, data in _elements(content[128:], order):
            unpacked = data
            if kind == _COMPRESSED:
                reader = zlib.decompressobj()
                unpacked = reader.decompress(data, left + 1)
                require_file("the matrix, unpacked to at least", len(unpacked))
                left -= len(unpacked)
            bodies += [body for inner, body in (_elements(unpacked, order) if kind == _COMPRESSED else [(kind, data)]) if inner == _MATRIX]
        found = [parts for parts in (list(_elements(body, order)) for body in bodies) if len(parts) >= 4]
    except (struct.error, zlib.error, ValueError) as error:
        raise InputError(f"the .mat file can't be read: {str(error)[:100]}; save it again, with save('-v7', …)", position=0) from None
    if len(found) != 1:
        names = ", ".join(parts[2][1].decode("latin-1")[:40] for parts in found[:5])
        told = f"{len(found)} matrices ({names})" if found else "no matrix"
        raise InputError(f"the .mat file has {told}; save the one that is the table alone: save('table.mat', 'P', '-v7')", value=len(found))
    return _matrix(found[0], order, dyadic)


def _elements(data: bytes, order: str) -> Iterator[tuple[int, bytes]]:
    """The elements that follow each other: type and data. Short ones stand in four bytes."""
    position = 0
    while position + 8 <= len(data):
        kind, size = struct.unpack_from(order + "II", data, position)
        if kind >> 16:  # a short element: its size in the upper half
            kind, size, start = kind & 0xFFFF, kind >> 16, position + 4
            following = position + 8
            if size > 4:
                raise ValueError("a short element of more than 4 bytes")
        else:
            start = position + 8
            following = start + size + (0 if kind == _COMPRESSED else -size % 8)
        if start + size > len(data):
            raise ValueError("it ends inside of an element")
        yield kind, data[start : start + size]
        position = following


def _numbers(element: tuple[int, bytes], order: str) -> list[float]:
    kind, data = element
    if kind not in _CODES or len(data) % struct.calcsize(_CODES[kind]):
        raise InputError("an entry of the matrix is no number; save numbers, or text as CSV (writematrix)", value=kind)
    return list(struct.unpack(f"{order}{len(data) // struct.calcsize(_CODES[kind])}{_CODES[kind]}", data))


def _matrix(parts: list[tuple[int, bytes]], order: str, dyadic: bool) -> Grid:
    flags = _numbers(parts[0], order)
    shape = [int(x) for x in _numbers(parts[1], order)]
    if len(flags) != 2:
        raise InputError("the flags of the matrix are not two numbers; save it again, with save('-v7', …)", value=len(flags))
    family, is_complex = int(flags[0]) & 0xFF, int(flags[0]) & 0x800
    name = parts[2][1].decode("latin-1")[:40]
    numeric = family in (_SPARSE, _DOUBLE, _SINGLE) or family in _INTEGERS
    if not numeric or is_complex:
        kind = "has complex numbers" if numeric else f"is {_KINDS.get(family, 'an object')}"
        raise InputError(f"{name!r} {kind}, and a table is a matrix of real numbers; save one, as cell2mat makes of cells", value=family)
    if len(shape) != 2 or min(shape) < 1:
        raise ShapeError("a table has two dimensions, each at least 1", expected=2, got=shape)
    if family not in _INTEGERS and not dyadic:
        raise InexactInputError(
            f"{name!r} is a matrix of floats; use dyadic=True (--dyadic) if exactly those doubles are meant, or save text (writematrix)",
            value=name,
        )
    require_budget("the matrix, with its zeros,", numbers=shape[0] * shape[1])
    note = f"the matrix {name} of the .mat file is read"
    floats = family not in _INTEGERS
    if family == _SPARSE:
        if len(parts) < 6:
            raise ShapeError("the sparse matrix has no entries", expected=6, got=len(parts))
        indices, ends = ([int(x) for x in _numbers(part, order)] for part in parts[3:5])
        values = _numbers(parts[5], order)
        rising = all(a <= b for a, b in pairwise(ends))
        if len(ends) != shape[1] + 1 or ends[0] != 0 or not rising or ends[-1] > min(len(values), len(indices)):
            raise ShapeError("the sparse matrix says of no entry in which column it is", expected=shape[1] + 1, got=len(ends))
        places = [(indices[k], j) for j in range(shape[1]) for k in range(ends[j], ends[j + 1])]
        return sparse_grid(shape, places, values[: ends[-1]], floats, f"{note}; what it has no entry for is 0")
    entries = _numbers(parts[3], order)
    if len(entries) != shape[0] * shape[1]:
        raise ShapeError(
            f"{len(entries)} entries do not make a {shape[0]}×{shape[1]} table", expected=shape[0] * shape[1], got=len(entries)
        )
    exact = [from_float(x) if isinstance(x, float) else Rational(x) for x in entries]
    rows: list[list[Cell]] = [[exact[j * shape[0] + i] for j in range(shape[1])] for i in range(shape[0])]
    return Grid(rows, [None] * len(rows), None, None, "npy", floats, (note,))
