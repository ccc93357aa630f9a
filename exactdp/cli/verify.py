# SPDX-License-Identifier: MIT
"""``exactdp verify``: the kernel's file, run alone by a fresh interpreter, and nothing else.

This module checks nothing: it starts ``python -I kernel.py FILE...`` (``argument.py`` for replayed arguments, told by the name of the
format) and passes on what that prints and its exit code. With ``--trust`` the trusted files are run once more, to list which of them
were loaded.
"""

from __future__ import annotations

import hashlib
import json
import platform
import re
import subprocess
import sys
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import Any

import click

from exactdp.cli.command import ExampleCommand
from exactdp.cli.failures import PROVED, REFUTED
from exactdp.cli.stream import say

__all__ = ["kernel_path", "verify"]

_WORDS = {PROVED: "proved", REFUTED: "refuted"}

_KINDS = {
    "": "not-stochastic private not-private level derivable",
    "4.4": "not-derivable",
    "4.1 4.2": "optimal not-optimal not-unique",
    "4.3": "optimal-remap not-optimal-remap not-unique-remap",
    "4.2 4.3": "optimal-after-remap",
    "4.1 4.2 4.3": "not-optimal-after-remap",
    "4.2 4.5": "unique",
    "4.3 4.5": "unique-remap",
    "4.6": "release",
    "4.7": "on-pieces",
    "4.8": "tight not-tight threshold unique-tight not-unique-tight singular non-singular regular not-regular utility-bound leakage "
    "leakage-bound optimal-on-region not-optimal-on-region",
    "4.12": "determinant not-determinant",
    "4.13": "approximately-private not-approximately-private delta level-with-delta sequential-level parallel-level likelihood",
    "4.1 4.2 4.13": "gap-between",
    "4.14": "vertices kernel-count kernel-mechanism not-kernel-mechanism kernel-mixtures refines-mixture capacity universally-optimal "
    "not-universally-optimal no-universally-optimal",
    "4.2 4.14": "type-capacity",
    "4.4 4.14": "refinement-order",
}
_SECTIONS = {kind: sections for sections, kinds in _KINDS.items() for kind in kinds.split()}
"""The sections of SPEC.md that each kind of claim uses, beside 1 to 4 and 6, which all use."""

_LOADED = """
import runpy, sys
sys.argv = sys.argv[1:]
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
finally:
    print(*(name.rpartition(".")[2] for name in sys.modules if name.startswith("exactdp.checker.")))
"""
"""Runs a trusted file as ``python -I`` does; the last line tells which other trusted files were loaded."""


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
@click.option("--trust", is_flag=True, help="Say also what the answers rest on (checks once more).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--debug", is_flag=True, expose_value=False, help="Show a traceback when something fails.")
def verify(files: tuple[str, ...], trust: bool, as_json: bool) -> None:
    """Check certificates with the kernel, which uses the standard library only and shares no code with the rest of exactdp.

    One file, kernel.py, checks rational numbers and the basic kinds of claims. For levels given as ε or as a letter, for uniqueness, and
    for the claims of further topics it loads a small file beside it: --trust names each, with its digest. Arguments (files of the
    format exactdp-argument) are replayed by argument.py, for those who check their own derivations.

    A line a file: accepted, with the kernel's own sentence about what it verified; rejected, malformed, or a limit reached, with
    the reason. The exit code is the worst.
    """
    words = [name if name == "-" else str(Path(name)) for name in files]
    rests_on = _trust(words) if trust else None
    if as_json:
        click.get_current_context().exit(_as_json(words, rests_on))
    codes = [subprocess.run([*command, *_arguments(group)], check=False).returncode for command, group in _runs(words)]
    if rests_on is not None:
        width = max(map(len, rests_on))
        say("\n".join(f"{name.ljust(width)}  {value}" for name, value in rests_on.items()))
    click.get_current_context().exit(max(codes, key=_badness))


def kernel_path(name: str = "kernel") -> Path:
    """Where a trusted file is (it is not imported)."""
    spec = find_spec(f"exactdp.checker.{name}")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin)


def _is_argument(word: str) -> bool:
    """Whether a file says that it is a replayed argument; a wrong guess only gets it refused."""
    try:
        return word != "-" and re.search(rb'"format"\s*:\s*"exactdp-argument"', Path(word).read_bytes()) is not None
    except OSError:
        return False


def _runs(words: list[str]) -> list[tuple[list[str], list[str]]]:
    """The commands that check the files, in their order: each with the files next to each other that it checks."""
    names = [(("kernel", "argument")[_is_argument(word)], word) for word in words]
    return [
        ([sys.executable, "-I", str(kernel_path(name))], [word for _, word in group])
        for name, group in groupby(names, lambda pair: pair[0])
    ]


def _badness(code: int) -> int:
    """The place of an exit code from good to bad, as in the kernel; what is not the kernel's own is worst."""
    order = [0, 1, 4, 3, 2, 70]
    return order.index(code) if code in order else len(order)


def _arguments(words: list[str]) -> list[str]:
    """File names as the kernel's arguments: none may look like an option."""
    return [f"./{word}" if word.startswith("-") and word != "-" else word for word in words]


def _as_json(words: list[str], rests_on: dict[str, str] | None) -> int:
    """The kernel's own JSON lines, put into one object."""
    results, codes = [], []
    for command, group in _runs(words):
        run = subprocess.run(
            [*command, "--json", *_arguments(group)], check=False, stdout=subprocess.PIPE, encoding="utf-8", errors="replace"
        )
        codes.append(run.returncode)
        for word, line in zip(group, run.stdout.splitlines(), strict=False):
            answer = json.loads(line)
            code = answer["exit_code"]
            results.append({"verdict": _WORDS.get(code, "undecided"), "claim": answer["sentence"], **answer, "file": word})
    claim, worst = " ".join(r["claim"] for r in results), max(codes, key=_badness)
    body: dict[str, Any] = {"verdict": _WORDS.get(worst, "undecided"), "claim": claim, "files": results}
    if rests_on is not None:
        body["trust"] = rests_on
    say(json.dumps(body, indent=2))
    return worst


def _trust(words: list[str]) -> dict[str, str]:
    """The trusted files that were loaded, with their digests, the rules that these files use, and the Python that runs them."""
    rules: set[str] = set()
    for word in words:
        if word == "-":
            raise click.UsageError("--trust reads each file twice, so it can't be '-'")
        rules |= set() if _is_argument(word) else _rules(Path(word))
    sections = ", ".join(sorted(rules, key=_numbers)) or "none: no readable certificate"
    replayed = any(map(_is_argument, words))
    certificates = not all(map(_is_argument, words))
    return {
        **{name: _file(name) for name in _loaded(words)},
        **({"rules": f"SPEC.md 0.2: {sections}"} if certificates else {}),
        **({"steps": "ARGUMENTS.md 0.1: §1 to §7, and the files that these need"} if replayed else {}),
        "python": f"{platform.python_implementation()} {platform.python_version()} and its standard library",
    }


def _loaded(words: list[str]) -> list[str]:
    """The trusted files that take part in checking these files, the kernel first: observed, not inferred."""
    found = {"kernel"}
    for command, group in _runs(words):
        own = Path(command[-1])
        listing = [*command[:-1], "-c", _LOADED, str(own), *_arguments(group)]
        run = subprocess.run(listing, check=False, stdout=subprocess.PIPE, encoding="utf-8", errors="replace")
        found |= {own.stem, *(run.stdout.splitlines() or [""])[-1].split()}
    return sorted(found, key=lambda name: (name != "kernel", name != "argument", name))


def _numbers(section: str) -> tuple[tuple[int, ...], str]:
    """Where a section stands in the list: 4.2 before 4.12."""
    return tuple(map(int, re.findall(r"\d+", section.split(maxsplit=1)[0]))), section


def _file(name: str) -> str:
    """A trusted file, its length and its digest."""
    source = kernel_path(name).read_bytes()
    lines = source.count(b"\n")
    return f"{name}.py ({lines} lines), sha256:{hashlib.sha256(source).hexdigest()}"


def _rules(path: Path) -> set[str]:
    """The sections that a certificate uses: for its kind, its rule of the dual and its numbers, and those of its pieces."""
    try:
        data = json.loads(path.read_bytes())
        used = _of_claim(data["claim"], data["witness"])
        if any(definition["type"] in ("exponential", "parameter") for definition in data["definitions"].values()):
            used |= {"§2.1"}
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return set()
    return used | {"§1", "§2", "§3", "§6"}


def _of_claim(claim: Any, witness: Any) -> set[str]:
    kind, dual = claim["kind"], witness.get("dual")
    used = {f"§{section}" for section in _SECTIONS.get(kind, "").split()} | {f"§4 ({kind})"}
    if kind == "on-pieces":
        for piece, below in zip(claim["pieces"], witness["pieces"], strict=True):
            used |= _of_claim(piece["claim"], below)
    if "primal" not in witness and kind != "on-pieces":
        used -= {"§4.1"}
    if isinstance(dual, dict):
        rule = "graph" if "edges" in dual else "forest" if "potentials" in dual else "path"
        used = {s for s in used if s != "§4.2"} | {f"§4.2 ({rule} rule)"}
    return used
