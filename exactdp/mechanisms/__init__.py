# SPDX-License-Identifier: MIT
"""Constructors of mechanisms, one family per file."""

from exactdp.mechanisms.geometric import K, column_scales, geometric, geometric_prime
from exactdp.mechanisms.noise import FiniteNoise, GeometricNoise, IntegerNoise, truncate
from exactdp.mechanisms.simple import identity, randomized_response, randomized_response_at, uniform
from exactdp.mechanisms.specs import MECHANISM_FORMS, is_mechanism_spec, mechanism_from_spec
from exactdp.mechanisms.unbounded import clamp_remap, lumped_geometric, unclamp_remap

__all__ = [
    "MECHANISM_FORMS",
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
    "randomized_response_at",
    "truncate",
    "unclamp_remap",
    "uniform",
]
