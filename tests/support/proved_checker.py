# SPDX-License-Identifier: MIT
"""Where the proved checker is, for tests that need it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from places import ROOT

from exactdp.certificate.edpcheck import find_program

BUILT = ROOT / "proofs" / "coq" / "edpcheck"

EDPCHECK: Path | None = next((Path(found) for found in (find_program(), shutil.which(BUILT)) if found), None)
"""The program that EXACTDP_EDPCHECK names, that of the PATH, or that of this tree; None if there is none."""

_MISSING = pytest.mark.skipif(EDPCHECK is None, reason="oracle missing: edpcheck (make -C proofs/coq checker)")


def needs_edpcheck(test: Callable[..., None]) -> Callable[..., None]:
    """A slow test, since where the fast ones run first edpcheck need not be built."""
    return pytest.mark.slow(_MISSING(test))  # type: ignore[no-any-return]
