# SPDX-License-Identifier: MIT
"""Draw the package as a house: ``python docs/house.py`` writes house.svg and the rooms in design.md.

The floors are the folders of ``exactdp/``, the rooms their modules with the number of lines, the arrows the
imports between floors. What a room is for is the first paragraph of its docstring. Everything is read from
the source; ``tests/test_house.py`` fails when the picture or the list is out of date.
"""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from dataclasses import asdict, dataclass
from html import escape, unescape
from pathlib import Path
from textwrap import fill

DOCS = Path(__file__).resolve().parent
PACKAGE = DOCS.parent / "exactdp"
PICTURE, PAGE = DOCS / "house.svg", DOCS / "design.md"
FLOORS = ("cli", "papers", "report", "sweeps", "certificate", "analysis", "search", "mechanisms", "readers", "model", "lp", "exact")
"""From the roof to the ground: each may import from those below it. The checker stands apart."""
APART = "checker"
BEGIN, END = "<!-- rooms: written by docs/house.py -->", "<!-- end of rooms -->"


@dataclass(frozen=True)
class Room:
    """A module: its path inside its floor without ``.py``, its lines, and what it is for."""

    name: str
    lines: int
    purpose: str


@dataclass(frozen=True)
class House:
    """The rooms of each floor, and how many modules of one floor import from another."""

    floors: dict[str, list[Room]]
    arrows: list[tuple[str, str, int]]


def room(path: Path, floor: Path) -> Room:
    """The room of a file."""
    text = path.read_text(encoding="utf-8")
    purpose = (ast.get_docstring(ast.parse(text)) or "").split("\n\n")[0]
    name = path.relative_to(floor).with_suffix("").as_posix()
    return Room(name.removesuffix("/__init__") + "/" * name.endswith("/__init__"), text.count("\n"), " ".join(purpose.split()))


def imported(path: Path) -> set[str]:
    """The floors that a file imports from, at the top or inside functions."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module == "exactdp":
            names |= {f"exactdp.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(node.module or "")
    return {name.split(".")[1] for name in names if name.startswith("exactdp.")} & {*FLOORS, APART}


def survey() -> House:
    """The house as the source has it."""
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir() and any(path.rglob("*.py"))}
    if folders != {*FLOORS, APART}:
        raise SystemExit(f"FLOORS does not fit the folders of exactdp: {sorted(folders ^ {*FLOORS, APART})}")
    floors, arrows = {}, Counter[tuple[str, str]]()
    for floor in (*FLOORS, APART):
        files = sorted((PACKAGE / floor).rglob("*.py"), key=lambda path: (len(path.parent.parts), path.with_suffix("").parts))
        floors[floor] = [room(path, PACKAGE / floor) for path in files]
        arrows.update((floor, other) for path in files for other in imported(path) - {floor})
    floors["exactdp"] = [room(path, PACKAGE) for path in sorted(PACKAGE.glob("*.py"))]
    return House(floors, sorted((a, b, count) for (a, b), count in arrows.items()))


# ── The picture: lengths are in pixels ──────────────────────────────────────────────────────────────────────
LEFT, WIDTH, RIGHT, HEIGHT, GAP = 130, 900, 190, 24, 5  # of the floors' names, the rooms, the arrows; of a room, between rooms
COLOURS = {
    "ink": ("#000", "#d6dde4"), "quiet": ("#666", "#9aa4ae"), "room": ("#fff", "#131416"), "wall": ("#b7b0a0", "#5b5f66"),
    "even": ("#f3efe6", "#2a2723"), "odd": ("#e8eef4", "#20262d"), "arrow": ("#5b6b85", "#8fa3c4"),
}  # fmt: skip
"""By day, and where the reader prefers dark pages."""


def label(item: Room) -> str:
    """The name of a room in the picture: in a folder only its own, for the folder's room stands before it."""
    _, slash, name = item.name.rpartition("/")
    return f"/{name}" if slash and name else item.name


def layout(rooms: list[Room]) -> list[tuple[Room, int, int, int]]:
    """The place (x, row) and width of each room: as wide as its text, and wider the more lines it has.

    A folder starts a row of its own.
    """
    placed, x, row = list[tuple[Room, int, int, int]](), 0, 0
    for item in rooms:
        width = max(15 * len(f"{label(item)} {item.lines}") // 2 + 12, item.lines // 5)
        x, row = (0, row + 1) if x and (x + width > WIDTH or item.name.endswith("/")) else (x, row)
        placed.append((item, x, row, width))
        x += width + GAP
    return placed


def drawn(house: House) -> str:
    """The picture as SVG, with the data it was drawn from as its metadata."""
    parts, middle, y = list[str](), dict[str, int](), 20
    for k, floor in enumerate((*FLOORS, APART)):
        placed = layout([item for item in house.floors[floor] if item.name != "__init__"])
        y += 26 if floor == APART else 0
        tall = (placed[-1][2] + 1) * (HEIGHT + GAP) + 11
        middle[floor] = y + tall // 2
        total = sum(item.lines for item in house.floors[floor])
        paper = f"fill:var(--{('even', 'odd')[k % 2]})"
        parts.append(f'<rect x="0" y="{y}" width="{LEFT + WIDTH + 10}" height="{tall}" style="{paper}" stroke="#8a8577"/>')
        parts.append(
            f'<text x="10" y="{y + 20}" font-weight="bold">{floor}</text><text x="10" y="{y + 36}" class="quiet">{total} lines</text>'
        )
        for item, x, row, width in placed:
            left, top = LEFT + x, y + 8 + row * (HEIGHT + GAP)
            parts.append(f'<rect x="{left}" y="{top}" width="{width}" height="{HEIGHT}" rx="3" class="room"/>')
            name = f'{escape(label(item))} <tspan class="quiet">{item.lines}</tspan>'
            parts.append(f'<text x="{left + 7}" y="{top + 16}">{name}<title>{escape(item.purpose)}</title></text>')
        y += tall + 6
    edge = LEFT + WIDTH + 12
    for source, target, count in house.arrows:
        start, end = middle[source], middle[target]
        reach = edge + 20 + abs(end - start) * (RIGHT - 40) // y
        curve = f"M{edge} {start}C{reach + 40} {start} {reach + 40} {end} {edge + 4} {end}"
        title = f"{count} modules of {source} import from {target}"
        parts.append(
            f'<path d="{curve}" class="arrow" stroke-opacity="0.55" stroke-width="{1 + min(count, 24) / 8:.1f}"'
            f' marker-end="url(#tip)"><title>{title}</title></path>'
        )
    tip = '<path d="M10 0L0 4L10 8z" style="fill:var(--arrow)"/>'
    head = f'<defs><marker id="tip" markerWidth="10" markerHeight="8" refX="2" refY="4" markerUnits="userSpaceOnUse">{tip}</marker></defs>'
    body = "\n".join([f"<metadata>{escape(json.dumps(asdict(house), ensure_ascii=False))}</metadata>", head, *parts])
    day, night = (";".join(f"--{name}:{pair[k]}" for name, pair in COLOURS.items()) for k in range(2))
    rules = (
        f"svg{{{day}}}@media(prefers-color-scheme:dark){{svg{{{night}}}}}text{{fill:var(--ink)}}text.quiet,tspan.quiet{{fill:var(--quiet)}}"
        ".room{fill:var(--room);stroke:var(--wall)}.arrow{fill:none;stroke:var(--arrow)}"
    )
    size = f'width="{LEFT + WIDTH + RIGHT}" height="{y + 14}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">\n<style>{rules}</style>\n{body}\n</svg>\n'
    )


def data_of(picture: str) -> House:
    """The data that a picture was drawn from."""
    found = re.search(r"<metadata>(.*?)</metadata>", picture, re.DOTALL)
    data = json.loads(unescape(found[1])) if found else {"floors": {}, "arrows": []}
    floors = {floor: [Room(**item) for item in rooms] for floor, rooms in data["floors"].items()}
    return House(floors, [(a, b, count) for a, b, count in data["arrows"]])


# ── The list of rooms ───────────────────────────────────────────────────────────────────────────────────────
def listed(house: House) -> str:
    """One line for each room, floor by floor from the ground to the roof, as Markdown tables."""
    lines = [BEGIN]
    for floor in ("exactdp", *reversed(FLOORS), APART):
        rooms = {item.name: item.purpose for item in house.floors[floor]}
        path = "exactdp" if floor == "exactdp" else f"exactdp/{floor}"
        about = fill(f"**{path}/**: {plain(rooms['__init__'])}", 110, break_on_hyphens=False)
        lines += ["", about, "", "| room | what it is for |", "|---|---|"]
        lines += [f"| `{name}` | {plain(purpose)} |" for name, purpose in rooms.items() if name != "__init__"]
    return "\n".join([*lines, "", END])


def plain(purpose: str) -> str:
    """A docstring's first paragraph as Markdown: code in single backquotes, and no roles."""
    text = re.sub(r":\w+:`~?(?:[\w.]*\.)?(\w+)`", r"`\1`", purpose)
    return re.sub(r"``(.*?)``", r"`\1`", text).replace("|", "\\|")


def renewed(page: str, house: House) -> str:
    """The page with the list between its two markers."""
    before, after = page.partition(BEGIN)[0], page.partition(END)[2]
    return before + listed(house) + after


def main() -> None:
    """Write the picture and the list."""
    house = survey()
    PICTURE.write_text(drawn(house), encoding="utf-8")
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8"), house), encoding="utf-8")


if __name__ == "__main__":
    main()
