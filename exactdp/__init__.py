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
        derivable_levels,
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
        private_levels,
        stochastic_levels,
        tightest_level,
        verify_optimal,
    )
    from exactdp.analysis.audit import PrivacyClaim, audit
    from exactdp.analysis.capacity import capacity, type_capacity
    from exactdp.analysis.composition import collection_level, oblivious_average, parallel_level, sequential_level
    from exactdp.analysis.delta import is_approximately_private, least_delta, level_for_delta
    from exactdp.analysis.gap import gap_between
    from exactdp.analysis.graph_census import graph_census
    from exactdp.analysis.inference import (
        bayesian_update,
        clip_and_renormalise,
        likelihood_gap,
        matrix_inversion,
        maximum_likelihood,
        project_to_simplex,
    )
    from exactdp.analysis.kernel_levels import kernel_counts
    from exactdp.analysis.kernels import kernel_count, kernel_mechanisms, vertex_count
    from exactdp.analysis.leakage import hamming_leakage, leakage, leakage_bound, utility, utility_bound
    from exactdp.analysis.mixtures import is_kernel_mechanism, kernel_mixture, kernel_mixtures
    from exactdp.analysis.on_region import is_optimal_on_region
    from exactdp.analysis.outside import tight_gap
    from exactdp.analysis.refinement import refinement_order
    from exactdp.analysis.region_levels import regular_levels, singular_levels, tight_levels
    from exactdp.analysis.regular import corner_prior, is_regular
    from exactdp.analysis.singular import is_singular
    from exactdp.analysis.tight import is_tight_unique, tight_mechanism
    from exactdp.analysis.tight_threshold import tight_threshold
    from exactdp.analysis.universal import is_universally_optimal, universally_optimal_mechanism
    from exactdp.analysis.universal_levels import universal_by_level
    from exactdp.analysis.utility_set import utility_set
    from exactdp.analysis.vulnerability import additive_leakage, multiplicative_leakage, uncertainty, vulnerability
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
    from exactdp.mechanisms.additive import censored, folded_geometric, lumped
    from exactdp.mechanisms.coins import rappor, two_coin
    from exactdp.mechanisms.exponential import Scores, exponential_mechanism
    from exactdp.mechanisms.laplace import RoundedLaplaceNoise
    from exactdp.mechanisms.noisy_max import noisy_max
    from exactdp.mechanisms.specs import mechanism_from_spec
    from exactdp.mechanisms.staircase import StaircaseNoise, staircase
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
    from exactdp.model.doors import from_floats, table_of
    from exactdp.model.hyper import Hyper
    from exactdp.model.query_graph import query_graph

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
    "Hyper",
    "Interval",
    "Loss",
    "Mechanism",
    "Metric",
    "MinimaxConsumer",
    "Prior",
    "PrivacyClaim",
    "PrivacyLevel",
    "Rational",
    "RationalFunctionField",
    "Remap",
    "RoundedLaplaceNoise",
    "Scores",
    "SideInformation",
    "StaircaseNoise",
    "Table",
    "TightestLevel",
    "Verdict",
    "additive_leakage",
    "audit",
    "bayesian_update",
    "best_remap",
    "best_remap_by_level",
    "capacity",
    "censored",
    "certify",
    "clip_and_renormalise",
    "collection_level",
    "corner_prior",
    "derivable_levels",
    "determinant",
    "dual_bound",
    "exponential_mechanism",
    "folded_geometric",
    "from_float",
    "from_floats",
    "gap_between",
    "geometric",
    "geometric_prime",
    "graph_census",
    "hamming_leakage",
    "identity",
    "is_approximately_private",
    "is_best_remap",
    "is_derivable",
    "is_kernel_mechanism",
    "is_optimal",
    "is_optimal_after_remap",
    "is_optimal_by_level",
    "is_optimal_on_region",
    "is_optimum_unique",
    "is_private",
    "is_refined_by",
    "is_regular",
    "is_remap_unique",
    "is_singular",
    "is_stochastic",
    "is_tight_unique",
    "is_universally_optimal",
    "kernel_count",
    "kernel_counts",
    "kernel_mechanisms",
    "kernel_mixture",
    "kernel_mixtures",
    "leakage",
    "leakage_bound",
    "least_delta",
    "level_for",
    "level_for_delta",
    "likelihood_gap",
    "lumped",
    "lumped_geometric",
    "matrix_inversion",
    "maximum_likelihood",
    "mechanism_from_spec",
    "multi_level_release",
    "multiplicative_leakage",
    "neighbours",
    "noisy_max",
    "oblivious_average",
    "optimum",
    "optimum_by_level",
    "parallel_level",
    "private_levels",
    "project_to_simplex",
    "query_graph",
    "randomized_response",
    "rappor",
    "refinement_order",
    "regular_levels",
    "sequential_level",
    "singular_levels",
    "staircase",
    "stochastic_levels",
    "table_of",
    "tight_gap",
    "tight_levels",
    "tight_mechanism",
    "tight_threshold",
    "tightest_level",
    "truncate",
    "two_coin",
    "type_capacity",
    "uncertainty",
    "uniform",
    "universal_by_level",
    "universally_optimal_mechanism",
    "utility",
    "utility_bound",
    "utility_set",
    "verify_optimal",
    "vertex_count",
    "vulnerability",
]


_HOMES = {
    "analysis": (
        "Decision",
        "Verdict",
        "best_remap",
        "best_remap_by_level",
        "derivable_levels",
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
        "private_levels",
        "stochastic_levels",
        "tightest_level",
        "verify_optimal",
    ),
    "analysis.capacity": ("capacity", "type_capacity"),
    "analysis.kernel_levels": ("kernel_counts",),
    "analysis.kernels": ("kernel_count", "kernel_mechanisms", "vertex_count"),
    "analysis.mixtures": ("is_kernel_mechanism", "kernel_mixture", "kernel_mixtures"),
    "analysis.refinement": ("refinement_order",),
    "analysis.universal": ("is_universally_optimal", "universally_optimal_mechanism"),
    "analysis.universal_levels": ("universal_by_level",),
    "analysis.utility_set": ("utility_set",),
    "analysis.vulnerability": ("additive_leakage", "multiplicative_leakage", "uncertainty", "vulnerability"),
    "model.hyper": ("Hyper",),
    "analysis.graph_census": ("graph_census",),
    "analysis.leakage": ("hamming_leakage", "leakage", "leakage_bound", "utility", "utility_bound"),
    "analysis.on_region": ("is_optimal_on_region",),
    "analysis.outside": ("tight_gap",),
    "analysis.region_levels": ("regular_levels", "singular_levels", "tight_levels"),
    "analysis.regular": ("corner_prior", "is_regular"),
    "analysis.singular": ("is_singular",),
    "analysis.tight": ("is_tight_unique", "tight_mechanism"),
    "analysis.tight_threshold": ("tight_threshold",),
    "model.query_graph": ("query_graph",),
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
    "analysis.audit": (
        "PrivacyClaim",
        "audit",
    ),
    "analysis.composition": (
        "collection_level",
        "oblivious_average",
        "parallel_level",
        "sequential_level",
    ),
    "analysis.delta": (
        "is_approximately_private",
        "least_delta",
        "level_for_delta",
    ),
    "analysis.gap": ("gap_between",),
    "analysis.inference": (
        "bayesian_update",
        "clip_and_renormalise",
        "likelihood_gap",
        "matrix_inversion",
        "maximum_likelihood",
        "project_to_simplex",
    ),
    "mechanisms.additive": (
        "censored",
        "folded_geometric",
        "lumped",
    ),
    "mechanisms.coins": (
        "rappor",
        "two_coin",
    ),
    "mechanisms.exponential": (
        "Scores",
        "exponential_mechanism",
    ),
    "mechanisms.laplace": ("RoundedLaplaceNoise",),
    "mechanisms.noisy_max": ("noisy_max",),
    "mechanisms.specs": ("mechanism_from_spec",),
    "mechanisms.staircase": (
        "StaircaseNoise",
        "staircase",
    ),
    "model.doors": (
        "from_floats",
        "table_of",
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
