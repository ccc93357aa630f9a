# SPDX-License-Identifier: MIT
"""The short cuts of the checker against the definitions, in Fractions; and the kernel without them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from contextlib import suppress
from fractions import Fraction as F
from pathlib import Path
from types import ModuleType

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
    "shuffled": lambda i, r, n: (1 + i % 3) * abs(r - (3 * i * i + 1) % (n + 1)),
    "ahead": lambda i, r, n: abs(r - i - 1),
    "late": lambda i, r, n: 5 * max(0, r - n + i // 2) + 2 * max(0, i - r),
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


@settings(max_examples=60)
@given(questions())
def test_minima_over_the_guesses(question):
    """None, or those of the definition."""
    n, alpha, l, w, dense = question
    WORK.set([0, 0])
    G, (loss, weights) = Geometric(n, alpha), tables(l, w, dense)
    found = shortcuts.minima(G, loss, weights)
    assert [F(x, G.den * loss.den * weights.den) for x in found] in ([], naive_minima(n, alpha, l, w))


@settings(max_examples=60)
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


# --- None of their conditions is idle ---

CHANGES = [
    ("min(bend) < 0", "False"),
    ("if any(x < 0 for x in w.rows[0].values()):", "if False:"),
    ("list(map(sub, after, before))) != last", "list(map(sub, after, before))) != last or len(result) > 2"),
    ("self.few[t - 1] is not self.few[t - 2]", "False"),
    ("t == 1 or ", ""),
    ("self.back += x * (l - self.line(t - 1, i)) if t else 0", "pass"),
    ("self.step += x * (self.line(t + 1, i) - l) if t < self.last else 0", "pass"),
    ("self.here * p // q, self.back * p // q, self.step * p // q", "self.here * p // q, self.back * p // q, self.step"),
    ("if upper.back + lower.back > 0:", "if False:"),
    ("while upper.step + lower.step < 0:", "while upper.step < 0:"),
    ("while upper.step + lower.step < 0:", "while False:"),
    ("lower.scale(q, p)", "lower.scale(p, q)"),
    ("if i <= y else 0", "if i < y else 0"),
    ("if i > y else 0", "if i >= y else 0"),
    ("walk.here < limit or walk.step < 0", "walk.step < 0"),
    ("walk.here < limit or walk.step < 0", "walk.here < limit"),
    ("if (k := order.index(i)) <= y else 0", "if (k := order.index(i)) < y else 0"),
    ("first + other >= n - 1", "first + other >= n - 2"),
    ("few[::-1]", "few"),
    (")[::-1], strict=True)", "), strict=True)"),
    ("G.p ** (n - k) * G.q ** (n - k)", "G.p ** (n - k) * G.q ** n"),
    ("(few or [])[::order.step]", "(few or [])"),
]
"""What is taken away, or turned; without it some sum, minimum or crossing is wrong."""
NO_CHANGE = {"list(map(sub, after, before))) != last"}
"""Equal neighbours that are two objects cost time only."""


def battery():
    """Questions of every shape, with few columns and many; some with weights below 0."""
    for n, width in ((1, 1), (2, 5), (4, 3), (5, 6), (6, 7), (7, 11)):
        for name, shape in SHAPES.items():
            l = [[shape(i, r, n) for r in range(width)] for i in range(n + 1)]
            for w in ([1] * (n + 1), [i % 3 for i in range(1, n + 2)], [5**40 if i == n // 2 else 1 for i in range(n + 1)]):
                for alpha in (F(1, 2), F(9, 10), F(2, 7)):
                    yield name, n, alpha, l, w
    for w in ([3, -1, 0, 1], [1, -3, 5, -1], [-2, 1, -2, 4]):
        yield "abs", 3, F(1, 2), [[abs(i - r) for r in range(4)] for i in range(4)], w


@pytest.fixture(scope="module")
def known():
    return [(*case, naive_minima(*case[1:]), naive_crossings(*case[1:])) for case in battery()]


def disagrees(module, known):
    """Whether some answer of these short cuts is not that of the definition."""
    for name, n, alpha, l, w, minima, crossing in known:
        WORK.set([0, 0])
        G, (loss, weights) = Geometric(n, alpha), tables(l, w, dense=True)
        found = module.minima(G, loss, weights)
        if found and [F(x, G.den * loss.den * weights.den) for x in found] != minima:
            return True
        pairs = [(i, i + 1, F(1)) for i in range(n)]
        near = Definition("neighbours", "", tuple(map(str, range(n + 1))), (), Matrix(0, 1, []), pairs)
        seen = list[set[int]]()

        class Seen:
            minima = staticmethod(lambda *given: [])
            crossings = staticmethod(lambda *given, seen=seen: seen.append(module.crossings(*given)) or seen[-1])

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(kernel, "short_cuts", lambda m, loss, cut=Seen: cut)
            with suppress(Stop):
                kernel.path_rule(loss, near, alpha, weights, "$")
        if min(w) >= 0 and seen and not (seen[0] == crossing if name in ("squared", "hinge", "steep") else seen[0] <= crossing):
            return True
        remap = Matrix(
            len(l[0]),
            2,
            [{y % len(l[0]): 1, (y * y + 1) % len(l[0]): 1} if y % len(l[0]) != (y * y + 1) % len(l[0]) else {0: 2} for y in range(n + 1)],
        )
        rows = geometric(n, alpha)
        total = [sum(rows[i][y] * F(x, 2) * F(l[i][r], 3) for y in range(n + 1) for r, x in remap.rows[y].items()) for i in range(n + 1)]
        if [F(x, G.den * remap.den * loss.den) for x in module.losses(G, remap, loss)] != total:
            return True
    return False


def made_of(source):
    module = ModuleType("exactdp.checker.shortcuts")
    exec(compile(source, "shortcuts.py", "exec"), vars(module))
    module.SIZES = range(1, 2**14)
    return module


def test_no_condition_is_idle(known):
    source = (CHECKER / "shortcuts.py").read_text(encoding="utf-8")
    assert not disagrees(made_of(source), known)
    idle = []
    for old, new in CHANGES:
        assert old in source, old
        try:
            if not disagrees(made_of(source.replace(old, new)), known):
                idle.append(old)
        except (IndexError, ValueError, TypeError):
            pass  # noticed as well
    assert set(idle) == NO_CHANGE
