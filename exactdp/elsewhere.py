# SPDX-License-Identifier: MIT
"""What errors say of an attribute that an object has not, and of an argument that a constructor lacks.

The error of a missing attribute says where the thing is, by the class of the object. A name that the table
has not gets the error of Python, with its own suggestion.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import update_wrapper
from typing import TYPE_CHECKING, Any, ParamSpec

P = ParamSpec("P")

_OPTIMAL = "the optimal mechanism is .best"
_WRITE = "the file is written by .write('c.json')"
_NO_EVIDENCE = "a certificate has .claim, .witness and .value; an answer of a question has evidence"
_PICTURE = ".plot() is the picture, and .plot('picture.png') writes it"
_WRITTEN_OUT = "it is a product; written out it is .evidence.best of the answer, which has it"
_TABLE = "its table is .table()"

ELSEWHERE: Mapping[str, Mapping[str, str]] = {
    "Certificate": {
        **dict.fromkeys(("save", "export", "to_file", "dump"), _WRITE),
        **dict.fromkeys(("evidence", "result", "answer", "loss"), _NO_EVIDENCE),
        **dict.fromkeys(("plot", "to_latex", "to_csv", "to_pandas"), "its table has it: .table().{name}()"),
        **dict.fromkeys(("mechanism", "matrix", "best", "optimum"), _TABLE),
        **dict.fromkeys(("value", "epsilon", "level", "delta"), "its numbers are in .claim, and str(certificate) says all of it"),
        **dict.fromkeys(("verify", "check"), "verify(certificate) checks it"),
        **dict.fromkeys(("decimal", "number", "float"), "the number is .value, and a decimal float(certificate.value)"),
    },
    "Drawn": {
        **dict.fromkeys(("savefig", "save_fig", "show", "draw", "picture", "figure"), _PICTURE),
    },
    "LabelledMatrix": {
        **dict.fromkeys(("save", "to_csv", "write"), ".to_pandas().to_csv('table.csv') writes it"),
        **dict.fromkeys(("latex", "to_tex"), "it is .to_latex()"),
        **dict.fromkeys(("values", "rows_of", "data"), "the numbers are .matrix"),
    },
    "FactoredMechanism": dict.fromkeys(
        ("to_latex", "matrix", "rows_of", "plot", "to_pandas", "outputs", "to_numpy", "as_table", "display"), _WRITTEN_OUT
    ),
    "OptimumEvidence": {
        **dict.fromkeys(("mechanism", "table", "matrix", "optimum", "optimal", "remap"), _OPTIMAL),
        **dict.fromkeys(("loss", "least", "number"), "the least loss is .value"),
    },
    "Loss": {
        "abs": "it is Loss.absolute(inputs), or the word 'abs', as in consumer='abs' and MinimaxConsumer('abs')",
        "zeroone": "it is Loss.zero_one(inputs), or the word 'zero-one', as in consumer='zero-one'",
        "l1": "it is Loss.absolute(inputs), or the word 'abs', as in consumer='abs'",
        "l2": "it is Loss.squared(inputs), or the word 'squared', as in consumer='squared'",
    },
}
"""By the name of a class the names that are asked of it, and of those below it, and where each is."""


def lacking(cls: type[Any], name: str, thing: object = None) -> AttributeError:
    """The error for an attribute that an object, or its class, has not.

    >>> from exactdp import Loss
    >>> print(lacking(Loss, "l2"))
    Loss has no 'l2'; it is Loss.squared(inputs), or the word 'squared', as in consumer='squared'
    """
    told = next((found[name] for base in cls.__mro__ if name in (found := ELSEWHERE.get(base.__name__, {}))), None)
    if told is None:
        what = f"type object {cls.__name__!r}" if thing is None else f"{cls.__name__!r} object"
        return AttributeError(f"{what} has no attribute {name!r}", name=name, obj=cls if thing is None else thing)
    told = told.replace("{name}", name)
    return AttributeError(f"{cls.__name__} has no {name!r}; {told}", name=name)  # without obj: Python would add a hint of its own


class Telling:
    """What says where a missing attribute is to be found."""

    __slots__ = ()

    if not TYPE_CHECKING:  # for which a missing attribute is an error

        def __getattr__(self, name: str) -> Any:
            """Asked for what it has not: the error that says where it is."""
            raise lacking(type(self), name, self)


class TellingClass(type):
    """The class of a class that says of itself, too, where a missing attribute is to be found."""

    if not TYPE_CHECKING:

        def __getattr__(cls, name: str) -> Any:
            """Asked for what the class has not."""
            raise lacking(cls, name)


def needing(name: str, remedy: str) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """A constructor whose error says what to give where its first argument is missing or a keyword unknown.

    * ``name``: of the first argument.
    * ``remedy``: the call that was meant.

    >>> class Consumer:
    ...     @needing("loss", "Consumer('abs')")
    ...     def __init__(self, loss): ...
    >>> Consumer()
    Traceback (most recent call last):
    ...
    TypeError: Consumer() needs a loss, as in Consumer('abs')
    """
    import inspect  # loaded with the first class that is made so: the root needs none

    def of(constructor: Callable[P, None]) -> Callable[P, None]:
        known = inspect.signature(constructor).parameters
        owner = constructor.__qualname__.split(".")[-2]

        def constructed(*args: P.args, **given: P.kwargs) -> None:
            wrong = [word for word in given if word not in known]
            if len(args) < 2 and name not in given and not wrong:
                raise TypeError(f"{owner}() needs a {name}, as in {remedy}")
            if wrong:
                from exactdp.errors import meant

                beside = {"prior": "BayesianConsumer(loss, prior)", "side_information": "MinimaxConsumer(loss, side_information)"}
                hint = f"did you mean {beside[wrong[0]]}? " if wrong[0] in beside else meant(wrong[0], known)
                takes = ", ".join([*known][1:])
                raise TypeError(f"{owner}() has no argument {wrong[0]!r}; {hint}{'It' if hint else 'it'} takes {takes}")
            constructor(*args, **given)

        return update_wrapper(constructed, constructor)

    return of
