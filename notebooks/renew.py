# SPDX-License-Identifier: MIT
"""Run the notebooks and write them with their outputs: ``python notebooks/renew.py [NAME ...]``.

NAME.py is the source, in jupytext's percent format; NAME.ipynb has the same cells and what they gave. The
extra ``notebook`` brings what this needs. The same source and the same versions of the packages give the same
bytes: no times, no random identifiers, no paths. Pictures are PNG, which every code host shows.
"""

from __future__ import annotations

import base64
import io
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import jupytext
import nbformat
from nbclient import NotebookClient
from PIL import Image

HERE = Path(__file__).resolve().parent
CONFIGURATION = """\
c.InteractiveShellApp.matplotlib = "inline"
c.InlineBackend.figure_formats = {"retina"}
c.IPKernelApp.log_level = "ERROR"
"""
"""Of the kernel, so that a picture has one form, whichever library draws it."""

COLOURS = 128
"""Of a picture; lines and areas need no more."""

SECONDS = 600
"""For a cell, at most."""


def names() -> list[str]:
    """The notebooks, by the names of their sources."""
    return sorted(file.stem for file in HERE.glob("*.py") if file != Path(__file__).resolve())


def ran(name: str) -> Any:
    """The notebook with the outputs of a new kernel of this interpreter, in an empty folder."""
    notebook = jupytext.read(HERE / f"{name}.py")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        kernel, profile = folder / "jupyter" / "kernels" / "python3", folder / "ipython" / "profile_default"
        for made in (kernel, profile, folder / "work"):
            made.mkdir(parents=True)
        command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        (kernel / "kernel.json").write_text(json.dumps({"argv": command, "display_name": "Python 3", "language": "python"}))
        (profile / "ipython_kernel_config.py").write_text(CONFIGURATION)
        environment = {**os.environ, "PYTHONPATH": str(HERE.parent), "IPYTHONDIR": str(folder / "ipython"), "MPLCONFIGDIR": place}
        environment.pop("MPLBACKEND", None)
        os.environ["JUPYTER_PATH"] = str(folder / "jupyter")
        client = NotebookClient(notebook, timeout=SECONDS, kernel_name="python3", resources={"metadata": {"path": str(folder / "work")}})
        client.execute(env=environment)
    return notebook


def small(picture: str) -> str:
    """A picture with at most :data:`COLOURS`: a third of the bytes, and nobody sees it."""
    made = io.BytesIO()
    with Image.open(io.BytesIO(base64.b64decode(picture))) as drawn:
        if drawn.mode == "P":
            return picture
        drawn.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(made, "PNG", optimize=True)
    return base64.b64encode(made.getvalue()).decode("ascii")


def joined(outputs: list[Any]) -> list[Any]:
    """The outputs of a cell, with what it prints in a row as one: how it is cut depends on the time."""
    kept: list[Any] = []
    for output in outputs:
        if kept and output.output_type == kept[-1].output_type == "stream" and output.name == kept[-1].name:
            kept[-1].text += output.text
        else:
            kept.append(output)
    return kept


def told(notebook: Any) -> str:
    """The notebook as a file: the cells and what they gave, and of everything else what Jupyter needs.

    Raises
    ------
    ValueError
        A cell writes to the standard error stream, as a warning does.
    """
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    notebook.metadata = {
        "jupytext": {"formats": "ipynb,py:percent"},
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"file_extension": ".py", "mimetype": "text/x-python", "name": "python"},
    }
    for number, cell in enumerate(notebook.cells):
        cell.id, cell.metadata = f"cell-{number}", {}
        if cell.cell_type == "code":
            cell.outputs = joined(cell.outputs)
        for output in cell.get("outputs", []):
            if output.get("name") == "stderr":
                raise ValueError(f"{cell.source[:80]!r} writes to stderr: {output.text}")
            if output.output_type in {"display_data", "execute_result"}:
                output.metadata = {kind: of for kind, of in output.metadata.items() if kind == "image/png"}
                if "image/png" in output.data:
                    output.data = {"image/png": small(output.data["image/png"]), "text/plain": output.data["text/plain"]}
    nbformat.validate(notebook)
    return json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def main(chosen: list[str]) -> None:
    """Renew the notebooks with these names, or all of them."""
    unknown = set(chosen) - set(names())
    if unknown:
        sys.exit(f"no notebook is called {min(unknown)}; there are {', '.join(names())}")
    for name in chosen or names():
        text = told(ran(name))
        (HERE / f"{name}.ipynb").write_text(text, encoding="utf-8")
        print(f"{name}.ipynb, {len(text.encode()) // 1000} kB", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
