# SPDX-License-Identifier: MIT
"""What an audit wrote is what is expected in its folder: names, digests, and the table."""

from __future__ import annotations

import json
import shutil

import pytest
from cli_runner import run
from places import in_folder

from exactdp.certificate import bundle_files
from exactdp.certificate.manifest import Manifest, table_digest
from exactdp.errors import InputError
from exactdp.model import Table

TABLES = {
    "exact.csv": ",0,1\n0,2/3,1/3\n1,1/3,2/3\n",
    "columns.csv": ",1,0\n1,2/3,1/3\n0,1/3,2/3\n",
    "rounded.csv": ",0,1\n0,0.6667,0.3333\n1,0.3333,0.6666\n",
    "wrong.csv": ",0,1\n0,2/3,1/3\n1,1/3,1/3\n",
}


place = in_folder(TABLES)


def audited(words, folder):
    done = run(["audit", *words.split(), "--certificates", folder])
    assert done.code in (0, 1), done.err
    return done


@pytest.mark.parametrize(
    "words",
    [
        "geometric:n=3,alpha=1/4 --claims-epsilon 1 --for abs",
        "geometric:n=3,epsilon=1/3 --claims-epsilon 1/10 --delta 1/10",
        "exact.csv --graph path --for zero-one",
        "columns.csv --graph path --for zero-one",
        "rounded.csv --graph path --rounding 0.001 --claims-alpha 1/2",
        "wrong.csv --graph path",
    ],
)
def test_what_was_written_is_expected(place, words):
    done = audited(words, "A")
    assert "manifest.json (sha256:" in done.err + done.out
    manifest = Manifest.read((place / "A/manifest.json").read_bytes())
    assert manifest.certificates.keys() == {path.name for path in (place / "A").glob("*.edp.json")}
    told = run(["verify", "A", "--json"])
    assert (told.code, told.json["verdict"]) == (0, "proved")
    assert told.json["subject"]["digest"] == manifest.table
    assert told.json["subject"]["certificates"] >= 1
    assert manifest.digest in done.err + done.out
    assert manifest.digest in told.json["claim"]


def test_the_digest_of_a_table_is_of_what_it_is():
    rows = [["2/3", "1/3"], ["1/4", "3/4"]]
    one = table_digest(Table(rows, ["0", "1"], ["a", "b"]))
    turned = table_digest(Table([["3/4", "1/4"], ["1/3", "2/3"]], ["1", "0"], ["b", "a"]))
    assert one == turned
    assert len({one, table_digest(Table(rows, ["0", "1"], ["b", "a"])), table_digest(Table(rows[::-1], ["0", "1"], ["a", "b"]))}) == 3


def test_a_changed_folder_is_told(place):
    audited("exact.csv --graph path --for zero-one --claims-alpha 1/2", "A")
    audited("wrong.csv --graph path", "B")
    audited("geometric:n=3,alpha=1/4", "C")
    shutil.copytree("A", "replaced")
    shutil.copy("C/level.edp.json", "replaced/level.edp.json")
    done = run(["verify", "replaced"])
    assert done.code == 1
    assert "replaced/level.edp.json: rejected: its digest is sha256:" in done.out
    shutil.copytree("A", "deleted")
    (place / "deleted/level.edp.json").unlink()
    done = run(["verify", "deleted"])
    assert done.code == 1
    assert "level.edp.json: missing: manifest.json expects it" in done.out
    shutil.copytree("A", "second")
    shutil.copy("B/not-stochastic.edp.json", "second")
    done = run(["verify", "second"])
    assert done.code == 1
    assert "second/not-stochastic.edp.json: rejected: manifest.json expects no certificate of this name" in done.out
    shutil.copytree("A", "hidden")
    shutil.copy("C/level.edp.json", "hidden/.level.edp.json")
    done = run(["verify", "hidden"])
    assert (done.code, "1 not looked at: .level.edp.json" in done.out) == (4, True)


def test_the_table_of_a_manifest_is_compared(place):
    audited("exact.csv --graph path", "A")
    path = place / "A/manifest.json"
    body = json.loads(path.read_text())
    body["predicate"]["table"]["digest"] = table_digest(Table([["1/2", "1/2"]]))
    body["predicate"]["digest"] = bundle_files.own_digest(body)
    path.write_bytes(bundle_files.written(body))
    done = run(["verify", "A"])
    assert done.code == 1
    assert "A/manifest.json: rejected: no certificate that is expected and accepted is about exact.csv" in done.out


def test_a_second_audit_is_refused_before_any_work(place, monkeypatch):
    audited("exact.csv --graph path", "A")
    before = {path.name: path.read_bytes() for path in (place / "A").iterdir()}
    monkeypatch.setattr("exactdp.cli.audit.run_audit", None)
    for _ in range(2):
        done = run(["audit", "geometric:n=3,alpha=1/4", "--certificates", "A"])
        assert done.code == 2
        assert "'A' has certificates of another audit" in done.err
        (place / "A/manifest.json").unlink(missing_ok=True)
        before.pop("manifest.json", None)
    assert {path.name: path.read_bytes() for path in (place / "A").iterdir()} == before


def test_a_manifest_that_is_none_is_refused(place):
    audited("exact.csv --graph path", "A")
    path = place / "A/manifest.json"
    whole = json.loads(path.read_text())
    other = whole | {"predicateType": bundle_files.TYPE + "2"}
    for wrong in ("{", "[]", "{}", json.dumps(other), json.dumps(whole | {"predicate": {"x": 1}}), json.dumps(whole)):
        path.write_text(wrong)
        with pytest.raises(InputError, match=r"manifest\.json does not say what is expected"):
            Manifest.read(path.read_bytes())
        assert run(["verify", "A"]).code == 3


def test_a_folder_of_certificates_alone_says_that_nothing_is_expected(place):
    audited("exact.csv --graph path", "A")
    (place / "A/manifest.json").unlink()
    done = run(["verify", "A"])
    assert done.code == 0
    assert "compared with nothing: no rows that can be read and no manifest say what is expected here" in done.out
