# SPDX-License-Identifier: MIT
"""Integer noise laws, and the mechanisms that add such noise to an integer, as libraries release it.

A law is known by its mass P(Z = z) and its two tails P(Z ≤ z), P(Z ≥ z), all exact. A library's documentation
gives the law of the noise; what a user receives is that law after the library's treatment of bounds:

* **censored** (OpenDP ``make_geometric`` with bounds, diffprivlib ``GeometricTruncated``): a result outside
  lower..upper becomes the nearer bound;
* **folded** (diffprivlib ``GeometricFolded``): it is reflected at the bounds until it lies inside;
* **unbounded** (OpenDP ``make_laplace`` on integers, Google's and Tumult's double-sided geometric): nothing
  is done.

The unbounded geometric mechanism i + Z has finitely many columns here. For r ≤ −1 the column of r is
P(i + Z = r) = (1−α)/(1+α) · α^(i−r) = α^(−1−r) · P(i + Z = −1): all columns below 0 are multiples of one
vector, and so are, by symmetry, all columns above n. *Lumping them loses nothing*: given that the result is
at most −1, its exact value has the law (1−α) α^(−1−r) whatever the input is, so anyone can draw it again; the
two mechanisms are post-processings of each other, and have the same privacy level. The range-restricted
G(n, α) is equivalent too: the lumps are moved to 0 and n, and split off again with probability α.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Protocol, runtime_checkable

from exactdp.errors import InputError, NegativeEntryError, NotStochasticError, ParameterRangeError, repr_of, wrong_kind
from exactdp.exact import QQ, ExactMatrix, ExponentialNumber, Rational, Scalar, ScaledPowers, as_flag, entries_of, require_powers
from exactdp.exact.comparison import field_of
from exactdp.mechanisms.geometric import _size
from exactdp.model.labels import Label, Positions, inputs_of
from exactdp.model.level import EpsilonLike, LevelLike, PrivacyLevel, chosen_level
from exactdp.model.level_argument import tells_epsilon
from exactdp.model.mechanism import Mechanism
from exactdp.runtime.budget import figure, length_of, require_budget
from exactdp.runtime.progress import ENTRIES, counted_off, row_by_row
from exactdp.runtime.values import dataclass

__all__ = ["FiniteNoise", "GeometricNoise", "censored", "folded_geometric", "lumped", "lumped_geometric", "truncate"]


@runtime_checkable
class IntegerNoise(Protocol):
    """What :func:`truncate` asks of a law of an integer Z."""

    def mass(self, z: int) -> Any:
        """P(Z = z)."""

    def lower_tail(self, z: int) -> Any:
        """P(Z ≤ z)."""

    def upper_tail(self, z: int) -> Any:
        """P(Z ≥ z)."""


class SymmetricNoise:
    """A law with P(Z = −z) = P(Z = z), which says its mass and its lower tail."""

    __slots__ = ()

    def lower_tail(self, z: int) -> Any:
        """P(Z ≤ z)."""
        raise NotImplementedError

    def upper_tail(self, z: int) -> Any:
        """P(Z ≥ z), which is P(Z ≤ −z)."""
        return self.lower_tail(-z)


@dataclass(frozen=True, slots=True, init=False)
class GeometricNoise(SymmetricNoise):
    """The two-sided geometric law P(Z = z) = (1−α)/(1+α) · α^|z|.

    Parameters
    ----------
    alpha : text, scalar or PrivacyLevel
        0 < α < 1.
    epsilon : text, rational or Epsilon
        Instead of α: ε > 0, and α is e^(−ε), exactly.

    Examples
    --------
    >>> z = GeometricNoise("1/2")
    >>> z.mass(0), z.mass(-2), z.lower_tail(0), z.upper_tail(1)
    (Rational('1/3'), Rational('1/12'), Rational('2/3'), Rational('1/3'))
    """

    level: PrivacyLevel

    def __init__(self, alpha: LevelLike | None = None, *, epsilon: EpsilonLike | None = None) -> None:
        object.__setattr__(self, "level", chosen_level(alpha, epsilon))

    def mass(self, z: int) -> Any:
        """(1−α)/(1+α) · α^|z|."""
        a = self.level.alpha
        return (1 - a) / (1 + a) * a ** abs(z)

    def lower_tail(self, z: int) -> Any:
        """P(Z ≤ z): α^(−z)/(1+α) for z ≤ 0, 1 − α^(z+1)/(1+α) for z ≥ 0."""
        a = self.level.alpha
        return a**-z / (1 + a) if z <= 0 else 1 - a ** (z + 1) / (1 + a)


@dataclass(frozen=True, slots=True, init=False)
class FiniteNoise:
    """A law with finitely many values, given by its masses.

    Parameters
    ----------
    masses : mapping of int to exact number
        Entries ≥ 0 that sum to 1.

    Raises
    ------
    NotStochasticError, NegativeEntryError
        With the exact sum and excess, or the mass.

    Examples
    --------
    >>> z = FiniteNoise({-1: "1/4", 0: "1/2", 1: "1/4"})
    >>> z.mass(5), z.lower_tail(0), z.upper_tail(1)
    (Rational('0'), Rational('3/4'), Rational('1/4'))
    """

    masses: tuple[tuple[int, Any], ...]

    def __init__(self, masses: Mapping[int, object]) -> None:
        if not isinstance(masses, Mapping):
            raise InputError(f"a law is a mapping from integers to masses, not a {type(masses).__name__}", value=masses)
        field = field_of(masses.values())
        pairs = []
        for z, p in masses.items():
            if not isinstance(z, int) or isinstance(z, bool):
                raise InputError(f"the value {z!r} of the noise is not an int", value=z)
            pairs.append((z, p if isinstance(p, Scalar) and p.field is field else field(p)))
        object.__setattr__(self, "masses", tuple(sorted(pairs, key=lambda pair: pair[0])))
        self._check()

    def _check(self) -> None:
        """There is a value, no mass is negative, and they sum to 1."""
        if not self.masses:
            raise InputError("a law needs at least one value", value={})
        for z, p in self.masses:
            if p.sign() < 0:
                raise NegativeEntryError(f"the mass of {z} is {p}, which is negative", position=z, value=p)
        total = self._total(lambda z: True)
        if total != 1:
            raise NotStochasticError(f"the masses sum to {total}, not 1 (excess {total - 1})", rows=(("noise", total, total - 1),))

    def mass(self, z: int) -> Any:
        """P(Z = z)."""
        return self._total(lambda value: value == z)

    def lower_tail(self, z: int) -> Any:
        """P(Z ≤ z)."""
        return self._total(lambda value: value <= z)

    def upper_tail(self, z: int) -> Any:
        """P(Z ≥ z)."""
        return self._total(lambda value: value >= z)

    def _total(self, chosen: Any) -> Any:
        return sum((p for z, p in self.masses if chosen(z)), self.masses[0][1].field.zero)


def _require_law(noise: IntegerNoise, inputs: Sequence[int], lower: int, upper: int) -> None:
    """Refuse a table of noise that would be larger than the budget; its largest entry is computed."""
    what = f"the table of noise on {len(inputs)} inputs, with results {figure(lower)}..{figure(upper)}"
    entries = len(inputs) * (upper - lower + 1)
    require_budget(what, numbers=entries)
    farthest = noise.mass(max(max(inputs) - lower, upper - min(inputs)))
    require_budget(what, memory=64 * entries + entries * farthest.power_size(1)["memory"] // 12)


def _masses(mass: Callable[[int], Any], i: int, results: range) -> Iterator[Any]:
    """The masses of these results for one input; a row may be so long that it is told how far it is."""
    return (mass(r - i) for r in counted_off(results, None, f"the law of the input {i}", "results", every=ENTRIES))


def _known(noise: object) -> None:
    if isinstance(noise, type) or not all(callable(getattr(noise, one, None)) for one in ("mass", "lower_tail", "upper_tail")):
        raise wrong_kind("noise", noise, "a law of noise, such as GeometricNoise('1/2')")


def truncate(noise: IntegerNoise, n: int) -> Mechanism:
    """The mechanism that adds noise to the input and clamps the result to 0..n.

    Parameters
    ----------
    noise : IntegerNoise
        The law of what is added.
    n : int
        At least 0.

    Returns
    -------
    Mechanism
        Entry (i, 0) is P(Z ≤ −i), entry (i, n) is P(Z ≥ n−i), entry (i, r) between is P(Z = r−i).

    Examples
    --------
    >>> from exactdp.mechanisms.geometric import geometric
    >>> truncate(GeometricNoise("1/3"), 4) == geometric(4, "1/3")
    True
    """
    return censored(noise, range(_size(n) + 1), 0, n)


def censored(noise: IntegerNoise, inputs: Iterable[int], lower: int, upper: int, *, clamp_inputs: bool = False) -> Mechanism:
    """Noise is added and the result censored: outside the bounds it becomes the nearer one.

    Parameters
    ----------
    noise : IntegerNoise
        The law of what is added.
    inputs : iterable of int
        The integers that may be asked about, each a row.
    lower, upper : int
        The bounds; lower ≤ upper.
    clamp_inputs : bool
        Whether an input outside is clamped before noise is added, as in OpenDP (not in diffprivlib).

    Returns
    -------
    Mechanism
        Entry (i, lower) is P(Z ≤ lower−i), (i, upper) is P(Z ≥ upper−i), (i, r) between is P(Z = r−i).

    Examples
    --------
    >>> from exactdp.mechanisms.geometric import geometric
    >>> censored(GeometricNoise("1/3"), range(5), 0, 4) == geometric(4, "1/3")
    True
    """
    _known(noise)
    rows = integers(inputs)
    columns = between(lower, upper)
    if len(rows) > 1 and _is_by_powers(noise, rows, columns):
        return Mechanism(_powers_at(noise, columns, 0), rows, _names(columns))
    _require_law(noise, rows, lower, upper)
    clamped = [min(max(i, lower), upper) for i in rows] if as_flag(clamp_inputs, "flag clamp_inputs") else rows
    if lower == upper:
        return Mechanism([[1]] * len(rows), rows, _names(columns))
    mass, each = cache(noise.mass), row_by_row(clamped, "the law of each input", (len(rows), len(columns)))
    table = [[noise.lower_tail(lower - i), *_masses(mass, i, columns[1:-1]), noise.upper_tail(upper - i)] for i in each]
    return Mechanism(ExactMatrix(table, table[0][0].field), rows, _names(columns))


def lumped(noise: IntegerNoise, inputs: Iterable[int], lower: int | None = None, upper: int | None = None) -> Mechanism:
    """The unbounded mechanism i + Z, all results below ``lower`` in one output, and all above ``upper``.

    Lumping is a post-processing, so the lumped mechanism is at least as private. For the two-sided geometric
    law with ``lower`` and ``upper`` at the ends of the inputs (the default) nothing is lost.

    Examples
    --------
    >>> print(lumped(GeometricNoise("1/2"), [0, 1]))
       <=-1    0    1  >=2
    0   1/3  1/3  1/6  1/6
    1   1/6  1/6  1/3  1/3
    """
    _known(noise)
    rows = integers(inputs)
    low, high = min(rows) if lower is None else lower, max(rows) if upper is None else upper
    columns = between(low, high)
    names = _names([f"<={low - 1}", *columns, f">={high + 1}"])
    if _is_by_powers(noise, rows, columns):
        return Mechanism(_powers_at(noise, range(low - 1, high + 2), 1), rows, names)
    _require_law(noise, rows, low - 1, high + 1)
    mass, each = cache(noise.mass), row_by_row(rows, "the law of each input", (len(rows), len(columns)))
    table = [[noise.lower_tail(low - 1 - i), *_masses(mass, i, columns), noise.upper_tail(high + 1 - i)] for i in each]
    return Mechanism(ExactMatrix(table, table[0][0].field), rows, names)


def _is_by_powers(noise: IntegerNoise, inputs: Sequence[int], results: range) -> bool:
    """Whether the law is geometric at a level that is a number, and the inputs are the results in order."""
    if not isinstance(noise, GeometricNoise) or not isinstance(noise.level.alpha, Rational | ExponentialNumber):
        return False
    return len(inputs) == len(results) and all(i == r for i, r in zip(inputs, results, strict=True))


def _powers_at(noise: IntegerNoise, results: range, beyond: int) -> ScaledPowers:
    """Geometric noise on all results but so many at either end, which have all that is beyond them.

    >>> print(_powers_at(GeometricNoise("1/2"), range(-1, 3), 1))
    1/3  1/3  1/6  1/6
    1/6  1/6  1/3  1/3
    """
    assert isinstance(noise, GeometricNoise)
    a, size = noise.level.alpha, len(results)
    rows = size - 2 * beyond
    what = f"the table of noise on {rows} inputs, with results {figure(results[beyond])}..{figure(results[-1 - beyond])}"
    require_powers(what, rows * size, a, size - 1, shared=size)
    end, middle = 1 / (1 + a), (1 - a) / (1 + a)
    return ScaledPowers(a, (end, *[middle] * (size - 2), end), rows=rows, before=beyond)


@tells_epsilon
def folded_geometric(
    n: int | Iterable[int], lower: int | str, upper: int | str, alpha: LevelLike | None = None, *, epsilon: EpsilonLike | None = None
) -> Mechanism:
    """Two-sided geometric noise, the result reflected at the bounds until it lies inside.

    Parameters
    ----------
    n : int or integers
        The inputs are 0..n; or these integers, each a row.
    lower, upper : int or text
        Integers or half-integers (``"-1/2"``) with lower < upper; a half-integer bound lies between two
        outputs, an integer one is an output.
    alpha : level
        P(Z = z) ∝ α^|z|.
    epsilon : text, rational or Epsilon
        Instead of α: α is e^(−ε).

    Returns
    -------
    Mechanism
        Entry (i, r) is the mass of all the integers that fold to r: with the period L = 2·(upper − lower)
        these are r + kL and 2·lower − r + kL (one family if they coincide), so it is a sum of geometric
        series.

    Examples
    --------
    >>> print(folded_geometric([0, 1], "-1/2", "3/2", "1/2"))
         0    1
    0  3/5  2/5
    1  2/5  3/5
    """
    a = chosen_level(alpha, epsilon).alpha
    low, high = doubled(lower), doubled(upper)
    if low >= high:
        raise ParameterRangeError(f"lower = {lower} is not below upper = {upper}", name="lower", value=lower, allowed="lower < upper")
    rows, period = integers(n), high - low  # the period is 2(upper − lower), which is `high − low` in doubled bounds
    columns = range(-(-low // 2), high // 2 + 1)
    entries = len(rows) * (high // 2 + 1 + low // 2)
    require_powers(f"the table of noise folded to {figure(columns.start)}..{figure(columns.stop - 1)}", entries, a, period, each=1)
    scale = (1 - a) / (1 + a) / (1 - a**period)

    @cache
    def mass(above: int) -> Any:
        """(1−α)/(1+α) · Σ_k α^|above + k·period|."""
        return scale * (a**above + a ** (period - above))

    def masses(i: int, place: int) -> Any:
        """The same for above = place − i: shifted by periods, and by symmetry, less than half a period."""
        above = (place - i) % period
        return mass(min(above, period - above))

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


def integers(values: int | Iterable[int]) -> Sequence[int]:
    """0..n for an int n, or the integers given, a range as it is (it numbers what is unlabelled)."""
    result: Sequence[int]
    if isinstance(values, int):
        result = range(_size(values) + 1)
    elif isinstance(values, range):
        result = values
    else:
        result = entries_of(values, "inputs")
    require_budget("the list of inputs", numbers=length_of(result))
    for value in () if isinstance(result, range) else result:
        if not isinstance(value, int) or isinstance(value, bool):
            raise InputError(f"the input {repr_of(value)} is not an int; noise on integers needs integer inputs", value=value)
    if not result:
        raise InputError("at least one input is needed", value=())
    return result


def between(lower: int, upper: int) -> range:
    """lower, …, upper; ParameterRangeError if that is empty."""
    for name, value in (("lower", lower), ("upper", upper)):
        if not isinstance(value, int) or isinstance(value, bool):
            raise InputError(f"{name} = {repr_of(value)} is not an int, the {name} end of the results; give one, such as 0", value=value)
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


@tells_epsilon
def lumped_geometric(n: int | Iterable[Label], alpha: LevelLike | None = None, *, epsilon: EpsilonLike | None = None) -> Mechanism:
    """The unbounded geometric mechanism on 0..n, its tail columns lumped into ``<=-1`` and ``>=n+1``.

    Parameters
    ----------
    n : int or labels
        The inputs are 0..n; or their labels, in order.
    alpha : text, scalar or PrivacyLevel
        0 < α < 1.
    epsilon : text, rational or Epsilon
        Instead of α: ε > 0, and α is e^(−ε), exactly.

    Examples
    --------
    >>> print(lumped_geometric(1, "1/2"))
       <=-1    0    1  >=2
    0   1/3  1/3  1/6  1/6
    1   1/6  1/6  1/3  1/3
    """
    labels = inputs_of(n)
    found = lumped(GeometricNoise(alpha, epsilon=epsilon), range(len(labels)))
    return found if isinstance(labels, Positions) else Mechanism(found.matrix, labels, found.outputs)
