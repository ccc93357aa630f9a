# SPDX-License-Identifier: MIT
"""Immutable exact matrices over any of the fields.

Examples
--------
>>> A = ExactMatrix([["1/2", "1/2"], [0, 1]])
>>> A @ A
ExactMatrix([['1/4', '3/4'], ['0', '1']])
>>> A.det(), A.solve(ExactMatrix([[1], [1]])) == ExactMatrix([[1], [1]])
(Rational('1/2'), True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from exactdp.errors import InputError, ShapeError
from exactdp.exact.comparison import common_field, field_of
from exactdp.exact.entries import entries_of
from exactdp.exact.field import Immutable, OrderedField
from exactdp.exact.rational import QQ


class ExactMatrix(Immutable):
    """A matrix over an exact ordered field: immutable, hashable, picklable.

    Parameters
    ----------
    rows : sequence of sequences
        Entries as the field accepts them (for ℚ: text, ints, Fractions, Rationals), all rows of one length ≥
        1.
    field : OrderedField, optional
        A field that the matrix is to be over at least. An entry of another field than ℚ makes it a matrix
        over that field.

    Raises
    ------
    ShapeError
        No rows, or rows of different lengths.
    RationalSyntaxError, InexactInputError
        An entry is not an exact number; the message names its row and column.
    MixedDomainError
        The entries are in two different fields other than ℚ; names both.
    """

    __slots__ = ("_field", "_hash", "_store")
    _field: OrderedField
    _hash: int | None
    _store: Any

    def __init__(self, rows: Sequence[Sequence[object]], field: OrderedField | None = None) -> None:
        lists = [
            list(row) if isinstance(row, (list, tuple)) else entries_of(row, f"entries of row {i}")
            for i, row in enumerate(entries_of(rows, "rows of the matrix"))
        ]
        if not lists or not lists[0]:
            raise ShapeError("a matrix needs at least one row and one column", expected=">= 1", got=0)
        for i, row in enumerate(lists):
            if len(row) != len(lists[0]):
                raise ShapeError(f"row {i} has {len(row)} entries, row 0 has {len(lists[0])}", expected=len(lists[0]), got=len(row))
        found = field_of(x for row in lists for x in row)
        field = found if field is None or field is QQ else common_field(field, found)
        self._set(field, field.pack([[_entry(field, x, i, j) for j, x in enumerate(row)] for i, row in enumerate(lists)]))

    def _set(self, field: OrderedField, store: Any) -> None:
        object.__setattr__(self, "_field", field)
        object.__setattr__(self, "_store", store)
        object.__setattr__(self, "_hash", None)

    @classmethod
    def _from_store(cls, field: OrderedField, store: Any) -> ExactMatrix:
        result = object.__new__(cls)
        result._set(field, store)
        return result

    @classmethod
    def build(cls, rows: int, columns: int, entry: Callable[[int, int], object], field: OrderedField | None = None) -> ExactMatrix:
        """The matrix with the entries ``entry(i, j)``, over their field unless one is given.

        >>> ExactMatrix.build(2, 2, lambda i, j: abs(i - j))
        ExactMatrix([['0', '1'], ['1', '0']])
        """
        return cls([[entry(i, j) for j in range(columns)] for i in range(rows)], field)

    @classmethod
    def identity(cls, size: int, field: OrderedField = QQ) -> ExactMatrix:
        """The identity matrix."""
        return cls.build(size, size, lambda i, j: int(i == j), field)

    @property
    def field(self) -> OrderedField:
        """The field of the entries."""
        return self._field

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        return self._field.shape(self._store)

    def __getitem__(self, position: tuple[int, int]) -> Any:
        i, j = position
        rows, columns = self.shape
        if not (-rows <= i < rows and -columns <= j < columns):
            raise IndexError(f"({i}, {j}) is outside a {rows}×{columns} matrix")
        return self._field.entry(self._store, i % rows, j % columns)

    def row(self, i: int) -> tuple[Any, ...]:
        """The entries of row i."""
        rows, columns = self.shape
        if not -rows <= i < rows:
            raise IndexError(f"row {i} is outside a {rows}×{columns} matrix")
        entry, store = self._field.entry, self._store
        return tuple(entry(store, i % rows, j) for j in range(columns))

    def column(self, j: int) -> tuple[Any, ...]:
        """The entries of column j."""
        return tuple(self[i, j] for i in range(self.shape[0]))

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """All rows, first to last."""
        return (self.row(i) for i in range(self.shape[0]))

    @property
    def T(self) -> ExactMatrix:
        """The transpose."""
        return self._from_store(self._field, self._field.transpose(self._store))

    def __matmul__(self, other: ExactMatrix) -> ExactMatrix:
        if not isinstance(other, ExactMatrix):
            return NotImplemented
        if self.shape[1] != other.shape[0]:
            raise ShapeError(
                f"cannot multiply {self.shape[0]}×{self.shape[1]} by {other.shape[0]}×{other.shape[1]}",
                expected=self.shape[1],
                got=other.shape[0],
            )
        field = common_field(self, other)
        return self._from_store(field, field.matmul(self.over(field)._store, other.over(field)._store))

    def over(self, field: OrderedField) -> ExactMatrix:
        """The same matrix over another field that has its entries.

        >>> from exactdp.exact import RationalFunctionField
        >>> ExactMatrix([[1, "1/2"]]).over(RationalFunctionField()).field
        RationalFunctionField((0, 1), 'a')
        """
        return self if field is self._field or field == self._field else ExactMatrix(list(self.rows()), field)

    def map(self, function: Callable[[Any], object]) -> ExactMatrix:
        """The matrix of ``function(entry)``, over the field of the results."""
        return ExactMatrix([[function(x) for x in row] for row in self.rows()])

    def __sub__(self, other: ExactMatrix) -> ExactMatrix:
        return self._entrywise(other, lambda x, y: x - y)

    def __add__(self, other: ExactMatrix) -> ExactMatrix:
        return self._entrywise(other, lambda x, y: x + y)

    def _entrywise(self, other: ExactMatrix, operation: Callable[[Any, Any], Any]) -> ExactMatrix:
        if not isinstance(other, ExactMatrix):
            return NotImplemented
        if self.shape != other.shape:
            raise ShapeError(f"shapes {self.shape} and {other.shape} differ", expected=self.shape, got=other.shape)
        field = common_field(self, other)
        pairs = zip(self.over(field).rows(), other.over(field).rows(), strict=True)
        return ExactMatrix([[operation(x, y) for x, y in zip(a, b, strict=True)] for a, b in pairs], field)

    def __neg__(self) -> ExactMatrix:
        return self.map(lambda x: -x)

    def _square(self, what: str) -> None:
        if self.shape[0] != self.shape[1]:
            raise ShapeError(
                f"{what} needs a square matrix, this one is {self.shape[0]}×{self.shape[1]}", expected="square", got=self.shape
            )

    def det(self) -> Any:
        """The determinant of a square matrix."""
        self._square("a determinant")
        return self._field.det(self._store)

    def rank(self) -> int:
        """The rank."""
        return self._field.rank(self._store)

    def solve(self, right: ExactMatrix) -> ExactMatrix:
        """The X with ``self @ X == right``; ZeroDivisionError if this matrix is singular."""
        self._square("solve")
        if right.shape[0] != self.shape[0]:
            raise ShapeError(f"the right side has {right.shape[0]} rows, not {self.shape[0]}", expected=self.shape[0], got=right.shape[0])
        field = common_field(self, right)
        return self._from_store(field, field.solve(self.over(field)._store, right.over(field)._store))

    def inverse(self) -> ExactMatrix:
        """The inverse of a square non-singular matrix."""
        return self.solve(ExactMatrix.identity(self.shape[0], self._field))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ExactMatrix):
            return NotImplemented
        if self.shape != other.shape:
            return False
        return bool(self._store == other._store) if self._field == other._field else tuple(self.rows()) == tuple(other.rows())

    def __hash__(self) -> int:
        known = self._hash
        if known is None:
            known = hash((self.shape, tuple(self.rows())))
            object.__setattr__(self, "_hash", known)
        return known

    def __reduce__(self) -> tuple[Any, ...]:
        return (ExactMatrix, (tuple(self.rows()), self._field))

    def __repr__(self) -> str:
        return f"ExactMatrix({[[str(x) for x in row] for row in self.rows()]})"

    def __str__(self) -> str:
        cells = [[str(x) for x in row] for row in self.rows()]
        widths = [max(len(row[j]) for row in cells) for j in range(self.shape[1])]
        text = "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in cells)
        legend = self._field.explained(text)
        return f"{text}\n({legend})" if legend else text


def _entry(field: OrderedField, value: object, i: int, j: int) -> Any:
    try:
        return field(value)
    except InputError as error:
        raise type(error)(f"row {i}, column {j}: {error.message}", **error.facts) from None
