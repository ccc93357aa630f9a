# SPDX-License-Identifier: MIT
"""What a person gives where a question asks for a mechanism, neighbours, a level, a prior or a consumer.

Every public question begins here: with :class:`Arguments`, or, if it may take long, with :func:`ask`, which
keeps its time. Each argument may be the object itself, or what somebody would type for it: a word as on the
command line, a list, or an object of another library. A table is checked before it counts as a mechanism.
Text and lists are meant on the inputs of the mechanism, which gives them their labels.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextvars import copy_context
from os import PathLike, fspath
from typing import IO, TYPE_CHECKING, Any, Protocol, TypeAlias, TypedDict, TypeVar, Unpack

from exactdp import mechanisms, readers
from exactdp.analysis.consumer_words import consumer_in_words
from exactdp.errors import (
    ExactDPError,
    InexactInputError,
    InputError,
    LabelError,
    NegativeEntryError,
    NotStochasticError,
    ResourceLimitError,
    printable,
    wrong_kind,
)
from exactdp.exact import ExactMatrix, Interval, RationalFunctionField, Region, RegionField, common_field, entries_of, is_frame
from exactdp.mechanisms import geometric
from exactdp.model import (
    BayesianConsumer,
    Consumer,
    FactoredMechanism,
    Gain,
    LevelLike,
    Loss,
    Mechanism,
    MinimaxConsumer,
    Neighbours,
    Prior,
    PrivacyLevel,
    Remap,
    Table,
    neighbours,
)
from exactdp.model import as_level as level_of
from exactdp.model.consumer import Problem
from exactdp.model.labels import Labels
from exactdp.model.loss import GainLike, LossLike
from exactdp.model.mechanism import over_one_field
from exactdp.model.neighbours import NeighboursLike
from exactdp.model.printed import PrintedTable
from exactdp.model.vectors import PriorLike
from exactdp.runtime.progress import Listener, monitored
from exactdp.runtime.tables_read import record_read

if TYPE_CHECKING:
    from exactdp.mechanisms.libraries import Implemented


T = TypeVar("T")
M = TypeVar("M", Mechanism, Table)
H = TypeVar("H", Mechanism, Table, PrintedTable)


class TwoDimensional(Protocol):
    """An array, a matrix or a frame of another library."""

    @property
    def shape(self) -> Any:
        """Rows and columns."""


MechanismLike: TypeAlias = (
    "Mechanism | FactoredMechanism | Table | Implemented | str | PathLike[str] | IO[str] | IO[bytes] | "
    "TwoDimensional | Sequence[Sequence[object]]"
)
"""A mechanism, a table that is one, a word such as ``geometric:n=3``, a file, or an object of a library."""

RemapLike: TypeAlias = "Remap | Table | str | PathLike[str] | TwoDimensional | Sequence[Sequence[object]]"
"""A remap, or a table of one: rows are outputs and columns guesses."""

ConsumerLike = Consumer | str
"""A consumer, or its words: ``abs`` (minimax), ``abs prior=uniform`` (Bayesian).

Its loss, prior and side information are meant on the inputs of the question.
"""

IntervalLike = Interval | tuple[object, object]
"""An interval of levels, or its two ends, which do not belong to it."""

_TABLE = "a Mechanism, a Table, rows of exact numbers, or a word such as geometric:n=3,alpha=1/4"


def as_table(table: MechanismLike, level: LevelLike | None = None, *, name: str = "table") -> Table:
    r"""The table that was meant, which need not be a mechanism.

    * ``table``: also an array, matrix or frame of another library (:func:`exactdp.table_of`), and an object
      of OpenDP or diffprivlib that tells its parameters (:func:`exactdp.implemented_by`). A text is a word
      such as ``geometric:n=3,alpha=1/4``, a pasted table of several lines, or the name of a file
      (:mod:`exactdp.readers.entrance`); so is a :class:`pathlib.Path`.
    * ``level``: for a word without one.
    * ``name``: what the argument is called, for errors.

    >>> as_table([["1/2", "2/3"]]).row_sums()
    (Rational('7/6'),)
    >>> as_table("1/2,1/2\n0.25,0.75").matrix
    ExactMatrix([['1/2', '1/2'], ['1/4', '3/4']])
    """
    if isinstance(table, Table):
        return recorded(table, name)
    if isinstance(table, PrintedTable):
        raise InputError(
            f"the {name} is a printed table, which stands for all mechanisms that print so, and this question is about one; read it "
            "without digits (--digits) to judge the numbers as printed",
            value=table,
        )
    if isinstance(table, Mechanism):
        return recorded(table, name).as_table()
    if isinstance(table, FactoredMechanism):
        return table.multiplied_by(geometric(len(table.inputs) - 1, table.level).matrix).as_table()
    if isinstance(table, str | PathLike) or readers.is_open_file(table):
        found = _of_text(table, level, name) if isinstance(table, str | PathLike) else readers.read_table(table)
        return recorded(found, name, silent=True)
    if isinstance(table, mechanisms.Implemented) or mechanisms.is_implementation(table):
        return (table if isinstance(table, mechanisms.Implemented) else mechanisms.implemented_by(table)).mechanism.as_table()
    rows = (
        isinstance(table, (list, tuple, ExactMatrix))
        or is_frame(table)
        or any(hasattr(table, one) for one in ("tolist", "secrets", "nrows"))
    )
    if not rows or isinstance(table, type):
        raise wrong_kind(name, table, _TABLE)
    try:
        return readers.table_of(table)
    except InexactInputError as error:
        if "dyadic=True" not in error.message:
            raise
        # A mistyped entry further on is said first: no table of doubles would be read from it.
        of_doubles = readers.table_of(table, dyadic=True)
        number = error.message.partition(";")[0]
        decimals = f"{name}.astype(str) for the decimals that one sees, " if is_frame(table) and hasattr(table, "astype") else ""
        raise InexactInputError(f"{number}; give {decimals}{_as_doubles(of_doubles, name)}, or fractions", **error.facts) from None


def _as_doubles(table: Table, name: str) -> str:
    """What makes a mechanism of a table of floats: the doubles as they are, or rows divided by their sums."""
    doubles = f"from_floats({name})"
    if table.quality() != "rounded":
        return f"{doubles}, which takes exactly these doubles"
    return (
        f"{doubles}.unrounded() for a mechanism (each row is divided by its sum, which as doubles is not exactly 1), "
        f"{doubles} for exactly these doubles"
    )


_KINDS = ("compare", "matrix", "remap", "source", "target")
"""What arguments are called whose files are told apart from that of the table asked about."""


def recorded(table: H, name: str = "mechanism", *, silent: bool = False) -> H:
    """The table that was given: the answer says from which file it was read, and how.

    * ``name``: what the argument is called.
    * ``silent``: whether only the answer can say it, because no table that says it was given.
    """
    source = table.source
    kind = "printed" if isinstance(table, PrintedTable) else name if name in _KINDS else "mechanism"
    title = "" if source is None else f"{printable(source.name)}: "
    aside = readers.told_aside(table.notes) if silent else ""
    record_read(kind, "" if source is None else str(source), [f"{title}{note}" for note in table.notes], [aside] if aside else [])
    return table


def _of_text(text: str | PathLike[str], level: LevelLike | None, name: str) -> Table:
    """The table that a word, a file or a pasted text is; a file may have formulas in the level."""
    if isinstance(text, str):
        if mechanisms.is_mechanism_spec(text) or text in mechanisms.FAMILIES:
            return mechanisms.mechanism_from_spec(text, level).as_table()
        if readers.file_of(text) is None:
            pasted = "\n" in text.strip() or text.lstrip().startswith(("[", "{")) or "\\begin" in text
            return readers.read_table(text) if pasted else mechanisms.mechanism_from_spec(text, level).as_table()
    try:
        return readers.table_in_file(text, None if level is None else as_level(level).alpha)
    except InputError as error:
        if "path" not in error.facts or not isinstance(text, str):
            raise
        near = mechanisms.nearest_word(text)
        if near is not None and (":" in text or "." not in text):
            return mechanisms.mechanism_from_spec(text, level).as_table()  # whose error has the nearest word
        meant = f"the {name} may also be a word such as geometric:n=3,alpha=1/4, or a table as text of several lines"
        raise InputError(f"{error.message}; {meant}", **error.facts) from None


def as_given(mechanism: MechanismLike, level: LevelLike | None = None, *, name: str = "mechanism") -> Mechanism | FactoredMechanism | Table:
    """What was given, not yet checked: a mechanism as it is, anything else as a table.

    >>> as_given([["1/2", "2/3"]]).row_sums()
    (Rational('7/6'),)
    """
    if isinstance(mechanism, FactoredMechanism):
        return mechanism
    return recorded(mechanism, name) if isinstance(mechanism, Mechanism) else as_table(mechanism, level, name=name)


def as_mechanism(mechanism: MechanismLike, level: LevelLike | None = None, *, name: str = "mechanism") -> Mechanism:
    """The mechanism that was meant; a table is checked.

    * ``mechanism``, ``level``, ``name``: as for :func:`as_table`.
    * raises NotStochasticError, NegativeEntryError: it is a table, and no mechanism; every faulty row is
      named.
    * raises InputError: it is something else.

    >>> as_mechanism("geometric:n=3", "1/4") == as_mechanism("geometric:n=3,alpha=1/4")
    True
    """
    if isinstance(mechanism, Mechanism):
        return recorded(mechanism, name)
    table = as_table(mechanism, level, name=name)
    try:
        return table.as_mechanism()
    except (NotStochasticError, NegativeEntryError) as error:
        if not isinstance(mechanism, str | PathLike):
            raise
        given = f"read_table({fspath(mechanism)!r})"
        in_python = re.sub(r",? (or )?(--(renormalise|transpose)\b|transpose=True)", "", error.message)
        message = re.sub(r"\b[Tt]able\.(unrounded|renormalise|transpose)\b(\(\))?", lambda method: f"{given}.{method[1]}()", in_python)
        raise type(error)(message, **error.facts) from None


def in_order_of(thing: M, inputs: Labels, name: str) -> M:
    """A mechanism or table with its inputs in this order; an error calls it by this name."""
    try:
        return thing.aligned(inputs)
    except LabelError as error:
        message = re.sub(r"^the (mechanism|table)'s", f"{name}'s", error.message)
        raise LabelError(message, **error.facts) from None


def as_mechanisms(mechanisms: object) -> list[Mechanism]:
    """The mechanisms of a list."""
    if isinstance(mechanisms, (Mechanism, Table)):
        raise wrong_kind("mechanisms", mechanisms, "a list of mechanisms")
    found = []
    for k, one in enumerate(entries_of(mechanisms, "mechanisms")):
        name = f"member {k} of the mechanisms"
        try:
            found.append(as_mechanism(one, name=name))
        except InputError as error:
            if "member" in error.message:
                raise
            raise type(error)(f"{name}: {error.message}", **error.facts) from None
    return found


def as_remap(remap: RemapLike) -> Remap:
    """The remap that was meant.

    >>> as_remap([[1], [1]]).guesses
    ('0',)
    """
    if isinstance(remap, Remap):
        return remap
    if isinstance(remap, str | PathLike):
        table = recorded(readers.read_table(remap), "remap")
        readers.refuse_aside(readers.told_aside(table.notes))
        return Remap(table.matrix, table.inputs, table.outputs)
    if isinstance(remap, (Mechanism, FactoredMechanism)):
        raise wrong_kind("remap", remap, "a Remap, a Table, or rows of exact numbers (outputs by guesses)")
    table = as_table(remap, name="remap")
    return Remap(table.matrix, table.inputs, table.outputs)


def as_neighbours(given: NeighboursLike, *known: Any) -> Neighbours:
    """The neighbours that were meant.

    * ``given``: as for :func:`exactdp.neighbours`.
    * ``*known``: the mechanism, consumer or prior asked about: a word takes the labels of the first, and its
      size where it has none itself.

    >>> as_neighbours("path", Table([["1/2"], ["1/2"]], ["no", "yes"])).vertices
    ('no', 'yes')
    """
    return neighbours(given, next((thing.inputs for thing in known if thing is not None), None))


def as_level(level: LevelLike, near: Neighbours | None = None, *, beside: Any = None) -> PrivacyLevel:
    """The level meant; neighbours say which α^d are needed (:func:`~exactdp.model.level.as_level`).

    A text is read with the letters that a mechanism ``beside`` it has; a level that is a letter is one more
    of them.
    """
    try:
        field = getattr(beside, "field", None)
        if isinstance(field, RegionField):
            found = PrivacyLevel(level, letters=field) if isinstance(level, str) else level_of(level, near)
            if isinstance(found.field, RationalFunctionField):
                return found.over(common_field(field, found.field))
            level = found
        return level_of(level, near)
    except ExactDPError:
        raise
    except (TypeError, ValueError, AttributeError):
        raise wrong_kind("level", level, "a PrivacyLevel, or α as a fraction or as text such as '1/4'") from None


def as_prior(prior: PriorLike, inputs: Labels) -> Prior:
    """The prior that was meant, on these inputs (:meth:`exactdp.Prior.over`).

    >>> as_prior({"b": "1/3", "a": "2/3"}, ("a", "b")).weights
    (Rational('2/3'), Rational('1/3'))
    """
    return Prior.over(prior, inputs)


def as_loss(loss: LossLike, near: Neighbours) -> Loss:
    """The loss that was meant, on the inputs of these neighbours and in their order.

    >>> as_loss("abs", neighbours("path:2")).matrix
    ExactMatrix([['0', '1'], ['1', '0']])
    """
    return Loss.over(loss, near.vertices, near).aligned(near.vertices).beside(near)


def as_loss_on(loss: LossLike, inputs: Labels) -> Loss:
    """The loss that was meant where no neighbours are known, on these inputs and in their order.

    >>> as_loss_on("abs", ("0", "1")).matrix
    ExactMatrix([['0', '1'], ['1', '0']])
    """
    return Loss.over(loss, inputs).aligned(inputs)


def as_gain(gain: GainLike, inputs: Labels) -> Gain:
    """The gain that was meant, on these inputs and in their order."""
    return Gain.over(gain, inputs).aligned(inputs)


def as_consumer(consumer: ConsumerLike, inputs: Labels, near: Neighbours | None = None) -> Consumer:
    """The consumer on these inputs and in their order; the neighbours are for the loss ``distance``.

    >>> as_consumer(MinimaxConsumer("zero-one"), ("a", "b")).describe()
    'the minimax consumer with loss zero-one and side information {a, b}'
    """
    return require_consumer(consumer).over(inputs, near)


def of_one_field(mechanism: Mechanism, level: PrivacyLevel) -> tuple[Mechanism, PrivacyLevel]:
    """The mechanism and the level in their common field.

    >>> half, third = PrivacyLevel(epsilon="1/2"), PrivacyLevel(epsilon="1/3")
    >>> mechanism, level = of_one_field(geometric(1, half), third)
    >>> print(mechanism.field, level.field)
    QQ(exp(-1/6)) QQ(exp(-1/6))
    """
    try:
        return over_one_field(mechanism, level)
    except ResourceLimitError as error:
        if "seconds" in error.facts:
            raise
        message = f"{level.said} and the mechanism's own numbers have no common field of a size that is decided here"
        hint = "is_private and audit compare its tightest level with any ε (exactdp privacy --epsilon, exactdp audit --claims-epsilon)"
        raise ResourceLimitError(f"{message}; {hint}", **error.facts) from None


def in_words(consumer: object) -> object:
    """The consumer that a text names; anything else as it is."""
    return require_consumer(consumer) if isinstance(consumer, str) else consumer


def require_consumer(consumer: object) -> Consumer:
    """The consumer, or that which a text names; InputError if it is none.

    >>> require_consumer("abs prior=uniform").describe()
    'the Bayesian consumer with loss abs and prior uniform'
    """
    if isinstance(consumer, str):
        try:
            return consumer_in_words(consumer)
        except InputError as error:
            raise type(error)(f"the consumer {consumer[:60]!r}: {error.message}", **error.facts) from None
    if not isinstance(consumer, (MinimaxConsumer, BayesianConsumer)):
        word = "loss" if isinstance(consumer, Loss) else "'abs'"
        expected = f"MinimaxConsumer({word}), or for an expected loss BayesianConsumer({word}, 'uniform')"
        words = "" if isinstance(consumer, Loss) else ", or its words, such as 'abs' or 'abs prior=uniform'"
        raise wrong_kind("consumer", consumer, f"{expected}{words}")
    return consumer


def as_interval(interval: IntervalLike | None) -> Interval | None:
    """The interval of levels that was meant.

    >>> print(as_interval((0, "1/2")))
    (0, 1/2)
    """
    if interval is None or isinstance(interval, Interval):
        return interval
    if not isinstance(interval, (tuple, list)) or len(interval) != 2:
        raise wrong_kind("interval", interval, "an Interval, or a pair of exact numbers such as (0, '1/2')")
    return Interval(*interval)


def as_kind(value: object, expected: type[Any], name: str, expectation: str) -> Any:
    """The value if it is of this class; InputError otherwise."""
    if not isinstance(value, expected):
        raise wrong_kind(name, value, expectation)
    return value


class Given(TypedDict, total=False):
    """The arguments of a question, as somebody gave them; a question has only some of them."""

    mechanism: MechanismLike
    printed: PrintedTable
    neighbours: NeighboursLike
    level: LevelLike
    consumer: ConsumerLike
    loss: LossLike
    prior: PriorLike


class Arguments:
    """The arguments of a question, read; it has those that it was given.

    They are read in the order of the attributes, so that the first that is wrong is the one that an error is
    about. A word for neighbours takes the inputs of the mechanism, of a consumer that has inputs, or of a
    :class:`~exactdp.Loss` or :class:`~exactdp.Prior`.

    Parameters
    ----------
    progress : callable or None
        Who listens.
    time_limit : float or None
        For the searches that are asked on the way.
    **given
        As for :func:`exactdp.is_optimal`.

    Attributes
    ----------
    mechanism : Mechanism
        Beside neighbours and a level its inputs are in the order of the neighbours, and its field is that of
        the level.
    printed : PrintedTable
        In the order of the neighbours.
    neighbours : Neighbours
        What is near.
    level : PrivacyLevel
        In a field with the α^d of the neighbours.
    consumer : Consumer
        On the inputs of the neighbours, or of the mechanism where there are none.
    loss, prior : Loss, Prior
        On the vertices, in their order.

    Examples
    --------
    >>> from exactdp import MinimaxConsumer
    >>> asked = Arguments(neighbours="path:2", level="1/4", consumer=MinimaxConsumer("abs"))
    >>> asked.consumer.inputs == asked.neighbours.vertices, asked.region
    (True, None)
    >>> asked = Arguments(mechanism="geometric:n=3", neighbours="path", level="1/4")
    >>> asked.mechanism.inputs == asked.neighbours.vertices, str(asked.neighbours), str(asked.level)
    (True, 'path:4', '1/4')
    """

    __slots__ = ("consumer", "level", "loss", "mechanism", "neighbours", "printed", "prior", "progress", "time_limit")

    mechanism: Mechanism
    printed: PrintedTable
    neighbours: Neighbours
    level: PrivacyLevel
    consumer: Consumer
    loss: Loss
    prior: Prior

    def __init__(self, progress: Listener | None = None, time_limit: float | None = None, **given: Unpack[Given]) -> None:
        self.progress, self.time_limit = progress, time_limit
        if "mechanism" in given:
            self._read_mechanism(given)
        elif "neighbours" in given:
            # a consumer is checked first, as its inputs may be those of the neighbours
            self.neighbours = as_neighbours(given["neighbours"], *_with_inputs(given))
            if "level" in given:
                self.level = as_level(given["level"], self.neighbours)
        near = self.neighbours if "neighbours" in given else None
        inputs: Labels = ()
        if near is not None:
            inputs = near.vertices
        elif "mechanism" in given:
            inputs = self.mechanism.inputs
        if "printed" in given:
            self.printed = recorded(given["printed"]).aligned(inputs)
        if "consumer" in given:
            self.consumer = require_consumer(given["consumer"]).over(inputs, near)
        if "loss" in given:
            self.loss = as_loss(given["loss"], self.neighbours)
        if "prior" in given:
            self.prior = as_prior(given["prior"], inputs)

    def _read_mechanism(self, given: Given) -> None:
        """The mechanism, and neighbours and a level beside it."""
        beside = given["mechanism"]
        level = as_level(given["level"], beside=beside) if "level" in given else None
        self.mechanism = as_mechanism(beside, level)
        if "neighbours" in given:
            self.neighbours = as_neighbours(given["neighbours"], self.mechanism)
        if "neighbours" in given and "level" in given:
            level = as_level(given["level"], self.neighbours, beside=beside)
            self.mechanism, self.level = of_one_field(self.mechanism.aligned(self.neighbours.vertices), level)

    @property
    def problem(self) -> Problem:
        """The problem of the least loss for the consumer at the level."""
        return Problem(self.neighbours, self.level, self.consumer)

    @property
    def region(self) -> Region | None:
        """The region of the letters in what is asked about; None without letters."""
        read = [getattr(self, name, None) for name in ("mechanism", "level", "consumer")]
        field = common_field(*(x for x in read if x is not None))
        return field.region if isinstance(field, RegionField) else None


def _with_inputs(given: Given) -> list[Any]:
    """What was given on inputs of its own."""
    consumer = [require_consumer(given["consumer"])] if "consumer" in given else []
    others = [x for x in (given.get("loss"), given.get("prior")) if isinstance(x, (Loss, Prior))]
    return [given.get("printed"), *(x for x in consumer if x.is_bound), *others]


def ask(answer: Callable[[Arguments], T], progress: Listener | None, time_limit: float | None, **given: Unpack[Given]) -> T:
    """What answers a question: its arguments are read, and it is answered, within the time limit.

    The :class:`Arguments` has the listener that keeps the time, to be given on.

    >>> ask(lambda asked: str(asked.neighbours), None, None, neighbours="path:4")
    'path:4'
    >>> ask(lambda asked: asked.progress is None, None, 10)
    False
    """

    def answered() -> T:
        with monitored(progress, time_limit) as listener:
            asked = Arguments(listener, time_limit, **given)
            return answer(asked)

    # in a context of its own, which ends with the call: an interrupt leaves no limit behind
    return copy_context().run(answered)
