# SPDX-License-Identifier: MIT
"""Trusted: the determinant of a matrix over ℚ(a) is, or is not, a stated function (SPEC §4.12).

A polynomial is the list of its integer coefficients, the constant first. Row i of the matrix is
r_i/d_i; with a column replaced by x = (x_0, …, x_(m−1)) the determinant is a linear form in x. The
stated function is a quotient of polynomials in a and x. Theorems stand in proofs/coq.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from exactdp.checker.arithmetic import (
    evaluated,
    grid,
    product,
    product_of_all,
    raised,
    ratio,
    shifted,
    sum_of_ratios,
)
from exactdp.checker.claims import Claims
from exactdp.checker.limits import demand, require, show
from exactdp.checker.matrices import determinant
from exactdp.checker.reader import Node
from exactdp.checker.rules import Case

Poly = list[int]
Form = list[tuple[tuple[int, ...], Poly]]
"""Σ p·(the product of x_j for these j), in order; no dictionary: a file chooses the j."""


@dataclass(frozen=True)
class Rows:
    """A square matrix: row i is rows[i]/dens[i]; the column at `replaced`, if any, is x.

    The determinant of the rows is (1 − a²)^squares·(1 − a)^ones for `known` = (squares, ones).
    """

    title: str
    rows: list[list[Poly]]
    dens: list[Poly]
    replaced: int | None
    known: tuple[int, int] | None = None

    @property
    def symbols(self) -> int:
        """How many symbols x_j there are."""
        return 0 if self.replaced is None else len(self.rows)


# ── Reading ─────────────────────────────────────────────────────────────────────────────────────
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
    last: tuple[int, tuple[int, ...]] | None = None
    for item in node.items():
        f = item.fields("x a")
        x = tuple(j.index(symbols) for j in f["x"].items())
        demand(list(x) == sorted(x), f["x"].path, "the indices must not decrease")
        place = len(x), x
        rule = "terms are ordered by length, then by indices, and no two are alike"
        demand(last is None or last < place, f["x"].path, rule)
        last = place
        result.append((x, nonzero(f["a"])))
    return result


def matrix(c: Case) -> Rows:
    """The claim's matrix: by name, with n ≥ 0, or its rows {den, num}."""
    demand(not c.definitions, "$.definitions", "must be empty")
    kinds = {"geometric": "n", "geometric-prime": "n", "rows": "rows"}
    kind, f = c.claim["matrix"].variant("type", kinds)
    known = None
    if kind == "rows":
        title, rows, dens = listed_rows(f["rows"])
    else:
        n = f["n"].index()
        title, rows, dens = named_rows(kind, n)
        # n − 1 of the columns of G, if n > 0, have the scale 1 − a.
        known = (n, n - 1 if kind == "geometric" and n else 0)
    if "column" not in c.claim:
        return Rows(title, rows, dens, None, known)
    replaced = c.claim["column"].index(len(rows))
    return Rows(f"{title} with column {replaced} replaced by x", rows, dens, replaced)


def listed_rows(node: Node) -> tuple[str, list[list[Poly]], list[Poly]]:
    """A matrix by its rows, with its title."""
    listed = [item.fields("den num") for item in node.items()]
    m = len(listed)
    demand(m > 0, node.path, "one row or more")
    dens = [nonzero(f["den"]) for f in listed]
    rows = [[polynomial(p) for p in f["num"].items(m)] for f in listed]
    shown = list[str]()
    for row, den in zip(rows[:24], dens, strict=False):
        numerators = show([text_of([((), p)]) for p in row])
        shown.append(f"[{numerators}]/({text_of([((), den)])})")
    if m > 24:
        shown.append("…")
    return f"the matrix of order {m} with the rows {', '.join(shown)}", rows, dens


def named_rows(kind: str, n: int) -> tuple[str, list[list[Poly]], list[Poly]]:
    """G(n, a), or G′(n, a) = (a^|i−j|), with its title."""
    m = n + 1
    prime = kind == "geometric-prime" or n == 0
    rows: list[list[Poly]] = grid(m, m)
    for i in range(m):
        for j in range(m):
            # α^|i−j| s_j, s_j = 1/(1+a) at both ends and (1−a)/(1+a) between.
            scale = [1] if prime or j in (0, m - 1) else [1, -1]
            rows[i][j] = shifted(scale, abs(i - j))
    den = [1] if prime else [1, 1]
    return f"{kind}({n}, a)", rows, [den] * m


# ── Values ──────────────────────────────────────────────────────────────────────────────────────
def size(p: Poly) -> int:
    """The sum of the |coefficients|; that of a product is at most the product of the sizes."""
    return sum(map(abs, p))


def integral(M: Rows, top: int, below: int, x: Sequence[Fraction]) -> tuple[int, int]:
    """The determinant at a = top/below and x, as a numerator and a denominator."""
    # Theorem: condensation (DeterminantIdentity.v), determinantP (Checker/IntegerDeterminants.v).
    degree = max(len(p) for row in (M.dens, *M.rows) for p in row)
    if M.known is not None:
        # All rows have one denominator.
        den = raised(evaluated(M.dens[0], top, below, degree), len(M.rows))
        return of_powers(M.known, degree * len(M.rows), top, below), den
    work = grid(len(M.rows), len(M.rows))
    den = 1
    for i, (row, d) in enumerate(zip(M.rows, M.dens, strict=True)):
        p, q = x[i].as_integer_ratio() if x else (1, 1)
        below_row = evaluated(d, top, below, degree)
        work[i] = [product(evaluated(r, top, below, degree), q) for r in row]
        if M.replaced is not None:
            work[i][M.replaced] = product(below_row, p)
        den = product(den, below_row, q)
    return determinant(work), den


def of_powers(known: tuple[int, int], degree: int, top: int, below: int) -> int:
    """below^degree·(1 − a²)^squares·(1 − a)^ones at a = top/below."""
    # Theorem: det_powers, det_geometric (Determinants.v).
    squares, ones = known
    powers = [
        raised((below - top) * (below + top), squares),
        raised(below - top, ones),
        raised(below, degree - 2 * squares - ones),
    ]
    return product_of_all(powers)


def value(p: Form, a: Fraction, x: Sequence[Fraction]) -> Fraction:
    """The value of a form."""
    terms = list[Fraction]()
    for symbols, q in p:
        top = evaluated(q, a.numerator, a.denominator, len(q))
        below = raised(a.denominator, len(q))
        top = product(top, *(x[j].numerator for j in symbols))
        below = product(below, *(x[j].denominator for j in symbols))
        terms.append(ratio(top, below))
    total: Fraction = sum_of_ratios(terms)
    return total


# ── Claims ──────────────────────────────────────────────────────────────────────────────────────
def proved(c: Case) -> str:
    """det·den = num for the determinant's coefficient at each symbol (the determinant itself, if no
    column is replaced): both sides are polynomials whose difference has coefficients of absolute
    value ≤ H. A polynomial that is not 0 has no root beyond 1 + H (Cauchy), so the identity is
    checked by its value at one power of 2 that large.
    """
    # Theorem: size_le_det, zero_at_large (DeterminantIdentity.v), is_identityP
    # (Checker/DeterminantCheck.v).
    M = matrix(c)
    f = c.claim["formula"].fields("num den")
    num, den = form(f["num"], M.symbols), form(f["den"], M.symbols)
    m = len(M.rows)
    no_symbol = [x for x, _ in den] == [()]
    require(no_symbol, "no symbol in the denominator", f["den"].path, len(den), 1)

    # The terms of the numerator: one, or one for each symbol.
    expected: list[tuple[int, ...]] = [()]
    if M.replaced is not None:
        expected = [(j,) for j in range(m)]
    linear = all(len(x) == len(expected[0]) for x, _ in num)  # the indices are those of symbols
    rule = "a linear form in x, if a column is replaced"
    require(linear, rule, f["num"].path, [x for x, _ in num], expected)
    coefficients = dict(num)
    _, below_line = den[0]

    # sizes[i] ≥ the size of each entry of row i, of d_i and of their sum.
    sizes = [size(d) + sum(map(size, row)) for row, d in zip(M.rows, M.dens, strict=True)]
    for symbols in expected:
        p = coefficients.get(symbols, [])
        x = [Fraction(int((i,) == symbols)) for i in range(M.symbols)]
        H = product_of_all([*sizes, size(below_line) + size(p)])
        N = 1 << (H + 1).bit_length()
        determinant_at, below = integral(M, N, 1, x)
        left = product(determinant_at, evaluated(below_line, N, 1, len(below_line)))
        right = product(below, evaluated(p, N, 1, len(p)))
        where = f", the coefficient of x{symbols[0]}" if symbols else ""
        rule = f"det · den = num{where}, at a = 2^{N.bit_length() - 1}"
        require(left == right, rule, f["num"].path, left, right)
    return (
        "For every number a at which no denominator is zero, "
        f"the determinant of {M.title} is {words(num, den)}."
    )


def refuted(c: Case) -> str:
    """At a point in (0, 1) the determinant and the stated function have the values stated, which
    differ.
    """
    # Theorem: determinantP (Checker/IntegerDeterminants.v), is_differentP
    # (Checker/DeterminantCheck.v).
    M = matrix(c)
    f = c.claim["formula"].fields("num den")
    point = c.claim["point"].fields("a x?")
    num, den = form(f["num"], M.symbols), form(f["den"], M.symbols)
    replaced = M.replaced is not None
    rule = "x, if and only if a column is replaced"
    demand(("x" in point) == replaced, c.claim["point"].path, rule)
    a = point["a"].rational()
    x = list[Fraction]()
    if replaced:
        x = [node.rational() for node in point["x"].items(M.symbols)]
    demand(0 < a < 1, point["a"].path, "must satisfy 0 < a < 1")

    top, below = integral(M, a.numerator, a.denominator, x)
    require(below != 0, "no denominator of the matrix is 0", "$.claim.point", below, 0)
    above_line, below_line = value(num, a, x), value(den, a, x)
    rule = "the formula's denominator is not 0"
    require(below_line != 0, rule, "$.claim.point", below_line, 0)
    found = ratio(top, below)
    stated = quotient_of(above_line, below_line)
    for key, number in (("determinant", found), ("value", stated)):
        node = c.claim[key]
        equal = number == node.rational()
        require(equal, f"the {key} at the point", node.path, number, node.rational())
    require(found != stated, "determinant ≠ value", "$.claim.value", found, stated)
    where = f"a = {show(a)}"
    if x:
        where += f", x = ({show(x)})"
    return (
        f"The determinant of {M.title} is not {words(num, den)}: at {where} the determinant is "
        f"{show(found)} and the stated function is {show(stated)}."
    )


def quotient_of(x: Fraction, y: Fraction) -> Fraction:
    """x/y, for y ≠ 0."""
    top = product(x.numerator, y.denominator)
    below = product(x.denominator, y.numerator)
    return ratio(top, below)


# ── Sentences ───────────────────────────────────────────────────────────────────────────────────
def words(num: Form, den: Form) -> str:
    """A quotient of forms for people."""
    top, bottom = text_of(num), text_of(den)
    if bottom == "1":
        return top
    return f"({top})/({bottom})"


def text_of(p: Form) -> str:
    """A form for people, abbreviated with … if it is long."""
    terms = [(c, x, k) for x, q in p for k, c in enumerate(q) if c]
    text = ""
    for c, x, k in terms[:24]:
        # The sign, and the factors that are not 1.
        if text:
            text += " - " if c < 0 else " + "
        elif c < 0:
            text = "-"
        factors = [f"x{j}" for j in x]
        if k:
            factors.append(f"a^{k}" if k > 1 else "a")
        if abs(c) > 1 or not factors:
            factors.insert(0, show(abs(c)))
        text += show("*".join(factors))
    if len(terms) > 24:
        text += f" + … {len(terms) - 24} more terms"
    return text or "0"


CLAIMS: Claims = {
    "determinant": (proved, "matrix column? formula", ""),
    "not-determinant": (refuted, "matrix column? formula point determinant value", ""),
}
SCOPES = {
    "determinant": "all a (and all x) where no denominator is zero",
    "not-determinant": "rational functions, at the point given",
}
