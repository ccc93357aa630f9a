# SPDX-License-Identifier: MIT
"""The range-restricted geometric mechanism G(n, α), its unscaled form G′ and a multiple of its inverse.

G′_ij = α^|i−j| (the Kac–Murdock–Szegő matrix), G = G′ · diag(s) with s_j = 1/(1+α) at the two ends and
(1−α)/(1+α) between, and K · G′ = (1−α²) · I with K_ii = 1 + α² − α²[i=0] − α²[i=n] and −α beside the
diagonal. G(0, α) = [1].
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from exactdp.errors import InputError, ParameterRangeError, repr_of
from exactdp.exact import ExactMatrix, ExponentialNumber, Rational, ScaledPowers, require_powers, same_formula
from exactdp.model.labels import Label, inputs_of
from exactdp.model.level import EpsilonLike, LevelLike, PrivacyLevel, chosen_level
from exactdp.model.mechanism import Mechanism
from exactdp.runtime.budget import figure, require_budget

__all__ = ["geometric", "geometric_prime"]


def geometric(n: int | Iterable[Label], alpha: LevelLike | None = None, *, epsilon: EpsilonLike | None = None) -> Mechanism:
    """The range-restricted geometric mechanism on the inputs 0..n.

    Parameters
    ----------
    n : int or labels
        The inputs are 0..n; or their labels, in order. The outputs are the same.
    alpha : text, scalar or PrivacyLevel
        0 < α < 1.
    epsilon : text, rational or Epsilon
        Instead of α: ε > 0, and α is e^(−ε), exactly.

    Returns
    -------
    Mechanism
        Entry (i, j) is α^|i−j| s_j.

    Examples
    --------
    >>> print(geometric(2, "1/2"))
         0    1    2
    0  2/3  1/6  1/6
    1  1/3  1/3  1/3
    2  1/6  1/6  2/3
    >>> geometric(n=2, epsilon="ln(2)") == geometric(2, "1/2")
    True
    """
    labels = inputs_of(n)
    level = chosen_level(alpha, epsilon)
    return Mechanism(geometric_matrix(len(labels) - 1, level), labels, labels).told_by(level.by_epsilon)


def geometric_matrix(n: int, level: PrivacyLevel) -> ExactMatrix:
    """The matrix of the mechanism, which is not checked to be row-stochastic.

    >>> print(geometric_matrix(1, PrivacyLevel("1/2")))
    2/3  1/3
    1/3  2/3
    """
    require_powers(f"the table of geometric({n}, {level})", (n + 1) ** 2, level.alpha, n, shared=n + 1)
    scales = column_scales(n, level)
    if isinstance(level.alpha, Rational | ExponentialNumber):
        return ScaledPowers(level.alpha, scales)
    powers = _powers(n, level)
    ends, middle = [p * scales[0] for p in powers], [p * scales[n // 2] for p in powers]
    rows = [[ends[abs(i - j)] if j in {0, n} else middle[abs(i - j)] for j in range(n + 1)] for i in range(n + 1)]
    return ExactMatrix(rows, level.field)


def geometric_level(mechanism: Mechanism) -> PrivacyLevel | None:
    """The α for which this is G(n, α), n ≥ 1, or None.

    >>> print(geometric_level(geometric(2, "2/5")))
    2/5
    """
    n = mechanism.n_inputs - 1
    if n < 1 or mechanism.n_outputs != n + 1 or not mechanism.matrix[0, 0]:
        return None
    alpha = mechanism.matrix[1, 0] / mechanism.matrix[0, 0]
    if not same_formula((1 + alpha) * mechanism.matrix[0, 0], 1):
        return None
    try:
        level = PrivacyLevel(alpha)
    except ParameterRangeError:
        return None
    return level if mechanism.matrix == geometric_matrix(n, level) else None


def column_scales(n: int, alpha: LevelLike | None = None, *, epsilon: EpsilonLike | None = None) -> tuple[Any, ...]:
    """The scales s_j of G's columns: 1/(1+α) at both ends, (1−α)/(1+α) between; 1 if n = 0.

    >>> [str(s) for s in column_scales(2, "1/2")]
    ['2/3', '1/3', '2/3']
    """
    a = chosen_level(alpha, epsilon).alpha
    if _size(n) == 0:
        return (a.field.one,)
    require_budget(f"the list of the scales of {figure(n + 1)} columns", numbers=n + 1)
    end, middle = 1 / (1 + a), (1 - a) / (1 + a)
    return (end, *[middle] * (n - 1), end)


def require_prime(n: int, level: PrivacyLevel) -> None:
    """Refuse a table of powers that would be larger than the budget."""
    require_powers(f"the table of geometric_prime({figure(n)}, {level})", (n + 1) ** 2, level.alpha, n, shared=n + 1)


def geometric_prime(n: int, alpha: LevelLike | None = None, *, epsilon: EpsilonLike | None = None) -> ExactMatrix:
    """The matrix G′ with the entries α^|i−j|, of order n + 1; its determinant is (1−α²)^n.

    >>> geometric_prime(2, "1/2").det()
    Rational('9/16')
    """
    level = chosen_level(alpha, epsilon)
    require_prime(_size(n), level)
    powers = _powers(n, level)
    return ExactMatrix([[powers[abs(i - j)] for j in range(n + 1)] for i in range(n + 1)], level.field)


def K(n: int, alpha: LevelLike | None = None, *, epsilon: EpsilonLike | None = None) -> ExactMatrix:
    """The tridiagonal matrix with K · G′ = (1−α²) · I, of order n + 1.

    >>> print(K(2, "1/2"))
       1  -1/2     0
    -1/2   5/4  -1/2
       0  -1/2     1
    """
    a = chosen_level(alpha, epsilon).alpha
    size = _size(n) + 1
    require_budget(f"the matrix K({figure(n)}, {a})", numbers=size * size)
    rows = [[a.field.zero] * size for _ in range(size)]
    for i in range(size):
        rows[i][i] = 1 + a * a - a * a * int(i == 0) - a * a * int(i == n)
        for j in (i - 1, i + 1):
            if 0 <= j < size:
                rows[i][j] = -a
    return ExactMatrix(rows, a.field)


def _powers(n: int, level: PrivacyLevel) -> list[Any]:
    """1, α, …, α^n."""
    powers = [level.field.one]
    for _ in range(_size(n)):
        powers.append(powers[-1] * level.alpha)
    return powers


def _size(n: int) -> int:
    if not isinstance(n, int) or isinstance(n, bool):
        raise InputError(f"n = {repr_of(n)} is not an int", value=n)
    if n < 0:
        raise ParameterRangeError(f"n = {n} is negative; give n >= 0, for the inputs 0..n", name="n", value=n, allowed="n >= 0")
    return n
