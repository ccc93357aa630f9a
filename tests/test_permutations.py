"""The order in which rows, columns and labels are written down changes no answer (a quick share of ``python
tests/permutations``).
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest
from permutations import oracle
from permutations.presentation import Presentation, shuffled
from permutations.questions import QUESTIONS
from permutations.search import cases

CASES = 350


@pytest.fixture
def frames():
    """The libraries of the objects in Python."""
    for library in ("pandas", "polars"):
        pytest.importorskip(library)


@pytest.mark.slow
@pytest.mark.usefixtures("frames")
def test_no_permutation_changes_an_answer():
    counts: Counter[str] = Counter()
    for found, failures in cases(2026, CASES):
        counts += found
        assert not failures, "\n\n".join(map(str, failures))
    asked = {key for key in counts if key.startswith("question")}
    assert len(asked) >= len(QUESTIONS) - 2
    for mode in ("labels", "positions", "mixed", "by-position"):
        assert counts[f"command, {mode}"] > 30
        assert counts[f"python, {mode}"] > 20


@pytest.mark.slow
@pytest.mark.usefixtures("frames")
def test_what_is_written_down_wrongly_is_noticed(monkeypatch):
    """With every unlabelled object in an order of its own the answers are about other objects, and the search
    says so.
    """
    monkeypatch.setattr(Presentation, "order_of", lambda self, axis, labelled: shuffled(self.rng, len(self.names[axis])))
    places = Counter(failure.place for _, failures in cases(7, 150) for failure in failures)
    assert any(place.startswith("wrong") and "positions, command" in place for place in places)
    assert any(place.startswith("wrong") and "positions, python" in place for place in places)
    assert not any("labels," in place for place in places)


@pytest.mark.slow
@pytest.mark.usefixtures("frames")
def test_labels_that_are_written_down_wrongly_are_noticed(monkeypatch):
    """With every object's labels exchanged at random the answers are wrong."""

    class Exchanged(dict):
        def __getitem__(self, axis):
            names = list(super().__getitem__(axis))
            self.rng.shuffle(names)
            return names

    original = Presentation.__init__

    def lying(self, rng, question, mode):
        original(self, rng, question, mode)
        self.names = Exchanged(self.names)
        self.names.rng = rng

    monkeypatch.setattr(Presentation, "__init__", lying)
    places = Counter(failure.place for _, failures in cases(7, 150) for failure in failures)
    assert any(place.startswith("wrong") and "labels, command" in place for place in places)
    assert any(place.startswith("wrong") and "labels, python" in place for place in places)


# --- the oracle against what is known


def test_linear_programs_by_their_vertices():
    """min −x − 2y with x + y ≤ 3, y ≤ 2: by its vertices; and one without solution."""
    assert oracle.least([-1, -2, 0, 0], [[1, 1, 1, 0], [0, 1, 0, 1]], [3, 2]) == -5
    assert oracle.least([0, 0], [[1, 1], [1, 1]], [1, 2]) is None
    assert oracle.least([1, 1], [[1, 1], [2, 2]], [1, 2]) == 1  # a row that says nothing new


def test_known_values():
    half, third = Fraction(1, 2), Fraction(1, 3)
    path = {(0, 1): 1, (1, 2): 1}
    response = [[1 - third, third], [third, 1 - third]]
    assert oracle.tightest(response, {(0, 1): 1}) == (half, 1)
    assert oracle.tightest(response, {(0, 1): 2}) == (half, 2)
    assert oracle.optimum({(0, 1): 1}, half, [[Fraction(0), Fraction(1)], [Fraction(1), Fraction(0)]], [half, half], None) == third
    assert oracle.type_capacity(3, path, half) == Fraction(5, 3)  # tr of the tight mechanism 2/3 + 1/3 + 2/3
    assert len(oracle.posterior_vertices(3, path, half)) == 4
    assert oracle.determinant([[Fraction(2), Fraction(1)], [Fraction(7), Fraction(4)]]) == 1
    assert oracle.rank([[Fraction(1), Fraction(2)], [Fraction(2), Fraction(4)]]) == 1


def test_derivability_of_two_outputs():
    """With two outputs a = b·R exactly when the first column of a is s·u + t·v, 0 ≤ s, t ≤ 1, for the columns
    u, v of b.
    """
    tables = [[[Fraction(p, 4), 1 - Fraction(p, 4)], [Fraction(q, 4), 1 - Fraction(q, 4)]] for p in range(5) for q in range(5)]
    for a, b in combinations(tables, 2):
        x, y = a[0][0], a[1][0]
        u, v = (b[0][0], b[1][0]), (b[0][1], b[1][1])
        area = u[0] * v[1] - u[1] * v[0]
        if area:
            s, t = (x * v[1] - y * v[0]) / area, (u[0] * y - u[1] * x) / area
            expected = 0 <= s <= 1 and 0 <= t <= 1
        else:
            expected = x == y
        assert oracle.is_derivable(a, b) == expected, (a, b)
