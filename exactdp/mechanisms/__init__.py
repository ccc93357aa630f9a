# SPDX-License-Identifier: MIT
"""Constructors of mechanisms, one family per file."""

from __future__ import annotations

import lazy_loader

from exactdp.mechanisms.geometric import geometric as geometric  # at once: the module has the name of its function
from exactdp.stubs import names_of

__getattr__, __dir__, __all__ = lazy_loader.attach(__name__, submod_attrs=names_of(__file__))
