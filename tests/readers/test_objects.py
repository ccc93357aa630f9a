# SPDX-License-Identifier: MIT
"""Tables from other libraries' objects: exact entries as they are, floats only on request."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
import sympy

import exactdp as xdp
from exactdp import Table, geometric
from exactdp.errors import InexactInputError, InputError, ShapeError
from exactdp.exact import Rational
from exactdp.readers.objects import from_floats, table_of

THIRDS = [["1/3", "2/3"], ["1/2", "1/2"]]


def test_nested_lists_fractions_decimals_and_scalars():
    assert table_of([[Fraction(1, 3), Rational(2, 3)], ["1/2", Decimal("0.5")]]) == Table(THIRDS)
    assert table_of(Table(THIRDS)) == Table(THIRDS)
    assert table_of(list(geometric(2, "1/2").rows())).matrix == geometric(2, "1/2").matrix


def test_numpy_arrays():
    np = pytest.importorskip("numpy")
    exact = np.array([[Fraction(1, 3), Fraction(2, 3)], [Fraction(1, 2), Fraction(1, 2)]], dtype=object)
    assert table_of(exact) == Table(THIRDS)
    assert table_of(np.array([[1, 0], [0, 1]])) == Table([[1, 0], [0, 1]])
    mixed = np.array([[np.int64(1), np.float64(0.0)]], dtype=object)
    with pytest.raises(InexactInputError, match="row 0, column 1"):
        table_of(mixed)
    assert table_of(mixed, dyadic=True) == Table([[1, 0]])
    single = np.array([[0.1, 0.9]], dtype=np.float32)
    assert table_of(single, dyadic=True).matrix[0, 0] == Rational(13421773, 2**27)
    for bad in (np.array([0.5, 0.5]), np.zeros((2, 2, 2))):
        with pytest.raises(InputError):
            table_of(bad, dyadic=True)
    with pytest.raises(InputError):
        table_of(np.array([[float("nan")]]), dyadic=True)


def test_sympy_matrices():
    half, third = sympy.Rational(1, 2), sympy.Rational(1, 3)
    for kind in (sympy.Matrix, sympy.ImmutableMatrix):
        assert table_of(kind([[third, 1 - third], [half, half]])) == Table(THIRDS)
    with pytest.raises(InputError, match="symbols"):
        table_of(sympy.Matrix([[sympy.Symbol("a"), 1]]))
    with pytest.raises(InexactInputError):
        table_of(sympy.Matrix([[sympy.Float("0.1"), 1]]), dyadic=True)
    with pytest.raises(InputError, match="pi"):
        table_of(sympy.Matrix([[sympy.pi, 1]]))
    assert not table_of(sympy.Matrix([[sympy.sqrt(2) / 2, 1 - sympy.sqrt(2) / 2]])).faults()


def test_pandas_frames():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"no": ["1/3", "1/2"], "yes": ["2/3", "1/2"]}, index=["a", "b"])
    assert table_of(frame) == Table(THIRDS, ["a", "b"], ["no", "yes"])
    assert table_of(pd.DataFrame(THIRDS)) == Table(THIRDS)
    floats = pd.DataFrame([[0.25, 0.75]])
    with pytest.raises(InexactInputError):
        table_of(floats)
    assert table_of(floats, dyadic=True) == Table([["1/4", "3/4"]])


def test_polars_frames():
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"no": ["1/3", "1/2"], "yes": ["2/3", "1/2"]})
    assert table_of(frame) == Table(THIRDS, None, ["no", "yes"])
    with pytest.raises(InexactInputError):
        table_of(pl.DataFrame({"x": [0.25], "y": [0.75]}))
    assert from_floats(pl.DataFrame({"x": [0.25], "y": [0.75]})).matrix == Table([["1/4", "3/4"]]).matrix


def test_libqif_arrays():
    qif = pytest.importorskip("qif")
    np = pytest.importorskip("numpy")
    graph = np.array([[0.0, 1.0], [1.0, 0.0]])
    assert graph.shape == (2, 2)
    C = qif.channel.randu(3, 2)
    table = table_of(C, dyadic=True)
    assert [[float(x) for x in row] for row in table.matrix.rows()] == C.tolist()
    with pytest.raises(InexactInputError):
        table_of(C)


class Secrets:
    labels = ("s1", "s2")


class Channel:
    """What a qiflib channel offers."""

    secrets, outputs = Secrets(), ("y1", "y2")

    def __init__(self, matrix):
        self.matrix = matrix


def test_objects_with_a_matrix():
    table = table_of(Channel([["1/3", "2/3"], ["1/2", "1/2"]]))
    assert table == Table(THIRDS, ["s1", "s2"], ["y1", "y2"])


@pytest.mark.parametrize("thing", ["1/2", [1, 2], [["1/2"], "1/2"], 3, None, [[True]], [[object()]], [[1j]]])
def test_what_is_no_table(thing):
    with pytest.raises(InputError):
        table_of(thing)


def test_empty_and_labels():
    with pytest.raises(ShapeError):
        table_of([])
    assert from_floats([[0.5, 0.5]], outputs=["x", "y"]).outputs == ("x", "y")


def test_matrices_of_flint_and_powers_of_e_in_sympy():
    from exactdp import geometric, is_private

    numbers, powers = geometric(2, "1/4"), geometric(2, epsilon="1/2")
    assert table_of(numbers.to_flint()).matrix == numbers.matrix
    assert table_of(powers.to_sympy()).matrix == powers.matrix
    assert is_private(numbers.to_flint(), "path", "1/4").proved
    with pytest.raises(InputError, match="from_sympy"):
        table_of(geometric(2, "a").to_sympy())


@pytest.mark.parametrize("scalar", [sympy.sqrt(2), sympy.Symbol("x"), sympy.Rational(1, 2), sympy.Symbol("x") < 1, sympy.Array([1, 2])])
def test_a_scalar_of_sympy_is_no_table(scalar):
    path, half = "path", ["1/2", "1/2"]
    for ask in (
        xdp.table_of,
        xdp.matrix,
        xdp.from_floats,
        xdp.Mechanism,
        xdp.Loss,
        xdp.MinimaxConsumer,
        xdp.ExactMatrix.from_sympy,
        lambda x: xdp.is_universally_optimal(xdp.geometric(1, "1/2"), path, "1/2", x),
        lambda x: xdp.uncertainty(xdp.geometric(1, "1/2"), half, x),
        lambda x: xdp.prior_uncertainty(half, x),
    ):
        with pytest.raises(InputError, match=r"give|two dimensions"):
            ask(scalar)


@pytest.mark.parametrize("labels", [[[], []], ["a", "b"], 5])
@pytest.mark.parametrize("content", [object(), [["1/2", "1/2"]], "1/2,1/2"])
def test_labels_are_a_flag_whatever_holds_the_table(labels, content):
    np = pytest.importorskip("numpy")
    labels = np.array(labels)
    with pytest.raises(InputError, match=r"the flag labels is .*; give True or False"):
        xdp.read_table(content, labels=labels)


@pytest.mark.parametrize("kind", [xdp.Table, xdp.Mechanism, xdp.Loss])
def test_what_is_no_data_frame_is_told(kind):
    with pytest.raises(InputError, match="a data frame"):
        kind.from_pandas(Fraction(1, 4))
