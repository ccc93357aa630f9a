# SPDX-License-Identifier: MIT
"""The real libraries against our exact laws: frequencies by a goodness-of-fit test with an error probability
of at most 10⁻⁹.

For N draws from the law p, Chernoff's bound says P(N·KL(p̂_r ‖ p_r) ≥ x) ≤ 2·e^(−x) for every output r (KL of
two coins), so with R rows and m outputs the chance that any of them exceeds ln(2·R·m·10⁹) is at most 10⁻⁹,
whatever N is. That is exact, not asymptotic. diffprivlib is given a seed; OpenDP takes none. Skipped where a
library is not installed.
"""

from __future__ import annotations

import math
import sys
import types
from collections import Counter

import pytest

from exactdp.mechanisms.words import mechanism_from_spec

DRAWS = 1500
ERROR = 1e-9


def divergence(seen, p):
    """KL of two coins, in nats."""
    parts = ((seen, p), (1 - seen, 1 - p))
    return sum(0.0 if a == 0 else math.inf if b == 0 else a * math.log(a / b) for a, b in parts)


def fits(mechanism, draw, *, draws=DRAWS, key=str):
    """Whether every frequency is within its bound; ``draw(label)`` gives one output, ``key`` its label."""
    limit = math.log(2 * mechanism.n_inputs * mechanism.n_outputs / ERROR)
    for i, label in enumerate(mechanism.inputs):
        counts = Counter(key(draw(label)) for _ in range(draws))
        assert set(counts) <= set(mechanism.outputs), set(counts) - set(mechanism.outputs)
        for r, name in enumerate(mechanism.outputs):
            if draws * divergence(counts[name] / draws, float(mechanism[i, r])) > limit:
                return False
    return True


def lump(low, high):
    """Names of outputs of an unbounded mechanism lumped beyond low..high."""
    return lambda z: f"<={low - 1}" if z < low else f">={high + 1}" if z > high else str(z)


@pytest.fixture(scope="module")
def dp():
    prelude = pytest.importorskip("opendp.prelude")
    prelude.enable_features("contrib")
    return prelude


def integers(dp):
    return dp.atom_domain(T=int), dp.absolute_distance(T=int)


@pytest.mark.slow
def test_opendp_bounded_geometric(dp):
    release = dp.m.make_geometric(*integers(dp), scale=1.0, bounds=(0, 4))
    law = mechanism_from_spec("opendp-geometric:scale=1,lower=0,upper=4")
    assert fits(law, lambda i: release(int(i)))
    assert abs(release.map(1) - 1) < 1e-9  # what OpenDP says of itself: ε = 1


def test_opendp_discrete_laplace(dp):
    release = dp.m.make_laplace(*integers(dp), scale=1.0)
    assert fits(mechanism_from_spec("opendp-laplace:scale=1,n=3"), lambda i: release(int(i)), key=lump(0, 3))


def test_opendp_randomised_response(dp):
    release = dp.m.make_randomized_response(categories=["0", "1", "2"], prob=0.75)
    assert fits(mechanism_from_spec("opendp-randomized-response:n=2,prob=3/4"), release)


@pytest.mark.slow
def test_another_law_does_not_fit(dp):
    """The test can fail: rounded Laplace noise of the same scale is told apart."""
    release = dp.m.make_geometric(*integers(dp), scale=1.0, bounds=(0, 4))
    assert not fits(mechanism_from_spec("rounded-laplace:epsilon=1,n=4"), lambda i: release(int(i)), draws=20_000)


@pytest.fixture(scope="module")
def diffprivlib():
    """The mechanisms only: the models of some releases do not import with a recent scikit-learn."""
    pytest.importorskip("numpy")
    import importlib.util

    if importlib.util.find_spec("diffprivlib") is None:
        pytest.skip("diffprivlib is not installed")
    saved = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] == "diffprivlib"}
    sys.modules["diffprivlib.models"] = types.ModuleType("diffprivlib.models")
    try:
        from diffprivlib import mechanisms
    except ImportError as error:
        pytest.skip(f"diffprivlib does not import: {error}")
    finally:
        sys.modules.pop("diffprivlib.models", None)
        sys.modules.update(saved)
    return mechanisms


SEED = 20240607


def test_diffprivlib_geometric(diffprivlib):
    m = diffprivlib.Geometric(epsilon=1.0, sensitivity=1, random_state=SEED)
    assert fits(mechanism_from_spec("diffprivlib-geometric:epsilon=1,n=3"), lambda i: m.randomise(int(i)), key=lump(0, 3))


def test_diffprivlib_geometric_with_a_larger_sensitivity(diffprivlib):
    m = diffprivlib.Geometric(epsilon=1.0, sensitivity=2, random_state=SEED)
    assert fits(mechanism_from_spec("diffprivlib-geometric:epsilon=1,n=3,sensitivity=2"), lambda i: m.randomise(int(i)), key=lump(0, 3))


def test_diffprivlib_truncated(diffprivlib):
    m = diffprivlib.GeometricTruncated(epsilon=1.0, sensitivity=1, lower=0, upper=4, random_state=SEED)
    assert fits(mechanism_from_spec("diffprivlib-geometric-truncated:epsilon=1,lower=0,upper=4"), lambda i: m.randomise(int(i)))


@pytest.mark.slow
@pytest.mark.parametrize(("lower", "upper"), [(0, 4), (-0.5, 4.5)])
def test_diffprivlib_folded(diffprivlib, lower, upper):
    m = diffprivlib.GeometricFolded(epsilon=1.0, sensitivity=1, lower=lower, upper=upper, random_state=SEED)
    word = "diffprivlib-geometric-folded:epsilon=1,n=4" + (",lower=-1/2,upper=9/2" if lower else "")
    assert fits(mechanism_from_spec(word), lambda i: m.randomise(int(i)))


def test_diffprivlib_binary(diffprivlib):
    m = diffprivlib.Binary(epsilon=1.0, value0="0", value1="1", random_state=SEED)
    assert fits(mechanism_from_spec("diffprivlib-binary:epsilon=1"), m.randomise)


@pytest.mark.parametrize("monotonic", [False, True])
def test_diffprivlib_exponential(diffprivlib, monotonic):
    law = mechanism_from_spec(f"diffprivlib-exponential:epsilon=1,n=3,monotonic={int(monotonic)}")
    names = ["0", "1", "2", "3"]
    made = {
        i: diffprivlib.Exponential(
            epsilon=1.0,
            sensitivity=1.0,
            utility=[-abs(int(i) - r) for r in range(4)],
            candidates=names,
            monotonic=monotonic,
            random_state=SEED + int(i),
        )
        for i in names
    }
    assert fits(law, lambda i: made[i].randomise())
