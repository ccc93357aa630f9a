# SPDX-License-Identifier: MIT
"""The closed forms of Gupte and Sundararajan for the determinants of G and G′ [gs2010, Lemmas 1 and 2].

The paper numbers columns from 1 and calls the order n; here columns are 0..n and the order is m = n + 1:
det G′ = (1−α²)^(m−1); det G′(0, x) = (1−α²)^(m−2) (x_0 − α x_1), its mirror image for the last column, and between them
det G′(i, x) = (1−α²)^(m−2) ((1+α²) x_i − α (x_(i−1) + x_(i+1))). G is G′ with its columns multiplied by s_j = 1/(1+α) at both ends and
(1−α)/(1+α) between, which gives det G = (1−α)^(2m−3)/(1+α).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from exactdp.exact import ExactMatrix, SymbolField, SymbolicFunction
from exactdp.mechanisms import geometric, geometric_prime

__all__ = ["Family", "family_of"]


@dataclass(frozen=True, slots=True)
class Family:
    """G(n, α), or G′(n, α) if ``prime``; n ≥ 1."""

    n: int
    prime: bool

    @property
    def letter(self) -> str:
        """``G`` or ``G'``."""
        return "G'" if self.prime else "G"

    def closed_form(self, column: int | None, field: SymbolField, a: Any) -> SymbolicFunction:
        """The paper's closed form at the level a, an element of the field.

        >>> field = SymbolField(["a"])
        >>> print(Family(5, False).closed_form(None, field, field.symbol("a")))
        (1 - a)^9/(1 + a)
        """
        m = self.n + 1
        result = (1 - a * a) ** (m - 1 if column is None else m - 2)
        if column is not None:
            x = [field.symbol(f"x{j}") for j in range(m)]
            beside = [x[j] for j in (column - 1, column + 1) if 0 <= j < m]
            inside = 1 + a * a if len(beside) == 2 else field(1)
            result = result * (inside * x[column] - a * sum(beside, field(0)))
        if not self.prime:
            for j in range(m):
                if j != column:
                    result = result / (1 + a) if j in {0, m - 1} else result * (1 - a) / (1 + a)
        return result  # type: ignore[no-any-return]


def family_of(matrix: ExactMatrix) -> Family | None:
    """Which of the two families over ℚ(α), n ≥ 1, the matrix is from; None otherwise.

    >>> from exactdp.exact import RationalFunctionField
    >>> family_of(geometric_prime(3, RationalFunctionField().gen))
    Family(n=3, prime=True)
    """
    gen = getattr(matrix.field, "gen", None)
    n = matrix.shape[0] - 1
    if gen is None or n < 1 or matrix.shape[1] != n + 1:
        return None
    if matrix[0, 0] == 1 and matrix == geometric_prime(n, gen):
        return Family(n, prime=True)
    return Family(n, prime=False) if matrix == geometric(n, gen).matrix else None
