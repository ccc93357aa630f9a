# SPDX-License-Identifier: MIT
"""Section 3: which mechanisms are derivable from the geometric one; Lemmas 1, 2, Theorem 2, the group."""

from __future__ import annotations

from itertools import product
from typing import Any

from exactdp.analysis import is_derivable, is_private, tightest_level
from exactdp.cli.demo_cases import optimum_of_table_1, path
from exactdp.exact import QQ, ExactMatrix, Rational
from exactdp.mechanisms import geometric, geometric_prime, identity, lumped_geometric
from exactdp.model import Mechanism, PrivacyLevel
from proofs.gupte_sundararajan.common import LEVELS, definition_4, is_identity, triples, two_output_mechanisms
from proofs.gupte_sundararajan.examples import appendix_b_mechanism
from proofs.record import Finding, Printed, Status, finding


def condition(printed: Printed) -> Finding:
    """Is (x₂−αx₃) ≥ α(x₁−αx₂) the same condition as Theorem 2's (x₂−αx₁) ≥ α(x₃−αx₂)?"""

    def gap(a: Any, x1: Any, x2: Any, x3: Any) -> Any:
        return ((x2 - a * x3) - a * (x1 - a * x2)) - ((x2 - a * x1) - a * (x3 - a * x2))

    def symmetric(a: Any, x1: Any, x2: Any, x3: Any) -> Any:
        return ((x2 - a * x3) - a * (x1 - a * x2)) - ((1 + a * a) * x2 - a * (x1 + x3))

    right = is_identity(gap, 2, 1, 1, 1) and is_identity(symmetric, 2, 1, 1, 1)
    detail = "both say (1+α²)x₂ − α(x₁+x₃) ≥ 0: identities of polynomials, decided on a 3×2×2×2 grid"
    return finding(right, detail)


def neither_implies(printed: Printed) -> Finding:
    """Neither privacy nor the three-term condition implies the other: an example for each."""
    M, a = appendix_b_mechanism(printed), Rational("1/2")
    private, derivable = is_private(M, path(3), PrivacyLevel(a)), is_derivable(M, source=geometric(3, a))
    linear = Mechanism([[0, 1], ["1/2", "1/2"], [1, 0]])
    nowhere = tightest_level(linear, path(2))
    always = all(triples(linear.matrix, Rational(text)) for text in LEVELS)
    right = private.proved and not triples(M.matrix, a) and always and nowhere.evidence.tightest.ratio == 0
    detail = (
        "Appendix B's matrix is private without the condition; rows (0,1), (1/2,1/2), (1,0) satisfy it (at every level tried) "
        "and are private at none"
    )
    verdicts = {"appendix-b-private": private, "appendix-b-not-derivable": derivable, "linear-not-private": nowhere}
    return finding(right, detail, verdicts, status=Status.CERTIFIED)


def theorem_2(printed: Printed) -> Finding:
    """Does the three-term condition, without conditions at the ends, decide derivability of private
    mechanisms?

    Derivability is decided by the general linear program (from the equivalent unbounded mechanism), not by
    the three-term condition.
    """
    right, yes, no = True, 0, 0
    for text in ("1/4", "1/2", "9/10"):
        a = Rational(text)
        for n in (1, 2, 3):
            for M in two_output_mechanisms(n, a):
                expected = triples(M.matrix, a)
                right = right and is_derivable(M, source=lumped_geometric(n, a)).proved == expected
                yes, no = yes + expected, no + (not expected)
    M = appendix_b_mechanism(printed)
    no_example = is_derivable(M, source=geometric(3, "1/2"))
    best = optimum_of_table_1().evidence.mechanism
    yes_example = is_derivable(best, source=geometric(3, "1/4"))
    two = is_derivable(identity(range(2)), source=geometric(1, "1/2"))
    right = right and no_example.refuted and yes_example.proved and two.refuted and triples(identity(range(2)).matrix, Rational("1/2"))
    detail = (
        f"right on {yes} derivable and {no} other private mechanisms, n ≤ 3 (n = 1: no triples, every private one derivable); "
        "privacy is needed: the two-input identity satisfies all triples and is not derivable"
    )
    verdicts = {"appendix-b-not-derivable": no_example, "table-1-derivable": yes_example, "identity-not-derivable": two}
    return finding(right and yes > 0 < no, detail, verdicts)


def group(printed: Printed) -> Finding:
    """Products and inverses of generalised stochastic matrices have row sums 1; so has G⁻¹M, for any M."""
    some = [m for m in map(_generalised, product((-2, 0, 1, 3), repeat=3)) if m.det()]
    right = len(some) > 20 and all(_sums(m.inverse()) for m in some)
    right = right and all(_sums(m @ k) and (m @ k).det() != 0 for m, k in zip(some, some[5:], strict=False))
    singular = appendix_b_mechanism(printed).matrix
    constant = ExactMatrix([[1, 0, 0, 0]] * 4)
    for text in LEVELS:
        G = geometric(3, text).matrix
        right = right and all(_sums(G.solve(M)) and G @ G.solve(M) == M for M in (singular, constant))
    detail = (
        f"{len(some)} non-singular 3×3 matrices, with negative entries: inverses and products keep row sums 1; G⁻¹M does, also "
        "for M of rank 1"
    )
    return finding(right, detail)


def _generalised(numbers: tuple[int, ...]) -> ExactMatrix:
    p, q, r = numbers
    return ExactMatrix([[p, q, 1 - p - q], [q, r, 1 - q - r], [r + 1, p, -p - r]])


def _sums(matrix: ExactMatrix) -> bool:
    return all(sum(row, QQ.zero) == 1 for row in matrix.rows())


def lemma_1(printed: Printed) -> Finding:
    """Lemma 1: det G > 0; det G′ = (1−α²)^(m−1) = (1+α)² ((1+α)/(1−α))^(m−2) det G, G of m rows."""
    right = True
    for text in LEVELS:
        a = Rational(text)
        for m in range(2, 9):
            det, prime = geometric(m - 1, a).matrix.det(), geometric_prime(m - 1, a).det()
            right = right and det > 0 and prime == (1 - a * a) ** (m - 1) and prime == (1 + a) ** 2 * ((1 + a) / (1 - a)) ** (m - 2) * det
    zero = definition_4(1, QQ.zero).det() > 0
    one = definition_4(1, QQ.one).det()
    rows = printed.table("table-1b").shape[0]
    detail = (
        f"right for 2 ≤ m ≤ 8 rows at seven levels, and at α = 0; at α = 1, which the definition of privacy admits, det G = {one}; "
        f"n counts rows here, while the printed G_(3,1/4) has {rows} rows"
    )
    if not (right and zero):
        return Finding(Status.REFUTED, detail)
    return Finding(Status.HOLDS if one > 0 and rows == 3 else Status.IMPRECISE, detail)


def lemma_2(printed: Printed) -> Finding:
    """Lemma 2: the signs of det G with one column replaced; and item 3 with the indices as printed."""
    formulas = all(determinants(m, Rational(text)) for m in (3, 4, 5) for text in ("1/4", "1/2", "9/10"))
    # item 3 as printed compares x_1, x_2, x_3 whatever i is: with x = (0, 0, 0, 1) and i = 3 it holds with
    # equality
    a, x = Rational("1/2"), (0, 0, 0, 1)
    literal = ((x[1] - a * x[0]) >= a * (x[2] - a * x[1])) == (_replaced(geometric(3, a).matrix, 2, x).det() >= 0)
    detail = (
        "the determinants of the proof are right on 3 to 5 rows and all columns with small integer entries, so items 1–3 hold "
        "with x_(i−1), x_i, x_(i+1) in item 3; "
        f"as printed (x_1, x_2, x_3 for every i) item 3 {'holds' if literal else 'fails'} at i = 3, x = (0,0,0,1), α = 1/2"
    )
    status = Status.REFUTED if not formulas else Status.HOLDS if literal else Status.IMPRECISE
    return Finding(status, detail)


def determinants(m: int, a: Rational) -> bool:
    """Whether the three determinants of Lemma 2's proof, and the signs of items 1–3 for G itself, are right
    for m rows.

    >>> determinants(3, Rational("1/3"))
    True
    """
    G, prime = geometric(m - 1, a).matrix, geometric_prime(m - 1, a)
    factor = (1 - a * a) ** (m - 2)
    values = (-1, 0, 1, 2) if m == 3 else (-1, 0, 1) if m == 4 else (0, 1)
    for x in product(map(QQ, values), repeat=m):
        inner = [(1 + a * a) * x[i] - a * (x[i - 1] + x[i + 1]) for i in range(1, m - 1)]
        expected = [x[0] - a * x[1], *inner, x[-1] - a * x[-2]]
        for i, value in enumerate(expected):
            det = _replaced(prime, i, x).det()
            if det != factor * value or det.sign() != _replaced(G, i, x).det().sign():
                return False
    return True


def _replaced(matrix: ExactMatrix, i: int, x: Any) -> ExactMatrix:
    """The matrix with its column i replaced by x."""
    return ExactMatrix([[x[row] if c == i else value for c, value in enumerate(values)] for row, values in enumerate(matrix.rows())])


def cramer(printed: Printed) -> Finding:
    """Section 3: are the entries of T the quotients det G(i, m_j)/det G?"""
    right = True
    for n, text in product((1, 2, 3), ("1/4", "1/2", "9/10")):
        G = geometric(n, text).matrix
        for M in (geometric(n, "1/3").matrix, identity(range(n + 1)).matrix):
            T = G.solve(M)
            places = product(range(n + 1), repeat=2)
            right = right and all(T[i, j] == _replaced(G, i, M.column(j)).det() / G.det() for i, j in places)
    return finding(right, "the entries of T with M = G·T, by elimination, are these quotients (n ≤ 3, three levels, two M each)")


def convex_hull(printed: Printed) -> Finding:
    """Section 3: do the columns of a derivable M lie in the convex hull of the columns of G?"""
    below_one = all(max(max(row) for row in geometric(n, text).matrix.rows()) < 1 for n in (1, 2, 3, 4) for text in LEVELS)
    constant = Mechanism([[1, 0], [1, 0]])
    derivable = is_derivable(constant, source=geometric(1, "1/2"))
    cone = True
    for M in two_output_mechanisms(2, Rational("1/2")):
        T = geometric(2, "1/2").matrix.solve(M.matrix)
        inside = all(min(T.column(j)) >= 0 for j in range(2))
        cone = cone and inside == is_derivable(M, source=geometric(2, "1/2")).proved
    detail = (
        "n = 1, α = 1/2: always to output 0 is derivable, and its column (1, 1) is no convex combination of (2/3, 1/3) and (1/3, 2/3), "
        "as all entries of G are below 1 (n ≤ 4); derivable is: all columns in the convex cone"
    )
    if not (below_one and cone):
        return Finding(Status.OPEN, "an entry of G is not below 1, or the cone does not decide derivability")
    return Finding(Status.REFUTED if derivable.proved else Status.HOLDS, detail, {"constant-derivable": derivable})
