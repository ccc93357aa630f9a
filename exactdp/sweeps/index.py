# SPDX-License-Identifier: MIT
"""The index of a sweep: one row an answer, in one Parquet file, and questions to it in SQL (DuckDB)."""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from exactdp.errors import InputError
from exactdp.runtime.files import write_file
from exactdp.sweeps.extra import needed
from exactdp.sweeps.store import INDEX, PARTS, has_columns, parquet_of, read_parts, schema, whole_parts, whole_table

DAMAGED = "is no index of a sweep, or a damaged one; where its parts are beside it, exactdp index DIR makes it anew"

_MADE_OF = b"exactdp.parts"
"""The key of the index's metadata that tells of which parts it was made."""


def index(folder: str | Path, *, told: Callable[[str], object] = lambda text: None) -> Path:
    """Make the index of a sweep from its parts, unless it is up to date: the newest row of each question.

    One that is damaged, which the checksums of its pages tell, is made anew.

    * ``folder``: of a sweep; it may still run.
    * ``told``: gets a sentence about each file that is damaged.

    Returns: ``index.parquet`` in the folder: rows in the alphabetical order of the questions' texts, so that
    it does not depend on the order in which they were answered.

    * raises InputError: there is no sweep in this folder, or the extra ``sweep`` is missing; or the index is
      damaged, and there are no parts.
    * raises WriteError: the index can't be written.
    """
    place = Path(folder)
    needed("pyarrow")
    target = place / INDEX
    if not (place / PARTS).is_dir():
        if target.is_file():
            read_index(target)
            return target
        raise InputError(f"there is no sweep in {str(folder)!r}: it has neither {PARTS} nor {INDEX}", folder=folder)
    made_of = json.dumps([[path.name, hashlib.sha256(data).hexdigest()] for path, data in read_parts(place)]).encode()
    damaged = target.is_file() and whole_table(target.read_bytes()) is None
    if not damaged and _made_of(target) == made_of:
        return target
    if damaged:
        told(f"{str(target)!r} was damaged and is made anew from {str(place / PARTS)!r}")
    lost: list[Path] = []
    table = newest_rows([*whole_parts(place, lost=lost)])
    for path in lost:
        told(f"{str(path)!r} is damaged, and its answers are left out; the sweep asks its questions again")
    return write_file(target, parquet_of(table.replace_schema_metadata({_MADE_OF: made_of})))


def newest_rows(parts: Sequence[Any]) -> Any:
    """The newest row of each question in some parts, in the alphabetical order of the questions' texts."""
    pa = needed("pyarrow")
    table = pa.concat_tables([schema().empty_table(), *parts])
    newest = {text: number for number, text in enumerate(table.column("question").to_pylist())}
    return table.take(pa.array([newest[text] for text in sorted(newest)], type=pa.int64()))


def read_index(path: str | Path) -> Any:
    """All rows of an index, each page checked; InputError, which names the file, if it is damaged."""
    try:
        found = whole_table(Path(path).read_bytes(), some=True)
    except OSError as error:
        raise InputError(f"{str(path)!r} can't be read: {error.strerror or error}", path=path) from None
    if found is None:
        raise InputError(f"{str(path)!r} {DAMAGED}", path=path)
    return found


def _made_of(path: Path) -> bytes | None:
    parquet = needed("pyarrow.parquet")
    try:
        with path.open("rb") as stream:
            found: bytes | None = (parquet.read_schema(stream).metadata or {}).get(_MADE_OF)
    except (OSError, ValueError):
        return None
    return found


def rows(
    path: str | Path, *, select: str = "*", where: str = "", group: str = "", order: str = "", limit: int | None = None
) -> tuple[list[str], list[tuple[Any, ...]]]:
    """The rows of an index for which an SQL condition holds.

    The expressions may come from anybody: DuckDB can neither read nor write files for them.

    * ``path``: the Parquet file.
    * ``select``, ``where``, ``group``, ``order``: expressions of DuckDB over the columns; empty for none.
    * ``limit``: most rows.

    Returns: numbers with decimals are :class:`~decimal.Decimal`.

    * raises InputError: DuckDB does not understand an expression, or the file; the message is DuckDB's. Or
      the expressions are more than one query.
    """
    duckdb, table = needed("duckdb"), opened(path)
    parts: Sequence[tuple[str, str]] = (("WHERE", where), ("GROUP BY", group), ("ORDER BY", order))
    clauses = [f"SELECT {select}", "FROM answers", *(f"{word} {text}" for word, text in parts if text)]
    query = "\n".join([*clauses, *([] if limit is None else [f"LIMIT {int(limit)}"])])  # a comment ends with its line
    with duckdb.connect(":memory:", config={"threads": os.cpu_count() or 1}) as connection:
        try:
            connection.register("answers", table)
            for setting in ("enable_external_access = false", "lock_configuration = true"):
                connection.execute(f"SET {setting}")
            if len(connection.extract_statements(query)) != 1:
                raise InputError("DuckDB is asked one question at a time: the expressions have no semicolon", query=query)
            found = connection.execute(query)
            names = [column[0] for column in found.description]
            return names, [tuple(row) for row in found.fetchall()]
        except duckdb.Error as error:
            read_index(path)  # is it the file, or the question?
            first = str(error).strip().splitlines()[0]
            raise InputError(f"DuckDB can't answer from the index {str(path)!r}: {first}", error=str(error)) from None


def opened(path: str | Path) -> Any:
    """The rows of a Parquet file, read as they are asked for: by pyarrow, for DuckDB opens no files."""
    pa, dataset, local = needed("pyarrow"), needed("pyarrow.dataset"), needed("pyarrow.fs").LocalFileSystem()
    try:
        checked = dataset.ParquetFragmentScanOptions(page_checksum_verification=True)
        kind = dataset.ParquetFileFormat(default_fragment_scan_options=checked)
        found = dataset.dataset([str(path)], format=kind, filesystem=local)  # a list: no name is a pattern, or skipped
        ours = has_columns(found.schema)
    except (pa.ArrowException, OSError, ValueError) as error:
        number = error.errno if isinstance(error, OSError) else None
        reason = os.strerror(number) if number else "it is none, or not a whole one"
        raise InputError(f"{str(path)!r} can't be read as Parquet: {reason}", path=path, error=str(error)) from None
    if not ours:
        raise InputError(f"{str(path)!r} {DAMAGED}", path=path)
    return found


def plain(value: Any) -> Any:
    """A value of a row as JSON has it; exact decimals as text, and so what is no number or infinite.

    >>> from decimal import Decimal
    >>> plain(Decimal("0.500000000000000000")), plain(None), plain(3), plain(float("inf"))
    ('0.500000000000000000', None, 3, 'inf')
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)
