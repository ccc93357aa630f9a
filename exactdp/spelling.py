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
from typing import ParamSpec, TypeVar

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


def both_spellings(function: Callable[P, R]) -> Callable[P, R]:
    """The function, which takes its keywords in both spellings.

    >>> @both_spellings
    ... def count(neighbours: str) -> int:
    ...     return len(neighbours)
    >>> count(neighbors="path"), count(neighbours="path")
    (4, 4)
    """
    names = {other_spelling(name): name for name in inspect.signature(function).parameters if other_spelling(name) != name}

    def spelled(*args: P.args, **given: P.kwargs) -> R:
        for other, own in names.items():
            if other in given:
                if own in given:
                    raise TypeError(f"{own} and {other} are both given, and are one argument")
                given[own] = given.pop(other)
        return function(*args, **given)

    # the globals of the function, by which doctest finds the module of its examples
    found = FunctionType(spelled.__code__, getattr(function, "__globals__", globals()), closure=spelled.__closure__)
    return update_wrapper(found, function)
