# SPDX-License-Identifier: MIT
"""Section 2.1–2.2: the definitions of differential privacy, and the levels 0 and 1.

Definitions 1 and 4, Figure 1, Table 2: the geometric mechanism, unbounded and range-restricted.
"""

from __future__ import annotations

from itertools import product

from exactdp.analysis import is_derivable, is_private, tightest_level
from exactdp.cli.demo_cases import path
from exactdp.exact import QQ, ExactMatrix, Rational
from exactdp.mechanisms import GeometricNoise, geometric, geometric_prime, identity, lumped_geometric, uniform
from exactdp.model import Graph, Mechanism, PrivacyLevel, neighbours
from proofs.gupte_sundararajan.common import LEVELS, definition_4, two_output_mechanisms
from proofs.record import Finding, Printed, Status, finding

GRID = [Rational(p, 6) for p in range(7)]


def as_printed(x: Rational, y: Rational, alpha: Rational) -> bool | None:
    """The printed inequality (1/α) x ≥ y ≥ α x; None where 1/α is undefined."""
    try:
        return (1 / alpha) * x >= y >= alpha * x
    except ZeroDivisionError:
        return None


def _wording() -> tuple[bool, bool]:
    """Whether the printed inequality is y ≥ αx and x ≥ αy where defined, and whether it is at α = 0."""
    pairs = list(product(GRID, repeat=2))
    agrees = all(as_printed(x, y, a) == (y >= a * x and x >= a * y) for a in GRID[1:] for x, y in pairs)
    return agrees, all(as_printed(x, y, QQ.zero) is not None for x, y in pairs)


def definition(printed: Printed) -> Finding:
    """The definition for databases: does the printed inequality mean something for every α in [0, 1]?"""
    agrees, defined = _wording()
    if not agrees:
        return Finding(Status.REFUTED, "the printed inequality differs from x ≥ αy, y ≥ αx at some α in (0, 1]")
    detail = "the printed (1/α)·x ≥ y ≥ α·x equals x ≥ αy and y ≥ αx for α > 0; at α = 0, which the text includes, 1/α is undefined"
    return Finding(Status.DEFINITION if defined else Status.IMPRECISE, detail)


def definition_2(printed: Printed) -> Finding:
    """Definition 2: the same inequality on the path; and is it that of databases, for oblivious ones?"""
    agrees, defined = _wording()
    for size in (1, 2, 3):
        cube = neighbours(f"hypercube:{size}")
        assert isinstance(cube, Graph)
        for a in (Rational("1/4"), Rational("1/2")):
            candidates = [m for b in (a, a / 2) for m in two_output_mechanisms(size, b)]
            agrees = agrees and all(_same(m, cube, size, a) for m in candidates)
    if not agrees:
        return Finding(Status.REFUTED, "Definition 2 differs from the database definition on some oblivious mechanism")
    detail = (
        "equal to the database definition on all oblivious mechanisms tried over {0,1}^n, n ≤ 3; at α = 0, which the text "
        "includes, 1/α is undefined"
    )
    return Finding(Status.DEFINITION if defined else Status.IMPRECISE, detail)


def _same(oblivious: Mechanism, cube: Graph, size: int, alpha: Rational) -> bool:
    """Whether the mechanism is private on the path if and only if the one it induces on databases is."""
    counts = [word.count("1") for word in cube.vertices]
    induced = Mechanism([oblivious.matrix.row(count) for count in counts], cube.vertices, oblivious.outputs)
    return is_private(oblivious, path(size), PrivacyLevel(alpha)).proved == is_private(induced, cube, PrivacyLevel(alpha)).proved


def ends(printed: Printed) -> Finding:
    """α = 0 constrains nothing; α = 1 forces identical rows (the definition read as x ≥ αy and y ≥ αx)."""
    zero = all(y >= QQ.zero * x and x >= QQ.zero * y for x, y in product(GRID, repeat=2))
    one = all((y >= QQ.one * x and x >= QQ.one * y) == (x == y) for x, y in product(GRID, repeat=2))
    constant, truthful = tightest_level(uniform(range(4)), path(3)), tightest_level(identity(range(4)), path(3))
    others = [tightest_level(m, path(2)).evidence for m in two_output_mechanisms(2, Rational("1/2"))]
    rows = all((e.tightest.ratio == 1) == (len(set(e.mechanism.rows())) == 1) for e in others)
    right = zero and one and rows and constant.evidence.tightest.ratio == 1 and truthful.evidence.tightest.ratio == 0
    detail = (
        "x ≥ 0·y holds for all x, y ≥ 0; x ≥ y and y ≥ x is x = y; a mechanism's level is 1 exactly when its rows are equal, "
        "on every one tried"
    )
    verdicts = {"level-of-uniform": constant, "level-of-identity": truthful}
    return finding(right, detail, verdicts)


def definition_1(printed: Printed) -> Finding:
    """Do the printed masses sum to 1? Σ_{|z| ≤ m} is 1 − 2α^(m+1)/(1+α), tending to 1 (0 at α = 1)."""
    right = True
    for text in LEVELS:
        a, noise = Rational(text), GeometricNoise(text)
        total = QQ.zero
        for m in range(6):
            total += (1 - a) / (1 + a) * a**m * (1 if m == 0 else 2)
            right = right and total == 1 - 2 * a ** (m + 1) / (1 + a)
            right = right and noise.mass(m) == noise.mass(-m) == (1 - a) / (1 + a) * a**m
    detail = "the masses with |z| ≤ m sum to 1 − 2α^(m+1)/(1+α), checked for m ≤ 5: a law for 0 < α < 1 (α = 1 gives all masses 0, no law)"
    return finding(right, detail, status=Status.DEFINITION)


def figure_1(printed: Printed) -> Finding:
    """Are the probabilities for α = 1/5 and the query result 5 (2/3)(1/5)^|k| ?"""
    noise = GeometricNoise("1/5")
    right = all(noise.mass(k) == Rational("2/3") * Rational("1/5") ** abs(k) for k in range(-20, 21))
    verdict = tightest_level(lumped_geometric(10, "1/5"), path(10))
    detail = f"P(5 + k) = 2/3 · (1/5)^|k| for |k| ≤ 20; the peak is {noise.mass(0)}"
    return finding(right, detail, {"figure-1-level": verdict}, status=Status.CERTIFIED)


def ratios(printed: Printed) -> Finding:
    """Is the unbounded geometric mechanism α-private, all quotients of adjacent entries being α or 1/α?"""
    right = True
    for text in LEVELS:
        a = Rational(text)
        for n in range(1, 7):
            matrix = lumped_geometric(n, a).matrix
            right = right and all(matrix[i, r] / matrix[i + 1, r] in (a, 1 / a) for i in range(n) for r in range(n + 3))
    verdict = tightest_level(lumped_geometric(3, "1/4"), path(3))
    right = right and verdict.evidence.tightest.ratio == Rational("1/4")
    detail = "every quotient x_ir/x_(i+1)r is α or 1/α, on all integers r (the tails lumped exactly), for n ≤ 6 and seven levels"
    return finding(right, detail, {"unbounded-geometric-level": verdict})


def range_restricted(printed: Printed) -> Finding:
    """Definition 4: a mechanism, private at no level above α, equivalent by remaps to the unbounded one?"""
    right = True
    for text in LEVELS:
        for n in range(1, 6):
            right = right and Mechanism(definition_4(n, Rational(text))) == geometric(n, text)
            right = right and tightest_level(geometric(n, text), path(n)).evidence.tightest.ratio == Rational(text)
            right = right and is_derivable(geometric(n, text), source=lumped_geometric(n, text)).proved
            right = right and is_derivable(lumped_geometric(n, text), source=geometric(n, text)).proved
    G, unbounded = geometric(3, "1/4"), lumped_geometric(3, "1/4")
    verdicts = {
        "restricted-from-unbounded": is_derivable(G, source=unbounded),
        "unbounded-from-restricted": is_derivable(unbounded, source=G),
    }
    lonely = definition_4(0, Rational("1/2"))[0, 0]
    detail = (
        "a mechanism of level α for 1 ≤ n ≤ 5, derivable from the unbounded one and conversely; for n = 0 the printed probability is "
        f"1/(1+α), e.g. {lonely}, not 1"
    )
    return finding(right, detail, verdicts)


def table_2(printed: Printed) -> Finding:
    """Is G′ obtained from G by the printed factors, and is its size that of Definition 4 and Table 1(b)?"""
    identity = True
    for text in LEVELS:
        a = Rational(text)
        for n in range(1, 8):
            factors = [1 + a if j in (0, n) else (1 + a) / (1 - a) for j in range(n + 1)]
            scaled = ExactMatrix([[x * f for x, f in zip(row, factors, strict=True)] for row in geometric(n, a).rows()])
            identity = identity and scaled == geometric_prime(n, a)
    rows = printed.table("table-1b").shape[0]
    same_size = rows == 3  # Table 2's G_{n,α} ends in α^(n−1): n rows
    detail = (
        "with m rows the factors are right for 2 ≤ m ≤ 8; but Table 2's G_(n,α) has n rows (corner α^(n−1)), Table 1's "
        f"G_(3,1/4) has {rows}"
    )
    status = Status.REFUTED if not identity else Status.CERTIFIED if same_size else Status.IMPRECISE
    return Finding(status, detail)


def count_changes(printed: Printed) -> Finding:
    """2.2: does a count change by at most one when one row changes, and by one for some rows?"""
    steps: set[int] = set()
    for size, holds in product((1, 2, 3), ({1}, {0, 2}, {0, 1, 2}, set[int]())):
        for rows in product(range(3), repeat=size):
            for k, value in product(range(size), range(3)):
                changed = (*rows[:k], value, *rows[k + 1 :])
                step = abs(sum(row in holds for row in rows) - sum(row in holds for row in changed))
                if len(holds) in (0, 3) and step:
                    return Finding(Status.REFUTED, "a count of a property that all rows have, or none, changed")
                steps.add(step)
    detail = "at most 1, and 1 for some rows, for all databases of up to three rows with three values; 0 for a property of all rows or none"
    return finding(steps == {0, 1}, detail)


def events(printed: Printed) -> Finding:
    """Footnote 2: whatever set of results an attack waits for, is it nearly as likely for a neighbour?"""
    right = attained = True
    for n, text in product((1, 2, 3), ("1/4", "1/2", "9/10")):
        G, a = geometric(n, text).matrix, Rational(text)
        quotients = []
        for chosen in product((0, 1), repeat=n + 1):
            likely = [sum((x * c for x, c in zip(row, chosen, strict=True)), QQ.zero) for row in G.rows()]
            quotients += [p / q for k in range(n) for p, q in ((likely[k], likely[k + 1]), (likely[k + 1], likely[k])) if q]
        right, attained = right and min(quotients) >= a, attained and min(quotients) == a
    return finding(
        right and attained, "every set of results of G(n, α) has at least α times the probability, and some have no more (n ≤ 3)"
    )
