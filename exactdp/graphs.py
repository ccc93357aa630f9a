# SPDX-License-Identifier: MIT
"""What is near: graphs, metrics and distances, and the census of small graphs."""

from __future__ import annotations

from exactdp.stubs import attached

__getattr__, __dir__, __all__ = attached(__name__, __file__, "exactdp")
