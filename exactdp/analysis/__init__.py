# SPDX-License-Identifier: MIT
"""One question a module; every answer is a verdict, with a witness both ways."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from exactdp.analysis.composition import Coalition, ReleaseEvidence, multi_level_release
    from exactdp.analysis.determinant import DeterminantEvidence
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
        OptimalityAtPoint,
        OptimalityEvidence,
        is_optimal,
        is_optimal_after_remap,
        verify_optimal,
    )
    from exactdp.analysis.optimality.optimum import OptimumAtPoint, OptimumEvidence, optimum
    from exactdp.analysis.optimality.remap import GivenRemapEvidence, RemapEvidence, as_deployed, best_remap, is_best_remap, remap_bound
    from exactdp.analysis.optimality.submitted import NearestDual, compared, is_optimum_value, nearest_dual
    from exactdp.analysis.optimality.uniqueness import RemapUniqueness, Uniqueness, is_optimum_unique, is_remap_unique
    from exactdp.analysis.privacy import (
        Cell,
        PrivacyEvidence,
        StochasticEvidence,
        is_private,
        is_stochastic,
        level_as_it_stands,
        of_unrounded,
        tightest_level,
    )
    from exactdp.analysis.refinement import DerivabilityEvidence, Triple, is_derivable, is_refined_by
    from exactdp.analysis.verdict import Decision, Scope, Verdict

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "composition": ["Coalition", "ReleaseEvidence", "multi_level_release"],
        "determinant": ["DeterminantEvidence"],
        "levels": [
            "DerivableLevels",
            "LevelFault",
            "PrivateLevels",
            "StochasticLevels",
            "derivable_levels",
            "private_levels",
            "stochastic_levels",
        ],
        "optimality.by_level": [
            "OptimalityByLevel",
            "OptimalityOnPiece",
            "OptimumByLevel",
            "RemapByLevel",
            "best_remap_by_level",
            "is_optimal_by_level",
            "optimum_by_level",
        ],
        "optimality.dual": ["DualBound", "DualFault", "dual_bound"],
        "optimality.mechanism": [
            "DualEvidence",
            "OptimalityAfterRemapEvidence",
            "OptimalityAtPoint",
            "OptimalityEvidence",
            "is_optimal",
            "is_optimal_after_remap",
            "verify_optimal",
        ],
        "optimality.optimum": ["OptimumAtPoint", "OptimumEvidence", "optimum"],
        "optimality.remap": ["GivenRemapEvidence", "RemapEvidence", "as_deployed", "best_remap", "is_best_remap", "remap_bound"],
        "optimality.submitted": ["NearestDual", "compared", "is_optimum_value", "nearest_dual"],
        "optimality.uniqueness": ["RemapUniqueness", "Uniqueness", "is_optimum_unique", "is_remap_unique"],
        "privacy": [
            "Cell",
            "PrivacyEvidence",
            "StochasticEvidence",
            "is_private",
            "is_stochastic",
            "level_as_it_stands",
            "of_unrounded",
            "tightest_level",
        ],
        "refinement": ["DerivabilityEvidence", "Triple", "is_derivable", "is_refined_by"],
        "verdict": ["Decision", "Scope", "Verdict"],
    },
)

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
    "NearestDual",
    "OptimalityAfterRemapEvidence",
    "OptimalityAtPoint",
    "OptimalityByLevel",
    "OptimalityEvidence",
    "OptimalityOnPiece",
    "OptimumAtPoint",
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
    "as_deployed",
    "best_remap",
    "best_remap_by_level",
    "compared",
    "derivable_levels",
    "dual_bound",
    "is_best_remap",
    "is_derivable",
    "is_optimal",
    "is_optimal_after_remap",
    "is_optimal_by_level",
    "is_optimum_unique",
    "is_optimum_value",
    "is_private",
    "is_refined_by",
    "is_remap_unique",
    "is_stochastic",
    "level_as_it_stands",
    "multi_level_release",
    "nearest_dual",
    "of_unrounded",
    "optimum",
    "optimum_by_level",
    "private_levels",
    "remap_bound",
    "stochastic_levels",
    "tightest_level",
    "verify_optimal",
]
