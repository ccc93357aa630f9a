# SPDX-License-Identifier: MIT
"""Wherever a level goes, ε goes, in every spelling: all public callables, by what their annotations say.

The answers of two spellings of one level are compared with each other. What a level is, other tests compare
with mpmath.
"""

from __future__ import annotations

import inspect
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
import sympy
from public_calls import NEAR, G, arguments_of, public
from public_names import PUBLIC

import exactdp as xdp
from exactdp.door import needed_arguments
from exactdp.errors import ExactDPError, InexactInputError, InputError
from exactdp.model.level_argument import takes_epsilon

LEVELS = ("level", "alpha", "base", "root")

PRIVATE = xdp.geometric(3, "2/5")
"""Private at both levels that are tried, e^(−1) and 1/3."""


def parameters_of(name: str) -> dict[str, inspect.Parameter]:
    """The parameters of a public callable that take a level or an ε."""
    try:
        signature = inspect.signature(public(name))
    except (TypeError, ValueError):
        return {}
    marks = ("LevelLike", "EpsilonLike")
    return {key: one for key, one in signature.parameters.items() if any(mark in str(one.annotation) for mark in marks)}


TAKING = [name for name in PUBLIC if parameters_of(name) and name not in {"PrivacyLevel", "multi_level_release", "sampled_deltas"}]
"""Public callables with a level; the two functions take several, and are tried below."""

OWN: dict[str, dict[str, Any]] = {
    "determinant": {"matrix": xdp.geometric(2, xdp.PrivacyLevel.symbolic())},
    "private_levels": {"table": xdp.geometric(3, xdp.PrivacyLevel.symbolic()), "neighbours": NEAR},
    "mechanism_from_spec": {"spec": "geometric:n=2"},
    "PrivacyClaim": {},
    "GeometricNoise": {},
    "StaircaseNoise": {},
    "RoundedLaplaceNoise": {},
}
"""Arguments beside the level, where those of all tests have a level in them."""


def beside(name: str) -> dict[str, Any]:
    """The arguments that a callable must have, beside its level."""
    found = dict(OWN[name]) if name in OWN else arguments_of(name)
    for key in (*LEVELS, "epsilon", "keep"):
        found.pop(key, None)
    return found | ({"mechanism": PRIVATE} if "mechanism" in found else {})


def answer(name: str, *args: Any, **level: Any) -> str:
    """What is answered, in words, with what it rests on; ``args``: all that is needed, by position."""
    found = public(name)(*args, **({} if args else beside(name)), **level)
    found = list(found) if inspect.isgenerator(found) else found
    return f"{found!s} {found!r}"


def said(name: str, *args: Any, **level: Any) -> str:
    """What is answered, or why there is no answer: some mechanism is no mixture, or a root is irrational."""
    try:
        return answer(name, *args, **level)
    except ExactDPError as error:
        return f"{type(error).__name__}: {error}"


def level_of(name: str) -> str:
    """What a callable calls its level."""
    return next(key for key in parameters_of(name) if key != "epsilon")


ONE = (xdp.Epsilon(1), "ε=1", "epsilon=1", "eps = 1", "ε = 1.0", "e^(-1)", xdp.PrivacyLevel(epsilon="1"), xdp.PrivacyLevel(epsilon=1))
ONE_EPSILON = (1, "1", "1.0", "ε=1", Fraction(1), Decimal(1), np.int64(1), sympy.Integer(1), xdp.Rational(1), xdp.Epsilon(1))
LN_3 = (xdp.Epsilon("ln 3"), "ln 3", "ln(3)", "log 3", "ε=ln 3", "epsilon = ln(3)", "ε=1/2 ln 9", xdp.PrivacyLevel(epsilon="ln 3"))
LN_3_EPSILON = (
    "ln 3",
    "ln(3)",
    "log(3)",
    "(ln 9)/2",
    "1/2 ln 9",
    "(1/2)*ln(9)",
    sympy.log(3),
    xdp.Epsilon("ln 3"),
    xdp.PrivacyLevel("1/3"),
)


def test_there_are_many():
    assert {"is_private", "optimum", "tight_mechanism", "geometric", "PrivacyClaim", "mechanism_from_spec"} <= set(TAKING)
    assert len(TAKING) > 40


@pytest.mark.parametrize("name", TAKING)
@pytest.mark.parametrize(("levels", "epsilons"), [(ONE, ONE_EPSILON), (LN_3, LN_3_EPSILON)], ids=["1", "ln 3"])
def test_every_spelling_of_a_level(name, levels, epsilons):
    if (name, levels) == ("determinant", ONE):
        pytest.skip("a determinant is evaluated at rational levels")
    found = {said(name, epsilon=one) for one in epsilons}
    key = level_of(name)
    others = {said(name, **{key: one}) for one in levels} if name != "PrivacyClaim" else found
    assert len(found) == len(others) == 1
    assert found == others or key in {"base", "root"}  # of a noise that buys ε, the ratio is another number
    if name not in {"kernel_mixtures", "private_levels"}:
        assert not found.pop().startswith("InputError") or key in {"base", "root"}


@pytest.mark.parametrize("name", TAKING)
@pytest.mark.parametrize("wrong", [0.5, np.float64(0.5), 1.0])
def test_floats_are_refused_with_both_remedies(name, wrong):
    for key in {level_of(name), "epsilon"}:
        with pytest.raises(InexactInputError) as caught:
            answer(name, **{key: wrong})
        assert f"as text ('{float(wrong)}')" in str(caught.value)
        assert f"from_float({'x'})" in str(caught.value)


@pytest.mark.parametrize("name", TAKING)
def test_a_level_and_an_epsilon_are_one_too_many(name):
    with pytest.raises(InputError, match=r"epsilon = 1.* (both given|is given)|give .*, or epsilon|both are given"):
        answer(name, **{level_of(name): "1/3"}, epsilon=1)


def test_several_levels():
    assert xdp.multi_level_release(2, [xdp.Epsilon(2), "ε=1"]).claim == xdp.multi_level_release(2, ["epsilon=2", "e^(-1)"]).claim


def test_what_follows_the_level_may_stand_in_its_place():
    consumer = xdp.MinimaxConsumer("abs")
    by_name = xdp.optimum(NEAR, consumer=consumer, epsilon=1)
    assert str(xdp.optimum(NEAR, consumer, epsilon=1)) == str(by_name) == str(xdp.optimum(NEAR, "ε=1", consumer))
    for both in ((NEAR, "1/4", consumer), (NEAR, xdp.PrivacyLevel("1/4"), consumer)):
        with pytest.raises(InputError, match="level = 1/4 and epsilon = 1 are both given"):
            xdp.optimum(*both, epsilon=1)


def test_what_may_be_a_level_is_never_taken_for_what_follows_it():
    """A prior may be left out, so that the second argument of leakage_bound is its level."""
    with pytest.raises(InputError, match=r"both given; .*by name what follows level"):
        xdp.leakage_bound("path:2", "uniform", epsilon=1)
    assert xdp.leakage_bound("path:2", prior="uniform", epsilon=1).proved


def test_no_epsilon_is_none():
    assert xdp.is_private(G, NEAR, "1/4", epsilon=None).proved
    for given in ({}, {"epsilon": None}):
        with pytest.raises(InputError, match="the level is missing: give level='1/4', or epsilon="):
            xdp.is_private(G, NEAR, **given)


BY_POSITION = [name for name in TAKING if getattr(public(name), "needs_level", None)]
"""Public functions whose level stands among what must be given, unless ε is."""


def placed(name: str, level: object) -> list[Any]:
    """The needed arguments in their order, with this level."""
    others = beside(name)
    return [level if key == level_of(name) else others[key] for key in needed_arguments(public(name))]


@pytest.mark.parametrize("name", BY_POSITION)
def test_a_level_of_none_is_not_given(name):
    """By position and by name; what follows it stands where the signature has it."""
    by_name = said(name, epsilon=1)
    assert said(name, epsilon=1, **{level_of(name): None}) == by_name

    assert said(name, *placed(name, None), epsilon=1) == by_name
    for given in (placed(name, None), []):
        with pytest.raises(InputError, match=r"the level is missing: give level=.*, or epsilon="):
            answer(name, *given, **({} if given else {"level": None}))


@pytest.mark.parametrize("name", BY_POSITION)
def test_a_signature_shows_that_the_level_may_be_left_out(name):
    """Also where it is read from: of a partial call, and of other libraries that change it."""
    function = public(name)
    shown = inspect.signature(function)
    assert shown.parameters["level"].default is None
    assert "LevelLike | None" in str(shown.parameters["level"].annotation)
    assert inspect.signature(partial(function)) == shown.replace(parameters=list(shown.parameters.values()))
    assert ": 'LevelLike | None' = None, " in str(shown)
    assert "level" in needed_arguments(function)


def test_a_fault_of_a_question_is_its_own():
    @takes_epsilon
    def asked(level: object) -> object:
        raise TypeError(f"no {level}")

    with pytest.raises(TypeError, match=r"no ln\(3\)"):
        asked(epsilon="ln 3")


def test_the_notation_that_was_asked_is_answered():
    """ε first where ε was asked, and α first where α was."""
    for given in ({"epsilon": 2}, {"level": "ε=2"}, {"level": xdp.Epsilon(2)}):
        claim = xdp.is_private(G, NEAR, **given).claim
        assert claim.index("ε = 2") < claim.index("ε = ln(4)") < claim.index("α")
    claim = xdp.is_private(G, NEAR, "1/5").claim
    assert claim.index("α = 1/5") < claim.index("ε")


@pytest.mark.parametrize(("ask", "graph"), [("tight_mechanism", "euclid:2x2"), ("optimum", "euclid:2x2")])
def test_euclidean_grids_take_every_spelling(ask, graph):
    """A level given as an object had a field without e^(−√2), where the text had one."""
    others = {"consumer": xdp.MinimaxConsumer("zero-one")} if ask == "optimum" else {}
    found = {str(getattr(xdp, ask)(graph, level=one, **others)) for one in ONE}
    found |= {str(getattr(xdp, ask)(graph, epsilon=one, **others)) for one in ONE_EPSILON}
    assert len(found) == 1
