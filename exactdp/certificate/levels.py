# SPDX-License-Identifier: MIT
"""One certificate for all levels of an interval: a claim and a witness for each piece (SPEC.md §4.7)."""

from __future__ import annotations

from typing import Any

from exactdp.analysis.levels import LevelSet, Stay
from exactdp.analysis.optimality.by_level import LevelPieces, Piece
from exactdp.analysis.optimality.optimum import OptimalityEvidence
from exactdp.analysis.optimality.remap import RemapEvidence
from exactdp.certificate.encode import Definitions, Parts, interval_json, matrix_json, scalar_json
from exactdp.certificate.optimality import optimality, remap
from exactdp.errors import CertificateError
from exactdp.exact import ExactMatrix, Interval, RationalFunction, RationalFunctionField
from exactdp.model import Table


def _level_pieces(e: LevelPieces, proved: bool) -> Parts:
    lost = [piece.interval for piece in e.pieces if piece.evidence is None]
    if lost:
        raise CertificateError(f"nothing was decided on {', '.join(map(str, lost))}", evidence=e)
    return bundle(e.name, e.interval, [(p.interval, _piece(e, p)) for p in e.pieces])


def _piece(e: LevelPieces, piece: Piece) -> Parts:
    """One piece: optimal or by how much not; where the mechanism is not private, that alone."""
    inside = piece.evidence
    assert inside is not None
    if piece.violated is None:
        return remap(inside, bool(piece.optimal)) if isinstance(inside, RemapEvidence) else optimality(inside, bool(piece.optimal))
    assert isinstance(inside, OptimalityEvidence)
    assert inside.mechanism is not None
    d, cell = Definitions(), piece.violated
    claim = {"mechanism": d.mechanism("M", inside.mechanism), "neighbours": d.neighbours("N", inside.neighbours)}
    witness = {"pair": [cell.low, cell.high], "output": cell.output}
    return {"kind": "not-private", **claim, "level": scalar_json(inside.level.alpha)}, d, witness


def _level_set(e: LevelSet, proved: bool) -> Parts:
    if e.question == "stochastic" and any(stay.holds for stay in e.pieces):
        raise CertificateError("that a table is stochastic needs no certificate; ask at which levels it is private", evidence=e)
    field = e.table.matrix.field
    assert isinstance(field, RationalFunctionField)
    for table in (e.table, e.source):
        _without_poles(table)
    return bundle(field.names[0], e.interval, [(stay.interval, _stay(e, stay)) for stay in e.pieces])


def _without_poles(table: Table | None) -> None:
    """The format has entries with positive denominators only."""
    for i, row in enumerate([] if table is None else table.matrix.rows()):
        for j, x in enumerate(row):
            poles = x.sign_on_interval().poles if isinstance(x, RationalFunction) else ()
            if poles:
                where = f"row {i}, column {j}: {x} is not defined at {x.field.name_of_level} = {', '.join(map(str, poles))}"
                raise CertificateError(f"{where}, and certificates have no such entries; ask on the intervals between", entry=x)


def _stay(e: LevelSet, stay: Stay) -> Parts:
    """One piece: the statement, or the reason against it."""
    d = Definitions()
    if stay.holds and e.question == "private":
        return {"kind": "private", **_private(e, d)}, d, {}
    if stay.holds:
        assert e.remap is not None
        return {"kind": "derivable", **_derivable(e, d)}, d, {"remap": matrix_json(e.remap.rows())}
    if e.question == "private" and len(stay.witness) == 3:
        i, j, r = stay.witness
        return {"kind": "not-private", **_private(e, d)}, d, {"pair": [i, j], "output": r}
    if e.question == "derivable" and len(stay.witness) == 2 and stay.witness[1] is not None:
        return {"kind": "not-derivable", **_derivable(e, d)}, d, {"separator": matrix_json(_separator(e, *stay.witness))}
    if e.question == "derivable" and len(stay.witness) == 2:
        raise CertificateError("the target's rows do not sum to 1; ask at which levels it is stochastic", evidence=e)
    which, row, column = stay.witness if e.question == "derivable" else ("table", *stay.witness)
    witness = {"row": row} if column is None else {"row": row, "column": column}
    table = e.source if which == "source" and e.source is not None else e.table
    return {"kind": "not-stochastic", "table": d.table("Y" if which == "source" else "X", table)}, d, witness


def _private(e: LevelSet, d: Definitions) -> dict[str, Any]:
    assert e.level is not None
    assert e.neighbours is not None
    d.over(e.table.matrix, e.level.alpha)
    return {"mechanism": _mechanism("M", e.table, d), "neighbours": d.neighbours("N", e.neighbours), "level": scalar_json(e.level.alpha)}


def _derivable(e: LevelSet, d: Definitions) -> dict[str, Any]:
    assert e.source is not None
    d.over(e.table.matrix, e.source.matrix)
    return {"source": _mechanism("A", e.source, d), "target": _mechanism("B", e.table, d)}


def _mechanism(name: str, table: Table, d: Definitions) -> str:
    """A table as a mechanism: the kernel finds out whether it is one on the interval."""
    d.table(name, table)
    d.objects[name]["type"] = "mechanism"
    return name


def _separator(e: LevelSet, output: int, guess: int) -> list[list[Any]]:
    """W with the only non-zero column −(row of A⁻¹): Σ W·B is −R[output, guess] > 0, and Σ_y max_r (W·A) is
    0.
    """
    assert e.source is not None
    inverse = e.source.matrix.solve(ExactMatrix.identity(e.source.matrix.shape[0], e.source.matrix.field))
    zero = e.source.matrix.field.zero
    return [[-inverse[output, x] if r == guess else zero for r in range(e.table.matrix.shape[1])] for x in range(inverse.shape[0])]


def bundle(name: str, interval: Interval, pieces: list[tuple[Interval, Parts]]) -> Parts:
    """Claim, definitions and witness of ``on-pieces`` from those of the pieces, which share their
    definitions.

    Parameters
    ----------
    name : str
        The letter for the level.
    interval : Interval
        That the pieces cover.
    pieces : list of (Interval, Parts)
        In order.
    """
    together = Definitions()
    for _, (_, definitions, _) in pieces:
        for key, value in definitions.objects.items():
            if key != name and together.objects.setdefault(key, value) != value:
                raise CertificateError(f"the pieces define {key} differently", name=key)
    objects: dict[str, Any] = {name: {"type": "parameter", "interval": interval_json(interval)}, **together.objects}
    together.objects = objects
    claim = {"kind": "on-pieces", "pieces": [{"interval": interval_json(part), "claim": claim} for part, (claim, _, _) in pieces]}
    return claim, together, {"pieces": [witness for _, (_, _, witness) in pieces]}


EVIDENCE = {LevelPieces: _level_pieces, LevelSet: _level_set}
