# SPDX-License-Identifier: MIT
"""The definitions of a certificate as tables, for a reader of the page.

The checker has decided before, and does not look at these. Labels that are no plain words are quoted and
escaped, as in the checker's sentence; what is long is cut, and how much is said.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from exactdp.errors import printable

MOST_ROWS, MOST_COLUMNS, MOST_CHARACTERS, MOST_DIGITS = 24, 16, 80, 60
"""What is shown of a table, of a text, and of a number before it is only named by its ends."""

WORD = re.compile(r"-?[A-Za-z0-9_]+(?:[./+-][A-Za-z0-9_]+)*", re.ASCII)
Table = dict[str, Any]


def tables(data: bytes) -> list[Table]:
    """The definitions of a certificate that the checker has decided about, in the order of the file.

    Returns
    -------
    list of dict
        For each its ``name``, its ``type``, a ``text``, and a table: the labels of ``columns``, and ``rows``,
        each a label and its cells (both empty if the text says all); ``more`` says what is left out.

    Examples
    --------
    >>> [shown] = tables(b'{"definitions": {"N": {"type": "path", "vertices": 4}}}')
    >>> shown["name"], shown["text"]
    ('N', 'The path 0, 1, …, 3: inputs that differ by 1 are neighbours, at distance 1.')
    """
    definitions = json.loads(data)["definitions"]
    symbols = next((found for name, of in definitions.items() if (found := _symbols(name, of))), [])
    shown = [_table(name, of, symbols) for name, of in list(definitions.items())[:MOST_ROWS]]
    if (more := len(definitions) - MOST_ROWS) > 0:
        shown[-1]["more"] += f"{' and ' * bool(shown[-1]['more'])}{more} more definitions"
    return shown


def _symbols(name: str, of: dict[str, Any]) -> list[str]:
    """What the symbols of polynomials are called in the checker's sentences."""
    match of["type"]:
        case "parameter":
            return [name]
        case "exponential":
            return [name if q == "1" else f"{name}{q}" for q in map(str, of["roots"])]
        case "region":
            return list(of["letters"])
    return []


def _table(name: str, of: dict[str, Any], symbols: list[str]) -> Table:
    """One definition; what can't be shown is said to be so (a rejected file may hold anything)."""
    kind = str(of.get("type"))
    shown: Table = {"name": label(name), "type": label(kind), "text": "", "columns": [], "rows": [], "more": ""}
    try:
        shown |= SHOWN[kind](of, symbols)
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError):
        shown["text"] = "This definition is not of the form that the format asks for."
    return shown


def _of_rows(of: dict[str, Any], symbols: list[str]) -> Table:
    """A mechanism, table or loss that is given by its rows."""
    columns = of["guesses" if "guesses" in of else "outputs"]
    rows = [
        [label(of["inputs"][i]), *_vector(row, min(len(columns), MOST_COLUMNS), symbols)] for i, row in enumerate(of["rows"][:MOST_ROWS])
    ]
    across = "guesses" if "guesses" in of else "outputs"
    return _cut(columns, rows, len(of["rows"])) | {"text": f"Rows are inputs, columns are {across}."}


def _vector(row: dict[str, Any], width: int, symbols: list[str]) -> Iterator[str]:
    at = dict(zip(row["at"], row["num"], strict=True)) if "at" in row else dict(enumerate(row["num"]))
    return (quotient(at.get(j, "0"), row["den"], symbols) for j in range(width))


def _geometric(of: dict[str, Any], symbols: list[str]) -> Table:
    n, level = int(of["n"]), of["level"]
    text = f"The geometric mechanism G({n}, {scalar(level, symbols)}) on inputs and outputs 0, …, {n}."
    if not isinstance(level, str) or len(level) > MOST_DIGITS or not n:
        return {"text": text}
    a, most = Fraction(level), range(min(n + 1, MOST_ROWS))

    def entry(i: int, j: int) -> Fraction:
        return a ** abs(i - j) * (1 / (1 + a) if j in (0, n) else (1 - a) / (1 + a))

    rows = [[str(i), *(_fraction(entry(i, j)) for j in most[:MOST_COLUMNS])] for i in most]
    return _cut(list(map(str, range(min(n + 1, MOST_COLUMNS)))), rows, n + 1, n + 1) | {"text": text}


def _response(of: dict[str, Any], symbols: list[str]) -> Table:
    """A randomized response: the two probabilities are 1 and the level, divided by their sum."""
    size, level = len(of["inputs"]), scalar(of["level"], symbols)
    text = f"The truth is reported with probability 1/(1 + {size - 1}·α), each other label with α/(1 + {size - 1}·α), α = {level}."
    return _cut(["label"], [[str(i), label(name)] for i, name in enumerate(of["inputs"][:MOST_ROWS])], size) | {"text": text}


def _complete(of: dict[str, Any], _: list[str]) -> Table:
    """All pairs of vertices."""
    size = len(of["vertices"])
    text = f"Any two of {size} vertices are neighbours."
    return _cut(["vertex"], [[str(i), label(name)] for i, name in enumerate(of["vertices"][:MOST_ROWS])], size) | {"text": text}


def _printed(of: dict[str, Any], symbols: list[str]) -> Table:
    """A printed table: the interval of each entry."""
    width = min(len(of["outputs"]), MOST_COLUMNS)
    rows = []
    for name, lower, upper in list(zip(of["inputs"], of["lower"], of["upper"], strict=True))[:MOST_ROWS]:
        ends = zip(_vector(lower, width, symbols), _vector(upper, width, symbols), strict=True)
        rows.append([label(name), *(low if low == high else f"{low} … {high}" for low, high in ends)])
    text = "All mechanisms whose entries lie in these intervals. Rows are inputs, columns are outputs."
    return _cut(of["outputs"], rows, len(of["inputs"])) | {"text": text}


def _loss_of(said: str, loss: Callable[[int, int], int]) -> Callable[[dict[str, Any], list[str]], Table]:
    def shown(of: dict[str, Any], _: list[str]) -> Table:
        n = int(of["n"])
        most = range(min(n + 1, MOST_ROWS))
        rows = [[str(i), *(str(loss(i, r)) for r in most[:MOST_COLUMNS])] for i in most]
        columns = list(map(str, range(min(n + 1, MOST_COLUMNS))))
        return _cut(columns, rows, n + 1, n + 1) | {"text": f"The loss {said} of input i and guess r, both 0, …, {n}."}

    return shown


def _path(of: dict[str, Any], _: list[str]) -> Table:
    m = int(of["vertices"])
    names = ", ".join(map(str, range(m))) if m < 4 else f"0, 1, …, {m - 1}"
    return {"text": f"The path {names}: inputs that differ by 1 are neighbours, at distance 1."}


def _graph(of: dict[str, Any], _: list[str]) -> Table:
    names, near = of["vertices"], dict[int, list[int]]()
    for i, j in of["edges"]:
        near.setdefault(i, []).append(j)
        near.setdefault(j, []).append(i)
    rows = [
        [label(name), _listed([label(names[j]) for j in near.get(i, [])[: MOST_COLUMNS + 1]], len(near.get(i, [])))]
        for i, name in enumerate(names[:MOST_ROWS])
    ]
    edges = len(of["edges"])
    text = f"A graph of {len(names)} inputs and {edges} edge{'s' * (edges != 1)}, each of distance 1."
    return _cut(["neighbours"], rows, len(names)) | {"text": text}


def _distances(of: dict[str, Any], _: list[str]) -> Table:
    names, pairs = of["vertices"], of["pairs"]
    rows = [[f"{label(names[i])}, {label(names[j])}", cut(str(d))] for i, j, d in pairs[:MOST_ROWS]]
    text = f"Distances on {len(names)} inputs: {_listed(list(map(label, names[:MOST_COLUMNS])), len(names))}. "
    return _cut(["distance"], rows, len(pairs)) | {"text": text + "Pairs without one are not compared."}


def _parameter(of: dict[str, Any], symbols: list[str]) -> Table:
    interval, [name] = of["interval"], symbols
    if "at" in interval:
        return {"text": f"The number {label(name)} is {end(interval['at'])}."}
    below = f"{end(interval['above'])} < " if "above" in interval else f"{end(interval['at_least'])} ≤ "
    above = f" < {end(interval['below'])}" if "below" in interval else f" ≤ {end(interval['at_most'])}"
    return {"text": f"The letter {label(name)} stands for every number with {below}{label(name)}{above}."}


def _exponential(of: dict[str, Any], symbols: list[str]) -> Table:
    rate = cut(str(of["rate"]))
    numbers = [f"e^(−{rate})" if q == 1 else f"e^(−{rate}·√{cut(str(q))})" for q in of["roots"]]
    rows = [[label(name), number] for name, number in zip(symbols, numbers, strict=True)]
    return _cut(["number"], rows[:MOST_ROWS], len(rows)) | {"text": "Symbols of numbers that are no fractions."}


def _region(of: dict[str, Any], symbols: list[str]) -> Table:
    signs = [("positive", "> 0"), ("nonnegative", "≥ 0")]
    rows = [[polynomial(p, symbols), sign] for key, sign in signs for p in of[key]]
    if "at" in of:
        values = ", ".join(f"{label(name)} = {cut(str(x))}" for name, x in zip(symbols, of["at"], strict=True))
        text = f"The point {values}, which meets these conditions."
    else:
        text = f"Every point ({', '.join(map(label, symbols))}) that meets these conditions."
    return _cut(["condition"], rows[:MOST_ROWS], len(rows)) | {"text": text}


SHOWN: dict[str, Callable[[dict[str, Any], list[str]], Table]] = {
    "mechanism": _of_rows,
    "table": _of_rows,
    "loss": _of_rows,
    "geometric": _geometric,
    "randomized-response": _response,
    "complete": _complete,
    "printed": _printed,
    "abs-loss": _loss_of("|i − r|", lambda i, r: abs(i - r)),
    "squared-loss": _loss_of("(i − r)²", lambda i, r: (i - r) ** 2),
    "zero-one-loss": _loss_of("0 if i = r, else 1,", lambda i, r: int(i != r)),
    "path": _path,
    "graph": _graph,
    "distances": _distances,
    "parameter": _parameter,
    "exponential": _exponential,
    "region": _region,
}
"""How each type of SPEC.md, §2 and §3, is shown."""


def _cut(columns: list[str], rows: list[list[str]], height: int, width: int | None = None) -> Table:
    """The part of a table that is shown, and a word about the rest."""
    width = len(columns) if width is None else width
    left_out = [
        f"{all_of - shown} more {name}"
        for all_of, shown, name in ((height, len(rows), "rows"), (width, min(width, MOST_COLUMNS), "columns"))
        if all_of > shown
    ]
    return {"columns": list(map(label, columns[:MOST_COLUMNS])), "rows": rows, "more": " and ".join(left_out)}


def _listed(shown: list[str], number: int) -> str:
    return ", ".join([*shown[:MOST_COLUMNS], *([f"… {number - MOST_COLUMNS} more …"] if number > MOST_COLUMNS else [])]) or "none"


def cut(text: str, most: int = MOST_CHARACTERS) -> str:
    """The text, or its two ends and its length.

    >>> cut("7" * 100, 20)
    '7777777777…7777777777 (100 characters)'
    """
    text = printable(text)
    return text if len(text) <= most else f"{text[: most // 2]}…{text[-(most // 2) :]} ({len(text)} characters)"


def label(text: str) -> str:
    r"""A label as the checker's sentence has it.

    >>> label("3-4"), label("two words"), print(label(chr(0x430)))
    "\u0430"
    ('3-4', '"two words"', None)
    """
    return cut(text if WORD.fullmatch(text) else json.dumps(text))


def quotient(num: Any, den: Any, symbols: list[str]) -> str:
    """A quotient of integers, in lowest terms unless they are long, or of polynomials.

    >>> quotient("6", "4", []), quotient(["0", "1"], ["1", "1"], ["a"]), quotient("5" * 99, "1", [])[:9]
    ('3/2', '(a)/(1 + a)', '555555555')
    """
    if isinstance(num, str) and isinstance(den, str):
        if max(len(num), len(den)) <= MOST_DIGITS:
            return _fraction(Fraction(int(num), int(den)))
        return cut(num) if den == "1" else f"{cut(num)}/{cut(den)}"
    above = polynomial(num, symbols)
    return above if den == "1" else f"({above})/({polynomial(den, symbols)})"


def scalar(value: Any, symbols: list[str]) -> str:
    """A rational, or a quotient of polynomials."""
    return cut(value) if isinstance(value, str) else quotient(value["num"], value["den"], symbols)


def end(value: Any) -> str:
    """An end of an interval.

    >>> end({"poly": ["-2", "0", "1"], "in": ["1", "2"]})
    'the root of −2 + x^2 between 1 and 2'
    """
    if isinstance(value, str):
        return cut(value)
    low, high = value["in"]
    return f"the root of {polynomial(value['poly'], ['x'])} between {cut(low)} and {cut(high)}"


def polynomial(value: Any, symbols: list[str]) -> str:
    """A polynomial as one writes it: the coefficients of one letter may be polynomials in the next.

    >>> polynomial(["1", "0", ["0", "-3"]], ["a", "b"])
    '1 − 3·a^2·b'
    """
    text = ""
    for count, (sign, term) in enumerate(_terms(value, symbols, "")):
        if count == MOST_ROWS:
            return f"{text} + …"
        text += f" {sign} {term}" if text else f"−{term}" if sign == "−" else term
    return text or "0"


def _terms(value: Any, symbols: list[str], power: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        size = value.removeprefix("-")
        if size != "0":
            yield "−" if size != value else "+", power if size == "1" and power else f"{cut(size)}·{power}" if power else cut(size)
        return
    first, *rest = symbols
    for k, coefficient in enumerate(value):
        own = label(first) if k == 1 else f"{label(first)}^{k}" if k else ""
        yield from _terms(coefficient, rest, f"{power}·{own}" if own and power else own or power)


def _fraction(x: Fraction) -> str:
    return cut(str(x)) if max(x.numerator.bit_length(), x.denominator.bit_length()) < 10_000 else "a long fraction"
