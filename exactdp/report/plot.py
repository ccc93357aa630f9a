# SPDX-License-Identifier: MIT
"""Pictures with matplotlib (the extra ``plot``): drawn from exact values, floats exist in the pixels only.

``.plot()`` of mechanisms, graphs, priors and verdicts comes here. A new :class:`Picture` belongs to no window
and to no list of open figures, so a notebook shows it once, as the value of a cell, and a script shows it
with ``.show()``.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from inspect import signature
from itertools import combinations
from math import exp, inf, log, log2, nan
from textwrap import fill, shorten
from typing import Any, Literal

import numpy as np

from exactdp.analysis.approximate import DeltaEvidence, LevelForDeltaEvidence, sampled_deltas
from exactdp.analysis.audit import Audit
from exactdp.analysis.leakage import hamming_leakage
from exactdp.analysis.levels import TableLevels
from exactdp.analysis.optimality.by_level import ByLevel, OptimalityByLevel
from exactdp.analysis.privacy import Cell, PrivacyEvidence
from exactdp.analysis.refinement import RefinementOrder
from exactdp.analysis.tight.levels import SolvableLevels
from exactdp.analysis.tight.regular import RegularEvidence, corner_prior
from exactdp.analysis.types.kernels import KernelLevels, KernelMechanism
from exactdp.analysis.types.universal_levels import UniversalLevels
from exactdp.analysis.verdict import Verdict
from exactdp.errors import InputError
from exactdp.exact import AlgebraicNumber, ExactMatrix, ExponentialField, Interval, Rational, RationalFunction
from exactdp.exact.decimals import decimal_text
from exactdp.model import Gain, Graph, Loss, Mechanism, Metric, Neighbours, Prior, PrivacyLevel, Remap, Table
from exactdp.model.channel import Hyper
from exactdp.report.items import TRUNCATE, Grid, grid_of
from exactdp.report.numbers import elide
from exactdp.report.registry import facts

Figure: Any
try:
    from matplotlib.figure import Figure
except ImportError:  # the extra is not installed: new_axes says so
    Figure = object

BLUE, RED, GREY = "#0072b2", "#d55e00", "#8c8c8c"
"""Okabe and Ito's blue and vermilion, which are told apart with every kind of colour vision, and a grey."""

PER_INCH = 13
"""Characters of a title in an inch."""

MOST_VERTICES = 400
"""More inputs are not drawn as a graph."""

NAMED_VERTICES = 40
"""Up to so many inputs the vertices of a graph carry their labels."""

SAMPLES = 200
"""At how many levels a curve is evaluated."""


class Picture(Figure):  # type: ignore[misc]  # of no known type: matplotlib may be absent
    """A matplotlib Figure that is shown once: by a notebook as the value of a cell, by a script with show."""

    def _repr_svg_(self) -> str:
        text = io.StringIO()
        self.savefig(text, format="svg", metadata={"Date": None})
        return text.getvalue()

    def show(self, warn: bool = True) -> None:
        """Open it in a window and wait until that is closed; in a notebook, show it below the cell.

        Raises
        ------
        InputError
            There is no window to open it in.
        """
        shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
        if shell is not None and hasattr(shell, "kernel"):
            from IPython.display import display

            display(self)  # type: ignore[no-untyped-call]
            return
        from matplotlib import pyplot

        window = pyplot.figure(figsize=self.get_size_inches())
        if window.canvas.required_interactive_framework is None and pyplot.get_backend().lower() in _WINDOWLESS:
            pyplot.close(window)
            raise InputError(
                f"no window can be opened here (matplotlib's backend is {pyplot.get_backend()}); write the picture to a file: "
                '.savefig("picture.svg")'
            )
        window.canvas.figure = self
        self.set_canvas(window.canvas)
        pyplot.show()


_WINDOWLESS = {"agg", "cairo", "pdf", "pgf", "ps", "svg", "template"}
"""The backends of matplotlib that only write files."""


def new_axes(*, width: float = 6.4, height: float = 4.8, projection: str | None = None) -> Any:
    """The axes of a new picture.

    Parameters
    ----------
    width, height : float
        In inches.
    projection : str, optional
        As for ``Figure.add_subplot``, such as ``"3d"``.

    Raises
    ------
    InputError
        matplotlib is not installed.
    """
    if Figure is object:
        raise InputError("pictures need matplotlib; install exactdp[plot]")
    return Picture(figsize=(width, height), layout="constrained").add_subplot(projection=projection)


def _done(drawn: Any, given: Any) -> Any:
    """What a picture returns: the axes that were given, or else the new figure."""
    return drawn if given is not None else drawn.figure


def picture_of(thing: Any, *, ax: Any = None, **options: Any) -> Any:
    """The picture of a mechanism, graph, prior, matrix or verdict: what its ``.plot()`` returns.

    Parameters
    ----------
    thing : Mechanism, Graph, Prior, Verdict, …
        What is drawn; a verdict by its evidence, with its claim as the title.
    ax : matplotlib Axes, optional
        Where to draw; a new figure unless given.
    **options
        Those of the function that draws such a thing.

    Returns
    -------
    Picture, or ``ax`` if that was given

    Raises
    ------
    InputError
        There is no picture of it, an option does not belong to its picture, or matplotlib is not installed.

    Examples
    --------
    >>> from exactdp import geometric, neighbours
    >>> geometric(2, "1/2").plot(by="alpha")
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: a picture of a Mechanism has no option 'by'; its options are ax and annotate
    """
    shown = thing.evidence if isinstance(thing, Verdict) else thing
    if isinstance(shown, Audit):
        shown = (shown.privacy or shown.own or shown.tightest or thing).evidence
    draw = next((draw for kinds, draw in _PICTURES if isinstance(shown, kinds)), None)
    if draw is None and isinstance(thing, Verdict):
        shown = next((item for item in facts(thing) if isinstance(item, Grid)), None)
        draw = None if shown is None else heat_map
    if draw is None:
        what = f"a verdict about {type(thing.evidence).__name__}" if isinstance(thing, Verdict) else f"a {type(thing).__name__}"
        raise InputError(f"there is no picture of {what}; there are pictures of mechanisms, neighbours, priors and verdicts about them")
    known = [name for name, parameter in signature(draw).parameters.items() if parameter.kind is parameter.KEYWORD_ONLY]
    for name in options:
        if name not in known:
            raise InputError(
                f"a picture of a {type(shown).__name__} has no option {name!r}; its options are {' and '.join(known)}", option=name
            )
    drawn = draw(shown, ax=ax, **options)
    if isinstance(thing, Verdict):
        axes = drawn.axes[0] if ax is None else ax
        axes.set_title(_title(thing, int(PER_INCH * axes.figure.get_figwidth())), fontsize=9, parse_math=False)
    return drawn


def _title(verdict: Verdict[Any], width: int) -> str:
    """The claim, cut to some 180 characters, and its scope."""
    claim = shorten(f"{verdict.decision.value.upper()}: {elide(verdict.claim)}", 180, placeholder=" …")
    scope = str(verdict.scope)
    return "\n".join([fill(claim, width), *([scope] if scope != "this instance" else [])])


def _near(x: Any) -> float:
    """About the number, for a place in the picture."""
    if isinstance(x, RationalFunction):
        if x.rational is None:
            raise InputError(
                f"{elide(str(x))} is a function of the level, which has no place in a picture; draw its values at a level, "
                "such as matrix.map(lambda x: x.evaluate('1/4'))",
                value=x,
            )
        return float(x.rational)
    return float(x)


def _written(x: Any, longest: int = 7) -> str:
    """The number if that is short, else a decimal."""
    text = str(x)
    return text if len(text) <= longest else f"{_near(x):.3g}"


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

    Parameters
    ----------
    thing : Mechanism, Table, Remap, Loss, Gain, ExactMatrix or Hyper
        What is drawn.
    ax : matplotlib Axes, optional
        Where to draw; a new figure unless given.
    annotate : bool, optional
        Write the entries into the squares; by default up to 12×12. Without them there is a scale.

    Returns
    -------
    Picture, or ``ax`` if that was given

    Raises
    ------
    InputError
        An entry is a function of the level, or matplotlib is not installed.
    """
    grid = thing if isinstance(thing, Grid) else grid_of("", thing)
    rows, columns = grid.matrix.shape
    values = [[_near(x) for x in row] for row in grid.matrix.rows()]
    write = max(rows, columns) <= TRUNCATE if annotate is None else annotate
    drawn = ax if ax is not None else new_axes(width=min(max(3.5, 0.62 * columns + 1), 8), height=min(max(2, 0.5 * rows + 1), 8))
    image = drawn.imshow(values, cmap="Blues", aspect="auto")
    low, high = image.get_clim()
    drawn.set_xticks(*_ticks(grid.columns), parse_math=False)
    drawn.set_yticks(*_ticks(grid.rows), parse_math=False)
    across, down = _AXES.get(type(thing), ("output", "input"))
    drawn.set_xlabel(grid.title if across is None else across)
    drawn.set_ylabel(down)
    if write:
        for i, row in enumerate(grid.matrix.rows()):
            for j, x in enumerate(row):
                dark = values[i][j] - low > 0.6 * (high - low)
                drawn.text(j, i, _written(x), ha="center", va="center", fontsize=8, color="white" if dark else "black")
    elif ax is None:
        drawn.figure.colorbar(image)
    return _done(drawn, ax)


def _ticks(labels: Sequence[str]) -> tuple[list[int], list[str]]:
    """At most 16 of the places, evenly spaced, with their labels, cut."""
    places = list(range(0, len(labels), -(-len(labels) // 16)))
    return places, [shorten_label(labels[k]) for k in places]


def shorten_label(label: str, longest: int = 14) -> str:
    """A label that fits beside a picture.

    >>> shorten_label("a"), shorten_label("a very long label indeed")
    ('a', 'a very long l…')
    """
    return label if len(label) <= longest else f"{label[: longest - 1]}…"


def bars(prior: Prior, *, ax: Any = None) -> Any:
    """A prior as bars, with its weights up to twelve inputs.

    Parameters
    ----------
    prior : Prior
        What is drawn.
    ax : matplotlib Axes, optional
        Where to draw; a new figure unless given.

    Returns
    -------
    Picture, or ``ax`` if that was given
    """
    drawn = ax if ax is not None else new_axes(width=min(max(3.5, 0.6 * len(prior.inputs) + 1), 9), height=3)
    heights = [_near(w) for w in prior.weights]
    drawn.bar(range(len(heights)), heights, color=BLUE)
    drawn.set_xticks(*_ticks(prior.inputs), parse_math=False)
    drawn.set_xlabel("input")
    drawn.set_ylabel("prior probability")
    drawn.set_ylim(0, 1.15 * max(heights))
    if len(heights) <= TRUNCATE:
        for place, (height, weight) in enumerate(zip(heights, prior.weights, strict=True)):
            drawn.text(place, height, _written(weight), ha="center", va="bottom", fontsize=8)
    return _done(drawn, ax)


def graph_picture(neighbours: Neighbours, *, ax: Any = None) -> Any:
    """Inputs as points, neighbours joined by lines; for a metric, pairs that are not joined through another.

    Parameters
    ----------
    neighbours : Graph or Metric
        Of at most 400 inputs.
    ax : matplotlib Axes, optional
        Where to draw; a new figure unless given.

    Returns
    -------
    Picture, or ``ax`` if that was given

    Raises
    ------
    InputError
        More than 400 inputs, or matplotlib is not installed.
    """
    drawn, _ = _drawn_graph(neighbours, ax)
    drawn.set_title(str(neighbours), fontsize=9, parse_math=False)
    return _done(drawn, ax)


def privacy_picture(evidence: PrivacyEvidence, *, ax: Any = None) -> Any:
    """The neighbours, with the pairs marked that break the level asked about (dashed) or are tight.

    Parameters
    ----------
    evidence : PrivacyEvidence
        Of :func:`~exactdp.analysis.privacy.is_private` or ``tightest_level``.
    ax : matplotlib Axes, optional
        Where to draw; a new figure unless given.

    Returns
    -------
    Picture, or ``ax`` if that was given

    Notes
    -----
    The worst pair carries its ratio of probabilities, exactly.
    """
    drawn, places = _drawn_graph(evidence.neighbours, ax)
    at = evidence.tightest if evidence.level is None else evidence.level
    for cells, colour, style, word in (
        (evidence.tight, BLUE, "-", f"tight at level {at}"),
        (evidence.violated, RED, "--", f"broken at level {at}"),
    ):
        pairs = sorted({(min(c.low, c.high), max(c.low, c.high)) for c in cells})
        for number, (i, j) in enumerate(pairs):
            label = f"{word}: {len(pairs)} of {len(evidence.neighbours.pairs())} pairs" if number == 0 else None
            drawn.plot(*zip(places[i], places[j], strict=True), style, color=colour, linewidth=3, label=label, zorder=1.5)
    worst = evidence.attained
    if worst is not None:
        x, y = ((places[worst.low][k] + places[worst.high][k]) / 2 for k in range(2))
        box = {"boxstyle": "round", "facecolor": "white", "edgecolor": RED if evidence.violated else BLUE}
        text = _ratio(worst, evidence.mechanism)
        offset = {"xytext": (0, 16), "textcoords": "offset points"}
        drawn.annotate(text, (x, y), ha="center", va="bottom", fontsize=8, color="black", bbox=box, zorder=4, parse_math=False, **offset)
    if evidence.tight or evidence.violated:
        drawn.legend(loc="upper center", bbox_to_anchor=(0.5, 0), fontsize=8, frameon=False)
    return _done(drawn, ax)


def _ratio(cell: Cell, mechanism: Mechanism) -> str:
    low, high, out = mechanism.inputs[cell.low], mechanism.inputs[cell.high], mechanism.outputs[cell.output]
    return f"x[{low}][{out}] / x[{high}][{out}] = {_written(cell.ratio, 16)}"


def _drawn_graph(neighbours: Neighbours, ax: Any) -> tuple[Any, list[tuple[float, float]]]:
    """Axes with the graph, and where its vertices are."""
    labels = neighbours.vertices
    if len(labels) > MOST_VERTICES:
        raise InputError(f"a graph on {len(labels)} inputs is too large to be drawn; at most {MOST_VERTICES}", value=len(labels))
    places = _places(neighbours)
    spans = [max(p[k] for p in places) - min(p[k] for p in places) for k in range(2)]
    flat = spans[1] < 0.2 * spans[0]
    drawn = ax if ax is not None else new_axes(width=6.4 if len(labels) <= 16 else 9, height=2 if flat else 4.5)
    drawn.set_axis_off()
    if not flat:
        drawn.set_aspect("equal")
    drawn.margins(0.12, 0.4 if flat else 0.12)
    for i, j in _lines(neighbours):
        drawn.plot(*zip(places[i], places[j], strict=True), color=GREY, linewidth=1, zorder=1)
    named = len(labels) <= NAMED_VERTICES
    inside = named and all(len(label) <= 3 for label in labels)
    size = 340 if inside else 60 if named else 12
    drawn.scatter(*zip(*places, strict=True), s=size, color="white" if inside else BLUE, edgecolors="black" if inside else BLUE, zorder=3)
    if named:
        for label, place in zip(labels, places, strict=True):
            _beside(drawn, label, place, 0 if inside else -12, color="black" if inside else None)
    else:
        for k in (0, len(labels) - 1):
            _beside(drawn, labels[k], places[k], -10)
    return drawn, places


def _beside(drawn: Any, label: str, place: tuple[float, float], down: float, **options: Any) -> None:
    """A label at a place, or so many points below it."""
    where = {"textcoords": "offset points", "ha": "center", "va": "center", "fontsize": 8}
    drawn.annotate(shorten_label(label), place, (0, down), **where, zorder=5, parse_math=False, **options)


def _lines(neighbours: Neighbours) -> list[tuple[int, int]]:
    """The pairs that are joined: edges, or those of a metric that no third input lies between."""
    if isinstance(neighbours, Graph):
        return list(neighbours.edges)
    d = _distances(neighbours)
    through = np.where(np.eye(len(d), dtype=bool), inf, d)
    return [(i, j) for i, j, _ in neighbours.pairs() if not ((through[i] + through[j]) < d[i, j] * (1 + 1e-9)).any()]


def _distances(neighbours: Neighbours) -> Any:
    """About all distances; a little more than the largest where there is none."""
    size = len(neighbours.vertices)
    d = np.full((size, size), nan)
    if isinstance(neighbours, Graph):
        d[:] = [[nan if x is None else x for x in row] for row in neighbours.hops()]
    else:
        for i, j, distance in neighbours.pairs():
            d[i, j] = d[j, i] = float(distance)
    np.fill_diagonal(d, 0)
    return np.where(np.isnan(d), np.nanmax(d) + 1, d)


def _places(neighbours: Neighbours) -> list[tuple[float, float]]:
    """Where the inputs are drawn, so that distances in the picture are near those of the neighbours.

    A path is a straight line, and a grid is a grid. Otherwise classical scaling, improved by stress
    majorisation [de Leeuw 1977]; where all are equally far apart, a circle.
    """
    size = len(neighbours.vertices)
    if isinstance(neighbours, Graph) and (neighbours.is_path or size == 1):
        return [(float(k), 0.0) for k in range(size)]
    cells = _cells(neighbours)
    if cells is not None:
        return cells
    d = _distances(neighbours)
    turn = 2 * np.pi * np.arange(size) / size
    circle = np.column_stack([np.sin(turn), np.cos(turn)])
    if np.ptp(d[~np.eye(size, dtype=bool)]) < 1e-9:
        x = circle
    else:
        centre = np.eye(size) - 1 / size
        values, vectors = np.linalg.eigh(-centre @ d**2 @ centre / 2)
        x = vectors[:, -1:-3:-1] * np.sqrt(np.maximum(values[-1:-3:-1], 1e-9)) + 1e-3 * circle
        for _ in range(100):
            now = np.linalg.norm(x[:, None] - x[None], axis=2)
            ratio = np.divide(d, now, out=np.zeros_like(d), where=now > 1e-12)
            x = (np.diag(ratio.sum(axis=1)) - ratio) @ x / size
    return [(float(a), float(b)) for a, b in x]


def _cells(neighbours: Neighbours) -> list[tuple[float, float]] | None:
    """The places that labels such as ``2,3`` name, if all neighbours are in cells that touch."""
    pairs = [re.fullmatch(r"(-?[0-9]{1,4}),(-?[0-9]{1,4})", label) for label in neighbours.vertices]
    places = [(float(m[2]), -float(m[1])) for m in pairs if m is not None]
    if len(places) < len(pairs):
        return None
    steps = ((abs(places[i][k] - places[j][k]) for k in range(2)) for i, j in _lines(neighbours))
    return places if all(max(step) <= 1 for step in steps) else None


Axis = Literal["epsilon", "alpha"]


def _across(by: str) -> tuple[Callable[[float], float], str]:
    """Where a level is drawn, and the words below."""
    if by == "alpha":
        return (lambda a: a), "level α"
    if by == "epsilon":
        return (lambda a: -log(a)), "ε"
    raise InputError(f"by={by!r}: a curve is drawn by 'epsilon' or by 'alpha'", by=by)


def value_by_level(pieces: ByLevel, *, ax: Any = None, by: Axis = "epsilon", label: str | None = None) -> Any:
    """The least loss as a curve over ε or the level α, with a dot where one formula ends and the next begins.

    Parameters
    ----------
    pieces : ByLevel
        From ``optimum_by_level``, ``best_remap_by_level`` or ``is_optimal_by_level``; with the last the loss
        of the mechanism is dashed.
    ax : matplotlib Axes, optional
        Where to draw; a new figure unless given.
    by : "epsilon" or "alpha"
        What is drawn across.
    label : str, optional
        For the legend.

    Returns
    -------
    Picture, or ``ax`` if that was given

    Raises
    ------
    InputError
        matplotlib is not installed, or ``by`` is another word.

    Notes
    -----
    The formulas are evaluated exactly at rational levels; only their values are rounded, to be drawn.
    """
    place, words = _across(by)
    drawn = ax if ax is not None else new_axes(height=3.8)
    measure = pieces.consumer.measure
    ends = [_near(interval.upper) for interval, _ in pieces.values[:-1]]
    top = max([4.0, *(1.3 * -log(end) for end in ends)])
    levels = _levels(pieces.interval, top, by)
    found = [(a, measure.of(pieces.value_at(a))) for a in levels]
    [line] = drawn.plot([place(float(a)) for a, _ in found], [nan if v is None else float(v) for _, v in found], label=label)
    for end in ends:
        value = measure.of(pieces.value_at(Rational(round(end * 10**6), 10**6)))
        if value is not None:
            drawn.plot([place(end)], [float(value)], "o", color=line.get_color(), markersize=4)
    if isinstance(pieces, OptimalityByLevel):
        own = [(a, measure.of(_loss_at(pieces, a))) for a in levels]
        drawn.plot(
            [place(float(a)) for a, _ in own],
            [nan if v is None else float(v) for _, v in own],
            "--",
            color=RED,
            label=f"{measure.word} of the mechanism, where it is private",
        )
        line.set_label(label or measure.best)
        drawn.legend(fontsize=8)
    drawn.set_xlabel(words)
    drawn.set_ylabel(measure.best)
    if ends and label is None and ax is None:
        drawn.text(0.99, 0.98, "• one formula ends, the next begins", transform=drawn.transAxes, ha="right", va="top", fontsize=8)
    return _done(drawn, ax)


def _levels(interval: Interval, top: float, by: str) -> list[Rational]:
    """Rational levels of an interval, evenly spaced as they are drawn, ε at most ``top``."""
    shares = [(k + 0.5) / SAMPLES for k in range(SAMPLES)]
    drawn = [exp(-top * share) for share in shares] if by == "epsilon" else shares
    found = (Rational(round(a * 10**6), 10**6) for a in sorted(drawn))
    return [a for a in found if 0 < a < 1 and interval.contains(a)]


def _loss_at(pieces: OptimalityByLevel, level: Rational) -> Any:
    """The mechanism's loss; None where it is not private, or nothing was decided."""
    found = pieces.pieces.at(level)
    if found is None or found.violated is not None:
        return None
    loss = found.optimality.loss
    return loss.evaluate(level) if hasattr(loss, "evaluate") else loss


def level_line(evidence: TableLevels | SolvableLevels | UniversalLevels, *, ax: Any = None) -> Any:
    """The levels α from 0 to 1, with those marked where a statement holds, and some ε above.

    Parameters
    ----------
    evidence : TableLevels, SolvableLevels or UniversalLevels
        From ``private_levels``, ``stochastic_levels``, ``derivable_levels``, ``tight_levels``,
        ``regular_levels`` or ``universal_by_level``.
    ax : matplotlib Axes, optional
        Where to draw; a new figure unless given.

    Returns
    -------
    Picture, or ``ax`` if that was given

    Notes
    -----
    An end is a full dot if it belongs to the levels, else an empty one.
    """
    if isinstance(evidence, SolvableLevels):
        holds = evidence.intervals
    else:
        holds = evidence.holds_on if isinstance(evidence, TableLevels) else evidence.pieces.where(lambda answer: answer.yes)
    drawn = ax if ax is not None else new_axes(width=7, height=2.2)
    asked = evidence.pieces.interval
    drawn.plot([_near(asked.lower), _near(asked.upper)], [0, 0], color=GREY, linewidth=1, zorder=1)
    for number, part in enumerate(holds):
        low, high = _near(part.lower), _near(part.upper)
        drawn.plot([low, high], [0, 0], color=BLUE, linewidth=6, solid_capstyle="butt", zorder=2, label=None if number else "holds")
        for end, x, closed in ((part.lower, low, part.lower_closed), (part.upper, high, part.upper_closed)):
            drawn.plot([x], [0], "o", color=BLUE, markerfacecolor=BLUE if closed else "white", markersize=8, zorder=3)
            if 0 < x < 1:
                drawn.annotate(_end(end), (x, 0), (0, 9), textcoords="offset points", ha="center", fontsize=8)
    if holds:
        drawn.legend(loc="lower right", fontsize=8, frameon=False)
    drawn.set_xlim(-0.02, 1.02)
    drawn.set_ylim(-2, 1.2)
    drawn.set_yticks([])
    drawn.set_xlabel("level α")
    _epsilons_above(drawn)
    return _done(drawn, ax)


def _epsilons_above(drawn: Any) -> None:
    """A second scale: ε = −ln α."""
    above = drawn.secondary_xaxis("top")
    words = ("4", "3", "2", "3/2", "1", "1/2", "1/4", "1/10")
    above.set_xticks([exp(-float(Rational(word))) for word in words], words, fontsize=7)
    above.set_xlabel("ε", fontsize=8)


def _end(point: Any) -> str:
    rational = point.rational if isinstance(point, AlgebraicNumber) else point
    if rational is not None:
        return str(rational)
    return f"{decimal_text(point.enclosure(6)[0], 5)[0]}…"


def count_by_level(evidence: KernelLevels, *, ax: Any = None) -> Any:
    """How many kernel mechanisms there are: a line over each interval of levels, a dot at each single one.

    Parameters
    ----------
    evidence : KernelLevels
        From ``kernel_counts``.
    ax : matplotlib Axes, optional
        Where to draw; a new figure unless given.

    Returns
    -------
    Picture, or ``ax`` if that was given
    """
    drawn = ax if ax is not None else new_axes(height=3.8)
    for part, count in evidence.pieces:
        style = "o" if part.is_point else "-"
        drawn.plot([_near(part.lower), _near(part.upper)], [count, count], style, color=BLUE, linewidth=3, markersize=4)
    drawn.set_xlim(-0.02, 1.02)
    drawn.set_xlabel("level α")
    drawn.set_ylabel("kernel mechanisms")
    _epsilons_above(drawn)
    return _done(drawn, ax)


def delta_curve(evidence: DeltaEvidence | LevelForDeltaEvidence, *, ax: Any = None, by: Axis = "epsilon") -> Any:
    """The least δ at some levels: exact values at the dots, joined by straight lines.

    Parameters
    ----------
    evidence : DeltaEvidence or LevelForDeltaEvidence
        From ``least_delta``, ``is_approximately_private`` or ``level_for_delta``; what these found is marked.
    ax : matplotlib Axes, optional
        Where to draw; a new figure unless given.
    by : "epsilon" or "alpha"
        What is drawn across.

    Returns
    -------
    Picture, or ``ax`` if that was given
    """
    place, words = _across(by)
    level = evidence.level.alpha if isinstance(evidence, DeltaEvidence) else evidence.ratio
    marked = _near(level) if level > 0 else None
    top = max(3.0, 1.2 * -log(marked) if marked else 0)
    found = _sampled(evidence, top)
    private = max((-log(float(a)) for a, d in found if d), default=top)
    if private < top / 2:  # δ is 0 on most of this
        found = _sampled(evidence, max(1.3 * private, 1.2 * -log(marked) if marked else 0.1))
    points = [(place(float(a)), _near(d)) for a, d in found]
    drawn = ax if ax is not None else new_axes(height=3.8)
    drawn.plot(*zip(*points, strict=True), "o-", color=BLUE, markersize=3, linewidth=1, label="least δ, exact at the dots")
    if marked:
        drawn.plot([place(marked)], [_near(evidence.delta)], "D", color=RED, markersize=7, label=f"δ = {_written(evidence.delta, 16)}")
    drawn.set_xlabel(words)
    drawn.set_ylabel("δ")
    drawn.set_ylim(bottom=0)
    drawn.legend(fontsize=8)
    return _done(drawn, ax)


def _sampled(evidence: DeltaEvidence | LevelForDeltaEvidence, top: float) -> list[tuple[Any, Any]]:
    """Levels with ε from 0 to ``top``, and the least δ there."""
    levels = [Rational(round(exp(-top * (k + 0.5) / 40) * 10**6), 10**6) for k in range(40)]
    return sampled_deltas(evidence.subject, evidence.neighbours, levels)


def hasse_diagram(order: RefinementOrder, *, ax: Any = None) -> Any:
    """The order of refinement: a line up leads to what can be computed from the output of the lower one.

    Parameters
    ----------
    order : RefinementOrder
        From ``refinement_order``; mechanisms that refine each other share a place.
    ax : matplotlib Axes, optional
        Where to draw; a new figure unless given.

    Returns
    -------
    Picture, or ``ax`` if that was given
    """
    texts = [" ≡ ".join(order.names[i] for i in part) for part in order.classes]
    floor = [0] * len(texts)
    for _ in texts:
        for a, b in order.covers:
            floor[b] = max(floor[b], floor[a] + 1)
    rows = [[k for k in range(len(texts)) if floor[k] == level] for level in range(max(floor) + 1)]
    places = {k: (x - (len(row) - 1) / 2, float(level)) for level, row in enumerate(rows) for x, k in enumerate(row)}
    texts = [shorten_label(text, 30) for text in texts]
    wide = max(map(len, rows)) * (0.6 + 0.11 * max(map(len, texts)))
    drawn = ax if ax is not None else new_axes(width=max(4.5, wide), height=1.5 + 1.1 * len(rows))
    for a, b in order.covers:
        drawn.plot(*zip(places[a], places[b], strict=True), color=GREY, zorder=1)
    for k, text in enumerate(texts):
        box = {"boxstyle": "round", "facecolor": "white", "edgecolor": BLUE}
        drawn.text(*places[k], text, ha="center", va="center", color="black", bbox=box, zorder=2, parse_math=False)
    drawn.set_axis_off()
    drawn.set_xlim(-max(map(len, rows)) / 2, max(map(len, rows)) / 2)
    drawn.set_ylim(-0.4, len(rows) - 0.6)
    drawn.text(
        0.5,
        -0.02,
        "a line up: the upper one is the lower one, post-processed",
        transform=drawn.transAxes,
        ha="center",
        va="top",
        fontsize=8,
    )
    return _done(drawn, ax)


CORNERS: dict[int, tuple[tuple[float, ...], ...]] = {
    3: ((0.0, 0.0), (1.0, 0.0), (0.5, 0.8660254)),
    4: ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
}
"""Where the corners of the simplex of priors are drawn: an equilateral triangle, and a tetrahedron."""


def region_picture(neighbours: Neighbours, levels: Iterable[Any], *, prior: Prior | None = None, ax: Any = None) -> Any:
    """The region of regular priors at some levels, in the simplex of all priors on three or four answers.

    Parameters
    ----------
    neighbours : Graph or Metric
        On three or four answers.
    levels : iterable of levels
        As text or numbers.
    prior : Prior, optional
        Marked.
    ax : matplotlib Axes, optional
        Where to draw (for four answers with ``projection="3d"``); a new figure unless given.

    Returns
    -------
    Picture, or ``ax`` if that was given

    Raises
    ------
    InputError
        Not three or four answers, or matplotlib is not installed.

    Notes
    -----
    Figures 2 and 3 of ElSalamouny, Chatzikokolakis, Palamidessi (2013): the convex hull of the corner priors.
    """
    n = len(neighbours.vertices)
    frame = CORNERS.get(n)
    if frame is None:
        raise InputError(f"a picture of priors on {n} answers has too few or too many dimensions; give 3 or 4", value=n)
    drawn = ax if ax is not None else new_axes(projection="3d" if n == 4 else None)

    def place(weights: Sequence[Any]) -> tuple[float, ...]:
        return tuple(sum(_near(w) * point[axis] for w, point in zip(weights, frame, strict=True)) for axis in range(len(frame[0])))

    _outline(drawn, frame, color="lightgrey", label="all priors")
    for number, level in enumerate(levels):
        corners = [place(corner_prior(neighbours, level, i).weights) for i in range(n)]
        _outline(drawn, corners, color=f"C{number}", label=f"regular at α = {level}")
    for label, corner in zip(neighbours.vertices, frame, strict=True):
        drawn.text(*corner, f" {shorten_label(label)} ", ha="center", va="bottom" if corner[1] > 0 else "top", fontsize=8, parse_math=False)
    if prior is not None:
        drawn.plot(*([x] for x in place(prior.weights)), "D", color=RED, label="the prior")
    drawn.set_axis_off()
    drawn.set_aspect("equal")
    drawn.legend(loc="upper right", fontsize=8)
    return _done(drawn, ax)


def _regular(evidence: RegularEvidence, *, ax: Any = None) -> Any:
    """The prior in the region of regular ones where that can be drawn, else as bars."""
    if len(evidence.prior.inputs) in CORNERS:
        return region_picture(evidence.neighbours, [evidence.level.alpha], prior=evidence.prior, ax=ax)
    return bars(evidence.prior, ax=ax)


def _outline(ax: Any, places: Sequence[tuple[float, ...]], *, color: str, label: str) -> None:
    for number, (p, q) in enumerate(combinations(places, 2)):
        ax.plot(*zip(p, q, strict=True), color=color, label=label if number == 0 else None)


def leakage_picture(prior: Prior, people: int, epsilons: Iterable[str], *, ax: Any = None) -> Any:
    """Bounds of the leakage in bits about some people's records: for one prior of each record, and for all.

    The first curve is drawn only where the prior is regular: elsewhere it bounds nothing. It is Figure 4 of
    the paper, which draws that curve from ε = 0.48 on, although the prior is regular from ln 2 on.
    """
    drawn = ax if ax is not None else new_axes(height=3.8)
    v = len(prior.weights)
    least, most = min(prior.weights), max(prior.weights)
    own: list[tuple[float, float]] = []
    everyone: list[tuple[float, float]] = []
    for text in epsilons:
        alpha = ExponentialField(Rational(text)).gen
        everyone.append((float(Rational(text)), log2(float(hamming_leakage(v, people, PrivacyLevel(alpha))))))
        if least * (1 + (v - 1) * alpha) >= alpha:
            own.append((float(Rational(text)), people * log2(float(1 / (most * (1 + (v - 1) * alpha))))))
    drawn.plot(*zip(*everyone, strict=True), label="all priors")
    if own:
        drawn.plot(*zip(*own, strict=True), label="this prior, where it is regular")
    drawn.set_xlabel("ε")
    drawn.set_ylabel("leakage in bits, at most")
    drawn.legend()
    return _done(drawn, ax)


def utility_picture(curves: Mapping[str, Sequence[tuple[Any, Any]]], *, ax: Any = None) -> Any:
    """Utilities at some levels, a curve for each name: pairs of exact (level, utility), drawn over ε = −ln α.

    Figure 6 of the paper: the tight-constraints mechanism is drawn where it exists.
    """
    drawn = ax if ax is not None else new_axes(height=3.8)
    for name, points in curves.items():
        places = sorted((-log(float(a)), float(u)) for a, u in points)
        drawn.plot([x for x, _ in places], [y for _, y in places], "o-", markersize=3, label=name)
    drawn.set_xlabel("ε")
    drawn.set_ylabel("utility (uniform prior, best remap)")
    drawn.legend()
    return _done(drawn, ax)


_PICTURES: tuple[tuple[Any, Callable[..., Any]], ...] = (
    ((Mechanism, Table, Remap, Loss, Gain, ExactMatrix, Hyper), heat_map),
    (KernelMechanism, lambda kernel, *, ax=None, annotate=None: heat_map(kernel.mechanism, ax=ax, annotate=annotate)),
    ((Graph, Metric), graph_picture),
    (Prior, bars),
    (PrivacyEvidence, privacy_picture),
    (ByLevel, value_by_level),
    ((TableLevels, SolvableLevels, UniversalLevels), level_line),
    (KernelLevels, count_by_level),
    ((DeltaEvidence, LevelForDeltaEvidence), delta_curve),
    (RefinementOrder, hasse_diagram),
    (RegularEvidence, _regular),
)
"""What draws a value of each class, and a verdict with such evidence."""
