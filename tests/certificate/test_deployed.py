# SPDX-License-Identifier: MIT
"""(ε, δ), composition, two-sided gaps and likelihood: answers against brute force, and certificates against
edits of every field.
"""

from __future__ import annotations

import json
from decimal import Decimal, localcontext
from fractions import Fraction as F
from itertools import chain, combinations, product
from math import inf, prod

import pytest
from certificate_pool import seal, text_of
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from oracles import as_fraction
from places import SCHEMA
from random_edits import places, with_value

from exactdp import (
    Dual,
    Loss,
    Mechanism,
    MinimaxConsumer,
    PrivacyLevel,
    Table,
    certify,
    geometric,
    identity,
    is_optimal,
    is_private,
    neighbours,
    randomized_response,
    uniform,
)
from exactdp.analysis import tightest_level
from exactdp.analysis.approximate import breaking_events, is_approximately_private, least_delta, level_for_delta
from exactdp.analysis.audit import PrivacyClaim, audit
from exactdp.analysis.composition import collected, collection_level, databases, joint, oblivious_average, parallel_level, sequential_level
from exactdp.analysis.inference import likelihood_gap
from exactdp.analysis.laws import level_by_law
from exactdp.analysis.optimality.mechanism_optimality import gap_between
from exactdp.analysis.verdict import Decision
from exactdp.checker import check_bytes, kernel
from exactdp.errors import DomainError, InputError, LabelError, NegativeEntryError, ParameterRangeError, ResourceLimitError
from exactdp.exact import Rational
from exactdp.mechanisms import BitLaw, CategoryLaw, CountLaw
from exactdp.model import Graph

FEW = settings(max_examples=30)


@st.composite
def mechanisms(draw, rows=3, columns=3):
    def row():
        weights = draw(st.lists(st.integers(0, 5), min_size=columns, max_size=columns).filter(any))
        return [Rational(w, sum(weights)) for w in weights]

    return Mechanism([row() for _ in range(rows)])


def events(m):
    size = len(m.outputs)
    return chain.from_iterable(combinations(range(size), k) for k in range(size + 1))


def pairs(graph):
    return [p for i, j in graph.edges for p in ((i, j), (j, i))]


def brute_delta(m, graph, alpha):
    """Over all events, from the definition."""
    best = F(0)
    for i, j in pairs(graph):
        for E in events(m):
            best = max(best, sum((as_fraction(m[i, r]) for r in E), F(0)) - sum((as_fraction(m[j, r]) for r in E), F(0)) / alpha)
    return best


levels = st.sampled_from(["1/7", "1/3", "1/2", "9/10"])
deltas = st.sampled_from(["0", "1/100", "1/10", "1/3", "1"])


@given(mechanisms(), levels)
@FEW
def test_least_delta_over_all_events(m, level):
    graph = neighbours("path:3")
    found = least_delta(m, graph, PrivacyLevel(level)).evidence
    assert as_fraction(found.delta) == brute_delta(m, graph, F(level))
    assert (found.event is None) == (found.delta == 0)


@given(mechanisms(), deltas)
@FEW
def test_with_epsilon_0_delta_is_the_distance_in_total_variation(m, delta):
    graph = neighbours("complete:3")
    farthest = max(sum(abs(as_fraction(m[i, r]) - as_fraction(m[j, r])) for r in range(3)) / 2 for i, j in graph.edges)
    assert farthest == brute_delta(m, graph, F(1))
    found = least_delta(m, graph, "epsilon=0")
    assert as_fraction(found.evidence.delta) == farthest
    verdict = is_approximately_private(m, graph, 1, delta)
    assert verdict.proved == (farthest <= F(delta))
    audited = audit(m, graph, claim=PrivacyClaim(epsilon=0, delta=delta))
    assert audited.proved == verdict.proved
    for one in (found, verdict, audited):
        assert certify(one).claim["level"] == "1"
    assert {(e.high, e.low) for e in breaking_events(m, graph, 1, delta)} == {
        (i, j) for i, j in pairs(graph) if sum(max(F(0), as_fraction(m[i, r]) - as_fraction(m[j, r])) for r in range(3)) > F(delta)
    }


T = PrivacyLevel(epsilon="1/2").alpha
OVER_T = [
    geometric(2, PrivacyLevel(epsilon="1/2")),
    Mechanism([[T, 1 - T], [(1 + T) / 2, (1 - T) / 2], [T * T, 1 - T * T]]),
]


def least_delta_in_digits(m, graph, epsilon):
    """About the least δ, with 50 digits of everything."""
    with localcontext(prec=60):
        factor = Decimal(epsilon).exp()
        bounds = [[x.enclosure(50)[0] for x in row] for row in m.matrix.rows()]
        rows = [[Decimal(int(x.numerator)) / Decimal(int(x.denominator)) for x in row] for row in bounds]
        return max(sum(max(Decimal(0), x - y * factor) for x, y in zip(rows[i], rows[j], strict=True)) for i, j in pairs(graph))


@pytest.mark.mostly_slow(3)
@pytest.mark.parametrize("m", OVER_T, ids=["geometric", "other"])
@pytest.mark.parametrize("epsilon", ["0.49999", "0.50001", "0.100003", "1.000007", "0.0400001"])
def test_an_epsilon_of_no_common_field_is_compared_as_a_number(m, epsilon):
    graph, level = neighbours("path:3"), PrivacyLevel(epsilon=epsilon)
    about = least_delta_in_digits(m, graph, epsilon)
    for delta in ("0", "1/1000000", "1/1000", "1/20", "1/3", "1"):
        verdict = is_approximately_private(m, graph, level, delta)
        asked = Decimal(F(delta).numerator) / F(delta).denominator
        assert abs(about - asked) > Decimal("1e-12") or delta == "0"
        assert verdict.proved == (about <= asked + Decimal("1e-40"))
        assert certify(verdict).kind == "level-with-delta"
        audited = audit(m, graph, claim=PrivacyClaim(epsilon=epsilon, delta=delta))
        assert audited.proved == verdict.proved
        assert certify(audited)
        broken = breaking_events(m, graph, level, delta)
        assert bool(broken) == verdict.refuted
    private = is_private(m, graph, level)
    assert private.proved == (about <= Decimal("1e-40"))
    assert certify(private).kind == "level"
    assert bool(private.evidence.violated) == private.refuted
    if private.proved:  # no field is needed to say that δ is 0
        found = least_delta(m, graph, level)
        assert found.evidence.delta == 0
        assert certify(found)
    else:
        found = least_delta(m, graph, level)
        assert found.decision is Decision.UNDECIDED
        lower, upper = (Decimal(int(x.numerator)) / Decimal(int(x.denominator)) for x in found.evidence.bounds)
        assert 0 < lower <= about <= upper
        assert upper - lower <= lower / 10**5


@given(mechanisms(), deltas)
@FEW
def test_level_for_delta_is_the_turning_point(m, delta):
    """(α, δ)-private at the level found and not just above it, by brute force; with δ = 0 it is the tightest
    level.
    """
    graph = neighbours("path:3")
    ratio = as_fraction(level_for_delta(m, graph, delta).evidence.ratio)
    if ratio > 0:
        assert brute_delta(m, graph, ratio) <= F(delta)
    if ratio < 1:
        above = ratio + (1 - ratio) / 10**6
        assert brute_delta(m, graph, above) > F(delta)
    if delta == "0":
        assert ratio == as_fraction(tightest_level(m, graph).evidence.tightest.ratio)


@given(mechanisms(), levels, deltas)
@FEW
def test_approximate_privacy_both_ways_is_certified(m, level, delta):
    graph = neighbours("path:3")
    verdict = is_approximately_private(m, graph, PrivacyLevel(level), delta)
    assert verdict.proved == (brute_delta(m, graph, F(level)) <= F(delta))
    assert certify(verdict).kind == ("approximately-private" if verdict.proved else "not-approximately-private")
    certify(least_delta(m, graph, PrivacyLevel(level)))
    certify(level_for_delta(m, graph, delta))


def test_a_table_is_judged_as_it_is():
    table = Table([["1/2", "1/4"], ["1/4", "1/4"]])
    assert level_for_delta(table, neighbours("path:2"), 0).evidence.ratio == Rational("1/2")
    assert "table M" in check_bytes(certify(level_for_delta(table, neighbours("path:2"), 0)).to_json().encode()).sentence
    with pytest.raises(NegativeEntryError):
        level_for_delta(Table([["3/2", "-1/2"], ["1/2", "1/2"]]), neighbours("path:2"), 0)


def test_misuse_is_refused():
    m, graph = geometric(2, "1/2"), neighbours("path:3")
    with pytest.raises(ParameterRangeError):
        level_for_delta(m, graph, "3/2")
    with pytest.raises(LabelError):
        least_delta(m, neighbours("path:4"), PrivacyLevel("1/2"))
    with pytest.raises(DomainError):
        least_delta(identity(neighbours("euclid:2x2").vertices), neighbours("euclid:2x2"), PrivacyLevel("1/2"))
    with pytest.raises(InputError):
        sequential_level([], graph)
    with pytest.raises(ResourceLimitError):
        databases(["0", "1"], 40)


# Composition
# --------------------------------------------------------------------------------------------------


@given(mechanisms(columns=2), mechanisms())
@FEW
def test_sequential_composition_is_the_level_of_the_joint_table(a, b):
    graph = neighbours("path:3")
    verdict = sequential_level([a, b], graph)
    written_out = tightest_level(joint([a, b]), graph).evidence.tightest.ratio
    assert verdict.evidence.ratio == written_out
    product_of_levels = tightest_level(a, graph).evidence.tightest.ratio * tightest_level(b, graph).evidence.tightest.ratio
    assert verdict.evidence.ratio >= product_of_levels
    certify(verdict)


def test_composition_can_be_better_than_the_product_of_levels():
    """One mechanism is worst between 0 and 1, the other between 1 and 2."""
    a = Mechanism([["2/3", "1/3"], ["1/3", "2/3"], ["1/3", "2/3"]])
    b = Mechanism([["1/3", "2/3"], ["1/3", "2/3"], ["2/3", "1/3"]])
    assert sequential_level([a, b], neighbours("path:3")).evidence.ratio == Rational("1/2") > Rational("1/4")


@given(st.integers(1, 3), st.sampled_from(["2/3", "3/4", "9/10", "1/4"]))
@FEW
def test_collections_by_writing_the_databases_out(people, keep):
    local = randomized_response(["0", "1"], keep)
    central, graph = collected(local, people)
    assert tightest_level(central, graph).evidence.tightest.ratio == collection_level([local] * people).evidence.ratio


def test_parallel_levels_and_certificates():
    parts = [
        (geometric(2, "1/2"), neighbours("path:3")),
        (randomized_response(range(3), "1/2"), Graph.complete(randomized_response(range(3), "1/2").inputs)),
    ]
    for chosen in (parts, parts[:1], parts[1:], [(uniform(range(2)), neighbours("path:2"))]):
        verdict = parallel_level(chosen)
        assert verdict.evidence.ratio == min(tightest_level(m, g).evidence.tightest.ratio for m, g in chosen)
        certify(verdict)


@given(st.sampled_from(["1/3", "1/2", "3/4"]), st.integers(1, 3))
@FEW
def test_the_oblivious_average_of_a_private_mechanism_is_private_for_counts(keep, people):
    """Lemma 6, for counting queries, on non-oblivious mechanisms; and by averaging by hand."""
    central, graph = collected(randomized_response(["0", "1"], keep), people)
    average, answers = oblivious_average(central, graph, lambda d: d.count("1"))
    level = tightest_level(central, graph).evidence.tightest
    assert tightest_level(average, answers).evidence.tightest >= level
    for k, label in enumerate(average.inputs):
        members = [i for i, d in enumerate(central.inputs) if d.count("1") == int(label)]
        for r in range(average.n_outputs):
            assert average[k, r] * len(members) == sum((central[i, r] for i in members), Rational(0))


# Certificates: edits of every field
# ------------------------------------------------------------------------------------


def gap_certificate():
    G, path = geometric(2, "1/2"), neighbours("path:3")
    found = certify(is_optimal(G, path, PrivacyLevel("1/2"), MinimaxConsumer(Loss.absolute(path.vertices))))
    data = json.loads(found.to_json())
    claim, witness = data["claim"], data["witness"]
    gap = claim.pop("gap")
    value = claim.pop("value")
    data["claim"] = {**claim, "kind": "gap-between", "least": gap, "most": gap}
    data["witness"] = {**witness, "upper": value}
    return seal(data)


def pool():
    path2, path3 = neighbours("path:2"), neighbours("path:3")
    m = Mechanism([["1/2", "1/3", "1/6"], ["1/4", "1/4", "1/2"], ["1/8", "1/8", "3/4"]])
    coin = randomized_response(["yes", "no"], "3/4")
    verdicts = {
        "delta": least_delta(m, path3, PrivacyLevel("2/3")),
        "delta-zero": least_delta(geometric(2, "1/2"), path3, PrivacyLevel("1/2")),
        "delta-of-a-table": least_delta(Table([["1/2", "1/4"], ["1/5", "1/4"]]), path2, PrivacyLevel("2/3")),
        "approximate": is_approximately_private(m, path3, PrivacyLevel("2/3"), "1/3"),
        "not-approximate": is_approximately_private(m, path3, PrivacyLevel("2/3"), "1/100"),
        "level-with-delta": level_for_delta(m, path3, "1/20"),
        "level-one": level_for_delta(m, path3, "1/2"),
        "level-none": level_for_delta(identity(range(2)), path2, "1/2"),
        "sequential": sequential_level([m, geometric(2, "1/3")], path3),
        "sequential-of-nothing-told": sequential_level([uniform(range(3))], path3),
        "parallel": parallel_level([(m, path3), (coin, Graph.complete(coin.inputs))]),
        "categories": level_by_law("a word", CategoryLaw(4, Rational("1/2"))),
        "categories-that-lie": level_by_law("a word", CategoryLaw(3, Rational("1/5"))),
        "bits": level_by_law("a word", BitLaw(4, 2, Rational("3/4"), Rational("1/3"))),
        "bits-the-other-way": level_by_law("a word", BitLaw(3, 1, Rational("1/4"), Rational("1/3"))),
        "bits-of-one-input": level_by_law("a word", BitLaw(2, 2, Rational("1/4"), Rational("1/3"))),
        "bits-for-sure": level_by_law("a word", BitLaw(3, 1, Rational(1), Rational("1/3"))),
        "counts": level_by_law("a word", CountLaw(4, Rational("2/3"), reach=2)),
        "counts-near-each-other": level_by_law("a word", CountLaw(2, Rational("1/3"), reach=4)),
        "likelihood": likelihood_gap(coin, ["5/8", "3/8"], ["1/2", "1/2"]),
        "likelihood-attained": likelihood_gap(coin, ["5/8", "3/8"], ["3/4", "1/4"]),
    }
    found = {name: json.loads(certify(verdict).to_json()) for name, verdict in verdicts.items()}
    return found | {"gap": gap_certificate()} | without_lists()


def without_lists():
    """Complete graphs, and a randomized response, by their size and labels."""
    m = Mechanism([["1/2", "1/3", "1/6"], ["1/4", "1/4", "1/2"], ["1/8", "1/8", "3/4"]])
    response, near = randomized_response(range(3), alpha="1/3"), Graph.complete(3)
    complete = {"type": "complete", "vertices": ["0", "1", "2"]}
    short = {"type": "randomized-response", "inputs": ["0", "1", "2"], "level": "1/3"}
    verdicts = {
        "delta-complete": (least_delta(m, near, PrivacyLevel("2/3")), {"N": complete}),
        "delta-of-a-response": (least_delta(response, near, PrivacyLevel("1/2")), {"N": complete, "M": short}),
        "level-of-a-response": (level_for_delta(response, near, 0), {"N": complete, "M": short}),
    }
    found = {}
    for name, (verdict, definitions) in verdicts.items():
        listed = json.loads(certify(verdict).to_json())
        found[name] = seal({**listed, "definitions": listed["definitions"] | definitions})
    return found


POOL = pool()


def answer(certificate):
    return check_bytes(text_of(certificate).encode())


def test_every_kind_of_the_topic_is_in_the_pool():
    mine = set(kernel.beside("deployed").CLAIMS) - {"release"}  # which the pool of the corpus has
    assert {c["claim"]["kind"] for c in POOL.values()} == mine


def vec(v, width):
    at = v.get("at", range(width))
    row = [F(0)] * width
    for i, p in zip(at, v["num"], strict=True):
        row[i] = F(int(p), int(v["den"]))
    return row


def define(d):
    """(inputs, outputs, rows) or (vertices, pairs), naively; None for what a claim here can't use."""
    if d["type"] == "geometric":
        n, a = d["n"], F(d["level"])
        scale = [1 / (1 + a) if j in (0, n) else (1 - a) / (1 + a) for j in range(n + 1)]
        names = [str(i) for i in range(n + 1)]
        return names, names, [[a ** abs(i - j) * scale[j] for j in range(n + 1)] for i in range(n + 1)]
    if d["type"] in ("mechanism", "table"):
        return d["inputs"], d["outputs"], [vec(r, len(d["outputs"])) for r in d["rows"]]
    if d["type"] == "randomized-response":
        size, a = len(d["inputs"]), F(d["level"])
        total = 1 + (size - 1) * a
        return d["inputs"], d["inputs"], [[(1 if i == j else a) / total for j in range(size)] for i in range(size)]
    if d["type"] == "complete":
        return d["vertices"], list(combinations(range(len(d["vertices"])), 2))
    if d["type"] == "path":
        return [str(i) for i in range(d["vertices"])], [(i, i + 1) for i in range(d["vertices"] - 1)]
    return d["vertices"], [tuple(e) for e in d["edges"]]


def stochastic(rows):
    return all(sum(r) == 1 and min(r) >= 0 for r in rows)


def law_rows(claim):
    """The whole table of a law, from its words."""
    if claim["kind"] == "response-level":
        size, keep = claim["size"], F(claim["keep"])
        return [[keep if i == j else (1 - keep) / (size - 1) for j in range(size)] for i in range(size)]
    if claim["kind"] == "geometric-level":
        n, a = claim["n"], F(claim["level"])
        # z of −1 is all below 0, and of n + 1 all above n
        ends = {z: 1 / (1 - a) if z in (-1, n + 1) else 1 for z in range(-1, n + 2)}
        return [[(1 - a) / (1 + a) * a ** abs(z - i) * ends[z] for z in ends] for i in range(n + 1)]
    reports = list(product((0, 1), repeat=claim["bits"]))

    def told(bit, report):
        one = F(claim["set"] if bit else claim["clear"])
        return one if report else 1 - one

    inputs = [word for word in reports if sum(word) == claim["ones"]]
    return [[prod(map(told, word, report)) for report in reports] for word in inputs]


def least_quotient(rows, reach=inf):
    """Over all ordered pairs of rows that are so near and all outputs; 1 without a pair."""
    ordered = [(row, other) for i, row in enumerate(rows) for j, other in enumerate(rows) if 0 < abs(i - j) <= reach]
    quotients = [x / y for row, other in ordered for x, y in zip(row, other, strict=True) if y]
    return min([F(1), *quotients])


def holds(certificate):
    """Is the claim true and the witness right? From the definitions, over all events and all tuples of
    outputs.
    """
    claim, w, defs = certificate["claim"], certificate["witness"], certificate["definitions"]
    kind = claim["kind"]
    if kind in ("response-level", "bitwise-level", "geometric-level"):
        return F(claim["ratio"]) == least_quotient(law_rows(claim), claim.get("reach", inf))
    if kind in ("delta", "approximately-private", "not-approximately-private", "level-with-delta"):
        inputs, outputs, rows = define(defs[claim["mechanism"]])
        vertices, edges = define(defs[claim["neighbours"]])
        if inputs != vertices or min(map(min, rows)) < 0 or (defs[claim["mechanism"]]["type"] != "table" and not stochastic(rows)):
            return False
        delta, alpha = F(claim["delta"]), F(claim.get("level", claim.get("ratio")))
        ordered = [p for i, j in edges for p in ((i, j), (j, i))]
        every = [E for k in range(len(outputs) + 1) for E in combinations(range(len(outputs)), k)]

        def worst(i, j, a):
            return max(a * sum(rows[i][r] for r in E) - sum(rows[j][r] for r in E) for E in every)

        if "pair" in w and tuple(w["pair"]) not in ordered:
            return False
        if kind == "not-approximately-private" or (kind == "level-with-delta" and w):
            i, j = w["pair"]
            A, B = (sum((rows[k][r] for r in w["event"]), F(0)) for k in (i, j))
            if kind == "not-approximately-private":
                return alpha * (A - delta) > B
            if not (delta < A and alpha * (A - delta) == B):
                return False
            if alpha == 0:
                return True
        if not all(worst(i, j, alpha) <= alpha * delta for i, j in ordered):
            return False
        return kind != "delta" or not w or worst(*w["pair"], alpha) == alpha * delta
    if kind in ("sequential-level", "parallel-level"):
        ratio = F(claim["ratio"])
        if kind == "sequential-level":
            ms = [define(defs[name]) for name in claim["mechanisms"]]
            vertices, edges = define(defs[claim["neighbours"]])
            ordered = [p for i, j in edges for p in ((i, j), (j, i))]
            if not all(m[0] == vertices and stochastic(m[2]) for m in ms):
                return False

            def mass(k, rs):
                total = F(1)
                for m, r in zip(ms, rs, strict=True):
                    total *= m[2][k][r]
                return total

            tuples = list(product(*(range(len(m[1])) for m in ms)))
            if not all(mass(i, rs) >= ratio * mass(j, rs) for i, j in ordered for rs in tuples):
                return False
            if not w:
                return True
            i, j = w["pair"]
            return (i, j) in ordered and mass(j, w["outputs"]) > 0 and mass(i, w["outputs"]) == ratio * mass(j, w["outputs"])
        parts = [(define(defs[p["mechanism"]]), define(defs[p["neighbours"]])) for p in claim["parts"]]
        for (inputs, outputs, rows), (vertices, edges) in parts:
            if inputs != vertices or not stochastic(rows):
                return False
            both = [p for i, j in edges for p in ((i, j), (j, i))]
            if not all(rows[i][r] >= ratio * rows[j][r] for i, j in both for r in range(len(outputs))):
                return False
        if not w:
            return True
        (_, _, rows), (_, edges) = parts[w["part"]]
        i, j = w["pair"]
        x, y = rows[i][w["output"]], rows[j][w["output"]]
        return ((i, j) in edges or (j, i) in edges) and y > 0 and x == ratio * y
    inputs, outputs, rows = define(defs[claim["mechanism"]])
    q, p, gap = vec(claim["frequencies"], len(outputs)), vec(claim["estimate"], len(inputs)), F(claim["gap"])
    if not (stochastic(rows) and stochastic([q, p])):
        return False
    mixed = [sum(p[x] * rows[x][y] for x in range(len(inputs))) for y in range(len(outputs))]
    if any(q[y] and not mixed[y] for y in range(len(outputs))):
        return False
    return all(sum(q[y] * rows[x][y] / mixed[y] for y in range(len(outputs)) if q[y]) <= 1 + gap for x in range(len(inputs)))


def edits(certificate):
    for top in ("claim", "definitions", "witness"):
        for path, value in places(certificate[top], (top,)):
            if len(path) > 1:
                yield path, with_value(certificate, path, ...)
            if isinstance(value, int):
                for new in {value + 1, value - 1, 0, 1} - {value}:
                    yield path, with_value(certificate, path, new)
            elif isinstance(value, str):
                try:
                    x = F(value)
                except ValueError:
                    continue
                for y in {-x, x + 1, x - 1, 2 * x, x + F(1, 1000), F(0), F(1)} - {x}:
                    yield path, with_value(certificate, path, str(y))


@pytest.mark.parametrize("name", POOL)
def test_the_pool_is_accepted(name):
    assert answer(POOL[name]).status == "accepted"
    assert name == "gap" or holds(POOL[name])


@pytest.mark.parametrize("name", POOL)
def test_no_edit_is_accepted_unless_it_is_true(name):
    wrong = 0
    for path, edited in edits(POOL[name]):
        found = answer(edited)
        assert found.status in {"accepted", "rejected", "malformed", "limit"}, (path, found)
        if found.status == "accepted":
            assert name != "gap" or path[0] == "definitions", path
            assert name == "gap" or holds(edited), path
        else:
            wrong += 1
        if found.status == "rejected" and name != "gap" and path[:2] != ("claim", "kind"):
            assert not holds(edited), (path, found.sentence)
    assert wrong > 5


@pytest.mark.parametrize("name", POOL)
def test_the_schema_lets_them_through(name):
    Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8"))).validate(POOL[name])


def test_gaps_between_what_is_at_hand():
    """A private mechanism and a dual from anywhere: both bounds, certified; on a path and on a cycle."""
    path, half = neighbours("path:3"), PrivacyLevel("1/2")
    consumer = MinimaxConsumer(Loss.absolute(path.vertices))
    G = geometric(2, "1/2")
    exact = gap_between(G, path, half, consumer)
    assert exact.evidence.least == exact.evidence.most == is_optimal(G, path, half, consumer).evidence.gap
    certify(exact)
    weak = Dual(weights=("1/3", "1/3", "1/3"))
    loose = gap_between(G, path, half, consumer, better=geometric(2, "1/2"), dual=weak)
    assert loose.evidence.least == 0 < exact.evidence.most < loose.evidence.most
    assert "within" in check_bytes(certify(loose).to_json().encode()).sentence
    cycle = neighbours("cycle:4")
    m = uniform(cycle.vertices)
    found = gap_between(m, cycle, half, MinimaxConsumer(Loss.zero_one(cycle.vertices)))
    assert found.evidence.least == found.evidence.most > 0
    certify(found)
    with pytest.raises(InputError):
        gap_between(identity(range(3)), path, half, consumer)
    with pytest.raises(LabelError):
        gap_between(Mechanism([[1], [1], [1]]), path, half, consumer)
    with pytest.raises(InputError):
        gap_between(G, path, half, consumer, better=G, dual=Dual(weights=("1/2", "1/2", "1/2")))


def test_a_gap_is_two_sided():
    base = POOL["gap"]
    assert "within" in answer(base).sentence
    assert answer(with_value(base, ("claim", "least"), "1/1000")).status == "rejected"
    assert answer(with_value(base, ("claim", "most"), "1/1000")).status == "rejected"
