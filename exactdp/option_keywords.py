# SPDX-License-Identifier: MIT
"""Keywords that are called as options of the command line: ``local=True``, ``graph=``, ``loss=``, ``prior=``.

Each is heard as the argument that it means, where the function has that and it is not given otherwise. So a
question is asked in the same words in both languages.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

SAME: Mapping[str, str] = {"graph": "neighbours", "metric": "neighbours", "alpha": "level"}
"""Options, and the arguments that take the same values."""

OF_CONSUMER = ("loss", "prior", "side_information")
"""Options that together say a consumer."""

OF_CLAIM = ("claims_epsilon", "claims_alpha", "claims_delta")
"""Options that together say a claim."""

_HEARD = frozenset({*SAME, "local", *OF_CONSUMER, *OF_CLAIM})


def from_options(function: Callable[..., Any], args: tuple[Any, ...], keywords: dict[str, Any]) -> dict[str, Any]:
    """The keywords of a call, those that are options as the arguments that they mean; the others as they are.

    * ``args``: of the call, by position.

    >>> def optimum(neighbours, level, consumer): ...
    >>> from_options(optimum, (), {"graph": "path:4", "alpha": "1/2", "loss": "abs", "prior": "uniform"})
    {'neighbours': 'path:4', 'level': '1/2', 'consumer': 'abs prior=uniform'}
    >>> from_options(optimum, ("path:4",), {"local": True})
    {'local': True}
    """
    if _HEARD.isdisjoint(keywords):
        return keywords
    parameters = inspect.signature(function).parameters
    options = [word for word in keywords if word in _HEARD and word not in parameters]
    if not options:
        return keywords
    given = {*keywords, *given_arguments(function, args, keywords)}
    means = {word: _argument(word, keywords[word]) for word in options}
    wanted = {name for name in means.values() if name in parameters and name not in given}
    found: dict[str, Any] = {}
    for word, value in keywords.items():
        name = means.get(word)
        if name is None or name not in wanted:
            found[word] = value
        elif name not in found:
            found[name] = _value(name, word, keywords)
        elif name not in ("consumer", "claim"):
            found[word] = value  # a second word for one argument
    return found


def given_arguments(function: Callable[..., Any], args: tuple[Any, ...], keywords: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a call by their names, without those that do not fit."""
    signature = inspect.signature(function)
    known = {word: value for word, value in keywords.items() if word in signature.parameters}
    placed = getattr(function, "placed", None)
    args = args if placed is None else placed(args, dict(known))
    try:
        return dict(signature.bind_partial(*args, **known).arguments)
    except TypeError:
        return known


def _argument(option: str, value: object) -> str | None:
    """The argument that an option says a part of, or all; None where it says nothing."""
    if option == "local":
        return "neighbours" if value is True else None
    if option in OF_CONSUMER:
        return "consumer"
    return "claim" if option in OF_CLAIM else SAME[option]


def _value(name: str, option: str, keywords: Mapping[str, Any]) -> Any:
    """What an argument is, of which these keywords speak."""
    if name == "consumer":
        return consumer_of({word: keywords[word] for word in OF_CONSUMER if keywords.get(word) is not None})
    if name == "claim":
        said = {word.removeprefix("claims_"): keywords[word] for word in OF_CLAIM if keywords.get(word) is not None}
        return import_module("exactdp.analysis.privacy_claim").PrivacyClaim(**said)
    return "local" if option == "local" else keywords[option]


def consumer_of(given: Mapping[str, Any]) -> Any:
    """The consumer of a loss, perhaps with a prior or side information: its words if all are words.

    >>> consumer_of({"loss": "abs", "side_information": "0..1"})
    'abs side-information=0..1'
    >>> consumer_of({"loss": "abs", "prior": ["1/3", "2/3"]}).describe()
    'the Bayesian consumer with loss abs and prior (1/3, 2/3)'
    """
    from exactdp.errors import InputError

    loss, prior, side = (given.get(word) for word in OF_CONSUMER)
    if loss is None:
        raise InputError("a consumer has a loss: give loss='abs' with it, as in loss='abs', prior='uniform'", value=given)
    if prior is not None and side is not None:
        raise InputError("a prior already says what is known of the input: give prior= or side_information=, not both", value=side)
    if all(isinstance(one, str) for one in given.values()) and len(loss.split()) == 1:
        beside = "" if prior is None else f" prior={''.join(prior.split())}"
        beside += "" if side is None else f" side-information={''.join(side.split())}"
        return f"{loss}{beside}"
    model = import_module("exactdp.model")
    return model.MinimaxConsumer(loss, side) if prior is None else model.BayesianConsumer(loss, prior)
