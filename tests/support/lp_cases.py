# SPDX-License-Identifier: MIT
"""Linear programs for the tests, and a second, naive judge of their answers that shares no code with ours
(Fractions only).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from hypothesis import strategies as st

from exactdp.exact import QQ
from exactdp.lp.problem import Infeasible, LinearProgram, Optimal, Row, Unbounded


def program(costs, rows, free=()) -> LinearProgram:
    """Dense rows (coefficients, sense, rhs) of anything that ℚ accepts."""
    return LinearProgram(
        len(costs),
        {j: QQ(c) for j, c in enumerate(costs)},
        [Row({j: QQ(a) for j, a in enumerate(left) if QQ(a)}, sense, QQ(right)) for left, sense, right in rows],
        frozenset(free),
    )


@st.composite
def programs(draw, max_variables=5, max_rows=6) -> LinearProgram:
    """Small and often degenerate: few distinct numbers, zero rows, repeated rows, equations, free variables,
    empty objectives.
    """
    n = draw(st.integers(1, max_variables))
    number = draw(st.sampled_from([st.integers(-1, 1), st.integers(-3, 3), st.fractions(-4, 4, max_denominator=7)]))
    right = draw(st.sampled_from([st.just(0), number]))
    rows = draw(
        st.lists(st.tuples(st.lists(number, min_size=n, max_size=n), st.sampled_from([">=", ">=", ">=", "=="]), right), max_size=max_rows)
    )
    if rows and draw(st.booleans()):
        rows.append(draw(st.sampled_from(rows)))
    if draw(st.booleans()):
        rows.append(([-1] * n, ">=", -5))
    costs = draw(st.one_of(st.just([0] * n), st.lists(number, min_size=n, max_size=n)))
    return program(costs, rows, draw(st.frozensets(st.integers(0, n - 1), max_size=2)))


def kind_or_value(answer):
    """What all correct solvers agree on."""
    if isinstance(answer, Optimal):
        return Fraction(int(answer.value.numerator), int(answer.value.denominator))
    return {Infeasible: "infeasible", Unbounded: "unbounded"}[type(answer)]


# The naive judge
# ----------------------------------------------------------------------------------------------------------


def dense(lp):
    """A, b, senses, c as lists of Fractions."""

    def exact(value):
        return Fraction(int(value.numerator), int(value.denominator))

    matrix = [[exact(row.coefficients[j]) if j in row.coefficients else Fraction(0) for j in range(lp.n_variables)] for row in lp.rows]
    costs = [exact(lp.objective[j]) if j in lp.objective else Fraction(0) for j in range(lp.n_variables)]
    return matrix, [exact(row.rhs) for row in lp.rows], [row.sense for row in lp.rows], costs


def dot(u, v):
    return sum((a * b for a, b in zip(u, v, strict=True)), Fraction(0))


def fractions(values):
    return [Fraction(int(v.numerator), int(v.denominator)) for v in values]


def is_feasible(lp, x) -> bool:
    A, b, senses, _ = dense(lp)
    signs = all(x[j] >= 0 for j in range(lp.n_variables) if j not in lp.free)
    return signs and all(dot(a, x) == r if s == "==" else dot(a, x) >= r for a, r, s in zip(A, b, senses, strict=True))


def is_correct(lp, answer) -> bool:
    A, b, senses, c = dense(lp)

    def multipliers(y, costs):
        reduced = [costs[j] - sum((A[i][j] * y[i] for i in range(len(A))), Fraction(0)) for j in range(lp.n_variables)]
        signs = all(v >= 0 for v, s in zip(y, senses, strict=True) if s == ">=")
        return signs and all(d == 0 if j in lp.free else d >= 0 for j, d in enumerate(reduced))

    if isinstance(answer, Optimal):
        x, y, value = fractions(answer.x), fractions(answer.y), fractions([answer.value])[0]
        return is_feasible(lp, x) and multipliers(y, c) and dot(c, x) == value == dot(b, y)
    if isinstance(answer, Infeasible):
        y = fractions(answer.farkas)
        return multipliers(y, [Fraction(0)] * lp.n_variables) and dot(b, y) > 0
    point, ray = fractions(answer.point), fractions(answer.ray)
    along = ([p + t * r for p, r in zip(point, ray, strict=True)] for t in (0, 1, 10**6))
    return dot(c, ray) < 0 and all(is_feasible(lp, x) for x in along)


def vertices(lp):
    """All basic feasible points, by trying every set of tight constraints; only for programs without free
    variables.
    """
    A, b, _, _ = dense(lp)
    n = lp.n_variables
    hyperplanes = [([Fraction(int(k == j)) for k in range(n)], Fraction(0)) for j in range(n)] + list(zip(A, b, strict=True))
    for chosen in combinations(hyperplanes, n):
        x = _solve([[*left, right] for left, right in chosen])
        if x is not None and is_feasible(lp, x):
            yield x


def _solve(work):
    n = len(work)
    work = [list(row) for row in work]
    for c in range(n):
        pivot = next((i for i in range(c, n) if work[i][c]), None)
        if pivot is None:
            return None
        work[c], work[pivot] = work[pivot], work[c]
        work[c] = [v / work[c][c] for v in work[c]]
        for i in range(n):
            if i != c:
                factor = work[i][c]
                work[i] = [u - factor * v for u, v in zip(work[i], work[c], strict=True)]
    return [row[-1] for row in work]
