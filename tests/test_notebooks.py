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
    for module in ("matplotlib", "jupytext", "nbclient", "nbconvert", "ipykernel"):
        pytest.importorskip(module)
    notebook, page = tmp_path / "out.ipynb", tmp_path / "out.html"
    environment = {**os.environ, "MPLCONFIGDIR": str(tmp_path), "PYTHONPATH": str(ROOT), "IPYTHONDIR": str(tmp_path / "ipython")}
    environment.pop("MPLBACKEND", None)  # as a notebook has it
    run = [sys.executable, str(TESTS / "support" / "run_notebook.py"), str(path), str(notebook), str(page)]
    done = subprocess.run(run, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=280)
    assert done.returncode == 0, done.stderr[-3000:]

    cells = [cell for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    drawn = [sum(any(kind.startswith("image/") for kind in out.get("data", {})) for out in cell["outputs"]) for cell in cells]
    expected = pictures_of(path)
    assert drawn[-len(expected) :] == expected
    assert sum(drawn) == sum(expected) > 0

    if BROWSER is not None:
        looked = told_by(LOOK, {"page": page.read_text(encoding="utf-8")}, widths=[1280], folder=tmp_path)
        assert len(looked) == sum(expected)
        for line in looked:
            width, height, right, window, colours = map(int, line.split())
            assert min(width, height) > 50, line
            assert right <= window, line
            assert colours > 3, line


def test_they_are_in_percent_format():
    assert NOTEBOOKS
    for path in NOTEBOOKS:
        text = path.read_text(encoding="utf-8")
        assert "format_name: percent" in text
        assert text.count("\n# %% [markdown]\n") >= 2, path.name
        assert "# %% [markdown]\n# %%" not in text, path.name
