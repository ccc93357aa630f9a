# SPDX-License-Identifier: MIT
"""A deployed table: is it a mechanism, how private, is the claim true, is it optimal, what would repair it?

Every part is a verdict of a question asked elsewhere; this module asks them together, in an order that makes
sense for a table that may fail at any of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from os import PathLike
from typing import Any

from exactdp.analysis.approximate import (
    breaking_events,
    is_approximately_private,
    least_delta,
    level_for_delta,
)
from exactdp.analysis.arguments import Arguments, ConsumerLike, MechanismLike, as_consumer, as_kind, as_neighbours, as_table, ask, recorded
from exactdp.analysis.audit_comparison import compare_audits
from exactdp.analysis.audit_consumers import Parts, comparisons_of
from exactdp.analysis.audit_evidence import Audit, ConsumerAudit, verdict_of
from exactdp.analysis.audit_repairs import mechanism_of, repairs_of
from exactdp.analysis.file_numbers import divided_from
from exactdp.analysis.letters.statement import letters_in
from exactdp.analysis.other_neighbours import other_neighbours
from exactdp.analysis.policy import Policy, as_policy
from exactdp.analysis.privacy import is_private, tightest_level
from exactdp.analysis.privacy_claim import PrivacyClaim
from exactdp.analysis.required import decided_requirements
from exactdp.analysis.requirement import Requirement, require_askable, requirements_of
from exactdp.analysis.verdict import Verdict
from exactdp.errors import DomainError, InputError, LabelError, brief_value, repr_of
from exactdp.exact import ExponentialField, RationalFunctionField, entries_of
from exactdp.model import Consumer, Mechanism, Neighbours, NeighboursLike, PrivacyLevel, Table, TightestLevel
from exactdp.model.consumer import each_once, told_apart
from exactdp.model.faults import ROUNDING, Faults, as_rounding
from exactdp.model.neighbours import begins_as_word
from exactdp.model.printed import PrintedTable
from exactdp.runtime.progress import Listener, certain, part_of, seconds_left
from exactdp.runtime.values import dataclass

UNTITLED = "the table"
"""What is audited, if it has no title."""

REPAIRS = "what would repair it"

NO_NEIGHBOURS = "say which inputs are neighbours: neighbours='path' for a count, 'local' for reports of single people, or in a policy"
OTHERS = "other neighbours"


def audit(
    table: MechanismLike | PrintedTable,
    neighbours: NeighboursLike | None = None,
    *,
    claim: PrivacyClaim | None = None,
    consumers: Sequence[ConsumerLike] = (),
    deltas: Sequence[object] = (),
    require: Sequence[str | Requirement] = (),
    policy: Policy | str | PathLike[str] | None = None,
    rounding: object = ROUNDING,
    title: str = UNTITLED,
    compare: MechanismLike | None = None,
    time_limit: float | None = None,
    progress: Listener | None = None,
) -> Verdict[Audit | Any]:
    """Is this table a mechanism, is the claim about its privacy true, and how far from optimal is it?

    Parameters
    ----------
    table : Table, Mechanism, PrintedTable, text or rows
        As deployed; its rows need not sum to 1. Of a printed table all mechanisms are meant that print so. A
        word whose table is too large is judged by its law (:mod:`exactdp.analysis.law_audit`).
    neighbours : Graph or Metric
        On its inputs, all distances 1 (:func:`exactdp.is_private` takes others). Those of the policy unless
        given.
    claim : PrivacyClaim, optional
        What is said about it.
    consumers : sequence of Consumer or text
        Whose gaps are wanted: at the mechanism's own tightest level, and at the claimed one where it is kept
        and can be decided. Words such as ``abs prior=uniform`` are a consumer, too, and one may stand alone.
        One that is named twice is judged once.
    deltas : sequence of exact numbers
        For each, the smallest ε (largest level) that it buys.
    require : sequence of str, optional
        Bounds that must be kept: ``epsilon <= 1``, ``alpha >= 1/4``, ``delta <= 1e-6``, ``gap <= 5%``,
        ``gap after remap < 1/100``. ε is the smallest one beside the δ that is required, or beside δ = 0. δ
        is the least one at the ε that is required, or else at the claimed one. A gap is that of each consumer
        at each level where it is compared. (:mod:`exactdp.analysis.required` says more.)
    policy : Policy or path, optional
        Requirements, consumers and neighbours of a file (:class:`~exactdp.analysis.policy.Policy`), beside
        those given here.
    rounding : exact number
        In [0, 1/100]. A table none of whose faults (a row sum minus 1, a negative entry) is larger in
        absolute value is *rounded*, and the mechanism that it stands for is judged
        (:meth:`exactdp.Table.unrounded`); a table with a larger fault is *wrong*.
    title : str
        For the sentences.
    compare : as table, optional
        A second table, of which the same is asked. The answer begins with which is the more private one, and
        which is better for whom (``evidence.compared``); the verdict is about the first.
    time_limit, progress
        As in :func:`exactdp.optimum`; for all of it together. When the time is up the parts that are decided
        are told, and ``evidence.undecided`` names the others.

    Returns
    -------
    Verdict[Audit]
        Proved: it is a mechanism, or a rounded one, and the claim (if any) and all requirements hold; refuted
        if one of them fails. Without a claim it is so of
        every mechanism, however private, and told as *no claim* (``head``, ``str``, ``repr``, JSON). Refuted:
        it is wrong, or the claim fails; the text says where. Undecided: the claim is about an ε that has no
        place beside a symbolic level; or the time was up before the claim, or without one the tightest level,
        was decided. Of a printed table, whether the claim is true of all that print so, or of none;
        a requirement likewise (:class:`~exactdp.analysis.printed.printed_audit.PrintedAudit`). Of a word that
        is judged by its law, whether the claim is true of the law; undecided where only its δ could make it
        true, which is not judged at this size (:class:`~exactdp.analysis.law_audit.LawAudit`).

    Examples
    --------
    >>> from exactdp import geometric, neighbours
    >>> v = audit(geometric(3, "1/4"), neighbours("path:4"), claim=PrivacyClaim(epsilon=1))
    >>> v.decision.value, v.evidence.ratio
    ('refuted', Rational('1/4'))
    """
    consumers = [consumers] if isinstance(consumers, str | Consumer) else consumers

    def answer(asked: Arguments) -> Verdict[Audit | Any]:
        _require_one_table(table, neighbours)
        if isinstance(table, PrintedTable):
            from exactdp.analysis.printed.printed_audit import audit_as_printed  # loaded for printed tables only

            recorded(table)
            if compare is not None:
                raise DomainError("two printed tables are two sets of mechanisms; leave compare out, and audit each")
            if entries_of(deltas, "deltas"):
                raise DomainError("the smallest ε of a δ is not found for all mechanisms that print so; leave deltas out")
            near, who, required = _wanted(as_policy(policy), neighbours, require, claim, entries_of(consumers, "consumers"))
            return audit_as_printed(
                table,
                near,
                claim=claim,
                consumers=who,
                require=required,
                title=title,
                time_limit=asked.time_limit,
                progress=asked.progress,
            )
        wanted = _wanted(as_policy(policy), neighbours, require, claim, entries_of(consumers, "consumers"))
        if isinstance(table, str):
            from exactdp.analysis.law_audit import of_a_word  # loaded for words only

            named = None if title == UNTITLED else title  # a law is no table
            second = compare if compare is None or isinstance(compare, str) else "the second table"
            asked_deltas = entries_of(deltas, "deltas")
            known = of_a_word(table, *wanted, claim=claim, deltas=asked_deltas, compared=second, title=named)
            if known is not None:
                as_rounding(rounding)
                return known
        found = as_table(table)
        if isinstance(table, str | PathLike) and isinstance(found.field, RationalFunctionField):
            raise DomainError(
                "an audit is of numbers, and the table has the letter a of the level: say which number it is, with "
                "read_table(file, letters={'a': '1/4'}) (--alpha, --epsilon), or ask is_private at a level, or tightest_level for all"
            )
        if compare is None:
            return _audited(found, *wanted, claim, deltas, rounding, title, asked)
        if wanted[-1]:
            raise DomainError("requirements are of one table; leave require and policy out, or compare")
        other = as_table(compare, name="compare")
        names = _titles(table, compare, title)
        tables = zip((found, other), names, strict=True)
        one, two = (_audited(each, *wanted, claim, deltas, rounding, name, asked) for each, name in tables)
        return replace(one, evidence=replace(one.evidence, compared=compare_audits(one.evidence, two)))

    return ask(answer, progress, time_limit)


def _require_one_table(table: object, neighbours: object) -> None:
    """InputError if two tables are given where one table, or its neighbours, should stand."""
    kinds = (str, PathLike, Table, Mechanism)
    if isinstance(table, list | tuple) and table and all(isinstance(one, kinds) for one in table):
        first, second = [*(repr_of(one) if isinstance(one, str) else name for one, name in zip(table, "AB", strict=False)), "B"][:2]
        message = f"the table is a list of {len(table)}; give one, as in audit({first}, neighbours), or compare two"
        raise InputError(f"{message}: audit({first}, neighbours, compare={second})", value=table)
    is_file = isinstance(neighbours, str) and "." in neighbours and not begins_as_word(neighbours)
    if is_file or isinstance(neighbours, Table | Mechanism):
        what = repr(neighbours) if isinstance(neighbours, str) else brief_value(neighbours)
        second = what if is_file else "…"
        edges = f", and edges of a file are load({what})" if is_file else ""
        message = f"the neighbours are {what}; a second table is compare={second}{edges}; neighbours are 'path', 'local', or a Graph"
        raise InputError(message, value=neighbours)


def _titles(table: object, compare: object, title: str) -> tuple[str, str]:
    """What two tables are called: as they were typed, else the first and the second one."""
    typed = [str(one) if isinstance(one, str | PathLike) else "" for one in (table, compare)]
    own, other = ("" if "\n" in name else name for name in typed)  # the text of a table is no name
    first = own if title == UNTITLED and own else title
    second = other or "the second table"
    return ("the first table" if first == UNTITLED else first), (f"{second} (2)" if second == first else second)


def _wanted(
    policy: Policy | None,
    neighbours: NeighboursLike | None,
    require: Sequence[str | Requirement],
    claim: PrivacyClaim | None,
    consumers: Sequence[ConsumerLike],
) -> tuple[NeighboursLike, Sequence[ConsumerLike], tuple[Requirement, ...]]:
    """Neighbours, consumers and requirements: those given, and those of the policy."""
    if policy is None:
        required, near = requirements_of(require), neighbours
    else:
        required = requirements_of([*policy.require, *requirements_of(require)])
        consumers = [*(one.consumer() for one in policy.consumers), *consumers]
        own = policy.read_neighbours()
        if own is not None and neighbours is not None and str(neighbours) != str(own):
            message = f"the policy has the neighbours {own}, and {neighbours} are given; give one of them"
            raise InputError(message, neighbours=neighbours)
        near = neighbours if own is None else own
    if near is None:
        raise InputError(NO_NEIGHBOURS)
    require_askable(required, claim, consumers=bool(consumers))
    return near, consumers, required


def _audited(
    table: Table,
    neighbours: NeighboursLike,
    consumers: Sequence[ConsumerLike],
    required: Sequence[Requirement],
    claim: PrivacyClaim | None,
    deltas: Sequence[object],
    rounding: object,
    title: str,
    asked: Arguments,
) -> Verdict[Audit]:
    """The parts of an audit, one after the other."""
    progress = asked.progress
    if letters_in(table):
        raise DomainError(
            "an audit is of numbers, and the table has letters; say which numbers they are (letters={'p': '1/4'}, "
            "--letters 'p = 1/4'; --epsilon for the level's a), or ask is_private, which tells where it holds"
        )
    if claim is not None:
        as_kind(claim, PrivacyClaim, "claim", "a PrivacyClaim, such as PrivacyClaim(epsilon=1)")
    near = as_neighbours(neighbours, table)
    neighbours, given = near, table.aligned(near.vertices)
    wanted = told_apart(each_once([as_consumer(consumer, near.vertices, near) for consumer in entries_of(consumers, "consumers")]))
    over, level = (given, None) if claim is None else claim.over(given)
    if isinstance(given.matrix.field, ExponentialField):
        given = over  # or else t would stand for two numbers: that of the table, and that of both
    bound, faults = as_rounding(rounding), given.faults()
    quality = faults.quality(bound)
    usable = mechanism_of(given, faults, bound)
    judged = usable if quality != "wrong" else None
    moved = None if judged is None else mechanism_of(over, over.faults(), bound)
    parts = Parts()
    privacy = _Privacy(neighbours, given, faults, judged, moved, claim, level)
    found_privacy = privacy.answers(parts, entries_of(deltas, "deltas"), progress)
    own = None
    if usable is not None:
        told = part_of(progress, "privacy")
        own = parts.ask("the constraints that are tight", lambda: tightest_level(usable, neighbours, progress=told))
    rounded = given if quality == "rounded" else None
    found = Audit(
        title=title,
        given=given,
        table=over,
        faults=faults,
        quality=quality,
        rounding=bound,
        mechanism=usable if moved is None else moved,
        neighbours=neighbours,
        claim=claim,
        level=level,
        own=own,
        consumers=(),
        repairs=(),
        **found_privacy,
    )
    if required:  # until they are decided, no answer that is certain so far leaves them out
        open_ones = decided_requirements(replace(found, tightest=None), required, stopped=True)
        found = replace(found, requirements=open_ones)
    claimed = level if isinstance(level, PrivacyLevel) else None
    comparisons = comparisons_of(None if own is None else own.evidence, claimed, wanted, parts, moved)
    compared: list[ConsumerAudit] = []
    for k, comparison in enumerate(comparisons):
        if seconds_left() is not None:
            ahead = comparisons[k:]
            late = [other.late for other in ahead]
            names = [other.name for other in ahead if other.level is not None]
            certain(verdict_of(replace(found, consumers=(*compared, *late)), [*parts.undecided, *names, REPAIRS]))
        told = part_of(progress, f"consumer and level {k + 1} of {len(comparisons)}")
        before = compared[-1] if compared and compared[-1].consumer is comparison.consumer else None
        compared.append(comparison.answer(parts, rounded, asked.time_limit, told, before))
    found = replace(found, consumers=tuple(compared))
    if required:
        found = replace(found, requirements=decided_requirements(found, required, stopped=parts.is_stopped))
    if seconds_left() is not None:
        certain(verdict_of(found, [*parts.undecided, REPAIRS]))
    repairs = parts.ask(REPAIRS, lambda: repairs_of(found)) or []
    if judged is not None and not parts.is_stopped:
        others = parts.ask(OTHERS, lambda: other_neighbours(judged, moved, neighbours, claim, level)) or ()
        found = replace(found, others=others)
    return verdict_of(
        _with_divided(replace(found, repairs=tuple(repairs), stopped=parts.stopped or found.stopped), None),
        parts.undecided,
    )


def _with_divided(found: Audit, file: Table | None) -> Audit:
    """The same with how what was judged differs from the table of a file, or from the rounded one given."""
    if found.mechanism is None or (file is None and found.quality != "rounded"):
        return found
    table = found.given if file is None else file
    return replace(found, divided=divided_from(table, found.mechanism, found.neighbours, found.claim))


def of_file(verdict: Verdict[Audit], file: Table) -> Verdict[Audit]:
    """The same answer, which says where it is not about a file: its rows were divided by their sums before.

    * ``file``: the table of the file, with its rows and columns in the order of the labels, or unlabelled.
    """
    found = verdict.evidence
    if found.mechanism is None or found.quality == "wrong":
        return verdict
    labels = found.given.inputs, found.given.outputs
    with suppress(LabelError):
        file = file.aligned(*labels)
    return verdict_of(_with_divided(found, file), found.undecided)


@dataclass(frozen=True, slots=True)
class _Privacy:
    """What is asked of a table's privacy: as ``given``, ``judged``, or ``moved`` to the level's field."""

    neighbours: Neighbours
    given: Table
    faults: Faults
    judged: Mechanism | None
    moved: Mechanism | None
    claim: PrivacyClaim | None
    level: PrivacyLevel | TightestLevel | None

    def answers(self, parts: Parts, deltas: Sequence[object], progress: Listener | None) -> dict[str, Any]:
        """The fields of an audit that say how private it is, and whether the claim holds."""
        known: dict[str, Any] = dict.fromkeys(("tightest", "stands", "delta", "privacy", "bought"))
        near, judged = self.neighbours, self.judged
        if judged is not None:
            told = part_of(progress, "tightest level")
            tightest = partial(level_for_delta, judged, near, 0, progress=told)
            known["tightest"] = parts.ask("the tightest level", tightest)
        if self.faults and not self.faults.negative:
            known["stands"] = parts.ask("the level as it stands", lambda: level_for_delta(self.given, near, 0))
        asked = self.given if judged is None else judged
        bought = []
        if judged is not None or not self.faults.negative:
            for d in deltas:
                told = part_of(progress, f"smallest ε for δ = {d}")
                level_bought = partial(level_for_delta, asked, near, d, progress=told)
                bought.append(parts.ask(f"the level that δ = {d} buys", level_bought))
        known["for_delta"] = tuple(verdict for verdict in bought if verdict is not None)
        return known | self._of_the_claim(parts, progress)

    def _of_the_claim(self, parts: Parts, progress: Listener | None) -> dict[str, Any]:
        claim, level, near, judged, moved = self.claim, self.level, self.neighbours, self.judged, self.moved
        known: dict[str, Any] = {"broken": ()}
        told = part_of(progress, "the claim")
        breaking = "the pairs that break the claim"
        if claim is None or judged is None:
            return known
        if moved is not None and level is not None:
            least = part_of(progress, "least δ")
            at_the_level = partial(least_delta, moved, near, level, progress=least)
            known["delta"] = parts.ask("the least δ at the claimed level", at_the_level)
            if isinstance(level, PrivacyLevel):  # not 1
                violated = "the constraints that break the claim"
                known["privacy"] = parts.ask(violated, lambda: is_private(moved, near, level, progress=told))
            if claim.delta > 0:
                known["broken"] = parts.ask(breaking, lambda: breaking_events(moved, near, level, claim.delta)) or ()
        elif claim.delta > 0 and isinstance(self.given.matrix.field, ExponentialField):
            by_number = partial(is_approximately_private, judged, near, claim.level, claim.delta, progress=told)
            known["bought"] = parts.ask("the claim", by_number)
            known["broken"] = parts.ask(breaking, lambda: breaking_events(judged, near, claim.level, claim.delta)) or ()
        return known
