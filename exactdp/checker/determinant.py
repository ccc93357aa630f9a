# SPDX-License-Identifier: MIT
"""Trusted: the determinant of a matrix over ℚ(a) is, or is not, a stated function (SPEC §4.12).

A polynomial is the list of its integer coefficients, the constant first. Row i of the matrix is r_i/d_i; with
a column replaced by x = (x_0, …, x_(m−1)) the determinant is a linear form in x. The stated function is a
quotient of polynomials in a and x.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from exactdp.checker.limits import charge, demand, require, show
from exactdp.checker.matrices import ratio
from exactdp.checker.reader import Node
from exactdp.checker.rules import Case

Poly = list[int]
# Σ p·(the product of x_j for these j), in order; no dictionary: a file chooses the j
Form = list[tuple[tuple[int, ...], Poly]]


@dataclass(frozen=True)
class Rows:
    """A square matrix: row i is rows[i]/dens[i]; the column at `replaced`, if any, is x."""

    title: str
    rows: list[list[Poly]]
    dens: list[Poly]
    replaced: int | None

    @property
    def symbols(self) -> int:
        """How many symbols x_j there are."""
        if self.replaced is None:
            return 0
        return len(self.rows)


def polynomial(node: Node) -> Poly:
    """The coefficients, the constant first; the last is not 0, and there are none for the
    polynomial 0.
    """
    result = [item.integer(item.of(str)) for item in node.items()]
    demand(not result or result[-1] != 0, node.path, "the last coefficient must not be 0")
    return result


def nonzero(node: Node) -> Poly:
    """A polynomial that is not 0."""
    demand(node.of(list) != [], node.path, "a denominator must not be 0")
    return polynomial(node)


def form(node: Node, symbols: int) -> Form:
    """Terms {x, a}: the ordered indices of a product of symbols, and its coefficient in ℤ[a], not
    0.
    """
    result = Form()
    for item in node.items():
        f = item.fields("x a")
        x = tuple(j.index(symbols) for j in f["x"].items())
        demand(list(x) == sorted(x), f["x"].path, "the indices must not decrease")
        later = not result or (len(result[-1][0]), result[-1][0]) < (len(x), x)
        demand(
            later, f["x"].path, "terms are ordered by length, then by indices, and no two are alike"
        )
        result.append((x, nonzero(f["a"])))
    return result


def matrix(c: Case) -> Rows:
    """The claim's matrix: by name, with n ≥ 0, or its rows {den, num}."""
    demand(not c.definitions, "$.definitions", "must be empty")
    kind, f = c.claim["matrix"].variant(
        "type", {"geometric": "n", "geometric-prime": "n", "rows": "rows"}
    )
    if kind == "rows":
        nodes = [node.fields("den num") for node in f["rows"].items()]
        m = len(nodes)
        demand(m > 0, f["rows"].path, "one row or more")
        dens = [nonzero(g["den"]) for g in nodes]
        rows = [[polynomial(p) for p in g["num"].items(m)] for g in nodes]
        shown = [
            f"[{show([text_of([((), p)]) for p in row])}]/({text_of([((), d)])})"
            for row, d in zip(rows[:24], dens, strict=False)
        ]
        title = f"the matrix of order {m} with the rows {', '.join([*shown, *['…'] * (m > 24)])}"
    else:
        m = f["n"].index() + 1
        prime = kind == "geometric-prime" or f["n"].index() == 0
        charge(m**3, held=m**3)
        title = f"{kind}({m - 1}, a)"
        rows = [
            [[0] * abs(i - j) + ([1] if prime or j in (0, m - 1) else [1, -1]) for j in range(m)]
            for i in range(m)
        ]
        # α^|i−j| s_j, s_j = 1/(1+a) at both ends and (1−a)/(1+a) between
        dens = [[1] if prime else [1, 1]] * m
    if "column" in c.claim:
        replaced = c.claim["column"].index(m)
    else:
        replaced = None
    return Rows(
        title if replaced is None else f"{title} with column {replaced} replaced by x",
        rows,
        dens,
        replaced,
    )


def size(p: Poly) -> int:
    """The sum of the |coefficients|; that of a product is at most the product of the sizes."""
    return sum(map(abs, p))


def at(p: Poly, top: int, below: int, degree: int) -> int:
    """below^degree · p(top/below), where degree is at least that of p."""
    step = top.bit_length() + below.bit_length()
    large = (degree + 1) * step + size(p).bit_length()
    total = 0
    power = 1
    charge(20 + 4 * len(p), large, products=4)
    charge(len(p) * (large * step // 50_000))
    for x in reversed(p):
        total = total * top + x * power
        power = power * below
    rest: int = below ** (degree + 1 - len(p))
    return total * rest


def determinant(work: list[list[int]]) -> int:
    """Bareiss: each entry on the way is a minor, so divisions are exact. A step drops the first
    column.
    """
    m = len(work)
    sign = 1
    last = 1
    for k in range(m - 1):
        pivot = next((i for i in range(k, m) if work[i][0]), None)
        if pivot is None:
            return 0
        if pivot != k:
            work[k], work[pivot], sign = work[pivot], work[k], -sign
        bits = max(x.bit_length() for row in work[k:] for x in row)
        charge((m - k) ** 2, 2 * bits, 2 * (m - k) ** 2, (m - k) ** 2)
        charge((m - k) ** 2 * (bits**2 // 25_000))  # the divisions
        head, *rest = work[k]
        for i in range(k + 1, m):
            work[i] = [
                (x * head - work[i][0] * y) // last for x, y in zip(work[i][1:], rest, strict=True)
            ]
        last = head
    return sign * work[m - 1][0]


def integral(M: Rows, top: int, below: int, x: Sequence[Fraction]) -> tuple[int, int]:
    """The determinant at a = top/below and x, as a numerator and a denominator."""
    degree = max(len(p) for row in (M.dens, *M.rows) for p in row)
    charge(
        len(M.rows) ** 2, degree * (top.bit_length() + below.bit_length()), held=len(M.rows) ** 2
    )
    work = list[list[int]]()
    den = 1
    for i, (row, d) in enumerate(zip(M.rows, M.dens, strict=True)):
        d_i, p, q = at(d, top, below, degree), *(x[i].as_integer_ratio() if x else (1, 1))
        work.append([at(r, top, below, degree) * q for r in row])
        if M.replaced is not None:
            work[i][M.replaced] = d_i * p
        charge(0, den.bit_length() + d_i.bit_length() + q.bit_length(), products=2)
        den *= d_i * q
    return determinant(work), den


def proved(c: Case) -> str:
    """det·den = num for the determinant's coefficient at each symbol (the determinant itself, if
    no column is replaced): both sides are polynomials whose difference has coefficients of
    absolute value ≤ H. A polynomial that is not 0 has no root beyond 1 + H (Cauchy), so the
    identity is checked by its value at one power of 2 that large.
    """
    M = matrix(c)
    f = c.claim["formula"].fields("num den")
    num = form(f["num"], M.symbols)
    den = form(f["den"], M.symbols)
    m = len(M.rows)
    require([x for x, _ in den] == [()], "no symbol in the denominator", f["den"].path, len(den), 1)
    if M.replaced is None:
        expected = [()]
    else:
        expected = [(j,) for j in range(m)]
    (_, below_line) = den[0]
    linear = all(len(x) == len(expected[0]) for x, _ in num)  # the indices are those of symbols
    require(
        linear,
        "a linear form in x, if a column is replaced",
        f["num"].path,
        [x for x, _ in num],
        expected,
    )
    coefficients = dict(num)
    sizes = [size(d) + sum(map(size, row)) for row, d in zip(M.rows, M.dens, strict=True)]
    for symbols in expected:
        p = coefficients.get(symbols, [])
        x = [Fraction(int((i,) == symbols)) for i in range(M.symbols)]
        charge(m**2, sum(map(int.bit_length, sizes)), products=m)
        # sizes[i] ≥ the size of each entry, d_i and their sum
        H = prod(sizes) * (size(below_line) + size(p))
        N = 1 << (H + 1).bit_length()
        left, below = integral(M, N, 1, x)
        q = at(below_line, N, 1, len(below_line))
        p_ = at(p, N, 1, len(p))
        charge(0, sum(map(int.bit_length, (left, below, q, p_))), products=2)
        left = left * q
        right = below * p_
        if symbols:
            where = f", the coefficient of x{symbols[0]}"
        else:
            where = ""
        require(
            left == right,
            f"det · den = num{where}, at a = 2^{N.bit_length() - 1}",
            f["num"].path,
            left,
            right,
        )
    return f"For every number a at which no denominator is zero, the determinant of {M.title} is {words(num, den)}."


def refuted(c: Case) -> str:
    """At a point in (0, 1) the determinant and the stated function have the values stated, which
    differ.
    """
    M = matrix(c)
    f = c.claim["formula"].fields("num den")
    point = c.claim["point"].fields("a x?")
    num = form(f["num"], M.symbols)
    den = form(f["den"], M.symbols)
    demand(
        ("x" in point) == (M.replaced is not None),
        c.claim["point"].path,
        "x, if and only if a column is replaced",
    )
    a = point["a"].rational()
    if "x" in point:
        x = [node.rational() for node in point["x"].items(M.symbols)]
    else:
        x = []
    demand(0 < a < 1, point["a"].path, "must satisfy 0 < a < 1")
    det, below = integral(M, a.numerator, a.denominator, x)
    require(below != 0, "no denominator of the matrix is 0", "$.claim.point", below, 0)
    top = value(num, a, x)
    bottom = value(den, a, x)
    require(bottom != 0, "the formula's denominator is not 0", "$.claim.point", bottom, 0)
    for key, number in (("determinant", ratio(det, below)), ("value", top / bottom)):
        require(
            number == c.claim[key].rational(),
            f"the {key} at the point",
            c.claim[key].path,
            number,
            c.claim[key].rational(),
        )
    require(
        ratio(det, below) != top / bottom,
        "determinant ≠ value",
        "$.claim.value",
        ratio(det, below),
        top / bottom,
    )
    where = f"a = {show(a)}" + (f", x = ({show(x)})" if x else "")
    return (
        f"The determinant of {M.title} is not {words(num, den)}: at {where} the determinant is "
        f"{show(ratio(det, below))} and the stated function is {show(top / bottom)}."
    )


def value(p: Form, a: Fraction, x: Sequence[Fraction]) -> Fraction:
    """The value of a form."""
    total = Fraction(0)
    bits = 0
    for symbols, q in p:
        top = at(q, a.numerator, a.denominator, len(q))
        bits += top.bit_length() + sum(
            max(map(int.bit_length, (*x[j].as_integer_ratio(), 1))) for j in symbols
        )
        bits += len(q) * a.denominator.bit_length()
        charge(20 + bits**2 // 5_000)  # lowest terms
        charge(0, bits, products=4 + len(symbols))
        total += Fraction(top, a.denominator ** len(q)) * prod(x[j] for j in symbols)
    return total


def words(num: Form, den: Form) -> str:
    """A quotient of forms for people."""
    top = text_of(num)
    bottom = text_of(den)
    if bottom == "1":
        return top
    return f"({top})/({bottom})"


def text_of(p: Form) -> str:
    """A form for people, abbreviated with … if it is long."""
    charge(4 * sum(len(q) for _, q in p))
    text = ""
    terms = [(c, x, k) for x, q in p for k, c in enumerate(q) if c]
    charge(40 * min(len(terms), 24))
    for c, x, k in terms[:24]:
        factors = [f"x{j}" for j in x] + [f"a^{k}" if k > 1 else "a"] * (k > 0)
        if text:
            if c < 0:
                text += " - "
            else:
                text += " + "
        elif c < 0:
            text += "-"
        else:
            text += ""
        text += show("*".join([*([show(abs(c))] if abs(c) > 1 or not factors else []), *factors]))
    return (text or "0") + (f" + … {len(terms) - 24} more terms" if len(terms) > 24 else "")


CLAIMS: dict[str, tuple[Callable[[Case], str], str, str]] = {
    "determinant": (proved, "matrix column? formula", ""),
    "not-determinant": (refuted, "matrix column? formula point determinant value", ""),
}
SCOPES = {
    "determinant": "all a (and all x) where no denominator is zero",
    "not-determinant": "rational functions, at the point given",
}
