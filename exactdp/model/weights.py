# SPDX-License-Identifier: MIT
"""The weights of a mixture: exact, one for each part, ≥ 0, with sum 1."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from exactdp.errors import NegativeEntryError, NotStochasticError, ShapeError
from exactdp.exact import common_field, entries_of, field_of

__all__ = ["mixing_weights"]


def mixing_weights(weights: Iterable[object], parts: int, *, what: str) -> tuple[Any, ...]:
    """The weights as scalars of one field.

    Parameters
    ----------
    weights : iterable of exact numbers
        Text, ints or scalars.
    parts : int
        How many there must be.
    what : str
        What is mixed, in the plural, for the errors.

    Raises
    ------
    InputError
        One text, a mapping (the parts have no labels), a set, or anything else that is no list, was given; carries ``value``.
    ShapeError
        There are not as many weights as parts; carries ``expected`` and ``got``.
    NegativeEntryError
        A weight is negative; carries ``position`` and ``value``.
    NotStochasticError
        They do not sum to 1; carries ``rows`` with the exact sum and excess.

    Examples
    --------
    >>> mixing_weights(["1/3", "2/3"], 2, what="channels")
    (Rational('1/3'), Rational('2/3'))
    >>> mixing_weights(["3/2", "-1/2"], 2, what="channels")
    Traceback (most recent call last):
    ...
    exactdp.errors.NegativeEntryError: weight 1 of the 2 channels is -1/2, which is negative; a mixture needs weights ≥ 0 that sum to 1
    """
    given = entries_of(weights, f"weights of the {what}")
    if len(given) != parts:
        raise ShapeError(f"{len(given)} weights for {parts} {what}; give one weight for each", expected=parts, got=len(given))
    field = common_field(field_of(given))
    exact = tuple(field(w) for w in given)
    for k, w in enumerate(exact):
        if w < 0:
            raise NegativeEntryError(
                f"weight {k} of the {parts} {what} is {w}, which is negative; a mixture needs weights ≥ 0 that sum to 1",
                position=k,
                value=w,
            )
    total = sum(exact, field.zero)
    if total != 1:
        raise NotStochasticError(
            f"the weights of the {parts} {what} sum to {total}, not 1 (excess {total - 1}); divide them by their sum",
            rows=(("weights", total, total - 1),),
        )
    return exact
