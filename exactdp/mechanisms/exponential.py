# SPDX-License-Identifier: MIT
"""The exponential mechanism [McSherry–Talwar 2007] for integer and rational scores: Pr[r] ∝ e^(ε q(D,r)/(2Δ)).

Every score is an integer multiple of a rational unit u, so with t = e^(−ε u/(2Δ)) all weights are powers of the one number t: the law
lies in ℚ(t). diffprivlib's ``Exponential`` is the same with a base measure, and with e^(ε q/Δ) when ``monotonic`` is set.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import gcd, lcm
from typing import Any

from exactdp.errors import InputError, ParameterRangeError, ResourceLimitError
from exactdp.exact import QQ, ExactMatrix, Rational, Scalar
from exactdp.model.graph import AdjacencyGraph
from exactdp.model.labels import Label, Labels, as_labels
from exactdp.model.level import LevelLike, as_level
from exactdp.model.stochastic import Mechanism
from exactdp.model.vectors import vector_over

__all__ = ["Scores", "exponential_mechanism"]

MAX_EXPONENT = 1 << 16
"""Largest power of t that is written out."""


@dataclass(frozen=True, slots=True, init=False)
class Scores:
    """A quality score q(D, r): rational numbers, rows are databases and columns the candidates.

    Parameters
    ----------
    values : rows of exact numbers
    inputs, candidates : labels, optional

    Examples
    --------
    >>> from exactdp.model import neighbours
    >>> q = Scores([["0", "3/2"], ["1/2", "1"]])
    >>> q.unit, q.sensitivity(neighbours("path:2")), q.best(0)
    (Rational('1/2'), Rational('1/2'), (1,))
    """

    values: ExactMatrix
    inputs: Labels
    candidates: Labels

    def __init__(
        self,
        values: Sequence[Sequence[object]] | ExactMatrix,
        inputs: Iterable[Label] | None = None,
        candidates: Iterable[Label] | None = None,
    ) -> None:
        matrix = values if isinstance(values, ExactMatrix) else ExactMatrix(values)
        if matrix.field is not QQ:
            raise InputError("scores are rational numbers", field=matrix.field)
        object.__setattr__(self, "values", matrix)
        object.__setattr__(self, "inputs", as_labels(inputs, matrix.shape[0], what="input label"))
        object.__setattr__(self, "candidates", as_labels(candidates, matrix.shape[1], what="candidate"))

    @property
    def unit(self) -> Rational:
        """The largest rational of which all differences of scores in one row are integer multiples (1 if there are none)."""
        steps = [x - row[0] for row in self.values.rows() for x in row if x != row[0]]
        if not steps:
            return Rational(1)
        den = lcm(*(int(x.denominator) for x in steps))
        return Rational(gcd(*(int((x * den).numerator) for x in steps)), den)

    def sensitivity(self, neighbours: AdjacencyGraph) -> Rational:
        """GS(q) = max |q(D, r) − q(D′, r)| over adjacent databases and candidates."""
        steps = [abs(self.values[i, r] - self.values[j, r]) for i, j in neighbours.edges for r in range(len(self.candidates))]
        return max(steps, default=Rational(0))

    def best(self, i: int) -> tuple[int, ...]:
        """The candidates with the largest score for database i."""
        row = self.values.row(i)
        return tuple(r for r, x in enumerate(row) if x == max(row))


def exponential_mechanism(scores: Scores, base: LevelLike, *, measure: Iterable[object] | None = None) -> Mechanism:
    """The law of the exponential mechanism.

    Parameters
    ----------
    scores : Scores
        q(D, r).
    base : level
        t = e^(−ε u/(2Δ)), where u is ``scores.unit``, Δ the sensitivity of the scores and ε the level bought (for diffprivlib with
        ``monotonic=True``: t = e^(−ε u/Δ)).
    measure : exact numbers, optional
        diffprivlib's base measure: a mapping from the candidates, or a list in their order; all alike unless given.

    Returns
    -------
    Mechanism
        Pr[r | D] = m_r t^((max q(D,·) − q(D,r))/u) / Σ_r′ m_r′ t^((max q(D,·) − q(D,r′))/u).

    Examples
    --------
    >>> print(exponential_mechanism(Scores([[2, 0], [1, 1]], ["D", "E"], ["x", "y"]), "1/2"))
         x    y
    D  2/3  1/3
    E  1/2  1/2
    """
    t, unit = as_level(base).alpha, scores.unit
    given = [1] * len(scores.candidates) if measure is None else measure
    masses = vector_over(given, scores.candidates, what="masses of the measure", over="candidates")
    weights: list[Any] = [m if isinstance(m, Scalar) else QQ(m) for m in masses]
    if any(m.sign() < 0 for m in weights) or not any(m.sign() for m in weights):
        raise ParameterRangeError("the measure must be ≥ 0 and not zero", name="measure", value=measure, allowed=">= 0")
    rows: list[list[Any]] = []
    for row in scores.values.rows():
        exponents = [int(((max(row) - x) / unit).numerator) for x in row]
        if max(exponents) > MAX_EXPONENT:
            raise ResourceLimitError(f"a power of {max(exponents)}; the limit is {MAX_EXPONENT}", limit=MAX_EXPONENT, got=max(exponents))
        terms = [m * t**e if e else m * (t / t) for m, e in zip(weights, exponents, strict=True)]
        total = sum(terms[1:], terms[0])
        rows.append([x / total for x in terms])
    return Mechanism(ExactMatrix(rows, t.field), scores.inputs, scores.candidates)
