# SPDX-License-Identifier: MIT
"""Numbers, levels and sets of levels in sentences.

A short number is written as it is; before a long one stands a decimal that bounds it. No digit is left out
here: reports do that (:func:`exactdp.report.values.elide`), unless all of it is wanted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from exactdp.analysis.epsilon import bounds_of
from exactdp.elsewhere import Telling
from exactdp.exact import ExponentialNumber, Interval, Rational, Scalar
from exactdp.exact.algebraic import digits_apart, point_text
from exactdp.exact.decimals import fixed_text
from exactdp.model import Consumer, Neighbours, PrivacyLevel, TightestLevel
from exactdp.model.consumer import Problem
from exactdp.model.epsilon import LONGEST


class StatedValue:
    """Evidence whose ``least_loss`` a sentence states as a loss, or as the utility of who has a gain."""

    __slots__ = ()

    consumer: Any
    least_loss: Any

    @property
    def value(self) -> Any:
        """The value as the sentence states it: least loss or largest utility; None if not found."""
        return self.consumer.measure.of(self.least_loss)


class StatedOptimum(StatedValue, Telling):
    """Evidence about an optimum, between ``least_loss_bounds`` where a limit stopped the search."""

    __slots__ = ()

    least_loss_bounds: tuple[Any, Any] | None

    @property
    def bounds(self) -> tuple[Any, Any] | None:
        """What it lies between, as the sentence states it, when a limit stopped the search."""
        return None if self.least_loss_bounds is None else self.consumer.measure.between(self.least_loss_bounds)

    def in_sympy(self) -> Any:
        """The least loss, or the most gain; None if it was not found."""
        return None if self.value is None else self.value.to_sympy()


class StatedLoss:
    """Evidence about the loss of one mechanism."""

    __slots__ = ()

    consumer: Any
    loss: Any

    @property
    def utility(self) -> Any:
        """Minus the loss, for a consumer with a gain: what the sentence says of it; None without a gain."""
        return self.consumer.measure.utility_of(self.loss)


def begun(name: str) -> str:
    """A name as it begins a sentence.

    >>> begun("the source"), begun("geometric:n=2,alpha=1/2")
    ('The source', 'geometric:n=2,alpha=1/2')
    """
    return f"The {name[4:]}" if name.startswith("the ") else name


def piece_text(piece: Interval, letter: str = "a", digits: int = 6) -> str:
    """An interval of levels, or one level; irrational ones with so many digits (:func:`digits_of`).

    >>> piece_text(Interval(0, "1/2")), piece_text(Interval.point("1/2"))
    ('(0, 1/2)', 'a = 1/2')
    """
    return f"{letter} = {point_text(piece.lower, digits)}" if piece.is_point else piece.text(digits)


def digits_of(pieces: Iterable[Interval]) -> int:
    """With how many digits after the point all ends of some intervals are told apart.

    >>> digits_of([Interval(0, "1/2"), Interval.point("1/2")])
    6
    """
    return digits_apart(end for piece in pieces for end in (piece.lower, piece.upper))


def union_text(pieces: Iterable[Interval]) -> str:
    """A set of levels, its parts in increasing order.

    >>> union_text([Interval(0, "1/2"), Interval.point("2/3")])
    '(0, 1/2) ∪ {2/3}'
    """
    parts = list(pieces)
    digits = digits_of(parts)
    return " ∪ ".join(f"{{{point_text(piece.lower, digits)}}}" if piece.is_point else piece.text(digits) for piece in parts)


def among(levels: Interval) -> str:
    """Which levels "every level" means, where these are not all: words that follow it.

    >>> among(Interval(0, 1)), among(Interval("1/2", 1))
    ('', ' in (1/2, 1)')
    """
    return "" if levels == Interval(0, 1) else f" in {levels.text(digits_of([levels]))}"


def values_text(pieces: Iterable[tuple[Interval, Any]], letter: str = "a") -> str:
    """What holds on which levels.

    >>> values_text([(Interval(0, "1/2"), 3), (Interval.point("1/2"), 2)])
    '3 on (0, 1/2); 2 at a = 1/2'
    """
    parts = list(pieces)
    digits = digits_of(piece for piece, _ in parts)
    return "; ".join(f"{value} {'at' if piece.is_point else 'on'} {piece_text(piece, letter, digits)}" for piece, value in parts)


def counted(count: int, one: str, many: str = "") -> str:
    """How many of what.

    >>> counted(1, "mixture"), counted(0, "mixture"), counted(2, "vertex", "vertices")
    ('1 mixture', '0 mixtures', '2 vertices')
    """
    return f"{count} {one if count == 1 else many or one + 's'}"


def decimal_above(x: Any, figures: int = 6) -> str:
    """A decimal ≥ x with so many figures, such as ``0.125`` or ``3.2e-17``; x ≥ 0.

    >>> decimal_above(Rational("1/3")), decimal_above(Rational(1, 3 * 10**16), 3)
    ('0.333334', '3.34e-17')
    """
    value = bounds_of(x, figures + 2)[1]
    if value == 0:
        return "0"
    power = 0  # value·10^power has `figures` figures before the point
    while value * Rational(10) ** power < 10 ** (figures - 1):
        power += 1
    while value * Rational(10) ** power >= 10**figures:
        power -= 1
    scaled = value * Rational(10) ** power
    mantissa = -(-int(scaled.numerator) // int(scaled.denominator))
    if -3 <= figures - 1 - power <= 9:
        return fixed_text(Rational(mantissa, 10**power), power).rstrip("0").rstrip(".") if power > 0 else str(mantissa * 10**-power)
    digits = str(mantissa).rstrip("0")
    return f"{digits[0]}{'.' if len(digits) > 1 else ''}{digits[1:]}e{len(str(mantissa)) - 1 - power}"


def short_number(x: Any) -> str:
    """The number; before a long one a decimal, whose absolute value it does not exceed.

    >>> short_number(Rational("1/3")), short_number(Rational(1, 3**200))[:42]
    ('1/3', '3.76487e-96 (rounded up from 1/26561398887')
    >>> short_number(Rational(-1, 3**200))[:45]
    '-3.76487e-96 (rounded down from -1/2656139888'
    """
    text = str(x)
    if len(text) <= LONGEST or not isinstance(x, (Rational, ExponentialNumber)):
        return text
    return f"-{decimal_above(-x)} (rounded down from {text})" if x < 0 else f"{decimal_above(x)} (rounded up from {text})"


def level_text(level: Any, by_epsilon: bool | None = None, *beside: Any) -> str:
    """A level, or the number α, with its ε; ε first where the reader speaks it, or the number is one of an ε.

    The decimals of ε are told apart from the numbers of ``beside``.

    >>> from exactdp.exact import ExponentialField
    >>> level_text(Rational("1/4")), level_text(ExponentialField(1).gen), level_text(Rational(0))
    ('α = 1/4 (ε = ln(4) ≈ 1.386294)', 'ε = 1 (α = e^(−1))', 'α = 0 (ε = ∞)')
    """
    if isinstance(level, Scalar) and not isinstance(level, (Rational, ExponentialNumber)):
        return f"α = {level}"
    found = level.as_tightest() if isinstance(level, (PrivacyLevel, TightestLevel)) else TightestLevel(level)
    return found.told(by_epsilon, *beside)


def private_text(level: PrivacyLevel, noun: str = "") -> str:
    """What a mechanism of a level is: α or ε by its name, as it was given, with the other one beside it.

    >>> private_text(PrivacyLevel("1/4"))
    '(α = 1/4)-private (ε = ln(4) ≈ 1.386294)'
    >>> private_text(PrivacyLevel(epsilon="ln(3)"), "mechanism"), private_text(PrivacyLevel(epsilon="1/10"))
    ('(ε = ln(3))-private mechanism (α = 1/3)', '(ε = 1/10)-private')
    """
    named, other = f"{level.name}-private", level.beside
    named = f"{named} {noun}" if noun else named
    return f"{named} ({other})" if other else named


def private_on(level: PrivacyLevel, neighbours: Neighbours | str, noun: str = "") -> str:
    """What a mechanism of a level is between these neighbours (:func:`private_text`).

    >>> from exactdp import neighbours
    >>> private_on(PrivacyLevel(epsilon="1/10"), neighbours("path:4"), "mechanisms")
    '(ε = 1/10)-private mechanisms on path:4'
    """
    return f"{private_text(level, noun)} on {neighbours}"


def at_level(neighbours: Neighbours, level: PrivacyLevel) -> str:
    """The neighbours and the level that a privacy type, or a constraint matrix, belongs to.

    >>> from exactdp import neighbours
    >>> at_level(neighbours("path:4"), PrivacyLevel(epsilon="1/10"))
    'path:4 at level ε = 1/10 (α = e^(−1/10))'
    """
    return f"{neighbours} at level {level.text}"


def whose(consumer: Consumer) -> str:
    """Whom an answer is about.

    >>> from exactdp import MinimaxConsumer
    >>> whose(MinimaxConsumer("abs"))
    'for the minimax consumer with loss abs'
    """
    return f"for {consumer.describe()}"


def optimum_text(problem: Problem) -> str:
    """What the optimum of a problem is: the least loss, or the largest utility, and of which mechanisms.

    >>> from exactdp import MinimaxConsumer, neighbours
    >>> near = neighbours("path:2")
    >>> asked = Problem(near, PrivacyLevel(epsilon=1), MinimaxConsumer("abs").over(near.vertices))
    >>> optimum_text(asked).partition(" for the ")[0]
    'least loss of an (ε = 1)-private mechanism on path:2'
    """
    return f"{problem.consumer.measure.best} of an {problem_text(problem)}"


def problem_text(problem: Problem) -> str:
    """The mechanism that a problem is about, and whom it is for (:func:`optimum_text`)."""
    return f"{private_on(problem.level, problem.neighbours, 'mechanism')} {whose(problem.consumer)}"


def none_better(problem: Problem, least_loss: Any) -> str:
    """What a dual proves of all mechanisms: none has less loss, or more utility.

    >>> from exactdp import BayesianConsumer, neighbours
    >>> near = neighbours("path:2")
    >>> asked = Problem(near, PrivacyLevel(epsilon=1), BayesianConsumer("abs").over(near.vertices))
    >>> none_better(asked, Rational("1/9")).partition(" for the ")[0]
    'no (ε = 1)-private mechanism on path:2 has a loss below 1/9'
    """
    measure, private = problem.consumer.measure, private_on(problem.level, problem.neighbours, "mechanism")
    return f"no {private} has a {measure.word} {measure.below} {measure.of(least_loss)} {whose(problem.consumer)}"


def epsilon_change(before: Any, after: Any) -> str:
    """How much larger or smaller the ε of one level is than that of another, both in ℚ or ℚ(e^(−x)).

    >>> epsilon_change(Rational("1/2"), Rational("1/4")), epsilon_change(Rational("1/2"), Rational("1/2"))
    ('ε is larger by at most 0.693148', 'ε is the same')
    """
    if before == after:
        return "ε is the same"
    if 0 in (before, after):
        return "no ε is finite as it stands" if before == 0 else "no ε is finite"
    ratio = TightestLevel(after / before if after < before else before / after)
    return f"ε is {'larger' if after < before else 'smaller'} by at most {decimal_above(ratio.epsilon.enclosure(24)[1])}"
