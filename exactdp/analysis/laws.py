# SPDX-License-Identifier: MIT
"""How private is a mechanism whose table is too large to build? Its law says it, in a formula.

What is asked is the level between any two inputs, or between neighbouring counts.
:mod:`exactdp.mechanisms.laws` has the laws and why each formula is right; the certificate says the law and
the level, and no table is in it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, Any

from exactdp.analysis.verdict import Decision, Verdict, decided, scope_of
from exactdp.analysis.wording import private_text
from exactdp.errors import ExactDPError, ResourceLimitError
from exactdp.exact import Rational, RationalFunction
from exactdp.exact.decimals import nearest_text
from exactdp.mechanisms import ALL_PAIRS, CountLaw, Law, is_mechanism_spec, law_of_word
from exactdp.model import BayesianConsumer, Consumer, LevelLike, MinimaxConsumer, PrivacyLevel, TightestLevel, as_level
from exactdp.runtime.budget import figure
from exactdp.runtime.values import dataclass

if TYPE_CHECKING:
    from exactdp.search.path.count_losses import CountLosses


@dataclass(frozen=True, slots=True, kw_only=True)
class LawEvidence:
    """The privacy of a law.

    Attributes
    ----------
    word : str
        What names it.
    law : Law
    level : PrivacyLevel or None
        The level asked about; None when the question was for the tightest level.
    tightest : TightestLevel
        The largest level at which it is private between neighbours: any two inputs, or counts.
    """

    word: str
    law: Law
    level: PrivacyLevel | None
    tightest: TightestLevel

    @property
    def by_epsilon(self) -> bool | None:
        """Whether the word has its level as an ε, or as an α; None if it has none."""
        if re.search(r"[:,]\s*(epsilon|eps|ε)\s*=", self.word):
            return True
        by_alpha = isinstance(self.law.ratio, Rational) and re.search(r"[:,]\s*(alpha|α)\s*=", self.word)
        return False if by_alpha else None

    def in_sympy(self) -> Any:
        """The tightest level, if that was the question."""
        return self.tightest.to_sympy() if self.level is None else None


def level_by_law(word: str, law: Law, level: PrivacyLevel | None = None) -> Verdict[LawEvidence]:
    """The tightest level of a law between neighbours, or whether it is private at a level.

    * ``word``: what names the law, for the sentence.
    * ``law``: from :func:`exactdp.mechanisms.laws.law_of_word`.

    >>> from exactdp.mechanisms import law_of_word
    >>> word = "randomized-response:n=9999,alpha=1/3"
    >>> print(level_by_law(word, law_of_word(word)).claim)
    The tightest level of randomized-response:n=9999,alpha=1/3 between any two of its 10,000 inputs is
    α = 1/3 (ε = ln(3) ≈ 1.098612), by its law
    """
    ratio = law.ratio
    tightest = TightestLevel(ratio)
    found = LawEvidence(word=word, law=law, level=level, tightest=tightest)
    own = scope_of() if isinstance(ratio, Rational) else scope_of(ratio)
    unbuilt = f"by the law of the word: its table has {figure(law.numbers)} numbers and is not built"
    scope = replace(own, note=f"{own.note}, {unbuilt}")
    if level is None:
        told = tightest.told(found.by_epsilon)
        return Verdict(Decision.PROVED, f"The tightest level of {word} between {law.inputs} is {told}, by its law", found, scope)
    kept = tightest.compare(level) >= 0
    private = f"{word} is {'' if kept else 'not '}{private_text(level)} between {law.inputs}"
    return Verdict(decided(kept), f"{private}, by its law; its tightest level is {level.compared(tightest)}", found, scope)


FIGURES = 10
"""Significant figures of a loss."""


class Asked(Enum):
    """What is asked about a mechanism and a consumer."""

    OPTIMAL = "whether less is possible"
    OPTIMAL_AFTER_REMAP = "whether a remap has the least"
    BEST_REMAP = "whether a remap has less"


@dataclass(frozen=True, slots=True, kw_only=True)
class LawLossEvidence:
    """How good geometric noise on 0..n is for a loss whose sums are known, where no table is built.

    The least mean loss of all private mechanisms on the path is, for the uniform prior, that of a remap of
    the noise. It is at most the minimax optimum, and the worst loss of the noise itself at least that.

    Attributes
    ----------
    word : str
        What names the mechanism.
    law : CountLaw
    asked : Asked
    consumer : MinimaxConsumer or BayesianConsumer
        Its loss is a word, its prior uniform.
    level : PrivacyLevel or None
        The level asked about.
    formula : str
        The loss at the input i, exactly, in the level α of the noise.
    losses : CountLosses
        Its largest value and its mean, and the least mean of all private mechanisms, between decimals.
    at_own_level : bool
        Whether the level asked about is that of the noise; beside a weaker one less may be possible.
    size : str
        Why there is no certificate.
    value : None
        What was asked is not known.
    """

    word: str
    law: CountLaw
    asked: Asked
    consumer: Consumer
    level: PrivacyLevel | None
    formula: str
    losses: CountLosses
    at_own_level: bool
    size: str
    value: None = None

    @staticmethod
    def figures(bounds: tuple[Rational, Rational]) -> str:
        """The decimal to which both ends of an enclosure round."""
        return f"≈ {nearest_text(lambda digits: bounds, FIGURES)}"

    @property
    def loss(self) -> str:
        """The word of the loss."""
        return self.consumer.loss_word or ""

    @property
    def bounds(self) -> tuple[Rational, Rational] | None:
        """Decimals around the loss of the consumer; None where it is not known."""
        return self.losses.worst if isinstance(self.consumer, MinimaxConsumer) else self.losses.mean


def loss_by_law(
    asked: Asked, mechanism: object, consumer: object, neighbours: object = None, level: LevelLike | None = None
) -> Verdict[Any] | None:
    """What is known of the loss of a word whose table is too large; None for another question.

    It is undecided whether the loss is the least. A word that is not private at the level asked is refuted.

    Parameters
    ----------
    asked : Asked
        What is then undecided.
    mechanism : object
        Only a word has a law.
    consumer : object
        Only one with the word of a loss, everything possible or the uniform prior is answered.
    neighbours : object
        Those asked about, or their word; None if none are.
    level : level, optional
        The level asked about, or that of a word without one.

    Examples
    --------
    >>> found = loss_by_law(Asked.BEST_REMAP, "geometric:n=1000000,alpha=1/2", MinimaxConsumer("abs"))
    >>> found.decision.value, found.evidence.formula
    ('undecided', '(α(1 − α^i) + α(1 − α^(n−i)))/((1 + α)(1 − α))')
    >>> print(found.evidence.figures(found.evidence.bounds))
    ≈ 1.333333333
    """
    if not isinstance(mechanism, str) or not may_be_by_law(mechanism, None) or not _is_plain(consumer):
        return None
    wanted = None if level is None else as_level(level)
    law = law_of_word(mechanism, wanted)
    if not has_known_losses(law):
        return None
    at_own_level = True
    if neighbours is not None:
        private = by_law(mechanism, neighbours, wanted)
        if private is None or private.refuted:
            return private
        at_own_level = wanted is not None and private.evidence.tightest.compare(wanted) == 0
    from exactdp.search.path.count_losses import FORMULAS, count_losses  # loaded where a table is too large

    assert isinstance(consumer, MinimaxConsumer | BayesianConsumer)
    assert isinstance(law, CountLaw)
    loss = str(consumer.loss_word)
    found = LawLossEvidence(
        word=mechanism,
        law=law,
        asked=asked,
        consumer=consumer,
        level=None if neighbours is None else wanted,
        formula=FORMULAS[loss],
        losses=count_losses(law.n, law.alpha, loss),
        at_own_level=at_own_level,
        size=f"no certificate: {_refusal(law)}",
    )
    own = scope_of() if isinstance(law.alpha, Rational) else scope_of(law.alpha)
    told = f"By its law {mechanism} has {_losses_text(found)}; {asked.value} isn't decided at this size; {found.size}"
    return Verdict(Decision.UNDECIDED, told, found, own)


def has_known_losses(law: Law | None) -> bool:
    """Whether a law is that of geometric noise on a path, whose losses are known.

    >>> words = ("geometric:n=1000000,alpha=1/2", "rappor-permanent:bits=99,f=1/2", "geometric:n=3,alpha=1/2")
    >>> [has_known_losses(law_of_word(word)) for word in words]
    [True, False, False]
    """
    return isinstance(law, CountLaw) and not law.beyond and law.reach == 1 and not isinstance(law.alpha, RationalFunction)


def _refusal(law: Law) -> str:
    """Why a table is not built, without the remedies that a person who wants it is told."""
    try:
        law.require_table()
    except ResourceLimitError as error:
        return error.message.partition(" (to allow it")[0].partition("; one ")[0]
    return f"its table has {figure(law.numbers)} numbers and is not built"


def _is_plain(consumer: object) -> bool:
    """Whether a consumer's loss is a word whose sums are known, for all inputs or the uniform prior."""
    if not isinstance(consumer, MinimaxConsumer | BayesianConsumer) or consumer.loss_word not in LOSSES_OF_LAWS:
        return False
    return consumer.is_over_all_inputs


def noise_on(neighbours: object, level: str, consumer: object) -> str | None:
    """The word of geometric noise on a path, whose loss is known by its law; None for other questions.

    * ``neighbours``: their word.
    * ``level``: as a word has it, such as ``alpha=1/2``.

    >>> noise_on("path:1000001", "epsilon=0.5", MinimaxConsumer("abs"))
    'geometric:n=1000000,epsilon=0.5'
    >>> noise_on("cycle:1000001", "epsilon=0.5", MinimaxConsumer("abs")) is None
    True
    """
    counts = re.fullmatch(r"path:([1-9][0-9]{0,11})", neighbours, re.ASCII) if isinstance(neighbours, str) else None
    if counts is None or not _is_plain(consumer):
        return None
    word = f"geometric:n={int(counts[1]) - 1},{level}"
    try:
        law = law_of_word(word)
    except ExactDPError:  # the level is none, or no number
        return None
    return word if isinstance(law, CountLaw) and not isinstance(law.alpha, RationalFunction) else None


LOSSES_OF_LAWS = ("abs", "squared", "zero-one")
"""The losses whose sums are known (:mod:`exactdp.search.path.count_losses`)."""


def _losses_text(e: LawLossEvidence) -> str:
    """All that is known of the loss, in words."""
    found = e.losses
    worst = "" if found.worst is None else f"{e.figures(found.worst)} at worst, "
    told = f"loss {e.loss} {worst}{e.figures(found.mean)} on average (uniform prior); least average of all as private on the path"
    return f"{told} {'not computed' if found.least is None else e.figures(found.least)}, by a remap of it"


def may_be_by_law(mechanism: str, neighbours: str | None) -> bool:
    """Whether a word may have a law, and neighbours be such as laws have; before any level is read.

    >>> may_be_by_law("geometric:n=3", "path:4"), may_be_by_law("geometric:n=3", "cycle:4")
    (True, False)
    """
    named = neighbours is None or neighbours in (*ALL_PAIRS, "path") or neighbours.startswith("path:")
    return named and is_mechanism_spec(mechanism)


def by_law(mechanism: object, neighbours: object, level: PrivacyLevel | None) -> Verdict[LawEvidence] | None:
    """The answer about a word whose table is too large; None for another question.

    * ``mechanism``: only a word has a law.
    * ``neighbours``: those asked about, or their word; None for those that the word means.
    * ``level``: the level asked about, which is also that of a word without one.

    >>> by_law("rappor-permanent:bits=1000,f=1/2", "complete", None).evidence.tightest.value
    Rational('1/9')
    >>> print(by_law("geometric:n=1000000,alpha=1/3", "path", None).claim)
    The tightest level of geometric:n=1000000,alpha=1/3 between neighbours on path:1000001 is
    α = 1/3 (ε = ln(3) ≈ 1.098612), by its law
    """
    if not isinstance(mechanism, str):
        return None
    known = law_of_word(mechanism, level)
    law = None if known is None else known.among(neighbours)
    if law is None:
        return None
    if level is not None and isinstance(level.alpha, RationalFunction) and law.ratio != level.alpha:
        return None
    return level_by_law(mechanism, law, level)
