# SPDX-License-Identifier: MIT
"""What a constructor says of a table that is too large: the question that its law answers, or what fits.

A public constructor has it as ``when_too_large``, which :mod:`exactdp.door` asks; who builds a table inside
of the package has messages of its own.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from exactdp.errors import ExactDPError, ResourceLimitError
from exactdp.exact import RationalFunction
from exactdp.model.level import chosen_level
from exactdp.runtime.budget import figure

P = ParamSpec("P")
R = TypeVar("R")

MOST = 2**40
"""No larger size is tried."""


def when_too_large(told: Callable[[dict[str, Any]], str | None]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Give a constructor what it says of a table that is too large.

    * ``told``: from its arguments by name, with their defaults; None if nothing is known to say.
    """

    def with_remedy(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)

        def remedy(*args: Any, **keywords: Any) -> str | None:
            bound = signature.bind(*args, **keywords)
            bound.apply_defaults()
            try:
                return told(bound.arguments)
            except (ExactDPError, TypeError, ValueError):
                return None

        function.when_too_large = remedy  # type: ignore[attr-defined]
        return function

    return with_remedy


def asked_by_law(word: str) -> str | None:
    """The questions that the law of a word answers, as they are typed; None if it has no law.

    >>> print(asked_by_law("lumped-geometric:n=1000000,epsilon=0.5"))
    its law answers tightest_level('lumped-geometric:n=1000000,epsilon=0.5', 'path')
    >>> asked_by_law("uniform:n=1000000") is None
    True
    """
    from exactdp.mechanisms.laws import CountLaw, law_of_word  # which builds on the constructors

    law = law_of_word(word)
    if law is None:
        return None
    counts = isinstance(law, CountLaw)
    has_losses = isinstance(law, CountLaw) and not law.beyond and not isinstance(law.alpha, RationalFunction)
    more = f", and best_remap({word!r}, MinimaxConsumer('abs'))" if has_losses else ""
    return f"its law answers tightest_level({word!r}, {'path' if counts else 'complete'!r}){more}"


def level_of(given: dict[str, Any]) -> str:
    """The level of a constructor, as a word has it.

    >>> level_of({"alpha": None, "epsilon": "0.5"}), level_of({"alpha": "1/2", "epsilon": None})
    ('epsilon=0.5', 'alpha=1/2')
    """
    level = chosen_level(given["alpha"], given["epsilon"])
    if given["epsilon"] is not None:
        typed = given["epsilon"]
        return f"epsilon={typed if isinstance(typed, str | int) else level.epsilon}"
    return f"epsilon={level.epsilon}" if level.by_epsilon else f"alpha={level.alpha}"


def last_input(n: object) -> int:
    """The n of inputs 0..n; ValueError for others, which a word does not have."""
    if isinstance(n, range) and n == range(len(n)) and n:
        return len(n) - 1
    if isinstance(n, int) and not isinstance(n, bool):
        return n
    raise ValueError(f"{type(n).__name__} is no n")


def largest_that_fits(name: str, fits: Callable[[int], None]) -> str:
    """The largest size for which a check passes.

    * ``fits``: raises ResourceLimitError from some size on.

    >>> from exactdp.runtime.budget import require_budget
    >>> largest_that_fits("n", lambda n: require_budget("it", numbers=(n + 1) ** 2))
    'the largest n that fits is 2,235'
    """
    low, high = 0, 1
    while high < MOST and _passes(fits, high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _passes(fits, middle) else (low, middle)
    return f"the largest {name} that fits is {figure(low)}"


def _passes(fits: Callable[[int], None], size: int) -> bool:
    try:
        fits(size)
    except ResourceLimitError:
        return False
    return True
