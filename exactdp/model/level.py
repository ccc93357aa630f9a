# SPDX-License-Identifier: MIT
"""Privacy levels α ∈ (0, 1), and the question x ≥ α^d · y for every kind of distance d.

α near 1 is strong privacy, near 0 none (α = e^(−ε)). A level is a rational number, a letter that stands for
every number of an interval (:meth:`PrivacyLevel.symbolic`), or e^(−ε) for a rational ε
(``PrivacyLevel(epsilon="1/10")``). Each has its ε, exactly (:mod:`exactdp.model.epsilon`).

The tightest level of a mechanism need not be rational, nor in the field of its numbers
(:mod:`exactdp.model.tightest_level`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import field
from functools import total_ordering
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from exactdp.errors import (
    DomainError,
    InexactInputError,
    InputError,
    ParameterRangeError,
    RationalSyntaxError,
    UndecidedSignError,
    wrong_kind,
)
from exactdp.exact import (
    QQ,
    ExponentialField,
    ExponentialNumber,
    Interval,
    Letters,
    LettersLike,
    Rational,
    RationalFunction,
    RationalFunctionField,
    RegionFunction,
    Scalar,
    common_field,
    field_for_exponents,
    letters_of,
    power_within,
    rational_root,
    root_parts,
)
from exactdp.exact.comparison import scalar_of
from exactdp.exact.formula import LEVEL
from exactdp.exact.inexact import is_float
from exactdp.exact.rational import of_another_kind
from exactdp.exact.region_functions import place
from exactdp.exact.sympy_operators import Symbols, SympyOperand, is_expression
from exactdp.model.epsilon import Epsilon
from exactdp.model.epsilon_text import NAMES
from exactdp.model.level_roots import compare_roots, radical_of
from exactdp.model.level_text import alpha_in, both_in, is_formula, names_of, number_of, require_not_rounded, unknown_text, without_meanings
from exactdp.model.metric import ONE, Distance, DistanceLike
from exactdp.model.neighbours import NeighboursLike
from exactdp.model.neighbours import neighbours as as_neighbours
from exactdp.model.tightest_level import TightestLevel, alpha_text, explained_letters, formatted, is_radical, two_numbers, without_letters
from exactdp.runtime.values import dataclass

if TYPE_CHECKING:
    import numbers
    from decimal import Decimal

_REASONS = {
    0: "level 0 constrains nothing: every mechanism would be private",
    1: "level 1 (ε = 0) forces all rows to be equal: the output could not depend on the input; beside a δ > 0 it does not: "
    "is_approximately_private, and exactdp delta --epsilon 0, decide (0, δ)",
}


@total_ordering
@dataclass(frozen=True, slots=True, init=False, repr=False)
class PrivacyLevel(SympyOperand):
    """A privacy level α, or the ε with α = e^(−ε).

    Parameters
    ----------
    alpha : str, int, Fraction, Scalar, PrivacyLevel or Epsilon
        0 < α < 1, exactly. An :class:`Epsilon` is the level with this ε. A text may also be ``epsilon=1/10``,
        ``ε=ln(3)``, ``alpha=1/4``, or ``symbolic`` for all levels at once. A logarithm such as ``ln 3`` is an
        ε, because no α that is read here is one.
    epsilon : str, int, Fraction, Rational or Epsilon
        ε > 0 instead of α: a rational number, or a logarithm such as ``ln(3)``, whose level is 1/3.
    letters : mapping, text or Region, optional
        What the letters in α may be (:class:`~exactdp.Region`), as in ``p/(1-p)``.

    Attributes
    ----------
    by_epsilon : bool
        Whether the level was given as ε: answers then say ε first. Equal levels may differ in it.

    Raises
    ------
    ParameterRangeError
        α ≤ 0 or α ≥ 1, or ε ≤ 0; says why.
    InputError
        Neither or both are given, or the level of ε is an irrational root that is too high, as for
        ``ln(3)/1000``. Of ``ln(3)/2`` it is the number 3^(−1/2).

    Examples
    --------
    >>> level = PrivacyLevel("1/4")
    >>> level.power("1/2"), level.epsilon
    (Rational('1/2'), Epsilon('ln(4)'))
    >>> level.at_least(Rational("1/2"), Rational(1), Distance.parse("sqrt(1/3)"))
    True
    >>> PrivacyLevel(epsilon="1/10"), PrivacyLevel(epsilon="ln(3)") == PrivacyLevel("1/3")
    (PrivacyLevel(epsilon='1/10'), True)
    """

    alpha: Any
    by_epsilon: bool = field(default=False, compare=False)

    def _in_sympy(self, letters: Symbols) -> Any:
        return self.alpha._in_sympy(letters)

    def _repr_latex_(self) -> str:
        return rf"$\alpha = {self.alpha.latex()}{self.field.latex_meanings}$"

    def __init__(self, alpha: LevelLike | None = None, *, epsilon: EpsilonLike | None = None, letters: LettersLike | None = None) -> None:
        if letters is not None and isinstance(alpha, str):
            alpha = _with_letters(alpha, letters_of(letters))
        elif letters is not None and is_expression(alpha):
            alpha = letters_of(letters).read(alpha)
        if (alpha is None) == (epsilon is None):
            given = "neither" if alpha is None else f"alpha = {alpha} and epsilon = {epsilon}"
            message = f'a level is either α or ε, but {given} is given: write PrivacyLevel("1/4") or PrivacyLevel(epsilon="1/10")'
            raise InputError(message, alpha=alpha, epsilon=epsilon)
        if epsilon is not None:
            number, by_epsilon = _alpha_of(_epsilon(epsilon)), True
        elif isinstance(alpha, Epsilon):
            number, by_epsilon = _alpha_of(_epsilon(alpha)), True
        elif isinstance(alpha, PrivacyLevel):
            number, by_epsilon = alpha.alpha, alpha.by_epsilon
        elif isinstance(alpha, TightestLevel):
            number, by_epsilon = _alpha_of(alpha.epsilon), isinstance(alpha.value, ExponentialNumber)
        elif isinstance(alpha, str) and (known := _read(alpha)) is not None:
            number, by_epsilon = known.alpha, known.by_epsilon
        else:
            number = alpha if isinstance(alpha, Scalar) else _number_of(alpha)
            by_epsilon = isinstance(number, ExponentialNumber)
        object.__setattr__(self, "alpha", number)
        object.__setattr__(self, "by_epsilon", by_epsilon)
        self._check()

    @classmethod
    def from_epsilon(cls, epsilon: object, unit: int = 1, roots: Iterable[int] = (1,)) -> PrivacyLevel:
        """The level α = e^(−ε), exactly: a transcendental number.

        Parameters
        ----------
        epsilon : rational
            ε > 0, not a float. (For ε = ln 2, whose α is rational, write ``PrivacyLevel(epsilon="ln 2")``.)
        unit : int
            k ≥ 1: α^d is a number of the field for every multiple d of 1/k.
        roots : iterable of int
            Squarefree q such that α^d is a number of the field for every multiple d of √q/k; 1 is always
            there. :func:`level_for` chooses unit and roots for a graph or metric.

        Raises
        ------
        ParameterRangeError
            ε ≤ 0 (at ε = 0 the output could not depend on the input), or unit or roots are out of range.
        InexactInputError
            ε is a float.

        Examples
        --------
        >>> level = PrivacyLevel.from_epsilon("1/10", unit=2)
        >>> [str(x) for x in (level.alpha, level.power("1/2"), level.power(3), level.epsilon)]
        ['t^2', 't', 't^6', '1/10']
        >>> PrivacyLevel.from_epsilon(1, roots=(1, 2)).power(Distance.parse("sqrt(8)"))
        ExponentialNumber('t2^2', t2 = e^(−1·√2))
        """
        value = _rational_epsilon(epsilon)
        return cls(ExponentialField(value, unit, {1, *roots}).exponential(value))

    @classmethod
    def symbolic(cls, interval: Any = (0, 1), name: str = "a") -> PrivacyLevel:
        """The level as a letter: every statement is about all levels of the interval at once.

        Parameters
        ----------
        interval : Interval or (lower, upper)
            In (0, 1); a pair means the open interval.
        name : str
            The letter.

        Raises
        ------
        ParameterRangeError
            The interval has a number outside (0, 1).

        Examples
        --------
        >>> PrivacyLevel.symbolic().power(2), PrivacyLevel.symbolic(("1/2", 1)) > PrivacyLevel("1/3")
        (RationalFunction('a^2'), True)
        """
        if not isinstance(interval, Interval):
            if not isinstance(interval, (tuple, list)) or len(interval) != 2:
                raise wrong_kind("interval", interval, "an Interval, or a pair of exact numbers such as (0, '1/2')")
            interval = Interval(*interval)
        return cls(RationalFunctionField(interval, name).gen)

    def _check(self) -> None:
        """The level is between 0 and 1, for all values of its letters."""
        a = self.alpha
        try:
            if a > 0 and a < 1:
                return
        except UndecidedSignError as error:  # a letter that leaves the interval
            points: Any = error.facts.get("points", ())
            outside = [x for x in points if not 0 < a.value(x) < 1] if isinstance(a, RegionFunction) else []
            if isinstance(a, RegionFunction) and not outside:
                message = f"whether the privacy level α = {a} is between 0 and 1: {error.message}"
                raise UndecidedSignError(message, **error.facts) from None
        else:
            outside = [a.field.region.inside] if isinstance(a, RegionFunction) else []
        if isinstance(a, RegionFunction):
            why = f" for all {a.field.region}: at {place(outside[0])} it is {a.value(outside[0])}"
        elif isinstance(a, RationalFunction):
            why = f" for every {a.field.name_of_level} in {a.field.interval}; choose a smaller interval"
        else:
            rule = "α = e^(−ε) with ε > 0 lies strictly between 0 and 1"
            remedy = "; give α, such as '1/4', or ε, such as 'epsilon=1'"
            reason = next((reason for bad, reason in _REASONS.items() if a == bad), rule)
            if isinstance(a, Rational) and a >= 1:
                why = f"; if ε = {a} is meant, write 'epsilon={a}'; {reason}"
            else:
                why = f": {reason}{remedy if isinstance(a, Rational) else ''}"
        message = f"the privacy level α = {a} is not between 0 and 1{why}"
        raise ParameterRangeError(message, name="alpha", value=a, allowed="0 < alpha < 1")

    @property
    def epsilon(self) -> Epsilon:
        """ε = −ln(α), exactly.

        >>> PrivacyLevel(epsilon="1/10").epsilon, PrivacyLevel("1/3").epsilon
        (Epsilon('1/10'), Epsilon('ln(3)'))
        """
        return Epsilon.of_level(self.alpha)

    @property
    def said(self) -> str:
        """The level as it was given, α or ε, without the other one.

        >>> PrivacyLevel("1/4").said, PrivacyLevel(epsilon="1/10").said
        ('α = 1/4', 'ε = 1/10')
        """
        return f"ε = {self.epsilon}" if self._speaks_epsilon else f"α = {self}"

    @property
    def name(self) -> str:
        """What stands before "-private" in a sentence: a bare number is taken for ε by most readers.

        >>> PrivacyLevel("1/4").name, PrivacyLevel(epsilon="1/10").name
        ('(α = 1/4)', '(ε = 1/10)')
        """
        return f"({self.said})"

    @property
    def beside(self) -> str:
        """What follows a sentence's level in brackets: the other one of α and ε; empty if it says no more.

        >>> PrivacyLevel("1/4").beside, PrivacyLevel(epsilon="ln(3)").beside
        ('ε = ln(4) ≈ 1.386294', 'α = 1/3')
        """
        if self._speaks_epsilon:
            return f"α = {self}" if isinstance(self.alpha, Rational) or is_radical(self.alpha) else ""
        number = without_letters(self.alpha)
        return "" if number is None else Epsilon.of_level(number).equation()

    @property
    def text(self) -> str:
        """The level as it was given, α or ε, with the other one beside it.

        >>> PrivacyLevel("1/4").text, PrivacyLevel(epsilon="1/10").text
        ('α = 1/4 (ε = ln(4) ≈ 1.386294)', 'ε = 1/10 (α = e^(−1/10))')
        """
        return self.as_tightest().told(self.by_epsilon)

    def compared(self, other: TightestLevel) -> str:
        """Another level as this one was given, α or ε first; a decimal of its ε is not the ε of this one.

        >>> PrivacyLevel(epsilon="1.098612").compared(TightestLevel("1/3"))
        'ε = ln(3) ≈ 1.0986123 (α = 1/3)'
        """
        return other.told(self.by_epsilon, *self.landmarks)

    @property
    def landmarks(self) -> tuple[Rational, ...]:
        """The rational ε that it was given as, from which the decimals of others are told apart."""
        exact = self.epsilon.rational if self.by_epsilon else None
        return () if exact is None else (exact,)

    @property
    def _speaks_epsilon(self) -> bool:
        return self.by_epsilon and (isinstance(self.alpha, Rational) or self.epsilon.rational is not None or is_radical(self.alpha))

    def over(self, field: Any) -> PrivacyLevel:
        """The same level with α as a number of a larger field.

        >>> PrivacyLevel(epsilon=1).over(ExponentialField("1/2")).alpha
        ExponentialNumber('t^2', t = e^(−1/2))
        """
        return _made(field(self.alpha), self.by_epsilon)

    @property
    def field(self) -> Any:
        """The field of α."""
        return self.alpha.field

    def power(self, distance: DistanceLike) -> Any:
        """The exact α^d; DomainError if it is outside the field of α.

        >>> PrivacyLevel("1/2").power(3)
        Rational('1/8')
        """
        d = Distance.of(distance)
        if isinstance(self.alpha, ExponentialNumber):
            power = power_within(self.alpha, d.square)
            if power is not None:
                return power
        root = None if d.rational is None else self._root(d.rational.denominator)
        if d.rational is None or root is None:
            raise self._outside(d)
        return root**d.rational.numerator

    def _outside(self, d: Distance) -> DomainError:
        if isinstance(self.alpha, ExponentialNumber):
            hint = "let level_for(neighbours, epsilon) choose a field that has it, or give unit and roots"
        elif isinstance(self.alpha, RationalFunction | RegionFunction):
            hint = "write the level as a power of the letter that has this root, or give one level, or ε (--epsilon), instead"
        else:
            powers = "give a rational ε (--epsilon 1/2, level_for), whose powers are numbers here"
            hint = f"{powers}, or ask about privacy alone, which needs none"
        what = "irrational" if isinstance(self.alpha, Rational) else f"not in {self.alpha.field}"
        return DomainError(f"({self.alpha})^({d}) is {what}; {hint}", level=self, distance=d)

    def _root(self, degree: int) -> Any:
        if degree == 1:
            return self.alpha
        return rational_root(self.alpha, degree) if isinstance(self.alpha, Rational) else self.alpha.root(degree)

    def at_least(self, x: Any, y: Any, distance: DistanceLike = ONE) -> bool:
        """Whether x ≥ α^d · y, decided exactly for every distance and all x, y.

        For positive x, y and rational d = p/q this is x^q ≥ α^p y^q. For irrational d equality cannot occur
        (Gelfond–Schneider), and balls of rising precision decide. Over ℚ(e^(−ε)) the question is asked in a
        field that has α^d. For a symbolic level the answer holds on the whole interval, or
        UndecidedSignError says where it changes.

        >>> PrivacyLevel("1/2").at_least(Rational("1/4"), Rational("1/2"))
        True
        """
        d = Distance.of(distance)
        if d == ONE:
            return bool(x >= self.alpha * y)
        if not isinstance(self.alpha, Rational):
            try:
                return bool(x >= self.power(d) * y)
            except DomainError as error:
                if isinstance(error, UndecidedSignError):
                    raise
        if y <= 0 and x >= 0:
            return True
        if x <= 0 and y >= 0:
            return False
        has_letters = isinstance(self.alpha, RationalFunction | RegionFunction)
        if has_letters and d.rational is not None and x > 0:  # with one answer, at closed ends too
            p, q = d.rational.numerator, d.rational.denominator
            return bool(x**q >= self.alpha**p * y**q)
        return bool(compare_roots(x / y, d, self.alpha, ONE) * x.sign() >= 0)

    def __hash__(self) -> int:
        return hash((self.alpha,))

    def __float__(self) -> NoReturn:
        raise two_numbers(self)

    def __format__(self, spec: str) -> str:
        return formatted(self, spec)

    def as_tightest(self) -> TightestLevel:
        """The same number as a :class:`TightestLevel`."""
        return TightestLevel(self.alpha)

    def __lt__(self, other: object) -> bool:
        if isinstance(other, (PrivacyLevel, TightestLevel)):
            return self.as_tightest().compare(other) < 0
        return NotImplemented

    def __str__(self) -> str:
        return alpha_text(self.alpha)

    def __repr__(self) -> str:
        if self._speaks_epsilon:
            return f"PrivacyLevel(epsilon='{self.epsilon}')"
        return f"PrivacyLevel('{self.alpha}'{explained_letters(self.alpha)})"


def _made(alpha: Any, by_epsilon: bool) -> PrivacyLevel:
    level = object.__new__(PrivacyLevel)
    object.__setattr__(level, "alpha", alpha)
    object.__setattr__(level, "by_epsilon", by_epsilon)
    level._check()
    return level


def as_level(level: LevelLike, neighbours: NeighboursLike | None = None) -> PrivacyLevel:
    """The privacy level given, or the one that a text or a number denotes.

    * ``level``: a text is a number for α, or what the command line takes: ``epsilon=1/10``, ``ε=ln(3)``,
      ``symbolic``.
    * ``neighbours``: a level that is e^(−ε) gets a field that has e^(−ε·d) for all their distances
      (:func:`level_for`), however ε was given; a field that has them is kept.

    >>> as_level("0.25"), as_level("epsilon=1/10")
    (PrivacyLevel('1/4'), PrivacyLevel(epsilon='1/10'))
    """
    found = level if isinstance(level, PrivacyLevel) else PrivacyLevel(level)
    if neighbours is None or not isinstance(found.alpha, ExponentialNumber):
        return found
    exact = found.epsilon.rational
    if exact is None:
        return found
    squares = {distance.square for _, _, distance in as_neighbours(neighbours).pairs()}
    if isinstance(level, PrivacyLevel) and all(power_within(found.alpha, square) is not None for square in squares):
        return found
    enough = level_for(neighbours, exact)
    return enough.over(common_field(found.field, enough.field))


def level_or_one(level: LevelLike, neighbours: NeighboursLike | None = None) -> PrivacyLevel | TightestLevel:
    """The level given (:func:`as_level`), which may also be 1: ε = 0, where δ is a total variation.

    >>> level_or_one("epsilon=1/10"), level_or_one("epsilon=0"), level_or_one(1)
    (PrivacyLevel(epsilon='1/10'), TightestLevel('1', '1'), TightestLevel('1', '1'))
    """
    try:
        return as_level(level, neighbours)
    except ParameterRangeError as error:
        name, value = error.facts.get("name"), error.facts.get("value")
        number = isinstance(value, (Rational, ExponentialNumber, Epsilon))
        if number and ((name == "alpha" and value == 1) or (name == "epsilon" and value == 0)):
            return TightestLevel(1)
        raise


def chosen_level(alpha: LevelLike | None, epsilon: EpsilonLike | None) -> PrivacyLevel:
    """The level of a constructor's two arguments, of which exactly one must be given.

    >>> chosen_level(None, "1/10"), chosen_level("1/4", None)
    (PrivacyLevel(epsilon='1/10'), PrivacyLevel('1/4'))
    """
    if alpha is None and epsilon is None:
        raise InputError('the level is missing: give alpha="1/4", or epsilon="1/10" instead', alpha=alpha, epsilon=epsilon)
    if alpha is not None and epsilon is not None:
        message = f"alpha = {alpha} and epsilon = {epsilon} are both given; one determines the other"
        raise InputError(message, alpha=alpha, epsilon=epsilon)
    return PrivacyLevel(epsilon=epsilon) if alpha is None else as_level(alpha)


def base_level(base: LevelLike | None, epsilon: EpsilonLike | None, part: Rational, name: str = "base") -> PrivacyLevel:
    """The ratio of a noise law: given, or e^(−ε·part) for the ε that is bought; exactly one of them.

    >>> base_level(None, 1, Rational("1/2")), base_level("1/2", None, Rational(1))
    (PrivacyLevel(epsilon='1/2'), PrivacyLevel('1/2'))
    """
    if (base is None) == (epsilon is None):
        message = f"give {name}, the ratio of the noise, or epsilon, the ε that is bought; one of them"
        raise InputError(message, base=base, epsilon=epsilon)
    return PrivacyLevel(epsilon=Epsilon(epsilon).scaled(part)) if base is None else as_level(base)


def is_symbolic(text: str | None) -> bool:
    """Whether the text of a level asks for all levels at once.

    >>> is_symbolic("symbolic"), is_symbolic("1/4")
    (True, False)
    """
    return text is not None and text.strip().lower() in {"symbolic", "alpha", "a", "α"}


def _with_letters(text: str, letters: Letters) -> Any:
    """The level of a text with letters; a level without any as it would be without them."""
    level = next((name for name in letters.names if name in LEVEL), None)
    word, equals, value = (part.strip() for part in text.partition("="))
    if equals and word.lower() in {"alpha", "α"}:
        return _read(text) if re.search(_LOGARITHM, value) else _with_letters(value, letters)
    if is_symbolic(text) and level:
        return letters.read(level)
    return text if equals or _is_number(text) or _read(text) is not None else letters.read(text)


_LEVELS = "give α, such as '1/4', or ε, such as 'ε = 1/10' or 'ln 3'"
"""What a level may be."""


def _number_of(alpha: object) -> Any:
    """The number α; of a printed formula in t, of which nothing is said, an error that says what to add."""
    try:
        return scalar_of(alpha)
    except RationalSyntaxError as error:
        names = names_of(alpha) if isinstance(alpha, str) else []
        if not names:
            raise of_another_kind(error, _LEVELS) from None
        raise RationalSyntaxError(unknown_text(str(alpha).strip(), names[0]), **error.facts) from None
    except InputError as error:
        if isinstance(error, InexactInputError) and is_float(alpha):
            told = error.message.replace(", or use from_float", f", 'epsilon={alpha}' if it is ε, or use from_float")
            error = InexactInputError(told, **error.facts)
        raise of_another_kind(error, _LEVELS) from None


def _is_number(text: str) -> bool:
    try:
        QQ(text)
    except InputError:
        return False
    return True


_POWER = r"(?:e\^|exp)(?:\([-−](?P<bracketed>[0-9./]+)\)|(?<=\^)[-−](?P<bare>[0-9.]+))"

_ROOT = r"\((?P<of>[0-9]+/[0-9]+)\)\^\((?P<times>[0-9]+)/(?P<degree>[0-9]+)\)"

_LOGARITHM = r"(?<![^\W\d])(?:ln|log)\s*[(0-9]"


def _read(text: str) -> PrivacyLevel | None:
    """The level of a text such as ``epsilon=1/10`` or ``e^(−1/10)``; None if it is to be a number."""
    if is_symbolic(text):
        return PrivacyLevel.symbolic()
    said, meanings = without_meanings(text)
    both = both_in(said)
    if both is not None:
        return _made(_alpha_of(_epsilon(text)), both[0].is_epsilon)
    require_not_rounded(said)
    if meanings:
        return _of_formula(said, meanings)
    word, equals, value = (part.strip() for part in text.partition("="))
    if equals and word.lower() in NAMES:
        return PrivacyLevel(epsilon=value)
    if equals and word.lower() in {"alpha", "α"}:
        if re.search(_LOGARITHM, value) and "=" not in value:
            raise InputError(f"the level α = {value!r} is not a number; if it is an ε, write 'epsilon={value}'", value=text)
        return PrivacyLevel(value)
    power = re.fullmatch(_POWER, text.strip()) if text.lstrip().startswith("e") else None
    if power:
        return PrivacyLevel(epsilon=power["bracketed"] or power["bare"])
    root = re.fullmatch(_ROOT, text.strip())
    if root:
        return PrivacyLevel(TightestLevel(Rational(root["of"]), 1 / Rational(root["times"], root["degree"])))
    if re.search(_LOGARITHM, text):
        return PrivacyLevel(epsilon=text)
    return PrivacyLevel(number_of(text)) if is_formula(text) else None


def _of_formula(said: str, meanings: str) -> PrivacyLevel:
    """The level of a printed formula in t, α or ε, with what t is."""
    word, equals, value = (part.strip() for part in said.partition("="))
    if word.lower() in NAMES or re.search(_LOGARITHM, said):
        return PrivacyLevel(epsilon=f"{said}{meanings}")
    ratio, distance = alpha_in(value if equals else said, meanings)
    return PrivacyLevel(ratio if distance == ONE else TightestLevel(ratio, distance))


def _alpha_of(epsilon: Epsilon) -> Any:
    """e^(−ε) as an exact number."""
    exact = epsilon.rational
    alpha = epsilon.level if exact is None else Epsilon(exact).level  # which lies in a larger field than its ratio
    if alpha is None:
        alpha = radical_of(epsilon.ratio, epsilon.distance)
    if alpha is None:
        root = TightestLevel(epsilon.ratio, epsilon.distance)
        message = (
            f"ε = {epsilon} has the level {root}, an irrational root; give a rational ε, or one like ln(3), "
            "or in Python the level itself as a number of sympy"
        )
        raise InputError(message, value=epsilon)
    return alpha


def level_for(neighbours: NeighboursLike, epsilon: object) -> PrivacyLevel:
    """The level e^(−ε) in a field that has α^d for every distance d of a graph or metric.

    Parameters
    ----------
    neighbours : Graph, Metric or text
        All its distances are used.
    epsilon : rational, text or Epsilon
        ε > 0. For ``ln(3)`` the level is 1/3, and the field ℚ.

    Examples
    --------
    >>> from exactdp.model.metric import Metric
    >>> metric = Metric(["0", "1", "2"], [(0, 1, "1/2"), (1, 2, 1), (0, 2, "sqrt(2)")])
    >>> level_for(metric, "1/10").field
    ExponentialField('1/20', roots=(1, 2))
    """
    found = _epsilon(epsilon)
    value = found.rational
    if value is None:
        return PrivacyLevel(epsilon=found)
    squares = {distance.square for _, _, distance in as_neighbours(neighbours).pairs()}
    exponents = [(value * outside, inside) for outside, inside in map(root_parts, squares)]
    return PrivacyLevel(field_for_exponents([(value, 1), *exponents]).exponential(value))


def _epsilon(epsilon: object) -> Epsilon:
    """ε > 0."""
    value = Epsilon(epsilon)
    if value == 0:
        raise ParameterRangeError(f"ε = 0 is not positive: {_REASONS[1]}", name="epsilon", value=value, allowed="> 0")
    return value


def _rational_epsilon(epsilon: object) -> Rational:
    value = _epsilon(epsilon)
    if value.rational is None:
        raise InputError(f"ε = {value} is not rational; write PrivacyLevel(epsilon={str(value)!r})", value=epsilon)
    return value.rational


LevelLike: TypeAlias = "PrivacyLevel | TightestLevel | Epsilon | Scalar | numbers.Rational | Decimal | int | str"
"""What :class:`PrivacyLevel` and :func:`as_level` read, the one place where a level is understood."""

EpsilonLike: TypeAlias = "Epsilon | PrivacyLevel | TightestLevel | Rational | numbers.Rational | Decimal | int | str"
"""What :class:`Epsilon` reads."""
