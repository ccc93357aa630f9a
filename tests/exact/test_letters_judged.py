# SPDX-License-Identifier: MIT
"""Operations and comparisons of functions of letters are about every point of the region, or errors.

Each answer is compared with the values at points of a grid, which have nothing to do with formulas.
"""

from __future__ import annotations

import operator
import pickle
from fractions import Fraction

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

import exactdp as xdp
from exactdp import ExactMatrix, Interval, Rational, RationalFunctionField, RegionField, same_formula
from exactdp.errors import DomainError, ExactDPError, UndecidedSignError
from exactdp.exact import formula_of, generic_quotient, is_zero, judged

SQUARE = RegionField("0 <= p <= 1, 0 <= q <= 1")
P, Q = SQUARE.gens
LINE = RationalFunctionField()
A = LINE.gen

FLIP = [["1-p", "p"], ["p", "1-p"]]


# --- Operations that have no value at a point of the region ---


def test_a_matrix_that_is_singular_at_a_point_has_no_inverse_and_no_rank():
    matrix = xdp.matrix(FLIP, letters="0 <= p <= 1")
    questions = (matrix.inverse, lambda: matrix.solve(matrix), matrix.rank, lambda: matrix**-1)
    for question in questions:
        with pytest.raises(DomainError, match="p = 1/2") as caught:
            question()
        assert caught.value.facts["points"][0] == {"p": Rational("1/2")}
    smaller = xdp.matrix(FLIP, letters="0 <= p < 1/2")
    assert (smaller.inverse() @ smaller).is_stochastic()
    assert smaller.rank() == 2
    assert matrix.generic_rank() == 2
    with pytest.raises(DomainError, match="not defined for all"):
        matrix.generic_inverse() @ matrix


def test_the_same_of_a_matrix_of_the_level():
    matrix = ExactMatrix([[1 - A, A], [A, 1 - A]])
    for question in (matrix.inverse, lambda: matrix.solve(matrix), matrix.rank, lambda: matrix**-1):
        with pytest.raises(DomainError, match="a = 1/2") as caught:
            question()
        assert caught.value.facts["points"] == (Rational("1/2"),)
    part = ExactMatrix([[x.restrict(Interval("1/2", 1)) for x in row] for row in matrix.rows()])
    assert part.inverse() @ part == ExactMatrix.identity(2)
    assert part.rank() == 2
    with pytest.raises(DomainError, match="a = 1/2"):
        matrix.generic_inverse() @ matrix  # the identity, but at 1/2


def test_the_rank_is_one_at_all_points_though_no_minor_is_never_zero():
    plane = RegionField("0 < p < 1, -1 < q < 1")
    p, q = plane.gens
    assert ExactMatrix([[1 - 2 * p, 2 * p, 2 * p - 1]]).rank() == 1
    assert ExactMatrix([[p, q]]).rank() == 1
    with pytest.raises(DomainError, match="rank may be smaller than 1"):
        ExactMatrix([[2 * p - 1, q]]).rank()
    with pytest.raises(DomainError, match=r"rank is smaller than 1 .* at p = 1/2"):
        ExactMatrix([[2 * p - 1, q * (2 * p - 1)]]).rank()
    assert ExactMatrix([[2 * A - 1, 3 * A - 1]]).rank() == 1
    assert ExactMatrix([[0 * p, 0 * p]]).rank() == 0


@pytest.mark.parametrize("divide", [lambda x: 1 / x, lambda x: P / x, lambda x: x**-2, lambda x: ExactMatrix([[P]]) / x])
def test_a_function_that_is_zero_somewhere_divides_nothing(divide):
    for divisor in (2 * P - 1, P - Q, P, P * Q - Rational("1/2")):
        with pytest.raises(DomainError, match=r"zero at p = \S+, q = ") as caught:
            divide(divisor)
        assert divisor.value(caught.value.facts["points"][0]) == 0
    assert divide(1 + P) is not None


def test_a_divisor_with_irrational_zeros_is_told_by_its_signs():
    with pytest.raises(DomainError, match="changes sign between"):
        1 / (2 * P**2 - 1)


def test_expressions_of_sympy_are_read_as_text_is():
    a, p = sympy.symbols("a p")
    once = (1 - 2 * p) ** 2 / sympy.expand((1 - 2 * p) ** 2)  # sympy leaves it as it stands
    with pytest.raises(DomainError, match="zero at p = 1/2"):
        xdp.from_sympy(once, letters={"p": "[0, 1]"})
    assert xdp.from_sympy(once, letters={"p": "(1/2, 1]"}) == 1
    with pytest.raises(DomainError, match="not defined at a = 1/2"):
        xdp.from_sympy(once.subs(p, a))
    with pytest.raises(DomainError, match="0 at p = 1/2"):
        xdp.from_sympy(sympy.Matrix([[1 / (1 - 2 * p)]]), letters={"p": "[0, 1]"})


def test_a_function_of_the_level_keeps_its_poles_or_is_refused():
    pole = 1 / (2 * A - 1)
    assert [str(x) for x in pole.sign_on_interval().poles] == ["1/2"]
    lost = [
        lambda: pole * (2 * A - 1),
        lambda: pole - pole,
        lambda: 0 * pole,
        lambda: pole + (1 - 2 * A) / (2 * A - 1) ** 2,
        lambda: 1 / pole,
        lambda: pole**-1,
        lambda: A / pole,
        lambda: (2 * A - 1) / (4 * A - 2),
        lambda: ExactMatrix([[pole]]) @ ExactMatrix([[2 * A - 1]]),
        lambda: ExactMatrix([[pole, pole], [1, 1]]).det(),
        lambda: RegionField("0 < a < 1")(pole),
    ]
    for question in lost:
        with pytest.raises(DomainError, match="1/2"):
            question()
    for question in (lambda: pole == 1, lambda: pole != A, lambda: bool(pole), lambda: ExactMatrix([[pole, 1 - pole]]).is_stochastic()):
        with pytest.raises(UndecidedSignError, match="1/2"):
            question()
    on_half = pole.restrict(Interval("1/2", 1))
    assert on_half * (2 * A.restrict(Interval("1/2", 1)) - 1) == 1


coefficients = st.lists(st.integers(-2, 2), min_size=1, max_size=3).filter(any)
functions = st.builds(LINE.quotient, coefficients, coefficients)


def values(x, s):
    """The number at a level, or None at a pole: by Horner's rule, of fractions."""
    above, below = (sum(Fraction(c) * s**k for k, c in enumerate(part)) for part in (x.numerator, x.denominator))
    return above / below if below else None


@given(functions, functions, st.sampled_from([operator.add, operator.sub, operator.mul, operator.truediv]))
def test_no_operation_forgets_a_point(x, y, operation):
    """Where an answer is defined, both sides are, and the answer is that of the values."""
    try:
        found = operation(x, y)
    except DomainError as error:
        point = error.facts["points"][0]
        assert LINE.interval.contains(point)
        return
    for k in range(1, 60):
        s = Fraction(k, 60)
        a, b, c = values(x, s), values(y, s), values(found, s)
        if c is not None:
            assert a is not None
            assert b is not None
            assert c == operation(a, b)


# --- Comparisons with different answers at different points ---


def test_equality_with_different_answers_is_an_error_with_a_point_for_each():
    difference = P**2 - Q**2
    for question in (lambda: difference != 0, lambda: P == Q, lambda: bool(2 * P - 1), lambda: Rational("1/2") == P, lambda: P in [Q]):
        with pytest.raises(UndecidedSignError, match=r"true at .* and false at") as caught:
            question()
        true, false = caught.value.facts["points"]
        function = caught.value.facts["function"]
        assert function.value(true) == 0
        assert function.value(false) != 0
        assert SQUARE.region.contains(true)
        assert SQUARE.region.contains(false)
    assert P != 2
    assert P + 1 != Q - 1
    assert P + Q == Q + P
    assert bool(P + 1)
    assert not bool(P - P)


def test_equality_of_functions_of_the_level_with_a_zero_is_an_error():
    for question in (lambda: Rational("1/2") == A, lambda: 2 * A != 1, lambda: bool(2 * A**2 - 1), lambda: A**2 == 1 - A):
        with pytest.raises(UndecidedSignError, match="true at a = "):
            question()
    assert A != 1
    assert A**2 != A
    at_half = A.restrict(Interval.point("1/2"))
    assert at_half == Rational("1/2")
    assert not (2 * at_half - 1)


def test_matrices_are_compared_at_every_point():
    assert ExactMatrix([[P, 1]]) != ExactMatrix([[Q, 2]])  # one entry differs everywhere
    with pytest.raises(UndecidedSignError):
        _ = ExactMatrix([[P, 1]]) == ExactMatrix([[Q, 1]])
    assert ExactMatrix([[P + Q]]) == ExactMatrix([[Q + P]])
    assert not ExactMatrix([[P]]).same_formulas(ExactMatrix([[Q]]))
    assert not ExactMatrix([[P, P]]).same_formulas(ExactMatrix([[P]]))


def test_sets_and_mappings_of_functions_keep_their_keys():
    keys = [P, Q, -P, -2 * P, 2 * P, P / 2, P * Q, Rational("1/2"), A, A**2, -A, -2 * A]
    known = {x: k for k, x in enumerate(keys)}
    assert [known[x] for x in keys] == list(range(len(keys)))
    assert len({*keys, *(pickle.loads(pickle.dumps(x)) for x in keys)}) == len(keys)
    assert len({hash(x) for x in keys}) == len(keys)
    assert dict.fromkeys([P - Q, Q - P]) == {P - Q: None, Q - P: None}


@given(functions, functions)
def test_equality_has_the_answer_of_every_value(x, y):
    samples = [(values(x, Fraction(k, 60)), values(y, Fraction(k, 60))) for k in range(1, 60)]
    try:
        equal = x == y
    except UndecidedSignError:
        assert not same_formula(x, y)
        return
    assert all((a == b) is equal for a, b in samples if a is not None and b is not None)


# --- One function of two fields ---


def test_equal_functions_of_two_fields_compare_equal():
    m = xdp.matrix([["a", "1-a"]], letters="0 < a < 1")
    g = ExactMatrix([[A, 1 - A]])
    assert m == g
    assert g == m
    assert hash(m) == hash(g)
    assert m - g == 0 * g
    assert m[0, 0] - g[0, 0] == 0
    assert g[0, 0] * m[0, 1] == A * (1 - A)
    assert m[0, 0] + A == 2 * A
    assert (m[0, 0] / (1 + A)).field == m.field
    assert m[0, 0] >= A
    assert m[0, 0] >= A
    assert 1 + m[0, 0] > A
    assert hash(m[0, 0]) == hash(A)
    assert same_formula(m[0, 0], A)
    assert len({m[0, 0], A}) == 1


def test_letters_in_another_order_and_on_another_region():
    p, q = RegionField("0 < p < 1, 0 < q < 1").gens
    r, s = RegionField("0 < q < 2, 0 < p < 2").gens
    assert (p - q) / (p + q) == (s - r) / (s + r)
    assert hash((p - q) / (1 + q - p / 2)) == hash((s - r) / (1 + r - s / 2))
    assert (p + r).field.region.contains({"p": "1/2", "q": "1/2"})
    assert not (p + r).field.region.contains({"p": "3/2", "q": "1/2"})
    assert RegionField("0 < p < 1").gen != RegionField("2 < p < 3").gen  # no point is in both
    with pytest.raises(UndecidedSignError):
        _ = p == r


def test_what_has_no_common_field_is_refused_still():
    t = xdp.ExponentialField("1").gen
    for other in (t, RationalFunctionField(name="b").gen):
        assert other != A
        with pytest.raises(ExactDPError, match=r"only rational numbers belong to both|e\^\(−1\) has no place in formulas in a"):
            A + other
    named = RegionField("0 < t < 1").gen
    assert named != t
    assert not same_formula(named, t)


# --- The named way to formulas ---


def test_formulas_are_compared_by_identity_and_judged_when_they_are_back():
    p = formula_of(P)
    assert p != Rational("1/2")
    assert bool(2 * p - 1)
    back = judged(1 / (2 * p - 1) * (2 * p - 1))
    assert type(back) is type(P)
    assert back == 1
    half = judged(1 / (2 * p - 1))
    with pytest.raises(DomainError, match="p = 1/2"):
        _ = half > 0
    assert (p + P).field == p.field == (P + p).field == SQUARE.formulas
    assert pickle.loads(pickle.dumps(p)) == p
    a = formula_of(A)
    assert judged(1 / (2 * a - 1) * (2 * a - 1)) == 1
    assert (A - a).field == LINE.formulas
    assert same_formula(generic_quotient(A, 2 * A - 1), A / (2 * A - 1))
    assert is_zero(P - P)
    assert not is_zero(P - Q)
    assert is_zero(Rational(0))
