# SPDX-License-Identifier: MIT
"""Mechanisms and remaps: row-stochastic matrices with labels; and tables, which say how they fail to be that.

Rows are inputs and columns outputs: entry (i, r) is the probability of output r when the input is i.

A :class:`FactoredMechanism` is G(n, α)·T on the inputs of a path, with a sparse remap T of the geometric
mechanism: on thousands of inputs the product is far too large to be written out, and T has a handful of
entries a row. :func:`mixing_weight` is the least λ for which (1−λ)·M + λ·uniform is private.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, Self

from exactdp.elsewhere import Telling
from exactdp.errors import DomainError, NegativeEntryError, NotStochasticError, ShapeError, wrong_kind
from exactdp.exact import (
    QQ,
    ExactMatrix,
    ExponentialNumber,
    LettersLike,
    OrderedField,
    Rational,
    SparseProduct,
    SparseRows,
    common_field,
    entries_of,
)
from exactdp.exact.identity import is_nonzero, same_formula
from exactdp.exact.number_field import NumberFieldElement
from exactdp.exact.ranking import BITS, Ranking, integers_around
from exactdp.exact.repeated import numbered_objects
from exactdp.model.faults import ROUNDING, Faults, Quality, faults_of
from exactdp.model.graph import Graph, Neighbours
from exactdp.model.labels import Label, LabelledMatrix, Labels, as_labels, as_matrix, order_of, permuted, places_in, position_of
from exactdp.model.level import LevelLike, PrivacyLevel, as_level
from exactdp.model.source import Source
from exactdp.model.vectors import mixing_weights, vector_over
from exactdp.runtime.values import dataclass

MatrixLike = ExactMatrix | Sequence[Sequence[object]]


@dataclass(frozen=True, slots=True, init=False, repr=False)
class _InputsByOutputs(LabelledMatrix):
    """What tables and mechanisms share: an exact matrix, and the labels of its rows and columns.

    ``notes`` says what was guessed when it was read from a file or a text, such as which line is labels.
    ``source`` is the file; None for a text or an object, for what is computed from another table, and with
    other labels.
    """

    matrix: ExactMatrix
    inputs: Labels
    outputs: Labels
    by_epsilon: bool | None = field(default=None, init=False, compare=False, repr=False)
    notes: tuple[str, ...] = field(default=(), init=False, compare=False, repr=False)
    source: Source | None = field(default=None, init=False, compare=False, repr=False)
    _stochastic: bool = field(default=False, init=False, compare=False, repr=False)  # whether it is known to be

    def __init__(
        self,
        matrix: MatrixLike,
        inputs: Iterable[Label] | None = None,
        outputs: Iterable[Label] | None = None,
        *,
        letters: LettersLike | None = None,
    ) -> None:
        exact = as_matrix(matrix, letters)
        rows, columns = as_labels(inputs, exact.shape[0], what="input label"), as_labels(outputs, exact.shape[1], what="output label")
        self._fill(by_epsilon=None, matrix=exact, inputs=rows, outputs=columns, notes=(), source=None, _stochastic=False)
        self._check()

    def _check(self) -> None:
        """Nothing: a table may have any numbers. A mechanism is checked."""

    @property
    def field(self) -> OrderedField:
        """The field of the entries."""
        return self.matrix.field

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """The rows, first to last."""
        return self.matrix.rows()

    def aligned(self, inputs: Labels | None = None, outputs: Labels | None = None) -> Self:
        """The same with rows and columns in the order of these labels.

        They are matched by label, or by position if neither is labelled; LabelError if they differ, or only
        one of the two is labelled (see :meth:`relabelled`).

        >>> Mechanism([[1, 0], ["1/2", "1/2"]], ["b", "a"]).aligned(("a", "b")).matrix
        ExactMatrix([['1/2', '1/2'], ['1', '0']])
        """
        there = order_of(inputs, self.inputs), order_of(outputs, self.outputs)
        if (self.inputs, self.outputs) == there:
            return self
        whose = f"the {type(self).__name__.lower()}'s"
        rows = places_in(self.inputs, there[0], got_what=f"{whose} inputs", expected_what="the inputs asked about")
        columns = places_in(self.outputs, there[1], got_what=f"{whose} outputs", expected_what="the outputs or guesses asked about")
        return self._of_same_kind(permuted(self.matrix, rows, columns), *there)

    def relabelled(self, inputs: Iterable[Label] | None = None, outputs: Iterable[Label] | None = None) -> Self:
        """The same matrix with other labels, given by position.

        >>> Mechanism([[1, 0], ["1/2", "1/2"]]).relabelled(["a", "b"]).inputs
        ('a', 'b')
        """
        named, told = self.inputs if inputs is None else inputs, self.outputs if outputs is None else outputs
        rows, columns = self.matrix.shape
        labels = as_labels(named, rows, what="input label"), as_labels(told, columns, what="output label")
        return self._of_same_kind(self.matrix, *labels)._fill(source=None)

    def _of_same_kind(self, matrix: ExactMatrix, inputs: Labels, outputs: Labels) -> Self:
        """Other labels, or another order: what was checked of the numbers stays true."""
        if type(self) not in (Table, Mechanism):
            return type(self)(matrix, inputs, outputs)
        made = object.__new__(type(self))
        return made._fill(matrix=matrix, inputs=inputs, outputs=outputs, **self._beside)

    @property
    def _beside(self) -> dict[str, Any]:
        """What is no part of the table."""
        return {"by_epsilon": self.by_epsilon, "notes": self.notes, "source": self.source, "_stochastic": self._stochastic}

    def noted(self, notes: Iterable[str]) -> Self:
        """The same with notes on how it was read.

        >>> Table([[1]]).noted(["line 1 is read as labels"]).notes
        ('line 1 is read as labels',)
        """
        told = tuple(entries_of(notes, "notes"))
        if not all(isinstance(note, str) for note in told):
            raise wrong_kind("notes", notes, "a list of texts")
        return self._of_same_kind(self.matrix, self.inputs, self.outputs)._fill(notes=told)

    def read_from(self, source: Source | None) -> Self:
        """The same with the file that it was read from; None: from none, or it is not known.

        >>> table = Table([[1]]).read_from(Source.of("t.csv", b"1"))
        >>> table == Table([[1]]), table.source.name, table.T.source
        (True, 't.csv', None)
        """
        return self._of_same_kind(self.matrix, self.inputs, self.outputs)._fill(source=source)

    def told_by(self, by_epsilon: bool | None) -> Self:
        """The same, of whose levels answers say ε first (True), or α (False); None: nobody gave a level.

        >>> half = Mechanism([["2/3", "1/3"], ["1/3", "2/3"]])
        >>> half.told_by(True) == half, half.told_by(True).by_epsilon
        (True, True)
        """
        return self._of_same_kind(self.matrix, self.inputs, self.outputs)._fill(by_epsilon=by_epsilon)

    @property
    def T(self) -> Table:
        """The transpose, with its labels: a table, as the columns of a mechanism need not sum to 1.

        >>> Mechanism([["1/2", "1/2"], ["1/4", "3/4"]], None, ["no", "yes"]).T.row_sums()
        (Rational('3/4'), Rational('5/4'))
        """
        return Table(self.matrix.T, self.outputs, self.inputs)


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Table(_InputsByOutputs):
    """Any exact matrix with labels: what a file holds before anyone has shown that it is a mechanism.

    Parameters
    ----------
    matrix : ExactMatrix or rows
    inputs, outputs : sequence of str or int, optional
        Row and column labels; unlabelled, shown as 0, 1, …, unless given.

    Examples
    --------
    >>> table = Table([["1/2", "1/2"], ["1/3", "1/3"]])
    >>> table.row_sums()
    (Rational('1'), Rational('2/3'))
    >>> print(table.faults())
    row 1 sums to 2/3, not 1 (excess -1/3)
    >>> table.renormalise().matrix
    ExactMatrix([['1/2', '1/2'], ['1/2', '1/2']])
    """

    def row_sums(self) -> tuple[Any, ...]:
        """The exact sum of every row."""
        return self.matrix.row_sums()

    def faults(self) -> Faults:
        """The rows that do not sum to 1 and the negative entries; false if there are none."""
        return Faults((), ()) if self._stochastic else faults_of(self.matrix, self.inputs, self.outputs)

    def quality(self, rounding: object = ROUNDING) -> Quality:
        """What the table is as a mechanism: *exact*, *rounded* or *wrong* (:meth:`Faults.quality`)."""
        return self.faults().quality(rounding)

    def unrounded(self, rounding: object = ROUNDING) -> Mechanism:
        """The mechanism that a rounded table stands for: negative entries are 0, rows divided by their sums.

        Parameters
        ----------
        rounding : exact number
            The largest absolute value of a fault, in [0, 1/100].

        Raises
        ------
        NegativeEntryError, NotStochasticError
            A fault is larger than the bound.

        Examples
        --------
        >>> Table([["-1/200", "1"], ["1/2", "1/2"]]).unrounded("1/100").matrix
        ExactMatrix([['0', '1'], ['1/2', '1/2']])
        """
        faults = self.faults()
        if faults.quality(rounding) == "wrong":
            faults.refuse()
        if not faults:
            return self.as_mechanism()
        return (self.clipped() if faults.negative else self).renormalise()

    def transpose(self) -> Table:
        """The table with inputs and outputs exchanged: of what has a column for each input.

        >>> Table([["1/2", "1/4"], ["1/2", "3/4"]], None, ["a", "b"]).transpose().inputs
        ('a', 'b')
        """
        return self.T

    def clipped(self) -> Table:
        """The table with 0 in the place of negative entries."""
        zero = self.matrix.field.zero
        rows = [[zero if x < 0 else x for x in row] for row in self.matrix.rows()]
        return Table(ExactMatrix(rows, self.matrix.field), self.inputs, self.outputs)

    def as_mechanism(self) -> Mechanism:
        """The mechanism that this table is; NotStochasticError or NegativeEntryError if it is none."""
        if not self._stochastic:
            return Mechanism(self.matrix, self.inputs, self.outputs)._fill(**self._beside)
        made = object.__new__(Mechanism)
        return made._fill(matrix=self.matrix, inputs=self.inputs, outputs=self.outputs, **self._beside)

    def renormalise(self) -> Mechanism:
        """The mechanism with every row divided by its sum.

        Raises NegativeEntryError if an entry is negative: dividing does not mend that; NotStochasticError if
        a row sums to 0.
        """
        faults = self.faults()
        if faults.negative:
            message = f"{faults.told()}; dividing by row sums does not mend a negative entry"
            raise NegativeEntryError(message, **faults.facts())
        sums = self.row_sums()
        if not all(sums):
            empty = [label for label, total in zip(self.inputs, sums, strict=True) if not total]
            message = f"all entries of row {empty[0]} are 0, so it can't be divided by its sum"
            raise NotStochasticError(message, **faults.facts())
        return Mechanism(self.matrix.over_row_sums(), self.inputs, self.outputs)


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Mechanism(_InputsByOutputs):
    """A mechanism (information channel): row-stochastic, rows are inputs and columns are outputs.

    Parameters
    ----------
    matrix : ExactMatrix or rows
        Entries ≥ 0, every row sums to 1.
    inputs, outputs : sequence of str or int, optional
        Row and column labels; unlabelled, shown as 0, 1, …, unless given.

    Raises
    ------
    NotStochasticError
        Carries ``rows``: (label, exact sum, excess) of *every* row that does not sum to 1.
    NegativeEntryError
        Carries ``position`` and ``value`` of the first negative entry.

    Examples
    --------
    >>> m = Mechanism([["2/3", "1/3"], ["1/3", "2/3"]])
    >>> print(m)
         0    1
    0  2/3  1/3
    1  1/3  2/3
    >>> m[0, 1], m.shape, m.inputs
    (Rational('1/3'), (2, 2), ('0', '1'))
    >>> m.relabelled(["yes", "no"], ["yes", "no"])["yes", "no"]
    Rational('1/3')
    """

    def _check(self) -> None:
        """No entry is negative, and each row sums to 1."""
        faults_of(self.matrix, self.inputs, self.outputs).refuse()

    @property
    def n_inputs(self) -> int:
        """The number of inputs (rows)."""
        return len(self.inputs)

    @property
    def n_outputs(self) -> int:
        """The number of outputs (columns)."""
        return len(self.outputs)

    def as_table(self) -> Table:
        """The same matrix as a table."""
        return Table(self.matrix, self.inputs, self.outputs)._fill(**self._beside | {"_stochastic": True})

    def post_process(self, remap: Remap) -> Mechanism:
        """The mechanism M·R: run this one, then turn its output into a guess by ``remap``.

        >>> coin = Mechanism([["2/3", "1/3"], ["1/3", "2/3"]])
        >>> coin.post_process(Remap([[1], [1]], coin.outputs, ["any"])).matrix
        ExactMatrix([['1'], ['1']])
        """
        if not isinstance(remap, Remap):
            raise wrong_kind("remap", remap, "a Remap, such as Remap.deterministic({…}, outputs, guesses)")
        remap = remap.aligned(self.outputs)
        return Mechanism(self.matrix @ remap.matrix, self.inputs, remap.guesses)

    def restricted(self, inputs: Iterable[Label]) -> Mechanism:
        """The mechanism on some of its inputs, distinct, in the order given (M|X′).

        Raises LabelError if a label is unknown or repeated.

        >>> Mechanism([[1, 0], [0, 1], ["1/2", "1/2"]]).restricted([2, 0]).inputs
        ('2', '0')
        """
        places = [position_of(x, self.inputs, what="input") for x in entries_of(inputs, "inputs")]
        return Mechanism([self.matrix.row(i) for i in places], [self.inputs[i] for i in places], self.outputs)

    def reduced(self) -> Mechanism:
        """The mechanism without zero columns, each class of parallel columns summed, sorted by columns.

        What outputs are called, and how often one is repeated, does not matter to what they tell: equivalent
        mechanisms (:meth:`is_equivalent_to`) have the same reduced form.

        Examples
        --------
        >>> Mechanism([["1/4", "1/2", "1/4", 0], ["1/8", "3/4", "1/8", 0]]).reduced().matrix
        ExactMatrix([['1/2', '1/2'], ['3/4', '1/4']])
        """
        classes: dict[tuple[Any, ...], tuple[Any, ...]] = {}
        for column in zip(*self.rows(), strict=True):
            total = sum(column, self.field.zero)
            if is_nonzero(total):
                key = tuple(x / total for x in column)
                classes[key] = tuple(a + b for a, b in zip(classes[key], column, strict=True)) if key in classes else column
        ordered = [classes[key] for key in sorted(classes)]
        return Mechanism(ExactMatrix(list(zip(*ordered, strict=True)), self.field), self.inputs)

    def is_equivalent_to(self, other: Mechanism | Table) -> bool:
        """Whether the two are the same up to names and repetitions of outputs: each refines the other.

        >>> Mechanism([["1/2", "1/2"], ["1/2", "1/2"]]).is_equivalent_to(Mechanism([[1], [1]]))
        True
        """
        other = _other(other).aligned(self.inputs)
        return self.reduced().matrix == other.reduced().matrix

    def parallel(self, other: Mechanism | Table) -> Mechanism:
        """Run both independently on the same input: entry (x, (a, b)) is the product of (x, a) and (x, b).

        Raises LabelError if the inputs differ.

        >>> coin = Mechanism([["2/3", "1/3"], ["1/3", "2/3"]])
        >>> coin.parallel(coin).matrix.row(0)
        (Rational('4/9'), Rational('2/9'), Rational('2/9'), Rational('1/9'))
        """
        other = _other(other).aligned(self.inputs)
        first, second = over_one_field(self, other)
        rows = [[x * y for x in first.matrix.row(i) for y in second.matrix.row(i)] for i in range(self.n_inputs)]
        return Mechanism(rows, self.inputs, [f"({a},{b})" for a in self.outputs for b in other.outputs])

    @classmethod
    def external_choice(cls, channels: Iterable[Mechanism], weights: Iterable[object]) -> Mechanism:
        """Run channel k with probability w_k, and say which one was run: the columns of all, scaled (M_p⊕ N).

        Parameters
        ----------
        channels : sequence of Mechanism
            On the same inputs, at least one.
        weights : iterable of exact numbers
            w_k ≥ 0, Σ w_k = 1.

        Returns
        -------
        Mechanism
            The outputs are called k:output.

        Raises
        ------
        ShapeError
            No channels, or not as many weights.
        LabelError
            The inputs differ.
        NegativeEntryError, NotStochasticError
            The weights are negative, or do not sum to 1.

        Examples
        --------
        >>> coin, nothing = Mechanism([[1, 0], [0, 1]]), Mechanism([[1], [1]])
        >>> Mechanism.external_choice([coin, nothing], ["1/3", "2/3"]).matrix.row(0)
        (Rational('1/3'), Rational('0'), Rational('2/3'))
        """
        parts = [_other(one, f"channel {k}") for k, one in enumerate(entries_of(channels, "channels"))]
        if not parts:
            raise ShapeError("a choice needs at least one channel", expected=1, got=0)
        parts = list(over_one_field(*(part.aligned(parts[0].inputs) for part in parts)))
        exact = mixing_weights(weights, len(parts), what="channels")
        rows = [[w * x for part, w in zip(parts, exact, strict=True) for x in part.matrix.row(i)] for i in range(parts[0].n_inputs)]
        outputs = [f"{k}:{label}" for k, part in enumerate(parts) for label in part.outputs]
        return cls(rows, parts[0].inputs, outputs)


def _other(thing: object, name: str = "other mechanism") -> Mechanism:
    """A mechanism, or the one that a table is."""
    if not isinstance(thing, (Mechanism, Table)):
        raise wrong_kind(name, thing, "a Mechanism, or a Table that is one")
    return thing.as_mechanism() if isinstance(thing, Table) else thing


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Remap(LabelledMatrix):
    """A post-processing: for every output of a mechanism a distribution over guesses.

    Parameters
    ----------
    matrix : ExactMatrix or rows
        Entries ≥ 0, every row sums to 1.
    outputs : sequence of str or int, optional
        Row labels: the outputs of the mechanism that it post-processes.
    guesses : sequence of str or int, optional
        Column labels.

    Examples
    --------
    >>> Remap.deterministic({"yes": "1", "no": "0"}, ["no", "yes"], ["0", "1"]).matrix
    ExactMatrix([['1', '0'], ['0', '1']])
    """

    matrix: ExactMatrix
    outputs: Labels
    guesses: Labels

    def __init__(
        self,
        matrix: MatrixLike,
        outputs: Iterable[Label] | None = None,
        guesses: Iterable[Label] | None = None,
        *,
        letters: LettersLike | None = None,
    ) -> None:
        exact = as_matrix(matrix, letters)
        rows, columns = as_labels(outputs, exact.shape[0], what="output label"), as_labels(guesses, exact.shape[1], what="guess label")
        self._fill(matrix=exact, outputs=rows, guesses=columns)
        self._check()

    def _check(self) -> None:
        """No entry is negative, and each row sums to 1."""
        faults_of(self.matrix, self.outputs, self.guesses).refuse()

    @classmethod
    def deterministic(cls, choice: Mapping[Label, Label], outputs: Iterable[Label], guesses: Iterable[Label]) -> Remap:
        """The remap that guesses ``choice[y]`` at output y; the keys are the outputs, all and no other."""
        rows, columns = as_labels(outputs, what="output label"), as_labels(guesses, what="guess label")
        chosen = [position_of(g, columns, what="guess") for g in vector_over(choice, tuple(rows), what="guesses", over="outputs")]
        return cls([[int(r == k) for r in range(len(columns))] for k in chosen], rows, columns)

    def aligned(self, outputs: Labels | None = None, guesses: Labels | None = None) -> Remap:
        """The same remap with rows and columns in the order of these labels, as :meth:`Mechanism.aligned`."""
        there = order_of(outputs, self.outputs), order_of(guesses, self.guesses)
        if (self.outputs, self.guesses) == there:
            return self
        rows = places_in(self.outputs, there[0], got_what="the remap's row labels", expected_what="the mechanism's outputs")
        columns = places_in(self.guesses, there[1], got_what="the remap's column labels", expected_what="the consumer's guesses")
        return Remap(permuted(self.matrix, rows, columns), *there)

    def relabelled(self, outputs: Iterable[Label] | None = None, guesses: Iterable[Label] | None = None) -> Remap:
        """The same matrix with other labels, given by position."""
        return Remap(self.matrix, self.outputs if outputs is None else outputs, self.guesses if guesses is None else guesses)

    @property
    def field(self) -> OrderedField:
        """The field of the weights."""
        return self.matrix.field

    def is_deterministic(self) -> bool:
        """Whether every output has one certain guess."""
        if isinstance(self.matrix, SparseRows):
            return all(same_formula(x, 1) for row in self.matrix.entries for x in row.values())
        return all(same_formula(x, 0) or same_formula(x, 1) for row in self.matrix.rows() for x in row)

    def as_mechanism(self) -> Mechanism:
        """The same matrix as a mechanism from outputs to guesses."""
        return Mechanism(self.matrix, self.outputs, self.guesses)

    @property
    def T(self) -> Table:
        """The transpose, with its labels, as a table."""
        return Table(self.matrix.T, self.guesses, self.outputs)


@dataclass(frozen=True, slots=True)
class FactoredMechanism(Telling):
    """G(n, α)·T on the inputs of a path.

    * ``level``: α; the mechanism is α-private on the path because G is and post-processing keeps privacy.
    * ``inputs``, ``guesses``: row and column labels; n + 1 inputs.
    * ``rows``: for each output of G the guesses (by number) and their weights.
    """

    level: PrivacyLevel
    inputs: Labels
    guesses: Labels
    rows: tuple[dict[int, Any], ...]

    @property
    def is_deterministic(self) -> bool:
        """Whether T is a function."""
        return all(len(row) == 1 for row in self.rows)

    def remap(self) -> Remap:
        """T, written out; its outputs carry the labels of the inputs."""
        return Remap(SparseRows(self.rows, len(self.guesses), self.level.field), self.inputs, self.guesses)

    def multiplied_by(self, geometric: ExactMatrix) -> Mechanism:
        """The mechanism, given G(n, α): its entries are computed when they are asked for."""
        rows = SparseRows(self.rows, len(self.guesses), self.level.field)
        return Mechanism(SparseProduct(geometric, rows), self.inputs, self.guesses)


def over_one_field(*things: Any) -> tuple[Any, ...]:
    """The same mechanisms, tables and levels, in the same order, all that are not rational over one field.

    Two fields can have a common one: ε = 1/10 beside ε = 1/5.

    Raises MixedDomainError if no field here has the numbers of all of them.

    >>> levels = [PrivacyLevel.from_epsilon("1/2"), PrivacyLevel.from_epsilon("1/3"), PrivacyLevel("1/2")]
    >>> [str(level) for level in over_one_field(*levels)]
    ['e^(−1/2)', 'e^(−1/3)', '1/2']
    """
    field = common_field(*things)

    def moved(thing: Any) -> Any:
        if thing.field in (QQ, field):
            return thing
        if isinstance(thing, PrivacyLevel):
            return thing.over(field)
        return type(thing)(thing.matrix.over(field), thing.inputs, thing.outputs).told_by(thing.by_epsilon)

    return tuple(map(moved, things))


def mixing_weight(mechanism: Mechanism, neighbours: Neighbours, level: LevelLike) -> Any:
    """The least λ that makes (1−λ)·M + λ·uniform private at the level; None if some α^d is not in the field.

    With m outputs the pair i, j and output r ask for (1−λ)(α^d x_jr − x_ir) ≤ λ(1 − α^d)/m.

    >>> from exactdp import identity, neighbours
    >>> mixing_weight(identity(range(2)), neighbours("path:2"), "1/2")
    Rational('2/3')
    """
    level, mechanism = as_level(level), mechanism.aligned(neighbours.vertices)
    share = mechanism.field.one / mechanism.n_outputs
    of_numbers = isinstance(mechanism.field.one, Rational | ExponentialNumber)
    if of_numbers and isinstance(level.alpha, Rational | ExponentialNumber | NumberFieldElement) and isinstance(neighbours, Graph):
        return _weight_of_numbers(mechanism, neighbours, level.alpha, share)
    rows = list(mechanism.matrix.rows())
    worst: Any = mechanism.field.zero
    for a, b, d in neighbours.pairs():
        try:
            power = level.power(d)
        except DomainError:
            return None
        room = (1 - power) * share
        for i, j in ((a, b), (b, a)):
            for x, y in zip(rows[i], rows[j], strict=True):
                lack = power * y - x
                if lack > 0:
                    weight = lack / (lack + room)
                    worst = weight if weight > worst else worst
    return worst


def _weight_of_numbers(mechanism: Mechanism, graph: Graph, alpha: Any, share: Any) -> Any:
    """The same for numbers and distances 1: the largest lack α·x_jr − x_ir decides.

    Of each x_jr only the least x_ir counts, and of these only what enclosures leave is computed.
    """
    ranking = Ranking.of(mechanism.matrix)
    least: dict[int, int] = {}
    if graph.is_complete:  # the extremes of a column have the largest lack
        entries = ((min(column), max(column)) for column in ranking.columns())
    else:
        rows = ranking.rows
        both_ways = (pair for i, j in graph.edges for pair in ((i, j), (j, i)))
        entries = (entry for i, j in both_ways for entry in set(zip(rows[i], rows[j], strict=True)))
    for x, y in entries:
        if x < least.get(y, x + 1):
            least[y] = x
    candidates = [(x, y) for y, x in least.items()]
    if not isinstance(alpha, NumberFieldElement):
        below, above = integers_around(alpha)
        around = {x: ranking.around(x) for x in {*least, *least.values()}}
        enough = max((below * around[y][0] - (around[x][1] << BITS) for x, y in candidates), default=0)
        candidates = [(x, y) for x, y in candidates if above * around[y][1] - (around[x][0] << BITS) >= enough]
    lack = max((alpha * ranking.value(y) - ranking.value(x) for x, y in candidates), default=mechanism.field.zero)
    return lack / (lack + (1 - alpha) * share) if lack > 0 else mechanism.field.zero


def mixed_with_uniform(mechanism: Mechanism, weight: Any) -> Mechanism:
    """(1 − λ)·M + λ·uniform.

    >>> from exactdp import identity
    >>> mixed_with_uniform(identity(range(2)), identity(range(2))[0, 0] / 2).matrix
    ExactMatrix([['3/4', '1/4'], ['1/4', '3/4']])
    """
    share = weight / mechanism.n_outputs
    numbered, numbers = numbered_objects(list(mechanism.rows()))
    mixed = [(1 - weight) * x + share for x in numbers]
    return Mechanism(ExactMatrix([[mixed[k] for k in row] for row in numbered]), mechanism.inputs, mechanism.outputs)
