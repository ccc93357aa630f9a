# SPDX-License-Identifier: MIT
"""What an algorithm may ask of numbers: the interface of an exact ordered field.

Three fields are behind it (docs/design.md): ℚ (:mod:`exactdp.exact.rational`), ℚ(α) on an interval
(:mod:`exactdp.exact.functions`) and ℚ(e^(−ε)) (:mod:`exactdp.exact.exponential`). Algorithms are written
once, over :class:`Scalar` and :class:`OrderedField`; they use ``+ − * / **``, comparisons and ``sign`` and
never ask which field they are in. A sign that a field can't decide raises
:class:`~exactdp.errors.UndecidedSignError`.

The linear algebra here is the generic one (Gaussian elimination on tuples); a field with something faster
overrides it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, Self

from exactdp.errors import ShapeError


class Scalar(ABC):
    """An element of an exact ordered field: immutable, hashable, picklable."""

    __slots__ = ()

    @property
    @abstractmethod
    def field(self) -> OrderedField:
        """The field that the number lives in."""

    @abstractmethod
    def sign(self) -> int:
        """−1, 0 or 1, decided exactly."""

    def weak_sign(self) -> int:
        """0 for zero, otherwise 1 if the number is ≥ 0 and −1 if it is ≤ 0.

        In ℚ(α) these are statements about every point of an interval, and a function that is ≥ 0 with a zero inside has a weak sign
        although it has no :meth:`sign`. Elsewhere the two are the same.
        """
        return self.sign()

    def root(self, degree: int) -> Self | None:
        """The positive element whose power of this degree is this positive one, or None if none is known in
        the field.
        """
        return self if degree == 1 else None

    @abstractmethod
    def __add__(self, other: Any, /) -> Self: ...
    @abstractmethod
    def __radd__(self, other: Any, /) -> Self: ...
    @abstractmethod
    def __sub__(self, other: Any, /) -> Self: ...
    @abstractmethod
    def __rsub__(self, other: Any, /) -> Self: ...
    @abstractmethod
    def __mul__(self, other: Any, /) -> Self: ...
    @abstractmethod
    def __rmul__(self, other: Any, /) -> Self: ...
    @abstractmethod
    def __truediv__(self, other: Any, /) -> Self: ...
    @abstractmethod
    def __rtruediv__(self, other: Any, /) -> Self: ...
    @abstractmethod
    def __pow__(self, exponent: int, /) -> Self: ...
    @abstractmethod
    def __neg__(self) -> Self: ...
    @abstractmethod
    def __hash__(self) -> int: ...
    @abstractmethod
    def __eq__(self, other: object, /) -> bool: ...

    def __lt__(self, other: Any, /) -> bool:
        return bool((self - other).sign() < 0)

    def __le__(self, other: Any, /) -> bool:
        return bool((self - other).sign() <= 0)

    def __gt__(self, other: Any, /) -> bool:
        return bool((self - other).sign() > 0)

    def __ge__(self, other: Any, /) -> bool:
        return bool((self - other).sign() >= 0)

    def __bool__(self) -> bool:
        return self.sign() != 0

    def __abs__(self) -> Self:
        return -self if self.weak_sign() < 0 else self


Rows = Sequence[Sequence[Any]]


class OrderedField(ABC):
    """An exact ordered field, and the linear algebra over it.

    A *store* is the field's own immutable representation of a matrix; only :class:`~exactdp.exact.matrix.ExactMatrix`
    handles it. Here it is a tuple of tuples of scalars.
    """

    __slots__ = ()

    name: str

    @abstractmethod
    def __call__(self, value: object, /) -> Any:
        """The element that ``value`` denotes; text goes through the strict parser, floats are refused."""

    def join(self, other: OrderedField) -> OrderedField | None:
        """The least field that has the numbers of both, or None if there is none."""
        return self if other == self else None

    @property
    def zero(self) -> Any:
        """The number 0."""
        return self(0)

    @property
    def one(self) -> Any:
        """The number 1."""
        return self(1)

    def dot(self, pairs: Iterable[tuple[Any, Any]]) -> Any:
        """Σ x·y over some pairs of scalars of this field."""
        return sum((x * y for x, y in pairs), self.zero)

    def pack(self, rows: Rows) -> Any:
        """The store of a matrix given by rows of scalars of this field."""
        return tuple(tuple(row) for row in rows)

    def shape(self, store: Any) -> tuple[int, int]:
        """Numbers of rows and columns."""
        return len(store), len(store[0]) if store else 0

    def entry(self, store: Any, i: int, j: int) -> Any:
        """One entry of a store."""
        return store[i][j]

    def matmul(self, left: Any, right: Any) -> Any:
        """The product of two stores of fitting shapes."""
        columns = list(zip(*right, strict=True))
        return tuple(tuple(self.dot(zip(row, column, strict=True)) for column in columns) for row in left)

    def transpose(self, store: Any) -> Any:
        """The transpose."""
        return tuple(zip(*store, strict=True))

    def solve(self, matrix: Any, right: Any) -> Any:
        """X with matrix · X = right, for a square non-singular matrix; ZeroDivisionError if it is
        singular.
        """
        size, width = self.shape(matrix)[0], self.shape(right)[1]
        work = [list(a) + list(b) for a, b in zip(matrix, right, strict=True)]
        if self._eliminate(work, size) is None:
            raise ZeroDivisionError("the matrix is singular")
        return tuple(tuple(work[i][size + j] for j in range(width)) for i in range(size))

    def det(self, matrix: Any) -> Any:
        """The determinant of a square matrix."""
        work = [list(row) for row in matrix]
        result = self._eliminate(work, len(work))
        return self.zero if result is None else result

    def rank(self, matrix: Any) -> int:
        """The rank."""
        work = [list(row) for row in matrix]
        columns = len(work[0]) if work else 0
        rank = 0
        for c in range(columns):
            pivot = next((i for i in range(rank, len(work)) if work[i][c]), None)
            if pivot is None:
                continue
            work[rank], work[pivot] = work[pivot], work[rank]
            for i in range(rank + 1, len(work)):
                if work[i][c]:
                    factor = work[i][c] / work[rank][c]
                    work[i] = [x - factor * y for x, y in zip(work[i], work[rank], strict=True)]
            rank += 1
        return rank

    def _eliminate(self, work: list[list[Any]], size: int) -> Any:
        """Bring the first ``size`` columns to the identity in place; the determinant, or None if it is
        zero.
        """
        if any(len(row) < size for row in work):
            raise ShapeError("elimination needs a square matrix", expected=size, got=len(work[0]))
        determinant = self.one
        for c in range(size):
            pivot = next((i for i in range(c, size) if work[i][c]), None)
            if pivot is None:
                return None
            if pivot != c:
                work[c], work[pivot] = work[pivot], work[c]
                determinant = -determinant
            determinant = determinant * work[c][c]
            inverse = self.one / work[c][c]
            work[c] = [x * inverse for x in work[c]]
            for i in range(size):
                if i != c and work[i][c]:
                    factor = work[i][c]
                    work[i] = [x - factor * y for x, y in zip(work[i], work[c], strict=True)]
        return determinant
