# SPDX-License-Identifier: MIT
"""How private a table is: levels, claims, and (ε, δ)."""

from __future__ import annotations

from exactdp.stubs import attached

__getattr__, __dir__, __all__ = attached(__name__, __file__, "exactdp")
