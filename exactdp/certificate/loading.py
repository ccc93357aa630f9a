# SPDX-License-Identifier: MIT
"""What a file says, as the right object: a certificate, a mechanism, a table, or neighbours."""

from __future__ import annotations

import json
from os import PathLike, fsdecode
from pathlib import Path

from exactdp.certificate.certificate import Certificate
from exactdp.certificate.decode import read_certificate
from exactdp.certificate.verification import is_argument
from exactdp.errors import ExactDPError, ExpressionSyntaxError, InputError, RationalSyntaxError, wrong_kind
from exactdp.model import Graph, Mechanism, PrintedTable, PrivacyLevel, Table
from exactdp.model.printed import Digits
from exactdp.readers.entrance import within_file
from exactdp.readers.formulas import read_formula_table
from exactdp.readers.graphs import read_edges
from exactdp.readers.tables import read_grid, read_table, require_rows, without_index


def load(
    path: str | PathLike[str],
    *,
    labels: bool = False,
    dyadic: bool = False,
    header: bool | None = None,
    transpose: bool = False,
    digits: Digits | None = None,
) -> Certificate | Mechanism | Table | PrintedTable | Graph:
    r"""What the file says, read exactly, as the right object.

    Parameters
    ----------
    path : str or Path
        A certificate; a table (CSV, JSON or .npy), perhaps of formulas in the level ``a``; or a file of edges
        (its name ends in ``.edges``: two labels a line).
    labels : bool
        Whether the first line and the first column of a CSV are labels.
    dyadic : bool
        Read decimals as the doubles nearest to them, exactly.
    header : bool, optional
        Whether the first line of a CSV names the outputs, and there is no column of labels
        (:func:`exactdp.read_table`).
    transpose : bool
        Whether the inputs are the columns of a table.
    digits : int or "auto", optional
        A table was printed with so many digits (:func:`~exactdp.read_table`).

    Returns
    -------
    Certificate, Mechanism, Table, PrintedTable or Graph
        A certificate that the checker accepts. A table whose rows are non-negative and sum to 1, for every
        level if it has formulas, is a mechanism; any other is a Table, whose ``faults()`` say why.

    Raises
    ------
    InputError
        There is no such file, or it is none of these; the message begins with its name.
    MalformedCertificateError, RejectedCertificateError
        A certificate that the checker does not accept; the message is the checker's.
    ResourceLimitError
        The file is too large.

    Examples
    --------
    >>> import tempfile
    >>> from exactdp import certify, geometric, neighbours, tightest_level
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "table.csv").write_text("2/3,1/3\n1/3,2/3\n")
    >>> load(folder / "table.csv") == geometric(1, "1/2")
    True
    >>> _ = (folder / "rounded.csv").write_text("0.667,0.333\n0.333,0.666\n")
    >>> print(load(folder / "rounded.csv").faults())
    row 1 sums to 999/1000, not 1 (excess -1/1000)
    >>> file = certify(tightest_level(geometric(1, "1/2"), neighbours("path:2"))).write(folder / "c.edp.json")
    >>> load(file).kind
    'level'
    """
    if not isinstance(path, (str, PathLike)):
        raise wrong_kind("name of a file", path, "text or a Path")
    if isinstance(path, str) and "\n" in path:
        raise InputError("the name of a file has several lines; read_table reads the text of a table", path=path)
    file = Path(fsdecode(path))

    def loaded(content: bytes) -> Certificate | Mechanism | Table | PrintedTable | Graph:
        if file.suffix == ".edges":
            return read_edges(content, name=file.name)
        if is_certificate(content):
            return read_certificate(content)
        if digits is not None:
            return read_table(content, labels=labels, dyadic=dyadic, header=header, transpose=transpose, digits=digits)
        return _table(content, labels, dyadic, header, transpose)

    return within_file(file, loaded)


def is_certificate(content: bytes) -> bool:
    """Whether the bytes are a JSON object that says, at its top, that it is a certificate; or half of one.

    >>> is_certificate(b'{"format": "exactdp-certificate"}'), is_certificate(b"1/2,1/2")
    (True, False)
    >>> is_certificate(b'{"inputs": ["witness"], "rows": [["1"]]}')
    False
    """
    if not content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return False
    if b'"exactdp-certificate"' not in content and b'"witness"' not in content:
        return False
    try:
        value: dict[str, object] = json.loads(content)
    except (ValueError, RecursionError):
        return True
    return value.get("format") == "exactdp-certificate" or {"claim", "witness"} <= value.keys()


def _table(content: bytes, labels: bool, dyadic: bool, header: bool | None, transpose: bool) -> Mechanism | Table:
    """The table of numbers, else of formulas; a mechanism if it is one."""
    if is_argument(content):
        raise InputError("it is an argument, which verify(path) replays")
    grid = read_grid(content, labels=labels, dyadic=dyadic, header=header)
    if transpose:
        grid = grid.transposed()
    elif header is None and not labels:
        grid = without_index(grid)
    try:
        table = read_table(grid, dyadic=dyadic)
        if header is None or transpose:
            require_rows(grid, table, transposed=transpose)
    except RationalSyntaxError as error:
        try:
            table = read_formula_table(grid, dyadic=dyadic, alpha=PrivacyLevel.symbolic().alpha)
        except InputError as other:
            if isinstance(other, ExpressionSyntaxError) or "letter" in other.facts:  # O.7 is a misprint of 0.7
                raise error from None
            raise
    table = table.noted(grid.notes)
    try:
        return table.as_mechanism()
    except ExactDPError:
        return table
