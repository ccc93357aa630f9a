# SPDX-License-Identifier: MIT
"""ℓ-uncertainty and g-vulnerability: what a Bayesian consumer loses, or gains, before and after seeing a
mechanism's output.

U_l(π) = min_g Σ_x π_x l(x,g), U_l[π, M] = Σ_y min_g Σ_x π_x l(x,g) M_xy; V_g is the same with max of a gain.
Leakage compares V_g[π, M] with V_g(π): their quotient (multiplicative) and difference (additive). [Fernandes
et al., (2)–(5) and Section 2.3]

Utility with the best remap, and min-entropy leakage, as exact numbers; and what no private mechanism can
exceed.

Vulnerabilities and leakage are multiplicative: V(π) = max_i π_i, V(π, X) = Σ_o max_i π_i x_io, and the
leakage is the factor V(π, X)/V(π). Entropies are −log₂ of vulnerabilities, for display only, as enclosures
(:func:`log2_enclosure`). With π = y·Φ, y ≥ 0, no private mechanism's utility for the binary gain exceeds Σ y
[elsalamouny_tight_constraints, Theorem 1], and no leakage exceeds Σ y / max π [Proposition 6]; for every
prior at once it is at most Σ z where Φ·z = 1, z ≥ 0 [Corollary 1]. A mechanism need not be oblivious: Y on
databases is a mechanism for the graph of the databases.

Capacities: how much a channel, or any mechanism of a privacy type, can leak to any consumer.

The multiplicative capacity of M is the largest V_g[π,M]/V_g(π) over priors and gains g ≥ 0, Σ_y max_x M_xy;
the additive one the largest V_g[π,M] − V_g(π) over priors and gains with values of V_g in [0, 1], 1 − Σ_y
min_x M_xy (the miracle theorems, Fernandes et al. Theorems 13 and 14). The capacity of a type is the largest
of its mechanisms'; some mechanism whose outputs are the inputs attains it (Theorem 25), because merging the
outputs with the same most (least) likely input changes nothing. So it is the optimum of a Bayesian consumer
with the uniform prior and the loss [x ≠ r] (multiplicative) or [x = r] (additive).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from exactdp.analysis.optimality.optimum import optimum
from exactdp.analysis.tight.mechanism import mechanism_of_weights, tight_mechanism, weighting
from exactdp.analysis.tight.regular import is_regular, level_text
from exactdp.analysis.verdict import Decision, Verdict, scope_of
from exactdp.errors import InputError, ParameterRangeError
from exactdp.exact import ExactMatrix, Rational
from exactdp.model import BayesianConsumer, Dual, Gain, LevelLike, Loss, Mechanism, Neighbours, Prior, PrivacyLevel, as_level
from exactdp.model.constraint_matrix import Cells
from exactdp.model.response import least_cost


def uncertainty(loss: Loss, prior: Prior, mechanism: Mechanism | None = None) -> Any:
    """The least expected loss under a prior, before (without a mechanism) or after seeing a mechanism's
    output.

    Parameters
    ----------
    loss : Loss
        Inputs × guesses.
    prior : Prior
        π, on the same inputs.
    mechanism : Mechanism, optional
        M, on the same inputs.

    Returns
    -------
    Scalar
        U_l(π) = min_g Σ_x π_x l(x,g), or U_l[π, M] = Σ_y min_g Σ_x π_x l(x,g) M_xy.

    Raises
    ------
    LabelError
        The inputs differ.

    Examples
    --------
    >>> M = Mechanism([["2/3", "1/3"], ["1/3", "2/3"]])
    >>> bayes, even = Loss.zero_one(M.inputs), Prior.uniform(M.inputs)
    >>> uncertainty(bayes, even), uncertainty(bayes, even, M)
    (Rational('1/2'), Rational('1/3'))
    """
    return _best(min, loss, prior, mechanism)


def vulnerability(gain: Gain, prior: Prior, mechanism: Mechanism | None = None) -> Any:
    """The largest expected gain under a prior, before or after seeing a mechanism's output.

    Parameters
    ----------
    gain : Gain
        Inputs × guesses.
    prior : Prior
        π, on the same inputs.
    mechanism : Mechanism, optional
        M, on the same inputs.

    Returns
    -------
    Scalar
        V_g(π) = max_g Σ_x π_x g(x,g), or V_g[π, M] = Σ_y max_g Σ_x π_x g(x,g) M_xy.

    Raises
    ------
    LabelError
        The inputs differ.

    Examples
    --------
    >>> M = Mechanism([["2/3", "1/3"], ["1/3", "2/3"]])
    >>> vulnerability(Gain([[1, 0], [0, 1]]), Prior.uniform(M.inputs), M)
    Rational('2/3')
    """
    return _best(max, gain, prior, mechanism)


def multiplicative_leakage(gain: Gain, prior: Prior, mechanism: Mechanism) -> Any:
    """V_g[π, M] / V_g(π).

    Parameters
    ----------
    gain : Gain
        Inputs × guesses.
    prior : Prior
        π, on the same inputs.
    mechanism : Mechanism
        M, on the same inputs.

    Raises
    ------
    InputError
        V_g(π) = 0, or an entry of the gain is negative.

    Examples
    --------
    >>> M = Mechanism([["2/3", "1/3"], ["1/3", "2/3"]])
    >>> multiplicative_leakage(Gain([[1, 0], [0, 1]]), Prior.uniform(M.inputs), M)
    Rational('4/3')
    """
    if any(x < 0 for row in gain.matrix.rows() for x in row):
        raise InputError("multiplicative leakage is defined for gains ≥ 0", gain=gain)
    before = vulnerability(gain, prior)
    if not before:
        raise InputError("the gain expected before the output is 0; multiplicative leakage divides by it", gain=gain)
    return vulnerability(gain, prior, mechanism) / before


def additive_leakage(gain: Gain, prior: Prior, mechanism: Mechanism) -> Any:
    """V_g[π, M] − V_g(π).

    Parameters
    ----------
    gain : Gain
        Inputs × guesses.
    prior : Prior
        π, on the same inputs.
    mechanism : Mechanism
        M, on the same inputs.

    Examples
    --------
    >>> M = Mechanism([["2/3", "1/3"], ["1/3", "2/3"]])
    >>> additive_leakage(Gain([[1, 0], [0, 1]]), Prior.uniform(M.inputs), M)
    Rational('1/6')
    """
    return vulnerability(gain, prior, mechanism) - vulnerability(gain, prior)


def _best(choose: Callable[..., Any], table: Loss | Gain, prior: Prior, mechanism: Mechanism | None) -> Any:
    weights = prior.aligned(table.inputs).weights
    channel = ExactMatrix([[1]] * len(weights)) if mechanism is None else mechanism.aligned(table.inputs).matrix
    return least_cost(weights, channel, table.matrix, best=choose)


@dataclass(frozen=True)
class LeakageEvidence:
    """The multiplicative min-entropy leakage of a mechanism for a prior.

    Attributes
    ----------
    mechanism, prior
        X and π.
    before, after : scalar
        V(π) = max_i π_i and V(π, X) = Σ_o max_i π_i x_io; the second is also the utility for the binary gain
        with the best remap.
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
    """Σ_o max_k Σ_i π_i x_io g(i,k): the expected gain with the best remap; the binary gain unless another is
    given.

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
    """(v/(1 + (v−1)α))^u: the largest leakage of any private mechanism on the databases of u people with v
    values [Theorem 2].

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
    """The capacity of a type, a mechanism that attains it, and what shows that none has more: weights of the
    inputs, or a dual.
    """

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
