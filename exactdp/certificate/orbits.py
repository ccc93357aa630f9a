# SPDX-License-Identifier: MIT
"""Certificates about optima on symmetric neighbours: one column of each orbit of guesses (SPEC.md §4.17).

An automorphism of the neighbours that also keeps the losses and weights maps an optimal column to an optimal
column, and the multipliers that prove one guess to those that prove another. So a certificate lists one guess
of each orbit, and automorphisms that lead to the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from exactdp.analysis.optimality.optimum import OptimumEvidence
from exactdp.certificate.encode import Definitions, Parts, matrix_json, scalar_json, sparse_rows_json, vector_json
from exactdp.exact import QQ, common_field, field_of, is_nonzero
from exactdp.model import BayesianConsumer, Mechanism
from exactdp.model.consumer import Problem
from exactdp.search.entry_cells import Permutation, Symmetry

MANY = 2**16
"""From so many pairs of neighbours times guesses on a symmetric optimum is written by its orbits."""

MANY_OVER_A_FIELD = 2**10
"""The same over a field, whose products are long."""


class Images(NamedTuple):
    """Guesses that are listed, automorphisms, and (guess, source, automorphism's number) of the others."""

    listed: list[int]
    automorphisms: list[Permutation]
    images: list[tuple[int, int, int]]


def images_of(automorphisms: Sequence[Permutation], guesses: int) -> Images:
    """The least guess of each orbit, and how the others come from it.

    >>> images_of([(1, 2, 0)], 3)
    Images(listed=[0], automorphisms=[(1, 2, 0)], images=[(1, 0, 0), (2, 1, 0)])
    """
    reached = [False] * guesses
    listed, images = list[int](), list[tuple[int, int, int]]()
    for first in range(guesses):
        if reached[first]:
            continue
        listed.append(first)
        reached[first] = True
        waiting = [first]
        for r in waiting:  # it grows
            for number, g in enumerate(automorphisms):
                if not reached[g[r]]:
                    reached[g[r]] = True
                    waiting.append(g[r])
                    images.append((g[r], r, number))
    return Images(listed, list(automorphisms), images)


def optimum_by_orbits(e: OptimumEvidence) -> Parts | None:
    """The certificate of a large optimum by its orbits; None where it is small, or not symmetric."""
    found, size = e.found, len(e.neighbours.vertices)
    symmetric = isinstance(found, Mechanism) and e.dual.edges is not None and len(found.outputs) == size
    if not symmetric or len(e.neighbours.pairs()) * size < _least_size(e):
        return None
    known = images_of(Symmetry(Problem(e.neighbours, e.level, e.consumer)).generators, size)
    if not known.images or not _is_kept(e, known):
        return None
    d = Definitions()
    claim = {"kind": "optimal-by-orbits", **d.at(e.neighbours, e.level), "consumer": d.consumer(e.consumer)}
    return {**claim, "value": scalar_json(e.least_loss)}, d, _witness(e, known)


def _least_size(e: OptimumEvidence) -> int:
    """From how many multipliers on orbits are used."""
    return MANY if common_field(e.level.alpha, *e.dual.numbers) == QQ else MANY_OVER_A_FIELD


def _is_kept(e: OptimumEvidence, known: Images) -> bool:
    """Whether the mechanism, the potentials and the weights are their own images."""
    columns = list(zip(*e.best.matrix.rows(), strict=True))
    potentials = e.dual.potentials
    for guess, source, number in known.images:
        g = known.automorphisms[number]
        if not _same([columns[guess][i] for i in g], columns[source]):
            return False
    return all(_same([row[i] for i in g], row) for g in known.automorphisms for row in (potentials, e.dual.weights) if row)


def _same(xs: Sequence[Any], ys: Sequence[Any]) -> bool:
    return all(x is y or x == y for x, y in zip(xs, ys, strict=True))


def _witness(e: OptimumEvidence, known: Images) -> dict[str, Any]:
    """The listed columns, the dual at the listed guesses, and the images."""
    dual = e.dual
    assert dual.edges is not None
    assert dual.potentials is not None
    field = common_field(field_of(dual.weights), field_of(dual.potentials), *(field_of(row) for row in dual.edges))
    edges = [{k: field(row[r]) for k, row in enumerate(dual.edges) if is_nonzero(row[r])} for r in known.listed]
    minimax = {} if isinstance(e.consumer, BayesianConsumer) else {"weights": vector_json([field(w) for w in dual.weights])}
    return {
        "automorphisms": [list(g) for g in known.automorphisms],
        "guesses": known.listed,
        "images": [list(image) for image in known.images],
        "columns": matrix_json(list(zip(*([row[r] for r in known.listed] for row in e.best.matrix.rows()), strict=True))),
        **minimax,
        "potentials": vector_json([field(u) for u in dual.potentials]),
        "edges": sparse_rows_json(edges),
    }
