# SPDX-License-Identifier: MIT
"""No condition of the kernel is idle: with any one of them, or a part of it, taken away, some file gets another answer.

Also what the kernel may import, how long it may be, and that the specification declares the same limits and claims.
"""

from __future__ import annotations

import ast
import copy
import io
import json
import re
import sys
import tokenize
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from certificate_pool import pool, seal, text_of

from exactdp.checker import kernel

SOURCE = Path(kernel.__file__).read_text()
SPEC = (Path(kernel.__file__).parents[1] / "certificate" / "SPEC.md").read_text()
CHECKS = {"demand", "require", "within"}
CALLS = CHECKS | {
    "equals",
    "stochastic",
    "check_private",
    "check_product",
    "attain",
    "unique",
    "forest_rule",
}  # functions that only check


@cache
def files():
    folder = Path(__file__).parent / "corpus"
    data = {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.glob("*/*.edp.json"))}
    return {name: content for name, content in data.items() if not name.startswith("limit")} | tight_limits()


def tight_limits():
    """Files that exceed limits made small, see `load`."""
    valid = json.dumps(pool()["optimal-path-1-4"])
    long = json.loads(valid)
    long["claim"]["value"] = "1" * 1500
    return {
        "limit: bytes": valid.encode() + b" " * 20_000,
        "limit: nesting": b"[" * 13 + b"]" * 13,
        "limit: tokens": b"[" + b"0," * 3000 + b"0]",
        "limit: digits": text_of(seal(long)).encode(),  # at the digits' own limit; it is rejected without
    }


def simpler(test):
    """The condition with one part of an `and`/`or`, or one half of a chained comparison, left out."""
    for position, node in enumerate(ast.walk(test)):
        replacements = []
        if isinstance(node, ast.BoolOp):
            for i in range(len(node.values)):
                replacements.append(
                    ast.BoolOp(node.op, [*node.values[:i], ast.Constant(isinstance(node.op, ast.And)), *node.values[i + 1 :]])
                )
        elif isinstance(node, ast.Compare) and len(node.ops) == 2:
            replacements.append(ast.Compare(node.left, node.ops[:1], node.comparators[:1]))
            replacements.append(ast.Compare(node.comparators[0], node.ops[1:], node.comparators[1:]))
        for replacement in replacements:
            yield At(position, replacement).visit_root(copy.deepcopy(test))


class At(ast.NodeTransformer):
    """Replaces the node at a position of ast.walk."""

    def __init__(self, position, replacement):
        self.position, self.replacement = position, replacement

    def visit_root(self, tree):
        self.target = next(node for i, node in enumerate(ast.walk(tree)) if i == self.position)
        return self.visit(tree)

    def visit(self, node):
        return self.replacement if node is self.target else self.generic_visit(node)


class Switches(ast.NodeTransformer):
    """Puts every check behind a switch: `if MUTANT == 7: (nothing) elif MUTANT == 8: (a simpler condition) … else: the check`."""

    def __init__(self):
        self.names = []

    def visit_Expr(self, node):
        call = node.value
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in CALLS):
            return node
        variants = [[ast.Pass()]]
        what = [f"line {node.lineno}: without {ast.unparse(call)[:80]}"]
        for condition in simpler(call.args[0]) if call.func.id in CHECKS - {"within"} else ():
            variants.append([ast.Expr(ast.Call(call.func, [condition, *call.args[1:]], []))])
            what.append(f"line {node.lineno}: {call.func.id}({ast.unparse(condition)})")
        result = [node]
        for variant, name in zip(variants, what, strict=True):
            test = ast.Compare(ast.Name("MUTANT", ast.Load()), [ast.Eq()], [ast.Constant(len(self.names))])
            result = [ast.If(test, variant, result)]
            self.names.append(name)
        return result


def load():
    """The kernel with switches, and small limits; and what each switch leaves out."""
    switches = Switches()
    tree = ast.fix_missing_locations(switches.visit(ast.parse(SOURCE)))
    module = ModuleType("switched_kernel")
    sys.modules[module.__name__] = module
    module.MUTANT = None
    exec(compile(tree, module.__name__, "exec"), module.__dict__)
    module.LIMITS.update(bytes=20_000, tokens=2_000, digits=1_000)
    return module, switches.names


MODULE, MUTANTS = load()


@cache
def usual():
    MODULE.MUTANT = None
    return {name: MODULE.check_bytes(data).status for name, data in files().items()}


@pytest.mark.parametrize("mutant", range(len(MUTANTS)), ids=MUTANTS)
def test_the_condition_is_needed(mutant, monkeypatch):
    expected = usual()
    MODULE.MUTANT = mutant
    for limit in ("work", "memory"):
        if f"within('{limit}'" in MUTANTS[mutant]:  # a limit that every file exceeds, but for this mutant
            monkeypatch.setitem(MODULE.LIMITS, limit, 1)
            expected = dict.fromkeys(expected, "limit")
    assert any(MODULE.check_bytes(data).status != expected[name] for name, data in files().items())


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
    assert divisions == ["square / unit"]  # of Fractions


def test_it_can_be_read_in_one_sitting():
    lines = SOURCE.splitlines()
    assert len(lines) <= 800  # all counted: code, docstrings, comments, blanks
    assert max(map(len, lines)) <= 125
    assert not [token for token in tokenize.generate_tokens(io.StringIO(SOURCE).readline) if token.string == ";"]


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
