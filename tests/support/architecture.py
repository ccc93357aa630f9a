# SPDX-License-Identifier: MIT
"""The rules of the house, as one function of a source tree: what breaks them, in words.

The tree is read, never imported, so that a broken copy of it can be judged too. Imports inside functions
count: one that hides a circle is still a circle.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

CORE = ("limits", "arithmetic", "matrices", "powers", "reader", "rules", "compact", "optimality", "claims")
"""The files of the checker that every certificate needs."""

LAYERS = (
    "runtime",
    "exact",
    "lp",
    "model",
    "readers",
    "mechanisms",
    "search",
    "analysis",
    "checker",
    "certificate",
    "sweeps",
    "report",
    "cli",
    "arguments",
)
"""From the lowest to the highest: a layer imports itself and lower ones."""

FREE = {"errors", "display", "elsewhere", "spelling", "stubs"}
"""What every layer may import beside them."""

NOT_BELOW = {"analysis": {"checker"}, "search": {"checker"}}
"""The checker needs nothing of the rest; only those who hand it certificates import it."""

REPLAYS = {"reading", "terms", "evaluation", "scope", "proof_steps", "argument"}
"""What replays arguments: it runs alone, as the checker does, and needs nothing of the rest."""

LIBRARIES = {
    **{"flint": {"exact", "lp", "search"}, "highspy": {"lp"}, "click": {"cli", "arguments"}, "jinja2": {"report"}, "tqdm": {"runtime"}},
    **{library: {"sweeps"} for library in ("dask", "distributed", "duckdb", "pyarrow")},
}
"""Which layers may import a library."""

WORDS = {"wording", "epsilon", "epsilon_shown"}
"""The modules of the analysis that put numbers into words: what a report may call, beside functions
*_text.
"""

DRAWN = {"corner_prior", "hamming_leakage", "sampled_deltas"}
"""The formulas that pictures draw."""

LONGEST_SUMMARY = 110


@cache
def read(text: str) -> tuple[str, tuple[tuple[int, str, str | None], ...]]:
    """The docstring of a source text and its imports: (dots before the module, module, name or None)."""
    tree = ast.parse(text)
    found: list[tuple[int, str, str | None]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(0, alias.name, None) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [(node.level, node.module or "", alias.name) for alias in node.names]
    return ast.get_docstring(tree) or "", tuple(found)


def imports(path: Path, package: Path) -> Iterator[tuple[str, str | None]]:
    """(module, name or None) for every import of a file, at its top or inside functions."""
    parts = ("exactdp", *path.relative_to(package).parts[:-1])
    for dots, module, name in read(path.read_text(encoding="utf-8"))[1]:
        base = ".".join(parts[: len(parts) - dots + 1]) if dots else ""
        yield ".".join(part for part in (base, module) if part), name


def module_name(path: Path, package: Path) -> str:
    """The dotted name of a file."""
    parts = ["exactdp", *path.relative_to(package).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def graph(package: Path) -> dict[str, set[str]]:
    """For every module of the tree the modules of the tree that it imports."""
    files = {module_name(path, package): path for path in sorted(package.rglob("*.py"))}
    arrows: dict[str, set[str]] = {}
    for module, path in files.items():
        arrows[module] = set()
        for target, name in imports(path, package):
            whole = f"{target}.{name}"
            found = whole if whole in files else target
            if found in files and found != module:
                arrows[module].add(found)
    return arrows


def circles(arrows: Mapping[str, set[str]]) -> list[list[str]]:
    """The strongly connected components of more than one module (Tarjan), each sorted."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(module: str) -> None:
        index[module] = low[module] = len(index)
        stack.append(module)
        for other in sorted(arrows[module]):
            if other not in index:
                visit(other)
                low[module] = min(low[module], low[other])
            elif other in stack:
                low[module] = min(low[module], index[other])
        if low[module] == index[module]:
            part = [stack.pop()]
            while part[-1] != module:
                part.append(stack.pop())
            if len(part) > 1:
                found.append(sorted(part))

    for module in arrows:
        if module not in index:
            visit(module)
    return found


def faults(package: Path, tests: Path | None = None) -> list[str]:
    """Every rule that a source tree breaks: one line each, none for a good house.

    Parameters
    ----------
    package : Path
        The folder ``exactdp``.
    tests : Path, optional
        The folder ``tests``, whose folders must be those of the package.
    """
    said: list[str] = []
    folders = {path.name for path in package.iterdir() if path.is_dir() and any(path.rglob("*.py"))}
    said += [f"the folder {name} is in no layer" for name in sorted(folders - set(LAYERS))]
    arrows = graph(package)
    for module, targets in arrows.items():
        layer = module.split(".")[1] if module.count(".") else ""
        if layer not in LAYERS:
            continue
        lower = {*LAYERS[: LAYERS.index(layer) + 1], *FREE} - NOT_BELOW.get(layer, set())
        if layer == "checker":
            lower = {"checker"}
        for target in sorted(targets):
            where = target.split(".")[1] if target.count(".") else ""
            if not where and layer != "cli":
                said.append(f"{module} imports the package itself, which stands above it")
            elif where and where not in lower:
                said.append(f"{module} imports {target}: {layer} may not import {where}")
    said += [f"these files import each other in a circle: {', '.join(part)}" for part in circles(arrows)]
    for path in sorted(package.rglob("*.py")):
        said += _of_file(path, package)
    if tests is not None:
        said += _of_tests(package, tests)
    return said


def _of_file(path: Path, package: Path) -> Iterator[str]:
    place = path.relative_to(package)
    layer = place.parts[0]
    for target, _ in imports(path, package):
        library = target.split(".")[0]
        if library in LIBRARIES and layer not in LIBRARIES[library]:
            yield f"{place} imports {library}, which only {' and '.join(sorted(LIBRARIES[library]))} may"
        if library == "proofs":
            yield f"{place} imports {target}, which is not installed"
        if layer == "checker" and library not in {*sys.stdlib_module_names, "exactdp"}:
            yield f"{place} imports {library}: the checker needs the standard library only"
        if place.parent == Path("arguments") and place.stem in REPLAYS and not _replays_alone(target):
            yield f"{place} imports {target}: what replays arguments needs the standard library and the files beside it only"
        core = {f"exactdp.checker.{name}" for name in CORE}
        if str(place) == "checker/kernel.py" and library not in sys.stdlib_module_names and target not in core:
            yield f"{place} imports {target}: it must run without the files that only some claims need"
    if layer == "report":
        for target, name in imports(path, package):
            if target.startswith("exactdp.analysis") and name is not None and not _is_told(target, name):
                yield f"{place} imports {target}.{name}: a report tells what was found, and asks nothing"
            if target.startswith(("exactdp.search", "exactdp.lp")):
                yield f"{place} imports {target}: a report tells what was found, and searches nothing"
    doc = read(path.read_text(encoding="utf-8"))[0]
    if not doc:
        yield f"{place} does not say what it is for"
    elif "\n" in doc.split("\n\n")[0] or len(doc.splitlines()[0]) > LONGEST_SUMMARY:
        yield f"{place}: what it is for does not fit on one line of {LONGEST_SUMMARY} columns"


def _replays_alone(target: str) -> bool:
    """Whether a file that replays arguments may import this module."""
    folder, _, name = target.rpartition(".")
    return target.split(".", maxsplit=1)[0] in sys.stdlib_module_names or (folder == "exactdp.arguments" and name in REPLAYS)


def _is_told(module: str, name: str) -> bool:
    """Whether something of the analysis is a class, a constant, words, or a formula to be drawn."""
    return name[0].isupper() or module.rsplit(".", maxsplit=1)[-1] in WORDS or name.endswith("_text") or name in DRAWN


def _of_tests(package: Path, tests: Path) -> Iterator[str]:
    rooms = {str(path.parent.relative_to(package)) for path in package.rglob("*.py")} | {"proofs", "site"}  # of proofs/ and docs/
    tested = {str(path.parent.relative_to(tests)) for path in tests.rglob("test_*.py")}
    for room in sorted(tested - rooms):
        yield f"tests/{room} tests a folder that exactdp has not"
    for room in sorted(rooms - tested):
        if not any(other.startswith(room) for other in tested):
            yield f"exactdp/{room} has no tests in tests/{room}"
