# SPDX-License-Identifier: MIT
"""Of a test of many cases the fast suite runs a few, and no case is lost."""

from __future__ import annotations

import pytest
from shares import mark_most_slow


class Item:
    """What is asked of a test that pytest has collected."""

    def __init__(self, nodeid, marks=()):
        self.nodeid, self.marks = nodeid, [mark.mark for mark in marks]

    def get_closest_marker(self, name):
        return next((mark for mark in self.marks if mark.name == name), None)

    def add_marker(self, mark):
        self.marks.append(mark.mark)


@pytest.mark.parametrize(("cases", "fast", "kept"), [(20, 3, [0, 6, 13]), (7, 6, [0, 1, 2, 3, 4, 5]), (3, 3, [0, 1, 2]), (2, 5, [0, 1])])
def test_so_many_cases_are_fast_and_the_others_slow(cases, fast, kept):
    many = [Item(f"a.py::test_many[{case}]", [pytest.mark.mostly_slow(fast)]) for case in range(cases)]
    another = [Item("b.py::test_many[x]", [pytest.mark.mostly_slow(1)]), Item("a.py::test_few[0]"), Item("a.py::test_few[1]")]
    mark_most_slow([*many, *another])
    assert [place for place, item in enumerate(many) if not item.get_closest_marker("slow")] == kept
    assert not any(item.get_closest_marker("slow") for item in another)
