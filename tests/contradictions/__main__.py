# SPDX-License-Identifier: MIT
"""The long runs: ``python tests/contradictions --definitions 100000 --seed 1 --jobs 1`` searches, and
``python tests/contradictions --mutants 100000 --seed 1`` gives mutants of certificates to the checker.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

if __package__ in (None, ""):  # run as a directory
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from contradictions.mutants import hunt
from contradictions.search import KINDS_OF_NUMBERS, Tally, search

CHUNK = 500  # definitions between two reports


def tallies(chunks: list[range], seed: int, jobs: int, attempts: int, thorough: float, questions: int) -> Iterator[Tally]:
    """The figures of each chunk, in order."""
    work = partial(search, seed=seed, attempts=attempts, thorough=thorough, questions=questions)
    if jobs == 1:
        yield from map(work, chunks)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(work, chunks)


def table(tally: Tally) -> str:
    """Asked and accepted by kind of claim and of numbers."""
    lines = [f"{'kind of claim':28}" + "".join(f"{name:>20}" for name in KINDS_OF_NUMBERS) + "    (accepted/asked)"]
    for kind in sorted({kind for kind, _, _ in tally.answers}):
        cells = []
        for numbers in KINDS_OF_NUMBERS:
            asked = sum(n for (k, f, _), n in tally.answers.items() if (k, f) == (kind, numbers))
            cells.append(f"{tally.answers[kind, numbers, 'accepted']}/{asked}")
        lines.append(f"{kind:28}" + "".join(f"{cell:>20}" for cell in cells))
    return "\n".join(lines)


def summary(tally: Tally) -> str:
    """The figures in one line."""
    of = {
        status: sum(n for (*_, s), n in tally.answers.items() if s == status) for status in ("accepted", "rejected", "malformed", "limit")
    }
    figures = [f"{tally.definitions} definitions", f"{sum(tally.answers.values())} claims asked", *(f"{n} {s}" for s, n in of.items())]
    beside = sum(n for (_, accepted), n in tally.rows.items() if accepted)
    figures += [f"{sum(tally.rows.values())} pairs of a row and a certificate, {beside} accepted"]
    figures += [f"{sum(tally.pairs.values())} pairs of claims compared", f"{tally.judged['True']} confirmed by the oracle"]
    found = [
        f"{len(tally.findings)} contradictions or false acceptances",
        f"{len(tally.defects)} defects",
        f"{len(tally.untrue)} untrue answers of emitters",
        f"{tally.seconds:.0f} s",
    ]
    return ", ".join(figures + found)


def main(arguments: list[str] | None = None) -> int:
    """Search, print the figures and what was found; 1 if there is anything."""
    parser = argparse.ArgumentParser(prog="contradictions", description=" ".join((__doc__ or "").split()))
    parser.add_argument("--definitions", type=int, default=1000, help="how many")
    parser.add_argument("--first", type=int, default=0, help="the number of the first: a seed and a number determine a definition")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--attempts", type=int, default=6, help="attacks on a definition, besides mutants")
    parser.add_argument(
        "--questions", type=int, default=3, help="the emitters are asked so many about a definition, and one about an altered one"
    )
    parser.add_argument("--thorough", type=float, default=0.15, help="the share of definitions on which the oracle solves linear programs")
    parser.add_argument("--write", type=Path, metavar="DIR", help="write the certificates of what was found there")
    parser.add_argument("--mutants", type=int, help="instead of the search, so many mutants of certificates, from the seed, in one process")
    options = parser.parse_args(arguments)
    if options.mutants is not None:
        return of_mutants(options.mutants, options.seed, options.write)
    end, total, start = options.first + options.definitions, Tally(), time.monotonic()
    chunks = [range(k, min(k + CHUNK, end)) for k in range(options.first, end, CHUNK)]
    for tally in tallies(chunks, options.seed, options.jobs, options.attempts, options.thorough, options.questions):
        for finding in (*tally.findings, *tally.defects, *tally.untrue):
            print(finding, flush=True)
        total.add(tally)
        total.seconds = time.monotonic() - start
        print(summary(total), file=sys.stderr, flush=True)
    print(table(total))
    print("pairs compared:", ", ".join(f"{a} / {b}: {n}" for (a, b), n in sorted(total.pairs.items())))
    for what, count in total.refused.most_common():
        print(f"emitted, but not accepted: {count} × {what}")
    for number, text in total.broken:
        print(f"definition {number} could not be finished: {text}")
    print(summary(total))
    if options.write is not None:
        for k, finding in enumerate((*total.findings, *total.defects)):
            for j, certificate in enumerate(finding.certificates):
                name = f"{options.seed}-{finding.definition}-{k}-{j}.edp.json"
                (options.write / name).write_text(json.dumps(certificate) + "\n", encoding="utf-8")
    return 1 if total.findings or total.defects or total.untrue or total.broken else 0


def of_mutants(mutants: int, seed: int, folder: Path | None) -> int:
    """Give mutants to the checker and print the figures; 1 if a false one was accepted, or a defect shown."""
    found = hunt(mutants, seed, report=lambda so_far: print(so_far, file=sys.stderr, flush=True))
    wrong = [("false, but accepted", one) for one in found.false] + [("a defect", one) for one in found.defects]
    for k, (what, certificate) in enumerate(wrong):
        print(f"{what}: {json.dumps(certificate)}")
        if folder is not None:
            (folder / f"{seed}-mutant-{k}.edp.json").write_text(json.dumps(certificate) + "\n", encoding="utf-8")
    print("not judged, by kind:", ", ".join(f"{kind} {count}" for kind, count in found.unjudged.most_common()) or "none")
    print(found)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
