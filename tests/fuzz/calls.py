# SPDX-License-Identifier: MIT
"""Calls of the public names, their arguments drawn from the signatures: well typed, mistyped and hostile.

Whatever is given, what a function raises is an :class:`~exactdp.errors.ExactDPError`; a TypeError only where
the arguments do not fit the signature.
"""

from __future__ import annotations

import contextlib
import inspect
import io
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from enum import EnumType
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy
from public_names import PUBLIC

import exactdp as xdp
from exactdp.analysis.policy import PolicyConsumer
from exactdp.analysis.requirement import Requirement
from exactdp.errors import LONGEST_MESSAGE, ExactDPError
from exactdp.model import FORMS, LOSSES
from exactdp.runtime.progress import monitored

from .commands import word
from .contents import ASSUMPTIONS, EPSILONS, LEVELS, NUMBERS, TEXTS, Folder, encoded, rows, some

SECONDS = 2

CLUSTERS = {"sweep"}
"""What may start processes; it has tests of its own."""

PLAIN = (str, int, bool, float, type(None), xdp.Mechanism, xdp.Graph, xdp.Rational, xdp.PrivacyLevel, xdp.Prior, xdp.MinimaxConsumer)

Maker = Callable[[Random], Any]


@cache
def things() -> dict[str, tuple[Any, ...]]:
    """Objects of the public classes, by the name of their class."""
    half, path = "1/2", xdp.neighbours("path:3")
    mechanisms = (
        xdp.geometric(2, half),
        xdp.uniform(2),
        xdp.randomized_response(3, keep=half),
        xdp.identity(["a", "b", "c"]),
        xdp.geometric(2, "symbolic"),
        xdp.Mechanism([["1-p", "p"], ["p", "1-p"]], letters="0 < p < 1/2"),
    )
    consumers = (xdp.MinimaxConsumer("abs"), xdp.BayesianConsumer("zero-one", "uniform"), xdp.MinimaxConsumer("squared", [0, 1]))
    optimum = xdp.optimum(path, half, consumers[0])
    verdicts = (xdp.is_private(mechanisms[0], path, half), xdp.is_optimal(mechanisms[1], path, half, consumers[1]), optimum)
    verdicts += (
        xdp.tightest_level(mechanisms[0], path),
        xdp.is_derivable(mechanisms[0], source=mechanisms[1]),
        xdp.tight_mechanism(path, half),
    )
    objects = [
        *mechanisms, *consumers, *verdicts, path, xdp.neighbours("cycle:4"), xdp.neighbours("euclid:2x2"), xdp.Prior.uniform(range(3)),
        xdp.Prior(["1/2", "1/4", "1/4"]), xdp.PrivacyLevel(half), xdp.PrivacyLevel(epsilon="ln(3)"), xdp.PrivacyLevel("symbolic"),
        xdp.Rational("1/3"),
        xdp.ExactMatrix([["1/2", "1/2"], ["0", "1"]]), xdp.Table([["1/2", "1/3"]]), xdp.Remap([[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        xdp.certify(verdicts[0]),
        xdp.Interval("1/4", half), xdp.Epsilon(1), xdp.GeometricNoise(half), xdp.FiniteNoise({0: half, 1: half}),
        xdp.StaircaseNoise(half, 2, 1),
        xdp.QQ, xdp.RationalFunctionField(),
        xdp.Region("0 < p < 1/2"), xdp.RegionField("0 < p < 1, 0 < q < p"),
        lettered := xdp.Mechanism([["1-p", "p"], ["p/2", "1-p/2"]], letters="0 < p < 1/2"),
        xdp.conditions(xdp.is_private, lettered, "path", "1/2"), xdp.is_private(lettered, "path", "1/2"), xdp.is_stochastic(lettered),
        xdp.tightest_level(lettered, "path"), xdp.mechanism_loss(lettered, xdp.MinimaxConsumer("abs")), xdp.determinant(lettered),
        xdp.Progress("reading"), xdp.SideInformation([0, 1], range(3)),
        *(v.evidence for v in verdicts),
        Requirement.parse("epsilon <= 1"), PolicyConsumer("abs"),
        xdp.Decision.PROVED, verdicts[0].scope, xdp.Dual(["1/3", "1/3", "1/3"], [[0, 1, "1/2"]]),
    ]  # fmt: skip
    found: dict[str, tuple[Any, ...]] = {}
    for thing in objects:
        for kind in type(thing).__mro__[:-1]:
            found[kind.__name__] = (*found.get(kind.__name__, ()), thing)
    return found


def odd(rng: Random) -> Any:
    """Something of a wrong type, or out of every range."""
    endless: list[Any] = []
    endless.append(endless)
    deep: list[Any] = []
    for _ in range(2000):
        deep = [deep]
    return rng.choice((
        None, True, False, 0, -1, 3, 10**18, 10**400, -(10**30), 0.5, float("nan"), float("inf"), 1j, "", b"", b"1/2", [], (), {},
        set(), [[]], [[], []], [None],
        [["1"], ["1", "2"]], {"": ""}, {1: None}, {"a": "1/2"}, object(), object(), ..., NotImplemented, Decimal("NaN"),
        Decimal("0.1"), Decimal("1E+999999"),
        Fraction(1, 3), numpy.zeros((2, 2)), numpy.zeros((0, 2)), numpy.array(3), numpy.array([["1/2", "1/2"]]), range(3),
        iter([1, 2]),
        (x for x in "ab"), endless, deep, Path("x"), io.StringIO("x"), type("Odd", (), {"__eq__": None})(), slice(1),
        memoryview(b"x"), ["a", "a"], [0.1, 0.9],
        rng.choice(TEXTS), rng.choice(TEXTS), _any_thing(rng), _any_thing(rng),
    ))  # fmt: skip


def _any_thing(rng: Random) -> Any:
    return rng.choice(rng.choice(list(things().values())))


def _table(rng: Random) -> Any:
    size = rng.choice((1, 2, 3, 3))
    found: Any = rows(rng, size, size)
    return rng.choice((found, xdp.ExactMatrix(found), numpy.array(found))) if rng.random() < 0.5 and not _odd_rows(found) else found


def _odd_rows(found: list[list[str]]) -> bool:
    try:
        xdp.ExactMatrix(found)
    except ExactDPError:
        return True
    return False


def _thing(*kinds: str) -> Maker:
    return lambda rng: rng.choice(things()[rng.choice(kinds)])


MAKERS: dict[str, Maker] = {
    "bytes": lambda rng: rng.choice(("", "require = ['epsilon <= 1']", *TEXTS)).encode("utf-8", "replace"),
    "PathLike": lambda rng: Path(rng.choice(("policy.toml", "x", "."))),
    "int": lambda rng: rng.choice((0, 1, 2, 3, 4, 2, 3, -1, 10**6, 10**400)) if rng.random() < 0.2 else some(rng, 0, 4),
    "bool": lambda rng: rng.random() < 0.5,
    "float": lambda rng: rng.choice((0.0, 0.5, 1.0, 2.0, float("nan"), -1.0)),
    "str": lambda rng: rng.choice((word(rng), rng.choice(list(FORMS)), rng.choice(LOSSES), rng.choice(LEVELS), "a", "name")),
    "None": lambda rng: None,
    "object": lambda rng: rng.choice((rng.choice(NUMBERS), Fraction(1, some(rng, 1, 4)), some(rng), xdp.Rational("1/3"), "a")),
    "Any": lambda rng: rng.choice((rng.choice(NUMBERS), Fraction(1, some(rng, 1, 4)), some(rng))),
    "Label": lambda rng: rng.choice(("no", "yes", "0", "a", 1, 2, "b\n")),
    "MechanismLike": lambda rng: rng.choice((word(rng), _table(rng), rng.choice(things()["Mechanism"]))),
    "MatrixLike": _table,
    "NeighboursLike": lambda rng: rng.choice(
        (rng.choice(("path", "complete", "path:3", "cycle:3", "star:4", "grid:2x2")), _thing("Graph", "Metric")(rng))
    ),
    "LevelLike": lambda rng: rng.choice((rng.choice(LEVELS), Fraction(1, 2), _thing("PrivacyLevel")(rng))),
    "EpsilonLike": lambda rng: rng.choice((*EPSILONS, 1, Fraction(1, 3))),
    "Consumer": _thing("MinimaxConsumer", "BayesianConsumer"),
    "ConsumerLike": lambda rng: rng.choice((*LOSSES, _thing("MinimaxConsumer", "BayesianConsumer")(rng))),
    "LossLike": lambda rng: rng.choice((*LOSSES, [[0, 1, 2], [1, 0, 1], [2, 1, 0]], _table(rng))),
    "GainLike": lambda rng: rng.choice(("zero-one", [[1, 0, 0], [0, 1, 0], [0, 0, 1]], _table(rng))),
    "PriorLike": lambda rng: rng.choice(("uniform", ["1/2", "1/4", "1/4"], ["1/2", "1/2"], _thing("Prior")(rng))),
    "RemapLike": lambda rng: rng.choice((_thing("Remap")(rng), _table(rng))),
    "SideInformationLike": lambda rng: rng.choice(([0, 1], "0..1", "0,2", [0], _thing("SideInformation")(rng))),
    "IntervalLike": lambda rng: rng.choice((("1/4", "1/2"), _thing("Interval")(rng), ("0", "1"))),
    "DistanceLike": lambda rng: rng.choice((1, 2, "sqrt(2)", "1/2", "inf")),
    "Digits": lambda rng: rng.choice((0, 1, 3, "auto")),
    "CapacityKind": lambda rng: rng.choice(("multiplicative", "additive")),
    "Ties": lambda rng: rng.choice(("first", "uniform")),
    "Source": lambda rng: rng.choice(("1/2,1/2\n", "[[1]]", "1/2,1/2", "survey.csv", Path("missing"), [["1/2", "1/2"]])),
    "Content": lambda rng: rng.choice(("1/2,1/2\n", "[[1]]", encoded(rng, rows(rng, 2, 2))[1])),
    "DualSource": lambda rng: rng.choice(("weight,0,,,1/2\nweight,1,,,1/2", "kind,input,other,guess,multiplier", b"", [0.5, -0.5] * 4)),
    "E_co": lambda rng: rng.choice(things()["Verdict"]).evidence,
    "Labels": lambda rng: tuple(rng.sample(("no", "yes", "0", "a"), some(rng, 1, 3))),
    "IntegerNoise": _thing("GeometricNoise", "FiniteNoise", "StaircaseNoise"),
    "Listener": lambda rng: lambda event: None,
    "Callable": lambda rng: rng.choice((lambda *given: str(given), lambda *given: repr(given), lambda *given: 0)),
    "Path": lambda rng: Path(rng.choice(("c.edp.json", "t.csv", "out.file", "."))),
    "OrderedField": lambda rng: rng.choice((xdp.QQ, xdp.RationalFunctionField(), xdp.RegionField("0 < p < 1/2"))),
    "Scores": lambda rng: xdp.Scores([[0, 1], [1, 0]]),
    "PrivacyClaim": lambda rng: xdp.PrivacyClaim(alpha="1/2"),
    "LettersLike": lambda rng: rng.choice(
        (rng.choice(ASSUMPTIONS), {"p": rng.choice(("(0, 1/2)", "[0, 1)", (0, 1), "p > 0", 2))}, _thing("Region", "RegionField")(rng))
    ),
    "TextIO": lambda rng: io.StringIO(),
    "QuestionLike": lambda rng: rng.choice(("det geometric-prime", "capacity line", "inverse", lambda n: n, lambda n: Fraction(1, n + 1))),
}
"""How an argument is drawn, by its annotation; what is not here is one of the objects of that class."""


def argument(rng: Random, annotation: str) -> Any:
    """A value for a parameter: mostly of its type."""
    if rng.random() < 0.12:
        return odd(rng)
    return typed(rng, annotation)


def typed(rng: Random, annotation: str) -> Any:
    """A value of the type."""
    choices = _split(annotation.strip("'\""), "|")
    if len(choices) > 1:
        known = [x for x in choices if not x.isidentifier() or x in MAKERS or x in things()]
        return typed(rng, rng.choice(known or choices))
    base, _, inner = annotation.strip("'\" ").partition("[")
    base, parts = base.rpartition(".")[2], _split(inner.removesuffix("]"), ",") if inner else []
    if base in ("Iterable", "Sequence", "Collection", "list") and parts:
        return [typed(rng, parts[0]) for _ in range(some(rng, 0, 3))]
    if base == "tuple" and parts:
        parts = [parts[0]] * some(rng) if parts[-1] == "..." else parts
        return tuple(typed(rng, part) for part in parts)
    if base in ("Mapping", "dict") and parts:
        return {typed(rng, parts[0]): typed(rng, parts[1]) for _ in range(some(rng, 0, 2))} if parts[0] in ("str", "int") else {}
    if base in MAKERS:
        return MAKERS[base](rng)
    if base not in things():
        raise LookupError(base)  # nothing of that class is at hand
    return rng.choice(things()[base])


def _split(text: str, at: str) -> list[str]:
    """The parts between commas or bars that are in no brackets."""
    parts, depth = [""], 0
    for x in text:
        depth += (x == "[") - (x == "]")
        if x == at and depth == 0:
            parts.append("")
        else:
            parts[-1] += x
    return [part.strip() for part in parts]


@dataclass(frozen=True)
class Call:
    """A call of a public name, or of a method of a public object."""

    name: str
    function: Any
    args: tuple[Any, ...]
    named: dict[str, Any]

    def __str__(self) -> str:
        shown = [*map(_shown, self.args), *(f"{name}={_shown(x)}" for name, x in self.named.items())]
        return f"{self.name}({', '.join(shown)})"


def _shown(x: Any) -> str:
    try:
        text = ascii(x)
    except Exception as error:
        text = f"<{type(x).__name__} without a repr: {type(error).__name__}>"
    return text if len(text) < 200 else f"{text[:150]}…[{len(text)}]"


def draw(rng: Random) -> Call:
    """A function with arguments for it."""
    while True:
        with contextlib.suppress(LookupError):
            return _draw(rng)


def _draw(rng: Random) -> Call:
    return _offered(rng) if rng.random() < 0.25 else of(rng, rng.choice(sorted({*PUBLIC} - CLUSTERS)))


def of(rng: Random, name: str) -> Call:
    """A call of a public name."""
    function = getattr(xdp, name)
    if isinstance(function, EnumType):
        raise LookupError(name)
    if isinstance(function, type) and rng.random() < 0.4:  # a constructor by another name
        others = [x for x in dir(function) if x[0] != "_" and isinstance(inspect.getattr_static(function, x), (classmethod, staticmethod))]
        if others:
            other = rng.choice(others)
            name, function = f"{name}.{other}", getattr(function, other)
    return Call(f"xdp.{name}", function, *_arguments(rng, function, argument))


def _offered(rng: Random) -> Call:
    """What an object offers: an attribute, or a method with arguments of the right types."""
    thing = _any_thing(rng)
    if type(thing).__module__.startswith("exactdp.exact."):  # numbers and fields do no more than their work
        raise LookupError(thing)
    method = rng.choice([x for x in dir(type(thing)) if not x.startswith("_")] or ["__repr__"])
    name = f"({_shown(thing)}).{method}"
    held = inspect.getattr_static(type(thing), method)
    if not callable(held) and not isinstance(held, (classmethod, staticmethod)):
        return Call(f"getattr of {name}", lambda: getattr(thing, method), (), {})
    function = getattr(thing, method)
    return Call(name, function, *_arguments(rng, function, typed))


def _arguments(rng: Random, function: Any, value: Callable[[Random, str], Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Arguments for a function: what it requires and some of the rest."""
    args: list[Any] = []
    named: dict[str, Any] = {}
    for p in inspect.signature(function).parameters.values():
        if value is typed and p.annotation == "Any":
            raise LookupError("Any")  # of which type, the function knows
        annotation = "object" if p.annotation is p.empty else p.annotation if isinstance(p.annotation, str) else p.annotation.__name__
        left_out = p.default is not p.empty and (rng.random() < 0.6 or p.name == "ax")  # another library's
        if p.kind is p.VAR_POSITIONAL:
            args += [value(rng, annotation) for _ in range(some(rng, 0, 2))]
        elif p.kind is p.VAR_KEYWORD or left_out:
            continue
        elif p.name == "time_limit" and rng.random() < 0.9:
            named[p.name] = SECONDS
        elif p.kind is p.POSITIONAL_ONLY or (p.kind is p.POSITIONAL_OR_KEYWORD and p.default is p.empty):
            args.append(value(rng, annotation))
        else:
            named[p.name] = value(rng, annotation)
    return tuple(args), named


def faults(rng: Random, folder: Folder) -> list[str]:
    """How a call breaks the contract of exceptions."""
    call = draw(rng)
    try:
        inspect.signature(call.function).bind(*call.args, **call.named)
    except (TypeError, ValueError):
        fits = False
    else:
        fits = True
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            with monitored(None, SECONDS):
                result = call.function(*call.args, **call.named)
            if all(type(x) in PLAIN for x in (*call.args, *call.named.values())):  # what holds an odd object may show it oddly
                repr(result)
                str(result)
    except ExactDPError as error:
        text = str(error)
        found = [f"a message of {len(text)} characters"] if len(text) > LONGEST_MESSAGE else []
        return found if text.isprintable() else [*found, f"a message that can't be printed: {ascii(text)[:200]}"]
    except TypeError as error:
        return [] if not fits else [f"{type(error).__name__}: {str(error)[:200]}"]
    except Exception as error:
        return [f"{type(error).__name__}: {str(error)[:200]}"]
    return []
