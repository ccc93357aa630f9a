# SPDX-License-Identifier: MIT
"""Certificates about post-processing: one mechanism from another, the order of several (SPEC §4.3, §4.14)."""

from __future__ import annotations

import re
from typing import Any

from exactdp.analysis.refinement import DerivabilityEvidence, RefinementOrder
from exactdp.certificate.encode import Definitions, Parts, matrix_json
from exactdp.model import Table

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}", re.ASCII)


def _derivability(e: DerivabilityEvidence, proved: bool) -> Parts:
    d = Definitions()
    claim = {"source": d.mechanism("A", e.source), "target": d.mechanism("B", e.target)}
    if e.remap is not None:
        return {"kind": "derivable", **claim}, d, {"remap": matrix_json(e.remap.matrix.rows())}
    assert e.separator is not None
    return {"kind": "not-derivable", **claim}, d, {"separator": matrix_json(e.separator.rows())}


def inverse_separator(source: Table, target: Table, zero: Any, output: int, guess: int) -> dict[str, Any]:
    """W, zero but for one column, −(row of A⁻¹): Σ W·B is −R[output, guess] > 0, and Σ_y max_r (W·A) is 0."""
    inverse, width = source.matrix.generic_inverse(), target.matrix.shape[1]
    return {"separator": matrix_json([[-x if r == guess else zero for r in range(width)] for x in inverse.row(output)])}


def _order(e: RefinementOrder, proved: bool) -> Parts:
    d = Definitions()
    fine = all(_NAME.fullmatch(name) for name in e.names)
    names = [d.mechanism(name if fine else f"M{k}", m) for k, (name, m) in enumerate(zip(e.names, e.mechanisms, strict=True))]
    remaps, separators = [], []
    for pair in sorted(e.answers):
        answer = e.answers[pair]
        if answer.remap is not None:
            remaps.append(matrix_json(answer.remap.matrix.rows()))
        else:
            assert answer.separator is not None
            separators.append(matrix_json(answer.separator.rows()))
    claim = {"kind": "refinement-order", "mechanisms": names, "pairs": [list(pair) for pair in e.pairs]}
    return claim, d, {"remaps": remaps, "separators": separators}


EVIDENCE = {DerivabilityEvidence: _derivability, RefinementOrder: _order}
