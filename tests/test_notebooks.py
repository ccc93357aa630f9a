# SPDX-License-Identifier: MIT
"""Every notebook runs from top to bottom, as the script that it is (jupytext's percent format).

Each of its pictures is there once: in the outputs, and for a headless browser on the exported page.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest
from browser import BROWSER, told_by
from places import ROOT, TESTS

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.py"))
DRAWS = re.compile(r"\.plot\(\)$|^pictures\.|^plt\.show\(\)$")
"""The last line of a cell that shows a picture."""

LOOK = """
  const d = f.contentDocument;
  const pictures = [...d.querySelectorAll("img, svg")].filter(e => !e.parentElement.closest("svg"));
  return Promise.all(pictures.map(async e => {
    const box = e.getBoundingClientRect();
    const image = new Image();
    image.src = e.tagName == "IMG" ? e.src : "data:image/svg+xml;base64," +
      btoa(unescape(encodeURIComponent(new XMLSerializer().serializeToString(e))));
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [200, 200];
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0, 200, 200);
    const pixels = pen.getImageData(0, 0, 200, 200).data, colours = new Set();
    for (let k = 0; k < pixels.length; k += 4) colours.add(pixels.slice(k, k + 4).join());
    return [Math.round(box.width), Math.round(box.height), Math.round(box.right), f.clientWidth, colours.size].join(" ");
  }));
"""
"""For each picture of a page: width, height, right edge, the width of the window, and how many colours."""


def pictures_of(path):
    """For each cell with code whether it shows a picture, by how it ends."""
    cells = re.split(r"^# %%", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    code = [cell for cell in cells if not cell.startswith(" [markdown]")]
    return [int(bool(DRAWS.search(cell.strip().splitlines()[-1]))) for cell in code]


def run(path, folder):
    """How many pictures each cell with code shows when Jupyter runs the notebook, and the exported page."""
    for module in ("matplotlib", "jupytext", "nbclient", "nbconvert", "ipykernel"):
        pytest.importorskip(module, reason=f"oracle missing: {module}")
    notebook, page = folder / "out.ipynb", folder / "out.html"
    environment = {**os.environ, "MPLCONFIGDIR": str(folder), "PYTHONPATH": str(ROOT), "IPYTHONDIR": str(folder / "ipython")}
    environment.pop("MPLBACKEND", None)  # as a notebook has it
    words = [sys.executable, str(TESTS / "support" / "run_notebook.py"), str(path), str(notebook), str(page)]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=280)
    assert done.returncode == 0, done.stderr[-3000:]
    cells = [cell for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    drawn = [sum(any(kind.startswith("image/") for kind in out.get("data", {})) for out in cell["outputs"]) for cell in cells]
    return drawn, page.read_text(encoding="utf-8")


def look_at(page, count, folder):
    """So many pictures are on the page, none of them empty or wider than the window."""
    if BROWSER is None:
        pytest.skip("oracle missing: no Chromium")
    looked = told_by(LOOK, {"page": page}, widths=[1280], folder=folder)
    assert len(looked) == count
    for line in looked:
        width, height, right, window, colours = map(int, line.split())
        assert min(width, height) > 50, line
        assert right <= window, line
        assert colours > 3, line


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs(path, tmp_path):
    pytest.importorskip("matplotlib")
    environment = {**os.environ, "MPLBACKEND": "Agg", "MPLCONFIGDIR": str(tmp_path), "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, str(path)], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=240
    )
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.slow
@pytest.mark.parametrize("path", [path for path in NOTEBOOKS if any(pictures_of(path))], ids=lambda path: path.stem)
def test_it_shows_each_picture_once(path, tmp_path):
    expected = pictures_of(path)
    drawn, page = run(path, tmp_path)
    assert drawn[-len(expected) :] == expected
    assert sum(drawn) == sum(expected) > 0
    look_at(page, sum(expected), tmp_path)


SHOWN = """\
# %%
import exactdp as xdp
G = xdp.geometric(3, "1/2")
near = xdp.neighbours("path:4")
consumer = xdp.MinimaxConsumer(xdp.Loss.absolute(near.vertices))
# %%
G.plot()
# %%
near.plot().show()
# %%
xdp.is_private(G, near, "3/4").plot()
# %%
xdp.optimum_by_level(near, consumer).plot()
# %%
import matplotlib.pyplot as plt
xdp.Prior.uniform(range(4)).plot()
# %%
figure, ax = plt.subplots()
xdp.least_delta(G, near, "3/4").plot(ax=ax)
# %%
xdp.tight_levels(near).plot().show()
# %%
G
"""


@pytest.mark.slow
def test_plot_shows_once_with_pyplot_and_without(tmp_path):
    """As the value of a cell, by ``show``, and on the axes of a figure that pyplot shows."""
    (tmp_path / "shown.py").write_text(SHOWN)
    drawn, page = run(tmp_path / "shown.py", tmp_path)
    assert drawn == [0, 1, 1, 1, 1, 1, 1, 1, 0]
    look_at(page, 7, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("svg", "fault"),
    [
        ('<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"/>', "colours > 3"),
        ('<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0"/>', "min(width, height) > 50"),
        ('<svg xmlns="http://www.w3.org/2000/svg" width="1300" height="200"/>', "right <= window"),
        ("", "len(looked) == count"),
    ],
)
def test_an_empty_or_wide_or_missing_picture_is_noticed(svg, fault, tmp_path):
    with pytest.raises(AssertionError) as found:
        look_at(f"<!DOCTYPE html><body>{svg}", 1, tmp_path)
    assert fault in str(found.traceback[-1].statement)


def test_they_are_in_percent_format():
    assert NOTEBOOKS
    for path in NOTEBOOKS:
        text = path.read_text(encoding="utf-8")
        assert "format_name: percent" in text
        assert text.count("\n# %% [markdown]\n") >= 2, path.name
        assert "# %% [markdown]\n# %%" not in text, path.name
