# SPDX-License-Identifier: MIT
"""Immutable exact matrices over any of the fields.

Examples
--------
>>> A = ExactMatrix([["1/2", "1/2"], [0, 1]])
>>> A @ A
ExactMatrix([['1/4', '3/4'], ['0', '1']])
>>> A.det(), A.solve(ExactMatrix([[1], [1]])) == ExactMatrix([[1], [1]])
(Rational('1/2'), True)
>>> A[0, :], A[:, 1]
(ExactMatrix([['1/2', '1/2']]), ExactMatrix([['1/2'], ['1']]))
>>> 2 * A ** -1 - A / 2
ExactMatrix([['15/4', '-9/4'], ['0', '3/2']])
"""

from __future__ import annotations

import numbers
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

from flint import fmpq_mat, fmpz_mat

from exactdp.display import LARGEST, Drawn
from exactdp.errors import (
    DomainError,
    InexactInputError,
    InputError,
    LabelError,
    MixedDomainError,
    RationalSyntaxError,
    ShapeError,
    UndecidedSignError,
    wrong_kind,
)
from exactdp.exact.assumptions import MOST_CHARACTERS, unknown_letter
from exactdp.exact.coerce import entries_of, frame_rows, index_labels
from exactdp.exact.comparison import common_field, field_of
from exactdp.exact.decimals import decimal_rows
from exactdp.exact.exponential import reader_of_exponentials
from exactdp.exact.field import Immutable, OrderedField, Scalar
from exactdp.exact.formula import LEVEL, names_in, parse_expression
from exactdp.exact.functions import RationalFunction, RationalFunctionField
from exactdp.exact.identity import same_formula
from exactdp.exact.inexact import is_decimal
from exactdp.exact.rational import QQ, Rational, require_no_float
from exactdp.exact.region_functions import RegionField
from exactdp.exact.repeated import different
from exactdp.exact.sympy_operators import Symbols, is_expression, number_from_sympy, numbers_from_sympy, symbols_for
from exactdp.runtime.budget import figure, require_budget
from exactdp.runtime.progress import row_by_row

if TYPE_CHECKING:
    import numpy


class ExactMatrix(Drawn, Immutable):
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

    Examples
    --------
    >>> from exactdp import ExactMatrix
    >>> A = ExactMatrix([["1/2", "1/2"], [0, "0.25"]])
    >>> print(A * A)
    1/4   3/8
      0  1/16
    >>> A.det()
    Rational('1/8')
    """

    __slots__ = ("_field", "_hash", "_stochastic", "_store")
    __array_ufunc__ = None  # a NumPy array beside a matrix is refused, not taken entry by entry
    _field: OrderedField
    _hash: int | None
    _stochastic: bool | None
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
                message = f"row {i} has {len(row)} entries, row 0 has {len(lists[0])}"
                raise ShapeError(message, expected=len(lists[0]), got=len(row))
        shape = len(lists), len(lists[0])
        found = field_of(x for row in row_by_row(lists, "the numbers of a table", shape) for x in row)
        field = found if field is None or field is QQ else common_field(field, found)
        each = row_by_row(enumerate(lists), "the entries of a table", shape)
        self._set(field, field.pack(_entries(field, each)))

    def _set(self, field: OrderedField, store: Any) -> None:
        object.__setattr__(self, "_field", field)
        object.__setattr__(self, "_store", store)
        object.__setattr__(self, "_hash", None)
        object.__setattr__(self, "_stochastic", None)

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
        rows, columns = operator.index(rows), operator.index(columns)
        require_budget(f"the matrix of {figure(rows)} × {figure(columns)} entries", numbers=rows * columns)
        each = row_by_row(range(rows), "what the entries of a table are", (rows, columns))
        return cls([[entry(i, j) for j in range(columns)] for i in each], field)

    @classmethod
    def of_two_values(cls, size: int, inside: Any, outside: Any) -> ExactMatrix:
        """The square matrix with one scalar in its diagonal and another outside it.

        >>> ExactMatrix.of_two_values(2, Rational(1), Rational("1/2"))
        ExactMatrix([['1', '1/2'], ['1/2', '1']])
        """
        field = common_field(inside, outside)
        on, off = field(inside), field(outside)
        return cls._from_store(field, field.pack([[off] * i + [on] + [off] * (size - 1 - i) for i in range(size)]))

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

    @overload
    def __getitem__(self, position: tuple[SupportsIndex, SupportsIndex]) -> Any: ...
    @overload
    def __getitem__(self, position: tuple[slice, SupportsIndex | slice] | tuple[SupportsIndex, slice]) -> ExactMatrix: ...

    def __getitem__(self, position: tuple[SupportsIndex | slice, SupportsIndex | slice]) -> Any:
        """One entry, or with a slice for rows or columns a matrix of those.

        >>> M = ExactMatrix([[1, 2, 3], [4, 5, 6]])
        >>> M[1, -1], M[0, :], M[:, ::2]
        (Rational('6'), ExactMatrix([['1', '2', '3']]), ExactMatrix([['1', '3'], ['4', '6']]))
        """
        try:
            i, j = position
        except (TypeError, ValueError):
            message = f"a matrix has rows and columns; write M[i, j] or M[i, :], not M[{position!r}]"
            raise InputError(message, value=position) from None
        rows, columns = self._field.shape(self._store)
        if type(i) is not int or type(j) is not int:
            if isinstance(i, slice) or isinstance(j, slice):
                return ExactMatrix([[self[k, m] for m in _places(j, columns, "column")] for k in _places(i, rows, "row")], self._field)
            i, j = operator.index(i), operator.index(j)
        if not (-rows <= i < rows and -columns <= j < columns):
            raise IndexError(f"({i}, {j}) is outside a {rows}×{columns} matrix")
        return self._field.entry(self._store, i % rows, j % columns)

    def row(self, i: int) -> tuple[Any, ...]:
        """The entries of row i."""
        rows, columns = self.shape
        if not -rows <= i < rows:
            raise IndexError(f"row {i} is outside a {rows}×{columns} matrix")
        return self._field.row(self._store, i % rows)

    def column(self, j: int) -> tuple[Any, ...]:
        """The entries of column j."""
        return tuple(self[i, j] for i in range(self.shape[0]))

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """All rows, first to last."""
        return (self.row(i) for i in range(self.shape[0]))

    def numbers(self) -> Iterator[Any]:
        """The numbers that its entries are, each at least once: all entries, where no formula has fewer."""
        return (x for row in self.rows() for x in row)

    def integer_rows(self) -> tuple[int, list[list[int]]]:
        """Of a matrix over ℚ the least common denominator, and the rows of integers over it.

        >>> ExactMatrix([["1/2", "1/3"], [0, 1]]).integer_rows()
        (6, [[3, 2], [0, 6]])
        """
        common, flat = QQ.integers(self.over(QQ)._store)
        width = self.shape[1]
        return common, [flat[k : k + width] for k in range(0, len(flat), width)]

    def integers_of_rows(self) -> Iterator[tuple[Any, list[Any]]]:
        """Of a matrix over ℚ, for each row the least common denominator, and the integers of FLINT over it.

        >>> list(ExactMatrix([["1/2", "1/3"], [0, 1]]).integers_of_rows())
        [(6, [3, 2]), (1, [0, 1])]
        """
        return QQ.integers_of_rows(self.over(QQ)._store)

    def over_row_sums(self) -> ExactMatrix:
        """The matrix over ℚ or another field with each row divided by its sum, which is not 0.

        >>> ExactMatrix([["1/2", "1/3"], [0, 2]]).over_row_sums()
        ExactMatrix([['3/5', '2/5'], ['0', '1']])
        """
        if self._field is QQ:
            return ExactMatrix._from_store(QQ, QQ.over_row_sums(self._store))
        rows = [[x / total for x in row] for row, total in zip(self.rows(), self.row_sums(), strict=True)]
        return ExactMatrix(rows, self._field)

    def dots(self, other: ExactMatrix) -> tuple[Rational, ...]:
        """Of each row the sum of its entries times those of the same row of another matrix, both over ℚ.

        >>> ExactMatrix([["1/2", "1/3"], [0, 1]]).dots(ExactMatrix([[2, 3], [4, 5]]))
        (Rational('2'), Rational('5'))
        """
        if self.shape != other.shape:
            raise ShapeError(f"rows of {self.shape} and {other.shape} matrices", expected=self.shape, got=other.shape)
        return QQ.row_products(self.over(QQ)._store, other.over(QQ)._store)

    @property
    def T(self) -> ExactMatrix:
        """The transpose."""
        return ExactMatrix._from_store(self._field, self._field.transpose(self._store))

    def __matmul__(self, other: ExactMatrix) -> ExactMatrix:
        if not isinstance(other, ExactMatrix):
            return NotImplemented
        if self.shape[1] != other.shape[0]:
            raise ShapeError(
                f"cannot multiply {self.shape[0]}×{self.shape[1]} by {other.shape[0]}×{other.shape[1]}",
                expected=self.shape[1],
                got=other.shape[0],
            )
        require_budget(f"the product of matrices of {self.shape} and {other.shape}", numbers=self.shape[0] * other.shape[1])
        field = common_field(self, other)
        return ExactMatrix._from_store(field, field.matmul(self.over(field)._store, other.over(field)._store))

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

    def __mul__(self, other: Any) -> ExactMatrix:
        """The product with a matrix, as ``@``, or with a number.

        >>> M = ExactMatrix([[1, 2], [0, 1]])
        >>> M * M == M @ M == M**2, M * 2 == 2 * M == M + M
        (True, True)
        """
        return self @ other if isinstance(other, ExactMatrix) else self._scaled(other, operator.mul)

    def __rmul__(self, other: Any) -> ExactMatrix:
        return self._scaled(other, operator.mul)

    def __truediv__(self, other: Any) -> ExactMatrix:
        return self._scaled(other, operator.truediv)

    def _scaled(self, number: Any, operation: Callable[[Any, Any], Any]) -> ExactMatrix:
        """Every entry multiplied or divided by a number; NotImplemented for anything else."""
        require_no_float(number)
        if is_decimal(number):
            number = Rational(number)
        if is_expression(number):
            number = self._factor(number)
        if not isinstance(number, Scalar | numbers.Rational):
            return NotImplemented  # type: ignore[no-any-return]
        field = common_field(self, number)
        factor = field(number)
        return ExactMatrix([[operation(x, factor) for x in row] for row in self.over(field).rows()], field)

    def _factor(self, expression: Any) -> Any:
        """A number of sympy that the matrix is multiplied or divided by; its letters must be the matrix's."""
        own = self._field if self._field.letters else None
        strange = sorted({s.name for s in expression.free_symbols} - set(self._field.letters))
        if strange:
            message = f"{expression} has the letter {strange[0]}, which the matrix has not; for a matrix of sympy write M.to_sympy()"
            raise InputError(message, value=expression)
        return number_from_sympy(expression, own)

    def __pow__(self, exponent: SupportsIndex) -> ExactMatrix:
        """The power of a square matrix; of a non-singular one also with a negative exponent.

        >>> ExactMatrix([[2, 0], [1, 1]]) ** -1
        ExactMatrix([['1/2', '0'], ['-1/2', '1']])
        """
        self._square("a power")
        k = operator.index(exponent)
        base = self.inverse() if k < 0 else self
        result = ExactMatrix.identity(self.shape[0], self._field)
        for bit in bin(abs(k))[2:]:
            for size in (x.power_size(2) for row in result.rows() for x in row):
                require_budget(f"the power of a matrix with the exponent {figure(k)}", **size)
            result = result @ result
            if bit == "1":
                result = result @ base
        return result

    def _square(self, what: str) -> None:
        if self.shape[0] != self.shape[1]:
            message = f"{what} needs a square matrix, this one is {self.shape[0]}×{self.shape[1]}"
            raise ShapeError(message, expected="square", got=self.shape)

    def row_sums(self) -> tuple[Any, ...]:
        """The exact sum of every row.

        >>> ExactMatrix([["1/2", "1/2"], [1, 1]]).row_sums()
        (Rational('1'), Rational('2'))
        """
        return self._field.row_sums(self._store)

    def is_stochastic(self) -> bool:
        """Whether entries are ≥ 0, and every row sums to 1, exactly.

        >>> ExactMatrix([["1/2", "1/2"]]).is_stochastic(), ExactMatrix([["3/2", "-1/2"]]).is_stochastic()
        (True, False)
        """
        if self._stochastic is None:
            object.__setattr__(self, "_stochastic", self._found_stochastic())
        return bool(self._stochastic)

    def _found_stochastic(self) -> bool:
        """The answer to :meth:`is_stochastic`, which is kept."""
        return self._field.is_stochastic(self._store)

    def det(self) -> Any:
        """The determinant of a square matrix."""
        self._square("a determinant")
        return self._field.det(self._store)

    def rank(self) -> int:
        """The rank; of a matrix with letters the one that it has at every point, or else DomainError.

        >>> from exactdp.exact import RegionField
        >>> p = RegionField("0 < p < 1").gen
        >>> ExactMatrix([[p, p * p], [1, p]]).rank()
        1
        """
        self._field.require_one_rank(self._store)
        return self._field.rank(self._store)

    def generic_rank(self) -> int:
        """The rank as a matrix of formulas: the largest that it has at any point of the letters."""
        return self._field.rank(self._store)

    def solve(self, right: ExactMatrix) -> ExactMatrix:
        """The X with ``self @ X == right``; ZeroDivisionError if this matrix is singular.

        A matrix with letters must be singular at no point of their region: DomainError names one otherwise.

        >>> from exactdp.exact import RegionField
        >>> p = RegionField("0 <= p <= 1").gen
        >>> ExactMatrix([[1 - p, p], [p, 1 - p]]).inverse()
        Traceback (most recent call last):
        ...
        exactdp.errors.DomainError: the matrix is singular at p = 1/2: its determinant is -2*p + 1; ...
        """
        found = self.generic_solve(right)
        field = found.field
        field.require_regular(self.over(field)._store)
        field.require_defined(right.over(field)._store)
        return found

    def generic_solve(self, right: ExactMatrix) -> ExactMatrix:
        """The same in formulas, wherever in the region of its letters this matrix may be singular.

        It is for who looks at these points: by the sign of the determinant, or because the entries of the
        answer are judged by comparisons, which name their poles.
        """
        self._square("solve")
        if right.shape[0] != self.shape[0]:
            message = f"the right side has {right.shape[0]} rows, not {self.shape[0]}"
            raise ShapeError(message, expected=self.shape[0], got=right.shape[0])
        field = common_field(self, right)
        return ExactMatrix._from_store(field, field.solve(self.over(field)._store, right.over(field)._store))

    def inverse(self) -> ExactMatrix:
        """The inverse of a square non-singular matrix."""
        return self.solve(ExactMatrix.identity(self.shape[0], self._field))

    def generic_inverse(self) -> ExactMatrix:
        """The inverse in formulas, as :meth:`generic_solve`."""
        return self.generic_solve(ExactMatrix.identity(self.shape[0], self._field))

    # --- Other libraries ---

    def to_sympy(self, letters: Iterable[Any] | Symbols = ()) -> Any:
        """The matrix in sympy, every entry exact: the level is ``Symbol("a")``, and e^(−ε) is ``exp``.

        Parameters
        ----------
        letters : symbols of sympy, or mapping of str to symbol
            What the letters are to be; symbols without assumptions unless given. A symbol's assumptions must
            hold wherever the letter may be.

        Raises
        ------
        InputError
            A symbol is none of a letter here, or an assumption does not hold.

        Examples
        --------
        >>> ExactMatrix([["1/2", "1/2"]]).to_sympy()
        Matrix([[1/2, 1/2]])
        """
        from sympy import Matrix

        chosen = symbols_for(self._field, letters)
        return Matrix([[x._in_sympy(chosen) for x in row] for row in self.rows()])

    def _sympy_(self) -> Any:
        """What sympy asks for."""
        return self.to_sympy()

    @classmethod
    def from_sympy(cls, matrix: Any, field: OrderedField | None = None) -> ExactMatrix:
        """The matrix that a matrix of sympy is, exactly.

        Parameters
        ----------
        matrix : sympy Matrix
            Entries made by ``+ − * /`` and integer powers of rationals and of one kind of further numbers:
            symbols, or ``exp(−1/2)``, ``exp(−sqrt(2)/2)``, …, or one ``CRootOf``, or roots like ``sqrt(2)``.
        field : OrderedField, optional
            What the matrix is to be over: the least field with its entries unless given. One symbol is the
            level on (0, 1). What a symbol is assumed to be must hold wherever its letter may be.

        Raises
        ------
        InexactInputError
            An entry has a Float in it.
        InputError
            An entry is of another kind, or a symbol's assumption does not hold; names row and column, or the
            symbol.

        Examples
        --------
        >>> from sympy import Matrix, Symbol
        >>> ExactMatrix.from_sympy(Matrix([[1 - Symbol("a"), Symbol("a")]]))
        ExactMatrix([['-a + 1', 'a']])
        """
        if not hasattr(matrix, "is_Matrix") or len(getattr(matrix, "shape", ())) != 2:  # every object of sympy has is_Matrix
            raise wrong_kind("matrix", matrix, "a matrix of sympy")
        rows = [[matrix[i, j] for j in range(matrix.shape[1])] for i in range(matrix.shape[0])]
        return cls(numbers_from_sympy(rows, field), field)

    def to_flint(self) -> fmpq_mat:
        """A new ``flint.fmpq_mat`` of a rational matrix; MixedDomainError for another one.

        >>> ExactMatrix([["1/2", "1/2"]]).to_flint()
        [1/2, 1/2]
        """
        if self._field is not QQ:
            raise MixedDomainError(
                f"FLINT has matrices of rational numbers, and this one is over {self._field}; give to_sympy() or to_numpy()",
                fields=(self._field, QQ),
            )
        return fmpq_mat(self._store)

    @classmethod
    def from_flint(cls, matrix: fmpq_mat | fmpz_mat) -> ExactMatrix:
        """The matrix that a ``fmpq_mat`` or ``fmpz_mat`` is.

        >>> from flint import fmpz_mat
        >>> ExactMatrix.from_flint(fmpz_mat([[1, 2]]))
        ExactMatrix([['1', '2']])
        """
        if not isinstance(matrix, fmpq_mat | fmpz_mat) or not matrix.nrows() * matrix.ncols():
            raise wrong_kind("matrix", matrix, "a fmpq_mat or fmpz_mat with entries")
        return cls._from_store(QQ, fmpq_mat(matrix))

    def to_numpy(self, dtype: Any = None) -> numpy.ndarray[Any, Any]:
        """An array of objects: Fractions for rational numbers, else our own numbers; nothing is rounded.

        Parameters
        ----------
        dtype : dtype, optional
            With ``float`` every entry is rounded to the nearest double, which is for pictures and other
            libraries, never for a verdict. Shorter floats are rounded from that double.

        Raises
        ------
        InexactInputError
            The dtype has no room for fractions, or an entry is a function of letters, which is no number.

        Examples
        --------
        >>> ExactMatrix([["1/2", "1/3"]]).to_numpy()
        array([[Fraction(1, 2), Fraction(1, 3)]], dtype=object)
        >>> ExactMatrix([["1/2", "1/3"]]).to_numpy(float)
        array([[0.5       , 0.33333333]])
        """
        import numpy as np

        kind = np.dtype(object if dtype is None else dtype)
        if kind.kind not in "Ofc":
            message = f"a matrix of exact numbers is no array of {dtype}; leave dtype out, or give float, which rounds"
            raise InexactInputError(message)
        if kind.kind != "O":
            rows = [[float(x) for x in row] for row in self.rows()]
            return np.array(rows, dtype=float).astype(kind)
        result = np.empty(self.shape, dtype=object)
        for i, row in enumerate(self.rows()):
            for j, x in enumerate(row):
                result[i, j] = x.as_fraction() if isinstance(x, Rational) else x
        return result

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> numpy.ndarray[Any, Any]:
        return self.to_numpy(dtype)

    @classmethod
    def from_numpy(cls, array: numpy.ndarray[Any, Any]) -> ExactMatrix:
        """The matrix of an array of integers, texts or exact objects; InexactInputError for floats.

        >>> import numpy as np
        >>> ExactMatrix.from_numpy(np.array([[1, 2]]))
        ExactMatrix([['1', '2']])
        """
        if not hasattr(array, "ndim"):
            raise wrong_kind("array", array, "an array of numpy")
        if array.ndim != 2:
            raise ShapeError(f"{type(array).__name__} of {array.ndim} dimensions; a matrix has two", expected=2, got=array)
        return cls(array.tolist())

    def to_pandas(self, index: Sequence[str] | None = None, columns: Sequence[str] | None = None) -> Any:
        """A data frame of the objects of :meth:`to_numpy`, with labels if some are given.

        Raises InputError if pandas is not installed.
        """
        return library("pandas", "frames").DataFrame(self.to_numpy(), index=index, columns=columns)

    @classmethod
    def from_pandas(cls, frame: Any) -> ExactMatrix:
        """The matrix of a data frame without labels; with labels it is a table: ``table_of(frame)``.

        Raises LabelError if the frame has labels, InexactInputError for floats.
        """
        rows = frame_rows(frame)
        if index_labels(frame.index) is not None or index_labels(frame.columns) is not None:
            message = "the frame has labels, and a matrix has none; read it with table_of(frame)"
            raise LabelError(message, got=list(frame.columns))
        return cls(rows)

    def to_latex(self, *, decimals: int | None = None, digits: int | None = None) -> str:
        r"""The matrix as a ``bmatrix`` for math mode (amsmath), with the meaning of e^(−ε)'s letter.

        Parameters
        ----------
        decimals, digits : int, optional
            Rounded numbers with so many digits after the point, from 0 to 30, or so many significant ones,
            from 1 to 30; never both. A table has them with its labels (:meth:`Table.to_latex`).

        Raises
        ------
        InputError
            Both are given, or one is no such number; or an entry has a letter, and so no decimals.

        Examples
        --------
        >>> print(ExactMatrix([["1/2", "1/2"], [0, 1]]).to_latex())
        \begin{bmatrix}
        \frac{1}{2} & \frac{1}{2} \\
        0 & 1
        \end{bmatrix}
        """
        rows = list(self.rows())
        numbers = decimal_rows(rows, decimals, digits)
        meanings = self._field.latex_meanings if numbers is None else ""
        if numbers is None:
            latex = {id(x): x.latex() for x in different(chain.from_iterable(rows))}
            numbers = [[latex[id(x)] for x in row] for row in rows]
        body = " \\\\\n".join(map(" & ".join, numbers))
        return f"\\begin{{bmatrix}}\n{body}\n\\end{{bmatrix}}{meanings}"

    @classmethod
    def from_latex(cls, text: str, field: RationalFunctionField | RegionField | None = None) -> ExactMatrix:
        r"""The matrix that was typed in LaTeX, as :meth:`to_latex` writes it, without labels.

        Parameters
        ----------
        text : str
            A ``bmatrix`` or its kin, ``array`` or ``tabular`` (:mod:`exactdp.exact.latex`). Entries are
            numbers, formulas in one letter for the level (``a`` or ``\alpha``), or formulas in the t whose
            meaning stands beside the matrix.
        field : RationalFunctionField or RegionField, optional
            That of the letters; the functions of one on (0, 1) unless given.

        Raises
        ------
        InputError
            It is no table of LaTeX, or an entry is neither number nor formula; names its row and column.

        Examples
        --------
        >>> M = ExactMatrix([["1/2", "1/2"], [0, 1]])
        >>> ExactMatrix.from_latex(M.to_latex()) == M
        True
        >>> ExactMatrix.from_latex(r"\begin{pmatrix} 1-\alpha & \alpha \\ \tfrac12 & \tfrac12 \end{pmatrix}")
        ExactMatrix([['-a + 1', 'a'], ['1/2', '1/2']])
        """
        from exactdp.exact.latex import latex_lines

        if not isinstance(text, str):
            raise wrong_kind("text", text, r"LaTeX such as \begin{bmatrix} 1 & 0 \end{bmatrix}")
        if isinstance(field, RegionField):
            lines = [cells for _, cells in latex_lines(text, field.names)]
            return cls([[_read(field, cell, i, j) for j, cell in enumerate(cells)] for i, cells in enumerate(lines)], field)
        rows = [cells for _, cells in latex_lines(text)]
        exponentials = [cell for cells in rows for cell in cells if "exp(" in cell]
        letter = (RationalFunctionField() if field is None else field).gen
        formula = reader_of_exponentials(exponentials) if exponentials else partial(_formula, letter)
        return cls([[_read(formula, cell, i, j) for j, cell in enumerate(cells)] for i, cells in enumerate(rows)])

    # --- Equality and words ---

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ExactMatrix):
            return NotImplemented
        if self.shape != other.shape:
            return False
        if not (self._field.letters or other._field.letters):
            return bool(self._store == other._store) if self._field == other._field else tuple(self.rows()) == tuple(other.rows())
        undecided: UndecidedSignError | None = None
        for mine, its in zip(self.rows(), other.rows(), strict=True):
            for x, y in zip(mine, its, strict=True):
                try:
                    if x != y:  # nowhere equal
                        return False
                except UndecidedSignError as error:
                    undecided = undecided or error
        if undecided is not None:
            raise undecided
        return True

    def same_formulas(self, other: ExactMatrix) -> bool:
        """Whether the entries are the same formulas; of numbers whether they are equal.

        >>> from exactdp.exact import RegionField
        >>> p = RegionField("0 < p < 1").gen
        >>> ExactMatrix([[2 * p]]).same_formulas(ExactMatrix([[p + p]]))
        True
        """
        if self.shape != other.shape:
            return False
        pairs = zip(self.rows(), other.rows(), strict=True)
        return all(same_formula(x, y) for mine, its in pairs for x, y in zip(mine, its, strict=True))

    def __hash__(self) -> int:
        known = self._hash
        if known is None:
            known = hash((self.shape, tuple(self.rows())))
            object.__setattr__(self, "_hash", known)
        return known

    def __reduce__(self) -> tuple[Any, ...]:
        return (ExactMatrix, (tuple(self.rows()), self._field))

    def __repr__(self) -> str:
        rows, columns = self.shape
        if max(rows, columns) > LARGEST:
            return f"<ExactMatrix {rows}×{columns}>"
        entries = [[str(x) for x in row] for row in self.rows()]
        legend = self._field.explained(" ".join(x for row in entries for x in row))
        return f"ExactMatrix({entries}{legend and f', {legend}'})"

    def __str__(self) -> str:
        cells = [[str(x) for x in row] for row in self.rows()]
        widths = [max(len(row[j]) for row in cells) for j in range(self.shape[1])]
        text = "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in cells)
        legend = self._field.explained(text)
        return f"{text}\n({legend})" if legend else text


def _places(chosen: SupportsIndex | slice, size: int, what: str) -> range:
    """The numbers of the rows or columns that an index or a slice names."""
    if isinstance(chosen, slice):
        found = range(size)[chosen]
        if not found:
            message = f"no {what} is between {chosen.start} and {chosen.stop}: there are {size}"
            raise ShapeError(message, expected=">= 1", got=0)
        return found
    k = operator.index(chosen)
    if not -size <= k < size:
        raise IndexError(f"{what} {k} is outside: there are {size}")
    return range(k % size, k % size + 1)


def library(name: str, extra: str) -> Any:
    """An optional library, imported when it is needed; InputError says what installs it.

    >>> library("no_such_library", "frames")
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: no_such_library is not installed; pip install 'exactdp[frames]'
    """
    try:
        return import_module(name)
    except ImportError:
        raise InputError(f"{name} is not installed; pip install 'exactdp[{extra}]'", library=name) from None


def _entries(field: OrderedField, rows: Iterable[tuple[int, Sequence[object]]]) -> list[list[Any]]:
    """The entries of numbered rows as numbers of a field; those that are one object once."""
    known: dict[int, Any] = {}
    if field is QQ:
        return [[x if type(x) is Rational else _rational(x, i, j, known) for j, x in enumerate(row)] for i, row in rows]
    entries: list[list[Any]] = []
    for i, row in rows:
        for j, x in enumerate(row):
            if id(x) not in known:
                known[id(x)] = _entry(field, x, i, j)
        entries.append([known[id(x)] for x in row])
    return entries


def _rational(value: object, i: int, j: int, known: dict[int, Any]) -> Any:
    """An entry over ℚ; integers once, as tables of losses have few different ones."""
    if type(value) is not int:
        return _entry(QQ, value, i, j)
    if value not in known:
        known[value] = Rational(value)
    return known[value]


def _entry(field: OrderedField, value: object, i: int, j: int) -> Any:
    try:
        return field(value)
    except (InputError, DomainError) as error:
        raise type(error)(f"row {i}, column {j}: {error.message}", **error.facts) from None


def _formula(letter: RationalFunction, text: str) -> RationalFunction:
    """A formula in the letter."""
    unknown = [name for name in names_in(text) if name not in LEVEL]
    if unknown and len(unknown[0]) < MOST_CHARACTERS:
        raise unknown_letter(text, unknown[0], LEVEL[:1])
    tree, letters = parse_expression(text), {"a": letter}
    value: RationalFunction = letter.field.evaluated(tree, letters)
    letter.field.require_as_written(tree, letters, value)
    return value


def _read(formula: Callable[[str], Any], text: str, row: int, column: int) -> Any:
    """A number or formula of a cell; an error names its place."""
    try:
        return Rational(text)
    except RationalSyntaxError:
        pass
    try:
        return formula(text)
    except (InputError, DomainError) as error:
        message = f"row {row}, column {column}: {error.message}"
        raise type(error)(message, **{**error.facts, "row": row, "column": column}) from None
