# SPDX-License-Identifier: MIT
"""What is certain is told when the time is up, at whatever step that is: a clock strikes at its k-th look."""

import json
from collections.abc import Callable, Iterator
from itertools import islice
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest
from click.testing import CliRunner
from flint import arb, fmpq

from exactdp.analysis.approximate import LEAST_DELTA, at_least_text, is_approximately_private, least_delta, level_for_delta
from exactdp.analysis.audit import PrivacyClaim, audit
from exactdp.analysis.optimality.optimum import optimum
from exactdp.analysis.printed.delta_ends import LARGEST, SMALLEST
from exactdp.analysis.privacy import LEVEL, TIGHT, VIOLATED, is_private, tightest_level
from exactdp.analysis.verdict import Decision
from exactdp.certificate import certify
from exactdp.cli import main
from exactdp.errors import ResourceLimitError
from exactdp.exact import Rational
from exactdp.mechanisms import geometric
from exactdp.model import BayesianConsumer, Graph, Loss, Metric, MinimaxConsumer, Prior, PrivacyLevel, Table, neighbours, printed_table
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


@pytest.mark.mostly_slow(2)
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


@pytest.mark.mostly_slow(1)
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

    monkeypatch.setattr("exactdp.analysis.optimality.mechanism_optimality.is_optimal_after_remap", long_step)
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


# --- (ε, δ)-privacy ---

DELTA_TABLES = {
    "rational": (
        [["1/2", "1/4", "1/4"], ["1/4", "1/4", "1/2"], ["1/8", "3/8", "1/2"], ["0", "3/8", "5/8"]],
        ["1/2", "epsilon=1/3", "epsilon=0"],
    ),
    "exponential": (geometric(3, PrivacyLevel(epsilon="1/2")), ["epsilon=1/4", "epsilon=0.49999", "epsilon=0.2500001"]),
}
DELTA_CASES = [(name, level) for name, (_, levels) in DELTA_TABLES.items() for level in levels]


def excess(found: Any, alpha: Any) -> Any:
    """P(E|i) − P(E|j)/α of an event, from the table alone, as a ball of FLINT."""
    event, rows = found.evidence.event, [list(row) for row in found.evidence.subject.matrix.rows()]
    likely, unlikely = (sum(ball(rows[i][r]) for r in event.outputs) for i in (event.high, event.low))
    return likely - unlikely / alpha


def ball(x: Any) -> arb:
    low, high = (x, x) if isinstance(x, Rational) else x.enclosure(60)
    return arb(fmpq(low.numerator, low.denominator)).union(arb(fmpq(high.numerator, high.denominator)))


ALPHAS = {
    "1/2": arb(1) / 2,
    "epsilon=1/3": (arb(-1) / 3).exp(),
    "epsilon=0": arb(1),
    "epsilon=1/4": (arb(-1) / 4).exp(),
    "epsilon=0.49999": (arb(-49999) / 100000).exp(),
    "epsilon=0.2500001": (arb(-2500001) / 10**7).exp(),
}


def unfinished_at_every_step(monkeypatch, whole, question):
    """The answers of those steps at which only something is certain; others are none, or the whole one."""
    partial = []
    for found in at_every_step(monkeypatch, question):
        if isinstance(found, ResourceLimitError):
            assert "seconds" in found.facts
        elif found.evidence.unfinished:
            partial.append(found)
        else:
            assert found.claim == whole.claim
    assert found.claim == whole.claim  # with time enough
    return partial


@pytest.mark.parametrize(("name", "level"), DELTA_CASES)
def test_the_least_delta_at_every_step(monkeypatch, name, level):
    """What is told is at most the least δ, and an event of two neighbours shows it."""
    table = DELTA_TABLES[name][0]
    whole = least_delta(table, "path", level)
    largest = whole.evidence.delta if whole.evidence.bounds is None else whole.evidence.bounds[1]
    partial = unfinished_at_every_step(monkeypatch, whole, lambda: least_delta(table, "path", level, time_limit=1))
    assert partial
    for found in partial:
        e = found.evidence
        assert found.decision is Decision.UNDECIDED
        assert (e.delta, e.unfinished) == (None, (LEAST_DELTA,))
        assert f"not found in time; it is at least {at_least_text(e)}" in found.claim
        assert 0 < e.at_least <= largest
        assert not ball(e.at_least) > excess(found, ALPHAS[level])
        assert abs(e.event.high - e.event.low) == 1


@pytest.mark.parametrize("asked", ["0", "1/100", "1/8", "99/100"])
@pytest.mark.parametrize(("name", "level"), DELTA_CASES)
def test_a_delta_asked_about_at_every_step(monkeypatch, name, level, asked):
    """Refuted as soon as an event breaks it, never proved before all pairs were seen."""
    table = DELTA_TABLES[name][0]
    whole = is_approximately_private(table, "path", level, asked)
    early = set()

    def question():
        return is_approximately_private(table, "path", level, asked, time_limit=1)

    for found in unfinished_at_every_step(monkeypatch, whole, question):
        assert found.decision in (whole.decision, Decision.UNDECIDED)
        early.add(found.decision)
        assert not found.proved
        if found.refuted:
            assert found.evidence.at_least > Rational(asked)
            assert excess(found, ALPHAS[level]) > ball(Rational(asked))
            if not found.evidence.apart:
                assert certify(found).kind == "not-approximately-private"
        else:
            assert "was not decided in time; the least δ is at least" in found.claim
    assert Decision.REFUTED not in early or whole.refuted
    assert Decision.REFUTED in early or not whole.refuted


@pytest.mark.parametrize("asked", ["0", "1/8"])
@pytest.mark.parametrize("name", DELTA_TABLES)
def test_the_level_of_a_delta_at_every_step(monkeypatch, name, asked):
    table = DELTA_TABLES[name][0]
    whole = level_for_delta(table, "path", asked)
    partial = unfinished_at_every_step(monkeypatch, whole, lambda: level_for_delta(table, "path", asked, time_limit=1))
    assert partial
    for found in partial:
        e = found.evidence
        assert found.decision is Decision.UNDECIDED
        assert "was not found in time; it is at most" in found.claim
        assert whole.evidence.ratio <= e.ratio < 1
        assert e.event.unlikely == e.ratio * (e.event.likely - Rational(asked))


def test_without_a_limit_of_its_own_no_part_of_a_delta_is_taken_for_all_of_it(monkeypatch):
    from exactdp.runtime.progress import certain_so_far, monitored

    table = DELTA_TABLES["rational"][0]

    def asked() -> Any:
        with monitored(None, 1):
            found = [
                least_delta(table, "path", "1/2"),
                is_approximately_private(table, "path", "1/2", "1/100"),
                level_for_delta(table, "path", 0),
            ]
            assert certain_so_far() is None
            return found

    for found in at_every_step(monkeypatch, asked):
        assert isinstance(found, ResourceLimitError) or not any(verdict.evidence.unfinished for verdict in found)


PRINTED = printed_table([["0.31", "0.42", "0.27"], ["0.30", "0.30", "0.40"], ["0.25", "0.35", "0.40"]], digits=2)


@pytest.mark.mostly_slow(6)
@pytest.mark.parametrize("asked", [None, "0", "1/100", "1/20", "1/15", "1/2"])
@pytest.mark.parametrize("level", ["9/10", "epsilon=1/10", "epsilon=0"])
def test_both_ends_of_a_printed_delta_at_every_step(monkeypatch, level, asked):
    """What is told are bounds, each from a table that prints so or for all of them."""

    def ask(**limit: Any) -> Any:
        if asked is None:
            return least_delta(PRINTED, "path", level, **limit)
        return is_approximately_private(PRINTED, "path", level, asked, **limit)

    whole = ask()
    least, most = whole.evidence.smallest, whole.evidence.largest
    kinds = set()
    for found in at_every_step(monkeypatch, lambda: ask(time_limit=1)):
        if isinstance(found, ResourceLimitError):
            kinds.add("nothing")
            continue
        e = found.evidence
        kinds.add(e.unfinished)
        assert found.decision in (whole.decision, Decision.UNDECIDED)
        assert e.smallest.bound <= least.bound <= least.delta <= e.smallest.delta
        assert e.largest.delta <= most.delta <= most.bound <= e.largest.bound
        assert PRINTED.contains(e.smallest.table)
        assert PRINTED.contains(e.largest.table)
        if not e.unfinished:
            assert found.claim == whole.claim
    assert {(LARGEST, SMALLEST), (SMALLEST,), ()} <= kinds


@pytest.mark.mostly_slow(4)
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("delta t.csv --graph complete --alpha 1/2", "delta_at_least"),
        ("delta t.csv --graph complete --alpha 1/2 --delta 1/100", "delta_at_least"),
        ("delta t.csv --graph complete --epsilon 1/3 --delta 9/10", "delta_at_least"),
        ("delta t.csv --graph complete --delta 1/10", "level_at_most"),
        ("delta geometric:n=4,epsilon=1/2 --epsilon 0.49999", "delta_at_least"),
        ("delta geometric:n=4,epsilon=1/2 --epsilon 0.49999 --delta 1/1000000", "delta_at_least"),
        ("delta rounded.csv --graph path --rounding 1/1000 --alpha 9/10", "delta_at_least"),
        ("delta rounded.csv --graph path --rounding 1/1000 --delta 1/10", "level_at_most"),
        ("delta printed.csv --graph path --digits 2 --alpha 9/10", "unfinished"),
        ("delta printed.csv --graph path --digits 2 --alpha 9/10 --delta 1/2", "unfinished"),
    ],
)
def test_delta_tells_what_is_certain_with_exit_code_4(monkeypatch, table, words, told):
    from pathlib import Path

    Path("rounded.csv").write_text("0.5,0.4999\n0.3,0.7\n0.2,0.8001\n", encoding="utf-8")
    Path("printed.csv").write_text("0.31,0.42,0.27\n0.30,0.30,0.40\n0.25,0.35,0.40\n", encoding="utf-8")
    question = words.split()
    whole = CliRunner().invoke(main, [*question, "--json"])
    data = json.loads(whole.stdout)
    partial = 0
    for look in range(1, 3000):
        result, looks = run_at(monkeypatch, [*question, "--json"], look)
        found = json.loads(result.stdout)
        if looks <= look:
            break
        assert result.exit_code in (4, whole.exit_code)
        if found["verdict"] not in ("undecided", None):
            assert found["verdict"] == data["verdict"]
        if found.get("unfinished"):
            partial += 1
            assert told in found
            assert result.exit_code == 4
            assert "the time limit has passed; not known: the " in found["error"]
            text, _ = run_at(monkeypatch, question, look)
            assert text.exit_code == 4
            assert "not known in time" in text.stdout
        elif result.exit_code != 4:
            assert found["claim"] == data["claim"]
    else:
        pytest.fail("the clock never had time enough")
    assert partial
    assert found["claim"] == data["claim"]


def test_the_delta_of_the_pairs_so_far_is_told_when_a_long_pair_has_to_be_interrupted(monkeypatch, table):
    from exactdp.analysis.row_pairs import Divergences

    usual, calls = Divergences.is_above, 0

    def third_is_long(*given: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise TimeIsUpError
        return usual(*given)

    monkeypatch.setattr(Divergences, "is_above", third_is_long)
    words = ["delta", table, "--graph", "path", "--alpha", "9/10", "--time-limit", "1000"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 4
    assert "was not found in time; it is at least " in result.stdout
    assert "attained by" in result.stdout
    calls = 0
    result = CliRunner().invoke(main, [*words, "--delta", "1/1000", "-o", "c.json"])
    assert result.exit_code == 4
    assert result.stdout.startswith("REFUTED")
    assert "no certificate was written: the time was up" in result.stderr
