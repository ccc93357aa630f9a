# SPDX-License-Identifier: MIT
"""Make the atlas's index from the folder of its sweep, and print its page anew.

``python benchmarks/atlas/renew.py FOLDER`` writes ``index.parquet``: the rows of ``plan.toml`` only, without
what can be told from the rest (the sentences) or is of the machine (the memory), and seconds in thousandths.
The certificates are not part of it; each row has the digest of its own. ``python benchmarks/atlas/renew.py``
runs the commands of docs/atlas.md and puts there what they print.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb

from exactdp.sweeps.index import index
from exactdp.sweeps.plan import Plan

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PAGE = ROOT / "docs" / "atlas.md"

COLUMNS = "* REPLACE (NULL::VARCHAR AS claim, NULL::BIGINT AS memory, NULL::BIGINT AS bytes, round(seconds, 3) AS seconds)"
BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)


def renew(folder: Path, target: Path = HERE / "index.parquet") -> int:
    """Write the index; how many rows it has."""
    planned = [(question.text,) for question in Plan.read(HERE / "plan.toml").questions]
    with duckdb.connect(":memory:") as connection:
        connection.execute("CREATE TABLE planned AS SELECT unnest($1) AS question", [[text for (text,) in planned]])
        connection.register("answers", connection.from_parquet(str(index(folder))))
        rows = f"SELECT {COLUMNS} FROM answers SEMI JOIN planned USING (question) ORDER BY question"
        connection.execute(f"COPY ({rows}) TO '{target}' (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 19)")
        [(count,)] = connection.execute(f"SELECT count(*) FROM '{target}'").fetchall()
    return int(count)


def printed(block: str) -> str:
    """The commands of a console block, each with what it prints."""
    return "".join(_printed(line[2:]) for line in block.splitlines() if line.startswith("$ "))


def _printed(command: str) -> str:
    words = [sys.executable, "-m", *shlex.split(command)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    return f"$ {command}\n{done.stdout}"


def page(text: str) -> str:
    """The page with what its commands print now."""

    def parts() -> Iterator[str]:
        at = 0
        for block in BLOCK.finditer(text):
            yield text[at : block.start()]
            yield printed(block[0])
            at = block.end()
        yield text[at:]

    return "".join(parts())


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(f"{renew(Path(sys.argv[1])):,} rows")
    else:
        PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
