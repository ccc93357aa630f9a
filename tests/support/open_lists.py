# SPDX-License-Identifier: MIT
"""Where a source tree takes one kind for another: an entry by default, or a last branch for whatever is left.

A kind that nobody knows (of a loss, a claim, a rule) then gets the value of another one. It must be an error
instead, which names the file where the entry is to be added.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

BELIEVED = ("exact", "lp", "model", "mechanisms", "search", "analysis", "certificate", "checker", "sweeps")
"""The folders that decide, or make what the checker reads."""

REPLAYED = {"checker/evaluation.py"}
"""What follows arguments: nothing is proved on its ground."""

KINDS = {"kind", "type", "rule", "word", "relation", "sense", "capacity"}
"""How expressions end that name one of a list."""


def taken_for_another(package: Path) -> list[str]:
    """One line for every place where an unknown kind is silently another one."""
    found = []
    for folder in BELIEVED:
        for path in sorted({*(package / folder).rglob("*.py")} - {package / file for file in REPLAYED}):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                found += [f"{path.relative_to(package)}:{line}: {fault}" for line, fault in _of(node)]
    return found


def _of(node: ast.AST) -> Iterator[tuple[int, str]]:
    if isinstance(node, ast.Call) and _is_default(node):
        yield node.lineno, f"{ast.unparse(node)} gives an unknown kind the value of another"
    if isinstance(node, ast.Match) and _is_text(node) and not _ends(node.cases[-1].body) and _takes_all(node.cases[-1].pattern):
        yield node.cases[-1].pattern.lineno, "the last case takes what is left; name it, and let the last one raise"
    if isinstance(node, (ast.If, ast.IfExp)):
        subject, rest = _kind(node.test), node.orelse
        second = rest[0] if isinstance(rest, list) and len(rest) == 1 else rest
        if subject is not None and isinstance(second, type(node)) and _kind(second.test) == subject:
            last = second.orelse
            if isinstance(last, ast.expr) or (last and not isinstance(last[0], ast.If) and not _ends(last)):
                yield second.lineno, f"the last branch about {subject} takes what is left; name it, and raise in the last one"


def _is_default(call: ast.Call) -> bool:
    """``.get(key, default)`` of a list of kinds; not where the key stands for itself."""
    if not (isinstance(call.func, ast.Attribute) and call.func.attr == "get" and len(call.args) == 2):
        return False
    key, default = call.args
    if ast.dump(key) == ast.dump(default):
        return False
    table = _last(call.func.value)
    listed = isinstance(call.func.value, ast.Dict) or (table.isupper() and len(table) > 1)
    return listed or _last(key) in KINDS


def _last(node: ast.expr) -> str:
    """The last name of an expression: of ``a.kind``, ``d["kind"]`` and ``str(kind)`` it is ``kind``."""
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return str(node.slice.value)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "str" and node.args:
        return _last(node.args[0])
    return node.id if isinstance(node, ast.Name) else ""


def _kind(test: ast.expr) -> str | None:
    """The kind of which a test asks whether it is a text: ``kind == "abs"``."""
    if not (isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.Eq, ast.In)) and len(test.ops) == 1):
        return None
    right = test.comparators[0]
    texts = right.elts if isinstance(right, (ast.Tuple, ast.Set, ast.List)) else [right]
    named = all(isinstance(text, ast.Constant) and isinstance(text.value, str) for text in texts)
    return ast.unparse(test.left) if named and _last(test.left) in KINDS else None


def _is_text(match: ast.Match) -> bool:
    """Whether a match tells texts apart."""
    values = [case.pattern.value for case in match.cases if isinstance(case.pattern, ast.MatchValue)]
    return any(isinstance(value, ast.Constant) and isinstance(value.value, str) for value in values)


def _takes_all(pattern: ast.pattern) -> bool:
    return isinstance(pattern, ast.MatchAs) and pattern.pattern is None


def _ends(body: list[ast.stmt]) -> bool:
    """Whether a branch raises."""
    return any(isinstance(node, ast.Raise) for statement in body for node in ast.walk(statement))
