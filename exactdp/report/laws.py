# SPDX-License-Identifier: MIT
"""How private a law is whose table is not built, told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from exactdp.analysis.laws import LawEvidence, LawLossEvidence
from exactdp.analysis.verdict import Verdict
from exactdp.model import MinimaxConsumer
from exactdp.report.headline import Headline, found_level
from exactdp.report.items import Fact, Item, Told
from exactdp.report.privacy import asked_facts, level_compared, level_facts
from exactdp.report.values import level_json


def _facts(e: LawEvidence) -> list[Item]:
    items: list[Item] = [] if e.level is None else asked_facts(e.level, e.tightest)
    return [*items, *level_facts("tightest level", e.tightest, e.level, e.by_epsilon), Fact("between", e.law.inputs)]


def _json(e: LawEvidence) -> dict[str, Any]:
    asked = {} if e.level is None else {"level_asked": level_json(e.level)}
    return asked | {"level": level_json(e.tightest), "by_law": e.word}


def _headline(verdict: Verdict[LawEvidence]) -> Headline:
    """The tightest level, and between which inputs."""
    e = verdict.evidence
    found = found_level(e.tightest, e.by_epsilon) if e.level is None else level_compared(e.tightest, e.level, verdict)
    return replace(found, assumed=(f"between {e.law.inputs}",))


def _loss_facts(e: LawLossEvidence) -> list[Item]:
    found = e.losses
    known = {
        "loss at worst": found.worst,
        "loss on average (uniform prior)": found.mean,
        "least average of all as private": found.least,
    }
    items: list[Item] = [Fact(name, "not computed" if bounds is None else e.figures(bounds)) for name, bounds in known.items()]
    return [*items, Fact("loss at the input i", e.formula), Fact("α", str(e.law.alpha)), Fact("n", str(e.law.n))]


def _loss_json(e: LawLossEvidence) -> dict[str, Any]:
    names = {"worst": e.losses.worst, "mean": e.losses.mean, "least_mean": e.losses.least}
    bounds = {name: None if ends is None else {"lower": str(ends[0]), "upper": str(ends[1])} for name, ends in names.items()}
    return {"by_law": e.word, "loss": e.loss, "losses": bounds, "loss_at_input_i": e.formula, "level": level_json(e.law.alpha)}


def _loss_headline(verdict: Verdict[LawLossEvidence]) -> Headline:
    """The loss, and that it is not decided whether less is possible."""
    e = verdict.evidence
    minimax = isinstance(e.consumer, MinimaxConsumer)
    ends = e.bounds
    value = "not computed" if ends is None else e.figures(ends)
    text = f"loss {value} {'at worst' if minimax else 'on average'} by its law; {e.asked.value} isn't decided"
    least = not minimax and e.at_own_level and e.losses.least is not None and e.losses.least[1] < e.losses.mean[0]
    if least and e.losses.least is not None:
        text = f"loss {value} on average by its law; a remap has {e.figures(e.losses.least)}, the least"
    decimal = value.removeprefix("≈ ") if ends is not None else ""
    about = (e.word, *(() if e.level is None else (f"path:{e.law.n + 1}",)), e.consumer.describe().removeprefix("the "), e.size)
    return Headline("loss", text, decimal=decimal, assumed=about)


EVIDENCE = {LawEvidence: Told(_facts, _json, _headline), LawLossEvidence: Told(_loss_facts, _loss_json, _loss_headline)}
