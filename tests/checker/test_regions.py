# SPDX-License-Identifier: MIT
"""Claims about regions of several letters (SPEC.md §2.2): what is accepted holds at every point that is
tried, proofs are those of the naive checker, and signs those of the values.
"""

from __future__ import annotations

import copy
import json
from contextlib import suppress
from fractions import Fraction as F
from random import Random

import pytest
from certificate_pool import certificate, mech, seal, table_of_distances, vec
from flint import Ordering, fmpz_mpoly_ctx
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_checker import decide
from naive_numbers import No, Undecided, polynomial_in
from naive_numbers import Region as NaiveRegion
from places import CORPUS
from random_edits import edited

from exactdp.checker import check_bytes, fields, kernel
from exactdp.checker.kernel import FIELD, WORK, Larger, Node, Stop

ACCEPTED = {file.name.removesuffix(".edp.json"): json.loads(file.read_bytes()) for file in sorted((CORPUS / "accept").glob("letters-*"))}
NAIVE = {*kernel.CLAIMS, *fields.CLAIMS, "release"}  # the kinds that the naive checker knows
SCALARS = {"level", "ratio", "value", "loss", "gap", "weight", "delta", "above", "upper", "least", "most"}


@pytest.fixture(autouse=True)
def one_check():
    token = WORK.set([0, 0])
    yield
    WORK.reset(token)
    FIELD.set(None)


def answer(certificate):
    return check_bytes(json.dumps(certificate).encode())


# ── A point in place of the letters ──


def value_of(polynomial, point):
    """The value of a polynomial as the format writes it."""
    if isinstance(polynomial, str):
        return F(polynomial)
    return sum((value_of(c, point[1:]) * point[0] ** k for k, c in enumerate(polynomial)), F(0))


def at_point(value, point, key=None):
    """A part of a certificate, or all of it, with the numbers that it has at a point."""
    if isinstance(value, list):
        return [at_point(item, point, key) for item in value]
    if not isinstance(value, dict):
        return value
    if not {"num", "den"} <= set(value):
        return {name: at_point(item, point, name) for name, item in value.items()}
    den = value_of(value["den"], point)
    if key in SCALARS:
        return str(value_of(value["num"], point) / den)
    entries = [value_of(p, point) / den for p in value["num"]]
    if "at" not in value:
        return vec(entries)
    listed = [(i, x) for i, x in zip(value["at"], entries, strict=True) if x]
    found = vec([x for _, x in listed]) if listed else {"den": "1", "num": []}
    return {**found, "at": [i for i, _ in listed]}


def rational(certificate, point):
    """The certificate without letters."""
    content = {name: certificate[name] for name in ("format", "version", "claim", "witness")}
    definitions = {name: d for name, d in certificate["definitions"].items() if d["type"] != "region"}
    content = at_point({**content, "definitions": definitions}, point)
    content["witness"].pop("signs", None)
    return seal(content)


def region_of(certificate):
    return next(d for d in certificate["definitions"].values() if d["type"] == "region")


def points_of(region, draw, count):
    """Random points of a region, near the one that is given and far from it."""
    if "at" in region:
        yield [F(x) for x in region["at"]]
        return
    centre = [F(x) for x in region["inside"]]
    for _ in range(count):
        for far in (F(1), F(1, 2), F(1, 8), F(1, 100), F(0)):
            point = [x + far * F(draw.randint(-60, 60), 60) for x in centre]
            strict = all(value_of(p, point) > 0 for p in region["positive"])
            if strict and all(value_of(p, point) >= 0 for p in region["nonnegative"]):
                yield point
                break


@pytest.mark.mostly_slow(9)
@pytest.mark.parametrize("name", ACCEPTED)
def test_what_is_accepted_for_every_point_is_accepted_at_points(name):
    """As a certificate over ℚ with the numbers at the point, and over the region with `at`."""
    certificate = ACCEPTED[name]
    assert answer(certificate).status == "accepted"
    for point in points_of(region_of(certificate), Random(19), 12):
        assert answer(rational(certificate, point)).status == "accepted", point
        there = copy.deepcopy(certificate)
        region_of(there).pop("inside", None)
        region_of(there)["at"] = [str(x) for x in point]
        there["witness"].pop("signs", None)
        assert answer(seal(there)).status == "accepted", point


@pytest.mark.mostly_slow(6)
@pytest.mark.parametrize("name", ACCEPTED)
def test_edited_certificates(name):
    """What is still accepted holds at points, and the naive checker accepts it, too."""
    draw, seen = Random(name), 0
    for _ in range(50):
        certificate = edited(ACCEPTED[name], draw)
        found = answer(certificate)
        assert found.status != "defect", found.sentence
        if found.status != "accepted":
            continue
        seen += 1
        if any(d["type"] == "region" for d in certificate["definitions"].values()):
            for point in points_of(region_of(certificate), draw, 3):
                assert answer(rational(certificate, point)).status == "accepted", (certificate, point)
        if certificate["claim"]["kind"] in NAIVE:
            with suppress(Undecided):
                assert decide(certificate), certificate
    assert seen or name == "letters-at-closed-side"


def opposite(certificate):
    """A certificate for the contrary, with the same lemmas, if the witness of one can be guessed."""
    claim, witness = copy.deepcopy(certificate["claim"]), {}
    if claim["kind"] in ("private", "not-private"):
        claim["kind"] = "private" if claim["kind"] == "not-private" else "not-private"
        size = len(certificate["definitions"][claim["mechanism"]].get("inputs", "xy"))
        for i in range(size):
            for j in range(size):
                for r in range(size):
                    witness = {"pair": [i, j], "output": r} if claim["kind"] == "not-private" else {}
                    yield claim, witness
    elif claim["kind"] == "not-kernel-mechanism" or claim["kind"] == "kernel-mechanism":
        claim["kind"] = "not-kernel-mechanism" if claim["kind"] == "kernel-mechanism" else "kernel-mechanism"
        yield claim, witness


@pytest.mark.parametrize("name", ACCEPTED)
def test_a_claim_and_its_negation_are_not_both_accepted(name):
    certificate = ACCEPTED[name]
    signs = {key: value for key, value in certificate["witness"].items() if key == "signs"}
    for claim, witness in opposite(certificate):
        assert answer(seal({**certificate, "claim": claim, "witness": witness | signs})).status != "accepted"


# ── Powers of the level ──


LEVELS = [(["0", "1"], "2"), (["0", "0", "1"], ["0", "1"]), ("1", ["1", "1"]), (["0", "1"], ["1", "1"])]
DISTANCES = {"1": F(1), "2": F(2), "3": F(3), "1/2": F(1, 2), "3/2": F(3, 2)}


@settings(max_examples=150)
@given(
    st.fractions(F(1, 10), F(9, 10), max_denominator=20),
    st.sampled_from(LEVELS),
    st.sampled_from(sorted(DISTANCES)),
    st.sampled_from([2, 4, 8, 16]),
    st.integers(1, 3),
)
def test_powers_of_the_level(p, level, distance, scale, k):
    """Rows (x, 1 − x) with x = p^k/scale and (1/2, 1/2): private, or not at an output, as computed directly.
    (The denominator of α^d was left out: a level p/2 was taken for p.)
    """
    d, x = DISTANCES[distance], p**k / scale
    alpha = value_of(level[0], [p]) / value_of(level[1], [p])
    first = {"den": str(scale), "num": [["0"] * k + ["1"], [str(scale), *["0"] * (k - 1), "-1"]]}
    definitions = {
        "R": {"type": "region", "letters": ["p"], "positive": [["0", "1"]], "nonnegative": [], "at": [str(p)]},
        "M": {**mech([[F(1, 2), F(1, 2)]] * 2), "rows": [first, {"den": "2", "num": ["1", "1"]}]},
        "N": table_of_distances(2, [(0, 1, distance)]),
    }

    def accepted(kind, witness):
        claim = {"kind": kind, "mechanism": "M", "neighbours": "N", "level": {"num": level[0], "den": level[1]}}
        frame = {"format": "exactdp-certificate", "version": "0.2", "claim": claim, "definitions": definitions}
        return answer(seal({**frame, "witness": witness})).status == "accepted"

    def enough(a, b):
        return a**d.denominator >= alpha**d.numerator * b**d.denominator

    rows = ((x, 1 - x), (F(1, 2), F(1, 2)))
    cells = [(i, j, r) for i, j in ((0, 1), (1, 0)) for r in range(2)]
    assert accepted("private", {}) == all(enough(rows[i][r], rows[j][r]) for i, j, r in cells)
    for i, j, r in cells:
        assert accepted("not-private", {"pair": [i, j], "output": r}) == (not enough(rows[i][r], rows[j][r]))


# ── Proofs, by the kernel and by the naive checker ──

BOX = {"type": "region", "letters": ["p", "q"], "positive": [["0", "1"], ["1", "-2"], [["0", "1"]]], "nonnegative": [[["1", "-1"]]]}
BOX["inside"] = ["1/4", "1/2"]
RING = fmpz_mpoly_ctx.get(["p", "q"], Ordering.lex)


def nested(p):
    """A polynomial in p and q as the format writes it."""
    terms = {tuple(map(int, powers)): int(c) for powers, c in p.to_dict().items()}

    def listed(found, depth):
        if all(not any(powers) for powers in found):
            return str(sum(found.values()))
        top = max(powers[0] for powers in found)
        parts = [{powers[1:]: c for powers, c in found.items() if powers[0] == k} for k in range(top + 1)]
        return [listed(part, depth + 1) for part in parts]

    return listed(terms, 0)


def small_polynomials():
    terms = st.dictionaries(st.tuples(st.integers(0, 2), st.integers(0, 2)), st.integers(-3, 3).filter(bool), min_size=1, max_size=3)
    return terms.map(RING.from_dict).filter(lambda p: any(map(any, p.to_dict())))


def true_leaf(data, facts):
    """Random terms, and what they add up to."""
    total, terms = RING.constant(0), []
    for _ in range(data.draw(st.integers(1, 3))):
        chosen = sorted(data.draw(st.sets(st.integers(0, len(facts) - 1), max_size=2)))
        powers = [[k, data.draw(st.integers(1, 2))] for k in chosen]
        c, product = data.draw(st.integers(1, 4)), RING.constant(1)
        for k, e in powers:
            product *= facts[k] ** e
        square = data.draw(st.none() | small_polynomials())
        terms.append({"times": str(c), "powers": powers, **({} if square is None else {"square": nested(square)})})
        total += c * product * (1 if square is None else square**2)
    return total, terms


def edited_proof(proof, data):
    """A proof with one thing changed."""
    proof = copy.deepcopy(proof)
    k = data.draw(st.integers(0, len(proof) - 1))
    what = data.draw(st.sampled_from(["none", "drop", "twice", "exchange", "times", "exponent", "fact", "square", "split", "empty"]))
    if what == "drop":
        del proof[k]
    elif what == "twice":
        proof.insert(k, copy.deepcopy(proof[k]))
    elif what == "exchange":
        proof[0], proof[k] = proof[k], proof[0]
    elif what == "split":
        proof.insert(0, {"split": nested(data.draw(small_polynomials()))})
    elif what == "empty":
        proof[k] = []
    elif what != "none" and isinstance(proof[k], list) and proof[k]:
        term = data.draw(st.sampled_from(proof[k]))
        if what == "times":
            term["times"] = data.draw(st.sampled_from(["1/2", "1", "5", "7/3"]))
        elif what == "square":
            term["square"] = nested(data.draw(small_polynomials()))
        elif term["powers"]:
            place = data.draw(st.sampled_from(term["powers"]))
            place[what == "exponent"] += 1
    return proof


@pytest.mark.slow
@settings(max_examples=300)
@given(st.data())
def test_the_naive_checker_replays_the_same_proofs(data):
    """Of lemmas made true and then changed, or not: the kernel learns a lemma exactly if the naive checker
    does, and what is learnt is true at points.
    """
    WORK.set([0, 0])
    facts = [polynomial_in(RING, p) for p in (*BOX["positive"], *BOX["nonnegative"])]
    lemmas = []
    for _ in range(data.draw(st.integers(1, 2))):
        goal, leaf = true_leaf(data, facts)
        if not any(map(any, goal.to_dict())):
            continue
        proof = [leaf]
        if data.draw(st.booleans()):  # a split whose parts have the same leaf, or use its square
            cut = data.draw(small_polynomials())
            rest, more = goal + cut**2, {"times": "1", "powers": [[len(facts), 2]]}
            if any(map(any, rest.to_dict())):
                goal, proof = rest, [{"split": nested(cut)}, [*leaf, more], [*copy.deepcopy(leaf), copy.deepcopy(more)]]
        sign = data.draw(st.sampled_from(["positive", "nonnegative"]))
        lemmas.append({"polynomial": nested(goal), "sign": sign, "proof": edited_proof(proof, data)})
        facts.append(goal)
    naive = NaiveRegion(BOX, RING)
    try:
        naive.learn(lemmas)
        expected = True
    except (No, IndexError):
        expected = False
    try:
        region = fields.field_of("R", Node(BOX, "$"), 2)
        region.learn(Node(lemmas, "$"))
        found = True
    except Larger:
        return
    except Stop:
        found = False
    increasing = all(
        a[0] < b[0]
        for lemma in lemmas
        for step in lemma["proof"]
        if isinstance(step, list)
        for term in step
        for a, b in zip(term["powers"], term["powers"][1:], strict=False)
    )
    assert found == (expected and increasing)
    if found:
        draw = Random(1)
        for point in points_of(BOX, draw, 20):
            for lemma in lemmas:
                value = value_of(lemma["polynomial"], point)
                assert value > 0 or (value == 0 and lemma["sign"] == "nonnegative")


@settings(max_examples=200)
@given(st.data())
def test_signs_are_those_of_the_values(data):
    """Of products of facts, with something added or not: a sign that is found is that of the value at every
    point that is tried; one that is a product of facts is found.
    """
    WORK.set([0, 0])
    region = fields.field_of("R", Node(BOX, "$"), 2)
    facts = [polynomial_in(RING, p) for p in (*BOX["positive"], *BOX["nonnegative"])]
    product = RING.constant(data.draw(st.integers(-5, 5).filter(bool)))
    for k in data.draw(st.lists(st.integers(0, len(facts) - 1), min_size=1, max_size=5)):
        product *= facts[k]
    added = data.draw(st.none() | small_polynomials())
    p = product if added is None else product + added
    if not any(map(any, p.to_dict())):
        return
    try:
        sign, zero = region.sign(region.polynomial(Node(nested(p), "$")))
    except Larger:
        return
    except Stop:
        sign = zero = None
    if sign is None:
        assert added is not None
        return
    for point in points_of(BOX, Random(2), 30):
        value = value_of(nested(p), point)
        assert value * sign > 0 or (zero and value == 0)
    edge = [F(1, 4), F(1)]  # on the closed side q = 1
    assert value_of(nested(p), edge) * sign > 0 or zero


@settings(max_examples=100)
@given(small_polynomials(), small_polynomials(), st.fractions(-2, 2, max_denominator=9), st.fractions(-2, 2, max_denominator=9))
def test_values_and_division(f, g, x, y):
    """The value at the point, and division by terms, against FLINT."""
    WORK.set([0, 0])
    region = fields.field_of("R", Node({**BOX, "positive": [], "nonnegative": [], "inside": [str(x), str(y)]}, "$"), 2)
    one, two = (region.polynomial(Node(nested(h), "$")) for h in (f, g))
    assert region.value(one) == value_of(nested(f), [x, y])
    assert region.value(one * two - one) == value_of(nested(f), [x, y]) * (value_of(nested(g), [x, y]) - 1)
    divided = kernel.beside("regions").divided
    a, b = dict(region.terms(one)), dict(region.terms(two))
    assert divided(dict(region.terms(one * two)), b) == a
    quotient, rest = divmod(f, g)
    assert (divided(a, b) is None) == (rest != 0 or quotient * g != f)


def test_a_constraint_shows_the_sign_of_a_difference_over_one_denominator():
    """1/(1+a) − a/(1+a) is compared as (1−a)(1+a) is, and 1 − a² > 0 is a constraint."""
    ratio = {"den": ["1", "1"], "num": ["1", ["0", "1"]]}
    definitions = {
        "x": {
            "type": "region",
            "letters": ["a"],
            "positive": [["0", "1"], ["1", "1"], ["1", "0", "-1"]],
            "nonnegative": [],
            "inside": ["1/2"],
        },
        "A": {"type": "mechanism", "inputs": ["0", "1"], "outputs": ["0", "1"], "rows": [ratio, ratio]},
        "B": {"type": "mechanism", "inputs": ["0", "1"], "outputs": ["0", "1"], "rows": [ratio, {**ratio, "num": [["0", "1"], "1"]}]},
    }
    claim = {"kind": "not-derivable", "source": "A", "target": "B"}
    witness = {"separator": [{"den": "1", "num": ["1", "0"]}, {"den": "1", "num": ["0", "1"]}], "signs": []}
    assert answer(certificate(claim, definitions, witness)).status == "accepted"


def test_a_sign_may_not_be_read_from_one_point():
    """p − q is positive at the point inside, and not everywhere."""
    region = {**BOX, "inside": ["2/5", "1/5"]}
    definitions = {
        "R": region,
        "T": {"type": "table", "inputs": ["0"], "outputs": ["0"], "rows": [{"den": "1", "num": [[["0", "1"], "-1"]]}]},
    }
    claim = {"kind": "not-stochastic", "table": "T"}
    certificate = {"format": "exactdp-certificate", "version": "0.2", "claim": claim, "definitions": definitions}
    found = answer(seal({**certificate, "witness": {"row": 0, "column": 0}}))
    assert found.status == "rejected"
    assert "does not show the sign" in found.sentence
    region.pop("inside")
    region["at"] = ["2/5", "1/5"]
    found = answer(seal({**certificate, "witness": {"row": 0, "column": 0}}))
    assert found.status == "accepted"
    assert "one point, p = 2/5, q = 1/5" in found.sentence


def test_the_scope_names_every_constraint():
    certificate = ACCEPTED["letters-private"]
    for k in range(4):
        fewer = copy.deepcopy(certificate)
        del region_of(fewer)["positive"][k]
        found = answer(seal(fewer))
        assert found.status != "accepted" or found.sentence != answer(certificate).sentence
