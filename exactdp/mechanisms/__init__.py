# SPDX-License-Identifier: MIT
"""Constructors of mechanisms, one family per file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

from exactdp.mechanisms.geometric import K, column_scales, geometric, geometric_prime

if TYPE_CHECKING:
    from exactdp.mechanisms.noise import FiniteNoise, GeometricNoise, IntegerNoise, clamp_remap, lumped_geometric, truncate, unclamp_remap
    from exactdp.mechanisms.responses import identity, randomized_response, uniform
    from exactdp.mechanisms.words import is_mechanism_spec, mechanism_from_spec

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "noise": ["FiniteNoise", "GeometricNoise", "IntegerNoise", "clamp_remap", "lumped_geometric", "truncate", "unclamp_remap"],
        "responses": ["identity", "randomized_response", "uniform"],
        "words": ["is_mechanism_spec", "mechanism_from_spec"],
    },
)

__all__ = [
    "FiniteNoise",
    "GeometricNoise",
    "IntegerNoise",
    "K",
    "clamp_remap",
    "column_scales",
    "geometric",
    "geometric_prime",
    "identity",
    "is_mechanism_spec",
    "lumped_geometric",
    "mechanism_from_spec",
    "randomized_response",
    "truncate",
    "unclamp_remap",
    "uniform",
]
