# SPDX-License-Identifier: MIT
"""Values are frozen dataclasses: checked when they are made, changed by nothing, equal by their fields."""

from __future__ import annotations

import ast
import copy
import dataclasses
import pickle

import pytest
from places import ROOT

from exactdp import BayesianConsumer, Epsilon, Graph, Loss, Mechanism, Prior, PrivacyLevel, Remap, SideInformation
from exactdp.exact import Interval
from exactdp.mechanisms.noise import FiniteNoise
from exactdp.model.level import TightestLevel
from exactdp.runtime.progress import Progress

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
