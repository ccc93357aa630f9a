# SPDX-License-Identifier: MIT
"""`exactdp convert --to coq`: the last theorem of the file is the claim, and Coq proves it or refuses it.

Compiling needs coqc, and the files of proofs/coq compiled (make -C proofs/coq checker).
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess

import pytest
from certificate_pool import certificate
from cli_runner import run
from places import CORPUS, ROOT

from exactdp.certificate.coq import STATEMENTS
from exactdp.certificate.edpcheck import PROGRAM
from exactdp.certificate.kinds import kinds

COQ = ROOT / "proofs" / "coq"
FILES = {
    "negative-entry": "not-stochastic",
    "private-response": "private",
    "private-rational-distance": "private",
    "not-private-geometric": "not-private",
    "level-mixed": "level",
    "level-geometric": "level",
    "derivable-merge": "derivable",
    "not-derivable-triple": "not-derivable",
    "optimal-path-1-4": "optimal",
    "optimal-bayes-graph": "optimal",
    "optimal-graph-1-4": "optimal",
    "not-optimal-1-4": "not-optimal",
    "optimal-after-remap-1-4": "optimal-after-remap",
    "not-optimal-after-remap-blind": "not-optimal-after-remap",
    "optimal-remap-bayes": "optimal-remap",
    "optimal-remap-named-1-4": "optimal-remap",
    "not-optimal-remap": "not-optimal-remap",
}
"""Files of the corpus, with their kinds: each kind, and each way to state it."""

BY_MEANING = [
    "private-irrational",
    "unique-path-1-4",
    "release-four",
    "leakage-of-a-prior",
    "parallel-level-neighbours",
    "label-of-two-lines",
]
"""Files of further kinds, whose claims are stated by their meaning."""

needs_coq = pytest.mark.skipif(
    shutil.which("coqc") is None or not (COQ / "Checker" / "Statements.vo").exists(),
    reason=f"oracle missing: coqc and the compiled theory (make -C proofs/coq checker builds it beside {PROGRAM})",
)


def converted(path) -> str:
    done = run(["convert", str(path), "--to", "coq"])
    assert done.code == 0, done.err
    return done.out


def compiled(folder, text):
    (folder / "c.v").write_text(text, encoding="utf-8")
    return subprocess.run(["coqc", "-Q", str(COQ), "ExactDP", "c.v"], cwd=folder, capture_output=True, text=True, check=False, timeout=300)


def test_every_kind_has_a_file():
    assert set(FILES.values()) == set(STATEMENTS) == {kind.name for kind in kinds().values() if kind.coq == "words"}
    for name, kind in FILES.items():
        assert json.loads((CORPUS / "accept" / f"{name}.edp.json").read_bytes())["claim"]["kind"] == kind


def test_the_kinds_of_the_table_are_those_that_coq_reads():
    """Each family names its kinds where it reads them; pieces are over a letter, which is not converted."""
    read = {kind for file in (COQ / "Checker").glob("*Claims.v") for kind in re.findall(r'"([a-z-]+)"', file.read_text(encoding="utf-8"))}
    further = {kind.name for kind in kinds().values() if kind.coq == "meaning"}
    assert read & kinds().keys() - set(STATEMENTS) == further | {"on-pieces"}


@pytest.mark.parametrize("name", FILES)
def test_the_last_theorem_has_the_numbers_of_the_claim(name):
    text = converted(CORPUS / "accept" / f"{name}.edp.json")
    assert text.count("Theorem") == 1
    assert text.endswith("\nEnd Claim.\n\nPrint Assumptions claim.\n")
    statement = text[text.index("Theorem claim :") : text.index("Proof.\nhave := holds")]
    claim = json.loads((CORPUS / "accept" / f"{name}.edp.json").read_bytes())["claim"]
    for key in ("value", "loss", "gap", "level", "ratio"):
        if key in claim and not (key == "level" and "remap" in claim["kind"] and "neighbours" not in claim):
            top, _, bottom = claim[key].partition("/")
            assert f"({top}#{bottom or 1})" in statement


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize("name", [*FILES, *BY_MEANING])
def test_coq_proves_it(tmp_path, name):
    done = compiled(tmp_path, converted(CORPUS / "accept" / f"{name}.edp.json"))
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "Closed under the global context", "")


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("optimal-path-1-4", "num (168#415) <= u", "num (169#415) <= u"),
        ("optimal-path-1-4", 'member "value" (say "168/415")', 'member "value" (say "169/415")'),
        ("private-response", "stochastic mechanism_M", "stochastic (- mechanism_M)"),
        ("not-derivable-triple", "~ derivable", "derivable"),
    ],
)
def test_coq_refuses_what_is_false(tmp_path, name, old, new):
    """Whatever the writer of the file does wrong."""
    text = converted(CORPUS / "accept" / f"{name}.edp.json")
    assert old in text
    assert compiled(tmp_path, text.replace(old, new)).returncode == 1


HOSTILE = ['a"b', "*) Qed.", "(* ", "0, 1", "\n", "\x00\x1b[2J", "Zoë 日本 \U0001f600", "\\", "'"]


def hostile(tmp_path):
    """A certificate with labels that mean something in Coq."""
    rows = [{"den": "1", "num": ["1"]}] * len(HOSTILE)
    definitions = {
        "Qed": {"type": "mechanism", "inputs": HOSTILE, "outputs": ['"*) '], "rows": rows},
        "R": {"type": "graph", "vertices": HOSTILE, "edges": [[0, 1], [2, 5]]},
    }
    claim = {"kind": "private", "mechanism": "Qed", "neighbours": "R", "level": "1/2"}
    path = tmp_path / "c.json"
    path.write_text(json.dumps(certificate(claim, definitions, {})))
    return path


@pytest.mark.parametrize("path", sorted(CORPUS.glob("accept/letters-*.edp.json")), ids=lambda path: path.name.split(".")[0])
def test_claims_about_letters_are_not_converted(path):
    done = run(["convert", str(path), "--to", "coq"])
    assert (done.code, done.out) == (3, "")
    assert "beyond the rational" in done.err or "not proved in Coq" in done.err


def test_labels_stay_labels(tmp_path):
    text = converted(hostile(tmp_path))
    assert text.isascii()
    comments = [line for line in text.splitlines() if line.startswith("(* inputs")]
    escaped = (
        r"a\u0022b, \u002a\u0029 Qed., \u0028\u002a , 0\u002c 1, \u000a, \u0000\u001b\u005b2J, "
        r"Zo\u00eb \u65e5\u672c \u1f600, \u005c, \u0027"
    )
    assert comments == [f"(* inputs: {escaped} *)"]


def test_half_a_surrogate_pair_is_no_text(tmp_path):
    """JSON can write it, and the checker reads it."""
    path = hostile(tmp_path)
    path.write_text(path.read_text().replace("Zo\\u00eb", "\\ud800"))
    body = json.loads(path.read_text())
    path.write_text(json.dumps(certificate(body["claim"], body["definitions"], {})))
    done = run(["convert", str(path), "--to", "coq"])
    assert (done.code, done.out) == (3, "")
    assert "half a surrogate pair" in done.err


@needs_coq
@pytest.mark.slow
def test_coq_reads_every_label(tmp_path):
    done = compiled(tmp_path, converted(hostile(tmp_path)))
    assert (done.returncode, done.stdout.strip()) == (0, "Closed under the global context"), done.stderr


def test_what_is_not_proved_is_said():
    for name, words in (
        ("field-level-a", "beyond the rational"),
        ("field-on-pieces", "on-pieces"),
    ):
        done = run(["convert", str(CORPUS / "accept" / f"{name}.edp.json"), "--to", "coq"])
        assert (done.code, done.out) == (3, "")
        assert words in done.err
