# SPDX-License-Identifier: MIT
"""The word for what rests on an argument is *replayed*, and *proved* is never said on its ground."""

from __future__ import annotations

import ast
import json
import re
import shutil
from dataclasses import asdict
from functools import cache

import pytest
from argument_values import FOLDER
from cli_runner import run
from hypothesis import given, settings
from hypothesis import strategies as st
from places import CORPUS, ROOT

import exactdp as xdp
from exactdp.analysis.verdict import Decision, Scope, Verdict
from exactdp.arguments.generalisation.answer import Argument, GeneralisationEvidence
from exactdp.arguments.generalisation.questions import QUESTIONS
from exactdp.certificate import edpcheck as proved
from exactdp.certificate.verification import Checked, answers
from exactdp.cli.output import EXIT_CODES
from exactdp.errors import CertificateError, DefectiveAnswerError, InputError, UndecidedSignError
from exactdp.report.html import colour, verdict_html
from exactdp.report.latex import verdict_latex
from exactdp.report.registry import verdict_json
from exactdp.report.text import verdict_text
from exactdp.sweeps import asking
from exactdp.sweeps.verification import verify_folder

PROVED = re.compile(r"\bproved\b", re.IGNORECASE)
FILES = sorted((ROOT / "proofs").glob("*/arguments/*.json"))
CERTIFICATE = CORPUS / "accept" / "optimal-path-1-4.edp.json"


@cache
def answered(word):
    return xdp.generalise(word)


# What the words say


@pytest.mark.slow
def test_of_no_argument_under_proofs_proved_is_said():
    assert len(FILES) >= 13
    for checked, _ in answers(FILES):
        assert (checked.status, checked.exit_code, checked.replayed, checked.accepted, bool(checked)) == ("replayed", 0, True, False, False)
        for text in (str(checked), repr(checked), json.dumps(asdict(checked))):
            assert not PROVED.search(text), text
    done = run(["verify", *map(str, FILES)])
    assert done.code == 0
    assert done.out.count(": replayed: ") == len(FILES)
    assert not PROVED.search(done.out)
    said = run(["verify", "--json", *map(str, FILES)])
    assert said.code == 0
    assert said.json["verdict"] == "replayed"
    assert {file["verdict"] for file in said.json["files"]} == {"replayed"}
    assert not PROVED.search(said.out)


@pytest.mark.parametrize("word", [question.word for question in QUESTIONS])
def test_of_no_answer_for_every_n_proved_is_said(word):
    verdict = answered(word)
    assert verdict.decision is Decision.REPLAYED
    assert (verdict.replayed, verdict.proved, verdict.refuted, verdict.head) == (True, False, False, "replayed")
    said = [str(verdict), repr(verdict), verdict_text(verdict, full=True), verdict_html(verdict), verdict_latex(verdict)]
    for text in (*said, json.dumps(verdict_json(verdict))):
        assert "replayed" in text.lower()
        assert not PROVED.search(text), text
    assert verdict_text(verdict).startswith("REPLAYED  for every ")
    assert repr(verdict).startswith("<Verdict REPLAYED: for every ")
    assert verdict.claim.startswith("For every ")
    assert verdict_json(verdict)["verdict"] == "replayed"
    assert r"\textbf{Replayed:}" in verdict_latex(verdict)


def test_every_decision_has_an_exit_code_and_a_colour_of_its_own():
    assert set(EXIT_CODES) == set(Decision)
    assert EXIT_CODES[Decision.REPLAYED] == 0
    colours = [colour(Verdict(decision, "1 + 1 = 2", None)) for decision in Decision]
    assert len(set(colours)) == len(colours)


def test_of_what_is_replayed_no_truth_value_is_asked():
    """True would say that it is proved, False that it is refuted."""
    for thing in (Decision.REPLAYED, answered("capacity discrete")):
        with pytest.raises(UndecidedSignError, match="neither proved nor refuted"):
            bool(thing)


# Who may say what


@given(st.sampled_from(Decision), st.text(max_size=20), st.sampled_from(["", "replayed", "rejected", "accepted", "limit"]))
@settings(deadline=None)
def test_no_verdict_whose_witness_is_an_argument_is_proved_or_refuted(decision, claim, status):
    """Whatever became of the argument, and whoever makes the verdict."""
    evidence = GeneralisationEvidence(
        title="t", meaning="m", letter="n", least=1, answers=(), arguments=(Argument("a", "{}", status, "said"),)
    )
    if decision in (Decision.REPLAYED, Decision.UNDECIDED):
        assert Verdict(decision, claim, evidence, Scope()).decision is decision
    else:
        with pytest.raises(InputError, match="rests on an argument"):
            Verdict(decision, claim, evidence, Scope())


@given(st.sampled_from(["det geometric-prime", "capacity discrete", "additive capacity discrete"]), st.sets(st.integers(2, 7), min_size=3))
@settings(deadline=None, max_examples=12)
def test_no_answer_for_every_n_is_proved_whatever_n_are_asked(word, sizes):
    assert xdp.generalise(word, sizes).decision in (Decision.REPLAYED, Decision.UNDECIDED)


def test_nothing_in_the_folder_says_proved():
    """No file of it names the decision, or the function that makes it of a truth value."""
    for path in (ROOT / "exactdp" / "arguments").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)} | {
            alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names
        }
        assert not names & {"PROVED", "REFUTED", "decided"}, path


def test_evidence_that_holds_arguments_says_which_decisions_it_allows():
    """So that a second such class can't be proved either."""
    texts = {path: path.read_text(encoding="utf-8") for path in (ROOT / "exactdp").rglob("*.py")}
    for path, text in texts.items():
        for node in ast.walk(ast.parse(text)) if "Argument" in text else ():
            if isinstance(node, ast.ClassDef):
                fields = {part.target.id: ast.unparse(part.annotation) for part in node.body if isinstance(part, ast.AnnAssign)}
                holds = any(re.search(r"\bArgument\b", kind) for kind in fields.values())
                assert not holds or "DECISIONS" in fields, (path, node.name)


def test_it_has_no_certificate():
    with pytest.raises(CertificateError, match="an argument, not a certificate"):
        xdp.certify(answered("capacity discrete"))


def test_a_sweep_asks_nothing_that_is_replayed(monkeypatch):
    monkeypatch.setattr(asking, "_asked", lambda question: answered("capacity discrete"))
    with pytest.raises(DefectiveAnswerError):
        asking._found(object())


def test_the_second_checker_is_not_asked_about_an_argument():
    checked = Checked("a.json", "replayed", "T: for all n: n = n", "argument", None, None, None, 0)
    both = proved.both("/no/such/program", checked, b"{}")
    assert (both.status, both.exit_code, both.proved.status) == ("not proved", 4, "not asked")


# Folders and lists with both kinds


@pytest.fixture
def mixed(tmp_path):
    """One certificate, one argument, and one that is rejected."""
    shutil.copy(CERTIFICATE, tmp_path)
    shutil.copy(FOLDER / "sums.json", tmp_path)
    text = (FOLDER / "sums.json").read_text(encoding="utf-8")
    (tmp_path / "wrong.json").write_text(text.replace('"then": "', '"then": "0 = 1+', 1), encoding="utf-8")
    return tmp_path


def test_a_folder_counts_both_kinds(mixed):
    found = verify_folder(mixed)
    assert (found.files, found.accepted, found.arguments, found.replayed, len(found.others)) == (1, 1, 2, 1, 1)
    assert f"{mixed}: 1 certificates and 2 arguments: 1 accepted, 1 replayed, 1 " in str(found)
    (mixed / "wrong.json").unlink()
    done = run(["verify", str(mixed), "--json"])
    assert done.code == 0
    assert (done.json["verdict"], done.json["certificates"], done.json["arguments"], done.json["replayed"]) == ("replayed", 1, 1, 1)
    assert not PROVED.search(done.out)
    (mixed / "sums.json").unlink()
    alone = run(["verify", str(mixed), "--json"])
    assert (alone.code, alone.json["verdict"]) == (0, "proved")
    assert not {"arguments", "replayed"} & alone.json.keys()


def test_an_argument_under_a_certificates_name_is_no_certificate(mixed):
    (mixed / "sums.json").rename(mixed / "sums.edp.json")
    found = verify_folder(mixed)
    assert (found.files, found.accepted, found.replayed) == (1, 1, 1)


def test_a_folder_of_arguments_alone(mixed):
    (mixed / CERTIFICATE.name).unlink()
    (mixed / "wrong.json").unlink()
    assert f"{mixed}: 0 certificates and 1 arguments: 0 accepted, 1 replayed; " in str(verify_folder(mixed))


def test_other_json_is_not_looked_at(mixed):
    (mixed / "notes.json").write_text('{"format": "notes"}')
    assert "1 not looked at: notes.json" in str(verify_folder(mixed))


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_list_of_both_kinds_is_replayed(order):
    files = [str([CERTIFICATE, FOLDER / "sums.json"][k]) for k in order]
    said = run(["verify", "--json", *files])
    assert said.code == 0
    assert said.json["verdict"] == "replayed"
    assert [file["verdict"] for file in said.json["files"]] == [("proved", "replayed")[k] for k in order]
