# SPDX-License-Identifier: MIT
"""The least zero-one loss on large complete graphs and cubes: a formula, and an optimal mechanism by its law.

On these graphs the sum s = Σ_r α^d(i,r) is the same for every input i. Then α^d(i,r)/s is an optimal
mechanism for guessing the input, under the uniform prior and in the worst case over all inputs. Its loss is
1 − 1/s at every input (`law_optimal`, proofs/coq/DistanceLaws.v). No table is built before it is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from math import comb
from typing import Any, TypeGuard

from exactdp.analysis.verdict import Decision, Verdict, scope_of
from exactdp.analysis.wording import private_on, whose
from exactdp.errors import InputError
from exactdp.exact import ExactMatrix, ExponentialNumber, Rational
from exactdp.model import BayesianConsumer, Consumer, Dual, LevelLike, Mechanism, MinimaxConsumer, PrivacyLevel, as_level, neighbours
from exactdp.runtime.budget import figure, require_budget
from exactdp.runtime.values import dataclass

LARGE = 2**14
"""With so many multipliers (pairs of neighbours times guesses) or fewer a linear program is solved.

It takes as long as the rest of a command, and its certificate is checked number by number.
"""

MOST = 10**9
"""Inputs of a complete graph, which the certificate's format can count."""

MOST_BITS = 4096


@dataclass(frozen=True, slots=True)
class SymmetricGraph:
    """A complete graph of ``size`` inputs, or the words of ``size`` bits.

    >>> cube = SymmetricGraph("hypercube", 12)
    >>> cube.inputs, cube.multipliers, list(cube.shells())[:3]
    (4096, 100663296, [(0, 1), (1, 12), (2, 66)])
    """

    family: str
    size: int

    @property
    def inputs(self) -> int:
        """How many inputs there are."""
        return self.size if self.family == "complete" else int(2**self.size)

    @property
    def multipliers(self) -> int:
        """Pairs of neighbours times guesses."""
        others = self.size - 1 if self.family == "complete" else self.size
        return self.inputs**2 * others // 2

    def shells(self) -> Iterator[tuple[int, int]]:
        """Each distance, and how many inputs have it from any one."""
        if self.family == "complete":
            yield from ((0, 1), (1, self.size - 1))
        else:
            yield from ((d, comb(self.size, d)) for d in range(self.size + 1))

    def row_sum(self, alpha: Any) -> Any:
        """Σ_r α^d(i,r).

        >>> SymmetricGraph("complete", 4).row_sum(Rational("1/2"))
        Rational('5/2')
        """
        return 1 + (self.size - 1) * alpha if self.family == "complete" else (1 + alpha) ** self.size

    def distance(self, i: int, r: int) -> int:
        """How far the inputs with two numbers are from each other.

        >>> SymmetricGraph("complete", 4).distance(1, 2), SymmetricGraph("hypercube", 2).distance(1, 2)
        (1, 2)
        """
        return int(i != r) if self.family == "complete" else (i ^ r).bit_count()


@dataclass(frozen=True, slots=True, kw_only=True)
class LawOptimum:
    """The least zero-one loss on a large symmetric graph.

    Attributes
    ----------
    word : str
        What names the graph.
    graph : SymmetricGraph
    level : PrivacyLevel
    consumer : MinimaxConsumer or BayesianConsumer
        With the loss zero-one, and no side information or the uniform prior.
    value : scalar
        The least loss, which the mechanism of the law has at every input.
    """

    word: str
    graph: SymmetricGraph
    level: PrivacyLevel
    consumer: Consumer
    value: Any

    def law(self) -> Iterator[tuple[int, int, Any]]:
        """Each distance of input and guess, how many guesses have it, and the probability of each."""
        alpha: Any = self.level.alpha
        share = 1 / self.graph.row_sum(alpha)
        for d, count in self.graph.shells():
            yield d, count, share
            share = share * alpha

    @property
    def least_loss(self) -> Any:
        """The value: the consumer has a loss, no gain."""
        return self.value

    @property
    def best(self) -> Mechanism:
        """The mechanism of the law as a table, which is made when it is asked for.

        >>> optimum_by_law("complete:100", "1/2", MinimaxConsumer("zero-one")).evidence.best[0, 0]
        Rational('2/101')
        """
        n, distance = self.graph.inputs, self.graph.distance
        require_budget(f"the table of the mechanism on {self.word}", "its law is .law()", numbers=n * n)
        shares = [share for _, _, share in self.law()]
        rows = [[shares[distance(i, r)] for r in range(n)] for i in range(n)]
        vertices = neighbours(self.word).vertices
        return Mechanism(ExactMatrix(rows), vertices, vertices)

    @property
    def dual(self) -> Dual:
        """What proves without the theorem that no private mechanism has less loss; made when asked for."""
        graph, n = self.graph, self.graph.inputs
        require_budget(f"the dual's table of constrained pairs by guesses on {self.word}", memory=24 * graph.multipliers)
        weight, steps = Rational(1, n), self._steps()
        pairs = neighbours(self.word).pairs()
        edges = [tuple(_signed(steps, graph.distance(i, r), graph.distance(j, r)) for r in range(n)) for i, j, _ in pairs]
        return Dual((weight,) * n, (self.value * weight,) * n, tuple(edges))

    def _steps(self) -> list[Any]:
        """The multiplier y_d of x_far ≥ α·x_near for each distance d of the near one from the guess.

        Nothing is left of [k > 0]/n − μ at an input at distance k after its constraints. With N_k inputs
        there, and d + 1 of the distance d beside each at d + 1,

            (d + 1)·N_{d+1}·y_d = Σ_{k>d} N_k·(1/n − μ)·α^{k−d−1}.
        """
        cost = (1 - self.value) * Rational(1, self.graph.inputs)  # of a wrong guess, less the potential
        beyond, steps = cost * 0, [cost * 0]
        for d, count in reversed([*self.graph.shells()][1:]):
            beyond = self.level.alpha * beyond + count * cost
            steps.append(beyond / (d * count) if count else beyond)
        return steps[::-1]

    def in_sympy(self) -> Any:
        """The least loss."""
        return self.value.to_sympy()


def _signed(steps: list[Any], i: int, j: int) -> Any:
    """The multiplier of a pair at these distances from the guess; positive where the first is the far one."""
    if i == j:
        return steps[-1]
    return steps[j] if i > j else -steps[i]


def optimum_by_law(neighbours: object, level: LevelLike, consumer: object) -> Verdict[LawOptimum] | None:
    """The least loss on a large graph, by its law; None for another question.

    Parameters
    ----------
    neighbours : str
        ``complete:N`` or ``hypercube:D``; anything else is another question.
    level : level
        Rational, or an ε.
    consumer : MinimaxConsumer or BayesianConsumer
        The loss is the word ``zero-one``, the prior the word ``uniform``.

    Examples
    --------
    >>> from exactdp import MinimaxConsumer
    >>> found = optimum_by_law("hypercube:12", "1/2", MinimaxConsumer("zero-one"))
    >>> found.evidence.value == 1 - Rational("2/3") ** 12
    True
    >>> optimum_by_law("hypercube:2", "1/2", MinimaxConsumer("zero-one")) is None
    True
    """
    graph = large_graph(neighbours)
    if graph is None or not is_symmetric(consumer):
        return None
    try:
        meant = as_level(level)
    except InputError:  # who builds the table says what is wrong with it
        return None
    alpha: Any = meant.alpha
    if not isinstance(alpha, Rational | ExponentialNumber):
        return None
    value = 1 - 1 / graph.row_sum(alpha)
    found = LawOptimum(word=str(neighbours), graph=graph, level=meant, consumer=consumer, value=value)
    own = scope_of(meant)
    unbuilt = f"by the law of the graph: a table of {figure(graph.inputs**2)} numbers is not built"
    scope = replace(own, note=f"{own.note}, {unbuilt}")
    claim = f"The least loss of an {private_on(meant, str(neighbours), 'mechanism')} {whose(consumer)} is {value}"
    return Verdict(Decision.PROVED, claim, found, scope, (str(neighbours),))


def large_graph(neighbours: object) -> SymmetricGraph | None:
    """The graph of a word, if it is complete or a cube, and large.

    >>> large_graph("complete:1000"), large_graph("complete:32"), large_graph("path:1000")
    (SymmetricGraph(family='complete', size=1000), None, None)
    """
    named = re.fullmatch(r"(complete|hypercube):([1-9][0-9]{0,9})", neighbours, re.ASCII) if isinstance(neighbours, str) else None
    if named is None:
        return None
    family, size = named[1], int(named[2])
    if size >= MOST or (family == "hypercube" and size > MOST_BITS):
        return None
    graph = SymmetricGraph(family, size)
    return graph if graph.multipliers > LARGE else None


def is_symmetric(consumer: object) -> TypeGuard[Consumer]:
    """Whether a consumer guesses the input and treats all inputs alike, in words.

    >>> is_symmetric(MinimaxConsumer("zero-one")), is_symmetric(BayesianConsumer("zero-one", "uniform"))
    (True, True)
    >>> is_symmetric(MinimaxConsumer("zero-one", "0..3")), is_symmetric(MinimaxConsumer("abs"))
    (False, False)
    """
    known = isinstance(consumer, MinimaxConsumer | BayesianConsumer) and not consumer.is_bound
    return known and consumer in (MinimaxConsumer("zero-one"), BayesianConsumer("zero-one", "uniform"))
