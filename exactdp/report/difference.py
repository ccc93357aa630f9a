# SPDX-License-Identifier: MIT
"""What has changed since an earlier audit, as a section of a report and as JSON."""

from __future__ import annotations

from typing import Any

from exactdp.analysis.audit_difference import NumberChange
from exactdp.certificate.since import Since
from exactdp.report.items import Fact, Item, listing
from exactdp.report.values import number_json

FEW = 12
"""So many changed cells are listed."""


def since_section(found: Since) -> tuple[str, list[Item]]:
    """The heading, and what has changed."""
    manifest, difference = found.kept.manifest, found.difference
    made = f"of {manifest.predicate['date']}, by exactdp {manifest.predicate['exactdp']}"
    items: list[Item] = [Fact("compared with", f"the bundle {found.kept.place} {made}, whose manifest.json is {manifest.digest}")]
    items += [Fact(one.what, _text(one)) for one in found.verdicts]
    if not any(one.what == "verdict" for one in found.verdicts):
        items.append(Fact("verdict", f"as before: {found.kept.verdict['verdict']}"))
    items += [Fact("table", said) for said in difference.labels]
    lines = [f"{cell.change.what}: {_text(cell.change)}" for cell in difference.cells]
    items += listing("changed cells", lines, len(lines), few=FEW) if lines else [Fact("changed cells", "none")]
    items += [Fact(one.what, _text(one)) for one in difference.numbers]
    if difference.reason:
        items.append(Fact("not compared", difference.reason))
    elif not difference.numbers:
        items.append(Fact("ε, δ and gaps", "as before"))
    return "What has changed", items


def _text(one: NumberChange) -> str:
    """Both numbers, and the difference."""
    if not one.decimal:
        return f"{one.before} → {one.after}"
    exact = [one.by] if one.by and one.by != one.decimal.removeprefix("+") else []
    return f"{one.before} → {one.after}, by {' ≈ '.join([*exact, one.decimal])}"


def since_json(found: Since) -> dict[str, Any]:
    """The same as JSON."""
    difference = found.difference
    told: dict[str, Any] = {
        "bundle": found.kept.place,
        "manifest": found.kept.manifest.digest,
        "date": found.kept.manifest.predicate["date"],
        "verdict_before": found.kept.verdict["verdict"],
        "asked": [_json(one) for one in found.verdicts],
        "labels": list(difference.labels),
        "cells": [
            {
                "input": cell.input,
                "output": cell.output,
                "before": number_json(cell.before),
                "after": number_json(cell.after),
                "by": cell.change.by,
                "decimal": cell.change.decimal,
            }
            for cell in difference.cells
        ],
        "numbers": [_json(one) for one in difference.numbers],
    }
    return told | ({"not_compared": difference.reason} if difference.reason else {})


def _json(one: NumberChange) -> dict[str, str]:
    found = {"what": one.what, "before": one.before, "after": one.after}
    return found | ({"by": one.by, "decimal": one.decimal} if one.decimal else {})
