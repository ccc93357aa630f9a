# SPDX-License-Identifier: MIT
"""One question a module; every answer is a verdict, with a witness both ways."""

from __future__ import annotations

import lazy_loader

from exactdp.stubs import names_of

__getattr__, __dir__, __all__ = lazy_loader.attach(__name__, submod_attrs=names_of(__file__))
