# SPDX-License-Identifier: MIT
"""What published papers claim, what a computation finds, and the certificates that show it (``proofs/``)."""

from __future__ import annotations

from exactdp.papers.demo import demo
from exactdp.papers.record import Claim, Paper, Status, load_paper, papers, proofs_root
from exactdp.papers.replay import ClaimResult, certificates, exit_code, regenerate, replay

__all__ = [
    "Claim",
    "ClaimResult",
    "Paper",
    "Status",
    "certificates",
    "demo",
    "exit_code",
    "load_paper",
    "papers",
    "proofs_root",
    "regenerate",
    "replay",
]
