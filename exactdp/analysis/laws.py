# SPDX-License-Identifier: MIT
"""How private is a mechanism whose table is too large to build? Its law says it, in a formula.

What is asked is the level between any two inputs, or between neighbouring counts.
:mod:`exactdp.mechanisms.laws` has the laws and why each formula is right; the certificate says the law and
the level, and no table is in it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from exactdp.analysis.verdict import Decision, Verdict, decided, scope_of
from exactdp.analysis.wording import private_text
from exactdp.exact import Rational, RationalFunction
from exactdp.exact.decimals import nearest_text
from exactdp.mechanisms import ALL_PAIRS, CountLaw, Law, is_mechanism_spec, law_of_word
from exactdp.model import PrivacyLevel, TightestLevel
from exactdp.runtime.budget import figure


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
        """Whether the word has its level as an ε; None if not: then the numbers say which is told first."""
        return True if re.search(r"[:,]\s*(epsilon|eps|ε)\s*=", self.word) else None

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


def losses_by_law(mechanism: str, loss: str | None, level: PrivacyLevel | None) -> str | None:
    """How good geometric noise is for a loss whose sums are known, in words; None for other words and losses.

    It bounds the minimax optimum on the path, too: that is at least the least mean loss for the uniform
    prior, and at most the worst loss of the noise itself. There is no certificate of it.

    * ``mechanism``: a word.
    * ``loss``: the word of the loss.
    * ``level``: given beside the word, and used where it needs one.

    >>> print(losses_by_law("geometric:n=1000000,alpha=1/2", "abs", None))
    loss abs ≈ 1.333333333 at worst, ≈ 1.333330667 on average (uniform prior); least average of all as private
    on the path ≈ 1.333330667, by a remap of it
    """
    from exactdp.search.path.count_losses import LOSSES, count_losses  # loaded where a table is refused

    law = law_of_word(mechanism, level) if loss in LOSSES else None
    if loss is None or not isinstance(law, CountLaw) or law.beyond or isinstance(law.alpha, RationalFunction):
        return None
    found = count_losses(law.n, law.alpha, loss)
    worst = "" if found.worst is None else f"{_figures(found.worst)} at worst, "
    told = f"loss {loss} {worst}{_figures(found.mean)} on average (uniform prior); least average of all as private on the path"
    return f"{told} {'not computed' if found.least is None else _figures(found.least)}, by a remap of it"


FIGURES = 10
"""Significant figures of a loss."""


def _figures(bounds: tuple[Rational, Rational]) -> str:
    """The decimal to which both ends of an enclosure round."""
    return f"≈ {nearest_text(lambda digits: bounds, FIGURES)}"


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
