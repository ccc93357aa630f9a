# SPDX-License-Identifier: MIT
"""The rooms of the house, as the source says them: the site's page of rooms is made from this.

The floors are the folders of ``exactdp/``, the rooms their modules with the number of lines, the arrows of
the picture the imports between floors. What a room is for is the first paragraph of its docstring. Which
floor is above which follows from the imports. All is made while the site is built: nothing of it is kept in
the repository, so nothing can be out of date.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from graphlib import TopologicalSorter
from html import escape
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).resolve().parent
PACKAGE = DOCS.parent / "exactdp"
MARK = "<!-- rooms -->"
"""Where the page has the picture and the list."""

PICTURE = "house.svg"
"""The name of the picture, which the built site has beside the page."""

APART = "checker"
"""The floor that stands beside the others: it imports nothing of them."""


class Room(NamedTuple):
    """A module: its path inside its floor without ``.py``, its lines, and what it is for."""

    name: str
    lines: int
    purpose: str


class House(NamedTuple):
    """The rooms of each floor, and how many modules of one floor import from another.

    The floors are in order: the modules of no folder, then from the ground to the roof, then the one apart.
    """

    floors: dict[str, list[Room]]
    arrows: list[tuple[str, str, int]]


def room(path: Path, floor: Path) -> Room:
    """The room of a file."""
    text = path.read_text(encoding="utf-8")
    purpose = (ast.get_docstring(ast.parse(text)) or "").split("\n\n")[0]
    name = path.relative_to(floor).with_suffix("").as_posix()
    if name.endswith("/__init__"):
        name = name.removesuffix("__init__")
    return Room(name, text.count("\n"), " ".join(purpose.split()))


def imported(path: Path) -> set[str]:
    """What a file imports of the package, at the top or inside functions: the part after ``exactdp.``."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module == "exactdp":
            names |= {f"exactdp.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(node.module or "")
    return {name.split(".")[1] for name in names if name.startswith("exactdp.")}


def ordered(uses: Mapping[str, set[str]]) -> list[str]:
    """The floors from the ground to the roof: each after those that it uses, as low as it can be.

    >>> ordered({"roof": {"wall", "ground"}, "ground": set(), "wall": {"ground"}, "porch": {"ground"}})
    ['ground', 'porch', 'wall', 'roof']
    """
    height: dict[str, int] = {}
    for floor in TopologicalSorter(uses).static_order():
        height[floor] = 1 + max((height[other] for other in uses[floor]), default=0)
    return sorted(height, key=lambda floor: (height[floor], floor))


def survey(package: Path = PACKAGE) -> House:
    """The house as the source has it."""
    files = {
        folder.name: sorted(folder.rglob("*.py"), key=lambda path: (len(path.parent.parts), path.with_suffix("").parts))
        for folder in package.iterdir()
        if folder.is_dir()
    }
    files = {floor: paths for floor, paths in files.items() if paths}
    arrows = Counter[tuple[str, str]]()
    for floor, paths in files.items():
        arrows.update((floor, other) for path in paths for other in imported(path) & files.keys() - {floor})
    uses = {floor: {b for a, b in arrows if a == floor} - {APART} for floor in files if floor != APART}
    order = [*ordered(uses), *({APART} & files.keys())]
    alone = [room(path, package) for path in sorted(package.glob("*.py"))]
    floors = {"": alone} | {floor: [room(path, package / floor) for path in files[floor]] for floor in order}
    return House(floors, sorted((a, b, count) for (a, b), count in arrows.items()))


# ── The picture: lengths are in pixels ──────────────────────────────────────────────────────────────────────
LEFT, WIDTH, RIGHT = 130, 900, 190
"""The widths of the floors' names, of the rooms and of the arrows."""

HEIGHT, GAP = 24, 5
"""The height of a room, and what is left between two."""

COLOURS = {
    "ink": ("#000", "#d6dde4"),
    "quiet": ("#666", "#9aa4ae"),
    "room": ("#fff", "#131416"),
    "wall": ("#b7b0a0", "#5b5f66"),
    "even": ("#f3efe6", "#2a2723"),
    "odd": ("#e8eef4", "#20262d"),
    "arrow": ("#5b6b85", "#8fa3c4"),
}
"""By day, and where the reader prefers dark pages."""

RULES = (
    "text{fill:var(--ink)}text.quiet,tspan.quiet{fill:var(--quiet)}"
    ".room{fill:var(--room);stroke:var(--wall)}.arrow{fill:none;stroke:var(--arrow)}"
)


class Place(NamedTuple):
    """Where a room stands on its floor."""

    room: Room
    x: int
    row: int
    width: int


def label(item: Room) -> str:
    """The name of a room in the picture: in a folder only its own, for the folder's room stands before it."""
    _, slash, name = item.name.rpartition("/")
    return f"/{name}" if slash and name else item.name


def layout(rooms: Sequence[Room]) -> list[Place]:
    """The place of each room: as wide as its text, and wider the more lines it has.

    A folder starts a row of its own.
    """
    placed: list[Place] = []
    x = row = 0
    for item in rooms:
        width = max(15 * len(f"{label(item)} {item.lines}") // 2 + 12, item.lines // 5)
        if x and (x + width > WIDTH or item.name.endswith("/")):
            x, row = 0, row + 1
        placed.append(Place(item, x, row, width))
        x += width + GAP
    return placed


def drawn(house: House) -> str:
    """The picture as SVG: the roof on top, the ground below, and the floor apart below that."""
    order = [floor for floor in house.floors if floor not in {"", APART}]
    parts: list[str] = []
    middle: dict[str, int] = {}
    y = 20
    for k, floor in enumerate([*reversed(order), APART]):
        placed = layout([item for item in house.floors[floor] if item.name != "__init__"])
        y += 26 if floor == APART else 0
        tall = (placed[-1].row + 1 if placed else 1) * (HEIGHT + GAP) + 11
        middle[floor] = y + tall // 2
        parts += _floor(floor, house.floors[floor], y, tall, ("even", "odd")[k % 2])
        for place in placed:
            parts += _room(place, y)
        y += tall + 6
    parts += [_arrow(*arrow, middle, y) for arrow in house.arrows]
    return _picture(parts, LEFT + WIDTH + RIGHT, y + 14)


def _floor(floor: str, rooms: Sequence[Room], y: int, tall: int, colour: str) -> list[str]:
    total = sum(item.lines for item in rooms)
    size = f'width="{LEFT + WIDTH + 10}" height="{tall}"'
    return [
        f'<rect x="0" y="{y}" {size} style="fill:var(--{colour})" stroke="#8a8577"/>',
        f'<text x="10" y="{y + 20}" font-weight="bold">{escape(floor)}</text>',
        f'<text x="10" y="{y + 36}" class="quiet">{total} lines</text>',
    ]


def _room(place: Place, y: int) -> list[str]:
    left, top = LEFT + place.x, y + 8 + place.row * (HEIGHT + GAP)
    name = f'{escape(label(place.room))} <tspan class="quiet">{place.room.lines}</tspan>'
    return [
        f'<rect x="{left}" y="{top}" width="{place.width}" height="{HEIGHT}" rx="3" class="room"/>',
        f'<text x="{left + 7}" y="{top + 16}">{name}<title>{escape(place.room.purpose)}</title></text>',
    ]


def _arrow(source: str, target: str, count: int, middle: Mapping[str, int], tall: int) -> str:
    start, end = middle[source], middle[target]
    edge = LEFT + WIDTH + 12
    reach = edge + 60 + abs(end - start) * (RIGHT - 40) // tall
    curve = f"M{edge} {start}C{reach} {start} {reach} {end} {edge + 4} {end}"
    width = 1 + min(count, 24) / 8
    title = f"<title>{count} modules of {escape(source)} import from {escape(target)}</title>"
    line = f'stroke-opacity="0.55" stroke-width="{width:.1f}" marker-end="url(#tip)"'
    return f'<path d="{curve}" class="arrow" {line}>{title}</path>'


def _picture(parts: Sequence[str], width: int, height: int) -> str:
    day, night = (";".join(f"--{name}:{pair[k]}" for name, pair in COLOURS.items()) for k in range(2))
    style = f"svg{{{day}}}@media(prefers-color-scheme:dark){{svg{{{night}}}}}{RULES}"
    size = 'markerWidth="10" markerHeight="8" refX="2" refY="4" markerUnits="userSpaceOnUse"'
    tip = '<path d="M10 0L0 4L10 8z" style="fill:var(--arrow)"/>'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="12">'
    lines = [head, f"<style>{style}</style>", f'<defs><marker id="tip" {size}>{tip}</marker></defs>', *parts, "</svg>"]
    return "\n".join(lines) + "\n"


# ── The list of rooms ───────────────────────────────────────────────────────────────────────────────────────
def listed(house: House) -> str:
    """The picture, then a line for each room, floor by floor from the ground to the roof, as Markdown."""
    alternative = "The floors of exactdp, their rooms, and the imports between floors"
    lines = ["```{raw} html", f'<p><img src="{PICTURE}" alt="{alternative}"></p>', "```"]
    for floor, found in house.floors.items():
        rooms = {item.name: item.purpose for item in found}
        path = f"exactdp/{floor}/" if floor else "exactdp/"
        lines += ["", f"## {path}", "", plain(rooms["__init__"]), "", "| room | what it is for |", "|---|---|"]
        lines += [f"| `{name}` | {plain(purpose)} |" for name, purpose in rooms.items() if name != "__init__"]
    return "\n".join([*lines, ""])


def plain(purpose: str) -> str:
    """A docstring's first paragraph as Markdown: code in single backquotes, and no roles.

    >>> plain("Sums of ``x`` for :func:`~exactdp.exact.f`.")
    'Sums of `x` for `f`.'
    """
    text = re.sub(r":\w+:`~?(?:[\w.]*\.)?(\w+)`", r"`\1`", purpose)
    return re.sub(r"``(.*?)``", r"`\1`", text).replace("|", "\\|")
