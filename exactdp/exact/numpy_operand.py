# SPDX-License-Identifier: MIT
"""What NumPy is told of one of our numbers: whether it is finite, which matplotlib asks of a limit.

NumPy knows this of its own numbers only. Everything else it computes with ours as it does with any object.
Nothing is imported here before NumPy itself asks.
"""

from __future__ import annotations

from typing import Any


class NumpyOperand:
    """A number that NumPy's ``isfinite``, ``isinf`` and ``isnan`` have an answer for.

    >>> import numpy as np
    >>> from exactdp.exact.rational import Rational
    >>> bool(np.isfinite(Rational("1/3"))), np.array([1, 2], dtype=object) * Rational("1/3")
    (True, array([Rational('1/3'), Rational('2/3')], dtype=object))
    """

    __slots__ = ()

    _is_infinite = False

    def __array_ufunc__(self, ufunc: Any, method: str, /, *inputs: Any, **keywords: Any) -> Any:
        import numpy as np

        asked = ufunc.__name__
        if method == "__call__" and len(inputs) == 1 and not keywords and asked in {"isfinite", "isinf", "isnan"}:
            answers = {"isfinite": not self._is_infinite, "isinf": self._is_infinite, "isnan": False}
            return np.bool_(answers[asked])
        if method == "__call__" and len(inputs) == 2 and asked in REFLECTED and _is_number(inputs[0]):
            return self._reflected(asked, inputs[0][()])
        return getattr(ufunc, method)(*map(_as_object, inputs), **keywords)

    def _reflected(self, asked: str, other: Any) -> Any:
        """What Python asks of the right operand where a NumPy number on the left does not know it."""
        found = getattr(self, REFLECTED[asked], None)
        answer = NotImplemented if found is None else found(other)
        if answer is NotImplemented:
            raise TypeError(f"{asked} of a {type(other).__name__} and a {type(self).__name__} is not known")
        return answer


REFLECTED = {
    "equal": "__eq__",
    "not_equal": "__ne__",
    "less": "__gt__",
    "less_equal": "__ge__",
    "greater": "__lt__",
    "greater_equal": "__le__",
    "add": "__radd__",
    "subtract": "__rsub__",
    "multiply": "__rmul__",
    "divide": "__rtruediv__",
    "power": "__rpow__",
}
"""The methods of a right operand by NumPy's names of the operations."""


def _is_number(x: Any) -> bool:
    """Whether it is a number of NumPy, which some operations hold as an array without dimensions."""
    return not isinstance(x, NumpyOperand) and getattr(x, "shape", None) == () and x.dtype.kind in "biufc"


def _as_object(x: Any) -> Any:
    """One of our numbers as an array without dimensions, which NumPy computes with as it does without us."""
    if not isinstance(x, NumpyOperand):
        return x
    import numpy as np

    holder = np.empty((), dtype=object)
    holder[()] = x
    return holder
