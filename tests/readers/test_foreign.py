# SPDX-License-Identifier: MIT
"""Files of other programs: each is told by its name, with what works; no text is taken for one."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import pickle
import re
import zipfile

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import exactdp as xdp
from exactdp.errors import InputError
from exactdp.readers.foreign import refuse_foreign

TABLE = np.array([[0.75, 0.25], [0.25, 0.75]])


def zipped(**members: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return file.getvalue()


def written(write) -> bytes:
    file = io.BytesIO()
    write(file)
    return file.getvalue()


def matlab(version: str, **things) -> bytes:
    scipy = pytest.importorskip("scipy.io")
    return written(lambda file: scipy.savemat(file, things, format=version))


def frame(kind: str) -> bytes:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    return written(getattr(pandas.DataFrame(TABLE, columns=["a", "b"]), f"to_{kind}"))


FILES = {
    "mat 4": (
        lambda: matlab("4", P=TABLE),
        "version 4 (it begins with the matrix 'P'); of .mat files version 5 is read; in Matlab: writematrix(",
    ),
    "mat 4 of two": (lambda: matlab("4", first=TABLE, Q=TABLE), "the matrix 'first'"),
    "mat 7.3": (lambda: b"\x89HDF\r\n\x1a\n" + bytes(100), "an HDF5 file, as Matlab's of version 7.3 are; in Matlab: writematrix("),
    "mat with cells": (lambda: matlab("5", P=np.array([[1, "a"]], dtype=object)), "'P' is a cell array"),
    "mat with text": (lambda: matlab("5", P="abc"), "'P' is text"),
    "mat of two": (lambda: matlab("5", P=TABLE, Q=TABLE), "2 matrices (P, Q); save the one"),
    "parquet": (lambda: frame("parquet"), "a Parquet file; save the table as CSV"),
    "feather": (lambda: frame("feather"), "a Feather"),
    "pickle": (lambda: pickle.dumps(TABLE), "a pickle of Python"),
    "gzip": (lambda: gzip.compress(b"3/4,1/4"), "compressed with gzip; unpack it first"),
    "bzip2": (lambda: bz2.compress(b"3/4,1/4"), "compressed with bzip2; unpack it first"),
    "xz": (lambda: lzma.compress(b"3/4,1/4"), "compressed with xz; unpack it first"),
    "rds": (lambda: gzip.compress(b"X\n\0\0\0\3"), "R's save or saveRDS; in R: write.csv"),
    "RData": (lambda: b"RDX3\nX\n\0\0", "R's save; in R: write.csv"),
    "xls": (lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "an old Excel file (.xls), or one with a password"),
    "ods": (lambda: zipped(**{"mimetype": "x", "content.xml": "<x/>"}), "LibreOffice (.ods); save it as .xlsx or CSV"),
    "docx": (lambda: zipped(**{"word/document.xml": "<x/>"}), "a file of Word"),
    "zip": (lambda: zipped(**{"folder/table.csv": "3/4,1/4"}), "unpack it first, and give folder/table.csv"),
    "html": (lambda: b"\xef\xbb\xbf<!DOCTYPE html>\n<table><tr><td>1</td></tr></table>", "a page of HTML"),
    "xml": (lambda: b"<?xml version='1.0'?>\n<rows/>", "a page of HTML, or XML"),
    "pdf": (lambda: b"%PDF-1.5\n1 0 obj", "a PDF; copy its table as text"),
    "lfs": (lambda: b"version https://git-lfs.github.com/spec/v1\noid sha256:4d\nsize 9\n", "git lfs pull"),
    "latin-1": (
        lambda: "é,b\n3/4,1/4\n".encode("latin-1"),
        "nor another file that is read (text, JSON, .npy, .npz, .mat of version 5, .xlsx)",
    ),
    "npy of truth values": (lambda: written(lambda file: np.save(file, TABLE > 0.5)), "array.astype(int)"),
    "npy cut off": (lambda: written(lambda file: np.save(file, TABLE))[:20], "the file ends inside of it; save the array again"),
    "no value in a spreadsheet": (lambda: b"#DIV/0!,1\n0,1\n", "'#DIV/0!' is not an exact number"),
    "JSON lines": (lambda: b'{"a": "3/4", "b": "1/4"}\n{"a": "1/4", "b": "3/4"}\n', "one object a line (JSON Lines)"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_not_read_is_told_by_its_name(tmp_path, name):
    make, said = FILES[name]
    (tmp_path / "given").write_bytes(make())
    for read in (xdp.read_table, xdp.load, lambda file: xdp.tightest_level(file, "path:2")):
        with pytest.raises(InputError, match=re.escape(said)):
            read(tmp_path / "given")


labels = st.text("PAR1ROWFEXBZhGIF8$L%D#é <", min_size=1, max_size=8).filter(lambda text: text.strip() == text)


@given(st.lists(labels, min_size=2, max_size=2, unique=True))
@example(["RDX", "PAR1"])
@example(["GIF8", "BZh9"])
@example(["FEA1", "Octave"])
def test_no_table_of_text_is_taken_for_another_file(names):
    refuse_foreign(",".join(names).encode() + b"\n3/4,1/4\n1/4,3/4\n")


@given(st.lists(st.fractions(0, 1, max_denominator=9), min_size=1, max_size=9))
def test_no_numbers_are_taken_for_another_file(entries):
    refuse_foreign(",".join(map(str, entries)).encode())
