# SPDX-License-Identifier: MIT
"""Constructors of mechanisms, one family per file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

from exactdp.mechanisms.geometric import K, column_scales, geometric, geometric_prime

if TYPE_CHECKING:
    from exactdp.mechanisms.libraries import Implemented, implemented_by, is_implementation
    from exactdp.mechanisms.noise import FiniteNoise, GeometricNoise, IntegerNoise, clamp_remap, lumped_geometric, truncate, unclamp_remap
    from exactdp.mechanisms.responses import identity, randomized_response, uniform
    from exactdp.mechanisms.words import (
        FAMILIES,
        is_meant,
        is_mechanism_spec,
        mechanism_from_spec,
        nearest_word,
        needs_level,
        neighbours_name,
        with_numbers,
        word_neighbours,
    )

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "libraries": ["Implemented", "implemented_by", "is_implementation"],
        "noise": ["FiniteNoise", "GeometricNoise", "IntegerNoise", "clamp_remap", "lumped_geometric", "truncate", "unclamp_remap"],
        "responses": ["identity", "randomized_response", "uniform"],
        "words": [
            "FAMILIES",
            "is_meant",
            "is_mechanism_spec",
            "mechanism_from_spec",
            "nearest_word",
            "needs_level",
            "neighbours_name",
            "with_numbers",
            "word_neighbours",
        ],
    },
)

__all__ = [
    "FAMILIES",
    "FiniteNoise",
    "GeometricNoise",
    "Implemented",
    "IntegerNoise",
    "K",
    "clamp_remap",
    "column_scales",
    "geometric",
    "geometric_prime",
    "identity",
    "implemented_by",
    "is_implementation",
    "is_meant",
    "is_mechanism_spec",
    "lumped_geometric",
    "mechanism_from_spec",
    "nearest_word",
    "needs_level",
    "neighbours_name",
    "randomized_response",
    "truncate",
    "unclamp_remap",
    "uniform",
    "with_numbers",
    "word_neighbours",
]
