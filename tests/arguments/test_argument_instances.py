# SPDX-License-Identifier: MIT
"""What the argument files state is read from the files and evaluated at concrete values, beside exactdp's own
functions.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from argument_values import FILES, Table, definitions, holds, instances, leibniz, load, nearby, value

from exactdp.analysis import is_derivable, is_private, multi_level_release, tightest_level
from exactdp.exact import ExactMatrix, Rational
from exactdp.mechanisms import geometric, geometric_prime
from exactdp.model import Graph, Mechanism, PrivacyLevel

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
THEOREMS = [(file.stem, theorem["name"]) for file in FILES for theorem in load(file.stem)["theorems"]]


def theorem(stem, name):
    return next(t for t in load(stem)["theorems"] if t["name"] == name)


def table(values, arity=1, other=0):
    """A function with listed values, and another value elsewhere."""
    return Table(lambda *at: Fraction(values.get(at if arity > 1 else at[0], other)), arity)


def entries(matrix, other=0):
    return table({(i, j): Fraction(str(x)) for i, row in enumerate(matrix.rows()) for j, x in enumerate(row)}, 2, other)


def chain_case():
    rows = {"x": [Fraction(1, 4), Fraction(5, 8), Fraction(1, 8)], "y": [Fraction(1, 8), Fraction(5, 8), Fraction(1, 4)],
            "z": [Fraction(1, 16), Fraction(5, 4), HALF]}  # fmt: skip
    return {"a": HALF, "w": 2, "j": 1, "k": 1, **{name: table(dict(enumerate(row))) for name, row in rows.items()}}


def display_4_case():
    a, b, d = HALF, THIRD, Fraction(1, 5)
    return {
        "a": a,
        "b": b,
        "d": d,
        "e": Fraction(3),
        "A": (1 - b - a + a * d) / (1 - a * a),
        "C": (a - a * a + a * a * b - a * d) / (1 - a * a),
    }


def stage_case():
    """G(n, b) as M, and the column 0 of the stage that makes it from G(n, a)."""
    found = definitions(load("lemma3"))
    a, b, n = HALF, Fraction(2, 3), 3
    return {"a": a, "b": b, "n": n, "j": 2, "r": 1, "M": lambda i, s: found["G"](b, n, i, s), "t": lambda j: found["stage"](a, b, n, j, 0)}


def group_case():
    A = geometric(2, "1/3").matrix
    B = A.solve(ExactMatrix.identity(3))
    x, y = table({0: 2, 1: -1, 2: 5}), Table(lambda r: sum(entries(A)(r, k) * x(k) for k in range(3)) if 0 <= r <= 2 else 0, 1)
    return {"n": 2, "i": 1, "A": entries(A), "B": entries(B), "x": x, "y": y}


def rows_case():
    B = geometric(2, "1/3").matrix
    return {"n": 2, "w": 2, "y": table({0: HALF, 1: THIRD, 2: Fraction(1, 6)}), "B": entries(B)}


def release_case():
    """Three levels; the second and third results are seen, the first is not."""
    levels, n = [None, Fraction(1, 4), HALF, Fraction(3, 4)], 2
    found = definitions(load("lemma3"))

    def F(u, i, r):
        return found["G"](levels[int(u)], n, i, r) if 1 <= u <= 3 and min(i, r) >= 0 and max(i, r) <= n else 0

    def T(u, r, s):
        return found["stage"](levels[int(u)], levels[int(u) + 1], n, r, s) if 1 <= u <= 2 and min(r, s) >= 0 and max(r, s) <= n else 0

    seen, last = 1, 2
    weight = T(2, seen, last)

    def W(u, r):
        if u == 1:
            return sum(T(1, r, s) * W(2, s) for s in range(n + 1))
        return weight if u == 2 and r == seen else 0

    return {"n": n, "m": 3, "u": 3, "c": 2, "i": 1, "s": seen, "w": weight, "F": F, "T": T, "L": F, "W": W}


def mechanism_case():
    M = geometric(3, "1/2").matrix @ ExactMatrix([["1/2", "1/2"], [1, 0], ["1/3", "2/3"], [0, 1]])
    G = geometric(3, "1/2").matrix
    t = table({0: HALF, 1: 1, 2: THIRD, 3: 0})
    m = Table(lambda i: sum(entries(G)(i, j) * t(j) for j in range(4)) if 0 <= i <= 3 else 0, 1)
    return {"a": HALF, "n": 3, "w": 1, "j": 2, "r": 0, "i": 2, "M": entries(M), "t": t, "m": m}


MADE = {
    **dict.fromkeys([("chain", "display_3"), ("chain", "last_display")], chain_case),
    ("chain", "printed_reason"): lambda: {"a": HALF, "b": HALF, "c": 1, "d": 2},
    **dict.fromkeys([("chain", name) for name in ("display_4", "display_4_converse", "equalities")], display_4_case),
    **dict.fromkeys([("lemma3", "stage_is_remap"), ("lemma3", "not_down")], stage_case),
    **dict.fromkeys([("processing", "apply"), ("processing", "inverse_rows")], group_case),
    ("processing", "rows"): rows_case,
    **dict.fromkeys([("release", name) for name in ("law", "before_first", "joint_law")], release_case),
    ("release", "coalition_private"): lambda: {"a": HALF, "x": THIRD, "y": HALF, "w": 2, "p": Fraction(2, 3), "q": 1},
    ("release", "coalition_tight"): lambda: {"a": HALF, "n": 1, "i": 0, "w": 3, "p": 2, "q": 1},
    **dict.fromkeys([("theorem2", "remap_rows"), ("theorem2", "only_if")], mechanism_case),
}


def points(stem, name, tries=40):
    """Points at which what a theorem gives holds."""
    functions, stated = definitions(load(stem)), theorem(stem, name)
    made = [{**functions, **MADE[stem, name]()}] if (stem, name) in MADE else []
    return [*made, *(instances(stated, functions, tries) if stem != "release" else ())]


@pytest.mark.slow
@pytest.mark.parametrize(("stem", "name"), THEOREMS)
def test_every_statement_holds_at_concrete_values(stem, name):
    stated = theorem(stem, name)
    found = points(stem, name)
    found += nearby(stated, definitions(load(stem)), 3 if stem == "release" else 20)
    for env in found:
        assert all(holds(item, env) for item in stated.get("given", {}).values())
        assert holds(stated["then"], env)
    assert found


# the definitions of the files are exactdp's own objects

LEVELS = ("1/3", "1/2", "9/10")
SIZES = (1, 2, 3, 4)


def same(matrix, function):
    return all(Fraction(str(x)) == function(i, j) for i, row in enumerate(matrix.rows()) for j, x in enumerate(row))


@pytest.mark.parametrize("a", LEVELS)
@pytest.mark.parametrize("n", SIZES)
def test_the_matrices_are_those_of_the_library(n, a):
    f, level = definitions(load("determinants")), Fraction(a)
    G, G_prime = geometric(n, a).matrix, geometric_prime(n, a)
    assert same(G, lambda i, j: f["G"](level, n, i, j))
    assert same(G_prime, lambda i, j: f["P"](level, i, j))
    K = ExactMatrix([[Rational(str(f["K"](level, n, i, j))) for j in range(n + 1)] for i in range(n + 1)])
    assert same(K @ G_prime, lambda i, j: (1 - level**2) * f["unit"](i, j))


@pytest.mark.parametrize("a", LEVELS)
@pytest.mark.parametrize("n", SIZES)
def test_the_determinants_are_those_of_the_library(n, a):
    env = {
        **definitions(load("determinants")),
        "a": Fraction(a),
        "n": n,
        "q": 1 - Fraction(a) ** 2,
        "t": (1 + Fraction(a)) / (1 - Fraction(a)),
    }
    G, G_prime = geometric(n, a).matrix, geometric_prime(n, a)
    left, right = theorem("determinants", "det_Gprime")["then"].split(" = ")
    assert Fraction(str(G_prime.det())) == value(left, env) == value(right, env)
    left, right = theorem("determinants", "det_G")["then"].split(" = ")
    env["det_G"] = Fraction(str(G.det()))
    assert value(left.replace("det(i, j, 0, n, G(a, n, i, j))", "det_G"), env) == value(right, env)
    for c in range(n + 1):
        x = [Rational(k * k - 2) for k in range(n + 1)]
        replaced = [[x[i] if j == c else entry for j, entry in enumerate(row)] for i, row in enumerate(G_prime.rows())]
        env |= {"c": c, "x": table({k: Fraction(k * k - 2) for k in range(n + 1)})}
        right = theorem("determinants", "det_replaced")["then"].split(" = ")[1]
        assert Fraction(str(ExactMatrix(replaced).det())) == value(right, env)


def test_the_two_ways_to_a_determinant_agree():
    assert leibniz([[2, 1, 0], [1, 3, 1], [0, 1, 4]]) == 18 == Fraction(str(ExactMatrix([[2, 1, 0], [1, 3, 1], [0, 1, 4]]).det()))


@pytest.mark.parametrize("a", LEVELS)
@pytest.mark.parametrize("n", SIZES)
def test_privacy_and_its_level(n, a):
    path = Graph.path(n + 1)
    assert is_private(geometric(n, a), path, PrivacyLevel(a)).proved
    assert tightest_level(geometric(n, a), path).evidence.tightest.ratio == Rational(a)


@pytest.mark.parametrize("b", LEVELS)
@pytest.mark.parametrize("a", LEVELS)
@pytest.mark.parametrize("n", [1, 3])
def test_derivability_between_levels_is_lemma_3(n, a, b):
    """Lemma 3 says for which pairs; where it gives a stage, that is the remap that the library finds."""
    verdict = is_derivable(geometric(n, b), source=geometric(n, a))
    assert verdict.proved == (Fraction(a) <= Fraction(b)) != verdict.refuted
    if verdict.proved:
        f = definitions(load("lemma3"))
        assert same(verdict.evidence.remap.matrix, lambda j, r: f["stage"](Fraction(a), Fraction(b), n, j, r))


@pytest.mark.parametrize("rows", [
    [["1/9", "2/9", "4/9", "2/9"], ["2/9", "1/9", "2/9", "4/9"], ["4/9", "2/9", "1/9", "2/9"], ["13/18", "1/9", "1/18", "1/9"]],
    [["1/2", "1/2"], ["1/2", "1/2"], ["1/2", "1/2"]],
    [["2/3", "1/3"], ["1/2", "1/2"], ["1/3", "2/3"]],
])  # fmt: skip
def test_derivability_is_the_condition_of_theorem_2(rows):
    """The condition, as the file states it, at each place of each column, against the library's decision."""
    given = theorem("theorem2", "remap_nonnegative")["given"]
    M, n = Mechanism(rows), len(rows) - 1
    env = {**definitions(load("theorem2")), "a": HALF, "n": n, "M": entries(M.matrix)}
    columns = range(len(rows[0]))
    assert all(holds(given["private"], {**env, "r": r}) for r in columns)
    verdict = is_derivable(M, source=geometric(n, "1/2"))
    assert verdict.proved == all(holds(given["triples"], {**env, "r": r}) for r in columns)
    if verdict.proved:
        assert same(verdict.evidence.remap.matrix, lambda j, r: env["remap"](HALF, n, env["M"], j, r))


def test_a_release_is_that_of_lemma_4():
    """The joint law of the second and third result in the library, against the factorisation that the file
    states.
    """
    verdict = multi_level_release(2, [PrivacyLevel(level) for level in ("1/4", "1/2", "3/4")])
    coalition = next(c for c in verdict.evidence.coalitions if tuple(c.members) == (1, 2))
    law = {(i, label): Fraction(str(coalition.mechanism[i, k])) for i in range(3) for k, label in enumerate(coalition.mechanism.outputs)}
    env = {**definitions(load("release")), **release_case()}
    left, right = theorem("release", "joint_law")["then"].split(" = ")
    for i in range(3):
        assert law[i, "1,2"] == value(left, {**env, "i": i}) == value(right, {**env, "i": i})
