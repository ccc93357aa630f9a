# SPDX-License-Identifier: MIT
"""Examples of theorems: what they must satisfy, how universal hypotheses are checked, and the evaluation
itself.
"""

from __future__ import annotations

import json
import random
from fractions import Fraction

import argument_normal_forms as terms
import pytest
from argument_values import FOLDER

from exactdp.arguments import argument, evaluation, reading
from exactdp.arguments.reading import Node, Stop
from exactdp.arguments.terms import function_of


def answer(variables, then, example, proof=(), definitions=None, **given):
    item = {"name": "T", "for": variables, "given": given, "then": then, "proof": list(proof)}
    item |= {} if example is None else {"example": example}
    data = {"format": "exactdp-argument", "version": "0.2", "definitions": definitions or {}, "theorems": [item]}
    return argument.check_bytes(json.dumps(data).encode(), FOLDER)


def universal(variables, then, **given):
    return {"for": variables, "given": given, "then": then}


def test_a_theorem_has_an_example():
    found = answer("int n", "n = n", None)
    assert found.status == "rejected"
    assert "possibly vacuous" in found.sentence
    assert answer("int n", "n = n", {"n": "0"}).status == "replayed"


def test_a_vacuous_theorem_is_refused_whatever_its_example():
    for value in ("0", "1", "0-5"):
        found = answer("int n", "0 = 1", {"n": value}, p="n < n")
        assert found.status == "rejected"
        assert "p does not hold at the example" in found.sentence


def test_a_false_conclusion_is_seen_before_the_proof():
    found = answer("int n", "n*n = n", {"n": "2"}, [{"what": "never read"}])
    assert found.status == "rejected"
    assert "the theorem is false" in found.sentence


@pytest.mark.parametrize(
    ("variables", "example", "expected"),
    [
        ("int n", {"n": "1/2"}, "rejected"),
        ("int n", {"n": "4/2"}, "replayed"),
        ("positive a", {"a": "0"}, "rejected"),
        ("positive a", {"a": "0-1"}, "rejected"),
        ("real x", {"x": "-1/3"}, "replayed"),
        ("real x", {"x": "1/0"}, "rejected"),
        ("real x", {"x": "0^-1"}, "rejected"),
        ("real x", {"x": "y"}, "malformed"),
        ("real x", {}, "malformed"),
        ("real x", {"x": "1", "y": "1"}, "malformed"),
        ("real x", {"x": ["1"]}, "malformed"),
        ("function f/1", {"f": "i: i"}, "replayed"),
        ("function f/1", {"f": "i j: i"}, "malformed"),
        ("function f/1", {"f": "half"}, "replayed"),
        ("function f/1", {"f": "two"}, "malformed"),
        ("function f/1", {"f": "of_real"}, "malformed"),
        ("function f/1", {"f": ["1", "2"]}, "replayed"),
        ("function f/1", {"f": [["1"], ["2"]]}, "malformed"),
        ("function f/2", {"f": [["1"], ["2"]]}, "replayed"),
        ("function f/2", {"f": ["1"]}, "malformed"),
    ],
)
def test_values_have_the_kinds_of_their_variables(variables, example, expected):
    definitions = {
        "half": {"of": "int i", "is": ["i/2"]},
        "two": {"of": "int i j", "is": ["i+j"]},
        "of_real": {"of": "real u", "is": ["u"]},
    }
    assert answer(variables, "0 = 0", example, definitions=definitions).status == expected


def test_values_may_use_the_values_before_them():
    example = {"a": "1/2", "b": "a/2", "f": "i: a^i+b", "g": "f"}
    assert answer("positive a b; function f/1 g/1", "0 = 0", example, p="f(2) = 1/2", q="g(0) = 5/4", r="b < a").status == "replayed"


def test_a_table_is_zero_outside():
    given = {"in": "f(0, 1) = 2", "below": "f(0-1, 0) = 0", "right": "f(0, 2) = 0", "short": "f(1, 1) = 0", "last": "f(1, 0) = 1/3"}
    assert answer("function f/2", "0 = 0", {"f": [["1", "2"], ["1/3"]]}, **given).status == "replayed"


@pytest.mark.parametrize(
    ("given", "values", "holds"),
    [
        (universal("int k", "f(k) > 0", r="0 <= k <= n"), ["1", "1", "1"], True),
        (universal("int k", "f(k) > 0", r="0 <= k <= n"), ["1", "0", "1"], False),
        (universal("int k", "f(k) > 0", r="0 <= k < n"), ["1", "1", "0"], True),
        (universal("int k", "f(k) > 0", low="k >= 0", high="n >= k"), ["1", "1", "0"], False),
        (universal("int k", "f(k) > 0", r="n < k < 0"), ["0"], True),
        (universal("int k", "f(k) > 0", r="k = 1"), ["0", "1"], True),
        (universal("int k", "f(k) > 0", r="1/2 < k < 5/2"), ["0", "1", "1"], True),
        (universal("int k", "f(k) > 0", r="1/2 < k < 5/2"), ["1", "1", "0"], False),
        (universal("int k l", "f(k) <= f(l)", r="0 <= k < l <= n"), ["1", "2", "3"], True),
        (universal("int k l", "f(k) <= f(l)", r="0 <= k < l <= n"), ["1", "3", "2"], False),
        (universal("int l k", "f(k) <= f(l)", r="0 <= k < l", s="l <= n"), ["1", "3", "2"], False),
        (universal("int k", "f(k+1) = 0", r="0 <= k <= n", p="f(k) > 0"), ["1", "0", "1"], True),
        (universal("int k", "f(k+1) = 0", r="0 <= k <= n", p="f(k) > 0"), ["1", "1", "0"], False),
        # the premise of a premise
        (universal("int k", "f(k) = 0", r="0 <= k <= n", h=universal("int l", "f(l) = 0", r="0 <= l < k")), ["0", "0", "0"], True),
        (universal("int k", "f(k) = 0", r="0 <= k <= n", h=universal("int l", "f(l) = 0", r="0 <= l < k")), ["0", "1", "0"], False),
        # a variable of the hypothesis with the name of one of the theorem
        (universal("int n", "f(n) > 0", r="0 <= n <= 1"), ["1", "1", "0"], True),
    ],
)
def test_a_universal_hypothesis_is_checked_at_every_place(given, values, holds):
    found = answer("int n; function f/1", "n = 2", {"n": "2", "f": values}, [{"show": "goal", "by": ["two"]}], h=given, two="n = 2")
    assert found.status == ("replayed" if holds else "rejected"), found
    assert holds or "h does not hold at the example" in found.sentence


@pytest.mark.parametrize(
    ("given", "function", "status"),
    [
        (universal("int k", "f(k+1) = f(k)"), "k: 3", "replayed"),
        (universal("int k", "f(k+1) > f(k)"), "k: 2*k", "replayed"),
        (universal("int k", "f(k) >= 0", low="k >= 0"), "k: k", "replayed"),
        (universal("int k", "f(k) >= 0"), "k: k", "rejected"),
        (universal("int k", "f(k) >= 0"), ["1", "1"], "rejected"),  # true, but not at sight
        (universal("real x", "x^2+f(0) > 0"), "k: 1", "replayed"),
        (universal("real x", "x^2+f(0) > 0"), "k: 0", "rejected"),
        (universal("int k l", "f(k) = f(l)", r="k <= l <= k+1"), "k: 0", "replayed"),
        # a premise that is neither bounded nor known: nothing is concluded from it
        (universal("int k", "f(k) = 1", r="0 <= k <= 3", h=universal("int l", "f(l) >= 0")), "k: 0-k", "rejected"),
    ],
)
def test_what_has_no_bounds_must_be_known_at_sight(given, function, status):
    found = answer("function f/1", "0 = 0", {"f": function}, h=given)
    assert found.status == status, found


@pytest.mark.parametrize(
    "example",
    [{"n": "10^9"}, {"n": "9999999999999999999"}, {"n": "2^100000"}, {"n": "((((2^32)^32)^32)^32)^32"}, {"n": "sum(k, 0, 10^12, k)"},
     {"n": "det(i, j, 0, 10^6, 1)"}, {"n": "prod(k, 1, 5000, k)"}],
)  # fmt: skip
def test_an_example_is_bounded(example):
    given = {"for": "int i j", "given": {"r": "0 <= i < j <= n"}, "then": "i < j"}
    assert answer("int n", "n = n", example, h=given).status == "limit"


@pytest.mark.slow
def test_the_evaluation_agrees_with_another(monkeypatch):
    """Random terms with nested binders, by the checker's evaluation and by that of the search for normal
    forms.
    """
    functions = {"f": "i: i^2-2", "g": "i j: i-2*j+1"}
    monkeypatch.setattr(terms, "called", lambda name, env, *at: {
        "f": lambda i: Fraction(i * i - 2), "g": lambda i, j: Fraction(i - 2 * j + 1),
        "double": lambda i: Fraction(2 * i * i - 4), "flip": lambda i, j: Fraction(j - 2 * i + 1),
    }[name](*at))  # fmt: skip
    rng, compared = random.Random(3), 0
    for _ in range(1500):
        tree = terms.drawn(rng, 3, list(terms.INTEGERS))
        (point,) = terms.points(rng, 1)
        library = argument.Library(None, {}, {}, {}, [])
        argument.begin()
        for name, entry in terms.DEFINITIONS.items():
            argument.define(name, Node(entry, "$"), library)
        env = dict(library.definitions)
        for name in (*terms.INTEGERS, *terms.REALS, *terms.POSITIVE):
            env[name] = evaluation.exactly("int" if name in terms.INTEGERS else "real", point[name], "$")
        for name, body in (*functions.items(), ("double", "i: 2*f(i)"), ("flip", "i j: g(j, i)")):
            env[name] = function_of(Node(body, "$"), dict(env))
        try:
            found = evaluation.evaluate(argument.term(terms.text(tree), "$"), env, "$")
            expected = terms.value(tree, point)
        except (Stop, terms.Nothing):
            continue
        assert found == expected, terms.text(tree)
        compared += 1
    assert compared > 500


def test_a_determinant_is_that_of_leibniz():
    rng = random.Random(5)
    for size in (0, 1, 2, 3, 4):
        for _ in range(40):
            rows = [[Fraction(rng.randint(-2, 2), rng.randint(1, 2)) for _ in range(size)] for _ in range(size)]
            argument.begin()
            assert evaluation.determinant([list(row) for row in rows]) == terms.leibniz(rows)


def test_an_empty_box_has_no_points_to_list():
    """A range beside an empty one is neither walked through nor copied."""
    h = universal("int i j", "0 = 1", r=["0 <= i <= 10^15", "1 <= j <= 0"])
    assert answer("real x", "x = x", {"x": "0"}, h=h).status == "replayed"


def test_bounds_of_variables_are_looked_for_by_announced_work(monkeypatch):
    """An empty box inside each of 10^5 points, with 10^4 comparisons that bound nothing."""
    monkeypatch.setitem(reading.LIMITS, "work", 10**8)
    inner = universal("int j", "0 = 1", r=["1 <= j <= 0", *["x" + "=x" * 999] * 10])
    h = universal("int i", "i >= 0", r="0 <= i <= 10^5", s=inner)
    assert answer("real x", "x = x", {"x": "0"}, h=h).status == "limit"
