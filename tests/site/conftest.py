# SPDX-License-Identifier: MIT
"""The built site, once for all tests of it in all workers."""

from __future__ import annotations

import fcntl
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
    needed = ("sphinx", "furo", "myst_nb", "numpydoc", "sphinx_click", "sphinx_copybutton", "sphinx_design")
    missing = [name for name in needed if not importlib.util.find_spec(name)]
    if missing:
        pytest.skip(f"oracle missing: {', '.join(missing)}")
    place = tmp_path_factory.getbasetemp()
    if os.environ.get("PYTEST_XDIST_WORKER"):
        place = place.parent  # of all workers of this run
    folder, built = place / "site", place / "site-built"
    with (place / "site-lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # the first worker builds it, another waits
        if not built.exists():
            _build(folder)
            built.touch()
    return folder


def _build(folder):
    """A build that is refused leaves nothing that another worker would take for the site."""
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "docs", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": str(ROOT)})
    if re.search(r"npm is needed|npm pack \S+ failed|pip download \S+ failed", done.stderr):
        pytest.skip(f"oracle missing: {done.stderr.strip()[-200:]}")
    assert (done.returncode, done.stderr) == (0, "")
