# SPDX-License-Identifier: MIT
"""``python tests/permutations --cases 10000 --seed 1``: the long run. ``--case 1:17`` repeats one case."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

if __package__ in (None, ""):  # run as ``python tests/permutations``
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from permutations.search import case, report


def main() -> int:
    parser = argparse.ArgumentParser(prog="permutations", description=__doc__)
    parser.add_argument("--cases", type=int, default=1000, help="how many random instances (default 1000)")
    parser.add_argument("--seed", type=int, default=1, help="where the random numbers start (default 1)")
    parser.add_argument("--most", type=int, default=20, help="how many failures are shown in full (default 20)")
    parser.add_argument("--case", help="one case, by the name that a failure gives")
    given = parser.parse_args()
    if given.case is not None:
        _, failures = case(given.case)
        for failure in failures:
            print(failure)
        return 1 if failures else 0
    return 1 if report(given.seed, given.cases, lambda line: print(line, flush=True), most=given.most) else 0


if __name__ == "__main__":
    sys.exit(main())
