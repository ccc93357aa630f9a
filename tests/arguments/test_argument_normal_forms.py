# SPDX-License-Identifier: MIT
"""Equal normal forms are equal numbers: a short run of the search, and the smallest terms that were confused
before 0.2.
"""

from __future__ import annotations

import pytest
from argument_normal_forms import normal_form, search, start

from exactdp.arguments import argument
from exactdp.arguments.terms import real


@pytest.mark.slow
def test_terms_with_one_normal_form_are_equal():
    outcome = search(600, seed=7)
    assert outcome.pairs >= 600
    assert not outcome.unequal


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("prod(k, 0, n, prod(j, 0, m, f(k)))", "prod(k, 0, n, prod(j, 0, m, f(j)))"),
        ("prod(k, 0, n, det(i, j, 0, m, f(k)))", "prod(k, 0, n, det(i, j, 0, m, f(i)))"),
        ("det(i, j, 0, n, g(i, j))", "det(i, j, 0, n, g(j, i))"),
        ("det(i, j, 0, n, prod(k, 0, m, a^i))", "det(i, j, 0, n, prod(k, 0, m, a^j))"),
        ("det(i, j, 0, n, prod(k, 0, m, a^i))", "det(i, j, 0, n, prod(k, 0, m, a^k))"),
        ("sum(k, 0, n, prod(j, 0, m, f(k)))", "sum(k, 0, n, prod(j, 0, m, f(j)))"),
        ("sum(k, 0, n, sum(j, 0, m, g(k, j)))", "sum(k, 0, n, sum(j, 0, m, g(j, k)))"),
        ("twist(g, n)", "twist(flip, n)"),
        ("prod(k, 0, n, twist(g, k))", "prod(k, 0, n, twist(g, n))"),
    ],
)
def test_different_terms_have_different_normal_forms(left, right):
    scope = start()
    forms = [real(scope.value(argument.term(term, "$"), scope.env, "$")) for term in (left, right)]
    assert forms[0] != forms[1]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("prod(k, 0, n, prod(j, 0, m, g(k, j)))", "prod(j, 0, n, prod(k, 0, m, g(j, k)))"),
        ("prod(k, 0, n, prod(k, 0, m, f(k)))", "prod(j, 0, n, prod(k, 0, m, f(k)))"),
        ("det(i, j, 0, n, g(i, j))", "det(j, i, 0, n, g(j, i))"),
        ("sum(k, 2, n, f(k))", "sum(j, 0, n-2, f(j+2))"),
        ("sum(n, 0, m, f(n))", "sum(k, 0, m, f(k))"),
        ("prod(k, 0, n, 1/(x+k))", "prod(j, 0, n, 1/(j+x))"),
    ],
)
def test_names_of_binders_do_not_matter(left, right):
    scope = start()
    assert normal_form(scope, argument.term(left, "$")) == normal_form(scope, argument.term(right, "$")) is not None
