# SPDX-License-Identifier: MIT
"""Optima by orbits, and by the laws of complete graphs and cubes.

What is accepted by orbits is accepted as an ordinary certificate by the naive checker, once the columns and
multipliers of all guesses are written out. No condition of the rules is idle.
"""

from __future__ import annotations

import ast
import copy
import json
from fractions import Fraction as F
from functools import cache
from itertools import combinations
from pathlib import Path
from types import ModuleType

import pytest
from certificate_pool import bayes, certificate, graph, identity, losses, mat, minimax, seal, table_of_distances, text_of, vec
from hypothesis import given
from hypothesis import strategies as st
from naive_checker import decide
from random_edits import places, put

from exactdp import BayesianConsumer, MinimaxConsumer, certify, optimum
from exactdp.certificate import orbits as encoder
from exactdp.checker import check_bytes, kernel, limits, orbits


def status(made):
    return check_bytes(text_of(made).encode()).status


def wrong(i, r):
    return int(i != r)


def on_complete(m, a, *, weighed=False, near=None):
    """Randomized response on a complete graph: one column, and the rotation that leads to the others."""
    a = F(a)
    total = 1 + (m - 1) * a
    pairs = list(combinations(range(m), 2))
    near = near or graph(m, pairs)
    claim = {"kind": "optimal-by-orbits", "neighbours": "N", "level": str(a), "value": str(1 - 1 / total)}
    claim["consumer"] = minimax(*range(m)) if weighed else bayes(*[F(1, m)] * m)
    witness = {
        "automorphisms": [[*range(1, m), 0]] if m > 1 else [],
        "guesses": [0],
        "images": [[r, r - 1, 0] for r in range(1, m)],
        "columns": mat([[(1 if i == 0 else a) / total for i in range(m)]]),
        "potentials": vec([(1 - 1 / total) / m] * m),
        "edges": mat([[-1 / (m * total) if i == 0 else F(0) for i, _ in pairs]]),
    }
    if weighed:
        witness["weights"] = vec([F(1, m)] * m)
    return certificate(claim, {"N": near, "L": losses(wrong, m)}, witness)


def without_edges():
    """Nobody is a neighbour of anybody: the truth."""
    claim = {"kind": "optimal-by-orbits", "neighbours": "N", "level": "1/2", "consumer": bayes(F(1, 2), F(1, 2)), "value": "0"}
    witness = {"automorphisms": [[1, 0]], "guesses": [0], "images": [[1, 0, 0]], "columns": mat(identity(2)[:1])}
    witness |= {"potentials": vec([0, 0]), "edges": mat([[]])}
    return certificate(claim, {"N": graph(2, []), "L": losses(wrong, 2)}, witness)


def without_mass():
    """Two neighbours, and an input of no mass whose losses are not symmetric."""
    table = [[0, 1, 1], [1, 0, 1], [5, 7, 0]]
    claim = {"kind": "optimal-by-orbits", "neighbours": "N", "level": "1/2", "consumer": bayes(F(1, 2), F(1, 2), F(0)), "value": "1/3"}
    witness = {
        "automorphisms": [[1, 0, 2]],
        "guesses": [0, 2],
        "images": [[1, 0, 0]],
        "columns": mat([[F(2, 3), F(1, 3), 0], [0, 0, 1]]),
        "potentials": vec([F(1, 6), F(1, 6), 0]),
        "edges": mat([[F(-1, 3)], [F(0)]]),
    }
    return certificate(claim, {"N": graph(3, [(0, 1)]), "L": losses(lambda i, r: table[i][r], 3)}, witness)


def at_distance_two():
    """Two inputs at the distance 2: randomized response at the level's square."""
    made = on_complete(2, "1/9", near=table_of_distances(2, [(0, 1, "2")]))
    made["claim"]["level"] = "1/3"
    return seal(made)


QUESTIONS = (
    ("cycle:5", "1/2", MinimaxConsumer("abs")),
    ("cycle:4", "1/3", BayesianConsumer("distance")),
    ("grid:2x3", "1/2", BayesianConsumer("zero-one")),
    ("hypercube:3", "2/3", MinimaxConsumer("distance")),
    ("complete:4", "1/2", BayesianConsumer("zero-one")),
)


def of_question(near, level, consumer):
    """What the package writes, whatever its size."""
    least = encoder.MANY, encoder.MANY_OVER_A_FIELD
    encoder.MANY = encoder.MANY_OVER_A_FIELD = 0
    try:
        return json.loads(certify(optimum(near, level, consumer)).to_json())
    finally:
        encoder.MANY, encoder.MANY_OVER_A_FIELD = least


@cache
def accepted():
    own = {
        "complete": on_complete(3, "1/2"),
        "weighed": on_complete(4, "1/3", weighed=True),
        "one input": on_complete(1, "1/2"),
        "no edge": without_edges(),
        "no mass": without_mass(),
        "distance two": at_distance_two(),
        "all listed": all_listed(on_complete(3, "1/2")),
    }
    return own | {near: of_question(near, level, who) for near, level, who in QUESTIONS}


def all_listed(made):
    """The same with every column written out."""
    full = written_out(made)
    x, dual = full["witness"]["primal"]["rows"], full["witness"]["dual"]
    rows = [[F(p) / F(row["den"]) for p in row["num"]] for row in x]
    edges = [[F(p) / F(row["den"]) for p in row["num"]] for row in dual["edges"]]
    listed = {"automorphisms": [], "guesses": list(range(len(rows[0]))), "images": [], "columns": mat(list(zip(*rows, strict=True)))}
    witness = listed | {key: value for key, value in dual.items() if key != "edges"} | {"edges": mat(list(zip(*edges, strict=True)))}
    return seal({**made, "witness": witness})


def numbers(row, length):
    values = dict(zip(row.get("at", range(length)), row["num"], strict=True))
    return [F(values.get(i, 0)) / F(row["den"]) for i in range(length)]


def written_out(made):
    """The ordinary certificate of the same claim, with the columns and multipliers of all guesses."""
    d, w = made["definitions"], made["witness"]
    near = d[made["claim"]["neighbours"]]
    n = len(near["vertices"])
    listed = near["pairs"] if near["type"] == "distances" else near["edges"]
    pairs = [(i, j) for i, j, *_ in listed]
    columns = {r: numbers(row, n) for r, row in zip(w["guesses"], w["columns"], strict=True)}
    flows = {r: dict(zip(pairs, numbers(row, len(pairs)), strict=True)) for r, row in zip(w["guesses"], w["edges"], strict=True)}
    for guess, source, k in w["images"]:
        g = w["automorphisms"][k]
        columns[guess] = [columns[source][g.index(i)] for i in range(n)]
        # The multiplier of x_i − α^d·x_j is now that of x_g(i) − α^d·x_g(j).
        moved = {(g[i], g[j]): u for (i, j), u in flows[source].items()}
        flows[guess] = {(i, j): moved[i, j] if (i, j) in moved else -moved[j, i] for i, j in pairs}
    guesses = sorted(columns)
    rows = [[columns[r][i] for r in guesses] for i in range(n)]
    dual = {key: w[key] for key in ("weights", "potentials") if key in w}
    dual["edges"] = mat([[flows[r][e] for r in guesses] for e in pairs])
    claim = {**made["claim"], "kind": "optimal"}
    return certificate(claim, d, {"primal": {"rows": mat(rows)}, "dual": dual})


@pytest.mark.parametrize("name", accepted())
def test_what_is_true_is_accepted_by_both_checkers(name):
    made = accepted()[name]
    assert status(made) == "accepted"
    assert decide(written_out(made))


@given(st.data())
def test_what_is_accepted_is_accepted_written_out(data):
    made = accepted()[data.draw(st.sampled_from(sorted(accepted())))]
    edited = copy.deepcopy(made)
    for _ in range(data.draw(st.integers(1, 2))):
        path, value = data.draw(st.sampled_from(list(places({"claim": edited["claim"], "witness": edited["witness"]}))))
        if isinstance(value, bool) or not isinstance(value, int | str):
            continue
        other = data.draw(st.integers(0, 4))
        edited = put(edited, path, other if isinstance(value, int) else data.draw(st.sampled_from([str(other), "1/2", "1/3", "-1"])))
    edited = seal(edited)
    if status(edited) == "accepted":
        assert decide(written_out(edited))


def changed(name, **parts):
    """One of the files with other members of its claim, its witness or its definitions."""
    made = copy.deepcopy(accepted()[name])
    for key, value in parts.items():
        part = next(made[part] for part in ("claim", "witness", "definitions") if key in made[part])
        part[key] = value
    return seal(made)


def lopsided(i, r):
    return 2 if (i, r) == (2, 1) else wrong(i, r)


def negative_entries():
    """Three inputs that are not neighbours: rows (1, −1, 1) sum to 1 and have the loss 0."""
    made = on_complete(3, "1/2", near=graph(3, []))
    made["claim"]["value"] = "0"
    made["witness"] |= {"columns": mat([[1, 1, -1]]), "potentials": vec([0] * 3), "edges": mat([[]])}
    return seal(made)


EDITED = {
    "no automorphism": (
        "rejected",
        lambda: changed("cycle:5", automorphisms=[[1, 0, 2, 3, 4], *accepted()["cycle:5"]["witness"]["automorphisms"][1:]]),
    ),
    "not a permutation": ("malformed", lambda: changed("complete", automorphisms=[[1, 1, 0]])),
    "too short": ("malformed", lambda: changed("complete", automorphisms=[[1, 0]])),
    "the identity only": ("malformed", lambda: changed("complete", automorphisms=[[0, 1, 2]], images=[[1, 0, 0]])),
    "the identity for all": ("rejected", lambda: changed("complete", automorphisms=[[0, 1, 2]])),
    "no automorphisms": ("malformed", lambda: changed("complete", automorphisms=[])),
    "a source that is not known": ("malformed", lambda: changed("complete", images=[[2, 1, 0], [1, 0, 0]])),
    "a guess twice": ("malformed", lambda: changed("complete", images=[[1, 0, 0], [2, 1, 0], [1, 0, 0]])),
    "a guess that is listed": ("malformed", lambda: changed("complete", images=[[1, 0, 0], [2, 1, 0], [0, 2, 0]])),
    "a guess is missing": ("malformed", lambda: changed("complete", images=[[1, 0, 0]])),
    "nothing is listed": ("malformed", lambda: changed("complete", guesses=[], images=[], columns=[], edges=[])),
    "another distance": (
        "rejected",
        lambda: changed("distance two", N=table_of_distances(2, [(0, 1, "3")])),
    ),
    "distances that are not kept": (
        "rejected",
        lambda: changed("complete", N=table_of_distances(3, [(0, 1, "1"), (0, 2, "1"), (1, 2, "2")])),
    ),
    "losses that are not kept": ("rejected", lambda: changed("complete", L=losses(lopsided, 3))),
    "potentials that are not kept": ("rejected", lambda: changed("complete", potentials=vec([F(1, 6), F(1, 8), F(5, 24)]))),
    "another value": ("rejected", lambda: changed("complete", value="1/3")),
    "a negative entry at no loss": ("rejected", negative_entries),
    "rows that sum to less": ("rejected", lambda: changed("no edge", columns=mat([[F(1, 2), 0]]))),
    "a guess that is no image": (
        "rejected",
        lambda: changed("no edge", value="1/2", columns=mat([[F(1, 2), F(1, 2)]]), potentials=vec([0, F(1, 2)])),
    ),
    "a negative entry": ("rejected", lambda: changed("no edge", columns=mat([[2, -1]]))),
    "rows that do not sum to 1": ("rejected", lambda: changed("no edge", columns=mat([[1, F(1, 2)]]))),
    "a better mechanism that is not private": ("rejected", lambda: changed("complete", columns=mat([[F(3, 5), F(1, 5), F(1, 5)]]))),
    "the least loss, not private": ("rejected", lambda: changed("complete", columns=mat([[F(1, 2), 0, F(1, 2)]]))),
    "a worse mechanism": ("rejected", lambda: changed("complete", columns=mat([[F(1, 3)] * 3]))),
    "a weaker bound": ("rejected", lambda: changed("complete", potentials=vec([F(1, 8)] * 3))),
    "a bound that is not shown": (
        "rejected",
        lambda: changed("no edge", potentials=vec([F(1, 8)] * 2), value="1/4", columns=mat([[F(3, 4), F(1, 4)]])),
    ),
    "multipliers left out": ("rejected", lambda: changed("complete", edges=mat([[0, 0, 0]]))),
    "weights of a prior": (
        "malformed",
        lambda: seal({**accepted()["complete"], "witness": {**accepted()["complete"]["witness"], "weights": vec([F(1, 3)] * 3)}}),
    ),
    "another weight": ("rejected", lambda: changed("weighed", weights=vec([F(1, 2), F(1, 6), F(1, 6), F(1, 6)]))),
}


@pytest.mark.parametrize("name", EDITED)
def test_what_is_wrong_is_refused(name):
    expected, make = EDITED[name]
    assert status(make()) == expected


def over_an_interval(low, high):
    """Randomized response on three inputs at every level a of an interval: its dual, too."""
    total = ["1", "2"]
    made = on_complete(3, "1/2")
    made["definitions"]["a"] = {"type": "parameter", "interval": {**low, **high}}
    made["claim"] |= {"level": {"num": ["0", "1"], "den": "1"}, "value": {"num": ["0", "2"], "den": total}}
    thrice = ["3", "6"]
    made["witness"] |= {
        "columns": [{"den": total, "num": ["1", ["0", "1"], ["0", "1"]]}],
        "potentials": {"den": thrice, "num": [["0", "2"]] * 3},
        "edges": [{"den": thrice, "num": ["-1", "-1", "0"]}],
    }
    return seal(made)


@pytest.mark.parametrize("low", [{"above": "0"}, {"at_least": "1/4"}], ids=str)
@pytest.mark.parametrize("high", [{"below": "1"}, {"at_most": "1/2"}], ids=str)
def test_every_level_of_an_interval_with_open_and_closed_ends(low, high):
    made = over_an_interval(low, high)
    assert status(made) == "accepted"
    made["claim"]["value"]["num"] = ["0", "1"]
    assert status(seal(made)) == "rejected"


EULER = {"type": "exponential", "rate": "1/10", "roots": [1]}
INTERVAL = {"type": "parameter", "interval": {"above": "0", "below": "1"}}


@pytest.mark.parametrize("field", [EULER, {**EULER, "roots": [1, 2]}, INTERVAL], ids=str)
def test_no_cost_is_no_cost_of_whatever_weight(field):
    """0 times a weight that is a polynomial is 0."""
    made = on_complete(3, "1/2", weighed=True, near=graph(3, []))
    made["claim"]["value"] = "0"
    made["definitions"] |= {"a": field, "L": losses(lambda i, r: 0, 3)}
    made["witness"] |= {"columns": mat(identity(3)[:1]), "edges": mat([[]]), "potentials": vec([0] * 3)}
    made["witness"]["weights"] = {"den": "1", "num": [["0", "1"], ["1", "-1"], "0"]}
    assert status(seal(made)) == "accepted"


ROOT_OF_A_HALF = {"type": "parameter", "interval": {"at": {"poly": ["-1", "0", "2"], "in": ["0", "1"]}}}
A_HALF = {"type": "region", "letters": ["a", "b"], "positive": [], "nonnegative": [], "at": ["1/2", "1/2"]}


@pytest.mark.parametrize(
    ("field", "one", "other"), [(ROOT_OF_A_HALF, ["0", "0", "2"], "1"), (A_HALF, ["0", "2"], [["0", "2"]])], ids=["a", "b"]
)
def test_numbers_of_one_point_are_equal_however_they_are_written(field, one, other):
    """2a² and 1 for a = √(1/2), 2a and 2b for a = b = 1/2: as losses and as potentials."""
    for loss, share in ((one, "1"), ("1", one), ("3", "1")):
        made = without_edges()
        rows = [{"den": "1", "num": [loss, "2"]}, {"den": "1", "num": ["2", other if loss == one else "1"]}]
        made["definitions"] |= {"a": field, "L": {"type": "loss", "inputs": ["0", "1"], "guesses": ["0", "1"], "rows": rows}}
        made["claim"]["value"] = "1"
        made["witness"]["potentials"] = {"den": "2", "num": ["1", share]}
        assert status(seal(made)) == ("rejected" if loss == "3" else "accepted")


@pytest.mark.parametrize("near", ["euclid:2x3", "euclid:3x3", "cycle:6"])
def test_levels_as_epsilon(near):
    from exactdp import level_for

    made = of_question(near, level_for(near, "1/2"), BayesianConsumer("zero-one"))
    assert made["claim"]["kind"] == "optimal-by-orbits"
    assert len(made["witness"]["guesses"]) < len(made["definitions"]["N"]["vertices"])


# ---- Laws ----


@pytest.mark.parametrize("alpha", ["1/2", "1/9", "8/9"])
@pytest.mark.parametrize(
    ("word", "size", "kind"),
    [("complete:2", 2, "complete"), ("complete:5", 5, "complete"), ("hypercube:1", 1, "hypercube"), ("hypercube:3", 3, "hypercube")],
)
@pytest.mark.parametrize("consumer", [MinimaxConsumer("zero-one"), BayesianConsumer("zero-one")], ids=["minimax", "uniform"])
def test_a_law_has_the_least_loss_of_the_linear_program(alpha, word, size, kind, consumer):
    least = optimum(word, alpha, consumer).evidence.value
    claim = {"kind": f"{kind}-optimum", "size" if kind == "complete" else "bits": size, "level": alpha}
    for value in (str(least), "1/2", "0"):
        found = status(certificate({**claim, "value": value}, {}, {}))
        assert found == ("accepted" if value == str(least) else "rejected")


def test_one_input_and_no_input():
    assert status(certificate({"kind": "complete-optimum", "size": 1, "level": "1/2", "value": "0"}, {}, {})) == "accepted"
    assert status(certificate({"kind": "complete-optimum", "size": 0, "level": "1/2", "value": "0"}, {}, {})) == "malformed"
    assert status(certificate({"kind": "hypercube-optimum", "bits": 0, "level": "1/2", "value": "0"}, {}, {})) == "malformed"


def test_a_cube_of_very_many_bits_is_a_limit():
    assert status(certificate({"kind": "hypercube-optimum", "bits": 10**8, "level": "1/2", "value": "1/2"}, {}, {})) == "limit"


# ---- No condition is idle ----

SOURCE = Path(orbits.__file__).read_text(encoding="utf-8")
CHECKS = ("demand", "require", "equals", "check_private", "graph_rule", "of_law")


def conditions():
    tree = ast.parse(SOURCE)
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and getattr(node.value.func, "id", "") in CHECKS
    ]


class Without(ast.NodeTransformer):
    def __init__(self, line):
        self.line = line

    def visit_Expr(self, node):
        return ast.Pass() if node.lineno == self.line else node


@cache
def judged():
    made = {**{name: make() for name, (_, make) in EDITED.items()}, **accepted()}
    law = {"level": "1/2", "value": "1/3"}
    made |= {"wrong complete": certificate({"kind": "complete-optimum", "size": 3, **law}, {}, {})}
    made |= {"wrong cube": certificate({"kind": "hypercube-optimum", "bits": 3, **law}, {}, {})}
    return {name: text_of(each).encode() for name, each in made.items()}


@pytest.mark.parametrize("line", conditions(), ids=lambda line: SOURCE.splitlines()[line - 1].strip()[:60])
def test_no_condition_is_idle(line, monkeypatch):
    mutant = ModuleType("exactdp.checker.orbits")
    tree = ast.fix_missing_locations(Without(line).visit(ast.parse(SOURCE)))
    exec(compile(tree, "orbits", "exec"), mutant.__dict__)
    before = {name: check_bytes(data).status for name, data in judged().items()}
    assert kernel.beside("orbits") is orbits
    monkeypatch.setattr(orbits, "CLAIMS", mutant.CLAIMS)
    assert any(check_bytes(data).status != before[name] for name, data in judged().items())


def test_a_complete_graph_of_a_thousand_inputs_is_within_the_limits():
    m = 1000
    made = on_complete(m, "1/2", near={"type": "complete", "vertices": [str(i) for i in range(m)]})
    made["definitions"]["L"] = {"type": "zero-one-loss", "n": m - 1}
    total = 1 + F(m - 1, 2)
    made["witness"]["edges"] = [{"den": str(m * total), "at": list(range(m - 1)), "num": ["-1"] * (m - 1)}]
    data = text_of(seal(made)).encode()
    assert len(data) < 200_000 < limits.LIMITS["bytes"]
    assert check_bytes(data).status == "accepted"
