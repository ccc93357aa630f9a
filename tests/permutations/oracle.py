# SPDX-License-Identifier: MIT
"""The answers by brute force, from the definitions. Nothing of exactdp is used here: ``fractions.Fraction``
only.

Inputs, outputs and guesses are the numbers 0, 1, …; a matrix is a list of rows. Distances are a dict from
pairs (i, j), i < j, to positive ints; a pair that is left out is infinitely far apart. Linear programs are
solved by a small simplex that checks its own answer: an optimum comes with a solution and a dual solution of
the same value, infeasibility with Farkas' vector.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

Matrix = list[list[Fraction]]
Distances = dict[tuple[int, int], int]


def dot(u, v):
    return sum((x * y for x, y in zip(u, v, strict=True)), Fraction(0))


def product(a: Matrix, b: Matrix) -> Matrix:
    return [[dot(row, column) for column in zip(*b, strict=True)] for row in a]


# --- linear programs


def least(cost, matrix, right):
    """The least cost·x with matrix·x = right and x ≥ 0; None if there is no such x."""
    rows, size = len(matrix), len(cost)
    signs = [1 if value >= 0 else -1 for value in right]
    table = [
        [Fraction(s * x) for x in row] + [Fraction(int(k == i)) for k in range(rows)] + [Fraction(s * value)]
        for i, (s, row, value) in enumerate(zip(signs, matrix, right, strict=True))
    ]
    basis = list(range(size, size + rows))
    first = [Fraction(0)] * size + [Fraction(1)] * rows + [Fraction(0)]
    for row in table:
        first = [a - b for a, b in zip(first, row, strict=True)]
    _pivot_until_least(table, basis, first, size)
    if first[-1] != 0:
        y = [s * (1 - first[size + i]) for i, s in enumerate(signs)]
        assert all(dot(y, column) <= 0 for column in zip(*matrix, strict=True))
        assert dot(y, right) > 0
        return None
    for k, row in enumerate(table):
        if basis[k] >= size:
            place = next((j for j in range(size) if row[j] != 0), None)
            if place is not None:
                _pivot(table, basis, first, k, place)
    second = [Fraction(c) for c in cost] + [Fraction(0)] * (rows + 1)
    for k, row in enumerate(table):
        if basis[k] < size and second[basis[k]] != 0:
            factor = second[basis[k]]
            second = [a - factor * b for a, b in zip(second, row, strict=True)]
    assert _pivot_until_least(table, basis, second, size), "unbounded"
    x = [Fraction(0)] * size
    for k, j in enumerate(basis):
        if j < size:
            x[j] = table[k][-1]
    y = [-s * second[size + i] for i, s in enumerate(signs)]
    assert all(value >= 0 for value in x)
    assert all(dot(row, x) == value for row, value in zip(matrix, right, strict=True))
    assert all(dot(y, column) <= c for c, column in zip(cost, zip(*matrix, strict=True), strict=True))
    assert dot(y, right) == dot(cost, x)
    return dot(cost, x)


def _pivot_until_least(table, basis, costs, size) -> bool:
    while True:
        enter = next((j for j in range(size) if costs[j] < 0), None)
        if enter is None:
            return True
        ratios = [(row[-1] / row[enter], basis[k], k) for k, row in enumerate(table) if row[enter] > 0]
        if not ratios:
            return False
        _pivot(table, basis, costs, min(ratios)[2], enter)


def _pivot(table, basis, costs, k, j) -> None:
    value = table[k][j]
    chosen = [x / value if x else x for x in table[k]]
    table[k] = chosen
    places = [p for p, x in enumerate(chosen) if x]
    for other in (*(row for i, row in enumerate(table) if i != k), costs):
        factor = other[j]
        if factor:
            for p in places:
                other[p] -= factor * chosen[p]
    basis[k] = j


def is_feasible(matrix, right) -> bool:
    return least([0] * len(matrix[0]), matrix, right) is not None


# --- privacy


def is_stochastic(m: Matrix) -> bool:
    return all(x >= 0 for row in m for x in row) and all(sum(row) == 1 for row in m)


def ordered(distances: Distances):
    """All constrained pairs in both orders."""
    return [(a, b, d) for (i, j), d in distances.items() for a, b in ((i, j), (j, i))]


def is_private(m: Matrix, distances: Distances, alpha: Fraction) -> bool:
    return all(x >= alpha**d * y for i, j, d in ordered(distances) for x, y in zip(m[i], m[j], strict=True))


def tightest(m: Matrix, distances: Distances) -> tuple[Fraction, int]:
    """(q, d): the largest private level is q^(1/d), at most 1."""
    best = (Fraction(1), 1)
    for i, j, d in ordered(distances):
        for x, y in zip(m[i], m[j], strict=True):
            if y > 0 and (x / y) ** best[1] < best[0] ** d:
                best = (x / y, d)
    return best


def least_delta(m: Matrix, distances: Distances, alpha: Fraction) -> Fraction:
    excess = [sum(max(Fraction(0), x - y / alpha**d) for x, y in zip(m[i], m[j], strict=True)) for i, j, d in ordered(distances)]
    return max(excess, default=Fraction(0))


def is_derivable(a: Matrix, b: Matrix) -> bool:
    """Whether a = b·R for a row-stochastic R."""
    m, k = len(b[0]), len(a[0])
    rows, right = [], []
    for i in range(len(a)):
        for g in range(k):
            rows.append([b[i][y] if h == g else 0 for y in range(m) for h in range(k)])
            right.append(a[i][g])
    for y in range(m):
        rows.append([int(z == y) for z in range(m) for _ in range(k)])
        right.append(1)
    return is_feasible(rows, right)


# --- consumers: (loss, prior) or (loss, set of possible inputs)


def row_losses(m: Matrix, loss: Matrix):
    return [dot(x, values) for x, values in zip(m, loss, strict=True)]


def loss_of(m: Matrix, loss: Matrix, prior, possible) -> Fraction:
    rows = row_losses(m, loss)
    return dot(prior, rows) if prior is not None else max(rows[i] for i in possible)


def least_remapped(m: Matrix, loss: Matrix, prior, possible) -> Fraction:
    """The least loss after a remap."""
    n, outputs, guesses = len(m), len(m[0]), len(loss[0])
    if prior is not None:
        return sum(min(sum(prior[i] * loss[i][g] * m[i][y] for i in range(n)) for g in range(guesses)) for y in range(outputs))
    terms = [[m[i][y] * loss[i][g] for y in range(outputs) for g in range(guesses)] for i in range(n)]
    equations = [[int(z == y) for z in range(outputs) for _ in range(guesses)] for y in range(outputs)]
    return _least_worst(terms, equations, [1] * outputs, [], possible)


def optimum(distances: Distances, alpha: Fraction, loss: Matrix, prior, possible) -> Fraction:
    """The least loss of a private mechanism on the guesses."""
    n, guesses = len(loss), len(loss[0])
    place = {(i, g): i * guesses + g for i in range(n) for g in range(guesses)}
    equations = [[int(k // guesses == i) for k in range(n * guesses)] for i in range(n)]
    at_least = []
    for i, j, d in ordered(distances):
        for g in range(guesses):
            row = [Fraction(0)] * (n * guesses)
            row[place[i, g]] += 1
            row[place[j, g]] -= alpha**d
            at_least.append(row)
    terms = [[loss[i][g] if h == i else Fraction(0) for h in range(n) for g in range(guesses)] for i in range(n)]
    if prior is not None:
        cost = [dot(prior, column) for column in zip(*terms, strict=True)]
        return _least_with(cost, equations, [1] * n, at_least)
    return _least_worst(terms, equations, [1] * n, at_least, possible)


def _least_worst(terms, equations, right, at_least, possible) -> Fraction:
    """min over x of the largest terms[i]·x, i possible. Losses may be negative: t = t⁺ − t⁻."""
    size = len(terms[0])
    wide = [[*row, 0, 0] for row in equations]
    rest = [[*row, 0, 0] for row in at_least] + [[*(-v for v in terms[i]), 1, -1] for i in possible]
    return _least_with([0] * size + [1, -1], wide, right, rest)


def _least_with(cost, equations, right, at_least) -> Fraction:
    """The least cost·x with equations, rows·x ≥ 0 and x ≥ 0."""
    count = len(at_least)
    matrix = [[*row, *([0] * count)] for row in equations]
    matrix += [[*row, *(-int(k == q) for k in range(count))] for q, row in enumerate(at_least)]
    value = least([*cost, *([0] * count)], matrix, [*right, *([0] * count)])
    assert value is not None
    return value


# --- the matrix Φ and posteriors


def phi(n: int, distances: Distances, alpha: Fraction) -> Matrix:
    """φ_ih = α^d(i,h), the distances being shortest paths."""
    far = shortest(n, distances)
    return [[Fraction(0) if far[i][h] is None else alpha ** far[i][h] for h in range(n)] for i in range(n)]


def shortest(n: int, distances: Distances):
    far = [[0 if i == j else distances.get((min(i, j), max(i, j))) for j in range(n)] for i in range(n)]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if far[i][k] is not None and far[k][j] is not None and (far[i][j] is None or far[i][k] + far[k][j] < far[i][j]):
                    far[i][j] = far[i][k] + far[k][j]
    return far


def is_tight(n: int, distances: Distances, alpha: Fraction) -> bool:
    return is_feasible(phi(n, distances, alpha), [1] * n)


def is_regular(prior, distances: Distances, alpha: Fraction) -> bool:
    return is_feasible([list(c) for c in zip(*phi(len(prior), distances, alpha), strict=True)], prior)


def solved(matrix: Matrix, right):
    """The only solution of a square system; None if the matrix is singular."""
    size = len(matrix)
    table = [[*map(Fraction, row), Fraction(value)] for row, value in zip(matrix, right, strict=True)]
    for k in range(size):
        found = next((i for i in range(k, size) if table[i][k]), None)
        if found is None:
            return None
        table[k], table[found] = table[found], table[k]
        table[k] = [x / table[k][k] for x in table[k]]
        for i in range(size):
            if i != k and table[i][k]:
                table[i] = [x - table[i][k] * y for x, y in zip(table[i], table[k], strict=True)]
    return [row[-1] for row in table]


def rank(matrix: Matrix) -> int:
    table, found = [list(row) for row in matrix], 0
    for j in range(len(table[0])):
        k = next((i for i in range(found, len(table)) if table[i][j]), None)
        if k is None:
            continue
        table[found], table[k] = table[k], table[found]
        for i in range(found + 1, len(table)):
            factor = table[i][j] / table[found][j]
            table[i] = [x - factor * y for x, y in zip(table[i], table[found], strict=True)]
        found += 1
    return found


def determinant(matrix: Matrix) -> Fraction:
    if len(matrix) == 1:
        return matrix[0][0]
    minors = ([row[:j] + row[j + 1 :] for row in matrix[1:]] for j in range(len(matrix)))
    return sum(((-1) ** j * matrix[0][j] * determinant(minor) for j, minor in enumerate(minors)), Fraction(0))


def posterior_vertices(n: int, distances: Distances, alpha: Fraction):
    """The vertices of {p : Σp = 1, p ≥ 0, p_i ≥ α^d p_j}: all solutions of n − 1 tight constraints that
    satisfy the others.
    """
    rows = [[Fraction(int(k == i)) for k in range(n)] for i in range(n)]
    rows += [[Fraction(int(k == i)) - (alpha**d if k == j else 0) for k in range(n)] for i, j, d in ordered(distances)]
    found = set()
    for chosen in combinations(rows, n - 1):
        p = solved([[Fraction(1)] * n, *chosen], [1] + [0] * (n - 1))
        if p is not None and all(dot(row, p) >= 0 for row in rows):
            found.add(tuple(p))
    return sorted(found)


def kernel_count(n: int, distances: Distances, alpha: Fraction) -> int:
    """Sets of linearly independent vertices with positive weights that average to the uniform
    distribution.
    """
    vertices, count = posterior_vertices(n, distances, alpha), 0
    for size in range(1, n + 1):
        for chosen in combinations(vertices, size):
            if rank([list(p) for p in chosen]) == size and _averages(chosen, [Fraction(1, n)] * n):
                count += 1
    return count


def _averages(points, target) -> bool:
    """Whether the target is Σ w_k p_k with all w_k > 0, for independent points."""
    columns = [list(c) for c in zip(*points, strict=True)]
    size = len(points)
    for rows in combinations(range(len(target)), size):
        weights = solved([columns[i] for i in rows], [target[i] for i in rows])
        if weights is not None:
            return all(w > 0 for w in weights) and all(dot(column, weights) == t for column, t in zip(columns, target, strict=True))
    return False


def is_kernel_mechanism(m: Matrix, distances: Distances, alpha: Fraction) -> bool:
    n = len(m)
    columns = {tuple(x / sum(c) for x in c) for c in zip(*m, strict=True) if sum(c)}
    vertices = set(posterior_vertices(n, distances, alpha))
    return columns <= vertices and rank([list(c) for c in columns]) == len(columns)


def capacity(m: Matrix) -> Fraction:
    return sum(max(column) for column in zip(*m, strict=True))


def type_capacity(n: int, distances: Distances, alpha: Fraction) -> Fraction:
    """The largest Σ_y max_x of a private mechanism; n outputs suffice, output i being the one where row i is
    largest.
    """
    loss = [[-Fraction(int(i == g)) for g in range(n)] for i in range(n)]
    return -n * optimum(distances, alpha, loss, [Fraction(1, n)] * n, None)


# --- priors


def uncertainty(m: Matrix, loss: Matrix, prior) -> Fraction:
    return least_remapped(m, loss, prior, None)


def update(m: Matrix, q, p):
    """One step of the iterative Bayesian update."""
    mixed = [dot(p, column) for column in zip(*m, strict=True)]
    return [p[x] * sum(q[y] * m[x][y] / mixed[y] for y in range(len(q)) if q[y]) for x in range(len(p))]


def slope(m: Matrix, q, p) -> Fraction:
    """max_x Σ_y q_y m_xy/(pm)_y − 1."""
    mixed = [dot(p, column) for column in zip(*m, strict=True)]
    return max(sum(q[y] * m[x][y] / mixed[y] for y in range(len(q)) if q[y]) for x in range(len(p))) - 1
