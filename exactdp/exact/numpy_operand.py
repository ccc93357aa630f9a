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
        return getattr(ufunc, method)(*map(_as_object, inputs), **keywords)


def _as_object(x: Any) -> Any:
    """One of our numbers as an array without dimensions, which NumPy computes with as it does without us."""
    if not isinstance(x, NumpyOperand):
        return x
    import numpy as np

    holder = np.empty((), dtype=object)
    holder[()] = x
    return holder
