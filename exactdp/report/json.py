# SPDX-License-Identifier: MIT
"""Verdicts as the JSON of the command line's contract: rationals as strings in lowest terms; labels.

Always there: ``verdict``, ``claim``, ``scope``, ``certificate``. Where they apply: ``value``, ``loss``,
``gap``, ``level``, ``mechanism``, ``remap``, ``dual``, ``tight``, ``violated``, ``unique``, ``separator``,
``consumer``, ``coalitions``, ``stages``.
"""

from __future__ import annotations

from typing import Any

from exactdp.analysis.registry import Registry
from exactdp.analysis.verdict import Verdict
from exactdp.report.items import Told
from exactdp.report.registry import TOPICS


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
    >>> answer["verdict"], answer["level"], answer["scope"], len(answer["tight"])
    ('proved', '1/2', 'this instance', 2)
    """
    common: dict[str, Any] = {"verdict": verdict.decision.value, "claim": verdict.claim, "scope": str(verdict.scope)}
    own = {} if verdict.evidence is None else topics.entry(type(verdict.evidence)).json(verdict.evidence)
    return {**common, "certificate": certificate, **own}
