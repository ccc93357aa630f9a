# SPDX-License-Identifier: MIT
"""Cases of the test suites of libqif and dp_accounting, with numbers that were computed without exactdp.

Where a peer's number is a decimal, it is computed again here, from the definition, by :mod:`decimal`.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from math import comb

import pytest
from oracles import as_fraction

import exactdp as xdp

PRECISION = 60


def root(square: Fraction) -> Decimal:
    """√square, in the precision of the context."""
    return (Decimal(square.numerator) / Decimal(square.denominator)).sqrt()


def smallest_epsilon_of_exponential(points: list[tuple[Fraction, ...]], epsilon: Fraction) -> Decimal:
    """The largest ln(x_ir/x_jr)/d(i, j), where x_ir is proportional to e^(−ε·d(i, r)/2)."""
    with localcontext() as context:
        context.prec = PRECISION
        distances = [[root(sum((a - b) ** 2 for a, b in zip(p, q, strict=True))) for q in points] for p in points]
        half = Decimal(epsilon.numerator) / Decimal(2 * epsilon.denominator)
        shares = [[(-half * d).exp() for d in row] for row in distances]
        rows = [[x / sum(row) for x in row] for row in shares]
        size = range(len(points))
        return max((rows[i][r] / rows[j][r]).ln() / distances[i][j] for i in size for j in size if i != j for r in size)


def exponential_of(points: list[tuple[Fraction, ...]], epsilon: Fraction) -> tuple[xdp.Mechanism, xdp.Metric]:
    """The same mechanism and its metric, as exactdp takes them."""
    squares = [[sum((a - b) ** 2 for a, b in zip(p, q, strict=True)) for q in points] for p in points]
    lines = []
    for row in squares:
        shares = [f"exp(-{epsilon * STEP / 2}*sqrt({square / STEP**2}))" if square else "1" for square in row]
        lines.append(",".join(f"{share}/({'+'.join(shares)})" for share in shares))
    pairs = [(i, j, f"sqrt({squares[i][j]})") for i in range(len(points)) for j in range(i)]
    return xdp.read_table("\n".join(lines)).as_mechanism(), xdp.Metric(range(len(points)), pairs)


STEP = Fraction(11, 10)
LINE = [(STEP * i,) for i in range(10)]
SQUARE = [(STEP * i, STEP * j) for i, j in product(range(3), repeat=2)]


@pytest.mark.parametrize(
    ("points", "printed"),
    [(LINE, "0.64197307180467134"), (SQUARE, "0.58945591528726249")],
    ids=["ten points", "3×3 points of the plane"],
)
def test_libqif_exponential_mechanism_on_points_at_distance_eleven_tenths(points, printed):
    """With ε = 0.9: its smallest ε for each unit of distance. libqif prints a double."""
    again = smallest_epsilon_of_exponential(points, Fraction(9, 10))
    assert abs(again - Decimal(printed)) < Decimal("1e-15")
    mechanism, metric = exponential_of(points, Fraction(9, 10))
    low, high = map(as_fraction, xdp.tightest_level(mechanism, metric).evidence.tightest.epsilon.enclosure(25))
    error = Fraction(1, 10**40)
    assert low - error <= Fraction(again) <= high + error
    assert high - low < Fraction(1, 10**20)


def test_libqif_geometric_is_the_only_optimum_for_the_uniform_prior():
    """Of ten secrets, for the zero-one loss. (Ghosh, Roughgarden, Sundararajan: it is an optimum.)"""
    consumer = xdp.BayesianConsumer("zero-one", xdp.Prior.uniform(range(10)))
    mechanism = xdp.geometric(9, "1/2")
    assert xdp.is_optimal(mechanism, "path", "1/2", consumer)
    assert xdp.optimality.is_optimum_unique("path:10", "1/2", consumer)


def test_libqif_without_neighbours_the_truth_is_the_only_optimum():
    """Its distances are infinite: nothing is demanded, the loss is 0, and only the identity has it."""
    apart = xdp.Metric(range(10), [])
    consumer = xdp.BayesianConsumer("zero-one", xdp.Prior.uniform(range(10)))
    assert xdp.optimum(apart, "1/2", consumer).evidence.value == 0
    assert xdp.is_optimal(xdp.mechanism_from_spec("identity:n=9"), apart, "1/2", consumer)
    assert xdp.optimality.is_optimum_unique(apart, "1/2", consumer)


def noise(level: Fraction, secret: int, window: range) -> list[Fraction]:
    """Two-sided geometric noise on a secret; what falls outside the window is moved to the nearer end."""

    def above(z: int) -> Fraction:
        """The probability of noise of at least z."""
        return level**z / (1 + level) if z > 0 else 1 - level ** (1 - z) / (1 + level)

    first, last = window[0], window[-1]
    inner = [(1 - level) / (1 + level) * level ** abs(secret - y) for y in window[1:-1]]
    return [1 - above(first + 1 - secret), *inner, above(last - secret)]


@pytest.mark.parametrize("window", [range(10), range(10, 20), range(1, 19), range(7, 13)], ids=["0..9", "10..19", "1..18", "7..12"])
def test_libqif_truncation_to_a_window_is_a_remap_of_the_larger_truncation(window):
    """Secrets 5..14: the geometric mechanism on 0..19, restricted to them and remapped, against the law."""
    level = Fraction(1, 2)
    large = xdp.geometric(19, "1/2").restricted(range(5, 15))
    ends = [[str(int(y == min(max(x, window[0]), window[-1]))) for y in window] for x in range(20)]
    remapped = large.post_process(xdp.Remap(ends, range(20), window))
    law = xdp.Mechanism([[str(x) for x in noise(level, secret, window)] for secret in range(5, 15)], range(5, 15), window)
    assert remapped == law


def test_dp_accounting_randomised_response_with_noise_beside_the_uniform_row():
    """Noise (4 − e)/3 on four buckets: the truth has e/4, against 1/4. So ε is exactly 1, and δ(1) = 0."""
    noisy = "(4-exp(1))/12"
    table = xdp.read_table(f"exp(1)/4,{noisy},{noisy},{noisy}\n1/4,1/4,1/4,1/4")
    mechanism = table.as_mechanism()
    assert xdp.tightest_level(mechanism, "path").evidence.tightest.epsilon == 1
    assert xdp.is_private(mechanism, "path", xdp.PrivacyLevel(epsilon=1))
    assert xdp.least_delta(mechanism, "path", xdp.PrivacyLevel(epsilon=1)).evidence.delta == 0
    assert not xdp.is_private(mechanism, "path", xdp.PrivacyLevel(epsilon="999999/1000000"))


RELEASES, LEAK = 30, Fraction(1, 1000)


def delta_of_releases(epsilon: Decimal) -> Decimal:
    """The δ of thirty releases that are each (1, 1/1000)-private and no more (Kairouz and others, 3.3)."""
    kept = (1 - LEAK) ** RELEASES
    kept_decimal = Decimal(kept.numerator) / Decimal(kept.denominator)
    e = Decimal(1).exp()
    total = 1 - kept_decimal
    for truths in range(RELEASES + 1):
        more, less = e**truths, epsilon.exp() * e ** (RELEASES - truths)
        total += kept_decimal * comb(RELEASES, truths) * max(more - less, Decimal(0)) / (1 + e) ** RELEASES
    return total


@pytest.mark.parametrize(("delta", "printed"), [("3/50", "21.709613"), ("1/10", "19.817379")])
def test_dp_accounting_thirty_releases(delta, printed):
    """The peer says 22 for the first: it tries even numbers only. δ falls with ε: two signs enclose it."""
    kept = (1 - LEAK) ** RELEASES
    share = f"{kept}*{{ways}}*exp(-{{lies}})/(1+exp(-1))^{RELEASES}"
    counted = [share.format(ways=comb(RELEASES, k), lies=RELEASES - k) for k in range(RELEASES + 1)]
    rows = [[str(1 - kept), *counted, "0"], ["0", *reversed(counted), str(1 - kept)]]
    mechanism = xdp.read_table("\n".join(",".join(row) for row in rows)).as_mechanism()
    low, high = xdp.Epsilon.of_level(xdp.level_for_delta(mechanism, "path", delta).evidence.ratio).enclosure(20)
    with localcontext() as context:
        context.prec = PRECISION
        wanted = Decimal(Fraction(delta).numerator) / Decimal(Fraction(delta).denominator)
        below, above = (Decimal(x.numerator) / Decimal(x.denominator) for x in map(as_fraction, (low, high)))
        step = Decimal("1e-15")
        assert delta_of_releases(below - step) > wanted > delta_of_releases(above + step)
        assert abs(below - Decimal(printed)) < Decimal("5.1e-7")
