# SPDX-License-Identifier: MIT
"""Every condition of the trusted rules for determinants is needed: without it some file gets another
answer.
"""

from __future__ import annotations

import ast
import json
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from analysis.test_determinant import MALFORMED, ONE, POOL, REFUTED, UNIT, by_hand, made, over, sealed
from random_edits import places, put

from exactdp.checker import determinant
from exactdp.checker.kernel import check_bytes

SOURCE = Path(determinant.__file__).read_text(encoding="utf-8")


@cache
def files():
    claim = {"kind": "determinant", "matrix": UNIT, "formula": ONE}
    found = [by_hand({**claim, **change}) for change in MALFORMED.values()]
    found += [{**by_hand(claim), "definitions": {"a": {"type": "parameter", "interval": {"above": "0", "below": "1"}}}}]
    found += [{**by_hand(claim), "definitions": {"t": {"type": "exponential", "rate": "1", "roots": [1]}}}]
    found += [by_hand({**claim, "formula": {"num": [], "den": []}}), by_hand({**claim, "column": 0})]
    found += [by_hand({**claim, "column": 0, "formula": {**ONE, "num": [{"x": [], "a": ["1"]}, {"x": [0], "a": ["1"]}]}})]
    found += [by_hand({**claim, "column": 0, "formula": {"num": [], "den": [{"x": [0], "a": ["1"]}]}})]
    found += [by_hand({**claim, "matrix": {"type": "geometric", "n": 300}})]
    two = over(["2"], ["1"])
    changes = [
        {"formula": ONE, "value": "1"},
        {"formula": two, "determinant": "0"},
        {"formula": two, "value": "3"},
        {"formula": over(["0", "4"], ["1", "-2"])},
        {"formula": over(["2"], [])},
        {"formula": over(["4", "-4"], ["1"]), "point": {"a": "3/2"}, "value": "-2"},
        {"formula": two, "point": {"a": "1/2", "x": []}},
        {"formula": two, "column": 0},
        {"formula": two, "matrix": {"type": "rows", "rows": [{"den": ["1", "-2"], "num": [["1"]]}]}},
    ]
    found += [by_hand({**REFUTED, **change}) for change in changes]
    turned = made(POOL["not-column"])
    turned["claim"]["formula"]["num"][0]["x"].reverse()
    found.append(turned)
    for verdict in POOL.values():
        certificate = made(verdict)
        found.append(certificate)
        numbers = [(path, value) for path, value in places(certificate["claim"], ("claim",)) if isinstance(value, str) and value.isdigit()]
        found += [by_hand(put(certificate, path, str(int(value) + 1))["claim"]) for path, value in numbers[:20]]
    return [json.dumps(sealed(each)).encode() for each in found]


def conditions():
    tree = ast.parse(SOURCE)
    return [n for n in ast.walk(tree) if isinstance(n, ast.Expr) and isinstance(n.value, ast.Call) and called(n) in {"demand", "require"}]


def called(node):
    return node.value.func.id if isinstance(node.value.func, ast.Name) else ""


class Without(ast.NodeTransformer):
    def __init__(self, line):
        self.line = line

    def visit_Expr(self, node):
        return ast.copy_location(ast.Pass(), node) if node.lineno == self.line and called_or_none(node) in {"demand", "require"} else node


def called_or_none(node):
    return called(node) if isinstance(node.value, ast.Call) else ""


def module_without(line):
    module = ModuleType("exactdp.checker.determinant")
    tree = ast.fix_missing_locations(Without(line).visit(ast.parse(SOURCE)))
    sys.modules["exactdp.checker.determinant"] = module
    exec(compile(tree, "determinant", "exec"), module.__dict__)
    return module


@cache
def usual():
    return [check_bytes(data).status for data in files()]


@pytest.mark.parametrize("line", [n.lineno for n in conditions()], ids=lambda line: SOURCE.splitlines()[line - 1].strip()[:70])
def test_the_condition_is_needed(line, monkeypatch):
    expected = usual()
    monkeypatch.setitem(sys.modules, "exactdp.checker.determinant", determinant)  # put back afterwards
    module_without(line)
    assert any(check_bytes(data).status != status for data, status in zip(files(), expected, strict=True))


def test_only_the_standard_library_and_no_floats():
    tree = ast.parse(SOURCE)
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in modules} - set(sys.stdlib_module_names) == {"exactdp"}
    assert all(name.startswith("exactdp.checker.") for name in modules if name.startswith("exactdp"))
    assert not [n for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, float)]
    assert not {"eval", "exec", "float"} & {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
