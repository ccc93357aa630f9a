# SPDX-License-Identifier: MIT
"""Levels as they are printed, read back: formulas in e^(−ε) or in t, and texts that say both α and ε.

Which number t is stands beside a printed formula, as in ``3*t/2, t = e^(−1/2)``.
"""

from __future__ import annotations

import re
from typing import Any

from exactdp.errors import InputError
from exactdp.exact import ExponentialNumber, Rational
from exactdp.exact.exponential import reader_of_exponentials
from exactdp.exact.formula import exponential_text
from exactdp.exact.powers import rational_times_exponential
from exactdp.model.metric import ONE, Distance
from exactdp.runtime.values import dataclass

_NAME = r"(?<![\w.])t[0-9]*(?![\w.])"
"""What an exponential is called where it is printed: t, or t2 for the one with √2."""

_EXPONENTIAL = r"(?:e\^|exp)\(\s*[-−](?P<rate>[0-9./]+)(?:\s*[·*]\s*(?:√|sqrt\()(?P<root>[0-9]+)\)?)?\s*\)"
_MEANING = rf"\s*[,;·]\s*(?P<name>t[0-9]*)\s*=\s*{_EXPONENTIAL}"
_MEANINGS = re.compile(rf"(?:{re.sub(r'[?]P<[a-z]+>', '?:', _MEANING)})+\s*\Z")

_SPEAKS = r"\s*(?:α|alpha|ε|eps|epsilon)\s*[=≈]"
_BOTH = re.compile(rf"\s*(?P<first>\S.*?)\s*\((?P<second>{_SPEAKS}.+)\)\s*")
_PART = re.compile(r"\s*(?:(?P<name>α|alpha|ε|epsilon|eps)\s*)?(?P<sign>[=≈]?)\s*(?P<value>\S.*?)\s*")
_POWER = re.compile(r"\((?P<of>.+)\)\^\((?P<above>[0-9]+)/(?:(?P<below>[0-9]+)|sqrt\((?P<square>[0-9]+)\))\)")
_ROUNDED = re.compile(r"\s*(?:α|alpha|ε|eps|epsilon)?\s*≈\s*[-+.0-9eE]+\s*(?:\(exact:[^()]*\))?\s*")
_OF_FORMULA = re.compile(r"(?:(?P<times>[0-9]+)·)?[-−](?:ln|log)\((?P<of>.+)\)(?:/(?:(?P<over>[0-9]+)|sqrt\((?P<square>[0-9]+)\)))?")


def without_meanings(text: str) -> tuple[str, str]:
    """A text without what its letters t are, and that, as it stood.

    >>> without_meanings("3*t/2, t = e^(−1/2)"), without_meanings("1/4")
    (('3*t/2', ', t = e^(−1/2)'), ('1/4', ''))
    """
    found = _MEANINGS.search(text)
    return (text, "") if found is None else (text[: found.start()], found[0])


def is_formula(text: str) -> bool:
    """Whether a text without letters has an exponential, and is more than a number.

    >>> is_formula("3*e^(−1/2)/2"), is_formula("1/4"), is_formula("p*exp(-1)")
    (True, False, False)
    """
    words = set(re.findall(r"[^\W\d_]+", text))
    return bool(words & {"e", "exp"}) and words <= {"e", "exp", "sqrt"}


def is_power(text: str) -> bool:
    """Whether a text is a level such as ``(1/3)^(1/2)``.

    >>> is_power("(1/3)^(1/2)"), is_power("1/3")
    (True, False)
    """
    return _POWER.fullmatch(text.strip()) is not None


def names_of(text: str) -> list[str]:
    """The letters t of a text that is made of numbers and these letters; none for any other text.

    >>> names_of("3*t/2"), names_of("t/(1 + p)")
    (['t'], [])
    """
    found = re.findall(_NAME, text)
    return [] if re.search(r"[^\W\d_]", re.sub(_NAME, "", text)) else list(dict.fromkeys(found))


def number_of(text: str, meanings: str = "") -> Any:
    """The number of a formula, whose letters t are what ``meanings`` says.

    >>> number_of("3*t/2", ", t = e^(−1/2)"), number_of("1 - e^(−1)")
    (ExponentialNumber('3*t/2', t = e^(−1/2)), ExponentialNumber('-t + 1', t = e^(−1)))
    """
    known = {meaning["name"]: _typed(meaning) for meaning in re.finditer(_MEANING, meanings)}
    text = re.sub(_NAME, lambda name: known.get(name[0], name[0]), text)
    plain = re.sub(_EXPONENTIAL, _typed, text).replace("−", "-").replace("·", "*")
    unknown = names_of(plain.replace("exp", "").replace("sqrt", ""))
    if unknown:
        raise InputError(unknown_text(text.strip(), unknown[0]), value=text)
    return reader_of_exponentials([plain])(plain)


def unknown_text(text: str, name: str) -> str:
    """What to write where a printed letter is not said to be a number.

    >>> print(unknown_text("3*t/2", "t"))
    '3*t/2' has the letter t, a power of e: say which one, as in '3*t/2, t = e^(−1/2)', or give its ε
    """
    said = text[:60]
    return f"{said!r} has the letter {name}, a power of e: say which one, as in '{said}, {name} = e^(−1/2)', or give its ε"


def require_not_rounded(text: str) -> None:
    """InputError for a text that is only the decimal near a level.

    >>> require_not_rounded("ε = ln(4) ≈ 1.386294")
    >>> require_not_rounded("ε ≈ 1.386294")
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: 'ε ≈ 1.386294' has only rounded numbers, and levels are exact: give ...
    """
    if _ROUNDED.fullmatch(text):
        raise rounded(text)


def rounded(text: str) -> InputError:
    """What a level of which only decimals are said is refused with."""
    remedy = "give a fraction, an ε such as ln(3), or the decimal without '≈' if it is meant as it stands"
    return InputError(f"{text[:80].strip()!r} has only rounded numbers, and levels are exact: {remedy}", value=text)


def _typed(exponential: re.Match[str]) -> str:
    """``exp(-1/2*sqrt(2))`` for what is printed ``e^(−1/2·√2)``."""
    return exponential_text(-Rational(exponential["rate"]), int(exponential["root"] or 1))


def alpha_in(text: str, meanings: str = "") -> tuple[Any, Distance]:
    """The ratio and the distance of a level α: a number, a formula, or a power of one.

    >>> alpha_in("1/4"), alpha_in("(1/3)^(1/2)")
    ((Rational('1/4'), Distance.parse('1')), (Rational('1/3'), Distance.parse('2')))
    """
    power = _POWER.fullmatch(text.strip())
    if power is None:
        return number_of(text, meanings) if is_formula(text) or names_of(text) else Rational(text), ONE
    of, _ = alpha_in(power["of"], meanings)
    square = Rational(power["square"]) if power["square"] else Rational(power["below"]) ** 2
    return of, Distance(square / Rational(power["above"]) ** 2)


def formula_in(text: str, meanings: str) -> tuple[Any, Distance] | None:
    """The ratio and the distance of ``−ln(t/(t + 1))``, an ε; None for what is written otherwise.

    >>> formula_in("−ln(t/(t + 1))/2", ", t = e^(−1)")
    (ExponentialNumber('t/(t + 1)', t = e^(−1)), Distance.parse('2'))
    """
    found = _OF_FORMULA.fullmatch(text.strip())
    if found is None or not (is_formula(found["of"]) or names_of(found["of"])):
        return None
    square = Rational(found["square"]) if found["square"] else Rational(found["over"] or 1) ** 2
    return number_of(found["of"], meanings), Distance(square / Rational(found["times"] or 1) ** 2)


@dataclass(frozen=True, slots=True)
class Part:
    """One of α and ε in a text that says both: an exact value, a decimal near it, or both.

    * ``is_epsilon``: which of the two it is.
    * ``exact``: the text of its exact value; empty where only a decimal is said.
    * ``decimal``: the decimal that is said of it; empty where none is.
    """

    is_epsilon: bool
    exact: str
    decimal: str


def both_in(text: str) -> tuple[Part, Part] | None:
    """The two parts of a text such as ``α = 1/4 (ε ≈ 1.386294)``, in their order; None for any other text.

    >>> for part in both_in("ε = ln(4) ≈ 1.386294 (α = 1/4)"):
    ...     print(part)
    Part(is_epsilon=True, exact='ln(4)', decimal='1.386294')
    Part(is_epsilon=False, exact='1/4', decimal='')
    """
    found = _BOTH.fullmatch(text)
    if found is None:
        return None
    second = _part(found["second"], is_epsilon=False)
    first = _part(found["first"], is_epsilon=not second.is_epsilon)
    if first.is_epsilon == second.is_epsilon:
        return None
    return first, second


def _part(text: str, *, is_epsilon: bool) -> Part:
    """One of the two; without a name it is what the other one is not."""
    found = _PART.fullmatch(text)
    assert found is not None
    speaks = is_epsilon if found["name"] is None else found["name"] in {"ε", "eps", "epsilon"}
    value = found["value"]
    if found["sign"] != "≈":
        exact, _, decimal = value.partition("≈")
        return Part(speaks, exact.strip(), decimal.strip())
    decimal, _, rest = value.partition(" ")
    exact = rest.strip().removeprefix("(").removesuffix(")")
    return Part(speaks, "" if exact.startswith("exact:") else exact, decimal)


def inferred(text: str, level: Any) -> Any:
    """What a printed formula in t is if it is to be this level: t is the root of e^(−ε) that fits.

    None if no such t is known.

    >>> from exactdp.exact import ExponentialField
    >>> inferred("3*t/2", 3 * ExponentialField("1/2").gen / 2)
    ExponentialNumber('3*t/2', t = e^(−1/2))
    """
    found = rational_times_exponential(level) if isinstance(level, ExponentialNumber) else None
    if found is None or names_of(text) != ["t"] or set(found[1]) != {1}:
        return None
    power = re.search(r"t\^([0-9]+)", text)
    rate = found[1][1] / int(power[1] if power else 1)
    return number_of(text, f", t = e^(−{rate})") if rate > 0 else None
