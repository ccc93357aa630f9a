"""A fast suite runs every property test, with a part of its examples."""

from __future__ import annotations

import pytest
from fewer_examples import with_fewer_examples
from hypothesis import Phase, given, settings
from hypothesis import strategies as st


@pytest.mark.parametrize(("asked", "tried"), [(100, 20), (7, 2), (1, 1)])
def test_a_part_of_the_examples_is_tried(asked, tried):
    seen = []

    @settings(max_examples=asked, database=None, phases=[Phase.generate], derandomize=True)
    @given(st.integers())
    def example(x):
        seen.append(x)

    with_fewer_examples([example, print, example], 5)  # a test with parameters is named once for each of them
    example()
    assert len(seen) == tried


def test_what_is_false_for_most_examples_is_still_found():
    @settings(database=None)
    @given(st.integers())
    def example(x):
        assert x == 0

    with_fewer_examples([example], 5)
    with pytest.raises(AssertionError):
        example()
