# SPDX-License-Identifier: MIT
"""Frozen values: classes whose objects are what their fields are, made without generating code.

A short command makes some seventy such classes before it answers. :mod:`dataclasses` writes up to six
functions for each and has Python compile them, which takes most of a millisecond a class. Here all classes
share their functions. The fields are those of :mod:`dataclasses`, so that :func:`dataclasses.field`,
``fields``, ``replace`` and ``match`` work as for a frozen dataclass with slots.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from functools import partial
from operator import attrgetter
from reprlib import recursive_repr
from typing import Any, dataclass_transform


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: Any = None, /, *, init: bool = True, repr: bool = True, eq: bool = True, kw_only: bool = False) -> Any:
    """Make a class one of frozen values, with slots, as ``dataclass(frozen=True, slots=True)`` does.

    What the class defines itself stays. ``__post_init__`` is called when the fields are set.

    Parameters
    ----------
    cls : type
        The class; left out where there are options.
    init : bool
        Whether the fields are the arguments. If not, the class has an ``__init__``, which calls :func:`fill`.
    repr : bool
        Whether the fields are shown.
    eq : bool
        Whether objects with equal fields are equal, and have one hash.
    kw_only : bool
        Whether arguments are given by name only.

    Examples
    --------
    >>> @frozen
    ... class Pair:
    ...     first: int
    ...     second: int = 0
    >>> Pair(1), Pair(1) == Pair(1, second=0), Pair(1) == Pair(2)
    (Pair(first=1, second=0), True, False)
    >>> Pair(1).second = 2
    Traceback (most recent call last):
    dataclasses.FrozenInstanceError: cannot assign to field 'second'
    """
    if cls is None:
        return partial(frozen, init=init, repr=repr, eq=eq, kw_only=kw_only)
    own = set(vars(cls)) - ({"__hash__"} if vars(cls).get("__hash__") is None else set())
    made = dataclass(init=False, repr=False, eq=False, kw_only=kw_only, slots=True)(cls)
    shared: dict[str, Any] = {
        "__setattr__": _set,
        "__delattr__": _delete,
        "__getstate__": _state,
        "__setstate__": _restore,
        "_set_fields": _filling(made),
    }
    if init:
        shared |= {"__init__": shared["_set_fields"], "__signature__": _Signature()}
    if repr:
        shared["__repr__"] = _shown
    if eq:
        shared |= {"__eq__": _equal, "__hash__": _hashed, "_compared": staticmethod(_getter([f.name for f in fields(made) if f.compare]))}
    for name, what in shared.items():
        if name not in own:
            setattr(made, name, what)
    return made


def fill(new: Any, *values: object) -> None:
    """Set the fields of an object, in their order, in the ``__init__`` of its class, but for defaults.

    >>> @frozen(init=False)
    ... class Square:
    ...     area: int
    ...     def __init__(self, side: int) -> None:
    ...         fill(self, side * side)
    >>> Square(3)
    Square(area=9)
    """
    new._set_fields(*values)


def _arguments(cls: Any) -> list[Field[Any]]:
    """The fields that are given, those by name only last."""
    return sorted((f for f in fields(cls) if f.init), key=lambda f: bool(f.kw_only))


def _filling(cls: Any) -> Callable[..., None]:
    """What sets the fields of a new object, by the descriptors of its slots."""
    given = _arguments(cls)
    names = tuple(f.name for f in given)
    puts = tuple(getattr(cls, name).__set__ for name in names)
    count, by_position = len(names), sum(not f.kw_only for f in given)
    constants = {f.name: f.default for f in given if f.default is not MISSING}
    makers: dict[str, Callable[[], Any]] = {f.name: f.default_factory for f in given if f.default_factory is not MISSING}
    then = hasattr(cls, "__post_init__")

    def fill(self: Any, /, *values: Any, **named: Any) -> None:
        if named or len(values) != count or by_position != count:
            values = bound(values, named)
        for put, value in zip(puts, values):  # noqa: B905 - strict takes its time, and their number is known
            put(self, value)
        if then:
            self.__post_init__()

    def bound(values: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
        """One value a field."""
        if len(values) > by_position:
            raise TypeError(f"{cls.__name__}() takes {by_position} arguments by position, but {len(values)} were given")
        found = list(values)
        for name in names[len(values) :]:
            if name in named:
                found.append(named.pop(name))
            elif name in constants:
                found.append(constants[name])
            elif name in makers:
                found.append(makers[name]())
            else:
                raise TypeError(f"{cls.__name__}() misses the argument {name!r}")
        if named:
            name = next(iter(named))
            raise TypeError(f"{cls.__name__}() got {'two values for' if name in names else 'an unknown argument'} {name!r}")
        return tuple(found)

    return fill


class _Signature:
    """``inspect.signature`` of a class, made when it is asked for."""

    def __get__(self, instance: object, cls: Any) -> Any:
        if instance is not None or cls.__init__ is not cls._set_fields:
            raise AttributeError("__signature__")
        from inspect import Parameter, Signature

        parameters = []
        for f in _arguments(cls):
            kind = Parameter.KEYWORD_ONLY if f.kw_only else Parameter.POSITIONAL_OR_KEYWORD
            default = f.default if f.default is not MISSING else Parameter.empty if f.default_factory is MISSING else f.default_factory()
            parameters.append(Parameter(f.name, kind, default=default, annotation=f.type))
        return Signature(parameters, return_annotation=None)


def _getter(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """The values of these attributes of an object."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda self: tuple(getattr(self, name) for name in names)


def _set(self: Any, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(self: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, f.name) for f in fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for f, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, f.name, value)


@recursive_repr("...")
def _shown(self: Any) -> str:
    return f"{type(self).__qualname__}({', '.join(f'{f.name}={getattr(self, f.name)!r}' for f in fields(self) if f.repr)})"


def _equal(self: Any, other: Any) -> Any:
    if self is other:
        return True
    return self._compared(self) == self._compared(other) if type(other) is type(self) else NotImplemented


def _hashed(self: Any) -> int:
    return hash(self._compared(self))
