# SPDX-License-Identifier: MIT
"""Certificates about mechanisms that are known by their law alone (SPEC.md §4.16)."""

from __future__ import annotations

from exactdp.analysis.laws import LawEvidence
from exactdp.certificate.encode import Definitions, Parts, scalar_json
from exactdp.mechanisms import CategoryLaw


def _level(e: LawEvidence, proved: bool) -> Parts:
    """The law and its tightest level, which implies whether it is private at another level."""
    d, law, ratio = Definitions(), e.law, e.tightest.ratio
    if isinstance(law, CategoryLaw):
        d.over(law.keep)
        return {"kind": "response-level", "size": law.size, "keep": scalar_json(law.keep), "ratio": scalar_json(ratio)}, d, {}
    d.over(law.set_bit, law.clear_bit)
    bits = {"bits": law.bits, "ones": law.ones, "set": scalar_json(law.set_bit), "clear": scalar_json(law.clear_bit)}
    return {"kind": "bitwise-level", **bits, "ratio": scalar_json(ratio)}, d, {}


EVIDENCE = {LawEvidence: _level}
