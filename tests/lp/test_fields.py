# SPDX-License-Identifier: MIT
"""The search asks only for field operations and signs: it is exact over ℚ(√2), a field that it has never
heard of.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from exactdp.errors import MixedDomainError
from exactdp.exact import QQ, OrderedField, Scalar
from exactdp.lp.problem import Basis, Infeasible, LinearProgram, Row, Unbounded
from exactdp.lp.solve import solve


class Surd(Scalar):
    """a + b√2."""

    __slots__ = ("a", "b")

    def __init__(self, a, b=0):
        self.a, self.b = Fraction(a), Fraction(b)

    @property
    def field(self):
        return SURDS

    def sign(self):
        # the signed squares; they never cancel unless both are 0
        size, root = self.a * abs(self.a), 2 * self.b * abs(self.b)
        return (size + root > 0) - (size + root < 0)

    def latex(self):
        return rf"{self.a} + {self.b}\sqrt{{2}}"

    def __add__(self, other):
        other = SURDS(other)
        return Surd(self.a + other.a, self.b + other.b)

    def __mul__(self, other):
        other = SURDS(other)
        return Surd(self.a * other.a + 2 * self.b * other.b, self.a * other.b + self.b * other.a)

    def __neg__(self):
        return Surd(-self.a, -self.b)

    def __sub__(self, other):
        return self + -SURDS(other)

    def __rsub__(self, other):
        return SURDS(other) - self

    def __truediv__(self, other):
        other = SURDS(other)
        norm = other.a**2 - 2 * other.b**2
        return self * Surd(other.a / norm, -other.b / norm)

    def __rtruediv__(self, other):
        return SURDS(other) / self

    __radd__, __rmul__ = __add__, __mul__

    def __pow__(self, exponent):
        raise NotImplementedError

    def __eq__(self, other):
        other = SURDS(other)
        return (self.a, self.b) == (other.a, other.b)

    def __hash__(self):
        return hash((self.a, self.b))

    def __repr__(self):
        return f"Surd({self.a}, {self.b})"


class Surds(OrderedField):
    __slots__ = ()
    name = "Q(sqrt 2)"

    def __call__(self, value):
        return value if isinstance(value, Surd) else Surd(Fraction(int(value.numerator), int(value.denominator)))


SURDS = Surds()
ROOT = Surd(0, 1)


def cone_program(top):
    """Minimise −x0 + x2 on the cone x_i ≥ x_j/√2 of a path with three vertices, with Σ x = top."""
    half = ROOT / 2
    rows = [Row({i: 1, j: -half}, ">=", 0) for i in range(3) for j in (i - 1, i + 1) if 0 <= j < 3]
    rows.append(Row(dict.fromkeys(range(3), 1), "==", top))
    return LinearProgram(3, {0: -1, 2: 1}, rows)


@pytest.mark.parametrize("helped", [False, True])
def test_an_optimum_with_a_root_in_it(helped):
    lp = cone_program(QQ(1))
    answer = solve(lp) if helped else solve(lp, proposer=None)
    # x = (1, 1/√2, 1/2)·t with t(3/2 + √2/2) = 1, so the value is −t/2 = −1/(3 + √2)
    assert answer.value == -1 / (3 + ROOT)
    assert solve(lp, proposer=lambda *_: Basis((True, True, True), (False,) * 4 + (False,))).value == answer.value


def test_farkas_vectors_and_rays_too():
    assert isinstance(solve(cone_program(QQ(-1)), proposer=None), Infeasible)
    lp = LinearProgram(2, {0: -ROOT, 1: 1}, [Row({0: 1, 1: -ROOT}, ">=", ROOT)])
    assert isinstance(solve(lp, proposer=None), Unbounded)


def test_two_foreign_fields_do_not_mix():
    class Other(Surds):
        __slots__ = ()

    class Stranger(Surd):
        __slots__ = ()

        @property
        def field(self):
            return Other()

    with pytest.raises(MixedDomainError):
        LinearProgram(1, {0: ROOT}, [Row({0: Stranger(1)}, ">=", QQ(0))])
