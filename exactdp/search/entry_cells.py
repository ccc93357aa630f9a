# SPDX-License-Identifier: MIT
"""The optimal-mechanism program with symmetric entries merged, without the program itself (untrusted).

The program of [gs2010, 2.5] has n·k entries x_ir and 2·k rows for each constrained pair. Where the neighbours
are symmetric most of them are copies of a few. So the entries are coloured first, and what is written is one
variable a colour and one row for each kind of constraint.

*Colours.* Entries of one colour have the same cost, and see the same: the multiset of (distance, colour) of
the x_jr next to x_ir, and the multiset of colours in row i. These colours, the rows' multisets, and (colour,
colour, distance) of the constraints x_ir ≥ α^d·x_jr are an equitable partition of the program
(:mod:`~exactdp.lp.symmetry`).

*Orbits first.* An automorphism of the neighbours that also keeps the costs maps column r to another column,
and every refinement is invariant under it. So one column of each orbit of guesses is coloured, and the others
are its images. Automorphisms are guessed (rotations, reflections, flipped bits) and tried on every pair and
every cost. One that is missed costs time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from exactdp.exact import QQ, ExactMatrix, OverOneDenominator, Rational, integer_vector, is_nonzero, long_integers
from exactdp.lp.problem import LinearProgram, Row, require_program
from exactdp.lp.symmetry import numbered
from exactdp.model import BayesianConsumer, Dual, Mechanism
from exactdp.model.consumer import Problem
from exactdp.runtime.progress import Progress, listener_of
from exactdp.runtime.values import dataclass

Permutation = tuple[int, ...]
"""The image of each input."""

Classes = Sequence[Sequence[int]]
"""A number for each entry, row by row."""


@dataclass(frozen=True, slots=True)
class EntryCells:
    """The colour of each entry and each input's row, numbered as they occur; ``size`` colours of entries.

    >>> from exactdp.model import Graph, Loss, MinimaxConsumer, PrivacyLevel
    >>> graph = Graph.cycle(3)
    >>> consumer = MinimaxConsumer(Loss.zero_one(graph.vertices))
    >>> cells = entry_cells(Symmetry(Problem(graph, PrivacyLevel("1/2"), consumer)))
    >>> cells.entries
    ((0, 1, 1), (1, 0, 1), (1, 1, 0))
    """

    entries: tuple[tuple[int, ...], ...]
    rows: tuple[int, ...]
    size: int


class Symmetry:
    """What the entries of a problem's program are told apart by, and automorphisms that were found.

    >>> from exactdp.model import Graph, Loss, MinimaxConsumer, PrivacyLevel
    >>> graph = Graph.cycle(3)
    >>> consumer = MinimaxConsumer(Loss.zero_one(graph.vertices))
    >>> Symmetry(Problem(graph, PrivacyLevel("1/2"), consumer)).generators
    [(1, 2, 0)]
    """

    def __init__(self, problem: Problem) -> None:
        self.size, self.guesses = problem.consumer.loss.matrix.shape
        pairs = problem.neighbours.pairs()
        distances = numbered(d for _, _, d in pairs)
        self.pairs = {(i, j): c for (i, j, _), c in zip(pairs, distances, strict=True)}
        self.counts, self.costs = _costs(problem)
        self.generators: list[Permutation] = []
        if self.size == self.guesses:
            self.generators = _generators(self.size, self.pairs, self.counts, self.costs)

    @property
    def is_transitive(self) -> bool:
        """Whether these map any input to any other one, and so any guess."""
        return self.size == self.guesses and self.orbits() == 1

    def orbits(self, weights: Sequence[Any] | None = None) -> int:
        """Into how many classes these divide the inputs; with weights only those that keep them count.

        >>> from exactdp.model import Graph, Loss, MinimaxConsumer, PrivacyLevel
        >>> graph = Graph.cycle(3)
        >>> problem = Problem(graph, PrivacyLevel("1/2"), MinimaxConsumer(Loss.zero_one(graph.vertices)))
        >>> Symmetry(problem).orbits(), Symmetry(problem).orbits([1, 2, 1])
        (1, 3)
        """
        orbit = list(range(self.size))
        for image in self.generators:
            if weights is None or all(weights[i] == weights[g] for i, g in enumerate(image)):
                orbit = _joined(orbit, image)
        return len(set(orbit))


def all_cells(symmetry: Symmetry) -> EntryCells:
    """:func:`entry_cells`, however many there are."""
    cells = entry_cells(symmetry)
    assert cells is not None
    return cells


def entry_cells(symmetry: Symmetry, *, most: float | None = None) -> EntryCells | None:
    """The coarsest colouring in which entries of one colour see the same; None with more than ``most``."""
    n, k, counts = symmetry.size, symmetry.guesses, symmetry.counts
    refinement = _Refinement(symmetry)
    colours, number, told = refinement.start(), 0, listener_of(None)
    while True:
        several = len(set(chain.from_iterable(colours)))
        if most is not None and several > most:
            return None
        if several == number:
            break
        if told is not None:
            told(Progress("symmetries", several, unit="cells"))
        number = several
        finer = refinement.finer(colours, most)
        if finer is None:
            return None
        colours = finer
    columns = refinement.all_columns(colours)
    flat = numbered(chain.from_iterable(zip(*columns, strict=True)))
    entries = tuple(tuple(flat[i * k : i * k + k]) for i in range(n))
    rows = numbered((counts[i], tuple(sorted(entries[i]))) for i in range(n))
    return EntryCells(entries, tuple(rows), max(flat) + 1)


def _costs(problem: Problem) -> tuple[list[bool], list[list[int]]]:
    """Which inputs count (for a minimax consumer), and a number for the cost of each entry."""
    consumer = problem.consumer
    loss = consumer.loss.matrix
    n, k = loss.shape
    losses: Iterable[Sequence[Any]] = loss.integer_rows()[1] if loss.field == QQ else loss.rows()  # all times one number
    if isinstance(consumer, BayesianConsumer):
        weights: Sequence[Any] = consumer.prior.weights
        if all(isinstance(p, Rational) for p in weights):
            weights = integer_vector(list(weights))[1]
        counts = [True] * n
        table: Iterable[Sequence[Any]] = ([p * x for x in row] for p, row in zip(weights, losses, strict=True))
    else:
        known = set(consumer.side_information.indices)
        counts = [i in known for i in range(n)]
        table = (row if c else [0] * k for c, row in zip(counts, losses, strict=True))
    number: dict[Hashable, int] = {}
    return counts, [[number.setdefault(x, len(number)) for x in row] for row in table]


# --- Automorphisms ---


def _generators(n: int, pairs: dict[tuple[int, int], int], counts: list[bool], costs: Classes) -> list[Permutation]:
    """Permutations that keep pairs, distances and costs, as long as they join orbits of guesses."""
    orbit = list(range(n))
    found = []
    for image in _guessed(n):
        if all(orbit[i] == orbit[g] for i, g in enumerate(image)) or not _keeps(image, pairs, counts, costs):
            continue
        found.append(image)
        orbit = _joined(orbit, image)
        if not any(orbit):
            break
    return found


def _guessed(n: int) -> Iterator[Permutation]:
    """Rotations, flipped bits, and those of a grid: reflections, rotations of a side, the diagonal."""
    yield tuple((i + 1) % n for i in range(n))
    if not n & (n - 1):
        yield from (tuple(i ^ 1 << bit for i in range(n)) for bit in range(n.bit_length() - 1))
    yield tuple(n - 1 - i for i in range(n))
    for height in range(2, n // 2 + 1):
        if n % height:
            continue
        width = n // height
        points = [divmod(i, width) for i in range(n)]
        yield tuple((height - 1 - a) * width + b for a, b in points)
        yield tuple(a * width + width - 1 - b for a, b in points)
        yield tuple((a + 1) % height * width + b for a, b in points)
        yield tuple(a * width + (b + 1) % width for a, b in points)
        if height == width:
            yield tuple(b * width + a for a, b in points)


def _keeps(image: Permutation, pairs: dict[tuple[int, int], int], counts: list[bool], costs: Classes) -> bool:
    """Whether a permutation of inputs and guesses keeps pairs, their distances and costs."""
    for i, row in enumerate(costs):
        there = costs[image[i]]
        if counts[i] != counts[image[i]] or [there[h] for h in image] != list(row):
            return False
    for (i, j), distance in pairs.items():
        g, h = image[i], image[j]
        if pairs.get((g, h) if g < h else (h, g)) != distance:
            return False
    return True


def _joined(orbit: list[int], image: Permutation) -> list[int]:
    """The least member of each orbit when one more permutation acts."""
    orbit = list(orbit)
    changed = True
    while changed:
        changed = False
        for i, g in enumerate(image):
            least = min(orbit[i], orbit[g], orbit[orbit[i]], orbit[orbit[g]])
            if orbit[i] != least or orbit[g] != least:
                orbit[i] = orbit[g] = least
                changed = True
    return orbit


# --- Colours ---


class _Refinement:
    """Colours of one column of each orbit of guesses, and the step to finer ones."""

    def __init__(self, symmetry: Symmetry) -> None:
        n, k, pairs, generators = symmetry.size, symmetry.guesses, symmetry.pairs, symmetry.generators
        self.counts, self.costs = symmetry.counts, symmetry.costs
        self.near: list[list[int]] = [[] for _ in range(n)]
        self.steps: list[list[int]] = [[] for _ in range(n)]
        for (i, j), distance in pairs.items():
            self.near[i].append(j)
            self.near[j].append(i)
            self.steps[i].append(distance)
            self.steps[j].append(distance)
        self.kinds = max(pairs.values(), default=0) + 1
        # each column from one that is known already: (column, that one, the inverse of what maps it here)
        self.chosen: list[int] = []
        self.images: list[tuple[int, int, list[int]]] = []
        inverses = [_inverse(image) for image in generators]
        reached = [False] * k
        for first in range(k):
            if reached[first]:
                continue
            self.chosen.append(first)
            reached[first] = True
            waiting = [first]
            for r in waiting:
                for image, inverse in zip(generators, inverses, strict=True):
                    if not reached[image[r]]:
                        reached[image[r]] = True
                        waiting.append(image[r])
                        self.images.append((image[r], r, inverse))
        self.is_transitive = len(self.chosen) == 1 and len(set(self.counts)) == 1 and n == k
        self.places = {r: place for place, r in enumerate(self.chosen)}

    def start(self) -> list[list[int]]:
        """The costs and which inputs count."""
        n = len(self.costs)
        flat = numbered((self.costs[i][r], self.counts[i]) for r in self.chosen for i in range(n))
        return [flat[c * n : c * n + n] for c in range(len(self.chosen))]

    def all_columns(self, colours: list[list[int]]) -> list[list[int]]:
        """The colours of all columns."""
        columns: list[list[int]] = [[] for _ in self.costs[0]]
        for r, colour in zip(self.chosen, colours, strict=True):
            columns[r] = colour
        for r, source, inverse in self.images:
            known = columns[source]
            columns[r] = [known[i] for i in inverse]
        return columns

    def finer(self, colours: list[list[int]], most: float | None) -> list[list[int]] | None:
        """The colours with what each entry sees of them; None with more than ``most``."""
        n = len(self.costs)
        rows = [0] * n
        if not self.is_transitive:  # otherwise all rows look alike
            rows = numbered(tuple(sorted(row)) for row in zip(*self.all_columns(colours), strict=True))
        number: dict[Hashable, int] = {}
        found = []
        for colour in colours:
            if self.kinds == 1:
                views = [tuple(sorted([colour[j] for j in near])) for near in self.near]
            else:
                views = [
                    tuple(sorted([colour[j] * self.kinds + d for j, d in zip(near, steps, strict=True)]))
                    for near, steps in zip(self.near, self.steps, strict=True)
                ]
            found.append([number.setdefault(seen, len(number)) for seen in zip(colour, rows, views, strict=True)])
            if most is not None and len(number) > most:
                return None
        return found


def _inverse(image: Permutation) -> list[int]:
    inverse = [0] * len(image)
    for i, g in enumerate(image):
        inverse[g] = i
    return inverse


# --- The program of the cells ---


class _Multiples:
    """Integer multiples of numbers, or their parts: one object for each fraction, and for each other object.

    >>> times = _Multiples()
    >>> times(QQ("1/2"), 3)
    Rational('3/2')
    """

    def __init__(self, *, divide: bool = False) -> None:
        self._divide = divide
        self._known: dict[tuple[Any, int], tuple[Any, Any]] = {}  # with the number itself, so that its identity is not used again

    def __call__(self, x: Any, m: int) -> Any:
        key = x if isinstance(x, Rational) else id(x), m
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = x, x / m if self._divide else x * m
        return found[1]


class CellProgram:
    """The linear program of the cells of :func:`entry_cells`, and the way back from its solutions.

    A variable is the value of all entries of a cell; for a minimax consumer the last one is the loss. Rows
    are the sums, the losses and the privacy constraints, one of each kind, as they occur.

    >>> from exactdp.model import Graph, Loss, MinimaxConsumer, PrivacyLevel
    >>> graph = Graph.complete(3)
    >>> problem = Problem(graph, PrivacyLevel("1/2"), MinimaxConsumer(Loss.zero_one(graph.vertices)))
    >>> program = CellProgram(problem, all_cells(Symmetry(problem)))
    >>> for row in program.lp.rows[:3]:
    ...     print(row)
    1·x0 + 2·x1 == 1
    -2·x1 + 1·x2 >= 0
    1·x0 + -1/2·x1 >= 0
    """

    def __init__(self, problem: Problem, cells: EntryCells) -> None:
        consumer = problem.consumer
        self.problem, self.cells = problem, cells
        loss = consumer.loss.matrix
        zero, one = loss.field.zero, loss.field.one
        members = Counter(cells.rows)
        first_of = {c: cells.rows.index(c) for c in members}
        self._members = members
        objective: dict[int, Any] = {}
        self._sums = list(dict.fromkeys(cells.rows))
        counted = {c: Counter(cells.entries[first_of[c]]) for c in self._sums}
        times = _Multiples()
        rows = [Row({q: times(one, m) for q, m in counted[c].items()}, "==", one) for c in self._sums]
        self._losses: list[int] = []
        if isinstance(consumer, BayesianConsumer):
            sizes: Counter[int] = Counter(chain.from_iterable(cells.entries))
            seen: set[int] = set()
            for p, places, values in zip(consumer.prior.weights, cells.entries, loss.rows(), strict=True):
                for q, x in zip(places, values, strict=True):
                    if q not in seen:
                        seen.add(q)
                        cost = p * x * sizes[q]
                        if is_nonzero(cost):
                            objective[q] = cost
            size, free = cells.size, frozenset[int]()
        else:
            known = set(consumer.side_information.indices)
            size, free = cells.size + 1, frozenset({cells.size})
            objective = {cells.size: one}
            for c in self._sums:
                i = first_of[c]
                if i in known:
                    self._losses.append(c)
                    value_of = dict(zip(cells.entries[i], loss.row(i), strict=True))
                    paid = {q: times(value_of[q], -m) for q, m in counted[c].items() if is_nonzero(value_of[q])}
                    rows.append(Row({**paid, cells.size: one}, ">=", zero))
        constraints, size = self._constraints(size)
        self.lp = LinearProgram(size, objective, rows + constraints, free)

    def _constraints(self, size: int) -> tuple[list[Row], int]:
        """The rows of the privacy constraints, and how many variables they make of ``size``."""
        level = self.problem.level
        zero, one = self.problem.consumer.loss.matrix.field.zero, self.problem.consumer.loss.matrix.field.one
        self._distances = list(dict.fromkeys(d for _, _, d in self.problem.neighbours.pairs()))
        self._kinds = self._counted()
        require_program("the linear program of the cells of symmetric entries", 2 * len(self._kinds), len(self._kinds))
        minus = [-level.power(d) for d in self._distances]
        both = [one + a for a in minus]
        rows = []
        for more, less, distance in self._kinds:
            entries = {more: one, less: minus[distance]} if more != less else {more: both[distance]}
            rows.append(Row(entries, ">=", zero))
        return rows, size

    def _counted(self) -> dict[tuple[int, int, int], int]:
        """How many constraints x_ir ≥ α^d·x_jr each (cell, cell, number of d) has, as they occur first."""
        entries = self.cells.entries
        number = {d: k for k, d in enumerate(self._distances)}
        found: dict[tuple[int, int, int], int] = {}
        for i, j, distance in self.problem.neighbours.pairs():
            d = number[distance]  # a distance takes long to hash
            for (p, q), m in Counter(zip(entries[i], entries[j], strict=True)).items():
                found[p, q, d] = found.get((p, q, d), 0) + m
                found[q, p, d] = found.get((q, p, d), 0) + m
        return found

    def table(self, x: Sequence[Any]) -> list[tuple[Any, ...]]:
        """The value of each entry."""
        return [tuple(map(x.__getitem__, row)) for row in self.cells.entries]

    def mechanism(self, x: Sequence[Any]) -> Mechanism:
        """The mechanism that a solution stands for."""
        consumer = self.problem.consumer
        if self.lp.field == QQ:
            common, numerators = long_integers(list(x[: self.cells.size]))
            return Mechanism(OverOneDenominator(self.table(numerators), common), consumer.inputs, consumer.loss.guesses)
        return Mechanism(ExactMatrix(self.table(x), self.lp.field), consumer.inputs, consumer.loss.guesses)

    def dual(self, y: Sequence[Any], *, edges: bool = True) -> Dual:
        """The dual that the multipliers stand for: each is shared equally by the rows of its kind."""
        consumer, zero = self.problem.consumer, self.lp.field.zero
        sums = dict(zip(self._sums, y, strict=False))
        potential = {c: u / self._members[c] for c, u in sums.items()}
        start = len(self._sums)
        if isinstance(consumer, BayesianConsumer):
            weights = tuple(consumer.prior.weights)
        else:
            paid = dict(zip(self._losses, y[start : start + len(self._losses)], strict=True))
            share = {c: w / self._members[c] for c, w in paid.items()}
            weights = tuple(share.get(c, zero) for c in self.cells.rows)
            start += len(self._losses)
        potentials = tuple(potential[c] for c in self.cells.rows)
        return Dual(weights, potentials, self._edges(y[start:])) if edges else Dual(weights, potentials)

    def _edges(self, y: Sequence[Any]) -> tuple[tuple[Any, ...], ...]:
        """The signed multiplier of each constrained pair and guess, from those of the privacy constraints."""
        zero, share_of = self.lp.field.zero, _Multiples(divide=True)
        shares = {kind: (share_of(u, m) if is_nonzero(u) else zero) for (kind, m), u in zip(self._kinds.items(), y, strict=True)}
        differences: dict[tuple[int, int], Any] = {}

        def difference(forth: Any, back: Any) -> Any:
            if back is zero:
                return forth
            found = differences.get((id(forth), id(back)))
            if found is None:
                found = differences[id(forth), id(back)] = forth - back
            return found

        signed: list[dict[tuple[int, int], Any]] = [{} for _ in self._distances]
        for (p, q, d), forth in shares.items():
            back = shares[q, p, d]
            signed[d][p, q] = difference(forth, back)
        entries, of_distance = self.cells.entries, dict(zip(self._distances, signed, strict=True))
        return tuple(
            tuple(map(of_distance[d].__getitem__, zip(entries[i], entries[j], strict=True))) for i, j, d in self.problem.neighbours.pairs()
        )


class ColumnProgram(CellProgram):
    """The same on a complete graph, with the least entry of each column as a variable of its own.

    Any two entries of a column are constrained, which is so iff each is at most 1/α times the least one. So
    there is a variable m for each kind of column, and two rows for each cell, x ≥ m and m ≥ α·x, in the place
    of two for each two cells of a column.

    >>> from exactdp.model import Graph, Loss, MinimaxConsumer, PrivacyLevel
    >>> graph = Graph.complete(3)
    >>> problem = Problem(graph, PrivacyLevel("1/2"), MinimaxConsumer(Loss.zero_one(graph.vertices)))
    >>> program = ColumnProgram(problem, all_cells(Symmetry(problem)))
    >>> for row in program.lp.rows[2:4]:
    ...     print(row)
    1·x0 + -1·x3 >= 0
    -1/2·x0 + 1·x3 >= 0
    """

    def _constraints(self, size: int) -> tuple[list[Row], int]:
        """For each cell of entries both rows."""
        one, minus = self.problem.consumer.loss.matrix.field.one, -self.problem.level.alpha
        zero = one - one
        kinds = numbered(tuple(sorted(column)) for column in zip(*self.cells.entries, strict=True))
        column_of = {q: size + kind for row in self.cells.entries for q, kind in zip(row, kinds, strict=True)}
        rows = []
        for q in range(self.cells.size):
            rows.append(Row({q: one, column_of[q]: -one}, ">=", zero))
            rows.append(Row({q: minus, column_of[q]: one}, ">=", zero))
        return rows, size + 1 + max(kinds)

    def _edges(self, y: Sequence[Any]) -> tuple[tuple[Any, ...], ...]:
        """Of each column both multipliers of its entries, paired off.

        Let p and q be the multipliers of x_i ≥ m and m ≥ α·x_i, shared equally by the entries of a cell.
        As m costs nothing, Σ q ≤ Σ p. Some of p_i and of q_j become the multiplier of x_i ≥ α·x_j. What p_i
        and q_i have in common is left out: it proves nothing.
        """
        entries, zero = self.cells.entries, self.lp.field.zero
        n = len(entries)
        sizes = Counter(chain.from_iterable(entries))
        flow = [(forth - back) / sizes[q] for q, (forth, back) in enumerate(zip(y[::2], y[1::2], strict=True))]
        signs = [_sign(u) for u in flow]
        place = {(i, j): number for number, (i, j, _) in enumerate(self.problem.neighbours.pairs())}
        table = [[zero] * len(entries[0]) for _ in place]
        for r, column in enumerate(zip(*entries, strict=True)):
            given = [(i, flow[column[i]]) for i in range(n) if signs[column[i]] > 0]
            taken = [(j, -flow[column[j]]) for j in range(n) if signs[column[j]] < 0]
            for i, j, u in _paired_off(given, taken):
                if i < j:
                    table[place[i, j]][r] = u
                else:
                    table[place[j, i]][r] = -u
        return tuple(map(tuple, table))


def _sign(x: Any) -> int:
    return int(x > 0) - int(x < 0)


def _paired_off(given: Iterable[tuple[int, Any]], taken: Iterable[tuple[int, Any]]) -> Iterator[tuple[int, int, Any]]:
    """Amounts from givers to takers, until nothing is left to be taken, or to be given.

    >>> list(_paired_off([(0, 2), (1, 3)], [(2, 1), (3, 2)]))
    [(0, 2, 1), (0, 3, 1), (1, 3, 1)]
    """
    givers = iter(given)
    i, left = next(givers, (0, 0))
    for j, whole in taken:
        wanted = whole
        while left and wanted:
            amount = min(left, wanted)
            yield i, j, amount
            left, wanted = left - amount, wanted - amount
            if not left:
                i, left = next(givers, (0, 0))
