# SPDX-License-Identifier: MIT
"""Mechanisms in use: record, page and certificates agree, and other routes find the same numbers."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import exactdp as xdp
from exactdp.certificate.page_one_formats import markdown
from proofs.deployments import (
    FOLDER,
    PAGE,
    Deployment,
    by_law,
    certificate_file,
    deployments,
    judged,
    page,
    with_bundles,
    write_bundle,
    write_bundles,
)

RECORDS = {one.name: one for one in deployments()}
KERNEL = Path(xdp.__file__).parent / "checker" / "kernel.py"
CHECK_BUNDLE = Path(xdp.__file__).parent / "certificate" / "check_bundle.py"


@pytest.fixture(scope="module")
def found():
    return [judged(one) for one in RECORDS.values()]


def test_all_are_as_recorded_and_the_page_and_certificates_are_current(found):
    assert [one.deployment.name for one in found if not one.agrees] == []
    assert PAGE.read_text(encoding="utf-8") == page(found)
    for one in found:
        assert certificate_file(one.deployment.name).read_text(encoding="utf-8") == xdp.certify(one.answer).to_json()
    assert {file.name for file in (FOLDER / "certificates").iterdir()} == {f"{name}.edp.json" for name in RECORDS}


def test_the_checker_alone_accepts_every_certificate():
    files = [str(certificate_file(name)) for name in RECORDS]
    done = subprocess.run([sys.executable, "-I", str(KERNEL), *files], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_wrong_record_is_noticed():
    record = RECORDS["survey-forced-response"]
    fields = {name: getattr(record, name) for name in Deployment.__dataclass_fields__}
    assert not judged(Deployment(**{**fields, "value": "ln(6)"})).agrees
    assert judged(Deployment(**{**fields, "claim": {"epsilon": "1.6"}, "verdict": "fails"})).agrees
    assert not judged(Deployment(**{**fields, "claim": {"epsilon": "1.6"}, "verdict": "holds"})).agrees


@pytest.mark.parametrize(("name", "states", "noise"), [("navigation", 2925, "0.0024"), ("event", 3, "0.0000025")])
def test_the_probabilities_of_attribution_reports_are_those_of_the_printed_noise(name, states, noise):
    p = Fraction(noise)
    keep = Fraction(RECORDS[f"chrome-attribution-{name}-printed"].subject.rpartition("keep=")[2])
    assert keep == 1 - p + p / states
    # up to three reports, each of 8 values in one of 3 windows; or at most one report of 2 values
    assert states == {"navigation": math.comb(8 * 3 + 3, 3), "event": 1 + 2}[name]


def test_the_table_of_reach_is_the_rounded_truncated_laplace():
    table = RECORDS["cross-media-reach"].mechanism
    bound = math.log(1 + (math.e - 1) / (2 * 0.001))

    def below(x: float) -> float:
        x = max(-bound, min(bound, x))
        law = math.exp(x) / 2 if x < 0 else 1 - math.exp(-x) / 2
        return (law - math.exp(-bound) / 2) / (1 - math.exp(-bound))

    for i in range(6):
        for r in range(-7, 13):
            expected = below(r - i + 0.5) - below(r - i - 0.5)
            assert float(table[str(i), str(r)]) == pytest.approx(expected, abs=1e-12)


def test_the_perturbation_table_has_the_greatest_entropy():
    rows = [line.split(",")[1:] for line in (FOLDER / "tables" / "cell-key-ptable.csv").read_text().splitlines()[1:]]
    weight = 6 ** (-1 / 4)  # variance 1: p(±1) = p(0)·x and p(±2) = p(0)·x⁴ with 6x⁴ = 1
    total = 1 + 2 * weight + 2 * weight**4
    near, far = weight / total, weight**4 / total
    assert [float(x) for x in rows[2][:5]] == pytest.approx([far, near, 1 / total, near, far], abs=5.1e-5)
    assert [rows[3][1:6], rows[4][2:7]] == [rows[2][:5]] * 2


@pytest.mark.mostly_slow(5)
@pytest.mark.parametrize("name", sorted(RECORDS))
def test_a_bundle_is_written_and_verifies(name, tmp_path):
    record = RECORDS[name]
    write_bundle(record, tmp_path / name)
    page_one = (tmp_path / name / "page_one.md").read_text(encoding="utf-8")
    assert markdown(record.unit) in page_one
    heads = {
        "holds": r"\*\*The claim holds( where [^*]+)?\.\*\*",
        "fails": r"\*\*The claim fails\.\*\*",
        "no claim": r"\*\*No claim was judged\.",
    }
    assert re.search(heads[record.verdict], page_one)
    assert ("Judged is its law" in page_one) == by_law(record)
    if by_law(record):
        own = (tmp_path / name / "certificates" / "level.edp.json").read_text(encoding="utf-8")
        assert own == certificate_file(name).read_text(encoding="utf-8")
    done = subprocess.run([sys.executable, "-I", "check_bundle.py", "."], cwd=tmp_path / name, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_site_has_what_its_page_links_to(tmp_path, monkeypatch):
    monkeypatch.setattr("proofs.deployments.deployments", lambda: [RECORDS["survey-forced-response"]])
    write_bundles(tmp_path / "bundles")
    links = set(re.findall(r'href="(bundles/[^"]+)"', with_bundles(PAGE.read_text(encoding="utf-8"))))
    assert links == {f"bundles/{name}.zip" for name in RECORDS}
    assert [file.name for file in (tmp_path / "bundles").iterdir()] == ["survey-forced-response.zip"]
    checked = subprocess.run(
        [sys.executable, "-I", str(CHECK_BUNDLE), str(tmp_path / "bundles" / "survey-forced-response.zip")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_what_is_larger_than_a_table_is_judged_by_its_law():
    assert {name for name, one in RECORDS.items() if by_law(one)} >= {
        "apple-emoji",
        "chrome-rappor-report",
        "chrome-attribution-navigation",
    }
    assert not by_law(RECORDS["cell-key-ptable"])
    assert not by_law(RECORDS["pram-keep-80"])
