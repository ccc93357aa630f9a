# SPDX-License-Identifier: MIT
"""The trusted rules about Φ: what they accept is true, what is changed is refused, and none of their
conditions is idle.
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
from certificate_pool import certificate, seal, text_of, vec

from exactdp import geometric, uniform
from exactdp.analysis.leakage import leakage, leakage_bound, utility_bound
from exactdp.analysis.tight.optimality_on_region import is_optimal_on_region
from exactdp.analysis.tight.regular_priors import is_regular
from exactdp.analysis.tight.tight_levels import ThresholdEvidence, is_singular, regular_levels, tight_levels, tight_threshold
from exactdp.analysis.tight.tight_mechanism import NearSolution, TightEvidence, is_tight_unique, tight_mechanism
from exactdp.analysis.verdict import Decision, Verdict
from exactdp.certificate import certify
from exactdp.checker import kernel, tight
from exactdp.exact import ExponentialField, Interval, Rational, RationalFunctionField
from exactdp.exact.balls import BallSystem
from exactdp.model import Graph, Metric, Prior, PrivacyLevel, neighbours
from exactdp.model.constraint_matrix import ConstraintMatrix
from exactdp.model.level import level_for

HALVES = Graph(range(8), [(i, j) for i in range(4) for j in range(4, 8)])
SIX = Graph(range(6), [(0, 1), (0, 2), (0, 3), (1, 4), (1, 5), (2, 4), (2, 5), (3, 4), (3, 5), (4, 5)])
LINE = neighbours("path:3")
PRIOR = Prior(["2/5", "1/5", "2/5"], LINE.vertices)


def near(spec, level, bits=20):
    """A certificate with a rounded solution, also where an exact one would be short."""
    graph = neighbours(spec)
    cells = ConstraintMatrix.of(graph).cells()
    low, high = (level.alpha, level.alpha) if isinstance(level.alpha, Rational) else level.alpha.enclosure(30)
    system = BallSystem(cells.counts, low, high, 128)
    ones = [1] * len(cells.members)
    found = NearSolution(system.rounded(ones, 2 * bits), tuple(map(tuple, system.inverse(bits))), bits)
    return Verdict(Decision.PROVED, "there is one", TightEvidence(neighbours=graph, level=level, cells=cells, near=found))


@cache
def valid():
    t = PrivacyLevel(ExponentialField("1/2").gen)
    field = RationalFunctionField(Interval("1/4", "2/5", True, True))
    verdicts = {
        "tight": tight_mechanism(neighbours("star:4"), "1/3"),
        "tight-e": tight_mechanism(neighbours("cycle:4"), t),
        "tight-a": tight_mechanism(neighbours("cycle:4"), PrivacyLevel(field.gen)),
        "tight-metric": tight_mechanism(Metric(["a", "b", "c"], [(0, 1, "1/2")]), "1/4"),
        "near": near("grid:2x3", PrivacyLevel("1/3")),
        "near-e": near("grid:2x3", PrivacyLevel(ExponentialField(1).gen)),
        "not-tight": tight_mechanism(neighbours("star:4"), "3/5"),
        "unique": is_tight_unique(neighbours("cycle:4"), "1/2"),
        "unique-band": is_tight_unique(neighbours("sum:u=3,v=2"), "1/2"),
        "several": is_tight_unique(HALVES, "1/3"),
        "singular": is_singular(HALVES, "1/3"),
        "non-singular": is_singular(HALVES, "1/4"),
        "regular": is_regular(LINE, "1/5", PRIOR),
        "not-regular": is_regular(LINE, "1/2", PRIOR),
        "utility-bound": utility_bound(LINE, "1/5", PRIOR),
        "leakage": leakage(geometric(2, "1/2"), PRIOR),
        "leakage-bound": leakage_bound(LINE, "1/2"),
        "leakage-bound-prior": leakage_bound(LINE, "1/5", PRIOR),
        "on-region": is_optimal_on_region(geometric(2, "1/2"), LINE, "1/2"),
        "not-on-region": is_optimal_on_region(uniform(range(3)), LINE, "1/2"),
        "threshold": tight_threshold(neighbours("counts:u=2,k=2"), 4),
        "levels": tight_levels(neighbours("counts:u=2,k=2")),
        "regular-levels": regular_levels(LINE, PRIOR),
    }
    return {name: json.loads(certify(verdict).to_json()) for name, verdict in verdicts.items()}


def numbers(node, path=()):
    """Where there is a numerator in a witness."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "num":
                yield from ((*path, key, k) for k, x in enumerate(value) if isinstance(x, str))
                yield from ((*path, key, k, e) for k, x in enumerate(value) if isinstance(x, list) for e in range(len(x)))
            elif key not in {"den", "at", "cells"}:
                yield from numbers(value, (*path, key))
    elif isinstance(node, list):
        for k, value in enumerate(node):
            yield from numbers(value, (*path, k))


def changed(certificate, path, value):
    result = copy.deepcopy(certificate)
    node = result
    for step in path[:-1]:
        node = node[step]
    if value is None:
        del node[path[-1]]
    else:
        node[path[-1]] = value(node[path[-1]]) if callable(value) else value
    return seal(result)


def answer(certificate):
    return kernel.check_bytes(text_of(certificate).encode()).status


@pytest.mark.parametrize("name", sorted(valid()))
def test_valid_files_are_accepted(name):
    assert answer(valid()[name]) == "accepted"


@pytest.mark.parametrize(
    "name", sorted(set(valid()) - {"threshold", "leakage", "near", "near-e", "not-tight", "not-regular", "not-on-region", "singular"})
)
def test_a_changed_number_of_a_witness_is_refused(name):
    """Equations leave no room. (Farkas vectors, rounded numbers and kernels do: they are changed below.)"""
    certificate = valid()[name]
    if "levels" in name:
        paths = [p for p in numbers(certificate["witness"], ("witness",)) if "farkas" not in p]
    else:
        paths = list(numbers(certificate["witness"], ("witness",)))
    assert paths
    free = {"unique-band"}  # a combination is free as long as the rank is full
    for path in paths:
        if name in free and "combination" in path:
            continue
        assert answer(changed(certificate, path, lambda x: str(int(x) + 10**6))) in {"rejected", "malformed"}, path


def over_interval(certificate):
    """The same with a letter of an interval for the symbol."""
    interval = {"at_least": "1/4", "at_most": "1/3"}
    return changed(certificate, ("definitions", "t"), {"type": "parameter", "interval": interval})


def near_table(distance, level, power):
    """`near` for a centre at one distance from three others, as if the level at that distance were
    1/power.
    """
    p = int(power)
    pairs = [[0, i, distance] for i in (1, 2, 3)]
    rows = [[p, -3], [-1, p]]  # (p² − 3)/p times the inverse of Φ on cells
    den = p * p - 3
    inverse = [{"den": str(den), "num": [str(p * x) for x in row]} for row in rows]
    diagonal = {"den": str(den), "num": [str(p * sum(row)) for row in rows]}
    return seal(
        {
            "format": "exactdp-certificate",
            "version": "0.2",
            "claim": {"kind": "tight", "neighbours": "N", "level": level},
            "definitions": {"N": {"type": "distances", "vertices": ["c", "x", "y", "z"], "pairs": pairs}},
            "witness": {"near": {"diagonal": diagonal, "inverse": inverse}, "cells": [0, 1, 1, 1]},
        }
    )


KINDS = {"tight": "not-tight", "regular": "not-regular", "singular": "non-singular"}


@cache
def broken():
    """Files that one condition stops, named by what is wrong with them."""
    v = valid()
    level, witness = ("claim", "level"), ("witness",)
    big = {"den": "1", "num": ["-1", "1", "1"]}
    above = changed(v["tight"], level, "3/5")
    low, high = (tight_mechanism(SIX, a).evidence for a in ("4/5", "3/5"))
    order = Verdict(Decision.PROVED, "one at 4/5, none at 3/5", ThresholdEvidence(low=low, high=high))
    turned = json.loads(certify(order, check=False).to_json())
    rest = {"den": "5", "num": ["3"]}  # about 1/(1 + e^(−1)), and about 1/(1 + 1)
    pair = changed(v["near-e"], ("definitions", "N"), {"type": "path", "vertices": 2})
    pair = changed(changed(pair, (*witness, "cells"), [0, 0]), (*witness, "near"), {"diagonal": rest, "inverse": [rest]})
    crossed = {"type": "mechanism", "inputs": ["0", "1", "2"], "outputs": ["0", "1", "2"]}
    crossed["rows"] = [{"den": "3", "num": row} for row in (["2", "0", "1"], ["2", "1", "0"], ["1", "0", "2"])]
    # none exists for a² > 1/3, −1 < a < 0
    squared = near_table("1", {"num": ["0", "0", "1"], "den": "1"}, "1048576")
    negative = changed(squared, ("definitions", "a"), {"type": "parameter", "interval": {"above": "-1", "below": "0"}})
    return {
        "near: negative parameter": negative,
        "level of tight": changed(v["tight"], level, "1/2"),
        "level of farkas": changed(v["not-tight"], level, "1/3"),
        "farkas sum": changed(v["not-tight"], (*witness, "farkas"), lambda x: {**x, "num": [str(-int(n)) for n in x["num"]]}),
        "farkas product": changed(v["not-tight"], (*witness, "farkas", "num"), lambda x: [x[0], str(100 * int(x[1]))]),
        "regular: level": changed(v["regular"], level, "1/4"),
        "not-regular: product": changed(v["not-regular"], (*witness, "farkas"), big),
        "farkas of sum 2": changed(v["not-tight"], (*witness, "farkas"), {"den": "1", "num": ["1", "1"]}),
        # it solves Φ·z = 1
        "negative": changed(above, (*witness, "diagonal"), {"den": "8", "num": ["-1", "5"]}),
        "negative weights": changed(v["regular"], level, "1/2"),
        "both diagonal and near": changed(v["tight"], (*witness, "near"), v["near"]["witness"]["near"]),
        "both near and diagonal": changed(v["near"], (*witness, "diagonal"), v["tight"]["witness"]["diagonal"]),
        "neither": changed(v["tight"], (*witness, "diagonal"), None),
        "near without cells": changed(v["near"], (*witness, "cells"), None),
        "near: coarse cells": changed(v["near"], (*witness, "cells"), [0, 0, 0, 0, 0, 1]),
        "near: bad inverse": changed(v["near"], (*witness, "near", "inverse", 0, "num"), lambda x: [str(9 * int(n)) for n in x]),
        "near: small": changed(v["near"], (*witness, "near", "diagonal", "num"), lambda x: ["1" for _ in x]),
        "near: higher": changed(v["near"], level, "3/4"),
        "near: a quotient": changed(pair, level, {"num": ["0", "1"], "den": "2"}),
        "near: not a power": changed(over_interval(pair), level, {"num": ["1", "-1"], "den": "1"}),
        "near: places of distances": near_table("1/10", "1/1024", "1048576"),
        "near: R = 0": changed(v["near"], (*witness, "near", "inverse"), lambda x: [{"den": "1", "at": [], "num": []} for _ in x]),
        "near: not rational": changed(v["near-e"], (*witness, "near", "inverse", 0, "num", 0), ["1", "1"]),
        "near: number": changed(v["near-e"], ("definitions", "t", "rate"), "1/5"),
        "unique: neither": changed(v["unique"], (*witness, "inverse"), None),
        "unique: both": changed(v["unique"], (*witness, "combination"), v["unique"]["witness"]["inverse"]),
        "unique: inverse": changed(v["unique"], (*witness, "inverse", 0, "num", 0), "9"),
        "combination of low rank": changed(v["unique-band"], (*witness, "combination"), lambda x: [x[0], *x[:-1]]),
        "first is second": changed(v["several"], (*witness, "second"), v["several"]["witness"]["first"]),
        "second is no solution": changed(v["several"], (*witness, "second"), {"den": "1", "num": ["1"] * 8}),
        "non-singular: level": changed(v["non-singular"], level, "1/3"),
        "region: crossed": changed(
            changed(v["on-region"], ("definitions", "M"), crossed),
            (*witness, "remap"),
            [{"den": "1", "at": [i], "num": ["1"]} for i in range(3)],
        ),
        "no region: outside": changed(v["not-on-region"], (*witness, "weights"), {"den": "1", "num": ["-1", "8", "8"]}),
        "threshold: order": turned,
        "threshold: low": changed(v["threshold"], level, "1/5"),
        "threshold: high": changed(v["threshold"], (*witness, "high", "farkas"), {"den": "1", "num": ["1", "1", "1"]}),
        "threshold: equal": changed(v["threshold"], ("claim", "above"), v["threshold"]["claim"]["level"]),
        "kernel is zero": changed(v["singular"], (*witness, "kernel"), {"den": "1", "at": [], "num": []}),
        "kernel is none": changed(v["singular"], level, "1/4"),
        "utility value": changed(v["utility-bound"], ("claim", "value"), "1/2"),
        "leakage value": changed(v["leakage"], ("claim", "value"), "9/8"),
        "leakage bound value": changed(v["leakage-bound"], ("claim", "value"), "4/3"),
        "leakage prior": changed(v["leakage"], ("claim", "prior"), {"den": "5", "num": ["2", "2", "2"]}),
        "region: remap": changed(v["on-region"], (*witness, "remap", 0), v["on-region"]["witness"]["remap"][1]),
        "region: not a remap": changed(v["on-region"], (*witness, "remap", 0), {"den": "1", "num": ["1", "1", "1"]}),
        "region: level": changed(v["on-region"], level, "2/3"),
        "region: more private": changed(v["on-region"], level, "1/4"),
        "no region: not better": changed(v["not-on-region"], (*witness, "better"), [{"den": "3", "num": ["1", "1", "1"]}] * 3),
        "no region: better not private": changed(
            v["not-on-region"], (*witness, "better"), [{"den": "1", "at": [i], "num": ["1"]} for i in range(3)]
        ),
        "no region: better no mechanism": changed(v["not-on-region"], (*witness, "better", 0), {"den": "1", "num": ["9", "9", "9"]}),
        "no region: negative": changed(v["not-on-region"], (*witness, "weights"), {"den": "1", "num": ["-1", "3", "1"]}),
        "no region: zero": changed(v["not-on-region"], (*witness, "weights"), {"den": "1", "at": [], "num": []}),
        "region: mechanism not private": changed(
            v["not-on-region"], ("definitions", "M", "rows"), [{"den": "1", "at": [i], "num": ["1"]} for i in range(3)]
        ),
    }


@pytest.mark.parametrize("name", sorted(broken()))
def test_a_broken_file_is_refused(name):
    assert answer(broken()[name]) in {"rejected", "malformed"}


@pytest.mark.parametrize(
    ("distance", "level"), [("2", "1/8"), ("1/2", "1/4096"), ("3/2", "1/16"), ("sqrt(2)", {"num": ["0", "1"], "den": "1"})]
)
def test_a_rounded_solution_for_a_table_of_distances(distance, level):
    """Distances of every kind: α^d is 1/64, and e^(−7/2) is less than 1/33."""
    file = near_table(distance, level, "64")
    if isinstance(level, dict):
        file["definitions"]["t"] = {"type": "exponential", "rate": "5/2", "roots": [1, 2]}
    assert answer(seal(file)) == "accepted"


def test_a_rounded_solution_at_a_power_of_the_symbol():
    """t² at t = e^(−1) is the level e^(−2)."""
    doubled = json.loads(certify(near("grid:2x3", PrivacyLevel(ExponentialField(2).gen))).to_json())
    squared = changed(doubled, ("claim", "level"), {"num": ["0", "0", "1"], "den": "1"})
    assert answer(changed(squared, ("definitions", "t", "rate"), "1")) == "accepted"


@cache
def euclidean():
    """A certificate for 15 cells, and 29 different square roots of integers without squares."""
    metric = neighbours("euclid:10x10")
    return json.loads(certify(tight_mechanism(metric, level_for(metric, 1))).to_json())


def test_irrational_distances_need_no_symbols():
    file = euclidean()
    assert file["definitions"]["t"] == {"type": "exponential", "rate": "1", "roots": [1]}
    assert answer(file) == "accepted"
    listed = changed(file, ("definitions", "t", "roots"), [1, 2])
    assert answer(listed) == "accepted"  # a symbol that nothing needs


@pytest.mark.parametrize(
    ("where", "what"),
    [
        (("definitions", "t", "rate"), "4"),
        (("definitions", "t", "rate"), "1/5"),
        (("claim", "level"), {"num": ["0", "0", "1"], "den": "1"}),
        (("claim", "level"), "3679/10000"),
        (("definitions", "t", "roots"), [2]),
        (("definitions", "N", "pairs", 0, 2), "2"),
        (("definitions", "N", "pairs", 9, 2), "sqrt(3)"),
        (("witness", "near", "diagonal", "num"), lambda x: [*x[:-1], "1"]),
        (("witness", "near", "inverse", 3, "num"), lambda x: ["0" for _ in x]),
        (("witness", "cells"), lambda x: [0 if c == 1 else c for c in x]),
    ],
)
def test_another_level_or_distance_is_another_matrix(where, what):
    assert answer(changed(euclidean(), where, what)) in {"rejected", "malformed"}


def test_no_statement_passes_as_its_opposite():
    for name, kinds in {"tight": "not-tight", "not-regular": "regular", "singular": "non-singular", "unique": "not-unique-tight"}.items():
        assert answer(changed(valid()[name], ("claim", "kind"), kinds)) == "malformed"


SOURCE = Path(tight.__file__).read_text(encoding="utf-8")
CHECKS = {
    "require",
    "demand",
    "non_negative",
    "stochastic",
    "check_private",
    "equals",
    "solves",
    "separates",
    "invertible",
    "near_solution",
}


def statements():
    """The statements of the rules that only check: with one of them gone something false would pass."""
    found = []
    for node in ast.walk(ast.parse(SOURCE)):
        call = node.value if isinstance(node, ast.Expr) else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in CHECKS:
            found.append((node.lineno, node.end_lineno, node.col_offset))
    lines = SOURCE.splitlines()
    # without this one the polynomials of a false file grow until a limit is reached
    return sorted(place for place in found if '"must be rational")' not in lines[place[0] - 1])


def without(first, last, indent):
    lines = SOURCE.splitlines()
    lines[first - 1 : last] = [" " * indent + "pass"]
    module = ModuleType("exactdp.checker.tight")
    module.__dict__["__name__"] = "exactdp.checker.tight"
    sys.modules["exactdp.checker.tight"], kept = module, sys.modules["exactdp.checker.tight"]
    try:
        exec(compile("\n".join(lines), "tight without a line", "exec"), module.__dict__)
        return {name: answer(file) for name, file in broken().items()}
    finally:
        sys.modules["exactdp.checker.tight"] = kept


@pytest.mark.mostly_slow(10)
@pytest.mark.parametrize("place", statements(), ids=lambda place: f"line {place[0]}")
def test_no_condition_is_idle(place):
    assert set(without(*place).values()) - {"rejected", "malformed"}, SOURCE.splitlines()[place[0] - 1]


def test_the_rules_use_the_standard_library_only():
    names = {
        (node.module or "").split(".")[0] if isinstance(node, ast.ImportFrom) else node.names[0].name.split(".")[0]
        for node in ast.walk(ast.parse(SOURCE))
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    assert names - {"exactdp"} <= set(sys.stdlib_module_names)


def test_a_product_with_phi_takes_one_sum_for_each_vertex(monkeypatch):
    """On a path a vertex sees each distance once or twice: a call for each would be slow."""
    n = 50
    claim = {"kind": "not-tight", "neighbours": "N", "level": "1/2"}
    file = certificate(claim, {"N": {"type": "path", "vertices": n}}, {"farkas": vec([-1] * n)})
    calls = list[int]()
    dot = tight.dot

    def counted(xs, ys):
        calls.append(len(xs))
        return dot(xs, ys)

    monkeypatch.setattr(tight, "dot", counted)
    assert kernel.check_bytes(json.dumps(file).encode()).status == "rejected"
    assert len(calls) <= n + 1


@pytest.mark.parametrize("near", [False, True])
def test_what_cells_see_is_counted_while_it_is_held(monkeypatch, near):
    n = 120
    claim = {"kind": "tight" if near else "not-tight", "neighbours": "N", "level": "1/2"}
    witness = {"farkas": vec([-1] + [0] * (n // 2 - 1)), "cells": [i // 2 for i in range(n)]}
    if near:
        identity = [vec([int(i == j) for j in range(n)]) for i in range(n)]
        witness = {"near": {"diagonal": vec([1] * n), "inverse": identity}, "cells": list(range(n))}
    data = json.dumps(certificate(claim, {"N": {"type": "path", "vertices": n}}, witness)).encode()
    assert kernel.check_bytes(data).status == "rejected"
    monkeypatch.setitem(kernel.LIMITS, "memory", 512 * n * n * (1 + near))  # half of what they take
    found = kernel.check_bytes(data)
    assert (found.status, found.rule) == ("limit", "memory")
