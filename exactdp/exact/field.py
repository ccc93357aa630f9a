# SPDX-License-Identifier: MIT
"""What an algorithm may ask of numbers: the interface of an exact ordered field.

The fields (docs/design.md) are ℚ (:mod:`~exactdp.exact.rational`), ℚ(α) on an interval
(:mod:`~exactdp.exact.functions`), ℚ(e^(−ε)) (:mod:`~exactdp.exact.exponential`), ℚ(x₀) for an algebraic x₀
(:mod:`~exactdp.exact.number_field`) and, without an order, ℚ(symbols) (:mod:`~exactdp.exact.symbols`).
Algorithms are written once, over :class:`Scalar` and :class:`OrderedField`; they use ``+ − * / **``,
comparisons and ``sign`` and never ask which field they are in. A sign that a field can't decide raises
:class:`~exactdp.errors.UndecidedSignError`.

The linear algebra here is the generic one, on tuples; a field with something faster overrides it.
"""

from __future__ import annotations

import operator
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

from exactdp.errors import InexactInputError, InputError, ShapeError
from exactdp.exact.elimination import row_echelon
from exactdp.exact.identity import same_formula
from exactdp.exact.inexact import exactly
from exactdp.exact.numpy_operand import NumpyOperand
from exactdp.exact.sympy_operators import Symbols, SympyOperand, compared_with_sympy, is_expression


class Immutable:
    """Attributes are set once, by the descriptors of the slots or ``object.__setattr__``."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable; cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable; cannot delete {name!r}")


class Scalar(NumpyOperand, SympyOperand, ABC):
    """An element of an exact ordered field: immutable, hashable, picklable."""

    __slots__ = ()

    @property
    @abstractmethod
    def field(self) -> OrderedField:
        """The field that the number lives in."""

    @abstractmethod
    def sign(self) -> int:
        """−1, 0 or 1, decided exactly."""

    def power_size(self, exponent: int) -> dict[str, int]:
        """At most about the size of the power with this exponent, which is not computed.

        The keys are those of :func:`exactdp.runtime.budget.require_budget`; the memory is four times that of
        the number itself, with what is needed to compute it.
        """
        return {"memory": 32 * (1 + abs(exponent))}

    def weak_sign(self) -> int:
        """0 for zero, otherwise 1 if the number is ≥ 0 and −1 if it is ≤ 0.

        In ℚ(α) these are statements about every point of an interval, and a function that is ≥ 0 with a zero
        inside has a weak sign although it has no :meth:`sign`. Elsewhere the two are the same.
        """
        return self.sign()

    def root(self, degree: int) -> Self | None:
        """The positive element of the field whose power of this degree is this one; None if none is known."""
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

    def compare(self, other: Any) -> int:
        """The sign of this number minus the other, decided exactly."""
        difference = self - other
        try:
            return int(difference.sign())
        except AttributeError:  # an object of another library took the difference over
            raise self._incomparable(other) from None

    def __lt__(self, other: Any, /) -> bool:
        return compared_with_sympy(operator.lt, self, other) if is_expression(other) else self.compare(exactly(other)) < 0

    def __le__(self, other: Any, /) -> bool:
        return compared_with_sympy(operator.le, self, other) if is_expression(other) else self.compare(exactly(other)) <= 0

    def __gt__(self, other: Any, /) -> bool:
        return compared_with_sympy(operator.gt, self, other) if is_expression(other) else self.compare(exactly(other)) > 0

    def __ge__(self, other: Any, /) -> bool:
        return compared_with_sympy(operator.ge, self, other) if is_expression(other) else self.compare(exactly(other)) >= 0

    def __bool__(self) -> bool:
        return self.sign() != 0

    def __abs__(self) -> Self:
        return -self if self.weak_sign() < 0 else self

    # --- What is no element of the field any more ---

    def _in_sympy(self, letters: Symbols) -> Any:
        raise self._inexact("form in sympy")

    @abstractmethod
    def latex(self) -> str:
        """The number in math mode, without what its letters stand for."""

    def _repr_latex_(self) -> str:
        return f"${self.latex()}{self.field.latex_meanings}$"

    def __float__(self) -> float:
        raise self._inexact("float()")

    def __floor__(self) -> int:
        raise self._inexact("floor()")

    def __ceil__(self) -> int:
        raise self._inexact("ceil()")

    def _incomparable(self, other: object) -> InputError:
        """The refusal of a comparison with an object of another library."""
        message = f"{self} is compared with {other!r} (a {type(other).__name__}), which is no exact number"
        return InputError(message, value=other)

    def _inexact(self, asked: str) -> InexactInputError:
        """The refusal of a question that has no exact answer here."""
        return InexactInputError(f"{self} (a {type(self).__name__}) has no {asked}", value=self)

    def rough_float(self) -> float:
        """About the number, or a function's value at one level; for float solvers, never for a verdict."""
        return float(self)


def sums_to_one(field: OrderedField, row: Iterable[Any]) -> bool:
    """Whether some numbers have the sum 1; formulas, at every point where all of them are defined.

    >>> from exactdp.exact import QQ
    >>> sums_to_one(QQ, [QQ("1/3"), QQ("2/3")])
    True
    """
    total = field.dot((x, field.one) for x in row) if field.letters else sum(row, field.zero)
    return same_formula(total, 1)


Rows = Sequence[Sequence[Any]]


class OrderedField(ABC):
    """An exact ordered field, and the linear algebra over it.

    A *store* is the field's own immutable representation of a matrix; only
    :class:`~exactdp.exact.matrix.ExactMatrix` handles it. Here it is a tuple of tuples of scalars.
    """

    __slots__ = ()

    name: str

    @abstractmethod
    def __call__(self, value: object, /) -> Any:
        """The element that ``value`` denotes; text goes through the strict parser, floats are refused."""

    @property
    def legend(self) -> dict[str, str]:
        """What the letters of its numbers stand for, for people; nothing where a letter is any number."""
        return {}

    def explained(self, text: str) -> str:
        """What the letters that occur in a text stand for: ``t = e^(−1/2)``; empty if none does.

        >>> from exactdp.exact import ExponentialField
        >>> ExponentialField("1/2").explained("2*t"), ExponentialField("1/2").explained("1/3")
        ('t = e^(−1/2)', '')
        """
        used = (pair for pair in self.legend.items() if re.search(rf"(?<![A-Za-z]){pair[0]}(?![A-Za-z0-9])", text))
        return ", ".join(f"{letter} = {meaning}" for letter, meaning in used)

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters of its numbers that stand for any number of a region; of most fields none."""
        return ()

    @property
    def formulas(self) -> OrderedField:
        """The field of the same numbers; of functions of letters, as formulas.

        There ``==`` and ``bool()`` are identity of formulas, and ``/`` asks no point of the region: what an
        algorithm needs that proposes something. It is judged when it is back in this field.

        >>> from exactdp.exact import RegionField
        >>> field = RegionField("0 < p < 1")
        >>> p = field.formulas.gen
        >>> 2 * p == 1, str(1 / (2 * p - 1)), field.formulas.judged == field
        (False, '-1/(-2*p + 1)', True)
        """
        return self

    @property
    def judged(self) -> OrderedField:
        """The field whose comparisons are about every point: the opposite of :attr:`formulas`."""
        return self

    def join(self, other: OrderedField) -> OrderedField | None:
        """The least field that has the numbers of both, or None if there is none."""
        return self if other == self else None

    @property
    def latex_meanings(self) -> str:
        """What the letters of its numbers stand for, to be added to a formula in LaTeX; mostly nothing."""
        return ""

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

    def sign_of_dot(self, pairs: Iterable[tuple[Any, Any]]) -> int:
        """The sign of Σ x·y over some pairs of numbers of this field or of ℚ.

        >>> from exactdp.exact import QQ
        >>> QQ.sign_of_dot([(QQ("1/2"), QQ(3)), (QQ(-1), QQ(2))])
        -1
        """
        return int(self.dot((self(x), self(y)) for x, y in pairs).sign())

    def pack(self, rows: Rows) -> Any:
        """The store of a matrix given by rows of scalars of this field."""
        return tuple(tuple(row) for row in rows)

    def shape(self, store: Any) -> tuple[int, int]:
        """Numbers of rows and columns."""
        return len(store), len(store[0]) if store else 0

    def entry(self, store: Any, i: int, j: int) -> Any:
        """One entry of a store."""
        return store[i][j]

    def row(self, store: Any, i: int) -> tuple[Any, ...]:
        """A row of a store."""
        return tuple(store[i])

    def matmul(self, left: Any, right: Any) -> Any:
        """The product of two stores of fitting shapes."""
        columns = list(zip(*right, strict=True))
        return tuple(tuple(self.dot(zip(row, column, strict=True)) for column in columns) for row in left)

    def transpose(self, store: Any) -> Any:
        """The transpose."""
        return tuple(zip(*store, strict=True))

    def row_sums(self, store: Any) -> tuple[Any, ...]:
        """The sum of every row."""
        return tuple(sum(row, self.zero) for row in store)

    def is_stochastic(self, store: Any) -> bool:
        """Whether entries are ≥ 0, and every row sums to 1."""
        return all(sums_to_one(self, row) and not any(x < 0 for x in row) for row in store)

    def require_regular(self, matrix: Any) -> None:
        """DomainError if a square matrix, which is not singular as one of formulas, is so at some point."""
        del matrix  # of numbers there is nothing to require

    def require_one_rank(self, matrix: Any) -> None:
        """DomainError unless a matrix has one rank at all points of its letters."""
        del matrix

    def require_defined(self, matrix: Any) -> None:
        """DomainError if an entry has a pole at some point of its letters."""
        del matrix

    def solve(self, matrix: Any, right: Any) -> Any:
        """X with matrix · X = right; ZeroDivisionError if the matrix is singular."""
        size = len(matrix)
        work = [[*a, *b] for a, b in zip(matrix, right, strict=True)]
        if len(row_echelon(work, self._square(matrix))[0]) < size:
            raise ZeroDivisionError("the matrix is singular")
        return tuple(tuple(row[size:]) for row in work)

    def det(self, matrix: Any) -> Any:
        """The determinant of a square matrix."""
        pivots, product = row_echelon([list(row) for row in matrix], self._square(matrix))
        return self.one * product if len(pivots) == len(matrix) else self.zero

    def rank(self, matrix: Any) -> int:
        """The rank."""
        return len(row_echelon([list(row) for row in matrix])[0])

    def _square(self, matrix: Any) -> int:
        """The size of a square matrix."""
        size = len(matrix)
        if any(len(row) < size for row in matrix):
            raise ShapeError("elimination needs a square matrix", expected=size, got=len(matrix[0]))
        return size


def unmixed(first: OrderedField, second: OrderedField) -> str:
    """That numbers of two fields have none in common, and what can be asked instead.

    >>> from exactdp.exact import ExponentialField, RegionField
    >>> print(unmixed(ExponentialField(1), RegionField("0 < p < 1"))[:83])
    e^(−1) has no place in formulas in p: write a letter for it, 367/1000 < b < 46/125;
    """
    joint = first.join(second) or second.join(first)
    if joint is not None:
        return f"numbers of {first} and of {second} are of two fields: write both over {joint}, which has both"
    letters = [field for field in (first, second) if field.letters]
    numbers = [field for field in (first, second) if not field.letters and field.legend]
    if len(numbers) == 2:
        one, other = (" and ".join(field.legend.values()) for field in numbers)
        beside = "; ".join(_enclosed_text(field, field.legend) for field in numbers)
        return (
            f"{one} and {other} have no field in common here: give a rational number near one of them, {beside}; the answer is "
            "then for that"
        )
    if len(numbers) == 1 and len(letters) == 1:
        return _beside_letters(numbers[0], letters[0])
    return f"numbers of {first} and of {second} can't be mixed: only rational numbers belong to both; give rational numbers for one of them"


def _beside_letters(numbers: OrderedField, letters: Any) -> str:
    """That e^(−ε), or a root, is no number beside letters, and the letter that may stand for it."""
    free = [name for name in "bcdefgh" if name not in letters.letters]
    named = dict(zip(numbers.legend, free, strict=False))
    between = _enclosed_text(numbers, named)
    what, new, own = (", ".join(names) for names in (numbers.legend.values(), named.values(), letters.letters))
    assumed = str(getattr(letters, "region", "")) or f"{own} in {letters.interval}"
    return (
        f"{what} has no place in formulas in {own}: write a letter for it, {between}; what holds for all such {new} holds for "
        f"{what}. As a level: --alpha {free[0]} --letters '{assumed}, {between}'; or give {own} a number"
    )


PLACES = 3
"""Digits after the point of the decimals that a message puts around a number."""


def _enclosed_text(field: Any, names: Mapping[str, str]) -> str:
    """Each generator of a field of numbers, by its name, between two decimals."""
    found = []
    for name, x in zip(names.values(), getattr(field, "gens", None) or (field.gen,), strict=True):
        places = PLACES
        low, high = x.enclosure(places)
        while not low:
            places *= 2
            low, high = x.enclosure(places)
        found.append(f"{low} < {name} < {high}")
    return ", ".join(found)
