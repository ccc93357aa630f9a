# SPDX-License-Identifier: MIT
"""Proofs of signs on regions before the checker: found ones are accepted, changed ones are not."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from region_cases import NONNEGATIVE, POSITIVE, polynomial, questions

import exactdp as xdp
from exactdp.certificate.encode import polynomial_json
from exactdp.certificate.regions import lemma_json
from exactdp.checker.kernel import check_bytes
from exactdp.exact import Rational, Region
from exactdp.exact.positivity import Split, sign_on

KNOWN = [*POSITIVE, *((text, letters, where) for text, letters, where, _ in NONNEGATIVE)]


@cache
def claim():
    """A certificate whose claim needs no lemma."""
    return xdp.certify(xdp.is_private(xdp.Mechanism([["1/2", "1/2"], ["1/3", "2/3"]]), "path:2", "1/2"))


def judged(region, lemmas):
    """The checker's answer to a certificate about a region with these lemmas."""
    field = {
        "type": "region",
        "letters": list(region.names),
        "positive": [polynomial_json(c.terms) for c in region.constraints if c.strict],
        "nonnegative": [polynomial_json(c.terms) for c in region.constraints if not c.strict],
        "inside": [str(x) for x in region.inside.values()],
    }
    signs = [lemma_json(lemma, region, k) for k, lemma in enumerate(lemmas)]
    known = claim()
    file = replace(known, definitions={"R": field, **known.definitions}, witness={**known.witness, "signs": signs})
    return check_bytes(file.to_json().encode()).status


@pytest.mark.parametrize(("text", "letters", "where"), KNOWN, ids=[case[0] for case in KNOWN])
def test_proofs_of_known_inequalities_are_accepted(text, letters, where):
    region = Region(letters, where)
    found = sign_on(polynomial(text, region), region)
    assert judged(region, found.lemmas) == "accepted"
    for lemma in found.lemmas:
        if not lemma.strict:  # it has a zero in the region, or none was ruled out
            assert judged(region, [replace(lemma, strict=True)]) == "rejected"


@settings(max_examples=60)
@given(questions(letters=2))
def test_found_proofs_are_accepted(question):
    region, terms = question
    found = sign_on(terms, region, cells=30)
    assert judged(region, found.lemmas) == "accepted"


@settings(max_examples=60)
@given(st.sampled_from(KNOWN), st.integers(0, 10**6), st.sampled_from(["times", "dropped", "doubled", "exponent", "split", "square"]))
def test_changed_proofs_are_rejected(case, place, change):
    text, letters, where = case
    region = Region(letters, where)
    lemmas = sign_on(polynomial(text, region), region).lemmas
    leaves = [(lemma, k, t) for lemma in lemmas for k, step in enumerate(lemma.proof) if not isinstance(step, Split) for t in step]
    assume(leaves)
    lemma, k, term = leaves[place % len(leaves)]
    steps, leaf = list(lemma.proof), lemma.proof[k]
    if change == "dropped":
        steps[k] = tuple(t for t in leaf if t is not term)
    elif change == "doubled":
        steps[k] = (*leaf, term)
    elif change == "split":
        assume(any(isinstance(step, Split) for step in steps))
        steps = [step for step in steps if not isinstance(step, Split)]
    else:
        assume(change != "exponent" or term.powers)
        assume(change != "square" or term.square)
        changed = {
            "times": replace(term, times=term.times + Rational(1, 1 + place)),
            "exponent": replace(term, powers=tuple((f, e + 1) for f, e in term.powers)),
            "square": replace(term, square=None),
        }[change]
        steps[k] = tuple(changed if t is term else t for t in leaf)
    assert judged(region, [replace(lemma, proof=tuple(steps))]) in {"rejected", "malformed"}
