# SPDX-License-Identifier: MIT
"""One certificate for all levels of an interval: a claim and a witness for each piece (SPEC.md §4.7)."""

from __future__ import annotations

from typing import Any

from exactdp.analysis.by_level import LevelPieces
from exactdp.certificate.emit import Parts, parts
from exactdp.certificate.encode import Definitions, interval_json
from exactdp.errors import CertificateError
from exactdp.exact import Interval

__all__ = ["bundle"]


@parts.register
def _level_pieces(e: LevelPieces, proved: bool) -> Parts:
    lost = [piece.interval for piece in e.pieces if piece.evidence is None]
    if lost:
        raise CertificateError(f"nothing was decided on {', '.join(map(str, lost))}", evidence=e)
    return bundle(e.name, e.interval, [(p.interval, parts(p.evidence, bool(p.optimal))) for p in e.pieces])


def bundle(name: str, interval: Interval, pieces: list[tuple[Interval, Parts]]) -> Parts:
    """Claim, definitions and witness of ``on-pieces`` from those of the pieces, which share their definitions.

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
