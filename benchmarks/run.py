# SPDX-License-Identifier: MIT
"""Compare exactdp with other exact solvers on the same instances in the same run.

    python benchmarks/run.py                    all groups (long)
    python benchmarks/run.py peers --repeat 3   one group, medians of three
    python benchmarks/run.py door               the commands of the pages as whole processes
    python benchmarks/run.py --quick            small instances only, nothing written
    python benchmarks/run.py --tables           run nothing, write README.md from results.json

Values must be equal; a difference ends the run with exit code 1. Results go to results.json, README.md
(tables) and growth.png.
"""

from __future__ import annotations

import argparse
import datetime
import json
import math
import os
import platform
import statistics
import sys
from collections import Counter
from dataclasses import asdict, replace
from fractions import Fraction
from pathlib import Path

import door
from instances import GROUPS
from programs import Run, installed, run

HERE = Path(__file__).parent

NOTES = {
    "graphs": "The rows of sparse graphs are of one run each (`--only sparse --repeat 1 --timeout 40`); medians of three are those with\n"
    "thirty inputs and those of Bayesian consumers.\n"
    "At 1/1000 libqif's losses are up to 1.4·10⁻⁵ of themselves below the exact optimum, which no private mechanism\n"
    "attains: it computes in doubles."
}
"""What is to be known about the runs of a group."""


def median_run(program: str, group: str, index: int, timeout: float, repeat: int) -> Run:
    """The medians of a few runs (of one, if the first takes long; of three times as many, if it takes less
    than a second).
    """
    runs = [run(program, group, index, timeout)]
    wanted = 3 * repeat if runs[0].whole < 1 else repeat
    while len(runs) < wanted and runs[0].whole < timeout / 10 and runs[0].value is not None:
        runs.append(run(program, group, index, timeout))
    work = None if runs[0].work is None else statistics.median(r.work for r in runs if r.work is not None)
    whole, memory = (statistics.median(getattr(r, name) for r in runs) for name in ("whole", "memory"))
    middle = min(runs, key=lambda r: abs((r.work or r.whole) - (work or whole)))  # for its note
    return replace(middle, whole=whole, work=work, memory=memory)


def same_value(ours: str, theirs: str) -> bool:
    """Equal as fractions; a double (with a decimal point) must be within its own precision."""
    if "." in theirs or "e" in theirs:
        return math.isclose(float(Fraction(ours)), float(theirs), rel_tol=1e-5)
    return Fraction(ours) == Fraction(theirs)


def exponent(points: list[tuple[int, float]]) -> float | None:
    """The slope of log time against log size over the larger half of the points."""
    points = [(n, t) for n, t in points if t > 0][-4:]
    if len(points) < 2:
        return None
    xs, ys = [math.log(n) for n, _ in points], [math.log(t) for _, t in points]
    return statistics.linear_regression(xs, ys).slope


def compare(groups: list[str], timeout: float, repeat: int, quick: bool, only: str) -> tuple[list[dict[str, object]], bool]:
    """Run everything; the rows, and whether all values agree."""
    peers, rows, agree = installed(), [], True
    for group in groups:
        for index, instance in enumerate(GROUPS[group]):
            if (quick and instance.size > 20) or only not in instance.name:
                continue
            ours = median_run("exactdp", group, index, timeout, repeat)
            theirs = [median_run(p, group, index, timeout, repeat) for p in instance.peers if p in peers]
            for peer in theirs:
                if peer.value is not None and ours.value is not None and not same_value(ours.value, peer.value):
                    if peer.note == "doubles" and getattr(instance, "beyond_doubles", False):
                        continue
                    print(f"DIFFERENT: {instance.name}: {ours.value} against {peer.program} {peer.value}", file=sys.stderr)
                    agree = False
            rows.append({"group": group, "instance": instance.name, "size": instance.size, "runs": [asdict(r) for r in (ours, *theirs)]})
            told = ", ".join(f"{r.program} {r.work if r.work is not None else r.whole:.3f} s" for r in (ours, *theirs))
            print(f"[{group}] {instance.name}: {told} {ours.note}", flush=True)
    return rows, agree


def ratio(times: float) -> str:
    """Two digits below ten, so that a peer that is ahead is seen (0.76 is not 1)."""
    return f"{times:.0f}" if times >= 10 else f"{times:.2g}"


def table(rows: list[dict[str, object]]) -> str:
    """Markdown: one line an instance; ratios to esolver where it ran."""
    lines = [
        "| instance | exactdp, work | whole process | peak MB | esolver | ratio work | ratio whole | other |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        ours, *theirs = row["runs"]  # type: ignore[misc]
        named = {r["program"]: r for r in theirs}
        q = named.pop("esolver", None)
        work = ours["work"]
        other = "; ".join(f"{name} {r['note'] if r['value'] is None else format(r['whole'], '.2f') + ' s'}" for name, r in named.items())
        if q is None:
            esolver, by_work, by_whole = "", "", ""
        else:
            sign = "" if q["value"] is not None else "> "
            esolver = f"{sign}{q['whole']:.2f} s"
            by_work = sign + ratio(q["whole"] / work) if work else ""
            by_whole = sign + ratio(q["whole"] / ours["whole"])
        shown = f"{work:.3f} s" if work is not None else ours["note"]
        lines.append(
            f"| {row['instance']} | {shown} | {ours['whole']:.2f} s | {ours['memory']:.0f} | {esolver} | {by_work} | {by_whole} | {other} |"
        )
    return "\n".join(lines)


def refinement_table(rows: list[dict[str, object]]) -> str:
    """Markdown: one line a question, with what libqif answers; ratios are its time over that of finding,
    certifying and checking.
    """
    lines = [
        "| A, target | answer | find | with certificate, check | whole process | libqif, doubles | ratio | libqif, rationals | ratio |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        ours, *theirs = row["runs"]  # type: ignore[misc]
        named = {r["program"]: r for r in theirs}
        found = ours["note"].partition(",")[0].removeprefix("find ")
        cells = [str(row["instance"]), _answer(ours), f"{found} s", f"{ours['work']:.3f} s", f"{ours['whole']:.2f} s"]
        for name in ("qif", "qif-rational"):
            peer = named.get(name)
            if peer is None:
                cells += ["", ""]
            elif peer["value"] is None:
                cells += [peer["note"].replace("['", "").partition(" (")[0], ""]
            else:
                wrong = "" if peer["value"] == ours["value"] else " (wrong)"
                cells += [f"{_answer(peer)}{wrong}, {peer['work']:.3f} s", f"{peer['work'] / ours['work']:.2f}"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _answer(run: dict[str, object]) -> str:
    return "yes" if run["value"] == "1" else "no"


def plot(rows: list[dict[str, object]], target: Path) -> None:
    """Time against n, both on logarithmic scales, with the fitted exponents."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4.5))
    series: dict[str, list[tuple[int, float]]] = {}
    for row in rows:
        if row["group"] in {"peers", "growth"} and " abs " in str(row["instance"]):
            for r in row["runs"]:  # type: ignore[attr-defined]
                if r["value"] is not None:
                    series.setdefault(r["program"], []).append((row["size"], r["work"] or r["whole"]))  # type: ignore[arg-type]
    for name, points in series.items():
        points.sort()
        slope = exponent(points)
        label = name if slope is None else f"{name} (n^{slope:.1f})"
        axes.loglog([n for n, _ in points], [t for _, t in points], marker="o", label=label)
    axes.set_xlabel("n (inputs 0..n)")
    axes.set_ylabel("seconds")
    axes.set_title("Minimax optimum, |i−r|, α = 1/2: found, certified and re-checked")
    axes.grid(True, which="both", alpha=0.3)
    axes.legend()
    figure.tight_layout()
    figure.savefig(target, dpi=120)


def here() -> str:
    """The day, and the machine."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    cpu = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "")
    return f"{datetime.date.today()}, {platform.machine()} {cpu}, {os.cpu_count()} cores, Python {platform.python_version()}"


def report(rows: list[dict[str, object]]) -> str:
    """The page of all rows, whenever each was made."""
    head = [
        "# Benchmarks",
        "",
        "`python benchmarks/run.py` runs ours beside QSopt_ex (`esolver`), `glpsol --exact`, z3 and libqif where they are installed,",
        "on the same instances, and checks that the values are equal (doubles: to their own precision).",
        "*Work* is finding the optimum, writing the certificate, reading it back and the kernel's check, imports aside;",
        "*whole process* includes starting Python, prepared as the command `exactdp` is (one OpenBLAS thread, few garbage collections).",
        "The ratios are esolver's time over ours.",
        "esolver and glpsol read a program that has been written before: writing it is not in their time.",
        "",
        "What people ask, as whole commands beside what they would write in an hour, is in [people.md](people.md)",
        "(`python benchmarks/people.py`). A row fails if it has no answer, and a question that is asked at growing sizes if its time grows",
        "with a larger exponent than the one stored in `people/*.toml`. The goals in seconds and the ratios are only told.",
        "`.ci/run nightly` has it as a stage (`python benchmarks/people.py --check`, which writes nothing).",
        "",
        "What is compared in a row was run together. Times of rows that were made on different days or machines do not compare:",
        "",
        *(f"* {day}: {count} rows" for day, count in sorted(Counter(str(row["made"]) for row in rows).items())),
        "",
        "![time against n](growth.png)",
    ]
    for group in GROUPS:
        place = {instance.name: number for number, instance in enumerate(GROUPS[group])}
        chosen = sorted((row for row in rows if row["group"] == group), key=lambda row: place.get(str(row["instance"]), -1))
        if chosen:
            head += ["", f"## {group}", ""] + ([NOTES[group], ""] if group in NOTES else [])
            head += [*made(chosen), refinement_table(chosen) if group == "refinement" else table(chosen)]
    commands = [row for row in rows if row["group"] == "door"]
    head += ["", "## door", "", *made(commands), door.table(commands)] if commands else []
    return "\n".join(head) + "\n"


def made(rows: list[dict[str, object]]) -> list[str]:
    """When and where the rows of a group were made, and of the fewer which."""
    (most, _), *others = Counter(str(row["made"]) for row in rows).most_common()
    found = [f"Made {most}."]
    for day, _ in others:
        found += [f"Made {day}: " + "; ".join(str(row["instance"]) for row in rows if row["made"] == day) + "."]
    return [*found, ""]


def main() -> int:
    """Read the command line, run, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("groups", nargs="*", choices=[*GROUPS, "door", []], help="groups of instances; all unless given")
    parser.add_argument("--timeout", type=float, default=300, help="seconds for one run (300)")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each program, the median counts (3)")
    parser.add_argument("--quick", action="store_true", help="small instances only; write nothing")
    parser.add_argument("--only", default="", metavar="TEXT", help="instances whose name has this text")
    parser.add_argument("--tables", action="store_true", help="run nothing; write README.md from results.json")
    options = parser.parse_args()
    groups = [] if options.tables else options.groups or [*GROUPS, "door"]
    rows, agree = compare([g for g in groups if g in GROUPS], options.timeout, options.repeat, options.quick, options.only)
    if "door" in groups and not options.quick:
        rows += door.measure(options.timeout, options.repeat, options.only)
    if not options.quick:
        known = json.loads((HERE / "results.json").read_text()) if (HERE / "results.json").exists() else []
        fresh = {(row["group"], row["instance"]) for row in rows}
        gone = {"door"} if "door" in groups and not options.only else set()  # commands that no page has any more
        rows = [row for row in known if (row["group"], row["instance"]) not in fresh and row["group"] not in gone] + rows
        rows = [row if "made" in row else {**row, "made": here()} for row in rows]
        (HERE / "results.json").write_text(json.dumps(rows, indent=1) + "\n")
        (HERE / "README.md").write_text(report(rows))
        plot(rows, HERE / "growth.png")
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
