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
from fractions import Fraction

import pytest

import exactdp as xdp
from exactdp.errors import InputError
from exactdp.mechanisms import randomized_response
from exactdp.mechanisms.libraries import implemented_by
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


def test_opendp_objects_tell_their_parameters(dp):
    """What OpenDP draws fits the mechanism that is read from its object, and the level is what it says."""
    release = dp.m.make_geometric(*integers(dp), scale=2.0, bounds=(0, 3))
    found = implemented_by(release)
    assert found.word == "opendp-geometric:scale=2,lower=0,upper=3"
    assert fits(found.mechanism, lambda i: release(int(i)))
    assert "scale = 2.0" in found.note
    unbounded = dp.m.make_laplace(*integers(dp), scale=1.0)
    assert implemented_by(unbounded, 3).word == "opendp-laplace:scale=1,n=3"
    assert implemented_by(dp.m.make_geometric(*integers(dp), scale=1.0), 3).word == "opendp-laplace:scale=1,n=3"
    response = dp.m.make_randomized_response(categories=["a", "b", "c"], prob=0.75)
    assert fits(implemented_by(response).mechanism, response)
    yes = dp.m.make_randomized_response_bool(prob=0.75)
    assert fits(implemented_by(yes).mechanism, lambda label: str(yes(label == "True")))
    assert implemented_by(yes).mechanism == randomized_response(["False", "True"], "3/4")


def test_opendp_objects_that_do_not_tell_are_refused(dp):
    people = dp.t.make_clamp(dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance(), bounds=(0, 3)) >> dp.t.then_sum()
    chain = people >> dp.m.then_laplace(1.0)
    real = dp.m.make_laplace(dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float), scale=1.0)
    unsigned = dp.m.make_geometric(dp.atom_domain(T="u32"), dp.absolute_distance(T="u32"), scale=1.0)
    gaussian = dp.m.make_gaussian(*integers(dp), scale=1.0)
    for thing in (chain, real, unsigned, gaussian, people, dp.m.make_laplace(*integers(dp), scale=1.0)):
        with pytest.raises(InputError):
            implemented_by(thing)


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


def test_diffprivlib_objects_tell_their_parameters(diffprivlib):
    cases = (
        (diffprivlib.Geometric(epsilon=1, sensitivity=2, random_state=SEED), 3, "diffprivlib-geometric:epsilon=1,sensitivity=2,n=3"),
        (
            diffprivlib.GeometricTruncated(epsilon=0.5, lower=0, upper=4, random_state=SEED),
            None,
            "diffprivlib-geometric-truncated:epsilon=1/2,sensitivity=1,lower=0,upper=4",
        ),
        (
            diffprivlib.GeometricFolded(epsilon=1, lower=-0.5, upper=3.5, random_state=SEED),
            3,
            "diffprivlib-geometric-folded:epsilon=1,sensitivity=1,n=3,lower=-1/2,upper=7/2",
        ),
    )
    for thing, n, word in cases:
        found = implemented_by(thing, n)
        assert found.word == word
        key = lump(0, 3) if "geometric:" in word else str
        assert fits(found.mechanism, lambda i, thing=thing: thing.randomise(int(i)), key=key)
    binary = diffprivlib.Binary(epsilon=1.0, value0="no", value1="yes", random_state=SEED)
    assert fits(implemented_by(binary).mechanism, binary.randomise)


def test_diffprivlib_objects_that_are_no_tables_are_refused(diffprivlib):
    for thing in (
        diffprivlib.Uniform(delta=0.1, sensitivity=1),
        diffprivlib.Laplace(epsilon=1, sensitivity=1),
        diffprivlib.Exponential(epsilon=1, sensitivity=1, utility=[1, 2]),
        diffprivlib.GeometricTruncated(epsilon=1, lower=0, upper=float("inf")),
        diffprivlib.Geometric(epsilon=float("inf")),
    ):
        with pytest.raises(InputError, match="diffprivlib's"):
            implemented_by(thing, 3)


def made(name, **parameters):
    """What stands for a measurement of OpenDP: it tells how it was made."""
    kind = type("Measurement", (), {"__module__": "opendp.mod"})
    thing = kind()
    thing.__opendp_dict__ = {"__function__": name, "__module__": "measurements", "__kwargs__": parameters}
    return thing


def of_diffprivlib(name, **parameters):
    return type(name, (), {"__module__": f"diffprivlib.mechanisms.{name.lower()}", **parameters})()


def test_an_object_will_do_where_a_mechanism_is_meant():
    binary = of_diffprivlib("Binary", epsilon=0.5, delta=0.0, value0="a", value1="b")
    bounded = made("make_geometric", input_domain="AtomDomain(T=i32)", scale=2.0, bounds=(0, 3))
    for thing, near in ((binary, "complete"), (bounded, "path"), (implemented_by(bounded), "path")):
        assert xdp.tightest_level(thing, near).evidence.tightest == xdp.PrivacyLevel(epsilon="1/2")
    with pytest.raises(InputError, match="n="):
        xdp.tightest_level(of_diffprivlib("Geometric", epsilon=0.5, delta=0.0, sensitivity=1), "path:4")
    with pytest.raises(InputError, match="real numbers"):
        xdp.tightest_level(of_diffprivlib("Gaussian"), "path:4")


def test_floats_are_the_doubles_that_they_are():
    found = implemented_by(of_diffprivlib("Binary", epsilon=0.1, delta=0.0, value0="a", value1="b"))
    assert found.word == f"diffprivlib-binary:epsilon={Fraction(0.1)}"
    assert found.note.endswith("epsilon = 0.1 (the double)")
    found = implemented_by(made("make_randomized_response_bool", prob=0.7))
    assert Fraction(str(found.mechanism[0, 0])) == Fraction(0.7)


@pytest.mark.parametrize(
    ("thing", "n", "words"),
    [
        (made("make_laplace", input_domain="AtomDomain(T=i32)", scale=1.0), None, "n= "),
        (made("make_laplace", input_domain="AtomDomain(T=f64)", scale=1.0), 3, "a single signed integer"),
        (made("make_laplace", input_domain="AtomDomain(T=i32)", scale=1.0, k=3), 3, "multiples of 2"),
        (made("make_geometric", input_domain="AtomDomain(T=i32)", scale=1.0, bounds=(0, 3)), 3, "leave n out"),
        (made("make_geometric", input_domain="AtomDomain(T=i32)", scale=0.0, bounds=(0, 3)), None, "scale is 0, not > 0"),
        (made("make_geometric", input_domain="AtomDomain(T=i32)", scale=float("nan"), bounds=(0, 3)), None, "a finite number"),
        (made("make_chain_mt"), None, "the measurement at its end"),
        (type("Measurement", (), {"__module__": "opendp.mod"})(), None, "does not tell how it was made"),
        (of_diffprivlib("Geometric", epsilon=1.0, sensitivity=1, delta=0.1), 3, "delta = 0.1"),
        (of_diffprivlib("Geometric", epsilon=None, sensitivity=1), 3, "epsilon is None, not a number"),
        (of_diffprivlib("Gaussian"), 3, "real numbers"),
        (of_diffprivlib("Bingham"), 3, "is not read"),
        ([[1, 2]], None, "no measurement of OpenDP"),
    ],
)
def test_what_is_refused(thing, n, words):
    with pytest.raises(InputError, match=words) as caught:
        implemented_by(thing, n)
    assert len(str(caught.value)) <= 300


@pytest.mark.parametrize(("sensitivity", "word"), [(1, "n=3"), (2, "n=3,sensitivity=2")])
def test_diffprivlib_geometric(diffprivlib, sensitivity, word):
    m = diffprivlib.Geometric(epsilon=1.0, sensitivity=sensitivity, random_state=SEED)
    assert fits(mechanism_from_spec(f"diffprivlib-geometric:epsilon=1,{word}"), lambda i: m.randomise(int(i)), key=lump(0, 3))


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


def test_a_notebook_shows_word_law_and_mechanism():
    found = implemented_by(of_diffprivlib("Binary", epsilon=0.5, delta=0.0, value0="a", value1="b"))
    shown = found._repr_html_()
    for text in (found.word, "diffprivlib", "<table"):
        assert text in shown
