"""Derivability: the cone condition on the line, the exact LP and Cramer's rule must agree."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import levels, mechanisms

from exactdp import (
    ExactMatrix,
    Mechanism,
    PrivacyLevel,
    Rational,
    certify,
    geometric,
    is_derivable,
    is_private,
    is_refined_by,
    neighbours,
    uniform,
)
from exactdp.errors import LabelError
from exactdp.search.refinements import Separator, by_mass

APPENDIX_B = Mechanism(
    ExactMatrix(
        [
            ["1/9", "2/9", "4/9", "2/9"],
            ["2/9", "1/9", "2/9", "4/9"],
            ["4/9", "2/9", "1/9", "2/9"],
            ["13/18", "1/9", "1/18", "1/9"],
        ]
    )
)


def cramer_entry(G: ExactMatrix, column, i):
    """det G(i, x) / det G."""
    replaced = ExactMatrix.build(G.shape[0], G.shape[0], lambda r, c: column[r] if c == i else G[r, c])
    return replaced.det() / G.det()


@pytest.mark.slow
@given(mechanisms(min_inputs=2, max_inputs=4), levels())
def test_line_condition_agrees_with_cramer_and_with_the_lp(m, level):
    m = Mechanism(m.matrix)  # labels 0..n
    G = geometric(m.n_inputs - 1, level)
    entries = [cramer_entry(G.matrix, m.matrix.column(r), i) for i in range(m.n_inputs) for r in range(m.n_outputs)]
    verdict = is_derivable(m, source=G)
    assert verdict.proved == all(x >= 0 for x in entries)
    by_lp = by_mass(G.matrix, m.matrix)
    assert isinstance(by_lp, Separator) == verdict.refuted
    certify(verdict)


@pytest.mark.slow
@given(mechanisms(max_inputs=3), st.data())
def test_post_processing_is_always_derivable(m, data):
    remap = data.draw(mechanisms(min_inputs=m.n_outputs, max_inputs=m.n_outputs))
    target = Mechanism(m.matrix @ remap.matrix, m.inputs)
    verdict = is_refined_by(m, target)
    assert verdict.proved
    assert m.matrix @ verdict.evidence.remap.matrix == target.matrix
    certify(verdict)


@pytest.mark.slow
@given(mechanisms(max_inputs=3), st.data())
def test_either_a_remap_or_a_separating_consumer(a, data):
    b = data.draw(mechanisms(min_inputs=a.n_inputs, max_inputs=a.n_inputs))
    b = Mechanism(b.matrix, a.inputs)
    verdict = is_refined_by(a, b)
    e = verdict.evidence
    if verdict.refuted:
        assert e.target_loss < e.source_loss
        assert e.target_loss == e.consumer.loss_of(b)
        assert all(x >= 0 for row in e.consumer.loss.matrix.rows() for x in row)
    certify(verdict)


def test_appendix_b():
    assert is_private(APPENDIX_B, neighbours("path:4"), PrivacyLevel("1/2")).proved
    verdict = is_derivable(APPENDIX_B, source=geometric(3, "1/2"))
    (triple,) = verdict.evidence.triples
    assert (triple.rows(3), triple.output, triple.value) == ((0, 1, 2), 1, Rational("-1/12"))
    assert verdict.evidence.target_loss < verdict.evidence.source_loss
    # the same number from the printed arithmetic
    assert Fraction(5, 4) * Fraction(1, 9) - Fraction(1, 2) * (Fraction(2, 9) + Fraction(2, 9)) == Fraction(-1, 12)


def test_the_two_input_identity_fails_at_an_end():
    """It satisfies every three-term condition (there is none), yet is not derivable."""
    identity = Mechanism(ExactMatrix([[1, 0], [0, 1]]))
    verdict = is_derivable(identity, source=geometric(1, "1/2"))
    assert verdict.refuted
    assert {t.rows(1) for t in verdict.evidence.triples} == {(0, 1)}
    certify(verdict)


@pytest.mark.parametrize(("low", "high"), [("1/4", "1/2"), ("1/1000", "999/1000"), ("1/3", "1/3")])
def test_lemma_3(low, high):
    verdict = is_derivable(geometric(5, high), source=geometric(5, low))
    assert verdict.proved
    certify(verdict)
    if low != high:
        assert is_derivable(geometric(5, low), source=geometric(5, high)).refuted


def test_singular_sources():
    constant = uniform(range(3))
    assert is_refined_by(constant, constant).proved
    verdict = is_refined_by(constant, geometric(2, "1/2"))
    assert verdict.refuted
    certify(verdict)


def test_a_sentence_says_which_of_the_two_is_not_derivable():
    """By what was given: the word, or else the name of the argument."""
    strong, weak = geometric(1, "1/2"), geometric(1, "1/4")
    assert is_derivable(weak, source=strong).claim.startswith("The mechanism is not derivable from the source: ")
    assert is_derivable(weak, source=strong).claim.endswith("gets loss 4/5 from the mechanism and at best 1 from the source")
    assert is_refined_by(strong, weak).claim.startswith("The target is not derivable from the mechanism: ")
    assert is_refined_by(weak, strong).claim.startswith("The target is derivable from the mechanism: it equals mechanism · R")
    assert is_derivable(weak, source="geometric:n=1,alpha=1/2").claim.endswith("at best 1 from geometric:n=1,alpha=1/2")


def test_other_inputs_are_refused():
    with pytest.raises(LabelError):
        is_refined_by(geometric(2, "1/2"), geometric(3, "1/2"))
