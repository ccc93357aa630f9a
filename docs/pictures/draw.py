# SPDX-License-Identifier: MIT
"""Draw the pictures of the documentation: ``python docs/pictures/draw.py`` writes an SVG for each.

Every picture but the last is a ``.plot()`` of the package. The lines and the text of a file are dark on
light, or light on dark where the reader prefers that: a browser asks the page that shows the picture.
``tests/report/plot/test_pages.py`` compares the files with what is drawn now, and the alternative texts of
the pages with those of this file.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

import exactdp as xdp

FOLDER = Path(__file__).resolve().parent
INK, PAPER, BLUE = "#1f2933", "#fffffe", "#0072b2"
"""What is drawn in no colour of its own, the background (nothing else has these two), the package's blue."""
COLOURS = {"--ink": (INK, "#d6dde4"), "--paper": (PAPER, "#131416"), "--blue": (BLUE, "#3d9fdc")}
"""The names of these in a file, by day and by night."""
STYLE = {
    "svg.fonttype": "none",
    "font.sans-serif": ["DejaVu Sans", "Verdana"],
    "svg.hashsalt": "exactdp",
    **dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), INK),
    **dict.fromkeys(("figure.facecolor", "axes.facecolor", "savefig.facecolor"), PAPER),
    "legend.framealpha": 0,
    "legend.edgecolor": INK,
}


@dataclass(frozen=True)
class Drawing:
    """How a picture is made, and what it says to a reader who does not see it."""

    draw: Callable[[], Any]
    alternative: str


def untitled(picture: Any) -> Any:
    """The picture of a verdict without its claim, which the page says beside it."""
    picture.axes[0].set_title("")
    return picture


def two_graphs() -> Any:
    """Two graphs beside each other."""
    figure = Figure(figsize=(8, 2.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    xdp.neighbours("path:5").plot(ax=left)
    xdp.neighbours("grid:3x4").plot(ax=right)
    return figure


def gallery(words: str) -> Any:
    """Graphs of the atlas, three beside each other, each below its word."""
    names = words.split()
    columns = min(3, len(names))
    rows = -(-len(names) // columns)
    figure = Figure(figsize=(2.4 * columns, 2.4 * rows), layout="constrained")
    for axes, name in zip(figure.subplots(rows, columns, squeeze=False).flat, names, strict=True):
        xdp.neighbours(f"graph6:{name}").plot(ax=axes)
        axes.margins(0.25)
        axes.set_title(f"graph6:{name}", fontsize=9, parse_math=False)
    return figure


def level_lines() -> Any:
    """The levels at which three graphs have a mechanism that is optimal for every prior."""
    figure = Figure(figsize=(7, 4.6), layout="constrained")
    for axes, name in zip(figure.subplots(3, 1), ("path:4", "star:4", "cycle:4"), strict=True):
        xdp.universal_by_level(name, "zero-one").plot(ax=axes)
        axes.set_title(name, fontsize=9)
    return figure


def regular_priors() -> Any:
    """The region of regular priors at three levels, and one prior."""
    from exactdp.report.plot import region_picture

    return region_picture(xdp.neighbours(PATH3), ["1/4", "1/2", "3/4"], prior=xdp.Prior(["1/2", "1/4", "1/4"]))


def refinements() -> Any:
    """Six mechanisms on three inputs, by what can be computed from what."""
    geometric = {f"geometric, α = {a}": xdp.geometric(2, a) for a in ("1/4", "1/2", "3/4")}
    poll = xdp.Mechanism([["2/3", "1/3"], ["1/2", "1/2"], ["1/3", "2/3"]])
    named = {"identity": xdp.identity(range(3)), **geometric, "poll": poll, "constant": xdp.uniform(range(3))}
    return untitled(xdp.refinement_order(named).plot())


def least_favourable() -> Any:
    """The prior that proves how little a minimax consumer can lose."""
    weights = xdp.optimum(PATH4, "1/2", xdp.MinimaxConsumer("zero-one")).evidence.dual.weights
    return xdp.Prior(weights).plot()


STATIONS = (
    ("question", "mechanism, neighbours, level, consumer"),
    ("search", "floating point may propose an answer"),
    ("analysis", "recomputes it exactly: a verdict with a witness"),
    ("certificate", "claim, definitions, witness: one JSON file"),
)
JUDGES = (
    ("checker", "exactdp verify\nsmall files of Python"),
    ("proved checker", "exactdp verify --proved\nextracted from Coq"),
    ("Coq itself", "exactdp convert --to coq\nthe claim as a theorem"),
)


def journey() -> Any:
    """From a question to those who judge the answer; what is trusted has a thick frame."""
    axes = Figure(figsize=(6.4, 5.2), layout="constrained").add_subplot()
    axes.set_xlim(0, 7)
    axes.set_ylim(0, 7)
    axes.set_axis_off()
    for k, (name, what) in enumerate(STATIONS):
        _box(axes, (0.1, 5.5 - 1.8 * k), name, what, trusted=False)
        if k:
            _arrow(axes, (1.5, 7.3 - 1.8 * k), (1.5, 6.8 - 1.8 * k))
    for k, (name, what) in enumerate(JUDGES):
        _box(axes, (4.1, 3.7 - 1.8 * k), name, what, trusted=True)
        _arrow(axes, (2.9, 0.75), (4.1, 4.35 - 1.8 * k))
    axes.text(5.5, 6.2, "thin frame: not trusted\nthick frame: choose one,\nand trust only that", ha="center", va="center", fontsize=9)
    return axes.figure


def _box(axes: Any, corner: tuple[float, float], name: str, what: str, *, trusted: bool) -> None:
    width, height = 2.8, 1.3
    style = {"facecolor": PAPER, "edgecolor": BLUE if trusted else "#8c8c8c", "linewidth": 3 if trusted else 1}
    axes.add_patch(FancyBboxPatch(corner, width, height, boxstyle="round,pad=0,rounding_size=0.12", **style))
    x, y = corner[0] + width / 2, corner[1] + height
    axes.text(x, y - 0.28, name, ha="center", va="center", fontsize=11, weight="bold")
    axes.text(x, y - 0.82, what if "\n" in what else _two_lines(what), ha="center", va="center", fontsize=9)


def _two_lines(text: str) -> str:
    words = text.split()
    half = min(range(1, len(words)), key=lambda k: abs(len(" ".join(words[:k])) - len(" ".join(words[k:]))))
    return " ".join(words[:half]) + "\n" + " ".join(words[half:])


def _arrow(axes: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    axes.annotate("", end, start, arrowprops={"arrowstyle": "->", "color": "#8c8c8c", "linewidth": 1.5})


PATH3, PATH4 = "path:3", "path:4"
G = xdp.geometric(3, "1/2")
BROKEN = xdp.Mechanism([["1/2", "1/2"], ["1/2", "1/2"], ["1/8", "7/8"]])
DECIMALS = xdp.Mechanism(
    [["0.67", "0.17", "0.08", "0.08"], ["0.33", "0.33", "0.17", "0.17"], ["0.17", "0.17", "0.33", "0.33"], ["0.08", "0.08", "0.17", "0.67"]]
)
LIKELY = xdp.BayesianConsumer("abs", ["1/10", "2/5", "2/5", "1/10"])

PICTURES = {
    "neighbours": Drawing(
        two_graphs,
        "Two graphs: a path of five inputs in a line, and a grid of three rows and four columns with lines between cells side by side",
    ),
    "table": Drawing(
        lambda: untitled(xdp.is_private(G, PATH4, "1/2").plot(table=True)),
        "The geometric mechanism as a table of four by four squares; short lines join the 12 pairs of entries that are tight",
    ),
    "broken": Drawing(
        lambda: untitled(xdp.is_private(BROKEN, PATH3, "1/2").plot()),
        "The path 0 – 1 – 2: the pair 1 – 2 is dashed, and two of its entries have the ratio 1/4; the pair 0 – 1 is a thin line",
    ),
    "delta": Drawing(
        lambda: untitled(xdp.least_delta(G, PATH4, "3/4").plot()),
        "The least δ falls from about 1/3 near ε = 0 to 0 at ε = ln 2 and stays 0; the value 2/9 at level α = 3/4 is marked",
    ),
    "levels": Drawing(
        level_lines,
        "Three lines of levels from 0 to 1: all levels are marked for the path, those up to 1/2 for the star, none for the cycle",
    ),
    "loss": Drawing(
        lambda: untitled(xdp.optimum_by_level(PATH4, xdp.MinimaxConsumer("squared")).plot()),
        "The least squared loss on a path of four inputs falls as ε rises; two dots show where one formula ends and the next begins",
    ),
    "remap": Drawing(
        xdp.best_remap(G, LIKELY).evidence.remap.plot,
        "The best remap as four by four squares: outputs 0 and 1 become guess 1, outputs 2 and 3 become guess 2",
    ),
    "refinement": Drawing(
        refinements,
        "A Hasse diagram, from below: identity, geometric at 1/4, geometric at 1/2, then geometric at 3/4 beside poll, then constant",
    ),
    "dual": Drawing(
        least_favourable,
        "The least favourable prior as four bars: 1/6, 1/3, 1/3, 1/6",
    ),
    "regular": Drawing(
        regular_priors,
        "The triangle of all priors on three inputs; in it the regular ones at 1/4, 1/2 and 3/4 as nested triangles, and one prior",
    ),
    "posteriors": Drawing(
        lambda: untitled(xdp.vertex_count(PATH3, "1/2").plot()),
        "The triangle of all distributions on three inputs; in it a polygon with the four vertices v0 to v3 around the uniform prior",
    ),
    "kernels": Drawing(
        lambda: untitled(xdp.kernel_count(PATH3, "1/2").plot()),
        "The same polygon; one kernel mechanism is the segment from v0 to v2, the other the triangle of v1, v2 and v3",
    ),
    "rounded": Drawing(
        lambda: untitled(xdp.is_private(DECIMALS, PATH4, "1/2").plot(table=True)),
        "The table with two decimals as four by four squares; dashed lines join the 6 pairs of entries that break level 1/2",
    ),
    "atlas_four": Drawing(
        lambda: gallery("CF CR CN Cr C^ C~"),
        "The six connected graphs with four vertices: star, path, a triangle with a tail, cycle, two triangles with an edge in common, "
        "complete graph",
    ),
    "atlas_gap": Drawing(
        lambda: gallery(r"EIMw Es\w"),
        "The two graphs with a gap, of six vertices: one with eight edges, one with ten",
    ),
    "atlas_several": Drawing(
        lambda: gallery(r"Es\o FBXcw FINLg Fs\pw Fs\vw F}oxw"),
        "The six graphs with more than one tight-constraints mechanism at level 1/2: K₃,₃, and five with seven vertices",
    ),
    "journey": Drawing(
        journey,
        "A question goes to the search, to the analysis and to a certificate; from there to the checker, the proved checker or Coq",
    ),
}

TITLED = {
    "optimum": Drawing(
        lambda: xdp.optimum_by_level(PATH4, xdp.MinimaxConsumer("squared")).plot(),
        "The least squared loss on path:4 as a curve over ε, with two dots where the formula changes",
    ),
    "broken_pair": Drawing(
        lambda: xdp.is_private(BROKEN, PATH3, "ε = ln 2").plot(),
        "The path 0 – 1 – 2 with the pair 1 – 2 dashed and its ratio 1/4",
    ),
}
"""Pictures in ``docs/``, with the answer as their title."""


def svg_of(drawing: Drawing) -> str:
    """The picture as it is written: in two inks, with its alternative text."""
    text = io.StringIO()
    with rc_context(STYLE):
        figure = drawing.draw()
        figure.savefig(text, format="svg", metadata={"Date": None, "Description": drawing.alternative})
    svg = re.sub(r"[ \t]+$| transform=\"rotate\(-0 [^\"]*\)\"", "", text.getvalue(), flags=re.MULTILINE)
    for name, (day, _) in COLOURS.items():
        svg = svg.replace(day, f"var({name})")
    day, night = ("; ".join(f"{name}: {pair[k]}" for name, pair in COLOURS.items()) for k in range(2))
    rules = f"svg {{ {day} }} @media (prefers-color-scheme: dark) {{ svg {{ {night} }} }}"
    return svg.replace('<style type="text/css">', f'<style type="text/css">{rules} ', 1)


if __name__ == "__main__":
    for folder, drawings in ((FOLDER, PICTURES), (FOLDER.parent, TITLED)):
        for name, drawing in drawings.items():
            (folder / f"{name}.svg").write_text(svg_of(drawing), encoding="utf-8")
