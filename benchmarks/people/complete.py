# SPDX-License-Identifier: MIT
"""Complete graphs, δ and compositions as somebody writes them in an hour, with python-flint or numpy.

``python benchmarks/people/complete.py FOLDER`` makes the tables of complete.toml there. With the name of a
baseline after it, it runs that one on them and prints its number.
"""

from __future__ import annotations

import csv
import random
import sys
from pathlib import Path

SIZE, RESPONSES, PLACES = 100, 300, 6


def tables(folder: Path) -> None:
    """Two tables of decimals, whose rows sum to 1 exactly, and a randomized response in fractions."""
    for seed, name in ((1, "d100.csv"), (2, "e100.csv")):
        numbers = random.Random(seed)
        lines = []
        for _ in range(SIZE):
            weights = [numbers.randint(50, 1000) for _ in range(SIZE)]
            row = [w * 10**PLACES // sum(weights) for w in weights]
            row[0] += 10**PLACES - sum(row)
            lines.append(",".join(f"{x // 10**PLACES}.{x % 10**PLACES:0{PLACES}d}" for x in row))
        (folder / name).write_text("\n".join(lines) + "\n")
    rows = (",".join(f"{2 if i == j else 1}/{RESPONSES + 1}" for j in range(RESPONSES)) for i in range(RESPONSES))
    (folder / "k300.csv").write_text("\n".join(rows) + "\n")


def _exact(path: Path) -> list[list[object]]:
    from flint import fmpq

    def number(text: str) -> object:
        if "/" in text:
            return fmpq(*map(int, text.split("/")))
        whole, _, digits = text.partition(".")
        return fmpq(int(whole + digits), 10 ** len(digits))

    with path.open(newline="") as file:
        return [list(map(number, row)) for row in csv.reader(file)]


def level(folder: Path, name: str = "d100.csv") -> object:
    """The least entry of a column over the greatest (python-flint, exact)."""
    return min(min(column) / max(column) for column in zip(*_exact(folder / name), strict=True))


def level_of_response(folder: Path) -> object:
    """The same for 300 categories."""
    return level(folder, "k300.csv")


def delta(folder: Path) -> float:
    """The largest hockey-stick divergence at ε = 1 (numpy, doubles)."""
    import numpy

    x = numpy.loadtxt(folder / "d100.csv", delimiter=",")
    return float(max(numpy.maximum(0, row - numpy.e * x).sum(axis=1).max() for row in x))


def composition(folder: Path) -> float:
    """The least product of the least quotients of two tables (numpy, doubles)."""
    import numpy

    both = [numpy.loadtxt(folder / name, delimiter=",") for name in ("d100.csv", "e100.csv")]
    return float(min(numpy.prod([(row[i] / row).min(axis=1) for row in both], axis=0).min() for i in range(SIZE)))


BASELINES = {"level": level, "level_of_response": level_of_response, "delta": delta, "composition": composition}

if __name__ == "__main__":
    place = Path(sys.argv[1])
    if len(sys.argv) == 2:
        tables(place)
    else:
        print(BASELINES[sys.argv[2]](place))
