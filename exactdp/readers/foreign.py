# SPDX-License-Identifier: MIT
"""Files of other programs that are not read: known by how they begin, and refused with what works instead."""

from __future__ import annotations

import re
import struct
import zlib

from exactdp.errors import InputError

READ = "text, JSON, .npy, .npz, .mat of version 5, .xlsx"
"""The forms of files that are read, in short."""

_CSV = 'save the table as CSV, in Python df.to_csv("table.csv")'
_R = 'in R: write.csv(P, "table.csv")'
_MATLAB = "in Matlab: writematrix(P, 'table.csv'), or save('table.mat', 'P', '-v7')"

_SPARSE = "write scipy.sparse.save_npz('table.npz', P), or print P.toarray()"

_BEGINNINGS: tuple[tuple[bytes, str, str], ...] = (
    (b"BZh91AY&SY", "compressed with bzip2", "unpack it first (bunzip2)"),
    (b"\xfd7zXZ\0", "compressed with xz", "unpack it first (unxz)"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd", "unpack it first (unzstd)"),
    (b"PAR1\x15", "a Parquet file", _CSV),
    (b"ARROW1\0", "a Feather (Arrow) file", _CSV),
    (b"FEA1\0", "a Feather file", _CSV),
    (b"\x80", "a pickle of Python, which only an unsafe reader opens", f"give the object itself in Python, or {_CSV}"),
    (b"\xd0\xcf\x11\xe0", "an old Excel file (.xls), or one with a password", "save it as .xlsx without a password, or as CSV"),
    (b"%PDF-", "a PDF", "copy its table as text into a file"),
    (b"\x89PNG", "a picture (PNG)", "a table is read from text"),
    (b"\xff\xd8\xff", "a picture (JPEG)", "a table is read from text"),
    (b"GIF89a", "a picture (GIF)", "a table is read from text"),
    (b"GIF87a", "a picture (GIF)", "a table is read from text"),
    (b"II*\0", "a picture (TIFF)", "a table is read from text"),
    (b"MM\0*", "a picture (TIFF)", "a table is read from text"),
    (b"Rar!\x1a\x07", "an archive (RAR)", "unpack it first"),
    (b"7z\xbc\xaf\x27\x1c", "an archive (7z)", "unpack it first"),
    (b"PK\x05\x06", "a ZIP archive with nothing in it", "give the table itself"),
    (b"\x7fELF", "a program", "a table is read from text"),
    (b"MZ\x90\0", "a program", "a table is read from text"),
    (
        b"%%MatrixMarket",
        "a file of Matrix Market",
        "in Python: scipy.sparse.save_npz('table.npz', scipy.sparse.csr_array(scipy.io.mmread(file)))",
    ),
    (b"<Compressed Sparse", "a sparse matrix as SciPy prints it", _SPARSE),
    (b"<COOrdinate", "a sparse matrix as SciPy prints it", _SPARSE),
    (b"  (np.int32(0), np.int32(", "a sparse matrix as SciPy prints it", _SPARSE),
    (b"$FL2@(#)", "a file of SPSS", _CSV),
    (b"<stata_dta>", "a file of Stata", 'in Stata: export delimited "table.csv"'),
    (b"SQLite format 3\0", "a database of SQLite", _CSV),
    (b"RDX3\n", "a file of R's save", _R),
    (b"RDX2\n", "a file of R's save", _R),
    (b"RDA3\n", "a file of R's save", _R),
    (b"RDA2\n", "a file of R's save", _R),
    (b"X\n\0\0", "a file of R's saveRDS", _R),
    (b"Octave-1-", "a binary file of Octave", "in Octave: csvwrite('table.csv', P)"),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file, as Matlab's of version 7.3 are", _MATLAB),
    (b"version https://git-lfs", "a pointer of Git LFS in the place of a file", "bring the file itself: git lfs pull"),
)
"""How files begin, what they are, and what to do. No table of text begins so."""

_PAGE = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype|html|head|body|table|\?xml|svg)\b", re.IGNORECASE)
_GZIP = b"\x1f\x8b"
_SAS = b"\xc2\xea\x81\x60\xb3\x14\x11\xcf"

_HEADER = 20
_LONGEST_NAME = 64


def refuse_foreign(content: bytes) -> None:
    r"""Nothing, unless the content begins as a file of another program does.

    * raises InputError: it does; the message says what it is, and what to do.

    >>> refuse_foreign(b"PAR1\x15")
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: this is a Parquet file; save the table as CSV, in Python df.to_csv("table.csv")
    """
    for begin, what, remedy in _BEGINNINGS:
        if content.startswith(begin):
            raise _refused(what, remedy)
    if content.startswith(_GZIP):
        inside = _unpacked(content)
        if inside.startswith((b"RDX", b"RDA", b"X\n", b"A\n")):
            raise _refused("a file of R's save or saveRDS", _R)
        raise _refused("compressed with gzip", "unpack it first (gunzip)")
    if content.startswith(b"BM") and content[6:10] == b"\0\0\0\0":
        raise _refused("a picture (BMP)", "a table is read from text")
    if content.startswith(b"RIFF") and b"\0" in content[4:8]:
        raise _refused("a picture, a sound or a film (RIFF)", "a table is read from text")
    if content[257:262] == b"ustar":
        raise _refused("an archive (tar)", "unpack it first (tar -xf)")
    if content[12:32].startswith(_SAS):
        raise _refused("a file of SAS", _CSV)
    if _PAGE.match(content[:200]):
        remedy = "save the table as CSV, in Python pandas.read_html(file)[0].to_csv('table.csv', index=False)"
        raise _refused("a page of HTML, or XML", remedy)
    name = _matlab_4(content)
    if name is not None:
        raise _refused(f"a .mat file of version 4 (it begins with the matrix {name!r})", f"of .mat files version 5 is read; {_MATLAB}")


def _refused(what: str, remedy: str) -> InputError:
    return InputError(f"this is {what}; {remedy}", position=0)


def _unpacked(content: bytes) -> bytes:
    """The first bytes of what is packed."""
    try:
        return zlib.decompressobj(31).decompress(content[:4096], 16)
    except zlib.error:
        return b""


def _matlab_4(content: bytes) -> str | None:
    """The name of the first matrix of a .mat file of version 4, or None.

    Its header has five numbers: the type MOPT in decimal digits (order of bytes, 0, format, kind), rows,
    columns, whether there are imaginary parts, and the length of the name with the NUL that ends it.
    """
    if len(content) <= _HEADER:
        return None
    for order, machine in (("<", 0), (">", 1000)):
        kind, rows, columns, imaginary, length = struct.unpack(f"{order}5I", content[:_HEADER])
        plausible = kind // 1000 * 1000 == machine and kind % 1000 < 60 and kind % 10 <= 2 and imaginary <= 1
        if not plausible or not 2 <= length <= _LONGEST_NAME or not rows or not columns:
            continue
        name = content[_HEADER : _HEADER + length]
        if re.fullmatch(rb"[A-Za-z]\w*\0", name):
            return name[:-1].decode("ascii")
    return None


def members_named(names: list[str]) -> tuple[str, str] | None:
    """What an archive with files of these names is, and what to do; None if it is unknown.

    >>> members_named(["word/document.xml"]), members_named(["a.csv"])
    (('a file of Word', 'save the table as CSV'), ('a ZIP archive', 'unpack it first, and give a.csv'))
    """
    if any(name.startswith("word/") for name in names):
        return "a file of Word", "save the table as CSV"
    if "content.xml" in names and "mimetype" in names:
        return "a file of LibreOffice (.ods)", "save it as .xlsx or CSV"
    if any(name.endswith("data.pkl") for name in names):
        return "a file of PyTorch, with a pickle", "give the array itself in Python, or numpy.savetxt('table.csv', tensor.numpy())"
    table = next((name for name in names if name.endswith((".csv", ".txt", ".tsv", ".json", ".npy", ".mat", ".xlsx"))), None)
    return None if table is None else ("a ZIP archive", f"unpack it first, and give {table[:60]}")
