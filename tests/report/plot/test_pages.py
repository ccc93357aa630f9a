# SPDX-License-Identifier: MIT
"""The pictures of the documentation are what is drawn now, and the pages say what is on them."""

from __future__ import annotations

import base64
import importlib.util
import inspect
import io
import re
import sys
from collections import Counter
from xml.etree import ElementTree

import pytest
from places import ROOT

matplotlib = pytest.importorskip("matplotlib")

FOLDER = ROOT / "docs" / "pictures"
SPEC = importlib.util.spec_from_file_location("draw", FOLDER / "draw.py")
draw = sys.modules["draw"] = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(draw)
RENEW = "renew it: python docs/pictures/draw.py"

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
IMAGE = re.compile(r"data:image/png;base64,([^\"]+)")


def texts(svg: str) -> Counter[str]:
    """Whatever is written in a picture."""
    return Counter("".join(t.itertext()) for t in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text"))


def parts(svg: str) -> tuple[str, list[float], list]:
    """A picture without numbers and names of parts, its numbers, and its images."""
    images = [matplotlib.image.imread(io.BytesIO(base64.b64decode(found))) for found in IMAGE.findall(svg)]
    bare = re.sub(r"(?<![0-9a-z])[a-z]?[0-9a-f]{10}(?![0-9a-z])", "", IMAGE.sub("", svg))
    return NUMBER.sub("", bare), [float(x) for x in NUMBER.findall(bare)], images


def alike(one: str, other: str) -> bool:
    """The same picture, but for the rounding of coordinates and colours."""
    (words, numbers, images), (other_words, other_numbers, other_images) = parts(one), parts(other)
    if words != other_words or len(numbers) != len(other_numbers) or len(images) != len(other_images):
        return False
    near = all(abs(x - y) < 0.02 for x, y in zip(numbers, other_numbers, strict=True))
    return near and all(a.shape == b.shape and abs(a - b).max() < 0.02 for a, b in zip(images, other_images, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("name", draw.PICTURES)
def test_a_picture_is_what_is_drawn_now(name):
    """Everything, with the version of matplotlib that drew it; with another one, what is written in it."""
    shown, now = (FOLDER / f"{name}.svg").read_text(encoding="utf-8"), draw.svg_of(draw.PICTURES[name])
    assert texts(shown) == texts(now), RENEW
    if f"Matplotlib v{matplotlib.__version__}," in shown:
        assert alike(shown, now), RENEW


def test_pictures_that_differ_are_told_apart():
    shown = (FOLDER / "remap.svg").read_text(encoding="utf-8")
    other = draw.svg_of(draw.Drawing(lambda: draw.xdp.identity(range(4)).plot(), draw.PICTURES["remap"].alternative))
    assert alike(shown, shown)
    assert not alike(shown, other)
    assert not alike(shown, shown.replace('x="', 'x="9'))


def test_every_picture_is_shown_with_its_alternative_text():
    shown = {}
    for page in sorted((ROOT / "docs").rglob("*.md")):
        for alternative, target in re.findall(r"!\[([^\]]*)\]\(([^)]+\.svg)\)", page.read_text(encoding="utf-8")):
            assert alternative, (page.name, target)
            if (page.parent / target).resolve().parent == FOLDER:
                shown.setdefault((page.parent / target).stem, set()).add(" ".join(alternative.split()))
    assert shown == {name: {drawing.alternative} for name, drawing in draw.PICTURES.items()}
    assert {path.stem for path in FOLDER.glob("*.svg")} == set(draw.PICTURES)


def test_a_picture_has_two_inks_and_no_other_black():
    """Lines and letters that have no colour of their own are seen on a dark page, too."""
    files = [*(FOLDER / f"{name}.svg" for name in draw.PICTURES), *(FOLDER.parent / f"{name}.svg" for name in draw.TITLED)]
    for file in files:
        svg = file.read_text(encoding="utf-8")
        assert svg.count("@media (prefers-color-scheme: dark)") == 1
        for name_of, pair in draw.COLOURS.items():
            assert all(f"{name_of}: {colour}" in svg for colour in pair), file.name
            assert svg.count(pair[0]) == 1, file.name


DRAWN = {
    "Mechanism Table Remap Loss Gain ExactMatrix Hyper KernelMechanism": "mechanism, table, remap, loss, gain, matrix, hyper-distribution",
    "Graph Metric": "graph, metric",
    "Prior": "prior",
    "PrivacyEvidence": "`is_private`, `tightest_level`, `audit`",
    "ByLevel": "`optimum_by_level`, `best_remap_by_level`, `is_optimal_by_level`",
    "TableLevels SolvableLevels UniversalLevels": "`private_levels`, `stochastic_levels`, `derivable_levels`, `tight_levels`, ",
    "KernelLevels": "`kernel_counts`",
    "DeltaEvidence LevelForDeltaEvidence": "`least_delta`, `is_approximately_private`, `level_for_delta`",
    "RefinementOrder": "`refinement_order`",
    "RegularEvidence": "`is_regular`",
    "VertexCount KernelCount": "`vertex_count`, `kernel_count`",
}
"""The classes that have pictures, and how the row of docs/pictures.md about them begins."""


def test_the_page_of_pictures_has_all_of_them_with_their_options():
    from exactdp.report.plot import picture

    classes = [kinds if isinstance(kinds, tuple) else (kinds,) for kinds, _ in picture._PICTURES]
    assert sorted(kind.__name__ for kinds in classes for kind in kinds) == sorted(" ".join(DRAWN).split())
    page = (ROOT / "docs" / "pictures.md").read_text(encoding="utf-8")
    for names, words in DRAWN.items():
        [row] = [line for line in page.splitlines() if line.startswith(f"| {words}")]
        for kinds, make in picture._PICTURES:
            if {kind.__name__ for kind in (kinds if isinstance(kinds, tuple) else (kinds,))} <= set(names.split()):
                known = set(inspect.signature(make).parameters) - {"ax", "label"}
                told = {name for name in ("annotate", "by", "table") if f"`{name}" in row}
                assert told == {name for name in known if name in {"annotate", "by", "table"}}, words
