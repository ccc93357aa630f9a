# SPDX-License-Identifier: MIT
"""Find R with B = A·R, or a separator that shows there is none (untrusted; the caller checks either).

The question is made small first. Columns of A that are multiples of each other are merged, and so are those of B. A relation w·A = 0 of
the rows must hold for B too: otherwise w, in one column, is the separator. Then independent rows of A are enough. If they are as many as
its columns, R is the only solution of an equation. Otherwise R's columns are sought one by one (:mod:`~exactdp.search.remap_columns`),
and if that does not settle it, together (:mod:`~exactdp.search.transported_mass`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from exactdp.exact import QQ, ExactMatrix, Factors
from exactdp.model import Mechanism, Remap
from exactdp.search.remap_columns import RemapColumns
from exactdp.search.transported_mass import Separator, by_mass

__all__ = ["propose_post_processing"]


def propose_post_processing(source: Mechanism, target: Mechanism) -> Remap | ExactMatrix:
    """A row-stochastic R, or the separator W (inputs × outputs of the target)."""
    if source.n_inputs == source.n_outputs and target.n_outputs > 1:
        try:
            found = _invertible(source.matrix, target.matrix)
        except ZeroDivisionError:
            pass
        else:
            return found.matrix if isinstance(found, Separator) else Remap(found, source.outputs, target.outputs)
    a, b = _Merged.of(source.matrix), _Merged.of(target.matrix)
    answer = _of_merged(a.matrix, b.matrix)
    if isinstance(answer, Separator):
        W = list(answer.matrix.rows())
        return ExactMatrix([[row[c or 0] for c in b.classes] for row in W], source.field)
    zero, R = source.field.zero, list(answer.rows())
    rows = [[zero if d is None else R[c or 0][d] * share for d, share in zip(b.classes, b.shares, strict=True)] for c in a.classes]
    return Remap(ExactMatrix(rows, source.field), source.outputs, target.outputs)


@dataclass(frozen=True, slots=True)
class _Merged:
    """A matrix with the columns that are multiples of each other summed; for each old column its class (None: it is zero) and its share."""

    matrix: ExactMatrix
    classes: list[int | None]
    shares: list[Any]

    @classmethod
    def of(cls, matrix: ExactMatrix) -> _Merged:
        zero = matrix.field.zero
        places: dict[tuple[Any, ...], int] = {}
        sums: list[list[Any]] = []
        totals: list[Any] = []
        classes: list[int | None] = []
        for column in zip(*matrix.rows(), strict=True):
            total = sum(column, zero)
            totals.append(total)
            if not total:
                classes.append(None)
                continue
            place = places.setdefault(tuple(x / total for x in column), len(sums))
            classes.append(place)
            if place == len(sums):
                sums.append(list(column))
            else:
                sums[place] = [x + y for x, y in zip(sums[place], column, strict=True)]
        whole = [sum(column, zero) for column in sums]
        shares = [zero if c is None else total / whole[c] for c, total in zip(classes, totals, strict=True)]
        return cls(ExactMatrix(list(zip(*sums, strict=True)), matrix.field), classes, shares)


def _of_merged(A: ExactMatrix, B: ExactMatrix) -> ExactMatrix | Separator:
    field, rows, target = A.field, list(A.rows()), list(B.rows())
    factors = Factors(field, {x: {y: p for y, p in enumerate(row) if p} for x, row in enumerate(rows)}, range(A.shape[1]))
    kept, columns = sorted(factors.rows), sorted(factors.columns)
    rest = [x for x in range(len(rows)) if x not in factors.rows]
    independent, wanted = ExactMatrix([rows[x] for x in kept], field), ExactMatrix([target[x] for x in kept], field)
    if rest:
        square = ExactMatrix([[rows[x][y] for y in columns] for x in kept], field)
        relations = square.T.solve(ExactMatrix([[rows[x][y] for x in rest] for y in columns], field)).T
        for x, relation, row in zip(rest, relations.rows(), (relations @ wanted).rows(), strict=True):
            for r, (p, expected) in enumerate(zip(target[x], row, strict=True)):
                if p != expected:
                    side = field.one if p > expected else -field.one
                    weights = {x: side, **{i: -side * w for i, w in zip(kept, relation, strict=True)}}
                    return Separator(_placed(weights, r, B.shape))
    found = _invertible(independent, wanted) if len(kept) == A.shape[1] else _by_programs(independent, wanted)
    if isinstance(found, Separator) and rest:
        W = dict(zip(kept, found.matrix.rows(), strict=True))
        return Separator(ExactMatrix([W.get(x, [field.zero] * B.shape[1]) for x in range(len(rows))], field))
    return found


def _invertible(A: ExactMatrix, B: ExactMatrix) -> ExactMatrix | Separator:
    """A is invertible: R = A^(-1) B is the only candidate, and a negative entry gives the separator at once."""
    only = A.solve(B)
    negative = next(((y, r) for y, row in enumerate(only.rows()) for r, x in enumerate(row) if x < 0), None)
    if negative is None:
        return only
    y, r = negative
    inverse_row = A.T.solve(ExactMatrix.build(A.shape[1], 1, lambda i, _: int(i == y), A.field)).column(0)
    return Separator(_placed({x: -v for x, v in enumerate(inverse_row)}, r, B.shape))


def _by_programs(A: ExactMatrix, B: ExactMatrix) -> ExactMatrix | Separator:
    """Several solutions, or none: the columns of R one by one, and then together."""
    if A.field != QQ:
        return by_mass(A, B)
    columns = RemapColumns(A, B)
    return columns.begin() or by_mass(A, B, without_floats=columns.finish)


def _placed(weights: dict[int, Any], r: int, shape: tuple[int, int]) -> ExactMatrix:
    """The matrix with these weights in column r and 0 elsewhere."""
    return ExactMatrix.build(*shape, lambda x, q: weights.get(x, 0) if q == r else 0)
