# SPDX-License-Identifier: MIT
"""The proof of Theorem 1, part 2: displays (2), (3), (4) and the final chain of (in)equalities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

from exactdp.analysis import is_derivable
from exactdp.claims.finding import Finding, Printed
from exactdp.claims.gupte_sundararajan.common import is_identity, profiles
from exactdp.claims.gupte_sundararajan.tables import appendix_b_mechanism
from exactdp.claims.record import Status
from exactdp.exact import QQ, Rational
from exactdp.mechanisms import geometric

__all__ = ["display_2", "display_3", "display_4", "final_chain"]


def display_2(printed: Printed) -> Finding:
    """(2) at a column of a private mechanism that is not derivable, and its two rewritings."""
    first = is_identity(lambda a, x, y, z: ((1 + a * a) * y - a * (x + z)) - ((y - a * z) - a * (x - a * y)), 2, 1, 1, 1)
    second = is_identity(lambda a, x, y, z: ((1 + a * a) * y - a * (x + z)) - ((y - a * x) - a * (z - a * y)), 2, 1, 1, 1)
    right, count = first and second, 0
    for a in (Rational("1/4"), Rational("1/2"), Rational("9/10")):
        for x, y, z in profiles(3, _quotients(a)):
            if (1 + a * a) * y - a * (x + z) < 0:
                count += 1
                right = right and x > a * y and z > a * y
    verdict = is_derivable(appendix_b_mechanism(printed), source=geometric(3, "1/2"))
    right = right and count > 0 and [len(t.rows(3)) for t in verdict.evidence.triples] == [3]
    detail = (
        f"both rewritings are identities; on {count} private triples with (2) both conclusions hold; Appendix B's only "
        "violation is at three rows"
    )
    return Finding(Status.HOLDS if right else Status.REFUTED, detail, {"appendix-b-not-derivable": verdict})


def _quotients(a: Rational) -> tuple[Rational, ...]:
    """Quotients of adjacent entries that privacy allows, ends included."""
    return (a, (1 + a) / 2, QQ.one, 2 / (1 + a), 1 / a)


class Rows(NamedTuple):
    """Columns on three rows i, i+1, i+2 with Lemma 5's pattern; k is the column that the proof singles out."""

    columns: tuple[tuple[Any, Any, Any], ...]
    k: int


def _patterned(a: Rational, size: int) -> Iterator[Rows]:
    """Private columns without zeros (any scale) whose two pairs of rows both have the pattern: α…α, at most one between, 1/α…1/α."""
    choices = list(_sequences(a, size))
    for first, second in product(choices, repeat=2):
        columns = tuple((QQ.one, p, p * q) for p, q in zip(first, second, strict=True))
        between = [j for j, p in enumerate(first) if a < p < 1 / a]
        prefix = [j for j, p in enumerate(first) if p == a]
        if between or prefix:
            yield Rows(columns, between[0] if between else prefix[-1])


def _sequences(a: Rational, size: int) -> Iterator[Sequence[Rational]]:
    for c in range(size + 1):
        yield [a] * c + [1 / a] * (size - c)
        if c < size:
            for q in _quotients(a)[1:4]:
                yield [a] * c + [q] + [1 / a] * (size - c - 1)


def _value(a: Any, column: tuple[Any, Any, Any]) -> Any:
    x, y, z = column
    return (1 + a * a) * y - a * (x + z)


def display_3(printed: Printed) -> Finding:
    """(3) at the singled-out column k, and the steps printed for it: αb″ = b, and b > α²b′."""
    holds, equality, enough, cases = True, True, True, 0
    for a in (Rational("1/4"), Rational("1/2")):
        for size in (1, 2, 3, 4):
            for rows in _patterned(a, size):
                for j, column in enumerate(rows.columns):
                    if _value(a, column) < 0:
                        cases += 1
                        b, middle, below = rows.columns[rows.k]
                        holds = holds and j <= rows.k and _value(a, rows.columns[rows.k]) < 0
                        if j < rows.k:
                            equality = equality and a * below == b
                            enough = enough and a * below == middle and b > a * middle
    # b ≥ αb′ and b > α²b′ do not give (3), even with αb″ = b′: α = 1/2, (b, b′, b″) = (1/2, 1, 2)
    a = Rational("1/2")
    b, middle, below = a, QQ.one, 1 / a
    implied = not (b >= a * middle and b > a * a * middle and a * below == middle) or _value(a, (b, middle, below)) < 0
    # an output never used (a zero column) at the end is "the last column with αx_i = x_(i+1)", and (3) reads 0 < 0 there
    zero = _value(a, (QQ.zero, QQ.zero, QQ.zero)) < 0
    detail = (
        f"on {cases} patterned, private cases with (2), no column zero, (3) holds and its reason is αb″ = b′ and b > αb′ ({enough}); "
        f"printed are αb″ = b ({'holds' if equality else 'fails'}) and b ≥ αb′, b > α²b′ ({'enough' if implied else 'not enough'}); "
        f"with a zero column after the others k is that column and (3) is {'true' if zero else 'false'} there"
    )
    if not (holds and enough and cases):
        return Finding(Status.REFUTED, detail)
    return Finding(Status.HOLDS if equality and implied and zero else Status.IMPRECISE, detail)


def display_4(printed: Printed) -> Finding:
    """(4) solves a + b + c = 1, αa + b′ + c/α = 1: two polynomial identities, and the system has one solution for 0 < α < 1."""

    def a_times(t: Any, b: Any, d: Any) -> Any:
        return 1 - b - t + d * t

    def c_times(t: Any, b: Any, d: Any) -> Any:
        return t - t * t + b * t * t - d * t

    # multiplied by 1 − α², and by α(1 − α²)
    first = is_identity(lambda t, b, d: a_times(t, b, d) + (b - 1) * (1 - t * t) + c_times(t, b, d), 2, 1, 1)
    second = is_identity(lambda t, b, d: t * t * a_times(t, b, d) + t * (d - 1) * (1 - t * t) + c_times(t, b, d), 3, 1, 1)
    determinant = is_identity(lambda t: (1 - t * t) - t * (1 / t - t), 2)  # |1 1; α 1/α| = (1−α²)/α ≠ 0
    right = first and second and determinant
    return Finding(
        Status.HOLDS if right else Status.REFUTED,
        "identities of polynomials in α, b, b′, decided on a grid; the system's determinant is (1−α²)/α",
    )


def final_chain(printed: Printed) -> Finding:
    """The final chain: its two equalities, "the first summand is always at least 1", and "> 1"."""

    def combination(t: Any, b: Any, d: Any, e: Any) -> Any:  # (α²a + b″ + c/α²) with (4)
        over = 1 - t * t
        return t * t * (1 - b - t + d * t) / over + e + (t - t * t + b * t * t - d * t) / over / (t * t)

    def numerator(t: Any, b: Any, d: Any, e: Any) -> Any:
        return t**3 - b * t**3 - t**4 + d * t**4 + e * t - e * t**3 + 1 - t - d + b * t

    def split(t: Any, b: Any, d: Any, e: Any) -> Any:
        return (1 - t + t * t) / t + ((b + e) * t - d * (1 + t * t)) / t

    # both sides times α²(1−α²) are polynomials of degree at most 6 in α and 1 in b, b′, b″
    first = is_identity(
        lambda t, b, d, e: t * t * (1 - t * t) * (combination(t, b, d, e) - numerator(t, b, d, e) / (t * (1 - t * t))), 6, 1, 1, 1
    )
    second = is_identity(
        lambda t, b, d, e: t * t * (1 - t * t) * (numerator(t, b, d, e) / (t * (1 - t * t)) - split(t, b, d, e)), 6, 1, 1, 1
    )
    summand = is_identity(lambda t: (1 - t + t * t) - t - (1 - t) ** 2, 2)
    levels = (Rational("1/4"), Rational("1/2"))
    cases = [(a, rows) for a in levels for size in (1, 2, 3, 4) for rows in _patterned(a, size) if _violated(a, rows)]
    termwise = all(_termwise(a, rows) for a, rows in cases)
    right = first and second and summand and termwise and len(cases) > 0
    detail = (
        f"the first step holds term by term in {len(cases)} patterned cases with (2); both equalities are identities, decided "
        "on a 7×2×2×2 grid; "
        "(1−α+α²)/α − 1 = (1−α)²/α ≥ 0; α times the second summand is minus the left side of (3), so with (3) the total is > 1"
    )
    return Finding(Status.HOLDS if right else Status.REFUTED, detail)


def _violated(a: Any, rows: Rows) -> bool:
    return any(_value(a, column) < 0 for column in rows.columns)


def _termwise(a: Any, rows: Rows) -> bool:
    """x_(i+2),l ≥ α² x_il for l < k, and x_(i+2),l = x_il/α² for l > k."""
    left, right = rows.columns[: rows.k], rows.columns[rows.k + 1 :]
    return all(y == a * x and z >= a * a * x for x, y, z in left) and all(a * y == x and a * a * z == x for x, y, z in right)
