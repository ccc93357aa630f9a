# SPDX-License-Identifier: MIT
"""What is worth telling about each kind of evidence: said once for each topic, printed by every renderer."""

from __future__ import annotations

from typing import Any

from exactdp.analysis.registry import Registry
from exactdp.analysis.verdict import Verdict
from exactdp.report.items import Item, Told

ANALYSIS = "exactdp.analysis"
REPORT = "exactdp.report"

TOPICS: Registry[Told] = Registry(
    f"{REPORT}.registry.TOPICS",
    {
        f"{REPORT}.privacy": (f"{ANALYSIS}.privacy",),
        f"{REPORT}.refinement": (f"{ANALYSIS}.refinement",),
        f"{REPORT}.optimality": (f"{ANALYSIS}.optimality",),
        f"{REPORT}.levels": (f"{ANALYSIS}.levels", f"{ANALYSIS}.optimality.by_level"),
        f"{REPORT}.deployed": (f"{ANALYSIS}.approximate", f"{ANALYSIS}.composition", f"{ANALYSIS}.inference", f"{ANALYSIS}.audit"),
        f"{REPORT}.determinant": (f"{ANALYSIS}.determinant",),
        f"{REPORT}.tight": (f"{ANALYSIS}.tight", f"{ANALYSIS}.leakage"),
        f"{REPORT}.types": (f"{ANALYSIS}.types", f"{ANALYSIS}.leakage"),
    },
)
"""The module of each topic, and where its evidence comes from."""


def facts(verdict: Verdict[Any], topics: Registry[Told] = TOPICS) -> list[Item]:
    """The facts, lists and tables that belong to a verdict, in reading order; none if it has no evidence.

    Raises
    ------
    TypeError
        The evidence is of no topic.
    """
    evidence = verdict.evidence
    return [] if evidence is None else topics.entry(type(evidence)).facts(evidence)
