# SPDX-License-Identifier: MIT
"""Vertices and kernel mechanisms: against brute force over subsets, lrs, and known numbers."""

from __future__ import annotations

import re
import shutil
import subprocess
from fractions import Fraction as F
from itertools import combinations, islice, pairwise, permutations, product
from math import factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.analysis.types.kernels import kernel_count, kernel_counts, kernel_mechanisms, kernel_on, vertex_count
from exactdp.analysis.types.vertices import posterior_polytope
from exactdp.errors import ResourceLimitError
from exactdp.exact import ExponentialField, RationalFunctionField
from exactdp.exact.intervals import Interval
from exactdp.lp.circuits import positive_circuits
from exactdp.model import Graph, Metric, PrivacyLevel, neighbours
from exactdp.model.graph import adjacency, automorphisms, components
from exactdp.model.level import level_for
from exactdp.runtime.budget import budget


def rank_and_kernel(rows):
    """Rank, and the null vector if the kernel has dimension one (plain Gauss elimination on fractions)."""
    rows, width = [[F(x) for x in row] for row in rows], len(rows[0])
    pivots = []
    for c in range(width):
        i = next((i for i in range(len(pivots), len(rows)) if rows[i][c]), None)
        if i is None:
            continue
        r = len(pivots)
        rows[r], rows[i] = rows[i], rows[r]
        rows[r] = [x / rows[r][c] for x in rows[r]]
        for k in range(len(rows)):
            if k != r and rows[k][c]:
                rows[k] = [x - rows[k][c] * y for x, y in zip(rows[k], rows[r], strict=True)]
        pivots.append(c)
    if len(pivots) != width - 1:
        return len(pivots), None
    free = next(c for c in range(width) if c not in pivots)
    return len(pivots), [F(1) if c == free else -rows[pivots.index(c)][free] for c in range(width)]


def brute_circuits(columns):
    """All minimal supports of positive dependencies, from the definition."""
    found = []
    for size in range(1, len(columns[0]) + 2):
        for chosen in combinations(range(len(columns)), size):
            matrix = [[columns[j][i] for j in chosen] for i in range(len(columns[0]))]
            _, null = rank_and_kernel(matrix)
            if null is not None and (all(x > 0 for x in null) or all(x < 0 for x in null)):
                found.append(chosen)
    return found


def brute_vertices(near, alpha):
    """Vertices of {δ ≥ 0, Σδ = 1, δ_i ≥ α^d δ_j} as meets of n − 1 tight constraints."""
    n = len(near.vertices)
    walls = []
    for i, j, d in near.pairs():
        a = F(alpha) ** int(str(d))
        walls += [[F(x == i) - a * F(x == j) for x in range(n)], [F(x == j) - a * F(x == i) for x in range(n)]]
    found = set()
    for chosen in combinations(walls, n - 1):
        _, null = rank_and_kernel([list(w) for w in chosen])
        if null is None or not sum(null):
            continue
        point = tuple(x / sum(null) for x in null)
        if all(x >= 0 for x in point) and all(sum(w * x for w, x in zip(wall, point, strict=True)) >= 0 for wall in walls):
            found.add(point)
    return found


def members(polytope, circuits):
    """All members of the orbits."""
    return {tuple(sorted(g[v] for v in c.support)) for c in circuits for g in polytope.symmetries}


SMALL = ["path:2", "path:3", "path:4", "complete:3", "complete:4", "cycle:4", "star:4", "grid:2x2"]


@pytest.mark.parametrize("spec", SMALL)
@pytest.mark.parametrize("alpha", ["1/2", "2/3"])
def test_vertices_are_those_of_the_definition(spec, alpha):
    near = neighbours(spec)
    polytope = posterior_polytope(near, alpha)
    ours = {tuple(F(str(x)) for x in polytope.vertex(k)) for k in range(len(polytope))}
    assert len(ours) == len(polytope)
    assert ours == brute_vertices(near, alpha)


@pytest.mark.parametrize("n", range(2, 9))
def test_vertex_counts_of_the_paper(n):
    assert vertex_count(neighbours(f"path:{n}"), "1/3").evidence.count == 2 ** (n - 1)
    assert vertex_count(neighbours(f"complete:{n}"), "1/3").evidence.count == 2**n - 2


@pytest.mark.slow
@pytest.mark.parametrize("spec", [*SMALL, "path:5"])
@pytest.mark.parametrize("alpha", ["1/2", "3/5"])
def test_kernels_are_the_minimal_supports(spec, alpha):
    polytope = posterior_polytope(neighbours(spec), alpha)
    columns = [[x - ray[-1] for x in ray[:-1]] for ray in polytope.rays]
    verdict = kernel_count(neighbours(spec), alpha)
    brute = brute_circuits([[F(str(x)) for x in c] for c in columns])
    assert members(polytope, verdict.evidence.classes) == set(brute)
    assert verdict.evidence.count == len(brute)


def test_vertices_of_cubes_are_the_height_functions():
    """Homomorphisms of the d-cube to ℤ with one value fixed: 2, 6, 38, 990 (known numbers)."""
    for d, count in ((1, 2), (2, 6), (3, 38), (4, 990)):
        assert vertex_count(neighbours(f"hypercube:{d}"), "1/2").evidence.count == count


def test_kernels_of_the_discrete_metric_are_minimal_balanced_collections():
    """Known numbers of game theory (Peleg 1965; minus the collection of the whole set alone)."""
    for n, count in ((2, 1), (3, 5), (4, 41), (5, 1291)):
        for alpha in ("1/10", "3/4"):
            assert kernel_count(neighbours(f"complete:{n}"), alpha, keep=False).evidence.count == count


def lrs_count(rays):
    """Vertices of {w ≥ 0 : Σ w_v v = 1} by lrs."""
    n, size = len(rays[0]), len(rays)
    rows = [["-1", *(str(v[x]) for v in rays)] for x in range(n)]
    rows += [["0", *("1" if j == k else "0" for j in range(size))] for k in range(size)]
    linear = " ".join(str(i + 1) for i in range(n))
    lines = ["t", "H-representation", f"linearity {n} {linear}", "begin", f"{len(rows)} {size + 1} rational", *map(" ".join, rows), "end"]
    out = subprocess.run(["lrs"], input="\n".join(lines) + "\n", capture_output=True, text=True, check=False, timeout=60).stdout
    return len({line for line in out.splitlines() if line.startswith(" 1 ")})


@pytest.mark.skipif(shutil.which("lrs") is None, reason="lrs is not installed")
@pytest.mark.parametrize(
    ("spec", "alpha"), [("path:5", "1/3"), ("path:5", "1/2"), ("complete:5", "1/2"), ("hypercube:2", "2/3"), ("grid:2x3", "1/2")]
)
def test_kernel_counts_agree_with_lrs(spec, alpha):
    assert kernel_count(neighbours(spec), alpha, keep=False).evidence.count == lrs_count(posterior_polytope(neighbours(spec), alpha).rays)


@settings(max_examples=60)
@given(st.integers(1, 3).flatmap(lambda d: st.lists(st.lists(st.integers(-2, 2), min_size=d, max_size=d), min_size=1, max_size=9)))
def test_positive_circuits_of_random_vectors(columns):
    """Zero columns, parallel and opposite columns, low rank: every degeneracy."""
    expected = sorted(brute_circuits(columns))
    found = list(positive_circuits(columns))
    assert sorted(c.support for c in found) == expected
    assert all(c.size == 1 for c in found)
    used = {j for c in expected for j in c}
    if len(used) == len(columns) and expected:
        assert sorted(c.support for c in positive_circuits(columns, spanning=True)) == expected


def test_positive_circuits_modulo_a_group():
    square = [[1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]]
    moves = []
    for signs in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        for order in ((0, 1), (1, 0)):
            moves.append(tuple(square.index([s * c[k] for s, k in zip(signs, order, strict=True)]) for c in square))
    whole = {c.support for c in positive_circuits(square)}
    classes = list(positive_circuits(square, moves, spanning=True))
    assert sum(c.size for c in classes) == len(whole)
    assert {tuple(sorted(g[v] for v in c.support)) for c in classes for g in moves} == whole


@pytest.mark.parametrize("spec", ["path:4", "cycle:5", "star:4", "complete:4", "grid:2x3", "hypercube:3"])
def test_automorphisms_are_those_of_the_definition(spec):
    near = neighbours(spec)
    n = len(near.vertices)
    if n > 6:
        assert len(automorphisms(near)) == 48
        return
    edges = {(i, j) for i, j, _ in near.pairs()}
    expected = [p for p in permutations(range(n)) if {(min(p[i], p[j]), max(p[i], p[j])) for i, j in edges} == edges]
    assert list(automorphisms(near)) == expected


@pytest.mark.slow
def test_every_kernel_is_private_stochastic_and_independent():
    near = neighbours("cycle:5")
    for kernel in kernel_mechanisms(near, "1/3"):
        rows = [[F(str(x)) for x in row] for row in kernel.mechanism.rows()]
        assert all(sum(row) == 1 for row in rows)
        assert all(rows[i][y] >= F(1, 3) * rows[j][y] for i, j in [(a, b) for a, b, _ in near.pairs()] for y in range(len(rows[0])))
        rank, _ = rank_and_kernel([list(column) for column in zip(*rows, strict=True)])
        assert rank == len(kernel.support)
        assert sum(F(str(p)) for p in kernel.outer) == 1


def test_a_set_that_is_no_kernel_is_refused():
    polytope = posterior_polytope(neighbours("path:4"), "1/2")
    with pytest.raises(ValueError, match="not the posteriors"):
        kernel_on(polytope, (0, 1))


def test_other_fields():
    """A symbolic level on an interval without breakpoints, and e^(−ε)."""
    a = RationalFunctionField(Interval("2/5", "9/20")).gen
    symbolic = kernel_count(neighbours("path:4"), a, keep=False).evidence.count
    assert symbolic == kernel_count(neighbours("path:4"), "17/40", keep=False).evidence.count
    t = ExponentialField("1/2").gen
    assert kernel_count(neighbours("complete:4"), t, keep=False).evidence.count == 41
    assert (
        kernel_count(neighbours("path:4"), t, keep=False).evidence.count
        == kernel_count(neighbours("path:4"), "3/5", keep=False).evidence.count
    )


class Enough(Exception):
    """Raised by a listener to stop."""


def test_the_listener_hears_from_inside_a_degenerate_orbit():
    """The first expansions on a grid take long: the listener is told of every few edges, and may stop the
    search there.
    """
    told = []

    def listen(event):
        if event.unit == "circuits":
            expanded, _, edges = map(int, re.findall(r"\d+", event.detail))
            told.append((expanded, edges))
            if edges > 1000:
                raise Enough

    found = kernel_mechanisms(neighbours("grid:3x3"), "1/2", progress=listen)
    with pytest.raises(Enough):
        list(found)
    assert max(b - a for (_, a), (_, b) in pairwise(told)) <= 64
    assert any(a == b == 1 for (a, _), (b, _) in pairwise(told))


def test_a_stopped_count_is_a_lower_bound():
    """Stopped after a while, the classes found so far are counted; nothing is claimed about the others.

    A listener stops it, as a time limit would: by an error where it is told of progress.
    """

    def listen(event):
        if event.unit == "circuits" and event.done > 60:
            raise ResourceLimitError("enough", reason="enough")

    verdict = kernel_count(neighbours("grid:3x3"), "1/2", progress=listen)
    assert not verdict.proved
    assert not verdict.refuted
    assert verdict.evidence.complete == "no"
    assert verdict.evidence.count == sum(circuit.size for circuit in verdict.evidence.classes) > 0
    assert f"at least {verdict.evidence.count} kernel mechanisms" in verdict.claim


def test_more_sets_than_the_budget_has_steps_are_not_gone_through(monkeypatch):
    """C(64, 7)/2 sets; with budget 4, or within a time limit, the search goes on."""
    monkeypatch.setattr("exactdp.analysis.types.kernels.FIRST_CLASSES", 20)
    near, told = neighbours("path:7"), []

    def listen(event):
        told.append(str(event))
        if event.unit == "circuits" and event.done > 60:
            raise ResourceLimitError("enough", reason="enough")

    verdict = kernel_count(near, "1/2", progress=listen)
    found = verdict.evidence
    assert not verdict.proved
    assert not verdict.refuted
    assert found.complete == "no"
    assert len(found.classes) == len({c.support for c in found.classes}) == 20
    assert sum(c.size for c in found.classes) == found.count == sum(found.by_size.values())
    assert all(is_stochastic(kernel.mechanism) for kernel in found.kernels())  # each is a kernel mechanism
    sets = factorial(64) // factorial(7) // factorial(57)
    assert f"{sets:,} sets of 7 of the 64 vertices" in verdict.claim
    assert f"{sets // 2:,} steps" in verdict.claim
    assert "--budget 4" in verdict.claim
    assert any(f"{sets:,} sets" in text for text in told)
    with budget(4):
        assert len(kernel_count(near, "1/2", progress=listen).evidence.classes) > 20
    assert len(kernel_count(near, "1/2", progress=listen, time_limit=60).evidence.classes) > 20


def is_stochastic(mechanism):
    return all(sum(map(F, map(str, row))) == 1 for row in mechanism.rows())


def test_six_points_of_the_plane_are_answered():
    """Numbers of hundreds of digits: a rounded proposal finds the first circuit, and each found is one."""
    near = neighbours("euclid:2x3")
    polytope = posterior_polytope(near, level_for(near, 1))
    first = list(islice(kernel_mechanisms(near, polytope.level), 12))
    assert len({kernel.support for kernel in first}) == 12
    for kernel in first:
        rows = [[float(x) for x in row] for row in kernel.mechanism.rows()]
        assert all(abs(sum(row) - 1) < 1e-9 and min(row) > 0 for row in rows)


def test_stopped_counts_for_all_levels_are_those_of_the_first_levels():
    whole = kernel_counts(neighbours("path:5")).evidence.pieces

    def stop(event):
        if (event.phase, event.done, event.total) == ("pieces", 4, 9):
            raise ResourceLimitError("enough", reason="enough")

    verdict = kernel_counts(neighbours("path:5"), progress=stop)
    assert not verdict.proved
    assert not verdict.refuted
    assert verdict.evidence.pieces[:] == whole[:4]
    assert "found so far: 195 on (0, 1/2); 187 at a = 1/2; " in verdict.claim


def test_metrics_with_unequal_distances():
    metric = Metric(["a", "b", "c"], [(0, 1, 1), (1, 2, 2), (0, 2, 3)])
    polytope = posterior_polytope(metric, "1/2")
    assert {tuple(F(str(x)) for x in polytope.vertex(k)) for k in range(len(polytope))} == brute_vertices(metric, "1/2")
    half = Metric(["a", "b", "c"], [(0, 1, "1/2"), (1, 2, "1/2"), (0, 2, 1)])
    assert len(posterior_polytope(half, "1/4")) == len(posterior_polytope(Graph.path(3), "1/2")) == 4


def test_a_euclidean_grid_over_exponentials():
    near = neighbours("euclid:2x2")
    level = PrivacyLevel.from_epsilon("1/2", roots=(1, 2))
    polytope = posterior_polytope(near, level)
    assert polytope.heights is None
    assert len(polytope.automorphisms) == 8
    for k in range(len(polytope)):
        ray = polytope.rays[k]
        tight = {(i, j) for i, j, d in near.pairs() if ray[i] == level.power(d) * ray[j] or ray[j] == level.power(d) * ray[i]}
        reached = {0}
        for _ in ray:
            reached |= {x for pair in tight if reached & set(pair) for x in pair}
        assert reached == set(range(4))


def test_disconnected_inputs():
    near = Graph(range(4), [(0, 1), (2, 3)])
    polytope = posterior_polytope(near, "1/2")
    assert len(polytope) == 4
    assert kernel_count(near, "1/2").evidence.count == 1


@pytest.mark.parametrize("spec", ["path:4", "complete:3", "star:4", "cycle:4", "euclid:1x3", "two components"])
def test_exponentials_as_by_elimination_over_their_field(spec):
    """The circuits found at a rational point are those that elimination over ℚ(e^(−1), …) finds."""
    near = Graph(range(3), [(0, 1)]) if spec == "two components" else neighbours(spec)
    polytope = posterior_polytope(near, level_for(near, 1))
    columns = [[x - ray[-1] for x in ray[:-1]] for ray in polytope.rays]
    known = sorted((c.support, c.size) for c in positive_circuits(columns, polytope.symmetries, field=polytope.field))
    found = kernel_count(near, polytope.level).evidence
    assert sorted((c.support, c.size) for c in found.classes) == known
    assert found.count == sum(size for _, size in known)


def test_three_generators_agree_with_all_subsets():
    """A triangle with sides 1, √2, √5 has three generators; all subsets of its vertices, by determinants."""
    near = Metric(range(3), [(0, 1, "1"), (1, 2, "sqrt(2)"), (0, 2, "sqrt(5)")])
    polytope = posterior_polytope(near, level_for(near, 1))
    a = [[float(x) for x in ray] for ray in polytope.rays]
    count = 0
    for i, j in combinations(range(len(a)), 2):  # (1, 1, 1) between two rays
        (p, q, r), (x, y, z) = a[i], a[j]
        count += abs((q - r) * (x - y) - (p - q) * (y - z)) < 1e-12 and (p - q) * (x - y) <= 0 and (q - r) * (y - z) <= 0
    for chosen in combinations(a, 3):
        m = [[ray[k] - ray[2] for k in range(2)] for ray in chosen]
        minors = [m[i][0] * m[j][1] - m[i][1] * m[j][0] for i, j in ((1, 2), (2, 0), (0, 1))]
        count += all(x > 1e-12 for x in minors) or all(x < -1e-12 for x in minors)
    assert kernel_count(near, polytope.level).evidence.count == count


@pytest.mark.parametrize("near_bits", [1, 2, 6])
def test_a_poor_point_is_replaced(monkeypatch, near_bits):
    """What a point with few bits shows is true or refused; a better one finds the rest, once."""
    near = neighbours("euclid:2x2")
    monkeypatch.setattr("exactdp.analysis.types.kernels.NEAR", near_bits)
    found = kernel_count(near, level_for(near, 1)).evidence
    assert found.count == 395 == sum(c.size for c in found.classes)
    assert len({c.support for c in found.classes}) == len(found.classes) == 65


@pytest.mark.parametrize("spec", ["euclid:2x2", "euclid:1x3", "three sides", "two components"])
def test_vertices_over_exponentials_by_their_tight_pairs(spec):
    """By exponents or by numbers: every ray is valid, its tight pairs connect it, and none is missing."""
    by_hand = {
        "three sides": Metric(range(3), [(0, 1, "1"), (1, 2, "sqrt(2)"), (0, 2, "sqrt(5)")]),
        "two components": Metric(range(4), [(0, 1, "sqrt(2)"), (2, 3, "1/2")]),
    }
    near = by_hand.get(spec) or neighbours(spec)
    level = level_for(near, 1)
    rays = set(posterior_polytope(near, level).rays)
    power = {(i, j): level.power(d) for a, b, d in near.pairs() for i, j in ((a, b), (b, a))}
    expected = set()
    for part in components(adjacency(len(near.vertices), [(i, j) for i, j, _ in near.pairs()])):
        for tree in combinations([pair for pair in combinations(part, 2) if pair in power], len(part) - 1):
            if len(components(adjacency(len(near.vertices), tree))) != len(near.vertices) - len(part) + 1:
                continue
            for directions in product((0, 1), repeat=len(tree)):
                x = {part[0]: level.field.one}
                while len(x) < len(part):
                    for (i, j), way in zip(tree, directions, strict=True):
                        p = power[i, j] if way else 1 / power[i, j]
                        if i in x and j not in x:
                            x[j] = x[i] * p
                        elif j in x and i not in x:
                            x[i] = x[j] / p
                if all(x[i] >= p * x[j] for (i, j), p in power.items() if i in x):
                    most = max(x.values())
                    expected.add(tuple(x[i] / most if i in x else level.field.zero for i in range(len(near.vertices))))
    assert rays == expected
