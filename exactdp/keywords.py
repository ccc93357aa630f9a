# SPDX-License-Identifier: MIT
"""What a call says that has keywords which its function has not: each of them, and what to write for it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from exactdp.errors import ExactDPError, meant, repr_of
from exactdp.option_keywords import given_arguments

TYPED: Mapping[str, tuple[str, ...]] = {
    "alpha": ("level",),
    "eps": ("epsilon", "level"),
    "graph": ("neighbours",),
    "neighbours": ("graph",),
    "metric": ("neighbours", "graph"),
    "table": ("mechanism", "matrix"),
    "mechanism": ("table", "matrix"),
    "timeout": ("time_limit",),
    "k": ("answers",),
    "labels": ("answers",),
    "claims": ("claim",),
    "other": ("compare",),
    "n": ("neighbours",),
    "inputs": ("neighbours",),
    "size": ("neighbours",),
}
"""What somebody types for an argument of another name."""

BESIDE: Mapping[str, Mapping[str, str]] = {
    "delta": {
        "is_private": "is_approximately_private(mechanism, neighbours, level, delta) has it",
        "tightest_level": "level_for_delta(mechanism, neighbours, delta) has it",
    },
    "n": {"randomized_response": "randomized_response(4, …) has 4 answers, as the word randomized-response:n=3 has, whose inputs are 0..3"},
    "epsilon": {"tightest_level": "is_private(mechanism, neighbours, epsilon=…) asks whether it is private there"},
}
"""Arguments that a function has not, and another one that has."""

OF_CONSUMERS = ("loss", "gain", "prior", "side_information")
"""Options of the command line that are words of one consumer in Python."""

LEVELS = ("epsilon", "alpha", "level", "eps")
"""Arguments that are a level."""

TABLES = ("mechanism", "table")
"""Arguments that are a table."""

_LONGEST = 50
"""Most characters of a value that a remedy repeats."""


def unknown_keywords(function: Callable[..., Any], args: tuple[Any, ...], keywords: Mapping[str, Any]) -> str | None:
    """What to say of keywords that the function has not; None if it has all.

    Each is named, and what may be written for it.

    * ``args``, ``keywords``: of the call.

    >>> def optimum(neighbours, level, consumer): ...
    >>> said = unknown_keywords(optimum, (), {"graph": "path:3", "level": "1/2", "loss": "abs"})
    >>> "did you mean neighbours='path:3' for graph=, consumer='abs' for loss=?" in said
    True
    >>> unknown_keywords(optimum, (), {"neighbours": "path:3", "levle": "1/2"})
    "optimum() has no argument 'levle'; did you mean level? It takes neighbours, level, consumer"
    """
    parameters = inspect.signature(function).parameters
    unknown = [word for word in keywords if word not in parameters]
    if not unknown or any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()):
        return None
    given = given_arguments(function, args, keywords)
    remedies: dict[str, list[str]] = {}
    others: list[str] = []
    for word in unknown:
        remedy = _remedy(word, {**given, **keywords}, parameters)
        if remedy is not None:
            remedies.setdefault(remedy, []).append(word)
        elif function.__name__ in BESIDE.get(word, {}):
            others.append(BESIDE[word][function.__name__])
    for word, value in given.items():
        if word in LEVELS and isinstance(value, float):
            remedies.setdefault(f"{word}={shown(value)}", []).append(f"the float {word}")
        elif word in TABLES and _has_floats(value):
            remedies.setdefault(f"from_floats({word})", []).append(f"the floats of {word}")
    several = len(unknown) > 1 or len(remedies) > 1
    hints = [f"{remedy}{_for(words) if several else ''}" for remedy, words in remedies.items()]
    said = f"{function.__name__}() has no argument{'s' if len(unknown) > 1 else ''} {', '.join(map(repr, unknown))}; "
    if others:
        return f"{said}{'; '.join(others)}" + (f"; did you mean {', '.join(hints)}?" if hints else "")
    hint = f"did you mean {', '.join(hints)}? " if hints else ""
    return f"{said}{hint}{'It' if hint else 'it'} takes {', '.join(parameters)}"


def given_twice(function: Callable[..., Any], args: tuple[Any, ...], keywords: Mapping[str, Any]) -> str | None:
    """What to say of an argument that is given by position and by name; None if none is.

    >>> def audit(table, neighbours, *, compare=None): ...
    >>> print(given_twice(audit, ("A", "B"), {"neighbours": "local"}))
    audit() got neighbours twice, 'B' by position and neighbours='local'; a second table is compare='B'
    """
    placed = [one for one in inspect.signature(function).parameters.values() if one.kind is one.POSITIONAL_OR_KEYWORD]
    for one, value in zip(placed, args, strict=False):
        if one.name in keywords:
            second = one.name == "neighbours" and "compare" in inspect.signature(function).parameters
            own = f"{one.name}={shown(keywords[one.name]) or '…'}"
            remedy = f"a second table is compare={shown(value) or '…'}" if second else "leave one of them out"
            return f"{function.__name__}() got {one.name} twice, {shown(value) or 'one'} by position and {own}; {remedy}"
    return None


def whole_call(function: Callable[..., Any], args: tuple[Any, ...], keywords: Mapping[str, Any]) -> str | None:
    """The call with everything that it lacks, where several things are wrong with it; None otherwise.

    A table of floats is taken as the doubles that they are, a float for a level as the text that shows it,
    and a number for neighbours as the size of a path. Neighbours that nobody said are *local*, the strictest,
    a consumer is *abs*, a level ε = 1: each is named in the call, so whoever copies it sees what it asks.

    * ``args``, ``keywords``: of the call, all of which the function has.

    >>> def is_private(mechanism, neighbours, level): ...
    >>> whole_call(is_private, ([[0.5, 0.5]],), {"level": "1/2"})
    "is_private(from_floats(mechanism), neighbours='local', level='1/2')"
    >>> whole_call(is_private, ("t.csv",), {"level": "1/2"}) is None
    True
    """
    parameters = inspect.signature(function).parameters
    given = given_arguments(function, args, keywords)
    if not {*keywords} <= {*parameters} or any(one.kind is one.VAR_POSITIONAL for one in parameters.values()):
        return None
    given = _level_in_its_place(function, given)
    if isinstance(given.get("neighbours"), str) and not _may_be_neighbours(given["neighbours"]):
        return None  # another argument may stand there
    words: list[str] = []
    changes = 0
    lacked = {**_LACKED, "neighbours": "'local'" if any(table in parameters for table in TABLES) else "'path:10'"}
    for name, parameter in parameters.items():
        if given.get(name) is not None:
            text, is_other = _as_taken(name, given[name])
        else:
            text, is_other = lacked.get(name, ""), True
            is_needed = parameter.default is parameter.empty or name == getattr(function, "needs_level", None)
            if not is_needed or (name in LEVELS and not given.keys().isdisjoint(LEVELS)):
                continue
        if not text:
            return None
        changes += is_other
        words.append(text if not words or text.startswith("epsilon=") else f"{name}={text}")
    if changes < 2:
        return None
    level = next((given[name] for name in ("level", "alpha") if isinstance(given.get(name), float)), None)
    return f"{function.__name__}({', '.join(words)})" + ("" if level is None else f", with epsilon='{level}' if it is ε")


_LACKED: Mapping[str, str] = {"consumer": "'abs'", "level": "epsilon=1", "alpha": "epsilon=1"}
"""What stands for an argument that nobody gave, in a call that shows how it is asked."""


def _level_in_its_place(function: Callable[..., Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments, where a number stands for the neighbours, and the level is not given, with that as ε."""
    number = given.get("neighbours")
    is_level = isinstance(number, int | float) and not isinstance(number, bool) and given.keys().isdisjoint(LEVELS)
    if not is_level or getattr(function, "needs_level", None) is None or not any(table in given for table in TABLES):
        return dict(given)
    others = {name: value for name, value in given.items() if name != "neighbours"}
    return {**others, "epsilon": number}


def _as_taken(name: str, value: Any) -> tuple[str, bool]:
    """How an argument is written so that it is taken, and whether that is otherwise than it was."""
    if name in TABLES and _has_floats(value):
        return f"from_floats({name}){'.unrounded()' if _is_rounded(value) else ''}", True
    if name in LEVELS and isinstance(value, float):
        return repr(str(value)), True
    if name == "neighbours" and _is_size(value):
        return f"'path:{value}'", True
    return shown(value) or name, False


def _may_be_neighbours(word: str) -> bool:
    """Whether a text begins as a word for neighbours."""
    families = import_module("exactdp.model.neighbours")
    return word.partition(":")[0] in (*families.FAMILIES, *families.SIZED_BY_INPUTS, "local")


def _is_size(value: object) -> bool:
    """Whether a value is a number of inputs."""
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _is_rounded(table: Any) -> bool:
    """Whether rows of floats sum to 1 but for what the doubles rounded."""
    try:
        return bool(import_module("exactdp.readers").table_of(table, dyadic=True).quality() == "rounded")
    except ExactDPError:
        return False


def shown(value: object) -> str:
    """A value as it would be typed, a float as text; nothing for what is long, or no text or number.

    >>> shown("path:3"), shown(0.5), shown(3), shown([0] * 99), shown(None)
    ("'path:3'", "'0.5'", '3', '', 'None')
    """
    text = repr_of(str(value) if isinstance(value, float) else value)
    return "" if len(text) > _LONGEST or text.startswith("<") or ("(" in text and not isinstance(value, str)) else text


def _has_floats(table: Any) -> bool:
    """Whether a table of another library, or rows, are floats."""
    if hasattr(table, "dtypes") or hasattr(table, "dtype"):
        kinds = getattr(table, "dtypes", None)
        return any(getattr(kind, "kind", "") == "f" for kind in ([table.dtype] if kinds is None else kinds))
    return isinstance(table, list | tuple) and any(isinstance(x, float) for row in table if isinstance(row, list | tuple) for x in row)


def _for(words: list[str]) -> str:
    """For which keywords a remedy is, where there are several."""
    return " for " + " and ".join(word if " " in word else f"{word}=" for word in words)


def _remedy(word: str, given: Mapping[str, Any], parameters: Mapping[str, Any]) -> str | None:
    """What to write for one keyword; None where nothing is known."""
    value = given[word]
    if word == "local" and "neighbours" in parameters:
        return "neighbours='local'"
    if word in OF_CONSUMERS and ("consumer" in parameters or "consumers" in parameters):
        return _consumer(given, "consumer" in parameters)
    if word == "consumer" and "consumers" in parameters:
        return f"consumers=[{shown(value) or '…'}]"
    if word in LEVELS and "claim" in parameters:
        return f"claim=PrivacyClaim({'epsilon' if word in ('epsilon', 'eps') else 'alpha'}={shown(value) or '…'})"
    if word in ("epsilon", "alpha") and "level" not in parameters and _takes_level(given.get("mechanism")):
        return repr(f"{given['mechanism']},{word}={str(value).replace(' ', '')}")
    same = next((other for other in TYPED.get(word, ()) if other in parameters and other not in given), None)
    if same == "neighbours" and _is_size(value):
        return f"neighbours='path:{value}'"
    if same is not None:
        return f"{same}={shown(value)}" if shown(value) else same
    return meant(word, parameters).removeprefix("did you mean ").removesuffix("? ") or None


def _takes_level(mechanism: object) -> bool:
    """Whether the mechanism is a word without a level, which has a place for one."""
    if not isinstance(mechanism, str) or not import_module("exactdp.mechanisms").is_mechanism_spec(mechanism):
        return False
    return "epsilon=" not in mechanism and "alpha=" not in mechanism


def _consumer(given: Mapping[str, Any], alone: bool) -> str:
    """The words of a consumer, of what is given for its loss, prior and side information."""
    own = given.get("consumer")
    if given.get("gain") == "zero-one":
        given = {**given, "loss": "zero-one"}  # which is 1 for a wrong guess, and the same consumer
    loss = given.get("loss", own if isinstance(own, str) else getattr(own, "loss_word", None))
    prior, side = given.get("prior"), given.get("side_information")
    plain = all(one is None or (isinstance(one, str) and one) for one in (loss, prior, side)) and ("gain" not in given or loss)
    if plain:
        words = [loss or "abs", *([f"prior={''.join(prior.split())}"] if prior else []), *([f"side-information={side}"] if side else [])]
        text = repr(" ".join(words))
    elif prior is not None:
        text = f"BayesianConsumer({shown(loss) or 'loss'}, prior)"
    else:
        text = f"MinimaxConsumer({shown(loss) or ('loss' if 'gain' not in given else 'gain')})"
    return f"consumer={text}" if alone else f"consumers=[{text}]"
