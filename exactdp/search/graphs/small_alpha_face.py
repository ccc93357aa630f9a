# SPDX-License-Identifier: MIT
"""An exact optimum on the face of all optima that an interior point in long numbers shows.

The equations are those of :mod:`~exactdp.search.graphs.optimal_face`. Only what doubles choose is chosen
otherwise. What is tight and which guesses are used is what the last Newton step said, since small numbers are
not yet zeros. Rows are scaled before independent columns are chosen, and losses are without the least one of
each input. Multipliers that are kept are rounded to digits of their own, not to one grain for all.

While something is still taken for tight that is not, equations contradict each other. Exact elimination would
find that out too, and take minutes for a hundred inputs. A prime says it at once, and which equations to ask.
Where the equations have a solution, but a constraint or the sign of a multiplier fails, the exact numbers say
which rows were taken for tight wrongly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from exactdp.search.graphs.optimal_face import OptimalFace
from exactdp.search.graphs.small_alpha import BITS, LongInteriorPoint, fixed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exactdp.search.graphs.interior_point import Iterate
    from exactdp.search.graphs.restricted_program import RestrictedProgram

PRIME = 2**31 - 1
"""Products of two remainders fit into 64 bits."""

DEPENDENT = 1e-11
"""A column depends on the chosen ones if what is left of it is shorter than this share of the first one."""

DIGITS = 53
"""What is rounded keeps so many binary digits."""


class LongFace(OptimalFace):
    """The equations near a point of the method; the program takes its components from there."""

    digits = DIGITS

    def __init__(self, program: RestrictedProgram, method: LongInteriorPoint, point: Iterate, tight: Any = None) -> None:
        self.taken = method.tight if tight is None else tight
        # what is kept is rounded, and must be little beside what the rows of trees carry
        program.place(point, self.taken, method.unused, point.multipliers[:, :-1] * point.x[:, method.tails])
        program.bits = BITS
        program.kept = program.np.where(program.keeping, fixed(program.np, point.multipliers[:, :-1]), 0)
        super().__init__(program, point)
        self.method = method
        self.tight = [*range(program.size), *(program.size + program.np.flatnonzero(method.tight_losses)).tolist()]
        self.used = program.np.flatnonzero(~method.unused).tolist()

    def independent(self) -> set[int] | None:
        """Independent columns, as many as there are."""
        program, np, n, method = self.program, self.program.np, self.program.size, self.method
        place, known = program.parts.place, list(program.known)
        matrix = np.zeros((n + len(known), self.last + 1))
        for r in self.used:
            matrix[range(n), place[r]] = self.height[r]
            matrix[range(n, n + len(known)), place[r, known]] = -(method.loss[r] * self.height[r])[known]
        matrix *= self.near
        tight = [known[i - n] for i in self.tight if i >= n]
        if tight:
            matrix[n:, -1] = (self.near[-1] - method.least[tight]).min()
        matrix = matrix[self.tight]
        scale = np.sqrt((matrix**2).sum(1))
        if not np.isfinite(matrix).all() or not scale.all():
            return None
        chosen = self.longest(matrix / scale[:, None], DEPENDENT)
        remainders = self.remainders()
        if remainders is None:
            return None
        # equations whose multipliers can be told from those of the others, as long as doubles see any
        earned = (matrix[:, chosen] / self.near[chosen]).T * np.concatenate([method.mu, method.w])[self.tight]
        length = np.sqrt((earned**2).sum(1))
        first = self.longest(earned / np.where(length > 0, length, 1)[:, None], DEPENDENT)
        order = [*first, *(k for k in range(len(self.tight)) if k not in set(first))]
        others = np.argsort(-abs(self.near), kind="stable").tolist()  # what doubles take for dependent may not be
        found = independent_part(np, remainders[order], [*chosen, *others])
        if found is None:
            return None
        rows, columns = found
        self.asked = [self.tight[order[k]] for k in rows]
        return set(columns)

    def repaired(self, failing: Sequence[tuple[int, int]], cuts: Sequence[tuple[int, int]]) -> Any:
        """What to take for tight instead, of shape (guess, row).

        A constraint (guess, row) that fails joins two components. Within one, its inputs are cut off from
        each other at the loosest row between them. Above an input (guess, input) a component is cut.
        """
        tight, parts, point = self.taken.copy(), self.program.parts, self.point
        for r, v in cuts:
            tight[r, parts.tree_row[r, v]] = False
        for r, e in failing:
            one, other = self.program.tails[e], self.program.heads[e]
            tight[r, e] = True
            if parts.place[r, one] == parts.place[r, other]:
                rows = [int(parts.tree_row[r, v]) for v in parts.above(r, one) ^ parts.above(r, other)]
                tight[r, max(rows, key=lambda row: point.slacks[r, row] / point.x[r, self.program.tails[row]])] = False
        return tight

    def remainders(self) -> Any:
        """The tight equations modulo :data:`PRIME`, their right-hand sides last; None where a denominator is
        a multiple of it.
        """
        program, np, n = self.program, self.program.np, self.program.size
        place, known = program.parts.place, list(program.known)

        numbers = [program.alpha, *(x for i in known for x in program.consumer.loss.matrix.row(i))]
        if any(int(x.denominator) % PRIME == 0 for x in numbers):
            return None

        def remainder(value: Any) -> int:
            return int(value.numerator) * pow(int(value.denominator), -1, PRIME) % PRIME

        power, alpha = [1], remainder(program.alpha)
        while len(power) <= program.parts.steps.max():
            power.append(power[-1] * alpha % PRIME)
        height = np.array(power)[program.parts.steps]
        losses = [[remainder(x) for x in program.consumer.loss.matrix.row(i)] for i in known]
        matrix = np.zeros((n + len(known), self.last + 2), dtype=np.int64)
        for r in self.used:
            matrix[range(n), place[r]] = height[r]
            matrix[range(n, n + len(known)), place[r, known]] = [
                -x[r] * int(h) % PRIME for x, h in zip(losses, height[r, known], strict=True)
            ]
        matrix[n:, -2] = matrix[:n, -1] = 1
        return matrix[self.tight]


def independent_part(np: Any, matrix: Any, columns: Sequence[int]) -> tuple[list[int], list[int]] | None:
    """Independent rows and columns, as many as there are, the first ones of each.

    All modulo :data:`PRIME`. None where the equations, whose right-hand sides are the last column, have no
    solution.

    >>> import numpy
    >>> independent_part(numpy, numpy.array([[1, 0, 1], [2, 0, 2], [0, 1, 5]]), [1, 0])
    ([2, 0], [1, 0])
    >>> independent_part(numpy, numpy.array([[1, 0, 1], [2, 0, 3], [0, 1, 5]]), [1, 0])
    """
    left, others = matrix.copy(), np.ones(len(matrix), dtype=bool)
    rows, chosen = list[int](), list[int]()
    for c in columns:
        found = np.flatnonzero(others & (left[:, c] != 0))
        if not found.size:
            continue
        row = int(found[0])
        others[row] = False
        rows.append(row)
        chosen.append(c)
        share = left[found[1:], c] * pow(int(left[row, c]), -1, PRIME) % PRIME
        left[found[1:]] = (left[found[1:]] - share[:, None] * left[row]) % PRIME
    return None if left[others].any() else (rows, chosen)
