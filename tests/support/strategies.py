# SPDX-License-Identifier: MIT
"""Hypothesis strategies for everything of the model: small, exact, and with the awkward cases (zeros, ties,
isolated vertices) often.
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from exactdp.exact import ExactMatrix, Rational
from exactdp.model import (
    BayesianConsumer,
    Distance,
    Graph,
    Loss,
    Mechanism,
    Metric,
    MinimaxConsumer,
    Prior,
    PrivacyLevel,
    Remap,
    SideInformation,
    as_labels,
)
from exactdp.model.labels import Positions

AWKWARD_LEVELS = ["1/1000", "1/10", "1/4", "1/3", "1/2", "2/3", "9/10", "999/1000"]


@st.composite
def rationals(draw, low=-5, high=5, max_denominator=12):
    """Rationals between two integers, often small integers."""
    q = draw(st.integers(1, max_denominator))
    return Rational(draw(st.integers(low * q, high * q)), q)


def fractions(low=-5, high=5, max_denominator=12):
    """The same as standard-library Fractions."""
    return rationals(low, high, max_denominator).map(lambda x: Fraction(x.numerator, x.denominator))


@st.composite
def levels(draw):
    """Privacy levels: awkward ones and any p/q with q ≤ 12."""
    if draw(st.booleans()):
        return PrivacyLevel(draw(st.sampled_from(AWKWARD_LEVELS)))
    q = draw(st.integers(2, 12))
    return PrivacyLevel(Rational(draw(st.integers(1, q - 1)), q))


@st.composite
def distances(draw):
    """Rational distances and square roots."""
    value = draw(rationals(1, 4, 4))
    return Distance(square=value) if draw(st.booleans()) else Distance.of(value)


@st.composite
def distributions(draw, size):
    """Rows of ``size`` exact probabilities; zeros are frequent."""
    weights = draw(st.lists(st.sampled_from([0, 0, 1, 1, 2, 3, 5]), min_size=size, max_size=size).filter(any))
    total = sum(weights)
    return [Rational(w, total) for w in weights]


@st.composite
def label_lists(draw, size):
    """No labels, or letters."""
    if draw(st.integers(0, 3)):
        return Positions(size)
    return tuple("abcdefghijkl"[:size])


@st.composite
def mechanisms(draw, min_inputs=1, max_inputs=5, min_outputs=1, max_outputs=5):
    """Mechanisms, not necessarily square; many are sparse, some have equal rows or a column of zeros."""
    rows = draw(st.integers(min_inputs, max_inputs))
    columns = draw(st.integers(min_outputs, max_outputs))
    matrix = draw(st.lists(distributions(columns), min_size=rows, max_size=rows))
    return Mechanism(matrix, draw(label_lists(rows)), None)


@st.composite
def remaps(draw, outputs, guesses):
    """Remaps between two given lists of labels; some deterministic."""
    rows = draw(st.lists(distributions(len(guesses)), min_size=len(outputs), max_size=len(outputs)))
    if draw(st.booleans()):
        rows = [[int(r == next(k for k, x in enumerate(row) if x)) for r in range(len(row))] for row in rows]
    return Remap(rows, outputs, guesses)


@st.composite
def matrices(draw, rows, columns, entries=None):
    """Exact matrices; small integer entries make singular ones frequent."""
    entries = entries or st.one_of(st.integers(-2, 2).map(Rational), rationals(-3, 3, 4))
    return ExactMatrix(draw(st.lists(st.lists(entries, min_size=columns, max_size=columns), min_size=rows, max_size=rows)))


@st.composite
def paths(draw, min_vertices=2, max_vertices=5):
    """Paths through the vertices in their order."""
    return Graph.path(draw(st.integers(min_vertices, max_vertices)))


@st.composite
def trees(draw, min_vertices=2, max_vertices=6):
    """Random labelled trees: every vertex but the first hangs on an earlier one."""
    size = draw(st.integers(min_vertices, max_vertices))
    edges = [(draw(st.integers(0, i - 1)), i) for i in range(1, size)]
    return Graph(draw(label_lists(size)), edges)


@st.composite
def forests(draw, min_vertices=1, max_vertices=6):
    """Trees with some edges left out."""
    tree = draw(trees(min_vertices, max_vertices))
    return Graph(tree.vertices, [edge for edge in tree.edges if draw(st.integers(0, 3))])


@st.composite
def cycles(draw, max_vertices=6):
    """Cycles of at least three vertices."""
    size = draw(st.integers(3, max(3, max_vertices)))
    return Graph(range(size), [(i, (i + 1) % size) for i in range(size)])


@st.composite
def random_graphs(draw, min_vertices=1, max_vertices=5):
    """Any graph, also disconnected."""
    size = draw(st.integers(min_vertices, max_vertices))
    pairs = [(i, j) for i in range(size) for j in range(i + 1, size)]
    return Graph(draw(label_lists(size)), [pair for pair in pairs if draw(st.booleans())])


def graphs(min_vertices=1, max_vertices=5):
    """Paths, trees, cycles and random graphs."""
    kinds = [trees(min_vertices, max_vertices), random_graphs(min_vertices, max_vertices)]
    if max_vertices >= 2:
        kinds.append(paths(max(2, min_vertices), max_vertices))
    if max_vertices >= 3 >= min_vertices:
        kinds.append(cycles(max_vertices))
    return st.one_of(kinds)


@st.composite
def metrics(draw, max_points=4):
    """Euclidean metrics of distinct integer points (square roots), and shortest paths of graphs (with
    infinite distances).
    """
    if draw(st.booleans()):
        return draw(graphs(max_vertices=max_points)).metric()
    points = draw(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=max_points, unique=True))
    pairs = [(i, j) for i in range(len(points)) for j in range(i + 1, len(points))]
    squares = {(i, j): sum((a - b) ** 2 for a, b in zip(points[i], points[j], strict=True)) for i, j in pairs}
    return Metric(range(len(points)), [(i, j, Distance(square=Rational(squares[i, j]))) for i, j in pairs])


@st.composite
def monotone_losses(draw, size):
    """Losses on 0..size−1 that are non-decreasing functions of |i − r| for each input, with plateaus."""
    rows = []
    for i in range(size):
        steps = draw(st.lists(st.sampled_from([0, 0, 1, 2, Rational("1/2")]), min_size=size, max_size=size))
        by_distance = [sum(steps[: k + 1], Rational(0)) for k in range(size)]
        rows.append([by_distance[abs(i - r)] for r in range(size)])
    return Loss(rows)


@st.composite
def arbitrary_losses(draw, inputs, max_guesses=4):
    """Any exact numbers, negative ones and ties too."""
    guesses = draw(st.integers(1, max_guesses))
    return Loss(draw(matrices(len(inputs), guesses)), inputs)


@st.composite
def losses(draw, inputs, max_guesses=4):
    """Losses on given inputs: arbitrary, zero-one, and on 0..n also monotone ones."""
    labels = as_labels(inputs)
    kind = draw(st.integers(0, 3))
    if kind == 0:
        return Loss.zero_one(labels)
    if kind == 1 and labels == Positions(len(labels)):
        return draw(monotone_losses(len(labels)))
    return draw(arbitrary_losses(labels, max_guesses))


@st.composite
def priors(draw, inputs):
    """Priors, with zeros."""
    labels = as_labels(inputs)
    return Prior(draw(distributions(len(labels))), labels)


@st.composite
def side_informations(draw, inputs):
    """Non-empty sets of inputs, often everything."""
    labels = as_labels(inputs)
    if draw(st.booleans()):
        return SideInformation.everything(labels)
    return SideInformation(draw(st.sets(st.integers(0, len(labels) - 1), min_size=1)), labels)


@st.composite
def consumers(draw, inputs, max_guesses=4):
    """Minimax and Bayesian consumers."""
    loss = draw(losses(inputs, max_guesses))
    if draw(st.booleans()):
        return MinimaxConsumer(loss, draw(side_informations(loss.inputs)))
    return BayesianConsumer(loss, draw(priors(loss.inputs)))


@st.composite
def problems(draw, max_vertices=4, max_guesses=4):
    """(graph, level, consumer): what an optimal mechanism is asked for."""
    graph = draw(graphs(max_vertices=max_vertices))
    return graph, draw(levels()), draw(consumers(graph.vertices, max_guesses))
