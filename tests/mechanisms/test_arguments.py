"""One convention for all constructors: n or labels first, and the level as α or as ε."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdp import geometric, identity, neighbours, randomized_response, uniform
from exactdp.errors import ExactDPError, InputError, ParameterRangeError
from exactdp.exact import ExponentialField, Rational
from exactdp.mechanisms import K, column_scales, geometric_prime, lumped_geometric
from exactdp.mechanisms.exponential import Scores, exponential_mechanism, noisy_max
from exactdp.mechanisms.laplace import GranularGeometricNoise, RoundedLaplaceNoise
from exactdp.mechanisms.noise import GeometricNoise, folded_geometric
from exactdp.mechanisms.responses import category_response
from exactdp.mechanisms.staircase import StaircaseNoise, staircase

ONE_LEVEL = [
    lambda **level: geometric(3, **level),
    lambda **level: geometric_prime(2, **level),
    lambda **level: column_scales(2, **level),
    lambda **level: K(2, **level),
    lambda **level: lumped_geometric(2, **level),
    lambda **level: folded_geometric(2, 0, 2, **level),
    lambda **level: randomized_response(3, **level),
    lambda **level: staircase(2, sensitivity=2, step=1, **level),
    lambda **level: StaircaseNoise(sensitivity=2, step=1, **level),
    GeometricNoise,
]


@pytest.mark.parametrize("make", ONE_LEVEL)
def test_epsilon_in_place_of_alpha(make):
    assert make(epsilon="ln(3)") == make(alpha="1/3")
    assert make(epsilon="1/2") == make(alpha=ExponentialField("1/2").gen)
    for wrong, words in (({}, "missing"), ({"alpha": "1/2", "epsilon": 1}, "both given")):
        with pytest.raises(InputError, match=words):
            make(**wrong)


def test_epsilon_is_the_level_that_is_bought():
    t = ExponentialField("1/4").gen
    assert RoundedLaplaceNoise(epsilon="1/2") == RoundedLaplaceNoise(t)
    assert GranularGeometricNoise(resolution=2, epsilon="3/4") == GranularGeometricNoise(t, 2)
    scores = Scores([[2, 0], [1, 1]])
    assert exponential_mechanism(scores, epsilon=1, sensitivity=2) == exponential_mechanism(scores, ExponentialField("1/2").gen)
    assert noisy_max(scores, epsilon=1, sensitivity=2) == noisy_max(scores, t)
    assert exponential_mechanism(scores, epsilon="ln(4)").matrix == exponential_mechanism(scores, "1/4").matrix
    with pytest.raises(InputError, match="one of them"):
        noisy_max(scores)
    with pytest.raises(ParameterRangeError, match="sensitivity"):
        noisy_max(scores, epsilon=1, sensitivity=0)


BY_INPUTS = [
    lambda n: geometric(n, "1/2"),
    lambda n: lumped_geometric(n, "1/2"),
    lambda n: category_response(n, "1/2"),
    identity,
    uniform,
]


@pytest.mark.parametrize("make", BY_INPUTS)
def test_n_means_inputs_from_0_to_n_and_labels_are_labels(make):
    assert make(2).inputs == neighbours("path:3").vertices  # unlabelled, as a graph's vertices are
    named = make(["a", "b", "c"])
    assert named.inputs == ("a", "b", "c")
    assert named.matrix == make(2).matrix
    assert make(1).matrix.shape[0] == 2


@pytest.mark.parametrize("make", BY_INPUTS)
@pytest.mark.parametrize("wrong", [-1, True, 2.0, None, "abc", [], ["a", "a"]])
def test_what_is_neither_n_nor_labels_is_refused(make, wrong):
    with pytest.raises(ExactDPError):
        make(wrong)


@given(st.integers(1, 6))
def test_the_words_of_the_issue(n):
    G = geometric(n=n, epsilon=1)
    assert geometric(n, ExponentialField(1).gen) == G
    assert "(t = e^(−1))" in str(G)
    assert uniform(n=n)[0, n] == Rational(1, n + 1)
    assert randomized_response(n + 1, keep="1/2")[0, 0] == Rational("1/2")
