# SPDX-License-Identifier: MIT
"""What is certain is told when the time is up, at whatever step that is: a clock strikes at its k-th look."""

import json
from collections.abc import Callable, Iterator
from itertools import islice
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest
from click.testing import CliRunner

from exactdp.analysis.audit import PrivacyClaim, audit
from exactdp.analysis.optimality.optimum import optimum
from exactdp.analysis.privacy import LEVEL, TIGHT, VIOLATED, is_private, tightest_level
from exactdp.analysis.verdict import Decision
from exactdp.cli import main
from exactdp.errors import ResourceLimitError
from exactdp.exact import Rational
from exactdp.mechanisms import geometric
from exactdp.model import BayesianConsumer, Graph, Loss, Metric, MinimaxConsumer, Prior, PrivacyLevel, Table, neighbours
from exactdp.runtime.process import TimeIsUpError

T = TypeVar("T")


def at_every_step(monkeypatch: pytest.MonkeyPatch, ask: Callable[[], T], step: int = 1) -> Iterator[T | ResourceLimitError]:
    """What a question answers when the clock strikes at its k-th look, for every k until it has enough."""
    looks = 0
    last = step

    def monotonic() -> float:
        nonlocal looks
        looks += 1
        return 0.0 if looks <= last else 10_000.0

    monkeypatch.setattr("exactdp.runtime.progress.time", SimpleNamespace(monotonic=monotonic))
    while True:
        looks = 0
        try:
            yield ask()
        except ResourceLimitError as error:
            yield error
        if looks <= last:
            return
        last += step


TABLE = [["1/2", "1/4", "1/4"], ["1/4", "1/4", "1/2"], ["1/8", "3/8", "1/2"], ["1/8", "3/8", "1/2"]]
FAR = Metric(range(4), [(0, 1, "11/10"), (1, 2, 1), (2, 3, "sqrt(2)"), (0, 2, 2), (0, 3, 3), (1, 3, 2)])


@pytest.mark.parametrize("near", [neighbours("complete:4"), FAR], ids=["graph", "metric"])
@pytest.mark.parametrize("level", ["1/8", "1/4", "9/20", "epsilon=7/10"])
def test_privacy_at_every_step(monkeypatch, near, level):
    whole = is_private(TABLE, near, level)
    e, kinds = whole.evidence, set()
    for found in at_every_step(monkeypatch, lambda: is_private(TABLE, near, level, time_limit=1)):
        if isinstance(found, ResourceLimitError):
            kinds.add("nothing")
            continue
        kinds.add(found.evidence.unfinished)
        assert found.decision in (whole.decision, Decision.UNDECIDED)
        assert found.evidence.tightest >= e.tightest
        assert set(found.evidence.violated) <= set(e.violated)
        assert set(found.evidence.tight) <= set(e.tight)
        if LEVEL not in found.evidence.unfinished:
            assert found.evidence.tightest == e.tightest
            assert found.decision is whole.decision
        if found.refuted:
            assert found.evidence.violated
        if not found.evidence.unfinished:
            assert found.claim == whole.claim
    assert {"nothing", (LEVEL, VIOLATED, TIGHT), ()} <= kinds
    assert found.evidence == e  # with time enough


def test_the_tightest_level_at_every_step(monkeypatch):
    whole = tightest_level(TABLE, FAR)
    answers = list(at_every_step(monkeypatch, lambda: tightest_level(TABLE, FAR, time_limit=1)))
    told = [found for found in answers if not isinstance(found, ResourceLimitError)]
    bounds = [found for found in told if LEVEL in found.evidence.unfinished]
    assert bounds
    assert all(found.decision is Decision.UNDECIDED and "at most" in found.claim for found in bounds)
    assert all(found.evidence.tightest >= whole.evidence.tightest and found.evidence.in_sympy() is None for found in bounds)
    assert all(found.claim == whole.claim for found in told if found not in bounds)


def test_without_a_limit_of_its_own_a_question_is_not_answered_in_part(monkeypatch):
    """A caller that asks whether a mechanism is private takes no half answer for a no."""
    from exactdp.runtime.progress import monitored

    def asked() -> Any:
        with monitored(None, 1):
            return is_private(TABLE, "complete:4", "1/8")

    answers = list(at_every_step(monkeypatch, asked))
    assert all(isinstance(found, ResourceLimitError) or not found.evidence.unfinished for found in answers)


CLAIMS = [
    None,
    PrivacyClaim(epsilon="3/2"),
    PrivacyClaim(epsilon=3),
    PrivacyClaim(epsilon="1/2", delta="1/100"),
    PrivacyClaim(alpha="1/8"),
    PrivacyClaim(epsilon=0, delta="1/3"),
]


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_an_audit_at_every_step(monkeypatch, claim):
    asked = {"claim": claim, "consumers": [MinimaxConsumer("abs"), MinimaxConsumer("zero-one")], "deltas": ["1/10"]}
    table = geometric(2, "1/4").as_table()
    whole = audit(table, "path", **asked)
    parts = {name: verdict.claim for name, verdict in whole.evidence.verdicts.items()}
    open_parts = set()
    for found in at_every_step(monkeypatch, lambda: audit(table, "path", **asked, time_limit=1), step=3):
        if isinstance(found, ResourceLimitError):
            continue  # before anything was asked
        e = found.evidence
        open_parts |= set(e.undecided)
        assert found.decision in (whole.decision, Decision.UNDECIDED)
        for name, verdict in e.verdicts.items():  # each part that is there is the part of the whole
            assert verdict.claim == parts[name]
        missing = set(parts) - set(e.verdicts)
        assert bool(missing) <= bool(e.undecided)
        assert len(e.consumers) == 2 or len(e.consumers) == len(whole.evidence.consumers)
        if e.ratio is not None:
            assert e.ratio == whole.evidence.ratio
        if not e.undecided:
            assert found.claim == whole.claim
        if e.claim_holds is not None:
            assert e.claim_holds == whole.evidence.claim_holds
    assert {"the tightest level", "the constraints that are tight", "what would repair it"} <= open_parts
    assert found.claim == whole.claim


def test_an_audit_of_a_wrong_table_at_every_step(monkeypatch):
    table = Table([["1/2", "1/3"], ["1/4", "3/4"]])
    answers = list(at_every_step(monkeypatch, lambda: audit(table, "path", claim=PrivacyClaim(epsilon=1), time_limit=1)))
    told = [found for found in answers if not isinstance(found, ResourceLimitError)]
    assert all(found.refuted for found in told)  # that it is no mechanism is known first
    assert any(found.evidence.undecided for found in told)


TREE = Graph(range(9), [(0, 1), (0, 2), (1, 3), (1, 4), (2, 5), (5, 6), (6, 7), (2, 8)])
PROBLEMS = [
    (neighbours("path:5"), "1/3", MinimaxConsumer("abs")),
    (neighbours("path:4"), "1/3", MinimaxConsumer([[0, 3, 1, 2], [2, 0, 2, 1], [1, 1, 0, 3], [3, 0, 1, 0]])),
    (neighbours("path:4"), PrivacyLevel(epsilon=1), MinimaxConsumer("abs")),
    (neighbours("cycle:5"), "1/2", MinimaxConsumer("zero-one")),
    (TREE, "1/2", BayesianConsumer("zero-one", Prior([Rational(i + 1, 45) for i in range(9)], TREE.vertices))),
]


@pytest.mark.parametrize("problem", PROBLEMS, ids=[f"{near}-{consumer.describe()[:12]}" for near, _, consumer in PROBLEMS])
def test_an_optimum_at_every_step(monkeypatch, problem):
    value = optimum(*problem).evidence.value
    kinds = set()
    for found in at_every_step(monkeypatch, lambda: optimum(*problem, time_limit=1)):
        assert not isinstance(found, ResourceLimitError)  # there are bounds in every phase
        kinds.add(found.decision)
        e = found.evidence
        if e.bounds is None:
            assert e.value == value
        else:
            assert e.bounds[0] <= value <= e.bounds[1]
            assert e.consumer.loss_of(e.best) == e.bounds[1]
            assert is_private(e.best, e.neighbours, e.level).proved
    assert Decision.PROVED in kinds


def test_an_optimum_of_a_large_tree_has_bounds_in_the_phases_before_its_search(monkeypatch):
    edges = [((7 * i) % 11 * (i - 1) // 11, i) for i in range(1, 60)]
    graph = Graph(range(60), edges)
    consumer = MinimaxConsumer(Loss.from_distance(graph))
    answers = at_every_step(monkeypatch, lambda: optimum(graph, "1/2", consumer, time_limit=1), step=2)
    for found in islice(answers, 12):
        lower, upper = found.evidence.bounds
        assert lower <= upper
        assert consumer.over(graph.vertices, graph).loss_of(found.evidence.best) == upper


# --- The command line ---


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("\n".join(",".join(row) for row in TABLE), encoding="utf-8")
    return "t.csv"


def run_at(monkeypatch: pytest.MonkeyPatch, words: list[str], look: int) -> Any:
    """The result of a command whose clock strikes at this look."""
    looks = 0

    def monotonic() -> float:
        nonlocal looks
        looks += 1
        return 0.0 if looks <= look else 10_000.0

    with monkeypatch.context() as patched:
        patched.setattr("exactdp.runtime.progress.time", SimpleNamespace(monotonic=monotonic))
        patched.setattr("exactdp.runtime.process.time", SimpleNamespace(monotonic=lambda: 0.0))
        return CliRunner().invoke(main, [*words, "--time-limit", "100"]), looks


@pytest.mark.parametrize(
    "question",
    [
        ["privacy", "t.csv", "--graph", "complete", "--alpha", "1/4"],
        ["privacy", "t.csv", "--graph", "complete"],
        ["audit", "t.csv", "--graph", "complete", "--claims-epsilon", "1/2", "--delta", "1/10", "--compare", "identity:n=3"],
    ],
    ids=["level", "tightest", "audit"],
)
def test_commands_at_every_step(monkeypatch, table, question):
    """The exit code is 4 as soon as something is not known; what is told is what the whole answer tells."""
    words = [*question, "--json"]
    whole = CliRunner().invoke(main, words)
    data = json.loads(whole.stdout)
    partial = False
    for look in range(1, 2000, 2):
        result, looks = run_at(monkeypatch, words, look)
        found = json.loads(result.stdout)
        if found["verdict"] not in ("undecided", None):
            assert found["verdict"] == data["verdict"]
        if looks <= look:
            break
        assert result.exit_code in (4, whole.exit_code)
        if found.get("undecided") or found.get("unfinished"):
            assert result.exit_code == 4
            assert "time limit" in found["error"]
            partial |= found["claim"] is not None
        if result.exit_code != 4:
            assert found["claim"] == data["claim"]
    else:
        pytest.fail("the clock never had time enough")
    assert partial
    assert result.exit_code == whole.exit_code


def test_a_part_that_is_decided_is_told_when_a_long_step_has_to_be_interrupted(monkeypatch, table):
    """As the program's clock does it: an exception out of the midst of a step."""

    def long_step(*_: object, **__: object) -> None:
        raise TimeIsUpError

    monkeypatch.setattr("exactdp.analysis.audit.is_optimal_after_remap", long_step)
    words = ["audit", table, "--graph", "complete", "--claims-epsilon", "1/2", "--for", "zero-one", "--time-limit", "1000"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 4
    assert result.stdout.startswith("REFUTED")
    assert "not decided  time limit" in result.stdout
    assert "what would repair it" in result.stderr
    data = json.loads(CliRunner().invoke(main, [*words, "--json"]).stdout)
    assert data["verdict"] == "refuted"
    assert {part["reason"] for part in data["undecided"]} == {"time limit"}
    assert data["exit_code"] == 4


def test_a_long_step_before_anything_is_certain_ends_the_command(monkeypatch, table):
    def long_step(*_: object, **__: object) -> None:
        raise TimeIsUpError

    monkeypatch.setattr("exactdp.analysis.audit.level_for_delta", long_step)
    result = CliRunner().invoke(main, ["audit", table, "--graph", "complete", "--time-limit", "1000"])
    assert result.exit_code == 4
    assert not result.stdout
