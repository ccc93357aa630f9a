# SPDX-License-Identifier: MIT
"""Tight-constraints mechanisms of a graph, and its regular priors."""

from __future__ import annotations

from exactdp.stubs import attached

__getattr__, __dir__, __all__ = attached(__name__, __file__, "exactdp")
