# SPDX-License-Identifier: MIT
"""A deployed table: is it a mechanism, how private, is the claim true, is it optimal, what would repair it?

Every part is a verdict of a question asked elsewhere; this module asks them together, in an order that makes
sense for a table that may fail at any of them. It also says where two tables differ most.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeVar

from exactdp.analysis.approximate import (
    DeltaEvidence,
    LevelForDeltaEvidence,
    breaking_events,
    is_approximately_private,
    least_delta,
    level_for_delta,
)
from exactdp.analysis.arguments import Arguments, ConsumerLike, MechanismLike, as_consumer, as_kind, as_neighbours, as_table, ask
from exactdp.analysis.audit_comparison import AuditComparison, compare_audits
from exactdp.analysis.digits_shown import places_that_explain
from exactdp.analysis.epsilon import keeps_epsilon
from exactdp.analysis.epsilon_shown import epsilon_text
from exactdp.analysis.faulty_tables import level_of_truth, transposed, zeroed, zeroed_text
from exactdp.analysis.file_numbers import Divided, divided_from
from exactdp.analysis.letters.statement import letters_in
from exactdp.analysis.other_neighbours import OtherNeighbours, other_neighbours
from exactdp.analysis.policy import Policy, as_policy
from exactdp.analysis.privacy import PrivacyEvidence, is_private, tightest_level
from exactdp.analysis.privacy_claim import Event, PrivacyClaim
from exactdp.analysis.required import decided_requirements
from exactdp.analysis.requirement import Required, Requirement, failing, require_askable, required_text, requirements_of
from exactdp.analysis.stochastic import is_stochastic, unrounded_text
from exactdp.analysis.verdict import NO_CLAIM, Decision, Verdict, decided, scope_of
from exactdp.analysis.wording import decimal_above, level_text, private_text, short_number, whose
from exactdp.errors import DomainError, ExactDPError, InputError, LabelError, MixedDomainError, ResourceLimitError, SearchError
from exactdp.exact import ExponentialField, ExponentialNumber, Rational, entries_of
from exactdp.model import Consumer, Mechanism, Neighbours, NeighboursLike, PrivacyLevel, Table, TightestLevel
from exactdp.model.consumer import MinimaxConsumer, Problem
from exactdp.model.epsilon import Epsilon
from exactdp.model.faults import ROUNDING, Faults, NegativeEntry, Quality, as_rounding
from exactdp.model.labels import Labels, Positions
from exactdp.model.mechanism import mixed_with_uniform, mixing_weight
from exactdp.model.printed import PrintedTable
from exactdp.runtime.progress import Listener, certain, part_of, raise_unless_own_limit, seconds_left
from exactdp.runtime.values import dataclass

if TYPE_CHECKING:
    from exactdp.analysis.optimality.mechanism_optimality import OptimalityAfterRemapEvidence, OptimalityEvidence

T = TypeVar("T")

UNTITLED = "the table"
"""What is audited, if it has no title."""

REPAIRS = "what would repair it"

NO_NEIGHBOURS = "say which inputs are neighbours: neighbours='path' for a count, 'complete' for reports of single people, or in a policy"
OTHERS = "other neighbours"

OUT_OF_TIME = "time limit"
"""Why a part is not decided that a time limit stopped."""

FEW = 24
"""A longer exact form of an ε is claimed as a decimal above it, a longer α as a number below it."""

DECIMALS = 10**10
"""The denominator of an α that is claimed in place of a longer one."""


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


def _by_place(own: Labels, theirs: Labels) -> Labels:
    """What the second are called where they can be matched by their places only: as the first."""
    bare = own if isinstance(own, Positions) else theirs
    if isinstance(own, Positions) == isinstance(theirs, Positions) or len(own) != len(theirs):
        return theirs
    return theirs if isinstance(bare, Positions) and bare.named and set(own) == set(theirs) else own


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsumerAudit:
    """A consumer's loss as deployed and after the best remap, against the optimum; or why one is missing.

    ``level`` is None, with the reason, where there is no level to compare at. ``stands`` is the loss of a
    rounded table as it stands, as deployed; ``stands_remapped`` after the same best remap. ``by_input`` has
    for each input that the consumer holds possible its label, and the loss, or utility, as deployed.
    """

    consumer: Consumer
    level: PrivacyLevel | None
    deployed: Verdict[OptimalityEvidence] | None
    remapped: Verdict[OptimalityAfterRemapEvidence] | None
    reason: str | None = None
    stands: Any = None
    stands_remapped: Any = None
    by_input: tuple[tuple[str, Any], ...] = ()

    @property
    def optimum(self) -> Any:
        """The least loss, or the largest utility, of a mechanism that is private at the level."""
        known = self.deployed if self.remapped is None else self.remapped
        return None if known is None else known.evidence.value


@dataclass(frozen=True, slots=True)
class Repair:
    """One way to make the claim true: what to do, and what is then exactly so."""

    action: str
    result: str
    mechanism: Mechanism | None = None
    share: Any = None
    """Of a mixture the probability of the uniform answer."""


def _is_at_most(found: DeltaEvidence, claimed: Any) -> bool | None:
    """Whether the least δ is at most the claimed one; None where what is known of it does not tell."""
    if found.delta is not None:
        return bool(found.delta <= claimed)
    lower, upper = found.bounds or (found.at_least, None)
    if lower is not None and lower > claimed:
        return False
    return True if upper is not None and upper <= claimed else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """Everything found.

    Attributes
    ----------
    title : str
        What was audited.
    given : Table
        As it was given; if its numbers are those of an ε, over the field of ``table``.
    table : Table
        The same over a field that has the claimed level.
    faults : Faults
        Rows that do not sum to 1, and negative entries.
    quality : str
        *exact*, *rounded* (no fault is above the bound) or *wrong*.
    rounding : Rational
        The bound.
    mechanism : Mechanism or None
        The table itself if it is exact. Of a rounded one the mechanism that is judged: negative entries are
        0, every row is divided by its sum. Of a wrong one what dividing by the sums would give; None when
        that is impossible.
    neighbours : Neighbours
    claim : PrivacyClaim or None
    level : PrivacyLevel, TightestLevel or None
        The claimed level; 1 for ε = 0. None without a claim, or where the claimed level has no common field
        with the table's numbers.
    tightest : Verdict[LevelForDeltaEvidence] or None
        The exact level of what is judged; None for a wrong table, or when the time was up.
    stands : Verdict[LevelForDeltaEvidence] or None
        The exact level of a rounded or wrong table as it stands; not if it has negative entries.
    own : Verdict[PrivacyEvidence] or None
        The tightest level of ``mechanism``, with the constraints that are tight there.
    privacy : Verdict[PrivacyEvidence] or None
        Is what is judged private at the claimed level?
    delta : Verdict[DeltaEvidence] or None
        Its least δ at the claimed level.
    broken : tuple of Event
        For a claimed δ > 0: an event for each ordered pair of neighbours that breaks the claim.
    for_delta : tuple of Verdict[LevelForDeltaEvidence]
        The level that each δ asked about buys: of what is judged, of a wrong table as it stands.
    consumers : tuple of ConsumerAudit
    repairs : tuple of Repair
    bought : Verdict[DeltaEvidence] or None
        Whether the claim with a δ holds, where its level has no common field with the table's numbers: the
        level was compared with the one that δ buys.
    undecided : tuple of str
        The parts that a time limit kept from being decided.
    stopped : str
        That the time limit has passed, and what was being done then.
    requirements : tuple of Required
        What became of each requirement: its text, the status, the exact value and what it was compared with.
    others : tuple of OtherNeighbours
        What the same table is under the other usual choices of neighbours.
    divided : Divided or None
        How what was judged differs from the table of the file, where rows were divided by their sums.
    compared : AuditComparison or None
        Another table beside this one, if one was asked about.
    """

    title: str
    given: Table
    table: Table
    faults: Faults
    quality: Quality
    rounding: Rational
    mechanism: Mechanism | None
    neighbours: Neighbours
    claim: PrivacyClaim | None
    level: PrivacyLevel | TightestLevel | None
    tightest: Verdict[LevelForDeltaEvidence] | None
    stands: Verdict[LevelForDeltaEvidence] | None
    own: Verdict[PrivacyEvidence] | None
    privacy: Verdict[PrivacyEvidence] | None
    delta: Verdict[DeltaEvidence] | None
    broken: tuple[Event, ...]
    for_delta: tuple[Verdict[LevelForDeltaEvidence], ...]
    consumers: tuple[ConsumerAudit, ...]
    repairs: tuple[Repair, ...]
    bought: Verdict[DeltaEvidence] | None = None
    undecided: tuple[str, ...] = ()
    stopped: str = "the time limit has passed"
    requirements: tuple[Required, ...] = ()
    others: tuple[OtherNeighbours, ...] = ()
    divided: Divided | None = None
    compared: AuditComparison | None = None

    @property
    def has_page_one(self) -> bool:
        """Whether a notebook shows page one of it: its numbers have no letter."""
        return self.ratio is None or isinstance(self.ratio, (Rational, ExponentialNumber))

    @property
    def repaired(self) -> bool:
        """Whether ``mechanism`` is another matrix than the table."""
        return self.quality != "exact" and self.mechanism is not None

    @property
    def ratio(self) -> Any:
        """The exact tightest level of what is judged, as a number; None for a wrong table, or unknown."""
        return None if self.tightest is None else self.tightest.evidence.ratio

    @property
    def rounded_to(self) -> int:
        """The decimal places rounding to which explains all faults of a wrong table; else 0."""
        return places_that_explain(self.given, self.faults) if self.quality == "wrong" else 0

    def privacy_beside(self, other: Audit) -> int | None:
        """1 if this is more private than the other (has the smaller ε), 0 if equally private, else −1.

        None where a tightest level is not known, or two levels with letters are not comparable.
        """
        if self.ratio is None or other.ratio is None or str(self.neighbours) != str(other.neighbours):
            return None
        try:
            return Epsilon.of_level(other.ratio).compare(Epsilon.of_level(self.ratio))
        except ExactDPError:
            return None

    @property
    def head(self) -> str:
        """What stands before the sentence instead of *proved* where nothing was claimed; else empty."""
        nothing = self.claim is None and not self.requirements
        return NO_CLAIM if nothing and self.ratio is not None else ""

    def level_text(self, level: Any) -> str:
        """A level with its ε, as the claim speaks; no other ε has the decimal of the claimed one."""
        claimed = None if self.claim is None else self.claim.epsilon
        beside = [] if claimed is None or claimed.rational is None else [claimed.rational]
        return level_text(level, self.given.by_epsilon if self.claim is None else claimed is not None, *beside)

    @property
    def worst(self) -> Event | None:
        """The event that shows the tightest level."""
        return None if self.tightest is None else self.tightest.evidence.event

    @property
    def claim_holds(self) -> bool | None:
        """Whether what is judged keeps the claim; no wrong table does. None without a claim, or undecided."""
        if self.claim is None:
            return None
        if self.quality == "wrong":
            return False
        if self.delta is not None:
            return _is_at_most(self.delta.evidence, self.claim.delta)
        if self.bought is not None:
            return self.bought.proved
        if isinstance(self.ratio, (Rational, ExponentialNumber)):  # with δ = 0; with more δ it holds all the more
            epsilon, alpha = self.claim.epsilon, self.claim.alpha
            kept = bool(self.ratio >= alpha.alpha) if alpha is not None else keeps_epsilon(self.ratio, epsilon)
            return kept if kept or self.claim.delta == 0 else None
        return None

    @property
    def zeroed(self) -> tuple[NegativeEntry, ...]:
        """The negative entries whose 0 leaves no finite ε; none if another entry does too."""
        return zeroed(self.own.evidence, self.faults) if self.quality == "rounded" and self.own is not None else ()

    def difference(self, other: Audit, *, by_position: bool = False) -> Difference | None:
        """Where the tables differ most, by :func:`law_difference`; by position where one has no labels."""
        return law_difference(self.table, self.beside(other) if by_position else other.table)

    def beside(self, other: Audit) -> Table:
        """The other table, with the labels of this one where only one of the two is labelled."""
        mine, table = self.table, other.table
        return table.relabelled(_by_place(mine.inputs, table.inputs), _by_place(mine.outputs, table.outputs))

    @property
    def verdicts(self) -> dict[str, Verdict[Any]]:
        """The verdicts by name: what certificates can be written of."""
        found: dict[str, Verdict[Any]] = {}
        if self.faults:
            found["not-stochastic"] = is_stochastic(self.given, rounding=self.rounding)
        if self.stands is not None:
            found["level-as-it-stands"] = self.stands
        if self.tightest is not None:
            found["level"] = self.tightest
        if self.own is not None and self.quality == "wrong":
            found["level-after-renormalising"] = self.own
        if self.privacy is not None:
            found["privacy"] = self.privacy
        if self.delta is not None:
            found["delta"] = self.delta
        if self.bought is not None:
            found["claim"] = self.bought
        found |= {f"level-for-delta-{k}": verdict for k, verdict in enumerate(self.for_delta, 1)}
        for k, entry in enumerate(self.consumers, 1):
            parts = (("deployed", entry.deployed), ("after-remap", entry.remapped))
            found |= {f"consumer-{k}-{name}": v for name, v in parts if v is not None and v.decision is not Decision.UNDECIDED}
        for one in self.requirements:
            if one.shown_by is not None and one.shown_by.decision is not Decision.UNDECIDED:
                found[one.part] = one.shown_by
        return found

    @property
    def of_claim(self) -> Verdict[Audit]:
        """The answer without what was required: what a certificate, or a bundle, decides."""
        return _verdict(replace(self, requirements=()), self.undecided)


def audit(
    table: MechanismLike | PrintedTable,
    neighbours: NeighboursLike | None = None,
    *,
    claim: PrivacyClaim | None = None,
    consumers: Sequence[ConsumerLike] = (),
    deltas: Sequence[object] = (),
    require: Sequence[str | Requirement] = (),
    policy: Policy | str | PathLike[str] | None = None,
    rounding: object = ROUNDING,
    title: str = UNTITLED,
    compare: MechanismLike | None = None,
    time_limit: float | None = None,
    progress: Listener | None = None,
) -> Verdict[Audit | Any]:
    """Is this table a mechanism, is the claim about its privacy true, and how far from optimal is it?

    Parameters
    ----------
    table : Table, Mechanism, PrintedTable, text or rows
        As deployed; its rows need not sum to 1. Of a printed table all mechanisms are meant that print so. A
        word whose table is too large is judged by its law (:mod:`exactdp.analysis.law_audit`).
    neighbours : Graph or Metric
        On its inputs, all distances 1 (:func:`exactdp.is_private` takes others). Those of the policy unless
        given.
    claim : PrivacyClaim, optional
        What is said about it.
    consumers : sequence of Consumer
        Whose gaps are wanted: at the mechanism's own tightest level, and at the claimed one where it is kept
        and can be decided.
    deltas : sequence of exact numbers
        For each, the smallest ε (largest level) that it buys.
    require : sequence of str, optional
        Bounds that must be kept: ``epsilon <= 1``, ``alpha >= 1/4``, ``delta <= 1e-6``, ``gap <= 5%``,
        ``gap after remap < 1/100``. ε is the smallest one beside the δ that is required, or beside δ = 0. δ
        is the least one at the ε that is required, or else at the claimed one. A gap is that of each consumer
        at each level where it is compared. (:mod:`exactdp.analysis.required` says more.)
    policy : Policy or path, optional
        Requirements, consumers and neighbours of a file (:class:`~exactdp.analysis.policy.Policy`), beside
        those given here.
    rounding : exact number
        In [0, 1/100]. A table none of whose faults (a row sum minus 1, a negative entry) is larger in
        absolute value is *rounded*, and the mechanism that it stands for is judged
        (:meth:`exactdp.Table.unrounded`); a table with a larger fault is *wrong*.
    title : str
        For the sentences.
    compare : as table, optional
        A second table, of which the same is asked. The answer begins with which is the more private one, and
        which is better for whom (``evidence.compared``); the verdict is about the first.
    time_limit, progress
        As in :func:`exactdp.optimum`; for all of it together. When the time is up the parts that are decided
        are told, and ``evidence.undecided`` names the others.

    Returns
    -------
    Verdict[Audit]
        Proved: it is a mechanism, or a rounded one, and the claim (if any) and all requirements hold; refuted
        if one of them fails. Without a claim it is so of
        every mechanism, however private, and told as *no claim* (``head``, ``str``, ``repr``, JSON). Refuted:
        it is wrong, or the claim fails; the text says where. Undecided: the claim is about an ε that has no
        place beside a symbolic level; or the time was up before the claim, or without one the tightest level,
        was decided. Of a printed table, whether the claim is true of all that print so, or of none;
        a requirement likewise (:class:`~exactdp.analysis.printed.printed_audit.PrintedAudit`). Of a word that
        is judged by its law, whether the claim is true of the law; undecided where only its δ could make it
        true, which is not judged at this size (:class:`~exactdp.analysis.law_audit.LawAudit`).

    Examples
    --------
    >>> from exactdp import geometric, neighbours
    >>> v = audit(geometric(3, "1/4"), neighbours("path:4"), claim=PrivacyClaim(epsilon=1))
    >>> v.decision.value, v.evidence.ratio
    ('refuted', Rational('1/4'))
    """

    def answer(asked: Arguments) -> Verdict[Audit | Any]:
        if isinstance(table, PrintedTable):
            from exactdp.analysis.printed.printed_audit import audit_as_printed  # loaded for printed tables only

            if compare is not None:
                raise DomainError("two printed tables are two sets of mechanisms; leave compare out, and audit each")
            if entries_of(deltas, "deltas"):
                raise DomainError("the smallest ε of a δ is not found for all mechanisms that print so; leave deltas out")
            near, who, required = _wanted(as_policy(policy), neighbours, require, claim, entries_of(consumers, "consumers"))
            return audit_as_printed(
                table,
                near,
                claim=claim,
                consumers=who,
                require=required,
                title=title,
                time_limit=asked.time_limit,
                progress=asked.progress,
            )
        wanted = _wanted(as_policy(policy), neighbours, require, claim, entries_of(consumers, "consumers"))
        if isinstance(table, str):
            from exactdp.analysis.law_audit import of_a_word  # loaded for words only

            named = None if title == UNTITLED else title  # a law is no table
            beside = None if compare is None else compare if isinstance(compare, str) else "the second table"
            known = of_a_word(table, *wanted, claim=claim, deltas=entries_of(deltas, "deltas"), compared=beside, title=named)
            if known is not None:
                as_rounding(rounding)
                return known
        found = as_table(table)
        asked.notes = found.notes
        if compare is None:
            return _audited(found, *wanted, claim, deltas, rounding, title, asked)
        if wanted[-1]:
            raise DomainError("requirements are of one table; leave require and policy out, or compare")
        second = as_table(compare, name="compare")
        asked.notes = (*asked.notes, *second.notes)
        names = _titles(table, compare, title)
        one, two = (_audited(t, *wanted, claim, deltas, rounding, name, asked) for t, name in zip((found, second), names, strict=True))
        return replace(one, evidence=replace(one.evidence, compared=compare_audits(one.evidence, two)))

    return ask(answer, progress, time_limit)


def _titles(table: object, compare: object, title: str) -> tuple[str, str]:
    """What two tables are called: as they were typed, else the first and the second one."""
    names = [str(one) if isinstance(one, str | PathLike) and "\n" not in str(one) else "" for one in (table, compare)]
    first = names[0] if title == UNTITLED and names[0] else title
    second = names[1] or "the second table"
    return ("the first table" if first == UNTITLED else first), (f"{second} (2)" if second == first else second)


def _wanted(
    policy: Policy | None,
    neighbours: NeighboursLike | None,
    require: Sequence[str | Requirement],
    claim: PrivacyClaim | None,
    consumers: Sequence[ConsumerLike],
) -> tuple[NeighboursLike, Sequence[ConsumerLike], tuple[Requirement, ...]]:
    """Neighbours, consumers and requirements: those given, and those of the policy."""
    if policy is None:
        required, near = requirements_of(require), neighbours
    else:
        required = requirements_of([*policy.require, *requirements_of(require)])
        consumers = [*(one.consumer() for one in policy.consumers), *consumers]
        own = policy.read_neighbours()
        if own is not None and neighbours is not None and str(neighbours) != str(own):
            raise InputError(f"the policy has the neighbours {own}, and {neighbours} are given; give one of them", neighbours=neighbours)
        near = neighbours if own is None else own
    if near is None:
        raise InputError(NO_NEIGHBOURS)
    require_askable(required, claim, consumers=bool(consumers))
    return near, consumers, required


def _audited(
    table: Table,
    neighbours: NeighboursLike,
    consumers: Sequence[ConsumerLike],
    required: Sequence[Requirement],
    claim: PrivacyClaim | None,
    deltas: Sequence[object],
    rounding: object,
    title: str,
    asked: Arguments,
) -> Verdict[Audit]:
    """The parts of an audit, one after the other."""
    progress = asked.progress
    if letters_in(table):
        remedy = "say which numbers they are (letters={'p': '1/4'}, --letters 'p = 1/4'; --epsilon for the level's a)"
        raise DomainError(f"an audit is of numbers, and the table has letters; {remedy}, or ask is_private, which tells where it holds")
    if claim is not None:
        as_kind(claim, PrivacyClaim, "claim", "a PrivacyClaim, such as PrivacyClaim(epsilon=1)")
    near = as_neighbours(neighbours, table)
    neighbours, given = near, table.aligned(near.vertices)
    consumers = [as_consumer(consumer, near.vertices, near) for consumer in entries_of(consumers, "consumers")]
    over, level = (given, None) if claim is None else claim.over(given)
    if isinstance(given.matrix.field, ExponentialField):
        given = over  # or else t would stand for two numbers: that of the table, and that of both
    bound, faults = as_rounding(rounding), given.faults()
    quality = faults.quality(bound)
    usable = _mechanism(given, faults, bound)
    judged = usable if quality != "wrong" else None
    moved = None if judged is None else _mechanism(over, over.faults(), bound)
    parts = _Parts()
    privacy = _Privacy(neighbours, given, faults, judged, moved, claim, level)
    found_privacy = privacy.answers(parts, entries_of(deltas, "deltas"), progress)
    own = None
    if usable is not None:
        told = part_of(progress, "privacy")
        own = parts.ask("the constraints that are tight", lambda: tightest_level(usable, neighbours, progress=told))
    rounded = given if quality == "rounded" else None
    found = Audit(
        title=title,
        given=given,
        table=over,
        faults=faults,
        quality=quality,
        rounding=bound,
        mechanism=usable if moved is None else moved,
        neighbours=neighbours,
        claim=claim,
        level=level,
        own=own,
        consumers=(),
        repairs=(),
        **found_privacy,
    )
    if required:  # until they are decided, no answer that is certain so far leaves them out
        open_ones = decided_requirements(replace(found, tightest=None), required, stopped=True)
        found = replace(found, requirements=open_ones)
    claimed = level if isinstance(level, PrivacyLevel) else None
    comparisons = _comparisons(None if own is None else own.evidence, claimed, consumers, parts, moved)
    compared: list[ConsumerAudit] = []
    for k, comparison in enumerate(comparisons):
        if seconds_left() is not None:
            ahead = comparisons[k:]
            late = [other.late for other in ahead]
            names = [other.name for other in ahead if other.level is not None]
            certain(_verdict(replace(found, consumers=(*compared, *late)), [*parts.undecided, *names, REPAIRS]))
        told = part_of(progress, f"consumer and level {k + 1} of {len(comparisons)}")
        before = compared[-1] if compared and compared[-1].consumer is comparison.consumer else None
        compared.append(comparison.answer(parts, rounded, asked.time_limit, told, before))
    found = replace(found, consumers=tuple(compared))
    if required:
        found = replace(found, requirements=decided_requirements(found, required, stopped=parts.is_stopped))
    if seconds_left() is not None:
        certain(_verdict(found, [*parts.undecided, REPAIRS]))
    repairs = parts.ask(REPAIRS, lambda: _repairs(found)) or []
    if judged is not None and not parts.is_stopped:
        others = parts.ask(OTHERS, lambda: other_neighbours(judged, moved, neighbours, claim, level)) or ()
        found = replace(found, others=others)
    return _verdict(
        _with_divided(replace(found, repairs=tuple(repairs), stopped=parts.stopped or found.stopped), None),
        parts.undecided,
    )


def _with_divided(found: Audit, file: Table | None) -> Audit:
    """The same with how what was judged differs from the table of a file, or from the rounded one given."""
    if found.mechanism is None or (file is None and found.quality != "rounded"):
        return found
    table = found.given if file is None else file
    return replace(found, divided=divided_from(table, found.mechanism, found.neighbours, found.claim))


def of_file(verdict: Verdict[Audit], file: Table) -> Verdict[Audit]:
    """The same answer, which says where it is not about a file: its rows were divided by their sums before.

    * ``file``: the table of the file, with its rows and columns in the order of the labels, or unlabelled.
    """
    found = verdict.evidence
    if found.mechanism is None or found.quality == "wrong":
        return verdict
    labels = found.given.inputs, found.given.outputs
    with suppress(LabelError):
        file = file.aligned(*labels)
    return _verdict(_with_divided(found, file), found.undecided)


def _verdict(found: Audit, undecided: Sequence[str]) -> Verdict[Audit]:
    """The answer, with the parts that are not decided."""
    found = replace(found, undecided=tuple(undecided))
    known, wrong = found.claim_holds, found.quality == "wrong"
    is_open = not wrong and (found.ratio is None if found.claim is None else known is None)
    decision = Decision.UNDECIDED if is_open else decided(not wrong and known is not False)
    missed = failing(found.requirements)
    if decision is not Decision.REFUTED and missed is not False:
        decision = Decision.UNDECIDED if missed is None else Decision.REFUTED
    claimed = [found.level] if isinstance(found.level, PrivacyLevel) else []
    return Verdict(decision, _sentence(found) + required_text(found.requirements), found, scope_of(found.table, *claimed))


@dataclass(frozen=True, slots=True)
class _Privacy:
    """What is asked of a table's privacy: as ``given``, ``judged``, or ``moved`` to the level's field."""

    neighbours: Neighbours
    given: Table
    faults: Faults
    judged: Mechanism | None
    moved: Mechanism | None
    claim: PrivacyClaim | None
    level: PrivacyLevel | TightestLevel | None

    def answers(self, parts: _Parts, deltas: Sequence[object], progress: Listener | None) -> dict[str, Any]:
        """The fields of an audit that say how private it is, and whether the claim holds."""
        known: dict[str, Any] = dict.fromkeys(("tightest", "stands", "delta", "privacy", "bought"))
        near, judged = self.neighbours, self.judged
        if judged is not None:
            told = part_of(progress, "tightest level")
            known["tightest"] = parts.ask("the tightest level", lambda: level_for_delta(judged, near, 0, progress=told))
        if self.faults and not self.faults.negative:
            known["stands"] = parts.ask("the level as it stands", lambda: level_for_delta(self.given, near, 0))
        asked = judged if judged is not None else None if self.faults.negative else self.given
        bought = []
        if asked is not None:
            for d in deltas:
                told = part_of(progress, f"smallest ε for δ = {d}")
                bought.append(parts.ask(f"the level that δ = {d} buys", partial(level_for_delta, asked, near, d, progress=told)))
        known["for_delta"] = tuple(verdict for verdict in bought if verdict is not None)
        return known | self._of_the_claim(parts, progress)

    def _of_the_claim(self, parts: _Parts, progress: Listener | None) -> dict[str, Any]:
        claim, level, near, judged, moved = self.claim, self.level, self.neighbours, self.judged, self.moved
        known: dict[str, Any] = {"broken": ()}
        told = part_of(progress, "the claim")
        breaking = "the pairs that break the claim"
        if claim is None or judged is None:
            return known
        if moved is not None and level is not None:
            least = part_of(progress, "least δ")
            known["delta"] = parts.ask("the least δ at the claimed level", lambda: least_delta(moved, near, level, progress=least))
            if isinstance(level, PrivacyLevel):  # not 1
                violated = "the constraints that break the claim"
                known["privacy"] = parts.ask(violated, lambda: is_private(moved, near, level, progress=told))
            if claim.delta > 0:
                known["broken"] = parts.ask(breaking, lambda: breaking_events(moved, near, level, claim.delta)) or ()
        elif claim.delta > 0 and isinstance(self.given.matrix.field, ExponentialField):
            by_number = partial(is_approximately_private, judged, near, claim.level, claim.delta, progress=told)
            known["bought"] = parts.ask("the claim", by_number)
            known["broken"] = parts.ask(breaking, lambda: breaking_events(judged, near, claim.level, claim.delta)) or ()
        return known


class _Parts:
    """Asks one part after the other; once a time limit of the audit has stopped one, no other is begun."""

    def __init__(self) -> None:
        self.undecided: list[str] = []
        self.is_stopped = False
        self.stopped = ""

    def ask(self, part: str, question: Callable[[], T]) -> T | None:
        """The answer; None, with the part's name noted, when the time is up."""
        if not self.is_stopped:
            try:
                return question()
            except ResourceLimitError as error:
                if "seconds" not in error.facts:
                    raise
                raise_unless_own_limit(error)
                self.is_stopped, self.stopped = True, error.message
        self.undecided.append(part)
        return None


def _mechanism(table: Table, faults: Faults, bound: Rational) -> Mechanism | None:
    """The mechanism that the table is, stands for, or would be with its rows divided by their sums."""
    try:
        return table.renormalise() if faults.quality(bound) == "wrong" else table.unrounded(bound)
    except InputError:
        return None


@dataclass(frozen=True, slots=True)
class _Comparison:
    """A consumer whose gap is wanted among mechanisms of a level; without a level, the reason for it."""

    consumer: Consumer
    level: PrivacyLevel | None
    own: PrivacyEvidence | None
    reason: str | None = None
    moved: Mechanism | None = None
    """The mechanism over a field that has the level too, where its own field has it not."""

    @property
    def name(self) -> str:
        """What is undecided without it."""
        among = "" if self.level is None else f" among {private_text(self.level, 'mechanisms')}"
        return f"the gap {whose(self.consumer)}{among}"

    @property
    def late(self) -> ConsumerAudit:
        """What is told of it when the time is up before."""
        return _not_compared(self.consumer, self.reason or OUT_OF_TIME, self.level)

    def answer(
        self, parts: _Parts, rounded: Table | None, time_limit: float | None, progress: Listener | None, before: ConsumerAudit | None
    ) -> ConsumerAudit:
        """The loss, deployed and after the best remap, and the optimum; ``before`` is at its own level."""
        if self.level is None or self.own is None:
            return self.late
        from exactdp.analysis.optimality.mechanism_optimality import is_optimal_after_remap, judged_after_remap

        neighbours, level, consumer = self.own.neighbours, self.level, self.consumer
        mechanism = self.own.mechanism if self.moved is None else self.moved
        known = None if before is None or before.remapped is None else before.remapped.evidence.remap
        if known is None:
            best = partial(is_optimal_after_remap, mechanism, neighbours, level, consumer, time_limit=time_limit, progress=progress)
        else:
            asked = Problem(neighbours, level, consumer)
            best = partial(judged_after_remap, mechanism, asked, "the mechanism", progress, time_limit, known)

        def compared() -> ConsumerAudit:
            remapped = best()
            stands = stands_remapped = None
            if rounded is not None and self.moved is None:
                stands, stands_remapped = _as_it_stands(rounded, remapped.evidence)
            if remapped.decision is Decision.UNDECIDED:
                parts.undecided.append(self.name)
            return ConsumerAudit(
                consumer=consumer,
                level=level,
                deployed=_as_deployed(mechanism, remapped.evidence),
                remapped=remapped,
                stands=stands,
                stands_remapped=stands_remapped,
                by_input=_by_input(mechanism, consumer),
            )

        try:
            return parts.ask(self.name, compared) or self.late
        except (DomainError, SearchError) as error:
            return _not_compared(consumer, error.message, level)


def _comparisons(
    own: PrivacyEvidence | None,
    claimed: PrivacyLevel | None,
    consumers: Sequence[Consumer],
    parts: _Parts,
    moved: Mechanism | None,
) -> list[_Comparison]:
    """Each consumer at the mechanism's own level, then at the claimed one if it is another and kept."""
    if own is None and parts.is_stopped:
        late = [_Comparison(consumer, None, None, OUT_OF_TIME) for consumer in consumers]
        parts.undecided += [comparison.name for comparison in late]
        return late
    if own is None:
        return [_Comparison(consumer, None, None, "there is no mechanism") for consumer in consumers]
    mechanism, tightest = own.mechanism, own.tightest
    levels = []
    if tightest.value is not None and tightest.value not in (0, 1):
        by_epsilon = claimed is not None and claimed.by_epsilon  # as the claim was given
        levels.append(PrivacyLevel(epsilon=tightest.epsilon) if by_epsilon else PrivacyLevel(tightest.value))
    is_kept = claimed is not None and tightest > claimed
    if claimed is not None and is_kept and (claimed.alpha.field == mechanism.field or moved is not None):
        levels.append(claimed)
    if levels:
        found = []
        for consumer in consumers:
            for level in levels:
                elsewhere = moved if level.alpha.field != mechanism.field else None
                found.append(_Comparison(consumer, level, own, moved=elsewhere))
        return found
    what = "an irrational root" if tightest.value is None else f"{tightest.value}, not strictly between 0 and 1"
    other = "no other one is claimed" if claimed is None else "the claimed one is not kept"
    if claimed is not None and tightest > claimed:
        other = f"the claimed one, {claimed}, is not among the table's numbers; exactdp optimal compares at it"
    return [_Comparison(consumer, None, own, f"the tightest level is {what}, and {other}") for consumer in consumers]


def _not_compared(consumer: Consumer, reason: str, level: PrivacyLevel | None = None) -> ConsumerAudit:
    return ConsumerAudit(consumer=consumer, level=level, deployed=None, remapped=None, reason=reason)


def _as_it_stands(table: Table, best: OptimalityAfterRemapEvidence) -> tuple[Any, Any]:
    """The loss of a table as it stands: deployed, and after the mechanism's best remap; None if unknown."""
    from exactdp.analysis.optimality.remap_optimality import as_deployed

    consumer, remap = best.consumer, best.remap.remap
    deployed = after = None
    if remap is not None and best.loss_bounds is None:  # else it is the best one found, not known to be the best
        after = consumer.loss_of(Table(table.matrix @ remap.matrix, table.inputs, remap.guesses))
    with suppress(LabelError):  # its outputs are no guesses
        deployed = consumer.loss_of(as_deployed(table, consumer))
    return deployed, after


def _by_input(mechanism: Mechanism, consumer: Consumer) -> tuple[tuple[str, Any], ...]:
    """The loss as deployed at every input that is held possible; none if the outputs are no guesses."""
    from exactdp.analysis.optimality.remap_optimality import as_deployed

    try:
        losses = consumer.row_losses(as_deployed(mechanism, consumer))
    except LabelError:
        return ()
    labels = consumer.loss.inputs
    possible = consumer.side_information.indices if isinstance(consumer, MinimaxConsumer) else range(len(losses))
    return tuple((str(labels[i]), consumer.measure.of(losses[i])) for i in possible)


def _as_deployed(mechanism: Mechanism, best: OptimalityAfterRemapEvidence) -> Verdict[OptimalityEvidence] | None:
    """What :func:`exactdp.is_optimal` says, from the known optimum; None if the outputs are no guesses."""
    from exactdp.analysis.optimality.mechanism_optimality import OptimalityEvidence
    from exactdp.analysis.optimality.remap_optimality import as_deployed

    try:
        mechanism = as_deployed(mechanism, best.consumer)
    except LabelError:
        return None
    loss = best.consumer.loss_of(mechanism)
    gap = None if best.least_loss is None else loss - best.least_loss
    known = {field.name: getattr(best, field.name) for field in fields(OptimalityEvidence)}
    evidence = OptimalityEvidence(**{**known, "mechanism": mechanism, "loss": loss, "gap": gap})
    measure = best.consumer.measure
    said = f"{best.value}, the gap {gap}" if best.bounds is None else "from {} to {}".format(*best.bounds)
    claim = f"As deployed the {measure.word} {whose(best.consumer)} is {measure.of(loss)}, the {measure.extreme} is {said}"
    decision = Decision.UNDECIDED if gap is None else decided(gap == 0)
    return Verdict(decision, claim, evidence, scope_of(mechanism, best.level, best.consumer.loss))


def _alpha_to_claim(ratio: Any) -> str | None:
    """``α = …``, rounded down if it is long, which claims less; None where α has no such text."""
    if not isinstance(ratio, Rational):
        return None
    if len(str(ratio)) <= FEW:
        return f"α = {ratio}"
    scaled = ratio * DECIMALS
    floor = scaled.numerator // scaled.denominator
    return f"α = {Rational(floor, DECIMALS)}" if floor else None


def _repairs(found: Audit) -> list[Repair]:
    """What would make a wrong table a mechanism, or a false claim true."""
    if found.quality == "wrong":
        turned = _transposed(found)
        return turned if found.own is None else [*turned, _divided(found, found.own.evidence)]
    repairs: list[Repair] = []
    claim, ratio = found.claim, found.ratio
    if claim is None or found.claim_holds is not False:
        return repairs
    if claim.delta > 0 and found.tightest is not None:
        ratio = level_for_delta(found.tightest.evidence.subject, found.neighbours, claim.delta).evidence.ratio
    epsilon, speaks = TightestLevel(ratio).epsilon, "α" if claim.epsilon is None else "ε"
    if epsilon.is_enclosed:
        level = _alpha_to_claim(ratio) if speaks == "α" else None
        if level is None:
            claimed = None if claim.epsilon is None or not claim.epsilon.is_enclosed else claim.epsilon
            level = f"ε = {epsilon if len(str(epsilon)) <= FEW else epsilon_text(epsilon, claimed)}"
        beside = f" beside δ = {claim.delta}" if claim.delta > 0 else ""
        result = f"true: the {'largest' if beside else 'tightest'} level{beside} is {found.level_text(ratio)}"
        repairs.append(Repair(f"claim {level}{beside} instead", result))
    if found.delta is not None and found.delta.evidence.delta is not None:
        repairs.append(Repair(f"claim δ = {short_number(found.delta.evidence.delta)} beside {speaks}", "true, and with no smaller δ"))
    if found.mechanism is not None and isinstance(found.level, PrivacyLevel) and found.privacy is not None and claim.delta == 0:
        weight = None
        with suppress(MixedDomainError):  # the level is in no field with the table's numbers: no mixture is told
            weight = mixing_weight(found.mechanism, found.neighbours, found.level)
        if weight is not None:
            mixed = mixed_with_uniform(found.mechanism, weight)
            # cannot be: our own check of the formula above
            if is_private(mixed, found.neighbours, found.level).refuted:
                raise DomainError("mixing with the uniform mechanism did not repair the level", mechanism=found.mechanism)
            action = f"with probability λ = {short_number(weight)} answer uniformly"
            repairs.append(Repair(action, f"a mechanism that is {private_text(found.level)}", mixed, weight))
    return repairs


def _transposed(found: Audit) -> list[Repair]:
    """What the transpose of a table is that looks transposed, and whether the claim is true of it."""
    meant = transposed(found.table, found.neighbours)
    if meant is None:
        return []
    mechanism, near = meant
    result = f"a mechanism on {mechanism.n_inputs} inputs, whose neighbours are to be said"
    if near is not None:
        level = tightest_level(mechanism, near).evidence.tightest
        result = f"a mechanism whose tightest level on {near} is {found.level_text(level)}{_kept(found, mechanism, near)}"
    action = "read its transpose (--transpose)"
    if not found.faults.columns_exact:
        action = "read its transpose, each row divided by its sum (--transpose --renormalise)"
    return [Repair(action, f"{result}; {found.faults.columns_text}", mechanism)]


def _divided(found: Audit, own: PrivacyEvidence) -> Repair:
    """What dividing the rows of a wrong table by their sums gives, and whether the claim is true of that."""
    result = f"a mechanism whose tightest level is {found.level_text(own.tightest)}"
    mechanism = _mechanism(found.table, found.faults, found.rounding)
    assert mechanism is not None
    result += _kept(found, mechanism, found.neighbours)
    truth = level_of_truth(found.given, found.neighbours)
    if truth is not None and own.tightest > truth:
        than = "its transpose" if found.faults.transposed else "the table as it stands"
        result += f"; more private than {than}, {found.level_text(truth)}, and so no remedy"
    if found.rounded_to:
        result += f"; that is not the table of the file: --digits {found.rounded_to} judges every table that prints so"
    return Repair("divide every row by its sum", result, own.mechanism)


def _kept(found: Audit, mechanism: Mechanism, near: Neighbours) -> str:
    """Whether the claim, if there is one, is true of what a repair makes, to be put after it."""
    if found.claim is None or found.level is None:
        return ""
    holds = is_approximately_private(mechanism, near, found.level, found.claim.delta).proved
    return f"; the claim is {'true' if holds else 'false'} of it"


def _sentence(found: Audit) -> str:
    name, where = found.title, f"on {found.neighbours}"
    if found.quality == "wrong":
        count = len(found.faults.rows)
        first = str(found.faults.first(found.rounding))
        more = f" ({count} of {len(found.table.inputs)} rows do not sum to 1)" if count > 1 else ""
        so = f"and has no level of privacy {where}" if found.claim is None else f"so the claim that it is {found.claim} {where} is false"
        looks = f"; {found.faults.columns_text}" if found.faults.transposed else ""
        return f"{name} is wrong, not a mechanism: {first}{more}{looks}; {so}"
    start, what = f"{name} is a mechanism", "it"
    if found.quality == "rounded":
        start, what = unrounded_text(found.faults, found.rounding, name), "this mechanism"
    level = "" if found.ratio is None else found.level_text(found.ratio) + zeroed_text(found.zeroed)
    if found.claim is None:
        its = "its" if what == "it" else "the"
        found_level = f"is {level}" if level else "was not found in time"
        return f"{start}; no claim was judged: {its} tightest level {where} {found_level}"
    said = f"{start}; the claim that {what} is {found.claim} {where} is"
    holds = found.claim_holds
    if holds is None:
        return f"{said} not decided" + (" in time" if found.undecided else "")
    if holds:
        whose = "" if found.divided is None else found.divided.told
        return f"{said} true{whose}{';' if whose else ', and'} the tightest level is {level}"
    least = "" if found.delta is None else f", and at the claimed ε the least δ is {_bounded(found.delta.evidence.delta)}"
    return f"{said} false: the tightest level is {level}{least}"


def _bounded(delta: Any) -> str:
    """A δ, with a decimal that it does not exceed if it is no fraction."""
    text = short_number(delta)
    return f"{text} (at most {decimal_above(delta)})" if isinstance(delta, ExponentialNumber) and text == str(delta) else text
