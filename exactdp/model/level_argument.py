# SPDX-License-Identifier: MIT
"""``epsilon=`` instead of the level, for every question that takes one.

>>> import exactdp as xdp
>>> xdp.is_private("geometric:n=3,alpha=1/2", "path", epsilon="ln 2").proved
True
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import wraps
from numbers import Number
from typing import Any, ParamSpec, Protocol, Self, TypeVar, cast, overload

from exactdp.errors import InputError, brief_value
from exactdp.model.epsilon import LONGEST, Epsilon
from exactdp.model.level import EpsilonLike, PrivacyLevel
from exactdp.model.mechanism import Mechanism

P = ParamSpec("P")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)

NAMES = ("level", "alpha")
"""What the argument is called that ε is given instead of."""


class TakesLevel(Protocol[P, R_co]):
    """A function with a level among its arguments, or with ``epsilon=`` instead of it."""

    __name__: str

    @overload
    def __call__(self, *args: P.args, **keywords: P.kwargs) -> R_co: ...
    @overload
    def __call__(self, *args: Any, epsilon: EpsilonLike, **keywords: Any) -> R_co: ...


def takes_epsilon(function: Callable[P, R]) -> TakesLevel[P, R]:
    """The same function, which takes ``epsilon=`` in the place of its level.

    What follows the level may then stand in its place: ``optimum("path:4", consumer, epsilon=1)``. A level of
    None is one that is not given.

    * ``function``: it has an argument ``level`` or ``alpha``, which may be given by position.
    * raises InputError: when it is called: the level and ε are both given, or neither is, or ε is none.

    >>> @takes_epsilon
    ... def told(neighbours, level, loss="abs"):
    ...     return f"{neighbours}, {level!r}, {loss}"
    >>> told("path:2", epsilon="ln 3")
    "path:2, Epsilon('ln(3)'), abs"
    >>> told("path:2", "1/3", epsilon="ln 3")
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: level = 1/3 and epsilon = ln 3 are both given; one determines the other: ...
    >>> print(inspect.signature(told))
    (neighbours, level=None, loss='abs', *, epsilon: 'EpsilonLike | None' = None)
    """
    asked: Callable[..., R] = function
    signature = inspect.signature(function)
    name = next(word for word in signature.parameters if word in NAMES)
    place = list(signature.parameters).index(name)
    needed = signature.parameters[name].default is inspect.Parameter.empty

    @wraps(function)
    def call(*args: Any, epsilon: EpsilonLike | None = None, **keywords: Any) -> Any:
        unsaid = args[place] is None if len(args) > place else keywords.get(name) is None
        if epsilon is None:
            if needed and unsaid and keywords.keys() <= signature.parameters.keys():
                _refuse_level_as_neighbours(function.__name__, signature, args, name)
                raise InputError(f"the {name} is missing: give {name}='1/4', or epsilon='1/10' instead", epsilon=epsilon)
            return asked(*args, **keywords)
        given = _given(signature, name, args, keywords)
        if given is not None:
            raise InputError(
                f"{name} = {_told(given)} and epsilon = {_told(epsilon)} are both given; one determines the other: give one "
                f"of them, and by name what follows {name} in {function.__name__}",
                epsilon=epsilon,
            )
        level = Epsilon(epsilon)
        if len(args) > place:
            return asked(*args[:place], level, *args[place + unsaid :], **keywords)
        return asked(*args, **{**keywords, name: level})

    def placed(args: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[Any, ...]:
        """The arguments by position, with ε where it stands for the level."""
        others = {key: value for key, value in keywords.items() if key != "epsilon"}
        shifted = keywords.get("epsilon") is not None and len(args) > place and _given(signature, name, args, others) is None
        return (*args[:place], keywords["epsilon"], *args[place + (args[place] is None) :]) if shifted else args

    call.placed = placed  # type: ignore[attr-defined]
    call.needs_level = name if needed else None  # type: ignore[attr-defined]
    one = inspect.Parameter("epsilon", inspect.Parameter.KEYWORD_ONLY, default=None, annotation="EpsilonLike | None")
    call.__signature__ = _with_keyword(_without_level(signature, name), one)  # type: ignore[attr-defined]
    return cast("TakesLevel[P, R]", call)


M = TypeVar("M", bound=Mechanism)


def tells_epsilon(function: Callable[P, M]) -> Callable[P, M]:
    """The same constructor; answers about what it makes of ``epsilon=`` say ε first, of ``alpha=`` α.

    >>> from exactdp import randomized_response
    >>> given = ({"epsilon": "ln 2"}, {"alpha": "1/2"}, {"keep": "2/3"})
    >>> [randomized_response(2, **level).by_epsilon for level in given]
    [True, False, None]
    """
    names = list(inspect.signature(function).parameters)
    place = names.index("alpha") if "alpha" in names else len(names)

    @wraps(function)
    def made(*args: P.args, **keywords: P.kwargs) -> M:
        found = function(*args, **keywords)
        if keywords.get("epsilon") is not None:
            return found.told_by(True)
        alpha: Any = args[place] if len(args) > place else keywords.get("alpha")
        return found if alpha is None else found.told_by(PrivacyLevel(alpha).by_epsilon)

    return made


def _refuse_level_as_neighbours(asked: str, signature: inspect.Signature, args: tuple[Any, ...], name: str) -> None:
    """InputError if a number stands where the neighbours do: the level was meant, and they were left out."""
    names = list(signature.parameters)
    place = names.index("neighbours") if "neighbours" in names else len(args)
    value = args[place] if place < len(args) else None
    if not isinstance(value, int | float | Number | Epsilon | PrivacyLevel) and not _is_number(value):
        return
    words = "".join(f"{word}, " for word in names[:place])
    told = str(value) if isinstance(value, float) else _told(value)
    written = repr(value) if isinstance(value, int) else repr(told)
    levels = f"{name}={written}" if isinstance(value, PrivacyLevel) else f"epsilon={written}, or {name}=… for α"
    raise InputError(
        f"the {name} is missing: {told} stands where the neighbours do, which come before it; "
        f"give both, as in {asked}({words}'path', {levels})",
        epsilon=None,
        value=value,
    )


def _is_number(value: object) -> bool:
    """Whether a text is a number, and so no word for neighbours."""
    return isinstance(value, str) and re.fullmatch(r"[0-9]+([./][0-9]+)?", value.strip()) is not None


def _told(value: object) -> str:
    """A level or an ε for a message, as it was typed; what is neither with its kind."""
    return str(value) if isinstance(value, str | int | Epsilon | PrivacyLevel) and len(str(value)) <= LONGEST else brief_value(value)


def _given(signature: inspect.Signature, name: str, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """The level that is given beside ε: by its name, or because the call is complete with it; else None."""
    try:
        return signature.bind(*args, **keywords).arguments.get(name)
    except TypeError:
        return keywords.get(name)


class _Signature(inspect.Signature):
    """A signature where what must be given may follow a level that may be left out for ``epsilon=``."""

    __slots__ = ()

    def __init__(self, parameters: Any = None, **options: Any) -> None:
        # Python's own check is that no argument without a default follows one with a default
        super().__init__(parameters, **{**options, "__validate_parameters__": False})

    def replace(self, **changes: Any) -> Self:
        """The same with other parameters, or another return annotation."""
        parameters = changes.get("parameters", self.parameters.values())
        return type(self)(parameters, return_annotation=changes.get("return_annotation", self.return_annotation))


def _without_level(signature: inspect.Signature, name: str) -> inspect.Signature:
    """The signature with ``level=None``, as ``epsilon=`` may be given instead."""
    known = signature.parameters
    one = known[name]
    if one.default is not one.empty:
        return signature
    kind = one.annotation if one.annotation is one.empty else f"{one.annotation} | None"
    optional = one.replace(default=None, annotation=kind)
    parameters = [optional if other is one else other for other in known.values()]
    return _Signature(parameters, return_annotation=signature.return_annotation)


def _with_keyword(signature: inspect.Signature, one: inspect.Parameter) -> inspect.Signature:
    """A signature with one more keyword, after the arguments that have a position."""
    known = list(signature.parameters.values())
    place = next((k for k, other in enumerate(known) if other.kind not in {other.POSITIONAL_ONLY, other.POSITIONAL_OR_KEYWORD}), len(known))
    return signature.replace(parameters=[*known[:place], one, *known[place:]])
