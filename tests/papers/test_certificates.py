# SPDX-License-Identifier: MIT
"""The certificates under ``proofs/``: accepted by the kernel as a program of its own, and made again byte for
byte.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from exactdp.checker import kernel
from exactdp.papers import certificates, load_paper, papers, regenerate

# a minute more; 'exactdp claims' replays them all in any case
EVERYTHING = bool(os.environ.get("EXACTDP_ALL_CLAIMS"))
SLOW = () if EVERYTHING else tuple(f"elsalamouny_tight_constraints/{name}" for name in ("S6a", "S6b", "S6c", "F6"))
LATER = {name for paper in papers() for claim in load_paper(paper).claims if claim.id in SLOW for name in claim.certificates}
FILES = sorted(
    file for paper in papers() for file in (load_paper(paper).folder / "certificates").iterdir() if file.name.split(".")[0] not in LATER
)


@pytest.mark.slow
@pytest.mark.parametrize("paper", papers())
def test_regeneration_gives_the_same_bytes(tmp_path, paper):
    pytest.importorskip("highspy")  # where optima are not unique, exact pivots alone may end at another one
    made = regenerate(paper, tmp_path, skip=SLOW)
    folder = load_paper(paper).folder / "certificates"
    assert {file.name for file in made} == {file.name for file in folder.iterdir() if file.name.split(".")[0] not in LATER}
    assert [file.name for file in made if file.read_bytes() != (folder / file.name).read_bytes()] == []


@pytest.mark.slow
def test_the_kernel_alone_accepts_every_file():
    command = [sys.executable, "-I", str(Path(kernel.__file__)), *map(str, FILES)]
    result = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.count("accepted") == len(FILES) >= 30


@pytest.mark.slow
def test_the_certificates_do_not_depend_on_the_float_solver(monkeypatch):
    """Without HiGHS exact pivots do all the work; the certificates are the same."""
    monkeypatch.setitem(sys.modules, "highspy", None)
    for name, certificate in certificates("gupte_sundararajan").items():
        file = load_paper("gupte_sundararajan").folder / "certificates" / f"{name}.edp.json"
        assert certificate.to_json() == file.read_text(encoding="utf-8"), name


def test_many_kinds_are_there():
    kinds = {json.loads(file.read_text(encoding="utf-8"))["claim"]["kind"] for file in FILES}
    assert kinds >= {
        "not-stochastic", "private", "level", "derivable", "not-derivable", "optimal",
        "optimal-remap", "not-optimal-remap", "unique", "unique-remap", "release",
    }  # fmt: skip
