"""A part of the examples of each property test: a third in the fast suite, a fifth where CI repeats it with
other versions of others.

Elsewhere than in CI what is drawn differs from run to run anyway. The nightly run tries every property in
full.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from hypothesis import settings

SETTINGS = "_hypothesis_internal_use_settings"
"""What hypothesis reads; it refuses settings() for a second time."""


def is_property(test: Callable[..., Any] | None) -> bool:
    """Whether hypothesis draws the examples of this test."""
    return hasattr(test, SETTINGS)


def with_fewer_examples(tests: Iterable[Callable[..., Any]], share: int) -> None:
    """Give each property test among these functions one in ``share`` of its examples, once even if it is
    named often.
    """
    kept = {id(test): test for test in tests if is_property(test)}
    for test in kept.values():
        given = getattr(test, SETTINGS)
        setattr(test, SETTINGS, settings(given, max_examples=-(-given.max_examples // share)))
