# SPDX-License-Identifier: MIT
"""A share of the search for contradictions; `python tests/contradictions` is the long run. And: what it can
find, it finds.
"""

from __future__ import annotations

from fractions import Fraction as F

import pytest
from contradictions.attacks import Draft, sealed
from contradictions.facts import Store
from contradictions.mutants import hunt
from contradictions.oracle import least, optimum, rank, solvable
from contradictions.scene import At, Consumer, Mechanism, Near, Power, Scene, compare_levels, covers, points
from contradictions.search import Tally, inlined, rows_beside_certificates, search

from exactdp.checker import kernel, limits
from exactdp.sweeps import agreement

DEFINITIONS = 1000


@pytest.mark.slow
def test_no_contradiction_and_nothing_false():
    tally = search(range(DEFINITIONS), seed=0)
    assert not tally.findings, "\n".join(map(str, tally.findings))
    assert not tally.defects, "\n".join(map(str, tally.defects))
    assert not tally.untrue, "\n".join(map(str, tally.untrue))
    assert not tally.broken, tally.broken
    accepted = {(kind, numbers) for (kind, numbers, status), n in tally.answers.items() if status == "accepted" and n}
    assert len({kind for kind, _ in accepted}) > 45
    assert {"determinant", "not-determinant"} <= {kind for kind, _ in accepted}
    assert {numbers for _, numbers in accepted} == {"rational", "exponential", "interval"}
    assert sum(tally.pairs.values()) > 2 * DEFINITIONS
    assert tally.judged["True"] > 2 * DEFINITIONS


HOLES = (  # conditions that are left out, one at a time
    "privacy: x_ir",
    "x_ir < α^d",
    "Σ b_i w_i < 0",
    "(Φ·v)_i = b_i",
    "A·R = B",
    "Σ W_xr B_xr",
    "the dual's bound",
    "graph rule: slack",
    "Σ_y min_r φ_r(y)",
    "the number counted",
    "Σ_r max(0",
    "c + Σ w_r ≤ δ",
    "least x_ir ≥",
    "Σ z_cr (x_ir − α^d·x_jr) <",
)


@pytest.mark.slow
@pytest.mark.parametrize("rule", HOLES)
def test_a_checker_with_a_hole_is_found_out(rule, monkeypatch):
    modules = [kernel, *map(kernel.beside, (*kernel.CORE, *kernel.BESIDE))]
    demanded = limits.require

    def with_hole(holds, text, path, left, right):
        if not text.startswith(rule):
            demanded(holds, text, path, left, right)

    for module in modules:
        if hasattr(module, "require"):
            monkeypatch.setattr(module, "require", with_hole)
    tally = search(range(2000), seed=1, thorough=0.5, enough=1)
    assert tally.findings


# ── mutants of certificates
# ─────────────────────────────────────────────────────────────────────────────────────────
def test_no_mutant_that_is_accepted_is_false():
    """A few hundred; `python tests/contradictions --mutants 100000` is the long run."""
    found = hunt(400, 0, definitions=5)
    assert not found.false, found.false
    assert not found.defects, found.defects
    assert found.mutants == found.answers.total() == 400
    assert found.accepted == found.true + found.unjudged.total()
    assert found.true > 10


@pytest.mark.mostly_slow(1)
@pytest.mark.parametrize("rule", ["privacy: x_ir", "the loss", "Σ_y min_r φ_r(y)"])
def test_mutants_find_out_a_checker_without_a_condition(rule, monkeypatch):
    demanded = limits.require

    def with_hole(holds, text, path, left, right):
        if not text.startswith(rule):
            demanded(holds, text, path, left, right)

    for module in [kernel, *map(kernel.beside, (*kernel.CORE, *kernel.BESIDE))]:
        if hasattr(module, "require"):
            monkeypatch.setattr(module, "require", with_hole)
    # of the last rule few mutants fall into the hole: others are drawn from further seeds
    assert any(hunt(1500, seed, definitions=0, enough=1).false for seed in range(1, 13))


@pytest.mark.slow
def test_rows_are_accepted_beside_what_they_speak_of():
    tally = Tally()
    for number in range(300):
        rows_beside_certificates(number, 0, tally, kernel.check_bytes, 6)
    assert not tally.findings, "\n".join(map(str, tally.findings))
    assert tally.rows["as answered", True] > 1500
    assert tally.rows["as answered", False] + tally.rows["altered", False] > 5000
    assert not tally.rows["altered", True]


@pytest.mark.slow
@pytest.mark.parametrize("source", list(agreement._IS_SAME), ids=lambda source: source.value)
def test_a_comparison_with_a_hole_is_found_out(source, monkeypatch):
    """Each thing that a row and a certificate have in common, compared no longer."""
    holes = {known: (lambda *_: True) if known is source else same for known, same in agreement._IS_SAME.items()}
    monkeypatch.setattr(agreement, "_IS_SAME", holes)
    tally = Tally()
    for number in range(1000):
        rows_beside_certificates(number, 0, tally, kernel.check_bytes, 6)
        if tally.findings:
            break
    assert tally.findings


# ── the parts of the search
# ─────────────────────────────────────────────────────────────────────────────────────────
PATH2 = {"type": "path", "vertices": 2}
HALF = {
    "type": "mechanism",
    "inputs": ["0", "1"],
    "outputs": ["0", "1"],
    "rows": [{"den": "3", "num": ["2", "1"]}, {"den": "3", "num": ["1", "2"]}],
}


def clashes(*claims):
    """What the store says of claims about one mechanism on two inputs."""
    store, found = Store(), []
    for claim in claims:
        certificate = sealed(Draft(claim, {"M": HALF, "N": PATH2, "l": {"type": "zero-one-loss", "n": 1}}, {}))
        [at] = points(certificate["definitions"])
        found += store.add(certificate, claim, Scene(certificate["definitions"], at))
    return [*found, *store.implied()]


def test_facts_that_exclude_each_other():
    about = {"mechanism": "M", "neighbours": "N"}
    private, level = {"kind": "private", **about, "level": "1/2"}, {"kind": "level", **about, "ratio": "1/2", "distance": "1"}
    assert not clashes(private, level)
    assert clashes(private, {**private, "kind": "not-private"})
    assert clashes(level, {**private, "kind": "not-private"})
    assert clashes({**private, "level": "3/5"}, level)
    assert clashes(level, {**level, "ratio": "1/4"})
    assert not clashes(level, {**level, "ratio": "1/4", "distance": "2"})
    assert clashes(private, {"kind": "not-stochastic", "table": "M"})


def test_a_private_mechanism_bounds_the_optimum():
    private = {"kind": "private", "mechanism": "M", "neighbours": "N", "level": "1/2"}
    consumer = {"type": "minimax", "loss": "l", "side_information": [0, 1]}
    optimal = {"kind": "optimal", "neighbours": "N", "level": "1/2", "consumer": consumer, "value": "1/3"}
    assert not clashes(private, optimal)
    assert clashes(private, {**optimal, "value": "2/5"})
    assert clashes(optimal, {**optimal, "value": "1/4"})


def test_levels_with_different_distances():
    at = At()
    assert compare_levels(Power(F(1, 4), F(4)), Power(F(1, 2)), at) == 0
    assert compare_levels(Power(F(1, 4), F(4)), Power(F(499, 1000)), at) == 1
    assert compare_levels(Power(F(1, 2), F(2)), Power(F(1, 2)), at) == 1


def test_the_linear_programs_of_the_oracle():
    assert least([F(1), F(1)], [{0: F(1), 1: F(2)}], [F(4)]) == (F(2), [F(0), F(2)])
    assert least([F(1)], [{0: F(1)}], [F(-1)]) is None
    near = Near(("0", "1"), ((0, 1, F(1)),), True)
    loss = Mechanism(("0", "1"), ("0", "1"), ((F(0), F(1)), (F(1), F(0))))
    assert optimum(near, F(1, 2), Consumer(loss, (0, 1), None), At()) == (F(1, 3), True)
    star = Near(tuple("0123"), tuple((0, i, F(1)) for i in (1, 2, 3)), True)
    assert solvable(star, F(1, 2), (F(1),) * 4, At())[0]
    assert not solvable(star, F(51, 100), (F(1),) * 4, At())[0]
    assert rank([[F(1), F(2)], [F(2), F(4)]], At()) == 1


def test_pieces_with_a_gap():
    whole = {"at_least": "0", "below": "1"}
    first, last = {"at_least": "0", "below": "1/2"}, {"at_least": "1/2", "below": "1"}
    assert covers(whole, [first, last])
    assert not covers(whole, [first, {"above": "1/2", "below": "1"}])
    assert not covers(whole, [{"above": "0", "below": "1/2"}, last])
    assert not covers(whole, [first])
    assert covers({"at": "1/2"}, [{"at": "1/2"}])


def test_a_claim_with_its_definitions_in_place():
    claim = {"kind": "sequential-level", "mechanisms": ["M", "K"], "neighbours": "N", "ratio": "1/4"}
    one = sealed(Draft(claim, {"M": HALF, "K": HALF, "N": PATH2}, {}))
    assert inlined(one) == inlined(sealed(Draft({**claim, "mechanisms": ["K", "M"]}, {"M": HALF, "K": HALF, "N": PATH2}, {})))
    assert inlined(one) != inlined(sealed(Draft(claim, {"M": HALF, "K": HALF, "N": {"type": "path", "vertices": 3}}, {})))
