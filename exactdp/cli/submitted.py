# SPDX-License-Identifier: MIT
"""Answers from elsewhere on the command line: a claimed optimum, and a dual with its template."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import click

from exactdp.analysis import Decision, OptimumEvidence, Verdict, verify_optimal
from exactdp.analysis.optimality.submitted import NearestDual, compared, is_optimum_value, nearest_dual
from exactdp.cli.inputs import Given
from exactdp.cli.output import Output
from exactdp.cli.program import say
from exactdp.cli.reading import in_file, read_bytes, title_of, typed
from exactdp.limits import seconds_left
from exactdp.model import Consumer, Neighbours
from exactdp.model.consumer import Problem
from exactdp.readers.duals import dual_template, read_dual
from exactdp.report.items import Fact, Item
from exactdp.report.values import number_json

Section = tuple[str, list[Item]]


@dataclass(frozen=True, slots=True)
class Submitted:
    """What ``--dual`` and ``--claimed-value`` give; each may be missing."""

    dual: str | None
    value: str | None

    def require_alone(self, symbolic: bool) -> None:
        """Refuse what would not enter an answer about a given dual."""
        if self.dual is None:
            return
        if symbolic:
            raise click.UsageError("--dual is judged at one level; give --alpha with a number, such as --alpha 1/4")
        for shown in typed("after_remap", "unique", "own_level"):
            raise click.UsageError(f"{shown} is not asked of a given dual; leave one of the two out")

    def verdict(self, out: Output, problem: Problem, given: Given | None) -> Verdict[Any] | None:
        """The answer about the dual and the value, if one of them decides it; None without them."""
        near = self._nearest(problem)
        if given is not None and near is not None:
            self._say(out, near)
            found: Verdict[Any] = verify_optimal(given.mechanism(), *problem, near.dual, progress=out.progress)
            return found if self.value is None else self.with_value(out, found, problem)
        if self.value is not None and given is None:
            return is_optimum_value(*problem, self.value, progress=out.progress, time_limit=seconds_left())
        return None

    def with_value(self, out: Output, judged: Verdict[Any], problem: Problem) -> Verdict[Any]:
        """The verdict about a mechanism, if the claimed value is right as well; else that about the value."""
        if self.value is None:
            return judged
        if judged.proved:
            value: Verdict[Any] = compared(self.value, judged.evidence)
        else:
            value = is_optimum_value(*problem, self.value, progress=out.progress, time_limit=seconds_left())
        if judged.proved and not value.proved:
            return value
        out.notes.append(value.claim)
        return judged

    def sections(self, problem: Problem, best: Verdict[Any]) -> tuple[list[Section], dict[str, Any]]:
        """What a dual proves beside the optimum that was found, as a section and as JSON."""
        near = self._nearest(problem)
        if near is None or not isinstance(best.evidence, OptimumEvidence) or best.decision is Decision.UNDECIDED:
            return [], {}
        measure = problem.consumer.measure
        missing = best.evidence.value - near.value
        items: list[Item] = [Fact(f"no {measure.word} {measure.below}", measure.of(near.value)), Fact("missing to the optimum", missing)]
        items += [] if near.fault is None else [Fact("condition broken by the dual as given", str(near.fault))]
        items += [Fact("what was done to it", near.changes)] if near.changes else []
        told = {"bound": number_json(measure.of(near.value)), "missing": number_json(missing), "changes": near.changes}
        return [("What the given dual proves", items)], {"given_dual": told}

    def _nearest(self, problem: Problem) -> NearestDual | None:
        if self.dual is None:
            return None
        name = self.dual
        content = read_bytes(name, "--dual")
        read = in_file(title_of(name), lambda: read_dual(content, problem.neighbours, problem.consumer))
        return nearest_dual(*problem, read)

    def _say(self, out: Output, near: NearestDual) -> None:
        if near.fault is not None:
            out.notes.append(f"the dual as given breaks {near.fault}; judged is one near it: {near.changes}")
        elif near.changes:
            out.notes.append(f"judged is a dual near the one given, which proves more: {near.changes}")


def print_template(near: Neighbours, consumer: Consumer) -> int:
    """The lines of a dual, to be filled in."""
    say(dual_template(near, consumer).rstrip("\n"))
    return 0
