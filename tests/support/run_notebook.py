# SPDX-License-Identifier: MIT
"""Run a notebook in a kernel of this interpreter: ``run_notebook.py notebook.py out.ipynb out.html``."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path


def main(source: Path, notebook: Path, page: Path) -> None:
    import jupytext  # not at the top: pytest looks for examples here where the notebook's tools are not installed
    import nbformat
    from nbclient import NotebookClient
    from nbconvert import HTMLExporter

    kernels = notebook.parent / "jupyter" / "kernels" / "python3"
    kernels.mkdir(parents=True)
    argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (kernels / "kernel.json").write_text(json.dumps({"argv": argv, "display_name": "Python 3", "language": "python"}))
    os.environ["JUPYTER_PATH"] = str(notebook.parent / "jupyter")
    found = jupytext.read(source)
    NotebookClient(found, timeout=240, kernel_name="python3", resources={"metadata": {"path": str(notebook.parent)}}).execute()
    nbformat.write(found, notebook)
    body, _ = HTMLExporter(template_name="basic").from_notebook_node(found)
    page.write_text(f'<!DOCTYPE html><meta charset="utf-8"><body>{body}', encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
