# SPDX-License-Identifier: MIT
"""Symmetric graphs and Euclidean grids as somebody writes them in an hour, with HiGHS, numpy or python-flint.

``python benchmarks/people/symmetric.py FOLDER`` makes the tables of symmetric.toml there. With the name of a
baseline after it, it runs that one and prints its number.
"""

from __future__ import annotations

import itertools
import math
import sys
from pathlib import Path

TABLES = (("planar10.csv", 10, 12), ("planar20.csv", 20, 15))
"""Name, side and places of the tables of planar noise: e^(−d/2) over the sum of its row, in decimals."""


def points(side: int) -> list[tuple[int, int]]:
    """The points of a square grid."""
    return list(itertools.product(range(side), repeat=2))


def tables(folder: Path) -> None:
    """Planar noise whose rows sum to 1 exactly."""
    for name, side, places in TABLES:
        lines = []
        for i in points(side):
            weights = [math.exp(-math.dist(i, r) / 2) for r in points(side)]
            row = [round(w / sum(weights) * 10**places) for w in weights]
            row[row.index(max(row))] += 10**places - sum(row)
            lines.append(",".join(f"0.{x:0{places}d}" for x in row))
        (folder / name).write_text("\n".join(lines) + "\n")


def optimum(distances: dict[tuple[int, int], float], size: int) -> float:
    """The least zero-one loss of the worst input at ε = 1: the program of all entries (HiGHS, doubles)."""
    import highspy
    import numpy

    alpha, entries = math.exp(-1), size * size
    starts, columns, values, lower, upper = [0], [], [], [], []

    def add(terms: list[tuple[int, float]], low: float, high: float) -> None:
        columns.extend(j for j, _ in terms)
        values.extend(x for _, x in terms)
        starts.append(len(columns))
        lower.append(low)
        upper.append(high)

    for i in range(size):
        add([(i * size + r, 1.0) for r in range(size)], 1, 1)
        add([(entries, 1.0), *((i * size + r, -1.0) for r in range(size) if r != i)], 0, highspy.kHighsInf)
    for (i, j), d in distances.items():
        for r in range(size):
            for low, high in ((i, j), (j, i)):
                add([(low * size + r, 1.0), (high * size + r, -(alpha**d))], 0, highspy.kHighsInf)
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = entries + 1, len(lower)
    lp.col_cost_ = numpy.append(numpy.zeros(entries), 1.0)
    lp.col_lower_, lp.col_upper_ = numpy.zeros(entries + 1), numpy.full(entries + 1, highspy.kHighsInf)
    lp.row_lower_, lp.row_upper_ = numpy.array(lower), numpy.array(upper)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_, lp.a_matrix_.index_, lp.a_matrix_.value_ = map(numpy.array, (starts, columns, values))
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.passModel(lp)
    solver.run()
    return float(solver.getInfo().objective_function_value)


def cycle(folder: Path) -> float:
    """A cycle of 40."""
    return optimum({(i, i + 1): 1.0 for i in range(39)} | {(0, 39): 1.0}, 40)


def hypercube(folder: Path) -> float:
    """Six bits."""
    return optimum({(i, i | 1 << b): 1.0 for i in range(64) for b in range(6) if not i >> b & 1}, 64)


def grid(folder: Path) -> float:
    """A grid of 10×10."""
    near = points(10)
    pairs = ((i, j) for i, j in itertools.combinations(range(100), 2) if math.dist(near[i], near[j]) == 1)
    return optimum(dict.fromkeys(pairs, 1.0), 100)


def euclidean(folder: Path) -> float:
    """A Euclidean grid of 4×4."""
    near = points(4)
    return optimum({(i, j): math.dist(near[i], near[j]) for i, j in itertools.combinations(range(16), 2)}, 16)


def planar10(folder: Path, name: str = "planar10.csv", side: int = 10) -> float:
    """The largest ln(x_i/x_j)/d (numpy, doubles)."""
    import numpy

    x = numpy.log(numpy.loadtxt(folder / name, delimiter=","))
    at = numpy.array(points(side))
    return max(
        float((abs(x[i + 1 :] - x[i]).max(axis=1) / numpy.linalg.norm(at[i + 1 :] - at[i], axis=1)).max()) for i in range(side * side - 1)
    )


def planar20(folder: Path) -> float:
    """The same on 20×20 points."""
    return planar10(folder, "planar20.csv", 20)


def tight(folder: Path) -> str:
    """The least entry of the solution of Φ·z = 1 on 10×10 points, in balls (python-flint: a proof)."""
    from flint import arb, arb_mat, ctx

    ctx.prec = 128
    at = points(10)
    matrix = arb_mat([[(-arb((a - c) ** 2 + (b - d) ** 2).sqrt()).exp() for c, d in at] for a, b in at])
    z = matrix.solve(arb_mat([[1]] * len(at)))
    return str(min((z[i, 0] for i in range(len(at))), key=lambda x: x.mid()))


BASELINES = {f.__name__: f for f in (cycle, hypercube, grid, euclidean, planar10, planar20, tight)}

if __name__ == "__main__":
    place = Path(sys.argv[1])
    if len(sys.argv) == 2:
        tables(place)
    else:
        print(BASELINES[sys.argv[2]](place))
