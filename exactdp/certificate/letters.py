# SPDX-License-Identifier: MIT
"""Certificates about every point of a region of letters, or the point that refutes a statement (SPEC §2.2).

At one point the claim has the functions of the letters, and the witness the numbers that were found there.
"""

from __future__ import annotations

from typing import Any

from exactdp.analysis.letters.constraints import RegularOnRegion, SingularOnRegion, TightOnRegion
from exactdp.analysis.letters.statement import OnRegion
from exactdp.analysis.letters.tables import DerivableOnRegion, PrivateOnRegion, StochasticOnRegion
from exactdp.analysis.letters.values import LevelOnRegion, positive_everywhere
from exactdp.analysis.privacy import PrivacyEvidence
from exactdp.analysis.stochastic import StochasticEvidence
from exactdp.certificate.encode import Definitions, Parts, matrix_json, region_json, scalar_json, vector_json
from exactdp.certificate.privacy import privacy, stochastic
from exactdp.certificate.refinement import EVIDENCE as REFINEMENT
from exactdp.certificate.refinement import inverse_separator
from exactdp.certificate.tight import EVIDENCE as TIGHT
from exactdp.certificate.tight import on_cells
from exactdp.errors import CertificateError
from exactdp.exact import ExactMatrix, RegionField
from exactdp.model import Table

_AT_POINT: dict[type, Any] = {PrivacyEvidence: privacy, StochasticEvidence: stochastic, **REFINEMENT, **TIGHT}


def _witness(e: OnRegion) -> dict[str, Any]:
    """The witness of the refuted answer at the point."""
    assert e.there is not None
    found = e.there.evidence
    witness: dict[str, Any] = _AT_POINT[type(found)](found, False)[2]
    return witness


def _definitions(e: OnRegion) -> Definitions:
    """With the region; it is one point, if that refutes the statement and no requirement fails everywhere."""
    d = Definitions(None if e.certain is not None else e.point)
    d.objects["region"] = region_json(e.region, d.at_point)
    return d


def _not_stochastic(d: Definitions, table: Table, row: int, column: int | None) -> Parts:
    claim = {"kind": "not-stochastic", "table": d.table("M", table)}
    return claim, d, {"row": row} if column is None else {"row": row, "column": column}


def _fault_of_table(e: OnRegion, d: Definitions, tables: dict[str, Table]) -> Parts | None:
    """That a table is no mechanism, if that is what refutes the statement."""
    if e.certain is not None:
        return _not_stochastic(d, tables[e.certain.what], e.certain.row, e.certain.column) if e.certain.of_table else None
    assert e.there is not None
    found = e.there.evidence
    if not isinstance(found, StochasticEvidence):
        return None
    assert found.row is not None
    table = next(t for t in tables.values() if _numbers(t, e) == found.table.matrix)
    return _not_stochastic(d, table, found.row, found.column)


def _numbers(table: Table, e: OnRegion) -> ExactMatrix:
    point = e.point
    assert point is not None
    return table.matrix.map(lambda x: x.value(point))


def _stochastic(e: StochasticOnRegion, proved: bool) -> Parts:
    """Stochastic: that a mechanism, which the definitions say it is, is derivable from itself."""
    d = _definitions(e)
    if proved:
        claim = {"kind": "derivable", "source": d.judged("M", e.table), "target": "M"}
        return claim, d, {"remap": matrix_json(ExactMatrix.identity(len(e.table.outputs)).rows())}
    parts = _fault_of_table(e, d, {"table": e.table})
    assert parts is not None
    return parts


def _private(e: PrivateOnRegion, proved: bool) -> Parts:
    d = _definitions(e)
    if not proved and (parts := _fault_of_table(e, d, {"table": e.table})):
        return parts
    near, level = e.asked_at
    claim = {"mechanism": d.judged("M", e.table), "neighbours": d.neighbours("N", near), "level": scalar_json(level.alpha)}
    if proved:
        return {"kind": "private", **claim}, d, {}
    if (fault := e.certain) is not None:
        return {"kind": "not-private", **claim}, d, {"pair": [fault.row, fault.beside], "output": fault.column}
    return {"kind": "not-private", **claim}, d, _witness(e)


def _derivable(e: DerivableOnRegion, proved: bool) -> Parts:
    d = _definitions(e)
    if not proved and (parts := _fault_of_table(e, d, {"source": e.source, "target": e.target})):
        return parts
    claim = {"source": d.judged("A", e.source), "target": d.judged("B", e.target)}
    if proved:
        assert e.remap_matrix is not None
        return {"kind": "derivable", **claim}, d, {"remap": matrix_json(e.remap_matrix.rows())}
    if (fault := e.certain) is not None:
        assert fault.column is not None
        return {"kind": "not-derivable", **claim}, d, inverse_separator(e.source, e.target, e.field.zero, fault.row, fault.column)
    return {"kind": "not-derivable", **claim}, d, _witness(e)


def _farkas(e: TightOnRegion | RegularOnRegion, c: int) -> tuple[Any, ...]:
    """The w = B⁻¹·e_c on cells: B·w ≥ 0, and Σ b·w has the sign of z_c, which is negative."""
    field = e.field
    matrix = ExactMatrix(e.cells.quotient(e.level), field)
    right = ExactMatrix([[field(int(b == c))] for b in range(len(e.cells.members))], field)
    return tuple(matrix.generic_solve(right).column(0))


def _tight(e: TightOnRegion, proved: bool) -> Parts:
    d = _definitions(e)
    claim = {"neighbours": d.neighbours("N", e.neighbours), "level": scalar_json(e.level.alpha)}
    if proved:
        assert e.diagonal is not None
        return {"kind": "tight", **claim}, d, on_cells("diagonal", e.cells, e.diagonal)
    if (fault := e.certain) is not None:
        return {"kind": "not-tight", **claim}, d, on_cells("farkas", e.cells, _farkas(e, fault.row))
    return {"kind": "not-tight", **claim}, d, _witness(e)


def _regular(e: RegularOnRegion, proved: bool) -> Parts:
    d = _definitions(e)
    field = e.field
    prior = vector_json([field(x) for x in e.prior.weights])
    claim = {"neighbours": d.neighbours("N", e.neighbours), "level": scalar_json(e.level.alpha), "prior": prior}
    if proved:
        assert e.weights is not None
        return {"kind": "regular", **claim}, d, on_cells("weights", e.cells, e.weights)
    if (fault := e.certain) is not None:
        return {"kind": "not-regular", **claim}, d, on_cells("farkas", e.cells, _farkas(e, fault.row))
    return {"kind": "not-regular", **claim}, d, _witness(e)


def _singular(e: SingularOnRegion, proved: bool) -> Parts:
    d = _definitions(e)
    claim = {"neighbours": d.neighbours("N", e.neighbours), "level": scalar_json(e.level.alpha)}
    phi = e.phi
    if proved:
        assert e.null_vector is not None
        return {"kind": "singular", **claim}, d, {"kernel": vector_json(e.null_vector)}
    if e.certain is not None:
        return {"kind": "non-singular", **claim}, d, {"inverse": matrix_json(phi.generic_inverse().rows())}
    return {"kind": "non-singular", **claim}, d, _witness(e)


def _level(e: LevelOnRegion, proved: bool) -> Parts:
    d = Definitions()
    d.objects["region"] = region_json(e.region)
    claim = {"kind": "level", "mechanism": d.judged("M", e.mechanism.as_table()), "neighbours": d.neighbours("N", e.neighbours)}
    if not e.pieces:
        return {**claim, "ratio": "1", "distance": "1"}, d, {}
    whole = next((piece for piece in e.pieces if piece.where.always), None)
    if whole is None:
        parts = "; ".join(f"{piece.value} {piece.where.words()}" for piece in e.pieces)
        raise CertificateError(f"a certificate has one formula, and there are several: {parts}; certify each of evidence.verdicts()")
    field, x = RegionField(e.region), e.mechanism.matrix
    at = next((cell for cell in whole.places if positive_everywhere(field(x[cell.high, cell.output]))), None)
    if at is None:
        raise CertificateError("no certificate: a tight constraint whose larger side is positive at every point was not found", evidence=e)
    claim |= {"ratio": scalar_json(whole.value.ratio), "distance": str(whole.value.distance)}
    return claim, d, {"pair": [at.low, at.high], "output": at.output}


EVIDENCE = {
    StochasticOnRegion: _stochastic,
    PrivateOnRegion: _private,
    DerivableOnRegion: _derivable,
    TightOnRegion: _tight,
    RegularOnRegion: _regular,
    SingularOnRegion: _singular,
    LevelOnRegion: _level,
}
