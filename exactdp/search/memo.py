# SPDX-License-Identifier: MIT
"""A function of objects, computed once for each object: most coefficients of a large problem are the same few objects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

__all__ = ["ByIdentity"]

Result = TypeVar("Result")


class ByIdentity(Generic[Result]):
    """``function``, remembering what it gave for each object (equal objects may be computed again: that is cheaper than to hash them).

    >>> length = ByIdentity(len)
    >>> word = "abc"
    >>> length(word), length(word)
    (3, 3)
    """

    __slots__ = ("_function", "_known")

    def __init__(self, function: Callable[[Any], Result]) -> None:
        self._function = function
        self._known: dict[int, tuple[Any, Result]] = {}  # with the object itself, so that its identity is not used again

    def __call__(self, value: Any) -> Result:
        """The function at this object."""
        found = self._known.get(id(value))
        if found is None:
            found = self._known[id(value)] = value, self._function(value)
        return found[1]
