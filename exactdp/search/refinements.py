# SPDX-License-Identifier: MIT
"""Find R with B = A·R, or a separator that shows there is none (untrusted; the caller checks either).

The question is made small first. Columns of A that are multiples of each other are merged, and so are those
of B. If the columns then are the same in some order, or each of B's is a sum of columns of A that follow each
other, R is found without solving anything. A relation w·A = 0 of the rows must hold for B too: otherwise w,
in one column, is the separator. Then independent rows of A are enough. If they are as many as its columns, R
is the only solution of an equation. Otherwise R is sought by linear programs:

* Column by column: column r of R is a point of {u ≥ 0 : A·u = b_r}, and the columns must sum to 1. A small
  program for each gives a point, or a separator in that column, which settles most questions whose answer is
  no. A *master* program then mixes the points so that their sum exceeds 1 as little as possible; its prices π
  ask each column for a cheaper point (Dantzig and Wolfe, 1960). Either the excess becomes 0: then the mixture
  is R. Or the least prices add up to more than Σ π: then the multipliers w_r of the columns are a separator
  W, since Aᵀw_r ≤ π and w_r·b_r is the least price.
* Together: how much of B can be made of A? Maximise Σ (A·R) over R ≥ 0 with A·R ≤ B and every row of R at
  most 1, beginning at R = 0. It is all of B iff B = A·R for a row-stochastic R. Otherwise the multipliers V
  of A·R ≤ B show it: W = 1 − V has Σ W·B > Σ_y max_r (AᵀW)_yr. That inequality is strict, so W may be
  rounded: mostly the multipliers of a float solver, rounded to a few binary digits, are a separator already.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from exactdp.exact import QQ, ExactMatrix, Rational, SparseRows, integer_vector, largest
from exactdp.lp.highs import Proposer, ask_highs, propose_basis, rounded
from exactdp.lp.problem import Basis, Infeasible, LinearProgram, Optimal, Row
from exactdp.lp.solve import solve
from exactdp.lp.sparse import SparseLU
from exactdp.model import Mechanism, Remap
from exactdp.runtime.progress import Listener, Progress, counted_off, part_of, report_phase

DIGITS = (6, 12, 24, 40)
"""Binary digits to which float multipliers are rounded."""

LARGEST = 2.0**60
"""Larger float multipliers are not used."""


@dataclass(frozen=True, slots=True)
class Separator:
    """W with Σ W·B > Σ_y max_r (AᵀW)_yr."""

    matrix: ExactMatrix


def propose_post_processing(
    source: Mechanism, target: Mechanism, *, plain: bool = False, progress: Listener | None = None
) -> Remap | ExactMatrix:
    """A row-stochastic R, or the separator W (inputs × outputs of the target).

    With ``plain`` one linear program of all entries decides, by exact pivots.
    """
    report_phase(progress, "columns of both")
    a, b = _Merged.of(source.matrix), _Merged.of(target.matrix)
    known = None if plain else _permuted(a, b) or _runs(a.matrix, b.matrix)
    if known is not None:
        return _unmerged(a, b, known, source, target)
    if not plain and source.n_inputs == source.n_outputs and target.n_outputs > 1:
        report_phase(progress, "the only candidate")
        try:
            found = _invertible(source.matrix, target.matrix)
        except ZeroDivisionError:
            pass
        else:
            return found.matrix if isinstance(found, Separator) else Remap(found, source.outputs, target.outputs)
    answer = by_mass(a.matrix, b.matrix, plain=True) if plain else _of_merged(a.matrix, b.matrix, progress)
    if isinstance(answer, Separator):
        W = list(answer.matrix.rows())
        return ExactMatrix([[row[c or 0] for c in b.classes] for row in W], source.field)
    return _unmerged(a, b, [{d: x for d, x in enumerate(row) if x} for row in answer.rows()], source, target)


def _unmerged(a: _Merged, b: _Merged, remap: Sequence[dict[int, Any]], source: Mechanism, target: Mechanism) -> Remap:
    """The post-processing of all columns, from the rows of that of the merged ones."""
    parts: list[list[tuple[int, Any]]] = [[] for _ in b.masses]
    for r, (d, share) in enumerate(zip(b.classes, b.shares, strict=True)):
        if d is not None:
            parts[d].append((r, share))
    rows = [{r: x * share for d, x in remap[c or 0].items() for r, share in parts[d]} for c in a.classes]
    return Remap(SparseRows(rows, target.n_outputs, source.field), source.outputs, target.outputs)


def _permuted(a: _Merged, b: _Merged) -> list[dict[int, Any]] | None:
    """The post-processing that names the columns in another order, if they are the same."""
    one = a.matrix.field.one
    same = a.places.keys() == b.places.keys() and all(a.masses[c] == b.masses[b.places[key]] for key, c in a.places.items())
    return [{b.places[key]: one} for key in a.places] if same else None


MOST_RUNS = 4_000_000
"""With more pairs of columns their runs are not looked for."""


def _runs(A: ExactMatrix, B: ExactMatrix) -> list[dict[int, Any]] | None:
    """The post-processing that merges columns of A which follow each other, over ℚ, if B's are such sums.

    No column is zero, and no two are multiples of each other. Rows are made integers, and added, so that the
    sums from the first column on are different numbers.

    >>> A = ExactMatrix([["1/2", "1/4", "1/4"], ["1/8", "5/8", "1/4"]])
    >>> _runs(A, ExactMatrix([["1/2", "1/2"], ["7/8", "1/8"]]))
    [{1: Rational('1')}, {0: Rational('1')}, {0: Rational('1')}]
    """
    m, k = A.shape[1], B.shape[1]
    if {A.field, B.field} != {QQ} or k > m or m * k > MOST_RUNS:
        return None
    pairs = [integer_vector([*x, *y])[1] for x, y in zip(A.rows(), B.rows(), strict=True)]
    upto = [list(accumulate(row[:m], initial=0)) for row in pairs]
    wanted = [row[m:] for row in pairs]
    place = {sum(sums): j for j, sums in enumerate(zip(*upto, strict=True))}
    chosen: list[dict[int, Any]] = [{} for _ in range(m)]
    for r, column in enumerate(zip(*wanted, strict=True)):
        size = sum(column)
        ends = ((start, place.get(sum_to + size)) for sum_to, start in place.items())
        fits = (
            (start, end)
            for start, end in ends
            if end is not None
            and not any(chosen[start:end])
            and all(sums[end] - sums[start] == x for sums, x in zip(upto, column, strict=True))
        )
        run = next(fits, None)
        if run is None:
            return None
        chosen[slice(*run)] = [{r: QQ.one}] * (run[1] - run[0])
    return chosen if all(chosen) else None


@dataclass(frozen=True, slots=True)
class _Merged:
    """A matrix, multiples of a column summed; for each old column its class (None: zero) and share.

    Each of the new columns has a place, found by the column divided by its first entry that is not 0; its sum
    is its mass.
    """

    matrix: ExactMatrix
    classes: list[int | None]
    shares: list[Any]
    places: dict[tuple[Any, ...], int]
    masses: list[Any]

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
            first = next(x for x in column if x)
            place = places.setdefault(tuple(x / first for x in column), len(sums))
            classes.append(place)
            if place == len(sums):
                sums.append(list(column))
            else:
                sums[place] = [x + y for x, y in zip(sums[place], column, strict=True)]
        whole = [sum(column, zero) for column in sums]
        shares = [zero if c is None else total / whole[c] for c, total in zip(classes, totals, strict=True)]
        return cls(ExactMatrix(list(zip(*sums, strict=True)), matrix.field), classes, shares, places, whole)


def _of_merged(A: ExactMatrix, B: ExactMatrix, progress: Listener | None) -> ExactMatrix | Separator:
    report_phase(progress, "relations of the rows")
    field, rows, target = A.field, list(A.rows()), list(B.rows())
    factors = SparseLU(field, {x: {y: p for y, p in enumerate(row) if p} for x, row in enumerate(rows)}, range(A.shape[1]))
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
    found = _invertible(independent, wanted) if len(kept) == A.shape[1] else _by_programs(independent, wanted, progress)
    if isinstance(found, Separator) and rest:
        W = dict(zip(kept, found.matrix.rows(), strict=True))
        return Separator(ExactMatrix([W.get(x, [field.zero] * B.shape[1]) for x in range(len(rows))], field))
    return found


def _invertible(A: ExactMatrix, B: ExactMatrix) -> ExactMatrix | Separator:
    """R = A^(-1) B is the only candidate, and a negative entry gives the separator at once."""
    only = A.solve(B)
    negative = next(((y, r) for y, row in enumerate(only.rows()) for r, x in enumerate(row) if x < 0), None)
    if negative is None:
        return only
    y, r = negative
    inverse_row = A.T.solve(ExactMatrix.build(A.shape[1], 1, lambda i, _: int(i == y), A.field)).column(0)
    return Separator(_placed({x: -v for x, v in enumerate(inverse_row)}, r, B.shape))


def _by_programs(A: ExactMatrix, B: ExactMatrix, progress: Listener | None) -> ExactMatrix | Separator:
    """Several solutions, or none: the columns of R one by one, and then together."""
    if A.field != QQ:
        return by_mass(A, B, progress=progress)
    columns = RemapColumns(A, B, progress)
    return columns.begin() or by_mass(A, B, without_floats=columns.finish, progress=progress)


def _placed(weights: dict[int, Any], r: int, shape: tuple[int, int]) -> ExactMatrix:
    """The matrix with these weights in column r and 0 elsewhere."""
    return ExactMatrix.build(*shape, lambda x, q: weights.get(x, 0) if q == r else 0)


def by_columns(A: ExactMatrix, B: ExactMatrix) -> ExactMatrix | Separator:
    """A row-stochastic R with A·R = B, or a separator; A has no zero column, and the rows of both sum to 1.

    >>> by_columns(ExactMatrix([["1/2", "1/4", "1/4"]]), ExactMatrix([["1"]]))
    ExactMatrix([['1'], ['1'], ['1']])
    """
    columns = RemapColumns(A, B)
    return columns.begin() or columns.finish()


class RemapColumns:
    """The columns' programs with their last bases, and the points found."""

    def __init__(self, A: ExactMatrix, B: ExactMatrix, progress: Listener | None = None) -> None:
        self._progress = progress
        self._B, self._field, self._m, self._k = B, A.field, A.shape[1], B.shape[1]
        self._left = [{y: p for y, p in enumerate(row) if p} for row in A.rows()]
        self._mass = [sum(column, A.field.zero) for column in zip(*A.rows(), strict=True)]
        self._bases: list[Basis | None] = [None] * self._k
        self._points: list[tuple[int, tuple[Any, ...]]] = []

    def begin(self) -> ExactMatrix | Separator | None:
        """R, if points of all columns happen to sum to 1; or a separator, if some column has no point."""
        for r in counted_off(range(self._k), self._progress, "columns", "columns"):
            found = self._cheapest(r, self._mass, propose_basis)
            if isinstance(found, Infeasible):
                return Separator(ExactMatrix([[w if q == r else 0 for q in range(self._k)] for w in found.farkas], self._field))
            self._points.append((r, found.x))
        one = self._field.one
        sums = (sum(row, self._field.zero) for row in zip(*(point for _, point in self._points), strict=True))
        return self._mixture([one] * self._k) if all(total == one for total in sums) else None

    def finish(self) -> ExactMatrix | Separator:
        """R or a separator, from the points with which :meth:`begin` ended."""
        zero, basis = self._field.zero, None
        while True:
            if self._progress is not None:
                self._progress(Progress("mixtures", len(self._points), unit="points"))
            master = self._master(basis)
            if not master.value:
                return self._mixture(master.x[self._m :])
            prices, values = master.y[: self._m], master.y[self._m :]
            found = [self._cheapest(r, prices) for r in range(self._k)]
            if sum((column.value for column in found), zero) > sum(prices, zero):
                return Separator(ExactMatrix(list(zip(*(column.y for column in found), strict=True)), self._field))
            new = [(r, column.x) for r, column in enumerate(found) if column.value < values[r]]
            self._points += new
            known: Basis = master.basis
            basis = Basis((*known.columns, *(False for _ in new)), known.rows)

    def _cheapest(self, r: int, prices: Sequence[Any], proposer: Proposer | None = None) -> Any:
        """The point of column r with the least Σ π_y u_y."""
        rows = [Row(a, "==", b) for a, b in zip(self._left, self._B.column(r), strict=True)]
        answer = solve(
            LinearProgram(self._m, dict(enumerate(prices)), rows),
            start=self._bases[r],
            proposer=proposer,
            progress=part_of(self._progress, f"column {r}"),
        )
        if isinstance(answer, Optimal):
            self._bases[r] = answer.basis
        return answer

    def _master(self, start: Basis | None) -> Any:
        """The mixture of the points whose excess over 1 weighs least; variable y < m is the excess at y."""
        one = self._field.one
        over: list[dict[int, Any]] = [{y: one} for y in range(self._m)]
        whole: list[dict[int, Any]] = [{} for _ in range(self._k)]
        for place, (r, point) in enumerate(self._points, start=self._m):
            whole[r][place] = one
            for y, u in enumerate(point):
                if u:
                    over[y][place] = -u
        rows = [Row(row, ">=", -one) for row in over] + [Row(row, "==", one) for row in whole]
        answer = solve(
            LinearProgram(self._m + len(self._points), dict(enumerate(self._mass)), rows),
            start=start,
            proposer=None,
            progress=part_of(self._progress, "mixture"),
        )
        assert isinstance(answer, Optimal)
        return answer

    def _mixture(self, weights: Sequence[Any]) -> ExactMatrix:
        rows = [[self._field.zero] * self._k for _ in range(self._m)]
        for (r, point), share in zip(self._points, weights, strict=True):
            for y, u in enumerate(point):
                if share and u:
                    rows[y][r] = rows[y][r] + share * u
        return ExactMatrix(rows, self._field)


def by_mass(
    A: ExactMatrix,
    B: ExactMatrix,
    *,
    plain: bool = False,
    without_floats: Callable[[], ExactMatrix | Separator] | None = None,
    progress: Listener | None = None,
) -> ExactMatrix | Separator:
    """A row-stochastic R with A·R = B, or a separator; A has no zero column, and the rows of both sum to 1.

    ``without_floats`` is what to do instead, over ℚ, when there is no float solver. With ``plain`` exact
    pivots alone decide.

    >>> by_mass(ExactMatrix([["1/2", "1/4", "1/4"]]), ExactMatrix([["1"]]))
    ExactMatrix([['1'], ['1'], ['1']])
    """
    (n, m), k = A.shape, B.shape[1]
    lp = mass_program(A, B)
    basis = None
    if A.field == QQ and not plain:
        report_phase(progress, "a separator in doubles")
        found, basis = _guess(lp, A, B)
        if found is not None:
            return found
        if basis is None and without_floats is not None:
            return without_floats()
    proposer = None if plain else propose_basis
    answer = solve(lp, start=basis, proposer=proposer, progress=part_of(progress, "all columns together"))
    assert isinstance(answer, Optimal)
    if -answer.value == n:
        return ExactMatrix([answer.x[y * k : (y + 1) * k] for y in range(m)], A.field)
    return Separator(ExactMatrix([[1 - v for v in answer.y[x * k : (x + 1) * k]] for x in range(n)], A.field))


def mass_program(A: ExactMatrix, B: ExactMatrix) -> LinearProgram:
    """Minimise −Σ (A·R) subject to −A·R ≥ −B and −R·1 ≥ −1; R_yr is variable y·k + r."""
    m, k = A.shape[1], B.shape[1]
    minus = A.field.one * -1
    rows: list[Row] = []
    for a, b in zip(A.rows(), B.rows(), strict=True):
        used = [(y * k, -p) for y, p in enumerate(a) if p]
        rows.extend(Row({y + r: p for y, p in used}, ">=", -b[r]) for r in range(k))
    rows.extend(Row({y * k + r: minus for r in range(k)}, ">=", minus) for y in range(m))
    gains = [-sum(column, A.field.zero) for column in zip(*A.rows(), strict=True)]
    return LinearProgram(m * k, {y * k + r: gain for y, gain in enumerate(gains) for r in range(k)}, rows)


def separates(W: ExactMatrix, A: ExactMatrix, B: ExactMatrix) -> bool:
    """Whether Σ W·B > Σ_y max_r (AᵀW)_yr, exactly.

    >>> coin, all_ = ExactMatrix([["1/2", "1/2"], ["1/2", "1/2"]]), ExactMatrix([[1, 0], [0, 1]])
    >>> separates(all_, coin, all_), separates(all_, all_, coin)
    (True, False)
    """
    best = sum((largest(row) for row in (A.T @ W).rows()), A.field.zero)
    return bool(sum((w * b for u, v in zip(W.rows(), B.rows(), strict=True) for w, b in zip(u, v, strict=True)), A.field.zero) > best)


def _guess(lp: LinearProgram, A: ExactMatrix, B: ExactMatrix) -> tuple[Separator | None, Basis | None]:
    """A separator from the float solver's multipliers, or else the basis at which it stopped."""
    try:
        answer = ask_highs(rounded(lp, scaled=False))
    except (TypeError, OverflowError):
        return None, None
    if answer is None:
        return None, None
    n, k = B.shape
    values = answer.multipliers
    if not all(abs(v) < LARGEST for v in values):  # nor a number at all, perhaps
        return None, answer.basis
    for digits in DIGITS:
        W = ExactMatrix([[_rounded(1 - v, digits) for v in values[x * k : (x + 1) * k]] for x in range(n)])
        if separates(W, A, B):
            return Separator(W), None
    return None, answer.basis


def _rounded(value: float, digits: int) -> Any:
    return Rational(round(value * 2**digits), 2**digits)
