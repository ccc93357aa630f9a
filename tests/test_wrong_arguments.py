"""Every public function with twelve wrong kinds of arguments: the error names the argument, and what it got.

What is not wrong for an argument may be answered. Nothing is shown of the inside, and nothing hangs: all is
small.
"""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from oracles import available
from public_calls import FUNCTIONS, NEAR, G, arguments_of, public

import exactdp as xdp
from exactdp.door import SAID
from exactdp.errors import LONGEST_MESSAGE, ExactDPError, LabelError, ShapeError

FLOATS = [[0.5, 0.5], [0.25, 0.75]]
WRONG: dict[str, Any] = {
    "None": None,
    "a float": 0.5,
    "nonsense": "no such thing",
    "a matrix of another size": [["1/2", "1/2", "0"]] * 2,
    "an array of floats": np.array(FLOATS),
    **({"a frame of floats": import_module("pandas").DataFrame(FLOATS)} if available("pandas") else {}),
    "a dict": {"a": 1},
    "a verdict": xdp.is_private(G, NEAR, "1/4"),
    "a class": xdp.Mechanism,
    "nan": float("nan"),
    "a negative number": -3,
}
"""Eleven of them, one with pandas; the twelfth are swapped arguments."""

INSIDE = re.compile(
    r"0x[0-9a-f]{5}|object at|<function|<class|<member|NoneType|exactdp\.[a-z]+\.|__|fmpq|has no attribute|unhashable|Traceback"
    r"|not iterable|subscriptable|NotImplemented|np\.float|\n"
)
"""What Python says of an object, or of a line of ours."""

OTHERS_CODE = {"query", "question", "arguments", "options", "topics", "progress"}
"""A function that is given is called, and what it raises is its own; so is what a listener raises."""

EXCLUSIVE = {"epsilon": ("alpha", "base", "keep", "level"), "alpha": ("keep",)}
"""What is given instead of another argument, not beside it."""

WITHIN = {
    "losses": "loss",  # of which it has several
    "measure": "base",
}


def names(function: Any, argument: str, error: ExactDPError) -> set[str]:
    """The words of which a message must have one: sizes and labels are about two arguments."""
    several = list(inspect.signature(function).parameters) if isinstance(error, ShapeError | LabelError) else []
    found = {argument, WITHIN.get(argument, argument), *several}
    return {word for name in found for word in (name, name.replace("_", " "), name.rstrip("s"), *SAID.get(name, ()))}


def refusal(name: str, given: dict[str, Any]) -> ExactDPError | None:
    """The error of a call; None if it is answered."""
    try:
        answer = public(name)(**given)
        if inspect.isgenerator(answer):
            list(answer)
    except ExactDPError as error:
        return error
    return None


CASES = [(name, argument) for name in FUNCTIONS for argument in inspect.signature(public(name)).parameters if argument not in OTHERS_CODE]


@pytest.mark.parametrize(("name", "argument"), CASES, ids=[f"{name}-{argument}" for name, argument in CASES])
def test_an_argument_of_a_wrong_kind_is_named(name, argument):
    base = {key: value for key, value in arguments_of(name).items() if key not in EXCLUSIVE.get(argument, ())}
    assert name == "implemented_by" or argument in EXCLUSIVE or refusal(name, base) is None
    for kind, wrong in WRONG.items():
        error = refusal(name, {**base, argument: wrong})
        if error is None:
            continue
        message = str(error)
        assert len(message) <= LONGEST_MESSAGE, kind
        assert not INSIDE.search(message), (kind, message)
        words = names(public(name), argument, error)
        assert any(re.search(rf"(?<![^\W_]){re.escape(word)}", message, re.IGNORECASE) for word in words), (kind, message)


TWO = [(name, pair) for name in FUNCTIONS if len(pair := [key for key in arguments_of(name) if key not in OTHERS_CODE][:2]) == 2]


@pytest.mark.parametrize(("name", "pair"), TWO, ids=[name for name, _ in TWO])
def test_swapped_arguments_are_named(name, pair):
    given = arguments_of(name)
    given[pair[0]], given[pair[1]] = given[pair[1]], given[pair[0]]
    error = refusal(name, given)
    if error is not None:
        message = str(error)
        assert not INSIDE.search(message), message
        words = set().union(*(names(public(name), key, error) for key in pair))
        assert any(re.search(rf"(?<![^\W_]){re.escape(word)}", message, re.IGNORECASE) for word in words), message


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_wrong_keyword_is_answered_with_the_right_one(name):
    parameters = [key for key, one in inspect.signature(public(name)).parameters.items() if one.kind is not one.VAR_POSITIONAL]
    if any(one.kind is one.VAR_KEYWORD for one in inspect.signature(public(name)).parameters.values()):
        return
    meant = max(parameters, key=len)
    given = {key: value for key, value in arguments_of(name).items() if key != meant}
    with pytest.raises(TypeError, match=rf"{public(name).__name__}\(\) has no argument '{meant}x'; ") as caught:
        public(name)(**given, **{f"{meant}x": "1/2"})
    assert caught.value.__cause__ is None
    if len(meant) > 2:
        assert f"did you mean {meant}?" in str(caught.value)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: xdp.is_private(G, eps="1/4", neighbours="path"), "did you mean epsilon='1/4'?"),
        (lambda: xdp.tightest_level(table=G, neighbours="path"), "did you mean mechanism?"),
        (lambda: xdp.optimum("path:3", "1/2", gain="zero-one"), "did you mean consumer='zero-one'?"),
    ],
)
def test_a_word_of_the_command_line_is_answered_with_the_argument(call, said):
    with pytest.raises(TypeError, match=re.escape(said)):
        call()


def test_an_error_from_inside_is_left_alone():
    """A TypeError of somebody's own function is no wrong keyword, whatever it says."""

    def query(*values):
        raise TypeError("query() got an unexpected keyword argument 'x'")

    with pytest.raises(TypeError, match="unexpected keyword argument 'x'"):
        xdp.query_graph(query, range(2), 2)


def test_the_door_changes_nothing_else():
    import pickle

    from exactdp.analysis import privacy

    assert xdp.is_private is xdp.privacy.is_private
    assert inspect.unwrap(xdp.is_private) is inspect.unwrap(privacy.is_private)
    assert inspect.signature(xdp.is_private) == inspect.signature(privacy.is_private)
    assert xdp.is_private.__doc__ == privacy.is_private.__doc__
    for name in FUNCTIONS:
        assert pickle.loads(pickle.dumps(public(name))) is public(name)
    with pytest.raises(ExactDPError) as caught:
        xdp.least_delta(G, NEAR, "1/2", time_limit="long")
    assert pickle.loads(pickle.dumps(caught.value)).message == str(caught.value)


WORKS = {
    "level": ("give α, such as '1/4'", {"level": "1/4"}, {"level": "ln 3"}, {"level": xdp.Epsilon(1)}, {"level": "ε = 1/10"}),
    "epsilon": ("give ε as a number such as 1", {"epsilon": 1}, {"epsilon": "1/10"}, {"epsilon": "ln 3"}),
}


@pytest.mark.parametrize("argument", WORKS)
@pytest.mark.parametrize("kind", WRONG)
def test_the_remedy_of_a_level_is_a_level(argument, kind):
    """An integer, which is an exact number, is no level α: it is not what one is told to give."""
    said, *others = WORKS[argument]
    error = refusal("is_private", {"mechanism": G, "neighbours": NEAR, argument: WRONG[kind]})
    if kind in {"None", "a float", "a negative number"} or (argument, kind) == ("epsilon", "nonsense"):
        assert error is not None
        assert re.search("give|write", str(error)) or kind == "a negative number", str(error)
    else:
        assert said in str(error), str(error)
        assert "pass text, an int" not in str(error)
    for given in others:
        assert refusal("is_private", {"mechanism": G, "neighbours": NEAR, **given}) is None


def test_a_message_says_of_which_argument_a_list_is_too_short():
    for ask, said in (
        (lambda: xdp.vulnerability(G, prior=["1/2", "1/2"], gain="zero-one"), "2 weights for 4 inputs: 4 needed, one for each"),
        (lambda: xdp.lumped(xdp.GeometricNoise("1/2"), range(3), lower="a"), "lower = 'a' is not an int, the lower end of the results"),
    ):
        with pytest.raises(ExactDPError, match=re.escape(said)):
            ask()
