# SPDX-License-Identifier: MIT
"""Certificates about mechanisms that are known by their law alone (SPEC.md §4.16)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from exactdp.analysis.laws import LawEvidence
from exactdp.certificate.encode import Definitions, Parts, scalar_json
from exactdp.errors import CertificateError
from exactdp.mechanisms import BitLaw, CategoryLaw, CountLaw
from exactdp.runtime.budget import figure

LARGEST = 10**9 - 1
"""The largest size that the format has (SPEC.md, section 2)."""


def _level(e: LawEvidence, proved: bool) -> Parts:
    """The law and its tightest level, which implies whether it is private at another level."""
    claim, numbers = _OF_LAWS[type(e.law)](e.law)
    largest = max(size for size in claim.values() if isinstance(size, int))
    if largest > LARGEST:
        raise CertificateError(f"certificates have sizes up to {figure(LARGEST)}, and this one is {figure(largest)}", size=largest)
    d = Definitions()
    d.over(*numbers.values())
    told = {name: scalar_json(number) for name, number in (numbers | {"ratio": e.tightest.ratio}).items()}
    return claim | told, d, {}


def _categories(law: CategoryLaw) -> tuple[dict[str, Any], dict[str, Any]]:
    """The kind and the sizes of its claim, and its numbers."""
    return {"kind": "response-level", "size": law.size}, {"keep": law.keep}


def _bits(law: BitLaw) -> tuple[dict[str, Any], dict[str, Any]]:
    sizes = {"bits": law.bits, "ones": law.ones}
    return {"kind": "bitwise-level", **sizes}, {"set": law.set_bit, "clear": law.clear_bit}


def _counts(law: CountLaw) -> tuple[dict[str, Any], dict[str, Any]]:
    return {"kind": "geometric-level", "n": law.n, "reach": law.reach}, {"level": law.alpha}


_OF_LAWS: dict[type, Callable[[Any], tuple[dict[str, Any], dict[str, Any]]]] = {
    CategoryLaw: _categories,
    BitLaw: _bits,
    CountLaw: _counts,
}

EVIDENCE = {LawEvidence: _level}
