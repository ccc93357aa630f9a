# SPDX-License-Identifier: MIT
"""The demonstration: a published table and matrix, recomputed, certified, re-checked by the checker alone.

The paper is *Universally Optimal Privacy Mechanisms for Minimax Agents* by Gupte and Sundararajan. Its
Table 1 is about n = 3, α = 1/4 and the loss |i − r| without side information, its Appendix B about n = 3 and
α = 1/2.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any, Literal

from exactdp.analysis import (
    Verdict,
    is_best_remap,
    is_derivable,
    is_optimum_unique,
    is_private,
    is_remap_unique,
    is_stochastic,
    optimum,
    verify_optimal,
)
from exactdp.certificate import certify
from exactdp.checker import kernel
from exactdp.errors import WriteError
from exactdp.exact import QQ, ExactMatrix, Rational
from exactdp.mechanisms import geometric
from exactdp.model import Dual, Graph, Loss, Mechanism, MinimaxConsumer, PrivacyLevel, Remap, SideInformation, Table
from exactdp.report.headline import compared, headline
from exactdp.runtime.files import make_folder
from exactdp.runtime.progress import Listener, counted_off

PAPER = "Mangesh Gupte and Mukund Sundararajan (2010): Universally Optimal Privacy Mechanisms for Minimax Agents"

PRINTED = {
    "table-1a": "2/3 5/17 1/25 1/98, 1/6 7/11 7/44 2/49, 2/49 7/44 7/11 1/6, 1/98 1/25 5/17 2/3",
    "table-1b": "4/3 1/4 1/16 1/48, 1/3 1 1/4 1/12, 1/12 1/4 1 1/3, 1/48 1/16 1/4 4/3",
    "table-1c": "9/11 2/11 0 0, 0 1 0 0, 0 0 1 0, 0 0 2/11 9/11",
    "appendix-b": "1/9 2/9 4/9 2/9, 2/9 1/9 2/9 4/9, 4/9 2/9 1/9 2/9, 13/18 1/9 1/18 1/9",
}
"""The matrices as the paper prints them, rows between commas."""

TABLE_LEVEL = "1/4"
"""The level of Table 1."""

WEIGHTS = tuple(Rational(w, 166) for w in (20, 63, 63, 20))
"""A least favourable prior of Table 1's consumer; with it the path rule proves the optimum."""

Tables = Callable[[str], ExactMatrix]
"""Gives a printed matrix by its name."""

Status = Literal["certified", "refuted as printed", "imprecise as printed", "holds where tried", "open"]


@dataclass(frozen=True, slots=True)
class Case:
    """What a computation found of a printed statement, why, and the verdicts to certify, by name."""

    status: Status
    detail: str
    verdicts: Mapping[str, Verdict[Any]] = field(default_factory=dict)


Act = tuple[str, str | None, str, Callable[[Tables], Case]]
"""A title, the name of the matrix that is shown, what is printed, and what recomputes it."""


def printed(name: str) -> ExactMatrix:
    """A matrix as the paper prints it.

    >>> print(printed("table-1c").row(0)[0])
    9/11
    """
    return ExactMatrix([[Rational(cell) for cell in row.split()] for row in PRINTED[name].split(",")])


# ── Consumers ───────────────────────────────────────────────────────────────────────────────────────────────
def path(n: int) -> Graph:
    """The path on 0..n."""
    return Graph.path(n + 1)


def absolute(n: int, side: Sequence[int] | None = None) -> MinimaxConsumer:
    """The minimax consumer with the loss |i − r| on 0..n who knows that the input is in ``side``."""
    return _consumer(Loss.absolute(range(n + 1)), side)


def tolerant(n: int) -> Loss:
    """The monotone loss [|i − r| ≥ 2]: a guess one away from the truth is as good as the truth."""
    return Loss([[int(abs(i - r) >= 2) for r in range(n + 1)] for i in range(n + 1)], name="tolerant")


def consumers(n: int) -> Iterator[MinimaxConsumer]:
    """Every side information on 0..n with each of four monotone losses."""
    inputs = range(n + 1)
    for loss in (Loss.absolute(inputs), Loss.squared(inputs), Loss.zero_one(inputs), tolerant(n)):
        for size in range(1, n + 2):
            for side in combinations(inputs, size):
                yield _consumer(loss, side)


def _consumer(loss: Loss, side: Sequence[int] | None) -> MinimaxConsumer:
    return MinimaxConsumer(loss, None if side is None else SideInformation(side, loss.inputs))


def loss_at(loss: Loss, mechanism: Mechanism, i: int) -> Any:
    """The expected loss of a mechanism at input i."""
    return sum((c * x for c, x in zip(loss.matrix.row(i), mechanism.matrix.row(i), strict=True)), QQ.zero)


# ── Table 1 ─────────────────────────────────────────────────────────────────────────────────────────────────
def table_1(tables: Tables) -> Case:
    """Is (a) the optimal mechanism, and (c) the optimal interaction with (b) = G?"""
    a, b, c = (tables(f"table-1{part}") for part in "abc")
    optimum, remap = optimum_of_table_1(), unique_remap_of_table_1()
    unique = is_optimum_unique(path(3), PrivacyLevel(TABLE_LEVEL), absolute(3))
    best = unique.evidence.first.matrix
    difference = max(abs(x) for row in (a - best).rows() for x in row)
    product = b.map(lambda x: x * QQ("3/5")) @ c
    right = a == best and c == remap.evidence.first.matrix and product == a
    detail = (
        f"the optimum is {optimum.evidence.value}, attained only by one mechanism, from which the printed (a) differs by up to "
        f"{difference}, and only by one interaction, with first row ({', '.join(map(str, remap.evidence.first.matrix.row(0)))}); "
        f"3/5 · (b) · (c) has the first entry {product[0, 0]}, (a) has {a[0, 0]}"
    )
    verdicts = {"table-1-optimum": optimum, "table-1-unique-mechanism": unique, "table-1-unique-interaction": remap}
    if not (optimum.proved and unique.proved and remap.proved):
        return Case("open", detail, verdicts)
    return Case("certified" if right else "refuted as printed", detail, verdicts)


def table_1a(tables: Tables) -> Case:
    """Is the printed matrix (a) a 1/4-private mechanism?"""
    table = Table(tables("table-1a"))
    verdict = is_stochastic(table)
    if verdict.proved:
        private = is_private(table.as_mechanism(), path(3), PrivacyLevel(TABLE_LEVEL))
        return Case("certified" if private.proved else "refuted as printed", private.claim, {"table-1a-privacy": private})
    repaired = is_private(table.renormalise(), path(3), PrivacyLevel(TABLE_LEVEL))
    rows = list(table.matrix.rows())
    pairs = [(x, y) for r, s in pairwise(rows) for x, y in zip(r, s, strict=True)]
    least = min(min(x, y) / max(x, y) for x, y in pairs if max(x, y) > 0)
    detail = (
        f"{table.faults()}; the least quotient of adjacent entries is {least}, and divided by its row sums it has the level "
        f"{repaired.evidence.tightest}, not {TABLE_LEVEL}"
    )
    return Case("refuted as printed", detail, {"table-1a-not-stochastic": verdict})


def table_1b(tables: Tables) -> Case:
    """Is the printed matrix (b) the mechanism G(3, 1/4)?"""
    matrix, G = tables("table-1b"), geometric(3, TABLE_LEVEL)
    if matrix == G.matrix:
        return Case("certified", "the printed matrix is G(3, 1/4)")
    factor = G.matrix[0, 0] / matrix[0, 0]
    verdict = is_stochastic(Table(matrix))
    proportional = matrix.map(lambda x: factor * x) == G.matrix
    detail = (
        f"every printed row sums to {Table(matrix).row_sums()[0]}; {factor} times the printed matrix is "
        f"{'' if proportional else 'not '}G(3, 1/4)"
    )
    return Case("imprecise as printed" if proportional else "refuted as printed", detail, {"table-1b-not-stochastic": verdict})


def table_1c(tables: Tables) -> Case:
    """Is the printed interaction (c) optimal for the consumer of Table 1?"""
    verdict = _printed_interaction(tables)
    if verdict.proved:
        return Case("certified", verdict.claim, {"table-1c-optimal": verdict})
    detail = (
        f"the printed interaction has the loss {verdict.evidence.loss}, the best {verdict.evidence.value}: worse by exactly "
        f"{verdict.evidence.gap}"
    )
    symmetric = replace(verdict, evidence=replace(verdict.evidence, weights=WEIGHTS))  # many weights prove it; always write these
    return Case("refuted as printed", detail, {"table-1c-not-optimal": symmetric})


def _printed_interaction(tables: Tables) -> Verdict[Any]:
    """Whether the printed interaction is a best remap of G(3, 1/4)."""
    G = geometric(3, TABLE_LEVEL)
    return is_best_remap(G, absolute(3), Remap(tables("table-1c"), G.outputs, G.outputs))


def first_line() -> str:
    """The verdict about the best-known number, with both values.

    >>> print(first_line())
    REFUTED  Table 1(c) as printed: loss 357/880 ≈ 0.405682, least 168/415 ≈ 0.404819
    """
    found = _printed_interaction(printed)
    loss, least = compared(found.evidence.loss, found.evidence.value)
    return f"{found.head.upper()}  {headline('Table 1(c) as printed: loss', loss, ', least', least).text}"


def unique_remap_of_table_1() -> Verdict[Any]:
    """Table 1's consumer has exactly one best remap of G(3, 1/4)."""
    return is_remap_unique(geometric(3, TABLE_LEVEL), absolute(3))


def optimum_of_table_1() -> Verdict[Any]:
    """Table 1's optimal mechanism, G·T with the unique T, proved optimal by :data:`WEIGHTS`."""
    best = geometric(3, TABLE_LEVEL).post_process(unique_remap_of_table_1().evidence.first)
    return verify_optimal(best, path(3), PrivacyLevel(TABLE_LEVEL), absolute(3), Dual(WEIGHTS))


# ── Appendix B ──────────────────────────────────────────────────────────────────────────────────────────────
def appendix_b(tables: Tables) -> Case:
    """Is Appendix B's matrix 1/2-private and not derivable, with −0.75/9 at rows 0, 1, 2 of column 1?"""
    M = Mechanism(tables("appendix-b"))
    private = is_private(M, path(3), PrivacyLevel("1/2"))
    derivable = is_derivable(M, source=geometric(3, "1/2"))
    violated = [(t.row, t.output, t.value) for t in derivable.evidence.triples]
    right = private.proved and derivable.refuted and violated == [(1, 1, Rational("-0.75") / 9)]
    detail = f"{private.claim}. {derivable.claim}. Violated triples: {len(violated)}"
    verdicts = {"appendix-b-private": private, "appendix-b-not-derivable": derivable}
    return Case("certified" if right else "refuted as printed", detail, verdicts)


def not_optimal_for_any(tables: Tables) -> Case:
    """Is Appendix B's matrix optimal for no consumer? A loss constant on a row of S fits the assumption."""
    M = Mechanism(tables("appendix-b"))
    everywhere = Loss([[1] * 4] * 4, name="constant")
    one_row = Loss([[3] * 4, [1, 0, 1, 2], [2, 1, 0, 1], [3, 2, 1, 0]], name="|i-r|, but 3 at input 0")
    monotone = everywhere.is_monotone() and one_row.is_monotone()
    constant = _optimal_for(M, everywhere)
    partly = _optimal_for(M, one_row)
    gaps = [
        consumer.loss_of(M) - optimum(path(3), PrivacyLevel("1/2"), consumer).evidence.value
        for consumer in consumers(3)
        if not any(len(set(consumer.loss.matrix.row(i))) == 1 for i in consumer.side_information.indices)
    ]
    least = min(gaps)
    G = geometric(3, "1/2")
    better = all(
        loss_at(consumer.loss, G, i) < loss_at(consumer.loss, M, i)
        for consumer in consumers(3)
        for i in range(4)
        if len(set(consumer.loss.matrix.row(i))) > 1
    )
    detail = (
        "optimal for every consumer whose loss is constant on an input of S with the largest loss, e.g. l(0,·) = 3, l(i,r) = "
        f"|i−r| otherwise; for the {len(gaps)} consumers tried without a constant row its gap is at least {least}; "
        f"on every input where one of the losses tried is not constant G(3, 1/2) as it is loses {'less' if better else 'no less'}"
    )
    verdicts = {"appendix-b-optimal-constant": constant, "appendix-b-optimal-one-row": partly}
    if monotone and constant.proved and partly.proved and better:
        return Case("refuted as printed", detail, verdicts)
    return Case("holds where tried" if least > 0 else "open", detail, verdicts)


def _optimal_for(mechanism: Mechanism, loss: Loss) -> Verdict[Any]:
    """Optimal at level 1/2, by the dual with all weight on input 0."""
    return verify_optimal(mechanism, path(3), PrivacyLevel("1/2"), MinimaxConsumer(loss), Dual((QQ(1), QQ(0), QQ(0), QQ(0))))


# ── The demonstration ───────────────────────────────────────────────────────────────────────────────────────
ACTS: tuple[Act, ...] = (
    (
        "Table 1(a)",
        "table-1a",
        "is printed as the optimal 1/4-private mechanism for n = 3, the loss |i-r| and no side information.",
        table_1a,
    ),
    ("Table 1(b)", "table-1b", "is printed as the geometric mechanism G(3, 1/4).", table_1b),
    ("Table 1(c)", "table-1c", "is printed as the consumer's optimal interaction with G(3, 1/4).", table_1c),
    ("Table 1 as a whole", None, "says that (a) is the optimum and equals (b) times (c).", table_1),
    (
        "Appendix B",
        "appendix-b",
        "is printed as a 1/2-private mechanism that cannot be derived from G(3, 1/2).",
        appendix_b,
    ),
    ("Section 4.2", None, "says that Appendix B's mechanism is not optimal for any consumer.", not_optimal_for_any),
)


def play(directory: Path, out: Callable[[str], None], *, progress: Listener | None = None) -> int:
    """Replay Table 1 and Appendix B, write their certificates into ``directory`` and check them with the
    checker as a program of its own.

    * ``directory``: made if it is not there.
    * ``out``: gets the report, line by line.
    * ``progress``: told before each part how many are done.

    Returns: 0 if the checker accepts every certificate, else its exit code.

    * raises WriteError: a certificate could not be written. It is raised at the end, when all the rest has
      been reported.
    """
    out(first_line())
    out(f"of {PAPER}")
    out("What the paper prints is the input; what follows is recomputed now, exactly.")
    written: dict[str, Path] = {}
    unwritten: WriteError | None = None
    verdicts: list[tuple[str, Status]] = []
    for title, table, sentence, question in counted_off(ACTS, progress, "demo", "parts", detail=lambda act: act[0]):
        out("")
        out(f"{title} {sentence}")
        if table is not None:
            for line in str(printed(table)).splitlines():
                out(f"    {line}")
        found = question(printed)
        verdicts.append((title, found.status))
        out(f"  -> {found.status}: {found.detail}.")
        for name, verdict in found.verdicts.items():
            if name not in written and unwritten is None:
                try:
                    written[name] = certify(verdict).write(make_folder(directory) / f"{name}.edp.json")
                except WriteError as error:
                    unwritten = error
    out("")
    out(f"{len(written)} certificates are in {directory}. Now the checker alone (standard library only, no import of exactdp) reads them:")
    code = _recheck(sorted(written.values()), out) if written else 0
    out("")
    out("Summary: " + "; ".join(f"{title} {status}" for title, status in verdicts) + ".")
    if unwritten is not None:
        raise unwritten
    out("Every certificate was accepted." if code == 0 else f"The checker did not accept every certificate (exit code {code}).")
    return code


def _recheck(files: list[Path], out: Callable[[str], None]) -> int:
    """Run ``python -I kernel.py FILES`` and pass its report on."""
    command = [sys.executable, "-I", str(Path(kernel.__file__).resolve()), *(str(file.resolve()) for file in files)]
    result = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    for line in (result.stdout + result.stderr).splitlines():
        out(f"  {line}")
    return result.returncode
