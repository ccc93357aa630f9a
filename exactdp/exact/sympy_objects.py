# SPDX-License-Identifier: MIT
"""Numbers, matrices and sets of sympy, read exactly: the one function for whatever one holds."""

from __future__ import annotations

from typing import Any

from exactdp.errors import InputError, wrong_kind
from exactdp.exact.field import OrderedField
from exactdp.exact.letters import Letters, letters_of
from exactdp.exact.matrix import ExactMatrix
from exactdp.exact.sympy_numbers import intervals_from_sympy, number_from_sympy, region_from_sympy
from exactdp.exact.sympy_operators import is_expression, symbols_by_name


def from_sympy(thing: Any, field: OrderedField | None = None, *, letters: Any = None) -> Any:
    """What a number, a matrix, a set or a region of sympy is, exactly.

    Parameters
    ----------
    thing : expression, Matrix, Interval, FiniteSet, Union, relation or And of sympy
        A number is made by ``+ − * /`` and integer powers of rationals and of one kind of further numbers:
        symbols; ``exp(−1/2)``, ``exp(−sqrt(2)/2)``, …; one ``CRootOf``, or roots such as ``sqrt(2)``.
    field : OrderedField, optional
        What a number or a matrix is to be over: the least field unless given. What a symbol is assumed to be
        (``positive=True``) must hold wherever the field lets its letter be.
    letters : mapping, text, Region or relations of sympy, optional
        What the letters may be, or which numbers they are, instead of a field: ``{"p": "(0, 1/2)", "n": 3}``,
        ``"0 < p < 1/2, n = 3"``, or ``(0 < p) & (p < q)``. With neither a field nor letters, symbols that are
        assumed to have a sign may be all numbers of this sign; one symbol otherwise, and ``a`` or ``alpha``,
        is the level on (0, 1); several stand for any numbers, and have no order.

    Returns
    -------
    Scalar, ExactMatrix, tuple of Interval, or Region
        A set is given by the intervals and points that it consists of, and relations by their region. All of
        them go back by ``to_sympy()``.

    Raises
    ------
    InexactInputError
        There is a Float in it.
    InputError
        It is of another kind, or an assumption does not hold; names the symbol.
    MixedDomainError
        No field here has all numbers.
    DomainError
        A function is not defined on all of a region; names a point.

    Examples
    --------
    >>> from sympy import Interval, Matrix, Rational, Symbol, exp, sqrt
    >>> from_sympy(exp(-Rational(1, 2)) / 3), from_sympy((1 + sqrt(5)) / 2) > 1
    (ExponentialNumber('t/3', t = e^(−1/2)), True)
    >>> a = Symbol("a", positive=True)
    >>> from_sympy(Matrix([[1 - a, a]]))
    ExactMatrix([['-a + 1', 'a']])
    >>> [str(part) for part in from_sympy(Interval.Lopen(0, Rational(1, 2)))]
    ['(0, 1/2]']
    >>> p = Symbol("p", nonnegative=True)
    >>> print(from_sympy(p / (1 + p)).field.region, "|", from_sympy(1 - p, letters=p < 1).field.region)
    p >= 0 | -p + 1 > 0, p >= 0
    """
    if letters is not None:
        if field is not None:
            raise InputError("letters and field both say what the letters may be; give one of them", value=letters)
        relations = hasattr(letters, "is_Boolean")
        known = letters_of(region_from_sympy(letters) if relations else letters)
        field = known.field
        if is_expression(thing):
            return known.read(thing)
        if getattr(thing, "is_Matrix", False):
            return _matrix_with(thing, known)
    if field is not None and not isinstance(field, OrderedField):
        raise wrong_kind("field", field, "a field such as RationalFunctionField(Interval(0, 1))")
    if getattr(thing, "is_Matrix", False):
        return ExactMatrix.from_sympy(thing, field)
    if hasattr(thing, "is_FiniteSet"):  # all sets have it
        if field is not None:
            raise InputError(f"the set {thing} consists of points, which are numbers; leave the field out", value=thing)
        return intervals_from_sympy(thing)
    if getattr(thing, "is_Boolean", False) or getattr(thing, "is_Relational", False):
        if field is not None:
            message = f"the relations {thing} say themselves what their letters may be; leave field and letters out"
            raise InputError(message, value=thing)
        return region_from_sympy(thing)
    if not is_expression(thing):
        raise wrong_kind("thing", thing, "a number, a matrix, a set or a relation of sympy")
    return number_from_sympy(thing, field)


def _matrix_with(matrix: Any, letters: Letters) -> ExactMatrix:
    """A matrix whose symbols are letters, or numbers."""
    symbols_by_name(matrix.free_symbols)  # no two of one name
    rows = [[letters.read(matrix[i, j]) for j in range(matrix.shape[1])] for i in range(matrix.shape[0])]
    return ExactMatrix(rows, None if letters.region is None else letters.field)
