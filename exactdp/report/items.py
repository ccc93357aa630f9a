# SPDX-License-Identifier: MIT
"""What a report consists of, whatever it is printed as: facts, lists and labelled tables.

All text in them is escaped when they are made (:func:`exactdp.errors.printable`), so that nothing that prints
them can forget it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from itertools import islice
from typing import Any, NamedTuple

from exactdp.errors import printable
from exactdp.exact import ExactMatrix
from exactdp.model import Gain, Labels, Loss, Mechanism, Remap, Table
from exactdp.model.channel import Hyper
from exactdp.report.headline import Headline
from exactdp.runtime.values import dataclass

TRUNCATE = 12
"""Tables with more rows or columns than this are shown with dots."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A name and a value: an exact number, or words."""

    name: str
    value: Any

    def __post_init__(self) -> None:
        _keep(self, name=printable(self.name), value=printable(self.value) if isinstance(self.value, str) else self.value)


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula in letters that is no number of a field, such as a^(2·n−1): on one line, and typeset.

    Attributes
    ----------
    text : str
        As a program reads it.
    mathml, latex : str
        Well-formed XML, and LaTeX for math mode.
    """

    text: str
    mathml: str
    latex: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Listing:
    """A heading and the first few of ``total`` lines; ``cells`` are the same lines in columns, for tables.

    ``rest`` are the other lines, made when they are wanted. Cells are words, numbers or formulas.
    """

    title: str
    lines: tuple[str, ...]
    total: int
    head: tuple[str, ...] = ()
    cells: tuple[tuple[Any, ...], ...] = ()
    rest: Iterable[str] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        texts = {"lines": _all_printable(self.lines), "head": _all_printable(self.head)}
        cells = (tuple(printable(cell) if isinstance(cell, str) else cell for cell in row) for row in self.cells)
        _keep(self, title=printable(self.title), cells=tuple(cells), **texts)


@dataclass(frozen=True, slots=True)
class Grid:
    """A labelled exact matrix; ``sparse`` says that a large one reads better as "row → column: weight".

    Labels that would look alike when escaped are shown as Python writes them.
    """

    title: str
    matrix: ExactMatrix
    rows: Labels
    columns: Labels
    sparse: bool = False

    def __post_init__(self) -> None:
        _keep(self, title=printable(self.title), rows=shown_labels(self.rows), columns=shown_labels(self.columns))


@dataclass(frozen=True, slots=True)
class Section:
    """Items under a heading."""

    title: str
    items: tuple[Item, ...]

    def __post_init__(self) -> None:
        _keep(self, title=printable(self.title))


def _keep(item: object, **fields: object) -> None:
    """Set fields of a frozen item that is being made."""
    for name, value in fields.items():
        object.__setattr__(item, name, value)


def _all_printable(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(printable, texts))


def shown_labels(labels: Sequence[str]) -> tuple[str, ...]:
    r"""The labels of a table as they are shown: different ones differ.

    >>> shown_labels(("\x1b", "b")), shown_labels(("\x1b", "\\x1b"))
    (('\\x1b', 'b'), ("'\\x1b'", "'\\\\x1b'"))
    """
    shown = _all_printable(labels)
    return shown if len(set(shown)) == len(set(labels)) else tuple(map(ascii, labels))


Item = Fact | Listing | Grid | Section

LARGEST_PRODUCT = 200
"""A mechanism known as a remap of the geometric one is written out for people up to so many inputs."""


def grid_of(title: str, thing: Mechanism | Table | Remap | Loss | Gain | ExactMatrix | Hyper) -> Grid:
    """The table of anything with a matrix; of a hyper-distribution a row for each inner, its weight first."""
    if isinstance(thing, ExactMatrix):
        rows, columns = (tuple(str(i) for i in range(size)) for size in thing.shape)
        return Grid(title, thing, rows, columns)
    if isinstance(thing, Hyper):
        entries = ExactMatrix([[p, *inner] for p, inner in zip(thing.outer, thing.inners, strict=True)])
        return Grid(title, entries, tuple(f"inner {k}" for k in range(len(thing.inners))), ("outer", *thing.inputs))
    if isinstance(thing, Remap):
        return Grid(title, thing.matrix, thing.outputs, thing.guesses, sparse=True)
    if isinstance(thing, (Loss, Gain)):
        return Grid(title, thing.matrix, thing.inputs, thing.guesses)
    return Grid(title, thing.matrix, thing.inputs, thing.outputs)


def explained(title: str, thing: Any) -> str:
    """The title of a matrix that stands alone, with what the letters in its entries are.

    >>> from exactdp import geometric
    >>> explained("mechanism", geometric(2, epsilon="1/2"))
    'mechanism, t = e^(−1/2)'
    """
    matrix = thing if isinstance(thing, ExactMatrix) else getattr(thing, "matrix", None)
    letters = "" if matrix is None else matrix.field.explained(" ".join(str(x) for row in matrix.rows() for x in row))
    return ", ".join(filter(None, [title, letters]))


def row_grid(title: str, values: Sequence[Any], labels: Labels) -> Grid:
    """One labelled row of numbers."""
    return Grid(title, ExactMatrix([list(values)]), ("",), labels)


def visible(size: int, limit: int | None = TRUNCATE) -> list[int | None]:
    """The indices to show of ``size``: all, or the first ones, ``None`` for the dots, and the last.

    >>> visible(3), visible(20, 5)
    ([0, 1, 2], [0, 1, 2, None, 19])
    """
    if limit is None or size <= limit:
        return list(range(size))
    return [*range(limit - 2), None, size - 1]


FEW = 6
"""How many tight or violated cells a listing shows."""


def listing(title: str, lines: Iterable[str], total: int, few: int = FEW) -> list[Item]:
    """A listing of the first few lines, or nothing when there are none."""
    left = iter(lines)
    shown = tuple(islice(left, few))
    return [Listing(title, shown, total, rest=left)] if total else []


def columns(
    title: str,
    head: Sequence[str],
    rows: Iterable[Sequence[Any]],
    line: Callable[..., str],
    total: int,
    rest: Iterable[Sequence[Any]] = (),
) -> list[Item]:
    """Rows of cells, each also as a line; nothing if there are none."""
    cells = tuple(tuple(row) for row in rows)
    lines, others = tuple(line(*row) for row in cells), (line(*row) for row in rest)
    return [Listing(title, lines, total, tuple(head), cells, others)] if cells else []


def _nothing_above(_: object) -> list[tuple[str, str]]:
    """Nothing stands above most headlines."""
    return []


class Told(NamedTuple):
    """What is worth telling of one class of evidence: as items, as keys for JSON, and in one line.

    ``headline`` is made of the verdict, as whether it was proved is no part of the evidence. ``above`` are
    lines that stand before it, each with its first word.
    """

    facts: Callable[[Any], list[Item]]
    json: Callable[[Any], dict[str, Any]]
    headline: Callable[[Any], Headline]
    above: Callable[[Any], list[tuple[str, str]]] = _nothing_above
