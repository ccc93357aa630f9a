"""Multi-level release: the joint law against an independent construction, coalition by coalition."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from exactdp import PrivacyLevel, certify, multi_level_release
from exactdp.errors import ParameterRangeError, ResourceLimitError


def levels(*texts):
    return [PrivacyLevel(t) for t in texts]


def test_joint_law_is_the_product_of_the_stages():
    e = multi_level_release(2, levels("1/5", "1/3", "3/4")).evidence
    tables = [e.coalitions[0].mechanism.matrix, *(s.matrix for s in e.stages)]
    for i in range(3):
        for column, (r1, r2, r3) in enumerate(product(range(3), repeat=3)):
            expected = Fraction(str(tables[0][i, r1])) * Fraction(str(tables[1][r1, r2])) * Fraction(str(tables[2][r2, r3]))
            assert Fraction(str(e.joint[i, column])) == expected


def test_every_coalition_is_as_private_as_its_least_private_member():
    verdict = multi_level_release(2, levels("1/4", "1/2", "2/3"))
    assert verdict.proved
    seen = {c.members: str(c.level) for c in verdict.evidence.coalitions}
    assert seen == {(0,): "1/4", (1,): "1/2", (0, 1): "1/4", (2,): "2/3", (0, 2): "1/4", (1, 2): "1/2", (0, 1, 2): "1/4"}
    assert certify(verdict).kind == "release"


def test_a_single_consumer():
    assert certify(multi_level_release(1, levels("1/2"))).witness == {"stages": []}


@pytest.mark.parametrize("bad", [("1/2", "1/2"), ("1/2", "1/4"), ()])
def test_levels_must_increase(bad):
    with pytest.raises(ParameterRangeError):
        multi_level_release(2, levels(*bad))


def test_too_large_is_refused_before_work():
    with pytest.raises(ResourceLimitError, match="has 345,025,251 numbers"):  # 51⁵
        multi_level_release(50, levels("1/5", "1/4", "1/3", "1/2"))
