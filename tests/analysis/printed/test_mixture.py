# SPDX-License-Identifier: MIT
"""The mixture with the uniform mechanism that makes a claim true of every table that prints so."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product

import pytest
from cli_runner import run
from hypothesis import given
from hypothesis import strategies as st

import exactdp as xdp
from exactdp.analysis.printed.printed_audit import mixing_weight_as_printed
from exactdp.certificate.bundle_files import MANIFEST, files_of
from exactdp.certificate.compare_page_one import faults_of_page_one
from exactdp.certificate.page_one import NAMES, page_of
from exactdp.certificate.page_one_formats import WRITTEN

TENTHS = st.integers(1, 8).flatmap(lambda a: st.integers(1, 9 - a).map(lambda b: (a, b, 10 - a - b)))


def vertices(row):
    """The rows that print so and have all but one number at an end of its interval."""
    ends = [(Fraction(max(2 * k - 1, 0), 20), Fraction(2 * k + 1, 20)) for k in row]
    for free in range(len(row)):
        for chosen in product(*(ends[:free] + ends[free + 1 :])):
            rest = 1 - sum(chosen)
            if ends[free][0] <= rest <= ends[free][1]:
                yield (*chosen[:free], rest, *chosen[free:])


@given(TENTHS, TENTHS, st.fractions(Fraction(1, 10), Fraction(9, 10), max_denominator=20))
def test_the_mixture_keeps_the_level_whichever_table_it_is_and_no_smaller_one_does(first, second, alpha):
    table = xdp.printed_table([[str(k / 10) for k in row] for row in (first, second)], digits=1)
    share = Fraction(str(mixing_weight_as_printed(table, xdp.neighbours("path:2"), xdp.PrivacyLevel(str(alpha)))))
    pairs = [pair for one in vertices(first) for other in vertices(second) for pair in ((one, other), (other, one))]

    def kept(part):
        mixed = [[[(1 - part) * x + part / 3 for x in row] for row in pair] for pair in pairs]
        return all(x >= alpha * y for low, high in mixed for x, y in zip(low, high, strict=True))

    assert kept(share)
    assert share == 0 or not kept(share * Fraction(999, 1000))


def test_page_one_says_it_and_another_number_is_not_believed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.csv").write_text("0.7,0.3\n0.3,0.7\n")
    assert run("audit p.csv --graph path --digits 1 --claims-alpha 1/2 --bundle q.zip").code == 4
    files = files_of("q.zip")[0]
    predicate, body = json.loads(files[MANIFEST])["predicate"], json.loads(files[NAMES["json"]])
    [line] = [line for section in body["sections"] for line in section["lines"] if line["says"] == "repair-uniform-printed"]
    assert line["values"]["share"] == "0.3334"  # λ = 1/3, rounded up
    assert faults_of_page_one(files, predicate)[0] == []
    for share in ("0.333", "0.34", "0", "1", "2"):
        line["values"]["share"] = share
        page = page_of(body)
        edited = files | {name: WRITTEN[kind](page).encode() for kind, name in NAMES.items()}
        assert faults_of_page_one(edited, predicate)[0], share


@pytest.mark.parametrize("claim", ["--claims-epsilon 2", "--claims-epsilon 1/2 --claims-delta 1/10"])
def test_there_is_none_where_the_claim_holds_or_has_a_delta(tmp_path, monkeypatch, claim):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.csv").write_text("0.7,0.3\n0.3,0.7\n")
    run(f"audit p.csv --graph path --digits 1 {claim} --page p.md")
    assert "Or change the mechanism" not in (tmp_path / "p.md").read_text()
