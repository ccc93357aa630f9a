# SPDX-License-Identifier: MIT
"""Certificates: SPEC.md is normative, schema.json helps editors, :func:`certify` writes them."""

from exactdp.certificate.certificate import Certificate
from exactdp.certificate.emit import certify

__all__ = ["Certificate", "certify"]
