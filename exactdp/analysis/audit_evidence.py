# SPDX-License-Identifier: MIT
"""What an audit finds, its verdict in one sentence, and where two audited tables differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from exactdp.analysis.approximate import DeltaEvidence, LevelForDeltaEvidence
from exactdp.analysis.digits_shown import places_that_explain
from exactdp.analysis.epsilon import keeps_epsilon
from exactdp.analysis.file_numbers import Divided
from exactdp.analysis.other_neighbours import OtherNeighbours
from exactdp.analysis.privacy import PrivacyEvidence
from exactdp.analysis.privacy_claim import Event, PrivacyClaim
from exactdp.analysis.requirement import Required, failing, required_text
from exactdp.analysis.rounded_tables import zeroed, zeroed_text
from exactdp.analysis.stochastic import is_stochastic, unrounded_text
from exactdp.analysis.verdict import NO_CLAIM, Decision, Verdict, decided, scope_of
from exactdp.analysis.wording import decimal_above, level_text, short_number
from exactdp.errors import ExactDPError
from exactdp.exact import ExponentialNumber, Rational
from exactdp.exact.number_field import NumberFieldElement
from exactdp.model import Consumer, Mechanism, Neighbours, PrivacyLevel, Table, TightestLevel
from exactdp.model.epsilon import Epsilon
from exactdp.model.faults import Faults, NegativeEntry, Quality
from exactdp.model.labels import Labels, Positions
from exactdp.model.mechanism import mixed_with_uniform
from exactdp.runtime.values import dataclass

if TYPE_CHECKING:
    from exactdp.analysis.optimality.mechanism_optimality import OptimalityAfterRemapEvidence, OptimalityEvidence


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
    source: Mechanism | None = None
    """The mechanism that this makes; of a mixture the one that is mixed."""
    share: Any = None
    """Of a mixture the probability of the uniform answer."""

    @property
    def mechanism(self) -> Mechanism | None:
        """The mechanism that this makes, or None; a mixture is made anew each time, entry by entry."""
        if self.source is None or self.share is None:
            return self.source
        return mixed_with_uniform(self.source, self.share)


def _is_at_most(found: DeltaEvidence, claimed: Any) -> bool | None:
    """Whether the least δ is at most the claimed one; None where what is known of it does not tell."""
    if found.delta is not None:
        return bool(found.delta <= claimed)
    lower, upper = found.bounds or (found.at_least, None)
    if lower is not None and lower > claimed:
        return False
    return True if upper is not None and upper <= claimed else None


@dataclass(frozen=True, slots=True)
class ConsumerComparison:
    """The losses of one consumer from both tables.

    Attributes
    ----------
    consumer : Consumer
    how : str
        *as deployed*, or *after the best remap*.
    first, second : scalar
        The losses; for a gain, minus the utilities.
    better : int
        1 if the second table is better, 0 if both are alike, −1 if the first is better.
    """

    consumer: Consumer
    how: str
    first: Any
    second: Any
    better: int


@dataclass(frozen=True, slots=True)
class AuditComparison:
    """What is told of a table beside another one.

    Attributes
    ----------
    other : Verdict[Audit]
        The audit of the second table.
    more_private : int or None
        1 if the second table is the more private one, 0 if both are alike, −1 if the first is; None where
        that is not known.
    consumers : tuple of ConsumerComparison
    by_position : bool
        Whether labels of the one are matched with places of the other.
    """

    other: Verdict[Audit]
    more_private: int | None
    consumers: tuple[ConsumerComparison, ...]
    by_position: bool = False


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
        That the time limit has passed, and what was being done then; empty if nothing was stopped.
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
    stopped: str = ""
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
        by_epsilon = self.given.by_epsilon if self.claim is None else claimed is not None
        return level_text(level, by_epsilon, *beside)

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
            alpha, epsilon = self.claim.alpha, self.claim.epsilon
            kept = keeps_epsilon(self.ratio, epsilon) if alpha is None else bool(self.ratio >= alpha.alpha)
            return kept if kept or self.claim.delta == 0 else None
        if isinstance(self.ratio, NumberFieldElement):
            try:
                kept = Epsilon.of_level(self.ratio).compare(self.claim.level.as_tightest().epsilon) <= 0
            except ExactDPError:  # of two roots without a common field
                return None
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
            for name, verdict in (("deployed", entry.deployed), ("after-remap", entry.remapped)):
                if verdict is not None and verdict.decision is not Decision.UNDECIDED:
                    found[f"consumer-{k}-{name}"] = verdict
        for one in self.requirements:
            if one.shown_by is not None and one.shown_by.decision is not Decision.UNDECIDED:
                found[one.part] = one.shown_by
        return found

    @property
    def of_claim(self) -> Verdict[Audit]:
        """The answer without what was required: what a certificate, or a bundle, decides."""
        return verdict_of(replace(self, requirements=()), self.undecided)


def verdict_of(found: Audit, undecided: Sequence[str]) -> Verdict[Audit]:
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


def _sentence(found: Audit) -> str:
    name, where = found.title, f"on {found.neighbours}"
    if found.quality == "wrong":
        count = len(found.faults.rows)
        first = str(found.faults.first(found.rounding))
        more = f" ({count} of {len(found.table.inputs)} rows do not sum to 1)" if count > 1 else ""
        so = f"and has no level of privacy {where}"
        if found.claim is not None:
            so = f"so the claim that it is {found.claim} {where} is false"
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
    is_exact_form = isinstance(delta, ExponentialNumber) and text == str(delta)
    return f"{text} (at most {decimal_above(delta)})" if is_exact_form else text
