# SPDX-License-Identifier: MIT
"""Weights of a graph and the capacities they give, against the linear program, closed forms and mutated
certificates.
"""

from __future__ import annotations

import copy
import json

import pytest
from certificate_pool import seal
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp import BayesianConsumer, Graph, Loss, Metric, Prior, PrivacyLevel, Rational, is_private, neighbours, optimum
from exactdp.analysis.leakage import CAPACITIES, capacity, type_capacity
from exactdp.analysis.tight.tight_mechanism import weighting
from exactdp.certificate import certify
from exactdp.checker import check_bytes
from exactdp.exact import RationalFunctionField

a = RationalFunctionField().gen


def by_program(near, level, kind):
    """The same capacity as the least loss of a consumer with the uniform prior, found and proved by the
    linear program.
    """
    n, wrong = len(near.vertices), kind == "multiplicative"
    loss = Loss([[int((x != g) == wrong) for g in range(n)] for x in range(n)], near.vertices)
    least = optimum(near, level, BayesianConsumer(loss, Prior.uniform(near.vertices))).evidence.value
    return n * (1 - least) if wrong else 1 - n * least


@st.composite
def connected(draw):
    n = draw(st.integers(1, 6))
    tree = {(draw(st.integers(0, i - 1)), i) for i in range(1, n)}
    rest = [(i, j) for j in range(n) for i in range(j) if (i, j) not in tree]
    more = draw(st.lists(st.sampled_from(rest), unique=True)) if rest else []
    return Graph(range(n), sorted(tree | set(more)))


@pytest.mark.slow
@given(connected(), st.sampled_from(["1/10", "1/3", "1/2", "3/4", "9/10"]), st.sampled_from(CAPACITIES))
@settings(max_examples=80)
def test_capacities_agree_with_the_program(graph, level, kind):
    verdict = type_capacity(graph, level, kind)
    e = verdict.evidence
    assert e.value == by_program(graph, level, kind)
    assert is_private(e.mechanism, graph, level).proved
    assert capacity(e.mechanism, kind).evidence.value == e.value
    trace = sum((e.mechanism[x, x] for x in range(len(graph.vertices))), Rational(0))
    # Corollaries 26 and 27: outputs are named as inputs
    assert e.value == (trace if kind == "multiplicative" else 1 - trace)
    certificate = certify(verdict)
    assert certificate.kind == "type-capacity"
    if e.weights is not None:
        base = Rational(level) if kind == "multiplicative" else 1 / Rational(level)
        for row in graph.hops():
            assert sum((z * base**d for z, d in zip(e.weights, row, strict=True)), Rational(0)) == 1
        assert json.loads(certificate.to_json())["witness"]["by"]["rule"] == "weights"


@pytest.mark.parametrize(
    ("spec", "many"), [("complete:{}", range(2, 30, 9)), ("hypercube:{}", range(1, 7, 2)), ("path:{}", range(2, 60, 19))]
)
def test_closed_forms_for_every_level(spec, many):
    """The paper's Section 8, with the level as a letter."""
    for n in many:
        near = neighbours(spec.format(n))
        found = {
            kind: type_capacity(near, a, kind).evidence.value for kind in CAPACITIES if not (spec.startswith("path") and kind == "additive")
        }
        if spec.startswith("complete"):
            assert found == {"multiplicative": n / (1 + (n - 1) * a), "additive": 1 - n * a / (n - 1 + a)}
        elif spec.startswith("hypercube"):
            assert found == {"multiplicative": (2 / (1 + a)) ** n, "additive": 1 - (2 * a / (1 + a)) ** n}
        else:
            assert found == {"multiplicative": 2 / (1 + a) + (n - 2) * (1 - a) / (1 + a)}


@pytest.mark.slow
def test_large_graphs():
    cube = type_capacity(neighbours("hypercube:9"), "1/3").evidence
    assert cube.value == Rational(3, 2) ** 9
    cycle = neighbours("cycle:31")
    half = Rational("1/2")
    around = 1 + 2 * sum((half**d for d in range(1, 16)), Rational(0))
    assert type_capacity(cycle, half).evidence.value == 31 / around
    assert certify(type_capacity(neighbours("grid:9x9"), half)).kind == "type-capacity"
    path = type_capacity(neighbours("path:40"), half, "additive")
    assert path.evidence.weights is None
    certify(path)


def test_where_there_are_no_weights():
    assert weighting(neighbours("star:5"), Rational("1/2")) is None  # (4 − 1)·1/2 > 1
    assert weighting(neighbours("star:5"), Rational("1/3")) is not None
    assert weighting(neighbours("path:3"), Rational(2)) is None  # the additive one of a path
    # a distance 2
    assert weighting(Metric(["0", "1", "2"], [(0, 1, 1), (1, 2, 1), (0, 2, 2)]), Rational("1/2")) is None
    assert weighting(Graph(range(3), [(0, 1)]), Rational("1/2")) is None
    triangle = Metric(["0", "1", "2"], [(0, 1, 1), (1, 2, 1), (0, 2, 1)])
    assert weighting(triangle, Rational("1/2")) == (Rational("1/2"),) * 3
    epsilon = PrivacyLevel.from_epsilon(1)
    assert certify(type_capacity(neighbours("cycle:5"), epsilon)).kind == "type-capacity"


def test_wrong_weights_are_rejected():
    """(The distances matter: the weights of a cycle do not serve the path; a negative weight may solve the
    equations.)
    """
    value = json.loads(certify(type_capacity(neighbours("cycle:4"), "1/2")).to_json())
    del value["provenance"]

    def changed(change):
        result = copy.deepcopy(value)
        change(result)
        return check_bytes(json.dumps(seal(result)).encode())

    def weights(v):
        return v["witness"]["by"]["weights"]

    assert changed(lambda v: None).status == "accepted"
    assert changed(lambda v: v["claim"].__setitem__("capacity", "additive")).status == "rejected"
    assert changed(lambda v: v["claim"].__setitem__("level", "1/3")).status == "rejected"
    assert changed(lambda v: v["definitions"]["N"]["edges"].pop()).status == "rejected"
    assert changed(lambda v: weights(v).__setitem__("num", ["5", "4", "4", "4"])).status == "rejected"
    assert changed(lambda v: v["claim"].__setitem__("value", "2")).status == "rejected"
    # a star at a level above 1/(degree − 1): the equations hold with a negative weight in the centre, and the
    # claim is false
    star, level = neighbours("star:5"), Rational("1/2")
    z = [(1 - (len(around) - 1) * level) / (1 + level) for around in star.adjacency()]
    false = json.loads(certify(type_capacity(star, "1/3")).to_json())
    del false["provenance"]
    false["claim"] |= {"level": "1/2", "value": str(sum(z, Rational(0)))}
    den = 3
    false["witness"]["by"]["weights"] = {"den": str(den), "num": [str(den * x) for x in z]}
    answer = check_bytes(json.dumps(seal(false)).encode())
    assert answer.status == "rejected"
    assert answer.rule == "weights ≥ 0"
    assert by_program(star, level, "multiplicative") != sum(z, Rational(0))
