# SPDX-License-Identifier: MIT
"""Structured matrices against the same matrices written out, entry by entry from the definition."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp import Mechanism, geometric, is_private, neighbours, tightest_level
from exactdp.certificate import compact
from exactdp.certificate.encode import matrix_json
from exactdp.errors import NegativeEntryError, NotStochasticError, ShapeError
from exactdp.exact import ExactMatrix, ExponentialField, OverOneDenominator, Rational, ScaledPowers, SparseProduct, SparseRows
from exactdp.model.faults import faults_of

fractions = st.fractions(-3, 3, max_denominator=9)
powers = st.tuples(fractions, st.lists(fractions, min_size=1, max_size=5))
sparse = st.integers(1, 5).flatmap(
    lambda m: st.tuples(st.lists(st.dictionaries(st.integers(0, m - 1), fractions, max_size=3), min_size=1, max_size=4), st.just(m))
)


def of_powers(alpha: Fraction, scales: list[Fraction]) -> tuple[ScaledPowers, ExactMatrix]:
    """α^|i−j|·z_j both ways."""
    n = len(scales)
    rows = [[alpha ** abs(i - j) * scales[j] for j in range(n)] for i in range(n)]
    return ScaledPowers(Rational(alpha), list(map(Rational, scales))), ExactMatrix(rows)


def of_rows(rows: list[dict[int, Fraction]], columns: int) -> tuple[SparseRows, ExactMatrix]:
    """Rows with few entries both ways."""
    plain = ExactMatrix([[row.get(j, 0) for j in range(columns)] for row in rows])
    return SparseRows([{j: Rational(x) for j, x in row.items()} for row in rows], columns), plain


def of_integers(rows: list[list[int]], below: int) -> tuple[OverOneDenominator, ExactMatrix]:
    """Integers over one denominator both ways."""
    return OverOneDenominator(rows, below), ExactMatrix([[Fraction(x, below) for x in row] for row in rows])


integers = st.tuples(
    st.integers(1, 4).flatmap(lambda m: st.lists(st.lists(st.integers(-4, 9), min_size=m, max_size=m), min_size=1, max_size=4)),
    st.integers(1, 12),
)


def of_product(parts: tuple[list[list[Fraction]], tuple[list[dict[int, Fraction]], int]]) -> tuple[SparseProduct, ExactMatrix]:
    """A dense matrix times rows with few entries, both ways: the second by sums of fractions."""
    left, (rows, columns) = parts
    sums = [[sum((row[y] * x.get(r, 0) for y, x in enumerate(rows)), Fraction(0)) for r in range(columns)] for row in left]
    return SparseProduct(ExactMatrix(left), of_rows(rows, columns)[0]), ExactMatrix(sums)


products = sparse.flatmap(
    lambda right: st.tuples(
        st.lists(st.lists(fractions, min_size=len(right[0]), max_size=len(right[0])), min_size=1, max_size=4), st.just(right)
    )
)
both = st.one_of(
    powers.map(lambda x: of_powers(*x)),
    sparse.map(lambda x: of_rows(*x)),
    integers.map(lambda x: of_integers(*x)),
    products.map(of_product),
)


@given(both)
def test_it_is_the_matrix_written_out(pair):
    known, plain = pair
    n, m = plain.shape
    assert known.shape == plain.shape
    assert [[known[i, j] for j in range(m)] for i in range(n)] == [list(row) for row in plain.rows()]
    assert list(known.rows()) == list(plain.rows())
    assert known.row(-1) == plain.row(-1)
    assert known[-1, -1] == plain[-1, -1]
    assert known.column(m - 1) == plain.column(m - 1)
    assert known == plain
    assert plain == known
    assert hash(known) == hash(plain)
    assert (repr(known), str(known)) == (repr(plain), str(plain))
    assert known.T == plain.T
    assert known[0, :] == plain[0, :]
    assert known.T @ known == plain.T @ plain
    assert known - known == plain * 0
    assert type(known.T) is ExactMatrix
    copy = pickle.loads(pickle.dumps(known))
    assert (type(copy), copy) == (type(known), plain)
    assert known.rank() == plain.rank()


@given(both, both)
def test_equality_is_that_of_entries(one, two):
    assert (one[0] == two[0]) == (one[1] == two[1]) == (one[0] == two[1])


def test_two_of_one_kind_that_differ_in_what_no_entry_shows_are_equal():
    assert ScaledPowers(Rational(2), [Rational(3)]) == ScaledPowers(Rational(5), [Rational(3)])
    assert SparseRows([{0: Rational(0)}], 2) == SparseRows([{}], 2)


@settings(max_examples=60)
@given(both)
def test_what_is_called_stochastic_is(pair):
    known, plain = pair
    rows = [[x.as_fraction() for x in row] for row in plain.rows()]
    literally = all(x >= 0 for row in rows for x in row) and all(sum(row) == 1 for row in rows)
    assert known.is_stochastic() == plain.is_stochastic() == literally
    labels = [tuple(map(str, range(k))) for k in plain.shape]
    assert faults_of(known, *labels) == faults_of(plain, *labels)


def test_a_geometric_mechanism_after_a_remap_over_exponentials():
    """Entry by entry what the product is, and the sizes must fit."""
    t = ExponentialField(1).gen
    G = geometric(2, t).matrix
    T = SparseRows([{0: t, 1: 1 - t}, {1: t**0}, {2: t**0}], 3)
    found = SparseProduct(G, T)
    assert [list(row) for row in found.rows()] == [list(row) for row in (G @ ExactMatrix([list(row) for row in T.rows()])).rows()]
    assert found.is_stochastic()
    assert Mechanism(found).matrix == found
    with pytest.raises(NotStochasticError):
        Mechanism(SparseProduct(G, SparseRows([{0: t}, {1: t}, {2: t}], 3)))
    with pytest.raises(ShapeError):
        SparseProduct(G, SparseRows([{0: t}], 1))


@given(st.fractions(0, 1, max_denominator=12).filter(lambda x: 0 < x < 1), st.integers(0, 6))
def test_the_geometric_mechanism_is_found_stochastic_from_its_scales(alpha, n):
    matrix = geometric(n, Rational(alpha)).matrix
    assert isinstance(matrix, ScaledPowers)
    assert matrix.is_stochastic()
    assert {sum(row, Rational(0)) for row in matrix.rows()} == {Rational(1)}
    assert n == 0 or not ScaledPowers(matrix.base, [*matrix.scales[:-1], matrix.scales[-1] + 1]).is_stochastic()


def test_a_wrong_formula_makes_no_mechanism():
    half = Rational("1/2")
    with pytest.raises(NotStochasticError):
        Mechanism(ScaledPowers(half, [half] * 3))
    with pytest.raises(NegativeEntryError):
        Mechanism(SparseRows([{0: Rational(2), 1: Rational(-1)}], 2))
    with pytest.raises(NotStochasticError):
        Mechanism(SparseRows([{0: half}], 2))


def test_no_place_outside():
    matrix = ScaledPowers(Rational("1/2"), [Rational(1)] * 2)
    for place in ((2, 0), (0, 2), (-3, 0)):
        with pytest.raises(IndexError):
            matrix[place]
    with pytest.raises(IndexError):
        matrix.row(2)
    for wrong in (lambda: ScaledPowers(Rational(1), []), lambda: SparseRows([], 2), lambda: SparseRows([{2: Rational(1)}], 2)):
        with pytest.raises(ShapeError):
            wrong()


@pytest.mark.parametrize("near", ["path", "complete"])
@pytest.mark.parametrize("asked", [None, "1/4", "1/3", "1/2"])
@pytest.mark.parametrize("n", [1, 2, 4])
def test_privacy_on_a_path_is_that_of_the_table_written_out(n, asked, near):
    closed = geometric(n, "1/3")
    table = Mechanism(ExactMatrix(list(closed.rows())), closed.inputs, closed.outputs)
    graph = neighbours(f"{near}:{n + 1}")
    ask = (lambda m: tightest_level(m, graph)) if asked is None else (lambda m: is_private(m, graph, asked))
    found, expected = ask(closed), ask(table)
    assert (found.decision, found.claim, found.scope) == (expected.decision, expected.claim, expected.scope)
    for name in ("tightest", "tight", "violated", "attained"):
        assert getattr(found.evidence, name) == getattr(expected.evidence, name)


def test_constraints_are_those_of_each_pair_and_output():
    cells = tightest_level(geometric(2, "1/3"), neighbours("path:3")).evidence.tight
    assert cells[-1] == cells[5] == cells[5:][0]
    assert len(cells) == len({(c.low, c.high, c.output) for c in cells}) == 6
    with pytest.raises(IndexError):
        cells[6]
    assert cells == tuple(cells)
    assert hash(cells) == hash(tuple(cells))
    assert cells != list(cells)


def test_a_large_mechanism_is_not_written_out():
    m = geometric(1000, "9/10")
    verdict = is_private(m, neighbours("path:1001"), "9/10")
    assert verdict.proved
    assert len(verdict.evidence.tight) == 1000 * 1001
    assert m.matrix._written is None


@given(st.lists(st.lists(st.integers(-1, 4), min_size=3, max_size=3), min_size=1, max_size=4), st.booleans())
def test_rows_over_one_denominator_are_judged_as_entry_by_entry(counts, divided):
    rows = [[Fraction(x, sum(row) if divided and sum(row) > 0 else 4) for x in row] for row in counts]
    literally = all(x >= 0 for row in rows for x in row) and all(sum(row) == 1 for row in rows)
    assert ExactMatrix(rows).is_stochastic() == literally
    assert bool(faults_of(ExactMatrix(rows), tuple("0123")[: len(rows)], tuple("012"))) != literally


@given(integers, st.data())
def test_products_of_rows_are_the_sums_of_products(known, data):
    rows, below = known
    other = data.draw(st.lists(st.lists(fractions, min_size=len(rows[0]), max_size=len(rows[0])), min_size=len(rows), max_size=len(rows)))
    literally = [sum(Fraction(x, below) * y for x, y in zip(*pair, strict=True)) for pair in zip(rows, other, strict=True)]
    assert [x.as_fraction() for x in OverOneDenominator(rows, below).row_products(other)] == literally


@given(integers)
def test_the_size_of_a_column_is_that_of_its_least_integers(known):
    matrix = OverOneDenominator(*known)
    assert compact._columns(matrix) == compact._columns(ExactMatrix(list(matrix.rows())))


@given(integers)
def test_a_certificate_has_each_row_in_lowest_terms(known):
    assert matrix_json(OverOneDenominator(*known)) == matrix_json([[Rational(x, known[1]) for x in row] for row in known[0]])


@pytest.mark.parametrize(("rows", "below"), [([], 1), ([[]], 1), ([[1], [1, 2]], 1), ([[1]], 0), ([[1]], -2)])
def test_integers_without_a_shape_or_a_positive_denominator_are_refused(rows, below):
    with pytest.raises(ShapeError):
        OverOneDenominator(rows, below)


EXPONENTIALS = ExponentialField("1/2")
bases = st.sampled_from([Rational("1/3"), EXPONENTIALS.gen, EXPONENTIALS.gen**2, (1 + EXPONENTIALS.gen) / 3])
scale = st.sampled_from([Rational(0), Rational("2/3"), 1 / (1 + EXPONENTIALS.gen), 2 - EXPONENTIALS.gen, EXPONENTIALS.gen - 1])


@settings(max_examples=40, deadline=None)
@given(bases, st.lists(scale, min_size=1, max_size=5), st.data())
def test_rows_of_scaled_powers_over_exponentials_are_their_entries(base, scales, data):
    lines = data.draw(st.integers(1, len(scales)))
    before = data.draw(st.integers(0, len(scales) - lines))
    found = ScaledPowers(base, scales, EXPONENTIALS, rows=lines, before=before)
    rows = [[base ** abs(i + before - j) * z for j, z in enumerate(scales)] for i in range(lines)]
    plain = ExactMatrix(rows, EXPONENTIALS)
    assert found == plain
    assert found.same_formulas(plain)
    assert list(found.rows()) == list(plain.rows())
    assert found.is_stochastic() == found.is_stochastic() == plain.is_stochastic()
    assert all(x in set(found.numbers()) for row in plain.rows() for x in row)
    again = pickle.loads(pickle.dumps(found))
    assert (type(again), again.shape, again) == (ScaledPowers, plain.shape, plain)
    wider = ExponentialField("1/4")
    assert found.over(wider) == plain.over(wider)
    assert isinstance(found.over(wider), ScaledPowers)


@given(powers)
def test_the_determinant_of_scaled_powers(numbers):
    found, plain = of_powers(*numbers)
    assert found.det() == plain.det()


def test_no_more_rows_than_the_whole_matrix_has():
    with pytest.raises(ShapeError, match=r"2 \+ 2 rows are more than 3"):
        ScaledPowers(Rational("1/2"), [Rational(1)] * 3, rows=2, before=2)
    with pytest.raises(ShapeError, match="at least one row"):
        ScaledPowers(Rational("1/2"), [Rational(1)] * 3, rows=0)


@given(st.lists(st.lists(fractions, min_size=2, max_size=2), min_size=1, max_size=3))
def test_sums_of_rows(rows):
    assert ExactMatrix(rows).row_sums() == tuple(map(sum, rows))
    over = ExactMatrix(rows).over(EXPONENTIALS)
    assert over.row_sums() == tuple(map(sum, rows))
