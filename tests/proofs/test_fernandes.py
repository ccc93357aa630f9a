# SPDX-License-Identifier: MIT
"""Fernandes and others, Sections 4 to 7: the instances behind the record, from the definitions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from exactdp.model import Graph, Loss, neighbours
from proofs.fernandes_metric_privacy import optimality
from proofs.fernandes_metric_privacy.common import is_monotone
from proofs.record import PROOFS, Printed, Status, load_paper

PRINTED = Printed(PROOFS / "fernandes_metric_privacy")


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_the_dual_is_monotone_for_opposite_inputs_exactly_if_their_number_is_even(n):
    """All inputs are neighbours but x and n − 1 − x, which are two steps apart: it serves for even n."""
    apart = Graph(range(n), [(x, y) for x in range(n) for y in range(x + 1, n) if x + y != n - 1])
    assert is_monotone(Loss([[int(w == x) for w in range(n)] for x in range(n)]), apart) == (n % 2 == 0)


def test_monotone_losses_on_the_line_by_hand():
    line, four = neighbours("path:3"), neighbours("path:4")
    assert is_monotone(Loss([[0, 1], [1, 0], [4, 1]]), line, strict=True)  # m = 0, 1, 4 at the labels 0 and 1
    assert not is_monotone(Loss([[0, 1], [1, 0], [4, 2]]), line)
    assert is_monotone(Loss([[0], [1], [1], [1]]), four)
    assert not is_monotone(Loss([[0], [1], [1], [1]]), four, strict=True)
    assert not is_monotone(Loss([[0, 1], [1, 0], [0, 1]]), line)  # parity


def test_a_universally_optimal_mechanism_may_say_less_than_another():
    """Its columns are sums of the other's, and both answers cost the same for every prior on a grid."""
    half = Fraction(1, 2)
    fine = [[Fraction(x, 9) for x in row] for row in ([4, 2, 2, 1], [2, 1, 4, 2], [1, 2, 2, 4])]
    coarse = [[row[0] + row[1], row[2] + row[3]] for row in fine]
    assert coarse == [[Fraction(x, 3) for x in row] for row in ([2, 1], [1, 2], [1, 2])]
    assert all(
        half * a <= b and half * b <= a for rows in (coarse, fine) for i in (0, 1) for a, b in zip(rows[i], rows[i + 1], strict=True)
    )
    loss = [[0, 1], [1, 0], [1, 1]]
    for prior in product(range(4), repeat=3):
        costs = [
            sum(min(sum(prior[x] * rows[x][y] * loss[x][w] for x in range(3)) for w in (0, 1)) for y in range(len(rows[0])))
            for rows in (coarse, fine)
        ]
        assert costs[0] == costs[1]
    # in the first two columns of the other the inputs 0 and 2 have different ratios
    assert fine[0][0] * fine[2][1] != fine[2][0] * fine[0][1]


@pytest.mark.parametrize("name", ["strict_refinement", "least_element", "some_pair", "not_monotone", "kernel_nontrivial"])
def test_the_functions_find_what_is_recorded(name):
    claims = [claim for claim in load_paper("fernandes_metric_privacy").claims if claim.replay == f"optimality.{name}"]
    assert len(claims) == 1
    assert getattr(optimality, name)(PRINTED).status.fits(claims[0].status)


def test_a_wrong_computation_is_noticed(monkeypatch):
    monkeypatch.setattr(optimality, "is_monotone", lambda loss, near, strict=False: True)
    assert optimality.not_monotone(PRINTED).status is Status.REFUTED
