# SPDX-License-Identifier: MIT
"""Tables, mechanisms and printed tables, and how they are read."""

from __future__ import annotations

from exactdp.stubs import attached

__getattr__, __dir__, __all__ = attached(__name__, __file__, "exactdp")
