# SPDX-License-Identifier: MIT
"""Exact numbers and letters: fields, regions, formulas, and what holds for all values of a letter."""

from __future__ import annotations

from exactdp.stubs import attached

__getattr__, __dir__, __all__ = attached(__name__, __file__, "exactdp")
