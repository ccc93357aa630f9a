# SPDX-License-Identifier: MIT
"""What is worth telling about each kind of evidence: said once for each topic, printed by every renderer.

JSON is that of the command line's contract: rationals as strings in lowest terms, labels. Always there:
``verdict`` (*proved*, *refuted*, *replayed* or *undecided*; *no claim* of an audit where nothing was
claimed), ``claim``, ``scope``, ``headline``, ``certificate``. Where they apply: ``neighbours``, ``value``,
``loss``, ``gap``, ``level``, ``mechanism``, ``remap``, ``dual``, ``tight``, ``violated``, ``unique``,
``separator``, ``consumer``, ``coalitions``, ``stages``.

The ``headline`` says ``what`` was found, its ``value`` (a number or a level as elsewhere, a count, words, or
null where there is none), a ``decimal`` near it or null, the ``text`` of the first line without the verdict's
word, and ``assumed``: texts of what it is about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from exactdp.analysis.verdict import Registry, Scope, Verdict
from exactdp.exact import Scalar
from exactdp.model import Consumer, Prior, PrivacyLevel, TightestLevel
from exactdp.report.headline import LONGEST, Headline, shortened
from exactdp.report.items import Item, Told
from exactdp.report.values import level_json, neighbours_json, number_json

ANALYSIS = "exactdp.analysis"
ARGUMENTS = "exactdp.arguments.generalisation"
REPORT = "exactdp.report"

TOPICS: Registry[Told] = Registry(
    f"{REPORT}.registry.TOPICS",
    {
        f"{REPORT}.levels": (f"{ANALYSIS}.table_levels", f"{ANALYSIS}.optimality.by_level"),
        f"{REPORT}.deployed": (f"{ANALYSIS}.approximate", f"{ANALYSIS}.composition", f"{ANALYSIS}.inference", f"{ANALYSIS}.audit_evidence"),
        f"{ARGUMENTS}.report": (f"{ARGUMENTS}.answer",),
        f"{REPORT}.privacy": (f"{ANALYSIS}.privacy", f"{ANALYSIS}.stochastic"),
        f"{REPORT}.tight": (f"{ANALYSIS}.tight", f"{ANALYSIS}.leakage"),
        f"{REPORT}.types": (f"{ANALYSIS}.types", f"{ANALYSIS}.leakage"),
    },
    REPORT,
)
"""The module of a topic, and where its evidence comes from, where that has another name."""


def facts(verdict: Verdict[Any], topics: Registry[Told] = TOPICS) -> list[Item]:
    """The facts, lists and tables that belong to a verdict, in reading order; none if it has no evidence.

    * raises TypeError: the evidence is of no topic.
    """
    evidence = verdict.evidence
    return [] if evidence is None else topics.entry(type(evidence)).facts(evidence)


def lines_above(verdict: Verdict[Any], topics: Registry[Told] = TOPICS) -> list[tuple[str, str]]:
    """The lines above the headline, each with its first word: of two audits, how they compare."""
    return [] if verdict.evidence is None else topics.entry(type(verdict.evidence)).above(verdict.evidence)


def is_told(verdict: Verdict[Any]) -> bool:
    """Whether a topic has the verdict's evidence."""
    return TOPICS.find(type(verdict.evidence)) is not None


def headline_of(verdict: Verdict[Any], topics: Registry[Told] = TOPICS) -> Headline:
    """The answer in one line, with what it is about and assumes; the claim of a verdict without evidence.

    >>> from exactdp import geometric, neighbours, tightest_level
    >>> first = headline_of(tightest_level(geometric(1, "1/4"), neighbours("path:2")))
    >>> first.text, first.assumed
    ('tightest level α = 1/4 (ε = ln(4) ≈ 1.386294)', ('path:2',))
    """
    if verdict.evidence is None:
        return Headline("claim", shortened(verdict.claim, LONGEST), assumed=_stated(verdict, ()))
    own: Headline = topics.entry(type(verdict.evidence)).headline(verdict)
    return replace(own, assumed=_stated(verdict, own.assumed))


def _stated(verdict: Verdict[Any], own: Sequence[str]) -> tuple[str, ...]:
    """What an answer is about, in reading order, each once."""
    e, scope = verdict.evidence, verdict.scope
    near = () if verdict.neighbours is None else (str(verdict.neighbours),)
    level: Any = getattr(e, "level", None)
    told = isinstance(level, (PrivacyLevel, TightestLevel))
    said = [] if not told else [level.text if isinstance(level, PrivacyLevel) else level.told(True)]
    consumer = getattr(e, "consumer", None)
    who = [consumer.describe().removeprefix("the ")] if isinstance(consumer, Consumer) else []
    prior = getattr(e, "prior", None)
    weights = [f"prior {prior}"] if isinstance(prior, Prior) else []
    words = str(replace(scope, meanings=()))
    instance = "this instance"
    where = words.removeprefix(instance).lstrip(" ,:") if words.startswith(instance) else words
    texts = dict.fromkeys(filter(None, [*verdict.assumed, *near, *said, *who, *weights, *own, where, *_letters(scope)]))
    return tuple(sorted(texts, key=lambda text: len(text) > SHORT))


MOST_LETTERS = 6
"""So many are told one by one."""


def _letters(scope: Scope) -> list[str]:
    """What the letters of an answer stand for; of many the first and the last, as the others are alike.

    >>> from exactdp.exact import ExponentialField
    >>> field = ExponentialField(1, roots=(1, 2, 3, 5, 6, 7, 10))
    >>> _letters(Scope(meanings=tuple(field.legend.items())))
    ['t = e^(−1)', 't2 = e^(−1·√2)', 'so on up to t10 = e^(−1·√10)']
    """
    told = scope.legend()
    return told if len(told) <= MOST_LETTERS else [*told[:2], f"so on up to {told[-1]}"]


SHORT = 100
"""A longer text, such as what was done to a rounded table, stands last."""


def headline_json(found: Headline) -> dict[str, Any]:
    """The key ``headline`` of the contract."""
    value = found.value
    if hasattr(value, "as_tightest"):
        value = level_json(value)
    elif isinstance(value, Scalar):
        value = number_json(value)
    elif value is not None and not isinstance(value, int):
        value = str(value)
    return {
        "what": found.what,
        "value": value,
        "decimal": found.decimal or None,
        "text": found.text,
        "assumed": list(found.assumed),
    }


def verdict_json(verdict: Verdict[Any], certificate: str | None = None, *, topics: Registry[Told] = TOPICS) -> dict[str, Any]:
    """The JSON object of a verdict.

    * ``certificate``: the path that its certificate was written to.
    * ``topics``: how the evidence of each question is told.

    >>> from exactdp import geometric, neighbours, tightest_level
    >>> answer = verdict_json(tightest_level(geometric(1, "1/2"), neighbours("path:2")))
    >>> answer["verdict"], answer["level"]["alpha"], answer["scope"], len(answer["tight"])
    ('proved', '1/2', 'this instance', 2)
    """
    common: dict[str, Any] = {"verdict": verdict.head, "claim": verdict.claim, "scope": str(verdict.scope)}
    own = {} if verdict.evidence is None else topics.entry(type(verdict.evidence)).json(verdict.evidence)
    near = {} if verdict.neighbours is None else {"neighbours": neighbours_json(verdict.neighbours)}
    first = {"headline": headline_json(headline_of(verdict, topics))}
    notes = {"notes": list(verdict.notes)} if verdict.notes else {}
    return {**common, **first, "certificate": certificate, **own, **near, **notes}
