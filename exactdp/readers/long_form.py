# SPDX-License-Identifier: MIT
"""Tables in long form: a line for each input and output, with the probability."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from exactdp.errors import InputError, ResourceLimitError
from exactdp.exact import Rational
from exactdp.model.faults import MOST_ROUNDING
from exactdp.model.labels import brief, is_integer_label
from exactdp.readers.cells import Line, decimal_points, plain_number
from exactdp.readers.grids import Cell, Grid
from exactdp.readers.table_labels import are_distinct, are_words, is_word, may_label, points
from exactdp.runtime.budget import require_budget

_INPUT = {"i", "input", "index", "row", "from", "true", "x", "orig", "source", "var1", "level_0"}
_OUTPUT = {"j", "output", "col", "column", "to", "y", "target", "var2", "level_1", "variable"}
_PROBABILITY = {"p", "prob", "probability", "pij", "p_ij", "pr", "value", "freq"}
_BESIDE = {"v", "d", "diff", "type"}


def long_form(lines: list[Line], letters: Collection[str] = ()) -> Grid | None:
    """The table of lines ``i, j, p``, one for each entry that is not 0; None if the lines are no such form.

    The first line names three columns for input, output and probability (``i``, ``j``, ``p``; ``from``,
    ``to``, ``prob``). Cell-key tables have more: the difference j − i (``v``), and bounds or sums
    (``p_kum``, ``p_int_lb``), which are not read.

    Raises InputError if the lines may be rows of a table as well, or a pair comes twice.

    >>> found = long_form([(1, ["i", "j", "p"]), (2, ["0", "0", "1"]), (3, ["1", "1", "1"])])
    >>> found.rows, found.inputs, found.outputs
    ([['1', '0'], ['0', '1']], None, None)
    """
    number, head = lines[0][0], [cell.lower() for cell in lines[0][1]]
    body = lines[1:]
    shaped = _by_shape(lines, letters)
    if shaped is not None:
        by_shape, shape_commas = shaped
        return _laid_out(shape_commas[0], f"line {number} is read as names of columns, of which {by_shape}", shape_commas[1])
    counted = bool(head[:1] == [""] or (body and all(len(cells) == len(head) + 1 for _, cells in body)))
    names = head if head[:1] != [""] else head[1:]
    if len(names) < 3 or not body or any(name in letters for name in names):
        return None
    chosen = [[k for k, name in enumerate(names) if name in known] for known in (_INPUT, _OUTPUT, _PROBABILITY)]
    used = {k[0] for k in chosen if len(k) == 1}
    extra = [name for k, name in enumerate(names) if k not in used]
    if len(used) != 3 or not all(name in _BESIDE or re.match(r"(?:kum|cum|lb$|ub$|p_|p$)", name) for name in extra):
        return None
    width = len(names) + counted
    if any(len(cells) != width for _, cells in body):
        return None
    if "type" in extra:
        _require_one_type([cells[names.index("type") + counted] for _, cells in body], number)
    kept, commas = decimal_points([(n, [cells[k[0] + counted] for k in chosen]) for n, cells in body])
    if not all(may_label(cell, letters) for _, cells in kept for cell in cells[:2]):
        return None
    numbers = _numbers([cells[counted:] for _, cells in body]) if len(names) == 3 else None
    if counted and not _are_distributions(kept):
        return None
    if numbers is not None and (_whole(numbers) if counted else _all_rows(numbers)):
        option = "--labels (in Python labels=True)" if counted else "--header (in Python header=True)"
        raise InputError(
            f"line {number} ({', '.join(lines[0][1])}) may name input, output and probability, or three columns of a table: give {option} "
            "if it names columns, else write the table with a line for each input",
            line=number,
        )
    told = f"line {number} is read as the names of input, output and probability, a line for each pair"
    return _laid_out(kept, told, commas, extra)


def _laid_out(kept: list[Line], told: str, commas: tuple[str, ...], extra: Sequence[str] = ()) -> Grid:
    """The table of lines with input, output and probability."""
    inputs, outputs = (_in_order([cells[k] for _, cells in kept]) for k in (0, 1))
    require_budget("the table of the long form", numbers=len(inputs) * len(outputs))
    rows: list[list[Cell]] = [["0"] * len(outputs) for _ in inputs]
    at = ({label: k for k, label in enumerate(inputs)}, {label: k for k, label in enumerate(outputs)})
    seen: set[tuple[str, str]] = set()
    for n, (i, j, p) in kept:
        if (i, j) in seen:
            raise InputError(f"line {n}: the pair {i}, {j} is there twice; give one line for each pair", line=n)
        seen.add((i, j))
        rows[at[0][i]][at[1][j]] = plain_number(p)
    absent = len(inputs) * len(outputs) - len(seen)
    note = told
    note += f"; pairs without a line ({absent}) have probability 0" if absent else ""
    note += f"; the columns {', '.join(extra)} are not read" if extra else ""
    named = [None if names_ == [str(k) for k in range(len(names_))] else points(names_) for names_ in (inputs, outputs)]
    return Grid(rows, [None] * len(rows), named[0], named[1], "csv", notes=(note, *commas))


def _by_shape(lines: list[Line], letters: Collection[str]) -> tuple[str, tuple[list[Line], tuple[str, ...]]] | None:
    """Lines of three columns with other names, two of words and one of probabilities: which is which.

    The probabilities of each input sum to 1. Where that is so of both columns of words they are the rows and
    columns of a frame only if it has no names for them, as pandas' ``stack`` writes it.

    Raises InputError if either column of words may be the input.
    """
    head, body = lines[0][1], lines[1:]
    unnamed = head[:2] == ["", ""]
    if len(head) != 3 or len(body) < 2 or any(len(cells) != 3 for _, cells in body):
        return None
    if not unnamed and ({cell.lower() for cell in head} & (_INPUT | _OUTPUT) or not all(is_word(cell, letters) for cell in head)):
        return None
    pairs = [tuple(cells[:2]) for _, cells in body]
    if not all(may_label(cell, letters) for pair in pairs for cell in pair) or not are_distinct(pairs):
        return None
    kept, commas = decimal_points(body)
    turned = [(n, [j, i, p]) for n, (i, j, p) in kept]
    first, second = _are_distributions(kept), _are_distributions(turned) and not unnamed
    found = _numbers([cells[2:] for _, cells in kept])
    if found is None or all(x == 1 for (x,) in found) or not (first or second):
        return None
    numbers = None if unnamed else _numbers([cells for _, cells in body])
    if numbers is not None and _all_rows(numbers):
        return None
    ambiguous = first and second and {tuple(cells) for _, cells in kept} != {tuple(cells) for _, cells in turned}
    if ambiguous or not (unnamed or all(are_words([pair[k] for pair in pairs], letters) for k in (0, 1))):
        raise InputError(
            f"line {lines[0][0]} ({', '.join(head)}) names three columns, which may be the input, the output and the probability: if they "
            "are, write 'i,j,p' in its place, i above the inputs; else write a line for each input",
            line=lines[0][0],
        )
    place = "first" if first else "second"
    return f"the {place} has the inputs and the third the probabilities, a line for each pair", (kept if first else turned, commas)


def _require_one_type(types: list[str], number: int) -> None:
    """Refuse the tables of several types of cells in one, as those of magnitudes have them."""
    several = list(dict.fromkeys(types))
    if len(several) > 1:
        raise InputError(
            f"line {number} names a column 'type', which has {brief(several)}: each type is a table of its own; give the lines of one type",
            line=number,
        )


def long_form_fault(rows: Sequence[Sequence[Cell]]) -> str | None:
    """What to say of lines that are no rows, and may be ``i, j, p`` without a line of names.

    Two of each three cells are labels, no pair of them comes twice, and the last ones are probabilities that
    sum to 1 for each first label.

    >>> long_form_fault([["0", "0", "1"], ["1", "0", "1/2"], ["1", "1", "1/2"]])
    "the lines may be input, output and probability: if they are, begin with the line 'i,j,p'"
    >>> long_form_fault([["1/2", "1/4", "1/4"]])
    """
    lines = [(0, [str(x) for x in row]) for row in rows]
    fits = all(len(cells) == 3 and all(map(is_integer_label, cells[:2])) for _, cells in lines)
    if not fits or not are_distinct([tuple(cells[:2]) for _, cells in lines]) or not _are_distributions(lines):
        return None
    return "the lines may be input, output and probability: if they are, begin with the line 'i,j,p'"


def _numbers(rows: list[list[str]]) -> list[list[Rational]] | None:
    """The cells as numbers; None if one is none."""
    try:
        return [[Rational(plain_number(cell)) for cell in row] for row in rows]
    except (InputError, ResourceLimitError):
        return None


def _all_rows(numbers: list[list[Rational]]) -> bool:
    """Whether all lines are rows of probabilities."""
    return all(sum(row, Rational(0)) == 1 and min(row) >= 0 for row in numbers)


def _whole(numbers: list[list[Rational]]) -> bool:
    """Whether all numbers are whole: entries of a table, as likely as labels."""
    return all(x.denominator == 1 for row in numbers for x in row)


def _are_distributions(lines: list[Line]) -> bool:
    """Whether the last cells of lines ``i, j, p`` are probabilities: their sum is 1 for each i, about."""
    found = _numbers([cells[2:] for _, cells in lines])
    totals: dict[str, Rational] = {}
    for (_, cells), (p,) in zip(lines, found or (), strict=False):
        totals[cells[0]] = totals.get(cells[0], Rational(0)) + p
    near = all(abs(total - 1) <= MOST_ROUNDING for total in totals.values())
    return found is not None and near and all(0 <= p <= 1 for (p,) in found)


def _in_order(labels: list[str]) -> list[str]:
    """Each label once: whole numbers by size, others as they come."""
    found = list(dict.fromkeys(labels))
    return sorted(found, key=int) if all(map(is_integer_label, found)) else found
