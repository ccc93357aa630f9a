# SPDX-License-Identifier: MIT
"""Every notebook has the cells of its source, runs from top to bottom, and gives what it holds.

Each of its pictures is there once: in the outputs, and for a headless browser on the exported page.
"""

from __future__ import annotations

import importlib.util
import itertools
import json
import os
import re
import subprocess
import sys

import pytest
from browser import BROWSER, told_by
from places import ROOT, TESTS

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
RENEW = "renew it: python notebooks/renew.py"
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


def cells_of(path):
    """The kind and the text of each cell of a source, by the marks of the percent format alone."""
    for cell in re.split(r"^# %%", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        mark, _, text = cell.rstrip("\n").partition("\n")
        if mark == " [markdown]":
            yield "markdown", re.sub(r"^# ?", "", text, flags=re.MULTILINE)
        else:
            assert mark == "", mark
            yield "code", text


def pictures_of(path):
    """For each cell with code whether it shows a picture, by how it ends."""
    code = [text for kind, text in cells_of(path) if kind == "code"]
    return [int(bool(DRAWS.search(text.splitlines()[-1]))) for text in code]


def outputs_of(cells):
    """For each cell with code how many pictures it shows, and the text that it gives beside them."""
    for cell in cells:
        drawn = [any(kind.startswith("image/") for kind in out.get("data", {})) for out in cell["outputs"]]
        rest = [out for out, picture in zip(cell["outputs"], drawn, strict=True) if not picture]
        assert {out["output_type"] for out in rest} <= {"stream", "execute_result", "display_data"}
        told = [out["text"] if "text" in out else out["data"]["text/plain"] for out in rest]
        yield sum(drawn), "".join("".join(text) for text in told)


def beside(cells):
    """How many pictures there are inside of what cells show in HTML."""
    shown = ("".join(out["data"].get("text/html", "")) for cell in cells for out in cell.get("outputs", []) if "data" in out)
    return sum(html.count("<svg ") for html in shown)


def run(path, folder):
    """What each cell with code gives in Jupyter as everybody has it, and the exported page."""
    for module in ("matplotlib", "jupytext", "nbclient", "nbconvert", "ipykernel"):
        pytest.importorskip(module, reason=f"oracle missing: {module}")
    notebook, page = folder / "out.ipynb", folder / "out.html"
    environment = {**os.environ, "MPLCONFIGDIR": str(folder), "PYTHONPATH": str(ROOT), "IPYTHONDIR": str(folder / "ipython")}
    environment.pop("MPLBACKEND", None)  # as a notebook has it
    # Matplotlib looks for fonts once; where that takes it more than five seconds it says so, in a cell.
    subprocess.run([sys.executable, "-c", "import matplotlib.font_manager"], env=environment, check=True, timeout=280)
    words = [sys.executable, str(TESTS / "support" / "run_notebook.py"), str(path), str(notebook), str(page)]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=280)
    assert done.returncode == 0, done.stderr[-3000:]
    cells = [cell for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    return list(outputs_of(cells)), page.read_text(encoding="utf-8"), beside(cells)


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
def test_it_runs_and_gives_what_it_holds_with_each_picture_once(path, tmp_path):
    source = path.with_suffix(".py")
    expected = pictures_of(source)
    found, page, inside = run(source, tmp_path)
    assert [drawn for drawn, _ in found] == expected
    if sum(expected) + inside:
        look_at(page, sum(expected) + inside, tmp_path)
    if importlib.util.find_spec("highspy"):  # without it another optimum may be found
        held = list(outputs_of(cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"))
        assert found == held, RENEW


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
    found, page, inside = run(tmp_path / "shown.py", tmp_path)
    assert inside == 0
    assert [drawn for drawn, _ in found] == [0, 1, 1, 1, 1, 1, 1, 1, 0]
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


def test_each_has_a_source_and_each_source_a_notebook():
    sources = {path.stem for path in (ROOT / "notebooks").glob("*.py")} - {"renew"}
    assert {path.stem for path in NOTEBOOKS} == sources != set()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_its_cells_are_those_of_its_source(path):
    source = path.with_suffix(".py")
    assert "formats: ipynb,py:percent" in source.read_text(encoding="utf-8")
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert [(cell["cell_type"], "".join(cell["source"])) for cell in notebook["cells"]] == list(cells_of(source)), RENEW
    assert notebook["metadata"]["jupytext"] == {"formats": "ipynb,py:percent"}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_has_been_run_once_from_top_to_bottom_and_is_small(path):
    text = path.read_text(encoding="utf-8")
    code = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    assert [drawn for drawn, _ in outputs_of(code)] == pictures_of(path.with_suffix(".py")), RENEW
    kinds = [[out.get("name", number) for number, out in enumerate(cell["outputs"])] for cell in code]
    assert not any("stderr" in names or ("stdout", "stdout") in itertools.pairwise(names) for names in kinds)
    assert {frozenset(cell["metadata"]) for cell in code} == {frozenset()}
    assert len(text.encode()) < 300_000
    assert re.findall(r"/(?:home|tmp|root|Users)/", text) == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_opens_with_what_one_will_know(path):
    first, *rest = cells_of(path.with_suffix(".py"))
    assert first[0] == "markdown"
    assert first[1].startswith("# ")
    assert "At the end you " in first[1].replace("\n", " ")
    assert sum(kind == "markdown" for kind, _ in rest) >= 1
    assert all(text.strip() for _, text in rest)


@pytest.mark.slow
def test_a_notebook_is_written_without_times_and_identifiers():
    """What is there is written as it is there, but for what differs from run to run."""
    for module in ("jupytext", "nbclient", "PIL"):
        pytest.importorskip(module, reason=f"oracle missing: {module}")
    import nbformat

    spec = importlib.util.spec_from_file_location("renew_notebooks", ROOT / "notebooks" / "renew.py")
    renew = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(renew)
    assert renew.names() == [path.stem for path in NOTEBOOKS]
    for path in NOTEBOOKS:
        text = path.read_text(encoding="utf-8")
        notebook = nbformat.reads(text, as_version=4)
        for number, cell in enumerate(notebook.cells):
            cell.id, cell.metadata = f"random-{number}", {"execution": {"iopub.execute_input": "2026-01-01T00:00:00Z"}}
        notebook.metadata["language_info"]["version"] = "3.11.0"
        assert renew.told(notebook) == text, RENEW
    place, last = [(k, cell) for k, cell in enumerate(notebook.cells) if cell.get("outputs")][-1]
    assert last.outputs[-1].output_type == "stream"
    printed, last.outputs[-1].text = last.outputs[-1].text, "a"
    last.outputs.append(nbformat.v4.new_output("stream", name="stdout", text="b"))
    assert json.loads(renew.told(notebook))["cells"][place]["outputs"][-1]["text"] == "ab"
    last.outputs[-1].text = printed
    assert renew.told(notebook) == text
    last.outputs.append(nbformat.v4.new_output("stream", name="stderr", text="a warning"))
    with pytest.raises(ValueError, match="writes to stderr: a warning"):
        renew.told(notebook)
