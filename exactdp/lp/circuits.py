# SPDX-License-Identifier: MIT
"""All positive circuits of a configuration of vectors, modulo symmetry, by pivoting from one to the next.

A *positive circuit* of vectors c_0, …, c_(N−1) is a minimal set B with Σ_(j∈B) w_j c_j = 0 for weights w > 0:
the extreme rays of the cone {w ≥ 0 : Σ w_j c_j = 0}, hence the vertices of a polytope. The vertices of {w ≥ 0
: Vw = b}, when that is bounded, are those of the columns of V taken modulo b.

*Adjacency decomposition.* The graph of a polytope is connected, so a set of vertices that contains all
neighbours of its members is everything. The edges at B are the positive circuits of the *contraction*, the
other vectors modulo the span of B: when B has one element more than the rank, each other vector is zero there
and is an edge of its own (an ordinary pivot); otherwise B is degenerate, and its edges are enumerated by the
same procedure in lower dimension. Only one member of every orbit of a group of symmetries is expanded.
Expensive (very degenerate) orbits come last, and are left out once fewer vertices than the dimension d of the
polytope remain unexpanded: its graph is d-connected (Balinski), so the others still reach everything.

Sources: Avis, Fukuda (1992), pivoting; Bremner, Dutour Sikirić, Schürmann, Polyhedral representation
conversion up to symmetries (2009).

*Vectors that depend on a parameter*, for all its values in an interval (:func:`circuit_counts`). With vectors
c_j(a) of rank r, the signs of all r × r minors (the chirotope) determine the positive circuits: r + 1 vectors
of rank r have one dependency, whose coefficients are the minors without one of them, with alternating signs;
its support is a circuit, and every circuit arises so. Minors are polynomials in a: between the roots of their
irreducible factors all signs are constant, and at a root exactly the minors divisible by its minimal
polynomial vanish, the others keep their signs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import combinations, product
from math import comb, gcd, prod
from typing import Any

from flint import fmpz_mat, fmpz_poly

from exactdp.exact.elimination import pivot, row_echelon
from exactdp.exact.field import OrderedField
from exactdp.exact.intervals import Interval, real_roots, sign_at
from exactdp.exact.polynomial import coefficients
from exactdp.exact.rational import QQ, RationalField, integer_vector
from exactdp.runtime.progress import Listener, Progress, counted_off, listener_of, part_of

Permutation = tuple[int, ...]
Support = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Circuit:
    """An orbit of positive circuits: a member, its size, how many columns each lacks for a full basis."""

    support: Support
    size: int
    degeneracy: int


EDGES_BETWEEN_REPORTS = 64
"""After so many edges the listener is called, also while one degenerate orbit is expanded."""


def positive_circuits(
    columns: Sequence[Sequence[Any]],
    group: Sequence[Permutation] = (),
    *,
    field: OrderedField = QQ,
    spanning: bool = False,
    progress: Listener | None = None,
) -> Iterator[Circuit]:
    """All positive circuits, one per orbit, each as soon as it is found.

    * ``columns``: over ``field``, all of one length.
    * ``group``: *All* elements of a group of symmetries of the oriented matroid: each maps positive circuits
      to positive circuits.
    * ``field``: of the entries.
    * ``spanning``: promise that some dependency has all weights positive (then d is known, and Balinski's
      theorem can save the worst orbits).
    * ``progress``: told after each expansion, and while one takes long, how many circuits are found.

    Yields: the sizes of all orbits sum to the number of positive circuits. Memory grows with the number of
    orbits only.

    Minimal balanced collections on three players (the vectors modulo (1, 1, 1)): the five of cooperative game
    theory.

    >>> sets = [[0, 0], [1, 0], [0, 1], [-1, -1], [1, 1], [0, -1], [-1, 0]]
    >>> sorted(circuit.support for circuit in positive_circuits(sets[1:]))
    [(0, 1, 2), (0, 5), (1, 4), (2, 3), (3, 4, 5)]
    """
    work = _Work([list(c) for c in columns], field)
    yield from _orbits(work, work.columns, _Symmetry(len(columns), group), spanning, progress)


def dependency(columns: Sequence[Sequence[Any]], field: OrderedField = QQ) -> tuple[Any, ...] | None:
    """Positive weights w with Σ w_j c_j = 0 and last weight 1; None if the columns are no positive circuit.

    >>> dependency([[2, 0], [0, 1], [-1, -1]])
    (Rational('1/2'), Rational('1'), Rational('1'))
    """
    exact = [[field(x) for x in column] for column in columns]
    rows = [list(row) for row in zip(*exact, strict=True)]
    rank = len(row_echelon(rows, nonzero=_has_sign)[0])
    if rank != len(columns) - 1 or any(rows[i][i] != 1 for i in range(rank)):
        return None
    weights = tuple(-rows[i][-1] for i in range(rank))
    return (*weights, field.one) if all(w > 0 for w in weights) else None


def _orbits(work: _Work, columns: list[list[Any]], symmetry: _Symmetry, spanning: bool, progress: Listener | None) -> Iterator[Circuit]:
    queue: list[tuple[int, int, Support, int]] = []
    found = waiting = expanded = 0
    progress = listener_of(progress)

    def tell(edges: int) -> None:
        if progress is not None:
            detail = f"{expanded} orbits expanded, {len(queue)} waiting; {edges} edges"
            progress(Progress("kernel mechanisms", found, unit="circuits", detail=detail))

    if progress is not None:  # a search inside of another one leaves the listener as it is
        work.listener = tell
    start = work.first(columns)
    if start is None:
        return
    rank = work.reduced(columns, range(len(columns)))[1] if columns[0] else 0
    dimension = len(columns) - rank - 1 if spanning else 0
    seen: set[int] = set()
    discovered: Iterable[Support] = [start]
    while True:
        for support in discovered:
            work.count_edge()
            key, size = symmetry.canonical(support)
            if key in seen:
                continue
            seen.add(key)
            degeneracy = rank + 1 - len(support)
            found += size
            waiting += size
            heappush(queue, (degeneracy, key, support, size))
            yield Circuit(support, size, degeneracy)
        tell(work.edges)
        if not queue or (expanded and waiting < dimension):
            return
        _, _, support, size = heappop(queue)
        waiting -= size
        expanded += 1
        discovered = _neighbours(work, columns, support, symmetry, spanning)


def _neighbours(work: _Work, columns: list[list[Any]], support: Support, symmetry: _Symmetry, spanning: bool) -> Iterator[Support]:
    """The circuits joined to this one by an edge, at least one of every orbit of its stabiliser."""
    basis, last = support[:-1], support[-1]
    k = len(basis)
    inside = set(support)
    others = [j for j in range(len(columns)) if j not in inside]
    table, rank = work.reduced(columns, [*basis, last, *others])
    upper = list(zip(*table[:k], strict=True)) if k else [()] * (len(others) + 1)
    lower = list(zip(*table[k:rank], strict=True)) if rank > k else [()] * (len(others) + len(support))
    ends = [-x for x in upper[k]]  # b_last = −Σ ends_i b_i (over the common denominator, which is positive)
    classes: dict[tuple[Any, ...], list[tuple[int, tuple[Any, ...], Any]]] = {}  # direction modulo the span: the columns, with their scales
    for place, j in enumerate(others, start=k + 1):
        if any(map(work.nonzero, lower[place])):
            direction, scale = work.direction(lower[place])
            classes.setdefault(direction, []).append((j, upper[place], scale))
        else:
            yield _step(basis, last, ends, upper[place], (j,))
    if not classes:
        return
    directions = [list(direction) for direction in classes]
    members = list(classes.values())
    for circuit in _orbits(work, directions, symmetry.on_classes(support, members), spanning, None):
        weights = work.weights(directions, circuit.support)
        for chosen in product(*(members[c] for c in circuit.support)):
            whole = prod(scale for _, _, scale in chosen)
            factors = [z * (whole // scale if work.rational else whole / scale) for z, (_, _, scale) in zip(weights, chosen, strict=True)]
            entries = zip(*(part for _, part, _ in chosen), strict=True)
            moved = [sum(f * part for f, part in zip(factors, parts, strict=True)) for parts in entries]
            yield _step(basis, last, ends, moved, tuple(j for j, _, _ in chosen))


def _step(basis: Support, last: int, ends: Sequence[Any], moved: Sequence[Any], entering: Support) -> Support:
    """The circuit at the other end of the edge along which columns enter.

    Σ z_j c_j = Σ moved_i b_i for the entering columns, and the weights ``ends`` belong to the old circuit. It
    is added θ times, with the least θ ≥ 0 that leaves no weight negative.
    """
    top, bottom = 0, 1  # θ = top/bottom
    for c, w in zip(moved, ends, strict=True):
        if c > 0 and c * bottom > top * w:
            top, bottom = c, w
    if not top:
        kept = [b for b, c in zip(basis, moved, strict=True) if c < 0]
    else:
        kept = [b for b, c, w in zip(basis, moved, ends, strict=True) if top * w != c * bottom]
        kept.append(last)
    return tuple(sorted([*kept, *entering]))


class _Symmetry:
    """A group of permutations, all its elements listed, and the canonical member of an orbit of sets."""

    def __init__(self, size: int, group: Sequence[Permutation]) -> None:
        self.size = size
        self.elements = list(group) or [tuple(range(size))]
        bits = [1 << (size - 1 - v) for v in range(size)]
        self._images = [[bits[v] for v in g] for g in self.elements]
        self._least = [min(g[v] for g in self.elements) for v in range(size)]
        both = list(zip(self.elements, self._images, strict=True))
        self._to_least = [[image for g, image in both if g[v] == self._least[v]] for v in range(size)]

    def canonical(self, support: Support) -> tuple[int, int]:
        """The largest bit mask (column 0 first) in the orbit of a set, and the size of the orbit."""
        least = min(self._least[v] for v in support)
        best = count = 0
        for v in support:
            if self._least[v] == least:
                for image in self._to_least[v]:
                    mask = sum([image[u] for u in support])
                    if mask > best:
                        best, count = mask, 1
                    elif mask == best:
                        count += 1
        return best, len(self.elements) // count

    def on_classes(self, support: Support, members: Sequence[Sequence[tuple[int, Any, Any]]]) -> _Symmetry:
        """What the stabiliser of a set does to classes of other columns."""
        inside = set(support)
        number = {j: c for c, columns in enumerate(members) for j, _, _ in columns}
        firsts = [columns[0][0] for columns in members]
        stabiliser = (g for g in self.elements if all(g[v] in inside for v in support))
        return _Symmetry(len(members), sorted({tuple(number[g[j]] for j in firsts) for g in stabiliser}))


class _Work:
    """The linear algebra: over ℚ on integers, with columns times positive numbers; else as it is."""

    def __init__(self, columns: list[list[Any]], field: OrderedField) -> None:
        self.rational = isinstance(field, RationalField)
        self.field = field
        self.nonzero: Callable[[Any], bool] = bool if self.rational else _has_sign
        self.edges = 0
        self.listener: Callable[[int], None] | None = None
        self.columns = [integer_vector([field(x) for x in c])[1] if self.rational else [field(x) for x in c] for c in columns]

    def count_edge(self) -> None:
        """Count an edge; after EDGES_BETWEEN_REPORTS edges the listener is called."""
        self.edges += 1
        if self.edges % EDGES_BETWEEN_REPORTS == 0:
            self.report()

    def report(self) -> None:
        """Call the listener, during long computations too, so that it can stop them."""
        if self.listener is not None:
            self.listener(self.edges)

    def reduced(self, columns: list[list[Any]], order: Sequence[int]) -> tuple[list[list[Any]], int]:
        """A positive multiple of the reduced row echelon form of columns in this order, and the rank."""
        height = len(columns[order[0]])
        if self.rational:
            matrix, denominator, rank = fmpz_mat([[columns[j][i] for j in order] for i in range(height)]).rref()
            rows = matrix.tolist() if denominator > 0 else (-matrix).tolist()
            return [[int(x) for x in row] for row in rows], int(rank)
        entries = [[columns[j][i] for j in order] for i in range(height)]
        return entries, len(row_echelon(entries, nonzero=self.nonzero, tell=self.report)[0])

    def direction(self, column: tuple[Any, ...]) -> tuple[tuple[Any, ...], Any]:
        """A vector that all positive multiples of a column share, and the column's factor of it."""
        factor = gcd(*column) if self.rational else abs(next(x for x in column if x))
        return tuple(x // factor if self.rational else x / factor for x in column), factor

    def weights(self, columns: list[list[Any]], support: Support) -> list[Any]:
        """The positive dependency of a positive circuit, up to scale."""
        if len(support) == 1:
            return [1]
        table, rank = self.reduced(columns, support)
        return [*(-row[-1] for row in table[:rank]), table[0][0]]

    def first(self, columns: list[list[Any]]) -> Support | None:
        """A positive circuit or None. Where numbers are long, rounded ones may propose it."""
        if self.rational and max((x.bit_length() for column in columns for x in column), default=0) > LONG:
            proposed = self._first([_rounded(column) for column in columns])
            if proposed is not None and dependency([columns[j] for j in proposed]) is not None:
                return proposed
        return self._first(columns)

    def _first(self, columns: list[list[Any]]) -> Support | None:
        """By Bland's simplex method on {z ≥ 0 : Σ z_j c_j = 0, Σ z_j = 1}, from artificial variables."""
        null = next((j for j, column in enumerate(columns) if not any(map(self.nonzero, column))), None)
        if null is not None:
            return (null,)
        if not columns:
            return None
        # a row for each coordinate, and one for Σ z_j = 1; the right-hand side is the last column
        height, width, zero, one = len(columns[0]), len(columns), self.field.zero, self.field.one
        rows = [[*(self.field(column[i]) for column in columns), zero] for i in range(height)]
        rows.append([one] * (width + 1))
        basis: list[int] = [-1 - i for i in range(height + 1)]  # artificial variables, whose sum is to be zero
        while True:
            self.report()
            artificial = [row for row, b in zip(rows, basis, strict=True) if b < 0]
            prices = [sum((row[c] for row in artificial), zero) for c in range(width)]
            enter = next((c for c, price in enumerate(prices) if c not in basis and price > 0), None)
            if enter is None:
                break
            # the least ratio; of equal ones the least variable, artificial ones last
            rank_of = [b if b >= 0 else width - b for b in basis]
            ratios = [(row[-1] / row[enter], rank, i) for i, (row, rank) in enumerate(zip(rows, rank_of, strict=True)) if row[enter] > 0]
            leave = min(ratios)[2]
            pivot(rows, leave, enter)
            basis[leave] = enter
        used = [b for row, b in zip(rows, basis, strict=True) if self.nonzero(row[-1])]
        return tuple(sorted(used)) if min(used) >= 0 else None


def _rounded(column: Sequence[int]) -> list[int]:
    """About a multiple of a column of integers, with shorter numbers."""
    less = max(0, max(x.bit_length() for x in column) - LONG)
    return [x >> less for x in column]


LONG = 64
"""Bits to which long numbers are rounded for a proposal."""


def _has_sign(x: Any) -> bool:
    """Whether a number is not zero; raises where its sign is not constant on an interval (unlike bool)."""
    return bool(x > 0 or x < 0)


SETS_BETWEEN_REPORTS = 1024
"""After so many sets the listener is called."""


def circuit_counts(
    columns: Sequence[Sequence[Sequence[int]]], interval: Interval, progress: Listener | None = None
) -> Iterator[tuple[Interval, int]]:
    """How many positive circuits there are on every piece of an interval and at the points between pieces.

    * ``columns``: coefficients, constant first. The height of the vectors is their rank for almost all
      values.
    * ``interval``: open.

    Yields: in increasing order: open pieces and single points, each as soon as it is counted.

    >>> for piece, count in circuit_counts([[[1]], [[-1, 2]], [[-1]]], Interval(0, 1)):
    ...     print(piece, count)
    (0, 1/2) 2
    [1/2, 1/2] 2
    (1/2, 1) 2
    """
    rank, subsets = len(columns[0]), list(combinations(range(len(columns)), len(columns[0])))
    minors, polynomials = _minors(columns, subsets, progress)
    factors: dict[tuple[int, ...], set[int]] = {}  # from an irreducible factor to the polynomials that it divides
    for number, polynomial in enumerate(polynomials):
        for factor, _ in polynomial.factor()[1]:
            factors.setdefault(coefficients(factor), set()).add(number)
    vanishing = {root: factors[f] for f in factors if len(f) > 1 for root, _ in real_roots(f, interval)}
    pieces = interval.split(vanishing)
    signs: list[int] = []
    for piece in counted_off(pieces, progress, "pieces", "pieces", detail=str):
        if piece.is_point:
            here = [0 if number in vanishing[piece.lower] else sign for number, sign in enumerate(signs)]
        else:
            x = piece.sample()
            signs = here = [sign_at(polynomial, x) for polynomial in polynomials]
        chirotope = {subset: sign * here[number] if sign else 0 for subset, (number, sign) in minors.items()}
        yield piece, count_positive_circuits(len(columns), rank, chirotope.__getitem__, part_of(progress, f"piece {piece}"))


def _minors(
    columns: Sequence[Sequence[Sequence[int]]], subsets: Sequence[tuple[int, ...]], progress: Listener | None
) -> tuple[dict[tuple[int, ...], tuple[int, int]], list[fmpz_poly]]:
    """For each subset of the columns the number of a polynomial and a sign, and the polynomials.

    The minor of the columns is the sign times the polynomial; leading coefficients are positive.
    """
    vectors = [[fmpz_poly(list(entry)) for entry in column] for column in columns]
    numbers: dict[tuple[int, ...], int] = {}
    minors: dict[tuple[int, ...], tuple[int, int]] = {}
    polynomials: list[fmpz_poly] = []
    for subset in counted_off(subsets, progress, "minors", "minors"):
        minor = _determinant([vectors[j] for j in subset])
        if not minor:
            minors[subset] = -1, 0
            continue
        sign = 1 if minor.leading_coefficient() > 0 else -1
        number = numbers.setdefault(coefficients(minor * sign), len(polynomials))
        if number == len(polynomials):
            polynomials.append(minor * sign)
        minors[subset] = number, sign
    return minors, polynomials


def count_positive_circuits(size: int, rank: int, chirotope: Callable[[tuple[int, ...]], int], progress: Listener | None = None) -> int:
    """The number of positive circuits of an oriented matroid, from the signs of its bases.

    >>> count_positive_circuits(3, 1, lambda s: (1, -1, -1)[s[0]])
    2
    """
    found: set[int] = set()
    sets = comb(size, rank + 1)
    for number, chosen in enumerate(combinations(range(size), rank + 1)):
        if progress is not None and number % SETS_BETWEEN_REPORTS == 0:
            progress(Progress("sets", number, sets, "sets"))
        support = positive = negative = 0
        for k, j in enumerate(chosen):
            sign = chirotope(chosen[:k] + chosen[k + 1 :])
            if sign:
                support |= 1 << j
                if (sign > 0) == (k % 2 == 0):
                    positive = 1
                else:
                    negative = 1
                if positive and negative:
                    break
        else:
            if support:
                found.add(support)
    if progress is not None:
        progress(Progress("sets", sets, sets, "sets"))
    return len(found)


def _determinant(columns: list[list[fmpz_poly]]) -> fmpz_poly:
    """By minors of the first rows, each computed once; up to four rows that is faster than Bareiss."""
    size = len(columns)
    minors: dict[tuple[int, ...], fmpz_poly] = {(): fmpz_poly([1])}
    for row in range(size):
        larger: dict[tuple[int, ...], fmpz_poly] = {}
        for chosen in combinations(range(size), row + 1):
            total = fmpz_poly([0])
            for k, j in enumerate(chosen):
                entry = columns[j][row]
                if entry:
                    term = entry * minors[chosen[:k] + chosen[k + 1 :]]
                    total = total - term if (row + k) % 2 else total + term
            larger[chosen] = total
        minors = larger
    return minors[tuple(range(size))]
