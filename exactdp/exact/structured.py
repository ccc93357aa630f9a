# SPDX-License-Identifier: MIT
"""Matrices that are known by a formula, and written out only when an operation needs every entry.

A table of a thousand rows and columns has a million numbers of hundreds of digits. Three of the kinds here
are known by a few thousand of them: the Kac–Murdock–Szegő matrix times a diagonal, or rows of it, which is
the geometric mechanism; rows with few entries, which are its remaps; and the product of the two. The fourth
has integers of thousands of digits over one denominator, as a solved system of equations has, and reduces no
fraction before it is asked for. An entry, a row, whether two of a kind are equal, and whether the matrix is
row-stochastic follow from these numbers. Everything else is that of
:class:`~exactdp.exact.matrix.ExactMatrix`, which they are.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from math import prod
from operator import index
from typing import Any

from flint import fmpq, fmpz

from exactdp.errors import ShapeError
from exactdp.exact.comparison import common_field, field_of
from exactdp.exact.field import OrderedField, sums_to_one
from exactdp.exact.identity import is_nonzero, same_formula
from exactdp.exact.matrix import ExactMatrix
from exactdp.exact.rational import QQ, Rational, _wrap, integer_vector


class StructuredMatrix(ExactMatrix):
    """A matrix whose entries are computed when they are asked for."""

    __slots__ = ("_columns", "_lines", "_written")
    _columns: int
    _lines: int
    _written: Any

    def _known(self, field: OrderedField, rows: int, columns: int, **numbers: Any) -> None:
        """Set what the matrix is known by."""
        found = {"_field": field, "_hash": None, "_stochastic": None, "_lines": rows, "_columns": columns, "_written": None}
        for name, value in (found | numbers).items():
            object.__setattr__(self, name, value)

    @property
    def _store(self) -> Any:
        """All entries, packed at the first operation that needs them."""
        if self._written is None:
            object.__setattr__(self, "_written", self._field.pack(list(self.rows())))
        return self._written

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        return self._lines, self._columns

    def __getitem__(self, position: Any) -> Any:
        """One entry, or with a slice a matrix of rows and columns, as of any matrix."""
        try:
            i, j = map(index, position)
        except (TypeError, ValueError):
            return super().__getitem__(position)
        rows, columns = self.shape
        if not (-rows <= i < rows and -columns <= j < columns):
            return super().__getitem__(position)
        return self._entry_at(i % rows, j % columns)

    def row(self, i: int) -> tuple[Any, ...]:
        """The entries of row i."""
        rows, columns = self.shape
        if not -rows <= i < rows:
            raise IndexError(f"row {i} is outside a {rows}×{columns} matrix")
        return self._row_at(i % rows)

    @abstractmethod
    def _entry_at(self, i: int, j: int) -> Any:
        """The entry in row i, column j, both counted from 0."""

    @abstractmethod
    def _row_at(self, i: int) -> tuple[Any, ...]:
        """The entries of row i, counted from 0."""

    @abstractmethod
    def _numbers(self) -> tuple[Any, ...]:
        """What the matrix is known by: the arguments that make it again, the field last."""

    def same_formulas(self, other: ExactMatrix) -> bool:
        """Whether the entries are the same formulas: at once if both are known by the same numbers."""
        known = type(other) is type(self) and not self._field.letters
        return (known and self == other) or super().same_formulas(other)

    def __eq__(self, other: object) -> bool:
        if type(other) is type(self) and not (self._field.letters or other._field.letters) and self._numbers() == other._numbers():
            return True  # else they may still be equal: a number may not matter to any entry
        return super().__eq__(other)

    __hash__ = ExactMatrix.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._numbers()


class ScaledPowers(StructuredMatrix):
    """The matrix with the entries α^|i+k−j|·z_j: Kac, Murdock and Szegő's times a diagonal, or rows of it.

    * ``base``: α.
    * ``scales``: z, one for each column.
    * ``field``: a field that the matrix is to be over at least.
    * ``rows``: how many rows; as many as columns unless given.
    * ``before``: k, how many rows of the whole matrix are left out before the first one.

    >>> from exactdp.exact.rational import Rational
    >>> G = ScaledPowers(Rational("1/2"), [Rational("2/3"), Rational("1/3"), Rational("2/3")])
    >>> print(G)
    2/3  1/6  1/6
    1/3  1/3  1/3
    1/6  1/6  2/3
    >>> G[0, 2], G.is_stochastic(), ScaledPowers(Rational("1/2"), [Rational(1)] * 3).is_stochastic()
    (Rational('1/6'), True, False)
    >>> print(ScaledPowers(G.base, G.scales, rows=1, before=1))
    1/3  1/3  1/3
    """

    __slots__ = ("_multiples", "_powers", "base", "before", "scales")
    base: Any
    before: int
    scales: tuple[Any, ...]
    _powers: tuple[Any, ...]
    _multiples: dict[int, tuple[Any, ...]]

    def __init__(self, base: Any, scales: Iterable[Any], field: OrderedField = QQ, *, rows: int | None = None, before: int = 0) -> None:
        scales = tuple(scales)
        lines = len(scales) if rows is None else rows
        if not scales or lines < 1:
            raise ShapeError("a matrix needs at least one row and one column", expected=">= 1", got=0)
        if not 0 <= before <= len(scales) - lines:
            message = f"{before} + {lines} rows are more than {len(scales)}"
            raise ShapeError(message, expected=len(scales), got=before + lines)
        field = common_field(field, base, field_of(scales))
        base, scales = field(base), tuple(map(field, scales))
        powers = tuple(accumulate([base] * (len(scales) - 1), lambda power, x: power * x, initial=field.one))
        if not field.letters:
            equal: dict[Any, Any] = {}
            chosen = {id(z): equal.setdefault(z, z) for z in {id(z): z for z in scales}.values()}
            scales = tuple(chosen[id(z)] for z in scales)  # equal scales are one object
        self._known(field, lines, len(scales), base=base, scales=scales, before=before, _powers=powers, _multiples={})

    @property
    def powers(self) -> tuple[Any, ...]:
        """1, α, α², …, one for each column."""
        return self._powers

    def _numbers(self) -> tuple[Any, ...]:
        return self.base, self.scales, self._field, self._lines, self.before

    def __reduce__(self) -> tuple[Any, ...]:
        return _scaled_powers, self._numbers()

    def _column_at(self, j: int) -> tuple[Any, ...]:
        """The multiples 1, α, α², … of the scale of column j, which columns with that scale share."""
        scale = self.scales[j]
        found = self._multiples.get(id(scale))
        if found is None:
            found = self._multiples[id(scale)] = tuple(power * scale for power in self._powers)
        return found

    def _entry_at(self, i: int, j: int) -> Any:
        return self._column_at(j)[abs(i + self.before - j)]

    def _row_at(self, i: int) -> tuple[Any, ...]:
        place = i + self.before
        return tuple(self._column_at(j)[abs(place - j)] for j in range(self._columns))

    def numbers(self) -> Iterator[Any]:
        """The numbers that its entries are, each at least once."""
        last = {id(scale): j for j, scale in enumerate(self.scales)}
        return (x for j in last.values() for x in self._column_at(j))

    def over(self, field: OrderedField) -> ExactMatrix:
        """The same matrix over another field, with the same formula if that is one of numbers."""
        if field == self._field or field.letters:
            return super().over(field)
        found = ScaledPowers(self.base, self.scales, field, rows=self._lines, before=self.before)
        return found if found.field == field else super().over(field)

    def det(self) -> Any:
        """The determinant, (1−α²)^n·Π z_j of the order n + 1: row i less α times row i + 1 is 0 right of i.

        >>> from exactdp.exact.rational import Rational
        >>> ScaledPowers(Rational("1/2"), [Rational(1), Rational(2)]).det()
        Rational('3/2')
        """
        if self._lines != self._columns:
            return super().det()
        return (1 - self.base * self.base) ** (self._columns - 1) * prod(self.scales, start=self._field.one)

    def _found_stochastic(self) -> bool:
        """Whether entries are ≥ 0, as they are if α ≥ 0 and z ≥ 0, and every row sums to 1.

        The sum of row i is L_i + R_i − z_i with L_i = α·L_(i−1) + z_i from the left and R_i = α·R_(i+1) + z_i
        from the right: two sweeps, and no entry is computed.
        """

        def sweep(scales: Sequence[Any]) -> list[Any]:
            return list(accumulate(scales, lambda carry, z: carry * self.base + z))

        if self.base < 0 or any(z < 0 for z in self.scales):
            return super()._found_stochastic()  # from the entries: an even power of a negative number may be positive
        both = list(zip(sweep(self.scales), reversed(sweep(self.scales[::-1])), self.scales, strict=True))
        return all(same_formula(left + right - z, 1) for left, right, z in both[self.before : self.before + self._lines])


def _scaled_powers(base: Any, scales: tuple[Any, ...], field: OrderedField, rows: int, before: int) -> ScaledPowers:
    """The matrix again, from what it is known by."""
    return ScaledPowers(base, scales, field, rows=rows, before=before)


class SparseRows(StructuredMatrix):
    """A matrix with few entries in each row; all others are 0.

    * ``entries``: for each row the entries by column number.
    * ``columns``: how many columns there are.
    * ``field``: a field that the matrix is to be over at least.

    >>> from exactdp.exact.rational import Rational
    >>> T = SparseRows([{0: Rational(1)}, {1: Rational("1/3"), 2: Rational("2/3")}], 3)
    >>> T
    ExactMatrix([['1', '0', '0'], ['0', '1/3', '2/3']])
    >>> T.is_stochastic()
    True
    """

    __slots__ = ("entries",)
    entries: tuple[dict[int, Any], ...]

    def __init__(self, entries: Sequence[Mapping[int, Any]], columns: int, field: OrderedField = QQ) -> None:
        if not entries or columns < 1:
            raise ShapeError("a matrix needs at least one row and one column", expected=">= 1", got=0)
        outside = [j for row in entries for j in row if not 0 <= j < columns]
        if outside:
            raise ShapeError(f"column {outside[0]} is none of the {columns} columns", expected=columns, got=outside[0])
        field = common_field(field, field_of(x for row in entries for x in row.values()))
        kept = tuple({j: field(row[j]) for j in sorted(row) if is_nonzero(row[j])} for row in entries)
        self._known(field, len(kept), columns, entries=kept)

    def _numbers(self) -> tuple[Any, ...]:
        return self.entries, self._columns, self._field

    def _entry_at(self, i: int, j: int) -> Any:
        return self.entries[i].get(j, self._field.zero)

    def _row_at(self, i: int) -> tuple[Any, ...]:
        row = [self._field.zero] * self._columns
        for j, x in self.entries[i].items():
            row[j] = x
        return tuple(row)

    def _found_stochastic(self) -> bool:
        """Whether the entries are ≥ 0, and those of each row sum to 1."""
        rows = (row.values() for row in self.entries)
        return all(sums_to_one(self._field, row) and not any(x < 0 for x in row) for row in rows)


class OverOneDenominator(StructuredMatrix):
    """The matrix of the fractions p_ij/q of integers; an entry is in lowest terms only when it is asked for.

    * ``numerators``: p.
    * ``denominator``: q > 0.

    >>> M = OverOneDenominator([[2, 4], [3, 3]], 6)
    >>> print(M)
    1/3  2/3
    1/2  1/2
    >>> M.is_stochastic(), M.row_products([[3, 6], [0, 1]])
    (True, (Rational('5'), Rational('1/2')))
    """

    __slots__ = ("denominator", "numerators")
    numerators: tuple[tuple[Any, ...], ...]
    denominator: Any

    def __init__(self, numerators: Sequence[Sequence[Any]], denominator: Any) -> None:
        rows = tuple(tuple(map(fmpz, row)) for row in numerators)
        if not rows or not rows[0]:
            raise ShapeError("a matrix needs at least one row and one column", expected=">= 1", got=0)
        ragged = [i for i, row in enumerate(rows) if len(row) != len(rows[0])]
        if ragged:
            message = f"row {ragged[0]} is longer or shorter than row 0"
            raise ShapeError(message, expected=len(rows[0]), got=len(rows[ragged[0]]))
        if denominator <= 0:
            raise ShapeError("a common denominator is positive", expected="> 0", got=denominator)
        self._known(QQ, len(rows), len(rows[0]), numerators=rows, denominator=fmpz(denominator))

    def _numbers(self) -> tuple[Any, ...]:
        return self.numerators, self.denominator

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), ([[int(x) for x in row] for row in self.numerators], int(self.denominator))

    def _entry_at(self, i: int, j: int) -> Rational:
        return _wrap(fmpq(self.numerators[i][j], self.denominator))

    def _row_at(self, i: int) -> tuple[Rational, ...]:
        return tuple(_wrap(fmpq(x, self.denominator)) for x in self.numerators[i])

    def _found_stochastic(self) -> bool:
        """Whether the integers are ≥ 0, and those of each row sum to the denominator."""
        return all(min(row) >= 0 and sum(row) == self.denominator for row in self.numerators)

    def row_products(self, rows: Iterable[Sequence[Any]]) -> tuple[Rational, ...]:
        """Of each row the sum of its entries times those of the same row of another rational matrix."""
        found = []
        for own, other in zip(self.numerators, rows, strict=True):
            common, factors = integer_vector(list(map(QQ, other)))
            total = sum((x * factor for x, factor in zip(own, factors, strict=True) if x), fmpz(0))
            found.append(_wrap(fmpq(total, self.denominator * common)))
        return tuple(found)


class SparseProduct(StructuredMatrix):
    """A matrix times one with few entries in each row, such as a geometric mechanism after a remap.

    * ``left``: whose entries are known, by a formula or as they are.
    * ``right``: with a row for each column of the left one.

    >>> from exactdp.exact.rational import Rational
    >>> G = ScaledPowers(Rational("1/2"), [Rational("2/3"), Rational("1/3"), Rational("2/3")])
    >>> T = SparseRows([{0: Rational(1)}, {0: Rational(1)}, {1: Rational(1)}], 2)
    >>> found = SparseProduct(G, T)
    >>> print(found)
    5/6  1/6
    2/3  1/3
    1/3  2/3
    >>> found == G @ T, found[0, 1], found.is_stochastic()
    (True, Rational('1/6'), True)
    """

    __slots__ = ("_by_column", "left", "right")
    left: ExactMatrix
    right: SparseRows
    _by_column: tuple[list[tuple[int, Any]], ...]

    def __init__(self, left: ExactMatrix, right: SparseRows) -> None:
        (rows, inner), (height, columns) = left.shape, right.shape
        if inner != height:
            raise ShapeError(f"{rows}×{inner} times {height}×{columns}: the inner sizes differ", expected=inner, got=height)
        field = common_field(left.field, right.field)
        transposed = tuple[list[tuple[int, Any]], ...]([] for _ in range(columns))
        for y, row in enumerate(right.entries):
            for r, x in row.items():
                transposed[r].append((y, None if same_formula(x, 1) else field(x)))  # most weights of a remap are 1
        self._known(field, rows, columns, left=left, right=right, _by_column=transposed)

    def _numbers(self) -> tuple[Any, ...]:
        return self.left, self.right

    def _entry_at(self, i: int, j: int) -> Any:
        return self._sum(j, lambda y: self.left[i, y])

    def _row_at(self, i: int) -> tuple[Any, ...]:
        before = self.left.row(i)
        if self._field is not QQ:
            return tuple(self._sum(j, before.__getitem__) for j in range(self._columns))
        numbers, zero = [x._q for x in before], fmpq()  # FLINT's: only the sums are made our own
        return tuple(_wrap(sum((numbers[y] if x is None else numbers[y] * x._q for y, x in column), zero)) for column in self._by_column)

    def _sum(self, j: int, before: Callable[[int], Any]) -> Any:
        """An entry of column j from those of a row of the left factor."""
        terms = (before(y) if x is None else before(y) * x for y, x in self._by_column[j])
        first = next(terms, self._field.zero)
        return sum(terms, first)

    def _found_stochastic(self) -> bool:
        """Whether the entries are ≥ 0, and those of each row sum to 1, as they do if both factors' do."""
        return (self.left.is_stochastic() and self.right.is_stochastic()) or super()._found_stochastic()
