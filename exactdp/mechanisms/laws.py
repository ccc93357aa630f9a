# SPDX-License-Identifier: MIT
"""Mechanisms known by their law alone: words whose table is too large to build, but whose level is a formula.

*Categories*: one of m labels is reported, the truth with one probability and each other label with another.
Every column has both probabilities, so the level between any two labels is the smaller one over the larger.

*Bits*: an input is a word of k bits of which h are set, and each bit is reported independently, as 1 with
probability a if it is set, b if not. The law is a product. Two inputs differ in s bits each way, 1 ≤ s ≤
min(h, k − h), and the quotient of an output's probabilities is least where the quotient of each bit is: it is
ρ^s with ρ = b(1 − a)/(a(1 − b)) for a ≥ b (for a < b with a and b exchanged). The level is ρ^min(h, k−h).

*Counts*: two-sided geometric noise z, P(z) = (1 − α)/(1 + α)·α^|z|, is added to a count of 0..n. At counts
that differ by s no output has a quotient below α^s, and the outputs at one end and beyond it have that one.
This holds of the results as they are, moved to the nearest of 0..n, and with one output for all beyond an
end. Between counts that differ by at most s the level is α^min(s, n), on the path α (``geometric_within``,
``lumped_within`` and ``unbounded_within`` in proofs/coq).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import comb
from typing import Any, Self

from exactdp.errors import DomainError, InputError, ResourceLimitError
from exactdp.exact import ExponentialNumber, Rational, RationalFunction, require_powers
from exactdp.mechanisms.responses import probability
from exactdp.mechanisms.words import FAMILIES, Word, is_mechanism_spec
from exactdp.model.graph import Graph
from exactdp.model.labels import Positions
from exactdp.model.level import LevelLike, PrivacyLevel
from exactdp.runtime.budget import figure, require_budget
from exactdp.runtime.values import dataclass

MOST_BITS = 4096
"""Words of more bits are not counted out: there are at least 2^4096 of them."""

ALL_PAIRS = ("complete", "local")
"""The words for neighbours that are any two inputs."""

MOST_REACH = 1000
"""Up to so large a sensitivity the level of counts, a power of that of the noise, is computed."""


class LawOfAnyTwo:
    """What the laws have in common that are about any two inputs."""

    __slots__ = ()

    @property
    def numbers(self) -> int:
        """How many entries its table has, at least."""
        raise NotImplementedError

    def require_table(self) -> None:
        """ResourceLimitError if its table is larger than the budget."""
        require_budget("its table", numbers=self.numbers)

    def among(self, neighbours: object) -> Self | None:
        """The law with these neighbours, or with its own for None; None if it does not say their level."""
        return self if neighbours is None or neighbours in ALL_PAIRS else None

    @property
    def neighbours(self) -> str:
        """What is said of its neighbours beside an answer."""
        return "any two inputs"


@dataclass(frozen=True, slots=True)
class CategoryLaw(LawOfAnyTwo):
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
class BitLaw(LawOfAnyTwo):
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


@dataclass(frozen=True, slots=True)
class CountLaw:
    """Two-sided geometric noise of level ``alpha`` on the counts lower..lower + n, n ≥ 1.

    Its results are as they are, or moved to the nearest count, or lumped beyond each end. Counts that differ
    by at most ``reach`` are neighbours, at distance 1.

    >>> CountLaw(1_000_000, Rational("1/2"), reach=3).ratio
    Rational('1/8')
    """

    n: int
    alpha: Any
    reach: int = 1
    lower: int = 0
    beyond: int = 0
    """How many outputs its table has beyond each end of the counts."""

    @property
    def ratio(self) -> Any:
        """The level between neighbours."""
        return self.alpha ** min(self.reach, self.n)

    @property
    def numbers(self) -> int:
        """How many entries its table has: a row for each count.

        >>> CountLaw(2, Rational("1/2"), beyond=1).numbers
        15
        """
        return (self.n + 1) * self._columns

    @property
    def _columns(self) -> int:
        """How many outputs its table has."""
        return self.n + 1 + 2 * self.beyond

    def require_table(self) -> None:
        """ResourceLimitError if its table is larger than the budget, by its entries or their powers."""
        require_powers("its table", self.numbers, self.alpha, self._columns - 1, shared=self._columns)

    @property
    def inputs(self) -> str:
        """What its inputs are, in words."""
        return f"neighbours on path:{self.n + 1}" if self.reach == 1 else self.neighbours

    def among(self, neighbours: object) -> Law | None:
        """The law with these neighbours, or with its own for None; None if it does not say their level."""
        if neighbours is None:
            return self if self.reach <= MOST_REACH else None
        return replace(self, reach=1) if is_path(neighbours, self.n + 1) else None

    @property
    def neighbours(self) -> str:
        """What is said of its neighbours beside an answer."""
        if self.reach == 1:
            return f"path:{self.n + 1}"
        return f"inputs {self.lower}..{self.lower + self.n} that differ by at most {self.reach}"


Law = CategoryLaw | BitLaw | CountLaw


def is_path(neighbours: object, size: int) -> bool:
    """Whether neighbours, or a word for them, are the path of so many vertices in order, without labels.

    >>> is_path("path", 3), is_path("path:4", 3), is_path(Graph.path(3), 3)
    (True, False, True)
    """
    if not isinstance(neighbours, Graph):
        return neighbours in ("path", f"path:{size}")
    return len(neighbours.vertices) == size and neighbours.is_path and isinstance(neighbours.vertices, Positions)


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
    >>> law_of_word("geometric:n=1000000,alpha=1/2").ratio
    Rational('1/2')
    """
    law = law_named(spec, level)
    try:
        if law is not None:
            law.require_table()
    except ResourceLimitError:
        return law
    return None


def law_named(spec: str, level: LevelLike | None = None) -> Law | None:
    """The law of a word, however large its table is; None where the word has none that is known.

    >>> law_named("rappor-permanent:bits=2,f=1/2").ratio
    Rational('1/9')
    """
    if not is_mechanism_spec(spec):
        return None
    try:
        word = Word.parse(spec, level)
        return _LAWS[word.family](word) if word.family in _LAWS else None
    except (InputError, DomainError):  # a parameter is missing or wrong, or has letters: who builds the table says which
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


def _counts(level: Callable[[Word], LevelLike], beyond: int) -> Callable[[Word], Law | None]:
    """Counts with geometric noise, of the level that the word says in this way."""

    def law(word: Word) -> Law | None:
        takes = {parameter.name for parameter in FAMILIES[word.family].parameters}
        lower = 0 if "n" in takes else word.integer("lower")
        n = word.integer("n") if "n" in takes else word.integer("upper") - lower
        reach = word.integer("sensitivity") if "sensitivity" in takes else 1
        if n < 1:
            return None
        alpha: Any = PrivacyLevel(level(word)).alpha
        known = isinstance(alpha, Rational | ExponentialNumber | RationalFunction)
        return CountLaw(n, alpha, reach, lower, beyond) if known else None

    return law


def _by_sensitivity(word: Word) -> LevelLike:
    """The level of noise that is scaled by the sensitivity."""
    return word.base(word.integer("sensitivity"))


def _unary(word: Word) -> Law | None:
    t: Any = word.base(2).alpha
    return BitLaw(word.integer("bits"), 1, 1 / (1 + t), t / (1 + t)) if isinstance(t, Rational | ExponentialNumber) else None


_LAWS = {
    "geometric": _counts(Word.alpha, 0),
    "lumped-geometric": _counts(Word.alpha, 1),
    "opendp-geometric": _counts(Word.base, 0),
    "opendp-laplace": _counts(Word.base, 1),
    "tumult-geometric": _counts(Word.base, 1),
    "diffprivlib-geometric": _counts(_by_sensitivity, 1),
    "diffprivlib-geometric-truncated": _counts(_by_sensitivity, 0),
    "google-geometric": _counts(_by_sensitivity, 1),
    "flat": _categories,
    "randomized-response": _categories,
    "opendp-randomized-response": _categories,
    "rappor": _bits,
    "rappor-permanent": _bits,
    "unary-encoding": _unary,
}
"""By the name of the family."""
