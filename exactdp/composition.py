# SPDX-License-Identifier: MIT
"""Releases together: of one input, of separate parts, of single people, at several levels."""

from __future__ import annotations

from exactdp.stubs import attached

__getattr__, __dir__, __all__ = attached(__name__, __file__, "exactdp")
