# SPDX-License-Identifier: MIT
"""No condition of the trusted rules on privacy types is idle: without any one of them some file gets another
answer.

The files are accepted certificates with one place changed, a few of each condition that stops them, and some
made by hand.
"""

from __future__ import annotations

import ast
import copy
import json
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from certificate.test_types import as_json
from certificate_pool import graph, mech, path, seal, vec
from certificate_pool import losses as losses_of
from types_pool import POOL

from exactdp import Loss, kernel_mechanisms, neighbours
from exactdp.analysis.leakage import type_capacity
from exactdp.analysis.types.universal import universally_optimal_mechanism
from exactdp.certificate import certify
from exactdp.checker import privacy_types, universal
from exactdp.checker.kernel import LIMITS, check_bytes

MODULES = {"privacy_types": privacy_types, "universal": universal}
SOURCES = {name: Path(module.__file__).read_text(encoding="utf-8") for name, module in MODULES.items()}
CHECKS = {"demand", "require", "equals", "check_private", "check_product", "stochastic", "same_labels"}


def more():
    """Certificates of rules that the pool lacks."""
    star, square = neighbours("star:4"), neighbours("cycle:4")
    yield universally_optimal_mechanism(star, "2/3", Loss.zero_one(star.vertices))
    yield universally_optimal_mechanism(star, "1/3", Loss.from_distance(star))
    yield universally_optimal_mechanism(square, "1/2", Loss.zero_one(square.vertices), theorems=False)
    yield type_capacity(star, "2/3", "additive")


def losses(rows):
    return losses_of(lambda x, g: rows[x][g], len(rows), len(rows[0]))


def by_hand():
    """What no change of one place gives: (claim, definitions, witness)."""
    parameter = {"type": "parameter", "interval": {"above": "0", "below": "1"}}
    best = {"kind": "universally-optimal", "neighbours": "N", "level": "1/2", "loss": "l", "mechanism": "M"}
    two, three = path(2), graph(3, [(0, 1), (0, 2)])
    wrong = losses([[0, 1], [1, 0]])
    M, I, nothing = mech([["2/3", "1/3"], ["1/3", "2/3"]]), mech([[1, 0], [0, 1]]), mech([[1], [1]])
    points = [[0, 1], [1, 0], [1, 2], [2, 1]]
    by = {"rule": "kinks", "priors": [vec(v) for v in points], "potentials": [vec([0, 0]) for _ in points]}
    # numbers that are not rational
    rows = [{"den": "1", "num": ["0", ["0", "1"]]}, {"den": "1", "num": ["1", "0"]}]
    yield best, {"a": parameter, "N": two, "M": M, "l": {**wrong, "rows": rows}}, {"by": by}
    odd = {**by, "priors": [{"den": "1", "num": [["0", "1"], "1"]}, *by["priors"][1:]]}
    yield best, {"a": parameter, "N": two, "M": M, "l": wrong}, {"by": odd}
    # a corner that is not listed
    few = {**by, "priors": [vec([0, 1])], "potentials": [vec([0, 0])]}
    yield best, {"N": two, "M": M, "l": wrong}, {"by": few}
    # mechanisms that are not private
    yield {"kind": "not-kernel-mechanism", "neighbours": "N", "level": "1/2", "mechanism": "M"}, {"N": two, "M": I}, {}
    along = {"rule": "path", "inputs": [0, 1], "guesses": [0, 1], "remap": M["rows"]}
    yield best, {"N": two, "M": I, "l": wrong}, {"by": along}
    blind = mech([[1, 0], [0, 1], [1, 0]])  # does not tell the ends apart
    geometric = mech([["2/3", "1/6", "1/6"], ["1/3", "1/3", "1/3"], ["1/6", "1/6", "2/3"]])["rows"]
    ends = {"prior": vec([1, 0, 1]), "better": geometric}
    all_three = losses([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    yield {**best, "kind": "not-universally-optimal"}, {"N": path(3), "M": blind, "l": all_three}, ends
    # losses of other inputs
    renamed = {**wrong, "inputs": ["a", "b"]}
    yield best, {"N": two, "M": M, "l": renamed}, {"by": {**along, "remap": I["rows"]}}
    answer = {"prior": vec([1, 1]), "better": M["rows"]}
    yield {**best, "kind": "not-universally-optimal"}, {"N": two, "M": nothing, "l": renamed}, answer
    # two leaves of a star, which are not adjacent
    leaves = mech([["1/2", "1/2"], ["2/3", "1/3"], ["1/3", "2/3"]])
    remap = [{"den": "1", "num": ["1", "0"]}, {"den": "1", "num": ["0", "1"]}]
    yield best, {"N": three, "M": leaves, "l": losses([[0, 0], [0, 1], [1, 0]])}, {"by": {**along, "inputs": [1, 2], "remap": remap}}
    # a negative prior
    claim = {**best, "kind": "not-universally-optimal"}
    backwards = mech([["1/3", "2/3"], ["2/3", "1/3"]])["rows"]
    yield claim, {"N": two, "M": nothing, "l": wrong}, {"prior": vec([-1, -1]), "better": backwards}
    # another loss than zero-one on a tree, and a level that is too weak there
    star = neighbours("star:4")
    tree = as_json(certify(universally_optimal_mechanism(star, "1/2", Loss.zero_one(star.vertices))))
    distance = losses([[0, 1, 1, 1], [1, 0, 2, 2], [1, 2, 0, 2], [1, 2, 2, 0]])
    yield tree["claim"], {**tree["definitions"], "zero_one": distance, "l": distance} | {tree["claim"]["loss"]: distance}, tree["witness"]
    silent = {**tree["definitions"], tree["claim"]["mechanism"]: mech([[1]] * 4)}
    yield {**tree["claim"], "level": "3/5"}, silent, tree["witness"]
    # a graph with a cycle for the rule of trees; one in two parts for the rules of graphs
    yield tree["claim"], {**silent, "N": graph(4, [(0, 1), (0, 2), (0, 3), (1, 2)])}, tree["witness"]
    none = {"kind": "no-universally-optimal", "neighbours": "N", "level": "1/2", "loss": "l"}
    zero_one = losses([[int(x != g) for g in range(4)] for x in range(4)])
    yield none, {"N": graph(4, [(0, 1), (0, 2), (1, 2)]), "l": zero_one}, {"by": {"rule": "cycle", "inputs": [0, 1, 2]}}
    # mixtures: none, without parts, a weight 0, the same part twice, a part on other inputs
    mixed = {"kind": "kernel-mixtures", "neighbours": "N", "level": "1/2", "mechanism": "M"}
    path3, G = path(3), mech([["2/3", "1/6", "1/6"], ["1/3", "1/3", "1/3"], ["1/6", "1/6", "2/3"]])
    K = is_other_kernel()
    for mixtures, names in (
        ([], {}),
        ([[]], {}),
        ([[{"kernel": "G", "weight": "1"}, {"kernel": "K", "weight": "0"}]], {"G": G, "K": K}),
        ([[{"kernel": "G", "weight": "1/2"}, {"kernel": "H", "weight": "1/2"}]], {"G": G, "H": G}),
        ([[{"kernel": "G", "weight": "1"}]], {"G": {**G, "inputs": ["a", "b", "c"]}}),
    ):
        yield {**mixed, "mixtures": mixtures}, {"N": path3, "M": G, **names}, {}
    # weights with a negative one: the equations hold, the value is too small
    five = graph(5, [(0, k) for k in range(1, 5)])
    capacity = {"kind": "type-capacity", "neighbours": "N", "level": "1/2", "capacity": "multiplicative", "value": "7/3"}
    yield capacity, {"N": five}, {"by": {"rule": "weights", "weights": {"den": "3", "num": ["-1", "2", "2", "2", "2"]}}}
    # a mechanism that does not attain the bound of the dual
    bound = as_json(certify(type_capacity(star, "2/3", "additive")))
    flat = mech([["1/4"] * 4] * 4)["rows"]
    yield bound["claim"], bound["definitions"], {"by": {**bound["witness"]["by"], "mechanism": flat}}


def is_other_kernel():
    """The kernel mechanism of three line inputs that is not the geometric one."""
    [other] = [k for k in kernel_mechanisms(neighbours("path:3"), "1/2") if len(k.support) == 2]
    return mech([[str(x) for x in row] for row in other.mechanism.rows()])


def changes(value, at=()):
    """Every place of a claim, definition or witness with something else in it."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from changes(item, (*at, key))
    elif isinstance(value, list):
        yield at, value[:-1]
        yield at, [*value, *value[:1]]
        yield at, value[::-1]
        for k, item in enumerate(value):
            yield from changes(item, (*at, k))
    elif isinstance(value, int):
        yield from ((at, value + 1), (at, max(0, value - 1)))
    elif value.lstrip("-").replace("/", "").isdigit():
        head, slash, tail = value.partition("/")
        yield from ((at, str(int(head) + 1) + slash + tail), (at, "0"), (at, "-" + value), (at, "1/2"), (at, "9/10"))
    else:
        yield from ((at, "multiplicative"), (at, "additive"), (at, "M"), (at, "G"), (at, "not-" + value), (at, value.removeprefix("not-")))


def put(value, at, new):
    result = copy.deepcopy(value)
    target = result
    for key in at[:-1]:
        target = target[key]
    target[at[-1]] = new
    return seal(result)


@cache
def files():
    """A file for every rule that stops some, in every kind of claim; and the unchanged ones."""
    found: dict[tuple[str, str], list[bytes]] = {}
    certificates = [certificate for _, certificate in POOL] + [certify(verdict) for verdict in more()]
    for certificate in certificates:
        value = {k: v for k, v in as_json(certificate).items() if k != "provenance"}
        found["accepted", certificate.digest] = [json.dumps(value).encode()]
        for top in ("claim", "definitions", "witness"):
            for at, new in changes(value[top], (top,)):
                data = json.dumps(put(value, at, new)).encode()
                answer = check_bytes(data)
                same = found.setdefault((certificate.kind, answer.rule or answer.sentence.partition(":")[2][:60]), [])
                if not same:
                    same.append(data)
    frame = {"format": "exactdp-certificate", "version": "0.2"}
    hand = [json.dumps(seal({**frame, "claim": c, "definitions": d, "witness": w})).encode() for c, d, w in by_hand()]
    return [data for group in found.values() for data in group] + hand


def conditions(name):
    return [
        n for n in ast.walk(ast.parse(SOURCES[name])) if isinstance(n, ast.Expr) and isinstance(n.value, ast.Call) and called(n) in CHECKS
    ]


def called(node):
    return node.value.func.id if isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name) else ""


class Without(ast.NodeTransformer):
    def __init__(self, line):
        self.line = line

    def visit_Expr(self, node):
        return ast.copy_location(ast.Pass(), node) if node.lineno == self.line and called(node) in CHECKS else node


@cache
def usual():
    return [answered(data) for data in files()]


def answered(data):
    """The status and the rule: where two conditions would both stop a file, each has its own words."""
    answer = check_bytes(data)
    return answer.status, answer.rule


@pytest.fixture(autouse=True)
def hurried(monkeypatch):
    """Without a condition a question may not end by itself."""
    monkeypatch.setitem(LIMITS, "work", 10**8)


PLACES = [(name, node.lineno, ast.unparse(node)[:70]) for name in SOURCES for node in conditions(name)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "line"), [(name, line) for name, line, _ in PLACES], ids=[f"{n} {line} {text}" for n, line, text in PLACES]
)
def test_the_condition_is_needed(name, line, monkeypatch):
    before = usual()
    mutant = ModuleType(f"exactdp.checker.{name}")
    mutant.__file__ = MODULES[name].__file__
    tree = ast.fix_missing_locations(Without(line).visit(ast.parse(SOURCES[name])))
    monkeypatch.setitem(sys.modules, mutant.__name__, mutant)
    exec(compile(tree, mutant.__name__, "exec"), mutant.__dict__)
    if name == "privacy_types":  # universal takes names from it
        other = ModuleType("exactdp.checker.universal")
        other.__file__ = universal.__file__
        monkeypatch.setitem(sys.modules, other.__name__, other)
        exec(compile(SOURCES["universal"], other.__name__, "exec"), other.__dict__)
    assert any(answered(data) != expected for data, expected in zip(files(), before, strict=True))
