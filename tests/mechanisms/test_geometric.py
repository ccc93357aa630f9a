# SPDX-License-Identifier: MIT
"""The geometric family: entries, identities, and the equivalence of its three forms."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import levels

from exactdp.errors import InputError, NegativeEntryError, NotStochasticError, ParameterRangeError
from exactdp.exact import ExactMatrix, Rational
from exactdp.mechanisms import (
    FiniteNoise,
    GeometricNoise,
    IntegerNoise,
    K,
    column_scales,
    geometric,
    geometric_prime,
    lumped_geometric,
    truncate,
)
from exactdp.model import Mechanism, PrivacyLevel, Remap
from exactdp.model.labels import Positions

sizes = st.integers(0, 6)


@given(sizes, levels())
def test_entries_by_the_definition(n, level):
    a = level.alpha.as_fraction()
    G = geometric(n, level)
    assert G.inputs == G.outputs == Positions(n + 1)
    for i in range(n + 1):
        for j in range(n + 1):
            scale = Fraction(1) if n == 0 else 1 / (1 + a) if j in (0, n) else (1 - a) / (1 + a)
            assert G[i, j] == a ** abs(i - j) * scale
    assert column_scales(n, level) == tuple(G[j, j] for j in range(n + 1))


@given(sizes, levels())
def test_identities(n, level):
    a = level.alpha
    prime = geometric_prime(n, level)
    assert prime.det() == (1 - a**2) ** n
    assert K(n, level) @ prime == ExactMatrix.build(n + 1, n + 1, lambda i, j: (1 - a**2) * int(i == j))
    scales = ExactMatrix.build(n + 1, n + 1, lambda i, j: column_scales(n, level)[i] * int(i == j))
    assert geometric(n, level).matrix == prime @ scales
    for i in range(n + 1):
        for j in range(n + 1):
            expected = 1 + a**2 - a**2 * (i == 0) - a**2 * (i == n) if i == j else -a if abs(i - j) == 1 else 0
            assert K(n, level)[i, j] == expected


def test_table_1_of_the_paper_and_the_single_input():
    assert geometric(0, "1/3") == Mechanism([[1]])
    assert geometric(3, "1/4").matrix.row(0) == tuple(Fraction(x) for x in ("4/5", "3/20", "3/80", "1/80"))


@pytest.mark.parametrize("alpha", [PrivacyLevel("1/4"), Rational("1/4"), Fraction(1, 4), "0.25"])
def test_every_way_to_give_the_level(alpha):
    assert geometric(2, alpha) == geometric(2, "1/4")


@given(levels(), st.integers(-5, 5))
def test_the_geometric_law(level, z):
    law = GeometricNoise(level)
    assert isinstance(law, IntegerNoise)
    a = level.alpha
    assert law.mass(z) == law.mass(-z)
    assert law.mass(z + 1) * a ** (abs(z) - abs(z + 1)) == law.mass(z)
    assert law.lower_tail(z) - law.lower_tail(z - 1) == law.mass(z) == law.upper_tail(z) - law.upper_tail(z + 1)
    assert law.lower_tail(z) + law.upper_tail(z + 1) == 1


@given(sizes, levels())
def test_truncated_geometric_noise_is_the_geometric_mechanism(n, level):
    assert truncate(GeometricNoise(level), n) == geometric(n, level)


@given(sizes, levels())
def test_the_unbounded_mechanism_is_equivalent_both_ways(n, level):
    U, G = lumped_geometric(n, level), geometric(n, level)
    assert tuple(U.outputs) == ("<=-1", *G.outputs, f">={n + 1}")
    clamp = [[int(r == c) for r in range(n + 1)] for c in (0, *range(n + 1), n)]
    assert U.post_process(Remap(clamp, U.outputs, G.outputs)) == G
    a = level.alpha
    split = [[int(c == r + 1) for c in range(n + 3)] for r in range(n + 1)]
    split[0][:2], split[n][-2:] = [a, 1 - a], [1 - a, a]
    if n:
        assert G.post_process(Remap(split, G.outputs, U.outputs)) == U


@given(sizes, levels(), st.integers(1, 4))
def test_lumped_columns_are_proportional(n, level, depth):
    """Every column beyond the lump is the same multiple of it for all inputs: (1−α) α^(depth−1)."""
    U, law, a = lumped_geometric(n, level), GeometricNoise(level), level.alpha
    for i in range(n + 1):
        assert law.mass(-depth - i) == (1 - a) * a ** (depth - 1) * U[i, 0]
        assert law.mass(n + depth - i) == (1 - a) * a ** (depth - 1) * U[i, n + 2]


masses = st.dictionaries(st.integers(-4, 4), st.integers(0, 4), min_size=1).filter(lambda d: any(d.values()))


@given(masses, st.integers(0, 4))
def test_truncation_by_pushing_every_value(weights, n):
    total = sum(weights.values())
    law = FiniteNoise({z: Rational(w, total) for z, w in weights.items()})
    rows = [[Fraction(0)] * (n + 1) for _ in range(n + 1)]
    for i in range(n + 1):
        for z, w in weights.items():
            rows[i][min(max(i + z, 0), n)] += Fraction(w, total)
    assert truncate(law, n) == Mechanism(rows)
    for z in range(-6, 7):
        assert law.lower_tail(z) + law.upper_tail(z + 1) == 1
        assert law.lower_tail(z) - law.lower_tail(z - 1) == law.mass(z)


@pytest.mark.parametrize(
    ("weights", "kind"),
    [
        ({}, InputError),
        ({0: "1/2"}, NotStochasticError),
        ({0: "3/2", 1: "-1/2"}, NegativeEntryError),
        ({"0": 1}, InputError),
        ({0: 1.0}, InputError),
    ],
)
def test_bad_laws(weights, kind):
    with pytest.raises(kind):
        FiniteNoise(weights)


@pytest.mark.parametrize("make", [geometric, geometric_prime, K, lumped_geometric, lambda n, a: truncate(GeometricNoise(a), n)])
def test_bad_parameters(make):
    with pytest.raises(ParameterRangeError, match="negative"):
        make(-1, "1/2")
    for n in (1.0, "3", True, None):
        with pytest.raises(InputError):
            make(n, "1/2")
    for alpha in (0, 1, "7/5"):
        with pytest.raises(ParameterRangeError):
            make(2, alpha)
