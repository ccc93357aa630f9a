# SPDX-License-Identifier: MIT
"""exactdp: exact verdicts about differentially private mechanisms, with certificates that a tiny kernel re-checks.

>>> import exactdp as xdp
>>> G = xdp.geometric(3, alpha="1/4")
>>> consumer = xdp.MinimaxConsumer(xdp.Loss.absolute(G.inputs))
>>> verdict = xdp.is_optimal_after_remap(G, xdp.neighbours("path:4"), xdp.PrivacyLevel("1/4"), consumer)
>>> verdict.proved, verdict.evidence.value
(True, Rational('168/415'))
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from exactdp.analysis import (
        Decision,
        Verdict,
        best_remap,
        best_remap_by_level,
        determinant,
        dual_bound,
        is_best_remap,
        is_derivable,
        is_optimal,
        is_optimal_after_remap,
        is_optimal_by_level,
        is_optimum_unique,
        is_private,
        is_refined_by,
        is_remap_unique,
        is_stochastic,
        multi_level_release,
        optimum,
        optimum_by_level,
        tightest_level,
        verify_optimal,
    )
    from exactdp.certificate import Certificate, certify
    from exactdp.exact import (
        QQ,
        AlgebraicNumber,
        ExactMatrix,
        ExponentialField,
        Interval,
        Rational,
        RationalFunctionField,
        from_float,
    )
    from exactdp.mechanisms import (
        FiniteNoise,
        GeometricNoise,
        geometric,
        geometric_prime,
        identity,
        lumped_geometric,
        randomized_response,
        truncate,
        uniform,
    )
    from exactdp.model import (
        AdjacencyGraph,
        BayesianConsumer,
        Distance,
        Dual,
        Gain,
        Loss,
        Mechanism,
        Metric,
        MinimaxConsumer,
        Prior,
        PrivacyLevel,
        Remap,
        SideInformation,
        Table,
        TightestLevel,
        level_for,
        neighbours,
    )

__version__ = "0.1.0"

__all__ = [
    "QQ",
    "AdjacencyGraph",
    "AlgebraicNumber",
    "BayesianConsumer",
    "Certificate",
    "Decision",
    "Distance",
    "Dual",
    "ExactMatrix",
    "ExponentialField",
    "FiniteNoise",
    "Gain",
    "GeometricNoise",
    "Interval",
    "Loss",
    "Mechanism",
    "Metric",
    "MinimaxConsumer",
    "Prior",
    "PrivacyLevel",
    "Rational",
    "RationalFunctionField",
    "Remap",
    "SideInformation",
    "Table",
    "TightestLevel",
    "Verdict",
    "best_remap",
    "best_remap_by_level",
    "certify",
    "determinant",
    "dual_bound",
    "from_float",
    "geometric",
    "geometric_prime",
    "identity",
    "is_best_remap",
    "is_derivable",
    "is_optimal",
    "is_optimal_after_remap",
    "is_optimal_by_level",
    "is_optimum_unique",
    "is_private",
    "is_refined_by",
    "is_remap_unique",
    "is_stochastic",
    "level_for",
    "lumped_geometric",
    "multi_level_release",
    "neighbours",
    "optimum",
    "optimum_by_level",
    "randomized_response",
    "tightest_level",
    "truncate",
    "uniform",
    "verify_optimal",
]


_HOMES = {
    "analysis": (
        "Decision",
        "Verdict",
        "best_remap",
        "best_remap_by_level",
        "determinant",
        "dual_bound",
        "is_best_remap",
        "is_derivable",
        "is_optimal",
        "is_optimal_after_remap",
        "is_optimal_by_level",
        "is_optimum_unique",
        "is_private",
        "is_refined_by",
        "is_remap_unique",
        "is_stochastic",
        "multi_level_release",
        "optimum",
        "optimum_by_level",
        "tightest_level",
        "verify_optimal",
    ),
    "certificate": (
        "Certificate",
        "certify",
    ),
    "exact": (
        "QQ",
        "AlgebraicNumber",
        "ExactMatrix",
        "ExponentialField",
        "Interval",
        "Rational",
        "RationalFunctionField",
        "from_float",
    ),
    "mechanisms": (
        "FiniteNoise",
        "GeometricNoise",
        "geometric",
        "geometric_prime",
        "identity",
        "lumped_geometric",
        "randomized_response",
        "truncate",
        "uniform",
    ),
    "model": (
        "AdjacencyGraph",
        "BayesianConsumer",
        "Distance",
        "Dual",
        "Gain",
        "Loss",
        "Mechanism",
        "Metric",
        "MinimaxConsumer",
        "PrivacyLevel",
        "Prior",
        "Remap",
        "SideInformation",
        "Table",
        "TightestLevel",
        "level_for",
        "neighbours",
    ),
}
"""Where each public name lives. It is loaded when it is first asked for, so that the command line starts at once."""


def __getattr__(name: str) -> object:
    for package, names in _HOMES.items():
        if name in names:
            value: object = getattr(import_module(f"exactdp.{package}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'exactdp' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)


if "IPython" in sys.modules:
    from exactdp.report.notebook import register_if_running

    register_if_running()
