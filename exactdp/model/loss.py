# SPDX-License-Identifier: MIT
"""Losses l(i, r), what guessing r costs a consumer when the truth is i; and gains, which are negated losses.

Losses are minimised. A loss is *monotone* when for each input i it is a non-decreasing function of the
distance d(i, r), and has *single crossing* (docs/mathematics.md §1; monotone losses on the line have it) when
for any two guesses r < r′ there is a threshold t with l(i, r) ≤ l(i, r′) for all inputs i < t and
l(i, r) ≥ l(i, r′) for all i ≥ t, inputs and guesses in the order given.

What can be made of losses (Fernandes et al., Section 5.2 and Theorem 15) is stated with the least expected
loss U_l[π, M] = Σ_y min_g Σ_x π_x l(x,g) M_xy. An order M ⊑_l N that holds for some losses holds for what is
made of them by :meth:`Loss.plus`, :meth:`Loss.times`, :meth:`Loss.weighted` and :meth:`Loss.shifted`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from itertools import groupby, pairwise
from typing import Any

from exactdp.display import repr_inside, short_digest
from exactdp.elsewhere import TellingClass
from exactdp.errors import DefectiveAnswerError, DomainError, ExactDPError, InputError, LabelError, printable, wrong_kind
from exactdp.exact import QQ, ExactMatrix, LettersLike, OrderedField, Rational, entries_of
from exactdp.model.graph import Graph, Neighbours
from exactdp.model.labels import (
    Label,
    LabelledMatrix,
    Labels,
    Positions,
    as_labels,
    as_matrix,
    integer_labels,
    is_integer_label,
    order_of,
    permuted,
    places_in,
    position_of,
)
from exactdp.model.measure import LOSS, UTILITY, Measure
from exactdp.model.mechanism import MatrixLike, Table
from exactdp.model.named_losses import LOSSES, NAMED_LOSSES, Kind, NamedLoss, meant_loss, named_loss
from exactdp.model.neighbours import NeighboursLike
from exactdp.model.neighbours import neighbours as as_neighbours
from exactdp.model.vectors import Prior, PriorLike, vector_over
from exactdp.runtime.budget import require_budget
from exactdp.runtime.values import dataclass
from exactdp.spelling import both_spellings


@dataclass(frozen=True, slots=True, init=False, repr=False, eq=False)
class Loss(LabelledMatrix, metaclass=TellingClass):
    """A loss: any exact numbers, rows are inputs and columns are guesses.

    Parameters
    ----------
    matrix : ExactMatrix or rows
    inputs, guesses : sequence of str or int, optional
        Row and column labels; unlabelled, shown as 0, 1, …, unless given.
    name : str
        For display.
    letters : mapping, text or Region, optional
        What the letters in the losses may be (:class:`~exactdp.Region`): a cost c > 0.

    Attributes
    ----------
    kind : str or None
        Says that the loss is the one that this word names ("abs", "squared", "zero-one", …) of row and column
        *numbers*. Such a loss is not multiplied out until its matrix is asked for, so that thousands of
        inputs cost nothing.
    gain : str or None
        The name of the gain that this is the negative of (:meth:`Gain.as_loss`): answers state utilities.

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
    gain: str | None = None

    def __init__(
        self,
        matrix: MatrixLike,
        inputs: Iterable[Label] | None = None,
        guesses: Iterable[Label] | None = None,
        name: str = "",
        *,
        letters: LettersLike | None = None,
    ) -> None:
        exact = as_matrix(matrix, letters)
        rows, columns = as_labels(inputs, exact.shape[0], what="input label"), as_labels(guesses, exact.shape[1], what="guess label")
        self._fill(inputs=rows, guesses=columns, name=name, kind=None, _matrix=exact, gain=None)

    @classmethod
    def _made(cls, inputs: Labels, guesses: Labels, name: str, kind: Kind, matrix: ExactMatrix | None, gain: str | None = None) -> Loss:
        """The loss of a kind that is known, its matrix perhaps still to be made."""
        return object.__new__(cls)._fill(inputs=inputs, guesses=guesses, name=name, kind=kind, _matrix=matrix, gain=gain)

    @property
    def measure(self) -> Measure:
        """How answers state its numbers: as losses, or as the utilities of the gain that it came from."""
        return LOSS if self.gain is None else UTILITY

    def as_gain(self) -> Gain:
        """The gain that is minus this loss.

        >>> Gain([[1, 0]], name="hit").as_loss().as_gain().matrix[0, 0]
        Rational('1')
        """
        return Gain(-self.matrix, self.inputs, self.guesses, self.gain or "")

    @property
    def title(self) -> str:
        """What it is called in sentences.

        A table without a name has its digest beside it, so that no two are called alike.

        >>> Loss.absolute(range(2)).title, Loss([[1]]).title, Gain([[1]], name="hit").as_loss().title
        ('loss abs', 'loss given by a table (sha256 e0e09af8…)', 'gain hit')
        """
        word, name = ("loss", self.name) if self.gain is None else ("gain", self.gain)
        if name:
            return f"{word} {name}"
        return f"{word} given by a table ({self.digest})"

    @property
    def digest(self) -> str:
        """What tells it apart in a sentence: of its labels and numbers, those of a gain as they were given.

        >>> Loss([[1]]).digest, Gain([[-1]], name="hit").as_loss().digest == Gain([[-1]]).as_loss().digest
        ('sha256 e0e09af8…', True)
        """
        table = self.matrix if self.gain is None else -self.matrix
        entries = zip(self.inputs, table.rows(), strict=True)
        return short_digest(sorted(f"{i!r} {r!r} {x}" for i, row in entries for r, x in zip(self.guesses, row, strict=True)))

    def called(self, name: str) -> Loss:
        """The same loss under another name; of a gain it is the gain that is called so.

        >>> Loss([[1]]).called("steps").title, Gain([[1]], name="hit").as_loss().called("right").title
        ('loss steps', 'gain right')
        """
        if self.gain is None:
            return Loss._made(self.inputs, self.guesses, name, self.kind, self._matrix)
        return Loss._made(self.inputs, self.guesses, f"minus {name}" if name else "", self.kind, self._matrix, name)

    @property
    def matrix(self) -> ExactMatrix:
        """The losses, inputs × guesses."""
        if self._matrix is None:
            size = len(self.inputs)
            require_budget(f"the table of the loss {self.name} on {size} inputs", numbers=size * size)
            assert self.kind is not None
            values = [Rational(x) for x in named_loss(self.kind).values(size)]
            made = ExactMatrix([[values[abs(i - r)] for r in range(size)] for i in range(size)])
            self._fill(_matrix=made)  # made once, when first asked for
            return made
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
        words = self._in_brief()
        if words is not None:
            return f"<Loss {printable(self.name)} {words}>"
        axes = f"inputs={repr_inside(self.inputs)}, guesses={repr_inside(self.guesses)}"
        return f"Loss(matrix={self.matrix!r}, {axes}, name={self.name!r})"

    @classmethod
    def absolute(cls, inputs: Iterable[Label], guesses: Iterable[Label] | None = None) -> Loss:
        """|i − r| on integer labels; the guesses are the inputs unless given."""
        return loss_of_labels(named_loss("abs"), inputs, guesses)

    @classmethod
    def squared(cls, inputs: Iterable[Label], guesses: Iterable[Label] | None = None) -> Loss:
        """(i − r)² on integer labels.

        >>> Loss.squared(range(3))[0, 2]
        Rational('4')
        """
        return loss_of_labels(named_loss("squared"), inputs, guesses)

    @classmethod
    def zero_one(cls, inputs: Iterable[Label], guesses: Iterable[Label] | None = None) -> Loss:
        """1 for a wrong guess, 0 for the right one.

        >>> Loss.zero_one(["a", "b"]).matrix
        ExactMatrix([['0', '1'], ['1', '0']])
        """
        return loss_of_labels(named_loss("zero-one"), inputs, guesses)

    @classmethod
    def from_function(
        cls,
        function: Callable[[Any, Any], object],
        inputs: Iterable[Label],
        guesses: Iterable[Label] | None = None,
        *,
        name: str = "",
    ) -> Loss:
        """The loss l(i, r) that a function computes.

        Parameters
        ----------
        function : callable
            From an input and a guess to an exact number (an int, a Fraction, text, …; a truth value counts as
            0 or 1). Labels that are integers are given as ints if all of their kind are, else as texts.
        inputs, guesses : labels
            The guesses are the inputs unless given.
        name : str
            For display.

        Raises
        ------
        InexactInputError
            The function returned a float.

        Examples
        --------
        >>> Loss.from_function(lambda i, r: abs(i - r), range(3)).matrix == Loss.absolute(range(3)).matrix
        True
        >>> Loss.from_function(lambda i, r: i != r, ["yes", "no"], name="wrong").matrix
        ExactMatrix([['0', '1'], ['1', '0']])
        """
        if not callable(function):
            raise wrong_kind("function of the loss", function, "a function of an input and a guess, such as lambda i, r: abs(i - r)")
        rows, columns = _both(inputs, guesses)
        _require_table("the table of the loss", rows, columns)
        truths, answers = _as_numbers(rows), _as_numbers(columns)
        values = [[function(i, r) for r in answers] for i in truths]
        exact = [[int(x) if isinstance(x, bool) else x for x in row] for row in values]
        return cls(exact, rows, columns, name)

    @classmethod
    @both_spellings
    def over(cls, loss: LossLike, inputs: Labels | None = None, neighbours: Neighbours | None = None) -> Loss:
        """The loss that somebody means, on these inputs.

        Parameters
        ----------
        loss : Loss, Gain, Table, text or rows
            A loss or a table of losses; a gain, whose loss is −g; one of the words :data:`LOSSES`; or rows of
            exact numbers in the order of the inputs.
        inputs : labels, optional
            Those asked about; without them rows are unlabelled, and a word names no loss.
        neighbours : Graph or Metric, optional
            For the word ``distance``.

        Raises
        ------
        InputError
            None of these; or the loss ``distance`` without neighbours.

        Examples
        --------
        >>> Loss.over("abs", ("0", "1")) == Loss.over([[0, 1], [1, 0]], ("0", "1"))
        True
        """
        if isinstance(loss, Loss):
            return loss
        if isinstance(loss, Gain):
            return loss.as_loss()
        if isinstance(loss, str) and inputs is not None:
            if loss not in LOSSES or named_loss(loss).compares != "neighbours":
                return loss_from_spec(loss, Graph(inputs, []) if neighbours is None else neighbours)
            if neighbours is None:
                raise InputError(
                    f"the loss {loss!r} is that of a graph or metric, and none was given; say consumer.on(neighbours), or "
                    "Loss.from_distance(neighbours)",
                    spec=loss,
                )
            return _of_neighbours(named_loss(loss), neighbours, _name_on(named_loss(loss), neighbours))
        if isinstance(loss, Table):
            return cls(loss.matrix, loss.inputs, loss.outputs)
        if callable(loss):
            message = "a function is no loss yet, without its inputs; give Loss.from_function(function, inputs)"
            raise InputError(message, value=loss)
        rows = isinstance(loss, ExactMatrix) or hasattr(loss, "__iter__") or (hasattr(loss, "is_Matrix") and hasattr(loss, "shape"))
        if isinstance(loss, (str, dict)) or not rows:
            raise wrong_kind("loss", loss, f"a Loss, one of the words {', '.join(LOSSES)}, or rows of exact numbers")
        found = cls(loss)
        square = found.matrix.shape[0] == found.matrix.shape[1]
        if inputs is None or isinstance(inputs, Positions):
            return found
        return found.relabelled(inputs, inputs if square else None)

    @classmethod
    @both_spellings
    def from_distance(cls, neighbours: NeighboursLike) -> Loss:
        """The distance of the guess from the truth, in a connected graph or a metric with rational distances.

        Its name says whose distances they are. Beside these neighbours answers call it ``distance``.

        Raises InputError if two vertices are infinitely far apart; DomainError if a distance is irrational.

        >>> Loss.from_distance(Graph(range(4), [(0, 1), (1, 2), (2, 3), (3, 0)])).matrix.row(0)
        (Rational('0'), Rational('1'), Rational('2'), Rational('1'))
        """
        near, distance = as_neighbours(neighbours), named_loss("distance")
        return _of_neighbours(distance, near, _name_on(distance, near))

    @both_spellings
    def beside(self, neighbours: Neighbours) -> Loss:
        """The same loss; if it is the distance of these neighbours, its name doesn't repeat them.

        >>> path = Graph.path(3)
        >>> loss = Loss.from_distance(path)
        >>> loss.name, loss.beside(path).name, loss.beside(Graph.cycle(3)).name
        ('distance on path:3', 'distance', 'distance on path:3')
        """
        for named in NAMED_LOSSES:
            if named.compares == "neighbours" and self._is_of(named, neighbours):
                return Loss._made(self.inputs, self.guesses, named.said, None, self.matrix)
        return self

    def _is_of(self, named: NamedLoss, neighbours: Neighbours) -> bool:
        """Whether it is called so, and is it: two large metrics may have one name."""
        if self.name != _name_on(named, neighbours) or not {*neighbours.vertices} == {*self.inputs} == {*self.guesses}:
            return False
        try:
            distances = _distances(neighbours)
        except ExactDPError:
            return False
        place = {label: k for k, label in enumerate(neighbours.vertices)}
        columns = [place[label] for label in self.guesses]
        known = ([named.value(distances[place[label]][k]) for k in columns] for label in self.inputs)
        return all(list(self.matrix.row(i)) == row for i, row in enumerate(known))

    @both_spellings
    def is_monotone(self, neighbours: NeighboursLike | None = None) -> bool:
        """Whether for each input the loss is a non-decreasing function of the guess's distance.

        Parameters
        ----------
        neighbours : Graph or Metric, optional
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
        for i, distances in enumerate(self._distance_keys(None if neighbours is None else as_neighbours(neighbours, self.inputs))):
            ordered = sorted(zip(distances, self.matrix.row(i), strict=True), key=lambda pair: pair[0])
            before = None
            for _, group in groupby(ordered, key=lambda pair: pair[0]):
                values = [value for _, value in group]
                if any(value != values[0] for value in values) or (before is not None and values[0] < before):
                    return False
                before = values[0]
        return True

    def _distance_keys(self, neighbours: Neighbours | None) -> Iterable[list[Any]]:
        """For each input the guesses' distances, as sortable keys; infinite ones come last."""
        if neighbours is None:
            truths = integer_labels(self.inputs, purpose="monotonicity in |i − r|")
            answers = integer_labels(self.guesses, purpose="monotonicity in |i − r|")
            for i in truths:
                yield [abs(i - r) for r in answers]
            return
        rows = [position_of(label, neighbours.vertices, what="vertex") for label in self.inputs]
        columns = [position_of(label, neighbours.vertices, what="vertex") for label in self.guesses]
        metric = neighbours.metric() if isinstance(neighbours, Graph) else neighbours
        zero = Rational(0)
        for i in rows:
            distances = [None if i == r else metric.between(i, r) for r in columns]
            # the input itself, then finite distances, then those without a path
            farther = [(2, zero) if d is None else (1, d.square) for d in distances]
            yield [(0, zero) if i == r else far for r, far in zip(columns, farther, strict=True)]

    def has_single_crossing(self) -> bool:
        """Whether the difference of any two guesses' losses changes sign at most once, from ≤ 0 to ≥ 0.

        >>> Loss([[0, 5, 6], [5, 0, 1], [6, 1, 0]]).has_single_crossing()
        True
        """
        if self.kind is not None and named_loss(self.kind).is_monotone(len(self.inputs)):
            return True
        if _increase(self.inputs) and _increase(self.guesses) and self.is_monotone():
            return True
        ranks = [_ranks(row) for row in self.matrix.rows()]
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
        """The same loss with rows and columns in the order of these labels.

        They are matched by label, or by position if neither is labelled; LabelError if they differ, or only
        one of the two is labelled (see :meth:`relabelled`).

        >>> Loss([[0, 1], [2, 0]], ["b", "a"], ["b", "a"]).aligned(("a", "b")).matrix
        ExactMatrix([['2', '0'], ['0', '1']])
        """
        there = order_of(inputs, self.inputs), order_of(guesses, self.guesses)
        if (self.inputs, self.guesses) == there:
            return self
        rows = places_in(self.inputs, there[0], got_what="the loss's inputs", expected_what="the inputs asked about")
        columns = places_in(self.guesses, there[1], got_what="the loss's guesses", expected_what="the outputs or guesses asked about")
        if self.kind is not None and rows == columns:
            unmoved = rows == tuple(range(len(rows)))
            if unmoved or named_loss(self.kind).compares == "labels":
                return Loss._made(*there, self.name, self.kind, self._matrix, self.gain)
        return Loss._made(*there, self.name, None, permuted(self.matrix, rows, columns), self.gain)

    def relabelled(self, inputs: Iterable[Label] | None = None, guesses: Iterable[Label] | None = None) -> Loss:
        """The same losses with other labels, given by position.

        >>> Loss.absolute(range(2)).relabelled(["no", "yes"]).name
        'abs of positions'
        """
        size = (len(self.inputs), len(self.guesses))
        rows = self.inputs if inputs is None else as_labels(inputs, size[0], what="input label")
        columns = self.guesses if guesses is None else as_labels(guesses, size[1], what="guess label")
        return Loss._made(rows, columns, f"{self.name} of positions" if self.kind else self.name, self.kind, self._matrix, self.gain)

    def plus(self, other: Loss) -> Loss:
        """(l + l′)(x, (g, g′)) = l(x, g) + l′(x, g′): guesses are pairs, and U is the sum of both U.

        >>> bayes = Loss.zero_one(range(2))
        >>> bayes.plus(bayes).matrix.row(0)
        (Rational('0'), Rational('1'), Rational('1'), Rational('2'))
        """
        if not isinstance(other, Loss):
            raise wrong_kind("other loss", other, "a Loss")
        other = other.aligned(self.inputs)
        require_budget("the sum of two losses", numbers=len(self.inputs) * len(self.guesses) * len(other.guesses))
        rows = [[a + b for a in r for b in s] for r, s in zip(self.matrix.rows(), other.matrix.rows(), strict=True)]
        return Loss(rows, self.inputs, [f"({g},{h})" for g in self.guesses for h in other.guesses])

    def times(self, factor: object) -> Loss:
        """c·l for a number c ≥ 0, which multiplies U by c; InputError, with ``value``, if c < 0.

        >>> Loss.zero_one(range(2)).times("1/2").matrix
        ExactMatrix([['0', '1/2'], ['1/2', '0']])
        """
        c = self.field(factor)
        if c < 0:
            raise InputError(f"a loss is scaled by a number ≥ 0, not {c}", value=c)
        return Loss(self.matrix.map(lambda x: c * x), self.inputs, self.guesses)

    def weighted(self, values: Iterable[object]) -> Loss:
        """(v·l)(x, g) = v(x)·l(x, g), for v ≥ 0: it acts on the prior.

        Parameters
        ----------
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
        >>> Loss.zero_one(range(2)).weighted([2, 3]).matrix
        ExactMatrix([['0', '2'], ['3', '0']])
        """
        v = self._on_inputs(values)
        if any(x < 0 for x in v):
            raise InputError(f"a loss is scaled by numbers ≥ 0, not {min(v)}", value=min(v))
        return Loss([[c * x for x in row] for c, row in zip(v, self.matrix.rows(), strict=True)], self.inputs, self.guesses)

    def shifted(self, values: Iterable[object]) -> Loss:
        """l(x, g) + f(x), with values f as for :meth:`weighted`; this adds Σ_x π_x f(x) to U.

        >>> Loss.zero_one(range(2)).shifted([2, 3]).matrix
        ExactMatrix([['2', '3'], ['4', '3']])
        """
        f = self._on_inputs(values)
        return Loss([[c + x for x in row] for c, row in zip(f, self.matrix.rows(), strict=True)], self.inputs, self.guesses)

    def _on_inputs(self, values: Iterable[object]) -> list[Any]:
        return [self.field(x) for x in vector_over(values, self.inputs, what="values", over="inputs")]

    def for_uniform_prior(self, prior: PriorLike) -> Loss:
        """l^π(x, g) = n·π_x·l(x, g): its U under the uniform prior is U_l[π, M] [Fernandes et al., Th. 12].

        >>> Loss.zero_one(range(2)).for_uniform_prior(Prior(["1/4", "3/4"])).matrix
        ExactMatrix([['0', '1/2'], ['3/2', '0']])
        """
        prior = Prior.over(prior, self.inputs)
        return self.weighted([len(prior.inputs) * p for p in prior.weights])

    def restricted(self, inputs: Iterable[Label]) -> Loss:
        """The loss on some inputs, distinct, in the order given; LabelError if one is unknown or repeated.

        >>> Loss.absolute(range(3)).restricted([0, 2]).matrix
        ExactMatrix([['0', '1', '2'], ['2', '1', '0']])
        """
        places = [position_of(x, self.inputs, what="input") for x in entries_of(inputs, "inputs")]
        return Loss([self.matrix.row(i) for i in places], [self.inputs[i] for i in places], self.guesses)

    def lifted(self, inputs: Iterable[Label]) -> Loss:
        """l↑: the loss on more inputs, 0 on the new ones; LabelError if one of its own inputs is missing.

        >>> Loss.zero_one([0, 2]).lifted([0, 1, 2]).matrix
        ExactMatrix([['0', '1'], ['0', '0'], ['1', '0']])
        """
        labels = as_labels(inputs, what="input label")
        _require_table("the table of the lifted loss", labels, self.guesses)
        rows: list[Any] = [[0] * len(self.guesses) for _ in labels]
        for k, label in enumerate(self.inputs):
            rows[position_of(label, labels, what="input")] = list(self.matrix.row(k))
        return Loss(rows, labels, self.guesses)

    @classmethod
    def trivial(cls, values: Iterable[object], inputs: Iterable[Label], guesses: Iterable[Label] = ("any",)) -> Loss:
        """The loss f(x), whatever the guess: every mechanism is as good as any other for it.

        Parameters
        ----------
        values : exact numbers
            f(x): a mapping from the inputs, or a list in their order.
        inputs, guesses : iterable of labels
            The labels.

        Examples
        --------
        >>> Loss.trivial([1, 2], range(2)).matrix
        ExactMatrix([['1'], ['2']])
        """
        columns = as_labels(guesses, what="guess label")
        rows = as_labels(inputs, what="input label")
        _require_table("the table of the trivial loss", rows, columns)
        return cls([[f] * len(columns) for f in vector_over(values, rows, what="values", over="inputs")], rows, columns, "trivial")

    def is_trivial(self) -> bool:
        """Whether some guess is best for every input: U is linear in the prior, and no mechanism lowers it.

        >>> Loss([[0, 1], [2, 2]]).is_trivial(), Loss.zero_one(range(2)).is_trivial()
        (True, False)
        """
        return any(all(row[g] == min(row) for row in self.matrix.rows()) for g in range(len(self.guesses)))

    def __getitem__(self, position: Any) -> Any:
        """One entry: ints are positions, as in the matrix, and texts are labels."""
        i, j = position if isinstance(position, tuple) and len(position) == 2 else (None, None)
        return self.matrix[i, j] if type(i) is int and type(j) is int else LabelledMatrix.__getitem__(self, position)


def loss_from_spec(spec: str, neighbours: Neighbours) -> Loss:
    """The loss that one of the words :data:`LOSSES` names on these inputs.

    * ``spec``: one of :data:`LOSSES`.
    * ``neighbours``: its vertices are the inputs, and the guesses.

    >>> loss_from_spec("abs", Graph.path(2)).matrix
    ExactMatrix([['0', '1'], ['1', '0']])
    """
    if spec not in LOSSES:
        words = f"{meant_loss(spec)}the words are {', '.join(LOSSES)}"
        raise InputError(f"{spec!r} is no loss; {words}, or give a table of exact numbers (rows inputs)", spec=spec)
    return loss_on(named_loss(spec), neighbours)


def loss_on(named: NamedLoss, neighbours: Neighbours) -> Loss:
    """A loss of the table of named losses on these inputs.

    >>> loss_on(named_loss("squared-distance"), Graph.path(3)).matrix.row(0)
    (Rational('0'), Rational('1'), Rational('4'))
    """
    if named.compares == "neighbours":
        return _of_neighbours(named, neighbours, named.said)
    return loss_of_labels(named, neighbours.vertices)


def loss_of_labels(named: NamedLoss, inputs: Iterable[Label], guesses: Iterable[Label] | None = None) -> Loss:
    """A loss that compares labels or integers; its table is not made where rows and columns have numbers.

    >>> loss_of_labels(named_loss("squared"), range(3))[0, 2]
    Rational('4')
    """
    rows, columns = _both(inputs, guesses)
    truths: Sequence[Any]
    answers: Sequence[Any]
    match named.compares:
        case "labels":
            truths, answers = rows, columns
            numbered = rows == columns
            distance = _differ
        case "integers":
            truths = integer_labels(rows, purpose=f"the loss {named.word!r}")
            answers = integer_labels(columns, purpose=f"the loss {named.word!r}")
            numbered = rows == columns and all(b - a == 1 for a, b in pairwise(truths))
            distance = _apart
        case other:
            raise DefectiveAnswerError(f"the loss {named.word!r} compares {other}, not labels or integers", loss=named.word)
    if numbered:
        return Loss._made(rows, rows, named.said, named.word, None)
    _require_table(f"the table of the loss {named.said}", rows, columns)
    return Loss([[named.value(distance(i, r)) for r in answers] for i in truths], rows, columns, named.said)


def _differ(i: Any, r: Any) -> int:
    return int(i != r)


def _apart(i: Any, r: Any) -> int:
    return int(abs(i - r))


def _of_neighbours(named: NamedLoss, neighbours: Neighbours, name: str) -> Loss:
    """A loss that compares by the distance of neighbours."""
    rows = [[named.value(d) for d in row] for row in _distances(neighbours)]
    return Loss(rows, neighbours.vertices, neighbours.vertices, name)


def _name_on(named: NamedLoss, neighbours: Neighbours) -> str:
    """The name of a loss that is a function of their distance."""
    return f"{named.said} on {neighbours}"


def _distances(neighbours: Neighbours) -> list[list[Any]]:
    """Their distances, of which all must be finite and rational."""
    labels = neighbours.vertices
    size = len(labels)
    _require_table(f"the table of the distances of {neighbours}", labels, labels)
    if isinstance(neighbours, Graph):
        hops = neighbours.hops()
        return [[_finite(x, labels, i, r) for r, x in enumerate(row)] for i, row in enumerate(hops)]
    rows: list[list[Any]] = [[0] * size for _ in range(size)]
    for i in range(size):
        for r in range(i + 1, size):
            d = _finite(neighbours.between(i, r), labels, i, r)
            if d.rational is None:
                message = f"the distance of {labels[i]!r} and {labels[r]!r} is {d}, irrational; give the loss as a table of rationals"
                raise DomainError(message, distance=d)
            rows[i][r] = rows[r][i] = d.rational
    return rows


def _as_numbers(labels: Labels) -> Sequence[Any]:
    """The labels as ints if all are integers."""
    if isinstance(labels, Positions) and not labels.named:
        return range(len(labels))
    return integer_labels(labels, purpose="a function") if all(map(is_integer_label, labels)) else labels


def _require_table(what: str, inputs: Labels, guesses: Labels) -> None:
    """Refuse a table that would be larger than the budget."""
    require_budget(what, numbers=len(inputs) * len(guesses))


def _both(inputs: Iterable[Label], guesses: Iterable[Label] | None) -> tuple[Labels, Labels]:
    rows = as_labels(inputs, what="input label")
    return rows, rows if guesses is None else as_labels(guesses, what="guess label")


def _increase(labels: Labels) -> bool:
    """Whether the labels are integers in increasing order."""
    if not all(map(is_integer_label, labels)):
        return False
    return all(a < b for a, b in pairwise(integer_labels(labels, purpose="an order")))


def _ranks(row: tuple[Any, ...]) -> list[int]:
    """Small integers in the same order as the entries."""
    order = sorted(range(len(row)), key=lambda r: row[r])
    ranks = [0] * len(row)
    for before, now in pairwise(order):
        ranks[now] = ranks[before] + int(row[before] < row[now])
    return ranks


def _finite(distance: Any, labels: Labels, i: int, r: int) -> Any:
    if distance is None:
        message = f"{labels[i]!r} and {labels[r]!r} are not connected, so their distance is infinite; give the loss as a table instead"
        raise InputError(message, labels=(labels[i], labels[r]))
    return distance


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Gain(LabelledMatrix):
    """A gain g(i, r), to be maximised: the loss −g. Its parameters are those of :class:`Loss`.

    >>> Gain([[1, 0], [0, 1]], name="hit").as_loss().matrix
    ExactMatrix([['-1', '0'], ['0', '-1']])
    """

    matrix: ExactMatrix
    inputs: Labels
    guesses: Labels
    name: str = field(compare=False)

    def __init__(
        self,
        matrix: MatrixLike,
        inputs: Iterable[Label] | None = None,
        guesses: Iterable[Label] | None = None,
        name: str = "",
        *,
        letters: LettersLike | None = None,
    ) -> None:
        loss = Loss(matrix, inputs, guesses, name, letters=letters)
        self._fill(matrix=loss.matrix, inputs=loss.inputs, guesses=loss.guesses, name=loss.name)

    def aligned(self, inputs: Labels | None = None, guesses: Labels | None = None) -> Gain:
        """The same gain with rows and columns in the order of these labels (see :meth:`Loss.aligned`)."""
        try:
            loss = Loss(self.matrix, self.inputs, self.guesses).aligned(inputs, guesses)
        except LabelError as error:
            raise LabelError(error.message.replace("the loss's", "the gain's", 1), **error.facts) from None
        return Gain(loss.matrix, loss.inputs, loss.guesses, self.name)

    @classmethod
    def zero_one(cls, inputs: Iterable[Label]) -> Gain:
        """1 for the right guess, 0 for a wrong one: the binary gain.

        >>> Gain.zero_one(range(2)).matrix
        ExactMatrix([['1', '0'], ['0', '1']])
        """
        labels = as_labels(inputs, what="input label")
        _require_table("the table of the gain zero-one", labels, labels)
        return cls([[int(i == r) for r in labels] for i in labels], labels, labels, "zero-one")

    @classmethod
    def over(cls, gain: GainLike, inputs: Labels) -> Gain:
        """The gain that somebody means, on these inputs: itself, ``"zero-one"``, a table, or rows.

        >>> Gain.over("zero-one", ("0", "1")) == Gain.zero_one(["0", "1"])
        True
        """
        if isinstance(gain, Gain):
            return gain
        if isinstance(gain, str) and gain == "zero-one":
            return cls.zero_one(inputs)
        if isinstance(gain, Loss) or not isinstance(gain, (Table, ExactMatrix, list, tuple)):
            raise wrong_kind("gain", gain, "a Gain, the word 'zero-one', or rows of exact numbers")
        table = Loss.over(gain, inputs)
        return cls(table.matrix, table.inputs, table.guesses)

    def as_loss(self) -> Loss:
        """The loss −g; answers about it state utilities."""
        return Loss._made(self.inputs, self.guesses, f"minus {self.name}" if self.name else "", None, -self.matrix, self.name)


LossLike = Loss | Gain | Table | str | MatrixLike
"""What says a loss: itself, a gain (whose loss is −g), a word, a table, or rows of exact numbers."""

GainLike = Gain | Table | str | MatrixLike
"""What says a gain: itself, the word ``zero-one``, a table, or rows of exact numbers."""
