# SPDX-License-Identifier: MIT
"""Integer noise added to an integer input, as libraries release it: censored to bounds, folded into them, or unbounded with named tails.

A library's documentation gives the law of the noise; what a user receives is that law after the library's treatment of bounds:

* **censored** (OpenDP ``make_geometric`` with bounds, diffprivlib ``GeometricTruncated``): a result outside lower..upper becomes the
nearer bound;
* **folded** (diffprivlib ``GeometricFolded``): it is reflected at the bounds until it lies inside;
* **unbounded** (OpenDP ``make_laplace`` on integers, Google's and Tumult's double-sided geometric): nothing is done.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from exactdp.errors import InputError, ParameterRangeError
from exactdp.exact import QQ, ExactMatrix, entries_of
from exactdp.mechanisms.noise import IntegerNoise
from exactdp.model.labels import Positions
from exactdp.model.level import LevelLike, as_level
from exactdp.model.stochastic import Mechanism

__all__ = ["censored", "folded_geometric", "lumped"]


def censored(noise: IntegerNoise, inputs: Iterable[int], lower: int, upper: int, *, clamp_inputs: bool = False) -> Mechanism:
    """Noise is added and the result censored: below ``lower`` it becomes ``lower``, above ``upper`` it becomes ``upper``.

    Parameters
    ----------
    noise : IntegerNoise
        The law of what is added.
    inputs : iterable of int
        The integers that may be asked about, each a row.
    lower, upper : int
        The bounds; lower ≤ upper.
    clamp_inputs : bool
        Whether an input outside the bounds is clamped before noise is added, as OpenDP does (diffprivlib does not).

    Returns
    -------
    Mechanism
        Entry (i, lower) is P(Z ≤ lower−i), (i, upper) is P(Z ≥ upper−i), (i, r) between is P(Z = r−i).

    Examples
    --------
    >>> from exactdp.mechanisms.geometric import geometric
    >>> from exactdp.mechanisms.noise import GeometricNoise
    >>> censored(GeometricNoise("1/3"), range(5), 0, 4) == geometric(4, "1/3")
    True
    """
    rows = integers(inputs)
    columns = between(lower, upper)
    clamped = [min(max(i, lower), upper) for i in rows] if clamp_inputs else rows
    if lower == upper:
        return Mechanism([[1]] * len(rows), rows, _names(columns))
    masses: dict[int, Any] = {}

    def mass(z: int) -> Any:
        if z not in masses:
            masses[z] = noise.mass(z)
        return masses[z]

    table = [[noise.lower_tail(lower - i), *(mass(r - i) for r in columns[1:-1]), noise.upper_tail(upper - i)] for i in clamped]
    return Mechanism(ExactMatrix(table, table[0][0].field), rows, _names(columns))


def lumped(noise: IntegerNoise, inputs: Iterable[int], lower: int | None = None, upper: int | None = None) -> Mechanism:
    """The unbounded mechanism i + Z, the results below ``lower`` and above ``upper`` lumped into one output each.

    Lumping is a post-processing, so the lumped mechanism is at least as private. For the two-sided geometric law with ``lower`` and
    ``upper`` at the ends of the inputs (the default) nothing is lost: all columns beyond an end are multiples of one vector.

    Examples
    --------
    >>> from exactdp.mechanisms.noise import GeometricNoise
    >>> print(lumped(GeometricNoise("1/2"), [0, 1]))
       <=-1    0    1  >=2
    0   1/3  1/3  1/6  1/6
    1   1/6  1/6  1/3  1/3
    """
    rows = integers(inputs)
    low, high = min(rows) if lower is None else lower, max(rows) if upper is None else upper
    columns = between(low, high)
    table = [[noise.lower_tail(low - 1 - i), *(noise.mass(r - i) for r in columns), noise.upper_tail(high + 1 - i)] for i in rows]
    return Mechanism(ExactMatrix(table, table[0][0].field), rows, _names([f"<={low - 1}", *columns, f">={high + 1}"]))


def folded_geometric(inputs: Iterable[int], lower: int | str, upper: int | str, alpha: LevelLike) -> Mechanism:
    """Two-sided geometric noise, the result reflected at the bounds until it lies inside (diffprivlib's ``GeometricFolded``).

    Parameters
    ----------
    inputs : iterable of int
        Each a row.
    lower, upper : int or text
        Integers or half-integers (``"-1/2"``) with lower < upper; a half-integer bound lies between two outputs, an integer one is an
        output.
    alpha : level
        P(Z = z) ∝ α^|z|.

    Returns
    -------
    Mechanism
        Entry (i, r) is the mass of all the integers that fold to r: with the period L = 2·(upper − lower) these are r + kL and
        2·lower − r + kL (one family if they coincide), so it is a sum of geometric series.

    Examples
    --------
    >>> print(folded_geometric([0, 1], "-1/2", "3/2", "1/2"))
         0    1
    0  3/5  2/5
    1  2/5  3/5
    """
    a = as_level(alpha).alpha
    low, high = doubled(lower), doubled(upper)
    if low >= high:
        raise ParameterRangeError(f"lower = {lower} is not below upper = {upper}", name="lower", value=lower, allowed="lower < upper")
    rows, period = integers(inputs), high - low  # the period is 2(upper − lower), which is `high − low` in doubled bounds
    columns = range(-(-low // 2), high // 2 + 1)
    scale = (1 - a) / (1 + a) / (1 - a**period)

    def masses(i: int, place: int) -> Any:
        """(1−α)/(1+α) · Σ_k α^|place + k·period − i|."""
        above = (place - i) % period
        return scale * (a**above + a ** (period - above))

    table = []
    for i in rows:
        row = []
        for r in columns:
            mirrored = low - r  # 2·lower − r
            same = (mirrored - r) % period == 0
            row.append(masses(i, r) if same else masses(i, r) + masses(i, mirrored))
        table.append(row)
    return Mechanism(ExactMatrix(table, a.field), rows, _names(columns))


def _names(outputs: Iterable[int | str]) -> Positions:
    """The outputs as a law calls them: nobody gave these labels."""
    return Positions(map(str, outputs))


def integers(values: Iterable[int]) -> Sequence[int]:
    """The integers given (a range as it is: it numbers what is unlabelled); InputError if there are none or one is not an int."""
    result = values if isinstance(values, range) else entries_of(values, "inputs")
    for value in result:
        if not isinstance(value, int) or isinstance(value, bool):
            raise InputError(f"the input {value!r} is not an int; noise on integers needs integer inputs", value=value)
    if not result:
        raise InputError("at least one input is needed", value=())
    return result


def between(lower: int, upper: int) -> range:
    """lower, …, upper; ParameterRangeError if that is empty."""
    integers([lower, upper])
    if lower > upper:
        raise ParameterRangeError(f"lower = {lower} is above upper = {upper}", name="lower", value=lower, allowed="lower <= upper")
    return range(lower, upper + 1)


def doubled(bound: int | str) -> int:
    """Twice an integer or half-integer."""
    twice = QQ(bound) * 2
    if twice.denominator != 1:
        raise ParameterRangeError(
            f"the bound {bound} is neither an integer nor a half-integer", name="bound", value=bound, allowed="multiples of 1/2"
        )
    return int(twice.numerator)
