# SPDX-License-Identifier: MIT
"""Page one as a browser prints it: one page of A4, in letters that can be read."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from cli_runner import run

from exactdp.certificate.page_one_formats import STYLE

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FOUR = "--claims-epsilon 2 --for abs --for 'abs prior=uniform' --for zero-one --for squared"
REQUIRED = "--require 'gap <= 5%' --require 'delta <= 1e-6' --require 'epsilon <= 2'"
STATED = (
    "--state 'unit=one person, one count' --state 'sampler=tested by the supplier, report 7 of May 2026' "
    "--state 'composition=one release each year' --state 'access=only the office' --state 'collection=by the census of 2026'"
)
QUESTIONS = {
    "four consumers": FOUR,
    "three requirements": f"--claims-epsilon 1 {REQUIRED} --for abs",
    "all of it": f"{FOUR} {REQUIRED} {STATED}",
}


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium")
@pytest.mark.parametrize("name", QUESTIONS)
def test_it_is_one_page_of_a4(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "count.csv").write_text("2/3,1/6,1/6\n1/3,1/3,1/3\n1/6,1/6,2/3\n")
    assert run(f"audit count.csv --graph path {QUESTIONS[name]} --bundle b").code in (0, 1)
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    printed = [*options, f"--print-to-pdf={tmp_path / 'page.pdf'}", str(tmp_path / "b" / "page_one.html")]
    subprocess.run([CHROMIUM, *printed], capture_output=True, check=True)
    assert len(re.findall(rb"/Type\s*/Page\b", (tmp_path / "page.pdf").read_bytes())) == 1


def test_no_letter_is_smaller_than_eight_points():
    printed = STYLE.partition("@media print")[2]
    sizes = [float(size) for size in re.findall(r"font-size:([0-9.]+)pt", printed)]
    assert min(sizes) >= 8
    assert "em" not in "".join(re.findall(r"font-size:[^;}]*", printed))
