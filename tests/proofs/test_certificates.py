# SPDX-License-Identifier: MIT
"""The certificates under ``proofs/``: accepted by the kernel as a program of its own, and made again byte for
byte.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from places import ROOT

from exactdp.certificate import certify
from exactdp.checker import kernel
from proofs.record import Printed, load_paper, papers
from proofs.replay import certificates

# a minute more; 'proofs/claims.py' replays them all in any case
EVERYTHING = bool(os.environ.get("EXACTDP_ALL_CLAIMS"))
SLOW = () if EVERYTHING else tuple(f"elsalamouny_tight_constraints/{name}" for name in ("S6a", "S6b", "S6c", "F6"))


RECORDS = {paper: load_paper(paper) for paper in papers()}


def certificates_of(paper):
    return sorted((RECORDS[paper].folder / "certificates").iterdir())


LATER = {name for record in RECORDS.values() for claim in record.claims if claim.id in SLOW for name in claim.certificates}
FILES = sorted(file for paper in RECORDS for file in certificates_of(paper) if file.name.split(".")[0] not in LATER)
CLAIMS = {claim.id: (record, claim) for record in RECORDS.values() for claim in record.claims if claim.id not in SLOW}


@pytest.mark.slow
@pytest.mark.parametrize("name", CLAIMS)
def test_a_claim_made_again_has_its_status_and_the_same_bytes(name):
    """Claim by claim, so that what is computed once is compared with all that is recorded of it."""
    pytest.importorskip("highspy")  # where optima are not unique, exact pivots alone may end at another one
    record, claim = CLAIMS[name]
    module, _, function = claim.replay.rpartition(".")
    finding = getattr(import_module(f"proofs.{record.name}.{module}"), function)(Printed(record.folder))
    assert finding.status.fits(claim.status)
    assert finding.verdicts.keys() == set(claim.certificates)
    # what has the bytes of a file is not checked again: the kernel accepts the files, see below
    made = {name: certify(verdict, check=False).to_json().encode() for name, verdict in finding.verdicts.items()}
    assert [name for name, content in made.items() if content != (record.folder / "certificates" / f"{name}.edp.json").read_bytes()] == []


@pytest.mark.parametrize("paper", papers())
def test_every_file_is_a_certificate_of_a_claim(paper):
    recorded = {f"{name}.edp.json" for claim in RECORDS[paper].claims for name in claim.certificates}
    assert recorded == {file.name for file in certificates_of(paper)}


@pytest.mark.slow
def test_the_kernel_alone_accepts_every_file():
    command = [sys.executable, "-I", str(Path(kernel.__file__)), *map(str, FILES)]
    result = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.count("accepted") == len(FILES) >= 30


OTHERS = {
    "discrete-4", "grid-2x3-additive", "grid-2x3-multiplicative", "refines-kernels", "two-mixtures", "vertex-mechanism"
}  # fmt: skip
"""Where several answers are right, and HiGHS leads to another one; docs/design.md says what differs."""


@pytest.mark.slow
@pytest.mark.parametrize("paper", papers())
def test_the_certificates_without_the_float_solver(monkeypatch, paper):
    """Exact pivots do all the work. The certificates are accepted, and all but a few are the same."""
    monkeypatch.setitem(sys.modules, "highspy", None)
    folder = RECORDS[paper].folder / "certificates"
    made = certificates(paper, skip=SLOW)
    differ = {name for name, made in made.items() if made.to_json() != (folder / f"{name}.edp.json").read_text(encoding="utf-8")}
    assert differ == OTHERS & made.keys()
    for name in differ:
        recorded = json.loads((folder / f"{name}.edp.json").read_text(encoding="utf-8"))["claim"]
        lists_what_was_found = recorded["kind"] in {"kernel-mixtures", "refines-mixture"}
        assert lists_what_was_found or made[name].claim == recorded


def test_the_page_names_the_certificates_that_differ():
    page = (ROOT / "docs" / "design.md").read_text(encoding="utf-8").partition("\n## Certificates\n")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `([a-z0-9-]+)` ", page, re.MULTILINE)) == OTHERS
    assert f"{len(OTHERS)} of {len([file for paper in papers() for file in certificates_of(paper)])}" in page


@pytest.mark.slow
def test_the_bytes_depend_on_no_hash_and_no_number_of_processors(tmp_path):
    """A process of its own, with another order of hashing and one processor."""
    pytest.importorskip("highspy")
    paper = "fernandes_metric_privacy"
    code = "import sys, pathlib; from proofs.replay import regenerate; regenerate(sys.argv[1], pathlib.Path(sys.argv[2]))"
    alone = {"preexec_fn": lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})} if hasattr(os, "sched_setaffinity") else {}
    env = {**os.environ, "PYTHONHASHSEED": "20260101"}
    subprocess.run([sys.executable, "-c", code, paper, tmp_path], cwd=ROOT, env=env, check=True, **alone)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == {
        file.name: file.read_bytes() for file in certificates_of(paper)
    }


def test_many_kinds_are_there():
    kinds = {json.loads(file.read_text(encoding="utf-8"))["claim"]["kind"] for file in FILES}
    assert kinds >= {
        "not-stochastic", "private", "level", "derivable", "not-derivable", "optimal",
        "optimal-remap", "not-optimal-remap", "unique", "unique-remap", "release",
    }  # fmt: skip
