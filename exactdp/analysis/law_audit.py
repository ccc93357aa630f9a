# SPDX-License-Identifier: MIT
"""The audit of a mechanism whose table is too large to build: its law decides the claim where δ = 0.

What else an audit asks (a δ, the ε that a δ buys, a consumer's gap) is *not judged at this size*, and the
answer says so. :mod:`exactdp.analysis.laws` finds the tightest level, whose certificate decides the claim.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NoReturn

from exactdp.analysis.arguments import ConsumerLike, as_kind, require_consumer
from exactdp.analysis.laws import LawEvidence, level_by_law
from exactdp.analysis.privacy_claim import PrivacyClaim, as_delta
from exactdp.analysis.requirement import (
    DELTA,
    FAILS,
    GAPS,
    HOLDS,
    LEVELS,
    UNDECIDED,
    Required,
    Requirement,
    delta_beside,
    failing,
    required_text,
)
from exactdp.analysis.verdict import NO_CLAIM, NOT_JUDGED, Decision, Verdict, decided
from exactdp.analysis.wording import level_text
from exactdp.errors import DomainError
from exactdp.exact import ExponentialNumber, Rational
from exactdp.mechanisms import CountLaw, Law, law_of_word
from exactdp.model import Epsilon, PrivacyLevel
from exactdp.model.consumer import described_apart
from exactdp.runtime.values import dataclass

OF_A_GAP = "how far from optimal it is for "
"""How the question of a consumer's gap begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LawAudit:
    """Everything found by the law.

    Attributes
    ----------
    title : str
        What was audited.
    word : str
        What names the law.
    law : Law
        With the neighbours that were asked about.
    claim : PrivacyClaim or None
    tightest : Verdict[LawEvidence]
        The largest level between neighbours, with δ = 0.
    asked : tuple of str
        What was asked beyond the law, and is not judged at this size, each as a question.
    requirements : tuple of Required
        What became of each requirement.
    """

    title: str
    word: str
    law: Law
    claim: PrivacyClaim | None
    tightest: Verdict[LawEvidence]
    asked: tuple[str, ...] = ()
    requirements: tuple[Required, ...] = ()

    @property
    def ratio(self) -> Any:
        """The tightest level as a number."""
        return self.tightest.evidence.tightest.ratio

    @property
    def epsilon(self) -> Epsilon:
        """The smallest ε that it keeps, with δ = 0."""
        return Epsilon.of_level(self.ratio)

    @property
    def claimed(self) -> Epsilon | None:
        """The ε that is claimed; of a claimed level its ε."""
        if self.claim is None:
            return None
        return self.claim.epsilon if self.claim.alpha is None else self.claim.level.as_tightest().epsilon

    @property
    def delta(self) -> Any:
        """The δ that is claimed, or 0."""
        return Rational(0) if self.claim is None else self.claim.delta

    @property
    def claim_holds(self) -> bool | None:
        """Whether the claim is true; None without one, or where only its δ could make it true."""
        if self.claim is None:
            return None
        kept = self.tightest.evidence.tightest.compare(self.claim.level) >= 0
        return True if kept else False if self.claim.delta == 0 else None

    @property
    def between(self) -> str:
        """Between which inputs, for a sentence."""
        return _between(self.law)

    @property
    def head(self) -> str:
        """What stands before the sentence instead of *proved* where nothing was claimed; else empty."""
        return NO_CLAIM if self.claim is None and not self.requirements else ""

    @property
    def state(self) -> str:
        """The answer of page one, which is about the claim."""
        if self.claim is None:
            return NO_CLAIM
        return {True: "holds", False: "fails", None: "undecided"}[self.claim_holds]

    @property
    def has_page_one(self) -> bool:
        """Whether a notebook shows page one of it."""
        return True

    @property
    def undecided(self) -> tuple[str, ...]:
        """The parts that a time limit kept from being decided: none."""
        return ()

    @property
    def verdicts(self) -> dict[str, Verdict[Any]]:
        """The verdicts by name: what certificates can be written of."""
        return {"level": self.tightest}

    @property
    def of_claim(self) -> Verdict[LawAudit]:
        """The answer without what was required: what a certificate, or a bundle, decides."""
        return _verdict(replace(self, requirements=()))

    def level_text(self) -> str:
        """The tightest level with its ε, as the claim speaks; it has not the decimal of the claimed ε."""
        claimed = None if self.claim is None else self.claim.epsilon
        beside = [] if claimed is None or claimed.rational is None else [claimed.rational]
        return level_text(self.ratio, self.tightest.evidence.by_epsilon if self.claim is None else claimed is not None, *beside)


def audit_by_law(
    mechanism: object,
    neighbours: object,
    *,
    level: PrivacyLevel | None = None,
    claim: PrivacyClaim | None = None,
    consumers: Sequence[str] = (),
    deltas: Sequence[object] = (),
    compared: Sequence[str] = (),
    require: Sequence[Requirement] = (),
    title: str | None = None,
) -> Verdict[LawAudit] | None:
    """The audit of a word whose table is too large; None for anything else, which has a table.

    Parameters
    ----------
    mechanism : object
        Only a word has a law.
    neighbours : object
        Those asked about, or their word; None for those that the word means.
    level : PrivacyLevel, optional
        That of a word without one.
    claim : PrivacyClaim, optional
        What is said about it.
    consumers : sequence of str
        Whose gaps are wanted, in words.
    deltas : sequence of exact numbers
        For which the ε is wanted that each buys.
    compared : sequence of str
        What it is to be compared with.
    require : sequence of Requirement
        What must be kept.
    title : str, optional
        For the sentences; the word unless given.

    Raises
    ------
    DomainError
        The law has a letter: an audit is of numbers.

    Examples
    --------
    >>> v = audit_by_law("randomized-response:k=2925,epsilon=14", "complete", claim=PrivacyClaim(epsilon=14))
    >>> print(v.claim)
    randomized-response:k=2925,epsilon=14 is judged by its law, and no table of it was built or judged; the
    claim that it is (ε = 14)-private between any two inputs is true, and the tightest level is ε = 14 (α =
    e^(−14))
    >>> audit_by_law("randomized-response:k=3,epsilon=14", "complete") is None
    True
    """
    known = law_of_word(mechanism, level) if isinstance(mechanism, str) else None
    law = None if known is None else known.among(neighbours)
    if law is None:
        return None
    assert isinstance(mechanism, str)
    if not isinstance(law.ratio, (Rational, ExponentialNumber)):
        _refuse_letters(mechanism)
    if claim is not None and claim.alpha is not None and not isinstance(claim.alpha.as_tightest().value, (Rational, ExponentialNumber)):
        raise DomainError(f"a claim about a law is at one level, and {claim.alpha} is none; claim a number", claim=claim)
    asked = [f"which level δ = {as_delta(delta)} buys" for delta in deltas]
    asked += [f"{OF_A_GAP}{who}" for who in dict.fromkeys(consumers)]
    asked += [f"what it is beside {other}" for other in compared]
    found = LawAudit(
        title=mechanism if title is None else title,
        word=mechanism,
        law=law,
        claim=claim,
        tightest=level_by_law(mechanism, law),
        asked=tuple(asked),
    )
    return _verdict(replace(found, requirements=tuple(one for each in require for one in _required(found, each, require, consumers))))


def of_a_word(
    word: str,
    neighbours: object,
    consumers: Sequence[ConsumerLike],
    require: Sequence[Requirement],
    *,
    claim: PrivacyClaim | None,
    deltas: Sequence[object],
    compared: str | None,
    title: str | None,
) -> Verdict[LawAudit] | None:
    """What :func:`exactdp.audit` says of a word whose table is too large; None of one that has a table."""
    if law_of_word(word) is None:
        return None
    if claim is not None:
        as_kind(claim, PrivacyClaim, "claim", "a PrivacyClaim, such as PrivacyClaim(epsilon=1)")
    who = described_apart([require_consumer(consumer) for consumer in consumers])
    return audit_by_law(
        word,
        neighbours,
        claim=claim,
        consumers=who,
        deltas=deltas,
        compared=() if compared is None else (compared,),
        require=require,
        title=title,
    )


def _refuse_letters(mechanism: str) -> NoReturn:
    remedy = "say which level it is (alpha=1/4 in the word, --alpha, --epsilon), or ask is_private, which tells where it holds"
    raise DomainError(f"an audit is of numbers, and {mechanism} has a letter; {remedy}", mechanism=mechanism)


def _verdict(found: LawAudit) -> Verdict[LawAudit]:
    """The answer: whether the claim, and all that is required, holds."""
    holds = found.claim_holds
    decision = decided(holds is not False)
    if found.claim is not None and holds is None:
        decision = Decision.UNDECIDED
    missed = failing(found.requirements)
    if decision is not Decision.REFUTED and missed is not False:
        decision = Decision.UNDECIDED if missed is None else Decision.REFUTED
    return Verdict(decision, _sentence(found), found, found.tightest.scope)


def _sentence(found: LawAudit) -> str:
    level = found.level_text()
    start = f"{found.title} is judged by its law, and no table of it was built or judged"
    if found.title != found.word:
        start = f"{found.title} is judged by its law, that of {found.word}, and no table of it was built or judged"
    if found.claim is None:
        text = f"no claim was judged: its tightest level {found.between} is {level}"
    else:
        said = f"the claim that it is {found.claim} {found.between} is"
        holds = found.claim_holds
        if holds is None:
            text = f"{said} {NOT_JUDGED}: with δ = 0 the tightest level is {level}, and a δ is not decided from a law"
        else:
            text = f"{said} {'true, and' if holds else 'false:'} the tightest level is {level}"
    open_ones = f"; {NOT_JUDGED}: {'; '.join(found.asked)}" if found.asked else ""
    return f"{start}; {text}{open_ones}{required_text(found.requirements)}"


def _between(law: Law) -> str:
    """Between which inputs, for a sentence."""
    on_path = isinstance(law, CountLaw) and law.reach == 1
    return f"{'on' if on_path else 'between'} {law.neighbours}"


# ── Requirements ────────────────────────────────────────────────────────────────────────────────
def _required(found: LawAudit, one: Requirement, listed: Sequence[Requirement], consumers: Sequence[str]) -> list[Required]:
    """What becomes of a requirement; of a gap once for each consumer."""
    if one.quantity in LEVELS:
        return [_of_epsilon(found, one, listed)]
    if one.quantity == DELTA:
        return [_of_delta(found, one, listed)]
    assert one.quantity in GAPS
    return [one.found(f"for {who}", UNDECIDED, None, reason=NOT_JUDGED) for who in dict.fromkeys(consumers)]


def _of_epsilon(found: LawAudit, one: Requirement, listed: Sequence[Requirement]) -> Required:
    """The smallest ε beside δ = 0 is that of the law; beside a larger δ it is not larger."""
    kept = one.is_kept_by(found.epsilon)
    delta = delta_beside(listed)
    about = f"the smallest ε beside δ = {delta}"
    if delta == 0:
        return one.found(about, HOLDS if kept else FAILS, found.epsilon, part="level")
    known = one.found(about, UNDECIDED, None, reason=f"a δ is {NOT_JUDGED}")
    if kept:
        known = one.found(about, HOLDS, None, part="level")
    return replace(known, bounds=(None, found.epsilon))


def _of_delta(found: LawAudit, one: Requirement, listed: Sequence[Requirement]) -> Required:
    """The least δ is 0 at every ε that is kept without one; at another it is positive, and not judged."""
    level = next((other.level for other in listed if other.level is not None), None)
    if level is None:
        level = found.claimed
    assert level is not None  # or else the requirement was refused
    about = f"the least δ at ε = {level}"
    if found.epsilon.compare(level) <= 0:
        none = Rational(0)
        return one.found(about, HOLDS if one.is_kept_by(none) else FAILS, none, part="level")
    if one.bound == 0:
        return one.found(about, FAILS, None, reason="it is more than 0, as the smallest ε with δ = 0 is larger", part="level")
    return one.found(about, UNDECIDED, None, reason=f"a δ is {NOT_JUDGED}")
