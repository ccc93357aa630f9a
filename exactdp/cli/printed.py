# SPDX-License-Identifier: MIT
"""``--digits``: what ``privacy``, ``delta``, ``audit`` and ``optimal`` say of a printed table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

import exactdp.certificate as certificates
from exactdp import analysis
from exactdp.analysis.approximate import is_approximately_private, least_delta
from exactdp.analysis.printed.delta_ends import PrintedDeltaEvidence
from exactdp.analysis.printed.epsilon_ends import privacy_as_printed
from exactdp.analysis.printed.printed_audit import PrintedAudit, audit_as_printed, halves
from exactdp.analysis.privacy_claim import PrivacyClaim
from exactdp.analysis.requirement import Requirement
from exactdp.analysis.verdict import Decision, Verdict
from exactdp.certificate.manifest import ENDING
from exactdp.cli.inputs import (
    GivenPrinted,
    in_one_order,
    is_labelled,
    level_of,
    level_or_one_of,
    matched_guesses,
    meant_neighbours,
    neighbours_of,
    on_inputs,
    read_printed,
    read_wanted,
)
from exactdp.cli.output import Output
from exactdp.cli.reading import ConsumerWords, Reading, Unsized, leave_out_beside_digits, typed
from exactdp.errors import CertificateError, InputError, ResourceLimitError
from exactdp.exact import RationalFunction, RegionField
from exactdp.model import Neighbours, PrivacyLevel
from exactdp.runtime.progress import seconds_left


def asked_of_printed(
    mechanism: str, graph: str | Unsized | None, metric: str | None, reading: Reading, out: Output
) -> tuple[GivenPrinted, Neighbours]:
    """The printed table and its neighbours, in one order."""
    given = read_printed(mechanism, reading)
    reading.rows_named = is_labelled(given.table.inputs)
    near = in_one_order(reading, out.notes, meant_neighbours(neighbours_of(graph, metric, reading), given, out), given)
    out.notes.append("the answer is about all mechanisms that print so: each row sums to 1")
    return on_inputs(given, near.vertices), near


def one_level(alpha: str | None, epsilon: str | None, near: Neighbours, reading: Reading) -> PrivacyLevel | None:
    """The level of the options, a number."""
    level = level_of(alpha, epsilon, near, reading=reading)
    if level is not None and isinstance(level.alpha, RationalFunction):
        raise click.UsageError("--digits is about one level; give a number instead of --alpha symbolic")
    return level


def printed_privacy(
    out: Output, mechanism: str, alpha: str | None, epsilon: str | None, graph: str | Unsized | None, metric: str | None, reading: Reading
) -> int:
    """``exactdp privacy --digits``."""
    leave_out_beside_digits(reading)
    given, near = asked_of_printed(mechanism, graph, metric, reading, out)
    level = one_level(alpha, epsilon, near, reading)
    out.require_used()
    return answer(out, privacy_as_printed(given.table, near, level, progress=out.progress, time_limit=seconds_left()))


def printed_delta(
    out: Output,
    mechanism: str,
    delta: str | None,
    alpha: str | None,
    epsilon: str | None,
    graph: str | Unsized | None,
    metric: str | None,
    reading: Reading,
) -> int:
    """``exactdp delta --digits``."""
    leave_out_beside_digits(reading)
    given, near = asked_of_printed(mechanism, graph, metric, reading, out)
    level = level_or_one_of(alpha, epsilon, reading=reading)
    if isinstance(level, PrivacyLevel):
        level = one_level(alpha, epsilon, near, reading)
    if level is None:
        raise click.UsageError(
            "the smallest ε of a δ is not found for all mechanisms that print so; give --epsilon or --alpha as well, or leave --digits out "
            "to judge the numbers as printed"
        )
    out.require_used()
    if delta is None:
        verdict = least_delta(given.table, near, level, progress=out.progress, time_limit=seconds_left())
        out.leaves(verdict)
        return answer(out, verdict)
    try:
        verdict = is_approximately_private(given.table, near, level, delta, progress=out.progress, time_limit=seconds_left())
    except InputError as error:
        raise type(error)(f"--delta: {error.message}", **error.facts) from None
    out.leaves(verdict)
    return answer(out, verdict)


def printed_optimality(
    out: Output,
    mechanism: str,
    alpha: str | None,
    epsilon: str | None,
    graph: str | Unsized | None,
    metric: str | None,
    reading: Reading,
    consumer: ConsumerWords,
) -> int:
    """``exactdp optimal --digits``."""
    others = ("dual", "template", "claimed_value", "after_remap", "unique", "own_level")
    leave_out_beside_digits(reading, *others)
    given, near = asked_of_printed(mechanism, graph, metric, reading, out)
    level = one_level(alpha, epsilon, near, reading)
    if level is None:
        raise click.UsageError("the level is missing: give --alpha, such as --alpha 1/4, or --epsilon, such as --epsilon 1/10")
    wanted = read_wanted(consumer, reading)
    near = in_one_order(reading, out.notes, near, given, wanted)
    given, who = matched_guesses(reading, out.notes, on_inputs(given, near.vertices), wanted.consumer(near), wanted.title)
    out.require_used()
    if isinstance(who.field, RegionField):
        raise click.UsageError("--digits is about numbers; give a loss without letters")
    verdict = analysis.is_optimal(given.table, near, level, who, progress=out.progress, time_limit=seconds_left())
    return answer(out, verdict)


_NOT_OF_PRINTED = {
    "deltas": "the smallest ε of a δ is not found for all mechanisms that print so; ask 'exactdp delta --digits' with --epsilon, or "
    "claim both, --claims-epsilon and --claims-delta",
    "compare": "two printed tables are two sets of mechanisms; audit each, or compare the numbers as printed, without --digits",
}
"""Options of an audit that a printed table has no answer for, and what to do."""


def printed_audit(
    out: Output,
    mechanism: str,
    claim: PrivacyClaim | None,
    consumers: tuple[ConsumerWords, ...],
    require: tuple[Requirement, ...],
    graph: str | Unsized | None,
    metric: str | None,
    reading: Reading,
) -> Verdict[PrintedAudit]:
    """``exactdp audit --digits``, before it is answered."""
    leave_out_beside_digits(reading)
    for option, why in _NOT_OF_PRINTED.items():
        for shown in typed(option):
            raise click.UsageError(f"{shown} does not go with --digits: {why}")
    given, near = asked_of_printed(mechanism, graph, metric, reading, out)
    read = [read_wanted(words, reading) for words in consumers]
    near = in_one_order(reading, out.notes, near, given, *read)
    given = on_inputs(given, near.vertices)
    wanted = []
    for found in read:
        given, who = matched_guesses(reading, out.notes, given, found.consumer(near), found.title)
        wanted.append(who)
    out.require_used()
    return audit_as_printed(
        given.table,
        near,
        claim=claim,
        consumers=wanted,
        require=require,
        title=given.named,
        time_limit=seconds_left(),
        progress=out.progress,
    )


def answer(out: Output, verdict: Verdict[Any]) -> int:
    """The answer; ``-o`` writes what is certain where it is undecided, or both ends of a δ."""
    if out.path is None:
        return out.answer(verdict)
    part = verdict
    if isinstance(verdict.evidence, PrintedAudit):
        part = verdict.evidence.tightest if verdict.evidence.claimed is None else verdict.evidence.claimed
    two_ends = isinstance(part.evidence, PrintedDeltaEvidence) and part.evidence.asked is None
    if part.decision is not Decision.UNDECIDED and not two_ends:
        out.uncertified.append("the certificate is about the answer, not about both ends (--certificates of audit writes one of each)")
        return out.answer(verdict)
    written = _write_parts(out, out.path, halves(part))
    out.path = None
    return out.answer(verdict, extra={"certificates": written})


def _write_parts(out: Output, path: Path, parts: dict[str, Verdict[Any]]) -> dict[str, str]:
    """Certificates beside the name given, whose names say of what part each is; the files of the parts."""
    name, written = path.name, {}
    stem, ending = (name.removesuffix(ENDING), ENDING) if name.endswith(ENDING) else (path.stem, path.suffix)
    if not parts:
        out.notes.append("no certificate was written: an undecided question has none")
    for part, verdict in parts.items():
        place = path.with_name(f"{stem}-{part}{ending}")
        try:
            text = certificates.certify(verdict).to_json()
        except (CertificateError, ResourceLimitError) as error:
            out.notes.append(f"no certificate of {part} was written: {error.message}")
            continue
        if out.write(place, text):
            written[part] = str(place)
            out.notes.append(f"the certificate of {part} was written to {place} (check it: exactdp verify {place})")
    return written
