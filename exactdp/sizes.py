# SPDX-License-Identifier: MIT
"""How much may be built: one budget of numbers, digits and memory, asked before anything large is made.

A table of a hundred million rows, a graph of a billion edges and a power with a billion digits are easy to
ask for and end a machine. Whoever builds something whose size follows from its parameters first computes
that size, from the parameters alone, and calls :func:`require`. The budget decides only whether something is
built; no answer depends on it.

This module loads no numbers: programs that only check files use it too.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass

from exactdp.errors import ResourceLimitError, wrong_kind


@dataclass(frozen=True, slots=True)
class Budget:
    """The largest things that are built.

    Attributes
    ----------
    numbers : int
        Entries of a table, or vertices and edges of a graph.
    digits : int
        Decimal digits of one number.
    memory : int
        Bytes of one thing, as estimated before it is built.

    Examples
    --------
    >>> Budget().times(4).digits
    4000000
    """

    numbers: int = 4_000_000
    digits: int = 1_000_000
    memory: int = 2**30

    def times(self, factor: int) -> Budget:
        """So many times as much of everything."""
        return Budget(self.numbers * factor, self.digits * factor, self.memory * factor)


_BUDGET: ContextVar[Budget] = ContextVar("budget", default=Budget())  # noqa: B039 - frozen


def current_budget() -> Budget:
    """The budget that holds here: that of the innermost :func:`budget`, or the usual one."""
    return _BUDGET.get()


@contextlib.contextmanager
def budget(factor: int) -> Iterator[Budget]:
    """Allow so many times the usual sizes inside ``with``.

    Parameters
    ----------
    factor : int
        At least 1. On the command line: ``--budget 8``.

    Yields
    ------
    Budget
        What holds inside. It holds in this thread only.

    Raises
    ------
    InputError
        The factor is no positive whole number.

    Examples
    --------
    >>> with budget(8) as larger:
    ...     print(larger.numbers)
    32000000
    """
    if isinstance(factor, bool) or not isinstance(factor, int) or factor < 1:
        raise wrong_kind("budget", factor, "how many times the usual sizes are allowed, such as 8")
    token = _BUDGET.set(Budget().times(factor))
    try:
        yield _BUDGET.get()
    finally:
        _BUDGET.reset(token)


def require(what: str, *, numbers: int = 0, digits: int = 0, memory: int = 0) -> None:
    """Refuse to build what is larger than the budget.

    Parameters
    ----------
    what : str
        What would be built, as its reader wrote it: ``'geometric:n=10**9'``, ``the graph 'cycle:10**9'``.
    numbers, digits, memory : int
        Its size, from its parameters; only those that are known.

    Raises
    ------
    ResourceLimitError
        It is larger; carries ``limit``, ``got`` and ``unit``. The message says how the budget is raised.

    Examples
    --------
    >>> require("the table 'geometric:n=9999'", numbers=10**8)
    Traceback (most recent call last):
    exactdp.errors.ResourceLimitError: the table 'geometric:n=9999' has 100,000,000 numbers; the limit is
    4,000,000 (raise it: --budget 25)
    """
    allowed = _BUDGET.get()
    for unit, verb, got, limit in (
        ("numbers", "has", numbers, allowed.numbers),
        ("digits", "has a number of", digits, allowed.digits),
        ("bytes", "takes", memory, allowed.memory),
    ):
        if got > limit:
            factor = -(-got // getattr(Budget(), "memory" if unit == "bytes" else unit))
            raise ResourceLimitError(
                f"{what} {verb} {_figure(got)} {unit}; the limit is {_figure(limit)} (raise it: --budget {_figure(factor)})",
                limit=limit,
                got=got,
                unit=unit,
            )


def _figure(number: int) -> str:
    """A number in a message: grouped by thousands, or rounded up to a power of ten."""
    return f"{number:,}" if number < 10**15 else f"more than 10^{int((number.bit_length() - 1) * 0.30102)}"
