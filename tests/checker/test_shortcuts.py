# SPDX-License-Identifier: MIT
"""The short cuts of the checker against the definitions, in Fractions; and the kernel without them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from fractions import Fraction as F
from pathlib import Path

import pytest
from certificate_pool import text_of
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_checker import geometric

import exactdp as xdp
from exactdp.checker import kernel, shortcuts
from exactdp.checker.kernel import WORK, Definition, Dense, Geometric, Matrix, Stop

CHECKER = Path(kernel.__file__).parent
LEVELS = st.sampled_from([F(1, 2), F(9, 10), F(2, 7), F(10**25 - 1, 10**25)])


@pytest.fixture(autouse=True)
def one_check(monkeypatch):
    """Short cuts are taken for small losses, too."""
    monkeypatch.setattr(shortcuts, "SIZES", range(1, 2**14))
    token = WORK.set([0, 0])
    yield
    WORK.reset(token)


def hinge(i, r, n):
    return 3 * max(0, r - i) + 7 * max(0, i - r)


SHAPES = {
    "abs": lambda i, r, n: abs(i - r),
    "squared": lambda i, r, n: (i - r) ** 2,
    "hinge": hinge,
    "reversed": lambda i, r, n: abs(n - i - r),
    "dent": lambda i, r, n: 4 * abs(i - r) - (i + r == n),
    "zero-one": lambda i, r, n: int(i != r),
    "steep": lambda i, r, n: (1 + i % 3) * abs(2 * i - r),
    "long": lambda i, r, n: 2**300 * abs(i - r),
}


@st.composite
def questions(draw):
    """A level, a loss, and weights, with zeros or without."""
    n, width = draw(st.integers(1, 9)), draw(st.integers(1, 12))
    shape = SHAPES[draw(st.sampled_from(sorted(SHAPES)))]
    l = [[shape(i, r, n) for r in range(width)] for i in range(n + 1)]
    w = draw(st.lists(st.sampled_from([0, 1, 3, 5**40]), min_size=n + 1, max_size=n + 1).filter(any))
    return n, draw(LEVELS), l, w, draw(st.booleans())


def tables(l, w, dense):
    loss = Matrix(len(l[0]), 3, [Dense(row) if dense else {r: x for r, x in enumerate(row) if x} for row in l])
    return loss, Matrix(len(w), sum(w), [{i: x for i, x in enumerate(w) if x}])


def naive_minima(n, alpha, l, w):
    rows = geometric(n, alpha)
    return [min(sum(F(w[i] * l[i][r], 3 * sum(w)) * rows[i][y] for i in range(n + 1)) for r in range(len(l[0]))) for y in range(n + 1)]


def naive_crossings(n, alpha, l, w):
    """The guesses whose h_r crosses once, from SPEC §4.2: some k in −1, …, n."""
    rows, b = geometric(n, alpha), naive_minima(n, alpha, l, w)
    s = [rows[j][j] for j in range(n + 1)]
    found = set()
    for r in range(len(l[0])):
        phi = [sum(F(w[i] * l[i][r], 3 * sum(w)) * rows[i][y] for i in range(n + 1)) for y in range(n + 1)]
        h = [(phi[y] - b[y]) / s[y] for y in range(n + 1)]
        if any(
            all(h[i] >= alpha * h[i + 1] for i in range(min(k, n))) and all(h[i] >= alpha * h[i - 1] for i in range(k + 2, n + 1))
            for k in range(-1, n + 1)
        ):
            found.add(r)
    return found


@settings(max_examples=60, deadline=None)
@given(questions())
def test_minima_over_the_guesses(question):
    """None, or those of the definition."""
    n, alpha, l, w, dense = question
    WORK.set([0, 0])
    G, (loss, weights) = Geometric(n, alpha), tables(l, w, dense)
    found = shortcuts.minima(G, loss, weights)
    assert [F(x, G.den * loss.den * weights.den) for x in found] in ([], naive_minima(n, alpha, l, w))


@settings(max_examples=60, deadline=None)
@given(questions())
def test_the_path_rule_with_and_without_short_cuts(question):
    """The same bound or the same words; it fails exactly if a guess does not cross once."""
    n, alpha, l, w, dense = question
    WORK.set([0, 0])
    loss, weights = tables(l, w, dense)
    pairs = [(i, i + 1, F(1)) for i in range(n)]
    near = Definition("neighbours", "", tuple(map(str, range(n + 1))), (), Matrix(0, 1, []), pairs)
    seen = list[int]()

    def answer(cut):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(kernel, "short_cuts", cut)
            try:
                return kernel.path_rule(loss, near, alpha, weights, "$")
            except Stop as stop:
                return stop.args[0]

    with pytest.MonkeyPatch.context() as patch:
        crossings = shortcuts.crossings
        patch.setattr(shortcuts, "crossings", lambda *given: seen.extend(crossings(*given)) or set(seen))
        found = answer(lambda m, loss: shortcuts)
    assert found == answer(lambda m, loss: None)
    right = naive_crossings(n, alpha, l, w)
    assert set(seen) <= right
    assert isinstance(found, F) == (len(right) == len(l[0]))
    if isinstance(found, F):
        assert found == sum(naive_minima(n, alpha, l, w))


@pytest.mark.parametrize("shape", ["abs", "squared", "hinge"])
def test_they_are_taken(shape):
    """For convex losses on a path the plain rules are not needed."""
    n = 40
    l = [[SHAPES[shape](i, r, n) for r in range(n + 1)] for i in range(n + 1)]
    loss, weights = tables(l, [1] * (n + 1), dense=True)
    G = Geometric(n, F(1, 2))
    assert kernel.short_cuts(G, loss) is shortcuts
    assert len(shortcuts.minima(G, loss, weights)) == n + 1


def test_negative_weights_and_losses_that_are_not_convex_take_none():
    G, (loss, _) = Geometric(3, F(1, 2)), tables([[abs(i - r) for r in range(4)] for i in range(4)], [1] * 4, dense=True)
    assert shortcuts.minima(G, loss, Matrix(4, 2, [{0: 3, 1: -1}])) == []
    loss, weights = tables([[int(i != r) for r in range(4)] for i in range(4)], [1] * 4, dense=True)
    assert shortcuts.minima(G, loss, weights) == []
    assert shortcuts.crossings(G, loss, weights, [([], []), ([], [])]) == set()


def changed(file, **members):
    value = json.loads(file)
    value["claim"].update(members)
    return text_of({**value, "digest": kernel.digest_of(value)}).encode()


@pytest.mark.parametrize("loss", ["absolute", "squared"])
def test_the_kernel_without_the_file_says_the_same(tmp_path, loss):
    near = xdp.neighbours("path:36")
    consumer = xdp.MinimaxConsumer(getattr(xdp.Loss, loss)(near.vertices))
    verdict = xdp.is_optimal_after_remap(xdp.geometric(35, "2/3"), near, "2/3", consumer)
    valid = xdp.certify(verdict).to_json().encode()
    wrong = changed(valid, value="1/7")
    for name, data in (("valid", valid), ("wrong", wrong)):
        (tmp_path / f"{name}.json").write_bytes(data)
    told = []
    for missing in (False, True):
        folder = tmp_path / f"checker{missing}"
        shutil.copytree(CHECKER, folder, ignore=shutil.ignore_patterns("__pycache__", "shortcuts.py" if missing else "-"))
        command = [sys.executable, "-I", folder / "kernel.py", "valid.json", "wrong.json"]
        told.append(subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False, cwd=tmp_path).stdout)
    assert told[0] == told[1]
    assert [line.split(": ")[1] for line in told[0].splitlines()] == ["accepted", "rejected"]
