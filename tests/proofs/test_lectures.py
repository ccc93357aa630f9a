# SPDX-License-Identifier: MIT
"""The two lectures: every entry of the inventory is recorded and replayed, and a replay notices when the
mathematics is changed.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from proof_programs import run

import exactdp as xdp
from exactdp.checker import check_bytes
from exactdp.exact import Rational
from exactdp.mechanisms import identity
from exactdp.mechanisms.noise import GeometricNoise
from proofs.foundations_lecture_4 import statements as definitions
from proofs.foundations_lecture_4 import statements as exercises
from proofs.foundations_lecture_4 import statements as local
from proofs.foundations_lecture_4 import statements as universal
from proofs.laplace_exponential_slides import statements as exponential
from proofs.laplace_exponential_slides import statements as laplace
from proofs.record import Printed, Status, load_paper
from proofs.replay import replay

SLIDES = "LAP1 LAPM LAPT LAPR LAPD E1 E2 E3 E4 NOI P1 GS EXP EXPT EXPS UT UC EX EXP1 EXM EXL UTP EYE MUSE"
LECTURE = "DP LAP GEO U 1 2 3 4 5 5p 6 7 8 PRI CQ G BN LP LDP UNI LDPX FLAT INV CLIP IBU"
INVENTORY = {"laplace_exponential_slides": SLIDES, "foundations_lecture_4": LECTURE}
NOTHING = Printed(Path("nowhere"))


@pytest.mark.parametrize("paper", INVENTORY)
def test_every_entry_of_the_inventory_is_recorded(paper):
    ids = [claim.id.split("/")[1] for claim in load_paper(paper).claims]
    assert sorted(ids) == sorted(INVENTORY[paper].split())


@pytest.mark.slow
@pytest.mark.parametrize("paper", INVENTORY)
def test_the_record_is_what_a_replay_finds(paper):
    results = replay(paper)
    assert [r.id for r in results if not r.agrees] == []
    for file in (load_paper(paper).folder / "certificates").iterdir():
        assert check_bytes(file.read_bytes()).status == "accepted"


@pytest.mark.parametrize("paper", INVENTORY)
def test_certificates_are_all_named_and_errata_tell_every_fault(paper):
    record = load_paper(paper)
    named = {name for claim in record.claims for name in claim.certificates}
    assert named == {file.name.removesuffix(".edp.json") for file in (record.folder / "certificates").iterdir()}
    errata = (record.folder / "errata.md").read_text(encoding="utf-8")
    for claim in record.claims:
        if claim.status in (Status.REFUTED, Status.IMPRECISE):
            assert f"**{claim.id.split('/')[1]}," in errata, claim.id


def scores_squared(scores, t):
    from exactdp.mechanisms.exponential import exponential_mechanism

    return exponential_mechanism(scores, t**3)


def uniformly(scores, t):
    from exactdp.model import Mechanism

    size = len(scores.candidates)
    return Mechanism([[t / t / size] * size])


def first_entry(m, graph):
    from types import SimpleNamespace as S

    return S(evidence=S(tightest=S(ratio=m[0, 0])))


CHANGES = [
    (laplace.privacy, laplace, "RoundedLaplaceNoise", GeometricNoise),
    (laplace.distribution, laplace, "RoundedLaplaceNoise", GeometricNoise),
    (definitions.geometric_noise, definitions, "GeometricNoise", laplace.RoundedLaplaceNoise),
    (exercises.truncated, exercises, "truncate", lambda noise, n: identity(range(n + 1))),
    (exercises.hamming, exercises, "tightest_level", None),
    (local.two_coins, local, "two_coin", lambda *_: identity(["yes", "no"])),
    (local.flat, local, "randomized_response", lambda labels, keep=None, alpha=None: identity(labels)),
    (exponential.exponential_privacy, exponential, "exponential_mechanism", scores_squared),
    (exponential.tail, exponential, "exponential_mechanism", uniformly),
    (exponential.expectation_proof, exponential, "exponential_mechanism", uniformly),
    (exponential.utility_proof, exponential, "exponential_mechanism", uniformly),
    (laplace.perturbation, laplace, "RoundedLaplaceNoise", GeometricNoise),
    (local.clipping, local, "clip_and_renormalise", tuple),
    (local.linear_program, local, "geometric", lambda n, a: identity(range(n + 1))),
    (universal.ghosh, universal, "lumped_geometric", lambda n, a: identity(range(n + 1))),
    (exercises.post_processing_privacy, exercises, "tightest_level", first_entry),
]


@pytest.mark.parametrize(("function", "module", "name", "wrong"), CHANGES, ids=lambda x: getattr(x, "__name__", None))
def test_a_replay_can_fail(monkeypatch, function, module, name, wrong):
    if wrong is None:
        from types import SimpleNamespace as S

        level = S(evidence=S(tightest=S(ratio=Rational("99/100"))))
        wrong = lambda m, graph: level  # noqa: E731
    assert function(NOTHING).status is not Status.REFUTED
    monkeypatch.setattr(module, name, wrong)
    assert function(NOTHING).status is Status.REFUTED


def test_the_expectation_bound_in_decimals():
    """EX fails at OPT = 1/2 and holds at OPT ≥ 1 on many score vectors, negative scores included."""
    K = 2.0
    assert 0.5 - K * (math.log(1) + math.log(0.5)) - 1 > 0.5
    for size, k in product((1, 2, 3), (0.5, 2.0, 20.0)):
        for scores in product((-30, -5, -1, 0, 1, 2), repeat=size):
            best = 2
            row = [best, *scores]
            weights = [math.exp((q - best) / k) for q in row]
            mean = sum(q * w for q, w in zip(row, weights, strict=True)) / sum(weights)
            assert mean >= best - k * (math.log(len(row)) + math.log(best)) - 1 - 1e-9


def test_faults_need_their_counterexamples(monkeypatch):
    """Where the counterexample is taken away no fault is found."""
    assert exponential.eye_colour(NOTHING).status is Status.REFUTED
    assert exponential.markov(NOTHING).status is Status.REFUTED
    assert local.uniform_protection(NOTHING).status is Status.REFUTED
    monkeypatch.setattr(exponential, "exponential_mechanism", scores_squared)
    assert exponential.eye_colour(NOTHING).status is Status.HOLDS
    fair = local.two_coin
    monkeypatch.setattr(local, "two_coin", lambda *_: fair("1/2", "1/2"))
    assert local.uniform_protection(NOTHING).status is Status.HOLDS


def test_records_in_doubt():
    """One sum over two people leaves both in doubt, each alone none; the four sums of E4 need all four."""
    assert exponential._in_doubt(2, [[0, 1]], Rational(0)) == 2
    assert exponential._in_doubt(2, [[0], [1]], Rational(0)) == 0
    few = [[0, 1, 2, 3], [0, 2], [0, 1], [0, 3]]
    assert exponential._in_doubt(4, few, Rational(0)) == 0
    assert exponential._in_doubt(4, few[:3], Rational(0)) > 0


def test_the_eye_colours_in_decimals():
    """EYE at ε = 3/4: 10 is more than 7.4/ε, and comes with a probability above e^(−3)."""
    weight = math.exp(-0.75 * 10 / 2)
    assert 10 > 7.4 / 0.75
    assert 4 * weight / (1 + 4 * weight) > math.exp(-3) > 0.049
    assert 9.218 < 2 * (math.log(5) + 3) < 9.219


def test_the_better_expectation_bound_in_decimals():
    """E[q] ≥ OPT − K·log(|R|/|R_OPT|), K = 2Δ/ε; with one candidate the printed bound needs OPT ≥
    e^(−1/K).
    """
    for row, k in product(product((-7.0, -1.0, 0.0, 0.5, 2.0), repeat=3), (0.5, 2.0, 20.0)):
        best = max(row)
        weights = [math.exp((q - best) / k) for q in row]
        mean = sum(q * w for q, w in zip(row, weights, strict=True)) / sum(weights)
        assert mean >= best - k * math.log(len(row) / row.count(best)) - 1e-9
    for k in (0.5, 2.0, 20.0):
        edge = math.exp(-1 / k)
        assert math.isclose(edge - k * math.log(edge) - 1, edge)
        assert 0.9 * edge - k * math.log(0.9 * edge) - 1 > 0.9 * edge


def test_prices_in_all_cents():
    buyers = (100, 100, 100, 401)
    profit = {p: p * sum(b >= p for b in buyers) for p in range(1, 1000)}
    assert max(profit, key=profit.get) == 401
    assert profit[100] == profit[400] == 400


def test_the_flat_constant_and_the_two_coin_level_in_decimals():
    for epsilon, k in product((0.1, 1.0, 3.0), (2, 5)):
        c = 1 / (math.exp(epsilon) + k - 1)
        assert math.isclose(c * math.exp(epsilon) + (k - 1) * c, 1)
    assert math.isclose(math.exp(-math.log(3)), 1 / 3)


def test_cite():
    shown = run("cite laplace_exponential_slides/EX")
    assert shown.code == 0
    for words in ("@misc{laplace_exponential_slides", "refuted as printed", "and so for OPT ≥ 1"):
        assert words in shown.out
    found = run("cite foundations_lecture_4/LDP --json").json
    assert found["status"] == "certified"
    assert found["certificates"][0]["digest"].startswith("sha256:")
    assert run("cite nobody/1").code == 2
    assert run("cite foundations_lecture_4/none").code == 3
    assert "did you mean gupte_sundararajan/T1" in run("cite gupte_sundararajan/t1").err


def test_cite_says_what_coq_states_and_what_is_only_replayed(monkeypatch):
    whole = run("cite gupte_sundararajan/EQ4").out
    assert "status     proved in general\nCoq        PaperProof.equation4: For 0 < a < 1" in whole
    assert "missing" not in whole
    # a record of which Coq states a part only
    record = load_paper("gupte_sundararajan")
    changes = {"status": Status.REPLAYED, "coq": ("last_chain",), "missing": "the first step"}
    claims = [replace(claim, **changes) if claim.id.endswith("/SUM") else claim for claim in record.claims]
    monkeypatch.setattr("proofs.cite.load_paper", lambda name: replace(record, claims=tuple(claims)))
    part = run("cite gupte_sundararajan/SUM").out
    assert "status     replayed\nCoq, part  PaperProof.last_chain: " in part
    assert "\nreplayed   chain." in part
    assert "\nmissing    the first step" in part
    found = run("cite gupte_sundararajan/SUM --json").json
    assert list(found["coq"]) == ["PaperProof.last_chain"]
    assert found["missing"] == "the first step"


def test_cite_a_file_of_one_s_own(tmp_path):
    path = tmp_path / "c.edp.json"
    xdp.certify(xdp.tightest_level(xdp.geometric(2, "1/2"), xdp.neighbours("path:3"))).write(path)
    shown = run(f"cite {path}")
    assert shown.code == 0
    assert json.loads(path.read_text())["digest"] in shown.out
    path.write_text(path.read_text().replace('"ratio": "1/2"', '"ratio": "1/3"'))
    assert run(f"cite {path}").code == 1
