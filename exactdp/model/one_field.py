# SPDX-License-Identifier: MIT
"""Mechanisms and levels over one field, when they were given over two that have a common one: ε = 1/10 beside ε = 1/5."""

from __future__ import annotations

from typing import Any

from exactdp.exact import QQ, common_field
from exactdp.model.level import PrivacyLevel
from exactdp.model.stochastic import Mechanism

__all__ = ["over_one_field"]


def over_one_field(*things: Any) -> tuple[Any, ...]:
    """The same mechanisms and privacy levels, all that are not rational over one field.

    Parameters
    ----------
    *things : Mechanism or PrivacyLevel
        In any order.

    Returns
    -------
    tuple
        The same things in the same order.

    Raises
    ------
    MixedDomainError
        No field here has the numbers of all of them.

    Examples
    --------
    >>> levels = over_one_field(PrivacyLevel.from_epsilon("1/2"), PrivacyLevel.from_epsilon("1/3"), PrivacyLevel("1/2"))
    >>> [str(level) for level in levels]
    ['t^3', 't^2', '1/2']
    """
    field = common_field(*things)

    def moved(thing: Any) -> Any:
        if thing.field in (QQ, field):
            return thing
        if isinstance(thing, PrivacyLevel):
            return PrivacyLevel(field(thing.alpha))
        return Mechanism(thing.matrix.over(field), thing.inputs, thing.outputs)

    return tuple(map(moved, things))
