# SPDX-License-Identifier: MIT
"""Sentences as HTML in which formulas are typeset: headlines, conditions and lists of cells.

A formula is found by its letters, which are those of the numbers told beside the sentence. So a label such as
``a*b`` stays as it is, unless a and b are such letters. One that is the value of such a number is written as
the number is, in factors. The text between the tags is the formula on one line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from html import escape
from typing import Any

from exactdp.errors import printable
from exactdp.exact import ExactMatrix, ExponentialNumber, RationalFunction, Region, RegionFunction
from exactdp.model import Mechanism, Remap, Table
from exactdp.report.items import Fact, Grid, Item, Listing, Section
from exactdp.report.mathml import LONGEST, formula_mathml, number_mathml

_WORD = re.compile(r"[A-Za-z]\w*")
_INTEGER = re.compile(r"[0-9]+")
_SUM = re.compile(r" ?[+-] ?")
_POWER_OF_E = re.compile(r"\be\^\(((?:[^()]|\([^()]*\))*)\)")
_POWER_OF_TWO = re.compile(r"\b2\^-([0-9]+)\b")
_COMPARED = {" &gt;= ": " ≥ ", " &lt;= ": " ≤ "}


@dataclass(frozen=True, slots=True)
class Formulas:
    """What is known of the formulas in a sentence.

    Attributes
    ----------
    letters : frozenset of str
        Of the numbers that are told beside it.
    typeset : dict
        These numbers, in MathML, by their text.
    level : bool
        Whether the letter a is the level, which is written α.
    """

    letters: frozenset[str] = frozenset()
    typeset: dict[str, str] = field(default_factory=dict)
    level: bool = False

    def words(self, text: str) -> str:
        """A sentence as HTML.

        >>> import re
        >>> shown = Formulas(frozenset("p")).words("half the price is 1/(2*p^2), not q*p, below e^(−1/2)")
        >>> shown.count("<math"), shown.count("<mfrac>"), shown.count("<sup>")
        (1, 1, 1)
        >>> re.sub("<[^>]*>", "", shown)
        'half the price is 1/(2*p^2), not q*p, below e^(−1/2)'
        """
        return "".join(self._parts(printable(text)))

    def _parts(self, text: str) -> Iterator[str]:
        done = place = 0
        while place < len(text):
            end = self._formula_at(text, place)
            if end is None:
                place += 1
                continue
            yield self._plain(text[done:place])
            yield self._typeset(text[place:end])
            done = place = end
        yield self._plain(text[done:])

    def _plain(self, text: str) -> str:
        shown = escape(text)
        if self.level:
            shown = re.sub(r"\ba(?= in(?: [(\[{]|$))", "α", shown)
        for sign, written in _COMPARED.items():
            shown = shown.replace(sign, written)
        shown = _POWER_OF_TWO.sub(rf"2<sup>{_unseen('^')}-\1</sup>", shown)
        return _POWER_OF_E.sub(rf"e<sup>{_unseen('^(')}\1{_unseen(')')}</sup>", shown)

    def _typeset(self, formula: str) -> str:
        known = self.typeset.get(formula)
        if known is not None:
            return known
        shown = formula_mathml(formula)
        return shown if self.level else shown.replace("<mi>α</mi>", "<mi>a</mi>")

    def _formula_at(self, text: str, start: int) -> int | None:
        """Where a formula that begins here ends; None if none does that is worth typesetting."""
        before, first = text[start - 1 : start], text[start]
        begins = first.isalnum() or first in "(-"
        within_a_word = before.isalnum() or before in set("_[.:-^'\"/*")
        if not begins or within_a_word:
            return None
        end = self._sum(text, start)
        if end is None or end - start > LONGEST:
            return None
        formula, after = text[start:end], text[end : end + 1]
        goes_on = after.isalnum() or after in set("_([^'\"/*") or (after == "." and text[end + 1 : end + 2].isalnum())
        if goes_on:
            return None
        is_formula = _WORD.search(formula) is not None and re.search(r"[*/^]| [+-] ", formula) is not None
        return end if is_formula else None

    def _sum(self, text: str, start: int) -> int | None:
        end = self._product(text, start + text.startswith("-", start))
        while end is not None:
            sign = _SUM.match(text, end)
            more = None if sign is None else self._product(text, sign.end())
            if more is None:
                return end
            end = more
        return None

    def _product(self, text: str, start: int) -> int | None:
        end = self._power(text, start)
        while end is not None and text[end : end + 1] in {"*", "/"}:
            more = self._power(text, end + 1)
            if more is None:
                return end
            end = more
        return end

    def _power(self, text: str, start: int) -> int | None:
        end = self._atom(text, start)
        if end is None or text[end : end + 1] != "^":
            return end
        exponent = self._atom(text, end + 1)
        return end if exponent is None else exponent

    def _atom(self, text: str, start: int) -> int | None:
        if text[start : start + 1] == "(":
            end = self._sum(text, start + 1)
            return end + 1 if end is not None and text[end : end + 1] == ")" else None
        number = _INTEGER.match(text, start)
        if number is not None:
            return number.end()
        letter = _WORD.match(text, start)
        return letter.end() if letter is not None and letter[0] in self.letters else None


def _unseen(signs: str) -> str:
    """What a copy of the text has, and the eye does not need."""
    return f'<span style="font-size:0">{signs}</span>'


def formulas_among(items: Iterable[Item], evidence: object = None) -> Formulas:
    """The letters of the numbers in some items and in the evidence that they tell, and their formulas.

    >>> from exactdp.exact import RationalFunctionField
    >>> a = RationalFunctionField().gen
    >>> found = formulas_among([Fact("loss", 1 / (1 + a))])
    >>> sorted(found.letters), sorted(found.typeset), found.level
    (['a'], ['1/(a + 1)'], True)
    """
    letters: set[str] = set()
    typeset: dict[str, str] = {}
    level = False
    kept = [getattr(evidence, one.name) for one in fields(evidence)] if is_dataclass(evidence) else []
    point = getattr(evidence, "point", None)
    letters |= set(point) if isinstance(point, Mapping) else set()
    numbers = [*_numbers(items), *filter(_has_letters, kept)]
    for one in kept:
        if isinstance(one, Region):
            letters |= set(one.names)
        if isinstance(one, (Mechanism, Table, Remap)):  # a loss may have millions of numbers that nobody made
            numbers += _first_with_letters(one.matrix)
        elif isinstance(one, ExactMatrix):
            numbers += _first_with_letters(one)
    for number in numbers:
        letters |= set(number.field.names)
        level |= isinstance(number, RationalFunction)
        shown = number_mathml(number)
        if shown is not None:
            typeset[str(number)] = shown
    return Formulas(frozenset(letters), typeset, level)


def _numbers(items: Iterable[Item]) -> Iterator[Any]:
    """The numbers with letters among facts and cells, and one of each table."""
    for item in items:
        match item:
            case Section():
                yield from _numbers(item.items)
            case Fact():
                yield from filter(_has_letters, [item.value])
            case Listing():
                yield from (cell for row in item.cells for cell in row if _has_letters(cell))
            case Grid():
                yield from _first_with_letters(item.matrix)


def _has_letters(x: Any) -> bool:
    return isinstance(x, (RationalFunction, RegionFunction, ExponentialNumber))


def _first_with_letters(matrix: ExactMatrix) -> Iterator[Any]:
    found = next((x for row in matrix.rows() for x in row if _has_letters(x)), None)
    if found is not None:
        yield found
