# SPDX-License-Identifier: MIT
"""What would make an audited table a mechanism, or the claim about it true: each way is tried, exactly."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from exactdp.analysis.approximate import is_approximately_private, level_for_delta
from exactdp.analysis.audit_evidence import Audit, Repair
from exactdp.analysis.epsilon_shown import epsilon_text
from exactdp.analysis.faulty_tables import level_of_truth, transposed
from exactdp.analysis.privacy import PrivacyEvidence, tightest_level
from exactdp.analysis.wording import private_text, short_number
from exactdp.errors import InputError, MixedDomainError
from exactdp.exact import Rational
from exactdp.model import Mechanism, Neighbours, PrivacyLevel, Table, TightestLevel
from exactdp.model.faults import Faults
from exactdp.model.mechanism import mixing_weight

FEW = 24
"""A longer exact form of an ε is claimed as a decimal above it, a longer α as a number below it."""


DECIMALS = 10**10
"""The denominator of an α that is claimed in place of a longer one."""


def mechanism_of(table: Table, faults: Faults, bound: Rational) -> Mechanism | None:
    """The mechanism that the table is, stands for, or would be with its rows divided by their sums."""
    try:
        return table.renormalise() if faults.quality(bound) == "wrong" else table.unrounded(bound)
    except InputError:
        return None


def _alpha_to_claim(ratio: Any) -> str | None:
    """``α = …``, rounded down if it is long, which claims less; None where α has no such text."""
    if not isinstance(ratio, Rational):
        return None
    if len(str(ratio)) <= FEW:
        return f"α = {ratio}"
    scaled = ratio * DECIMALS
    floor = scaled.numerator // scaled.denominator
    return f"α = {Rational(floor, DECIMALS)}" if floor else None


def repairs_of(found: Audit) -> list[Repair]:
    """What would make a wrong table a mechanism, or a false claim true."""
    if found.quality == "wrong":
        turned = _transposed(found)
        return turned if found.own is None else [*turned, _divided(found, found.own.evidence)]
    repairs: list[Repair] = []
    claim, ratio = found.claim, found.ratio
    if claim is None or found.claim_holds is not False:
        return repairs
    if claim.delta > 0 and found.tightest is not None:
        ratio = level_for_delta(found.tightest.evidence.subject, found.neighbours, claim.delta).evidence.ratio
    epsilon, speaks = TightestLevel(ratio).epsilon, "α" if claim.epsilon is None else "ε"
    if epsilon.is_enclosed:
        level = _alpha_to_claim(ratio) if speaks == "α" else None
        if level is None:
            beside_it = claim.epsilon if claim.epsilon is not None and claim.epsilon.is_enclosed else None
            shown = str(epsilon) if len(str(epsilon)) <= FEW else epsilon_text(epsilon, beside_it)
            level = f"ε = {shown}"
        beside = f" beside δ = {claim.delta}" if claim.delta > 0 else ""
        result = f"true: the {'largest' if beside else 'tightest'} level{beside} is {found.level_text(ratio)}"
        repairs.append(Repair(f"claim {level}{beside} instead", result))
    if found.delta is not None and found.delta.evidence.delta is not None:
        least = short_number(found.delta.evidence.delta)
        repairs.append(Repair(f"claim δ = {least} beside {speaks}", "true, and with no smaller δ"))
    may_be_mixed = found.privacy is not None and claim.delta == 0
    if may_be_mixed and found.mechanism is not None and isinstance(found.level, PrivacyLevel):
        weight = None
        with suppress(MixedDomainError):  # the level is in no field with the table's numbers: no mixture is told
            weight = mixing_weight(found.mechanism, found.neighbours, found.level)
        if weight is not None:
            action = f"with probability λ = {short_number(weight)} answer uniformly"
            repairs.append(Repair(action, f"a mechanism that is {private_text(found.level)}", found.mechanism, weight))
    return repairs


def _transposed(found: Audit) -> list[Repair]:
    """What the transpose of a table is that looks transposed, and whether the claim is true of it."""
    meant = transposed(found.table, found.neighbours)
    if meant is None:
        return []
    mechanism, near = meant
    result = f"a mechanism on {mechanism.n_inputs} inputs, whose neighbours are to be said"
    if near is not None:
        level = tightest_level(mechanism, near).evidence.tightest
        result = f"a mechanism whose tightest level on {near} is {found.level_text(level)}{_kept(found, mechanism, near)}"
    action = "read its transpose (--transpose)"
    if not found.faults.columns_exact:
        action = "read its transpose, each row divided by its sum (--transpose --renormalise)"
    return [Repair(action, f"{result}; {found.faults.columns_text}", mechanism)]


def _divided(found: Audit, own: PrivacyEvidence) -> Repair:
    """What dividing the rows of a wrong table by their sums gives, and whether the claim is true of that."""
    result = f"a mechanism whose tightest level is {found.level_text(own.tightest)}"
    mechanism = mechanism_of(found.table, found.faults, found.rounding)
    assert mechanism is not None
    result += _kept(found, mechanism, found.neighbours)
    truth = level_of_truth(found.given, found.neighbours)
    if truth is not None and own.tightest > truth:
        than = "its transpose" if found.faults.transposed else "the table as it stands"
        result += f"; more private than {than}, {found.level_text(truth)}, and so no remedy"
    if found.rounded_to:
        result += f"; that is not the table of the file: --digits {found.rounded_to} judges every table that prints so"
    return Repair("divide every row by its sum", result, own.mechanism)


def _kept(found: Audit, mechanism: Mechanism, near: Neighbours) -> str:
    """Whether the claim, if there is one, is true of what a repair makes, to be put after it."""
    if found.claim is None or found.level is None:
        return ""
    holds = is_approximately_private(mechanism, near, found.level, found.claim.delta).proved
    return f"; the claim is {'true' if holds else 'false'} of it"
