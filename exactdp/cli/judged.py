# SPDX-License-Identifier: MIT
"""What is judged when a table is given: the table if it is exact, or the mechanism that it rounds."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from exactdp import analysis
from exactdp.analysis.faulty_tables import level_of_truth, transposed
from exactdp.analysis.subjects import Subject
from exactdp.analysis.wording import level_text
from exactdp.cli.inputs import Given
from exactdp.cli.output import Output
from exactdp.errors import InputError
from exactdp.exact import Rational, RegionField
from exactdp.model import Consumer, Mechanism, Neighbours, PrivacyLevel, Remap, Table, TightestLevel
from exactdp.report.items import Fact, Item
from exactdp.report.values import level_json, number_json
from exactdp.runtime.values import dataclass

if TYPE_CHECKING:
    from exactdp.analysis import Verdict

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Judged:
    """What is judged: the table given, or the mechanism that it stands for.

    * ``given``: what is judged.
    * ``bound``: the bound for the faults of a rounded table.
    * ``stands``: the rounded table as it stands; None for an exact one.
    """

    given: Given
    bound: Rational
    stands: Table | None = None

    def said(self, verdict: Verdict[V]) -> Verdict[V]:
        """The verdict, whose sentence says so when the table is rounded."""
        if self.stands is None:
            return verdict
        return analysis.of_unrounded(verdict, self.stands, self.given.named, self.bound)

    @property
    def keys(self) -> dict[str, Any]:
        """What JSON says of a rounded table."""
        return {} if self.stands is None else {"quality": "rounded", "rounding": str(self.bound)}

    def loss_cost(self, word: str, consumer: Consumer, remap: Remap | None, loss: Any) -> tuple[list[Item], dict[str, Any]]:
        """What dividing by row sums changes for a consumer: items, and the keys of JSON."""
        assert self.stands is not None
        table = analysis.as_deployed(self.stands, consumer) if remap is None else self.stands
        if remap is not None:
            table = Table(table.matrix @ remap.matrix, table.inputs, remap.guesses)
        measure = consumer.measure
        own, standing = measure.of(loss), measure.of(consumer.loss_of(table))
        items: list[Item] = [Fact(f"{word}, as it stands", standing), Fact("of the mechanism judged", own)]
        return [*items, Fact("difference", own - standing)], {measure.word: number_json(standing)}


def judged(out: Output, given: Given, bound: Rational) -> Judged | None:
    """What is judged of a table; None if it is wrong."""
    quality = given.table.quality(bound)
    if quality == "wrong":
        return None
    if quality == "exact":
        note_rounding(out, words=given.word is not None)
        return Judged(given, bound)
    out.subject = subject_of(given.named)
    return Judged(replace(given, table=given.table.unrounded(bound).as_table()), bound, given.table)


def subject_of(title: str) -> str:
    """What a certificate is about when the table is rounded."""
    return f"the mechanism that {title} rounds, not the table as it stands"


def note_rounding(out: Output, *, words: bool) -> None:
    """Say that ``--rounding`` had nothing to divide, if it was given, and what it is not about.

    Of ``words`` the numbers are exact: nothing was printed.
    """
    if click.get_current_context().params["rounding"] is None:
        return
    if words:
        out.notes.append("--rounding changed nothing: the numbers of a word are exact")
    else:
        out.notes.append(
            "--rounding is about row sums and entries below 0, and none is off: judged is the table as printed; what was rounded away is "
            "not in it (--digits, in privacy, delta, audit and optimal, judges all that print so)"
        )


def not_stochastic(out: Output, given: Given, near: Neighbours, bound: Rational, asked: PrivacyLevel | None = None) -> int:
    """Answer that the table is no mechanism, with its faults, and what may mend it: each with its level.

    A table that looks transposed is read so; dividing its rows by their sums is told beside it, and that it
    makes another mechanism.
    """
    sections: list[tuple[str, list[Item]]] = []
    extra: dict[str, Any] = {}
    meant = transposed(given.table, near)
    if meant is not None:
        items, extra["transposed"] = _mended(*meant, asked, out)
        faults = given.table.faults()
        options = "--transpose" if faults.columns_exact else "--transpose --renormalise"
        sections.append((f"With {options} ({faults.columns_text})", items))
    try:
        mended = given.table.renormalise()
    except InputError as error:
        mended, items = None, [Fact("after --renormalise", f"not possible: {error.message}")]
    if mended is not None and isinstance(mended.field, RegionField):  # with letters it may not be one level
        items = []
    elif mended is not None:
        items, extra["renormalised"] = _mended(mended, near, asked, out)
        own, better = None, mended
        if not out.limits:
            own = out.in_time("whether --renormalise is a remedy", lambda: _more_private_than(given.table, better, near))
        if own is None:
            items.append(Fact("not known", "whether this is more private than the table"))
        more, truth = own or (False, None)
        if more:
            than = "its transpose" if meant is not None else "the table as it stands"
            items.append(Fact("not a remedy", f"this is more private than {than}, whose tightest level is {level_text(truth)}"))
            extra["renormalised"]["more_private_than_the_table"] = True
    sections.append(("With --renormalise (each row divided by its sum)", items))
    verdict = analysis.is_stochastic(given.table, rounding=bound)
    out.about_files(Subject("mechanism", given.named, file=bool(given.file)))
    return out.answer(verdict, also=sections, extra=extra)


def _more_private_than(table: Table, mended: Mechanism, near: Neighbours) -> tuple[bool, TightestLevel | None]:
    """Whether a remedy is more private than what the user has, and the level of that."""
    truth = level_of_truth(table, near)
    return truth is not None and analysis.tightest_level(mended, near).evidence.tightest > truth, truth


def _mended(
    mechanism: Mechanism, near: Neighbours | None, asked: PrivacyLevel | None, out: Output
) -> tuple[list[Item], dict[str, Any] | None]:
    """The level of what a remedy makes of a table, and whether it is private as asked: items, and JSON."""
    if near is None:
        return [Fact("tightest level", f"say the neighbours of its {mechanism.n_inputs} inputs with --graph")], None
    from exactdp.report.privacy import level_facts

    known = out.in_time("the level that a remedy gives", lambda: analysis.tightest_level(mechanism, near, progress=out.progress))
    if known is None:
        return [Fact("tightest level", "not found: time limit")], None
    level = known.evidence.tightest
    items = level_facts(f"tightest level on {near}", level)
    found: dict[str, Any] = {"level": level_json(level)}
    if asked is not None:
        holds = level.compare(asked) >= 0
        items.append(Fact(f"{asked.name}-private", "yes" if holds else "no"))
        found["private"] = holds
    return items, found
