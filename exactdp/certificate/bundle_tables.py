# SPDX-License-Identifier: MIT
"""The tables of a bundle, number for number: those of table.json, of certificates, and of plain files.

Standard library only: this file lies in every bundle beside check_bundle.py, which runs it. A number is a
quotient of sums of rational multiples of powers of e; whether two are equal, and their order, is decided.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any

from exactdp.certificate.bundle_files import require_text
from exactdp.certificate.bundle_reading import Asked, all_of, are_columns_in_order, are_labels, are_rows_in_order

DIVIDED = "with its rows divided by their sums"
"""The name of the table that is judged in place of a rounded one."""


Exponents = tuple[tuple[int, Fraction], ...]
Sum = dict[Exponents, Fraction]
"""A sum of rational multiples of e^(−Σ r·√q), by the exponents (q, r): two are equal if and only if they have
the same terms (Lindemann–Weierstrass).
"""
Number = tuple[Sum, Sum]
"""A numerator and a denominator."""

ZERO: Number = ({}, {(): Fraction(1)})

MOST_TERMS = 20_000
"""Of one number."""


class Differs(Exception):  # noqa: N818
    """What is said is not what its certificate, the table or the manifest says."""


class NotComparedError(ValueError):
    """What can't be compared by this program: no fault was found, and nothing was decided."""


class OnlyNamedError(NotComparedError):
    """What somebody who asked in Python calls by a name of their own, and no file has."""


def rational(text: str) -> Fraction:
    """A quotient p/q, or an integer."""
    if not re.fullmatch(r"-?[0-9]{1,100000}(?:/[0-9]{1,100000})?", text, re.ASCII):
        raise ValueError(f"{text[:40]!r} is no exact number")
    numerator, _, denominator = text.partition("/")
    return Fraction(_integer(numerator), _integer(denominator or "1"))


def _integer(text: str) -> int:
    """The value of digits, by halves where they are many: Python's own conversion stops at 4300."""
    if text.startswith("-"):
        return -_integer(text[1:])
    if len(text) <= 2000:
        return int(text)
    half = len(text) // 2
    power: int = 10**half
    return _integer(text[:-half]) * power + _integer(text[-half:])


def equal(x: Number, y: Number) -> bool:
    """Whether two numbers are the same: a/b = c/d if and only if a·d = c·b."""
    return x[0] == y[0] if x[1] == y[1] else multiplied(x[0], y[1]) == multiplied(y[0], x[1])


def multiplied(x: Sum, y: Sum) -> Sum:
    """The product of two sums."""
    found: Sum = {}
    for one, a in x.items():
        for other, b in y.items():
            powers = dict(one)
            for q, r in other:
                powers[q] = powers.get(q, Fraction(0)) + r
            key = tuple(sorted((q, r) for q, r in powers.items() if r))
            found[key] = found.get(key, Fraction(0)) + a * b
    return {key: c for key, c in found.items() if c}


def constant(x: Fraction) -> Sum:
    """A rational as a sum."""
    return {(): x} if x else {}


def number_of(value: Any) -> Number:
    """A number of table.json: a rational as text, or the terms of numerator and denominator."""
    if isinstance(value, str):
        return constant(rational(value)), constant(Fraction(1))
    numerator, denominator = (_terms(part) for part in value)
    return numerator, denominator


def _terms(listed: Any) -> Sum:
    found: Sum = {}
    for exponents, c in listed:
        key = tuple(sorted((int(q), rational(r)) for r, q in exponents))
        found[key] = found.get(key, Fraction(0)) + rational(c)
    return {key: c for key, c in found.items() if c}


@dataclass(frozen=True)
class Grid:
    """A table: labels of rows and columns, and its numbers."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    rows: tuple[tuple[Number, ...], ...]

    def same(self, other: Grid) -> bool:
        """Whether both have the same labels, and the same number for each pair of them, in any order."""
        if sorted(self.inputs) != sorted(other.inputs) or sorted(self.outputs) != sorted(other.outputs):
            return False
        rows = [other.inputs.index(label) for label in self.inputs]
        columns = [other.outputs.index(label) for label in self.outputs]
        pairs = ((own, other.rows[i][j]) for row, i in zip(self.rows, rows, strict=True) for own, j in zip(row, columns, strict=True))
        return all(equal(x, y) for x, y in pairs)

    def same_numbers(self, other: Grid) -> bool:
        """Whether both have the same numbers in the same places, whatever the labels."""
        if [len(row) for row in self.rows] != [len(row) for row in other.rows]:
            return False
        return all(equal(x, y) for row, rest in zip(self.rows, other.rows, strict=True) for x, y in zip(row, rest, strict=True))

    @property
    def plain(self) -> tuple[tuple[Fraction, ...], ...] | None:
        """Its numbers if they are all rational."""
        one = constant(Fraction(1))
        if not all(den == one and set(num) <= {()} for row in self.rows for num, den in row):
            return None
        return tuple(tuple(num.get((), Fraction(0)) for num, _ in row) for row in self.rows)


def grid_of(value: Any) -> Grid:
    """A table of table.json."""
    rows = tuple(tuple(number_of(x) for x in row) for row in value["entries"])
    inputs, outputs = tuple(value["inputs"]), tuple(value["outputs"])
    if len(rows) != len(inputs) or any(len(row) != len(outputs) for row in rows):
        raise ValueError("a table has more labels than numbers, or fewer")
    require_text(*inputs, *outputs)
    return Grid(inputs, outputs, rows)


def divided(table: Grid) -> Grid | None:
    """The table with its negative entries 0 and every row divided by its sum; None if a row has no sum."""
    rows = []
    for row in table.rows:
        kept = [x if sign_of(x) > 0 else ZERO for x in row]
        total = ZERO
        for x in kept:
            total = reduced(*combined(total, x, 1))
        if not total[0]:
            return None
        rows.append(tuple(reduced(multiplied(x[0], total[1]), multiplied(x[1], total[0])) for x in kept))
    return Grid(table.inputs, table.outputs, tuple(rows))


def combined(x: Number, y: Number, factor: int) -> Number:
    """The sum x + factor·y, over one denominator where both have it."""
    if x[1] == y[1]:
        return _added(x[0], y[0], factor), x[1]
    found = _added(multiplied(x[0], y[1]), multiplied(y[0], x[1]), factor), multiplied(x[1], y[1])
    if sum(map(len, found)) > MOST_TERMS:
        raise NotComparedError("its numbers have too many terms")
    return found


def table_of(certificate: Mapping[str, Any]) -> Grid | None:
    """The table that the claim of an accepted certificate names; None where it names none."""
    claim, definitions = certificate["claim"], certificate["definitions"]
    named = [claim[key] for key in ("mechanism", "table", "printed") if key in claim]
    if not named:
        return None
    definition = definitions[named[0]]
    fields = [one for one in definitions.values() if one.get("type") in ("exponential", "parameter", "region")]
    powers = Powers(fields[0] if fields else None)
    if definition["type"] == "geometric":
        return _geometric(definition["n"], powers.scalar(definition["level"]))
    if definition["type"] == "randomized-response":
        return _randomized_response(tuple(definition["inputs"]), powers.scalar(definition["level"]))
    outputs = tuple(definition["outputs"])
    if definition["type"] == "printed":
        inputs = tuple(f"{end} {label}" for end in ("lower", "upper") for label in definition["inputs"])
        rows = [*definition["lower"], *definition["upper"]]
    else:
        inputs, rows = tuple(definition["inputs"]), definition["rows"]
    return Grid(inputs, outputs, tuple(powers.vector(row, len(outputs)) for row in rows))


class Powers:
    """Numbers of a certificate: rationals, or polynomials in e^(−rate·√q)."""

    def __init__(self, symbols: Mapping[str, Any] | None) -> None:
        if symbols is not None and symbols["type"] != "exponential":
            raise NotComparedError("its numbers have letters")
        self.rate = Fraction(0) if symbols is None else rational(symbols["rate"])
        self.roots = [] if symbols is None else [int(q) for q in symbols["roots"]]

    def polynomial(self, p: Any, i: int = 0) -> Sum:
        """Nested lists of coefficients, the constant one first."""
        if isinstance(p, str):
            return constant(rational(p))
        found: Sum = {}
        for k, c in enumerate(p):
            power: Sum = {((self.roots[i], self.rate * k),) if k else (): Fraction(1)}
            for key, x in multiplied(power, self.polynomial(c, i + 1)).items():
                found[key] = found.get(key, Fraction(0)) + x
        return {key: c for key, c in found.items() if c}

    def scalar(self, value: Any) -> Number:
        """A rational, or {num, den}."""
        if isinstance(value, str):
            return constant(rational(value)), constant(Fraction(1))
        return self.polynomial(value["num"]), self.polynomial(value["den"])

    def vector(self, value: Mapping[str, Any], length: int) -> tuple[Number, ...]:
        """{den, num} or sparse {den, at, num}."""
        den, found = self.polynomial(value["den"]), [(constant(Fraction(0)), constant(Fraction(1)))] * length
        for j, p in zip(value.get("at", range(length)), value["num"], strict=True):
            found[j] = reduced(self.polynomial(p), den)
        return tuple(found)


def reduced(num: Sum, den: Sum) -> Number:
    """A quotient, over 1 where the denominator is a rational."""
    if set(den) != {()}:
        return num, den
    return {key: c / den[()] for key, c in num.items()}, constant(Fraction(1))


def _geometric(n: int, level: Number) -> Grid:
    """G(n, α): α^|i−r|/(1+α) at both ends, (1−α)/(1+α)·α^|i−r| between them."""
    if n == 0:
        return Grid(("0",), ("0",), (((constant(Fraction(1)), constant(Fraction(1))),),))
    num, den = level
    powers: list[Number] = [(constant(Fraction(1)), constant(Fraction(1)))]
    for _ in range(n):
        powers.append(reduced(multiplied(powers[-1][0], num), multiplied(powers[-1][1], den)))
    above, below = _added(den, num, 1), _added(den, num, -1)
    rows = []
    for i in range(n + 1):
        row = []
        for r in range(n + 1):
            top, bottom = powers[abs(i - r)]
            factor = den if r in (0, n) else below
            row.append(reduced(multiplied(top, factor), multiplied(bottom, above)))
        rows.append(tuple(row))
    labels = tuple(map(str, range(n + 1)))
    return Grid(labels, labels, tuple(rows))


def _randomized_response(labels: tuple[str, ...], level: Number) -> Grid:
    """The truth with probability 1/(1 + (m − 1)·α), each other one of m labels with α times that."""
    num, den = level
    total = _added(den, num, len(labels) - 1)
    truth, other = reduced(den, total), reduced(num, total)
    places = range(len(labels))
    return Grid(labels, labels, tuple(tuple(truth if i == r else other for r in places) for i in places))


MOST_INPUTS_OF_WORD = 200
"""Of a table with more inputs, the numbers are not made again from its word."""


def table_of_word(word: str, size: int) -> Grid | None:
    """The table of so many inputs that a word means; None for many, or a word or a level not known here.

    Raise Differs where the word means a table of another size.

    >>> [[str(x) for x in row] for row in table_of_word("geometric:n=1,alpha=1/2", 2).plain]
    [['2/3', '1/3'], ['1/3', '2/3']]
    >>> table_of_word("rappor:bits=2,epsilon=1", 3) is None
    True
    """
    family, _, text = word.partition(":")
    given = dict(part.split("=", 1) for part in text.split(",") if "=" in part)
    if len(given) != len(text.split(",")):
        return None
    number, level = given.pop("n", None), None
    if number is None and family.startswith("randomi"):
        k = given.pop("k", "")
        number = str(int(k) - 1) if re.fullmatch("[1-9][0-9]{0,5}", k, re.ASCII) else None
    if set(given) == {"alpha"} and re.fullmatch("[0-9]{1,400}/[0-9]{1,400}", given["alpha"], re.ASCII):
        level = constant(rational(given["alpha"])), constant(Fraction(1))
    if set(given) == {"epsilon"}:
        level = level_of_epsilon(given["epsilon"])
    if number is None or level is None or not re.fullmatch("[0-9]{1,6}", number, re.ASCII):
        return None
    if family not in ("geometric", "randomized-response", "randomised-response"):
        return None
    if int(number) + 1 != size:
        raise Differs(f"{word} means a table of {int(number) + 1} inputs")
    if size > MOST_INPUTS_OF_WORD:
        return None
    return _geometric(int(number), level) if family == "geometric" else _randomized_response(tuple(map(str, range(size))), level)


def _added(x: Sum, y: Sum, sign: int) -> Sum:
    found = dict(x)
    for key, c in y.items():
        found[key] = found.get(key, Fraction(0)) + sign * c
    return {key: c for key, c in found.items() if c}


def claimed_level(claimed: Mapping[str, Any]) -> Number | None:
    """The claimed level as a number, where α is rational or ε is what :func:`level_of_epsilon` reads."""
    try:
        if "alpha" in claimed:
            return constant(rational(claimed["alpha"])), constant(Fraction(1))
        return level_of_epsilon(claimed["epsilon"])
    except (ValueError, KeyError, TypeError, ZeroDivisionError):
        return None


_MINUS, _TIMES = "−", "·"
_REAL = r"(?:[0-9]{1,2000}/[0-9]{1,2000}|[0-9]{1,2000}(?:\.[0-9]{1,2000})?(?:[eE][+-]?[0-9]{1,4})?)"
_TERM = re.compile(
    rf"(?P<sign>[+-]?)(?:(?:(?P<factor>{_REAL})\*)?(?P<word>ln|sqrt)(?:\((?P<inside>{_REAL})\)|(?P<bare>{_REAL}))"
    rf"(?:/(?P<share>[0-9]{{1,2000}}))?|(?P<number>{_REAL}))",
    re.ASCII,
)
"""A term of an ε without spaces: a rational, or a rational multiple of a logarithm or of a root."""

MOST_REPEATED = 1000
"""The largest multiple of a logarithm that is taken."""


def level_of_epsilon(text: str) -> Number | None:
    """e^(−ε) for an ε that is a sum of rationals, of multiples of roots and of logarithms; None for others.

    A multiple of a logarithm is an integer one: of another one e^(−ε) is a root, and no :data:`Number`.

    >>> level_of_epsilon("0.10") == level_of_epsilon("1 / 10") == ({((1, Fraction(1, 10)),): 1}, {(): 1})
    True
    >>> level_of_epsilon("ln(2.5)"), level_of_epsilon("ln(2)/2")
    (({(): Fraction(2, 5)}, {(): Fraction(1, 1)}), None)
    """
    packed = re.sub(r" *([-+*/()]) *", r"\1", text.replace(_MINUS, "-").replace(_TIMES, "*").strip()).replace("ln ", "ln")
    place, factor, exponents = 0, Fraction(1), dict[int, Fraction]()
    while place < len(packed) or not place:
        term = _TERM.match(packed, place)
        if term is None or (place > 0 and not term["sign"]):
            return None
        place = term.end()
        sign = -1 if term["sign"] == "-" else 1
        if term["word"] is None:
            exponents[1] = exponents.get(1, Fraction(0)) + sign * Fraction(term["number"])
            continue
        times = sign * Fraction(term["factor"] or 1) / int(term["share"] or 1)
        inside = Fraction(term["inside"] or term["bare"])
        if term["word"] == "ln":
            if times.denominator != 1 or abs(times) > MOST_REPEATED or inside <= 0:
                return None
            factor *= inside**-times.numerator
            continue
        outside, root = _without_squares(inside.numerator * inside.denominator)
        exponents[root] = exponents.get(root, Fraction(0)) + times * outside / inside.denominator
    key = tuple(sorted((q, r) for q, r in exponents.items() if q and r))
    return {key: factor}, constant(Fraction(1))


MOST_UNDER_ROOT = 10**8
"""The largest number of which square factors are sought."""


def _without_squares(n: int) -> tuple[int, int]:
    """√n as a·√q, with q squarefree; (0, 0) for n = 0."""
    if n > MOST_UNDER_ROOT:
        raise ValueError("a number under a root is too large")
    a = next((k for k in range(isqrt(n), 0, -1) if n % (k * k) == 0), 0)
    return (a, n // (a * a)) if a else (0, 0)


def sign_of(x: Number) -> int:
    """The sign of a number, exactly: 0 if it has no terms, else by enclosures that become narrower."""
    if not x[0]:
        return 0
    for bits in (64, 128, 256, 512, 1024, 2048, 4096):
        ends = [enclosed(part, bits) for part in x]
        if all(low > 0 or high < 0 for low, high in ends):
            return 1 if (ends[0][0] > 0) == (ends[1][0] > 0) else -1
    raise NotComparedError("the sign of a number was not found")


def enclosed(x: Sum, bits: int) -> tuple[Fraction, Fraction]:
    """A rational below, and one above, a sum of multiples of e^(−Σ r·√q)."""
    low = high = Fraction(0)
    for exponents, c in x.items():
        least, most = _exponent(exponents, bits)
        ends = [c * power_of_e(most, bits)[0], c * power_of_e(least, bits)[1]]
        low, high = low + min(ends), high + max(ends)
    return low, high


def _exponent(exponents: Exponents, bits: int) -> tuple[Fraction, Fraction]:
    """A rational below, and one above, Σ r·√q.

    Each √q lies between isqrt(q·4^bits)/2^bits and that plus 2^(−bits).
    """
    low = high = Fraction(0)
    for q, r in exponents:
        below = isqrt(q << 2 * bits)
        exact = below * below == q << 2 * bits
        ends = [r * Fraction(below, 1 << bits), r * Fraction(below + (not exact), 1 << bits)]
        low, high = low + min(ends), high + max(ends)
    return low, high


def power_of_e(r: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """e^(−r) from below and above: for r > 0 as 1/e^r, by terms of the series until the rest is small.

    Σ_{k<n} r^k/k! ≤ e^r ≤ Σ_{k<n} r^k/k! + 2·r^n/n! for n ≥ 2r, where each further term is at most half of
    the one before.
    """
    if r < 0:
        low, high = power_of_e(-r, bits)
        return 1 / high, 1 / low
    if r > 10_000:
        raise NotComparedError("an exponent is too large")
    total, term, k = Fraction(0), Fraction(1), 0
    while k < 2 * r or term > Fraction(1, 2**bits):
        total, k = total + term, k + 1
        term = term * r / k
    return 1 / (total + 2 * term), 1 / total


def pairs_of(graph: Mapping[str, Any]) -> list[list[int]]:
    """The pairs of neighbours of a definition in a certificate."""
    vertices, kind = graph["vertices"], graph["type"]
    size = vertices if isinstance(vertices, int) else len(vertices)
    if kind == "path":
        return [[i, i + 1] for i in range(size - 1)]
    if kind == "complete":
        return [[i, j] for i in range(size) for j in range(i + 1, size)]
    if kind == "graph":
        return [list(pair) for pair in graph["edges"]]
    if kind == "distances":
        return [list(pair[:2]) for pair in graph["pairs"]]
    raise ValueError(f"{kind} is no kind of neighbours")


# ── The file that a table was read from ─────────────────────────────────────────────────────────
_PLAIN = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?", re.ASCII)
_QUOTIENT = re.compile(r"([+-]?[0-9]+)\s*/\s*([0-9]+)", re.ASCII)


def cell(text: str, dyadic: bool) -> Fraction | None:
    """The number of a cell; None where it is none that this program reads."""
    text = text.strip()
    if len(text) > 2000:
        return None
    if _PLAIN.fullmatch(text):
        whole = re.fullmatch(r"[+-]?[0-9]+", text) is not None
        return Fraction(float(text)) if dyadic and not whole else Fraction(text)
    quotient = _QUOTIENT.fullmatch(text)
    return Fraction(int(quotient[1]), int(quotient[2])) if quotient and int(quotient[2]) else None


def read_again(data: bytes, table: Grid, reading: Mapping[str, Any], asked: Asked) -> bool | None:
    """Whether a file of plain numbers is read as this table; None where this program can't tell.

    Of a table that is printed with some digits it has the least and the largest numbers that print so.
    """
    if "digits" in reading:
        return _prints_again(data, table, reading, asked)
    found = _read_file(data, table, reading)
    if found is None:
        return None
    numbers = found.numbers
    if reading.get("renormalise"):
        numbers = [[x / sum(row) if sum(row) else x for x in row] for row in numbers]
    return all_of(lambda: numbers == [list(row) for row in table.plain or ()], lambda: found.is_read_as(table, reading, asked))


_LOWER, _UPPER = "lower ", "upper "


def _prints_again(data: bytes, ends: Grid, reading: Mapping[str, Any], asked: Asked) -> bool | None:
    """Whether the cells of a file, ± half a unit of the last place, within 0 and 1, have these ends."""
    half = len(ends.inputs) // 2
    inputs = tuple(label.removeprefix(_LOWER) for label in ends.inputs[:half])
    if ends.plain is None or tuple(f"{_UPPER}{label}" for label in inputs) != ends.inputs[half:]:
        return False
    table = Grid(inputs, ends.outputs, ends.rows[:half])
    found = _read_file(data, table, {key: value for key, value in reading.items() if key != "digits"})
    if found is None:
        return None
    lower, upper = [], []
    for row, texts in zip(found.numbers, found.texts, strict=True):
        halves = [_half_unit(text, str(reading["digits"])) for text in texts]
        if None in halves:
            return False
        pairs = [(x, h) for x, h in zip(row, halves, strict=True) if h is not None]
        lower.append([max(x - h, Fraction(0)) for x, h in pairs])
        upper.append([min(x + h, Fraction(1)) for x, h in pairs])
    numbers = [list(row) for row in ends.plain]
    return all_of(lambda: [*lower, *upper] == numbers, lambda: found.is_read_as(table, reading, asked))


def _half_unit(text: str, digits: str) -> Fraction | None:
    """Half a unit of the last place of a cell; 0 for a quotient; None where digits are too few."""
    decimal = re.fullmatch(r"[+-]?[0-9]*(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,4}))?", text, re.ASCII)
    shown = None if decimal is None else max(0, len(decimal[1] or "") - int(decimal[2] or 0))
    if digits == "auto":
        return Fraction(0) if shown is None else Fraction(1, 2 * 10**shown)
    if shown is None or not re.fullmatch(r"[0-9]{1,3}", digits, re.ASCII) or shown > int(digits):
        return None
    return Fraction(1, 2 * 10 ** int(digits))


def numbers_of_file(data: bytes, table: Grid, reading: Mapping[str, Any]) -> tuple[list[list[Fraction]], bool] | None:
    """The numbers of a file in the order of a table's labels, undivided, and whether it names its rows.

    None where this program can't tell.
    """
    found = _read_file(data, table, reading)
    return None if found is None else (found.numbers, found.are_rows_named)


def has_decimals(data: bytes, table: Grid, reading: Mapping[str, Any]) -> bool | None:
    """Whether a number of a file is written as a decimal; None where this program can't tell."""
    found = _read_file(data, table, reading)
    if found is None:
        return None
    return any(_PLAIN.fullmatch(x) and not re.fullmatch(r"[+-]?[0-9]+", x) for row in found.texts for x in row)


@dataclass(frozen=True)
class ReadFile:
    """What a file of plain numbers has, in the order of a table, and how it was taken apart."""

    numbers: list[list[Fraction]]
    texts: list[list[str]]
    are_rows_named: bool
    cells: list[list[str]]
    above: int
    before: int

    def is_read_as(self, table: Grid, reading: Mapping[str, Any], asked: Asked) -> bool | None:
        """Whether its labels are read as such, and the order is that of a table; None: not known."""
        rows = [row[0] for row in self.cells[self.above :]] if self.before else None
        columns = self.cells[0][self.before :] if self.above else None
        if reading.get("transpose"):
            rows, columns = columns, rows
        by_position = bool(reading.get("by_position"))
        return all_of(
            lambda: are_labels(self.cells, self.above, self.before, reading, asked),
            lambda: are_rows_in_order(rows, table.inputs, by_position, asked),
            lambda: are_columns_in_order(columns, table.outputs, by_position),
        )


def _read_file(data: bytes, table: Grid, reading: Mapping[str, Any]) -> ReadFile | None:
    """What a file has in the order of the labels of a table; None where this program can't tell."""
    if table.plain is None or any(reading.get(key) for key in ("digits", "letters")):
        return None
    try:
        lines = [line for line in data.decode("utf-8-sig").splitlines() if line.strip()]
    except ValueError:
        return None
    if not lines or any(line.lstrip()[0] in "#[{" for line in lines):
        return None
    delimiter = next((d for d in (";", "\t", ",") if d in lines[0]), None)
    if delimiter is None:
        return None
    try:
        cells = list(csv.reader(lines, delimiter=delimiter))
    except csv.Error:
        return None
    turned = bool(reading.get("transpose"))
    height, width = len(table.inputs), len(table.outputs)
    height, width = (width, height) if turned else (height, width)
    above, before = len(cells) - height, len(cells[0]) - width
    if above not in (0, 1) or before not in (0, 1) or any(len(row) != len(cells[0]) for row in cells):
        return None
    read = [[cell(x, bool(reading.get("dyadic"))) for x in row[before:]] for row in cells[above:]]
    numbers = [[x for x in row if x is not None] for row in read]
    if any(len(row) != width for row in numbers):
        return None
    names = (table.outputs, table.inputs) if turned else (table.inputs, table.outputs)
    rows = _places([row[0].strip() for row in cells[above:]] if before else None, names[0])
    columns = _places([x.strip() for x in cells[0][before:]] if above else None, names[1])
    if rows is None or columns is None:
        return None
    texts = [[x.strip() for x in row[before:]] for row in cells[above:]]
    found, written = [[numbers[i][j] for j in columns] for i in rows], [[texts[i][j] for j in columns] for i in rows]
    if turned:
        found, written = [list(column) for column in zip(*found, strict=True)], [list(column) for column in zip(*written, strict=True)]
    return ReadFile(found, written, bool(above if turned else before), [[x.strip() for x in row] for row in cells], above, before)


def _places(written: Sequence[str] | None, labels: Sequence[str]) -> Sequence[int] | None:
    """Where each label is in the file, in their order where it has none; None where it has others."""
    if written is None:
        return range(len(labels))
    return [written.index(label) for label in labels] if sorted(written) == sorted(labels) else None
