# SPDX-License-Identifier: MIT
"""Consumers, what they lose at least, and who attains it: optima, remaps and duals."""

from __future__ import annotations

from exactdp.stubs import attached

__getattr__, __dir__, __all__ = attached(__name__, __file__, "exactdp")
