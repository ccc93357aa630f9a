# SPDX-License-Identifier: MIT
"""Post-processing: one mechanism from another, and the refinement order of several."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from exactdp.analysis.refinement import DerivabilityEvidence, RefinementOrder, Triple
from exactdp.analysis.verdict import Verdict
from exactdp.errors import printable
from exactdp.model import Mechanism
from exactdp.report.headline import Headline, Shown, compared, headline, label
from exactdp.report.items import Fact, Item, Told, columns, grid_of, listing
from exactdp.report.values import number_json, numbers_json, remap_json, rows_json


def triple_text(triple: Triple, mechanism: Mechanism) -> str:
    """A violated condition of the line in words."""
    rows = ", ".join(mechanism.inputs[i] for i in triple.rows(mechanism.n_inputs - 1))
    return f"column {mechanism.outputs[triple.output]}, rows {rows}: {triple.value} < 0"


FOR_EVERYONE = "the source is at least as good as the target, which it becomes by R"
"""What derivability means: a consumer of the source applies R, and has what one of the target has."""

SEPARATING = "loss of the separating consumer (uniform prior; rows inputs, columns guesses)"

LONGEST_TOLD = 200
"""A longer line of losses is left to the table below."""

LONGEST_PAIR = 24
"""Of two names that are longer together only one is in the headline."""

SMALL = 5
"""The loss of a separating consumer with so many inputs and guesses is told beside the headline."""


def _called(verdict: Verdict[DerivabilityEvidence], word: str) -> str:
    """What the source or the target is called, without its digest; empty where it has no name."""
    told = next((text for text in verdict.assumed if text.startswith(f"{word} ")), "")
    return told.removeprefix(f"{word} ").partition(" (sha256")[0]


def _derivability_facts(e: DerivabilityEvidence) -> list[Item]:
    if e.remap is not None:
        return [grid_of("R, with target = source · R", e.remap), Fact("for every consumer", FOR_EVERYONE)]
    items = listing("violated three-term conditions", (triple_text(t, e.target) for t in e.triples), len(e.triples))
    items += [Fact("loss of the target", e.target_loss), Fact("least loss from the source", e.source_loss)]
    if e.consumer is not None:
        items.append(grid_of(SEPARATING, e.consumer.loss))
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
    apart = [_apart(e, i, j) for i, j in e.incomparable]
    return [
        *columns("channels, up to equivalence", ("class",), [(text,) for text in classes], str, len(classes)),
        *columns("Hasse diagram", ("refined", "by"), edges, "{} ⊑ {}".format, len(edges)),
        *listing("incomparable", apart, len(apart)),
    ]


def _apart(e: RefinementOrder, i: int, j: int) -> str:
    """For which consumer each of two incomparable mechanisms is better: their losses."""
    told = []
    for first, second in ((i, j), (j, i)):
        found = e.answers[first, second]
        target, source = compared(found.target_loss, found.source_loss)
        told.append(f"{_short(e.names[second])} is better for one consumer, loss {target.forms[-1]} against {source.forms[-1]} at best")
    return f"{_short(e.names[i])}, {_short(e.names[j])}: neither can be derived from the other; {'; '.join(told)}"


def _short(name: str) -> str:
    """A name without its digest."""
    head, digest, number = name.partition(" (sha256")
    return head if not digest else f"{head}{number.partition(')')[2]}"


def _order_json(e: RefinementOrder) -> dict[str, Any]:
    names = [[e.names[i] for i in part] for part in e.classes]
    return {
        "pairs": [[e.names[i], e.names[j]] for i, j in e.pairs],
        "classes": names,
        "incomparable": [[e.names[i], e.names[j]] for i, j in e.incomparable],
        "hasse": [[names[a][0], names[b][0]] for a, b in e.covers],
    }


def _derivability_headline(verdict: Verdict[DerivabilityEvidence]) -> Headline:
    """Derivable, or the two losses that show that it is not."""
    e = verdict.evidence
    if e.remap is not None:
        rows, columns = e.remap.matrix.shape
        made, other = (label(_called(verdict, word)) or word for word in ("target", "source"))
        made, other = (made, other) if made != other else ("target", "source")
        found = headline(f"derivable: {made} = {other} · R, R is {rows} × {columns}", what="derivable", value="derivable")
        first, second = (f"the {name}" if name in ("source", "target") else name for name in (other, made))
        return replace(found, alone=(("so", f"for every consumer {first} is at least as good as {second}, which it becomes by R"),))
    target, source = compared(e.target_loss, e.source_loss)
    better, other = (label(_called(verdict, word)) for word in ("target", "source"))
    if better and other and better != other:
        from_other = other if len(better) + len(other) <= LONGEST_PAIR else "the source"
        beside = f", {from_other} at best"
        said = f"not derivable: {better} is better for a consumer, loss"
    else:
        said, beside = "not derivable: a consumer has loss", ", from the source at best"
    alike = ((0, beside), (-1, beside), (-1, ", the source"))  # both exact, both as decimals, and in fewer words
    both = Shown(target.value, tuple(f"{target.forms[i]}{words} {source.forms[i]}" for i, words in alike), target.decimal)
    return replace(headline(said, both, what="loss of the target"), alone=_separating(e))


def _separating(e: DerivabilityEvidence) -> tuple[tuple[str, str], ...]:
    """The loss of the separating consumer in a line, if it is small."""
    if e.consumer is None or max(e.consumer.loss.matrix.shape) > SMALL:
        return ()
    loss = e.consumer.loss
    guesses = ", ".join(map(printable, map(str, loss.guesses)))
    rows = (f"input {printable(str(i))}: {', '.join(map(str, row))}" for i, row in zip(loss.inputs, loss.matrix.rows(), strict=True))
    text = f"separating, of the guesses {guesses}; {'; '.join(rows)}"
    return (("loss", text),) if len(text) <= LONGEST_TOLD else ()


def order_headline(verdict: Verdict[RefinementOrder]) -> Headline:
    """How many ordered pairs are refinements."""
    e = verdict.evidence
    told = f"{len(e.pairs)} of {len(e.answers)} ordered pairs are refinements"
    return headline(told, what="refinements", value=len(e.pairs), assumed=(f"mechanisms {', '.join(e.names)}",))


EVIDENCE = {
    DerivabilityEvidence: Told(_derivability_facts, _derivability_json, _derivability_headline),
    RefinementOrder: Told(_order_facts, _order_json, order_headline),
}
