# SPDX-License-Identifier: MIT
"""How much may be built: one budget of numbers, digits, memory and steps, asked before anything is made.

A table of a hundred million rows, a graph of a billion edges and a power with a billion digits are easy to
ask for and end a machine. Whoever builds something whose size follows from its parameters first computes
that size, from the parameters alone, and calls :func:`require_budget`. The budget decides only whether
something is built; no answer depends on it.

This module loads no numbers: programs that only check files use it too.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sized
from contextvars import ContextVar
from dataclasses import astuple

from exactdp.errors import ResourceLimitError, wrong_kind
from exactdp.runtime.values import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """The largest things that are built.

    It counts each thing, not a run. A table of 2001 × 2001 powers of 1/2 takes 0.7 GB, and a run that
    writes it as CSV 2.7 GB (measured).

    * ``numbers``: entries of a table, or vertices and edges of a graph.
    * ``digits``: decimal digits of one number.
    * ``degree``: degree of a polynomial: in the letter of a symbolic level, or in e^(−ε).
    * ``memory``: bytes of one thing, as estimated before it is built.
    * ``steps``: steps of a check whose length is known beforehand, such as the triangles of a metric.

    >>> Budget().times(4).digits
    16000000
    """

    numbers: int = 5_000_000
    digits: int = 4_000_000
    degree: int = 20_000
    memory: int = 2**30
    steps: int = 100_000_000

    def times(self, factor: int) -> Budget:
        """So many times as much of everything."""
        return Budget(*(factor * usual for usual in astuple(self)))


MOST = 1_000_000
"""The largest factor of a budget: no machine has so much."""

_BUDGET: ContextVar[Budget] = ContextVar("budget", default=Budget())  # noqa: B039 - frozen


def current_budget() -> Budget:
    """The budget that holds here: that of the innermost :func:`budget`, or the usual one."""
    return _BUDGET.get()


def budget(factor: int) -> contextlib.AbstractContextManager[Budget]:
    """Allow so many times the usual sizes inside ``with``.

    Parameters
    ----------
    factor : int
        From 1 to a million. On the command line: ``--budget 8``.

    Returns
    -------
    context manager
        Its value is the Budget that holds inside ``with``, in this thread only. (In a generator no ``yield``
        belongs inside: until it goes on, its caller would have this budget.)

    Raises
    ------
    InputError
        The factor is no such whole number.

    Examples
    --------
    >>> with budget(8) as larger:
    ...     print(larger.numbers)
    40000000
    """
    if isinstance(factor, bool) or not isinstance(factor, int) or not 1 <= factor <= MOST:
        raise wrong_kind("budget", factor, f"how many times the usual sizes are allowed, such as 8, and at most {MOST:,}")
    return _allowed(Budget().times(factor))


@contextlib.contextmanager
def _allowed(sizes: Budget) -> Iterator[Budget]:
    token = _BUDGET.set(sizes)
    try:
        yield sizes
    finally:
        _BUDGET.reset(token)


def require_budget(
    what: str, instead: str = "", /, *, numbers: int = 0, digits: int = 0, degree: int = 0, memory: int = 0, steps: int = 0
) -> None:
    """Refuse to build what is larger than the budget.

    * ``what``: what would be built, as its reader wrote it: ``'geometric:n=10**9'``, ``the graph
      'cycle:10**9'``.
    * ``numbers``, ``digits``, ``degree``, ``memory``, ``steps``: its size, from its parameters; only those
      that are known.
    * ``instead``: what can be built within the budget.
    * raises ResourceLimitError: it is larger; carries ``limit``, ``got`` and ``unit``. The message says how
      the budget is raised, unless no machine has so much.

    >>> require_budget("the table 'geometric:n=9999'", numbers=10**8)
    Traceback (most recent call last):
    exactdp.errors.ResourceLimitError: the table 'geometric:n=9999' has 100,000,000 numbers; the limit is
    5,000,000 (to allow it: --budget 20, or with exactdp.budget(20))
    """
    usual, allowed = Budget(), _BUDGET.get()
    for unit, got in (("numbers", numbers), ("digits", digits), ("degree", degree), ("memory", memory), ("steps", steps)):
        limit = getattr(allowed, unit)
        if got > limit:
            factor = -(-got // getattr(usual, unit))
            remedy = f" (to allow it: --budget {factor}, or with exactdp.budget({factor}))" if factor <= _LARGEST_FACTOR else ""
            remedy += f"; {instead}" if instead else ""
            has = _SENTENCES[unit].format(figure(got))
            raise ResourceLimitError(f"{what} {has}; the limit is {figure(limit)}{remedy}", limit=limit, got=got, unit=unit)


def largest_side(dimension: int = 2, each: int = 1, unit: str = "numbers") -> int:
    """The largest n for which a cube of so many dimensions, n on each side, is within the budget.

    >>> largest_side(), largest_side(3)
    (2236, 170)
    """
    room = int(getattr(_BUDGET.get(), unit)) // each
    low, high = 0, 1
    while high**dimension <= room:
        low, high = high, 2 * high
    while high - low > 1:  # low fits, and high does not
        middle = (low + high) // 2
        low, high = (middle, high) if middle**dimension <= room else (low, middle)
    return low


_SENTENCES = {
    "numbers": "has {} numbers",
    "digits": "has a number of {} digits",
    "degree": "has a polynomial of degree {}",
    "memory": "takes about {} bytes",
    "steps": "takes {} steps",
}

_LARGEST_FACTOR = 1_000
"""A larger budget is not recommended: it would be for more than a machine has."""


def length_of(values: Sized) -> int:
    """How many there are; of a range too long for ``len``, too.

    >>> length_of(range(10**20)) == 10**20, length_of("ab")
    (True, 2)
    """
    if isinstance(values, range):
        return max(0, -((values.start - values.stop) // values.step))
    return len(values)


def digits_of(bits: int) -> int:
    """At most the decimal digits of a whole number of so many binary ones.

    >>> digits_of((2**64 - 1).bit_length()), len(str(2**64 - 1))
    (20, 20)
    """
    return bits * 30103 // 100_000 + 1


def figure(number: int) -> str:
    """A number in a message, of any size: grouped by thousands, or a power of ten that it is not below.

    >>> figure(20_000), figure(10**5000)
    ('20,000', '10^4999 or more')
    """
    if abs(number) < 10**15:
        return f"{number:,}"
    return f"{'−' if number < 0 else ''}10^{(number.bit_length() - 1) * 30102 // 100_000} or more"
