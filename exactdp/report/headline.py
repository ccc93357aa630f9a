# SPDX-License-Identifier: MIT
"""The first line of an answer: what was found, the value with a decimal beside it, and what is assumed.

A headline never has more than :data:`LONGEST` characters. No number in it is cut: a long one becomes a
decimal with the number of its digits, a long formula its number of characters.

>>> from exactdp.exact import Rational
>>> headline("least loss", Rational("11/23")).text
'least loss 11/23 ≈ 0.478261'
>>> headline("least loss", Rational(1, 3**60)).text
'least loss ≈ 2.35898e-29 (exact: 30 digits)'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

from exactdp.errors import printable
from exactdp.exact import ExponentialNumber, Rational
from exactdp.exact.decimals import decimal_text, nearest_fixed, nearest_text
from exactdp.exact.identity import is_zero
from exactdp.exact.number_field import NumberFieldElement
from exactdp.exact.region_functions import place
from exactdp.model import PrivacyLevel, TightestLevel
from exactdp.model.tightest_level import is_radical
from exactdp.runtime.values import dataclass

LONGEST_LINE = 100
"""The first line of a report has at most so many characters, its word included."""

LONGEST = LONGEST_LINE - len("UNDECIDED  ")
"""What is left of it after the longest word."""

LONGEST_EXACT = 24
"""A longer fraction or formula over ε is told as a decimal with the number of its digits."""

LONGEST_LABEL = 24
"""A longer name of an input, an output or a file is shortened inside of a headline."""

SHORT = 12
"""A rational ε of so many characters needs no decimal."""

PLACES, MOST_PLACES = 6, 12
"""Digits after the point of numbers that are compared: so many, and more while two look alike."""


NO_EPSILON = "no finite ε"
"""What is said first of the level 0."""

INFINITE = "∞"
"""The decimal of its ε."""


@dataclass(frozen=True, slots=True)
class Headline:
    """The answer in one line.

    * ``what``: what was found, such as *least loss* or *tightest level*, or a short statement.
    * ``text``: the line without the verdict's word; at most :data:`LONGEST` characters.
    * ``value``: the exact number (a level, a formula, a count) that answers the question; None if there is
      none.
    * ``decimal``: a decimal near it; empty where it has none.
    * ``assumed``: what the answer is about and assumes: files, neighbours, level, consumer, letters, scope.
    * ``formula``: the formula of which the line has only the shape; empty where it has all.
    * ``alone``: lines, each with its first word, of what the facts say, told where these are not shown.
    """

    what: str
    text: str
    value: Any = None
    decimal: str = ""
    assumed: tuple[str, ...] = ()
    formula: str = ""
    alone: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """A number as a headline may show it, the most telling form first; the last one is short."""

    value: Any
    forms: tuple[str, ...]
    decimal: str = ""


def is_enclosed(x: object) -> bool:
    """Whether a number has decimals: it has no letters but those of an ε."""
    return isinstance(x, (int, Rational, ExponentialNumber, NumberFieldElement))


def has_epsilon(ratio: object) -> bool:
    """Whether the ratio of a level has an ε that is a number: it has no letters but those of a number."""
    return is_enclosed(ratio)


def _as_rational(x: Any) -> Any:
    """The number as a Rational; None if it is irrational."""
    if isinstance(x, int):
        return Rational(x)
    return x if isinstance(x, Rational) else x.rational


def decimal_of(x: Any, figures: int = 6) -> tuple[str, bool]:
    """The decimal nearest to a number that has one, and whether it is the number itself."""
    known = _as_rational(x)
    if known is not None:
        whole = len(str(abs(known.numerator) // known.denominator)) if _is_short(known, MOST_PLACES) else 0
        return decimal_text(known, max(whole, figures))
    return nearest_text(x.enclosure, figures), False


def number(x: Any) -> Shown:
    """An exact number: itself with its decimal, the decimal with the number of digits, the decimal alone.

    >>> from exactdp.exact import Rational
    >>> number(Rational("1/4")).forms
    ('1/4 = 0.25', '1/4', '0.25')
    """
    if not is_enclosed(x) and re.fullmatch(r"-?[0-9]+(/[0-9]+)?", str(x)):
        x = Rational(str(x))
    return _shown(x, decimal_of(x) if is_enclosed(x) else None)


def compared(*numbers: Any) -> tuple[Shown, ...]:
    """Numbers that are to be compared: each has a decimal, with equally many digits after the point.

    >>> from exactdp.exact import Rational
    >>> [x.forms[0] for x in compared(Rational("9/20"), Rational("168/415"))]
    ['9/20 = 0.450000', '168/415 ≈ 0.404819']
    >>> [x.forms[0] for x in compared(Rational("1/2"), Rational("3/4"), Rational(2))]
    ['1/2 = 0.50', '3/4 = 0.75', '2']
    >>> [x.forms[-1] for x in compared(Rational("3/4"), Rational(2))]
    ['0.75', '2.00']
    """
    decimals = places_of(numbers)
    if decimals is None:
        return tuple(map(number, numbers))
    shown = [_shown(x, found) for x, found in zip(numbers, decimals, strict=True)]
    if all(len(x.forms) == 1 for x in shown):
        return tuple(Shown(x.value, x.forms, x.forms[0]) for x in shown)
    return tuple(
        # a whole number has places, too, where the others are decimals
        Shown(x.value, (x.forms[0], x.forms[-1]), x.decimal) if len(x.forms) > 1 else Shown(x.value, (*x.forms, near), x.forms[0])
        for x, (near, _) in zip(shown, decimals, strict=True)
    )


def places_of(numbers: Sequence[Any]) -> tuple[tuple[str, bool], ...] | None:
    """Decimals with equally many places that tell different numbers apart; None where there are none."""
    if not all(is_enclosed(x) and _is_short(x, PLACES + MOST_PLACES) for x in numbers):
        return None
    for places in range(1, PLACES):
        found = tuple(_fixed(x, places) for x in numbers)
        if all(exact for _, exact in found):
            return found
    for places in range(PLACES, MOST_PLACES + 1):
        found = tuple(_fixed(x, places) for x in numbers)
        texts = {text for text, _ in found}
        visible = all(exact or _significant(text) >= 2 for text, exact in found)
        if visible and len(texts) == len(set(map(str, numbers))) and max(map(len, texts)) <= PLACES + MOST_PLACES:
            return found
    return None


def _is_short(x: Any, digits: int) -> bool:
    """Whether a number has at most so many digits before the point; Python writes out 4300 at most."""
    return bool(-(10**digits) < x < 10**digits)


def _significant(decimal: str) -> int:
    return len(decimal.replace("-", "").replace(".", "").lstrip("0"))


def _fixed(x: Any, places: int) -> tuple[str, bool]:
    """The decimal nearest to x with so many digits after the point, and whether it is x."""
    known = _as_rational(x)
    digits = places + 2
    low = high = known
    while True:
        if known is None:
            low, high = x.enclosure(digits)
        ends = {_nearest(low, places), _nearest(high, places)}
        if len(ends) == 1:
            scaled = ends.pop()
            break
        digits *= 2
    whole, part = divmod(abs(scaled), 10**places)
    exact = known is not None and known * 10**places == scaled
    return f"{'-' if scaled < 0 else ''}{whole}.{part:0{places}d}", exact


def _nearest(x: Rational, places: int) -> int:
    """The integer nearest to x·10^places."""
    return int((2 * x.numerator * 10**places + x.denominator) // (2 * x.denominator))


def _shown(x: Any, decimal: tuple[str, bool] | None) -> Shown:
    text = str(x)
    if decimal is None:  # a function of letters
        shape = shape_of(text) if re.search(r"[^\W\d]", text) else text  # the root of a number has none
        return Shown(x, (text, shape) if len(shape) < len(text) else (text,))
    near, exact = decimal
    sign = "=" if exact else "≈"
    if isinstance(x, int) or text == near or text.lstrip("-").isdigit():
        short = len(text) <= LONGEST_EXACT
        return Shown(x, (text,) if short else (f"{sign} {near} (exact: {size_of(text)})", f"{sign} {near}"), near)
    alone = near if exact else f"≈ {near}"
    if len(text) > LONGEST_EXACT:
        return Shown(x, (f"{sign} {near} (exact: {size_of(text)})", alone), near)
    if _as_rational(x) is None:  # a formula in e^(−ε), or a root, has no size to the eye: rather its decimal alone
        return Shown(x, (f"{text} {sign} {near}", alone), near)
    return Shown(x, (f"{text} {sign} {near}", text, alone), near)


def shape_of(text: str) -> str:
    """What a formula that is too long for a line is: a polynomial or a quotient, of which degrees, in what.

    Words between formulas, and functions of numbers, are no letters.

    >>> shape_of("a for n = 2*h; a*sqrt(2) else")
    'a formula in a, h, n of 29 characters'
    >>> shape_of("(2*a^3 + 2*a^2 + 2*a)/(-a^4 + 2*a^2 + 1)"), shape_of("p^2*q - 1"), shape_of("(p)^(1/2)")
    ('a quotient of degrees 3/4 in a', 'a polynomial of degree 3 in p, q', 'a formula in p of 9 characters')
    """
    names = ", ".join(sorted({*re.findall(r"[^\W\d]\w*\b(?!\()", text)} - _WORDS))
    quotient = re.fullmatch(r"(?P<above>\([^()]*\)|[^()/\s]*)/(?P<below>\([^()]*\)|[^()/\s*]*)", text)
    parts = (text,) if quotient is None else quotient.groups()
    degrees = [_degree(part[1:-1] if part.startswith("(") else part) for part in parts]
    if None in degrees:
        return f"a formula in {names} of {len(text)} characters"
    if quotient is None or degrees[1] == 0:
        return f"a polynomial of degree {degrees[0]} in {names}"
    return f"a quotient of degrees {degrees[0]}/{degrees[1]} in {names}"


_WORDS = frozenset({"for", "if", "else"})
"""Words beside a formula that say where it holds."""


def _degree(polynomial: str) -> int | None:
    """The total degree of a polynomial that is written out; None for another formula."""
    found = 0
    for term in re.split(r"\s*(?<!^)[+-]\s*", polynomial.removeprefix("-")):
        factors = term.split("*")
        if not all(re.fullmatch(r"[0-9/]+|[^\W\d]\w*(\^[0-9]+)?", factor) for factor in factors):
            return None
        powers = (factor.partition("^") for factor in factors if not factor[0].isdigit())
        found = max(found, sum(int(power or 1) for _, _, power in powers))
    return found


def size_of(text: str) -> str:
    """How long an exact number is that is not written out.

    >>> size_of("1" * 30), size_of("2*t^3/(1 + t)")
    ('30 digits', '13 characters')
    """
    bare = text.removeprefix("ln(").removesuffix(")")
    if re.fullmatch(r"[-−]?[0-9./]+", bare):
        return f"{sum(map(str.isdigit, text))} digits"
    return f"{len(text)} characters"


def level(found: PrivacyLevel | TightestLevel | Any, by_epsilon: bool | None = None, *beside: Any) -> Shown:
    """A level in the notation that was asked, ε where nothing was, with the other beside it.

    >>> level(TightestLevel("1/4")).forms[0], level(TightestLevel("1/4"), False).forms[0]
    ('ε = ln(4) ≈ 1.386294 (α = 1/4)', 'α = 1/4 (ε = ln(4) ≈ 1.386294)')
    >>> level(TightestLevel(0)).forms
    ('no finite ε (α = 0)',)
    """
    if not hasattr(found, "as_tightest"):
        if not has_epsilon(found):
            shown = number(found)
            return Shown(found, tuple(f"α = {form}" for form in shown.forms))
        found = TightestLevel(found)
    if isinstance(found, PrivacyLevel) and by_epsilon is None:
        by_epsilon = found.by_epsilon
    tightest = found.as_tightest()
    if is_zero(tightest.ratio):
        return Shown(found, (f"{NO_EPSILON} (α = 0)",), INFINITE)
    if not has_epsilon(tightest.ratio):
        shown = number(str(tightest))
        return Shown(found, tuple(f"α = {form}" for form in shown.forms))
    epsilon = tightest.epsilon
    plain = not epsilon.is_enclosed or (epsilon.rational is not None and len(str(epsilon)) <= SHORT)
    near = str(epsilon) if plain else epsilon.decimal(*beside)
    exact = near == str(epsilon)
    short = f"ε {'=' if exact else '≈'} {near}"
    if len(str(epsilon)) <= LONGEST_EXACT:
        long = f"ε = {epsilon.told(*beside)}" if epsilon.rational is None else f"ε = {epsilon}"
    else:
        long = f"{short} (exact: {size_of(str(epsilon))})"
    low, high = tightest.enclosure(PLACES + 4)
    alpha_near, alpha_exact = decimal_text((low + high) / 2, 6)
    alpha_short = f"α {'=' if alpha_exact and low == high else '≈'} {alpha_near}"
    alpha = f"α = {tightest}" if len(str(tightest)) <= LONGEST_EXACT else alpha_short
    if epsilon_first(tightest, by_epsilon):
        return Shown(found, (f"{long} ({alpha})", f"{short} ({alpha})", f"{short} ({alpha_short})", short), near)
    return Shown(found, (f"{alpha} ({long})", f"{alpha} ({short})", f"{alpha_short} ({short})", alpha_short), near)


def epsilon_first(found: PrivacyLevel | TightestLevel | Any, by_epsilon: bool | None = None) -> bool | None:
    """Whether ε is told first: as the level that was asked, or the mechanism, was given.

    Where nobody gave one, ε is first if it is a number; None of a level in letters, which has none.

    >>> [epsilon_first(TightestLevel(ratio)) for ratio in ("1/4", 0)]
    [True, False]
    """
    ratio = found.as_tightest().ratio if hasattr(found, "as_tightest") else found
    if not has_epsilon(ratio):
        return None
    return not is_zero(ratio) if by_epsilon is None else by_epsilon


def found_level(found: PrivacyLevel | TightestLevel | Any, by_epsilon: bool | None = None) -> Headline:
    """The headline of a level that was found, and about which nothing was asked.

    >>> found_level(TightestLevel("1/4")).text, found_level(TightestLevel("1/4"), False).text
    ('smallest ε = ln(4) ≈ 1.386294 (α = 1/4)', 'tightest level α = 1/4 (ε = ln(4) ≈ 1.386294)')
    >>> found_level(TightestLevel(0)).text
    'no finite ε (tightest level α = 0)'
    """
    shown = level(found, by_epsilon)
    speaks = epsilon_first(found, by_epsilon) and shown.decimal != INFINITE
    return named_level("smallest", shown, what="smallest ε") if speaks else named_level("tightest level", shown)


def named_level(name: str, found: Shown, *more: Any, what: str = "") -> Headline:
    """The headline of a level after its name; of the level 0 it begins with what that means.

    >>> named_level("tightest level", level(TightestLevel("1/4"), False)).text
    'tightest level α = 1/4 (ε = ln(4) ≈ 1.386294)'
    >>> named_level("smallest", smallest_epsilon(TightestLevel(0)), ", so not private at ε = 2").text
    'no finite ε (tightest level α = 0), so not private at ε = 2'
    """
    if found.decimal != INFINITE:
        return headline(name, found, *more, what=what)
    none = Shown(found.value, (f"{NO_EPSILON} (tightest level α = 0)", *found.forms), INFINITE)
    return headline(none, *more, what=what or name)


def compared_epsilons(*found: PrivacyLevel | TightestLevel, beside: Sequence[Any] = ()) -> tuple[Shown, ...]:
    """The same of levels that are to be compared: their decimals have equally many digits after the point.

    >>> [x.forms[1] for x in compared_epsilons(TightestLevel("1/3"), TightestLevel("5/6"))]
    ['≈ 1.0986123', '≈ 0.1823216']
    """
    shown = tuple(epsilon_of(one, *beside) for one in found)
    places = max((len(one.decimal.partition(".")[2]) for one in shown if len(one.forms) > 1), default=0)
    if places > MOST_PLACES or any("e" in one.decimal for one in shown):
        return shown
    return tuple(epsilon_of(one, *beside, places=places) for one in found)


def epsilon_of(found: PrivacyLevel | TightestLevel, *beside: Any, places: int | None = None) -> Shown:
    """The ε of a level alone, without its letter: exact with a decimal, or the decimal.

    >>> epsilon_of(TightestLevel("1/4")).forms
    ('ln(4) ≈ 1.386294', '≈ 1.386294')
    """
    epsilon = found.as_tightest().epsilon
    if not epsilon.is_enclosed or (epsilon.rational is not None and len(str(epsilon)) <= SHORT):
        return Shown(found, (str(epsilon),), str(epsilon))
    near = epsilon.decimal(*beside) if places is None else nearest_fixed(epsilon.enclosure, places)
    if len(str(epsilon)) > LONGEST_EXACT:
        return Shown(found, (f"≈ {near} (exact: {size_of(str(epsilon))})", f"≈ {near}"), near)
    return Shown(found, (f"{epsilon} ≈ {near}", f"≈ {near}"), near)


def smallest_epsilon(found: PrivacyLevel | TightestLevel, *beside: Any) -> Shown:
    """The same as an equation; of the level 0 that there is none.

    >>> smallest_epsilon(TightestLevel("1/4")).forms[0], smallest_epsilon(TightestLevel(0)).forms[0]
    ('ε = ln(4) ≈ 1.386294', 'no finite ε (α = 0)')
    """
    if is_zero(found.as_tightest().ratio):
        return level(found)
    return equation_of_epsilon(epsilon_of(found, *beside))


def equation_of_epsilon(shown: Shown) -> Shown:
    """The same ε with its letter before it.

    >>> equation_of_epsilon(epsilon_of(TightestLevel("1/4"))).forms
    ('ε = ln(4) ≈ 1.386294', 'ε ≈ 1.386294')
    """
    return Shown(shown.value, _equations("ε", shown.forms), shown.decimal)


def asked(wanted: PrivacyLevel | TightestLevel) -> Shown:
    """The level that was asked about, in its notation.

    >>> asked(PrivacyLevel("1/4")).forms[0], asked(PrivacyLevel(epsilon="ln(3)")).forms[0]
    ('α = 1/4', 'ε = ln(3) ≈ 1.098612')
    >>> asked(PrivacyLevel(epsilon="0.4999999999984")).forms
    ('ε = 0.4999999999984',)
    """
    tightest = wanted.as_tightest()
    if not has_epsilon(tightest.ratio):  # over letters, a number or not
        found = number(str(tightest))
        return Shown(wanted, _equations("α", found.forms[1:] if found.decimal else found.forms), found.decimal)
    if isinstance(wanted, PrivacyLevel) and not wanted.by_epsilon:
        found = number(str(tightest) if is_radical(wanted.alpha) else wanted.alpha)
        return Shown(wanted, _equations("α", found.forms[1:] or found.forms), found.decimal)
    exact = tightest.epsilon
    if exact.rational is not None and len(str(exact)) <= LONGEST_EXACT:  # as it was given: it is compared with others
        return Shown(wanted, (f"ε = {exact}",), str(exact))
    found = epsilon_of(wanted, *(wanted.landmarks if isinstance(wanted, PrivacyLevel) else ()))
    return Shown(wanted, _equations("ε", found.forms), found.decimal)


def _equations(letter: str, forms: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"{letter} {form}" if form[0] in "=≈" else f"{letter} = {form}" for form in forms)


def label(name: object) -> str:
    """A name inside of a headline; the middle of a long one is left out.

    >>> label("yes"), label("an answer that is very much too long")
    ('yes', 'an answer th…ch too long')
    """
    text = printable(str(name))
    return text if len(text) <= LONGEST_LABEL else f"{text[: LONGEST_LABEL // 2]}…{text[1 - LONGEST_LABEL // 2 :]}"


SHAPES = ("a quotient", "a polynomial", "a formula")
"""How the shape of a formula begins."""

FIRST = object()
"""The first number of a headline is its value."""


def headline(*parts: Any, what: str = "", value: Any = FIRST, assumed: Iterable[str] = ()) -> Headline:
    """The headline of words and numbers in their order.

    Numbers are shown in the most telling forms with which the line is short enough. The first number is the
    value unless one is given (None: it has none); ``what`` is the words before it unless given.

    >>> from exactdp.exact import Rational
    >>> headline("not optimal: loss", *compared(Rational("9/20")), "; gap", Rational(0), what="loss").what
    'loss'
    """
    shown = [part if isinstance(part, (str, Shown)) else number(part) for part in parts]
    words = next((part for part in shown if isinstance(part, str)), "")
    if value is FIRST:
        value = next((part for part in shown if isinstance(part, Shown)), None)
    held = Shown(None, ()) if value is None else value if isinstance(value, Shown) else number(value)
    text = _fitted(shown)
    written = (part.forms[0] for part in shown if isinstance(part, Shown) and not part.decimal and part.forms[-1].startswith(SHAPES))
    formula = next((form for form in written if form not in text), "")
    return Headline(what or words, text, held.value, held.decimal, tuple(assumed), formula)


def _fitted(parts: Sequence[str | Shown]) -> str:
    """The parts in one line; a clause after the first number is left out before that is cut."""
    clauses = [k for k, part in enumerate(parts) if k and isinstance(part, str) and part[:1] in {",", ";"}]
    for count in (len(parts), *reversed(clauses)):
        some = parts[:count]
        numbers = [k for k, part in enumerate(some) if isinstance(part, Shown)]
        if count < len(parts) and not numbers:
            break
        depths = [range(len(some[k].forms)) for k in numbers]  # type: ignore[union-attr]
        for choice in sorted(product(*depths), key=sum):
            chosen = dict(zip(numbers, choice, strict=True))
            text = _joined([part if isinstance(part, str) else part.forms[chosen[k]] for k, part in enumerate(some)])
            if len(text) <= LONGEST:
                return text
    text = _joined([part if isinstance(part, str) else part.forms[-1] for part in parts])
    return shortened(text, LONGEST)


def _joined(texts: Iterable[str]) -> str:
    """Words and numbers with a space between, but before a comma, a semicolon or a bracket that closes.

    A number that has a sign of its own takes the place of the one before it.

    >>> _joined(["det =", "≈ 0.25", ", not 1"])
    'det ≈ 0.25, not 1'
    """
    line = ""
    for text in filter(None, texts):
        line = line.removesuffix(" =") if text[:2] in {"≈ ", "= "} else line
        line += text if not line or text[:1] in ",;:)" or line.endswith("(") else f" {text}"
    return line


def shortened(text: str, most: int) -> str:
    """The beginning of a text, cut between two words that are no numbers.

    >>> shortened("the value is 1 / 3 here", 20), shortened("short", 20)
    ('the value…', 'short')
    """
    if len(text) <= most:
        return text
    words = text.split(" ")
    kept = 0
    length = -1
    for k, word in enumerate(words):
        length += len(word) + 1
        if length + 1 > most:
            break
        follows = words[k + 1] if k + 1 < len(words) else ""
        if not any(map(str.isdigit, word + follows)) and word not in _SIGNS and follows not in _SIGNS:
            kept = k + 1
    return f"{' '.join(words[:kept]).rstrip(',;:')}…"


_SIGNS = set("/+-−*·^=≈<>≤≥")
"""Words between which a formula would be cut."""


def claimed_of(verdict: Any) -> str:
    """What was claimed of a value, as a headline says it; empty where nothing was."""
    told = next((text for text in verdict.assumed if text.startswith(CLAIMED)), "")
    return told.removeprefix(CLAIMED)


def at_of(verdict: Any) -> str:
    """The point of the letters at which the evidence is; empty where it is at all of them."""
    told = next((text for text in verdict.assumed if text.startswith("at ")), "")
    return told if len(told) <= LONGEST_PLACE else "at a point of the letters"


LONGEST_PLACE = 36
"""A longer point of letters is written out beside a headline."""


def point_of(point: Any) -> str:
    """A point of the letters, as a headline says it: its coordinates, or that it is one."""
    told = place(point)
    return told if len(told) <= LONGEST_PLACE else "a point of the letters"


AS_CLAIMED = ", as claimed"
"""What follows a value that somebody claimed, and that is it."""

CLAIMED = "claimed value "
"""What begins the text of ``Verdict.assumed`` that has a value somebody claimed."""
