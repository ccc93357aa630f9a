# SPDX-License-Identifier: MIT
"""Regions of letters that are made from functions, and points of them."""

from __future__ import annotations

import pytest

from exactdp.errors import InputError
from exactdp.exact import Region, SymbolField


def test_a_condition_is_read_by_the_names_of_its_letters():
    region = Region("0 < p < 1, 0 < q < 1")
    turned = region.with_conditions([(SymbolField(["q", "p"])("q - 2*p"), True)])
    assert turned.constraints == region.with_conditions(["q - 2*p > 0"]).constraints
    with pytest.raises(InputError, match="has a denominator"):
        region.with_conditions([(SymbolField(["p", "q"])("(p-q)/(p-1)"), True)])


def test_a_point_without_a_letter_is_refused():
    with pytest.raises(InputError, match="no number for q"):
        Region("0 < p < 1, 0 < q < 1").contains({"p": "1/2"})


def test_a_strict_constraint_replaces_the_one_with_equality():
    region = Region("0 <= p <= 1, p > 0")
    assert {*region.constraints} == {*Region("p <= 1, p > 0").constraints}
    assert not region.contains({"p": 0})
    assert {*region.with_conditions(["p < 1"]).constraints} == {*Region("p < 1, p > 0").constraints}


def test_a_second_interval_of_a_letter_is_assumed_too():
    region = Region("p in (0, 1/2], p in [1/4, 1)")
    assert [region.contains({"p": x}) for x in ("1/5", "1/4", "1/2", "3/5")] == [False, True, True, False]
