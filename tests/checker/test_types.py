# SPDX-License-Identifier: MIT
"""The trusted rules on privacy types: distances that are not integers, several components, one input,
intervals, work announced before it is done. Every certificate is hand-made or about a count that is found by
another route here."""

from __future__ import annotations

import copy
import json
from decimal import Decimal, getcontext, localcontext
from fractions import Fraction as F
from itertools import combinations, product

import pytest
from certificate_pool import mech, path, seal, vec
from hypothesis import given
from hypothesis import strategies as st

from exactdp import Graph, Loss, Metric, RationalFunctionField, geometric, is_universally_optimal, level_for, neighbours, uniform
from exactdp.analysis.leakage import type_capacity
from exactdp.analysis.types.kernels import kernel_count, vertex_count
from exactdp.analysis.types.mixtures import is_kernel_mechanism, kernel_mixtures
from exactdp.analysis.types.universal import universally_optimal_mechanism
from exactdp.certificate import certify
from exactdp.checker import check_bytes
from exactdp.checker.limits import WORK
from exactdp.checker.rays import below
from exactdp.exact import Interval

a = RationalFunctionField().gen


def answer(claim, definitions, witness):
    value = {"format": "exactdp-certificate", "version": "0.2", "claim": claim, "definitions": definitions, "witness": witness}
    return check_bytes(json.dumps(seal(value)).encode())


@given(
    st.lists(
        st.tuples(st.integers(-50, 50), st.sampled_from([F(1), F(2), F(3), F(5, 4), F(7, 3)])),
        min_size=1,
        max_size=5,
        unique_by=lambda t: t[1],
    )
)
def test_sums_of_roots_have_the_sign_that_decimals_show(terms):
    WORK.set([0, 0])
    with localcontext() as context:
        context.prec = 60
        value = sum(Decimal(x) * (Decimal(u.numerator) / Decimal(u.denominator)).sqrt() for x, u in terms)
    assert below(tuple(x for x, _ in terms), [u for _, u in terms]) is (value <= Decimal(10) ** -50)
    assert getcontext().prec < 60


def test_close_sums_of_roots():
    """3363·√2 − 4756 is about 0.0001 below 0; the next convergents are on the other side and closer."""
    WORK.set([0, 0])
    p, q = 1, 1
    for _ in range(60):
        assert below((q, -p), [F(2), F(1)]) is (2 * q * q < p * p)
        p, q = p + 2 * q, p + q
    assert below((0, 0), [F(2), F(1)])


SCALED = [
    (n, pairs)
    for n, pairs in [(3, [(0, 1, 1), (1, 2, 2), (0, 2, 3)]), (4, [(0, 1, 1), (1, 2, 1), (2, 3, 2), (0, 2, 2), (1, 3, 3), (0, 3, 3)])]
]


@pytest.mark.parametrize(("n", "pairs"), SCALED)
def test_halved_distances_at_the_squared_level(n, pairs):
    """Distances d/2 at α² are distances d at α."""
    whole = Metric(range(n), pairs)
    half = Metric(range(n), [(i, j, F(d, 2)) for i, j, d in pairs])
    for count in (vertex_count, kernel_count):
        here, there = count(whole, "1/3"), count(half, "1/9")
        assert here.evidence.count == there.evidence.count
        assert certify(there).kind == certify(here).kind


def brute_vertices(n, distance):
    """The heights on a cube of sums of distances, feasible, with connected tight pairs, up to a shift: by
    plain search over decimals.
    """
    found = set()
    pairs = list(combinations(range(n), 2))
    for tree in combinations(pairs, n - 1):
        for signs in product((1, -1), repeat=n - 1):
            h = {0: Decimal(0)}
            for _ in range(n):
                for (i, j), s in zip(tree, signs, strict=True):
                    if i in h and j not in h:
                        h[j] = h[i] + s * distance[i, j]
                    elif j in h and i not in h:
                        h[i] = h[j] - s * distance[i, j]
            if len(h) == n and all(abs(h[i] - h[j]) <= distance[i, j] + Decimal("1e-15") for i, j in pairs):
                found.add(tuple(round(h[x], 9) for x in range(n)))
    return len(found)


@pytest.mark.parametrize("spec", ["euclid:2x2", "euclid:1x4", "euclid:1x3"])
def test_euclidean_grids(spec):
    """The vertices by plain search; the kernel mechanisms of the checker by exhaustion and of the library by
    pivoting.
    """
    near = neighbours(spec)
    n = len(near.vertices)
    distance = {(i, j): Decimal(d.square.numerator) / Decimal(d.square.denominator) for i, j, d in near.pairs()}
    distance = {pair: d.sqrt() for pair, d in distance.items()}
    level = level_for(near, 1)
    vertices = vertex_count(near, level)
    assert vertices.evidence.count == brute_vertices(n, distance)
    assert certify(vertices).kind == "vertices"
    if spec == "euclid:2x2":
        found = universally_optimal_mechanism(near, level, Loss.zero_one(near.vertices))
        assert found.refuted
        assert certify(found).kind == "no-universally-optimal"
    else:
        assert certify(kernel_count(near, level)).kind == "kernel-count"


def test_several_components_and_one_input():
    """Two edges without a connection: vertices are those of each edge, and T ⊕ T is the only kernel
    mechanism.
    """
    apart = Graph(range(4), [(0, 1), (2, 3)])
    assert vertex_count(apart, "1/2").evidence.count == 4
    assert kernel_count(apart, "1/2").evidence.count == 1
    for verdict in (vertex_count(apart, "1/2"), kernel_count(apart, "1/2"), is_kernel_mechanism(uniform(apart.vertices), apart, "1/2")):
        certify(verdict)
    both = mech([[F(2, 3), F(1, 3), 0, 0], [F(1, 3), F(2, 3), 0, 0], [0, 0, F(2, 3), F(1, 3)], [0, 0, F(1, 3), F(2, 3)]])
    graph = {"type": "graph", "vertices": ["0", "1", "2", "3"], "edges": [[0, 1], [2, 3]]}
    claim = {"kind": "kernel-mechanism", "neighbours": "N", "level": "1/2", "mechanism": "M"}
    assert answer(claim, {"N": graph, "M": both}, {}).status == "accepted"
    assert answer({**claim, "kind": "not-kernel-mechanism"}, {"N": graph, "M": both}, {}).status == "rejected"
    one = neighbours("path:1")
    for level in ("1/2", a):
        for verdict in (
            vertex_count(one, level),
            kernel_count(one, level),
            universally_optimal_mechanism(one, level, Loss.zero_one(one.vertices)),
        ):
            certify(verdict)


def test_what_holds_at_every_level_is_accepted_although_other_columns_meet_at_one():
    certify(kernel_mixtures(geometric(2, a), neighbours("path:3"), a))
    graph = Graph(range(5), [(0, 1), (0, 2), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4)])
    verdict = type_capacity(graph, RationalFunctionField(Interval("1/2", 1)).gen)
    assert str(verdict.evidence.value) == "1/a"
    certify(verdict)


@pytest.mark.parametrize("far", [10**8, 10**30])
def test_distances_that_are_too_large_end_at_once(far):
    claim = {"kind": "not-kernel-mechanism", "neighbours": "N", "level": "1/3", "mechanism": "M"}
    found = answer(claim, {"N": {"type": "distances", "vertices": ["0", "1"], "pairs": [[0, 1, str(far)]]}, "M": mech([[1], [1]])}, {})
    assert found.status == "limit"


def test_the_rule_of_kinks_is_for_rational_numbers():
    """Polynomials anywhere are a fault of the file, never of the checker."""
    parameter = {"type": "parameter", "interval": {"above": "0", "below": "1"}}
    M = mech([[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]])
    loss = {
        "type": "loss",
        "inputs": ["0", "1"],
        "guesses": ["0", "1"],
        "rows": [{"den": "1", "num": ["0", ["0", "1"]]}, {"den": "1", "num": ["1", "0"]}],
    }
    points = [[0, 1], [1, 0], [1, 2], [2, 1]]
    by = {"rule": "kinks", "priors": [vec(v) for v in points], "potentials": [vec([0, 0]) for _ in points]}
    claim = {"kind": "universally-optimal", "neighbours": "N", "level": "1/2", "loss": "l", "mechanism": "M"}
    definitions = {"a": parameter, "N": path(2), "M": M, "l": loss}
    assert answer(claim, definitions, {"by": by}).status == "malformed"
    plain = {**definitions, "l": {**loss, "rows": [{"den": "1", "num": ["0", "1"]}, {"den": "1", "num": ["1", "0"]}]}}
    odd = {**by, "priors": [{"den": "1", "num": [["0", "1"], "1"]}, *by["priors"][1:]]}
    assert answer(claim, plain, {"by": odd}).status == "malformed"
    table = {"den": "1", "num": [["0", "1"], ["1", "-1"]]}
    odd = {**plain, "M": {"type": "mechanism", "inputs": ["0", "1"], "outputs": ["0", "1"], "rows": [table, table]}}
    assert answer(claim, odd, {"by": by}).status == "malformed"


def test_every_corner_of_every_cone_must_be_listed():
    """A loss without other arguments; leaving out any corner, or spoiling its potentials, is noticed; more
    priors do no harm.
    """
    near = neighbours("complete:3")
    verdict = universally_optimal_mechanism(near, "1/2", Loss([[0, 1], [1, 0], [1, 0]], near.vertices), theorems=False)
    assert verdict.evidence.rule == "kinks"
    value = json.loads(certify(verdict).to_json())
    del value["provenance"]
    by = value["witness"]["by"]
    for k in range(len(by["priors"])):
        less = copy.deepcopy(value)
        for key in ("priors", "potentials"):
            del less["witness"]["by"][key][k]
        assert check_bytes(json.dumps(seal(less)).encode()).rule == "every kink is listed"
        spoilt = copy.deepcopy(value)
        spoilt["witness"]["by"]["potentials"][k] = vec([0, 0, 0])
        assert check_bytes(json.dumps(seal(spoilt)).encode()).status in {"rejected", "accepted"}
    more = copy.deepcopy(value)
    more["witness"]["by"]["priors"].append(vec([1, 1, 1]))
    more["witness"]["by"]["potentials"].append(vec([0, 0, 0]))
    # its potentials do not reach the least loss of M
    assert check_bytes(json.dumps(seal(more)).encode()).status == "rejected"


@pytest.mark.slow
def test_a_trivial_loss_needs_no_cut():
    """The smallest case that once ran into hyperplanes of guesses that nobody would make: guess 0 never loses
    anything.
    """
    near = neighbours("complete:5")
    rows = [[0, 0, 1, 0, 0, 1], [0, 1, 1, 1, 1, 0], [0, 0, 1, 1, 1, 1], [0, 0, 1, 0, 1, 1], [0, 0, 1, 1, 0, 0]]
    verdict = universally_optimal_mechanism(near, "1/2", Loss(rows, near.vertices))
    assert verdict.proved
    assert len(verdict.evidence.priors) == 5
    certify(verdict)
    certify(is_universally_optimal(uniform(near.vertices), near, "1/2", Loss(rows, near.vertices)))


def test_a_column_that_loses_a_component_at_a_closed_end():
    """Found by a hunt: at α = 1/2 this mechanism is the identity, a kernel mechanism; inside the interval it
    is none.
    """
    apart = {"type": "graph", "vertices": ["0", "1"], "edges": []}
    table = {"type": "mechanism", "inputs": ["0", "1"], "outputs": ["x", "y"]}
    rows = [{"den": "1", "num": ["1", "0"]}, {"den": "1", "num": [["1", "-2"], ["0", "2"]]}]
    level = {"num": ["0", "1"], "den": "1"}
    claim = {"kind": "not-kernel-mechanism", "neighbours": "N", "level": level, "mechanism": "M"}
    for interval, status in (
        ({"at_least": "1/4", "at_most": "1/2"}, "rejected"),
        ({"at_least": "1/4", "below": "1/2"}, "accepted"),
        ({"at": "1/2"}, "rejected"),
    ):
        definitions = {"a": {"type": "parameter", "interval": interval}, "N": apart, "M": {**table, "rows": rows}}
        assert answer(claim, definitions, {}).status == status
    definitions = {"a": {"type": "parameter", "interval": {"at": "1/2"}}, "N": apart, "M": {**table, "rows": rows}}
    assert answer({**claim, "kind": "kernel-mechanism"}, definitions, {}).status == "accepted"


@pytest.mark.slow
def test_small_files_do_not_keep_the_checker_busy():
    """Each once ran for minutes: long paths, many components, many guesses, many distances without a common
    unit.
    """
    long = {"kind": "vertices", "neighbours": "N", "level": "1/2", "count": 1}
    assert answer(long, {"N": path(60_000)}, {}).status == "limit"
    alone = {"type": "graph", "vertices": [str(i) for i in range(20_000)], "edges": []}
    assert answer({**long, "count": 20_000}, {"N": alone}, {}).status == "accepted"
    odd = [x for x in range(2, 6000) if all(x % (d * d) for d in range(2, 78))][:2000]
    spread = {"type": "distances", "vertices": [str(i) for i in range(70)], "pairs": []}
    places = [(i, j) for i in range(70) for j in range(i + 1, 70)]
    spread["pairs"] = [[i, j, f"sqrt({x})"] for (i, j), x in zip(places, odd, strict=False)]
    assert answer(long, {"N": spread}, {}).status == "limit"


def test_a_prior_is_listed_once():
    near = neighbours("complete:3")
    verdict = universally_optimal_mechanism(near, "1/2", Loss([[0, 1], [1, 0], [1, 0]], near.vertices), theorems=False)
    value = json.loads(certify(verdict).to_json())
    del value["provenance"]
    by = value["witness"]["by"]
    for key in ("priors", "potentials"):
        by[key].append(by[key][0])
    assert check_bytes(json.dumps(seal(value)).encode()).status == "malformed"
