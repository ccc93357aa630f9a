# SPDX-License-Identifier: MIT
"""``exactdp release``: one result at several privacy levels."""

from __future__ import annotations

import click

from exactdp.analysis import multi_level_release
from exactdp.cli.command import ExampleCommand
from exactdp.cli.output import Output, answering
from exactdp.errors import InputError, ResourceLimitError
from exactdp.model import AdjacencyGraph, PrivacyLevel

__all__ = ["release"]


@click.command(
    cls=ExampleCommand,
    examples=(
        "exactdp release --n 3 --levels 1/4,1/2,3/4",
        "exactdp release --n 2 --levels 1/3,1/2 -o release.edp.json",
        "exactdp release --n 2 --epsilons 1,1/2",
    ),
)
@click.option("--n", "n", type=int, required=True, help="Inputs and results are 0..n.")
@click.option("--levels", metavar="LEVELS", help="Increasing levels, such as 1/4,1/2,3/4: the least private first.")
@click.option("--epsilons", metavar="EPSILONS", help="Instead of levels: decreasing ε, such as 1,1/2: the least private first.")
@answering
def release(out: Output, n: int, levels: str | None, epsilons: str | None) -> int:
    """Release a count at several levels so that no coalition learns more than its least private member.

    Builds the stages (each result is computed from the one before) and finds, for every coalition of consumers, the exact level
    of what it sees.
    """
    if (levels is None) == (epsilons is None):
        raise click.UsageError("give one of --levels (increasing, such as 1/4,1/2) and --epsilons (decreasing, such as 1,1/2)")
    option = "--levels" if epsilons is None else "--epsilons"
    parsed = []
    for place, text in enumerate((epsilons or levels or "").split(","), 1):
        try:
            parsed.append(PrivacyLevel(text.strip()) if epsilons is None else PrivacyLevel.from_epsilon(text.strip()))
        except (InputError, ResourceLimitError) as error:
            raise type(error)(f"{option}, number {place}: {error.message}", **error.facts) from None
    verdict = multi_level_release(n, parsed)
    out.about(AdjacencyGraph.path(n + 1), "a result of 0..n and the next ones")
    return out.answer(verdict)
