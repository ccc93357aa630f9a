# SPDX-License-Identifier: MIT
"""``exactdp verify``: the kernel's file, run alone by a fresh interpreter, and nothing else.

This module checks nothing: it starts ``python -I kernel.py FILE...`` and passes on what that prints and its exit code.
"""

from __future__ import annotations

import hashlib
import json
import platform
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from exactdp.cli.command import ExampleCommand
from exactdp.cli.failures import PROVED, REFUTED
from exactdp.cli.stream import say

__all__ = ["kernel_path", "verify"]

_WORDS = {PROVED: "proved", REFUTED: "refuted"}

_SECTIONS = {
    "not-stochastic": "",
    "private": "",
    "not-private": "",
    "level": "",
    "derivable": "",
    "not-derivable": "4.4",
    "optimal": "4.1 4.2",
    "not-optimal": "4.1 4.2",
    "optimal-remap": "4.3",
    "not-optimal-remap": "4.3",
    "optimal-after-remap": "4.2 4.3",
    "not-optimal-after-remap": "4.1 4.2 4.3",
    "unique": "4.2 4.5",
    "not-unique": "4.1 4.2",
    "unique-remap": "4.3 4.5",
    "not-unique-remap": "4.3",
    "release": "4.6",
    "determinant": "4.12",
    "not-determinant": "4.12",
    "approximately-private": "4.13",
    "not-approximately-private": "4.13",
    "delta": "4.13",
    "level-with-delta": "4.13",
    "sequential-level": "4.13",
    "parallel-level": "4.13",
    "gap-between": "4.1 4.2 4.13",
    "likelihood": "4.13",
}
"""The sections of SPEC.md that each kind of claim uses, beside 1 to 4 and 6, which all use."""


@click.command(
    cls=ExampleCommand,
    examples=(
        "exactdp verify c.json",
        "exactdp verify *.edp.json",
        "exactdp verify --trust c.json",
        "exactdp verify - < c.json",
    ),
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--trust", is_flag=True, help="Say also what the answers rest on.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--debug", is_flag=True, expose_value=False, help="Show a traceback when something fails.")
def verify(files: tuple[str, ...], trust: bool, as_json: bool) -> None:
    """Check certificates with the kernel: one standard-library file that shares no code with the rest of exactdp.

    A line a file: accepted, with the kernel's own sentence about what it verified; rejected, malformed, or a limit reached, with
    the reason. The exit code is the worst.
    """
    kernel = kernel_path()
    words = [name if name == "-" else str(Path(name)) for name in files]
    rests_on = _trust(kernel, words) if trust else None
    if as_json:
        click.get_current_context().exit(_as_json(kernel, words, rests_on))
    run = subprocess.run([sys.executable, "-I", str(kernel), *_arguments(words)], check=False)
    if rests_on is not None:
        say("\n".join(f"{name.ljust(7)} {value}" for name, value in rests_on.items()))
    click.get_current_context().exit(run.returncode)


def kernel_path() -> Path:
    """Where the kernel's file is (it is not imported)."""
    spec = find_spec("exactdp.checker.kernel")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin)


def _arguments(words: list[str]) -> list[str]:
    """File names as the kernel's arguments: none may look like an option."""
    return [f"./{word}" if word.startswith("-") and word != "-" else word for word in words]


def _as_json(kernel: Path, words: list[str], rests_on: dict[str, str] | None) -> int:
    """The kernel's own JSON lines, put into one object."""
    command = [sys.executable, "-I", str(kernel), "--json", *_arguments(words)]
    run = subprocess.run(command, check=False, stdout=subprocess.PIPE, encoding="utf-8", errors="replace")
    results = []
    for word, line in zip(words, run.stdout.splitlines(), strict=False):
        answer = json.loads(line)
        code = answer["exit_code"]
        results.append({"verdict": _WORDS.get(code, "undecided"), "claim": answer["sentence"], **answer, "file": word})
    claim = " ".join(r["claim"] for r in results)
    body: dict[str, Any] = {"verdict": _WORDS.get(run.returncode, "undecided"), "claim": claim, "files": results}
    if rests_on is not None:
        body["trust"] = rests_on
    say(json.dumps(body, indent=2))
    return run.returncode


def _trust(kernel: Path, words: list[str]) -> dict[str, str]:
    """The kernel's digest, the rules that these certificates use, and the Python that runs it."""
    rules: set[str] = set()
    for word in words:
        if word == "-":
            raise click.UsageError("--trust reads each file twice, so it can't be '-'")
        rules |= _rules(Path(word))
    source = kernel.read_bytes()
    lines = source.count(b"\n")
    sections = ", ".join(sorted(rules)) or "none: no readable certificate"
    return {
        "kernel": f"{kernel.name} ({lines} lines), sha256:{hashlib.sha256(source).hexdigest()}",
        "rules": f"SPEC.md 0.1: {sections}",
        "python": f"{platform.python_implementation()} {platform.python_version()} and its standard library",
    }


def _rules(path: Path) -> set[str]:
    """The sections that a certificate's kind uses, and its rule of the dual."""
    try:
        data = json.loads(path.read_bytes())
        kind, dual = data["claim"]["kind"], data["witness"].get("dual")
        used = {f"§{section}" for section in _SECTIONS[kind].split()} | {f"§4 ({kind})", "§1", "§2", "§3", "§6"}
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return set()
    if "primal" not in data["witness"]:
        used -= {"§4.1"}
    if isinstance(dual, dict):
        rule = "graph" if "edges" in dual else "forest" if "potentials" in dual else "path"
        used = {s for s in used if s != "§4.2"} | {f"§4.2 ({rule} rule)"}
    return used
