# SPDX-License-Identifier: MIT
"""Habits of Python: exact numbers in formats, statistics, arrays, frames and plots."""

from __future__ import annotations

import copy
import json
import math
import pickle
import re
import statistics
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactdp as xdp
from exactdp.errors import InexactInputError, ParameterRangeError
from exactdp.exact import ExponentialField

T = ExponentialField("1/2").gen
NUMBERS = {
    "rational": [xdp.Rational("1/3"), xdp.Rational("1/2"), xdp.Rational("2/3")],
    "ε": [xdp.Epsilon("1/2"), xdp.Epsilon("ln 2"), xdp.Epsilon("ln 3")],
    "exponential": [T / 2, T, 3 * T / 2],
}


@pytest.fixture(params=NUMBERS)
def numbers(request):
    return NUMBERS[request.param]


def test_in_arrays_statistics_and_files(numbers):
    floats = [float(x) for x in numbers]
    assert np.asarray(numbers, dtype=float).tolist() == floats
    assert np.array(numbers, dtype="float32").dtype == np.float32
    assert sorted(numbers, reverse=True)[::-1] == numbers == copy.deepcopy(numbers) == pickle.loads(pickle.dumps(numbers))
    assert statistics.fmean(numbers) == statistics.fmean(floats)
    assert statistics.median(numbers) == numbers[1]
    assert math.isclose(numbers[1], floats[1])
    assert math.sqrt(numbers[0]) == math.sqrt(floats[0])
    assert json.loads(json.dumps(numbers, default=float)) == floats
    assert max(numbers) is numbers[2]
    assert (numbers[0] < 0.99, numbers[0] < 0.99, numbers[0] == 0.99) == (True, True, False)


def test_in_frames(numbers):
    pandas = pytest.importorskip("pandas")
    column = pandas.Series(numbers)
    assert column.astype(float).tolist() == [float(x) for x in numbers]
    assert column.describe()["count"] == 3
    assert column.sort_values(ascending=False).tolist() == numbers[::-1]
    assert pandas.DataFrame({"x": numbers}).groupby([0, 0, 1]).max().x.tolist() == numbers[1:]


@pytest.mark.parametrize("drawing", ["hist", "bar", "fill_between", "stackplot", "pie", "boxplot", "imshow", "plot", "scatter", "step"])
def test_in_plots_as_floats(numbers, drawing):
    """As with Python's own fractions, whose lists some drawings refuse, the remedy of the pages works."""
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    figure = Figure()
    axes = figure.add_subplot()
    values = np.asarray(numbers, dtype=float)
    given = {"hist": [values], "boxplot": [values], "pie": [values], "imshow": [[values, values]]}.get(drawing, [values, values])
    getattr(axes, drawing)(*given)
    figure.canvas.draw()


@pytest.mark.parametrize("drawing", ["plot", "scatter", "step", "loglog"])
def test_in_plots_as_they_are(numbers, drawing):
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    figure = Figure()
    axes = figure.add_subplot()
    getattr(axes, drawing)(numbers, numbers)
    axes.axhline(numbers[0])
    axes.set_ylim(numbers[0], numbers[2])
    figure.canvas.draw()


@pytest.mark.parametrize("spec", ["g", "e", "f", "%", "G", "E", ".3f", ".2e", ".1%", "10.2e", ".4g"])
def test_formats_are_those_of_floats(numbers, spec):
    for x in numbers:
        assert format(x, spec) == format(float(x), spec)


@given(st.fractions("1/50", 49, max_denominator=97), st.sampled_from(["", "g", "e", ".3f", ".10g", ".2%", ">12"]))
def test_every_format_of_an_epsilon_ends(x, spec):
    of = xdp.Rational(x.numerator, x.denominator)
    assert format(xdp.Epsilon(of), spec) == format(of, spec)
    if x > 1 and spec.strip("<>12"):
        assert float(format(xdp.Epsilon(f"ln({x})"), spec).rstrip("%")) == pytest.approx(
            math.log(x) * (100 if "%" in spec else 1), rel=1e-5, abs=0.006
        )


@given(st.fractions("1/3", 49, max_denominator=97))
def test_whole_numbers_of_an_epsilon(x):
    whole = xdp.Epsilon(xdp.Rational(x.numerator, x.denominator))
    assert (int(whole), math.floor(whole), math.ceil(whole), math.trunc(whole)) == (int(x), math.floor(x), math.ceil(x), math.trunc(x))
    if x > 1:
        logarithm = xdp.Epsilon(f"ln({x})")
        assert math.exp(math.floor(logarithm)) <= x * (1 + 1e-12)
        assert math.ceil(logarithm) == math.floor(logarithm) + 1
    assert abs(whole) == whole


def test_the_mean_is_exact_or_says_what_is():
    assert statistics.mean([xdp.Epsilon("1/2"), xdp.Epsilon("1/4")]) == Fraction(3, 8)
    assert statistics.mean(NUMBERS["rational"]) == Fraction(1, 2)
    for name in ("ε", "exponential"):
        with pytest.raises(TypeError, match=r"is no fraction of integers; take sum"):
            statistics.mean(NUMBERS[name])
        assert float(sum(NUMBERS[name]) / 3) == pytest.approx(statistics.fmean(NUMBERS[name]))


def test_arithmetic_with_floats_names_what_works(numbers):
    for ask in (lambda x: x + 0.5, lambda x: 0.5 * x, lambda x: x / 0.5):
        with pytest.raises(InexactInputError, match=r"write Rational\('0.5'\)") as caught:
            ask(numbers[0])
        assert "as text" not in str(caught.value)
    assert float(numbers[0] * xdp.Rational("0.5")) == float(numbers[0]) / 2
    assert float(numbers[0]) * 0.5 == float(numbers[0]) / 2


def test_minus_epsilon_says_what_alpha_is():
    epsilon = xdp.Epsilon("ln 3")
    with pytest.raises(ParameterRangeError, match=r"PrivacyLevel\(epsilon\).alpha, and as a float exp\(-float\(epsilon\)\)"):
        math.exp(-epsilon)
    assert float(xdp.PrivacyLevel(epsilon).alpha) == pytest.approx(math.exp(-float(epsilon)))


ANSWERS = {
    "level": xdp.tightest_level("geometric:n=2,alpha=1/2", "path"),
    "optimum": xdp.optimum("path:3", "1/4", xdp.MinimaxConsumer("abs")),
}


@pytest.mark.parametrize(
    ("which", "name", "said"),
    [
        ("level", "decison", "did you mean .decision?"),
        ("level", "value", "its evidence has epsilon, tightest"),
        ("level", "result", "its evidence has epsilon, tightest"),
        ("optimum", "valeu", "did you mean .value?"),
        ("optimum", "loss", "its evidence has value"),
        ("optimum", "claims", "did you mean .claim?"),
    ],
)
def test_an_attribute_that_an_answer_has_not(which, name, said):
    with pytest.raises(AttributeError, match=f"an answer has no '{name}'; .*{said}"):
        getattr(ANSWERS[which], name)


@pytest.mark.parametrize(("which", "name"), [("level", "epsilon"), ("optimum", "value")])
def test_an_answer_is_no_float_but_what_it_found_is(which, name):
    with pytest.raises(TypeError, match=rf"an answer is no number; write float\(verdict.{name}\)"):
        float(ANSWERS[which])
    assert 0 < float(getattr(ANSWERS[which], name)) < 1


def test_an_answer_has_what_its_evidence_has():
    answer = ANSWERS["optimum"]
    assert answer.best == answer.evidence.best
    assert {"best", "value", "decision"} <= {*dir(answer)}
    copied = pickle.loads(pickle.dumps(answer))
    assert copied == answer
    assert copied.value == answer.value
    with pytest.raises(AttributeError, match=re.escape(".best.to_latex(decimals=4) rounded ones with labels")):
        answer.to_latex()
    assert answer.best.to_latex(decimals=4).partition("\n")[2].startswith(r"\begin{tabular}")  # below the sums of its rows
