# SPDX-License-Identifier: MIT
"""Many questions: plans of them, asked on all cores or a Dask cluster, their certificates and their index."""

from __future__ import annotations

from exactdp.stubs import attached

__getattr__, __dir__, __all__ = attached(__name__, __file__, __name__, door=False)
