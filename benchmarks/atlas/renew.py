# SPDX-License-Identifier: MIT
"""Make the atlas's index from the folder of its sweep: ``python benchmarks/atlas/renew.py FOLDER``.

The rows of ``plan.toml`` only, without what can be told from the rest (the sentences) or is of the machine
(the memory), and seconds in thousandths. The certificates are not part of it. Each row has the digest of its
own.
"""

from __future__ import annotations

import sys
from pathlib import Path

import duckdb

from exactdp.sweeps.index import index
from exactdp.sweeps.plan import Plan

HERE = Path(__file__).resolve().parent

COLUMNS = "* REPLACE (NULL::VARCHAR AS claim, NULL::BIGINT AS memory, NULL::BIGINT AS bytes, round(seconds, 3) AS seconds)"


def renew(folder: Path, target: Path = HERE / "index.parquet") -> int:
    """Write the index; how many rows it has."""
    planned = [(question.text,) for question in Plan.read(HERE / "plan.toml").questions]
    with duckdb.connect(":memory:") as connection:
        connection.execute("CREATE TABLE planned (question VARCHAR)")
        connection.executemany("INSERT INTO planned VALUES (?)", planned)
        connection.register("answers", connection.from_parquet(str(index(folder))))
        rows = f"SELECT {COLUMNS} FROM answers SEMI JOIN planned USING (question) ORDER BY question"
        connection.execute(f"COPY ({rows}) TO '{target}' (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 19)")
        [(count,)] = connection.execute(f"SELECT count(*) FROM '{target}'").fetchall()
    return int(count)


if __name__ == "__main__":
    print(f"{renew(Path(sys.argv[1])):,} rows")
