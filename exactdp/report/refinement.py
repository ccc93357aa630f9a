# SPDX-License-Identifier: MIT
"""Post-processing: one mechanism from another, and the refinement order of several."""

from __future__ import annotations

from typing import Any

from exactdp.analysis.refinement import DerivabilityEvidence, RefinementOrder, Triple
from exactdp.analysis.verdict import Verdict
from exactdp.model import Mechanism
from exactdp.report.headline import Headline, compared, headline
from exactdp.report.items import Fact, Item, Told, columns, grid_of, listing
from exactdp.report.values import number_json, numbers_json, remap_json, rows_json


def triple_text(triple: Triple, mechanism: Mechanism) -> str:
    """A violated condition of the line in words."""
    rows = ", ".join(mechanism.inputs[i] for i in triple.rows(mechanism.n_inputs - 1))
    return f"column {mechanism.outputs[triple.output]}, rows {rows}: {triple.value} < 0"


def _derivability_facts(e: DerivabilityEvidence) -> list[Item]:
    if e.remap is not None:
        return [grid_of("R, with target = source · R", e.remap)]
    items = listing("violated three-term conditions", (triple_text(t, e.target) for t in e.triples), len(e.triples))
    items += [Fact("loss of the target", e.target_loss), Fact("least loss from the source", e.source_loss)]
    if e.consumer is not None:
        items.append(grid_of("loss of the separating consumer (prior: uniform)", e.consumer.loss))
    return items


def _derivability_json(e: DerivabilityEvidence) -> dict[str, Any]:
    if e.remap is not None:
        return {"remap": remap_json(e.remap)}
    last = e.target.n_inputs - 1
    violated = [
        {"rows": [e.target.inputs[i] for i in t.rows(last)], "output": e.target.outputs[t.output], "value": number_json(t.value)}
        for t in e.triples
    ]
    found: dict[str, Any] = {"violated": violated, "loss": number_json(e.target_loss), "source_loss": number_json(e.source_loss)}
    if e.separator is not None:
        found["separator"] = rows_json(e.separator)
    if e.consumer is not None:
        found["consumer"] = {"prior": numbers_json(e.consumer.prior.weights), "loss": rows_json(e.consumer.loss.matrix)}
    return found


def _order_facts(e: RefinementOrder) -> list[Item]:
    classes = [" ≡ ".join(e.names[i] for i in part) for part in e.classes]
    edges = [(classes[a], classes[b]) for a, b in e.covers]
    return [
        *columns("channels, up to equivalence", ("class",), [(text,) for text in classes], str, len(classes)),
        *columns("Hasse diagram", ("refined", "by"), edges, "{} ⊑ {}".format, len(edges)),
    ]


def _order_json(e: RefinementOrder) -> dict[str, Any]:
    names = [[e.names[i] for i in part] for part in e.classes]
    return {
        "pairs": [[e.names[i], e.names[j]] for i, j in e.pairs],
        "classes": names,
        "hasse": [[names[a][0], names[b][0]] for a, b in e.covers],
    }


def _derivability_headline(verdict: Verdict[DerivabilityEvidence]) -> Headline:
    """Derivable, or the two losses that show that it is not."""
    e = verdict.evidence
    if e.remap is not None:
        rows, columns = e.remap.matrix.shape
        return headline(f"derivable: target = source · R, R is {rows} × {columns}", what="derivable", value="derivable")
    target, source = compared(e.target_loss, e.source_loss)
    return headline("not derivable: a consumer has loss", target, ", from the source at best", source, what="loss of the target")


def order_headline(verdict: Verdict[RefinementOrder]) -> Headline:
    """How many ordered pairs are refinements."""
    e = verdict.evidence
    told = f"{len(e.pairs)} of {len(e.answers)} ordered pairs are refinements"
    return headline(told, what="refinements", value=len(e.pairs), assumed=(f"mechanisms {', '.join(e.names)}",))


EVIDENCE = {
    DerivabilityEvidence: Told(_derivability_facts, _derivability_json, _derivability_headline),
    RefinementOrder: Told(_order_facts, _order_json, order_headline),
}
