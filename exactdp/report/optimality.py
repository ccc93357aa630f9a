# SPDX-License-Identifier: MIT
"""Optimal mechanisms and remaps, whether there are others, and gaps."""

from __future__ import annotations

from typing import Any

from exactdp.analysis.optimality.mechanism import GapEvidence
from exactdp.analysis.optimality.optimum import OptimalityEvidence
from exactdp.analysis.optimality.remap import RemapEvidence
from exactdp.analysis.optimality.uniqueness import RemapUniqueness, Uniqueness
from exactdp.model import BayesianConsumer, Consumer, Dual, FactoredMechanism, PrivacyLevel
from exactdp.report.items import LARGEST_PRODUCT, Fact, Item, Listing, Told, grid_of, row_grid
from exactdp.report.privacy import privacy_facts, privacy_json
from exactdp.report.values import mechanism_json, number_json, numbers_json, remap_json


def optimality_facts(e: OptimalityEvidence) -> list[Item]:
    """The optimum, and the loss and the gap of a mechanism."""
    items: list[Item] = [Fact("optimum", e.value)] if e.value is not None else []
    if e.bounds is not None:
        items += [Fact("optimum at least", e.bounds[0]), Fact("optimum at most", e.bounds[1])]
    if e.mechanism is not None:
        if e.remap is not None and e.remap.bounds is not None:
            lower, upper = e.remap.bounds
            items += [Fact("loss after the best remap at least", lower), Fact("loss after the best remap at most", upper)]
        else:
            items += [Fact("loss after the best remap" if e.remap else "loss", e.loss)]
        items += [] if e.gap is None else [Fact("gap", e.gap)]
    if e.privacy is not None:
        items += [item for item in privacy_facts(e.privacy) if not (isinstance(item, Listing) and item.title == "tight")]
    if e.fault is not None:
        items.append(Fact("condition broken by the dual", str(e.fault)))
    if e.remap is not None:
        quality = "best remap" if e.remap.bounds is None else "best known remap"
        items.append(grid_of(f"{quality} of the mechanism ({_kind(e.remap.remap.is_deterministic())})", e.remap.remap))
    if isinstance(e.found, FactoredMechanism) and len(e.found.inputs) > LARGEST_PRODUCT:
        items.append(_factored("an optimal mechanism", e.found, e.level))
    elif (best := e.best) is not None and not (e.mechanism is not None and e.remap is None and e.gap == 0):
        items.append(grid_of("an optimal mechanism" if e.bounds is None else "the best mechanism found", best))
    return items + _dual_facts(e.dual, e.consumer)


def optimality_json(e: OptimalityEvidence) -> dict[str, Any]:
    """The optimum, the loss, the gap, the mechanism, and the dual."""
    found: dict[str, Any] = {"value": None if e.value is None else number_json(e.value)}
    if e.bounds is not None:
        found["bounds"] = numbers_json(e.bounds)
    found |= {} if e.mechanism is None else loss_json(e)
    if e.privacy is not None:
        found |= privacy_json(e.privacy)
    large = isinstance(e.found, FactoredMechanism) and len(e.found.inputs) > LARGEST_PRODUCT
    best = None if large else e.best
    if e.found is not None:
        found["mechanism"] = None if best is None else mechanism_json(best)
    if e.remap is not None:
        found["remap"] = remap_json(e.remap.remap)
    elif isinstance(e.found, FactoredMechanism) and not large:
        found["remap"] = remap_json(e.found.remap())
    if e.dual is not None:
        found["dual"] = _dual_json(e.dual)
    if e.fault is not None:
        found["fault"] = str(e.fault)
    return found


def loss_json(e: OptimalityEvidence) -> dict[str, Any]:
    """The loss of a mechanism, or bounds of its loss after a remap, and the gap."""
    found = {"loss": number_json(e.loss), "gap": None if e.gap is None else number_json(e.gap)}
    bounds = None if e.remap is None else e.remap.bounds
    return found if bounds is None else {**found, "loss": None, "loss_bounds": numbers_json(bounds)}


def remap_facts(e: RemapEvidence) -> list[Item]:
    """The least loss of a remap, and a remap that has it."""
    if e.bounds is not None:
        items: list[Item] = [Fact("least loss of a remap at least", e.bounds[0]), Fact("at most", e.bounds[1])]
        return [*items, grid_of("the best remap found", e.remap), *_weights(e.weights, e.consumer)]
    items = [Fact("least loss of a remap", e.value)]
    if e.given is not None:
        items += [Fact("loss of the given remap", e.loss), Fact("gap", e.gap)]
    if e.given is None or e.gap:
        items.append(grid_of(f"best remap ({_kind(e.remap.is_deterministic())})", e.remap))
    return items + _weights(e.weights, e.consumer)


def best_remap_json(e: RemapEvidence) -> dict[str, Any]:
    """The least loss of a remap, and a remap that has it."""
    value = None if e.value is None else number_json(e.value)
    found: dict[str, Any] = {"value": value, "remap": remap_json(e.remap), "deterministic": e.remap.is_deterministic()}
    if e.bounds is not None:
        found["bounds"] = numbers_json(e.bounds)
    if e.given is not None:
        found |= {"loss": number_json(e.loss), "gap": number_json(e.gap)}
    return found | _weights_json(e.weights, e.consumer)


def _uniqueness_facts(e: Uniqueness) -> list[Item]:
    items: list[Item] = [Fact("optimum", e.value), grid_of("an optimal mechanism" if e.second else "the optimal mechanism", e.first)]
    return items + ([] if e.second is None else [grid_of("another one", e.second)])


def _uniqueness_json(e: Uniqueness) -> dict[str, Any]:
    second = {} if e.second is None else {"second": mechanism_json(e.second)}
    return {"value": number_json(e.value), "mechanism": mechanism_json(e.first), **second, "dual": _dual_json(e.dual)}


def _remap_uniqueness_facts(e: RemapUniqueness) -> list[Item]:
    kind = _kind(e.first.is_deterministic())
    items: list[Item] = [Fact("least loss of a remap", e.value), grid_of(f"{'a' if e.second else 'the'} best remap ({kind})", e.first)]
    if e.second is not None:
        items.append(grid_of(f"another one ({_kind(e.second.is_deterministic())})", e.second))
    return items + _weights(e.weights, e.consumer)


def _remap_uniqueness_json(e: RemapUniqueness) -> dict[str, Any]:
    second = {} if e.second is None else {"second": remap_json(e.second)}
    found = {"value": number_json(e.value), "remap": remap_json(e.first), "deterministic": e.first.is_deterministic(), **second}
    return found | _weights_json(e.weights, e.consumer)


def _dual_facts(dual: Dual | None, consumer: Consumer) -> list[Item]:
    if dual is None:
        return []
    items = _weights(dual.weights, consumer)
    if dual.potentials is not None:
        items.append(row_grid("dual potentials μ (their sum is the bound)", dual.potentials, consumer.inputs))
    return items


def _weights(weights: tuple[Any, ...], consumer: Consumer) -> list[Item]:
    if isinstance(consumer, BayesianConsumer):
        return []
    return [row_grid("least favourable prior", weights, consumer.inputs)]


def _factored(name: str, found: FactoredMechanism, level: PrivacyLevel) -> Item:
    """A mechanism that is too large to be written out, in words."""
    how = _kind(found.is_deterministic)
    return Fact(name, f"G({len(found.inputs) - 1}, {level})·T, T {how} and sparse: see the certificate (-o)")


def _kind(deterministic: bool) -> str:
    return "deterministic" if deterministic else "randomised"


def _dual_json(dual: Dual) -> dict[str, Any]:
    found: dict[str, Any] = {"rule": dual.rule, "weights": numbers_json(dual.weights)}
    if dual.potentials is not None:
        found["potentials"] = numbers_json(dual.potentials)
    if dual.edges is not None:
        found["edges"] = [numbers_json(row) for row in dual.edges]
    return found


def _weights_json(weights: tuple[Any, ...], consumer: Consumer) -> dict[str, Any]:
    return {} if isinstance(consumer, BayesianConsumer) else {"dual": {"weights": numbers_json(weights)}}


def _gap_facts(e: GapEvidence) -> list[Item]:
    items: list[Item] = [Fact("loss", e.loss), Fact("gap at least", e.least), Fact("gap at most", e.most)]
    title = "a mechanism that is better by the lower bound"
    if e.least:
        items.append(_factored(title, e.found, e.level) if isinstance(e.found, FactoredMechanism) else grid_of(title, e.found))
    return items + _dual_facts(e.dual, e.consumer)


def _gap_json(e: GapEvidence) -> dict[str, Any]:
    gap = number_json(e.least) if e.least == e.most else None
    found: dict[str, Any] = {"loss": number_json(e.loss), "gap": gap, "gap_bounds": numbers_json([e.least, e.most])}
    better = {"remap": remap_json(e.found.remap())} if isinstance(e.found, FactoredMechanism) else {"mechanism": mechanism_json(e.found)}
    return found | better | {"dual": _dual_json(e.dual)}


EVIDENCE = {
    OptimalityEvidence: Told(optimality_facts, optimality_json),
    RemapEvidence: Told(remap_facts, best_remap_json),
    Uniqueness: Told(_uniqueness_facts, _uniqueness_json),
    RemapUniqueness: Told(_remap_uniqueness_facts, _remap_uniqueness_json),
    GapEvidence: Told(_gap_facts, _gap_json),
}
