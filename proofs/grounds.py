# SPDX-License-Identifier: MIT
"""Who decides what a record says: Coq, both checkers, or the reference checker only.

A record names Coq theorems, certificates, or both. A theorem that is named is decided by *Coq*. A certificate
is decided by *both checkers* if edpcheck, the checker that is extracted from Coq, knows its kind and its
numbers (:func:`knows`); else by *the reference checker only*, ``exactdp/checker``,
whose rules for it are proved in prose. What a record names neither for is recomputed by ``proofs/claims.py``,
and no checker is asked.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from exactdp.certificate.kinds import kinds
from proofs.record import Claim, Paper

_LETTER_RULES = {"universally-optimal": frozenset({"path", "tree"}), "no-universally-optimal": frozenset({"cycle", "star"})}


_UNKNOWN_DEFINITIONS = frozenset({"complete", "randomized-response"})
"""The definitions that the proved checker does not read."""


class Ground(StrEnum):
    """Who decides."""

    COQ = "Coq"
    BOTH = "both checkers"
    REFERENCE = "the reference checker only"
    COMPUTED = "no checker, recomputed"


def knows(certificate: Mapping[str, Any]) -> bool:
    """Whether the proved checker has rules for the claim and the numbers of a certificate.

    Rational numbers with every kind that it decides; letters, with those that ``kinds.toml`` names, on
    intervals with rational ends, on pieces of these, and on regions; never e^(−ε). A test compares this with
    what the program says.

    Parameters
    ----------
    certificate : mapping
        The content of a certificate file.

    Examples
    --------
    >>> knows({"claim": {"kind": "tight"}, "definitions": {"N": {"type": "path"}}, "witness": {}})
    True
    >>> knows({"claim": {"kind": "tight"}, "definitions": {"t": {"type": "exponential"}}, "witness": {}})
    False
    """
    claim, witness = certificate["claim"], certificate["witness"]
    if any(d["type"] in _UNKNOWN_DEFINITIONS for d in certificate["definitions"].values()):
        return False
    fields = [d for d in certificate["definitions"].values() if d["type"] in ("exponential", "parameter", "region")]
    if not fields:
        return kinds()[claim["kind"]].coq != "none"
    if any(d["type"] == "exponential" or not _rational_ends(d.get("interval", {})) for d in fields):
        return False
    if claim["kind"] == "on-pieces":
        each = zip(claim["pieces"], witness["pieces"], strict=True)
        return all(_rational_ends(piece["interval"]) and _known_over_letters(piece["claim"], of) for piece, of in each)
    return _known_over_letters(claim, witness)


def _rational_ends(interval: Mapping[str, Any]) -> bool:
    return all(isinstance(end, str) for end in interval.values())


def _known_over_letters(claim: Mapping[str, Any], witness: Mapping[str, Any]) -> bool:
    kind = claim["kind"]
    if kind in _LETTER_RULES:
        return witness["by"]["rule"] in _LETTER_RULES[kind]
    return kinds()[kind].coq_letters


def ground_of(record: Paper, name: str) -> Ground:
    """Who decides one certificate of a paper.

    Examples
    --------
    >>> from proofs.record import load_paper
    >>> record = load_paper("elsalamouny_tight_constraints")
    >>> print(ground_of(record, "sum-at-0-80"), "/", ground_of(record, "regular"))
    the reference checker only / both checkers
    """
    text = (record.folder / "certificates" / f"{name}.edp.json").read_text(encoding="utf-8")
    return Ground.BOTH if knows(json.loads(text)) else Ground.REFERENCE


def grounds(record: Paper, claim: Claim) -> dict[Ground, tuple[str, ...]]:
    """Who decides what a record names, and what of it: theorems of Coq, and certificates.

    Examples
    --------
    >>> from proofs.record import load_paper
    >>> record = load_paper("elsalamouny_tight_constraints")
    >>> [claim] = [claim for claim in record.claims if claim.id.endswith("/F6")]
    >>> [str(ground) for ground in grounds(record, claim)]
    ['the reference checker only']
    """
    found = {Ground.COQ: claim.coq} if claim.coq else {}
    by = {name: ground_of(record, name) for name in claim.certificates}
    for ground in (Ground.REFERENCE, Ground.BOTH):
        names = tuple(name for name, who in by.items() if who is ground)
        found |= {ground: names} if names else {}
    return found or {Ground.COMPUTED: ()}


def in_words(record: Paper, claim: Claim) -> str:
    """Who decides a claim; where both kinds of checkers do, which certificates are whose.

    Examples
    --------
    >>> from proofs.record import load_paper
    >>> record = load_paper("elsalamouny_tight_constraints")
    >>> print(in_words(record, next(claim for claim in record.claims if claim.id.endswith("/S6a"))))
    the reference checker only (sum-at-0-80, sum-at-0-96, sum-at-0-97); both checkers (sum-threshold)
    """
    found = grounds(record, claim)
    several = len([ground for ground in found if ground is not Ground.COQ]) > 1
    return "; ".join(
        f"{ground} ({', '.join(names)})" if several and ground is not Ground.COQ else str(ground) for ground, names in found.items()
    )
