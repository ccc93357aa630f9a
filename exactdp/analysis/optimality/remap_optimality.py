# SPDX-License-Identifier: MIT
"""What is the best this consumer can make of that mechanism? (Optimal interaction, [gs2010, 2.4.3].)

For weights w on the inputs every remap T has loss(M·T) ≥ Σ_y min_r Σ_i w_i l(i,r) M_iy. For a Bayesian
consumer w is the prior and the deterministic remap y ↦ argmin attains the bound; for a minimax consumer some
w, the least favourable prior, makes it tight.
"""

from __future__ import annotations

from typing import Any, TypeVar

from exactdp.analysis.arguments import Arguments, ConsumerLike, MechanismLike, RemapLike, as_remap, ask, in_words
from exactdp.analysis.laws import Asked as LawQuestion
from exactdp.analysis.laws import loss_by_law
from exactdp.analysis.verdict import Decision, Verdict, decided, scope_of
from exactdp.analysis.wording import StatedLoss, StatedOptimum, whose
from exactdp.errors import DefectiveAnswerError, LabelError, ResourceLimitError
from exactdp.exact import QQ, ExponentialNumber, Rational, SparseRows
from exactdp.mechanisms.geometric import geometric_level
from exactdp.model import Consumer, Mechanism, Remap, Table
from exactdp.model.consumer import least_cost
from exactdp.model.labels import Positions, brief
from exactdp.model.printed import PrintedTable
from exactdp.runtime.progress import Listener, part_of, raise_unless_own_limit
from exactdp.runtime.values import dataclass
from exactdp.search.best_remap import propose_remap

SMALL = 256
"""Up to so many entries of a remap its linear program takes less than a second, for any mechanism."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemapEvidence(StatedOptimum):
    """The best remap of a mechanism for a consumer.

    Attributes
    ----------
    mechanism, consumer
        What was asked about.
    least_loss
        The least loss over all remaps; None if a limit stopped the search. With a gain it is the loss −gain:
        minus the utility of the sentence, which is ``value``.
    remap : Remap
        A remap that attains it.
    weights : tuple
        The least favourable prior (the prior itself for a Bayesian consumer): with it no remap does better.
    least_loss_bounds : (lower, upper) or None
        When a limit stopped the search: ``weights`` prove that the least loss is at least ``lower``,
        ``remap`` attains ``upper``.
    """

    mechanism: Mechanism
    consumer: Consumer
    least_loss: Any
    remap: Remap
    weights: tuple[Any, ...]
    least_loss_bounds: tuple[Any, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenRemapEvidence(StatedLoss, RemapEvidence):
    """The best remap of a mechanism, and a given one beside it.

    Attributes
    ----------
    given : Remap
        The remap asked about.
    loss
        Of the mechanism after it; with a gain minus the utility, as ``least_loss``.
    gap
        loss − value.
    """

    given: Remap
    loss: Any
    gap: Any

    def in_sympy(self) -> Any:
        """Nothing but yes or no."""
        return None


def best_remap(
    mechanism: MechanismLike, consumer: ConsumerLike, *, progress: Listener | None = None, time_limit: float | None = None
) -> Verdict[RemapEvidence]:
    """Find the consumer's best remap of the mechanism, with the weights that prove it best.

    Parameters
    ----------
    mechanism : Mechanism, Table, text or rows
        (n, m), exact; its inputs are the consumer's.
    consumer : MinimaxConsumer or BayesianConsumer
        Any exact loss with n inputs and any number of guesses.
    progress : callable, optional
        Called with events of the search.
    time_limit : float, optional
        Stop about so many seconds after the call.

    Returns
    -------
    Verdict[RemapEvidence]
        Proved: the value, a remap T that attains it, and the weights. Undecided when the time was up: bounds
        of the value.

    Raises
    ------
    LabelError
        The inputs differ.

    Examples
    --------
    >>> from exactdp import Loss, MinimaxConsumer, geometric
    >>> G = geometric(3, "1/4")
    >>> best_remap(G, MinimaxConsumer(Loss.absolute(G.inputs))).evidence.value
    Rational('168/415')
    """
    known = loss_by_law(LawQuestion.BEST_REMAP, mechanism, in_words(consumer))
    if known is not None:
        return known
    return ask(_best_remap, progress, time_limit, mechanism=mechanism, consumer=consumer)


def _best_remap(asked: Arguments) -> Verdict[RemapEvidence]:
    """The best remap that a search finds, and what its weights prove."""
    mechanism, consumer, stopped = asked.mechanism, asked.consumer, False
    known = _of_the_geometric(mechanism, consumer, asked.progress)
    if known is not None:
        return _attained(known)
    try:
        remap, weights = propose_remap(mechanism, consumer, progress=asked.progress)
    except ResourceLimitError as error:
        if "best" not in error.facts:
            raise
        raise_unless_own_limit(error)
        best: Any = error.facts["best"]
        remap, weights = best
        stopped = True
    value, measure = consumer.loss_of(mechanism.post_process(remap)), consumer.measure
    of = f"a remap of the mechanism {whose(consumer)}"
    bound = remap_bound(mechanism, consumer, weights)
    if stopped and bound < value:
        bounded = RemapEvidence(
            mechanism=mechanism, consumer=consumer, least_loss=None, remap=remap, weights=weights, least_loss_bounds=(bound, value)
        )
        low, high = measure.between((bound, value))
        claim = f"The {measure.best} of {of} was not found in time; it is from {low} to {high}"
        return Verdict(Decision.UNDECIDED, claim, bounded, scope_of(mechanism, consumer))
    if bound != value:
        message = "the remap found and its weights disagree; please report this"
        raise DefectiveAnswerError(message, remap=remap, weights=weights)
    return _attained(RemapEvidence(mechanism=mechanism, consumer=consumer, least_loss=value, remap=remap, weights=weights))


def best_in_field(known: RemapEvidence, mechanism: Mechanism, consumer: Consumer) -> RemapEvidence | None:
    """The best remap of the same numbers in the mechanism's field; None unless its weights prove it."""
    if known.least_loss_bounds is not None:
        return None
    field = mechanism.field
    remap = Remap(known.remap.matrix.over(field), mechanism.outputs, known.remap.guesses)
    weights = tuple(map(field, known.weights))
    value = consumer.loss_of(mechanism.post_process(remap))
    if remap_bound(mechanism, consumer, weights) != value:
        return None
    return RemapEvidence(mechanism=mechanism, consumer=consumer, least_loss=value, remap=remap, weights=weights)


def _attained(e: RemapEvidence) -> Verdict[RemapEvidence]:
    """The verdict about a best remap that was found and proved."""
    measure, kind = e.consumer.measure, "deterministic" if e.remap.is_deterministic() else "randomised"
    of = f"a remap of the mechanism {whose(e.consumer)}"
    claim = f"The {measure.best} of {of} is {measure.of(e.least_loss)}, attained by a {kind} remap"
    return Verdict(Decision.PROVED, claim, e, scope_of(e.mechanism, e.consumer))


def _of_the_geometric(mechanism: Mechanism, consumer: Consumer, progress: Listener | None) -> RemapEvidence | None:
    """The best remap of a geometric mechanism, as optima on paths are found; None for anything else.

    With a single crossing it is an optimum among all private mechanisms. That it is the best remap needs no
    crossing: its loss is what its weights prove.
    """
    if mechanism.n_outputs * len(consumer.loss.guesses) <= SMALL:
        return None
    if consumer.field != QQ or not isinstance(mechanism.field.one, Rational | ExponentialNumber):
        return None
    level = geometric_level(mechanism)
    if level is None or not consumer.loss.has_single_crossing():
        return None
    from exactdp.analysis.optimality.path_optimality import path_value  # other mechanisms need none of these
    from exactdp.search.path.path_optimum import propose_over_field, propose_path_optimum

    n = mechanism.n_inputs - 1
    told = part_of(progress, "best remap")
    try:
        if isinstance(level.alpha, Rational):
            proposal = propose_path_optimum(n, level.alpha, consumer, progress=told)
        else:
            over_field = propose_over_field(n, level.alpha, consumer, progress=told)
            if over_field is None:
                return None
            proposal = over_field
    except ResourceLimitError as error:
        raise_unless_own_limit(error)
        return None  # the time is up: what is certain all the same is said there
    worth = path_value(n, level.alpha, consumer, proposal)
    if not worth.valid or worth.loss != worth.bound:
        return None
    remap = Remap(SparseRows(proposal.remap, len(consumer.loss.guesses), level.field), mechanism.outputs, consumer.loss.guesses)
    return RemapEvidence(mechanism=mechanism, consumer=consumer, least_loss=worth.loss, remap=remap, weights=proposal.weights)


def is_best_remap(
    mechanism: MechanismLike, consumer: ConsumerLike, remap: RemapLike, *, progress: Listener | None = None
) -> Verdict[GivenRemapEvidence]:
    """Is this remap optimal for the consumer, and if not, by how much?

    Parameters
    ----------
    mechanism, consumer, progress
        As in :func:`best_remap`.
    remap : Remap, Table or rows
        From the mechanism's outputs to the consumer's guesses.

    Returns
    -------
    Verdict[GivenRemapEvidence]
        Proved, or refuted with the exact gap and a better remap.

    Examples
    --------
    The printed interaction of [gs2010, Table 1(c)] is not optimal:

    >>> from exactdp import ExactMatrix, Loss, MinimaxConsumer, Remap, geometric
    >>> G = geometric(3, "1/4")
    >>> rows = [["9/11", "2/11", 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, "2/11", "9/11"]]
    >>> T = Remap(ExactMatrix(rows), G.outputs, G.outputs)
    >>> is_best_remap(G, MinimaxConsumer(Loss.absolute(G.inputs)), T).evidence.gap
    Rational('63/73040')
    """
    asked = Arguments(mechanism=mechanism, consumer=consumer)
    mechanism, consumer = asked.mechanism, asked.consumer
    remap = as_remap(remap).aligned(mechanism.outputs, consumer.loss.guesses)
    answer = best_remap(mechanism, consumer, progress=progress)
    if not answer.proved:
        raise ResourceLimitError(f"whether the remap is best was not decided: {answer.claim[0].lower()}{answer.claim[1:]}")
    best = answer.evidence
    loss = consumer.loss_of(mechanism.post_process(remap))
    gap = loss - best.least_loss
    evidence = GivenRemapEvidence(
        mechanism=mechanism,
        consumer=consumer,
        least_loss=best.least_loss,
        remap=best.remap,
        weights=best.weights,
        given=remap,
        loss=loss,
        gap=gap,
    )
    scope, measure = scope_of(mechanism, consumer, remap), consumer.measure
    own, who = f"its {measure.word} is {measure.of(loss)}", whose(consumer)
    if not gap > 0:
        return Verdict(decided(True), f"The remap is optimal {who}: {own}, the {measure.extreme} of all remaps", evidence, scope)
    claim = f"The remap is not optimal {who}: {own}, {gap} {measure.above} the {measure.extreme} {best.value}"
    return Verdict(decided(False), claim, evidence, scope)


def remap_bound(mechanism: Mechanism, consumer: Consumer, weights: tuple[Any, ...]) -> Any:
    """Σ_y min_r Σ_i w_i l(i,r) M_iy: with weights w ≥ 0 of sum 1 on S no remap has a smaller loss."""
    return least_cost(weights, mechanism.matrix, consumer.loss.matrix)


M = TypeVar("M", Mechanism, Table, PrintedTable)


def as_deployed(mechanism: M, consumer: Consumer) -> M:
    """The mechanism with inputs in the consumer's order, and its outputs in that of the guesses they are."""
    outputs, guesses = mechanism.outputs, consumer.loss.guesses
    own = isinstance(outputs, Positions) and outputs.named and outputs != mechanism.inputs and set(outputs) != set(guesses)
    mechanism = mechanism.aligned(consumer.inputs)
    try:
        if own:  # a law on integers names its outputs, and these are no guesses
            message = f"the mechanism's outputs are {brief(outputs)}, and the guesses {brief(guesses)}"
            raise LabelError(message, got=outputs, expected=guesses)
        return mechanism.aligned(outputs=guesses)
    except LabelError as error:
        if error.facts.get("unlabelled") or isinstance(mechanism, PrintedTable):  # of which no remap is asked
            raise
        message = f"{error.message}; or ask for the mechanism's best remap instead (--after-remap)"
        raise LabelError(message, **error.facts) from None
