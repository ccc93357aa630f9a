# SPDX-License-Identifier: MIT
"""One certificate for all levels of an interval: a claim and a witness for each piece (SPEC.md §4.7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from exactdp.analysis.optimality.by_level import ByLevel, OptimalityByLevel, OptimalityOnPiece, OptimumByLevel, RemapByLevel
from exactdp.analysis.optimality.mechanism_optimality import OptimalityAfterRemapEvidence
from exactdp.analysis.table_levels import DerivableLevels, LevelFault, PrivateLevels, StochasticLevels
from exactdp.certificate.encode import Definitions, Parts, interval_json, matrix_json, scalar_json
from exactdp.certificate.optimality import after_remap, optimality, optimum, remap
from exactdp.certificate.refinement import inverse_separator
from exactdp.errors import CertificateError
from exactdp.exact import Interval, RationalFunction
from exactdp.model import Table


def _by_level(e: ByLevel, parts: Callable[[Any], Parts]) -> Parts:
    lost = [str(interval) for interval, found in e.pieces if found is None]
    if lost:
        raise CertificateError(f"nothing was decided on {', '.join(lost)}", evidence=e)
    return bundle(e.letter, e.interval, [(interval, parts(found)) for interval, found in e.pieces])


def _optimum(e: OptimumByLevel, proved: bool) -> Parts:
    return _by_level(e, lambda found: optimum(found, False))


def _remap(e: RemapByLevel, proved: bool) -> Parts:
    return _by_level(e, lambda found: remap(found, False))


def _optimality(e: OptimalityByLevel, proved: bool) -> Parts:
    return _by_level(e, _on_piece)


def _on_piece(piece: OptimalityOnPiece) -> Parts:
    """Optimal, or by how much not; where the mechanism is not private, that alone."""
    inside, cell = piece.optimality, piece.violated
    if cell is None:
        write: Any = after_remap if isinstance(inside, OptimalityAfterRemapEvidence) else optimality
        parts: Parts = write(inside, piece.optimal)
        return parts
    d = Definitions()
    claim = {"mechanism": d.mechanism("M", inside.mechanism), "neighbours": d.neighbours("N", inside.neighbours)}
    witness = {"pair": [cell.low, cell.high], "output": cell.output}
    return {"kind": "not-private", **claim, "level": scalar_json(inside.level.alpha)}, d, witness


def _stochastic(e: StochasticLevels, proved: bool) -> Parts:
    if e.holds_on:
        raise CertificateError("that a table is stochastic needs no certificate; ask at which levels it is private", evidence=e)
    _without_poles(e.table)
    return bundle(e.letter, e.interval, [(part, _not_stochastic("X", e.table, fault)) for part, fault in e.pieces if fault is not None])


def _private(e: PrivateLevels, proved: bool) -> Parts:
    _without_poles(e.table)

    def parts(fault: LevelFault | None) -> Parts:
        if fault is not None and fault.beside is None:
            return _not_stochastic("X", e.table, fault)
        d = Definitions()
        d.over(e.table.matrix, e.level.alpha)
        claim = {"mechanism": d.judged("M", e.table), "neighbours": d.neighbours("N", e.neighbours)}
        claim["level"] = scalar_json(e.level.alpha)
        if fault is None:
            return {"kind": "private", **claim}, d, {}
        return {"kind": "not-private", **claim}, d, {"pair": [fault.row, fault.beside], "output": fault.column}

    return bundle(e.letter, e.interval, [(part, parts(fault)) for part, fault in e.pieces])


def _derivable(e: DerivableLevels, proved: bool) -> Parts:
    _without_poles(e.table)
    _without_poles(e.source)

    def parts(fault: LevelFault | None) -> Parts:
        if fault is not None and fault.matrix != "remap":
            source = fault.matrix == "source"
            return _not_stochastic("Y" if source else "X", e.source if source else e.table, fault)
        if fault is not None and fault.column is None:
            raise CertificateError("the target's rows do not sum to 1; ask at which levels it is stochastic", evidence=e)
        d = Definitions()
        d.over(e.table.matrix, e.source.matrix)
        claim = {"source": d.judged("A", e.source), "target": d.judged("B", e.table)}
        if fault is None:
            return {"kind": "derivable", **claim}, d, {"remap": matrix_json(e.remap.rows())}
        assert fault.column is not None
        return (
            {"kind": "not-derivable", **claim},
            d,
            inverse_separator(e.source, e.table, e.source.matrix.field.zero, fault.row, fault.column),
        )

    return bundle(e.letter, e.interval, [(part, parts(fault)) for part, fault in e.pieces])


def _without_poles(table: Table) -> None:
    """The format has entries with positive denominators only."""
    for i, row in enumerate(table.matrix.rows()):
        for j, x in enumerate(row):
            poles = x.sign_on_interval().poles if isinstance(x, RationalFunction) else ()
            if poles:
                where = f"row {i}, column {j}: {x} is not defined at {x.field.name_of_level} = {', '.join(map(str, poles))}"
                raise CertificateError(f"{where}, and certificates have no such entries; ask on the intervals between", entry=x)


def _not_stochastic(name: str, table: Table, fault: LevelFault) -> Parts:
    d = Definitions()
    witness = {"row": fault.row} if fault.column is None else {"row": fault.row, "column": fault.column}
    return {"kind": "not-stochastic", "table": d.table(name, table)}, d, witness


def bundle(name: str, interval: Interval, pieces: list[tuple[Interval, Parts]]) -> Parts:
    """Claim, definitions and witness of ``on-pieces`` from those of the pieces, which share definitions.

    * ``name``: the letter for the level.
    * ``interval``: that the pieces cover.
    * ``pieces``: in order.
    """
    together, every = Definitions(), [definitions for _, (_, definitions, _) in pieces]
    objects: dict[str, Any] = {name: {"type": "parameter", "interval": interval_json(interval)}}
    for key in dict.fromkeys(key for definitions in every for key in definitions.objects if key != name):
        having = [definitions for definitions in every if key in definitions.objects]
        found = [definitions.objects[key] for definitions in having]
        if any(value != found[0] for value in found):
            found = [definitions.in_full(key) for definitions in having]
        if any(value != found[0] for value in found):
            raise CertificateError(f"the pieces define {key} differently", name=key)
        objects[key] = found[0]
    together.objects = objects
    claim = {"kind": "on-pieces", "pieces": [{"interval": interval_json(part), "claim": claim} for part, (claim, _, _) in pieces]}
    return claim, together, {"pieces": [witness for _, (_, _, witness) in pieces]}


EVIDENCE = {
    OptimumByLevel: _optimum,
    OptimalityByLevel: _optimality,
    RemapByLevel: _remap,
    StochasticLevels: _stochastic,
    PrivateLevels: _private,
    DerivableLevels: _derivable,
}
