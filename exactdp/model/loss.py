# SPDX-License-Identifier: MIT
"""Orders that questions about losses need: guesses by distance from the truth, labels by value, losses by
rank.

Losses l(i, r): what guessing r costs a consumer when the truth is i. Losses are minimised; a gain is a
negated loss.

A loss is *monotone* when for each input i the loss is a non-decreasing function of the distance d(i, r), and
has *single crossing* (docs/mathematics.md §1, which monotone losses on the line have) when for any two
guesses r < r′ there is a threshold t with l(i, r) ≤ l(i, r′) for all inputs i < t and l(i, r) ≥ l(i, r′) for
all i ≥ t, inputs and guesses in the order given.

Gains g(i, r): what guessing r brings a consumer when the truth is i. To maximise a gain is to minimise the
loss −g.

The algebra of losses: sums, multiples, trivial losses, restriction and lifting (Fernandes et al., Section 5.2
and Theorem 15).

With U_l[π, M] = Σ_y min_g Σ_x π_x l(x,g) M_xy: U of a sum (a guess for each part) is the sum of the U;
U_(c·l) = c·U_l for c ≥ 0; scaling by v(x) ≥ 0 acts on the prior; adding f(x) adds Σ_x π_x f(x). So an order M
⊑_l N that holds for some losses holds for what is made of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import Any, Literal

from exactdp.errors import DomainError, InputError, LabelError
from exactdp.exact import QQ, ExactMatrix, OrderedField, Rational, entries_of
from exactdp.model.graph import AdjacencyGraph, Neighbours
from exactdp.model.labels import (
    Label,
    Labels,
    as_labels,
    as_matrix,
    grid_text,
    integer_labels,
    is_integer_label,
    permuted,
    places_in,
    position_of,
)
from exactdp.model.mechanism import MatrixLike
from exactdp.model.prior import Prior
from exactdp.model.vectors import vector_over


def distance_keys(inputs: Labels, guesses: Labels, neighbours: Neighbours | None) -> Iterable[list[Any]]:
    """For each input the guesses' distances, as sortable keys."""
    if neighbours is None:
        truths = integer_labels(inputs, purpose="monotonicity in |i − r|")
        answers = integer_labels(guesses, purpose="monotonicity in |i − r|")
        for i in truths:
            yield [abs(i - r) for r in answers]
        return
    rows = [position_of(label, neighbours.vertices, what="vertex") for label in inputs]
    columns = [position_of(label, neighbours.vertices, what="vertex") for label in guesses]
    metric = neighbours.metric() if isinstance(neighbours, AdjacencyGraph) else neighbours
    for i in rows:
        distances = [None if i == r else metric.between(i, r) for r in columns]
        zero = Rational(0)
        yield [(0, zero) if i == r else (2, zero) if d is None else (1, d.square) for r, d in zip(columns, distances, strict=True)]


def increasing(labels: Labels) -> bool:
    """Whether the labels are integers in increasing order."""
    if not all(map(is_integer_label, labels)):
        return False
    values = integer_labels(labels, purpose="an order")
    return all(a < b for a, b in pairwise(values))


def ranks_of(row: tuple[Any, ...]) -> list[int]:
    """Small integers in the same order as the entries."""
    order = sorted(range(len(row)), key=lambda r: row[r])
    ranks = [0] * len(row)
    for before, now in pairwise(order):
        ranks[now] = ranks[before] + int(row[before] < row[now])
    return ranks


LOSSES = ("abs", "squared", "zero-one", "distance")
"""The losses that a word names."""

Kind = Literal["abs", "squared", "zero-one"] | None
"""Which of |i−r|, (i−r)² and [i≠r], of row and column numbers, a loss is known to be."""

_OF_DISTANCE: dict[Kind, Callable[[int], int]] = {"abs": int, "squared": lambda d: d * d, "zero-one": lambda d: int(d > 0)}


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Loss:
    """A loss: any exact numbers, rows are inputs and columns are guesses.

    Parameters
    ----------
    matrix : ExactMatrix or rows
    inputs, guesses : sequence of str or int, optional
        Row and column labels; unlabelled, shown as 0, 1, …, unless given.
    name : str
        For display.

    Attributes
    ----------
    kind : "abs", "squared", "zero-one" or None
        Says that the loss is |i−r|, (i−r)² or [i≠r] of row and column *numbers*. Such a loss is not multiplied out until its matrix
        is asked for, so that thousands of inputs cost nothing.

    Examples
    --------
    >>> loss = Loss.absolute(range(3))
    >>> print(loss)
       0  1  2
    0  0  1  2
    1  1  0  1
    2  2  1  0
    >>> loss.is_monotone(), loss.has_single_crossing(), loss.kind
    (True, True, 'abs')
    """

    inputs: Labels
    guesses: Labels
    name: str
    kind: Kind
    _matrix: ExactMatrix | None

    def __init__(
        self, matrix: MatrixLike, inputs: Iterable[Label] | None = None, guesses: Iterable[Label] | None = None, name: str = ""
    ) -> None:
        exact = as_matrix(matrix)
        rows, columns = as_labels(inputs, exact.shape[0], what="input label"), as_labels(guesses, exact.shape[1], what="guess label")
        self._fill(rows, columns, name, None, exact)

    def _fill(self, inputs: Labels, guesses: Labels, name: str, kind: Kind, matrix: ExactMatrix | None) -> None:
        object.__setattr__(self, "inputs", inputs)
        object.__setattr__(self, "guesses", guesses)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "kind", kind)
        object.__setattr__(self, "_matrix", matrix)

    @classmethod
    def _of_kind(cls, kind: Kind, labels: Labels) -> Loss:
        """One of the three losses of row and column numbers, its matrix still to be made."""
        result = object.__new__(cls)
        result._fill(labels, labels, kind or "", kind, None)
        return result

    @property
    def matrix(self) -> ExactMatrix:
        """The losses, inputs × guesses."""
        if self._matrix is None:
            size = len(self.inputs)
            values = [Rational(_OF_DISTANCE[self.kind](d)) for d in range(size)]
            rows = [[values[abs(i - r)] for r in range(size)] for i in range(size)]
            object.__setattr__(self, "_matrix", ExactMatrix(rows))
        assert self._matrix is not None
        return self._matrix

    @property
    def field(self) -> OrderedField:
        """The field of the losses."""
        return QQ if self._matrix is None else self._matrix.field

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Loss):
            return NotImplemented
        if (self.inputs, self.guesses) != (other.inputs, other.guesses):
            return False
        return (self.kind == other.kind and self.kind is not None) or self.matrix == other.matrix

    def __hash__(self) -> int:
        return hash((self.inputs, self.guesses))

    def __repr__(self) -> str:
        return f"Loss(matrix={self.matrix!r}, inputs={self.inputs!r}, guesses={self.guesses!r}, name={self.name!r})"

    @classmethod
    def absolute(cls, inputs: Iterable[Label], guesses: Iterable[Label] | None = None) -> Loss:
        """|i − r| on integer labels; the guesses are the inputs unless given."""
        return _of_integers("abs", inputs, guesses)

    @classmethod
    def squared(cls, inputs: Iterable[Label], guesses: Iterable[Label] | None = None) -> Loss:
        """(i − r)² on integer labels.

        >>> Loss.squared(range(3))[0, 2]
        Rational('4')
        """
        return _of_integers("squared", inputs, guesses)

    @classmethod
    def zero_one(cls, inputs: Iterable[Label], guesses: Iterable[Label] | None = None) -> Loss:
        """1 for a wrong guess, 0 for the right one.

        >>> Loss.zero_one(["a", "b"]).matrix
        ExactMatrix([['0', '1'], ['1', '0']])
        """
        rows, columns = _both(inputs, guesses)
        if rows == columns:
            return cls._of_kind("zero-one", rows)
        return cls([[int(i != r) for r in columns] for i in rows], rows, columns, "zero-one")

    @classmethod
    def from_distance(cls, neighbours: Neighbours) -> Loss:
        """The distance of the guess from the truth, in a connected graph or a metric with rational distances.

        Raises
        ------
        InputError
            Two vertices are infinitely far apart.
        DomainError
            A distance is irrational.

        Examples
        --------
        >>> Loss.from_distance(AdjacencyGraph(range(4), [(0, 1), (1, 2), (2, 3), (3, 0)])).matrix.row(0)
        (Rational('0'), Rational('1'), Rational('2'), Rational('1'))
        """
        labels = neighbours.vertices
        size = len(labels)
        if isinstance(neighbours, AdjacencyGraph):
            hops = neighbours.hops()
            rows: list[list[Any]] = [[_finite(x, labels, i, r) for r, x in enumerate(row)] for i, row in enumerate(hops)]
        else:
            rows = [[0] * size for _ in range(size)]
            for i in range(size):
                for r in range(i + 1, size):
                    d = _finite(neighbours.between(i, r), labels, i, r)
                    if d.rational is None:
                        raise DomainError(
                            f"the distance of {labels[i]!r} and {labels[r]!r} is {d}, irrational; give the loss as a table of rationals",
                            distance=d,
                        )
                    rows[i][r] = rows[r][i] = d.rational
        return cls(rows, labels, labels, "distance")

    def is_monotone(self, neighbours: Neighbours | None = None) -> bool:
        """Whether for each input the loss is a non-decreasing function of the guess's distance.

        Parameters
        ----------
        neighbours : AdjacencyGraph or Metric, optional
            Gives the distances (infinite ones come last); without it they are |i − r| of integer labels.

        Raises
        ------
        LabelError
            No neighbours are given and a label is no integer, or a guess is no vertex.

        Examples
        --------
        >>> Loss([[0, 1, 1], [1, 0, 1], [2, 3, 0]]).is_monotone()
        False
        """
        for i, distances in enumerate(distance_keys(self.inputs, self.guesses, neighbours)):
            ordered = sorted(zip(distances, self.matrix.row(i), strict=True), key=lambda pair: pair[0])
            before = None
            for _, group in groupby(ordered, key=lambda pair: pair[0]):
                values = [value for _, value in group]
                if any(value != values[0] for value in values) or (before is not None and values[0] < before):
                    return False
                before = values[0]
        return True

    def has_single_crossing(self) -> bool:
        """Whether the difference of any two guesses' losses changes sign at most once, from ≤ 0 to ≥ 0.

        >>> Loss([[0, 5, 6], [5, 0, 1], [6, 1, 0]]).has_single_crossing()
        True
        """
        if self.kind or (increasing(self.inputs) and increasing(self.guesses) and self.is_monotone()):
            return True
        ranks = [ranks_of(row) for row in self.matrix.rows()]
        columns = list(zip(*ranks, strict=True))
        for r, left in enumerate(columns):
            for right in columns[r + 1 :]:
                crossed = False
                for a, b in zip(left, right, strict=True):
                    if a > b:
                        crossed = True
                    elif crossed and a < b:
                        return False
        return True

    def aligned(self, inputs: Labels | None = None, guesses: Labels | None = None) -> Loss:
        """The same loss with rows and columns in the order of these labels: matched by label, or by position
        if neither is labelled.

        Raises
        ------
        LabelError
            The labels differ, or only one of the two is labelled (see :meth:`relabelled`).

        Examples
        --------
        >>> Loss([[0, 1], [2, 0]], ["b", "a"], ["b", "a"]).aligned(("a", "b")).matrix
        ExactMatrix([['2', '0'], ['0', '1']])
        """
        there = self.inputs if inputs is None else inputs, self.guesses if guesses is None else guesses
        if (self.inputs, self.guesses) == there:
            return self
        rows = places_in(self.inputs, there[0], got_what="the loss's inputs", expected_what="the inputs asked about")
        columns = places_in(self.guesses, there[1], got_what="the loss's guesses", expected_what="the outputs or guesses asked about")
        unmoved = rows == columns == tuple(range(len(rows)))
        result = object.__new__(Loss)
        kind = self.kind if unmoved or (self.kind == "zero-one" and rows == columns) else None
        result._fill(*there, self.name, kind, self._matrix if kind else permuted(self.matrix, rows, columns))
        return result

    def relabelled(self, inputs: Iterable[Label] | None = None, guesses: Iterable[Label] | None = None) -> Loss:
        """The same losses with other labels, given by position.

        >>> Loss.absolute(range(2)).relabelled(["no", "yes"]).name
        'abs of positions'
        """
        size = (len(self.inputs), len(self.guesses))
        rows = self.inputs if inputs is None else as_labels(inputs, size[0], what="input label")
        columns = self.guesses if guesses is None else as_labels(guesses, size[1], what="guess label")
        result = object.__new__(Loss)
        result._fill(rows, columns, f"{self.name} of positions" if self.kind else self.name, self.kind, self._matrix)
        return result

    def __getitem__(self, position: tuple[int, int]) -> Any:
        return self.matrix[position]

    def __str__(self) -> str:
        return grid_text(self.matrix, self.inputs, self.guesses)


def loss_from_spec(spec: str, neighbours: Neighbours, guesses: Iterable[Label] | None = None) -> Loss:
    """The loss that one of the words ``abs``, ``squared``, ``zero-one``, ``distance`` names on these inputs.

    Parameters
    ----------
    spec : str
        One of :data:`LOSSES`.
    neighbours : AdjacencyGraph or Metric
        Its vertices are the inputs.
    guesses : sequence of str or int, optional
        The inputs unless given; not for ``distance``.

    Examples
    --------
    >>> loss_from_spec("abs", AdjacencyGraph.path(2)).matrix
    ExactMatrix([['0', '1'], ['1', '0']])
    """
    makers = {"abs": Loss.absolute, "squared": Loss.squared, "zero-one": Loss.zero_one}
    if spec in makers:
        return makers[spec](neighbours.vertices, guesses)
    if spec == "distance":
        loss = Loss.from_distance(neighbours)
        if guesses is None or as_labels(guesses) == loss.guesses:
            return loss
        raise LabelError("the loss 'distance' has the vertices as guesses; give another loss as a table", label=spec)
    raise InputError(f"{spec!r} is no loss; the words are {', '.join(LOSSES)}, or give a table of exact numbers (rows inputs)", spec=spec)


def _both(inputs: Iterable[Label], guesses: Iterable[Label] | None) -> tuple[Labels, Labels]:
    rows = as_labels(inputs, what="input label")
    return rows, rows if guesses is None else as_labels(guesses, what="guess label")


def _of_integers(name: Literal["abs", "squared"], inputs: Iterable[Label], guesses: Iterable[Label] | None) -> Loss:
    rows, columns = _both(inputs, guesses)
    truths = integer_labels(rows, purpose=f"the loss {name!r}")
    answers = integer_labels(columns, purpose=f"the loss {name!r}")
    if rows == columns and all(b - a == 1 for a, b in pairwise(truths)):
        return Loss._of_kind(name, rows)
    value = _OF_DISTANCE[name]
    return Loss([[value(abs(i - r)) for r in answers] for i in truths], rows, columns, name)


def _finite(distance: Any, labels: Labels, i: int, r: int) -> Any:
    if distance is None:
        raise InputError(
            f"{labels[i]!r} and {labels[r]!r} are not connected, so their distance is infinite; give the loss as a table instead",
            labels=(labels[i], labels[r]),
        )
    return distance


@dataclass(frozen=True, slots=True, init=False)
class Gain:
    """A gain g(i, r), to be maximised: the loss −g.

    Parameters
    ----------
    matrix, inputs, guesses, name
        As for :class:`Loss`.

    Examples
    --------
    >>> Gain([[1, 0], [0, 1]], name="hit").as_loss().matrix
    ExactMatrix([['-1', '0'], ['0', '-1']])
    """

    matrix: ExactMatrix
    inputs: Labels
    guesses: Labels
    name: str = field(compare=False)

    def __init__(
        self, matrix: MatrixLike, inputs: Iterable[Label] | None = None, guesses: Iterable[Label] | None = None, name: str = ""
    ) -> None:
        loss = Loss(matrix, inputs, guesses, name)
        for slot in ("matrix", "inputs", "guesses", "name"):
            object.__setattr__(self, slot, getattr(loss, slot))

    def aligned(self, inputs: Labels | None = None, guesses: Labels | None = None) -> Gain:
        """The same gain with rows and columns in the order of these labels (see :meth:`Loss.aligned`)."""
        loss = Loss(self.matrix, self.inputs, self.guesses).aligned(inputs, guesses)
        return Gain(loss.matrix, loss.inputs, loss.guesses, self.name)

    def as_loss(self) -> Loss:
        """The loss −g."""
        return Loss(-self.matrix, self.inputs, self.guesses, f"minus {self.name}" if self.name else "")

    def __str__(self) -> str:
        return grid_text(self.matrix, self.inputs, self.guesses)


def added(first: Loss, second: Loss) -> Loss:
    """(l + l')((g,g'), x) = l(x,g) + l'(x,g'): guesses are pairs.

    Parameters
    ----------
    first, second : Loss
        On the same inputs.

    Returns
    -------
    Loss
        Its least expected loss is the sum of theirs.

    Raises
    ------
    LabelError
        The inputs differ.

    Examples
    --------
    >>> bayes = Loss.zero_one(range(2))
    >>> added(bayes, bayes).matrix.row(0)
    (Rational('0'), Rational('1'), Rational('1'), Rational('2'))
    """
    second = second.aligned(first.inputs)
    rows = [[a + b for a in r for b in s] for r, s in zip(first.matrix.rows(), second.matrix.rows(), strict=True)]
    return Loss(rows, first.inputs, [f"({g},{h})" for g in first.guesses for h in second.guesses])


def scaled(loss: Loss, factor: object) -> Loss:
    """c·l, for c ≥ 0.

    Parameters
    ----------
    loss : Loss
        Inputs × guesses.
    factor : exact number
        c.

    Raises
    ------
    InputError
        c < 0; carries ``value``.

    Examples
    --------
    >>> scaled(Loss.zero_one(range(2)), "1/2").matrix
    ExactMatrix([['0', '1/2'], ['1/2', '0']])
    """
    c = loss.field(factor)
    if c < 0:
        raise InputError(f"a loss is scaled by a number ≥ 0, not {c}", value=c)
    return Loss(loss.matrix.map(lambda x: c * x), loss.inputs, loss.guesses)


def scaled_by(loss: Loss, values: Iterable[object]) -> Loss:
    """(v·l)(x, g) = v(x)·l(x, g), for v ≥ 0.

    Parameters
    ----------
    loss : Loss
        Inputs × guesses.
    values : exact numbers
        v(x): a mapping from the inputs, or a list in their order.

    Raises
    ------
    ShapeError
        Their number is not that of the inputs.
    InputError
        One is negative; carries ``value``.

    Examples
    --------
    >>> scaled_by(Loss.zero_one(range(2)), [2, 3]).matrix
    ExactMatrix([['0', '2'], ['3', '0']])
    """
    v = _on_inputs(loss, values)
    if any(x < 0 for x in v):
        raise InputError(f"a loss is scaled by numbers ≥ 0, not {min(v)}", value=min(v))
    return Loss([[c * x for x in row] for c, row in zip(v, loss.matrix.rows(), strict=True)], loss.inputs, loss.guesses)


def shifted(loss: Loss, values: Iterable[object]) -> Loss:
    """l(x, g) + f(x): what is added does not depend on the guess.

    Parameters
    ----------
    loss : Loss
        Inputs × guesses.
    values : exact numbers
        f(x): a mapping from the inputs, or a list in their order.

    Raises
    ------
    ShapeError
        Their number is not that of the inputs.

    Examples
    --------
    >>> shifted(Loss.zero_one(range(2)), [2, 3]).matrix
    ExactMatrix([['2', '3'], ['4', '3']])
    """
    f = _on_inputs(loss, values)
    return Loss([[c + x for x in row] for c, row in zip(f, loss.matrix.rows(), strict=True)], loss.inputs, loss.guesses)


def trivial(values: Iterable[object], inputs: Iterable[Label], guesses: Iterable[Label] = ("any",)) -> Loss:
    """The loss f(x), whatever the guess: every mechanism is as good as any other for it.

    Parameters
    ----------
    values : exact numbers
        f(x): a mapping from the inputs, or a list in their order.
    inputs, guesses : iterable of labels
        The labels.

    Examples
    --------
    >>> trivial([1, 2], range(2)).matrix
    ExactMatrix([['1'], ['2']])
    """
    columns = as_labels(guesses, what="guess label")
    rows = as_labels(inputs, what="input label")
    return Loss([[f] * len(columns) for f in vector_over(values, rows, what="values", over="inputs")], rows, columns, "trivial")


def is_trivial(loss: Loss) -> bool:
    """Whether the least expected loss is a linear function of the prior: some guess is best for every input.

    Parameters
    ----------
    loss : Loss
        Inputs × guesses.

    Returns
    -------
    bool
        If true, no mechanism lowers its least expected loss.

    Examples
    --------
    >>> is_trivial(Loss([[0, 1], [2, 2]])), is_trivial(Loss.zero_one(range(2)))
    (True, False)
    """
    return any(all(row[g] == min(row) for row in loss.matrix.rows()) for g in range(len(loss.guesses)))


def restricted_loss(loss: Loss, inputs: Iterable[Label]) -> Loss:
    """The loss on some of its inputs, in the order given.

    Parameters
    ----------
    loss : Loss
        Inputs × guesses.
    inputs : iterable of labels
        Distinct inputs of it.

    Raises
    ------
    LabelError
        A label is unknown or repeated.

    Examples
    --------
    >>> restricted_loss(Loss.absolute(range(3)), [0, 2]).matrix
    ExactMatrix([['0', '1', '2'], ['2', '1', '0']])
    """
    places = [position_of(x, loss.inputs, what="input") for x in entries_of(inputs, "inputs")]
    return Loss([loss.matrix.row(i) for i in places], [loss.inputs[i] for i in places], loss.guesses)


def lifted(loss: Loss, inputs: Iterable[Label]) -> Loss:
    """l↑: the loss on more inputs, 0 where it was not defined.

    Parameters
    ----------
    loss : Loss
        Inputs × guesses.
    inputs : iterable of labels
        Those of the loss and others.

    Raises
    ------
    LabelError
        An input of the loss is not among them.

    Examples
    --------
    >>> lifted(Loss.zero_one([0, 2]), [0, 1, 2]).matrix
    ExactMatrix([['0', '1'], ['0', '0'], ['1', '0']])
    """
    labels = as_labels(inputs, what="input label")
    rows: list[Any] = [[0] * len(loss.guesses) for _ in labels]
    for k, label in enumerate(loss.inputs):
        rows[position_of(label, labels, what="input")] = list(loss.matrix.row(k))
    return Loss(rows, labels, loss.guesses)


def for_uniform_prior(loss: Loss, prior: Prior) -> Loss:
    """l^π(x, g) = n·π_x·l(x, g): U_l[π, M] is U of this loss under the uniform prior [Fernandes et al.,
    Theorem 12].

    Parameters
    ----------
    loss : Loss
        Inputs × guesses.
    prior : Prior
        π, on the same n inputs.

    Raises
    ------
    LabelError
        The inputs differ.

    Examples
    --------
    >>> for_uniform_prior(Loss.zero_one(range(2)), Prior(["1/4", "3/4"])).matrix
    ExactMatrix([['0', '1/2'], ['3/2', '0']])
    """
    prior = prior.aligned(loss.inputs)
    return scaled_by(loss, [len(prior.inputs) * p for p in prior.weights])


def _on_inputs(loss: Loss, values: Iterable[object]) -> list[Any]:
    return [loss.field(x) for x in vector_over(values, loss.inputs, what="values", over="inputs")]
