# SPDX-License-Identifier: MIT
"""What Python can't write, such as lists too deep for its stack, is refused in a sentence as well."""

from __future__ import annotations

import pytest

import exactdp as xdp
from exactdp.errors import InputError
from exactdp.model import Distance


def nested() -> list[object]:
    found: list[object] = []
    for _ in range(100_000):
        found = [found]
    return found


@pytest.mark.parametrize(
    "ask",
    [
        xdp.mechanism_from_spec,
        xdp.RationalFunctionField,
        xdp.from_float,
        Distance.parse,
        lambda x: xdp.SideInformation(x, "abc"),
        lambda x: xdp.StaircaseNoise(sensitivity=x, step=1, alpha="1/2"),
        lambda x: xdp.staircase(x, sensitivity=2, step=1, alpha="1/2"),
        lambda x: xdp.truncate(x, 3),
        lambda x: xdp.type_capacity("path:3", "1/2", x),
        lambda x: xdp.Metric([x], "ab"),
    ],
)
def test_a_nested_list_is_refused(ask):
    with pytest.raises(InputError) as refused:
        ask(nested())
    assert len(str(refused.value)) <= 300
