# SPDX-License-Identifier: MIT
"""Archives .npz: a sparse matrix of SciPy, or one array; read without SciPy, and without a pickle."""

from __future__ import annotations

import io
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from exactdp.errors import InexactInputError, InputError, ShapeError
from exactdp.exact import Rational, from_float
from exactdp.readers.grids import Cell, Grid, require_file
from exactdp.readers.npy_grids import npy_array, npy_grid
from exactdp.runtime.budget import require_budget

if TYPE_CHECKING:
    import zipfile  # loaded for archives only

ZIP = b"PK\x03\x04"
"""How an archive begins."""


def archive_of(content: bytes, what: str) -> zipfile.ZipFile:
    """The archive, once what it says that it unpacks to fits into the budget (:func:`member_of`)."""
    import zipfile

    compressions = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}  # those of which zipfile unpacks a part
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
        sizes = [entry.file_size for entry in archive.infolist()]
        others = [entry.filename for entry in archive.infolist() if entry.compress_type not in compressions]
    except Exception as error:  # whatever a hostile archive makes its reader do
        raise InputError(f"the archive can't be read: {str(error)[:100]}; save it again", position=0) from None
    require_budget(f"{what}, {len(sizes):,} files,", numbers=len(sizes))
    require_file(f"{what}, unpacked", sum(sizes))
    if len(set(archive.namelist())) < len(sizes):
        raise InputError("the archive has two files of one name; save it again", position=0)
    if others:
        raise InputError(f"{others[0][:60]!r} of the archive is compressed in another way than ZIP's own; save it again", position=0)
    return archive


def member_of(archive: zipfile.ZipFile, name: str) -> bytes:
    """What a file of an archive holds; never much more is unpacked than the archive says of it."""
    try:
        with archive.open(name) as stream:
            return stream.read(archive.getinfo(name).file_size + 1)  # with a number, since read() alone unpacks all that is there
    except Exception as error:  # whatever a hostile archive makes its reader do
        raise InputError(f"the archive can't be read: {str(error)[:100]}; save it again", position=0) from None


def _names(content: bytes) -> list[str]:
    import zipfile

    try:
        return zipfile.ZipFile(io.BytesIO(content)).namelist()
    except Exception:  # told when it is read
        return []


def is_npz(content: bytes) -> bool:
    """Whether a content is an archive of arrays."""
    return content.startswith(ZIP) and any(name.endswith(".npy") for name in _names(content)[:100])


def npz_grid(content: bytes, dyadic: bool = False) -> Grid:
    """The entries of a sparse matrix (CSR, CSC, COO, BSR, DIA), or of the only array of the archive.

    Floats are refused unless ``dyadic``, as in .npy files.
    """
    archive = archive_of(content, "the archive")
    members = {name.removesuffix(".npy"): member_of(archive, name) for name in archive.namelist()}
    if "format" in members and "shape" in members:
        return _sparse(members, dyadic)
    if len(members) != 1:
        shown = ", ".join(sorted(members)[:5])
        raise InputError(f"the archive has {len(members)} arrays ({shown}); save the one that is the table with numpy.save", value=shown)
    ((name, data),) = members.items()
    return replace(npy_grid(data, dyadic), notes=(f"the array {name} of the archive is read",))


def _sparse(members: dict[str, bytes], dyadic: bool) -> Grid:
    kind_text = npy_array(members["format"], dimensions=0, kinds="SU").item()
    kind = kind_text.decode("latin-1") if isinstance(kind_text, bytes) else kind_text
    needed = {
        "csr": ("indices", "indptr"),
        "csc": ("indices", "indptr"),
        "coo": ("row", "col"),
        "bsr": ("indices", "indptr"),
        "dia": ("offsets", "offsets"),
    }
    if kind not in needed:
        raise InputError(f"a sparse matrix of the format {kind[:20]!r}; save matrix.tocsr()", value=kind[:20])
    missing = [name for name in (*needed[kind], "data") if name not in members]
    if missing:
        raise InputError(f"the sparse matrix has no {missing[0]!r}; save it again with scipy.sparse.save_npz", value=missing[0])
    shape = npy_array(members["shape"], dimensions=1, kinds="iu").tolist()
    if len(shape) != 2 or min(shape) < 1:
        raise ShapeError("a table has two dimensions, each at least 1", expected=2, got=shape)
    require_budget("the matrix, with its zeros,", numbers=shape[0] * shape[1])
    dimensions = {"csr": 1, "csc": 1, "coo": 1, "bsr": 3, "dia": 2}
    data = npy_array(members["data"], dimensions=dimensions[kind], kinds="iuf")
    if data.dtype.kind == "f" and not dyadic:
        raise InexactInputError(
            f"an array of floats ({data.dtype.str}); use dyadic=True (--dyadic) if exactly those doubles are meant, or save text",
            value=data.dtype.str,
        )
    first, second = (npy_array(members[name], dimensions=1, kinds="iu").tolist() for name in needed[kind])
    values = data.ravel().tolist()
    if kind == "bsr":
        places = _blocks(first, second, data.shape, shape)
        count = len(places)
    elif kind == "dia":
        places, values = _diagonals(first, data.tolist(), shape)
        count = len(places)
    elif kind == "coo":
        places = list(zip(first, second, strict=False)) if len(first) == len(second) else []
        count = len(first)
    else:
        places, count = _compressed(first, second, kind, shape), len(first)
    if len(places) != len(values) or count != len(values):
        raise ShapeError(f"{len(values)} entries, {len(places)} places for them", expected=len(places), got=len(values))
    return sparse_grid(shape, places, values, data.dtype.kind == "f", "read as a sparse matrix; what it has no entry for is 0")


def _compressed(indices: list[int], ends: list[int], kind: str, shape: list[int]) -> list[tuple[int, int]]:
    """The places of the entries of a matrix by rows (CSR) or by columns (CSC)."""
    count = shape[0] if kind == "csr" else shape[1]
    rising = all(a <= b for a, b in pairwise(ends))
    if len(ends) != count + 1 or ends[0] != 0 or ends[-1] != len(indices) or not rising:
        raise ShapeError("the sparse matrix says of no entry in which row it is", expected=count + 1, got=len(ends))
    pairs = [(line, indices[k]) for line in range(count) for k in range(ends[line], ends[line + 1])]
    return pairs if kind == "csr" else [(i, j) for j, i in pairs]


def _blocks(indices: list[int], ends: list[int], sizes: tuple[int, ...], shape: list[int]) -> list[tuple[int, int]]:
    """The places of the entries of a matrix in blocks of one size, by rows of blocks (BSR)."""
    count, height, width = sizes
    if min(height, width) < 1 or shape[0] % height or shape[1] % width or count != len(indices):
        raise ShapeError(f"{len(indices)} blocks of {height}×{width} are no {shape[0]}×{shape[1]} matrix", expected=shape, got=list(sizes))
    corners = _compressed(indices, ends, "csr", [shape[0] // height, shape[1] // width])
    return [(i * height + k, j * width + m) for i, j in corners for k in range(height) for m in range(width)]


def _diagonals(offsets: list[int], data: list[list[Any]], shape: list[int]) -> tuple[list[tuple[int, int]], list[Any]]:
    """The places and values of a matrix by its diagonals (DIA): ``data[k][j]`` is at row j − offsets[k].

    What lies outside of the matrix is no entry.

    >>> _diagonals([1], [[9, 2, 3]], [2, 3])
    ([(0, 1), (1, 2)], [2, 3])
    """
    if len(offsets) != len(data) or len(set(offsets)) < len(offsets):
        raise ShapeError(f"{len(data)} diagonals, {len(offsets)} places for them", expected=len(data), got=len(offsets))
    found = [
        ((j - offset, j), x)
        for offset, diagonal in zip(offsets, data, strict=True)
        for j, x in enumerate(diagonal)
        if j < shape[1] and 0 <= j - offset < shape[0]
    ]
    return [place for place, _ in found], [x for _, x in found]


def sparse_grid(shape: list[int], places: list[tuple[int, int]], values: list[Any], floats: bool, note: str) -> Grid:
    """The grid of a matrix that has these values at these places, and 0 elsewhere."""
    zero = Rational(0)
    rows: list[list[Cell]] = [[zero] * shape[1] for _ in range(shape[0])]
    seen: set[tuple[int, int]] = set()
    for place, value in zip(places, values, strict=True):
        i, j = place
        if not (0 <= i < shape[0] and 0 <= j < shape[1]):
            raise ShapeError(f"an entry at row {i}, column {j} of a {shape[0]}×{shape[1]} matrix", expected=shape, got=[i, j])
        if place in seen:
            raise InputError(f"row {i}, column {j} has two entries; add them first (sum_duplicates)", row=i, column=j)
        seen.add(place)
        rows[i][j] = from_float(value) if isinstance(value, float) else Rational(value)
    return Grid(rows, [None] * len(rows), None, None, "npy", floats, (note,))
