# SPDX-License-Identifier: MIT
"""A certificate of every kind about privacy types, made once for the tests of several folders."""

from __future__ import annotations

from exactdp import certify, geometric, identity, neighbours, uniform
from exactdp.analysis.leakage import capacity, type_capacity
from exactdp.analysis.refinement import refinement_order
from exactdp.analysis.types.kernels import kernel_count, kernel_mechanisms, kernel_on, vertex_count
from exactdp.analysis.types.mixtures import is_kernel_mechanism, kernel_mixture, kernel_mixtures
from exactdp.analysis.types.universal import is_universally_optimal, universally_optimal_mechanism
from exactdp.model import Loss, Mechanism


def verdicts():
    path, star, triangle, square = (neighbours(text) for text in ("path:4", "star:4", "complete:3", "cycle:4"))
    two = Loss([[0, 1], [1, 0], [1, 0]], triangle.vertices)
    halves = [k for k in kernel_mechanisms(triangle, "1/2") if len(k.support) == 2]
    pairs = [k.mechanism for k in _orbit(halves[0])]
    yield "vertices", vertex_count(square, "1/3")
    yield "kernel-count", kernel_count(path, "1/2")
    yield "kernel-mechanism", is_kernel_mechanism(geometric(3, "1/2"), path, "1/2")
    yield "not-kernel-mechanism", is_kernel_mechanism(uniform(path.vertices), path, "1/2")
    yield (
        "refines-mixture",
        kernel_mixture(Mechanism.external_choice([geometric(3, "2/3"), uniform(path.vertices)], ["1/3", "2/3"]), path, "1/2"),
    )
    yield "kernel-mixtures", kernel_mixtures(Mechanism.external_choice(pairs, ["1/3", "1/3", "1/3"]), triangle, "1/2")
    yield "capacity", capacity(geometric(3, "1/2"), "additive")
    yield "type-capacity", type_capacity(square, "1/2", "additive")
    yield "type-capacity", type_capacity(path, "1/3")
    yield "universally-optimal", universally_optimal_mechanism(path, "1/2", Loss.squared(path.vertices))
    yield "universally-optimal", universally_optimal_mechanism(star, "1/3", Loss.zero_one(star.vertices))
    yield "universally-optimal", universally_optimal_mechanism(triangle, "1/2", two)
    yield "universally-optimal", universally_optimal_mechanism(triangle, "1/2", Loss([[0, 1], [1, 0], [0, 0]], triangle.vertices))
    yield "not-universally-optimal", is_universally_optimal(uniform(path.vertices), path, "1/2", Loss.zero_one(path.vertices))
    yield "no-universally-optimal", universally_optimal_mechanism(square, "1/2", Loss.zero_one(square.vertices))
    yield "refinement-order", refinement_order({"G": geometric(2, "1/2"), "H": geometric(2, "1/4"), "I": identity(range(3))})


def _orbit(kernel_found):
    """The kernel mechanisms of one class."""
    P = kernel_found.polytope
    return [kernel_on(P, s) for s in sorted({tuple(sorted(g[v] for v in kernel_found.support)) for g in P.symmetries})]


POOL = [(kind, certify(verdict)) for kind, verdict in verdicts()]
