# SPDX-License-Identifier: MIT
"""``python tests/fuzz --cases 20000 --seed 1``: the long run. ``--case 1:17`` repeats one, made smaller."""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path

if __package__ in (None, ""):  # run as ``python tests/fuzz``
    TESTS = Path(__file__).resolve().parent.parent
    sys.path[0] = str(TESTS)
    sys.path[1:1] = [str(TESTS / "support"), str(TESTS.parent)]

from fuzz.watch import DOORS, again, report, serve, shown, watched


def main() -> int:
    if sys.argv[1:2] == ["--serve"]:
        return serve(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5] or None, alone=bool(sys.argv[6]))
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("--cases", type=int, default=1000, help="how many (default 1000)")
    parser.add_argument("--seed", default="1", help="where the random numbers start (default 1)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case (default 0)")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no case later than this")
    parser.add_argument("--door", choices=list(DOORS), help="only commands, calls, the checker, or processes")
    parser.add_argument("--most", type=int, default=50, help="how many failures are shown (default 50)")
    parser.add_argument("--case", metavar="SEED:NUMBER", help="one case, as a failure names it, in full")
    given = parser.parse_args()

    def tell(text: str) -> None:
        print(text.encode("utf-8", "backslashreplace").decode(), flush=True)

    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))  # so that the worker is ended, too
    if given.case is None:
        return 1 if report(given.seed, given.first, given.cases, tell, seconds=given.seconds, door=given.door, most=given.most) else 0
    seed, _, number = given.case.rpartition(":")
    ended = again(seed, next(watched(seed, int(number), int(number) + 1, given.door)), given.door)
    tell(shown(given.case, door=given.door, shrink=bool(ended.faults) and ended.place.startswith("command")))
    tell("\n".join(ended.faults) or "nothing is wrong")
    return 1 if ended.faults else 0


if __name__ == "__main__":
    sys.exit(main())
