# SPDX-License-Identifier: MIT
"""No file makes dictionaries slow by its numbers: Python's hash of an integer is its rest modulo 2^61 − 1."""

from __future__ import annotations

import json
import sys
from fractions import Fraction as F
from itertools import combinations, islice
from itertools import product as iterproduct

import pytest
from certificate_pool import certificate

from exactdp.arguments import argument, reading, terms
from exactdp.checker import check_bytes, cones, kernel, limits, printed, rules
from exactdp.checker.arithmetic import common, key
from exactdp.checker.intervals import Parameter
from exactdp.checker.kernel import FIELD, WORK, Node
from exactdp.checker.matrices import Matrix
from exactdp.checker.regions import Region

P = sys.hash_info.modulus


def decided(claim, definitions, witness):
    return check_bytes(json.dumps(certificate(claim, definitions, witness)).encode())


@pytest.mark.parametrize("kind", ["parameter", "region"])
def test_signs_are_not_known_by_integers_of_one_hash(kind):
    """2^64 is 8 modulo 2^61 − 1: so all K − 8k + kx have the hash of K, and so has what is made of them."""
    WORK.set([0, 0])
    if kind == "parameter":
        field = Parameter({"interval": Node({"above": "0", "below": "1"}, "$")}, "x", 0)
    else:
        positive = [[str(10**5 - 8 * k), str(k)] for k in range(1, 200)]
        fields = {"letters": ["x"], "positive": [["0", "1"], *positive], "nonnegative": [], "inside": ["1/2"]}
        field = Region({key: Node(value, "$") for key, value in fields.items()}, "R", 0)
    FIELD.set(field)
    numbers = [field.polynomial(Node([str(10**5 - 8 * k), str(k)], "$")) for k in range(1, 200)]
    assert len({hash(x.packed) for x in numbers}) == 1
    assert all(x > 0 and -x < 0 for x in numbers)
    FIELD.set(None)
    assert len({hash(key) for key in field.signs}) == len(field.signs) >= len(numbers)


@pytest.mark.parametrize("kind", ["tight", "optimal", "kernel-mechanism"])
def test_distances_of_one_hash_are_not_compared_with_each_other(kind, monkeypatch):
    m, count, calls = 25, 300, []
    pairs = [[i, j, str(5 + k * P)] for k, (i, j) in enumerate(islice(combinations(range(m), 2), count), start=1)]
    assert len({hash(F(d) ** 2) for *_, d in pairs}) == 1
    labels, same = [str(i) for i in range(m)], F.__eq__
    definitions = {"N": {"type": "distances", "vertices": labels, "pairs": pairs}}
    claim, witness = {"kind": kind, "neighbours": "N", "level": "1/2"}, {"diagonal": {"den": "1", "num": ["1"] * m}}
    rows = [{"den": "1", "num": ["1"]}] * m
    if kind == "kernel-mechanism":
        definitions["M"], witness = {"type": "mechanism", "inputs": labels, "outputs": ["o"], "rows": rows}, {}
        claim["mechanism"] = "M"
    elif kind == "optimal":
        definitions["L"] = {"type": "loss", "inputs": labels, "guesses": ["o"], "rows": rows}
        prior = {"den": str(m), "num": ["1"] * m}
        claim |= {"consumer": {"type": "bayesian", "loss": "L", "prior": prior}, "value": "1"}
        edges = [{"den": "1", "at": [], "num": []}] * count
        witness = {"primal": {"rows": rows}, "dual": {"potentials": prior, "edges": edges}}
    monkeypatch.setattr(F, "__eq__", lambda x, y: calls.append(1) or same(x, y))
    found = decided(claim, definitions, witness)
    assert found.status == "limit", found.sentence  # no power of 1/2 is as small as that
    assert len(calls) < 20 * count < count**2 // 2


def test_entries_that_are_no_less_need_no_power(monkeypatch):
    labels, asked = [str(i) for i in range(20)], []
    definitions = {
        "N": {"type": "distances", "vertices": labels, "pairs": [[i, j, "2"] for i, j in combinations(range(20), 2)]},
        "M": {"type": "mechanism", "inputs": labels, "outputs": ["o", "p"], "rows": [{"den": "3", "num": ["1", "2"]}] * 20},
    }
    monkeypatch.setattr(rules, "at_least", lambda *_: asked.append(1))
    claim = {"kind": "private", "mechanism": "M", "neighbours": "N", "level": "1/2"}
    assert decided(claim, definitions, {}).status == "accepted"
    assert not asked
    monkeypatch.undo()
    monkeypatch.setitem(kernel.LIMITS, "work", 10**6)
    assert decided(claim, definitions, {}).status == "accepted"
    definitions["a"] = {"type": "parameter", "interval": {"at": "1/2"}}  # beside it every comparison is asked, which is announced
    definitions["M"]["rows"] = [{"den": "1", "num": ["1"] + ["0"] * 9}] * 20
    definitions["M"]["outputs"] = [str(i) for i in range(10)]
    assert decided(claim, definitions, {}).status == "limit"


@pytest.mark.parametrize("kind", ["all-tables-private", "level-of-all-tables"])
def test_largest_entries_that_are_no_more_need_no_power(kind, monkeypatch):
    """Of equal rows no power of the level is asked for, at whatever distances."""
    labels, asked = [str(i) for i in range(20)], []
    rows = [{"den": "1", "num": ["1", "0"]}] * 20
    definitions = {
        "N": {"type": "distances", "vertices": labels, "pairs": [[i, j, "sqrt(2)"] for i, j in combinations(range(20), 2)]},
        "P": {"type": "printed", "inputs": labels, "outputs": ["o", "p"], "lower": rows, "upper": rows},
    }
    monkeypatch.setattr(printed, "at_least", lambda *_: asked.append(1))
    claim = {"kind": kind, "printed": "P", "neighbours": "N"}
    claim |= {"level": "1/2"} if kind == "all-tables-private" else {"ratio": "1", "distance": "1"}
    assert decided(claim, definitions, {}).status == "accepted"
    assert not asked


def theorem(variables, example, texts, definitions):
    proof = [{"let": "P", "be": str(P)}, *({"show": f"0*({text}) = 0"} for text in texts)]
    stated = {"name": "T", "for": variables, "then": "0 = 0", "example": example, "proof": proof}
    file = {"format": "exactdp-argument", "version": "0.2", "definitions": definitions, "theorems": [stated]}
    return argument.check_bytes(json.dumps(file).encode())


def test_forms_of_an_argument_have_hashes_of_their_own():
    """f(P), f(2P), …; and a^P, a^(2P), …: in a dictionary of those before."""
    terms.begin()
    n = frozenset([("n", 1)])
    forms = [terms.constant(k * P) for k in range(-100, 100)] + [terms.plus(n, terms.constant(k), P) for k in range(200)]
    assert len({hash(form) for form in forms}) == len(forms)
    assert terms.plus(terms.constant(P + 7), terms.constant(P), -1) == terms.constant(7)
    form = terms.tighten(frozenset([("n", 4 * P), ("m", 2 * P + 2), ("", 4)]))
    assert hash(form) == hash(frozenset([("n", terms.coefficient(P)), ("m", terms.coefficient((P + 1) // 2)), ("", 1)]))
    for text in ("f({}*P)", "a^({}*P)"):
        texts = [" + ".join(text.format(k) for k in range(at, at + 50)) for at in range(0, 200, 50)]
        found = theorem("positive a; function f/1", {"a": "1", "f": ["0"]}, texts, {})
        assert found.status == "replayed", found.sentence


def test_powers_with_the_exponents_minus_one_and_minus_two_have_hashes_of_their_own():
    """Python's hash of −1 is that of −2: so all monomials of (1/a + 1/a^2)·(1/b + 1/b^2)·… had one."""
    terms.begin()
    product = terms.number(1)
    for name in "abcdefgh":
        x = terms.single(terms.atom("positive", name))
        product = terms.multiply(product, terms.add(terms.inverse(x, "$"), terms.power(x, terms.constant(-2), "$")))
    assert len({hash(monomial) for monomial in product}) == len(product) == 2**8
    forms = [frozenset((s, terms.coefficient(c)) for s, c in zip("klmnopqr", of, strict=True)) for of in iterproduct([-1, -2], repeat=8)]
    assert len({hash(form) for form in forms}) == len(forms)


def test_no_long_coefficients_give_hashes_that_differ_in_one_bit():
    """These differ by 2^32 over a factor of Python's hash of pairs: in sets the bit cancels."""
    step = 2**32 * pow(14029467366897019727, -1, 2**64) % 2**64
    assert step < P
    terms.begin()
    n = [frozenset([(name, 1)]) for name in "abcdefgh"]
    forms = [terms.ZERO]
    for symbol in n:
        forms = [terms.plus(form, symbol, c) for form in forms for c in (-(step // 2), step - step // 2)]
    assert len({hash(form) for form in forms}) == len(forms) == 2**8


def test_a_sum_announces_every_coefficient_of_the_longer_form():
    """X + 1 + 1 + … hashes all of X again for each 1, in 0.5 µs a coefficient: 8 kB took 55 seconds."""
    x = terms.constant(1000)
    for i in range(200):
        x = terms.plus(x, frozenset([(f"n{i}", 1)]), 1000)
    reading.WORK.set([0, 0])
    total = terms.plus(x, terms.constant(1))
    assert len(total) == 201
    assert reading.WORK.get()[0] > 201 * 45


@pytest.mark.slow
def test_atoms_of_one_hash_are_announced():
    """Those of g(x + P), g(x + 2P), …: where n is not known these are atoms, with fractions of one hash."""
    definitions = {"g": {"of": "real x; int n", "is": ["n = 0: x", "2*x"]}}

    def found(count, step):
        texts = [" + ".join(f"g(x + {k}*{step}, n)" for k in range(at, at + 50)) for at in range(0, count, 50)]
        return theorem("real x; int n", {"x": "1", "n": "0"}, texts, definitions)

    assert found(200, "P").status == "replayed"
    assert found(3000, "(P - 2)").status == "replayed"
    assert found(3000, "P").status == "limit"


class Counted(int):
    """An integer with Python's hash of it that counts how often it is compared as a key."""

    compared = 0

    def __eq__(self, other):
        Counted.compared += 1
        return int.__eq__(self, other)

    __hash__ = int.__hash__


def alike(count):
    """So many integers of one hash."""
    numbers = [7 + k * P for k in range(count)]
    assert len({hash(x) for x in numbers}) == 1
    return numbers


def test_denominators_of_one_hash_are_not_compared_with_each_other(monkeypatch):
    """60,000 rows with these, 3.5 MB, took 29 seconds before anything was announced."""
    count, read = 300, Node.integer
    monkeypatch.setattr(Counted, "compared", 0)
    monkeypatch.setattr(Node, "integer", lambda node, text: Counted(read(node, text)))
    labels = [str(i) for i in range(count)]
    definitions = {
        "M": {
            "type": "mechanism",
            "inputs": labels,
            "outputs": ["a", "b"],
            "rows": [{"den": str(x), "num": ["1", str(x - 1)]} for x in alike(count)],
        },
        "N": {"type": "graph", "vertices": labels, "edges": []},
    }
    found = decided({"kind": "private", "mechanism": "M", "neighbours": "N", "level": "1/2"}, definitions, {})
    assert found.status == "accepted", found.sentence
    assert Counted.compared < 20 * count < count**2 // 2


def test_common_multiples_are_those_of_the_definition():
    """With integers that are equal, of one hash, and beside polynomials whose integers they are."""
    FIELD.set(None)
    WORK.set([0, 0])
    numbers = [*alike(5), 12, 18, 12, 7]
    den, lifts = common(*numbers)
    assert [x * y for x, y in zip(numbers, lifts, strict=True)] == [den] * len(numbers)
    assert all(F(den, p).denominator > 1 or any(x * p % den for x in lifts) for p in (2, 3, 7))
    field = Parameter({"interval": Node({"above": "0", "below": "1"}, "$")}, "x", 0)
    FIELD.set(field)
    x = field.symbol(0, 1)
    assert key(x) != key(x.packed)
    den, lifts = common(x, 5, x)
    assert (den - x * 5).packed == 0
    assert [(x - x + lift - stated).packed for lift, stated in zip(lifts, (5, x, 5), strict=True)] == [0, 0, 0]
    mixed = [4, x, 6, x + 1, field.constant(4), 4]
    den, lifts = common(*mixed)
    assert [(given * lift - den).packed for given, lift in zip(mixed, lifts, strict=True)] == [0] * len(mixed)
    assert (den - x * (x + 1) * 48).packed == 0  # of 4 and 6 the least multiple, and of polynomials the product
    FIELD.set(None)


def test_components_of_one_hash_are_not_compared_with_each_other(monkeypatch):
    count, exact = 300, F.denominator.fget
    labels = [str(i) for i in range(count)]
    components = [{"guess": 0, "at": [k], "heights": [0], "value": f"1/{x}"} for k, x in enumerate(alike(count))]
    definitions = {
        "N": {"type": "path", "vertices": count},
        "L": {"type": "loss", "inputs": labels, "guesses": ["g"], "rows": [{"den": "1", "num": ["1"]}] * count},
    }
    claim = {"kind": "optimal", "neighbours": "N", "level": "1/2", "value": "1"}
    claim["consumer"] = {"type": "minimax", "loss": "L", "side_information": [0]}
    monkeypatch.setattr(Counted, "compared", 0)
    monkeypatch.setattr(F, "denominator", property(lambda x: Counted(exact(x))))
    found = decided(claim, definitions, {"primal": {"components": components}, "dual": {}})
    assert (found.status, found.rule) == ("rejected", "the sum is 1, in row 0"), found.sentence
    assert Counted.compared < 20 * count < count**2 // 2


def test_a_likelihood_of_outputs_of_one_hash(monkeypatch):
    numbers, deployed = alike(300), kernel.beside("deployed")
    total = sum(numbers)
    row = {"den": str(total), "num": [*map(str, numbers)]}
    mechanism = {"type": "mechanism", "inputs": ["x"], "outputs": [str(i) for i in range(len(numbers))], "rows": [row]}
    claim = {"kind": "likelihood", "mechanism": "M", "frequencies": row, "estimate": {"den": "1", "num": ["1"]}, "gap": "0"}
    asked, usual = [], deployed.common
    monkeypatch.setattr(Counted, "compared", 0)
    monkeypatch.setattr(deployed, "common", lambda *dens: asked.append(len(dens)) or usual(*map(Counted, dens)))
    found = decided(claim, {"M": mechanism}, {})
    assert found.status == "accepted", found.sentence
    assert asked == [300]
    assert Counted.compared < 20 * 300


def announced(ask):
    """The answer, and the most work that was announced on the way to it."""
    most = [0]

    def work(limit, figure, within=limits.within):
        most[0] = max(most[0], figure if limit == "work" else 0)
        within(limit, figure)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "within", work)
        return ask(), most[0]


def test_priors_and_kinks_of_one_hash_have_names_of_their_own():
    """Those of the witness; and those of a mechanism with many kinks, which every cone looks up."""
    points = [[1, x] for x in alike(300)]
    assert len({hash(tuple(point)) for point in points}) == 1
    assert len({hash(cones.corner(point)[0]) for point in points}) == len(points)
    assert cones.corner([4, -6, 0]) == ("0x2 -0x3 0x0", (2, -3, 0))


def test_a_division_of_distances_is_announced():
    """Of the level's distance by another, both long: it took longer than all that was announced."""
    one, other = 10**20000 + 1, 10**20000 + 3
    texts = ["1" + "0" * 19_999 + last for last in "13"]
    definitions = {
        "M": {
            "type": "mechanism",
            "inputs": ["x", "y", "z"],
            "outputs": ["o", "p"],
            "rows": [{"den": "3", "num": ["1", "2"]}, {"den": "3", "num": ["2", "1"]}, {"den": "3", "num": ["2", "1"]}],
        },
        "N": {"type": "distances", "vertices": ["x", "y", "z"], "pairs": [[0, 1, texts[0]], [1, 2, texts[1]]]},
    }
    claim = {"kind": "level", "mechanism": "M", "neighbours": "N", "ratio": "1/2", "distance": texts[0]}
    alpha = F(1, 2)
    near = rules.Definition("neighbours", "N", ("x", "y", "z"), (), Matrix(0, 1, []), [(0, 1, F(one) ** 2), (1, 2, F(other) ** 2)])
    table = Matrix(1, 1, [{0: 1}, {0: 1}, {0: 1}])
    WORK.set([0, 0])
    rules.check_private(table, near, alpha, "$", F(one) ** 2)
    assert WORK.get()[0] > 8 * 2 * (2 * 66_000) ** 2 // 50_000
    assert decided(claim, definitions, {"pair": [0, 1], "output": 0}).status == "accepted"


def test_long_labels_are_announced_each_time_that_they_are_compared():
    """A list that names one mechanism often: its labels are compared with the others each time."""
    labels, names = ["a" * 50_000, "b" * 50_000], 400
    definitions = {
        "M": {"type": "mechanism", "inputs": labels, "outputs": ["o"], "rows": [{"den": "1", "num": ["1"]}] * 2},
        "N": {"type": "graph", "vertices": labels, "edges": []},
    }
    claim = {"kind": "sequential-level", "mechanisms": ["M"] * names, "neighbours": "N", "ratio": "1"}
    found, work = announced(lambda: decided(claim, definitions, {}))
    assert found.status == "accepted", found.sentence
    assert work > names * 2 * 50_000 // 40


def test_the_divisions_of_the_path_rule_are_announced():
    n, q = 40, 2**4000 - 1
    loss = {"type": "zero-one-loss", "n": n}
    definitions = {"N": {"type": "path", "vertices": n + 1}, "L": loss, "G": {"type": "geometric", "n": n, "level": f"1/{q}"}}
    prior = {"den": str(n + 1), "num": ["1"] * (n + 1)}
    claim = {"kind": "optimal", "neighbours": "N", "level": f"1/{q}", "consumer": {"type": "bayesian", "loss": "L", "prior": prior}}
    case = rules.Case("optimal", {}, {}, {key: Node(value, "$") for key, value in definitions.items()}, {})
    WORK.set([0, 0])
    FIELD.set(None)
    near, loss, w = case.named(Node("N", "$"), "neighbours"), case.named(Node("L", "$"), "loss").matrix, Node(prior, "$").vector(n + 1)
    before = WORK.get()[0]
    divided = n * limits.quadratic(n * 4000, n * 4000) // 3 * 8
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(kernel.LIMITS, "work", 10**12)
        rules.path_rule(loss, near, F(1, q), w, "$")
    assert WORK.get()[0] - before > divided
    assert claim["level"] == f"1/{q}"


def test_symbols_of_a_determinant_are_not_hashed():
    """The indices of a product of symbols are the file's own choice; no dictionary has them as keys."""
    determinant = kernel.beside("determinant")
    WORK.set([0, 0])
    found = determinant.form(Node([{"x": [], "a": ["1"]}, {"x": [0, 1], "a": ["2"]}], "$"), 2)
    assert found == [((), [1]), ((0, 1), [2])]


def test_heights_that_are_long_are_announced_as_held():
    """A ray for each way up or down: with distances of many bits each is as many numbers as long."""
    pairs = [[k, k + 1, str(10**600 + k)] for k in range(6)]
    definitions = {"N": {"type": "distances", "vertices": [str(i) for i in range(7)], "pairs": pairs}}
    claim = {"kind": "vertices", "neighbours": "N", "level": "1/2", "count": 2**6}
    held = []

    def memory(limit, figure, within=limits.within):
        held.append(figure if limit == "memory" else 0)
        within(limit, figure)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "within", memory)
        found = decided(claim, definitions, {})
    assert found.status == "accepted", found.sentence
    assert max(held) > 2**6 * 7 * 1990 * 2
