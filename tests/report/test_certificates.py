"""Every certificate that is shipped can be shown, in every format, with all that its witness holds."""

from __future__ import annotations

import json

import pytest
from places import CORPUS, ROOT

import exactdp as xdp
from exactdp.report.certificates import certificate_items
from exactdp.report.html import items_html
from exactdp.report.items import Fact, Grid
from exactdp.report.latex import items_latex
from exactdp.report.text import items_text

FILES = sorted([*(ROOT / "proofs").glob("*/certificates/*.edp.json"), *(CORPUS / "accept").glob("*.edp.json")])


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.removesuffix(".edp.json"))
def test_it_is_shown_in_text_latex_and_html(file):
    data = json.loads(file.read_text(encoding="utf-8"))
    items = certificate_items(data)
    assert items[0] == Fact("claim", data["claim"]["kind"])
    assert items[-1] == Fact("digest", data["digest"])
    assert data["digest"] in items_text(items)
    latex = items_latex(items)
    assert latex.count(r"\begin{") == latex.count(r"\end{")
    assert data["digest"] in items_html(items)


def test_components_and_folds_are_listed():
    """What a reader sees of a large witness: the first guess of a path of four inputs at the level 1/2."""
    [file] = [file for file in FILES if file.name == "components-and-folds.edp.json"]
    shown = items_text(certificate_items(json.loads(file.read_text(encoding="utf-8"))))
    assert "guess 0: 3 into 2, 0 into 1, 2 into 1" in shown
    assert "guess 0: 20/39 at 0 (height 0), 1 (height 1)" in shown


def titles(name):
    [file] = [file for file in FILES if file.name == f"{name}.edp.json"]
    return {item.name if isinstance(item, Fact) else item.title for item in certificate_items(json.loads(file.read_text(encoding="utf-8")))}


def test_the_parts_of_a_witness_have_titles():
    assert {"level", "above", "witness low near inverse", "witness high farkas"} <= titles("counts-threshold")
    assert {"capacity", "value", "witness by rule", "witness by weights"} <= titles("cube-3-additive")


def test_what_nobody_checks_is_told_as_such():
    """Provenance is outside the digest, and may have any words."""
    data = json.loads((CORPUS / "accept" / "provenance.edp.json").read_text())
    data["provenance"] = {"claim": "It is private at every level.", "verdict": "proved"}
    names = [item.name for item in certificate_items(data) if isinstance(item, Fact)]
    assert names[-3:] == ["claim (not checked)", "verdict (not checked)", "digest"]
    assert names.count("claim") == 1


@pytest.mark.parametrize(
    ("near", "level"), [("path:3", "1/2"), ("path:4", xdp.PrivacyLevel(epsilon="1/2")), ("path:30", "1/3"), ("path:2", "a")]
)
def test_the_optimum_stands_before_its_remap(near, level):
    """The table that the claim is about is in every certificate of an optimum, private and with the value."""
    consumer = xdp.MinimaxConsumer("abs")
    verdict = xdp.optimum_by_level(near, consumer) if level == "a" else xdp.optimum(near, level, consumer)
    items = certificate_items(json.loads(xdp.certify(verdict).to_json()))
    grids = [item for item in items if isinstance(item, Grid)]
    assert "an optimal mechanism" in grids[0].title
    if level == "a":
        return
    table = xdp.Mechanism(grids[0].matrix)
    assert xdp.is_private(table, near, level).proved
    assert xdp.is_optimal(table, near, level, consumer).proved
    remap = next(grid for grid in grids if "remap" in grid.title)
    size = len(table.inputs) - 1
    assert remap.title.startswith(f"witness primal remap, of the geometric mechanism G({size}, ")
    assert xdp.geometric(size, level).matrix @ remap.matrix == table.matrix
