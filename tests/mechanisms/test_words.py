"""What libraries implement: every law by a second route, and every family's privacy level."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.analysis import tightest_level
from exactdp.errors import DomainError, InputError, ParameterRangeError, ResourceLimitError
from exactdp.exact import QQ, ExactMatrix, Rational
from exactdp.mechanisms.exponential import Scores, exponential_mechanism, noisy_max
from exactdp.mechanisms.laplace import GranularGeometricNoise, RoundedLaplaceNoise
from exactdp.mechanisms.noise import GeometricNoise, censored, folded_geometric, lumped, lumped_geometric
from exactdp.mechanisms.responses import (
    category_response,
    randomized_response,
    rappor,
    rappor_permanent,
    two_coin,
)
from exactdp.mechanisms.staircase import StaircaseNoise, staircase
from exactdp.mechanisms.words import FAMILIES, is_mechanism_spec, mechanism_from_spec
from exactdp.model import Graph, PrivacyLevel

levels = st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20).map(lambda f: Rational(f.numerator, f.denominator))
FEW = settings(max_examples=25)


def level_of(mechanism, graph):
    return tightest_level(mechanism, graph).evidence.tightest


def path(m):
    return Graph(m.inputs, [(i, i + 1) for i in range(m.n_inputs - 1)])


def on_path(m):
    return level_of(m, path(m))


def within(m, d):
    """The graph on integer inputs whose neighbours differ by at most d."""
    names = list(map(int, m.inputs))
    return Graph(m.inputs, [(i, j) for i, a in enumerate(names) for j, b in enumerate(names) if 0 < b - a <= d])


def complete(m):
    return Graph(m.inputs, combinations(range(m.n_inputs), 2))


def summed(noise, low, high):
    """Masses one by one: the route that closed forms of tails avoid."""
    return sum((noise.mass(z) for z in range(low, high + 1)), QQ.zero)


NOISES = [
    GeometricNoise,
    RoundedLaplaceNoise,
    lambda a: GranularGeometricNoise(a, 2),
    lambda a: GranularGeometricNoise(a, 4),
    lambda a: StaircaseNoise(a, 1, 1),
    lambda a: StaircaseNoise(a, 3, 1),
    lambda a: StaircaseNoise(a, 3, 2),
    lambda a: StaircaseNoise(a, 3, 3),
]


@pytest.mark.parametrize("make", NOISES)
@given(levels, st.integers(-9, 9), st.integers(0, 12))
@FEW
def test_tails_differ_by_masses_and_add_up(make, a, z, width):
    noise = make(a)
    assert noise.lower_tail(z) + noise.upper_tail(z + 1) == 1
    assert noise.lower_tail(z + width) - noise.lower_tail(z - 1) == summed(noise, z, z + width)
    assert noise.mass(z) == noise.mass(-z) > 0
    assert noise.lower_tail(z) == noise.upper_tail(-z)


@pytest.mark.parametrize("make", NOISES)
def test_tails_vanish(make):
    """With the differences above, this makes the tails the sums of the masses."""
    noise = make(Rational("1/2"))
    assert noise.upper_tail(150) < Rational(1, 2**40)


@given(levels, st.integers(1, 5), st.integers(0, 3), st.integers(0, 3))
@FEW
def test_censored_is_clamping_every_result(a, n, below, above):
    lower, upper = -below, n + above
    m = censored(GeometricNoise(a), range(n + 1), lower, upper)
    noise, far = GeometricNoise(a), 30
    for i in range(n + 1):
        row = dict.fromkeys(range(lower, upper + 1), QQ.zero)
        for r in range(lower - far, upper + far + 1):
            row[min(max(r, lower), upper)] += noise.mass(r - i)
        missing = 2 * a ** (far - n - 1)
        assert all(0 <= m[i, k] - row[r] <= missing for k, r in enumerate(row))


def test_clamped_inputs_are_equal_rows():
    m = censored(GeometricNoise("1/3"), range(-2, 6), 0, 3, clamp_inputs=True)
    assert m.matrix.row(0) == m.matrix.row(1) == m.matrix.row(2)
    assert censored(GeometricNoise("1/3"), range(-2, 6), 0, 3).matrix.row(0) != m.matrix.row(0)


@given(levels, st.integers(1, 5))
@FEW
def test_lumped_is_the_known_unbounded_mechanism(a, n):
    assert lumped(GeometricNoise(a), range(n + 1)) == lumped_geometric(n, a)


def fold(x, low, high):
    """diffprivlib's own recursion, on Fractions."""
    if x < low:
        return fold(2 * low - x, low, high)
    return fold(2 * high - x, low, high) if x > high else x


@pytest.mark.parametrize(("lower", "upper"), [("0", "3"), ("-1/2", "7/2"), ("0", "1"), ("1/2", "3"), ("-2", "5/2"), ("1/2", "3/2")])
@pytest.mark.parametrize("a", ["1/2", "1/7", "9/10"])
def test_folded_is_the_library_s_recursion(lower, upper, a):
    m = folded_geometric(range(4), lower, upper, a)
    low, high, noise, far = Fraction(lower), Fraction(upper), GeometricNoise(a), 60
    for i in range(4):
        row = dict.fromkeys(m.outputs, QQ.zero)
        for r in range(i - far, i + far + 1):
            row[str(fold(Fraction(r), low, high))] += noise.mass(r - i)
        rest = 2 * noise.upper_tail(far + 1)
        assert all(0 <= m[i, k] - row[r] <= rest for k, r in enumerate(m.outputs))


@given(levels, st.integers(1, 5))
@FEW
def test_levels_of_integer_noise(a, n):
    assert on_path(lumped(GeometricNoise(a), range(n + 1))) == PrivacyLevel(a)
    assert on_path(censored(GeometricNoise(a), range(n + 1), 0, n)) == PrivacyLevel(a)
    assert on_path(folded_geometric(range(n + 1), 0, n, a)) >= PrivacyLevel(a)
    assert on_path(folded_geometric(range(n + 1), "-1/2", f"{2 * n + 1}/2", a)) >= PrivacyLevel(a)


@given(levels, st.integers(2, 5))
@FEW
def test_the_rounded_laplace_mechanism_has_the_level_of_laplace_and_another_law(t, n):
    m = lumped(RoundedLaplaceNoise(t), range(n + 1), -3, n + 3)
    assert level_of(m, path(m)) == PrivacyLevel(t * t)
    assert RoundedLaplaceNoise(t).mass(0) == 1 - t < GeometricNoise(t * t).mass(0)


def test_rounded_laplace_masses_are_those_reported_for_scale_one():
    """The masses 0.393 and 0.462 of the issue that found rounded Laplace sold as geometric: t between
    rationals around e^(−1/2).
    """
    low, high = Rational("0.60653065971"), Rational("0.60653065972")
    assert Rational("0.3934") < RoundedLaplaceNoise(high).mass(0) < RoundedLaplaceNoise(low).mass(0) < Rational("0.3935")
    assert Rational("0.4621") < GeometricNoise(high * high).mass(0) < GeometricNoise(low * low).mass(0) < Rational("0.4622")


@given(levels, st.sampled_from([2, 4, 6]), st.integers(-4, 4))
@FEW
def test_granular_noise_is_the_rounded_sum_of_fine_masses(t, N, z):
    noise, fine = GranularGeometricNoise(t, N), GeometricNoise(t)
    total = QQ.zero
    for s in range(N * (z - 1), N * (z + 1) + 1):
        rounded = (abs(2 * s) + N) // (2 * N) * (1 if s >= 0 else -1)  # halves away from zero
        if rounded == z:
            total += fine.mass(s)
    assert noise.mass(z) == total


@given(levels, st.sampled_from([2, 4]))
@FEW
def test_granular_noise_has_its_level_at_zero_or_far_out(t, N):
    """Far out a step is t^N; around 0 the rounding (halves away from zero) makes other quotients, and those
    can be worse.
    """
    noise = GranularGeometricNoise(t, N)
    m = lumped(noise, range(4), -3, 6)
    inner = noise.mass(1) / noise.mass(0)
    expected = min(t**N, inner, 1 / inner)
    assert on_path(m).value == expected
    assert (expected >= t ** (N + 1)) == (1 / inner >= t ** (N + 1))


def test_granular_noise_can_break_the_documented_level():
    """λ = gε/(Δ+g) means t^(N+1) = e^(−ε); with N = 2 and ε near 0 the outputs 0 and 1 have N−1 and N fine
    values.
    """
    t, N = Rational("999/1000"), 2
    m = lumped(GranularGeometricNoise(t, N), range(4), -3, 6)
    assert on_path(m) < PrivacyLevel("501/1000") < PrivacyLevel(t ** (N + 1))


@given(levels, st.integers(1, 4), st.data())
@FEW
def test_staircase_is_private_for_its_sensitivity_and_no_more(b, wide, data):
    step = data.draw(st.integers(1, wide))
    m = staircase(range(2 * wide + 2), b, wide, step)
    assert level_of(m, within(m, wide)) == PrivacyLevel(b)
    window = lumped(StaircaseNoise(b, wide, step), range(2 * wide + 2), -3 * wide, 6 * wide)
    assert level_of(window, within(window, wide)) == PrivacyLevel(b)


def test_the_staircase_of_sensitivity_one_is_geometric():
    assert all(StaircaseNoise("1/3", 1, 1).mass(z) == GeometricNoise("1/3").mass(z) for z in range(-5, 6))


@given(st.fractions(0, 1, max_denominator=9), st.fractions(0, 1, max_denominator=9))
@FEW
def test_two_coins_toss_by_toss(p, y):
    p, y = (Rational(f.numerator, f.denominator) for f in (p, y))
    m = two_coin(p, y)
    for i, truth in enumerate(("yes", "no")):
        law = {"yes": QQ.zero, "no": QQ.zero}
        for first, second in product((True, False), repeat=2):
            weight = (p if first else 1 - p) * (y if second else 1 - y)
            law[truth if first else ("yes" if second else "no")] += weight
        assert m.matrix.row(i) == (law["yes"], law["no"])


def test_two_coin_is_log_3_private():
    m = two_coin()
    assert str(level_of(m, path(m))) == "1/3"


@given(levels, st.integers(2, 5))
@FEW
def test_flat_and_binary_levels(a, k):
    m = randomized_response(k, alpha=a)
    assert level_of(m, complete(m)) == PrivacyLevel(a)
    assert all(m[i, i] == m[i, j] / a for i in range(k) for j in range(k) if i != j)
    assert on_path(randomized_response(["0", "1"], alpha=a)) == PrivacyLevel(a)


def test_category_response_and_strangers():
    m = category_response(range(3), "3/4", other="else")
    assert m.matrix.row(3) == (Rational(1, 3),) * 3
    # OpenDP: ε = ln(prob/(1−prob)·(m−1))
    assert str(level_of(m, complete(m))) == str(Rational("1/8") / Rational("3/4"))
    assert Rational("1/8") / Rational("3/4") == 1 / (Rational("3/4") / Rational("1/4") * 2)


@pytest.mark.parametrize("bits", [2, 3, 4])
@pytest.mark.parametrize(("f", "p", "q"), [("1/2", "1/4", "3/4"), ("1/3", "0", "1"), ("3/4", "1/5", "4/5"), ("0", "1/4", "3/4")])
def test_rappor_is_permanent_then_instantaneous(bits, f, p, q):
    permanent, both = rappor_permanent(bits, 1, f), rappor(bits, 1, f, p, q)
    assert permanent.outputs == both.outputs
    ones = {"1": Rational(q), "0": Rational(p)}
    for first, row in zip(permanent.matrix.rows(), both.matrix.rows(), strict=True):
        for sent, probability in zip(both.outputs, row, strict=True):
            later = {
                word: math.prod(ones[b] if s == "1" else 1 - ones[b] for b, s in zip(word, sent, strict=True)) for word in both.outputs
            }
            assert probability == sum(x * later[word] for word, x in zip(both.outputs, first, strict=True))


def test_rappor_levels_of_the_paper():
    """ε∞ = 2h ln((1−f/2)/(f/2)) and ε₁ = h log(q*(1−p*)/(p*(1−q*)))."""
    f, p, q = map(Rational, ("1/2", "1/4", "3/4"))
    for bits, hashes in ((2, 1), (3, 1), (4, 2)):
        m = rappor_permanent(bits, hashes, f)
        assert level_of(m, complete(m)).value == ((f / 2) / (1 - f / 2)) ** (2 * hashes)
        one = rappor(bits, hashes, f, p, q)
        qs, ps = f * (p + q) / 2 + (1 - f) * q, f * (p + q) / 2 + (1 - f) * p
        assert level_of(one, complete(one)).value == (ps * (1 - qs) / (qs * (1 - ps))) ** hashes
    assert m.n_inputs == comb(4, 2)


@given(levels, st.lists(st.lists(st.integers(-4, 4), min_size=3, max_size=3), min_size=2, max_size=4))
@FEW
def test_exponential_mechanism_is_ratios_of_powers(t, rows):
    scores = Scores(rows)
    m, u = exponential_mechanism(scores, t), scores.unit
    for i, row in enumerate(rows):
        for r, x in enumerate(row):
            for s, y in enumerate(row):
                power = (Rational(x) - Rational(y)) / u
                assert m[i, r] * t ** int(power.numerator) == m[i, s] if power.sign() >= 0 else True
    graph = complete(m)
    bound = 2 * scores.sensitivity(graph) / u
    if bound:
        assert level_of(m, graph) >= PrivacyLevel(t ** int(bound.numerator))


def test_exponential_with_rational_scores_and_a_measure():
    m = exponential_mechanism(Scores([["0", "1/2", "3/4"]]), "1/2", measure=[1, 2, 4])
    assert Scores([["0", "1/2", "3/4"]]).unit == Rational("1/4")
    weights = [Rational(1, 8), 2 * Rational(1, 2), Rational(4)]
    assert m.matrix.row(0) == tuple(w / sum(weights, QQ.zero) for w in weights)


@pytest.mark.parametrize("ties", ["first", "uniform"])
@pytest.mark.parametrize("scores", [(0,), (0, 0), (2, 0), (0, 3), (1, 0, 1), (0, 2, 1), (0, 0, 0, 0)])
def test_noisy_max_by_brute_force(scores, ties):
    """All noise vectors in a box; the mass outside bounds the error exactly."""
    a, far = Rational("1/5"), 5 if len(scores) == 4 else 9
    noise, law = GeometricNoise(a), [QQ.zero] * len(scores)
    masses = {z: noise.mass(z) for z in range(-far, far + 1)}
    for noises in product(range(-far, far + 1), repeat=len(scores)):
        shown = [q + z for q, z in zip(scores, noises, strict=True)]
        best = [k for k, x in enumerate(shown) if x == max(shown)]
        weight = QQ.one
        for z in noises:
            weight *= masses[z]
        for k in best[:1] if ties == "first" else best:
            law[k] += weight / (1 if ties == "first" else len(best))
    missing = 1 - sum(law, QQ.zero)
    row = noisy_max(Scores([scores]), a, ties=ties).matrix.row(0)
    assert sum(row, QQ.zero) == 1
    assert all(0 <= x - y <= missing for x, y in zip(row, law, strict=True))
    assert missing < Rational(1, 500)


@given(levels, st.integers(1, 4), st.sampled_from(["first", "uniform"]))
@FEW
def test_noisy_max_is_private_at_twice_the_noise_s_epsilon(t, n, ties):
    scores = Scores(ExactMatrix.build(n + 1, 3, lambda i, r: (i, n - i, n // 2)[r]))
    m = noisy_max(scores, t, ties=ties)
    assert level_of(m, path(m)) >= PrivacyLevel(t * t)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_is_a_word(family):
    word = FAMILIES[family].example
    for key in ("epsilon=1", "scale=1"):
        word = word.replace(f"{key},", "t=1/2,") if f"{key}," in word else word.removesuffix(key) + "t=1/2" if word.endswith(key) else word
    assert is_mechanism_spec(word)
    m = mechanism_from_spec(word)
    assert all(sum(row, QQ.zero) == 1 for row in m.rows())


def test_words_are_read_strictly():
    for word, error in (
        ("opendp-geometric:scale=1,lower=0", InputError),
        ("opendp-geometric:t=1/2,lower=3,upper=0", InputError),
        ("opendp-geometric:t=1/2,alpha=1/2,lower=0,upper=3", InputError),
        ("opendp-geometric:t=1/2,lower=0,upper=5000", ResourceLimitError),
        ("opendp-geometric:lower=0,upper=3", InputError),
        ("flat:t=2,n=3", ParameterRangeError),
        ("staircase:t=1/2,n=3,sensitivity=2,step=3", ParameterRangeError),
        ("google-laplace:t=1/2,n=3,resolution=3", ParameterRangeError),
        ("rappor:bits=40,f=1/2,p=0,q=1", ResourceLimitError),
        ("two-coin:truth=3/2", ParameterRangeError),
        ("two-coin:truth=0.5,foo=1", InputError),
        ("noisy-max:t=1/2,n=2,ties=last", InputError),
        ("diffprivlib-geometric-folded:t=1/2,n=3,lower=1/3,upper=3", ParameterRangeError),
    ):
        with pytest.raises(error):
            mechanism_from_spec(word)


def test_a_level_beside_the_word_is_used():
    assert mechanism_from_spec("flat:n=2", "1/2") == mechanism_from_spec("flat:n=2,t=1/2")
    assert mechanism_from_spec("rounded-laplace:n=2", "1/4") == mechanism_from_spec("rounded-laplace:n=2,t=1/2")


@pytest.mark.parametrize("name", [name for name, family in FAMILIES.items() if any(p.name == "epsilon" for p in family.parameters)])
def test_an_epsilon_beside_a_word_is_that_inside_it(name):
    """Also where t is a root of the level, which the level's own field has not."""
    family, _, rest = FAMILIES[name].example.partition(":")
    kept = [part for part in rest.split(",") if part.partition("=")[0] not in {"alpha", "epsilon", "scale", "t"}]
    small = ",".join(part.replace("upper=50", "upper=3") for part in kept)
    inside = mechanism_from_spec(f"{family}:{','.join(filter(None, [small, 'epsilon=1']))}")
    for level in ("epsilon=1", PrivacyLevel(epsilon=1), PrivacyLevel.from_epsilon(1, unit=3)):
        assert mechanism_from_spec(f"{family}:{small}", level).matrix == inside.matrix


@pytest.mark.parametrize("level", ["1/2", "epsilon=ln(2)"])
def test_a_rational_level_without_the_root_is_refused_with_what_works(level):
    with pytest.raises(DomainError, match=r"t is \(1/2\)\^\(1/2\), which is irrational; give t itself in the word"):
        mechanism_from_spec("exponential:n=2", level)
    assert mechanism_from_spec("exponential:n=2", "1/4") == mechanism_from_spec("exponential:n=2,t=1/2")
