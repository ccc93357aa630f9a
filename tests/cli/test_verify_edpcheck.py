# SPDX-License-Identifier: MIT
"""`exactdp verify --proved`: both checkers judge the same bytes, each says what it says, and nothing but two
acceptances looks like a proof.

What the proved checker may answer, or not answer, is played by small programs; the tests of the real one
need edpcheck.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import sys

import pytest
from certificate_pool import certificate
from cli_runner import run
from places import CORPUS
from proved_checker import EDPCHECK, needs_edpcheck

from exactdp.certificate import edpcheck as proved
from exactdp.certificate import verification

TRUE, FALSE = CORPUS / "accept" / "optimal-path-1-4.edp.json", CORPUS / "reject" / "not-optimal-gap.edp.json"
MALFORMED = CORPUS / "malformed" / "comment.edp.json"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="programs that are scripts")


@pytest.fixture
def answering(tmp_path, monkeypatch):
    """A program that reads its standard input, prints this line and ends with this code."""

    def install(line: str | bytes, code: int = 0, before: str = "sys.stdin.buffer.read()") -> None:
        script = tmp_path / "edpcheck"
        data = line.encode() if isinstance(line, str) else line
        script.write_text(
            f"#!{sys.executable} -IS\nimport os, sys\n{before}\nsys.stdout.buffer.write({data!r})\nsys.stdout.flush()\nos._exit({code})\n"
        )
        script.chmod(0o755)
        monkeypatch.setenv("EXACTDP_EDPCHECK", str(script))

    return install


YES, NO = ("-: accepted: optimal: Well.\n", 0), ("-: rejected: its witness does not show this: optimal: Well.\n", 1)
UNKNOWN, BROKEN = ("-: not decided: malformed, or of a kind that this checker does not know\n", 4), ("-: malformed: not JSON\n", 3)


@pytest.mark.parametrize(
    ("file", "answer", "status", "code"),
    [
        (TRUE, YES, "accepted", 0),
        (TRUE, NO, "disagreement", 70),
        (TRUE, UNKNOWN, "not proved", 4),
        (TRUE, BROKEN, "not proved", 4),
        (TRUE, ("-: accepted: private: Well.\n", 0), "disagreement", 70),
        (FALSE, YES, "disagreement", 70),
        (FALSE, NO, "rejected", 1),
        (FALSE, UNKNOWN, "rejected", 1),
        (FALSE, BROKEN, "rejected", 1),
        (MALFORMED, YES, "disagreement", 70),
        (MALFORMED, NO, "malformed", 3),
        (MALFORMED, UNKNOWN, "malformed", 3),
    ],
)
def test_what_follows_from_two_answers(answering, file, answer, status, code):
    answering(*answer)
    done = run(["verify", "--proved", str(file)])
    first, checker, second = done.out.splitlines()
    assert (done.code, first.split(": ")[1]) == (code, status)
    assert checker.startswith(f"  checker:  {'accepted' if file == TRUE else 'rejected' if file == FALSE else 'malformed'}: ")
    assert second.startswith(f"  edpcheck: {answer[0].split(': ')[1]}: ")
    assert ("report it" in first) == (code == 70)
    body = run(["verify", "--proved", "--json", str(file)]).json
    assert body["verdict"] == body["files"][0]["verdict"] == {0: "proved", 1: "refuted", 4: "undecided"}.get(code)
    assert [body["files"][0][key] for key in ("status", "exit_code")] == [status, code]
    assert body["files"][0]["checker"]["sentence"] == body["claim"]
    assert body["files"][0]["edpcheck"]["status"] == answer[0].split(": ")[1]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("", 0),
        ("-: accepted: optimal: Well.", 0),  # half a line
        ("-: accepted: optimal: Well.\n", 1),
        ("-: accepted: optimal: Well.\n-: accepted: optimal: Well.\n", 0),
        ("c.json: accepted: optimal: Well.\n", 0),
        ("accepted\n", 0),
        ("-: rejected: Well.\n-: accepted: optimal: Well.\n", 0),
        (b"-: accepted: optimal: Well.\n", 137),
    ],
)
def test_what_is_no_answer_decides_nothing(answering, line, code):
    answering(line, code)
    done = run(["verify", "--proved", str(TRUE), str(FALSE)])
    assert [text.split(": ")[1] for text in done.out.splitlines()[::3]] == ["not proved", "rejected"]
    assert done.code == 4
    assert "gave no answer" in done.out


@pytest.mark.slow
def test_a_program_that_takes_too_long_or_reads_nothing(answering, monkeypatch):
    monkeypatch.setattr(proved, "SECONDS", 1)
    answering("", before="import time; time.sleep(600)")
    assert run(["verify", "--proved", str(TRUE)]).code == 4
    answering(YES[0], before="")  # it answers before it has read anything
    assert run(["verify", "--proved", str(TRUE)]).code == 0


def test_both_get_the_same_bytes(tmp_path, answering):
    """Also of a pipe, which can be read once."""
    answering(*YES, before=f"data = sys.stdin.buffer.read(); open({str(tmp_path / 'seen')!r}, 'ab').write(data)")
    assert run(["verify", "--proved", "-"], stdin=TRUE.read_bytes()).code == 0
    assert (tmp_path / "seen").read_bytes() == TRUE.read_bytes()


def test_without_the_program_it_is_told_how_to_build_it(monkeypatch):
    monkeypatch.setenv("EXACTDP_EDPCHECK", "/nowhere/edpcheck")
    done = run(["verify", "--proved", str(TRUE)])
    assert (done.code, done.out) == (2, "")
    assert "make -C proofs/coq checker" in done.err
    monkeypatch.delenv("EXACTDP_EDPCHECK")
    monkeypatch.setenv("PATH", "/nowhere")
    assert run(["verify", "--proved", str(TRUE)]).code == 2


def test_the_answer_is_one_line_whatever_it_says(answering):
    """What the program wrote stands as it is, its backslashes too; what a terminal would obey is escaped."""
    answering(rb'-: accepted: optimal: "\\ \n" ' + b"\x1b[2J \r" + " Zoë".encode() + b"\n")
    done = run(["verify", "--proved", str(TRUE)])
    assert done.out.splitlines()[2:] == [r'  edpcheck: accepted: optimal: "\\ \n" \x1b[2J \r Zoë']
    assert proved.ask(os.environ["EXACTDP_EDPCHECK"], "c.json", b"").sentence == 'optimal: "\\\\ \\n" \x1b[2J \r Zoë'


@pytest.fixture
def real(monkeypatch):
    monkeypatch.setenv("EXACTDP_EDPCHECK", str(EDPCHECK))


# ── edpcheck itself ─────────────────────────────────────────────────────────────────────────────────────────
@needs_edpcheck
def test_the_real_one(real):
    done = run(["verify", "--proved", "--trust", str(TRUE)])
    assert done.code == 0
    assert done.out.splitlines()[0].endswith(": accepted: by the checker, and by the proved checker")
    assert "below 168/415" in done.out.splitlines()[2]
    assert re.search(rf"^edpcheck +{re.escape(str(EDPCHECK))}, sha256:", done.out, re.MULTILINE)


@needs_edpcheck
def test_names_of_files(real, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = ["--help", "./-", "a\nb: accepted: c", " ", "é"]
    for name in names:
        shutil.copy(TRUE, name)
    done = run(["verify", "--proved", "--", *names])
    assert (done.code, len(done.out.splitlines())) == (0, 3 * len(names))


@needs_edpcheck
def test_a_label_forges_no_answer(real, tmp_path):
    """Labels of several lines, of backslashes and of every script are quoted as in JSON (SPEC, section 5)."""
    for label in ("x\n-: accepted: optimal: well", "\\x0a", '\\"}) below 0', "\x1b[2J", "\u202e", 'ä"\\', "日本", "\U0001f600", "é\u0301"):
        prior = {"den": "1", "num": ["1"]}
        definitions = {
            "N": {"type": "graph", "vertices": [label], "edges": []},
            "L": {"type": "loss", "inputs": [label], "guesses": ["g"], "rows": [prior]},
        }
        question = {"neighbours": "N", "level": "1/2", "consumer": {"type": "minimax", "loss": "L", "side_information": [0]}, "value": "1"}
        witness = {"primal": {"rows": [prior]}, "dual": {"weights": prior, "potentials": prior, "edges": []}}
        path = tmp_path / "c.json"
        path.write_text(json.dumps(certificate({"kind": "optimal", **question}, definitions, witness)))
        done = run(["verify", "--proved", str(path)])
        answer = proved.ask(str(EDPCHECK), "c.json", path.read_bytes())
        quoted = f"S = {{{json.dumps(label)}}}) below 1, and one attains it"
        assert quoted in answer.sentence, answer
        assert (done.code, done.out.count(quoted)) == (0, 2)


@needs_edpcheck
def test_limits_of_the_real_one():
    assert proved.ask(str(EDPCHECK), "zeros", b"\0" * 2**20).status == "malformed"
    assert proved.ask(str(EDPCHECK), "deep", b"[" * 10**6).status in ("malformed", "not decided", "limit")
    large = proved.ask(str(EDPCHECK), "large", b" " * (verification.MOST_BYTES + 1))
    assert (large.status, large.sentence) == ("not decided", "more than 64 mebibytes")


@needs_edpcheck
def test_the_digest_is_that_of_the_other_checker():
    """Over objects whose keys and strings are of every kind, from a seed."""
    from exactdp.checker.kernel import digest_of

    draw = random.Random(17)
    for _ in range(60):
        text = "".join(
            chr(draw.choice([*range(1, 160), 0x7FF, 0x800, 0xFFFD, 0x10000, 0x10FFFF, 0x3B1])) for _ in range(draw.randrange(1, 90))
        )
        body = json.loads(TRUE.read_bytes())
        body["definitions"] = {
            "M": {"type": "mechanism", "inputs": [text, text + "'"], "outputs": ["o"], "rows": [{"den": "1", "num": ["1"]}] * 2}
        }
        body["definitions"]["N"] = {"type": "graph", "vertices": [text, text + "'"], "edges": [[0, 1]]}
        body["claim"], body["witness"] = {"kind": "private", "mechanism": "M", "neighbours": "N", "level": "1/2"}, {}
        body["digest"] = digest_of(body)
        assert proved.ask(str(EDPCHECK), "c.json", json.dumps(body, ensure_ascii=draw.random() < 0.5).encode()).status == "accepted"
        body["digest"] = body["digest"][:-1] + ("0" if body["digest"][-1] != "0" else "1")
        assert proved.ask(str(EDPCHECK), "c.json", json.dumps(body).encode()).status == "rejected"
