# SPDX-License-Identifier: MIT
"""Every number, sign, comparison, hypothesis, case, step and summand of the argument files is changed, one at
a time.

A mutant may rightly be accepted: it is then itself proved. What that leaves is (1) a weaker conclusion (>
made >=, = made <=), (2) a stronger hypothesis, or one that the theorem does not need, (3) another proof of
the same statement: a cut elsewhere, a case boundary that no case needs, a step that is not needed. So an
accepted mutant's statement must hold at every point tried, by a reading that shares nothing with the checker;
all others are refused with a place. EXACTDP_ALL_MUTANTS=1 tries them all (a minute), otherwise every ninth.
"""

from __future__ import annotations

import json
import os
from collections import Counter

import pytest
from argument_mutants import File, mutants, shown
from argument_values import FILES, FOLDER, definitions, holds, instances, load
from arguments.test_argument_instances import MADE

from exactdp.arguments import argument

EVERY = 1 if os.environ.get("EXACTDP_ALL_MUTANTS") else 9
STEMS = [file.stem for file in FILES]


@pytest.fixture(scope="module")
def files():
    return {stem: File(stem) for stem in STEMS}


def points(stem, theorem, functions):
    """Points at which what a mutant gives holds."""
    made = [{**functions, **MADE[stem, theorem["name"]]()}] if (stem, theorem["name"]) in MADE else []
    yield from (env for env in made if all(holds(item, env) for item in theorem.get("given", {}).values()))
    if stem != "release":
        yield from instances(theorem, functions, 20)


@pytest.mark.slow
@pytest.mark.parametrize("stem", STEMS)
def test_no_mutant_proves_what_is_false(files, stem):
    file, functions = files[stem], definitions(load(stem))
    count, accepted = Counter(), Counter()
    for index, theorem in enumerate(file.data["theorems"]):
        assert file.answer(index, theorem) is None
        for number, (kind, place, mutant) in enumerate(mutants(theorem)):
            if (number + index) % EVERY:
                continue
            answer = file.answer(index, mutant)
            count[kind] += 1
            if answer is not None:
                assert answer.status in ("rejected", "malformed"), (place, answer)
                assert answer.sentence.startswith("$"), answer
                continue
            accepted[kind] += 1
            if kind in ("statement", "hypothesis"):
                for env in points(stem, mutant, functions):
                    assert holds(mutant["then"], env), (place, shown(mutant))
    assert accepted["proof"] + accepted["summand"] <= 0.06 * (count["proof"] + count["summand"]), accepted
    assert accepted["case"] <= 0.2 * count["case"] + 1, accepted


HAND_MADE = [
    # a wrong sign
    ("geometric", "sweep", "a^(n-p)*(x(n-p)-a*x(n-p-1))", "a^(n-p)*(x(n-p)+a*x(n-p-1))", "$.proof[1].base"),
    ("geometric", "inverse", "(1-a^2)*unit(i, j)", "(1+a^2)*unit(i, j)", "$.proof[0]"),
    ("lemma3", "triples", "b^(i-j-1); order", "-(b^(i-j-1)); order", "$.proof[1].cases[0].by[0]"),
    ("chain", "display_3", "a; at_k", "-a; at_k", "$.proof[2].cases[0].proof[1].by[0]"),
    # an exponent that is off by one
    ("determinants", "det_Gprime", "= q^n", "= q^(n+1)", "$.proof[4]"),
    ("determinants", "det_G", "= q^n", "= q^(n-1)", "$.proof[2]"),
    ("determinants", "det_replaced", "q^(n-1)*Kx(a, n, x, c)", "q^n*Kx(a, n, x, c)", "$.proof[4]"),
    ("determinants", "scales", "t^(n-1)*prod", "t^n*prod", "$.proof[6]"),
    ("universal", "crossing_right", "a^(i+1)*d(i+j+1)", "a^i*d(i+j+1)", "$.proof[4].cases[0]"),
    # strict and not strict
    (
        "lemma3",
        "triples",
        '"then": "G(b, n, i, j)-a*G(b, n, i-1, j) >= ',
        '"then": "G(b, n, i, j)-a*G(b, n, i-1, j) > ',
        "$.proof[1].cases[0].by",
    ),
    ("determinants", "first_strict", "x(0) > a*x(1)", "x(0) >= a*x(1)", "$.proof[2].by"),
    ("chain", "last_display", '"at_k": "x(k) > a*y(k)"', '"at_k": "x(k) >= a*y(k)"', "$.proof[2]"),
    # a weaker hypothesis
    ("lemma3", "triples", '"order": "a <= b", ', "", "$.proof[0].by"),
    ("lemma3", "triples", '"level": "b < 1"', '"level": "b < 2"', "$.proof[0].by"),
    ("geometric", "private", '"level": "a < 1"', '"level": "a < 2"', "$.proof[0].cases[0].proof[0].by[0]"),
    ("theorem2", "remap_nonnegative", '"row": "1 <= i < n"', '"row": "1 <= i < n-1"', "$.proof[0].cases[2].by[0]"),
    ("universal", "reduced_cost_nonnegative", '"row": "k+1 < i <= n"', '"row": "k+2 < i <= n"', "$.proof[1].given.each"),
    (
        "universal",
        "crossing_right",
        '"after": {"for": "int i", "given": {"row": "0 <= i <= n", "right": "t <= i"}',
        '"after": {"for": "int i", "given": {"row": "0 <= i <= n", "right": "t < i"}',
        "$.proof[4].cases[0]",
    ),
    ("release", "before_first", '"level": "1 <= u < c", "result"', '"level": "1 < u < c", "result"', "$.proof[0].step[0].given.same"),
    # a missing case
    ("geometric", "inverse", '{"when": "j = 1", "by": ["split"]}, ', "", "$.proof[0].cases[0].proof[1].cases"),
    ("lemma3", "triples", '{"when": "j = i+1", "by": ["1; order; gap; geometric/scale_positive(b, n, j)"]},', "", "$.proof[1].cases"),
    # a case or a range that is too wide
    ("universal", "multipliers", '"place": "0 <= k < n"', '"place": "0 <= k <= n"', "$.proof"),
    ("universal", "left_part", '"to": "n-1"', '"to": "n"', "$.proof[0].step[2].by"),
    ("geometric", "sweep", '"from": "0", "to": "n-1"', '"from": "0-1", "to": "n-1"', "$.proof[0].base"),
]


@pytest.mark.parametrize(("stem", "name", "old", "new", "place"), HAND_MADE)
def test_a_hand_made_mutant_is_refused_with_the_step_named(files, stem, name, old, new, place):
    file = files[stem]
    index = next(k for k, theorem in enumerate(file.data["theorems"]) if theorem["name"] == name)
    text = json.dumps(file.data["theorems"][index])
    if new == "" and old.endswith(","):
        old = old + " "
    assert old in text
    answer = file.answer(index, json.loads(text.replace(old, new, 1)))
    assert answer is not None
    assert answer.status == "rejected", answer
    assert answer.sentence.startswith(place), answer.sentence


DEFINITIONS = [
    ("geometric", "P", "a^(i-j)", "a^(i-j+1)"),
    ("geometric", "scale", "j = 0: 1/(1+a)", "j = 0: 1/(1-a)"),
    ("geometric", "scale", "(1-a)/(1+a)", "(1-a)/(1+2*a)"),
    ("geometric", "K", "i = j: 1+a^2", "i = j: 1-a^2"),
    ("geometric", "K", "i = j-1: -a", "i = j-1: a"),
    ("geometric", "Kx", "j = n: x(n)-a*x(n-1)", "j = n: x(n)-a*x(n-2)"),
    ("lemma3", "stage", "a*(G(b, n, j-1, r)+", "a*(G(b, n, j-1, r)-"),
    ("theorem2", "KM", "j = 0: M(0, r)-a*M(1, r)", "j = 0: M(0, r)-a^2*M(1, r)"),
    ("determinants", "arrow", "(1-a^2)*unit(i, j)", "(1-a)*unit(i, j)"),
    ("noise", "u", "(1-a)/(1+a)*P(a, k, z)", "(1-a)/(1+a)*P(a, k, z+1)"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("stem", "name", "old", "new"), DEFINITIONS)
def test_another_definition_breaks_a_proof(monkeypatch, stem, name, old, new):
    monkeypatch.setattr(argument, "example", lambda fact, node, shown: fact.env)
    data = load(stem)
    cases = data["definitions"][name]["is"]
    changed = [case.replace(old, new) for case in cases]
    assert changed != cases
    data["definitions"][name]["is"] = changed
    answer = argument.check_bytes(json.dumps(data).encode(), FOLDER)
    assert answer.status == "rejected"
    assert ".proof" in answer.sentence
