# SPDX-License-Identifier: MIT
"""A bundle ties page, table and certificates together: every edit of it is found, by two programs alike."""

from __future__ import annotations

import ast
import json
import os
import random
import re
import runpy
import shutil
import subprocess
import sys
import zipfile
from fractions import Fraction
from math import exp, log
from pathlib import Path
from types import ModuleType

import pytest
from cli_runner import run
from hypothesis import given
from hypothesis import strategies as st
from places import ROOT

import exactdp
import exactdp as xdp
from exactdp.certificate import bundle_files, bundle_tables, check_bundle
from exactdp.certificate.bundle_files import MANIFEST, TABLES
from exactdp.certificate.check_bundle import PROGRAM, PROGRAMS, RELEASE
from exactdp.certificate.page_one import NAMES
from exactdp.errors import InputError, WriteError
from exactdp.runtime.files import write_folder

TABLES_READ = {
    "t.csv": ",0,1\n0,2/3,1/3\n1,1/3,2/3\n",
    "other.csv": ",0,1\n0,3/4,1/4\n1,1/4,3/4\n",
    "rounded.csv": "0.6667,0.3333\n0.3333,0.6666\n",
    "wrong.csv": "2/3,1/3\n1/3,1/3\n",
    "doubles.csv": "0.1,0.9\n0.5,0.5\n",
    "across.csv": "1/2,1/4\n1/4,1/4\n1/4,1/2\n",
    "formula.csv": "1/(1+a),a/(1+a)\na/(1+a),1/(1+a)\n",
    "object.json": '{"inputs": ["x", "y"], "outputs": ["u", "v"], "rows": [["2/3", "1/3"], ["1/3", "2/3"]]}',
    "prior.csv": "1/2,1/2\n",
}
AUDIT = "audit t.csv --graph path --claims-epsilon 1 --for zero-one"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with tables and two bundles, and the program with its checker, as a release has them."""
    place = tmp_path_factory.mktemp("bundle")
    for name, text in TABLES_READ.items():
        (place / name).write_text(text)
    before, epoch = Path.cwd(), os.environ.get("SOURCE_DATE_EPOCH")
    os.chdir(place)
    os.environ["SOURCE_DATE_EPOCH"] = "1700000000"
    try:
        assert run(f"{AUDIT} --bundle true").code == 0
        assert run("audit t.csv --graph path --claims-epsilon 1/2 --bundle false").code == 1
        assert run("audit other.csv --graph path --claims-epsilon 2 --for zero-one --bundle stale").code == 0
    finally:
        os.chdir(before)
        os.environ.pop("SOURCE_DATE_EPOCH")
        if epoch is not None:
            os.environ["SOURCE_DATE_EPOCH"] = epoch
    (place / "release").mkdir()
    for name in PROGRAMS:
        shutil.copy(place / "true" / name, place / "release")
    shutil.copytree(place / "true" / "checker", place / "release" / "checker")
    return place


@pytest.fixture
def place(made, tmp_path, monkeypatch):
    """A copy of it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path


def alone(bundle, program="release/check_bundle.py"):
    """What the program says without the package: the exit code, and the lines."""
    done = subprocess.run([sys.executable, "-I", program, str(bundle)], capture_output=True, text=True, encoding="utf-8", check=False)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout


def both(bundle):
    """The exit code of both programs, which agree, and what ours says."""
    done = run(["verify", str(bundle)])
    code, said = alone(bundle)
    assert code == done.code, (said, done.out)
    return code, done.out


def remade(bundle, change=lambda predicate: None):
    """Write the manifest again, as somebody would who has edited parts and knows how digests are made."""
    path = bundle / MANIFEST
    body = json.loads(path.read_text())
    for part in body["predicate"]["parts"]:
        if (bundle / part["name"]).exists():
            part["digest"]["sha256"] = bundle_files.sha256((bundle / part["name"]).read_bytes())
    change(body["predicate"])
    digests = {part["name"]: part["digest"] for part in body["predicate"]["parts"]}
    for subject in body["subject"]:
        subject["digest"] = digests.get(subject["name"], subject["digest"])
    body["predicate"]["digest"] = bundle_files.own_digest(body)
    path.write_bytes(bundle_files.written(body))


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


# --- What is written ---


@pytest.mark.parametrize(
    "words",
    [
        AUDIT,
        "audit t.csv --graph path --claims-epsilon 1/2 --claims-delta 1/100 --delta 1/10",
        "audit t.csv --local",
        "audit t.csv --graph path --claims-epsilon ln(2) --for 'zero-one prior=prior.csv' --by-position",
        "audit t.csv --graph path --claims-epsilon 0 --claims-delta 1/3",
        "audit rounded.csv --graph path --rounding 0.001 --claims-alpha 1/3 --for abs",
        "audit wrong.csv --graph path --claims-alpha 1/3",
        "audit doubles.csv --graph path --dyadic --rounding 1e-9 --claims-epsilon 3",
        "audit across.csv --graph path --transpose --claims-epsilon 1",
        "audit wrong.csv --graph path --renormalise --claims-epsilon 1",
        "audit formula.csv --graph path --epsilon 1/3 --claims-epsilon 1/2 --for zero-one",
        "audit object.json --local --claims-epsilon 1",
        "audit t.csv --graph path --digits auto",
        "audit wrong.csv --graph path",
        "audit t.csv --graph path --digits auto --claims-alpha 1/3",
        "audit t.csv --graph path --digits auto --claims-alpha 2/3",
        "audit geometric:n=3,epsilon=1/3 --claims-epsilon ln(2) --claims-delta 1/10 --for abs",
        "audit randomized-response:n=3,keep=3/4 --claims-epsilon 1",
    ],
)
def test_what_was_written_is_accepted_by_both(place, words):
    first = run(f"{words} --bundle new")
    assert first.code in (0, 1), first.err
    code, said = both("new")
    assert code == 0, said
    assert said.splitlines()[-1].startswith("new: accepted: ")
    assert alone("new", "new/check_bundle.py")[0] == 0
    told = run("verify new --json").json
    assert told["manifest"] in first.out
    assert told["certificates"] == told["compared"] == len(list((place / "new/certificates").iterdir()))
    assert told["audit"] == {0: "proved", 1: "refuted"}[first.code] or "claims" not in words
    manifest = json.loads((place / "new/manifest.json").read_text())
    assert manifest["_type"] == "https://in-toto.io/Statement/v1"
    assert {key for subject in manifest["subject"] for key in subject} == {"name", "digest"}
    assert manifest["predicate"]["date"] == "2023-11-14T22:13:20Z"
    assert manifest["predicate"]["command"][:2] == ["exactdp", "audit"]


def test_without_a_claim_nothing_passes(place):
    """A printed table, too: its verdict is that both ends were found."""
    assert run("audit t.csv --graph path --digits auto --bundle new").code == 0
    for page in ("page.html", "page.md"):
        text = (place / "new" / page).read_text()
        assert ("No claim was judged" in text, "Passed" in text) == (True, False)


def test_inputs_are_there_as_read(place):
    assert (place / "true/inputs/t.csv").read_bytes() == (place / "t.csv").read_bytes()
    (place / "sub").mkdir()
    (place / "sub/t.csv").write_text("1/2,1/2\n")
    assert run("audit t.csv --graph path --for 'zero-one prior=sub/t.csv' --by-position --bundle two").code == 0
    assert {path.name: path.read_bytes() for path in (place / "two/inputs").iterdir()} == {
        "t.csv": (place / "t.csv").read_bytes(),
        "2-t.csv": b"1/2,1/2\n",
    }
    assert both("two")[0] == 0
    assert run("audit - --graph path --bundle piped", stdin="2/3,1/3\n1/3,2/3\n").code == 0
    assert both("piped")[0] == 0


def test_a_zip_is_reproducible_and_checked_as_the_folder_is(place):
    assert run(f"{AUDIT} --bundle b.zip").code == 0
    first = (place / "b.zip").read_bytes()
    assert run(f"{AUDIT} --bundle b.zip").code == 0
    assert (place / "b.zip").read_bytes() == first
    assert both("b.zip")[0] == 0
    with zipfile.ZipFile("b.zip") as archive:
        assert archive.namelist() == sorted(archive.namelist())
        archive.extractall("unpacked")
    assert both("unpacked")[0] == 0
    with zipfile.ZipFile("again.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted((place / "unpacked").rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(place / "unpacked").as_posix())
    code, said = both("again.zip")
    assert code == 1
    assert "unpack it, and check the folder" in said


def test_in_python(place):
    answer = xdp.audit(xdp.load("t.csv"), "path", claim=xdp.PrivacyClaim(epsilon=1), title="t.csv")
    digest = answer.bundle("python", inputs=["t.csv", place / "prior.csv"])
    assert digest == f"sha256:{bundle_files.sha256((place / 'python/manifest.json').read_bytes())}"
    code, said = both("python")
    assert (code, digest in said) == (0, True)
    edit(place / "python/inputs/t.csv", "2/3,1/3", "3/4,1/4")
    remade(place / "python")
    assert both("python")[0] == 1
    answer.bundle("python.zip")
    assert both("python.zip")[0] == 0
    with pytest.raises(InputError, match="page one or a bundle is of an audit"):
        xdp.is_private(xdp.geometric(2, "1/2"), "path", "1/2").bundle("none")
    with pytest.raises(InputError, match=r"the input 'nowhere\.csv' can't be read"):
        answer.bundle("none", inputs=["nowhere.csv"])
    with pytest.raises(WriteError, match="there is something in 'python'"):
        answer.bundle("python")
    assert not (place / "none").exists()


# --- Whole or not at all ---


def test_a_folder_with_something_in_it_is_refused_before_any_work(place, monkeypatch):
    monkeypatch.setattr("exactdp.cli.audit.run_audit", None)
    (place / "new").mkdir()
    for words, said in {
        "--bundle true": "there is something in 'true'",
        "--bundle t.csv": "'t.csv' is a file",
        "--bundle new --html new/page.html": "'new' has nothing but its own parts",
        "--bundle new --compare geometric:n=1,alpha=1/2": "a bundle is about one table",
        "--bundle ''": "the name is empty",
    }.items():
        done = run(f"{AUDIT} {words}")
        assert (done.code, said in done.err) == (2, True), done.err
    assert not list((place / "new").iterdir())


def test_an_empty_folder_is_taken(place):
    (place / "new").mkdir()
    assert run(f"{AUDIT} --bundle new").code == 0
    assert both("new")[0] == 0


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device"), MemoryError])
@pytest.mark.parametrize("call", ["fsync", "rename"])
def test_nothing_half_is_left(tmp_path, monkeypatch, error, call):
    done = []

    def fail(*_):
        done.append(call)
        if call == "rename" or len(done) == 3:
            raise error

    monkeypatch.setattr(os, call, fail)
    expected = WriteError if isinstance(error, OSError) else error
    with pytest.raises(expected):
        write_folder(tmp_path / "new", {f"a/{k}": b"x" for k in range(5)})
    assert list(tmp_path.iterdir()) == []


def test_a_date_that_is_none_is_refused(place, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    done = run(f"{AUDIT} --bundle new")
    assert done.code == 3
    assert "SOURCE_DATE_EPOCH is 'yesterday'; give a number of seconds since 1970" in done.err
    assert not (place / "new").exists()


# --- A thousand edits ---


def edited(bundle, other, random):
    """Edit a bundle in one way, at random; what was done, or nothing if all is as it was."""
    files = sorted(path for path in bundle.rglob("*") if path.is_file())
    one, two = random.choice(files), random.choice(files)
    theirs = random.choice(sorted(path for path in other.rglob("*") if path.is_file()))
    content, kind = one.read_bytes(), random.choice(["swap", "delete", "add", "byte", "rename", "truncate", "replace", "insert", "link"])
    if kind == "swap":
        if content == two.read_bytes():
            return ""
        one.write_bytes(two.read_bytes())
        two.write_bytes(content)
    elif kind == "delete":
        one.unlink()
    elif kind == "add":
        name = random.choice(["x", ".hidden", "certificates/level-2.edp.json", "é.txt", "empty/", "checker/zlib.py", "a b", "page.htm"])
        if name.endswith("/"):
            (bundle / name).mkdir()
        else:
            (bundle / name).write_bytes(theirs.read_bytes())
    elif kind == "byte":
        place, bit = random.randrange(len(content)), 1 << random.randrange(8)
        one.write_bytes(content[:place] + bytes([content[place] ^ bit]) + content[place + 1 :])
    elif kind == "insert":
        place = random.randrange(len(content) + 1)
        one.write_bytes(content[:place] + random.choice([b" ", b"\n", b"0", content[:40]]) + content[place:])
    elif kind == "rename":
        one.rename(one.with_name(random.choice([f"{one.name}~", one.name.upper(), f"0{one.name}"])))
    elif kind == "truncate":
        one.write_bytes(content[: random.randrange(len(content))])
    elif kind == "replace":
        if content == theirs.read_bytes():
            return ""
        one.write_bytes(theirs.read_bytes())
    else:
        one.rename(bundle.parent / "moved")
        one.symlink_to(bundle.parent / "moved")
    return f"{kind} {one.relative_to(bundle)} ({theirs.relative_to(other)})"


def edits(place, count, seed, judge):
    """Edit copies of a bundle, each in one way, and have each judged."""
    chance = random.Random(seed)
    done = 0
    while done < count:
        shutil.rmtree(place / "edited", ignore_errors=True)
        (place / "moved").unlink(missing_ok=True)
        shutil.copytree(place / "true", place / "edited")
        what = edited(place / "edited", place / chance.choice(["stale", "false", "true"]), chance)
        if what:
            done += 1
            judge(done, what)


def test_every_edit_is_found(place):
    def judge(number, what):
        assert check_bundle.answer("edited")["exit_code"] != 0, what

    edits(place, 150, 1, judge)


def loaded(path):
    """The program of a release, which loads the checker beside it, as a module."""
    module = ModuleType("released")
    module.__file__ = str(path)
    sys.modules["released"] = module
    exec(compile(path.read_bytes(), str(path), "exec"), vars(module))
    return module


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_thousand_edits_are_found_by_both_with_equal_verdicts(place, monkeypatch):
    """Each by the program of a release and by ours, called; every fortieth as they are run."""
    released = loaded(place / "release" / PROGRAM)

    def judge(number, what):
        answer = check_bundle.answer("edited")
        assert answer["exit_code"] in (1, 3, 4), what
        assert answer == released.answer("edited"), what
        if number % 40 == 0:
            assert both("edited")[0] == answer["exit_code"], what

    edits(place, 1000, 2, judge)


def test_edits_of_a_zip_are_found(place):
    assert run(f"{AUDIT} --bundle b.zip").code == 0
    data, chance = (place / "b.zip").read_bytes(), random.Random(3)
    for number in range(60):
        at, bit = chance.randrange(len(data)), 1 << chance.randrange(8)
        changed = [
            data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :],
            data[:at],
            data + b"\0",
            b"#!/bin/sh\n" + data,
            data[:at] + b"x" + data[at:],
        ][number % 5]
        (place / "edited.zip").write_bytes(changed)
        assert check_bundle.answer("edited.zip")["exit_code"] == 1
    assert both("edited.zip")[0] == 1


# --- Edits by somebody who writes the manifest again ---


@pytest.mark.parametrize("page", ["page.html", "page.md", "answer.json"])
def test_an_edited_sentence_is_found(place, page):
    edit(place / "true" / page, "private on path(2) is 1/2", "private on path(2) is 3/4")
    remade(place / "true")
    code, said = both("true")
    assert code == 1
    assert f"{page}: rejected: what it says of level is not what the checker says" in said


@pytest.mark.parametrize("page", ["page.html", "page.md", "answer.json"])
def test_a_stale_page_is_found(place, page):
    shutil.copy(place / "stale" / page, place / "true" / page)
    remade(place / "true")
    code, said = both("true")
    assert code == 1
    assert f"{page}: rejected: " in said


def test_a_true_certificate_of_another_table_is_found(place):
    """All else follows: its digest, its sentence, the pages."""
    bundle, file = place / "true", "certificates/level.edp.json"
    old = next(one for one in json.loads((bundle / MANIFEST).read_text())["predicate"]["certificates"] if one["file"] == file)
    shutil.copy(place / "stale" / file, bundle / file)
    answer = check_bundle.checker().check_bytes((bundle / file).read_bytes())
    for page in ("page.html", "page.md", "answer.json"):
        pair = (old["sentence"], answer.sentence)
        edit(bundle / page, *(json.dumps(text)[1:-1] if page == "answer.json" else text for text in pair))
        edit(bundle / page, old["digest"], answer.digest)

    def change(predicate):
        for one in predicate["certificates"]:
            if one["file"] == file:
                one.update(digest=answer.digest, sentence=answer.sentence)

    remade(bundle, change)
    code, said = both("true")
    assert code == 1
    assert f"{file}: rejected: it is about another table than those of table.json" in said


def test_another_table_is_found(place):
    edit(place / "true" / TABLES, '"2/3"', '"3/4"')
    edit(place / "true" / TABLES, '"1/3"', '"1/4"')
    remade(place / "true")
    code, said = both("true")
    assert code == 1
    assert "inputs/t.csv: rejected: it has other numbers than the table as read" in said
    assert "certificates/level.edp.json: rejected: it is about another table" in said


def test_another_input_is_found(place):
    shutil.copy("other.csv", "true/inputs/t.csv")
    remade(place / "true")
    code, said = both("true")
    assert code == 1
    assert "inputs/t.csv: rejected: it has other numbers than the table as read of table.json" in said


def test_a_table_that_the_program_can_not_read_is_read_where_the_command_is_run_again(place):
    assert run("audit object.json --local --claims-epsilon 1 --bundle new").code == 0
    unread = "this program reads plain numbers only; exactdp verify runs its command again"
    assert unread in alone("new")[1]
    assert unread not in run("verify new").out
    before = bundle_files.sha256((place / "new/inputs/object.json").read_bytes())
    edit(place / "new/inputs/object.json", '["2/3", "1/3"]', '["3/4", "1/4"]')
    after = bundle_files.sha256((place / "new/inputs/object.json").read_bytes())
    remade(place / "new")
    assert "page_one.json: rejected" in alone("new")[1]  # it has the digest of the file
    for name in (*NAMES.values(), "page.md", "page.html", "answer.json", MANIFEST):
        path = place / "new" / name
        path.write_text(path.read_text().replace(before, after).replace(before[:8], after[:8]))
    remade(place / "new")
    assert alone("new")[0] == 0, alone("new")[1]
    done = run("verify new")
    assert done.code == 1
    assert "its command, run again with its inputs, writes" in done.out


@pytest.mark.parametrize("bundle", ["true", "false"])
def test_a_verdict_that_was_turned_is_found(place, bundle):
    words = [("proved", "Passed", "PROVED", "is true"), ("refuted", "Failed", "REFUTED", "is false")]
    before, after = words if bundle == "true" else words[::-1]
    for page in ("page.html", "page.md", "answer.json", MANIFEST):
        text = (place / bundle / page).read_text()
        for old, new in zip(before, after, strict=True):
            text = text.replace(old, new)
        (place / bundle / page).write_text(text)
    remade(place / bundle)
    code, said = both(bundle)
    assert code == 1
    assert f"it contradicts the verdict of manifest.json: {after[0]}" in said


def test_a_turned_verdict_without_its_certificates_is_not_believed(place):
    bundle = place / "false"
    sentences = {}

    def change(predicate):
        predicate["verdicts"][0].update(verdict="proved")
        predicate["verdicts"][0]["claim"] = predicate["verdicts"][0]["claim"].replace("is false", "is true")
        sentences.update({one["part"]: one for one in predicate["certificates"]})
        predicate["certificates"] = []
        predicate["parts"] = [part for part in predicate["parts"] if part["role"] != "certificate"]

    shutil.rmtree(bundle / "certificates")
    for page in ("page.html", "page.md", "answer.json"):
        text = (bundle / page).read_text().replace("is false", "is true").replace("Failed", "Passed").replace('"refuted"', '"proved"')
        (bundle / page).write_text(text)
    body = json.loads((bundle / "answer.json").read_text())
    (bundle / "answer.json").write_text(json.dumps(body | {"checker": []}))
    text = (bundle / "page.md").read_text()
    (bundle / "page.md").write_text(re.sub(r"(?m)^- [a-z-]+: accepted: .*\n", "", text))
    text = (bundle / "page.html").read_text()
    (bundle / "page.html").write_text(re.sub(r"<dt>[a-z-]+: accepted</dt><dd>[^<]*<br><code>[^<]*</code></dd>", "", text))
    remade(bundle, change)
    code, said = both("false")
    assert (code, "no certificate decides the claim" in said) == (4, True)


@pytest.mark.parametrize(("old", "new"), [("ε = 1)-private", "ε = 1/10)-private"), ("“path:2”", "“complete:4”")])
def test_a_claim_that_was_edited_is_found(place, old, new):
    for page in ("page.html", "page.md"):
        edit(place / "true" / page, old, new)
    ascii_old, ascii_new = (json.dumps(text)[1:-1] for text in (old, new))
    for page in ("answer.json", MANIFEST):
        edit(place / "true" / page, ascii_old, ascii_new)

    def change(predicate):
        predicate["claimed"]["epsilon"] = "1/10" if "ε" in old else "1"
        predicate["claimed"]["neighbours"] = "complete:4" if "path" in old else "path:2"

    remade(place / "true", change)
    code, said = both("true")
    assert code == 1
    assert "it contradicts the verdict of manifest.json" in said or "its claim is about other neighbours" in said


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("is true.", "is true, and therefore safe for any composition."),
        ("is true.", "is false."),
        ("is true.", "is true. It holds for ε = 0.1 in practice."),
        ("(ε = 1)-private for", "(ε = 1/10)-private for"),
        ("The claim that", "By law the claim that"),
    ],
)
def test_a_sentence_that_was_edited_is_found(place, old, new):
    for page in ("page.html", "page.md"):
        edit(place / "true" / page, old, new)
    for page in ("answer.json", MANIFEST):
        edit(place / "true" / page, json.dumps(old)[1:-1], json.dumps(new)[1:-1])
    remade(place / "true")
    code, said = both("true")
    assert (code, "manifest.json: rejected: its sentence is not the one" in said) == (1, True)


def test_a_checker_that_was_changed_is_found(place):
    edit(place / "true/checker/limits.py", '"rejected": 1', '"rejected": 0')
    remade(place / "true")
    code, said = both("true")
    assert code == 1
    assert "checker/limits.py: rejected: not the file of exactdp" in said


def test_the_checker_of_another_version_is_not_the_one_that_runs(place):
    for file in ("checker/kernel.py", PROGRAM):
        path = place / "true" / file
        path.write_text("raise SystemExit(0)\n")
    for name in NAMES.values():
        edit(
            place / "true" / name,
            f"exactdp {RELEASE}." if name[-4:] != "json" else f'"release": "{RELEASE}"',
            "exactdp 0.0.9." if name[-4:] != "json" else '"release": "0.0.9"',
        )
    remade(place / "true", lambda predicate: predicate.update(exactdp="0.0.9"))
    code, said = alone(place / "true")
    assert code == 0
    assert "its checker is that of exactdp 0.0.9, and was not run" in said
    ours = run("verify true")
    assert ours.code == 4
    assert "its command was not run again, for it was made by exactdp 0.0.9" in ours.out


# --- Manifests that are none, and hostile names ---


def test_a_manifest_of_another_version_gets_one_sentence(place):
    path = place / "true" / MANIFEST
    edit(path, f"{bundle_files.TYPE}1", f"{bundle_files.TYPE}2")
    code, said = both("true")
    assert code == 3
    first = said.splitlines()[0]
    assert first == (
        "manifest.json: malformed: manifest.json does not say what is expected: "
        "it is version '2' of our format, and this program knows version 1"
    )


def hostile():
    """Changes of a manifest's text, each with a part of what is then said."""
    yield lambda text: text.replace('"name": "table.json"', '"name": "../table.json"'), "is no name of a part"
    yield lambda text: text.replace('"name": "table.json"', '"name": "/etc/passwd"'), "is no name of a part"
    yield lambda text: text.replace('"name": "table.json"', '"name": ".table.json"'), "is no name of a part"
    yield lambda text: text.replace('"name": "table.json"', '"name": "inputs/../table.json"'), "is no name of a part"
    yield lambda text: text.replace('"name": "table.json"', '"name": "PAGE.html"'), "two parts have one name"
    yield lambda text: text.replace('"without": {}', '"without": {}, "without": {}'), "a key occurs twice"
    yield lambda text: text.replace('"without": {}', '"without": NaN'), "NaN is no number"
    yield lambda text: text.replace('"role": "table"', '"role": "device"'), "the role or the digest"
    yield lambda text: text.replace('"without": {}', '"without": {},\n  "more": 1'), "other keys"
    yield lambda text: text.replace("2023-11-14", "2023-11-15"), "it has been edited"
    yield lambda text: text.replace("\n", "\r\n"), "written in another way"
    yield lambda text: "[" * 100_000, "nested too deeply"
    yield lambda text: "[]", "no in-toto Statement"
    yield lambda text: "", "Expecting value"
    yield lambda text: text.replace(bundle_files.PREDICATE, "https://slsa.dev/provenance/v1"), "of the type"


@pytest.mark.parametrize(("change", "said"), list(hostile()))
def test_a_manifest_that_is_none_gets_one_sentence(place, change, said):
    path = place / "true" / MANIFEST
    path.write_text(change(path.read_text()), newline="")
    code, out = both("true")
    assert code == 3
    assert said in out.splitlines()[0]
    assert len(out.splitlines()) == 2


def test_what_is_no_text_is_refused(place):
    (place / "true" / MANIFEST).write_bytes(b'\xff{"a": 1}')
    assert both("true")[0] == 3
    (place / "true" / MANIFEST).write_bytes(b" " * (bundle_files.MOST_OF_MANIFEST + 1))
    code, said = both("true")
    assert (code, "it has more than" in said) == (3, True)


def test_links_devices_and_large_files_are_refused(place):
    (place / "true/page.md").unlink()
    (place / "true/page.md").symlink_to("../stale/page.md")
    code, said = both("true")
    assert (code, "page.md: rejected: it is a link" in said) == (1, True)
    (place / "true/page.md").unlink()
    os.mkfifo(place / "true/page.md")
    code, said = both("true")
    assert (code, "page.md: rejected: it is no file" in said) == (1, True)
    (place / "true/page.md").unlink()
    with (place / "true/page.md").open("wb") as stream:
        stream.truncate(bundle_files.MOST_BYTES + 1)
    code, said = both("true")
    assert (code, "page.md is too large" in said) == (4, True)


@pytest.mark.parametrize("name", ["../above.txt", "/etc/x", "a/../b", ".hidden", "a\\b", "é"])
def test_a_zip_with_a_name_that_leads_elsewhere_is_refused(place, name):
    with zipfile.ZipFile("bad.zip", "w") as archive:
        archive.writestr(name, b"x")
    code, said = both("bad.zip")
    assert (code, "is no name of a part of a bundle" in said) == (1, True)
    assert not (place.parent / "above.txt").exists()


def test_a_zip_that_would_be_large_is_not_read(place):
    with zipfile.ZipFile("bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("page.html", b"0" * 50_000_000)
    code, said = both("bomb.zip")
    assert (code, "which is not compressed" in said) == (1, True)


def test_what_is_no_bundle(place):
    assert alone("t.csv")[0] == 1
    assert alone("nowhere")[0] == 2
    (place / "empty").mkdir()
    assert alone("empty")[0] == 3
    (place / "true" / MANIFEST).unlink()
    code, said = both("true")
    assert (code, "manifest.json: malformed: missing: nothing says what is expected here" in said) == (3, True)
    assert run(f"{AUDIT} --certificates certificates-alone").code == 0
    code, said = alone("certificates-alone")
    assert (code, "exactdp verify checks such a folder" in said) == (3, True)
    assert run("verify certificates-alone").code == 0
    done = subprocess.run([sys.executable, "-I", "release/check_bundle.py"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr[:5]) == (2, "usage")


def test_a_program_without_a_file_beside_it_says_so(place):
    for name in PROGRAMS[1:]:
        shutil.copytree("release", f"without-{name}")
        Path(f"without-{name}", name).unlink()
        code, said = alone("true", f"without-{name}/{PROGRAM}")
        assert (code, f"{name}: unreadable: missing beside this program" in said) == (2, True)


def test_every_list_of_the_programs_is_the_same():
    text = (ROOT / "docs" / "verifier" / "build.py").read_text(encoding="utf-8")
    listed = re.findall(r'deciding\["certificate"\] \+?= (\[[^\]]*\])', text)
    assert [name for names in listed for name in ast.literal_eval(names)] == list(PROGRAMS)
    loaded = runpy.run_path(str(ROOT / "docs" / "verifier" / "judge.py"))["BUNDLES"]
    assert [f"{name}.py" for name in loaded[1:]] == [*PROGRAMS[1:], PROGRAM]


def test_the_program_belongs_to_this_version():
    assert exactdp.__version__ == check_bundle.RELEASE


# --- Numbers ---


@given(st.fractions(0, 40, max_denominator=60), st.integers(1, 10**6), st.integers(1, 10**6))
def test_a_power_of_e_is_compared_with_a_rational(r, p, q):
    """Where doubles are far apart they say the same."""
    x, power = Fraction(p, q), ({((1, r),) if r else (): Fraction(1)}, {(): Fraction(1)})
    found = bundle_tables.sign_of(bundle_tables.combined(({(): x}, {(): Fraction(1)}), power, -1))
    if abs(float(x) - exp(-r)) > 1e-9 * (float(x) + exp(-r)):
        assert found == (1 if float(x) > exp(-r) else -1)
    low, high = bundle_tables.power_of_e(r, 64)
    assert low <= high
    assert 0 <= high - low < Fraction(1, 2**40)


@given(st.integers(0, 5), st.fractions(0, 1, max_denominator=12).filter(lambda x: 0 < x < 1))
def test_the_geometric_mechanism_of_the_program_is_ours(n, alpha):
    own = bundle_tables._geometric(n, ({(): alpha}, {(): Fraction(1)})).plain
    ours = xdp.geometric(n, str(alpha)).matrix.rows()
    assert own == tuple(tuple(Fraction(str(x)) for x in row) for row in ours)


def test_a_claim_that_its_program_does_not_compare_is_refused_with_a_claim_that_it_does(tmp_path, monkeypatch):
    """With a bundle of it verify would decide nothing."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("3/4,1/4\n1/4,3/4\n")
    refused = run(["audit", "t.csv", "--local", "--claims-epsilon", "ln(2)/2", "--bundle", "b"])
    assert refused.code == 3
    assert not (tmp_path / "b").exists()
    smaller = re.search(r"such as the smaller ([0-9.]+)", refused.err)[1]
    assert Fraction(smaller) < Fraction(log(2) / 2)
    assert run(["audit", "t.csv", "--local", "--claims-epsilon", smaller, "--bundle", "b"]).code == 1
    assert run(["verify", "b"]).code == 0


def test_page_one_of_a_root_beside_fractions_has_its_decimals(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("3/4,1/4\n1/4,3/4\n")
    assert run(["audit", "t.csv", "--local", "--claims-epsilon", "ln(2)/2", "--page", "p.md"]).code == 1
    # 3/4 − √2/4
    assert "= 0.3965" in (tmp_path / "p.md").read_text(encoding="utf-8")


def test_a_table_of_algebraic_numbers_has_no_bundle(tmp_path):
    done = run(f"audit 'exponential:n=3,epsilon=ln 3' --claims-epsilon 1 --bundle {tmp_path / 'new'}")
    assert done.code == 3
    assert "no bundle is made of this table: its numbers are of NumberField" in done.err
    assert not (tmp_path / "new").exists()
    assert run(f"audit 'exponential:n=3,epsilon=ln 9' --claims-epsilon 'ln 9' --bundle {tmp_path / 'new'}").code == 0
