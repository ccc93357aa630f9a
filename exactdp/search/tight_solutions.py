# SPDX-License-Identifier: MIT
"""Solutions z ≥ 0 of Φ·z = b, and of programs over the mixtures of a type's vertices (untrusted).

The first on the cells of an equitable partition: z, or Farkas' w with Φ·w ≥ 0 and Σ b_i w_i < 0. With B the
quotient of Φ and s the sizes of the cells, s_c B_cb = s_b B_bc. If B is non-singular there is one candidate z
= B⁻¹b, and at a negative entry z_c the row w = B⁻¹e_c serves: B·w = e_c ≥ 0 and Σ_b s_b b_b w_b = s_c z_c <
0. If B is singular an exact linear program decides. Everything found here is checked again by the question
that asked.

The mixtures of a privacy type's vertices are {w ≥ 0 : Σ_v w_v v = 1}; a mechanism with the columns w_v v. The
least loss of a Bayesian consumer after the best remap is Σ_v w_v min_g Σ_x π_x l(x,g) v_x. That is linear in
w, so the best mechanism for a prior, and one mechanism for several priors at once, are linear programs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exactdp.exact import ExactMatrix, Rational
from exactdp.lp.problem import Infeasible, LinearProgram, Optimal, Row
from exactdp.lp.solve import solve
from exactdp.lp.sparse import SparseLU
from exactdp.model.constraint_matrix import Cells
from exactdp.model.graph import Graph
from exactdp.model.level import PrivacyLevel
from exactdp.runtime.progress import Listener

WORTHWHILE = 60
"""From this many cells on a band is used."""


def nonnegative_solution(cells: Cells, level: PrivacyLevel, right: Sequence[Any], *, plain: bool = False) -> tuple[bool, list[Any]]:
    """(True, z) with B·z = b and z ≥ 0, or (False, w) with B·w ≥ 0 and Σ s_c b_c w_c < 0; all on cells.

    * ``cells``: on which ``right`` is constant.
    * ``level``: α.
    * ``right``: b, a value for each cell.
    * ``plain``: whether the linear program decides, also where the equations have one solution.
    """
    sizes = [len(cell) for cell in cells.members]
    if plain:
        return _by_program(cells.quotient(level), sizes, right)
    solver = _Solver(cells, level)
    if not solver.regular:
        return _by_program(solver.quotient, sizes, right)
    z = solver.solve(right)
    least = min(range(len(z)), key=lambda c: z[c])
    if z[least].sign() >= 0:
        return True, z
    one, zero = level.alpha.field.one, level.alpha.field.zero
    return False, solver.solve([one if c == least else zero for c in range(len(z))])


class _Solver:
    """B⁻¹ by a band if Φ is that of a band graph over ℚ, else densely."""

    def __init__(self, cells: Cells, level: PrivacyLevel) -> None:
        self.regular = True
        self.band = _Band.of(cells, level)
        if self.band is None:
            self.quotient = cells.quotient(level)
            self.matrix = ExactMatrix(self.quotient, level.alpha.field)
            self.regular = bool(self.matrix.det())

    def solve(self, right: Sequence[Any]) -> list[Any]:
        if self.band is not None:
            return self.band.solve(right)
        return list(self.matrix.solve(ExactMatrix([[x] for x in right], self.matrix.field)).column(0))


def _by_program(quotient: list[list[Any]], sizes: Sequence[int], right: Sequence[Any]) -> tuple[bool, list[Any]]:
    rows = [Row({b: x for b, x in enumerate(row) if x}, "==", r) for row, r in zip(quotient, right, strict=True)]
    answer = solve(LinearProgram(len(sizes), {}, rows), proposer=None)  # a few exact pivots: the cells of a small graph
    if isinstance(answer, Optimal):
        return True, list(answer.x)
    assert isinstance(answer, Infeasible)
    # Σ_c f_c B_cb ≤ 0 for all b, Σ f_c b_c > 0. With w_c = −f_c/s_c: (B·w)_b = −Σ_c f_c B_cb/s_b ≥ 0
    return False, [-f / s for f, s in zip(answer.farkas, sizes, strict=True)]


def band_width(graph: object) -> int | None:
    """The v ≥ 1 for which i ~ j exactly when 0 < |i − j| ≤ v < number of vertices − 1, or None.

    >>> from exactdp.model import neighbours
    >>> band_width(neighbours("sum:u=4,v=3")), band_width(neighbours("cycle:4"))
    (3, None)
    """
    if not isinstance(graph, Graph) or not graph.edges:
        return None
    n, v = len(graph.vertices), max(j - i for i, j in graph.edges)
    complete = len(graph.edges) == v * n - v * (v + 1) // 2
    return v if complete and v < n - 1 else None


def band_combination(i: int, n: int, v: int, alpha: Any) -> dict[int, Any]:
    """Row i of P, for which P·Φ is a band: on each residue class modulo v the tridiagonal K of the path."""
    beside = [j for j in (i - v, i + v) if 0 <= j < n]
    row = dict.fromkeys(beside, -alpha)
    row[i] = 1 + alpha * alpha if len(beside) == 2 else alpha.field.one
    return row


class _Band:
    """Φ of a band graph: α^⌈|i−j|/v⌉. P·Φ (see :func:`band_combination`) has no entry at |i − j| ≥ 2v."""

    def __init__(self, cells: Cells, level: PrivacyLevel, v: int) -> None:
        self.cells, self.alpha = cells, level.alpha
        n, m, colour = len(cells.colour), len(cells.members), cells.colour
        self.combinations = [band_combination(cell[0], n, v, self.alpha) for cell in cells.members]
        powers = cells.matrix.powers(level)
        rows = []
        for cell, combination in zip(cells.members, self.combinations, strict=True):
            row: dict[int, Any] = {}
            for h in range(max(0, cell[0] - 2 * v), min(n, cell[0] + 2 * v + 1)):
                x = sum((c * powers[cells.matrix.classes[j][h]] for j, c in combination.items()), powers[-1])
                if x:
                    row[colour[h]] = row[colour[h]] + x if colour[h] in row else x
            rows.append(row)
        self.factors = SparseLU.of_rows(rows, m)

    @classmethod
    def of(cls, cells: Cells, level: PrivacyLevel) -> _Band | None:
        v = band_width(cells.matrix.neighbours)
        if v is None or len(cells.members) < WORTHWHILE or not isinstance(level.alpha, Rational):
            return None
        band = cls(cells, level, v)
        return band if band.factors.rank == len(cells.members) else None

    def solve(self, right: Sequence[Any]) -> list[Any]:
        colour, zero = self.cells.colour, self.alpha.field.zero
        mixed = [sum((c * right[colour[j]] for j, c in row.items()), zero) for row in self.combinations]
        found = self.factors.solve({c: x for c, x in enumerate(mixed) if x})
        return [found.get(c, zero) for c in range(len(self.cells.members))]


Vectors = Sequence[Sequence[Any]]


def best_mixture(rays: Vectors, costs: Sequence[Any], *, progress: Listener | None = None) -> tuple[tuple[Any, ...], tuple[Any, ...], Any]:
    """The least Σ w_v cost_v: w, potentials y with Σ_x y_x v_x ≤ cost_v for every v, and the value Σ y."""
    answer = solve(LinearProgram(len(rays), dict(enumerate(costs)), _uniform_rows(rays)), progress=progress)
    assert isinstance(answer, Optimal)
    return answer.x, answer.y, answer.value


def common_mixture(
    rays: Vectors, costs: Sequence[Sequence[Any]], optima: Sequence[Any], *, progress: Listener | None = None
) -> tuple[tuple[Any, ...] | None, tuple[Any, ...], tuple[Any, ...]]:
    """Some w with Σ w_v cost_kv ≤ optimum_k for all k; or None, and y and z ≥ 0 that show there is none.

    Then Σ_x y_x v_x ≤ Σ_k z_k cost_kv for every v, and Σ y > Σ_k z_k optimum_k.
    """
    rows = _uniform_rows(rays)
    n = len(rows)
    rows += [Row({k: -c for k, c in enumerate(cost)}, ">=", -value) for cost, value in zip(costs, optima, strict=True)]
    answer = solve(LinearProgram(len(rays), {}, rows), progress=progress)
    if isinstance(answer, Infeasible):
        return None, answer.farkas[:n], answer.farkas[n:]
    assert isinstance(answer, Optimal)
    return answer.x, (), ()


def _uniform_rows(rays: Vectors) -> list[Row]:
    one = rays[0][0].field.one
    return [Row({k: ray[x] for k, ray in enumerate(rays)}, "==", one) for x in range(len(rays[0]))]
