# SPDX-License-Identifier: MIT
"""A deployed table: is it a mechanism, how private, is the claim true, is it optimal, what would repair it?

Every part is a verdict of a question asked elsewhere; this module asks them together, in an order that makes
sense for a table that may fail at any of them. It also says where two tables differ most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import attrs

from exactdp.analysis.approximate import DeltaEvidence, Event, LevelForDeltaEvidence, as_delta, least_delta, level_for_delta
from exactdp.analysis.arguments import ConsumerLike, MechanismLike, as_consumer, as_kind, as_neighbours, as_table
from exactdp.analysis.epsilon import at_epsilon, keeps_epsilon
from exactdp.analysis.optimality.mechanism import OptimalityAfterRemapEvidence, OptimalityEvidence, is_optimal_after_remap
from exactdp.analysis.optimality.remap import as_deployed
from exactdp.analysis.privacy import PrivacyEvidence, is_private, is_stochastic, tightest_level
from exactdp.analysis.verdict import Decision, Verdict, decided, scope_of
from exactdp.analysis.wording import decimal_above, level_text, short_number
from exactdp.errors import DomainError, InputError, LabelError, SearchError
from exactdp.exact import ExponentialNumber, Rational, entries_of
from exactdp.lp.limits import Listener, part_of
from exactdp.model import Consumer, Epsilon, Mechanism, Neighbours, NeighboursLike, PrivacyLevel, Table, TightestLevel
from exactdp.model.mechanism import Faults, mixed_with_uniform, mixing_weight

FEW = 24
"""A longer exact form of an ε is claimed as a decimal above it."""


@dataclass(frozen=True, slots=True)
class Difference:
    """An input and an output whose probabilities differ most between two tables with the same labels."""

    input: int
    output: int
    first: Any
    second: Any


def law_difference(first: Table | Mechanism, second: Table | Mechanism) -> Difference | None:
    """Where do two tables differ most? None if they are equal: the one is what the other is sold as.

    Examples
    --------
    >>> from exactdp import geometric
    >>> d = law_difference(geometric(2, "1/2"), geometric(2, "1/3"))
    >>> d.input, d.output, d.first, d.second
    (1, 1, Rational('1/3'), Rational('1/2'))
    >>> law_difference(geometric(2, "1/2"), geometric(2, "1/2")) is None
    True
    """
    second = second.aligned(first.inputs, first.outputs)
    found: Difference | None = None
    most: Any = None
    for i, (row, other) in enumerate(zip(first.matrix.rows(), second.matrix.rows(), strict=True)):
        for r, (x, y) in enumerate(zip(row, other, strict=True)):
            gap = abs(x - y)
            if gap > 0 and (most is None or gap > most):
                found, most = Difference(i, r, x, y), gap
    return found


def _optional_epsilon(x: Any) -> Epsilon | None:
    return None if x is None else Epsilon(x)


def _optional_level(x: Any) -> PrivacyLevel | None:
    return None if x is None else PrivacyLevel(x)


@attrs.frozen(kw_only=True)
class PrivacyClaim:
    """What is said about a deployed mechanism: ε (or a level α), and perhaps δ.

    Parameters
    ----------
    epsilon : rational, text or Epsilon, optional
        ε > 0, such as 1/2 or ``ln(3)``; the level is e^(−ε), exactly.
    level : PrivacyLevel or what makes one, optional
        α, instead of ε.
    delta : exact number
        0 unless given.

    Examples
    --------
    >>> print(PrivacyClaim(epsilon="1/2", delta="1/1000"))
    (1/2, 1/1000)-private
    """

    epsilon: Any = attrs.field(default=None, converter=_optional_epsilon)
    level: PrivacyLevel | None = attrs.field(default=None, converter=_optional_level)
    delta: Any = attrs.field(default=0, converter=as_delta)

    def __attrs_pre_init__(self, *, epsilon: object = None, level: object = None, delta: object = 0) -> None:
        if (epsilon is None) == (level is None):
            raise InputError("a claim is an ε or a level α, one of them", epsilon=epsilon, level=level)

    def over(self, table: Table) -> tuple[Table, PrivacyLevel | None]:
        """The table and the level in one field; no level where e^(−ε) is in none with the table's numbers."""
        if self.level is not None:
            return table, self.level
        try:
            return at_epsilon(table, self.epsilon)
        except DomainError:
            return table, None

    def __str__(self) -> str:
        delta = "" if self.delta == 0 else f", {self.delta}"
        if self.level is not None:
            return f"{self.level.name}-private" if not delta else f"(level {self.level}{delta})-private"
        return f"({self.epsilon}{delta or ', 0'})-private"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsumerAudit:
    """A consumer's loss as deployed and after the best remap, against the optimum; or why one is missing."""

    consumer: Consumer
    level: PrivacyLevel
    deployed: Verdict[OptimalityEvidence] | None
    remapped: Verdict[OptimalityAfterRemapEvidence] | None
    reason: str | None = None

    @property
    def optimum(self) -> Any:
        """The least loss of a mechanism that is private at the level."""
        known = self.deployed if self.remapped is None else self.remapped
        return None if known is None else known.evidence.value


@dataclass(frozen=True, slots=True)
class Repair:
    """One way to make the claim true: what to do, and what is then exactly so."""

    action: str
    result: str
    mechanism: Mechanism | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """Everything found.

    Attributes
    ----------
    title : str
        What was audited.
    table : Table
        As it was given, over a field that has the claimed level.
    faults : Faults
        Rows that do not sum to 1, and negative entries.
    mechanism : Mechanism or None
        The table itself; or, when ``repaired``, with every row divided by its sum; None when that is
        impossible.
    neighbours : Neighbours
    claim : PrivacyClaim or None
    level : PrivacyLevel or None
        The claimed level.
    tightest : Verdict[LevelForDeltaEvidence] or None
        The exact level of the table as it is (not if it has negative entries).
    own : Verdict[PrivacyEvidence] or None
        The tightest level of ``mechanism``, with the constraints that are tight there.
    privacy : Verdict[PrivacyEvidence] or None
        Is ``mechanism`` private at the claimed level?
    delta : Verdict[DeltaEvidence] or None
        The least δ of the table as it is at the claimed level.
    for_delta : tuple of Verdict[LevelForDeltaEvidence]
        The level that each δ asked about buys, for the table as it is.
    consumers : tuple of ConsumerAudit
    repairs : tuple of Repair
    """

    title: str
    table: Table
    faults: Faults
    mechanism: Mechanism | None
    repaired: bool
    neighbours: Neighbours
    claim: PrivacyClaim | None
    level: PrivacyLevel | None
    tightest: Verdict[LevelForDeltaEvidence] | None
    own: Verdict[PrivacyEvidence] | None
    privacy: Verdict[PrivacyEvidence] | None
    delta: Verdict[DeltaEvidence] | None
    for_delta: tuple[Verdict[LevelForDeltaEvidence], ...]
    consumers: tuple[ConsumerAudit, ...]
    repairs: tuple[Repair, ...]

    @property
    def ratio(self) -> Any:
        """The exact tightest level of the table as it is, as a number; None if it has negative entries."""
        return None if self.tightest is None else self.tightest.evidence.ratio

    def level_text(self, level: Any) -> str:
        """A level with its ε, as the claim speaks; no other ε has the decimal of the claimed one."""
        claimed = None if self.claim is None else self.claim.epsilon
        beside = [] if claimed is None or claimed.rational is None else [claimed.rational]
        return level_text(level, None if self.claim is None else claimed is not None, *beside)

    @property
    def worst(self) -> Event | None:
        """The event that shows the tightest level."""
        return None if self.tightest is None else self.tightest.evidence.event

    @property
    def claim_holds(self) -> bool | None:
        """Whether the table, as it is, keeps the claim; None without a claim, or with negative entries."""
        if self.claim is None or self.tightest is None:
            return None
        if self.delta is not None:
            return bool(self.delta.evidence.delta <= self.claim.delta)
        if self.claim.delta == 0 and isinstance(self.ratio, (Rational, ExponentialNumber)):
            return keeps_epsilon(self.ratio, self.claim.epsilon)
        return None

    def difference(self, other: Audit) -> Difference | None:
        """Where the two tables differ most, as :func:`law_difference` finds it."""
        return law_difference(self.table, other.table)

    @property
    def verdicts(self) -> dict[str, Verdict[Any]]:
        """The verdicts by name: what certificates can be written of."""
        found: dict[str, Verdict[Any]] = {}
        if self.faults:
            given = self.table if self.tightest is None else self.tightest.evidence.subject
            found["not-stochastic"] = is_stochastic(given if isinstance(given, Table) else given.as_table())
        if self.tightest is not None:
            found["level"] = self.tightest
        if self.own is not None and self.repaired:
            found["level-after-renormalising"] = self.own
        if self.privacy is not None:
            found["privacy"] = self.privacy
        if self.delta is not None:
            found["delta"] = self.delta
        found |= {f"level-for-delta-{k}": verdict for k, verdict in enumerate(self.for_delta, 1)}
        for k, entry in enumerate(self.consumers, 1):
            parts = (("deployed", entry.deployed), ("after-remap", entry.remapped))
            found |= {f"consumer-{k}-{name}": v for name, v in parts if v is not None and v.decision is not Decision.UNDECIDED}
        return found


def audit(
    table: MechanismLike,
    neighbours: NeighboursLike,
    *,
    claim: PrivacyClaim | None = None,
    consumers: Sequence[ConsumerLike] = (),
    deltas: Sequence[object] = (),
    title: str = "the table",
    time_limit: float | None = None,
    progress: Listener | None = None,
) -> Verdict[Audit]:
    """Is this table a mechanism, is the claim about its privacy true, and how far from optimal is it?

    Parameters
    ----------
    table : Table, Mechanism, text or rows
        As deployed; its rows need not sum to 1.
    neighbours : Graph or Metric
        On its inputs, all distances 1.
    claim : PrivacyClaim, optional
        What is said about it.
    consumers : sequence of Consumer
        Whose gaps are wanted: at the mechanism's own tightest level, and at the claimed one where it is kept
        and can be decided.
    deltas : sequence of exact numbers
        For each, the smallest ε (largest level) that it buys.
    title : str
        For the sentences.
    time_limit, progress
        As in :func:`exactdp.optimum`.

    Returns
    -------
    Verdict[Audit]
        Proved: it is a mechanism and the claim (if any) holds. Refuted: it is none, or the claim fails; the
        text says where. Undecided: the claim is about an ε that has no place beside a symbolic level, or
        about a δ beside an ε that is too fine (:data:`exactdp.analysis.epsilon.FINEST`).

    Examples
    --------
    >>> from exactdp import geometric, neighbours
    >>> v = audit(geometric(3, "1/4"), neighbours("path:4"), claim=PrivacyClaim(epsilon=1))
    >>> v.decision.value, v.evidence.ratio
    ('refuted', Rational('1/4'))
    """
    table = as_table(table)
    if claim is not None:
        as_kind(claim, PrivacyClaim, "claim", "a PrivacyClaim, such as PrivacyClaim(epsilon=1)")
    near = as_neighbours(neighbours, table)
    neighbours, given = near, table.aligned(near.vertices)
    consumers = [as_consumer(consumer, near.vertices, near) for consumer in entries_of(consumers, "consumers")]
    deployed, level = (given, None) if claim is None else claim.over(given)
    faults = given.faults()
    mechanism, repaired = _mechanism(deployed, faults)
    tightest = delta = own = privacy = None
    bought: tuple[Verdict[LevelForDeltaEvidence], ...] = ()
    if not faults.negative:
        tightest = level_for_delta(given, neighbours, 0, progress=part_of(progress, "tightest level"))
        bought = tuple(
            level_for_delta(given, neighbours, d, progress=part_of(progress, f"smallest ε for δ = {d}"))
            for d in entries_of(deltas, "deltas")
        )
        if level is not None:
            delta = least_delta(deployed, neighbours, level, progress=part_of(progress, "least δ"))
    usable = _mechanism(given, faults)[0]
    if usable is not None:
        own = tightest_level(usable, neighbours, progress=part_of(progress, "privacy"))
    if mechanism is not None and level is not None:
        privacy = is_private(mechanism, neighbours, level, progress=part_of(progress, "the claim"))
    found = Audit(
        title=title,
        table=deployed,
        faults=faults,
        mechanism=mechanism,
        repaired=repaired,
        neighbours=neighbours,
        claim=claim,
        level=level,
        tightest=tightest,
        own=own,
        privacy=privacy,
        delta=delta,
        for_delta=bought,
        consumers=() if own is None else tuple(_consumers(own.evidence, level, consumers, time_limit, progress)),
        repairs=(),
    )
    found = replace(found, repairs=tuple(_repairs(found)))
    open_claim = claim is not None and found.claim_holds is None and not faults
    decision = Decision.UNDECIDED if open_claim else decided(not faults and found.claim_holds is not False)
    return Verdict(decision, _sentence(found), found, scope_of(deployed, *([] if level is None else [level])))


def _mechanism(table: Table, faults: Faults) -> tuple[Mechanism | None, bool]:
    """The mechanism, and whether rows had to be divided by their sums."""
    if not faults:
        return table.as_mechanism(), False
    try:
        return table.renormalise(), True
    except InputError:
        return None, False


def _consumers(
    own: PrivacyEvidence,
    claimed: PrivacyLevel | None,
    consumers: Sequence[Consumer],
    time_limit: float | None,
    progress: Listener | None,
) -> list[ConsumerAudit]:
    """Each consumer at the mechanism's own level, then at the claimed one if it is another and kept."""
    mechanism, neighbours, tightest = own.mechanism, own.neighbours, own.tightest
    levels = []
    if tightest.value is not None and tightest.value not in (0, 1):
        levels.append(PrivacyLevel(tightest.value))
    if claimed is not None and claimed.alpha.field == mechanism.field and tightest > claimed:
        levels.append(claimed)
    result = []
    pairs = [(consumer, level) for consumer in consumers for level in levels]
    for number, (consumer, level) in enumerate(pairs, 1):
        deployed = remapped = reason = None
        told = part_of(progress, f"consumer and level {number} of {len(pairs)}")
        try:
            remapped = is_optimal_after_remap(mechanism, neighbours, level, consumer, time_limit=time_limit, progress=told)
            if remapped.evidence.value is not None:
                deployed = _as_deployed(mechanism, remapped.evidence)
        except (DomainError, SearchError) as error:
            reason = error.message
        result.append(ConsumerAudit(consumer=consumer, level=level, deployed=deployed, remapped=remapped, reason=reason))
    return result


def _as_deployed(mechanism: Mechanism, best: OptimalityAfterRemapEvidence) -> Verdict[OptimalityEvidence] | None:
    """What :func:`exactdp.is_optimal` says, from the known optimum; None if the outputs are no guesses."""
    try:
        mechanism = as_deployed(mechanism, best.consumer)
    except LabelError:
        return None
    loss = best.consumer.loss_of(mechanism)
    gap = loss - best.value
    known = {field.name: getattr(best, field.name) for field in fields(OptimalityEvidence)}
    evidence = OptimalityEvidence(**{**known, "loss": loss, "gap": gap})
    measure = best.consumer.measure
    numbers = f"{measure.of(loss)}, the {measure.extreme} is {measure.of(best.value)}, the gap {gap}"
    claim = f"As deployed the {measure.word} for {best.consumer.describe()} is {numbers}"
    return Verdict(decided(gap == 0), claim, evidence, scope_of(mechanism, best.level, best.consumer.loss))


def _repairs(found: Audit) -> list[Repair]:
    """What would make the table a mechanism, and the claim true."""
    repairs = []
    if found.repaired and found.own is not None:
        level = found.own.evidence.tightest
        result = f"a mechanism whose tightest level is {found.level_text(level)}"
        repairs.append(Repair("divide every row by its sum", result, found.own.evidence.mechanism))
    if found.claim_holds is False:
        ratio = found.ratio
        epsilon = TightestLevel(ratio).epsilon
        if epsilon.is_enclosed:
            least = str(epsilon) if len(str(epsilon)) <= FEW else decimal_above(epsilon.enclosure(9)[1], 10)
            repairs.append(Repair(f"claim ε = {least} instead", f"true: the tightest level is {found.level_text(ratio)}"))
        if found.delta is not None:
            repairs.append(Repair(f"claim δ = {short_number(found.delta.evidence.delta)} beside ε", "true, and with no smaller δ"))
    if found.mechanism is not None and found.level is not None and found.privacy is not None and found.privacy.refuted:
        weight = mixing_weight(found.mechanism, found.neighbours, found.level)
        if weight is not None:
            mixed = mixed_with_uniform(found.mechanism, weight)
            # cannot be: our own check of the formula above
            if is_private(mixed, found.neighbours, found.level).refuted:
                raise DomainError("mixing with the uniform mechanism did not repair the level", mechanism=found.mechanism)
            action = f"with probability λ = {short_number(weight)} answer uniformly"
            repairs.append(Repair(action, f"a mechanism that is {found.level.name}-private", mixed))
    return repairs


def _sentence(found: Audit) -> str:
    name = found.title
    if found.faults:
        count = len(found.faults.rows)
        first = str((*found.faults.negative, *found.faults.rows)[0])
        more = f" ({count} of {len(found.table.inputs)} rows do not sum to 1)" if count > 1 else ""
        start = f"{name} is not a mechanism: {first}{more}"
    else:
        start = f"{name} is a mechanism"
    if found.claim is None:
        return start if found.ratio is None else f"{start}; its tightest level is {found.level_text(found.ratio)}"
    holds = found.claim_holds
    if holds is None:
        return f"{start}; the claim that it is {found.claim} is not decided"
    level = found.level_text(found.ratio)
    if holds:
        return f"{start}; the claim that it is {found.claim} is true, and the tightest level is {level}"
    least = "" if found.delta is None else f", and at the claimed ε δ is {short_number(found.delta.evidence.delta)}"
    return f"{start}; the claim that it is {found.claim} is false: the tightest level is {level}{least}"
