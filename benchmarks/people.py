# SPDX-License-Identifier: MIT
"""The group *people*: what many people ask, as whole commands, beside what they would write in an hour.

    python benchmarks/people.py                 all rows, written to benchmarks/people.md
    python benchmarks/people.py --only delta    rows whose name or command has this text, only printed
    python benchmarks/people.py --check         all rows, only printed, as nightly CI has them
    python benchmarks/people.py --table         no row: the table of docs/limits.md from benchmarks/people.md

Each file ``people/FAMILY.toml`` has rows, and questions that are asked at growing sizes. ``people/FAMILY.py``
makes their tables, and has the baselines. All are run one after the other, so that the ratios are of one run.
The exit code is 1 if a row or a baseline has no answer, or if a time grows faster than it may: like n^e with
a larger exponent e than the one that is stored. No time is compared with a number of seconds.

A row with ``neighbours``, ``level`` and ``size`` is one of the table in docs/limits.md, too. A whole run
writes it between its two marks.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

import door
from run import exponent, here

HERE = Path(__file__).parent
FAMILIES = HERE / "people"
ANSWERS = {0, 1}
"""Exit codes of commands that have answered: proved or refuted."""
PAGE = HERE.parent / "docs" / "limits.md"
MARKS = "<!-- rows of benchmarks/people -->\n", "<!-- end of these rows -->\n"
"""Lines of the page around the table."""
LEAST = 0.05
"""Seconds that are told apart from none. Growth is seen only above them: shorter times count as this much."""


def timed(text: str, folder: Path, env: dict[str, str], timeout: float) -> door.Whole:
    """The middle of three runs of a command, of one if it is long."""
    runs = [door.run(text, folder, env, timeout)]
    while len(runs) < 3 and runs[0].whole < 2:
        runs.append(door.run(text, folder, env, timeout))
    return door.middle(runs)


def rows(family: Path, folder: Path, env: dict[str, str], timeout: float, only: str) -> Iterator[tuple[str, bool]]:
    """A line of the table for each row of a family, and whether it is as it should be."""
    script = family.with_suffix(".py")
    door.run(f"python {script} .", folder, env, timeout)
    known: dict[str, door.Whole] = {}
    for row in tomllib.loads(family.read_text(encoding="utf-8")).get("row", []):
        text, name = row["command"], row.get("baseline")
        asked = only in text or only in row["name"]
        if not asked and " -o " not in text:
            continue
        ours = timed(text, folder, env, timeout)
        if not asked:
            continue
        if name and name not in known:
            known[name] = timed(f"python {script} . {name}", folder, env, timeout)
        theirs = known[name] if name else None
        compared = theirs is None or theirs.code == 0
        if theirs is None:
            beside = "|"
        elif compared:
            beside = f"{theirs.cpu:.2f} | {ours.cpu / theirs.cpu:.1f}"
        else:
            beside = f"failed ({theirs.code}) |"
        answered = ours.code in ANSWERS
        cpu = f"{ours.cpu:.2f}" if answered else f"no answer ({ours.code})"
        yield f"| {row['name']} | `{text}` | {cpu} | {ours.memory:.0f} | {row['goal']} | {beside} |", answered and compared


def growths(family: Path, folder: Path, env: dict[str, str], timeout: float, only: str) -> Iterator[tuple[str, bool]]:
    """A line for each question that is asked at growing sizes, without the time of starting Python.

    One that seems to grow too fast is measured a second time, and the smaller times count: other programs of
    the machine only ever add to a time.
    """
    start = timed("exactdp --version", folder, env, timeout).cpu
    for growth in tomllib.loads(family.read_text(encoding="utf-8")).get("growth", []):
        text, sizes, most = growth["command"], growth["sizes"], growth["exponent"]
        if only not in text and only not in growth["name"]:
            continue
        seconds = [math.inf for _ in sizes]
        answered, slope = True, math.inf
        for _ in range(2):
            runs = [timed(text.replace("{n}", str(n)), folder, env, timeout) for n in sizes]
            answered = answered and all(run.code in ANSWERS for run in runs)
            seconds = [min(least, run.cpu - start) for least, run in zip(seconds, runs, strict=True)]
            slope = exponent([(n, max(s, LEAST)) for n, s in zip(sizes, seconds, strict=True)])
            if not answered or slope <= most:
                break
        told = ", ".join(f"{n}: {s:.2f}" for n, s in zip(sizes, seconds, strict=True))
        found = f"{slope:.1f}" if answered else f"no answer ({', '.join(str(run.code) for run in runs)})"
        yield f"| {growth['name']} | `{text}` | {told} | {found} | {most} |", answered and slope <= most


def page_table(measured: str) -> str:
    """The table of docs/limits.md, with the figures of a text such as people.md; "–" where it has none."""
    figures = {cells[1].strip(" `"): cells[2:4] for line in measured.splitlines() if len(cells := line.strip("| ").split("|")) > 4}
    lines = ["| question | neighbours | level | size | command | seconds | MB |", "|---|---|---|---|---|---|---|"]
    for family in sorted(FAMILIES.glob("*.toml")):
        for row in tomllib.loads(family.read_text(encoding="utf-8"))["row"]:
            if "neighbours" not in row:
                continue
            size = f"{row['size']:,}" if isinstance(row["size"], int) else row["size"]
            seconds, memory = (x.strip() for x in figures.get(row["command"], ("–", "–")))
            told = (row["name"], row["neighbours"], row["level"], size, f"`{row['command']}`", seconds, memory)
            lines.append(f"| {' | '.join(told)} |")
    return "\n".join(lines) + "\n"


def with_table(page: str, table: str) -> str:
    """A page with this table between the marks."""
    before, rest = page.split(MARKS[0])
    _, after = rest.split(MARKS[1])
    return f"{before}{MARKS[0]}\n{table}\n{MARKS[1]}{after}"


def write_table(measured: str) -> None:
    """Write the table into the page."""
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), page_table(measured)), encoding="utf-8")


def main() -> int:
    """Read the command line, run, tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--timeout", type=float, default=120, help="seconds for one run (120)")
    parser.add_argument("--only", default="", metavar="TEXT", help="rows whose name or command has this text; nothing is written")
    parser.add_argument("--check", action="store_true", help="all rows, and nothing is written")
    parser.add_argument("--table", action="store_true", help="only write the table of docs/limits.md, from people.md")
    options = parser.parse_args()
    if options.table:
        write_table((HERE / "people.md").read_text(encoding="utf-8"))
        return 0
    lines = ["# What people ask", "", f"Made {here()}. Seconds of the processor, as whole commands.", ""]
    good = True
    with tempfile.TemporaryDirectory() as place:
        env = door._environment(Path(place))
        door.run(
            "python -c 'import exactdp, numpy, highspy, sympy, flint, click'", Path(place), env, options.timeout
        )  # writes the bytecode
        for family in sorted(FAMILIES.glob("*.toml")):
            folder = Path(place) / family.stem
            folder.mkdir()
            for head, found in (
                ("| question | command | seconds | MB | goal | baseline | ratio |\n|---|---|---|---|---|---|---|", rows),
                ("| growth | command | seconds by size | exponent | at most |\n|---|---|---|---|---|", growths),
            ):
                lines += [f"## {family.stem}" if found is rows else "", "", head]
                for line, as_wanted in found(family, folder, env, options.timeout, options.only):
                    lines.append(line if as_wanted else f"{line} **no**")
                    good &= as_wanted
                    print(lines[-1], flush=True)
                lines.append("")
    if not options.only and not options.check:
        (HERE / "people.md").write_text("\n".join(lines), encoding="utf-8")
        write_table("\n".join(lines))
    if not good:
        print("not as it should be: the rows that end in **no**", file=sys.stderr)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
