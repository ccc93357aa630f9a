# SPDX-License-Identifier: MIT
"""The picture of the house and the list of its rooms are what the source says (``python docs/house.py``
renews them).
"""

from __future__ import annotations

import importlib.util
import re
import sys
from xml.etree import ElementTree

import pytest
from architecture import LAYERS
from places import ROOT

SPEC = importlib.util.spec_from_file_location("house", ROOT / "docs" / "house.py")
house = sys.modules["house"] = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(house)
RENEW = "renew it: python docs/house.py"


@pytest.fixture(scope="module")
def now():
    return house.survey()


def test_the_picture_shows_the_rooms_and_the_imports(now):
    """Every room and every arrow; the number of lines may lag a little behind."""
    shown = house.data_of(house.PICTURE.read_text(encoding="utf-8"))
    for floor, rooms in now.floors.items():
        sizes = {room.name: room.lines for room in shown.floors[floor]}
        assert sizes.keys() == {room.name for room in rooms}, (floor, RENEW)
        for room in rooms:
            assert abs(room.lines - sizes[room.name]) <= 25 + room.lines // 4, (floor, room.name, RENEW)
    arrows = {(source, target) for source, target, _ in shown.arrows}
    assert arrows == {(source, target) for source, target, _ in now.arrows}, RENEW


def test_the_list_says_what_each_room_is_for(now):
    page = house.PAGE.read_text(encoding="utf-8")
    assert house.listed(now) in page, RENEW
    assert all(room.purpose for rooms in now.floors.values() for room in rooms), "every module has a docstring"


def test_the_picture_is_well_formed(now):
    picture = house.drawn(now)
    ElementTree.fromstring(picture)
    assert house.data_of(picture) == now


def test_where_is_names_what_there_is():
    """Each path of the table exists, and each function is in the file that is named before it."""
    table = house.PAGE.read_text(encoding="utf-8").partition("## Where is …?")[2].partition("\n## ")[0]
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


def test_no_arrow_runs_up(now):
    assert [*reversed(house.FLOORS)] == [layer for layer in LAYERS if layer != house.APART]
    order = {floor: k for k, floor in enumerate(house.FLOORS)}
    assert not [arrow for arrow in now.arrows if arrow[1] != house.APART and order[arrow[0]] >= order[arrow[1]]]
    assert not [arrow for arrow in now.arrows if arrow[0] == house.APART]


def test_a_stale_picture_is_noticed(now):
    floors = {**now.floors, "exact": now.floors["exact"][:-1]}
    assert house.data_of(house.drawn(house.House(floors, now.arrows))) != now
    assert house.listed(house.House(floors, now.arrows)) not in house.PAGE.read_text(encoding="utf-8")
