# SPDX-License-Identifier: MIT
"""The program: its commands, loaded when they are used, and the one place where an exception becomes an exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

import click

from exactdp import __version__
from exactdp.cli.command import write_examples
from exactdp.cli.failures import report_failure
from exactdp.cli.interrupts import interruptible
from exactdp.cli.stream import discard_output

__all__ = ["COMMANDS", "main"]

COMMANDS = {
    "privacy": ("exactdp.cli.privacy", "How private is a mechanism or table, exactly?"),
    "derive": ("exactdp.cli.derive", "Is A = B·R: can A be derived from B?"),
    "refine": ("exactdp.cli.derive", "Is A ⊑ B, that is, B = A·R?"),
    "remap": ("exactdp.cli.remap", "A consumer's best remap of a mechanism."),
    "release": ("exactdp.cli.release", "One result at several levels: what do coalitions learn?"),
    "optimal": ("exactdp.cli.optimal", "The optimum for a consumer; is a mechanism optimal, and if not, by how much?"),
    "determinant": ("exactdp.cli.determinant", "Is a closed form the determinant, for all levels?"),
    "tight": ("exactdp.cli.tight", "Is there a tight-constraints mechanism for a graph; at which levels?"),
    "regular": ("exactdp.cli.regular", "Is a prior regular for a graph; at which levels?"),
    "audit": ("exactdp.cli.audit", "A deployed table in one report: privacy, claim, optimality, repair."),
    "type": ("exactdp.cli.type", "All mechanisms of a privacy type: vertices, kernel mechanisms, capacities."),
    "verify": ("exactdp.cli.verify", "Check certificates with the kernel, nothing else."),
    "show": ("exactdp.cli.show", "Print a certificate, mechanism or table for people."),
    "convert": ("exactdp.cli.convert", "Change the format of a table or certificate."),
    "claims": ("exactdp.cli.claims", "Recompute the recorded claims of papers."),
    "cite": ("exactdp.cli.cite", "How to cite a recorded claim or a certificate: the paper's entry and the digest."),
    "demo": ("exactdp.cli.claims", "Recompute the best-known claims and write their certificates."),
}
"""Each command with its module and its line in the list."""

LATER: set[str] = set()

HELP = """Exact verdicts about differentially private mechanisms, with certificates that a tiny kernel re-checks.

Every number is exact: 1/3, 0.125, 2e-3. A level is a rational α (--alpha 1/4), an ε (--epsilon 1/10, that is α = e^(−ε)), or the letter a
(--alpha symbolic: all levels at once). A file named - is standard input. 'exactdp COMMAND --help' has the details and more examples.

Exit codes: 0 proved or accepted, 1 refuted or rejected, 2 wrong usage, 3 malformed input, 4 undecided or a limit was reached, 70 a defect
of exactdp.
"""

EXAMPLES = (
    "exactdp privacy geometric:n=3 --alpha 1/4",
    "exactdp optimal --graph cycle:5 --alpha 1/2 --loss zero-one",
    "exactdp optimal geometric:n=3 --alpha 1/4 --loss abs --best-remap -o c.json",
    "exactdp optimal --graph path:4 --alpha symbolic --loss squared",
    "exactdp verify c.json",
)


class Program(click.Group):
    """The group of all commands; no exception leaves it."""

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
        """Say what is planned, and what was probably meant."""
        if args and args[0] in LATER:
            raise click.UsageError(f"'{args[0]}' is not available in this version; 'exactdp --help' lists what is", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples."""
        write_examples(formatter, EXAMPLES)

    def main(  # type: ignore[override]
        self, args: Sequence[str] | None = None, prog_name: str | None = "exactdp", **extra: Any
    ) -> NoReturn:
        """Run, and exit with the code of the contract whatever happens."""
        words = list(sys.argv[1:] if args is None else args)
        extra["standalone_mode"] = False
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")
        try:
            with interruptible():
                code = super().main(words, prog_name, **extra)
                sys.stdout.flush()
        except BrokenPipeError:
            discard_output()
            code = 0
        except BaseException as error:
            if "--debug" in words and isinstance(error, Exception) and not isinstance(error, click.ClickException):
                raise
            code = report_failure(error, as_json="--json" in words)
        sys.exit(code if isinstance(code, int) else 0)


@click.group(cls=Program, help=HELP, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="exactdp")
@click.option("--debug", is_flag=True, expose_value=False, help="Show a traceback when something fails.")
def main() -> None:
    """See HELP."""
