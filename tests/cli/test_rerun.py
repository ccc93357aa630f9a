# SPDX-License-Identifier: MIT
"""``exactdp verify`` of a bundle runs its command again: bytes find what no rule of a sentence does."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cli_runner import run
from forged_bundle import Forged

import exactdp as xdp
from exactdp.certificate import bundle_files
from exactdp.certificate.bundle_files import MANIFEST
from exactdp.certificate.page_one import quoted
from exactdp.cli import rerun
from exactdp.cli.rerun import differences

ROOT = Path(__file__).parents[2]

TABLE = "2/3,1/3\n1/3,2/3\n"
COUNTS = "1/2,1/4,1/4\n1/4,1/2,1/4\n1/4,1/4,1/2\n"
FILES = {
    "t.csv": TABLE,
    "c.csv": COUNTS,
    "lab.csv": ",u,v\na,2/3,1/3\nb,1/3,2/3\n",
    "edges.csv": "a,b\n",
    "off.csv": "0.66,0.33\n0.33,0.66\n",
    "object.json": '{"inputs": ["a", "b"], "outputs": ["a", "b"], "rows": [["2/3", "1/3"], ["1/3", "2/3"]]}',
    "rules/policy.toml": 'version = 1\nrequire = ["gap <= 50 %"]\n[[consumers]]\nloss = "loss.csv"\nprior = "prior.csv"\n',
    "rules/loss.csv": "0,1,2\n1,0,1\n2,1,0\n",
    "rules/prior.csv": "1/2\n1/4\n1/4\n",
    "said.toml": 'sampler = "tested by T"\n',
}
QUESTIONS = {
    "plain": "t.csv --graph path --claims-epsilon 1 --for abs",
    "fails": "t.csv --graph path --claims-epsilon 1/2 --delta 1/100 --repaired again.csv --certificates parts --html report.html",
    "object": "object.json --local --claims-epsilon 1",
    "edges": "lab.csv --labels --graph edges.csv --claims-epsilon 1",
    "policy": "c.csv --graph path --claims-epsilon 1 --policy rules/policy.toml --register register.jsonl --junit j.xml -o level.edp.json",
    "stated": "t.csv --graph path --statements said.toml --unit 'one person' --page one.html",
    "printed": "off.csv --graph path --digits 2 --claims-epsilon 1",
    "rounded": "off.csv --graph path --rounding 1/100 --claims-epsilon 1",
    "word": "geometric:n=m --letters m=3 --epsilon 1/2 --claims-epsilon 1 --for 'abs side-information=0..2'",
    "law": "randomized-response:k=5000,epsilon=1 --claims-epsilon 2 --for abs",
    "no claim": "c.csv --graph path --require 'epsilon < 1' --require 'delta <= 1/6'",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with a true bundle of each question, and nothing of what they were made from."""
    place = tmp_path_factory.mktemp("rerun")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        for name, text in FILES.items():
            Path(name).parent.mkdir(exist_ok=True)
            Path(name).write_text(text)
        for name, words in QUESTIONS.items():
            answer = run(f"audit {words} --bundle 'bundles/{name}'")
            assert answer.code in (0, 1), (name, answer)
        others = [path for path in place.iterdir() if path.name != "bundles"]
        for path in others:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    return place


def digest_of(place):
    path = Path(place)
    data = (path / MANIFEST).read_bytes() if path.is_dir() else bundle_files.files_of(str(path))[0][MANIFEST]
    return f"sha256:{bundle_files.sha256(data)}"


def forged_from(made, name):
    folder = made / "bundles" / name
    return Forged({path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()})


@pytest.mark.mostly_slow(4)
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_true_bundle_is_made_again_from_its_inputs_alone(made, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    place = str(made / "bundles" / name)
    found = rerun.run_again(place, digest_of(place))
    assert (found.faults, found.compared) == ((), True)
    assert found.notes == ("its command was run again, with its inputs, and writes the same bytes",)
    assert os.listdir(tmp_path) == []  # it writes nothing
    assert [path.name for path in made.iterdir()] == ["bundles"]


def test_verify_says_so_and_can_leave_it_out(made):
    place = made / "bundles" / "object"
    assert "its command was run again" in run(f"verify '{place}'").out
    alone = run(f"verify --no-rerun '{place}'")
    assert alone.code == 0
    assert "was not compared with it; exactdp verify runs its command again" in alone.out


def test_what_no_sentence_is_compared_with_is_found(made, tmp_path):
    forged = forged_from(made, "plain")
    body = json.loads(forged.files["answer.json"])
    body["epsilon"] = "1/100"
    forged.files["answer.json"] = (json.dumps(body, indent=2) + "\n").encode()
    assert forged.judged(tmp_path) == ("accepted", [])  # by the standalone program, which compares its first sentence
    found = run(f"verify '{tmp_path / 'forged.zip'}'")
    assert found.code == 1
    assert "answer.json: rejected: its command, run again with its inputs, writes" in found.out
    assert "nothing that it says is to be believed" in found.out


def test_characters_that_are_not_shown_are_typed_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("counts\u00a0of\tA.csv").write_text(TABLE)
    words = [
        "audit",
        "counts\u00a0of\tA.csv",
        "--graph",
        "path",
        "--claims-epsilon",
        "1",
        "--unit",
        "one\u202fperson\u00a0each",
        "--bundle",
        "b",
    ]
    assert run(words).code == 0
    found = run("verify b")
    assert found.code == 0, found.out
    assert "writes the same bytes" in found.out


def test_a_command_that_has_no_answer_decides_nothing(made, tmp_path):
    forged = forged_from(made, "plain")
    forged.told["command"] = [word if word != "abs" else "absent.csv" for word in forged.told["command"]]
    forged.judged(tmp_path)
    found = rerun.run_again(str(tmp_path / "forged.zip"), digest_of(tmp_path / "forged.zip"))
    assert [fault.status for fault in found.faults] == ["limit"]
    assert "absent.csv" in found.faults[0].sentence


def test_no_file_of_this_machine_is_read(made, tmp_path, monkeypatch):
    """A table of the working directory that is called as the bundle's own is not looked at."""
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("1,0\n0,1\n")
    place = str(made / "bundles" / "plain")
    assert rerun.run_again(place, digest_of(place)).faults == ()


def test_another_release_is_a_limit(made, tmp_path):
    """Who forges a bundle chooses the release that it names."""
    forged = forged_from(made, "plain")
    forged.told["exactdp"] = "0.0.9"
    forged.line("made")["values"]["release"] = "0.0.9"
    forged.judged(tmp_path)
    found = rerun.run_again(str(tmp_path / "forged.zip"), digest_of(tmp_path / "forged.zip"))
    assert ([fault.status for fault in found.faults], found.compared) == (["limit"], False)
    assert "made by exactdp 0.0.9" in found.faults[0].sentence


def test_a_bundle_of_python_has_no_command(tmp_path):
    verdict = xdp.audit([["2/3", "1/3"], ["1/3", "2/3"]], "path", claim=xdp.PrivacyClaim(epsilon=1))
    verdict.bundle(tmp_path / "audit.zip")
    assert "it was made in Python, so that no command could be run again" in run(f"verify '{tmp_path / 'audit.zip'}'").out


def test_a_bundle_that_changes_meanwhile_is_rejected(made):
    found = rerun.run_again(str(made / "bundles" / "plain"), f"sha256:{'0' * 64}")
    assert [fault.status for fault in found.faults] == ["rejected"]


# --- What a hostile bundle may not do ---
WRITING = "--junit j.xml --sarif s.json --register r.jsonl --html p.html --certificates parts --repaired t2.csv -o c.json --page one.md"


@pytest.mark.parametrize("words", ["", "--bundle b", "--time-limit 1e-9 --bundle b"])
def test_no_command_line_writes_a_file(made, tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cwd").mkdir()
    forged = forged_from(made, "fails")
    forged.told["command"] = ["exactdp", "audit", "t.csv", "--graph", "path", "--claims-epsilon", "1/2", *WRITING.split(), *words.split()]
    forged.judged(tmp_path)
    monkeypatch.chdir(tmp_path / "cwd")
    found = rerun.run_again(str(tmp_path / "forged.zip"), digest_of(tmp_path / "forged.zip"))
    assert found.faults
    assert os.listdir() == []


def test_a_command_line_without_a_bundle_is_refused_before(made, tmp_path):
    forged = forged_from(made, "plain")
    place = forged.told["command"].index("--bundle")
    del forged.told["command"][place : place + 2]
    forged.line("command")["values"]["command"] = quoted(forged.told["command"])
    status, said = forged.judged(tmp_path)
    assert status == "rejected"
    assert "its command line writes no bundle" in said


CONFINED = """
import os, socket, subprocess, sys
from exactdp.cli.rerun import confine
confine()
tries = {
    "open": lambda: open("new", "w"),
    "append": lambda: open("there", "a"),
    "os.open": lambda: os.open("new", os.O_CREAT | os.O_WRONLY),
    "mkdir": lambda: os.mkdir("new"),
    "remove": lambda: os.remove("there"),
    "process": lambda: subprocess.run(["true"]),
    "system": lambda: os.system("true"),
    "network": lambda: socket.create_connection(("localhost", 9)),
}
for name, act in tries.items():
    try:
        act()
    except PermissionError:
        continue
    print(name)
print(open("there").read(), end="")
"""


def test_the_process_is_confined(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # where exactdp is not installed
    Path("there").write_text("may be read\n")
    done = subprocess.run([sys.executable, "-c", CONFINED], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("may be read\n", 0), done.stderr
    assert os.listdir() == ["there"]


@pytest.mark.parametrize("name", ["t.csv (sha256 0123abcd…)", "counts of other.csv"])
def test_a_name_of_python_is_not_that_of_another_file(tmp_path, name):
    (tmp_path / "other.csv").write_text("1,0\n0,1\n")
    verdict = xdp.audit([["2/3", "1/3"], ["1/3", "2/3"]], "path", claim=xdp.PrivacyClaim(epsilon=1), title=name)
    verdict.bundle(tmp_path / "audit.zip", inputs=[tmp_path / "other.csv"])
    assert "as another file is" in run(f"verify '{tmp_path / 'audit.zip'}'").out


def test_a_file_of_python_is_one_that_the_program_reads(tmp_path):
    """Python tells of a file only where its numbers are those of the table, which the program sees again."""
    (tmp_path / "t.csv").write_text(TABLE)
    xdp.audit([["2/3", "1/3"], ["1/3", "2/3"]], "path", claim=xdp.PrivacyClaim(epsilon=1)).bundle(
        tmp_path / "audit", inputs=[tmp_path / "t.csv"]
    )
    assert run(f"verify '{tmp_path / 'audit'}'").code == 0
    forged = Forged({path.relative_to(tmp_path / "audit").as_posix(): path.read_bytes() for path in (tmp_path / "audit").rglob("*.*")})
    forged.file("t.csv", b"## 1\n1|0\n0|1\n")
    status, said = forged.judged(tmp_path)
    assert status == "rejected"
    assert any("or is no file that Python is told of" in sentence for sentence in said)


@pytest.mark.parametrize(("words", "line"), [("--header", "header-read"), ("--labels", "labels-read")])
def test_numbers_that_were_read_as_names_are_told_on_page_one(tmp_path, monkeypatch, words, line):
    monkeypatch.chdir(tmp_path)
    Path("n.csv").write_text("0,1,3\n2,1/2,1/2\n4,1/2,1/2\n" if words == "--labels" else "1,0\n1/2,1/2\n1/2,1/2\n")
    run(f"audit n.csv --graph path {words} --claims-epsilon 1 --bundle b")
    forged = Forged({path.relative_to("b").as_posix(): path.read_bytes() for path in Path("b").rglob("*.*")})
    assert forged.line(line)
    forged.drop(line)
    assert forged.judged(tmp_path)[0] == "rejected"


def test_a_pipe_in_place_of_a_manifest_is_not_waited_for(tmp_path):
    (tmp_path / "b").mkdir()
    os.mkfifo(tmp_path / "b" / MANIFEST)
    assert run(f"verify '{tmp_path / 'b'}'").code != 0


# --- What differs ---
def page(*lines):
    return json.dumps({"sections": [{"title": "T", "lines": [{"says": says, "values": {"n": n}} for says, n in lines]}]}).encode()


BEFORE = {"page_one.json": page(("row", "1"), ("remap", "1")), "page_one.md": b"row 1\nremap 1\n", MANIFEST: b"m"}


def test_equal_files_have_no_difference():
    assert list(differences(BEFORE, dict(BEFORE))) == []


@pytest.mark.parametrize(("row", "remap", "status"), [("2", "1", "rejected"), ("2", "2", "rejected"), ("1", "2", "limit")])
def test_a_fact_that_differs_is_a_fault_and_another_optimum_a_limit(row, remap, status):
    text = f"row {row}\nremap {remap}\n".encode()
    after = BEFORE | {"page_one.json": page(("row", row), ("remap", remap)), "page_one.md": text}
    assert [fault.status for fault in differences(BEFORE, after)] == [status]


def test_a_file_more_or_less_is_a_fault():
    more = BEFORE | {"certificates/x.edp.json": b"{}"}
    assert [str(fault) for fault in differences(BEFORE, more)] == [
        "certificates/x.edp.json: rejected: its command, run again, writes such a file, too"
    ]
    assert [str(fault) for fault in differences(more, BEFORE)] == [
        "certificates/x.edp.json: rejected: its command, run again, writes no such file"
    ]


PROOFS = "t.csv --graph path --claims-epsilon 1 --for abs"


def with_other_proofs(monkeypatch, change=lambda files: None):
    """What is found of a bundle whose certificates are called otherwise by another library."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    Path("t.csv").write_text(TABLE)
    assert run(f"audit {PROOFS} --bundle one").code == 0
    before = bundle_files.files_of("one")[0]
    after = dict(before)
    body = json.loads(after[MANIFEST])
    for one in body["predicate"]["certificates"]:
        digest = f"sha256:{bundle_files.sha256(one['digest'].encode())}"
        for name in set(after) - {MANIFEST}:
            after[name] = after[name].replace(one["digest"].encode(), digest.encode())
        one["digest"] = digest
        after[one["file"]] += b" "
    body["predicate"]["digest"] = bundle_files.own_digest(body)
    after[MANIFEST] = bundle_files.written(body)
    change(after)
    return list(differences(before, after))


def test_other_proofs_of_the_same_facts_are_no_difference(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert with_other_proofs(monkeypatch) == []


@pytest.mark.parametrize("name", ["page.md", "page.html", "answer.json"])
def test_beside_other_proofs_a_page_is_compared_all_the_same(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)

    def change(files):
        files[name] = files[name].replace(b"0.693", b"0.593")

    assert [(fault.name, fault.status) for fault in with_other_proofs(monkeypatch, change)] == [(name, "rejected")]
