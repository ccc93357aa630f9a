# SPDX-License-Identifier: MIT
"""Certificates: SPEC.md is normative, schema.json helps editors, :func:`certify` writes them.

The names are loaded when they are first asked for: :mod:`~exactdp.certificate.verification` needs no numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from exactdp.certificate.certificate import Certificate, certify

__getattr__, __dir__, _ = lazy_loader.attach(__name__, submod_attrs={"certificate": ["Certificate", "certify"]})

__all__ = ["Certificate", "certify"]
