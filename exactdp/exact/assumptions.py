# SPDX-License-Identifier: MIT
"""Assumptions about letters, as they are typed: ``0 < p < 1/2, q in [0, 1), p + q <= 1``.

What stands between commas, semicolons, line breaks or the word ``and`` is one assumption: a chain of
inequalities, or letters with the interval that they are in. This module finds the letters and tells the two
kinds apart; what the inequalities say is read by :class:`~exactdp.exact.region.Region`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NoReturn

from exactdp.errors import InputError
from exactdp.exact.formula import shortened
from exactdp.exact.rational import digits_meant

LETTER = r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*"
MOST_CHARACTERS = 16
"""The longest name of a letter."""

WORDS = {
    "e": "the base of e^(−ε)",
    "pi": "the number π",
    "exp": "a function",
    "sqrt": "a function",
    "ln": "a function",
    "log": "a function",
    "oo": "the end of an unbounded interval",
    "inf": "the end of an unbounded interval",
    "infinity": "the end of an unbounded interval",
    "nan": "no number",
    "in": "the word between a letter and its interval",
    "and": "the word between assumptions",
    "symbolic": "the word for all levels at once",
    "epsilon": "ε = −ln(α), of which α = a is the level",
}
"""What no letter may be called, with what it means."""

RELATION = r"<=|>=|≤|≥|<|>"
_NAME = r"(?<![A-Za-z0-9_.])[A-Za-zα][A-Za-z0-9_α]*(?! *\()"
MEMBER = r"(?s:(?P<name>.*?)(?:\s+in\b|\s*∈)\s*(?P<interval>.*))"
_EQUAL = r"(?P<name>[A-Za-z][A-Za-z0-9_]*) ?={1,2} ?(?P<number>[-−]?[0-9][0-9./]*)"
_MARK = r"[()\[\],;\r\n]|\band\b|∧|&+"
_NUMBER = r"[-−]?\s*[0-9./]+"


def require_letter(name: object) -> str:
    """The name of a letter; InputError if it is none, or a word with another meaning.

    >>> require_letter("p_1")
    'p_1'
    >>> require_letter("e")
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: 'e' can't be a letter, it is the base of e^(−ε); call it otherwise, such as ...
    """
    if not isinstance(name, str) or not re.fullmatch(LETTER, name) or len(name) > MOST_CHARACTERS:
        shown = repr(name) if not isinstance(name, str) or len(name) < 40 else repr(name[:40] + "…")
        raise InputError(f"{shown} is no letter; give a short name such as p, q1, p_1 or alpha", value=name)
    if name in WORDS:
        message = f"{name!r} can't be a letter, it is {WORDS[name]}; call it otherwise, such as p or {name}_1"
        raise InputError(message, value=name)
    return name


def read_assumptions(text: str) -> tuple[dict[str, str], list[str]]:
    """The letters of a text with the interval of each, and the inequalities between them.

    Parameters
    ----------
    text : str
        Assumptions, as in ``0 < p < 1/2, p + q <= 1`` or ``p, q in (0, 1/2)``.

    Returns
    -------
    letters : dict of str to str
        In the order in which the text names them; all numbers, ``(-oo, oo)``, where it is inequalities that
        speak of a letter; a number for ``n = 3``.
    where : list of str
        The inequalities.

    Raises
    ------
    InputError
        Something is neither, a letter stands alone, or two readings are possible.

    Examples
    --------
    >>> read_assumptions("0 < p < 1/2, q in [0, 1), p + q <= 1")
    ({'p': '(-oo, oo)', 'q': '[0, 1)'}, ['0 < p < 1/2', 'p + q <= 1'])
    >>> read_assumptions("0 < p, q < 1")
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: '0 < p, q < 1' can be read in two ways; write 0 < p < 1, 0 < q < 1, or both ...
    """
    if isinstance(text, str) and "ε" in text:
        message = "ε = −ln(α) can't be a letter here; give assumptions about the level instead, such as 0 < a < 1"
        raise InputError(message, text=text)
    intervals, where, waiting = dict[str, str](), list[str](), list[str]()
    names = dict[str, None]()
    for part in _parts(text):
        member = re.fullmatch(MEMBER, part)
        if member is not None and re.search(RELATION, part) is None:
            if not member["interval"].strip():
                _refuse(f"the interval is missing in {shortened(part)!r}")
            for name in [*waiting, member["name"].strip()]:
                known = require_letter(name)
                if known in intervals:
                    where.append(f"{known} in {member['interval']}")
                    continue
                names[known] = None
                intervals[known] = member["interval"].strip()
            waiting = []
        elif (equal := re.fullmatch(_EQUAL, part)) is not None and not waiting:
            name = require_letter(equal["name"])
            if name in intervals:
                _refuse(f"{name} is said twice to be something, at last in {shortened(part)!r}")
            names[name] = None
            intervals[name] = equal["number"]
        elif re.fullmatch(LETTER, part):
            waiting.append(require_letter(part))
        elif re.search(RELATION, part) is None:
            _refuse(f"{shortened(part)!r} is no assumption")
        else:
            if waiting:
                break
            if where and _open_chain(where[-1], part):
                low, high = re.split(RELATION, where[-1]), re.split(RELATION, part)
                sign, other = re.findall(RELATION, where[-1])[0], re.findall(RELATION, part)[0]
                both = ", ".join(f"{low[0].strip()} {sign} {x.strip()} {other} {high[1].strip()}" for x in (low[1], high[0]))
                message = f"'{where[-1]}, {part}' can be read in two ways; write {both}, or both with 'and' between them"
                raise InputError(message, text=text)
            where.append(part)
            for name in re.findall(_NAME, part):
                names[require_letter(name) if name != "α" else "alpha"] = None
    if waiting:
        _refuse(f"nothing is assumed about {waiting[0]}")
    if not names:
        _refuse(f"{shortened(text)!r} has no assumption")
    return {name: intervals.get(name, "(-oo, oo)") for name in names}, where


def _refuse(fault: str) -> NoReturn:
    raise InputError(f"{fault}; write inequalities or intervals, such as 0 < p < 1/2, q in [0, 1), p + q <= 1")


def _open_chain(first: str, second: str) -> bool:
    """Whether ``0 < p`` is followed by ``q < 1``, as in ``0 < p, q < 1``, which may be meant of both."""
    signs = [re.findall(RELATION, part) for part in (first, second)]
    if any(len(found) != 1 for found in signs) or (signs[0][0][0] in "<≤") != (signs[1][0][0] in "<≤"):
        return False
    (low, p), (q, high) = ([side.strip() for side in re.split(RELATION, part)] for part in (first, second))
    return bool(
        re.fullmatch(_NUMBER, low) and re.fullmatch(_NUMBER, high) and re.fullmatch(LETTER, p) and re.fullmatch(LETTER, q) and p != q
    )


def _parts(text: str) -> list[str]:
    """What stands between commas, semicolons, line breaks and ``and`` outside brackets."""
    if not isinstance(text, str):
        raise InputError("the assumptions about the letters must be text, such as 0 < p < 1/2", value=text)
    parts, depth, start = list[str](), 0, 0
    for mark in re.finditer(_MARK, text):
        if mark[0] in "([":
            depth += 1
        elif mark[0] in ")]":
            depth -= 1
            if depth < 0:
                _refuse(f"{shortened(text)!r} has a closing bracket without an opening one")
        elif depth == 0:
            parts.append(text[start : mark.start()])
            start = mark.end()
    if depth:
        _refuse(f"{shortened(text)!r} has a bracket that is not closed")
    return [" ".join(part.split()) for part in (*parts, text[start:]) if part.strip()]


_IN_EXPONENT = r"(?:\^|\*\*)\s*(?:\([^()]*)?$"


def unknown_letter(text: str, name: str, known: Iterable[str] = ()) -> InputError:
    """The error for a letter about which nothing is assumed."""
    if name in WORDS:
        message = f"{shortened(text)!r} has {name}, which is no letter but {WORDS[name]}; numbers are rational here"
        return InputError(message, text=text)
    if len(text) <= 1_000 and any(re.search(_IN_EXPONENT, text[: found.start()]) for found in re.finditer(rf"\b{re.escape(name)}\b", text)):
        return InputError(
            f"{shortened(text)!r} has {shortened(name)} in an exponent, which must be a number; give it, as in "
            f"letters={{{shortened(name)!r}: 3}} (--letters '{shortened(name)} = 3')",
            text=text,
            letter=name,
        )
    meant = digits_meant(text)
    if meant is not None:
        return InputError(f"{shortened(text)!r} is no number: {meant}", text=text, letter=name)
    others = ", ".join(known)
    beside = f" (the letters are {others})" if others else ""
    return InputError(
        f"{shortened(text)!r} has the letter {shortened(name)}, about which nothing is assumed{beside}; say what it may be, as in "
        f"letters={{{shortened(name)!r}: '(0, 1)'}} (--letters '0 < {shortened(name)} < 1')",
        text=text,
        letter=name,
    )
