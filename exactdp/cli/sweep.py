# SPDX-License-Identifier: MIT
"""``exactdp sweep`` and ``exactdp index``: many questions on all cores or a cluster, and their index."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from textwrap import wrap
from typing import Any

import click

from exactdp.cli.program import LIMIT, PROVED, command, json_option, progress_line, say, tell, terminal_width
from exactdp.cli.reading import WritablePath, leave_out
from exactdp.runtime.progress import Progress, listener_of
from exactdp.sweeps.answer import WORDS
from exactdp.sweeps.index import index as make_index
from exactdp.sweeps.index import plain, rows
from exactdp.sweeps.plan import Plan
from exactdp.sweeps.run import REPAIRED, STOPPING
from exactdp.sweeps.run import sweep as ask_all


@command(
    "exactdp sweep docs/plans/small.toml -o answers",
    "exactdp sweep plan.toml -o answers --workers 4",
    "exactdp sweep plan.toml -o answers --scheduler tcp://10.0.0.1:8786",
    "exactdp sweep plan.toml -o answers --again limit --each-seconds 600",
    builds=False,
)
@click.argument("plan", metavar="PLAN")
@click.option("-o", "--output", "folder", type=WritablePath(folder=True), required=True, metavar="DIR", help="Where all answers go.")
@click.option("--workers", type=click.IntRange(min=1), metavar="N", help="Processes on this machine (default: its cores).")
@click.option("--scheduler", metavar="ADDRESS", help="A Dask scheduler to use instead, such as tcp://10.0.0.1:8786.")
@click.option("--each-seconds", type=click.FloatRange(min=0, min_open=True), metavar="S", help="The time limit of each question.")
@click.option("--each-memory", metavar="SIZE", help="The memory limit of each, such as '2 GiB'.")
@click.option("--again", multiple=True, type=click.Choice(WORDS), help="Ask again what has this verdict; may be given several times.")
@json_option
def sweep(
    plan: str,
    folder: Path,
    workers: int | None,
    scheduler: str | None,
    each_seconds: float | None,
    each_memory: str | None,
    again: tuple[str, ...],
    as_json: bool,
) -> None:
    """Ask all questions of PLAN, a TOML file, on the cores of this machine or on a Dask cluster.

    Certificates go to DIR/certificates, named by their digests, and a row for each answer to
    DIR/index.parquet. What is answered is kept at once: stopped at any moment (Ctrl-C, a power failure), the
    same command goes on where it was. Another plan with the same DIR extends it.

    The exit code is 0 if every question has a verdict (proved or refuted, whichever), and 4 if some are
    undecided, beyond a limit, or failed. Needs: pip install 'exactdp[sweep]'.
    """
    if scheduler is not None and workers is not None:
        raise click.UsageError("--workers are those of this machine, and a scheduler has its own; give one of the two")
    asked = Plan.read(plan)
    listener = _Listener(None if as_json else f"exactdp sweep {plan} -o {folder}")
    limits: dict[str, Any] = {"each_seconds": each_seconds, "each_memory": each_memory}
    done = ask_all(asked, folder, workers=workers, scheduler=scheduler, **limits, again=again, progress=listener)
    open_ones = sum(done.counts[word] for word in ("undecided", "limit", "failed"))
    code = LIMIT if open_ones else PROVED
    if as_json:
        body: dict[str, Any] = {"verdict": "undecided" if open_ones else "proved", "claim": str(done), "counts": done.counts}
        body |= {"asked": done.asked, "seconds": round(done.seconds, 3), "index": str(done.index), "exit_code": code}
        say(json.dumps(body, indent=2))
    else:
        why = f"exactdp index {folder} --select 'question, verdict, message' --where \"verdict NOT IN ('proved', 'refuted')\""
        say("\n".join([str(done), f"rows: {done.index}", *([f"why some have no verdict: {why}"] if open_ones else [])]))
    click.get_current_context().exit(code)


class _Listener:
    """Passes progress on; tells the dashboard's address once, and how to go on after a stop.

    * ``line``: the command that goes on; None to tell nothing.
    """

    def __init__(self, line: str | None) -> None:
        self.line, self.linked = line, line is None
        self.listener = listener_of(None)

    def __call__(self, event: Progress) -> None:
        if event.phase == STOPPING:
            if self.line is not None:
                self._tell(f"Stopped; what is answered is kept: {event.done} of {event.total} questions. To go on: {self.line}")
            return
        if event.phase == REPAIRED:
            self._tell(f"Note: {event.detail}")
            return
        if not self.linked and "dashboard " in event.detail:
            self.linked = True
            self._tell(f"Dask's dashboard: {event.detail.partition('dashboard ')[2]}")
        if self.listener is not None:
            self.listener(event)

    def _tell(self, text: str) -> None:
        with progress_line().hidden():
            tell(text)


@command(
    "exactdp index answers",
    "exactdp index answers --where \"verdict = 'refuted' AND inputs <= 5\" --select 'graph, level, claim'",
    "exactdp index answers --select 'ask, verdict, count(*), sum(seconds)' --group 'ask, verdict' --order ask",
    "exactdp index answers --where 'lower > 0.3' --csv > large.csv",
    builds=False,
)
@click.argument("folder", metavar="DIR")
@click.option("--where", default="", metavar="SQL", help="A condition on the rows.")
@click.option("--select", default="", metavar="SQL", help="Columns or expressions instead of the usual columns.")
@click.option("--group", default="", metavar="SQL", help="Group by these, for count(*), max(upper), ….")
@click.option("--order", default="", metavar="SQL", help="Sort by these (default: the question's text, unless the SQL has a subquery).")
@click.option("--limit", type=click.IntRange(min=0), metavar="N", help="Print at most so many rows.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")
@json_option
def index(folder: str, where: str, select: str, group: str, order: str, limit: int | None, as_csv: bool, as_json: bool) -> None:
    """Answer from the index of a sweep, DIR, or from a Parquet file of one, with DuckDB's SQL.

    Makes DIR/index.parquet anew if there are answers that are not in it; the sweep may be running. The
    columns are explained in docs/plan-format.md. Numbers are exact: value is text, lower and upper are
    decimals with 18 digits after the point, at most and at least the value.
    """
    if as_csv:
        leave_out("--csv prints rows, and so does --json; give one of the two", "as_json")
    path = Path(folder) if Path(folder).is_file() else make_index(folder, told=lambda text: tell(f"Note: {text}"))
    chosen = select or "ask, graph, level, loss, consumer, mechanism, verdict, value"
    names, found = rows(path, select=chosen, where=where, group=group, order=order or ("" if group or select else "question"), limit=limit)
    if as_json:
        say(json.dumps({"columns": names, "rows": [[plain(value) for value in row] for row in found], "exit_code": PROVED}, indent=2))
    elif as_csv:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerows([names, *(["" if value is None else value for value in row] for row in found)])
        say(text.getvalue().rstrip("\n"))
    else:
        say(_table(names, found, terminal_width()))


ROOM = 24
"""A column is folded where so many characters are left for it; else each row gets lines of its own."""


def _table(names: list[str], found: list[tuple[Any, ...]], width: int | None = None) -> str:
    r"""Columns side by side; those of which nothing is known are left out.

    * ``width``: of the terminal. The widest column is folded there, and where too little is left for it, each
      row is written as lines of a name and a value. None: nothing is folded.

    >>> print(_table(["graph", "claim"], [("path:3", "one two three four five six")], 32))
    graph   claim
    path:3  one two three four five
            six
    (1 row)
    >>> print(_table(["graph", "claim"], [("path:3", "one two")], 12))
    graph
      path:3
    claim
      one two
    (1 row)
    """
    cells = [["" if value is None else str(value) for value in row] for row in found]
    kept = [k for k in range(len(names)) if not cells or any(row[k] for row in cells)]
    lines = [[row[k] for k in kept] for row in [names, *cells]]
    widths = [max(len(line[k]) for line in lines) for k in range(len(kept))]
    count = f"({len(found)} row{'s' * (len(found) != 1)})"
    if width is not None and sum(widths) + 2 * len(widths) - 2 > width:
        widest = max(range(len(widths)), key=widths.__getitem__)
        room = width - sum(widths) - 2 * len(widths) + 2 + widths[widest]
        if room < ROOM:
            return "\n".join(["\n\n".join(_record(lines[0], line, width) for line in lines[1:]), count])
        widths[widest] = room
        lines = [part for line in lines for part in _folded_row(line, widest, room)]
    shown = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    return "\n".join([*shown, count])


def _record(names: list[str], line: list[str], width: int) -> str:
    """A row as lines, each name above its value."""
    return "\n".join(
        part for name, cell in zip(names, line, strict=True) for part in (name, *(f"  {one}" for one in _parts(cell, width - 2)))
    )


def _parts(cell: str, room: int) -> list[str]:
    """A cell in lines, broken at spaces only."""
    return wrap(cell, max(room, 1), break_long_words=False, break_on_hyphens=False) or [""]


def _folded_row(line: list[str], column: int, room: int) -> list[list[str]]:
    """A row as lines, of which the first has all of its cells but the rest of a long one."""
    parts = _parts(line[column], room)
    first = [*line[:column], parts[0], *line[column + 1 :]]
    return [first, *([part if k == column else "" for k in range(len(line))] for part in parts[1:])]
