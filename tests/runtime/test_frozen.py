"""Frozen values against the dataclasses that they stand for."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.runtime.frozen import fill, frozen


class Usual:
    first: int
    second: str = "x"
    third: list[int] = field(default_factory=list, compare=False)
    hidden: int = field(default=0, repr=False)


class Named:
    a: int
    b: int = field(default=2, kw_only=True)
    c: int = 3


class Nothing:
    """No field at all."""


class One:
    only: Any


BODIES = [Usual, Named, Nothing, One]


@cache
def pair(body, **options):
    """The class as ours and as a dataclass, each from a body of its own."""
    made = []
    for maker in (frozen, partial(dataclass, frozen=True, slots=True)):
        space = {key: copy.copy(value) for key, value in vars(body).items() if key not in {"__dict__", "__weakref__"}}
        made.append(maker(**options)(type(body.__name__, (), space)))
    return made


def outcome(function, *values, **named):
    """What is returned, or that it is a TypeError."""
    try:
        return function(*values, **named)
    except TypeError:
        return TypeError


def facts(thing):
    """All that can be told of an object without its class."""
    if thing is TypeError:
        return thing
    shown = [(f.name, getattr(thing, f.name)) for f in dataclasses.fields(thing)]
    return shown, repr(thing), outcome(hash, thing), dataclasses.asdict(thing)


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("options", [{}, {"kw_only": True}, {"eq": False}])
@settings(max_examples=40)
@given(
    values=st.lists(st.integers(0, 2), max_size=4),
    named=st.dictionaries(
        st.sampled_from(["first", "second", "third", "hidden", "a", "b", "c", "only", "other"]), st.integers(0, 2), max_size=3
    ),
)
def test_arguments_are_taken_as_a_dataclass_takes_them(body, options, values, named):
    ours, theirs = pair(body, **options)
    mine, other = outcome(ours, *values, **named), outcome(theirs, *values, **named)
    assert (mine is TypeError) == (other is TypeError)
    if mine is not TypeError and "eq" not in options:
        assert facts(mine) == facts(other)
        assert mine == ours(*values, **named)
        assert mine != other


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("options", [{}, {"kw_only": True}])
def test_it_looks_like_a_dataclass(body, options):
    ours, theirs = pair(body, **options)
    assert ours.__match_args__ == theirs.__match_args__
    assert ours.__slots__ == theirs.__slots__
    assert [p.kind for p in inspect.signature(ours).parameters.values()] == [p.kind for p in inspect.signature(theirs).parameters.values()]
    assert list(inspect.signature(ours).parameters) == list(inspect.signature(theirs).parameters)
    assert dataclasses.is_dataclass(ours)


@settings(max_examples=30)
@given(x=st.integers(), y=st.integers(), u=st.text(), v=st.text())
def test_equality_and_hash_are_those_of_the_compared_fields(x, y, u, v):
    ours, theirs = pair(Usual)
    assert (ours(x, u, [1]) == ours(y, v, [2])) == (theirs(x, u, [1]) == theirs(y, v, [2])) == ((x, u) == (y, v))
    assert hash(ours(x, u)) == hash(theirs(x, u))


@frozen
class Point:
    """With a check and a place that is computed."""

    x: int
    y: int = 0
    norm: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        if self.x < 0:
            raise ValueError("x is negative")
        object.__setattr__(self, "norm", self.x**2 + self.y**2)


@frozen
class Deeper(Point):
    """A subclass."""

    z: int = 0

    def __repr__(self) -> str:
        return f"<{self.x} {self.y} {self.z}>"


@frozen(init=False, repr=False)
class Square:
    """With an ``__init__`` of its own."""

    area: int
    name: str = "a"

    def __init__(self, side: int) -> None:
        fill(self, side * side)


def test_checks_and_subclasses():
    assert (Point(3, 4).norm, Deeper(3, 4, z=5).norm) == (25, 25)
    assert Point(1) != Deeper(1)
    assert repr(Deeper(1, 2, 3)) == "<1 2 3>"
    assert Square(3).area == 9
    assert "Square object" in repr(Square(3))
    assert list(inspect.signature(Square).parameters) == ["side"]
    with pytest.raises(ValueError, match="negative"):
        Point(-1)
    with pytest.raises(ValueError, match="negative"):
        dataclasses.replace(Point(1), x=-1)


@pytest.mark.parametrize("thing", [Point(3, 4), Deeper(1, 2, 3), Square(2)])
def test_copies_are_equal_and_nothing_changes(thing):
    for again in (pickle.loads(pickle.dumps(thing)), copy.copy(thing), copy.deepcopy(thing)):
        assert again == thing
        assert hash(again) == hash(thing)
        assert [getattr(again, f.name) for f in dataclasses.fields(again)] == [getattr(thing, f.name) for f in dataclasses.fields(thing)]
    name = dataclasses.fields(thing)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(thing, name, 1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        delattr(thing, name)
    with pytest.raises(AttributeError):
        thing.another = 1


def test_match_and_recursion():
    match Point(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)
    ours, theirs = pair(One)
    inside: list[Any] = []
    mine, other = ours(inside), theirs(inside)
    inside.append(mine)
    shown = repr(mine)
    inside[0] = other
    assert shown == repr(other) == "One(only=[...])"
