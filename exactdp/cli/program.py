# SPDX-License-Identifier: MIT
"""The program: its commands, its exit codes, and what happens when it fails or is interrupted.

Commands are loaded when they are used. No exception leaves the program: each becomes one message, which says
who has to do what, and an exit code.
"""

from __future__ import annotations

import contextlib
import math
import os
import re
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NoReturn

import click

from exactdp import __version__
from exactdp.cli.file_access import held_files
from exactdp.errors import (
    CertificateError,
    DefectiveAnswerError,
    DomainError,
    ExactDPError,
    InputError,
    RejectedCertificateError,
    ResourceLimitError,
    SearchError,
    UndecidedSignError,
    WriteError,
    bounded,
    printable,
    repr_of,
)
from exactdp.runtime.budget import MOST, budget
from exactdp.runtime.process import Deadline, Streams, TimeIsUpError, failure_json, interruptible, standard_streams
from exactdp.runtime.progress import Progress, ProgressBar, monitored
from exactdp.spelling import own_spelling

_SECONDS, _LINE, _WORDS = "exactdp.seconds", "exactdp.line", "exactdp.words"


class _Seconds(click.FloatRange):
    """A number of seconds; not a number and infinity are none."""

    name = "number of seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        seconds = super().convert(value, param, ctx)
        if not math.isfinite(seconds):
            self.fail(f"{value!r} is no number of seconds; without --time-limit there is no limit", param, ctx)
        return seconds


def _keep_seconds(ctx: click.Context, param: click.Parameter, value: float | None) -> None:
    ctx.meta[_SECONDS] = value


_TIME_LIMIT: dict[str, Any] = {
    "type": _Seconds(min=0),
    "metavar": "SECONDS",
    "callback": _keep_seconds,
    "expose_value": False,
    "help": "End so long after the start, with what is certain until then (exit code 4).",
}
_DEBUG: dict[str, Any] = {"is_flag": True, "expose_value": False, "help": "Show a traceback when something fails."}


def _allow(ctx: click.Context, _: click.Parameter, factor: int | None) -> None:
    """Let a budget hold until the command ends."""
    if factor is not None:
        ctx.with_resource(budget(factor))


_BUDGET: dict[str, Any] = {
    "type": click.IntRange(1, MOST),
    "metavar": "FACTOR",
    "expose_value": False,
    "is_eager": True,
    "callback": _allow,
    "help": "Allow tables, graphs, numbers and files of FACTOR times the usual size, where the machine has the memory and you the time.",
}


TABLES = (
    "Lines of cells (CSV, the clipboard), JSON, Excel (.xlsx), NumPy (.npy, .npz, what it prints), R (print, dput), Matlab (.mat), LaTeX, "
    "long form (lines i, j, p); '-' is standard input. What is in a file decides, not its name."
)
"""The files that every command reads which reads tables."""


class ExampleCommand(click.Command):
    """A command with ``examples``, shown as they are at the end of its help, with ``--budget`` if it builds
    something, and with ``--time-limit`` and ``--debug`` as last options. An option with one value is given
    once. While the command runs, its line of progress listens.
    """

    def __init__(self, *args: Any, examples: Sequence[str] = (), builds: bool = True, **settings: Any) -> None:
        super().__init__(*args, **settings)
        if builds:
            self.params.append(click.Option(["--budget"], **_BUDGET))
        self.params += [click.Option(["--time-limit"], **_TIME_LIMIT), click.Option(["--debug"], **_DEBUG)]
        self.examples = tuple(examples)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words; of an option with one value that is given twice, click would take the last."""
        ctx.meta[_WORDS] = ("exactdp", str(ctx.info_name), *args)
        single = [p for p in self.params if isinstance(p, click.Option) and not (p.multiple or p.is_flag or p.count)]
        parser = self.make_parser(ctx)
        for option in single:
            parser.add_option(option, option.opts, dest=option.name, action="append")
        try:
            given, left, _ = parser.parse_args(list(args))
        except click.NoSuchOption as error:
            from exactdp.cli.otherwise import meant_option  # only for this message

            told = meant_option(self, error.option_name, args)
            raise click.NoSuchOption(error.option_name, f"{error.message.rstrip('.')}{told}" if told else error.message, ctx=ctx) from None
        for option in single:
            values = given.get(str(option.name)) or []
            if len(values) > 1 and not ctx.resilient_parsing:
                shown = " and ".join(map(repr_of, values))
                raise click.UsageError(f"{option.opts[0]} has one value, and is given {shown}; give it once", ctx)
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            if not error.message.startswith("Got unexpected extra argument"):
                raise
            from exactdp.cli.otherwise import meant_word  # only for this message

            raise click.UsageError(f"{error.message}{meant_word(self, left)}", ctx) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Run under the time limit, which began with the program."""
        deadline, seconds = ctx.find_object(Deadline) or Deadline(), ctx.meta.get(_SECONDS)
        as_json = bool(ctx.params.get("as_json"))
        ctx.meta[_LINE] = line = ProgressBar(sys.stderr, visible=sys.stderr.isatty() and not as_json)
        if seconds is not None:
            deadline.set(seconds, lambda: line.latest)
        with line, monitored(line if line.visible or seconds is not None else None, seconds, since=deadline.start):
            line(Progress("reading"))
            return super().invoke(ctx)

    @property
    def files(self) -> str:
        """Which files of tables it reads; empty if it reads none."""
        return TABLES if any(one.name == "labels" for one in self.params) else ""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Which files are read, and the examples, one a line."""
        super().format_epilog(ctx, formatter)
        if self.files:
            with formatter.section("Files of tables"):
                formatter.write(f"{click.wrap_text(self.files, formatter.width, '  ', '  ')}\n")
        write_examples(formatter, self.examples)


def command(*examples: str, builds: bool = True) -> Callable[[Callable[..., Any]], ExampleCommand]:
    """Make a function a command of the program, with these examples of its use."""
    return click.command(cls=ExampleCommand, examples=examples, builds=builds)


def write_examples(formatter: click.HelpFormatter, examples: Sequence[str]) -> None:
    """A section of commands, one a line; on a terminal that is narrower in the shell's own way."""
    width = terminal_width()
    with formatter.section("Examples"):
        for line in examples:
            formatter.write(f"  {line if width is None else continued(line, width)}\n")


def continued(line: str, width: int) -> str:
    r"""A command in lines that fit into a terminal, broken before options; it can be pasted as it stands.

    >>> continued("exactdp optimal --graph path:3 --loss abs", 32)
    'exactdp optimal \\\n    --graph path:3 --loss abs'
    """
    words: list[str] = []
    for part in re.split(r" (?=--?[a-z])", line):  # an option stays beside its value
        words += [part] if len(part) + 6 <= width else re.findall(r"(?:'[^']*'|\"[^\"]*\"|\S)+", part)
    lines = [words[0]]
    for word in words[1:]:
        if len(lines[-1]) + len(word) + 7 <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return " \\\n    ".join(lines)


json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


def terminal_width() -> int | None:
    """How many columns the terminal has that the answer goes to; None if it goes elsewhere."""
    if not sys.stdout.isatty():
        return None
    from shutil import get_terminal_size  # loaded for terminals only

    return get_terminal_size().columns


def fitted(line: str, width: int) -> str:
    r"""A line that is longer than the terminal is wide, folded at spaces under its second column.

    >>> fitted("  law     one two three four", 22)
    '  law     one two\n          three four'
    >>> fitted("c.json: accepted: yes", 16)
    'c.json:\n  accepted: yes'
    """
    if len(line) <= width:
        return line
    from textwrap import wrap

    column = re.match(r" *\S+(?: \S+)* {2,}(?=\S)", line)
    beside = 0 if column is None else column.end()
    if not 0 < beside <= width // 2 or beside + max(map(len, line.split())) > width:
        beside = 0
    leading = line[:beside] if beside else " " * (len(line) - len(line.lstrip(" ")))
    indent = beside or len(leading) + 2
    lines = wrap(line[len(leading) :], width - indent, break_long_words=False, break_on_hyphens=False)
    return leading + f"\n{' ' * indent}".join(lines)


def say(text: str, *, more: bool = False, coloured: tuple[str, str] = ("", ""), fold: bool = False) -> None:
    """Print lines on standard output at once. Whether that worked is told at the end.

    ``coloured`` is a word that the text begins with, and its colour on a terminal; ``NO_COLOR`` is respected.
    ``fold``: lines are made to fit into a terminal (:func:`fitted`); data and what is pasted are not.

    Unless there is more to come, the line of progress ends here, and no time limit ends the program.

    What a terminal would obey is escaped (:func:`~exactdp.errors.printable`), here once more for what was
    forgotten elsewhere; only the lines stay.
    """
    if not more:
        finish()
    context = click.get_current_context(silent=True)
    with contextlib.nullcontext() if context is None or _LINE not in context.meta else progress_line().hidden():
        width = terminal_width() if fold else None
        lines = _lines(text)
        lines = lines if width is None else "\n".join(fitted(line, width) for line in lines.split("\n"))
        click.echo(_in_colour(lines, *coloured))


def _in_colour(text: str, word: str, colour: str) -> str:
    """The text whose first word has a colour, on a terminal that shows any."""
    shows = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    if not colour or not shows or not text.startswith(word):
        return text
    return click.style(word, fg=colour, bold=True) + text.removeprefix(word)


def finish() -> None:
    """The answer is there: the line of progress is erased, and the time limit ends nothing any more."""
    context = click.get_current_context(silent=True)
    if context is not None and _LINE in context.meta:
        progress_line().erase()
        deadline = context.find_object(Deadline)
        if deadline is not None:
            deadline.cancel()


def tell(text: str) -> None:
    """Print lines on standard error, escaped as :func:`say` does."""
    click.echo(_lines(text), err=True)


def _lines(text: str) -> str:
    return "\n".join(map(printable, text.split("\n")))


def command_line() -> tuple[str, ...]:
    """The words of the command that runs, with its name; of one that is run again, as it was given."""
    held = held_files()
    if held is not None:
        return held.command
    return tuple(click.get_current_context().meta[_WORDS])


def progress_line() -> ProgressBar:
    """The line of progress of the command: on a terminal, and not beside JSON, which programs read."""
    line = click.get_current_context().meta[_LINE]
    assert isinstance(line, ProgressBar)
    return line


PROVED, REFUTED, USAGE, MALFORMED, LIMIT, UNWRITTEN, DEFECT, INTERRUPTED = 0, 1, 2, 3, 4, 5, 70, 130
"""The exit codes of the contract, and the shell's for Ctrl-C."""

REPLAYED = 0
"""The exit code of what is replayed; the word tells it from what is proved."""

SIGNALLED = 128
"""Larger codes tell the number of the signal that ended the program."""

_CODES: tuple[tuple[type[BaseException], int], ...] = (
    (KeyboardInterrupt, INTERRUPTED),
    (click.Abort, INTERRUPTED),
    (click.ClickException, USAGE),
    (RejectedCertificateError, REFUTED),
    (CertificateError, MALFORMED),
    (InputError, MALFORMED),
    (UndecidedSignError, LIMIT),
    (DomainError, MALFORMED),
    (DefectiveAnswerError, DEFECT),
    (ResourceLimitError, LIMIT),
    (SearchError, LIMIT),
    (MemoryError, LIMIT),
    (TimeIsUpError, LIMIT),
    (WriteError, UNWRITTEN),
    (OSError, USAGE),
)


def exit_code(error: BaseException) -> int:
    """The exit code that an exception stands for.

    >>> exit_code(InputError("no")), exit_code(ValueError("no"))
    (3, 70)
    """
    if isinstance(error, (SystemExit, click.exceptions.Exit)):
        given = error.code if isinstance(error, SystemExit) else error.exit_code
        return given if isinstance(given, int) else 0
    return next((code for kind, code in _CODES if isinstance(error, kind)), DEFECT)


def report_failure(error: BaseException, *, as_json: bool) -> int:
    """Say what failed, on standard error or as the one JSON object; return the exit code."""
    code = exit_code(error)
    if isinstance(error, (SystemExit, click.exceptions.Exit)):
        return code
    if as_json:
        say(failure_json(message_of(error), type(error).__name__, code))
    elif code == INTERRUPTED:
        tell("Interrupted.")
    elif isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
    elif isinstance(error, click.UsageError):
        if error.ctx is not None:
            tell(f"{error.ctx.get_usage()}\nTry '{error.ctx.command_path} --help' for help.\n")
        tell(f"Error: {message_of(error)}")
    else:
        tell(f"{'UNDECIDED ' if isinstance(error, UndecidedSignError) else 'Error:'} {message_of(error)}")
    return code


def message_of(error: BaseException) -> str:
    """What an exception says to whoever ran the command, of a length that is read."""
    return bounded(_sentence(error))


def _sentence(error: BaseException) -> str:
    if isinstance(error, click.MissingParameter):
        return " ".join(error.format_message().split())  # its choices come a line each
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, (KeyboardInterrupt, click.Abort)):
        return "interrupted"
    if isinstance(error, DefectiveAnswerError):
        return f"{error.message} (a defect of exactdp; --debug shows where)"
    if isinstance(error, ExactDPError):
        return error.message
    if isinstance(error, MemoryError):
        return "there is not enough memory; ask about something smaller"
    if isinstance(error, OSError):
        name = f"{error.filename}: " if error.filename else ""
        return f"{name}{error.strerror or error}"
    if isinstance(error, ImportError) and error.name and not error.name.startswith("exactdp"):
        return f"{error.name} can't be imported ({error}); the installation of exactdp is incomplete, install it again"
    what = f"{type(error).__name__}: {error}"
    return f"{what}; this is a defect of exactdp, please report it with the command and its input (--debug shows where it happened)"


COMMANDS = {
    "privacy": ("exactdp.cli.privacy", "How private is a mechanism or table, exactly?"),
    "derive": ("exactdp.cli.derive", "Is A = B·R: can A be derived from B?"),
    "refine": ("exactdp.cli.derive", "Is A ⊑ B, that is, B = A·R?"),
    "remap": ("exactdp.cli.remap", "A consumer's best remap of a mechanism."),
    "release": ("exactdp.cli.privacy", "One result at several levels: what do coalitions learn?"),
    "compose": ("exactdp.cli.composition", "Several releases together: of one input, of separate parts, of single people."),
    "delta": ("exactdp.cli.approximate", "(ε, δ)-privacy: the least δ of an ε, the smallest ε of a δ, or both."),
    "optimal": ("exactdp.cli.optimal", "The optimum for a consumer; is a mechanism optimal, and if not, by how much?"),
    "determinant": ("exactdp.cli.determinant", "Is a closed form the determinant, for all levels?"),
    "generalise": (
        "exactdp.arguments.generalisation.command",
        "A closed form in n from answers for small n; is its argument replayed?",
    ),
    "tight": ("exactdp.cli.tight", "Is there a tight-constraints mechanism for a graph; at which levels?"),
    "regular": ("exactdp.cli.tight", "Is a prior regular for a graph; at which levels?"),
    "audit": ("exactdp.cli.audit", "A deployed table in one report: privacy, claim, optimality, repair; compare it with another."),
    "register": ("exactdp.cli.register", "Check a register of audits: each line, its digest, and the chain."),
    "type": ("exactdp.cli.type", "All mechanisms of a privacy type: vertices, kernel mechanisms, capacities."),
    "mechanisms": ("exactdp.cli.mechanisms", "The words that name mechanisms: parameters, law, source, example."),
    "verify": ("exactdp.cli.verify", "Check certificates with the checker, nothing else."),
    "sweep": ("exactdp.cli.sweep", "Many questions, from a plan, on all cores or a Dask cluster; it can be stopped and goes on."),
    "index": ("exactdp.cli.sweep", "Answers of a sweep, by an SQL condition."),
    "show": ("exactdp.cli.convert", "Print a certificate, mechanism or table for people."),
    "convert": ("exactdp.cli.convert", "Change the format of a table or certificate."),
    "demo": ("exactdp.cli.demo", "Recompute the best-known claims and write their certificates."),
}
"""Each command with its module and its line in the list."""

HELP = """Exact verdicts about differentially private mechanisms, with certificates that a small checker re-checks.

Every number is exact: 1/3, 0.125, 2e-3. A level is a rational α (--alpha 1/4), an ε (--epsilon 1/10 or 'ln(3)', α = e^(−ε)), or the letter
a (--alpha symbolic: all levels at once). A file named - is standard input. 'exactdp COMMAND --help' has the details and more examples.

Exit codes: 0 proved, accepted or replayed, 1 refuted or rejected, 2 wrong usage, 3 malformed input, 4 undecided or a limit was reached,
5 the answer or a file could not be written, 70 a defect of exactdp.
"""

SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 110, "token_normalize_func": own_spelling}
"""How the help of every command is asked for and laid out."""

EXAMPLES = (
    "exactdp privacy geometric:n=3 --alpha 1/4",
    "exactdp optimal --graph cycle:5 --alpha 1/2 --loss zero-one",
    "exactdp optimal geometric:n=3 --alpha 1/4 --loss abs --after-remap -o c.json",
    "exactdp optimal --graph path:4 --alpha symbolic --loss squared",
    "exactdp verify c.json",
)


class Contract(click.Command):
    """A command that no exception leaves: it ends with the exit codes of the contract."""

    def main(  # type: ignore[override]
        self, args: Sequence[str] | None = None, prog_name: str | None = "exactdp", **extra: Any
    ) -> NoReturn:
        """Run, and exit with the code of the contract whatever happens."""
        words = list(sys.argv[1:] if args is None else args)
        extra["standalone_mode"] = False
        extra["obj"] = deadline = Deadline()
        with standard_streams() as streams:
            try:
                with interruptible(deadline, words if args is None else None):
                    code = self._run(words, prog_name, streams, extra)
            except Exception as error:  # no file, process or thread is left with which this one could be stopped
                code = report_failure(error, as_json="--json" in words and not streams.begun)
            except (KeyboardInterrupt, SystemExit, TimeIsUpError) as error:  # while something else was told
                code = exit_code(error)
                streams.drop(errors=True)
            lost = streams.failure()
            if lost is not None and code < SIGNALLED:
                code = UNWRITTEN
                click.echo(f"Error: the answer can't be written to standard output: {lost}", err=True)
        sys.exit(code)

    def _run(self, words: list[str], name: str | None, streams: Streams, settings: dict[str, Any]) -> int:
        """The exit code of a command line, after what is to be said has been said."""
        try:
            try:
                code = super().main(words, name, **settings)
            except TimeIsUpError:
                raise ResourceLimitError(settings["obj"].sentence) from None
        except BaseException as error:
            if "--debug" in words and isinstance(error, Exception) and not isinstance(error, click.ClickException):
                import traceback

                traceback.print_exception(error)
            if exit_code(error) > SIGNALLED and streams.begun:
                streams.drop()
            return report_failure(error, as_json="--json" in words and not streams.begun)
        return code if isinstance(code, int) else 0


class Program(Contract, click.Group):
    """The group of all commands."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order of a session."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command's module."""
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(COMMANDS[cmd_name][0]), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """The command; one that is not there is refused with the one that is most like it."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            from exactdp.cli.otherwise import meant_command  # only for this message

            ctx.fail(f"there is no command {args[0]!r}; {meant_command(args[0], args[1:], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples."""
        write_examples(formatter, EXAMPLES)


@click.group(cls=Program, help=HELP, context_settings=SETTINGS)
@click.version_option(__version__, prog_name="exactdp")
@click.option("--debug", **_DEBUG)
def main() -> None:
    """See HELP."""
