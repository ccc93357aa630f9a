# SPDX-License-Identifier: MIT
"""What commands read: files, standard input, the options that they share, and which of these had an effect.

``-`` is standard input, read once. An option that did not enter the answer is an error (:class:`Reading`).
"""

from __future__ import annotations

import errno
import sys
from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from exactdp import mechanisms, readers
from exactdp.analysis.subjects import Subject
from exactdp.cli.file_access import HeldFiles, held_files, is_there
from exactdp.errors import ExactDPError, InputError, NegativeEntryError, RationalSyntaxError, ResourceLimitError, printable
from exactdp.exact import Letters, Rational, common_field, field_of, letters_of
from exactdp.exact.assumptions import read_assumptions
from exactdp.exact.formula import LEVEL, names_in
from exactdp.exact.identity import same_formula
from exactdp.model.faults import ROUNDING, as_rounding
from exactdp.model.mechanism import Table
from exactdp.model.metric import Metric
from exactdp.model.named_losses import LOSSES, named_loss
from exactdp.model.neighbours import FAMILIES, SIZED_BY_INPUTS
from exactdp.model.printed import Digits, PrintedTable, as_digits
from exactdp.model.source import Source
from exactdp.model.vectors import Prior
from exactdp.runtime.files import obstacle
from exactdp.runtime.values import dataclass
from exactdp.spelling import own_spelling

if TYPE_CHECKING:
    from pathlib import Path

    from click.shell_completion import CompletionItem

    from exactdp.readers.grids import Grid

_STDIN_USED, _READ = "exactdp.stdin", "exactdp.read"


def read_bytes(name: str, what: str) -> bytes:
    """The content of a file, or of standard input for ``-``.

    * raises click.UsageError: there is no such file, it can't be read, or ``-`` is asked for twice.
    * raises ResourceLimitError: it is larger than the budget.
    """
    if name == "-":
        used = click.get_current_context().find_root().meta
        if _STDIN_USED in used:
            raise click.UsageError(f"both {used[_STDIN_USED]} and {what} are '-', but standard input can be read only once")
        used[_STDIN_USED] = what
    held = held_files()
    if held is not None:
        content = _held_content(held, name, what)
    elif name == "-":
        try:
            content = readers.read_at_most(sys.stdin.buffer, readers.most_bytes() + 1)
        except OSError as error:
            reason = "it is closed" if error.errno == errno.EBADF else error.strerror
            raise click.UsageError(f"{what}: can't read standard input: {reason}") from None
    else:
        try:
            with open(name, "rb") as stream:
                content = readers.read_at_most(stream, readers.most_bytes() + 1)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise click.UsageError(f"{what}: can't read {name!r}: {reason}") from None
    readers.require_file(f"{what}: {name!r}, of at least", len(content))
    click.get_current_context().find_root().meta.setdefault(_READ, []).append((name, what, content))
    return content


def _held_content(held: HeldFiles, name: str, what: str) -> bytes:
    """The content of a file of a command that is run again."""
    if name not in held.inputs:
        raise click.UsageError(f"{what}: {name!r} is no input of the bundle")
    return held.inputs[name]


def all_read() -> list[tuple[str, str, bytes]]:
    """Every file that the command has read: its name, for what it was read, and the bytes, as read."""
    return list(click.get_current_context().find_root().meta.get(_READ, []))


_BEGIN = frozenset({*FAMILIES, "geometric-prime"})
"""With what words begin, beside the families of mechanisms."""

_ALONE = frozenset({*SIZED_BY_INPUTS, *LOSSES, "uniform"})
"""Words without a colon."""


def is_a_word(text: str) -> bool:
    """Whether a text is one of our words, or begins as one; it then never names a file.

    It is so in every option, also where this word has no meaning: what a text means does not depend on what
    is in the working directory. ``./path`` is the file that is called so.

    >>> is_a_word("path"), is_a_word("path:4"), is_a_word("./path"), is_a_word("path.csv")
    (True, True, False, False)
    """
    family, colon, _ = text.partition(":")
    known = family in _BEGIN or (family == "corner" if colon else text in _ALONE)
    return known or own_spelling(family) in mechanisms.FAMILIES


def names_file(text: str) -> bool:
    """Whether it is no word, and there is a file, a folder or a device of this name; ``-`` always is."""
    return text == "-" or (is_there(text) and not is_a_word(text))


def no_file(text: str) -> str:
    """Why a text names no file: there is none, or it is a word.

    >>> no_file("t.csv"), no_file("path")
    ("there is no file 't.csv'", "'path' is a word, and no file (a file of this name is ./path)")
    """
    shown = text[:80]
    if is_a_word(text):
        return f"{shown!r} is a word, and no file (a file of this name is ./{shown})"
    return f"there is no file {shown!r}"


def title_of(name: str) -> str:
    """How a file is called in sentences, escaped."""
    from pathlib import Path

    return "standard input" if name == "-" else printable(Path(name).name)


def named_file(name: str, content: bytes) -> str:
    """How a file is called where an answer depends on it: with what tells it from others of this name."""
    return str(Source.of(title_of(name), content))


class WritablePath(click.Path):
    """The name of a file to be written, or of a folder: a place that can't be written to is refused before
    any work.
    """

    def __init__(self, *, folder: bool = False, or_zip: bool = False) -> None:
        super().__init__()
        self.folder, self.or_zip = folder, or_zip

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path."""
        from pathlib import Path

        if not str(value):
            raise click.UsageError(f"{_option(param)}: the name is empty; give one, or leave {_option(param)} out")
        if str(value) == "-":
            raise click.UsageError(f"{_option(param)}: '-' is standard input; give /dev/stdout, or ./- for a file of this name")
        folder = self.folder and not (self.or_zip and str(value).lower().endswith(".zip"))
        reason = obstacle(Path(value), folder=folder) if held_files() is None else None
        if reason is not None:
            raise click.UsageError(f"{_option(param)}: {reason}")
        return Path(value)


def _option(param: click.Parameter | None) -> str:
    return "-o" if param is None else param.opts[0]


F = TypeVar("F", bound=Callable[..., Any])

decimals_option = click.option(
    "--decimals/--no-decimals", "approx", default=None, help="Decimals beside all fractions, or none (default: long ones)."
)


def level_options(command: F) -> F:
    """``--alpha`` and ``--epsilon``."""
    command = click.option(
        "--epsilon", metavar="EPS", help="Instead of --alpha: the level as ε > 0, such as 1/10 or ln(3); α is then e^(−ε), exactly."
    )(command)
    return click.option(
        "--alpha",
        metavar="LEVEL",
        help="Privacy level: a rational, 0 < α < 1, such as 1/4 (near 1 is strong); or 'symbolic': the letter a, for all levels at once.",
    )(command)


@dataclass(frozen=True, slots=True)
class Unsized:
    """A family such as ``path`` that was asked for without a size: it takes the inputs of a table."""

    family: str


LOCAL = Unsized("local")
"""What ``--local`` asks for: every two inputs of the table are neighbours."""


def neighbour_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--graph``, ``--local`` (what ``--graph local`` says) and ``--metric``."""
    return _neighbour_options(command, "counts:u=30,k=2, euclid:3x3, or", "a square CSV of distances (rationals, sqrt(2), inf).")


def adjacency_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The same for questions about neighbours at distance 1 only."""
    file = "a square CSV of distances that are 1 or inf; 'exactdp privacy' takes others."
    return _neighbour_options(command, "counts:u=30,k=2, or", file)


def _neighbour_options(command: Callable[..., Any], words: str, file: str) -> Callable[..., Any]:
    @click.option(
        "--graph",
        metavar="GRAPH",
        shell_complete=complete_graph,
        help="path:4 (vertices), cycle:5, complete:4, hypercube:3, grid:3x3, star:4 (the centre first), sum:u=150,v=5, "
        f"{words} a file with one edge (two labels) a line; path, complete, cycle or star without a number has the "
        "table's inputs. A word such as geometric:n=3 brings its own neighbours, a table has none: path for a count, complete for reports "
        "of single people.",
    )
    @click.option("--local", is_flag=True, help="Every two inputs are neighbours: the table is about reports of single people.")
    @click.option("--metric", metavar="FILE", help=f"Instead of --graph: {file}")
    @wraps(command)
    def run(graph: str | None, local: bool, **given: Any) -> Any:
        if local and (graph is not None or given["metric"] is not None):
            raise click.UsageError("give one of --graph, --local and --metric")
        return command(graph=LOCAL if local else graph, **given)

    return run


def rounding_option(command: F) -> F:
    """``--rounding``."""
    return click.option(
        "--rounding",
        metavar="BOUND",
        help="A table is rounded, not wrong, when no row sum misses 1 by more than this and no entry is further below 0; "
        "judged is then the table as printed, with negative entries 0, divided by its row sums; what was rounded away is not in it. "
        "0, 1e-12 or 2^-50; default: 2^-40.",
    )(command)


def rounding_of(text: str | None) -> Rational:
    """The bound of ``--rounding``."""
    try:
        return ROUNDING if text is None else as_rounding(text)
    except InputError as error:
        raise type(error)(f"--rounding: {error.message}", **error.facts) from None


def letters_option(command: F) -> F:
    """``--letters``."""
    return click.option(
        "--letters",
        multiple=True,
        metavar="ASSUMPTIONS",
        help="What the letters in entries, levels and parameters may be: '0 < p < 1/2, q in [0, 1), p + q < 1', or numbers: 'n = 3'. The "
        "answer holds for all of these points. May be given several times.",
    )(command)


def letters_in(texts: Sequence[str]) -> Letters | None:
    """What ``--letters`` says; None without it."""
    if not texts:
        return None
    try:
        assumed, where = read_assumptions(", ".join(texts))
        for condition in where:
            for name in names_in(condition):
                if assumed.get(name, "(")[0] not in "([":  # neither an interval nor inequalities alone
                    fault = f"{name} is said to be the number {assumed[name]}, and {condition!r} speaks of it as a letter"
                    raise InputError(f"{fault}; leave one of them out, or write {assumed[name]} for {name}", letter=name)
        return letters_of(", ".join(texts))
    except (InputError, ResourceLimitError) as error:
        raise type(error)(f"--letters: {error.message}", **error.facts) from None


def header_option(command: F) -> F:
    """``--header`` and ``--no-header``."""
    return click.option(
        "--header/--no-header",
        default=None,
        help="The first line of a CSV names the columns, as data frames write it, and there is no column of labels; or it is a row.",
    )(command)


def transpose_option(command: F) -> F:
    """``--transpose``."""
    return click.option("--transpose", is_flag=True, help="The table of a mechanism has its inputs in the columns: read rows as columns.")(
        command
    )


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of how files are read, from ``--labels`` to ``--letters``: the command's ``reading``."""

    @click.option("--labels", is_flag=True, help="Tables have labels: in their first line and first column, or columns (JSON has its own).")
    @click.option("--dyadic", is_flag=True, help="Read decimals as the doubles nearest to them, exactly.")
    @header_option
    @transpose_option
    @click.option("--renormalise", "--renormalize", is_flag=True, help="Divide each row of a table by its sum.")
    @click.option(
        "--renormalise-prior", "--renormalize-prior", is_flag=True, help="Divide the weights of a prior by their sum, and say so."
    )
    @click.option("--by-position", is_flag=True, help="Match what has labels with what has none by position, not at all otherwise.")
    @letters_option
    @click.option("--digits", metavar="K", hidden=True, help=_DIGITS)
    @wraps(command)
    def run(
        labels: bool,
        dyadic: bool,
        header: bool | None,
        transpose: bool,
        renormalise: bool,
        renormalise_prior: bool,
        by_position: bool,
        letters: Sequence[str],
        digits: str | None,
        **given: Any,
    ) -> Any:
        reading = Reading(
            labels,
            dyadic,
            renormalise,
            by_position,
            letters_in(letters),
            header=header,
            transpose=transpose,
            renormalise_prior=renormalise_prior,
            digits=digits_of(digits),
        )
        return command(reading=reading, **given)

    return run


_DIGITS = (
    "The table was printed with K digits after the point, or with those that each cell shows (auto): the answer is about all mechanisms "
    "that print so."
)


def about_printed(command: F) -> F:
    """Of a command that judges printed tables: its help offers ``--digits``."""
    for option in getattr(command, "__click_params__", []):
        if option.name == "digits":
            option.hidden = False
    return command


def digits_of(text: str | None) -> Digits | None:
    """What ``--digits`` says."""
    if text is None:
        return None
    try:
        return as_digits(text)
    except InputError as error:
        raise click.UsageError(f"--digits: {error.message}") from None


def leave_out_beside_digits(reading: Reading, *names: str) -> None:
    """Refuse what does not go with ``--digits``: other ways to read or mend a table."""
    own = ("dyadic", "renormalise", "letters", "rounding")
    for shown in typed(*own, *names):
        raise click.UsageError(f"{shown} does not go with --digits, which is about all mechanisms that print so; leave one of them out")


def _loss_help() -> str:
    known = [named_loss(word) for word in LOSSES]
    return ", ".join(loss.help or loss.word for loss in known) + ", or a CSV (rows: inputs)"


@dataclass(frozen=True, slots=True)
class ConsumerWords:
    """What was typed of a consumer: a loss or a gain, with a prior or side information."""

    loss: str | None
    gain: str | None = None
    prior: str | None = None
    side_information: str | None = None


def _completed(words: Sequence[str], begun: str) -> list[CompletionItem]:
    """The words that begin so, beside the files, which the shell knows."""
    from click.shell_completion import CompletionItem  # when the Tab key is pressed

    return [CompletionItem(begun, type="file"), *(CompletionItem(word) for word in words if word.startswith(begun))]


def complete_loss(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """What the Tab key offers for a loss."""
    return _completed(LOSSES, begun)


def complete_mechanism(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """What the Tab key offers for a mechanism: the families, before their parameters."""
    return _completed([f"{family}:" for family in mechanisms.FAMILIES], begun)


def complete_graph(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """What the Tab key offers for a graph."""
    return _completed([*SIZED_BY_INPUTS, *(f"{family}:" for family in FAMILIES)], begun)


def consumer_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--loss``, ``--gain``, ``--prior`` and ``--side-information``: the command's ``consumer``."""

    @click.option("--loss", metavar="LOSS", help=_loss_help(), shell_complete=complete_loss)
    @click.option("--gain", metavar="GAIN", help="As --loss, but to be maximised: a CSV, or zero-one (1 for a right guess).")
    @click.option("--prior", metavar="PRIOR", help="Makes the consumer Bayesian: uniform, a CSV row, or 1/2,1/4,1/4.")
    @click.option("--side-information", metavar="SET", help="Inputs that a minimax consumer holds possible: 0..3 or 1,2,5.")
    @wraps(command)
    def run(loss: str | None, gain: str | None, prior: str | None, side_information: str | None, **given: Any) -> Any:
        return command(consumer=ConsumerWords(loss, gain, prior, side_information), **given)

    return run


T = TypeVar("T")

_IDLE = {
    "labels": "no CSV file with labels was read (JSON carries its own labels, words and .npy files have none)",
    "dyadic": "no file of numbers was read",
    "header": "no CSV file was read (JSON carries its own labels, words and .npy files have none)",
    "transpose": "no file of a mechanism was read",
    "renormalise": "no file of a mechanism or remap was read",
    "renormalise_prior": "no weights of a prior were read",
    "letters": "none of its letters is in what was read",
    "digits": "no table of a mechanism was read",
}


READ = "read: "
"""How a note begins that says which file was read."""


class Reading:
    r"""The options of how files are read, and which of them were used.

    >>> reading = Reading(dyadic=True)
    >>> reading.require_used()
    Traceback (most recent call last):
    ...
    click.exceptions.UsageError: --dyadic has no effect: no file of numbers was read; leave it out
    >>> reading.grid(b"1/2,1/2", "t.csv").form, reading.notes()
    ('csv', ['--dyadic changed nothing: no decimal and no float was read'])
    >>> reading.grid(b"no,yes\n1/2,1/2", "t.csv").outputs, reading.notes()[0]
    (['no', 'yes'], 't.csv: line 1 is read as the labels (no, yes) of the columns')
    """

    def __init__(
        self,
        labels: bool = False,
        dyadic: bool = False,
        renormalise: bool = False,
        by_position: bool = False,
        letters: Letters | None = None,
        *,
        header: bool | None = None,
        transpose: bool = False,
        renormalise_prior: bool = False,
        digits: Digits | None = None,
    ) -> None:
        self.labels, self.dyadic, self.renormalise, self.by_position = labels, dyadic, renormalise, by_position
        self.letters, self.digits = letters, digits
        self.header, self.transpose, self.renormalise_prior = header, transpose, renormalise_prior
        if labels and header is not None:
            raise click.UsageError("--labels: line 1 and the first column are labels; --header: line 1 only; give one of them")
        self._used: set[str] = set()
        self._said: dict[str, None] = {}
        self.subjects: list[Subject] = []
        self._decimals = self._mended = False
        self.undivided: Table | None = None
        self.rows_named = True

    @property
    def saw_decimals(self) -> bool:
        """Whether a decimal or a float was read."""
        return self._decimals

    def use(self, option: str) -> None:
        """Note that an option (by the name of the attribute) entered the answer."""
        self._used.add(option)

    @property
    def used(self) -> frozenset[str]:
        """The options that entered the answer."""
        return frozenset(self._used)

    def read_letters(self, text: str | None) -> Letters | None:
        """The letters for a text, and a note that they are used if one of them is in it."""
        if self.letters is not None and text is not None and not {*self.letters.names}.isdisjoint(names_in(text)):
            self.use("letters")
        return self.letters

    @property
    def has_region(self) -> bool:
        """Whether ``--letters`` has letters that are no numbers."""
        return self.letters is not None and self.letters.region is not None

    @property
    def has_level(self) -> bool:
        """Whether the level's letter is one of these."""
        return self.has_region and self.letters is not None and not {*LEVEL}.isdisjoint(self.letters.names)

    def add_level(self) -> Letters:
        """The letters with that of the level, a in (0, 1), among them."""
        assert self.letters is not None
        if not self.has_level:
            self.letters = self.letters.joined(letters_of({LEVEL[0]: "(0, 1)"}))
        return self.letters

    def require_used(self) -> None:
        """Refuse an option that was given and had no effect."""
        for option, reason in _IDLE.items():
            given = getattr(self, option)
            absent = given is None if option in ("header", "digits") else not given
            if not absent and option not in self._used:
                shown = "no-header" if option == "header" and not self.header else option.replace("_", "-")
                raise click.UsageError(f"--{shown} has no effect: {reason}; leave it out")

    def mended(self, table: Table | None) -> None:
        """Note that ``--renormalise`` was applied to a table: as it was, if that changed it."""
        self.use("renormalise")
        self.undivided = table
        self._mended |= table is not None

    def say(self, title: str, *notes: str) -> None:
        """Note what was told apart in a file without an option, or what an option might do."""
        self._said.update((f"{title}: {note}", None) for note in notes)

    def note_file(self, name: str, content: bytes) -> str:
        """Note which file was read, and return how it is called."""
        named = named_file(name, content)
        self._said[f"{READ}{named}"] = None
        return named

    def note_subject(self, kind: str, name: str, *, file: bool = True) -> None:
        """Note what is to be judged: sentences about it name its file."""
        self.subjects.append(Subject(kind, name, file))

    def notes(self) -> list[str]:
        """What the answer says of how files were read, and of options that changed nothing."""
        notes = list(self._said)
        notes += [f"letters: {self.letters}"] if self.letters is not None and "letters" in self._used else []
        notes += ["--dyadic changed nothing: no decimal and no float was read"] if self.dyadic and not self._decimals else []
        if self.by_position and "by_position" not in self._used:
            notes.append("--by-position changed nothing: nothing labelled had to be matched with anything unlabelled")
        return [*notes, "--renormalise changed nothing: all rows sum to 1"] if self.renormalise and not self._mended else notes

    def grid(self, content: bytes, title: str) -> Grid:
        """Entries and labels of a file of a loss, a remap, distances: of exact numbers."""
        grid = self._grid(content, title)
        in_file(title, lambda: readers.refuse_aside(grid.aside))
        return grid

    def _grid(self, content: bytes, title: str) -> Grid:
        """Entries and labels of a file."""
        own = self.header if self._may_have_header(content) else None

        def read() -> Grid:
            return readers.read_grid(content, labels=self.labels, dyadic=self.dyadic, letters=self.letters, header=own)

        return self._told(in_file(title, read), title)

    def mechanism_grid(self, content: bytes, title: str) -> Grid:
        """The same of a mechanism's table, with ``--transpose`` its rows and columns exchanged."""
        grid = self._grid(content, title)
        if not self.transpose and not self.labels and self.header is None:
            counted = readers.without_index(grid)
            self.say(title, *counted.notes[len(grid.notes) :])
            return counted
        if not self.transpose:
            return grid
        self.use("transpose")
        self.say(title, "transposed: its columns are read as the rows, one for each input")
        return grid.transposed()

    @staticmethod
    def _may_have_header(content: str | bytes) -> bool:
        """Whether it is of a form whose first line may name the columns: no JSON, and no array."""
        from exactdp.readers.formats import format_of

        try:
            return not format_of(content).instead_of_header
        except InputError:  # told when it is read
            return True

    def table(self, content: bytes, title: str) -> Table:
        """A table of numbers."""
        return self.numbers(self.grid(content, title), title)

    def numbers(self, grid: Grid, title: str) -> Table:
        """The table of numbers that was read."""
        return in_file(title, lambda: readers.read_table(grid, dyadic=self.dyadic))

    def printed(self, grid: Grid, title: str) -> PrintedTable:
        """The table of numbers as they were printed."""
        assert self.digits is not None
        digits = self.digits
        self.use("digits")

        def read() -> PrintedTable:
            try:
                return readers.read_table(grid, digits=digits)
            except NegativeEntryError as error:
                if self.header is not None or self.transpose:
                    raise
                raise readers.offering_header(grid, error) from None

        return in_file(title, read)

    def prior(self, content: str | bytes, title: str) -> Prior:
        """A prior, with the labels that the file has."""
        file = isinstance(content, bytes)
        own = self.header if file and self._may_have_header(content) else None
        found = in_file(title, lambda: readers.prior_grid(content, labels=self.labels and file, letters=self.letters, header=own))
        grid = self._told(found, title, file=file)
        if not self.renormalise_prior:
            return in_file(title, lambda: readers.read_prior(grid, dyadic=self.dyadic))
        self.use("renormalise_prior")
        prior = in_file(title, lambda: readers.read_prior(grid, dyadic=self.dyadic, renormalise=True))
        total = self._sum_of(grid)
        unchanged = same_formula(total, 1)
        about = "the weights of the prior sum to 1" if unchanged else f"the weights of the prior sum to {total}; each was divided by it"
        self.say(title, f"{about}{'; --renormalise-prior changed nothing' if unchanged else ', and what follows is about that prior'}")
        return prior

    def _sum_of(self, grid: Grid) -> Any:
        """The sum of the weights in a file."""
        from exactdp.readers.tables import number_reader

        weights = [x for row in grid.entries(number_reader(grid, dyadic=self.dyadic)) for x in row]
        field = common_field(field_of(weights))
        return sum(map(field, weights), field.zero)

    def metric(self, content: bytes, title: str, name: str) -> Metric:
        """A table of distances; the name is that of the metric."""
        grid = self.grid(content, title)
        return in_file(title, lambda: readers.read_metric(grid, dyadic=self.dyadic, name=name))

    def _told(self, grid: Grid, title: str, *, file: bool = True) -> Grid:
        """The grid, after noting which options were used; weights on the command line have no labels."""
        if grid.form == "csv" and file:
            self.use("labels")
            self.use("header")
        self.use("dyadic")
        self._decimals |= grid.has_decimals
        self.say(title, *grid.notes)
        for row in grid.rows if self.letters is not None else ():
            for cell in row:
                self.read_letters(cell if isinstance(cell, str) else None)
        if grid.letters is not None and grid.letters != self.letters:
            self.say(title, f"its letters: {grid.letters}")
        return grid


def may_be_formulas(error: InputError, grid: Grid) -> bool:
    """Whether a table that is none of numbers may have formulas in the level, which is the only letter."""
    if isinstance(error, RationalSyntaxError):
        return True
    return grid.letters is not None and grid.letters.region is None and error.facts.get("letter") in LEVEL


def typed(*names: str) -> list[str]:
    """Those of these parameters of the command that were given, as they are typed."""
    context = click.get_current_context()
    given = [p for p in context.command.params if p.name in names]
    given = [p for p in given if context.get_parameter_source(str(p.name)) is ParameterSource.COMMANDLINE]
    return [p.human_readable_name if isinstance(p, click.Argument) else p.opts[0] for p in given]


def leave_out(reason: str, *names: str) -> None:
    """Refuse the first of these parameters of the command that was given: it does not enter the answer."""
    for shown in typed(*names):
        raise click.UsageError(f"{shown} has no effect: {reason}; leave it out")


def in_file(title: str, read: Callable[[], T]) -> T:
    """What ``read()`` returns; its errors begin with the name of the file."""
    try:
        return read()
    except ExactDPError as error:
        raise type(error)(f"{title}: {error.message}", **error.facts) from None
