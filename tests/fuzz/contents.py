# SPDX-License-Identifier: MIT
"""What a case reads: files of every format, good, altered and hostile, in a folder of its own."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import stat
import threading
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy

ROOT = Path(__file__).resolve().parent.parent.parent
DIGITS = "7" * 5000

TEXTS = (
    "", " ", "-", "--", ".", "..", "/", "~", "*", "%s%n", "{0}", "'", '"', "\t", "a\nb", "\r", "\x1b[2J\x1b[Haccepted", "\x07",
    "\u202eevil",
    "\u200b", "e\u0301" * 50, "\ufeff1/2", "\udcff", "é.csv", "None", "true", "nan", "-nan", "inf", "-inf", "1e400", "1e-400", "-0", "0",
    "1", "-1", "1/0", "0/0", "-1/2", "3/2", "1_0/3", "0x10", "١", "½", "1e999999999", "1e-999999999", "2**10**9", "a^999999999",
    "10^10^10",
    DIGITS, f"1/{DIGITS}", f"0.{DIGITS}", f"-{DIGITS}", "x" * 300, "y" * 100_000, "{", "[", "[[1,]]", "[[1,2],]", '{"a":',
    "[" * 3000, "(" * 3000,
    "1,", ",", ",,,", "1/2,1/2,", "ln(", "ln(-1)", "ln(0)", "sqrt(-1)", "exp(1)", "symbolic", "uniform", "0..", "..3", "3..0",
    "0..999999999",
    "path:", "path:0", "path:-1", "path:1", ":", "=", "geometric:", "geometric:n", "geometric:n=", "a=b=c", "nofile.csv",
    "/nonexistent/x",
)  # fmt: skip
"""Hostile texts, for any option, cell or label."""

NUMBERS = ("0", "1", "1/2", "1/4", "3/4", "0.25", "0.5", "2e-3", "2/5", "1e-9", "2^-40", "7/3", "-1", "0.1234567890123456789")
LEVELS = ("1/2", "1/2", "1/4", "1/4", "1/3", "3/4", "0.9", "1/1000003", "symbolic", "99/100", "0", "1")
EPSILONS = ("1", "1/10", "ln(3)", "ln(2)/2", "2", "0.5", "100", "1/1000", "0")
ASSUMPTIONS = (
    "0 < p < 1/2", "0 < p < 1/2", "0 < p < 1, 0 < a < 1, n = 2", "p in (0, 1), q in [0, oo)", "0 < t < 1", "p + q < 1, p > 0", "n = 3", "p",
    "0 < p < 1, p > 2", "0 < p, q < 1", "1 < p < 0", "p < sqrt(2)", "0 < p^99999 < 1", "p*q > 1/3, p < q", "e < 1", "p in", "a = p",
    "alpha > 0",
)  # fmt: skip
HUGE = ("10", "100", "1000", "1999", "2000", "20000", "1000000", "999999999", "9999999999999", "1" + "0" * 400)
"""Sizes: from one that is done in a second to what nobody can build."""


def some(rng: Random, low: int = 0, high: int = 4) -> int:
    """A small number."""
    return rng.randint(low, high)


def number(rng: Random) -> str:
    """A number as text; seldom a hostile one."""
    return rng.choice(TEXTS) if rng.random() < 0.05 else rng.choice(NUMBERS)


Rows = list[list[str]]


def rows(rng: Random, m: int, k: int) -> Rows:
    """The rows of a table with small numbers: mostly of a mechanism."""
    kind = rng.random()
    if kind < 0.5 and m == k and m > 1:  # geometric
        a, n = Fraction(rng.choice(("1/2", "1/4", "1/3"))), m - 1
        table = [[a ** abs(i - r) / (1 + a) * (1 if r in (0, n) else 1 - a) for r in range(m)] for i in range(m)]
    elif kind < 0.9:
        weights = [[Fraction(rng.randint(0 if k > 1 else 1, 9)) for _ in range(k)] for _ in range(m)]
        table = [[x / (sum(row) or 1) for x in row] for row in weights]
    else:
        return [[number(rng) for _ in range(k)] for _ in range(m)]
    if rng.random() < 0.2:
        return [[f"{float(x):.6f}" for x in row] for row in table]
    return [[str(x) for x in row] for row in table]


def formulas(rng: Random, m: int) -> Rows:
    """A table of formulas in the level."""
    if rng.random() < 0.2:
        return [
            [
                rng.choice(
                    ("a", "1-a", "a^2", "1/(1+a)", "1/a", "exp(-1/2)", "sqrt(2)*a", "x0", "a^99999", "p", "1-p", "1/(1-3*p)", "a*p^n")
                )
                for _ in range(m)
            ]
            for _ in range(m)
        ]
    k = m - 1
    return [["1/(1+a)" if i == r else f"a/(1+a)/{k}" for r in range(m)] for i in range(m)] if k else [["1"]]


LABELS = ("no", "yes", "low", "high", "0", "1", "2", "10", "-1", "a b", "é", "01", "a,b", "x'y")


def labels(rng: Random, count: int) -> list[str]:
    """Labels, seldom hostile or repeated."""
    if rng.random() < 0.1:
        return [rng.choice(TEXTS) for _ in range(count)]
    return rng.sample(LABELS, count) if count < 9 and rng.random() < 0.9 else [rng.choice(LABELS) for _ in range(count)]


def quoted(cell: str) -> str:
    """A cell of a CSV."""
    return f'"{cell}"' if set(cell) & set(",;\t\n") and '"' not in cell else cell


def encoded(rng: Random, table: Rows, *, plain: bool = False) -> tuple[str, bytes]:
    """A table in some format: suffix and bytes."""
    form = rng.choice(("csv", "csv", "csv", "json", "tsv", "npy", "semicolon", "latex")) if not plain else "csv"
    named = rng.random() < 0.25
    inputs, outputs = (labels(rng, len(table)), labels(rng, len(table[0]))) if named else (None, None)
    if form == "json":
        value: Any = table if inputs is None else {"inputs": inputs, "outputs": outputs, "rows": table}
        if inputs is None and rng.random() < 0.5:
            value = {"rows": table}
        if rng.random() < 0.1 and isinstance(value, dict):
            value["unknown"] = 1
        return "json", json.dumps(value).encode()
    if form == "npy":
        stream = io.BytesIO()
        with contextlib.suppress(ValueError, OverflowError, ZeroDivisionError):
            kind = rng.choice(("text", "float", "int", "object"))
            floats = [[float(Fraction(x)) if x else 0.0 for x in row] for row in table] if kind != "text" else []
            array = numpy.array(table) if kind == "text" else numpy.array(floats)
            numpy.save(stream, array.astype(int) if kind == "int" else array.astype(object) if kind == "object" else array)
        return "npy", stream.getvalue() or b"\x93NUMPY"
    if form == "latex":
        return "tex", ("\\begin{pmatrix}" + r"\\".join(" & ".join(row) for row in table) + "\\end{pmatrix}").encode(
            "utf-8", "surrogateescape"
        )
    comma = {"tsv": "\t", "semicolon": ";"}.get(form, ",")
    lines = [*([["", *outputs]] if outputs else []), *([[*([inputs[i]] if inputs else []), *row] for i, row in enumerate(table)])]
    ending = "\n" if rng.random() < 0.9 else "\r\n"
    text = ending.join(comma.join(map(quoted, line)) for line in lines) + ending
    return "tsv" if form == "tsv" else "csv", text.encode("utf-8", "surrogateescape")


@cache
def certificates() -> tuple[bytes, ...]:
    """Certificates of every kind, as the repository has them."""
    folders = (ROOT / "tests" / "corpus", ROOT / "proofs")
    found = [path for folder in folders for path in sorted(folder.rglob("*.edp.json")) if path.stat().st_size < 20_000]
    return tuple(path.read_bytes() for path in found)


@cache
def arguments() -> tuple[tuple[Path, bytes], ...]:
    """Replayed arguments, and where they lie."""
    found = sorted((ROOT / "proofs").glob("*/arguments/*.json"))
    return tuple((path, path.read_bytes()) for path in found if path.stat().st_size < 20_000)


def sealed(certificate: dict[str, Any]) -> dict[str, Any]:
    """With the digest of its content."""
    content = {key: value for key, value in certificate.items() if key not in ("digest", "provenance")}
    data = json.dumps(content, sort_keys=True, separators=(",", ":")).encode()
    return {**certificate, "digest": "sha256:" + hashlib.sha256(data).hexdigest()}


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """All places below a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [*([path] if path else []), *(place for key, item in items for place in _places(item, (*path, key)))]


def altered(rng: Random, value: Any) -> Any:
    """A JSON value with one place changed: another value, a missing or an added entry."""
    value = json.loads(json.dumps(value))
    places = _places(value)
    if not places:
        return rng.choice(TEXTS)
    *way, last = rng.choice(places)
    parent = value
    for key in way:
        parent = parent[key]
    change = rng.randrange(6)
    if change == 0:
        del parent[last]
    elif change == 1 and isinstance(parent, dict):
        parent[rng.choice(TEXTS[:20])] = parent[last]
    elif change == 2:
        other = value
        for key in rng.choice(places):
            other = other[key]
        parent[last] = json.loads(json.dumps(other))
    elif change == 3:
        parent[last] = rng.choice((None, True, 0, -1, 1.5, [], {}, 10**30, "", [[]], {"": ""}))
    elif change == 4 and isinstance(parent[last], str):
        parent[last] = str(rng.randint(-3, 9)) if parent[last].lstrip("-").isdigit() else rng.choice(TEXTS)
    else:
        parent[last] = rng.choice(TEXTS)
    return value


def mutated(rng: Random, data: bytes) -> bytes:
    """Bytes with a few changes."""
    for _ in range(rng.randint(1, 3)):
        at = rng.randint(0, len(data))
        end = min(len(data), at + rng.randint(0, 8))
        piece = rng.choice(
            (
                b"",
                b"\x00",
                b"\xff",
                b"\xef\xbb\xbf",
                b"\xed\xa0\x80",
                b"\x1b[2J",
                b"\n",
                b",",
                b'"',
                b"9" * 400,
                b"[" * 400,
                b"{",
                b"1e9999999",
            )
        )
        data = rng.choice(
            (data[:at], data[:at] + piece + data[at:], data[:at] + data[end:], data[:at] + piece + data[end:], data[at:] + data[:at])
        )
        if data and rng.random() < 0.3:
            at = rng.randrange(len(data))
            data = data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]
    return data


def _header(shape: str) -> bytes:
    """A .npy file without data that claims this shape."""
    text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".encode()
    return b"\x93NUMPY\x01\x00" + (len(text) + 1).to_bytes(2, "little") + text + b"\n"


HOSTILE = (
    b"", b"\n", b"\x00" * 100, b"\xff\xfe1\x00,\x000\x00", b"\xef\xbb\xbf\xef\xbb\xbf1/2,1/2\n", b"1/2\xef\xbb\xbf,1/2\n",
    b"[" * 100_000, b'{"a":' * 50_000,
    b"9" * 300_000, b"1/" + b"9" * 300_000, b"1e999999999,1\n", b"1,2\n3\n", b",,,\n,,,\n", b"1/2,1/2\n" * 20_000, b"0," * 20_000,
    b"nan,1\n", b"[[NaN,1]]",
    b"[[1,]]", b'{"rows":[["1"]],"rows":[["0"]]}', b'{"rows":[]}', b'{"rows":[[]]}', b"[]", b"{}", b"null", b"1", b'"x"',
    b"[[1e400]]", b"[[" + b"9" * 5000 + b"]]",
    b'{"format": "exactdp-certificate"}', b'{"format": "exactdp-argument"}',
    b'{"inputs":["\\ud800","b"],"outputs":["a","b"],"rows":[["1","0"],["0","1"]]}',
    b'{"inputs":["\\u001b[2J","\\u202e"],"outputs":["a\\nb","b"],"rows":[["1","0"],["0","1"]]}', b"0 1\n1 1\n", b"0 1\n" * 30_000,
    b"a\xff b\n",
    _header("(30000, 30000)"), _header("(-1, 3)"), _header("(2,)"), _header("(10**9,)"), b"\x93NUMPY\x01\x00\xff\xff",
    b"PK\x03\x04" + b"\x00" * 50,
    b"\\begin{matrix}" + b"\\frac{1}{" * 2000, b"(" * 50_000, b"a^999999999,1\n1,1\n", b"sqrt(" * 5000, b"--" * 10_000 + b"1",
)  # fmt: skip
"""Hostile contents."""


class Folder:
    """The files of one case: written into the current folder, each under a short name.

    Parameters
    ----------
    rng : Random
        What all choices come from.
    """

    def __init__(self, rng: Random) -> None:
        self.rng, self.count = rng, 0
        self.stdin: bytes | None = None
        self.pipes: list[tuple[str, threading.Thread]] = []

    def close(self) -> None:
        """Release the writers of pipes that nobody read."""
        for name, writer in self.pipes:
            with contextlib.suppress(OSError):
                os.close(os.open(name, os.O_RDONLY | os.O_NONBLOCK))
            writer.join(1)

    def file(self, make: Callable[[Random], tuple[str, bytes]]) -> str:
        """The name of a new file (or of something in its place) with a content made so, perhaps altered."""
        rng = self.rng
        suffix, data = make(rng)
        fate = rng.random()
        if fate < 0.08:
            data = mutated(rng, data)
        elif fate < 0.11:
            data = rng.choice(HOSTILE)
        self.count += 1
        name = f"f{self.count}.{suffix}"
        place = rng.random()
        if place < 0.94:
            pass
        elif place < 0.96:
            self.stdin = data
            return "-"
        elif place < 0.98:
            name = rng.choice(("\udcff", "\x1b[2J", "\u202e", "a b", "\n", "é" * 100, "x" * 240, "-dash", "{0}%s")) + name
        else:
            return self._special(rng, name, data)
        with contextlib.suppress(OSError):
            Path(name).write_bytes(data)
        return name

    def _special(self, rng: Random, name: str, data: bytes) -> str:
        """What is no ordinary file: links, folders, pipes."""
        with contextlib.suppress(FileNotFoundError):
            Path(name).unlink()
        Path("real").write_bytes(data)
        kind = rng.choice(("link", "dangling", "loop", "folder", "fifo", "null"))
        if kind == "fifo":
            os.mkfifo(name)
            writer = threading.Thread(target=_feed, args=(name, data), daemon=True)
            writer.start()
            self.pipes.append((name, writer))
        elif kind == "folder":
            Path(name).mkdir()
        elif kind == "null":
            return os.devnull
        else:
            Path(name).symlink_to({"link": "real", "dangling": "nowhere", "loop": name}[kind])
        return name

    def target(self) -> str:
        """Where something is to be written: mostly a new file."""
        rng = self.rng
        if rng.random() < 0.7:
            return f"out{rng.randrange(3)}.file"
        kind = rng.choice(
            ("missing", "folder", "link", "dangling", "here", "full", "locked", *TEXTS[:20], "x" * 246, "x" * 255, "x" * 256, "é" * 120)
        )
        if kind == "missing":
            return "missing/out.file"
        if kind == "folder":
            Path("folder").mkdir(exist_ok=True)
            return "folder"
        if kind in ("link", "dangling"):
            with contextlib.suppress(FileExistsError):
                Path(kind).symlink_to("elsewhere" if kind == "dangling" else "aim")
            if kind == "link":
                Path("aim").write_text("old")
            return kind
        if kind == "here":
            Path("old").write_text("old")
            return "old"
        if kind == "full":  # a device of our own: the machine's is not put at risk
            with contextlib.suppress(OSError):
                os.mknod("full", 0o666 | stat.S_IFCHR, os.makedev(1, 7))
            return "full"
        if kind == "locked":
            Path("locked").mkdir(mode=0o500, exist_ok=True)
            return "locked/out.file"
        return kind


def _feed(name: str, data: bytes) -> None:
    with contextlib.suppress(OSError), open(name, "wb", buffering=0) as pipe:
        pipe.write(data)
