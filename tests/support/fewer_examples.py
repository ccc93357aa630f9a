"""A fifth of the examples of each property test: for a suite that is repeated with other versions of others.

Elsewhere than in CI what is drawn differs from run to run anyway. A version that breaks a property breaks it
for most examples, and the property itself has been tried in full by then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from hypothesis import settings

SHARE = 5


def with_fewer_examples(tests: Iterable[Callable[..., Any]]) -> None:
    """Give each property test among these functions a fifth of its examples, once even if named often."""
    kept = {id(test): test for test in tests if hasattr(test, "_hypothesis_internal_use_settings")}
    for test in kept.values():  # hypothesis refuses settings() for a second time, and reads only this
        given = test._hypothesis_internal_use_settings
        test._hypothesis_internal_use_settings = settings(given, max_examples=-(-given.max_examples // SHARE))
