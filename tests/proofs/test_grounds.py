# SPDX-License-Identifier: MIT
"""Who decides what a record says: Coq, both checkers, or the reference checker only."""

from __future__ import annotations

import json
import re
import subprocess

import pytest
from places import CORPUS, ROOT
from proved_checker import EDPCHECK, needs_edpcheck

from exactdp.certificate.kinds import kinds
from proofs.grounds import Ground, grounds, knows
from proofs.index import DECIDES
from proofs.record import Status, load_paper, papers

RECORDS = [load_paper(name) for name in papers()]
ERRATA = (Status.REFUTED, Status.RECONSTRUCTED, Status.IMPRECISE)


def test_the_kinds_over_letters_are_those_that_coq_reads():
    source = (ROOT / "proofs" / "coq" / "Checker" / "PolynomialClaims.v").read_text(encoding="utf-8")
    assert set(re.findall(r'same k "([a-z-]+)"', source)) == {kind.name for kind in kinds().values() if kind.coq_letters}


def accepted_by_edpcheck(files):
    found = {}
    for i in range(0, len(files), 200):
        done = subprocess.run([str(EDPCHECK), *map(str, files[i : i + 200])], capture_output=True, text=True, encoding="utf-8", check=False)
        for file, line in zip(files[i : i + 200], done.stdout.splitlines(), strict=True):
            found[file] = line.removeprefix(f"{file}: ").startswith("accepted: ")
    return found


@needs_edpcheck
def test_what_is_known_is_what_edpcheck_decides():
    ours = sorted(ROOT.glob("proofs/*/certificates/*.edp.json"))
    for file, accepted in accepted_by_edpcheck(ours).items():
        assert knows(json.loads(file.read_bytes())) == accepted, file.name
    for file, accepted in accepted_by_edpcheck(sorted(CORPUS.glob("accept/*.edp.json"))).items():
        body = json.loads(file.read_bytes())
        optimal = "optimal" in json.dumps(body["claim"])  # over letters it knows only some of the witnesses
        assert knows(body) == accepted or (optimal and not accepted), file.name


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)
def test_each_erratum_says_who_decides_it(record):
    errata = [claim for claim in record.claims if claim.status in ERRATA]
    page = (record.folder / "errata.md").read_text(encoding="utf-8").partition(DECIDES)[2]
    rows = {row.split(" | ")[0].removeprefix("| "): row for row in page.splitlines() if row.startswith("| ")}
    for claim in errata:
        row, found = rows[claim.id.partition("/")[2]], grounds(record, claim)
        assert all(ground in row for ground in found)
        assert all(ground not in row for ground in set(Ground) - set(found))


def test_certificates_with_e_are_decided_by_the_reference_checker_only():
    for record in RECORDS:
        for claim in record.claims:
            found = grounds(record, claim)
            for name in claim.certificates:
                body = json.loads((record.folder / "certificates" / f"{name}.edp.json").read_bytes())
                if any(d["type"] == "exponential" for d in body["definitions"].values()):
                    assert name in found[Ground.REFERENCE]
    claims = {claim.id.partition("/")[2]: grounds(record, claim) for record in RECORDS[:1] for claim in record.claims}
    assert all(Ground.COQ not in claims[name] and Ground.REFERENCE in claims[name] for name in ("S6a", "S6b", "F6"))


def test_what_is_missing_in_the_text_is_refuted_as_reconstructed():
    found = {claim.id for record in RECORDS for claim in record.claims if claim.status is Status.RECONSTRUCTED}
    marked = {
        claim.id
        for record in RECORDS
        for claim in record.claims
        if claim.status in (Status.REFUTED, Status.RECONSTRUCTED) and "reconstructed" in claim.statement
    }
    assert found == marked == {"fernandes_metric_privacy/4.strict", "fernandes_metric_privacy/TH21.pairs"}
