# SPDX-License-Identifier: MIT
"""The arguments about tight-constraints mechanisms: replayed, true at values, about exactdp's own objects,
refused when changed.
"""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import permutations

import argument_values
import pytest
from argument_mutants import File, mutants
from argument_values import Table, definitions, holds, instances, load, nearby

from exactdp.arguments import argument
from exactdp.mechanisms import geometric
from exactdp.model import neighbours
from exactdp.model.constraint_matrix import ConstraintMatrix
from exactdp.model.level import as_level
from proofs.record import PROOFS

FOLDER = PROOFS / "elsalamouny_tight_constraints" / "arguments"


def stated_in(stem):
    return json.loads((FOLDER / f"{stem}.json").read_text(encoding="utf-8"))["theorems"]


LINE = [t["name"] for t in stated_in("line")]
LEVELS = (Fraction(1, 3), Fraction(1, 2), Fraction(9, 10))


@pytest.fixture(autouse=True)
def folder(monkeypatch):
    monkeypatch.setattr(argument_values, "FOLDER", FOLDER)
    monkeypatch.setattr("argument_mutants.FOLDER", FOLDER)


def theorem(stem, name):
    return next(t for t in load(stem)["theorems"] if t["name"] == name)


def listed(function, arity=1):
    return Table(lambda *at: Fraction(function(*at)), arity)


@pytest.mark.parametrize("stem", ["line", "symmetry", "sums"])
def test_the_files_are_replayed(stem):
    assert argument.check_bytes((FOLDER / f"{stem}.json").read_bytes(), FOLDER).status == "replayed"


def test_the_copied_file_is_the_same():
    other = PROOFS / "gupte_sundararajan" / "arguments" / "sums.json"
    assert (FOLDER / "sums.json").read_bytes() == other.read_bytes()


@pytest.mark.parametrize("name", LINE)
def test_statements_about_the_path_hold_at_concrete_values(name):
    functions, stated = definitions(load("line")), theorem("line", name)
    found = list(instances(stated, functions, 30))
    if name in ("solution", "unique"):
        found = [
            {**functions, "a": a, "n": n, "i": i, "j": j, "k": j, "z": listed(lambda c, a=a, n=n: functions["scale"](a, n, c)),
             "X": listed(lambda r, c, a=a, n=n: functions["G"](a, n, r, c) if min(r, c) >= 0 and max(r, c) <= n else 0, 2)}
            for a in LEVELS for n in (0, 1, 3) for i in range(n + 1) for j in range(n + 1)
        ]  # fmt: skip
    assert found
    for env in found:
        assert all(holds(item, env) for item in stated["given"].values())
        assert holds(stated["then"], env)


@pytest.mark.parametrize("a", LEVELS)
@pytest.mark.parametrize("n", [1, 2, 5])
def test_the_matrices_are_those_of_the_library(n, a):
    """The file's P is Φ of the path, by its shortest paths; its G is the range-restricted geometric
    mechanism.
    """
    f, G = definitions(load("line")), geometric(n, str(a)).matrix
    phi = ConstraintMatrix.of(neighbours(f"path:{n + 1}")).at(as_level(str(a)))
    for i in range(n + 1):
        for j in range(n + 1):
            assert Fraction(str(phi[i, j])) == f["P"](a, i, j)
            assert Fraction(str(G[i, j])) == f["G"](a, n, i, j)


@pytest.mark.parametrize(("stem", "name"), [(stem, t["name"]) for stem in ("line", "symmetry", "sums") for t in stated_in(stem)])
def test_statements_hold_near_their_examples(stem, name):
    stated = theorem(stem, name)
    found = list(nearby(stated, definitions(load(stem)), 20))
    assert found
    assert all(holds(stated["then"], env) for env in found)


def automorphism(edges, size, i, h):
    """Some automorphism that takes i to h, by trying all permutations."""
    pairs = {frozenset(edge) for edge in edges}
    return next(p for p in permutations(range(size)) if p[i] == h and {frozenset(p[x] for x in edge) for edge in pairs} == pairs)


@pytest.mark.parametrize("graph", ["cycle:5", "complete:4"])
def test_what_is_given_holds_on_symmetric_graphs(graph):
    """On a ring and a complete graph: automorphisms and numbers at each distance, found by brute force, are
    what the theorems ask for.
    """
    near, a = neighbours(graph), Fraction(1, 2)
    size, matrix = len(near.vertices), ConstraintMatrix.of(near).at(as_level("1/2"))
    P = listed(lambda r, c: str(matrix[r, c]) if min(r, c) >= 0 and max(r, c) < size else 0, 2)
    distance = {(r, c): next(d for d in range(9) if a**d == P(r, c)) for r in range(size) for c in range(size)}
    spheres = listed(lambda d: sum(distance[0, c] == d for c in range(size)))
    total = sum(P(0, c) for c in range(size))
    for i in range(size):
        moved = automorphism(near.edges, size, i, 0)
        env = {**definitions(load("symmetry")), "n": size - 1, "m": max(distance.values()), "i": i, "h": 0, "k": 1, "a": a, "s": total}
        env |= {"P": P, "v": spheres, "S": listed(lambda r, c, p=moved: 0 <= r < size and p[r] == c, 2)}
        env["N"] = listed(lambda d, r, c: distance.get((r, c)) == d, 3)
        for name in ("exists", "transitive", "distance_regular"):
            stated = theorem("symmetry", name)
            assert all(holds(item, env) for item in stated["given"].values()), name
            assert holds(stated["then"], env)


def test_a_star_has_no_equal_row_sums():
    """What symmetric.exists is given fails there, as it must: a star of four has no mechanism at 3/5."""
    matrix = ConstraintMatrix.of(neighbours("star:4")).at(as_level("3/5"))
    P = listed(lambda r, c: str(matrix[r, c]) if min(r, c) >= 0 and max(r, c) < 4 else 0, 2)
    env = {"n": 3, "i": 0, "k": 1, "s": sum(P(0, c) for c in range(4)), "P": P}
    assert not holds(theorem("symmetry", "exists")["given"]["sums"], env)


@pytest.mark.slow
@pytest.mark.parametrize("stem", ["line", "symmetry"])
def test_changed_statements_are_refused_or_true(stem):
    """Every thirteenth mutant: refused with a place, or what it says holds wherever it applies."""
    file, functions, refused = File(stem), definitions(load(stem)), 0
    for index, stated in enumerate(file.data["theorems"]):
        assert file.answer(index, stated) is None
        for number, (kind, place, mutant) in enumerate(mutants(stated)):
            if (number + index) % 13:
                continue
            answer = file.answer(index, mutant)
            if answer is not None:
                assert answer.sentence.startswith("$"), (place, answer)
                refused += 1
            elif kind in ("statement", "hypothesis"):
                assert all(holds(mutant["then"], env) for env in instances(mutant, functions, 12)), place
    assert refused > 10
