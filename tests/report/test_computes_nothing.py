# SPDX-License-Identifier: MIT
"""A report computes nothing: it is made of an answer while all computing is forbidden."""

from __future__ import annotations

import pytest

import exactdp as xdp
from exactdp.analysis.optimality.optimum import OptimumEvidence
from exactdp.exact import ExactMatrix
from exactdp.exact.structured import SparseProduct, StructuredMatrix
from exactdp.model.mechanism import FactoredMechanism
from exactdp.report.registry import verdict_json
from exactdp.report.text import verdict_text

PATH, SQUARE, STAR = map(xdp.neighbours, ("path:4", "cycle:4", "star:4"))
G = xdp.geometric(3, "1/2")
ABS, MEAN = xdp.MinimaxConsumer("abs"), xdp.BayesianConsumer("abs", "uniform")
HALF = xdp.PrivacyLevel.from_epsilon("1/2")
UNIFORM = xdp.uniform(range(4))

ANSWERS = {
    "optimum on a path": lambda: xdp.optimum(PATH, "1/3", ABS),
    "optimum on a long path": lambda: xdp.optimum("path:30", "1/3", MEAN),
    "optimum at an epsilon": lambda: xdp.optimum(PATH, HALF, ABS),
    "optimum on a cycle": lambda: xdp.optimum(SQUARE, "1/3", xdp.MinimaxConsumer("zero-one")),
    "optimum by level": lambda: xdp.optimum_by_level("path:3", ABS),
    "optimal": lambda: xdp.is_optimal(UNIFORM, PATH, "1/2", ABS),
    "optimal after a remap": lambda: xdp.is_optimal_after_remap(UNIFORM, PATH, "1/2", ABS),
    "gap": lambda: xdp.gap_between(UNIFORM, PATH, "1/2", ABS),
    "unique optimum": lambda: xdp.is_optimum_unique("path:3", "1/2", MEAN),
    "best remap": lambda: xdp.best_remap(G, ABS),
    "stochastic": lambda: xdp.is_stochastic(G),
    "not stochastic": lambda: xdp.is_stochastic([["1/2", "1/3"], ["3/2", "-1/2"]]),
    "private": lambda: xdp.is_private(G, PATH, "1/2"),
    "not private": lambda: xdp.is_private(G, PATH, "3/4"),
    "derivable": lambda: xdp.is_derivable(UNIFORM, source=G),
    "not derivable": lambda: xdp.is_derivable(G, source=UNIFORM),
    "refinement order": lambda: xdp.refinement_order({"a": G, "b": UNIFORM}),
    "tight mechanism": lambda: xdp.tight_mechanism(SQUARE, "1/2"),
    "no tight mechanism": lambda: xdp.tight_mechanism(STAR, "3/5"),
    "unique tight mechanism": lambda: xdp.is_tight_unique(SQUARE, "1/2"),
    "regular": lambda: xdp.is_regular(PATH, "1/2", "uniform"),
    "not regular": lambda: xdp.is_regular("path:3", "1/2", ["2/5", "1/5", "2/5"]),
    "leakage": lambda: xdp.leakage(G, "uniform"),
    "capacity": lambda: xdp.capacity(G),
    "capacity of a type": lambda: xdp.type_capacity(PATH, "1/2", "additive"),
    "capacity by pieces": lambda: xdp.type_capacity(STAR, "a"),
    "vertices": lambda: xdp.vertex_count(PATH, "1/2"),
    "kernels": lambda: xdp.kernel_count(PATH, "1/2"),
    "kernels at all levels": lambda: xdp.kernel_counts("path:3"),
    "kernel mechanism": lambda: xdp.is_kernel_mechanism(G, PATH, "1/2"),
    "universal": lambda: xdp.universally_optimal_mechanism(PATH, "1/2", "abs"),
    "not universal": lambda: xdp.universally_optimal_mechanism(STAR, "2/3", "zero-one"),
    "least delta": lambda: xdp.least_delta(G, PATH, "3/4"),
    "determinant": lambda: xdp.determinant(G),
    "audit": lambda: xdp.audit(G, PATH, claim=xdp.PrivacyClaim(epsilon=2), consumers=[ABS]),
}

COMPUTING = [
    *(f"exactdp.exact.matrix.ExactMatrix.{name}" for name in ("__matmul__", "__pow__", "det", "rank", "solve", "inverse")),
    *(f"exactdp.model.constraint_matrix.ConstraintMatrix.{name}" for name in ("powers", "row_sums", "spread", "cells")),
    "exactdp.model.constraint_matrix.Cells.quotient",
    "exactdp.model.mechanism.Table.faults",
    "exactdp.analysis.types.vertices.automorphisms",
    "exactdp.model.consumer.BayesianConsumer.loss_of",
    "exactdp.model.consumer.MinimaxConsumer.loss_of",
]
"""Methods, which are found where they are used; that a report imports no search is a rule of the house."""


class Computed(AssertionError):
    """Something was computed while a report was made."""


@pytest.mark.parametrize("name", ANSWERS)
def test_a_report_of_an_answer_computes_nothing(monkeypatch, name):
    verdict = ANSWERS[name]()
    for place in COMPUTING:

        def forbidden(*_, place=place, **__):
            raise Computed(place)

        monkeypatch.setattr(place, forbidden)
    assert verdict_text(verdict)
    assert verdict_text(verdict, full=True)
    assert verdict_json(verdict)["verdict"]
    assert verdict._repr_html_()


def test_what_is_forbidden_is_noticed(monkeypatch):
    """An answer that computes when it is told, as optima did."""

    def late(e):
        return xdp.Mechanism(xdp.geometric(3, e.level).matrix @ e.found.remap().matrix)

    verdict = xdp.optimum(PATH, "1/3", ABS)
    assert verdict_text(verdict)
    monkeypatch.setattr(OptimumEvidence, "best", property(late))
    monkeypatch.setattr(ExactMatrix, "__matmul__", forbidden_store)
    with pytest.raises(Computed):
        verdict_text(verdict)


def test_a_closed_form_stays_closed_until_an_entry_is_asked_for(monkeypatch):
    """What is shown of a table of 101² entries are 12² of them."""
    verdict = xdp.optimum("path:101", "1/3", MEAN)
    assert isinstance(verdict.evidence.found, FactoredMechanism)
    asked, entry = [], SparseProduct._entry_at
    monkeypatch.setattr(SparseProduct, "_entry_at", lambda self, i, j: asked.append((i, j)) or entry(self, i, j))
    monkeypatch.setattr(StructuredMatrix, "_store", property(forbidden_store))
    monkeypatch.setattr(SparseProduct, "_row_at", forbidden_store)
    assert verdict_text(verdict)
    assert 0 < len(set(asked)) <= 12 * 12


def forbidden_store(*_):
    raise Computed
