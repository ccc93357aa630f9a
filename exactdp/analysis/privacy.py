# SPDX-License-Identifier: MIT
"""How private is this mechanism, exactly, and where is the bound tight?

A mechanism x is α-private for neighbours N when x_ir ≥ α^d(i,j) x_jr for every constrained pair and every
output, in both orders [gs2010, Definition 2]. The tightest level is the largest such α: the least
ratio^(1/d), 0/0 ignored, 0 beside a non-zero entry giving 0, identical rows giving 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from exactdp.analysis.arguments import MechanismLike, as_asked, as_mechanism, as_neighbours, as_table
from exactdp.analysis.verdict import Decision, Verdict, decided, scope_of
from exactdp.errors import InputError
from exactdp.exact import Rational
from exactdp.lp.limits import Listener, counted_off
from exactdp.model import Distance, LevelLike, Mechanism, Neighbours, NeighboursLike, PrivacyLevel, Table, TightestLevel
from exactdp.model.mechanism import over_one_field
from exactdp.model.metric import ONE


@dataclass(frozen=True, slots=True)
class Cell:
    """One privacy constraint: x_low,r against α^d · x_high,r.

    ``low``, ``high`` and ``output`` are indices; ``ratio`` is x_low,r / x_high,r, at most 1.
    """

    low: int
    high: int
    output: int
    ratio: Any
    distance: Distance


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacyEvidence:
    """The exact privacy of a mechanism.

    Attributes
    ----------
    mechanism, neighbours, level
        What was asked about; ``level`` is None when the question was for the tightest level.
    tightest : TightestLevel
        The largest level at which the mechanism is private (1: identical rows; 0: private at no level).
    attained : Cell or None
        A cell that attains it; None when no two constrained rows differ.
    tight : tuple of Cell
        The cells whose own level equals the level asked about (the tightest level if none was).
    violated : tuple of Cell
        The cells that break the level asked about.
    """

    mechanism: Mechanism
    neighbours: Neighbours
    level: PrivacyLevel | None
    tightest: TightestLevel
    attained: Cell | None
    tight: tuple[Cell, ...]
    violated: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StochasticEvidence:
    """A fault of a table: an entry (row, column) below 0, or without a column a row whose sum is not 1."""

    table: Table
    row: int | None = None
    column: int | None = None


def tightest_level(mechanism: MechanismLike, neighbours: NeighboursLike, *, progress: Listener | None = None) -> Verdict[PrivacyEvidence]:
    """What is the largest level at which the mechanism is private?

    Parameters
    ----------
    mechanism : Mechanism, Table, text or rows
        (n, m) row-stochastic, exact. A table is checked; a text is a word (``geometric:n=3,alpha=1/4``).
    neighbours : Graph, Metric or text
        On the mechanism's inputs, which are matched by label, or by position if neither has labels. A word
        without a size, such as ``path``, takes the mechanism's inputs (:func:`exactdp.neighbours`).
    progress : callable, optional
        Told how far it is.

    Returns
    -------
    Verdict[PrivacyEvidence]
        Always proved; ``evidence.tightest`` is the level and ``evidence.tight`` lists the cells that attain
        it.

    Raises
    ------
    LabelError
        The inputs of the two differ, or only one of the two has labels; carries both lists.

    Examples
    --------
    >>> from exactdp import geometric, neighbours
    >>> print(tightest_level(geometric(3, "1/4"), neighbours("path:4")).evidence.tightest)
    1/4
    """
    found = as_mechanism(mechanism)
    return _privacy(found, as_neighbours(neighbours, found), None, progress)


def is_private(
    mechanism: MechanismLike, neighbours: NeighboursLike, level: LevelLike, *, progress: Listener | None = None
) -> Verdict[PrivacyEvidence]:
    """Is the mechanism α-private: x_ir ≥ α^d(i,j) x_jr for all constrained pairs and outputs?

    Parameters
    ----------
    mechanism, neighbours, progress
        As for :func:`tightest_level`.
    level : level
        0 < α < 1: a PrivacyLevel, a number or text.

    Returns
    -------
    Verdict[PrivacyEvidence]
        Proved, with the tight cells; or refuted, with every violated cell. The tightest level is always
        there.

    Raises
    ------
    LabelError
        The inputs of the two differ, or only one of the two has labels; carries both lists.

    Examples
    --------
    >>> from exactdp import PrivacyLevel, identity, neighbours
    >>> v = is_private(identity(range(2)), neighbours("path:2"), PrivacyLevel("1/2"))
    >>> print(v)
    refuted: The mechanism is not 1/2-private on path:2: x[1][0] = 0 < 1/2 · x[0][0] = 1/2; its tightest level
    is 0 (ε = ∞)
    >>> is_private("geometric:n=3,alpha=1/3", "path", "1/4").proved
    True
    """
    return _privacy(*as_asked(mechanism, neighbours, level), progress)


def require_private(mechanism: Mechanism, neighbours: Neighbours, level: PrivacyLevel) -> None:
    """InputError unless the mechanism is private at the level."""
    if not is_private(mechanism, neighbours, level).proved:
        raise InputError(
            f"the mechanism is not {level.name}-private on {neighbours}; is_private (exactdp privacy) lists the violated constraints",
            level=level,
        )


def is_stochastic(table: MechanismLike) -> Verdict[StochasticEvidence]:
    """Is this table a mechanism: entries ≥ 0, rows summing to 1?

    Examples
    --------
    >>> from exactdp import ExactMatrix, Table
    >>> print(is_stochastic(Table(ExactMatrix([["1/2", "1/3"]]))))
    refuted: The table is not row-stochastic: row 0 sums to 5/6, not 1
    """
    table = as_table(table)
    scope = scope_of(table.matrix)
    for i, label in enumerate(table.inputs):
        row = table.matrix.row(i)
        for r, x in enumerate(row):
            if x < 0:
                claim = f"The table is not row-stochastic: entry ({label}, {table.outputs[r]}) is {x}, below 0"
                return Verdict(Decision.REFUTED, claim, StochasticEvidence(table=table, row=i, column=r), scope)
        total = sum(row, table.matrix.field.zero)
        if (total - 1).sign():
            claim = f"The table is not row-stochastic: row {label} sums to {total}, not 1"
            return Verdict(Decision.REFUTED, claim, StochasticEvidence(table=table, row=i), scope)
    return Verdict(Decision.PROVED, "The table is row-stochastic", StochasticEvidence(table=table), scope)


def _cells(mechanism: Mechanism, neighbours: Neighbours, progress: Listener | None) -> Iterator[Cell]:
    """Every constraint that is not 0 ≥ 0, in the direction that can be violated: ratios ≤ 1."""
    rows = list(mechanism.matrix.rows())
    for i, j, distance in counted_off(neighbours.pairs(), progress, "constraints", "pairs"):
        for r, (x, y) in enumerate(zip(rows[i], rows[j], strict=True)):
            if (x - y).weak_sign() <= 0:
                if y > 0:
                    yield Cell(i, j, r, x / y, distance)
            else:
                yield Cell(j, i, r, y / x, distance)


def _privacy(
    mechanism: Mechanism, neighbours: Neighbours, level: PrivacyLevel | None, progress: Listener | None
) -> Verdict[PrivacyEvidence]:
    mechanism = mechanism.aligned(neighbours.vertices)
    if level is not None:
        mechanism, level = over_one_field(mechanism, level)
    cells = list(_cells(mechanism, neighbours, progress))
    attained, tightest = _tightest(cells)
    violated: tuple[Cell, ...] = ()
    each = partial(counted_off, cells, progress, unit="constraints", every=1000)
    if level is None:
        tight = tuple(c for c in each("which are tight") if c.ratio != 1 and TightestLevel(c.ratio, c.distance) == tightest)
    else:
        one = mechanism.field.one
        violated = tuple(c for c in each("which are violated") if not level.at_least(c.ratio, one, c.distance))
        tight = tuple(c for c in each("which are tight") if c.ratio and TightestLevel(c.ratio, c.distance) == level)
    evidence = PrivacyEvidence(
        mechanism=mechanism, neighbours=neighbours, level=level, tightest=tightest, attained=attained, tight=tight, violated=violated
    )
    if level is None:
        claim = f"The tightest level of the mechanism on {neighbours.name or 'this graph'} is {tightest.text}"
        return Verdict(Decision.PROVED, claim, evidence, scope_of(mechanism))
    return Verdict(decided(not violated), _sentence(evidence, level), evidence, scope_of(mechanism, level))


def _tightest(cells: list[Cell]) -> tuple[Cell | None, TightestLevel]:
    """The least ratio^(1/d) and a cell that has it; cells of one distance are compared by ratio alone."""
    least: dict[Distance, Cell] = {}
    for cell in cells:
        best = least.get(cell.distance)
        if best is None or (cell.ratio - best.ratio).weak_sign() < 0:
            least[cell.distance] = cell
    attained: Cell | None = None
    for cell in least.values():
        if attained is None or TightestLevel(cell.ratio, cell.distance).compare(TightestLevel(attained.ratio, attained.distance)) < 0:
            attained = cell
    if attained is None or attained.ratio == 1:
        return None, TightestLevel(Rational(1), ONE)
    return attained, TightestLevel(attained.ratio, attained.distance if attained.ratio else ONE)


def _sentence(e: PrivacyEvidence, level: PrivacyLevel) -> str:
    where = e.neighbours.name or "this graph"
    tightest = f"its tightest level is {level.compared(e.tightest)}"
    if not e.violated:
        return f"The mechanism is {level.name}-private on {where}; {tightest}"
    c = e.violated[0]
    low, high, out = e.mechanism.inputs[c.low], e.mechanism.inputs[c.high], e.mechanism.outputs[c.output]
    x, y = e.mechanism[c.low, c.output], e.mechanism[c.high, c.output]
    if c.distance.rational is not None and c.distance.rational == 1:
        bound = f"{level} · x[{high}][{out}] = {level.alpha * y}"
    else:
        bound = f"({level})^{c.distance} · x[{high}][{out}] with x[{high}][{out}] = {y}"
    return f"The mechanism is not {level.name}-private on {where}: x[{low}][{out}] = {x} < {bound}; {tightest}"
