# SPDX-License-Identifier: MIT
"""The programs that are compared, each as a child process that prints its optimum: seconds, peak memory,
value.

Run as a script, this file is the child for the Python programs:
``python programs.py exactdp|exactdp-cold|z3|qif|qif-rational GROUP INDEX``.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path

from instances import GROUPS, Instance
from refinement import Refinement

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Run:
    """One run: whole-process seconds, seconds of work (imports aside, where the child tells), peak memory in
    MB, value.
    """

    program: str
    whole: float
    work: float | None
    memory: float
    value: str | None
    note: str = ""


def installed() -> list[str]:
    """The peers that are there."""
    found = [name for name in ("esolver", "glpsol") if shutil.which(name)]
    for module in ("z3", "qif"):
        if subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True, check=False).returncode == 0:
            found.append(module)
    return [*found, "qif-rational"] if "qif" in found else found


def run(program: str, group: str, index: int, timeout: float) -> Run:
    """Run one program on one instance in a child process."""
    with tempfile.TemporaryDirectory() as folder:
        if program in {"esolver", "glpsol"}:
            return _lp_program(program, GROUPS[group][index], Path(folder), timeout)
        command = [sys.executable, str(HERE / "programs.py"), program, group, str(index)]
        whole, memory, output, code = _child(command, Path(folder), timeout)
        if code is None:
            return Run(program, whole, None, memory, None, f"over {timeout:.0f} s")
        try:
            told = json.loads(output.splitlines()[-1])
        except (ValueError, IndexError):
            return Run(program, whole, None, memory, None, f"failed: {output.strip().splitlines()[-1:]}")
        if program == "exactdp":  # a second process, without the warm-up, for the whole
            cold = [sys.executable, str(HERE / "programs.py"), "exactdp-cold", group, str(index)]
            whole, memory, _, _ = _child(cold, Path(folder), timeout)
        return Run(program, whole, told["work"], memory, told["value"], told.get("note", ""))


def _environment() -> dict[str, str]:
    """The package is that of this repository. Its bytecode is kept, as it is where it is installed."""
    found = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return found | {"PYTHONPATH": os.pathsep.join([str(HERE.parent), *found.get("PYTHONPATH", "").split(os.pathsep)])}


def _child(command: list[str], folder: Path, timeout: float) -> tuple[float, float, str, int | None]:
    """Seconds, peak memory in MB, output and exit code (None: killed at the time limit) of a command."""
    with open(folder / "output", "w+b") as output:
        start = time.perf_counter()
        child = subprocess.Popen(command, cwd=folder, stdout=output, stderr=subprocess.STDOUT, env=_environment())
        code: int | None = None
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                code = os.waitstatus_to_exitcode(status)
                break
            if time.perf_counter() - start > timeout:
                child.kill()
                _, _, usage = os.wait4(child.pid, 0)
                break
            time.sleep(0.002)
        child.returncode = code if code is not None else -9
        seconds = time.perf_counter() - start
        output.seek(0)
        return seconds, usage.ru_maxrss / 1024, output.read().decode(errors="replace"), code


def _lp_program(program: str, instance: Instance, folder: Path, timeout: float) -> Run:
    """QSopt_ex or glpsol on the full LP, written with exact coefficients (the writing is not timed)."""
    problem, solution = folder / "problem.lp", folder / "answer.sol"
    problem.write_text(lp_text(instance))
    if program == "esolver":
        command = ["esolver", "-O", str(solution), "-L", str(problem)]
    else:
        command = ["glpsol", "--exact", "--lp", str(problem), "-w", str(solution)]
    whole, memory, _, code = _child(command, folder, timeout)
    if code is None:
        return Run(program, whole, None, memory, None, f"over {timeout:.0f} s")
    text = solution.read_text() if solution.exists() else ""
    if program == "esolver":
        found = re.search(r"Value = (\S+)", text)
        return Run(program, whole, whole, memory, found[1] if found else None)
    found = re.search(r"^c Objective:\s+\S+ = (\S+)|^s bas \d+ \d+ f f (\S+)", text, re.MULTILINE)
    return Run(program, whole, whole, memory, (found[1] or found[2]) if found else None, "prints a double")


def lp_text(instance: Instance) -> str:
    """The full optimal-mechanism LP in CPLEX LP format; every row over its common denominator, for glpsol's
    sake.
    """
    from exactdp.model.consumer import Problem
    from exactdp.search.optimal_mechanism import mechanism_program

    lp = mechanism_program(Problem(*instance.problem())).lp

    def linear(coefficients: dict[int, Fraction]) -> str:
        return " ".join(f"{'-' if c < 0 else '+'} {abs(c)} x{v}" for v, c in sorted(coefficients.items())) or "0 x0"

    lines = ["Minimize", " obj: " + linear({v: Fraction(str(c)) for v, c in lp.objective.items()}), "Subject To"]
    for k, row in enumerate(lp.rows):
        terms, rhs = {v: Fraction(str(c)) for v, c in row.coefficients.items()}, Fraction(str(row.rhs))
        scale = 1
        for c in (*terms.values(), rhs):
            scale = scale * c.denominator // _gcd(scale, c.denominator)
        lines.append(f" r{k}: {linear({v: c * scale for v, c in terms.items()})} {'=' if row.sense == '==' else '>='} {rhs * scale}")
    lines += ["Bounds", *(f" x{v} free" for v in sorted(lp.free)), "End"]
    return "\n".join(lines) + "\n"


def _gcd(a: int, b: int) -> int:
    while b:
        a, b = b, a % b
    return a


def _ours(instance: Instance | Refinement, *, warm: bool = True) -> dict[str, object]:
    """Find, certify, write, read back and re-check."""
    from collections.abc import Callable

    import exactdp as xdp
    from exactdp.checker.kernel import check_bytes

    if warm:  # imports and first calls aside, those of the float solver included
        xdp.certify(xdp.optimum(*Instance("cycle:3", "1/2", "zero-one").problem()))
        xdp.certify(xdp.optimum(*Instance("path:3", "1/2", "abs").problem()))
    question: Callable[[], xdp.Verdict[object]]
    if isinstance(instance, Refinement):
        if warm:
            xdp.certify(xdp.is_refined_by(xdp.Mechanism([["1/2", "1/4", "1/4"]]), xdp.Mechanism([[1]])))
        question = partial(xdp.is_refined_by, *map(xdp.Mechanism, instance.channels()))
    else:
        question = partial(xdp.optimum, *instance.problem())
    start = time.perf_counter()
    verdict = question()
    found = time.perf_counter()
    path = xdp.certify(verdict, check=False).write("c.edp.json")
    written = time.perf_counter()
    answer = check_bytes(path.read_bytes())
    checked = time.perf_counter()
    told = "" if answer.status == "accepted" else f"; the kernel answers: {answer.status}: {answer.sentence}"
    note = f"find {found - start:.3f}, write {written - found:.3f}, kernel {checked - written:.3f} s; {path.stat().st_size} bytes{told}"
    value = str(int(verdict.proved)) if isinstance(instance, Refinement) else str(verdict.evidence.value)
    return {"work": None if told else checked - start, "value": value, "note": note}


def _z3(instance: Instance) -> dict[str, object]:
    import z3

    from exactdp.model.consumer import Problem
    from exactdp.search.optimal_mechanism import mechanism_program

    lp = mechanism_program(Problem(*instance.problem())).lp
    start = time.perf_counter()
    optimizer = z3.Optimize()
    x = [z3.Real(f"x{v}") for v in range(lp.n_variables)]
    optimizer.add([x[v] >= 0 for v in range(lp.n_variables) if v not in lp.free])
    for row in lp.rows:
        left = z3.Sum([z3.RealVal(str(c)) * x[v] for v, c in row.coefficients.items()])
        right = z3.RealVal(str(row.rhs))
        optimizer.add(left == right if row.sense == "==" else left >= right)
    goal = optimizer.minimize(z3.Sum([z3.RealVal(str(c)) * x[v] for v, c in lp.objective.items()]))
    optimizer.check()
    return {"work": time.perf_counter() - start, "value": optimizer.lower(goal).as_string()}


def _qif(instance: Instance | Refinement, *, exact: bool = False) -> dict[str, object]:
    """libqif: an optimal mechanism for a Bayesian consumer, in doubles; refinement, in doubles or rationals.

    Privacy is asked of neighbours only, as in our LP. All pairs take it ten times as long.
    """
    import math

    import qif

    import exactdp as xdp

    if isinstance(instance, Refinement):
        import numpy as np

        tables = [np.array(rows, dtype=object if exact else float) for rows in instance.channels()]
        start = time.perf_counter()
        refined = bool(qif.refinement.refined_by(*tables))
        seconds = time.perf_counter() - start
        return {"work": seconds, "value": str(int(refined)), "note": "rationals" if exact else "doubles"}
    graph, level, consumer = instance.problem()
    n, epsilon = len(consumer.inputs), -math.log(float(level.alpha))
    distance = [[float(x) for x in row] for row in xdp.Loss.from_distance(graph).matrix.rows()]
    prior = [float(p) for p in consumer.prior.weights]  # type: ignore[union-attr]
    loss = [[float(x) for x in row] for row in consumer.loss.matrix.rows()]
    start = time.perf_counter()
    found = qif.mechanism.d_privacy.min_loss_given_d(
        prior,
        n,
        lambda i, j: epsilon * distance[int(i)][int(j)],
        lambda r, i: loss[int(i)][int(r)],
        d_priv_ch=lambda i, j: distance[int(i)][int(j)] != 1,  # follows from those of neighbours
    )
    seconds = time.perf_counter() - start
    value = sum(prior[i] * loss[i][r] * float(found[i][r]) for i in range(n) for r in range(n))
    return {"work": seconds, "value": repr(value), "note": "doubles"}


if __name__ == "__main__":
    which, group_name, number = sys.argv[1:]
    if which == "exactdp-cold":  # the whole process is that of the command line
        from exactdp.__main__ import prepare

        prepare()
    chosen = GROUPS[group_name][int(number)]
    programs = {
        "exactdp": _ours,
        "exactdp-cold": partial(_ours, warm=False),
        "z3": _z3,
        "qif": _qif,
        "qif-rational": partial(_qif, exact=True),
    }
    print(json.dumps(programs[which](chosen)))

__all__ = ["Run", "asdict", "installed", "run"]
