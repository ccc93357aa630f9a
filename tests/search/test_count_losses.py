# SPDX-License-Identifier: MIT
"""The losses of geometric noise by closed forms against the whole table, entry by entry."""

from fractions import Fraction as F

import pytest

from exactdp.exact import ExponentialField, Rational
from exactdp.search.path.count_losses import LOSSES, count_losses

LOSS = {"abs": abs, "squared": lambda k: k * k, "zero-one": lambda k: int(k != 0)}


def table(n, a):
    scale = [1 / (1 + a) if r in (0, n) else (1 - a) / (1 + a) for r in range(n + 1)]
    return [[a ** abs(i - r) * scale[r] for r in range(n + 1)] for i in range(n + 1)]


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("alpha", [F(1, 10), F(1, 3), F(1, 2), F(3, 5), F(3, 4), F(9, 10), F(99, 100)], ids=str)
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 8, 13])
def test_closed_forms(n, alpha, loss):
    rows, l, counts = table(n, alpha), LOSS[loss], range(n + 1)
    each = [sum(l(i - r) * rows[i][r] for r in counts) for i in counts]
    remapped = sum(min(sum(l(i - g) * rows[i][r] for i in counts) for g in counts) for r in counts) / (n + 1)
    found = count_losses(n, Rational(alpha), loss)
    wanted = {"worst": max(each), "mean": sum(each) / (n + 1), "least": remapped}
    for name, value in wanted.items():
        bounds = getattr(found, name)
        if bounds is None:
            assert name == "worst"
            assert loss == "squared"
            assert value > each[n // 2] or alpha <= (2 * n - 1) * alpha**n
        else:
            low, high = map(F, bounds)
            assert low <= value <= high, name
            assert high - low < F(1, 10**30)


def test_a_million():
    t = ExponentialField("1/2").gen
    a = float(t)
    found = count_losses(10**6, t, "abs")
    assert float(found.worst[0]) == pytest.approx(2 * a / (1 - a * a), abs=1e-12)
    assert found.least[1] < found.mean[0] < found.worst[0]
    assert float(found.worst[0] - found.least[0]) < 1e-4


def test_where_many_results_are_remapped_the_least_is_not_told():
    found = count_losses(10**9, Rational(10**6 - 1, 10**6), "abs")
    assert found.least is None
    assert found.worst is not None
