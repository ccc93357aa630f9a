# SPDX-License-Identifier: MIT
"""Answers from elsewhere on the command line: a claimed optimum, and a dual with its template."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from exactdp import analysis
from exactdp.analysis.optimality.letters_at_point import at_point
from exactdp.cli.inputs import Given
from exactdp.cli.output import Output
from exactdp.cli.program import say
from exactdp.cli.reading import Reading, in_file, read_bytes, title_of, typed
from exactdp.errors import UndecidedSignError
from exactdp.exact import Letters, Region
from exactdp.exact.formula import names_in, parse_expression
from exactdp.exact.region_functions import place
from exactdp.model import Consumer, Neighbours
from exactdp.model.consumer import Problem
from exactdp.report.items import Fact, Item
from exactdp.report.values import number_json
from exactdp.runtime.progress import seconds_left
from exactdp.runtime.values import dataclass

if TYPE_CHECKING:
    from exactdp.analysis import Verdict
    from exactdp.analysis.optimality.submitted import NearestDual

Section = tuple[str, list[Item]]


@dataclass(frozen=True, slots=True)
class Submitted:
    """What ``--dual`` and ``--claimed-value`` give; each may be missing.

    * ``dual``: the name of the file.
    * ``content``: what is in it.
    * ``value``: the claimed value.
    * ``letters``: those of ``--letters``.
    """

    dual: str | None
    content: bytes
    value: str | None
    letters: Letters | None

    @classmethod
    def of(cls, dual: str | None, value: str | None, reading: Reading) -> Submitted:
        """What is submitted, its file read, and a note that its letters are used."""
        content = b"" if dual is None else read_bytes(dual, "--dual")
        if dual is not None:
            reading.note_subject("dual", reading.note_file(dual, content))
        for text in (value, content.decode(errors="replace")):
            reading.read_letters(text)
        letters = reading.letters
        if value is not None and letters is not None and not {*letters.numbers}.isdisjoint(names_in(value)):
            value = str(parse_expression(value, names_in(value), letters.numbers))
        return cls(dual, content, value, letters)

    def require_alone(self, symbolic: bool, region: Region | None) -> None:
        """Refuse what would not enter an answer about a given dual, or about letters."""
        if region is not None:
            for shown in typed("unique", "own_level"):
                raise click.UsageError(f"{shown} is about numbers, and here {', '.join(region.names)} are letters; leave {shown} out")
        if self.dual is None:
            return
        if symbolic:
            raise click.UsageError("--dual is judged at one level; give --alpha with a number, such as --alpha 1/4")
        for shown in typed("after_remap", "unique", "own_level"):
            raise click.UsageError(f"{shown} is not asked of a given dual; leave one of the two out")

    def verdict(self, out: Output, problem: Problem, given: Given | None) -> Verdict[Any] | None:
        """The answer about the dual and the value, if one of them decides it; None without them."""
        if self.dual is None and self.value is None:
            return None
        near = self._nearest(problem) if given is not None else None
        if given is not None and near is not None:
            self._say(out, near)
            found: Verdict[Any] = analysis.verify_optimal(given.mechanism(), *problem, near.dual, progress=out.progress)
            return found if self.value is None else self.with_value(out, found, problem)
        if self.value is not None and given is None:
            return analysis.is_optimum_value(*problem, self.value, progress=out.progress, time_limit=seconds_left())
        return None

    def with_value(self, out: Output, judged: Verdict[Any], problem: Problem) -> Verdict[Any]:
        """The verdict about a mechanism, if the claimed value is right as well; else that about the value."""
        if self.value is None:
            return judged
        if judged.proved:
            value: Verdict[Any] = analysis.compared(self.value, judged.evidence)
        else:
            value = analysis.is_optimum_value(*problem, self.value, progress=out.progress, time_limit=seconds_left())
        if judged.proved and not value.proved:
            out.about_files()  # but about the optimum
            return value
        out.notes.append(value.claim)
        return judged

    def sections(self, out: Output, problem: Problem, best: Verdict[Any]) -> tuple[list[Section], dict[str, Any]]:
        """What a dual proves beside the optimum that was found, as a section and as JSON."""
        near = self._nearest(problem)
        if near is None or not isinstance(best.evidence, analysis.OptimumEvidence) or best.decision is analysis.Decision.UNDECIDED:
            return [], {}
        out.uncertified.append("the certificate is about the optimum, not about the given dual")
        measure = problem.consumer.measure
        if near.value is None:
            return [("What the given dual proves", [Fact("was not decided", str(near.fault))])], {"given_dual": None}
        here, point = near.value, best.evidence.point if isinstance(best.evidence, analysis.OptimumAtPoint) else None
        items: list[Item] = [Fact(f"no {measure.word} {measure.below}", measure.of(near.value))]
        if point is not None:
            here = at_point(near.value, point)
            items.append(Fact(f"  at {place(point)}", measure.of(here)))
        missing = best.evidence.least_loss - here
        items.append(Fact("missing to the optimum", missing))
        broken = "condition broken by the dual as given" if isinstance(near.fault, analysis.DualFault) else "the dual as given was not used"
        items += [] if near.fault is None else [Fact(broken, str(near.fault))]
        items += [Fact("what was done to it", near.changes)] if near.changes else []
        told = {"bound": number_json(measure.of(near.value)), "missing": number_json(missing), "changes": near.changes}
        return [("What the given dual proves", items)], {"given_dual": told}

    def _nearest(self, problem: Problem) -> NearestDual | None:
        if self.dual is None:
            return None
        from exactdp.readers.duals import read_dual

        read = in_file(title_of(self.dual), lambda: read_dual(self.content, problem.neighbours, problem.consumer, letters=self.letters))
        try:
            return analysis.nearest_dual(*problem, read)
        except UndecidedSignError as error:  # with letters
            return analysis.NearestDual(read, None, error.message, "")

    def _say(self, out: Output, near: NearestDual) -> None:
        if near.fault is not None and near.changes:
            broken = f"breaks {near.fault}" if isinstance(near.fault, analysis.DualFault) else f"was not used: {near.fault}"
            out.notes.append(f"the dual as given {broken}; judged is one near it: {near.changes}")
        elif near.changes:
            out.notes.append(f"judged is a dual near the one given, which proves more: {near.changes}")


def print_template(near: Neighbours, consumer: Consumer) -> int:
    """The lines of a dual, to be filled in."""
    from exactdp.readers.duals import dual_template

    say(dual_template(near, consumer).rstrip("\n"))
    return 0
