# SPDX-License-Identifier: MIT
"""Answers and their certificates: verdicts, files, verification, limits and progress."""

from __future__ import annotations

from exactdp.stubs import attached

__getattr__, __dir__, __all__ = attached(__name__, __file__, "exactdp")
