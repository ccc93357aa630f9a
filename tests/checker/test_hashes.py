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

from exactdp.checker import argument, check_bytes, kernel, terms
from exactdp.checker.fields import Parameter
from exactdp.checker.kernel import FIELD, WORK, Node
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
    monkeypatch.setattr(kernel, "at_least", lambda *_: asked.append(1))
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
        assert found.status == "accepted", found.sentence


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
    WORK.set([0, 0])
    total = terms.plus(x, terms.constant(1))
    assert len(total) == 201
    assert WORK.get()[0] > 201 * 45


def test_atoms_of_one_hash_are_announced():
    """Those of g(x + P), g(x + 2P), …: where n is not known these are atoms, with fractions of one hash."""
    definitions = {"g": {"of": "real x; int n", "is": ["n = 0: x", "2*x"]}}

    def found(count, step):
        texts = [" + ".join(f"g(x + {k}*{step}, n)" for k in range(at, at + 50)) for at in range(0, count, 50)]
        return theorem("real x; int n", {"x": "1", "n": "0"}, texts, definitions)

    assert found(200, "P").status == "accepted"
    assert found(3000, "(P - 2)").status == "accepted"
    assert found(3000, "P").status == "limit"


def test_priors_of_one_hash_are_announced():
    def found(step, count=3000):
        definitions = {
            "M": {"type": "geometric", "n": 1, "level": "1/2"},
            "L": {"type": "zero-one-loss", "n": 1},
            "N": {"type": "path", "vertices": 2},
        }
        claim = {"kind": "universally-optimal", "neighbours": "N", "level": "1/2", "loss": "L", "mechanism": "M"}
        priors = [{"den": "1", "num": ["1", str(5 + k * step)]} for k in range(count)]
        witness = {"by": {"rule": "kinks", "priors": priors, "potentials": [{"den": "1", "num": ["0", "0"]}] * count}}
        return decided(claim, definitions, witness)

    announced = [0]

    def work(limit, figure, within=kernel.within):
        announced[0] = max(announced[0], figure if limit == "work" else 0)
        within(limit, figure)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "within", work)
        assert found(P).status == "rejected"
    assert announced[0] > 4 * 3000**2 // 2
