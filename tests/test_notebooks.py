# SPDX-License-Identifier: MIT
"""Every notebook runs from top to bottom, as the script that it is (jupytext's percent format)."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from places import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.py"))


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs(path, tmp_path):
    pytest.importorskip("matplotlib")
    environment = {**os.environ, "MPLBACKEND": "Agg", "MPLCONFIGDIR": str(tmp_path), "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, str(path)], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=240
    )
    assert done.returncode == 0, done.stderr[-3000:]


def test_they_are_in_percent_format():
    assert NOTEBOOKS
    for path in NOTEBOOKS:
        text = path.read_text(encoding="utf-8")
        assert "format_name: percent" in text
        assert text.count("\n# %% [markdown]\n") >= 2, path.name
