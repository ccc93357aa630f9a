# SPDX-License-Identifier: MIT
"""What is learnt from outputs: posteriors, updates, estimates, and repaired frequencies."""

from __future__ import annotations

from exactdp.stubs import attached

__getattr__, __dir__, __all__ = attached(__name__, __file__, "exactdp")
