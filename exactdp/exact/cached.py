# SPDX-License-Identifier: MIT
"""Properties that are computed once, without the lock that they have in Python 3.11."""

from __future__ import annotations

import functools
import sys
from typing import Any, TypeVar

__all__ = ["cached_property"]

if sys.version_info >= (3, 12):
    from functools import cached_property
else:
    T = TypeVar("T")

    class cached_property(functools.cached_property[T]):  # noqa: N801 - the name that it replaces
        """:class:`functools.cached_property` as it is from Python 3.12 on.

        Before, one lock belongs to the property in all objects: a process that is forked while another thread
        computes it would wait for that lock for ever.
        """

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            """The value, which is stored in the object under the same name."""
            if instance is None:
                return self
            value = vars(instance)[self.attrname] = self.func(instance)
            return value
