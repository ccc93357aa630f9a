# SPDX-License-Identifier: MIT
"""Shared by the replays: graphs and levels to try, priors, private mechanisms, levels given as ε."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from exactdp.analysis import Verdict
from exactdp.analysis.tight.regular_priors import corner_prior
from exactdp.analysis.tight.tight_mechanism import tight_mechanism
from exactdp.analysis.verdict import Decision
from exactdp.exact import ExactMatrix, ExponentialField, Rational
from exactdp.mechanisms import geometric, identity, uniform
from exactdp.model import Graph, Mechanism, Prior, PrivacyLevel, neighbours
from exactdp.model.constraint_matrix import ConstraintMatrix

LEVELS = ("1/10", "1/4", "1/2", "3/4", "9/10")
"""Levels at which universal statements are tried."""

GRAPHS = ("path:2", "path:4", "cycle:5", "complete:4", "star:4", "grid:2x3", "counts:u=2,k=2", "sum:u=3,v=2")
"""Graphs on which they are tried."""


def graph(text: str) -> Graph:
    """A graph from its short word."""
    found = neighbours(text)
    assert isinstance(found, Graph)
    return found


def halves() -> Graph:
    """Appendix B's graph: the cube with opposite corners joined; each even corner is adjacent to all odd."""
    words = [f"{i:03b}" for i in range(8)]
    edges = [(i, j) for i in range(8) for j in range(i + 1, 8) if (i ^ j).bit_count() in {1, 3}]
    return Graph(words, edges, name="the cube with opposite corners joined")


def witness_graph() -> Graph:
    """The smallest kind of graph on which existence is not monotone: 6 vertices, 10 edges."""
    edges = [(0, 1), (0, 2), (0, 3), (1, 4), (1, 5), (2, 4), (2, 5), (3, 4), (3, 5), (4, 5)]
    return Graph(range(6), edges, name="six answers")


def at_epsilon(text: str) -> PrivacyLevel:
    """The level e^(−ε)."""
    return PrivacyLevel(ExponentialField(Rational(text)).gen)


def evidence(claim: str, found: Any) -> Verdict[Any]:
    """A proved verdict around evidence put together by hand; its certificate is checked when it is made."""
    return Verdict(Decision.PROVED, claim, found)


def phi(near: Graph, alpha: PrivacyLevel) -> ExactMatrix:
    """Φ."""
    return ConstraintMatrix.of(near).at(alpha)


def instances(graphs: Sequence[str] = GRAPHS, levels: Sequence[str] = LEVELS) -> Iterator[tuple[Graph, PrivacyLevel, ExactMatrix]]:
    """Each graph at each level, with its Φ."""
    for near, alpha in product(map(graph, graphs), map(PrivacyLevel, levels)):
        yield near, alpha, phi(near, alpha)


def priors(near: Graph, alpha: PrivacyLevel) -> Iterator[tuple[Prior, tuple[Any, ...]]]:
    """Regular priors with their y: the corners, and two mixtures of all of them."""
    n = len(near.vertices)
    matrix = phi(near, alpha)
    for weights in (*[tuple(int(i == c) for i in range(n)) for c in range(n)], (1,) * n, tuple(range(n))):
        masses = [sum((w * matrix[i, k] for i, w in enumerate(weights)), Rational(0)) for k in range(n)]
        total = sum(masses, Rational(0))
        yield Prior([x / total for x in masses], near.vertices), tuple(w / total for w in weights)


def mechanisms(near: Graph, alpha: PrivacyLevel) -> Iterator[Mechanism]:
    """Private mechanisms: uniform, constant, tight-constraints if any, its mean with uniform; on a path G."""
    labels = near.vertices
    n = len(labels)
    flat = Mechanism(uniform(range(n)).matrix, labels, labels)
    constant = Mechanism(ExactMatrix([[int(k == 0) for k in range(n)] for _ in range(n)]), labels, labels)
    yield flat
    yield constant
    tight = tight_mechanism(near, alpha).evidence.mechanism
    if tight is not None:
        yield tight
        yield Mechanism((tight.matrix + flat.matrix).map(lambda x: x / 2), labels, labels)
    if near.is_path:
        yield Mechanism(geometric(n - 1, alpha).matrix, labels, labels)
        yield Mechanism(geometric(n - 1, alpha).matrix @ identity(range(n)).matrix, labels, labels)


def slack(matrix: ExactMatrix, m: Mechanism) -> list[Any]:
    """The slack s with Φ·diag(X) + s = 1."""
    n = matrix.shape[0]
    return [1 - sum((matrix[i, k] * m[k, k] for k in range(n)), Rational(0)) for i in range(n)]


def corners(near: Graph, alpha: PrivacyLevel) -> list[Prior]:
    """All corner priors."""
    return [corner_prior(near, alpha, i) for i in range(len(near.vertices))]
