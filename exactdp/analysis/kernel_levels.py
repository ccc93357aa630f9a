# SPDX-License-Identifier: MIT
"""The number of kernel mechanisms as a function of the level, for all levels at once.

It can change only where a minor of the vertices (modulo the uniform vector) vanishes: at finitely many algebraic levels. Between them it
is constant, and at each of them it has a value of its own (:mod:`exactdp.exact.chirotope`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import comb

from exactdp.analysis.kernels import KernelCount
from exactdp.analysis.verdict import Decision, Verdict
from exactdp.analysis.vertices import posterior_polytope
from exactdp.analysis.wording import counted, piece_text
from exactdp.errors import DomainError, ResourceLimitError
from exactdp.exact import Interval, RationalFunctionField
from exactdp.exact.chirotope import circuit_counts
from exactdp.model import Neighbours
from exactdp.search.limits import ticker, within_seconds

__all__ = ["KernelLevels", "kernel_counts", "require_integer_distances"]

MOST_SETS = 60_000
"""More sets of vertices than this are not gone through at every level."""


@dataclass(frozen=True)
class KernelLevels:
    """How many kernel mechanisms there are at every level of (0, 1).

    Attributes
    ----------
    neighbours : AdjacencyGraph or Metric
    pieces : tuple of (Interval, int)
        Open intervals and single points, in increasing order, with the count there. Where a determinant vanishes without changing the
        count the pieces are merged. They end early when the search was stopped.
    """

    neighbours: Neighbours
    pieces: tuple[tuple[Interval, int], ...]

    def count(self, piece: Interval, count: int) -> KernelCount:
        """The count on one piece, as an answer over ℚ(α) there."""
        level = RationalFunctionField(piece).gen
        return KernelCount(posterior_polytope(self.neighbours, level), (), count, {})


def kernel_counts(
    neighbours: Neighbours, *, progress: Callable[[str], None] | None = None, seconds: float | None = None
) -> Verdict[KernelLevels]:
    """How many kernel mechanisms are there at each level?

    Parameters
    ----------
    neighbours : AdjacencyGraph or Metric
        Connected, with integer distances; small (a line of up to 5 inputs).
    progress : callable, optional
        Told how far it is.
    seconds : float, optional
        Stop about so late; the verdict is then undecided, with the counts up to some level.

    Raises
    ------
    DomainError
        A distance is no integer, or the inputs are not connected.
    ResourceLimitError
        There are too many sets of vertices.

    Examples
    --------
    >>> from exactdp.model import neighbours
    >>> [(str(piece), count) for piece, count in kernel_counts(neighbours("path:4")).evidence.pieces]
    [('(0, 1)', 11)]
    >>> [count for _, count in kernel_counts(neighbours("path:5")).evidence.pieces]
    [195, 187, 214, 206, 218, 210, 222, 216, 230]
    """
    require_integer_distances(neighbours)
    told = ticker(progress, None if seconds is None else within_seconds(seconds))
    heights = posterior_polytope(neighbours, "1/2", progress=told).heights
    n = len(neighbours.vertices)
    assert heights is not None
    if any(x is None for h in heights for x in h):
        raise DomainError(f"{neighbours} is not connected; ask about each component on its own", neighbours=neighbours)
    sets = comb(len(heights), n)
    if sets > MOST_SETS:
        raise ResourceLimitError(f"{sets} sets of {n} vertices at every level; the limit is {MOST_SETS}", limit=MOST_SETS, got=sets)
    columns = [[_difference(x, h[-1]) for x in h[:-1]] for h in heights]
    pieces, stopped = list[tuple[Interval, int]](), ""
    try:
        for piece in circuit_counts(columns, Interval(0, 1), told):
            pieces.append(piece)
    except ResourceLimitError as error:
        if "reason" not in error.facts:
            raise
        stopped = error.message
    pieces = _merged(pieces)
    if stopped:
        seen = _listed(pieces) or "none"
        claim = f"Numbers of kernel mechanisms of {neighbours} found so far: {seen}; {stopped}"
        return Verdict(Decision.UNDECIDED, claim, KernelLevels(neighbours, tuple(pieces)), "part of the levels")
    points = [piece for piece, _ in pieces if piece.is_point]
    evidence = KernelLevels(neighbours, tuple(pieces))
    if points:
        what = f"The number of kernel mechanisms (up to equal hyper-distributions) of {neighbours}"
        claim = f"{what} changes at {counted(len(points), 'level')}: {_listed(pieces)}"
    else:
        count = pieces[0][1]
        number = counted(count, "kernel mechanism")
        claim = f"The privacy type of {neighbours} has exactly {number} (up to equal hyper-distributions) at every level"
    return Verdict(Decision.PROVED, claim, evidence, "every level in (0, 1)")


def _listed(pieces: list[tuple[Interval, int]]) -> str:
    return "; ".join(f"{count} {'at' if piece.is_point else 'on'} {piece_text(piece)}" for piece, count in pieces)


def require_integer_distances(neighbours: Neighbours) -> None:
    """DomainError unless every α^d is a power of the letter α."""
    names = neighbours.vertices
    for i, j, d in neighbours.pairs():
        if d.rational is None or d.rational.denominator != 1:
            ways = "ask about single levels, given as ε"
            if d.rational is not None:
                q = d.rational.denominator
                ways += f", or multiply all distances by {q} and read the letter as α^(1/{q})"
            raise DomainError(
                f"for all levels at once distances must be integers, and that of {names[i]} and {names[j]} is {d}; {ways}", distance=d
            )


def _difference(high: int | None, low: int | None) -> list[int]:
    """The coefficients of a^high − a^low."""
    assert high is not None
    assert low is not None
    result = [0] * (max(high, low) + 1)
    result[high] += 1
    result[low] -= 1
    return result


def _merged(pieces: list[tuple[Interval, int]]) -> list[tuple[Interval, int]]:
    """Open pieces joined over points where nothing changes."""
    result = pieces[:1]
    for k in range(1, len(pieces) - 1, 2):
        (point, here), (right, after) = pieces[k], pieces[k + 1]
        left, before = result[-1]
        if before == here == after:
            result[-1] = Interval(left.lower, right.upper), after
        else:
            result += [(point, here), (right, after)]
    return result + (pieces[-1:] if pieces and len(pieces) % 2 == 0 else [])
