# SPDX-License-Identifier: MIT
"""What an answer is: proved or refuted with a witness, or honestly undecided.

For what does an answer hold? One instance of numbers, or every level of an interval.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, TypeVar

from exactdp.errors import UndecidedSignError
from exactdp.exact import ExponentialField, RationalFunctionField, common_field

E_co = TypeVar("E_co", covariant=True)


class Decision(Enum):
    """The three answers to a question."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Verdict(Generic[E_co]):
    """The answer to one question, with what shows it.

    Parameters
    ----------
    decision : Decision
        Whether the question's statement was proved, refuted, or neither.
    claim : str
        One sentence that states what has been established, exact values included.
    evidence : object
        The witness or counterexample, and everything the question was asked about; its type belongs to the
        question.
    scope : str
        For what the sentence holds. In this version always one instance: these numbers, this n, this level.

    Examples
    --------
    >>> v = Verdict(Decision.PROVED, "1 + 1 = 2", evidence=None)
    >>> bool(v), v.proved, v.decision.value
    (True, True, 'proved')
    """

    decision: Decision
    claim: str
    evidence: E_co
    scope: str = "this instance"

    @property
    def proved(self) -> bool:
        """Whether the statement was proved."""
        return self.decision is Decision.PROVED

    @property
    def refuted(self) -> bool:
        """Whether the statement was refuted."""
        return self.decision is Decision.REFUTED

    def __bool__(self) -> bool:
        if self.decision is Decision.UNDECIDED:
            raise UndecidedSignError(f"undecided: {self.claim}. Ask .proved or .refuted instead of a truth value", evidence=self.evidence)
        return self.proved

    def __str__(self) -> str:
        return f"{self.decision.value}: {self.claim}"


def decided(yes: bool) -> Decision:
    """PROVED or REFUTED.

    >>> decided(False)
    <Decision.REFUTED: 'refuted'>
    """
    return Decision.PROVED if yes else Decision.REFUTED


def scope_of(*things: Any) -> str:
    """The scope of a verdict about some levels, mechanisms, losses or numbers.

    Parameters
    ----------
    *things : PrivacyLevel, Mechanism, Loss, Scalar, …
        Whatever the answer depends on and has a ``field``.

    Returns
    -------
    str
        "this instance" for rational numbers; with what the letters stand for when the level was given as ε; "every a in (0, 1)" for a
        symbolic level.

    Raises
    ------
    MixedDomainError
        The things are over two fields other than ℚ.

    Examples
    --------
    >>> from exactdp.model import PrivacyLevel
    >>> scope_of(PrivacyLevel("1/2")), scope_of(PrivacyLevel.from_epsilon("1/10"))
    ('this instance', 'this instance, t = exp(-1/10)')
    >>> scope_of(PrivacyLevel.symbolic(("1/2", 1)))
    'every a in (1/2, 1)'
    """
    field = common_field(*things)
    if isinstance(field, RationalFunctionField):
        return f"every {field.name_of_level} in {field.interval}"
    if isinstance(field, ExponentialField):
        return "this instance, " + ", ".join(f"{letter} = {meaning}" for letter, meaning in field.meanings.items())
    return "this instance"
