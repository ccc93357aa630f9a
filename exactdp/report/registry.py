# SPDX-License-Identifier: MIT
"""What is worth telling about each kind of evidence: said once for each topic, printed by every renderer.

JSON is that of the command line's contract: rationals as strings in lowest terms, labels. Always there:
``verdict`` (*proved*, *refuted*, *replayed* or *undecided*; *no claim* of an audit where nothing was
claimed), ``claim``, ``scope``, ``certificate``. Where they apply: ``neighbours``, ``value``, ``loss``,
``gap``, ``level``, ``mechanism``, ``remap``, ``dual``, ``tight``, ``violated``, ``unique``,
``separator``, ``consumer``, ``coalitions``, ``stages``.
"""

from __future__ import annotations

from typing import Any

from exactdp.analysis.verdict import Registry, Verdict
from exactdp.report.items import Item, Told
from exactdp.report.values import neighbours_json

ANALYSIS = "exactdp.analysis"
ARGUMENTS = "exactdp.arguments.generalisation"
REPORT = "exactdp.report"

TOPICS: Registry[Told] = Registry(
    f"{REPORT}.registry.TOPICS",
    {
        f"{REPORT}.levels": (f"{ANALYSIS}.table_levels", f"{ANALYSIS}.optimality.by_level"),
        f"{REPORT}.deployed": (f"{ANALYSIS}.approximate", f"{ANALYSIS}.composition", f"{ANALYSIS}.inference", f"{ANALYSIS}.audit"),
        f"{ARGUMENTS}.report": (f"{ARGUMENTS}.answer",),
        f"{REPORT}.tight": (f"{ANALYSIS}.tight", f"{ANALYSIS}.leakage"),
        f"{REPORT}.types": (f"{ANALYSIS}.types", f"{ANALYSIS}.leakage"),
    },
    REPORT,
)
"""The module of a topic, and where its evidence comes from, where that has another name."""


def facts(verdict: Verdict[Any], topics: Registry[Told] = TOPICS) -> list[Item]:
    """The facts, lists and tables that belong to a verdict, in reading order; none if it has no evidence.

    Raises
    ------
    TypeError
        The evidence is of no topic.
    """
    evidence = verdict.evidence
    return [] if evidence is None else topics.entry(type(evidence)).facts(evidence)


def verdict_json(verdict: Verdict[Any], certificate: str | None = None, *, topics: Registry[Told] = TOPICS) -> dict[str, Any]:
    """The JSON object of a verdict.

    Parameters
    ----------
    verdict : Verdict
        Of any question.
    certificate : str, optional
        The path that its certificate was written to.
    topics : Registry
        How the evidence of each question is told.

    Examples
    --------
    >>> from exactdp import geometric, neighbours, tightest_level
    >>> answer = verdict_json(tightest_level(geometric(1, "1/2"), neighbours("path:2")))
    >>> answer["verdict"], answer["level"]["alpha"], answer["scope"], len(answer["tight"])
    ('proved', '1/2', 'this instance', 2)
    """
    common: dict[str, Any] = {"verdict": verdict.head, "claim": verdict.claim, "scope": str(verdict.scope)}
    own = {} if verdict.evidence is None else topics.entry(type(verdict.evidence)).json(verdict.evidence)
    near = {} if verdict.neighbours is None else {"neighbours": neighbours_json(verdict.neighbours)}
    return {**common, "certificate": certificate, **own, **near}
