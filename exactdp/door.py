# SPDX-License-Identifier: MIT
"""The door of public functions: keywords in both spellings, errors that name the argument.

``neighbors=`` is heard as ``neighbours=``, and options of the command line as the arguments that they mean
(:mod:`exactdp.option_keywords`). A wrong keyword is answered with the right one.

A function is wrapped when its public name is loaded (:mod:`exactdp.stubs`). Inside the package it is called
without the door: there errors are about what the code has at hand, and here about what somebody typed.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache, wraps
from importlib import import_module
from types import FunctionType
from typing import Any

from exactdp.errors import ExactDPError, InexactInputError, InputError, ResourceLimitError, bounded
from exactdp.keywords import given_twice, unknown_keywords, whole_call
from exactdp.option_keywords import from_options
from exactdp.runtime.tables_read import TablesRead, recording_reads
from exactdp.spelling import own_keywords

CONSTRUCTORS = "exactdp.mechanisms."
"""Where the constructors of mechanisms are."""

SAID: Mapping[str, tuple[str, ...]] = {
    "alpha": ("level", "α"),
    "base": ("level", "α"),
    "claimed_value": ("value",),
    "content": ("table", "dual", "row"),
    "delta": ("δ",),
    "epsilon": ("ε",),
    "estimate": ("weights",),
    "graph": ("neighbours",),
    "kind": ("capacity",),
    "letters": ("assumption",),
    "losses": ("loss",),
    "mechanism": ("table",),
    "most": ("number of steps",),
    "n": ("input labels",),
    "neighbours": ("graph",),
    "prior": ("weights",),
    "remap": ("row",),
    "size": ("number of vertices",),
    "spec": ("graph",),
    "start": ("weights",),
    "table": ("row",),
    "thing": ("table", "row"),
}
"""Words by which messages name an argument, beside its own name."""

PLACES = frozenset({"position", "row", "column", "line", "expected", "got", "allowed", "name"})
"""Facts that are not what was given, but where, and what is allowed."""

NEEDED: Mapping[str, str] = {
    "neighbours": "neighbours='path' for a count, 'local' for reports of single people, or a Graph or Metric",
    "consumer": "consumer='abs' for the worst case, or 'abs prior=uniform' for an expected loss",
    "answers": "answers=3 for three of them, or their labels, as in ['yes', 'no']",
}
"""What to give for an argument that must be given."""


@cache
def named(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, which takes keywords in both spellings and whose errors name their argument.

    >>> def double(number, twice=2):
    ...     raise InputError("3.5 is no integer", value=number)
    >>> named(double)(3.5)
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: number: 3.5 is no integer
    >>> named(double)(1, twise=3)
    Traceback (most recent call last):
    ...
    TypeError: double() has no argument 'twise'; did you mean twice? It takes number, twice
    >>> named(double)(1, 2, 3)
    Traceback (most recent call last):
    ...
    TypeError: double() takes 2 arguments by position, number, twice, and 3 were given
    """

    def refused(error: InputError | TypeError, args: tuple[Any, ...], keywords: dict[str, Any]) -> None:
        mistaken = isinstance(error, InputError) or not _is_from_inside(error, function)
        said = (unknown_keywords(function, args, keywords) or _too_many(function, args)) if mistaken else None
        if said is None and mistaken and isinstance(error, TypeError):
            said = given_twice(function, args, keywords) or _missing(function, args, keywords)
        whole = whole_call(function, args, keywords) if mistaken else None
        all_of_it = "" if whole is None else f"; all of it: {whole}"
        if said is not None:
            raise TypeError(f"{said}{all_of_it}") from None
        if isinstance(error, InputError):
            _name(error, function, args, keywords)
            _say(error, _of_too_large(error, function, args, keywords) or f"{error.message}{all_of_it}")

    may_name_neighbours = _may_name_neighbours(function)

    @wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        keywords = from_options(function, args, own_keywords(function, keywords))
        try:
            if may_name_neighbours:
                keywords = _with_own_neighbours(function, args, keywords)
            with recording_reads() as read:
                answer = function(*args, **keywords)
                return _telling(answer, read, function) if read.notes or read.files else answer
        except (InputError, TypeError) as error:
            refused(error, args, keywords)
            raise
        except ResourceLimitError as error:
            _add_remedy(error, function, args, keywords)
            raise

    @wraps(function)
    def several(*args: Any, **keywords: Any) -> Any:
        given = from_options(function, args, own_keywords(function, keywords))
        return _each(call(*args, **given), lambda error: refused(error, args, given))

    topic = "exactdp.leakage" if function.__name__ == "leakage" else "exactdp"  # at the root it is the topic
    door = several if inspect.isgeneratorfunction(inspect.unwrap(function)) else call
    door.__module__ = topic  # by which it is pickled
    return door


def _may_name_neighbours(function: Callable[..., Any]) -> bool:
    """Whether it asks about a mechanism, whose word may say the neighbours that follow it."""
    names = list(inspect.signature(function).parameters)
    return "neighbours" in names[1:2] and names[0] in ("mechanism", "table")


def _with_own_neighbours(function: Callable[..., Any], args: tuple[Any, ...], keywords: dict[str, Any]) -> dict[str, Any]:
    """The keywords, with the neighbours that the word of a mechanism means where none are given."""
    names = list(inspect.signature(function).parameters)
    word = args[0] if args else keywords.get(names[0])
    if not isinstance(word, str) or len(args) > 1 or {"neighbours", "policy"} & keywords.keys() or not keywords.keys() <= {*names}:
        return keywords
    words = import_module(f"{CONSTRUCTORS}words")
    return {**keywords, "neighbours": words.own_neighbours(word)} if words.is_mechanism_spec(word) else keywords


def _telling(answer: Any, read: TablesRead, function: Callable[..., Any]) -> Any:
    """The answer, which says how its tables were read; one that can't say what was left aside is refused."""
    if not hasattr(answer, "assumed"):
        if read.silent:
            raise InputError(f"{read.silent[0]}; {function.__name__} has no place to say so: give it read_table(…), which says it (.notes)")
        return answer
    subjects = import_module("exactdp.analysis.subjects")
    names = subjects.names_of([subjects.Subject(kind, file) for file, kind in read.files.items()], " ".join(answer.assumed))
    return replace(answer, assumed=(*names, *answer.assumed), notes=tuple(dict.fromkeys([*answer.notes, *read.notes])))


def _each(made: Iterator[Any], refused: Callable[[InputError], None]) -> Iterator[Any]:
    """What a generator makes, whose arguments are read when the first is asked for."""
    try:
        yield from made
    except InputError as error:
        refused(error)
        raise


def behind(thing: Any) -> Any:
    """What is shown at the door: a function with named errors, anything else as it is."""
    return named(thing) if isinstance(thing, FunctionType) else thing


def needed_arguments(function: Callable[..., Any]) -> list[str]:
    """The arguments that a call must have; the level is one of them where ``epsilon=`` may stand for it.

    >>> from exactdp import optimum
    >>> needed_arguments(optimum)
    ['neighbours', 'level', 'consumer']
    """
    level = getattr(function, "needs_level", None)
    known = inspect.signature(function).parameters.values()
    placed = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    needed = [one for one in known if one.default is one.empty and (one.kind in placed or one.kind is one.KEYWORD_ONLY)]
    return [one.name for one in known if one in needed or one.name == level]


def _add_remedy(error: ResourceLimitError, function: Callable[..., Any], args: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    """Put what can be asked instead after the message of a constructor whose table is too large."""
    if "seconds" in error.facts or not function.__module__.startswith(CONSTRUCTORS):
        return
    instead = import_module(f"{CONSTRUCTORS}too_large").remedy(function, args, keywords)
    if instead is not None:
        refused = error.message.partition("; for every size")[0]  # which names a command of the shell
        _say(error, f"{refused}; {instead}")


def _of_too_large(error: InputError, function: Callable[..., Any], args: tuple[Any, ...], keywords: dict[str, Any]) -> str | None:
    """What to say of a float for the level of a table that is too large, too; None of any other error."""
    if not isinstance(error, InexactInputError) or not function.__module__.startswith(CONSTRUCTORS):
        return None
    instead = import_module(f"{CONSTRUCTORS}too_large").remedy_of_floats(function, args, keywords)
    if instead is None:
        return None
    unclear = " (give epsilon=… if it is ε)" if "if it is ε" in error.message else ""
    return f"{error.message.partition(';')[0]}{unclear}, and the table is too large; {instead}"


def _say(error: ExactDPError, message: str) -> None:
    """Let an error say this."""
    error.message = bounded(message)
    error.args = (error.message,)


def _name(error: InputError, function: Callable[..., Any], args: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    """Put the argument's name before a message that does not have it."""
    placed = getattr(function, "placed", None)  # what follows a level may stand in its place
    args = args if placed is None else placed(args, keywords)
    given = inspect.signature(function).bind_partial(*args, **keywords).arguments
    told = [fact for key, fact in error.facts.items() if key not in PLACES and (fact is not None or key == "value")]
    about = [name for name, value in given.items() if any(_is(value, fact) for fact in told)]
    if len(about) != 1 or _says(error.message, about[0]):
        return
    _say(error, f"{about[0]}: {error.message}")


def _is(value: object, fact: object) -> bool:
    """Whether a fact of an error is what was given, or a part of it."""
    if isinstance(value, str):
        return bool(value) and isinstance(fact, str) and "".join(value.split()) == "".join(fact.split())
    if fact is value or (isinstance(fact, str) and fact == type(value).__name__):
        return True
    if hasattr(value, "dtype") or hasattr(value, "dtypes"):  # an array or frame makes its entries when asked
        return type(fact) is type(value) or isinstance(fact, float)
    parts = value if isinstance(value, list | tuple) else ()
    return fact is not None and not isinstance(fact, bool) and any(fact is part for part in parts)


def _says(message: str, name: str) -> bool:
    """Whether a message has an argument's name, as one or several, or a word for it."""
    words = {name, name.replace("_", " "), name.rstrip("s"), *SAID.get(name, ())}
    return any(re.search(rf"(?<![^\W_]){re.escape(word)}", message, re.IGNORECASE) for word in words)


def _too_many(function: Callable[..., Any], args: tuple[Any, ...]) -> str | None:
    """What to say of too many arguments: which of them are given by name; None if there are not too many."""
    parameters = inspect.signature(function).parameters.values()
    placed = [one.name for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD]
    if len(args) <= len(placed) or any(one.kind is one.VAR_POSITIONAL for one in parameters):
        return None
    by_name = [f"{one.name}=" for one in parameters if one.kind is one.KEYWORD_ONLY]
    others = f"; others by name: {', '.join(by_name)}" if by_name else ""
    count = f"{len(placed)} argument{'' if len(placed) == 1 else 's'} by position, {', '.join(placed)}"
    return f"{function.__name__}() takes {count}, and {len(args)} were given{others}"


def _missing(function: Callable[..., Any], args: tuple[Any, ...], keywords: dict[str, Any]) -> str | None:
    """What to say of arguments that are missing; None if none is, or nothing is known to say of them."""
    placed = getattr(function, "placed", None)
    args = args if placed is None else placed(args, keywords)
    parameters = [one for one in inspect.signature(function).parameters.values() if one.kind is one.POSITIONAL_OR_KEYWORD]
    known = zip(parameters, args, strict=False)
    given = {*(one.name for one, value in known if value is not None or one.default is one.empty), *keywords}
    if keywords.get("epsilon") is not None:
        given |= {"level", "alpha"}
    needed = needed_arguments(function)
    missing = [one.name for one in parameters if one.name in needed and one.name not in given]
    name = next((one for one in missing if one in NEEDED), None)
    return None if name is None else f"{function.__name__}() needs {', '.join(missing)}: give {NEEDED[name]}"


def _is_from_inside(error: TypeError, function: Callable[..., Any]) -> bool:
    """Whether the error is of something that the function called, and not of its own call."""
    inside, within = error.__traceback__, function
    if inside is None:
        return True
    while hasattr(within, "__wrapped__"):  # a decorator calls it in a frame of its own
        inside, within = (None if inside is None else inside.tb_next), within.__wrapped__
    return inside is not None and inside.tb_next is not None
