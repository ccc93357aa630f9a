# SPDX-License-Identifier: MIT
"""Paths, post-processings and determinants as somebody writes them in an hour, with python-flint or numpy.

``python benchmarks/people/paths.py FOLDER`` makes the tables of paths.toml there. With the name of a baseline
after it, it runs that one on them and prints its number.
"""

from __future__ import annotations

import csv
import random
import sys
from fractions import Fraction
from pathlib import Path

INPUTS, OUTPUTS, ORDER = 8, 256, 300


def tables(folder: Path) -> None:
    """Doubles on a path, fractions with their columns in another order, a square matrix, a random tree."""
    import numpy

    numbers = numpy.random.default_rng(7)
    with (folder / "doubles.csv").open("w") as file:
        for i in range(100):
            weights = numpy.exp(-0.5 * abs(numpy.arange(100) - i)) * numbers.uniform(0.9, 1.1, 100)
            file.write(",".join(repr(float(x)) for x in weights / weights.sum()) + "\n")
    chosen = random.Random(3)
    rows = [[Fraction(chosen.randint(1, 10**15), 10**15) for _ in range(OUTPUTS)] for _ in range(INPUTS)]
    rows = [[x / sum(row) for x in row] for row in rows]
    order = chosen.sample(range(OUTPUTS), OUTPUTS)
    _write(folder / "a.csv", rows)
    _write(folder / "shuffled.csv", [[row[j] for j in order] for row in rows])
    _write(folder / "merged.csv", [[sum(row[j : j + 8]) for j in range(0, OUTPUTS, 8)] for row in rows])
    each = [[f"{chosen.randint(1, 99)}/{chosen.randint(1, 99)}" for _ in range(ORDER)] for _ in range(ORDER)]
    _write(folder / "square.csv", each)
    _write(folder / "tree.csv", [[chosen.randrange(i), i] for i in range(1, ORDER)])


def _write(path: Path, rows: list[list[object]]) -> None:
    path.write_text("\n".join(",".join(map(str, row)) for row in rows) + "\n")


def _exact(path: Path) -> list[list[object]]:
    from flint import fmpq

    with path.open(newline="") as file:
        return [[fmpq(*map(int, text.split("/"))) for text in row] for row in csv.reader(file)]


def level(folder: Path) -> float:
    """The least quotient of neighbouring rows of G(1000, e^(−1)) (numpy, doubles: many entries are 0)."""
    import numpy

    places = numpy.arange(1001)
    table = numpy.exp(-1.0) ** abs(places[:, None] - places[None, :]) * (1 - numpy.exp(-1.0)) / (1 + numpy.exp(-1.0))
    above, below = table[:-1], table[1:]
    both = (above > 0) & (below > 0)
    return float(min((above[both] / below[both]).min(), (below[both] / above[both]).min()))


def determinant(folder: Path) -> object:
    """The determinant of the square matrix (python-flint, exact)."""
    from flint import fmpq_mat

    return fmpq_mat(_exact(folder / "square.csv")).det()


def same_columns(folder: Path) -> bool:
    """Whether two tables have the same columns in some order (python-flint, exact)."""
    both = [sorted(zip(*_exact(folder / name), strict=True)) for name in ("a.csv", "shuffled.csv")]
    return both[0] == both[1]


BASELINES = {"level": level, "determinant": determinant, "same_columns": same_columns}

if __name__ == "__main__":
    place = Path(sys.argv[1])
    if len(sys.argv) == 2:
        tables(place)
    else:
        print(BASELINES[sys.argv[2]](place))
