# SPDX-License-Identifier: MIT
"""Values are frozen dataclasses: checked when they are made, changed by nothing, equal by their fields."""

from __future__ import annotations

import ast
import copy
import dataclasses
import inspect
import itertools
import pickle
from typing import ClassVar

import pytest
from places import ROOT

from exactdp import BayesianConsumer, Epsilon, Graph, Loss, Mechanism, Prior, PrivacyLevel, Remap, SideInformation
from exactdp.exact import Interval
from exactdp.mechanisms.noise import FiniteNoise
from exactdp.model.tightest_level import TightestLevel
from exactdp.runtime.progress import Progress
from exactdp.runtime.values import dataclass

VALUES = [
    Mechanism([["2/3", "1/3"], ["1/3", "2/3"]]),
    Remap([[1, 0], [0, 1]]),
    PrivacyLevel("1/4"),
    TightestLevel("1/2", 2),
    Epsilon("ln(3)"),
    Graph.path(3),
    Prior.uniform(("a", "b")),
    SideInformation([0], ("a", "b")),
    BayesianConsumer(Loss.absolute(range(2)), "1/2,1/2"),
    FiniteNoise({0: 1}),
    Interval(0, "1/2"),
    Progress("words", 1, 2, "words"),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_a_value_is_its_fields_and_nothing_changes_it(value):
    for again in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
        assert again == value
        assert hash(again) == hash(value)
        assert type(again) is type(value)
    assert value != object()
    name = dataclasses.fields(value)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(value, name, 1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        delattr(value, name)
    assert not hasattr(value, "__dict__")


def unchecked(tree):
    """The dataclasses with an ``__init__`` of their own and a check that it does not call."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            own = any("init=False" in ast.unparse(line) for line in node.decorator_list)
            if own and any(isinstance(part, ast.FunctionDef) and part.name == "__post_init__" for part in node.body):
                yield node.name


def test_no_check_is_left_out():
    """A dataclass calls ``__post_init__`` in the ``__init__`` that it writes, and nowhere else."""
    for path in (ROOT / "exactdp").rglob("*.py"):
        assert list(unchecked(ast.parse(path.read_text(encoding="utf-8")))) == [], path
    broken = "@dataclass(frozen=True, init=False)\nclass A:\n    def __post_init__(self): ..."
    assert list(unchecked(ast.parse(broken))) == ["A"]


def plain(decorate):
    @decorate
    class Value:
        """A value."""

        x: int
        y: tuple[int, ...] = (1,)

    return Value


def with_all_kinds_of_fields(decorate):
    @decorate
    class Value:
        """A value."""

        kind: ClassVar[str] = "a kind"
        x: int
        name: str = dataclasses.field(default="", compare=False)
        items: list[int] = dataclasses.field(default_factory=list, hash=False)
        hidden: int = dataclasses.field(default=3, repr=False, kw_only=True)
        made: int = dataclasses.field(init=False, compare=False)

        def __post_init__(self):
            object.__setattr__(self, "made", 2 * self.x)

    return Value


def with_methods(decorate):
    @decorate
    class Value:  # noqa: PLW1641
        """A value."""

        x: int = 0
        known: tuple[int, ...] = dataclasses.field(default=(7,), init=False)

        def __eq__(self, other):
            return isinstance(other, Value) and abs(self.x) == abs(other.x)

        def __repr__(self):
            return "own"

    return Value


def with_a_hash(decorate):
    @decorate
    class Value:
        """A value."""

        x: int = 0

        def __hash__(self):
            return 5

    return Value


def empty(decorate):
    @decorate
    class Value:
        """A value."""

    return Value


def without_docstring(decorate):
    @decorate
    class Value:
        x: int = 0

    return Value


def inheriting(decorate):
    @decorate
    class Value(plain(decorate)):
        """A value."""

        z: int = 0

    return Value


def outcome(act):
    """What is returned, or the kind of the error and what it says."""
    try:
        return act()
    except Exception as error:
        return type(error), str(error)


def seen(cls, numbers):
    """All that is seen of a class and of its values."""
    names = [field.name for field in dataclasses.fields(cls)]
    values = [outcome(lambda x=x: cls(x) if "x" in names else cls()) for x in numbers]
    values += [outcome(lambda x=x: cls(x=x) if "x" in names else cls()) for x in numbers]
    values += [outcome(lambda: cls(x=1, name="other")), outcome(lambda: cls(x=1, items=[1])), outcome(lambda: cls(x=1, hidden=4))]
    made = [value for value in values if isinstance(value, cls)]
    told = [str(inspect.signature(cls)), repr(cls.__dataclass_params__), cls.__match_args__, cls.__doc__, cls.__init__.__qualname__]
    told += [value for value in values if not isinstance(value, cls)]
    told += [outcome(lambda v=v: repr(v).replace(hex(id(v)), "")) for v in made]
    told += [outcome(lambda v=v, w=w: (v == w, v != w)) for v in made for w in [*made, 1]]
    told += [outcome(lambda v=v, w=w: hash(v) == hash(w)) for v in made for w in made]
    for value in made:
        told += [[outcome(lambda n=n, v=value: getattr(v, n)) for n in [*names, "kind"]], hasattr(value, "__dict__")]
        for name in names:
            told += [outcome(lambda n=name, v=value: setattr(v, n, 1)), outcome(lambda n=name, v=value: delattr(v, n))]
        copies = copy.copy(value), copy.deepcopy(value), outcome(lambda v=value: dataclasses.replace(v, x=9))
        told += [[outcome(lambda n=n, c=c: getattr(c, n)) for n in names] for c in copies]
    child = outcome(lambda: dataclasses.dataclass(frozen=True)(type("Child", (cls,), {"__annotations__": {"w": "int"}, "w": 1})))
    told.append(str(inspect.signature(child)))
    return told


CLASSES = [plain, with_all_kinds_of_fields, with_methods, with_a_hash, empty, without_docstring, inheriting]


@pytest.mark.parametrize("declare", CLASSES, ids=lambda declare: declare.__name__)
def test_a_class_that_is_made_faster_is_the_same(declare):
    for slots, init, shown, eq, kw_only in itertools.product((False, True), repeat=5):
        options = {"frozen": True, "slots": slots, "init": init, "repr": shown, "eq": eq, "kw_only": kw_only}
        ours, theirs = declare(dataclass(**options)), declare(dataclasses.dataclass(**options))
        assert seen(ours, (1, -1)) == seen(theirs, (1, -1)), options


def test_a_class_that_is_not_frozen_is_made_by_dataclasses():
    value = plain(dataclass)(1)
    value.x = 2
    assert not type(value).__dataclass_params__.frozen
    assert plain(dataclass(frozen=True, order=True)).__lt__ is not object.__lt__


def test_no_attribute_is_added_to_a_frozen_value():
    with pytest.raises(dataclasses.FrozenInstanceError):
        plain(dataclass(frozen=True))(1).other = 1
    with pytest.raises(AttributeError):
        plain(dataclass(frozen=True, slots=True))(1).other = 1
