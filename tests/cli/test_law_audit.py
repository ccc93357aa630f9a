# SPDX-License-Identifier: MIT
"""``exactdp audit`` of words whose tables are too large, and their bundles: every edit is found."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cli_runner import run
from forged_bundle import heads_again
from places import ROOT

from exactdp.certificate import bundle_files, check_bundle
from exactdp.certificate.bundle_files import LAW, MANIFEST, TABLES
from exactdp.certificate.check_bundle import PROGRAMS
from exactdp.certificate.compare_page_one import faults_of_page_one
from exactdp.certificate.page_one import NAMES, Page, page_of
from exactdp.certificate.page_one_formats import WRITTEN

WORD = "randomized-response:k=2925,epsilon=14"
AUDIT = f"audit {WORD} --claims-epsilon 14 --unit 'one click'"
BUNDLES = {
    "true": AUDIT,
    "fails": "audit randomized-response:k=2925,keep=607913/609375 --claims-epsilon 14",
    "other": "audit randomized-response:k=2926,epsilon=14 --claims-epsilon 14 --unit 'one click'",
    "counts": "audit geometric:n=1000000 --alpha 1/2",
    "path": "audit google-geometric:n=9999,sensitivity=3,epsilon=1 --graph path --claims-epsilon 1",
    "decimal": "audit randomized-response:k=5000,epsilon=1/1000000 --claims-epsilon 1e-6",
    "nines": "audit randomized-response:k=5000,epsilon=200 --claims-epsilon 200.0000000001",
    "letters": "audit randomized-response:n=2924,keep=p --letters p=1/2 --claims-epsilon 8",
    "kept": f"{AUDIT} --require 'epsilon <= 14' --require 'delta <= 1e-6'",
    "missed": f"{AUDIT} --require 'alpha > 1/1000000' --require 'gap <= 5%' --for abs",
    "strict": "audit geometric:n=1000000 --alpha 1/2 --claims-epsilon 1/2 --require 'delta <= 0'",
    "beside": "audit geometric:n=1000000 --alpha 1/2 --require 'epsilon < ln(2)' --require 'delta <= 1/10'",
}

REQUIRED = {
    "kept": [("holds", "level", "–"), ("holds", "level", "0")],
    "missed": [("fails", "level", "14"), ("undecided", "", "–")],
    "strict": [("fails", "level", "–")],
    "beside": [("undecided", "", "–"), ("holds", "level", "0")],
}
"""Of each requirement on page one the status, the part that shows it, and the number."""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A bundle of each question, and the programs beside the checker, as a release has them."""
    place = tmp_path_factory.mktemp("laws")
    before, epoch = Path.cwd(), os.environ.get("SOURCE_DATE_EPOCH")
    os.chdir(place)
    os.environ["SOURCE_DATE_EPOCH"] = "1700000000"
    try:
        for name, question in BUNDLES.items():
            done = run(f"{question} --bundle {name}")
            assert done.code in (0, 1, 4), done.err
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


def alone(bundle):
    """What the program says without the package, and without what is installed: the code, and the lines."""
    command = [sys.executable, "-I", "-S", "release/check_bundle.py", str(bundle)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout + done.stderr


def remade(bundle, change=lambda predicate: None):
    """Write the manifest again, as somebody would who knows how digests are made."""
    path = bundle / MANIFEST
    body = json.loads(path.read_text())
    for part in body["predicate"]["parts"]:
        if (bundle / part["name"]).exists():
            part["digest"]["sha256"] = bundle_files.sha256((bundle / part["name"]).read_bytes())
    change(body["predicate"])
    digest = body["predicate"]["table"]["digest"].removeprefix("sha256:")
    body["subject"] = [{"name": body["predicate"]["table"]["name"], "digest": {"sha256": digest}}]
    body["predicate"]["digest"] = bundle_files.own_digest(body)
    path.write_bytes(bundle_files.written(body))


def wrong_with(bundle):
    """The faults of a bundle, by file."""
    return [f"{fault['name']}: {fault['sentence']}" for fault in check_bundle.answer(str(bundle))["faults"]]


def edit(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


# --- The command ---


def test_a_claim_is_decided_by_the_law():
    done = run(AUDIT.partition(" --unit")[0])
    assert done.code == 0
    assert done.out.startswith("PROVED  smallest ε = 14, so the claim (ε = 14)-private is true")
    assert "judged is its law; its table is too large, and was neither built nor judged" in done.out
    done = run(BUNDLES["fails"])
    assert done.code == 1
    assert done.out.startswith("REFUTED  smallest ε = ln(1215826) ≈ 14.01093, so the claim (ε = 14)-private is false")


def test_a_delta_is_not_judged_and_no_error():
    done = run("audit unary-encoding:bits=1024,epsilon=4 --claims-epsilon 3 --claims-delta 0.1")
    assert (done.code, done.err) == (4, "")
    assert "UNDECIDED  smallest ε = 4; not judged at this size: the claim (ε = 3, δ = 1/10)-private" in done.out
    assert run("audit unary-encoding:bits=1024,epsilon=4 --claims-epsilon 4 --claims-delta 0.1").code == 0


@pytest.mark.parametrize("asked", ["--for abs", "--delta 1/10", "--compare geometric:n=2,alpha=1/2", "--for 'abs prior=uniform'"])
def test_what_is_not_judged_is_one_sentence(asked):
    done = run(f"audit {WORD} {asked} --json")
    body = json.loads(done.out)
    assert (done.code, body["verdict"], len(body["not_judged"])) == (0, "no claim", 1)
    assert body["claim"].count("not judged at this size") == 1


def test_options_without_an_effect_are_refused():
    for words, said in {"--since x": "changes are told cell by cell", "--alpha 1/2": "has no letter for a level"}.items():
        done = run(f"{AUDIT.partition(' --unit')[0]} {words}")
        assert (done.code, said in done.err) == (2, True), done.err


def test_json_and_records_say_that_it_was_a_law(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run(f"audit {WORD} --claims-epsilon 13 --json --junit a.xml --sarif a.sarif --register r.jsonl")
    body = json.loads(done.out)
    assert (done.code, body["by_law"], body["quality"], body["claim_holds"]) == (1, WORD, "law", False)
    assert [one["part"] for one in body["checker"]] == ["level"]
    assert "a mechanism on" not in (tmp_path / "a.xml").read_text() + (tmp_path / "a.sarif").read_text()
    assert json.loads((tmp_path / "r.jsonl").read_text())["entry"]["neighbours"] == "any two inputs"


def test_of_several_words_a_line_each(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # a batch starts processes
    done = run(f"audit {WORD} randomized-response:n=3,epsilon=14 --claims-epsilon 14 --workers 1")
    assert done.code == 0
    assert [line.split()[0] for line in done.out.splitlines()[:2]] == ["PROVED", "PROVED"]


def test_a_certificate_and_a_folder_of_certificates_are_about_the_law(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run(f"audit {WORD} --claims-epsilon 13 -o c.json --certificates folder --repaired x.csv --html a.html")
    assert "the certificate says its tightest level: ε = 14" in done.out
    assert "x.csv was not written: there is no table to repair" in done.out
    assert "no table of it was built or judged" in (tmp_path / "a.html").read_text()
    assert run("verify c.json").code == 0
    assert run("verify folder").code == 0
    run("audit randomized-response:k=2926,epsilon=14 -o folder/level.edp.json")
    assert run("verify folder").code == 1


def test_page_one_alone_says_that_a_law_was_judged(tmp_path):
    for end in ("html", "md", "tex"):
        file = tmp_path / f"page.{end}"
        assert run(f"{AUDIT} --page {file}").code == 0
        text = file.read_text(encoding="utf-8")
        assert "Judged is its law, the rule by which an answer is drawn, and no table" in text
        assert "one click" in text
        assert "2924*t" in re.sub(r"<[^>]*>", "", text).replace("\\allowbreak{}", "").replace("\\", "")  # the appendix has the numbers
        assert file.stat().st_size < 200_000


# --- Bundles ---


@pytest.mark.parametrize("name", BUNDLES)
def test_a_bundle_is_small_and_accepted_by_both(place, name):
    assert run(["verify", name]).code == 0
    code, said = alone(name)
    assert code == 0, said
    assert "was not compared with" in said
    assert "about the law of the bundle" in said
    files = {str(path.relative_to(name)): path.stat().st_size for path in Path(name).rglob("*") if path.is_file()}
    assert TABLES not in files
    own = sum(size for file, size in files.items() if not file.startswith("checker/") and file not in PROGRAMS)
    assert own < 100_000


def test_other_words_are_found_by_whoever_makes_laws(place):
    """The program alone says that it has not compared them."""
    for file in ("true/law.json", "true/page.md", "true/page.html", "true/answer.json", *(f"true/{name}" for name in NAMES.values())):
        edit(place / file, "epsilon=14", "epsilon=13")

    def change(predicate):
        told = json.loads(json.dumps(predicate).replace("epsilon=14", "epsilon=13"))
        predicate.update(told)

    remade(place / "true", change)
    code, _ = alone("true")
    done = run("verify true")
    assert "epsilon=13 is another law than that of law.json" in done.out or code == 1
    assert done.code == 1


def test_another_law_is_found(place):
    shutil.copy("other/law.json", "true/law.json")
    remade(place / "true")
    found = wrong_with("true")
    assert any("certificates/level.edp.json: it is about another law" in fault for fault in found), found
    assert any("law.json: its digest is" in fault for fault in found)
    assert any("law.json: its words are not those" in fault for fault in found)


def test_another_certificate_is_found(place):
    shutil.copy("other/certificates/level.edp.json", "true/certificates/level.edp.json")
    told = json.loads((place / "other" / MANIFEST).read_text())["predicate"]["certificates"]
    remade(place / "true", lambda predicate: predicate.update(certificates=told))
    assert any("it is about another law than that of law.json" in fault for fault in wrong_with("true"))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda p: p["verdicts"][0].update(verdict="undecided"), "its certificate shows: proved"),
        (lambda p: p["verdicts"][0].update(verdict="refuted"), "its certificate shows: proved"),
        (lambda p: p["claimed"].update(epsilon="13"), "its certificate shows: refuted"),
        (lambda p: p["claimed"].update(delta="1/2"), "its claim is not written as its numbers are"),
        (lambda p: p["claimed"].update(neighbours="path:2925"), "its claim is about other neighbours"),
        (lambda p: p["claimed"].update(quality="exact"), "not about a law"),
        (lambda p: p["assumptions"].__setitem__(0, "neighbours: path:2925"), "its neighbours are not those"),
        (lambda p: p["questions"].append("how far from optimal it is for me"), "it does not say of each other question"),
        (lambda p: p.update(claimed=None), "its certificate shows: no claim"),
        (lambda p: p["table"].update(digest="sha256:" + 64 * "0"), "its digest is"),
        (lambda p: p["reading"].update(table="randomized-response:k=2925,epsilon=13"), "its words are not those"),
        (lambda p: p["without"].update(privacy="too large"), "it lists another certificate"),
        (lambda p: p["parts"].append({"name": "table.json", "role": "table", "digest": {"sha256": 64 * "0"}}), "or several tables or laws"),
    ],
)
def test_a_manifest_that_says_something_else_is_found(place, change, said):
    remade(place / "true", change)
    found = wrong_with("true")
    assert found
    assert any(said in fault for fault in found), found


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("counts", "path:1000001", "path:1000002"),
        ("path", "path:10000", "any two inputs"),
    ],
)
def test_neighbours_of_counts_are_compared(place, name, old, new):
    remade(place / name, lambda p: p["assumptions"].__setitem__(0, p["assumptions"][0].replace(old, new)))
    assert any("its neighbours are not those of law.json" in fault for fault in wrong_with(name))


@pytest.mark.parametrize(
    "told",
    [
        b"[]",
        b"{}",
        b'{"format": "exactdp-law", "version": 1, "word": "x", "law": {"kind": "delta"}}',
        b'{"format": "exactdp-law", "version": 1, "word": "x", "law": {"kind": "response-level", "size": true, "keep": "1/2"}}',
        b'{"format": "exactdp-law", "version": 2, "word": "x", "law": {"kind": "response-level", "size": 3, "keep": "1/2"}}',
        b'{"format": "exactdp-law", "version": 1, "word": 3, "law": {"kind": "response-level", "size": 3, "keep": "1/2"}}',
        b'{"format": "exactdp-law", "version": 1, "word": "x", "law": {"kind": "response-level", "size": 3, "keep": "half"}}',
        b'{"format": "exactdp-law", "version": 1, "word": "x", "law": {"kind": "response-level", "size": 3, "keep": "1/2", "more": 1}}',
    ],
)
def test_a_file_that_is_no_law_is_found(place, told):
    (place / "true" / LAW).write_bytes(told)
    remade(place / "true")
    assert any(fault.startswith("law.json: it has no law") for fault in wrong_with("true"))


def test_a_law_that_is_missing_is_found(place):
    (place / "true" / LAW).unlink()
    assert any("law.json: missing" in fault for fault in wrong_with("true"))
    assert run("verify true").code == 1


def test_a_table_in_place_of_a_law_is_found(place):
    """A bundle of a table whose certificate is that of a law has no certificate of an audit."""
    (place / "true" / LAW).unlink()
    table = {"name": "as read", "inputs": ["0", "1"], "outputs": ["0", "1"], "entries": [["1/2", "1/2"], ["1/2", "1/2"]]}
    (place / "true" / TABLES).write_text(json.dumps({"format": "exactdp-tables", "version": 1, "tables": [table]}))

    def change(predicate):
        for part in predicate["parts"]:
            if part["role"] == "law":
                part.update(name=TABLES, role="table")
                part["digest"]["sha256"] = bundle_files.sha256((place / "true" / TABLES).read_bytes())

    remade(place / "true", change)
    assert any("it names no table" in fault for fault in wrong_with("true"))


def test_lines_about_a_table_are_no_lines_about_a_law(place):
    body = json.loads((place / "true" / "page_one.json").read_text())
    line = {"says": "numbers-exact", "values": {}, "of": "", "shown": True}
    body["sections"][0]["lines"].append(line)
    (place / "true" / "page_one.json").write_text(json.dumps(body, indent=1) + "\n")
    remade(place / "true")
    assert any("it is no line about a law" in fault for fault in wrong_with("true"))


def test_a_page_that_hides_that_a_law_was_judged_is_found(place):
    page = page_of(json.loads((place / "true" / "page_one.json").read_text()))
    for hidden in ("law", "law-word", "law-file", "law-response", "law-any", "own", "claimed", "scope", "sign"):
        sections = tuple((title, tuple(line for line in lines if line.says != hidden)) for title, lines in page.sections)
        for kind, name in NAMES.items():
            (place / "true" / name).write_bytes(WRITTEN[kind](Page(page.title, sections)).encode())
        remade(place / "true")
        assert any(fault.startswith("page_one.json") for fault in wrong_with("true")), hidden


def required_of(bundle):
    """The lines of page one about what is required."""
    body = json.loads((bundle / "page_one.json").read_text())
    return body, [line for section in body["sections"] for line in section["lines"] if line["says"] == "required"]


def written_again(bundle, body, change=lambda predicate: None):
    """Page one in all its formats, and the manifest."""
    page = page_of(body)
    for kind, name in NAMES.items():
        (bundle / name).write_bytes(WRITTEN[kind](page).encode())
    remade(bundle, change)


@pytest.mark.parametrize("name", REQUIRED)
def test_what_is_required_of_a_law_is_decided_by_its_level(place, name):
    """ε of the word is 14 and δ is 0; ε of counts is ln(2); nothing is known of gaps, or beside a δ."""
    _, lines = required_of(place / name)
    assert [(line["values"]["status"], line["of"], line["values"]["figure"]) for line in lines] == REQUIRED[name]
    told = json.loads((place / name / MANIFEST).read_text())["predicate"]["requirements"]
    assert [(one["status"], one["part"]) for one in told] == [(status, part) for status, part, _ in REQUIRED[name]]


@pytest.mark.parametrize("name", REQUIRED)
@pytest.mark.parametrize("key", ["status", "about", "figure", "of", "bound"])
def test_no_other_decision_of_a_requirement_of_a_law_is_believed(place, name, key):
    """Told on page one and in the manifest alike."""
    other = {"holds": "fails", "fails": "holds", "undecided": "holds"}
    _, lines = required_of(place / name)
    for k in range(len(lines)):
        body, edited = required_of(place / name)
        values = edited[k]["values"]
        if key == "of":
            edited[k]["of"] = "" if edited[k]["of"] else "level"
        elif key == "bound":
            values["text"] = re.sub("> .*", "> 1", re.sub("< .*|<= .*", "<= 1/1000000000", values["text"]))
            values["status"] = other[values["status"]]
        else:
            values[key] = other[values[key]] if key == "status" else "13"

        def change(predicate, k=k, line=edited[k]):
            predicate["requirements"][k] = {"text": line["values"]["text"], "status": line["values"]["status"], "part": line["of"]}

        shutil.rmtree(place / "edited", ignore_errors=True)
        shutil.copytree(place / name, place / "edited")
        told = json.loads((place / name / MANIFEST).read_text())["predicate"]
        change(told)
        heads_again(body, told["requirements"])
        written_again(place / "edited", body, change)
        assert any(fault.startswith("page_one.json") for fault in wrong_with("edited")), values


def test_requirements_of_a_law_are_those_of_the_manifest(place):
    body, _ = required_of(place / "kept")
    for section in body["sections"]:
        section["lines"] = [line for line in section["lines"] if line["says"] != "required"]
    written_again(place / "kept", body)
    assert any("its requirements are not those of the manifest" in fault for fault in wrong_with("kept"))


def test_a_line_about_a_law_is_none_about_a_table(place):
    (place / "t.csv").write_text("2/3,1/3\n1/3,2/3\n")
    assert run("audit t.csv --graph path --claims-epsilon 1 --bundle table").code == 0
    body = json.loads((place / "table" / "page_one.json").read_text())
    for says in ("law", "law-any", "law-delta", "law-other-same"):
        edited = json.loads(json.dumps(body))
        edited["sections"][0]["lines"].append({"says": says, "values": {}, "of": "", "shown": True})
        page, predicate = page_of(edited), json.loads((place / "table" / MANIFEST).read_text())["predicate"]
        files = {part["name"]: (place / "table" / part["name"]).read_bytes() for part in predicate["parts"]}
        files |= {name: WRITTEN[kind](page).encode() for kind, name in NAMES.items()}
        assert any("a line about a law" in fault for _, fault in faults_of_page_one(files, predicate)[0]), says


def test_every_random_edit_is_found(place):
    """One byte of one file, anywhere."""
    chance = random.Random(7)
    files = sorted(path for path in (place / "true").rglob("*") if path.is_file())
    for _ in range(60):
        file = chance.choice(files)
        content = file.read_bytes()
        at = chance.randrange(len(content))
        file.write_bytes(content[:at] + bytes([content[at] ^ (1 << chance.randrange(8))]) + content[at + 1 :])
        assert check_bundle.answer("true")["exit_code"] != 0, file
        file.write_bytes(content)
    assert check_bundle.answer("true")["exit_code"] == 0


def test_the_same_command_writes_the_same_bytes(place):
    assert run(f"{AUDIT} --bundle again").code == 0
    for path in sorted((place / "true").rglob("*.json")):
        again = place / "again" / path.relative_to(place / "true")
        assert again.read_text().replace("again", "true") == path.read_text() or path.name == MANIFEST


def test_a_size_that_certificates_do_not_have_gets_no_bundle(place):
    done = run("audit randomized-response:n=9999999999,epsilon=1 --bundle large")
    assert (done.code != 0, "certificates have sizes up to 999,999,999" in done.err) == (True, True)
    assert not (place / "large").exists()


def test_a_law_is_compared_with_no_earlier_bundle(place):
    (place / "t.csv").write_text("2/3,1/3\n1/3,2/3\n")
    done = run("audit t.csv --graph path --since true")
    assert "it is of a law, and has no table" in done.err


@pytest.mark.parametrize("level", ["--epsilon 0.5", "--alpha 1/2"])
def test_a_loss_that_the_law_tells_is_asked_by_the_command_that_is_named(level):
    told = run(f"audit geometric:n=1000000 {level} --for abs --for 'squared prior=uniform' --for distance").out
    commands = [line.partition(" is told by exactdp ")[2] for line in told.splitlines() if " is told by " in line]
    asked = f"optimal geometric:n=1000000 {level} --loss"
    assert commands == [f"{asked} abs", f"{asked} squared --prior uniform"]
    for command in commands:
        assert run(command).out.startswith("UNDECIDED  loss ≈ ")
    assert " is told by " not in run("audit randomized-response:k=20000 --epsilon 1 --for zero-one").out
