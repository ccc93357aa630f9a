# SPDX-License-Identifier: MIT
"""No condition of the checker's core, and of its files about numbers and printed tables, is idle: with any
one of them, or a part of it, taken away, some file gets another answer.

Also what these files may import, how they are laid out, and that the specification declares the same limits
and claims.
"""

from __future__ import annotations

import ast
import copy
import io
import json
import re
import sys
import time
import tokenize
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from certificate_pool import pool, seal, text_of
from field_pool import field_pool
from places import CORPUS

from exactdp.checker import kernel

FOLDER = Path(kernel.__file__).parent
FILES = {path.stem: path for path in sorted(FOLDER.glob("*.py")) if path.stem != "__init__"}
SOURCES = {name: path.read_text() for name, path in FILES.items()}
SOURCE = SOURCES["kernel"]
SWITCHED = (*kernel.CORE, "kernel", "polynomials", "intervals", "regions", "fields", "printed")  # the others have mutants of their own
SPEC = (Path(kernel.__file__).parents[1] / "certificate" / "SPEC.md").read_text()
CHECKS = {"demand", "require", "within"}
CALLS = CHECKS | {
    "equals",
    "stochastic",
    "check_private",
    "check_product",
    "attain",
    "attained_once",
    "forest_rule",
    "same_labels",
    "separate",
    "separates",
    "cover",
    "bound_at_leaf",
    "delta_of",
    "needs",
    "most_private",
}  # functions that only check


@cache
def files():
    folder = CORPUS
    data = {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.glob("*/*.edp.json"))}
    quick = ("unique", "irrational", "next", "forest", "-near", "-equal")
    costly = {name for name in data if name.startswith("limit") and not any(rule in name for rule in quick)}
    edited = {f"field pool: {name}": text_of(c).encode() for name, c in field_pool().items() if name.startswith(("unique", "not-unique"))}
    return {name: content for name, content in data.items() if name not in costly} | edited | tight_limits()


def tight_limits():
    """Files that exceed limits made small, see `load`."""
    valid = json.dumps(pool()["optimal-path-1-4"])
    long = json.loads(valid)
    long["claim"]["value"] = "1" * 1500
    return {
        "limit: bytes": valid.encode() + b" " * 20_000,
        "limit: nesting": b"[" * 14 + b"]" * 14,
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
    """Puts every check behind a switch: `if MUTANT == 7: (nothing) elif MUTANT == 8: (a simpler condition) …
    else: the check`.
    """

    def __init__(self, file, names):
        self.file, self.names = file, names

    def visit_Expr(self, node):
        call = node.value
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in CALLS):
            return node
        variants = [[ast.Pass()]]
        what = [f"{self.file} {node.lineno}: without {ast.unparse(call)[:80]}"]
        for condition in simpler(call.args[0]) if call.func.id in CHECKS - {"within"} else ():
            variants.append([ast.Expr(ast.Call(call.func, [condition, *call.args[1:]], []))])
            what.append(f"{self.file} {node.lineno}: {call.func.id}({ast.unparse(condition)})")
        return self.switched(node, variants, what)

    def visit_Raise(self, node):
        text = ast.unparse(node)
        if self.file in ("kernel", "limits", "reader") or not text.startswith(("raise Stop", "raise Larger")):
            return node
        return self.switched(node, [[ast.Pass()]], [f"{self.file} {node.lineno}: without {text[:80]}"])

    def switched(self, node, variants, what):
        result = [node]
        for variant, name in zip(variants, what, strict=True):
            test = ast.Compare(ast.Name("MUTANT", ast.Load()), [ast.Eq()], [ast.Constant(len(self.names))])
            result = [ast.If(test, variant, result)]
            self.names.append(name)
        return result


def load():
    """The files with switches, in place of the real ones, and small limits; and what each switch leaves
    out.
    """
    modules, names = {}, []
    with in_place(modules):
        for file in SWITCHED:
            name = f"exactdp.checker.{file}"
            tree = ast.fix_missing_locations(Switches(file, names).visit(ast.parse(SOURCES[file])))
            module = modules[name] = sys.modules[name] = ModuleType(name)
            module.MUTANT, module.__file__ = None, str(FILES[file])
            exec(compile(tree, name, "exec"), module.__dict__)
            if file == "kernel":
                modules["exactdp.checker.limits"].LIMITS.update(bytes=20_000, tokens=2_000, digits=1_000)
        for file in kernel.BESIDE:  # these take their names from the switched kernel
            name = f"exactdp.checker.{file}"
            modules[name] = modules.get(name) or modules["exactdp.checker.kernel"].beside(file)
    return modules, names


@contextmanager
def in_place(modules):
    """With other modules in place of the trusted files, and none of these if there are no others."""
    names = [f"exactdp.checker.{file}" for file in FILES]
    saved = {name: sys.modules.pop(name) for name in names if name in sys.modules}
    sys.modules.update(modules)
    try:
        yield
    finally:
        for name in names:
            sys.modules.pop(name, None)
        sys.modules.update(saved)


MODULES, MUTANTS = load()
MODULE = MODULES["exactdp.checker.kernel"]


def statuses(mutant, names):
    """The answers to files, one by one, with a mutant in every module."""
    for module in MODULES.values():
        module.MUTANT = mutant
    with in_place(MODULES):
        for name in names:
            yield name, MODULE.check_bytes(files()[name]).status


class Passed:
    """No mutant: a switch that is asked for notes its number. Without that, a mutant is the real file."""

    def __init__(self):
        self.numbers = set()

    def __eq__(self, number):
        self.numbers.add(number)
        return False

    __hash__ = None


@cache
def usual():
    """The answers without a mutant."""
    return {name: status for name, (status, _, _) in runs().items()}


@cache
def runs():
    """Of each file the answer, the switches on its way, and how long it took."""
    found = {}
    for name in files():
        passed, start = Passed(), time.process_time()
        [(_, status)] = statuses(passed, [name])
        found[name] = status, passed.numbers, time.process_time() - start
    return found


def concerned(mutant):
    """The files on whose way a mutant's switch is, the quickest first. To others its answer is the usual."""
    return sorted((name for name, (_, numbers, _) in runs().items() if mutant in numbers), key=lambda name: runs()[name][2])


@pytest.fixture(autouse=True)
def hurried(monkeypatch):
    """Without a condition a question may not end by itself."""
    monkeypatch.setitem(MODULE.LIMITS, "work", 10**8)


@pytest.mark.slow
@pytest.mark.parametrize("mutant", range(len(MUTANTS)), ids=MUTANTS)
def test_the_condition_is_needed(mutant, monkeypatch):
    expected, names = usual(), concerned(mutant)
    for limit in ("work", "memory"):
        if f"within('{limit}'" in MUTANTS[mutant]:  # a limit that every file exceeds, but for this mutant
            monkeypatch.setitem(MODULE.LIMITS, limit, 1)
            expected, names = dict.fromkeys(expected, "limit"), files()
    assert any(status != expected[name] for name, status in statuses(mutant, names))


def test_every_limit_is_reached():
    """Each declared limit has a file that exceeds it, and `work` and `memory` stop before the work."""
    folder = CORPUS / "limit"
    seen = {kernel.check_bytes(path.read_bytes()).rule for path in folder.glob("*.edp.json")}
    assert {"work", "memory"} <= seen
    assert {usual()[name] for name in tight_limits()} == {"limit"}


@pytest.mark.parametrize("file", FILES)
def test_only_the_standard_library(file):
    imported = set()
    for node in ast.walk(ast.parse(SOURCES[file])):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            imported.add(node.module)
    order = (*kernel.CORE, "kernel", *kernel.BESIDE)  # each after those that it may import
    imported -= {f"exactdp.checker.{other}" for other in order[: order.index(file)]}
    assert {name.partition(".")[0] for name in imported} <= set(sys.stdlib_module_names)
    assert not {"os", "subprocess", "socket", "pickle", "ctypes", "runpy", "pkgutil"} & imported
    assert not {name for name in imported if name.startswith("importlib")}


def test_only_the_files_beside_the_kernel_are_loaded():
    """Code is compiled in one function of the kernel, from the bytes of files whose names are written
    down.
    """
    tree = ast.parse(SOURCE)
    compiling = [
        function.name
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef) and {"exec", "compile"} & {getattr(n, "id", "") for n in ast.walk(function)}
    ]
    assert compiling == ["beside"]
    assert set(kernel.BESIDE) <= set(FILES)
    for name, source in SOURCES.items():
        calls = [n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Call) and getattr(n.func, "id", "") == "beside"]
        given = {ast.unparse(call.args[0]) for call in calls}
        assert given == ({"earlier", "core", "name", "'fields'"} if name == "kernel" else set())  # of CORE and BESIDE


@pytest.mark.parametrize("file", FILES)
def test_no_evaluation_of_text(file):
    tree = ast.parse(SOURCES[file])
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert not {"eval", "__import__", "float"} & called
    # of files beside it, see above
    assert len({"exec", "compile"} & called) == (2 if file == "kernel" else 0)


@pytest.mark.parametrize("file", FILES)
def test_no_floating_point(file):
    assert not [n.value for n in ast.walk(ast.parse(SOURCES[file])) if isinstance(n, ast.Constant) and isinstance(n.value, float)]


def test_divisions_are_of_fractions():
    nodes = {file: [node for node in ast.walk(ast.parse(SOURCES[file])) if isinstance(node, ast.BinOp)] for file in FILES}
    divisions = {file: {ast.unparse(node) for node in found if isinstance(node.op, ast.Div)} for file, found in nodes.items()}
    ends = {"(self.lo + self.hi) / 2", "(low + high) / 2", "(a + b) / 2"}
    expected = {"intervals": ends, "polynomials": {"square / q"}, "rays": {"base / part ** 2"}}
    assert {file: found for file, found in divisions.items() if found} == expected


@pytest.mark.parametrize("file", FILES)
def test_it_is_laid_out_for_readers(file):
    """Narrow, a statement a line, no conditional within another. The rest is the formatter's."""
    tree, lines = ast.parse(SOURCES[file]), SOURCES[file].splitlines()
    assert max(map(len, lines)) <= 100
    assert not [token for token in tokenize.generate_tokens(io.StringIO(SOURCES[file]).readline) if token.string == ";"]
    conditionals = [node for node in ast.walk(tree) if isinstance(node, ast.IfExp)]
    assert not [n.lineno for n in conditionals if any(isinstance(inner, ast.IfExp) for inner in ast.walk(n) if inner is not n)]
    assert len(conditionals) <= 0.03 * len(lines)


RULES = ("rules", "optimality", "claims", "determinant", "tight", "deployed", "privacy_types", "universal", "printed", "orbits")


@pytest.mark.parametrize("file", RULES)
def test_rules_count_no_work(file):
    """It is counted where numbers are read, added and multiplied, and where something is enumerated."""
    names = {node.id for node in ast.walk(ast.parse(SOURCES[file])) if isinstance(node, ast.Name)}
    assert not names & {"charge", "keep", "within", "quadratic", "count_products", "WORK"}


@pytest.mark.parametrize("file", RULES)
def test_the_theorem_behind_a_rule_is_one_of_coq(file):
    """Each name is that of a theorem of a file of proofs/coq; with its file where one is named."""
    theory = Path(kernel.__file__).parents[2] / "proofs" / "coq"
    stated = "\n".join(path.read_text(encoding="utf-8") for path in theory.rglob("*.v"))
    known = set(re.findall(r"^(?:Theorem|Lemma|Corollary|Fact|Remark|Definition|Fixpoint) (\w+)", stated, re.MULTILINE))
    comments = " ".join(re.findall(r"# Theorem: ((?:.*\n *# )*?.*?\.)(?:\n *[^#\s]|: |; | )", SOURCES[file]))
    for name in re.findall(r"\b([a-z]\w*(?:P|_\w+|\d+))\b(?!\.v)", comments):
        assert name in known, name


def test_limits_are_those_of_the_specification():
    table = {name: int(figure.replace(" ", "")) for name, figure in re.findall(r"^\| `(\w+)` \| ([0-9 ]+) \|", SPEC, re.MULTILINE)}
    assert table == kernel.LIMITS


def test_the_running_example_of_the_specification_is_accepted():
    block = re.search(r"```json\n(.*?)```", SPEC, re.DOTALL).group(1)
    answer = kernel.check_bytes(block.encode())
    assert answer.status == "accepted", answer.sentence
    assert "below 168/415, and one attains it" in answer.sentence
