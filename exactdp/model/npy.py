# SPDX-License-Identifier: MIT
"""The .npy format, read without numpy and without trusting it: two-dimensional arrays of integers or of exact objects.

Integer arrays are read as they stand. Object arrays are pickles, so they go through an unpickler that knows only the array itself, int,
str, Fraction and Rational (each handed to the strict parser) and runs nothing else. Floats are refused, unless ``dyadic=True`` says that
exactly those doubles are meant.
"""

from __future__ import annotations

import io
import pickle
import re
import struct
from os import PathLike
from typing import Any

from exactdp.errors import ExactDPError, InexactInputError, InputError, ResourceLimitError, ShapeError
from exactdp.exact import Rational, from_float
from exactdp.model.cells import MAX_CHARACTERS, within
from exactdp.model.stochastic import Table

__all__ = ["MAGIC", "entries_from_npy", "table_from_npy"]

MAGIC = b"\x93NUMPY"

_HEADER = re.compile(
    r"\{'descr': '(?P<descr>[^']{1,20})', 'fortran_order': (?P<fortran>True|False), 'shape': \((?P<shape>[0-9, ]*)\),? *\} *\n?", re.ASCII
)
_FLOATS = {2: "e", 4: "f", 8: "d"}


def table_from_npy(source: bytes | str | PathLike[str], *, dyadic: bool = False) -> Table:
    r"""A table from a .npy file of an integer or an object type.

    Parameters
    ----------
    source : bytes or path
        The content of the file, or where it is.
    dyadic : bool
        Accept floats of 16, 32 or 64 bits, each as the exact dyadic rational that it is.

    Returns
    -------
    Table

    Raises
    ------
    InexactInputError
        A float array without ``dyadic=True``.
    InputError
        Not a .npy file, not a two-dimensional array, or an object that is not an exact number.

    Examples
    --------
    >>> header = b"{'descr': '<i1', 'fortran_order': False, 'shape': (1, 2), }"
    >>> table_from_npy(b"\x93NUMPY\x01\x00" + bytes([len(header), 0]) + header + bytes([0, 1])).matrix
    ExactMatrix([['0', '1']])
    """
    if not isinstance(source, bytes):
        with open(source, "rb") as file:
            source = file.read(MAX_CHARACTERS + 1)
    return Table(entries_from_npy(source, dyadic=dyadic)[0])


def entries_from_npy(source: bytes, *, dyadic: bool = False) -> tuple[list[list[Any]], bool]:
    """The exact entries, row by row, and whether some of them were floats."""
    if len(source) > MAX_CHARACTERS:
        raise ResourceLimitError(f"an array of more than {MAX_CHARACTERS} bytes", limit=MAX_CHARACTERS, got=len(source))
    descr, fortran, shape, data = _split(source)
    if descr == "|O":
        fortran = False  # numpy pickles the entries row by row, whatever the order in memory
        shape, entries = _objects(data)
    else:
        entries = _numbers(descr, data, _size(shape), dyadic)
    if len(shape) != 2:
        raise ShapeError(f"an array of {len(shape)} dimensions; a table has two", expected=2, got=len(shape))
    rows, columns = shape
    if rows == 0 or columns == 0 or len(entries) != rows * columns:
        raise ShapeError(f"{len(entries)} entries do not make a {rows}×{columns} table", expected=rows * columns, got=len(entries))
    down, across = (1, rows) if fortran else (columns, 1)
    table = [[_entry(entries[i * down + j * across], i, j, dyadic) for j in range(columns)] for i in range(rows)]
    return table, any(isinstance(x, float) for x in entries)


def _split(content: bytes) -> tuple[str, bool, tuple[int, ...], bytes]:
    """The header's three facts, and the data after it."""
    if not content.startswith(MAGIC) or len(content) < 12:
        raise InputError("not a .npy file: it does not begin with the bytes \\x93NUMPY and a header", position=0)
    major = content[6]
    start, length = (10, int.from_bytes(content[8:10], "little")) if major == 1 else (12, int.from_bytes(content[8:12], "little"))
    header = content[start : start + length].decode("latin-1")
    match = _HEADER.fullmatch(header)
    if major not in (1, 2, 3) or match is None or len(header) != length:
        raise InputError(f"the .npy header is not of a plain array: {header[:100]!r}", position=start)
    shape = tuple(int(size) for size in re.findall(r"[0-9]{1,12}", match["shape"]))
    return match["descr"], match["fortran"] == "True", shape, content[start + length :]


def _size(shape: tuple[int, ...]) -> int:
    size = 1
    for side in shape:
        size *= side
    return size


def _numbers(descr: str, data: bytes, count: int, dyadic: bool) -> list[Any]:
    """The entries of an integer array, or of a float array if ``dyadic``."""
    match = re.fullmatch(r"([<>|=])([a-zA-Z])([0-9]{1,2})", descr, re.ASCII)
    kind, width = (match[2], int(match[3])) if match else ("", 0)
    if match is None or (kind not in "iu" and not (kind == "f" and width in _FLOATS)) or width not in (1, 2, 4, 8):
        raise InputError(f"an array of type {descr!r}; exact tables are of an integer or the object type", value=descr)
    if kind == "f" and not dyadic:
        raise InexactInputError(
            f"an array of floats ({descr}); use dyadic=True (--dyadic) if exactly those doubles are meant, or save text or objects",
            value=descr,
        )
    if len(data) != count * width:
        raise ShapeError(f"{len(data)} bytes of data, {count * width} needed", expected=count * width, got=len(data))
    order = ">" if match[1] == ">" else "<"
    code = _FLOATS[width] if kind == "f" else {1: "b", 2: "h", 4: "i", 8: "q"}[width]
    return list(struct.unpack(f"{order}{count}{code.upper() if kind == 'u' else code}", data))


def _entry(value: object, row: int, column: int, dyadic: bool) -> Rational:
    return within(lambda x: from_float(x) if dyadic and isinstance(x, float) else Rational(x), value, row=row, column=column)


def _objects(data: bytes) -> tuple[tuple[int, ...], list[Any]]:
    """Shape and entries of a pickled object array; nothing in the pickle is run but the array's own reconstruction."""
    try:
        array = _Unpickler(io.BytesIO(data)).load()
        _, shape, _, _, entries = array.state
        good = isinstance(shape, tuple) and all(type(side) is int and side >= 0 for side in shape) and isinstance(entries, list)
    except ExactDPError:
        raise
    except Exception as error:
        raise InputError(f"the object array can't be read: {str(error)[:200]}", value=type(error).__name__) from None
    if not good:
        raise InputError("the object array has no plain shape and list of entries", value=type(array).__name__)
    return shape, entries


class _Unpickler(pickle.Unpickler):
    """Knows the few names that a numpy object array of exact numbers is made of, and stands in for each with something fresh."""

    def find_class(self, module: str, name: str) -> Any:
        """A harmless stand-in (made anew, so that a hostile pickle can't alter anything that is shared), or a refusal."""
        core = re.sub(r"^numpy\._?core\.", "", module)

        class Reconstructed:
            state: tuple[Any, ...] = ()

            def __setstate__(self, state: tuple[Any, ...]) -> None:
                self.state = state

        if (core, name) in {("multiarray", "_reconstruct"), ("numpy", "dtype")}:
            return lambda *arguments: Reconstructed()
        if (core, name) == ("numpy", "ndarray"):
            return Reconstructed
        if (module, name) in {("fractions", "Fraction"), ("exactdp.exact.rational", "Rational")}:
            return lambda *arguments: Rational(*arguments)  # noqa: PLW0108 - the class itself could be altered by the pickle
        raise InputError(f"the object array holds a {module}.{name}; only int, str and Fraction are read", value=f"{module}.{name}")
