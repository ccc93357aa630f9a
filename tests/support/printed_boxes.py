# SPDX-License-Identifier: MIT
"""Random boxes of digits against the vertices of their rows: the two ends of ε.

    python tests/support/printed_boxes.py --boxes 2000 --seed 1

The worst level is enumerated over pairs of vertices. Whether some table is private at a level is a linear
program over weights of the vertices, solved by a simplex in fractions that shares no code with exactdp.
"""

from __future__ import annotations

import argparse
import random
import sys
from fractions import Fraction as F
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1])]

from contradictions.oracle import least  # noqa: E402
from oracles import as_fraction  # noqa: E402
from printed_oracle import row_vertices  # noqa: E402

from exactdp import TightestLevel, certify, neighbours, printed_table  # noqa: E402
from exactdp.analysis.printed.epsilon_ends import privacy_as_printed  # noqa: E402
from exactdp.analysis.printed.printed_audit import ends  # noqa: E402

GRAPHS = {2: ["path:2"], 3: ["path:3", "complete:3"]}
TINY = F(1, 10**9)


def printed_rows(rng, inputs, outputs, digits):
    """Laws rounded to some digits, half of them near each other, so that both ends are of interest."""
    unit = 10**digits
    shared = [rng.randint(0, 12) for _ in range(outputs)]
    rows = []
    for _ in range(inputs):
        weights = [x + rng.randint(0, 2) for x in shared] if rng.random() < 0.5 else [rng.randint(0, 12) for _ in range(outputs)]
        total = sum(weights) or 1
        weights = weights if sum(weights) else [1] * outputs
        total = sum(weights)
        cells = [round(F(x * unit, total)) for x in weights]
        rows.append([f"{x // unit}.{x % unit:0{digits}d}" for x in cells])
    return rows


def worst(lower, upper, pairs):
    """The least ratio at vertices of two rows."""
    vertices = [row_vertices(low, high) for low, high in zip(lower, upper, strict=True)]
    found = F(1)
    for i, j in pairs:
        for x in vertices[i]:
            for y in vertices[j]:
                for a, b in zip(x, y, strict=True):
                    if b > 0:
                        found = min(found, a / b)
    return found


def some_private(lower, upper, pairs, alpha):
    """Whether weights of vertices make a table with x_ir ≥ α·x_jr."""
    vertices = [row_vertices(low, high) for low, high in zip(lower, upper, strict=True)]
    starts = [sum(map(len, vertices[:i])) for i in range(len(vertices))]
    count = sum(map(len, vertices))
    rows = [{starts[i] + k: F(1) for k in range(len(points))} for i, points in enumerate(vertices)]
    right = [F(1)] * len(rows)
    for i, j in pairs:
        for r in range(len(lower[0])):
            row = {starts[i] + k: point[r] for k, point in enumerate(vertices[i])}
            row |= {starts[j] + k: -alpha * point[r] for k, point in enumerate(vertices[j])}
            rows.append({column: x for column, x in row.items() if x} | {count: F(-1)})
            right.append(F(0))
            count += 1
    return least([F(0)] * count, rows, right) is not None


def differences(rng, *, certified=False):
    """What exactdp and the enumeration say differently of a random box; whether its lower end is exact."""
    inputs, outputs, digits = rng.choice((2, 2, 3)), rng.choice((2, 3)), rng.choice((1, 1, 2))
    rows = printed_rows(rng, inputs, outputs, digits)
    graph = rng.choice(GRAPHS[inputs])
    table, near = printed_table(rows, digits=digits), neighbours(graph)
    lower, upper = ([[as_fraction(x) for x in row] for row in matrix.rows()] for matrix in (table.lower, table.upper))
    pairs = [pair for i, j, _ in near.pairs() for pair in ((i, j), (j, i))]
    e = privacy_as_printed(table, near).evidence
    found = []
    if e.largest.tightest != TightestLevel(str(worst(lower, upper, pairs))):
        found.append(f"worst level {e.largest.tightest} of {rows} on {graph}")
    for end in (e.largest, e.smallest):
        if not table.contains(end.table):
            found.append(f"a table that does not print as {rows}")
    low, high = as_fraction(e.smallest.tightest.value), as_fraction(e.smallest.bound.value)
    if low and not some_private(lower, upper, pairs, low):
        found.append(f"no table of {rows} on {graph} is {low}-private")
    above = high + TINY if e.smallest.exact else high
    if above <= 1 and some_private(lower, upper, pairs, above):
        found.append(f"some table of {rows} on {graph} is {above}-private")
    level = F(rng.randint(1, 39), 40)
    decision = privacy_as_printed(table, near, str(level)).decision.value
    truth = "proved" if worst(lower, upper, pairs) >= level else "undecided" if some_private(lower, upper, pairs, level) else "refuted"
    if decision != truth:
        found.append(f"{rows} on {graph} at {level}: {decision}, not {truth}")
    if certified and e.smallest.tightest.ratio:
        for verdict in ends(e).values():
            certify(verdict)
    return found, e.smallest.exact


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boxes", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rng, wrong, exact = random.Random(given.seed), [], 0
    for number in range(given.boxes):
        found, known = differences(rng, certified=number % 10 == 0)
        wrong += found
        exact += known
    print(f"{given.boxes} boxes of digits, {len(wrong)} differences; the smallest ε is exact in {exact}")
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
