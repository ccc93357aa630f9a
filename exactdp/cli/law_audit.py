# SPDX-License-Identifier: MIT
"""``exactdp audit`` of a word whose table is too large: what its law decides, and what is not judged."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote

import click

from exactdp import mechanisms
from exactdp.analysis.law_audit import LawAudit, audit_by_law
from exactdp.analysis.laws import has_known_losses, may_be_by_law
from exactdp.analysis.privacy_claim import PrivacyClaim
from exactdp.analysis.requirement import Requirement
from exactdp.analysis.verdict import Verdict
from exactdp.cli.inputs import is_of_laws, numbered_word
from exactdp.cli.output import Output
from exactdp.cli.reading import ConsumerWords, Reading, Unsized, typed
from exactdp.model import PrivacyLevel
from exactdp.runtime.values import dataclass

IMPLIED = ("response-level", "bitwise-level", "geometric-level")
"""The kinds of certificates that imply the claim, and do not say it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of a word.

    * ``graph``, ``metric``: who are neighbours, as given.
    * ``reading``: with ``--letters``.
    * ``level``: what is put for the level of a word without one.
    * ``claim``, ``deltas``, ``consumers``, ``require``, ``compare``: what is asked.
    """

    graph: str | Unsized | None
    metric: str | None
    reading: Reading
    level: PrivacyLevel | None
    claim: PrivacyClaim | None
    deltas: tuple[str, ...]
    consumers: tuple[ConsumerWords, ...]
    require: tuple[Requirement, ...]
    compare: str | None


def audited_by_law(out: Output, word: str, asked: Asked) -> Verdict[LawAudit] | None:
    """The answer about a word whose table is too large; None for a table, and for a word that has one."""
    family = asked.graph.family if isinstance(asked.graph, Unsized) else asked.graph
    if asked.metric is not None or not may_be_by_law(word, family):
        return None
    read = numbered_word(word, asked.reading)
    if asked.reading.letters is not None and mechanisms.has_letters(read, asked.reading.letters):
        return None
    found = audit_by_law(
        read,
        family,
        level=asked.level,
        claim=asked.claim,
        consumers=_described(asked.consumers),
        deltas=asked.deltas,
        compared=() if asked.compare is None else (asked.compare,),
        require=asked.require,
        title=word if asked.level is None else f"{word} at {asked.level.said}",
    )
    if found is None:
        return None
    if asked.level is not None and not mechanisms.needs_level(read):
        refuse_level(word)
    out.notes.append(f"neighbours: {found.evidence.law.neighbours}")
    out.notes.append("judged is its law; its table is too large, and was neither built nor judged")
    out.notes += _commands_of_losses(found.evidence, word, asked)
    if asked.claim is not None:
        implied = f"the certificate says its tightest level: {found.evidence.level_text()}"
        out.implied |= dict.fromkeys(IMPLIED, implied)
    return found


def _commands_of_losses(found: LawAudit, word: str, asked: Asked) -> list[str]:
    """For each consumer whose loss is known by the law, the command that tells it."""
    if asked.reading.letters is not None or not has_known_losses(found.law):
        return []
    given = click.get_current_context().params
    level = [f"{shown} {quote(given[f'at_{shown[2:]}'])}" for shown in typed("at_alpha", "at_epsilon")]
    told = []
    for one in dict.fromkeys(filter(is_of_laws, asked.consumers)):
        prior = [] if one.prior is None else [f"--prior {one.prior}"]
        command = " ".join(["exactdp optimal", quote(word), *level, f"--loss {one.loss}", *prior])
        told.append(f"its loss {one.loss} is told by {command}")
    return told


def refuse_level(title: str) -> None:
    """Refuse a level that would be put for a letter, where there is none: it is claimed in another option."""
    given = click.get_current_context().params
    for shown in typed("at_alpha", "at_epsilon"):
        option = f"--claims-{shown.removeprefix('--')}"
        value = quote(given["at_alpha" if shown == "--alpha" else "at_epsilon"])
        told = f"{title} has no letter for a level; the level that is claimed is --claims-epsilon: write {option} {value}"
        raise click.UsageError(f"{shown} has no effect: {told}")


def _described(consumers: Sequence[ConsumerWords]) -> list[str]:
    """Consumers in words. Their files are not read: nothing is judged of them."""
    found = []
    for one in consumers:
        told = f"the {'minimax' if one.prior is None else 'Bayesian'} consumer with loss {one.loss}"
        told += "" if one.prior is None else f" and prior {one.prior}"
        found.append(told + ("" if one.side_information is None else f" and side information {one.side_information}"))
    return found


__all__ = ["Asked", "audited_by_law", "refuse_level"]
