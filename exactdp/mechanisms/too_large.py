# SPDX-License-Identifier: MIT
"""What a constructor says of a table that is too large: the question that its law answers, or what fits.

:mod:`exactdp.door` asks it, where somebody called a public constructor; who builds a table inside of the
package has messages of its own.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from operator import index
from typing import Any

from exactdp.errors import ExactDPError, ResourceLimitError
from exactdp.exact import RationalFunction
from exactdp.mechanisms.geometric import require_prime
from exactdp.mechanisms.laws import CountLaw, law_of_word
from exactdp.mechanisms.staircase import require_staircase
from exactdp.model.labels import as_labels, is_whole
from exactdp.model.level import chosen_level
from exactdp.runtime.budget import figure, require_budget

MOST = 2**40
"""No larger size is tried."""


def remedy(constructor: Callable[..., Any], args: tuple[Any, ...], keywords: dict[str, Any]) -> str | None:
    """What to ask instead of a table of these arguments, or which size fits; None if nothing is known.

    >>> from exactdp.mechanisms import geometric_prime
    >>> remedy(geometric_prime, (10_000, "1/2"), {})
    'the largest n that fits is 2,235'
    """
    told = _TOLD.get(constructor.__name__)
    if told is None:
        return None
    bound = inspect.signature(constructor).bind(*args, **keywords)
    bound.apply_defaults()
    try:
        return told(bound.arguments)
    except (ExactDPError, TypeError, ValueError):
        return None


def remedy_of_floats(constructor: Callable[..., Any], args: tuple[Any, ...], keywords: dict[str, Any]) -> str | None:
    """The same of a call whose level is a float, as the decimal that shows it; None where its table fits.

    >>> from exactdp.mechanisms import geometric
    >>> remedy_of_floats(geometric, (1_000_000,), {"epsilon": 0.5}).partition(",")[0]
    "its law answers tightest_level('geometric:n=1000000"
    >>> remedy_of_floats(geometric, (4,), {"epsilon": 0.5}) is None
    True
    """
    size = args[0] if args else next(iter(keywords.values()), None)
    if not is_whole(size) or _passes(lambda n: require_budget("it", numbers=n * n), index(size)):
        return None
    args = tuple(str(one) if isinstance(one, float) else one for one in args)
    return remedy(constructor, args, {name: str(one) if isinstance(one, float) else one for name, one in keywords.items()})


def asked_by_law(word: str) -> str | None:
    """The questions that the law of a word answers, as they are typed; None if it has no law.

    >>> print(asked_by_law("lumped-geometric:n=1000000,epsilon=0.5"))
    its law answers tightest_level('lumped-geometric:n=1000000,epsilon=0.5', 'path')
    >>> asked_by_law("uniform:n=1000000") is None
    True
    """
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


def _geometric(given: dict[str, Any]) -> str | None:
    return asked_by_law(f"geometric:n={last_input(given['n'])},{level_of(given)}")


def _lumped(given: dict[str, Any]) -> str | None:
    return asked_by_law(f"lumped-geometric:n={last_input(given['n'])},{level_of(given)}")


def _response(given: dict[str, Any]) -> str | None:
    """Of randomised response, whose word has the answers 0..n."""
    answers = given["answers"]
    size = index(answers) if is_whole(answers) else len(as_labels(answers, what="answer"))
    level = f"keep={given['keep']}" if given["keep"] is not None else level_of(given)
    return asked_by_law(f"randomized-response:n={size - 1},{level}")


def _rappor(given: dict[str, Any]) -> str | None:
    return asked_by_law("rappor:" + ",".join(f"{name}={x}" for name, x in given.items()))


def _word(given: dict[str, Any]) -> str | None:
    """Of a word, with the level that stands beside it."""
    beside = {"alpha": given["alpha"], "epsilon": given.get("epsilon")}
    has_level = all(level is None for level in beside.values())
    return asked_by_law(given["spec"] if has_level else f"{given['spec']},{level_of(beside)}")


def _inputs(given: dict[str, Any]) -> str:
    """How many inputs a table with as many outputs, or with these, may have."""
    outputs = given.get("outputs")
    columns = None if outputs is None else len(as_labels(outputs, what="output label"))
    told = largest_that_fits("number of inputs", lambda size: require_budget("it", numbers=size * (columns or size)))
    return told if columns is None else f"{told}, with {figure(columns)} outputs"


def _prime(given: dict[str, Any]) -> str:
    level = chosen_level(given["alpha"], given["epsilon"])
    return largest_that_fits("n", lambda n: require_prime(n, level))


def _staircase(given: dict[str, Any]) -> str:
    level, sensitivity = chosen_level(given["alpha"], given["epsilon"]), given["sensitivity"]
    return largest_that_fits("n", lambda n: require_staircase(n + 1, n, sensitivity, level))


_TOLD: dict[str, Callable[[dict[str, Any]], str | None]] = {
    "geometric": _geometric,
    "geometric_prime": _prime,
    "identity": _inputs,
    "lumped_geometric": _lumped,
    "mechanism_from_spec": _word,
    "randomized_response": _response,
    "rappor": _rappor,
    "staircase": _staircase,
    "uniform": _inputs,
}
"""By the name of the constructor, from its arguments by name; of others nothing is known."""
