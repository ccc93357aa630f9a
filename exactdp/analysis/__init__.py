# SPDX-License-Identifier: MIT
"""One question a module; every answer is a verdict, with a witness both ways."""

from __future__ import annotations

from exactdp.analysis.composition import Coalition, ReleaseEvidence, multi_level_release
from exactdp.analysis.determinant import DeterminantEvidence, determinant
from exactdp.analysis.levels import (
    DerivableLevels,
    LevelFault,
    PrivateLevels,
    StochasticLevels,
    derivable_levels,
    private_levels,
    stochastic_levels,
)
from exactdp.analysis.optimality.by_level import (
    OptimalityByLevel,
    OptimalityOnPiece,
    OptimumByLevel,
    RemapByLevel,
    best_remap_by_level,
    is_optimal_by_level,
    optimum_by_level,
)
from exactdp.analysis.optimality.dual import DualBound, DualFault, dual_bound
from exactdp.analysis.optimality.mechanism import (
    DualEvidence,
    OptimalityAfterRemapEvidence,
    OptimalityEvidence,
    is_optimal,
    is_optimal_after_remap,
    verify_optimal,
)
from exactdp.analysis.optimality.optimum import OptimumEvidence, optimum
from exactdp.analysis.optimality.remap import GivenRemapEvidence, RemapEvidence, best_remap, is_best_remap, remap_bound
from exactdp.analysis.optimality.uniqueness import RemapUniqueness, Uniqueness, is_optimum_unique, is_remap_unique
from exactdp.analysis.privacy import Cell, PrivacyEvidence, StochasticEvidence, is_private, is_stochastic, tightest_level
from exactdp.analysis.refinement import DerivabilityEvidence, Triple, is_derivable, is_refined_by
from exactdp.analysis.verdict import Decision, Scope, Verdict

__all__ = [
    "Cell",
    "Coalition",
    "Decision",
    "DerivabilityEvidence",
    "DerivableLevels",
    "DeterminantEvidence",
    "DualBound",
    "DualEvidence",
    "DualFault",
    "GivenRemapEvidence",
    "LevelFault",
    "OptimalityAfterRemapEvidence",
    "OptimalityByLevel",
    "OptimalityEvidence",
    "OptimalityOnPiece",
    "OptimumByLevel",
    "OptimumEvidence",
    "PrivacyEvidence",
    "PrivateLevels",
    "ReleaseEvidence",
    "RemapByLevel",
    "RemapEvidence",
    "RemapUniqueness",
    "Scope",
    "StochasticEvidence",
    "StochasticLevels",
    "Triple",
    "Uniqueness",
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
    "remap_bound",
    "stochastic_levels",
    "tightest_level",
    "verify_optimal",
]
