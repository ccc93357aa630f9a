# SPDX-License-Identifier: MIT
"""The group *door*: the commands that a user types, as whole processes, with seconds and memory.

They are the commands of README.md and docs/*.md, a page in a folder of its own, and some large ones
(:data:`LARGE`). The wall clock of a busy machine says little, so that the processor's seconds are there too,
and what they are of those of ``python -c 'import numpy'`` in the same run: that compares machines.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent

LARGE = (
    "exactdp --version",
    "exactdp --help",
    "exactdp optimal --graph path:4 --alpha 1/2 --loss abs",
    "exactdp tight sum:u=150,v=5 --alpha 3797/10000",
    "exactdp optimal --graph path:1001 --alpha 1/2 --loss abs",
    "exactdp optimal geometric:n=1000 --alpha 1/2 --loss abs --after-remap -o c.json",
    "exactdp verify c.json",
    "exactdp optimal geometric:n=1000 --alpha 9/10 --loss squared --after-remap -o squared.json",
    "exactdp verify squared.json",
    "exactdp type path:1000 --alpha 1/2 --capacity additive",
    "exactdp type euclid:2x3 --epsilon 1 --kernels",
)
"""The commands of which a page need not tell."""

FILES = {
    "table.csv": "4/5,3/20,3/80,1/80\n1/5,3/5,3/20,1/20\n1/20,3/20,3/5,1/5\n1/80,3/80,3/20,4/5\n",
    "letters.csv": "1-p,p\nq,1-q\n",
}
"""The reader's own tables, of which the pages speak."""

REFERENCE = "python -c 'import numpy'"
OFTEN = 5
"""How often the reference runs at either end."""
POLL = 0.02
"""Seconds between two looks at the processes."""


@dataclass(frozen=True, slots=True)
class Whole:
    """One command from its start to its end.

    Attributes
    ----------
    whole, cpu : float
        Seconds by the clock, and of the processor, children included (unless it was ended at the time limit).
    memory : float
        Peak in MB, of all its processes together.
    processes : int
        How many there were at once, the shell aside.
    code : int or None
        The exit code; None if it was ended at the time limit.
    """

    whole: float
    cpu: float
    memory: float
    processes: int
    code: int | None


def sessions() -> Iterator[tuple[str, list[str]]]:
    """Each page with its commands, in their order; and the large ones."""
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        commands = []
        for kind, block in re.findall(r"^```(console|sh)\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
            for line in block.splitlines():
                if kind == "console" and line.startswith("$ "):
                    commands.append(line[2:].strip())
                elif kind == "sh" and line.startswith("exactdp "):
                    commands.append(shlex.join(shlex.split(line, comments=True)))
        if commands:
            yield page.name, commands
    yield "large", list(LARGE)


def measure(timeout: float, repeat: int, only: str) -> list[dict[str, object]]:
    """Run everything that has the text ``only``; the rows for results.json, the reference among them."""
    with tempfile.TemporaryDirectory() as place:
        home = Path(place)
        env = _environment(home)
        run("python -c 'import exactdp, numpy, highspy, sympy, flint, click'", home, env, timeout)  # writes the bytecode
        before = [run(REFERENCE, home, env, timeout) for _ in range(OFTEN)]
        found = [
            (page, text, whole) for page, texts in sessions() for text, whole in _session(page, texts, home, env, timeout, repeat, only)
        ]
        after = [run(REFERENCE, home, env, timeout) for _ in range(OFTEN)]
    one = middle(before + after)
    rows = [("reference", REFERENCE, one), *found]
    return [
        {
            "group": "door",
            "instance": f"{page}: {text}",
            "size": 0,
            "runs": [{"program": "exactdp", "value": None, "note": "", **asdict(whole), "ratio": whole.cpu / one.cpu}],
        }
        for page, text, whole in rows
    ]


def _environment(home: Path) -> dict[str, str]:
    """Commands find this tree's exactdp, and the bytecode that the first one wrote."""
    (home / "bin").mkdir()
    for name, words in (("exactdp", "-m exactdp"), ("python", ""), ("python3", "")):
        program = home / "bin" / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n')
        program.chmod(0o755)
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**env, "PATH": f"{home / 'bin'}:{env['PATH']}", "PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": str(home / "bytecode")}


def _session(
    page: str, texts: list[str], home: Path, env: dict[str, str], timeout: float, repeat: int, only: str
) -> Iterator[tuple[str, Whole]]:
    """The commands of a page; what is no command of exactdp only makes its files."""
    folder = home / page
    folder.mkdir()
    for name, content in FILES.items():
        (folder / name).write_text(content)
    for text in texts:
        asked = re.search(r"\bexactdp ", text) and only in text
        if not asked and only and not re.search(r" -o |>", text):
            continue
        runs = [run(text, folder, env, timeout)]
        if not asked:
            continue
        while len(runs) < repeat and runs[0].whole < 2:
            runs.append(run(text, folder, env, timeout))
        found = middle(runs)
        ended = "over the time limit" if found.code is None else f"exit code {found.code}"
        print(f"[door] {page}: {text}: {found.whole:.2f} s, {found.cpu:.2f} s CPU, {found.memory:.0f} MB, {ended}", flush=True)
        yield text, found


def middle(runs: list[Whole]) -> Whole:
    """The medians of some runs of one command."""
    whole, cpu, memory = (statistics.median(getattr(r, name) for r in runs) for name in ("whole", "cpu", "memory"))
    return Whole(whole, cpu, memory, max(r.processes for r in runs), runs[-1].code)


def run(text: str, folder: Path, env: dict[str, str], timeout: float) -> Whole:
    """Run one command line in a shell, as a user does, without a terminal."""
    start, code, peak, most = time.perf_counter(), None, 0.0, 1
    with open(os.devnull, "r+b") as nothing:
        child = subprocess.Popen(
            ["sh", "-c", text], cwd=folder, env=env, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True
        )
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                code = os.waitstatus_to_exitcode(status)
                break
            if time.perf_counter() - start > timeout:
                os.killpg(child.pid, signal.SIGKILL)
                _, _, usage = os.wait4(child.pid, 0)
                break
            memory, count = _tree(child.pid)
            peak, most = max(peak, memory), max(most, count)
            time.sleep(POLL if time.perf_counter() - start > 0.1 else 0.002)
    child.returncode = code if code is not None else -9
    seconds = time.perf_counter() - start
    return Whole(seconds, usage.ru_utime + usage.ru_stime, max(peak, usage.ru_maxrss / 1024), most, code)


def _tree(group: int) -> tuple[float, int]:
    """The memory in MB of the processes of a group together, and how many are no shell (on Linux)."""
    total, count = 0.0, 0
    for place in Path("/proc").glob("[0-9]*"):
        try:
            name, _, rest = (place / "stat").read_text().rpartition(")")
            fields = rest.split()
            if int(fields[2]) == group:
                total += int(fields[21]) * os.sysconf("SC_PAGE_SIZE") / 2**20
                count += not name.endswith("(sh")
        except (OSError, ValueError, IndexError):
            continue
    return total, count


def table(rows: list[dict[str, object]]) -> str:
    """Markdown: one line a command, and the reference."""
    lines = [
        "Commands of the pages and some large ones, from the shell to the end: seconds by the clock and of the processor, the latter",
        f"also as a multiple of `{REFERENCE}` in the same run; the peak of the memory of all processes, and how many these are.",
        "",
        "| page | command | seconds | processor | × reference | peak MB | processes |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        page, _, text = str(row["instance"]).partition(": ")
        [r] = row["runs"]  # type: ignore[misc]
        seconds = f"{r['whole']:.2f}" if r["code"] is not None else f"> {r['whole']:.0f}"
        shown = text.replace("|", "\\|")
        lines.append(
            f"| {page} | `{shown}` | {seconds} | {r['cpu']:.2f} | {r['ratio']:.1f} | {r['memory']:.0f} | {max(1, r['processes'])} |"
        )
    return "\n".join(lines)
