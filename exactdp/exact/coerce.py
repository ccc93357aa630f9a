# SPDX-License-Identifier: MIT
"""The entries of what somebody gave as a list: in order, and with nothing dropped.

Much that Python can iterate over is no list. A set has no order. A mapping yields its keys, a data frame its
column names, and a text its characters. A labelled series yields its entries, and its labels are lost. Such
objects are refused here, unless the caller matches the labels first (:mod:`exactdp.model.vectors`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from operator import index
from typing import Any

from exactdp.errors import InputError, ParameterRangeError, brief_value, repr_of, wrong_kind
from exactdp.runtime.budget import length_of, require_budget


def entries_of(values: object, what: str) -> list[Any]:
    """The entries of a list, tuple, array, unlabelled series or iterator, in order.

    * ``what``: what it is, in the plural, for the error.
    * raises InputError: it is one text, a set, a mapping, a data frame, a labelled series, or nothing that
      can be iterated over; carries ``value``.

    >>> entries_of((1, "1/2"), "weights")
    [1, '1/2']
    >>> entries_of({1, 2}, "weights")
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: the weights are a set, which has no order; give a list
    """
    if isinstance(values, (list, tuple)):
        return list(values)
    kind = type(values).__name__
    if isinstance(values, (str, bytes, bytearray, memoryview)):
        raise InputError(f"the {what} are {values!r}; give a list", value=values)
    if is_series(values):
        if index_labels(getattr(values, "index", None)) is not None:
            message = f"the {what} are a {kind} with labels, which would be dropped here; give its entries as a list"
            raise InputError(message, value=kind)
        return list(_listed(values))
    if is_frame(values):
        remedy = "read it with Table.from_pandas, or with from_floats if they are floats"
        message = f"the {what} are a {kind}, whose labels would be dropped here; {remedy}"
        raise InputError(message, value=kind)
    if is_mapping(values):
        raise InputError(f"the {what} are a {kind}, whose keys would be dropped here; give a list", value=kind)
    if getattr(getattr(values, "dtype", None), "names", None):
        raise InputError(f"the {what} are a {kind} with named fields, which would be dropped here; give a list", value=kind)
    if isinstance(values, Set):
        raise InputError(f"the {what} are a {kind}, which has no order; give a list", value=kind)
    if not isinstance(values, Iterable) and not hasattr(values, "__getitem__"):
        raise InputError(f"the {what} are {repr_of(values)}; give a list", value=values)
    if isinstance(values, range):
        require_budget(f"the list of {what}", numbers=length_of(values))
    try:
        return list(values)  # type: ignore[call-overload,no-any-return]
    except (TypeError, InputError) as error:  # an array without dimensions, or a matrix
        if isinstance(error, InputError) and isinstance(values, Iterable):
            raise
        raise InputError(f"the {what} are {repr_of(values)}; give a list", value=values) from None


def members_of(values: object, what: str) -> list[Any]:
    """The members of a collection whose order does not matter: a set, or what :func:`entries_of` takes.

    >>> sorted(members_of({2, 1}, "input numbers"))
    [1, 2]
    """
    return list(values) if isinstance(values, Set) else entries_of(values, what)


def number_of_place(value: object, what: str) -> int:
    """An int that numbers a place; a truth value, a float or a text is refused.

    >>> number_of_place(True, "input number")
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: True (a bool) is no input number; give an int
    """
    if type(value).__name__ not in {"bool", "bool_"} and hasattr(value, "__index__"):
        try:
            return index(value)
        except TypeError:  # an array of several entries
            pass
    raise InputError(f"{brief_value(value)} is no {what}; give an int", value=value)


def is_mapping(values: object) -> bool:
    """Whether the object pairs keys with values (a dict, a Counter)."""
    if is_frame(values) or hasattr(values, "dtype"):
        return False
    return isinstance(values, Mapping) or (hasattr(values, "keys") and hasattr(values, "__getitem__"))


def is_frame(values: object) -> bool:
    """Whether the object is a data frame: columns with names."""
    return hasattr(values, "columns") and hasattr(values, "to_numpy")


def frame_rows(frame: Any) -> list[list[Any]]:
    """The entries of a pandas frame in rows, each as the object of its own kind that it is."""
    if not is_frame(frame) or not hasattr(frame, "iloc"):
        raise InputError(f"{frame!r} (a {type(frame).__name__}) is no data frame of pandas", value=type(frame).__name__)
    columns = [frame.iloc[:, j].tolist() for j in range(frame.shape[1])]
    return [list(row) for row in zip(*columns, strict=True)]


def is_series(values: object) -> bool:
    """Whether the object is one column of a data frame."""
    return hasattr(values, "to_numpy") and not hasattr(values, "columns") and hasattr(values, "dtype") and hasattr(values, "name")


def index_labels(names: Any) -> list[Any] | None:
    """The labels of a pandas index; ``None`` if there are none, or only the default numbers 0, 1, …

    An index that was given as 0, 1, … is a labelling like any other.
    """
    if names is None or callable(names):
        return None
    if type(names).__name__ == "RangeIndex" and names.start == 0 and names.step == 1:
        return None
    return list(names.tolist())


def _listed(values: Any) -> list[Any]:
    """The entries as Python objects, each of its own kind."""
    return list(values.to_list() if hasattr(values, "to_list") else values.tolist())


def as_count(value: object, name: str, *, least: int = 0) -> int:
    """An int that counts something, at least this much.

    >>> as_count(3, "number of tries")
    3
    """
    if type(value) is not int:
        raise wrong_kind(name, value, "an int")
    if value < least:
        message = f"the {name} is {value}, but must be at least {least}"
        raise ParameterRangeError(message, name=name, value=value, allowed=f">= {least}")
    return value


def as_flag(value: object, name: str) -> bool:
    """A truth value.

    >>> as_flag(True, "flag theorems")
    True
    """
    if not isinstance(value, bool):
        raise wrong_kind(name, value, "True or False")
    return value
