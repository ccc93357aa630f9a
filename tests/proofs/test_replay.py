# SPDX-License-Identifier: MIT
"""Replaying a paper: agreement with the record, disagreement with every false record, and findings that
follow the data.
"""

from __future__ import annotations

import json
import re
import shutil
from itertools import product
from pathlib import Path

import pytest

from exactdp.analysis import is_derivable, is_stochastic
from exactdp.errors import InputError
from exactdp.exact import ExactMatrix
from exactdp.mechanisms import geometric, identity, uniform
from exactdp.model import Mechanism, Table
from proofs.gupte_sundararajan import characterisation, consumers, levels, optimality
from proofs.gupte_sundararajan import examples as oblivious
from proofs.gupte_sundararajan import examples as tables
from proofs.gupte_sundararajan import mechanisms as noise
from proofs.gupte_sundararajan import optimality as chain
from proofs.record import PROOFS, Printed, Status, load_paper
from proofs.replay import exit_code, replay

PAPER = "gupte_sundararajan"
CUBE = ["".join(bits) for bits in product("01", repeat=3)]
clamping = consumers._clamping
CLAIMS = [claim.id for claim in load_paper(PAPER).claims]


@pytest.fixture(scope="module")
def results():
    return {result.id: result for result in replay(PAPER)}


@pytest.fixture
def copy(tmp_path):
    shutil.copytree(PROOFS / PAPER, tmp_path / PAPER)
    return tmp_path


def edit(root: Path, old: str, new: str) -> None:
    file = root / PAPER / "claims.toml"
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), encoding="utf-8")


def flipped(text: str, claim_id: str) -> str:
    """The claims file with another status for one claim."""
    before, entry = text.split(f'id = "{claim_id}"\n')
    status = re.search(r'^status = "(.*)"$', entry, re.MULTILINE)
    assert status is not None
    # any other will do
    other = {"certified": "refuted as printed", "refuted as printed": "certified"}.get(status[1], "certified")
    changed = entry[: status.start()] + f'status = "{other}"' + entry[status.end() :]
    return before + f'id = "{claim_id}"\n' + changed


@pytest.mark.slow
def test_every_claim_agrees_quickly(results):
    assert [result.id for result in results.values() if not result.agrees] == []
    assert exit_code(list(results.values())) == 0
    assert sum(result.seconds for result in results.values()) < 60
    assert list(results) == CLAIMS


def test_progress_names_every_claim():
    steps = []
    replay(PAPER, only=CLAIMS[:3], progress=steps.append)
    assert [(step.done, step.total, step.detail) for step in steps] == [*((i, 3, CLAIMS[i]) for i in range(3)), (3, 3, "")]


@pytest.mark.slow
@pytest.mark.parametrize("claim_id", CLAIMS)
def test_every_flipped_status_is_noticed(copy, claim_id):
    file = copy / PAPER / "claims.toml"
    file.write_text(flipped(file.read_text(encoding="utf-8"), claim_id), encoding="utf-8")
    found = replay(PAPER, only=[claim_id], root=copy)
    assert [result.agrees for result in found] == [False]
    assert "the recorded status is" in found[0].detail
    assert exit_code(found) == 1


def test_the_keys_of_a_status_are_part_of_the_record(copy):
    line = "As for DP: x_{i+1,r} ≥ α·x_{i,r} and x_{i,r} ≥ α·x_{i+1,r}; the printed 1/α is undefined at α = 0."
    edit(copy, f'repair = "{line}"\n', "")
    (result,) = replay(PAPER, only=[f"{PAPER}/D2"], root=copy)
    assert not result.agrees
    assert "needs the key 'repair'" in result.detail


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('argument = ["theorem2.condition"]', 'argument = ["theorem2.conditions"]', "theorem2.json states no theorem 'conditions'"),
    ],
)
def test_a_wrong_argument_is_noticed(copy, old, new, message):
    edit(copy, old, new)
    (result,) = replay(PAPER, only=[f"{PAPER}/3a"], root=copy)
    assert not result.agrees
    assert message in result.detail


@pytest.mark.parametrize(
    ("new", "message"),
    [
        ("", "needs a Coq theorem whose statement is the claim; an argument alone makes it 'replayed'"),
        ('coq = ["nothing"]\n', "no theorem 'nothing'"),
    ],
)
def test_a_record_without_its_standing_is_refused(copy, new, message):
    edit(copy, 'coq = ["condition_forms"]\n', new)
    with pytest.raises(InputError, match=message):
        replay(PAPER, root=copy)


def test_no_computation_finds_a_statement_for_all_n(results):
    assert not {"proved in general", "replayed"} & {result.found for result in results.values()}
    assert results[f"{PAPER}/L3"].found == "holds where tried"


def test_a_broken_argument_is_noticed(copy):
    file = copy / PAPER / "arguments" / "geometric.json"
    text = file.read_text(encoding="utf-8")
    assert text.count("i = j: 1+a^2") == 1
    file.write_text(text.replace("i = j: 1+a^2", "i = j: 1-a^2"), encoding="utf-8")
    (result,) = replay(PAPER, only=[f"{PAPER}/TH2"], root=copy)
    assert not result.agrees
    assert "theorem2.json is rejected: geometric.json: $.theorems[0]" in result.detail


def test_a_certificate_that_is_not_recorded_is_noticed(copy):
    edit(copy, 'certificates = ["clamping-not-best", "clamping-best"]', 'certificates = ["clamping-best"]')
    (result,) = replay(PAPER, only=[f"{PAPER}/E1"], root=copy)
    assert not result.agrees


@pytest.mark.parametrize("change", ["tampered", "exchanged", "broken"])
def test_a_wrong_certificate_file_is_noticed(copy, change):
    folder = copy / PAPER / "certificates"
    file = folder / "table-1c-not-optimal.edp.json"
    if change == "tampered":
        data = json.loads(file.read_text(encoding="utf-8"))
        data["claim"]["gap"] = "63/73041"
        file.write_text(json.dumps(data), encoding="utf-8")
    elif change == "exchanged":
        shutil.copy(folder / "clamping-not-best.edp.json", file)
    else:
        file.write_text("{", encoding="utf-8")
    (result,) = replay(PAPER, only=[f"{PAPER}/T1c"], root=copy)
    assert not result.agrees


def test_unknown_claims_and_functions_are_refused(copy):
    with pytest.raises(InputError, match="has no claim 'nothing'"):
        replay(PAPER, only=["nothing"])
    edit(copy, 'replay = "examples.table_1c"', 'replay = "examples.table_9"')
    with pytest.raises(InputError, match=r"no replay function 'examples\.table_9'"):
        replay(PAPER, only=[f"{PAPER}/T1c"], root=copy)


# the known facts, by number


@pytest.mark.parametrize(
    ("claim", "facts"),
    [
        ("T1", ["168/415", "(68/83, 15/83, 0, 0)"]),
        ("T1a", ["126323/124950", "6487/6468", "12/49"]),
        ("T1b", ["5/3", "3/5 times the printed matrix is G(3, 1/4)"]),
        ("T1c", ["357/880", "63/73040"]),
        ("AB", ["-1/12 < 0 at rows 0, 1, 2 of column 1", "Violated triples: 1"]),
        ("E1", ["2/5", "8/23", "6/115"]),
        ("AEQ5", ["least loss is 1/3", "on databases 1/6"]),
        ("L3", ["cases 1 and 3 give 0", "case 2 gives 1 > 1"]),
        ("EQ3", ["950", "αb″ = b (fails)", "not enough"]),
        ("ALL", ["-1/4"]),
        ("ADJ", ["with loss 1/3", "not its loss"]),
        ("L5P", ["keeps privacy for no δ"]),
        ("A0", ["the loss 1/6", "at least 1/3", "1/4 and 1/3"]),
        ("2.6a", ["-7/10"]),
    ],
)
def test_known_facts(results, claim, facts):
    assert all(fact in results[f"{PAPER}/{claim}"].detail for fact in facts)


# findings follow the data: another table, another finding


def write(root: Path, name: str, matrix: ExactMatrix) -> Printed:
    lines = [",".join(map(str, row)) for row in matrix.rows()]
    (root / PAPER / "tables" / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return Printed(root / PAPER)


def test_a_corrected_table_1_would_be_certified(copy):
    G = geometric(3, "1/4").matrix
    right = ExactMatrix([["68/83", "15/83", 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, "15/83", "68/83"]])
    printed = write(copy, "table-1c", right)
    assert tables.table_1c(printed).status is Status.CERTIFIED
    assert tables.table_1(printed).status is Status.REFUTED
    write(copy, "table-1a", G @ right)
    assert tables.table_1a(printed).status is Status.CERTIFIED
    assert tables.table_1(printed).status is Status.CERTIFIED
    write(copy, "table-1b", G)
    assert tables.table_1b(printed).status is Status.CERTIFIED
    write(copy, "table-1b", right)
    assert tables.table_1b(printed).status is Status.REFUTED


def test_another_appendix_b_would_be_refuted_and_its_consumers_differ(copy):
    printed = write(copy, "appendix-b", geometric(3, "1/2").matrix)
    assert tables.appendix_b(printed).status is Status.REFUTED
    assert characterisation.neither_implies(printed).status is Status.REFUTED
    assert consumers.derivability(printed).status is Status.REFUTED


@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "claims"),
    [
        ("table-1a", ["T1", "T1a"]),
        ("table-1b", ["T1", "T1b"]),
        ("table-1c", ["T1", "T1c", "2.5a"]),
        ("appendix-b", ["AB", "AB2", "3b", "D3"]),
    ],
)
def test_every_changed_entry_of_a_table_is_noticed(copy, table, claims):
    """One entry at a time: some claim disagrees with its record or its certificate, or the table is no
    mechanism any more.
    """
    rows = [list(row) for row in Printed(copy / PAPER).table(table).rows()]
    for i, row in enumerate(rows):
        for j, entry in enumerate(row):
            changed = [list(other) for other in rows]
            changed[i][j] = entry + 1
            write(copy, table, ExactMatrix(changed))
            try:
                results = replay(PAPER, only=[f"{PAPER}/{claim}" for claim in claims], root=copy)
            except InputError:
                continue
            assert exit_code(results) == 1, (i, j)


def test_a_missing_table_is_an_error(copy):
    (copy / PAPER / "tables" / "table-1a.csv").unlink()
    with pytest.raises(InputError, match="'table-1a' is missing"):
        replay(PAPER, only=[f"{PAPER}/T1a"], root=copy)


@pytest.mark.parametrize(
    ("module", "name", "fake", "question", "found"),
    [
        (
            optimality,
            "is_derivable",
            lambda target, source: is_derivable(target, source=target),
            optimality.all_optimal_derivable,
            Status.OPEN,
        ),
        (levels, "_stochastic", lambda T: False, levels.lemma_3, Status.REFUTED),
        (levels, "_factors", lambda *_: False, levels.lemma_4, Status.REFUTED),
        (consumers, "_clamping", lambda n, low: clamping(n, 0), consumers.clamping, Status.REFUTED),
        (noise, "lumped_geometric", lambda n, alpha: uniform(range(n + 1)), noise.range_restricted, Status.REFUTED),
        (oblivious, "is_private", lambda *_: is_stochastic(Table([[2]])), oblivious.objective_5, Status.REFUTED),
        (consumers, "two_output_mechanisms", lambda n, a: [identity(range(3))] * 2, consumers.search, Status.REFUTED),
        (consumers, "geometric", lambda n, a: uniform(range(n + 1)), consumers.generalises, Status.REFUTED),
        (characterisation, "_replaced", lambda matrix, i, x: matrix, characterisation.cramer, Status.REFUTED),
        (characterisation, "geometric", lambda n, a: identity(range(n + 1)), characterisation.convex_hull, Status.OPEN),
        (levels, "_slope", lambda a, b: b * b - a, levels.displays, Status.OPEN),
        (levels, "geometric", lambda n, a: uniform(range(n + 1)), levels.independent, Status.REFUTED),
        (noise, "geometric", lambda n, a: uniform(range(n + 1)), noise.events, Status.REFUTED),
        (noise, "product", lambda *sets, repeat=1: [], noise.count_changes, Status.REFUTED),
        (chain, "is_identity", lambda *_: False, chain.display_4, Status.REFUTED),
        (chain, "is_identity", lambda *_: False, chain.final_chain, Status.REFUTED),
        (characterisation, "triples", lambda *_: True, characterisation.theorem_2, Status.REFUTED),
        (characterisation, "determinants", lambda *_: False, characterisation.lemma_2, Status.REFUTED),
        (optimality, "uncrossed", lambda mechanism, alpha: None, optimality.lemma_5, Status.REFUTED),
        (optimality, "_total", lambda mechanism: 0, optimality.perturbation, Status.REFUTED),
        (optimality, "loss_at", lambda loss, mechanism, i: mechanism.matrix[0, 0] - i, optimality.perturbation, Status.REFUTED),
        (optimality, "crossing", lambda: geometric(2, "1/2"), optimality.every_optimal_has_the_pattern, Status.OPEN),
        (oblivious, "_by_steps_from_001", lambda: Mechanism([["1/4"] * 4] * 8, CUBE, range(4)), oblivious.loss_on_databases, Status.HOLDS),
    ],
)
def test_a_replay_would_notice_a_false_step(monkeypatch, module, name, fake, question, found):
    monkeypatch.setattr(module, name, fake)
    assert question(Printed(PROOFS / PAPER)).status is found
