# SPDX-License-Identifier: MIT
"""One name in two spellings, British and American: ``neighbors``, ``randomised_response``, ``renormalize``.

Every name has one spelling of its own. The other one is taken where somebody types it: as a public name, a
keyword, a word for a mechanism, an option.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import update_wrapper
from types import FunctionType
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_SPELLINGS = (("neighbour", "neighbor"), ("randomized", "randomised"), ("generalis", "generaliz"), ("normalis", "normaliz"))
"""Parts of names as they are spelled here, and otherwise."""


def own_spelling(name: str) -> str:
    """A name as it is spelled here.

    >>> own_spelling("neighbors"), own_spelling("randomised_response"), own_spelling("renormalise")
    ('neighbours', 'randomized_response', 'renormalise')
    """
    for own, other in _SPELLINGS:
        name = name.replace(other, own)
    return name


def other_spelling(name: str) -> str:
    """The same name as others spell it.

    >>> other_spelling("neighbours"), other_spelling("keep")
    ('neighbors', 'keep')
    """
    for own, other in _SPELLINGS:
        name = name.replace(own, other)
    return name


def own_keywords(function: Callable[..., Any], given: dict[str, Any]) -> dict[str, Any]:
    """The keywords of a call as the function spells them; what it doesn't have stays as it is.

    * raises TypeError: one argument is given in both spellings.

    >>> def count(neighbours: str) -> int:
    ...     return len(neighbours)
    >>> own_keywords(count, {"neighbors": "path"}), own_keywords(count, {"neighbor": "path"})
    ({'neighbours': 'path'}, {'neighbor': 'path'})
    """
    if all(own_spelling(name) == name for name in given):
        return given
    parameters = inspect.signature(function).parameters
    found: dict[str, Any] = {}
    for name, value in given.items():
        own = own_spelling(name)
        key = own if name not in parameters and own in parameters else name
        if key in found or (key != name and key in given):
            raise TypeError(f"{function.__name__}() got {key} and {other_spelling(key)}, which are one argument")
        found[key] = value
    return found


def both_spellings(method: Callable[P, R]) -> Callable[P, R]:
    """The method, which takes its keywords in both spellings; functions do so by :mod:`exactdp.door`.

    >>> class Path:
    ...     @both_spellings
    ...     def count(self, neighbours: str) -> int:
    ...         return len(neighbours)
    >>> Path().count(neighbors="path"), Path().count(neighbours="path")
    (4, 4)
    """
    read = own_keywords  # in the closure: the globals are the method's, by which doctest finds its examples

    def spelled(*args: P.args, **given: P.kwargs) -> R:
        return method(*args, **read(method, given))

    found = FunctionType(spelled.__code__, getattr(method, "__globals__", globals()), closure=spelled.__closure__)
    return update_wrapper(found, method)
