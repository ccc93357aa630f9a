# SPDX-License-Identifier: MIT
"""Certificates about printed tables: what holds of all, some or no mechanisms that print so (SPEC §4.15)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from exactdp.analysis.printed.delta_ends import LargestDeltaEvidence, PrintedDeltaEvidence, SmallestDeltaEvidence
from exactdp.analysis.printed.epsilon_ends import LargestEpsilonEvidence, PrintedPrivacyEvidence, SmallestEpsilonEvidence, below_zero
from exactdp.analysis.printed.loss_ends import PrintedLossEvidence, PrintedOptimalityEvidence
from exactdp.analysis.printed.printed_audit import PrintedAudit, PrintedHalf
from exactdp.certificate.encode import Definitions, Parts, matrix_json, scalar_json, sparse_rows_json, vector_json
from exactdp.errors import CertificateError
from exactdp.exact import QQ
from exactdp.model import Mechanism, Neighbours, PrivacyLevel, TightestLevel
from exactdp.model.printed import PrintedTable
from exactdp.search.printed.largest_delta import PairBound, Split

Multipliers = Mapping[tuple[int, int, int], Any]
"""For (i, j, r) the multiplier z ≥ 0 of x_ir − (power of the level)·x_jr, for ordered pairs of neighbours."""


# --- Privacy: the five ends that a level has ---


def all_private(printed: PrintedTable, near: Neighbours, level: PrivacyLevel) -> Parts:
    """Every mechanism that prints so is private at the level."""
    d, claim = _about(printed, near, level)
    return {"kind": "all-tables-private", **claim}, d, {}


def not_all_private(
    printed: PrintedTable, near: Neighbours, level: PrivacyLevel, table: Mechanism, low: int, high: int, output: int
) -> Parts:
    """One that prints so is not: its entry at ``low`` is too small beside that at ``high``."""
    d, claim = _about(printed, near, level)
    d.over(table.matrix, level.alpha)
    witness = {"table": matrix_json(table.matrix), "pair": [low, high], "output": output}
    return {"kind": "not-all-tables-private", **claim}, d, witness


def some_private(printed: PrintedTable, near: Neighbours, level: PrivacyLevel, table: Mechanism) -> Parts:
    """One that prints so is private at the level."""
    d, claim = _about(printed, near, level)
    d.over(table.matrix, level.alpha)
    return {"kind": "some-table-private", **claim}, d, {"table": matrix_json(table.matrix)}


def none_private(printed: PrintedTable, near: Neighbours, level: PrivacyLevel, multipliers: Multipliers) -> Parts:
    """None that prints so is: the multiplied sum of x_ir − α^d x_jr is negative for all of them."""
    d, claim = _about(printed, near, level)
    powers = [level.power(distance) for _, _, distance in near.pairs()]
    return {"kind": "no-table-private", **claim}, d, _refuting(printed, near, multipliers, powers, "potentials")


def level_of_all(
    printed: PrintedTable, near: Neighbours, tightest: TightestLevel, table: Mechanism, pair: tuple[int, int] | None, output: int
) -> Parts:
    """The largest level at which all that print so are private; a table's pair (low, high) attains it."""
    d = Definitions()
    claim = _objects(d, printed, near) | {"ratio": scalar_json(tightest.ratio), "distance": str(tightest.distance)}
    witness = {} if pair is None else {"table": matrix_json(table.matrix), "pair": list(pair), "output": output}
    return {"kind": "level-of-all-tables", **claim}, d, witness


def level_of_some(printed: PrintedTable, near: Neighbours, tightest: TightestLevel, table: Mechanism, multipliers: Multipliers) -> Parts:
    """The largest level at which one that prints so is private: the table is, and none at a larger one."""
    d = Definitions()
    d.over(table.matrix, tightest.ratio)
    claim = _objects(d, printed, near) | {"ratio": scalar_json(tightest.ratio), "distance": str(tightest.distance)}
    witness = {"table": matrix_json(table.matrix)} if tightest.ratio else {}
    if tightest.ratio < 1:
        powers = [_power(tightest, distance) for _, _, distance in near.pairs()]
        witness |= _refuting(printed, near, multipliers, powers, "potentials")
        ones = [QQ.one for _ in powers]
        witness |= {"last": _refuting(printed, near, multipliers, ones, "last")["last"]}
    return {"kind": "level-of-some-table", **claim}, d, witness


def _level_of_all(e: LargestEpsilonEvidence, proved: bool) -> Parts:
    """The largest ε."""
    pair = None if e.cell is None else (e.cell.low, e.cell.high)
    return level_of_all(e.printed, e.neighbours, e.tightest, e.table, pair, 0 if e.cell is None else e.cell.output)


def _level_of_some(e: SmallestEpsilonEvidence, proved: bool) -> Parts:
    """The smallest ε; where it is known between two ends only, the one that no table is below."""
    if e.exact and e.tightest.ratio == 1:
        return level_of_some(e.printed, e.neighbours, e.tightest, e.table, {})
    if e.multipliers is None:
        raise CertificateError("no multipliers are known that show this end of ε, so that it has no certificate", evidence=e)
    if e.exact:
        return level_of_some(e.printed, e.neighbours, e.tightest, e.table, e.multipliers)
    if e.bound.value is None or not below_zero(e.printed, e.neighbours, e.multipliers, PrivacyLevel(e.bound)):
        raise CertificateError("this end of ε is a bound without a linear program, which has no certificate", evidence=e)
    return none_private(e.printed, e.neighbours, PrivacyLevel(e.bound), e.multipliers)


def _claimed(e: PrintedPrivacyEvidence, proved: bool) -> Parts:
    """The claim: true of all, or of none."""
    if e.level is None:
        return _level_of_all(e.largest, proved)
    if proved:
        return all_private(e.printed, e.neighbours, e.level)
    if e.multipliers is None:  # a power of the level is irrational: the end of ε, which is below, says more
        return _level_of_some(e.smallest, proved)
    return none_private(e.printed, e.neighbours, e.level, e.multipliers)


def _half(e: PrintedHalf, proved: bool) -> Parts:
    """A table that keeps an undecided claim, or one that does not."""
    of = e.evidence
    if isinstance(of, PrintedDeltaEvidence):
        return some_approximately_private(of) if e.kept else not_all_approximately_private(of)
    assert of.level is not None
    if e.kept:
        assert of.private is not None
        return some_private(of.printed, of.neighbours, of.level, of.private)
    cell = of.largest.cell
    assert cell is not None
    return not_all_private(of.printed, of.neighbours, of.level, of.largest.table, cell.low, cell.high, cell.output)


def _audit(e: PrintedAudit, proved: bool) -> Parts:
    """The claim, or the tightest level where none was made."""
    told = e.tightest if e.claimed is None else e.claimed  # the requirements are not part of it
    of = told.evidence
    return _claimed(of, told.proved) if isinstance(of, PrintedPrivacyEvidence) else _asked(of, told.proved)


# --- (ε, δ) ---


def _largest(e: LargestDeltaEvidence, proved: bool) -> Parts:
    """The largest δ; or, where the search stopped, the bound of all."""
    d, claim = _about(e.printed, e.neighbours, e.level)
    bounds = {"bounds": [_steps(pair) for pair in e.pairs]}
    claim["delta"] = scalar_json(e.bound)
    if not e.exact:
        return {"kind": "all-tables-approximately-private", **claim}, d, bounds
    if e.event is None:
        return {"kind": "delta-of-all-tables", **claim}, d, bounds
    return {"kind": "delta-of-all-tables", **claim}, d, {**bounds, **_needing(e)}


def _smallest(e: SmallestDeltaEvidence, proved: bool) -> Parts:
    """The least δ; or, without a linear program, that of one table."""
    d, claim = _about(e.printed, e.neighbours, e.level)
    d.over(e.table.matrix, QQ.one if e.level is None else e.level.alpha)
    claim["delta"] = scalar_json(e.delta)
    witness = {"table": matrix_json(e.table.matrix)}
    if not e.exact:
        return {"kind": "some-table-approximately-private", **claim}, d, witness
    return {"kind": "delta-of-some-table", **claim}, d, witness | (_multiplied(e) if e.delta else {})


def _asked(e: PrintedDeltaEvidence, proved: bool) -> Parts:
    """The claim: true of all, or of none."""
    if e.asked is None:
        raise CertificateError(
            "the two ends of δ have a certificate each; certify those of exactdp.analysis.printed.printed_audit.ends(verdict.evidence)",
            evidence=e,
        )
    d, claim = _about(e.printed, e.neighbours, e.level)
    claim["delta"] = scalar_json(e.asked)
    if proved:
        return {"kind": "all-tables-approximately-private", **claim}, d, {"bounds": [_steps(pair) for pair in e.largest.pairs]}
    return {"kind": "no-table-approximately-private", **claim}, d, _multiplied(e.smallest)


def not_all_approximately_private(e: PrintedDeltaEvidence) -> Parts:
    """One that prints so is not (ε, δ)-private: the first half of "undecided"."""
    d, claim = _about(e.printed, e.neighbours, e.level)
    return {"kind": "not-all-tables-approximately-private", **claim, "delta": scalar_json(e.asked)}, d, _needing(e.largest)


def some_approximately_private(e: PrintedDeltaEvidence) -> Parts:
    """One that prints so is (ε, δ)-private: the other half."""
    d, claim = _about(e.printed, e.neighbours, e.level)
    d.over(e.smallest.table.matrix, QQ.one if e.level is None else e.level.alpha)
    claim["delta"] = scalar_json(e.asked)
    return {"kind": "some-table-approximately-private", **claim}, d, {"table": matrix_json(e.smallest.table.matrix)}


def _needing(e: LargestDeltaEvidence) -> dict[str, Any]:
    assert e.event is not None
    return {"table": matrix_json(e.table.matrix), "pair": [e.event.high, e.event.low], "event": list(e.event.outputs)}


def _steps(pair: PairBound) -> list[Any]:
    """A tree of cases: an output for a split, two weights for a leaf."""
    return [step.output if isinstance(step, Split) else [scalar_json(step.s), scalar_json(step.t)] for step in pair.steps]


def _multiplied(e: SmallestDeltaEvidence) -> dict[str, Any]:
    """Those of x_ir − x_jr/α^d, written as multipliers of x_jr − α^d·x_ir, turned round."""
    pairs = list(e.neighbours.pairs())
    powers = [QQ.one if e.level is None else e.level.power(distance) for _, _, distance in pairs]
    turned: dict[tuple[int, int, int], Any] = {}
    for k, row in enumerate(e.multipliers):
        (first, second, _), power = pairs[k // 2], powers[k // 2]
        i, j = (first, second) if k % 2 == 0 else (second, first)
        turned |= {(j, i, r): z / power for r, z in row.items()}
    return _refuting(e.printed, e.neighbours, turned, powers, "potentials")


# --- What both have ---


def potentials(printed: PrintedTable, costs: Sequence[Sequence[Any]]) -> list[Any]:
    """For each row the multiplier of Σ_r x_ir = 1 where Σ_r cost_ir x_ir is largest.

    >>> from exactdp.model.printed import printed_table
    >>> table = printed_table([["0.3", "0.7"]], digits=1)
    >>> potentials(table, [[QQ(2), QQ(1)]])
    [Rational('2')]
    """
    found = []
    for i, cost in enumerate(costs):
        lower, upper = printed.lower.row(i), printed.upper.row(i)
        left = 1 - sum(lower, QQ.zero)
        order = sorted(range(len(cost)), key=cost.__getitem__, reverse=True)
        for r in order:
            if upper[r] - lower[r] >= left:
                found.append(cost[r])
                break
            left -= upper[r] - lower[r]
        else:
            found.append(cost[order[-1]])
    return found


def _refuting(printed: PrintedTable, near: Neighbours, multipliers: Multipliers, powers: Sequence[Any], key: str) -> dict[str, Any]:
    """The multipliers of x_ir − power·x_jr, ordered pairs × outputs, and potentials of their sum."""
    place: dict[tuple[int, int], int] = {}
    for k, (i, j, _) in enumerate(near.pairs()):
        place[i, j], place[j, i] = 2 * k, 2 * k + 1
    rows: list[dict[int, Any]] = [{} for _ in place]
    for (i, j, r), z in multipliers.items():
        rows[place[i, j]][r] = z
    costs = printed.summed(multipliers, {pair: powers[k // 2] for pair, k in place.items()})
    return {"multipliers": sparse_rows_json(rows), key: vector_json(potentials(printed, costs))}


def _no_loss(e: PrintedLossEvidence | PrintedOptimalityEvidence, proved: bool) -> Parts:
    raise CertificateError("losses of a printed table have no certificates; those of ε and δ have (privacy, delta, audit)", evidence=e)


def _power(level: TightestLevel, distance: Any) -> Any:
    """level^d, where it is a number."""
    if level.ratio in (0, 1):
        return level.ratio
    return PrivacyLevel(level.ratio).power(type(distance)(distance.square / level.distance.square))


def _objects(d: Definitions, printed: PrintedTable, near: Neighbours) -> dict[str, Any]:
    return {"printed": d.printed("P", printed), "neighbours": d.neighbours("N", near)}


def _about(printed: PrintedTable, near: Neighbours, level: PrivacyLevel | None) -> tuple[Definitions, dict[str, Any]]:
    """The definitions and the claim's objects; the level 1 is ε = 0."""
    d = Definitions()
    alpha = QQ.one if level is None else level.alpha
    d.over(alpha)
    return d, _objects(d, printed, near) | {"level": scalar_json(alpha)}


EVIDENCE = {
    LargestDeltaEvidence: _largest,
    SmallestDeltaEvidence: _smallest,
    PrintedDeltaEvidence: _asked,
    LargestEpsilonEvidence: _level_of_all,
    SmallestEpsilonEvidence: _level_of_some,
    PrintedPrivacyEvidence: _claimed,
    PrintedHalf: _half,
    PrintedAudit: _audit,
    PrintedLossEvidence: _no_loss,
    PrintedOptimalityEvidence: _no_loss,
}
