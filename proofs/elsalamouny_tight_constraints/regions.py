# SPDX-License-Identifier: MIT
"""Section 3: regular priors and their region."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise, permutations, product
from typing import Any

from exactdp.analysis.arguments import as_level
from exactdp.analysis.tight.regular_priors import corner_prior, is_regular
from exactdp.analysis.tight.tight_levels import regular_levels
from exactdp.errors import LabelError
from exactdp.exact import Rational
from exactdp.model import LevelLike, Neighbours, Prior, PrivacyLevel
from exactdp.model.constraint_matrix import ConstraintMatrix
from exactdp.model.metric import Distance
from exactdp.model.neighbours import databases, query_graph
from proofs.elsalamouny_tight_constraints.common import GRAPHS, LEVELS, corners, graph, halves, instances, priors
from proofs.record import Finding, Printed, Status, finding


def phi_matrix(printed: Printed) -> Finding:
    """Φ is symmetric, and its entries off the diagonal are at most α, so Φ → I as α → 0."""
    right = True
    for _, alpha, matrix in instances():
        n = matrix.shape[0]
        right = right and matrix == matrix.T and all(matrix[i, i] == 1 for i in range(n))
        right = right and all(matrix[i, j] <= alpha.alpha for i, j in permutations(range(n), 2))
        right = right and all(matrix[i, j] * matrix[j, k] <= matrix[i, k] for i, j, k in product(range(n), repeat=3))
    return finding(right, "symmetric, ones on the diagonal, at most α elsewhere, φ_ij φ_jk ≤ φ_ik on everything tried")


def phi_entries(printed: Printed) -> Finding:
    """Φ from the lengths of shortest walks, found by powers of the adjacency."""
    right = True
    for near, alpha, matrix in instances(levels=LEVELS[1:4]):
        n = matrix.shape[0]
        steps = {i: {i} for i in range(n)}
        for i, j in near.edges:
            steps[i].add(j)
            steps[j].add(i)
        reached = {(i, i): 0 for i in range(n)}
        for length in range(1, n):
            for i, j in [pair for pair, last in reached.items() if last == length - 1]:
                for k in steps[j]:
                    reached.setdefault((i, k), length)
        power = [Rational(1)]
        for _ in range(n):
            power.append(power[-1] * alpha.alpha)
        right = right and all(matrix[i, j] == (power[reached[i, j]] if (i, j) in reached else 0) for i, j in product(range(n), repeat=2))
    return finding(right, "α to the length of a shortest walk, on everything tried", status=Status.DEFINITION)


def regular_prior(printed: Printed) -> Finding:
    """Both answers of the definition, with certificates."""
    line = graph("path:3")
    yes = is_regular(line, "1/5", Prior(["2/5", "1/5", "2/5"], line.vertices))
    no = is_regular(line, "1/2", Prior(["2/5", "1/5", "2/5"], line.vertices))
    status = Status.DEFINITION if yes.proved and no.refuted else Status.REFUTED
    return Finding(status, "(2/5, 1/5, 2/5) on a line of three: regular at α = 1/5, not at 1/2", {"regular": yes, "not-regular": no})


def ratio_violations(neighbours: Neighbours, level: LevelLike, prior: Prior) -> Iterator[tuple[int, int, Distance]]:
    """The pairs with π_i > α^(−d(i,j)) π_j, which no regular prior has [Proposition 2].

    >>> from exactdp.model import neighbours
    >>> [(i, j) for i, j, _ in ratio_violations(neighbours("path:2"), "1/2", Prior(["4/5", "1/5"]))]
    [(0, 1)]
    """
    alpha, matrix = as_level(level), ConstraintMatrix.of(neighbours)
    prior = prior.aligned(neighbours.vertices)
    for i, row in enumerate(matrix.classes):
        for j, k in enumerate(row):
            distance = matrix.distances[k] if k >= 0 else None
            if distance is not None and not alpha.at_least(prior.weights[j], prior.weights[i], distance):
                yield i, j, distance


def regular_bounds(neighbours: Neighbours, level: LevelLike) -> tuple[tuple[Any, Any], ...]:
    """For each input the bounds 1/Σ_j α^(−d(i,j)) ≤ π_i ≤ 1/Σ_j α^d(i,j) of regular priors [Proposition 3].

    The distances must be finite.

    >>> from exactdp.model import neighbours
    >>> [tuple(map(str, pair)) for pair in regular_bounds(neighbours("path:2"), "1/2")]
    [('1/3', '2/3'), ('1/3', '2/3')]
    """
    alpha = as_level(level)
    matrix = ConstraintMatrix.of(neighbours)
    powers = matrix.powers(alpha)
    if any(k < 0 for row in matrix.classes for k in row):
        raise LabelError("some distance is infinite: there is no lower bound", expected="a connected graph", got=str(neighbours))
    inverse = [1 / p for p in powers[:-1]]
    return tuple((1 / sum((inverse[k] for k in row), powers[-1]), 1 / sum((powers[k] for k in row), powers[-1])) for row in matrix.classes)


def proposition_2(printed: Printed) -> Finding:
    """No regular prior tried breaks π_i ≤ α^(−d(i,j)) π_j."""
    right = not any(any(ratio_violations(near, alpha, prior)) for near, alpha, _ in instances() for prior, _ in priors(near, alpha))
    return finding(right, "holds for corners and mixtures of corners on every graph and level tried")


def converse(printed: Printed) -> Finding:
    """A prior with all ratios within the bound that is not regular."""
    line = graph("path:3")
    prior = Prior(["2/5", "1/5", "2/5"], line.vertices)
    bounded = next(ratio_violations(line, "1/2", prior), None) is None
    answer = is_regular(line, "1/2", prior)
    detail = "(2/5, 1/5, 2/5) on a line of three at α = 1/2 keeps every ratio within the bound and is not regular"
    return finding(bounded and answer.refuted, detail, {"not-regular": answer}, status=Status.CERTIFIED)


def proposition_3(printed: Printed) -> Finding:
    """The bounds of each entry, on everything tried."""
    right = True
    for near, alpha, _ in instances():
        bounds = regular_bounds(near, alpha)
        for prior, _ in priors(near, alpha):
            right = right and all(low <= x <= high and x.sign() > 0 for x, (low, high) in zip(prior.weights, bounds, strict=True))
    return finding(right, "the bounds and full support hold for everything tried")


def corner_priors(printed: Printed) -> Finding:
    """Each corner is regular with y = e_i/Σφ, and its i-th entry is the upper bound of Proposition 3."""
    right = True
    for near, alpha, _ in instances(levels=LEVELS[1:4]):
        for i, (_, most) in enumerate(regular_bounds(near, alpha)):
            prior = corner_prior(near, alpha, i)
            right = right and is_regular(near, alpha, prior).proved and prior.weights[i] == most
    return finding(right, "corners are regular and attain the bound on everything tried")


def corner_rows(printed: Printed) -> Finding:
    """Each corner times the sum of its row is the row of Φ."""
    right = True
    for near, alpha, matrix in instances(levels=LEVELS[1:4]):
        for row, corner in zip(matrix.rows(), corners(near, alpha), strict=True):
            total = sum(row, Rational(0))
            right = right and [total * c for c in corner.weights] == list(row)
    return finding(right, "the rows of Φ divided by their sums, on everything tried", status=Status.DEFINITION)


def proposition_4(printed: Printed) -> Finding:
    """γ_i = y_i Σ_k φ_ik are coordinates among the corners: γ ≥ 0, Σ γ = 1, π = Σ γ_i c^i."""
    right = True
    for near, alpha, _ in instances(GRAPHS[:5], LEVELS[1:4]):
        found = [corner.weights for corner in corners(near, alpha)]
        for prior, _ in priors(near, alpha):
            gamma = is_regular(near, alpha, prior).evidence.coordinates
            if gamma is None:
                right = False
                continue
            again = [sum((g * c[k] for g, c in zip(gamma, found, strict=True)), Rational(0)) for k in range(len(found))]
            right = right and sum(gamma, Rational(0)) == 1 and tuple(again) == prior.weights and min(gamma).sign() >= 0
    return finding(right, "π = Σ γ_i c^i with γ ≥ 0 and Σ γ = 1 on everything tried")


def example_1(printed: Printed) -> Finding:
    """The three corners of the simplex: one is printed twice, one not at all."""
    corners = ((0, 0, 1), (0, 1, 0), (0, 0, 1))
    small = Rational("1/1000000")
    line, ring = graph("path:3"), graph("complete:3")
    near = all(corner_prior(g, small, i).weights[i] > 1 - 4 * small for g in (line, ring) for i in range(3))
    uniform = Prior.uniform(ring.vertices)
    everywhere = regular_levels(ring, uniform)
    regular = all(any(part.contains(Rational(a)) for part in everywhere.evidence.intervals) for a in (*LEVELS, small))
    wrong = regular and not any(corner[0] for corner in corners) and uniform.weights[0].sign() > 0
    detail = (
        "mixtures of the printed set {(0,0,1),(0,1,0),(0,0,1)} have a first entry 0; the uniform prior on the triangle is regular at "
        "every level, and the corner priors tend to all three unit vectors"
    )
    return Finding(Status.REFUTED if wrong and near else Status.HOLDS, detail, {"uniform-on-the-triangle": everywhere})


def three_answers(printed: Printed) -> Finding:
    """Of the eight graphs on three vertices four are connected: three paths and the triangle."""
    pairs = [(0, 1), (0, 2), (1, 2)]
    shapes = [sorted(sum(v in edge for edge in edges) for v in range(3)) for size in range(4) for edges in combinations(pairs, size)]
    connected = [degrees for degrees in shapes if min(degrees) > 0]  # no vertex alone: on three vertices that is enough
    sequence = query_graph(sum, (0, 1), 2) == graph("path:3")
    cycle = query_graph(lambda v: sum(v) % 3, (0, 1), 3).edges == graph("complete:3").edges
    right = connected == [[1, 1, 2]] * 3 + [[2, 2, 2]] and sequence and cycle
    return finding(right, "three paths and a triangle; a count on two bits has the path, a count modulo 3 on three bits the triangle")


def example_1_nested(printed: Printed) -> Finding:
    """The corners at 1/2 are regular at 1/5; a corner at 1/5 is not regular at 1/2."""
    line, ring = graph("path:3"), graph("complete:3")
    inside = all(is_regular(g, "1/5", corner_prior(g, "1/2", i)).proved for g in (line, ring) for i in range(3))
    outside = all(is_regular(g, "1/2", corner_prior(g, "1/5", i)).refuted for g in (line, ring) for i in range(3))
    verdicts = {
        "corner-at-1-5": is_regular(line, "1/5", corner_prior(line, "1/2", 1)),
        "corner-not-at-1-2": is_regular(line, "1/2", corner_prior(line, "1/5", 1)),
    }
    return finding(inside and outside, "line and triangle: the corners at 1/2 are regular at 1/5, those at 1/5 not at 1/2", verdicts)


def example_2(printed: Printed) -> Finding:
    """One record at most, two properties: four answers, all adjacent; here the region grows as α falls."""
    records = [None, *databases((0, 1), 2)]
    near = query_graph(lambda v: (0, 0) if v[0] is None else v[0], records, 1)
    complete = graph("complete:4")
    grows = all(
        regular_levels(complete, Prior(corner_prior(complete, a, 0).weights, complete.vertices)).evidence.intervals[0].contains(Rational(a))
        for a in LEVELS
    )
    larger = all(is_regular(complete, b, corner_prior(complete, a, 0)).refuted for a, b in pairwise(LEVELS))
    right = near.edges == complete.edges and len(near.vertices) == 4 and grows and larger
    return finding(right, "the four answers are pairwise adjacent; each corner tried stays regular below its level, and at no larger one")


def nesting(printed: Printed) -> Finding:
    """A corner prior at 3/4 that is not regular at 7/10: the region does not always grow with ε."""
    near = graph("star:4")
    prior = corner_prior(near, "3/4", 1)
    at, below, all_levels = is_regular(near, "3/4", prior), is_regular(near, "7/10", prior), regular_levels(near, prior)
    wrong = at.proved and below.refuted
    intervals = " ∪ ".join(map(str, all_levels.evidence.intervals))
    detail = f"star of four, corner prior of a leaf at α = 3/4: regular exactly at the levels in {intervals}"
    verdicts = {"corner-at-3-4": at, "corner-at-7-10": below, "corner-levels": all_levels}
    return Finding(Status.REFUTED if wrong else Status.HOLDS, detail, verdicts)


def limit(printed: Printed) -> Finding:
    """The mixture of corners with the weights of a prior is regular, and within nα of it."""
    right = True
    for near, alpha, _ in instances(GRAPHS[:6], LEVELS[:3]):
        n = len(near.vertices)
        found = [corner.weights for corner in corners(near, alpha)]
        for weights in ([Rational(int(i == 0)) for i in range(n)], [Rational(2 * i + 1, n * n) for i in range(n)]):
            close = [sum((w * c[k] for w, c in zip(weights, found, strict=True)), Rational(0)) for k in range(n)]
            right = right and is_regular(near, alpha, Prior(close, near.vertices)).proved
            right = right and all(abs(x - w) <= n * alpha.alpha for x, w in zip(close, weights, strict=True))
        if (2 * n - 1) * alpha.alpha <= 1:
            least = alpha.alpha / (1 - (n - 1) * alpha.alpha)  # α(1 + (n−1)m) = m
            skewed = Prior([least] * (n - 1) + [1 - (n - 1) * least], near.vertices)
            right = right and is_regular(near, alpha, skewed).proved
    return finding(right, "a regular prior within nα of every prior tried; priors with entries that are large enough are regular")


def introduction(printed: Printed) -> Finding:
    """Ratios of adjacent answers within the bound, and not regular; a corner's ratios are e^(εd)."""
    line = graph("path:3")
    prior = Prior(["2/5", "1/5", "2/5"], line.vertices)
    p, alpha = prior.weights, Rational("1/2")
    bounded = all(alpha * p[i] <= p[j] and alpha * p[j] <= p[i] for i, j in line.edges)
    answer = is_regular(line, alpha, prior)
    corner = corner_prior(line, alpha, 0).weights
    far = [corner[0] / corner[k] for k in range(3)] == [1, 2, 4]
    detail = (
        "(2/5, 1/5, 2/5) on a line of three at α = 1/2 has ratios 2 = e^ε of adjacent answers and is not regular; "
        "a corner prior has 1 : 1/2 : 1/4"
    )
    return finding(bounded and answer.refuted and far, detail, {"not-regular": answer}, status=Status.IMPRECISE)


def vertices(printed: Printed) -> Finding:
    """The i-th corner alone has the largest i-th entry among all priors tried."""
    right = True
    for near, alpha, _ in instances(levels=LEVELS[1:4]):
        found = [corner.weights for corner in corners(near, alpha)]
        tried = {prior.weights for prior, _ in priors(near, alpha)}
        for i, corner in enumerate(found):
            right = right and all(p == corner or p[i] < corner[i] for p in tried) and corner in tried
        right = right and len(set(found)) == len(found)
    return finding(right, "each corner alone has the largest entry of its answer, on everything tried")


def polytope(printed: Printed) -> Finding:
    """Mixtures of corners are regular priors; coordinates of regular priors add up to 1."""
    right = True
    for near, alpha, _ in instances(GRAPHS[:5], LEVELS[1:4]):
        found = [corner.weights for corner in corners(near, alpha)]
        n = len(found)
        for gamma in ([Rational(2 * i + 1, n * n) for i in range(n)], [Rational(int(i < 2), 2) for i in range(n)]):
            mixed = Prior([sum((g * c[k] for g, c in zip(gamma, found, strict=True)), Rational(0)) for k in range(n)], near.vertices)
            coordinates = is_regular(near, alpha, mixed).evidence.coordinates
            right = right and coordinates is not None and sum(coordinates, Rational(0)) == 1
    return finding(right, "mixtures of corners are regular, with coordinates that add up to 1, on everything tried")


def coordinates(printed: Printed) -> Finding:
    """0 ≤ γ_i ≤ 1; a coordinate is 1 for the corner alone, also where Φ is singular."""
    right = True
    cases = [(near, alpha) for near, alpha, _ in instances(GRAPHS[:5], LEVELS[1:4])]
    for near, alpha in (*cases, (halves(), PrivacyLevel("1/3"))):
        found = [corner.weights for corner in corners(near, alpha)]
        for prior, _ in priors(near, alpha):
            gamma = is_regular(near, alpha, prior).evidence.coordinates
            right = right and gamma is not None and all(0 <= g <= 1 for g in gamma)
            right = right and all((g == 1) == (prior.weights == c) for g, c in zip(gamma or (), found, strict=True))
    return finding(right, "0 ≤ γ_i ≤ 1, and γ_i = 1 exactly for the corner c^i, on everything tried")
