# SPDX-License-Identifier: MIT
"""A consumer without dominated guesses: those for which another guess is as good at every input that counts.

What a private mechanism gives to a dominated guess can be given to the other one instead, and a dual of the
smaller problem treats the guess like the one that replaces it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exactdp.exact import QQ, ExactMatrix
from exactdp.model import BayesianConsumer, Consumer, Dual, Loss, Mechanism, MinimaxConsumer
from exactdp.runtime.progress import row_by_row


class Undominated:
    """The ``consumer`` without dominated guesses, and the way back; of equal guesses the first stays.

    Examples
    --------
    >>> smaller = Undominated(MinimaxConsumer(Loss([[0, 1, 0, 2], [1, 0, 1, 2]])))
    >>> smaller.consumer.loss.guesses
    ('0', '1')
    >>> smaller.mechanism(Mechanism([["2/3", "1/3"], ["1/3", "2/3"]])).matrix.row(0)
    (Rational('2/3'), Rational('1/3'), Rational('0'), Rational('0'))
    """

    def __init__(self, consumer: Consumer) -> None:
        self._full = consumer
        loss = consumer.loss.matrix
        if isinstance(consumer, BayesianConsumer):
            rows = [i for i, p in enumerate(consumer.prior.weights) if p]
        else:
            rows = list(consumer.side_information.indices)
        table: Sequence[Sequence[Any]] = loss.integer_rows()[1] if loss.field == QQ else list(loss.rows())  # integers are compared faster
        columns = list(zip(*(table[i] for i in rows), strict=True))
        kept: list[int] = []
        self._instead = [0] * len(columns)
        # a better column has a smaller sum, or the same sum and equal entries
        order = sorted(range(len(columns)), key=lambda r: (sum(columns[r][1:], columns[r][0]), r))
        for r in row_by_row(order, "guesses compared with better ones", (len(columns), len(rows) * len(columns) // 4)):
            better = (k for k in kept if all(x <= y for x, y in zip(columns[k], columns[r], strict=True)))
            self._instead[r] = next(better, r)
            if self._instead[r] == r:
                kept.append(r)
        self._place = {r: k for k, r in enumerate(sorted(kept))}
        self.consumer = consumer if len(kept) == len(columns) else self._reduced()

    def _reduced(self) -> Consumer:
        full, loss = self._full, self._full.loss
        table = ExactMatrix([[row[r] for r in self._place] for row in loss.matrix.rows()], loss.matrix.field)
        smaller = Loss(table, loss.inputs, [loss.guesses[r] for r in self._place])
        if isinstance(full, BayesianConsumer):
            return BayesianConsumer(smaller, full.prior)
        return MinimaxConsumer(smaller, full.side_information)

    def mechanism(self, reduced: Mechanism) -> Mechanism:
        """The same mechanism with columns of zeros for the other guesses."""
        if self.consumer is self._full:
            return reduced
        place, zero = self._place, reduced.field.zero
        rows = [[row[place[r]] if r in place else zero for r in range(len(self._instead))] for row in reduced.matrix.rows()]
        return Mechanism(ExactMatrix(rows, reduced.field), reduced.inputs, self._full.loss.guesses)

    def dual(self, reduced: Dual) -> Dual:
        """The same dual with the edge multipliers of the better guesses for the others."""
        if self.consumer is self._full or reduced.edges is None:
            return reduced
        edges: Any = tuple(tuple(row[self._place[r]] for r in self._instead) for row in reduced.edges)
        return Dual(reduced.weights, reduced.potentials, edges)
