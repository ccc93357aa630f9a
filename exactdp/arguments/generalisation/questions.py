# SPDX-License-Identifier: MIT
"""Questions with n as a letter: what is asked at each n, what is fitted, and which argument speaks for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from exactdp.analysis.determinant import determinant
from exactdp.analysis.leakage import CapacityKind, type_capacity
from exactdp.analysis.optimality.optimum import optimum
from exactdp.analysis.verdict import Verdict
from exactdp.errors import InputError
from exactdp.exact import RationalFunctionField
from exactdp.mechanisms import geometric, geometric_prime
from exactdp.model import MinimaxConsumer, PrivacyLevel

Entries = Mapping[tuple[int, ...], Any]


@dataclass(frozen=True, slots=True)
class Part:
    """A table that belongs to the answer: a dual, a remap, an inverse.

    * ``name``: of the definition in the argument.
    * ``indices``: the letters of row and column.
    * ``conditions``: what tells apart the entries that have one formula; by parity two such tuples.
    * ``entries``: from n and the answer at n to the entries.
    * ``letter``: what n is called in the definition; empty: as in the question.
    * ``shift``: this letter is n plus so many.
    """

    name: str
    indices: str
    conditions: tuple[tuple[str, ...], ...]
    entries: Callable[[int, Any], Entries]
    letter: str = ""
    shift: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question about every n.

    * ``word``: how it is asked.
    * ``title``, ``meaning``: what is asked for, and what n counts.
    * ``letter``: n, or d for bits.
    * ``least``: the smallest n that is spoken of.
    * ``sizes``: the n at which it is asked, unless others are given.
    * ``answer``: the answer at n: a verdict, or a matrix.
    * ``value``: the number in it, a function of the level; None if the answer is a table.
    * ``parts``: what else is fitted.
    * ``arguments``: the arguments for it: one, or one for even and one for odd n.
    * ``letters``: the positive letters of their definitions.
    * ``theorem``: what the argument leaves to others, such as a theorem of proofs/coq; empty if nothing.
    """

    word: str
    title: str
    meaning: str
    letter: str = "n"
    least: int = 1
    sizes: tuple[int, ...] = tuple(range(2, 11))
    answer: Callable[[int], Any]
    value: Callable[[Any], Any] | None
    parts: tuple[Part, ...] = ()
    arguments: tuple[str, ...]
    letters: str = "a"
    theorem: str = ""


def _level() -> Any:
    return RationalFunctionField().gen


def _determinant(verdict: Verdict[Any]) -> Any:
    """The determinant as a function of the level."""
    found, level = verdict.evidence.determinant, _level()
    above, below = (sum((int(c) * level ** int(k) for (k,), c in part), level.field.zero) for part in (found.numerator, found.denominator))
    return above / below


def _inverse(n: int) -> Any:
    return geometric(n, _level()).matrix.inverse()


def _square(n: int, matrix: Any) -> Entries:
    return {(i, j): x for i, row in enumerate(matrix.rows()) for j, x in enumerate(row)}


def _zero_one(n: int) -> Verdict[Any]:
    return optimum(f"path:{n + 1}", PrivacyLevel.symbolic(), MinimaxConsumer("zero-one"))


def _dual_weights(n: int, verdict: Verdict[Any]) -> Entries:
    return {(i,): x for i, x in enumerate(verdict.evidence.dual.weights)}


def _remap(n: int, verdict: Verdict[Any]) -> Entries:
    zero = _level().field.zero
    return {(j, r): row.get(r, zero) for j, row in enumerate(verdict.evidence.found.rows) for r in range(n + 1)}


def _capacity(word: str, kind: CapacityKind) -> Callable[[int], Verdict[Any]]:
    return lambda n: type_capacity(f"{word}:{n}", _level(), kind)


def _weighting(n: int, verdict: Verdict[Any]) -> Entries:
    return {(j,): x for j, x in enumerate(verdict.evidence.weights)}


def _least_entry(place: Callable[[int], int]) -> Callable[[int, Any], Entries]:
    """The entry of row 0 and the column at this place."""
    return lambda n, verdict: {(): verdict.evidence.mechanism.matrix[0, place(n)]}


def _value(verdict: Verdict[Any]) -> Any:
    return verdict.evidence.value


_ENDS = ("i = j = 0", "i = j-1 = 0", "i = j = n", "i = j+1 = n", "i = j", "i = j+1", "i = j-1", "")
_HALVES = ("i <= h", "")
_SPREAD = (
    ("j = r = 0", "j = 0 < r < h", "j = 0 = r-h", "j = r = 2*h", "h < r < j = 2*h", "j = 2*h = r+h", "j = 0", "j = 2*h", "j = r", ""),
    ("j = r = 0", "j = 0 < r <= h", "j = r = 2*h+1", "h+1 <= r < j = 2*h+1", "j = 0", "j = 2*h+1", "j = r", ""),
)
_MULTIPLICATIVE = "that the columns' largest entries sum to the largest leakage to any consumer: theorem13 in proofs/coq"
_ADDITIVE = "that 1 minus the sum of the columns' smallest entries is the largest leakage to any consumer: theorem14 in proofs/coq"

QUESTIONS: tuple[Question, ...] = (
    Question(
        word="det geometric",
        title="det G(n, a)",
        meaning="G(n, a), the geometric mechanism, has the inputs and outputs 0..n",
        answer=lambda n: determinant(geometric(n, _level()).matrix),
        value=_determinant,
        arguments=("det-geometric",),
        letters="a p u",
    ),
    Question(
        word="det geometric-prime",
        title="det G'(n, a)",
        meaning="G'(n, a) = (a^|i-j|), 0 <= i, j <= n",
        answer=lambda n: determinant(geometric_prime(n, _level())),
        value=_determinant,
        arguments=("det-geometric-prime",),
        letters="a p u",
    ),
    Question(
        word="inverse geometric",
        title="the inverse of G(n, a)",
        meaning="G(n, a), the geometric mechanism, has the inputs and outputs 0..n; i is the row",
        answer=_inverse,
        value=None,
        parts=(Part("inverse", "i j", (_ENDS,), _square),),
        arguments=("inverse-geometric",),
        letters="a p u",
    ),
    Question(
        word="minimax zero-one path",
        title="the least largest chance of a wrong guess (zero-one minimax) on the path 0..n",
        meaning="the path 0..n has n+1 inputs",
        answer=_zero_one,
        value=_value,
        parts=(Part("weight", "i", (_HALVES, _HALVES), _dual_weights), Part("remap", "j r", _SPREAD, _remap)),
        arguments=("minimax-path-even", "minimax-path-odd"),
    ),
    Question(
        word="capacity line",
        title="the largest multiplicative capacity on the line with n inputs",
        meaning="n inputs, 0..n-1",
        least=2,
        answer=_capacity("path", "multiplicative"),
        value=_value,
        parts=(Part("scale", "j", (("j = 0", "j = m", ""),), _weighting, "m", -1),),
        arguments=("capacity-line",),
        theorem=_MULTIPLICATIVE,
    ),
    Question(
        word="additive capacity line",
        title="the largest additive capacity on the line with n inputs",
        meaning="n inputs, 0..n-1",
        least=2,
        answer=_capacity("path", "additive"),
        value=_value,
        arguments=("capacity-line-additive-even", "capacity-line-additive-odd"),
        theorem=_ADDITIVE,
    ),
    Question(
        word="capacity discrete",
        title="the largest multiplicative capacity on the discrete metric of n inputs",
        meaning="n inputs, all neighbours of each other",
        least=2,
        answer=_capacity("complete", "multiplicative"),
        value=_value,
        parts=(Part("share", "", (("",),), _least_entry(lambda n: 0)),),
        arguments=("capacity-discrete",),
        theorem=_MULTIPLICATIVE,
    ),
    Question(
        word="additive capacity discrete",
        title="the largest additive capacity on the discrete metric of n inputs",
        meaning="n inputs, all neighbours of each other",
        least=2,
        answer=_capacity("complete", "additive"),
        value=_value,
        parts=(Part("share", "", (("",),), _least_entry(lambda n: 1)),),
        arguments=("capacity-discrete-additive",),
        theorem=_ADDITIVE,
    ),
    Question(
        word="capacity cube",
        title="the largest multiplicative capacity on the cube of d bits",
        meaning="d bits, 2^d inputs",
        letter="d",
        sizes=tuple(range(1, 7)),
        answer=_capacity("hypercube", "multiplicative"),
        value=_value,
        parts=(Part("share", "", (("",),), _least_entry(lambda d: 0)),),
        arguments=("capacity-cube",),
        letters="a t u",
        theorem=_MULTIPLICATIVE,
    ),
    Question(
        word="additive capacity cube",
        title="the largest additive capacity on the cube of d bits",
        meaning="d bits, 2^d inputs",
        letter="d",
        sizes=tuple(range(1, 7)),
        answer=_capacity("hypercube", "additive"),
        value=_value,
        parts=(Part("share", "", (("",),), _least_entry(lambda d: 2**d - 1)),),
        arguments=("capacity-cube-additive",),
        letters="a t u",
        theorem=_ADDITIVE,
    ),
)
"""The questions that have a word."""


def question_of(word: str) -> Question:
    """The question that a word asks.

    >>> question_of("Det  geometric").title
    'det G(n, a)'
    """
    plain = " ".join(word.lower().split())
    for question in QUESTIONS:
        if question.word == plain:
            return question
    known = ", ".join(repr(question.word) for question in QUESTIONS if "capacity" not in question.word)
    capacities = "'capacity' or 'additive capacity' of 'line', 'discrete' or 'cube'"
    raise InputError(f"{word[:60]!r} is no question about every n; write {known}, or {capacities}", question=word)
