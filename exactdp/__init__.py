# SPDX-License-Identifier: MIT
"""Exact verdicts about differentially private mechanisms, with certificates that a small checker re-checks.

>>> import exactdp as xdp
>>> G = xdp.geometric(3, alpha="1/4")
>>> verdict = xdp.is_optimal_after_remap(G, "path", "1/4", xdp.MinimaxConsumer("abs"))
>>> verdict.proved, verdict.evidence.value
(True, Rational('168/415'))
"""

from __future__ import annotations

import lazy_loader

from exactdp.display import Displayed

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

Displayed._report = "exactdp.report"  # the root alone knows all floors: who shows what the lower ones hold
