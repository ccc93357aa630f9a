# SPDX-License-Identifier: MIT
"""Who decides what a record says: Coq, both checkers, or the reference checker only.

A record names Coq theorems, certificates, or both. A theorem that is named is decided by *Coq*. A certificate
is decided by *both checkers* if edpcheck, the checker that is extracted from Coq, knows its kind and its
numbers (:func:`exactdp.certificate.proved.knows`); else by *the reference checker only*, ``exactdp/checker``,
whose rules for it are proved in prose. What a record names neither for is recomputed by ``proofs/claims.py``,
and no checker is asked.
"""

from __future__ import annotations

import json
from enum import StrEnum

from exactdp.certificate.proved import knows
from proofs.record import Claim, Paper


class Ground(StrEnum):
    """Who decides."""

    COQ = "Coq"
    BOTH = "both checkers"
    REFERENCE = "the reference checker only"
    COMPUTED = "no checker, recomputed"


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
