"""Policies, files for continuous integration, batches and registers on the command line."""

from __future__ import annotations

import copy
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from hashlib import sha256
from pathlib import Path
from xml.etree import ElementTree

import pytest
from cli_runner import run
from forged_bundle import heads_again
from places import ROOT

from exactdp.certificate import check_bundle
from exactdp.certificate.bundle_files import MANIFEST, files_of
from exactdp.certificate.compare_page_one import faults_of_page_one
from exactdp.certificate.page_one import NAMES, page_of
from exactdp.certificate.page_one_formats import WRITTEN

FILES = {
    "good.csv": "2/3,1/3\n1/3,2/3\n",
    "weak.csv": "1/2,1/2\n1/8,7/8\n",
    "wrong.csv": "1/2,1/2\n1/8,6/8\n",
    "bad.csv": "x\n",
    "policy.toml": 'version = 1\nneighbours = "path"\nrequire = ["epsilon <= 1", "gap <= 5%"]\n[[consumers]]\nloss = "zero-one"\n',
}
ONE = "--graph path --require 'epsilon <= 1'"


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # a batch starts processes
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "code", "line"),
    [
        ("--require 'epsilon <= ln(2)'", 0, "holds: epsilon <= ln(2)"),
        ("--require 'epsilon < ln(2)'", 1, "fails: epsilon < ln(2)"),
        ("--require 'epsilon <= 1' --require 'delta <= 1e-6'", 0, "holds: delta <= 1e-6"),
        ("--require 'gap <= 5%' --for zero-one", 0, "holds: gap <= 5%"),
        ("--require 'epsilon < 1/2' --claims-epsilon 1", 1, "fails: epsilon < 1/2"),
    ],
)
def test_the_exit_code_is_that_of_what_is_required_and_its_line_is_told(words, code, line):
    done = run(f"audit good.csv --graph path {words}")
    assert done.code == code
    assert line in done.out
    assert done.out.startswith("PROVED" if code == 0 else "REFUTED  required: ")


def test_what_is_not_decided_has_its_own_exit_code_and_line(place):
    (place / "three.csv").write_text("1/2,1/4,1/4\n1/4,1/4,1/2\n")
    done = run("audit three.csv --graph path --for abs --require 'gap <= 5%'")
    assert done.code == 4
    assert done.out.startswith("UNDECIDED  required: gap <= 5% is not decided")
    assert "undecided: gap <= 5%" in done.out
    fails = run("audit three.csv --graph path --for abs --require 'gap <= 5%' --require 'epsilon < 1/2'")
    assert fails.code == 1


def test_a_policy_is_judged_with_its_consumers_and_neighbours():
    done = run("audit good.csv --policy policy.toml --json")
    assert done.code == 0
    body = json.loads(done.out)
    assert body["neighbours"]["name"] == "path:2"
    assert [one["status"] for one in body["requirements"]] == ["holds", "holds"]
    assert run("audit weak.csv --policy policy.toml").code == 1
    other = run("audit good.csv --policy policy.toml --local")
    assert other.code == 2
    assert "give one of them" in other.err


@pytest.mark.parametrize("text", ["version = 2", "version = 1\nunknown = 1", 'version = 1\nrequire = ["gap <= 5%"]', "nonsense"])
def test_a_bad_policy_gets_one_sentence(place, text):
    (place / "policy.toml").write_text(text)
    done = run("audit good.csv --graph path --policy policy.toml")
    assert done.code == 3
    assert len(done.err.strip().splitlines()) == 1
    assert "policy.toml" in done.err


def test_a_bundle_says_what_is_required_and_is_accepted(place):
    assert run("audit good.csv --graph path --claims-epsilon 1 --require 'epsilon < 1/2' --bundle made").code == 1
    assert "required: epsilon < 1/2 fails" in (place / "made" / "page.md").read_text()
    assert run("verify made").code == 0


def test_page_one_says_what_is_required_beside_the_claim(place):
    done = run("audit good.csv --graph path --claims-epsilon 1 --require 'epsilon < 1/2' --page p.md")
    assert done.code == 1
    text = (place / "p.md").read_text()
    assert "The claim holds" in text
    assert "| epsilon < 1/2 | smallest ε beside δ = 0 | fails |" in text
    assert run("audit good.csv weak.csv --graph path --page p.md").code == 2


MORE_FILES = {
    "printed.csv": "0.7,0.3\n0.3,0.7\n",
    "rounded.csv": "0.6667,0.3333\n0.3333,0.6666\n",
    "three.csv": "1/2,1/4,1/4\n1/4,1/2,1/4\n1/4,1/4,1/2\n",
}
REQUIRED = {
    "epsilon": "good.csv --graph path --claims-epsilon 1 --require 'epsilon <= 1' --require 'delta <= 0.01'",
    "alpha": "good.csv --graph path --require 'alpha >= 1/2'",
    "delta": "good.csv --graph path --claims-epsilon 1/10 --require 'delta < 1e-3'",
    "gap": "good.csv --graph path --claims-epsilon 1 --for zero-one --require 'gap <= 5%' --require 'gap after remap < 1/10'",
    "rounded": "rounded.csv --graph path --rounding 1/100 --require 'epsilon <= ln(2)'",
    "complete": "three.csv --local --claims-epsilon 1 --for zero-one --require 'alpha > 1/2' --require 'gap <= 5%'",
    "wrong": "wrong.csv --graph path --claims-epsilon 1 --require 'epsilon <= 1'",
    "ends": "printed.csv --graph path --digits 1 --require 'epsilon <= 1'",
    "all": "printed.csv --graph path --digits 1 --claims-epsilon 1 --require 'epsilon <= ln(3)'",
    "none": "printed.csv --graph path --digits 1 --claims-epsilon 1 --require 'alpha > 7/13'",
    "ends-of-delta": "printed.csv --graph path --digits 1 --require 'epsilon <= 1/2' --require 'delta <= 1/2'",
    "no-delta": "printed.csv --graph path --digits 1 --require 'epsilon < 1/10' --require 'delta <= 1/10'",
}


@pytest.fixture(scope="module")
def bundles(tmp_path_factory):
    """A bundle of each, as files."""
    folder = tmp_path_factory.mktemp("required")
    for name, text in {**FILES, **MORE_FILES}.items():
        (folder / name).write_text(text)
    before = Path.cwd()
    os.chdir(folder)
    try:
        for name, words in REQUIRED.items():
            run(f"audit {words} --bundle {name}.zip")
        return {name: files_of(f"{name}.zip")[0] for name in REQUIRED}, folder
    finally:
        os.chdir(before)


def edited(files, change):
    """What is wrong with a bundle whose requirements are changed, on page one and in the manifest alike."""
    body, statement = (json.loads(files[name]) for name in (NAMES["json"], MANIFEST))
    lines = [line for section in body["sections"] for line in section["lines"] if line["says"] == "required"]
    for line, one in zip(lines, statement["predicate"]["requirements"], strict=True):
        change(line)
        one |= {"text": line["values"]["text"], "status": line["values"]["status"], "part": line["of"]}
    heads_again(body, statement["predicate"]["requirements"])
    page = page_of(body)
    return faults_of_page_one(files | {name: WRITTEN[kind](page).encode() for kind, name in NAMES.items()}, statement["predicate"])[0]


@pytest.mark.parametrize("name", REQUIRED)
def test_each_requirement_of_page_one_is_what_its_certificate_says(bundles, name):
    files, folder = bundles
    answer = check_bundle.answer(str(folder / f"{name}.zip"))
    assert answer["status"] == "accepted", answer["faults"]
    assert not any("line of page one" in note for note in answer["notes"])
    assert edited(files[name], lambda line: None) == []


@pytest.mark.parametrize("key", ["status", "about", "figure"])
@pytest.mark.parametrize("name", REQUIRED)
def test_no_other_decision_of_a_requirement_is_believed(bundles, name, key):
    files, _ = bundles
    other = {
        "status": {"holds": "fails", "fails": "holds", "undecided": "holds"},
        "about": {},
        "figure": {"–": "1/3"},
    }[key]

    def change(line):
        line["values"][key] = other.get(line["values"][key], f"1{line['values'][key]}")

    wrong = [sentence for file, sentence in edited(files[name], change) if file == NAMES["json"]]
    assert wrong


def test_the_certificate_of_another_table_or_kind_shows_nothing(bundles):
    """That of the table as it stands has another level than the one that is judged."""
    files = bundles[0]["rounded"]
    parts = [one["part"] for one in json.loads(files[MANIFEST])["predicate"]["certificates"]]
    assert "level-as-it-stands" in parts
    for name in ("rounded", "complete", "gap"):
        for other in [one["part"] for one in json.loads(bundles[0][name][MANIFEST])["predicate"]["certificates"]]:
            lines = []

            def change(line, other=other, lines=lines):
                lines.append(line["of"])
                line["of"] = other

            wrong = edited(bundles[0][name], change)
            assert wrong or set(lines) == {other}, (name, other)


def test_what_a_certificate_decides_is_not_told_as_undecided(bundles):
    def change(line):
        line["values"] |= {"status": "undecided", "figure": "–"}
        line["of"] = ""

    for name in ("alpha", "gap", "ends", "all"):
        assert edited(bundles[0][name], change), name


def test_what_is_required_is_on_page_one_and_in_the_manifest_alike(bundles):
    files = bundles[0]["gap"]
    statement = json.loads(files[MANIFEST])
    for change in (list.pop, list.reverse, lambda listed: listed[0].update(status="undecided")):
        predicate = copy.deepcopy(statement["predicate"])
        change(predicate["requirements"])
        assert "its requirements are not those of the manifest, in their order" in [w for _, w in faults_of_page_one(files, predicate)[0]]
    del statement["predicate"]["requirements"]
    assert faults_of_page_one(files, statement["predicate"])[0]


# --- JUnit and SARIF ---


def outcome_files(words):
    code = run(f"audit {words} --junit j.xml --sarif s.json").code
    with open("s.json") as stream:
        return code, ElementTree.parse("j.xml").getroot(), json.load(stream)


def test_junit_counts_what_fails_and_what_is_not_decided():
    code, root, _ = outcome_files(f"good.csv weak.csv wrong.csv bad.csv {ONE}")
    assert code == 3
    assert root.tag == "testsuites"
    suites = {suite.get("name"): suite for suite in root}
    assert list(suites) == ["good.csv", "weak.csv", "wrong.csv", "bad.csv"]
    for suite in [*suites.values(), root]:
        cases = list(suite.iter("testcase"))
        assert int(suite.get("tests")) == len(cases)
        assert int(suite.get("failures")) == len(list(suite.iter("failure")))
        assert int(suite.get("errors")) == len(list(suite.iter("error")))
        assert all(case.get("name") and case.get("classname") for case in cases)
    assert [suites[name].get("failures") for name in suites] == ["0", "1", "2", "0"]
    assert suites["bad.csv"].get("errors") == "1"
    assert suites["good.csv"].find("properties/property").get("value") == sha256(FILES["good.csv"].encode()).hexdigest()


def test_junit_of_what_is_undecided_is_an_error_never_a_pass():
    with open("three.csv", "w") as stream:
        stream.write("1/2,1/4,1/4\n1/4,1/4,1/2\n")
    code, root, body = outcome_files("three.csv --graph path --for abs --require 'gap <= 5%'")
    assert code == 4
    assert len(list(root.iter("error"))) == 1
    (run_,) = body["runs"]
    assert [one["kind"] for one in run_["results"]] == ["pass", "open"]
    assert run_["invocations"][0]["executionSuccessful"] is False
    assert "gap <= 5%" in run_["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]


def test_junit_has_no_character_that_xml_has_not(place):
    from exactdp.report.junit import junit
    from exactdp.report.record import Record

    text = junit([Record.of('a\x00\x1b\ud800<&>".csv', {"claim": None, "error": "\x07\uffff]]>"}, 2)])
    assert ElementTree.fromstring(text.encode("utf-8")).get("errors") == "1"


def test_sarif_has_what_its_schema_requires():
    """The required properties, and the values that are enumerated, of sarif-schema-2.1.0."""
    _, _, body = outcome_files(f"good.csv weak.csv bad.csv geometric:n=1,alpha=1/2 {ONE}")
    assert body["version"] == "2.1.0"
    assert body["$schema"].endswith("sarif-schema-2.1.0.json")
    (made,) = body["runs"]
    driver = made["tool"]["driver"]
    assert driver["name"] == "exactdp"
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(set(ids)) == len(ids)
    for result in made["results"]:
        assert result["message"]["text"]
        assert result["kind"] in {"notApplicable", "pass", "fail", "review", "open", "informational"}
        assert result["level"] in {"none", "note", "warning", "error"}
        assert (result["kind"] == "fail") == (result["level"] != "none")  # §3.27.10
        assert ids[result["ruleIndex"]] == result["ruleId"]
        (where,) = result["locations"]
        if "physicalLocation" in where:
            assert re.fullmatch(r"[A-Za-z0-9._~/%-]+", where["physicalLocation"]["artifactLocation"]["uri"])
            assert where["physicalLocation"]["region"]["startLine"] >= 1
        else:
            assert where["logicalLocations"][0]["name"] == "geometric:n=1,alpha=1/2"
        assert all(isinstance(x, str) for x in result["partialFingerprints"].values())
    prints = [result["partialFingerprints"]["exactdp/v1"] for result in made["results"]]
    assert len(set(prints)) == len(prints)
    assert made["invocations"][0]["executionSuccessful"] is False  # bad.csv
    assert all(re.fullmatch("[0-9a-f]{64}", one["hashes"]["sha-256"]) for one in made["artifacts"])
    failing = {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in made["results"] if r["kind"] == "fail"}
    assert failing == {"weak.csv", "bad.csv"}


# --- Batches ---


def test_a_batch_prints_a_line_a_table_and_its_exit_code_is_the_worst():
    done = run(f"audit good.csv weak.csv {ONE}")
    assert done.code == 1
    lines = done.out.splitlines()
    assert sorted(line.split(":")[0] for line in lines[:2]) == ["PROVED     good.csv", "REFUTED    weak.csv"]
    assert lines[2] == "2 tables: 1 proved, 1 refuted" or lines[2] == "2 tables: 1 refuted, 1 proved"
    assert run("audit good.csv good.csv weak.csv --graph path --workers 1").code == 0


def test_a_batch_says_of_a_table_what_is_said_of_it_alone():
    alone = json.loads(run(f"audit weak.csv {ONE} --claims-epsilon 1 --json").out)
    body = json.loads(run(f"audit good.csv weak.csv {ONE} --claims-epsilon 1 --json").out)
    (found,) = [one for one in body["tables"] if one["table"] == "weak.csv"]
    for key in ("verdict", "claim", "requirements", "level", "delta"):
        assert found[key] == alone[key]
    assert found["files"] == [{"name": "weak.csv", "what": "the mechanism", "sha256": sha256(FILES["weak.csv"].encode()).hexdigest()}]


def test_every_option_reaches_each_table(place):
    """Flags, flags that are turned off, options that are given twice, and limits."""
    (place / "decimal.csv").write_text("0.1,0.9\n0.5,0.5\n")
    (place / "other.csv").write_text("0.2,0.8\n0.5,0.5\n")
    words = "--local --dyadic --no-header --budget 2 --time-limit 300 --rounding=0 --require 'epsilon <= 9' --require 'alpha>=0.1'"
    refused = json.loads(run(f"audit decimal.csv other.csv {words} --json").out)
    assert {one["exit_code"] for one in refused["tables"]} == {3}  # both bounds are of one quantity
    words = words.replace("alpha>=0.1", "delta <= 1e-3")
    both = json.loads(run(f"audit decimal.csv other.csv {words} --json").out)
    for one in both["tables"]:
        alone = json.loads(run(f"audit {one['table']} {words} --json").out)
        assert (one["claim"], one["requirements"], one["notes"]) == (alone["claim"], alone["requirements"], alone["notes"])
        assert "wrong" in one["claim"]  # as doubles the rows do not sum to 1


def test_options_about_one_table_are_refused_in_a_batch():
    for option in ("--bundle b", "--html p.html", "-o c.json", "--repaired r.csv", "--certificates d", "--compare good.csv"):
        done = run(f"audit good.csv weak.csv --graph path {option}")
        assert done.code == 2
        assert "about one table" in done.err
    for option in ("--delta 1/10", "--full", "--decimals"):
        assert run(f"audit good.csv weak.csv --graph path {option}").code == 2
    assert "require a gap" in run("audit good.csv weak.csv --graph path --for zero-one").err
    assert run("audit good.csv - --graph path").code == 2
    assert run("audit good.csv --graph path --workers 2").code == 2


def _size(path):
    return path.stat().st_size if path.exists() else 0


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_leaves_a_register_that_is_verified(place):
    for k in range(60):
        (place / f"t{k}.csv").write_text(f"{k + 1}/200,{199 - k}/200\n1/2,1/2\n")
    words = [sys.executable, "-m", "exactdp", "audit", *(f"t{k}.csv" for k in range(60)), "--graph", "path"]
    words += ["--junit", "j.xml", "--register", "r.jsonl", "--workers", "1", "--for", "zero-one"]  # which the register tells
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 120
    while time.monotonic() < end and not _size(place / "r.jsonl") and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=120)
    assert process.returncode in (130, 0)  # 0 where all were done before
    done = run("register verify r.jsonl --json")
    assert done.code == 0
    entries = json.loads(done.out)["entries"]
    assert 1 <= entries <= 60
    root = ElementTree.parse("j.xml").getroot()
    assert len(root) == 60  # what was not audited is there, as an error
    assert abs(int(root.get("errors")) - (60 - entries)) <= 1  # stopped between the register and the list


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_batch_that_was_interrupted_goes_on_where_it_stopped(place):
    tables = [f"t{k}.csv" for k in range(30)]
    for k, name in enumerate(tables):
        (place / name).write_text(f"{k + 1}/200,{199 - k}/200\n1/2,1/2\n")
    words = ["audit", *tables, "--graph", "path", "--require", "epsilon <= 2", "--register", "r.jsonl", "--workers", "1"]
    process = subprocess.Popen([sys.executable, "-m", "exactdp", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 120
    while time.monotonic() < end and not _size(place / "r.jsonl") and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    process.wait(timeout=120)
    before = (place / "r.jsonl").read_bytes()
    done = run([*words, "--resume", "--junit", "j.xml"])
    after = (place / "r.jsonl").read_bytes()
    assert after.startswith(before)
    entries = [json.loads(line)["entry"] for line in after.splitlines()]
    assert sorted(entry["table"] for entry in entries) == sorted(tables)  # each once
    assert f"{len(before.splitlines())} of 30 tables were in r.jsonl before" in done.out
    assert len(ElementTree.parse("j.xml").getroot()) == 30  # all of them are told
    assert done.out.count(".csv: ") == 30
    assert done.code == max(entry["exit_code"] for entry in entries)
    again = run([*words, "--resume"])
    assert (again.code, (place / "r.jsonl").read_bytes()) == (done.code, after)
    assert run("register verify r.jsonl").code == 0


def test_what_is_another_question_is_audited_though_the_register_has_the_table(place):
    def entries(words):
        assert run(f"audit good.csv weak.csv --register r.jsonl --resume {words}").code in (0, 1)
        return len((place / "r.jsonl").read_text().splitlines())

    assert entries(ONE) == 2
    assert entries(ONE) == 2
    assert entries(f"{ONE} --workers 1 --json") == 2  # how it is run and told is no part of the question
    assert entries("--graph path --require 'epsilon <= 2'") == 4
    (place / "good.csv").write_text("3/4,1/4\n1/4,3/4\n")
    assert entries(ONE) == 5
    (place / "r.jsonl").write_bytes((place / "r.jsonl").read_bytes()[:-30])  # as a crash leaves it
    assert entries(ONE) == 5
    assert run("register verify r.jsonl").code == 0


def test_what_can_not_be_resumed_gets_one_sentence(place):
    assert run(f"audit good.csv weak.csv {ONE} --resume").code == 2
    assert run(f"audit good.csv {ONE} --resume --register r.jsonl").code == 2
    assert run(f"audit good.csv weak.csv {ONE} --register r.jsonl").code == 1
    text = (place / "r.jsonl").read_text()
    (place / "r.jsonl").write_text(text.replace("good.csv", "mine.csv", 1))
    done = run(f"audit good.csv weak.csv {ONE} --resume --register r.jsonl")
    assert (done.code, "line 1" in done.err, len(done.err.strip().splitlines())) == (3, True, 1)


def test_a_time_limit_ends_a_batch_and_every_table_is_told():
    done = run("audit good.csv weak.csv --graph path --junit j.xml --time-limit 0")
    assert done.code == 4
    root = ElementTree.parse("j.xml").getroot()
    assert (len(root), root.get("errors")) == (2, "2")


# --- Registers ---


def test_a_register_is_added_to_and_verified(place):
    assert run(f"audit good.csv {ONE} --register r.jsonl").code == 0
    first = json.loads(run("register verify r.jsonl --json").out)
    assert run(f"audit weak.csv good.csv {ONE} --register r.jsonl").code == 1
    second = json.loads(run("register verify r.jsonl --json").out)
    assert (first["entries"], second["entries"]) == (1, 3)
    assert run(f"register verify r.jsonl --head {first['head']}").code == 0
    assert run(f"register verify r.jsonl --head sha256:{'0' * 63}1").code == 1
    entries = [json.loads(line)["entry"] for line in (place / "r.jsonl").read_text().splitlines()]
    assert entries[0]["date"] == "2023-11-14T22:13:20Z"
    assert entries[0]["command"][:3] == ["exactdp", "audit", "good.csv"]
    assert entries[0]["files"][0]["sha256"] == sha256(FILES["good.csv"].encode()).hexdigest()
    assert {entry["table"]: entry["exit_code"] for entry in entries} == {"good.csv": 0, "weak.csv": 1}


def test_a_register_that_was_edited_is_refused_and_the_line_named(place):
    for _ in range(3):
        run(f"audit good.csv {ONE} --register r.jsonl")
    text = (place / "r.jsonl").read_text()
    lines = text.splitlines(keepends=True)
    (place / "r.jsonl").write_text(lines[0] + lines[1].replace('"exit_code":0', '"exit_code":1') + lines[2])
    done = run("register verify r.jsonl")
    assert done.code == 1
    assert "line 2" in done.out
    before = (place / "r.jsonl").read_bytes()
    assert run(f"audit good.csv {ONE} --register r.jsonl").code == 3
    assert (place / "r.jsonl").read_bytes() == before
    (place / "r.jsonl").write_text(text[:-20])
    partial = json.loads(run("register verify r.jsonl --json").out)
    assert (partial["line"], partial["entries"], partial["partial"]) == (3, 2, True)
    assert "not whole" in run(f"audit good.csv {ONE} --register r.jsonl").out
    assert run("register verify r.jsonl").code == 0
    assert run("register verify nothing.jsonl").code == 3
    assert run("register verify good.csv").code == 1


# --- The Action and the hook ---


@pytest.fixture
def program(place):
    """The command as the Action has installed it."""
    path = place / "runner" / "exactdp" / "bin" / "exactdp"
    path.parent.mkdir(parents=True)
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m exactdp "$@"\n')
    path.chmod(0o755)
    return path


def step_of_action():
    """The last script of the Action, and the inputs that its environment is made from."""
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    last = text[text.rindex("    - shell: bash") :]
    inputs = dict(re.findall(r"^        ([A-Z]+): \$\{\{ inputs\.([a-z-]+) \}\}$", last, re.MULTILINE))
    script = last[last.index("      run: |\n") + len("      run: |\n") :]
    assert "${{" not in script  # inputs are variables, never part of the script
    for name in inputs.values():
        assert re.search(rf"^  {name}:$", text, re.MULTILINE)
    return textwrap.dedent(script), inputs


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash")
@pytest.mark.parametrize(
    ("tables", "code"),
    [("good.csv", 0), ("go*.csv\n", 0), ("good.csv\nweak.csv", 1), ("nothing*.csv", 2), ("$(touch found).csv", 2), ("--help", 2)],
)
def test_the_action_audits_what_its_inputs_name(place, program, tables, code):
    script, inputs = step_of_action()
    values = {"tables": tables, "policy": "policy.toml", "args": "--rounding=0\n", "sarif": "s.json", "junit": "j.xml"}
    env = {
        **os.environ,
        "RUNNER_TEMP": str(place / "runner"),
        "PYTHONPATH": str(ROOT),
        **{key: values[name] for key, name in inputs.items()},
    }
    done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", script], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    assert not (place / "found").exists()
    if code < 2:
        assert json.loads((place / "s.json").read_text())["version"] == "2.1.0"
        assert ElementTree.parse(place / "j.xml").getroot().tag == "testsuites"


def test_the_hook_audits_the_files_that_it_is_given():
    text = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    hook = dict(re.findall(r"^(?:- |  )(\w+): (.*)$", text, re.MULTILINE))
    assert hook["language"] == "python"
    assert hook["require_serial"] == "true"
    assert re.search(hook["files"], "tables/a.csv")
    program, *words = hook["entry"].split()
    assert program == "exactdp"
    assert run([*words, "--policy", "policy.toml", "good.csv"]).code == 0
    assert run([*words, "--policy", "policy.toml", "good.csv", "weak.csv"]).code == 1
