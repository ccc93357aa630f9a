# SPDX-License-Identifier: MIT
"""What does an output tell an adversary: vulnerability before and after it, leakage, and their bounds.

*Before and after.* U_l(π) = min_g Σ_x π_x l(x,g) and U_l[π, M] = Σ_y min_g Σ_x π_x l(x,g) M_xy are what a
Bayesian consumer loses; V_g is the same with the max of a gain. Leakage compares V_g[π, M] with V_g(π): their
quotient (multiplicative) or difference (additive) [Fernandes et al., (2)–(5) and Section 2.3]. For the binary
gain V(π) = max_i π_i and V[π, M] = Σ_o max_i π_i M_io; entropies are −log₂ of these, for display only, as
enclosures.

*Bounds for one prior.* With π = y·Φ, y ≥ 0, no private mechanism's utility for the binary gain exceeds Σ y
[elsalamouny_tight_constraints, Theorem 1], and no leakage exceeds Σ y / max π [Proposition 6]. A mechanism
need not be oblivious: one on databases is a mechanism for the graph of the databases.

*Capacities* are the largest leakage to any consumer. The multiplicative capacity of M is the largest
V_g[π,M]/V_g(π) over priors and gains g ≥ 0, Σ_y max_x M_xy; the additive one the largest V_g[π,M] − V_g(π)
over priors and gains with values of V_g in [0, 1], 1 − Σ_y min_x M_xy (the miracle theorems, Fernandes et al.
Theorems 13 and 14). The capacity of a type is the largest of its mechanisms'. Some mechanism whose outputs
are the inputs attains it (Theorem 25), because merging the outputs with the same most (least) likely input
changes nothing. So it is the optimum of a Bayesian consumer with the uniform prior and the loss [x ≠ r]
(multiplicative) or [x = r] (additive); and it is Σ z, attained by Φ·diag(z), where Φ·z = 1 has a solution z ≥
0 [elsalamouny_tight_constraints, Corollary 1].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from exactdp.analysis.arguments import (
    Arguments,
    MechanismLike,
    as_gain,
    as_level,
    as_loss_on,
    as_mechanism,
    as_prior,
)
from exactdp.analysis.optimality.optimum import OptimumEvidence, one_optimum
from exactdp.analysis.tight.regular_priors import RegularEvidence, is_regular
from exactdp.analysis.tight.tight_mechanism import TightEvidence, mechanism_of_weights, tight_mechanism, total_between, weighting
from exactdp.analysis.types.capacity_levels import capacity_levels, capacity_parts, is_letter
from exactdp.analysis.verdict import Decision, Verdict, scope_of
from exactdp.analysis.wording import at_level
from exactdp.errors import DefectiveAnswerError, InputError, ParameterRangeError, ResourceLimitError, UndecidedSignError, repr_of
from exactdp.exact import ExactMatrix, RegionFunction, as_count
from exactdp.model import (
    BayesianConsumer,
    Dual,
    Gain,
    GainLike,
    LevelLike,
    Loss,
    LossLike,
    Mechanism,
    Neighbours,
    NeighboursLike,
    Prior,
    PriorLike,
    PrivacyLevel,
)
from exactdp.model.channel import joint_distribution, posteriors_of
from exactdp.model.constraint_matrix import Cells
from exactdp.model.consumer import least_cost
from exactdp.model.graph import Graph, unit_graph
from exactdp.model.labels import Labels
from exactdp.model.level_argument import takes_epsilon
from exactdp.runtime.progress import Listener
from exactdp.search.capacity import LeastOverlap, centre_dual, least_overlap

CapacityKind = Literal["multiplicative", "additive"]


@dataclass(frozen=True, slots=True)
class _Form:
    """What a capacity is of Σ_y ext_x M_xy, where ext is max or min.

    Attributes
    ----------
    extreme : callable
        max or min.
    of_sum : callable
        The capacity, from the sum; it grows as the mechanism tells more.
    base : callable
        From the level α to what the distance is an exponent of, in the mechanism with the largest one.
    """

    extreme: Callable[[Any], Any]
    of_sum: Callable[[Any], Any]
    base: Callable[[Any], Any]


_FORMS: dict[CapacityKind, _Form] = {
    "multiplicative": _Form(max, lambda total: total, lambda alpha: alpha),
    "additive": _Form(min, lambda total: 1 - total, lambda alpha: 1 / alpha),
}

CAPACITIES: tuple[CapacityKind, ...] = tuple(_FORMS)
"""The capacities."""


@dataclass(frozen=True, kw_only=True)
class LeakageEvidence:
    """The multiplicative min-entropy leakage of a mechanism for a prior.

    Attributes
    ----------
    mechanism, prior
        X and π.
    before, after : scalar
        V(π) = max_i π_i and V[π, X] = Σ_o max_i π_i x_io, the utility for the binary gain with the best
        remap.
    factor : scalar
        after/before, the leakage.
    """

    mechanism: Mechanism
    prior: Prior
    before: Any
    after: Any
    factor: Any

    def in_sympy(self) -> Any:
        """The leakage."""
        return self.factor.to_sympy()


@dataclass(frozen=True, kw_only=True)
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

    def in_sympy(self) -> Any:
        """The bound."""
        return self.value.to_sympy()


@dataclass(frozen=True, slots=True, kw_only=True)
class CapacityEvidence:
    """The capacity of one mechanism."""

    mechanism: Mechanism
    kind: CapacityKind
    value: Any

    def in_sympy(self) -> Any:
        """The capacity."""
        return self.value.to_sympy()


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeCapacityEvidence:
    """The capacity of a type, a mechanism that attains it, and why none has more: a dual, or weights.

    Attributes
    ----------
    neighbours, level, kind
        What was asked about.
    value : scalar
        The largest capacity.
    mechanism : Mechanism
        One that has it.
    dual : Dual or None
        Of the linear program, unless there are ``weights``.
    weights : tuple or None
        z ≥ 0 with Σ_y z_y α^±d(x,y) = 1 for every input x (see
        :func:`~exactdp.analysis.tight.tight_mechanism.weighting`).
    """

    neighbours: Neighbours
    level: PrivacyLevel
    kind: CapacityKind
    value: Any
    mechanism: Mechanism
    dual: Dual | None = None
    weights: tuple[Any, ...] | None = None

    def in_sympy(self) -> Any:
        """The capacity."""
        return self.value.to_sympy()


def joint(mechanism: MechanismLike, prior: PriorLike) -> ExactMatrix:
    """The joint distribution of input and output, π_x M_xy: inputs × outputs.

    Parameters
    ----------
    mechanism : Mechanism, Table, text or rows
        M.
    prior : Prior, text, list or mapping
        π, on the same inputs, else LabelError.

    Examples
    --------
    >>> joint([[1, 0], ["1/2", "1/2"]], "uniform")
    ExactMatrix([['1/2', '0'], ['1/4', '1/4']])
    """
    found = as_mechanism(mechanism)
    return joint_distribution(found, as_prior(prior, found.inputs))


def posteriors(mechanism: MechanismLike, prior: PriorLike) -> tuple[tuple[str, Any, tuple[Any, ...]], ...]:
    """What each output says about the input: its label, its probability p_y and the posterior π_x M_xy/p_y.

    They are in the order of the outputs; those with p_y = 0 are left out.

    Parameters
    ----------
    mechanism, prior
        As for :func:`joint`.

    Raises
    ------
    UndecidedSignError
        With letters: p_y may be 0 at a point of their region.

    Examples
    --------
    >>> posteriors([[1, 0], ["1/2", "1/2"]], "uniform")[1]
    ('1', Rational('1/4'), (Rational('0'), Rational('1')))
    """
    found = as_mechanism(mechanism)
    answers = posteriors_of(found, as_prior(prior, found.inputs))
    for _, probability, _ in answers:
        if isinstance(probability, RegionFunction):
            probability.sign()
    return answers


def uncertainty(mechanism: MechanismLike, prior: PriorLike, loss: LossLike) -> Any:
    """The least expected loss under a prior after seeing a mechanism's output.

    Parameters
    ----------
    mechanism : Mechanism, Table, text or rows
        M.
    prior : Prior, text, list or mapping
        π, on the same inputs.
    loss : Loss, text or rows
        Inputs × guesses, on the same inputs.

    Returns
    -------
    Scalar
        U_l[π, M] = Σ_y min_g Σ_x π_x l(x,g) M_xy; before the output it is :func:`prior_uncertainty`.

    Raises
    ------
    LabelError
        The inputs differ.

    Examples
    --------
    >>> M = Mechanism([["2/3", "1/3"], ["1/3", "2/3"]])
    >>> prior_uncertainty("1/2,1/2", Loss.zero_one(M.inputs)), uncertainty(M, "uniform", "zero-one")
    (Rational('1/2'), Rational('1/3'))
    """
    found = as_mechanism(mechanism)
    return _best(min, as_loss_on(loss, found.inputs), prior, found)


def prior_uncertainty(prior: PriorLike, loss: LossLike) -> Any:
    """The least expected loss under a prior, before any output: U_l(π) = min_g Σ_x π_x l(x,g).

    >>> prior_uncertainty(["1/3", "2/3"], "zero-one")
    Rational('1/3')
    """
    inputs = _inputs_of(prior, loss)
    return _best(min, as_loss_on(loss, inputs), prior, None)


def vulnerability(mechanism: MechanismLike, prior: PriorLike, gain: GainLike) -> Any:
    """The largest expected gain under a prior after seeing a mechanism's output.

    Parameters
    ----------
    mechanism, prior
        As for :func:`uncertainty`.
    gain : Gain, text or rows
        Inputs × guesses; ``"zero-one"`` is the binary gain.

    Returns
    -------
    Scalar
        V_g[π, M] = Σ_y max_g Σ_x π_x g(x,g) M_xy; before the output it is :func:`prior_vulnerability`.

    Raises
    ------
    LabelError
        The inputs differ.

    Examples
    --------
    >>> M = Mechanism([["2/3", "1/3"], ["1/3", "2/3"]])
    >>> vulnerability(M, Prior.uniform(M.inputs), Gain([[1, 0], [0, 1]]))
    Rational('2/3')
    """
    found = as_mechanism(mechanism)
    return _best(max, as_gain(gain, found.inputs), prior, found)


def prior_vulnerability(prior: PriorLike, gain: GainLike) -> Any:
    """The largest expected gain under a prior, before any output: V_g(π) = max_g Σ_x π_x g(x,g).

    >>> prior_vulnerability(["1/3", "2/3"], "zero-one")
    Rational('2/3')
    """
    inputs = _inputs_of(prior, gain)
    return _best(max, as_gain(gain, inputs), prior, None)


def multiplicative_leakage(mechanism: MechanismLike, prior: PriorLike, gain: GainLike) -> Any:
    """V_g[π, M] / V_g(π).

    Parameters
    ----------
    mechanism, prior, gain
        As for :func:`vulnerability`.

    Raises
    ------
    InputError
        V_g(π) = 0, or an entry of the gain is negative.

    Examples
    --------
    >>> M = Mechanism([["2/3", "1/3"], ["1/3", "2/3"]])
    >>> multiplicative_leakage(M, Prior.uniform(M.inputs), Gain([[1, 0], [0, 1]]))
    Rational('4/3')
    """
    found = as_mechanism(mechanism)
    gain, prior = as_gain(gain, found.inputs), as_prior(prior, found.inputs)
    if any(x < 0 for row in gain.matrix.rows() for x in row):
        raise InputError("multiplicative leakage is defined for gains ≥ 0", gain=gain)
    before = prior_vulnerability(prior, gain)
    if not before:
        raise InputError("the gain expected before the output is 0; multiplicative leakage divides by it", gain=gain)
    return vulnerability(found, prior, gain) / before


def additive_leakage(mechanism: MechanismLike, prior: PriorLike, gain: GainLike) -> Any:
    """V_g[π, M] − V_g(π).

    Parameters
    ----------
    mechanism, prior, gain
        As for :func:`vulnerability`.

    Examples
    --------
    >>> M = Mechanism([["2/3", "1/3"], ["1/3", "2/3"]])
    >>> additive_leakage(M, Prior.uniform(M.inputs), Gain([[1, 0], [0, 1]]))
    Rational('1/6')
    """
    found = as_mechanism(mechanism)
    gain, prior = as_gain(gain, found.inputs), as_prior(prior, found.inputs)
    return vulnerability(found, prior, gain) - prior_vulnerability(prior, gain)


def _inputs_of(prior: PriorLike, table: LossLike | GainLike) -> Labels:
    """The inputs that a table of losses or gains has, or else a prior."""
    if isinstance(table, (Loss, Gain)):
        return table.inputs
    if isinstance(prior, Prior):
        return prior.inputs
    return Prior([x.strip() for x in prior.split(",")] if isinstance(prior, str) else prior).inputs


def _best(choose: Callable[..., Any], table: Loss | Gain, prior: PriorLike, mechanism: Mechanism | None) -> Any:
    """Σ_y choose_g Σ_x π_x t(x,g) M_xy for a table t of losses or gains; no mechanism: one output y."""
    weights = as_prior(prior, table.inputs).weights
    channel = ExactMatrix([[1]] * len(weights)) if mechanism is None else mechanism.matrix
    return least_cost(weights, channel, table.matrix, best=choose)


def utility(mechanism: MechanismLike, prior: PriorLike, gain: GainLike = "zero-one") -> Any:
    """Σ_o max_k Σ_i π_i x_io g(i,k): the expected gain with the best remap, for the binary gain unless given.

    >>> from exactdp import geometric
    >>> utility(geometric(1, "1/2"), ["1/2", "1/2"])
    Rational('2/3')
    """
    found = as_mechanism(mechanism)
    if not isinstance(gain, str) or gain != "zero-one":
        return vulnerability(found, prior, gain)
    masses = joint(found, prior)
    return sum(map(max, zip(*masses.rows(), strict=True)), masses.field.zero)


def leakage(mechanism: MechanismLike, prior: PriorLike) -> Verdict[LeakageEvidence]:
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
    mechanism = as_mechanism(mechanism)
    prior = as_prior(prior, mechanism.inputs)
    after, before = utility(mechanism, prior), max(prior.weights)
    factor = after / before
    claim = f"the mechanism's multiplicative min-entropy leakage for the prior {prior} is {factor}"
    evidence = LeakageEvidence(mechanism=mechanism, prior=prior, before=before, after=after, factor=factor)
    return Verdict(Decision.PROVED, claim, evidence, scope_of(factor))


@takes_epsilon
def utility_bound(neighbours: NeighboursLike, level: LevelLike, prior: PriorLike) -> Verdict[Any]:
    """Σ y, which no private mechanism's utility for this prior exceeds [Theorem 1].

    Returns
    -------
    Verdict[BoundEvidence] or Verdict[RegularEvidence]
        Proved with the bound; refuted if the prior is not regular.

    Examples
    --------
    >>> from exactdp.model import neighbours
    >>> utility_bound(neighbours("path:2"), "1/2", Prior(["1/2", "1/2"])).evidence.value
    Rational('2/3')
    """
    regular = is_regular(neighbours, level, prior)
    if not regular.proved:
        return regular
    e = regular.evidence
    claim = f"no private mechanism for {at_level(e.neighbours, e.level)} has a utility above {e.bound} for the prior {e.prior}"
    return Verdict(Decision.PROVED, claim, _bound(e, e.weights, e.prior, e.bound, "utility"), regular.scope)


@takes_epsilon
def leakage_bound(neighbours: NeighboursLike, level: LevelLike, prior: PriorLike | None = None) -> Verdict[Any]:
    """The factor that no private mechanism's leakage exceeds: for one regular prior, or for every prior.

    For every prior it is the multiplicative capacity of the type (:func:`type_capacity`), here on the
    condition that a tight-constraints mechanism attains it, on any graph or metric.

    Returns
    -------
    Verdict[BoundEvidence] or Verdict[RegularEvidence] or Verdict[TightEvidence]
        Proved with the bound. Refuted if the prior, or without a prior the uniform one, is not regular, so
        that the theorem gives no bound. Undecided where only the signs of z are known (many cells at e^(−ε)).

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
            return tight if tight.refuted else replace(tight, decision=Decision.UNDECIDED)
        bound = _bound(found, found.diagonal, None, found.total, "leakage")
    else:
        regular = is_regular(neighbours, level, prior)
        e = regular.evidence
        if not regular.proved:
            return regular
        bound = _bound(e, e.weights, e.prior, e.bound / max(e.prior.weights), "leakage")
    where, whom = at_level(bound.neighbours, bound.level), "any prior" if prior is None else f"the prior {bound.prior}"
    claim = f"no private mechanism for {where} leaks more than the factor {bound.value} for {whom}"
    return Verdict(Decision.PROVED, claim, bound, scope_of(bound.value))


def _bound(e: RegularEvidence | TightEvidence, weights: tuple[Any, ...] | None, prior: Prior | None, value: Any, of: str) -> BoundEvidence:
    assert weights is not None
    return BoundEvidence(neighbours=e.neighbours, level=e.level, prior=prior, cells=e.cells, weights=weights, value=value, of=of)


@takes_epsilon
def hamming_leakage(values: int, people: int, level: LevelLike) -> Any:
    """(v/(1 + (v−1)α))^u: the largest leakage on the databases of u people with v values [Theorem 2].

    >>> hamming_leakage(4, 5, "1/2")
    Rational('32768/3125')
    """
    if as_count(values, "number of values") < 1 or as_count(people, "number of people") < 1:
        message = "there must be at least one value and one person"
        raise ParameterRangeError(message, name="values", value=(values, people), allowed=">= 1")
    alpha = as_level(level).alpha
    return (values / (1 + (values - 1) * alpha)) ** people


def capacity(mechanism: MechanismLike, kind: CapacityKind = "multiplicative") -> Verdict[CapacityEvidence]:
    """The capacity of a mechanism: Σ_y max_x M_xy, or 1 − Σ_y min_x M_xy.

    Examples
    --------
    >>> from exactdp import geometric
    >>> G = geometric(2, "1/2")
    >>> capacity(G).evidence.value, capacity(G, "additive").evidence.value
    (Rational('5/3'), Rational('1/2'))
    """
    _known(kind)
    mechanism = as_mechanism(mechanism)
    columns = zip(*mechanism.rows(), strict=True)
    zero = mechanism.field.zero
    form = _FORMS[kind]
    value = form.of_sum(sum(map(form.extreme, columns), zero))
    evidence = CapacityEvidence(mechanism=mechanism, kind=kind, value=value)
    return Verdict(Decision.PROVED, f"The {kind} capacity of the mechanism is {value}", evidence, scope_of(mechanism))


@takes_epsilon
def type_capacity(
    neighbours: NeighboursLike, level: LevelLike, kind: CapacityKind = "multiplicative", *, progress: Listener | None = None
) -> Verdict[Any]:
    """The largest capacity of a mechanism of a privacy type, with one that attains it and a bound.

    Parameters
    ----------
    neighbours : Graph, Metric or text
        On the inputs.
    level : level
        In any field; a letter for all levels at once.
    kind : "multiplicative" or "additive"
        Which.
    progress : callable, optional
        Told how far it is.

    Returns
    -------
    Verdict[TypeCapacityEvidence] or Verdict[CapacityLevels] or Verdict[CapacityParts]
        Proved; with a letter for which no one formula holds, by pieces of its interval. With several letters
        undecided then, with the parts of their region on which there is a formula.

    Examples
    --------
    >>> from exactdp.model import neighbours
    >>> [str(type_capacity(neighbours("complete:4"), "1/2", kind).evidence.value) for kind in CAPACITIES]
    ['8/5', '3/7']
    """
    _known(kind)
    asked = Arguments(neighbours=neighbours, level=level)
    neighbours, exact = asked.neighbours, asked.level
    labels = neighbours.vertices
    base = _FORMS[kind].base(exact.alpha)
    z, overlap = weighting(neighbours, base), None
    if z is None and kind == "additive":
        overlap = _least_overlap(neighbours, exact.alpha)
    if z is not None:
        total = sum(z[1:], z[0])  # Σ_y max_x or Σ_y min_x of M_xy = z_y b^d(x,y)
        best = mechanism_of_weights(neighbours, base, z)
        found = _attained(neighbours, exact, kind, total, best, weights=z)
    elif overlap is not None:
        graph, least = overlap
        best = _of_few_outputs(least, labels)
        found = _attained(neighbours, exact, kind, least.total, best, dual=centre_dual(graph, least, exact.alpha))
    else:
        if kind == "multiplicative":
            _refuse_long(neighbours, exact)
        consumer = _adversary(labels, kind)
        of = partial(_of_optimum, kind=kind)
        try:
            found = of(one_optimum(neighbours, exact, consumer, progress=progress))
        except UndecidedSignError as error:
            known = error.facts.get("verdict")
            if isinstance(known, Verdict):
                return capacity_parts(neighbours, exact, kind, known, of)
            if not is_letter(exact):
                raise
            return capacity_levels(neighbours, exact, kind, consumer, of, progress)
    claim = f"The largest {kind} capacity in the privacy type of {at_level(neighbours, exact)} is {found.value}"
    return Verdict(Decision.PROVED, claim, found, scope_of(exact))


def _refuse_long(neighbours: Neighbours, level: PrivacyLevel) -> None:
    """Say between which numbers a capacity Σ z is, of which the exact one is too long to be worth having."""
    between = total_between(neighbours, level)
    if between is not None:
        low, high = between[0] * 10**6, between[1] * 10**6
        ends = low.numerator // low.denominator, -(-high.numerator // high.denominator)
        below, above = (f"{end // 10**6}.{end % 10**6:06}" for end in ends)
        raise ResourceLimitError(
            f"the largest multiplicative capacity is between {below} and {above}: the sum of the diagonal of the tight-constraints "
            "mechanism, which is too long to be written exactly; tight_mechanism (exactdp tight) certifies that there is one",
            low=between[0],
            high=between[1],
        )


def _attained(
    neighbours: Neighbours, level: PrivacyLevel, kind: CapacityKind, total: Any, best: Mechanism, **why: Any
) -> TypeCapacityEvidence:
    """The evidence for a mechanism with the largest Σ_y max_x M_xy, or the least Σ_y min_x M_xy."""
    value = _FORMS[kind].of_sum(total)
    return TypeCapacityEvidence(neighbours=neighbours, level=level, kind=kind, value=value, mechanism=best, **why)


def _adversary(labels: Labels, kind: CapacityKind) -> BayesianConsumer:
    """Whose least loss is 1 − Σ_y max_x M_xy/n, or Σ_y min_x M_xy/n."""
    n = len(labels)
    match kind:
        case "multiplicative":
            loss = Loss.zero_one(labels)
        case "additive":  # the guesses are reversed: on a path this loss crosses once
            loss = Loss([[int(x + g == n - 1) for g in range(n)] for x in range(n)], labels, labels[::-1], "right guess")
        case unknown:
            raise _no_form(unknown)
    return BayesianConsumer(loss, Prior.uniform(labels))


def _of_optimum(least: OptimumEvidence, kind: CapacityKind) -> TypeCapacityEvidence:
    """The capacity from the optimum of :func:`_adversary`."""
    assert least.best is not None
    labels = least.neighbours.vertices
    n = len(labels)
    match kind:
        case "multiplicative":
            best, total = least.best, n * (1 - least.value)
        case "additive":
            best, total = Mechanism([row[::-1] for row in least.best.rows()], labels, labels), n * least.value
        case unknown:
            raise _no_form(unknown)
    return _attained(least.neighbours, least.level, kind, total, best, dual=least.dual)


def _no_form(kind: str) -> DefectiveAnswerError:
    message = f"the capacity {kind!r} has no consumer; it is to be added in exactdp/analysis/leakage.py"
    return DefectiveAnswerError(message, kind=kind)


def _least_overlap(neighbours: Neighbours, alpha: Any) -> tuple[Graph, LeastOverlap] | None:
    """The graph and what is known of it in closed form, if it has two vertices or more."""
    graph = unit_graph(neighbours)
    found = None if graph is None or len(graph.vertices) < 2 else least_overlap(graph, alpha)
    return None if graph is None or found is None else (graph, found)


def _of_few_outputs(found: LeastOverlap, labels: Labels) -> Mechanism:
    """The mechanism with the inputs as outputs, most of which it never has."""
    columns = [found.columns.get(y) for y in range(len(labels))]
    zero = 0 * found.total
    return Mechanism([[zero if column is None else column[x] for column in columns] for x in range(len(labels))], labels, labels)


def _known(kind: str) -> None:
    if not isinstance(kind, str) or kind not in CAPACITIES:
        raise InputError(f"{repr_of(kind)} is no capacity; they are {', '.join(CAPACITIES)}", kind=kind)
