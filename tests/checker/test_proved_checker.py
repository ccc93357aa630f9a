# SPDX-License-Identifier: MIT
"""The proved checker and the checker on the same files: neither accepts what the other rejects.

All certificates of the repository, and random edits of them, with recomputed digests, from a seed.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from random import Random

import pytest
from certificate_pool import certificate, pool, text_of
from places import CORPUS, ROOT
from proved_checker import EDPCHECK, needs_edpcheck
from random_edits import edited

from exactdp.certificate import edpcheck as proved
from exactdp.certificate.kinds import kinds
from exactdp.certificate.verification import Checker
from exactdp.checker import check_bytes

TRUE = sorted([*ROOT.glob("proofs/**/*.edp.json"), *CORPUS.glob("accept/*.edp.json")])
OTHERS = sorted([*CORPUS.glob("reject/*.edp.json"), *CORPUS.glob("malformed/*.edp.json")])
EDITS = int(os.environ.get("EXACTDP_EDITS", "400"))
"""How many edits; more for those who look for a disagreement."""


ANSWER = re.compile("(accepted|rejected|malformed|not decided): (.*)")


def asked(files: list[Path]) -> list[tuple[str, str]]:
    """Of each file the answer's word, and what follows it."""
    found: list[tuple[str, str]] = []
    for i in range(0, len(files), 200):
        done = subprocess.run([str(EDPCHECK), *map(str, files[i : i + 200])], capture_output=True, text=True, encoding="utf-8", check=False)
        for file, line in zip(files[i : i + 200], done.stdout.splitlines(), strict=True):
            assert line.startswith(f"{file}: "), line
            word = ANSWER.fullmatch(line.removeprefix(f"{file}: "))
            assert word, line
            found.append((word[1], word[2]))
    return found


def disagreement(theirs: str, said: str, data: bytes) -> str | None:
    """What is wrong with two answers about one file, if something is."""
    ours = check_bytes(data)
    if theirs == "accepted" and ours.status != "accepted":
        return f"edpcheck accepts ({said}), the checker does not: {ours.sentence}"
    if theirs == "rejected" and ours.status == "accepted":
        return f"the checker accepts ({ours.sentence}), edpcheck rejects"
    if theirs == ours.status == "accepted" and said.split(": ", maxsplit=1)[0] != ours.kind:
        return f"the kinds differ: {ours.kind}, {said}"
    return None


@needs_edpcheck
def test_what_is_true_is_accepted_or_not_decided():
    answers = asked(TRUE)
    assert {word for word, _ in answers} <= {"accepted", "not decided"}
    assert [d for file, (word, said) in zip(TRUE, answers, strict=True) if (d := disagreement(word, said, file.read_bytes()))] == []
    bodies = [json.loads(file.read_bytes()) for file in TRUE]
    beyond = {"parameter", "exponential", "region"}
    rational = {body["claim"]["kind"] for body in bodies if beyond.isdisjoint(d["type"] for d in body["definitions"].values())}
    there = rational & {kind.name for kind in kinds().values() if kind.coq != "none"}
    assert len(there) > 40
    assert there <= {said.split(": ")[0] for word, said in answers if word == "accepted"}


@needs_edpcheck
def test_what_is_not_accepted_by_the_checker_is_not_accepted():
    assert {word for word, _ in asked(OTHERS)} <= {"rejected", "malformed", "not decided"}


@needs_edpcheck
@pytest.mark.parametrize("file", sorted(CORPUS.glob("limit/*.edp.json")), ids=lambda file: file.name.removesuffix(".edp.json"))
def test_what_is_too_large_for_the_checker_is_not_proved(file, monkeypatch):
    """Whatever the proved checker makes of it, within its bounds."""
    monkeypatch.setattr(proved, "SECONDS", 5)
    data = file.read_bytes()
    with Checker() as checker:
        found = proved.both(str(EDPCHECK), checker.check(file.name, data, file.parent), data)
    assert (found.status, found.exit_code) == ("limit", 4)


@needs_edpcheck
@pytest.mark.timeout(1200)
def test_edits_are_not_accepted_by_one_alone(tmp_path):
    draw = Random(17)
    small = [json.loads(text_of(c)) for c in pool().values()]
    small += [json.loads(data) for file in TRUE if len(data := file.read_bytes()) < 10_000 and not file.name.startswith("field-")]
    files = []
    for i in range(EDITS):
        file = tmp_path / f"{i}.json"
        file.write_text(text_of(edited(draw.choice(small), draw)))
        files.append(file)
    answers = asked(files)
    wrong = [d for file, (word, said) in zip(files, answers, strict=True) if (d := disagreement(word, said, file.read_bytes()))]
    assert wrong == []
    assert {word for word, _ in answers} >= {"accepted", "rejected", "not decided"}


@needs_edpcheck
def test_a_label_cannot_end_its_quotation(tmp_path):
    """It is printed as a JSON string in ASCII; what it holds is not taken for a part of the sentence."""
    hostile = ['x"}) below 1, and one attains it.', "a\\", "\x7f\n\x00", "\u00e9", "\u202e", "\U0001f600", "a b"]
    entry = {"den": "1", "num": ["0"]}
    files = []
    for i, label in enumerate(hostile):
        claim = {
            "kind": "optimal",
            "neighbours": "N",
            "level": "1/2",
            "value": "0",
            "consumer": {"type": "minimax", "loss": "L", "side_information": [0]},
        }
        definitions = {
            "N": {"type": "graph", "vertices": [label], "edges": []},
            "L": {"type": "loss", "inputs": [label], "guesses": ["g"], "rows": [entry]},
        }
        dual = {"weights": {"den": "1", "num": ["1"]}, "potentials": entry}
        witness = {"primal": {"rows": [{"den": "1", "num": ["1"]}]}, "dual": dual}
        file = tmp_path / f"{i}.json"
        file.write_text(text_of(certificate(claim, definitions, witness)), encoding="utf-8")
        files.append(file)
    for label, (word, said) in zip(hostile, asked(files), strict=True):
        assert word == "accepted"
        assert f"S = {{{json.dumps(label)}}}) below 0, and one attains it. Claim and definitions have" in said
