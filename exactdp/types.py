# SPDX-License-Identifier: MIT
"""All mechanisms of a privacy type: vertices, kernel mechanisms, and what is best for every prior."""

from __future__ import annotations

from exactdp.stubs import attached

__getattr__, __dir__, __all__ = attached(__name__, __file__, "exactdp")
