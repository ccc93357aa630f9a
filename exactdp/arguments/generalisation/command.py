# SPDX-License-Identifier: MIT
"""``exactdp generalise``: a closed form in n and the level, and whether its argument is replayed."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import click

from exactdp.arguments.generalisation.answer import Argument
from exactdp.arguments.generalisation.generalise import generalise as ask
from exactdp.cli.output import Output, answering
from exactdp.cli.program import command
from exactdp.cli.reading import WritablePath
from exactdp.errors import InputError, WriteError
from exactdp.runtime.files import make_folder


@command(
    "exactdp generalise det geometric",
    "exactdp generalise minimax zero-one path",
    "exactdp generalise additive capacity line --sizes 2..12 --json",
    "exactdp generalise capacity cube --arguments folder",
    builds=False,
)
@click.argument("question", nargs=-1, required=True, metavar="QUESTION...")
@click.option("--sizes", metavar="N..N", help="The n to ask at: 2..8, or 2,3,5,7. Three at least.")
@click.option("--arguments", "folder", type=WritablePath(folder=True), metavar="DIR", help="Write its argument to DIR.")
@partial(answering, certificate=False)
def generalise(out: Output, question: tuple[str, ...], sizes: str | None, folder: Path | None) -> int:
    """Does a closed form that fits the answers for small n hold for every n?

    The answers are exact for all levels. A form is fitted to them; if the argument checker replays its
    argument for every n, the verdict is 'replayed' (exit code 0), which is less than proved. The questions
    are 'det geometric', 'det geometric-prime', 'inverse geometric', 'minimax zero-one path', 'capacity line',
    'capacity discrete', 'capacity cube', and 'additive capacity …' of the same three.
    """
    if out.path is not None:
        raise click.UsageError("-o: what speaks for a formula at every n is an argument, not a certificate; --arguments DIR writes it")
    verdict = ask(" ".join(question), None if sizes is None else sizes_of(sizes), progress=out.progress)
    if folder is not None:
        out.notes += _written(verdict.evidence.arguments, folder, out)
    return out.answer(verdict)


def sizes_of(text: str) -> list[int]:
    """The n that a range or a list names.

    >>> sizes_of("2..4"), sizes_of("2, 3,7")
    ([2, 3, 4], [2, 3, 7])
    """
    span = re.fullmatch(r" *([0-9]{1,9}) *\.\. *([0-9]{1,9}) *", text)
    if span is not None:
        low, high = int(span[1]), int(span[2])
        if high - low < 1_000:
            return list(range(low, high + 1))
    elif re.fullmatch(r" *[0-9]{1,9} *(, *[0-9]{1,9} *){0,999}", text):
        return [int(part) for part in text.split(",")]
    raise InputError(f"--sizes {text[:80]!r}: write 2..8, or numbers such as 2,3,5,7", sizes=text)


def _written(arguments: tuple[Argument, ...], folder: Path, out: Output) -> list[str]:
    """Write the arguments; what there is to say of it."""
    if not arguments:
        return ["there is no argument to be written"]
    try:
        make_folder(folder)
    except WriteError as error:
        out.unwritten.append(error.message)
        return []
    names = [str(folder / f"{argument.name}.json") for argument in arguments if out.write(folder / f"{argument.name}.json", argument.text)]
    return [f"written to {name} (replay it: exactdp verify {name})" for name in names]
