# SPDX-License-Identifier: MIT
"""How private is a mechanism whose table is too large to build? Its law says it, in a formula.

What is asked is the level between any two inputs. :mod:`exactdp.mechanisms.laws` has the laws and why each
formula is right; the certificate says the law and the level, and no table is in it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from exactdp.analysis.verdict import Decision, Verdict, decided, scope_of
from exactdp.analysis.wording import private_text
from exactdp.exact import ExponentialNumber
from exactdp.mechanisms import Law, law_of_word
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
        The largest level at which it is private between any two inputs.
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
    """The tightest level of a law between any two inputs, or whether it is private at a level.

    Parameters
    ----------
    word : str
        What names the law, for the sentence.
    law : Law
        From :func:`exactdp.mechanisms.laws.law_of_word`.
    level : PrivacyLevel, optional
        The level asked about.

    Examples
    --------
    >>> from exactdp.mechanisms import law_of_word
    >>> word = "randomized-response:n=9999,alpha=1/3"
    >>> print(level_by_law(word, law_of_word(word)).claim)
    The tightest level of randomized-response:n=9999,alpha=1/3 between any two of its 10,000 inputs is
    α = 1/3 (ε = ln(3) ≈ 1.098612), by its law
    """
    ratio = law.ratio
    tightest = TightestLevel(ratio)
    found = LawEvidence(word=word, law=law, level=level, tightest=tightest)
    own = scope_of(ratio) if isinstance(ratio, ExponentialNumber) else scope_of()
    unbuilt = f"by the law of the word: its table has {figure(law.numbers)} numbers and is not built"
    scope = replace(own, note=f"{own.note}, {unbuilt}")
    if level is None:
        told = tightest.told(found.by_epsilon)
        return Verdict(Decision.PROVED, f"The tightest level of {word} between {law.inputs} is {told}, by its law", found, scope)
    kept = tightest.compare(level) >= 0
    private = f"{word} is {'' if kept else 'not '}{private_text(level)} between {law.inputs}"
    return Verdict(decided(kept), f"{private}, by its law; its tightest level is {level.compared(tightest)}", found, scope)


def by_law(mechanism: object, neighbours: object, level: PrivacyLevel | None) -> Verdict[LawEvidence] | None:
    """The answer about a word whose table is too large, between any two inputs; None for another question.

    >>> by_law("rappor-permanent:bits=1000,f=1/2", "complete", None).evidence.tightest.value
    Rational('1/9')
    """
    if not isinstance(mechanism, str) or neighbours not in ALL_PAIRS:
        return None
    law = law_of_word(mechanism, level)
    return None if law is None else level_by_law(mechanism, law, level)


ALL_PAIRS = ("complete", "local")
"""The words for neighbours that are any two inputs."""
