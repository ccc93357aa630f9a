# SPDX-License-Identifier: MIT
"""An exact optimum on the face of all optima that a :class:`~exactdp.search.steep.SteepPoint` shows.

The equations are those of :mod:`~exactdp.search.face`. Only what doubles choose is chosen otherwise. What is
tight and which guesses are used is what the last Newton step said, since small numbers are not yet zeros.
Rows are scaled before independent columns are chosen, and losses are without the least one of each input.
Multipliers that are kept are rounded to digits of their own, not to one grain for all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactdp.search.face import OptimalFace
from exactdp.search.steep import BITS, SteepPoint, fixed

if TYPE_CHECKING:
    from exactdp.search.interior import Point
    from exactdp.search.restricted import RestrictedProgram

DEPENDENT = 1e-11
"""A column depends on the chosen ones if what is left of it is shorter than this share of the first one."""

DIGITS = 53
"""What is rounded keeps so many binary digits."""


class SteepFace(OptimalFace):
    """The equations near a point of the method; the program takes its components from there."""

    digits = DIGITS

    def __init__(self, program: RestrictedProgram, method: SteepPoint, point: Point) -> None:
        program.place(point, method.tight, method.unused)
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
        return set(self.longest(matrix / scale[:, None], DEPENDENT))
