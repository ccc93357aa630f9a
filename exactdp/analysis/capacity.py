# SPDX-License-Identifier: MIT
"""Capacities: how much a channel, or any mechanism of a privacy type, can leak to any consumer.

The multiplicative capacity of M is the largest V_g[π,M]/V_g(π) over priors and gains g ≥ 0, Σ_y max_x M_xy; the additive one the largest
V_g[π,M] − V_g(π) over priors and gains with values of V_g in [0, 1], 1 − Σ_y min_x M_xy (the miracle theorems, Fernandes et al. Theorems 13
and 14). The capacity of a type is the largest of its mechanisms'; some mechanism whose outputs are the inputs attains it (Theorem 25),
because merging the outputs with the same most (least) likely input changes nothing. So it is the optimum of a Bayesian consumer with the
uniform prior and the loss [x ≠ r] (multiplicative) or [x = r] (additive).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from exactdp.analysis.least_loss import optimum
from exactdp.analysis.scope import scope_of
from exactdp.analysis.verdict import Decision, Verdict
from exactdp.analysis.weighting import mechanism_of_weights, weighting
from exactdp.errors import InputError
from exactdp.model import BayesianConsumer, Dual, LevelLike, Loss, Mechanism, Neighbours, Prior, PrivacyLevel, as_level

__all__ = ["CAPACITIES", "CapacityEvidence", "CapacityKind", "TypeCapacityEvidence", "capacity", "type_capacity"]

CapacityKind = Literal["multiplicative", "additive"]
CAPACITIES: tuple[CapacityKind, ...] = ("multiplicative", "additive")
"""The two capacities."""


@dataclass(frozen=True, slots=True)
class CapacityEvidence:
    """The capacity of one mechanism."""

    mechanism: Mechanism
    kind: CapacityKind
    value: Any


@dataclass(frozen=True, slots=True)
class TypeCapacityEvidence:
    """The capacity of a type, a mechanism that attains it, and what shows that none has more: weights of the inputs, or a dual."""

    neighbours: Neighbours
    level: PrivacyLevel
    kind: CapacityKind
    value: Any
    mechanism: Mechanism
    dual: Dual | None = None
    weights: tuple[Any, ...] | None = None


def capacity(mechanism: Mechanism, kind: CapacityKind = "multiplicative") -> Verdict[CapacityEvidence]:
    """The capacity of a mechanism: Σ_y max_x M_xy, or 1 − Σ_y min_x M_xy.

    Examples
    --------
    >>> from exactdp import geometric
    >>> G = geometric(2, "1/2")
    >>> capacity(G).evidence.value, capacity(G, "additive").evidence.value
    (Rational('5/3'), Rational('1/2'))
    """
    _known(kind)
    columns = zip(*mechanism.rows(), strict=True)
    zero = mechanism.field.zero
    value = sum(map(max, columns), zero) if kind == "multiplicative" else 1 - sum(map(min, columns), zero)
    return Verdict(
        Decision.PROVED, f"The {kind} capacity of the mechanism is {value}", CapacityEvidence(mechanism, kind, value), scope_of(mechanism)
    )


def type_capacity(neighbours: Neighbours, level: LevelLike, kind: CapacityKind = "multiplicative") -> Verdict[TypeCapacityEvidence]:
    """The largest capacity of a mechanism of a privacy type, with one that attains it and the dual.

    Parameters
    ----------
    neighbours : AdjacencyGraph or Metric
        On the inputs.
    level : level
        In any field; a letter for all levels at once.
    kind : "multiplicative" or "additive"
        Which.

    Returns
    -------
    Verdict[TypeCapacityEvidence]
        Always proved.

    Examples
    --------
    >>> from exactdp.model import neighbours
    >>> [str(type_capacity(neighbours("complete:4"), "1/2", kind).evidence.value) for kind in CAPACITIES]
    ['8/5', '3/7']
    """
    _known(kind)
    exact = as_level(level)
    labels = neighbours.vertices
    wrong = kind == "multiplicative"
    n = len(labels)
    base = exact.alpha if wrong else 1 / exact.alpha
    z = weighting(neighbours, base)
    if z is not None:
        total = sum(z[1:], z[0])
        value = total if wrong else 1 - total
        evidence = TypeCapacityEvidence(neighbours, exact, kind, value, mechanism_of_weights(neighbours, base, z), weights=z)
    else:
        # the additive one with the guesses in reverse: on a path this loss crosses once
        reverse = Loss([[int(x + g == n - 1) for g in range(n)] for x in range(n)], labels, labels[::-1], "right guess")
        consumer = BayesianConsumer(Loss.zero_one(labels) if wrong else reverse, Prior.uniform(labels))
        found = optimum(neighbours, exact, consumer).evidence
        assert found.best is not None
        value = n * (1 - found.value) if wrong else 1 - n * found.value
        best = found.best if wrong else Mechanism([row[::-1] for row in found.best.rows()], labels, labels)
        evidence = TypeCapacityEvidence(neighbours, exact, kind, value, best, found.dual)
    claim = f"The largest {kind} capacity in the privacy type of {neighbours} at level {exact} is {value}"
    return Verdict(Decision.PROVED, claim, evidence, scope_of(exact))


def _known(kind: str) -> None:
    if kind not in CAPACITIES:
        raise InputError(f"{kind!r} is no capacity; they are {', '.join(CAPACITIES)}", kind=kind)
