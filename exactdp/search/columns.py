# SPDX-License-Identifier: MIT
"""Column generation for the optimal-mechanism LP on a forest, for any loss (untrusted; docs/mathematics.md §2).

Every column of a private mechanism is a sum of extreme rays of the privacy cone, so the variables are weights θ_c ≥ 0 of pairs
c = (guess r, ray h). With K_ii = 1 + (deg i − 1)α² and −α beside the diagonal, (K h)_i/(1 − α²) = h_i·(1 − number of larger
neighbours) is zero except at peaks and troughs; this keeps the master problem sparse::

    minimise d   with   Σ_c θ_c (K h_c)_i/(1 − α²) = s_i = (1 − (deg i − 1)α)/(1 + α)      for every input i    (multiplier u_i)
                        d − Σ_c θ_c l(i, r_c) h_ci ≥ 0                                     for every i ∈ S      (multiplier λ_i)

(a Bayesian consumer pays Σ_i π_i l(i, r_c) h_ci instead). The potentials are μ = K u/(1 − α²). A column is missing if
Σ_i (λ_i l(i, r) − μ_i) h_i < 0 for some ray: first looked for in doubles, then decided exactly.
"""

from __future__ import annotations

from typing import Any

from exactdp.errors import ResourceLimitError
from exactdp.exact import Rational
from exactdp.model import AdjacencyGraph, Consumer, Dual, Mechanism
from exactdp.search.highs import Proposer, propose_basis
from exactdp.search.limits import Limit, Listener, reporter
from exactdp.search.lp import Basis, Optimal, solve
from exactdp.search.ray_master import Master

__all__ = ["propose_by_columns"]


def propose_by_columns(
    graph: AdjacencyGraph,
    alpha: Rational,
    consumer: Consumer,
    *,
    proposer: Proposer | None = propose_basis,
    progress: Listener | None = None,
    limit: Limit | None = None,
) -> tuple[Mechanism, Dual]:
    """An optimal mechanism on a forest, and its weights and potentials.

    Parameters
    ----------
    graph : AdjacencyGraph
        Without cycles.
    alpha : Rational
        0 < α < 1.
    consumer : MinimaxConsumer or BayesianConsumer
        On the graph's vertices, any loss.
    proposer, progress, limit
        As for :func:`exactdp.search.lp.solve`; without a proposer everything is done exactly from the start.

    Raises
    ------
    ResourceLimitError
        The limit ended the search; carries ``table``, ``dual``, the numbers so far (None, or neither private nor proving anything yet).

    Examples
    --------
    >>> from exactdp.model import Loss, MinimaxConsumer
    >>> graph = AdjacencyGraph.path(2)
    >>> mechanism, dual = propose_by_columns(graph, Rational("1/2"), MinimaxConsumer(Loss.zero_one(graph.vertices)))
    >>> mechanism[0, 0], sum(dual.potentials)
    (Rational('2/3'), Rational('1/3'))
    """
    master = Master(graph, alpha, consumer)
    report = reporter(progress, limit)
    table: Any = None
    dual: Dual | None = None
    try:
        basis = master.float_rounds(report) if proposer is not None else None
        while True:
            answer = solve(master.program(), start=basis, proposer=proposer, progress=report)
            assert isinstance(answer, Optimal)
            table, dual = list(master.mechanism(answer.x).matrix.rows()), master.dual(answer.y)
            missing = master.missing(answer.y)
            if not missing:
                return master.mechanism(answer.x), dual
            known = len(master.columns)
            for column in missing:
                master.add(column)
            assert len(master.columns) > known, "a column that is missing was already there"
            basis = _basis_of(answer, len(master.columns) + 1)
    except ResourceLimitError as error:
        raise ResourceLimitError(error.message, **{**error.facts, "vertex": None, "table": table, "dual": dual}) from None


def _basis_of(answer: Optimal, size: int) -> Basis:
    """A basis at which the answer is the vertex: the columns in use, and the rows without a multiplier."""
    columns = [bool(v) for v in answer.x]
    columns[0] = True
    return Basis((*columns, *[False] * (size - len(columns))), tuple(not y for y in answer.y))
