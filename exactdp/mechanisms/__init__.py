# SPDX-License-Identifier: MIT
"""Constructors of mechanisms, one family per file."""

from __future__ import annotations

from exactdp.stubs import attached

__getattr__, __dir__, __all__ = attached(__name__, __file__, __name__, door=False)
