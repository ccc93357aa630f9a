# SPDX-License-Identifier: MIT
"""Every module says in its first line what it is, and from that the site's list of rooms is made."""

from __future__ import annotations

import re
import runpy
from graphlib import CycleError
from xml.etree import ElementTree

import pytest
from architecture import LAYERS
from places import ROOT

pytestmark = pytest.mark.slow

rooms = runpy.run_path(str(ROOT / "docs" / "rooms.py"))
APART = rooms["APART"]


@pytest.fixture(scope="module")
def house():
    return rooms["survey"]()


def test_every_module_says_what_it_is(house):
    assert sum(map(len, house.floors.values())) == len(list((ROOT / "exactdp").rglob("*.py")))
    silent = [(floor, room.name) for floor, found in house.floors.items() for room in found if not room.purpose]
    assert silent == []


def test_a_module_without_a_first_line_is_noticed(tmp_path):
    for name in ("__init__.py", "ground/__init__.py", "ground/a.py", "roof/__init__.py", "roof/b/__init__.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'"""What {name} is.\n\nMore."""\n', encoding="utf-8")
    (tmp_path / "ground" / "a.py").write_text("x = 1\n", encoding="utf-8")
    (tmp_path / "roof" / "b" / "__init__.py").write_text('"""Two\nlines."""\nfrom exactdp.ground import a\n', encoding="utf-8")
    found = rooms["survey"](tmp_path)
    assert list(found.floors) == ["", "ground", "roof"]
    assert found.floors["ground"] == [("__init__", 3, "What ground/__init__.py is."), ("a", 1, "")]
    assert found.floors["roof"][1] == ("b/", 3, "Two lines.")
    assert found.arrows == [("roof", "ground", 1)]
    (tmp_path / "ground" / "a.py").write_text("import exactdp.roof.b\n", encoding="utf-8")
    with pytest.raises(CycleError):
        rooms["survey"](tmp_path)


def test_the_list_and_the_picture_have_every_room(house):
    page, picture = rooms["listed"](house), rooms["drawn"](house)
    ElementTree.fromstring(picture)
    for floor, found in house.floors.items():
        section = page.partition(f"\n## exactdp/{floor}{'/' * bool(floor)}\n")[2].partition("\n## ")[0]
        assert re.findall(r"^\| `(.+?)` \|", section, re.MULTILINE) == [room.name for room in found if room.name != "__init__"]
    titles = re.findall(r"<title>(\d+) modules of (\w+) import from (\w+)</title>", picture)
    assert sorted((a, b, int(count)) for count, a, b in titles) == house.arrows
    shown = re.findall(r'class="room"', picture)
    assert len(shown) == sum(room.name != "__init__" for floor, found in house.floors.items() if floor for room in found)


def test_the_floors_are_the_layers(house):
    """The order that follows from the imports allows what the rules allow: no floor uses one above it."""
    floors = [floor for floor in house.floors if floor]
    assert {*floors} == {*LAYERS}
    assert floors[-1] == APART
    order = {floor: k for k, floor in enumerate(floors)}
    assert not [arrow for arrow in house.arrows if APART not in arrow and order[arrow[0]] <= order[arrow[1]]]
    assert not [arrow for arrow in house.arrows if arrow[0] == APART]


def test_the_design_names_the_floors_in_their_order(house):
    page = " ".join((ROOT / "docs" / "design.md").read_text(encoding="utf-8").split())
    assert f"`{' → '.join(layer for layer in LAYERS if layer != APART)}`" in page
    table = page.partition("| floor | what it has |")[2].partition(" Three rules ")[0]
    named = [floor for cell in re.findall(r"\| ((?:`\w+`(?:, )?)+) \|", table) for floor in re.findall(r"`(\w+)`", cell)]
    assert sorted(named) == sorted(LAYERS)


def test_where_is_names_what_there_is():
    """Each path of the table exists, and each function is in the file that is named before it."""
    page = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    table = page.partition("## Where is …?")[2].partition("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("| ") and "`" in line]
    assert len(rows) >= 8
    for row in rows:
        source = ""
        for word in re.findall(r"`([^`]+)`", row):
            if "/" in word:
                path = ROOT / word if word.startswith(("tests/", "proofs/")) else ROOT / "exactdp" / word
                assert path.exists(), word
                source = path.read_text(encoding="utf-8") if path.suffix == ".py" else ""
            else:
                assert f"def {word}(" in source, (row, word)
