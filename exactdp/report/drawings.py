# SPDX-License-Identifier: MIT
"""Pictures of answers as inline SVG, without matplotlib: heat maps with the worst pairs, curves over ε.

They are made from the values in the evidence when an answer is shown, and say nothing that the answer does
not say in words. ``templates/pictures.html`` draws what is described here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, exp
from typing import Any

from exactdp.analysis.audit_evidence import Audit
from exactdp.analysis.epsilon import bounds_of
from exactdp.analysis.optimality.by_level import ByLevel
from exactdp.analysis.privacy import PrivacyEvidence
from exactdp.analysis.privacy_cells import Cell
from exactdp.analysis.verdict import Verdict
from exactdp.exact import ExponentialNumber, Rational
from exactdp.exact.decimals import decimal_text, fixed_text
from exactdp.model import Labels, Mechanism, Table
from exactdp.report.items import Grid, Item, shown_labels

SHADES = 12
"""Shades of a heat map."""

MOST = 400
"""Largest side of a picture; beyond it the table is described in words only."""

LARGEST_BESIDE = 48
"""Largest side of a heat map that is drawn beside an answer."""

MOST_MARKS = 12
"""If more pairs of entries are broken or tight, one of them is marked in a heat map: the worst."""

SAMPLES = 60
"""At how many levels a curve is evaluated."""

BLUE, RED = "#0072b2", "#d55e00"
"""Okabe and Ito's, which are told apart with every kind of colour vision, on white and on black."""

_NUMBERS = (Rational, ExponentialNumber)


def picture_beside(thing: Any, items: Iterable[Item]) -> dict[str, Any] | None:
    """The picture that belongs to an answer or a mechanism, or None.

    * ``thing``: of an answer about privacy the mechanism is drawn, with the pairs of entries that break the
      level or are tight; of an optimum for all levels its curve; of others the first mechanism among the
      items.
    * ``items``: what is told beside the picture.

    Returns: with the name of what draws it, in ``templates/pictures.html``.

    >>> from exactdp import geometric, is_private
    >>> picture_beside(is_private(geometric(3, "1/2"), "path:4", "1/2"), ())["caption"].splitlines()[0]
    'Darker is more probable. Blue: 12 pairs of entries that are tight.'
    """
    evidence = thing.evidence if isinstance(thing, Verdict) else thing
    if isinstance(evidence, Audit):
        evidence = None if evidence.privacy is None else evidence.privacy.evidence
    if isinstance(evidence, PrivacyEvidence):
        return _privacy_map(evidence)
    if isinstance(evidence, ByLevel):
        return curve(evidence)
    if isinstance(evidence, Table | Mechanism):
        large = max(evidence.matrix.shape) > 12  # a smaller one is read in its table
        return _plain_map(evidence.matrix, evidence.inputs, evidence.outputs) if large else None
    grids = (item for item in items if isinstance(item, Grid) and "mechanism" in item.title and "remap" not in item.title)
    found = next(grids, None) if isinstance(thing, Verdict) else None
    return None if found is None else _plain_map(found.matrix, found.rows, found.columns, found.title)


def _is_drawn(matrix: Any) -> bool:
    """Whether a heat map is of a size that is worth looking at, and all entries are numbers."""
    rows, columns = matrix.shape
    if not 3 <= max(rows, columns) <= LARGEST_BESIDE:
        return False
    return all(isinstance(x, _NUMBERS) for row in matrix.rows() for x in row)


def _plain_map(matrix: Any, rows: Labels, columns: Labels, title: str = "") -> dict[str, Any] | None:
    if not _is_drawn(matrix):
        return None
    which = f"{title[:1].upper()}{title[1:]}. " if title else ""
    return picture_of_grid(_squares(matrix), rows, columns, f"{which}Darker is more probable.")


def _privacy_map(e: PrivacyEvidence) -> dict[str, Any] | None:
    """The mechanism, with its broken pairs, or else its tight ones, around each of which there is a line."""
    m = e.mechanism
    if not _is_drawn(m.matrix):
        return None
    broken = bool(e.violated)
    cells = e.violated if broken else e.tight
    worst = e.attained if e.attained in cells else None
    marked = cells if len(cells) <= MOST_MARKS or worst is None else (worst,)
    marked = marked[:MOST_MARKS]
    marks = path_of("none", [_around(cell) for cell in marked], stroke=RED if broken else BLUE)
    words = f"{'Red' if broken else 'Blue'}: {'' if len(marked) == len(cells) else f'{len(marked)} of '}{len(cells)} pairs of entries"
    which = "that break the level" if broken else "that are tight"
    caption = "Darker is more probable." + (f" {words} {which}." if marked else "")
    return picture_of_grid([*_squares(m.matrix), *([marks] if marked else [])], m.inputs, m.outputs, caption)


def _around(cell: Cell) -> str:
    """A line around the two entries of a column, or around each and between them."""
    low, high = sorted((cell.low, cell.high))
    if high == low + 1:
        return f"M{cell.output}.1 {low}.1h.8v1.8h-.8z"
    each = "".join(f"M{cell.output}.1 {row}.1h.8v.8h-.8z" for row in (low, high))
    return f"{each}M{cell.output}.5 {low}.9V{high}.1"


def _squares(matrix: Any) -> list[dict[str, Any]]:
    """A path for each shade, its neighbouring squares of a row as one."""
    shades: dict[int, list[str]] = {}
    for i, row in enumerate(matrix.rows()):
        start, previous = 0, 0
        for j, shade in enumerate([*map(_shade, row), 0]):
            if shade == previous:
                continue
            if previous:
                shades.setdefault(previous, []).append(f"M{start} {i}h{j - start}v1H{start}z")
            start, previous = j, shade
    return [path_of(f"#{_grey(shade)}", cells) for shade, cells in sorted(shades.items())]


WIDTH, HEIGHT = 380, 190
"""Of the area of a curve, in units of the picture."""


def curve(pieces: ByLevel) -> dict[str, Any] | None:
    """The optimum as a curve over ε, evaluated exactly at rational levels; None if nothing was decided."""
    top = Rational(4)
    points: list[tuple[Rational, Rational]] = []
    for k in range(1, SAMPLES + 1):
        epsilon = top * Rational(k, SAMPLES)
        level = Rational(round(exp(-float(epsilon)) * 10**6), 10**6)  # only a place in the picture is rounded
        if not pieces.interval.contains(level):
            continue
        value = pieces.value_at(level)
        if isinstance(value, Rational):
            points.append((epsilon, value))
    if len(points) < 2:
        return None
    values = [Rational(0), *(value for _, value in points)]
    greatest, least = max(values), min(values)
    if greatest == least:
        return None

    def place(epsilon: Rational, value: Rational) -> str:
        return f"{fixed_text(epsilon / top * WIDTH, 1)} {fixed_text((greatest - value) / (greatest - least) * HEIGHT, 1)}"

    return {
        "drawn": "curve",
        "width": WIDTH,
        "height": HEIGHT,
        "d": "M" + "L".join(place(epsilon, value) for epsilon, value in points),
        "zero": fixed_text(greatest / (greatest - least) * HEIGHT, 1),
        "across": [(k * WIDTH // 4, str(k)) for k in range(5)],
        "along": [(0, decimal_text(greatest, 3)[0]), (HEIGHT, decimal_text(least, 3)[0])],
        "caption": f"The {pieces.consumer.measure.best} over ε, from {len(points)} exact values.",
    }


def heat_map(table: Table | Mechanism) -> dict[str, Any] | str:
    """The table as a picture: the darker the larger, in steps of the square root, so that small entries show.

    Returns: what ``templates/pictures.html`` draws; or a sentence, when the table is too large.
    """
    rows, columns = table.matrix.shape
    if max(rows, columns) > MOST:
        return f"No picture is drawn above {MOST} rows or columns."
    shades: dict[int, list[str]] = {}
    for i, row in enumerate(table.matrix.rows()):
        for j, x in enumerate(row):
            shade = _shade(x)
            if shade:
                shades.setdefault(shade, []).append(f"M{j} {i}h1v1h-1z")
    paths = [path_of(f"#{_grey(shade)}", cells) for shade, cells in sorted(shades.items())]
    caption = "Heat map: the darker a cell, the larger the probability (white: less than 1/576, black: near 1)."
    return picture_of_grid(paths, table.inputs, table.outputs, caption)


def heat_map_beside(table: Table | Mechanism) -> dict[str, Any] | None:
    """The heat map of a table of numbers; None if it is too large, or has letters."""
    drawn = all(isinstance(x, _NUMBERS) for row in table.matrix.rows() for x in row)
    found = heat_map(table) if drawn else None
    return found if isinstance(found, dict) else None


def path_of(fill: str, cells: Sequence[str], *, stroke: str = "") -> dict[str, Any]:
    """Some squares or marks of one colour; lengths are in cells."""
    return {"fill": fill, "stroke": stroke, "d": "".join(cells)}


def _shade(x: Any) -> int:
    """0 … SHADES: the square root of the entry in steps; negative entries count as 0."""
    low, _ = bounds_of(x, 8)
    if not isinstance(low, Rational) or not low > 0:
        return 0
    shade = 0
    while shade < SHADES and low * (4 * SHADES * SHADES) >= (2 * shade + 1) ** 2:
        shade += 1
    return shade


def _grey(shade: int) -> str:
    value = 245 - 225 * shade // SHADES
    return f"{value:02x}" * 3


def picture_of_grid(paths: list[dict[str, Any]], rows: Labels, columns: Labels, caption: str) -> dict[str, Any]:
    """A grid with its labels (some of them, when there are many); lengths are in cells but for ``pixels``."""
    rows, columns = shown_labels(rows), shown_labels(columns)
    height, width = len(rows), len(columns)
    scale = max(1, -(-max(height, width) // 24))
    size = 0.72 * scale
    left = size * 0.62 * max(len(rows[i][:12]) for i in range(0, height, scale)) + 0.4 * scale
    top = 1.3 * scale
    room = ceil(0.45 * (1 + max(len(label[:6]) for label in columns)))  # in units of the scale, for a label and a blank
    margin = 0.2 + 0.6 * (scale - 1)
    return {
        "drawn": "grid",
        "box": f"{-left:.2f} {-top:.2f} {width + left + margin:.2f} {height + top + margin:.2f}",
        "pixels": min(760, max(160, int((width + left) * 30 / scale))),
        "width": width,
        "height": height,
        "scale": scale,
        "size": size,
        "paths": paths,
        "across": [(j + 0.5, columns[j][:6]) for j in range(0, width, scale * room)],
        "along": [(i + 0.5 + size * 0.35, rows[i][:12]) for i in range(0, height, scale)],
        "caption": caption,
    }
