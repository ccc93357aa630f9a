# SPDX-License-Identifier: MIT
"""Tests of many cases of one behaviour, a few of which are enough for the fast suite."""

from __future__ import annotations

from collections import defaultdict

import pytest


def mark_most_slow(items: list[pytest.Item]) -> None:
    """Obey ``mostly_slow(fast)``: all but so many cases of the test, evenly spread, become slow.

    A case that was asked for alone is run.
    """
    cases: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("mostly_slow"):
            cases[item.nodeid.partition("[")[0]].append(item)
    for same in cases.values():
        fast = same[0].get_closest_marker("mostly_slow").args[0]
        kept = {len(same) * number // fast for number in range(fast)}
        for place, item in enumerate(same):
            if place not in kept:
                item.add_marker(pytest.mark.slow)
