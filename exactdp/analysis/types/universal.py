# SPDX-License-Identifier: MIT
"""Universal ℓ-optimality: is one mechanism, after the best remap, optimal for a loss under *every* prior?

*Yes* has one of three arguments. *Path*: the loss depends on inputs along a path only, crosses once there,
and the geometric mechanism of the path is derivable. *Tree*: zero-one loss, and T = Φ·diag(z) with Φ_iv =
α^d(i,v), z_v = (1 − (deg v − 1)α)/(1+α) is derivable. *Kinks*: the least loss is linear in the prior on
finitely many cones, and the mechanism is optimal at their extreme rays.

*No* has finitely many priors that no single mechanism serves, with a Farkas vector; or, on graphs, for the
zero-one loss and the distance, a cycle or an input with too many neighbours: there the question is decided at
any size.

The *utility set* U(M) of a mechanism M of a privacy type is the set of losses for which M, after the best
remap, is optimal under every prior among the mechanisms of the type.

Source: Fernandes, McIver, Palamidessi, Ding (Definitions 4 and 10, Theorems 15, 19–21); docs/mathematics.md
§1, §10.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from exactdp.analysis.arguments import Arguments, MechanismLike, ask
from exactdp.analysis.privacy import require_private
from exactdp.analysis.types.universal_arguments import UniversalEvidence, by_theorem, obstacle, refuted_nearby
from exactdp.analysis.types.universal_priors import (
    ONLY_RATIONAL,
    BestMixture,
    best_for,
    best_response,
    bounds_every_vertex,
    kinks,
    least_loss,
    mixture_of_vertices,
    priors_to_try,
    total_cost,
)
from exactdp.analysis.types.vertices import PosteriorPolytope, posterior_polytope
from exactdp.analysis.verdict import Decision, Verdict, scope_of
from exactdp.analysis.wording import at_level
from exactdp.errors import DefectiveAnswerError, DomainError, InputError, ResourceLimitError, wrong_kind
from exactdp.exact import Rational, as_count, as_flag, is_mapping
from exactdp.model import LevelLike, LossLike, Mechanism, Neighbours, NeighboursLike, PrivacyLevel
from exactdp.model.level_argument import takes_epsilon
from exactdp.runtime.progress import Listener, Progress, part_of, raise_unless_own_limit
from exactdp.search.tight_solutions import common_mixture

SHOWN = 8
"""Priors on more inputs are shown by their positive entries, up to so many."""

TRIES = 400
"""How many priors are tried before kinks are enumerated."""


@takes_epsilon
def universally_optimal_mechanism(
    neighbours: NeighboursLike,
    level: LevelLike,
    loss: LossLike,
    *,
    theorems: bool = True,
    tries: int = TRIES,
    only: Collection[int] | None = None,
    progress: Listener | None = None,
    time_limit: float | None = None,
) -> Verdict[UniversalEvidence]:
    """Is there a mechanism of the type that is optimal for this loss under every prior?

    Parameters
    ----------
    neighbours : Graph, Metric or text
        Connected.
    level : level
        In any field.
    loss : Loss, text or rows
        Its inputs are the vertices.
    theorems : bool
        Use what is proved for whole families of graphs (paths, trees, cycles, stars) first; otherwise priors
        and kinks only.
    tries : int
        Priors to try.
    only : collection of int, optional
        Of these, try only those with these numbers (``numbers`` of an earlier answer at a level near by), and
        no kinks.
    progress : callable, optional
        Told how far it is.
    time_limit : float, optional
        Stop about so late; the question is then undecided.

    Returns
    -------
    Verdict[UniversalEvidence]
        Proved with a mechanism and an argument, refuted with priors, or undecided (the kinks are too many, or
        the time was up).

    Examples
    --------
    >>> from exactdp.model import Loss, neighbours
    >>> def asked(graph, level):
    ...     near = neighbours(graph)
    ...     return universally_optimal_mechanism(near, level, Loss.zero_one(near.vertices))
    >>> graphs = ("path:4", "star:4", "complete:3", "star:5", "grid:20x20")
    >>> [asked(graph, "1/2").evidence.rule for graph in graphs]
    ['path', 'tree', 'cycle', 'star', 'cycle']
    >>> triangle = neighbours("complete:3")
    >>> loss = Loss.zero_one(triangle.vertices)
    >>> len(universally_optimal_mechanism(triangle, "1/2", loss, theorems=False).evidence.priors)
    2
    """

    def answer(asked: Arguments) -> Verdict[UniversalEvidence]:
        base = _base(asked, theorems=theorems, tries=tries)
        return _unless_stopped(base, lambda: decide(base, asked.progress))

    def decide(base: UniversalEvidence, progress: Listener | None) -> Verdict[UniversalEvidence]:
        if theorems:
            against = obstacle(base)  # the cheaper question first; no graph has both answers
            if against is not None:
                return _none_is(against)
            for found in by_theorem(base):
                return _one_is(found)
        return _search(base, tries, only, progress)

    return ask(answer, progress, time_limit, neighbours=neighbours, level=level, loss=loss)


def _base(asked: Arguments, *, theorems: bool, tries: int, mechanism: Mechanism | None = None) -> UniversalEvidence:
    """What a question is about, before it is answered; how it is answered is checked, too."""
    as_count(tries, "number of tries")
    as_flag(theorems, "flag theorems")
    return UniversalEvidence(neighbours=asked.neighbours, level=asked.level, loss=asked.loss, mechanism=mechanism)


@takes_epsilon
def is_universally_optimal(
    mechanism: MechanismLike,
    neighbours: NeighboursLike,
    level: LevelLike,
    loss: LossLike,
    *,
    theorems: bool = True,
    tries: int = TRIES,
    progress: Listener | None = None,
    time_limit: float | None = None,
) -> Verdict[UniversalEvidence]:
    """Is this mechanism optimal, after the best remap, for this loss under every prior?

    Parameters
    ----------
    mechanism : Mechanism, Table, text or rows
        Private at the level.
    neighbours, level, loss, theorems, tries, progress, time_limit
        As for :func:`universally_optimal_mechanism`.

    Raises
    ------
    InputError
        The mechanism is not private at the level.

    Examples
    --------
    >>> from exactdp import Loss, geometric, neighbours, uniform
    >>> near, G = neighbours("path:3"), geometric(2, "1/2")
    >>> zero_one = Loss.zero_one(near.vertices)
    >>> [bool(is_universally_optimal(M, near, "1/2", zero_one)) for M in (G, uniform(G.inputs))]
    [True, False]
    """

    def answer(asked: Arguments) -> Verdict[UniversalEvidence]:
        base = _base(asked, theorems=theorems, tries=tries, mechanism=asked.mechanism)
        return _unless_stopped(base, lambda: decide(base, asked))

    def decide(base: UniversalEvidence, asked: Arguments) -> Verdict[UniversalEvidence]:
        require_private(asked.mechanism, asked.neighbours, asked.level)
        if theorems:
            for found in by_theorem(base):
                return _one_is(found, "The mechanism")
            against = refuted_nearby(base)
            if against is not None:
                return _this_is_not(against)
        return _judge(base, asked.mechanism, tries, asked.progress)

    return ask(answer, progress, time_limit, mechanism=mechanism, neighbours=neighbours, level=level, loss=loss)


@dataclass(frozen=True, kw_only=True)
class UtilitySet:
    """The losses asked about, each with its own verdict.

    Attributes
    ----------
    mechanism, neighbours, level
        What was asked about.
    answers : tuple of (str, Verdict[UniversalEvidence])
        The name of each loss and whether the mechanism serves it; ``certify`` makes a certificate of each
        decided one.
    """

    mechanism: Mechanism
    neighbours: Neighbours
    level: PrivacyLevel
    answers: tuple[tuple[str, Verdict[UniversalEvidence]], ...]

    def named(self, decision: Decision) -> tuple[str, ...]:
        """The names of the losses with this decision: proved (served), refuted (not served), undecided."""
        return tuple(name for name, verdict in self.answers if verdict.decision is decision)


@takes_epsilon
def utility_set(
    mechanism: MechanismLike,
    neighbours: NeighboursLike,
    level: LevelLike,
    losses: Mapping[str, LossLike],
    *,
    theorems: bool = True,
    tries: int = TRIES,
    progress: Listener | None = None,
    time_limit: float | None = None,
) -> Verdict[UtilitySet]:
    """Which of these losses are in the utility set of this mechanism?

    Parameters
    ----------
    mechanism : Mechanism, Table, text or rows
        Private at the level.
    neighbours, level, theorems, tries, progress
        As for :func:`is_universally_optimal`.
    losses : mapping of str to loss
        Names and losses, at least one; their inputs are the vertices.
    time_limit : float, optional
        Most time for each loss.

    Returns
    -------
    Verdict[UtilitySet]
        Proved if the mechanism serves each loss, refuted if it does not serve one, else undecided. The claim
        lists which are served, which are not, and which are not decided.

    Raises
    ------
    InputError
        There is no loss, or the mechanism is not private at the level.

    Examples
    --------
    >>> from exactdp import Loss, geometric, neighbours
    >>> near = neighbours("path:3")
    >>> ends = Loss([[0, 1], [0, 0], [1, 0]], near.vertices)
    >>> parity = Loss([[0, 1], [1, 0], [0, 1]], near.vertices)
    >>> losses = {"zero-one": Loss.zero_one(near.vertices), "ends": ends, "parity": parity}
    >>> found = utility_set(geometric(2, "1/2"), near, "1/2", losses)
    >>> found.evidence.named(Decision.PROVED), found.evidence.named(Decision.REFUTED)
    (('zero-one', 'ends'), ('parity',))
    """
    if not is_mapping(losses):
        raise wrong_kind("set of losses", losses, "a mapping from names to losses, such as {'error': 'abs'}")
    if not losses:
        raise InputError("there is no loss to ask about", losses=())

    def answer(asked: Arguments) -> Verdict[UtilitySet]:
        mechanism, neighbours, exact = asked.mechanism, asked.neighbours, asked.level
        answers = []
        for number, (name, loss) in enumerate(losses.items(), 1):
            told = part_of(asked.progress, f"loss {number} of {len(losses)}, {name}")
            served = is_universally_optimal(
                mechanism, neighbours, exact, loss, theorems=theorems, tries=tries, progress=told, time_limit=time_limit
            )
            answers.append((name, served))
        return _served(UtilitySet(mechanism=mechanism, neighbours=neighbours, level=exact, answers=tuple(answers)))

    return ask(answer, progress, time_limit, mechanism=mechanism, neighbours=neighbours, level=level)


def _served(evidence: UtilitySet) -> Verdict[UtilitySet]:
    """The verdict in words: which losses are served."""
    yes, no, left = (", ".join(evidence.named(decision)) for decision in (Decision.PROVED, Decision.REFUTED, Decision.UNDECIDED))
    where = f"on {at_level(evidence.neighbours, evidence.level)}"
    claim = f"Of {len(evidence.answers)} losses the mechanism serves universally, {where}: {yes or 'none'}; not: {no or 'none'}"
    if left:
        claim += f"; not decided ({len(evidence.named(Decision.UNDECIDED))}): {left}"
    without = Decision.UNDECIDED if left else Decision.PROVED
    decision = Decision.REFUTED if no else without
    return Verdict(decision, claim, evidence, scope_of(evidence.level))


def _unless_stopped(base: UniversalEvidence, search: Callable[[], Verdict[UniversalEvidence]]) -> Verdict[UniversalEvidence]:
    """What the search answers; undecided if it was told to stop."""
    try:
        return search()
    except ResourceLimitError as error:
        if "reason" not in error.facts:
            raise
        raise_unless_own_limit(error)
        return _undecided(base, error.message)


class _CommonOptimum:
    """Priors, and a mixture of vertices that is optimal for all of them as long as there is one."""

    def __init__(self, base: UniversalEvidence, polytope: PosteriorPolytope, progress: Listener | None) -> None:
        self.base, self.polytope, self.progress = base, polytope, progress
        self.priors: list[Sequence[Any]] = []
        self.best: list[BestMixture] = []
        self.numbers: list[int | None] = []
        self.weights: tuple[Any, ...] | None = None

    def serves(self, best: BestMixture) -> bool:
        """Whether the mixture is optimal for one more prior."""
        return self.weights is not None and bool(total_cost(self.weights, best.costs) == best.value)

    def add(self, prior: Sequence[Any], best: BestMixture, number: int | None = None) -> Verdict[UniversalEvidence] | None:
        """Serve this prior, too; or the verdict that no mixture serves all."""
        self.priors.append(prior)
        self.best.append(best)
        self.numbers.append(number)
        costs, optima = [b.costs for b in self.best], [b.value for b in self.best]
        self.weights, y, z = common_mixture(self.polytope.rays, costs, optima, progress=part_of(self.progress, "common optimum"))
        return None if self.weights is not None else self._impossible(y, z)

    def _impossible(self, y: Sequence[Any], z: Sequence[Any]) -> Verdict[UniversalEvidence]:
        """Σ_x y_x v_x ≤ Σ_k z_k c_kv at every vertex v, but Σ y > Σ_k z_k (least loss for the prior k)."""
        polytope, loss, zero = self.polytope, self.base.loss, self.polytope.field.zero
        used = [k for k, factor in enumerate(z) if factor]
        numbers = tuple(number for k in used if (number := self.numbers[k]) is not None)
        together = [sum((z[k] * self.best[k].costs[v] for k in used), zero) for v in range(len(polytope))]
        priors = tuple(tuple(z[k] * p for p in self.priors[k]) for k in used)
        best = [best_for(polytope, loss, prior) for prior in priors]
        conflict = all(z[k] > 0 for k in used) and sum(y, zero) > sum((b.value for b in best), zero)
        if not (conflict and bounds_every_vertex(polytope, y, together)):
            message = "the potentials found do not show that the priors conflict; please report this"
            raise DefectiveAnswerError(message, potentials=y)
        better = tuple(best_response(polytope, loss, prior, b.weights) for prior, b in zip(priors, best, strict=True))
        found = replace(self.base, rule="priors", priors=priors, potentials=(tuple(y),), better=better)
        return _none_is(replace(found, numbers=numbers))


def _search(base: UniversalEvidence, tries: int, only: Collection[int] | None, progress: Listener | None) -> Verdict[UniversalEvidence]:
    """A mixture of vertices that is optimal for more and more priors, until it is at all of its kinks."""
    polytope = posterior_polytope(base.neighbours, base.level, progress=progress)
    common = _CommonOptimum(base, polytope, progress)
    for number, prior in enumerate(_told(priors_to_try(polytope, tries), polytope, tries, progress)):
        if only is not None and number not in only:
            continue
        best = best_for(polytope, base.loss, prior, progress)
        if only is not None or not common.serves(best):
            impossible = common.add(prior, best, number)
            if impossible is not None:
                return impossible
    if only is not None:
        return _undecided(base, "the given priors have a common optimum")
    while True:
        assert common.weights is not None
        found = _by_kinks(base, polytope, mixture_of_vertices(polytope, common.weights), progress)
        if isinstance(found, UniversalEvidence):
            return _one_is(found)
        if isinstance(found, str):
            return _undecided(base, f"{len(common.priors)} priors have a common optimum; {found}")
        impossible = common.add(*found)
        if impossible is not None:
            return impossible


def _told(priors: Iterable[list[Any]], polytope: PosteriorPolytope, tries: int, progress: Listener | None) -> Iterator[list[Any]]:
    """The priors to try, of which it is told how many are done; a few of the random ones are left out."""
    most = 1 + len(polytope.neighbours.pairs()) + tries
    for number, prior in enumerate(priors):
        if progress is not None:
            progress(Progress("priors", number, most, "priors"))
        yield prior
    if progress is not None:
        progress(Progress("priors", most, most, "priors"))


def _judge(base: UniversalEvidence, mechanism: Mechanism, tries: int, progress: Listener | None) -> Verdict[UniversalEvidence]:
    """Whether this mechanism is optimal for the priors to try, then at the kinks of its least loss."""
    polytope = posterior_polytope(base.neighbours, base.level, progress=progress)
    found: UniversalEvidence | str | tuple[Sequence[Any], BestMixture] | None = None
    for prior in _told(priors_to_try(polytope, tries), polytope, tries, progress):
        best = best_for(polytope, base.loss, prior, progress)
        # at every level of an interval, or at none
        if (least_loss(mechanism, base.loss, prior) - best.value).sign():
            found = prior, best
            break
    else:
        found = _by_kinks(base, polytope, mechanism, progress)
    if isinstance(found, UniversalEvidence):
        return _one_is(found, "The mechanism")
    if isinstance(found, str):
        return _undecided(base, f"no prior among {tries} shows that it is not; {found}")
    prior, best = found
    better = best_response(polytope, base.loss, prior, best.weights)
    return _this_is_not(replace(base, rule="prior", priors=(tuple(prior),), better=(better,)))


def _by_kinks(
    base: UniversalEvidence, polytope: PosteriorPolytope, mechanism: Mechanism, progress: Listener | None
) -> UniversalEvidence | str | tuple[list[Any], BestMixture]:
    """The argument that the mechanism is optimal at its kinks; a kink where it is not; or what went wrong."""
    if not isinstance(base.level.alpha, Rational):  # the checker's rule is over the rationals, too
        return ONLY_RATIONAL
    points, potentials = [], []
    try:
        for point in kinks(mechanism, base.loss, progress=progress):
            prior = [Rational(x) for x in point]
            best = best_for(polytope, base.loss, prior, progress)
            if least_loss(mechanism, base.loss, prior) != best.value:
                return prior, best
            points.append(point)
            potentials.append(best.potentials)
    except (ResourceLimitError, DomainError) as error:
        if "reason" in error.facts:
            raise
        return error.message
    return replace(base, mechanism=mechanism, rule="kinks", priors=tuple(points), potentials=tuple(potentials))


def _this_is_not(evidence: UniversalEvidence) -> Verdict[UniversalEvidence]:
    """The mechanism asked about loses more than another one under a prior."""
    [weights], [better] = evidence.priors, evidence.better
    assert evidence.mechanism is not None
    total = sum(weights[1:], weights[0])
    prior = [p / total for p in weights]
    mine, other = (least_loss(m, evidence.loss, prior) for m in (evidence.mechanism, better))
    entries = list(zip(evidence.neighbours.vertices, prior, strict=True))
    positive = [(x, p) for x, p in entries if p]
    some = entries if len(entries) <= SHOWN else positive[:SHOWN]
    rest = [] if len(entries) <= SHOWN else ["…" if len(positive) > SHOWN else "else 0"]
    shown = ", ".join([*(f"{x}: {p}" for x, p in some), *rest])
    claim = (
        f"The mechanism is not universally optimal {_asked(evidence)}: under the prior ({shown}) it loses {mine} at best, "
        f"another one {other}"
    )
    return Verdict(Decision.REFUTED, claim, evidence, scope_of(evidence.level))


def _none_is(evidence: UniversalEvidence) -> Verdict[UniversalEvidence]:
    """No mechanism of the type is: by priors, a cycle or an input with its neighbours."""
    names = [evidence.neighbours.vertices[i] for i in evidence.inputs]
    match evidence.rule:
        case "priors":
            why = f"none is optimal for all of {len(evidence.priors)} priors"
        case "cycle":
            why = f"the graph has the cycle {' – '.join(names)}"
        case "star":
            why = f"the input {names[0]} has {len(names) - 1} neighbours, too many for this loss and level"
        case unknown:
            message = f"the rule {unknown!r} has no words in exactdp/analysis/types/universal.py"
            raise DefectiveAnswerError(message, rule=unknown)
    claim = (
        f"No mechanism of the privacy type of {at_level(evidence.neighbours, evidence.level)} is universally optimal for the loss "
        f"{evidence.loss.name or 'given'}: {why}"
    )
    return Verdict(Decision.REFUTED, claim, evidence, scope_of(evidence.level))


def _one_is(evidence: UniversalEvidence, subject: str = "A mechanism") -> Verdict[UniversalEvidence]:
    """The mechanism of the evidence is: by a path, a tree or kinks."""
    why = {
        "path": "the loss crosses once along a path, and its geometric mechanism is derivable",
        "tree": "on a tree with (degree − 1)·α ≤ 1 the tight mechanism is best for the zero-one loss",
        "kinks": f"it is optimal at the {len(evidence.priors)} kinks of its least loss",
    }[evidence.rule]
    claim = f"{subject} is universally optimal {_asked(evidence)}: {why}"
    return Verdict(Decision.PROVED, claim, evidence, scope_of(evidence.level))


def _undecided(base: UniversalEvidence, reason: str) -> Verdict[UniversalEvidence]:
    """Neither, for this reason."""
    subject = "a mechanism" if base.mechanism is None else "the mechanism"
    claim = f"Whether {subject} is universally optimal {_asked(base)} is not decided: {reason}"
    return Verdict(Decision.UNDECIDED, claim, base, scope_of(base.level))


def _asked(evidence: UniversalEvidence) -> str:
    """For which loss, on which neighbours and at which level."""
    return f"for the loss {evidence.loss.name or 'given'} on {at_level(evidence.neighbours, evidence.level)}"
