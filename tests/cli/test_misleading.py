"""Messages that sent a new user the wrong way, each with the call that showed it, and what it says now."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

import exactdp as xdp
from exactdp.checker.kernel import check_bytes
from exactdp.cli.program import main
from exactdp.errors import ExactDPError


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "typo.csv").write_text("O.7,0.3\n0.3,0.7\n", encoding="utf-8")
    (tmp_path / "table.csv").write_text("1/2,1/2\n1/4,3/4\n", encoding="utf-8")
    (tmp_path / "decimals.csv").write_text("0.5,0.5\n0.25,0.75\n", encoding="utf-8")
    (tmp_path / "level.csv").write_text("1-a,a\na,1-a\n", encoding="utf-8")
    (tmp_path / "letters.csv").write_text("1-p,p\np,1-p\n", encoding="utf-8")
    (tmp_path / "json.json").write_text("[[0.5, 0.5]]", encoding="utf-8")
    xdp.certify(xdp.tightest_level("geometric:n=2,alpha=1/4", "path")).write(tmp_path / "c.edp.json")
    whole = (tmp_path / "c.edp.json").read_bytes()
    (tmp_path / "cut.edp.json").write_bytes(whole[: len(whole) // 2])


def run(words: str):
    done = CliRunner().invoke(main, shlex.split(words))
    return done.exit_code, " ".join((done.output + (done.stderr or "")).split())


SAYS = [
    ("compare table.csv", 2, "did you mean audit A --compare B"),
    ("privcy table.csv", 2, "did you mean privacy?"),
    ("verify table.csv", 3, "this is no certificate: those are JSON"),
    ("verify decimals.csv", 3, "this is no certificate: those are JSON"),
    ("verify json.json", 3, "this is no certificate: those are JSON"),
    ("verify cut.edp.json", 3, "the file ends early"),
    ("privacy typo.csv --graph path", 3, "'O.7' is not an exact number"),
    ("audit level.csv --graph path", 3, "--alpha 1/4 or --epsilon 1 puts one there"),
    ("audit letters.csv --graph path --letters '0 < p < 1/2'", 3, "--letters 'p = 1/4'"),
    ("audit table.csv --graph path --epsilon 1", 2, "the level that is claimed is --claims-epsilon"),
    ("audit level.csv --graph path --alpha symbolic", 2, "exactdp privacy --alpha symbolic"),
    ("convert table.csv --to csv --alpha 1/2", 2, "tables with the letter a, and table.csv has none"),
    ("convert c.edp.json --to csv --alpha 1/2", 2, "a certificate has its own level"),
    ("optimal --graph path:4 --alpha 1/4 --loss abss", 2, "did you mean abs?"),
    ("optimal --graph pth:4 --alpha 1/4 --loss abs", 3, "did you mean path?"),
    ("privacy table.csv --graph compleet", 2, "did you mean complete?"),
]


@pytest.mark.parametrize(("words", "code", "said"), SAYS, ids=[words for words, _, _ in SAYS])
def test_a_command_says_what_was_meant(words, code, said):
    found, text = run(words)
    assert said in text
    assert found == code


def test_whatever_is_cut_off_a_certificate_is_told():
    """At every byte: the file ends early, or what is left is no JSON that begins with a brace."""
    whole = Path("c.edp.json").read_bytes().strip()
    for end in range(1, len(whole)):
        answer = check_bytes(whole[:end])
        assert answer.status == "malformed"
        assert "the file ends early" in answer.sentence, end
    assert check_bytes(whole).status == "accepted"


def test_a_level_is_put_for_the_letter():
    code, text = run("convert level.csv --to csv --alpha 1/4")
    assert code == 0
    assert text == "3/4,1/4 1/4,3/4"
    code, text = run("convert level.csv --to csv --epsilon 'ln(4)'")
    assert text == "3/4,1/4 1/4,3/4"
    assert run("show level.csv --alpha 1/4")[0] == 0
    assert run("convert level.csv --to csv --epsilon 1 -o at.csv")[0] == 0
    assert xdp.read_table("at.csv").matrix[0, 1] == xdp.PrivacyLevel(epsilon=1).alpha
    code, text = run("audit level.csv --graph path --alpha 1/3 --claims-epsilon 'ln(2)' --json")
    assert code == 0  # 2/3 to 1/3
    assert json.loads(text)["claim"].startswith("level.csv (sha256 ")
    assert "at α = 1/3 is a mechanism" in json.loads(text)["claim"]
    assert run("audit level.csv --graph path --alpha 1/4 --claims-epsilon 'ln(2)'")[0] == 1
    assert run("audit level.csv --graph path --epsilon 2 --claims-epsilon 1")[0] == 1  # 6.39 times
    assert run("audit geometric:n=3 --epsilon 1 --claims-epsilon 1")[0] == 0


PYTHON = [
    (lambda: xdp.load("typo.csv"), "'O.7' is not an exact number"),
    (lambda: xdp.read_table("typo.csv"), "'O.7' is not an exact number"),
    (lambda: xdp.is_private("typo.csv", "path", "1/2"), "'O.7' is not an exact number"),
    (
        lambda: xdp.optimum("path:2", "1/2", xdp.MinimaxConsumer("abs"), progress=xdp.progress_bar),
        "with progress_bar() as progress",
    ),
    (lambda: xdp.tightest_level([[0.5, 0.5], [0.25, 0.75]], "path"), "from_floats(mechanism).unrounded()"),
    (lambda: xdp.optimum("path:2", "1/2", xdp.MinimaxConsumer("sqared")), "did you mean squared?"),
    (lambda: xdp.neighbours("cyle:4"), "did you mean cycle?"),
    (lambda: xdp.load("cut.edp.json"), "the file ends early"),
    (lambda: xdp.audit(xdp.read_table("letters.csv", letters={"p": "(0, 1/2)"}), "path"), "letters={'p': '1/4'}"),
]


@pytest.mark.parametrize(("call", "said"), PYTHON, ids=[said for _, said in PYTHON])
def test_python_says_what_was_meant(call, said):
    with pytest.raises(ExactDPError) as caught:
        call()
    assert said in str(caught.value)


def test_the_remedies_work():
    rows = [[0.1, 0.9], [0.25, 0.75]]
    assert xdp.tightest_level(xdp.from_floats(rows).unrounded(), "path").proved
    with xdp.progress_bar() as progress:
        assert xdp.optimum("path:2", "1/2", xdp.MinimaxConsumer("abs"), progress=progress).proved
    assert xdp.audit(xdp.read_table("letters.csv", letters={"p": "1/4"}), "path").proved


def test_a_frame_of_floats_is_sent_to_what_takes_it():
    frame = pytest.importorskip("pandas").DataFrame([[0.5, 0.5], [0.25, 0.75]])
    with pytest.raises(ExactDPError, match=r"from_floats\(mechanism\)\.unrounded\(\)"):
        xdp.tightest_level(frame, "path")
    assert xdp.tightest_level(xdp.from_floats(frame).unrounded(), "path").proved
