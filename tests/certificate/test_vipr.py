# SPDX-License-Identifier: MIT
"""VIPR export, judged by a small checker written from the published format description, and by viprchk where
it is installed, and compared with the programs that edpcheck prints.

``viprchk`` of https://github.com/scipopt/vipr is meant: an older one compares a solution with one constraint
only.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from places import CORPUS, ROOT
from proved_checker import EDPCHECK, needs_edpcheck
from strategies import problems

from exactdp import Loss, MinimaxConsumer, PrivacyLevel, certify, neighbours, optimum, tightest_level, uniform
from exactdp.certificate.certificate import Certificate
from exactdp.certificate.decode import read_certificate
from exactdp.certificate.kinds import kinds
from exactdp.certificate.vipr import _PROGRAMS, to_vipr
from exactdp.checker.kernel import check_bytes
from exactdp.errors import InputError, ResourceLimitError

VIPRCHK = shutil.which("viprchk")
PARTS = {kind.name: kind.linear_program for kind in kinds().values() if kind.linear_program}


def test_the_programs_are_those_of_the_table():
    assert set(_PROGRAMS) == set(PARTS)


def kind_of(path: Path) -> str | None:
    """The kind of claim of a certificate that is converted; None for others."""
    body = json.loads(path.read_bytes())
    beyond = any(d["type"] in {"exponential", "parameter", "region"} for d in body["definitions"].values())
    return None if beyond or body["claim"]["kind"] not in PARTS else body["claim"]["kind"]


FILES = {
    path: kind
    for path in sorted([*ROOT.glob("proofs/*/certificates/*.edp.json"), *(CORPUS / "accept").glob("*.json")])
    if (kind := kind_of(path)) is not None
}
ONE_OF_EACH = {kind: min((path for path, k in FILES.items() if k == kind), key=lambda path: path.stat().st_size) for kind in PARTS}


def converted(path: Path) -> str:
    return to_vipr(read_certificate(path.read_bytes()))


def check_vipr(text: str) -> tuple[str, Fraction | None]:
    """Check a VIPR 1.0 file without integer variables whose reasons are all ``lin``; what it proves.

    That is the optimum, that there is a solution of objective 0, or that there is none.
    """
    words = iter(" ".join(line for line in text.splitlines() if not line.startswith("% ")).split())

    def sparse(count: str) -> dict[int, Fraction]:
        entries = [(int(next(words)), Fraction(next(words))) for _ in range(int(count))]
        assert all(c and 0 <= v < len(variables) for v, c in entries)
        assert len(dict(entries)) == len(entries)
        return dict(entries)

    def expect(*expected: str) -> None:
        for word in expected:
            assert next(words) == word

    def constraint():
        name, sense, rhs, count = next(words), next(words), Fraction(next(words)), next(words)
        assert sense in {"E", "G"}
        return name, sense, rhs, dict(objective) if count == "OBJ" else sparse(count)

    def at(point: dict[int, Fraction], terms: dict[int, Fraction]) -> Fraction:
        return sum((c * point.get(v, 0) for v, c in terms.items()), Fraction(0))

    expect("VER", "1.0", "VAR")
    variables = [str(v) for v in range(int(next(words)))]
    assert len({next(words) for _ in variables}) == len(variables)
    expect("INT", "0", "OBJ", "min")
    objective = sparse(next(words))
    expect("CON")
    m, bounds = int(next(words)), int(next(words))
    rows = [constraint() for _ in range(m)]
    assert len({row[0] for row in rows}) == m
    assert all(len(row[3]) == 1 for row in rows[:bounds])
    expect("RTP")
    low = high = None
    if infeasible := next(words) == "infeas":
        pass
    elif (lower := next(words)) == "-inf":
        high = Fraction(next(words))
    else:
        low, high = Fraction(lower), Fraction(next(words))
    expect("SOL")
    points = [(next(words), sparse(next(words)))[1] for _ in range(int(next(words)))]
    for point in points:
        for _, sense, rhs, terms in rows:
            assert at(point, terms) == rhs if sense == "E" else at(point, terms) >= rhs
    assert infeasible == (not points)
    assert infeasible or min(at(point, objective) for point in points) <= high
    expect("DER")
    if next(words) == "0":
        assert next(words, None) is None
        assert low is None
        assert not infeasible
        return "solvable", high
    _, sense, rhs, terms = constraint()
    expect("{", "lin")
    count = int(next(words))
    combination = {int(next(words)): Fraction(next(words)) for _ in range(count)}
    expect("}", "-1")
    assert next(words, None) is None
    total, right = {}, Fraction(0)
    for index, factor in combination.items():
        _, row_sense, row_rhs, row_terms = rows[index]
        assert row_sense == "E" or factor >= 0
        right += factor * row_rhs
        for v, c in row_terms.items():
            total[v] = total.get(v, Fraction(0)) + factor * c
    assert {v: c for v, c in total.items() if c} == terms
    assert sense == "G"
    assert right >= rhs
    if infeasible:
        assert not terms
        assert rhs > 0
        return "infeasible", None
    assert terms == objective
    assert rhs >= low == high
    return "optimum", high


def expected(kind: str, claim: dict) -> tuple[str, Fraction | None]:
    """What the program of a claim must prove."""
    if kind in {"derivable", "tight", "regular"}:
        return "solvable", Fraction(0)
    if kind in {"not-derivable", "not-tight", "not-regular"}:
        return "infeasible", None
    return "optimum", Fraction(claim["loss" if kind == "not-optimal-after-remap" else "value"])


def spoiled(text: str) -> list[str]:
    """The file with another optimum, or one number of its first solution or its derivation changed."""
    head, lines = text[: text.index("RTP")], text[text.index("RTP") :].splitlines()
    changed = [(0, f"RTP range {v} {v}") for m in re.findall("range ([0-9][0-9/]*)", lines[0]) for v in (Fraction(m) + 1, Fraction(m) - 1)]
    numbers = [(len(lines) - 1, range(8, len(lines[-1].split()) - 2, 2))] if "DER 1" in lines else []
    numbers += [(2, range(3, len(lines[2].split()), 2))] if "SOL 0" not in lines else []
    for k, places in numbers:
        words = lines[k].split()
        changed += [(k, " ".join([*words[:p], str(Fraction(words[p]) + 1), *words[p + 1 :]])) for p in places]
    return [head + "\n".join([*lines[:k], line, *lines[k + 1 :], ""]) for k, line in changed]


def refuses(text: str) -> bool:
    try:
        check_vipr(text)
    except (AssertionError, IndexError, ValueError, StopIteration):
        return True
    return False


def viprchk(text: str, folder: Path) -> bool:
    (folder / "file.vipr").write_text(text, encoding="utf-8")
    return subprocess.run([VIPRCHK, folder / "file.vipr"], capture_output=True, check=False).returncode == 0


def problem(text: str) -> str:
    return text[text.index("VER 1.0") : text.index("SOL ")]


# ── Every kind ──────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("kind", PARTS)
def test_one_certificate_of_each_kind(kind):
    path = ONE_OF_EACH[kind]
    text = converted(path)
    assert check_vipr(text) == expected(kind, json.loads(path.read_bytes())["claim"])
    assert text.splitlines()[1] == f"% of kind {kind}; this program is {PARTS[kind]}"


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.removesuffix(".edp.json"))
def test_every_certificate_of_the_repository(path):
    assert check_vipr(converted(path)) == expected(FILES[path], json.loads(path.read_bytes())["claim"])


@pytest.mark.slow
@settings(max_examples=30)
@given(problems(max_vertices=4))
def test_every_optimality_certificate_converts(problem):
    verdict = optimum(*problem)
    value = Fraction(str(verdict.evidence.value))
    assert check_vipr(to_vipr(certify(verdict))) == ("optimum", value)


@pytest.mark.parametrize("kind", PARTS)
def test_a_broken_export_would_be_noticed(kind):
    changed = spoiled(converted(ONE_OF_EACH[kind]))
    assert changed
    assert all(map(refuses, changed))


# ── Other programs ──────────────────────────────────────────────────────────────────────
@pytest.mark.skipif(VIPRCHK is None, reason="viprchk (https://github.com/scipopt/vipr) is not installed; no package brings it")
@pytest.mark.parametrize("kind", PARTS)
def test_viprchk_accepts_each_kind(kind, tmp_path):
    assert viprchk(converted(ONE_OF_EACH[kind]), tmp_path)


@pytest.mark.skipif(VIPRCHK is None, reason="viprchk (https://github.com/scipopt/vipr) is not installed; no package brings it")
@pytest.mark.parametrize("kind", PARTS)
def test_viprchk_refuses_broken_files(kind, tmp_path):
    assert not any(viprchk(text, tmp_path) for text in spoiled(converted(ONE_OF_EACH[kind])))


@needs_edpcheck
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.removesuffix(".edp.json"))
def test_edpcheck_prints_the_same_program(path):
    printed = subprocess.run([EDPCHECK, "--lp", path], capture_output=True, check=False, encoding="utf-8")
    assert printed.stdout == problem(converted(path))


@needs_edpcheck
def test_edpcheck_prints_no_program_of_other_claims(tmp_path):
    path = neighbours("path:3")
    certify(tightest_level(uniform(path.vertices), path)).write(tmp_path / "level.json")
    printed = subprocess.run([EDPCHECK, "--lp", tmp_path / "level.json"], capture_output=True, check=False, encoding="utf-8")
    assert (printed.returncode, printed.stdout) == (4, "")
    assert "of a kind that is no linear program known here" in printed.stderr


@needs_edpcheck
def test_edpcheck_prints_no_program_of_the_beginning_of_a_file(tmp_path):
    """White space up to the most that is read, and then something else."""
    beginning = ONE_OF_EACH["optimal"].read_bytes()
    (tmp_path / "long.json").write_bytes(beginning + b" " * 2**26 + b"{")
    printed = subprocess.run([EDPCHECK, "--lp", tmp_path / "long.json"], capture_output=True, check=False, encoding="utf-8")
    assert (printed.returncode, printed.stdout) == (4, "")
    assert printed.stderr.endswith(": more than 64 mebibytes\n")


# ── Neighbours ──────────────────────────────────────────────────────────────────────
def of(claim: dict, definitions: dict, witness: dict) -> Certificate:
    """A certificate written by hand, once the checker accepts it."""
    certificate = Certificate(claim, definitions, witness)
    answer = check_bytes(certificate.to_json().encode())
    assert answer.status == "accepted", answer.sentence
    return certificate


def vector(den: int, *num: int) -> dict:
    return {"den": str(den), "num": [str(x) for x in num]}


def test_a_path_that_is_given_as_distances():
    """Without the distance of its ends, it is no metric."""
    path = neighbours("path:3")
    same = certify(optimum(path, PrivacyLevel("1/2"), MinimaxConsumer(Loss.absolute(path.vertices))))
    name = same.claim["neighbours"]
    pairs = [[0, 1, "1"], [1, 2, "1"]]
    table = {"type": "distances", "vertices": ["0", "1", "2"], "pairs": pairs}
    certificate = of(same.claim, {**same.definitions, name: table}, same.witness)
    assert problem(to_vipr(certificate)) == problem(to_vipr(same))
    assert check_vipr(to_vipr(certificate)) == ("optimum", Fraction(same.claim["value"]))


def test_distances_that_are_no_metric():
    """0–1 and 1–2 are near, 0–2 is far: Φ is taken from the table."""
    claim = {"kind": "tight", "neighbours": "N", "level": "1/4"}
    table = {"type": "distances", "vertices": ["a", "b", "c"], "pairs": [[0, 1, "1/2"], [0, 2, "2"], [1, 2, "1/2"]]}
    text = to_vipr(of(claim, {"N": table}, {"diagonal": vector(9, 8, 1, 8)}))
    assert "row_0 E 1 3 0 1 1 1/2 2 1/16" in text
    assert check_vipr(text) == ("solvable", 0)


def test_a_diagonal_that_is_known_nearly_is_solved_for():
    claim = {"kind": "tight", "neighbours": "N", "level": "1/2"}
    near = {"diagonal": vector(100, 67, 33), "inverse": [vector(3, 4, -2), vector(3, -4, 5)]}
    certificate = of(claim, {"N": {"type": "path", "vertices": 3}}, {"near": near, "cells": [0, 1, 0]})
    assert "\ndiagonal 3 0 2/3 1 1/3 2 2/3\n" in to_vipr(certificate)
    assert check_vipr(to_vipr(certificate)) == ("solvable", 0)


# ── What is refused ──────────────────────────────────────────────────────────────────────
def test_other_kinds_are_refused():
    path = neighbours("path:3")
    with pytest.raises(InputError, match="a claim of kind 'level' is no linear program; those of these kinds are: derivable, ") as raised:
        to_vipr(certify(tightest_level(uniform(path.vertices), path)))
    assert len(raised.value.message) <= 300


def test_numbers_beyond_the_rational_ones_are_refused():
    path = neighbours("path:3")
    certificate = certify(optimum(path, PrivacyLevel.from_epsilon("1/2"), MinimaxConsumer(Loss.absolute(path.vertices))))
    with pytest.raises(InputError, match="rational numbers only"):
        to_vipr(certificate)


def test_a_program_that_is_too_large_is_refused_at_once():
    same = {"den": "1", "num": ["1"]}
    certificate = of(
        {"kind": "derivable", "source": "A", "target": "A"},
        {"A": {"type": "geometric", "n": 200, "level": "1/2"}},
        {"remap": [{"at": [y], **same} for y in range(201)]},
    )
    with pytest.raises(ResourceLimitError, match="the linear program has 8,201,403 numbers; the limit is 5,000,000"):
        to_vipr(certificate)
