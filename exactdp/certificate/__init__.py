# SPDX-License-Identifier: MIT
"""Certificates: SPEC.md is normative, kinds.toml lists the kinds of claims, :func:`certify` writes them.

schema.json, which is made from kinds.toml, helps editors.

The names are loaded when they are first asked for: :mod:`~exactdp.certificate.verification` needs no numbers.
"""

from __future__ import annotations

import lazy_loader

from exactdp.stubs import names_of

__getattr__, __dir__, __all__ = lazy_loader.attach(__name__, submod_attrs=names_of(__file__))
