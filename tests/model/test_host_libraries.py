# SPDX-License-Identifier: MIT
"""Exact numbers in NumPy, pandas and matplotlib: what takes them as they are, and what converts the rest.

matplotlib asks NumPy whether numbers are finite before it converts them. NumPy knows that of its own only,
and asks ours, one by one: limits take them. Of an array of objects it asks nothing. So positions of bars,
areas and histograms take no such array, and areas and histograms none of Fractions. A converter would have to
be registered in matplotlib, for the whole process.
"""

from __future__ import annotations

import contextlib
import operator
from fractions import Fraction

import numpy as np
import pytest

import exactdp as xdp
from exactdp.errors import InexactInputError, InputError
from exactdp.exact import ExponentialField

plt = pytest.importorskip("matplotlib.pyplot")
pd = pytest.importorskip("pandas")

NUMBERS = {
    "Rational": [xdp.Rational("1/3"), xdp.Rational("1/2")],
    "Epsilon": [xdp.Epsilon("1/2"), xdp.Epsilon("ln(3)")],
    "ExponentialNumber": list(xdp.geometric(1, epsilon="1/2").matrix.row(0)),
}

AS_THEY_ARE = {
    "plot": lambda ax, v: ax.plot([0, 1], v),
    "bar": lambda ax, v: ax.bar(["a", "b"], v),
    "barh": lambda ax, v: ax.barh([0, 1], v),
    "scatter": lambda ax, v: ax.scatter(v, v),
    "step": lambda ax, v: ax.step(v, v),
    "axvline": lambda ax, v: ax.axvline(v[0]),
    "axvspan": lambda ax, v: ax.axvspan(min(v), max(v)),
    "axhline": lambda ax, v: ax.axhline(v[1]),
    "text": lambda ax, v: ax.text(v[0], v[1], "here"),
    "vlines": lambda ax, v: ax.vlines(v, 0, 1),
    "set_xlim": lambda ax, v: ax.set_xlim(min(v), max(v)),
    "set_xlim, one of them": lambda ax, v: ax.set_xlim(0, max(v)),
    "set_ylim": lambda ax, v: ax.set_ylim((min(v), max(v))),
    "set_xbound": lambda ax, v: ax.set_xbound(min(v), max(v)),
}

AS_FLOATS = {
    "positions of bars": lambda ax, v: ax.bar(np.array(v, dtype=float), [0, 1]),
    "fill_between": lambda ax, v: ax.fill_between([0, 1], np.array(v, dtype=float)),
    "hist": lambda ax, v: ax.hist(np.array(v, dtype=float)),
}


@pytest.mark.parametrize("kind", NUMBERS)
@pytest.mark.parametrize("name", [*AS_THEY_ARE, *AS_FLOATS])
def test_matplotlib(name, kind):
    figure = plt.figure()
    (AS_THEY_ARE | AS_FLOATS)[name](figure.add_subplot(), NUMBERS[kind])
    figure.canvas.draw()
    plt.close(figure)


FLOATS_ONLY = {
    "positions of bars": lambda ax, v: ax.bar(v, [0, 1]),
    "ticks": lambda ax, v: ax.set_xticks(v),
    "images": lambda ax, v: ax.imshow([v, v]),
    "boxplot": lambda ax, v: ax.boxplot(v),
    "hist": lambda ax, v: ax.hist(v),
    "fill_between": lambda ax, v: ax.fill_between([0, 1], v),
}
"""What docs/how-to/export.md says takes floats."""

TAKES_FRACTIONS = {"positions of bars", "boxplot"}
"""Where a Fraction is drawn all the same."""


def _is_drawn(draw, values):
    figure = plt.figure()
    try:
        draw(figure.add_subplot(), values)
        figure.canvas.draw()
    except (TypeError, InexactInputError):
        return False
    finally:
        plt.close(figure)
    return True


@pytest.mark.parametrize("name", FLOATS_ONLY)
def test_what_the_page_says_takes_floats_takes_nothing_of_ours(name):
    """When one of these goes, the page is to say so."""
    assert not any(_is_drawn(FLOATS_ONLY[name], NUMBERS[kind]) for kind in ("Rational", "Epsilon"))
    assert _is_drawn(FLOATS_ONLY[name], [Fraction(1, 3), Fraction(1, 2)]) == (name in TAKES_FRACTIONS)


def test_error_bars_take_rationals():
    assert _is_drawn(lambda ax, v: ax.errorbar([0, 1], v, yerr=v), NUMBERS["Rational"])


@pytest.mark.parametrize("kind", NUMBERS)
def test_numpy_and_pandas(kind):
    numbers = NUMBERS[kind]
    floats = [float(x) for x in numbers]
    assert np.array(numbers, dtype=float).tolist() == floats
    assert np.asarray(numbers).dtype == object
    assert pd.Series(numbers).astype(float).tolist() == floats
    assert pd.Series(numbers, dtype=float).tolist() == floats
    assert float(pd.Series(numbers).sum()) == pytest.approx(sum(floats))
    assert np.linspace(0, float(numbers[0]), 3)[-1] == floats[0]
    assert list(pd.Series(numbers).sort_values()) == sorted(numbers)


def test_numpy_is_told_what_is_finite():
    numbers = [x for kind in NUMBERS.values() for x in kind]
    assert [(np.isfinite(x), np.isinf(x), np.isnan(x)) for x in numbers] == [(True, False, False)] * len(numbers)
    assert np.isfinite(xdp.Rational(10**400))  # which is no double
    infinite = xdp.Epsilon.of_level(0)
    assert (np.isfinite(infinite), np.isinf(infinite), np.isnan(infinite)) == (False, True, False)


def test_limits_are_the_nearest_doubles():
    axes = plt.figure().add_subplot()
    axes.set_xlim(xdp.Rational("1/3"), xdp.Epsilon("ln(3)"))
    assert axes.get_xlim() == (1 / 3, float(xdp.Epsilon("ln(3)")))
    plt.close("all")


@pytest.mark.parametrize("kind", NUMBERS)
def test_arrays_of_numpy_compute_with_them(kind):
    one, two = NUMBERS[kind]
    array = np.array([one, two], dtype=object)
    assert (array + one).tolist() == (one + array).tolist() == [one + one, two + one]
    assert (array == one).tolist() == (one == array).tolist() == [True, False]
    assert (array < two).tolist() == [one < two, False]
    assert (array * 3).sum() == 3 * one + 3 * two
    assert np.maximum(one, two) == max(one, two)
    assert np.add.outer(array, array)[0, 1] == one + two
    for floats in (np.float64(0.5), np.array([0.5])):
        with pytest.raises(InexactInputError):
            floats + one


def test_nothing_is_registered_in_matplotlib():
    from matplotlib.units import registry

    assert not [kind for kind in registry if kind.__module__.startswith("exactdp")]
    for values in (NUMBERS["Rational"], [Fraction(1, 3), Fraction(1, 2)]):
        with pytest.raises(TypeError):
            plt.figure().add_subplot().fill_between([0, 1], values)  # when this goes, areas can take our numbers, too
    plt.close("all")


LONG = (np.longdouble(1), np.clongdouble(1), np.array([1, 2], dtype=np.longdouble))


@pytest.mark.parametrize("name", ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "divmod", "eq", "lt"])
@pytest.mark.parametrize(
    "number", [xdp.Rational("1/2"), xdp.Epsilon("2"), ExponentialField(1).gen], ids=["rational", "epsilon", "exponential"]
)
@pytest.mark.parametrize("swapped", [False, True])
def test_numbers_longer_than_a_double_end(name, number, swapped):
    """Each is an answer or a refusal: NumPy and our numbers don't ask each other without end."""
    operation = divmod if name == "divmod" else getattr(operator, name)
    for other in LONG:
        with contextlib.suppress(TypeError, InputError):
            operation(*((other, number) if swapped else (number, other)))


def test_numpy_scalars_are_what_pythons_are():
    half = xdp.Rational("1/2")
    assert divmod(np.int64(7), xdp.Rational("3/2")) == divmod(7, xdp.Rational("3/2"))
    assert np.int64(7) // half == 14
    assert (np.bool_(True) == xdp.Epsilon("2"), np.bool_(True) != half) == (False, True)
    assert np.bool_(True) + half == xdp.Rational("3/2")
