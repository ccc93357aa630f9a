# SPDX-License-Identifier: MIT
"""The exponential mechanism for integer and rational scores, and report noisy max.

The exponential mechanism [McSherry–Talwar 2007] is Pr[r] ∝ e^(ε q(D,r)/(2Δ)). Every score is an integer
multiple of a rational unit u, so with t = e^(−ε u/(2Δ)) all weights are powers of the one number t: the law
lies in ℚ(t). diffprivlib's ``Exponential`` is the same with a base measure, and with e^(ε q/Δ) when
``monotonic`` is set.

Report noisy max names the candidate whose integer score plus two-sided geometric noise is largest. With
F_k(z) = P(q_k + Z_k ≤ z) the winner's law is Σ_z over all integers of a product of masses and distribution
functions. Between the least and the largest score the sum is finite; above it every factor is 1 − c·w or c·w
with w = a^z, and below it c/w, so both tails are sums of geometric series.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd, lcm
from typing import Any, Literal

from exactdp.errors import InputError, ParameterRangeError, repr_of, wrong_kind
from exactdp.exact import QQ, ExactMatrix, Rational, Scalar, require_powers
from exactdp.model.graph import Graph
from exactdp.model.labels import Label, Labels, as_labels
from exactdp.model.level import EpsilonLike, LevelLike, base_level
from exactdp.model.level_argument import tells_epsilon
from exactdp.model.mechanism import Mechanism
from exactdp.model.vectors import vector_over
from exactdp.runtime.budget import figure
from exactdp.runtime.progress import counted_off, row_by_row
from exactdp.runtime.values import dataclass
from exactdp.spelling import both_spellings

__all__ = ["Scores", "exponential_mechanism", "noisy_max"]


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
        rows, columns = as_labels(inputs, matrix.shape[0], what="input label"), as_labels(candidates, matrix.shape[1], what="candidate")
        object.__setattr__(self, "values", matrix)
        object.__setattr__(self, "inputs", rows)
        object.__setattr__(self, "candidates", columns)

    @property
    def unit(self) -> Rational:
        """The largest rational that divides all differences of scores in a row; 1 if there are none."""
        steps = [x - row[0] for row in self.values.rows() for x in row if x != row[0]]
        if not steps:
            return Rational(1)
        den = lcm(*(int(x.denominator) for x in steps))
        return Rational(gcd(*(int((x * den).numerator) for x in steps)), den)

    @both_spellings
    def sensitivity(self, neighbours: Graph) -> Rational:
        """GS(q) = max |q(D, r) − q(D′, r)| over adjacent databases and candidates."""
        steps = [abs(self.values[i, r] - self.values[j, r]) for i, j in neighbours.edges for r in range(len(self.candidates))]
        return max(steps, default=Rational(0))

    def best(self, i: int) -> tuple[int, ...]:
        """The candidates with the largest score for database i."""
        row = self.values.row(i)
        return tuple(r for r, x in enumerate(row) if x == max(row))


def _known(scores: object) -> None:
    if not isinstance(scores, Scores):
        raise wrong_kind("table of scores", scores, "Scores, such as Scores([[1, 0], [0, 1]])")


@tells_epsilon
def exponential_mechanism(
    scores: Scores,
    base: LevelLike | None = None,
    *,
    epsilon: EpsilonLike | None = None,
    sensitivity: object = 1,
    measure: Iterable[object] | None = None,
) -> Mechanism:
    """The law of the exponential mechanism.

    Parameters
    ----------
    scores : Scores
        q(D, r).
    base : level
        t = e^(−ε u/(2Δ)), where u is ``scores.unit``, Δ the sensitivity of the scores and ε the level bought
        (for diffprivlib with ``monotonic=True``: t = e^(−ε u/Δ)).
    epsilon : text, rational or Epsilon
        Instead of the base: the ε bought, for the sensitivity beside it.
    sensitivity : rational
        Δ, as :meth:`Scores.sensitivity` finds it for a graph; used with ``epsilon``.
    measure : exact numbers, optional
        diffprivlib's base measure: a mapping from the candidates, or a list in their order; all alike unless
        given.

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
    _known(scores)
    unit = scores.unit
    t = base_level(base, epsilon, unit / (2 * positive("sensitivity", sensitivity))).alpha
    given = [1] * len(scores.candidates) if measure is None else measure
    masses = vector_over(given, scores.candidates, what="masses of the measure", over="candidates")
    weights: list[Any] = [m if isinstance(m, Scalar) else QQ(m) for m in masses]
    if any(m.sign() < 0 for m in weights) or not any(m.sign() for m in weights):
        raise ParameterRangeError("the measure must be ≥ 0 and not zero", name="measure", value=measure, allowed=">= 0")
    largest = max(int(((max(row) - min(row)) / unit).numerator) for row in scores.values.rows())
    require_exponential(len(scores.inputs) * len(scores.candidates), t, largest)
    rows: list[list[Any]] = []
    for row in row_by_row(scores.values.rows(), "the law of each input", scores.values.shape):
        exponents = [int(((max(row) - x) / unit).numerator) for x in row]
        terms = [m * t**e if e else m * t.field.one for m, e in zip(weights, exponents, strict=True)]
        total = sum(terms[1:], terms[0])
        rows.append([x / total for x in terms])
    return Mechanism(ExactMatrix(rows, t.field), scores.inputs, scores.candidates)


def require_exponential(entries: int, t: Any, largest: int) -> None:
    """Refuse the table of an exponential mechanism that would be larger than the budget.

    * ``entries``: how many it has.
    * ``t``: what its weights are powers of.
    * ``largest``: the largest exponent, by which two scores of a row differ.
    """
    require_powers("the table of an exponential mechanism", entries, t, largest, each=2)


def positive(name: str, value: object) -> Rational:
    """A rational number > 0."""
    number = Rational(value)
    if number.sign() <= 0:
        raise ParameterRangeError(f"{name} = {number} is not positive", name=name, value=number, allowed="> 0")
    return number


Ties = Literal["first", "uniform"]
Polynomial = dict[int, Any]  # in w, exponent: coefficient


@tells_epsilon
def noisy_max(
    scores: Scores, base: LevelLike | None = None, *, epsilon: EpsilonLike | None = None, sensitivity: object = 1, ties: Ties = "first"
) -> Mechanism:
    """The law of report-noisy-max with independent noise P(Z = z) ∝ t^|z| on every score.

    Parameters
    ----------
    scores : Scores
        Integers.
    base : level
        The noise's ratio t; e^(−ε/(2Δ)) for an ε-private release in general.
    epsilon : text, rational or Epsilon
        Instead of the base: the ε bought, for the sensitivity beside it.
    sensitivity : rational
        Δ; used with ``epsilon``.
    ties : "first" or "uniform"
        Among candidates with the same noisy score the first one wins, or each is as likely.

    Examples
    --------
    >>> m = noisy_max(Scores([[1, 0]]), "1/2", ties="uniform")
    >>> m[0, 0], m[0, 0] + m[0, 1]
    (Rational('2/3'), Rational('1'))
    """
    _known(scores)
    a = base_level(base, epsilon, 1 / (2 * positive("sensitivity", sensitivity))).alpha
    if not isinstance(ties, str) or ties not in ("first", "uniform"):
        raise InputError(f"ties = {repr_of(ties)}; it is 'first' or 'uniform'", value=ties)
    known: dict[tuple[int, ...], list[Any]] = {}
    rows = []
    for row in counted_off(scores.values.rows(), None, "the law of each input", "rows", every=2, total=scores.values.shape[0]):
        if any(x.denominator != 1 for x in row):
            raise InputError("noisy max with integer noise needs integer scores", value=row)
        shifted = tuple(int((x - min(row)).numerator) for x in row)
        if shifted not in known:
            known[shifted] = [_wins(shifted, k, a, ties) for k in range(len(shifted))]
        rows.append(known[shifted])
    return Mechanism(ExactMatrix(rows, a.field), scores.inputs, scores.candidates)


def _wins(scores: Sequence[int], winner: int, a: Any, ties: Ties) -> Any:
    """P(this candidate is reported); the least score is 0."""
    top, total = max(scores), a.field.zero
    require_powers(f"the law of noisy max for scores that differ by up to {figure(top)}", len(scores) * (top + 1), a, top + 1, each=1)
    for z in range(top + 1):
        total = total + _at(_product(scores, winner, a, ties, lambda q, z=z: (_mass(z - q, a), _below(z - q, a))))
    # z > top: w = a^(z − top), masses (1−a)/(1+a)·a^(top−q)·w, P(q + Z < z) = 1 − a^(top−q)·w/(1+a)
    half, tail = (1 - a) / (1 + a), 1 / (1 + a)
    above = _product(scores, winner, a, ties, lambda q: ({1: half * a ** (top - q)}, {0: a.field.one, 1: -tail * a ** (top - q)}))
    # z < 0: w = a^(−z), masses (1−a)/(1+a)·a^q·w, P(q + Z < z) = a^(q+1)·w/(1+a)
    below = _product(scores, winner, a, ties, lambda q: ({1: half * a**q}, {1: tail * a ** (q + 1)}))
    for series in (above, below):
        for e, c in series.items():
            total = total + c * a**e / (1 - a**e)  # Σ_{k ≥ 1} (a^k)^e; a mass is a factor, so e ≥ 1
    return total


def _mass(z: int, a: Any) -> Polynomial:
    return {0: (1 - a) / (1 + a) * a ** abs(z)}


def _below(z: int, a: Any) -> Polynomial:
    """P(Z < z)."""
    return {0: a ** (1 - z) / (1 + a) if z <= 0 else 1 - a**z / (1 + a)}


def _product(scores: Sequence[int], winner: int, a: Any, ties: Ties, law: Any) -> Polynomial:
    """The probability, as a polynomial in w, that the winner's noisy score is z and it is reported."""
    mass, _ = law(scores[winner])
    if ties == "first":
        result: Polynomial = mass
        for k, q in enumerate(scores):
            if k != winner:
                at, less = law(q)
                result = _times(result, less if k < winner else _plus(less, at))
        return result
    counts = [mass]  # counts[c]: exactly c others tie with the winner
    for k, q in enumerate(scores):
        if k != winner:
            at, less = law(q)
            longer: list[Polynomial] = [{} for _ in range(len(counts) + 1)]
            for c, p in enumerate(counts):
                longer[c] = _plus(longer[c], _times(p, less))
                longer[c + 1] = _plus(longer[c + 1], _times(p, at))
            counts = longer
    shared: Polynomial = {}
    for c, p in enumerate(counts):
        shared = _plus(shared, {e: x / (c + 1) for e, x in p.items()})
    return shared


def _plus(p: Polynomial, q: Polynomial) -> Polynomial:
    both = p.keys() & q.keys()
    return {**p, **q, **{e: p[e] + q[e] for e in both}}


def _times(p: Polynomial, q: Polynomial) -> Polynomial:
    result: Polynomial = {}
    for e, x in p.items():
        for f, y in q.items():
            result[e + f] = result[e + f] + x * y if e + f in result else x * y
    return result


def _at(p: Polynomial) -> Any:
    """The value of a constant polynomial."""
    return p[0]
