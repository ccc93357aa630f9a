# SPDX-License-Identifier: MIT
"""For what does an answer hold? One instance of numbers, or every level of an interval."""

from __future__ import annotations

from typing import Any

from exactdp.exact import ExponentialField, RationalFunctionField, common_field

__all__ = ["scope_of"]


def scope_of(*things: Any) -> str:
    """The scope of a verdict about some levels, mechanisms, losses or numbers.

    Parameters
    ----------
    *things : PrivacyLevel, Mechanism, Loss, Scalar, …
        Whatever the answer depends on and has a ``field``.

    Returns
    -------
    str
        "this instance" for rational numbers; with what the letters stand for when the level was given as ε; "every a in (0, 1)" for a
        symbolic level.

    Raises
    ------
    MixedDomainError
        The things are over two fields other than ℚ.

    Examples
    --------
    >>> from exactdp.model import PrivacyLevel
    >>> scope_of(PrivacyLevel("1/2")), scope_of(PrivacyLevel.from_epsilon("1/10"))
    ('this instance', 'this instance, t = exp(-1/10)')
    >>> scope_of(PrivacyLevel.symbolic(("1/2", 1)))
    'every a in (1/2, 1)'
    """
    field = common_field(*things)
    if isinstance(field, RationalFunctionField):
        return f"every {field.name_of_level} in {field.interval}"
    if isinstance(field, ExponentialField):
        return "this instance, " + ", ".join(f"{letter} = {meaning}" for letter, meaning in field.meanings.items())
    return "this instance"
