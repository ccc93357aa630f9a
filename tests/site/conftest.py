# SPDX-License-Identifier: MIT
"""The built site, for all tests of it."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys

import pytest
from places import ROOT


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The site as the documented command builds it."""
    missing = [
        name for name in ("sphinx", "furo", "myst_nb", "numpydoc", "sphinx_click", "sphinx_design") if not importlib.util.find_spec(name)
    ]
    if missing:
        pytest.skip(f"oracle missing: {', '.join(missing)}")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "docs", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": str(ROOT)})
    if re.search(r"npm is needed|npm pack \S+ failed|pip download \S+ failed", done.stderr):
        pytest.skip(f"oracle missing: {done.stderr.strip()[-200:]}")
    assert (done.returncode, done.stderr) == (0, "")
    return folder
