# SPDX-License-Identifier: MIT
"""British and American: every keyword and public name is heard in both spellings, and means the same."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import pytest
from public_calls import FUNCTIONS, arguments_of, public
from public_names import PUBLIC, thing

import exactdp as xdp
from exactdp.spelling import other_spelling, own_spelling


def spelled_otherwise(function: Any) -> dict[str, str]:
    """The parameters that have another spelling, with it."""
    return {name: other_spelling(name) for name in inspect.signature(function).parameters if other_spelling(name) != name}


METHODS = [
    (name, key)
    for name in PUBLIC
    if inspect.isclass(thing(name))
    for key, found in inspect.getmembers_static(thing(name))
    if not key.startswith("_") and callable(method := getattr(found, "__func__", found)) and not inspect.isclass(method)
    if spelled_otherwise(method)
]
"""Methods of public classes that take such a parameter."""


def said(answer: Any) -> str:
    """What an answer says, in full."""
    return str([repr(one) for one in answer]) if inspect.isgenerator(answer) else repr(answer)


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if spelled_otherwise(public(name))])
def test_a_keyword_of_a_public_function_is_heard_in_both_spellings(name):
    given, others = arguments_of(name), spelled_otherwise(public(name))
    asked = {others.get(key, key): value for key, value in given.items()}
    assert asked.keys() != given.keys()
    assert said(public(name)(**asked)) == said(public(name)(**given))
    with pytest.raises(TypeError, match="got neighbours and neighbors, which are one argument"):
        public(name)(**(given | asked))


@pytest.mark.parametrize(("name", "key"), METHODS, ids=[f"{name}.{key}" for name, key in METHODS])
def test_a_keyword_of_a_method_is_heard_in_both_spellings(name, key):
    loss, near = xdp.Loss.absolute(range(3)), xdp.neighbours("path:3")
    prior = ["1/2", "1/4", "1/4"]
    of = {
        "Loss": loss,
        "MinimaxConsumer": xdp.MinimaxConsumer(loss),
        "BayesianConsumer": xdp.BayesianConsumer(loss, prior),
        "Scores": xdp.Scores([["0", "3/2"], ["1/2", "1"]]),
    }[name]
    near = xdp.neighbours("path:2") if name == "Scores" else near
    needed = {"over": {"loss": "distance"} if name == "Loss" else {}}.get(key, {})
    given = needed | ({"inputs": near.vertices} if key == "over" else {})
    method = getattr(of, key)
    assert method(**given, neighbors=near) == method(**given, neighbours=near)
    with pytest.raises(TypeError, match="one argument"):
        method(**given, neighbors=near, neighbours=near)


def test_there_are_such_methods():
    assert len(METHODS) >= 9


def test_a_constructor_has_no_such_parameter():
    """The door is before functions: a class would not hear the other spelling."""
    for name in PUBLIC:
        if name == "Policy":  # its fields are the keys of the file, which has one spelling
            continue
        if inspect.isclass(thing(name)) and "__init__" in vars(thing(name)):
            assert not spelled_otherwise(thing(name)), name


def test_no_parameter_is_spelled_otherwise_itself():
    for name in FUNCTIONS:
        assert all(own_spelling(key) == key for key in inspect.signature(public(name)).parameters), name


@pytest.mark.parametrize("name", [name for name in PUBLIC if other_spelling(name) != name])
def test_a_public_name_is_found_in_both_spellings(name):
    assert getattr(xdp, other_spelling(name)) is getattr(xdp, name)


def test_the_stub_knows_the_other_spellings():
    """Type checkers read it."""
    stub = Path(xdp.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^(\w+) = (\w+)$", stub, re.MULTILINE))
    others = {other_spelling(name): name for name in PUBLIC if other_spelling(name) != name}
    assert {other: name for other, name in others.items() if other not in PUBLIC} == listed


def test_a_name_of_a_topic_is_found_in_both_spellings():
    assert xdp.mechanisms.randomised_response is xdp.mechanisms.randomized_response


@pytest.mark.parametrize("wrong", ["neighbor", "neighbouring", "neigbours"])
def test_a_keyword_in_no_spelling_is_answered_with_the_right_one(wrong):
    with pytest.raises(TypeError, match=f"has no argument '{wrong}'; did you mean neighbours"):
        xdp.tightest_level(xdp.geometric(2, "1/2"), **{wrong: "path"})
