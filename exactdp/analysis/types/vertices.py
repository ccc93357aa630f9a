# SPDX-License-Identifier: MIT
"""The vertices of the posterior polytope of a privacy type.

Under the uniform prior the posteriors δ of the mechanisms that are α-private for a metric d are the points of
{δ ≥ 0, Σ δ = 1, δ_i ≥ α^d(i,j) δ_j}. An extreme ray δ of that cone vanishes outside one component, and there
the tight pairs (δ_i = α^d(i,j) δ_j) connect everything: on m points the tight equations of a connected set
have rank m − 1, and those of a disconnected one less. So every vertex is grown from one point along tight
pairs; on a graph δ = α^h for a height h : X → ℤ.

Source: Fernandes, McIver, Palamidessi, Ding, Universal optimality and robust utility bounds for metric
differential privacy, Lemma 4 and Definition 5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate, repeat
from itertools import count as count_from
from math import lcm, prod
from operator import add, mul, sub
from typing import Any

from exactdp.analysis.arguments import Arguments
from exactdp.errors import ResourceLimitError
from exactdp.exact import ExponentialField, OrderedField, Rational, common_field
from exactdp.exact.cached import cached_property
from exactdp.exact.powers import exponents_of
from exactdp.model import Distance, LevelLike, Neighbours, NeighboursLike, PrivacyLevel
from exactdp.model.graph import Permutation, adjacency, automorphisms, components, traversed
from exactdp.model.metric import ONE
from exactdp.runtime.progress import Listener, Progress

MOST_VERTICES = 200_000
"""More (partial) vertices than this are not enumerated; the 65,536 of a path of 17 inputs take about 6 s."""

Heights = tuple[int | None, ...]

Steps = list[list[tuple[int, Any]]]
"""For each input its neighbours and their distances, as numbers d or as powers α^d."""

Watch = Callable[[int, int], None]
"""Told the number of inputs and of partial vertices so far; raises to stop."""

Powers = tuple[int, ...]
"""The exponents of a monomial."""

OFTEN = 64
"""After so many partial vertices the listener is told."""


@dataclass(frozen=True)
class PosteriorPolytope:
    """The vertices of the posteriors of a privacy type.

    Attributes
    ----------
    neighbours, level
        What privacy is.
    rays : tuple of tuples
        A positive multiple of each vertex, over the field of the level; largest entry 1, zeros outside the
        vertex's component.
    heights : tuple of tuples, or None
        For distances that are multiples of 1/``unit``: h with ray = α^(h/unit), least entry 0 (None entries
        outside the component).
    """

    neighbours: Neighbours
    level: PrivacyLevel
    rays: tuple[tuple[Any, ...], ...]
    heights: tuple[tuple[int | None, ...], ...] | None
    unit: int = 1

    @property
    def field(self) -> OrderedField:
        """The field of the vertices."""
        return common_field(self.level.alpha)

    def __len__(self) -> int:
        return len(self.rays)

    def vertex(self, k: int) -> tuple[Any, ...]:
        """The k-th vertex: a posterior, summing to 1."""
        total = sum(self.rays[k], self.field.zero)
        return tuple(x / total for x in self.rays[k])

    @cached_property
    def automorphisms(self) -> tuple[Permutation, ...]:
        """The symmetries of the neighbours."""
        return automorphisms(self.neighbours)

    @cached_property
    def symmetries(self) -> tuple[Permutation, ...]:
        """What each automorphism of the neighbours does to the numbers of the vertices."""
        keys = self.heights if self.heights is not None else self.rays
        place = {key: k for k, key in enumerate(keys)}

        def moved(key: tuple[Any, ...], g: Permutation) -> tuple[Any, ...]:
            image: list[Any] = [None] * len(key)
            for x, value in enumerate(key):
                image[g[x]] = value
            return tuple(image)

        return tuple(tuple(place[moved(key, g)] for key in keys) for g in self.automorphisms)


def posterior_polytope(neighbours: NeighboursLike, level: LevelLike, *, progress: Listener | None = None) -> PosteriorPolytope:
    """All vertices of the posterior polytope of a graph or metric at a level.

    * ``neighbours``: any; components are treated one by one.
    * ``level``: α in any field that has every α^d (for a Euclidean grid: ``level_for`` in ℚ(e^(−ε), e^(−ε√2),
      …)).
    * ``progress``: told how far it is; may raise to stop.
    * raises DomainError: some α^d is not in the field.
    * raises ResourceLimitError: there are more partial vertices than :data:`MOST_VERTICES`.

    >>> from exactdp.model import neighbours
    >>> P = posterior_polytope(neighbours("path:3"), "1/2")
    >>> len(P), P.heights[0], [str(x) for x in P.vertex(0)]
    (4, (0, 1, 0), ['2/5', '1/5', '2/5'])
    >>> len(posterior_polytope(neighbours("complete:5"), "1/2"))
    30
    """
    asked = Arguments(neighbours=neighbours, level=level)
    neighbours, exact = asked.neighbours, asked.level
    field = common_field(exact.alpha)
    distances = {d for _, _, d in neighbours.pairs()}
    parts = components(adjacency(len(neighbours.vertices), [(i, j) for i, j, _ in neighbours.pairs()]))
    watch = _watching(len(neighbours.vertices), progress)
    watch(0, 0)
    if any(d.rational is None for d in distances):
        return PosteriorPolytope(neighbours, exact, tuple(_by_values(neighbours, exact, parts, watch)), None)
    unit = lcm(*(d.rational.denominator for d in distances if d.rational is not None))
    heights = _by_heights(neighbours, unit, parts, watch)
    most = max((x for h in heights for x in h if x is not None), default=0)
    step = exact.power(ONE if unit == 1 else f"1/{unit}")
    powers = list(accumulate(repeat(step, most), mul, initial=field.one))
    rays = tuple(tuple(field.zero if x is None else powers[x] for x in h) for h in heights)
    return PosteriorPolytope(neighbours, exact, rays, tuple(heights), unit)


def _watching(size: int, progress: Listener | None) -> Watch:
    calls, reached = count_from(0), -1

    def watch(inputs: int, count: int) -> None:
        nonlocal reached
        if count > MOST_VERTICES:
            remedy = "they may double with each input: ask about fewer, such as path:6"
            text = f"more than {MOST_VERTICES} partial vertices, on {inputs} of {size} inputs; {remedy}"
            raise ResourceLimitError(text, limit=MOST_VERTICES, got=count)
        if progress is not None and (next(calls) % OFTEN == 0 or inputs > reached):
            reached = inputs
            progress(Progress("vertices", inputs, size, "inputs", f"{count} partial vertices"))

    return watch


def _parts(parts: list[list[int]], watch: Watch) -> Iterator[tuple[list[int], Watch]]:
    """The components, each with what counts its inputs after those of the components before."""
    before = 0
    for part in parts:
        yield part, lambda inputs, count, before=before: watch(before + inputs, count)  # type: ignore[misc]
        before += len(part)
        watch(before, 0)


def _steps(neighbours: Neighbours, size_of: Callable[[Distance], Any]) -> Steps:
    near: Steps = [[] for _ in neighbours.vertices]
    for i, j, d in neighbours.pairs():
        size = size_of(d)
        near[i].append((j, size))
        near[j].append((i, size))
    return near


def _grown(
    part: list[int],
    near: Steps,
    start: Any,
    tight: Callable[[Any, Any], Iterable[Any]],
    fits: Callable[[Any, list[tuple[Any, Any]]], bool],
    watch: Watch,
) -> Iterable[tuple[Any, ...]]:
    """All vertices on a component, grown from its first point along tight pairs.

    ``tight(x, step)`` are the two values that are tight with x over a pair; ``fits(x, around)`` says whether
    x keeps the constraints to the (value, step) of its neighbours.
    """
    grown: dict[tuple[Any, ...], None] = {tuple(start if i == part[0] else None for i in range(len(near))): None}
    for done in range(2, len(part) + 1):
        larger: dict[tuple[Any, ...], None] = {}
        for partial in grown:
            watch(done - 1, len(larger))
            for i, value in enumerate(partial):
                for j, step in near[i] if value is not None else ():
                    if partial[j] is None:
                        around = [(x, other) for k, other in near[j] if (x := partial[k]) is not None]
                        for new in tight(value, step):
                            if fits(new, around):
                                larger[(*partial[:j], new, *partial[j + 1 :])] = None
        watch(done, len(larger))
        grown = larger
    return grown


def _by_heights(neighbours: Neighbours, unit: int, parts: list[list[int]], watch: Watch) -> list[Heights]:
    """The heights of the vertices, for distances that are multiples of 1/unit."""

    def length(d: Distance) -> int:
        assert d.rational is not None
        return (d.rational * unit).numerator

    def fits(new: int, around: list[tuple[int, int]]) -> bool:
        return all(abs(new - x) <= step for x, step in around)

    near = _steps(neighbours, length)
    result: set[Heights] = set()
    for part, told in _parts(parts, watch):
        only, order = _only_length(part, near), _bipartite_order(part, near)
        if only is not None:
            result.update(_two_values(len(near), part, only, told))
        elif order is not None:
            result.update(map(_shifted, _homomorphisms(order, near, told)))
        else:
            result.update(map(_shifted, _grown(part, near, 0, lambda x, step: (x - step, x + step), fits, told)))
    return sorted(result, key=lambda h: [(x is None, x or 0) for x in h])


def _only_length(part: list[int], near: Steps) -> int | None:
    """The distance of all pairs of these points, if there are two points or more and it is one."""
    lengths = {length for i in part for _, length in near[i]}
    complete = len(part) > 1 and all(len({j for j, _ in near[i]}) == len(part) - 1 for i in part)
    return lengths.pop() if complete and len(lengths) == 1 else None


def _two_values(size: int, part: list[int], length: int, watch: Watch) -> set[Heights]:
    """With one distance for all pairs a height takes the values 0 and that distance: 2^n − 2 heights."""
    count = 2 ** len(part) - 2
    watch(len(part), count)
    place = {x: k for k, x in enumerate(part)}
    return {tuple(length * (mask >> place[x] & 1) if x in place else None for x in range(size)) for mask in range(1, count + 1)}


def _shifted(h: Heights) -> Heights:
    """The height with least entry 0."""
    least = min(x for x in h if x is not None)
    return tuple(None if x is None else x - least for x in h)


def _bipartite_order(part: list[int], near: Steps) -> list[int] | None:
    """The points in breadth-first order, if all distances are 1 and no cycle is odd; else None."""
    depth: dict[int, int] = {}
    for i, before in traversed(lambda i: (j for j, _ in near[i]), part[0]):
        depth[i] = 0 if before is None else depth[before] + 1
        if any(length != 1 or (j in depth and (depth[i] - depth[j]) % 2 == 0) for j, length in near[i]):
            return None
    return list(depth)


def _homomorphisms(order: list[int], near: Steps, watch: Watch) -> set[Heights]:
    """All heights without odd cycles: they differ by an odd number along every edge, so h(j) = h(i) ± 1."""
    grown: set[Heights] = {tuple(0 if i == order[0] else None for i in range(len(near)))}
    for done, j in enumerate(order[1:], 2):
        larger: set[Heights] = set()
        for h in grown:
            watch(done - 1, len(larger))
            around = [value for k, _ in near[j] if (value := h[k]) is not None]
            for new in (around[0] - 1, around[0] + 1):
                if all(abs(new - value) == 1 for value in around):
                    larger.add((*h[:j], new, *h[j + 1 :]))
        watch(done, len(larger))
        grown = larger
    return grown


def _by_values(neighbours: Neighbours, level: PrivacyLevel, parts: list[list[int]], watch: Watch) -> list[tuple[Any, ...]]:
    """The vertices themselves, largest entry 1, for any distances.

    All entries are products of powers α^d of the distances. Over ℚ(e^(−ε), e^(−ε√2), …) these are monomials
    in the generators: their exponents are added, and each order of two is decided once.
    """
    powers = {d: level.power(d) for d in {d for _, _, d in neighbours.pairs()}}
    field = common_field(level.alpha)
    if isinstance(field, ExponentialField):
        known = {d: found for d, p in powers.items() if (found := exponents_of(p)) is not None}
        if len(known) == len(powers):
            steps = {d: tuple((found.get(q, Rational(0)) / field.rate).numerator for q in field.roots) for d, found in known.items()}
            return _by_exponents(_steps(neighbours, steps.__getitem__), field, parts, watch)

    def fits(new: Any, around: list[tuple[Any, Any]]) -> bool:
        return all(new >= p * x and x >= p * new for x, p in around)

    near = _steps(neighbours, powers.__getitem__)
    result: dict[tuple[Any, ...], None] = {}
    for part, told in _parts(parts, watch):
        for v in _grown(part, near, field.one, lambda x, p: (x * p, x / p), fits, told):
            most = max(x for x in v if x is not None)
            result[tuple(field.zero if x is None else x / most for x in v)] = None
    return list(result)


def _by_exponents(near: Steps, field: ExponentialField, parts: list[list[int]], watch: Watch) -> list[tuple[Any, ...]]:
    """The same for monomials, by their exponents."""
    values: dict[Powers, Any] = {}
    at_most_one: dict[Powers, bool] = {}

    def value(x: Powers) -> Any:
        if x not in values:
            values[x] = prod((g**k for g, k in zip(field.gens, x, strict=True)), start=field.one)
        return values[x]

    def less(x: Powers, y: Powers) -> bool:
        """Whether x ≤ y as numbers."""
        quotient = tuple(map(sub, x, y))
        if quotient not in at_most_one:
            at_most_one[quotient] = bool(value(quotient) <= 1)
        return at_most_one[quotient]

    def fits(new: Powers, around: list[tuple[Powers, Powers]]) -> bool:
        return all(less(tuple(map(add, p, x)), new) and less(tuple(map(add, p, new)), x) for x, p in around)

    def tight(x: Powers, p: Powers) -> tuple[Powers, Powers]:
        return tuple(map(add, x, p)), tuple(map(sub, x, p))

    result: dict[tuple[Any, ...], None] = {}
    for part, told in _parts(parts, watch):
        for v in _grown(part, near, (0,) * len(field.gens), tight, fits, told):
            most: Powers = reduce(lambda x, y: y if less(x, y) else x, (x for x in v if x is not None))
            result[tuple(field.zero if x is None else value(tuple(map(sub, x, most))) for x in v)] = None
    return list(result)
