# SPDX-License-Identifier: MIT
"""Report noisy max with two-sided geometric noise: the candidate whose integer score plus noise is largest, exactly.

With F_k(z) = P(q_k + Z_k ≤ z) the winner's law is Σ_z over all integers of a product of masses and distribution functions. Between the
least and the largest score the sum is finite; above it every factor is 1 − c·w or c·w with w = a^z, and below it c/w, so both tails are
sums of geometric series.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from exactdp.errors import InputError
from exactdp.exact import ExactMatrix
from exactdp.mechanisms.exponential import Scores
from exactdp.model.level import LevelLike, as_level
from exactdp.model.stochastic import Mechanism

__all__ = ["noisy_max"]

Ties = Literal["first", "uniform"]
Polynomial = dict[int, Any]  # in w, exponent: coefficient


def noisy_max(scores: Scores, alpha: LevelLike, *, ties: Ties = "first") -> Mechanism:
    """The law of report-noisy-max with independent noise P(Z = z) ∝ α^|z| on every score.

    Parameters
    ----------
    scores : Scores
        Integers.
    alpha : level
        The noise's ratio; e^(−ε/(2Δ)) for an ε-private release in general.
    ties : "first" or "uniform"
        Among candidates with the same noisy score the first one wins, or each is as likely.

    Examples
    --------
    >>> m = noisy_max(Scores([[1, 0]]), "1/2", ties="uniform")
    >>> m[0, 0], m[0, 0] + m[0, 1]
    (Rational('2/3'), Rational('1'))
    """
    a = as_level(alpha).alpha
    if ties not in ("first", "uniform"):
        raise InputError(f"ties = {ties!r}; it is 'first' or 'uniform'", value=ties)
    known: dict[tuple[int, ...], list[Any]] = {}
    rows = []
    for row in scores.values.rows():
        if any(x.denominator != 1 for x in row):
            raise InputError("noisy max with integer noise needs integer scores", value=row)
        shifted = tuple(int((x - min(row)).numerator) for x in row)
        if shifted not in known:
            known[shifted] = [_wins(shifted, k, a, ties) for k in range(len(shifted))]
        rows.append(known[shifted])
    return Mechanism(ExactMatrix(rows, a.field), scores.inputs, scores.candidates)


def _wins(scores: Sequence[int], winner: int, a: Any, ties: Ties) -> Any:
    """P(this candidate is reported); the least score is 0."""
    top, zero = max(scores), a - a
    total = zero
    for z in range(top + 1):
        total = total + _at(_product(scores, winner, a, ties, lambda q, z=z: (_mass(z - q, a), _below(z - q, a))))
    # z > top: w = a^(z − top), masses (1−a)/(1+a)·a^(top−q)·w, P(q + Z < z) = 1 − a^(top−q)·w/(1+a)
    half, tail = (1 - a) / (1 + a), 1 / (1 + a)
    above = _product(scores, winner, a, ties, lambda q: ({1: half * a ** (top - q)}, {0: a / a, 1: -tail * a ** (top - q)}))
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
    return {e: p[e] + q[e] if e in p and e in q else p[e] if e in p else q[e] for e in p.keys() | q.keys()}


def _times(p: Polynomial, q: Polynomial) -> Polynomial:
    result: Polynomial = {}
    for e, x in p.items():
        for f, y in q.items():
            result[e + f] = result[e + f] + x * y if e + f in result else x * y
    return result


def _at(p: Polynomial) -> Any:
    """The value of a constant polynomial."""
    return p[0]
