"""The table of named losses: its functions against sums by the definition, and what must know its words."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pytest
from certificate_pool import seal
from hypothesis import given, settings
from hypothesis import strategies as st
from places import ROOT, SCHEMA

from exactdp import MinimaxConsumer, certify, optimum
from exactdp.certificate.decode import Decoder
from exactdp.checker import check_bytes
from exactdp.errors import DefectiveAnswerError
from exactdp.exact.power_sums import TwoSided, powers
from exactdp.model.loss import Loss, loss_of_labels, loss_on
from exactdp.model.named_losses import (
    BY_WORD,
    LOSSES,
    NAMED_LOSSES,
    OF_CERTIFICATES,
    ON_PATHS,
    NamedLoss,
    named_loss,
    path_sums,
)
from exactdp.model.neighbours import neighbours
from exactdp.search.path import exact_patterns as exact
from exactdp.search.path import float_patterns as floats
from exactdp.search.path import path_optimum
from exactdp.search.path.path_problem import loss_kind

MEANT = {
    "abs": lambda i, r: abs(i - r),
    "squared": lambda i, r: (i - r) ** 2,
    "zero-one": lambda i, r: 0 if i == r else 1,
    "distance": lambda i, r: abs(i - r),
    "squared-distance": lambda i, r: (i - r) ** 2,
}
"""What words mean on a path, written down a second time; a loss with sums must be here."""


@pytest.mark.parametrize("word", [word for word in BY_WORD if word in MEANT])
@pytest.mark.parametrize("n", [0, 1, 4])
def test_a_word_means_its_loss(word, n):
    """Of the vertices of a path, whose distance is |i − r|."""
    found = loss_on(named_loss(word), neighbours(f"path:{n + 1}"))
    assert [list(row) for row in found.matrix.rows()] == [[MEANT[word](i, r) for r in range(n + 1)] for i in range(n + 1)]
    assert found.is_monotone()


levels = st.sampled_from([(1, 2), (1, 1000), (3, 4), (99, 100), (2, 7)])


@pytest.mark.parametrize("word", ON_PATHS)
@given(levels, st.integers(0, 7), st.data())
@settings(max_examples=60)
def test_sums_on_a_path_are_those_of_the_table(word, level, n, data):
    (p, q), l, sums_of = level, MEANT[word], path_sums(word)
    a, scale, place = Fraction(p, q), powers(q, n), st.integers(0, n)
    # rows that sum to one number, times the scales of G: what path_value asks for
    total = data.draw(st.integers(1, 9))
    pairs, ends = [], [q] + [q - p] * (n - 1) + [q] if n else [p + q]
    for j in range(n + 1):
        t = data.draw(st.integers(0, total))
        pairs += [(j, data.draw(place), ends[j] * t), (j, data.draw(place), ends[j] * (total - t))]
    wanted = [q**n * sum(a ** abs(i - j) * l(i, r) * t for j, r, t in pairs) for i in range(n + 1)]
    assert sums_of.losses(p, q, pairs, scale, total * (p + q) * scale[-1]) == wanted
    c = data.draw(st.lists(st.integers(0, 9), min_size=n + 1, max_size=n + 1))
    costs = [[q**n * sum(a ** abs(i - j) * l(i, r) * c[i] for i in range(n + 1)) for r in range(n + 1)] for j in range(n + 1)]
    for j, r in enumerate(sums_of.guesses(TwoSided(p, q, c, sums_of.order_of_guesses))):
        assert costs[j][r] == min(costs[j])
    kept = TwoSided(p, q, c, sums_of.order_of_costs)
    assert [[sums_of.cost(kept, j, r) for r in range(n + 1)] for j in range(n + 1)] == costs
    assert named_loss(word).is_monotone(n + 1)


def test_finders_on_paths_are_for_losses_with_sums():
    assert exact.SYSTEMS.keys() == floats.PROGRAMS.keys() == path_optimum.GROWTH.keys()
    assert {*exact.SYSTEMS, *path_optimum.MINIMAX} <= ON_PATHS.keys()


def test_an_unknown_word_is_an_error_that_names_the_file():
    with pytest.raises(DefectiveAnswerError, match=r"exactdp/model/named_losses\.py, where it is to be added"):
        named_loss("no such word")
    with pytest.raises(DefectiveAnswerError, match="has no sums on a path"):
        path_sums("distance")
    with pytest.raises(DefectiveAnswerError, match="compares neighbours, not labels or integers"):
        loss_of_labels(named_loss("distance"), range(2))


def test_monotonicity_is_computed_and_not_believed(monkeypatch):
    """A loss of numbers that falls: a path has no short way for its word, as for its table."""
    waves = NamedLoss("waves", "(i − r) mod 2", compares="integers", value=lambda d: d % 2)
    assert not waves.is_monotone(3)
    assert waves.is_monotone(2)
    table = Loss([[abs(i - r) % 2 for r in range(4)] for i in range(4)])
    monkeypatch.setitem(BY_WORD, waves.word, waves)
    named = loss_of_labels(waves, range(4))
    assert (named.kind, named.matrix) == ("waves", table.matrix)
    assert named.has_single_crossing() == table.has_single_crossing() == False  # noqa: E712
    values = {optimum("path:4", "1/4", MinimaxConsumer(loss)).evidence.value for loss in (named, Loss(table.matrix, range(4), range(4)))}
    assert len(values) == 1


def test_a_table_is_a_named_loss_only_if_it_has_all_its_numbers():
    for word in ON_PATHS:
        rows = [[MEANT[word](i, r) for r in range(5)] for i in range(5)]
        assert loss_kind(4, Loss(rows)) == word
        rows[3][1] += 1
        assert loss_kind(4, Loss(rows)) is None
    assert loss_kind(4, Loss([[abs(i - r) ** 3 for r in range(5)] for i in range(5)])) is None


def test_who_tells_the_types_of_certificates_apart_has_all_of_them():
    """The checker's list is closed, and so are those of the format: an entry needs them first."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    enums = [option["properties"]["type"].get("enum") for option in schema["$defs"]["definition"]["oneOf"]]
    assert [*OF_CERTIFICATES] in enums
    spec = (ROOT / "exactdp" / "certificate" / "SPEC.md").read_text(encoding="utf-8")
    assert f"| {', '.join(f'`{kind}`' for kind in OF_CERTIFICATES)} |" in spec
    coq = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "proofs" / "coq").rglob("*.v"))
    for named in OF_CERTIFICATES.values():
        assert re.search(rf"^Definition {named.certificate.coq} ", coq, re.MULTILINE)
        assert re.search(rf"^(Lemma|Theorem) {named.certificate.coq_lemma}\b", coq, re.MULTILINE)


@pytest.mark.parametrize("kind", OF_CERTIFICATES)
def test_a_type_is_written_read_and_accepted(kind):
    named = OF_CERTIFICATES[kind]
    made = certify(optimum("path:3", "1/4", MinimaxConsumer(named.word)))
    assert made.definitions["l"] == {"type": kind, "n": 2}
    assert Decoder(made).definition("l") == loss_on(named, neighbours("path:3"))
    assert check_bytes(made.to_json().encode()).status == "accepted"


def test_a_type_that_the_checker_does_not_know_is_refused():
    made = json.loads(certify(optimum("path:3", "1/4", MinimaxConsumer("abs"))).to_json())
    for kind in ("cubed-loss", "cubed", "distance-loss", "loss"):
        made["definitions"]["l"]["type"] = kind
        answer = check_bytes(json.dumps(seal(made)).encode())
        assert answer.status == "malformed"
        assert "$.definitions.l" in str(answer.path)


def test_pages_have_the_words():
    page = (ROOT / "docs" / "vocabulary.md").read_text(encoding="utf-8")
    [row] = re.findall(r"^\| `loss` \|[^|]*\|([^|]*)\|$", page, re.MULTILINE)
    assert tuple(re.findall(r"`([^`]+)`", row.partition(";")[0])) == LOSSES
    only = [named.word for named in NAMED_LOSSES if named.only_in_sweeps]
    plan = (ROOT / "docs" / "plan-format.md").read_text(encoding="utf-8")
    [row] = re.findall(r"^\| `losses` \|([^|]*)\|$", plan, re.MULTILINE)
    assert set(only) <= set(re.findall(r"`([^`]+)`", row))
