# SPDX-License-Identifier: MIT
"""Independent exact solvers, asked through their own doors: QSopt_ex (program ``esolver``), z3 and PPL
(Python packages).

Each answers a linear program with its optimum as a Fraction, or "infeasible" or "unbounded"; or with None
where it is not installed. ``needs("esolver")`` marks a test that is skipped then; the reason starts with
"oracle missing: ", so that CI can refuse the skip.
"""

from __future__ import annotations

import contextlib
import ctypes
import ctypes.util
import importlib.util
import shutil
import subprocess
import tempfile
from fractions import Fraction
from pathlib import Path

import pytest

ORACLES = ("esolver", "lrs", "z3", "ppl")


def available(name: str) -> bool:
    if name in {"esolver", "lrs"}:
        return shutil.which(name) is not None
    return importlib.util.find_spec(name) is not None


def needs(*names: str):
    missing = [name for name in names if not available(name)]
    return pytest.mark.skipif(bool(missing), reason=f"oracle missing: {', '.join(missing)}")


def as_fraction(value) -> Fraction:
    return Fraction(int(value.numerator), int(value.denominator))


# QSopt_ex
# --------------------------------------------------------------------------------------------------


def lp_text(lp) -> str:
    """The linear program in CPLEX LP format with fractions as coefficients."""

    def linear(coefficients) -> str:
        terms = [f"{'-' if a < 0 else '+'} {abs(as_fraction(a))} x{j}" for j, a in sorted(coefficients.items())]
        return "\n   ".join(terms) if terms else "0 x0"

    lines = ["Minimize", f" obj: {linear(lp.objective)}", "Subject To"]
    for i, row in enumerate(lp.rows):
        lines.append(f" r{i}: {linear(row.coefficients)} {'=' if row.sense == '==' else '>='} {as_fraction(row.rhs)}")
    # every variable is named once, so that one that occurs nowhere else still exists
    lines.append(f" all: {' + '.join(f'x{j}' for j in range(lp.n_variables))} - s = 0")
    lines += ["Bounds", " s free", *(f" x{j} free" for j in sorted(lp.free)), "End"]
    return "\n".join(lines) + "\n"


def esolver_optimum(lp, timeout: float = 60):
    if not available("esolver"):
        return None
    with tempfile.TemporaryDirectory() as folder:
        problem, solution = Path(folder, "problem.lp"), Path(folder, "answer.sol")
        problem.write_text(lp_text(lp))
        subprocess.run(["esolver", "-L", "-O", str(solution), str(problem)], cwd=folder, capture_output=True, timeout=timeout, check=False)
        return parse_solution(solution.read_text())


def parse_solution(text: str):
    status = text.partition("status")[2].partition("=")[2].split()[0]
    if status != "OPTIMAL":
        return {"INFEASIBLE": "infeasible", "UNBOUNDED": "unbounded"}[status]
    return Fraction(text.partition("Value =")[2].split()[0])


# z3
# --------------------------------------------------------------------------------------------------


def z3_optimum(lp):
    if not available("z3"):
        return None
    import z3

    def linear(coefficients):
        return z3.Sum([z3.RealVal(0), *(z3.RealVal(str(as_fraction(a))) * x[j] for j, a in coefficients.items())])

    x = [z3.Real(f"x{j}") for j in range(lp.n_variables)]
    solver = z3.Optimize()
    solver.add([x[j] >= 0 for j in range(lp.n_variables) if j not in lp.free])
    for row in lp.rows:
        left, right = linear(row.coefficients), z3.RealVal(str(as_fraction(row.rhs)))
        solver.add(left == right if row.sense == "==" else left >= right)
    objective = solver.minimize(linear(lp.objective))
    if solver.check() != z3.sat:
        return "infeasible"
    value = solver.lower(objective)
    return Fraction(str(value)) if z3.is_rational_value(value) or z3.is_int_value(value) else "unbounded"


# PPL
# --------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def rounding_kept():
    """PPL sets the processor to round up from its import on; no float of another test may."""
    libm = ctypes.CDLL(ctypes.util.find_library("m"))
    before = libm.fegetround()
    try:
        yield
    finally:
        libm.fesetround(before)


@rounding_kept()
def ppl_optimum(lp):
    if not available("ppl"):
        return None
    import math

    import ppl

    def integral(coefficients, rhs):
        values = [as_fraction(a) for a in coefficients.values()]
        scale = math.lcm(as_fraction(rhs).denominator, *(a.denominator for a in values))
        left = ppl.Linear_Expression(0)
        for j, a in zip(coefficients, values, strict=True):
            left += int(a * scale) * ppl.Variable(j)
        return left, int(as_fraction(rhs) * scale), scale

    system = ppl.Constraint_System()
    for j in range(lp.n_variables):
        if j not in lp.free:
            system.insert(ppl.Variable(j) >= 0)
    for row in lp.rows:
        left, right, _ = integral(row.coefficients, row.rhs)
        system.insert(left == right if row.sense == "==" else left >= right)
    objective, _, scale = integral(lp.objective, Fraction(0))
    problem = ppl.MIP_Problem(lp.n_variables, system, objective)
    problem.set_optimization_mode("minimization")
    status = problem.solve()["status"]
    if status != "optimized":
        return {"unfeasible": "infeasible", "unbounded": "unbounded"}[status]
    value = problem.optimal_value()
    return Fraction(int(value.numerator), int(value.denominator)) / scale


OPTIMUM = {"esolver": esolver_optimum, "z3": z3_optimum, "ppl": ppl_optimum}
