# SPDX-License-Identifier: MIT
"""What has changed since an audit whose bundle was kept: the old table is asked again what is asked now.

The bundle is taken if its manifest is of our version, and every file has the digest that it says. Its
certificates are not checked here: ``exactdp verify`` does that.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from math import gcd, lcm
from pathlib import Path
from typing import Any

from exactdp.analysis.audit import audit
from exactdp.analysis.audit_difference import AuditDifference, NumberChange, changed_cells, changed_labels, changed_numbers
from exactdp.analysis.audit_evidence import Audit
from exactdp.analysis.verdict import Verdict
from exactdp.certificate.bundle_files import LAW, MANIFEST, Refused, files_of, sha256
from exactdp.certificate.manifest import Manifest
from exactdp.errors import InputError
from exactdp.exact import QQ, ExactMatrix, ExponentialField, Rational
from exactdp.model import Table
from exactdp.runtime.progress import Listener

NEIGHBOURS = "neighbours: "
"""How the assumption of a bundle begins that names the neighbours."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A bundle that was kept.

    Attributes
    ----------
    place : str
        Where it is.
    manifest : Manifest
    table : Table
        As it was read then.
    """

    place: str
    manifest: Manifest
    table: Table

    @property
    def verdict(self) -> Mapping[str, str]:
        """What was said then."""
        found: Mapping[str, str] = self.manifest.predicate["verdicts"][0]
        return found


@dataclass(frozen=True, slots=True)
class Since:
    """What has changed since a bundle was made.

    Attributes
    ----------
    kept : Kept
        The bundle.
    verdicts : tuple of NumberChange
        The verdict, and what was asked, where they are others.
    difference : AuditDifference
        Cells and numbers.
    """

    kept: Kept
    verdicts: tuple[NumberChange, ...]
    difference: AuditDifference


def kept_bundle(place: str | os.PathLike[str]) -> Kept:
    """The bundle of a folder, a zip, or a ``manifest.json`` in its folder.

    Raises
    ------
    InputError
        It is none, is of another version, or a file is missing, foreign or changed.
    """
    where = Path(place)
    folder = where.parent if where.name == MANIFEST else where
    try:
        files, faults = files_of(str(folder))
        if MANIFEST not in files:
            raise Refused(f"it has no {MANIFEST}")
        manifest = Manifest.read(files[MANIFEST])
        if not manifest.is_bundle:
            raise Refused("it has certificates alone, and no table; --bundle makes what can be compared")
        expected = {part["name"]: part["digest"]["sha256"] for part in manifest.predicate["parts"]}
        wrong = [str(fault) for fault in faults]
        wrong += [f"{name} is missing" for name in expected.keys() - files.keys()]
        wrong += [f"{name} is foreign" for name in sorted(files.keys() - expected.keys() - {MANIFEST})]
        wrong += [f"{name} is changed" for name, digest in expected.items() if name in files and sha256(files[name]) != digest]
        if wrong:
            raise Refused(f"it is not what its {MANIFEST} says: {wrong[0]}")
        if LAW in files:
            raise Refused("it is of a law, and has no table")
        tables = json.loads(files["table.json"])["tables"]
        table = _table(next(one for one in tables if one["name"] == "as read"))
    except Refused as error:
        raise _refused(place, error.sentence) from None
    except InputError as error:
        raise _refused(place, error.message) from None
    except (OSError, LookupError, ValueError, TypeError, StopIteration) as error:
        raise _refused(place, f"it can't be read: {error}") from None
    return Kept(os.fspath(place), manifest, table)


def _refused(place: str | os.PathLike[str], why: str) -> InputError:
    return InputError(f"the bundle {os.fspath(place)!r} is not compared: {why}", since=place)


def changes_since(verdict: Verdict[Any], place: str | os.PathLike[str], *, progress: Listener | None = None) -> Since:
    """What has changed since the audit of a bundle.

    Parameters
    ----------
    verdict : Verdict of Audit
        The audit of the table as it is now.
    place : str or path
        A bundle: a folder, a zip, or its ``manifest.json``.
    progress : callable, optional
        Told how far it is.

    Returns
    -------
    Since
        The old table was asked what ``verdict`` was asked, so that each difference is one of the tables.
        ``verdicts`` has what was asked and said otherwise then.

    Raises
    ------
    InputError
        The answer is of another question; or the bundle is none, is of another version, or was changed.

    Examples
    --------
    >>> import tempfile
    >>> from exactdp import audit, geometric
    >>> place = tempfile.mkdtemp()
    >>> _ = audit(geometric(1, "1/2"), "path").bundle(place)
    >>> found = changes_since(audit(geometric(1, "1/4"), "path"), place)
    >>> [(one.what, one.by) for one in found.difference.numbers], len(found.difference.cells)
    ([('smallest ε', 'ln(2)')], 4)
    """
    now = verdict.evidence
    if not isinstance(now, Audit):
        told = "what has changed is told of an audit, and this is the answer of another question"
        raise InputError(f"{told}: {verdict.claim}", verdict=verdict)
    kept = kept_bundle(place)
    table = _labelled_as(kept.table, now.given)
    labels, cells = changed_labels(table, now.given), tuple(changed_cells(table, now.given))
    if set(table.inputs) != set(now.given.inputs):
        reason = "the tables have other inputs, so that ε, δ and gaps are not compared"
        return Since(kept, _asked(kept, verdict), AuditDifference(labels, cells, (), reason))
    consumers = tuple(dict.fromkeys(entry.consumer for entry in now.consumers))
    deltas = [one.evidence.delta for one in now.for_delta]
    required = tuple(dict.fromkeys(one.requirement for one in now.requirements))
    asked: dict[str, Any] = {"claim": now.claim, "consumers": consumers, "deltas": deltas, "require": required, "rounding": now.rounding}
    before = audit(table, now.neighbours, **asked, progress=progress).evidence
    return Since(kept, _asked(kept, verdict), AuditDifference(labels, cells, tuple(changed_numbers(before, now))))


def _labelled_as(table: Table, other: Table) -> Table:
    """The table, whose labels are positions where those of the other are, and are called so."""
    same = [list(map(str, getattr(table, axis))) == list(map(str, getattr(other, axis))) for axis in ("inputs", "outputs")]
    return table.relabelled(other.inputs if same[0] else None, other.outputs if same[1] else None)


def _asked(kept: Kept, verdict: Verdict[Audit]) -> tuple[NumberChange, ...]:
    """The verdict, the claim and the neighbours, where they were others."""
    now, predicate = verdict.evidence, kept.manifest.predicate
    claimed = predicate["claimed"]
    near = [text.removeprefix(NEIGHBOURS) for text in predicate["assumptions"] if text.startswith(NEIGHBOURS)]
    then = {
        "verdict": kept.verdict["verdict"],
        "claim": "none" if claimed is None else str(claimed["text"]),
        "neighbours": near[0] if near else "not told",
    }
    said = {
        "verdict": now.of_claim.head,
        "claim": "none" if now.claim is None else str(now.claim),
        "neighbours": str(now.neighbours),
    }
    return tuple(NumberChange(what, then[what], said[what]) for what in said if then[what] != said[what])


def _table(body: Mapping[str, Any]) -> Table:
    """A table of ``table.json``: fractions, or sums of multiples of e^(−r)."""
    entries = body["entries"]
    rates = [Rational(r) for row in entries for x in row if not isinstance(x, str) for part in x for powers, _ in part for r, _ in powers]
    if any(q != 1 for row in entries for x in row if not isinstance(x, str) for part in x for powers, _ in part for _, q in powers):
        raise Refused("its table has numbers e^(−r·√q), which are not compared")
    if not rates:
        return Table(ExactMatrix([[Rational(x) for x in row] for row in entries], QQ), body["inputs"], body["outputs"])
    den = lcm(*(int(r.denominator) for r in rates))
    field = ExponentialField(Rational(gcd(*(int((r * den).numerator) for r in rates)), den))
    rows = [[_number(x, field) for x in row] for row in entries]
    return Table(ExactMatrix(rows, field), body["inputs"], body["outputs"])


def _number(x: Any, field: ExponentialField) -> Any:
    """A number of a field, of the terms of its numerator and denominator."""
    if isinstance(x, str):
        return field(Rational(x))
    numerator, denominator = (_sum(part, field) for part in x)
    return numerator / denominator


def _sum(terms: Any, field: ExponentialField) -> Any:
    """A sum of rational multiples of powers of the field's generator."""
    found = field(0)
    for powers, c in terms:
        exponent = sum((Rational(r) for r, _ in powers), Rational(0)) / field.rate
        found += field(Rational(c)) * field.gen ** int(exponent.numerator)
    return found
