# SPDX-License-Identifier: MIT
"""Inequalities between polynomials in letters, on a whole region: exactdp's proofs beside z3 and sympy.

    python benchmarks/letters.py            everything; writes letters.md
    python benchmarks/letters.py two-step   the instances whose name has this text; writes nothing

All answers are compared; a difference ends the run with exit code 1.
"""

from __future__ import annotations

import datetime
import os
import platform
import signal
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exactdp.exact import Region, SymbolField
from exactdp.exact.positivity import Split, sign_on

HERE = Path(__file__).parent
SECONDS = 60
REPEAT = 3


@dataclass(frozen=True)
class Instance:
    """Whether all polynomials are positive (``strict``), or nowhere negative, on a region."""

    name: str
    letters: dict[str, str]
    where: tuple[str, ...]
    polynomials: tuple[Any, ...]
    strict: bool = True
    published: str = ""

    @property
    def region(self) -> Region:
        """The region."""
        return Region(self.letters, self.where)


# --- Instances ---


def walk(n: int, field: SymbolField) -> list[list[Any]]:
    """A step up with probability p and down with q, from 0 to n − 1."""
    p, q = field.symbol("p"), field.symbol("q")
    rows = [[field.zero] * n for _ in range(n)]
    for i in range(n):
        for j, x in ((i + 1, p), (i - 1, q)):
            if 0 <= j < n:
                rows[i][j] = x
        rows[i][i] = 1 - sum(rows[i], field.zero)
    return rows


def mixed(n: int, field: SymbolField) -> list[list[Any]]:
    """Each other answer with one of the probabilities p/n, q/n, r/n, in turn."""
    letters = [field.symbol(name) for name in "pqr"]
    rows = [[field.zero if i == j else letters[(i + j) % 3] / n for j in range(n)] for i in range(n)]
    for i in range(n):
        rows[i][i] = 1 - sum(rows[i], field.zero)
    return rows


def circulant(n: int, field: SymbolField) -> list[list[Any]]:
    """Answers with probability p and q by turns, the true one with the rest."""
    p, q = field.symbol("p"), field.symbol("q")
    row = [field.zero, *((p, q)[k % 2] for k in range(n - 1))]
    row[0] = 1 - sum(row, field.zero)
    return [[row[(j - i) % n] for j in range(n)] for i in range(n)]


def determinant(rows: list[list[Any]], field: SymbolField) -> Any:
    """The determinant."""
    return field.det(tuple(map(tuple, rows)))


def two_steps(n: int) -> Instance:
    """Is M·M a-private for all neighbours, where M is?"""
    field = SymbolField(("p", "q", "a"))
    rows, a = circulant(n, field), field.symbol("a")
    entries = list(dict.fromkeys(rows[0]))
    where = tuple(f"a*({x}) <= {y}" for x in entries for y in entries if x != y)
    twice = [[sum((rows[i][k] * rows[k][r] for k in range(n)), field.zero) for r in range(n)] for i in range(n)]
    found = dict.fromkeys(twice[i][r] - a * twice[j][r] for i in range(n) for j in range(n) if i != j for r in range(n))
    letters = {"p": f"(0, 1/{n})", "q": f"(0, 1/{n})", "a": "(0, 1)"}
    return Instance(f"{n}×{n} two-step circulant private", letters, where, tuple(found), strict=False)


def instances() -> Iterator[Instance]:
    """All instances."""
    two, three = SymbolField(("p", "q")), SymbolField(("p", "q", "r"))
    for n in range(2, 7):
        d = determinant(walk(n, two), two)
        yield Instance(f"{n}×{n} walk, p, q < 1/4: det > 0", dict.fromkeys("pq", "(0, 1/4)"), (), (d,))
        yield Instance(f"{n}×{n} walk, p + q < 1: det > 0", dict.fromkeys("pq", "(0, 1)"), ("p + q < 1",), (d,))
    for n in range(2, 7):
        d = determinant(mixed(n, three), three)
        yield Instance(f"{n}×{n} mixed, p, q, r < 1: det > 0", dict.fromkeys("pqr", "(0, 1)"), (), (d,))
        yield Instance(f"{n}×{n} mixed, p + q + r < 2: det > 0", dict.fromkeys("pqr", "(0, 2)"), ("p + q + r < 2",), (d,))
    yield from map(two_steps, range(2, 7))
    yield from published()


def published() -> Iterator[Instance]:
    """Inequalities of other people's benchmarks."""
    reaction = "(0-x) + 2*y - z - 417817267/500000000*y*(1 + y)"
    box = dict.fromkeys("xyz", "[-5, 5]")
    field = SymbolField("xyz")
    yield Instance("reaction diffusion ≥ −36.713", box, (), (field(f"{reaction} + 36713/1000"),), strict=False)
    yield Instance("reaction diffusion ≤ 10.439", box, (), (field(f"10439/1000 - ({reaction})"),), strict=False)
    caprasse = "4*x*z + 4*z^2 + 2 - x*z^3 + 4*y*z^2*w + 4*x*z*w^2 + 2*y*w^3 - 10*y*w - 10*w^2"
    field = SymbolField("xyzw")
    box = dict.fromkeys("xyzw", "[-1/2, 1/2]")
    yield Instance("Caprasse ≥ −3.181", box, (), (field(f"{caprasse} + 3181/1000"),), strict=False)
    yield Instance("Caprasse ≤ 4.486", box, (), (field(f"4486/1000 - ({caprasse})"),), strict=False)
    ellipse = {"a": "[0, 1]", "b": "[0, 1]", "c": "(-oo, oo)"}
    field = SymbolField("abc")
    first = field("0 - c^4*(a - b + 1)*(a - b - 1)*(a - b)^2")
    second = field("0 - c^4*b^2*(b^2 - 1) - 4*c^3*a*b^2*(b - 1) - 2*c^2*a*b*(3*a*b - 2*a - 2*b + 1) - 4*c*a^2*b*(a - 1) - a^2*(a^2 - 1)")
    whole = "QEPCAD B: under 2 s for A, B, C and D together"
    yield Instance("HLS 5.14, A ≤ 0", ellipse, (), (first,), strict=False, published=whole)
    yield Instance("HLS 5.14, C ≤ 0", ellipse, (), (second,), strict=False, published=whole)


# --- Programs: True, False, or None for "not found", and a note ---


def ours(instance: Instance) -> tuple[bool | None, str]:
    """Find proofs and multiply them out, or a point that refutes."""
    region, terms, splits = instance.region, 0, 0
    answer: bool | None = True
    for p in instance.polynomials:
        found = sign_on(p.numerator, region)
        if found.sign == 1 and (found.strict or not instance.strict):
            terms += sum(lemma.size for lemma in found.lemmas)
            splits += sum(isinstance(step, Split) for lemma in found.lemmas for step in lemma.proof)
        elif found.negative is not None or found.sign == -1 or (instance.strict and found.zero is not None):
            return False, "a point"
        else:
            answer = None
    return answer, f"{terms} terms, {splits} splits" if answer else ""


def z3(instance: Instance) -> tuple[bool | None, str]:
    """Ask z3 (QF_NRA) for a point of the region where a polynomial is not positive."""
    import z3 as smt

    letters = [smt.Real(name) for name in instance.region.names]

    def formula(terms: Any) -> Any:
        total = smt.RealVal(0)
        for powers, c in terms:
            product = smt.RealVal(int(c))
            for x, e in zip(letters, powers, strict=True):
                for _ in range(int(e)):
                    product = product * x
            total = total + product
        return total

    held = [formula(c.terms) > 0 if c.strict else formula(c.terms) >= 0 for c in instance.region.constraints]
    answer: bool | None = True
    for p in instance.polynomials:
        solver = smt.SolverFor("QF_NRA")
        solver.set("timeout", SECONDS * 1000)
        value = formula(p.numerator)
        solver.add(*held, value <= 0 if instance.strict else value < 0)
        said = str(solver.check())
        if said == "sat":
            return False, ""
        answer = answer if said == "unsat" else None
    return answer, ""


def _sympy_polynomials(instance: Instance, letters: dict[str, Any]) -> list[Any]:
    import sympy

    names = instance.region.names
    return [
        sympy.Add(*(int(c) * sympy.Mul(*(letters[n] ** int(e) for n, e in zip(names, powers, strict=True))) for powers, c in p.numerator))
        for p in instance.polynomials
    ]


def sympy_is_positive(instance: Instance) -> tuple[bool | None, str]:
    """Assumptions of sympy: a letter between l and u is (l + u·t)/(1 + t) with a positive symbol t."""
    import sympy

    letters: dict[str, Any] = {}
    for name, interval in instance.letters.items():
        low, high = (x.strip(" ()[]") for x in interval.split(","))
        t = sympy.Symbol(f"t_{name}", positive=True)
        letters[name] = sympy.Symbol(name, real=True) if "oo" in interval else (sympy.Rational(low) + sympy.Rational(high) * t) / (1 + t)
    for p in _sympy_polynomials(instance, letters):
        above = sympy.expand(sympy.fraction(sympy.together(p))[0])
        if not (above.is_positive if instance.strict else above.is_nonnegative):
            return None, ""
    return True, ""


def sympy_reduce(instance: Instance) -> tuple[bool | None, str]:
    """The function ``reduce_inequalities`` of sympy."""
    import sympy

    letters = {name: sympy.Symbol(name, real=True) for name in instance.region.names}
    try:
        for p in _sympy_polynomials(instance, letters):
            if sympy.reduce_inequalities([p <= 0 if instance.strict else p < 0]) is not sympy.false:
                return None, ""
    except NotImplementedError:
        return None, "not implemented"
    return True, ""


PROGRAMS: dict[str, Callable[[Instance], tuple[bool | None, str]]] = {
    "exactdp": ours,
    "z3": z3,
    "sympy is_positive": sympy_is_positive,
    "sympy reduce_inequalities": sympy_reduce,
}


# --- The run ---


def timed(program: Callable[[Instance], tuple[bool | None, str]], instance: Instance) -> tuple[bool | None, str, float]:
    """The answer, the note, and the median of the seconds of a few runs."""

    def late(*_: Any) -> None:
        raise TimeoutError

    seconds: list[float] = []
    answer: tuple[bool | None, str] = None, ""
    while len(seconds) < (REPEAT if not seconds or seconds[0] < 1 else 1):
        signal.signal(signal.SIGALRM, late)
        signal.alarm(2 * SECONDS)
        start = time.perf_counter()
        try:
            answer = program(instance)
        except TimeoutError:
            answer = None, f"over {2 * SECONDS} s"
        finally:
            signal.alarm(0)
        seconds.append(time.perf_counter() - start)
    return *answer, statistics.median(seconds)


def cell(answer: bool | None, note: str, seconds: float) -> str:
    """An answer in the table."""
    word = {True: "proved", False: "refuted", None: "–"}[answer]
    return f"{note}" if answer is None and note else f"{word}, {seconds:.3f} s"


def main(only: str) -> int:
    """Run, compare, write."""
    lines, agree = [], True
    for instance in instances():
        if only not in instance.name:
            continue
        runs = {name: timed(program, instance) for name, program in PROGRAMS.items()}
        if len({answer for answer, _, _ in runs.values() if answer is not None}) > 1:
            print(f"DIFFERENT: {instance.name}: {runs}", file=sys.stderr)
            agree = False
        mine, theirs = runs["exactdp"], runs["z3"]
        both = mine[0] is not None and theirs[0] is not None
        degree = max(sum(powers) for p in instance.polynomials for powers, _ in p.numerator)
        asked = f"{instance.name} | {len(instance.letters)} | {len(instance.polynomials)} | {degree}"
        lines.append(
            f"| {asked} | {cell(mine[0], '', mine[2])} | {mine[1]} | "
            f"{cell(*theirs)} | {f'{theirs[2] / mine[2]:.1f}' if both else ''} | {cell(*runs['sympy is_positive'])} | "
            f"{cell(*runs['sympy reduce_inequalities'])} | {instance.published} |"
        )
        print(lines[-1], flush=True)
    if not only:
        (HERE / "letters.md").write_text("\n".join([*head(), *lines]) + "\n", encoding="utf-8")
    return 0 if agree else 1


def head() -> list[str]:
    """What stands above the table."""
    return [
        "# Polynomial inequalities in letters, on a whole region",
        "",
        "Made by `python benchmarks/letters.py`: medians of three runs (of one, if it takes more than a second), in one process,",
        f"{platform.machine()}, {os.cpu_count()} cores shared with others, Python {platform.python_version()}, {datetime.date.today()}.",
        "Every program is asked whether all polynomials are positive (*private*, ≤ and ≥: nowhere negative) on the region. *proved* is",
        "a yes, *refuted* a no; – means that the program has no answer. All answers agree. exactdp's seconds include multiplying the",
        "proof out. Its answers come with the proof (terms and splits of its lemmas; none where the constraints suffice) or with a",
        "rational point; z3 (QF_NRA) answers without a proof. *Ratio* is z3's time over exactdp's. For sympy's `is_positive` a letter",
        "between l and u is written (l + u·t)/(1 + t) with a positive symbol t, and the numerator is expanded; inequalities between",
        "letters can't be stated there. `reduce_inequalities` takes inequalities in one letter only.",
        "",
        "*walk*: a step up with probability p, down with q. *mixed*: wrong answers have probabilities p/n, q/n, r/n by turns. *two-step",
        "circulant*: M·M is a-private if M is, whose wrong answers have probabilities p and q by turns; the letters are p, q and a.",
        "Reaction diffusion and Caprasse are from the benchmarks of the Bernstein library of NASA's PVS libraries (Muñoz and Narkawicz).",
        "HLS 5.14 is an implication from Hong, Liska and Steinberg, *Testing stability by quantifier elimination* (1997), which QEPCAD",
        "could not prove then; its page among the examples of QEPCAD B (usna.edu) reports less than 2 seconds for the whole formula, for",
        "all but finitely many points, on an 800 MHz laptop.",
        "We know of no published result of QEPCAD on the other instances.",
        "",
        "| inequality | letters | polynomials | degree | exactdp | its proof | z3 | ratio "
        "| sympy `is_positive` | sympy `reduce_inequalities` | published |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]


if __name__ == "__main__":
    sys.exit(main(" ".join(sys.argv[1:])))
