# SPDX-License-Identifier: MIT
"""Mechanisms known by their law alone: words whose table is too large to build, but whose level is a formula.

*Categories*: one of m labels is reported, the truth with one probability and each other label with another.
Every column has both probabilities, so the level between any two labels is the smaller one over the larger.

*Bits*: an input is a word of k bits of which h are set, and each bit is reported independently, as 1 with
probability a if it is set, b if not. The law is a product. Two inputs differ in s bits each way, 1 ≤ s ≤
min(h, k − h), and the quotient of an output's probabilities is least where the quotient of each bit is: it is
ρ^s with ρ = b(1 − a)/(a(1 − b)) for a ≥ b (for a < b with a and b exchanged). The level is ρ^min(h, k−h).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Any

from exactdp.errors import InputError, ResourceLimitError
from exactdp.exact import ExponentialNumber, Rational
from exactdp.mechanisms.responses import probability
from exactdp.mechanisms.words import Word, is_mechanism_spec
from exactdp.model.level import LevelLike, PrivacyLevel
from exactdp.runtime.budget import figure, require_budget

MOST_BITS = 4096
"""Words of more bits are not counted out: there are at least 2^4096 of them."""


@dataclass(frozen=True, slots=True)
class CategoryLaw:
    """One of ``size`` ≥ 2 labels is reported: the truth with probability ``keep``, each other one alike.

    >>> CategoryLaw(10_001, Rational("1/2")).ratio
    Rational('1/10000')
    """

    size: int
    keep: Any

    @property
    def ratio(self) -> Any:
        """The level between any two labels; 1: every level, 0: none."""
        other = (1 - self.keep) / (self.size - 1)
        least, greatest = sorted((self.keep, other))
        return least / greatest

    @property
    def numbers(self) -> int:
        """How many entries its table has."""
        return self.size**2

    @property
    def inputs(self) -> str:
        """What its inputs are, in words."""
        return f"any two of its {figure(self.size)} inputs"


@dataclass(frozen=True, slots=True)
class BitLaw:
    """Each of ``bits`` bits, of which ``ones`` are set, is reported independently.

    >>> BitLaw(1000, 2, Rational("3/4"), Rational("1/4")).ratio
    Rational('1/81')
    """

    bits: int
    ones: int
    set_bit: Any
    clear_bit: Any

    @property
    def ratio(self) -> Any:
        """The level between any two inputs; 1: every level, 0: none."""
        low, high = sorted((self.set_bit, self.clear_bit))
        if low == high:
            return Rational(1)
        of_two_bits = low * (1 - high) / (high * (1 - low))
        return of_two_bits ** min(self.ones, self.bits - self.ones)

    @property
    def numbers(self) -> int:
        """How many entries its table has, at least."""
        return int(2 ** min(self.bits, MOST_BITS) * (comb(self.bits, self.ones) if self.bits <= MOST_BITS else 1))

    @property
    def inputs(self) -> str:
        """What its inputs are, in words."""
        return f"any two words of {figure(self.bits)} bits with {figure(self.ones)} set"


Law = CategoryLaw | BitLaw


def law_of_word(spec: str, level: LevelLike | None = None) -> Law | None:
    """The law of a word whose table is larger than the budget; None for another word.

    Parameters
    ----------
    spec : str
        Such as ``randomized-response:n=10000,epsilon=1`` or ``rappor:bits=1000,f=1/2,p=1/4,q=3/4``.
    level : level, optional
        Given beside the word, and used where the word needs one.

    Examples
    --------
    >>> law_of_word("rappor-permanent:bits=1000,f=1/2").ratio
    Rational('1/9')
    >>> law_of_word("rappor-permanent:bits=2,f=1/2") is None
    True
    """
    if not is_mechanism_spec(spec):
        return None
    try:
        word = Word.parse(spec, level)
        law = _LAWS[word.family](word) if word.family in _LAWS else None
    except InputError:  # a parameter is missing or wrong, or has letters: who builds the table says which
        return None
    try:
        require_budget("its table", numbers=0 if law is None else law.numbers)
    except ResourceLimitError:
        return law
    return None


def _categories(word: Word) -> Law | None:
    size = word.integer("n") + 1
    if size < 2:
        return None
    name = "prob" if word.family == "opendp-randomized-response" else "keep"
    if name in word.given:
        return None if {"alpha", "epsilon"} & set(word.given) else CategoryLaw(size, probability(name, word.number(name)))
    if name == "prob":
        return None
    level = word.base() if word.family == "flat" else PrivacyLevel(word.alpha())
    alpha: Any = level.alpha
    return CategoryLaw(size, 1 / (1 + (size - 1) * alpha)) if isinstance(alpha, Rational | ExponentialNumber) else None


def _bits(word: Word) -> Law | None:
    bits, ones, drop = word.integer("bits"), word.integer("hashes"), probability("f", word.number("f"))
    if ones > bits:
        return None
    if word.family == "rappor-permanent":
        return BitLaw(bits, ones, 1 - drop / 2, drop / 2)
    low, high = probability("p", word.number("p")), probability("q", word.number("q"))
    both = drop * (low + high) / 2
    return BitLaw(bits, ones, both + (1 - drop) * high, both + (1 - drop) * low)


def _unary(word: Word) -> Law | None:
    t: Any = word.base(2).alpha
    return BitLaw(word.integer("bits"), 1, 1 / (1 + t), t / (1 + t)) if isinstance(t, Rational | ExponentialNumber) else None


_LAWS = {
    "flat": _categories,
    "randomized-response": _categories,
    "opendp-randomized-response": _categories,
    "rappor": _bits,
    "rappor-permanent": _bits,
    "unary-encoding": _unary,
}
"""By the name of the family."""
