# SPDX-License-Identifier: MIT
"""Frozen dataclasses whose classes are made in a third of the time.

For a frozen class :func:`dataclasses.dataclass` compiles six functions, which takes half a millisecond, and a
command has a hundred such classes. Here only ``__init__`` is compiled. The others go through the names of the
fields. What such a class does is what it does there, and ``tests/runtime/test_values.py`` compares them. What
is not frozen, inherits fields or has no docstring is made there.

>>> @dataclass(frozen=True, slots=True)
... class Point:
...     "A point."
...     x: int
...     y: int = 0
>>> Point(1), Point(1) == Point(1, 0), {Point(1): "found"}[Point(1)]
(Point(x=1, y=0), True, 'found')
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]


class _Factory:
    """Stands in a signature where a default is made anew for each value."""

    def __repr__(self) -> str:
        return "<factory>"


_FACTORY = _Factory()


def _dataclass(cls: type[Any] | None = None, /, **options: Any) -> Any:
    """The same as :func:`dataclasses.dataclass`."""

    def decorated(undecorated: type[Any]) -> type[Any]:
        if options.get("frozen") and options.keys() <= _KNOWN and _is_plain(undecorated):
            return _frozen(undecorated, **options)
        return dataclasses.dataclass(undecorated, **options)

    return decorated if cls is None else decorated(cls)


if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    dataclass = _dataclass

_KNOWN = frozenset({"frozen", "slots", "init", "repr", "eq", "kw_only"})


def _is_plain(cls: type[Any]) -> bool:
    """Whether the fields are those of the class alone, and it has a docstring: else its signature is one."""
    inherits = any(hasattr(base, "__dataclass_fields__") for base in cls.__mro__[1:])
    only_for_init = any("InitVar" in str(kind) for kind in vars(cls).get("__annotations__", {}).values())
    own = vars(cls).keys() & {"__setattr__", "__delattr__"}
    return bool(cls.__doc__) and not (inherits or only_for_init or own)


def _frozen(
    cls: type[Any], *, frozen: bool, slots: bool = False, init: bool = True, repr: bool = True, eq: bool = True, kw_only: bool = False
) -> type[Any]:
    """The class with its fields, and then with its methods."""
    explicit_hash = vars(cls).get("__hash__") is not None
    made = dataclasses.dataclass(cls, init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)
    for option, value in {"init": init, "repr": repr, "eq": eq, "frozen": frozen}.items():
        setattr(made.__dataclass_params__, option, value)
    fields = dataclasses.fields(made)
    names = tuple(field.name for field in fields)
    methods = _unchangeable(made, frozenset(names))
    if slots:
        methods |= _pickled(names)
    if init:
        methods["__init__"] = _initialiser(made, fields, slots=slots)
    if repr:
        methods["__repr__"] = _representation([field.name for field in fields if field.repr])
    if eq:
        methods["__eq__"] = _equality([field.name for field in fields if field.compare])
    own = set(vars(made))
    if eq and not explicit_hash:
        methods["__hash__"] = _hash([field.name for field in fields if (field.compare if field.hash is None else field.hash)])
        own.discard("__hash__")  # None, where there is an __eq__
    for name, method in methods.items():
        if name not in own:
            method.__name__, method.__qualname__ = name, f"{cls.__qualname__}.{name}"
            setattr(made, name, method)
    return made


def _initialiser(cls: type[Any], fields: Sequence[Field[Any]], *, slots: bool) -> Callable[..., Any]:
    """``__init__`` sets the fields in their order, and then calls ``__post_init__`` if there is one."""
    known: dict[str, Any] = {"__set": object.__setattr__, "__factory": _FACTORY}
    lines = []
    for field in fields:
        name, default = field.name, f"__default_{field.name}"
        made_anew = field.default_factory is not MISSING
        if made_anew or field.default is not MISSING:
            known[default] = field.default_factory if made_anew else field.default
        if field.init:
            value = f"{default}() if {name} is __factory else {name}" if made_anew else name
        elif made_anew or (slots and field.default is not MISSING):
            value = f"{default}()" if made_anew else default
        else:
            continue
        lines.append(f"__set(self, {name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    given = [field for field in fields if field.init]
    by_place = [_parameter(field) for field in given if not field.kw_only]
    by_name = [_parameter(field) for field in given if field.kw_only]
    signature = ", ".join(["self", *by_place, *(["*", *by_name] if by_name else [])])
    body = "\n  ".join(lines or ["pass"])
    source = f"def _make({', '.join(known)}):\n def __init__({signature}):\n  {body}\n return __init__"
    scope: dict[str, Any] = {}
    exec(source, vars(sys.modules[cls.__module__]) if cls.__module__ in sys.modules else {}, scope)
    method: Callable[..., Any] = scope["_make"](**known)
    method.__annotations__ = {**{field.name: field.type for field in given}, "return": None}
    return method


def _parameter(field: Field[Any]) -> str:
    """A parameter with its default."""
    if field.default_factory is not MISSING:
        return f"{field.name}=__factory"
    return field.name if field.default is MISSING else f"{field.name}=__default_{field.name}"


def _values(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    """What gives the values of some fields."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: tuple([getattr(value, name) for name in names])


def _equality(names: Sequence[str]) -> Callable[..., Any]:
    values = _values(names)

    def equal(self: Any, other: object) -> Any:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    return equal


def _hash(names: Sequence[str]) -> Callable[..., Any]:
    values = _values(names)

    def hashed(self: Any) -> int:
        return hash(values(self))

    return hashed


def _representation(names: Sequence[str]) -> Callable[..., Any]:
    @recursive_repr()
    def shown(self: Any) -> str:
        values = ", ".join([f"{name}={getattr(self, name)!r}" for name in names])
        return f"{self.__class__.__qualname__}({values})"

    return shown


def _unchangeable(cls: type[Any], names: Collection[str]) -> dict[str, Callable[..., Any]]:
    """What refuses to set a field, or to delete it."""

    def set_attribute(self: Any, name: str, value: object) -> None:
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def delete_attribute(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return {"__setattr__": set_attribute, "__delattr__": delete_attribute}


def _pickled(names: Sequence[str]) -> dict[str, Callable[..., Any]]:
    """How a value without ``__dict__`` is pickled and copied."""

    def state_of(self: Any) -> list[Any]:
        return [getattr(self, name) for name in names]

    def set_state(self: Any, state: Sequence[Any]) -> None:
        for name, value in zip(names, state, strict=True):
            object.__setattr__(self, name, value)

    return {"__getstate__": state_of, "__setstate__": set_state}
