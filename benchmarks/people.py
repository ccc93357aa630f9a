# SPDX-License-Identifier: MIT
"""The group *people*: what many people ask, as whole commands, beside what they would write in an hour.

    python benchmarks/people.py                 all rows, written to benchmarks/people.md
    python benchmarks/people.py --only delta    rows whose name or command has this text, only printed

Each file ``people/FAMILY.toml`` has rows, and questions that are asked at growing sizes. ``people/FAMILY.py``
makes their tables, and has the baselines. All are run one after the other, so that the ratios are of one run.
The exit code is 1 if a row has failed, or if a time grows faster than it may.
"""

from __future__ import annotations

import argparse
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
        beside = "|" if theirs is None else f"{theirs.cpu:.2f} | {ours.cpu / theirs.cpu:.1f}"
        answered = ours.code in ANSWERS
        cpu = f"{ours.cpu:.2f}" if answered else f"no answer ({ours.code})"
        yield f"| {row['name']} | `{text}` | {cpu} | {ours.memory:.0f} | {row['goal']} | {beside} |", answered


def growths(family: Path, folder: Path, env: dict[str, str], timeout: float, only: str) -> Iterator[tuple[str, bool]]:
    """A line for each question that is asked at growing sizes, without the time of starting Python."""
    start = timed("exactdp --version", folder, env, timeout).cpu
    for growth in tomllib.loads(family.read_text(encoding="utf-8")).get("growth", []):
        if only not in growth["command"] and only not in growth["name"]:
            continue
        seconds = [timed(growth["command"].replace("{n}", str(n)), folder, env, timeout).cpu - start for n in growth["sizes"]]
        slope = exponent(list(zip(growth["sizes"], seconds, strict=True)))
        told = ", ".join(f"{n}: {s:.2f}" for n, s in zip(growth["sizes"], seconds, strict=True))
        kept = slope is not None and slope <= growth["exponent"]
        found = "none" if slope is None else f"{slope:.1f}"
        yield f"| {growth['name']} | `{growth['command']}` | {told} | {found} | {growth['exponent']} |", kept


def main() -> int:
    """Read the command line, run, tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--timeout", type=float, default=120, help="seconds for one run (120)")
    parser.add_argument("--only", default="", metavar="TEXT", help="rows whose name or command has this text; nothing is written")
    options = parser.parse_args()
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
    if not options.only:
        (HERE / "people.md").write_text("\n".join(lines), encoding="utf-8")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
