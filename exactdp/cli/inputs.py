# SPDX-License-Identifier: MIT
"""Mechanisms, remaps, levels, neighbours and consumers that words, files and options name, in one order.

What is labelled is matched by label, what is not by position; both together only with ``--by-position``
(docs/labels.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

from exactdp import mechanisms, readers
from exactdp.cli.output import Output
from exactdp.cli.reading import (
    ConsumerWords,
    Reading,
    Unsized,
    in_file,
    is_a_word,
    leave_out,
    may_be_formulas,
    named_file,
    names_file,
    no_file,
    read_bytes,
    title_of,
)
from exactdp.errors import (
    ExactDPError,
    ExpressionSyntaxError,
    InputError,
    LabelError,
    RationalSyntaxError,
    ResourceLimitError,
    ShapeError,
    meant,
)
from exactdp.exact import Rational, RationalFunction
from exactdp.exact.formula import LEVEL
from exactdp.model import (
    FORMS,
    LOSSES,
    SIZED_BY_INPUTS,
    BayesianConsumer,
    Consumer,
    Gain,
    Labels,
    Loss,
    Mechanism,
    MinimaxConsumer,
    Neighbours,
    Prior,
    PrivacyLevel,
    Remap,
    SideInformation,
    Table,
    TightestLevel,
    level_for,
    loss_from_spec,
    neighbours,
)
from exactdp.model.labels import Positions, brief
from exactdp.model.level import is_symbolic, level_or_one
from exactdp.model.named_losses import meant_loss, named_loss
from exactdp.model.neighbours import begins_as_word
from exactdp.model.printed import PrintedTable
from exactdp.runtime.values import dataclass

if TYPE_CHECKING:
    from exactdp.analysis.verdict import Verdict
    from exactdp.readers.grids import Grid

T = TypeVar("T", Table, Loss, Prior, PrintedTable)
G = TypeVar("G", "Given", "GivenPrinted")


def is_labelled(labels: Labels) -> bool:
    """Whether somebody gave these labels."""
    return not isinstance(labels, Positions)


def same_labels(labels: Labels, others: Labels) -> bool:
    """Whether they are matched without --by-position: both labelled, neither, or by the names of a word."""
    if is_labelled(labels) == is_labelled(others):
        return True
    mine = others if is_labelled(labels) else labels
    return isinstance(mine, Positions) and mine.named and set(labels) == set(others)


def common_labels(reading: Reading, notes: list[str], axis: str, things: Sequence[tuple[str, Labels]]) -> Labels:
    """The labels in whose order all things are taken: of the first that is labelled or named, else the first.

    * ``reading``: whether ``--by-position`` is given.
    * ``notes``: what is matched by position, with the order, is added here.
    * ``axis``: what the entries are called: "inputs".
    * ``things``: in the order of precedence.
    * raises LabelError: labelled things beside unlabelled ones, without ``--by-position``.
    * raises ShapeError: different numbers of entries where nothing else can match them.
    """
    labelled = [(title, labels) for title, labels in things if is_labelled(labels)]
    named = [(title, labels) for title, labels in things if isinstance(labels, Positions) and labels.named]
    first = things[0]
    bridged = first in named and all(set(labels) == set(first[1]) for _, labels in labelled)
    title, reference = first if bridged else [*labelled, *named, first][0]
    for other, labels in things:
        if is_labelled(labels):
            continue
        if len(labels) != len(reference):
            message = f"{other} has {len(labels)} {axis}, but {title} has {len(reference)}"
            raise ShapeError(message, expected=len(reference), got=len(labels))
        if same_labels(labels, reference):
            if set(labels) != set(reference):
                notes.append(f"the {axis} of {other} are taken in the order of {title}: {brief(reference)}")
            continue
        if not reading.by_position:
            raise LabelError(
                f"the {axis} of {other} are unlabelled, but those of {title} are labelled {brief(reference)}; label both, or give "
                "--by-position to match them in this order",
                got=labels,
                expected=reference,
                unlabelled=True,
            )
        reading.use("by_position")
        notes.append(f"by position: the {axis} of {other} are taken in the order of {title}: {brief(reference)}")
    return reference


def placed(title: str, thing: T, labels: Labels, reference: Labels) -> T:
    """A table, loss or prior with its rows in the order that :func:`common_labels` gave."""
    if same_labels(labels, reference):
        return in_file(title, lambda: thing.aligned(reference))
    return thing.relabelled(reference)


def with_digest(title: str, file: str) -> str:
    """A title with the digest behind the name of its file.

    >>> with_digest("t.csv with each row divided by its sum", "t.csv (sha256 0123abcd…)")
    't.csv (sha256 0123abcd…) with each row divided by its sum'
    """
    return title.replace(file.rpartition(" (")[0], file, 1) if file else title


def estimates_alone(title: str, grid: Grid) -> str:
    """What a table is called, after what was left aside behind its estimates."""
    return f"{title} with {grid.aside} left aside" if grid.aside else title


@dataclass(frozen=True, slots=True)
class Given:
    """A mechanism or table that a word or file names.

    Attributes
    ----------
    title : str
        How it is called in sentences.
    table : Table
    word : str or None
        The word, when it is one of a family such as ``geometric:n=3``.
    levelled : bool
        Whether the level beside it was needed to make it: it names a family, or its entries are formulas.
    hint : str
        What may be meant if its rows do not sum to 1: labels.
    file : str
        The file with its digest; empty for a word.
    """

    title: str
    table: Table
    word: str | None = None
    levelled: bool = False
    hint: str = ""
    file: str = ""

    @property
    def named(self) -> str:
        """How it is called where an answer depends on it."""
        return with_digest(self.title, self.file)

    def labels(self) -> list[tuple[str, Labels]]:
        """Its title and inputs."""
        return [(self.title, self.table.inputs)]

    def mechanism(self) -> Mechanism:
        """The mechanism; NotStochasticError with every faulty row if it is none."""
        try:
            return self.table.as_mechanism()
        except ExactDPError as error:
            faults, told = self.table.faults(), self.hint or error.message
            if not self.hint and faults.quality() == "rounded":
                first = "with its negative entries set to 0, " if faults.negative else ""
                told = f"{faults.told()}; the table is rounded: {first}--renormalise divides each row by its sum"
            raise type(error)(f"{self.title}: {told}", **error.facts) from None


def leave_level_out(title: str) -> None:
    """Refuse ``--alpha`` and ``--epsilon`` beside what has no place for them, or a level of its own."""
    word, _, parameters = title.partition(":")
    kept = [text for text in parameters.split(",") if text.partition("=")[0].strip() not in {"alpha", "epsilon"}]
    own = [text for text in parameters.split(",") if text not in kept]
    if own:
        other = f"{word}:{','.join(kept)}" if kept else word
        leave_out(f"{title} has its own level, {own[0]}, and {other} takes another one", "alpha", "epsilon")
    leave_out(f"{title} does not depend on a level", "alpha", "epsilon")


def read_given(text: str, reading: Reading, *, level: PrivacyLevel | None = None, notes: list[str] | None = None) -> Given:
    """The mechanism or table that a word (``geometric:n=3``) or a file (CSV, JSON, .npy, ``-``) names.

    The answer's sentence is about it, and names the file. With ``reading.renormalise`` a table whose rows do
    not sum to 1 is repaired, and a note says so.
    """
    given = _read_given(text, reading, level, notes)
    reading.rows_named = is_labelled(given.table.inputs)
    reading.note_subject("mechanism", given.named, file=bool(given.file))
    return given


def loss_by_law(
    asked: LawQuestion, text: str, words: ConsumerWords, reading: Reading, *, near: str | None = None, level: PrivacyLevel | None = None
) -> Verdict[Any] | None:
    """What the law of a word too large for a table says of its loss; None for another question."""
    from exactdp.analysis import laws  # loaded for words only

    if not is_of_laws(words) or words.loss is None or not mechanisms.is_mechanism_spec(text):
        return None
    consumer = MinimaxConsumer(words.loss) if words.prior is None else BayesianConsumer(words.loss)
    return laws.loss_by_law(laws.Asked[asked], numbered_word(text, reading), consumer, near, level)


def is_of_laws(words: ConsumerWords) -> bool:
    """Whether a consumer is one whose loss is known by a law."""
    from exactdp.analysis.laws import LOSSES_OF_LAWS  # loaded for words only

    plain = words.gain is None and words.side_information is None and words.prior in (None, "uniform")
    return plain and words.loss in LOSSES_OF_LAWS


LawQuestion = Literal["OPTIMAL", "OPTIMAL_AFTER_REMAP", "BEST_REMAP"]
"""What is asked, by the names of :class:`exactdp.analysis.laws.Asked`."""


def _read_given(text: str, reading: Reading, level: PrivacyLevel | None, notes: list[str] | None) -> Given:
    if reading.digits is not None:
        raise click.UsageError(
            "--digits is not taken into account by this question, only by privacy, delta, audit and optimal; leave it out to judge the "
            "numbers as printed"
        )
    if mechanisms.is_mechanism_spec(text):
        return _of_word(text, reading, level)
    require_file(text)
    title = title_of(text)
    content = read_bytes(text, "the mechanism")
    file = reading.note_file(text, content)
    grid = reading.mechanism_grid(content, title)
    title = estimates_alone(title, grid)
    try:
        table = reading.numbers(grid, title)
    except InputError as error:
        if not may_be_formulas(error, grid):
            raise
        table = _of_formulas(grid, title, reading, level, error)
        if readers.has_letters(grid):
            _require_formula_rows(grid, table, title, reading)
            return Given(title, table, levelled=True, file=file)
    if reading.transpose:
        _require_columns(table, title)
    if reading.header is None or reading.transpose:
        in_file(title, lambda: readers.require_rows(grid, table, divided=reading.renormalise, transposed=reading.transpose))
    hint = _hint(grid, table, title, reading)
    mended = mended_table(table, title, reading, notes)
    title, table = title if mended is table else f"{title} with each row divided by its sum", mended
    if level is None or not _is_letter(level):
        return Given(title, table, hint=hint, file=file)
    lifted = Table(readers.lifted(table.matrix, level.field), table.inputs, table.outputs)
    return Given(title, lifted, levelled=True, hint=hint, file=file)


def _is_letter(level: PrivacyLevel | None) -> bool:
    """Whether all levels are meant."""
    return level is not None and isinstance(level.alpha, RationalFunction)


def numbered_word(text: str, reading: Reading) -> str:
    """A word with the numbers of ``--letters`` in place of their letters."""
    letters = reading.read_letters(text.partition(":")[2])
    return text if letters is None else mechanisms.with_numbers(text, letters)


def _of_word(text: str, reading: Reading, level: PrivacyLevel | None) -> Given:
    """The mechanism that a word names."""
    letters = reading.read_letters(text.partition(":")[2])
    text = numbered_word(text, reading)
    table = mechanisms.mechanism_from_spec(text, level, letters=letters).as_table()
    symbolic = _is_letter(level)
    if level is not None and symbolic:
        table = Table(table.matrix.over(level.field), table.inputs, table.outputs)
    return Given(text, table, text, symbolic or mechanisms.needs_level(text))


def _of_formulas(grid: Grid, title: str, reading: Reading, level: PrivacyLevel | None, error: InputError) -> Table:
    """The table of a file of formulas, at the level; else the error that reading it as numbers ended with."""
    arithmetic = not readers.has_letters(grid)
    if level is None and not arithmetic:
        raise (_level_missing(grid, title) or error) from None
    alpha = Rational(0) if level is None or arithmetic else level.alpha  # of what has no letter any level makes the same
    try:
        return in_file(title, lambda: readers.read_formula_table(grid, dyadic=reading.dyadic, alpha=alpha))
    except ExpressionSyntaxError:
        if _is_letter(level):
            raise
        raise error from None
    except RationalSyntaxError as fault:
        same_cell = all(fault.facts.get(key) == error.facts.get(key) for key in ("row", "column"))
        raise (error if same_cell else fault) from None


def _require_formula_rows(grid: Grid, table: Table, title: str, reading: Reading) -> None:
    """Whether the first line of a table of formulas can be a row; formulas are not divided."""
    if reading.header is None or reading.transpose:
        in_file(title, lambda: readers.require_rows(grid, table, transposed=reading.transpose))
    if reading.renormalise:
        message = f"--renormalise divides rows of numbers, and {title} has formulas; write the division in the formulas"
        raise click.UsageError(message) from None


@dataclass(frozen=True, slots=True)
class GivenPrinted:
    """A printed table that a file names; the attributes are those of :class:`Given`."""

    title: str
    table: PrintedTable
    word: str | None = None
    file: str = ""

    @property
    def named(self) -> str:
        """The file with its digest, and how it was read."""
        return with_digest(self.title, self.file)

    def labels(self) -> list[tuple[str, Labels]]:
        """Its title and inputs."""
        return [(self.title, self.table.inputs)]


def read_printed(text: str, reading: Reading) -> GivenPrinted:
    """The printed table of a file; a word is refused, since its numbers are exact."""
    if mechanisms.is_mechanism_spec(text):
        raise click.UsageError(f"--digits is about a table that was printed, and the numbers of {text} are exact; leave it out")
    require_file(text)
    title = title_of(text)
    content = read_bytes(text, "the mechanism")
    file = reading.note_file(text, content)
    grid = reading.mechanism_grid(content, title)
    title = estimates_alone(title, grid)
    table = reading.printed(grid, title)
    one = table.member().as_table()  # whose rows sum to 1, as those of all that print so
    if reading.transpose:
        _require_columns(one, title)
    if reading.header is None or reading.transpose:
        in_file(title, lambda: readers.require_rows(grid, one, transposed=reading.transpose))
    _hint(grid, one, title, reading)
    given = GivenPrinted(title, table, file=file)
    reading.note_subject("printed", given.named)
    return given


def _level_missing(grid: Grid, title: str) -> InputError | None:
    """What to say of a table of formulas where no level is given; None for another table."""
    try:
        readers.read_formula_table(grid)
    except ExactDPError as error:
        if "divisor" not in error.facts:  # which may be zero at other levels only than the one that is missing
            return None
    return InputError(
        f"{title} has formulas in the level a, and no level is given; --alpha 1/4 or --epsilon 1 puts one there, "
        "and 'exactdp privacy' with --alpha symbolic tells for which levels the table is private"
    )


def require_file(text: str) -> None:
    """Refuse what is neither a file nor the word of a mechanism, with the nearest word."""
    if not names_file(text):
        if begins_as_word(text) or text in SIZED_BY_INPUTS:
            raise click.UsageError(f"{no_file(text)}, and it names no mechanism but a graph, which is given as --graph {text}")
        near = mechanisms.nearest_word(text)
        if near == text:
            known = mechanisms.FAMILIES[text]
            takes = f"{text} takes parameters, after a colon: {known.takes}, as in {known.example}"
            raise click.UsageError(f"{takes}; a file of this name is ./{text}")
        hint = f"did you mean {near}? " if near else "give a file, '-' for standard input, or a word such as geometric:n=3; "
        raise click.UsageError(f"{no_file(text)}, and it names no mechanism; {hint}'exactdp mechanisms' lists the words")


def _hint(grid: Grid, table: Table, title: str, reading: Reading) -> str:
    """What is noted of a table whose rows do not sum to 1, if a line or columns of it seem to be labels.

    The line 0, 1 of a table of zeros and ones sums to 1 and may number the columns all the same: it is a row,
    and a note says so.
    """
    faults = table.faults() if grid.form == "csv" else None
    unlabelled = grid.inputs is None and grid.outputs is None
    asked = unlabelled and reading.header is None and not reading.transpose and len(grid.rows) > 1
    if faults is not None and not faults and asked and readers.label_hint(grid.rows[:1]):
        reading.say(title, f"line {grid.lines[0]} is read as a row of probabilities; if it names the outputs, give --header")
    if not faults or not faults.rows or faults.transposed:
        return ""
    if asked and [row.index for row in faults.rows] == [0]:
        reading.say(title, f"line {grid.lines[0]} is read as a row, and it alone does not sum to 1; if it names the outputs, give --header")
    rows = list(zip(*grid.rows, strict=True)) if reading.transpose else grid.rows  # as they stand in the file
    hint = readers.label_columns_hint(table.matrix, transposed=reading.transpose) or (readers.label_hint(rows) if unlabelled else None)
    if hint is None:
        return ""
    reading.say(title, hint)
    return f"{faults.rows[0]}; {hint}"


def _require_columns(table: Table, title: str) -> None:
    """Refuse ``--transpose`` for a table whose rows, as they stand, sum to 1, and whose columns do not."""
    faults = table.faults()
    if faults.transposed:
        nearly = "" if faults.columns_exact else " up to rounding"
        raise click.UsageError(f"--transpose: the rows of {title} sum to 1{nearly} as they stand, and its columns do not; leave it out")


def mended_table(table: Table, title: str, reading: Reading, notes: list[str] | None) -> Table:
    """The table, its rows divided by their sums if --renormalise is given and some do not sum to 1."""
    faults = table.faults() if reading.renormalise else None
    reading.mended(table if faults else None)
    if not faults:
        return table
    mended = in_file(title, table.renormalise)
    if notes is not None:
        count = f"{len(faults.rows)} of its {len(table.inputs)} rows did not sum to 1"
        about = "What follows is about the repaired table; 'exactdp convert --renormalise' writes it"
        notes.append(f"{title} was renormalised: {count}; each row was divided by its sum. {about}")
        if faults.transposed:
            notes.append(f"{title}: {faults.columns_text}; dividing its rows makes another mechanism than --transpose reads")
    return mended.as_table()


def read_remap(name: str, reading: Reading, notes: list[str]) -> Remap:
    """A remap from a table, with the labels that it has."""
    title = title_of(name)
    content = read_bytes(name, "the remap")
    reading.note_subject("remap", reading.note_file(name, content))
    table = mended_table(reading.table(content, title), title, reading, notes)
    return in_file(title, lambda: Remap(table.matrix, table.inputs, table.outputs))


def level_of(alpha: str | None, epsilon: str | None, near: Chosen | None = None, *, reading: Reading | None = None) -> PrivacyLevel | None:
    """The level of ``--alpha`` or ``--epsilon``; with neighbours given, in a field that has their α^d.

    It is read with the letters of ``--letters``. Beside letters the level's own, for all levels, is one of
    them.
    """
    if alpha is not None and epsilon is not None:
        raise click.UsageError("give --alpha or --epsilon, not both")
    if epsilon is not None:
        if epsilon.strip().lower() == "symbolic":
            raise click.UsageError("--epsilon takes a number such as 1/10 or ln(3); for all levels at once give --alpha symbolic")
        known = None if isinstance(near, Unsized) else near
        return _told("--epsilon", lambda: PrivacyLevel(epsilon=epsilon) if known is None else level_for(known, epsilon))
    if alpha is None:
        return None
    letters = None if reading is None else reading.read_letters(alpha)
    if reading is not None and reading.has_region and is_symbolic(alpha):
        letters = reading.add_level()
        reading.read_letters(LEVEL[0])
    # under its name, so that a logarithm, which is an ε, is told that it stands at the wrong option
    named = alpha if "=" in alpha or is_symbolic(alpha) else f"alpha={alpha}"
    return _told("--alpha", lambda: PrivacyLevel(named, letters=letters))


def level_or_one_of(alpha: str | None, epsilon: str | None, *, reading: Reading) -> PrivacyLevel | TightestLevel | None:
    """The level of ``--alpha`` or ``--epsilon`` of (ε, δ)-privacy, where ε = 0 is a level, too."""
    for text, word in ((epsilon, "epsilon"), (alpha, "alpha")):
        if text is not None and (alpha is None or epsilon is None) and not is_symbolic(text):
            with suppress(ExactDPError):  # what is no number is refused below
                found = level_or_one(f"{word}={text}")
                if isinstance(found, TightestLevel):
                    return found
    return level_of(alpha, epsilon, reading=reading)


def levels_of(alpha: str | None, epsilon: str | None) -> list[PrivacyLevel]:
    """The levels of ``--alpha 1/4,1/2`` or ``--epsilon 1,1/2``."""
    if (alpha is None) == (epsilon is None):
        raise click.UsageError("give one of --alpha (increasing levels, such as 1/4,1/2) and --epsilon (decreasing, such as 1,1/2)")
    option, text = ("--alpha", alpha) if alpha is not None else ("--epsilon", epsilon)
    found = []
    for place, part in enumerate((text or "").split(","), 1):
        level = _told(f"{option}, number {place}", partial(PrivacyLevel, part.strip() if "=" in part else f"{option[2:]}={part}"))
        if isinstance(level.alpha, RationalFunction):
            raise click.UsageError(f"{option} takes numbers here, such as 1/4,1/2; {part.strip()!r} stands for all levels")
        found.append(level)
    return found


def _told(option: str, read: Callable[[], PrivacyLevel]) -> PrivacyLevel:
    try:
        return read()
    except (InputError, ResourceLimitError) as error:
        raise type(error)(f"{option}: {error.message}", **error.facts) from None


Chosen = Neighbours | Unsized
"""The neighbours that options ask for."""


def neighbours_of(graph: str | Unsized | None, metric: str | None, reading: Reading, *, option: str = "--graph") -> Chosen | None:
    """The graph or metric asked for, if one is; ``option`` is how the command calls the graph.

    ``--local`` is no text: it is the family itself.
    """
    if graph is not None and metric is not None:
        raise click.UsageError(f"give {option} or --metric, not both")
    if metric is not None:
        distances = read_bytes(metric, "--metric")
        return reading.metric(distances, title_of(metric), named_file(metric, distances))
    return _graph(graph, option) if isinstance(graph, str) else graph


def sized(chosen: Chosen, given: Given | GivenPrinted | None = None, *, option: str = "--graph") -> Neighbours:
    """The neighbours asked for, a family without a size on the inputs of what is given."""
    if not isinstance(chosen, Unsized):
        return chosen
    if given is None:
        typed_so, example = ("--local", "complete:4") if chosen.family == "local" else (f"{option} {chosen.family}", f"{chosen.family}:4")
        raise click.UsageError(f"{typed_so}: no table is given to take the size from; give it, as in {option} {example}")
    return neighbours(chosen.family, given.table.inputs)


def meant_neighbours(chosen: Chosen | None, given: Given | GivenPrinted | None, out: Output) -> Neighbours:
    """The neighbours asked for, or else those that are meant; the answer says which and why.

    A word brings its own neighbours (all inputs of a local mechanism, else those that differ by at most its
    sensitivity). A table brings none, and the choice is spelled out.
    """
    word = None if given is None else given.word
    if chosen is not None:
        chosen = sized(chosen, given)
        out.about(chosen)
        if word is not None and given is not None and not mechanisms.is_meant(chosen, word, given.table.inputs):
            own = mechanisms.neighbours_name(word, given.table.inputs)
            out.notes.append(f"the neighbours that {word} means are {own}; what follows is about {chosen} instead")
        return chosen
    if given is None:
        raise click.UsageError(
            "say which inputs are neighbours: --graph path:4 (or cycle:5, hypercube:3, a file of edges, …) or --metric FILE"
        )
    if word is not None:
        own_graph = mechanisms.word_neighbours(word, given.table.inputs)
        out.about(own_graph, "the word's own", told=f"which {word} means; --graph or --metric gives others")
        return own_graph
    raise click.UsageError(
        f"{given.title} doesn't say which inputs are neighbours: give --graph path for a count, --graph complete or --local for reports "
        "of single people, --graph grid:4x4 for two counts, --graph FILE (of edges) or --metric FILE"
    )


def _graph(text: str, option: str) -> Chosen:
    if text in SIZED_BY_INPUTS:
        return Unsized(text)
    if begins_as_word(text):
        return neighbours(text)
    if names_file(text):
        title = title_of(text)
        content = read_bytes(text, option)
        return in_file(title, lambda: readers.read_edges(content, name=named_file(text, content)))
    if mechanisms.is_mechanism_spec(text):
        raise click.UsageError(f"{option}: {text!r} names no graph but a mechanism; the forms of graphs are {', '.join(FORMS)}")
    if ":" in text and not is_a_word(text):
        return neighbours(text)
    size = text if text.isascii() and text.isdigit() else ""
    near = f"did you mean path:{size} or complete:{size}? " if size else meant(text, [form.partition(":")[0] for form in FORMS])
    raise click.UsageError(f"{option}: {no_file(text)}, and it names no graph; {near}the forms are {', '.join(FORMS)}")


def on_inputs(given: G, reference: Labels) -> G:
    """The table with its rows in the order of the common labels."""
    return replace(given, table=placed(given.title, given.table, given.table.inputs, reference))


@dataclass(frozen=True, slots=True)
class Wanted:
    """The consumer that the options describe, as far as it is known before the inputs are.

    Attributes
    ----------
    title : str
        The word or the file of the loss.
    loss : Loss or None
        That of a file; None for a word.
    gain : bool
        Whether the title is a gain's.
    prior : Prior or None
        That of a file or of weights written out.
    uniform : bool
        Whether the prior is the uniform one.
    side : str or None
        The side information.
    """

    title: str
    loss: Loss | None
    gain: bool = False
    prior: Prior | None = None
    uniform: bool = False
    side: str | None = None

    @property
    def named(self) -> str:
        """What the loss is called where an answer depends on it."""
        return self.title if self.loss is None else self.loss.name

    @property
    def by_distance(self) -> bool:
        """Whether the loss is a function of the distance of the neighbours."""
        return self.loss is None and named_loss(self.title).compares == "neighbours"

    def labels(self) -> list[tuple[str, Labels]]:
        """Titles and inputs of what was read."""
        found = [] if self.loss is None else [(self.title, self.loss.inputs)]
        return found if self.prior is None else [*found, ("the prior", self.prior.inputs)]

    def note_on_certificate(self, out: Output) -> None:
        """Say in which numbers the certificate of a gain's answer is."""
        if self.gain:
            about = "the certificate is about the loss that is minus the gain"
            out.uncertified.append(f"{about}: its value and loss are minus the utilities here")

    def consumer(self, near: Neighbours) -> Consumer:
        """The consumer on these inputs, which are those of what was read too (:func:`common_labels`)."""
        inputs = near.vertices
        if self.loss is None:
            loss = _named_gain(near).as_loss() if self.gain else loss_from_spec(self.title, near)
        else:
            loss = placed(self.title, self.loss, self.loss.inputs, inputs)
            loss = Gain(loss.matrix, loss.inputs, loss.guesses, loss.name).as_loss() if self.gain else loss
        if self.prior is not None:
            return BayesianConsumer(loss, placed("the prior", self.prior, self.prior.inputs, inputs))
        if self.uniform:
            return BayesianConsumer(loss, Prior.uniform(inputs))
        return MinimaxConsumer(loss, None if self.side is None else SideInformation.parse(self.side, inputs))


def read_wanted(words: ConsumerWords, reading: Reading) -> Wanted:
    """``--loss`` or ``--gain`` with ``--prior`` (Bayesian) or ``--side-information`` (minimax)."""
    loss, gain, prior, side = words.loss, words.gain, words.prior, words.side_information
    if (loss is None) == (gain is None):
        raise click.UsageError(f"give one of --loss and --gain ({', '.join(LOSSES)}, or a CSV of exact numbers)")
    if prior is not None and side is not None:
        raise click.UsageError("--prior makes a Bayesian consumer, --side-information a minimax one; give one of them")
    if gain is not None and gain != "zero-one" and gain in LOSSES:
        raise click.UsageError(f"--gain {gain} would reward being far off; give --loss {gain}, --gain zero-one, or a CSV of gains")
    text = loss if loss is not None else str(gain)
    title, table = read_loss(text, reading)
    found = None if prior is None or prior == "uniform" else read_prior(prior, reading)
    return Wanted(title, table, gain is not None, found, prior == "uniform", side)


def read_loss(text: str, reading: Reading) -> tuple[str, Loss | None]:
    """Title and loss of a file; the word and None if it is one."""
    if text in LOSSES:
        return text, None
    if not names_file(text):
        raise click.UsageError(
            f"{no_file(text)}, and it names no loss; {meant_loss(text)}the words are {', '.join(LOSSES)}; "
            "give a CSV, rows inputs, columns guesses"
        )
    title = title_of(text)
    content = read_bytes(text, "the loss")
    grid = reading.grid(content, title)
    table = reading.numbers(grid, title)
    hint = (
        readers.label_hint(grid.rows) if grid.inputs is None and grid.outputs is None and len(grid.rows) + 1 == len(grid.rows[0]) else None
    )
    if hint:
        reading.say(title, hint)
    return title, Loss(table.matrix, table.inputs, table.outputs, named_file(text, content))


def read_prior(text: str, reading: Reading, *, option: str = "--prior", more: str = "") -> Prior:
    """The prior of a file, or of weights written out."""
    written_out = "," in text or text.lstrip().startswith(("{", "["))
    if names_file(text) and not (written_out and _are_weights(text, reading)):
        content = read_bytes(text, "the prior")
        found = reading.prior(content, title_of(text))
        return Prior(found.weights, found.inputs, name=named_file(text, content))
    # of a single input, one weight without a comma
    if written_out or _are_weights(text, reading):
        return reading.prior(text, option)
    raise click.UsageError(
        f"{no_file(text)}; a prior is 'uniform', {more}weights such as 1/2,1/4,1/4, a CSV, or a JSON object such as "
        '{"a": "1/2", "b": "1/2"}'
    )


def _are_weights(text: str, reading: Reading) -> bool:
    """Whether a text is weights, right or wrong: a file of this name does not change what it means."""
    from exactdp.readers.tables import number_reader

    try:
        grid = readers.prior_grid(text, letters=reading.letters)
        grid.entries(number_reader(grid, dyadic=reading.dyadic))
    except ExactDPError:
        return False
    return True


def _named_gain(near: Neighbours) -> Gain:
    """The gain ``zero-one``: 1 where guess and input agree."""
    wrong = loss_from_spec("zero-one", near)
    return Gain([[1 - x for x in row] for row in wrong.matrix.rows()], wrong.inputs, wrong.guesses, "zero-one")


def in_one_order(reading: Reading, notes: list[str], near: Neighbours, *things: Given | GivenPrinted | Wanted | Prior | None) -> Neighbours:
    """The neighbours, their vertices labelled and ordered as mechanism, consumers and prior are to be.

    The order is that of the neighbours, else of the first thing that is labelled.
    """
    labels = [(str(near), near.vertices)]
    for thing in things:
        if thing is not None:
            labels += [("the prior", thing.inputs)] if isinstance(thing, Prior) else thing.labels()
    reference = common_labels(reading, notes, "inputs", labels)
    return near if near.vertices == reference else near.relabelled(reference)


def matched_guesses(reading: Reading, notes: list[str], given: G, consumer: Consumer, title: str) -> tuple[G, Consumer]:
    """Mechanism and consumer, outputs matched with as many guesses where only one of them is labelled."""
    outputs, guesses = given.table.outputs, consumer.loss.guesses
    if len(outputs) != len(guesses) or same_labels(outputs, guesses):
        return given, consumer
    common_labels(reading, notes, "guesses or outputs", [(f"the loss {title}", guesses), (given.title, outputs)])
    table = given.table
    if is_labelled(guesses):
        return replace(given, table=table.relabelled(outputs=guesses)), consumer
    loss = consumer.loss.relabelled(guesses=outputs)
    if isinstance(consumer, BayesianConsumer):
        return given, BayesianConsumer(loss, consumer.prior)
    return given, MinimaxConsumer(loss, consumer.side_information)


def matched_remap(reading: Reading, notes: list[str], title: str, remap: Remap, outputs: Labels, guesses: Labels) -> Remap:
    """The remap with its rows in the order of the outputs and its columns in that of the guesses."""
    for what, got, expected in (("outputs", remap.outputs, outputs), ("guesses", remap.guesses, guesses)):
        if len(got) != len(expected):
            raise ShapeError(
                f"{title}: {len(got)} {'rows' if what == 'outputs' else 'columns'}, but there are {len(expected)} {what}",
                expected=len(expected),
                got=len(got),
            )
        if not same_labels(got, expected):
            common_labels(reading, notes, what, [("the mechanism" if what == "outputs" else "the consumer", expected), (title, got)])
            remap = remap.relabelled(outputs=expected) if what == "outputs" else remap.relabelled(guesses=expected)
    return in_file(title, lambda: remap.aligned(outputs, guesses))
