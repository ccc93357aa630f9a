# SPDX-License-Identifier: MIT
"""Pictures, with matplotlib (the extra ``plot``): floats exist in the pixels only, what is written in a cell is exact."""

from __future__ import annotations

from typing import Any

from exactdp.analysis import LevelPieces
from exactdp.errors import InputError
from exactdp.exact import Rational
from exactdp.model import Mechanism, Remap, Table
from exactdp.report.items import TRUNCATE, grid_of

__all__ = ["heat_map", "value_by_level"]


def heat_map(mechanism: Mechanism | Table | Remap, *, ax: Any = None, annotate: bool | None = None) -> Any:
    """A mechanism as a picture: one square an entry, dark where the probability is large.

    Parameters
    ----------
    mechanism : Mechanism, Table or Remap
        What is drawn.
    ax : matplotlib Axes, optional
        Where to draw; a new figure unless given.
    annotate : bool, optional
        Write the fractions into the squares; by default up to 12×12.

    Returns
    -------
    matplotlib Axes
        For restyling.

    Raises
    ------
    InputError
        matplotlib is not installed.
    """
    ax = _new_axes() if ax is None else ax
    grid = grid_of("", mechanism)
    rows, columns = grid.matrix.shape
    ax.imshow([[float(x) for x in row] for row in grid.matrix.rows()], cmap="Blues")
    ax.set_xticks(range(columns), grid.columns)
    ax.set_yticks(range(rows), grid.rows)
    ax.set_xlabel("output")
    ax.set_ylabel("input")
    if annotate or (annotate is None and max(rows, columns) <= TRUNCATE):
        top = max(x for row in grid.matrix.rows() for x in row)
        for i, row in enumerate(grid.matrix.rows()):
            for j, x in enumerate(row):
                ax.text(j, i, str(x), ha="center", va="center", color="white" if 2 * x > top else "black")
    return ax


def value_by_level(pieces: LevelPieces, *, ax: Any = None, label: str | None = None, points: int = 200) -> Any:
    """The optimum as a curve over the levels, with a dot where one piece ends and the next begins.

    Parameters
    ----------
    pieces : LevelPieces
        From :func:`exactdp.optimum_by_level`.
    ax : matplotlib Axes, optional
        Where to draw; a new figure unless given.
    label : str, optional
        For the legend.
    points : int
        How many levels are drawn.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InputError
        matplotlib is not installed.
    """
    ax = _new_axes() if ax is None else ax
    levels = [Rational(k, points + 1) for k in range(1, points + 1)]
    drawn = [(float(x), float(v)) for x in levels if pieces.interval.contains(x) and (v := pieces.value_at(x)) is not None]
    [line] = ax.plot([x for x, _ in drawn], [y for _, y in drawn], label=label)
    for interval, value in pieces.values[:-1]:
        if value is not None:
            end = float(interval.upper)
            ax.plot([end], [float(pieces.value_at(_near(end)))], "o", color=line.get_color(), markersize=3)
    ax.set_xlabel("level α")
    ax.set_ylabel("least loss")
    return ax


def _new_axes() -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError("pictures need matplotlib; install exactdp[plot]") from None
    return Figure().add_subplot()


def _near(x: float) -> Rational:
    return Rational(round(x * 10**6), 10**6)
