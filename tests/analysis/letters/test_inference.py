# SPDX-License-Identifier: MIT
"""What is not defined at every point of a region is refused there."""

from __future__ import annotations

import pytest

from exactdp import Mechanism, matrix_inversion, posteriors
from exactdp.errors import DomainError

RESPONSE = Mechanism([["1-p", "p"], ["1-q", "q"]], letters="0 <= p < 1/2, 0 <= q <= 1")


def test_a_singular_mechanism_in_the_region_is_not_inverted():
    with pytest.raises(DomainError, match="the matrix is singular at p = "):
        matrix_inversion(RESPONSE, ["1/2", "1/2"])


def test_an_output_that_may_be_impossible_has_no_posterior_formula():
    with pytest.raises(DomainError, match="zero at p = 0, q = 0"):
        posteriors(RESPONSE, "uniform")
