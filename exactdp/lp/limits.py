# SPDX-License-Identifier: MIT
"""What a search reports while it runs, and how it is told to stop.

A limit is asked at every step: it answers None, or the reason to stop. The search then ends with a
:class:`~exactdp.errors.ResourceLimitError` whose ``vertex`` is the last basic solution (or None): not an
answer, but bounds can be had from it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from exactdp.errors import ResourceLimitError
from exactdp.exact import Rational, wrong_kind


@dataclass(frozen=True, slots=True)
class Progress:
    """The phase of a search, its steps so far (pivots or rounds), the objective and its length in digits."""

    phase: str
    pivots: int
    objective: Any
    digits: int


Listener = Callable[[Progress], None]
"""Is told what a search does; what it raises ends the search."""

Limit = Callable[[Progress], str | None]
"""Is asked whether to stop: the reason, or None to go on."""


def seconds_of(time_limit: object) -> float:
    """A number of seconds, not negative; it may be a float, because no answer depends on it.

    >>> seconds_of(2)
    2.0
    """
    if isinstance(time_limit, bool) or not isinstance(time_limit, (int, float)) or not time_limit >= 0:
        raise wrong_kind("time limit", time_limit, "seconds, such as 10 or 0.5, or None for no limit")
    return float(time_limit)


def within_seconds(seconds: float) -> Limit:
    """A limit on the time from now on.

    >>> within_seconds(0)(Progress("dual simplex", 3, None, 0))
    'the time limit of 0 s has passed'
    """
    end = time.monotonic() + seconds_of(seconds)
    return lambda _: f"the time limit of {seconds:g} s has passed" if time.monotonic() >= end else None


def within_pivots(pivots: int) -> Limit:
    """A limit on the exact pivots of one search.

    >>> within_pivots(3)(Progress("dual simplex", 3, None, 0)) is None
    True
    """
    return lambda event: f"more than {pivots} pivots" if event.pivots > pivots else None


def digits(value: Any) -> int:
    """About how many digits a number takes.

    >>> digits(Rational("22/7"))
    3
    """
    if isinstance(value, Rational):
        return sum(int(abs(part).bit_length() * 0.30103) + 1 for part in (value.numerator, value.denominator))
    return len(str(value))


def reporter(progress: Listener | None, limit: Limit | None) -> Listener | None:
    """Calls ``progress``, and stops the search when ``limit`` says so; None if there is neither."""
    if limit is None:
        return progress

    def report(event: Progress) -> None:
        if progress is not None:
            progress(event)
        reason = limit(event)
        if reason is not None:
            raise ResourceLimitError(f"the search was stopped: {reason}", reason=reason, progress=event, vertex=None)

    return report


def ticker(progress: Callable[[str], None] | None, limit: Limit | None) -> Callable[[str], None]:
    """For searches that report texts: passes them on, and stops the search at the limit.

    >>> ticker(None, within_seconds(0))("prior 3")
    Traceback (most recent call last):
    exactdp.errors.ResourceLimitError: the search was stopped: the time limit of 0 s has passed
    """
    report = reporter(None if progress is None else lambda event: progress(event.phase), limit)
    return lambda text: None if report is None else report(Progress(text, 0, None, 0))
