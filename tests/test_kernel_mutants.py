# SPDX-License-Identifier: MIT
"""No condition of the kernel is idle: with any one of them (or any conjunct, or any half of a chained comparison) taken away,
some file of the corpus gets another answer. Also what the kernel may import, how long it may be, and its declared limits."""

from __future__ import annotations

import ast
import copy
import json
import re
import sys
from functools import cache
from pathlib import Path

import pytest
from certificate_pool import pool, seal, text_of

from exactdp.checker import kernel

SOURCE = Path(kernel.__file__).read_text()
SPEC = (Path(kernel.__file__).parents[1] / "certificate" / "SPEC.md").read_text()
CHECKS = {"demand", "require", "within"}
CALLS = CHECKS | {"equals", "differ", "stochastic", "check_private", "check_product", "attain", "primal", "unique", "remap_floor"}


@cache
def files():
    folder = Path(__file__).parent / "corpus"
    data = {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.glob("*/*.edp.json"))}
    return {name: content for name, content in data.items() if not name.startswith("limit")} | tight_limits()


def tight_limits():
    """Files that exceed limits made small, see `shrink`."""
    valid = json.dumps(pool()["optimal-path-1-4"])
    long = json.loads(valid)
    long["claim"]["value"] = "1" * 1500
    return {
        "limit: bytes": valid.encode() + b" " * 20_000,
        "limit: nesting": b"[" * 13 + b"]" * 13,
        "limit: tokens": b"[" + b"0," * 3000 + b"0]",
        "limit: digits": text_of(seal(long)).encode(),
    }


def load(tree):
    """The kernel of a syntax tree, as a function from bytes to answers."""
    module = type(sys)("mutant")
    sys.modules["mutant"] = module
    exec(compile(tree, "mutant", "exec"), module.__dict__)  # noqa: S102
    return module


def shrink(module):
    module.LIMITS.update(bytes=20_000, tokens=2_000, digits=1_000)
    return module


@cache
def usual():
    module = shrink(load(ast.parse(SOURCE)))
    return {name: module.check_bytes(data).status for name, data in files().items()}


def simpler(test):
    """The conditions with one conjunct, or one half of a chained comparison, left out; and the one that always holds."""
    yield ast.Constant(True)
    for node in ast.walk(test):
        if isinstance(node, ast.BoolOp):
            for i in range(len(node.values)):
                result = copy.deepcopy(test)
                twin = next(t for t in ast.walk(result) if ast.dump(t) == ast.dump(node))
                twin.values[i] = ast.Constant(isinstance(node.op, ast.And))
                yield result
        elif isinstance(node, ast.Compare) and len(node.ops) == 2:
            first = ast.Compare(node.left, node.ops[:1], node.comparators[:1])
            second = ast.Compare(node.comparators[0], node.ops[1:], node.comparators[1:])
            for half in (first, second):
                result = copy.deepcopy(test)
                twin = next(t for t in ast.walk(result) if ast.dump(t) == ast.dump(node))
                if twin is result:
                    result = copy.deepcopy(half)
                else:
                    for parent in ast.walk(result):
                        for name, value in ast.iter_fields(parent):
                            if value is twin:
                                setattr(parent, name, copy.deepcopy(half))
                            elif isinstance(value, list) and twin in value:
                                value[value.index(twin)] = copy.deepcopy(half)
                yield result


def mutants():
    """(description, tree): each check without its condition, and each call of a checking function left out."""
    tree = ast.parse(SOURCE)
    for position, node in enumerate(ast.walk(tree)):
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name)):
            continue
        name, where = node.value.func.id, f"line {node.lineno}: {ast.unparse(node)[:90]}"
        if name not in CALLS:
            continue
        conditions = list(simpler(node.value.args[0])) if name in ("demand", "require") else [None]
        for condition in conditions:
            mutant = copy.deepcopy(tree)
            twin = next(t for i, t in enumerate(ast.walk(mutant)) if i == position)
            if condition is None or isinstance(condition, ast.Constant):
                twin.value = ast.Constant(None)
                what = where
            else:
                twin.value.args[0] = condition
                what = f"{where} with {ast.unparse(condition)}"
            yield what, ast.fix_missing_locations(mutant)


ALL = list(mutants())
EQUIVALENT = {
    # The work limit needs minutes to reach without this line; test_corpus.py reaches it in small files under corpus/limit.
    "within('work', WORK.get()[0])",
    "within('memory', max(held * (bits + 512), bits))",
}


@pytest.mark.parametrize(("what", "tree"), ALL, ids=[what for what, _ in ALL])
def test_the_condition_is_needed(what, tree):
    if any(text in what for text in EQUIVALENT):
        pytest.skip("reached by the files under corpus/limit")
    module = shrink(load(tree))
    expected = usual()
    assert any(module.check_bytes(data).status != expected[name] for name, data in files().items()), what


def test_every_limit_is_reached():
    """Each declared limit has a file that exceeds it, and `work` and `memory` stop before the work."""
    folder = Path(__file__).parent / "corpus" / "limit"
    seen = {kernel.check_bytes(path.read_bytes()).rule for path in folder.glob("*.edp.json")}
    assert {"work", "memory"} <= seen
    assert {usual()[name] for name in tight_limits()} == {"limit"}


def test_only_the_standard_library():
    imported = set()
    for node in ast.walk(ast.parse(SOURCE)):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            imported.add(node.module.partition(".")[0])
    assert imported <= set(sys.stdlib_module_names)
    assert not {"os", "subprocess", "socket", "pickle", "ctypes", "importlib"} & imported


def test_no_evaluation_of_text():
    called = {node.func.id for node in ast.walk(ast.parse(SOURCE)) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert not {"eval", "exec", "compile", "__import__", "float"} & called


def test_no_floating_point():
    assert not [node.value for node in ast.walk(ast.parse(SOURCE)) if isinstance(node, ast.Constant) and isinstance(node.value, float)]
    divisions = [ast.unparse(node) for node in ast.walk(ast.parse(SOURCE)) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)]
    assert divisions == ["square / unit"]     # of Fractions


def test_it_can_be_read_in_one_sitting():
    assert len(SOURCE.splitlines()) <= 800


def test_limits_are_those_of_the_specification():
    table = {name: int(figure.replace(" ", "")) for name, figure in re.findall(r"^\| `(\w+)` \| ([0-9 ]+) \|", SPEC, re.MULTILINE)}
    assert table == kernel.LIMITS


def test_claims_are_those_of_the_specification():
    section = SPEC.partition("## 4.")[2].partition("### 4.1")[0]
    assert set(re.findall(r"^\| `([a-z-]+)` \|", section, re.MULTILINE)) == set(kernel.CLAIMS)


def test_the_running_example_of_the_specification_is_accepted():
    block = re.search(r"```json\n(.*?)```", SPEC, re.DOTALL).group(1)
    answer = kernel.check_bytes(block.encode())
    assert answer.status == "accepted", answer.sentence
    assert "below 168/415, and one attains it" in answer.sentence
