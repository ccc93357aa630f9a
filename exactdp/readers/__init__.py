# SPDX-License-Identifier: MIT
"""Readers: files and objects of other libraries, as the model's exact objects.

The names are loaded when they are first asked for: most questions on the command line name no file.
"""

from __future__ import annotations

import lazy_loader

from exactdp.stubs import names_of

__getattr__, __dir__, __all__ = lazy_loader.attach(__name__, submod_attrs=names_of(__file__))
