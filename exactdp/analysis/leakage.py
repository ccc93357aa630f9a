# SPDX-License-Identifier: MIT
"""Utility with the best remap, and min-entropy leakage, as exact numbers; and what no private mechanism can exceed.

Vulnerabilities and leakage are multiplicative: V(π) = max_i π_i, V(π, X) = Σ_o max_i π_i x_io, and the leakage is the factor
V(π, X)/V(π). Entropies are −log₂ of vulnerabilities, for display only, as enclosures (:func:`log2_enclosure`).
With π = y·Φ, y ≥ 0, no private mechanism's utility for the binary gain exceeds Σ y [elsalamouny-tight-constraints, Theorem 1], and no
leakage exceeds Σ y / max π [Proposition 6]; for every prior at once it is at most Σ z where Φ·z = 1, z ≥ 0 [Corollary 1]. A mechanism
need not be oblivious: Y on databases is a mechanism for the graph of the databases.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from exactdp.analysis.regular import is_regular, level_text
from exactdp.analysis.scope import scope_of
from exactdp.analysis.tight import tight_mechanism
from exactdp.analysis.verdict import Decision, Verdict
from exactdp.errors import ParameterRangeError
from exactdp.exact import Rational
from exactdp.model import Gain, Mechanism, Neighbours, Prior, PrivacyLevel
from exactdp.model.constraint_matrix import Cells
from exactdp.model.level import LevelLike, as_level

__all__ = [
    "BoundEvidence",
    "LeakageEvidence",
    "hamming_leakage",
    "leakage",
    "leakage_bound",
    "log2_enclosure",
    "utility",
    "utility_bound",
]


@dataclass(frozen=True)
class LeakageEvidence:
    """The multiplicative min-entropy leakage of a mechanism for a prior.

    Attributes
    ----------
    mechanism, prior
        X and π.
    before, after : scalar
        V(π) = max_i π_i and V(π, X) = Σ_o max_i π_i x_io; the second is also the utility for the binary gain with the best remap.
    factor : scalar
        after/before, the leakage.
    """

    mechanism: Mechanism
    prior: Prior
    before: Any
    after: Any
    factor: Any


@dataclass(frozen=True)
class BoundEvidence:
    """A bound of every private mechanism's utility or leakage.

    Attributes
    ----------
    neighbours, level, prior
        For what it holds; prior None: for every prior.
    cells, weights
        y on cells with y·Φ = π (or Φ·y = 1 for every prior), y ≥ 0.
    value : scalar
        Σ y, or Σ y / max π.
    of : str
        ``"utility"`` or ``"leakage"``.
    """

    neighbours: Neighbours
    level: PrivacyLevel
    prior: Prior | None
    cells: Cells
    weights: tuple[Any, ...]
    value: Any
    of: str


def utility(mechanism: Mechanism, prior: Prior, gain: Gain | None = None) -> Any:
    """Σ_o max_k Σ_i π_i x_io g(i,k): the expected gain with the best remap; the binary gain unless another is given.

    >>> from exactdp import geometric
    >>> utility(geometric(1, "1/2"), Prior(["1/2", "1/2"]))
    Rational('2/3')
    """
    prior = prior.aligned(mechanism.inputs)
    gain = None if gain is None else gain.aligned(mechanism.inputs)
    total = prior.weights[0] - prior.weights[0]
    for o in range(mechanism.n_outputs):
        joint = [w * mechanism[i, o] for i, w in enumerate(prior.weights)]
        if gain is None:
            scores = joint
        else:
            columns = range(len(gain.guesses))
            scores = [sum((x * gain.matrix[i, k] for i, x in enumerate(joint)), total - total) for k in columns]
        total = total + max(scores)
    return total


def leakage(mechanism: Mechanism, prior: Prior) -> Verdict[LeakageEvidence]:
    """By what factor does the mechanism's output raise the chance of guessing the input in one try?

    Returns
    -------
    Verdict[LeakageEvidence]
        Proved, with the factor V(π, X)/V(π) [Proposition 5: utility over max π].

    Examples
    --------
    >>> from exactdp import geometric
    >>> leakage(geometric(1, "1/2"), Prior(["1/2", "1/2"])).evidence.factor
    Rational('4/3')
    """
    prior = prior.aligned(mechanism.inputs)
    after, before = utility(mechanism, prior), max(prior.weights)
    factor = after / before
    claim = f"the mechanism's multiplicative min-entropy leakage is {factor}"
    return Verdict(Decision.PROVED, claim, LeakageEvidence(mechanism, prior, before, after, factor), scope_of(factor))


def utility_bound(prior: Prior, neighbours: Neighbours, level: LevelLike) -> Verdict[Any]:
    """Σ y, which no private mechanism's utility for this prior exceeds [Theorem 1].

    Returns
    -------
    Verdict[BoundEvidence] or Verdict[RegularEvidence]
        Proved with the bound; refuted if the prior is not regular.

    Examples
    --------
    >>> from exactdp.model import neighbours
    >>> utility_bound(Prior(["1/2", "1/2"]), neighbours("path:2"), "1/2").evidence.value
    Rational('2/3')
    """
    prior = prior.aligned(neighbours.vertices)
    answer = is_regular(prior, neighbours, level)
    e = answer.evidence
    if not answer.proved or e.weights is None:
        return Verdict(answer.decision, answer.claim, e, answer.scope)
    claim = f"no private mechanism for {neighbours} at level {level_text(e.level)} has a utility above {e.bound} for the prior"
    return Verdict(Decision.PROVED, claim, BoundEvidence(neighbours, e.level, prior, e.cells, e.weights, e.bound, "utility"), answer.scope)


def leakage_bound(neighbours: Neighbours, level: LevelLike, prior: Prior | None = None) -> Verdict[Any]:
    """The factor that no private mechanism's leakage exceeds: for one regular prior, or for every prior.

    Proved with :class:`BoundEvidence`. Refuted (with the evidence of that) if the prior, or without a prior the uniform one, is not
    regular, so that the theorem gives no bound.

    Examples
    --------
    >>> from exactdp.model import neighbours
    >>> leakage_bound(neighbours("hypercube:2"), "1/2").evidence.value == hamming_leakage(2, 2, "1/2")
    True
    """
    if prior is None:
        tight = tight_mechanism(neighbours, level)
        found = tight.evidence
        if found.diagonal is None:
            decision = Decision.REFUTED if tight.refuted else Decision.UNDECIDED  # many cells at e^(−ε): z is known by its signs only
            return Verdict(decision, tight.claim, found, tight.scope)
        value = found.utility * len(neighbours.vertices)
        claim = f"no private mechanism for {neighbours} at level {level_text(found.level)} leaks more than the factor {value} for any prior"
        return Verdict(
            Decision.PROVED,
            claim,
            BoundEvidence(neighbours, found.level, None, found.cells, found.diagonal, value, "leakage"),
            scope_of(value),
        )
    prior = prior.aligned(neighbours.vertices)
    answer = is_regular(prior, neighbours, level)
    e = answer.evidence
    if e.weights is None:
        return Verdict(answer.decision, answer.claim, e, answer.scope)
    value = e.bound / max(prior.weights)
    claim = f"no private mechanism for {neighbours} at level {level_text(e.level)} leaks more than the factor {value} for the prior"
    return Verdict(Decision.PROVED, claim, BoundEvidence(neighbours, e.level, prior, e.cells, e.weights, value, "leakage"), scope_of(value))


def hamming_leakage(values: int, people: int, level: LevelLike) -> Any:
    """(v/(1 + (v−1)α))^u: the largest leakage of any private mechanism on the databases of u people with v values [Theorem 2].

    >>> hamming_leakage(4, 5, "1/2")
    Rational('32768/3125')
    """
    if values < 1 or people < 1:
        raise ParameterRangeError("there must be at least one value and one person", name="values", value=(values, people), allowed=">= 1")
    alpha = as_level(level).alpha
    return (values / (1 + (values - 1) * alpha)) ** people


def log2_enclosure(x: Rational, digits: int = 12) -> tuple[Rational, Rational]:
    """Rationals below and above log₂ x, at most 10^−digits apart, for a rational x > 0; for display only.

    >>> [str(y) for y in log2_enclosure(Rational(8), 3)]
    ['3', '3']
    """
    if x.sign() <= 0:
        raise ParameterRangeError(f"log2({x}) is not defined", name="x", value=x, allowed="> 0")
    whole = x.numerator.bit_length() - x.denominator.bit_length()
    whole -= Rational(2) ** whole > x
    rest = x / Rational(2) ** whole  # in [1, 2)
    if rest == 1:
        return Rational(whole), Rational(whole)
    bits = 4 * digits + 8
    scale = 1 << (2 * bits + 16)
    low, high = rest.numerator * scale // rest.denominator, -(-rest.numerator * scale // rest.denominator)
    found, agreed = 0, 0
    for _ in range(bits):  # squaring shows the next binary digit
        low, high = low * low // scale, -(-high * high // scale)
        if low >= 2 * scale:
            found, low, high = 2 * found + 1, low // 2, -(-high // 2)
        elif high < 2 * scale:
            found *= 2
        else:
            break
        agreed += 1
    return whole + Rational(found, 2**agreed), whole + Rational(found + 1, 2**agreed)
