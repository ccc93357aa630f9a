# SPDX-License-Identifier: MIT
"""Refinement of rank-deficient and wide channels: two searches, other exact solvers, libqif, and the checker
must agree.
"""

from __future__ import annotations

import random
import sys
from fractions import Fraction as F

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import OPTIMUM, needs

from exactdp import Mechanism, certify, identity, is_derivable, is_refined_by, mechanism_from_spec, uniform
from exactdp.exact import ExactMatrix, Interval, Rational, RationalFunctionField
from exactdp.lp.problem import LinearProgram, Row
from exactdp.search.refinements import Separator, by_columns, by_mass, mass_program, propose_post_processing, separates


def channel(rng, inputs, outputs, total):
    rows = []
    for _ in range(inputs):
        counts = [0] * outputs
        for _ in range(total):
            counts[rng.randrange(outputs)] += 1
        rows.append([Rational(c, total) for c in counts])
    return ExactMatrix(rows)


def of_rank(rng, inputs, outputs, rank, total=40):
    return channel(rng, inputs, rank, 6) @ channel(rng, rank, outputs, total)


def moved(rng, R, step):
    """Two rows of R with −step where there was 0."""
    rows = [list(row) for row in R.rows()]
    for row in rng.sample(rows, 2):
        row[rng.choice([k for k, x in enumerate(row) if x])] += step
        row[rng.choice([k for k, x in enumerate(row) if not x])] -= step
    return ExactMatrix(rows)


def with_mixed_outputs(base):
    """Half of each column, and halves of the means of two neighbouring columns: twice as many outputs."""
    rows = [list(row) for row in base.rows()]
    return ExactMatrix([[x / 2 for x in row] + [(x + y) / 4 for x, y in zip(row, row[1:] + row[:1], strict=True)] for row in rows])


def is_channel(matrix):
    return all(x >= 0 for row in matrix.rows() for x in row) and all(sum(row, Rational(0)) == 1 for row in matrix.rows())


def check(A, B, expected=None):
    """Decide, compare with what is known, certify."""
    verdict = is_refined_by(Mechanism(A), Mechanism(B))
    assert expected is None or verdict.proved == expected
    e = verdict.evidence
    if verdict.proved:
        assert is_channel(e.remap.matrix)
        assert A @ e.remap.matrix == B
    else:
        W = [[F(str(x)) for x in row] for row in e.separator.rows()]
        a, b = ([[F(str(x)) for x in row] for row in M.rows()] for M in (A, B))
        left = sum(w * p for u, v in zip(W, b, strict=True) for w, p in zip(u, v, strict=True))
        best = (max(sum(a[x][y] * W[x][r] for x in range(len(a))) for r in range(len(W[0]))) for y in range(len(a[0])))
        assert left > sum(best)
    certify(verdict)
    return verdict.proved


counts = st.integers(0, 3)
small = st.tuples(st.integers(2, 3), st.integers(1, 5), st.integers(1, 3)).flatmap(
    lambda shape: st.tuples(
        st.lists(st.lists(counts, min_size=shape[1], max_size=shape[1]).filter(any), min_size=shape[0], max_size=shape[0]),
        st.lists(st.lists(counts, min_size=shape[2], max_size=shape[2]).filter(any), min_size=shape[0], max_size=shape[0]),
    )
)


def scaled(rows):
    return ExactMatrix([[Rational(x, sum(row)) for x in row] for row in rows])


def equations(A, B):
    """A·R = B, R·1 = 1, R ≥ 0."""
    (n, m), k = A.shape, B.shape[1]
    rows = [Row({y * k + r: A[x, y] for y in range(m)}, "==", B[x, r]) for x in range(n) for r in range(k)]
    rows += [Row({y * k + r: Rational(1) for r in range(k)}, "==", Rational(1)) for y in range(m)]
    return LinearProgram(m * k, {}, rows)


@pytest.mark.parametrize("oracle", [pytest.param(name, marks=needs(name)) for name in ("esolver", "ppl")])
def test_small_channels_agree_with_other_exact_solvers(oracle):
    rng, answers = random.Random(oracle), []
    for _ in range(40):
        n, m, k = rng.randint(2, 4), rng.randint(2, 6), rng.randint(2, 4)
        A = of_rank(rng, n, m, rng.randint(1, n), 4)
        B = rng.choice([channel(rng, n, k, 4), A @ channel(rng, m, k, 3), A @ moved(rng, channel(rng, m, 4, 2), Rational("1/6"))])
        if is_channel(B):
            answers.append(check(A, B, OPTIMUM[oracle](equations(A, B)) != "infeasible"))
    assert len(set(answers)) == 2


@given(small)
@settings(max_examples=60)
def test_columns_and_mass_agree(pair):
    A, B = map(scaled, pair)
    if any(not any(column) for column in zip(*A.rows(), strict=True)):
        return
    first, second = by_columns(A, B), by_mass(A, B)
    assert isinstance(first, Separator) == isinstance(second, Separator)
    for found in (first, second):
        if isinstance(found, Separator):
            assert separates(found.matrix, A, B)
        else:
            assert is_channel(found)
            assert A @ found == B


@pytest.mark.slow
@pytest.mark.parametrize(("inputs", "outputs", "rank"), [(30, 30, 22), (30, 30, 15), (10, 30, 10), (30, 12, 10), (20, 20, 19)])
def test_wide_and_rank_deficient(inputs, outputs, rank):
    """Those that took up to two minutes: B = A·Q where Q has a few small negative entries."""
    rng = random.Random(f"{inputs} {outputs} {rank}")
    A, R = of_rank(rng, inputs, outputs, rank), channel(rng, outputs, outputs, 6)
    assert A.rank() <= rank
    check(A, A @ R, True)
    check(A, channel(rng, inputs, outputs, 40), False)
    for step in ("1/200", "1/1000000000000", "1/1" + "0" * 30):
        for _ in range(50):
            B = A @ moved(rng, R, Rational(step))
            if is_channel(B):
                check(A, B)
                break


@pytest.mark.parametrize("n", [4, 7])
def test_columns_alone_do_not_decide(n):
    """Each column of B is a mixture of A's, but not all together: A also has outputs that mix two inputs, and
    B has none.
    """
    rng = random.Random(n)
    base = of_rank(rng, n, n, n)
    while base.rank() < n:
        base = of_rank(rng, n, n, n)
    A = with_mixed_outputs(base)
    check(A, base, False)
    check(base, A, True)
    assert isinstance(by_columns(A, base), Separator)
    assert isinstance(by_mass(A, base), Separator)


def test_parallel_columns_zero_columns_and_repeated_rows():
    A = ExactMatrix([["1/4", "1/4", 0, "1/2"], ["1/8", "1/8", 0, "3/4"], ["1/8", "1/8", 0, "3/4"]])
    B = ExactMatrix([[0, "1/4", "3/4"], [0, "1/8", "7/8"], [0, "1/8", "7/8"]])
    check(A, B, True)
    # rows that A cannot tell apart
    check(A, ExactMatrix([["1/2", "1/2"], ["1/2", "1/2"], ["1/3", "2/3"]]), False)
    check(A, ExactMatrix([[0, 1], ["1/2", "1/2"], ["1/2", "1/2"]]), False)
    check(ExactMatrix([[0, 1], [0, 1]]), ExactMatrix([[1], [1]]), True)


def test_a_broken_row_relation_is_a_separator_at_once():
    """Row 2 of A is the mean of rows 0 and 1; that of B is not."""
    A, B = ExactMatrix([[1, 0], [0, 1], ["1/2", "1/2"]]), ExactMatrix([[1, 0], [0, 1], ["1/3", "2/3"]])
    W = propose_post_processing(Mechanism(A), Mechanism(B))
    assert [x for row in (A.T @ W).rows() for x in row] == [0] * 4
    assert separates(W, A, B)


@pytest.mark.parametrize("kind", ["yes", "no"])
def test_without_the_float_solver(monkeypatch, kind):
    monkeypatch.setitem(sys.modules, "highspy", None)
    rng = random.Random(3)
    A, R = of_rank(rng, 8, 12, 6), channel(rng, 12, 8, 4)
    if kind == "yes":
        check(A, A @ R, True)
    else:
        check(A, channel(rng, 8, 8, 12), False)
        base = of_rank(rng, 4, 4, 4)
        check(with_mixed_outputs(base), base)


@pytest.mark.parametrize("unit", [1.0, -1e300, float("nan"), float("inf")])
def test_a_lying_float_solver_changes_nothing(monkeypatch, unit):
    """Multipliers and basis are nonsense; the answer is the same."""
    from exactdp.lp.highs import FloatAnswer
    from exactdp.lp.problem import Basis
    from exactdp.search import refinements as transported_mass

    def lie(program, start=None):
        rows, columns = len(program.row_lower), len(program.cost)
        return FloatAnswer(
            Basis((True,) * columns, (True,) * rows), [0.0] * columns, [unit * i for i in range(rows)], [0.0] * columns, True
        )

    monkeypatch.setattr(transported_mass, "ask_highs", lie)
    rng = random.Random(5)
    A, R = of_rank(rng, 5, 8, 5), channel(rng, 8, 5, 4)
    for B, expected in ((A @ R, True), (channel(rng, 5, 5, 12), None)):
        answer = by_mass(A, B)
        assert expected is None or isinstance(answer, ExactMatrix) == expected
        assert isinstance(answer, Separator) == isinstance(by_columns(A, B), Separator)


def test_symbolic_channels_that_are_wide():
    a = RationalFunctionField(Interval("1/4", "1/2")).gen
    A = ExactMatrix([[1 - a, a / 3, a / 2, a / 6], [a / 2, 1 - a, a / 4, a / 4], [a / 2, a / 4, 1 - a, a / 4]])
    R = ExactMatrix([[1 - a, a], [a / 2, 1 - a / 2], [a, 1 - a], ["1/2", "1/2"]])
    verdict = is_refined_by(Mechanism(A), Mechanism(A @ R))
    assert verdict.proved
    certify(verdict)
    no = is_refined_by(Mechanism(A), Mechanism([[1, 0], ["1/2", "1/2"], [0, 1]]))
    assert no.refuted
    certify(no)


def test_the_mass_program_is_what_it_says():
    A, B = ExactMatrix([["1/2", "1/2", 0]]), ExactMatrix([["1/3", "2/3"]])
    lp = mass_program(A, B)
    assert lp.n_variables == 6
    assert [str(row.rhs) for row in lp.rows] == ["-1/3", "-2/3", "-1", "-1", "-1"]
    assert {j: str(c) for j, c in lp.objective.items()} == dict.fromkeys((0, 1, 2, 3), "-1/2")


@pytest.mark.parametrize(("inputs", "outputs", "rank"), [(6, 9, 4), (9, 6, 5), (7, 7, 7)])
def test_libqif_agrees_in_rationals(inputs, outputs, rank):
    qif, numpy = pytest.importorskip("qif"), pytest.importorskip("numpy")
    rng = random.Random(inputs)
    A = of_rank(rng, inputs, outputs, rank)
    targets = [A @ channel(rng, outputs, 5, 4), channel(rng, inputs, 5, 12)]
    targets += [B for B in (A @ moved(rng, channel(rng, outputs, 5, 4), Rational("1/50")) for _ in range(10)) if is_channel(B)]
    for B in targets:
        theirs = qif.refinement.refined_by(*(numpy.array([[F(str(x)) for x in row] for row in M.rows()], dtype=object) for M in (A, B)))
        check(A, B, bool(theirs))


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 4), st.integers(1, 7), st.integers(0, 10**6))
def test_columns_in_another_order_and_merged_are_seen(inputs, outputs, seed):
    """With columns of zeros and multiples among them, and never where one entry was moved."""
    rng = random.Random(seed)
    A = channel(rng, inputs, outputs, 12)
    order = rng.sample(range(outputs), outputs)
    groups = sorted(rng.randrange(outputs) for _ in range(outputs))
    shuffled = ExactMatrix([[row[j] for j in order] for row in A.rows()])
    merged = ExactMatrix([[sum((x for x, g in zip(row, groups, strict=True) if g == r), Rational(0)) for r in order] for row in A.rows()])
    for B in (A, shuffled, merged):
        verdict = is_refined_by(Mechanism(A), Mechanism(B))
        assert verdict.proved
        assert A @ verdict.evidence.remap.matrix == B
        assert certify(verdict).kind == "derivable"
    rows = [list(row) for row in shuffled.rows()]
    if outputs > 1:
        moved_part = rows[0][0] / 7
        rows[0][0], rows[0][1] = rows[0][0] - moved_part, rows[0][1] + moved_part
    other = ExactMatrix(rows)
    plain = propose_post_processing(Mechanism(A), Mechanism(other), plain=True)
    assert is_refined_by(Mechanism(A), Mechanism(other)).proved == (not isinstance(plain, ExactMatrix))


def test_formulas_derived_from_numbers():
    """Rows over formulas are not made integers: runs of columns are looked for among numbers only."""
    formulas = mechanism_from_spec("geometric:n=2", "symbolic")
    assert is_derivable(formulas, source=identity(range(3))).proved
    assert is_derivable(formulas, source=uniform(range(3))).refuted
