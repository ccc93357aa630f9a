# SPDX-License-Identifier: MIT
"""``exactdp derive`` and ``exactdp refine``: can one mechanism be computed from the output of another?"""

from __future__ import annotations

from collections.abc import Sequence

import click

from exactdp.analysis.refinement import derivability, refinement_order
from exactdp.analysis.table_levels import derivability_by_level
from exactdp.cli.inputs import Given, common_labels, level_of, on_inputs, read_given
from exactdp.cli.output import Output, answering
from exactdp.cli.program import command
from exactdp.cli.reading import Reading, complete_mechanism, leave_out, level_options, reading_options
from exactdp.exact import RationalFunction
from exactdp.model import PrivacyLevel
from exactdp.report.registry import TOPICS, facts


@command(
    "exactdp derive geometric:n=3,alpha=1/2 --source geometric:n=3,alpha=1/4",
    "exactdp derive table.csv --source geometric:n=3 --alpha 1/2",
    "exactdp derive geometric:n=3,alpha=1/2 --source geometric:n=3 --alpha symbolic",
    "exactdp derive identity:n=3 --source geometric:n=3,alpha=1/4 -o no.edp.json",
)
@click.argument("mechanism", metavar="A --source B", shell_complete=complete_mechanism)
@click.option("--source", metavar="B", required=True, help="The mechanism that A should be derived from.")
@level_options
@reading_options
@answering
def derive(out: Output, mechanism: str, source: str, alpha: str | None, epsilon: str | None, reading: Reading) -> int:
    """Can A be derived from B: is A = B·R for a row-stochastic R?

    A comes first, as in this sentence; in Python is_derivable(A, source=B). The same question as 'refine B
    A', where B comes first: B is refined by A.

    Yes comes with R. No comes with a consumer (prior and loss) who strictly prefers A to anything made of B;
    when B is the geometric mechanism also with the violated three-term conditions.

    A and B are words ('exactdp mechanisms' lists them) or tables; --alpha is the level of words without one.
    With --alpha symbolic their entries may be formulas in the level a: for which levels is A derivable?
    """
    level = level_of(alpha, epsilon, reading=reading)
    target, given = _in_one_order([mechanism, source], reading, level, out)
    names = _names([given, target], [source, mechanism])
    if level is not None and isinstance(level.alpha, RationalFunction):
        return out.answer(derivability_by_level(target.table, given.table, names, out.progress))
    return out.answer(derivability(target.mechanism(), given.mechanism(), names, out.progress))


@command(
    "exactdp refine geometric:n=3,alpha=1/4 geometric:n=3,alpha=1/2",
    "exactdp refine uniform:n=3 geometric:n=3 --alpha 1/2 --json",
    "exactdp refine identity:n=3 geometric:n=3,alpha=1/4 geometric:n=3,alpha=1/2 uniform:n=3 -o order.edp.json",
)
@click.argument("mechanism", metavar="A", shell_complete=complete_mechanism)
@click.argument("target", metavar="B")
@click.argument("others", metavar="[C]...", nargs=-1)
@click.option("--order", "ordered", is_flag=True, help="Beside the answer the order of both: are they equivalent as channels?")
@level_options
@reading_options
@answering
def refine(
    out: Output,
    mechanism: str,
    target: str,
    others: tuple[str, ...],
    ordered: bool,
    alpha: str | None,
    epsilon: str | None,
    reading: Reading,
) -> int:
    """Is A refined by B, A ⊑ B: is B = A·R for a row-stochastic R?

    A comes first, as in this sentence; in Python is_refined_by(A, B). The same question as 'derive B
    --source A', where B comes first: B is derived from A.

    With three mechanisms or more: the refinements among all of them, as a Hasse diagram, with a
    post-processing or a separating loss for every pair; mechanisms that refine each other are equivalent as
    channels.

    Mechanisms are words ('exactdp mechanisms' lists them) or tables; --alpha is the level of words without
    one.
    ('derive --alpha symbolic' also tells for which levels.)
    """
    level = level_of(alpha, epsilon, reading=reading)
    texts = (mechanism, target, *others)
    read = _in_one_order(texts, reading, level, out)
    given = [found.mechanism() for found in read]
    if others:
        leave_out("three mechanisms or more are ordered anyway", "ordered")
    order = None
    if others or ordered:
        called = [found.named for found in read]
        names = [name if called.count(name) == 1 else f"{name} ({k})" for k, name in enumerate(called, 1)]
        order = refinement_order(dict(zip(names, given, strict=True)), progress=out.progress)
    if others and order is not None:
        return out.answer(order)
    verdict = derivability(given[1], given[0], _names(read, texts), out.progress)
    if order is None:
        return out.answer(verdict)
    out.uncertified.append("the certificate is about A ⊑ B, not about the order of both")
    told = TOPICS.entry(type(order.evidence)).json(order.evidence)
    if order.evidence.incomparable:
        out.notes.append("neither can be derived from the other: each is better for some consumer, as the order of both says")
    return out.answer(verdict, also=[("The order of both", facts(order))], extra=told)


def _names(given: Sequence[Given], texts: Sequence[str]) -> tuple[str, str]:
    """What two mechanisms are called: by their titles, or as they were typed if these are the same."""
    if given[0].title != given[1].title:
        return given[0].named, given[1].named
    digests = [f" ({found.file.rpartition(' (')[2]}" if found.file else "" for found in given]
    return f"{texts[0]}{digests[0]}", f"{texts[1]}{digests[1]}"


def _in_one_order(texts: Sequence[str], reading: Reading, level: PrivacyLevel | None, out: Output) -> list[Given]:
    """The mechanisms or tables, in the order of the first that is labelled, else of the first."""
    given = [read_given(text, reading, level=level, notes=out.notes) for text in texts]
    if not any(found.levelled for found in given):
        leave_out("no mechanism depends on a level", "alpha", "epsilon")
    inputs = common_labels(reading, out.notes, "inputs", [(found.title, found.table.inputs) for found in given])
    out.require_used()
    return [on_inputs(found, inputs) for found in given]
