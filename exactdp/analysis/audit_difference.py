# SPDX-License-Identifier: MIT
"""What has changed between two audits: cells, ε, δ, the gaps and what is required, exactly and as decimals.

Both audits ask the same, so that every difference comes from the tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from exactdp.analysis.audit_evidence import Audit, ConsumerAudit
from exactdp.analysis.epsilon import bounds_of
from exactdp.analysis.wording import short_number
from exactdp.errors import DomainError
from exactdp.exact import ExponentialNumber, Rational
from exactdp.exact.decimals import decimal_text, nearest_text
from exactdp.model import Epsilon, Table
from exactdp.model.metric import ONE

Enclosure = Callable[[int], tuple[Rational, Rational]]


@dataclass(frozen=True, slots=True)
class NumberChange:
    """A number that is another one, or a word in place of it.

    Attributes
    ----------
    what : str
        Which number.
    before, after : str
        Both, exactly; an irrational one with a decimal.
    by : str
        The difference, exactly; empty where the numbers have no common field, or are none.
    decimal : str
        A decimal near the difference, with its sign; empty where there is none.
    """

    what: str
    before: str
    after: str
    by: str = ""
    decimal: str = ""


@dataclass(frozen=True, slots=True)
class CellChange:
    """An entry that is another one, by the labels of its input and output; ``change`` has both as text."""

    input: str
    output: str
    before: Any
    after: Any
    change: NumberChange


@dataclass(frozen=True, slots=True)
class AuditDifference:
    """What has changed.

    Attributes
    ----------
    labels : tuple of str
        Inputs and outputs that only one of the tables has, in sentences.
    cells : tuple of CellChange
        The entries that differ, row by row.
    numbers : tuple of NumberChange
        ε, δ, gaps and requirements that differ.
    reason : str
        Why numbers were not compared; empty if they were.
    """

    labels: tuple[str, ...]
    cells: tuple[CellChange, ...]
    numbers: tuple[NumberChange, ...]
    reason: str = ""


def changed_labels(before: Table, after: Table) -> tuple[str, ...]:
    """What only one of two tables has."""
    found = []
    for axis in ("inputs", "outputs"):
        old, new = getattr(before, axis), getattr(after, axis)
        found += [f"{axis[:-1]} {label} was removed" for label in old if label not in set(new)]
        found += [f"{axis[:-1]} {label} was added" for label in new if label not in set(old)]
    return tuple(found)


def changed_cells(before: Table, after: Table) -> Iterator[CellChange]:
    """The entries that both tables have, and that differ, in the order of the second."""
    rows, columns = ({label: k for k, label in enumerate(labels)} for labels in (before.inputs, before.outputs))
    old = list(before.matrix.rows())
    for i, row in zip(after.inputs, after.matrix.rows(), strict=True):
        for r, x in zip(after.outputs, row, strict=True):
            if i not in rows or r not in columns:
                continue
            before = old[rows[i]][columns[r]]
            for change in _number_change(f"input {i}, output {r}", before, x):
                yield CellChange(str(i), str(r), before, x, change)


def _is_same(x: Any, y: Any) -> bool:
    try:
        return bool(x == y)
    except DomainError:  # of two fields that have no common one: no number of the one is in the other, but those of ℚ
        return False


def changed_numbers(before: Audit, after: Audit) -> Iterator[NumberChange]:
    """ε, the least δ at the claimed level, the gaps, and the requirements."""
    yield from _epsilon_changes(before, after)
    deltas = [None if one.delta is None else one.delta.evidence.delta for one in (before, after)]
    yield from _number_change("least δ at the claimed level", *deltas)
    old = dict(_entries(before))
    for key, entry in _entries(after):
        if key in old:
            for how, name in (("deployed", "as deployed"), ("remapped", "after the best remap")):
                gaps = [None if (v := getattr(one, how)) is None else v.evidence.gap for one in (old[key], entry)]
                yield from _number_change(f"gap {name}, for {key[0]}, {key[1]}", *gaps)
    for was, now in zip(before.requirements, after.requirements, strict=False):
        if was.status != now.status:
            yield NumberChange(f"required: {now.text}", was.status, now.status)


def _entries(audit: Audit) -> Iterator[tuple[tuple[str, str], ConsumerAudit]]:
    """Each consumer at its levels: by its description, and whether the level is the mechanism's own."""
    seen = set[str]()
    for entry in audit.consumers:
        name = entry.consumer.describe()
        yield (name, "at the claimed level" if name in seen else "at the mechanism's own level"), entry
        seen.add(name)


def _epsilon_changes(before: Audit, after: Audit) -> Iterator[NumberChange]:
    old, new = (None if one.ratio is None else Epsilon.of_level(one.ratio) for one in (before, after))
    if old is None or new is None:
        if old is not new:
            yield NumberChange("smallest ε", *("not known" if x is None else x.told() for x in (old, new)))
        return
    if new.compare(old) == 0:
        return
    beside = [x.rational for x in (old, new) if x.rational is not None]
    told = old.told(*beside), new.told(*beside)
    if not (old.is_enclosed and new.is_enclosed):
        yield NumberChange("smallest ε", *told)
        return
    yield NumberChange("smallest ε", *told, _epsilon_text(old, new), _signed(_between(old.enclosure, new.enclosure)))


def _epsilon_text(old: Epsilon, new: Epsilon) -> str:
    """The difference of two ε, as a number, as one logarithm, or as it is.

    >>> _epsilon_text(Epsilon("ln(2)"), Epsilon("ln(4)")), _epsilon_text(Epsilon("1/2"), Epsilon("1/3"))
    ('ln(2)', '-1/6')
    >>> _epsilon_text(Epsilon("ln(4)"), Epsilon("ln(2)")), _epsilon_text(Epsilon("ln(2)"), Epsilon("1"))
    ('-ln(2)', '1 − ln(2)')
    """
    if old.rational is not None and new.rational is not None:
        return str(new.rational - old.rational)
    ratios = old.ratio, new.ratio
    if all(isinstance(x, Rational) for x in ratios) and (old.distance, new.distance) == (ONE, ONE):
        factor = ratios[0] / ratios[1]
        return f"ln({factor})" if factor > 1 else f"-ln({1 / factor})"
    return f"{new} − {old}"


def _number_change(what: str, before: Any, after: Any) -> Iterator[NumberChange]:
    if before is None or after is None:
        if before is not after:
            yield NumberChange(what, *("not known" if x is None else short_number(x) for x in (before, after)))
        return
    if _is_same(before, after):
        return
    same = isinstance(before, Rational) or isinstance(after, Rational) or before.field == after.field
    by = short_number(after - before) if same else ""  # t would stand for two numbers
    ends = _between(lambda places: bounds_of(before, places), lambda places: bounds_of(after, places))
    yield NumberChange(what, _told(before), _told(after), by, _signed(ends))


def _told(x: Any) -> str:
    """A number, with a decimal if it is none."""
    text = short_number(x)
    if not isinstance(x, (Rational, ExponentialNumber)):
        return text
    near, exact = decimal_text(x, 6) if isinstance(x, Rational) else (nearest_text(lambda places: bounds_of(x, places)), False)
    if near == text:
        return text
    legend = x.field.legend if isinstance(x, ExponentialNumber) and x.rational is None else {}
    meant = [f"{name} = {meaning}" for name, meaning in legend.items() if name in text]
    return ", ".join([f"{text} {'=' if exact else '≈'} {near}", *meant])


def _between(before: Enclosure, after: Enclosure) -> Enclosure:
    """Enclosures of the difference of two numbers that differ."""

    def ends(places: int) -> tuple[Rational, Rational]:
        (low, high), (least, most) = before(places), after(places)
        return least - high, most - low

    return ends


def _signed(ends: Enclosure) -> str:
    """A decimal with its sign."""
    text = nearest_text(ends)
    return text if text.startswith("-") else f"+{text}"
