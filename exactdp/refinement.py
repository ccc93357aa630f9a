# SPDX-License-Identifier: MIT
"""Whether one mechanism can be made from another, and the orders of all that can."""

from __future__ import annotations

from exactdp.stubs import attached

__getattr__, __dir__, __all__ = attached(__name__, __file__, "exactdp")
