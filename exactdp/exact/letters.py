# SPDX-License-Identifier: MIT
"""The letters of a derivation: those that stand for every point of a region, and those that are numbers.

Whoever makes objects from text takes ``letters=``: a mapping, a text, or a
:class:`~exactdp.exact.region.Region`. All of them read the text with :class:`Letters`.
"""

from __future__ import annotations

import dataclasses
import numbers
import re
from collections.abc import Iterable, Mapping
from typing import Any

from exactdp.errors import InputError, brief_value
from exactdp.exact.assumptions import RELATION, read_assumptions, require_letter, unknown_letter
from exactdp.exact.coerce import entries_of, is_mapping
from exactdp.exact.field import OrderedField
from exactdp.exact.formula import evaluate, names_in, parse_expression
from exactdp.exact.inexact import is_decimal
from exactdp.exact.intervals import Interval
from exactdp.exact.rational import QQ, Rational
from exactdp.exact.region import Region
from exactdp.exact.region_functions import RegionField, part_of_both
from exactdp.exact.sympy_operators import is_expression, number_from_sympy, with_numbers
from exactdp.runtime.values import dataclass


@dataclass(frozen=True, slots=True)
class Letters:
    """What the letters of some text stand for.

    * ``region``: of the letters that are no numbers; None if there are none.
    * ``numbers``: the others.
    * ``field``: that the text is read into.

    >>> letters = letters_of({"p": "(0, 1/2)", "n": 3})
    >>> letters.read("(1-p)^(n-1)"), letters.read("1/3")
    (RegionFunction('p^2 - 2*p + 1'), RegionFunction('1/3'))
    >>> letters.read("1-q")
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: '1-q' has the letter q, about which nothing is assumed (the letters are ...
    """

    region: Region | None
    numbers: dict[str, Rational] = dataclasses.field(default_factory=dict)
    field: OrderedField = dataclasses.field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "field", QQ if self.region is None else RegionField(self.region))  # one, which knows each sign once

    @property
    def names(self) -> tuple[str, ...]:
        """All letters."""
        return (*(self.region.names if self.region else ()), *self.numbers)

    def read(self, value: object) -> Any:
        """The number of a text, of an expression of sympy, or of anything else that is one."""
        if is_expression(value):
            return self._of_expression(value)
        if not isinstance(value, str):
            return self.field(value)
        if isinstance(self.field, RegionField):
            return self.field.read(value, self.numbers)
        unknown = [name for name in names_in(value) if name not in self.numbers]
        if unknown:
            raise unknown_letter(value, unknown[0], self.names)
        return evaluate(parse_expression(value.replace("−", "-"), (), self.numbers), {})

    def _of_expression(self, expression: Any) -> Any:
        unknown = [name for name in sorted(symbol.name for symbol in expression.free_symbols) if name not in self.names]
        if unknown:
            raise unknown_letter(str(expression), unknown[0], self.names)
        return number_from_sympy(with_numbers(expression, self.numbers), None if self.region is None else self.field)

    def joined(self, other: Letters | None) -> Letters:
        """These letters and others, where what is assumed for either holds.

        >>> print(letters_of("0 < p < 1").joined(letters_of("c > p, n = 3")))
        0 < p < 1, c > p, n = 3
        """
        if other is None or other == self:
            return self
        for name, number in other.numbers.items():
            if name in self.names and self.numbers.get(name) != number:
                said = f"the number {self.numbers[name]}" if name in self.numbers else f"a letter, {self.region}"
                raise InputError(f"{name} is said to be {said}, and also {number}; give it one meaning", letter=name)
        for name in self.numbers:
            if other.region is not None and name in other.region.names:
                message = f"{name} is said to be {self.numbers[name]}, and also a letter, {other.region}"
                raise InputError(message, letter=name)
        region = self.region or other.region
        if self.region is not None and other.region is not None:
            region = part_of_both(self.region, other.region)
        return Letters(region, self.numbers | other.numbers)

    def __str__(self) -> str:
        numbers = [f"{name} = {x}" for name, x in self.numbers.items()]
        return ", ".join([*([str(self.region)] if self.region else []), *numbers])


LettersLike = Letters | Region | RegionField | Mapping[str, object] | str
"""What says what letters are: a region, a mapping to assumptions or numbers, or all as one text."""


def letters_of(letters: LettersLike, where: Iterable[str] = ()) -> Letters:
    """The letters that were meant.

    * ``letters``: as :class:`~exactdp.exact.region.Region` takes them; a letter may also be given as a
      number.
    * ``where``: further inequalities.

    >>> print(letters_of("0 < p < 1/2, n = 3"), "|", letters_of({"p": "(0, 1)", "q": "q > 0"}, ["p + q < 1"]))
    0 < p < 1/2, n = 3 | 0 < p < 1, q > 0, p + q < 1
    """
    if isinstance(letters, Letters):
        return letters
    extra: list[Any] = [where] if isinstance(where, str) else entries_of(where, "inequalities")
    if isinstance(letters, RegionField):
        letters = letters.region
    if isinstance(letters, Region):
        return Letters(letters.with_conditions(extra) if extra else letters)
    if isinstance(letters, str):
        letters, between = read_assumptions(letters)
        extra = [*between, *extra]
    if not is_mapping(letters) or not letters:
        message = f"the letters are {brief_value(letters)}; give each with its assumption, such as letters={{'p': '(0, 1/2)'}}"
        raise InputError(message, value=letters)
    numbers, assumed = dict[str, Rational](), dict[str, object]()
    for name, said in letters.items():
        number = _number(said)
        if number is None:
            assumed[name] = said
        else:
            numbers[require_letter(name)] = number
    if extra and not assumed:
        raise InputError(f"{brief_value(extra[0])} is an assumption about numbers; write it for letters", value=extra[0])
    return Letters(Region(assumed, extra) if assumed else None, numbers)


def _number(said: object) -> Rational | None:
    """The number that a letter is said to be, or None for an assumption."""
    if isinstance(said, str):
        if re.search(RELATION, said) or not said.strip().lstrip("-−")[:1].isdigit():
            return None
        return QQ(said.strip().replace("−", "-"))
    if isinstance(said, (tuple, list, Interval)) or said is None:
        return None
    if isinstance(said, (numbers.Rational, float)) or is_decimal(said):
        return None if isinstance(said, bool) else QQ(said)
    return None
