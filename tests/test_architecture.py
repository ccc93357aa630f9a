"""The one direction of flow: exact → model → analysis → certificate → checker → report/cli, search beside
it.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest
from places import ROOT

from exactdp.checker.kernel import BESIDE

PACKAGE = ROOT / "exactdp"

# what each layer may import from exactdp, besides errors
ORDER = ("exact", "lp", "model", "readers", "mechanisms", "search", "analysis", "checker", "certificate", "report", "papers", "cli")
ALLOWED = {layer: set(ORDER[: i + 1]) for i, layer in enumerate(ORDER)}
ALLOWED["checker"] = {"checker"}
ALLOWED["analysis"] -= {"checker"}
MODULES = sorted(PACKAGE.rglob("*.py"))


def imports(path: Path) -> set[str]:
    """Every module that a file imports, at the top or inside functions, in dotted form."""
    found: set[str] = set()
    package = ("exactdp", *path.relative_to(PACKAGE).parts[:-1])
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            name = ".".join(part for part in (base, node.module) if part)
            found.add(name)
            found.update(f"{name}.{alias.name}" for alias in node.names)
    return found


def layers(path: Path) -> set[str]:
    known = {p.name for p in PACKAGE.iterdir() if p.is_dir()}
    parts = (name.split(".") for name in imports(path) if name.startswith("exactdp."))
    return {part[1] for part in parts if part[1] in known}


@pytest.mark.parametrize("path", [p for p in MODULES if p.parent != PACKAGE], ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_flow_one_way(path):
    layer = path.relative_to(PACKAGE).parts[0]
    assert layers(path) <= ALLOWED[layer], f"{layer} may not import {layers(path) - ALLOWED[layer]}"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_nothing_imports_the_top_and_flint_stays_below(path):
    names = imports(path)
    layer = path.relative_to(PACKAGE).parts[0]
    if layer not in {"cli", "__init__.py", "__main__.py"}:
        assert not any(n == "exactdp" or n.startswith("exactdp.cli") for n in names)
    if layer not in {"exact", "lp"}:
        assert not any(n.split(".")[0] == "flint" or n.startswith("sympy.polys") for n in names)
    if layer != "lp":
        assert not any(n.split(".")[0] == "highspy" for n in names)


def test_the_kernel_stands_alone():
    names = {n.split(".")[0] for n in imports(PACKAGE / "checker" / "kernel.py")}
    assert names <= set(sys.stdlib_module_names)


@pytest.mark.parametrize("name", [p.name for p in sorted((PACKAGE / "checker").glob("*.py")) if p.name not in {"kernel.py", "__init__.py"}])
def test_the_files_beside_the_kernel_need_only_the_kernel_and_files_before_them(name):
    names = {n for n in imports(PACKAGE / "checker" / name) if n.split(".")[0] not in sys.stdlib_module_names}
    module = name.removesuffix(".py")
    order = BESIDE if module in BESIDE else ("terms", "evaluation", "argument") if module != "optimality" else ("optimality",)
    before = order[: order.index(module)]
    known = {"exactdp.checker.kernel", *(f"exactdp.checker.{other}" for other in before)}
    assert all(n in known or n.rpartition(".")[0] in known for n in names)
    assert len((PACKAGE / "checker" / name).read_text(encoding="utf-8").splitlines()) <= 950


def test_every_layer_is_known():
    folders = {p.name for p in PACKAGE.iterdir() if p.is_dir() and any(p.rglob("*.py"))}
    assert folders == set(ALLOWED)
