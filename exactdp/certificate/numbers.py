# SPDX-License-Identifier: MIT
"""The numbers of an accepted certificate, read back into the field that its definitions name (SPEC.md §2)."""

from __future__ import annotations

from typing import Any

from exactdp.exact import QQ, AlgebraicNumber, ExactMatrix, ExponentialField, Interval, Point, Rational, RationalFunctionField

__all__ = ["Numbers"]


class Numbers:
    """Reads scalars, vectors and matrices of one certificate.

    Parameters
    ----------
    definitions : dict
        Of the certificate.

    Examples
    --------
    >>> numbers = Numbers({"t": {"type": "exponential", "rate": "1/10", "roots": [1]}})
    >>> numbers.scalar({"num": ["1", "-1"], "den": "2"}), numbers.scalar("1/2")
    (ExponentialNumber('(-t + 1)/2'), Rational('1/2'))
    >>> Numbers({}).vector({"den": "2", "at": [1], "num": ["1"]}, 2)
    (Rational('0'), Rational('1/2'))
    """

    def __init__(self, definitions: dict[str, Any]) -> None:
        self.field: Any = QQ
        for name, d in definitions.items():
            if d.get("type") == "exponential":
                self.field = ExponentialField(d["rate"], 1, tuple(d["roots"]))
            elif d.get("type") == "parameter":
                self.field = RationalFunctionField(self.interval(d["interval"]), name)

    def on(self, interval: dict[str, Any]) -> Numbers:
        """The same letter on another interval."""
        result = Numbers({})
        result.field = RationalFunctionField(self.interval(interval), self.field.names[0])
        return result

    def interval(self, d: dict[str, Any]) -> Interval:
        """An interval of levels."""
        if "at" in d:
            return Interval.point(_end(d["at"]))
        low, high = ("at_least" if "at_least" in d else "above"), ("at_most" if "at_most" in d else "below")
        return Interval(_end(d[low]), _end(d[high]), low == "at_least", high == "at_most")

    def polynomial(self, p: Any) -> Any:
        """A polynomial as an element of the field."""
        return Rational(p) if isinstance(p, str) else self._in(p, 0)

    def _in(self, p: Any, i: int) -> Any:
        if isinstance(p, str):
            return self.field(Rational(p))
        generator, total = self.field.gens[i] if isinstance(self.field, ExponentialField) else self.field.gen, self.field.zero
        for c in reversed(p):
            total = total * generator + self._in(c, i + 1)
        return total

    def scalar(self, value: Any) -> Any:
        """A rational or a quotient of polynomials."""
        return Rational(value) if isinstance(value, str) else self.polynomial(value["num"]) / self.polynomial(value["den"])

    def vector(self, data: dict[str, Any], length: int) -> tuple[Any, ...]:
        """A dense or sparse vector."""
        den = self.polynomial(data["den"])
        at = data.get("at", range(length))
        values = {i: self.polynomial(p) / den for i, p in zip(at, data["num"], strict=True)}
        return tuple(values.get(i, Rational(0)) for i in range(length))

    def matrix(self, rows: list[dict[str, Any]], width: int) -> ExactMatrix:
        """A matrix from its rows."""
        return ExactMatrix([self.vector(row, width) for row in rows])


def _end(value: Any) -> Point:
    if isinstance(value, str):
        return Rational(value)
    return AlgebraicNumber([int(Rational(c).numerator) for c in value["poly"]], *value["in"])
