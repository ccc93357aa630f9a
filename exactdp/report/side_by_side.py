# SPDX-License-Identifier: MIT
"""Two tables beside each other, in the first lines of an answer: which is more private, which better."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from exactdp.analysis.audit_comparison import DEPLOYED
from exactdp.analysis.audit_evidence import AuditComparison, ConsumerComparison
from exactdp.model import TightestLevel
from exactdp.report.headline import Shown, compared, compared_epsilons, epsilon_of, has_epsilon, headline, label
from exactdp.report.values import level_json, number_json

if TYPE_CHECKING:
    from exactdp.analysis.audit_evidence import Audit

HEAD, BETTER = "compared", "better"
"""What begins the first line, and a line about a consumer."""

UNNAMED = ("the first table", "the second table")
"""What two tables are called that have no names."""

FEW = 3
"""Digits after the point of an ε whose exact form would else have no place in the line."""


def lines_above(audit: Audit) -> list[tuple[str, str]]:
    """The lines above an audit with another one beside it: a word and a text; none without one.

    >>> from exactdp import audit
    >>> weak, strong = "geometric:n=2,alpha=1/4", "geometric:n=2,alpha=1/2"
    >>> for word, text in lines_above(audit(weak, "path", compare=strong).evidence):
    ...     print(word, text)
    COMPARED geometric:n=2,alpha=1/2 is more private: ε = ln(2) ≈ 0.6931472 < ln(4) ≈ 1.3862944
    """
    found = audit.compared
    if found is None:
        return []
    names = names_of(audit, found)
    first = headline(_privacy(audit, found, names), *_better(found.consumers, names), what="compared", value=None)
    return [(HEAD.upper(), first.text), *((BETTER, text) for text in _about_consumers(found.consumers, names))]


def names_of(audit: Audit, found: AuditComparison) -> tuple[str, str]:
    """What both tables are called in a line: without their digests, and apart; without names, in short."""
    first, second = (label(title.partition(" (sha256")[0]) for title in (audit.title, found.other.evidence.title))
    return (first, second) if first != second and (first, second) != UNNAMED else ("the first", "the second")


def _privacy(audit: Audit, found: AuditComparison, names: tuple[str, str]) -> Shown:
    """Which is more private, with both ε; whether that is known."""
    other = found.other.evidence
    if found.more_private is None:
        return Shown(None, (f"which of {names[0]} and {names[1]} is more private is not known",))
    if not (has_epsilon(audit.ratio) and has_epsilon(other.ratio)):  # letters: the sections have both levels
        told = {1: f"{names[1]} is more private", 0: "both are equally private", -1: f"{names[0]} is more private"}
        return Shown(None, (told[found.more_private],))
    levels = (TightestLevel(audit.ratio), TightestLevel(other.ratio))
    epsilons = compared_epsilons(*levels)
    if found.more_private == 0:
        both = "both are equally private: ε"
        return Shown(None, tuple(f"{both} {_after_sign(form)}" for form in epsilons[0].forms))
    lower, upper = epsilons if found.more_private < 0 else tuple(reversed(epsilons))
    which = f"{names[0] if found.more_private < 0 else names[1]} is more private: ε"
    forms = [_in_order(lower.forms[0], upper.forms[0]), _in_order(lower.forms[-1], upper.forms[-1])]
    few = [epsilon_of(one, places=FEW) for one in (levels if found.more_private < 0 else reversed(levels))]
    if few[0].decimal != few[1].decimal and len(lower.forms) == len(upper.forms) == 2:
        forms.insert(1, _in_order(few[0].forms[0], few[1].forms[0]))
    return Shown(None, tuple(f"{which} {form}" for form in forms))


def _in_order(lower: str, upper: str) -> str:
    return f"{_after_sign(lower)} < {upper.removeprefix('≈ ')}"


def _after_sign(form: str) -> str:
    return form if form.startswith("≈") else f"= {form}"


def _better(consumers: Sequence[ConsumerComparison], names: tuple[str, str]) -> list[Shown | str]:
    """For which consumers which table is better, as it is deployed where that is known."""
    told: list[Shown | str] = []
    grouped: dict[int, list[tuple[str, str]]] = {}
    for one in _shown(consumers):
        measure = one.consumer.measure
        losses = compared(measure.of(one.first), measure.of(one.second))
        name = f"{_called(one, consumers)}{_usage(one, consumers)}"
        grouped.setdefault(one.better, []).append((name, f"{name} ({_beside(one, losses)})"))
    for better, some in grouped.items():
        words = {1: f"; {names[1]} is better for", 0: "; alike for", -1: f"; {names[0]} is better for"}[better]
        short, long = (", ".join(texts) for texts in zip(*some, strict=True))
        told += [words, Shown(None, (long, short))]
    return told


def _shown(consumers: Iterable[ConsumerComparison]) -> list[ConsumerComparison]:
    """Each consumer once: as deployed, else after the best remap."""
    found: dict[str, ConsumerComparison] = {}
    for one in consumers:
        found.setdefault(one.consumer.describe(), one)
    return list(found.values())


def _called(one: ConsumerComparison, all_of_them: Sequence[ConsumerComparison]) -> str:
    """What a consumer is called in the first line: its loss where no other one has it, else all of it."""
    title = one.consumer.loss.title.removeprefix("loss ")
    others = {x.consumer.describe() for x in all_of_them if x.consumer.loss.title.removeprefix("loss ") == title}
    return title if len(others) == 1 else one.consumer.describe()


def _usage(one: ConsumerComparison, all_of_them: Sequence[ConsumerComparison]) -> str:
    """How it is used, where that decides which is better."""
    own = {x.better for x in all_of_them if x.consumer.describe() == one.consumer.describe()}
    return "" if len(own) == 1 and one.how == DEPLOYED else f" {one.how}"


def _beside(one: ConsumerComparison, numbers: tuple[Shown, ...]) -> str:
    """Both losses as decimals, the better one first."""
    first, second = (shown.forms[-1].removeprefix("≈ ") if not shown.decimal else shown.decimal for shown in numbers)
    if one.better == 0:
        return first
    better, worse = (second, first) if one.better > 0 else (first, second)
    return f"{better} {'>' if one.consumer.measure.word != 'loss' else '<'} {worse}"


def _about_consumers(consumers: Sequence[ConsumerComparison], names: tuple[str, str]) -> list[str]:
    """A line for each consumer: its losses from both, in both uses."""
    lines = []
    for who in dict.fromkeys(one.consumer.describe() for one in consumers):
        parts = [_of_consumer(one, names) for one in consumers if one.consumer.describe() == who]
        lines.append(f"for {who}: {'; '.join(parts)}")
    return lines


def _of_consumer(one: ConsumerComparison, names: tuple[str, str]) -> str:
    measure = one.consumer.measure
    losses = compared(measure.of(one.first), measure.of(one.second))
    which = {1: f"{names[1]} is better", 0: "both are alike", -1: f"{names[0]} is better"}[one.better]
    return f"{which} {one.how}, {measure.word} {_beside(one, losses)}"


def comparison_json(audit: Audit) -> dict[str, Any]:
    """The same as JSON; ``better`` and ``more_private`` are 1 for the second table, −1 for the first."""
    found = audit.compared
    assert found is not None
    other = found.other.evidence
    ratios = (audit.ratio, other.ratio)
    consumers = [
        {
            "consumer": one.consumer.describe(),
            "how": one.how,
            one.consumer.measure.word: [number_json(one.consumer.measure.of(x)) for x in (one.first, one.second)],
            "better": one.better,
        }
        for one in found.consumers
    ]
    return {
        "text": lines_above(audit)[0][1],
        "titles": [audit.title, other.title],
        "more_private": found.more_private,
        "levels": [None if ratio is None else level_json(ratio) for ratio in ratios],
        "consumers": consumers,
    }
