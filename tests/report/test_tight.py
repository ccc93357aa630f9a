# SPDX-License-Identifier: MIT
"""Pictures of regions, bounds and utilities; what is told about each kind of answer."""

from __future__ import annotations

import pytest

from exactdp import geometric, uniform
from exactdp.analysis.leakage import leakage, leakage_bound, utility_bound
from exactdp.analysis.tight.optimality_on_region import is_optimal_on_region
from exactdp.analysis.tight.regular_priors import corner_prior
from exactdp.analysis.tight.tight_levels import regular_levels
from exactdp.analysis.tight.tight_mechanism import is_tight_unique, tight_mechanism
from exactdp.errors import InputError
from exactdp.exact import Rational
from exactdp.model import Graph, Prior, neighbours
from exactdp.report.plot import leakage_picture, region_picture, utility_picture
from exactdp.report.registry import verdict_json
from exactdp.report.text import verdict_text

pytest.importorskip("matplotlib")

LINE = neighbours("path:3")
PRIOR = Prior(["1/2", "1/4", "1/4"], LINE.vertices)


def test_a_region_is_a_triangle_with_the_corner_priors():
    [ax] = region_picture(LINE, ["1/2", "1/5"]).axes
    lines = ax.get_lines()
    assert len(lines) == 9
    x, y = lines[3].get_data()  # the first edge at 1/2: from c^0 to c^1
    w = [float(p) for p in corner_prior(LINE, "1/2", 0).weights]
    assert (x[0], y[0]) == pytest.approx((w[1] + w[2] / 2, w[2] * 3**0.5 / 2), abs=1e-6)


def test_four_answers_are_projected_and_five_refused():
    assert len(region_picture(neighbours("complete:4"), ["1/2"]).axes[0].get_lines()) == 12
    with pytest.raises(InputError):
        region_picture(neighbours("path:5"), ["1/2"])


def test_the_bound_of_a_prior_is_drawn_where_it_is_one():
    [ax] = leakage_picture(Prior(["3/10", "27/100", "23/100", "1/5"]), 5, ["1/2", "69/100", "7/10", "1"]).axes
    everyone, own = ax.get_lines()
    assert list(own.get_xdata()) == pytest.approx([0.7, 1.0])
    assert everyone.get_ydata()[0] == pytest.approx(2.5225, abs=1e-4)
    assert len(utility_picture({"a": [(Rational("1/2"), 1)], "b": []}).axes[0].get_lines()) == 2


ANSWERS = {
    "unique": (is_tight_unique(neighbours("cycle:4"), "1/2"), "Φ·diag(z)"),
    "several": (
        is_tight_unique(Graph(range(8), [(i, j) for i in range(4) for j in range(4, 8)]), "1/3"),
        "another one",
    ),
    "levels": (regular_levels(LINE, PRIOR), "witnesses"),
    "leakage": (leakage(geometric(2, "1/2"), PRIOR), "posterior vulnerability"),
    "leakage bound": (leakage_bound(LINE, "1/2"), "(log2 ≈ 0.736966)"),
    "utility bound": (utility_bound(LINE, "1/5", PRIOR), "utility at most"),
    "on region": (is_optimal_on_region(geometric(2, "1/2"), LINE, "1/2"), "tight-constraints mechanism"),
    "not on region": (is_optimal_on_region(uniform(range(3)), LINE, "1/2"), "utility of the better one"),
}


@pytest.mark.parametrize("name", sorted(ANSWERS))
def test_answers_are_told(name):
    verdict, words = ANSWERS[name]
    assert words in verdict_text(verdict)
    assert len(verdict_json(verdict)) > 4


def test_a_large_mechanism_that_is_not_shown_is_not_written_out():
    """Of 751 inputs only the diagonal is shown; the 564,001 products took half a minute."""
    verdict = tight_mechanism(neighbours("sum:u=40,v=5"), "3/8")
    assert "its diagonal z" in verdict_text(verdict)
    assert "mechanism" not in verdict_json(verdict)
    assert "mechanism" not in vars(verdict.evidence)
