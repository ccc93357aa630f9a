# SPDX-License-Identifier: MIT
"""Mechanisms and other tables as heat maps, with tight and broken pairs of entries; priors as bars."""

from __future__ import annotations

from typing import Any

from exactdp.analysis.privacy import PrivacyEvidence
from exactdp.analysis.privacy_cells import Cell
from exactdp.exact import ExactMatrix
from exactdp.model import Gain, Loss, Mechanism, Prior, Remap, Table
from exactdp.model.channel import Hyper
from exactdp.report.items import TRUNCATE, Grid, grid_of
from exactdp.report.plot.figure import BLUE, RED, done, near, new_axes, ticks, written

_AXES: dict[type, tuple[str | None, str]] = {
    Loss: ("guess", "input"),
    Gain: ("guess", "input"),
    Remap: ("guess", "output"),
    ExactMatrix: ("column", "row"),
    Hyper: ("input", ""),
    Grid: (None, ""),
}
"""What is across and what is down, if not outputs and inputs; a table of a verdict has its title below."""


def heat_map(
    thing: Mechanism | Table | Remap | Loss | Gain | ExactMatrix | Hyper | Grid, *, ax: Any = None, annotate: bool | None = None
) -> Any:
    """A mechanism as a picture: one square an entry, dark where the probability is large.

    * ``annotate``: write the entries into the squares; by default up to 12×12. Without them there is a scale.
    * raises InputError: an entry is a function of the level, or matplotlib is not installed.
    """
    grid = thing if isinstance(thing, Grid) else grid_of("", thing)
    rows, columns = grid.matrix.shape
    values = [[near(x) for x in row] for row in grid.matrix.rows()]
    write = max(rows, columns) <= TRUNCATE if annotate is None else annotate
    drawn = ax if ax is not None else new_axes(width=min(max(3.5, 0.62 * columns + 1), 8), height=min(max(2, 0.5 * rows + 1), 8))
    low = min(0.0, *map(min, values))  # 0 is white, whatever the least entry is
    high = max(map(max, values))
    high = high if high > low else low + 1
    image = drawn.imshow(values, cmap="Blues", aspect="auto", vmin=low, vmax=high)
    drawn.set_xticks(*ticks(grid.columns), parse_math=False)
    drawn.set_yticks(*ticks(grid.rows), parse_math=False)
    across, down = _AXES.get(type(thing), ("output", "input"))
    drawn.set_xlabel(grid.title if across is None else across)
    drawn.set_ylabel(down)
    if write:
        for i, row in enumerate(grid.matrix.rows()):
            for j, x in enumerate(row):
                dark = values[i][j] - low > 0.6 * (high - low)
                drawn.text(j, i, written(x), ha="center", va="center", fontsize=8, color="white" if dark else "black")
    elif ax is None:
        drawn.figure.colorbar(image)
    return done(drawn, ax)


def level_text(evidence: PrivacyEvidence) -> str:
    """At which level pairs are tight or broken, in the notation of the question.

    >>> from exactdp import geometric, is_private
    >>> level_text(is_private(geometric(1, "1/2"), "path", "1/2").evidence)
    'level α = 1/2'
    >>> level_text(is_private(geometric(1, "1/2"), "path", "ε = ln 2").evidence)
    'ε = ln(2)'
    """
    asked = evidence.level
    if asked is not None and asked.by_epsilon:
        return f"ε = {asked.epsilon}"
    return f"level α = {evidence.tightest if asked is None else asked}"


def privacy_table(evidence: PrivacyEvidence, *, ax: Any = None) -> Any:
    """The mechanism as a heat map, with lines between entries that are tight or (dashed) break the level.

    * ``evidence``: of :func:`~exactdp.analysis.privacy.is_private` or ``tightest_level``.

    Notes
    -----
    Two entries of a column, in the rows of two neighbours at distance d, are tight where one is exactly α^d
    times the other.
    """
    from matplotlib.patheffects import Normal, Stroke

    found = heat_map(evidence.mechanism, ax=ax)
    drawn = found.axes[0] if ax is None else ax
    at = level_text(evidence)
    tracks: dict[tuple[int, int], int] = {}
    for cells, colour, style, word in (
        (evidence.tight, BLUE, "o-", f"tight at {at}"),
        (evidence.violated, RED, "o--", f"broken at {at}"),
    ):
        for number, cell in enumerate(cells):
            x = cell.output + 0.4 - 0.1 * _track(cell, tracks)
            # the white edge keeps a line visible on dark squares
            halo = [Stroke(linewidth=5, foreground="white"), Normal()]
            label = f"{word}: {len(cells)} pairs of entries" if number == 0 else None
            drawn.plot(
                [x, x], [cell.low, cell.high], style, color=colour, linewidth=2, markersize=4, label=label, path_effects=halo, zorder=3
            )
    if evidence.tight or evidence.violated:
        if ax is None:
            drawn.figure.legend(loc="outside lower center", fontsize=8, frameon=False)
        else:
            drawn.legend(fontsize=8)
    return found


def _track(cell: Cell, tracks: dict[tuple[int, int], int]) -> int:
    """Beside which other lines of the same column a line is drawn, so that two never cover each other."""
    rows = range(min(cell.low, cell.high), max(cell.low, cell.high))
    track = max((tracks.get((cell.output, row), 0) for row in rows), default=0)
    tracks.update(((cell.output, row), track + 1) for row in rows)
    return track


def bars(prior: Prior, *, ax: Any = None) -> Any:
    """A prior as bars, with its weights up to twelve inputs."""
    drawn = ax if ax is not None else new_axes(width=min(max(3.5, 0.6 * len(prior.inputs) + 1), 9), height=3)
    heights = [near(w) for w in prior.weights]
    drawn.bar(range(len(heights)), heights, color=BLUE)
    drawn.set_xticks(*ticks(prior.inputs), parse_math=False)
    drawn.set_xlabel("input")
    drawn.set_ylabel("prior probability")
    drawn.set_ylim(0, 1.15 * max(heights))
    if len(heights) <= TRUNCATE:
        for place, (height, weight) in enumerate(zip(heights, prior.weights, strict=True)):
            drawn.text(place, height, written(weight), ha="center", va="bottom", fontsize=8)
    return done(drawn, ax)
