# SPDX-License-Identifier: MIT
"""exactdp beside accountants of privacy loss: ``python benchmarks/accountants.py`` writes accountants.md.

``pip install . dp-accounting autodp prv-accountant`` brings the accountants; one that is missing has a
dash. All are asked the same: k independent releases of one mechanism, for the smallest ε at a given δ.
Accountants are given the mechanism by their own constructor, exactdp the table of k releases. Outputs of
equal privacy loss are one column of it, which loses nothing: how many of the k answers are true.

An answer is a number, a bound from above, or an interval. One that excludes the exact number is marked.
"""

from __future__ import annotations

import importlib.metadata
import math
import os
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import exactdp as xdp

HERE = Path(__file__).resolve().parent
GRID = 1e-4
"""The width of the grid on which dp_accounting rounds privacy losses; its documentation's choice."""
WIDTH = 0.01
"""The error in ε that prv_accountant is asked for. That in δ is δ/1000, as its documentation proposes."""
ROUNDING = 1e-9
"""By so much, relatively, an answer in doubles may be on the wrong side without being marked."""


@dataclass(frozen=True)
class Case:
    """k releases of randomised response with the ratio e^(−ε) or a rational one; ``leak`` is the δ of each.

    ``ratio`` is the probability of a lie over that of the truth, as exactdp reads it.
    """

    name: str
    releases: int
    ratio: str
    delta: str
    leak: str = "0"

    @property
    def epsilon(self) -> float:
        """The ε of one release, as a double: so accountants take it."""
        return float(xdp.Epsilon(self.ratio.replace("exp(-", "").rstrip(")"))) if "exp" in self.ratio else -math.log(Fraction(self.ratio))


CASES = (
    Case("ε = 1, once", 1, "exp(-1)", "1/1000000"),
    Case("ε = 1, 30 times", 30, "exp(-1)", "1/1000000"),
    Case("(ε = 1, δ = 1/1000), 30 times", 30, "exp(-1)", "3/50", leak="1/1000"),
    Case("truth with probability 3/4 (ε = ln 3), 10 times", 10, "1/3", "1/1000000"),
    Case("truth with probability 3/4 (ε = ln 3), 100 times", 100, "1/3", "1/1000000"),
    Case("ε = 1/10, 100 times", 100, "exp(-1/10)", "1/1000000"),
    Case("ε = ln(101/100), 1000 times", 1000, "100/101", "1/1000000"),
)


def together(case: Case) -> xdp.Mechanism:
    """The table of all releases: outputs that only one of two inputs has, and the number of true answers."""
    k, leak = case.releases, Fraction(case.leak)
    kept = (1 - leak) ** k
    if "exp" in case.ratio:
        entry = f"{kept}*{{ways}}*({case.ratio})^{{lies}}/(1+{case.ratio})^{k}"
        counted = [entry.format(ways=math.comb(k, truths), lies=k - truths) for truths in range(k + 1)]
    else:
        ratio = Fraction(case.ratio)
        counted = [str(kept * math.comb(k, truths) * ratio ** (k - truths) / (1 + ratio) ** k) for truths in range(k + 1)]
    rows = [[str(1 - kept), *counted, "0"], ["0", *reversed(counted), str(1 - kept)]]
    return xdp.read_table("\n".join(",".join(row) for row in rows)).as_mechanism()


def exact(case: Case) -> tuple[float, float]:
    """The smallest ε, enclosed by rational numbers and then rounded down and up to doubles."""
    verdict = xdp.level_for_delta(together(case), "path", case.delta)
    low, high = xdp.Epsilon.of_level(verdict.evidence.ratio).enclosure(12)
    return float(low), float(high)


def dp_accounting(case: Case) -> tuple[float | None, float | None]:
    """A bound from above, by privacy loss distributions."""
    from dp_accounting.pld import privacy_loss_distribution as losses
    from dp_accounting.pld.common import DifferentialPrivacyParameters

    one = losses.from_privacy_parameters(
        DifferentialPrivacyParameters(case.epsilon, float(Fraction(case.leak))), value_discretization_interval=GRID
    )
    return None, one.self_compose(case.releases).get_epsilon_for_delta(float(Fraction(case.delta)))


def autodp(case: Case) -> tuple[float | None, float | None]:
    """A bound from above, by Rényi divergences or by what it knows better."""
    from autodp.mechanism_zoo import RandresponseMechanism
    from autodp.transformer_zoo import Composition

    if Fraction(case.leak):
        raise NotImplementedError
    one = RandresponseMechanism(1 / (1 + math.exp(-case.epsilon)))
    return None, Composition()([one], [case.releases]).get_approxDP(float(Fraction(case.delta)))


def prv_accountant(case: Case, most: float | None = None) -> tuple[float | None, float | None]:
    """An interval, by numerical convolution up to ``most``; unless given, the program chooses that itself."""
    from prv_accountant import ApproximateDPMechanism, PRVAccountant, PureDPMechanism

    leak = float(Fraction(case.leak))
    one = ApproximateDPMechanism(case.epsilon, leak) if leak else PureDPMechanism(case.epsilon)
    delta = float(Fraction(case.delta))
    errors = {"eps_error": WIDTH, "delta_error": delta / 1000, "eps_max": most}
    accountant = PRVAccountant(prvs=[one], max_self_compositions=[case.releases], **errors)
    low, _, high = accountant.compute_epsilon(delta, [case.releases])
    return low, high


def prv_accountant_within(case: Case) -> tuple[float | None, float | None]:
    """The same, and it is told that the sum of all ε is enough, which is so."""
    return prv_accountant(case, case.releases * case.epsilon + 1)


PROGRAMS: dict[str, Callable[[Case], tuple[float | None, float | None]]] = {
    "exactdp": exact,
    "dp-accounting": dp_accounting,
    "autodp": autodp,
    "prv-accountant": prv_accountant,
    "prv-accountant, `eps_max=`": prv_accountant_within,
}


def answer(program: Callable[[Case], Any], case: Case) -> tuple[tuple[float | None, float | None], float] | None:
    """What a program says, and the seconds of a second call; None where it is missing or not asked."""
    try:
        program(case)
    except (ImportError, NotImplementedError):
        return None
    start = time.perf_counter()
    found = program(case)
    return found, time.perf_counter() - start


def cell(found: tuple[tuple[float | None, float | None], float] | None, truth: tuple[float, float]) -> str:
    """A cell of the table."""
    if found is None:
        return "–"
    (low, high), seconds = found
    if (low, high) == truth:
        value = f"{high:.9f}"
    elif low is None:
        value = f"≤ {high:.9f}"
    else:
        value = f"{low:.6f} … {high:.6f}"
    mark = "" if agrees((low, high), truth) else " (excludes it)"
    return f"{value}{mark}, {seconds:.3f} s"


def agrees(found: tuple[float | None, float | None], truth: tuple[float, float]) -> bool:
    """Whether what is promised holds: a lower bound is not above the exact number, an upper one not below."""
    low, high = found
    slack = ROUNDING * truth[1]
    return (low is None or low <= truth[1] + slack) and (high is None or high >= truth[0] - slack)


def main() -> None:
    """Ask all, compare, and write the table."""
    versions = {}
    for name in dict.fromkeys(column.split(",")[0] for column in PROGRAMS):
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            versions[name] = "from this repository" if name == "exactdp" else "not installed"
    lines = [
        "# exactdp beside accountants of privacy loss",
        "",
        "`python benchmarks/accountants.py` made this table. The question is the smallest ε of all releases together, at δ.",
        "Seconds are those of a second call, imports aside. Each mechanism is randomised response on two answers.",
        "",
        ", ".join(f"{name} {version}" for name, version in versions.items()) + f"; grid {GRID}, width {WIDTH}.",
        f"Made {time.strftime('%Y-%m-%d')}, {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}.",
        "",
        "| releases | δ | " + " | ".join(PROGRAMS) + " |",
        "|---|---" + "|---" * len(PROGRAMS) + "|",
    ]
    for case in CASES:
        found = {name: answer(program, case) for name, program in PROGRAMS.items()}
        assert found["exactdp"] is not None
        truth = found["exactdp"][0]
        lines.append(f"| {case.name} | {case.delta} | " + " | ".join(cell(said, truth) for said in found.values()) + " |")
        print(lines[-1], flush=True)
    (HERE / "accountants.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
